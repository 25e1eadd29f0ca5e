//! Index arithmetic as the lowering understands it: sums, differences and products of ids and
//! uniform values, without types. What it does not understand is `None`, and goes the checked way.

use proc_macro2::TokenStream;
use quote::quote;
use syn::BinOp;

use super::names::{self, Names};
use crate::kernel::model::{Body, Expr, ExprKind, Kernel, Stmt};

/// An index expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sym {
    /// `global_id(d)`
    Id(u8),
    /// A `usize` that is the same for the whole launch.
    Atom(Atom),
    Op(Op, Box<(Sym, Sym)>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// A launch-uniform leaf, as an expression without arithmetic.
#[derive(Clone, Debug)]
pub(super) struct Atom(pub(super) Expr);

impl PartialEq for Atom {
    fn eq(&self, other: &Self) -> bool {
        key(&self.0) == key(&other.0)
    }
}

/// Turns expressions into [`Sym`]s, seeing through the locals that may be hoisted.
pub(super) struct Syms<'k> {
    kernel: &'k Kernel,
    body: &'k Body,
    inits: Vec<Option<&'k Expr>>,
}

impl<'k> Syms<'k> {
    pub(super) fn new(kernel: &'k Kernel, body: &'k Body) -> Self {
        let mut inits = vec![None; body.locals.len()];
        for stmt in &body.block.stmts {
            if let Stmt::Let(local, Some(init)) = stmt
                && (body.locals[*local].hoistable || body.locals[*local].id_of.is_some())
            {
                inits[*local] = Some(init);
            }
        }
        Self { kernel, body, inits }
    }

    /// What a local that may be hoisted stands for.
    pub(super) fn init(&self, local: usize) -> Option<&'k Expr> {
        self.inits[local]
    }

    /// The expression, if it is index arithmetic. Without an id in it, its type may be another one
    /// than `usize`, unless the caller knows better.
    pub(super) fn of(&self, expr: &Expr) -> Option<Sym> {
        match &expr.kind {
            ExprKind::GlobalId(dim) => Some(Sym::Id(*dim)),
            ExprKind::Local(local) => match self.body.locals[*local].id_of {
                Some(dim) => Some(Sym::Id(dim)),
                None => self.of(self.inits[*local]?),
            },
            ExprKind::Paren(inner) => self.of(inner),
            ExprKind::Binary(a, op, b) => {
                let op = match op {
                    BinOp::Add(_) => Op::Add,
                    BinOp::Sub(_) => Op::Sub,
                    BinOp::Mul(_) => Op::Mul,
                    BinOp::Div(_) => Op::Div,
                    BinOp::Rem(_) => Op::Rem,
                    _ => return None,
                };
                let (a, b) = (self.of(a)?, self.of(b)?);
                // Products and quotients of ids are not lines; sums of them may be.
                let uniform = !a.has_id(0) && !b.has_id(0);
                match op {
                    Op::Mul | Op::Div | Op::Rem if !uniform => None,
                    _ => Some(Sym::Op(op, Box::new((a, b)))),
                }
            }
            // A cast of an id to `usize` is none; any other cast may change the value.
            ExprKind::Cast(inner, ty) => match self.of(inner) {
                Some(sym) if sym.any_id() => is_usize(ty).then_some(sym),
                _ => self.leaf(expr).map(|leaf| Sym::Atom(Atom(leaf))),
            },
            _ => self.leaf(expr).map(|leaf| Sym::Atom(Atom(leaf))),
        }
    }

    /// A launch-uniform expression without arithmetic: evaluating it early cannot fail.
    fn leaf(&self, expr: &Expr) -> Option<Expr> {
        let kind = match &expr.kind {
            ExprKind::Lit(syn::Lit::Int(_))
            | ExprKind::Const(_)
            | ExprKind::Param(_)
            | ExprKind::Launch(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => expr.kind.clone(),
            ExprKind::Local(local) => return self.leaf(self.inits[*local]?),
            ExprKind::Paren(inner) => return self.leaf(inner),
            ExprKind::Field(inner, member) => {
                ExprKind::Field(Box::new(self.leaf(inner)?), member.clone())
            }
            ExprKind::Cast(inner, ty) => ExprKind::Cast(Box::new(self.leaf(inner)?), ty.clone()),
            _ => return None,
        };
        Some(Expr { kind, span: expr.span, varying: expr.varying })
    }

    /// The value of an expression over values and extents, in checked arithmetic on `usize`, as the
    /// body of a function of `Uniforms` that returns an `Option`.
    pub(super) fn checked(&self, expr: &Expr) -> TokenStream {
        checked(self.kernel, self.of(expr), expr)
    }
}

