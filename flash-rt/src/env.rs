//! The values of the enclosing loop variables, filled at each dispatch by whoever drives the
//! pipeline. It knows nothing of stages or of how values are used.

use std::ops::{Range, RangeInclusive};

/// How deep loops of one pipeline may nest.
pub const MAX_LOOPS: usize = 8;

/// The loop variables of one dispatch, outermost first. A signed value is stored sign-extended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Env {
    values: [u64; MAX_LOOPS],
}

impl Env {
    /// No loop has started; all variables are zero.
    pub const fn new() -> Self {
        Self { values: [0; MAX_LOOPS] }
    }

    /// The bits of the variable of a loop, 0 for the outermost; 0 beyond [`MAX_LOOPS`].
    #[inline]
    pub fn get(&self, level: usize) -> u64 {
        self.values.get(level).copied().unwrap_or(0)
    }

    /// Sets the bits of the variable of a loop. A level beyond [`MAX_LOOPS`] has no variable.
    #[inline]
    pub fn set(&mut self, level: usize, bits: u64) {
        if let Some(value) = self.values.get_mut(level) {
            *value = bits;
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// The integer types a loop variable may have.
#[diagnostic::on_unimplemented(
    message = "a loop variable cannot be of type `{Self}`",
    label = "expected an integer of at most 64 bits",
    note = "count with an integer and compute `{Self}` from it inside the loop"
)]
pub trait LoopInt: sealed::Sealed + Copy + PartialOrd + Send + Sync + 'static {
    /// The value as 64 bits, sign-extended.
    fn to_bits(self) -> u64;
    /// The value back from its bits.
    fn from_bits(bits: u64) -> Self;
    /// The number of values in `self..end`.
    fn distance(self, end: Self) -> u64;
}

macro_rules! loop_int {
    ($($int:ty => $wide:ty),*) => {$(
        impl sealed::Sealed for $int {}
        impl LoopInt for $int {
            #[inline]
            fn to_bits(self) -> u64 {
                <$wide>::from(self) as u64
            }
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
            #[inline]
            fn distance(self, end: Self) -> u64 {
                // In 64 bits the wrapped difference of two ordered values is exact.
                if self < end { end.to_bits().wrapping_sub(self.to_bits()) } else { 0 }
            }
        }
    )*};
}

loop_int!(u8 => u64, u16 => u64, u32 => u64, u64 => u64);
loop_int!(i8 => i64, i16 => i64, i32 => i64, i64 => i64);

macro_rules! loop_size {
    ($($int:ty => $wide:ty),*) => {$(
        impl sealed::Sealed for $int {}
        impl LoopInt for $int {
            #[inline]
            fn to_bits(self) -> u64 {
                self as $wide as u64
            }
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
            #[inline]
            fn distance(self, end: Self) -> u64 {
                if self < end { end.to_bits().wrapping_sub(self.to_bits()) } else { 0 }
            }
        }
    )*};
}

loop_size!(usize => u64, isize => i64);

/// A range a loop of a pipeline can run over.
#[diagnostic::on_unimplemented(
    message = "a loop of a pipeline runs over `a..b` or `a..=b`, not over `{Self}`",
    label = "expected a range of integers",
    note = "for other iterators write a Rust loop and `push` the stages"
)]
pub trait LoopRange {
    /// The type of the variable.
    type Int: LoopInt;
    /// The bits of the first value, and the number of values.
    ///
    /// A full 64-bit `..=` has one value more than can be counted; it counts `u64::MAX`.
    fn trips(&self) -> Trips;
}

/// The values of a loop variable: `count` of them, consecutive from `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trips {
    /// The bits of the first value.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Trips {
    /// The bits of the value number `k`.
    #[inline]
    pub fn value(self, k: u64) -> u64 {
        self.first.wrapping_add(k)
    }
}

impl<T: LoopInt> LoopRange for Range<T> {
    type Int = T;

    fn trips(&self) -> Trips {
        Trips { first: self.start.to_bits(), count: self.start.distance(self.end) }
    }
}

impl<T: LoopInt> LoopRange for RangeInclusive<T> {
    type Int = T;

    fn trips(&self) -> Trips {
        let (start, end) = (*self.start(), *self.end());
        let count = if start <= end { start.distance(end).saturating_add(1) } else { 0 };
        Trips { first: start.to_bits(), count }
    }
}

/// A loop variable: its level and its type, but not its value, which is in the [`Env`] of each
/// dispatch. It is `Copy`, so that any number of `move` closures can hold it.
pub struct LoopVar<T> {
    level: usize,
    // Not a bound on `get`: a loop over floats then has one error, at the loop.
    from_bits: fn(u64) -> T,
}

impl<T> Clone for LoopVar<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LoopVar<T> {}

impl<T> std::fmt::Debug for LoopVar<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LoopVar").field(&self.level).finish()
    }
}

impl<T: LoopInt> LoopVar<T> {
    /// The variable of the loop at `level`, 0 for the outermost.
    pub fn new(level: usize) -> Self {
        Self { level, from_bits: T::from_bits }
    }
}

impl<T> LoopVar<T> {
    /// The level of its loop, 0 for the outermost.
    pub fn level(self) -> usize {
        self.level
    }

    /// Its value in a dispatch.
    #[inline]
    pub fn get(self, env: &Env) -> T {
        (self.from_bits)(env.get(self.level))
    }
}

#[cfg(test)]
#[allow(clippy::reversed_empty_ranges, reason = "loops without trips are tested too")]
mod tests {
    use super::*;

    #[test]
    fn a_variable_comes_back_as_it_was() {
        let mut env = Env::new();
        env.set(1, (-7_i32).to_bits());
        env.set(2, u64::MAX.to_bits());
        env.set(MAX_LOOPS, 5);
        assert_eq!(LoopVar::<i32>::new(1).get(&env), -7);
        assert_eq!(LoopVar::<i64>::new(1).get(&env), -7);
        assert_eq!(LoopVar::<u64>::new(2).get(&env), u64::MAX);
        assert_eq!(env.get(MAX_LOOPS), 0);
    }

    #[test]
    fn trips_are_those_of_the_rust_range() {
        fn values<T: LoopInt, R: LoopRange<Int = T>>(range: &R) -> Vec<T> {
            let trips = range.trips();
            (0..trips.count).map(|k| T::from_bits(trips.value(k))).collect()
        }
        assert_eq!(values(&(3_u8..7)), (3_u8..7).collect::<Vec<_>>());
        assert_eq!(values(&(-3_i16..=2)), (-3_i16..=2).collect::<Vec<_>>());
        assert_eq!(values(&(250_u8..=255)), (250_u8..=255).collect::<Vec<_>>());
        assert_eq!(values(&(7_usize..3)), Vec::<usize>::new());
        assert_eq!(values(&(4_isize..=3)), Vec::<isize>::new());
        let whole = (i64::MIN..i64::MAX).trips();
        assert_eq!((whole.first, whole.count), (i64::MIN as u64, u64::MAX));
        assert_eq!((0..=u64::MAX).trips().count, u64::MAX);
    }
}
