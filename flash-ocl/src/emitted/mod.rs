//! Bodies of kernels as OpenCL C: translated when a kernel is loaded, to see whether they can be, and
//! compiled when a launch of them needs a text with its assumptions, which is kept.

mod launch;

use std::sync::{Arc, Mutex};

use flash_ir::emit::{self, Emitted, Options};
use flash_ir::ir::FloatMode;
use flash_ir::reduction::LANES;
use flash_ir::resolve::{self, typed};
use flash_rt::descriptor::{Need, Role};
use flash_rt::offload::runs_inexact;
use flash_rt::offload::texts::{Texts, Translated, list};
use flash_rt::{DriverError, KernelDescriptor};

use crate::cl::{Kernel, Program};
use crate::device::OclDevice;
use crate::facts::DeviceFacts;
use crate::module::refused;
use crate::pool::Pool;
use crate::programs;

/// The body of a kernel, for one device.
#[derive(Debug)]
pub(crate) struct EmittedKernel {
    typed: Arc<typed::Kernel>,
    reduces: bool,
    texts: Texts<Variant>,
}

/// A compiled text.
#[derive(Debug)]
struct Variant {
    emitted: Emitted,
    program: Program,
    /// For launches that are kept.
    pool: Arc<Pool>,
    /// With arguments of one launch at a time.
    kernel: Mutex<Kernel>,
    /// The most items of a work-group of it.
    most_items: usize,
    /// Why it cannot be launched, where it has no work-group for a block of a reduction.
    too_narrow: Option<String>,
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
    // A pointer for each array, for the record and for a table, and the words.
    let arrays = kernel.params.iter().filter(|param| !matches!(param.role, Role::Value)).count();
    let bytes = size_of::<u64>() * (arrays + 2 + emitted.words.len());
    let lacking = lacks(&device.facts, ir.float, &emitted);
    let lacking = lacking.or_else(|| device.facts.too_narrow(kernel));
    match lacking.or_else(|| device.facts.too_large(kernel, bytes as u64)) {
        Some(why) => Err(why),
        None => Ok(typed),
    }
}

/// What a device lacks to run a text with the results of every other one.
fn lacks(facts: &DeviceFacts, float: FloatMode, emitted: &Emitted) -> Option<String> {
    let name = &facts.name;
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
        let reduces = kernel.params.iter().any(|p| matches!(p.role, Role::Reduce { .. }));
        Ok(Self { typed, reduces, texts: Texts::default() })
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
        let most_items = kernel.most_items(device.facts.id);
        let too_few = most_items.filter(|most| self.reduces && *most < LANES);
        let too_narrow = too_few.map(|most| {
            format!(
                "a reduction takes work-groups of {LANES} items, and its text takes {most} on `{name}` \
                 (CL_KERNEL_WORK_GROUP_SIZE)"
            )
        });
        let most_items = most_items.unwrap_or(1).max(1);
        tracing::debug!(kernel = emitted.entry, device = name, ?options, "compiled");
        let (kernel, pool) = (Mutex::new(kernel), Arc::default());
        Ok(Variant { emitted, program, pool, kernel, most_items, too_narrow })
    }
}

#[cfg(test)]
mod tests {
    use flash_rt::Capabilities;

    use super::*;
    use crate::facts::tests::device;

    /// A text that asks nothing of a device.
    fn text() -> Emitted {
        Emitted {
            text: "long".into(),
            entry: "k".to_owned(),
            words: Vec::new(),
            may_fail: false,
            together: 1,
            has_f64: false,
            divides_f32: false,
            has_atomics64: false,
            is_fast: false,
        }
    }

    /// A text on two devices, of which only one has what it takes; what is said of the other one, where
    /// bodies are strict and where they are not.
    fn said(emitted: &Emitted, lacking: &DeviceFacts) -> [Option<String>; 2] {
        [FloatMode::Strict, FloatMode::Fast].map(|float| {
            assert_eq!(lacks(lacking, float, &text()), None);
            assert_eq!(lacks(&device(), float, emitted), None);
            let said = lacks(lacking, float, emitted);
            assert!(said.iter().all(|said| said.contains("`Arbor X2`")), "{said:?}");
            said
        })
    }

    #[test]
    fn a_device_without_f64_runs_no_body_with_it() {
        let capabilities = Capabilities::of(&[Need::Atomics64]);
        let emitted = Emitted { has_f64: true, ..text() };
        for said in said(&emitted, &DeviceFacts { capabilities, ..device() }) {
            assert!(said.unwrap().contains("`f64`"));
        }
    }

    #[test]
    fn a_device_without_long_atomics_runs_no_body_with_them() {
        let capabilities = Capabilities::of(&[Need::F64, Need::Atomics]);
        let emitted = Emitted { has_atomics64: true, ..text() };
        for said in said(&emitted, &DeviceFacts { capabilities, ..device() }) {
            assert!(said.unwrap().contains("atomics of 64 bits"));
        }
    }

    #[test]
    fn a_device_that_divides_otherwise_runs_fast_bodies_only() {
        let emitted = Emitted { divides_f32: true, ..text() };
        let lacking = DeviceFacts { divides_exactly: false, ..device() };
        let [strict, fast] = said(&emitted, &lacking);
        let strict = strict.unwrap();
        assert!(
            strict.contains("divisions and roots") && strict.contains("`fast_math`"),
            "{strict}"
        );
        assert_eq!(fast, None);
    }

    #[test]
    fn a_device_without_subnormal_numbers_runs_fast_bodies_only() {
        let emitted = Emitted { text: "float x".into(), ..text() };
        let lacking = DeviceFacts { keeps_subnormals: false, ..device() };
        let [strict, fast] = said(&emitted, &lacking);
        let strict = strict.unwrap();
        assert!(strict.contains("subnormal") && strict.contains("`fast_math`"), "{strict}");
        assert_eq!(fast, None);
    }
}
