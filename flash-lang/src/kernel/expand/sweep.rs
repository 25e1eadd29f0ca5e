//! Bodies whose interior is nothing but rows and arithmetic that cannot fail. The interiors of
//! several lines may then run before the rims of these lines, and an item that writes only may be done
//! twice. It says which bodies those are, and writes no code.

use std::collections::BTreeSet;

use syn::{BinOp, UnOp};

use super::plan::{Cut, Kind, Plan, Site, kind};
use super::sym::Sym;
use super::walk::Walk;
use crate::kernel::model::{Block, Expr, ExprKind, Place, Stmt};

/// Bodies with more accesses take long enough for a line not to matter, and long to compile.
const MOST_SITES: usize = 24;

/// Whether the interiors of some lines may run before their rims: no note of theirs, panic or sum
/// depends on the order.
pub(super) fn in_sweeps(plan: &Plan<'_>) -> bool {
    is_unordered(plan) && Total::new(plan, false).block(&plan.body.block)
}

/// Whether what items do to arrays is the same in any order.
fn is_unordered(plan: &Plan<'_>) -> bool {
    let ordered = |p| matches!(kind(plan.kernel, p), Kind::Raw | Kind::Atomic | Kind::Lanes);
    !(0..plan.kernel.params.len()).any(ordered)
}

/// Whether items write places that they do not read, so that done twice they have done the same, and
/// are short.
fn writes_only(plan: &Plan<'_>) -> bool {
    let mut walk = Walk::default();
    walk.block(&plan.body.block);
    let reads = walk.on_read.iter().any(|access| kind(plan.kernel, access.param) == Kind::Own);
    !reads && walk.n_updates == 0 && plan.body.n_sites <= MOST_SITES && is_unordered(plan)
}

/// Whether lines that follow one another in memory are as good as one long line: the items of an
/// interior that runs in sweeps find their places by their ids, and do nothing else with them. A panic
/// would name the item.
pub(super) fn joins(plan: &Plan<'_>) -> bool {
    let mut total = Total::new(plan, true);
    total.block(&plan.body.block) && !total.by_id
}

/// Whether an item may be done twice, and several are done without a branch. An overflow is a panic
/// where overflows are checked for, and the first item that panics is the same one: it is met before
/// any item is done again.
pub(super) fn may_repeat(plan: &Plan<'_>) -> bool {
    if plan.rows.is_empty() || !writes_only(plan) {
        return false;
    }
    let mut total = Total::new(plan, true);
    total.block(&plan.body.block) && total.straight
}

/// Whether the items at the ends of lines and planes do nothing either but read and write rows and
/// compute what cannot fail, whatever the guards say, nor do the guards, so that they may be done
/// twice: a panic would leave what the rim has to note unsaid.
pub(super) fn has_edges(plan: &Plan<'_>) -> bool {
    let writes = plan.rows.iter().any(|row| kind(plan.kernel, row.param) == Kind::Own);
    if plan.n_guards() == 0
        || plan.other.is_some()
        || !writes
        || !writes_only(plan)
        || is_one_guard(plan)
    {
        return false;
    }
    let asks = plan.cuts.iter().all(|cut| match cut {
        Cut::Less(a, b) | Cut::AtMost(a, b) => a.never_fails() && b.never_fails(),
        Cut::Differ(..) => false,
    });
    let mut total = Total { edges: true, ..Total::new(plan, true) };
    asks && total.block(&plan.body.block)
}

/// Whether a body is one guard, and does nothing where that fails.
pub(super) fn is_one_guard(plan: &Plan<'_>) -> bool {
    let block = &plan.body.block;
    let (lets, only) = match (&block.tail, block.stmts.split_last()) {
        (Some(tail), _) => (&block.stmts[..], &**tail),
        (None, Some((Stmt::Expr(only), lets))) => (lets, only),
        _ => return false,
    };
    let ExprKind::If(condition, _, None) = &only.kind else { return false };
    let mut walk = Walk::default();
    lets.iter().for_each(|stmt| walk.stmt(stmt));
    let plain = |sym: &Sym| sym.is_simple();
    lets.iter().all(|stmt| matches!(stmt, Stmt::Let(_, Some(_))))
        && walk.on_read.is_empty()
        && plan.guard(condition) == Some(true)
        && plan.n_guards() == 1
        && plan.cuts.iter().all(|cut| match cut {
            Cut::Less(a, b) | Cut::AtMost(a, b) => plain(a) && plain(b),
            Cut::Differ(..) => false,
        })
}

/// Whether a body does little but read and write rows.
pub(super) fn moves(plan: &Plan<'_>) -> bool {
    let mut walk = Walk::default();
    walk.block(&plan.body.block);
    walk.n_calls == 0 && in_sweeps(plan)
}

/// Whether most loads straddle cache lines, as neighbours along a line are read, and there is too
/// little arithmetic to hide that.
pub(super) fn straddles(plan: &Plan<'_>) -> bool {
    let places: Vec<_> =
        plan.rows.iter().filter_map(|row| Some((row.param, row.index.last()?.split()))).collect();
    let neighbours = places.iter().enumerate().any(|(at, (param, (along, offset)))| {
        places[..at].iter().any(|(p, (a, o))| p == param && a == along && o != offset)
    });
    neighbours && moves(plan)
}

