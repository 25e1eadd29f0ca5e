//! Bodies of kernels and device functions: from syntax to the checked tree of `kernel::model`.
//!
//! Names are resolved as Rust resolves them, every construct is either in the language or refused
//! at its token. Types are never looked at.

mod call;
mod expr;
mod flow;
mod own;
mod place;
mod stmt;
mod uniform;
pub(crate) mod walk;
mod width;
pub(crate) mod words;

use std::collections::{BTreeSet, HashMap};

use proc_macro2::{Ident, Span};

use crate::diag::Diagnostics;
use crate::kernel::model::{Block, Body, Expr, ExprKind, Local, Param};
use crate::names;
use crate::rules::{self, Rule};

pub(crate) use flow::always_written;
pub(crate) use own::own_places;
pub(crate) use uniform::uniformity;
pub(crate) use width::{known, may_round, rounds, scalar, widths};

/// What a body belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// A kernel.
    Kernel,
    /// A device function; whether it has a result.
    Device(bool),
    /// The length of a scratch array.
    Length,
}

/// What a name in the body stands for.
#[derive(Clone, Copy, Debug)]
enum Named {
    Local(usize),
    Param(usize),
}

/// Resolves and checks one body.
pub(crate) struct Lower<'a> {
    diag: &'a mut Diagnostics,
    params: &'a [Param],
    types: &'a [Ident],
    name: &'a Ident,
    host: Host,
    scopes: Vec<HashMap<String, Named>>,
    locals: Vec<Local>,
    /// Locals that have a value and are not `mut`, and how they would be.
    fixed: HashMap<usize, String>,
    /// Locals whose value was a closure, which was refused.
    closures: BTreeSet<usize>,
    n_sites: usize,
    unsafes: usize,
    loops: usize,
    ids: BTreeSet<u8>,
    sizes: Vec<(u8, Span)>,
}

/// A lowered body and what it says about its index space.
pub(crate) struct Lowered {
    pub(crate) body: Body,
    /// The dimensions of `global_id` in it.
    pub(crate) ids: BTreeSet<u8>,
    /// The dimensions of `global_size` in it.
    pub(crate) sizes: Vec<(u8, Span)>,
}

impl<'a> Lower<'a> {
    /// For a body that sees `params` and, as types, the generic parameters `types`.
    pub(crate) fn new(
        diag: &'a mut Diagnostics,
        params: &'a [Param],
        types: &'a [Ident],
        name: &'a Ident,
        host: Host,
    ) -> Self {
        let names = params.iter().enumerate();
        let outer = names.map(|(id, param)| (param.name.to_string(), Named::Param(id))).collect();
        Self {
            diag,
            params,
            types,
            name,
            host,
            scopes: vec![outer],
            locals: Vec::new(),
            fixed: HashMap::new(),
            closures: BTreeSet::new(),
            n_sites: 0,
            unsafes: 0,
            loops: 0,
            ids: BTreeSet::new(),
            sizes: Vec::new(),
        }
    }

    /// Adds an argument of a device function: the next local.
    pub(crate) fn argument(&mut self, name: &Ident, ty: &syn::Type) {
        let id = self.local(name.clone(), Some(ty.clone()), false);
        self.fixed.insert(id, format!("copy it: `let mut {name} = {name};`"));
        self.bind(name, id);
    }

    /// The body.
    pub(crate) fn body(mut self, block: &syn::Block) -> Lowered {
        let block = self.block(block, matches!(self.host, Host::Device(true)));
        self.done(block)
    }

    /// One expression, as for the length of a scratch array.
    pub(crate) fn alone(mut self, expr: &syn::Expr) -> Expr {
        self.expr(expr)
    }

    fn done(self, block: Block) -> Lowered {
        let body = Body { locals: self.locals, n_sites: self.n_sites, block };
        Lowered { body, ids: self.ids, sizes: self.sizes }
    }

    fn local(&mut self, name: Ident, ty: Option<syn::Type>, mutable: bool) -> usize {
        let (scalar, id_of) = (None, None);
        let local = Local { name, ty, scalar, mutable, varying: false, hoistable: false, id_of };
        self.locals.push(local);
        self.locals.len() - 1
    }

    /// From here to the end of the innermost block, `name` is the local `id`.
    fn bind(&mut self, name: &Ident, id: usize) {
        self.name_is_free(name);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), Named::Local(id));
        }
    }

    fn name_is_free(&mut self, name: &Ident) {
        reserved_prefix(name, self.diag);
    }

    fn find(&self, name: &str) -> Option<Named> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Notes an error and stands in for the expression that has it.
    fn refuse(&mut self, rule: Rule, span: Span, message: impl Into<String>) -> Expr {
        self.diag.error(rule, span, message);
        nothing(span)
    }
}

/// Names that start with `__` belong to expansions.
pub(crate) fn reserved_prefix(name: &Ident, diag: &mut Diagnostics) {
    if name.to_string().starts_with("__") {
        let message = format!("`{name}`: names that start with `__` are kept for expansions");
        diag.error(rules::RESERVED_PREFIX, name.span(), message);
    }
}

/// Stands where an error was reported.
fn nothing(span: Span) -> Expr {
    let lit = syn::Lit::Bool(syn::LitBool::new(false, span));
    Expr { kind: ExprKind::Lit(lit), span, varying: false }
}

fn made(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, varying: false }
}

/// `, did you mean ..?` where a word is near.
fn hint<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> String {
    names::nearest(word, known).map_or_else(String::new, |near| format!(", did you mean `{near}`?"))
}
