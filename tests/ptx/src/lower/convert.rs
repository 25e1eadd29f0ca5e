//! Conversions between types.
//!
//! How values are rounded is in `number`.

use super::float::saturate;
use super::integer::{number, two_types};
use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::lanes::{Compute, one, two};
use crate::number::{
    E4M3, E5M2, F32, F64, Format, Rounding, float_to_float, float_to_int, flush, from_f32,
    int_to_float, is_nan, round_to_integral,
};
use crate::syntax::Operand;
use crate::types::{Class, Type};

fn cut(bits: u64, width: u32) -> u64 {
    if width >= 64 { bits } else { bits & ((1 << width) - 1) }
}

/// The least and the greatest integer of a type.
fn range(ty: Type) -> (i128, i128) {
    let bits = ty.bits();
    if ty.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn cvt(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        if name.suffixes.iter().any(|it| it.ends_with("x2") || it.ends_with("x4")) {
            return self.cvt_pair(name, ops);
        }
        if name.has("pack") {
            return self.cvt_pack(name, ops);
        }
        let (to, from) = two_types(name)?;
        let f: Compute = match (to.class() == Class::Float, from.class() == Class::Float) {
            (false, false) => integers(to, from, name.has("sat")),
            (true, false) => int_to(name, to, from),
            (false, true) => to_int(name, to, from),
            (true, true) => floats(name, to, from),
        };
        let [d, a] = self.operands(ops)?;
        let a = self.from(a, from)?;
        let d = self.written(d)?;
        self.computed(f, d, &[a]);
        Ok(())
    }

    /// Two results in one register, from two operands or from one that holds two.
    fn cvt_pair(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let formats: Vec<(Format, bool)> = name
            .suffixes
            .iter()
            .filter_map(|suffix| match *suffix {
                "e4m3x2" => Some((E4M3, true)),
                "e5m2x2" => Some((E5M2, true)),
                other => {
                    let ty = Type::parse(other)?;
                    Some((ty.format()?, ty.is_pair()))
                }
            })
            .collect();
        let [(to, true), (from, from_pair)] = formats[..] else { return self.refuse(name) };
        let rounding = name.rounding().unwrap_or(Rounding::Nearest);
        let (relu, ftz) = (name.has("relu"), name.has("ftz"));
        // The formats of eight bits stay finite.
        let finite = name.has("satfinite");
        let convert = move |bits: u64| {
            let bits = cut(bits, from.bits());
            let bits = if ftz { flush(bits, from) } else { bits };
            let result = float_to_float(bits, from, to, rounding);
            if relu && result & to.sign() != 0 && !is_nan(result, to) {
                0
            } else if finite && result & !to.sign() == to.infinity() && to.infinite {
                result & to.sign() | to.largest()
            } else {
                result
            }
        };
        let (up, down) = (to.bits(), from.bits());
        if from_pair {
            let f = one(move |a| convert(a) | convert(a >> down) << up);
            return self.compute(f, ops, Type::B(32));
        }
        // The first operand is the upper half.
        let f = two(move |a, b| convert(b) | convert(a) << up);
        self.compute(f, ops, Type::F32)
    }

    /// `cvt.pack.sat.u8.s32.b32 d, a, b, c`: two integers, saturated, below what `c` holds.
    fn cvt_pack(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let Some(&to) = name.types.first() else {
            return Err(Trouble::Wrong("it names no type".to_owned()));
        };
        let (least, most) = range(to);
        let bits = to.bits();
        let f = crate::lanes::three(move |a, b, c| {
            let part = |x| cut(number(x, Type::S(32)).clamp(least, most) as u64, bits);
            cut(part(b) | part(a) << bits | c << (2 * bits), 32)
        });
        let mut ops = ops.to_vec();
        if ops.len() == 3 {
            ops.push(Operand::Int(0));
        }
        self.compute(f, &ops, Type::S(32))
    }
}

fn integers(to: Type, from: Type, sat: bool) -> Compute {
    match (to, from) {
        _ if sat => {
            let (least, most) = range(to);
            one(move |a| number(a, from).clamp(least, most) as u64)
        }
        (Type::U(64) | Type::S(64) | Type::B(64), Type::U(32) | Type::B(32)) => {
            one(|a| a & 0xffff_ffff)
        }
        (Type::U(64) | Type::S(64) | Type::B(64), Type::S(32)) => one(|a| a as i32 as u64),
        (Type::U(32) | Type::B(32), _) if from.bits() >= 32 => one(|a| a & 0xffff_ffff),
        _ => one(move |a| number(number(a, from) as u64, to) as u64),
    }
}

