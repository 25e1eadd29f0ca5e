//! The driver of CUDA devices, which nothing uses yet.

use serde_json::json;

use super::{Section, State};
use crate::library;

/// Where the library of the driver is looked for.
const NAMES: &[&str] =
    if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1", "libcuda.so"] };

pub(super) fn section() -> Section {
    let mut tried = Vec::new();
    let mut driver = None;
    for name in NAMES {
        match library::opens(name) {
            Ok(()) => {
                driver = Some(*name);
                break;
            }
            Err(said) => tried.push((*name, said)),
        }
    }
    let list = tried.iter().map(|(name, error)| json!({ "name": name, "error": error }));
    let facts = json!({
        "driver": driver,
        "tried": list.collect::<Vec<_>>(),
        "has_backend": false,
    });
    let mut section = Section::new("cuda", "CUDA", facts);
    section.state = State::Absent;
    section.summary = "this version has no CUDA backend yet".to_owned();
    match driver {
        Some(name) => section.row("driver", format!("{name} is there, and not used")),
        None => section.row("driver", format!("none: no {} either", NAMES.join(" or "))),
    }
    section
}
