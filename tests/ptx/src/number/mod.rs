//! Numbers as PTX has them: formats, rounding and conversions, all on bits.
//!
//! Approximate functions are no part of it; they are those of the host, see `lower/float.rs`.

mod convert;
mod exact;
mod format;
#[cfg(test)]
mod tests;

pub(crate) use convert::{float_to_float, float_to_int, int_to_float, round_to_integral};
pub(crate) use exact::{add, div, fma, mul, sqrt};
pub(crate) use format::{
    BF16, E4M3, E5M2, F16, F32, F64, Format, Rounding, flush, from_f32, from_f64, is_nan, max, min,
    to_f64,
};
