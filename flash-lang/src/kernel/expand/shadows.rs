//! A guard for locals of one name. They are told apart by their text and order here, in Rust by their
//! scope of `macro_rules!` too: the `t` of a macro and the `t` of who calls it are two. A body reduced to
//! its names is compiled, never called, where rustc says which local each one is: should it mean another
//! than the IR does, that is an error at the name.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::body::walk::{Child, children};
use crate::kernel::model::{Block, Body, Expr, ExprKind, Param, Place, Proj, Stmt};

/// The guard; none where no name has two meanings in one place. `arguments` are the first locals, which
/// a device function takes.
pub(crate) fn guard(
    krate: &syn::Path,
    params: &[Param],
    body: &Body,
    arguments: usize,
) -> Option<TokenStream> {
    let mut times = HashMap::new();
    let locals = body.locals.iter().map(|local| &local.name);
    for name in params.iter().map(|param| &param.name).chain(locals) {
        *times.entry(name.to_string()).or_default() += 1;
    }
    times.retain(|name, times: &mut usize| *times > 1 && !name.starts_with("__"));
    if times.is_empty() {
        return None;
    }
    let visible = times.into_keys().map(|name| (name, 0)).collect();
    let mut names = Names { krate, body, visible, needed: false };
    let params: TokenStream =
        params.iter().map(|param| names.declare(&param.name, &quote!(Other))).collect();
    let taken: TokenStream = (0..arguments).map(|id| names.local(id)).collect();
    let block = names.block(&body.block);
    names.needed.then(|| {
        quote! {
            #[allow(warnings, clippy::all, clippy::pedantic)]
            fn __shadows() {
                #params
                #taken
                #block
            }
        }
    })
}

/// Writes what a body declares and names.
struct Names<'m> {
    krate: &'m syn::Path,
    body: &'m Body,
    /// How many of a name are visible, for names that are declared more than once.
    visible: HashMap<String, usize>,
    /// Whether a name was met of which several were visible.
    needed: bool,
}

impl Names<'_> {
    fn shadow(&self, at: Span) -> TokenStream {
        let krate = self.krate;
        crate::ast::at(quote!(#krate::__private::ir::shadow), at)
    }

    /// `name` is that from here on.
    fn declare(&mut self, name: &Ident, what: &TokenStream) -> TokenStream {
        let Some(visible) = self.visible.get_mut(&name.to_string()) else {
            return TokenStream::new();
        };
        *visible += 1;
        let shadow = self.shadow(name.span());
        quote!(let #name = #shadow::#what;)
    }

    fn local(&mut self, id: usize) -> TokenStream {
        let body = self.body;
        self.declare(&body.locals[id].name, &quote!(Local::<#id>))
    }

    /// `name` at this place is the local.
    fn named(&mut self, id: usize, at: Span) -> TokenStream {
        let mut name = self.body.locals[id].name.clone();
        let Some(visible) = self.visible.get(&name.to_string()) else {
            return TokenStream::new();
        };
        self.needed |= *visible > 1;
        name.set_span(at);
        let shadow = self.shadow(at);
        quote_spanned!(at=> #shadow::is::<#id>(#name);)
    }

    /// In a scope of its own.
    fn scoped(&mut self, inside: impl FnOnce(&mut Self) -> TokenStream) -> TokenStream {
        let before = self.visible.clone();
        let inside = inside(self);
        self.visible = before;
        quote!({ #inside })
    }

    fn block(&mut self, block: &Block) -> TokenStream {
        self.scoped(|this| {
            let mut out: TokenStream = block.stmts.iter().map(|stmt| this.stmt(stmt)).collect();
            out.extend(block.tail.as_ref().map(|tail| this.expr(tail)));
            out
        })
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let(id, init) => {
                let mut out = self.all(init);
                out.extend(self.local(*id));
                out
            }
            Stmt::Assign(place, value, _) | Stmt::Update(place, _, value, _) => {
                let mut out = self.place(place);
                out.extend(self.expr(value));
                out
            }
            Stmt::Reduce(_, value, _) | Stmt::Expr(value) => self.expr(value),
            Stmt::For(repeat) => {
                let mut out = self.all([&repeat.lo, &repeat.hi].into_iter().chain(&repeat.step));
                out.extend(self.scoped(|this| {
                    let mut inside = this.local(repeat.local);
                    inside.extend(this.block(&repeat.body));
                    inside
                }));
                out
            }
            Stmt::While(condition, body, _) => {
                let mut out = self.all(condition);
                out.extend(self.block(body));
                out
            }
            Stmt::Return(value, _) => self.all(value),
            Stmt::Break(_) | Stmt::Continue(_) => TokenStream::new(),
            Stmt::Unsafe(_, body) => self.block(body),
        }
    }

    fn place(&mut self, place: &Place) -> TokenStream {
        let (mut out, projs) = match place {
            Place::Local(id, at, projs) => (self.named(*id, *at), projs),
            Place::Elem(access, projs) => (self.all(&access.index), projs),
        };
        for proj in projs {
            if let Proj::Index(index) = proj {
                out.extend(self.expr(index));
            }
        }
        out
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> TokenStream {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> TokenStream {
        if let ExprKind::Local(id) = expr.kind {
            return self.named(id, expr.span);
        }
        let mut out = TokenStream::new();
        children(expr, &mut |child| {
            out.extend(match child {
                Child::Expr(part) => self.expr(part),
                Child::Block(block) => self.block(block),
            });
        });
        out
    }
}
