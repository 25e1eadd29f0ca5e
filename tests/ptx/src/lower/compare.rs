//! Comparisons and choices.
//!
//! What lanes find out about each other is in `warp`.

use super::integer::number;
use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::lanes::{Comparison, two, whether};
use crate::number::{F32, F64, Format, flush, to_f64};
use crate::program::{Kind, Logic, NONE};
use crate::syntax::Operand;
use crate::types::{Class, Type};

/// Which orders a comparison accepts, and whether it holds where there is none.
type Relation = (fn(std::cmp::Ordering) -> bool, bool);

/// A comparison by name.
fn relation(name: &str) -> Option<Relation> {
    use std::cmp::Ordering as O;
    Some(match name {
        "eq" => (O::is_eq, false),
        "ne" => (O::is_ne, false),
        "lt" | "lo" => (O::is_lt, false),
        "le" | "ls" => (O::is_le, false),
        "gt" | "hi" => (O::is_gt, false),
        "ge" | "hs" => (O::is_ge, false),
        "equ" => (O::is_eq, true),
        "neu" => (O::is_ne, true),
        "ltu" => (O::is_lt, true),
        "leu" => (O::is_le, true),
        "gtu" => (O::is_gt, true),
        "geu" => (O::is_ge, true),
        "num" => (|_| true, false),
        "nan" => (|_| false, true),
        _ => return None,
    })
}

/// The comparison that a name asks for, of numbers of a type.
fn comparison(relation_name: &str, ty: Type, ftz: bool) -> Option<Comparison> {
    macro_rules! ints {
        ($Int:ty) => {
            match relation_name {
                "eq" => whether(|a, b| a as $Int == b as $Int),
                "ne" => whether(|a, b| a as $Int != b as $Int),
                "lt" | "lo" => whether(|a, b| (a as $Int) < b as $Int),
                "le" | "ls" => whether(|a, b| a as $Int <= b as $Int),
                "gt" | "hi" => whether(|a, b| a as $Int > b as $Int),
                _ => whether(|a, b| a as $Int >= b as $Int),
            }
        };
    }
    let (holds, unordered) = relation(relation_name)?;
    Some(match ty {
        Type::U(32) | Type::B(32) => ints!(u32),
        Type::S(32) => ints!(i32),
        Type::U(64) | Type::B(64) => ints!(u64),
        Type::S(64) => ints!(i64),
        Type::F32 if !ftz => whether(move |a, b| {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            a.partial_cmp(&b).map_or(unordered, holds)
        }),
        Type::F64 => whether(move |a, b| {
            f64::from_bits(a).partial_cmp(&f64::from_bits(b)).map_or(unordered, holds)
        }),
        _ => match ty.format() {
            Some(format) => {
                let value = move |bits| value(bits, format, ftz);
                whether(move |a, b| value(a).partial_cmp(&value(b)).map_or(unordered, holds))
            }
            None => whether(move |a, b| holds(number(a, ty).cmp(&number(b, ty)))),
        },
    })
}

/// The value of the low bits.
fn value(bits: u64, format: Format, ftz: bool) -> f64 {
    let bits = bits & (format.sign() | (format.sign() - 1));
    to_f64(if ftz { flush(bits, format) } else { bits }, format)
}

const RELATIONS: &[&str] = &[
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
    "geu", "num", "nan",
];

