//! Room on a device: when it is full, images that nobody is using go back to the host. What a launch
//! needs and what other runs hold stays.

use std::sync::Arc;

use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::device::{Device, Errand, Pin, Turn};
use crate::error::{Error, Result};
use crate::image::MemorySpace;
use crate::ledger::Hold;
use crate::section::Section;

/// A device that a launch needs room on.
pub(super) struct Room<'r> {
    pub(super) device: &'r Arc<Device>,
    pub(super) space: MemorySpace,
    /// What the run of the launch holds.
    pub(super) accesses: &'r [Access],
    /// The allocations that the launch itself uses, ascending.
    pub(super) needed: &'r [u64],
}

/// Who tries again and again to find room on a device, as others may let go of it. Who tries counts as
/// one who uses an image: what it has evicted and allocated may not be there to be seen yet.
#[derive(Debug)]
pub(super) struct Patience<'d> {
    device: &'d Device,
    /// How often somebody had stopped using an image before this try.
    seen: u64,
    /// How often it has waited for what was under way. What a try itself submits is under way too, so
    /// that this alone is no reason for the next one.
    settled: usize,
    /// One at a time waits for others.
    turn: Option<Turn<'d>>,
}

impl<'d> Patience<'d> {
    /// Before the first try; dropped when what has been found is pinned.
    pub(super) fn new(device: &'d Device) -> Self {
        Self { device, seen: device.pins.add(), settled: 0, turn: None }
    }

    /// After a try for which there was no room: whether there may be some now. Meanwhile nothing is
    /// kept that the try has pinned. First it waits for what is under way, which keeps what it uses,
    /// then until somebody stops using an image.
    pub(super) fn wait(&mut self, pins: &mut Vec<Pin>) -> bool {
        let own = pins.len() as u64 + 1;
        pins.clear();
        self.device.pins.remove();
        let is_again = if self.device.settle() && self.settled < 2 {
            self.settled += 1;
            true
        } else {
            self.settled = 0;
            match self.turn {
                None => {
                    self.turn = Some(self.device.pins.turn());
                    true
                }
                Some(_) => self.device.pins.await_room(self.seen + own),
            }
        };
        self.seen = self.device.pins.add();
        is_again
    }
}

impl Drop for Patience<'_> {
    fn drop(&mut self) {
        self.device.pins.remove();
    }
}

impl Room<'_> {
    /// Allocates; while there is no room, gives back memory that images are no longer in, if need be
    /// once what uses it is complete, then evicts an image that may go, and tries again: clean ones
    /// first, and of these the oldest; the others are spilled to the host.
    pub(super) fn make<T>(&self, allocate: impl Fn() -> Result<T>) -> Result<T> {
        let mut full = match allocate() {
            Err(error @ Error::OutOfMemory { .. }) => error,
            other => return other,
        };
        // First what nobody needs, and what only saves time.
        if self.device.sweep() {
            match allocate() {
                Err(error @ Error::OutOfMemory { .. }) => full = error,
                other => return other,
            }
        }
        let noted = self.device.noted();
        for is_settled in [false, true] {
            for allocation in &noted {
                if allocation.images().drop_spares(self.space) {
                    match allocate() {
                        Err(error @ Error::OutOfMemory { .. }) => full = error,
                        other => return other,
                    }
                }
            }
            // What an image has left is free once what is under way there is complete.
            let has_left = |a: &Arc<Allocation>| a.images().memories(self.space) > 1;
            if is_settled || !noted.iter().any(has_left) || !self.device.settle() {
                break;
            }
        }
        // What the host has too goes first, as nothing has to be brought back for it; then whatever is
        // left, as what others do makes images clean.
        for only_clean in [true, false] {
            for allocation in &noted {
                let is_needed = self.needed.binary_search(&allocation.id()).is_ok();
                let is_clean = allocation.images().is_clean(self.space);
                let is_turn = is_clean.is_some_and(|is_clean| is_clean || !only_clean);
                if is_needed || !is_turn || !self.evict(allocation)? {
                    continue;
                }
                match allocate() {
                    Err(error @ Error::OutOfMemory { .. }) => full = error,
                    other => return other,
                }
            }
        }
        Err(full)
    }

    /// Evicts the image of an allocation if nobody else can be using it; whether it did.
    fn evict(&self, allocation: &Arc<Allocation>) -> Result<bool> {
        let _errand = Errand::room("spill");
        if allocation.images().find(self.space).is_none() {
            return Ok(false);
        }
        let whole = Section::whole(&[allocation.len()]);
        let mut ours = self.accesses.iter().filter(|a| a.allocation.id() == allocation.id());
        match ours.next() {
            // Held whole: others at most read what is current on the host, and who uses the image
            // has pinned it.
            Some(access) if access.section.len() == whole.len() => {}
            Some(_) => return Ok(false),
            // Whoever lent the memory may have it back by now: nothing may be written there.
            None if allocation.is_foreign() && !allocation.images().host_is_valid(&whole) => {
                return Ok(false);
            }
            None => {
                let allocation = Arc::clone(allocation);
                let all = [Access { allocation, section: whole, mode: Mode::Write }];
                let Ok(hold) = Hold::enqueue(&all[..]) else { return Ok(false) };
                if !hold.is_granted() {
                    return Ok(false);
                }
                return all[0].allocation.evict(self.space, false);
            }
        }
        allocation.evict(self.space, false)
    }
}
