//! Which names of a fragment depend on a loop variable, and what has to be bound at each dispatch
//! for it. Names are compared as text; nothing is resolved beyond that, but rustc is asked to confirm
//! it where `macro_rules!` can have two names of one text.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use super::cells::{closure_params_end, is_joint, is_punct};
use super::model::{Named, Need};

/// The names in scope, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scope {
    bindings: Vec<Binding>,
    /// Where tokens come from several scopes of `macro_rules!`: what each name was taken for.
    named: Option<RefCell<Vec<Named>>>,
}

#[derive(Debug)]
struct Binding {
    names: Vec<Ident>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Evaluated once.
    Plain,
    /// A loop variable: as written, and in the expansion.
    Var(Ident, Ident),
    /// A `let` that depends on loop variables, with its semicolon.
    Let(TokenStream, Uses),
}

/// What a fragment uses.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Names that depend on a loop variable, with the binding each stands for.
    each: BTreeMap<(usize, String), Ident>,
    /// Names that do not, although an outer binding of the same name does.
    once: BTreeSet<String>,
    /// The first name that depends, in the order of the tokens.
    first: Option<Ident>,
}

impl Uses {
    /// The first name that depends on a loop variable.
    pub(super) fn first(&self) -> Option<&Ident> {
        self.first.as_ref()
    }
}

/// What a name that depends on loop variables stands for.
#[derive(Debug)]
pub(super) enum Meaning<'s> {
    /// A loop variable, as in the expansion.
    Var(&'s Ident),
    /// A `let` with its semicolon, and what it uses.
    Let(&'s TokenStream, &'s Uses),
}

/// A place to come back to when a loop ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark(usize);

impl Scope {
    /// `several` says that the tokens come from several scopes of `macro_rules!`.
    pub(super) fn new(several: bool) -> Self {
        Self { bindings: Vec::new(), named: several.then(RefCell::default) }
    }

    /// The names whose meaning rustc shall confirm.
    pub(super) fn into_named(self) -> Vec<Named> {
        self.named.map(RefCell::into_inner).unwrap_or_default()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.bindings.len())
    }

    pub(super) fn reset(&mut self, mark: Mark) {
        self.bindings.truncate(mark.0);
    }

    /// A loop variable.
    pub(super) fn bind_var(&mut self, name: Ident, var: Ident) {
        self.bindings.push(Binding { names: vec![name.clone()], kind: Kind::Var(name, var) });
    }

    /// Names that are evaluated once.
    pub(super) fn bind_once(&mut self, names: Vec<Ident>) {
        self.bindings.push(Binding { names, kind: Kind::Plain });
    }

    /// A `let` that is evaluated at each dispatch.
    pub(super) fn bind_each(&mut self, names: Vec<Ident>, whole: TokenStream, uses: Uses) {
        self.bindings.push(Binding { names, kind: Kind::Let(whole, uses) });
    }

    /// What a fragment here uses.
    pub(super) fn uses(&self, trees: &[TokenTree]) -> Uses {
        let mut uses = Uses::default();
        walk(trees, false, false, &mut |name, span, param| {
            self.note(name, span);
            if param {
                return;
            }
            let bound = self.bindings.iter().enumerate().rev().find_map(|(at, binding)| {
                let known = binding.names.iter().find(|known| text(known) == name)?;
                Some((at, binding, known.clone()))
            });
            match bound {
                None => {}
                Some((_, Binding { kind: Kind::Plain, .. }, _)) => {
                    uses.once.insert(name.to_owned());
                }
                Some((at, _, mut ident)) => {
                    ident.set_span(span);
                    uses.first.get_or_insert_with(|| ident.clone());
                    uses.each.entry((at, name.to_owned())).or_insert(ident);
                }
            }
        });
        uses
    }

    fn note(&self, name: &str, span: Span) {
        let Some(named) = &self.named else { return };
        let of_name = |binding: &&Binding| binding.names.iter().any(|known| text(known) == name);
        let bindings: Vec<_> = self.bindings.iter().filter(of_name).collect();
        if bindings.iter().all(|binding| matches!(binding.kind, Kind::Plain)) {
            return;
        }
        let names = bindings.iter().flat_map(|binding| &binding.names);
        let visible: Vec<Ident> = names.filter(|known| text(known) == name).cloned().collect();
        if let Some(mut name) = visible.last().cloned() {
            name.set_span(span);
            named.borrow_mut().push(Named { name, visible });
        }
    }

    /// What a name in a fragment that uses `uses` stands for, if it depends on a loop variable.
    pub(super) fn meaning(&self, uses: &Uses, name: &str) -> Option<Meaning<'_>> {
        let (at, _) = uses.each.keys().find(|(_, known)| known == name)?;
        match &self.bindings.get(*at)?.kind {
            Kind::Plain => None,
            Kind::Var(_, var) => Some(Meaning::Var(var)),
            Kind::Let(whole, uses) => Some(Meaning::Let(whole, uses)),
        }
    }

    /// What a fragment that uses `uses` needs, in an order in which it can be bound.
    pub(super) fn needs(&self, uses: &Uses) -> Vec<Need> {
        let mut all = BTreeSet::new();
        self.close(uses, &mut all);
        if self.is_flat(uses, &all) {
            return all.iter().filter_map(|&at| self.need(at)).collect();
        }
        // Two bindings of one name are meant: each gets a scope of its own.
        uses.each
            .iter()
            .filter_map(|((at, _), name)| match &self.bindings.get(*at)?.kind {
                Kind::Plain => None,
                Kind::Var(..) => self.need(*at),
                Kind::Let(whole, inner) => Some(Need::Scoped {
                    name: name.clone(),
                    needs: self.needs(inner),
                    whole: allowed(whole, &self.bindings.get(*at)?.names),
                }),
            })
            .collect()
    }

    /// Adds the bindings that `uses` needs, directly or not.
    fn close(&self, uses: &Uses, all: &mut BTreeSet<usize>) {
        for (at, _) in uses.each.keys() {
            if all.insert(*at)
                && let Some(Binding { kind: Kind::Let(_, inner), .. }) = self.bindings.get(*at)
            {
                self.close(inner, all);
            }
        }
    }

    /// Whether binding `all` one after the other leaves every name with its meaning.
    fn is_flat(&self, uses: &Uses, all: &BTreeSet<usize>) -> bool {
        let hidden = |uses: &Uses, before: usize| {
            all.range(..before)
                .filter_map(|&at| self.bindings.get(at))
                .any(|binding| binding.names.iter().any(|name| uses.once.contains(&text(name))))
        };
        !hidden(uses, usize::MAX)
            && !all.iter().any(|&at| match self.bindings.get(at).map(|binding| &binding.kind) {
                Some(Kind::Let(_, inner)) => hidden(inner, at),
                _ => false,
            })
    }

    fn need(&self, at: usize) -> Option<Need> {
        let binding = self.bindings.get(at)?;
        match &binding.kind {
            Kind::Plain => None,
            Kind::Var(name, var) => Some(Need::Var(name.clone(), var.clone())),
            Kind::Let(whole, _) => Some(Need::Let(allowed(whole, &binding.names))),
        }
    }
}

