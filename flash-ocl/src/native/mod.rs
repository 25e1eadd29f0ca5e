//! Kernels in OpenCL C, SPIR-V or the binaries of a device's own tools, which were written without
//! FLASH or for it. Which one is taken, and whether its parameters are those of the declaration, is
//! decided when it is loaded.

mod launch;
mod signature;
mod structure;
mod text;

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use flash_rt::descriptor::{Implementation, Role};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::block::{self, HEADER};
use flash_rt::offload::code::read;
pub(crate) use flash_rt::offload::code::{bytes, entry, file, there};
use flash_rt::offload::form::Most;
use flash_rt::{DriverError, KernelDescriptor};

use crate::backend::FPGA_KEY;
use crate::bitstreams::Bitstream;
use crate::cl::{Failure, Kernel, Program};
use crate::device::OclDevice;
use crate::facts::DeviceFacts;
use crate::pool::Pool;
use crate::programs::{self, refused};
use crate::registered;
use signature::{Argument, Arguments, has_block};

/// A native kernel of a device.
#[derive(Debug)]
pub(crate) struct NativeKernel {
    program: Program,
    entry: &'static str,
    /// For launches that are kept.
    pool: Arc<Pool>,
    /// With arguments of one launch at a time.
    kernel: Mutex<Kernel>,
    arguments: Vec<Argument>,
    /// By parameter what the addresses of arrays are multiples of.
    aligned: Vec<usize>,
    implementation: &'static Implementation,
    /// The binary it is of.
    bitstream: Option<Arc<Bitstream>>,
    /// The work-groups that its text asks for.
    required: Option<[usize; 3]>,
    /// The most items of a work-group of it.
    most: Most,
}

/// The implementation of a kernel for a device: the most specific family that fits, of those the first;
/// else what was registered for it.
pub(crate) fn choose(
    device: &DeviceFacts,
    key: &str,
    kernel: &'static KernelDescriptor,
) -> Option<&'static Implementation> {
    let names: &[&str] = if key == FPGA_KEY { &["fpga", "opencl"] } else { &["opencl"] };
    let mut best: Option<((usize, usize), &Implementation)> = None;
    // What is for an FPGA by name comes before what is for any device.
    for name in names {
        for implementation in kernel.implementations.iter().filter(|i| i.backend == *name) {
            let Some(rank) = specificity(device, implementation.family) else { continue };
            if best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, implementation));
            }
        }
        if best.is_some() {
            break;
        }
    }
    best.map(|(_, implementation)| implementation).or_else(|| registered::KNOWN.find(kernel))
}

/// How near a family is to a device: its name before its vendor before an extension, and the longer
/// word before the shorter one; `None` where it is another one's.
fn specificity(device: &DeviceFacts, family: &str) -> Option<(usize, usize)> {
    if family.is_empty() {
        return Some((0, 0));
    }
    let wanted = family.to_lowercase();
    let near = [&device.extensions, &device.vendor, &device.name];
    let near = near.into_iter().rposition(|text| text.to_lowercase().contains(&wanted))?;
    Some((near + 1, family.len()))
}

/// What comes before what SPIR-V is, in either order of bytes.
const SPIRV: [[u8; 4]; 2] = [[0x03, 0x02, 0x23, 0x07], [0x07, 0x23, 0x02, 0x03]];

/// Why an implementation is none for a device, as far as its name tells.
pub(crate) fn refusal(
    device: &DeviceFacts,
    implementation: &'static Implementation,
) -> Option<String> {
    let file = file(implementation);
    // What the bytes are is looked at when they are read.
    let is_binary = matches!(code(file, &[]), Ok(programs::Code::Binary(_)));
    if is_binary {
        return None;
    }
    if implementation.backend == "fpga" {
        return Some(format!(
            "`fpga(..)` takes binaries that the device's tools have made ahead of time; give the \
             `.aocx` or `.xclbin` file made of {file}, or declare it as `opencl(..)` for devices that \
             compile"
        ));
    }
    programs::no_compiler(device.has_compiler, &device.name)
}

/// What the bytes of a file are, by its extension.
pub(crate) fn code<'c>(file: &'c str, bytes: &'c [u8]) -> Result<programs::Code<'c>, String> {
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "cl" | "ocl" => Ok(programs::Code::Source(Some(file), bytes)),
        "spv" if SPIRV.iter().any(|magic| bytes.starts_with(magic)) => {
            Ok(programs::Code::Spirv(bytes))
        }
        "spv" => Err("it is not SPIR-V: its first word is another one".to_owned()),
        "pocl" | "poclbin" | "bin" | "clbin" | "aocx" | "xclbin" => {
            Ok(programs::Code::Binary(bytes))
        }
        _ => Err("its extension is none of `.cl` (OpenCL C), `.spv` (SPIR-V), `.bin`, `.pocl`, \
                  `.aocx` and `.xclbin` (binaries of a device)"
            .to_owned()),
    }
}

