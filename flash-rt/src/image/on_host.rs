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
    /// Memory that the image was in before and may be in again.
    spares: Vec<HostMemory>,
    /// How many launches under way use it while there are other images.
    pub(crate) n_launches: usize,
    /// Who waits for a host task or such a launch.
    pub(crate) waiting: Waiting,
}

impl OnHost {
    /// Notes that a host task uses a box in the memory at this address, perhaps before its turn has
    /// come.
    pub(crate) fn add(&mut self, section: &Section, at: usize, (is_early, writes): (bool, bool)) {
        self.readers.push(Reader { section: *section, at, is_early, writes });
    }

    /// Whether a host task writes the memory at this address.
    pub(crate) fn is_written(&self, at: usize) -> bool {
        self.readers.iter().any(|reader| reader.at == at && reader.writes)
    }

    /// The turn of a host task has come.
    pub(crate) fn begin(&mut self, section: &Section, at: usize) {
        let mut readers = self.readers.iter_mut();
        let known = readers.find(|r| r.is_early && r.at == at && r.section == *section);
        known.into_iter().for_each(|known| known.is_early = false);
    }

    /// Undoes one [`OnHost::add`], and calls all who wait.
    pub(crate) fn remove(&mut self, section: &Section, at: usize) {
        let mut readers = self.readers.iter();
        if let Some(at) = readers.position(|r| r.at == at && r.section == *section) {
            self.readers.swap_remove(at);
        }
        self.waiting.call();
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
