//! A block: its warps in turn, its shared memory and its barriers.
//!
//! What a warp does in its turn is in `warp`.

use super::access::Regions;
use super::warp::{Turn, Warp};
use super::{Failed, Grid};
use crate::fault::FaultKind;
use crate::lanes::{LANES, Mask};
use crate::program::Survey;
use std::sync::atomic::Ordering::Relaxed;

/// Barriers of a block.
pub(super) const BARRIERS: usize = 16;

/// A block on its way.
pub(super) struct Block<'r> {
    grid: &'r Grid<'r>,
    index: [u32; 3],
    warps: Vec<Warp>,
    own: Own<'r>,
    /// How many rounds in a row every warp only looked at memory.
    pub(super) waits: u32,
}

/// What the warps of a block have in common.
pub(super) struct Own<'r> {
    pub(super) grid: &'r Grid<'r>,
    pub(super) shared: Vec<u8>,
    pub(super) barriers: [Barrier; BARRIERS],
    pub(super) regions: Regions,
    /// Instructions so far, which is the time.
    pub(super) clock: u64,
}

/// Who has come to a barrier.
#[derive(Clone, Copy, Default)]
pub(super) struct Barrier {
    pub(super) arrived: u32,
    /// How many it waits for, where the instruction says.
    pub(super) expected: Option<u32>,
    /// How many of those who have come found their predicate true.
    pub(super) found: u32,
}

/// What came of a round.
pub(super) enum Round {
    Over,
    Goes,
}

impl<'r> Block<'r> {
    pub(super) fn new(grid: &'r Grid<'r>) -> Self {
        let threads: u32 = grid.launch.block.iter().product();
        let warps = (0..threads.div_ceil(LANES as u32)).map(|number| Warp::new(grid, number));
        let bytes = grid.program.dynamic as usize + grid.launch.dynamic_shared as usize;
        Block {
            grid,
            index: [0; 3],
            warps: warps.collect(),
            own: Own {
                grid,
                shared: vec![0; bytes],
                barriers: [Barrier::default(); BARRIERS],
                regions: Regions::default(),
                clock: 0,
            },
            waits: 0,
        }
    }

    /// Begins with the block of this number.
    pub(super) fn begin(&mut self, number: u64) {
        let [x, y, _] = self.grid.launch.grid.map(u64::from);
        self.index = [number % x, number / x % y, number / (x * y)].map(|axis| axis as u32);
        // What nobody has written is seen to be so.
        self.own.shared.fill(0xcd);
        self.own.barriers = [Barrier::default(); BARRIERS];
        self.waits = 0;
        for warp in &mut self.warps {
            warp.begin(self.grid, self.index);
        }
    }

    /// Every warp that can goes on for a while.
    pub(super) fn round(&mut self) -> Result<Round, Failed> {
        let (mut moved, mut waits, mut left) = (false, true, false);
        for number in 0..self.warps.len() {
            let warp = &mut self.warps[number];
            if warp.alive == 0 {
                continue;
            }
            if warp.is_blocked() {
                left = true;
                continue;
            }
            moved = true;
            let before = self.own.clock;
            let turn = warp.turn(&mut self.own);
            let steps = self.own.clock - before;
            let all = self.grid.steps.fetch_add(steps, Relaxed) + steps;
            match turn {
                Ok(Turn::Polls) => {}
                Ok(Turn::Stops) => waits = false,
                Err((kind, lane)) => {
                    let thread = warp.thread(self.grid, lane);
                    let pc = warp.pc;
                    return Err(self.failed(kind, pc, thread));
                }
            }
            left |= warp.alive != 0;
            if all > self.grid.launch.steps {
                let warp = &self.warps[number];
                let thread = warp.thread(self.grid, 0);
                return Err(self.failed(FaultKind::StepLimit, warp.pc, thread));
            }
            self.release();
        }
        self.waits = if waits { self.waits + 1 } else { 0 };
        match (left, moved) {
            (false, _) => Ok(Round::Over),
            (true, true) => Ok(Round::Goes),
            (true, false) => Err(self.deadlock()),
        }
    }

    /// Lets go who waits at a barrier that all have come to.
    fn release(&mut self) {
        let threads: u32 = self.warps.iter().map(|warp| warp.alive.count_ones()).sum();
        for (number, barrier) in self.own.barriers.iter_mut().enumerate() {
            if barrier.arrived == 0 || barrier.arrived < barrier.expected.unwrap_or(threads) {
                continue;
            }
            let result = |survey| match survey {
                Survey::Count => barrier.found,
                Survey::All => u32::from(barrier.found == barrier.arrived),
                Survey::Any => u32::from(barrier.found > 0),
            };
            for warp in &mut self.warps {
                warp.release(number as u32, &result);
            }
            *barrier = Barrier::default();
        }
    }

    fn deadlock(&self) -> Failed {
        let waiting = self.warps.iter().map(|warp| warp.alive.count_ones()).sum();
        let stuck = self.warps.iter().find(|warp| warp.alive != 0);
        let (pc, lane, what) = stuck.map_or((0, 0, "nothing"), Warp::waits_for);
        let thread = stuck.map_or([0; 3], |warp| warp.thread(self.grid, lane));
        let what = what.to_owned();
        self.failed(FaultKind::Deadlock { waiting, what }, pc, thread)
    }

    fn failed(&self, kind: FaultKind, pc: u32, thread: [u32; 3]) -> Failed {
        Failed { kind, pc: Some(pc), block: self.index, thread }
    }
}

/// Adds to a barrier.
pub(super) fn arrive(barrier: &mut Barrier, lanes: Mask, found: Mask, expected: Option<u32>) {
    barrier.arrived += lanes.count_ones();
    barrier.found += (lanes & found).count_ones();
    barrier.expected = expected;
}
