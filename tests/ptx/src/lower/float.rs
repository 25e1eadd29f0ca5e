//! Arithmetic of floating point numbers.
//!
//! `.approx` is the host's function in double precision, rounded once: closer than hardware, which
//! PTX allows.

use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::lanes::{Compute, one, three, two};
use crate::number::{self, F32, F64, Format, Rounding, flush, from_f32, from_f64, to_f64};
use crate::syntax::Operand;
use crate::types::{Class, Type};

/// What is done to operands and results beside the operation.
#[derive(Clone, Copy)]
struct Style {
    format: Format,
    rounding: Rounding,
    ftz: bool,
    sat: bool,
    relu: bool,
    pair: bool,
}

impl Style {
    /// Whether results are those of the host's arithmetic.
    fn is_plain(self, format: Format) -> bool {
        self.format == format
            && self.rounding == Rounding::Nearest
            && !(self.ftz || self.sat || self.relu || self.pair)
    }

    fn before(self, bits: u64) -> u64 {
        let bits = bits & (self.format.sign() | (self.format.sign() - 1));
        if self.ftz { flush(bits, self.format) } else { bits }
    }

    fn after(self, bits: u64) -> u64 {
        let bits = if self.ftz { flush(bits, self.format) } else { bits };
        if self.sat {
            saturate(bits, self.format)
        } else if self.relu && bits & self.format.sign() != 0 && !number::is_nan(bits, self.format)
        {
            0
        } else {
            bits
        }
    }

    fn halves(self, f: impl Fn(u32) -> u64) -> u64 {
        if self.pair { f(0) | f(16) << 16 } else { f(0) }
    }

