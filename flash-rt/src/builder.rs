//! Options of a runtime, and the choice of devices by key.

use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

use crate::backend::{DeviceInfo, DynBackend};
use crate::device::{Device, remembered};
#[cfg(feature = "sabotage")]
use crate::engine::Missing;
use crate::engine::Pick;
use crate::env_options::{MAX_THREADS, Options};
use crate::registry::{ALL, ALL_ACCEL, Backends, Registration, Registry, no_device};
use crate::runtime::{Runtime, Shared};
use crate::{Error, Result};

/// Options of a [`Runtime`]; each wins over its environment variable.
///
/// ```
/// use flash_rt::{NoBackends, Runtime};
///
/// let builder = Runtime::<NoBackends>::builder();
/// let rt = builder.devices("SIM").threads(2).memory_limit(1 << 30).trace(true).build()?;
/// assert!(rt.trace().intervals().is_empty(), "nothing ran yet");
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct Builder<B> {
    set: Options,
    backends: Vec<Arc<dyn DynBackend>>,
    _backends: PhantomData<fn() -> B>,
}

impl<B: Backends> Builder<B> {
    pub(crate) fn new() -> Self {
        Self { set: Options::default(), backends: Vec::new(), _backends: PhantomData }
    }

    /// Threads of the CPU team, the caller included.
    pub fn threads(mut self, n: usize) -> Self {
        self.set.threads = Some(n);
        self
    }

    /// The devices, by key as for [`Runtime::open`].
    pub fn devices(mut self, key: &str) -> Self {
        self.set.devices = Some(key.to_owned());
        self
    }

