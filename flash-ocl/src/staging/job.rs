//! A long copy through pinned pieces: what there is of it, and how its parts are made. Fenced: it copies
//! bytes that were lent.
#![allow(unsafe_code, reason = "copies bytes that were lent")]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use flash_rt::backend::Region;
use flash_rt::offload::staging::{Part, Progress, Stage, Way, Work, cut, gather, packed, scatter};

use super::ring::{PIECE, Piece, Ring};
use crate::cl::{self, Event, Failure, Queue, Waits};
use crate::copies;
use crate::memory::Storage;
use crate::operation::{Commands, Events};

/// What others may wait for.
#[derive(Debug, Default)]
struct Marks {
    events: Events,
    /// Whether all is submitted, or nothing more will be.
    is_settled: bool,
    /// What somebody waits for who came before that. It is completed whatever becomes of the copy.
    gate: Option<Event>,
}

/// A long copy.
#[derive(Debug)]
pub(crate) struct Job {
    way: Way,
    ring: Arc<Ring>,
    /// That of all copies through the ring.
    queue: Queue,
    memory: Arc<Storage>,
    /// What it comes after that the driver knows.
    after: Vec<Event>,
    /// The copy before it in its queue, until that is submitted.
    before: Mutex<Option<Arc<Job>>>,
    marks: Mutex<Marks>,
    progress: Progress<Failure>,
}

// SAFETY: the bytes of the host are lent to the copy until it is over, whichever threads make it.
unsafe impl Send for Job {}
// SAFETY: each part is one thread's.
unsafe impl Sync for Job {}

/// What is missing of a copy.
#[derive(Debug)]
pub(crate) enum Missing {
    /// Nothing, or this went wrong.
    Nothing(Option<Failure>),
    /// What its threads do.
    Threads(Stage<Failure>),
    /// What the device does.
    Event(Event),
    /// Nothing will be done any more, as it was given up.
    GivenUp,
}

impl Work for Job {
    type Tools = ();

    fn has_more(&self) -> bool {
        self.progress.has_more()
    }

    fn help(&self, (): &()) {
        while let Some((k, part)) = self.progress.begin() {
            let made = self.make(k, part);
            if made.is_err() {
                self.settle();
            }
            self.progress.end(made);
        }
    }
}

impl Job {
    /// A copy of regions that were checked, which comes after these events and another copy. Nothing in the
    /// queue waits for what is submitted to it later.
    ///
    /// # Safety
    ///
    /// Until it is over or given up, the bytes of the host are lent to it, and nothing else under way uses
    /// those of the device.
    pub(crate) unsafe fn new(
        (way, ring, queue): (Way, &Arc<Ring>, &Queue),
        memory: &Arc<Storage>,
        (there, here): (&Region, &Region),
        (after, before): (Vec<Event>, Option<Arc<Self>>),
    ) -> Self {
        Self {
            way,
            ring: Arc::clone(ring),
            queue: queue.clone(),
            memory: Arc::clone(memory),
            after,
            before: Mutex::new(before),
            marks: Mutex::default(),
            progress: Progress::new(cut(there, here, PIECE), matches!(way, Way::Down(_))),
        }
    }

