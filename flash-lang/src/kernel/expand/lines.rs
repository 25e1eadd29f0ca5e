//! The arithmetic of one line: cutting the interior, and where its rows start.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::cpu::row_dims;
use super::names::{self, Names, plain};
use super::plan::{Cut, Kind, Plan, kind};
use super::sym::{Op, Sym, leaf_tokens};

/// Writes `Lin` values, each once.
pub(super) struct Lines<'p, 'k> {
    plan: &'p Plan<'k>,
    known: HashMap<String, Ident>,
    /// What is the same for all lines of a block.
    block: Vec<TokenStream>,
    /// What depends on the line.
    line: Vec<TokenStream>,
    /// Whether what depends on the line may differ along it too, so that the ends of the interior
    /// differ from line to line.
    pub(super) slanted: bool,
}

impl<'p, 'k> Lines<'p, 'k> {
    pub(super) fn new(plan: &'p Plan<'k>) -> Self {
        let along = |sym: &Sym| sym.has_outer_id() && sym.slope() != 0;
        let cuts = plan.cuts.iter().any(|cut| {
            let (Cut::Less(a, b) | Cut::AtMost(a, b) | Cut::Differ(a, b)) = cut;
            (a.has_outer_id() || b.has_outer_id()) && (a.slope() != 0 || b.slope() != 0)
                || along(a)
                || along(b)
        });
        let rows = plan.rows.iter().flat_map(|row| &row.index).any(along);
        Self {
            plan,
            known: HashMap::new(),
            block: Vec::new(),
            line: Vec::new(),
            slanted: cuts || rows,
        }
    }

    /// Where arithmetic on these goes.
    fn stage(&mut self, syms: &[&Sym]) -> &mut Vec<TokenStream> {
        if syms.iter().any(|sym| sym.has_outer_id()) { &mut self.line } else { &mut self.block }
    }

    /// What arithmetic on these cuts: the items of all lines, or a line as a whole.
    fn interior(&self, syms: &[&Sym]) -> Ident {
        let of_line = !self.slanted && syms.iter().any(|sym| sym.has_outer_id());
        plain(if of_line { "__line" } else { "__interior" })
    }

