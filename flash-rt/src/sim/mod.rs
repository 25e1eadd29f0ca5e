//! `SIM`: devices with a memory of their own, in this process. It stands for hardware in tests: its
//! memory is poisoned, its calls are logged, its operations take as long as they are told to, on a
//! virtual clock or the real one, and what can go wrong does so on request. It runs bodies by
//! interpreting their IR, or by their CPU entry. It is never part of `ALL`.
//!
//! ```
//! use std::sync::Arc;
//! use flash_rt::sim::{Config, Fault, Kind, Sim};
//! use flash_rt::{NoBackends, Runtime};
//!
//! let sim = Sim::new(Config { devices: 1, ..Config::default() });
//! let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build()?;
//! assert_eq!(rt.devices().len(), 1);
//! // The third upload from here on fails.
//! sim.inject(Fault::Fail { call: Kind::Upload, nth: 2, device: None });
//! # Ok::<(), flash_rt::Error>(())
//! ```
#![allow(unsafe_code, reason = "implements copies and launches, which are unsafe")]

mod config;
mod core;
mod entries;
mod fault;
mod interpret;
mod kept;
mod log;
mod memory;
mod native;
mod parse;
mod state;
#[cfg(test)]
mod tests;
mod work;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flash_ir::interp::Program;

use self::core::Core;
use self::fault::driver_error;
use self::kept::Kept;
use self::native::Queued;
use self::state::{State, Submission, no_device};
use self::work::{Launch, Loaded, Work};
use crate::allocation::HOST_ALIGN;
use crate::backend::clock::Clock;
use crate::backend::{
    Backend, DeviceInfo, LaunchInfo, MemoryInfo, NativeCode, Operation, Prepared, Queue, Region,
    Subspace, Ticket, Timing,
};
use crate::descriptor::KernelDescriptor;
use crate::error::{DriverError, DriverErrorKind};
use crate::registry::Registration;
use crate::trace::Trace;

pub use config::{Config, Link, Run, Speed, Time};
pub use fault::{Fault, Kind};
pub use log::{Asked, Call, Counts, Of, Span, Usage, What};
pub use memory::SimMemory;
pub use native::{NativeArrays, NativeContext};

/// The key of the simulator.
pub const KEY: &str = "SIM";

/// The simulator of the options, or one with two devices.
pub const REGISTRATION: Registration = Registration {
    key: KEY,
    // It stands for hardware in tests; nobody means it by `ALL`.
    counts: || false,
    open: |options| Ok(Arc::new(Sim::new(options.sim.clone().unwrap_or_default()))),
};

/// The simulator. Clones are the same one, so that a test can keep one beside its runtime.
#[derive(Clone, Debug)]
pub struct Sim {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    config: Config,
    /// Bytes allocated on each device.
    used: Vec<Arc<AtomicU64>>,
    core: Arc<Core>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.core.end();
    }
}

/// A kernel of the simulator.
#[derive(Debug)]
pub struct SimModule(Arc<Loaded>);

impl Sim {
    /// What is configured.
    pub fn new(config: Config) -> Self {
        let used = (0..config.devices).map(|_| Arc::default()).collect();
        let units = (0..config.devices).map(|k| 2 + usize::from(config.speed_of(k).queues.max(1)));
        let state = State::new(&config, config.time == Time::Virtual);
        let core = Arc::new(Core::new(config.time, state, units.collect()));
        Self { shared: Arc::new(Shared { config, used, core }) }
    }

