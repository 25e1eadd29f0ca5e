//! The copies that a stage is to have before it begins, as texts.

use std::sync::Arc;

use crate::device::Device;
use crate::engine::{Copied, Route};
use crate::report::bytes;

/// What is not said yet of the copies for a stage.
pub(super) struct Brought<'c> {
    left: Vec<&'c Copied>,
    devices: &'c [Arc<Device>],
    /// Whether the stage stands in a loop of no trips.
    pub(super) never: bool,
}

impl<'c> Brought<'c> {
    /// Of a node; the copies are in the order of those.
    pub(super) fn new(
        copies: &'c [Copied],
        node: usize,
        (devices, never): (&'c [Arc<Device>], bool),
    ) -> Self {
        let from = copies.partition_point(|copied| copied.node < node);
        let left = copies[from..].iter().take_while(|copied| copied.node == node);
        Self { left: left.collect(), devices, never }
    }

    /// The copies for an argument, each behind a comma; `shown` are the bytes that stand before them.
    pub(super) fn of(&mut self, argument: &str, shown: Option<u64>) -> String {
        let devices = self.devices;
        let mut text = String::new();
        self.left.retain(|copied| {
            let is_for_it = copied.argument == argument;
            if is_for_it {
                let size = Some(copied.bytes).filter(|&size| Some(size) != shown);
                let size = size.map_or_else(String::new, |size| format!("{} ", bytes(size)));
                let what = match copied.what {
                    "upload" => "uploaded".to_owned(),
                    "download" => format!("downloaded {}", way(copied.route, devices)),
                    _ => format!("moved {}", way(copied.route, devices)),
                };
                text.push_str(&format!(", {size}{what}{}", later(copied)));
            }
            !is_for_it
        });
        text
    }

    /// Those that are for no argument: a line for each.
    pub(super) fn rest(self) -> Vec<String> {
        let Self { left, devices, .. } = self;
        let line = |copied: &Copied| {
            let (size, way) = (bytes(copied.bytes), way(copied.route, devices));
            format!("{}: {size} {way}{}", copied.name(), later(copied))
        };
        left.into_iter().map(line).collect()
    }
}

fn later(copied: &Copied) -> &'static str {
    if copied.is_later { " in later trips" } else { "" }
}

/// `to sim:0`
pub(super) fn way(route: Route, devices: &[Arc<Device>]) -> String {
    let name = |device: usize| devices.get(device).map_or("?", |device| device.name());
    match route {
        Route::To(device) => format!("to {}", name(device)),
        Route::From(device) => format!("from {}", name(device)),
        Route::Between(from, to) => format!("from {} to {}", name(from), name(to)),
    }
}
