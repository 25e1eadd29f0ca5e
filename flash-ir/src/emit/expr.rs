//! Expressions. Each becomes C without statements where it can; what ends the item, changes memory or has
//! statements of its own is written before it, in the order of evaluation.

use super::body::{Body, Part, Scope};
use super::code::{Code, Level};
use super::dialect::Dialect;
use super::layout::Word;
use super::writer::Lines;
use super::{math, number, operator, status};
use crate::interp::FaultKind;
use crate::ir::{BinOp, FloatMode, MathFn, Span, UnOp};
use crate::resolve::typed::{Block, Expr, ExprKind};
use crate::ty::{ScalarTy, Ty};

/// The scalar of a type, if it is one.
pub(super) fn scalar(ty: &Ty) -> Option<ScalarTy> {
    match ty {
        Ty::Scalar(scalar) => Some(*scalar),
        _ => None,
    }
}

/// The factors, if it is a product.
pub(super) fn product(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Binary(BinOp::Mul, x, y, _) => Some((x, y)),
        _ => None,
    }
}

/// Whether a sum or difference and a product in it are one operation.
pub(super) fn fuses(op: BinOp, mode: FloatMode, ty: ScalarTy) -> bool {
    mode == FloatMode::Fast && ty.is_float() && matches!(op, BinOp::Add | BinOp::Sub)
}

