//! The loops over a plane where interiors of several lines run before their rims. Which bodies may be
//! run so, `sweep` says.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::cpu::{Cpu, Side};
use super::lines::Lines;
use super::names::{self, plain};

impl<'p, 'k> Cpu<'p, 'k> {
    /// The lines, if they run in sweeps.
    fn in_sweeps(&self) -> Option<Lines<'p, 'k>> {
        let mut lines = Lines::new(self.plan);
        if !lines.planes || !self.plan.has_fast() || !super::sweep::in_sweeps(self.plan) {
            return None;
        }
        lines.sweeps = true;
        lines.edges = super::sweep::has_edges(self.plan);
        Some(lines)
    }

    /// Whether the items around their interiors have code of their own.
    pub(super) fn has_edges(&self) -> bool {
        self.in_sweeps().is_some_and(|lines| lines.edges)
    }

    /// The lines of a plane, some at a time: first their interiors, with no more between them than the
    /// items on both sides where those have code of their own, and then their rims.
    pub(super) fn sweep(&self, next: &TokenStream) -> Option<(TokenStream, TokenStream)> {
        let lines = self.in_sweeps()?;
        let around = lines.edges.then(|| self.around());
        let (core, entry) = (self.names.core(), self.names.entry());
        let (block, lo, hi, i) = (plain("__block"), plain("__lo"), plain("__hi"), plain("__i"));
        let (from, to, inside) = (plain("__from"), plain("__to"), plain("__inside"));
        let (top, bottom, high) = (plain("__top"), plain("__bottom"), plain("__high"));
        let (start, end, stop) = (plain("__start"), plain("__interior_end"), plain("__stop"));
        let Side { before, plane, run, there, tests, together, .. } = self.side_of("fast", lines);
        let [other_before, other_cut, other_run, ends] = self.ends();
        let (mut rows, mut all) = (quote!(()), quote!(#entry::NoRows));
        for (row, of_lines) in together {
            (rows, all) = (quote!((#rows, #row)), quote!((#all, #of_lines)));
        }
        let (rim_call, reports) = self.rim_call();
        let (id, nth) = (names::id(1, Span::call_site()), plain("__nth"));
        // Where the guard alone cuts, and nothing follows it, the rim has nothing to do.
        let (idle, interior, of_plane) = (plain("__idle"), plain("__interior"), plain("__plane"));
        let (of_items, of_lines) = (plain("__of_items"), plain("__of_lines"));
        let is_idle = match super::sweep::is_one_guard(self.plan) {
            true => quote! {
                #interior.same(&#of_items) && #of_plane.same(&#of_lines)
            },
            false => quote!(false),
        };
        // Or where the interior is all there is.
        let is_done = match tests.is_empty() {
            true => quote!(#inside && #start == #lo && #end == #hi),
            false => quote!(false),
        };
        let (joined, at_once, n) = (plain("__joined"), plain("__at_once"), plain("__n"));
        // What is asked of each line is not asked of several.
        let mut is_joined = match tests.is_empty() && super::sweep::joins(self.plan) {
            true => quote!(#entry::Rows::are_joined(&#all)),
            false => quote!(false),
        };
        let rim = quote! {
            #other_cut
            let mut #i = #lo;
            while #i < #hi {
                if #i == #start && #inside #tests {
                    #i = #end;
                    continue;
                }
                #other_run
                #ends
                while #i < #stop {
                    #rim_call
                    #i += 1;
                }
            }
            #reports
        };
        let (mut before_all, mut before_some) = (TokenStream::new(), TokenStream::new());
        let mut rims = quote!(for #id in #from..#to { #rim #next });
        if let Some(around) = around {
            let (missed, outside) = (plain("__missed"), around.outside);
            (before_all, before_some) = (around.before_all, around.before_some);
            // Rows are wider than the interior where it is not all there is.
            is_joined = quote!(#start == #lo && #end == #hi && #is_joined);
            rims = quote! {
                #outside
                for #id in #from..#to {
                    if #missed { #rim }
                    #next
                }
            };
        }
        let loops = quote! {
            #plane
            #before_all
            let #idle = #is_idle;
            let #joined = #is_joined;
            let #at_once = if #joined { #entry::joined_lines(#n) } else { #entry::SWEEP };
            let mut #from = #block.lo(1);
            while #from < #block.hi(1) {
                let #inside = #start < #end && #top <= #from && #from < #bottom #there;
                let #to = if #from < #top {
                    #top
                } else if #from < #bottom {
                    #core::cmp::Ord::min(#bottom, #from + #at_once)
                } else {
                    #block.hi(1)
                };
                #before_some
                if #inside {
                    #entry::each_row(
                        #all,
                        #from - #top..#to - #top,
                        #joined,
                        #n,
                        #[inline(always)]
                        |#nth, #n, #rows| {
                            let #id = #top + #nth;
                            if #nth < #high #tests { #run }
                        },
                    );
                }
                if #is_done || #idle && (#inside || #from < #top || #bottom <= #from) {
                    #from = #to;
                    continue;
                }
                #other_before
                #rims
                #from = #to;
            }
        };
        Some((before, loops))
    }
}
