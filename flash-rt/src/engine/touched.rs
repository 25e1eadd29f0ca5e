//! Which boxes a pipeline touches, and which of its nodes do: what its runs hold in the ledger. It
//! holds nothing itself.

use std::sync::Arc;

use super::bind::{BoundLaunch, BoundParam};
use super::ids::IdMap;
use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::error::{Error, Result};
use crate::section::Section;

/// As many boxes can be given back before the end of a run.
const EARLY: usize = 64;

/// More boxes of one allocation than this are held as the whole of it.
const MAX_BOXES: usize = 8;

/// Boxes to be held, each once.
#[derive(Default)]
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
}

/// By whom a box is touched.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    /// The last top-level node.
    pub(super) last: usize,
}

impl Touched {
    /// Nothing yet, in a list that is empty.
    pub(super) fn new(list: Vec<Access>, tracks: bool) -> Self {
        Self { list, tracks, ..Self::default() }
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
        // The types of constructors exclude it; a stage made by hand does not.
        if mode == Mode::Write && array.allocation.is_read_only() {
            return Err(Error::Shape {
                what: "elements to write in an array that is borrowed to be read".to_owned(),
                expected: vec![0],
                found: array.section.shape().to_vec(),
            });
        }
        let at = self.place(array, mode);
        if let Some(used) = self.uses.get_mut(at) {
            used.last = self.node;
            let user = (self.node as u32, at as u32);
            let of_node = self.users.iter().rev().take_while(|(node, _)| *node == user.0);
            if at < EARLY && !of_node.copied().any(|known| known == user) {
                self.users.push(user);
            }
        }
        Ok(())
    }

    /// The number of the box in the list, added if it is not there.
    fn place(&mut self, array: &ArrayArg, mode: Mode) -> usize {
        let section = array.section;
        let id = array.allocation.id();
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
            let at = self.push(&array.allocation, section, mode);
            if self.list.len() == MAX_BOXES {
                for (at, access) in self.list.iter().enumerate() {
                    self.index.entry(access.allocation.id()).or_default().push(at);
                }
            }
            return at;
        }
        let known = self.index.entry(id).or_default();
        if let Some(&first) = known.first()
            && self.list[first].section.len() == array.allocation.len()
            && self.list[first].section.rank() == 1
        {
            // All of it is held, whatever else is.
            self.list[first].mode = self.list[first].mode.max(mode);
            return first;
        }
        if let Some(&at) = known.iter().find(|&&at| self.list[at].section == section) {
            self.list[at].mode = self.list[at].mode.max(mode);
            return at;
        }
        if known.len() >= MAX_BOXES {
            let at = known[0];
            let first = &mut self.list[at];
            first.section = Section::whole(&[array.allocation.len()]);
            first.mode = first.mode.max(mode);
            return at;
        }
        known.push(self.list.len());
        self.push(&array.allocation, section, mode)
    }

    fn push(&mut self, allocation: &Arc<Allocation>, section: Section, mode: Mode) -> usize {
        self.list.push(Access { allocation: Arc::clone(allocation), section, mode });
        if self.tracks {
            self.uses.push(Use::default());
        }
        self.list.len() - 1
    }
}
