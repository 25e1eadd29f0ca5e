//! Ranges for NVIDIA's profilers: a launch is submitted within a range that has the name of its kernel, and launches
//! that are one call, a list or the trips of a loop, within one that says how many and which is the first. Without a
//! profiler, or without the library of NVTX, there are none, and a launch looks at one pointer. Fenced: it
//! opens the library and calls it.
#![allow(unsafe_code, reason = "dlopen and calls of NVTX")]

use std::ffi::{c_char, c_int};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::OnceLock;

use flash_rt::env_options::of_others;
use libloading::Library;

/// By what a profiler says that it is there.
const PROFILER: &str = "NVTX_INJECTION64_PATH";
/// The library, as toolkits of CUDA 13 and earlier ones have it.
const NAMES: [&str; 3] = ["libnvtx3interop.so.1", "libnvtx3interop.so", "libnvToolsExt.so.1"];
/// The longest name of a range, with the zero at its end. What is longer is cut.
const LONGEST: usize = 128;

/// The functions that are called.
#[derive(Clone, Copy, Debug)]
struct Nvtx {
    push: unsafe extern "C" fn(*const c_char) -> c_int,
    pop: unsafe extern "C" fn() -> c_int,
}

/// A range of this thread, which ends where it is dropped.
#[derive(Debug)]
pub(crate) struct Range(Nvtx);

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: the library stays open, and this thread has pushed the range.
        unsafe { (self.0.pop)() };
    }
}

impl Nvtx {
    /// The library of a name or path, which stays open.
    fn open(name: &Path) -> Option<Self> {
        // SAFETY: opening it runs the initialisers of NVTX, which the user has installed for this.
        let library = ManuallyDrop::new(unsafe { Library::new(name) }.ok()?);
        // SAFETY: the function of this name has this type in every version of NVTX.
        let push = unsafe { library.get(b"nvtxRangePushA\0") }.ok()?;
        // SAFETY: likewise.
        let pop = unsafe { library.get(b"nvtxRangePop\0") }.ok()?;
        Some(Self { push: *push, pop: *pop })
    }

    fn range(self, name: &str) -> Range {
        let mut text = [0_u8; LONGEST];
        // The last byte stays zero, whatever the name is.
        for (to, from) in text[..LONGEST - 1].iter_mut().zip(name.bytes()) {
            *to = from;
        }
        // SAFETY: the text ends with a zero, and is copied in the call.
        unsafe { (self.push)(text.as_ptr().cast()) };
        Range(self)
    }
}

/// Begins a range of this thread, where a profiler wants it.
pub(crate) fn range(name: &str) -> Option<Range> {
    nvtx().map(|nvtx| nvtx.range(name))
}

/// The same for launches that are one call: so many, of which the first one has this name.
pub(crate) fn range_of(n: usize, first: &str, what: &str) -> Option<Range> {
    nvtx().map(|nvtx| nvtx.range(&format!("{what} of {n}, first `{first}`")))
}

/// The library, where a profiler is there.
fn nvtx() -> Option<Nvtx> {
    static NVTX: OnceLock<Option<Nvtx>> = OnceLock::new();
    let open = || {
        of_others(PROFILER)?;
        NAMES.iter().find_map(|name| Nvtx::open(Path::new(name)))
    };
    *NVTX.get_or_init(open)
}

#[cfg(test)]
mod tests;
