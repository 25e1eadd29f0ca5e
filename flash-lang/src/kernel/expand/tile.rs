//! Lines side by side: where the items of several lines of a plane read the same elements in each
//! trip of a loop, these lines take the trips together, so that such elements are read once for all
//! of them and no sum waits for itself. Each item computes what it computes alone, in the same
//! order. It does not write bodies whose loops reach anything but rows found before them; those, and
//! what is left over, are left to the lines one by one.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::abreast::{cells, id0, is_shared};
use super::body::{Mode, Writer};
use super::early::{self, early};
use super::gain::{By, gains, is_wide, reads_alike};
use super::names::{self, Names, plain};
use super::plan::{Kind, Plan, Site, kind};
use super::stretch::{Run, Stretch};
use super::walk::Walk;
use crate::kernel::model::{Block, Expr, ExprKind, For, Stmt};

/// The lines, or groups of items of the only line, side by side; half as many of eight bytes.
const SIDE_BY_SIDE: usize = 4;
/// The lines where there are 32 vectors of 512 bits: sums of eight lines wait for nothing. With 16
/// vectors of 256 bits they do not fit (a product of matrices takes 1.6 and 0.7 times as many items).
const DEEP: usize = 8;
/// The groups of items of a line that is left over in a plane, likewise: what another core has just
/// written comes in long pieces (256 KiB in 6 us, not 12). From memory 4 groups are 2 % faster.
const GROUPS: usize = 8;

/// What runs the interiors of lines of a plane from `__top` on, and leaves the first one that has
/// not run in `__tiled`; `None` where that would gain nothing. `rows` makes the rows of line `__nth`
/// of the plane; those of all lines are there where `there` holds.
pub(super) fn write(
    plan: &Plan<'_>,
    rows: &TokenStream,
    there: &TokenStream,
) -> Option<TokenStream> {
    let (usual, deep) = (lines(plan, rows, there, SIDE_BY_SIDE)?, lines(plan, rows, there, DEEP)?);
    let (tiled, top, is_deep) = (plain("__tiled"), plain("__top"), plain(names::DEEP));
    Some(quote! {
        let mut #tiled = #top;
        if #is_deep { #deep }
        #usual
    })
}

