//! The state of a running item and the kinds of closures a kernel becomes. It compiles nothing.

use super::race::{Recorder, Touch};
use super::{Fault, FaultKind, MAX_ARRAY_RANK, Memory, Notes, Violation};
use crate::dims::Dims;
use crate::ir::Span;
use crate::reduction::LANES;
use crate::ty::ScalarTy;

/// Computes a scalar.
pub(super) type Eval = Box<dyn Fn(&mut Item<'_>) -> u64 + Send + Sync>;
/// Runs a statement.
pub(super) type Exec = Box<dyn Fn(&mut Item<'_>) + Send + Sync>;
/// Computes a structure or small array into the item's bytes at an offset.
pub(super) type Fill = Box<dyn Fn(&mut Item<'_>, usize) + Send + Sync>;

/// Where a local or a value lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// A scalar in a register.
    Reg(usize, ScalarTy),
    /// A structure or array in the item's bytes, from an offset on.
    Bytes(usize, usize),
    /// Nothing.
    Unit,
}

/// How an item goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// With the next statement.
    Next,
    /// After the innermost loop.
    Break,
    /// With the next trip of the innermost loop.
    Continue,
    /// After the function.
    Return,
    /// Not at all.
    Fault,
}

/// The partial results of one reduction parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    pub(super) param: usize,
    pub(super) op: crate::ir::ReduceOp,
    pub(super) ty: ScalarTy,
    pub(super) values: [u64; LANES],
}

/// The state of an item.
pub(super) struct Item<'r> {
    pub(super) regs: Vec<u64>,
    pub(super) bytes: Vec<u8>,
    pub(super) ids: Dims,
    pub(super) sizes: Dims,
    pub(super) phase: usize,
    pub(super) partition: usize,
    pub(super) shapes: Vec<[usize; MAX_ARRAY_RANK]>,
    pub(super) memory: &'r mut dyn Memory,
    pub(super) item: u64,
    pub(super) flow: Flow,
    pub(super) notes: Notes,
    pub(super) recorder: Option<&'r mut Recorder>,
    pub(super) lanes: Vec<Lanes>,
    /// The lane of this item.
    pub(super) lane: usize,
    /// In a shuffled run: what items add, to be applied in their own order.
    pub(super) log: Option<Vec<(u64, usize, u64)>>,
}

impl Item<'_> {
    /// Ends the item.
    #[cold]
    pub(super) fn fault(&mut self, span: Span, what: FaultKind) {
        if self.flow == Flow::Fault {
            return;
        }
        self.flow = Flow::Fault;
        if self.notes.fault.is_none_or(|first| self.item < first.item) {
            self.notes.fault = Some(Fault { item: self.item, span, what });
        }
    }

    /// Notes an access outside an array.
    #[cold]
    pub(super) fn outside(&mut self, param: usize, index: &[usize]) {
        // What leaves an expression early goes on with values that mean nothing.
        if self.flow != Flow::Next {
            return;
        }
        let mut wide = [0; MAX_ARRAY_RANK];
        wide[..index.len()].copy_from_slice(index);
        let violation = Violation { item: self.item, param: param as u16, index: wide };
        if self.notes.violation.is_none_or(|first| violation < first) {
            self.notes.violation = Some(violation);
        }
    }

    /// Whether an index is inside an array; notes it where not.
    #[inline]
    pub(super) fn inside(&mut self, param: usize, index: &[usize]) -> bool {
        let shape = &self.shapes[param];
        let inside = index.iter().zip(shape).all(|(index, extent)| index < extent);
        if !inside {
            self.outside(param, index);
        }
        inside
    }

    /// Reads part of an element; zeros where there is none.
    #[inline]
    pub(super) fn read(&mut self, param: usize, index: &[usize], offset: usize, out: &mut [u8]) {
        if !self.inside(param, index) {
            out.fill(0);
            return;
        }
        self.touch(param, index, Touch::Read);
        if !self.memory.read(param, index, offset, out) {
            self.outside(param, index);
            out.fill(0);
        }
    }

    /// Writes part of an element; nothing where there is none.
    #[inline]
    pub(super) fn write(&mut self, param: usize, index: &[usize], offset: usize, bytes: &[u8]) {
        if self.flow != Flow::Next || !self.inside(param, index) {
            return;
        }
        self.touch(param, index, Touch::Write);
        if !self.memory.write(param, index, offset, bytes) {
            self.outside(param, index);
        }
    }

    /// Tells the recorder, where there is one.
    #[inline]
    pub(super) fn touch(&mut self, param: usize, index: &[usize], touch: Touch) {
        if self.recorder.is_some() && self.flow == Flow::Next {
            self.touched(param, index, touch);
        }
    }

    #[cold]
    fn touched(&mut self, param: usize, index: &[usize], touch: Touch) {
        let item = self.item;
        let shape = self.shapes[param];
        let linear = index.iter().zip(shape).fold(0, |sum, (index, extent)| sum * extent + index);
        if let Some(recorder) = &mut self.recorder {
            recorder.touch(param, linear, item, touch);
        }
    }
}
