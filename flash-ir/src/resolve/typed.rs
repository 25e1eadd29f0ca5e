//! The IR with a type on every expression, as interpreters and emitters want it. It is made by
//! [`super::kernel`] only and holds nothing that was guessed.

use crate::ir::{
    AccessClass, AddressSpace, AtomicOp, BinOp, ConstValue, FloatMode, FnIr, KernelIr, LocalId,
    MathFn, ParamId, ReduceOp, Span, UnOp,
};
use crate::ty::{FieldTy, StructTy, Ty};

/// A kernel whose every expression has a type.
#[derive(Debug)]
pub struct Kernel {
    /// What it was made from: name, parameters, rank.
    pub ir: &'static KernelIr,
    /// The types of the locals by id.
    pub locals: Vec<Ty>,
    /// The statements.
    pub body: Block,
    /// The device functions it needs, callees before callers.
    pub functions: Vec<Function>,
    /// Whether it has 64-bit floats, in parameters or on the way.
    pub has_f64: bool,
}

/// A device function whose every expression has a type.
#[derive(Debug)]
pub struct Function {
    /// What it was made from.
    pub ir: &'static FnIr,
    /// The type of the result.
    pub ret: Ty,
    /// Types of the locals.
    pub locals: Vec<Ty>,
    /// The body; its tail is the result.
    pub body: Block,
}

/// Statements and the value of the last expression.
#[derive(Debug, Default)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub tail: Option<Box<Expr>>,
}

/// A statement; see [`crate::ir::Stmt`].
#[derive(Debug)]
#[expect(missing_docs, reason = "the fields of `crate::ir::Stmt`")]
#[expect(clippy::large_enum_variant, reason = "a few hundred statements, read once")]
pub enum Stmt {
    Let(LocalId, Option<Expr>, Span),
    Assign(Place, Expr, Span),
    Update(Place, BinOp, Expr, FloatMode, Span),
    Reduce(ParamId, ReduceOp, Expr, Span),
    Expr(Expr),
    For {
        local: LocalId,
        lo: Expr,
        hi: Expr,
        inclusive: bool,
        rev: bool,
        step: Option<Expr>,
        body: Block,
        span: Span,
    },
    While {
        cond: Expr,
        body: Block,
        span: Span,
    },
    Break(Span),
    Continue(Span),
    Return(Option<Expr>, Span),
    Barrier(Span),
}

/// Something that can be assigned, with the type of what it holds.
#[derive(Debug)]
pub struct Place {
    /// Where it starts.
    pub base: Base,
    /// The steps into it.
    pub projs: Vec<Proj>,
    /// The type of the part reached.
    pub ty: Ty,
}

/// Where a place starts.
#[derive(Debug)]
pub enum Base {
    /// A local.
    Local(LocalId),
    /// An array element.
    Elem(Access),
}

/// A step into a structure or small array.
#[derive(Debug)]
pub enum Proj {
    /// A field.
    Field(&'static FieldTy),
    /// An element of a small array of this element type and length.
    Index(Expr, &'static Ty, usize),
}

/// An access to an array element.
#[derive(Debug)]
pub struct Access {
    /// The array.
    pub param: ParamId,
    /// Number of the access in source order.
    pub site: u16,
    /// Memory the array lives in.
    pub space: AddressSpace,
    /// One `usize` for each dimension.
    pub index: Vec<Expr>,
    /// How it was classified.
    pub class: AccessClass,
    /// Where it was written.
    pub span: Span,
}

/// An expression with its type.
#[derive(Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it was written.
    pub span: Span,
    /// Whether two items of one launch may see different values.
    pub varying: bool,
}

/// What an expression computes; see [`crate::ir::ExprKind`].
#[derive(Debug)]
#[expect(missing_docs, reason = "the variants of `crate::ir::ExprKind`")]
pub enum ExprKind {
    /// A scalar by its bits, zero-extended.
    Scalar(u64),
    /// A constant array.
    Const(ConstValue),
    Local(LocalId),
    Param(ParamId),
    GlobalId(u8),
    GlobalSize(u8),
    Phase,
    Partition,
    Len(ParamId),
    Extent(ParamId, u8),
    Load(Access),
    Atomic(Access, AtomicOp, Vec<Expr>),
    Unary(UnOp, Box<Expr>, FloatMode),
    Binary(BinOp, Box<Expr>, Box<Expr>, FloatMode),
    /// To the type of the expression.
    Cast(Box<Expr>),
    /// Index into [`Kernel::functions`].
    Call(usize, Vec<Expr>),
    Math(MathFn, Vec<Expr>, FloatMode),
    If(Box<Expr>, Block, Option<Block>),
    Block(Block),
    Field(Box<Expr>, &'static FieldTy),
    Index(Box<Expr>, Box<Expr>),
    /// The fields in the order written.
    Struct(&'static StructTy, Vec<(&'static FieldTy, Expr)>),
    Array(Vec<Expr>),
    Repeat(Box<Expr>, usize),
}
