//! Variables and parameters: their types, sizes and what they hold at first.
//!
//! Where they are placed is decided elsewhere.

use super::{Linkage, Parser, Result};
use crate::lex::Token;
use crate::syntax::{Initial, Signature, Variable, Where};
use crate::types::Type;

impl<'a> Parser<'a> {
    /// The variables of a declaration, behind the directive of their space.
    pub(super) fn variables(
        &mut self,
        space: Where,
        linkage: Linkage,
        found: &mut Vec<Variable<'a>>,
    ) -> Result<()> {
        let (align, ty, lanes) = self.of_type()?;
        loop {
            let mut variable = self.variable(space, align, ty, lanes)?;
            variable.external = linkage.external;
            if self.take('=') {
                self.initial(&mut variable)?;
            }
            found.push(variable);
            if !self.take(',') {
                break;
            }
        }
        self.expect(';')
    }

    /// `(.param .b32 a, ..)`
    pub(super) fn params(&mut self) -> Result<Vec<Variable<'a>>> {
        self.expect('(')?;
        let mut found = Vec::new();
        while !self.take(')') {
            let at = self.here();
            // `.reg` parameters are those of old texts; they are places as well.
            if !matches!(self.next(), Some(Token::Word(".param" | ".reg"))) {
                return Err(self.wrong("`.param`", at));
            }
            let (align, ty, lanes) = self.of_type()?;
            found.push(self.variable(Where::Param, align, ty, lanes)?);
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(found)
    }

    /// A signature behind `.callprototype`, where parameters have names of no meaning.
    pub(super) fn signature(&mut self) -> Result<Signature> {
        let mut signature = Signature::default();
        let sizes = |found: Vec<Variable<'_>>| found.iter().map(|it| (it.size, it.align)).collect();
        if self.is('(') {
            signature.results = sizes(self.params()?);
        }
        self.word("the name of a prototype")?;
        if self.is('(') {
            signature.params = sizes(self.params()?);
        }
        self.skip_to(';');
        Ok(signature)
    }

    /// `.align 4 .v2 .f32 .ptr .global .align 4`
    fn of_type(&mut self) -> Result<(usize, Type, usize)> {
        let (mut align, mut ty, mut lanes) = (0, None, 1);
        while let Some(Token::Word(word)) = self.peek() {
            let Some(name) = word.strip_prefix('.') else { break };
            self.at += 1;
            match name {
                "align" => {
                    let bytes = self.int("a number of bytes")? as usize;
                    // Behind `.ptr` it is that of what is pointed at.
                    if ty.is_none() {
                        align = bytes;
                    }
                }
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "v8" => lanes = 8,
                "ptr" | "global" | "shared" | "local" | "const" | "attribute" | "managed" => {}
                _ => match Type::parse(name) {
                    Some(found) => ty = Some(found),
                    None => {
                        self.at -= 1;
                        return Err(self.wrong("a type", self.here()));
                    }
                },
            }
            if name == "attribute" {
                self.skip_to(')');
            }
        }
        let ty = ty.ok_or_else(|| self.wrong("a type", self.here()))?;
        Ok((align, ty, lanes))
    }

    fn variable(
        &mut self,
        space: Where,
        align: usize,
        ty: Type,
        lanes: usize,
    ) -> Result<Variable<'a>> {
        let line = self.here().line;
        let name = self.word("the name of a variable")?;
        let mut size = ty.bytes() * lanes;
        let natural = size;
        while self.take('[') {
            let len = if self.is(']') { 0 } else { self.int("a length")? as usize };
            size = size.saturating_mul(len);
            self.expect(']')?;
        }
        let align = if align == 0 { natural } else { align };
        let initial = Vec::new();
        Ok(Variable { line, space, name, align, ty, size, external: false, initial })
    }

    /// What stands behind `=`.
    fn initial(&mut self, variable: &mut Variable<'a>) -> Result<()> {
        let mut depth = 0;
        loop {
            let at = self.here();
            let mut negative = false;
            while self.take('-') {
                negative = !negative;
            }
            let element = match self.next() {
                Some(Token::Sign('{')) => {
                    depth += 1;
                    continue;
                }
                Some(Token::Sign('}')) if depth > 0 => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                    self.take(',');
                    continue;
                }
                Some(Token::Int(value)) => {
                    Initial::Bits(if negative { value.wrapping_neg() } else { value })
                }
                Some(Token::Single(bits)) if variable.ty == Type::F64 => {
                    Initial::Bits(f64::from(f32::from_bits(bits)).to_bits())
                }
                Some(Token::Single(bits)) => Initial::Bits(bits.into()),
                Some(Token::Double(bits)) if variable.ty == Type::F32 => {
                    Initial::Bits((f64::from_bits(bits) as f32).to_bits().into())
                }
                Some(Token::Double(bits)) => Initial::Bits(bits),
                Some(Token::Word("generic")) => {
                    self.expect('(')?;
                    let name = self.word("the name of a variable")?;
                    let inner = self.added()?;
                    self.expect(')')?;
                    Initial::Address(name, inner.wrapping_add(self.added()?))
                }
                Some(Token::Word(name)) => Initial::Address(name, self.added()?),
                _ => return Err(self.wrong("what the variable holds", at)),
            };
            variable.initial.push(element);
            if depth == 0 {
                break;
            }
            self.take(',');
        }
        // An array without a length has that of what it holds.
        if variable.size == 0 {
            variable.size = variable.initial.len() * variable.ty.bytes();
        }
        Ok(())
    }

    /// `+ 8`, or nothing.
    pub(super) fn added(&mut self) -> Result<u64> {
        let mut sum = 0_u64;
        loop {
            let mut negative = match self.peek() {
                Some(Token::Sign('+')) => false,
                Some(Token::Sign('-')) => true,
                _ => return Ok(sum),
            };
            self.at += 1;
            while self.take('-') {
                negative = !negative;
            }
            let value = self.int("an offset")?;
            sum = if negative { sum.wrapping_sub(value) } else { sum.wrapping_add(value) };
        }
    }
}
