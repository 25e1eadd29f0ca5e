//! The host's image of an array: which host tasks use it, in which memory, and where it was before.
//! It waits for nobody and moves nothing.

use std::sync::atomic::{AtomicPtr, Ordering};

use crate::backend::clock::Waiting;
use crate::section::Section;

/// Memory of the host for all elements of an array.
#[derive(Debug)]
pub(crate) struct HostMemory {
    pub(crate) start: AtomicPtr<u8>,
    /// For how many elements the vector has memory that it was taken from; 0 if it was not.
    pub(crate) capacity: usize,
}

impl HostMemory {
    fn at(&self) -> usize {
        self.start.load(Ordering::Relaxed).addr()
    }
}

/// A host task that uses a box, in the memory that the host's image was in then.
#[derive(Clone, Copy, Debug)]
struct Reader {
    id: u64,
    section: Section,
    /// The address of that memory.
    at: usize,
    /// Whether its turn is still to come, so that nobody may wait for its end.
    is_early: bool,
    writes: bool,
}

/// What uses the host's image.
#[derive(Debug, Default)]
pub(crate) struct OnHost {
    /// Host tasks whom not everybody waits for.
    readers: Vec<Reader>,
    /// Memory that the image was in before and may be in again, or that has what such tasks read.
    spares: Vec<HostMemory>,
    /// How many readers there have been.
    n_added: u64,
    /// How many launches under way use it while there are other images.
    pub(crate) n_launches: usize,
    /// Who waits for a host task or such a launch.
    pub(crate) waiting: Waiting,
}

impl OnHost {
    /// Notes that a host task uses a box in the memory at this address, perhaps before its turn has
    /// come; its number.
    pub(crate) fn add(
        &mut self,
        section: &Section,
        at: usize,
        (is_early, writes): (bool, bool),
    ) -> u64 {
        let id = self.n_added;
        self.n_added += 1;
        self.readers.push(Reader { id, section: *section, at, is_early, writes });
        id
    }

    /// Whether a host task that has begun writes what one is to read whose turn is still to come, and which
    /// has elements of this box in the memory at this address: a task that reads what it wrote in its
    /// last turn.
    pub(crate) fn is_fed(&self, section: &Section, at: usize) -> bool {
        let begun = |r: &&Reader| !r.is_early && r.writes && r.at == at;
        let mut writers = self.readers.iter().filter(begun);
        writers.any(|writer| self.early(section, at).any(|read| read.overlaps(&writer.section)))
    }

    /// The turn of a host task has come; the address of the memory that it uses from now on.
    pub(crate) fn begin(&mut self, id: u64) -> Option<usize> {
        let known = self.readers.iter_mut().find(|reader| reader.id == id)?;
        known.is_early = false;
        Some(known.at)
    }

    /// Undoes [`OnHost::begin`], as the turn of the host task will come once more, and calls all who wait:
    /// it may in turn wait for them. Whether it only reads.
    pub(crate) fn postpone(&mut self, id: u64) -> bool {
        let known = self.readers.iter_mut().find(|reader| reader.id == id && !reader.writes);
        if let Some(reader) = known {
            reader.is_early = true;
            self.waiting.call();
            return true;
        }
        false
    }

    /// Undoes one [`OnHost::add`], and calls all who wait.
    pub(crate) fn remove(&mut self, id: u64) {
        if let Some(at) = self.readers.iter().position(|reader| reader.id == id) {
            self.readers.swap_remove(at);
        }
        self.waiting.call();
    }

    /// The boxes that host tasks whose turn is still to come use in the memory at this address, of those
    /// that have elements of this box.
    pub(crate) fn early(&self, section: &Section, at: usize) -> impl Iterator<Item = &Section> {
        let meets = move |r: &&Reader| r.is_early && r.at == at && r.section.overlaps(section);
        self.readers.iter().filter(meets).map(|reader| &reader.section)
    }

    /// Those use the memory at another address, which has what they read.
    pub(crate) fn move_early(&mut self, section: &Section, from: usize, to: usize) {
        let meets = |r: &&mut Reader| r.is_early && r.at == from && r.section.overlaps(section);
        self.readers.iter_mut().filter(meets).for_each(|reader| reader.at = to);
    }

    /// The memory at an address, of those that the image is not in.
    pub(crate) fn spare(&self, at: usize) -> Option<*mut u8> {
        let spare = self.spares.iter().find(|memory| memory.at() == at)?;
        Some(spare.start.load(Ordering::Relaxed))
    }

    /// A launch no longer uses it; calls all who wait.
    pub(crate) fn launch_ended(&mut self) {
        self.n_launches = self.n_launches.saturating_sub(1);
        self.waiting.call();
    }

    /// Whether a host task uses elements of a box in the memory at this address, and whether the
    /// turn of one that does is still to come.
    pub(crate) fn reads(&self, section: &Section, at: usize) -> Option<bool> {
        let here = self.readers.iter().filter(|r| r.at == at && r.section.overlaps(section));
        here.map(|reader| reader.is_early).reduce(|a, b| a | b)
    }

    /// How many memories there are beside the one that the image is in.
    pub(crate) fn n_spares(&self) -> usize {
        self.spares.len()
    }

    /// Takes a memory that nobody uses.
    pub(crate) fn take_free(&mut self) -> Option<HostMemory> {
        let Self { readers, spares, .. } = self;
        let is_free = |memory: &HostMemory| readers.iter().all(|reader| reader.at != memory.at());
        spares.iter().position(is_free).map(|free| spares.remove(free))
    }

    /// Keeps the memory that the image has left.
    pub(crate) fn keep(&mut self, left: HostMemory) {
        self.spares.push(left);
    }

    /// Takes all of them.
    pub(crate) fn take_spares(&mut self) -> Vec<HostMemory> {
        std::mem::take(&mut self.spares)
    }
}
