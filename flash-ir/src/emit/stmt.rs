//! Statements, loops apart, and expressions for their effect.

use super::body::{Body, Scope};
use super::code::{Code, Level};
use super::expr::{fuses, product, scalar};
use super::operator;
use super::place::Reached;
use crate::ir::{BinOp, FloatMode, ParamKind, ReduceOp, Span};
use crate::resolve::typed::{Base, Block, Expr, ExprKind, Place, Stmt};
use crate::ty::{ScalarTy, Ty};

impl Body<'_, '_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// A block for its effect.
    pub(super) fn block(&mut self, block: &Block) {
        self.stmts(&block.stmts);
        if let Some(tail) = &block.tail {
            self.writer.from(tail.span.line);
            self.effect(tail);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(id, init, span) => {
                self.writer.from(span.line);
                self.binding(*id, init.as_ref(), *span);
            }
            Stmt::Assign(place, value, span) => {
                self.writer.from(span.line);
                if place.ty == Ty::Unit {
                    return self.effect(value);
                }
                let (mut codes, reached) = self.place(&[value], place, *span);
                if let Some(value) = codes.pop() {
                    self.assign(&reached, &value);
                }
            }
            Stmt::Update(place, op, value, mode, span) => {
                self.writer.from(span.line);
                self.update(place, *op, value, *mode, *span);
            }
            Stmt::Reduce(param, op, value, span) => {
                self.writer.from(span.line);
                self.reduce(*param, *op, value, *span);
            }
            Stmt::Expr(expr) => {
                self.writer.from(expr.span.line);
                self.effect(expr);
            }
            Stmt::For { local, lo, hi, inclusive, rev, step, body, span } => {
                self.writer.from(span.line);
                let range = super::loops::Range {
                    local: *local,
                    lo,
                    hi,
                    inclusive: *inclusive,
                    rev: *rev,
                    step: step.as_ref(),
                };
                self.counted(range, body, *span);
            }
            Stmt::While { cond, body, span } => {
                self.writer.from(span.line);
                self.repeated(cond, body);
            }
            Stmt::Break(span) => self.jump("break;", *span),
            Stmt::Continue(span) => self.jump("continue;", *span),
            Stmt::Return(value, span) => {
                self.writer.from(span.line);
                match value {
                    Some(value) if matches!(self.scope, Scope::Value(ty) if ty != Ty::Unit) => {
                        let code = self.expr(value);
                        self.writer.line(format!("return {};", code.text));
                    }
                    _ => {
                        if let Some(value) = value {
                            self.effect(value);
                        }
                        self.writer.line("return;");
                    }
                }
            }
            Stmt::Barrier(span) => self.complain(*span, "a barrier"),
        }
    }

    fn jump(&mut self, text: &str, span: Span) {
        self.writer.from(span.line);
        self.writer.line(text);
    }

    fn binding(&mut self, id: u16, init: Option<&Expr>, span: Span) {
        let ty = self.types.get(usize::from(id)).copied().unwrap_or(Ty::Unit);
        let name = self.locals.get(usize::from(id)).cloned().unwrap_or_default();
        match init {
            Some(init) if ty == Ty::Unit => self.effect(init),
            Some(init) => {
                let changed = self.changed.get(usize::from(id)).copied().unwrap_or(true);
                if !changed {
                    self.ranges.is_below(id, self.ranges.end(init));
                    self.turns.bind(id, init);
                }
                self.declare(&name, !changed, init);
            }
            None if ty == Ty::Unit => {}
            None => {
                let ty = self.to.ty(&ty, span);
                self.writer.line(format!("{ty} {name};"));
            }
        }
    }

    fn assign(&mut self, reached: &Reached, value: &Code) {
        // Evaluated even where nothing is written.
        let value = if reached.check.is_some() && value.has_effect {
            self.keep(value)
        } else {
            value.clone()
        };
        self.guarded(&reached.check, &format!("{} = {};", reached.text, value.text));
    }

    fn update(&mut self, place: &Place, op: BinOp, expr: &Expr, mode: FloatMode, span: Span) {
        let Some(ty) = scalar(&place.ty).filter(|ty| operator::exists(op, *ty)) else {
            let op = format!("{}=", operator::text(op));
            return self.complain(span, operator::absent(&op, &place.ty));
        };
        self.to.divides |= op == BinOp::Div && ty == ScalarTy::F32;
        // Only a local that is a scalar takes a product in one operation.
        if let (Base::Local(_), [], true) = (&place.base, &place.projs[..], fuses(op, mode, ty))
            && let Some((x, y)) = product(expr)
        {
            let (codes, reached) = self.place(&[x, y], place, span);
            let [x, y] = &codes[..] else { return };
            let x = if op == BinOp::Sub {
                format!("-{}", x.under(Level::Atom))
            } else {
                x.text.clone()
            };
            let fused = self.to.dialect.fused([&x, &y.text, &reached.text]);
            self.writer.line(format!("{} = {fused};", reached.text));
            return;
        }
        let (mut codes, reached) = self.place(&[expr], place, span);
        let Some(value) = codes.pop() else { return };
        let value =
            if reached.check.is_some() && value.has_effect { self.keep(&value) } else { value };
        let mut old = Code::atom(reached.text.clone(), place.ty);
        old.is_stable = false;
        let divides = matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float();
        if !divides {
            let statement = if operator::assigns(op, ty) {
                format!("{} {}= {};", reached.text, operator::text(op), value.text)
            } else {
                let new = self.computed(op, &old, &value, ty);
                format!("{} = {};", reached.text, new.text)
            };
            return self.guarded(&reached.check, &statement);
        }
        // The division is looked at before anything is written, also of an element that is not there.
        if reached.check.is_some() {
            let (text, check) = (reached.text.clone(), reached.check.clone());
            let name = self.temporary();
            let (of, zero) = (self.scalar(ty), super::number::literal(0, ty, self.to.dialect).text);
            self.writer.line(format!("{of} {name} = {zero};"));
            self.guarded(&check, &format!("{name} = {text};"));
            old = Code::atom(name, place.ty);
        }
        let new =
            self.divided([&old, &value], expr, (ty, op == BinOp::Rem), span, |x, y, dialect| {
                operator::binary(op, x, y, ty, dialect)
            });
        match &reached.check {
            Some((inside, _)) => {
                self.writer.open(format!("if ({inside}) {{"));
                self.writer.line(format!("{} = {};", reached.text, new.text));
                self.writer.close("}");
            }
            None => self.writer.line(format!("{} = {};", reached.text, new.text)),
        }
    }

    /// Takes a value into the lane of a reduction.
    fn reduce(&mut self, param: u16, op: ReduceOp, value: &Expr, span: Span) {
        let declared = self.to.kernel.ir.params.get(usize::from(param));
        let ty = declared
            .filter(|param| matches!(param.kind, ParamKind::Reduce(_)))
            .and_then(|param| scalar(&param.ty));
        let (Some(ty), Some(name)) = (ty, self.params.get(usize::from(param)).cloned()) else {
            return self.complain(span, "a reduction into what is no reduction parameter");
        };
        let value = self.expr(value);
        let value = if matches!(op, ReduceOp::Min | ReduceOp::Max) {
            self.keep_twice(&value)
        } else {
            value
        };
        match reduced(op, &format!("*{name}"), &value, ty, self.to.dialect) {
            Some(statement) => self.writer.line(statement),
            None => self.complain(span, format!("no reduction by `{op:?}` of `{}`", ty.name())),
        }
    }

    /// An expression for its effect.
    pub(super) fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::If(cond, then, other) => self.either(cond, then, other.as_ref()),
            ExprKind::Block(block) => self.block(block),
            ExprKind::Atomic(access, op, args) => {
                self.atomic(access, *op, args, false);
            }
            _ => {
                let code = self.expr(expr);
                if code.has_effect {
                    self.writer.line(format!("(void){};", code.under(Level::Prefix)));
                }
            }
        }
    }

    fn either(&mut self, cond: &Expr, then: &Block, other: Option<&Block>) {
        let code = self.expr(cond);
        self.writer.open(format!("if ({}) {{", code.text));
        self.block(then);
        let mut rest = other;
        while let Some(block) = rest {
            rest = None;
            if let Some((cond, then, other)) = another(block) {
                let (lines, code) = self.within(0, |body| body.expr(cond));
                if lines.is_empty() {
                    self.writer.from(cond.span.line);
                    self.writer.turn(format!("}} else if ({}) {{", code.text));
                    self.block(then);
                    rest = other;
                    continue;
                }
            }
            if block.stmts.is_empty() && block.tail.is_none() {
                break;
            }
            self.writer.turn("} else {");
            self.block(block);
        }
        self.writer.close("}");
    }
}

