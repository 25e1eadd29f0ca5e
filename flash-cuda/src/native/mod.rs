//! Kernels in CUDA C, PTX, cubins or fatbins, which were written without FLASH or for it. Which one is
//! taken, and whether its parameters are those of the declaration, is decided when it is loaded.

mod arguments;
mod check;
mod globals;
mod launch;
mod source;
mod types;

pub(crate) use types::alignment;

use std::ffi::CString;
use std::sync::Arc;

use flash_rt::descriptor::{Implementation, Role};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::block;
use flash_rt::offload::code::bytes;
pub(crate) use flash_rt::offload::code::{entry, file, there};
use flash_rt::{DriverError, KernelDescriptor};

use crate::code::Code;
use crate::cu::{Function, FunctionAttribute};
use crate::device::CudaDevice;
use crate::emitted;
use crate::image::Arch;
use crate::module::unusable;
use crate::registered;
use arguments::{Given, fitted, given, has_block, sizes};
use globals::Globals;

/// A native kernel of a device.
#[derive(Debug)]
pub(crate) struct NativeKernel {
    code: Arc<Code>,
    /// What its function is called in the code.
    name: CString,
    given: Vec<Given>,
    implementation: &'static Implementation,
    limits: Limits,
    globals: Globals,
}

/// What a function can be launched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    /// The most threads of a block.
    threads: u32,
    /// Bytes of shared memory that a block has without being asked.
    shared: u32,
    /// The threads that a block has, where the code says.
    required: Option<[usize; 3]>,
}

/// The implementation of a kernel for a device: the most specific family that fits, of those the first;
/// else what was registered for it. One that the device or this machine has no way to run hides none that it has,
/// nor a body; it is found where there is nothing else.
pub(crate) fn choose(
    device: &CudaDevice,
    kernel: &'static KernelDescriptor,
) -> Option<&'static Implementation> {
    let facts = &device.facts;
    let all = kernel.implementations.iter().filter(|i| i.backend == "cuda");
    let mut fit: Vec<_> =
        all.filter_map(|i| Some((specificity(facts.arch(), &facts.name, i.family)?, i))).collect();
    fit.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    let fit: Vec<_> = fit.into_iter().map(|(_, i)| i).collect();
    // A file that is none of CUDA's is a mistake of the declaration, of which nothing takes the place.
    let is_of_use = |i: &Implementation| sort(file(i)).is_err() || refusal(device, i).is_none();
    if let Some(found) = fit.iter().find(|i| is_of_use(i)) {
        return Some(found);
    }
    let registered = registered::KNOWN.find(kernel);
    if registered.is_some_and(is_of_use) {
        return registered;
    }
    let has_body = kernel.ir.is_some() && emitted::refusal(device, kernel).is_none();
    if has_body { None } else { fit.first().copied().or(registered) }
}

/// How near a family is to a device: a word of its name before `sm_90`, what runs as machine code, before
/// `compute_80`, what PTX is compiled for it; `None` where it is another one's.
fn specificity(device: Arch, name: &str, family: &str) -> Option<(u32, u32)> {
    if family.is_empty() {
        return Some((0, 0));
    }
    let of = |prefix| family.strip_prefix(prefix).and_then(Arch::parse);
    if let Some(arch) = of("sm_") {
        return arch.machine_code_runs_on(device).then_some((2, arch.number));
    }
    if let Some(arch) = of("compute_") {
        return arch.ptx_runs_on(device).then_some((1, arch.number));
    }
    let is_in_name = name.to_lowercase().contains(&family.to_lowercase());
    is_in_name.then_some((3, family.len() as u32))
}

/// What a file is, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// CUDA C.
    Source,
    /// What the driver takes.
    Image,
}

/// What a file is, by its extension.
pub(crate) fn sort(file: &str) -> Result<Sort, String> {
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "cu" | "cuh" => Ok(Sort::Source),
        "ptx" | "cubin" | "fatbin" => Ok(Sort::Image),
        _ => {
            Err("its extension is none of `.cu` (CUDA C), `.ptx`, `.cubin` and `.fatbin`"
                .to_owned())
        }
    }
}

/// Why an implementation is none for a device, as far as its name tells.
pub(crate) fn refusal(device: &CudaDevice, implementation: &Implementation) -> Option<String> {
    if implementation.cooperative && !device.facts.cooperates {
        return Some(format!(
            "`{}` cannot run all blocks of a launch at once, as a `cooperative` kernel needs; devices of \
             compute capability 6.0 and later can",
            device.facts.name
        ));
    }
    match sort(file(implementation)) {
        Ok(Sort::Source) => device.compiler.target(device.facts.arch()).err(),
        Ok(Sort::Image) => None,
        Err(why) => Some(why),
    }
}

