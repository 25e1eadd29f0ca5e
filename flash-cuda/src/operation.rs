//! Operations of a stream that are not known to be over, and how far the stream is. It submits nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use flash_rt::DriverError;
use flash_rt::backend::Region;
use flash_rt::error::DriverErrorKind;

use crate::cu::{Event, Progress, Stream};
use crate::cycles::{LoopEnd, Looped};
use crate::lines::LINES;
use crate::memory::Storage;
use crate::record::{Noting, Records};
use crate::staging::{Job, Landing, Slot, Stage};

/// Something that an operation uses until it is over.
#[derive(Debug)]
#[expect(dead_code, reason = "what is in them is kept, and used by the device")]
pub(crate) enum Held {
    /// Memory of the device.
    Memory(Arc<Storage>),
    /// What is copied to the device.
    Bytes(Box<[u8]>),
    /// Pinned memory that the device reads.
    Slot(Slot),
    /// Records of a list of launches.
    Records(Arc<Records>),
    /// A loop.
    Cycle(Arc<Looped>),
}

/// What an operation is beside its commands.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// The kernel, where it is a launch.
    pub(crate) kernel: Option<&'static str>,
    pub(crate) held: Vec<Held>,
    /// A record to be read when it is over.
    pub(crate) noting: Option<Noting>,
    /// What a loop has noted, to be read then.
    pub(crate) looped: Option<LoopEnd>,
    /// Bytes to be brought to the host then.
    pub(crate) landings: Vec<Landing>,
}

impl Extras {
    /// Those of a copy of a memory.
    pub(crate) fn of(memory: &Arc<Storage>) -> Self {
        Self { held: vec![Held::Memory(Arc::clone(memory))], ..Self::default() }
    }
}

/// An operation that is not known to be complete.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) number: u64,
    /// The numbers of what it comes after in other streams, 0 for nothing.
    pub(crate) after: [u64; LINES],
    /// When it began, where that was asked for.
    pub(crate) begin: Option<Arc<Event>>,
    /// When it is over; `None` where that could not be noted.
    pub(crate) end: Option<Arc<Event>>,
    /// Why not all of its commands were submitted.
    pub(crate) cut_short: Option<Box<DriverError>>,
    /// The threads' part of it.
    pub(crate) job: Option<Arc<Job>>,
    pub(crate) extras: Extras,
}

/// What has to happen before an operation is over.
#[derive(Debug)]
pub(crate) enum Missing {
    /// Nothing, or this went wrong.
    Nothing(Option<DriverError>),
    /// Its event.
    Event(Arc<Event>),
    /// The threads' part, which is at this stage.
    Job(Arc<Job>, Stage),
}

impl Operation {
    /// What is missing of it.
    pub(crate) fn missing(&self, name: &str) -> Missing {
        let stage = self.job.as_ref().map_or(Stage::Over, |job| job.progress.stage());
        match (stage, &self.job) {
            (Stage::Open, Some(job)) => return Missing::Job(Arc::clone(job), stage),
            (Stage::Failed(Some(failure)), _) => return Missing::Nothing(Some(failure.on(name))),
            (Stage::Failed(None), _) => return Missing::Nothing(Some(given_up())),
            _ => {}
        }
        let progress = self.end.as_ref().map_or(Progress::Done, |end| end.progress());
        match (progress, &self.end, &self.job) {
            (Progress::UnderWay, Some(end), _) => Missing::Event(Arc::clone(end)),
            (Progress::Failed(failure), ..) => Missing::Nothing(Some(failure.on(name))),
            (_, _, Some(job)) if stage == Stage::Submitted => Missing::Job(Arc::clone(job), stage),
            _ => Missing::Nothing(self.cut_short.as_deref().cloned()),
        }
    }
}

#[cold]
fn given_up() -> DriverError {
    DriverError {
        api: "flash-cuda",
        code: -1,
        text: "a copy was given up".into(),
        kind: DriverErrorKind::GivenUp,
    }
}

/// A stream.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) stream: Option<Arc<Stream>>,
    /// The numbers of what was submitted last and what is known to be complete.
    pub(crate) issued: u64,
    pub(crate) done: u64,
    pub(crate) under_way: VecDeque<Operation>,
}

impl Line {
    /// Where the operation of a number is, if it may not be over.
    fn place(&self, number: u64) -> Option<usize> {
        let first = self.under_way.front()?.number;
        usize::try_from(number.checked_sub(first)?).ok()
    }

    /// The operation of a number, if it may not be over.
    pub(crate) fn operation(&self, number: u64) -> Option<&Operation> {
        self.under_way.get(self.place(number)?)
    }

    /// As [`Line::operation`].
    pub(crate) fn operation_mut(&mut self, number: u64) -> Option<&mut Operation> {
        let place = self.place(number)?;
        self.under_way.get_mut(place)
    }

    /// A copy up to a number that is not submitted yet to its end, so that nothing can follow it.
    pub(crate) fn open(&self, number: u64) -> Option<&Arc<Job>> {
        let up_to = self.under_way.iter().take_while(|operation| operation.number <= number);
        up_to
            .filter_map(|operation| operation.job.as_ref())
            .find(|job| job.progress.stage() == Stage::Open)
    }

    /// How many operations at the front are over; an error if one of them went wrong.
    pub(crate) fn look(&self, name: &str) -> (usize, Option<DriverError>) {
        for (k, operation) in self.under_way.iter().enumerate() {
            match operation.missing(name) {
                Missing::Nothing(None) => {}
                Missing::Nothing(error) => return (k, error),
                _ => return (k, None),
            }
        }
        (self.under_way.len(), None)
    }
}

/// Whether a copy of a region is short enough for a slot.
pub(crate) fn is_short(region: &Region) -> bool {
    region.bytes() <= crate::staging::SLOT
}
