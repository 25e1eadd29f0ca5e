//! Captures: what streams would run becomes nodes of a graph. Which calls a capture forbids is said
//! here; the calls themselves are not.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use crate::codes::{Code, Outcome};
use crate::driver::driver;
use crate::event::Event;
use crate::graph::{Graph, What};
use crate::locks::lock;
use crate::stream::Stream;
use crate::task::Task;

/// Which other calls a capture forbids.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Mode {
    /// Of any thread.
    Global,
    /// Of the thread that began it.
    ThreadLocal,
    /// None.
    Relaxed,
}

impl Mode {
    pub(crate) fn from_number(number: u32) -> Outcome<Self> {
        match number {
            0 => Ok(Self::Global),
            1 => Ok(Self::ThreadLocal),
            2 => Ok(Self::Relaxed),
            _ => Err(Code::INVALID_VALUE),
        }
    }
}

#[derive(Debug, Default)]
struct State {
    is_broken: bool,
    has_ended: bool,
    /// The last nodes of each stream, by its number.
    tails: BTreeMap<u64, Vec<usize>>,
}

/// A capture.
#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) id: u64,
    pub(crate) graph: Arc<Graph>,
    origin: u64,
    mode: Mode,
    thread: ThreadId,
    state: Mutex<State>,
}

/// That a stream takes part in a capture.
pub(crate) type Joined = Arc<Capture>;

/// What an event stands for that was recorded in a capture.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    capture: Arc<Capture>,
    nodes: Vec<usize>,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Global) };
}

/// Replaces how strict this thread is, and says how strict it was.
pub(crate) fn exchange_mode(mode: Mode) -> Mode {
    MODE.replace(mode)
}

/// What `cuStreamGetCaptureInfo` says.
#[derive(Debug)]
pub(crate) struct Info {
    pub(crate) is_broken: bool,
    pub(crate) capture: Arc<Capture>,
    pub(crate) tails: Vec<usize>,
}

impl Capture {
    fn is_broken(&self) -> bool {
        lock(&self.state).is_broken
    }

    fn has_ended(&self) -> bool {
        lock(&self.state).has_ended
    }

    fn spoil(&self) {
        lock(&self.state).is_broken = true;
    }

    fn tails(&self, stream: &Stream) -> Vec<usize> {
        lock(&self.state).tails.get(&stream.number).cloned().unwrap_or_default()
    }

    fn set_tails(&self, stream: &Stream, mut tails: Vec<usize>) {
        tails.sort_unstable();
        tails.dedup();
        lock(&self.state).tails.insert(stream.number, tails);
    }

    /// Whether all other streams have come back to the one that the capture began with.
    fn is_joined(&self) -> bool {
        let state = lock(&self.state);
        let nodes = lock(&self.graph.nodes);
        let mut reached = BTreeSet::new();
        let mut open = state.tails.get(&self.origin).cloned().unwrap_or_default();
        while let Some(node) = open.pop() {
            if reached.insert(node) {
                open.extend(nodes.get(node).map_or(&[][..], |node| &node.after));
            }
        }
        state.tails.values().flatten().all(|node| reached.contains(node))
    }
}

/// The capture that a stream takes part in, if it can still be used.
fn joined(stream: &Stream) -> Outcome<Option<Arc<Capture>>> {
    let capture = lock(&stream.joined).clone();
    match capture {
        Some(capture) if capture.is_broken() => Err(Code::STREAM_CAPTURE_INVALIDATED),
        capture => Ok(capture),
    }
}

/// Begins a capture.
pub(crate) fn begin(
    stream: &Stream,
    graph: Option<Arc<Graph>>,
    after: Vec<usize>,
    mode: Mode,
) -> Outcome {
    if stream.handle == 0 {
        return Err(Code::STREAM_CAPTURE_UNSUPPORTED);
    }
    let mut slot = lock(&stream.joined);
    if slot.is_some() {
        return Err(Code::ILLEGAL_STATE);
    }
    let capture = Arc::new(Capture {
        id: driver().serial(),
        graph: graph.unwrap_or_else(Graph::create),
        origin: stream.number,
        mode,
        thread: std::thread::current().id(),
        state: Mutex::default(),
    });
    capture.set_tails(stream, after);
    *slot = Some(capture);
    Ok(())
}

/// Ends a capture and gives its graph.
pub(crate) fn end(stream: &Stream) -> Outcome<Arc<Graph>> {
    let capture = lock(&stream.joined).clone().ok_or(Code::ILLEGAL_STATE)?;
    if capture.origin != stream.number {
        capture.spoil();
        return Err(Code::STREAM_CAPTURE_UNMATCHED);
    }
    if capture.mode != Mode::Relaxed && capture.thread != std::thread::current().id() {
        return Err(Code::STREAM_CAPTURE_WRONG_THREAD);
    }
    let outcome = if capture.is_broken() {
        Err(Code::STREAM_CAPTURE_INVALIDATED)
    } else if capture.is_joined() {
        Ok(capture.graph.clone())
    } else {
        Err(Code::STREAM_CAPTURE_UNJOINED)
    };
    lock(&capture.state).has_ended = true;
    for other in driver().streams.all() {
        let mut slot = lock(&other.joined);
        if slot.as_ref().is_some_and(|joined| joined.id == capture.id) {
            *slot = None;
        }
    }
    if outcome.is_err() {
        capture.graph.destroy()?;
    }
    outcome
}