    /// A variable with the value.
    fn lin(&mut self, sym: &Sym) -> Ident {
        let key = sym.key();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let interior = self.interior(&[sym]);
        let value = match sym {
            Sym::Id(0) => quote!(#interior.id()),
            Sym::Id(dim) => {
                let id = names::id(*dim, Span::call_site());
                quote!(#interior.outer(#id))
            }
            Sym::Atom(atom) => {
                let leaf = leaf_tokens(&atom.0);
                quote!(#interior.uniform(#leaf))
            }
            Sym::Op(op, operands) => {
                let (a, b) = (self.lin(&operands.0), self.lin(&operands.1));
                let op = match op {
                    Op::Add => quote!(add),
                    Op::Sub => quote!(sub),
                    Op::Mul => quote!(mul),
                    Op::Div => quote!(div),
                    Op::Rem => quote!(rem),
                };
                quote!(#interior.#op(#a, #b))
            }
        };
        let name = plain(&format!("__lin{}", self.known.len()));
        self.stage(&[sym]).push(quote!(let #name = #value;));
        self.known.insert(key, name.clone());
        name
    }

    /// Everything that bounds the interior: for all lines of a block, and for one of them.
    pub(super) fn cuts(&mut self) -> (TokenStream, TokenStream) {
        for cut in &self.plan.cuts {
            let (a, b, method) = match cut {
                Cut::Less(a, b) => (a, b, quote!(keep_lt)),
                Cut::AtMost(a, b) => (a, b, quote!(keep_le)),
                Cut::Differ(a, b) => (a, b, quote!(keep_ne)),
            };
            let (lin_a, lin_b) = (self.lin(a), self.lin(b));
            let interior = self.interior(&[a, b]);
            self.stage(&[a, b]).push(quote!(#interior.#method(#lin_a, #lin_b);));
        }
        for row in &self.plan.rows {
            // The other components are the same for the whole line: the row tells.
            let array = names::param(row.param, Span::call_site());
            if let Some((dim, sym)) = row.index.iter().enumerate().next_back() {
                let index = self.lin(sym);
                let interior = self.interior(&[sym]);
                self.stage(&[sym]).push(quote!(#interior.within(#index, #array.extent(#dim));));
                for sym in &row.index[..dim] {
                    self.lin(sym);
                }
            }
        }
        (self.block.drain(..).collect(), self.line.drain(..).collect())
    }

    /// The rows of the interior `__start .. __start + __n`.
    pub(super) fn rows(&mut self) -> TokenStream {
        let entry = Names::new(self.plan.kernel).entry();
        let (start, n) = (plain("__start"), plain("__n"));
        let mut rows = TokenStream::new();
        for param in 0..self.plan.kernel.params.len() {
            let array = names::param(param, Span::call_site());
            let plan = self.plan;
            if kind(plan.kernel, param) == Kind::Own {
                let dims = row_dims(plan, param);
                let (mut parts, mut places, mut ids) = (Vec::new(), Vec::new(), Vec::new());
                for (number, row) in plan.rows_of(param) {
                    let index = self.starts(&row.index);
                    let id = |(c, index): (usize, &TokenStream)| match dims.get(c).copied() {
                        Some(Some(0)) => quote!(#start),
                        Some(Some(dim)) => {
                            let id = names::id(dim, Span::call_site());
                            quote!(#id)
                        }
                        _ => index.clone(),
                    };
                    let own = index.iter().enumerate().map(id);
                    ids.push(quote!([#(#own),*]));
                    places.push(quote!([#(#index),*]));
                    parts.push(names::row(number));
                }
                if let ([part], [place], [id]) = (&parts[..], &places[..], &ids[..]) {
                    rows.extend(quote!(let #part = #array.row(#place, #id, #n);));
                } else if !parts.is_empty() {
                    rows.extend(quote! {
                        let [#(#parts),*] = #array.rows([#(#places),*], [#(#ids),*], #n);
                    });
                }
                continue;
            }
            for (wide, group) in self.groups(param).iter().enumerate() {
                let Some((first, low)) = group.first().copied() else { continue };
                let index = self.starts(&plan.rows[first].index);
                let span = group.last().map_or(0, |last| last.1 - low);
                let row = names::row(first);
                if span == 0 {
                    rows.extend(quote!(let #row = #array.row([#(#index),*], #n);));
                    continue;
                }
                // Neighbours along the line are parts of one row.
                let span = span as usize;
                let wide = plain(&format!("__wide{param}_{wide}"));
                rows.extend(quote!(let #wide = #array.row([#(#index),*], #n + #span);));
                for &(row, offset) in group {
                    let (row, offset) = (names::row(row), (offset - low) as usize);
                    rows.extend(quote!(let #row = #entry::part(#wide, #offset, #n);));
                }
            }
        }
        rows
    }

    /// Where a row starts.
    fn starts(&mut self, index: &[Sym]) -> Vec<TokenStream> {
        let (entry, start) = (Names::new(self.plan.kernel).entry(), plain("__start"));
        index
            .iter()
            .map(|sym| {
                let lin = self.lin(sym);
                quote!(#entry::Interior::at(#lin, #start))
            })
            .collect()
    }

    /// The rows of a parameter that is read, in groups that differ by a literal offset along the
    /// line, each with its offsets in order.
    fn groups(&self, param: usize) -> Vec<Vec<(usize, i64)>> {
        type Group = (Vec<String>, Vec<(usize, i64)>);
        let mut groups: Vec<Group> = Vec::new();
        for (number, row) in self.plan.rows_of(param) {
            let Some((last, rest)) = row.index.split_last() else { continue };
            let mut key: Vec<String> = rest.iter().map(Sym::key).collect();
            let (along, offset) = last.split();
            key.push(along);
            match groups.iter_mut().find(|group| group.0 == key) {
                Some(group) => group.1.push((number, offset)),
                None => groups.push((key, vec![(number, offset)])),
            }
        }
        groups
            .into_iter()
            .map(|(_, mut group)| {
                group.sort_by_key(|row| row.1);
                group
            })
            .collect()
    }
}
