//! What can go wrong: text that is no PTX, and a grid that does what it must not.
//!
//! Nothing here decides how a driver reports it.

use std::fmt;

/// Text that cannot be taken as a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line of the text, counted from 1.
    pub line: u32,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PTX, line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ParseError {}

/// A launch that could not begin, or that ended before its last thread did.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The entry that was launched.
    pub entry: String,
    /// The line of the instruction in the text of the module, counted from 1; 0 where no instruction
    /// is to blame.
    pub line: u32,
    /// The instruction as it stands in the text, or nothing.
    pub instruction: String,
    /// The block, `%ctaid`.
    pub block: [u32; 3],
    /// The thread in its block, `%tid`; the first one where several did the same at once.
    pub thread: [u32; 3],
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FaultKind {
    /// Bytes that are in no allocation.
    IllegalAddress {
        /// The address, generic for `Space::Generic`, else an offset in its space.
        address: u64,
        /// How many bytes were asked for there.
        bytes: u32,
        /// The space that the instruction names, or that a generic address lies in.
        space: Space,
        /// What was to be done.
        access: Access,
    },
    /// An address that is no multiple of what the access needs.
    Misaligned {
        /// The address.
        address: u64,
        /// What it should be a multiple of.
        align: u32,
        /// The space.
        space: Space,
        /// What was to be done.
        access: Access,
    },
    /// The instruction `trap`.
    Trap,
    /// A failed `assert` of CUDA C++.
    Assert {
        /// The condition.
        condition: String,
        /// The file.
        file: String,
        /// The line there.
        source_line: u32,
        /// The function.
        function: String,
    },
    /// Everybody waits: threads at a barrier, or lanes for others of their warp.
    Deadlock {
        /// How many threads of the block wait.
        waiting: u32,
        /// What for.
        what: String,
    },
    /// An instruction, a form of it or a function that the interpreter has not.
    Unsupported {
        /// Its name, and what about it.
        what: String,
    },
    /// More instructions than [`Launch::steps`](crate::Launch::steps) allows.
    StepLimit,
    /// Two threads access a byte of shared memory with no barrier between them, one of them to write.
    Race {
        /// The offset in shared memory.
        address: u64,
        /// The other thread.
        other: [u32; 3],
        /// The line of its access.
        other_line: u32,
    },
    /// A launch that the entry does not admit: no such entry, too many threads, or parameters of
    /// another size.
    Launch {
        /// What is wrong, and what is accepted.
        what: String,
    },
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Space {
    /// Memory of the device.
    Global,
    /// Memory of the device that kernels only read.
    Const,
    /// Memory of a block.
    Shared,
    /// Memory of a thread.
    Local,
    /// Parameters.
    Param,
    /// Whichever the address lies in.
    Generic,
}

/// What an instruction does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It reads and writes as one.
    Atomic,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::Const => "constant",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "parameter",
            Space::Generic => "generic",
        })
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Load => "load",
            Access::Store => "store",
            Access::Atomic => "atomic",
        })
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::IllegalAddress { address, bytes, space, access } => {
                write!(f, "illegal address: {access} of {bytes} bytes at {address:#x} ({space})")
            }
            FaultKind::Misaligned { address, align, space, access } => {
                write!(f, "misaligned address: {access} at {address:#x} ({space}), ")?;
                write!(f, "which is no multiple of {align}")
            }
            FaultKind::Trap => f.write_str("trap"),
            FaultKind::Assert { condition, file, source_line, function } => {
                write!(f, "{file}:{source_line}: {function}: assertion `{condition}` failed")
            }
            FaultKind::Deadlock { waiting, what } => {
                write!(f, "deadlock: {waiting} threads wait for {what}")
            }
            FaultKind::Unsupported { what } => write!(f, "not supported: {what}"),
            FaultKind::StepLimit => f.write_str("more steps than the launch allows"),
            FaultKind::Race { address, other, other_line } => {
                write!(f, "race on byte {address} of shared memory with thread {other:?}, ")?;
                write!(f, "line {other_line}")
            }
            FaultKind::Launch { what } => write!(f, "cannot be launched: {what}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.entry, self.kind)?;
        if self.line > 0 {
            write!(f, "; line {}, `{}`, ", self.line, self.instruction)?;
            write!(f, "block {:?}, thread {:?}", self.block, self.thread)?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
