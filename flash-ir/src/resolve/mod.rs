//! Gives every expression of a kernel its type, by the rules of rustc for this language: locals,
//! parameters and fields have theirs, a literal takes the type of its context, else `i32` or `f64`.
//! It trusts that rustc accepted the body and reports what it cannot type; it computes nothing.

mod complex;
mod infer;
pub mod typed;

use std::fmt;

use crate::complex::part_of;
use crate::ir::{
    Access, AtomicOp, BinOp, Block, Expr, ExprKind, FnIr, KernelIr, MathFn, ParamKind, Place, Proj,
    ReduceOp, Span, Stmt, UnOp,
};
use crate::ty::{FieldTy, ScalarTy, Ty};
pub(crate) use infer::{Types, cast_hint};

/// Something the IR says that has no type or no meaning here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaid {
    /// Where it was written.
    pub span: Span,
    /// What it is.
    pub what: String,
}

impl fmt::Display for Unsaid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.span.line, self.what)
    }
}

/// Types a kernel.
///
/// # Errors
///
/// Everything that could not be typed, in source order.
pub fn kernel(ir: &'static KernelIr) -> Result<typed::Kernel, Vec<Unsaid>> {
    let mut functions = Functions::default();
    let locals = (ir.locals.types)();
    let mut scope = Scope { params: ir.params, locals, ret: Ty::Unit, functions: &mut functions };
    scope.count_locals(ir.locals.names.len());
    let body = scope.block(&ir.body, Some(Ty::Unit));
    let locals = scope.locals;
    if functions.unsaid.is_empty() {
        let has_f64 = functions.has_f64 || ir.params.iter().any(|param| has_f64(&param.ty));
        Ok(typed::Kernel { ir, locals, body, functions: functions.done, has_f64 })
    } else {
        Err(functions.unsaid)
    }
}

/// The device functions met so far, and the complaints about everything.
#[derive(Default)]
struct Functions {
    done: Vec<typed::Function>,
    /// The IR of each. Functions of one name and path may differ: those of two versions of a crate.
    known: Vec<&'static FnIr>,
    unsaid: Vec<Unsaid>,
    /// Whether a value has 64-bit floats.
    has_f64: bool,
}

impl Functions {
    fn get(&mut self, ir: &'static FnIr) -> usize {
        if let Some(at) = self.known.iter().position(|known| std::ptr::eq(*known, ir)) {
            return at;
        }
        let locals = (ir.locals.types)();
        let mut scope = Scope { params: &[], locals, ret: ir.ret, functions: self };
        scope.count_locals(ir.locals.names.len());
        let body = scope.block(&ir.body, Some(ir.ret));
        let locals = scope.locals;
        self.done.push(typed::Function { ir, ret: ir.ret, locals, body });
        self.known.push(ir);
        self.done.len() - 1
    }
}

fn has_f64(ty: &Ty) -> bool {
    ty.any(&|scalar| scalar == ScalarTy::F64)
}

/// One body.
struct Scope<'f> {
    params: &'static [crate::ir::Param],
    locals: Vec<Ty>,
    ret: Ty,
    functions: &'f mut Functions,
}

const BOOL: Ty = Ty::Scalar(ScalarTy::Bool);
const USIZE: Ty = Ty::Scalar(ScalarTy::Usize);
const I32: Ty = Ty::Scalar(ScalarTy::I32);
const U32: Ty = Ty::Scalar(ScalarTy::U32);
const F64: Ty = Ty::Scalar(ScalarTy::F64);