/// The parts of an `if` that is all there is in a block.
fn another(block: &Block) -> Option<(&Expr, &Block, Option<&Block>)> {
    let only = match (&block.stmts[..], &block.tail) {
        ([], Some(tail)) => tail,
        ([Stmt::Expr(expr)], None) => expr,
        _ => return None,
    };
    match &only.kind {
        ExprKind::If(cond, then, other) => Some((cond, then, other.as_ref())),
        _ => None,
    }
}

/// One step of a reduction, as a statement; the value is written twice for minima and maxima.
pub(super) fn reduced(
    op: ReduceOp,
    to: &str,
    value: &Code,
    ty: ScalarTy,
    dialect: &dyn super::dialect::Dialect,
) -> Option<String> {
    let op = match op {
        ReduceOp::Min | ReduceOp::Max if ty != ScalarTy::Bool => {
            let symbol = if op == ReduceOp::Min { "<" } else { ">" };
            let left = value.under(Level::Sum);
            return Some(format!("{to} = {left} {symbol} {to} ? {} : {to};", value.text));
        }
        ReduceOp::Add => BinOp::Add,
        ReduceOp::Mul => BinOp::Mul,
        ReduceOp::And => BinOp::And,
        ReduceOp::Or => BinOp::Or,
        ReduceOp::Xor => BinOp::Xor,
        ReduceOp::Min | ReduceOp::Max => return None,
    };
    if !operator::exists(op, ty) {
        return None;
    }
    let mut old = Code::atom(to, Ty::Scalar(ty));
    if to.starts_with('*') {
        old.level = Level::Prefix;
    }
    let new = operator::binary(op, &old, value, ty, dialect);
    Some(format!("{to} = {};", new.text))
}
