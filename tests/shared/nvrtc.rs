//! NVIDIA's compiler of CUDA C++, which needs no device: kernels become PTX and code of a device. Without it
//! tests are left out, unless `FLASH_REQUIRE` has `nvrtc`. It runs nothing.
#![allow(unsafe_code, reason = "calls functions of the compiler's library")]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::OnceLock;

use libloading::Library;

/// What it opens itself while it compiles, and the library; in the order in which they are loaded, as the
/// second one finds the first only where it is loaded already.
const LIBRARIES: [&str; 2] = ["libnvrtc-builtins.so.13.0", "libnvrtc.so.13"];

/// Devices that code is made for.
pub const DEVICES: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_100"];

/// The version whose figures are kept.
pub const KNOWN: (i32, i32) = (13, 0);

/// A program of the compiler.
type Handle = *mut c_void;

macro_rules! calls {
    ($($name:ident: fn($($arg:ty),*);)*) => {
        #[allow(non_snake_case, reason = "the names are those of NVRTC")]
        struct Calls {
            $($name: unsafe extern "C" fn($($arg),*) -> c_int,)*
            nvrtcGetErrorString: unsafe extern "C" fn(c_int) -> *const c_char,
            _libraries: [Library; 2],
        }

        impl Calls {
            fn of(libraries: [Library; 2]) -> Option<Self> {
                let library = &libraries[1];
                Some(Self {
                    // SAFETY: the function of this name has this type, as NVRTC defines it, and the library
                    // stays as long as it.
                    $($name: *unsafe { library.get(stringify!($name).as_bytes()) }.ok()?,)*
                    // SAFETY: likewise.
                    nvrtcGetErrorString: *unsafe { library.get(b"nvrtcGetErrorString") }.ok()?,
                    _libraries: libraries,
                })
            }
        }
    };
}

calls! {
    nvrtcCreateProgram: fn(
        *mut Handle, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char
    );
    nvrtcCompileProgram: fn(Handle, c_int, *const *const c_char);
    nvrtcDestroyProgram: fn(*mut Handle);
    nvrtcGetCUBIN: fn(Handle, *mut c_char);
    nvrtcGetCUBINSize: fn(Handle, *mut usize);
    nvrtcGetPTX: fn(Handle, *mut c_char);
    nvrtcGetPTXSize: fn(Handle, *mut usize);
    nvrtcGetProgramLog: fn(Handle, *mut c_char);
    nvrtcGetProgramLogSize: fn(Handle, *mut usize);
    nvrtcVersion: fn(*mut c_int, *mut c_int);
}

/// The compiler.
pub struct Nvrtc(Calls);

impl fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Nvrtc").field(&self.version()).finish()
    }
}

/// What it makes of a text.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The PTX.
    pub ptx: String,
    /// The code of the device, an ELF file; empty where it was compiled for an architecture as such.
    pub cubin: Vec<u8>,
    /// What it said.
    pub log: String,
}

/// The compiler, if there is one: where `FLASH_NVRTC` says, a folder or the library in it, where `scripts/nvrtc` puts it, or
/// where the system looks for libraries.
///
/// # Panics
///
/// Where it is required and missing.
pub fn nvrtc() -> Option<&'static Nvrtc> {
    static NVRTC: OnceLock<Option<Nvrtc>> = OnceLock::new();
    let found = NVRTC.get_or_init(|| folders().into_iter().find_map(load)).as_ref();
    if found.is_none() {
        assert!(!crate::required("nvrtc"), "there is no NVRTC");
        eprintln!("left out: there is no NVRTC (scripts/nvrtc installs it)");
    }
    found
}

