//! Products and sums in one: what `a * b + c` is in a `fast_math` kernel. Numbers of any type, as only
//! rustc knows which it is; those that are not floating point are computed as written.

use super::MathFloat;
use super::fast::Fast;

/// A number.
pub trait Contract: Sized {
    /// `a * b + c`, in one step if `fused`.
    fn plus(fused: bool, a: Self, b: Self, c: Self) -> Self;
    /// `a * b - c`
    fn minus(fused: bool, a: Self, b: Self, c: Self) -> Self;
    /// `c - a * b`
    fn less(fused: bool, a: Self, b: Self, c: Self) -> Self;
}

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl Contract for $ty {
            #[inline(always)]
            fn plus(fused: bool, a: Self, b: Self, c: Self) -> Self {
                if fused { MathFloat::mul_add(a, b, c) } else { a * b + c }
            }
            #[inline(always)]
            fn minus(fused: bool, a: Self, b: Self, c: Self) -> Self {
                if fused { MathFloat::mul_add(a, b, -c) } else { a * b - c }
            }
            #[inline(always)]
            fn less(fused: bool, a: Self, b: Self, c: Self) -> Self {
                if fused { MathFloat::mul_add(-a, b, c) } else { c - a * b }
            }
        }
    )*};
}

macro_rules! as_written {
    ($($ty:ty)*) => {$(
        impl Contract for $ty {
            #[inline(always)]
            fn plus(_: bool, a: Self, b: Self, c: Self) -> Self {
                a * b + c
            }
            #[inline(always)]
            fn minus(_: bool, a: Self, b: Self, c: Self) -> Self {
                a * b - c
            }
            #[inline(always)]
            fn less(_: bool, a: Self, b: Self, c: Self) -> Self {
                c - a * b
            }
        }
    )*};
}

floats!(f32 f64);
as_written!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
#[cfg(feature = "complex")]
as_written!(num_complex::Complex<f32> num_complex::Complex<f64>);

impl<const FUSED: bool> Fast<FUSED> {
    /// `a * b + c`
    #[inline(always)]
    pub fn plus<T: Contract>(a: T, b: T, c: T) -> T {
        T::plus(FUSED, a, b, c)
    }

    /// `a * b - c`
    #[inline(always)]
    pub fn minus<T: Contract>(a: T, b: T, c: T) -> T {
        T::minus(FUSED, a, b, c)
    }

    /// `c - a * b`
    #[inline(always)]
    pub fn less<T: Contract>(a: T, b: T, c: T) -> T {
        T::less(FUSED, a, b, c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_rounded_once_where_it_is_fused() {
        let (a, b) = (1.0_f32 + f32::EPSILON, 1.0 - f32::EPSILON);
        let exact = -f64::from(f32::EPSILON).powi(2) as f32;
        assert_eq!(Fast::<true>::plus(a, b, -1.0), exact);
        assert_eq!(Fast::<true>::minus(a, b, 1.0), exact);
        assert_eq!(Fast::<true>::less(a, b, 1.0), -exact);
        let rounded = [
            Fast::<false>::plus(a, b, -1.0),
            Fast::<false>::minus(a, b, 1.0),
            Fast::<false>::less(a, b, 1.0),
        ];
        assert_eq!(rounded, [0.0; 3]);
        assert_eq!(Fast::<true>::minus(7_u8, 8, 9), 47);
        assert_eq!(Fast::<true>::less(2_i64, 8, 9), -7);
    }
}
