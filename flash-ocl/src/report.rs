//! What was searched on this machine, what was found, and what is missing and why, for whoever has to
//! put that right. It decides nothing about what runs where.

use std::fs;
use std::path::{Path, PathBuf};

use flash_rt::Capabilities;
use flash_rt::descriptor::Need;
use flash_rt::offload::cache::{Cache, Kept};

use crate::backend::{FPGA_KEY, KEPT_IN, KEY, is_fpga};
pub use crate::cl::Tried;
use crate::cl::{self, DeviceKind};
use crate::facts::{self, DeviceFacts, PlatformFacts};
use crate::vendors;

/// What there is of OpenCL, and why there is no more.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The names that the library was looked for by, up to the one that was there.
    pub tried: Vec<Tried>,
    /// The file of the library that is used, where the system tells.
    pub library: Option<PathBuf>,
    /// Where that library looks for drivers; `None` on systems that keep no files for that.
    pub vendors: Option<Vendors>,
    /// The drivers that answered.
    pub platforms: Vec<Platform>,
    /// Why there are no platforms, where there are none.
    pub said: Option<String>,
}

/// Files that name the libraries of drivers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Vendors {
    /// The folder, or what stands in place of one.
    pub place: PathBuf,
    /// The variable that says so, if it is not the default.
    pub variable: Option<&'static str>,
    /// Why it cannot be read.
    pub error: Option<String>,
    /// Its files, by name.
    pub files: Vec<Icd>,
}

/// A file that names the library of a driver.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Icd {
    /// The file.
    pub file: PathBuf,
    /// The path or name in it.
    pub library: String,
    /// Why that library cannot be opened.
    pub error: Option<String>,
}

/// A driver.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Platform {
    /// Its name.
    pub name: String,
    /// Who made it.
    pub vendor: String,
    /// `OpenCL 3.0` and what the vendor adds.
    pub version: String,
    /// The devices that can be used.
    pub devices: Vec<Device>,
    /// The names of those that cannot, and why.
    pub left_out: Vec<(String, String)>,
    /// Why it has no devices.
    pub said: Option<String>,
}

/// A device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Device {
    /// The key it answers to.
    pub key: &'static str,
    /// Its number among those of the key.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// `OpenCL 3.0` and what the vendor adds.
    pub version: String,
    /// The version of the driver.
    pub driver: String,
    /// Whether it is the processor, which `ALL` has as a device of its own.
    pub is_processor: bool,
    /// What it can do of what kernels may require.
    pub capabilities: Capabilities,
    /// What it lacks of what kernels written in Rust use.
    pub lacks: Vec<Lack>,
}

/// Something that a device lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lack {
    /// What.
    pub what: &'static str,
    /// What follows from it.
    pub so: &'static str,
}

/// What this machine has. Drivers are asked once in a process, files each time.
pub fn report() -> Report {
    let search = cl::search();
    let found = facts::facts();
    let used = search.tried.iter().find(|tried| tried.error.is_none());
    let mut numbers = [0; 2];
    Report {
        tried: search.tried.clone(),
        library: used.and_then(|tried| loaded_from(tried.name)),
        vendors: cfg!(all(unix, not(target_os = "macos"))).then(|| opened(vendors::find())),
        platforms: found.platforms.iter().map(|facts| platform(facts, &mut numbers)).collect(),
        said: found.said.clone(),
    }
}

/// The kernels that are kept below a folder for compiled kernels.
pub fn kept(dir: &Path) -> Kept {
    Cache::below(dir, KEPT_IN).kept()
}

/// The file that a library of a name was loaded from, where the system tells.
fn loaded_from(name: &str) -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let paths = maps.lines().filter_map(|line| line.split_once('/').map(|(_, path)| path));
    let found = |path: &&str| path.rsplit('/').next().is_some_and(|file| file.starts_with(name));
    paths.map(str::trim_end).find(found).map(|path| PathBuf::from(format!("/{path}")))
}

