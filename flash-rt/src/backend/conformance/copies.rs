//! Copies to and from a device that wait for their end, and what goes on in between. For the suite
//! alone: it knows that nobody else uses the memories it makes.
#![allow(unsafe_code, reason = "submits copies of memory that the suite owns")]

use crate::backend::{DynBackend, DynMemory, MemoryInfo, Region, Ticket};
use crate::device::Device;

/// A device with memory of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copies<'d> {
    pub(super) backend: &'d dyn DynBackend,
    pub(super) ordinal: usize,
    /// Its compute queues.
    pub(super) queues: u8,
}

impl<'d> Copies<'d> {
    /// `None` for a device in host memory.
    pub(super) fn of(device: &'d Device) -> Option<Self> {
        device.space()?;
        let queues = device.info.queues;
        Some(Self { backend: &*device.backend, ordinal: device.ordinal, queues })
    }

    pub(super) fn allocate(&self, bytes: u64) -> DynMemory {
        self.backend.allocate(self.ordinal, bytes).unwrap()
    }

    pub(super) fn info(&self) -> Option<MemoryInfo> {
        self.backend.memory_info(self.ordinal).unwrap()
    }

    pub(super) fn wait(&self, ticket: Ticket) {
        self.backend.wait(self.ordinal, ticket).unwrap();
        let done = self.backend.completed(self.ordinal, ticket.queue).unwrap();
        assert!(done >= ticket.number, "{ticket:?} was waited for, and {done} are complete");
    }

    pub(super) fn upload(&self, dst: &DynMemory, to: Region, src: &[u8], from: Region) {
        // SAFETY: `src` is borrowed until the copy is complete, and the suite does nothing else
        // with the memory.
        let sent = unsafe { self.backend.upload(self.ordinal, dst, to, src, from, &[]) };
        self.wait(sent.unwrap());
    }

    pub(super) fn download(&self, src: &DynMemory, from: Region, dst: &mut [u8], to: Region) {
        // SAFETY: as for `upload`.
        let sent = unsafe { self.backend.download(self.ordinal, src, from, dst, to, &[]) };
        self.wait(sent.unwrap());
    }

    pub(super) fn peer_copy(
        &self,
        src: (&DynMemory, Region),
        (there, dst, to): (&Self, &DynMemory, Region),
    ) {
        let (other, dst) = (there.ordinal, (dst, to));
        // SAFETY: the suite does nothing else with the memories.
        let sent = unsafe { self.backend.peer_copy(self.ordinal, src, other, dst, &[]) };
        self.wait(sent.unwrap());
    }

    pub(super) fn zero(&self, dst: &DynMemory, to: Region) {
        // SAFETY: the suite does nothing else with the memory.
        let sent = unsafe { self.backend.zero(self.ordinal, 0, dst, to, &[]) };
        self.wait(sent.unwrap());
    }

    /// The first bytes of a memory.
    pub(super) fn contents(&self, memory: &DynMemory, bytes: u64) -> Vec<u8> {
        let mut all = vec![0; bytes as usize];
        self.download(memory, Region::row(0, bytes), &mut all, Region::row(0, bytes));
        all
    }
}

/// Every byte of a region, in the order of a copy.
pub(super) fn bytes(region: Region) -> impl Iterator<Item = usize> {
    region.runs().flat_map(move |start| (start..start + region.row_bytes).map(|at| at as usize))
}
