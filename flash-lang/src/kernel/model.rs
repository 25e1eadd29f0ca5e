//! What a valid kernel is: the result of `check`, from which `expand` cannot fail.
//!
//! The body is a tree close to `flash_ir::ir`, but it keeps the user's tokens (identifiers, types,
//! literals, paths), so that rustc speaks at them. It holds no types of expressions.

use proc_macro2::{Ident, Span, TokenStream};

/// A checked kernel.
#[derive(Debug)]
pub struct Kernel {
    /// The item's attributes that are not ours (docs, `cfg`, lints).
    pub attrs: Vec<syn::Attribute>,
    /// Its visibility.
    pub vis: syn::Visibility,
    /// Its name.
    pub name: Ident,
    /// Path to the facade: `::flash`, or what `crate = path` says.
    pub krate: syn::Path,
    /// The options.
    pub options: Options,
    /// Type and const parameters with their instances; one entry, without arguments, for a kernel
    /// that is not generic.
    pub generics: Vec<Generic>,
    /// The parameters in declaration order.
    pub params: Vec<Param>,
    /// `when = parameter`: the one that says whether a launch runs at all.
    pub when: Option<usize>,
    /// Rank of the index space.
    pub rank: usize,
    /// `None` for a declaration without a body.
    pub body: Option<Body>,
    /// FNV-1a-64 of the normalised signature.
    pub signature: u64,
}

/// What the attribute says.
#[derive(Debug, Default)]
pub struct Options {
    /// `inputs = n`
    pub inputs: Option<u32>,
    /// `idempotent`
    pub idempotent: bool,
    /// `fast_math`
    pub fast_math: bool,
    /// `portable`, and where it is written
    pub portable: Option<Span>,
    /// `deterministic`
    pub deterministic: bool,
    /// `sort_by(..)`, `group_by(..)`
    pub order: Order,
    /// `part_by`
    pub parts: Parts,
    /// `searchable(..)`: a variant of `flash_rt::descriptor::Search`.
    pub search: Option<Ident>,
    /// `index_table`, `index_table(..)`
    pub table: Option<Table>,
    /// `requires(..)`: variants of `flash_rt::descriptor::Need`.
    pub needs: Vec<Ident>,
    /// Native implementations.
    pub natives: Vec<Native>,
}

/// The table of indices that native code asks for.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Whether all indices of an item stand together.
    pub by_item: bool,
    /// The bytes of an index, where written.
    pub bytes: Option<u8>,
    /// The word `index_table`.
    pub span: Span,
}

/// The phases that the attribute asks for.
#[derive(Debug, Default)]
pub struct Order {
    /// `sort_by(d, ..)`: the key, most significant first.
    pub sort_by: Vec<Dimension>,
    /// Every `group_by(..)`.
    pub group_by: Vec<GroupBy>,
}

impl Order {
    /// Every dimension that is named, in no order.
    pub fn dimensions(&self) -> impl Iterator<Item = &Dimension> {
        self.sort_by.iter().chain(self.group_by.iter().map(|group| &group.dim))
    }

    /// The least rank of an index space that has all of them.
    pub fn rank(&self) -> usize {
        self.dimensions().map(|dim| usize::from(dim.number) + 1).max().unwrap_or(0)
    }
}

/// A dimension as an attribute names it.
#[derive(Debug)]
pub struct Dimension {
    /// From 0.
    pub number: u8,
    /// The token.
    pub span: Span,
}

/// `group_by(d)`, `group_by(d, value)`
#[derive(Debug)]
pub struct GroupBy {
    /// The dimension.
    pub dim: Dimension,
    /// A constant expression.
    pub value: Option<syn::Expr>,
}

/// How a launch may be split.
#[derive(Debug, Default)]
pub enum Parts {
    /// No `part_by`.
    #[default]
    Whole,
    /// `part_by`, and its token.
    Inferred(Span),
    /// `part_by = function`
    By(syn::ExprPath),
}

