//! Operations on bits, and moves.
//!
//! Conversions are in `convert`.

use super::integer::{for_int, number};
use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::lanes::{Compute, one, three, two};
use crate::program::{Kind, Logic};
use crate::syntax::Operand;
use crate::types::{Class, Type};

/// The low bits, all of them for 64 or more.
fn low(bits: u64) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn bits(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        if ty == Type::Pred {
            return self.logic(name, ops);
        }
        let width = u64::from(ty.bits());
        let f: Compute = match name.op {
            "and" => two(|a, b| a & b),
            "or" => two(|a, b| a | b),
            "xor" => two(|a, b| a ^ b),
            "not" => one(|a| !a),
            "cnot" => one(move |a| u64::from(a & low(width) == 0)),
            "shl" => two(move |a, b| {
                let by = b & 0xffff_ffff;
                if by >= width { 0 } else { a << by }
            }),
            "shr" => for_int!(ty, Int, {
                two(move |a, b| {
                    ((a as Int) >> (b & 0xffff_ffff).min(width - 1)) as u64
                        & if ty.is_signed() || b & 0xffff_ffff < width { u64::MAX } else { 0 }
                })
            }),
            "popc" => one(move |a| (a & low(width)).count_ones().into()),
            "clz" => one(move |a| (a & low(width)).leading_zeros() as u64 - (64 - width)),
            "brev" => one(move |a| (a & low(width)).reverse_bits() >> (64 - width)),
            "bfind" => {
                let (signed, shift) = (ty.is_signed(), name.has("shiftamt"));
                one(move |a| {
                    let value = number(a, ty);
                    let value = if signed && value < 0 { !value } else { value } as u64;
                    let found = value & low(width);
                    match found {
                        0 => u64::from(u32::MAX),
                        _ if shift => width - 1 - u64::from(found.ilog2()),
                        _ => found.ilog2().into(),
                    }
                })
            }
            "bfe" => three(move |a, b, c| extract(a, b & 0xff, c & 0xff, ty)),
            "bfi" => return self.insert(ops, ty),
            "shf" => self.funnel(name),
            "prmt" => permute(name),
            "lop3" => return self.lookup(name, ops),
            "fns" => three(|a, b, c| nth_set(a as u32, b as u32, c as i32).into()),
            "szext" => {
                let clamp = name.has("clamp");
                two(move |a, b| {
                    let b = if clamp { (b & 0xffff_ffff).min(32) } else { b & 31 };
                    extract(a, 0, b, ty)
                })
            }
            "bmsk" => {
                let clamp = name.has("clamp");
                two(move |a, b| {
                    let (a, b) = if clamp {
                        ((a & 0xffff_ffff).min(32), (b & 0xffff_ffff).min(32))
                    } else {
                        (a & 31, b & 31)
                    };
                    low(b) << a & 0xffff_ffff
                })
            }
            "dp4a" | "dp2a" => return self.dot(name, ops),
            _ => return self.refuse(name),
        };
        self.compute(f, ops, ty)
    }

    /// Predicates.
    fn logic(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let Some((d, [a, rest @ ..])) = ops.split_first() else {
            return Err(Trouble::Wrong("it has too few operands".to_owned()));
        };
        let d = self.written_predicate(d)?;
        let mut a = self.condition(a)?;
        let b = match rest.first() {
            Some(b) => self.condition(b)?,
            None => a,
        };
        let f = match name.op {
            "and" => Logic::And,
            "or" => Logic::Or,
            "xor" => Logic::Xor,
            "not" => {
                a.negated = !a.negated;
                Logic::First
            }
            "mov" => Logic::First,
            _ => return self.refuse(name),
        };
        self.emit(Kind::Logic { f, d, a, b });
        Ok(())
    }

    /// `bfi d, a, b, position, length`
    fn insert(&mut self, ops: &[Operand<'a>], ty: Type) -> Answer<()> {
        let [d, a, b, position, length] = self.operands(ops)?;
        let (a, b) = (self.from(a, ty)?, self.from(b, ty)?);
        let (position, length) =
            (self.from(position, Type::U(32))?, self.from(length, Type::U(32))?);
        // Position and length as one, as there are but three sources.
        let field = self.scratch();
        self.computed(two(|p, l| (p & 0xff) | (l & 0xff) << 8), field, &[position, length]);
        let width = u64::from(ty.bits());
        let f = three(move |a, b, field| {
            let (position, length) = (field & 0xff, field >> 8);
            let field = if position >= width { 0 } else { low(length) << position };
            b & !field | a.checked_shl(position as u32).unwrap_or(0) & field
        });
        let d = self.written(d)?;
        self.computed(f, d, &[a, b, field]);
        Ok(())
    }

    fn funnel(&self, name: &Name<'_>) -> Compute {
        let (clamp, left) = (name.has("clamp"), name.has("l"));
        three(move |a, b, c| {
            let both = (a & 0xffff_ffff) | b << 32;
            let by = if clamp { (c & 0xffff_ffff).min(32) } else { c & 31 };
            if left {
                // The upper half of the two words moved up.
                ((u128::from(both) << by) >> 32) as u64 & 0xffff_ffff
            } else {
                both >> by & 0xffff_ffff
            }
        })
    }

    /// `lop3 d, a, b, c, table`
    fn lookup(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        if name.suffixes.len() > 1 {
            return self.refuse(name);
        }
        let [d, a, b, c, Operand::Int(table)] = ops else {
            return Err(Trouble::Wrong("it takes five operands, the last a number".to_owned()));
        };
        let table = *table;
        let f = three(move |a, b, c| {
            (0..8).filter(|row| table >> row & 1 == 1).fold(0, |found, row| {
                let a = if row & 4 != 0 { a } else { !a };
                let b = if row & 2 != 0 { b } else { !b };
                let c = if row & 1 != 0 { c } else { !c };
                found | a & b & c
            })
        });
        self.compute(f, &[d.clone(), a.clone(), b.clone(), c.clone()], Type::B(32))
    }

    /// Sums of products of bytes.
    fn dot(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let [a_type, b_type] = name.types[..] else {
            return Err(Trouble::Wrong("it needs two types".to_owned()));
        };
        let part = |ty: Type, bits| if ty.is_signed() { Type::S(bits) } else { Type::U(bits) };
        let four = name.op == "dp4a";
        let (a_part, b_part) = (part(a_type, if four { 8 } else { 16 }), part(b_type, 8));
        let from = if name.has("hi") { 2 } else { 0 };
        let f = three(move |a, b, c| {
            let terms = if four { 4 } else { 2 };
            let sum: i128 = (0..terms)
                .map(|i| {
                    number(a >> (i * a_part.bits()), a_part) * number(b >> ((i + from) * 8), b_part)
                })
                .sum();
            c.wrapping_add(sum as u64)
        });
        self.compute(f, ops, Type::B(32))
    }

    pub(super) fn mov(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        if ty == Type::Pred {
            return self.logic(name, ops);
        }
        let [d, a] = self.operands(ops)?;
        match (d, a) {
            (Operand::Vector(parts), a) => {
                let a = self.from(a, ty)?;
                // Parts are written one by one, and the source may be one of them.
                let kept = self.scratch();
                self.computed(one(|a| a), kept, &[a]);
                let bits = ty.bits() / parts.len().max(1) as u32;
                for (part, number) in parts.iter().zip(0..) {
                    let d = self.written(part)?;
                    let shift = bits * number;
                    let f = one(move |a| a >> shift & low(bits.into()));
                    self.computed(f, d, &[kept]);
                }
                Ok(())
            }
            (d, Operand::Vector(parts)) => {
                let bits = ty.bits() / parts.len().max(1) as u32;
                let mut whole = self.value(0);
                for (part, number) in parts.iter().zip(0..) {
                    let part = self.from(part, Type::B(bits))?;
                    let (shift, d) = (bits * number, self.scratch());
                    let f = two(move |whole, part| whole | (part & low(bits.into())) << shift);
                    self.computed(f, d, &[whole, part]);
                    whole = d;
                }
                let d = self.written(d)?;
                self.computed(one(|a| a), d, &[whole]);
                Ok(())
            }
            _ if ty.bits() > 64 => self.refuse(name),
            (d, a) => {
                let a = self.from(a, if ty.class() == Class::Float { ty } else { Type::B(64) })?;
                let d = self.written(d)?;
                self.computed(one(|a| a), d, &[a]);
                Ok(())
            }
        }
    }
}

