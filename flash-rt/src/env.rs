//! The values of the enclosing loop variables, filled at each dispatch by whoever drives the
//! pipeline. It knows nothing of stages or of how values are used.

use std::cell::Cell;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicU32, Ordering};

/// How deep loops of one pipeline may nest.
pub const MAX_LOOPS: usize = 8;

/// The loop variables of one dispatch, outermost first. A signed value is stored sign-extended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Env {
    values: [u64; MAX_LOOPS],
    /// Which loop is at each level; 0 for one that has no name.
    names: [u32; MAX_LOOPS],
    /// A bit for each level whose loop counts with a signed type.
    signed: u8,
    /// A bit for each level at which a loop has started.
    started: u8,
}

const _: () = assert!(MAX_LOOPS <= u8::BITS as usize, "each loop has a bit");

/// Which loop a variable belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Which {
    /// How many loops are around it; [`INNERMOST`] where it is the one right around the variable.
    pub(crate) level: usize,
    /// Its name among all loops, where it was opened before the variable was made; 0 for any at that level.
    pub(crate) name: u32,
}

/// The level of [`trip`](crate::trip) before it is known.
pub(crate) const INNERMOST: usize = usize::MAX;

/// A name for a loop, which no other one has.
pub(crate) fn name_of_a_loop() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    // Relaxed: it only has to be another one. After four thousand million of them 0 comes again, which is a
    // name for any loop.
    NEXT.fetch_add(1, Ordering::Relaxed)
}

thread_local! {
    /// What was wrong first with a variable that this thread has asked for.
    static WRONG: Cell<Option<(usize, Unfit)>> = const { Cell::new(None) };
}

/// Evaluates what asks for loop variables, and gives what was wrong with one of them. A closure of the user's
/// gets some value for it and cannot say so.
pub(crate) fn watch<R>(evaluate: impl FnOnce() -> R) -> (R, Option<(usize, Unfit)>) {
    let outer = WRONG.take();
    let value = evaluate();
    (value, WRONG.replace(outer))
}

impl Env {
    /// No loop has started; all variables are zero.
    pub const fn new() -> Self {
        Self { values: [0; MAX_LOOPS], names: [0; MAX_LOOPS], signed: 0, started: 0 }
    }

    /// The bits of the variable of a loop, 0 for the outermost; 0 beyond [`MAX_LOOPS`].
    #[inline]
    pub fn get(&self, level: usize) -> u64 {
        self.values.get(level).copied().unwrap_or(0)
    }

    /// Sets the bits of the variable of a loop, which has started. A level beyond [`MAX_LOOPS`] has no
    /// variable.
    #[inline]
    pub fn set(&mut self, level: usize, bits: u64) {
        if let Some(value) = self.values.get_mut(level) {
            *value = bits;
            self.started |= 1 << level;
        }
    }

    /// Notes which loop is at a level from now on.
    #[inline]
    pub(crate) fn set_name(&mut self, level: usize, name: u32) {
        if let Some(named) = self.names.get_mut(level) {
            *named = name;
        }
    }

    /// The loop at a level has ended, and its variable with it.
    #[inline]
    pub(crate) fn leave(&mut self, level: usize) {
        self.set(level, 0);
        self.set_name(level, 0);
        self.set_signed(level, false);
        if level < MAX_LOOPS {
            self.started &= !(1 << level);
        }
    }