/// One native implementation.
#[derive(Debug)]
pub struct Native {
    /// `cuda`, `opencl`, `fpga` or `cpu`.
    pub backend: Ident,
    /// `file = ".."`, relative to the crate and embedded.
    pub file: Option<syn::LitStr>,
    /// `source = TEXT`, a constant.
    pub source: Option<syn::Expr>,
    /// `path = ".."`, opened at run time.
    pub path: Option<syn::LitStr>,
    /// `entry = ".."`; the kernel's name where absent.
    pub entry: Option<syn::LitStr>,
    /// `family = ".."`
    pub family: Option<syn::LitStr>,
    /// `options = ".."`
    pub build_options: Option<syn::LitStr>,
    /// `block(..)`
    pub block: Vec<u32>,
    /// `grid(..)`
    pub grid: Vec<u32>,
    /// `shared = bytes`
    pub shared: u32,
    /// `args(..)`: a parameter, or the length of one.
    pub args: Vec<NativeArg>,
    /// `guarded`
    pub guarded: bool,
    /// `cooperative`
    pub cooperative: bool,
    /// `globals(..)`: a variable of the code, and what it is filled with.
    pub globals: Vec<(Ident, NativeArg)>,
}

/// One argument of a native implementation.
#[derive(Debug, Clone, Copy)]
pub enum NativeArg {
    /// A parameter.
    Param(usize),
    /// `a.len()`
    Len(usize),
}

/// A generic parameter with its instances.
#[derive(Debug)]
pub struct Generic {
    /// Its name.
    pub name: Ident,
    /// The type of a const parameter.
    pub const_ty: Option<syn::Type>,
    /// Types, or constant expressions.
    pub instances: Vec<TokenStream>,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Its name; the one-token anchor of everything generated for it.
    pub name: Ident,
    /// How it is used.
    pub role: Role,
    /// How its type was written.
    pub form: Form,
    /// The path of `View`, `ViewMut` or `Atomic` as written, without its arguments.
    pub wrapper: Option<syn::Path>,
    /// Type of the value, or of one element.
    pub elem: syn::Type,
    /// 0 for a value or reduction cell, 1 for slices, 1 to 4 for views.
    pub rank: usize,
    /// The length of a `#[scratch(len)]`, over values and extents.
    pub scratch_len: Option<Expr>,
    /// For a written array that is not `raw`: one component for each dimension. A parameter that
    /// is never accessed has all components `Free`, which any launch of more than one item refuses.
    pub own: Vec<OwnComponent>,
    /// For a written array: whether an access to it stands in `unsafe { }`.
    pub raw: bool,
    /// Whether every path of the body writes the own place.
    pub always_written: bool,
}

/// How a parameter is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// By value.
    Value,
    /// `&[T]`, `View`
    In,
    /// `&mut [T]`, `ViewMut`
    InOut,
    /// `#[out]`
    Out,
    /// `#[out(partial)]`
    OutPartial,
    /// `#[scratch(len)]`
    Scratch,
    /// `#[reduce(op)]`, `#[reduce(op, into)]`
    Reduce {
        /// Variant of `flash_ir::ir::ReduceOp`.
        op: ReduceOp,
        /// Whether the cell's value takes part.
        into: bool,
    },
    /// `&[Atomic<T>]`
    Atomic,
}

/// The operation of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants of `flash_ir::ir::ReduceOp`")]
pub enum ReduceOp {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// How the type of a parameter was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `T`
    Value,
    /// `&[T]`, `&mut [T]`
    Slice,
    /// `View<'_, T, D>`, `ViewMut<'_, T, D>`
    View,
    /// `&mut T` with `#[reduce]`
    Cell,
    /// `&[Atomic<T>]`
    Atomics,
}

/// One component of an own place.
#[derive(Debug)]
pub enum OwnComponent {
    /// `global_id(dim)`, plus a uniform offset.
    Id(u8, Option<Expr>),
    /// Anything.
    Free,
}

