//! Loads, stores, atomic operations, and addresses of spaces.
//!
//! Bounds are checked where they run.

use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::fault::Space;
use crate::lanes::{one, whether};
use crate::number::{self, Rounding};
use crate::program::{
    At, FUNCTION_WINDOW, Fixed, Kind, LOCAL_WINDOW, NONE, PARAM_WINDOW, SHARED_WINDOW, Update,
    WINDOWS,
};
use crate::syntax::Operand;
use crate::types::{Class, Type};
use std::sync::Arc;

const SPACES: &[(&str, Space)] = &[
    ("global", Space::Global),
    ("const", Space::Const),
    ("shared", Space::Shared),
    ("local", Space::Local),
    ("param", Space::Param),
];

fn space(name: &Name<'_>) -> Space {
    name.one_of(SPACES).unwrap_or(Space::Generic)
}

/// The bytes of a value in memory.
fn bytes(ty: Type) -> Answer<u8> {
    match ty.bytes() {
        bytes @ (1 | 2 | 4 | 8) => Ok(bytes as u8),
        _ => Err(Trouble::Refused(format!("values of {} bits in memory", ty.bits()))),
    }
}

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn load(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        let bytes = bytes(ty)?;
        let [d, from, ..] = ops else {
            return Err(Trouble::Wrong("it has too few operands".to_owned()));
        };
        let at = self.at(from, space(name))?;
        let elements = Self::elements(d);
        if elements.len() != name.lanes() {
            return Err(Trouble::Wrong(format!("it loads {} elements", name.lanes())));
        }
        let signed = ty.is_signed();
        if at.space == Space::Param
            && let Fixed::Value(base) = self.fixed_of(at.base)
        {
            // Parameters are known before the first thread runs.
            for (d, number) in elements.iter().zip(0..) {
                let offset = base.wrapping_add(at.offset) as usize + number * bytes as usize;
                let a = self.build.fixed(Fixed::Param { offset, bytes, signed });
                let d = self.written(d)?;
                self.computed(one(|a| a), d, &[a]);
            }
            return Ok(());
        }
        let d = elements.iter().map(|d| self.written(d)).collect::<Answer<_>>()?;
        let polls = name.has("volatile") || name.has("acquire") || name.has("relaxed");
        self.emit(Kind::Load { at, bytes, signed, d, polls });
        Ok(())
    }

    /// What a register holds, if it is known.
    fn fixed_of(&self, register: u32) -> Fixed {
        match register & super::FIXED {
            0 => Fixed::Frame,
            _ => self.build.fixed[(register & !super::FIXED) as usize],
        }
    }

    pub(super) fn store(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        let bytes = bytes(ty)?;
        let [to, from, ..] = ops else {
            return Err(Trouble::Wrong("it has too few operands".to_owned()));
        };
        if name.has("async") || name.has("bulk") {
            return self.refuse(name);
        }
        let at = self.at(to, space(name))?;
        let elements = Self::elements(from);
        if elements.len() != name.lanes() {
            return Err(Trouble::Wrong(format!("it stores {} elements", name.lanes())));
        }
        let s = elements.iter().map(|s| self.from(s, ty)).collect::<Answer<_>>()?;
        self.emit(Kind::Store { at, bytes, s });
        Ok(())
    }

    pub(super) fn atomic(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let ty = self.ty(name)?;
        let bytes = bytes(ty)?;
        if name.has("async") || bytes == 1 {
            return self.refuse(name);
        }
        let Some(f) = update(name, ty) else { return self.refuse(name) };
        let (d, to, operands) = match (name.op, ops) {
            ("atom", [d, to, operands @ ..]) => (Some(d), to, operands),
            ("red", [to, operands @ ..]) => (None, to, operands),
            _ => return Err(Trouble::Wrong("it has too few operands".to_owned())),
        };
        let at = self.at(to, space(name))?;
        let (Some(b), c) = (operands.first(), operands.get(1)) else {
            return Err(Trouble::Wrong("it has too few operands".to_owned()));
        };
        let elements = Self::elements(b);
        for (number, b) in elements.iter().enumerate() {
            let b = self.from(b, ty)?;
            let c = match c {
                Some(c) => self.from(c, ty)?,
                None => NONE,
            };
            let d = match d.and_then(|d| Self::elements(d).get(number)) {
                Some(d) => self.written(d)?,
                None => NONE,
            };
            let offset = at.offset.wrapping_add(number as u64 * u64::from(bytes));
            let f = f.clone();
            self.emit(Kind::Atomic { at: At { offset, ..at }, bytes, f, d, b, c });
        }
        Ok(())
    }

    /// Generic addresses of spaces, and back.
    pub(super) fn space(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        // A block is all of its cluster.
        if name.op == "mapa" {
            let [d, a, _] = self.operands(ops)?;
            let (a, d) = (self.from(a, Type::B(64))?, self.written(d)?);
            self.computed(one(|a| a), d, &[a]);
            return Ok(());
        }
        let space = space(name);
        let window = match space {
            Space::Shared => SHARED_WINDOW,
            Space::Local => LOCAL_WINDOW,
            Space::Param => PARAM_WINDOW,
            _ => 0,
        };
        if name.op == "isspacep" {
            let [d, a] = self.operands(ops)?;
            let (a, d) = (self.from(a, Type::B(64))?, self.written_predicate(d)?);
            let f = whether(move |a, _| {
                a & WINDOWS == window || window == 0 && a & WINDOWS >= FUNCTION_WINDOW
            });
            self.emit(Kind::Compare { f, d, e: NONE, s: [a, a], with: None });
            return Ok(());
        }
        let f = match (window, name.has("to")) {
            (0, _) => one(|a| a),
            (_, true) => one(move |a| a.wrapping_sub(window)),
            (_, false) => one(move |a| a.wrapping_add(window)),
        };
        self.compute(f, ops, Type::B(64))
    }

    /// `cp.async`, which is over when it is asked for.
    pub(super) fn copy(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        if name.has("bulk") || name.has("reduce") || name.has("mbarrier") || !name.has("async") {
            return self.refuse(name);
        }
        if name.has("commit_group") || name.has("wait_group") || name.has("wait_all") {
            self.emit(Kind::Nothing);
            return Ok(());
        }
        let [to, from, Operand::Int(bytes), rest @ ..] = ops else {
            return Err(Trouble::Wrong("it takes two places and a number of bytes".to_owned()));
        };
        let (to, from) = (self.at(to, Space::Shared)?, self.at(from, Space::Global)?);
        let present = match rest.first() {
            Some(bytes) => self.from(bytes, Type::B(32))?,
            None => self.value(*bytes),
        };
        self.emit(Kind::Copy { to, from, bytes: *bytes as u32, present });
        Ok(())
    }
}

