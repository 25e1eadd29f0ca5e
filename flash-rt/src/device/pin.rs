//! What keeps an image where it is while a launch, copy or host task uses it. It brings nothing.

use std::sync::{Arc, MutexGuard};

use super::Device;
use crate::Result;
use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::image::{DeviceMemory, Images, MemorySpace};
use crate::section::Section;

/// An image that is in use, so that it stays where it is; the host's where there is no device.
#[derive(Debug)]
pub(crate) struct Pin {
    allocation: Arc<Allocation>,
    device: Option<(Arc<Device>, MemorySpace)>,
    /// Of a box that somebody uses on the host whom not everybody waits for, its number.
    reader: Option<u64>,
    /// Whether it is for a launch that uses the host's image.
    is_launch: bool,
}

impl Pin {
    /// The image of an allocation on a device, if there is one, and its memory.
    pub(crate) fn on(
        device: &Arc<Device>,
        space: MemorySpace,
        of: &Arc<Allocation>,
    ) -> Option<(Self, Arc<dyn DeviceMemory>)> {
        let mut images = of.images();
        let memory = images.find(space).map(|image| Arc::clone(&image.memory))?;
        images.pin(Some(space));
        drop(images);
        device.pins.add();
        Some((
            Self {
                allocation: Arc::clone(of),
                device: Some((Arc::clone(device), space)),
                reader: None,
                is_launch: false,
            },
            memory,
        ))
    }

    /// The image of an allocation on a device, where a box of it is current there, or will be, and there is
    /// nothing else to be thought of.
    #[inline]
    pub(crate) fn there<'i>(
        device: &Arc<Device>,
        space: MemorySpace,
        of: &'i Arc<Allocation>,
        section: &Section,
    ) -> Option<(Self, MutexGuard<'i, Images>)> {
        let mut images = of.images();
        if !images.is_there(space, section) {
            return None;
        }
        images.pin(Some(space));
        device.pins.add();
        Some((
            Self {
                allocation: Arc::clone(of),
                device: Some((Arc::clone(device), space)),
                reader: None,
                is_launch: false,
            },
            images,
        ))
    }

    /// The host image of an allocation, where there is another one that could be brought to it.
    pub(crate) fn on_host(of: &Arc<Allocation>) -> Option<Self> {
        Self::of_host(of, false)
    }

    /// As [`Pin::on_host`], for a launch: it waits for nobody who makes room, so that they may wait
    /// for its end.
    pub(crate) fn of_launch(of: &Arc<Allocation>) -> Option<Self> {
        Self::of_host(of, true)
    }

    fn of_host(of: &Arc<Allocation>, is_launch: bool) -> Option<Self> {
        of.has_images().then(|| {
            let mut images = of.images();
            images.pin(None);
            images.on_host.n_launches += usize::from(is_launch);
            drop(images);
            Self { allocation: Arc::clone(of), device: None, reader: None, is_launch }
        })
    }

    /// A box of the host's image, which nobody overwrites meanwhile, for a host task; `is_early`
    /// until [`Pin::begin`] if its turn is still to come, which is for tasks that only read it.
    pub(crate) fn of_task(
        Access { allocation: of, section, mode }: &Access,
        is_early: bool,
    ) -> Result<Self> {
        of.host()?;
        let mut images = of.images();
        images.pin(None);
        let reader = Some(images.on_host.add(section, of.here(), (is_early, *mode == Mode::Write)));
        of.reader_comes();
        drop(images);
        Ok(Self { allocation: Arc::clone(of), device: None, reader, is_launch: false })
    }

    /// The turn of the host task has come: the start of the memory that it uses, if it is for one.
    pub(crate) fn begin(&self) -> Option<*mut u8> {
        let mut images = self.allocation.images();
        let at = images.on_host.begin(self.reader?)?;
        Some(images.on_host.spare(at).unwrap_or_else(|| self.allocation.start()))
    }

    /// The turn of the host task will come once more, and nobody waits for its end until then; whether the
    /// pin is of use meanwhile, which that of a box that it writes is not.
    pub(crate) fn postpone(&self) -> bool {
        let Some(reader) = self.reader else { return true };
        let only_reads = self.allocation.images().on_host.postpone(reader);
        self.allocation.tell();
        only_reads
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let mut images = self.allocation.images();
        images.unpin(self.device.as_ref().map(|(_, space)| *space));
        if let Some(reader) = self.reader {
            images.on_host.remove(reader);
            drop(images);
            self.allocation.reader_left();
        } else if self.is_launch {
            images.on_host.launch_ended();
            drop(images);
            self.allocation.tell();
        } else {
            drop(images);
        }
        if let Some((device, _)) = &self.device {
            device.pins.remove();
        }
    }
}