/// Whether a stream is being captured, and into what.
pub(crate) fn info(stream: &Stream) -> Option<Info> {
    let capture = lock(&stream.joined).clone()?;
    Some(Info { is_broken: capture.is_broken(), tails: capture.tails(stream), capture })
}

/// Replaces what the next node of a stream comes after, or adds to it.
pub(crate) fn follow(stream: &Stream, mut nodes: Vec<usize>, replaces: bool) -> Outcome {
    let capture = joined(stream)?.ok_or(Code::ILLEGAL_STATE)?;
    if !replaces {
        nodes.extend(capture.tails(stream));
    }
    capture.set_tails(stream, nodes);
    Ok(())
}

/// Adds a task to the graph, if the stream is being captured.
pub(crate) fn takes(stream: &Stream, task: impl FnOnce() -> Task) -> Outcome<bool> {
    let Some(capture) = joined(stream)? else { return Ok(false) };
    let task = task();
    let is_taken = match &task {
        Task::Copy(copy) => copy.is_repeatable(),
        Task::Free(_) => false,
        _ => true,
    };
    if !is_taken {
        capture.spoil();
        return Err(Code::STREAM_CAPTURE_UNSUPPORTED);
    }
    let node = capture.graph.add(What::Task(task), capture.tails(stream))?;
    capture.set_tails(stream, vec![node]);
    Ok(true)
}

/// Makes an event stand for what was captured of a stream so far.
pub(crate) fn records(stream: &Stream, event: &Event) -> Outcome<bool> {
    let Some(capture) = joined(stream)? else { return Ok(false) };
    let nodes = capture.tails(stream);
    event.capture(Captured { capture, nodes });
    Ok(true)
}

/// Makes a stream come after an event, where one of them belongs to a capture.
pub(crate) fn waits(stream: &Stream, event: &Event) -> Outcome<bool> {
    let own = joined(stream)?;
    match (own, event.captured()) {
        (None, None) => Ok(false),
        (Some(own), None) => {
            if event.newest() == 0 {
                return Ok(true);
            }
            own.spoil();
            Err(Code::STREAM_CAPTURE_ISOLATION)
        }
        (_, Some(captured)) if captured.capture.has_ended() => Err(Code::CAPTURED_EVENT),
        (None, Some(captured)) => {
            if stream.handle == 0 {
                captured.capture.spoil();
                return Err(Code::STREAM_CAPTURE_IMPLICIT);
            }
            captured.capture.set_tails(stream, captured.nodes);
            *lock(&stream.joined) = Some(captured.capture);
            Ok(true)
        }
        (Some(own), Some(captured)) => {
            if own.id != captured.capture.id {
                own.spoil();
                captured.capture.spoil();
                return Err(Code::STREAM_CAPTURE_MERGE);
            }
            let mut nodes = own.tails(stream);
            nodes.extend(captured.nodes);
            own.set_tails(stream, nodes);
            Ok(true)
        }
    }
}

/// Refuses to wait for a stream that is being captured, or to ask how far it is.
pub(crate) fn forbid_stream(stream: &Stream) -> Outcome {
    let capture = lock(&stream.joined).clone();
    capture.map_or(Ok(()), |capture| {
        capture.spoil();
        Err(Code::STREAM_CAPTURE_UNSUPPORTED)
    })
}

/// Refuses to wait for an event that was recorded in a capture.
pub(crate) fn forbid_event(event: &Event) -> Outcome {
    event.captured().map_or(Ok(()), |captured| {
        captured.capture.spoil();
        Err(Code::CAPTURED_EVENT)
    })
}

/// Refuses what waits for all streams of a context while one of them is being captured.
pub(crate) fn forbid_context(context: usize) -> Outcome {
    for stream in driver().streams.all() {
        if stream.health.context == context {
            forbid_stream(&stream)?;
        }
    }
    Ok(())
}

/// Refuses calls that might wait for a capture, such as allocations.
pub(crate) fn forbid_unsafe() -> Outcome {
    if MODE.get() == Mode::Relaxed {
        return Ok(());
    }
    let here = std::thread::current().id();
    for stream in driver().streams.all() {
        let Some(capture) = lock(&stream.joined).clone() else { continue };
        let forbids = match capture.mode {
            Mode::Global => true,
            Mode::ThreadLocal => capture.thread == here,
            Mode::Relaxed => false,
        };
        if forbids {
            capture.spoil();
            return Err(Code::STREAM_CAPTURE_UNSUPPORTED);
        }
    }
    Ok(())
}
