//! Arithmetic in any format, rounded once, in any direction.
//!
//! It is slow: rounding to the nearest single or double is left to the host where its results are
//! the same.

use super::format::{Finite, Format, Rounding, Unpacked, unpack};

/// `a * b + c`, rounded once.
pub(crate) fn fma(a: u64, b: u64, c: u64, format: Format, rounding: Rounding) -> u64 {
    use Unpacked::{Finite as F, Infinite, Nan};
    let (x, y) = match (unpack(a, format), unpack(b, format), unpack(c, format)) {
        (Nan, _, _) | (_, Nan, _) | (_, _, Nan) => return format.nan,
        (F(a), F(b), F(c)) => (product(a, b), c),
        (Infinite(_), F(z), _) | (F(z), Infinite(_), _) if z.significand == 0 => {
            return format.nan;
        }
        (F(_), F(_), Infinite(c)) => return infinity(c, format),
        (a, b, c) => {
            let negative = is_negative(a) != is_negative(b);
            return match c {
                Infinite(c) if c != negative => format.nan,
                _ => infinity(negative, format),
            };
        }
    };
    sum(x, y, format, rounding)
}

/// `a + b`.
pub(crate) fn add(a: u64, b: u64, format: Format, rounding: Rounding) -> u64 {
    use Unpacked::{Finite as F, Infinite, Nan};
    match (unpack(a, format), unpack(b, format)) {
        (Nan, _) | (_, Nan) => format.nan,
        (F(a), F(b)) => sum(a, b, format, rounding),
        (Infinite(a), Infinite(b)) if a != b => format.nan,
        (Infinite(a), _) | (_, Infinite(a)) => infinity(a, format),
    }
}

/// `a * b`.
pub(crate) fn mul(a: u64, b: u64, format: Format, rounding: Rounding) -> u64 {
    use Unpacked::{Finite as F, Infinite, Nan};
    match (unpack(a, format), unpack(b, format)) {
        (Nan, _) | (_, Nan) => format.nan,
        (F(a), F(b)) => format.pack(product(a, b), false, rounding),
        (Infinite(_), F(z)) | (F(z), Infinite(_)) if z.significand == 0 => format.nan,
        (a, b) => infinity(is_negative(a) != is_negative(b), format),
    }
}

/// `a / b`.
pub(crate) fn div(a: u64, b: u64, format: Format, rounding: Rounding) -> u64 {
    use Unpacked::{Finite as F, Infinite, Nan};
    let (a, b) = (unpack(a, format), unpack(b, format));
    let negative = is_negative(a) != is_negative(b);
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite(_), Infinite(_)) => format.nan,
        (Infinite(_), F(_)) => infinity(negative, format),
        (F(_), Infinite(_)) => format.pack(zero(negative), false, rounding),
        (F(a), F(b)) if b.significand == 0 => {
            if a.significand == 0 {
                format.nan
            } else {
                infinity(negative, format)
            }
        }
        (F(a), F(b)) => {
            // The dividend has at most 53 bits, so the quotient has at least 20 more than a fraction.
            let up = a.significand.leading_zeros().min(127);
            let dividend = a.significand << up;
            let significand = dividend / b.significand;
            let exponent = a.exponent - up as i32 - b.exponent;
            let sticky = dividend % b.significand != 0;
            format.pack(Finite { negative, exponent, significand }, sticky, rounding)
        }
    }
}

/// The square root of `a`.
pub(crate) fn sqrt(a: u64, format: Format, rounding: Rounding) -> u64 {
    match unpack(a, format) {
        Unpacked::Finite(a) if a.significand == 0 => format.pack(a, false, rounding),
        Unpacked::Finite(Finite { negative: false, exponent, significand }) => {
            // An even exponent, and as many bits as there is room for.
            let up = significand.leading_zeros() - 1;
            let up = up - u32::from((exponent - up as i32) % 2 != 0);
            let square = significand << up;
            let root = square.isqrt();
            let exponent = (exponent - up as i32) / 2;
            let root_of = Finite { negative: false, exponent, significand: root };
            format.pack(root_of, root * root != square, rounding)
        }
        Unpacked::Infinite(false) => infinity(false, format),
        _ => format.nan,
    }
}

fn is_negative(value: Unpacked) -> bool {
    match value {
        Unpacked::Nan => false,
        Unpacked::Infinite(negative) => negative,
        Unpacked::Finite(value) => value.negative,
    }
}

fn infinity(negative: bool, format: Format) -> u64 {
    format.infinity() | if negative { format.sign() } else { 0 }
}

fn zero(negative: bool) -> Finite {
    Finite { negative, exponent: 0, significand: 0 }
}

fn product(a: Finite, b: Finite) -> Finite {
    Finite {
        negative: a.negative != b.negative,
        exponent: a.exponent + b.exponent,
        significand: a.significand * b.significand,
    }
}

fn sum(a: Finite, b: Finite, format: Format, rounding: Rounding) -> u64 {
    if a.significand == 0 && b.significand == 0 {
        let negative = match (a.negative, b.negative) {
            (true, true) => true,
            (false, false) => false,
            _ => rounding == Rounding::Down,
        };
        return format.pack(zero(negative), false, rounding);
    }
    if a.significand == 0 {
        return format.pack(b, false, rounding);
    }
    if b.significand == 0 {
        return format.pack(a, false, rounding);
    }
    let top = |x: &Finite| x.exponent + 128 - x.significand.leading_zeros() as i32;
    let (large, small) = if top(&a) >= top(&b) { (a, b) } else { (b, a) };
    // The larger one gets its highest bit to bit 125, so that there is room for a carry.
    let up = large.significand.leading_zeros() as i32 - 2;
    let exponent = large.exponent - up;
    let high = if up >= 0 { large.significand << up } else { large.significand >> -up };
    let shift = small.exponent - exponent;
    let (low, sticky) = if shift >= 0 {
        (small.significand << shift, false)
    } else if shift <= -128 {
        (0, true)
    } else {
        let kept = small.significand >> -shift;
        (kept, kept << -shift != small.significand)
    };
    let (significand, negative) = if large.negative == small.negative {
        (high + low, large.negative)
    } else if high > low {
        // What is cut off of the subtrahend makes the difference a little less.
        (high - low - u128::from(sticky), large.negative)
    } else {
        (low - high, small.negative)
    };
    if significand == 0 && !sticky {
        return format.pack(zero(rounding == Rounding::Down), false, rounding);
    }
    format.pack(Finite { negative, exponent, significand }, sticky, rounding)
}
