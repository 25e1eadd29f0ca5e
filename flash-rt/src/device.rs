//! One device of a runtime: its backend, its memory, the kernels loaded for it. It decides nothing
//! about what runs there.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

use crate::allocation::Allocation;
use crate::backend::{DeviceInfo, DynBackend, DynMemory, DynModule, Region};
use crate::descriptor::KernelDescriptor;
use crate::error::{DriverError, DriverErrorKind, Site};
use crate::image::{DeviceMemory, MemorySpace};
use crate::modules::Modules;
use crate::report::Transfers;
use crate::{Error, Result};

/// A device that a runtime has opened.
pub struct Device {
    pub(crate) backend: Arc<dyn DynBackend>,
    /// Its number in the backend.
    pub(crate) ordinal: usize,
    pub(crate) info: DeviceInfo,
    /// `None` where kernels use the host image.
    space: Option<MemorySpace>,
    modules: Modules,
    /// Bytes of images held.
    used: AtomicU64,
    limit: Option<u64>,
    /// Allocations that have had an image here, oldest first.
    images: Mutex<Vec<Weak<Allocation>>>,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("name", &self.name())
            .field("key", &self.key())
            .field("ordinal", &self.ordinal)
            .field("space", &self.space)
            .finish_non_exhaustive()
    }
}

impl Device {
    pub(crate) fn new(
        backend: Arc<dyn DynBackend>,
        ordinal: usize,
        info: DeviceInfo,
        limit: Option<u64>,
    ) -> Self {
        let limit = match (limit, info.memory) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let space = (!info.host_memory).then(fresh_space);
        let modules = Modules::new();
        Self {
            backend,
            ordinal,
            info,
            space,
            modules,
            used: AtomicU64::new(0),
            limit,
            images: Mutex::default(),
        }
    }

    /// A name a person knows it by.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The key of its backend.
    pub fn key(&self) -> &'static str {
        self.backend.key()
    }

    /// Its facts.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Its memory; `None` where kernels use the host image.
    pub fn space(&self) -> Option<MemorySpace> {
        self.space
    }

    /// Bytes of images it holds.
    pub fn bytes_used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Reserves memory of undefined contents.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] beyond the limit or where the driver has none; [`Error::Driver`].
    pub(crate) fn allocate(self: &Arc<Self>, bytes: u64) -> Result<Arc<DeviceImage>> {
        let full = |source| Error::OutOfMemory { device: self.name().to_owned(), bytes, source };
        // Relaxed: the counter guards a sum, not other memory.
        let claimed = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&sum| self.limit.is_none_or(|limit| sum <= limit))
        });
        if claimed.is_err() {
            return Err(full(None));
        }
        match self.backend.allocate(self.ordinal, bytes) {
            Ok(memory) => Ok(Arc::new(DeviceImage { memory, bytes, device: self.clone() })),
            Err(error) => {
                self.used.fetch_sub(bytes, Ordering::Relaxed);
                Err(match error.kind {
                    DriverErrorKind::OutOfMemory => full(Some(error)),
                    _ => self.driver_error(format!("allocation of {bytes} bytes"), error),
                })
            }
        }
    }

    /// As [`Device::allocate`], all zero.
    pub(crate) fn allocate_zeroed(self: &Arc<Self>, bytes: u64) -> Result<Arc<DeviceImage>> {
        const PIECE: u64 = 1 << 16;
        let image = self.allocate(bytes)?;
        let zeros = vec![0; bytes.min(PIECE) as usize];
        let mut offset = 0;
        while offset < bytes {
            let row_bytes = (bytes - offset).min(PIECE);
            let to = Region { offset, row_bytes, rows: 1, pitch: row_bytes };
            image.send(to, &zeros, Region { offset: 0, ..to })?;
            offset += row_bytes;
        }
        Ok(image)
    }

    /// Notes that an allocation has an image here.
    pub(crate) fn note(&self, allocation: &Arc<Allocation>) {
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        let this = Arc::downgrade(allocation);
        images.retain(|known| known.strong_count() > 0 && !known.ptr_eq(&this));
        images.push(this);
    }

    /// The allocations that may have an image here, oldest first.
    pub(crate) fn noted(&self) -> Vec<Arc<Allocation>> {
        let images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        images.iter().filter_map(Weak::upgrade).collect()
    }

    /// The kernel made ready for this device; from a table after the first time.
    #[inline]
    pub(crate) fn module(
        &self,
        kernel: &'static KernelDescriptor,
        site: Site,
    ) -> Result<&DynModule> {
        self.modules.get_or_load(kernel, || {
            if self.space.is_none() {
                warn_once(kernel);
            }
            self.backend.load(self.ordinal, kernel).map_err(|error| {
                match error.text.split_once(": ") {
                    Some((path, why)) if error.kind == DriverErrorKind::Library => Error::Library {
                        kernel: kernel.name.to_owned(),
                        path: path.to_owned(),
                        why: why.to_owned(),
                    },
                    _ => Error::NoImplementation {
                        kernel: kernel.name,
                        site,
                        device: self.name().to_owned(),
                        why: error.text.to_string(),
                    },
                }
            })
        })
    }

    #[cold]
    pub(crate) fn driver_error(&self, what: String, source: DriverError) -> Error {
        Error::Driver { device: self.name().to_owned(), what, source }
    }
}

