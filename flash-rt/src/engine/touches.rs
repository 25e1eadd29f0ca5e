//! What each node touches, and what is inside of it, by ranges. It orders nothing.

use super::ids::IdMap;
use crate::access::Mode;
use crate::arg::{ArrayArg, BoundArg};
use crate::descriptor::Role;
use crate::packed::Packed;
use crate::pipeline::{LaunchNode, MoveNode, Place, Work};
use crate::section::Section;
use crate::stage::LaunchStage;

/// What orders host tasks among each other, as if it were an array.
pub(super) const TASKS: u64 = u64::MAX;
/// What a stage that waits for all before it overwrites, and all others read.
pub(super) const ALL: u64 = u64::MAX - 1;

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
    pub(super) numbers: IdMap<u32>,
    /// The length of each allocation, and whether it is touched in intervals only.
    pub(super) arrays: Vec<(usize, bool)>,
    /// The number of [`ALL`], where it is needed.
    pub(super) all: u32,
    /// The number of [`TASKS`], where it is needed.
    pub(super) tasks: u32,
}

impl Touches {
    fn add(&mut self, array: &ArrayArg, mode: Mode) {
        self.note(array.allocation.id(), array.allocation.len(), array.section, mode);
    }

    pub(super) fn note(&mut self, id: u64, len: usize, section: Section, mode: Mode) {
        let next = self.arrays.len() as u32;
        let array = *self.numbers.entry(id).or_insert(next);
        if array == next {
            self.arrays.push((len, true));
        }
        self.arrays[array as usize].1 &= section.is_contiguous();
        self.list.push(Touch { array, section, mode });
    }

    fn arg(&mut self, arg: &BoundArg<'_>, mode: Mode) {
        match arg {
            BoundArg::Array(array) | BoundArg::Cell(array) => {
                let Packed { allocation, .. } = array;
                self.note(allocation.id(), allocation.len(), array.section(), mode);
            }
            BoundArg::LazyArray(array) => self.add(array.within(), mode),
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
                for (param, arg) in passed.zip(&stage.args) {
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
                self.add(a, Mode::Write);
                self.add(b, Mode::Write);
            }
            Work::Move(MoveNode { array, to, .. }) => {
                self.add(array, mode(matches!(to, Place::AwayFrom(_))));
            }
            Work::For { bounds, .. } => bounds.cells().for_each(|cell| self.add(cell, Mode::Read)),
            Work::If { cond, .. } => cond.each_cell(&mut |cell| self.add(cell, Mode::Read)),
            Work::While { cond, limit, .. } => {
                cond.each_cell(&mut |cell| self.add(cell, Mode::Read));
                limit.cell().into_iter().for_each(|cell| self.add(cell, Mode::Read));
            }
        }
    }
}
