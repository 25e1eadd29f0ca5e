//! A body as Rust again, in a closure that is compiled but never called, with a slot for each local:
//! so rustc tells the types of locals. The closure mentions no memory and holds no `unsafe`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::body::words::path_anchor;
use crate::groups::standing;
use crate::kernel::model::{
    Access, Block, Body, Expr, ExprKind, For, Form, LaunchWord, Param, Place, Proj, Stmt,
};

/// What the printed body may refer to.
#[derive(Clone, Copy)]
pub(crate) struct Probe<'m> {
    /// Path to the facade.
    pub(crate) krate: &'m syn::Path,
    /// The parameters; none for a device function.
    pub(crate) params: &'m [Param],
    /// The body.
    pub(crate) body: &'m Body,
    /// Whether it is asked of all operands and calls whether every kind of device has them.
    pub(crate) portable: bool,
}

impl Probe<'_> {
    /// `fn __locals() -> Vec<Ty>`: the types of the locals. `arguments` are the first locals, which
    /// the closure takes; `ret` is what it gives.
    pub(crate) fn function(&self, arguments: usize, ret: Option<&syn::Type>) -> TokenStream {
        let krate = self.krate;
        let std = quote!(#krate::__private::std);
        let ir = quote!(#krate::__private::ir);
        let slots = self.body.locals.iter().enumerate().map(|(id, local)| {
            let slot = slot(id);
            quote_spanned!(hidden(local.name.span())=> let #slot = #ir::probe::Slot::new();)
        });
        let types = self.body.locals.iter().enumerate().map(|(id, local)| {
            let slot = Ident::new(&format!("__slot{id}"), hidden(local.name.span()));
            quote_spanned!(hidden(local.name.span())=> #slot.ty())
        });
        let params = self.params.iter().filter_map(|param| {
            let (name, elem, rank) = (&param.name, &param.elem, param.rank);
            Some(match param.form {
                Form::Value => quote!(#name: #elem),
                Form::Cell => return None,
                Form::Atomics => quote! {
                    #name: #ir::probe::Array<#krate::__private::rt::atomic::Atomic<#elem>, #rank>
                },
                Form::Slice | Form::View => quote!(mut #name: #ir::probe::Array<#elem, #rank>),
            })
        });
        let taken = self.body.locals.iter().take(arguments).map(|local| {
            let (name, ty) = (&local.name, &local.ty);
            quote!(#name: #ty)
        });
        let noted = (0..arguments).map(|id| self.note(id));
        let body = self.block(&self.body.block);
        let ret = ret.map_or_else(|| quote!(()), |ret| quote!(#ret));
        quote! {
            #[allow(warnings, clippy::all, clippy::pedantic)]
            fn __locals() -> #std::vec::Vec<#ir::Ty> {
                #(#slots)*
                let _ = |#(#params,)* #(#taken,)*| -> #ret {
                    #(#noted)*
                    #body
                };
                #std::vec::Vec::from([#(#types),*])
            }
        }
    }

    /// Tells the slot of a local its type.
    fn note(&self, id: usize) -> TokenStream {
        let (slot, name) = (slot(id), &self.body.locals[id].name);
        quote!(#slot.is(&#name);)
    }

    /// The statements and value of a block, without braces.
    fn block(&self, block: &Block) -> TokenStream {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt));
        let tail = block.tail.as_ref().map(|tail| standing(self.expr(tail)));
        quote!(#(#stmts)* #tail)
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let(id, init) => {
                let local = &self.body.locals[*id];
                let name = &local.name;
                let ty = local.ty.as_ref().map(|ty| quote!(: #ty));
                let note = self.note(*id);
                match init {
                    Some(init) => {
                        let init = self.expr(init);
                        quote!(let mut #name #ty = #init; #note)
                    }
                    None => {
                        let slot = slot(*id);
                        quote!(let mut #name #ty = #slot.any();)
                    }
                }
            }
            Stmt::Assign(place, value, at) => {
                let (new, written) = (Ident::new("__new", value.span), self.expr(value));
                // The same words as in the entries, so that rustc says everything once.
                let elem = match place {
                    Place::Elem(access, projs) if projs.is_empty() => {
                        let elem = &self.params[access.param].elem;
                        Some(quote!(: #elem))
                    }
                    _ => None,
                };
                let place = self.place(place);
                // The value comes first, as it does where it is run.
                match value.kind {
                    ExprKind::Lit(_) => quote_spanned!(*at=> #place = #written;),
                    _ => quote_spanned!(*at=> { let #new #elem = #written; #place = #new; }),
                }
            }
            Stmt::Update(place, op, value, at) => {
                let (new, written) = (Ident::new("__new", value.span), self.expr(value));
                let place = self.place(place);
                let asked = self.portable.then(|| {
                    let krate = self.krate;
                    let computes = quote_spanned!(*at=> #krate::__private::ir::probe::computes);
                    crate::ast::settle(quote_spanned!(*at=> #computes(&#place);), *at)
                });
                quote_spanned!(*at=> { let #new = #written; #asked #place #op #new; })
            }
            Stmt::Reduce(param, value, at) => {
                let elem = &self.params[*param].elem;
                let (new, value) = (Ident::new("__new", value.span), self.expr(value));
                quote_spanned!(*at=> { let #new: #elem = #value; })
            }
            Stmt::Expr(expr) => {
                let expr = standing(self.expr(expr));
                quote!(#expr;)
            }
            Stmt::For(repeat) => self.repeat(repeat),
            Stmt::While(condition, body, at) => {
                let body = self.block(body);
                match condition {
                    Some(condition) => {
                        let condition = self.expr(condition);
                        quote_spanned!(*at=> while #condition { #body })
                    }
                    None => quote_spanned!(*at=> loop { #body }),
                }
            }
            Stmt::Break(at) => quote_spanned!(*at=> break;),
            Stmt::Continue(at) => quote_spanned!(*at=> continue;),
            Stmt::Return(value, at) => {
                let value = value.as_ref().map(|value| self.expr(value));
                quote_spanned!(*at=> return #value;)
            }
            Stmt::Unsafe(_, block) => {
                let block = self.block(block);
                quote!({ #block })
            }
        }
    }

    fn repeat(&self, repeat: &For) -> TokenStream {
        let krate = self.krate;
        let iterator = quote!(#krate::__private::core::iter::Iterator);
        let (lo, hi) = (self.expr(&repeat.lo), self.expr(&repeat.hi));
        let mut range = if repeat.inclusive { quote!(#lo..=#hi) } else { quote!(#lo..#hi) };
        if repeat.rev {
            range = quote!(#iterator::rev(#range));
        }
        if let Some(step) = &repeat.step {
            let step = self.expr(step);
            range = quote!(#iterator::step_by(#range, #step));
        }
        let name = &self.body.locals[repeat.local].name;
        let (note, body) = (self.note(repeat.local), self.block(&repeat.body));
        quote_spanned!(repeat.span=> for mut #name in #range { #note #body })
    }

    fn projs(&self, projs: &[Proj]) -> TokenStream {
        projs
            .iter()
            .map(|proj| match proj {
                Proj::Field(member) => quote!(.#member),
                Proj::Index(index) => {
                    let index = self.expr(index);
                    quote!([#index])
                }
            })
            .collect()
    }

    fn place(&self, place: &Place) -> TokenStream {
        match place {
            Place::Local(id, at, projs) => {
                let (name, projs) = (respan(&self.body.locals[*id].name, *at), self.projs(projs));
                quote!(#name #projs)
            }
            Place::Elem(access, projs) => {
                let (array, index) = self.access(access);
                let projs = self.projs(projs);
                quote!((*#array.place(#index)) #projs)
            }
        }
    }

    fn access(&self, access: &Access) -> (Ident, TokenStream) {
        let index = access.index.iter().map(|index| self.expr(index));
        (respan(&self.params[access.param].name, access.span), quote!([#(#index),*]))
    }

    /// A real function at the user's word, so that editors find it.
    fn word(&self, name: &str, dim: Option<u8>, at: Span) -> TokenStream {
        let (krate, name, dim) = (self.krate, Ident::new(name, at), dim.map(usize::from));
        quote_spanned!(at=> #krate::__private::ir::probe::#name(#dim))
    }

    fn all(&self, args: &[Expr]) -> TokenStream {
        let args = args.iter().map(|arg| self.expr(arg));
        quote!(#(#args),*)
    }

    /// An operand of an operator. What it is asked for is at the operator, so that rustc says it once for both.
    fn operand(&self, operand: &Expr, at: Span) -> TokenStream {
        let (written, krate) = (self.expr(operand), self.krate);
        // Numbers are those of the other operand; a sign belongs to what it stands before.
        match operand.kind {
            ExprKind::Lit(_) => written,
            _ if !self.portable => written,
            _ => quote_spanned!(at=> #krate::__private::ir::probe::operand({ #written })),
        }
    }

    /// An expression as Rust.
    pub(crate) fn expr(&self, expr: &Expr) -> TokenStream {
        // What is ours in it is spoken of at the user's token.
        crate::ast::settle(self.bare(expr), expr.span)
    }

    fn bare(&self, expr: &Expr) -> TokenStream {
        let at = expr.span;
        match &expr.kind {
            ExprKind::Lit(lit) => quote_spanned!(at=> #lit),
            ExprKind::Const(path) => quote_spanned!(at=> #path),
            ExprKind::Local(id) => {
                let name = respan(&self.body.locals[*id].name, at);
                quote_spanned!(at=> #name)
            }
            ExprKind::Param(id) => {
                let name = respan(&self.params[*id].name, at);
                quote_spanned!(at=> #name)
            }
            ExprKind::GlobalId(dim) => self.word("global_id", Some(*dim), at),
            ExprKind::Launch(word) => match word {
                LaunchWord::Size(dim) => self.word("global_size", Some(*dim), at),
                LaunchWord::Phase => self.word("phase", None, at),
                LaunchWord::Partition => self.word("partition", None, at),
            },
            ExprKind::Len(id) => {
                let name = respan(&self.params[*id].name, at);
                quote_spanned!(at=> #name.len())
            }
            ExprKind::Extent(id, dim) => {
                let (name, dim) = (respan(&self.params[*id].name, at), usize::from(*dim));
                quote_spanned!(at=> #name.extent(#dim))
            }
            ExprKind::Load(access) => {
                let (array, index) = self.access(access);
                quote_spanned!(at=> #array.load(#index))
            }
            ExprKind::Atomic(access, method, args) => {
                let (array, index) = self.access(access);
                let args = self.all(args);
                quote_spanned!(at=> #array.cell(#index).#method(#args))
            }
            ExprKind::Unary(op, a) => {
                let a = self.operand(a, op.span());
                quote_spanned!(at=> #op #a)
            }
            ExprKind::Binary(a, op, b) => {
                let (a, b) = (self.operand(a, op.span()), self.operand(b, op.span()));
                quote_spanned!(at=> #a #op #b)
            }
            ExprKind::Cast(a, ty) => {
                let a = self.expr(a);
                quote_spanned!(at=> #a as #ty)
            }
            ExprKind::Math(Some(path), _, args) => {
                // The user's own path, so that rustc sees their import used.
                let args = self.all(args);
                quote_spanned!(at=> #path(#args))
            }
            ExprKind::Math(None, name, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
                math_call(self.krate, false, name, &args)
            }
            ExprKind::Assoc(ty, name, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
                math_assoc(self.krate, false, ty, name, &args)
            }
            ExprKind::Complex(path, name, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
                super::math::complex(self.krate, path.as_ref(), name, &args)
            }
            ExprKind::Call(path, args) => {
                let (args, import, called) =
                    (self.all(args), import(self.krate, path), called(path));
                let krate = self.krate;
                let ir = quote!(#krate::__private::ir);
                let checked = Ident::new(if self.portable { "portable" } else { "checked" }, at);
                let checked = quote_spanned!(at=> #ir::called::#checked);
                let result = Ident::new("__result", hidden(at));
                quote_spanned! {at=> {
                    let #result = #called(#args);
                    #checked(&#result, { #import Beside::<__called>::NAME });
                    #result
                }}
            }
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (self.expr(condition), self.block(then));
                let otherwise = otherwise.as_ref().map(|otherwise| {
                    let otherwise = self.block(otherwise);
                    quote_spanned!(at=> else { #otherwise })
                });
                quote_spanned!(at=> if #condition { #then } #otherwise)
            }
            ExprKind::Block(block) | ExprKind::Unsafe(_, block) => {
                let block = self.block(block);
                quote_spanned!(at=> { #block })
            }
            ExprKind::Field(a, member) => {
                let a = self.expr(a);
                quote_spanned!(at=> #a.#member)
            }
            ExprKind::Index(a, index) => {
                let (a, index) = (self.expr(a), self.expr(index));
                quote_spanned!(at=> #a[#index])
            }
            ExprKind::Struct(path, fields) => {
                let fields = fields.iter().map(|(name, value)| {
                    let value = self.expr(value);
                    quote_spanned!(at=> #name: #value)
                });
                quote_spanned!(at=> #path { #(#fields),* })
            }
            ExprKind::Array(items) => {
                let items = self.all(items);
                quote_spanned!(at=> [#items])
            }
            ExprKind::Repeat(item, n) => {
                let (item, n) = (self.expr(item), self.expr(n));
                quote_spanned!(at=> [#item; #n])
            }
            ExprKind::Paren(a) => {
                let a = self.expr(a);
                quote_spanned!(at=> (#a))
            }
        }
    }
}

/// Methods of scalars that mean the same in Rust and on devices; all others are `flash::math`.
const METHODS: &[&str] = &[
    "to_bits",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "wrapping_neg",
    "saturating_add",
    "saturating_sub",
    "abs_diff",
    "rotate_left",
    "rotate_right",
    "count_ones",
    "leading_zeros",
    "trailing_zeros",
    "rem_euclid",
    "div_euclid",
    "is_nan",
    "is_finite",
];

/// Whether a function of `flash::math` is a method of scalars of std.
pub(crate) fn is_method(name: &Ident) -> bool {
    METHODS.iter().any(|method| name == method)
}

/// A function of `flash::math`, or the method of its name: the receiver is argument 0.
pub(crate) fn math_call(
    krate: &syn::Path,
    fast: bool,
    name: &Ident,
    args: &[TokenStream],
) -> TokenStream {
    match args.split_first() {
        Some((receiver, args)) if is_method(name) => {
            quote_spanned!(name.span()=> (#receiver).#name(#(#args),*))
        }
        _ => {
            let math = super::math::placed(math(krate, fast), name.span());
            quote_spanned!(name.span()=> #math::#name(#(#args),*))
        }
    }
}

/// Imports a called function as `__called`: as a value, and the type of its name; where it has none
/// that of `flash_ir::called`. A single name is a macro as well, so that one that is nothing else
/// is reported where it is called, and only there.
pub(super) fn import(krate: &syn::Path, path: &syn::Path) -> TokenStream {
    let at = path_anchor(path);
    let name = path.get_ident().map(|name| {
        quote_spanned! {at=>
            #[allow(unused_macros)]
            macro_rules! #name { () => {} }
        }
    });
    let ir = quote!(#krate::__private::ir);
    quote_spanned! {at=>
        #name
        #[allow(unused_imports)]
        use #path as __called;
        use #ir::called::*;
    }
}

/// A called function as a value. A path is named in imports only, so that one that leads nowhere is
/// reported once.
pub(super) fn called(path: &syn::Path) -> TokenStream {
    let at = path_anchor(path);
    match path.get_ident() {
        Some(name) => quote!(#name),
        None => quote_spanned!(at=> ({ use #path as __called; __called })),
    }
}

/// `T::f(..)` of a scalar type.
pub(crate) fn math_assoc(
    krate: &syn::Path,
    fast: bool,
    ty: &syn::Path,
    name: &Ident,
    args: &[TokenStream],
) -> TokenStream {
    if name == "from_bits" || is_method(name) {
        return quote_spanned!(name.span()=> #ty::#name(#(#args),*));
    }
    let (math, value) = (math(krate, fast), Ident::new("__value", hidden(name.span())));
    quote_spanned!(name.span()=> { let #value: #ty = #math::#name(#(#args),*); #value })
}

fn math(krate: &syn::Path, fast: bool) -> TokenStream {
    if fast {
        quote!(#krate::__private::ir::math::fast)
    } else {
        quote!(#krate::__private::ir::math)
    }
}

fn slot(id: usize) -> Ident {
    format_ident!("__slot{id}", span = Span::call_site())
}

/// The place of a token of the user's; generated names begin with `__`, which users may not write.
fn hidden(at: Span) -> Span {
    at
}

/// A name of the user's at another of its uses.
fn respan(name: &Ident, at: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().located_at(at));
    name
}