/// A body.
#[derive(Debug)]
pub struct Body {
    /// The locals, by id. Two locals of one name have different ids.
    pub locals: Vec<Local>,
    /// Number of access sites.
    pub n_sites: usize,
    /// What is run for each item.
    pub block: Block,
}

/// A local.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name as written.
    pub name: Ident,
    /// The type, where written.
    pub ty: Option<syn::Type>,
    /// The scalar type, where what is written says it.
    pub scalar: Option<&'static str>,
    /// Whether it is `mut`.
    pub mutable: bool,
    /// Whether two items may see different values.
    pub varying: bool,
    /// `let` at the top of the body, never reassigned, whose value is a launch-uniform or
    /// line-uniform (dimensions from 1) expression of values, extents, ids and such locals by
    /// `+ - *`: may be computed before the items of a line.
    pub hoistable: bool,
    /// `let i = global_id(d);`, or another such local, and `i` is not `mut`.
    pub id_of: Option<u8>,
}

/// Statements and the value of the last expression.
#[derive(Debug, Default)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub tail: Option<Box<Expr>>,
}

/// A statement.
#[derive(Debug)]
pub enum Stmt {
    /// `let x: T = init;`
    Let(usize, Option<Expr>),
    /// `place = value;`
    Assign(Place, Expr, Span),
    /// `place op= value;`
    Update(Place, syn::BinOp, Expr, Span),
    /// `*s op= value;` on a reduction cell, in whatever form it was written.
    Reduce(usize, Expr, Span),
    /// An expression for its effect.
    Expr(Expr),
    /// `for x in lo..hi { .. }`
    For(For),
    /// `while cond { .. }`; `loop` has no condition.
    While(Option<Expr>, Block, Span),
    /// `break;`
    Break(Span),
    /// `continue;`
    Continue(Span),
    /// `return value;`
    Return(Option<Expr>, Span),
    /// `unsafe { .. }` as a statement; accesses to parameters inside are of class `Unchecked`.
    Unsafe(syn::Token![unsafe], Block),
}

/// A counted loop.
#[derive(Debug)]
pub struct For {
    /// The `for` keyword.
    pub span: Span,
    /// The variable.
    pub local: usize,
    /// First value.
    pub lo: Expr,
    /// End.
    pub hi: Expr,
    /// `..=`
    pub inclusive: bool,
    /// `.rev()`, which comes before `.step_by(k)`.
    pub rev: bool,
    /// `.step_by(k)`
    pub step: Option<Expr>,
    /// What is repeated.
    pub body: Block,
}

/// Something that can be assigned.
#[derive(Debug)]
pub enum Place {
    /// A local or a part of it.
    Local(usize, Span, Vec<Proj>),
    /// An element or a part of it.
    Elem(Access, Vec<Proj>),
}

/// A step into a structure or small array.
#[derive(Debug)]
pub enum Proj {
    /// `.name`
    Field(syn::Member),
    /// `[index]`
    Index(Expr),
}

/// An access to an element of an array parameter.
#[derive(Debug)]
pub struct Access {
    /// The array.
    pub param: usize,
    /// Number in source order, from 0.
    pub site: usize,
    /// The span of the array's name at the access.
    pub span: Span,
    /// One index for each dimension of the array.
    pub index: Vec<Expr>,
    /// One affine form for each dimension; `None` where the index has another form.
    pub affine: Vec<Option<Affine>>,
    /// Who proves it.
    pub class: AccessClass,
}

/// The most dimensions of an index space: `flash_rt::space::MAX_RANK`.
pub(crate) const MAX_RANK: usize = 254;

