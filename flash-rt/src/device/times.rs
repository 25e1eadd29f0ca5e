//! How long kernels take on a device: as it declares, or the median of the last runs of about as
//! many items. It places nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::Device;
use super::remembered::{Rates, field};
use crate::backend::clock::nanos;
use crate::backend::{Operation, Ticket};
use crate::descriptor::KernelDescriptor;

/// As many runs are remembered: one that was disturbed is no median.
const RUNS: usize = 7;

/// What a copy takes where nobody declares it: a submission, and the bytes at the speed of PCIe.
const LATENCY: u64 = 10_000;
const BYTES_PER_NANO: u64 = 10;

/// Launches of fewer items, by so many bits, say nothing of the time of an item in one of all.
const PARTS: u32 = 6;

/// A time that differs by more than this share from what was known is news.
const NEWS: f64 = 0.1;

/// One run of a kernel.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    nanos: u64,
    items: u64,
    /// Its number among all of the device.
    number: u64,
}

impl Run {
    /// What an item took, in nanoseconds.
    fn each(&self) -> f64 {
        self.nanos as f64 / self.items.max(1) as f64
    }
}

/// What an item takes: the median, of two in the middle the less, as what disturbs a run makes it longer.
fn median(runs: &mut [Run]) -> Option<f64> {
    runs.sort_unstable_by(|a, b| a.each().total_cmp(&b.each()));
    Some(runs.get(runs.len().checked_sub(1)? / 2)?.each())
}

/// The last runs of a kernel over about as many items.
#[derive(Debug, Default)]
struct Recent {
    runs: [Run; RUNS],
    n: usize,
    /// What an item took when that was last news.
    known: f64,
}

impl Recent {
    fn last(&self) -> &[Run] {
        &self.runs[..self.n.min(RUNS)]
    }

    /// What an item takes, in nanoseconds: the median.
    fn each(&self) -> f64 {
        median(&mut self.last().to_vec()).unwrap_or(0.0)
    }
}

/// A kernel, by its address, and the number of bits of its items.
pub(crate) type Class = (usize, u32);

pub(crate) fn class(kernel: &'static KernelDescriptor, items: u64) -> Class {
    (std::ptr::from_ref(kernel).addr(), u64::BITS - items.leading_zeros())
}