    /// Bytes of arrays that the memory of one device may hold. What a launch uses of its arrays has to have
    /// room there at once, and of arrays for which there is no room as a whole no more is there. Devices that use the host's memory,
    /// such as the CPU, hold none; where there are no others the limit is an error of
    /// [`Builder::build`].
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.set.memory_limit = Some(bytes);
        self
    }

    /// How many memories an array may take turns in, on one device and on the host. Default: 2; 1
    /// under [`Builder::sync`]. What overwrites a whole array while a kernel, a copy or a host task
    /// still uses it goes to other memory, as far as there is some that nobody else needs; with 1, or
    /// where there is none, it waits. Results are the same.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").copies(1).build()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn copies(mut self, n: usize) -> Self {
        self.set.copies = Some(n);
        self
    }

    /// How many launches of a run a device may be ahead of what is known to be complete, at least 1; of a
    /// launch that is split into parts, how many phases, and of the phases of any other twice as many.
    /// Default: 64, enough for a device to go on while the host is away for a while. What a device has been
    /// given and not ended is run again where it is lost, and its arrays stay meanwhile; with 1 the host waits
    /// for each launch before it submits the next one to the device. Results are the same.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").look_ahead(4).build()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn look_ahead(mut self, launches: usize) -> Self {
        self.set.look_ahead = Some(launches);
        self
    }

    /// Let OpenCL devices that share the memory of the host (`CL_DEVICE_HOST_UNIFIED_MEMORY`) use arrays
    /// where they are, so that nothing is copied. Launches on them then run one at a time, each to its
    /// end in its call, so this is for large arrays that host and device use in turn. Where a driver is
    /// not seen to use the memory itself, and for other devices, nothing changes. Results are the same.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").zero_copy(true).build()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn zero_copy(mut self, on: bool) -> Self {
        self.set.zero_copy = on;
        self
    }

    /// Refuse kernels whose results depend on the order of work items: float atomics.
    pub fn deterministic(mut self, on: bool) -> Self {
        self.set.deterministic = on;
        self
    }

    /// Complete each stage before the next one starts, and each pipeline before
    /// [`Pipeline::launch`](crate::Pipeline::launch) returns, which is for finding out where time goes.
    /// Pipelines of several threads still run side by side.
    pub fn sync(mut self, on: bool) -> Self {
        self.set.sync = on;
        self
    }

    /// Run host tasks at once where their data allow. Without it they keep their order, one after
    /// the other, beside kernels and copies.
    pub fn dataflow(mut self, on: bool) -> Self {
        self.set.dataflow = on;
        self
    }

    /// Let launches take the devices in turn, in the order of the program: backends take turns, and in
    /// each of them its devices. Without it each launch
    /// is placed where it is predicted to end first, and takes its turn where that is the same or
    /// nobody knows; [`Pipeline::explain`](crate::Pipeline::explain) gives the numbers. Results are
    /// the same.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").round_robin(true).build()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn round_robin(mut self, on: bool) -> Self {
        self.set.round_robin = on;
        self
    }

    /// Splits every launch that can be split into `n` equal parts, which the devices take in turn,
    /// as [`Call::partitions`](crate::Call::partitions) does for one; a call that says something else
    /// has its way. Launches are split without a `part_by` too, as far as their bodies say what a
    /// part needs. Results are the same.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").partitions(3).build()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn partitions(mut self, n: usize) -> Self {
        self.set.partitions = Some(n);
        self
    }

    /// Goes by a file of how fast kernels were on each device, so that the first launches of a program
    /// are placed, and split, as its earlier runs have shown. Where there is no such file nothing is
    /// known; [`Runtime::remember`] writes it.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let path = std::env::temp_dir().join("times of my program");
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").remember(&path).build()?;
    /// // After the work:
    /// rt.remember()?;
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn remember(mut self, path: impl Into<PathBuf>) -> Self {
        self.set.remember = Some(path.into());
        self
    }

    /// The same with a file beside compiled kernels (`FLASH_CACHE_DIR`), which all programs of a user
    /// share: times are found by the device, the kernel and its signature.
    ///
    /// # Errors
    ///
    /// [`Builder::build`] gives [`Error::Option`] where no kernels are kept (`FLASH_CACHE=off`).
    ///
    /// ```no_run
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").remember_with_kernels(true).build()?;
    /// // After the work:
    /// rt.remember()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn remember_with_kernels(mut self, on: bool) -> Self {
        self.set.remember_with_kernels = on;
        self
    }

    /// Loads a file of native code when the runtime is created, in place of when a kernel of it is first
    /// launched: a binary for an FPGA, with which a device is programmed for seconds. It may be said for
    /// several files. What cannot be loaded on any of the FPGAs of the runtime is an error of
    /// [`Builder::build`]; where there is no FPGA nothing is loaded.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").preload("blur.aocx").build()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn preload(mut self, path: impl Into<PathBuf>) -> Self {
        self.set.preload.push(path.into());
        self
    }

    /// Takes nodes that are ready in an unusual order, on one thread; for tests, which must find
    /// the same results.
    #[doc(hidden)]
    pub fn pick(mut self, pick: Pick) -> Self {
        self.set.pick = pick;
        self
    }

    /// Leaves out some of the order; for tests of tests, which must notice.
    #[cfg(feature = "sabotage")]
    #[doc(hidden)]
    pub fn leave_out(mut self, missing: impl Into<Missing>) -> Self {
        self.set.leave_out = Some(missing.into());
        self
    }

    /// Check accesses inside `unsafe` too, as `FLASH_CHECK=all`.
    pub fn check_all(mut self, on: bool) -> Self {
        self.set.check_all = on;
        self
    }

    /// Write down what runs when, for [`Report::trace`](crate::Report::trace) and
    /// [`Runtime::trace`]. It costs a lock and some bytes for each kernel, copy and task.
    pub fn trace(mut self, on: bool) -> Self {
        self.set.trace = on;
        self
    }

    /// How many kernels, copies, tasks and waits a runtime with [`Builder::trace`] keeps: 2^20 where
    /// nothing is said, which take 32 MiB. Then the oldest ones are dropped, with one warning through
    /// `tracing`; [`Trace::dropped`](crate::trace::Trace::dropped) and the exports say how many.
    ///
    /// ```
    /// use flash_rt::{Buffer, NoBackends, Runtime, Task};
    ///
    /// let builder = Runtime::<NoBackends>::builder().devices("SIM");
    /// let rt = builder.trace(true).trace_limit(3).build()?;
    /// let mut n = Buffer::<u32>::zeros(1);
    /// let mut pipeline = rt.pipeline();
    /// pipeline.begin_for(0..10_u32);
    /// pipeline.push(Task::new("count", (&mut n,), |(mut n,)| n[[0]] += 1));
    /// pipeline.end_for();
    /// let report = pipeline.exec()?;
    /// let trace = report.trace().expect("it was asked for");
    /// assert_eq!((trace.intervals().len(), trace.dropped()), (3, 7));
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn trace_limit(mut self, most: usize) -> Self {
        self.set.trace_limit = Some(most);
        self
    }

    /// What the devices of `SIM` are like, in place of `FLASH_SIM`.
    ///
    /// ```
    /// use flash_rt::{NoBackends, Runtime, sim::Config};
    ///
    /// let config = Config { devices: 3, ..Config::default() };
    /// let rt = Runtime::<NoBackends>::builder().devices("SIM").sim(config).build()?;
    /// assert_eq!(rt.devices().len(), 3);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn sim(mut self, config: crate::sim::Config) -> Self {
        self.set.sim = Some(config);
        self
    }

    /// Use the devices of this backend, before those of the key.
    pub fn backend(mut self, backend: Arc<dyn DynBackend>) -> Self {
        self.backends.push(backend);
        self
    }

    /// Opens the devices. Starts no thread.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], [`Error::Option`], [`Error::Remembered`], or what opening a backend says.
    pub fn build(self) -> Result<Runtime<B>> {
        let Self { set, backends, .. } = self;
        Ok(Runtime::from_shared(open(set, &backends, Registry::list::<B>)?))
    }
}