    /// The level of a loop that has started.
    fn level(&self, which: Which) -> Option<usize> {
        let level = match which.level {
            INNERMOST => (u8::BITS - self.started.leading_zeros()).checked_sub(1)? as usize,
            level => level,
        };
        let is_it = || which.name == 0 || self.names[level] == which.name;
        (level < MAX_LOOPS && self.started >> level & 1 == 1 && is_it()).then_some(level)
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
    pub(crate) fn fit<T: LoopInt>(&self, which: Which) -> Result<T, Unfit> {
        let level = self.level(which).ok_or(Unfit::NotAround)?;
        let value = self.value(level);
        T::fit(value).ok_or_else(|| Unfit::Value { value, int: std::any::type_name::<T>() })
    }
}

/// Why a loop variable has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The loop has come to a value that the type it is asked for as does not have.
    Value {
        /// The value.
        value: i128,
        /// The type.
        int: &'static str,
    },
    /// Its loop is not around the place where it is asked for.
    NotAround,
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

/// A loop variable: its loop and its type, but not its value, which is in the [`Env`] of each
/// dispatch. It is `Copy`, so that any number of `move` closures can hold it.
pub struct LoopVar<T> {
    which: Which,
    // Not a bound on `get`: a loop over floats then has one error, at the loop.
    get: fn(&Env, Which) -> T,
}

impl<T> Clone for LoopVar<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LoopVar<T> {}

impl<T> std::fmt::Debug for LoopVar<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LoopVar").field(&self.which.level).finish()
    }
}

impl<T: LoopInt> LoopVar<T> {
    /// The variable of the loop at `level`, 0 for the outermost.
    pub fn new(level: usize) -> Self {
        Self::of(Which { level, name: 0 })
    }

    /// The variable of a loop.
    pub(crate) fn of(which: Which) -> Self {
        let get = |env: &Env, which| {
            env.fit(which).unwrap_or_else(|why| {
                let Which { level, .. } = which;
                WRONG.with(|wrong| wrong.set(wrong.take().or(Some((level, why)))));
                T::from_bits(env.get(level))
            })
        };
        Self { which, get }
    }
}

impl<T> LoopVar<T> {
    /// The level of its loop, 0 for the outermost.
    pub fn level(self) -> usize {
        self.which.level
    }

    /// Which loop it belongs to.
    pub(crate) fn which(self) -> Which {
        self.which
    }

    /// Its value in a dispatch. Where its loop is not around the stage, or `T` does not have the value, the
    /// stage that is evaluated fails with [`Error::Loops`](crate::Error::Loops), whatever is made of what
    /// this gives then: the low bits of what is at that level, 0 for nothing.
    #[inline]
    pub fn get(self, env: &Env) -> T {
        (self.get)(env, self.which)
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
    fn a_variable_is_that_of_its_own_loop() {
        let (first, second) = (Which { level: 1, name: 7 }, Which { level: 1, name: 8 });
        let ([a, b], innermost) =
            ([first, second].map(LoopVar::<u32>::of), LoopVar::new(INNERMOST));
        let seen = |env: &Env, var: LoopVar<u32>| watch(|| var.get(env));
        let mut env = Env::new();
        assert_eq!(seen(&env, innermost), (0, Some((INNERMOST, Unfit::NotAround))));
        env.set(0, 3);
        env.set(1, 5);
        env.set_name(1, 7);
        assert_eq!(seen(&env, a), (5, None));
        assert_eq!(seen(&env, innermost), (5, None));
        assert_eq!(seen(&env, b), (5, Some((1, Unfit::NotAround))));
        env.leave(1);
        assert_eq!(seen(&env, a), (0, Some((1, Unfit::NotAround))));
        assert_eq!(seen(&env, innermost), (3, None));
        env.leave(0);
        assert_eq!(env, Env::new());
        // The first of them is told, and what is evaluated inside of that says it for itself.
        let (inner, outer) = watch(|| (a.get(&env), seen(&env, innermost).1, b.get(&env)).1);
        assert_eq!(
            (inner, outer),
            (Some((INNERMOST, Unfit::NotAround)), Some((1, Unfit::NotAround)))
        );
    }

    #[test]
    fn a_type_has_a_value_or_says_so() {
        let which = Which { level: 7, name: 0 };
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
                    let unfit = Unfit::Value { value: value.into(), int: stringify!($int) };
                    assert_eq!(env.fit::<$int>(which), <$int>::try_from(value).map_err(|_| unfit));
                )*};
            }
            all!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);
        }
        let high = seen(false, u64::MAX);
        assert_eq!((high.value(7), high.fit::<u64>(which)), (u64::MAX.into(), Ok(u64::MAX)));
        assert!(high.fit::<i64>(which).is_err());
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
