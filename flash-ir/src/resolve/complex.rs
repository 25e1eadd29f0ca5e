//! Complex numbers: which operators are of them, and the functions that these are. What the functions compute
//! is written in [`crate::complex`].

use super::{BOOL, F64, Scope, Types, typed};
use crate::analysis::{Node, walk_expr};
use crate::complex::{self, Sides, part_of};
use crate::ir::{
    BinOp, Block, ComplexFn, Expr, ExprKind, FnIr, LocalId, MathFn, Place, Proj, Span, UnOp,
};
use crate::ty::{ScalarTy, Ty};

/// The type of complex numbers with parts of a type.
fn pair(part: ScalarTy) -> Ty {
    Ty::Struct(complex::layout(part))
}

/// The type of parts of a complex number, and of a number that may stand beside one.
fn part(ty: Ty) -> Option<ScalarTy> {
    match ty {
        Ty::Scalar(scalar) if scalar.is_float() => Some(scalar),
        _ => part_of(ty),
    }
}

impl Types<'_> {
    /// Whether an expression is a complex number, also one of literals only.
    pub(super) fn is_pair(&self, expr: &Expr) -> bool {
        match self.known(expr) {
            Some(ty) => part_of(ty).is_some(),
            None => of_literals(expr),
        }
    }

    /// The type of the parts that one of these says.
    fn part_in<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Option<ScalarTy> {
        exprs.into_iter().find_map(|expr| part(self.known(expr)?))
    }

    /// The type of a function, if it does not depend on its context.
    pub(super) fn known_complex(&self, function: ComplexFn, args: &[Expr]) -> Option<Ty> {
        Some(result(function, self.part_in(args)?))
    }

    /// The type of an arithmetic operator, if it does not depend on its context.
    pub(super) fn known_sides(&self, a: &Expr, b: &Expr) -> Option<Ty> {
        let (left, right) = (self.known(a), self.known(b));
        let is_whole = |ty: &Ty| part_of(*ty).is_some();
        let of_real = |ty: Ty, other| part(ty).filter(|_| of_literals(other)).map(pair);
        match (left, right) {
            (Some(ty), _) | (_, Some(ty)) if is_whole(&ty) => Some(ty),
            (Some(_), Some(ty)) if is_whole(&ty) => Some(ty),
            (Some(ty), None) => of_real(ty, b).or(left),
            (None, Some(ty)) => of_real(ty, a).or(right),
            _ => left,
        }
    }
}

