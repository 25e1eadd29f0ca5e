//! Room on a device: when it is full, images that nobody is using go back to the host. What a launch
//! needs and what other runs hold stays.

use std::sync::Arc;
use std::time::Duration;

use super::windows::Need;
use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::device::{Device, Errand, Pin, Turn};
use crate::error::{Error, Result};
use crate::image::MemorySpace;
use crate::ledger::Hold;
use crate::ranges::Ranges;
use crate::section::Section;

/// A device that a launch needs room on.
pub(super) struct Room<'r> {
    pub(super) device: &'r Arc<Device>,
    pub(super) space: MemorySpace,
    /// What the run of the launch holds.
    pub(super) accesses: &'r [Access],
    /// What the launch itself uses of each allocation, ascending.
    pub(super) needed: &'r [Need],
}

/// Who tries again and again to find room on a device, as others may let go of it. Who tries counts as
/// one who uses an image: what it has evicted and allocated may not be there to be seen yet.
#[derive(Debug)]
pub(super) struct Patience<'d> {
    device: &'d Device,
    space: MemorySpace,
    /// What the run of the launch holds.
    accesses: &'d [Access],
    /// How often somebody had stopped using an image before this try.
    seen: u64,
    /// How often it has waited for what was under way. What a try itself submits is under way too, so
    /// that this alone is no reason for the next one.
    settled: usize,
    /// One at a time waits for others.
    turn: Option<Turn<'d>>,
    /// How often it has waited for another run, since an image ceased to be in use.
    asked: usize,
}

/// How long a run is waited for that holds an array, and uses none of its images: it may be about to
/// end. It may also be waiting for this one, by what its host tasks do, so it is not waited for longer.
const MOMENT: Duration = Duration::from_millis(100);

/// So often other runs are waited for.
const MOST_ASKED: usize = 8;

impl<'d> Patience<'d> {
    /// Before the first try; dropped when what has been found is pinned. The run holds `accesses`.
    pub(super) fn new(device: &'d Device, space: MemorySpace, accesses: &'d [Access]) -> Self {
        let seen = device.pins.add();
        Self { device, space, accesses, seen, settled: 0, turn: None, asked: 0 }
    }

    /// After a try for which there was no room for so many bytes: whether there may be some now, as there
    /// never is for more than the device has. Meanwhile nothing is kept that the try has pinned. First it
    /// waits for what is under way, which keeps what it uses, then until somebody stops using an image, then
    /// a moment for runs that hold arrays.
    pub(super) fn wait(&mut self, pins: &mut Vec<Pin>, bytes: u64) -> bool {
        if !self.device.could_hold(bytes) {
            return false;
        }
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
                Some(_) => {
                    let (pins, seen) = (&self.device.pins, self.seen + own);
                    if pins.await_room(seen) {
                        self.asked = 0;
                        true
                    } else {
                        // Somebody may have made an image while this looked at those that there were.
                        self.has_come_after_another() || pins.await_room(seen)
                    }
                }
            }
        };
        self.seen = self.device.pins.add();
        is_again
    }

    /// Waits a moment for each run that holds an array with an image here, and has the image leave before
    /// anybody else uses the array; whether one did.
    fn has_come_after_another(&mut self) -> bool {
        for allocation in self.device.noted() {
            let is_ours = self.accesses.iter().any(|a| a.allocation.id() == allocation.id());
            if is_ours || allocation.is_foreign() || allocation.images().find(self.space).is_none()
            {
                continue;
            }
            if self.asked == MOST_ASKED {
                return false;
            }
            self.asked += 1;
            let all = Ranges::all(allocation.len());
            let section = Section::whole(&[allocation.len()]);
            let access = Access { allocation: Arc::clone(&allocation), section, mode: Mode::Write };
            let Ok(hold) = Hold::enqueue([access]) else { continue };
            let _errand = Errand::room("spill");
            // One that cannot be brought stays, and there is no room.
            if hold.wait_for(MOMENT)
                && matches!(allocation.evict(self.space, false, &all), Ok(true))
            {
                return true;
            }
        }
        false
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
        // For what is larger than the device nothing has to leave.
        if matches!(full, Error::OutOfMemory { bytes, .. } if !self.device.could_hold(bytes)) {
            return Err(full);
        }
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
                let is_needed = self.need(allocation).is_some();
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

    /// What the launch uses of an allocation.
    pub(super) fn need(&self, allocation: &Allocation) -> Option<&Need> {
        let at = self.needed.binary_search_by_key(&allocation.id(), Need::id);
        self.needed.get(at.ok()?)
    }

    /// Evicts the image of an allocation if nobody else can be using it; whether it did.
    pub(super) fn evict(&self, allocation: &Arc<Allocation>) -> Result<bool> {
        let _errand = Errand::room("spill");
        if allocation.images().find(self.space).is_none() {
            return Ok(false);
        }
        let whole = Section::whole(&[allocation.len()]);
        let ours = self.accesses.iter().filter(|a| a.allocation.id() == allocation.id());
        let mut held = Ranges::default();
        ours.for_each(|access| held.add(&access.section));
        if held.is_empty() && allocation.images().is_clean(self.space) == Some(true) {
            // Nothing is brought, so whoever holds the array loses nothing.
            return allocation.evict(self.space, false, &held);
        }
        // Who uses the image has pinned it. What is brought from it must not be written by anybody else.
        let (rest, mode) = if held.is_empty() {
            // Whoever lent the memory may have it back by now: nothing may be written there.
            if allocation.is_foreign() && !allocation.images().host_is_valid(&whole) {
                return Ok(false);
            }
            (Ranges::all(allocation.len()), Mode::Write)
        } else if allocation.ledger.has_one_writer() {
            held = Ranges::all(allocation.len());
            (Ranges::default(), Mode::Read)
        } else {
            let mut rest = allocation.images().only_in(self.space);
            held.iter().for_each(|range| rest.remove(&Section::of_range(&range)));
            (rest, Mode::Read)
        };
        held.extend(&rest);
        let access = |range| Access {
            allocation: Arc::clone(allocation),
            section: Section::of_range(&range),
            mode,
        };
        let rest: Vec<Access> = rest.iter().map(access).collect();
        let hold = match rest.is_empty() {
            true => None,
            false => match Hold::enqueue(&rest[..]) {
                Ok(hold) if hold.is_granted() => Some(hold),
                _ => return Ok(false),
            },
        };
        let evicted = allocation.evict(self.space, false, &held);
        drop(hold);
        evicted
    }
}
