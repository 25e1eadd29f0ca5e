//! Which boxes a pipeline touches, and which of its nodes do: what its runs hold in the ledger. It
//! holds nothing itself.

use std::sync::Arc;

use super::bind::{BoundLaunch, BoundParam};
use super::ids::IdMap;
use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::error::{Error, Result};
use crate::packed::Packed;
use crate::section::Section;

/// As many boxes can be given back before the end of a run.
const EARLY: usize = 64;

/// More boxes of one allocation than this are held as the whole of it.
const MAX_BOXES: usize = 8;

/// Boxes to be held, each once.
pub(super) struct Touched {
    pub(super) list: Vec<Access>,
    /// By whom each of them is touched, where `tracks` says that it matters.
    pub(super) uses: Vec<Use>,
    pub(super) tracks: bool,
    /// Which boxes each top-level node touches, as far as they can be given back early.
    pub(super) users: Vec<(u32, u32)>,
    /// The top-level node under way.
    pub(super) node: usize,
    /// Positions by allocation, used once the list is long.
    index: IdMap<Vec<usize>>,
    /// Allocations that are held as a whole, with their positions: the ones used last.
    whole: [(u64, usize); 4],
}

/// The error of who would write what is only to be read.
#[cold]
pub(super) fn read_only(section: &Section) -> Error {
    Error::Shape {
        what: "elements to write in an array that is only to be read".to_owned(),
        expected: vec![0],
        found: section.shape().to_vec(),
    }
}

/// By whom a box is touched.
#[derive(Clone, Copy)]
pub(super) struct Use {
    /// The last top-level node; `NOBODY` before there is one.
    pub(super) last: usize,
}

const NOBODY: usize = usize::MAX;

impl Touched {
    /// Nothing yet, in a list that is empty.
    pub(super) fn new(list: Vec<Access>, tracks: bool) -> Self {
        Self {
            list,
            uses: Vec::new(),
            tracks,
            users: Vec::new(),
            node: 0,
            index: IdMap::default(),
            whole: [(u64::MAX, 0); 4],
        }
    }

    /// Adds the arrays of a launch.
    pub(super) fn launch(&mut self, bound: &BoundLaunch) -> Result<()> {
        self.list.reserve(bound.params.len());
        for (array, use_) in bound.params.iter().filter_map(BoundParam::array) {
            self.add(array, if use_.writes { Mode::Write } else { Mode::Read })?;
        }
        Ok(())
    }

    pub(super) fn add(&mut self, array: &ArrayArg, mode: Mode) -> Result<()> {
        self.touch(&array.allocation, array.section, mode)
    }

    /// Adds a box of an argument.
    #[inline]
    pub(super) fn arg(&mut self, array: &Packed, mode: Mode) -> Result<()> {
        let id = array.allocation.id();
        match self.whole.iter().find(|(whole, _)| *whole == id) {
            Some(&(_, at)) if mode == Mode::Read || !array.allocation.is_read_only() => {
                self.list[at].mode = self.list[at].mode.max(mode);
                self.note(at);
                Ok(())
            }
            _ => self.touch(&array.allocation, array.section(), mode),
        }
    }

    fn touch(&mut self, allocation: &Arc<Allocation>, section: Section, mode: Mode) -> Result<()> {
        // The types of constructors exclude it; a stage made by hand does not.
        if mode == Mode::Write && allocation.is_read_only() {
            return Err(read_only(&section));
        }
        let at = self.place(allocation, section, mode);
        self.note(at);
        Ok(())
    }

    /// Notes who touches a box.
    #[inline]
    fn note(&mut self, at: usize) {
        if let Some(used) = self.uses.get_mut(at)
            && used.last != self.node
        {
            used.last = self.node;
            if at < EARLY {
                self.users.push((self.node as u32, at as u32));
            }
        }
    }

    /// The number of the box in the list, added if it is not there.
    fn place(&mut self, allocation: &Arc<Allocation>, section: Section, mode: Mode) -> usize {
        let id = allocation.id();
        // A map pays only from a few entries on, and a single launch never has that many.
        if self.list.len() < MAX_BOXES {
            let same = self
                .list
                .iter()
                .position(|access| access.allocation.id() == id && access.section == section);
            if let Some(at) = same {
                self.list[at].mode = self.list[at].mode.max(mode);
                return at;
            }
            let at = self.push(allocation, section, mode);
            if self.list.len() == MAX_BOXES {
                for (at, access) in self.list.iter().enumerate() {
                    self.index.entry(access.allocation.id()).or_default().push(at);
                }
            }
            return at;
        }
        let known = self.index.entry(id).or_default();
        if let Some(&first) = known.first()
            && self.list[first].section.len() == allocation.len()
            && self.list[first].section.rank() == 1
        {
            // All of it is held, whatever else is.
            self.list[first].mode = self.list[first].mode.max(mode);
            self.whole.rotate_right(1);
            self.whole[0] = (id, first);
            return first;
        }
        if let Some(&at) = known.iter().find(|&&at| self.list[at].section == section) {
            self.list[at].mode = self.list[at].mode.max(mode);
            return at;
        }
        if known.len() >= MAX_BOXES {
            let at = known[0];
            let first = &mut self.list[at];
            first.section = Section::whole(&[allocation.len()]);
            first.mode = first.mode.max(mode);
            return at;
        }
        known.push(self.list.len());
        self.push(allocation, section, mode)
    }

    fn push(&mut self, allocation: &Arc<Allocation>, section: Section, mode: Mode) -> usize {
        self.list.push(Access { allocation: Arc::clone(allocation), section, mode });
        if self.tracks {
            self.uses.push(Use { last: NOBODY });
        }
        self.list.len() - 1
    }
}
