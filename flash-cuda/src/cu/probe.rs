//! Whether there is a driver, and one that can be used: its library, each function that is called, its
//! version, its own consent. Fenced: it opens a library. Once that is there it stays open, as the driver
//! has threads; where it is not, the next who asks looks again.
#![allow(unsafe_code, reason = "dlopen and dlsym of the CUDA driver")]

use std::ffi::c_int;
use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::OnceLock;

use libloading::Library;

use super::functions::{self, NAMES, OF_CONDITIONS, has};
use super::status::Failure;

/// Where the library is looked for, in this order.
const LIBRARIES: &[&str] =
    if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so", "libcuda.so.1"] };

/// The oldest driver that has all that is called, as CUDA counts versions: 12.8.
const OLDEST: i32 = 12_080;

/// A driver that was found to be there, whole and new enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    /// As CUDA counts versions: 13000 for 13.0.
    pub(crate) version: i32,
}

/// A name that the library was looked for by.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The name.
    pub name: &'static str,
    /// What the system said where it is not there.
    pub error: Option<String>,
}

/// Why there is no driver to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// There is no library.
    Library(String),
    /// The library lacks a function.
    Function(&'static str),
    /// Its version is below [`OLDEST`].
    TooOld(i32),
    /// The driver refuses.
    Refused(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(said) => write!(f, "there is no CUDA driver: {said}"),
            Self::Function(name) => write!(
                f,
                "the CUDA driver has no function `{name}`; install one for CUDA {} or later",
                Version(OLDEST)
            ),
            Self::TooOld(version) => write!(
                f,
                "the driver is for CUDA {}, and {} or later is needed; install a newer driver",
                Version(*version),
                Version(OLDEST)
            ),
            Self::Refused(said) => write!(f, "the CUDA driver says {said}"),
        }
    }
}

/// A version as people write it.
struct Version(i32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 1000, self.0 % 1000 / 10)
    }
}

impl Driver {
    /// Its version as people write it: `13.0`.
    pub(crate) fn version(self) -> String {
        Version(self.version).to_string()
    }
}

/// The names that the library is looked for by, up to the one that is there.
pub(crate) fn search() -> Vec<Tried> {
    static FOUND: OnceLock<Vec<Tried>> = OnceLock::new();
    if let Some(tried) = FOUND.get() {
        return tried.clone();
    }
    let mut tried = Vec::new();
    for &name in LIBRARIES {
        // SAFETY: opening it runs the initialisers of the CUDA driver, which the user has installed for
        // this.
        match unsafe { Library::new(name) } {
            Ok(library) => {
                let _stays_open = ManuallyDrop::new(library);
                tried.push(Tried { name, error: None });
                return FOUND.get_or_init(|| tried).clone();
            }
            Err(error) => {
                // The system's own words are in the source.
                let said = std::error::Error::source(&error).map(ToString::to_string);
                tried.push(Tried { name, error: Some(said.unwrap_or_else(|| error.to_string())) });
            }
        }
    }
    tried
}

/// Whether there is a library of the driver.
pub(crate) fn is_there() -> bool {
    search().iter().any(|tried| tried.error.is_none())
}

/// The driver of this machine.
pub(crate) fn driver() -> Result<Driver, Missing> {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    if let Some(driver) = DRIVER.get() {
        return Ok(*driver);
    }
    let tried = search();
    if tried.iter().all(|tried| tried.error.is_some()) {
        let said = tried.into_iter().filter_map(|tried| tried.error).collect::<Vec<_>>();
        return Err(Missing::Library(said.join("; ")));
    }
    if let Some(name) = NAMES.iter().find(|name| !has(name)) {
        return Err(Missing::Function(name));
    }
    let mut version: c_int = 0;
    // SAFETY: the function is there; it writes a number and may be called before all others.
    let code = unsafe { functions::cuDriverGetVersion(&raw mut version) };
    Failure::check("cuDriverGetVersion", code).map_err(refused)?;
    if version < OLDEST {
        return Err(Missing::TooOld(version));
    }
    // SAFETY: the function is there; no flags are defined.
    let code = unsafe { functions::cuInit(0) };
    Failure::check("cuInit", code).map_err(refused)?;
    Ok(*DRIVER.get_or_init(|| Driver { version }))
}

/// Whether the driver has graphs that ask a condition on the device.
pub(crate) fn has_conditions() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    driver().is_ok() && *HAS.get_or_init(|| OF_CONDITIONS.iter().all(|name| has(name)))
}

fn refused(failure: Failure) -> Missing {
    Missing::Refused(format!("{} to {}", failure.words(), failure.api))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        assert_eq!(
            Missing::TooOld(11_040).to_string(),
            "the driver is for CUDA 11.4, and 12.8 or later is needed; install a newer driver"
        );
        assert_eq!(Driver { version: 13_010 }.version(), "13.1");
        let function = Missing::Function("cuEventElapsedTime_v2").to_string();
        assert!(function.contains("`cuEventElapsedTime_v2`") && function.contains("12.8"));
    }

    #[test]
    fn a_driver_without_conditions_in_graphs_is_one() {
        assert!(OF_CONDITIONS.iter().all(|name| !NAMES.contains(name)));
    }

    #[test]
    fn a_search_says_what_was_tried() {
        let tried = search();
        assert!(tried.len() <= LIBRARIES.len());
        assert_eq!(is_there(), tried.last().is_some_and(|last| last.error.is_none()));
        assert!(is_there() || driver().is_err_and(|why| matches!(why, Missing::Library(_))));
    }
}
