//! The values of the enclosing loop variables, filled at each dispatch by whoever drives the
//! pipeline. It knows nothing of stages or of how values are used.

use std::ops::{Range, RangeInclusive};

/// How deep loops of one pipeline may nest.
pub const MAX_LOOPS: usize = 8;

/// The loop variables of one dispatch, outermost first. A signed value is stored sign-extended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Env {
    values: [u64; MAX_LOOPS],
    /// A bit for each level whose loop counts with a signed type.
    signed: u8,
}

const _: () = assert!(MAX_LOOPS <= u8::BITS as usize, "each loop has a bit");

impl Env {
    /// No loop has started; all variables are zero.
    pub const fn new() -> Self {
        Self { values: [0; MAX_LOOPS], signed: 0 }
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

    /// Notes whether the loop at a level counts with a signed type.
    #[inline]
    pub fn set_signed(&mut self, level: usize, is_signed: bool) {
        if level < MAX_LOOPS {
            self.signed = self.signed & !(1 << level) | u8::from(is_signed) << level;
        }
    }

    /// The value of the variable of a loop.
    #[inline]
    pub fn value(&self, level: usize) -> i128 {
        let bits = self.get(level);
        let is_signed = level < MAX_LOOPS && self.signed >> level & 1 == 1;
        if is_signed { i128::from(bits as i64) } else { i128::from(bits) }
    }

    /// The same as another type than that of the loop may be.
    #[inline]
    pub(crate) fn fit<T: LoopInt>(&self, level: usize) -> Result<T, Unfit> {
        let value = self.value(level);
        T::fit(value).ok_or_else(|| Unfit { value, int: std::any::type_name::<T>() })
    }
}

/// A loop has come to a value that the type it is asked for as does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The value.
    pub value: i128,
    /// The type.
    pub int: &'static str,
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
    /// Whether it has negative values.
    const SIGNED: bool;
    /// The value back from its bits; of one of another type, what fits.
    fn from_bits(bits: u64) -> Self;
    /// The value, if the type has it.
    fn fit(value: i128) -> Option<Self>;
    /// The number of values in `self..end`.
    fn distance(self, end: Self) -> u64;
}

macro_rules! loop_int {
    ($($int:ty => $wide:ty),*) => {$(
        impl sealed::Sealed for $int {}
        impl LoopInt for $int {
            const SIGNED: bool = Self::MIN != 0;
            #[inline]
            fn to_bits(self) -> u64 {
                <$wide>::from(self) as u64
            }
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
            #[inline]
            fn fit(value: i128) -> Option<Self> {
                Self::try_from(value).ok()
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
            const SIGNED: bool = Self::MIN != 0;
            #[inline]
            fn to_bits(self) -> u64 {
                self as $wide as u64
            }
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
            #[inline]
            fn fit(value: i128) -> Option<Self> {
                Self::try_from(value).ok()
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

    /// Its value in a dispatch; its low bits, where `T` is narrower than the type of the loop and does
    /// not have it.
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
    fn a_type_has_a_value_or_says_so() {
        let seen = |is_signed: bool, bits: u64| {
            let mut env = Env::new();
            env.set(7, bits);
            env.set_signed(3, !is_signed);
            env.set_signed(7, is_signed);
            env
        };
        for value in [i64::MIN, -129, -128, -1, 0, 127, 128, 255, 256, 1 << 31, 1 << 32, i64::MAX] {
            let env = seen(true, value.to_bits());
            macro_rules! all {
                ($($int:ty),*) => {$(
                    let unfit = Unfit { value: value.into(), int: stringify!($int) };
                    assert_eq!(env.fit::<$int>(7), <$int>::try_from(value).map_err(|_| unfit));
                )*};
            }
            all!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);
        }
        let high = seen(false, u64::MAX);
        assert_eq!((high.value(7), high.fit::<u64>(7)), (u64::MAX.into(), Ok(u64::MAX)));
        assert!(high.fit::<i64>(7).is_err());
        // Levels that have no variable are 0.
        let mut env = Env::new();
        env.set_signed(MAX_LOOPS, true);
        assert_eq!((env.value(MAX_LOOPS), env), (0, Env::new()));
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
