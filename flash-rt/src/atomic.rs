//! `Atomic<T>`: shared cells of an array, the same operations on every device. Orders are relaxed,
//! as on devices; the end of a launch orders everything.

use std::fmt;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use crate::pod::Pod;

/// A cell that all items of a launch may change at once.
///
/// ```
/// use flash_rt::Atomic;
///
/// let count = Atomic::new(5_u32);
/// assert_eq!(count.fetch_add(2), 5); // the value before
/// assert_eq!(count.fetch_max(4), 7);
/// assert_eq!(count.compare_exchange(7, 1), Ok(7));
/// assert_eq!(count.load(), 1);
/// ```
#[repr(transparent)]
pub struct Atomic<T: AtomicElem>(T::Cell);

/// The element types of atomic arrays: integers and floats of 32 and 64 bits.
#[diagnostic::on_unimplemented(
    message = "`Atomic<{Self}>` does not exist",
    label = "expected `u32`, `i32`, `u64`, `i64`, `usize`, `f32` or `f64`"
)]
pub trait AtomicElem: Pod + PartialOrd + fmt::Debug + sealed::Sealed {
    /// The cell of the host, of the same size and alignment.
    #[doc(hidden)]
    type Cell: Send + Sync;
    #[doc(hidden)]
    fn cell(value: Self) -> Self::Cell;
    #[doc(hidden)]
    fn load(cell: &Self::Cell) -> Self;
    #[doc(hidden)]
    fn store(cell: &Self::Cell, value: Self);
    /// Replaces the value by `f` of it; what was there before.
    #[doc(hidden)]
    fn update(cell: &Self::Cell, f: impl Fn(Self) -> Self) -> Self;
    #[doc(hidden)]
    fn add(cell: &Self::Cell, value: Self) -> Self;
    #[doc(hidden)]
    fn sub(cell: &Self::Cell, value: Self) -> Self;
    #[doc(hidden)]
    fn exchange(cell: &Self::Cell, current: Self, new: Self) -> Result<Self, Self>;
    /// The value in a word, where sums of words are words of sums, whatever their order; `None` for
    /// floats.
    #[doc(hidden)]
    fn word(self) -> Option<u64>;
    /// The value of a word.
    #[doc(hidden)]
    fn of_word(word: u64) -> Self;
}

/// The integers among [`AtomicElem`].
pub trait AtomicInt: AtomicElem {
    #[doc(hidden)]
    fn and(cell: &Self::Cell, value: Self) -> Self;
    #[doc(hidden)]
    fn or(cell: &Self::Cell, value: Self) -> Self;
    #[doc(hidden)]
    fn xor(cell: &Self::Cell, value: Self) -> Self;
}

mod sealed {
    /// Devices know these cells only.
    pub trait Sealed {}
}

macro_rules! integers {
    ($($int:ty => $cell:ty),* $(,)?) => {
        $(
            impl sealed::Sealed for $int {}

            impl AtomicElem for $int {
                type Cell = $cell;

                fn cell(value: Self) -> $cell {
                    <$cell>::new(value)
                }

                #[inline(always)]
                fn load(cell: &$cell) -> Self {
                    cell.load(Ordering::Relaxed)
                }

                #[inline(always)]
                fn store(cell: &$cell, value: Self) {
                    cell.store(value, Ordering::Relaxed);
                }

                #[inline(always)]
                fn update(cell: &$cell, f: impl Fn(Self) -> Self) -> Self {
                    let mut old = cell.load(Ordering::Relaxed);
                    loop {
                        match cell.compare_exchange_weak(
                            old,
                            f(old),
                            Ordering::Relaxed,
                            Ordering::Relaxed,
                        ) {
                            Ok(old) => return old,
                            Err(now) => old = now,
                        }
                    }
                }

                #[inline(always)]
                fn add(cell: &$cell, value: Self) -> Self {
                    cell.fetch_add(value, Ordering::Relaxed)
                }

                #[inline(always)]
                fn sub(cell: &$cell, value: Self) -> Self {
                    cell.fetch_sub(value, Ordering::Relaxed)
                }

                #[inline(always)]
                fn exchange(cell: &$cell, current: Self, new: Self) -> Result<Self, Self> {
                    cell.compare_exchange(current, new, Ordering::Relaxed, Ordering::Relaxed)
                }

                #[inline(always)]
                fn word(self) -> Option<u64> {
                    Some(self as u64)
                }

                #[inline(always)]
                fn of_word(word: u64) -> Self {
                    word as Self
                }
            }

            impl AtomicInt for $int {
                #[inline(always)]
                fn and(cell: &$cell, value: Self) -> Self {
                    cell.fetch_and(value, Ordering::Relaxed)
                }

                #[inline(always)]
                fn or(cell: &$cell, value: Self) -> Self {
                    cell.fetch_or(value, Ordering::Relaxed)
                }

                #[inline(always)]
                fn xor(cell: &$cell, value: Self) -> Self {
                    cell.fetch_xor(value, Ordering::Relaxed)
                }
            }
        )*
    };
}
integers!(u32 => AtomicU32, i32 => AtomicI32, u64 => AtomicU64, i64 => AtomicI64,
    usize => AtomicUsize);

