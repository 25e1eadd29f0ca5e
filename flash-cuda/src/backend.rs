//! The backend: one object with the devices that the driver shows. It validates nothing that the contract
//! says was validated above.
#![allow(unsafe_code, reason = "implements copies and launches, which are unsafe")]

use std::sync::Arc;

use flash_rt::backend::{
    Backend, DeviceInfo, DynBackend, LaunchInfo, MemoryInfo, NativeCode, Prepared, Queue, Region,
    Repeat, Ticket, Timing,
};
use flash_rt::error::DriverErrorKind;
use flash_rt::registry::Registration;
use flash_rt::{DriverError, KernelDescriptor, Options};

use crate::copies;
use crate::cu;
use crate::cycles;
use crate::device::CudaDevice;
use crate::facts;
use crate::memory::CudaMemory;
use crate::module::{self, CudaModule};
use crate::nodes;
use crate::nvrtc::Compiler;
use crate::operation::{Extras, Held};
use crate::pinned;
use crate::transfer;

/// The key of all devices.
pub const KEY: &str = "NVIDIA_GPU";

/// The devices of the driver.
#[derive(Debug)]
pub struct Cuda {
    devices: Vec<Arc<CudaDevice>>,
    /// So many bytes of the host may be pinned in this process.
    pinned_limit: u64,
}

impl Cuda {
    /// The devices that the driver shows now.
    pub fn new(options: &Options) -> Self {
        let compiler = Compiler::new(options);
        let device = |facts| CudaDevice::new(facts, compiler.clone());
        Self::with(facts::facts().devices.iter().map(device).collect(), options)
    }

    /// These devices.
    pub(crate) fn with(devices: Vec<CudaDevice>, options: &Options) -> Self {
        Self {
            devices: devices.into_iter().map(Arc::new).collect(),
            pinned_limit: options.pinned_limit.unwrap_or_else(pinned::default_limit),
        }
    }

    /// How a registry opens them.
    pub fn registration() -> Registration {
        Registration {
            key: KEY,
            counts: cu::is_there,
            open: |options| Ok(Arc::new(Self::new(options)) as Arc<dyn DynBackend>),
        }
    }

    pub(crate) fn device(&self, device: usize) -> Result<&Arc<CudaDevice>, DriverError> {
        self.devices.get(device).ok_or_else(|| DriverError {
            api: "flash-cuda",
            code: -1,
            text: format!("there is no device {device}").into(),
            kind: DriverErrorKind::Failed,
        })
    }
}

impl Backend for Cuda {
    type Memory = CudaMemory;
    type Module = CudaModule;

