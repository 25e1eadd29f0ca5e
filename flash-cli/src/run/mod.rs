//! `flash run-kernel`: one native kernel from the shell. What is wrong with a kernel the library says.

mod argument;
mod array;
mod element;
mod launch;
mod results;

use std::path::{Path, PathBuf};

use flash_rt::Options;

use crate::{Failure, Outcome, devices, text};
use argument::Argument;
use array::Given;

/// Runs one native kernel, and shows what it writes and how long it takes.
///
/// FILE is OpenCL C (`.cl`), SPIR-V (`.spv`), a program of a device (`.bin`,
/// `.pocl`, `.aocx`, `.xclbin`), CUDA C (`.cu`), `.ptx`, `.cubin`, `.fatbin`, or a
/// shared library with the interface of `flash.h` (`.so`). Native code can do anything with the memory of this
/// process, so run only what you trust.
///
///     flash run-kernel saxpy.cl --kernel saxpy --space 1024 \
///         --arg a=f32:2.0 --arg x=f32[1024]:iota --arg io:y=f32[1024]:ones
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The file of the kernel.
    file: PathBuf,
    /// The name of the kernel in it.
    #[arg(long, value_name = "NAME")]
    kernel: String,
    /// The device: a key, and a number where the key has several [default: by the kind of file].
    #[arg(long, value_name = "KEY[:N]")]
    device: Option<String>,
    /// An argument, in the order of the kernel: `a=f32:2.0` (a value), `x=f32[1024]:random` (an array
    /// that is read; or `zeros`, `ones`, `iota`, `@file.bin`), `io:y=f32[16,64]:ones` (read and
    /// written), `out:y=f32[1024]` (written). Elements: i8 to u64, usize, f32, f64, f32x4 and the like.
    #[arg(long = "arg", value_name = "ARG")]
    args: Vec<String>,
    /// The index space: a number of items in each dimension, the fastest first.
    #[arg(long, value_name = "N[,M[,K]]")]
    space: String,
    /// Items of a work-group in each dimension [default: the device chooses].
    #[arg(long, value_name = "N[,M[,K]]")]
    block: Option<String>,
    /// Bytes that a work-group shares, for a last argument in `__local`.
    #[arg(long, value_name = "BYTES")]
    shared: Option<u32>,
    /// The kernel leaves out items beyond the index space itself, so that groups may go beyond it.
    #[arg(long)]
    guarded: bool,
    /// Options for the compiler of the device, as `-DN=4`.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    options: Option<String>,
    /// How often the kernel is launched; each launch starts with the same arrays.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Where the bytes of a written array go; with its name where there are several.
    #[arg(long = "out", value_name = "[NAME=]FILE")]
    outs: Vec<String>,
}

/// Where a file runs, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    /// The kind of implementation.
    backend: &'static str,
    /// The key of the devices that are meant where nobody says.
    key: &'static str,
}

/// The kind of a file, by its extension.
fn kind(file: &Path) -> Result<Kind, String> {
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match &*extension {
        "cl" | "ocl" | "spv" | "pocl" | "poclbin" | "bin" | "clbin" => {
            Ok(Kind { backend: "opencl", key: "OPENCL" })
        }
        "aocx" | "xclbin" => Ok(Kind { backend: "fpga", key: "INTEL_FPGA" }),
        "so" | "dylib" => Ok(Kind { backend: "cpu", key: "ALL_CPU" }),
        "cu" | "ptx" | "cubin" | "fatbin" => Ok(Kind { backend: "cuda", key: "NVIDIA_GPU" }),
        _ => Err(format!(
            "{}: its extension is none of `.cl` (OpenCL C), `.spv` (SPIR-V), `.bin`, `.pocl`, `.aocx`, \
             `.xclbin` (programs of a device), `.cu` (CUDA C), `.ptx`, `.cubin`, `.fatbin` and `.so` (a library with `flash.h`)",
            file.display()
        )),
    }
}

/// A device by key and number.
fn device<'d>(asked: &'d str, options: &Options) -> Result<(&'d str, usize), Failure> {
    let usage = |why: String| Failure::Usage(format!("--device {asked}: {why}"));
    let (key, number) = asked.split_once(':').unwrap_or((asked, "0"));
    if ["ALL", "ALL_ACCEL"].contains(&key) {
        return Err(usage(
            "it names devices of several kinds; `flash devices` lists their keys".to_owned(),
        ));
    }
    let number: usize = number
        .parse()
        .map_err(|_| usage("a number stands behind the `:`, as in `OPENCL:1`".to_owned()))?;
    let there = devices::list(options)?.iter().filter(|device| device.key == key).count();
    if there > 0 && number >= there {
        let there = text::count(there, "device");
        return Err(usage(format!(
            "`{key}` has {there}, and numbers begin at 0; `flash devices` lists them"
        )));
    }
    Ok((key, number))
}

