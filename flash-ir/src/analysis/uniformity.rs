//! What is the same for all items of a launch, found again from the IR alone: the check of what the
//! front end wrote into it, and what barriers and uniform branches need.

use super::walk::Node;
use crate::ir::{Block, Expr, ExprKind, KernelIr, LocalId, ParamKind, Place, Proj, Span, Stmt};

/// The result for one kernel.
#[derive(Debug)]
pub struct Uniformity {
    /// Whether two items may see different values in a local.
    pub varying_locals: Vec<bool>,
    /// Expressions that the front end calls uniform and that may differ: always empty.
    pub wrong: Vec<Span>,
    /// Barriers that not all items reach.
    pub divergent_barriers: Vec<Span>,
}

/// Finds what is uniform in a kernel.
pub fn uniformity(kernel: &'static KernelIr) -> Uniformity {
    let mut state = State {
        kernel,
        varying: vec![false; kernel.locals.names.len()],
        left: false,
        gone: false,
        changed: true,
        barriers: Vec::new(),
    };
    // Each round can only add; at most every local is added once.
    while state.changed {
        state.changed = false;
        state.left = false;
        state.gone = false;
        state.barriers.clear();
        state.block(&kernel.body, false);
    }
    let mut wrong = Vec::new();
    super::walk(&kernel.body, &mut |node| {
        if let Node::Expr(expr) = node
            && !expr.varying
            && has_value(expr)
            && state.varies(expr)
        {
            wrong.push(expr.span);
        }
    });
    Uniformity { varying_locals: state.varying, wrong, divergent_barriers: state.barriers }
}

/// Whether an expression is more than statements.
fn has_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::If(_, then, other) => {
            then.tail.is_some() || other.as_ref().is_some_and(|other| other.tail.is_some())
        }
        ExprKind::Block(block) => block.tail.is_some(),
        _ => true,
    }
}

struct State {
    kernel: &'static KernelIr,
    varying: Vec<bool>,
    /// Whether some items may have left the loop, or its trip, at this point.
    left: bool,
    /// Whether some items may have left the body.
    gone: bool,
    changed: bool,
    barriers: Vec<Span>,
}

impl State {
    /// Whether two items may see different values of an expression. The statements of a block speak
    /// through the locals they set.
    fn varies(&self, expr: &'static Expr) -> bool {
        let any = |exprs: &'static [Expr]| exprs.iter().any(|expr| self.varies(expr));
        let tail = |block: &'static Block| block.tail.is_some_and(|tail| self.varies(tail));
        match &expr.kind {
            ExprKind::GlobalId(_) | ExprKind::Atomic(..) => true,
            // An input is the same for all at the same index; in another array stands what some
            // item wrote.
            ExprKind::Load(access) => {
                let param = self.kernel.params.get(usize::from(access.param));
                param.is_none_or(|param| param.kind != ParamKind::In) || any(access.index)
            }
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Unary(_, a, _)
            | ExprKind::Cast(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Repeat(a, _) => self.varies(a),
            ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b) => {
                self.varies(a) || self.varies(b)
            }
            ExprKind::Call(_, args)
            | ExprKind::Math(_, args, _)
            | ExprKind::Complex(_, args)
            | ExprKind::Array(args) => any(args),
            ExprKind::Struct(_, fields) => fields.iter().any(|(_, value)| self.varies(value)),
            ExprKind::If(cond, then, other) => {
                self.varies(cond) || tail(then) || other.as_ref().is_some_and(tail)
            }
            ExprKind::Block(block) => tail(block),
            ExprKind::Int(..)
            | ExprKind::Float(..)
            | ExprKind::Bool(_)
            | ExprKind::Const(_)
            | ExprKind::Param(_)
            | ExprKind::GlobalSize(_)
            | ExprKind::Phase
            | ExprKind::Partition
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => false,
        }
    }

    fn local(&self, id: LocalId) -> bool {
        self.varying.get(usize::from(id)).copied().unwrap_or(true)
    }

    fn set(&mut self, id: LocalId, varies: bool) {
        if let Some(slot) = self.varying.get_mut(usize::from(id))
            && varies
            && !*slot
        {
            *slot = true;
            self.changed = true;
        }
    }

    fn block(&mut self, block: &'static Block, under: bool) {
        for stmt in block.stmts {
            self.stmt(stmt, under);
        }
        if let Some(tail) = block.tail {
            self.expr(tail, under);
        }
    }

    /// Goes into the blocks of an expression.
    fn expr(&mut self, expr: &'static Expr, under: bool) {
        match &expr.kind {
            ExprKind::If(cond, then, other) => {
                self.expr(cond, under);
                let under = under || self.varies(cond);
                self.block(then, under);
                if let Some(other) = other {
                    self.block(other, under);
                }
            }
            ExprKind::Block(block) => self.block(block, under),
            ExprKind::Unary(_, a, _)
            | ExprKind::Cast(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Repeat(a, _) => self.expr(a, under),
            ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b) => {
                self.expr(a, under);
                self.expr(b, under);
            }
            ExprKind::Call(_, args)
            | ExprKind::Math(_, args, _)
            | ExprKind::Complex(_, args)
            | ExprKind::Array(args) => {
                args.iter().for_each(|arg| self.expr(arg, under));
            }
            ExprKind::Struct(_, fields) => {
                fields.iter().for_each(|(_, value)| self.expr(value, under));
            }
            _ => {}
        }
    }

    fn stmt(&mut self, stmt: &'static Stmt, under: bool) {
        match stmt {
            Stmt::Let(id, Some(init), _) => {
                self.expr(init, under);
                let varies = self.varies(init);
                self.set(*id, varies);
            }
            Stmt::Assign(Place::Local(id, projs), value, _)
            | Stmt::Update(Place::Local(id, projs), _, value, _, _) => {
                self.expr(value, under);
                let at = projs
                    .iter()
                    .any(|proj| matches!(proj, Proj::Index(index) if self.varies(index)));
                let varies = under || at || self.varies(value);
                self.set(*id, varies);
            }
            Stmt::Assign(Place::Elem(..), value, _)
            | Stmt::Update(Place::Elem(..), _, value, _, _)
            | Stmt::Reduce(_, value, _) => self.expr(value, under),
            Stmt::Expr(expr) => self.expr(expr, under),
            Stmt::For { local, lo, hi, step, body, .. } => {
                let varies = self.varies(lo)
                    || self.varies(hi)
                    || step.as_ref().is_some_and(|step| self.varies(step));
                self.set(*local, varies);
                self.repeat(body, under || varies);
            }
            Stmt::While { cond, body, .. } => {
                self.expr(cond, under);
                let varies = self.varies(cond);
                self.repeat(body, under || varies);
            }
            Stmt::Break(_) | Stmt::Continue(_) => self.left |= under,
            // Those that go on agree with each other.
            Stmt::Return(..) => self.gone |= under,
            Stmt::Barrier(span) => {
                if under || self.left || self.gone {
                    self.barriers.push(*span);
                }
            }
            Stmt::Let(_, None, _) => {}
        }
    }

    /// A loop: what leaves it late in a trip matters early in the next. Behind it all items meet.
    fn repeat(&mut self, body: &'static Block, under: bool) {
        let outer = std::mem::replace(&mut self.left, false);
        self.block(body, under);
        if self.left {
            self.block(body, true);
        }
        self.left = outer;
    }
}
