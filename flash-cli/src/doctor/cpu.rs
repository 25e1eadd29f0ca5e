//! The processors: what they can, and how many of them this process may use. It starts no thread.

use std::fs;

use flash_cpu::{CpuBackend, isa};
use flash_rt::Options;
use serde_json::json;

use super::{Section, State};
use crate::text;

pub(super) fn section(options: &Options) -> Section {
    let detected = isa::detected();
    let online = online();
    let allowed = allowed();
    let quota = quota();
    let backend = CpuBackend::new(options);
    let device = backend.as_ref().ok().and_then(|backend| {
        let devices = flash_rt::backend::Backend::devices(backend);
        devices.into_iter().next().map(|device| device.name)
    });
    let threads = backend.as_ref().map_or(0, CpuBackend::workers);
    let mut section = Section::new(
        "cpu",
        "CPU",
        json!({
            "name": device,
            "isa": backend.as_ref().ok().map(|backend| backend.isa().name()),
            "isa_detected": detected.name(),
            "cores_online": online,
            "cores_allowed": allowed,
            "quota": quota,
            "threads": threads,
        }),
    );
    match &backend {
        Ok(_) => section.summary = device.unwrap_or_default(),
        Err(error) => {
            (section.state, section.summary) = (State::Wrong, error.to_string());
            section.fix = Some("unset FLASH_ISA".to_owned());
        }
    }
    let in_use = backend.as_ref().map_or("none", |backend| backend.isa().name());
    let instructions = match in_use == detected.name() {
        true => format!("{in_use}, the best that this processor has"),
        false => format!("{in_use}, where this processor has {}", detected.name()),
    };
    section.row("instructions", instructions);
    let mut cores = Vec::new();
    if let Some(online) = online {
        cores.push(format!("{online} online"));
    }
    if let Some(allowed) = allowed {
        cores.push(format!("{allowed} for this process"));
    }
    cores.push(match quota {
        Some(quota) => format!("a quota of {quota:.1}"),
        None => "no quota".to_owned(),
    });
    section.row("cores", cores.join(", "));
    let said =
        if options.threads.is_some() { "as FLASH_THREADS says" } else { "one for each core" };
    section.row("threads", format!("{} of a launch, {said}", text::count(threads, "thread")));
    section
}

/// The number of processors that the system runs.
fn online() -> Option<usize> {
    listed(&fs::read_to_string("/sys/devices/system/cpu/online").ok()?)
}

/// The number of those that this process may use.
fn allowed() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    listed(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?)
}

/// How many numbers a list like `0-3,8` has.
fn listed(list: &str) -> Option<usize> {
    list.trim().split(',').try_fold(0, |sum, part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        Some(sum + (last + 1).checked_sub(first)?)
    })
}

/// The processors' worth of time that a control group leaves this process.
fn quota() -> Option<f64> {
    let number = |path: &str| -> Option<f64> {
        fs::read_to_string(path).ok()?.trim().parse().ok().filter(|n| *n > 0.0)
    };
    if let Ok(text) = fs::read_to_string("/sys/fs/cgroup/cpu.max") {
        let (quota, period) = text.trim().split_once(' ')?;
        return Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?);
    }
    let quota = number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")?;
    Some(quota / number("/sys/fs/cgroup/cpu/cpu.cfs_period_us")?)
}

#[cfg(test)]
#[test]
fn lists_of_processors_are_counted() {
    assert_eq!(["0", "0-3", "0-3,8\n", " 2,4-5"].map(listed), [1, 4, 5, 3].map(Some));
    assert_eq!(["", "a", "3-1"].map(listed), [None; 3]);
}
