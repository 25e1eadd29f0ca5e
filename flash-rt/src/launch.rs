//! Pipelines that run on their own thread: the handle that waits for one, and scopes that join.

#[cfg(all(test, loom))]
mod models;

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::{Arc, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::Builder;

use crate::access::Access;
use crate::backend::clock::Waiting;
use crate::engine::{self, Control};
use crate::entry;
use crate::ledger::{Hold, native_of, task_among};
use crate::pipeline::Pipeline;
use crate::report::{Progress, Report};
use crate::sync::{Condvar, Mutex, MutexGuard};
use crate::{Error, Result};

/// A pipeline that was launched. It is a `Future`, and any number of threads may share it, as an
/// `Arc<Handle>` also with a host task of the pipeline itself.
///
/// Dropping it does not wait and cancels nothing: the pipeline runs to its end, keeps its buffers
/// until then, and its result is lost.
///
/// ```
/// use flash_rt::{Buffer, NoBackends, Runtime, Task};
///
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut x = Buffer::from(vec![1_u32]);
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("add", (&mut x,), |(mut x,)| x[[0]] += 1));
/// let handle = pipeline.launch();
/// handle.wait()?;
/// assert!(handle.is_finished() && handle.try_wait().is_some());
/// assert_eq!((handle.progress().nodes, x.get(0)?), (1, 2));
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct Handle {
    state: Arc<State>,
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("is_finished", &self.is_finished())
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct State {
    inner: Mutex<Inner>,
    done: Condvar,
    control: Control,
    /// The allocations of the pipeline, by which its own tasks are known.
    ids: OnceLock<Arc<[u64]>>,
}

#[derive(Debug, Default)]
struct Inner {
    result: Option<Result<Report>>,
    /// Whether somebody has been told the result.
    told: bool,
    waker: Option<Waker>,
    /// Who waits, a host task of another pipeline for example.
    waiting: Waiting,
}

impl Inner {
    /// The result, if there is one, for somebody who asks.
    fn tell(&mut self) -> Option<Result<Report>> {
        self.told |= self.result.is_some();
        self.result.clone()
    }
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes the result and wakes whoever waits, once.
    fn finish(&self, result: Result<Report>) {
        let waker = {
            let mut inner = self.lock();
            inner.result = Some(result);
            inner.waiting.call();
            inner.waker.take()
        };
        self.done.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Publishes what a run gives, or that it panicked, which goes on then.
fn finish(state: &State, run: impl FnOnce() -> Result<Report>) {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => state.finish(result),
        Err(panic) => {
            let message = entry::message(panic.as_ref());
            state.finish(Err(Error::Panicked { message }));
            resume_unwind(panic);
        }
    }
}

impl Handle {
    /// Returns when the pipeline is complete, and leaves its result to who asks for it.
    fn meet_end(&self) {
        let mut inner = self.state.lock();
        while inner.result.is_none() {
            let number = inner.waiting.join();
            while inner.waiting.has(number) {
                inner = self.state.done.wait(inner).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Returns when the pipeline is complete. Whoever asks again gets the same answer.
    ///
    /// # Errors
    ///
    /// As [`Pipeline::exec`]; [`Error::Cancelled`] after [`Handle::cancel`]; [`Error::Panicked`] where a
    /// closure with loop variables panicked; [`Error::Reentrant`] in a host task of the pipeline itself, and
    /// [`Error::NativeWaits`] in the code of a native node.
    pub fn wait(&self) -> Result<Report> {
        if let Some(node) = native_of() {
            return Err(Error::NativeWaits { node });
        }
        if let Some(task) = self.state.ids.get().and_then(task_among) {
            return Err(Error::Reentrant { task });
        }
        loop {
            self.meet_end();
            if let Some(result) = self.try_wait() {
                return result;
            }
        }
    }

    /// The result, if the pipeline is complete.
    ///
    /// # Errors
    ///
    /// As [`Handle::wait`].
    pub fn try_wait(&self) -> Option<Result<Report>> {
        self.state.lock().tell()
    }

    /// Whether the pipeline is complete.
    pub fn is_finished(&self) -> bool {
        self.state.lock().result.is_some()
    }

    /// Lets no further stage start. What runs ends; then the result is [`Error::Cancelled`], which
    /// names the first stage that did not start, in program order. Buffers keep what stages have
    /// written, and are free for others. It does not wait, and says nothing to a pipeline that has
    /// ended or has started its last stage. One that waits for its buffers goes on waiting, and
    /// starts nothing when it gets them.
    pub fn cancel(&self) {
        self.state.control.cancel();
    }

    /// How far the pipeline is: two numbers that it counts as it goes, to be read at any time.
    pub fn progress(&self) -> Progress {
        self.state.control.progress()
    }
}

impl Future for Handle {
    type Output = Result<Report>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut inner = self.state.lock();
        match inner.tell() {
            // Kept, so that a poll after the end gives the same answer again.
            Some(result) => Poll::Ready(result),
            None => {
                match &mut inner.waker {
                    Some(waker) => waker.clone_from(cx.waker()),
                    none => *none = Some(cx.waker().clone()),
                }
                Poll::Pending
            }
        }
    }
}

/// Whether whoever launches it waits for its end.
fn waits(pipeline: &Pipeline<'_>) -> bool {
    pipeline.in_sync || pipeline.rt.options.sync
}

/// Takes the place of a pipeline among those that want the same data; where it has none, that is its result.
fn take_place(pipeline: &mut Pipeline<'_>, state: &State) -> Option<Hold<Arc<[Access]>>> {
    match pipeline.enqueue() {
        Ok(hold) => {
            let _ = state.ids.set(pipeline.plan.ids());
            Some(hold)
        }
        Err(error) => {
            state.finish(Err(error));
            None
        }
    }
}

/// Starts a pipeline on a thread of its own, and waits for its end where that is the policy. Its
/// place among those that want the same data is that of this call.
pub(crate) fn launch(mut pipeline: Pipeline<'static>) -> Handle {
    let waits = waits(&pipeline);
    let state = Arc::<State>::default();
    let handle = Handle { state: Arc::clone(&state) };
    let Some(hold) = take_place(&mut pipeline, &state) else { return handle };
    let of = Arc::clone(&state);
    let run = move || {
        finish(&of, || {
            // Buffers are free before anybody hears of the end.
            let mut pipeline = pipeline;
            engine::exec_held(&mut pipeline, hold, Some(&of.control))
        });
    };
    if let Err(error) = Builder::new().name(THREAD.to_owned()).spawn(run) {
        state.finish(Err(no_thread(&error)));
    }
    if waits {
        handle.meet_end();
    }
    handle
}

/// Where pipelines with borrowed data are launched; see [`Runtime::scope`](crate::Runtime::scope).
#[derive(Debug)]
pub struct Scope<'scope, 'env> {
    threads: &'scope std::thread::Scope<'scope, 'env>,
    launched: Launched,
}

/// What was launched in a scope, in order.
type Launched = Arc<Mutex<Vec<Arc<State>>>>;

impl<'scope> Scope<'scope, '_> {
    /// Starts a pipeline and returns at once, or under [`sync`](crate::Builder::sync) when it is
    /// complete, with a handle to wait for it, ask how far it is, or cancel it. The scope does not end
    /// before the pipeline has, whatever becomes of the handle.
    pub fn launch<'a: 'scope>(&self, pipeline: &'scope mut Pipeline<'a>) -> Handle {
        let waits = waits(pipeline);
        let state = Arc::<State>::default();
        let handle = Handle { state: Arc::clone(&state) };
        self.launched.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&state));
        let Some(hold) = take_place(pipeline, &state) else { return handle };
        let of = Arc::clone(&state);
        let run = move || {
            finish(&of, || engine::exec_held(pipeline, hold, Some(&of.control)));
        };
        let started = Builder::new().name(THREAD.to_owned()).spawn_scoped(self.threads, run);
        if let Err(error) = started {
            state.finish(Err(no_thread(&error)));
        }
        if waits {
            handle.meet_end();
        }
        handle
    }
}

/// Runs `body` with a scope and joins what it launched, also when it unwinds.
pub(crate) fn scope<'env, T>(
    body: impl for<'scope> FnOnce(&Scope<'scope, 'env>) -> T,
) -> Result<T> {
    let launched = Launched::default();
    let value =
        std::thread::scope(|threads| body(&Scope { threads, launched: Arc::clone(&launched) }));
    let launched = std::mem::take(&mut *launched.lock().unwrap_or_else(PoisonError::into_inner));
    for state in launched {
        let inner = state.lock();
        // What somebody has heard from a handle was theirs to deal with.
        if let (false, Some(Err(error))) = (inner.told, &inner.result) {
            return Err(error.clone());
        }
    }
    Ok(value)
}

/// The name of threads that drive pipelines.
const THREAD: &str = "flash-pipeline";

/// The error for a thread that could not be started.
pub(crate) fn no_thread(error: &std::io::Error) -> Error {
    Error::Driver {
        device: "host".to_owned(),
        what: "start of a thread".to_owned(),
        at: None,
        given_up: None,
        source: crate::error::DriverError {
            api: "thread::spawn",
            code: error.raw_os_error().map_or(-1, i64::from),
            text: error.to_string().into(),
            kind: crate::error::DriverErrorKind::Failed,
        },
    }
}
