//! The files that name the libraries of drivers, as loaders of OpenCL read them. No library is opened.

use std::fs;
use std::path::{Path, PathBuf};

use flash_rt::env_options;

/// What loaders go by, in this order.
const VARIABLES: [&str; 2] = ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"];

/// Where the files are.
#[derive(Debug)]
pub(crate) struct Vendors {
    /// The folder, or what stands in place of one.
    pub(crate) place: PathBuf,
    /// The variable that says so, if it is not the default.
    pub(crate) variable: Option<&'static str>,
    /// Why it cannot be read.
    pub(crate) error: Option<String>,
    /// Its files, by name.
    pub(crate) files: Vec<Icd>,
}

/// A file that names the library of a driver.
#[derive(Debug)]
pub(crate) struct Icd {
    pub(crate) file: PathBuf,
    /// The path or name in it.
    pub(crate) library: String,
    /// Why it cannot be read.
    pub(crate) error: Option<String>,
}

/// Libraries whose devices are the processor; reading one takes a tenth of a second.
const OF_PROCESSORS: [&str; 2] = ["libpocl", "libintelocl.so"];

/// Whether drivers may have devices other than the processor, as far as their names tell. Where no file
/// names one the library of OpenCL may itself be a driver.
pub(crate) fn may_have_others() -> bool {
    let all = find().files;
    all.is_empty() || all.iter().any(|icd| !is_of_processor(&icd.library))
}

fn is_of_processor(library: &str) -> bool {
    let name = library.rsplit('/').next().unwrap_or_default();
    OF_PROCESSORS.iter().any(|known| name.starts_with(known))
}

/// Where libraries of drivers are named.
pub(crate) fn find() -> Vendors {
    let said = VARIABLES.into_iter().find_map(|variable| {
        let value = env_options::of_others(variable).filter(|value| !value.is_empty())?;
        Some((variable, PathBuf::from(value)))
    });
    match said {
        Some((variable, place)) => in_place(place, Some(variable)),
        None => in_place(PathBuf::from("/etc/OpenCL/vendors"), None),
    }
}

/// What a folder names, or what stands in place of one: a file of it, or a library.
pub(crate) fn in_place(place: PathBuf, variable: Option<&'static str>) -> Vendors {
    let is_icd = |path: &Path| path.extension().is_some_and(|extension| extension == "icd");
    let mut error = None;
    let files = if place.is_dir() || variable.is_none() {
        match fs::read_dir(&place) {
            Ok(entries) => {
                let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
                let mut paths: Vec<PathBuf> = paths.filter(|path| is_icd(path)).collect();
                paths.sort_unstable();
                paths.into_iter().map(icd).collect()
            }
            Err(said) => {
                error = Some(said.to_string());
                Vec::new()
            }
        }
    } else if is_icd(&place) {
        vec![icd(place.clone())]
    } else {
        let library = place.to_string_lossy().into_owned();
        vec![Icd { error: None, file: place.clone(), library }]
    };
    Vendors { place, variable, error, files }
}

fn icd(file: PathBuf) -> Icd {
    match fs::read_to_string(&file) {
        Ok(text) => {
            let library = text.lines().next().unwrap_or_default().trim().to_owned();
            Icd { error: None, file, library }
        }
        Err(error) => Icd { file, library: String::new(), error: Some(error.to_string()) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_of_processors_are_known_by_their_names() {
        for library in ["libpocl.so.2.10.0", "/opt/intel/lib/libintelocl.so"] {
            assert!(is_of_processor(library), "{library}");
        }
        for library in
            ["libintelocl_emu.so", "/opt/rocm/lib/libamdocl64.so", "libnvidia-opencl.so.1"]
        {
            assert!(!is_of_processor(library), "{library}");
        }
    }
}
