//! Host memory for scratch arrays and partial results: aligned, initialised, kept from run to run.
//! It is never shown to users.

use crate::allocation::HOST_ALIGN;

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "reached by its address")] [u8; HOST_ALIGN]);

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

    /// Where it begins, and how many bytes it has.
    pub(super) fn parts(&mut self) -> (*mut u8, usize) {
        (self.lines.as_mut_ptr().cast(), self.lines.len() * HOST_ALIGN)
    }
}