impl Scope<'_> {
    fn complain(&mut self, span: Span, what: impl Into<String>) {
        self.functions.unsaid.push(Unsaid { span, what: what.into() });
    }

    /// The closure that names the types must name as many as there are locals.
    fn count_locals(&mut self, names: usize) {
        if self.locals.len() != names {
            let found = self.locals.len();
            self.complain(Span::default(), format!("{names} locals, but types for {found}"));
            self.locals.resize(names, Ty::Unit);
        }
    }

    fn types(&self) -> Types<'_> {
        Types { params: self.params, locals: &self.locals }
    }

    fn local(&self, id: u16) -> Ty {
        self.types().local(id)
    }

    fn param(&self, id: u16) -> Ty {
        self.types().param(id)
    }

    fn block(&mut self, block: &Block, expected: Option<Ty>) -> typed::Block {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        let tail = block.tail.map(|tail| Box::new(self.expr(tail, expected)));
        typed::Block { stmts, tail }
    }

    fn stmt(&mut self, stmt: &'static Stmt) -> typed::Stmt {
        match stmt {
            Stmt::Let(id, init, span) => {
                let ty = self.local(*id);
                typed::Stmt::Let(*id, init.as_ref().map(|init| self.expr(init, Some(ty))), *span)
            }
            Stmt::Assign(place, value, span) => {
                let place = self.place(place);
                let value = self.expr(value, Some(place.ty));
                typed::Stmt::Assign(place, value, *span)
            }
            Stmt::Update(place, op, value, mode, span) => {
                let to = self.place(place);
                if let Some(part) = part_of(to.ty) {
                    return self.complex_update(place, (*op, value), part, *span);
                }
                let value = if matches!(op, BinOp::Shl | BinOp::Shr) {
                    self.expr(value, None)
                } else {
                    self.expr(value, Some(to.ty))
                };
                typed::Stmt::Update(to, *op, value, *mode, *span)
            }
            Stmt::Reduce(param, value, span) => {
                let ty = self.param(*param);
                let op = match self.params.get(usize::from(*param)).map(|param| param.kind) {
                    Some(ParamKind::Reduce(op)) => op,
                    _ => {
                        self.complain(*span, "a reduction into what is no reduction parameter");
                        ReduceOp::Add
                    }
                };
                typed::Stmt::Reduce(*param, op, self.expr(value, Some(ty)), *span)
            }
            // Its value is dropped, so nothing is expected of it.
            Stmt::Expr(expr) => typed::Stmt::Expr(self.expr(expr, None)),
            Stmt::For { local, lo, hi, inclusive, rev, step, body, span } => {
                let ty = Some(self.local(*local));
                typed::Stmt::For {
                    local: *local,
                    lo: self.expr(lo, ty),
                    hi: self.expr(hi, ty),
                    inclusive: *inclusive,
                    rev: *rev,
                    step: step.as_ref().map(|step| self.expr(step, Some(USIZE))),
                    body: self.block(body, None),
                    span: *span,
                }
            }
            Stmt::While { cond, body, span } => typed::Stmt::While {
                cond: self.expr(cond, Some(BOOL)),
                body: self.block(body, None),
                span: *span,
            },
            Stmt::Break(span) => typed::Stmt::Break(*span),
            Stmt::Continue(span) => typed::Stmt::Continue(*span),
            Stmt::Return(value, span) => {
                let ret = self.ret;
                let value = value.as_ref().map(|value| self.expr(value, Some(ret)));
                typed::Stmt::Return(value, *span)
            }
            Stmt::Barrier(span) => typed::Stmt::Barrier(*span),
        }
    }

    fn place(&mut self, place: &Place) -> typed::Place {
        let (base, mut ty, projs, span) = match place {
            Place::Local(id, projs) => {
                (typed::Base::Local(*id), self.local(*id), *projs, Span::default())
            }
            Place::Elem(access, projs) => {
                let ty = self.param(access.param);
                (typed::Base::Elem(self.access(access)), ty, *projs, access.span)
            }
        };
        let mut steps = Vec::with_capacity(projs.len());
        for proj in projs {
            match proj {
                Proj::Field(name) => {
                    let Some(field) = self.field(ty, name, span) else { break };
                    ty = field.ty;
                    steps.push(typed::Proj::Field(field));
                }
                Proj::Index(index) => {
                    let Ty::Array(elem, len) = ty else {
                        self.complain(span, "an index into what is no array");
                        break;
                    };
                    ty = *elem;
                    steps.push(typed::Proj::Index(self.expr(index, Some(USIZE)), elem, len));
                }
            }
        }
        typed::Place { base, projs: steps, ty }
    }

    fn field(&mut self, ty: Ty, name: &str, span: Span) -> Option<&'static FieldTy> {
        let Ty::Struct(layout) = ty else {
            self.complain(span, format!("field `{name}` of what is no structure"));
            return None;
        };
        let field = layout.fields.iter().find(|field| field.name == name);
        if field.is_none() {
            self.complain(span, format!("`{}` has no field `{name}`", layout.name));
        }
        field
    }

    fn access(&mut self, access: &Access) -> typed::Access {
        typed::Access {
            param: access.param,
            site: access.site,
            space: access.space,
            index: access.index.iter().map(|index| self.expr(index, Some(USIZE))).collect(),
            class: access.class,
            span: access.span,
        }
    }

    fn boxed(&mut self, expr: &Expr, expected: Option<Ty>) -> Box<typed::Expr> {
        Box::new(self.expr(expr, expected))
    }

    /// Types an expression; `expected` is what its context asks for.
    fn expr(&mut self, expr: &Expr, expected: Option<Ty>) -> typed::Expr {
        let (kind, ty) = self.kind(expr, expected);
        self.functions.has_f64 |= has_f64(&ty);
        typed::Expr { kind, ty, span: expr.span, varying: expr.varying }
    }

    fn kind(&mut self, expr: &Expr, expected: Option<Ty>) -> (typed::ExprKind, Ty) {
        use typed::ExprKind as To;
        match &expr.kind {
            ExprKind::Int(value, suffix) => {
                let ty = suffix.map_or_else(|| numeric(expected, I32), Ty::Scalar);
                (To::Scalar(self.int_bits(*value, ty, expr.span)), ty)
            }
            ExprKind::Float(digits, suffix) => {
                let ty = suffix.map_or_else(|| float(expected), Ty::Scalar);
                (To::Scalar(self.float_bits(digits, ty, expr.span)), ty)
            }
            ExprKind::Bool(value) => (To::Scalar(u64::from(*value)), BOOL),
            ExprKind::Const(value) => infer::constant(*value),
            ExprKind::Local(id) => (To::Local(*id), self.local(*id)),
            ExprKind::Param(id) => (To::Param(*id), self.param(*id)),
            ExprKind::GlobalId(dim) => (To::GlobalId(*dim), USIZE),
            ExprKind::GlobalSize(dim) => (To::GlobalSize(*dim), USIZE),
            ExprKind::Phase => (To::Phase, USIZE),
            ExprKind::Partition => (To::Partition, USIZE),
            ExprKind::Len(param) => (To::Len(*param), USIZE),
            ExprKind::Extent(param, dim) => (To::Extent(*param, *dim), USIZE),
            ExprKind::Load(access) => (To::Load(self.access(access)), self.param(access.param)),
            ExprKind::Atomic(access, op, args) => {
                let ty = self.param(access.param);
                let args = args.iter().map(|arg| self.expr(arg, Some(ty))).collect();
                let of = match op {
                    // A store gives nothing, an exchange a `Result`, which no device knows.
                    AtomicOp::Store | AtomicOp::CompareExchange => Ty::Unit,
                    _ => ty,
                };
                (To::Atomic(self.access(access), *op, args), of)
            }
            ExprKind::Unary(op, inner, mode) => {
                if let Some((bits, ty)) = self.negative(expr, expected) {
                    return (To::Scalar(bits), ty);
                }
                let inner = self.expr(inner, expected);
                if let (UnOp::Neg, Some(part)) = (op, part_of(inner.ty)) {
                    return self.complex_negated(inner, part);
                }
                let ty = inner.ty;
                (To::Unary(*op, Box::new(inner), *mode), ty)
            }
            ExprKind::Binary(op, a, b, mode) => {
                if let Some(called) = self.complex_infix(*op, (a, b), expected, expr.span) {
                    return called;
                }
                let (a, b, ty) = self.binary(*op, a, b, expected);
                (To::Binary(*op, a, b, *mode), ty)
            }
            ExprKind::Cast(inner, ty) => (To::Cast(self.boxed(inner, cast_hint(inner, *ty))), *ty),
            ExprKind::Call(function, args) => {
                let at = self.functions.get(function);
                let args = args
                    .iter()
                    .zip(function.params)
                    .map(|(arg, (_, ty))| self.expr(arg, Some(*ty)))
                    .collect();
                (To::Call(at, args), function.ret)
            }
            ExprKind::Math(function, args, mode) => {
                if let Some(called) = self.complex_math(*function, args) {
                    return called;
                }
                let (args, ty) = self.math(*function, args, expected, expr.span);
                (To::Math(*function, args, *mode), ty)
            }
            ExprKind::Complex(function, args) => self.complex(*function, args, expected),
            ExprKind::If(cond, then, other) => {
                let cond = self.boxed(cond, Some(BOOL));
                let types = self.types();
                let ty = match other {
                    None => Ty::Unit,
                    Some(other) => types
                        .tail_type(then)
                        .or_else(|| types.tail_type(other))
                        .or(expected)
                        .or_else(|| types.tail_default(then))
                        .unwrap_or(Ty::Unit),
                };
                let then = self.block(then, Some(ty));
                let other = other.as_ref().map(|other| self.block(other, Some(ty)));
                (To::If(cond, then, other), ty)
            }
            ExprKind::Block(block) => {
                let block = self.block(block, expected);
                let ty = block.tail.as_ref().map_or(Ty::Unit, |tail| tail.ty);
                (To::Block(block), ty)
            }
            ExprKind::Field(inner, name) => {
                let inner = self.boxed(inner, complex::whole_of(inner, expected));
                match self.field(inner.ty, name, expr.span) {
                    Some(field) => (To::Field(inner, field), field.ty),
                    None => (To::Scalar(0), Ty::Unit),
                }
            }
            ExprKind::Index(inner, index) => {
                let inner = self.boxed(inner, None);
                let index = self.boxed(index, Some(USIZE));
                match inner.ty {
                    Ty::Array(elem, _) => (To::Index(inner, index), *elem),
                    _ => {
                        self.complain(expr.span, "an index into what is no array");
                        (To::Scalar(0), Ty::Unit)
                    }
                }
            }
            ExprKind::Struct(ty, fields) => {
                let Ty::Struct(layout) = *ty else {
                    self.complain(expr.span, "a structure of what is none");
                    return (To::Scalar(0), Ty::Unit);
                };
                let mut values = Vec::with_capacity(fields.len());
                for (name, value) in *fields {
                    if let Some(field) = self.field(*ty, name, value.span) {
                        values.push((field, self.expr(value, Some(field.ty))));
                    }
                }
                (To::Struct(layout, values), *ty)
            }
            ExprKind::Array(items) => {
                let types = self.types();
                let known = || items.iter().find_map(|item| types.known(item));
                let hint = element(expected).or_else(known);
                let items: Vec<_> = items.iter().map(|item| self.expr(item, hint)).collect();
                let elem = items.first().map_or(Ty::Unit, |item| item.ty);
                let ty = array(elem, items.len(), expected);
                (To::Array(items), ty)
            }
            ExprKind::Repeat(item, n) => {
                let item = self.boxed(item, element(expected));
                let ty = array(item.ty, *n, expected);
                (To::Repeat(item, *n), ty)
            }
        }
    }

    /// Operands of an operator and the type of its result.
    fn binary(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        expected: Option<Ty>,
    ) -> (Box<typed::Expr>, Box<typed::Expr>, Ty) {
        match op {
            BinOp::LazyAnd | BinOp::LazyOr => {
                (self.boxed(a, Some(BOOL)), self.boxed(b, Some(BOOL)), BOOL)
            }
            BinOp::Shl | BinOp::Shr => {
                let a = self.boxed(a, expected);
                let ty = a.ty;
                (a, self.boxed(b, None), ty)
            }
            _ => {
                let compares = matches!(
                    op,
                    BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
                );
                let context = if compares { None } else { expected };
                let types = self.types();
                let operand = types
                    .known(a)
                    .or_else(|| types.known(b))
                    .or_else(|| fits(context, types.default_of(a)))
                    .or_else(|| types.default_of(a));
                let (a, b) = (self.boxed(a, operand), self.boxed(b, operand));
                let ty = if compares { BOOL } else { a.ty };
                (a, b, ty)
            }
        }
    }

    /// Arguments of a function of `flash::math` and the type of its result.
    fn math(
        &mut self,
        function: MathFn,
        args: &[Expr],
        expected: Option<Ty>,
        span: Span,
    ) -> (Vec<typed::Expr>, Ty) {
        let first_only =
            matches!(function, MathFn::Powi | MathFn::RotateLeft | MathFn::RotateRight);
        let shared = if first_only { &args[..args.len().min(1)] } else { args };
        let result = infer::math_result(function, None);
        // Where the result has the type of the arguments, the context types a literal.
        let context = if result.is_none() { expected } else { None };
        let types = self.types();
        let operand = shared
            .iter()
            .find_map(|arg| types.known(arg))
            .or_else(|| shared.first().and_then(|arg| fits(context, types.default_of(arg))))
            .or_else(|| shared.first().and_then(|arg| types.default_of(arg)));
        let second = match function {
            MathFn::Powi => Some(I32),
            MathFn::RotateLeft | MathFn::RotateRight => Some(U32),
            _ => operand,
        };
        let args: Vec<_> = args
            .iter()
            .enumerate()
            .map(|(k, arg)| self.expr(arg, if k == 0 { operand } else { second }))
            .collect();
        let Some(first) = args.first().map(|arg| arg.ty) else {
            self.complain(span, "a function without arguments");
            return (args, Ty::Unit);
        };
        let ty = infer::math_result(function, Some(first)).unwrap_or(first);
        (args, ty)
    }

    /// The bits of a negative literal: `-128_i8` has no positive counterpart.
    fn negative(&mut self, expr: &Expr, expected: Option<Ty>) -> Option<(u64, Ty)> {
        let ExprKind::Unary(UnOp::Neg, inner, _) = &expr.kind else { return None };
        let ExprKind::Int(value, suffix) = inner.kind else { return None };
        let ty = suffix.map_or_else(|| numeric(expected, I32), Ty::Scalar);
        let Ty::Scalar(scalar) = ty else { return None };
        Some((infer::truncate((value as u64).wrapping_neg(), scalar), ty))
    }

    fn int_bits(&mut self, value: u128, ty: Ty, span: Span) -> u64 {
        match ty {
            Ty::Scalar(scalar) if !scalar.is_float() => infer::truncate(value as u64, scalar),
            _ => {
                self.complain(span, format!("the literal {value} where no integer belongs"));
                0
            }
        }
    }

    fn float_bits(&mut self, digits: &str, ty: Ty, span: Span) -> u64 {
        let plain: String = digits.chars().filter(|c| *c != '_').collect();
        let bits = match ty {
            Ty::Scalar(ScalarTy::F32) => plain.parse().ok().map(|x: f32| u64::from(x.to_bits())),
            Ty::Scalar(ScalarTy::F64) => plain.parse().ok().map(f64::to_bits),
            _ => None,
        };
        bits.unwrap_or_else(|| {
            self.complain(span, format!("the literal {digits} where no float belongs"));
            0
        })
    }
}