impl Sym {
    pub(super) fn has_id(&self, dim: u8) -> bool {
        match self {
            Self::Id(id) => *id == dim,
            Self::Atom(_) => false,
            Self::Op(_, operands) => operands.0.has_id(dim) || operands.1.has_id(dim),
        }
    }

    /// Whether the value changes from line to line.
    pub(super) fn has_outer_id(&self) -> bool {
        match self {
            Self::Id(id) => *id > 0,
            Self::Atom(_) => false,
            Self::Op(_, operands) => operands.0.has_outer_id() || operands.1.has_outer_id(),
        }
    }

    pub(super) fn any_id(&self) -> bool {
        match self {
            Self::Id(_) => true,
            Self::Atom(_) => false,
            Self::Op(_, operands) => operands.0.any_id() || operands.1.any_id(),
        }
    }

    /// How much the value grows from item to item of a line.
    pub(super) fn slope(&self) -> i64 {
        match self {
            Self::Id(dim) => i64::from(*dim == 0),
            Self::Atom(_) => 0,
            Self::Op(op, operands) => {
                let (a, b) = (operands.0.slope(), operands.1.slope());
                match op {
                    Op::Add => a.saturating_add(b),
                    Op::Sub => a.saturating_sub(b),
                    Op::Mul | Op::Div | Op::Rem => 0,
                }
            }
        }
    }

    /// How much the value grows from line to line of a plane; `None` where that is not known or
    /// not the same for all lines.
    pub(super) fn rise(&self) -> Option<i64> {
        match self {
            Self::Id(dim) => Some(i64::from(*dim == 1)),
            Self::Atom(_) => Some(0),
            Self::Op(op, operands) => {
                let (a, b) = (operands.0.rise()?, operands.1.rise()?);
                match op {
                    Op::Add => Some(a.saturating_add(b)),
                    Op::Sub => Some(a.saturating_sub(b)),
                    Op::Mul | Op::Div | Op::Rem => (!self.has_id(1)).then_some(0),
                }
            }
        }
    }

    /// Whether the arithmetic is one that can be cut for all lines of a plane at once: sums and
    /// uniform multiples.
    pub(super) fn is_plane(&self) -> bool {
        match self {
            Self::Id(_) | Self::Atom(_) => true,
            Self::Op(op, operands) => {
                let (a, b) = (&operands.0, &operands.1);
                let whole = match op {
                    Op::Add | Op::Sub => true,
                    Op::Mul => !(a.has_id(1) && b.has_id(1)),
                    Op::Div | Op::Rem => !self.has_id(1),
                };
                whole && a.is_plane() && b.is_plane()
            }
        }
    }

    /// Whether it is an id, a value, or the sum of both. Where that overflows, an interior is empty.
    pub(super) fn is_simple(&self) -> bool {
        match self {
            Self::Id(_) | Self::Atom(_) => true,
            Self::Op(Op::Add, operands) => {
                let simple = |sym: &Self| !matches!(sym, Self::Op(..));
                let (a, b) = (&operands.0, &operands.1);
                simple(a) && simple(b) && !(a.any_id() && b.any_id())
            }
            Self::Op(..) => false,
        }
    }

    /// Whether it is simple and cannot overflow: the sum of an id and a literal, or a size.
    pub(super) fn never_fails(&self) -> bool {
        let is_small = |sym: &Self| match sym {
            Self::Id(_) => true,
            Self::Atom(atom) => {
                let size = matches!(atom.0.kind, ExprKind::Len(_) | ExprKind::Extent(..));
                size || sym.literal().is_some()
            }
            Self::Op(..) => false,
        };
        match self {
            Self::Op(_, operands) => {
                self.is_simple() && is_small(&operands.0) && is_small(&operands.1)
            }
            _ => true,
        }
    }

    /// The sum without its literal part, as text, and that part.
    pub(super) fn split(&self) -> (String, i64) {
        if let Self::Op(op @ (Op::Add | Op::Sub), operands) = self {
            match (op, operands.0.literal(), operands.1.literal()) {
                (Op::Add, Some(number), None) => {
                    let (rest, sum) = operands.1.split();
                    return (rest, sum.saturating_add(number));
                }
                (_, None, Some(number)) => {
                    let (rest, sum) = operands.0.split();
                    let number = if *op == Op::Add { number } else { -number };
                    return (rest, sum.saturating_add(number));
                }
                _ => {}
            }
        }
        (self.key(), 0)
    }

    /// The number, of a literal.
    pub(super) fn literal(&self) -> Option<i64> {
        match self {
            Self::Atom(Atom(Expr { kind: ExprKind::Lit(syn::Lit::Int(int)), .. })) => {
                int.base10_parse::<u32>().ok().map(i64::from)
            }
            _ => None,
        }
    }