/// Says once that kernels are slow for a reason that is easily removed.
fn warn_once(kernel: &KernelDescriptor) {
    static WARNED: Once = Once::new();
    if kernel.unoptimised {
        WARNED.call_once(|| {
            tracing::warn!(
                kernel = kernel.name,
                "kernels were compiled without optimisation and are many times slower; build with \
                 `--release`, or set `[profile.dev] opt-level = 1`"
            );
        });
    }
}

fn fresh_space() -> MemorySpace {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    // Relaxed: only uniqueness matters.
    MemorySpace(NEXT.fetch_add(1, Ordering::Relaxed))
}

thread_local! {
    static MOVED: Cell<Transfers> = const { Cell::new(Transfers::NONE) };
}

/// Counts a transfer of this thread.
fn moved(change: impl FnOnce(&mut Transfers)) {
    MOVED.with(|cell| {
        let mut all = cell.get();
        change(&mut all);
        cell.set(all);
    });
}

/// Takes the transfers that this thread made since it last asked. A run moves data on the thread
/// that drives it only.
pub(crate) fn take_moved() -> Transfers {
    MOVED.with(|cell| cell.replace(Transfers::NONE))
}

/// Memory of a device, given back to its limit on drop.
#[derive(Debug)]
pub(crate) struct DeviceImage {
    pub(crate) memory: DynMemory,
    bytes: u64,
    device: Arc<Device>,
}

impl DeviceImage {
    fn send(&self, to: Region, src: &[u8], from: Region) -> Result<()> {
        let device = &self.device;
        let sent = device.backend.upload(device.ordinal, &self.memory, to, src, from);
        sent.map(drop).map_err(|error| {
            device.driver_error(format!("upload of {} bytes", to.row_bytes * to.rows), error)
        })
    }
}

impl DeviceMemory for DeviceImage {
    fn download(&self, from: Region, dst: &mut [u8], to: Region) -> Result<()> {
        let device = &self.device;
        device.backend.download(device.ordinal, &self.memory, from, dst, to).map_err(|error| {
            device.driver_error(format!("download of {} bytes", to.row_bytes * to.rows), error)
        })?;
        tracing::trace!(device = self.device.name(), bytes = to.row_bytes * to.rows, "download");
        moved(|all| {
            all.downloads += 1;
            all.downloaded += to.row_bytes * to.rows;
        });
        Ok(())
    }

    fn upload(&self, to: Region, src: &[u8], from: Region) -> Result<()> {
        self.send(to, src, from)?;
        tracing::trace!(device = self.device.name(), bytes = to.row_bytes * to.rows, "upload");
        moved(|all| {
            all.uploads += 1;
            all.uploaded += to.row_bytes * to.rows;
        });
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for DeviceImage {
    fn drop(&mut self) {
        self.device.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