/// What was found of the files that name drivers, and which of those can be opened.
fn opened(found: vendors::Vendors) -> Vendors {
    let icd = |icd: vendors::Icd| Icd {
        error: icd.error.or_else(|| fault(&icd.library)),
        file: icd.file,
        library: icd.library,
    };
    Vendors {
        place: found.place,
        variable: found.variable,
        error: found.error,
        files: found.files.into_iter().map(icd).collect(),
    }
}

/// Why the library of a driver cannot be opened.
fn fault(library: &str) -> Option<String> {
    if library.is_empty() {
        return Some("it names no library".to_owned());
    }
    if library.contains('/') && !Path::new(library).exists() {
        return Some("there is no such file".to_owned());
    }
    cl::open(library).err()
}

fn platform(facts: &PlatformFacts, numbers: &mut [usize; 2]) -> Platform {
    let devices = facts.devices.iter().map(|facts| {
        let of = &mut numbers[usize::from(is_fpga(facts))];
        *of += 1;
        device(facts, *of - 1)
    });
    Platform {
        name: facts.name.clone(),
        vendor: facts.vendor.clone(),
        version: facts.version.clone(),
        devices: devices.collect(),
        left_out: facts.left_out.clone(),
        said: facts.said.clone(),
    }
}

fn device(facts: &DeviceFacts, number: usize) -> Device {
    Device {
        key: if is_fpga(facts) { FPGA_KEY } else { KEY },
        number,
        name: facts.name.clone(),
        version: facts.version.clone(),
        driver: facts.driver.clone(),
        is_processor: facts.kind == DeviceKind::Cpu,
        capabilities: facts.capabilities,
        lacks: lacks(facts),
    }
}

fn lacks(facts: &DeviceFacts) -> Vec<Lack> {
    let all = [
        (
            facts.capabilities.has(Need::F64),
            Lack { what: "f64", so: "kernels that compute with it run elsewhere" },
        ),
        (
            facts.divides_exactly,
            Lack {
                what: "correctly rounded division and roots of f32",
                so: "bodies with f32 run here only if declared `fast_math`",
            },
        ),
        (
            facts.keeps_subnormals,
            Lack {
                what: "subnormal numbers of f32",
                so: "bodies with f32 run here only if declared `fast_math`",
            },
        ),
        (
            facts.has_compiler,
            Lack { what: "a compiler", so: "it takes binaries only, and no bodies" },
        ),
    ];
    all.into_iter().filter(|(has, _)| !has).map(|(_, lack)| lack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_drivers_are_read_and_their_libraries_looked_for() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("a.icd", "libflash-no-such-driver.so\n"),
            ("b.icd", "/nowhere/libdriver.so"),
            ("c.icd", "\n"),
            ("d.txt", "libc.so.6"),
        ] {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let vendors = opened(vendors::in_place(dir.path().to_owned(), Some("OCL_ICD_VENDORS")));
        let libraries: Vec<&str> = vendors.files.iter().map(|icd| &*icd.library).collect();
        assert_eq!(libraries, ["libflash-no-such-driver.so", "/nowhere/libdriver.so", ""]);
        let error = |k: usize| vendors.files[k].error.clone().unwrap();
        assert!(error(0).contains("libflash-no-such-driver.so"), "{}", error(0));
        assert_eq!(error(1), "there is no such file");
        assert_eq!(error(2), "it names no library");
        assert!(vendors.error.is_none());
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_with_no_files() {
        let vendors = opened(vendors::in_place(PathBuf::from("/nowhere/vendors"), None));
        assert!(vendors.error.is_some() && vendors.files.is_empty());
    }

    #[test]
    fn a_file_or_a_library_stands_in_place_of_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("one.icd");
        fs::write(&file, "/nowhere/libone.so").unwrap();
        let one = opened(vendors::in_place(file, Some("OCL_ICD_VENDORS")));
        assert_eq!(one.files[0].library, "/nowhere/libone.so");
        let library =
            opened(vendors::in_place(PathBuf::from("/nowhere/libtwo.so"), Some("OCL_ICD_VENDORS")));
        assert_eq!(library.files[0].library, "/nowhere/libtwo.so");
        assert!(library.files[0].error.is_some());
    }
}
