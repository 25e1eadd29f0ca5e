//! The arithmetic of one line: cutting the interior, and where its rows start.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use super::cpu::row_dims;
use super::names::{self, Names, plain};
use super::plan::{Cut, Kind, Plan, Row, kind};
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
    /// Whether the lines of a plane that have an interior, and its rows, are found once for all of
    /// them, so that a line has little more to do than to run.
    pub(super) planes: bool,
    /// Whether the interiors of several lines of a plane run before their rims.
    pub(super) sweeps: bool,
    /// Whether their rows are as wide as there are elements, for the items on both sides.
    pub(super) edges: bool,
    /// That the rows of a plane are all there.
    there: Vec<TokenStream>,
    /// The rows of a line where several lines run before their rims, each with those of all lines.
    pub(super) together: Vec<(Ident, TokenStream)>,
    /// What is left to ask of each line of a plane.
    tests: Vec<TokenStream>,
}

/// Whether lines can be taken a plane at a time.
fn in_planes(plan: &Plan<'_>) -> bool {
    let apart = |syms: &[&Sym]| {
        let any = |ask: &dyn Fn(&Sym) -> bool| syms.iter().any(|sym| ask(sym));
        syms.iter().all(|sym| sym.is_plane())
            && !(any(&|sym| sym.has_id(0)) && any(&Sym::has_outer_id))
    };
    let cuts = plan.cuts.iter().all(|cut| {
        let (Cut::Less(a, b) | Cut::AtMost(a, b) | Cut::Differ(a, b)) = cut;
        apart(&[a, b])
    });
    let rows = plan.rows.iter().all(|row| {
        if kind(plan.kernel, row.param) == Kind::Raw {
            return false;
        }
        let own = kind(plan.kernel, row.param) == Kind::Own;
        let dims = row_dims(plan, row.param);
        row.index.iter().enumerate().all(|(c, sym)| {
            let here = dims.get(c).copied().flatten();
            let known = match (sym.has_id(1), sym.rise()) {
                (true, Some(1)) => !own || here.is_none_or(|dim| dim == 1),
                (false, _) => !own || here != Some(1),
                _ => false,
            };
            known && apart(&[sym])
        }) && (!own || plan.rows_of(row.param).count() == 1)
    });
    plan.kernel.rank > 1 && !plan.rows.is_empty() && cuts && rows
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
            planes: !cuts && !rows && in_planes(plan),
            sweeps: false,
            edges: false,
            there: Vec::new(),
            together: Vec::new(),
            tests: Vec::new(),
        }
    }

    /// Where arithmetic on these goes.
    fn stage(&mut self, syms: &[&Sym]) -> &mut Vec<TokenStream> {
        if syms.iter().any(|sym| sym.has_outer_id()) { &mut self.line } else { &mut self.block }
    }

    /// What arithmetic on these cuts: the items of all lines, or a line as a whole.
    fn interior(&self, syms: &[&Sym]) -> Ident {
        let of_line = !self.slanted && syms.iter().any(|sym| sym.has_outer_id());
        plain(match (of_line, self.planes) {
            (false, _) => "__interior",
            (true, false) => "__line",
            (true, true) => "__plane",
        })
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
            // The lines of a plane are to it what items are to a line.
            Sym::Id(1) if self.planes => quote!(#interior.id()),
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
            if let (Cut::Differ(..), true) = (cut, self.planes && (a.has_id(1) || b.has_id(1))) {
                // Lines on both sides of the one that is left out.
                let entry = Names::new(self.plan.kernel).entry();
                let id = names::id(1, Span::call_site());
                self.tests.push(quote! {
                    && #entry::Interior::at(#lin_a, #id) != #entry::Interior::at(#lin_b, #id)
                });
                continue;
            }
            self.stage(&[a, b]).push(quote!(#interior.#method(#lin_a, #lin_b);));
        }
        if self.sweeps {
            // What the guards leave, before the rows.
            let (items, interior) = (plain("__of_items"), plain("__interior"));
            let (lines, plane) = (plain("__of_lines"), plain("__plane"));
            self.block.push(quote!(let #items = #interior;));
            self.line.push(quote!(let #lines = #plane;));
        }
        for row in &self.plan.rows {
            // The other components are the same for the whole line: the row tells.
            let array = names::param(row.param, Span::call_site());
            if let Some((dim, sym)) = row.index.iter().enumerate().next_back() {
                let index = self.lin(sym);
                let interior = self.interior(&[sym]);
                self.stage(&[sym]).push(quote!(#interior.within(#index, #array.extent(#dim));));
                for (dim, sym) in row.index[..dim].iter().enumerate() {
                    let index = self.lin(sym);
                    if self.planes && sym.has_id(1) {
                        let interior = self.interior(&[sym]);
                        let held = quote!(#interior.held(#index, #array.held(#dim)););
                        self.stage(&[sym]).push(held);
                    }
                }
            }
        }
        (self.block.drain(..).collect(), self.line.drain(..).collect())
    }

    /// Where a row has elements, apart from all others: which items of a line do, and which lines.
    fn edge(plan: &'p Plan<'k>, row: &Row) -> TokenStream {
        let mut lines = Self::new(plan);
        let entry = Names::new(plan.kernel).entry();
        let (block, lo, hi) = (plain("__block"), plain("__lo"), plain("__hi"));
        let (items, plane) = (plain("__interior"), plain("__plane"));
        let array = names::param(row.param, Span::call_site());
        let mut index = Vec::new();
        for (dim, sym) in row.index.iter().enumerate() {
            let lin = lines.lin(sym);
            if sym.any_id() {
                let interior = lines.interior(&[sym]);
                lines.stage(&[sym]).push(quote!(#interior.held(#lin, #array.held(#dim));));
            }
            index.push(lin);
        }
        let (of_items, of_lines, moves) = (&lines.block, &lines.line, moves(&row.index));
        quote!({
            let mut #items = #entry::Interior::new(#lo, #hi);
            let mut #plane = #entry::Interior::new(#block.lo(1), #block.hi(1));
            #(#of_items)*
            #(#of_lines)*
            #entry::Edge::new(#lo, #items, #plane, [#(#index),*], #moves)
        })
    }

    /// The rows of a plane, each as wide as there are elements.
    fn wide_rows(&mut self) -> TokenStream {
        let (plan, mut ready) = (self.plan, TokenStream::new());
        let (top, high) = (plain("__top"), plain("__high"));
        for (number, row) in plan.rows.iter().enumerate() {
            let (edge, found) = (names::edge(number), Self::edge(plan, row));
            let array = names::param(row.param, Span::call_site());
            let (start, end) = (plain("__start"), plain("__interior_end"));
            ready.extend(quote!(let #edge = #found;));
            if kind(plan.kernel, row.param) == Kind::Own {
                let ids = edge_ids(plan, row, number, &top);
                ready.extend(quote!(#edge.hold(&mut #array, #top, #high, #ids, (#start, #end));));
                self.there.push(quote!(&& #array.n_lines() == #high));
                self.together.push((names::row(number), quote!(#array.lines())));
            } else {
                let cut = names::cut(number);
                ready.extend(quote! {
                    let #cut = #edge.window(&#array, #top, #high, (#start, #end));
                });
                self.there.push(quote!(&& #cut.rows() == #high));
                self.together.push((names::row(number), quote!(#cut)));
            }
        }
        ready
    }

    /// What is left to ask of each line of a plane, each after an `&&`.
    pub(super) fn tests(&self) -> TokenStream {
        self.tests.iter().cloned().collect()
    }

    /// That the rows of a plane are all there, each after an `&&`.
    pub(super) fn there(&self) -> TokenStream {
        self.there.iter().cloned().collect()
    }

    /// The rows of the interior `__start .. __start + __n`: what a plane prepares for the lines
    /// `__top .. __top + __high`, and what is left for a line.
    pub(super) fn rows(&mut self) -> (TokenStream, TokenStream) {
        let entry = Names::new(self.plan.kernel).entry();
        let (start, n) = (plain("__start"), plain("__n"));
        let (high, nth) = (plain("__high"), plain("__nth"));
        let (mut rows, mut ready) = (TokenStream::new(), TokenStream::new());
        if self.edges {
            return (self.wide_rows(), rows);
        }
        for param in 0..self.plan.kernel.params.len() {
            let array = names::param(param, Span::call_site());
            let plan = self.plan;
            if kind(plan.kernel, param) == Kind::Raw {
                for (number, row) in plan.rows_of(param) {
                    let (index, part) = (self.starts(&row.index), names::row(number));
                    let Some(dims) = &row.cells else {
                        rows.extend(quote!(let #part = #array.row([#(#index),*], #n);));
                        continue;
                    };
                    let ids = index.iter().zip(dims).map(|(index, dim)| match dim {
                        Some(0) => quote!(#start),
                        Some(dim) => names::id(*dim, Span::call_site()).into_token_stream(),
                        None => index.clone(),
                    });
                    let ids = quote!([#(#ids),*]);
                    rows.extend(quote!(let #part = #array.own_row([#(#index),*], #ids, #n);));
                }
                continue;
            }
            if kind(plan.kernel, param) == Kind::Own {
                let dims = row_dims(plan, param);
                let (mut parts, mut places, mut ids) = (Vec::new(), Vec::new(), Vec::new());
                for (number, row) in plan.rows_of(param) {
                    let index = self.starts(&row.index);
                    let id = |(c, index): (usize, &TokenStream)| match dims.get(c).copied() {
                        Some(Some(0)) => quote!(#start),
                        Some(Some(1)) if self.planes => plain("__top").into_token_stream(),
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
                    if self.planes {
                        let moves = plan.rows_of(param).map(|(_, row)| moves(&row.index));
                        ready.extend(quote!(#array.hold(#place, #id, #(#moves)*, #n, #high);));
                        if self.sweeps {
                            self.there.push(quote!(&& #array.n_lines() == #high));
                            self.together.push((part.clone(), quote!(#array.lines())));
                        } else {
                            rows.extend(quote!(let #part = #array.line(#nth);));
                        }
                        continue;
                    }
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
                let whole =
                    if span == 0 { row.clone() } else { plain(&format!("__wide{param}_{wide}")) };
                if self.planes {
                    let window = plain(&format!("__window{param}_{wide}"));
                    let (moves, span) = (moves(&plan.rows[first].index), span as usize);
                    let all = if span == 0 { quote!(#n) } else { quote!(#n + #span) };
                    ready.extend(quote! {
                        let #window = #array.window([#(#index),*], #moves, #all, #high);
                    });
                    if self.sweeps {
                        for &(row, offset) in group {
                            let (cut, offset) = (names::cut(row), (offset - low) as usize);
                            ready.extend(quote!(let #cut = #window.cut(#offset, #n);));
                            self.there.push(quote!(&& #cut.rows() == #high));
                            self.together.push((names::row(row), quote!(#cut)));
                        }
                        continue;
                    }
                    if span == 0 {
                        rows.extend(quote!(let #whole = #window.row(#nth);));
                    }
                    self.there.push(quote!(&& #window.rows() == #high));
                } else if span == 0 {
                    rows.extend(quote!(let #row = #array.row([#(#index),*], #n);));
                } else {
                    let span = span as usize;
                    rows.extend(quote!(let #whole = #array.row([#(#index),*], #n + #span);));
                }
                if span == 0 {
                    continue;
                }
                // Neighbours along the line are parts of one row.
                for &(row, offset) in group {
                    let (row, offset) = (names::row(row), (offset - low) as usize);
                    if self.planes {
                        let window = plain(&format!("__window{param}_{wide}"));
                        rows.extend(quote!(let #row = #window.part(#nth, #offset, #n);));
                        continue;
                    }
                    rows.extend(quote!(let #row = #entry::part(#whole, #offset, #n);));
                }
            }
        }
        (ready, rows)
    }

    /// Where a row starts.
    fn starts(&mut self, index: &[Sym]) -> Vec<TokenStream> {
        let entry = Names::new(self.plan.kernel).entry();
        index
            .iter()
            .map(|sym| {
                let lin = self.lin(sym);
                let along = self.planes && sym.has_id(1);
                let start = plain(if along { "__top" } else { "__start" });
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

/// The ids of the first item of a line that has a place, for an own row.
pub(super) fn edge_ids(plan: &Plan<'_>, row: &Row, number: usize, line: &Ident) -> TokenStream {
    let (edge, dims) = (names::edge(number), row_dims(plan, row.param));
    let ids = (0..row.index.len()).map(|c| match dims.get(c).copied().flatten() {
        Some(0) => quote!(#edge.first()),
        Some(1) => line.to_token_stream(),
        Some(dim) => names::id(dim, Span::call_site()).into_token_stream(),
        None => quote!(#edge.index(#line)[#c]),
    });
    quote!([#(#ids),*])
}

/// The components that are one on from line to line of a plane.
fn moves(index: &[Sym]) -> TokenStream {
    let moves = index.iter().map(|sym| usize::from(sym.has_id(1)));
    quote!([#(#moves),*])
}
