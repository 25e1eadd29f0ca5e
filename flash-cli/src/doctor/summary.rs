//! What a program gets: the devices of `Runtime::new()`, and those that have to be asked for.

use flash::Runtime;
use flash_rt::Options;
use serde_json::json;

use super::{Section, State};
use crate::devices;
use crate::text;

/// The section, and whether there is a device.
pub(super) fn section(options: &Options) -> (Section, bool) {
    let opened = Runtime::new();
    let names: Vec<(&str, &str)> = opened
        .iter()
        .flat_map(Runtime::devices)
        .map(|device| (device.key(), device.name()))
        .collect();
    let key = options.devices.as_deref().unwrap_or("ALL");
    let error = opened.as_ref().err().map(ToString::to_string);
    let opened: Vec<_> =
        names.iter().map(|(key, name)| json!({ "key": key, "name": name })).collect();
    let all = devices::list(options).unwrap_or_default();
    let mut section = Section::new(
        "devices",
        "devices",
        json!({ "asked": key, "opened": opened, "error": error }),
    );
    match &error {
        Some(error) => {
            (section.state, section.summary) = (State::Wrong, error.clone());
            if options.devices.is_some() {
                section.fix = Some("unset FLASH_DEVICES".to_owned());
            }
        }
        None => {
            section.summary =
                format!("`Runtime::new()` has {}", text::count(names.len(), "device"));
            for (key, name) in &names {
                section.row(*key, *name);
            }
        }
    }
    let others: Vec<String> = all
        .iter()
        .filter(|listed| !names.contains(&(listed.key, &*listed.info.name)))
        .map(devices::Listed::title)
        .collect();
    if !others.is_empty() {
        let label = if error.is_none() { "by key only" } else { "by key" };
        section.row(label, others.join(", "));
    }
    let is_well = error.is_none();
    (section, is_well)
}
