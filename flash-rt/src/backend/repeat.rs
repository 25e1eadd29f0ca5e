//! Loops that a device runs by itself: launches that a backend keeps ready, again and again as long as a
//! condition of values in its memory holds. It does not say which loops these are.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use flash_ir::ScalarTy;

use super::Prepared;
use crate::cond::{Comparison, Number};
use crate::entry::Outcome;

/// Nobody asks for a loop of more launches.
pub const LONGEST: usize = 64;

/// A loop of launches that begins with a trip.
#[derive(Clone, Copy, Debug)]
pub struct Repeat<'r, M> {
    /// The launches of a trip, in their order, each with whom it tells what it notes. None of them reduces. Where
    /// trips take turns these are the launches of all of them, each of which is in a branch of a decision.
    pub launches: &'r [(Arc<dyn Prepared>, &'r Outcome)],
    /// Those of them that do not run in each trip: outer decisions before those inside of their branches, which
    /// are listed in the order in which a trip comes to them.
    pub decisions: &'r [Decision],
    /// What has to hold after a trip for another one. Nothing else may be asked: where a launch has noted
    /// something the loop ends with that trip.
    pub test: &'r Test,
    /// The memories that this and what decides read.
    pub cells: &'r [&'r M],
    /// How many trips it makes at most, one or more.
    pub most: u32,
    /// Told how many it has made, before anybody sees that the loop is complete.
    pub trips: &'r Arc<AtomicU64>,
}

/// Launches of a trip of which some run, as a condition says when the trip comes to them. Where a launch before
/// it has noted something in this trip none of them does.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What decides.
    pub test: Test,
    /// The launches that run where it holds, by their numbers, and behind them those that run where it does not.
    /// Not both are none.
    pub branches: [Range<usize>; 2],
    /// Told how often each branch was taken, as the trips are told.
    pub taken: [Arc<AtomicU64>; 2],
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

impl Test {
    /// What always holds.
    pub const fn always() -> Self {
        let yes = Term::Value(ScalarTy::Bool, Number::Bool(true));
        Self::Compare(Comparison::Eq, yes, yes)
    }
}

/// A value of a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A constant of a type.
    Value(ScalarTy, Number),
    /// One that the device has.
    Cell(Cell),
    /// How many trips there were before this one, modulo so many, as a `u32`.
    Turn(u32),
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
