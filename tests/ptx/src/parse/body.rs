//! Bodies of functions: labels, declarations and instructions.
//!
//! An instruction is a name and operands; which ones it takes is not known here.

use super::{Linkage, Parser, Result};
use crate::lex::Token;
use crate::syntax::{Instruction, Operand, Statement, Where};
use crate::types::Type;

impl<'a> Parser<'a> {
    /// Statements up to the brace that ends the body.
    pub(super) fn body(&mut self) -> Result<Vec<Statement<'a>>> {
        let mut found = Vec::new();
        let mut depth = 0;
        loop {
            let at = self.here();
            let Some(token) = self.next() else {
                return Err(self.wrong("`}` at the end of the body", at));
            };
            match token {
                Token::Sign('{') => {
                    depth += 1;
                    found.push(Statement::Open);
                }
                Token::Sign('}') if depth == 0 => return Ok(found),
                Token::Sign('}') => {
                    depth -= 1;
                    found.push(Statement::Close);
                }
                Token::Sign(';') => {}
                Token::Sign('@') => {
                    let negated = self.take('!');
                    let guard = self.word("a predicate")?;
                    let instruction = self.instruction(Some((guard, negated)))?;
                    found.push(Statement::Instruction(instruction));
                }
                Token::Word(word) if self.is(':') => {
                    self.at += 1;
                    found.push(self.labelled(word)?);
                }
                Token::Word(word) if word.starts_with('.') => self.declared(word, &mut found)?,
                Token::Word(_) => {
                    self.at -= 1;
                    found.push(Statement::Instruction(self.instruction(None)?));
                }
                _ => return Err(self.wrong("an instruction", at)),
            }
        }
    }

    fn labelled(&mut self, label: &'a str) -> Result<Statement<'a>> {
        match self.peek() {
            Some(Token::Word(".branchtargets" | ".calltargets")) => {
                self.at += 1;
                let mut targets = Vec::new();
                loop {
                    targets.push(self.word("a label")?);
                    if !self.take(',') {
                        break;
                    }
                }
                self.expect(';')?;
                Ok(Statement::Targets(label, targets))
            }
            Some(Token::Word(".callprototype")) => {
                self.at += 1;
                Ok(Statement::Prototype(label, self.signature()?))
            }
            _ => Ok(Statement::Label(label)),
        }
    }

    fn declared(&mut self, directive: &'a str, found: &mut Vec<Statement<'a>>) -> Result<()> {
        let space = match directive {
            ".reg" => return self.registers(found),
            ".loc" => return self.location(),
            ".pragma" => {
                self.skip_to(';');
                return Ok(());
            }
            ".local" => Where::Local,
            ".shared" => Where::Shared,
            ".param" => Where::Param,
            ".global" => Where::Global,
            ".const" => Where::Const,
            _ => {
                self.at -= 1;
                return Err(self.wrong("a declaration", self.here()));
            }
        };
        let mut variables = Vec::new();
        self.variables(space, Linkage::default(), &mut variables)?;
        found.extend(variables.into_iter().map(Statement::Variable));
        Ok(())
    }

    /// `.loc 1 20 3, function_name $L__info, inlined_at 1 30 5`, which has no end of its own.
    fn location(&mut self) -> Result<()> {
        for _ in 0..3 {
            self.int("a place in a source")?;
        }
        while self.take(',') {
            match self.word("an attribute of a place")? {
                "function_name" => {
                    self.word("a label")?;
                    if self.take('+') {
                        self.int("an offset")?;
                    }
                }
                "inlined_at" => {
                    for _ in 0..3 {
                        self.int("a place in a source")?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn registers(&mut self, found: &mut Vec<Statement<'a>>) -> Result<()> {
        let mut word = self.word("a type")?;
        if matches!(word, ".v2" | ".v4") {
            return Err(self.wrong("a type that is no vector", self.here()));
        }
        word = word.trim_start_matches('.');
        let ty = Type::parse(word).ok_or_else(|| self.wrong("a type", self.here()))?;
        let mut names = Vec::new();
        loop {
            let name = self.word("a register")?;
            let count = if self.take('<') {
                let count = self.int("how many registers")? as u32;
                self.expect('>')?;
                Some(count)
            } else {
                None
            };
            names.push((name, count));
            if !self.take(',') {
                break;
            }
        }
        self.expect(';')?;
        found.push(Statement::Registers { ty, names });
        Ok(())
    }

    fn instruction(&mut self, guard: Option<(&'a str, bool)>) -> Result<Instruction<'a>> {
        let first = self.here();
        let name = self.word("an instruction")?;
        let mut operands = Vec::new();
        while !self.is(';') {
            operands.push(self.operand()?);
            if !self.take(',') {
                // The list of results of a call has a comma behind it, other lists need none.
                if !self.is(';') {
                    return Err(self.wrong("`,` or `;`", self.here()));
                }
                break;
            }
        }
        let end = self.here().start;
        self.expect(';')?;
        Ok(Instruction { line: first.line, span: (first.start, end), guard, name, operands })
    }

    fn operand(&mut self) -> Result<Operand<'a>> {
        let at = self.here();
        let mut operand = match self.next() {
            Some(Token::Word(word)) => match self.added()? {
                0 => Operand::Word(word),
                added => Operand::Offset(word, added as i64),
            },
            Some(Token::Int(value)) => Operand::Int(value),
            Some(Token::Single(bits)) => Operand::Single(bits),
            Some(Token::Double(bits)) => Operand::Double(bits),
            Some(Token::Sign('-')) => match self.next() {
                Some(Token::Int(value)) => Operand::Int(value.wrapping_neg()),
                Some(Token::Double(bits)) => Operand::Double(bits ^ 1 << 63),
                Some(Token::Single(bits)) => Operand::Single(bits ^ 1 << 31),
                _ => return Err(self.wrong("a number", at)),
            },
            Some(Token::Sign('!')) => Operand::Not(self.word("a predicate")?),
            Some(Token::Sign('[')) => {
                let base = match self.peek() {
                    Some(Token::Word(word)) => {
                        self.at += 1;
                        Some(word)
                    }
                    _ => None,
                };
                let mut offset = 0_u64;
                if base.is_none() {
                    offset = self.int("an address")?;
                }
                offset = offset.wrapping_add(self.added()?);
                // Coordinates, of textures and tensors.
                while self.take(',') {
                    self.operand()?;
                }
                self.expect(']')?;
                Operand::Memory(base, offset as i64)
            }
            Some(Token::Sign('{')) => Operand::Vector(self.operands('}')?),
            Some(Token::Sign('(')) => Operand::List(self.operands(')')?),
            _ => return Err(self.wrong("an operand", at)),
        };
        if self.take('|') {
            operand = Operand::Pair(Box::new(operand), Box::new(self.operand()?));
        }
        Ok(operand)
    }

    fn operands(&mut self, end: char) -> Result<Vec<Operand<'a>>> {
        let mut found = Vec::new();
        while !self.take(end) {
            found.push(self.operand()?);
            if !self.take(',') {
                self.expect(end)?;
                break;
            }
        }
        Ok(found)
    }
}