impl Body<'_, '_> {
    /// The value of an expression; what has to be done before it is written.
    pub(super) fn expr(&mut self, expr: &Expr) -> Code {
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Scalar(bits) => match scalar(&ty) {
                Some(ty) => number::literal(*bits, ty, self.to.dialect),
                None => Code::unit(),
            },
            ExprKind::Local(_) if ty == Ty::Unit => Code::unit(),
            ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Const(_)
            | ExprKind::Load(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..) => self.read(expr),
            ExprKind::GlobalId(dim) => {
                self.ids.insert(*dim);
                self.of_launch(format!("flash_id{dim}"), expr.span)
            }
            ExprKind::GlobalSize(dim) => self.launch_word(Word::Size(*dim)),
            ExprKind::Phase => self.launch_word(Word::Phase),
            ExprKind::Partition => self.launch_word(Word::Partition),
            ExprKind::Len(param) => self.len(*param),
            ExprKind::Extent(param, dim) => self.launch_word(Word::Extent(*param, *dim)),
            ExprKind::Atomic(access, op, args) => self.atomic(access, *op, args, ty != Ty::Unit),
            ExprKind::Unary(op, inner, _) => self.unary(*op, inner, expr.span),
            ExprKind::Binary(op, a, b, mode) => self.binary(*op, (a, b), *mode, expr),
            ExprKind::Cast(inner) => {
                let code = self.expr(inner);
                match (scalar(&inner.ty), scalar(&ty)) {
                    (Some(from), Some(to)) => self.cast(&code, from, to, expr.span),
                    _ => self.no(expr.span, "a cast of what is no scalar"),
                }
            }
            ExprKind::Call(at, args) => self.call(*at, args, ty),
            ExprKind::Math(name, args, mode) => self.math(*name, args, *mode, expr),
            ExprKind::If(cond, then, Some(other)) if ty != Ty::Unit => {
                self.choice(cond, (then, other), ty, None)
            }
            ExprKind::Block(block) => {
                self.stmts(&block.stmts);
                block.tail.as_ref().map_or_else(Code::unit, |tail| self.expr(tail))
            }
            ExprKind::If(..) => {
                self.effect(expr);
                Code::unit()
            }
            ExprKind::Struct(..) | ExprKind::Array(_) | ExprKind::Repeat(..) => {
                let name = self.temporary();
                self.declare(&name, true, expr);
                Code::atom(name, ty)
            }
        }
    }

    pub(super) fn no(&mut self, span: Span, what: &str) -> Code {
        self.complain(span, what);
        Code::atom("0", Ty::Scalar(ScalarTy::I32))
    }

    fn of_launch(&mut self, text: String, span: Span) -> Code {
        if self.scope != Scope::Item {
            return self.no(span, "a word of the launch in a device function");
        }
        Code::atom(text, Ty::Scalar(ScalarTy::Usize))
    }

    fn launch_word(&mut self, word: Word) -> Code {
        let name = self.word(word);
        Code::atom(name, Ty::Scalar(ScalarTy::Usize))
    }

    /// The product of the extents.
    fn len(&mut self, param: u16) -> Code {
        let rank = self.to.kernel.ir.params.get(usize::from(param)).map_or(1, |param| param.rank);
        let extents: Vec<String> =
            (0..rank).map(|dim| self.word(Word::Extent(param, dim))).collect();
        let level = if rank > 1 { Level::Product } else { Level::Atom };
        Code::stable(extents.join(" * "), level, Ty::Scalar(ScalarTy::Usize))
    }

    fn unary(&mut self, op: UnOp, inner: &Expr, span: Span) -> Code {
        let code = self.expr(inner);
        match scalar(&inner.ty).and_then(|ty| operator::unary(op, &code, ty, self.to.dialect)) {
            Some(code) => code,
            None => self.no(span, "a prefix operator of what has none"),
        }
    }

    fn binary(&mut self, op: BinOp, (a, b): (&Expr, &Expr), mode: FloatMode, expr: &Expr) -> Code {
        let Some(ty) = scalar(&a.ty).filter(|ty| operator::exists(op, *ty)) else {
            return self.no(expr.span, &operator::absent(operator::text(op), &a.ty));
        };
        if matches!(op, BinOp::LazyAnd | BinOp::LazyOr) {
            return self.lazy(op, a, b);
        }
        if fuses(op, mode, ty)
            && let Some(fused) = self.fused(op, a, b)
        {
            return fused;
        }
        let codes = self.in_order(&[Part::Operand(a), Part::Operand(b)]);
        let [x, y] = &codes[..] else { return Code::unit() };
        if matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float() {
            let is_rest = op == BinOp::Rem;
            return self.divided([x, y], b, (ty, is_rest), expr.span, |x, y, dialect| {
                operator::binary(op, x, y, ty, dialect)
            });
        }
        self.computed(op, x, y, ty)
    }

    /// Two operands and an operator that has a result for all of them.
    pub(super) fn computed(&mut self, op: BinOp, x: &Code, y: &Code, ty: ScalarTy) -> Code {
        if op == BinOp::Rem && ty.is_float() {
            self.to.rests.insert(ty);
        }
        self.to.divides |= op == BinOp::Div && ty == ScalarTy::F32;
        operator::binary(op, x, y, ty, self.to.dialect)
    }

    /// A sum or difference with a product in it; of two products the right one.
    fn fused(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Option<Code> {
        let (is_left, parts) = match (product(b), product(a)) {
            (Some((x, y)), _) => (false, [a, x, y]),
            (None, Some((x, y))) => (true, [x, y, b]),
            (None, None) => return None,
        };
        let codes = self.in_order(&parts.map(Part::Operand));
        let [first, second, third] = &codes[..] else { return None };
        let negative = |code: &Code| format!("-{}", code.under(Level::Atom));
        let args = match (is_left, op) {
            (false, BinOp::Add) => [second.text.clone(), third.text.clone(), first.text.clone()],
            (false, _) => [negative(second), third.text.clone(), first.text.clone()],
            (true, BinOp::Add) => [first.text.clone(), second.text.clone(), third.text.clone()],
            (true, _) => [first.text.clone(), second.text.clone(), negative(third)],
        };
        let text = self.to.dialect.fused([&args[0], &args[1], &args[2]]);
        Some(Code::atom(text, a.ty).of(&[first, second, third]))
    }

    /// A division of integers by the value of an expression, where that allows it; else the item ends.
    pub(super) fn divided(
        &mut self,
        [x, y]: [&Code; 2],
        by: &Expr,
        (ty, is_rest): (ScalarTy, bool),
        span: Span,
        divide: impl Fn(&Code, &Code, &dyn Dialect) -> Code,
    ) -> Code {
        let known = number::value(&y.text);
        let is_fine = self.ranges.start(by) > 0 || known.is_some_and(|by| !(-1..=0).contains(&by));
        if is_fine {
            return divide(x, y, self.to.dialect);
        }
        let x = if x.has_effect { self.keep(x) } else { x.clone() };
        let x = if ty.is_signed() { self.keep_twice(&x) } else { x };
        let y = self.keep_twice(y);
        let zero = number::literal(0, ty, self.to.dialect).text;
        let kind =
            |is_by_zero| format!("{}u", status::kind(FaultKind::of_division(is_rest, is_by_zero)));
        let is_zero = format!("{} == {zero}", y.under(Level::Sum));
        let (mut text, mut what) = (is_zero.clone(), kind(true));
        // Of a number compilers see what it is, and take the comparison for a slip.
        let may_be_least = number::value(&x.text).is_none_or(|x| x <= i64::from(i8::MIN));
        if ty.is_signed() && self.ranges.end(by).is_none() && may_be_least {
            let minus = number::literal(u64::MAX >> (64 - 8 * ty.size()), ty, self.to.dialect).text;
            let least = number::least(ty, self.to.dialect);
            let (x, y) = (x.under(Level::Sum), y.under(Level::Sum));
            (text, what) = if known == Some(-1) {
                (format!("{x} == {least}"), kind(false))
            } else {
                let text = format!("{is_zero} || ({y} == {minus} && {x} == {least})");
                (text, format!("{is_zero} ? {} : {}", kind(true), kind(false)))
            };
        }
        self.fault_of(&text, &what, span);
        divide(&x, &y, self.to.dialect)
    }

    fn lazy(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Code {
        let left = self.expr(a);
        if let "0" | "1" = left.plain() {
            let goes_on = (left.plain() == "1") == (op == BinOp::LazyAnd);
            return if goes_on { self.expr(b) } else { left };
        }
        let (lines, right) = self.within(1, |body| body.expr(b));
        if let ("0" | "1", true) = (right.plain(), lines.is_empty()) {
            // Compilers take a constant there for a slip.
            let op = if op == BinOp::LazyAnd { BinOp::And } else { BinOp::Or };
            return operator::binary(op, &left, &right, ScalarTy::Bool, self.to.dialect);
        }
        if lines.is_empty() {
            return operator::binary(op, &left, &right, ScalarTy::Bool, self.to.dialect);
        }
        let (name, ty) = (self.temporary(), self.scalar(ScalarTy::Bool));
        self.writer.line(format!("{ty} {name} = {};", left.text));
        let not = if op == BinOp::LazyAnd { "" } else { "!" };
        self.writer.open(format!("if ({not}{name}) {{"));
        self.writer.put(lines);
        self.writer.line(format!("{name} = {};", right.text));
        self.writer.close("}");
        Code::atom(name, Ty::Scalar(ScalarTy::Bool))
    }

    fn call(&mut self, at: usize, args: &[Expr], ty: Ty) -> Code {
        let parts: Vec<Part<'_>> = args.iter().map(Part::Operand).collect();
        let codes = self.in_order(&parts);
        let Some(known) = self.to.functions.get(at).cloned() else { return Code::unit() };
        let mut texts: Vec<&str> =
            codes.iter().filter(|code| code.ty != Ty::Unit).map(Code::plain).collect();
        if known.ends {
            self.calls_end = true;
            let ended = if self.scope == Scope::Item { "&flash_ended" } else { "flash_ended" };
            texts.extend(["flash_record", "flash_item", ended]);
        }
        let text = format!("{}({})", known.name, texts.join(", "));
        let mut code = Code::atom(text, ty).of(&codes.iter().collect::<Vec<_>>());
        if ty == Ty::Unit {
            self.writer.line(format!("{};", code.text));
            code = Code::unit();
        } else if known.ends {
            code.has_effect = true;
            code = self.keep(&code);
        }
        if known.ends {
            self.end_with();
        }
        code
    }

    fn math(&mut self, function: MathFn, args: &[Expr], mode: FloatMode, expr: &Expr) -> Code {
        let parts: Vec<Part<'_>> = args.iter().map(Part::Operand).collect();
        let codes = self.in_order(&parts);
        let ty = args.first().and_then(|arg| scalar(&arg.ty)).unwrap_or(ScalarTy::Bool);
        let Some(name) = math::name(function, ty, mode) else {
            return self.no(expr.span, &format!("no `{function:?}` of `{}`", ty.name()));
        };
        self.to.math.insert((function, ty, mode == FloatMode::Fast));
        let divides = matches!(function, MathFn::RemEuclid | MathFn::DivEuclid);
        if let ([x, y], [_, by], true, false) = (&codes[..], args, divides, ty.is_float()) {
            let is_rest = function == MathFn::RemEuclid;
            return self.divided([x, y], by, (ty, is_rest), expr.span, |x, y, _| {
                Code::atom(format!("{name}({}, {})", x.text, y.text), expr.ty).of(&[x, y])
            });
        }
        let texts: Vec<&str> = codes.iter().map(Code::plain).collect();
        let all: Vec<&Code> = codes.iter().collect();
        Code::atom(format!("{name}({})", texts.join(", ")), expr.ty).of(&all)
    }

    /// A value of two, in a variable of that name where there is one.
    pub(super) fn choice(
        &mut self,
        cond: &Expr,
        (then, other): (&Block, &Block),
        ty: Ty,
        name: Option<&str>,
    ) -> Code {
        let cond = self.expr(cond);
        let mut branch = |block: &Block| {
            self.within(1, |body| {
                body.stmts(&block.stmts);
                block.tail.as_ref().map(|tail| body.expr(tail))
            })
        };
        let (first, second) = (branch(then), branch(other));
        if let (Some(a), Some(b)) = (&first.1, &second.1)
            && first.0.is_empty()
            && second.0.is_empty()
            && scalar(&ty).is_some()
        {
            let (c, a_text) = (cond.under(Level::Comparison), a.under(Level::Sum));
            let text = format!("{c} ? {a_text} : {}", b.under(Level::Sum));
            let code = Code::stable(text, Level::Loose, ty).of(&[&cond, a, b]);
            let Some(name) = name else { return code };
            let ty = self.to.ty(&ty, Span::default());
            self.writer.line(format!("{ty} {name} = {};", code.text));
            return Code::atom(name, code.ty);
        }
        let name = name.map_or_else(|| self.temporary(), str::to_owned);
        let of = self.to.ty(&ty, Span::default());
        self.writer.line(format!("{of} {name};"));
        self.writer.open(format!("if ({}) {{", cond.text));
        let put = |body: &mut Self, (lines, code): (Lines, Option<Code>)| {
            body.writer.put(lines);
            if let Some(code) = code
                && code.ty != Ty::Unit
            {
                body.writer.line(format!("{name} = {};", code.text));
            }
        };
        put(self, first);
        self.writer.turn("} else {");
        put(self, second);
        self.writer.close("}");
        Code::atom(name, ty)
    }

    /// A variable with the value of an expression.
    pub(super) fn declare(&mut self, name: &str, is_const: bool, expr: &Expr) {
        let ty = self.to.ty(&expr.ty, expr.span);
        let qualified = if is_const { "const " } else { "" };
        match &expr.kind {
            ExprKind::If(cond, then, Some(other)) => {
                self.choice(cond, (then, other), expr.ty, Some(name));
            }
            ExprKind::Block(block) => {
                self.stmts(&block.stmts);
                match &block.tail {
                    Some(tail) => self.declare(name, is_const, tail),
                    // Nothing comes here.
                    None => self.writer.line(format!("{ty} {name};")),
                }
            }
            ExprKind::Struct(layout, fields) => {
                let parts: Vec<Part<'_>> =
                    fields.iter().map(|(_, value)| Part::Operand(value)).collect();
                let codes = self.in_order(&parts);
                let members: Vec<String> = layout
                    .fields
                    .iter()
                    .filter_map(|field| {
                        let at = fields.iter().position(|(known, _)| known.name == field.name)?;
                        let member = super::types::member(layout, field);
                        Some(format!("{name}.{member} = {};", codes[at].text))
                    })
                    .collect();
                // Bytes between members read as zero.
                let filled: usize = layout.fields.iter().map(|field| field.ty.size()).sum();
                let zeros = self.to.dialect.zeros();
                let zeros =
                    if filled < layout.size { format!(" = {zeros}") } else { String::new() };
                self.writer.line(format!("{ty} {name}{zeros};"));
                members.into_iter().for_each(|member| self.writer.line(member));
            }
            ExprKind::Array(items) => {
                let parts: Vec<Part<'_>> = items.iter().map(Part::Operand).collect();
                let codes = self.in_order(&parts);
                let elem = items.first().and_then(|item| scalar(&item.ty));
                let texts: Vec<String> = codes.iter().map(|code| self.fitted(code, elem)).collect();
                let texts = texts.join(", ");
                self.writer.line(format!("{qualified}{ty} {name} = {{ {{ {texts} }} }};"));
            }
            ExprKind::Repeat(item, n) => {
                let code = self.expr(item);
                let code = self.keep(&code);
                let k = self.temporary();
                self.writer.line(format!("{ty} {name};"));
                self.writer.open(format!("for (int {k} = 0; {k} < {n}; {k}++) {{"));
                self.writer.line(format!("{name}.v[{k}] = {};", code.text));
                self.writer.close("}");
            }
            _ => {
                let code = self.expr(expr);
                self.writer.line(format!("{qualified}{ty} {name} = {};", code.text));
            }
        }
    }

    /// A value where C takes no wider one.
    fn fitted(&self, code: &Code, ty: Option<ScalarTy>) -> String {
        match ty {
            Some(ty) if ty.size() < 4 && !code.is_name() => {
                format!("({}){}", self.scalar(ty), code.under(Level::Prefix))
            }
            _ => code.text.clone(),
        }
    }
}
