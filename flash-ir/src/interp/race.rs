//! Who touched what in a launch, and the first two items that must not have. It sees elements, not
//! bytes, and one launch: [`Recorder::clear`] starts the next.

use std::collections::HashMap;

/// How an item touched an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It read it.
    Read,
    /// It wrote it.
    Write,
    /// It changed it atomically.
    Atomic,
}

/// Two items that touched one element, at least one of them writing, not both atomically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The parameter.
    pub param: usize,
    /// Linear number of the element.
    pub element: usize,
    /// The item that came first in this run, and what it did.
    pub first: (u64, Touch),
    /// The other one.
    pub second: (u64, Touch),
}

/// An element that was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// The parameter.
    pub param: usize,
    /// Linear number of the element.
    pub element: usize,
    /// Whether an item read it.
    pub read: bool,
    /// Whether an item wrote it.
    pub written: bool,
}

/// Who touched an element so far. Two readers are enough: one of them differs from any writer.
#[derive(Clone, Copy, Debug, Default)]
struct Touched {
    readers: [Option<u64>; 2],
    writer: Option<u64>,
    atomics: [Option<u64>; 2],
}

/// Records the accesses of a launch.
#[derive(Debug, Default)]
pub struct Recorder {
    touched: HashMap<(usize, usize), Touched>,
    race: Option<Race>,
    accesses: u64,
}

impl Recorder {
    /// Nothing so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything: what follows is another launch.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The first conflict met.
    pub fn race(&self) -> Option<Race> {
        self.race
    }

    /// The elements touched so far, in any order; what was changed atomically was read and written.
    pub fn elements(&self) -> impl Iterator<Item = Seen> + '_ {
        self.touched.iter().map(|(&(param, element), seen)| {
            let atomic = seen.atomics[0].is_some();
            let read = atomic || seen.readers[0].is_some();
            Seen { param, element, read, written: atomic || seen.writer.is_some() }
        })
    }

    /// Number of accesses seen.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// Notes an access to an element by its linear number.
    pub fn touch(&mut self, param: usize, element: usize, item: u64, touch: Touch) {
        self.accesses += 1;
        let seen = self.touched.entry((param, element)).or_default();
        let other = |items: &[Option<u64>]| items.iter().flatten().copied().find(|&x| x != item);
        let writer = other(&[seen.writer]).map(|other| (other, Touch::Write));
        let reader = other(&seen.readers).map(|other| (other, Touch::Read));
        let atomic = other(&seen.atomics).map(|other| (other, Touch::Atomic));
        let first = match touch {
            Touch::Read => writer.or(atomic),
            Touch::Write => writer.or(reader).or(atomic),
            Touch::Atomic => writer.or(reader),
        };
        if let Some(first) = first
            && self.race.is_none()
        {
            self.race = Some(Race { param, element, first, second: (item, touch) });
        }
        let add = |items: &mut [Option<u64>; 2]| {
            if items[0].is_none_or(|known| known == item) {
                items[0] = Some(item);
            } else if items[1].is_none() {
                items[1] = Some(item);
            }
        };
        match touch {
            Touch::Read => add(&mut seen.readers),
            Touch::Atomic => add(&mut seen.atomics),
            Touch::Write => seen.writer = seen.writer.or(Some(item)),
        }
    }
}