    fn one(self, f: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Compute {
        one(move |a| self.halves(|at| self.after(f(self.before(a >> at)))))
    }

    fn two(self, f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Compute {
        two(move |a, b| self.halves(|at| self.after(f(self.before(a >> at), self.before(b >> at)))))
    }

    fn three(self, f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Compute {
        three(move |a, b, c| {
            let at = |x: u64, at: u32| self.before(x >> at);
            self.halves(|it| self.after(f(at(a, it), at(b, it), at(c, it))))
        })
    }
}

/// `.sat`: within [0, 1], and 0 for what is no number.
pub(super) fn saturate(bits: u64, format: Format) -> u64 {
    let value = to_f64(bits, format);
    if value > 1.0 {
        from_f64(1.0, format)
    } else if value > 0.0 {
        bits
    } else {
        0
    }
}

#[inline]
fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline]
fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// `a * b + c`, rounded once.
#[inline]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn float(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        let Some(format) = ty.format() else {
            return Err(Trouble::Wrong("its type is no floating point number".to_owned()));
        };
        if name.types.iter().any(|it| it.class() != Class::Float) {
            return self.refuse(name);
        }
        if name.types.len() > 1 {
            return self.mixed(name, ops);
        }
        let style = Style {
            format,
            rounding: name.rounding().unwrap_or(Rounding::Nearest),
            ftz: name.has("ftz"),
            sat: name.has("sat"),
            relu: name.has("relu"),
            pair: ty.is_pair(),
        };
        let rounding = style.rounding;
        // Of such a double only the upper half is approximated, the lower one is zeros.
        let gross = format == F64 && name.has("approx") && style.ftz;
        let f = match name.op {
            "add" if style.is_plain(F32) => two(|a, b| from_f32(single(a) + single(b)).into()),
            "sub" if style.is_plain(F32) => two(|a, b| from_f32(single(a) - single(b)).into()),
            "mul" if style.is_plain(F32) => two(|a, b| from_f32(single(a) * single(b)).into()),
            "fma" | "mad" if style.is_plain(F32) => {
                three(|a, b, c| from_f32(fused(single(a), single(b), single(c))).into())
            }
            "div" if style.is_plain(F32) && !name.has("full") => {
                two(|a, b| from_f32(single(a) / single(b)).into())
            }
            "sqrt" if style.is_plain(F32) => one(|a| from_f32(single(a).sqrt()).into()),
            "add" if style.is_plain(F64) => two(|a, b| (double(a) + double(b)).to_bits()),
            "sub" if style.is_plain(F64) => two(|a, b| (double(a) - double(b)).to_bits()),
            "mul" if style.is_plain(F64) => two(|a, b| (double(a) * double(b)).to_bits()),
            "fma" | "mad" if style.is_plain(F64) => {
                three(|a, b, c| double(a).mul_add(double(b), double(c)).to_bits())
            }
            "div" if style.is_plain(F64) => two(|a, b| (double(a) / double(b)).to_bits()),
            "sqrt" if style.is_plain(F64) => one(|a| double(a).sqrt().to_bits()),
            "add" => style.two(move |a, b| number::add(a, b, format, rounding)),
            "sub" => style.two(move |a, b| number::add(a, b ^ format.sign(), format, rounding)),
            "mul" => style.two(move |a, b| number::mul(a, b, format, rounding)),
            "fma" | "mad" => style.three(move |a, b, c| number::fma(a, b, c, format, rounding)),
            "div" => style.two(move |a, b| number::div(a, b, format, rounding)),
            "rcp" => {
                let one = from_f64(1.0, format);
                let mask = if gross { !0 << 32 } else { u64::MAX };
                style.one(move |a| number::div(one, a, format, rounding) & mask)
            }
            "sqrt" => style.one(move |a| number::sqrt(a, format, rounding)),
            "neg" if !style.ftz => return self.signs(ops, ty, |a, sign| a ^ sign),
            "abs" if !style.ftz => return self.signs(ops, ty, |a, sign| a & !sign),
            "neg" => style.one(move |a| a ^ format.sign()),
            "abs" => style.one(move |a| a & !format.sign()),
            "copysign" => {
                // The sign is that of the first operand.
                let sign = format.sign();
                two(move |a, b| b & !sign | a & sign)
            }
            "min" | "max" if name.has("abs") => return self.refuse(name),
            "min" | "max" => {
                let nan = name.has("NaN");
                let choose = if name.op == "min" { number::min } else { number::max };
                if ops.len() == 4 {
                    style.three(move |a, b, c| choose(choose(a, b, format, nan), c, format, nan))
                } else if style.is_plain(F32) && !nan {
                    let least = name.op == "min";
                    two(move |a, b| chosen(single(a), single(b), least).into())
                } else {
                    style.two(move |a, b| choose(a, b, format, nan))
                }
            }
            _ => match approximate(name.op) {
                Some(f) if gross => {
                    style.one(move |a| from_f64(f(to_f64(a, format)), format) & !0 << 32)
                }
                Some(f) => style.one(move |a| from_f64(f(to_f64(a, format)), format)),
                None => return self.refuse(name),
            },
        };
        self.compute(f, ops, ty)
    }

    /// `add.f32.f16`: operands of a smaller format, and a result of a larger one.
    fn mixed(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let [Type::F32, from] = name.types[..] else { return self.refuse(name) };
        let Some(small) = from.format() else { return self.refuse(name) };
        let rounding = name.rounding().unwrap_or(Rounding::Nearest);
        let wide = move |a| number::float_to_float(a & 0xffff, small, F32, Rounding::Nearest);
        let f = match name.op {
            "add" => two(move |a, c| number::add(wide(a), c & 0xffff_ffff, F32, rounding)),
            "sub" => {
                two(move |a, c| number::add(wide(a), (c & 0xffff_ffff) ^ F32.sign(), F32, rounding))
            }
            "fma" => {
                three(move |a, b, c| number::fma(wide(a), wide(b), c & 0xffff_ffff, F32, rounding))
            }
            _ => return self.refuse(name),
        };
        self.compute(f, ops, from)
    }

    /// What only touches signs.
    fn signs(
        &mut self,
        ops: &[Operand<'a>],
        ty: Type,
        f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static,
    ) -> Answer<()> {
        let sign = ty.format().map_or(0, Format::sign);
        let sign = if ty.is_pair() { sign | sign << 16 } else { sign };
        self.compute(one(move |a| f(a, sign)), ops, ty)
    }
}

/// The lesser or the greater one, -0 less than +0, a number rather than none.
#[inline]
fn chosen(a: f32, b: f32, least: bool) -> u32 {
    if a.is_nan() {
        return from_f32(b);
    }
    if b.is_nan() {
        return a.to_bits();
    }
    let first = if a == b { a.is_sign_negative() } else { a < b };
    if first == least { a.to_bits() } else { b.to_bits() }
}

/// The function that an instruction approximates.
fn approximate(op: &str) -> Option<fn(f64) -> f64> {
    Some(match op {
        "rsqrt" => |a| 1.0 / a.sqrt(),
        "sin" => f64::sin,
        "cos" => f64::cos,
        "lg2" => f64::log2,
        "ex2" => f64::exp2,
        "tanh" => f64::tanh,
        _ => return None,
    })
}
