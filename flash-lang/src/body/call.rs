//! Calls and methods.

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;

use super::words::{self, ATOMIC, MATH, RESERVED, SCALARS, anchor, peel};
use super::{Host, Lower, Named, hint, made};
use crate::kernel::model::{Expr, ExprKind, LaunchWord, MAX_RANK, Role};
use crate::{names, rules};

type Args = Punctuated<syn::Expr, syn::Token![,]>;

impl Lower<'_> {
    fn args(&mut self, args: &Args) -> Vec<Expr> {
        args.iter().map(|arg| self.expr(arg)).collect()
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Expr {
        self.no_attributes(&call.attrs);
        let path = match peel(&call.func) {
            syn::Expr::Path(path) if path.qself.is_none() => &path.path,
            other => {
                return self.refuse(
                    rules::CALL_TARGET,
                    anchor(other),
                    "only functions are called: `flash::math`, and `#[flash::device]` functions by \
                     their path",
                );
            }
        };
        let (Some(last), count) = (path.segments.last(), path.segments.len()) else {
            return super::nothing(Span::call_site());
        };
        let (name, span) = (last.ident.to_string(), last.ident.span());
        let before = count.checked_sub(2).map(|at| path.segments[at].ident.to_string());
        if let Some(turbofish) = path.segments.iter().find(|part| !part.arguments.is_none()) {
            return self.refuse(
                rules::NO_TURBOFISH,
                turbofish.ident.span(),
                "`::<..>` is not in the kernel language, give the types by `let` or `as`",
            );
        }
        if let (1, Some(Named::Local(id))) = (count, self.find(&name))
            && self.closures.contains(&id)
        {
            return super::nothing(span);
        }
        if count == 1 && self.find(&name).is_some() {
            return self.refuse(
                rules::CALL_OF_VALUE,
                span,
                format!("`{name}` is a value of this kernel and cannot be called"),
            );
        }
        if matches!(name.as_str(), "global_id" | "global_size") {
            return self.geometry(&name, span, &call.args);
        }
        // Functions of these names are called by a longer path.
        match name.as_str() {
            "phase" if count == 1 => return self.number(LaunchWord::Phase, span, &call.args),
            "partition" if count == 1 => {
                return self.number(LaunchWord::Partition, span, &call.args);
            }
            _ => {}
        }
        if count == 1 && RESERVED.contains(&name.as_str()) {
            return self.refuse_reserved(&name, span);
        }
        match before.as_deref() {
            Some("math") => self.math(Some(path), &last.ident, None, &call.args),
            Some(ty) if self.is_type(ty) => self.assoc(path, ty, &last.ident, &call.args),
            _ if names::is_upper(&name) => self.refuse(
                rules::TUPLE_STRUCT,
                span,
                format!("`{name}(..)` makes a tuple structure, use one with named fields"),
            ),
            _ => {
                if count == 1 && *self.name == name {
                    let message = format!("`{name}` calls itself, write a loop");
                    return self.refuse(rules::NO_RECURSION, span, message);
                }
                let args = self.args(&call.args);
                made(ExprKind::Call(path.clone(), args), span)
            }
        }
    }

    fn is_type(&self, word: &str) -> bool {
        SCALARS.contains(&word) || self.types.iter().any(|ty| ty == word) || names::is_upper(word)
    }

    /// `f32::from_bits(x)`, `Complex::new(re, im)`
    fn assoc(&mut self, path: &syn::Path, ty: &str, name: &Ident, args: &Args) -> Expr {
        let word = name.to_string();
        if word == "new" && args.len() == 2 && !SCALARS.contains(&ty) {
            let args = self.args(args);
            return made(ExprKind::Complex(Some(path.clone()), name.clone(), args), name.span());
        }
        let Some(arity) = words::math_arity(&word) else {
            return self.refuse(
                rules::ASSOCIATED_FUNCTION,
                name.span(),
                format!(
                    "`{ty}::{word}` is not in the kernel language, which knows functions of \
                     `flash::math`, `as` and `#[flash::device]` functions{}",
                    hint(&word, MATH.iter().map(|(known, _)| *known))
                ),
            );
        };
        self.count(name, arity, args.len());
        let mut of = path.clone();
        of.segments.pop();
        if let Some(last) = of.segments.pop() {
            of.segments.push_value(last);
        }
        let args = self.args(args);
        made(ExprKind::Assoc(of, math_name(name), args), name.span())
    }

    fn count(&mut self, name: &Ident, wanted: usize, found: usize) {
        if wanted != found {
            let plural = if wanted == 1 { "" } else { "s" };
            self.diag.error(
                rules::MATH_ARITY,
                name.span(),
                format!(
                    "`{name}` takes {wanted} argument{plural}, the value it is called on \
                     included, found {found}"
                ),
            );
        }
    }

    fn math(
        &mut self,
        path: Option<&syn::Path>,
        name: &Ident,
        receiver: Option<Expr>,
        args: &Args,
    ) -> Expr {
        let word = name.to_string();
        let Some(arity) = words::math_arity(&word) else {
            let known = || MATH.iter().map(|(known, _)| *known);
            return self.refuse(
                rules::UNKNOWN_MATH,
                name.span(),
                format!("`flash::math` has no function `{word}`{}", hint(&word, known())),
            );
        };
        let mut all: Vec<Expr> = receiver.into_iter().collect();
        all.extend(self.args(args));
        self.count(name, arity, all.len());
        made(ExprKind::Math(path.cloned(), math_name(name), all), name.span())
    }

    /// `global_id(d)`, `global_size(d)`
    fn geometry(&mut self, name: &str, span: Span, args: &Args) -> Expr {
        match self.host {
            Host::Device(_) => {
                return self.refuse(
                    rules::DEVICE_WITHOUT_ID,
                    span,
                    format!("a device function knows no `{name}`, pass the value as an argument"),
                );
            }
            Host::Length if name == "global_id" => {
                return self.refuse(
                    rules::SCRATCH_LENGTH,
                    span,
                    "the length of a scratch array is the same for all work items, write it with \
                     values, `x.len()` and `x.extent(d)`",
                );
            }
            _ => {}
        }
        let dim = match args.iter().next().map(peel) {
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(dim), .. }))
                if args.len() == 1 =>
            {
                dim.base10_parse::<usize>().ok().filter(|dim| *dim < MAX_RANK)
            }
            _ => None,
        };
        let Some(dim) = dim else {
            return self.refuse(
                rules::GLOBAL_ID_LITERAL,
                span,
                format!(
                    "`{name}` takes one literal dimension, `{name}(0)` to `{name}({})`",
                    MAX_RANK - 1
                ),
            );
        };
        let dim = dim as u8;
        if name == "global_id" {
            self.ids.insert(dim);
            made(ExprKind::GlobalId(dim), span)
        } else {
            self.sizes.push((dim, span));
            made(ExprKind::Launch(LaunchWord::Size(dim)), span)
        }
    }

    /// `phase()`, `partition()`
    fn number(&mut self, word: LaunchWord, span: Span, args: &Args) -> Expr {
        let name = if word == LaunchWord::Phase { "phase" } else { "partition" };
        if !args.is_empty() {
            return self.refuse(
                rules::PHASE_ARGUMENTS,
                span,
                format!(
                    "`{name}()` takes no argument; a function of your own is called by a path, \
                     `self::{name}(..)`"
                ),
            );
        }
        match self.host {
            Host::Device(_) => self.refuse(
                rules::DEVICE_WITHOUT_ID,
                span,
                format!("a device function knows no `{name}`, pass the value as an argument"),
            ),
            Host::Length => self.refuse(
                rules::LENGTH_OF_PHASE,
                span,
                format!(
                    "scratch arrays are there before the first phase, so their length does not \
                     depend on `{name}()`"
                ),
            ),
            Host::Kernel => made(ExprKind::Launch(word), span),
        }
    }

    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Expr {
        self.no_attributes(&call.attrs);
        let (name, span) = (call.method.to_string(), call.method.span());
        if let Some(turbofish) = &call.turbofish {
            return self.refuse(
                rules::NO_TURBOFISH,
                turbofish.lt_token.span,
                "`::<..>` is not in the kernel language, give the types by `let` or `as`",
            );
        }
        if let Some((array, at)) = self.array_name(&call.receiver) {
            return self.array_method(array, at, call);
        }
        if let Some(cell) = self.cell_name(&call.receiver).or_else(|| self.cell(&call.receiver)) {
            return self.refuse_cell(cell, anchor(&call.receiver));
        }
        if let syn::Expr::Index(index) = peel(&call.receiver)
            && let Some((array, at)) = self.array_name(&index.expr)
            && self.params[array].role == Role::Atomic
        {
            return self.atomic(array, at, index, call);
        }
        if let Some(arity) = words::complex_arity(&name) {
            let mut args = vec![self.expr(&call.receiver)];
            args.extend(self.args(&call.args));
            self.count(&call.method, arity, args.len());
            return made(ExprKind::Complex(None, call.method.clone(), args), span);
        }
        if words::math_arity(&name).is_none() || name == "from_bits" {
            return self.refuse(rules::UNKNOWN_METHOD, span, unknown_method(&name));
        }
        let receiver = self.expr(&call.receiver);
        self.math(None, &call.method, Some(receiver), &call.args)
    }

    fn refuse_cell(&mut self, cell: usize, span: Span) -> Expr {
        if self.is_unclear(cell) {
            return super::nothing(span);
        }
        let name = &self.params[cell].name;
        let message = format!(
            "`{name}` is a reduction: the items of a launch add to it and none sees its value, \
             read it after the launch"
        );
        self.refuse(rules::REDUCE_READ, span, message)
    }

    fn array_method(&mut self, array: usize, span: Span, call: &syn::ExprMethodCall) -> Expr {
        let rank = self.params[array].rank;
        let name = self.params[array].name.to_string();
        match (call.method.to_string().as_str(), call.args.len()) {
            ("len", 0) => made(ExprKind::Len(array), span),
            ("extent", 1) => {
                let dim = match call.args.first().map(peel) {
                    Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(dim), .. })) => {
                        dim.base10_parse::<usize>().ok().filter(|dim| *dim < rank)
                    }
                    _ => None,
                };
                match dim {
                    Some(dim) => made(ExprKind::Extent(array, dim as u8), span),
                    None => self.refuse(
                        rules::EXTENT_DIMENSION,
                        call.method.span(),
                        format!("`{name}` has rank {rank}, `extent` takes a literal below it"),
                    ),
                }
            }
            (method, _) => self.refuse(
                rules::ARRAY_METHOD,
                call.method.span(),
                format!(
                    "no method `{method}` on array `{name}`, it has `len()` and `extent(d)`; \
                     elements are taken by index"
                ),
            ),
        }
    }

    fn atomic(
        &mut self,
        array: usize,
        span: Span,
        index: &syn::ExprIndex,
        call: &syn::ExprMethodCall,
    ) -> Expr {
        let access = self.access(array, span, &index.index);
        let args = self.args(&call.args);
        let method = call.method.to_string();
        let known = ATOMIC.iter().find(|(known, _)| *known == method);
        if known.is_none_or(|(_, arity)| *arity != args.len()) {
            let all = names::list(ATOMIC.iter().map(|(known, _)| *known));
            return self.refuse(
                rules::ATOMIC_METHOD,
                call.method.span(),
                format!(
                    "`{method}` with {} argument(s) is not an operation of an atomic cell, which \
                     has {all}; none takes an ordering",
                    args.len()
                ),
            );
        }
        match access {
            Some(access) => made(ExprKind::Atomic(access.into(), call.method.clone(), args), span),
            None => super::nothing(span),
        }
    }
}

/// `powf` is `pow`.
fn math_name(name: &Ident) -> Ident {
    if name == "powf" { Ident::new("pow", name.span()) } else { name.clone() }
}

/// What there is instead of a method that is none.
fn unknown_method(name: &str) -> String {
    if words::ITERATOR.contains(&name) {
        return format!(
            "no method `{name}` in the kernel language: there are no iterators, write a `for` \
             loop over indices"
        );
    }
    let hint = hint(name, MATH.iter().chain(words::COMPLEX).map(|(known, _)| *known));
    let own = if hint.is_empty() {
        "; a function of your own is marked `#[flash::device]` and called with its arguments"
    } else {
        &hint
    };
    format!(
        "no method `{name}` in the kernel language, a scalar has the functions of `flash::math`{own}"
    )
}
