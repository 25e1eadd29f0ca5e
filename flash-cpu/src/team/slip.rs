//! The work of a launch that is taken in turns, written out in a few words: what launches of one kernel
//! have in common stays where the helpers have read it. It does not say whose turn it is.
#![allow(unsafe_code, reason = "the words stand for borrows of the thread that launches")]

use super::sync::Shelf;

/// A number, or the exposed address of something that is borrowed until the launch is over. No pointer:
/// words of an earlier launch may stay, whose addresses are those of other borrows by now.
pub type Word = usize;

/// Words of a slip.
pub const WORDS: usize = 10;

/// What to do for each piece.
#[derive(Clone, Copy, Debug)]
pub struct Slip {
    run: unsafe fn(&[Word; WORDS], usize),
    words: [Word; WORDS],
}

impl Slip {
    /// What `run(words, piece)` does.
    ///
    /// # Safety
    ///
    /// While a launch of it runs, any thread may call `run` with these words, for each piece once.
    #[inline]
    pub unsafe fn new(run: unsafe fn(&[Word; WORDS], usize), words: [Word; WORDS]) -> Self {
        Self { run, words }
    }

    /// A closure that stays borrowed while the launch runs.
    #[inline]
    pub(super) fn borrowed<F: Fn(usize) + Sync>(work: &F) -> Self {
        /// # Safety
        ///
        /// The first word is the address of an `F` that is still borrowed.
        unsafe fn call<F: Fn(usize)>(words: &[Word; WORDS], piece: usize) {
            // SAFETY: as the function demands.
            let work = unsafe { &*std::ptr::with_exposed_provenance::<F>(words[0]) };
            work(piece);
        }
        let mut words = [0; WORDS];
        words[0] = std::ptr::from_ref(work).expose_provenance();
        Self { run: call::<F>, words }
    }

    /// No work.
    pub(super) fn nothing() -> Self {
        unsafe fn nothing(_words: &[Word; WORDS], _piece: usize) {}
        Self { run: nothing, words: [0; WORDS] }
    }

    /// Runs a piece.
    ///
    /// # Safety
    ///
    /// A launch of it runs, and nobody else runs this piece.
    #[inline]
    pub(super) unsafe fn run(&self, piece: usize) {
        // SAFETY: as whoever made it promised.
        unsafe { (self.run)(&self.words, piece) }
    }

    fn is(&self, other: &Self) -> bool {
        self.words == other.words && self.run as usize == other.run as usize
    }
}

/// Where a slip lies. A kernel has one, so that helpers find what the last launch has left there.
#[derive(Debug)]
#[repr(align(128))]
pub struct Desk(Shelf<Slip>);

impl Desk {
    /// With no work.
    pub fn new() -> Self {
        Self::with(Slip::nothing())
    }

    /// With a slip.
    #[inline]
    pub(super) fn with(slip: Slip) -> Self {
        Self(Shelf::new(slip))
    }

    /// Writes a slip, if it is another one: helpers have read the last one, and a store takes its lines
    /// away from them.
    ///
    /// # Safety
    ///
    /// As for [`write`](Shelf::write).
    #[inline]
    pub(super) unsafe fn put(&self, slip: &Slip) {
        // SAFETY: nobody writes at the same time, as the caller promises.
        if !unsafe { self.0.read() }.is(slip) {
            // SAFETY: as the caller promises.
            unsafe { self.0.write(*slip) };
        }
    }
}

/// The address of a desk.
#[derive(Clone, Copy, Debug)]
pub(super) struct At(*const Desk);

// SAFETY: an address; who reads the desk promises that it is still there.
unsafe impl Send for At {}
// SAFETY: as for `Send`.
unsafe impl Sync for At {}

impl At {
    #[inline]
    pub(super) fn new(desk: &Desk) -> Self {
        Self(desk)
    }

    pub(super) const NOWHERE: Self = Self(std::ptr::null());

    /// The slip that lies there.
    ///
    /// # Safety
    ///
    /// The desk is still borrowed, and as for [`read`](Shelf::read).
    #[inline]
    pub(super) unsafe fn read(self) -> Slip {
        // SAFETY: the desk is borrowed, as the caller promises.
        let desk = unsafe { &*self.0 };
        // SAFETY: as the caller promises.
        unsafe { desk.0.read() }
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}
