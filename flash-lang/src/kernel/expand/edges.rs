//! The items around the interiors of a plane that runs in sweeps: guards are asked, elements come out
//! of rows that were found for all lines of the plane. Where an item reaches for an element that is not
//! there, its lines are left to the rim, which says so. Which bodies may be run so, `sweep` says.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::body::{Mode, Writer, label};
use super::cpu::Cpu;
use super::lines::edge_ids;
use super::names::{self, Names, plain};
use super::plan::{Kind, Row};
use crate::kernel::model::Kernel;

/// An element of a row, which may be missing.
pub(super) fn element(kernel: &Kernel, row: &Ident) -> TokenStream {
    let (entry, item, missed) = (Names::new(kernel).entry(), plain("__r"), plain("__missed"));
    quote_spanned!(row.span()=> #entry::Elements::at(&#row, #item, &mut #missed))
}

/// What an item of an edge is called with for a row: all its elements.
fn all_of(row: usize) -> Ident {
    plain(&format!("__all{row}"))
}

/// What goes around the interiors of a plane.
pub(super) struct Around {
    /// Before all lines: whether they have sides that are not left to the rim.
    pub(super) before_all: TokenStream,
    /// Before some lines: whether they are left to the rim.
    pub(super) before_some: TokenStream,
    /// Lines without an interior.
    pub(super) outside: TokenStream,
}

impl Cpu<'_, '_> {
    /// What all items of an edge share beside rows and values.
    fn common(&self) -> Vec<Ident> {
        self.numbers().chain(self.sizes()).collect()
    }

    fn is_own(&self, row: &Row) -> bool {
        self.kind(row.param) == Kind::Own
    }

    /// The numbers of the rows that are written, or of those that are read.
    fn rows_that(&self, write: bool) -> Vec<usize> {
        let rows = self.plan.rows.iter().enumerate();
        rows.filter(|(_, row)| self.is_own(row) == write).map(|(number, _)| number).collect()
    }

    /// Some items of an edge.
    pub(super) fn edge(&self) -> TokenStream {
        let plan = self.plan;
        let (edge, entry) = (self.names.item("edge"), self.names.entry());
        let (fused, _) = self.names.fused();
        let rows = plan.rows.iter().enumerate().map(|(number, row)| {
            let (name, elem) = (names::row(number), &plan.kernel.params[row.param].elem);
            match self.is_own(row) {
                true => quote!(#name: &mut [#elem]),
                false => quote!(#name: impl #entry::Elements<#elem>),
            }
        });
        let values = self.params_of(Kind::Value).map(|param| {
            let value = &plan.kernel.params[param];
            let (name, elem) = (&value.name, &value.elem);
            quote!(#name: #elem)
        });
        let (kernel, mode) = (plan.kernel, Mode::Edge);
        let writer = Writer { plan: Some(plan), kernel, mode, along: false, abreast: false };
        let body = writer.block(&plan.body.block);
        let (id, lo, n, r) = (self.id0(), plain("__lo"), plain("__n"), plain("__r"));
        let (label, at, outer, missed) =
            (label(), plain("__at"), self.outer_ids(), plain("__missed"));
        let (numbers, own) = (self.common(), self.rows_that(true).into_iter().map(names::row));
        quote! {
            #[inline(always)]
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            #[allow(overflowing_literals, arithmetic_overflow, unconditional_panic)]
            fn #edge #fused(
                #lo: usize, #n: usize, #(#numbers: usize,)* #(#rows,)* #(#values),*
            ) -> bool {
                #(let #own = &mut #own[..#n];)*
                let mut #missed = false;
                for #r in 0..#n {
                    let #id = #lo + #r;
                    let #at = #entry::At::new([#id, #(#outer),*]);
                    #label: { #body }
                    #at.done();
                }
                #missed
            }
        }
    }

    /// A call of it for `n` items from `lo` on, with what stands for a row that is read or written.
    fn edge_call(
        &self,
        (lo, n): (TokenStream, TokenStream),
        read: impl Fn(usize) -> TokenStream,
        own: impl Fn(usize) -> TokenStream,
    ) -> TokenStream {
        let (edge, (_, fused)) = (self.names.item("edge"), self.names.fused());
        let numbers = self.common();
        let rows = self.plan.rows.iter().enumerate();
        let rows = rows.map(|(k, row)| if self.is_own(row) { own(k) } else { read(k) });
        let values =
            self.params_of(Kind::Value).map(|param| names::param(param, Span::call_site()));
        quote!(#edge #fused(#lo, #n, #(#numbers,)* #(#rows,)* #(#values),*))
    }

    /// The interior of a line, which `call` runs, and the items on both sides of it.
    pub(super) fn run_with_sides(
        &self,
        whole_rows: &TokenStream,
        call: &TokenStream,
    ) -> TokenStream {
        let entry = self.names.entry();
        let (lo, hi, n) = (plain("__lo"), plain("__hi"), plain("__n"));
        let (start, end) = (plain("__start"), plain("__interior_end"));
        let (read, own) = (self.rows_that(false), self.rows_that(true));
        let parts = read.iter().map(|&row| {
            let (name, all, edge) = (names::row(row), all_of(row), names::edge(row));
            quote! {
                let #all = #edge.row(#name);
                let #name = #entry::part(#name, #start - #edge.first(), #n);
            }
        });
        let side = |side: &str, row: usize| plain(&format!("__{side}{row}"));
        let splits = own.iter().map(|&row| {
            let (name, edge) = (names::row(row), names::edge(row));
            let (left, right) = (side("left", row), side("right", row));
            quote! {
                let (#left, #name) = #entry::split(#name, #start - #edge.first());
                let (#name, #right) = #entry::split(#name, #n);
            }
        });
        let [lefts, rights]: [Vec<Ident>; 2] =
            ["left", "right"].map(|name| own.iter().map(|&row| side(name, row)).collect());
        let (sides, missed) = (plain("__sides"), plain("__missed"));
        let (from, items) = (plain("__first_item"), plain("__items"));
        let edge = self.edge_call(
            (quote!(#from), quote!(#items)),
            |row| {
                let all = all_of(row);
                quote!(#all.skip(#from - #lo))
            },
            |row| {
                let left = side("left", row);
                quote!(#left)
            },
        );
        quote! {
            #(#parts)*
            #(#splits)*
            if #whole_rows { #call }
            if #sides {
                for (#from, #items, #(#lefts),*) in
                    [(#lo, #start - #lo, #(#lefts),*), (#end, #hi - #end, #(#rights),*)]
                {
                    #missed |= #edge;
                }
            }
        }
    }

    /// Around the interiors of a plane.
    pub(super) fn around(&self) -> Around {
        let plan = self.plan;
        let core = self.names.core();
        let (lo, hi, line) = (plain("__lo"), plain("__hi"), names::id(1, Span::call_site()));
        let (from, to, inside) = (plain("__from"), plain("__to"), plain("__inside"));
        let (start, end) = (plain("__start"), plain("__interior_end"));
        let (missed, wide, items) = (plain("__missed"), plain("__wide"), plain("__items"));
        let (i, at) = (plain("__i"), plain("__first_item"));
        let (read, own) = (self.rows_that(false), self.rows_that(true));
        let own_edges: Vec<Ident> = own.iter().map(|&row| names::edge(row)).collect();
        let places = own.iter().map(|&row| {
            let (name, edge) = (names::row(row), names::edge(row));
            let array = names::param(plan.rows[row].param, Span::call_site());
            let ids = edge_ids(plan, &plan.rows[row], row, &line);
            quote! {
                let #name = #edge.own(&mut #array, #line, #ids);
                if #name.len() != #hi - #lo {
                    #missed = true;
                    break;
                }
            }
        });
        let found: Vec<Ident> = read.iter().map(|&row| names::row(row)).collect();
        let rows = read.iter().map(|&row| {
            let (name, edge) = (names::row(row), names::edge(row));
            let array = names::param(plan.rows[row].param, Span::call_site());
            quote!(let #name = #edge.line(&#array, #line);)
        });
        let vector = own.first().map(|&row| self.vector(&plan.rows[row]));
        let places_of = |row, n: &Ident| {
            let name = names::row(row);
            quote!(&mut #name[#at..#at + #n])
        };
        let packed = self.edge_call(
            (quote!(#lo + #at), quote!(#wide)),
            |row| {
                let name = names::row(row);
                quote!(#name)
            },
            |row| places_of(row, &wide),
        );
        let spread = self.edge_call(
            (quote!(#lo + #at), quote!(#items)),
            |row| {
                let name = names::row(row);
                quote!(#name.skip(#at))
            },
            |row| places_of(row, &items),
        );
        let (whole, sides) = (plain("__whole"), plain("__sides"));
        let before_all = quote! {
            let #whole = #(#own_edges.is_whole(#hi))&&*;
            let #sides = #whole && (#lo < #start || #end < #hi);
        };
        let before_some = quote!(let mut #missed = !#whole;);
        let outside = quote! {
            for #line in if #inside { #to..#to } else { #from..#to } {
                #(#rows)*
                #(#places)*
                let #wide = #vector;
                let #items = #core::cmp::Ord::min(#wide, #hi - #lo);
                let mut #i = 0;
                while #i < #hi - #lo {
                    let #at = #core::cmp::Ord::min(#i, #hi - #lo - #items);
                    #missed |= match (#(#found.packed(#at, #wide),)*) {
                        (#(#core::option::Option::Some(#found),)*) if #items == #wide => #packed,
                        _ => #spread,
                    };
                    #i = #at + #items;
                }
            }
        };
        Around { before_all, before_some, outside }
    }
}