    fn key(&self) -> &'static str {
        KEY
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        let info = |device: &Arc<CudaDevice>| {
            let facts = &device.facts;
            DeviceInfo {
                name: facts.name.clone(),
                host_memory: false,
                accelerator: true,
                duplicate: false,
                memory: Some(facts.memory),
                lanes: facts.units as usize * facts.unit_threads as usize,
                queues: device.queues(),
                groups: Some(facts.groups),
                capabilities: facts.capabilities,
            }
        };
        self.devices.iter().map(info).collect()
    }

    fn memory_info(&self, device: usize) -> Result<Option<MemoryInfo>, DriverError> {
        let device = self.device(device)?;
        let memory = device.context()?.memory();
        let (free, total) = memory.map_err(|failure| device.error(failure))?;
        Ok(Some(MemoryInfo { free, total }))
    }

    fn allocate(&self, device: usize, bytes: u64) -> Result<CudaMemory, DriverError> {
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
        Ok(CudaMemory(Arc::new(memory?)))
    }

    unsafe fn stays(&self, device: usize, memory: *const [u8]) {
        let Ok(context) = self.device(device).and_then(|device| device.context()) else { return };
        // SAFETY: the memory stays until what is kept for it goes, as the run time says.
        unsafe { pinned::pin(&context, memory, self.pinned_limit) };
    }

    unsafe fn upload(
        &self,
        device: usize,
        dst: &CudaMemory,
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
        src: &CudaMemory,
        from: Region,
        dst: *mut [u8],
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        copies::check("download", &src.0, from, Some((dst.len(), to)))?;
        // SAFETY: the regions were checked; the rest is what the caller promises.
        unsafe { transfer::download(self.device(device)?, &src.0, from, dst.cast(), to, after) }
    }

    fn is_peer(&self, device: usize, other: usize) -> bool {
        let devices = self.devices.get(device).zip(self.devices.get(other));
        devices.is_some_and(|(device, other)| device.facts.peers.contains(&other.facts.id))
    }

    unsafe fn peer_copy(
        &self,
        device: usize,
        (src, from): (&CudaMemory, Region),
        _other: usize,
        (dst, to): (&CudaMemory, Region),
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let bytes = usize::try_from(dst.0.bytes).unwrap_or(usize::MAX);
        copies::check("peer_copy", &src.0, from, Some((bytes, to)))?;
        let device = self.device(device)?;
        src.0.context.reach(&dst.0.context);
        let pieces = copies::pieces(&from, &to, device.facts.most_pitch);
        let mut extras = Extras::of(&src.0);
        extras.held.push(Held::Memory(Arc::clone(&dst.0)));
        device.lines.submit(Queue::Down, after, extras, |commands| {
            // SAFETY: the regions were checked; the rest is what the caller promises.
            unsafe { copies::peer_copy(commands, &src.0, &dst.0, &pieces) }
        })
    }

    unsafe fn zero(
        &self,
        device: usize,
        queue: u8,
        dst: &CudaMemory,
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        copies::check("zero", &dst.0, to, None)?;
        let device = self.device(device)?;
        let pieces = copies::pieces(&to, &to, device.facts.most_pitch);
        let extras = Extras::of(&dst.0);
        device.lines.submit(Queue::Compute(queue), after, extras, |commands| {
            // SAFETY: the region was checked; the rest is what the caller promises.
            unsafe { copies::zero(commands, &dst.0, &pieces) }
        })
    }

    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<CudaModule, DriverError> {
        CudaModule::load(self.device(device)?, kernel)
    }

    unsafe fn launch(
        &self,
        device: usize,
        queue: u8,
        module: &CudaModule,
        launch: &LaunchInfo<'_, CudaMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        // SAFETY: as the caller vouches.
        unsafe { module.launch(self.device(device)?, Queue::Compute(queue), launch, after) }
    }

    unsafe fn prepare(
        &self,
        device: usize,
        module: &CudaModule,
        launch: &LaunchInfo<'_, CudaMemory>,
    ) -> Result<Option<Arc<dyn Prepared>>, DriverError> {
        // SAFETY: as the caller vouches.
        let kept = unsafe { module.prepare(self.device(device)?, launch)? };
        Ok(kept.map(|kept| Arc::new(kept) as Arc<dyn Prepared>))
    }

    fn repeats(&self, device: usize) -> bool {
        self.device(device).is_ok_and(|device| cycles::may(device))
    }

    unsafe fn repeat(
        &self,
        device: usize,
        queue: u8,
        repeat: &Repeat<'_, CudaMemory>,
        after: &[Ticket],
    ) -> Result<Option<Ticket>, DriverError> {
        // SAFETY: as the caller vouches.
        unsafe { cycles::submit(self.device(device)?, Queue::Compute(queue), repeat, after) }
    }

    unsafe fn native(
        &self,
        device: usize,
        queue: u8,
        launch: &LaunchInfo<'_, CudaMemory>,
        code: &mut NativeCode<'_>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        // SAFETY: as the caller vouches.
        unsafe { nodes::submit(self.device(device)?, Queue::Compute(queue), launch, code, after) }
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

    fn recover(&self, device: usize) -> Result<(), DriverError> {
        self.device(device)?.recover()
    }

    fn timing(&self, device: usize, ticket: Ticket) -> Option<Timing> {
        self.device(device).ok()?.lines.timing(ticket)
    }

    fn implements(&self, device: usize, kernel: &'static KernelDescriptor) -> bool {
        self.device(device).is_ok_and(|device| module::implements(device, kernel))
    }

    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String {
        self.device(device)
            .map_or_else(|error| error.text.to_string(), |device| module::path(device, kernel))
    }
}
