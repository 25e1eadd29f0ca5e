//! What of a body goes on the fast path: which accesses become rows of a line, which guards are
//! decided before the loop, and where the interior of a line ends. It emits no code.

use std::collections::{BTreeSet, HashMap};

use syn::{BinOp, UnOp};

use super::sides;
use super::stretch::Stretches;
use super::sym::{Sym, Syms};
use super::walk::Walk;
use crate::kernel::model::{
    Access, AccessClass, Block, Body, Expr, ExprKind, Kernel, LaunchWord, OwnComponent, Place,
    Proj, Role, Stmt,
};

/// How an array parameter is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Value,
    Input,
    Own,
    Raw,
    Atomic,
    Lanes,
}

/// How an access is lowered in the fast loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// An element of a row.
    Row(usize),
    /// Under a guard that the interior decides against it.
    Dead,
    /// Checked at the access.
    Checked,
}

/// A run of elements along a line, one for each item.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) param: usize,
    pub(super) index: Vec<Sym>,
    /// Of own places of a raw array: the launch dimension of each component that has one.
    pub(super) cells: Option<Vec<Option<u8>>>,
}

/// A condition on the items of the interior.
#[derive(Debug)]
pub(super) enum Cut {
    Less(Sym, Sym),
    AtMost(Sym, Sym),
    Differ(Sym, Sym),
}

/// An access that the fast loop checks, or that keeps a line out of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slow {
    pub(super) param: usize,
    pub(super) site: usize,
    pub(super) line: usize,
    pub(super) why: &'static str,
}

/// The lowering of one body.
pub(super) struct Plan<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) body: &'k Body,
    pub(super) syms: Syms<'k>,
    pub(super) rows: Vec<Row>,
    pub(super) cuts: Vec<Cut>,
    pub(super) slow: Vec<Slow>,
    /// Parameters whose rows are of own places.
    pub(super) row_params: BTreeSet<usize>,
    /// Those of them with an access that the interior decides against.
    pub(super) dead_params: BTreeSet<usize>,
    sites: HashMap<usize, Site>,
    /// Reads along loops of an item.
    pub(super) stretches: Stretches<'k>,
    /// Whether several items take each trip of their loops together.
    pub(super) abreast: bool,
    /// Whether the body has loops.
    pub(super) loops: bool,
    /// Parameters of atomic cells of which more is asked than to add to them.
    cells: Vec<usize>,
    /// Conditions with a known value in the interior.
    guards: HashMap<*const Expr, bool>,
    /// Comparisons of which both sides may be long.
    lone: Vec<*const Expr>,
    /// One of them that is false in this interior.
    turned: Option<*const Expr>,
    /// Where there is one such comparison: the interior in which it is false.
    pub(super) other: Option<Box<Self>>,
    /// What the body mentions: lengths, extents, numbers of the launch.
    pub(super) lens: Vec<usize>,
    pub(super) extents: Vec<(usize, u8)>,
    pub(super) words: Vec<LaunchWord>,
}

/// Kind of a parameter.
pub(super) fn kind(kernel: &Kernel, param: usize) -> Kind {
    let param = &kernel.params[param];
    match param.role {
        Role::Value => Kind::Value,
        Role::In => Kind::Input,
        Role::Atomic => Kind::Atomic,
        Role::Reduce { .. } => Kind::Lanes,
        Role::InOut | Role::Out | Role::OutPartial | Role::Scratch => {
            if param.raw {
                Kind::Raw
            } else {
                Kind::Own
            }
        }
    }
}

/// The launch dimension that stands in each component of an own place.
pub(super) fn own_dims(kernel: &Kernel, access: &Access) -> Vec<Option<u8>> {
    let param = &kernel.params[access.param];
    if param.own.is_empty() {
        return access.affine.iter().map(|affine| affine.as_ref().and_then(|a| a.dim)).collect();
    }
    param
        .own
        .iter()
        .map(|component| match component {
            OwnComponent::Id(dim, _) => Some(*dim),
            OwnComponent::Free => None,
        })
        .collect()
}

