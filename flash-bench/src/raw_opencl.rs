//! The peer that makes raw OpenCL calls: compiled from `peers/opencl.c` when it is asked for, and
//! loaded. Fenced: the calls of the library. Slices carry the lengths, so that callers stay safe.
#![allow(unsafe_code, reason = "dlopen and calls of C functions")]

use std::mem::ManuallyDrop;
use std::process::Command;

use libloading::Library;

const SOURCE: &str = include_str!("../peers/opencl.c");

/// The library, with a device that it has opened.
#[derive(Debug)]
pub(crate) struct RawOpenCl {
    /// Never unloaded: threads of the driver outlive its calls.
    library: ManuallyDrop<Library>,
    _folder: tempfile::TempDir,
}

impl RawOpenCl {
    /// Compiles and loads it, and makes two arrays of so many bytes.
    pub(crate) fn new(bytes: usize) -> Result<Self, String> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let (source, object) = (folder.path().join("opencl.c"), folder.path().join("opencl.so"));
        std::fs::write(&source, SOURCE).map_err(|error| error.to_string())?;
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let output = Command::new(&compiler)
            .args(["-O3", "-march=native", "-shared", "-fPIC", "-o"])
            .args([&object, &source])
            .arg("-ldl")
            .output()
            .map_err(|error| format!("no C compiler `{compiler}`: {error}"))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{compiler}` failed: {}", words.lines().next().unwrap_or("")));
        }
        // SAFETY: the library was compiled from our own source and has no initialisers.
        let library = unsafe { Library::new(&object) }.map_err(|error| error.to_string())?;
        let peer = Self { library: ManuallyDrop::new(library), _folder: folder };
        // SAFETY: the source defines the symbol with this parameter and result.
        let open = unsafe { peer.library.get::<unsafe extern "C" fn(usize) -> i32>("peer_open") }
            .map_err(|error| error.to_string())?;
        // SAFETY: it may be called once, with any number.
        match unsafe { open(bytes) } {
            0 => Ok(peer),
            step => Err(format!("there is no OpenCL device (step {step})")),
        }
    }

    /// Starts saxpy of so many items, so many times, and waits at the end.
    pub(crate) fn launches(&self, items: usize, times: u32) {
        type Call = unsafe extern "C" fn(usize, u32) -> f64;
        // SAFETY: the source defines the symbol with these parameters and this result.
        let call = unsafe { self.library.get::<Call>("peer_launches") };
        // SAFETY: the device was opened, and the callers' items are no more than its arrays hold.
        let nanos = call.map_or(-1.0, |call| unsafe { call(items, times) });
        assert!(nanos >= 0.0, "the launches of the peer failed");
    }

    /// Brings the first array to the device, and is back when it is there.
    pub(crate) fn upload(&self, from: &[f32]) {
        type Call = unsafe extern "C" fn(*const f32, usize) -> f64;
        // SAFETY: the source defines the symbol with these parameters and this result.
        let call = unsafe { self.library.get::<Call>("peer_upload") };
        // SAFETY: pointer and length are those of a live slice; the copy is over when it returns.
        let nanos = call.map_or(-1.0, |call| unsafe { call(from.as_ptr(), size_of_val(from)) });
        assert!(nanos >= 0.0, "the upload of the peer failed");
    }

    /// Brings the second one back, which launches write.
    pub(crate) fn download(&self, to: &mut [f32]) {
        type Call = unsafe extern "C" fn(*mut f32, usize) -> f64;
        // SAFETY: the source defines the symbol with these parameters and this result.
        let call = unsafe { self.library.get::<Call>("peer_download") };
        // SAFETY: pointer and length are those of a live slice; the copy is over when it returns.
        let nanos = call.map_or(-1.0, |call| unsafe { call(to.as_mut_ptr(), size_of_val(to)) });
        assert!(nanos >= 0.0, "the download of the peer failed");
    }
}