const LOGIC: &[(&str, Logic)] = &[("and", Logic::And), ("or", Logic::Or), ("xor", Logic::Xor)];

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn comparison(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        match name.op {
            "selp" => {
                let ty = self.ty(name)?;
                let [d, a, b, p] = self.operands(ops)?;
                let (a, b) = (self.from(a, ty)?, self.from(b, ty)?);
                let (p, d) = (self.condition(p)?, self.written(d)?);
                self.emit(Kind::Choose { d, a, b, p });
                Ok(())
            }
            "slct" => self.by_sign(name, ops),
            "testp" => self.test(name, ops),
            "setp" => self.setp(name, ops),
            _ => self.set(name, ops),
        }
    }

    /// `slct`: the first one where the third is not negative.
    fn by_sign(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let [ty, by] = name.types[..] else {
            return Err(Trouble::Wrong("it needs two types".to_owned()));
        };
        let [d, a, b, c] = self.operands(ops)?;
        let (a, b, c) = (self.from(a, ty)?, self.from(b, ty)?, self.from(c, by)?);
        let ftz = name.has("ftz");
        let f = whether(move |c, _| match by {
            Type::F32 => value(c, F32, ftz) >= 0.0,
            _ => c as i32 >= 0,
        });
        let p = self.scratch_predicate();
        self.emit(Kind::Compare { f, d: p, e: NONE, s: [c, c], with: None });
        let d = self.written(d)?;
        self.emit(Kind::Choose { d, a, b, p: Self::is(p) });
        Ok(())
    }

    fn test(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        let format = ty.format().unwrap_or(F32);
        let [d, a] = self.operands(ops)?;
        let (d, a) = (self.written_predicate(d)?, self.from(a, ty)?);
        type Test = fn(f64, bool) -> bool;
        let classes: &[(&str, Test)] = &[
            ("finite", |a, _| a.is_finite()),
            ("infinite", |a, _| a.is_infinite()),
            ("number", |a, _| !a.is_nan()),
            ("notanumber", |a, _| a.is_nan()),
            ("normal", |a, subnormal| a.is_finite() && a != 0.0 && !subnormal),
            ("subnormal", |_, subnormal| subnormal),
        ];
        let Some(holds) = name.one_of(classes) else { return self.refuse(name) };
        let f = whether(move |a, _| {
            let a = value(a, format, false);
            let subnormal = match format {
                F64 => a.is_subnormal(),
                _ => (a as f32).is_subnormal(),
            };
            holds(a, subnormal)
        });
        self.emit(Kind::Compare { f, d, e: NONE, s: [a, a], with: None });
        Ok(())
    }

    /// The comparison of an instruction, the type of its operands, and how it is combined.
    fn compared(&mut self, name: &Name<'a>) -> Answer<(Comparison, Type, Option<Logic>)> {
        let ty = self.ty(name)?;
        let found = name.suffixes.iter().find(|it| RELATIONS.contains(it));
        let Some(f) = found.and_then(|it| comparison(it, ty, name.has("ftz"))) else {
            return Err(Trouble::Wrong("it names no comparison".to_owned()));
        };
        Ok((f, ty, name.one_of(LOGIC)))
    }

    fn setp(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let (f, ty, logic) = self.compared(name)?;
        let [d, a, b, rest @ ..] = ops else {
            return Err(Trouble::Wrong("it has too few operands".to_owned()));
        };
        let with = match (logic, rest) {
            (Some(logic), [with]) => Some((logic, self.condition(with)?)),
            (None, []) => None,
            _ => return Err(Trouble::Wrong("it combines with one predicate".to_owned())),
        };
        let (a, b) = (self.from(a, ty)?, self.from(b, ty)?);
        if ty.is_pair() {
            return self.setp_pair(name, d, [a, b], ty);
        }
        let (d, e) = match d {
            Operand::Pair(d, e) => (self.written_predicate(d)?, self.written_predicate(e)?),
            d => (self.written_predicate(d)?, NONE),
        };
        self.emit(Kind::Compare { f, d, e, s: [a, b], with });
        Ok(())
    }

    /// Two predicates, one for each half.
    fn setp_pair(
        &mut self,
        name: &Name<'a>,
        d: &Operand<'a>,
        [a, b]: [u32; 2],
        ty: Type,
    ) -> Answer<()> {
        let half = if ty == Type::F16x2 { Type::F16 } else { Type::Bf16 };
        let found = name.suffixes.iter().find(|it| RELATIONS.contains(it));
        let Operand::Pair(low, high) = d else { return self.refuse(name) };
        for (d, shift) in [(low, 0), (high, 16)] {
            let Some(f) = found.and_then(|it| comparison(it, half, name.has("ftz"))) else {
                return self.refuse(name);
            };
            let d = self.written_predicate(d)?;
            let (x, y) = (self.scratch(), self.scratch());
            self.computed(two(move |a, _| a >> shift), x, &[a, a]);
            self.computed(two(move |b, _| b >> shift), y, &[b, b]);
            self.emit(Kind::Compare { f, d, e: NONE, s: [x, y], with: None });
        }
        Ok(())
    }

    /// `set`: all ones, or 1.0, where the comparison holds.
    fn set(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let (to, from) = super::integer::two_types(name)?;
        if from.is_pair() {
            return self.set_pair(name, ops, to, from);
        }
        let (f, ty, logic) = self.compared(name)?;
        let [d, a, b, rest @ ..] = ops else {
            return Err(Trouble::Wrong("it has too few operands".to_owned()));
        };
        let with = match (logic, rest) {
            (Some(logic), [with]) => Some((logic, self.condition(with)?)),
            _ => None,
        };
        let (a, b) = (self.from(a, ty)?, self.from(b, ty)?);
        let p = self.scratch_predicate();
        self.emit(Kind::Compare { f, d: p, e: NONE, s: [a, b], with });
        let yes = match to.class() {
            Class::Float => crate::number::from_f64(1.0, to.format().unwrap_or(F32)),
            _ => u32::MAX.into(),
        };
        let (yes, no, d) = (self.value(yes), self.value(0), self.written(d)?);
        self.emit(Kind::Choose { d, a: yes, b: no, p: Self::is(p) });
        Ok(())
    }

    fn set_pair(
        &mut self,
        name: &Name<'a>,
        ops: &[Operand<'a>],
        to: Type,
        from: Type,
    ) -> Answer<()> {
        let found = name.suffixes.iter().find(|it| RELATIONS.contains(it));
        let Some((holds, unordered)) = found.and_then(|it| relation(it)) else {
            return self.refuse(name);
        };
        let (Some(format), ftz) = (from.format(), name.has("ftz")) else {
            return self.refuse(name);
        };
        let yes = match to.format() {
            Some(format) => crate::number::from_f64(1.0, format),
            None => 0xffff,
        };
        let f = two(move |a, b| {
            let half = |at: u32| {
                let (x, y) = (value(a >> at, format, ftz), value(b >> at, format, ftz));
                if x.partial_cmp(&y).map_or(unordered, holds) { yes } else { 0 }
            };
            half(0) | half(16) << 16
        });
        self.compute(f, ops, from)
    }
}

/// Kept beside the comparisons, as they rest on it.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{F16, is_nan};

    #[test]
    fn what_is_no_number_compares_as_asked() {
        let nan = F32.nan;
        assert!(is_nan(nan, F32));
        let file = [[nan; 32], [0; 32]];
        for (name, expected) in [("eq", 0), ("neu", u32::MAX), ("nan", u32::MAX), ("num", 0)] {
            let f = comparison(name, Type::F32, false).expect(name);
            assert_eq!(f(&file, [0, 1]), expected, "{name}");
        }
        assert_eq!(value(0x3c00, F16, false), 1.0);
    }
}
