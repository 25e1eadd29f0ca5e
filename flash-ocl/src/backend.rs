//! The backend: one object for each key, with the devices that the key names. It validates nothing
//! that the contract says was validated above.
#![allow(unsafe_code, reason = "implements copies and launches, which are unsafe")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use flash_rt::backend::{
    Backend, DeviceInfo, DynBackend, LaunchInfo, MemoryInfo, NativeCode, Operation, Prepared,
    Queue, Region, Ticket, Timing,
};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::cache::Cache;
use flash_rt::registry::Registration;
use flash_rt::{DriverError, Error, KernelDescriptor, Options};
use smallvec::smallvec;

use crate::cl::DeviceKind;
use crate::copies;
use crate::device::{OclDevice, Shared};
use crate::facts::{self, DeviceFacts};
use crate::memory::OclMemory;
use crate::module::{self, OclModule};
use crate::native;
use crate::nodes;
use crate::operation::{Extras, Held};
use crate::transfer;
use crate::vendors;

/// The key of all devices that are not for [`FPGA_KEY`].
pub const KEY: &str = "OPENCL";

/// The key of accelerators whose platform is one for FPGAs.
pub const FPGA_KEY: &str = "INTEL_FPGA";

/// Where compiled programs are below the folder for them.
pub(crate) const KEPT_IN: &str = "opencl";

/// The devices of a key.
#[derive(Debug)]
pub struct OpenCl {
    key: &'static str,
    devices: Vec<Arc<OclDevice>>,
}

impl OpenCl {
    /// The devices of [`KEY`].
    pub fn new(options: &Options) -> Self {
        Self::of(KEY, options, |facts| !is_fpga(facts))
    }

    /// The devices of [`FPGA_KEY`].
    pub fn fpga(options: &Options) -> Self {
        Self::of(FPGA_KEY, options, is_fpga)
    }

    fn of(key: &'static str, options: &Options, wanted: fn(&DeviceFacts) -> bool) -> Self {
        let mut devices = Vec::new();
        for platform in facts::platforms() {
            let ids = platform.devices.iter().map(|device| device.id).collect();
            let shared = Arc::new(Shared::new(platform.id, ids));
            for facts in platform.devices.iter().filter(|facts| wanted(facts)) {
                let cache = options.cache_dir.as_ref().map(|dir| Cache::below(dir, KEPT_IN));
                let device = OclDevice::new(facts, &shared, cache).staged(options.staging);
                let device = if options.zero_copy { device.in_place() } else { device };
                devices.push(Arc::new(device));
            }
        }
        Self { key, devices }
    }

    /// How a registry opens those of [`KEY`].
    pub fn registration() -> Registration {
        Registration {
            key: KEY,
            counts: vendors::may_have_others,
            open: |options| Ok(Arc::new(Self::new(options)) as Arc<dyn DynBackend>),
        }
    }

    /// How a registry opens those of [`FPGA_KEY`].
    pub fn fpga_registration() -> Registration {
        Registration {
            key: FPGA_KEY,
            counts: vendors::may_have_others,
            open: |options| {
                let backend = Self::fpga(options);
                backend.preload(&options.preload)?;
                Ok(Arc::new(backend) as Arc<dyn DynBackend>)
            },
        }
    }

    /// Builds binaries before any kernel of them is launched, for each device that takes them.
    ///
    /// # Errors
    ///
    /// A file that none of the devices takes; there is none where there are no devices.
    pub fn preload(&self, files: &[PathBuf]) -> flash_rt::Result<()> {
        for path in files.iter().filter(|_| !self.devices.is_empty()) {
            native::preload(&self.devices, path).map_err(|why| Error::Option {
                option: "preload",
                value: path.display().to_string(),
                why,
            })?;
        }
        Ok(())
    }

    /// How many binaries are built for a device.
    pub fn binaries(&self, device: usize) -> usize {
        self.devices.get(device).map_or(0, |device| device.bitstreams.n_built())
    }

    /// How often a device was programmed anew: how often a launch needed another binary than the one
    /// before. It is 0 for devices that hold many at once.
    pub fn switches(&self, device: usize) -> u64 {
        self.devices.get(device).map_or(0, |device| device.bitstreams.switches())
    }

    /// Devices of one key.
    pub(crate) fn with(devices: Vec<OclDevice>) -> Self {
        let key = if devices.iter().all(|d| is_fpga(&d.facts)) { FPGA_KEY } else { KEY };
        Self { key, devices: devices.into_iter().map(Arc::new).collect() }
    }

    pub(crate) fn device(&self, device: usize) -> Result<&Arc<OclDevice>, DriverError> {
        self.devices.get(device).ok_or_else(|| DriverError {
            api: "flash-ocl",
            code: -1,
            text: format!("there is no device {device}").into(),
            kind: DriverErrorKind::Failed,
        })
    }
}

/// Whether it is a device of [`FPGA_KEY`].
pub(crate) fn is_fpga(facts: &DeviceFacts) -> bool {
    facts.is_fpga && facts.kind == DeviceKind::Other
}

impl Backend for OpenCl {
    type Memory = OclMemory;
    type Module = OclModule;

