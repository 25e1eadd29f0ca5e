//! The model as an expression of type `Pipeline<'_>`. It cannot fail, holds no `unsafe`, and its
//! own names are hygienic.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use super::again::{self, Again};
use super::model::{
    Arg, Args, Comparison, Cond, For, Fragment, If, Moves, Named, Need, Pipeline, Range, Refused,
    Stage, Stmt, Swap, While,
};
use crate::ast;

/// The expansion, with the errors before the first statement.
pub(super) fn pipeline(model: &Pipeline, errors: Option<TokenStream>) -> TokenStream {
    let krate = &model.krate;
    let expand = Expand {
        rt: quote!(#krate::__private::rt),
        own: krate.leading_colon.is_some()
            && krate.segments.len() == 1
            && krate.segments.iter().all(|segment| segment.ident == "flash"),
        pipeline: Ident::new("__pipeline", Span::mixed_site()),
        env: Ident::new("__env", Span::mixed_site()),
        again: Again::new(&model.stmts),
    };
    let pipeline = &expand.pipeline;
    let mutable = (!model.stmts.is_empty()).then(|| quote!(mut));
    let start = match &model.rt {
        Some(runtime) => {
            let at = site(runtime);
            let rt = expand.rt(at);
            let call = quote_spanned!(at=> #rt::dsl::pipeline(&#runtime));
            quote!(let #mutable #pipeline = #call;)
        }
        // Never compiled to the end: what was read is kept for editors.
        None => {
            let rt = &expand.rt;
            quote!(let #mutable #pipeline = ::core::option::Option::<#rt::Pipeline<'_>>::None.unwrap();)
        }
    };
    let stmts = expand.stmts(&model.stmts);
    let names = confirmed(&model.names, krate);
    quote!({
        #errors
        #names
        #start
        #stmts
        #pipeline
    })
}

/// Has rustc confirm what names were taken for. It is compiled, never called.
fn confirmed(names: &[Named], krate: &syn::Path) -> Option<TokenStream> {
    let each = names.iter().map(|Named { name, visible }| {
        let shadow = ast::at(quote!(#krate::__private::ir::shadow), name.span());
        let (numbers, last) = (0..visible.len(), visible.len().saturating_sub(1));
        quote_spanned!(name.span()=> {
            let #name = #shadow::Other;
            #(let #visible = #shadow::Local::<#numbers>;)*
            #shadow::is_loop::<#last>(#name);
        })
    });
    let each: TokenStream = each.collect();
    (!each.is_empty()).then(|| {
        quote! {
            #[allow(warnings, clippy::all, clippy::pedantic)]
            let _ = || { #each };
        }
    })
}

struct Expand {
    /// Path to the run time.
    rt: TokenStream,
    /// Whether that path is ours, `::flash`, and resolves alike everywhere.
    own: bool,
    /// The pipeline that is being built.
    pipeline: Ident,
    /// The loop variables of a dispatch.
    env: Ident,
    /// Names in several stages.
    again: Again,
}

impl Expand {
    /// Path to the run time at the place of a user's token, where rustc's notes then point. A path
    /// that the user wrote resolves as before.
    fn rt(&self, at: Span) -> TokenStream {
        let move_to = |mut tree: TokenTree| {
            tree.set_span(if self.own { at } else { tree.span().located_at(at) });
            tree
        };
        self.rt.clone().into_iter().map(move_to).collect()
    }

    fn stmts(&self, stmts: &[Stmt]) -> TokenStream {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Stage(stage) => self.stage(stage),
            Stmt::For(one) => self.for_loop(one),
            Stmt::Let(tokens) => tokens.clone(),
            Stmt::Swap(swap) => self.swap(swap),
            Stmt::If(one) => self.if_stmt(one),
            Stmt::While(one) => self.while_loop(one),
            Stmt::Refused(Refused { head, body }) => {
                let body = self.stmts(body);
                let head = head.as_ref().map(|(var, header)| quote!(for #var in #header));
                quote!(#head { #body })
            }
        }
    }

    fn stage(&self, stage: &Stage) -> TokenStream {
        let pipeline = &self.pipeline;
        let each = |(callee, args): &(TokenStream, Args)| {
            let args = self.args(args);
            quote!(#callee #args)
        };
        let call: TokenStream = stage.calls.iter().map(each).collect();
        let at = site(&call);
        let again = self.again.of(stage);
        let again = again.iter().map(|name| again::check(name, &self.rt(name.span())));
        let push = match &stage.space {
            Some(space) => {
                let (rt, space) = (self.rt(at), self.fragment(space));
                quote_spanned!(at=> #pipeline.push(#rt::dsl::stage(#call, #space));)
            }
            None => quote_spanned!(at=> #pipeline.push(#call);),
        };
        quote!(#(#again)* #push)
    }

    fn args(&self, args: &Args) -> TokenStream {
        match args {
            Args::Once(group) => group.to_token_stream(),
            Args::Each { span, args } => self.tuple(*span, args),
        }
    }

    fn tuple(&self, span: Span, args: &[Arg]) -> TokenStream {
        let args = args.iter().map(|arg| self.arg(arg));
        // The comma after a single argument keeps a tuple a tuple.
        let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#args,)*));
        group.set_span(span);
        TokenTree::from(group).into()
    }

    fn arg(&self, arg: &Arg) -> TokenStream {
        match arg {
            Arg::Fragment(fragment) => self.fragment(fragment),
            Arg::At { base, at, index, moves } => {
                let method = Ident::new("at_lazy", *at);
                let index = self.fragment(index);
                let moves = moves.as_ref().map(|Moves { var, times, plus }| {
                    let method = Ident::new("moving", Span::mixed_site().located_at(*at));
                    quote!(.#method(#var, #times, #plus))
                });
                quote!(#base #method(#index) #moves)
            }
            Arg::Tuple { span, args } => self.tuple(*span, args),
        }
    }

    fn fragment(&self, fragment: &Fragment) -> TokenStream {
        match fragment {
            Fragment::Once(tokens) => tokens.clone(),
            Fragment::Each { needs, tokens } => {
                let (env, at) = (&self.env, site(tokens));
                let rt = self.rt(at);
                let (needs, value) = (self.needs(needs), value(tokens));
                quote_spanned!(at=> #rt::dsl::lazy(move |#env| { #needs #value }))
            }
        }
    }

    fn needs(&self, needs: &[Need]) -> TokenStream {
        let env = &self.env;
        needs
            .iter()
            .map(|need| match need {
                Need::Var(name, var) => quote!(let #name = #var.get(#env);),
                Need::Let(whole) => whole.clone(),
                Need::Scoped { name, needs, whole } => {
                    let needs = self.needs(needs);
                    quote!(let #name = { #needs #whole #name };)
                }
            })
            .collect()
    }

    fn for_loop(&self, one: &For) -> TokenStream {
        let Self { pipeline, .. } = self;
        let For { span, var, range, body } = one;
        let begin = Ident::new("begin_for", Span::mixed_site().located_at(*span));
        let range = match range {
            Range::Value(range) => self.fragment(range),
            Range::Cells { from, to, inclusive } => {
                let (from, to) = (self.fragment(from), self.fragment(to));
                let rt = self.rt(*span);
                quote_spanned!(*span=> #rt::dsl::span(#from, #to, #inclusive))
            }
        };
        let body = self.stmts(body);
        quote! {
            let #var = #pipeline.#begin(#range);
            { #body }
            #pipeline.end_for();
        }
    }

    fn if_stmt(&self, one: &If) -> TokenStream {
        let Self { pipeline, .. } = self;
        let If { span, cond, then, other } = one;
        let begin = Ident::new("begin_if", Span::mixed_site().located_at(*span));
        let (cond, then) = (self.cond(cond, *span), self.stmts(then));
        let other = (!other.is_empty()).then(|| {
            let other = self.stmts(other);
            quote!(#pipeline.otherwise(); { #other })
        });
        quote! {
            #pipeline.#begin(#cond);
            { #then }
            #other
            #pipeline.end_if();
        }
    }

    fn while_loop(&self, one: &While) -> TokenStream {
        let Self { pipeline, .. } = self;
        let While { span, cond, max, body } = one;
        let begin = Ident::new("begin_while", Span::mixed_site().located_at(*span));
        let (cond, max) = (self.cond(cond, *span), self.fragment(max));
        let body = self.stmts(body);
        quote! {
            #pipeline.#begin(#cond, #max);
            { #body }
            #pipeline.end_while();
        }
    }

    fn cond(&self, cond: &Cond, span: Span) -> TokenStream {
        let call = |name: &str, at: Span, args: &[TokenStream]| {
            let (rt, name) = (self.rt(at), Ident::new(name, Span::mixed_site().located_at(at)));
            quote_spanned!(at=> #rt::dsl::#name(#(#args),*))
        };
        let two = |name: &str, two: &[Cond; 2]| {
            call(name, span, &[self.cond(&two[0], span), self.cond(&two[1], span)])
        };
        match cond {
            Cond::Leaf(leaf) => {
                let at = fragment_site(leaf);
                call("cond", at, &[self.fragment(leaf)])
            }
            Cond::Compare(how, a, b) => {
                let name = match how {
                    Comparison::Lt => "lt",
                    Comparison::Le => "le",
                    Comparison::Gt => "gt",
                    Comparison::Ge => "ge",
                    Comparison::Eq => "eq",
                    Comparison::Ne => "ne",
                };
                call(name, fragment_site(a), &[self.fragment(a), self.fragment(b)])
            }
            Cond::Not(inner) => call("not", span, &[self.cond(inner, span)]),
            Cond::And(both) => two("and", both),
            Cond::Or(both) => two("or", both),
            Cond::Xor(both) => two("xor", both),
        }
    }

    fn swap(&self, swap: &Swap) -> TokenStream {
        let Self { pipeline, .. } = self;
        let Swap { span, a, b } = swap;
        let method = Ident::new("swap", Span::mixed_site().located_at(*span));
        let (a, b) = (reference(a), reference(b));
        quote!(#pipeline.#method(#a, #b);)
    }
}

/// For tokens of ours: the place of a fragment.
fn fragment_site(fragment: &Fragment) -> Span {
    let (Fragment::Once(tokens) | Fragment::Each { tokens, .. }) = fragment;
    site(tokens)
}

/// `&tokens`, all of it at the place of the first token.
fn reference(tokens: &TokenStream) -> TokenStream {
    quote_spanned!(site(tokens)=> &#tokens)
}

/// For tokens of ours: the place of the first token of a fragment.
fn site(tokens: &TokenStream) -> Span {
    let first = tokens.clone().into_iter().next();
    first.map_or_else(Span::mixed_site, |tree| {
        Span::mixed_site().located_at(super::cells::anchor(&tree))
    })
}

/// The tokens as the value of a block: what Rust would read as a statement stands in parentheses.
fn value(tokens: &TokenStream) -> TokenStream {
    let statement = match tokens.clone().into_iter().next() {
        Some(TokenTree::Ident(word)) => {
            ["if", "match", "unsafe", "loop", "while", "for"].iter().any(|known| word == known)
        }
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    if statement { quote!((#tokens)) } else { tokens.clone() }
}