/// Builds a binary for each of the devices that takes it; why, if none does.
pub(crate) fn preload(devices: &[Arc<OclDevice>], path: &Path) -> Result<(), String> {
    let file = path.to_string_lossy();
    let bytes = read(path)?;
    let programs::Code::Binary(bytes) = code(&file, &bytes)? else {
        return Err("it is no binary of a device, so there is nothing to load ahead".to_owned());
    };
    let mut refused = None;
    let mut is_built = false;
    for device in devices {
        match device.bitstreams.get(device, &file, bytes, "") {
            Ok(bitstream) => {
                device.bitstreams.hold(&bitstream);
                is_built = true;
            }
            Err(error) => {
                tracing::debug!(device = device.facts.name, %file, %error, "a binary is not taken");
                refused.get_or_insert(error);
            }
        }
    }
    match refused {
        Some(error) if !is_built => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// A text with `flash.h` where it takes it in, as a device looks for files in no folder of ours.
fn with_header<'t>(file: &str, bytes: &'t [u8]) -> Cow<'t, [u8]> {
    let takes_in = |line: &str| {
        let mut words = line.trim_start().strip_prefix('#').unwrap_or("").split_whitespace();
        words.next() == Some("include") && words.next() == Some("\"flash.h\"")
    };
    let text = std::str::from_utf8(bytes).ok();
    let Some(text) = text.filter(|text| text.lines().any(takes_in)) else {
        return Cow::Borrowed(bytes);
    };
    let mut all = String::with_capacity(text.len() + HEADER.len());
    for (k, line) in text.lines().enumerate() {
        if takes_in(line) {
            let (header, next) = (programs::line(1, "flash.h"), programs::line(k + 2, file));
            all += &format!("{header}{HEADER}\n{next}");
        } else {
            all += line;
            all.push('\n');
        }
    }
    Cow::Owned(all.into_bytes())
}

impl NativeKernel {
    /// What the address of the array of a parameter is a multiple of.
    pub(crate) fn aligned(&self, param: usize) -> usize {
        self.aligned.get(param).copied().unwrap_or(1)
    }

    /// Makes an implementation ready.
    pub(crate) fn load(
        device: &OclDevice,
        kernel: &'static KernelDescriptor,
        implementation: &'static Implementation,
    ) -> Result<Self, DriverError> {
        let file = file(implementation);
        Self::of(device, kernel, implementation).map_err(|error| match error.kind {
            DriverErrorKind::Library => {
                DriverError { text: format!("{file}: {}", error.text).into(), ..error }
            }
            _ => error,
        })
    }

    fn of(
        device: &OclDevice,
        kernel: &'static KernelDescriptor,
        implementation: &'static Implementation,
    ) -> Result<Self, DriverError> {
        if let Some(param) = kernel.params.iter().find(|p| matches!(p.role, Role::Reduce { .. })) {
            return Err(refused(format!(
                "`{}` is a reduction, which only a body can be; write partial results to an array",
                param.name
            )));
        }
        let file = file(implementation);
        if let Some(why) = refusal(&device.facts, implementation) {
            return Err(refused(why));
        }
        let bytes = bytes(implementation).map_err(refused)?;
        let whole;
        let code = match code(file, &bytes).map_err(refused)? {
            programs::Code::Source(name, own) => {
                whole = with_header(file, own);
                programs::Code::Source(name, &whole)
            }
            code => code,
        };
        let asked = implementation.options;
        let options = match code {
            programs::Code::Source(..) => format!("-cl-kernel-arg-info {asked}"),
            _ => asked.to_owned(),
        };
        let text = match code {
            programs::Code::Source(_, bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        };
        let (program, bitstream) = match code {
            programs::Code::Binary(bytes) => {
                let bitstream = device.bitstreams.get(device, file, bytes, options.trim())?;
                (bitstream.program.clone(), Some(bitstream))
            }
            code => (programs::build(device, code, options.trim())?, None),
        };
        let entry = entry(kernel, implementation);
        let found = program.kernel(entry).map_err(|failure: Failure| {
            let (names, status) = (program.kernel_names(), crate::cl::name(failure.code));
            let has = if names.is_empty() { "it has none" } else { "it has" };
            refused(format!("it has no kernel `{entry}` ({status}); {has} {names}"))
        })?;
        let arguments = signature::check(
            kernel,
            (implementation, registered::KNOWN.conversions(implementation)),
            (&found, text),
            &device.facts,
        );
        let Arguments { all: arguments, aligned } = arguments.map_err(refused)?;
        if kernel.rank > 3 && kernel.table.is_none() && !has_block(&arguments) {
            let rank = kernel.rank;
            return Err(refused(format!(
                "its index space has {rank} dimensions, and one of OpenCL has 3; take `FLASH_BLOCK` of \
                 `flash.h` as the last parameter"
            )));
        }
        if let Some(why) = block::unfit(usize::from(kernel.rank)).filter(|_| has_block(&arguments))
        {
            return Err(refused(why));
        }
        let most = found.most_items(device.facts.id).unwrap_or(1).max(1);
        let most = Most::of(device.facts.groups, most);
        let required = found.required_block(device.facts.id);
        let kernel = Mutex::new(found);
        let pool = Arc::default();
        Ok(Self {
            program,
            entry,
            pool,
            kernel,
            arguments,
            aligned,
            implementation,
            bitstream,
            required,
            most,
        })
    }
}

#[cfg(test)]
mod tests {
    use flash_rt::descriptor::Code;