impl NativeKernel {
    /// Makes an implementation ready.
    pub(crate) fn load(
        device: &CudaDevice,
        kernel: &'static KernelDescriptor,
        implementation: &'static Implementation,
    ) -> Result<Self, DriverError> {
        let file = file(implementation);
        Self::of(device, kernel, implementation).map_err(|error| match error.kind {
            DriverErrorKind::DeviceLost | DriverErrorKind::OutOfMemory => error,
            _ => DriverError { text: format!("{file}: {}", error.text).into(), ..error },
        })
    }

    fn of(
        device: &CudaDevice,
        kernel: &'static KernelDescriptor,
        implementation: &'static Implementation,
    ) -> Result<Self, DriverError> {
        if let Some(param) = kernel.params.iter().find(|p| matches!(p.role, Role::Reduce { .. })) {
            return Err(unusable(format!(
                "`{}` is a reduction, which only a body can be; write partial results to an array",
                param.name
            )));
        }
        if let Some(why) = refusal(device, implementation) {
            return Err(unusable(why));
        }
        let sort = sort(file(implementation)).map_err(unusable)?;
        let given = given(kernel, implementation, registered::KNOWN.conversions(implementation));
        let given = given.map_err(unusable)?;
        let bytes = bytes(implementation).map_err(unusable)?;
        let (code, name) = match sort {
            Sort::Source => {
                let made = source::compile(device, kernel, implementation, (&bytes, &given));
                let (image, name) = made.map_err(unusable)?;
                (Code::new(device, &image)?, name)
            }
            Sort::Image => (Code::new(device, &bytes)?, entry(kernel, implementation).to_owned()),
        };
        let no_entry = || {
            let has = code
                .metadata
                .as_ref()
                .map_or_else(String::new, |metadata| format!("; it has {}", metadata.names()));
            unusable(format!("it has no kernel `{name}`{has}"))
        };
        let name_c = CString::new(name.as_str()).map_err(|_| no_entry())?;
        let function = code.function(device, &name_c)?.ok_or_else(no_entry)?;
        let found = code.metadata.as_ref().and_then(|metadata| metadata.entry(&name));
        let sizes = match found {
            Some(entry) => sizes(entry),
            None => {
                let params = function.params().map_err(|failure| device.error(failure))?;
                params.iter().map(|param| param.bytes).collect()
            }
        };
        let given = fitted(kernel, given, &sizes).map_err(unusable)?;
        if kernel.rank > 3 && kernel.table.is_none() && !has_block(&given) {
            let rank = kernel.rank;
            return Err(unusable(format!(
                "its index space has {rank} dimensions, and a grid of CUDA has 3; take `FLASH_BLOCK` of \
                 `flash.h` as the last parameter"
            )));
        }
        if let Some(why) = block::unfit(usize::from(kernel.rank)).filter(|_| has_block(&given)) {
            return Err(unusable(why));
        }
        let required = found.and_then(|entry| entry.required);
        let required = required.map(|threads| threads.map(|n| n as usize));
        let limits = limits(device, &function, required)?;
        let globals = Globals::new(device, kernel, implementation, &code)?;
        Ok(Self { code: Arc::new(code), name: name_c, given, implementation, limits, globals })
    }
}

/// What the driver says of a function.
fn limits(
    device: &CudaDevice,
    function: &Function,
    required: Option<[usize; 3]>,
) -> Result<Limits, DriverError> {
    let get = |attribute| {
        let value = function.get(attribute).map_err(|failure| device.error(failure))?;
        Ok::<u32, DriverError>(value.max(0).cast_unsigned())
    };
    Ok(Limits {
        threads: get(FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?.max(1),
        shared: get(FunctionAttribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
        required,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_tell_what_a_file_is() {
        assert_eq!(sort("k/a.cu"), Ok(Sort::Source));
        assert_eq!(sort("a.CUBIN"), Ok(Sort::Image));
        assert!(sort("a.cl").unwrap_err().contains(".fatbin"));
        assert!(sort("kernel").is_err());
    }

    #[test]
    fn the_nearest_family_is_the_most_specific() {
        let of = |family| specificity(Arch::of(9, 0), "NVIDIA H100 80GB", family);
        let families = ["", "compute_80", "compute_90", "sm_90", "h100"];
        let ranks = families.map(|family| of(family).unwrap());
        assert!(ranks.is_sorted() && ranks[0] < ranks[1], "{ranks:?}");
        for other in ["sm_80", "sm_100", "compute_100", "sm_90x", "A100"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
