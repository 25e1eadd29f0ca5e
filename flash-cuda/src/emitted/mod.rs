//! Bodies of kernels as CUDA C: translated when a kernel is loaded, to see whether they can be, and compiled
//! when a launch of them needs a text with its assumptions, which is kept.

mod launch;
mod shape;
mod together;

pub(crate) use shape::within_grids;

use std::ffi::CString;
use std::sync::Arc;

use flash_ir::emit::{self, Emitted, Options, Together};
use flash_ir::resolve::{self, typed};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::texts::{Texts, Translated, list};
use flash_rt::{DriverError, KernelDescriptor};

use crate::code::Code;
use crate::cu::FunctionAttribute;
use crate::device::CudaDevice;
use crate::module::refused;
use crate::nvrtc::{Refused, Source};

/// The body of a kernel, for one device.
#[derive(Debug)]
pub(crate) struct EmittedKernel {
    typed: Arc<typed::Kernel>,
    /// How its items may be done together, if they may.
    together: Option<Together>,
    texts: Texts<Variant>,
}

/// A compiled text.
#[derive(Debug)]
struct Variant {
    emitted: Emitted,
    code: Code,
    /// What its function is called.
    name: CString,
    /// The threads of a block that fill the device best.
    threads: usize,
}

/// A kernel with its types, if its body can be a text for a device; else why not.
fn translated(
    device: &CudaDevice,
    kernel: &'static KernelDescriptor,
) -> Result<typed::Kernel, String> {
    let ir = kernel.ir.ok_or("it has no body")?;
    device.compiler.target(device.facts.arch())?;
    let typed = resolve::kernel(ir).map_err(list)?;
    emit::cuda(&typed, &Options::default()).map_err(list)?;
    Ok(typed)
}

/// The body of a kernel with its types, or why it cannot run on a device.
fn known(device: &CudaDevice, kernel: &'static KernelDescriptor) -> Translated {
    device.translations.of(kernel, || translated(device, kernel))
}

/// Why the body of a kernel cannot run on a device, if it cannot.
pub(crate) fn refusal(device: &CudaDevice, kernel: &'static KernelDescriptor) -> Option<Arc<str>> {
    known(device, kernel).err()
}

impl EmittedKernel {
    /// The body of a kernel, if it can run on a device.
    pub(crate) fn load(
        device: &CudaDevice,
        kernel: &'static KernelDescriptor,
    ) -> Result<Self, DriverError> {
        let typed = known(device, kernel)
            .map_err(|why| refused(format!("its body cannot be CUDA C: {why}")))?;
        let together = emit::together(typed.ir);
        Ok(Self { typed, together, texts: Texts::default() })
    }

    fn compile(&self, device: &CudaDevice, options: &Options) -> Result<Variant, DriverError> {
        let emitted = emit::cuda(&self.typed, options)
            .map_err(|unsaid| refused(format!("its body cannot be CUDA C: {}", list(unsaid))))?;
        let (build, file) = (emit::cuda::options(emitted.is_fast), format!("{}.cu", emitted.entry));
        let source = Source { file: &file, text: &emitted.text, options: &build, names: &[] };
        let compiled = device.compiler.compile(device.facts.arch(), &source);
        let compiled = compiled.map_err(|why| match why {
            Refused::Text(log) => {
                refused(format!("its body does not compile for `{}`\n{log}", device.facts.name))
            }
            Refused::Other(why) => refused(why),
        })?;
        let code = Code::new(device, &compiled.image).map_err(|error| match error.kind {
            DriverErrorKind::Library => refused(error.text.to_string()),
            _ => error,
        })?;
        let missing = || refused(format!("its code has no function `{}`", emitted.entry));
        let name = CString::new(emitted.entry.as_str()).map_err(|_| missing())?;
        let function = code.function(device, &name)?.ok_or_else(missing)?;
        let on = |failure| device.error(failure);
        let most = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
        let most = function.get(most).map_err(on)?.max(1).cast_unsigned() as usize;
        let (best, _) = function.best_block(0).map_err(on)?;
        let threads = most.min(best as usize).clamp(1, emit::cuda::MAX_THREADS);
        let device = &device.facts.name;
        let together = emitted.together as u64;
        tracing::debug!(kernel = emitted.entry, device, ?options, threads, together, "compiled");
        Ok(Variant { emitted, code, name, threads })
    }
}
