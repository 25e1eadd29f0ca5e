//! The driver of CUDA devices, the devices, and the compiler of CUDA C. What they are is looked for in
//! `flash_cuda`.

use flash_cuda::report::{CompilerFound, Device, Report, Tried};
use serde_json::{Value, json};

use super::{Section, State};
use crate::text;

/// What installs the compiler.
const NVRTC: &str = "scripts/nvrtc --accept-nvidia-eula";

pub(super) fn section(found: &Report, compiler: &Result<CompilerFound, String>) -> Section {
    let mut section = Section::new("cuda", "CUDA", facts(found, compiler));
    for Tried { name, error } in &found.tried {
        let there = error.as_ref().map_or("opens", |error| text::after(error, name));
        section.row("driver", format!("{name}: {there}"));
    }
    if let Some(version) = &found.driver {
        section.row("", format!("it is for CUDA {version}"));
    }
    for Device { key, number, name, architecture, bus_id, memory, .. } in &found.devices {
        let memory = text::bytes(*memory);
        let said = format!("{name}\n{architecture}, {memory}, at {bus_id} on the bus");
        section.row(format!("  {key}:{number}"), said);
    }
    for (name, why) in &found.left_out {
        section.row("  not used", format!("{name}: {why}"));
    }
    match compiler {
        Ok(CompilerFound { path, version, archs, .. }) => {
            let archs: Vec<String> = archs.iter().map(|arch| format!("sm_{arch}")).collect();
            let said = format!("NVRTC {version}: {}\nfor {}", path.display(), archs.join(", "));
            section.row("compiler", said);
        }
        Err(why) => section.row("compiler", format!("none: {why}")),
    }
    let n = found.devices.len();
    section.state = match (n, compiler) {
        (0, _) => State::Absent,
        (_, Ok(_)) => State::Ok,
        (_, Err(_)) => State::Wrong,
    };
    let has_library = found.tried.iter().any(|tried| tried.error.is_none());
    section.summary = match (&found.said, n) {
        _ if !has_library => "no driver of NVIDIA's can be opened".to_owned(),
        (Some(said), _) => said.clone(),
        (None, 0) => "no device that can be used".to_owned(),
        (None, n) => format!("{} that can be used", text::count(n, "device")),
    };
    if section.state == State::Wrong {
        section.summary += ", and no compiler for bodies and CUDA C";
        section.fix = Some(NVRTC.to_owned());
    }
    section
}

fn facts(found: &Report, compiler: &Result<CompilerFound, String>) -> Value {
    let tried = found.tried.iter();
    let tried = tried.map(|tried| json!({ "name": tried.name, "error": tried.error }));
    let device = |device: &Device| {
        json!({
            "key": device.key,
            "number": device.number,
            "name": device.name,
            "architecture": device.architecture,
            "bus_id": device.bus_id,
            "memory": device.memory,
        })
    };
    let left_out = found.left_out.iter().map(|(name, why)| json!({ "name": name, "why": why }));
    let compiler = match compiler {
        Ok(found) => {
            json!({ "path": found.path, "version": found.version, "archs": found.archs })
        }
        Err(why) => json!({ "error": why }),
    };
    json!({
        "tried": tried.collect::<Vec<_>>(),
        "driver": found.driver,
        "devices": found.devices.iter().map(device).collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
        "error": found.said,
        "nvrtc": compiler,
    })
}
