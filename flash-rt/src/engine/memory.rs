//! Host memory for scratch arrays and partial results: aligned, initialised, kept from run to run.
//! It is never shown to users.

use crate::allocation::HOST_ALIGN;

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u8; HOST_ALIGN]);

const _: () = assert!(align_of::<Line>() == HOST_ALIGN && size_of::<Line>() == HOST_ALIGN);

/// A block of initialised memory.
#[derive(Debug, Default)]
pub(crate) struct HostBlock {
    lines: Vec<Line>,
}

impl HostBlock {
    /// Makes it at least `bytes` long, of any contents.
    pub(crate) fn resized(&mut self, bytes: usize) -> *mut u8 {
        self.lines.resize(bytes.div_ceil(HOST_ALIGN), Line([0; HOST_ALIGN]));
        self.lines.as_mut_ptr().cast()
    }

    /// Makes it at least `bytes` long, all zero.
    pub(crate) fn zeroed(&mut self, bytes: usize) -> *mut u8 {
        self.lines.clear();
        self.resized(bytes)
    }

    /// Element `k` of an array of elements of `S` bytes, where `S` divides a line; zero beyond the
    /// end.
    pub(crate) fn element<const S: usize>(&self, k: usize) -> [u8; S] {
        const { assert!(HOST_ALIGN.is_multiple_of(S)) };
        let line = self.lines.get(k * S / HOST_ALIGN);
        let bytes = line.and_then(|line| line.0[k * S % HOST_ALIGN..].first_chunk());
        bytes.copied().unwrap_or([0; S])
    }
}
