//! The CPU entries of a kernel: arguments, the loops over a block, lines cut into interior and rim,
//! and one wrapper for each instruction set.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::{Mode, Writer, label, own_dims};
use super::lines::Lines;
use super::names::{self, Names, plain};
use super::plan::{Kind, Plan, kind};
use crate::kernel::model::{ReduceOp, Role};

/// The functions and constants that the descriptor names: the last value is the `Entries`.
pub(super) fn entries(plan: &Plan<'_>, instance: usize) -> (TokenStream, TokenStream) {
    let names = Names::new(plan.kernel);
    let (core, rt, entry) = (names.core(), names.rt(), names.entry());
    let cpu = Cpu { plan, names };
    let names = &cpu.names;
    let run = names.item("run");
    let (baseline, avx2, avx512) =
        (names.item("baseline"), names.item("avx2"), names.item("avx512"));
    let unit = names.item("unit");
    let (avx2_entry, avx512_entry) = (names.item("entry_avx2"), names.item("entry_avx512"));
    let (args, block) = (plain("__args"), plain("__block"));
    let rim = cpu.rim();
    let fast = plan.has_fast().then(|| cpu.fast());
    let body = cpu.run();
    let option = quote!(#core::option::Option);
    let isa = quote!(#rt::descriptor::IsaEntry);
    let items = quote! {
        #rim
        #fast
        #[inline(always)]
        #[allow(warnings, clippy::all, clippy::pedantic)]
        fn #run(#args: &mut #entry::Args<'_>, #block: &#rt::space::Block) {
            #body
        }
        #[allow(non_local_definitions)]
        impl #unit::Unit<#instance> {
            fn #baseline(#args: &mut #entry::Args<'_>, #block: &#rt::space::Block) {
                #run(#args, #block);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn #avx2(#args: &mut #entry::Args<'_>, #block: &#rt::space::Block) {
                #run(#args, #block);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
            fn #avx512(#args: &mut #entry::Args<'_>, #block: &#rt::space::Block) {
                #run(#args, #block);
            }
        }
        #[cfg(target_arch = "x86_64")]
        const #avx2_entry: #option<#isa> = #option::Some(#unit::Unit::<#instance>::#avx2);
        #[cfg(not(target_arch = "x86_64"))]
        const #avx2_entry: #option<#isa> = #option::None;
        #[cfg(target_arch = "x86_64")]
        const #avx512_entry: #option<#isa> = #option::Some(#unit::Unit::<#instance>::#avx512);
        #[cfg(not(target_arch = "x86_64"))]
        const #avx512_entry: #option<#isa> = #option::None;
    };
    let value = quote! {
        #rt::descriptor::Entries {
            baseline: #unit::Unit::<#instance>::#baseline,
            avx2: #avx2_entry,
            avx512: #avx512_entry,
        }
    };
    (items, value)
}

struct Cpu<'p, 'k> {
    plan: &'p Plan<'k>,
    names: Names<'k>,
}

impl Cpu<'_, '_> {
    fn n_params(&self) -> usize {
        self.plan.kernel.params.len()
    }

    fn kind(&self, param: usize) -> Kind {
        kind(self.plan.kernel, param)
    }

    fn params_of(&self, wanted: Kind) -> impl Iterator<Item = usize> {
        (0..self.n_params()).filter(move |&param| self.kind(param) == wanted)
    }

    /// The dimensions from 1 up, as variables of the loops over a block.
    fn outer_ids(&self) -> Vec<Ident> {
        (1..self.plan.kernel.rank).map(|dim| names::id(dim as u8, Span::call_site())).collect()
    }