/// `global_id(dim) + offset`, or an index without an id of its own where `dim` is `None`. The
/// offset is hoistable.
#[derive(Clone, Debug)]
pub struct Affine {
    /// The launch dimension; 0 wherever `global_id(0)` occurs.
    pub dim: Option<u8>,
    /// The whole index as written; only `+` and `-` around the id, which is never subtracted.
    pub whole: Expr,
    /// Whether the offset mentions ids of dimensions from 1 (`x[j * w + i]`): then the form holds
    /// along a line only. Never at an own place.
    pub line: bool,
}

/// Who proves that an access is in range and belongs to the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants of `flash_ir::ir::AccessClass`")]
pub enum AccessClass {
    Own,
    Affine,
    Checked,
    Unchecked,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// One token of it.
    pub span: Span,
    /// Whether two items may see different values.
    pub varying: bool,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Lit(syn::Lit),
    /// A constant of the surrounding scope, or a const generic parameter.
    Const(syn::Path),
    /// A local.
    Local(usize),
    /// A value parameter.
    Param(usize),
    /// `global_id(d)`
    GlobalId(u8),
    /// A number that belongs to the launch.
    Launch(LaunchWord),
    /// `x.len()` of an array parameter.
    Len(usize),
    /// `x.extent(d)` of an array parameter.
    Extent(usize, u8),
    /// An element.
    Load(std::rc::Rc<Access>),
    /// A method of `Atomic` on an element.
    Atomic(std::rc::Rc<Access>, Ident, Vec<Expr>),
    /// `-x`, `!x`
    Unary(syn::UnOp, Box<Expr>),
    /// `a op b`
    Binary(Box<Expr>, syn::BinOp, Box<Expr>),
    /// `x as T`
    Cast(Box<Expr>, syn::Type),
    /// `math::f(..)` with its path as written, or a method of the same name on a scalar; receiver
    /// first.
    Math(Option<syn::Path>, Ident, Vec<Expr>),
    /// `T::f(..)` of a scalar type `T` where `f` is a math function: `f32::from_bits(x)`.
    Assoc(syn::Path, Ident, Vec<Expr>),
    /// A function of complex numbers; `C::new(..)` with its path as written.
    Complex(Option<syn::Path>, Ident, Vec<Expr>),
    /// A device function.
    Call(syn::Path, Vec<Expr>),
    /// `if c { .. } else { .. }`
    If(Box<Expr>, std::rc::Rc<Block>, Option<std::rc::Rc<Block>>),
    /// `{ .. }`
    Block(std::rc::Rc<Block>),
    /// `unsafe { .. }` as a value.
    Unsafe(syn::Token![unsafe], std::rc::Rc<Block>),
    /// `x.field`
    Field(Box<Expr>, syn::Member),
    /// `x[i]` of a small array.
    Index(Box<Expr>, Box<Expr>),
    /// `S { a: .. }`
    Struct(syn::Path, Vec<(Ident, Expr)>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[x; N]`
    Repeat(Box<Expr>, Box<Expr>),
    /// `( x )`
    Paren(Box<Expr>),
}

/// A number that is the same for all items that run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchWord {
    /// `global_size(d)`
    Size(u8),
    /// `phase()`: not known before the phase begins.
    Phase,
    /// `partition()`: not known before the launch is split.
    Partition,
}

/// A checked `#[flash::device]` function. Its body reads its arguments as the first locals.
#[derive(Debug)]
pub struct DeviceFn {
    /// The item as written, without our attribute: what the CPU calls.
    pub item: TokenStream,
    /// Its visibility.
    pub vis: syn::Visibility,
    /// Its name.
    pub name: Ident,
    /// Path to the facade.
    pub krate: syn::Path,
    /// `fast_math`
    pub fast_math: bool,
    /// `portable`
    pub portable: bool,
    /// Names and types of the arguments; argument `k` is local `k`.
    pub params: Vec<(Ident, syn::Type)>,
    /// The type of the result; `None` for `()`.
    pub ret: Option<syn::Type>,
    /// The body; its tail is the result.
    pub body: Body,
}
