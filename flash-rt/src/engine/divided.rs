//! What each device had of the launches of a run that were split: items, and bytes on their way. It
//! divides nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::device::{Device, MovedFor};
use crate::report::DeviceReport;

/// Of one run, by node and device.
#[derive(Debug, Default)]
pub(super) struct Divided(Mutex<BTreeMap<(usize, usize), Had>>);

/// What a device had of a launch.
#[derive(Debug)]
struct Had {
    kernel: &'static str,
    parts: u64,
    items: u64,
    uploaded: u64,
    downloaded: u64,
}

impl Divided {
    fn all(&self) -> MutexGuard<'_, BTreeMap<(usize, usize), Had>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(
        &self,
        (node, kernel): (usize, &'static str),
        device: usize,
        change: impl FnOnce(&mut Had),
    ) {
        let new = || Had { kernel, parts: 0, items: 0, uploaded: 0, downloaded: 0 };
        change(self.all().entry((node, device)).or_insert_with(new));
    }

    /// Notes that a part of so many items has come to its end on a device.
    pub(super) fn ran(&self, of: (usize, &'static str), device: usize, items: usize) {
        self.note(of, device, |had| {
            had.parts += 1;
            had.items += items as u64;
        });
    }

    /// Notes what a thread has moved for a launch.
    pub(super) fn moved(
        &self,
        of: (usize, &'static str),
        devices: &[Arc<Device>],
        moved: MovedFor,
    ) {
        for (space, moved) in moved.take() {
            let device = devices.iter().position(|device| device.space() == Some(space));
            if let Some(device) = device {
                self.note(of, device, |had| {
                    had.uploaded += moved.uploaded;
                    had.downloaded += moved.downloaded;
                });
            }
        }
    }

    /// All of it, by node and device.
    pub(super) fn take(self, devices: &[Arc<Device>]) -> Vec<DeviceReport> {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let row = |((node, device), had): ((usize, usize), Had)| {
            let Had { kernel, parts, items, uploaded, downloaded } = had;
            let device = devices.get(device).map_or("?", |device| device.name()).to_owned();
            DeviceReport { node, kernel, device, parts, items, uploaded, downloaded }
        };
        all.into_iter().map(row).collect()
    }
}
