//! Expressions of a body as constant data; statements are in `ir.rs`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::ir::{Writer, infix, member_name, plain, position};
use super::probe::import;
use crate::kernel::model::{Expr, ExprKind, LaunchWord};

impl Writer<'_> {
    /// An expression of a kind, written at a place.
    pub(super) fn plain_expr(&self, at: Span, varying: bool, kind: TokenStream) -> TokenStream {
        let (line, column) = position(at);
        quote!(__form::Expr::at(#line, #column, #varying, __form::ExprKind::#kind))
    }

    /// A `&'static` expression.
    fn boxed(&self, expr: &Expr) -> TokenStream {
        let expr = self.expr(expr);
        quote!(&#expr)
    }

    /// A `&'static [Expr]`.
    fn list(&self, exprs: &[Expr]) -> TokenStream {
        let exprs = exprs.iter().map(|expr| self.expr(expr));
        quote!(&[#(#exprs),*])
    }

    /// An expression of type `Expr`.
    pub(crate) fn expr(&self, expr: &Expr) -> TokenStream {
        let kind = match &expr.kind {
            ExprKind::Paren(inner) => return self.expr(inner),
            ExprKind::Lit(lit) => self.literal(lit),
            ExprKind::Const(path) => self.constant(path, expr.span),
            ExprKind::Local(id) => {
                let id = *id as u16;
                quote!(Local(#id))
            }
            ExprKind::Param(id) => {
                let id = *id as u16;
                quote!(Param(#id))
            }
            ExprKind::GlobalId(dim) => quote!(GlobalId(#dim)),
            ExprKind::Launch(word) => match word {
                LaunchWord::Size(dim) => quote!(GlobalSize(#dim)),
                LaunchWord::Phase => quote!(Phase),
                LaunchWord::Partition => quote!(Partition),
            },
            ExprKind::Len(id) => {
                let id = *id as u16;
                quote!(Len(#id))
            }
            ExprKind::Extent(id, dim) => {
                let id = *id as u16;
                quote!(Extent(#id, #dim))
            }
            ExprKind::Load(access) => {
                let access = self.access(access);
                quote!(Load(#access))
            }
            ExprKind::Atomic(access, method, args) => {
                let (access, op, args) = (self.access(access), camel(method), self.list(args));
                quote!(Atomic(#access, __form::AtomicOp::#op, #args))
            }
            ExprKind::Unary(op, inner) => {
                let inner = self.boxed(inner);
                let op = if matches!(op, syn::UnOp::Neg(_)) { "Neg" } else { "Not" };
                let (op, mode) = (Ident::new(op, Span::mixed_site()), self.mode());
                quote!(Unary(__form::UnOp::#op, #inner, #mode))
            }
            ExprKind::Binary(a, op, b) => {
                let (a, op, b) = (self.boxed(a), infix(op), self.boxed(b));
                let mode = self.contraction();
                quote!(Binary(__form::BinOp::#op, #a, #b, #mode))
            }
            ExprKind::Cast(inner, ty) => {
                let (inner, ty) = (self.boxed(inner), self.ty(ty));
                quote!(Cast(#inner, #ty))
            }
            ExprKind::Math(_, name, args) => {
                let (name, args, mode) = (camel(name), self.list(args), self.mode());
                quote!(Math(__form::MathFn::#name, #args, #mode))
            }
            ExprKind::Complex(_, name, args) => {
                let (name, args) = (camel(name), self.list(args));
                quote!(Complex(__form::ComplexFn::#name, #args))
            }
            ExprKind::Assoc(ty, name, args) => return self.assoc(expr, ty, name, args),
            ExprKind::Call(path, args) => {
                let (krate, args) = (self.krate, self.list(args));
                let (line, column) = position(expr.span);
                let (varying, import) = (expr.varying, import(krate, path));
                return quote!(__form::Expr::at(#line, #column, #varying, {
                    #import
                    <__called as CalleeOrNone>::CALLED.with(#args)
                }));
            }
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (self.boxed(condition), self.block(then));
                let otherwise = self.option(otherwise.as_ref().map(|other| self.block(other)));
                quote!(If(#condition, #then, #otherwise))
            }
            ExprKind::Block(block) | ExprKind::Unsafe(_, block) => {
                let block = self.block(block);
                quote!(Block(#block))
            }
            ExprKind::Field(..) if let Some(field) = constant_field(expr) => {
                self.constant(&field, expr.span)
            }
            ExprKind::Field(inner, member) => {
                let (inner, name) = (self.boxed(inner), member_name(member));
                quote!(Field(#inner, #name))
            }
            ExprKind::Index(inner, index) => {
                let (inner, index) = (self.boxed(inner), self.boxed(index));
                quote!(Index(#inner, #index))
            }
            ExprKind::Struct(path, fields) => {
                let ty = self.ty(path);
                let fields = fields.iter().map(|(name, value)| {
                    let (name, value) = (plain(name), self.expr(value));
                    quote!((#name, #value))
                });
                quote!(Struct(#ty, &[#(#fields),*]))
            }
            ExprKind::Array(items) => {
                let items = self.list(items);
                quote!(Array(#items))
            }
            ExprKind::Repeat(item, n) => {
                let (item, n) = (self.boxed(item), self.probe.expr(n));
                quote!(Repeat(#item, #n))
            }
        };
        self.plain_expr(expr.span, expr.varying, kind)
    }

    /// A constant, or a field of one, of whatever type rustc finds it to be.
    fn constant(&self, value: &impl quote::ToTokens, at: Span) -> TokenStream {
        let krate = self.krate;
        // All of it lies where the constant is named, so that rustc says there what is wrong.
        let function = crate::ast::at(quote!(#krate::__private::ir::ir::constant), at);
        let leaf = quote_spanned!(at=> #function(&#value));
        quote!(Const(#leaf.value()))
    }

    /// The device type of a Rust type.
    fn ty(&self, ty: &impl quote::ToTokens) -> TokenStream {
        let krate = self.krate;
        quote!(<#ty as #krate::__private::ir::DevTy>::TY)
    }

    /// `T::f(a, ..)`: the first argument has type `T`, which its cast says where it is a literal.
    fn assoc(&self, expr: &Expr, ty: &syn::Path, name: &Ident, args: &[Expr]) -> TokenStream {
        let mode = self.mode();
        let args = args.iter().enumerate().map(|(k, arg)| {
            if k > 0 || name == "from_bits" {
                return self.expr(arg);
            }
            let (inner, ty) = (self.boxed(arg), self.ty(ty));
            self.plain_expr(arg.span, arg.varying, quote!(Cast(#inner, #ty)))
        });
        let call = if name == "from_bits" {
            // The bits have the width of the type: `from_bits` of another does not compile.
            let krate = self.krate;
            let bits = quote!(<#ty as #krate::__private::ir::ty::Bits>::TY);
            let args = args
                .map(|arg| self.plain_expr(expr.span, expr.varying, quote!(Cast(&#arg, #bits))));
            quote!(Math(__form::MathFn::FromBits, &[#(#args),*], #mode))
        } else {
            let name = camel(name);
            quote!(Math(__form::MathFn::#name, &[#(#args),*], #mode))
        };
        self.plain_expr(expr.span, expr.varying, call)
    }

    fn literal(&self, lit: &syn::Lit) -> TokenStream {
        match lit {
            syn::Lit::Int(lit) if !lit.suffix().starts_with('f') => {
                let value = lit.base10_parse::<u128>().unwrap_or_default();
                let ty = self.suffix(lit.suffix());
                quote!(Int(#value, #ty))
            }
            syn::Lit::Int(lit) => {
                let (digits, ty) = (lit.base10_digits(), self.suffix(lit.suffix()));
                quote!(Float(#digits, #ty))
            }
            syn::Lit::Float(lit) => {
                let (digits, ty) = (lit.base10_digits(), self.suffix(lit.suffix()));
                quote!(Float(#digits, #ty))
            }
            syn::Lit::Byte(lit) => {
                let (value, ty) = (u128::from(lit.value()), self.suffix("u8"));
                quote!(Int(#value, #ty))
            }
            syn::Lit::Bool(lit) => {
                let value = lit.value;
                quote!(Bool(#value))
            }
            // `check` lets no other literal through.
            _ => quote!(Bool(false)),
        }
    }

    /// The scalar type that a suffix names.
    fn suffix(&self, suffix: &str) -> TokenStream {
        let krate = self.krate;
        self.option((!suffix.is_empty()).then(|| {
            let name = camel(&format_ident!("_{suffix}"));
            quote!(#krate::__private::ir::ScalarTy::#name)
        }))
    }
}

/// `round_ties_even` as `RoundTiesEven`.
fn camel(name: &Ident) -> Ident {
    let text: String = plain(name)
        .split('_')
        .flat_map(|part| {
            let mut letters = part.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect();
    Ident::new(&text, Span::mixed_site())
}

/// `C.field` of a constant structure.
fn constant_field(expr: &Expr) -> Option<TokenStream> {
    match &expr.kind {
        ExprKind::Const(path) => Some(quote!(#path)),
        ExprKind::Paren(inner) => constant_field(inner),
        ExprKind::Field(inner, member) => {
            let inner = constant_field(inner)?;
            Some(quote!(#inner.#member))
        }
        _ => None,
    }
}
