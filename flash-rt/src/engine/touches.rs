//! What each node touches, and what is inside of it, by ranges. It orders nothing.

use std::ops::Range;
use std::sync::Arc;

use super::graph::NONE;
use super::ids::IdMap;
use crate::access::Mode;
use crate::allocation::Allocation;
use crate::arg::{ArrayArg, BoundArg, Moves};
use crate::descriptor::Role;
use crate::packed::Packed;
use crate::pipeline::{LaunchNode, MoveNode, Place, Work};
use crate::section::Section;
use crate::stage::LaunchStage;

/// What orders host tasks among each other, as if it were an array.
pub(super) const TASKS: u64 = u64::MAX;
/// What a stage that waits for all before it overwrites, and all others read.
pub(super) const ALL: u64 = u64::MAX - 1;

/// As many numbers are found sooner in a map.
const FEW: usize = 9;

/// What a node touches.
#[derive(Clone, Copy)]
pub(super) struct Touch {
    /// Which allocation, by a number of this pipeline.
    pub(super) array: u32,
    pub(super) section: Section,
    pub(super) mode: Mode,
}

/// What one node touches, and what is inside of it, one after the other as the nodes are.
#[derive(Default)]
pub(super) struct Touches {
    pub(super) list: Vec<Touch>,
    pub(super) rows: Vec<u32>,
    /// The length of each allocation, and whether it is touched in intervals only.
    pub(super) arrays: Vec<(usize, bool)>,
    /// Which allocations these are, and once they are many their numbers.
    ids: Vec<u64>,
    numbers: IdMap<u32>,
    /// The number of [`ALL`], where it is needed.
    pub(super) all: u32,
    /// The number of [`TASKS`], where it is needed.
    pub(super) tasks: u32,
    /// By number in `list`, ascending: which row of their box is touched in which trip of a loop.
    pub(super) moving: Vec<(u32, Moves)>,
    /// How many nodes exchange arrays.
    pub(super) swaps: usize,
}

impl Touches {
    /// Becomes those of none of so many nodes yet. There is room for what few of them touch.
    pub(super) fn prepare(&mut self, n_nodes: usize) {
        let Self { list, rows, arrays, ids, numbers, moving, .. } = self;
        list.clear();
        list.reserve(4 * n_nodes.min(FEW));
        rows.clear();
        rows.reserve(n_nodes + 1);
        arrays.clear();
        arrays.reserve(FEW - 1);
        ids.clear();
        ids.reserve(FEW - 1);
        numbers.clear();
        moving.clear();
        (self.all, self.tasks, self.swaps) = (NONE, NONE, 0);
    }

    /// How many of what nodes touch it has memory for.
    pub(super) fn size(&self) -> usize {
        self.list.capacity().max(self.rows.capacity())
    }

    fn add(&mut self, array: &ArrayArg, mode: Mode) {
        self.note(array.allocation.id(), array.allocation.len(), array.section, mode);
    }

    /// What the nodes of a range touch.
    pub(super) fn of(&self, nodes: Range<usize>) -> &[Touch] {
        &self.list[self.rows[nodes.start] as usize..self.rows[nodes.end] as usize]
    }

    /// The number of an allocation, or of what stands for one.
    #[inline]
    pub(super) fn number(&self, id: u64) -> Option<u32> {
        match self.numbers.is_empty() {
            true => self.ids.iter().position(|&known| known == id).map(|at| at as u32),
            false => self.numbers.get(&id).copied(),
        }
    }

    fn add_number(&mut self, id: u64, len: usize) -> u32 {
        let number = self.arrays.len() as u32;
        self.arrays.push((len, true));
        self.ids.push(id);
        match self.ids.len() {
            // Those so far too.
            FEW => self.numbers.extend(self.ids.iter().copied().zip(0..)),
            n if n > FEW => _ = self.numbers.insert(id, number),
            _ => {}
        }
        number
    }

    #[inline]
    pub(super) fn note(&mut self, id: u64, len: usize, section: Section, mode: Mode) {
        let array = self.number(id).unwrap_or_else(|| self.add_number(id, len));
        self.arrays[array as usize].1 &= section.is_contiguous();
        self.list.push(Touch { array, section, mode });
    }

    /// Takes some arrays alike: all of them for intervals, or none. Whether that is new.
    pub(super) fn join(&mut self, arrays: &[Arc<Allocation>]) -> bool {
        let numbers = arrays.iter().filter_map(|array| self.number(array.id()));
        let numbers: Vec<u32> = numbers.collect();
        let intervals = numbers.iter().all(|&number| self.arrays[number as usize].1);
        let mut is_new = false;
        for number in numbers {
            let of_array = &mut self.arrays[number as usize].1;
            is_new |= *of_array != intervals;
            *of_array = intervals;
        }
        is_new
    }

