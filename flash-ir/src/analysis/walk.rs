//! Every statement, access and expression of a block, in source order. It goes into device
//! functions only where it is asked to.

use super::footprint::Mode;
use crate::ir::{Access, AtomicOp, BinOp, Block, Expr, ExprKind, Place, Proj, Stmt};

/// Something met on the way.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// A statement, before its parts.
    Stmt(&'static Stmt),
    /// An expression, before its parts.
    Expr(&'static Expr),
    /// An access to an array, after its index.
    Access(&'static Access, Mode),
    /// What follows up to its [`Node::Joined`] runs where the condition is this; the condition has
    /// been shown before.
    Branch(&'static Expr, bool),
    /// The end of a branch.
    Joined,
    /// What follows up to its [`Node::Sure`] may not run at all: the body of this loop, or what stands
    /// on the right of `&&` or `||`.
    Maybe(Option<&'static Stmt>),
    /// The end of what may not run.
    Sure,
}

/// Shows all parts of a block to `f`.
pub fn walk(block: &'static Block, f: &mut dyn FnMut(Node)) {
    for stmt in block.stmts {
        walk_stmt(stmt, f);
    }
    if let Some(tail) = block.tail {
        walk_expr(tail, f);
    }
}

fn walk_stmt(stmt: &'static Stmt, f: &mut dyn FnMut(Node)) {
    f(Node::Stmt(stmt));
    match stmt {
        Stmt::Let(_, Some(init), _) => walk_expr(init, f),
        Stmt::Assign(place, value, _) => {
            walk_expr(value, f);
            walk_place(place, Mode::Write, f);
        }
        Stmt::Update(place, _, value, _, _) => {
            walk_expr(value, f);
            walk_place(place, Mode::Update, f);
        }
        Stmt::Reduce(_, value, _) => walk_expr(value, f),
        Stmt::Expr(expr) => walk_expr(expr, f),
        Stmt::For { lo, hi, step, body, .. } => {
            walk_expr(lo, f);
            walk_expr(hi, f);
            if let Some(step) = step {
                walk_expr(step, f);
            }
            f(Node::Maybe(Some(stmt)));
            walk(body, f);
            f(Node::Sure);
        }
        Stmt::While { cond, body, .. } => {
            walk_expr(cond, f);
            f(Node::Maybe(Some(stmt)));
            walk(body, f);
            f(Node::Sure);
        }
        Stmt::Return(Some(value), _) => walk_expr(value, f),
        Stmt::Let(_, None, _)
        | Stmt::Return(None, _)
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::Barrier(_) => {}
    }
}

fn walk_place(place: &'static Place, mode: Mode, f: &mut dyn FnMut(Node)) {
    let (access, projs) = match place {
        Place::Local(_, projs) => (None, *projs),
        Place::Elem(access, projs) => (Some(access), *projs),
    };
    if let Some(access) = access {
        walk_access(access, mode, f);
    }
    for proj in projs {
        if let Proj::Index(index) = proj {
            walk_expr(index, f);
        }
    }
}

fn walk_access(access: &'static Access, mode: Mode, f: &mut dyn FnMut(Node)) {
    for index in access.index {
        walk_expr(index, f);
    }
    f(Node::Access(access, mode));
}

/// Shows an expression and its parts.
pub(crate) fn walk_expr(expr: &'static Expr, f: &mut dyn FnMut(Node)) {
    f(Node::Expr(expr));
    match &expr.kind {
        ExprKind::Load(access) => walk_access(access, Mode::Read, f),
        ExprKind::Atomic(access, op, args) => {
            let mode = if *op == AtomicOp::Load { Mode::Read } else { Mode::Atomic };
            walk_access(access, mode, f);
            args.iter().for_each(|arg| walk_expr(arg, f));
        }
        ExprKind::Unary(_, a, _)
        | ExprKind::Cast(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Repeat(a, _) => walk_expr(a, f),
        ExprKind::Binary(BinOp::LazyAnd | BinOp::LazyOr, a, b, _) => {
            walk_expr(a, f);
            f(Node::Maybe(None));
            walk_expr(b, f);
            f(Node::Sure);
        }
        ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b) => {
            walk_expr(a, f);
            walk_expr(b, f);
        }
        ExprKind::Call(_, args)
        | ExprKind::Math(_, args, _)
        | ExprKind::Complex(_, args)
        | ExprKind::Array(args) => {
            args.iter().for_each(|arg| walk_expr(arg, f));
        }
        ExprKind::If(cond, then, other) => {
            walk_expr(cond, f);
            f(Node::Branch(cond, true));
            walk(then, f);
            f(Node::Joined);
            if let Some(other) = other {
                f(Node::Branch(cond, false));
                walk(other, f);
                f(Node::Joined);
            }
        }
        ExprKind::Block(block) => walk(block, f),
        ExprKind::Struct(_, fields) => fields.iter().for_each(|(_, value)| walk_expr(value, f)),
        ExprKind::Int(..)
        | ExprKind::Float(..)
        | ExprKind::Bool(_)
        | ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Param(_)
        | ExprKind::GlobalId(_)
        | ExprKind::GlobalSize(_)
        | ExprKind::Phase
        | ExprKind::Partition
        | ExprKind::Len(_)
        | ExprKind::Extent(..) => {}
    }
}
