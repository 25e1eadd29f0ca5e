//! Types that do not depend on context, and what literals fall back to.

use std::sync::{Mutex, PoisonError};

use super::{BOOL, F64, I32, U32, USIZE, complex, typed};
use crate::ir::{AtomicOp, BinOp, Block, ConstValue, Expr, ExprKind, MathFn, Param, UnOp};
use crate::ty::{ScalarTy, Ty};

/// The types that a body declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Types<'t> {
    /// Of the kernel; a device function has arguments, which are locals.
    pub(crate) params: &'static [Param],
    /// By local id.
    pub(crate) locals: &'t [Ty],
}

impl Types<'_> {
    pub(crate) fn local(&self, id: u16) -> Ty {
        self.locals.get(usize::from(id)).copied().unwrap_or(Ty::Unit)
    }

    pub(super) fn param(&self, id: u16) -> Ty {
        self.params.get(usize::from(id)).map_or(Ty::Unit, |param| param.ty)
    }

    /// The type of an expression, if it does not depend on its context.
    pub(crate) fn known(&self, expr: &Expr) -> Option<Ty> {
        match &expr.kind {
            ExprKind::Int(_, suffix) | ExprKind::Float(_, suffix) => suffix.map(Ty::Scalar),
            ExprKind::Bool(_) => Some(BOOL),
            ExprKind::Const(value) => Some(constant(*value).1),
            ExprKind::Local(id) => Some(self.local(*id)),
            ExprKind::Param(id) => Some(self.param(*id)),
            ExprKind::GlobalId(_)
            | ExprKind::GlobalSize(_)
            | ExprKind::Phase
            | ExprKind::Partition
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => Some(USIZE),
            ExprKind::Load(access) => Some(self.param(access.param)),
            ExprKind::Atomic(_, AtomicOp::Store | AtomicOp::CompareExchange, _) => Some(Ty::Unit),
            ExprKind::Atomic(access, ..) => Some(self.param(access.param)),
            ExprKind::Unary(_, inner, _) => self.known(inner),
            ExprKind::Binary(op, a, b, _) => match op {
                BinOp::Shl | BinOp::Shr => self.known(a),
                BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::Div
                | BinOp::Rem
                | BinOp::And
                | BinOp::Or
                | BinOp::Xor => self.known_sides(a, b),
                _ => Some(BOOL),
            },
            ExprKind::Cast(_, ty) | ExprKind::Struct(ty, _) => Some(*ty),
            ExprKind::Call(function, _) => Some(function.ret),
            ExprKind::Math(function, args, _) => self.known_math(*function, args),
            ExprKind::Complex(function, args) => self.known_complex(*function, args),
            ExprKind::If(_, then, Some(other)) => {
                self.tail_type(then).or_else(|| self.tail_type(other))
            }
            ExprKind::If(_, _, None) => Some(Ty::Unit),
            ExprKind::Block(block) => match block.tail {
                Some(tail) => self.known(tail),
                None => Some(Ty::Unit),
            },
            ExprKind::Field(inner, name) => match self.known(inner)? {
                Ty::Struct(layout) => {
                    layout.fields.iter().find(|field| field.name == *name).map(|field| field.ty)
                }
                _ => None,
            },
            ExprKind::Index(inner, _) => match self.known(inner)? {
                Ty::Array(elem, _) => Some(*elem),
                _ => None,
            },
            ExprKind::Array(items) => {
                let elem = items.iter().find_map(|item| self.known(item))?;
                Some(array_of(elem, items.len()))
            }
            ExprKind::Repeat(item, n) => Some(array_of(self.known(item)?, *n)),
        }
    }

    fn known_math(&self, function: MathFn, args: &[Expr]) -> Option<Ty> {
        match function {
            MathFn::CountOnes | MathFn::LeadingZeros | MathFn::TrailingZeros => Some(U32),
            MathFn::IsNan | MathFn::IsFinite => Some(BOOL),
            MathFn::Powi | MathFn::RotateLeft | MathFn::RotateRight => self.known(args.first()?),
            MathFn::ToBits | MathFn::FromBits | MathFn::AbsDiff => {
                let arg = args.iter().find_map(|arg| self.known(arg))?;
                math_result(function, Some(arg))
            }
            _ => args.iter().find_map(|arg| self.known(arg)),
        }
    }

    /// The type of the value of a block that has one; a block that leaves has none.
    pub(super) fn tail_type(&self, block: &Block) -> Option<Ty> {
        self.known(block.tail?)
    }

    /// What the value of a block falls back to.
    pub(super) fn tail_default(&self, block: &Block) -> Option<Ty> {
        self.default_of(block.tail?)
    }

    /// What an expression of literals falls back to.
    pub(super) fn default_of(&self, expr: &Expr) -> Option<Ty> {
        self.known(expr).or_else(|| complex::default_of(expr)).or_else(|| match &expr.kind {
            ExprKind::Int(..) => Some(I32),
            ExprKind::Float(..) => Some(F64),
            ExprKind::Unary(_, inner, _) => self.default_of(inner),
            ExprKind::Binary(_, a, b, _) => self.default_of(a).or_else(|| self.default_of(b)),
            ExprKind::Math(_, args, _) => self.default_of(args.first()?),
            ExprKind::If(_, then, Some(other)) => {
                self.tail_default(then).or_else(|| self.tail_default(other))
            }
            ExprKind::Block(block) => self.tail_default(block),
            _ => None,
        })
    }
}

