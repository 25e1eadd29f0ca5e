//! Lanes that run together, and those of their warp that do not.
//!
//! Of all lanes that can go on those furthest back do, so that they catch up with the others; but
//! where they only go round, which may be to wait for the others, these have their turn too.

use super::warp::Warp;
use crate::lanes::Mask;

/// Lanes at the same place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) pc: u32,
    pub(super) mask: Mask,
}

/// How many times lanes may jump back while others wait for them to catch up.
const TRIPS: u32 = 1000;

/// For how many instructions others have their turn then.
const TURN: u32 = 5000;

impl Warp {
    /// Puts lanes to those that can go on.
    pub(super) fn put(&mut self, pc: u32, mask: Mask) {
        if mask == 0 {
            return;
        }
        // The one furthest back is last.
        let at = self.others.partition_point(|other| other.pc > pc);
        match self.others.get_mut(at) {
            Some(other) if other.pc == pc => other.mask |= mask,
            _ => self.others.insert(at, Group { pc, mask }),
        }
        self.look_ahead();
    }

    /// Where the lanes that run meet others.
    pub(super) fn look_ahead(&mut self) {
        self.limit = match self.others.last() {
            Some(other) if self.turn_of_others == 0 => other.pc,
            _ => u32::MAX,
        };
    }

    /// Lets the lanes furthest back run. There are none where everybody waits.
    pub(super) fn pick(&mut self) -> bool {
        if self.mask != 0 {
            let (pc, mask) = (self.pc, self.mask);
            self.mask = 0;
            self.put(pc, mask);
        }
        self.turn_of_others = 0;
        let Some(group) = self.others.pop() else { return false };
        (self.pc, self.mask) = (group.pc, group.mask);
        self.look_ahead();
        true
    }

    /// The lanes that run have jumped back.
    #[inline]
    pub(super) fn jumped_back(&mut self) {
        if self.others.is_empty() {
            return;
        }
        self.trips += 1;
        if self.trips > TRIPS && self.turn_of_others == 0 {
            self.trips = 0;
            let (pc, mask) = (self.pc, self.mask);
            self.mask = 0;
            self.put(pc, mask);
            // Another one each time.
            self.rotation = self.rotation.wrapping_add(1);
            let group = self.others.remove(self.rotation % self.others.len());
            (self.pc, self.mask) = (group.pc, group.mask);
            self.turn_of_others = TURN;
            self.look_ahead();
        }
    }

    /// Some of the lanes that run, or all of them, go on elsewhere.
    #[inline]
    pub(super) fn jump(&mut self, to: u32, mask: Mask) {
        let back = to <= self.pc;
        if mask == self.mask {
            self.pc = to;
            if back {
                self.jumped_back();
            }
            return;
        }
        self.mask &= !mask;
        self.pc += 1;
        self.put(to, mask);
        if back {
            self.trips += 1;
        }
    }
}
