//! OpenCL code that is registered while a program runs. Fenced: whoever registers code vouches for its
//! signature.
#![allow(unsafe_code, reason = "registering native code is a promise")]

use std::path::Path;

use flash_rt::Result;
use flash_rt::offload::code::read;
use flash_rt::offload::registered::{Registered, refused};

use crate::backend::KEY;
use crate::native;

/// What was registered.
pub(crate) static KNOWN: Registered = Registered::new(KEY, "opencl");

/// Registers a kernel of a file for kernels that are declared `searchable` and without a body, by its
/// name and its signature in the words of `flash.h`: `value f32, in f32[1], io f32[1]`, the arguments in
/// their order. The file is OpenCL C (`.cl`), SPIR-V (`.spv`) or a binary of a device, and is read now.
/// What was registered first is taken first, by launches that are prepared from then on.
///
/// ```no_run
/// use flash_ocl::register;
///
/// // SAFETY: the kernel has these parameters, and writes what its item owns.
/// unsafe { register("kernels/scale.cl", "scale", "value f32, io f32[1]") }?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// # Safety
///
/// The kernel has these parameters, and does with their memory what the signature says.
///
/// # Errors
///
/// [`Error::Library`](flash_rt::Error::Library) for a file that cannot be read or has another extension, or whose name goes with
/// other contents already.
pub unsafe fn register(path: impl AsRef<Path>, entry: &str, signature: &str) -> Result<()> {
    let path = path.as_ref();
    let file = path.to_string_lossy();
    let bytes = read(path).map_err(|why| refused(&file, entry, why))?;
    native::code(&file, &bytes).map_err(|why| refused(&file, entry, why))?;
    // SAFETY: as the caller vouches.
    unsafe { KNOWN.add(&file, bytes, entry, signature) }
}

/// The same for a text of OpenCL C that is in memory; its `name` stands for it in messages.
///
/// ```
/// use flash_ocl::register_text;
///
/// let text = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }";
/// // SAFETY: the kernel has this parameter, and writes what its item owns.
/// unsafe { register_text("made.cl", text, "twice", "io f32[1]") }?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// # Safety
///
/// As for [`register`].
///
/// # Errors
///
/// As for [`register`]; the name ends with `.cl`.
pub unsafe fn register_text(name: &str, text: &str, entry: &str, signature: &str) -> Result<()> {
    let bytes = text.as_bytes().to_vec();
    native::code(name, &bytes).map_err(|why| refused(name, entry, why))?;
    // SAFETY: as the caller vouches.
    unsafe { KNOWN.add(name, bytes, entry, signature) }
}