    fn marks(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is over when the device is done with it, for commands that come after it. They run too where it
    /// has failed, as with drivers that do not pass a failure on.
    pub(crate) fn event(&self) -> Result<Option<Event>, Failure> {
        let mut marks = self.marks();
        if marks.is_settled {
            return Ok(marks.events.last().cloned());
        }
        if marks.gate.is_none() {
            marks.gate = Some(self.ring.context().user_event()?);
        }
        Ok(marks.gate.clone())
    }

    /// Lets go on what waits for it.
    fn settle(&self) {
        let gate = {
            let mut marks = self.marks();
            marks.is_settled = true;
            marks.gate.take()
        };
        if let Some(Err(failure)) = gate.map(|gate| gate.complete()) {
            let status = cl::name(failure.code);
            tracing::debug!(status, "an event of a copy could not be completed");
        }
    }

    /// When it ran.
    pub(crate) fn span(&self) -> Option<(Duration, Duration)> {
        self.marks().events.span()
    }

    /// What is missing of it.
    pub(crate) fn missing(&self) -> Missing {
        let stage = self.progress.stage();
        match (stage, self.way) {
            (Stage::Open, _) | (Stage::Submitted, Way::Down(_)) => Missing::Threads(stage),
            (Stage::Failed(None), _) => Missing::GivenUp,
            (Stage::Failed(failure), _) => Missing::Nothing(failure),
            (Stage::Over, Way::Down(_)) => Missing::Nothing(None),
            (Stage::Submitted | Stage::Over, Way::Up(_)) => {
                let marks = self.marks();
                match (marks.events.progress(), marks.events.last()) {
                    (cl::Progress::UnderWay, Some(last)) => Missing::Event(last.clone()),
                    (cl::Progress::Failed(code), _) => Missing::Nothing(Some(Failure::late(code))),
                    _ => Missing::Nothing(None),
                }
            }
        }
    }

    /// Returns when it is no longer at a stage.
    pub(crate) fn leave(&self, stage: Stage<Failure>) {
        self.progress.leave(stage);
    }

    /// Lets nobody begin or submit a part any more, nor wait for it.
    pub(crate) fn stop(&self) {
        self.progress.stop();
        self.settle();
    }

    /// Returns when nobody is at a part, of one that is stopped.
    pub(crate) fn give_up(&self) {
        self.progress.give_up();
    }

    /// Makes one part.
    fn make(&self, k: usize, part: &Part) -> Result<(), Failure> {
        let piece = self.ring.take()?;
        let mut events = Events::default();
        let made = self.copy(piece.as_ref().map(Piece::start), k, part, &mut events);
        if let Some(mut piece) = piece {
            piece.last = events.into_last();
            self.ring.give(piece);
        }
        made
    }

    /// Copies a part through a piece, or without one; the events of its commands.
    fn copy(
        &self,
        piece: Option<*mut u8>,
        k: usize,
        (there, here): &Part,
        events: &mut Events,
    ) -> Result<(), Failure> {
        if let (Way::Up(src), Some(piece)) = (self.way, piece) {
            // SAFETY: the runs are lent, and the piece has room for all of a part and is not in use.
            unsafe { gather(piece, src, here) };
        }
        if k == 0 {
            let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(before) = before {
                before.leave(Stage::Open);
            }
        }
        if !self.progress.turn(k) {
            return Ok(());
        }
        let mut waits = Waits::none();
        for event in self.after.iter().filter(|_| k == 0) {
            if !waits.add(event) {
                return Err(Failure { api: "clEnqueueWriteBuffer", code: TOO_MANY });
            }
        }
        let mut commands = Commands::new(&self.queue, waits);
        let (in_piece, memory) = (packed(here), &self.memory);
        let submitted = match (self.way, piece) {
            // SAFETY: the regions were checked, and the piece is not used before the commands are over.
            (Way::Up(_), Some(piece)) => unsafe {
                copies::upload(&mut commands, memory, *there, piece, in_piece)
            },
            // SAFETY: the regions were checked, and the bytes are lent.
            (Way::Up(src), None) => unsafe {
                copies::upload(&mut commands, memory, *there, src, *here)
            },
            // SAFETY: as for the first one.
            (Way::Down(_), Some(piece)) => unsafe {
                copies::download(&mut commands, memory, *there, piece, in_piece)
            },
            // SAFETY: as for the second one.
            (Way::Down(dst), None) => unsafe {
                copies::download(&mut commands, memory, *there, dst, *here)
            },
        };
        *events = commands.into_events();
        let flushed = self.queue.flush();
        submitted.and(flushed)?;
        let mut is_last = false;
        self.progress.submitted(|is_end| {
            let mut marks = self.marks();
            marks.events.extend(events);
            (marks.is_settled, is_last) = (marks.is_settled || is_end, is_end);
            Ok(())
        })?;
        if let Way::Down(dst) = self.way {
            events.wait()?;
            if is_last {
                self.settle();
            }
            if let Some(piece) = piece {
                // SAFETY: the runs are lent, and the copy to the piece is over.
                unsafe { scatter(piece, dst, here) };
            }
            self.progress.landed();
        } else if is_last && self.marks().gate.is_some() {
            // What it says of a failure it says to whoever looks for that.
            let _ = events.wait();
            self.settle();
        }
        Ok(())
    }
}

/// There is room for an event of each queue.
const TOO_MANY: i32 = opencl_sys::CL_INVALID_EVENT_WAIT_LIST;
