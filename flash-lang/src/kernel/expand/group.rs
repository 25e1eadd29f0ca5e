//! Reads of a loop in bodies that take a line in groups of a fixed number of items: the elements of
//! the group, `x[i / 8 * 8 + n]`, and those of a table that every group reads alike, `t[[i % 8, n]]`.
//! It writes what is made ready before the first item, and leaves the items to `abreast`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::BinOp;

use super::abreast::Abreast;
use super::early::early;
use super::names::{self, plain};
use super::stretch::{Stretch, bare, is_id, literal};
use super::sym::Syms;
use crate::kernel::model::{Access, Body, Expr, ExprKind, For};

/// Groups are no larger: a vector of `f32` for each trip.
const MOST_ITEMS: u64 = 16;
/// Tables have no more trips than this, so that they stay in registers or in the nearest cache.
const MOST_TRIPS: u64 = 32;

/// A read whose place in a group of `by` items is all that it takes from the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// How many items a group has.
    pub(super) by: usize,
    pub(super) kind: GroupKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// The same elements for all items of a group, others for the next one.
    Elements,
    /// An element for each item and trip, the same for all groups: the component that counts items,
    /// and the number of trips.
    Table { item: usize, trips: usize },
}

impl GroupKind {
    /// The element of an item in a trip.
    pub(super) fn element(self, site: usize) -> TokenStream {
        let (stretch, item) = (names::stretch(site), plain("__r"));
        match self {
            Self::Table { .. } => quote!(#stretch[#item]),
            Self::Elements => quote!(#stretch),
        }
    }
}

impl Group {
    /// The group of an access whose loop variable stands, plainly or with an offset, in component
    /// `along`; `None` where it is no such access.
    pub(super) fn of(
        body: &Body,
        syms: &Syms<'_>,
        repeat: &For,
        access: &Access,
        along: usize,
    ) -> Option<Self> {
        let trips = literal(&repeat.hi)?.checked_sub(literal(&repeat.lo)?)?;
        let last = access.index.len().checked_sub(1)?;
        let still = |index: &Expr| syms.of(index).is_some_and(|sym| sym.slope() == 0);
        let others = |also: usize| {
            access.index.iter().enumerate().all(|(c, i)| c == along || c == also || still(i))
        };
        if along == last
            && let ExprKind::Binary(a, BinOp::Add(_), b) = &bare(&access.index[last]).kind
        {
            let by = first_of_group(body, a).or_else(|| first_of_group(body, b))?;
            let inside = literal(&repeat.hi).is_some_and(|hi| hi <= by);
            let kind = GroupKind::Elements;
            return (inside && others(last)).then_some(Self { by: by as usize, kind });
        }
        let wrapped = |(c, index): (usize, &Expr)| Some((c, item_of_group(body, index)?));
        let (item, by) = access.index.iter().enumerate().find_map(wrapped)?;
        let is_variable =
            matches!(bare(&access.index[along]).kind, ExprKind::Local(l) if l == repeat.local);
        let table = is_variable && item != along && (item == last || along == last);
        let kind = GroupKind::Table { item, trips: trips as usize };
        (table && trips <= MOST_TRIPS && others(item)).then_some(Self { by: by as usize, kind })
    }
}

impl<'k> Abreast<'_, 'k> {
    /// The rows that an access reads alike in groups, how many there are, and how a table is made
    /// of them.
    pub(super) fn grouped(
        &self,
        stretch: &Stretch<'k>,
        group: Group,
    ) -> Option<(TokenStream, TokenStream, Option<TokenStream>)> {
        let (access, last) = (stretch.access, stretch.access.index.len() - 1);
        let array = names::param(access.param, Span::call_site());
        let (from, trips, lo, n) = (plain("__from"), plain("__trips"), plain("__lo"), plain("__n"));
        let item = match group.kind {
            GroupKind::Elements => last,
            GroupKind::Table { item, .. } => item,
        };
        let mut index = Vec::new();
        for (c, component) in access.index.iter().enumerate() {
            index.push(match group.kind {
                GroupKind::Elements if c == last => quote!(#lo),
                GroupKind::Table { .. } if c == item => quote!(0),
                GroupKind::Table { .. } if c == stretch.component => quote!(#from),
                _ => early(self.plan, component, false)?,
            });
        }
        let by = group.by;
        let moves = |to: usize| (0..=last).map(move |c| usize::from(c == to));
        let window = |to: usize, n: TokenStream, rows: TokenStream| {
            let moves = moves(to);
            quote!(#array.window([#(#index),*], [#(#moves),*], #n, #rows))
        };
        Some(match group.kind {
            // One row: there is nothing to move to.
            GroupKind::Elements => (window(last + 1, quote!(#n), quote!(1)), quote!(1), None),
            GroupKind::Table { trips: of, .. } if item == last => {
                let trips_here = plain(&format!("__trips{}", self.n_loops - 1));
                let row = window(stretch.component, quote!(#by), quote!(#trips));
                (row, quote!(#trips_here), Some(quote!(table::<#by, #of>)))
            }
            GroupKind::Table { trips: of, .. } => {
                let row = window(item, quote!(#trips), quote!(#by));
                (row, quote!(#by), Some(quote!(turned::<#by, #of>)))
            }
        })
    }
}

fn is_size(by: &u64) -> bool {
    (2..=MOST_ITEMS).contains(by)
}

/// The 8 of `i % 8`.
fn item_of_group(body: &Body, expr: &Expr) -> Option<u64> {
    match &bare(expr).kind {
        ExprKind::Binary(a, BinOp::Rem(_), by) if is_id(body, a) => literal(by).filter(is_size),
        _ => None,
    }
}

/// The 8 of `i / 8 * 8`.
fn first_of_group(body: &Body, expr: &Expr) -> Option<u64> {
    let ExprKind::Binary(a, BinOp::Mul(_), times) = &bare(expr).kind else { return None };
    let ExprKind::Binary(id, BinOp::Div(_), by) = &bare(a).kind else { return None };
    let by = literal(by).filter(is_size)?;
    (is_id(body, id) && literal(times) == Some(by)).then_some(by)
}