    fn arg(&mut self, arg: &BoundArg<'_>, mode: Mode) {
        match arg {
            BoundArg::Array(array) | BoundArg::Cell(array) => {
                let Packed { allocation, .. } = array;
                self.note(allocation.id(), allocation.len(), array.section(), mode);
            }
            BoundArg::LazyArray(array) => {
                self.moving.extend(array.moves().map(|moves| (self.list.len() as u32, moves)));
                self.add(array.within(), mode);
            }
            BoundArg::Value(_)
            | BoundArg::LazyValue(_)
            | BoundArg::Variable(..)
            | BoundArg::Invalid(_) => {}
        }
    }

    /// What a launch touches beside its arguments.
    fn around(&mut self, stage: &LaunchStage<'_>) {
        stage.space.cells().for_each(|cell| self.add(cell, Mode::Read));
        stage.chosen().into_iter().for_each(|cell| self.add(cell, Mode::Write));
    }

    pub(super) fn node(&mut self, work: &Work<'_>, in_order: bool) {
        let mode = |writes: bool| if writes { Mode::Write } else { Mode::Read };
        match work {
            Work::Launch(LaunchNode { stage, bound: Some(bound), lazy: false, .. }) => {
                for (array, use_) in bound.params.iter().filter_map(|param| param.array()) {
                    self.add(array, mode(use_.writes));
                }
                self.around(stage);
            }
            Work::Launch(LaunchNode { stage, .. }) => {
                let params = stage.kernel.params.iter();
                let passed = params.filter(|param| !matches!(param.role, Role::Scratch(_)));
                for (param, arg) in passed.zip(stage.args.iter()) {
                    self.arg(arg, mode(param.role.writes()));
                }
                self.around(stage);
            }
            Work::Task(task) => {
                task.args.iter().for_each(|arg| self.arg(arg.bound(), mode(arg.writes())));
                if in_order {
                    self.note(TASKS, 1, Section::whole(&[1]), Mode::Write);
                }
            }
            Work::Swap { a, b, .. } => {
                self.swaps += 1;
                self.add(a, Mode::Write);
                self.add(b, Mode::Write);
            }
            Work::Move(MoveNode { array, to, .. }) => {
                self.add(array, mode(matches!(to, Place::AwayFrom(_))));
            }
            Work::For { .. } | Work::If { .. } | Work::While { .. } => {
                work.each_cell(&mut |cell| self.add(cell, Mode::Read));
            }
        }
    }
}

/// Arrays of which the nodes of a body touch other rows in each trip, by number: their rows stand for
/// them, as far as trips may be apart.
#[derive(Default)]
pub(super) struct Blocks {
    /// The level of the loop.
    level: usize,
    /// By how many rows what is touched moves in each trip.
    arrays: Vec<(u32, u32)>,
}

impl Blocks {
    /// Finds them among what the nodes of a range touch, but for those that the body exchanges. All
    /// that move have to be rows of the same box and move alike, and the rest has to be all of it:
    /// else boxes tell nodes apart better than rows do.
    pub(super) fn find(
        touches: &Touches,
        (first, end): (u32, u32),
        level: usize,
        exchanged: &[u32],
    ) -> Self {
        let (first, end) = (touches.rows[first as usize], touches.rows[end as usize]);
        let from = touches.moving.partition_point(|(number, _)| *number < first);
        let to = touches.moving.partition_point(|(number, _)| *number < end);
        let moving =
            touches.moving[from..to].iter().filter(|(_, moves)| moves.which.level == level);
        let mut arrays: Vec<(u32, u32, Section)> = Vec::new();
        for &(number, moves) in moving {
            let Touch { array, section, .. } = touches.list[number as usize];
            if arrays.iter().all(|(known, ..)| *known != array) && !exchanged.contains(&array) {
                arrays.push((array, moves.times, section));
            }
        }
        arrays.retain(|&(array, times, within)| {
            (first..end).all(|number| {
                let Touch { array: other, section, .. } = touches.list[number as usize];
                other != array
                    || match touches.moves(number, level) {
                        Some(moves) => moves.times == times && section == within,
                        None => {
                            section.is_empty() || section.len() == touches.arrays[array as usize].0
                        }
                    }
            }) && within.has_rows_apart()
        });
        Self { level, arrays: arrays.into_iter().map(|(array, times, _)| (array, times)).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.arrays.is_empty()
    }

    /// What a touch is in rows, in a copy of the body, and how many of them there are.
    pub(super) fn of(
        &self,
        touches: &Touches,
        number: u32,
        (copy, period): (usize, u32),
    ) -> Option<(Section, usize)> {
        let touch = &touches.list[number as usize];
        let &(_, times) = self.arrays.iter().find(|(array, _)| *array == touch.array)?;
        let n = i64::from(times * period);
        let rows = match touches.moves(number, self.level) {
            _ if touch.section.is_empty() => 0..0,
            Some(moves) => {
                let row = i64::from(times) * copy as i64 + moves.plus % n;
                let row = row.rem_euclid(n) as usize;
                row..row + 1
            }
            None => 0..n as usize,
        };
        Some((Section::of_range(&rows), n as usize))
    }
}

impl Touches {
    /// How a touch moves with the variable of a loop.
    fn moves(&self, number: u32, level: usize) -> Option<Moves> {
        let at = self.moving.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(self.moving[at].1).filter(|moves| moves.which.level == level)
    }
}