/// Opens the devices of a runtime; `known` lists the backends that a key may mean. It knows no kind of
/// runtime, so that no program compiles it again.
fn open(
    set: Options,
    backends: &[Arc<dyn DynBackend>],
    known: fn() -> Vec<Registration>,
) -> Result<Shared> {
    let mut options = Options::from_env()?;
    let key = set.devices.clone();
    options.overlay(set)?;
    #[cfg(feature = "sabotage")]
    if let Some(missing) = crate::sabotage::missing_edges() {
        (options.leave_out, options.pick) = (Some(missing), Pick::Last);
    }
    let mut devices = Vec::new();
    for backend in backends {
        add_devices(backend, &options, |_| true, &mut devices);
    }
    // A backend given by hand needs no key; with a key both are meant.
    if backends.is_empty() || key.is_some() {
        let key = options.devices.clone().unwrap_or_else(|| ALL.to_owned());
        open_key(&key, &known(), &options, &mut devices)?;
    }
    if let Some(limit) = options.memory_limit
        && devices.iter().all(|device| device.space().is_none())
    {
        return Err(Error::Option {
            option: "memory_limit",
            value: limit.to_string(),
            why: "no device of this runtime has a memory of its own: kernels use the buffers \
                  where they are; leave the limit out, or open a device that it can apply to"
                .to_owned(),
        });
    }
    if options.remember_with_kernels && options.remember.is_none() {
        options.remember = Some(remembered::beside_kernels(options.cache_dir.as_deref())?);
    }
    if let Some(path) = &options.remember {
        let rates = remembered::load(path)?;
        devices.iter().for_each(|device| device.remember(rates.clone()));
    }
    Ok(Shared::of(devices, options))
}

