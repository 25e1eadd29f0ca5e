//! The loop over the items of an interior: rows, known guards, and no edge to a panic but the user's
//! own. It does not find the interior: `lines` does.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::{Mode, Writer, label};
use super::cpu::Cpu;
use super::names::{self, plain};
use super::plan::{Kind, Row};

impl Cpu<'_, '_> {
    /// The interior of a line: a loop over items with rows and known guards.
    pub(super) fn fast(&self, name: &str) -> TokenStream {
        let plan = self.plan;
        let fast = self.names.item(name);
        let (fused, _) = self.names.fused();
        let (shared, _) = self.shared_params();
        let params = (0..self.n_params()).filter_map(|param| {
            let ty = self.handle(param);
            let name = match self.kind(param) {
                Kind::Value => plan.kernel.params[param].name.clone(),
                Kind::Own if plan.row_params.contains(&param) => return None,
                _ => names::param(param, Span::call_site()),
            };
            Some(quote!(#name: #ty))
        });
        let sizes = self.sizes();
        let rows: Vec<Ident> = (0..plan.rows.len()).map(names::row).collect();
        let (core, entry) = (self.names.core(), self.names.entry());
        let row_types = plan.rows.iter().map(|row| {
            let elem = &plan.kernel.params[row.param].elem;
            match (self.kind(row.param), &row.cells) {
                (Kind::Own, _) => quote!(&mut [#elem]),
                (Kind::Raw, Some(_)) => quote!(&[#core::cell::Cell<#elem>]),
                (Kind::Raw, None) => quote!(#entry::RawRow<'_, #elem>),
                _ => quote!(&[#elem]),
            }
        });
        let dead = plan.dead_params.iter().map(|&param| {
            let (dead, elem) = (names::dead(param), &plan.kernel.params[param].elem);
            quote!(let #dead: &mut [#elem] = &mut [];)
        });
        let writer = Writer {
            plan: Some(plan),
            kernel: plan.kernel,
            mode: Mode::Fast,
            along: false,
            abreast: false,
        };
        let body = writer.block(&plan.body.block);
        let (id, k, n, r) = (self.id0(), plain("__k"), plain("__n"), plain("__r"));
        let (lo, first, position) = (plain("__lo"), plain("__first"), plain("__position"));
        let (label, here, outer) = (label(), plain("__at"), self.outer_ids());
        let item = |at: TokenStream| {
            quote! {
                let #id = #lo + #at;
                let #k = #first + #at;
                let #here = #entry::At::new([#id, #(#outer),*]);
                #label: { #body }
                #here.done();
            }
        };
        let parts = |part: &dyn Fn(&Ident, bool) -> TokenStream| -> TokenStream {
            let slices = plan.rows.iter().zip(&rows).filter(|(row, _)| !self.is_pointer(row));
            slices.map(|(row, name)| part(name, self.kind(row.param) == Kind::Own)).collect()
        };
        let lanes: Vec<Ident> = self
            .params_of(Kind::Lanes)
            .map(|param| names::param(param, Span::call_site()))
            .collect();
        let cells: Vec<Ident> = lanes.iter().map(|l| plain(&format!("{l}_cell"))).collect();
        let work = match (super::abreast::write(plan), lanes.is_empty()) {
            (None, false) => {
                // 32 items at a time, one for each lane.
                let (group, groups) = (plain("__group"), plain("__groups"));
                let item = item(quote!((#group * 32 + #r)));
                let all = plan.rows.iter().zip(&rows);
                let pointers = all.filter(|(row, _)| self.is_pointer(row)).map(|(_, name)| name);
                let pointers: Vec<&Ident> = pointers.collect();
                let whole = parts(&|row, mutable| {
                    let (chunks, mutable) = if mutable {
                        (quote!(as_chunks_mut), Some(quote!(mut)))
                    } else {
                        (quote!(as_chunks), None)
                    };
                    quote!(let #row = &#mutable #row.#chunks::<32>().0[..#groups];)
                });
                let part = parts(&|row, mutable| {
                    let mutable = mutable.then(|| quote!(mut));
                    quote!(let #row = &#mutable #row[#group];)
                });
                quote! {
                    let #groups = #n / 32;
                    #whole
                    for #group in 0..#groups {
                        #part
                        #(let #pointers = #pointers.from(#group * 32);)*
                        for #r in 0..32 {
                            let #position = #r;
                            #item
                        }
                    }
                }
            }
            (abreast, no_lanes) => {
                let item = item(quote!(#r));
                let whole = parts(&|row, mutable| {
                    let mutable = mutable.then(|| quote!(mut));
                    quote!(let #row = &#mutable #row[..#n];)
                });
                // Several items at a time, and then one by one.
                let (abreast, done) = match abreast {
                    Some(abreast) => {
                        let done = plain("__done");
                        (quote!(let #done = #abreast;), quote!(#done))
                    }
                    None => (TokenStream::new(), quote!(0)),
                };
                let lane = (!no_lanes).then(|| quote!(let #position = #r;));
                quote! {
                    #whole
                    #abreast
                    for #r in #done..#n { #lane #item }
                }
            }
        };
        // The lanes live in registers meanwhile.
        let work = quote! {
            #(let #cells = #lanes; let mut #lanes = #cells.from_position(#position);)*
            #work
            #(*#cells = #lanes.to_position(#position);)*
        };
        let lints = quote! {
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            #[allow(overflowing_literals, arithmetic_overflow, unconditional_panic)]
        };
        let params: Vec<TokenStream> = params.collect();
        let (written, by) = (self.grouped(), plain("__by"));
        let vector = written.as_ref().map(|_| quote!(#by: usize,));
        let declared = quote! {
            #lo: usize, #first: usize, #n: usize, #position: usize, #(#shared,)* #(#sizes: usize,)*
            #(#rows: #row_types,)* #(#params),*
        };
        let (name, all) = if plan.abreast || !super::sweep::may_repeat(plan) {
            (fast.clone(), TokenStream::new())
        } else {
            // Such a body reaches nothing but rows, values and sizes.
            let items = self.names.item(&format!("{name}_items"));
            let shared = self.shared_names();
            let values = (0..self.n_params()).filter_map(|param| match self.kind(param) {
                Kind::Value => Some(plan.kernel.params[param].name.clone()),
                Kind::Own => None,
                _ => Some(names::param(param, Span::call_site())),
            });
            let args: Vec<Ident> =
                shared.into_iter().chain(sizes.clone()).chain(rows.clone()).chain(values).collect();
            let (_, turbo) = self.names.fused();
            let (c, next) = (plain("__c"), plain("__next"));
            let from = |start: TokenStream| {
                parts(&|row, mutable| {
                    let mutable = mutable.then(|| quote!(mut));
                    quote!(let #row = &#mutable #row[#start];)
                })
            };
            let whole = from(quote!(..#n));
            let width = written.is_none().then(|| quote!(let #by = #entry::ABREAST;));
            let (group, at, groups) = (plain("__group"), plain("__begin"), plain("__groups"));
            // So many groups from one place on: whether they are there is asked before the loop over
            // them, which has no way out of its middle.
            let made = |n: TokenStream| {
                parts(&|row, mutable| {
                    let made = match mutable {
                        true => quote!(#entry::GroupsMut::new(&mut *#row, #at, #by, #n)),
                        false => quote!(#entry::Groups::new(#row, #at, #by, #n)),
                    };
                    let mutable = mutable.then(|| quote!(mut));
                    quote!(let #core::option::Option::Some(#mutable #row) = #made else { return };)
                })
            };
            let done = |part: TokenStream| {
                let part = parts(&|row, _| quote!(let #row = #row.#part;));
                quote! {
                    #part
                    #items #turbo(#lo + #c, #first + #c, #by, #position, #(#args),*);
                }
            };
            let made_one = made(quote!(1));
            let (one, made_some, some) =
                (done(quote!(group(0))), made(quote!(#groups)), done(quote!(group(#group))));
            let one = quote! {
                #made_one
                let #c = #at;
                #one
            };
            let some = quote! {
                #made_some
                for #group in 0..#groups {
                    let #c = #at + #group * #by;
                    #entry::trip();
                    #some
                }
            };
            let work = if let Some(written) = written.map(|(at, _)| &rows[at]) {
                // One vector in each trip, which a short row does not pay for. The second one starts
                // where its place is aligned, and the last one where the row leaves room for it.
                quote! {
                    if #n < #by {
                        #items #turbo(#lo, #first, #n, #position, #(#args),*);
                        return;
                    }
                    {
                        let #at = 0;
                        #one
                    }
                    let #at = #entry::second(#written, #by);
                    let #groups = (#n - #at) / #by;
                    let #next = #at + #groups * #by;
                    if #groups > 0 {
                        #some
                    }
                    if #next < #n {
                        let #at = #n - #by;
                        #one
                    }
                }
            } else {
                let from = done(quote!(from(#c)));
                quote! {
                    let mut #next = #entry::plain_items(#n);
                    #items #turbo(#lo, #first, #next, #position, #(#args),*);
                    if #next == #n {
                        return;
                    }
                    let #at = 0;
                    #made_one
                    while #next < #n {
                        let #c = #core::cmp::Ord::min(#next, #n - #by);
                        #from
                        #next = #c + #by;
                    }
                }
            };
            let all = quote! {
                #[inline(always)]
                #lints
                fn #fast #fused(#vector #declared) {
                    #whole
                    #width
                    #work
                }
            };
            (items, all)
        };
        quote! {
            #all
            #[inline(always)]
            #lints
            fn #name #fused(#declared) {
                #(#dead)*
                #work
            }
        }
    }

    /// The row that is written in groups of items, so many at a time, where loads straddle cache lines.
    pub(super) fn grouped(&self) -> Option<(usize, TokenStream)> {
        let plan = self.plan;
        let is_grouped =
            !plan.abreast && super::sweep::may_repeat(plan) && super::sweep::straddles(plan);
        let mut rows = plan.rows.iter().enumerate().filter(|_| is_grouped);
        let (at, row) = rows.find(|(_, row)| self.kind(row.param) == Kind::Own)?;
        Some((at, self.vector(row)))
    }

    /// How many elements of a row a vector holds.
    pub(super) fn vector(&self, row: &Row) -> TokenStream {
        let (entry, deep) = (self.names.entry(), plain(names::DEEP));
        let elem = &self.plan.kernel.params[row.param].elem;
        quote!(#entry::vector::<#elem, #deep>())
    }

    /// Whether a row is pointers for `unsafe` code of the user's.
    fn is_pointer(&self, row: &Row) -> bool {
        self.kind(row.param) == Kind::Raw && row.cells.is_none()
    }

    /// The names of what rim and interior share, in a function that has them.
    fn shared_names(&self) -> Vec<Ident> {
        self.numbers().chain(self.with_bad().map(names::bad)).collect()
    }
}
