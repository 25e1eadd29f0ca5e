//! What a file of compiled code holds, read before a driver sees it: its functions with their
//! parameters, the device that it is for, its globals. It runs nothing, and trusts no length that a
//! file says.

mod arch;
mod bytes;
mod cubin;
mod fatbin;
mod ptx;

use std::fmt;

pub(crate) use arch::{Arch, too_new};
pub(crate) use fatbin::Fatbin;

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Param {
    pub(crate) bytes: usize,
    /// Where it is in the parameters of its function.
    pub(crate) offset: usize,
}

/// A function that can be launched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    /// The most threads of a block in each dimension, where the code says.
    pub(crate) max_threads: Option<[u32; 3]>,
    /// The threads that a block has, where the code says.
    pub(crate) required: Option<[u32; 3]>,
    /// Registers of a thread, where they are known.
    pub(crate) registers: Option<u32>,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// What code has, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) arch: Arch,
    /// The version of the language, for a text of PTX.
    pub(crate) ptx: Option<(u32, u32)>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) globals: Vec<Global>,
}

/// Why bytes are not the code that they are said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// It begins as something else.
    NotThat(&'static str),
    /// It ends before what it says that it has.
    Short(&'static str),
    /// Something in it makes no sense.
    Odd(&'static str),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThat(what) => write!(f, "it is no {what}"),
            Self::Short(what) => write!(f, "it ends before its {what} does, so it is damaged"),
            Self::Odd(what) => write!(f, "its {what} makes no sense, so it is damaged"),
        }
    }
}

/// What the bytes of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ptx,
    Cubin,
    Fatbin,
}

impl Kind {
    /// What these bytes begin as; else what they are not.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(cubin::MAGIC) {
            Some(Self::Cubin)
        } else if bytes.starts_with(&fatbin::MAGIC) {
            Some(Self::Fatbin)
        } else if ptx::begins(bytes) {
            Some(Self::Ptx)
        } else {
            None
        }
    }
}

impl Metadata {
    /// What a text of PTX has.
    pub(crate) fn of_ptx(text: &str) -> Result<Self, Damage> {
        ptx::read(text)
    }

    /// What a cubin has.
    pub(crate) fn of_cubin(bytes: &[u8]) -> Result<Self, Damage> {
        cubin::read(bytes)
    }

    /// A function by its name.
    pub(crate) fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The names of all functions, for a person.
    pub(crate) fn names(&self) -> String {
        let all: Vec<String> =
            self.entries.iter().map(|entry| format!("`{}`", entry.name)).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    }
}

#[cfg(test)]
mod tests;