/// What an atomic instruction makes of what is there and its operands.
fn update(name: &Name<'_>, ty: Type) -> Option<Update> {
    let bits = ty.bits();
    let cut = move |value: u64| if bits == 64 { value } else { value & ((1 << bits) - 1) };
    let signed = move |value| super::integer::number(value, ty);
    if ty.class() == Class::Float {
        return float_update(name, ty);
    }
    Some(if name.has("add") {
        Arc::new(move |old, b, _| cut(old.wrapping_add(b)))
    } else if name.has("exch") {
        Arc::new(move |_, b, _| cut(b))
    } else if name.has("cas") {
        Arc::new(move |old, b, c| if old == cut(b) { cut(c) } else { old })
    } else if name.has("and") {
        Arc::new(move |old, b, _| old & cut(b))
    } else if name.has("or") {
        Arc::new(move |old, b, _| old | cut(b))
    } else if name.has("xor") {
        Arc::new(move |old, b, _| old ^ cut(b))
    } else if name.has("min") {
        Arc::new(move |old, b, _| cut(if signed(b) < signed(old) { b } else { old }))
    } else if name.has("max") {
        Arc::new(move |old, b, _| cut(if signed(b) > signed(old) { b } else { old }))
    } else if name.has("inc") {
        Arc::new(move |old, b, _| if old >= cut(b) { 0 } else { old + 1 })
    } else if name.has("dec") {
        Arc::new(move |old, b, _| if old == 0 || old > cut(b) { cut(b) } else { old - 1 })
    } else {
        return None;
    })
}

fn float_update(name: &Name<'_>, ty: Type) -> Option<Update> {
    let format = ty.format()?;
    let f: fn(u64, u64, number::Format) -> u64 = if name.has("add") {
        |a, b, format| match format {
            number::F32 => {
                let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
                number::from_f32(sum).into()
            }
            number::F64 => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
            _ => number::add(a, b, format, Rounding::Nearest),
        }
    } else if name.has("min") {
        |a, b, format| number::min(a, b, format, false)
    } else if name.has("max") {
        |a, b, format| number::max(a, b, format, false)
    } else if name.has("exch") {
        |_, b, _| b
    } else {
        return None;
    };
    if ty.is_pair() {
        return Some(Arc::new(move |a, b, _| {
            let half = |at: u32| f(a >> at & 0xffff, b >> at & 0xffff, format);
            half(0) | half(16) << 16
        }));
    }
    let all = format.sign() | (format.sign() - 1);
    Some(Arc::new(move |a, b, _| f(a, b & all, format)))
}

/// What `redux` makes of two lanes.
pub(super) fn reduction(name: &Name<'_>, ty: Type) -> Option<Update> {
    update(name, ty)
}