impl<'k> Plan<'k> {
    pub(super) fn new(kernel: &'k Kernel, body: &'k Body) -> Self {
        let mut plan = Self::side(kernel, body, None);
        if let ([lone], true) = (plan.lone.as_slice(), body.n_sites <= sides::MOST_SITES) {
            let other = Self::side(kernel, body, Some(*lone));
            for slow in &other.slow {
                if !plan.slow.iter().any(|s| (s.param, s.line) == (slow.param, slow.line)) {
                    plan.slow.push(*slow);
                }
            }
            plan.other = Some(Box::new(other));
        }
        plan
    }

    /// One interior.
    fn side(kernel: &'k Kernel, body: &'k Body, turned: Option<*const Expr>) -> Self {
        let mut plan = Self {
            kernel,
            body,
            syms: Syms::new(kernel, body),
            rows: Vec::new(),
            cuts: Vec::new(),
            slow: Vec::new(),
            row_params: BTreeSet::new(),
            dead_params: BTreeSet::new(),
            sites: HashMap::new(),
            stretches: Stretches::default(),
            abreast: false,
            loops: false,
            cells: Vec::new(),
            guards: HashMap::new(),
            lone: Vec::new(),
            turned,
            other: None,
            lens: Vec::new(),
            extents: Vec::new(),
            words: Vec::new(),
        };
        plan.stretches = Stretches::find(kernel, body, &plan.syms);
        let mut walk = Walk::default();
        walk.block(&body.block);
        (plan.loops, plan.cells) = (walk.n_loops > 0, walk.on_cell);
        let mut found = Found::default();
        found.block(&mut plan, &body.block, false);
        // A written parameter is reached by rows only, or by none.
        for param in 0..kernel.params.len() {
            let own = kind(kernel, param) == Kind::Own;
            let by_rows = found
                .live
                .iter()
                .filter(|live| live.param == param)
                .all(|live| live.index.is_some());
            if own && by_rows {
                plan.row_params.insert(param);
            }
        }
        for live in found.live {
            plan.place(live);
        }
        for (param, site) in found.dead {
            let own = plan.row_params.contains(&param);
            if own {
                plan.dead_params.insert(param);
            }
            plan.sites.insert(site, if own { Site::Dead } else { Site::Checked });
        }
        plan.abreast = super::abreast::write(&plan).is_some();
        if plan.abreast {
            let stretches = &plan.stretches;
            plan.slow.retain(|slow| stretches.column(slow.site).is_none());
        }
        plan
    }

    /// Whether there is anything that a fast loop would do better.
    pub(super) fn has_fast(&self) -> bool {
        let lanes = (0..self.kernel.params.len()).any(|p| kind(self.kernel, p) == Kind::Lanes);
        !self.rows.is_empty() || !self.guards.is_empty() || !self.stretches.is_empty() || lanes
    }

    /// How an access is lowered in the fast loop.
    pub(super) fn site(&self, access: &Access) -> Site {
        self.sites.get(&access.site).copied().unwrap_or(Site::Checked)
    }

    /// The value of a condition in the interior.
    pub(super) fn guard(&self, condition: &Expr) -> Option<bool> {
        self.guards.get(&std::ptr::from_ref(condition)).copied()
    }

    /// Whether all that is done with the cells of an atomic parameter is to add to them.
    pub(super) fn only_added(&self, param: usize) -> bool {
        !self.cells.contains(&param)
    }

    /// How many conditions have a known value in the interior.
    pub(super) fn n_guards(&self) -> usize {
        self.guards.len()
    }

    /// The rows of a parameter.
    pub(super) fn rows_of(&self, param: usize) -> impl Iterator<Item = (usize, &Row)> {
        self.rows.iter().enumerate().filter(move |(_, row)| row.param == param)
    }

    fn place(&mut self, live: Live) {
        let kind = kind(self.kernel, live.param);
        let by_rows =
            matches!(kind, Kind::Input | Kind::Raw) || self.row_params.contains(&live.param);
        let site = match live.index {
            Some(index) if by_rows => {
                let cells = live.cells;
                let same = |row: &Row| {
                    (row.param, &row.cells) == (live.param, &cells)
                        && row.index.iter().map(Sym::key).eq(index.iter().map(Sym::key))
                };
                let number = self.rows.iter().position(same).unwrap_or_else(|| {
                    self.rows.push(Row { param: live.param, index, cells });
                    self.rows.len() - 1
                });
                Site::Row(number)
            }
            _ => Site::Checked,
        };
        let slow = site == Site::Checked && !self.stretches.has(live.site);
        if slow && matches!(kind, Kind::Input | Kind::Own) {
            let Live { param, site, line, why, .. } = live;
            self.slow.push(Slow { param, site, line, why });
        }
        self.sites.insert(live.site, site);
    }

