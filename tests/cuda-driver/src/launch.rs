//! Launches of kernels: what a driver refuses, and how the interpreter reaches memory. It parses
//! nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use flash_test_ptx::{FaultKind, OutOfBounds, Region};

use crate::bytes;
use crate::codes::{Code, Outcome};
use crate::driver::driver;
use crate::hazards::{self, Footprint, Touch};
use crate::locks::lock;
use crate::memory::Allocation;
use crate::module::{Function, SHARED_MOST};
use crate::stream::Failure;

/// A launch with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) function: Arc<Function>,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    pub(crate) params: Vec<u8>,
    pub(crate) cooperative: bool,
}

impl Launch {
    /// Refuses what a driver refuses before it takes a launch.
    pub(crate) fn check(&self) -> Outcome {
        let function = &self.function;
        if function.module.ptx.is_none() {
            let (name, device) = (&function.name, function.module.health.device);
            let why = format!(
                "`{name}` on device {device} is machine code, which the test driver cannot run; load its PTX"
            );
            return Err(driver().trouble(Code::NOT_SUPPORTED, why));
        }
        let [x, y, z] = self.block;
        let threads = u64::from(x) * u64::from(y) * u64::from(z);
        let grid = self.grid;
        let blocks: u64 = grid.iter().map(|&count| u64::from(count)).product();
        if threads == 0 || threads > 1024 || z > 64 || blocks == 0 {
            return Err(Code::INVALID_VALUE);
        }
        if grid[0] > i32::MAX as u32 || grid[1] > 65535 || grid[2] > 65535 {
            return Err(Code::INVALID_VALUE);
        }
        let required = function.entry.as_ref().and_then(|entry| entry.required_threads);
        if required.is_some_and(|required| required != self.block) {
            return Err(Code::INVALID_VALUE);
        }
        if threads as u32 > function.max_threads() {
            return Err(Code::LAUNCH_OUT_OF_RESOURCES);
        }
        if self.shared > function.most_dynamic()
            || self.shared > SHARED_MOST.saturating_sub(function.static_shared())
        {
            return Err(Code::INVALID_VALUE);
        }
        if self.cooperative {
            let units = driver().setting(|settings| settings.multiprocessors);
            let most = function.resident(threads as u32, self.shared) * units;
            if blocks > u64::from(most) {
                return Err(Code::COOPERATIVE_LAUNCH_TOO_LARGE);
            }
        }
        Ok(())
    }

    /// Runs the grid to its end.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let function = &self.function;
        let module = &function.module;
        // `check` has refused the others.
        let Some(ptx) = &module.ptx else { return Ok(()) };
        let settings = driver().settings();
        let launch = flash_test_ptx::Launch {
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.shared,
            params: &self.params,
            cooperative: self.cooperative,
            host_threads: settings.threads,
            steps: settings.steps,
            races: settings.races,
        };
        let view = View::of(module.health.device, module.health.context);
        let result = ptx.run(&function.name, &launch, &module.globals, &view);
        view.check();
        result.map_err(|fault| (code_of(&fault.kind), fault.to_string()))
    }
}

fn code_of(kind: &FaultKind) -> Code {
    match kind {
        FaultKind::IllegalAddress { .. } => Code::ILLEGAL_ADDRESS,
        FaultKind::Misaligned { .. } => Code::MISALIGNED_ADDRESS,
        FaultKind::Assert { .. } => Code::ASSERT,
        FaultKind::Deadlock { .. } | FaultKind::StepLimit => Code::LAUNCH_TIMEOUT,
        FaultKind::Unsupported { .. } => Code::ILLEGAL_INSTRUCTION,
        _ => Code::LAUNCH_FAILED,
    }
}

/// The memory that a kernel may reach, as it was when the kernel began.
struct View {
    allocations: Vec<Arc<Allocation>>,
    /// What the kernel touches, by the address of the allocation, where hazards are looked for.
    marks: Option<Mutex<BTreeMap<u64, Footprint>>>,
}

impl View {
    fn of(device: usize, context: usize) -> Self {
        let driver = driver();
        let peers = match driver.contexts.get(context) {
            Ok(context) => lock(&context.peers).clone(),
            Err(_) => BTreeSet::new(),
        };
        let mut allocations = Vec::new();
        for (other, memory) in driver.memories.iter().enumerate() {
            if other == device || peers.contains(&other) {
                allocations.extend(memory.all());
            }
        }
        Self { allocations, marks: hazards::is_on().then(Mutex::default) }
    }

    fn find(&self, address: u64) -> Option<&Allocation> {
        let after = self.allocations.partition_point(|it| it.start <= address);
        let allocation = self.allocations.get(after.checked_sub(1)?)?;
        (address - allocation.start < allocation.len()).then_some(allocation)
    }

    /// The kernel has ended.
    fn check(&self) {
        let Some(marks) = &self.marks else { return };
        for (start, footprint) in std::mem::take(&mut *lock(marks)) {
            let found = self.allocations.binary_search_by_key(&start, |it| it.start);
            if let Some(allocation) = found.ok().and_then(|at| self.allocations.get(at)) {
                hazards::check(allocation, footprint);
            }
        }
    }

    /// Runs something with the place of an address, on the device or pinned on the host.
    fn with<T>(
        &self,
        address: u64,
        len: usize,
        touch: Touch,
        run: impl FnOnce(bytes::Place) -> T,
    ) -> Result<T, OutOfBounds> {
        if let Some(allocation) = self.find(address) {
            let place = allocation.place(address, len as u64).ok_or(OutOfBounds)?;
            if let Some(marks) = &self.marks {
                let start = (address - allocation.start) as usize;
                lock(marks).entry(allocation.start).or_default().add(start, len, touch);
            }
            return Ok(run(place));
        }
        let pinned = driver().host.find(address as usize).ok_or(OutOfBounds)?;
        pinned.place(address as usize, len).map(run).ok_or(OutOfBounds)
    }
}

impl flash_test_ptx::Memory for View {
    fn load(&self, address: u64, into: &mut [u8]) -> Result<(), OutOfBounds> {
        self.with(address, into.len(), Touch::Read, |place| bytes::load(place, into))
    }

    fn store(&self, address: u64, from: &[u8]) -> Result<(), OutOfBounds> {
        self.with(address, from.len(), Touch::Write, |place| bytes::store(place, from))
    }

    fn atomic(
        &self,
        address: u64,
        width: usize,
        update: &mut dyn FnMut(u64) -> u64,
    ) -> Result<u64, OutOfBounds> {
        self.with(address, width, Touch::Atomic, |place| bytes::update(place, width, update))?
            .ok_or(OutOfBounds)
    }

    /// The function by which a kernel sets the value of a condition of its graph.
    fn external(&self, name: &str, arguments: &[u64]) -> Option<u64> {
        match (name, arguments) {
            ("cudaGraphSetConditional", &[handle, value]) => {
                let condition = driver().conditions.get(handle as usize).ok()?;
                condition.set(value as u32);
                Some(0)
            }
            _ => None,
        }
    }

    fn region(&self, address: u64) -> Option<Region> {
        // What is reached in place leaves no footprint.
        let found = self.find(address).filter(|_| self.marks.is_none());
        found.map(|allocation| allocation.bytes.region(allocation.start))
    }
}
