//! CUDA code that is registered while a program runs. Fenced: whoever registers code vouches for its
//! signature.
#![allow(unsafe_code, reason = "registering native code is a promise")]

use std::path::Path;

use flash_rt::Result;
use flash_rt::offload::code::read;
use flash_rt::offload::registered::{Registered, refused};

use crate::backend::KEY;
use crate::native;

/// What was registered.
pub(crate) static KNOWN: Registered = Registered::new(KEY, "cuda");

/// Registers a kernel of a file for kernels that are declared `searchable` and without a body, by its
/// name and its signature in the words of `flash.h`: `value f32, in f32[1], io f32[1]`, the arguments in
/// their order. The file is CUDA C (`.cu`), PTX (`.ptx`), a `.cubin` or a `.fatbin`, and is read now.
/// What was registered first is taken first, by launches that are prepared from then on.
///
/// ```no_run
/// use flash_cuda::register;
///
/// // SAFETY: the kernel has these parameters, and writes what its item owns.
/// unsafe { register("kernels/scale.cu", "scale", "value f32, io f32[1]") }?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// # Safety
///
/// The kernel has these parameters, and does with their memory what the signature says.
///
/// # Errors
///
/// [`Error::Library`](flash_rt::Error::Library) for a file that cannot be read or has another extension,
/// or whose name goes with other contents already.
pub unsafe fn register(path: impl AsRef<Path>, entry: &str, signature: &str) -> Result<()> {
    let path = path.as_ref();
    let file = path.to_string_lossy();
    let bytes = read(path).map_err(|why| refused(&file, entry, why))?;
    // SAFETY: as the caller vouches.
    unsafe { add(&file, bytes, entry, signature) }
}

/// The same for a text of CUDA C or PTX, or for an image, that is in memory; its `name`, which ends as
/// that of a file does, stands for it in messages.
///
/// ```
/// use flash_cuda::register_code;
///
/// let text = "extern \"C\" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }";
/// // SAFETY: the kernel has this parameter, and writes what its item owns.
/// unsafe { register_code("made.cu", text, "twice", "io f32[1]") }?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// # Safety
///
/// As for [`register`].
///
/// # Errors
///
/// As for [`register`].
pub unsafe fn register_code(
    name: &str,
    code: impl AsRef<[u8]>,
    entry: &str,
    signature: &str,
) -> Result<()> {
    // SAFETY: as the caller vouches.
    unsafe { add(name, code.as_ref().to_vec(), entry, signature) }
}

/// # Safety
///
/// As for [`register`].
unsafe fn add(file: &str, bytes: Vec<u8>, entry: &str, signature: &str) -> Result<()> {
    native::sort(file).map_err(|why| refused(file, entry, why))?;
    // SAFETY: as the caller vouches.
    unsafe { KNOWN.add(file, bytes, entry, signature) }
}