/// A field of bits, with its sign where the type has one.
fn extract(a: u64, position: u64, length: u64, ty: Type) -> u64 {
    let width = u64::from(ty.bits());
    if length == 0 {
        return 0;
    }
    // Beyond the end are copies of the sign.
    let value = number(a, ty);
    let field = (value >> position.min(127)) as u64 & low(length);
    let top = (position + length - 1).min(width - 1);
    if ty.is_signed() && a >> top & 1 == 1 { field | !low(length) } else { field }
}

/// `prmt`: bytes of two words.
fn permute(name: &Name<'_>) -> Compute {
    let pick = |a: u64, b: u64, byte: u64| ((a & 0xffff_ffff) | b << 32) >> (byte * 8) & 0xff;
    let fixed = name.one_of(&[
        ("f4e", [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]]),
        ("b4e", [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]]),
        ("rc8", [[0; 4], [1; 4], [2; 4], [3; 4]]),
        ("ecl", [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]]),
        ("ecr", [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]]),
        ("rc16", [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]]),
    ]);
    match fixed {
        // The most significant byte first.
        Some(table) => three(move |a, b, c| {
            let bytes: [u64; 4] = table[c as usize & 3];
            bytes.into_iter().fold(0, |word, byte| word << 8 | pick(a, b, byte))
        }),
        None => three(move |a, b, c| {
            (0..4).fold(0, |word, place| {
                let select = c >> (place * 4);
                let byte = pick(a, b, select & 7);
                let sign = if byte & 0x80 != 0 { 0xff } else { 0 };
                word | if select & 8 != 0 { sign } else { byte } << (place * 8)
            })
        }),
    }
}

/// `fns`: where the n-th bit that is set is.
fn nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    let base = base & 31;
    let is_set = |at: &u32| mask >> at & 1 == 1;
    let found = match offset {
        0 => Some(base).filter(is_set),
        1.. => (base..32).filter(is_set).nth(offset as usize - 1),
        _ => (0..=base).rev().filter(is_set).nth(offset.unsigned_abs() as usize - 1),
    };
    found.unwrap_or(u32::MAX)
}
