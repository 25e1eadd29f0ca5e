//! Bodies of kernels as OpenCL C: translated when a kernel is loaded, to see whether they can be, and
//! compiled when a launch of them needs a text with its assumptions, which is kept.

mod launch;

use std::sync::{Arc, Mutex};

use flash_ir::emit::{self, Emitted, Options};
use flash_ir::ir::FloatMode;
use flash_ir::resolve::{self, typed};
use flash_rt::descriptor::Need;
use flash_rt::offload::runs_inexact;
use flash_rt::offload::texts::{Texts, Translated, list};
use flash_rt::{DriverError, KernelDescriptor};

use crate::cl::{Kernel, Program};
use crate::device::OclDevice;
use crate::kept::Spares;
use crate::module::refused;
use crate::programs;

/// The body of a kernel, for one device.
#[derive(Debug)]
pub(crate) struct EmittedKernel {
    typed: Arc<typed::Kernel>,
    texts: Texts<Variant>,
}

/// A compiled text.
#[derive(Debug)]
struct Variant {
    emitted: Emitted,
    program: Program,
    /// For launches that are kept.
    spares: Arc<Spares>,
    /// With arguments of one launch at a time.
    kernel: Mutex<Kernel>,
    /// The most items of a work-group of it.
    most_items: usize,
}

/// A kernel with its types, if its body can be a text for a device; else why not.
fn translated(
    device: &OclDevice,
    kernel: &'static KernelDescriptor,
) -> Result<typed::Kernel, String> {
    let ir = kernel.ir.ok_or("it has no body")?;
    if let Some(why) = programs::no_compiler(device.facts.has_compiler, &device.facts.name) {
        return Err(why);
    }
    let typed = resolve::kernel(ir).map_err(list)?;
    let emitted = emit::opencl(&typed, &Options::default()).map_err(list)?;
    match lacks(device, ir.float, &emitted) {
        Some(why) => Err(why),
        None => Ok(typed),
    }
}

/// What a device lacks to run a text with the results of every other one.
fn lacks(device: &OclDevice, float: FloatMode, emitted: &Emitted) -> Option<String> {
    let (facts, name) = (&device.facts, &device.facts.name);
    if emitted.has_f64 && !facts.capabilities.has(Need::F64) {
        return Some(format!("it computes with `f64`, which `{name}` does not have"));
    }
    if emitted.has_atomics64 && !facts.capabilities.has(Need::Atomics64) {
        return Some(format!("it has atomics of 64 bits, which `{name}` does not have"));
    }
    let is_strict = float == FloatMode::Strict;
    if is_strict && emitted.divides_f32 && !facts.divides_exactly && !runs_inexact() {
        return Some(format!(
            "`{name}` does not round divisions and roots of `f32` correctly; declare the kernel \
             `fast_math` if that is good enough"
        ));
    }
    if is_strict && emitted.text.contains("float") && !facts.keeps_subnormals {
        return Some(format!(
            "`{name}` takes subnormal numbers of `f32` for zero; declare the kernel `fast_math` if that \
             is good enough"
        ));
    }
    None
}

/// The body of a kernel with its types, or why it cannot run on a device.
fn known(device: &OclDevice, kernel: &'static KernelDescriptor) -> Translated {
    device.translations.of(kernel, || translated(device, kernel))
}

/// Why the body of a kernel cannot run on a device, if it cannot.
pub(crate) fn refusal(device: &OclDevice, kernel: &'static KernelDescriptor) -> Option<Arc<str>> {
    known(device, kernel).err()
}

impl EmittedKernel {
    /// The body of a kernel, if it can run on a device.
    pub(crate) fn load(
        device: &OclDevice,
        kernel: &'static KernelDescriptor,
    ) -> Result<Self, DriverError> {
        let typed = known(device, kernel)
            .map_err(|why| refused(format!("its body cannot be OpenCL C: {why}")))?;
        Ok(Self { typed, texts: Texts::default() })
    }

    fn compile(&self, device: &OclDevice, options: &Options) -> Result<Variant, DriverError> {
        let emitted = emit::opencl(&self.typed, options)
            .map_err(|unsaid| refused(format!("its body cannot be OpenCL C: {}", list(unsaid))))?;
        let mut build = "-cl-std=CL1.2".to_owned();
        if device.facts.divides_exactly && !emitted.is_fast {
            build += " -cl-fp32-correctly-rounded-divide-sqrt";
        }
        let code = programs::Code::Source(None, emitted.text.as_bytes());
        let program = programs::build(device, code, &build)?;
        let name = &device.facts.name;
        let kernel = program.kernel(&emitted.entry).map_err(|failure| failure.on(name))?;
        let most_items = kernel.most_items(device.facts.id).unwrap_or(1).max(1);
        tracing::debug!(kernel = emitted.entry, device = name, ?options, "compiled");
        let (kernel, spares) = (Mutex::new(kernel), Arc::default());
        Ok(Variant { emitted, program, spares, kernel, most_items })
    }
}
