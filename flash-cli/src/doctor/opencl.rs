//! The OpenCL library, the files that name drivers, the drivers and their devices. What they are is
//! looked for in `flash_ocl`.

use flash_ocl::report::{Device, Icd, Platform, Report, Tried};
use serde_json::{Value, json};

use super::packages::Packages;
use super::{Section, State};
use crate::text::{self, after};

pub(super) fn section(found: &Report) -> Section {
    let n_devices = found.platforms.iter().map(|platform| platform.devices.len()).sum();
    let mut section = Section::new("opencl", "OpenCL", facts(found));
    let has_library = found.tried.iter().any(|tried| tried.error.is_none());
    for tried in &found.tried {
        section.row("library", library(tried, found));
    }
    let icds = found.vendors.as_ref().map_or(&[][..], |vendors| &vendors.files);
    if let Some(vendors) = &found.vendors {
        let mut place = vendors.place.display().to_string();
        if let Some(variable) = vendors.variable {
            place += &format!(", as {variable} says");
        }
        match (&vendors.error, icds.len()) {
            (Some(error), _) => place += &format!(": {error}"),
            (None, n) => place += &format!(": {}", text::count(n, "driver")),
        }
        section.row("drivers", place);
    }
    for icd in icds {
        let file = icd.file.file_name().unwrap_or(icd.file.as_os_str()).to_string_lossy();
        let library = &icd.library;
        section.row(
            format!("  {file}"),
            match &icd.error {
                None => format!("{library}: opens"),
                Some(error) => format!(
                    "{library}: {}; install its driver again, or remove the file",
                    after(error, library)
                ),
            },
        );
    }
    for platform in &found.platforms {
        of_platform(&mut section, platform);
    }
    let broken = icds.iter().find(|icd| icd.error.is_some());
    section.state = match (broken, n_devices) {
        (Some(_), _) => State::Wrong,
        (None, 0) => State::Absent,
        (None, _) => State::Ok,
    };
    section.summary = match (has_library, found.platforms.len(), n_devices) {
        (false, ..) => "no library of it can be opened".to_owned(),
        (true, 0, _) => match &found.said {
            Some(said) => format!("no driver ({said})"),
            None => "no driver".to_owned(),
        },
        (true, platforms, n) => {
            let platforms = text::count(platforms, "platform");
            format!("{}, {} that can be used", platforms, text::count(n, "device"))
        }
    };
    section.fix = fix(found, has_library, n_devices, broken);
    section
}

/// A name of the library, and what became of it.
fn library(tried: &Tried, found: &Report) -> String {
    match (&tried.error, &found.library) {
        (Some(error), _) => format!("{}: {}", tried.name, after(error, tried.name)),
        (None, Some(path)) => format!("{}: {}", tried.name, path.display()),
        (None, None) => format!("{}: opens", tried.name),
    }
}

/// `OpenCL 3.0` without what the vendor adds.
fn short(version: &str) -> String {
    version.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

fn of_platform(section: &mut Section, platform: &Platform) {
    let Platform { name, vendor, version, devices, left_out, said, .. } = platform;
    section.row("platform", format!("{name} ({vendor}): {}", short(version)));
    if let Some(said) = said {
        section.row("", format!("no devices: {said}"));
    } else if devices.is_empty() && left_out.is_empty() {
        section.row("", "it has no devices");
    }
    for device in devices {
        let Device { key, number, name, version, driver, .. } = device;
        let mut text = format!("{name}\n{}, driver {driver}", short(version));
        let lacks = device.lacks.iter().map(|lack| format!("\nlacks {}: {}", lack.what, lack.so));
        text.extend(lacks);
        if device.lacks.is_empty() {
            text += "\nlacks nothing that kernels in Rust use";
        }
        if device.is_processor {
            text += &format!("\nis the processor, so no part of ALL: open `{key}`");
        }
        section.row(format!("  {key}:{number}"), text);
    }
    for (name, why) in left_out {
        section.row("  not used", format!("{name}: {why}"));
    }
}

/// What would add what is missing.
fn fix(
    found: &Report,
    has_library: bool,
    n_devices: usize,
    broken: Option<&Icd>,
) -> Option<String> {
    if let Some(icd) = broken {
        let is_pocl = icd.library.contains("pocl") && icd.file.starts_with("/etc");
        if is_pocl && Packages::here() == Packages::Apt {
            return Some("apt-get install --reinstall pocl-opencl-icd".to_owned());
        }
        return Some(format!("rm {}", icd.file.display()));
    }
    if n_devices > 0 {
        return None;
    }
    let variable = found.vendors.as_ref().and_then(|vendors| vendors.variable);
    match variable.filter(|_| has_library) {
        Some(variable) => Some(format!("unset {variable}")),
        None => Packages::here().opencl().map(str::to_owned),
    }
}

fn facts(found: &Report) -> Value {
    let tried = |tried: &Tried| json!({ "name": tried.name, "error": tried.error });
    let icd = |icd: &Icd| json!({ "file": icd.file, "library": icd.library, "error": icd.error });
    let vendors = found.vendors.as_ref().map(|vendors| {
        json!({
            "place": vendors.place,
            "variable": vendors.variable,
            "error": vendors.error,
            "files": vendors.files.iter().map(icd).collect::<Vec<_>>(),
        })
    });
    json!({
        "tried": found.tried.iter().map(tried).collect::<Vec<_>>(),
        "library": found.library,
        "drivers": vendors,
        "platforms": found.platforms.iter().map(of_json).collect::<Vec<_>>(),
        "error": found.said,
    })
}

fn of_json(platform: &Platform) -> Value {
    let device = |device: &Device| {
        let lacks = device.lacks.iter().map(|lack| json!({ "what": lack.what, "so": lack.so }));
        json!({
            "key": device.key,
            "number": device.number,
            "name": device.name,
            "version": device.version,
            "driver": device.driver,
            "in_all": !device.is_processor,
            "lacks": lacks.collect::<Vec<_>>(),
        })
    };
    let left_out = platform.left_out.iter().map(|(name, why)| json!({ "name": name, "why": why }));
    json!({
        "name": platform.name,
        "vendor": platform.vendor,
        "version": platform.version,
        "error": platform.said,
        "devices": platform.devices.iter().map(device).collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
    })
}
