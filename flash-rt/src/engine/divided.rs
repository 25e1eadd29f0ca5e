//! What each device had of the launches of a run that were split: items, and bytes on their way. It
//! divides nothing.

use std::sync::{Arc, Mutex, PoisonError};

use crate::device::{Device, MovedFor};
use crate::report::DeviceReport;

/// Of one run, in order of node and device. A list, as most runs split nothing, and those that do note
/// their nodes nearly in order.
#[derive(Debug, Default)]
pub(super) struct Divided(Mutex<Vec<((usize, usize), Had)>>);

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
    fn note(
        &self,
        (node, kernel): (usize, &'static str),
        device: usize,
        change: impl FnOnce(&mut Had),
    ) {
        let (mut all, key) =
            (self.0.lock().unwrap_or_else(PoisonError::into_inner), (node, device));
        let at = all.binary_search_by_key(&key, |(key, _)| *key).unwrap_or_else(|at| {
            let new = Had { kernel, parts: 0, items: 0, uploaded: 0, downloaded: 0 };
            all.insert(at, (key, new));
            at
        });
        change(&mut all[at].1);
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

    /// Puts all of it, by node and device, in place of that of another run.
    #[inline]
    pub(super) fn replace(self, before: &mut Vec<DeviceReport>, devices: &[Arc<Device>]) {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        before.clear();
        if all.is_empty() {
            return;
        }
        let row = |((node, device), had): ((usize, usize), Had)| {
            let Had { kernel, parts, items, uploaded, downloaded } = had;
            let device = devices.get(device).map_or("?", |device| device.name()).to_owned();
            DeviceReport { node, kernel, device, parts, items, uploaded, downloaded }
        };
        before.extend(all.into_iter().map(row));
    }
}