fn int_to(name: &Name<'_>, to: Type, from: Type) -> Compute {
    let format = to.format().unwrap_or(F32);
    let rounding = name.rounding().unwrap_or(Rounding::Nearest);
    let sat = name.has("sat");
    match (to, from) {
        (Type::F32, Type::S(32)) if rounding == Rounding::Nearest && !sat => {
            one(|a| (a as i32 as f32).to_bits().into())
        }
        (Type::F32, Type::U(32)) if rounding == Rounding::Nearest && !sat => {
            one(|a| (a as u32 as f32).to_bits().into())
        }
        (Type::F64, Type::S(32)) if !sat => one(|a| f64::from(a as i32).to_bits()),
        (Type::F64, Type::U(32)) if !sat => one(|a| f64::from(a as u32).to_bits()),
        _ => one(move |a| {
            let bits = int_to_float(number(a, from), format, rounding);
            if sat { saturate(bits, format) } else { bits }
        }),
    }
}

fn to_int(name: &Name<'_>, to: Type, from: Type) -> Compute {
    let format = from.format().unwrap_or(F32);
    let rounding = name.integral().unwrap_or(Rounding::Zero);
    let ends = range(to);
    // What is no number becomes 0, or, where 64 bits are concerned, the sign bit alone.
    let wide = from == Type::F64 || to.bits() == 64;
    let nan = if wide { 1 << (to.bits() - 1) } else { 0 };
    let ftz = name.has("ftz");
    match (to, from) {
        (Type::S(32), Type::F32) if rounding == Rounding::Zero => {
            one(|a| f32::from_bits(a as u32) as i32 as u64)
        }
        (Type::U(32), Type::F32) if rounding == Rounding::Zero => {
            one(|a| (f32::from_bits(a as u32) as u32).into())
        }
        _ => one(move |a| {
            let bits = cut(a, format.bits());
            let bits = if ftz { flush(bits, format) } else { bits };
            float_to_int(bits, format, rounding, ends, nan) as u64
        }),
    }
}

fn floats(name: &Name<'_>, to: Type, from: Type) -> Compute {
    let (Some(wanted), Some(given)) = (to.format(), from.format()) else {
        return one(|a| a);
    };
    let rounding = name.rounding();
    let (ftz, sat, relu) = (name.has("ftz"), name.has("sat"), name.has("relu"));
    let plain = !(ftz || sat || relu);
    match (to, from) {
        // Of the nineteen bits of a `tf32` in an `f32` the others are zeros.
        (Type::F32, Type::F32) if name.has("tf32") => {
            let tf32 = Format { fraction: 10, ..F32 };
            let rounding = rounding.unwrap_or(Rounding::NearestAway);
            let tf32 = Format { nan: 0x3ffff, ..tf32 };
            return one(move |a| float_to_float(cut(a, 32), F32, tf32, rounding) << 13);
        }
        (Type::F64, Type::F32) if plain => {
            return one(|a| f64::from(f32::from_bits(a as u32)).to_bits());
        }
        (Type::F32, Type::F64) if plain && rounding == Some(Rounding::Nearest) => {
            return one(|a| from_f32(f64::from_bits(a) as f32).into());
        }
        _ => {}
    }
    let integral = name.integral();
    let rounding = rounding.unwrap_or(Rounding::Nearest);
    let single = wanted == F32 || given == F32;
    one(move |a| {
        let bits = cut(a, given.bits());
        let bits = if ftz && given == F32 { flush(bits, given) } else { bits };
        let bits = match integral {
            Some(rounding) => round_to_integral(bits, given, rounding),
            None => bits,
        };
        let bits = match wanted == given {
            // Moving a number changes nothing, but one that is none becomes the usual one.
            true if is_nan(bits, given) && given != F64 => given.nan,
            true => bits,
            false => float_to_float(bits, given, wanted, rounding),
        };
        let bits = if ftz && single && wanted == F32 { flush(bits, wanted) } else { bits };
        if sat {
            saturate(bits, wanted)
        } else if relu && bits & wanted.sign() != 0 && !is_nan(bits, wanted) {
            0
        } else {
            bits
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_rust() {
        assert_eq!(range(Type::S(64)), (i64::MIN.into(), i64::MAX.into()));
        assert_eq!(range(Type::U(64)), (0, u64::MAX.into()));
        assert_eq!(range(Type::S(8)), (-128, 127));
        assert_eq!(F64.bits(), 64);
    }
}
