//! Programs made ready for a device: source that is compiled or was once, intermediate code, binaries.
//! It knows no kernels.

use flash_rt::DriverError;
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::block::HEADER;
use flash_rt::offload::cache::Key;
use flash_rt::offload::includes;

use crate::cl::{Failure, Program, name};
use crate::device::OclDevice;
use crate::whole;

/// What a program is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code<'c> {
    /// OpenCL C, with the name of its file for the compiler's messages; `None` where the text names
    /// its files itself.
    Source(Option<&'c str>, &'c [u8]),
    /// SPIR-V.
    Spirv(&'c [u8]),
    /// What the device's own tools make.
    Binary(&'c [u8]),
}

/// The version of what is kept on disk.
const VERSION: &str = concat!("flash-ocl ", env!("CARGO_PKG_VERSION"));

/// A program for a device; else what is wrong with it.
pub(crate) fn build(
    device: &OclDevice,
    code: Code<'_>,
    options: &str,
) -> Result<Program, DriverError> {
    let context = device.context()?;
    let (id, facts) = (device.facts.id, &device.facts);
    let device_name = &facts.name;
    match code {
        Code::Source(file, text) => {
            if let Some(why) = no_compiler(facts.has_compiler, device_name) {
                return Err(refused(why));
            }
            compile(device, file, text, options)
        }
        Code::Spirv(bytes) => {
            if let Some(why) = no_compiler(facts.has_compiler, device_name) {
                return Err(refused(why));
            }
            let program = context.spirv(facts.platform, bytes).map_err(|failure| {
                refused(format!(
                    "`{device_name}` does not take SPIR-V ({}, {}); give OpenCL C or a binary",
                    failure.api,
                    name(failure.code)
                ))
            })?;
            program.build(id, options).map_err(|failure| not_built(device, &program, failure))?;
            Ok(program)
        }
        Code::Binary(bytes) => {
            if let Some(why) = whole::damage(bytes) {
                return Err(refused(why.to_owned()));
            }
            let program = context.binary(id, bytes).map_err(|failure| {
                refused(format!(
                    "it is no program for `{device_name}` ({}, {}); binaries are of one device and \
                     one version of its driver",
                    failure.api,
                    name(failure.code)
                ))
            })?;
            program.build(id, options).map_err(|failure| not_built(device, &program, failure))?;
            Ok(program)
        }
    }
}

/// Why a device takes no text and no intermediate code, if it does not.
pub(crate) fn no_compiler(has_compiler: bool, device: &str) -> Option<String> {
    (!has_compiler).then(|| {
        format!(
            "`{device}` has no compiler and takes binaries that its tools have made ahead of time; \
             declare `fpga(path = \"..\")`, or `opencl(path = \"..\")`, with one"
        )
    })
}

/// What the program of a text is kept by.
fn key(build: &str, options: &str, text: &[u8]) -> Key {
    Key::of(&[VERSION.as_bytes(), build.as_bytes(), options.as_bytes(), text])
}

/// Has messages name the user's file and line.
pub(crate) fn line(number: usize, file: &str) -> String {
    let quoted = file.replace('\\', "\\\\").replace('"', "\\\"");
    format!("#line {number} \"{quoted}\"\n")
}

/// Compiles a text, or takes what was compiled of it in an earlier run.
fn compile(
    device: &OclDevice,
    file: Option<&str>,
    text: &[u8],
    options: &str,
) -> Result<Program, DriverError> {
    let context = device.context()?;
    let id = device.facts.id;
    let named;
    let whole = match file {
        None => text,
        Some(file) => {
            named = [line(1, file).as_bytes(), text].concat();
            &named
        }
    };
    // Of a text that takes in other files only its own words are seen here; ours is in it already.
    let own = String::from_utf8_lossy(text).replace(HEADER, "");
    let takes_in = includes::has_includes(&own);
    let is_alone = !takes_in && !includes::have_includes([options]);
    let cache = device.cache.as_ref().filter(|_| is_alone);
    let key = key(&device.facts.build, options, whole);
    if let Some(cache) = cache
        && let Some(binary) = cache.get(key)
    {
        let kept = context.binary(id, &binary).and_then(|program| {
            program.build(id, options)?;
            Ok(program)
        });
        match kept {
            Ok(program) => return Ok(program),
            // The driver knows better than what is written on the file.
            Err(_) => cache.forget(key),
        }
    }
    let on = |failure: Failure| failure.on(&device.facts.name);
    let program = context.source(whole).map_err(on)?;
    program.build(id, options).map_err(|failure| not_built(device, &program, failure))?;
    if let Some(cache) = cache
        && let Ok(Some(binary)) = program.binary(id)
    {
        cache.put(key, &binary);
    }
    Ok(program)
}

/// What a compiler said.
#[cold]
fn not_built(device: &OclDevice, program: &Program, failure: Failure) -> DriverError {
    let (log, name) = (program.log(device.facts.id), name(failure.code));
    let on = &device.facts.name;
    let said = if log.is_empty() { "the compiler says nothing".to_owned() } else { log };
    refused(format!("it does not compile for `{on}` ({}, {name})\n{said}", failure.api))
}

/// The error for a program that cannot be used.
pub(crate) fn refused(why: String) -> DriverError {
    DriverError {
        api: "clBuildProgram",
        code: -1,
        text: why.into(),
        kind: DriverErrorKind::Library,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::build;

    /// Words that go from one fact to the next make another program too.
    #[test]
    fn programs_are_kept_by_device_driver_options_and_text() {
        let device = ["platform", "device", "OpenCL 1.2", "driver 1", "vendor"];
        let of = |facts: [&str; 5], options: &str, text: &[u8]| key(&build(facts), options, text);
        let mut all = vec![of(device, "-O2", b"text")];
        for at in 0..device.len() {
            let mut other = device;
            other[at] = "another one";
            all.push(of(other, "-O2", b"text"));
        }
        all.push(of(["platform", "device", "OpenCL", "1.2 driver 1", "vendor"], "-O2", b"text"));
        all.push(of(device, "", b"text"));
        all.push(of(device, "-O3", b"text"));
        all.push(of(device, "-O2t", b"ext"));
        all.push(of(device, "-O2", b"another text"));
        for (k, one) in all.iter().enumerate() {
            assert_eq!(all.iter().position(|known| known == one), Some(k));
        }
        assert_eq!(of(device, "-O2", b"text"), all[0]);
    }

    #[test]
    fn a_device_without_a_compiler_says_what_to_do() {
        assert_eq!(no_compiler(true, "board"), None);
        let why = no_compiler(false, "board").unwrap();
        assert!(why.contains("`board` has no compiler") && why.contains("fpga(path"), "{why}");
    }
}