    /// The rows that `index` would be, or why not.
    fn row_index(&self, access: &Access) -> Result<Vec<Sym>, &'static str> {
        const FORM: &str = "the index is not an id plus something that is the same along a line; \
                            such accesses are checked one by one";
        let index: Option<Vec<Sym>> =
            access.index.iter().map(|index| self.syms.of(index)).collect();
        let Some(index) = index else { return Err(FORM) };
        let Some((last, rest)) = index.split_last() else { return Err(FORM) };
        if rest.iter().any(|sym| sym.slope() != 0 || sym.has_id(0)) {
            return Err("`global_id(0)` stands in a component that is not the last one, so that \
                        neighbours are far apart; let dimension 0 run along the last component");
        }
        if last.slope() != 1 {
            return Err(FORM);
        }
        Ok(index)
    }

    /// The cuts that make a condition have the value `want` in the whole interior.
    fn cuts(&self, condition: &Expr, want: bool, cuts: &mut Vec<Cut>) -> bool {
        match &condition.kind {
            ExprKind::Paren(inner) => self.cuts(inner, want, cuts),
            ExprKind::Unary(UnOp::Not(_), inner) => self.cuts(inner, !want, cuts),
            ExprKind::Binary(a, op, b) => match op {
                BinOp::And(_) => want && self.cuts(a, true, cuts) && self.cuts(b, true, cuts),
                BinOp::Or(_) => !want && self.cuts(a, false, cuts) && self.cuts(b, false, cuts),
                _ => self.compare(a, op, b, want, cuts),
            },
            _ => false,
        }
    }

    fn compare(&self, a: &Expr, op: &BinOp, b: &Expr, want: bool, cuts: &mut Vec<Cut>) -> bool {
        let (Some(a), Some(b)) = (self.syms.of(a), self.syms.of(b)) else { return false };
        // Without an id the type may be anything, and the test is the same for all items.
        if !a.any_id() && !b.any_id() {
            return false;
        }
        cuts.push(match (op, want) {
            (BinOp::Lt(_), true) | (BinOp::Ge(_), false) => Cut::Less(a, b),
            (BinOp::Gt(_), true) | (BinOp::Le(_), false) => Cut::Less(b, a),
            (BinOp::Le(_), true) | (BinOp::Gt(_), false) => Cut::AtMost(a, b),
            (BinOp::Ge(_), true) | (BinOp::Lt(_), false) => Cut::AtMost(b, a),
            (BinOp::Ne(_), true) | (BinOp::Eq(_), false) => Cut::Differ(a, b),
            _ => return false,
        });
        true
    }
}

/// An access that the interior may reach.
struct Live {
    param: usize,
    site: usize,
    line: usize,
    index: Option<Vec<Sym>>,
    /// As [`Row::cells`].
    cells: Option<Vec<Option<u8>>>,
    why: &'static str,
}

/// The walk over a body.
#[derive(Default)]
struct Found {
    live: Vec<Live>,
    /// Parameter and site.
    dead: Vec<(usize, usize)>,
}

impl Found {
    fn block(&mut self, plan: &mut Plan<'_>, block: &Block, dead: bool) {
        for stmt in &block.stmts {
            self.stmt(plan, stmt, dead);
        }
        if let Some(tail) = &block.tail {
            self.expr(plan, tail, dead);
        }
    }

