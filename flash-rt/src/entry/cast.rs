//! Casts that a compiler packs. It gives the bits of `as` for every pair of scalars, and no other
//! conversion.
#![allow(unsafe_code, reason = "converts numbers that are in range")]

/// `self as To`, where Rust has that cast.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be cast to `{To}` in a kernel")]
pub trait Cast<To>: Copy {
    /// The same bits as `self as To`.
    fn cast(self) -> To;
}

/// `value as To`: from floating point numbers by steps that processors have for many at once.
#[doc(hidden)]
#[inline(always)]
pub fn cast<To, From: Cast<To>>(value: From) -> To {
    value.cast()
}

macro_rules! as_written {
    ($from:ident => $($to:ident)*) => {
        $(impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                self as $to
            }
        })*
    };
}

macro_rules! whole {
    ($($from:ident)*) => {
        $(as_written!($from => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);)*
    };
}

whole!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
as_written!(bool => bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
as_written!(f32 => f32 f64);
as_written!(f64 => f32 f64);

/// From `$from` by way of `$by`, which holds all of `$to` and for which processors have a conversion.
/// `$highest` is the largest `$from` that is a `$to`.
macro_rules! rounded {
    ($($from:ident => $to:ident by $by:ident, $highest:expr;)*) => {
        $(impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                const LOWEST: $from = $to::MIN as $from;
                const HIGHEST: $from = $highest;
                let raised = if self > LOWEST { self } else { LOWEST };
                let held = if raised < HIGHEST { raised } else { HIGHEST };
                let number = if LOWEST == 0.0 || !self.is_nan() { held } else { 0.0 };
                // SAFETY: `number` is none but a number from `LOWEST` to `HIGHEST`, which are of
                // `$to` and so of `$by`.
                let whole = unsafe { number.to_int_unchecked::<$by>() } as $to;
                // Of the largest `$from` below a power of two there is none in between.
                if HIGHEST as $to != $to::MAX && self > HIGHEST { $to::MAX } else { whole }
            }
        })*
    };
}

/// The largest number below 2^`bits`.
const fn below_f32(bits: u32) -> f32 {
    f32::from_bits(((127 + bits) << 23) - 1)
}

/// The largest number below 2^`bits`.
const fn below_f64(bits: u64) -> f64 {
    f64::from_bits(((1023 + bits) << 52) - 1)
}

rounded! {
    f32 => i8 by i32, 127.0;
    f32 => u8 by i32, 255.0;
    f32 => i16 by i32, 32_767.0;
    f32 => u16 by i32, 65_535.0;
    f32 => i32 by i32, below_f32(31);
    f32 => u32 by u32, below_f32(32);
    f32 => i64 by i64, below_f32(63);
    f32 => u64 by u64, below_f32(64);
    f32 => isize by isize, below_f32(isize::BITS - 1);
    f32 => usize by usize, below_f32(usize::BITS);
    f64 => i8 by i32, 127.0;
    f64 => u8 by i32, 255.0;
    f64 => i16 by i32, 32_767.0;
    f64 => u16 by i32, 65_535.0;
    f64 => i32 by i32, 2_147_483_647.0;
    f64 => u32 by u32, 4_294_967_295.0;
    f64 => i64 by i64, below_f64(63);
    f64 => u64 by u64, below_f64(64);
    f64 => isize by isize, below_f64(isize::BITS as u64 - 1);
    f64 => usize by usize, below_f64(usize::BITS as u64);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All casts of a number.
    macro_rules! as_rust {
        ($value:expr => $($to:ident)*) => {
            $({
                let value = $value;
                let found: $to = cast(value);
                assert_eq!(found, value as $to, "{value:?} as {}", stringify!($to));
            })*
        };
    }

    fn of_single(value: f32) {
        as_rust!(value => i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    }

    fn of_double(value: f64) {
        as_rust!(value => i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    }

    /// Around every power of two, and what is no number.
    #[test]
    fn casts_at_the_limits_are_those_of_rust() {
        for power in 0..130 {
            for offset in -3..=3_i64 {
                for sign in [1.0, -1.0] {
                    let single = 2_f32.powi(power).to_bits().wrapping_add_signed(offset as i32);
                    of_single(sign * f32::from_bits(single));
                    of_single(sign * (2_f32.powi(power) + offset as f32 * 0.5));
                    let double = 2_f64.powi(power).to_bits().wrapping_add_signed(offset);
                    of_double(f64::from(sign) * f64::from_bits(double));
                    of_double(f64::from(sign) * (2_f64.powi(power) + offset as f64 * 0.5));
                }
            }
        }
        for value in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, f32::MIN] {
            of_single(value);
            of_double(f64::from(value));
        }
        of_double(f64::MAX);
        of_double(f64::MIN);
        assert_eq!(
            (cast::<i64, _>(-7_i8), cast::<u8, _>(true), cast::<f32, _>(3_u64)),
            (-7, 1, 3.0)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn casts_of_any_bits_are_those_of_rust(single: u32, double: u64) {
            of_single(f32::from_bits(single));
            of_double(f64::from_bits(double));
        }
    }
}
