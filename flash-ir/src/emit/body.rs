//! A function while it is written: its names and lines, operands that are evaluated in order, and how an
//! item is ended. What expressions and statements become is in `expr.rs` and `stmt.rs`.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Code, Level};
use super::layout::Word;
use super::module::Module;
use super::names::Names;
use super::number;
use super::ranges::Ranges;
use super::turns::Turns;
use super::writer::{Lines, Writer};
use super::{record, status, words};
use crate::interp::FaultKind;
use crate::ir::Span;
use crate::resolve::typed::{Expr, ExprKind};
use crate::ty::{ScalarTy, Ty};

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scope {
    /// Nothing: it is an item of the kernel.
    Item,
    /// This.
    Value(Ty),
}

/// Something that is evaluated before what follows it.
#[derive(Clone, Copy)]
pub(super) enum Part<'e> {
    /// An operand.
    Operand(&'e Expr),
    /// A value that parts are taken of.
    Whole(&'e Expr),
    /// An index into a small array of a length.
    Index(&'e Expr, usize, Span),
}

/// A function on the way.
pub(super) struct Body<'m, 'k> {
    pub(super) to: &'m mut Module<'k>,
    pub(super) writer: Writer,
    pub(super) names: Names,
    /// The parameters of the kernel; none in a device function.
    pub(super) params: Vec<String>,
    pub(super) locals: Vec<String>,
    pub(super) types: &'k [Ty],
    /// By local: whether it is assigned after it is made.
    pub(super) changed: Vec<bool>,
    pub(super) scope: Scope,
    /// Constants for words of the structure.
    pub(super) words: BTreeMap<Word, String>,
    /// Dimensions whose id is wanted.
    pub(super) ids: BTreeSet<u8>,
    /// Arrays whose elements of several items were read at once, and where those are.
    pub(super) packs: BTreeMap<u16, String>,
    /// Whether it notes what goes wrong.
    pub(super) notes: bool,
    /// Whether it can end the item.
    pub(super) ends: bool,
    /// Whether functions that it calls can.
    pub(super) calls_end: bool,
    /// Whether a value is needed that is returned where there is none.
    pub(super) none: bool,
    /// What is known of locals that are integers.
    pub(super) ranges: Ranges,
    pub(super) turns: Turns,
    temporaries: usize,
}

impl<'m, 'k> Body<'m, 'k> {
    pub(super) fn new(to: &'m mut Module<'k>, scope: Scope, types: &'k [Ty]) -> Self {
        let names = to.names.clone();
        Self {
            to,
            writer: Writer::default(),
            names,
            params: Vec::new(),
            locals: Vec::new(),
            types,
            changed: Vec::new(),
            scope,
            words: BTreeMap::new(),
            ids: BTreeSet::new(),
            packs: BTreeMap::new(),
            notes: false,
            ends: false,
            calls_end: false,
            none: false,
            ranges: Ranges::default(),
            turns: Turns::default(),
            temporaries: 0,
        }
    }

    /// Names the locals: the first as they are in the source, the others are the resolver's.
    pub(super) fn name_locals(&mut self, names: &[&str], count: usize) {
        let all = names.iter().copied().chain(std::iter::repeat("at")).take(count);
        self.locals = all.map(|name| self.names.value(name)).collect();
    }

    pub(super) fn complain(&mut self, span: Span, what: impl Into<String>) {
        self.to.complain(span, what);
    }

    /// The C name of a scalar.
    pub(super) fn scalar(&self, ty: ScalarTy) -> &'static str {
        self.to.dialect.scalar(ty)
    }

    /// The constant for a word.
    pub(super) fn word(&mut self, word: Word) -> String {
        if let Some(known) = self.words.get(&word) {
            return known.clone();
        }
        if self.scope != Scope::Item {
            self.complain(Span::default(), "a parameter of the kernel in a device function");
            return "0".to_owned();
        }
        let name = match word {
            Word::Value(..) => words::constant(word, &self.params),
            _ => self.names.value(&words::constant(word, &self.params)),
        };
        self.to.words.insert(word);
        self.words.insert(word, name.clone());
        name
    }

    /// A name for a value that the kernel has no name for.
    pub(super) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        self.names.value(&format!("t{}", self.temporaries))
    }

    /// Keeps a value from here on.
    pub(super) fn keep(&mut self, code: &Code) -> Code {
        if code.ty == Ty::Unit || code.is_stable && !code.has_effect && code.is_name() {
            return code.clone();
        }
        let name = self.temporary();
        let ty = self.to.ty(&code.ty, Span::default());
        self.writer.line(format!("const {ty} {name} = {};", code.text));
        Code::atom(name, code.ty)
    }

    /// As [`Body::keep`], unless it may be written twice.
    pub(super) fn keep_twice(&mut self, code: &Code) -> Code {
        if code.is_cheap() { code.clone() } else { self.keep(code) }
    }

    /// What a closure writes, a number of blocks deeper.
    pub(super) fn within<T>(
        &mut self,
        deeper: usize,
        write: impl FnOnce(&mut Self) -> T,
    ) -> (Lines, T) {
        let aside = self.writer.aside();
        self.writer.indent(deeper);
        let result = write(self);
        self.writer.dedent(deeper);
        (self.writer.taken(aside), result)
    }

    /// Evaluates parts from the first to the last. What a later one does by statements must not move
    /// before an earlier one, so that is kept.
    pub(super) fn in_order(&mut self, parts: &[Part<'_>]) -> Vec<Code> {
        let mut done: Vec<(Lines, Code)> =
            parts.iter().map(|part| self.within(0, |body| body.part(*part))).collect();
        let last = done.iter().rposition(|(lines, _)| !lines.is_empty()).unwrap_or(0);
        let mut codes = Vec::with_capacity(done.len());
        for (k, (lines, code)) in done.drain(..).enumerate() {
            self.writer.put(lines);
            let moves = k < last && (!code.is_stable || code.has_effect);
            codes.push(if moves { self.keep(&code) } else { code });
        }
        codes
    }

    fn part(&mut self, part: Part<'_>) -> Code {
        match part {
            Part::Operand(expr) => self.expr(expr),
            Part::Whole(expr) => {
                let code = self.expr(expr);
                self.keep(&code)
            }
            Part::Index(index, len, span) => {
                if let ExprKind::Scalar(bits) = index.kind
                    && bits < len as u64
                {
                    return Code::atom(bits.to_string(), index.ty);
                }
                let inside = self.ranges.end(index).is_some_and(|end| end <= len as u64);
                let code = self.expr(index);
                if inside {
                    return code;
                }
                let code = self.keep_twice(&code);
                let suffix = self.to.dialect.suffix(ScalarTy::Usize);
                let text = format!("{} >= {len}{suffix}", code.under(Level::Sum));
                self.fault_if(&text, FaultKind::Index, span);
                code
            }
        }
    }

    /// Ends the item where a condition holds.
    pub(super) fn fault_if(&mut self, condition: &str, what: FaultKind, span: Span) {
        self.fault_of(condition, &format!("{}u", status::kind(what)), span);
    }

    /// The same with an expression for the kind of the fault.
    pub(super) fn fault_of(&mut self, condition: &str, kind: &str, span: Span) {
        (self.notes, self.ends, self.to.faults) = (true, true, true);
        let name = record::FAULT;
        let Span { line, column } = span;
        self.writer.open(format!("if ({condition}) {{"));
        self.writer.line(format!("{name}(flash_record, flash_item, {kind}, {line}u, {column}u);"));
        if self.scope != Scope::Item {
            self.writer.line("*flash_ended = 1;");
        }
        let leave = self.leave();
        self.writer.line(leave);
        self.writer.close("}");
    }

    /// Ends the item where a function that was called did.
    pub(super) fn end_with(&mut self) {
        (self.notes, self.ends, self.calls_end) = (true, true, true);
        let ended = if self.scope == Scope::Item { "flash_ended" } else { "*flash_ended" };
        let leave = self.leave();
        self.writer.open(format!("if ({ended}) {{"));
        self.writer.line(leave);
        self.writer.close("}");
    }

    /// Leaves the function with nothing.
    pub(super) fn leave(&mut self) -> String {
        match self.scope {
            Scope::Item | Scope::Value(Ty::Unit) => "return;".to_owned(),
            Scope::Value(Ty::Scalar(ty)) => {
                format!("return {};", number::literal(0, ty, self.to.dialect).text)
            }
            Scope::Value(_) => {
                self.none = true;
                "return flash_none;".to_owned()
            }
        }
    }

    /// Notes an access outside of an array.
    pub(super) fn missed(&mut self, param: u16, index: &[Code]) -> String {
        (self.notes, self.to.misses) = (true, true);
        let mut text = format!("{}(flash_record, flash_item, {param}", record::MISSED);
        for dim in 0..crate::interp::MAX_ARRAY_RANK {
            text += ", ";
            text += index.get(dim).map_or("0", Code::plain);
        }
        text + ")"
    }
}
