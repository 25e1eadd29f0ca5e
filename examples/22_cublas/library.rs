//! cuBLAS as far as the example calls it: a library that is looked for when the program runs. It knows no
//! arrays; addresses and streams are those that a native node is given.
#![allow(unsafe_code, reason = "calls functions of a library")]

use std::ffi::{c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use flash::cuda::NodeContext;
use libloading::Library;

/// By what names systems know it, the newest first.
const NAMES: &[&str] = if cfg!(windows) {
    &["cublas64_13.dll", "cublas64_12.dll"]
} else {
    &["libcublas.so.13", "libcublas.so.12", "libcublas.so"]
};

/// `CUBLAS_OP_N`: a matrix as it is.
const AS_IT_IS: c_int = 0;

type Create = unsafe extern "C" fn(*mut *mut c_void) -> c_int;
type Destroy = unsafe extern "C" fn(*mut c_void) -> c_int;
type SetStream = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type Sgemm = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const f32,
    u64,
    c_int,
    u64,
    c_int,
    *const f32,
    u64,
    c_int,
) -> c_int;

/// The library, with a handle for each device that it was used on.
#[derive(Debug)]
pub(crate) struct Cublas {
    create: Create,
    destroy: Destroy,
    set_stream: SetStream,
    sgemm: Sgemm,
    /// By the number of the device.
    handles: Mutex<Vec<(i32, Handle)>>,
    /// What the functions are of.
    _library: Library,
}

/// What cuBLAS knows a device by.
#[derive(Clone, Copy, Debug)]
struct Handle(*mut c_void);

// SAFETY: cuBLAS lets any thread use a handle, one at a time; the lock around them sees to that.
unsafe impl Send for Handle {}

impl Cublas {
    /// The library where the system has it; else what was looked for.
    pub(crate) fn load() -> Result<Self, String> {
        let mut said = Vec::new();
        for name in NAMES {
            match Self::open(name.as_ref()) {
                Ok(cublas) => return Ok(cublas),
                Err(why) => said.push(why),
            }
        }
        Err(said.join("; "))
    }

    /// The library in a file.
    pub(crate) fn open(file: &Path) -> Result<Self, String> {
        let words = |error: libloading::Error| {
            let said = std::error::Error::source(&error).map(ToString::to_string);
            said.unwrap_or_else(|| error.to_string())
        };
        // SAFETY: opening it runs the initialisers of cuBLAS, which the user has installed for this.
        let library = unsafe { Library::new(file) }.map_err(words)?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: it is the function of this name in the documentation of cuBLAS, of this type.
                *unsafe { library.get($name) }.map_err(words)?
            };
        }
        Ok(Self {
            create: function!(b"cublasCreate_v2\0"),
            destroy: function!(b"cublasDestroy_v2\0"),
            set_stream: function!(b"cublasSetStream_v2\0"),
            sgemm: function!(b"cublasSgemm_v2\0"),
            handles: Mutex::default(),
            _library: library,
        })
    }

    /// Submits `c = a b` for arrays 0, 1 and 2 of a node: an `[n, m]` matrix, an `[m, p]` one and an
    /// `[n, p]` one, all row by row.
    ///
    /// # Errors
    ///
    /// What cuBLAS says; sizes beyond its numbers.
    ///
    /// # Safety
    ///
    /// The node reads arrays 0 and 1 and fills array 2, and they are whole arrays of `f32`.
    pub(crate) unsafe fn product(&self, cx: &NodeContext) -> Result<(), String> {
        let array = |k| cx.array(k).ok_or_else(|| format!("there is no array {k}"));
        let (a, b, c) = (array(0)?, array(1)?, array(2)?);
        let number = |n: usize| c_int::try_from(n).map_err(|_| format!("{n} is too large"));
        let (n, m, p) = (number(a.shape()[0])?, number(a.shape()[1])?, number(b.shape()[1])?);
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        let Handle(handle) = self.handle(&mut handles, cx.ordinal())?;
        // SAFETY: the handle is of the device whose stream this is.
        check("cublasSetStream_v2", unsafe { (self.set_stream)(handle, cx.stream()) })?;
        // cuBLAS has matrices column by column, in which these are transposed: c' = b' a'.
        let (one, zero) = (1.0_f32, 0.0_f32);
        // SAFETY: the matrices have these sizes, as the caller says, and both numbers are read in the call.
        let status = unsafe {
            (self.sgemm)(
                handle,
                AS_IT_IS,
                AS_IT_IS,
                p,
                n,
                m,
                &raw const one,
                b.address(),
                p,
                a.address(),
                m,
                &raw const zero,
                c.address(),
                p,
            )
        };
        check("cublasSgemm_v2", status)
    }

    /// The handle of a device whose context is current, which is made when it is first used.
    fn handle(&self, handles: &mut Vec<(i32, Handle)>, device: i32) -> Result<Handle, String> {
        if let Some((_, handle)) = handles.iter().find(|(known, _)| *known == device) {
            return Ok(*handle);
        }
        let mut handle = null_mut();
        // SAFETY: a context is current, and cuBLAS writes a handle.
        check("cublasCreate_v2", unsafe { (self.create)(&raw mut handle) })?;
        handles.push((device, Handle(handle)));
        Ok(Handle(handle))
    }
}

impl Drop for Cublas {
    fn drop(&mut self) {
        let handles = self.handles.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (_, Handle(handle)) in handles.drain(..) {
            // SAFETY: it is ours, and who made products has waited for them.
            unsafe { (self.destroy)(handle) };
        }
    }
}

fn check(function: &str, status: c_int) -> Result<(), String> {
    if status == 0 { Ok(()) } else { Err(format!("{function} says {status}")) }
}