/// Folders that may have it; `None` stands for where the system looks.
fn folders() -> Vec<Option<PathBuf>> {
    if let Some(said) = std::env::var_os("FLASH_NVRTC") {
        let mut folder = PathBuf::from(said);
        if folder.is_file() {
            folder.pop();
        }
        return vec![Some(folder)];
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    vec![home.map(|home| home.join(".local/share/flash/nvrtc")), None]
}

fn load(folder: Option<PathBuf>) -> Option<Nvrtc> {
    let path = |name: &str| folder.as_ref().map_or_else(|| name.into(), |folder| folder.join(name));
    // SAFETY: it is a library of NVIDIA's, which does nothing when it is loaded.
    let builtins = unsafe { Library::new(path(LIBRARIES[0])) }.ok()?;
    // SAFETY: likewise.
    let library = unsafe { Library::new(path(LIBRARIES[1])) }.ok()?;
    Calls::of([builtins, library]).map(Nvrtc)
}

impl Nvrtc {
    /// Its version, which is that of CUDA.
    pub fn version(&self) -> (i32, i32) {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: two numbers.
        unsafe { (self.0.nvrtcVersion)(&raw mut major, &raw mut minor) };
        (major, minor)
    }

    /// Compiles a text for a device (`sm_90`) or an architecture (`compute_90`).
    ///
    /// # Errors
    ///
    /// What the compiler says where it does not take the text or an option.
    pub fn compile(&self, text: &str, options: &[String], arch: &str) -> Result<Compiled, String> {
        let calls = &self.0;
        let text = CString::new(text).map_err(|error| error.to_string())?;
        let mut all = vec![format!("--gpu-architecture={arch}")];
        all.extend_from_slice(options);
        let all: Result<Vec<CString>, _> = all.into_iter().map(CString::new).collect();
        let all = all.map_err(|error| error.to_string())?;
        let options: Vec<*const c_char> = all.iter().map(|option| option.as_ptr()).collect();
        let mut program = Program { calls, handle: null_mut() };
        let (name, handle) = (c"kernel.cu".as_ptr(), &raw mut program.handle);
        let (none, create) = (null_mut(), calls.nvrtcCreateProgram);
        // SAFETY: text and name end with zero, and there is no header.
        let status = unsafe { create(handle, text.as_ptr(), name, 0, none, none) };
        self.said(status)?;
        let n = c_int::try_from(options.len()).map_err(|error| error.to_string())?;
        // SAFETY: there are so many options, each of which ends with zero.
        let status = unsafe { (calls.nvrtcCompileProgram)(program.handle, n, options.as_ptr()) };
        let log = program.part(calls.nvrtcGetProgramLogSize, calls.nvrtcGetProgramLog)?;
        let log = text_of(log);
        self.said(status).map_err(|error| format!("{error}\n{log}"))?;
        let ptx = program.part(calls.nvrtcGetPTXSize, calls.nvrtcGetPTX)?;
        let cubin = if arch.starts_with("sm_") {
            program.part(calls.nvrtcGetCUBINSize, calls.nvrtcGetCUBIN)?
        } else {
            Vec::new()
        };
        Ok(Compiled { ptx: text_of(ptx), cubin, log })
    }

    /// An error for a status other than zero.
    fn said(&self, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: it takes any number.
        let text = unsafe { (self.0.nvrtcGetErrorString)(status) };
        // SAFETY: the text is constant and ends with zero.
        let text = unsafe { CStr::from_ptr(text) };
        Err(text.to_string_lossy().into_owned())
    }
}

/// Text of the compiler, which ends with zero.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned()
}

struct Program<'c> {
    calls: &'c Calls,
    handle: Handle,
}

impl Program<'_> {
    /// One of the things that a program has.
    fn part(
        &self,
        size: unsafe extern "C" fn(Handle, *mut usize) -> c_int,
        get: unsafe extern "C" fn(Handle, *mut c_char) -> c_int,
    ) -> Result<Vec<u8>, String> {
        let mut n = 0;
        // SAFETY: the program is there.
        let status = unsafe { size(self.handle, &raw mut n) };
        let mut bytes = vec![0_u8; n];
        // SAFETY: there is room for so many bytes.
        let other = unsafe { get(self.handle, bytes.as_mut_ptr().cast()) };
        if (status, other) != (0, 0) {
            return Err(format!("NVRTC has no such part: {status}, {other}"));
        }
        Ok(bytes)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: it is its own.
            unsafe { (self.calls.nvrtcDestroyProgram)(&raw mut self.handle) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_does_not_take_is_said() {
        let Some(nvrtc) = nvrtc() else { return };
        assert_eq!(nvrtc.version().0, 13);
        let text = "extern \"C\" __global__ void k(int *x)\n{\n    x[0] = 1\n}\n";
        let error = nvrtc.compile(text, &[], "sm_90").unwrap_err();
        assert!(error.contains("kernel.cu(4): error: expected a \";\""), "{error}");
        assert!(nvrtc.compile("", &[], "sm_1").is_err());
        let ptx = nvrtc.compile("", &[], "compute_90").map(|compiled| compiled.ptx);
        assert!(ptx.is_ok_and(|ptx| ptx.contains(".target sm_90")));
    }
}