    use super::*;
    use crate::backend::KEY;
    use crate::facts::tests::device;

    /// The family that is taken of implementations for these, each of a backend, for a device of the key.
    fn taken(key: &str, families: &[(&'static str, &'static str)]) -> Option<&'static str> {
        let of = |&(backend, family)| {
            let bare = Implementation::bare(backend, Code::Path("k.cl"), "k");
            Implementation { family, ..bare }
        };
        let implementations = Box::leak(families.iter().map(of).collect());
        let bare = KernelDescriptor::bare("k", 1, &[]);
        let kernel = Box::leak(Box::new(KernelDescriptor { implementations, ..bare }));
        choose(&device(), key, kernel).map(|implementation| implementation.family)
    }

    /// Those families of OpenCL devices, also the other way round.
    fn of_any_order(families: &[&'static str]) -> Option<&'static str> {
        let mut families: Vec<_> = families.iter().map(|family| ("opencl", *family)).collect();
        let first = taken(KEY, &families);
        families.reverse();
        assert_eq!(taken(KEY, &families), first, "{families:?}");
        first
    }

    #[test]
    fn families_are_names_before_vendors_before_extensions() {
        let (name, vendor, extension) = ("arbor", "HILL Works", "cl_khr_int64_base_atomics");
        for family in [name, vendor, extension, ""] {
            assert_eq!(of_any_order(&[family]), Some(family));
        }
        assert_eq!(of_any_order(&["", extension, "Arbor X3"]), Some(extension));
        assert_eq!(of_any_order(&["", extension, vendor]), Some(vendor));
        assert_eq!(of_any_order(&["", extension, vendor, name]), Some(name));
        assert_eq!(of_any_order(&["Hill", name, vendor, "Arbor X2", "X2"]), Some("Arbor X2"));
        assert_eq!(of_any_order(&["Hill", "cl_khr_fp64", vendor]), Some(vendor));
        assert_eq!(of_any_order(&["cl_khr", "cl_khr_fp64", ""]), Some("cl_khr_fp64"));
        assert_eq!(of_any_order(&["Arbor X3", "Hills", "cl_khr_fp16"]), None);
    }

    #[test]
    fn of_families_that_are_as_near_the_first_is_taken() {
        assert_eq!(taken(KEY, &[("opencl", "Arbo"), ("opencl", "rbor")]), Some("Arbo"));
        assert_eq!(taken(KEY, &[("opencl", "rbor"), ("opencl", "Arbo")]), Some("rbor"));
    }

    #[test]
    fn what_is_for_an_fpga_is_none_for_others() {
        let both = [("opencl", "Arbor"), ("cuda", "Arbor X2"), ("fpga", "")];
        assert_eq!(taken(KEY, &both), Some("Arbor"));
        assert_eq!(taken(KEY, &both[1..]), None);
        assert_eq!(taken(FPGA_KEY, &both), Some(""));
        assert_eq!(taken(FPGA_KEY, &[("opencl", "Hill"), ("fpga", "other")]), Some("Hill"));
    }

    #[test]
    fn extensions_tell_what_a_file_is() {
        assert!(matches!(code("k/a.cl", b"x"), Ok(programs::Code::Source(Some("k/a.cl"), b"x"))));
        assert!(matches!(code("a.AOCX", b"x"), Ok(programs::Code::Binary(b"x"))));
        assert!(matches!(code("a.spv", &[3, 2, 0x23, 7, 0]), Ok(programs::Code::Spirv(_))));
        assert!(code("a.spv", b"text").unwrap_err().contains("not SPIR-V"));
        assert!(code("a.txt", b"text").unwrap_err().contains(".aocx"));
        assert!(code("kernel", b"text").is_err());
    }
}
