//! Launches that go to the driver together: those that come again in the same order are a graph, which is one
//! call. It does not say which launches are held back. Fenced: it lets kernels run with the memory of
//! validated launches.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::sync::{Arc, Weak};

use crate::cu::{Failure, Stream};
use crate::instance::{Instance, addresses, notes};
use crate::kept::KeptLaunch;
use crate::nvtx;
use crate::record::{Records, Told};

/// So many launches of a stream are held back at most.
pub(crate) const AT_ONCE: usize = 32;
/// So few launches are not worth a graph.
const FEW: usize = 3;
/// So often launches come before they are made a graph, which takes as long as some hundred of them.
const BEFORE: u32 = 3;
/// So many lists of launches are known.
const KNOWN: usize = 16;
/// So many graphs are made of a list whose launches note something: each has records of its own, which are
/// in use until somebody has looked at them.
const INSTANCES: usize = 4;

/// A launch that was submitted and that the driver does not know yet.
#[derive(Debug)]
pub(crate) struct HeldBack {
    /// Its number in its stream.
    pub(crate) number: u64,
    pub(crate) launch: Arc<KeptLaunch>,
    /// Whom it tells what it notes, where it has a record.
    pub(crate) outcome: Option<Told>,
}

/// A list of launches that came.
#[derive(Debug)]
struct Known {
    launches: Box<[Weak<KeptLaunch>]>,
    /// How often it came.
    n: u32,
    instances: Vec<Instance>,
    /// Whether the driver made no graph of it.
    is_refused: bool,
}

/// Lists of launches that came, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    known: Vec<Known>,
    /// For launches that go one by one.
    records: Vec<Arc<Records>>,
}

/// What became of a list.
#[derive(Debug, Default)]
pub(crate) struct Submitted {
    /// The records of its launches.
    pub(crate) records: Option<Arc<Records>>,
    /// How many launches were submitted, and why the others were not.
    pub(crate) failed: Option<(usize, Failure)>,
    /// What commands were submitted for, so that it has to stay until they are over.
    pub(crate) used: Vec<Arc<Records>>,
}

impl Known {
    fn is(&self, launches: &[HeldBack]) -> bool {
        self.launches.len() == launches.len()
            && self.launches.iter().zip(launches).all(|(known, held)| {
                // A launch that is known is not freed, so no other one has its address.
                std::ptr::eq(known.as_ptr(), Arc::as_ptr(&held.launch))
            })
    }

    /// Whether it may come again.
    fn is_there(&self) -> bool {
        self.launches.iter().all(|launch| launch.upgrade().is_some_and(|launch| !launch.is_gone()))
    }

    /// A graph that is free of a list that differs in arguments only, taken from it.
    fn give(&mut self, launches: &[HeldBack]) -> Option<Instance> {
        let fits = |instance: &Instance| {
            instance.is_free() && instance.is_clean() && instance.is_like(launches)
        };
        let at = self.instances.iter().position(fits)?;
        Some(self.instances.swap_remove(at))
    }

    /// A graph that is free, if there is one or, of a list that came often enough, one can be made.
    fn instance(&mut self, stream: &Stream, launches: &[HeldBack]) -> Option<&Instance> {
        self.instances.retain(|instance| !instance.is_free() || instance.is_clean());
        if let Some(at) = self.instances.iter().position(Instance::is_free) {
            return self.instances.get(at);
        }
        if self.n < BEFORE || self.is_refused || self.instances.len() == INSTANCES {
            return None;
        }
        match Instance::new(stream, launches) {
            Ok(instance) => {
                self.instances.push(instance);
                self.instances.last()
            }
            Err(failure) => {
                let status = failure.words();
                tracing::debug!(api = failure.api, status, "launches are not made a graph");
                self.is_refused = true;
                None
            }
        }
    }
}