/// The same for so many lines side by side, half as many of eight bytes, from `__tiled` on.
fn lines(
    plan: &Plan<'_>,
    rows: &TokenStream,
    there: &TokenStream,
    lines: usize,
) -> Option<TokenStream> {
    let kernel = plan.kernel;
    let (mut whole, mut tile) = (Walk::default(), Tile::of(plan, By::Line(rows), lines)?);
    whole.block(&plan.body.block);
    let lines = tile.n;
    let body = tile.block(&plan.body.block, &mut Scope::default())?;
    let Tile { before, checks, each, each_checks, .. } = tile;
    let names = Names::new(kernel);
    let (core, entry) = (names.core(), names.entry());
    let values =
        (0..kernel.params.len()).filter(|&p| kind(kernel, p) == Kind::Value).map(|param| {
            let (name, value) =
                (&kernel.params[param].name, names::param(param, Span::call_site()));
            quote!(let #name = #value;)
        });
    let held = plan.row_params.iter().map(|&param| names::param(param, Span::call_site()));
    let (tiled, base, next) = (plain("__tiled"), base(), plain("__next"));
    let (bottom, high) = (plain("__bottom"), plain("__high"));
    let (n, c, lo, start) = (plain("__n"), plain("__c"), plain("__lo"), plain("__start"));
    // Items that only write may be done twice, so that none are left over.
    let read = whole.on_read.iter().any(|access| kind(kernel, access.param) == Kind::Own);
    let (whole, more, at) = if read || whole.n_updates > 0 {
        let more = quote!(#bottom - #tiled >= #lines);
        (quote!(#n % #entry::ABREAST == 0), more, quote!(#tiled))
    } else {
        let at = quote!(#core::cmp::Ord::min(#tiled, #bottom - #lines));
        (quote!(true), quote!(#tiled < #bottom), at)
    };
    Some(quote! {
        if #n >= #entry::ABREAST && #high >= #lines && #whole
            #(&& #held.n_lines() == #high)* #there
        {
            let #lo = #start;
            #(#values)*
            #(#before)*
            while #more #(&& #checks)* {
                let #base = #at;
                #(#each)*
                let mut #next = if true #(&& #each_checks)* { 0 } else { break };
                while #next < #n {
                    let #c = #core::cmp::Ord::min(#next, #n - #entry::ABREAST);
                    #body
                    #next = #c + #entry::ABREAST;
                }
                if #next < #n {
                    break;
                }
                #tiled = #base + #lines;
            }
        }
    })
}

/// What runs items of a line from `__next` on, several times as many as go side by side, and leaves
/// the first one that has not run there: their sums do not wait for themselves, and more of each row
/// is read at once. `None` where that would gain nothing.
pub(super) fn wide(plan: &Plan<'_>) -> Option<TokenStream> {
    let groups = if plan.kernel.rank > 1 { GROUPS } else { SIDE_BY_SIDE };
    let mut tile = Tile::of(plan, By::Items, groups)?;
    let body = tile.block(&plan.body.block, &mut Scope::default())?;
    let (n, groups) = (plain("__n"), tile.n);
    let (c, next, entry) = (plain("__c"), plain("__next"), Names::new(plan.kernel).entry());
    Some(quote! {
        while #n - #next >= #groups * #entry::ABREAST {
            let #c = #next;
            #body
            #next = #c + #groups * #entry::ABREAST;
        }
    })
}

/// Locals outside of the loops over items.
#[derive(Clone, Default)]
struct Scope {
    /// The same for all items of a line, in a variable for each line.
    shared: BTreeSet<usize>,
    /// One value for each item.
    each: BTreeSet<usize>,
}

struct Tile<'p, 'k> {
    plan: &'p Plan<'k>,
    by: By<'p>,
    /// How many of them.
    n: usize,
    /// What all lines read, before the first one, and that it is there.
    before: Vec<TokenStream>,
    checks: Vec<TokenStream>,
    /// The same of what each line reads, before the lines that go together.
    each: Vec<TokenStream>,
    each_checks: Vec<TokenStream>,
}

impl<'p, 'k> Tile<'p, 'k> {
    /// For a body that gains by it.
    fn of(plan: &'p Plan<'k>, by: By<'p>, n: usize) -> Option<Self> {
        let kernel = plan.kernel;
        let mut kinds = (0..kernel.params.len()).map(|param| kind(kernel, param));
        let mut whole = Walk::default();
        whole.block(&plan.body.block);
        let loops = &whole.on_for;
        let gains = plan.abreast
            && whole.n_jumps + whole.n_wholes + whole.n_shared == 0
            && !loops.is_empty()
            && loops.len() == whole.n_loops
            && loops.iter().all(|repeat| gains(plan, repeat, by))
            && kinds.all(|kind| matches!(kind, Kind::Value | Kind::Input | Kind::Own));
        let mut reads = whole.on_read.iter();
        let is_wide = reads.any(|access| is_wide(&kernel.params[access.param].elem));
        let n = if is_wide { n / 2 } else { n };
        let (before, checks, each, each_checks) = Default::default();
        gains.then_some(Self { plan, by, n, before, checks, each, each_checks })
    }

    /// Whether all that go side by side read the same elements.
    fn alike(&self, stretch: &Stretch<'_>) -> bool {
        match self.by {
            By::Line(_) => reads_alike(self.plan, stretch),
            By::Items => stretch.run != Run::Across,
        }
    }

    fn writer(&self, along: bool) -> Writer<'_, 'k> {
        let (plan, mode) = (Some(self.plan), Mode::Fast);
        Writer { plan, kernel: self.plan.kernel, mode, along, abreast: true }
    }

    /// What stands before anything of a line or group of items.
    fn line(&self, number: usize) -> TokenStream {
        let (id, base, c) = (id1(), base(), plain("__c"));
        match self.by {
            By::Line(_) => quote!(let #id = #base + #number;),
            By::Items => {
                let entry = Names::new(self.plan.kernel).entry();
                quote!(let #c = #c + #number * #entry::ABREAST;)
            }
        }
    }

    /// The shared locals of a line that are mentioned.
    fn mentioned(&self, scope: &Scope, walk: &Walk<'_>, line: usize) -> TokenStream {
        let locals = self.plan.body.locals.iter().enumerate();
        let each =
            locals.filter(|(number, _)| walk.locals.contains(number)).map(|(number, local)| {
                let (name, value) = (&local.name, of_line(&shared(number), line));
                match local.id_of {
                    Some(dim) if dim > 0 => {
                        let id = names::id(dim, Span::call_site());
                        quote!(let #name = #id;)
                    }
                    None if scope.shared.contains(&number) => quote!(let #name = #value;),
                    _ => TokenStream::new(),
                }
            });
        each.collect()
    }

    /// The rows that are mentioned, of the items from `__c` on.
    fn parts(&self, walk: &Walk<'_>) -> TokenStream {
        let mut accesses = walk.on_read.iter().chain(&walk.on_write);
        if !accesses.any(|access| matches!(self.plan.site(access), Site::Row(_))) {
            return TokenStream::new();
        }
        let names = Names::new(self.plan.kernel);
        let (core, entry) = (names.core(), names.entry());
        let (id, top, nth, c) = (id1(), plain("__top"), plain("__nth"), plain("__c"));
        let made = match self.by {
            By::Line(rows) => quote!(let #nth = #id - #top; #rows),
            By::Items => TokenStream::new(),
        };
        let all: Vec<Ident> = (0..self.plan.rows.len()).map(names::row).collect();
        let parts = self.plan.rows.iter().zip(&all).map(|(row, name)| {
            match kind(self.plan.kernel, row.param) {
                Kind::Own => quote!(#entry::abreast_mut::<_, { #entry::ABREAST }>(&mut *#name, #c)),
                _ => quote!(#entry::abreast::<_, { #entry::ABREAST }>(#name, #c)),
            }
        });
        quote! {
            #made
            let (#(#core::option::Option::Some(#all),)*) = (#(#parts,)*) else { break };
        }
    }

    /// What an item of a line does, after what it needs.
    fn item(&self, scope: &Scope, walk: &Walk<'_>, line: usize, work: &TokenStream) -> TokenStream {
        let entry = Names::new(self.plan.kernel).entry();
        let (id, lo, c, r) = (id0(), plain("__lo"), plain("__c"), plain("__r"));
        let (here, outer) = (plain("__at"), self.outer());
        let locals = &self.plan.body.locals;
        let used = |local: &usize| walk.locals.contains(local) && !walk.lets.contains(local);
        let ids = locals.iter().enumerate().filter_map(|(number, local)| {
            let name = &local.name;
            (local.id_of == Some(0) && used(&number)).then(|| quote!(let #name = #id;))
        });
        let loads = scope.each.iter().filter(|local| used(local)).map(|&local| {
            let (name, all) = (&locals[local].name, of_line(&cells(local), line));
            let mutable = walk.changed.contains(&local).then(|| quote!(mut));
            quote!(let #mutable #name = #all[#r];)
        });
        quote! {
            let #id = #lo + #c + #r;
            let #here = #entry::At::new([#id, #(#outer),*]);
            #(#ids)*
            #(#loads)*
            #work
        }
    }

    fn outer(&self) -> Vec<Ident> {
        (1..self.plan.kernel.rank).map(|dim| names::id(dim as u8, Span::call_site())).collect()
    }

    /// Statements without loops, for all items of all lines; inside of a loop with what each line
    /// reads in this trip.
    fn segment(
        &self,
        scope: &Scope,
        walk: &Walk<'_>,
        (along, work): (Option<&[Ident]>, &TokenStream),
    ) -> Option<TokenStream> {
        let inside = along.is_some();
        let known = |site: Site| inside || site != Site::Checked;
        let accesses = walk.on_read.iter().chain(&walk.on_write);
        if !accesses.into_iter().all(|access| known(self.plan.site(access))) {
            return None;
        }
        let entry = Names::new(self.plan.kernel).entry();
        let (r, here) = (plain("__r"), plain("__at"));
        let lines = (0..self.n).map(|line| {
            let changed = scope.each.iter().filter(|local| walk.changed.contains(local));
            let stores = changed.map(|&local| {
                let name = &self.plan.body.locals[local].name;
                let all = of_line(&cells(local), line);
                quote!(#all[#r] = #name;)
            });
            let work = quote!(#work #(#stores)* #here.done(););
            let item = self.item(scope, walk, line, &work);
            let reads = along.into_iter().flatten().map(|name| {
                let own = of_line(name, line);
                quote!(let #name = #own;)
            });
            let parts = if inside { TokenStream::new() } else { self.parts(walk) };
            let (id, mentioned) = (self.line(line), self.mentioned(scope, walk, line));
            quote!({
                #id
                #(#reads)*
                #parts
                #mentioned
                for #r in 0..#entry::ABREAST { #item }
            })
        });
        Some(lines.collect())
    }

    fn block(&mut self, block: &'k Block, scope: &mut Scope) -> Option<TokenStream> {
        let mut done = TokenStream::new();
        let mut waiting: Vec<&'k Stmt> = Vec::new();
        for stmt in &block.stmts {
            let mut walk = Walk::default();
            walk.stmt(stmt);
            if walk.n_loops == 0 && !matches!(stmt, Stmt::Let(..)) {
                waiting.push(stmt);
                continue;
            }
            done.extend(self.straight(&mut waiting, scope)?);
            done.extend(match stmt {
                Stmt::Let(local, Some(init)) => self.bind(*local, init, scope)?,
                Stmt::For(repeat) => self.repeat(repeat, scope)?,
                Stmt::Expr(expr) => self.guarded(expr, scope)?,
                _ => return None,
            });
        }
        done.extend(self.straight(&mut waiting, scope)?);
        if let Some(tail) = &block.tail {
            let mut walk = Walk::default();
            walk.expr(tail);
            done.extend(if walk.n_loops > 0 {
                self.guarded(tail, scope)?
            } else {
                let work = self.writer(false).expr(tail);
                self.segment(scope, &walk, (None, &quote!(#work;)))?
            });
        }
        Some(done)
    }

    /// A condition that the interior decides.
    fn guarded(&mut self, expr: &'k Expr, scope: &Scope) -> Option<TokenStream> {
        let block = match &expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                match (self.plan.guard(condition)?, otherwise) {
                    (true, _) => then,
                    (false, Some(otherwise)) => otherwise,
                    (false, None) => return Some(TokenStream::new()),
                }
            }
            ExprKind::Block(block) => block,
            ExprKind::Paren(inner) => return self.guarded(inner, scope),
            _ => return None,
        };
        let block = self.block(block, &mut scope.clone())?;
        Some(quote!({ #block }))
    }

    /// The statements that wait, none of which is a loop or declares a local.
    fn straight(&self, waiting: &mut Vec<&'k Stmt>, scope: &Scope) -> Option<TokenStream> {
        if waiting.is_empty() {
            return Some(TokenStream::new());
        }
        let (mut walk, writer) = (Walk::default(), self.writer(false));
        waiting.iter().for_each(|stmt| walk.stmt(stmt));
        let work: TokenStream = waiting.drain(..).map(|stmt| writer.stmt(stmt)).collect();
        self.segment(scope, &walk, (None, &work))
    }

    /// A local: one for each line, or one for each item.
    fn bind(&self, number: usize, init: &'k Expr, scope: &mut Scope) -> Option<TokenStream> {
        let local = &self.plan.body.locals[number];
        if local.id_of.is_some() {
            return Some(TokenStream::new());
        }
        let (value, entry) = (self.writer(false).expr(init), Names::new(self.plan.kernel).entry());
        let ty = local.ty.as_ref().map(|ty| quote!(: #ty));
        let (new, here) = (names::var("__new", init.span), plain("__at"));
        let mut walk = Walk::default();
        walk.expr(init);
        if !local.mutable && is_shared(init, &scope.shared) {
            let lines = (0..self.n).map(|line| {
                let (name, id) = (of_line(&shared(number), line), self.line(line));
                let value = self.once(scope, &walk, line, &quote!(let #new #ty = #value;), &new);
                quote!(let #name = { #id #value };)
            });
            let lines = lines.collect();
            scope.shared.insert(number);
            return Some(lines);
        }
        let known = |site: Site| site != Site::Checked;
        if walk.n_loops > 0 || !walk.on_read.iter().all(|access| known(self.plan.site(access))) {
            return None;
        }
        let mutable = local.mutable.then(|| quote!(mut));
        let r = plain("__r");
        let lines = (0..self.n).map(|line| {
            let work = quote! {
                let #new #ty = #value;
                #here.done();
                #new
            };
            let item = self.item(scope, &walk, line, &work);
            let (all, id) = (of_line(&cells(number), line), self.line(line));
            let (parts, mentioned) = (self.parts(&walk), self.mentioned(scope, &walk, line));
            quote! {
                let #mutable #all: [_; #entry::ABREAST] = {
                    #id
                    #parts
                    #mentioned
                    #entry::each(#[inline(always)] |#r| { #item })
                };
            }
        });
        let lines = lines.collect();
        scope.each.insert(number);
        Some(lines)
    }

    /// A value that is the same for all items of a line: what fails is the first of them.
    fn once(
        &self,
        scope: &Scope,
        walk: &Walk<'_>,
        line: usize,
        work: &TokenStream,
        value: &Ident,
    ) -> TokenStream {
        let entry = Names::new(self.plan.kernel).entry();
        let (here, outer) = (plain("__at"), self.outer());
        let (lo, c) = (plain("__lo"), plain("__c"));
        let mentioned = self.mentioned(scope, walk, line);
        quote! {
            #mentioned
            let #here = #entry::At::new([#lo + #c, #(#outer),*]);
            #work
            #here.done();
            #value
        }
    }

    /// A loop with the same trips for all items of all lines.
    fn repeat(&mut self, repeat: &'k For, scope: &Scope) -> Option<TokenStream> {
        let plan = self.plan;
        let local = &plan.body.locals[repeat.local];
        let bounds = [&repeat.lo, &repeat.hi];
        if local.mutable || !bounds.iter().all(|bound| is_shared(bound, &scope.shared)) {
            return None;
        }
        if matches!(self.by, By::Line(_)) {
            self.prepare(repeat)?;
        }
        let names = Names::new(plan.kernel);
        let (core, entry) = (names.core(), names.entry());
        let (name, writer) = (&local.name, self.writer(true));
        let (lo, hi) = (writer.expr(&repeat.lo), writer.expr(&repeat.hi));
        let mut asked = Walk::default();
        bounds.into_iter().for_each(|bound| asked.expr(bound));
        let (from, to, trips) = (plain("__from"), plain("__to"), plain("__trips"));
        let (trip, c, range) = (plain("__trip"), plain("__c"), plain("__range"));
        let ends = quote!(let #range: (usize, usize) = (#lo, #hi););
        let (id, ends) = (self.line(0), self.once(scope, &asked, 0, &ends, &range));
        let (mut first, mut next) = (Vec::new(), Vec::new());
        let (mut lines, mut own) = (Vec::new(), Vec::new());
        for stretch in plan.stretches.of(repeat).unwrap_or_default() {
            let name = names::stretch(stretch.access.site);
            let alike = self.alike(stretch);
            let all: Vec<_> = match alike {
                true => vec![name.clone()],
                false => (0..self.n).map(|line| of_line(&name, line)).collect(),
            };
            let of_lines = !alike && matches!(self.by, By::Line(_));
            if of_lines {
                lines.push(quote!(let [#(#all),*] = #name;));
            }
            for (number, one) in all.iter().enumerate() {
                let whole = if of_lines { one } else { &name };
                let first_item = match (&self.by, alike) {
                    (By::Items, false) => quote!(#c + #number * #entry::ABREAST),
                    _ => quote!(#c),
                };
                match stretch.run {
                    Run::Along => first.push(quote!(let #one = &#whole[..#trips];)),
                    Run::Down => next.push(quote!(let #one = #whole.first(#trip);)),
                    Run::Across => next.push(quote! {
                        let #one = #whole.items::<{ #entry::ABREAST }>(#trip, #first_item);
                    }),
                }
            }
            if !alike {
                own.push(name);
            }
        }
        let mut walk = Walk::default();
        walk.block(&repeat.body);
        let work = writer.block(&repeat.body);
        let body = self.segment(scope, &walk, (Some(&own), &work))?;
        Some(quote!({
            let (#from, #to): (usize, usize) = { #id #ends };
            let #trips = #core::cmp::Ord::max(#to, #from) - #from;
            #(#lines)*
            #(#first)*
            for #trip in 0..#trips {
                let #name = #from + #trip;
                #(#next)*
                #body
            }
        }))
    }

    /// The rows along a loop, those that all lines read and those of each line.
    fn prepare(&mut self, repeat: &'k For) -> Option<()> {
        let plan = self.plan;
        let core = Names::new(plan.kernel).core();
        let (from, to, trips) = (plain("__from"), plain("__to"), plain("__trips"));
        let (lo, hi) = (early(plan, &repeat.lo, false)?, early(plan, &repeat.hi, false)?);
        let count = quote! {
            let (#from, #to): (usize, usize) = (#lo, #hi);
            let #trips = #core::cmp::Ord::max(#to, #from) - #from;
        };
        for stretch in plan.stretches.of(repeat).unwrap_or_default() {
            let name = names::stretch(stretch.access.site);
            let (row, found) = early::rows(plan, stretch)?;
            let check = quote!({ #count #found == #trips });
            if reads_alike(plan, stretch) {
                self.before.push(quote!(let #name = { #count #row };));
                self.checks.push(check);
                continue;
            }
            let (id, base, line, lines) = (id1(), base(), plain("__line"), self.n);
            let entry = Names::new(plan.kernel).entry();
            self.each.push(quote! {
                let #name: [_; #lines] = #entry::each(#[inline(always)] |#line| {
                    let #id = #base + #line;
                    #count
                    #row
                });
            });
            self.each_checks.push(quote!(#name.iter().all(#[inline(always)] |#name| #check)));
        }
        Some(())
    }
}

fn id1() -> Ident {
    names::id(1, Span::call_site())
}

/// The first of the lines that go together.
fn base() -> Ident {
    plain("__base")
}

/// The value of a local that all items of a line share.
fn shared(local: usize) -> Ident {
    plain(&format!("__shared{local}"))
}

/// The variable of one line.
fn of_line(name: &Ident, line: usize) -> Ident {
    plain(&format!("{name}_{line}"))
}
