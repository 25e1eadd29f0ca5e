//! The backend: kernels run in host memory, each launch by the caller and the team.
//!
//! A launch is complete when `launch` returns, so there is nothing to wait for. It validates nothing that the
//! contract says was validated above.
#![allow(unsafe_code, reason = "implements `launch`, which is unsafe")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use flash_ir::analysis::straight;
use flash_rt::backend::{Backend, DeviceInfo, DynBackend, LaunchInfo, Queue, Region, Ticket};
use flash_rt::descriptor::{Entries, Entry, IsaEntry};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::block;
use flash_rt::registry::Registration;
use flash_rt::search;
use flash_rt::{Capabilities, DriverError, Isa, KernelDescriptor, Options, Result, Role};

use crate::cost::{Cost, Rhythm};
use crate::library::{self, LibraryKernel};
use crate::team::{DEFAULT_SPIN, Desk, Layout, Stand, Team};
use crate::trial::Trials;
use crate::{isa, launch};

/// The processors of this machine as one device.
#[derive(Debug)]
pub struct CpuBackend {
    isa: Isa,
    /// Whether kernels that may gain nothing by it use it, as it was asked for or is good for them.
    always: bool,
    layout: Layout,
    /// Started by the first launch that is worth it.
    team: OnceLock<Arc<Team>>,
    pub(crate) rhythm: Rhythm,
    /// Whether the last launch went through its pieces from the last one on.
    back: AtomicBool,
}

/// An item of so many steps takes less than a look at what a launch is worth.
const SHORT: usize = 200;

/// A kernel ready to run.
#[derive(Debug)]
pub struct CpuModule {
    pub(crate) code: KernelCode,
    /// What is called in place of it for a few items.
    pub(crate) brief: Option<Entry>,
    /// Whether pieces are runs of reduction blocks.
    pub(crate) reduces: bool,
    pub(crate) cost: Cost,
    pub(crate) trials: Trials,
    /// Where its launches with one piece for each worker are written out.
    pub(crate) desk: Desk,
}

/// What is called for a block.
#[derive(Debug)]
pub(crate) enum KernelCode {
    /// An entry for an instruction set that was detected.
    Entry(IsaEntry),
    /// A function of a shared library.
    Library(LibraryKernel),
}

/// How long helpers stay up for the next launch of a slow series.
const LINGER: Duration = Duration::from_millis(2);

/// Device memory, of which a backend in host memory has none.
#[derive(Debug)]
pub enum NoMemory {}

impl CpuBackend {
    /// The key that users name it by.
    pub const KEY: &'static str = "ALL_CPU";

    /// The backend with these options. It starts no thread.
    ///
    /// # Errors
    ///
    /// [`Error::Option`](flash_rt::Error::Option) for an instruction set that is not there.
    pub fn new(options: &Options) -> Result<Self> {
        let spin = options.spin_us.map_or(DEFAULT_SPIN, |us| Duration::from_micros(u64::from(us)));
        Ok(Self {
            isa: isa::choose(options.isa)?,
            always: options.isa.is_some() || isa::is_wide_for_moves(),
            layout: Layout::detect(options.threads, options.pin, spin),
            team: OnceLock::new(),
            rhythm: Rhythm::new(spin),
            back: AtomicBool::new(false),
        })
    }

    /// Whether all helpers sleep, or were never there.
    #[inline]
    pub(crate) fn sleeps(&self) -> bool {
        self.team.get().is_none_or(|team| team.sleeps())
    }

    /// Where the caller stands in the team, and whether all of its helpers are looking for a launch of
    /// his; `None` where there is no team yet.
    #[inline]
    pub(crate) fn stand(&self) -> Option<(Stand, bool)> {
        let team = self.team.get()?;
        let at = team.stand();
        Some((at, team.is_up(at)))
    }

    /// Whether a launch goes through its pieces from the last one on. Every other one does, so that each
    /// worker begins with what the launch before has left in its cache.
    #[inline]
    pub(crate) fn turns_back(&self) -> bool {
        // Relaxed, and no exchange: launches that run at once may go the same way.
        let back = !self.back.load(Ordering::Relaxed);
        self.back.store(back, Ordering::Relaxed);
        back
    }

    /// Says whether helpers are to stay up through pauses.
    #[cold]
    pub(crate) fn stay_up(&self, stay_up: bool) {
        let Some(team) = self.team.get() else { return };
        if !team.linger(if stay_up { LINGER } else { Duration::ZERO }) {
            self.rhythm.disturb();
        }
    }

    fn entry(&self, entries: &Entries) -> (IsaEntry, Isa) {
        if self.always { entries.highest(self.isa) } else { entries.fastest(self.isa) }
    }

    /// How a registry opens it.
    pub fn registration() -> Registration {
        Registration {
            key: Self::KEY,
            counts: || true,
            open: |options| Ok(Arc::new(Self::new(options)?) as Arc<dyn DynBackend>),
        }
    }

    /// The instruction set in use.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// Threads that work on a launch, the caller included.
    pub fn workers(&self) -> usize {
        self.layout.workers
    }

    #[inline]
    pub(crate) fn team(&self) -> &Team {
        self.team.get_or_init(|| shared_team(&self.layout))
    }
}

/// The team of a layout; runtimes that live at the same time share it, so that their helpers do not
/// compete for the processors.
fn shared_team(layout: &Layout) -> Arc<Team> {
    static TEAMS: Mutex<Vec<(Layout, Weak<Team>)>> = Mutex::new(Vec::new());
    let mut teams = TEAMS.lock().unwrap_or_else(PoisonError::into_inner);
    teams.retain(|(_, team)| team.strong_count() > 0);
    let there = teams.iter().find(|(of, _)| of == layout).and_then(|(_, team)| team.upgrade());
    there.unwrap_or_else(|| {
        let team = Arc::new(Team::new(layout.clone()));
        teams.push((layout.clone(), Arc::downgrade(&team)));
        team
    })
}

