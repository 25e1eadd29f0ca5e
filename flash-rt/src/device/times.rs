//! How long kernels take on a device: as it declares, or the median of the last runs of about as
//! many items. It places nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Device;
use crate::backend::Operation;
use crate::backend::clock::nanos;
use crate::descriptor::KernelDescriptor;

/// As many runs are remembered: one that was disturbed is no median.
const RUNS: usize = 7;

/// What a copy takes where nobody declares it: a submission, and the bytes at the speed of PCIe.
const LATENCY: u64 = 10_000;
const BYTES_PER_NANO: u64 = 10;

/// The last runs of a kernel over about as many items.
#[derive(Debug, Default)]
struct Recent {
    nanos: [u64; RUNS],
    n: usize,
}

/// A kernel, by its address, and the number of bits of its items.
type Class = (usize, u32);

fn class(kernel: &'static KernelDescriptor, items: u64) -> Class {
    (std::ptr::from_ref(kernel).addr(), u64::BITS - items.leading_zeros())
}

/// What was measured on a device.
#[derive(Debug, Default)]
pub(super) struct Times {
    is_on: AtomicBool,
    /// How many classes are known.
    learned: AtomicU64,
    recent: Mutex<HashMap<Class, Recent>>,
}

impl Times {
    fn recent(&self) -> MutexGuard<'_, HashMap<Class, Recent>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Device {
    /// From now on launches are measured.
    pub(crate) fn measure(&self) {
        // Relaxed, as all of this: a run that is missed is one less to go by.
        self.times.is_on.store(true, Ordering::Relaxed);
    }

    /// Whether launches are measured.
    #[inline]
    pub(crate) fn measures(&self) -> bool {
        self.times.is_on.load(Ordering::Relaxed)
    }

    /// How many kernels, told apart by the size of their launches, have been measured.
    pub(crate) fn learned(&self) -> u64 {
        self.times.learned.load(Ordering::Relaxed)
    }

    /// Notes how long a launch took.
    pub(crate) fn note_time(
        &self,
        kernel: &'static KernelDescriptor,
        items: usize,
        time: Duration,
    ) {
        let mut all = self.times.recent();
        let recent = all.entry(class(kernel, items as u64)).or_default();
        recent.nanos[recent.n % RUNS] = nanos(time);
        recent.n += 1;
        if recent.n == 1 {
            self.times.learned.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How long a launch takes in nanoseconds, and whether the device declares it; `None` where
    /// nobody knows.
    pub(crate) fn launch_time(
        &self,
        kernel: &'static KernelDescriptor,
        items: usize,
    ) -> Option<(u64, bool)> {
        let items = items as u64;
        let declared = self.backend.declared(self.ordinal, Operation::Launch(kernel, items));
        if let Some(time) = declared {
            return Some((nanos(time), true));
        }
        let all = self.times.recent();
        let recent = all.get(&class(kernel, items))?;
        let mut last = recent.nanos;
        let last = &mut last[..recent.n.min(RUNS)];
        last.sort_unstable();
        last.get(last.len() / 2).map(|&median| (median, false))
    }

    /// How long a copy to the device or back takes in nanoseconds.
    pub(crate) fn copy_time(&self, operation: Operation) -> u64 {
        let (Operation::Upload(bytes) | Operation::Download(bytes)) = operation else { return 0 };
        match self.backend.declared(self.ordinal, operation) {
            Some(time) => nanos(time),
            None => LATENCY + bytes / BYTES_PER_NANO,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::backend::conformance::kernels::AFFINE;
    use crate::backend::{Backend, DynBackend};
    use crate::sim::{Config, Sim};

    #[test]
    fn the_median_of_the_last_runs_of_a_size() {
        // Of the simulator only the facts are taken, as it declares all it does.
        let sim = Sim::new(Config::default());
        let info = Backend::devices(&sim).remove(0);
        let backend: Arc<dyn DynBackend> = Arc::new(sim);
        let device = Device::new(backend, usize::MAX, info, (None, 1));
        assert_eq!(device.launch_time(&AFFINE, 100), None);
        for micros in [900, 1, 2, 3, 900, 4, 5, 6] {
            device.note_time(&AFFINE, 100, Duration::from_micros(micros));
        }
        assert_eq!(device.launch_time(&AFFINE, 65), Some((4_000, false)), "of the same class");
        assert_eq!(device.launch_time(&AFFINE, 64 * 1024), None);
        assert_eq!(device.learned(), 1);
        assert_eq!(device.copy_time(Operation::Upload(10_000)), 11_000);
    }
}
