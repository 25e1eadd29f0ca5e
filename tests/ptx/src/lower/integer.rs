//! Arithmetic of integers.
//!
//! Operations on bits are in `bits`.

use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::lanes::{Compute, Reg, one, three, two};
use crate::syntax::Operand;
use crate::types::Type;

/// Evaluates for the integer of a type, `Int`, and the one without a sign.
macro_rules! for_int {
    ($ty:expr, $Int:ident, $result:expr) => {
        match ($ty.bits(), $ty.is_signed()) {
            (8, false) => for_int!(@ u8, $Int, $result),
            (8, true) => for_int!(@ i8, $Int, $result),
            (16, false) => for_int!(@ u16, $Int, $result),
            (16, true) => for_int!(@ i16, $Int, $result),
            (32, false) => for_int!(@ u32, $Int, $result),
            (32, true) => for_int!(@ i32, $Int, $result),
            (64, true) => for_int!(@ i64, $Int, $result),
            _ => for_int!(@ u64, $Int, $result),
        }
    };
    (@ $int:ident, $Int:ident, $result:expr) => {{
        type $Int = $int;
        #[allow(clippy::unnecessary_cast, clippy::useless_conversion, reason = "of one type")]
        let result = $result;
        result
    }};
}
pub(super) use for_int;

fn mask(bits: u32) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The value of bits, as a number.
pub(super) fn number(bits: u64, ty: Type) -> i128 {
    let cut = 64 - ty.bits();
    if ty.is_signed() {
        ((bits << cut) as i64 >> cut).into()
    } else {
        (bits & mask(ty.bits())).into()
    }
}