/// Whether an expression is a float literal, with or without a sign.
pub(super) fn is_float_like(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Float(..) => true,
        ExprKind::Unary(UnOp::Neg, inner, _) => is_float_like(inner),
        _ => false,
    }
}

/// The result of a function of an argument type where the two differ.
pub(super) fn math_result(function: MathFn, arg: Option<Ty>) -> Option<Ty> {
    let scalar = match arg {
        Some(Ty::Scalar(scalar)) => Some(scalar),
        _ => None,
    };
    match function {
        MathFn::CountOnes | MathFn::LeadingZeros | MathFn::TrailingZeros => Some(U32),
        MathFn::IsNan | MathFn::IsFinite => Some(BOOL),
        MathFn::ToBits => Some(match scalar {
            Some(ScalarTy::F64) => Ty::Scalar(ScalarTy::U64),
            _ => U32,
        }),
        MathFn::FromBits => Some(match scalar {
            Some(ScalarTy::U64) => F64,
            _ => Ty::Scalar(ScalarTy::F32),
        }),
        MathFn::AbsDiff => scalar.map(|scalar| Ty::Scalar(unsigned(scalar))),
        _ => None,
    }
}

/// What a cast expects of its operand: by rustc's hint, a literal of the same kind takes the type of the
/// cast.
pub(crate) fn cast_hint(inner: &Expr, to: Ty) -> Option<Ty> {
    let is_float = matches!(to, Ty::Scalar(to) if to.is_float());
    match (&inner.kind, to) {
        (ExprKind::Int(..) | ExprKind::Unary(..), Ty::Scalar(_)) if !is_float => Some(to),
        (ExprKind::Float(..) | ExprKind::Unary(..), Ty::Scalar(_))
            if is_float && is_float_like(inner) =>
        {
            Some(to)
        }
        _ => None,
    }
}

/// A constant and its type.
pub(super) fn constant(value: ConstValue) -> (typed::ExprKind, Ty) {
    let scalar = |bits, scalar| (typed::ExprKind::Scalar(bits), Ty::Scalar(scalar));
    let array = |elem: ScalarTy, n| (typed::ExprKind::Const(value), array_of(Ty::Scalar(elem), n));
    match value {
        ConstValue::Bool(value) => scalar(u64::from(value), ScalarTy::Bool),
        ConstValue::Int(value, ty) => scalar(truncate(value as u64, ty), ty),
        ConstValue::F32(value) => scalar(u64::from(value.to_bits()), ScalarTy::F32),
        ConstValue::F64(value) => scalar(value.to_bits(), ScalarTy::F64),
        ConstValue::ArrayF32(items) => array(ScalarTy::F32, items.len()),
        ConstValue::ArrayF64(items) => array(ScalarTy::F64, items.len()),
        ConstValue::ArrayI32(items) => array(ScalarTy::I32, items.len()),
        ConstValue::ArrayU32(items) => array(ScalarTy::U32, items.len()),
        ConstValue::ArrayUsize(items) => array(ScalarTy::Usize, items.len()),
        ConstValue::ArrayU8(items) => array(ScalarTy::U8, items.len()),
    }
}

/// The low bits of a number that a scalar type keeps.
pub(super) fn truncate(bits: u64, ty: ScalarTy) -> u64 {
    match ty.size() {
        1 => bits & 0xff,
        2 => bits & 0xffff,
        4 => bits & 0xffff_ffff,
        _ => bits,
    }
}

/// The unsigned integer of the same width.
pub(super) fn unsigned(ty: ScalarTy) -> ScalarTy {
    match ty {
        ScalarTy::I8 => ScalarTy::U8,
        ScalarTy::I16 => ScalarTy::U16,
        ScalarTy::I32 => ScalarTy::U32,
        ScalarTy::I64 => ScalarTy::U64,
        ScalarTy::Isize => ScalarTy::Usize,
        other => other,
    }
}

/// `[elem; n]`.
pub(super) fn array_of(elem: Ty, n: usize) -> Ty {
    macro_rules! elems {
        ($($scalar:ident)*) => {
            match elem {
                $(Ty::Scalar(ScalarTy::$scalar) => &Ty::Scalar(ScalarTy::$scalar),)*
                _ => lasting(elem),
            }
        };
    }
    let elem: &'static Ty = elems!(Bool I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize F32 F64);
    Ty::Array(elem, n)
}

/// A type with an address. Bodies are constants, so there are only so many types.
fn lasting(ty: Ty) -> &'static Ty {
    static KNOWN: Mutex<Vec<&'static Ty>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|known| ***known == ty) {
        return found;
    }
    let new: &'static Ty = Box::leak(Box::new(ty));
    known.push(new);
    new
}
