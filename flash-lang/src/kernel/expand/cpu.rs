//! The body of a kernel as a block's worth of machine code: arguments, the loops over the block,
//! lines cut into interior and rim. It does not say for which processors: `flash-rt` does.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::{Mode, Writer, label};
use super::lines::Lines;
use super::names::{self, FUSED, Names, plain};
use super::plan::{Kind, Plan, kind, own_dims};
use super::walk::Walk;
use crate::kernel::model::{ReduceOp, Role};

/// Trips that a loop is guessed to make.
const TRIPS: usize = 64;

/// The functions of the entries, and the value of them all.
pub(super) fn entries(plan: &Plan<'_>, instance: usize) -> (TokenStream, TokenStream) {
    let names = Names::new(plan.kernel);
    let (core, rt) = (names.core(), names.rt());
    let (entry, unit) = (names.entry(), names.item("unit"));
    let cpu = Cpu { plan, names };
    let (args, block) = (plain("__args"), plain("__block"));
    let (fused, deep) = (plain(FUSED), plain(names::DEEP));
    let rim = cpu.rim();
    let fast = plan.has_fast().then(|| cpu.fast("fast"));
    let other = cpu.other().map(|other| other.fast("other"));
    let edge = cpu.has_edges().then(|| cpu.edge());
    let body = cpu.run(false);
    let brief = cpu.is_brief().then(|| {
        let body = cpu.run(true);
        quote! {
            const BRIEF: bool = true;
            fn brief(#args: &mut #entry::Args<'_>, #block: &#rt::space::Block) {
                #body
            }
        }
    });
    let narrow = super::sweep::moves(plan).then(|| {
        quote!(
            const WIDE: bool = false;
        )
    });
    let items = quote! {
        #rim
        #fast
        #other
        #edge
        #[allow(warnings, clippy::all, clippy::pedantic)]
        impl #rt::descriptor::KernelBody for #unit::Unit<#instance> {
            #narrow
            const AVX512: bool = !#core::cfg!(debug_assertions);
            #[inline(always)]
            fn run<const #fused: bool, const #deep: bool>(
                #args: &mut #entry::Args<'_>,
                #block: &#rt::space::Block,
            ) {
                #body
            }
            #brief
        }
    };
    (items, quote!(#rt::descriptor::Entries::of::<#unit::Unit<#instance>>()))
}

/// Writes the functions of one body.
pub(super) struct Cpu<'p, 'k> {
    pub(super) plan: &'p Plan<'k>,
    pub(super) names: Names<'k>,
}

impl<'p, 'k> Cpu<'p, 'k> {
    /// The other side of lines that a lone comparison cuts.
    fn other(&self) -> Option<Self> {
        let plan = self.plan.other.as_deref()?;
        Some(Self { plan, names: Names::new(plan.kernel) })
    }

    pub(super) fn n_params(&self) -> usize {
        self.plan.kernel.params.len()
    }

    pub(super) fn kind(&self, param: usize) -> Kind {
        kind(self.plan.kernel, param)
    }

    pub(super) fn params_of(&self, wanted: Kind) -> impl Iterator<Item = usize> {
        (0..self.n_params()).filter(move |&param| self.kind(param) == wanted)
    }

    /// The dimensions from 1 up, as variables of the loops over a block.
    pub(super) fn outer_ids(&self) -> Vec<Ident> {
        (1..self.plan.kernel.rank).map(|dim| names::id(dim as u8, Span::call_site())).collect()
    }

    /// The lengths and extents that a body mentions.
    pub(super) fn sizes(&self) -> Vec<Ident> {
        let (plan, at) = (self.plan, Span::call_site());
        let lens = plan.lens.iter().map(|&param| names::len(param, at));
        let extents = plan.extents.iter().map(|&(param, dim)| names::extent(param, dim, at));
        lens.chain(extents).collect()
    }

    /// The ids and numbers of the launch that all items of a line share.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Ident> {
        let words = self.plan.words.iter().map(|&word| names::launch(word, Span::call_site()));
        self.outer_ids().into_iter().chain(words)
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
    pub(super) fn handle(&self, param: usize) -> TokenStream {
        let entry = self.names.entry();
        let (elem, rank) =
            (&self.plan.kernel.params[param].elem, self.plan.kernel.params[param].rank);
        match self.kind(param) {
            Kind::Value => quote!(#elem),
            Kind::Input => quote!(&#entry::Input<'_, #elem, #rank>),
            Kind::Own => quote!(&mut #entry::Own<'_, #elem, #rank>),
            Kind::Raw => quote!(&#entry::RawArray<'_, #elem, #rank>),
            Kind::Atomic if self.plan.only_added(param) => {
                quote!(&#entry::Tallies<'_, #elem, #rank>)
            }
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
    pub(super) fn with_bad(&self) -> impl Iterator<Item = usize> {
        (0..self.n_params()).filter(|&param| !matches!(self.kind(param), Kind::Value | Kind::Lanes))
    }

    /// What rim and interior share: ids, numbers of the launch, places to note violations.
    pub(super) fn shared_params(&self) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let entry = self.names.entry();
        let (mut declared, mut given) = (Vec::new(), Vec::new());
        let mut add = |name: &Ident, ty: TokenStream| {
            declared.push(quote!(#name: #ty));
            given.push(quote!(#name));
        };
        for id in self.outer_ids() {
            add(&id, quote!(usize));
        }
        for &word in &self.plan.words {
            add(&names::launch(word, Span::call_site()), quote!(usize));
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
        let (fused, _) = self.names.fused();
        let (shared, _) = self.shared_params();
        let params = (0..self.n_params()).map(|param| {
            let (name, ty) = (&plan.kernel.params[param].name, self.handle(param));
            quote!(#name: #ty)
        });
        // Used by the launch, whatever the body does.
        let used = plan.kernel.params.iter().enumerate().filter_map(|(param, value)| {
            let by_length = plan.kernel.params.iter().any(|other| {
                other.scratch_len.as_ref().is_some_and(|len| super::walk::mentions(len, param))
            });
            let name = &value.name;
            (by_length || plan.kernel.when == Some(param)).then(|| quote!(let _ = &#name;))
        });
        let writer = Writer {
            plan: Some(plan),
            kernel: plan.kernel,
            mode: Mode::Rim,
            along: false,
            abreast: false,
        };
        let written = plan.kernel.body.as_ref().unwrap_or(plan.body);
        let body = writer.block(&written.block);
        let (id, k, position) = (self.id0(), plain("__k"), plain("__position"));
        let (label, at, outer) = (label(), plain("__at"), self.outer_ids());
        let entry = self.names.entry();
        quote! {
            #[inline(always)]
            #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            #[allow(unused_parens, unused_braces, unused_labels, unused_mut, non_snake_case)]
            fn #rim #fused(#id: usize, #k: usize, #position: usize, #(#shared,)* #(#params),*) {
                #(#used)*
                let #at = #entry::At::new([#id, #(#outer),*]);
                #label: {
                    #body
                }
                #at.done();
            }
        }
    }

    pub(super) fn id0(&self) -> Ident {
        names::id(0, Span::call_site())
    }

    /// Whether a few items are worth code of their own: where finding out what they have in common
    /// takes longer than they do. It is the same on every processor, and so has to be what it does.
    fn is_brief(&self) -> bool {
        let kernel = self.plan.kernel;
        let fits = |role: &Role| !matches!(role, Role::Reduce { .. } | Role::Scratch);
        let strict = !self.plan.loops && !kernel.options.fast_math;
        strict && kernel.params.iter().all(|param| fits(&param.role))
    }

    /// The arrays of which the body asks for anything.
    fn used(&self) -> BTreeSet<usize> {
        let plan = self.plan;
        let mut walk = Walk::default();
        walk.block(&plan.body.block);
        if let Some(written) = &plan.kernel.body {
            walk.block(&written.block);
        }
        let touched = walk.on_read.iter().chain(&walk.on_write).map(|access| access.param);
        let sizes = plan.lens.iter().copied().chain(plan.extents.iter().map(|&(param, _)| param));
        touched.chain(walk.on_cell.iter().copied()).chain(sizes).collect()
    }

    /// Arguments, and the loops over a block; of a `brief` one all items are rim.
    fn run(&self, brief: bool) -> TokenStream {
        let (core, entry) = (self.names.core(), self.names.entry());
        let (args, block) = (plain("__args"), plain("__block"));
        let plan = self.plan;
        let at = Span::call_site();
        let used = self.used();
        let decoded = (0..self.n_params()).map(|param| {
            let (name, elem) = (names::param(param, at), &plan.kernel.params[param].elem);
            let rank = plan.kernel.params[param].rank;
            match self.kind(param) {
                Kind::Value => quote!(let #name = #args.value::<#elem>(#param);),
                Kind::Input if !used.contains(&param) => {
                    quote!(let #name = #entry::Input::<#elem, #rank>::none();)
                }
                Kind::Input => quote!(let #name = #args.input::<#elem, #rank>(#param);),
                Kind::Own if brief => {
                    quote!(let mut #name = #args.own_of_few::<#elem, #rank>(#param);)
                }
                Kind::Own => quote!(let mut #name = #args.own::<#elem, #rank>(#param);),
                Kind::Raw => quote!(let #name = #args.raw::<#elem, #rank>(#param);),
                Kind::Atomic if plan.only_added(param) => {
                    let each = if plan.loops { TRIPS } else { 1 };
                    quote!(let #name = #args.tallies::<#elem, #rank>(#param, #each);)
                }
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
        let words = plan.words.iter().map(|&word| {
            let (name, value) = (names::launch(word, at), names::launch_value(&args, word));
            quote!(let #name = #value;)
        });
        let (lo, hi, end, position) =
            (plain("__lo"), plain("__hi"), plain("__end"), plain("__position"));
        let next = quote!(#position += #hi - #lo;);
        let sweep = if brief { None } else { self.sweep(&next) };
        let (before, plane, mut loops, first) = match sweep {
            Some((before, sweep)) => (before, TokenStream::new(), sweep, 1),
            None => {
                let (before, plane, line) = self.line(brief);
                (before, plane, quote!(#line #next), 0)
            }
        };
        for (above, id) in self.outer_ids().iter().enumerate().skip(first) {
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
            #(#words)*
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
    fn line(&self, brief: bool) -> (TokenStream, TokenStream, TokenStream) {
        let (lo, hi) = (plain("__lo"), plain("__hi"));
        let (i, stop) = (plain("__i"), plain("__stop"));
        let (rim_call, reports) = self.rim_call();
        if brief || !self.plan.has_fast() {
            let line = quote! {
                let mut #i = #lo;
                while #i < #hi {
                    #rim_call
                    #i += 1;
                }
                #reports
            };
            return (TokenStream::new(), TokenStream::new(), line);
        }
        let planes = self.plan.other.is_none();
        let Side { mut before, plane, mut cut, mut run, .. } = self.side("fast", planes);
        let [b, c, r, ends] = self.ends();
        before.extend(b);
        cut.extend(c);
        run.extend(r);
        let line = quote! {
            #cut
            let mut #i = #lo;
            while #i < #hi {
                #run
                #ends
                while #i < #stop {
                    #rim_call
                    #i += 1;
                }
            }
            #reports
        };
        (before, plane, line)
    }

    /// Where a rim stops that begins at `__i`, as a variable. Before that, the interior of the other
    /// side: as in [`Side`], what comes before all lines, before one, and where the line is at its
    /// start.
    pub(super) fn ends(&self) -> [TokenStream; 4] {
        let (i, hi) = (plain("__i"), plain("__hi"));
        let (start, stop) = (plain("__start"), plain("__stop"));
        let mut ends = quote!(let #stop = if #i < #start { #start } else { #hi };);
        let Some(other) = self.other() else {
            return [TokenStream::new(), TokenStream::new(), TokenStream::new(), ends];
        };
        let Side { before, cut, run, .. } = other.side("other", false);
        let [before, cut, run] = super::sides::renamed([before, cut, run]);
        let start = super::sides::other(&start);
        ends.extend(quote! {
            let #stop = if #i < #start && #start < #stop { #start } else { #stop };
        });
        [before, cut, run, ends]
    }

    /// An item of the rim, and what is said after each line.
    pub(super) fn rim_call(&self) -> (TokenStream, TokenStream) {
        let (args, lo, position) = (plain("__args"), plain("__lo"), plain("__position"));
        let (i, outer) = (plain("__i"), self.outer_ids());
        let (_, shared) = self.shared_params();
        let reports = self.with_bad().map(|param| {
            let (bad, number) = (names::bad(param), param as u16);
            quote!(#args.flush(#number, &mut #bad, &[#lo, #(#outer),*]);)
        });
        let (rim, (_, fused)) = (self.names.item("rim"), self.names.fused());
        let all = (0..self.n_params()).map(|param| self.lent(param));
        let call = quote! {
            #rim #fused(#i, #i - #lo, #position + (#i - #lo), #(#shared,)* #(#all),*);
        };
        (call, reports.collect())
    }

    /// The interior of a line, run by the function of this name. Whether lines may be taken in
    /// planes: only one side of them can.
    fn side(&self, name: &str, planes: bool) -> Side {
        let mut lines = Lines::new(self.plan);
        lines.planes &= planes;
        self.side_of(name, lines)
    }

    pub(super) fn side_of(&self, name: &str, mut lines: Lines<'_, '_>) -> Side {
        let plan = self.plan;
        let entry = self.names.entry();
        let at = Span::call_site();
        let (lo, hi, position) = (plain("__lo"), plain("__hi"), plain("__position"));
        let i = plain("__i");
        let (start, end) = (plain("__start"), plain("__interior_end"));
        let (_, shared) = self.shared_params();
        let (block_cuts, line_cuts) = lines.cuts();
        let (ready, rows) = lines.rows();
        let n = plain("__n");
        let (fast, (_, fused)) = (self.names.item(name), self.names.fused());
        let sizes = self.sizes();
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
        let (mut plane, mut tile) = (TokenStream::new(), None);
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
            let whole = !lines.sweeps && tests.is_empty();
            tile = whole.then(|| super::tile::write(plan, &rows, &lines.there())).flatten();
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
        let vector = self.grouped().map(|(_, vector)| quote!(#vector,));
        let call = quote! {
            #fast #fused(
                #vector #start, #start - #lo, #n, #position + (#start - #lo), #(#shared,)*
                #(#sizes,)* #(#row_names,)* #(#given),*
            );
        };
        let run = if lines.edges {
            self.run_with_sides(&whole_rows, &call)
        } else if lines.sweeps {
            quote!(#rows if #whole_rows { #call })
        } else {
            let has_run = tile.is_some().then(|| {
                let (id, tiled) = (names::id(1, at), plain("__tiled"));
                quote!(if #id < #tiled { #i = #end; continue; })
            });
            plane.extend(tile);
            quote! {
                if #i == #start && #start < #end #holds {
                    #has_run
                    #length
                    #rows
                    if #whole_rows {
                        #call
                        #i = #end;
                        continue;
                    }
                }
            }
        };
        let (there, tests) = (lines.there(), lines.tests());
        Side { before, plane, cut, run, there, tests, together: lines.together }
    }
}

/// The code of the interior of lines.
pub(super) struct Side {
    /// Before all lines.
    pub(super) before: TokenStream,
    /// Before those of a plane.
    pub(super) plane: TokenStream,
    /// Before a line.
    pub(super) cut: TokenStream,
    /// Where the line is at its start.
    pub(super) run: TokenStream,
    /// That the rows of a plane are all there, and what is left to ask of each line.
    pub(super) there: TokenStream,
    pub(super) tests: TokenStream,
    /// The rows of a line where several lines run before their rims, each with those of all lines.
    pub(super) together: Vec<(Ident, TokenStream)>,
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
