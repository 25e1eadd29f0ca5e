//! Pipelines that run on their own thread: the handle that waits for one, and scopes that join.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::pipeline::Pipeline;
use crate::report::Report;
use crate::{Error, Result};

/// A pipeline that was launched. It is a `Future`; dropping it lets the pipeline run on.
#[derive(Debug)]
#[must_use = "`wait` for it, `await` it, or drop it with `drop(handle)` to detach"]
pub struct Handle {
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    inner: Mutex<Inner>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    result: Option<Result<Report>>,
    waker: Option<Waker>,
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
            inner.waker.take()
        };
        self.done.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Finishes the state as cancelled if the thread unwinds before it has a result.
struct Finish(Arc<State>);

impl Drop for Finish {
    fn drop(&mut self) {
        if self.0.lock().result.is_none() {
            self.0.finish(Err(Error::Cancelled));
        }
    }
}

impl Handle {
    /// Returns when the pipeline is complete.
    ///
    /// # Errors
    ///
    /// As [`Pipeline::exec`].
    pub fn wait(self) -> Result<Report> {
        let mut inner = self.state.lock();
        loop {
            if let Some(result) = inner.result.take() {
                return result;
            }
            inner = self.state.done.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether the pipeline is complete.
    pub fn is_done(&self) -> bool {
        self.state.lock().result.is_some()
    }
}

impl Future for Handle {
    type Output = Result<Report>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut inner = self.state.lock();
        match &inner.result {
            // Kept, so that a poll after the end gives the same answer again.
            Some(result) => Poll::Ready(result.clone()),
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

/// Starts a pipeline on a thread of its own.
pub(crate) fn launch(mut pipeline: Pipeline<'static>) -> Handle {
    let state = Arc::new(State { inner: Mutex::default(), done: Condvar::new() });
    let finish = Finish(state.clone());
    let run = move || {
        let result = pipeline.exec();
        // Buffers are free before anybody hears of the end.
        drop(pipeline);
        finish.0.finish(result);
    };
    let started = std::thread::Builder::new().name("flash-pipeline".to_owned()).spawn(run);
    if let Err(error) = started {
        state.finish(Err(no_thread(&error)));
    }
    Handle { state }
}

/// The error for a thread that could not be started.
pub(crate) fn no_thread(error: &std::io::Error) -> Error {
    Error::Driver {
        device: "host".to_owned(),
        what: "start of a thread".to_owned(),
        source: crate::error::DriverError {
            api: "thread::spawn",
            code: error.raw_os_error().map_or(-1, i64::from),
            text: error.to_string().into(),
            kind: crate::error::DriverErrorKind::Failed,
        },
    }
}