    fn stmt(&mut self, plan: &mut Plan<'_>, stmt: &Stmt, dead: bool) {
        match stmt {
            Stmt::Let(_, init) => {
                if let Some(init) = init {
                    self.expr(plan, init, dead);
                }
            }
            Stmt::Assign(place, value, _) | Stmt::Update(place, _, value, _) => {
                self.expr(plan, value, dead);
                let projs = match place {
                    Place::Local(_, _, projs) => projs,
                    Place::Elem(access, projs) => {
                        self.access(plan, access, dead);
                        projs
                    }
                };
                for proj in projs {
                    if let Proj::Index(index) = proj {
                        self.expr(plan, index, dead);
                    }
                }
            }
            Stmt::Reduce(_, value, _) | Stmt::Expr(value) => self.expr(plan, value, dead),
            Stmt::For(repeat) => {
                self.expr(plan, &repeat.lo, dead);
                self.expr(plan, &repeat.hi, dead);
                if let Some(step) = &repeat.step {
                    self.expr(plan, step, dead);
                }
                self.block(plan, &repeat.body, dead);
            }
            Stmt::While(condition, body, _) => {
                if let Some(condition) = condition {
                    self.expr(plan, condition, dead);
                }
                self.block(plan, body, dead);
            }
            Stmt::Return(value, _) => {
                if let Some(value) = value {
                    self.expr(plan, value, dead);
                }
            }
            Stmt::Unsafe(_, block) => self.block(plan, block, dead),
            Stmt::Break(_) | Stmt::Continue(_) => {}
        }
    }

    fn access(&mut self, plan: &mut Plan<'_>, access: &Access, dead: bool) {
        for index in &access.index {
            self.expr(plan, index, dead);
        }
        if dead {
            self.dead.push((access.param, access.site));
            return;
        }
        let (index, why) = match plan.row_index(access) {
            Ok(index) => (Some(index), "another access to it is not along the line"),
            Err(why) => (None, why),
        };
        let (param, site, line) = (access.param, access.site, access.span.start().line);
        let is_raw = kind(plan.kernel, param) == Kind::Raw;
        let cells = (is_raw && access.class != AccessClass::Unchecked)
            .then(|| own_dims(plan.kernel, access));
        self.live.push(Live { param, site, line, index, cells, why });
    }

    fn expr(&mut self, plan: &mut Plan<'_>, expr: &Expr, dead: bool) {
        match &expr.kind {
            ExprKind::Load(access) => self.access(plan, access, dead),
            ExprKind::Atomic(access, _, args) => {
                self.access(plan, access, dead);
                self.all(plan, args, dead);
            }
            ExprKind::Len(param) => note(&mut plan.lens, *param),
            ExprKind::Extent(param, dim) => note(&mut plan.extents, (*param, *dim)),
            ExprKind::Launch(word) => note(&mut plan.words, *word),
            ExprKind::If(condition, then, otherwise) => {
                self.expr(plan, condition, dead);
                let value = if dead { None } else { decide(plan, condition) };
                self.block(plan, then, dead || value == Some(false));
                if let Some(otherwise) = otherwise {
                    self.block(plan, otherwise, dead || value == Some(true));
                }
            }
            ExprKind::Block(block) | ExprKind::Unsafe(_, block) => self.block(plan, block, dead),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Paren(a) => self.expr(plan, a, dead),
            ExprKind::Binary(a, _, b) | ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => {
                self.expr(plan, a, dead);
                self.expr(plan, b, dead);
            }
            ExprKind::Math(_, _, args)
            | ExprKind::Assoc(_, _, args)
            | ExprKind::Complex(_, _, args)
            | ExprKind::Call(_, args)
            | ExprKind::Array(args) => self.all(plan, args, dead),
            ExprKind::Struct(_, fields) => {
                for (_, value) in fields {
                    self.expr(plan, value, dead);
                }
            }
            ExprKind::Lit(_)
            | ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::GlobalId(_) => {}
        }
    }

    fn all(&mut self, plan: &mut Plan<'_>, exprs: &[Expr], dead: bool) {
        for expr in exprs {
            self.expr(plan, expr, dead);
        }
    }
}

/// The value that a guard shall have in the interior: the one that most items see, where that is
/// known.
fn decide(plan: &mut Plan<'_>, condition: &Expr) -> Option<bool> {
    let this = std::ptr::from_ref(condition);
    // `if inside { .. }` is true in the interior, `if at_edge { .. } else { .. }` false. Only a
    // comparison alone can be either.
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    let can_hold = plan.cuts(condition, true, &mut holds);
    let can_fail = plan.cuts(condition, false, &mut fails);
    let want = match (can_hold, can_fail) {
        (false, false) => return None,
        (true, true) => match holds.first().and_then(sides::edge) {
            Some(edge) => !edge,
            None => {
                plan.lone.push(this);
                plan.turned != Some(this)
            }
        },
        _ => can_hold,
    };
    plan.cuts.extend(if want { holds } else { fails });
    plan.guards.insert(this, want);
    Some(want)
}

fn note<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}