/// A `let` for one fragment, which need not use all that a pattern binds.
fn allowed(whole: &TokenStream, names: &[Ident]) -> TokenStream {
    let allow = (names.len() > 1).then(|| quote::quote!(#[allow(unused_variables)]));
    quote::quote!(#allow #whole)
}

/// The name without `r#`.
pub(super) fn text(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

/// Calls `found` for each identifier that can stand for a local, and says whether it is a parameter of
/// a closure: not for fields, methods, parts of paths, names of macros and lifetimes. Where in doubt it
/// is one.
fn walk(trees: &[TokenTree], braces: bool, macros: bool, found: &mut dyn FnMut(&str, Span, bool)) {
    // Parameters of a closure, up to the comma after it.
    let mut params: Vec<String> = Vec::new();
    let mut params_end = 0;
    for (k, tree) in trees.iter().enumerate() {
        if k < params_end {
            continue;
        }
        let prev = |back: usize| k.checked_sub(back).and_then(|at| trees.get(at));
        let next = |ahead: usize| trees.get(k + ahead);
        match tree {
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let braces = group.delimiter() == Delimiter::Brace;
                let is_macro =
                    is_punct(prev(1), '!') && matches!(prev(2), Some(TokenTree::Ident(_)));
                walk(&inner, braces, macros || is_macro, &mut |name, span, param| {
                    found(name, span, param || params.iter().any(|param| param == name));
                });
            }
            TokenTree::Ident(name) => {
                let member = is_punct(prev(1), '.') && !is_joint(prev(2), '.');
                let in_path = (is_punct(prev(1), ':') && is_joint(prev(2), ':'))
                    || (is_joint(next(1), ':') && is_punct(next(2), ':'));
                let field = braces && is_punct(next(1), ':');
                let macro_name =
                    is_punct(next(1), '!') && matches!(next(2), Some(TokenTree::Group(_)));
                let lifetime = is_joint(prev(1), '\'');
                let name_text = text(name);
                if !(member || in_path || field || macro_name || lifetime) {
                    found(&name_text, name.span(), params.contains(&name_text));
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == ',' => params.clear(),
            TokenTree::Punct(mark) if mark.as_char() == '|' && starts_closure(prev(1)) => {
                params_end = closure_params_end(trees, k) + 1;
                let list = trees.get(k + 1..params_end - 1).unwrap_or_default();
                walk(list, false, false, &mut |name, _, _| params.push(name.to_owned()));
            }
            TokenTree::Literal(literal) if macros => {
                let span = literal.span();
                captured(&literal.to_string(), |name| {
                    found(name, span, params.iter().any(|param| param == name));
                });
            }
            _ => {}
        }
    }
}

/// Whether a bar after this tree starts the parameters of a closure.
fn starts_closure(prev: Option<&TokenTree>) -> bool {
    match prev {
        None => true,
        Some(TokenTree::Ident(word)) => word == "move" || word == "return" || word == "else",
        Some(TokenTree::Punct(mark)) => matches!(mark.as_char(), ',' | '=' | '&' | ';' | '>'),
        Some(_) => false,
    }
}

/// The names in `"{name}"` and `"{name:..}"`.
fn captured(literal: &str, mut found: impl FnMut(&str)) {
    if !literal.ends_with(['"', '#']) {
        return;
    }
    for piece in literal.split('{').skip(1) {
        let name: &str = piece.split(['}', ':']).next().unwrap_or_default();
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if starts && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            found(name);
        }
    }
}