    /// The same text for the same arithmetic.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Id(dim) => format!("id{dim}"),
            Self::Atom(atom) => key(&atom.0),
            Self::Op(op, operands) => {
                format!("{op:?}({},{})", operands.0.key(), operands.1.key())
            }
        }
    }
}

fn is_usize(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("usize"))
}

fn key(leaf: &Expr) -> String {
    match &leaf.kind {
        ExprKind::Lit(lit) => quote!(#lit).to_string(),
        ExprKind::Const(path) => quote!(#path).to_string(),
        ExprKind::Param(param) => format!("p{param}"),
        ExprKind::Launch(word) => format!("{word:?}"),
        ExprKind::Len(param) => format!("len{param}"),
        ExprKind::Extent(param, dim) => format!("extent{param}.{dim}"),
        ExprKind::Field(inner, member) => format!("{}.{}", key(inner), quote!(#member)),
        ExprKind::Cast(inner, ty) => format!("{} as {}", key(inner), quote!(#ty)),
        _ => String::from("?"),
    }
}

/// A leaf where values, lengths and extents stand in the variables of the entry.
pub(super) fn leaf_tokens(leaf: &Expr) -> TokenStream {
    match &leaf.kind {
        ExprKind::Lit(lit) => quote!(#lit),
        ExprKind::Const(path) => quote!(#path),
        ExprKind::Param(param) => {
            let value = names::param(*param, leaf.span);
            quote!(#value)
        }
        ExprKind::Launch(word) => {
            let name = names::launch(*word, leaf.span);
            quote!(#name)
        }
        ExprKind::Len(param) => {
            let len = names::len(*param, leaf.span);
            quote!(#len)
        }
        ExprKind::Extent(param, dim) => {
            let extent = names::extent(*param, *dim, leaf.span);
            quote!(#extent)
        }
        ExprKind::Field(inner, member) => {
            let inner = leaf_tokens(inner);
            quote!(#inner.#member)
        }
        ExprKind::Cast(inner, ty) => {
            let inner = leaf_tokens(inner);
            quote!((#inner as #ty))
        }
        _ => quote!(0),
    }
}

/// A leaf as a function of `Uniforms`, inside a function that returns an `Option`.
fn uniform_leaf(kernel: &Kernel, leaf: &Expr) -> TokenStream {
    let uniforms = names::plain("__uniforms");
    match &leaf.kind {
        ExprKind::Param(param) => {
            let ty = &kernel.params[*param].elem;
            quote!(#uniforms.value::<#ty>(#param)?)
        }
        ExprKind::Launch(word) => names::launch_value(&uniforms, *word),
        ExprKind::Len(param) => quote!(#uniforms.len(#param)),
        ExprKind::Extent(param, dim) => {
            let dim = usize::from(*dim);
            quote!(#uniforms.extent(#param, #dim))
        }
        ExprKind::Field(inner, member) => {
            let inner = uniform_leaf(kernel, inner);
            quote!(#inner.#member)
        }
        ExprKind::Cast(inner, ty) => {
            let inner = uniform_leaf(kernel, inner);
            quote!((#inner as #ty))
        }
        _ => leaf_tokens(leaf),
    }
}

fn checked(kernel: &Kernel, sym: Option<Sym>, expr: &Expr) -> TokenStream {
    let names = Names::new(kernel);
    let (core, uniforms) = (names.core(), names::plain("__uniforms"));
    match sym {
        Some(sym) if !sym.any_id() => {
            let value = checked_sym(kernel, &sym);
            quote!(#core::option::Option::Some(#value))
        }
        // Not arithmetic this module knows: evaluated as written.
        _ => {
            let values = kernel.params.iter().enumerate().filter_map(|(index, param)| {
                let used = super::walk::mentions(expr, index);
                let value = names::param(index, param.name.span());
                let ty = &param.elem;
                (used && param.rank == 0)
                    .then(|| quote!(let #value = #uniforms.value::<#ty>(#index)?;))
            });
            let value = super::body::uniform(kernel, expr);
            quote!(#(#values)* #core::option::Option::Some(#value))
        }
    }
}

fn checked_sym(kernel: &Kernel, sym: &Sym) -> TokenStream {
    match sym {
        Sym::Id(_) => quote!(0_usize),
        Sym::Atom(atom) => uniform_leaf(kernel, &atom.0),
        Sym::Op(op, operands) => {
            let (a, b) = (checked_sym(kernel, &operands.0), checked_sym(kernel, &operands.1));
            let method = match op {
                Op::Add => quote!(checked_add),
                Op::Sub => quote!(checked_sub),
                Op::Mul => quote!(checked_mul),
                Op::Div => quote!(checked_div),
                Op::Rem => quote!(checked_rem),
            };
            let core = Names::new(kernel).core();
            quote!(#core::primitive::usize::#method(#a, #b)?)
        }
    }
}