impl Options {
    /// Takes every option that `set` sets.
    fn overlay(&mut self, set: Self) -> Result<()> {
        if let Some(n) = set.threads
            && (n == 0 || n as u64 > MAX_THREADS)
        {
            let why = format!("expected 1 to {MAX_THREADS}");
            return Err(Error::Option { option: "threads", value: n.to_string(), why });
        }
        self.threads = set.threads.or(self.threads);
        self.pin = set.pin.or(self.pin);
        self.spin_us = set.spin_us.or(self.spin_us);
        self.devices = set.devices.or_else(|| self.devices.take());
        self.isa = set.isa.or(self.isa);
        self.memory_limit = set.memory_limit.or(self.memory_limit);
        if set.copies == Some(0) {
            let why = "expected 1 or more".to_owned();
            return Err(Error::Option { option: "copies", value: "0".to_owned(), why });
        }
        self.copies = set.copies.or(self.copies);
        if set.look_ahead == Some(0) {
            let why = "expected 1 or more".to_owned();
            return Err(Error::Option { option: "look_ahead", value: "0".to_owned(), why });
        }
        self.look_ahead = set.look_ahead.or(self.look_ahead);
        if set.trace_limit == Some(0) {
            let why = "expected 1 or more; without `trace` nothing is kept".to_owned();
            return Err(Error::Option { option: "trace_limit", value: "0".to_owned(), why });
        }
        self.trace_limit = set.trace_limit.or(self.trace_limit);
        self.trace |= set.trace;
        self.sim = set.sim.or_else(|| self.sim.take());
        self.check_all |= set.check_all;
        self.deterministic |= set.deterministic;
        self.zero_copy |= set.zero_copy;
        self.sync |= set.sync;
        self.dataflow |= set.dataflow;
        self.round_robin |= set.round_robin;
        self.partitions = set.partitions.or(self.partitions);
        self.remember = set.remember.or_else(|| self.remember.take());
        self.remember_with_kernels |= set.remember_with_kernels;
        self.preload.extend(set.preload);
        if set.pick != Pick::First {
            self.pick = set.pick;
        }
        self.leave_out = set.leave_out.or(self.leave_out);
        Ok(())
    }
}

/// Adds the devices a key names.
fn open_key(
    key: &str,
    known: &[Registration],
    options: &Options,
    devices: &mut Vec<Arc<Device>>,
) -> Result<()> {
    let counted = || known.iter().filter(|backend| (backend.counts)());
    let before = devices.len();
    match key {
        ALL => open_each(counted(), options, |info| !info.duplicate, devices)?,
        ALL_ACCEL => {
            open_each(counted(), options, |info| info.accelerator && !info.duplicate, devices)?;
        }
        _ => open_each(known.iter().filter(|b| b.key == key), options, |_| true, devices)?,
    }
    if devices.len() == before {
        return Err(no_device(key, &existing(known, options)));
    }
    Ok(())
}

fn open_each<'b>(
    backends: impl Iterator<Item = &'b Registration>,
    options: &Options,
    wanted: impl Fn(&DeviceInfo) -> bool,
    devices: &mut Vec<Arc<Device>>,
) -> Result<()> {
    for backend in backends {
        add_devices(&(backend.open)(options)?, options, &wanted, devices);
    }
    Ok(())
}

fn add_devices(
    backend: &Arc<dyn DynBackend>,
    options: &Options,
    wanted: impl Fn(&DeviceInfo) -> bool,
    devices: &mut Vec<Arc<Device>>,
) {
    for (ordinal, info) in backend.devices().into_iter().enumerate() {
        if wanted(&info) {
            let device = Device::new(
                backend.clone(),
                ordinal,
                info,
                (options.memory_limit, options.n_copies()),
            );
            devices.push(Arc::new(device));
        }
    }
}

/// `ALL_CPU (16 x x86-64)`, for the error that lists what exists.
fn existing(known: &[Registration], options: &Options) -> Vec<String> {
    let mut list = Vec::new();
    for backend in known {
        if let Ok(opened) = (backend.open)(options) {
            list.extend(opened.devices().iter().map(|d| format!("{} ({})", backend.key, d.name)));
        }
    }
    list
}
