//! An entry ready to run: its operations in one array, with all functions that it calls.
//!
//! How it is made from a tree is in `lower`, how it runs in `exec`.

use std::sync::Arc;

use crate::fault::Space;
use crate::lanes::{Comparison, Compute, Mask, Reg};

/// The number of a predicate in a warp.
pub(crate) type Pred = u32;

/// No register, no predicate.
pub(crate) const NONE: u32 = u32::MAX;

/// Addresses of shared memory, as generic ones.
pub(crate) const SHARED_WINDOW: u64 = 1 << 57;
/// Those of local memory.
pub(crate) const LOCAL_WINDOW: u64 = 2 << 57;
/// Those of parameters.
pub(crate) const PARAM_WINDOW: u64 = 3 << 57;
/// Those of functions.
pub(crate) const FUNCTION_WINDOW: u64 = 4 << 57;
/// Those of what a cooperative grid shares, for its barrier.
pub(crate) const GRID_WINDOW: u64 = 5 << 57;
/// The bits that say in which window an address is.
pub(crate) const WINDOWS: u64 = !((1 << 57) - 1);

/// An entry with all that it calls.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
    /// Where each operation stands in the text.
    pub(crate) places: Vec<Place>,
    /// Where the entry begins.
    pub(crate) start: u32,
    /// What the first registers hold.
    pub(crate) fixed: Vec<Fixed>,
    /// All registers and predicates of a warp.
    pub(crate) registers: usize,
    pub(crate) predicates: usize,
    /// Bytes of the entry's own part of a thread's local memory.
    pub(crate) frame: u32,
    /// Where the functions of the module begin, by number, if they are part of this program.
    pub(crate) functions: Vec<Option<Target>>,
    /// Bytes of static shared memory; dynamic shared memory begins behind it, where `dynamic` says.
    pub(crate) shared: u32,
    pub(crate) dynamic: u32,
    /// How many registers are alive at once, a guess.
    pub(crate) pressure: u32,
}

/// A function that may be called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) pc: u32,
    /// Bytes of its part of a thread's local memory.
    pub(crate) frame: u32,
}

/// Where an operation stands in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) span: (u32, u32),
}

/// What a register holds from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fixed {
    /// Bits.
    Value(u64),
    /// The address of a variable of the module, and what is added.
    Global(usize, u64),
    /// Bytes of the parameters, whether with a sign.
    Param {
        offset: usize,
        bytes: u8,
        signed: bool,
    },
    /// Where the frame of a thread begins in its local memory.
    Frame,
    /// Where dynamic shared memory begins.
    Dynamic(u64),
    Special(Special),
}

/// A register that the machine writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    LaneId,
    WarpId,
    WarpCount,
    LanesEq,
    LanesLt,
    LanesLe,
    LanesGt,
    LanesGe,
    DynamicShared,
    TotalShared,
    /// The two halves of the address of what a grid shares.
    GridLow,
    GridHigh,
}

/// An operation, and what it waits for.
#[derive(Debug)]
pub(crate) struct Op {
    /// The predicate, or `NONE`.
    pub(crate) guard: Pred,
    /// Whether it must be false.
    pub(crate) negated: bool,
    pub(crate) kind: Kind,
}

/// Bytes copied between the frames of a caller and of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    /// In the frame of the caller.
    pub(crate) caller: u32,
    /// In the frame of the function.
    pub(crate) callee: u32,
    pub(crate) bytes: u32,
}

/// A call.
#[derive(Debug)]
pub(crate) struct Call {
    /// The number of the function, or the register that has its address.
    pub(crate) to: std::result::Result<usize, Reg>,
    pub(crate) arguments: Vec<Passed>,
    pub(crate) results: Vec<Passed>,
    /// Bytes of the caller's frame, behind which that of the function begins.
    pub(crate) frame: u32,
    /// The caller's registers, which are put aside where the function may come back to the caller.
    pub(crate) saved: Option<Saved>,
}

/// Registers and predicates of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saved {
    pub(crate) registers: (u32, u32),
    pub(crate) predicates: (u32, u32),
}

/// What an atomic operation makes of what is there and its operands.
pub(crate) type Update = Arc<dyn Fn(u64, u64, u64) -> u64 + Send + Sync>;

/// What is found out about all threads of a block at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Survey {
    Count,
    All,
    Any,
}

/// Which lane a shuffle takes its value from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

/// What a vote finds out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// A predicate as it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(crate) pred: Pred,
    pub(crate) negated: bool,
}

/// Where memory is accessed: a register and an offset in a space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) space: Space,
    pub(crate) base: Reg,
    pub(crate) offset: u64,
}

