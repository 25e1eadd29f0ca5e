//! Which item of a body panicked. A guard around each item says so while it unwinds; where the body
//! cannot panic, the optimiser leaves nothing of it. It notes no violations.

use std::cell::Cell;

use flash_ir::Dims;

thread_local! {
    /// The item that unwound last on this thread, until the launch takes it.
    static LAST: Cell<Option<Dims>> = const { Cell::new(None) };
}

/// The item that runs.
#[derive(Debug)]
pub struct At<const R: usize>([usize; R]);

impl<const R: usize> At<R> {
    /// The item with these indices begins.
    #[inline(always)]
    pub fn new(ids: [usize; R]) -> Self {
        Self(ids)
    }

    /// It ends.
    #[inline(always)]
    pub fn done(self) {
        std::mem::forget(self);
    }
}

impl<const R: usize> Drop for At<R> {
    /// It unwinds.
    #[inline(always)]
    fn drop(&mut self) {
        // By value, so that the indices need no memory before.
        note(self.0);
    }
}

#[cold]
#[inline(never)]
fn note<const R: usize>(ids: [usize; R]) {
    LAST.set(Some(Dims::from_slice(&ids)));
}

/// The item that unwound on this thread since the last call, if any did.
pub(super) fn take() -> Option<Dims> {
    LAST.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_item_that_unwinds_is_noted() {
        At::new([3, 4]).done();
        assert_eq!(take(), None);
        let unwound = std::panic::catch_unwind(|| {
            let _item = At::new([5, 6]);
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(unwound.is_err());
        assert_eq!(take(), Some(Dims::from_slice(&[5, 6])));
        assert_eq!(take(), None);
    }
}
