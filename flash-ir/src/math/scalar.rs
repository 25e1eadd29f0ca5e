//! `min`, `max` and `clamp` of every scalar. Not `f32::min` itself, which leaves the sign of a zero
//! to the compiler: here equal numbers give the first.

/// A number with an order: every integer and float.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no minimum and maximum in a kernel",
    label = "neither an integer nor a float"
)]
pub trait MathScalar: Copy + 'static {
    /// The smaller one; of a NaN and a number, the number.
    #[must_use]
    fn min_of(self, other: Self) -> Self;
    /// The larger one; of a NaN and a number, the number.
    #[must_use]
    fn max_of(self, other: Self) -> Self;
    /// `lo` below `lo`, `hi` above `hi`, else itself; a NaN stays.
    #[must_use]
    fn clamp_to(self, lo: Self, hi: Self) -> Self;
}

macro_rules! integers {
    ($($t:ty)*) => { $(impl MathScalar for $t {
        #[inline(always)]
        fn min_of(self, other: Self) -> Self { if other < self { other } else { self } }
        #[inline(always)]
        fn max_of(self, other: Self) -> Self { if other > self { other } else { self } }
        #[inline(always)]
        fn clamp_to(self, lo: Self, hi: Self) -> Self { self.max_of(lo).min_of(hi) }
    })* };
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! floats {
    ($($t:ty)*) => { $(impl MathScalar for $t {
        #[inline(always)]
        fn min_of(self, other: Self) -> Self {
            if (other < self) | self.is_nan() { other } else { self }
        }
        #[inline(always)]
        fn max_of(self, other: Self) -> Self {
            if (other > self) | self.is_nan() { other } else { self }
        }
        #[inline(always)]
        fn clamp_to(self, lo: Self, hi: Self) -> Self {
            let low = if self < lo { lo } else { self };
            if low > hi { hi } else { low }
        }
    })* };
}
floats!(f32 f64);

/// A number with a sign: the signed integers and the floats.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sign",
    label = "neither a signed integer nor a float"
)]
pub trait MathSigned: Copy + 'static {
    /// The magnitude; of the smallest integer, itself.
    #[must_use]
    fn magnitude(self) -> Self;
    /// -1, 0 or 1; of a float, 1 with its sign, NaN for NaN.
    #[must_use]
    fn sign(self) -> Self;
}

macro_rules! signed {
    ($($t:ident: $abs:ident)*) => { $(impl MathSigned for $t {
        #[inline(always)]
        fn magnitude(self) -> Self { self.$abs() }
        #[inline(always)]
        fn sign(self) -> Self { self.signum() }
    })* };
}
signed!(i8: wrapping_abs i16: wrapping_abs i32: wrapping_abs i64: wrapping_abs
    isize: wrapping_abs f32: abs f64: abs);

/// The magnitude; of the smallest integer of a type, itself.
#[inline(always)]
pub fn abs<T: MathSigned>(x: T) -> T {
    x.magnitude()
}

/// -1, 0 or 1 for an integer; 1 with the sign of a float, NaN for NaN.
#[inline(always)]
pub fn signum<T: MathSigned>(x: T) -> T {
    x.sign()
}

/// The smaller of two numbers; of a NaN and a number, the number; of equal ones, the first.
#[inline(always)]
pub fn min<T: MathScalar>(a: T, b: T) -> T {
    a.min_of(b)
}

/// The larger of two numbers; of a NaN and a number, the number; of equal ones, the first.
#[inline(always)]
pub fn max<T: MathScalar>(a: T, b: T) -> T {
    a.max_of(b)
}

/// `x` held between `lo` and `hi`; unlike the method of std it does not panic where `lo > hi`, but
/// gives `hi`.
#[inline(always)]
pub fn clamp<T: MathScalar>(x: T, lo: T, hi: T) -> T {
    x.clamp_to(lo, hi)
}
