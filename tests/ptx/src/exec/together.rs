//! What the lanes of a warp do together: they wait for the lanes that the instruction names, and then
//! see each other's registers.
//!
//! Lanes that have ended are not waited for.

use super::groups::Group;
use super::warp::Warp;
use crate::lanes::{LANES, Mask, Reg, lanes};
use crate::program::{Kind, Shuffle, Vote};

/// Lanes that wait for others of their warp.
pub(super) struct Parked {
    /// Which, and at which instruction.
    pub(super) at: Group,
    /// Where the others come to.
    meets: u32,
    /// The register that names them.
    members: Reg,
}

/// The others may come to any barrier of a warp.
const ANYWHERE: u32 = u32::MAX;

impl Warp {
    /// Does it for the lanes whose others are all there. Says whether the lanes that run go on behind
    /// it; where they do not, they wait.
    pub(super) fn together(&mut self, kind: &Kind, active: Mask) -> bool {
        let members = match kind {
            Kind::SyncWarp { members }
            | Kind::Shuffle { members, .. }
            | Kind::Vote { members, .. }
            | Kind::Match { members, .. }
            | Kind::Reduce { members, .. }
            | Kind::Elect { members, .. } => *members,
            Kind::ActiveMask { d } => {
                lanes(active).for_each(|lane| self.file[*d as usize][lane] = active.into());
                return true;
            }
            _ => return true,
        };
        let meets = if matches!(kind, Kind::SyncWarp { .. }) { ANYWHERE } else { self.pc };
        let Some(active) = self.gather(members, active, meets) else { return false };
        match *kind {
            Kind::Shuffle { mode, d, p, a, b, c, .. } => {
                self.shuffle(mode, (d, p), [a, b, c], active);
            }
            Kind::Vote { mode, d, p, of, .. } => {
                let of = self.holds(of);
                self.in_sets(members, active, |warp, set| {
                    let found = of & set;
                    let holds = match mode {
                        Vote::All => found == set,
                        Vote::Any => found != 0,
                        Vote::Uniform => found == set || found == 0,
                        Vote::Ballot => {
                            lanes(set).for_each(|lane| warp.file[d as usize][lane] = found.into());
                            return;
                        }
                    };
                    warp.set(p, set, if holds { Mask::MAX } else { 0 });
                });
            }
            Kind::Match { all, bits, d, p, a, .. } => {
                self.in_sets(members, active, |warp, set| warp.equal(all, bits, (d, p), a, set));
            }
            Kind::Reduce { ref f, d, a, .. } => self.in_sets(members, active, |warp, set| {
                let values = lanes(set).map(|lane| warp.get(a, lane) & 0xffff_ffff);
                let result = values.reduce(|x, y| f(x, y, 0)).unwrap_or(0);
                lanes(set).for_each(|lane| warp.file[d as usize][lane] = result);
            }),
            Kind::Elect { d, p, .. } => self.in_sets(members, active, |warp, set| {
                let leader = set.trailing_zeros();
                lanes(set).for_each(|lane| warp.file[d as usize][lane] = leader.into());
                warp.set(p, set, 1 << leader);
            }),
            _ => {}
        }
        true
    }

    /// The lanes that may go on: all that they name are there. The others wait.
    fn gather(&mut self, members: Reg, active: Mask, meets: u32) -> Option<Mask> {
        let names = |warp: &Warp, lane| warp.get(members, lane) as Mask & warp.alive;
        if self.parked.is_empty() && lanes(active).all(|lane| names(self, lane) & !active == 0) {
            return Some(active);
        }
        self.parked.push(Parked { at: Group { pc: self.pc, mask: active }, meets, members });
        let mut there = 0;
        for parked in self.parked.iter().filter(|parked| parked.meets == meets) {
            there |= parked.at.mask;
        }
        let mut here = 0;
        let mut left = Vec::new();
        for mut parked in std::mem::take(&mut self.parked) {
            let (at, members) = (parked.at, parked.members);
            let names = |lane: usize| self.get(members, lane) as Mask & self.alive;
            let ready = lanes(at.mask).filter(|&lane| names(lane) & !there == 0);
            let ready: Mask = ready.fold(0, |mask, lane| mask | 1 << lane);
            if parked.meets == meets && ready != 0 {
                parked.at.mask &= !ready;
                if at.pc == self.pc {
                    here |= ready;
                } else {
                    self.put(at.pc + 1, ready);
                }
            }
            if parked.at.mask != 0 {
                left.push(parked);
            }
        }
        self.parked = left;
        // Lanes that run and are under no guard go on as well.
        self.mask = self.mask & !active | here;
        if here == 0 {
            self.pc += 1;
            return None;
        }
        Some(here)
    }

    /// Once for each set of lanes that name each other.
    fn in_sets(&mut self, members: Reg, active: Mask, mut f: impl FnMut(&mut Warp, Mask)) {
        let mut rest = active;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let set = (self.get(members, lane) as Mask & active) | 1 << lane;
            let set = set & rest;
            f(self, set);
            rest &= !set;
        }
    }

    fn shuffle(&mut self, mode: Shuffle, (d, p): (Reg, u32), [a, b, c]: [Reg; 3], active: Mask) {
        let values = self.file[a as usize];
        let mut inside = 0;
        for lane in lanes(active) {
            let (by, control) = (self.get(b, lane) as u32 & 31, self.get(c, lane) as u32);
            let (clamp, segment) = (control & 31, control >> 8 & 31);
            let at = lane as u32;
            let (first, last) = (at & segment, at & segment | clamp & !segment);
            let (from, holds) = match mode {
                Shuffle::Up => (at.wrapping_sub(by), at as i32 - by as i32 >= last as i32),
                Shuffle::Down => (at + by, at + by <= last),
                Shuffle::Bfly => (at ^ by, at ^ by <= last),
                Shuffle::Idx => {
                    let from = first | by & !segment;
                    (from, from <= last)
                }
            };
            let from = if holds { from as usize } else { lane };
            self.file[d as usize][lane] = values[from % LANES] & 0xffff_ffff;
            inside |= Mask::from(holds) << lane;
        }
        self.set(p, active, inside);
    }

    fn equal(&mut self, all: bool, bits: u32, (d, p): (Reg, u32), a: Reg, set: Mask) {
        let cut = if bits == 32 { 0xffff_ffff } else { u64::MAX };
        let values = self.file[a as usize].map(|value| value & cut);
        let same = |value: u64| {
            lanes(set).filter(|&lane| values[lane] == value).fold(0, |mask, lane| mask | 1 << lane)
        };
        for lane in lanes(set) {
            let same: Mask = same(values[lane]);
            let found = if all && same != set { 0 } else { same };
            self.file[d as usize][lane] = found.into();
            self.set(p, 1 << lane, if found != 0 { Mask::MAX } else { 0 });
        }
    }
}
