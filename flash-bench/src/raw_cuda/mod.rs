//! The peer that makes raw calls of CUDA's driver, through cudarc: what a program without FLASH does
//! that keeps its streams, its modules and its pinned memory. Fenced: the calls of the driver. What
//! copies touch is borrowed or waited for, so that callers stay safe. It measures nothing.
#![allow(unsafe_code, reason = "calls of CUDA's driver")]

mod kernels;
mod launch;
mod memory;

use std::ffi::c_void;

use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use cudarc::driver::{DriverError, result, sys};

pub(crate) use kernels::{Kernel, Ptx, write};
pub(crate) use launch::Launch;
pub(crate) use memory::{Array, Pinned};

/// The oldest driver whose functions are those that cudarc asks for.
const OLDEST: i32 = 12_080;

/// A queue of the peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    Kernels = 0,
    Up = 1,
    Down = 2,
}

/// The first GPU, with three streams and all kernels loaded. It stays until the process ends.
#[derive(Debug)]
pub(crate) struct RawCuda {
    context: sys::CUcontext,
    streams: [sys::CUstream; 3],
    functions: Vec<sys::CUfunction>,
    /// What the driver calls the device.
    pub(crate) name: String,
    /// The version of the driver, 13000 for 13.0.
    pub(crate) driver: i32,
}

/// What failed, in the driver's words.
fn said(call: &'static str) -> impl Fn(DriverError) -> String {
    move |error| format!("{call}: {error:?}")
}

/// A result whose failure ends the measurement: there is nothing to compare with then.
#[track_caller]
fn done<T>(result: Result<T, DriverError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("a raw call of CUDA's driver failed: {error:?}"),
    }
}

impl RawCuda {
    /// The first GPU with everything that the peer needs, or why there is none.
    pub(crate) fn new(ptx: &Ptx) -> Result<Self, String> {
        // SAFETY: it only looks for a library by its usual names.
        if !unsafe { sys::is_culib_present() } {
            return Err("there is no CUDA driver".to_owned());
        }
        result::init().map_err(said("cuInit"))?;
        let mut driver = 0;
        // SAFETY: it writes one number.
        unsafe { sys::cuDriverGetVersion(&mut driver) }.result().map_err(said("the version"))?;
        if driver < OLDEST {
            return Err(format!("the driver is of CUDA {driver}, and {OLDEST} is asked for"));
        }
        if result::device::get_count().map_err(said("cuDeviceGetCount"))? == 0 {
            return Err("there is no GPU".to_owned());
        }
        let device = result::device::get(0).map_err(said("cuDeviceGet"))?;
        let name = result::device::get_name(device).map_err(said("cuDeviceGetName"))?;
        let attribute = |which| {
            // SAFETY: the device is there.
            unsafe { result::device::get_attribute(device, which) }.map_err(said("an attribute"))
        };
        let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        // SAFETY: the device is there; the context is never released.
        let context = unsafe { result::primary_ctx::retain(device) }.map_err(said("a context"))?;
        // SAFETY: the context is that of the device.
        unsafe { result::ctx::set_current(context) }.map_err(said("a context"))?;
        keep_freed(device)?;
        let stream = || {
            result::stream::create(result::stream::StreamKind::NonBlocking)
                .map_err(said("a stream"))
        };
        let streams = [stream()?, stream()?, stream()?];
        let functions = kernels::load(ptx, &format!("compute_{major}{minor}"))?;
        Ok(Self { context, streams, functions, name, driver })
    }

    /// Makes the device that of this thread: others may have been here in between.
    pub(crate) fn enter(&self) {
        // SAFETY: the context is there until the process ends.
        done(unsafe { result::ctx::set_current(self.context) });
    }

    fn stream(&self, queue: Queue) -> sys::CUstream {
        self.streams[queue as usize]
    }

    /// Waits for all of a queue.
    pub(crate) fn wait(&self, queue: Queue) {
        // SAFETY: the stream is there until the process ends.
        done(unsafe { result::stream::synchronize(self.stream(queue)) });
    }

    /// What comes later in a queue begins after all that is now in another one.
    pub(crate) fn order(&self, later: Queue, after: Queue, mark: &Mark) {
        // SAFETY: event and stream are there.
        done(unsafe { result::event::record(mark.0, self.stream(after)) });
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: as above.
        done(unsafe { result::stream::wait_event(self.stream(later), mark.0, flags) });
    }

    /// Starts a kernel.
    pub(crate) fn launch(&self, queue: Queue, launch: &Launch) {
        launch.start(self.stream(queue));
    }

    /// What a closure puts in the queue of kernels, as a graph, or why there is none.
    pub(crate) fn captured(&self, body: impl FnOnce()) -> Result<Graph, String> {
        for name in
            ["cuStreamBeginCapture_v2\0", "cuGraphInstantiateWithFlags\0", "cuGraphLaunch\0"]
        {
            // SAFETY: the library is there, as it was asked for a device.
            let library = unsafe { sys::culib() };
            // SAFETY: the symbol is only looked for.
            if unsafe { library.get::<*mut c_void>(name.as_bytes()) }.is_err() {
                return Err(format!("the driver has no `{}`", name.trim_end_matches('\0')));
            }
        }
        let stream = self.stream(Queue::Kernels);
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream is there.
        unsafe { result::stream::begin_capture(stream, mode) }.map_err(said("begin a capture"))?;
        body();
        // SAFETY: the capture was begun above.
        let graph =
            unsafe { result::stream::end_capture(stream) }.map_err(said("end a capture"))?;
        let flags = sys::CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        // SAFETY: the graph was captured above.
        let made = unsafe { result::graph::instantiate(graph, flags) };
        // SAFETY: what was made of the graph is its own.
        unsafe { result::graph::destroy(graph) }.map_err(said("give back a graph"))?;
        made.map(Graph).map_err(said("a graph"))
    }

    /// Starts a graph in the queue of kernels.
    pub(crate) fn replay(&self, graph: &Graph) {
        // SAFETY: graph and stream are there.
        done(unsafe { result::graph::launch(graph.0, self.stream(Queue::Kernels)) });
    }
}

/// Memory that is freed stays with the pool of the device, as in programs that allocate all along.
fn keep_freed(device: sys::CUdevice) -> Result<(), String> {
    // SAFETY: the device is there.
    let pool =
        unsafe { result::device::get_default_mem_pool(device) }.map_err(said("the memory pool"))?;
    let mut all = u64::MAX;
    let which = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: the pool is that of the device, and this attribute is a number of 64 bits.
    unsafe { result::mem_pool::set_attribute(pool, which, (&raw mut all).cast()) }
        .map_err(said("the memory pool"))
}

/// A place in a queue.
#[derive(Debug)]
pub(crate) struct Mark(sys::CUevent);

impl Mark {
    pub(crate) fn new() -> Self {
        Self(done(result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // A failure here leaves an event behind.
        // SAFETY: the event is our own, and the driver keeps what it still needs of it.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}

/// Launches that were captured.
#[derive(Debug)]
pub(crate) struct Graph(sys::CUgraphExec);

impl Drop for Graph {
    fn drop(&mut self) {
        // A failure here leaves a graph behind.
        // SAFETY: the graph is our own; the driver frees it when what is under way is over.
        let _ = unsafe { result::graph::exec_destroy(self.0) };
    }
}
