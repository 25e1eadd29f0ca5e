//! Reads along a loop of an item: `x[k]` and `a[[i, k + 1]]` in `for k in lo..hi`. They are checked
//! once for the loop and become elements of a slice. It finds them; `body` writes them.

use std::collections::{HashMap, HashSet};

use syn::BinOp;

use super::plan::{Kind, kind};
use crate::kernel::model::{
    Access, AccessClass, Block, Body, Expr, ExprKind, For, Kernel, Place, Proj, Stmt,
};

/// One access along its loop.
pub(super) struct Stretch<'k> {
    pub(super) access: &'k Access,
    /// What is added to the loop variable, or taken from it.
    pub(super) offset: Option<(Sign, &'k Expr)>,
}

/// The sign of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// The loops of a body that have such accesses. Only innermost loops do, so that the body of a loop
/// is written twice at most.
#[derive(Default)]
pub(super) struct Stretches<'k> {
    loops: HashMap<*const For, Vec<Stretch<'k>>>,
    sites: HashSet<usize>,
}

impl<'k> Stretches<'k> {
    pub(super) fn find(kernel: &'k Kernel, body: &'k Body) -> Self {
        let mut all = Self::default();
        let mut walk = Walk { on_for: vec![], on_read: vec![], n_loops: 0, lets: vec![] };
        walk.block(&body.block);
        for repeat in walk.on_for {
            let found = along(kernel, body, repeat);
            all.sites.extend(found.iter().map(|stretch| stretch.access.site));
            if !found.is_empty() {
                all.loops.insert(std::ptr::from_ref(repeat), found);
            }
        }
        all
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// The accesses along a loop.
    pub(super) fn of(&self, repeat: &For) -> Option<&[Stretch<'k>]> {
        self.loops.get(&std::ptr::from_ref(repeat)).map(Vec::as_slice)
    }

    /// Whether an access is along its loop.
    pub(super) fn has(&self, site: usize) -> bool {
        self.sites.contains(&site)
    }
}

/// The accesses along an innermost loop over a plain range.
fn along<'k>(kernel: &'k Kernel, body: &'k Body, repeat: &'k For) -> Vec<Stretch<'k>> {
    let plain = !repeat.inclusive && !repeat.rev && repeat.step.is_none();
    if !plain || body.locals[repeat.local].mutable {
        return Vec::new();
    }
    let mut inner = Walk { on_for: vec![], on_read: vec![], n_loops: 0, lets: vec![] };
    inner.block(&repeat.body);
    if inner.n_loops > 0 {
        return Vec::new();
    }
    // What is the same in each trip and may be evaluated before the first one: it cannot fail.
    let stable = |expr: &Expr| match &expr.kind {
        ExprKind::Lit(_) | ExprKind::Param(_) | ExprKind::GlobalId(_) => true,
        ExprKind::Local(local) => {
            *local != repeat.local && !body.locals[*local].mutable && !inner.lets.contains(local)
        }
        _ => false,
    };
    // Neighbours of the items along the line: those loops are better turned over items.
    let along_line = |expr: &Expr| match expr.kind {
        ExprKind::GlobalId(dim) => dim == 0,
        ExprKind::Local(local) => body.locals[local].id_of == Some(0),
        _ => false,
    };
    let offset = |last: &'k Expr| -> Option<Option<(Sign, &'k Expr)>> {
        let is_variable =
            |e: &Expr| matches!(bare(e).kind, ExprKind::Local(l) if l == repeat.local);
        let last = bare(last);
        if is_variable(last) {
            return Some(None);
        }
        match &last.kind {
            ExprKind::Binary(a, BinOp::Add(_), b) if is_variable(a) && stable(bare(b)) => {
                Some(Some((Sign::Plus, bare(b))))
            }
            ExprKind::Binary(a, BinOp::Add(_), b) if is_variable(b) && stable(bare(a)) => {
                Some(Some((Sign::Plus, bare(a))))
            }
            ExprKind::Binary(a, BinOp::Sub(_), b) if is_variable(a) && stable(bare(b)) => {
                Some(Some((Sign::Minus, bare(b))))
            }
            _ => None,
        }
    };
    inner
        .on_read
        .into_iter()
        .filter(|access| {
            kind(kernel, access.param) == Kind::Input && access.class != AccessClass::Unchecked
        })
        .filter_map(|access| {
            let (last, rest) = access.index.split_last()?;
            let offset = offset(last)?;
            if offset.is_some_and(|(_, offset)| along_line(offset)) {
                return None;
            }
            rest.iter().all(|index| stable(bare(index))).then_some(Stretch { access, offset })
        })
        .collect()
}

/// Without parentheses.
fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => bare(inner),
        _ => expr,
    }
}

/// The loops, reads and locals of a block, those of blocks inside it too.
struct Walk<'k> {
    on_for: Vec<&'k For>,
    on_read: Vec<&'k Access>,
    n_loops: usize,
    lets: Vec<usize>,
}

impl<'k> Walk<'k> {
    fn block(&mut self, block: &'k Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
    }

    fn stmt(&mut self, stmt: &'k Stmt) {
        match stmt {
            Stmt::Let(local, init) => {
                self.lets.push(*local);
                if let Some(init) = init {
                    self.expr(init);
                }
            }
            Stmt::Assign(place, value, _) | Stmt::Update(place, _, value, _) => {
                self.expr(value);
                let projs = match place {
                    Place::Local(_, _, projs) => projs,
                    Place::Elem(access, projs) => {
                        self.all(&access.index);
                        projs
                    }
                };
                for proj in projs {
                    if let Proj::Index(index) = proj {
                        self.expr(index);
                    }
                }
            }
            Stmt::Reduce(_, value, _) | Stmt::Expr(value) => self.expr(value),
            Stmt::For(repeat) => {
                self.on_for.push(repeat);
                self.n_loops += 1;
                self.expr(&repeat.lo);
                self.expr(&repeat.hi);
                if let Some(step) = &repeat.step {
                    self.expr(step);
                }
                self.block(&repeat.body);
            }
            Stmt::While(condition, body, _) => {
                self.n_loops += 1;
                if let Some(condition) = condition {
                    self.expr(condition);
                }
                self.block(body);
            }
            Stmt::Return(value, _) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            Stmt::Unsafe(_, block) => self.block(block),
            Stmt::Break(_) | Stmt::Continue(_) => {}
        }
    }

    fn all(&mut self, exprs: &'k [Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &'k Expr) {
        match &expr.kind {
            ExprKind::Load(access) => {
                self.on_read.push(access);
                self.all(&access.index);
            }
            ExprKind::Atomic(access, _, args) => {
                self.all(&access.index);
                self.all(args);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
            }
            ExprKind::Block(block) | ExprKind::Unsafe(_, block) => self.block(block),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Paren(a) => self.expr(a),
            ExprKind::Binary(a, _, b) | ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Math(_, _, args)
            | ExprKind::Assoc(_, _, args)
            | ExprKind::Call(_, args)
            | ExprKind::Array(args) => self.all(args),
            ExprKind::Struct(_, fields) => {
                for (_, value) in fields {
                    self.expr(value);
                }
            }
            ExprKind::Lit(_)
            | ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::GlobalId(_)
            | ExprKind::GlobalSize(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => {}
        }
    }
}
