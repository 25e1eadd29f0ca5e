//! Devices for FPGAs, and Intel's emulator of one.

use std::path::PathBuf;

use flash_ocl::FPGA_KEY;
use flash_ocl::report::Report;
use flash_rt::env_options;
use serde_json::json;

use super::{Section, State};
use crate::text;

pub(super) fn section(found: &Report) -> Section {
    let devices = found.platforms.iter().flat_map(|platform| &platform.devices);
    let names: Vec<&str> =
        devices.filter(|device| device.key == FPGA_KEY).map(|device| &*device.name).collect();
    let there = installed();
    let facts = json!({ "key": FPGA_KEY, "devices": names, "emulator": there });
    let mut section = Section::new("fpga", "FPGA", facts);
    if !names.is_empty() {
        section.summary = format!("{}: {}", text::count(names.len(), "device"), names.join(", "));
        return section;
    }
    section.state = State::Absent;
    (section.summary, section.fix) = match there {
        Some(vendors) => (
            "no device; Intel's emulator is installed, and OpenCL does not look there".to_owned(),
            Some(format!("export OCL_ICD_VENDORS={}", vendors.display())),
        ),
        None if cfg!(all(target_os = "linux", target_arch = "x86_64")) => (
            "no device; Intel's emulator runs binaries for FPGAs without one (from FLASH's repository)"
                .to_owned(),
            Some("scripts/fpga-emulator --accept-intel-eula".to_owned()),
        ),
        None => ("no device; Intel's emulator is for Linux on x86-64 only".to_owned(), None),
    };
    section
}

/// The folder of drivers that `scripts/fpga-emulator` leaves where nobody says another one.
fn installed() -> Option<PathBuf> {
    let home = env_options::of_others("HOME")?;
    let vendors = PathBuf::from(home).join(".local/share/flash/fpga-emulator/vendors");
    vendors.is_dir().then_some(vendors)
}