    /// What is simulated.
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// The calls so far that succeeded, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.core.lock().state.calls().to_vec()
    }

    /// Forgets the calls so far.
    pub fn clear_calls(&self) {
        self.shared.core.lock().state.clear_calls();
    }

    /// Sums over the calls so far.
    pub fn counts(&self) -> Counts {
        Counts::of(self.shared.core.lock().state.calls())
    }

    /// How many calls of a kind there were, failed ones too: what a sweep over faults goes through.
    pub fn tally(&self, kind: Kind) -> u64 {
        let position = Kind::ALL.iter().position(|known| *known == kind);
        let inner = self.shared.core.lock();
        position.and_then(|at| inner.state.tally.get(at)).copied().unwrap_or(0)
    }

    /// How busy the queues were.
    pub fn usage(&self) -> Usage {
        Usage::of(self.shared.core.lock().state.calls())
    }

    /// What ran on the devices, to the nanosecond of their clock.
    pub fn trace(&self) -> Trace {
        log::trace(self.shared.core.lock().state.calls())
    }

    /// Lets something go wrong, once.
    pub fn inject(&self, fault: Fault) {
        self.shared.core.lock().state.faults.inject(fault);
    }

    /// The faults that have not happened.
    pub fn armed(&self) -> Vec<Fault> {
        self.shared.core.lock().state.faults.armed().to_vec()
    }

    /// Takes back the faults that have not happened.
    pub fn clear_faults(&self) {
        self.shared.core.lock().state.faults.clear();
    }

    /// From now on everything that is submitted to a device takes as many times as long.
    pub fn slow(&self, device: usize, factor: f64) {
        if let Some(known) = self.shared.core.lock().state.factors.get_mut(device) {
            *known = factor.max(0.0);
        }
    }

    /// Bytes that a device's memories hold.
    pub fn bytes_used(&self, device: usize) -> u64 {
        self.shared.used.get(device).map_or(0, |used| used.load(Ordering::Relaxed))
    }

    /// The clock of the devices, for what takes time on the host: a host task that costs a
    /// millisecond calls `clock().sleep(Duration::from_millis(1))`.
    pub fn clock(&self) -> Arc<dyn Clock> {
        self.shared.core.clone()
    }

    /// What is needed to run a kernel: a program, or its entry.
    fn program(&self, kernel: &'static KernelDescriptor) -> Result<Option<Program>, DriverError> {
        let refused = |text: String| driver_error("sim::load", DriverErrorKind::Failed, text);
        let bodiless = "it has no portable body, and the simulator runs nothing else";
        let run = self.shared.config.run;
        if run == Run::Entry && kernel.params.iter().any(|param| param.elem.align() > HOST_ALIGN) {
            let text =
                format!("an element has an alignment above {HOST_ALIGN}, that of the memory");
            return Err(refused(text));
        }
        match (run, kernel.ir, kernel.entries) {
            (Run::Ir, Some(ir), _) => Program::new(ir).map(Some).map_err(|unsaid| {
                let list: Vec<String> = unsaid.iter().map(ToString::to_string).collect();
                refused(format!("its IR cannot be interpreted: {}", list.join("; ")))
            }),
            (Run::Entry, _, Some(_)) => Ok(None),
            _ => Err(refused(bodiless.to_owned())),
        }
    }

    /// The unit of a queue.
    fn unit(&self, device: usize, queue: Queue) -> usize {
        match queue {
            Queue::Down if self.shared.config.speed_of(device).shared_copies => 0,
            queue => queue.index(),
        }
    }

    fn submit_launch(
        &self,
        (device, queue): (usize, u8),
        (module, extent): (&Loaded, &Extent),
        work: Work,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let kernel = module.kernel.name;
        let speed = self.shared.config.speed_of(device);
        let fails = module.corrupt.then(|| {
            let text = format!("illegal instruction; the binary of `{kernel}` is corrupt");
            driver_error("sim::launch", DriverErrorKind::Failed, text)
        });
        let Extent { items, of, groups, ref slowest } = *extent;
        let counted = speed.counted(kernel, items, slowest.clone());
        self.submit(Submission {
            device,
            queue: Queue::Compute(queue),
            kind: Kind::Launch,
            what: What::Launch { kernel, items, of, groups },
            time: speed.launch_time(kernel, counted),
            setup: speed.setup_of(kernel).map(|setup| (setup, speed.setup)),
            work,
            fails,
            after,
        })
    }

    fn submit(&self, new: Submission<'_>) -> Result<Ticket, DriverError> {
        self.shared.core.submit(self.unit(new.device, new.queue), new)
    }
}

/// How much a launch is, and of what.
#[derive(Debug)]
struct Extent {
    items: u64,
    of: Of,
    groups: Asked,
    /// What it has of the slowest dimension.
    slowest: Option<(Range<usize>, usize)>,
}

impl Extent {
    fn of(launch: &LaunchInfo<'_, SimMemory>) -> Self {
        let of = |part: &Subspace<'_>| Of { phase: part.phase(), partition: part.partition() };
        Self {
            items: launch.n_items() as u64,
            of: launch.part.map_or_else(Of::default, of),
            groups: launch.geometry.map_or_else(Asked::default, Asked::from),
            slowest: slowest(launch),
        }
    }
}

/// What a launch of one box has of the slowest dimension of its space, and how long that is.
fn slowest(launch: &LaunchInfo<'_, SimMemory>) -> Option<(Range<usize>, usize)> {
    let n = launch.space.extents();
    let dim = n.iter().rposition(|&n| n > 1)?;
    match launch.part.map(|part| part.boxes()) {
        None => Some((0..n[dim], n[dim])),
        Some([block]) => Some((block.lo(dim)..block.hi(dim), n[dim])),
        Some(_) => None,
    }
}

