//! Jumps, calls and ends.
//!
//! Jumps are to labels here; `flow` makes them jumps to operations.

use super::names::Name;
use super::unit::{Body, Symbol, signature};
use super::{Answer, Trouble, frame_of};
use crate::fault::Space;
use crate::program::{At, Call, FUNCTION_WINDOW, Fixed, Kind, Passed};
use crate::syntax::{Instruction, Operand, Signature};
use crate::types::Type;

fn wrong<T>(what: String) -> Answer<T> {
    Err(Trouble::Wrong(what))
}

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn control(&mut self, name: &Name<'a>, it: &Instruction<'a>) -> Answer<()> {
        let kind = match name.op {
            "bra" => match &it.operands[..] {
                [Operand::Word(label)] => Kind::Jump { to: self.label(label)? },
                _ => return wrong("it takes a label".to_owned()),
            },
            "brx" => {
                let [index, Operand::Word(list)] = &it.operands[..] else {
                    return wrong("it takes a register and a list of labels".to_owned());
                };
                let Some(labels) = self.targets.get(list).cloned() else {
                    return wrong(format!("there is no list `{list}`"));
                };
                let to = labels.iter().map(|it| self.label(it)).collect::<Answer<_>>()?;
                Kind::JumpTable { to, index: self.from(index, Type::B(32))? }
            }
            "call" => return self.call(it),
            "ret" if self.function.entry => Kind::Exit,
            "ret" => Kind::Return,
            "exit" => Kind::Exit,
            _ => Kind::Trap,
        };
        self.emit(kind);
        Ok(())
    }

    fn label(&self, name: &str) -> Answer<u32> {
        match self.symbol(name) {
            Some(Symbol::Label(number)) => Ok(number as u32),
            _ => wrong(format!("there is no label `{name}`")),
        }
    }

    fn call(&mut self, it: &Instruction<'a>) -> Answer<()> {
        let mut ops = &it.operands[..];
        let mut results: &[Operand<'a>] = &[];
        let mut arguments: &[Operand<'a>] = &[];
        if let [Operand::List(found), rest @ ..] = ops {
            (results, ops) = (found, rest);
        }
        let [Operand::Word(callee), rest @ ..] = ops else {
            return wrong("it names no function".to_owned());
        };
        ops = rest;
        if let [Operand::List(found), rest @ ..] = ops {
            (arguments, ops) = (found, rest);
        }
        let callee: &'a str = callee;
        if let Some(Symbol::Register(register)) = self.symbol(callee) {
            let signature = match ops {
                [Operand::Word(prototype)] => self.prototypes.get(prototype).cloned(),
                _ => None,
            };
            let Some(signature) = signature else {
                return wrong("a call by address needs a prototype".to_owned());
            };
            self.build.want_addressed();
            return self.call_of(Err(register), &signature, results, arguments);
        }
        let Some(&number) = self.build.scope.functions.get(callee) else {
            return wrong(format!("there is no function `{callee}`"));
        };
        let function = &self.build.scope.tree.functions[number];
        if function.body.is_some() {
            self.build.want(number);
            return self.call_of(Ok(number), &signature(function), results, arguments);
        }
        if callee == "__assertfail"
            && let [condition, file, line, of, ..] = arguments
        {
            let mut params = [0; 4];
            for (param, argument) in params.iter_mut().zip([condition, file, line, of]) {
                *param = self.passed(argument, 8)?;
            }
            self.emit(Kind::Assert { params });
            return Ok(());
        }
        self.external(callee, &signature(function), results, arguments)
    }

    /// Whoever has the memory may have the function as well.
    fn external(
        &mut self,
        callee: &str,
        signature: &Signature,
        results: &[Operand<'a>],
        arguments: &[Operand<'a>],
    ) -> Answer<()> {
        let mut sizes = signature.params.iter().chain(&signature.results);
        if results.len() > 1 || sizes.any(|(size, _)| *size > 8) {
            let what = "which the module does not define";
            return Err(Trouble::Refused(format!("a call of `{callee}`, {what}")));
        }
        let mut params = Vec::new();
        for (argument, &(size, _)) in arguments.iter().zip(&signature.params) {
            params.push((self.passed(argument, size)?, size as u32));
        }
        let result = match (results, &signature.results[..]) {
            ([Operand::Word(name)], [(size, _)]) => match self.symbol(name) {
                Some(Symbol::Local { offset, .. }) => Some((offset, *size as u32)),
                _ => return wrong(format!("`{name}` is no variable")),
            },
            _ => None,
        };
        self.emit(Kind::External { name: callee.into(), params: params.into(), result });
        Ok(())
    }

    fn call_of(
        &mut self,
        to: std::result::Result<usize, u32>,
        signature: &Signature,
        results: &[Operand<'a>],
        arguments: &[Operand<'a>],
    ) -> Answer<()> {
        if results.len() != signature.results.len() || arguments.len() != signature.params.len() {
            return wrong("the function takes other parameters or has other results".to_owned());
        }
        let (result_places, param_places, _) = frame_of(&signature.results, &signature.params);
        let mut call =
            Call { to, arguments: Vec::new(), results: Vec::new(), frame: 0, saved: None };
        for ((argument, &callee), &(size, _)) in
            arguments.iter().zip(&param_places).zip(&signature.params)
        {
            let caller = self.passed(argument, size)?;
            call.arguments.push(Passed { caller, callee, bytes: size as u32 });
        }
        // A result in a register is loaded from where it is passed.
        let mut loads = Vec::new();
        for ((result, &callee), &(size, _)) in
            results.iter().zip(&result_places).zip(&signature.results)
        {
            let caller = match result {
                Operand::Word(name) => match self.symbol(name) {
                    Some(Symbol::Local { offset, .. }) => offset,
                    _ => {
                        let offset = self.room(size);
                        loads.push((self.written(result)?, offset, size));
                        offset
                    }
                },
                _ => return wrong("a result is no variable".to_owned()),
            };
            call.results.push(Passed { caller, callee, bytes: size as u32 });
        }
        self.emit(Kind::Call(Box::new(call)));
        for (d, offset, size) in loads {
            let base = self.build.fixed(Fixed::Frame);
            let at = At { space: Space::Local, base, offset: offset.into() };
            let d = Box::new([d]);
            self.emit(Kind::Load { at, bytes: size as u8, signed: false, d, polls: false });
        }
        Ok(())
    }

    /// Where in the frame an argument is, after it was put there if it is a value.
    fn passed(&mut self, argument: &Operand<'a>, size: usize) -> Answer<u32> {
        if let Operand::Word(name) = argument
            && let Some(Symbol::Local { offset, size: has }) = self.symbol(name)
        {
            if (has as usize) < size && size != 8 {
                return wrong(format!("`{name}` has {has} bytes, not {size}"));
            }
            return Ok(offset);
        }
        let ty = Type::B(8 * size.min(8) as u32);
        let s = Box::new([self.from(argument, ty)?]);
        let offset = self.room(size);
        let base = self.build.fixed(Fixed::Frame);
        let at = At { space: Space::Local, base, offset: offset.into() };
        self.emit(Kind::Store { at, bytes: size.min(8) as u8, s });
        Ok(offset)
    }

    /// Bytes of the frame that the text does not have.
    fn room(&mut self, size: usize) -> u32 {
        let offset = self.unit.frame.next_multiple_of(16);
        self.unit.frame = offset + size as u32;
        offset
    }
}

/// The number of a function, by its address.
pub(crate) fn function_at(address: u64) -> Option<usize> {
    usize::try_from(address.checked_sub(FUNCTION_WINDOW)?).ok()
}