/// The numbers of an option.
fn extents(option: &str, text: &str) -> Result<Vec<usize>, Failure> {
    let extents = argument::extents(text).filter(|extents| extents.len() <= 3);
    extents.ok_or_else(|| {
        Failure::Usage(format!(
            "--{option} {text}: it is 1 to 3 numbers above 0, with commas between them, as `1024` or \
             `640,480`"
        ))
    })
}

/// The files that written arrays go to, by the names of the arrays.
fn outs<'a>(said: &'a [String], written: &[&str]) -> Result<Vec<(&'a str, String)>, Failure> {
    let list = || match written.len() {
        0 => "no array is written: write `out:` or `io:` before its name".to_owned(),
        _ => format!("there are: {}", written.join(", ")),
    };
    let usage = |said: &str, why: String| Err(Failure::Usage(format!("--out {said}: {why}")));
    let mut all = Vec::new();
    for said in said {
        // A path may hold `=`, if no array has the name before it.
        let named = said.split_once('=').filter(|(name, _)| !name.contains(['/', '.']));
        match (named, written) {
            (Some((name, file)), _) if written.contains(&name) => all.push((file, name.to_owned())),
            (Some((name, _)), _) => {
                return usage(said, format!("no written array is called `{name}`; {}", list()));
            }
            (None, [name]) => all.push((&**said, (*name).to_owned())),
            (None, _) => {
                return usage(said, format!("say of which array, as `NAME={said}`; {}", list()));
            }
        }
    }
    Ok(all)
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let kind = kind(&args.file).map_err(Failure::Usage)?;
    let parsed: Result<Vec<Argument>, String> =
        args.args.iter().map(|text| Argument::parse(text)).collect();
    let arguments = parsed.map_err(Failure::Usage)?;
    let repeated = (1..arguments.len())
        .find(|&k| arguments[..k].iter().any(|before| before.name == arguments[k].name));
    if let Some(k) = repeated {
        let name = &arguments[k].name;
        return Err(Failure::Usage(format!("--arg {name}: two arguments are called `{name}`")));
    }
    let space = extents("space", &args.space)?;
    let block = args.block.as_deref().map(|text| extents("block", text)).transpose()?;
    let given: Result<Vec<Given>, Failure> =
        arguments.iter().enumerate().map(|(k, argument)| Given::new(argument, k)).collect();
    let given = given?;
    let arrays = given.iter().filter_map(|given| match given {
        Given::Array(array) if array.is_written() => Some(&*array.name),
        _ => None,
    });
    let outs = outs(&args.outs, &arrays.collect::<Vec<_>>())?;
    let asked = args.device.as_deref().unwrap_or(kind.key);
    let device = device(asked, &Options::from_env()?)?;
    let names: Vec<&str> = arguments.iter().map(|argument| &*argument.name).collect();
    let launched =
        launch::Launch { args, kind, device, names: &names, given: &given, space, block };
    let times = launched.run()?;
    let text = results::text(args, &launched, &times, &outs)?;
    Ok(Outcome { text, is_well: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_extension() {
        let of = |file: &str| kind(Path::new(file)).map(|kind| (kind.backend, kind.key));
        assert_eq!(of("a/b.CL"), Ok(("opencl", "OPENCL")));
        assert_eq!(of("b.aocx"), Ok(("fpga", "INTEL_FPGA")));
        assert_eq!(of("libk.so"), Ok(("cpu", "ALL_CPU")));
        assert_eq!(of("k.ptx"), Ok(("cuda", "NVIDIA_GPU")));
        assert!(of("k.txt").unwrap_err().contains("`.cl`") && of("k").is_err());
    }

    #[test]
    fn what_goes_to_files_is_found_by_name() {
        let outs = |said: &[&str], written: &[&str]| {
            let said: Vec<String> = said.iter().map(|said| (*said).to_owned()).collect();
            let found = super::outs(&said, written);
            found.map(|all| {
                all.into_iter().map(|(file, name)| format!("{name} in {file}")).collect()
            })
        };
        let found: Vec<Vec<String>> = [
            outs(&["y.bin"], &["y"]),
            outs(&["./a=b.bin"], &["y"]),
            outs(&["x=1.bin", "y=2.bin"], &["x", "y"]),
        ]
        .map(|found: Result<Vec<String>, Failure>| found.ok().unwrap())
        .into();
        assert_eq!(found[0], ["y in y.bin"]);
        assert_eq!(found[1], ["y in ./a=b.bin"]);
        assert_eq!(found[2], ["x in 1.bin", "y in 2.bin"]);
        for (said, written) in [("y.bin", &["x", "y"][..]), ("z=y.bin", &["y"]), ("y.bin", &[])] {
            assert!(matches!(outs(&[said], written), Err(Failure::Usage(_))), "{said}");
        }
    }
}
