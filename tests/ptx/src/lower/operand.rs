//! Operands: which register, predicate or place each of them is.
//!
//! What is done with them is for the instructions.

use super::names::{is_clock, special};
use super::unit::{Body, Symbol};
use super::{Answer, Trouble};
use crate::fault::Space;
use crate::lanes::Reg;
use crate::program::{At, Condition, FUNCTION_WINDOW, Fixed, Kind, Logic, NONE, Pred};
use crate::syntax::{Operand, Where};
use crate::types::Type;

fn wrong<T>(what: String) -> Answer<T> {
    Err(Trouble::Wrong(what))
}

impl<'a> Body<'_, '_, '_, 'a> {
    /// The register that holds these bits.
    pub(super) fn value(&mut self, bits: u64) -> Reg {
        self.build.fixed(Fixed::Value(bits))
    }

    /// The register to write.
    pub(super) fn written(&mut self, operand: &Operand<'a>) -> Answer<Reg> {
        match operand {
            Operand::Word("_") => Ok(self.scratch()),
            Operand::Word(name) => match self.symbol(name) {
                Some(Symbol::Register(number)) => Ok(number),
                _ => wrong(format!("there is no register `{name}`")),
            },
            other => wrong(format!("{other:?} is no register to write")),
        }
    }

    /// The predicate to write; `NONE` for `_`.
    pub(super) fn written_predicate(&mut self, operand: &Operand<'a>) -> Answer<Pred> {
        match operand {
            Operand::Word("_") => Ok(NONE),
            Operand::Word(name) => self.predicate(name),
            other => wrong(format!("{other:?} is no predicate to write")),
        }
    }

    /// `d|p`, or `d` alone.
    pub(super) fn written_both(&mut self, operand: &Operand<'a>) -> Answer<(Reg, Pred)> {
        match operand {
            Operand::Pair(d, p) => Ok((self.written(d)?, self.written_predicate(p)?)),
            d => Ok((self.written(d)?, NONE)),
        }
    }

    /// A predicate that is read.
    pub(super) fn condition(&mut self, operand: &Operand<'a>) -> Answer<Condition> {
        match operand {
            Operand::Word(name) => Ok(Condition { pred: self.predicate(name)?, negated: false }),
            Operand::Not(name) => Ok(Condition { pred: self.predicate(name)?, negated: true }),
            Operand::Int(value) => {
                // It is written here, as its slot is that of others before and after, in earlier calls too.
                let pred = self.scratch_predicate();
                let [a, b] = [false, true].map(|negated| Condition { pred, negated });
                self.emit(Kind::Logic { f: Logic::And, d: pred, a, b });
                Ok(Condition { pred, negated: *value != 0 })
            }
            other => wrong(format!("{other:?} is no predicate")),
        }
    }

    /// The register that is read as a value of this type.
    pub(super) fn from(&mut self, operand: &Operand<'a>, ty: Type) -> Answer<Reg> {
        Ok(match operand {
            Operand::Int(value) => {
                let bits = match ty {
                    Type::F32 => (*value as i64 as f32).to_bits().into(),
                    Type::F64 => (*value as i64 as f64).to_bits(),
                    _ => *value,
                };
                self.value(bits)
            }
            Operand::Single(bits) => match ty {
                Type::F64 => self.value(f64::from(f32::from_bits(*bits)).to_bits()),
                _ => self.value((*bits).into()),
            },
            Operand::Double(bits) => match ty {
                Type::F32 => self.value((f64::from_bits(*bits) as f32).to_bits().into()),
                _ => self.value(*bits),
            },
            Operand::Word(name) => self.named(name, 0)?,
            Operand::Offset(name, add) => self.named(name, *add as u64)?,
            other => return wrong(format!("{other:?} is no value")),
        })
    }

    /// The register that holds what this name stands for: its value, or its address.
    fn named(&mut self, name: &'a str, add: u64) -> Answer<Reg> {
        if let Some(symbol) = self.symbol(name) {
            return Ok(match symbol {
                Symbol::Register(number) if add == 0 => number,
                Symbol::Shared(offset) => self.value(u64::from(offset).wrapping_add(add)),
                Symbol::Dynamic => self.build.fixed(Fixed::Dynamic(add)),
                Symbol::Param(offset) => self.value(u64::from(offset).wrapping_add(add)),
                Symbol::Local { offset, .. } => {
                    let d = self.scratch();
                    let frame = self.build.fixed(Fixed::Frame);
                    let offset = u64::from(offset).wrapping_add(add);
                    let f = crate::lanes::one(move |frame| frame.wrapping_add(offset));
                    self.emit(Kind::Compute { f, d, s: [frame, NONE, NONE] });
                    d
                }
                _ => return wrong(format!("`{name}` is no value")),
            });
        }
        if is_clock(name) {
            let d = self.scratch();
            self.emit(Kind::Clock { d });
            return Ok(d);
        }
        if let Some(found) = special(name) {
            return Ok(match found {
                Ok(register) => self.build.fixed(Fixed::Special(register)),
                Err(bits) => self.value(bits),
            });
        }
        if let Some((_, place)) = self.module_variable(name) {
            return Ok(match place {
                Fixed::Global(number, _) => self.build.fixed(Fixed::Global(number, add)),
                Fixed::Value(offset) => self.value(offset.wrapping_add(add)),
                Fixed::Dynamic(_) => self.build.fixed(Fixed::Dynamic(add)),
                other => self.build.fixed(other),
            });
        }
        if let Some(&number) = self.build.scope.functions.get(name) {
            self.build.want(number);
            return Ok(self.value(FUNCTION_WINDOW + number as u64));
        }
        if name.starts_with('%') && name.len() > 4 && !name.ends_with(|c: char| c.is_ascii_digit())
        {
            return Err(Trouble::Refused(format!("the register `{name}`")));
        }
        wrong(format!("there is no `{name}`"))
    }

    /// A variable of the module, its space, and where it is.
    fn module_variable(&mut self, name: &'a str) -> Option<(Space, Fixed)> {
        let tree = self.build.scope.tree;
        if let Some(&number) = self.build.scope.globals.get(name) {
            return Some((Space::Global, Fixed::Global(number, 0)));
        }
        let variable = tree.variables.iter().find(|it| it.name == name)?;
        if variable.space != Where::Shared {
            return None;
        }
        if variable.external || variable.size == 0 {
            self.build.dynamic_align = self.build.dynamic_align.max(variable.align as u32);
            return Some((Space::Shared, Fixed::Dynamic(0)));
        }
        let offset = match self.build.shared.get(name) {
            Some(&offset) => offset,
            None => {
                let offset = self.build.place_shared(variable.size, variable.align);
                self.build.shared.insert(name, offset);
                offset
            }
        };
        Some((Space::Shared, Fixed::Value(offset.into())))
    }

    /// `[base + offset]` in a space.
    pub(super) fn at(&mut self, operand: &Operand<'a>, space: Space) -> Answer<At> {
        let Operand::Memory(base, offset) = operand else {
            return wrong(format!("{operand:?} is no place in memory"));
        };
        let offset = *offset as u64;
        let Some(name) = base else {
            return Ok(At { space, base: self.value(0), offset });
        };
        match self.symbol(name) {
            Some(Symbol::Local { offset: at, .. }) => {
                let base = self.build.fixed(Fixed::Frame);
                let offset = offset.wrapping_add(at.into());
                return Ok(At { space: Space::Local, base, offset });
            }
            Some(Symbol::Register(base)) => {
                // What a function calls parameters is in its frame.
                let of_frame = space == Space::Param && !self.function.entry;
                let space = if of_frame { Space::Local } else { space };
                return Ok(At { space, base, offset });
            }
            Some(Symbol::Shared(_) | Symbol::Dynamic) if space == Space::Generic => {
                let base = self.named(name, 0)?;
                return Ok(At { space: Space::Shared, base, offset });
            }
            _ => {}
        }
        let base = self.named(name, 0)?;
        let found = match self.module_variable(name) {
            Some((found, _)) if space == Space::Generic => found,
            _ => space,
        };
        Ok(At { space: found, base, offset })
    }

    /// The elements of a vector, or the operand itself.
    pub(super) fn elements<'o>(operand: &'o Operand<'a>) -> &'o [Operand<'a>] {
        match operand {
            Operand::Vector(elements) => elements,
            other => std::slice::from_ref(other),
        }
    }
}
