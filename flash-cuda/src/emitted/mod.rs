//! Bodies of kernels as CUDA C: translated when a kernel is loaded, to see whether they can be, and compiled
//! when a launch of them needs a text with its assumptions, which is kept.

mod launch;
mod shape;

use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

use flash_ir::emit::{self, Emitted, Options};
use flash_ir::resolve::{self, typed};
use flash_rt::error::DriverErrorKind;
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
    /// Texts that were compiled, with what they rely on; the last one used first.
    variants: Mutex<Vec<(Options, Arc<Variant>)>>,
    /// What launches were like, and which text they took; the last one first.
    recent: Mutex<Vec<(Vec<u64>, Arc<Variant>)>>,
}

/// So many sorts of launches are remembered.
const RECENT: usize = 8;

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

/// What is known of the body of a kernel for a device.
pub(crate) type Translated = Result<Arc<typed::Kernel>, Arc<str>>;

fn list(unsaid: Vec<resolve::Unsaid>) -> String {
    let all: Vec<String> = unsaid.iter().map(ToString::to_string).collect();
    all.join("; ")
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

/// The body of a kernel with its types, or why it cannot run on a device: worked out once for each.
fn known(device: &CudaDevice, kernel: &'static KernelDescriptor) -> Translated {
    let mut known = device.translated.lock().unwrap_or_else(PoisonError::into_inner);
    let address = std::ptr::from_ref(kernel).addr();
    let made = || translated(device, kernel).map(Arc::new).map_err(|why| Arc::from(why.as_str()));
    known.entry(address).or_insert_with(made).clone()
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
        Ok(Self { typed, variants: Mutex::default(), recent: Mutex::default() })
    }

    /// The text that relies on these, compiled.
    fn variant(&self, device: &CudaDevice, options: Options) -> Result<Arc<Variant>, DriverError> {
        let mut all = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = all.iter().position(|(known, _)| *known == options) {
            all[..=at].rotate_right(1);
            return Ok(Arc::clone(&all[0].1));
        }
        let variant = Arc::new(self.compile(device, &options)?);
        all.insert(0, (options, Arc::clone(&variant)));
        Ok(variant)
    }

    /// The text that a launch of these facts has taken before.
    fn known(&self, facts: &[u64]) -> Option<Arc<Variant>> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = recent.iter().position(|(known, _)| known == facts)?;
        recent[..=at].rotate_right(1);
        Some(Arc::clone(&recent[0].1))
    }

    /// Remembers the text that a launch of these facts takes.
    fn remember(&self, facts: Vec<u64>, variant: &Arc<Variant>) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.truncate(RECENT - 1);
        recent.insert(0, (facts, Arc::clone(variant)));
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
        tracing::debug!(kernel = emitted.entry, device, ?options, threads, "compiled");
        Ok(Variant { emitted, code, name, threads })
    }
}