impl Batches {
    /// Forgets all: their context is gone.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
        self.records.clear();
    }

    /// Submits launches in their order. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// As `Prepared::submit` for each. What is used stays until all of them are complete or given up.
    pub(crate) unsafe fn submit(&mut self, stream: &Stream, launches: &[HeldBack]) -> Submitted {
        let mut submitted = Submitted::default();
        // SAFETY: as the caller vouches.
        let is_one =
            launches.len() > FEW && unsafe { self.as_one(stream, launches, &mut submitted) };
        if !is_one {
            // SAFETY: as the caller vouches.
            let failed = unsafe { self.one_by_one(stream, launches, &mut submitted) };
            submitted.failed = failed.err();
        }
        let n = notes(launches);
        // Those before one that failed may have noted something too.
        if let Some(records) = &submitted.records
            && let Err(failure) = records.end(stream, n)
        {
            // What they noted is not known.
            submitted.failed = Some((0, failure));
        }
        submitted
    }

    /// Submits each launch; else how many were, and why no more.
    ///
    /// # Safety
    ///
    /// As [`Batches::submit`].
    unsafe fn one_by_one(
        &mut self,
        stream: &Stream,
        launches: &[HeldBack],
        submitted: &mut Submitted,
    ) -> Result<(), (usize, Failure)> {
        let records = self.spare(launches).map_err(|failure| (0, failure))?;
        if let Some(records) = &records {
            submitted.used.push(Arc::clone(records));
            records.begin(stream).map_err(|failure| (0, failure))?;
        }
        let addresses = addresses(launches, records.as_ref());
        submitted.records = records;
        for (k, (held, record)) in launches.iter().zip(addresses).enumerate() {
            let _range = nvtx::range(held.launch.name());
            // SAFETY: as the caller vouches.
            unsafe { held.launch.enqueue(stream, record, &[]) }.map_err(|failure| (k, failure))?;
        }
        Ok(())
    }

    /// Records for launches that go one by one, where they have some.
    fn spare(&mut self, launches: &[HeldBack]) -> Result<Option<Arc<Records>>, Failure> {
        let Some(first) = launches.first().filter(|_| notes(launches) > 0) else { return Ok(None) };
        self.records.retain(|records| Arc::strong_count(records) > 1 || records.is_clean());
        let free = |records: &&Arc<Records>| Arc::strong_count(records) == 1 && records.is_clean();
        if let Some(records) = self.records.iter().find(free) {
            return Ok(Some(Arc::clone(records)));
        }
        let records = Arc::new(first.launch.device().records(AT_ONCE)?);
        self.records.push(Arc::clone(&records));
        Ok(Some(records))
    }

    /// Makes room for a list that is new. A graph of one that cannot come again, or that came longest ago of
    /// as many as are known, is changed for it where it differs in arguments only.
    ///
    /// # Safety
    ///
    /// As [`Batches::submit`].
    unsafe fn changed(&mut self, launches: &[HeldBack]) -> Option<Instance> {
        let is_full = self.known.len() == KNOWN;
        let mut found = None;
        for (k, known) in self.known.iter_mut().enumerate() {
            if found.is_none() && ((k == 0 && is_full) || !known.is_there()) {
                found = known.give(launches);
            }
        }
        if is_full {
            self.known.remove(0);
        }
        self.known.retain(|known| known.is_there() || !known.instances.is_empty());
        let mut instance = found?;
        // SAFETY: as the caller vouches.
        match unsafe { instance.change(launches) } {
            Ok(()) => Some(instance),
            Err(failure) => {
                let status = failure.words();
                tracing::debug!(api = failure.api, status, "a graph is not changed");
                None
            }
        }
    }

    /// Submits launches as a graph, where they are one that is free; whether they were.
    ///
    /// # Safety
    ///
    /// As [`Batches::submit`].
    unsafe fn as_one(
        &mut self,
        stream: &Stream,
        launches: &[HeldBack],
        submitted: &mut Submitted,
    ) -> bool {
        let mut known = match self.known.iter().position(|known| known.is(launches)) {
            Some(at) => self.known.remove(at),
            None => {
                // SAFETY: as the caller vouches.
                let instances = unsafe { self.changed(launches) }.into_iter().collect();
                let launches = launches.iter().map(|held| Arc::downgrade(&held.launch)).collect();
                Known { launches, n: 0, instances, is_refused: false }
            }
        };
        known.n = known.n.saturating_add(1);
        let instance = known.instance(stream, launches);
        let first = launches.first().map_or("", |held| held.launch.name());
        let range = instance.and_then(|_| nvtx::range_of(launches.len(), first, "graph"));
        // SAFETY: as the caller vouches.
        let result = instance.map(|instance| unsafe { instance.submit(stream, submitted) });
        drop(range);
        if let Some(Err(_)) = result {
            known.instances.clear();
        }
        self.known.push(known);
        matches!(result, Some(Ok(())))
    }
}
