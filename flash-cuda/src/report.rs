//! What was searched on this machine, what was found, and what is missing and why, for whoever has to put
//! that right. It decides nothing about what runs where.

use std::path::{Path, PathBuf};

use flash_rt::offload::cache::{Cache, Kept};
use flash_rt::{Capabilities, Options};

use crate::backend::KEY;
use crate::cu;
pub use crate::cu::Tried;
use crate::facts;
use crate::nvrtc;

/// What there is of CUDA, and why there is no more.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The names that the driver's library was looked for by, up to the one that was there.
    pub tried: Vec<Tried>,
    /// The version of CUDA that the driver is for: `13.0`. `None` where there is none that can be used.
    pub driver: Option<String>,
    /// The devices that can be used.
    pub devices: Vec<Device>,
    /// The names of those that cannot, and why.
    pub left_out: Vec<(String, String)>,
    /// Why there are no devices, where there are none.
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
    /// Its architecture: `sm_90`.
    pub architecture: String,
    /// Where it is on the bus: `0000:3b:00.0`.
    pub bus_id: String,
    /// The bytes of its memory.
    pub memory: u64,
    /// What it can do of what kernels may require.
    pub capabilities: Capabilities,
}

/// What this machine has. The driver is asked each time.
pub fn report() -> Report {
    let found = facts::facts();
    let device = |(number, facts): (usize, &std::sync::Arc<facts::DeviceFacts>)| Device {
        key: KEY,
        number,
        name: facts.name.clone(),
        architecture: facts.architecture(),
        bus_id: facts.bus_id.clone(),
        memory: facts.memory,
        capabilities: facts.capabilities,
    };
    Report {
        tried: cu::search(),
        driver: found.driver.clone(),
        devices: found.devices.iter().enumerate().map(device).collect(),
        left_out: found.left_out,
        said: found.said,
    }
}

/// The compiler of CUDA C that these options find.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompilerFound {
    /// What it was opened as.
    pub path: PathBuf,
    /// `13.0`
    pub version: String,
    /// Generations of devices that it compiles for, the earliest first: 90 for 9.0.
    pub archs: Vec<u32>,
}

/// The compiler of CUDA C, NVRTC.
///
/// # Errors
///
/// Where it was looked for, why it is not there, and what to do.
pub fn compiler(options: &Options) -> Result<CompilerFound, String> {
    let found = nvrtc::nvrtc(options.nvrtc.as_deref())?;
    let (major, minor) = found.version;
    Ok(CompilerFound {
        path: found.path.clone(),
        version: format!("{major}.{minor}"),
        archs: found.archs.clone(),
    })
}

/// The kernels that are kept below a folder for compiled kernels.
pub fn kept(dir: &Path) -> Kept {
    Cache::below(dir, nvrtc::KEPT_IN).kept()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_devices_or_a_reason_why_not() {
        let report = report();
        assert_eq!(report.devices.is_empty(), report.said.is_some() || !report.left_out.is_empty());
        assert!(!report.tried.is_empty());
    }
}