    fn key(&self) -> &'static str {
        self.key
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        let info = |device: &Arc<OclDevice>| {
            let facts = &device.facts;
            DeviceInfo {
                name: facts.name.clone(),
                host_memory: device.in_place.is_some(),
                accelerator: facts.kind != DeviceKind::Cpu,
                // The processor is a device of its own.
                duplicate: facts.kind == DeviceKind::Cpu,
                memory: device.in_place.is_none().then_some(facts.memory),
                lanes: facts.lanes,
                queues: device.queues(),
                groups: Some(facts.groups),
                capabilities: facts.capabilities,
            }
        };
        self.devices.iter().map(info).collect()
    }

    fn memory_info(&self, device: usize) -> Result<Option<MemoryInfo>, DriverError> {
        let device = self.device(device)?;
        if device.in_place.is_some() {
            return Ok(None);
        }
        let total = device.facts.memory;
        Ok(Some(MemoryInfo { free: total.saturating_sub(device.used()), total }))
    }

    fn allocate(&self, device: usize, bytes: u64) -> Result<OclMemory, DriverError> {
        let device = self.device(device)?;
        let memory = device.allocate(bytes).or_else(|error| {
            // What is kept for launches may be what is in the way.
            device.let_go();
            if error.kind == DriverErrorKind::OutOfMemory {
                device.allocate(bytes)
            } else {
                Err(error)
            }
        });
        Ok(OclMemory(Arc::new(memory?)))
    }

    unsafe fn upload(
        &self,
        device: usize,
        dst: &OclMemory,
        to: Region,
        src: *const [u8],
        from: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        copies::check("upload", &dst.0, to, Some((src.len(), from)))?;
        // SAFETY: the regions were checked; the rest is what the caller promises.
        unsafe { transfer::upload(self.device(device)?, &dst.0, to, src.cast(), from, after) }
    }

    unsafe fn download(
        &self,
        device: usize,
        src: &OclMemory,
        from: Region,
        dst: *mut [u8],
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        copies::check("download", &src.0, from, Some((dst.len(), to)))?;
        // SAFETY: the regions were checked; the rest is what the caller promises.
        unsafe { transfer::download(self.device(device)?, &src.0, from, dst.cast(), to, after) }
    }

    unsafe fn zero(
        &self,
        device: usize,
        queue: u8,
        dst: &OclMemory,
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        copies::check("zero", &dst.0, to, None)?;
        let zeros = copies::zeros(&to);
        let mut held = smallvec![Held::Memory(Arc::clone(&dst.0))];
        held.extend(zeros.clone().map(Held::Zeros));
        let extras = Extras { held, noting: None };
        self.device(device)?.lines.submit(Queue::Compute(queue), after, extras, |commands| {
            copies::zero(commands, &dst.0, to, zeros.as_ref())
        })
    }

    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<OclModule, DriverError> {
        OclModule::load(self.device(device)?, self.key, kernel)
    }

    unsafe fn launch(
        &self,
        device: usize,
        queue: u8,
        module: &OclModule,
        launch: &LaunchInfo<'_, OclMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let device = self.device(device)?;
        if let Some(in_place) = &device.in_place {
            // SAFETY: as the caller vouches.
            return unsafe { in_place.launch(device, module, launch) };
        }
        // SAFETY: as the caller vouches.
        unsafe { module.launch(device, Queue::Compute(queue), launch, after) }
    }

    unsafe fn prepare(
        &self,
        device: usize,
        module: &OclModule,
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Result<Option<Arc<dyn Prepared>>, DriverError> {
        // SAFETY: as the caller vouches.
        let kept = unsafe { module.prepare(self.device(device)?, launch)? };
        Ok(kept.map(|kept| kept as Arc<dyn Prepared>))
    }

    unsafe fn native(
        &self,
        device: usize,
        queue: u8,
        launch: &LaunchInfo<'_, OclMemory>,
        code: &mut NativeCode<'_>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let device = self.device(device)?;
        if let Some(in_place) = &device.in_place {
            // SAFETY: as the caller vouches.
            return unsafe { in_place.native(device, launch, code) };
        }
        // SAFETY: as the caller vouches.
        unsafe { nodes::submit(device, Queue::Compute(queue), launch, code, after) }
    }

    fn completed(&self, device: usize, queue: Queue) -> Result<u64, DriverError> {
        self.device(device)?.lines.completed(queue)
    }

    fn wait(&self, device: usize, ticket: Ticket) -> Result<(), DriverError> {
        self.device(device)?.lines.wait(ticket)
    }

    fn reset(&self, device: usize) -> Result<(), DriverError> {
        self.device(device)?.lines.reset()
    }

    fn timing(&self, device: usize, ticket: Ticket) -> Option<Timing> {
        self.device(device).ok()?.lines.timing(ticket)
    }

    fn implements(&self, device: usize, kernel: &'static KernelDescriptor) -> bool {
        self.device(device).is_ok_and(|device| module::implements(device, self.key, kernel))
    }

    /// Of how long an operation takes only what programming a device does is known before it was seen.
    fn declared(&self, device: usize, operation: Operation) -> Option<Duration> {
        match operation {
            Operation::SetUp => self.device(device).ok()?.bitstreams.takes(),
            Operation::Launch(..) | Operation::Upload(_) | Operation::Download(_) => None,
        }
    }

    fn setup(&self, device: usize, kernel: &'static KernelDescriptor) -> Option<u64> {
        let device = self.device(device).ok().filter(|_| self.key == FPGA_KEY)?;
        let implementation = native::choose(&device.facts, self.key, kernel)?;
        let is_taken = native::refusal(&device.facts, implementation).is_none();
        let (file, bytes) = (native::file(implementation), || native::bytes(implementation));
        is_taken.then(|| device.bitstreams.number(file, bytes))
    }

    fn is_set_up(&self, device: usize) -> Option<u64> {
        self.device(device).ok()?.bitstreams.held()
    }

    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String {
        self.device(device).map_or_else(
            |error| error.text.to_string(),
            |device| module::path(device, self.key, kernel),
        )
    }
}
