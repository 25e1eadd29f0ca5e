//! Which group an instruction belongs to, and what most groups share.
//!
//! The groups are modules of their own.

use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::lanes::{Compute, Reg};
use crate::program::{Kind, NONE};
use crate::syntax::{Instruction, Operand};
use crate::types::{Class, Type};

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn instruction(&mut self, it: &Instruction<'a>) -> Answer<()> {
        let name = Name::new(it.name);
        let ops = &it.operands[..];
        let float = name.types.last().is_some_and(|ty| ty.class() == Class::Float);
        match name.op {
            "add" | "sub" | "mul" | "mad" | "fma" | "div" | "min" | "max" | "abs" | "neg"
                if float =>
            {
                self.float(&name, ops)
            }
            "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" | "copysign" => {
                self.float(&name, ops)
            }
            "fma" => self.float(&name, ops),
            "add" | "sub" | "mul" | "mad" | "mul24" | "mad24" | "div" | "rem" | "abs" | "neg"
            | "min" | "max" | "sad" | "addc" | "subc" | "madc" => self.integer(&name, ops),
            "popc" | "clz" | "bfind" | "brev" | "bfe" | "bfi" | "fns" | "dp4a" | "dp2a"
            | "szext" | "bmsk" | "and" | "or" | "xor" | "not" | "cnot" | "lop3" | "shl" | "shr"
            | "shf" | "prmt" => self.bits(&name, ops),
            "mov" => self.mov(&name, ops),
            "cvt" => self.cvt(&name, ops),
            "set" | "setp" | "selp" | "slct" | "testp" => self.comparison(&name, ops),
            "ld" | "ldu" => self.load(&name, ops),
            "st" => self.store(&name, ops),
            "atom" | "red" => self.atomic(&name, ops),
            "cvta" | "isspacep" | "mapa" => self.space(&name, ops),
            "cp" => self.copy(&name, ops),
            "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" => self.control(&name, it),
            "bar" | "barrier" | "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => {
                self.warp(&name, ops)
            }
            "nanosleep" => {
                self.emit(Kind::Pause);
                Ok(())
            }
            "membar" | "fence" | "prefetch" | "prefetchu" | "griddepcontrol" | "pmevent"
            | "discard" | "applypriority" | "setmaxnreg" => {
                self.emit(Kind::Nothing);
                Ok(())
            }
            _ => self.refuse(&name),
        }
    }

    pub(super) fn refuse(&self, name: &Name<'_>) -> Answer<()> {
        let suffixes: String = name.suffixes.iter().map(|it| format!(".{it}")).collect();
        Err(Trouble::Refused(format!("the instruction `{}{suffixes}`", name.op)))
    }

    /// The type that the last suffix with one names.
    pub(super) fn ty(&self, name: &Name<'_>) -> Answer<Type> {
        match name.types.last() {
            Some(ty) => Ok(*ty),
            None => Err(Trouble::Wrong("it names no type".to_owned())),
        }
    }

    /// Exactly so many operands.
    pub(super) fn operands<'o, const N: usize>(
        &self,
        ops: &'o [Operand<'a>],
    ) -> Answer<&'o [Operand<'a>; N]> {
        ops.try_into()
            .map_err(|_| Trouble::Wrong(format!("it takes {N} operands, not {}", ops.len())))
    }

    /// `d = f(sources)`, all of one type.
    pub(super) fn compute(&mut self, f: Compute, ops: &[Operand<'a>], ty: Type) -> Answer<()> {
        let Some((d, sources)) = ops.split_first() else {
            return Err(Trouble::Wrong("it has no operands".to_owned()));
        };
        let mut s = [NONE; 3];
        if sources.len() > s.len() {
            return Err(Trouble::Wrong(format!("it has {} operands", ops.len())));
        }
        for (s, source) in s.iter_mut().zip(sources) {
            *s = self.from(source, ty)?;
        }
        let d = self.written(d)?;
        self.emit(Kind::Compute { f, d, s });
        Ok(())
    }

    /// `d = f(s)`
    pub(super) fn computed(&mut self, f: Compute, d: Reg, s: &[Reg]) {
        let mut sources = [NONE; 3];
        sources[..s.len()].copy_from_slice(s);
        self.emit(Kind::Compute { f, d, s: sources });
    }
}