macro_rules! floats {
    ($($float:ty => $cell:ty),* $(,)?) => {
        $(
            impl sealed::Sealed for $float {}

            impl AtomicElem for $float {
                type Cell = $cell;

                fn cell(value: Self) -> $cell {
                    <$cell>::new(value.to_bits())
                }

                #[inline(always)]
                fn load(cell: &$cell) -> Self {
                    Self::from_bits(cell.load(Ordering::Relaxed))
                }

                #[inline(always)]
                fn store(cell: &$cell, value: Self) {
                    cell.store(value.to_bits(), Ordering::Relaxed);
                }

                #[inline(always)]
                fn update(cell: &$cell, f: impl Fn(Self) -> Self) -> Self {
                    let mut old = cell.load(Ordering::Relaxed);
                    loop {
                        match cell.compare_exchange_weak(
                            old,
                            f(Self::from_bits(old)).to_bits(),
                            Ordering::Relaxed,
                            Ordering::Relaxed,
                        ) {
                            Ok(old) => return Self::from_bits(old),
                            Err(now) => old = now,
                        }
                    }
                }

                #[inline(always)]
                fn add(cell: &$cell, value: Self) -> Self {
                    Self::update(cell, |old| old + value)
                }

                #[inline(always)]
                fn sub(cell: &$cell, value: Self) -> Self {
                    Self::update(cell, |old| old - value)
                }

                #[inline(always)]
                fn exchange(cell: &$cell, current: Self, new: Self) -> Result<Self, Self> {
                    cell.compare_exchange(
                        current.to_bits(),
                        new.to_bits(),
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    )
                    .map(Self::from_bits)
                    .map_err(Self::from_bits)
                }

                #[inline(always)]
                fn word(self) -> Option<u64> {
                    None
                }

                #[inline(always)]
                fn of_word(word: u64) -> Self {
                    word as Self
                }
            }
        )*
    };
}
floats!(f32 => AtomicU32, f64 => AtomicU64);

impl<T: AtomicElem> Atomic<T> {
    /// A cell with this value.
    pub fn new(value: T) -> Self {
        Self(T::cell(value))
    }

    /// The value.
    #[inline(always)]
    pub fn load(&self) -> T {
        T::load(&self.0)
    }

    /// Sets the value.
    #[inline(always)]
    pub fn store(&self, value: T) {
        T::store(&self.0, value);
    }

    /// Sets the value; the one before.
    #[inline(always)]
    pub fn swap(&self, value: T) -> T {
        T::update(&self.0, |_| value)
    }

    /// Adds, integers wrapping; the value before.
    #[inline(always)]
    pub fn fetch_add(&self, value: T) -> T {
        T::add(&self.0, value)
    }

    /// Subtracts, integers wrapping; the value before.
    #[inline(always)]
    pub fn fetch_sub(&self, value: T) -> T {
        T::sub(&self.0, value)
    }

    /// Keeps the smaller of the two; the value before. A NaN never replaces a number.
    #[inline(always)]
    pub fn fetch_min(&self, value: T) -> T {
        T::update(&self.0, |old| if value < old { value } else { old })
    }

    /// Keeps the larger of the two; the value before. A NaN never replaces a number.
    #[inline(always)]
    pub fn fetch_max(&self, value: T) -> T {
        T::update(&self.0, |old| if value > old { value } else { old })
    }

    /// Sets `new` where the bits of `current` stand; the value before, as `Ok` if it was set.
    ///
    /// # Errors
    ///
    /// The value that stood there instead.
    #[inline(always)]
    pub fn compare_exchange(&self, current: T, new: T) -> Result<T, T> {
        T::exchange(&self.0, current, new)
    }
}

impl<T: AtomicInt> Atomic<T> {
    /// Bitwise and; the value before.
    #[inline(always)]
    pub fn fetch_and(&self, value: T) -> T {
        T::and(&self.0, value)
    }

    /// Bitwise or; the value before.
    #[inline(always)]
    pub fn fetch_or(&self, value: T) -> T {
        T::or(&self.0, value)
    }

    /// Bitwise exclusive or; the value before.
    #[inline(always)]
    pub fn fetch_xor(&self, value: T) -> T {
        T::xor(&self.0, value)
    }
}

impl<T: AtomicElem> fmt::Debug for Atomic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.load().fmt(f)
    }
}
