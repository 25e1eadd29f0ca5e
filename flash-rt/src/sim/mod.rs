//! `SIM`: devices with a memory of their own, in this process. It stands for hardware in tests: its
//! memory is poisoned, its calls are logged, and it runs bodies by interpreting their IR, or by
//! their CPU entry. It is never part of `ALL`, and nothing about its speed means anything.
#![allow(unsafe_code, reason = "implements `launch`, which is unsafe")]

mod entries;
mod interpret;
mod log;
mod memory;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flash_ir::interp::Program;

use crate::allocation::HOST_ALIGN;
use crate::backend::{Backend, DeviceInfo, LaunchInfo, Region};
use crate::descriptor::KernelDescriptor;
use crate::error::{DriverError, DriverErrorKind};
use crate::registry::Registration;

pub use log::{Call, Counts};
pub use memory::SimMemory;

/// The key of the simulator.
pub const KEY: &str = "SIM";

/// The simulator with two devices.
pub const REGISTRATION: Registration =
    Registration { key: KEY, open: |_| Ok(Arc::new(Sim::new(SimOptions::default()))) };

/// How kernels are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Run {
    /// By interpreting the IR.
    #[default]
    Ir,
    /// By the baseline CPU entry.
    Entry,
}

/// What is simulated.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// Number of devices.
    pub devices: usize,
    /// Bytes of memory of each.
    pub memory: u64,
    /// How kernels are run.
    pub run: Run,
    /// The number of a transfer (uploads and downloads, from 0) that is lost without a word. For
    /// tests of tests: what leaves a transfer out must be noticed.
    pub lose: Option<u64>,
}

impl Default for SimOptions {
    fn default() -> Self {
        Self { devices: 2, memory: 1 << 32, run: Run::default(), lose: None }
    }
}

/// The simulator. Clones are the same one, so that a test can keep one beside its runtime.
#[derive(Clone, Debug)]
pub struct Sim {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    options: SimOptions,
    /// Bytes allocated on each device.
    used: Vec<Arc<AtomicU64>>,
    /// Number of transfers so far.
    transfers: AtomicU64,
    calls: Mutex<Vec<Call>>,
}

/// A kernel of the simulator.
#[derive(Debug)]
pub struct SimModule {
    kernel: &'static KernelDescriptor,
    /// The kernel for the interpreter.
    program: Option<Program>,
}

impl Sim {
    /// A simulator with these options.
    pub fn new(options: SimOptions) -> Self {
        let used = (0..options.devices).map(|_| Arc::default()).collect();
        let calls = Mutex::default();
        Self { inner: Arc::new(Inner { options, used, transfers: AtomicU64::new(0), calls }) }
    }

    /// The calls so far, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.log().clone()
    }

    /// Forgets the calls so far.
    pub fn clear_calls(&self) {
        self.log().clear();
    }

    /// Sums over the calls so far.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.log())
    }

    fn log(&self) -> MutexGuard<'_, Vec<Call>> {
        self.inner.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is needed to run a kernel: a program, or its entry.
    fn program(&self, kernel: &'static KernelDescriptor) -> Result<Option<Program>, DriverError> {
        let refused = |text: String| driver_error("sim::load", DriverErrorKind::Failed, text);
        let bodiless = "it has no portable body, and the simulator runs nothing else";
        if self.inner.options.run == Run::Entry
            && kernel.params.iter().any(|param| param.elem.align() > HOST_ALIGN)
        {
            let text =
                format!("an element has an alignment above {HOST_ALIGN}, that of the memory");
            return Err(refused(text));
        }
        match (self.inner.options.run, kernel.ir, kernel.entries) {
            (Run::Ir, Some(ir), _) => Program::new(ir).map(Some).map_err(|unsaid| {
                let list: Vec<String> = unsaid.iter().map(ToString::to_string).collect();
                refused(format!("its IR cannot be interpreted: {}", list.join("; ")))
            }),
            (Run::Entry, _, Some(_)) => Ok(None),
            _ => Err(refused(bodiless.to_owned())),
        }
    }

    /// Whether the transfer that is about to happen is to be lost.
    fn loses_this(&self) -> bool {
        // Relaxed: a number for each, in any order.
        let number = self.inner.transfers.fetch_add(1, Ordering::Relaxed);
        self.inner.options.lose == Some(number)
    }
}

impl Backend for Sim {
    type Memory = SimMemory;
    type Module = SimModule;
    type Event = ();

    fn key(&self) -> &'static str {
        KEY
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        (0..self.inner.options.devices)
            .map(|k| DeviceInfo {
                name: format!("sim:{k}"),
                host_memory: false,
                accelerator: true,
                memory: Some(self.inner.options.memory),
                lanes: 1,
            })
            .collect()
    }

    fn allocate(&self, device: usize, bytes: u64) -> Result<SimMemory, DriverError> {
        let used = self.inner.used.get(device).ok_or_else(|| no_device(device))?;
        let limit = self.inner.options.memory;
        let memory = SimMemory::new(bytes, used, limit)?;
        self.log().push(Call::Allocate { device, bytes });
        Ok(memory)
    }

    fn upload(
        &self,
        device: usize,
        dst: &SimMemory,
        to: Region,
        src: &[u8],
        from: Region,
    ) -> Result<(), DriverError> {
        if !self.loses_this() {
            memory::copy(&mut dst.lock(), to, src, from)?;
        }
        self.log().push(Call::Upload { device, to });
        Ok(())
    }

    fn download(
        &self,
        device: usize,
        src: &SimMemory,
        from: Region,
        dst: &mut [u8],
        to: Region,
    ) -> Result<(), DriverError> {
        if !self.loses_this() {
            memory::copy(dst, to, &src.lock(), from)?;
        }
        self.log().push(Call::Download { device, from });
        Ok(())
    }

    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<SimModule, DriverError> {
        let program = self.program(kernel)?;
        self.log().push(Call::Load { device, kernel: kernel.name });
        Ok(SimModule { kernel, program })
    }

    unsafe fn launch(
        &self,
        device: usize,
        module: &SimModule,
        launch: &LaunchInfo<'_, SimMemory>,
    ) -> Result<(), DriverError> {
        let kernel = module.kernel.name;
        self.log().push(Call::Launch { device, kernel, items: launch.space.n_items() as u64 });
        match &module.program {
            Some(program) => interpret::run(program, launch),
            None => entries::run(launch),
        }
        Ok(())
    }

    fn poll(&self, _event: &()) -> Result<bool, DriverError> {
        Ok(true)
    }

    fn wait(&self, _event: &()) -> Result<(), DriverError> {
        Ok(())
    }

    fn path(&self, _device: usize, _kernel: &'static KernelDescriptor) -> String {
        match self.inner.options.run {
            Run::Ir => "IR interpreter".to_owned(),
            Run::Entry => "baseline CPU entry, one block".to_owned(),
        }
    }
}

/// An error of the simulated driver.
fn driver_error(api: &'static str, kind: DriverErrorKind, text: String) -> DriverError {
    DriverError { api, code: 1, text: text.into(), kind }
}

fn no_device(device: usize) -> DriverError {
    driver_error("sim", DriverErrorKind::Failed, format!("there is no device {device}"))
}