impl Scope<'_> {
    /// Both sides as complex or real numbers with parts of a type, and which are which.
    fn sides(
        &mut self,
        (a, b): (&Expr, &Expr),
        part: ScalarTy,
    ) -> Option<([typed::Expr; 2], Sides)> {
        let sides = match (self.types().is_pair(a), self.types().is_pair(b)) {
            (true, true) => Sides::Pairs,
            (true, false) => Sides::RealRight,
            (false, true) => Sides::RealLeft,
            (false, false) => return None,
        };
        let ty = |is_pair| if is_pair { pair(part) } else { Ty::Scalar(part) };
        let a = self.expr(a, Some(ty(sides != Sides::RealLeft)));
        Some(([a, self.expr(b, Some(ty(sides != Sides::RealRight)))], sides))
    }

    /// An infix operator, where a side is a complex number.
    pub(super) fn complex_infix(
        &mut self,
        op: BinOp,
        (a, b): (&Expr, &Expr),
        expected: Option<Ty>,
        span: Span,
    ) -> Option<(typed::ExprKind, Ty)> {
        if !self.types().is_pair(a) && !self.types().is_pair(b) {
            return None;
        }
        let part =
            self.types().part_in([a, b]).or_else(|| part(expected?)).unwrap_or(ScalarTy::F64);
        let (args, sides) = self.sides((a, b), part)?;
        let Some(function) = complex::infix(op, sides, false, part) else {
            self.complain(span, format!("`{op:?}` of complex numbers"));
            return Some((typed::ExprKind::Scalar(0), BOOL));
        };
        Some(self.called(function, args.into()))
    }

    /// `place op= value` of a complex number as an assignment. Its place is found once: before the value
    /// in a local, as Rust has it, where such an operator is a function, and after it in an array, as
    /// that is what the entry for the processor does.
    pub(super) fn complex_update(
        &mut self,
        place: &Place,
        (op, value): (BinOp, &'static Expr),
        part: ScalarTy,
        span: Span,
    ) -> typed::Stmt {
        let sides = if self.types().is_pair(value) { Sides::Pairs } else { Sides::RealRight };
        let ty = if sides == Sides::Pairs { pair(part) } else { Ty::Scalar(part) };
        let is_apart = indices(place).any(acts) || acts(value);
        let mut value = self.expr(value, Some(ty));
        let mut first = Vec::new();
        let [mut to, mut from] = [(); 2].map(|()| self.place(place));
        if is_apart {
            if matches!(place, Place::Elem(..)) {
                self.take(&mut value, &mut first, span);
            }
            for (to, from) in indices_of(&mut to).zip(indices_of(&mut from)) {
                *from = self.take(to, &mut first, span);
            }
        }
        let old = self.value_of(from, span);
        let assigned = match complex::infix(op, sides, true, part) {
            Some(function) => {
                let (kind, ty) = self.called(function, vec![value, old]);
                typed::Stmt::Assign(to, typed::Expr { kind, ty, span, varying: true }, span)
            }
            None => {
                self.complain(span, format!("`{op:?}` of complex numbers"));
                typed::Stmt::Assign(to, old, span)
            }
        };
        if first.is_empty() {
            return assigned;
        }
        first.push(assigned);
        let kind = typed::ExprKind::Block(typed::Block { stmts: first, tail: None });
        typed::Stmt::Expr(typed::Expr { kind, ty: Ty::Unit, span, varying: true })
    }

    /// Has an expression computed first: a local of our own takes its place, and is given once more.
    fn take(
        &mut self,
        expr: &mut typed::Expr,
        first: &mut Vec<typed::Stmt>,
        span: Span,
    ) -> typed::Expr {
        let local = LocalId::try_from(self.locals.len()).unwrap_or_else(|_| {
            self.complain(span, "more locals than can be counted");
            0
        });
        self.locals.push(expr.ty);
        let (ty, varying) = (expr.ty, expr.varying);
        let again = || typed::Expr { kind: typed::ExprKind::Local(local), ty, span, varying };
        let taken = std::mem::replace(expr, again());
        first.push(typed::Stmt::Let(local, Some(taken), span));
        again()
    }

    /// What is at a place.
    fn value_of(&self, place: typed::Place, span: Span) -> typed::Expr {
        let whole = |kind, ty| typed::Expr { kind, ty, span, varying: true };
        let start = match place.base {
            typed::Base::Local(id) => whole(typed::ExprKind::Local(id), self.local(id)),
            typed::Base::Elem(access) => {
                let ty = self.param(access.param);
                whole(typed::ExprKind::Load(access), ty)
            }
        };
        place.projs.into_iter().fold(start, |of, proj| match proj {
            typed::Proj::Field(field) => {
                whole(typed::ExprKind::Field(Box::new(of), field), field.ty)
            }
            typed::Proj::Index(index, elem, _) => {
                whole(typed::ExprKind::Index(Box::new(of), Box::new(index)), *elem)
            }
        })
    }

    /// `-z`
    pub(super) fn complex_negated(
        &mut self,
        inner: typed::Expr,
        part: ScalarTy,
    ) -> (typed::ExprKind, Ty) {
        self.called(complex::negated(part), vec![inner])
    }

    /// A function of complex numbers.
    pub(super) fn complex(
        &mut self,
        function: ComplexFn,
        args: &[Expr],
        expected: Option<Ty>,
    ) -> (typed::ExprKind, Ty) {
        let part = self.types().part_in(args).or_else(|| part(expected?)).unwrap_or(ScalarTy::F64);
        let first = if function == ComplexFn::New { Ty::Scalar(part) } else { pair(part) };
        let args: Vec<_> = args
            .iter()
            .enumerate()
            .map(|(k, arg)| self.expr(arg, Some(if k == 0 { first } else { Ty::Scalar(part) })))
            .collect();
        match complex::named(function, part) {
            Some(function) => self.called(function, args),
            None => {
                let layout = complex::layout(part);
                let fields = layout.fields.iter().zip(args).collect();
                (typed::ExprKind::Struct(layout, fields), pair(part))
            }
        }
    }

    /// `z.is_nan()` and the like, which have names of functions of scalars.
    pub(super) fn complex_math(
        &mut self,
        function: MathFn,
        args: &[Expr],
    ) -> Option<(typed::ExprKind, Ty)> {
        let [arg] = args else { return None };
        if !self.types().is_pair(arg) {
            return None;
        }
        let part = self.types().part_in([arg]).unwrap_or(ScalarTy::F64);
        let function = complex::asked(function, part)?;
        let arg = self.expr(arg, Some(pair(part)));
        Some(self.called(function, vec![arg]))
    }

    fn called(&mut self, function: &'static FnIr, args: Vec<typed::Expr>) -> (typed::ExprKind, Ty) {
        let at = self.functions.get(function);
        (typed::ExprKind::Call(at, args), function.ret)
    }
}

