//! The IR as a language: structured control flow over typed values. It holds no guessed type; the
//! types of locals come from [`Locals::types`], every other one from declarations and context.
//!
//! Evaluation: every launch runs `body` once per work item; items are independent. Integer
//! arithmetic wraps; float operations are the correctly rounded ones of IEEE 754 unless the
//! operation's [`FloatMode`] says `Fast`. An out-of-range access yields zero or writes nothing and
//! records the first violation.

use crate::ty::{ScalarTy, Ty};

/// Where a node came from, in the file of its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// Line, from 1; 0 where unknown.
    pub line: u32,
    /// Column, from 1; 0 where unknown.
    pub column: u32,
}

impl Span {
    /// A line and column, both from 1.
    pub const fn at(line: u32, column: u32) -> Self {
        Self { line, column }
    }
}

/// The meaning of float operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatMode {
    /// Every operation rounds once; no contraction, no reassociation.
    Strict,
    /// `fast_math`: a sum one side of which is a product rounds once where multiply-adds are fused, of two
    /// products the right one; nothing is reassociated.
    Fast,
}

/// A kernel body.
#[derive(Debug)]
pub struct KernelIr {
    /// Name of the kernel.
    pub name: &'static str,
    /// File of the body, for `#line` directives and messages.
    pub file: &'static str,
    /// Rank of the index space.
    pub rank: u8,
    /// The parameters in declaration order.
    pub params: &'static [Param],
    /// The locals of the body.
    pub locals: Locals,
    /// The statements run for each item.
    pub body: Block,
    /// Default float mode of the body.
    pub float: FloatMode,
}

/// A device function.
#[derive(Debug)]
pub struct FnIr {
    /// Name of the function.
    pub name: &'static str,
    /// Path of its module, without the version of the crate.
    pub path: &'static str,
    /// File of the body, for `#line` directives.
    pub file: &'static str,
    /// Names and types of the arguments; argument `k` is local `k`.
    pub params: &'static [(&'static str, Ty)],
    /// The type of the result.
    pub ret: Ty,
    /// The locals, arguments first.
    pub locals: Locals,
    /// The body; its tail is the result.
    pub body: Block,
    /// Float mode of the body.
    pub float: FloatMode,
}

/// Implemented by the type that `#[flash::device]` makes beside the function.
pub trait DeviceFn {
    /// The body as constant data. It has one address, which functions are told apart by.
    const IR: &'static FnIr;
}

/// Names and types of the locals of a body.
#[derive(Clone, Copy)]
pub struct Locals {
    /// The names as written, by local id.
    pub names: &'static [&'static str],
    /// The types by local id, read off rustc's inference.
    pub types: fn() -> Vec<Ty>,
}

impl std::fmt::Debug for Locals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Locals").field("names", &self.names).finish_non_exhaustive()
    }
}

/// A parameter of a kernel, as the body sees it.
#[derive(Debug)]
pub struct Param {
    /// The name as written.
    pub name: &'static str,
    /// What the body may do with it.
    pub kind: ParamKind,
    /// Type of the value, or of one element.
    pub ty: Ty,
    /// 0 for a scalar, else the rank of the array.
    pub rank: u8,
}

/// What a body may do with a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A value.
    Value,
    /// An array that is read.
    In,
    /// An array that is read and written.
    InOut,
    /// An array that is written entirely.
    Out,
    /// An array that is written in part.
    OutPartial,
    /// A temporary array, zero at the start of each launch.
    Scratch,
    /// A reduction cell.
    Reduce(ReduceOp),
    /// An array of atomic cells.
    Atomic,
}

/// The operation of a reduction; its identity is where each partial result starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduceOp {
    /// `+`, identity 0
    Add,
    /// `*`, identity 1
    Mul,
    /// `min`, identity the largest value (`+inf` for floats)
    Min,
    /// `max`, identity the smallest value (`-inf` for floats)
    Max,
    /// `&`, identity all ones
    And,
    /// `|`, identity 0
    Or,
    /// `^`, identity 0
    Xor,
}