/// Division has a result here also where PTX leaves it open.
macro_rules! divided {
    ($Int:ident, $a:ident, $b:ident, $op:ident, $none:expr) => {
        if $b as $Int == 0 { $none } else { ($a as $Int).$op($b as $Int) as u64 }
    };
}

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn integer(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        let carries = name.has("cc") || matches!(name.op, "addc" | "subc" | "madc");
        if carries {
            return self.carried(name, ops, ty);
        }
        let f = match name.op {
            "mul" | "mul24" | "mad" | "mad24" => return self.product(name, ops, ty),
            "add" if name.has("sat") => two(|a, b| (a as i32).saturating_add(b as i32) as u64),
            "sub" if name.has("sat") => two(|a, b| (a as i32).saturating_sub(b as i32) as u64),
            // Halves of a word, added apart.
            "add" if name.suffixes.iter().any(|it| it.ends_with("16x2")) => two(|a, b| {
                let low = a.wrapping_add(b) & 0xffff;
                low | (a >> 16).wrapping_add(b >> 16) << 16 & 0xffff_0000
            }),
            "add" => two(|a, b| a.wrapping_add(b)),
            "sub" => two(|a, b| a.wrapping_sub(b)),
            "neg" => one(|a| a.wrapping_neg()),
            "abs" => for_int!(ty, Int, one(|a| (a as Int as i64).wrapping_abs() as u64)),
            "min" => for_int!(ty, Int, two(|a, b| (a as Int).min(b as Int) as u64)),
            "max" => for_int!(ty, Int, two(|a, b| (a as Int).max(b as Int) as u64)),
            "div" => for_int!(ty, Int, two(|a, b| divided!(Int, a, b, wrapping_div, u64::MAX))),
            "rem" => for_int!(ty, Int, two(|a, b| divided!(Int, a, b, wrapping_rem, a))),
            "sad" => for_int!(ty, Int, {
                three(|a, b, c| u64::from((a as Int).abs_diff(b as Int)).wrapping_add(c))
            }),
            _ => return self.refuse(name),
        };
        if name.suffixes.iter().any(|it| it.ends_with("16x2")) && name.op != "add" {
            return self.refuse(name);
        }
        self.compute(f, ops, ty)
    }

    fn product(&mut self, name: &Name<'a>, ops: &[Operand<'a>], ty: Type) -> Answer<()> {
        let add = name.op.starts_with("mad");
        if name.has("wide") {
            let f: Compute = match (add, ty) {
                (false, Type::U(32)) => two(|a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff)),
                (false, Type::S(32)) => {
                    two(|a, b| i64::from(a as i32).wrapping_mul((b as i32).into()) as u64)
                }
                (false, _) => two(move |a, b| (number(a, ty) * number(b, ty)) as u64),
                (true, Type::U(32)) => {
                    three(|a, b, c| ((a & 0xffff_ffff) * (b & 0xffff_ffff)).wrapping_add(c))
                }
                (true, Type::S(32)) => three(|a, b, c| {
                    (i64::from(a as i32).wrapping_mul((b as i32).into()) as u64).wrapping_add(c)
                }),
                (true, _) => {
                    three(move |a, b, c| ((number(a, ty) * number(b, ty)) as u64).wrapping_add(c))
                }
            };
            return self.compute(f, ops, ty);
        }
        let low = |ty: Type| if name.op.ends_with("24") { 24 } else { ty.bits() };
        let bits = low(ty);
        let narrow = move |a: u64| {
            let cut = 64 - bits;
            if ty.is_signed() { ((a << cut) as i64 >> cut) as u64 } else { a << cut >> cut }
        };
        let f: Compute = match (name.has("hi"), add, bits) {
            (false, false, 24) => two(move |a, b| narrow(a).wrapping_mul(narrow(b))),
            (false, true, 24) => {
                three(move |a, b, c| narrow(a).wrapping_mul(narrow(b)).wrapping_add(c))
            }
            (false, false, _) => two(|a, b| a.wrapping_mul(b)),
            (false, true, _) if name.has("sat") => return self.refuse(name),
            (false, true, _) => three(|a, b, c| a.wrapping_mul(b).wrapping_add(c)),
            // The upper 32 of 48 bits.
            (true, false, 24) => {
                two(move |a, b| (narrow(a).wrapping_mul(narrow(b)) as i64 >> 16) as u64)
            }
            (true, true, 24) => three(move |a, b, c| {
                ((narrow(a).wrapping_mul(narrow(b)) as i64 >> 16) as u64).wrapping_add(c)
            }),
            (true, false, _) => two(move |a, b| high(a, b, ty)),
            (true, true, _) if name.has("sat") => three(move |a, b, c| {
                let sum = (high(a, b, ty) as i32).saturating_add(c as i32);
                sum as u64
            }),
            (true, true, _) => three(move |a, b, c| high(a, b, ty).wrapping_add(c)),
        };
        self.compute(f, ops, ty)
    }

    /// Sums whose carry is kept, or that take one.
    fn carried(&mut self, name: &Name<'a>, ops: &[Operand<'a>], ty: Type) -> Answer<()> {
        let carry = match self.carry {
            Some(carry) => carry,
            None => {
                let carry = self.scratch();
                self.carry = Some(carry);
                carry
            }
        };
        let takes = name.op.ends_with('c');
        let subtracts = name.op.starts_with("sub");
        let (d, a, b) = if name.op.starts_with("mad") {
            let [d, a, b, c] = self.operands(ops)?;
            let (a, b, c) = (self.from(a, ty)?, self.from(b, ty)?, self.from(c, ty)?);
            let product = self.scratch();
            let f = if name.has("hi") {
                two(move |a, b| high(a, b, ty))
            } else {
                two(|a, b| a.wrapping_mul(b))
            };
            self.computed(f, product, &[a, b]);
            (self.written(d)?, product, c)
        } else {
            let [d, a, b] = self.operands(ops)?;
            (self.written(d)?, self.from(a, ty)?, self.from(b, ty)?)
        };
        let nothing: Reg = self.value(0);
        let carry_in = if takes { carry } else { nothing };
        let bits = ty.bits();
        // The sum with one bit more; a borrow is a carry that is missing, kept as 1.
        let whole = move |a: u64, b: u64, c: u64| {
            let (a, b, c) = (a & mask(bits), b & mask(bits), c & 1);
            let (a, b, c) = (u128::from(a), u128::from(b), u128::from(c));
            if subtracts { a.wrapping_sub(b).wrapping_sub(c) } else { a + b + c }
        };
        let out = self.scratch();
        if name.has("cc") {
            let f = three(move |a, b, c| (whole(a, b, c) >> bits) as u64 & 1);
            self.computed(f, out, &[a, b, carry_in]);
        }
        self.computed(three(move |a, b, c| whole(a, b, c) as u64), d, &[a, b, carry_in]);
        if name.has("cc") {
            self.computed(one(|a| a), carry, &[out]);
        }
        Ok(())
    }
}

/// The upper half of a product.
fn high(a: u64, b: u64, ty: Type) -> u64 {
    if ty.bits() == 64 && !ty.is_signed() {
        return ((u128::from(a) * u128::from(b)) >> 64) as u64;
    }
    ((number(a, ty) * number(b, ty)) >> ty.bits()) as u64
}

/// That there are two types, of which the first is the result's.
pub(super) fn two_types(name: &Name<'_>) -> Answer<(Type, Type)> {
    match name.types[..] {
        [to, from] => Ok((to, from)),
        _ => Err(Trouble::Wrong("it needs two types".to_owned())),
    }
}