impl Backend for Sim {
    type Memory = SimMemory;
    type Module = SimModule;

    fn key(&self) -> &'static str {
        KEY
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        (0..self.shared.config.devices)
            .map(|k| DeviceInfo {
                name: format!("sim:{k}"),
                host_memory: false,
                accelerator: true,
                duplicate: false,
                memory: Some(self.shared.config.memory_of(k)),
                lanes: 1,
                queues: self.shared.config.speed_of(k).queues.max(1),
                groups: self.shared.config.groups,
                capabilities: self.shared.config.capabilities_of(k),
            })
            .collect()
    }

    fn memory_info(&self, device: usize) -> Result<Option<MemoryInfo>, DriverError> {
        let used = self.shared.used.get(device).ok_or_else(|| no_device(device))?;
        let total = self.shared.config.memory_of(device);
        Ok(Some(MemoryInfo { free: total.saturating_sub(used.load(Ordering::Relaxed)), total }))
    }

    fn allocate(&self, device: usize, bytes: u64) -> Result<SimMemory, DriverError> {
        let used = self.shared.used.get(device).ok_or_else(|| no_device(device))?;
        let state = &mut self.shared.core.lock().state;
        state.call(Kind::Allocate, device)?;
        let id = state.next_memory;
        let memory = SimMemory::new(id, bytes, used, self.shared.config.memory_of(device))?;
        state.next_memory += 1;
        state.note(device, What::Allocate { memory: id, bytes });
        Ok(memory)
    }

    unsafe fn upload(
        &self,
        device: usize,
        dst: &SimMemory,
        to: Region,
        src: *const [u8],
        from: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        dst.0.check_copy("sim::upload", to, src.len(), from)?;
        self.submit(Submission {
            device,
            queue: Queue::Up,
            kind: Kind::Upload,
            what: What::Upload { memory: dst.0.id, to },
            time: self.shared.config.speed_of(device).up.time(to.bytes()),
            setup: None,
            work: Work::Upload { dst: Arc::clone(&dst.0), to, src: src.cast(), from },
            fails: None,
            after,
        })
    }

    unsafe fn download(
        &self,
        device: usize,
        src: &SimMemory,
        from: Region,
        dst: *mut [u8],
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        src.0.check_copy("sim::download", from, dst.len(), to)?;
        self.submit(Submission {
            device,
            queue: Queue::Down,
            kind: Kind::Download,
            what: What::Download { memory: src.0.id, from, poison: 0 },
            time: self.shared.config.speed_of(device).down.time(to.bytes()),
            setup: None,
            work: Work::Download { src: Arc::clone(&src.0), from, dst: dst.cast(), to },
            fails: None,
            after,
        })
    }

    fn is_peer(&self, device: usize, other: usize) -> bool {
        self.shared.config.peers && device != other
    }

    unsafe fn peer_copy(
        &self,
        device: usize,
        (src, from): (&SimMemory, Region),
        other: usize,
        (dst, to): (&SimMemory, Region),
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        src.0.check_copy("sim::peer_copy", from, usize::MAX, to)?;
        dst.0.check_copy("sim::peer_copy", to, usize::MAX, from)?;
        let (here, there) = [device, other].map(|k| self.shared.config.speed_of(k)).into();
        let bytes = to.bytes();
        self.submit(Submission {
            device,
            queue: Queue::Down,
            kind: Kind::Peer,
            what: What::Peer { memory: src.0.id, from, device: other },
            time: here.down.time(bytes).max(there.up.time(bytes)),
            setup: None,
            work: Work::Peer { src: Arc::clone(&src.0), from, dst: Arc::clone(&dst.0), to },
            fails: None,
            after,
        })
    }

    unsafe fn zero(
        &self,
        device: usize,
        queue: u8,
        dst: &SimMemory,
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        dst.0.check_zero(to)?;
        self.submit(Submission {
            device,
            queue: Queue::Compute(queue),
            kind: Kind::Zero,
            what: What::Zero { memory: dst.0.id, to },
            time: self.shared.config.speed_of(device).launch,
            setup: None,
            work: Work::Zero { dst: Arc::clone(&dst.0), to },
            fails: None,
            after,
        })
    }

    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<SimModule, DriverError> {
        let state = &mut self.shared.core.lock().state;
        let verdict = state.call(Kind::Load, device)?;
        let program = self.program(kernel)?;
        state.note(device, What::Load { kernel: kernel.name });
        Ok(SimModule(Arc::new(Loaded { kernel, program, corrupt: verdict.corrupt })))
    }

    unsafe fn launch(
        &self,
        device: usize,
        queue: u8,
        module: &SimModule,
        launch: &LaunchInfo<'_, SimMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        // SAFETY: as the caller vouches.
        let copied = Arc::new(unsafe { Launch::new(&module.0, launch) });
        let memories = launch.memories.iter().map(|memory| memory.cloned()).collect();
        let work = Work::Launch(copied, memories, launch.outcome);
        self.submit_launch((device, queue), (&module.0, &Extent::of(launch)), work, after)
    }

    unsafe fn prepare(
        &self,
        device: usize,
        module: &SimModule,
        launch: &LaunchInfo<'_, SimMemory>,
    ) -> Result<Option<Arc<dyn Prepared>>, DriverError> {
        // What is kept has its slots, and partial results go elsewhere each time.
        if launch.reduces() {
            return Ok(None);
        }
        // SAFETY: as the caller vouches.
        Ok(Some(Arc::new(unsafe { Kept::new(self, device, &module.0, launch) })))
    }

    unsafe fn native(
        &self,
        device: usize,
        queue: u8,
        launch: &LaunchInfo<'_, SimMemory>,
        code: &mut NativeCode<'_>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let mut context = NativeContext::new(device, queue);
        code.run(&mut context);
        self.submit(Submission {
            device,
            queue: Queue::Compute(queue),
            kind: Kind::Launch,
            what: What::Launch {
                kernel: code.name(),
                items: launch.n_items() as u64,
                of: Of::default(),
                groups: Asked::default(),
            },
            time: context.time(),
            setup: None,
            work: Work::Native(Box::new(Queued::new(context, launch))),
            fails: None,
            after,
        })
    }

    fn completed(&self, device: usize, queue: Queue) -> Result<u64, DriverError> {
        self.shared.core.completed(device, queue)
    }

    fn wait(&self, device: usize, ticket: Ticket) -> Result<(), DriverError> {
        self.shared.core.wait(device, ticket)
    }

    fn wait_for(&self, device: usize, ticket: Ticket, time: Duration) -> Result<bool, DriverError> {
        self.shared.core.wait_for(device, ticket, time)
    }

    fn reset(&self, device: usize) -> Result<(), DriverError> {
        self.shared.core.reset(device)
    }

    fn recover(&self, device: usize) -> Result<(), DriverError> {
        self.shared.core.recover(device)
    }

    fn timing(&self, device: usize, ticket: Ticket) -> Option<Timing> {
        self.shared.core.lock().state.timing(device, ticket)
    }

    fn declared(&self, device: usize, operation: Operation) -> Option<Duration> {
        if device >= self.shared.config.devices || !self.shared.config.declares {
            return None;
        }
        let speed = self.shared.config.speed_of(device);
        let time = match operation {
            Operation::Launch(kernel, items) => {
                speed.launch_time(kernel.name, speed.counted(kernel.name, items, None))
            }
            Operation::Upload(bytes) => speed.up.time(bytes),
            Operation::Download(bytes) => speed.down.time(bytes),
            Operation::SetUp => speed.setup,
        };
        Some(self.shared.core.lock().state.scaled(device, time))
    }

    fn setup(&self, device: usize, kernel: &'static KernelDescriptor) -> Option<u64> {
        self.shared.config.speed_of(device).setup_of(kernel.name)
    }

    fn is_set_up(&self, device: usize) -> Option<u64> {
        self.shared.core.lock().state.set_up(device)
    }

    fn implements(&self, _device: usize, kernel: &'static KernelDescriptor) -> bool {
        match self.shared.config.run {
            Run::Ir => kernel.ir.is_some(),
            Run::Entry => kernel.entries.is_some(),
        }
    }

    fn path(&self, _device: usize, kernel: &'static KernelDescriptor) -> String {
        match self.shared.config.run {
            Run::Ir if kernel.ir.is_none() => "no body to interpret".to_owned(),
            Run::Entry if kernel.entries.is_none() => "no entry for the CPU".to_owned(),
            Run::Ir => "IR interpreter".to_owned(),
            Run::Entry => "baseline CPU entry, one block".to_owned(),
        }
    }

    fn clock(&self) -> Option<Arc<dyn Clock>> {
        let clock = || -> Arc<dyn Clock> { self.shared.core.clone() };
        (self.shared.config.time == Time::Virtual).then(clock)
    }
}
