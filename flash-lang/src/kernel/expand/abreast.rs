//! Items side by side: where the loops of a body run alike for all items of a line, several items
//! take each trip together, and the compiler packs them. Each item computes what it computes alone,
//! in the same order. It leaves to the plain loop every body with an access that is not checked
//! before all loops.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::{Mode, Writer};
use super::early::early;
use super::group::GroupKind;
use super::names::{self, Names, plain};
use super::plan::{Kind, Plan, Site, kind};
use super::stretch::{Run, Stretch, literal};
use super::walk::Walk;
use crate::kernel::model::{Block, Expr, ExprKind, For, Stmt};

/// Loops of so few trips are unrolled anyway, which is enough unless they look down columns.
const FEW_TRIPS: u64 = 32;

/// The number of items done side by side, as a block that does them; `None` where the body is not
/// one of those.
pub(super) fn write(plan: &Plan<'_>) -> Option<TokenStream> {
    let n_params = plan.kernel.params.len();
    if (0..n_params).any(|p| kind(plan.kernel, p) == Kind::Raw) {
        return None;
    }
    let mut whole = Walk::default();
    whole.block(&plan.body.block);
    // Jumps are ways out that not all items take; structures are not packed.
    if whole.n_loops == 0 || whole.n_jumps > 0 || whole.n_wholes > 0 {
        return None;
    }
    let few = |repeat: &&For| {
        let all = plan.stretches.of(repeat).unwrap_or_default();
        is_short(repeat)
            && all.iter().all(|stretch| stretch.run != Run::Across && stretch.group.is_none())
    };
    if whole.n_loops == whole.on_for.len() && whole.on_for.iter().all(few) {
        return None;
    }
    let names = Names::new(plan.kernel);
    let (core, entry) = (names.core(), names.entry());
    let group = plan.stretches.group_size();
    let width = match (group, plan.stretches.any_own()) {
        (Some(by), _) => quote!(#by),
        (None, true) => quote!(#entry::FEW_ABREAST),
        // Each trip of a loop with a condition of its own waits for the one before.
        (None, false) if whole.on_for.is_empty() => quote!(#entry::MANY_ABREAST),
        (None, false) => quote!(#entry::ABREAST),
    };
    let lo = plain("__lo");
    let (before, checks) = (Vec::new(), group.map(|by| quote!(#lo % #by == 0)));
    let checks = checks.into_iter().collect();
    let mut abreast = Abreast { plan, width: width.clone(), before, checks, n_loops: 0 };
    let body = abreast.block(&plan.body.block, Scope::default())?;
    let (before, checks) = (abreast.before, abreast.checks);
    let (n, c, next) = (plain("__n"), plain("__c"), plain("__next"));
    // Items that only write may be done twice, so that none are left over.
    let read = whole.on_read.iter().any(|access| kind(plan.kernel, access.param) == Kind::Own);
    let once = read || whole.n_updates > 0 || whole.n_shared > 0 || group.is_some();
    let (more, at) = if once {
        (quote!(#n - #next >= #width), quote!(#next))
    } else {
        (quote!(#next < #n), quote!(#core::cmp::Ord::min(#next, #n - #width)))
    };
    let after = match group {
        Some(_) => quote!(#entry::apart(#c + #width)),
        None => quote!(#c + #width),
    };
    // Short loops of a line of a plane are unrolled, and their sums wait for little.
    let unrolled = plan.kernel.rank > 1 && whole.on_for.iter().any(|repeat| is_short(repeat));
    let wide = if unrolled { None } else { super::tile::wide(plan) };
    let rows: Vec<Ident> = (0..plan.rows.len()).map(names::row).collect();
    let parts = plan.rows.iter().zip(&rows).map(|(row, name)| match kind(plan.kernel, row.param) {
        Kind::Own => quote!(#entry::abreast_mut::<_, { #width }>(&mut *#name, #c)),
        _ => quote!(#entry::abreast::<_, { #width }>(#name, #c)),
    });
    Some(quote!({
        let mut #next = 0;
        #(#before)*
        if #n >= #width #(&& #checks)* {
            #wide
            while #more {
                let #c = #at;
                let (#(#core::option::Option::Some(#rows),)*) = (#(#parts,)*) else { break };
                #body
                #next = #after;
            }
        }
        #next
    }))
}

fn is_short(repeat: &For) -> bool {
    literal(&repeat.lo).is_some() && literal(&repeat.hi).is_some_and(|hi| hi <= FEW_TRIPS)
}

/// Locals outside of the loops over the items of a group.
#[derive(Clone, Default)]
struct Scope {
    /// The same for all items of a line, in a variable.
    shared: BTreeSet<usize>,
    /// One value for each item.
    each: BTreeSet<usize>,
    /// Inside of loops.
    depth: usize,
    /// Inside of a loop whose reads along it were found to be in range.
    along: bool,
}

pub(super) struct Abreast<'p, 'k> {
    pub(super) plan: &'p Plan<'k>,
    /// How many items.
    width: TokenStream,
    /// Rows along loops, before the first item.
    before: Vec<TokenStream>,
    /// That they are all there.
    checks: Vec<TokenStream>,
    pub(super) n_loops: usize,
}

impl<'k> Abreast<'_, 'k> {
    fn writer(&self, scope: &Scope) -> Writer<'_, 'k> {
        let (plan, mode) = (Some(self.plan), Mode::Fast);
        Writer { plan, kernel: self.plan.kernel, mode, along: scope.along, abreast: true }
    }

    /// A value for each item, or what each item does.
    fn each(&self, scope: &Scope, walk: &Walk<'_>, work: &TokenStream) -> TokenStream {
        let entry = Names::new(self.plan.kernel).entry();
        let (id, lo, c, r) = (id0(), plain("__lo"), plain("__c"), plain("__r"));
        let (here, outer) = (plain("__at"), self.outer());
        let (k, first, position) = (plain("__k"), plain("__first"), plain("__position"));
        let used = |local: &&usize| walk.locals.contains(*local) && !walk.lets.contains(*local);
        let ids = self.plan.body.locals.iter().enumerate().filter_map(|(number, local)| {
            let mentioned = local.id_of == Some(0) && used(&&number);
            let name = &local.name;
            mentioned.then(|| quote!(let #name = #id;))
        });
        let loads = scope.each.iter().filter(used).map(|&local| {
            let (name, all) = (&self.plan.body.locals[local].name, cells(local));
            let mutable = walk.changed.contains(&local).then(|| quote!(mut));
            quote!(let #mutable #name = #all[#r];)
        });
        quote! {
            let #id = #lo + #c + #r;
            let (#k, #position) = (#first + #c + #r, #c + #r);
            let #here = #entry::At::new([#id, #(#outer),*]);
            #(#ids)*
            #(#loads)*
            #work
        }
    }

    /// The new values of what was changed.
    fn stores(&self, scope: &Scope, walk: &Walk<'_>) -> TokenStream {
        let (r, here) = (plain("__r"), plain("__at"));
        let changed = scope.each.iter().filter(|local| walk.changed.contains(local));
        let stores = changed.map(|&local| {
            let (name, all) = (&self.plan.body.locals[local].name, cells(local));
            quote!(#all[#r] = #name;)
        });
        quote!(#(#stores)* #here.done();)
    }

    /// Statements without loops, for all items.
    fn segment(&self, scope: &Scope, walk: &Walk<'_>, work: &TokenStream) -> Option<TokenStream> {
        let (r, stores, width) = (plain("__r"), self.stores(scope, walk), &self.width);
        let item = self.each(scope, walk, &quote!(#work #stores));
        self.knows(scope, walk).then(|| quote!(for #r in 0..#width { #item }))
    }

    fn outer(&self) -> Vec<Ident> {
        (1..self.plan.kernel.rank).map(|dim| names::id(dim as u8, Span::call_site())).collect()
    }

    /// Whether the accesses are elements of rows, or along the loop they stand in.
    fn knows(&self, scope: &Scope, walk: &Walk<'_>) -> bool {
        let found = |site: usize| {
            let stretches = &self.plan.stretches;
            scope.along && (stretches.has(site) || stretches.column(site).is_some())
        };
        walk.on_read.iter().all(|a| self.plan.site(a) != Site::Checked || found(a.site))
            && walk.on_write.iter().all(|access| self.plan.site(access) != Site::Checked)
    }

    fn block(&mut self, block: &'k Block, mut scope: Scope) -> Option<TokenStream> {
        let mut whole = Walk::default();
        whole.block(block);
        // What items change together keeps the compiler from packing the statements around it.
        if whole.n_loops + whole.n_shared == 0 {
            let work = self.writer(&scope).block(block);
            return self.segment(&scope, &whole, &work);
        }
        let mut done = TokenStream::new();
        let mut waiting: Vec<&'k Stmt> = Vec::new();
        for stmt in &block.stmts {
            let mut walk = Walk::default();
            walk.stmt(stmt);
            if walk.n_loops == 0 && !matches!(stmt, Stmt::Let(..)) {
                waiting.push(stmt);
                continue;
            }
            done.extend(self.straight(&mut waiting, &scope)?);
            done.extend(match stmt {
                Stmt::Let(local, Some(init)) => self.bind(*local, init, &mut scope)?,
                Stmt::For(repeat) => self.repeat(repeat, &scope)?,
                Stmt::While(Some(condition), body, _) => {
                    self.repeat_while(condition, body, &scope)?
                }
                Stmt::Expr(expr) => self.guarded(expr, &scope)?,
                _ => return None,
            });
        }
        done.extend(self.straight(&mut waiting, &scope)?);
        if let Some(tail) = &block.tail {
            let mut walk = Walk::default();
            walk.expr(tail);
            done.extend(if walk.n_loops > 0 {
                self.guarded(tail, &scope)?
            } else {
                let work = self.writer(&scope).expr(tail);
                self.segment(&scope, &walk, &quote!(#work;))?
            });
        }
        Some(done)
    }

    /// The statements that wait, none of which is a loop or declares a local.
    fn straight(&self, waiting: &mut Vec<&'k Stmt>, scope: &Scope) -> Option<TokenStream> {
        if waiting.is_empty() {
            return Some(TokenStream::new());
        }
        let (mut walk, writer) = (Walk::default(), self.writer(scope));
        waiting.iter().for_each(|stmt| walk.stmt(stmt));
        let work: TokenStream = waiting.drain(..).map(|stmt| writer.stmt(stmt)).collect();
        self.segment(scope, &walk, &work)
    }

    /// A local: one for all, or one for each item.
    fn bind(&self, number: usize, init: &'k Expr, scope: &mut Scope) -> Option<TokenStream> {
        let local = &self.plan.body.locals[number];
        let (name, value) = (&local.name, self.writer(scope).expr(init));
        let ty = local.ty.as_ref().map(|ty| quote!(: #ty));
        if local.id_of == Some(0) {
            return Some(TokenStream::new());
        }
        if !local.mutable && is_shared(init, &scope.shared) {
            scope.shared.insert(number);
            let value = self.shared(&value);
            return Some(quote!(let #name #ty = #value;));
        }
        let mut walk = Walk::default();
        walk.expr(init);
        if walk.n_loops > 0 || !self.knows(scope, &walk) {
            return None;
        }
        let entry = Names::new(self.plan.kernel).entry();
        let (all, r, here) = (cells(number), plain("__r"), plain("__at"));
        let width = &self.width;
        let new = names::var("__new", init.span);
        let item = self.each(
            scope,
            &walk,
            &quote! {
                let #new #ty = #value;
                #here.done();
                #new
            },
        );
        scope.each.insert(number);
        let mutable = local.mutable.then(|| quote!(mut));
        Some(quote! {
            let #mutable #all: [_; #width] = #entry::each(#[inline(always)] |#r| { #item });
        })
    }

    /// A value that is the same for all items: what fails is the first of them.
    fn shared(&self, value: &TokenStream) -> TokenStream {
        let entry = Names::new(self.plan.kernel).entry();
        let (here, new, outer) = (plain("__at"), plain("__shared"), self.outer());
        let (lo, c) = (plain("__lo"), plain("__c"));
        quote!({
            let #here = #entry::At::new([#lo + #c, #(#outer),*]);
            let #new = #value;
            #here.done();
            #new
        })
    }

    /// A loop with the same trips for all items.
    fn repeat(&mut self, repeat: &'k For, scope: &Scope) -> Option<TokenStream> {
        let plan = self.plan;
        let bounds = [Some(&repeat.lo), Some(&repeat.hi), repeat.step.as_ref()];
        let local = &plan.body.locals[repeat.local];
        if local.mutable
            || !bounds.into_iter().flatten().all(|bound| is_shared(bound, &scope.shared))
        {
            return None;
        }
        let stretches: Vec<_> = plan.stretches.of(repeat).unwrap_or_default().iter().collect();
        let stretches: Vec<_> =
            stretches.into_iter().filter(|s| plan.site(s.access) == Site::Checked).collect();
        let names = Names::new(plan.kernel);
        let (core, entry) = (names.core(), names.entry());
        let (name, writer) = (&local.name, self.writer(scope));
        let (lo, hi) = (writer.expr(&repeat.lo), writer.expr(&repeat.hi));
        let step = repeat.step.as_ref().map(|step| writer.expr(step));
        let mut inside = scope.clone();
        inside.shared.insert(repeat.local);
        inside.depth += 1;
        if stretches.is_empty() {
            let range = if repeat.inclusive { quote!(#lo..=#hi) } else { quote!(#lo..#hi) };
            let mut range = self.shared(&range);
            if repeat.rev {
                range = quote!(#core::iter::Iterator::rev(#range));
            }
            if let Some(step) = step {
                range = quote!(#core::iter::Iterator::step_by(#range, #step));
            }
            let body = self.block(&repeat.body, inside)?;
            return Some(quote!(for #name in #range { #body }));
        }
        // Only loops that all items of the line begin with the same rows.
        if scope.depth > 0 {
            return None;
        }
        inside.along = true;
        self.prepare(repeat, &stretches)?;
        let body = self.block(&repeat.body, inside)?;
        let (from, to) = (plain("__from"), plain("__to"));
        let (trips, trip, c) = (plain("__trips"), plain("__trip"), plain("__c"));
        let range = self.shared(&quote!((#lo, #hi)));
        let grouped = |table: bool| {
            let is = move |s: &&&Stretch<'_>| {
                s.group.is_some_and(|g| matches!(g.kind, GroupKind::Table { .. }) == table)
            };
            let all = stretches.iter().filter(is);
            all.map(|stretch| stretch.access.site).collect::<Vec<_>>()
        };
        let elements: Vec<_> = grouped(false).into_iter().map(names::stretch).collect();
        let rows: Vec<_> = grouped(true).iter().map(|site| names::stretch(*site)).collect();
        let tables: Vec<_> = grouped(true).into_iter().map(table_of).collect();
        let part = |wanted: Run, own: bool| {
            let is = move |s: &&&Stretch<'_>| {
                s.run == wanted && s.own.is_some() == own && s.group.is_none()
            };
            let all = stretches.iter().filter(is);
            all.map(|stretch| names::stretch(stretch.access.site)).collect::<Vec<_>>()
        };
        let (along, own) = (part(Run::Along, false), part(Run::Along, true));
        let (down, across) = (part(Run::Down, false), part(Run::Across, false));
        let width = &self.width;
        Some(quote!({
            let (#from, #to): (usize, usize) = #range;
            let #trips = #core::cmp::Ord::max(#to, #from) - #from;
            #(let #along = &#along[..#trips];)*
            #(
                let #own = #own.some::<{ #width }>(#c);
                let #own: [_; #width] = #entry::each(#[inline(always)] |row| &#own[row][..#trips]);
            )*
            #(let #elements = #elements.items::<{ #width }>(0, #c);)*
            for #trip in 0..#trips {
                let #name = #from + #trip;
                #(let #elements = #elements[#name];)*
                #(let #rows = #tables[#trip];)*
                #(let #down = #down.first(#trip);)*
                #(let #across = #across.items::<{ #width }>(#trip, #c);)*
                #body
            }
        }))
    }

    /// The rows along a loop, for all items of the line.
    fn prepare(&mut self, repeat: &'k For, stretches: &[&Stretch<'k>]) -> Option<()> {
        let core = Names::new(self.plan.kernel).core();
        let (from, to, trips) = (plain("__from"), plain("__to"), plain("__trips"));
        let trips_here = plain(&format!("__trips{}", self.n_loops));
        self.n_loops += 1;
        let n = plain("__n");
        let (lo, hi) = (early(self.plan, &repeat.lo, false)?, early(self.plan, &repeat.hi, false)?);
        let (mut slices, mut rows, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for stretch in stretches {
            let access = stretch.access;
            if let Some(group) = stretch.group {
                let slice = names::stretch(access.site);
                let (row, found, table) = self.grouped(stretch, group)?;
                self.checks.push(quote!(#slice.rows() == #found));
                let name = table_of(access.site);
                tables.extend(table.map(|table| quote!(let #name = #slice.#table();)));
                slices.push(slice);
                rows.push(row);
                continue;
            }
            let (row, found) = super::early::rows(self.plan, stretch)?;
            let all = if stretch.own.is_some() { &n } else { &trips_here };
            self.checks.push(quote!(#found == #all));
            slices.push(names::stretch(access.site));
            rows.push(row);
        }
        self.before.push(quote! {
            let (#trips_here, #(#slices),*) = {
                let (#from, #to): (usize, usize) = (#lo, #hi);
                let #trips = #core::cmp::Ord::max(#to, #from) - #from;
                (#trips, #(#rows),*)
            };
            #(#tables)*
        });
        Some(())
    }

    /// A loop that each item leaves when its own condition says so. Nothing changes the values of an
    /// item that has left, so that its condition stays false.
    fn repeat_while(
        &self,
        condition: &'k Expr,
        body: &'k Block,
        scope: &Scope,
    ) -> Option<TokenStream> {
        let (mut asked, mut done) = (Walk::default(), Walk::default());
        asked.expr(condition);
        done.block(body);
        let known = self.knows(scope, &asked) && self.knows(scope, &done) && done.n_shared == 0;
        if !known || asked.n_loops + done.n_loops > 0 || !asked.changed.is_empty() {
            return None;
        }
        let (entry, width) = (Names::new(self.plan.kernel).entry(), &self.width);
        let (r, go, on) = (plain("__r"), plain("__go"), plain("__on"));
        let (condition, body) =
            (self.writer(scope).expr(condition), self.writer(scope).block(body));
        let asks = quote! {
            let #on: bool = #condition;
            #go[#r] = #entry::flag(#on);
        };
        let asks = self.segment(scope, &asked, &asks)?;
        let trip = self.segment(scope, &done, &quote!(if #go[#r] != 0 { #body }))?;
        Some(quote!(loop {
            let mut #go = [0_u32; #width];
            #asks
            if !#entry::any(&#go) {
                break;
            }
            #trip
        }))
    }

    /// A condition that the interior decides.
    fn guarded(&mut self, expr: &'k Expr, scope: &Scope) -> Option<TokenStream> {
        match &expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                let block = match (self.plan.guard(condition)?, otherwise) {
                    (true, _) => self.block(then, scope.clone())?,
                    (false, Some(otherwise)) => self.block(otherwise, scope.clone())?,
                    (false, None) => TokenStream::new(),
                };
                Some(quote!({ #block }))
            }
            ExprKind::Block(block) => {
                let block = self.block(block, scope.clone())?;
                Some(quote!({ #block }))
            }
            ExprKind::Paren(inner) => self.guarded(inner, scope),
            _ => None,
        }
    }
}

/// Whether all items of a line see the same value, from what is at hand before their loop.
pub(super) fn is_shared(expr: &Expr, shared: &BTreeSet<usize>) -> bool {
    match &expr.kind {
        ExprKind::Lit(_)
        | ExprKind::Const(_)
        | ExprKind::Param(_)
        | ExprKind::Launch(_)
        | ExprKind::Len(_)
        | ExprKind::Extent(..) => true,
        ExprKind::GlobalId(dim) => *dim > 0,
        ExprKind::Local(local) => shared.contains(local),
        ExprKind::Paren(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a, _)
        | ExprKind::Field(a, _) => is_shared(a, shared),
        ExprKind::Binary(a, _, b) => is_shared(a, shared) && is_shared(b, shared),
        ExprKind::Math(_, _, args) | ExprKind::Complex(_, _, args) => {
            args.iter().all(|arg| is_shared(arg, shared))
        }
        _ => false,
    }
}

/// The values of a local.
pub(super) fn cells(local: usize) -> Ident {
    plain(&format!("__each{local}"))
}

/// The elements that all groups read alike at a site.
fn table_of(site: usize) -> Ident {
    plain(&format!("__table{site}"))
}

pub(super) fn id0() -> Ident {
    names::id(0, Span::call_site())
}
