//! Streams and events. Fenced: it calls the driver with handles that are alive as long as their owners.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys::{CUevent, CUevent_flags, CUresult, CUstream, CUstream_flags};

use super::functions;
use super::{Context, Failure};

/// A stream: what is submitted to it runs in that order.
#[derive(Debug)]
pub(crate) struct Stream {
    context: Arc<Context>,
    raw: CUstream,
    /// Whether it is destroyed when this goes.
    is_own: bool,
}

// SAFETY: the driver lets any thread use a stream, several at once.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

/// A moment of a stream.
#[derive(Debug)]
pub(crate) struct Event {
    context: Arc<Context>,
    raw: CUevent,
    notes_time: bool,
}

// SAFETY: the driver lets any thread use an event, several at once.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

/// How far something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It is not over.
    UnderWay,
    /// It is over.
    Done,
    /// The device has failed.
    Failed(Failure),
}

impl Stream {
    /// A stream that waits for no other one, the default one included.
    pub(crate) fn new(context: &Arc<Context>) -> Result<Self, Failure> {
        let _current = context.enter()?;
        let (mut raw, flags) = (null_mut(), CUstream_flags::CU_STREAM_NON_BLOCKING as u32);
        // SAFETY: a context is current, and the driver writes a handle.
        let code = unsafe { functions::cuStreamCreate(&raw mut raw, flags) };
        Failure::check("cuStreamCreate", code)?;
        Ok(Self { context: Arc::clone(context), raw, is_own: true })
    }

    /// A stream of somebody else's.
    pub(super) fn of_another(context: Arc<Context>, raw: CUstream) -> Self {
        Self { context, raw, is_own: false }
    }

    /// What the driver knows it by.
    pub(crate) fn raw(&self) -> CUstream {
        self.raw
    }

    /// Its context.
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Lets what is submitted from now on begin when an event is over. Its context is current.
    pub(crate) fn wait(&self, event: &Event) -> Result<(), Failure> {
        // SAFETY: stream and event are alive.
        let code = unsafe { functions::cuStreamWaitEvent(self.raw, event.raw, 0) };
        Failure::check("cuStreamWaitEvent", code)
    }

    /// Lets an event be over when all is that was submitted so far. Its context is current.
    pub(crate) fn record(&self, event: &Event) -> Result<(), Failure> {
        // SAFETY: stream and event are alive, and of one context.
        Failure::check("cuEventRecord", unsafe { functions::cuEventRecord(event.raw, self.raw) })
    }

    /// Returns when all that was submitted is over.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        let _current = self.context.enter()?;
        // SAFETY: the stream is alive.
        let code = unsafe { functions::cuStreamSynchronize(self.raw) };
        Failure::check("cuStreamSynchronize", code)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.is_own {
            return;
        }
        // SAFETY: the stream is ours; what runs in it goes on.
        self.context.if_alive(|| unsafe {
            functions::cuStreamDestroy_v2(self.raw);
        });
    }
}

impl Event {
    /// An event that lets a thread that waits for it sleep, and notes when it was if that is asked for, which
    /// takes longer.
    pub(crate) fn new(context: &Arc<Context>, notes_time: bool) -> Result<Self, Failure> {
        let _current = context.enter()?;
        let mut raw = null_mut();
        let mut flags = CUevent_flags::CU_EVENT_BLOCKING_SYNC as u32;
        if !notes_time {
            flags |= CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        }
        // SAFETY: a context is current, and the driver writes a handle.
        let code = unsafe { functions::cuEventCreate(&raw mut raw, flags) };
        Failure::check("cuEventCreate", code)?;
        Ok(Self { context: Arc::clone(context), raw, notes_time })
    }

    /// Whether it notes when it was.
    pub(crate) fn notes_time(&self) -> bool {
        self.notes_time
    }

    /// Whether it is over. One that was never recorded is.
    pub(crate) fn progress(&self) -> Progress {
        let Some(_in_use) = self.context.keep() else {
            return Progress::Failed(Failure::gone("cuEventQuery"));
        };
        // SAFETY: the event is alive.
        let code = unsafe { functions::cuEventQuery(self.raw) };
        match Failure::check("cuEventQuery", code) {
            Ok(()) => Progress::Done,
            Err(_) if code.is(CUresult::CUDA_ERROR_NOT_READY) => Progress::UnderWay,
            Err(failure) => Progress::Failed(failure),
        }
    }

    /// Returns when it is over.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        let _current = self.context.enter()?;
        // SAFETY: the event is alive, and its context is current.
        let code = unsafe { functions::cuEventSynchronize(self.raw) };
        Failure::check("cuEventSynchronize", code)
    }

    /// The milliseconds from it to another one; both are over.
    pub(crate) fn until(&self, later: &Self) -> Result<f32, Failure> {
        let _current = self.context.enter()?;
        if !Arc::ptr_eq(&self.context, &later.context) {
            return Err(Failure::invalid("cuEventElapsedTime_v2"));
        }
        let mut millis = 0.0;
        // SAFETY: both events are alive and of the context that is current, and the driver writes a number.
        let code =
            unsafe { functions::cuEventElapsedTime_v2(&raw mut millis, self.raw, later.raw) };
        Failure::check("cuEventElapsedTime_v2", code).map(|()| millis)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is ours; a stream that waits for it goes on to.
        self.context.if_alive(|| unsafe {
            functions::cuEventDestroy_v2(self.raw);
        });
    }
}