/// The type of an array, which is the one that is expected if it has as many elements.
fn array(elem: Ty, n: usize, expected: Option<Ty>) -> Ty {
    match expected {
        Some(ty @ Ty::Array(_, len)) if len == n => ty,
        _ => infer::array_of(elem, n),
    }
}

/// The element type of the array that is expected.
fn element(expected: Option<Ty>) -> Option<Ty> {
    match expected {
        Some(Ty::Array(elem, _)) => Some(*elem),
        _ => None,
    }
}

/// The expected type, if an integer literal can have it.
fn numeric(expected: Option<Ty>, default: Ty) -> Ty {
    match expected {
        Some(ty @ Ty::Scalar(scalar)) if !scalar.is_float() && scalar != ScalarTy::Bool => ty,
        _ => default,
    }
}

/// The expected type, if a float literal can have it.
fn float(expected: Option<Ty>) -> Ty {
    match expected {
        Some(ty @ Ty::Scalar(scalar)) if scalar.is_float() => ty,
        _ => F64,
    }
}

/// The type of the context, if it is of the kind that literals of type `like` can have.
fn fits(context: Option<Ty>, like: Option<Ty>) -> Option<Ty> {
    match (context, like) {
        (Some(ty @ Ty::Scalar(a)), Some(Ty::Scalar(b)))
            if a.is_float() == b.is_float() && a != ScalarTy::Bool =>
        {
            Some(ty)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