    /// The step of a reduction.
    fn step(&self, param: usize) -> TokenStream {
        let entry = self.names.entry();
        let name = match self.plan.kernel.params[param].role {
            Role::Reduce { op, .. } => match op {
                ReduceOp::Add => "Add",
                ReduceOp::Mul => "Mul",
                ReduceOp::Min => "Min",
                ReduceOp::Max => "Max",
                ReduceOp::And => "And",
                ReduceOp::Or => "Or",
                ReduceOp::Xor => "Xor",
            },
            _ => "Add",
        };
        let name = Ident::new(name, Span::call_site());
        quote!(#entry::reduction::#name)
    }

    /// The type of an array parameter's handle.
    fn handle(&self, param: usize) -> TokenStream {
        let entry = self.names.entry();
        let (elem, rank) =
            (&self.plan.kernel.params[param].elem, self.plan.kernel.params[param].rank);
        match self.kind(param) {
            Kind::Value => quote!(#elem),
            Kind::Input => quote!(&#entry::Input<'_, #elem, #rank>),
            Kind::Own => quote!(&mut #entry::Own<'_, #elem, #rank>),
            Kind::Raw => quote!(&#entry::RawArray<'_, #elem, #rank>),
            Kind::Atomic => quote!(&#entry::AtomicArray<'_, #elem, #rank>),
            Kind::Lanes => {
                let step = self.step(param);
                quote!(&mut #entry::reduction::Lanes<#elem, #step>)
            }
        }
    }

    /// The variable of a parameter in `__run`, lent as its handle's type wants.
    fn lent(&self, param: usize) -> TokenStream {
        let name = names::param(param, Span::call_site());
        match self.kind(param) {
            Kind::Value => quote!(#name),
            Kind::Own | Kind::Lanes => quote!(&mut #name),
            Kind::Input | Kind::Raw | Kind::Atomic => quote!(&#name),
        }
    }

    /// Parameters with violations to note.
    fn with_bad(&self) -> impl Iterator<Item = usize> {
        (0..self.n_params()).filter(|&param| !matches!(self.kind(param), Kind::Value | Kind::Lanes))
    }

    /// What rim and interior share: ids, sizes, places to note violations.
    fn shared_params(&self) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let entry = self.names.entry();
        let (mut declared, mut given) = (Vec::new(), Vec::new());
        let mut add = |name: &Ident, ty: TokenStream| {
            declared.push(quote!(#name: #ty));
            given.push(quote!(#name));
        };
        for id in self.outer_ids() {
            add(&id, quote!(usize));
        }
        for &dim in &self.plan.sizes {
            add(&names::size(dim, Span::call_site()), quote!(usize));
        }
        for param in self.with_bad() {
            let (bad, rank) = (names::bad(param), self.plan.kernel.params[param].rank);
            declared.push(quote!(#bad: &mut #entry::Bad<#rank>));
            given.push(quote!(&mut #bad));
        }
        (declared, given)
    }

    /// One item with every access checked. The one copy of the body whose lints are the user's.
    fn rim(&self) -> TokenStream {
        let plan = self.plan;
        let rim = self.names.item("rim");
        let (shared, _) = self.shared_params();
        let params = (0..self.n_params()).map(|param| {
            let (name, ty) = (&plan.kernel.params[param].name, self.handle(param));
            quote!(#name: #ty)
        });
        // Used by the launch, whatever the body does.
        let used = plan.kernel.params.iter().enumerate().filter_map(|(param, value)| {
            let by_length = plan.kernel.params.iter().any(|other| {
                other.scratch_len.as_ref().is_some_and(|len| super::body::mentions(len, param))
            });
            let name = &value.name;
            by_length.then(|| quote!(let _ = &#name;))
        });
        let writer =
            Writer { plan: Some(plan), kernel: plan.kernel, mode: Mode::Rim, along: false };
        let body = writer.block(&plan.body.block);
        let (id, k, position) = (self.id0(), plain("__k"), plain("__position"));
        let (label, at, outer) = (label(), plain("__at"), self.outer_ids());
        let entry = self.names.entry();
        quote! {
            #[inline(always)]
            #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            #[allow(unused_parens, unused_braces, unused_labels, unused_mut, non_snake_case)]
            fn #rim(#id: usize, #k: usize, #position: usize, #(#shared,)* #(#params),*) {
                #(#used)*
                let #at = #entry::At::new([#id, #(#outer),*]);
                #label: {
                    #body
                }
                #at.done();
            }
        }
    }

    fn id0(&self) -> Ident {
        names::id(0, Span::call_site())
    }

    /// The interior of a line: a loop over items with rows and known guards.
    fn fast(&self) -> TokenStream {
        let plan = self.plan;
        let fast = self.names.item("fast");
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
        let lens = plan.lens.iter().map(|&param| names::len(param, Span::call_site()));
        let extents =
            plan.extents.iter().map(|&(param, dim)| names::extent(param, dim, Span::call_site()));
        let sizes: Vec<Ident> = lens.chain(extents).collect();
        let rows: Vec<Ident> = (0..plan.rows.len()).map(names::row).collect();
        let row_types = plan.rows.iter().map(|row| {
            let elem = &plan.kernel.params[row.param].elem;
            let mutable = (self.kind(row.param) == Kind::Own).then(|| quote!(mut));
            quote!(&#mutable [#elem])
        });
        let dead = plan.dead_params.iter().map(|&param| {
            let (dead, elem) = (names::dead(param), &plan.kernel.params[param].elem);
            quote!(let #dead: &mut [#elem] = &mut [];)
        });
        let writer =
            Writer { plan: Some(plan), kernel: plan.kernel, mode: Mode::Fast, along: false };
        let body = writer.block(&plan.body.block);
        let (id, k, n, r) = (self.id0(), plain("__k"), plain("__n"), plain("__r"));
        let (lo, first, position) = (plain("__lo"), plain("__first"), plain("__position"));
        let (label, here, outer) = (label(), plain("__at"), self.outer_ids());
        let entry = self.names.entry();
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
            let all = plan.rows.iter().zip(&rows);
            all.map(|(row, name)| part(name, self.kind(row.param) == Kind::Own)).collect()
        };
        let lanes: Vec<Ident> = self
            .params_of(Kind::Lanes)
            .map(|param| names::param(param, Span::call_site()))
            .collect();
        let work = if lanes.is_empty() {
            let item = item(quote!(#r));
            let whole = parts(&|row, mutable| {
                let mutable = mutable.then(|| quote!(mut));
                quote!(let #row = &#mutable #row[..#n];)
            });
            quote! {
                #whole
                for #r in 0..#n { #item }
            }
        } else {
            // 32 items at a time, one for each lane; the lanes live in registers meanwhile.
            let (group, groups) = (plain("__group"), plain("__groups"));
            let item = item(quote!((#group * 32 + #r)));
            let cells: Vec<Ident> = lanes.iter().map(|l| plain(&format!("{l}_cell"))).collect();
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
                #(let #cells = #lanes; let mut #lanes = #cells.from_position(#position);)*
                let #groups = #n / 32;
                #whole
                for #group in 0..#groups {
                    #part
                    for #r in 0..32 {
                        let #position = #r;
                        #item
                    }
                }
                #(*#cells = #lanes.to_position(#position);)*
            }
        };
        quote! {
            #[inline(always)]
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            #[allow(overflowing_literals, arithmetic_overflow, unconditional_panic)]
            fn #fast(
                #lo: usize, #first: usize, #n: usize, #position: usize, #(#shared,)* #(#sizes: usize,)*
                #(#rows: #row_types,)* #(#params),*
            ) {
                #(#dead)*
                #work
            }
        }
    }

    /// Arguments, and the loops over a block.
    fn run(&self) -> TokenStream {
        let (core, entry) = (self.names.core(), self.names.entry());
        let (args, block) = (plain("__args"), plain("__block"));
        let plan = self.plan;
        let at = Span::call_site();
        let decoded = (0..self.n_params()).map(|param| {
            let (name, elem) = (names::param(param, at), &plan.kernel.params[param].elem);
            let rank = plan.kernel.params[param].rank;
            match self.kind(param) {
                Kind::Value => quote!(let #name = #args.value::<#elem>(#param);),
                Kind::Input => quote!(let #name = #args.input::<#elem, #rank>(#param);),
                Kind::Own => quote!(let mut #name = #args.own::<#elem, #rank>(#param);),
                Kind::Raw => quote!(let #name = #args.raw::<#elem, #rank>(#param);),
                Kind::Atomic => quote!(let #name = #args.atomic::<#elem, #rank>(#param);),
                Kind::Lanes => {
                    let step = self.step(param);
                    quote!(let mut #name = #entry::reduction::Lanes::<#elem, #step>::new();)
                }
            }
        });
        let lens = plan.lens.iter().map(|&param| {
            let (len, array) = (names::len(param, at), names::param(param, at));
            quote!(let #len = #array.len();)
        });
        let extents = plan.extents.iter().map(|&(param, dim)| {
            let (extent, array) = (names::extent(param, dim, at), names::param(param, at));
            let dim = usize::from(dim);
            quote!(let #extent = #array.extent(#dim);)
        });
        let sizes = plan.sizes.iter().map(|&dim| {
            let (size, dim) = (names::size(dim, at), usize::from(dim));
            quote!(let #size = #args.global_size(#dim);)
        });
        let (lo, hi, end, position) =
            (plain("__lo"), plain("__hi"), plain("__end"), plain("__position"));
        let (before, plane, line) = self.line();
        let mut loops = quote! {
            #line
            #position += #hi - #lo;
        };
        for (above, id) in self.outer_ids().iter().enumerate() {
            let dim = above + 1;
            let plane = (dim == 1).then_some(&plane);
            loops = quote! {
                #plane
                for #id in #block.lo(#dim)..#block.hi(#dim) { #loops }
            };
        }
        let bads = self.with_bad().map(|param| {
            let (bad, rank) = (names::bad(param), plan.kernel.params[param].rank);
            quote!(let mut #bad = #entry::Bad::<#rank>::new();)
        });
        let finish = self.params_of(Kind::Lanes).map(|param| {
            let (lanes, elem) = (names::param(param, at), &plan.kernel.params[param].elem);
            let step = self.step(param);
            quote!(#args.finish::<#elem, #step>(#param, &#lanes);)
        });
        quote! {
            #(#decoded)*
            #(#lens)*
            #(#extents)*
            #(#sizes)*
            #(#bads)*
            let mut #position = 0_usize;
            let (mut #lo, #end) = (#block.lo(0), #block.hi(0));
            while #lo < #end {
                let #hi = #core::cmp::Ord::min(#end, #lo + #entry::LINE_ITEMS);
                #before
                #loops
                #lo = #hi;
            }
            #(#finish)*
        }
    }

    /// One line: the interior, and the rim on both sides of it. First what all lines share, then
    /// what those of a plane do: lines that differ in dimension 1 only.
    fn line(&self) -> (TokenStream, TokenStream, TokenStream) {
        let plan = self.plan;
        let entry = self.names.entry();
        let at = Span::call_site();
        let (args, lo, hi, position) =
            (plain("__args"), plain("__lo"), plain("__hi"), plain("__position"));
        let (i, stop) = (plain("__i"), plain("__stop"));
        let (start, end) = (plain("__start"), plain("__interior_end"));
        let outer = self.outer_ids();
        let (_, shared) = self.shared_params();
        let reports = self.with_bad().map(|param| {
            let (bad, number) = (names::bad(param), param as u16);
            quote!(#args.flush(#number, &mut #bad, &[#lo, #(#outer),*]);)
        });
        let rim = self.names.item("rim");
        let all = (0..self.n_params()).map(|param| self.lent(param));
        let rim_call = quote! {
            #rim(#i, #i - #lo, #position + (#i - #lo), #(#shared,)* #(#all),*);
        };
        if !plan.has_fast() {
            let line = quote! {
                let mut #i = #lo;
                while #i < #hi {
                    #rim_call
                    #i += 1;
                }
                #(#reports)*
            };
            return (TokenStream::new(), TokenStream::new(), line);
        }
        let mut lines = Lines::new(plan);
        let (block_cuts, line_cuts) = lines.cuts();
        let (ready, rows) = lines.rows();
        let n = plain("__n");
        let fast = self.names.item("fast");
        let lens = plan.lens.iter().map(|&param| names::len(param, at));
        let extents = plan.extents.iter().map(|&(param, dim)| names::extent(param, dim, at));
        let sizes: Vec<Ident> = lens.chain(extents).collect();
        let row_names: Vec<Ident> = (0..plan.rows.len()).map(names::row).collect();
        let given = (0..self.n_params())
            .filter(|param| !(self.kind(*param) == Kind::Own && plan.row_params.contains(param)))
            .map(|param| self.lent(param));
        let whole_rows = match row_names.as_slice() {
            [] => quote!(true),
            rows => quote!(#(#rows.len() == #n)&&*),
        };
        let whole_lanes = self
            .params_of(Kind::Lanes)
            .next()
            .is_some()
            .then(|| quote!(let #end = #start + (#end - #start) / 32 * 32;));
        let (interior, whole, of_line) = (plain("__interior"), plain("__whole"), plain("__line"));
        let ends = quote! {
            let (#start, #end) = #interior.range(#hi);
            #whole_lanes
        };
        let mut plane = TokenStream::new();
        let (before, cut, holds) = if lines.planes {
            let block = plain("__block");
            let (of_plane, top, bottom) = (plain("__plane"), plain("__top"), plain("__bottom"));
            let (high, nth, tests) = (plain("__high"), plain("__nth"), lines.tests());
            let id = names::id(1, at);
            plane = quote! {
                let mut #of_plane = #entry::Interior::new(#block.lo(1), #block.hi(1));
                #line_cuts
                let (#top, #bottom) = #of_plane.range(#block.hi(1));
                let (#n, #high) = (#end - #start, #bottom - #top);
                #ready
            };
            let cut = quote!(let #nth = #id.wrapping_sub(#top););
            (ends, cut, Some(quote!(&& #nth < #high #tests)))
        } else if lines.slanted {
            let cut = quote! {
                let mut #interior = #whole;
                #line_cuts
                #ends
            };
            (quote!(let #whole = #interior;), cut, None)
        } else if line_cuts.is_empty() {
            (ends, TokenStream::new(), None)
        } else {
            let cut = quote! {
                let mut #of_line = #entry::Interior::new(0, 1);
                #line_cuts
            };
            (ends, cut, Some(quote!(&& #of_line.any())))
        };
        let before = quote! {
            let mut #interior = #entry::Interior::new(#lo, #hi);
            #block_cuts
            #before
        };
        let length = (!lines.planes).then(|| quote!(let #n = #end - #start;));
        let line = quote! {
            #cut
            let mut #i = #lo;
            while #i < #hi {
                if #i == #start && #start < #end #holds {
                    #length
                    #rows
                    if #whole_rows {
                        #fast(
                            #start, #start - #lo, #n, #position + (#start - #lo), #(#shared,)*
                            #(#sizes,)* #(#row_names,)* #(#given),*
                        );
                        #i = #end;
                        continue;
                    }
                }
                let #stop = if #i < #start { #start } else { #hi };
                while #i < #stop {
                    #rim_call
                    #i += 1;
                }
            }
            #(#reports)*
        };
        (before, plane, line)
    }
}

/// Own dimensions of a row of a parameter.
pub(super) fn row_dims(plan: &Plan<'_>, param: usize) -> Vec<Option<u8>> {
    let access = crate::kernel::model::Access {
        param,
        site: 0,
        span: Span::call_site(),
        index: Vec::new(),
        affine: Vec::new(),
        class: crate::kernel::model::AccessClass::Own,
    };
    own_dims(plan.kernel, &access)
}
