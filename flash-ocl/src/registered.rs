//! OpenCL code that is registered while a program runs, for kernels that are declared `searchable`.
//! Which of it a kernel takes is decided by its signature (`flash_rt::search`). Fenced: whoever
//! registers code vouches for its signature.
#![allow(unsafe_code, reason = "registering native code is a promise")]

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use flash_rt::descriptor::{Code, Implementation};
use flash_rt::search::{self, Conversion};
use flash_rt::{Error, KernelDescriptor, Result};

use crate::backend::KEY;
use crate::native;

/// What was registered.
#[derive(Clone, Copy, Debug)]
struct Text {
    file: &'static str,
    bytes: &'static [u8],
}

/// What a kernel takes of it.
#[derive(Debug)]
struct Taken {
    kernel: &'static KernelDescriptor,
    implementation: Implementation,
    conversions: Vec<Conversion>,
}

#[derive(Debug)]
struct Known {
    texts: Vec<Text>,
    taken: Vec<&'static Taken>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known { texts: Vec::new(), taken: Vec::new() });

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

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
/// [`Error::Library`] for a file that cannot be read or has another extension, or whose name goes with
/// other contents already.
pub unsafe fn register(path: impl AsRef<Path>, entry: &str, signature: &str) -> Result<()> {
    let path = path.as_ref();
    let file = path.to_string_lossy();
    let bytes = native::read(path).map_err(|why| refused(&file, entry, why))?;
    add(&file, bytes, entry, signature)
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
    add(name, text.as_bytes().to_vec(), entry, signature)
}

#[cold]
fn refused(file: &str, entry: &str, why: String) -> Error {
    Error::Library { kernel: entry.to_owned(), path: file.to_owned(), why }
}

fn add(file: &str, bytes: Vec<u8>, entry: &str, signature: &str) -> Result<()> {
    native::code(file, &bytes).map_err(|why| refused(file, entry, why))?;
    let mut known = known();
    match known.texts.iter().find(|text| text.file == file) {
        Some(text) if text.bytes == bytes => {}
        Some(_) => {
            let why = "other code was registered by this name; give it another one".to_owned();
            return Err(refused(file, entry, why));
        }
        None => {
            // Kernels are as many as a program has.
            let text = Text { file: String::leak(file.to_owned()), bytes: Vec::leak(bytes) };
            known.texts.push(text);
        }
    }
    drop(known);
    // SAFETY: whoever registers it vouches for its signature.
    unsafe { search::register_native(KEY, file, entry, signature) };
    Ok(())
}

/// What a `searchable` kernel finds, if it is OpenCL code.
pub(crate) fn find(kernel: &'static KernelDescriptor) -> Option<&'static Implementation> {
    let found = search::native(kernel, KEY)?;
    let search::Code::Native { path, .. } = found.code.code() else { return None };
    let mut known = known();
    let entry = found.code.name();
    let is_it = |taken: &&&Taken| {
        let Code::Embedded(file, _) = taken.implementation.code else { return false };
        std::ptr::eq(taken.kernel, kernel) && file == path && taken.implementation.entry == entry
    };
    if let Some(taken) = known.taken.iter().find(is_it) {
        return Some(&taken.implementation);
    }
    let text = *known.texts.iter().find(|text| text.file == path)?;
    tracing::debug!(kernel = kernel.name, found = %found.code, "implementation found");
    let implementation = Implementation {
        backend: "opencl",
        code: Code::Embedded(text.file, text.bytes),
        entry: String::leak(entry.to_owned()),
        family: "",
        block: &[],
        grid: &[],
        shared: 0,
        args: &[],
        guarded: false,
        options: "",
    };
    // One for each pair.
    let taken = Box::new(Taken { kernel, implementation, conversions: found.conversions });
    let taken: &'static Taken = Box::leak(taken);
    known.taken.push(taken);
    Some(&taken.implementation)
}

/// What is done to the arguments for an implementation; nothing for one that is declared.
pub(crate) fn conversions(implementation: &'static Implementation) -> &'static [Conversion] {
    let known = known();
    let is_it = |taken: &&&Taken| std::ptr::eq(&raw const taken.implementation, implementation);
    known.taken.iter().find(is_it).map_or(&[], |taken| &taken.conversions)
}