/// What an operation does.
pub(crate) enum Kind {
    Compute {
        f: Compute,
        d: Reg,
        s: [Reg; 3],
    },
    /// `d = f(a, b) with p`, `e = !f(a, b) with p`.
    Compare {
        f: Comparison,
        d: Pred,
        e: Pred,
        s: [Reg; 2],
        with: Option<(Logic, Condition)>,
    },
    Choose {
        d: Reg,
        a: Reg,
        b: Reg,
        p: Condition,
    },
    Logic {
        f: Logic,
        d: Pred,
        a: Condition,
        b: Condition,
    },
    Load {
        at: At,
        bytes: u8,
        signed: bool,
        d: Box<[Reg]>,
        polls: bool,
    },
    Store {
        at: At,
        bytes: u8,
        s: Box<[Reg]>,
    },
    Atomic {
        at: At,
        bytes: u8,
        f: Update,
        d: Reg,
        b: Reg,
        c: Reg,
    },
    /// Copies from global to shared memory, and fills up with zeros.
    Copy {
        to: At,
        from: At,
        bytes: u32,
        present: Reg,
    },
    Jump {
        to: u32,
    },
    JumpTable {
        to: Box<[u32]>,
        index: Reg,
    },
    Call(Box<Call>),
    Return,
    Exit,
    Trap,
    Barrier {
        id: Reg,
        count: Reg,
        wait: bool,
        survey: Option<(Survey, Condition)>,
        d: Reg,
        p: Pred,
    },
    SyncWarp {
        members: Reg,
    },
    Shuffle {
        mode: Shuffle,
        d: Reg,
        p: Pred,
        a: Reg,
        b: Reg,
        c: Reg,
        members: Reg,
    },
    Vote {
        mode: Vote,
        d: Reg,
        p: Pred,
        of: Condition,
        members: Reg,
    },
    /// The lanes whose register is equal; where `all`, none or every one.
    Match {
        all: bool,
        bits: u32,
        d: Reg,
        p: Pred,
        a: Reg,
        members: Reg,
    },
    Reduce {
        f: Update,
        d: Reg,
        a: Reg,
        members: Reg,
    },
    /// One lane of those that are there.
    Elect {
        d: Reg,
        p: Pred,
        members: Reg,
    },
    ActiveMask {
        d: Reg,
    },
    Clock {
        d: Reg,
    },
    /// The warp waits for others.
    Pause,
    Nothing,
    /// A failed `assert`: the caller's frame holds the parameters from here on.
    Assert {
        params: [u32; 4],
    },
    /// A function that the module only declares: places and bytes of parameters and result.
    External {
        name: Box<str>,
        params: Box<[(u32, u32)]>,
        result: Option<(u32, u32)>,
    },
    Refused {
        what: Box<str>,
    },
}

/// A function of two predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
    /// The first one.
    First,
}

impl Logic {
    /// The result in each lane.
    pub(crate) fn of(self, a: Mask, b: Mask) -> Mask {
        match self {
            Logic::And => a & b,
            Logic::Or => a | b,
            Logic::Xor => a ^ b,
            Logic::First => a,
        }
    }
}

/// How an operation uses a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Reads,
    Writes,
    ReadsPred,
    WritesPred,
}

impl Op {
    /// Shows every register and predicate that the operation names.
    pub(crate) fn visit(&mut self, see: &mut dyn FnMut(&mut u32, Use)) {
        use Use::{Reads, ReadsPred, Writes, WritesPred};
        // Those that are not there are not shown.
        let mut see = |slot: &mut u32, how| {
            if *slot != NONE {
                see(slot, how);
            }
        };
        see(&mut self.guard, ReadsPred);
        match &mut self.kind {
            Kind::Compute { d, s, .. } => {
                s.iter_mut().for_each(|s| see(s, Reads));
                see(d, Writes);
            }
            Kind::Compare { d, e, s, with, .. } => {
                s.iter_mut().for_each(|s| see(s, Reads));
                if let Some((_, with)) = with {
                    see(&mut with.pred, ReadsPred);
                }
                see(d, WritesPred);
                see(e, WritesPred);
            }
            Kind::Choose { d, a, b, p } => {
                see(a, Reads);
                see(b, Reads);
                see(&mut p.pred, ReadsPred);
                see(d, Writes);
            }
            Kind::Logic { d, a, b, .. } => {
                see(&mut a.pred, ReadsPred);
                see(&mut b.pred, ReadsPred);
                see(d, WritesPred);
            }
            Kind::Load { at, d, .. } => {
                see(&mut at.base, Reads);
                d.iter_mut().for_each(|d| see(d, Writes));
            }
            Kind::Store { at, s, .. } => {
                see(&mut at.base, Reads);
                s.iter_mut().for_each(|s| see(s, Reads));
            }
            Kind::Atomic { at, d, b, c, .. } => {
                see(&mut at.base, Reads);
                see(b, Reads);
                see(c, Reads);
                see(d, Writes);
            }
            Kind::Copy { to, from, present, .. } => {
                see(&mut to.base, Reads);
                see(&mut from.base, Reads);
                see(present, Reads);
            }
            Kind::JumpTable { index, .. } => see(index, Reads),
            Kind::Call(call) => {
                if let Err(register) = &mut call.to {
                    see(register, Reads);
                }
            }
            Kind::Barrier { id, count, survey, d, p, .. } => {
                see(id, Reads);
                see(count, Reads);
                if let Some((_, of)) = survey {
                    see(&mut of.pred, ReadsPred);
                }
                see(d, Writes);
                see(p, WritesPred);
            }
            Kind::SyncWarp { members } => see(members, Reads),
            Kind::Shuffle { d, p, a, b, c, members, .. } => {
                [a, b, c, members].into_iter().for_each(|s| see(s, Reads));
                see(d, Writes);
                see(p, WritesPred);
            }
            Kind::Vote { d, p, of, members, .. } => {
                see(&mut of.pred, ReadsPred);
                see(members, Reads);
                see(d, Writes);
                see(p, WritesPred);
            }
            Kind::Match { d, p, a, members, .. } => {
                see(a, Reads);
                see(members, Reads);
                see(d, Writes);
                see(p, WritesPred);
            }
            Kind::Reduce { d, a, members, .. } => {
                see(a, Reads);
                see(members, Reads);
                see(d, Writes);
            }
            Kind::Elect { d, p, members } => {
                see(members, Reads);
                see(d, Writes);
                see(p, WritesPred);
            }
            Kind::ActiveMask { d } | Kind::Clock { d } => see(d, Writes),
            Kind::Jump { .. }
            | Kind::Return
            | Kind::Exit
            | Kind::Trap
            | Kind::Pause
            | Kind::Nothing
            | Kind::Assert { .. }
            | Kind::External { .. }
            | Kind::Refused { .. } => {}
        }
    }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kind")
    }
}
