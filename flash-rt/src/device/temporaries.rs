//! Temporaries of launches: their memory is given back when these are complete or given up, by whoever
//! looks next. It waits for nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Device;
use crate::image::DeviceMemory;
use crate::progress::{Sent, Verdict};

/// The temporaries of a device, each with the launch that uses it.
#[derive(Debug, Default)]
pub(super) struct Temporaries {
    kept: Mutex<Vec<(Sent, Arc<dyn DeviceMemory>)>>,
    /// Whether there may be any.
    is_used: AtomicBool,
}

impl Device {
    /// Keeps a temporary as long as its launch is under way.
    pub(crate) fn keep(&self, sent: Sent, memory: Arc<dyn DeviceMemory>) {
        let Temporaries { kept, is_used } = &self.temporaries;
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((sent, memory));
        // Relaxed: who has to find it learns of the launch in another way.
        is_used.store(true, Ordering::Relaxed);
    }

    /// Gives back the temporaries of launches that are no longer under way; whether there were any.
    pub(crate) fn sweep(&self) -> bool {
        let Temporaries { kept, is_used } = &self.temporaries;
        if !is_used.load(Ordering::Relaxed) {
            return false;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |(sent, _): &mut (Sent, _)| self.verdict(sent) != Verdict::UnderWay;
        let over: Vec<_> = kept.extract_if(.., is_over).collect();
        is_used.store(!kept.is_empty(), Ordering::Relaxed);
        // Their memory goes outside of the lock.
        drop(kept);
        !over.is_empty()
    }
}
