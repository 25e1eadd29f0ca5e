//! What streams and graphs run: one task is an operation of a stream, or a node of a graph. It
//! decides neither order nor place.

use std::sync::Arc;

use crate::capture;
use crate::codes::{Code, Outcome};
use crate::copies::{Copy, Fill};
use crate::driver::{driver, in_host, waits};
use crate::event::Event;
use crate::graph::{Condition, Steps};
use crate::hazards::{self, Touch};
use crate::launch::Launch;
use crate::locks::lock;
use crate::memory::Memory;
use crate::stream::{Failure, Kind, Stream};

/// A function of the host.
pub(crate) type HostFunction = Arc<dyn Fn() + Send + Sync>;

/// A task.
#[derive(Clone)]
pub(crate) enum Task {
    Empty,
    Launch(Launch),
    Copy(Copy),
    Fill(Fill),
    Host(HostFunction),
    Graph(Arc<Steps>),
    /// The body runs once, or until the condition is zero.
    Conditional {
        condition: Arc<Condition>,
        repeats: bool,
        bodies: Vec<Arc<Steps>>,
    },
    Free(u64),
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Empty => "Empty",
            Self::Launch(_) => "Launch",
            Self::Copy(_) => "Copy",
            Self::Fill(_) => "Fill",
            Self::Host(_) => "Host",
            Self::Graph(_) => "Graph",
            Self::Conditional { .. } => "Conditional",
            Self::Free(_) => "Free",
        })
    }
}

impl Task {
    /// What it is, for people.
    fn name(&self) -> String {
        match self {
            Self::Launch(launch) => format!("`{}`", launch.function.name),
            Self::Copy(copy) => format!("a copy of {} bytes", copy.rows.bytes()),
            Self::Fill(_) => "a fill".to_owned(),
            Self::Graph(steps) => format!("a graph of {} nodes", steps.tasks.len()),
            Self::Free(_) => "a free".to_owned(),
            _ => "an operation".to_owned(),
        }
    }

    /// What it is.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Empty => Kind::Record,
            Self::Launch(_) => Kind::Kernel,
            Self::Copy(copy) => copy.kind(),
            Self::Fill(_) => Kind::Fill,
            Self::Host(_) => Kind::Host,
            Self::Graph(_) | Self::Conditional { .. } => Kind::Graph,
            Self::Free(_) => Kind::Free,
        }
    }

    /// Whether one can take the place of the other in a node.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Runs it to its end.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Empty => Ok(()),
            Self::Launch(launch) => launch.run(),
            Self::Copy(copy) => copy.run(),
            Self::Fill(fill) => fill.run(),
            Self::Host(function) => {
                hazards::host_runs();
                in_host(|| function());
                Ok(())
            }
            Self::Graph(steps) => steps.run(),
            Self::Conditional { condition, repeats, bodies } => {
                if *repeats {
                    while condition.get() != 0 {
                        bodies.first().map_or(Ok(()), |body| body.run())?;
                    }
                    return Ok(());
                }
                // The second body is for a condition that is zero.
                let which = usize::from(condition.get() == 0);
                bodies.get(which).map_or(Ok(()), |body| body.run())
            }
            Self::Free(address) => {
                let memory = Memory::device_of(*address).map(|device| &driver().memories[device]);
                if let Some(allocation) = memory.and_then(|memory| memory.find(*address)) {
                    let len = allocation.bytes.len();
                    hazards::touch(&allocation, 0, len, Touch::Write);
                }
                let freed = memory.map(|memory| memory.free(*address));
                let is_freed = matches!(freed, Some(Ok(_)));
                let why = || format!("{address:#x} was freed twice");
                if is_freed { Ok(()) } else { Err((Code::ILLEGAL_ADDRESS, why())) }
            }
        }
    }
}

/// Submits a task to a stream, or adds it to the graph that the stream is captured into.
pub(crate) fn submit(stream: &Arc<Stream>, task: Task) -> Outcome {
    if capture::takes(stream, || task.clone())? {
        return Ok(());
    }
    follow_default(stream)?;
    let moment = hazards::submit(stream, || task.name());
    stream.push(task.kind(), Box::new(move || hazards::during(moment, || task.run())));
    Ok(())
}

/// Blocking streams and the null stream of a context wait for one another.
fn follow_default(stream: &Arc<Stream>) -> Outcome {
    let context = driver().contexts.get(stream.health.context)?;
    let wait = |other: &Arc<Stream>| {
        hazards::follow(stream, other);
        if let Some(count) = other.line.pending() {
            let line = other.line.clone();
            stream.push(
                Kind::Wait,
                Box::new(move || {
                    line.wait(count);
                    Ok(())
                }),
            );
        }
    };
    if stream.handle == 0 {
        for other in driver().streams_of(&context).iter().skip(1).filter(|it| it.blocking) {
            if lock(&other.joined).is_some() {
                return Err(Code::STREAM_CAPTURE_IMPLICIT);
            }
            wait(other);
        }
    } else if stream.blocking {
        wait(&context.null);
    }
    Ok(())
}

/// Waits for a stream, and says what went wrong in its context.
pub(crate) fn synchronize(stream: &Stream) -> Outcome {
    waits();
    stream.drain();
    hazards::host_knows(&stream.clock);
    stream.health.check()
}

/// Records an event.
pub(crate) fn record(stream: &Arc<Stream>, event: &Arc<Event>) -> Outcome {
    if event.health.context != stream.health.context {
        return Err(Code::INVALID_HANDLE);
    }
    if capture::records(stream, event)? {
        return Ok(());
    }
    follow_default(stream)?;
    hazards::record(stream, event);
    let (record, event) = (event.record(), event.clone());
    let reach = move || {
        event.reach(record);
        Ok(())
    };
    stream.push(Kind::Record, Box::new(reach));
    Ok(())
}

/// Makes a stream wait for the newest record of an event.
pub(crate) fn wait(stream: &Arc<Stream>, event: &Arc<Event>) -> Outcome {
    if capture::waits(stream, event)? {
        return Ok(());
    }
    hazards::wait(stream, event);
    let (record, event) = (event.newest(), event.clone());
    if event.is_reached() {
        return Ok(());
    }
    let wait = move || {
        event.wait(record);
        Ok(())
    };
    stream.push(Kind::Wait, Box::new(wait));
    Ok(())
}