/// The words of `/proc/cpuinfo`, of which the first record is enough.
fn processor_name() -> Option<String> {
    use std::io::Read;
    let mut text = Vec::new();
    std::fs::File::open("/proc/cpuinfo").ok()?.take(2_048).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The answer to calls that need device memory.
fn no_memory(api: &'static str) -> DriverError {
    DriverError {
        api,
        code: -1,
        text: "kernels use host memory; there is no device memory to reach".into(),
        kind: DriverErrorKind::Failed,
    }
}

impl Backend for CpuBackend {
    type Memory = NoMemory;
    type Module = CpuModule;

    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        let workers = self.layout.workers;
        let name = processor_name().unwrap_or_else(|| std::env::consts::ARCH.to_owned());
        let lanes = match self.isa {
            Isa::Baseline => 4,
            Isa::Avx2 => 8,
            Isa::Avx512 => 16,
        };
        vec![DeviceInfo {
            name: format!("{name}, {workers} x {}", isa::title(self.isa)),
            host_memory: true,
            accelerator: false,
            duplicate: false,
            memory: None,
            lanes: workers * lanes,
            queues: 0,
            groups: None,
            capabilities: Capabilities::OF_BODIES,
        }]
    }

    fn allocate(&self, _device: usize, _bytes: u64) -> Result<NoMemory, DriverError> {
        Err(no_memory("allocate"))
    }

    unsafe fn upload(
        &self,
        _device: usize,
        _dst: &NoMemory,
        _to: Region,
        _src: *const [u8],
        _from: Region,
        _after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        Err(no_memory("upload"))
    }

    unsafe fn download(
        &self,
        _device: usize,
        _src: &NoMemory,
        _from: Region,
        _dst: *mut [u8],
        _to: Region,
        _after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        Err(no_memory("download"))
    }

    unsafe fn zero(
        &self,
        _device: usize,
        _queue: u8,
        _dst: &NoMemory,
        _to: Region,
        _after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        Err(no_memory("zero"))
    }

    fn load(
        &self,
        _device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<CpuModule, DriverError> {
        let code = if let Some(library) = library::find(kernel)? {
            KernelCode::Library(library)
        } else if let Some(library) = library::searched(kernel)? {
            KernelCode::Library(library)
        } else if let Some(entries) = &kernel.entries {
            KernelCode::Entry(self.entry(entries).0)
        } else {
            let there: Vec<_> = kernel.implementations.iter().map(|i| i.backend).collect();
            let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
            return Err(DriverError {
                api: "load",
                code: -1,
                text: format!(
                    "it has no body and no `cpu(..)` implementation; implementations: {there}"
                )
                .into(),
                kind: DriverErrorKind::Failed,
            });
        };
        let unfit = block::unfit(usize::from(kernel.rank));
        if let (KernelCode::Library(_), Some(why)) = (&code, unfit) {
            let kind = DriverErrorKind::Library;
            return Err(DriverError { api: "load", code: -1, text: why.into(), kind });
        }
        tracing::debug!(kernel = kernel.name, path = Backend::path(self, 0, kernel), "loaded");
        let reduces = kernel.params.iter().any(|param| matches!(param.role, Role::Reduce { .. }));
        let portable = matches!(code, KernelCode::Entry(_)).then_some(kernel.ir).flatten();
        let is_short = portable.and_then(straight).is_some_and(|steps| steps <= SHORT);
        let brief = kernel.entries.filter(|_| is_short).and_then(|entries| entries.brief());
        Ok(CpuModule {
            code,
            brief,
            reduces,
            cost: Cost::guess(portable),
            trials: Trials::new(),
            desk: Desk::new(),
        })
    }

    #[inline]
    unsafe fn launch(
        &self,
        _device: usize,
        _queue: u8,
        module: &CpuModule,
        launch: &LaunchInfo<'_, NoMemory>,
        _after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        if let KernelCode::Library(library) = &module.code {
            library.takes(launch.kernel, launch.slots)?;
        }
        // SAFETY: as the caller vouches.
        unsafe { launch::run(self, module, launch) };
        Ok(Ticket::DONE)
    }

    fn brief(&self, _device: usize, module: &CpuModule) -> Option<Entry> {
        module.brief
    }

    fn completed(&self, _device: usize, _queue: Queue) -> Result<u64, DriverError> {
        Ok(0)
    }

    fn wait(&self, _device: usize, _ticket: Ticket) -> Result<(), DriverError> {
        Ok(())
    }

    fn reset(&self, _device: usize) -> Result<(), DriverError> {
        Ok(())
    }

    fn implements(&self, _device: usize, kernel: &'static KernelDescriptor) -> bool {
        kernel.entries.is_some()
            || kernel.search.is_some()
            || kernel.implementations.iter().any(|native| native.backend == "cpu")
    }

    fn path(&self, _device: usize, kernel: &'static KernelDescriptor) -> String {
        if let Some((path, entry)) = library::named(kernel) {
            return format!("`{entry}` of {path}");
        }
        if search::native(kernel, Self::KEY).is_some() {
            return "shared library".to_owned();
        }
        let Some(entries) = &kernel.entries else {
            return "no implementation for the CPU".to_owned();
        };
        let isa = isa::title(self.entry(entries).1);
        match kernel.slow.len() {
            0 => format!("{isa}, fast path"),
            1 => format!("{isa}, fast path but for 1 access"),
            n => format!("{isa}, fast path but for {n} accesses"),
        }
    }
}
