//! Kernels in CUDA C, compiled with what their declaration says of them.

use std::path::Path;

use flash_rt::KernelDescriptor;
use flash_rt::descriptor::{Code, Implementation};
use flash_rt::offload::includes::has_includes;

use super::arguments::Given;
use super::check::{self, Complaint};
use super::{entry, file};
use crate::device::CudaDevice;
use crate::image::Metadata;
use crate::nvrtc::{Compiled, Refused, Source};

/// The image of a text, and what its kernel is called in it.
pub(super) fn compile(
    device: &CudaDevice,
    kernel: &KernelDescriptor,
    implementation: &Implementation,
    (bytes, given): (&[u8], &[Given]),
) -> Result<(Vec<u8>, String), String> {
    let (file, entry) = (file(implementation), entry(kernel, implementation));
    let own = std::str::from_utf8(bytes).map_err(|_| "it is no text".to_owned())?;
    let mut options: Vec<String> =
        implementation.options.split_whitespace().map(str::to_owned).collect();
    if let Code::Path(path) = implementation.code
        && let Some(folder) = Path::new(path).parent()
        && has_includes(own)
    {
        // What a file takes in is looked for beside it, as every compiler does.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        options.push(format!("--include-path={}", folder.display()));
    }
    let text = format!("{own}\n{}", check::text(kernel, entry, given));
    let names = [entry.to_owned()];
    let source = Source { file, text: &text, options: &options, names: &names };
    let arch = device.facts.arch();
    let made = |mut compiled: Compiled| {
        let name = compiled.lowered.pop().unwrap_or_else(|| entry.to_owned());
        (compiled.image, name)
    };
    let log = match device.compiler.compile(arch, &source) {
        Ok(compiled) => return Ok(made(compiled)),
        Err(Refused::Other(why)) => return Err(why),
        Err(Refused::Text(log)) => log,
    };
    match check::complaint(kernel, entry, given, (file, &log)) {
        Complaint::Differs(how) => Err(how),
        Complaint::OfText => Err(not_compiled(device, &log)),
        Complaint::OfCheck => {
            let kernel = kernel.name;
            tracing::warn!(
                kernel,
                file,
                log,
                "the arguments of a kernel are compared with its declaration by their sizes only, as its \
                 compiler does not take what compares types"
            );
            match device.compiler.compile(arch, &Source { text: own, ..source }) {
                Ok(compiled) => Ok(made(compiled)),
                Err(Refused::Text(log)) => Err(not_compiled(device, &log)),
                Err(Refused::Other(why)) => Err(why),
            }
        }
        Complaint::NoEntry => {
            // What there is instead, if the text alone compiles.
            let alone = Source { text: own, names: &[], ..source };
            match device.compiler.as_ptx(arch, &alone) {
                Ok(compiled) => Err(no_entry(entry, &compiled.image, &log)),
                Err(Refused::Text(log)) => Err(not_compiled(device, &log)),
                Err(Refused::Other(why)) => Err(why),
            }
        }
    }
}

fn not_compiled(device: &CudaDevice, log: &str) -> String {
    format!("it does not compile for `{}`\n{log}", device.facts.name)
}

fn no_entry(entry: &str, ptx: &[u8], log: &str) -> String {
    let text = String::from_utf8_lossy(ptx);
    let has = Metadata::of_ptx(&text).map_or_else(|_| "none".to_owned(), |read| read.names());
    let first = log.lines().find_map(|line| Some(line.split_once("error: ")?.1));
    let first = first.unwrap_or("the compiler says nothing");
    format!(
        "it has no kernel `{entry}` ({first}); it has {has}, and templates, which are named with their \
         arguments: `k<float, 3>`"
    )
}