/// Whether an expression whose type depends on its context is a complex number.
pub(super) fn of_literals(expr: &Expr) -> bool {
    let tail = |block: &Block| block.tail.is_some_and(of_literals);
    match &expr.kind {
        ExprKind::Complex(function, _) => is_pair(*function),
        ExprKind::Unary(UnOp::Neg, a, _) => of_literals(a),
        ExprKind::Binary(op, a, b, _) => is_arithmetic(*op) && (of_literals(a) || of_literals(b)),
        ExprKind::If(_, then, Some(other)) => tail(then) || tail(other),
        ExprKind::Block(block) => tail(block),
        _ => false,
    }
}

/// What such a number, or a part of it, falls back to.
pub(super) fn default_of(expr: &Expr) -> Option<Ty> {
    match &expr.kind {
        ExprKind::Complex(function, _) => Some(result(*function, ScalarTy::F64)),
        ExprKind::Field(inner, _) if of_literals(inner) => Some(F64),
        _ => of_literals(expr).then(|| pair(ScalarTy::F64)),
    }
}

/// What is expected of a complex number of literals of which a part is named.
pub(super) fn whole_of(inner: &Expr, part_expected: Option<Ty>) -> Option<Ty> {
    let part = part(part_expected?)?;
    of_literals(inner).then(|| pair(part))
}

/// The indices of a place.
fn indices(place: &Place) -> impl Iterator<Item = &'static Expr> {
    let (indices, projs): (&'static [Expr], _) = match place {
        Place::Local(_, projs) => (&[], *projs),
        Place::Elem(access, projs) => (access.index, *projs),
    };
    let of_projs = projs.iter().filter_map(|proj| match proj {
        Proj::Index(index) => Some(index),
        Proj::Field(_) => None,
    });
    indices.iter().chain(of_projs)
}

fn indices_of(place: &mut typed::Place) -> impl Iterator<Item = &mut typed::Expr> {
    let of_base = match &mut place.base {
        typed::Base::Local(_) => &mut [],
        typed::Base::Elem(access) => access.index.as_mut_slice(),
    };
    let of_projs = place.projs.iter_mut().filter_map(|proj| match proj {
        typed::Proj::Index(index, ..) => Some(index),
        typed::Proj::Field(_) => None,
    });
    of_base.iter_mut().chain(of_projs)
}

/// Whether an expression does something, beside having a value.
fn acts(expr: &'static Expr) -> bool {
    let mut found = false;
    walk_expr(expr, &mut |node| {
        found |= matches!(node, Node::Stmt(_))
            || matches!(node, Node::Expr(Expr { kind: ExprKind::Atomic(..), .. }));
    });
    found
}

/// Whether a function gives a complex number.
fn is_pair(function: ComplexFn) -> bool {
    !matches!(function, ComplexFn::NormSqr | ComplexFn::L1Norm)
}

fn result(function: ComplexFn, part: ScalarTy) -> Ty {
    if is_pair(function) { pair(part) } else { Ty::Scalar(part) }
}

fn is_arithmetic(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem)
}