/// Statements and the value of the last expression, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// In order.
    pub stmts: &'static [Stmt],
    /// The value of the block.
    pub tail: Option<&'static Expr>,
}

/// Index of a local in [`Locals`].
pub type LocalId = u16;
/// Index of a parameter.
pub type ParamId = u16;

/// A statement.
#[derive(Debug)]
pub enum Stmt {
    /// `let x = init;`; without `init` the local is assigned before it is read.
    Let(LocalId, Option<Expr>, Span),
    /// `place = value;`
    Assign(Place, Expr, Span),
    /// `place op= value;`
    Update(Place, BinOp, Expr, FloatMode, Span),
    /// `*s op= value;` on a reduction parameter.
    Reduce(ParamId, Expr, Span),
    /// An expression for its effect.
    Expr(Expr),
    /// `for local in lo..hi { body }`; `inclusive` for `..=`, `rev` for `.rev()`, `step` for
    /// `.step_by(k)`.
    For {
        /// The loop variable.
        local: LocalId,
        /// First value.
        lo: Expr,
        /// End of the range.
        hi: Expr,
        /// Whether `hi` is taken too.
        inclusive: bool,
        /// Whether the range runs backwards.
        rev: bool,
        /// The stride, where one is written.
        step: Option<Expr>,
        /// What is repeated.
        body: Block,
        /// The `for` keyword.
        span: Span,
    },
    /// `while cond { body }`; `loop` is `while true`.
    While {
        /// Tested before each trip.
        cond: Expr,
        /// What is repeated.
        body: Block,
        /// The keyword.
        span: Span,
    },
    /// `break;` of the innermost loop.
    Break(Span),
    /// `continue;` of the innermost loop.
    Continue(Span),
    /// `return;` or `return value;`
    Return(Option<Expr>, Span),
    /// A work-group barrier; reserved, under uniform conditions only.
    Barrier(Span),
}

impl Stmt {
    /// Whether what follows it may not run any more.
    pub(crate) fn leaves(&self) -> bool {
        matches!(self, Self::Return(..) | Self::Break(_) | Self::Continue(_))
    }
}

