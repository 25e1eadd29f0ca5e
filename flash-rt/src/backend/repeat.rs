//! Loops that a device runs by itself: launches that a backend keeps ready, again and again as long as a
//! condition of values in its memory holds. It does not say which loops these are.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use flash_ir::ScalarTy;

use super::Prepared;
use crate::cond::{Comparison, Number};
use crate::entry::Outcome;

/// A loop of launches that begins with a trip.
#[derive(Clone, Copy, Debug)]
pub struct Repeat<'r, M> {
    /// The launches of a trip, in their order, each with whom it tells what it notes.
    pub launches: &'r [(Arc<dyn Prepared>, &'r Outcome)],
    /// What has to hold after a trip for another one. Nothing else may be asked: where a launch has noted
    /// something the loop ends with that trip.
    pub test: &'r Test,
    /// The memories that the condition reads.
    pub cells: &'r [&'r M],
    /// How many trips it makes at most, one or more.
    pub most: u32,
    /// Told how many it has made, before anybody sees that the loop is complete.
    pub trips: &'r Arc<AtomicU64>,
}

/// A condition that a device looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// A `bool` of a byte, which is true where that is not zero.
    Is(Cell),
    /// Values of one type.
    Compare(Comparison, Term, Term),
    /// The opposite.
    Not(Box<Self>),
    /// Both.
    And(Box<[Self; 2]>),
    /// One or both.
    Or(Box<[Self; 2]>),
    /// One and not both.
    Xor(Box<[Self; 2]>),
}

/// A value of a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A constant of a type.
    Value(ScalarTy, Number),
    /// One that the device has.
    Cell(Cell),
}

/// A value in the memory of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The number of its memory.
    pub memory: usize,
    /// How many bytes from its start.
    pub offset: u64,
    /// Its type.
    pub ty: ScalarTy,
}
