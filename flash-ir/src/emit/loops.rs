//! Loops. A range is counted so that no number overflows on the way, whatever its bounds; the plain `for`
//! of C is written where that is clear.

use super::body::{Body, Part};
use super::code::{Code, Level};
use super::expr::scalar;
use super::{number, operator};
use crate::interp::FaultKind;
use crate::ir::{BinOp, Span};
use crate::resolve::typed::{Block, Expr, ExprKind};
use crate::ty::{ScalarTy, Ty};

/// What a loop counts.
pub(super) struct Range<'e> {
    pub(super) local: u16,
    pub(super) lo: &'e Expr,
    pub(super) hi: &'e Expr,
    pub(super) inclusive: bool,
    pub(super) rev: bool,
    pub(super) step: Option<&'e Expr>,
}

/// Whether a bound is a number above the least of any type.
fn is_natural(bound: &Expr) -> bool {
    matches!(bound.kind, ExprKind::Scalar(0..128))
}

impl Body<'_, '_> {
    /// `while`
    pub(super) fn repeated(&mut self, cond: &Expr, body: &Block) {
        let (lines, code) = self.within(1, |body| body.expr(cond));
        let always = matches!(cond.kind, ExprKind::Scalar(1));
        if always || !lines.is_empty() {
            self.writer.open("for (;;) {");
            self.writer.put(lines);
            if !always {
                self.writer.open(format!("if (!{}) {{", code.under(Level::Atom)));
                self.writer.line("break;");
                self.writer.close("}");
            }
        } else {
            self.writer.open(format!("while ({}) {{", code.text));
        }
        self.block(body);
        self.writer.close("}");
    }

    /// `for`
    pub(super) fn counted(&mut self, range: Range<'_>, body: &Block, span: Span) {
        let local = usize::from(range.local);
        let ty = self.types.get(local).and_then(scalar);
        let Some(ty) = ty.filter(|ty| !ty.is_float() && *ty != ScalarTy::Bool) else {
            return self.complain(span, "a loop variable that is no integer");
        };
        let name = self.locals.get(local).cloned().unwrap_or_default();
        let changed = self.changed.get(local).copied().unwrap_or(true);
        if !changed && (!ty.is_signed() || is_natural(range.lo)) {
            let end = self.ranges.end(range.hi);
            // The bound itself is taken, or at most what comes before it.
            self.ranges.is_below(
                range.local,
                if range.inclusive { end } else { end.map(|end| end.saturating_sub(1)) },
            );
        }
        let mut parts = vec![Part::Operand(range.lo), Part::Operand(range.hi)];
        parts.extend(range.step.map(Part::Operand));
        let mut codes = self.in_order(&parts);
        let step = if range.step.is_some() { codes.pop() } else { None };
        for code in &mut codes {
            // Before the stride is looked at.
            *code = if code.has_effect { self.keep(code) } else { code.clone() };
        }
        let step = step.map(|step| self.step(&step, range.step, span));
        let by_one = step.as_ref().is_none_or(|step| step.text == "1ul" || step.text == "1ull");
        let [lo, hi] = &codes[..] else { return };
        let hi = self.keep_range(hi);
        let of = self.scalar(ty);
        if by_one && !range.inclusive && !changed && !range.rev {
            let (lo, hi) = (&lo.text, hi.under(Level::Sum));
            self.writer.open(format!("for ({of} {name} = {lo}; {name} < {hi}; {name}++) {{"));
        } else if by_one
            && !range.inclusive
            && !changed
            && (!ty.is_signed() || is_natural(range.lo))
        {
            let lo = self.keep_range(lo).under(Level::Sum);
            let hi = hi.text;
            self.writer.open(format!("for ({of} {name} = {hi}; {name} > {lo};) {{"));
            self.writer.line(format!("{name}--;"));
        } else {
            let lo = self.keep_range(lo);
            self.general(&range, (ty, &name), (&lo, &hi), if by_one { None } else { step });
        }
        if !changed {
            self.turns.count(range.local);
        }
        self.block(body);
        self.writer.close("}");
    }

    /// A bound that is looked at in every turn.
    fn keep_range(&mut self, code: &Code) -> Code {
        if code.is_cheap() { code.clone() } else { self.keep(code) }
    }

    /// The stride; one of zero ends the item.
    fn step(&mut self, code: &Code, expr: Option<&Expr>, span: Span) -> Code {
        if let Some(ExprKind::Scalar(1..)) = expr.map(|expr| &expr.kind) {
            return code.clone();
        }
        let code = self.keep(code);
        let zero = number::literal(0, ScalarTy::Usize, self.to.dialect).text;
        self.fault_if(&format!("{} == {zero}", code.text), FaultKind::Step, span);
        code
    }

    /// Counts from the first value to the last, and says of each whether another one follows.
    fn general(
        &mut self,
        range: &Range<'_>,
        (ty, name): (ScalarTy, &str),
        (lo, hi): (&Code, &Code),
        step: Option<Code>,
    ) {
        let dialect = self.to.dialect;
        let (of, flag) = (self.scalar(ty), self.scalar(ScalarTy::Bool));
        let wide = self.scalar(ScalarTy::U64);
        let (at, last, goes) = (self.temporary(), self.temporary(), self.temporary());
        let one = number::literal(1, ty, dialect);
        let end = if range.inclusive {
            hi.clone()
        } else {
            operator::binary(BinOp::Sub, hi, &one, ty, dialect)
        };
        let compare = if range.inclusive { BinOp::Le } else { BinOp::Lt };
        let runs = operator::binary(compare, lo, hi, ScalarTy::Bool, dialect).text;
        let (first, end) = if range.rev { (&end, lo) } else { (lo, &end) };
        self.writer.line(format!("const {of} {last} = {};", end.text));
        self.writer.line(format!("{of} {at} = {};", first.text));
        let (plus, left, right) = if range.rev { ("-", &at, &last) } else { ("+", &last, &at) };
        let (more, by) = match step {
            None => (format!("{at} != {last}"), "1".to_owned()),
            Some(step) => {
                // As numbers without sign of the same width, so that the difference is right.
                let name = |name: &str| Code::atom(name, Ty::Scalar(ty));
                let difference =
                    operator::binary(BinOp::Sub, &name(left), &name(right), ty, dialect);
                let difference = match difference.unsigned {
                    Some((text, _)) => format!("({wide})({text})"),
                    None => format!("({wide})({left} - {right})"),
                };
                (format!("{difference} >= {}", step.under(Level::Sum)), step.under(Level::Product))
            }
        };
        let next = format!("{at} = ({of})(({wide}){at} {plus} {by})");
        self.writer
            .open(format!("for ({flag} {goes} = {runs}; {goes}; {goes} = {more}, {next}) {{"));
        let changed = self.changed.get(usize::from(range.local)).copied().unwrap_or(true);
        let qualified = if changed { "" } else { "const " };
        self.writer.line(format!("{qualified}{of} {name} = {at};"));
    }
}
