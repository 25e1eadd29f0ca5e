//! Devices that have to be set up for a kernel, as FPGAs are with a bitstream. How long that takes is
//! part of when a launch would end, where the device says it; which one is changed decides between
//! devices on which it would end at the same time. It puts launches in no other order.

use super::Placer;
use crate::descriptor::KernelDescriptor;

/// What has to be done to a device before a kernel can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Nothing.
    None,
    /// It is set up for the first time.
    First,
    /// Something else goes.
    Other,
}

/// The first of those that count whose device is changed least. Where only one counts nobody asks.
pub(super) fn least(counts: impl Iterator<Item = bool>, change: impl Fn(usize) -> Change) -> usize {
    let mut counted = counts.enumerate().filter(|(_, counts)| *counts).map(|(at, _)| at);
    let Some(first) = counted.next() else { return 0 };
    let mut best: Option<(Change, usize)> = None;
    for at in counted {
        let (least, _) = *best.get_or_insert_with(|| (change(first), first));
        if least == Change::None {
            break;
        }
        let change = change(at);
        if change < least {
            best = Some((change, at));
        }
    }
    best.map_or(first, |(_, at)| at)
}

impl Placer<'_> {
    /// What has to be done to a device for a kernel, after the launches that were placed before.
    pub(super) fn changes(&self, device: usize, kernel: &'static KernelDescriptor) -> Change {
        let Some(wanted) = self.devices[device].setup(kernel) else { return Change::None };
        let placed = self.setups.iter().find(|(known, _)| *known == device).map(|known| known.1);
        match placed.or_else(|| self.devices[device].is_set_up()) {
            None => Change::First,
            Some(setup) if setup == wanted => Change::None,
            Some(_) => Change::Other,
        }
    }

    /// How long that takes, in all `trips` of the loops around the launch. The first trip need not tell
    /// of the others: what comes after the launch may leave the device as it is.
    pub(super) fn setup_time(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
        trips: u64,
    ) -> u64 {
        match self.changes(device, kernel) {
            Change::None => 0,
            Change::First | Change::Other => {
                let trips = if self.is_again { trips } else { 1 };
                self.devices[device].setup_time().saturating_mul(trips)
            }
        }
    }

    /// Notes that a device is set up for a kernel.
    pub(super) fn set_up(&mut self, device: usize, kernel: &'static KernelDescriptor) {
        let Some(setup) = self.devices[device].setup(kernel) else { return };
        self.setups.retain(|(known, _)| *known != device);
        self.setups.push((device, setup));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_that_is_changed_least() {
        let of =
            |all: &[(bool, Change)]| least(all.iter().map(|(counts, _)| *counts), |at| all[at].1);
        use Change::{First, None, Other};
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&[(false, None), (true, Other)]), 1, "only one would end first");
        assert_eq!(of(&[(true, None), (true, None)]), 0);
        assert_eq!(of(&[(true, Other), (true, First), (true, First)]), 1);
        assert_eq!(of(&[(true, Other), (true, First), (true, None)]), 2);
        assert_eq!(of(&[(true, Other), (false, None), (true, Other)]), 0);
    }

    #[test]
    fn nobody_asks_where_nothing_is_to_be_decided() {
        assert_eq!(least([false, true, false].into_iter(), |_| unreachable!()), 1);
    }
}