/// What was measured on a device.
#[derive(Debug, Default)]
pub(super) struct Times {
    is_on: AtomicBool,
    n_runs: AtomicU64,
    /// How often there was news.
    learned: AtomicU64,
    recent: Mutex<HashMap<Class, Recent>>,
    /// Kernels that were measured, by address.
    kernels: Mutex<Vec<&'static KernelDescriptor>>,
    /// What earlier runs of the program say.
    before: OnceLock<Rates>,
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
        self.note_moments();
    }

    /// From now on the device knows when operations run, where it can.
    pub(crate) fn note_moments(&self) {
        self.backend.timing(self.ordinal, Ticket::DONE);
    }

    /// Whether the device says how long operations take without running them.
    pub(crate) fn declares(&self) -> bool {
        self.backend.declared(self.ordinal, Operation::Upload(0)).is_some()
    }

    /// Whether launches are measured.
    #[inline]
    pub(crate) fn measures(&self) -> bool {
        self.times.is_on.load(Ordering::Relaxed)
    }

    /// How often there was something new: a kernel, or a size of its launches, or another time.
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
        let number = self.times.n_runs.fetch_add(1, Ordering::Relaxed);
        recent.runs[recent.n % RUNS] = Run { nanos: nanos(time), items: items as u64, number };
        recent.n += 1;
        let each = recent.each();
        if recent.n == 1 || (each - recent.known).abs() > NEWS * recent.known {
            recent.known = each;
            self.times.learned.fetch_add(1, Ordering::Relaxed);
        }
        if recent.n == 1 {
            drop(all);
            let mut kernels = self.times.kernels.lock().unwrap_or_else(PoisonError::into_inner);
            if !kernels.iter().any(|known| std::ptr::eq(*known, kernel)) {
                kernels.push(kernel);
            }
        }
    }

    /// Goes by what earlier runs of the program say, until there is something better.
    pub(crate) fn remember(&self, rates: Rates) {
        // A device belongs to one runtime, so it is set once.
        let _ = self.times.before.set(rates);
    }

    /// Adds how fast kernels were: in the largest launches, where what comes beside the items counts
    /// least.
    pub(crate) fn rates(&self, rates: &mut Rates) {
        let kernels = self.times.kernels.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let all = self.times.recent();
        for kernel in kernels {
            let address = class(kernel, 0).0;
            let of_kernel = all.iter().filter(|((known, _), _)| *known == address);
            let largest = of_kernel.max_by_key(|((_, size), _)| *size);
            if let Some((_, recent)) = largest
                && recent.each() > 0.0
            {
                rates.insert(self.line(kernel), 1e9 / recent.each());
            }
        }
    }

    /// What a line of the file is about.
    fn line(&self, kernel: &KernelDescriptor) -> (String, String, u64) {
        (field(self.name()), field(kernel.name), kernel.signature)
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
        let each = self.times.recent().get(&class(kernel, items)).map(Recent::each);
        let each = each.or_else(|| {
            let rate = self.times.before.get()?.get(&self.line(kernel))?;
            Some(1e9 / rate)
        });
        each.map(|each| ((each * items as f64) as u64, false))
    }

    /// How long an item takes in nanoseconds, in launches of about so many items or of a part of them,
    /// by what was measured last.
    pub(crate) fn pace(&self, kernel: &'static KernelDescriptor, items: usize) -> Option<f64> {
        let mut runs = self.fitting(kernel, items);
        runs.sort_unstable_by_key(|run| std::cmp::Reverse(run.number));
        runs.truncate(RUNS);
        median(&mut runs)
    }

    /// Whether the time of such a launch is that of a single run, which may have been disturbed.
    pub(crate) fn ran_once(&self, kernel: &'static KernelDescriptor, items: usize) -> bool {
        self.fitting(kernel, items).len() == 1
    }

    /// The last runs of a kernel over about so many items or a part of them, in any order.
    fn fitting(&self, kernel: &'static KernelDescriptor, items: usize) -> Vec<Run> {
        let (address, size) = class(kernel, items as u64);
        let all = self.times.recent();
        let fits = |(known, of): &Class| *known == address && (*of..=of + PARTS).contains(&size);
        let fitting = all.iter().filter(|(class, _)| fits(class));
        fitting.flat_map(|(_, recent)| recent.last()).copied().collect()
    }

    /// How long it takes in nanoseconds to set the device up anew; nothing where nobody knows.
    pub(crate) fn setup_time(&self) -> u64 {
        self.backend.declared(self.ordinal, Operation::SetUp).map_or(0, nanos)
    }

    /// How long a copy to the device or back takes in nanoseconds.
    pub(crate) fn copy_time(&self, operation: Operation) -> u64 {
        let (Operation::Upload(bytes) | Operation::Download(bytes)) = operation else { return 0 };
        match self.backend.declared(self.ordinal, operation) {
            Some(time) => nanos(time),
            None => LATENCY + bytes / BYTES_PER_NANO,
        }
    }

    /// How long it takes to bring bytes to another device in nanoseconds: at once where that is a peer,
    /// else through the host.
    pub(crate) fn move_time(&self, to: &Self, bytes: u64) -> u64 {
        let away = self.copy_time(Operation::Download(bytes));
        let there = to.copy_time(Operation::Upload(bytes));
        if self.is_peer(to) { away.max(there) } else { away.saturating_add(there) }
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
        assert_eq!(device.launch_time(&AFFINE, 100), Some((4_000, false)));
        assert_eq!(device.launch_time(&AFFINE, 75), Some((3_000, false)), "of the same class");
        assert_eq!(device.launch_time(&AFFINE, 64 * 1024), None);
        let news = device.learned();
        device.note_time(&AFFINE, 100, Duration::from_micros(4));
        assert_eq!(device.learned(), news, "what is known is no news");
        assert_eq!(device.copy_time(Operation::Upload(10_000)), 11_000);
    }
}