/// Something that can be assigned.
#[derive(Debug)]
pub enum Place {
    /// A local, or a part of one.
    Local(LocalId, &'static [Proj]),
    /// An array element, or a part of one.
    Elem(Access, &'static [Proj]),
}

/// A step into a structure or small array.
#[derive(Debug)]
pub enum Proj {
    /// `.name`
    Field(&'static str),
    /// `[index]`
    Index(Expr),
}

/// An access to an element of an array parameter.
#[derive(Debug)]
pub struct Access {
    /// The array.
    pub param: ParamId,
    /// Number of the access in source order, from 0; names it in messages and `explain()`.
    pub site: u16,
    /// Memory the array lives in.
    pub space: AddressSpace,
    /// One index for each dimension of the array.
    pub index: &'static [Expr],
    /// One affine form for each dimension; `None` where the index is not of that form.
    pub affine: &'static [Option<Affine>],
    /// How the access was classified.
    pub class: AccessClass,
    /// The name of the array at the access.
    pub span: Span,
}

/// `global_id(dim) + offset`, or `offset` alone where `dim` is `None`; `offset` is uniform.
#[derive(Debug)]
pub struct Affine {
    /// The launch dimension, from 0.
    pub dim: Option<u8>,
    /// The uniform rest; `None` for 0.
    pub offset: Option<&'static Expr>,
}

/// Memory an array lives in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressSpace {
    /// Memory of the device.
    Global,
    /// Memory of one work group; reserved.
    Local,
    /// Registers of one item.
    Private,
}

/// Who proves that an access is in range and belongs to the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessClass {
    /// The item's own place: proved when the launch is bound.
    Own,
    /// A read at an affine index: proved by interval, else checked.
    Affine,
    /// Checked at the access.
    Checked,
    /// In `unsafe`: checked only under `FLASH_CHECK=all`.
    Unchecked,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it was written.
    pub span: Span,
    /// Whether two items of one launch may see different values.
    pub varying: bool,
}

impl Expr {
    /// An expression written at a line and column.
    pub const fn at(line: u32, column: u32, varying: bool, kind: ExprKind) -> Self {
        Self { kind, span: Span { line, column }, varying }
    }
}

/// What an expression computes.
#[derive(Debug)]
pub enum ExprKind {
    /// A literal; a `None` type is inferred from context, then `i32` or `f64`.
    Int(u128, Option<ScalarTy>),
    /// A float literal, as the digits written.
    Float(&'static str, Option<ScalarTy>),
    /// `true` or `false`.
    Bool(bool),
    /// A Rust constant, resolved by rustc.
    Const(ConstValue),
    /// The value of a local.
    Local(LocalId),
    /// The value of a scalar parameter.
    Param(ParamId),
    /// `global_id(d)`, from 0.
    GlobalId(u8),
    /// `global_size(d)`
    GlobalSize(u8),
    /// `phase()`, from 0: the same for all items of a phase of a launch.
    Phase,
    /// `partition()`, from 0: the same for all items of a part of a launch.
    Partition,
    /// `x.len()` of an array parameter: the product of its extents.
    Len(ParamId),
    /// `x.extent(d)` of an array parameter.
    Extent(ParamId, u8),
    /// The value at an access; `x[i].field` is a `Field` of it.
    Load(Access),
    /// An atomic operation on an element.
    Atomic(Access, AtomicOp, &'static [Expr]),
    /// `-x`, `!x`
    Unary(UnOp, &'static Expr, FloatMode),
    /// `a op b`
    Binary(BinOp, &'static Expr, &'static Expr, FloatMode),
    /// `x as T`
    Cast(&'static Expr, Ty),
    /// A device function.
    Call(&'static FnIr, &'static [Expr]),
    /// A function of `flash::math` or a method of the same meaning.
    Math(MathFn, &'static [Expr], FloatMode),
    /// A function of complex numbers; of operators the types say whether they are of such numbers.
    Complex(ComplexFn, &'static [Expr]),
    /// `if c { .. } else { .. }` as a value or for its effect.
    If(&'static Expr, Block, Option<Block>),
    /// `{ .. }`
    Block(Block),
    /// `x.field`
    Field(&'static Expr, &'static str),
    /// `x[i]` of a small array.
    Index(&'static Expr, &'static Expr),
    /// `S { a: .., b: .. }`
    Struct(Ty, &'static [(&'static str, Expr)]),
    /// `[a, b, c]`
    Array(&'static [Expr]),
    /// `[x; N]`
    Repeat(&'static Expr, usize),
}

/// A constant that rustc resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstValue {
    /// `bool`
    Bool(bool),
    /// An integer of a type, as its two's complement bits extended to 128.
    Int(i128, ScalarTy),
    /// `f32`
    F32(f32),
    /// `f64`
    F64(f64),
    /// `[f32; N]`
    ArrayF32(&'static [f32]),
    /// `[f64; N]`
    ArrayF64(&'static [f64]),
    /// `[i32; N]`
    ArrayI32(&'static [i32]),
    /// `[u32; N]`
    ArrayU32(&'static [u32]),
    /// `[usize; N]`
    ArrayUsize(&'static [usize]),
    /// `[u8; N]`
    ArrayU8(&'static [u8]),
}

/// Carries a constant of any supported type to [`ConstValue`]; the call resolves in a constant.
#[derive(Debug)]
pub struct Leaf<T>(pub T);

/// Types whose constants a body may name. Of a structure it names fields: `C.field`.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` cannot be a value in a kernel",
    label = "not a number, `bool` or array of numbers",
    note = "name a field of a constant structure, `C.field`, or make the structure in the body: \
            `S {{ field: C.field, .. }}`",
    note = "arrays are of `f32`, `f64`, `i32`, `u32`, `usize` or `u8`"
)]
pub trait NumberBoolOrArray: Sized + 'static {
    /// What carries the constant. Where the type is not one of a constant there is none, so that
    /// rustc says so once.
    type Leaf;
}

/// A constant that a body names; where the type is not one of a constant, rustc says so.
pub const fn constant<T>(value: &'static T) -> T::Leaf
where
    T: NumberBoolOrArray<Leaf = Leaf<&'static T>>,
{
    Leaf(value)
}

macro_rules! int_leaves {
    ($($rust:ty => $scalar:ident),* $(,)?) => {
        $(impl NumberBoolOrArray for $rust {
            type Leaf = Leaf<&'static $rust>;
        }
        impl Leaf<&'static $rust> {
            /// The constant as IR.
            pub const fn value(self) -> ConstValue {
                ConstValue::Int(*self.0 as i128, ScalarTy::$scalar)
            }
        })*
    };
}
int_leaves!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, isize => Isize,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, usize => Usize);

macro_rules! other_leaves {
    ($($rust:ty => $variant:ident),* $(,)?) => {
        $(impl NumberBoolOrArray for $rust {
            type Leaf = Leaf<&'static $rust>;
        }
        impl Leaf<&'static $rust> {
            /// The constant as IR.
            pub const fn value(self) -> ConstValue { ConstValue::$variant(*self.0) }
        })*
    };
}
other_leaves!(bool => Bool, f32 => F32, f64 => F64);

macro_rules! array_leaves {
    ($($rust:ty => $variant:ident),* $(,)?) => {
        $(impl<const N: usize> NumberBoolOrArray for [$rust; N] {
            type Leaf = Leaf<&'static [$rust; N]>;
        }
        impl<const N: usize> Leaf<&'static [$rust; N]> {
            /// The constant as IR.
            pub const fn value(self) -> ConstValue { ConstValue::$variant(self.0) }
        })*
    };
}
array_leaves!(f32 => ArrayF32, f64 => ArrayF64, i32 => ArrayI32, u32 => ArrayU32,
    usize => ArrayUsize, u8 => ArrayU8);

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    /// `-x`
    Neg,
    /// `!x`
    Not,
}

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the Rust operator of its name")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    /// `&&`, which evaluates its right side only where needed.
    LazyAnd,
    /// `||`, which evaluates its right side only where needed.
    LazyOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// An atomic operation; all are relaxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the `Atomic` method of its name")]
pub enum AtomicOp {
    Load,
    Store,
    FetchAdd,
    FetchSub,
    FetchMin,
    FetchMax,
    FetchAnd,
    FetchOr,
    FetchXor,
    Swap,
    CompareExchange,
}

/// A function of complex numbers; the arguments are written one after the other, the number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the function of its name in `num_complex`")]
pub enum ComplexFn {
    New,
    Conj,
    NormSqr,
    L1Norm,
    Inv,
    Scale,
    Unscale,
}

/// A function of `flash::math`, or the method of the same name on a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the function of its name")]
pub enum MathFn {
    Abs,
    Min,
    Max,
    Clamp,
    Sqrt,
    Rsqrt,
    Floor,
    Ceil,
    Round,
    RoundTiesEven,
    Trunc,
    Fract,
    MulAdd,
    Exp,
    Exp2,
    Ln,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Tanh,
    Atan,
    Atan2,
    Pow,
    Powi,
    Erf,
    Hypot,
    Recip,
    Signum,
    Copysign,
    ToBits,
    FromBits,
    WrappingAdd,
    WrappingSub,
    WrappingMul,
    WrappingNeg,
    SaturatingAdd,
    SaturatingSub,
    AbsDiff,
    RotateLeft,
    RotateRight,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    RemEuclid,
    DivEuclid,
    IsNan,
    IsFinite,
}