/// Whether a block is a value that takes no more than a cast.
fn is_at_hand(block: &Block) -> bool {
    let plain = |expr: &Expr| {
        matches!(
            expr.kind,
            ExprKind::Lit(_) | ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::Param(_)
        )
    };
    block.stmts.is_empty()
        && block.tail.as_deref().is_some_and(|tail| match &tail.kind {
            ExprKind::Cast(value, _) => plain(value),
            _ => plain(tail),
        })
}

struct Total<'p, 'k> {
    plan: &'p Plan<'k>,
    /// Locals that are seen to be floating point numbers.
    floats: BTreeSet<usize>,
    /// Whether integers may overflow.
    overflows: bool,
    /// No branch so far, but those that choose one of two values at hand.
    straight: bool,
    /// Locals that are ids.
    ids: BTreeSet<usize>,
    /// Whether something depends on an id, other than where rows begin and what guards decide.
    by_id: bool,
    /// Whether guards are asked, so that both of their blocks count.
    edges: bool,
}

impl<'p, 'k> Total<'p, 'k> {
    fn new(plan: &'p Plan<'k>, overflows: bool) -> Self {
        let (floats, ids) = (BTreeSet::new(), BTreeSet::new());
        Self { plan, floats, overflows, straight: true, ids, by_id: false, edges: false }
    }

    /// Whether it is an id and nothing more.
    fn is_id(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::GlobalId(_) => true,
            ExprKind::Local(local) => self.ids.contains(local),
            ExprKind::Paren(a) => self.is_id(a),
            _ => false,
        }
    }

    fn block(&mut self, block: &Block) -> bool {
        block.stmts.iter().all(|stmt| self.stmt(stmt))
            && block.tail.as_ref().is_none_or(|tail| self.expr(tail))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let(local, Some(init)) if self.is_id(init) => {
                self.ids.insert(*local);
                true
            }
            Stmt::Let(local, Some(init)) => {
                let total = self.expr(init);
                if self.is_float(init) {
                    self.floats.insert(*local);
                }
                total
            }
            Stmt::Assign(place, value, _) => self.place(place) && self.expr(value),
            Stmt::Update(place, _, value, _) => {
                self.place(place) && self.is_float(value) && self.expr(value)
            }
            Stmt::Expr(value) => self.expr(value),
            _ => false,
        }
    }

    fn place(&self, place: &Place) -> bool {
        match place {
            Place::Local(_, _, projs) => projs.is_empty(),
            Place::Elem(access, projs) => {
                projs.is_empty() && matches!(self.plan.site(access), Site::Row(_))
            }
        }
    }

    /// Whether it has a value, whatever its operands are.
    fn expr(&mut self, expr: &Expr) -> bool {
        self.by_id |= self.is_id(expr);
        match &expr.kind {
            ExprKind::Lit(_)
            | ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::GlobalId(_)
            | ExprKind::Launch(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => true,
            ExprKind::Load(access) => matches!(self.plan.site(access), Site::Row(_)),
            ExprKind::Paren(a) | ExprKind::Cast(a, _) | ExprKind::Field(a, _) => self.expr(a),
            ExprKind::Unary(op, a) => {
                (matches!(op, UnOp::Not(_)) || self.is_float(a)) && self.expr(a)
            }
            ExprKind::Binary(a, op, b) => {
                let fails = match op {
                    BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) => !self.overflows,
                    BinOp::Div(_) | BinOp::Rem(_) | BinOp::Shl(_) | BinOp::Shr(_) => true,
                    _ => false,
                };
                let float = self.is_float(a) || self.is_float(b);
                (!fails || float) && self.expr(a) && self.expr(b)
            }
            ExprKind::Math(_, _, args) => {
                args.iter().any(|arg| self.is_float(arg)) && args.iter().all(|arg| self.expr(arg))
            }
            // Of floating point numbers.
            ExprKind::Complex(_, _, args) => args.iter().all(|arg| self.expr(arg)),
            ExprKind::If(condition, then, otherwise) => match self.plan.guard(condition) {
                Some(_) if self.edges => {
                    self.block(then) && otherwise.as_ref().is_none_or(|block| self.block(block))
                }
                Some(true) => self.block(then),
                Some(false) => otherwise.as_ref().is_none_or(|block| self.block(block)),
                None => {
                    self.straight &=
                        is_at_hand(then) && otherwise.as_deref().is_some_and(is_at_hand);
                    self.expr(condition)
                        && self.block(then)
                        && otherwise.as_ref().is_none_or(|block| self.block(block))
                }
            },
            ExprKind::Block(block) => self.block(block),
            _ => false,
        }
    }

    /// Whether the type is seen to be a floating point one.
    fn is_float(&self, expr: &Expr) -> bool {
        let named = |ty: &syn::Type| matches!(ty, syn::Type::Path(path) if path.path.is_ident("f32") || path.path.is_ident("f64"));
        match &expr.kind {
            ExprKind::Lit(syn::Lit::Float(_)) => true,
            ExprKind::Param(param) => named(&self.plan.kernel.params[*param].elem),
            ExprKind::Load(access) => named(&self.plan.kernel.params[access.param].elem),
            ExprKind::Local(local) => {
                self.floats.contains(local)
                    || self.plan.body.locals[*local].ty.as_ref().is_some_and(named)
            }
            ExprKind::Cast(_, ty) => named(ty),
            ExprKind::Paren(a) | ExprKind::Unary(_, a) => self.is_float(a),
            ExprKind::Binary(
                a,
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_),
                b,
            ) => self.is_float(a) || self.is_float(b),
            ExprKind::Math(_, _, args) => args.iter().any(|arg| self.is_float(arg)),
            _ => false,
        }
    }
}
