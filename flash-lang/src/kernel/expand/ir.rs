//! A body as constant data of `flash_ir::ir`. Its leaves are paths that rustc resolves; the types of
//! locals come from [`super::probe`]. It decides nothing about a type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::probe::Probe;
use crate::kernel::model::{
    AccessClass, Affine, Block, Body, Expr, ExprKind, Kernel, Param, Place, Proj, Role, Stmt,
};

/// The items that the IR of a kernel needs, and an expression of type `&'static KernelIr`. Both
/// stand in a scope where the generic parameters of the instance are items.
pub(crate) fn kernel_ir(kernel: &Kernel, body: &Body) -> (TokenStream, TokenStream) {
    let krate = &kernel.krate;
    let fast = kernel.options.fast_math;
    let writer = Writer::new(krate, &kernel.params, body, fast);
    let writer = Writer { contracts: fast, ..writer }.portable(kernel.options.portable.is_some());
    let locals = writer.probe.function(0, None);
    let (core, ir) = (quote!(#krate::__private::core), quote!(#krate::__private::ir));
    let name = plain(&kernel.name);
    let rank = kernel.rank as u8;
    let params = kernel.params.iter().map(|param| parameter(&ir, param));
    let names = writer.names();
    let block = writer.block(&body.block);
    let float = writer.mode();
    let items = quote! {
        use #ir::ir as __form;
        #locals
        static __IR: __form::KernelIr = __form::KernelIr {
            name: #name,
            file: #core::file!(),
            rank: #rank,
            params: &[#(#params),*],
            locals: __form::Locals { names: &[#(#names),*], types: __locals },
            body: #block,
            float: #float,
        };
    };
    (items, quote!(&__IR))
}

/// The name of an item without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

fn parameter(ir: &TokenStream, param: &Param) -> TokenStream {
    let (name, elem, rank) = (plain(&param.name), &param.elem, param.rank as u8);
    let kind = match param.role {
        Role::Value => quote!(Value),
        Role::In => quote!(In),
        Role::InOut => quote!(InOut),
        Role::Out => quote!(Out),
        Role::OutPartial => quote!(OutPartial),
        Role::Scratch => quote!(Scratch),
        Role::Reduce { op, .. } => {
            let op = format_ident!("{}", format!("{op:?}"));
            quote!(Reduce(__form::ReduceOp::#op))
        }
        Role::Atomic => quote!(Atomic),
    };
    quote! {
        __form::Param {
            name: #name,
            kind: __form::ParamKind::#kind,
            ty: <#elem as #ir::DevTy>::TY,
            rank: #rank,
        }
    }
}

/// Writes the statements of one body. Its expressions are in `ir_expr.rs`.
pub(crate) struct Writer<'m> {
    pub(super) krate: &'m syn::Path,
    pub(crate) probe: Probe<'m>,
    pub(super) body: &'m Body,
    fast: bool,
    /// Whether what the CPU compiles contracts products and sums: the bodies of kernels, and not those of
    /// device functions.
    contracts: bool,
}

impl<'m> Writer<'m> {
    pub(crate) fn new(
        krate: &'m syn::Path,
        params: &'m [Param],
        body: &'m Body,
        fast: bool,
    ) -> Self {
        let probe = Probe { krate, params, body, portable: false };
        Self { krate, probe, body, fast, contracts: false }
    }

    /// Of a body that every kind of device is to run.
    pub(crate) fn portable(mut self, portable: bool) -> Self {
        self.probe.portable = portable;
        self
    }

    /// What may be done with a product and a sum.
    pub(super) fn contraction(&self) -> TokenStream {
        let mode = if self.contracts { quote!(Fast) } else { quote!(Strict) };
        quote!(__form::FloatMode::#mode)
    }

    /// The names of the locals.
    pub(crate) fn names(&self) -> Vec<String> {
        self.body.locals.iter().map(|local| plain(&local.name)).collect()
    }

    /// The float mode.
    pub(crate) fn mode(&self) -> TokenStream {
        if self.fast { quote!(__form::FloatMode::Fast) } else { quote!(__form::FloatMode::Strict) }
    }

    /// `None` or `Some(..)` of an item that is already written.
    pub(super) fn option(&self, value: Option<TokenStream>) -> TokenStream {
        let krate = self.krate;
        match value {
            Some(value) => quote!(#krate::__private::core::option::Option::Some(#value)),
            None => quote!(#krate::__private::core::option::Option::None),
        }
    }

    /// A block.
    pub(crate) fn block(&self, block: &Block) -> TokenStream {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt));
        let tail = self.option(block.tail.as_ref().map(|tail| {
            let tail = self.expr(tail);
            quote!(&#tail)
        }));
        quote!(__form::Block { stmts: &[#(#stmts),*], tail: #tail })
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let(id, init) => {
                let at = span(self.body.locals[*id].name.span());
                let id = *id as u16;
                let init = self.option(init.as_ref().map(|init| self.expr(init)));
                quote!(__form::Stmt::Let(#id, #init, #at))
            }
            Stmt::Assign(place, value, at) => {
                let (place, value, at) = (self.place(place), self.expr(value), span(*at));
                quote!(__form::Stmt::Assign(#place, #value, #at))
            }
            Stmt::Update(place, op, value, at) => {
                let mode = match place {
                    Place::Local(_, _, projs) if projs.is_empty() => self.contraction(),
                    _ => quote!(__form::FloatMode::Strict),
                };
                let (place, value, at) = (self.place(place), self.expr(value), span(*at));
                let op = infix(op);
                quote!(__form::Stmt::Update(#place, __form::BinOp::#op, #value, #mode, #at))
            }
            Stmt::Reduce(param, value, at) => {
                let (param, value, at) = (*param as u16, self.expr(value), span(*at));
                quote!(__form::Stmt::Reduce(#param, #value, #at))
            }
            Stmt::Expr(expr) => {
                let expr = self.expr(expr);
                quote!(__form::Stmt::Expr(#expr))
            }
            Stmt::For(repeat) => {
                let (local, inclusive, rev) = (repeat.local as u16, repeat.inclusive, repeat.rev);
                let (lo, hi) = (self.expr(&repeat.lo), self.expr(&repeat.hi));
                let step = self.option(repeat.step.as_ref().map(|step| self.expr(step)));
                let (body, at) = (self.block(&repeat.body), span(repeat.span));
                quote! {
                    __form::Stmt::For {
                        local: #local,
                        lo: #lo,
                        hi: #hi,
                        inclusive: #inclusive,
                        rev: #rev,
                        step: #step,
                        body: #body,
                        span: #at,
                    }
                }
            }
            Stmt::While(condition, body, at) => {
                let condition = match condition {
                    Some(condition) => self.expr(condition),
                    None => self.plain_expr(*at, false, quote!(Bool(true))),
                };
                let (body, at) = (self.block(body), span(*at));
                quote!(__form::Stmt::While { cond: #condition, body: #body, span: #at })
            }
            Stmt::Break(at) => {
                let at = span(*at);
                quote!(__form::Stmt::Break(#at))
            }
            Stmt::Continue(at) => {
                let at = span(*at);
                quote!(__form::Stmt::Continue(#at))
            }
            Stmt::Return(value, at) => {
                let value = self.option(value.as_ref().map(|value| self.expr(value)));
                let at = span(*at);
                quote!(__form::Stmt::Return(#value, #at))
            }
            Stmt::Unsafe(token, block) => {
                let block = self.block(block);
                let block = self.plain_expr(token.span, false, quote!(Block(#block)));
                quote!(__form::Stmt::Expr(#block))
            }
        }
    }

    fn place(&self, place: &Place) -> TokenStream {
        match place {
            Place::Local(id, _, projs) => {
                let (id, projs) = (*id as u16, self.projs(projs));
                quote!(__form::Place::Local(#id, &[#projs]))
            }
            Place::Elem(access, projs) => {
                let (access, projs) = (self.access(access), self.projs(projs));
                quote!(__form::Place::Elem(#access, &[#projs]))
            }
        }
    }

    fn projs(&self, projs: &[Proj]) -> TokenStream {
        let projs = projs.iter().map(|proj| match proj {
            Proj::Field(member) => {
                let name = member_name(member);
                quote!(__form::Proj::Field(#name))
            }
            Proj::Index(index) => {
                let index = self.expr(index);
                quote!(__form::Proj::Index(#index))
            }
        });
        quote!(#(#projs),*)
    }

    /// An access with the affine forms of its index.
    pub(super) fn access(&self, access: &crate::kernel::model::Access) -> TokenStream {
        let (param, site, at) = (access.param as u16, access.site as u16, span(access.span));
        let index = access.index.iter().map(|index| self.expr(index));
        let affine = access
            .affine
            .iter()
            .map(|affine| self.option(affine.as_ref().and_then(|affine| self.affine(affine))));
        let class = match access.class {
            AccessClass::Own => quote!(Own),
            AccessClass::Affine => quote!(Affine),
            AccessClass::Checked => quote!(Checked),
            AccessClass::Unchecked => quote!(Unchecked),
        };
        quote! {
            __form::Access {
                param: #param,
                site: #site,
                space: __form::AddressSpace::Global,
                index: &[#(#index),*],
                affine: &[#(#affine),*],
                class: __form::AccessClass::#class,
                span: #at,
            }
        }
    }

    /// An affine form, where the offset is the same for all items.
    fn affine(&self, affine: &Affine) -> Option<TokenStream> {
        if affine.line {
            return None;
        }
        let (dim, offset) = match affine.dim {
            Some(dim) => {
                let dim = quote!(#dim);
                (Some(dim), self.without_id(&affine.whole)?)
            }
            None => (None, Offset::Is(Box::new(affine.whole.clone()))),
        };
        let offset = match offset {
            Offset::None => None,
            Offset::Is(offset) if offset.varying => return None,
            Offset::Is(offset) => {
                let offset = self.expr(&offset);
                Some(quote!(&#offset))
            }
        };
        let (dim, offset) = (self.option(dim), self.option(offset));
        Some(quote!(__form::Affine { dim: #dim, offset: #offset }))
    }

    /// What is left of an index without its id; `None` where there is no id to take away.
    fn without_id(&self, whole: &Expr) -> Option<Offset> {
        match &whole.kind {
            ExprKind::GlobalId(_) => Some(Offset::None),
            ExprKind::Local(id) if self.body.locals[*id].id_of.is_some() => Some(Offset::None),
            ExprKind::Paren(inner) => self.without_id(inner),
            ExprKind::Binary(a, op, b) => {
                let subtracts = matches!(op, syn::BinOp::Sub(_));
                if !subtracts && !matches!(op, syn::BinOp::Add(_)) {
                    return None;
                }
                let join = |a: Expr, b: Expr| {
                    let kind = ExprKind::Binary(Box::new(a), *op, Box::new(b));
                    Offset::Is(Box::new(Expr { kind, span: whole.span, varying: false }))
                };
                if let Some(rest) = a.varying.then(|| self.without_id(a)).flatten() {
                    return match rest {
                        Offset::Is(rest) if !b.varying => Some(join(*rest, (**b).clone())),
                        Offset::None if !b.varying && subtracts => {
                            Some(join(zero(whole.span), (**b).clone()))
                        }
                        Offset::None if !b.varying => Some(Offset::Is(b.clone())),
                        _ => None,
                    };
                }
                match b.varying.then(|| self.without_id(b)).flatten() {
                    Some(_) if subtracts || a.varying => None,
                    Some(Offset::None) => Some(Offset::Is(a.clone())),
                    Some(Offset::Is(rest)) => Some(join((**a).clone(), *rest)),
                    None => None,
                }
            }
            _ => None,
        }
    }
}

/// The uniform part of an index.
enum Offset {
    None,
    Is(Box<Expr>),
}

fn zero(at: Span) -> Expr {
    let kind = ExprKind::Lit(syn::Lit::Int(syn::LitInt::new("0usize", at)));
    Expr { kind, span: at, varying: false }
}

/// The name of a field.
pub(super) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => plain(name),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// A span as line and column.
pub(super) fn span(at: Span) -> TokenStream {
    let (line, column) = position(at);
    quote!(__form::Span::at(#line, #column))
}

/// Line and column from 1.
pub(super) fn position(at: Span) -> (u32, u32) {
    let at = at.start();
    (at.line as u32, at.column as u32 + 1)
}

/// The operator that `op` is, or applies before it assigns.
pub(super) fn infix(op: &syn::BinOp) -> Ident {
    use syn::BinOp as B;
    let name = match op {
        B::Add(_) | B::AddAssign(_) => "Add",
        B::Sub(_) | B::SubAssign(_) => "Sub",
        B::Mul(_) | B::MulAssign(_) => "Mul",
        B::Div(_) | B::DivAssign(_) => "Div",
        B::Rem(_) | B::RemAssign(_) => "Rem",
        B::And(_) => "LazyAnd",
        B::Or(_) => "LazyOr",
        B::BitXor(_) | B::BitXorAssign(_) => "Xor",
        B::BitAnd(_) | B::BitAndAssign(_) => "And",
        B::BitOr(_) | B::BitOrAssign(_) => "Or",
        B::Shl(_) | B::ShlAssign(_) => "Shl",
        B::Shr(_) | B::ShrAssign(_) => "Shr",
        B::Eq(_) => "Eq",
        B::Lt(_) => "Lt",
        B::Le(_) => "Le",
        B::Ne(_) => "Ne",
        B::Ge(_) => "Ge",
        _ => "Gt",
    };
    Ident::new(name, Span::mixed_site())
}
