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
    lets: Vec<TokenStream>,
}

impl<'p, 'k> Lines<'p, 'k> {
    pub(super) fn new(plan: &'p Plan<'k>) -> Self {
        Self { plan, known: HashMap::new(), lets: Vec::new() }
    }

    /// A variable with the value.
    fn lin(&mut self, sym: &Sym) -> Ident {
        let key = sym.key();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let interior = plain("__interior");
        let value = match sym {
            Sym::Id(0) => quote!(#interior.id()),
            Sym::Id(dim) => {
                let id = names::id(*dim, Span::mixed_site());
                quote!(#interior.uniform(#id))
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
        self.lets.push(quote!(let #name = #value;));
        self.known.insert(key, name.clone());
        name
    }

    /// Everything that bounds the interior.
    pub(super) fn cuts(&mut self) -> TokenStream {
        let interior = plain("__interior");
        for cut in &self.plan.cuts {
            let (a, b, method) = match cut {
                Cut::Less(a, b) => (a, b, quote!(keep_lt)),
                Cut::AtMost(a, b) => (a, b, quote!(keep_le)),
                Cut::Differ(a, b) => (a, b, quote!(keep_ne)),
            };
            let (a, b) = (self.lin(a), self.lin(b));
            self.lets.push(quote!(#interior.#method(#a, #b);));
        }
        for row in &self.plan.rows {
            let array = names::param(row.param, Span::mixed_site());
            for (dim, sym) in row.index.iter().enumerate() {
                let index = self.lin(sym);
                self.lets.push(quote!(#interior.within(#index, #array.extent(#dim));));
            }
        }
        self.lets.drain(..).collect()
    }

    /// The rows of the interior `__start .. __start + __n`.
    pub(super) fn rows(&mut self) -> TokenStream {
        let entry = Names::new(self.plan.kernel).entry();
        let (start, n) = (plain("__start"), plain("__n"));
        let mut rows = TokenStream::new();
        for param in 0..self.plan.kernel.params.len() {
            let array = names::param(param, Span::mixed_site());
            let plan = self.plan;
            let all: Vec<(Ident, TokenStream, TokenStream)> = plan
                .rows_of(param)
                .map(|(number, row)| {
                    let index: Vec<TokenStream> = row
                        .index
                        .iter()
                        .map(|sym| {
                            let lin = self.lin(sym);
                            quote!(#entry::Interior::at(#lin, #start))
                        })
                        .collect();
                    let dims = row_dims(plan, param);
                    let ids = index.iter().enumerate().map(|(c, index)| {
                        match dims.get(c).copied().flatten() {
                            Some(0) => quote!(#start),
                            Some(dim) => {
                                let id = names::id(dim, Span::mixed_site());
                                quote!(#id)
                            }
                            None => index.clone(),
                        }
                    });
                    let ids = quote!([#(#ids),*]);
                    (names::row(number), quote!([#(#index),*]), ids)
                })
                .collect();
            if all.is_empty() {
                continue;
            }
            let names = all.iter().map(|(name, ..)| name);
            let index = all.iter().map(|(_, index, _)| index);
            if kind(plan.kernel, param) == Kind::Own {
                let ids = all.iter().map(|(_, _, ids)| ids);
                rows.extend(quote! {
                    let [#(#names),*] = #array.rows([#(#index),*], [#(#ids),*], #n);
                });
            } else {
                rows.extend(quote!(#(let #names = #array.row(#index, #n);)*));
            }
        }
        rows
    }
}
