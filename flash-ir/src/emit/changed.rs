//! Which locals of a body are assigned after they are made. It looks at typed bodies only and writes
//! nothing.

use crate::resolve::typed::{Access, Base, Block, Expr, ExprKind, Place, Proj, Stmt};

/// By local, whether it is assigned.
pub(super) fn locals(body: &Block, n_locals: usize) -> Vec<bool> {
    let mut changed = vec![false; n_locals];
    block(body, &mut changed);
    changed
}

fn block(of: &Block, changed: &mut [bool]) {
    of.stmts.iter().for_each(|of| stmt(of, changed));
    if let Some(tail) = &of.tail {
        expr(tail, changed);
    }
}

fn stmt(of: &Stmt, changed: &mut [bool]) {
    match of {
        Stmt::Let(id, init, _) => match init {
            Some(init) => expr(init, changed),
            None => set(*id, changed),
        },
        Stmt::Assign(to, value, _) | Stmt::Update(to, _, value, ..) => {
            place(to, changed);
            expr(value, changed);
        }
        Stmt::Reduce(_, _, value, _) | Stmt::Expr(value) | Stmt::Return(Some(value), _) => {
            expr(value, changed);
        }
        Stmt::For { lo, hi, step, body, .. } => {
            [Some(lo), Some(hi), step.as_ref()]
                .into_iter()
                .flatten()
                .for_each(|of| expr(of, changed));
            block(body, changed);
        }
        Stmt::While { cond, body, .. } => {
            expr(cond, changed);
            block(body, changed);
        }
        Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(None, _) | Stmt::Barrier(_) => {}
    }
}

fn set(id: u16, changed: &mut [bool]) {
    if let Some(changed) = changed.get_mut(usize::from(id)) {
        *changed = true;
    }
}

fn place(of: &Place, changed: &mut [bool]) {
    match &of.base {
        Base::Local(id) => set(*id, changed),
        Base::Elem(of) => access(of, changed),
    }
    for proj in &of.projs {
        if let Proj::Index(index, ..) = proj {
            expr(index, changed);
        }
    }
}

fn access(of: &Access, changed: &mut [bool]) {
    of.index.iter().for_each(|index| expr(index, changed));
}

fn expr(of: &Expr, changed: &mut [bool]) {
    match &of.kind {
        ExprKind::Scalar(_)
        | ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Param(_)
        | ExprKind::GlobalId(_)
        | ExprKind::GlobalSize(_)
        | ExprKind::Phase
        | ExprKind::Partition
        | ExprKind::Len(_)
        | ExprKind::Extent(..) => {}
        ExprKind::Load(of) => access(of, changed),
        ExprKind::Atomic(of, _, args) => {
            access(of, changed);
            args.iter().for_each(|arg| expr(arg, changed));
        }
        ExprKind::Unary(_, inner, _)
        | ExprKind::Cast(inner)
        | ExprKind::Field(inner, _)
        | ExprKind::Repeat(inner, _) => expr(inner, changed),
        ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b) => {
            expr(a, changed);
            expr(b, changed);
        }
        ExprKind::Call(_, args) | ExprKind::Math(_, args, _) | ExprKind::Array(args) => {
            args.iter().for_each(|arg| expr(arg, changed));
        }
        ExprKind::Struct(_, fields) => fields.iter().for_each(|(_, value)| expr(value, changed)),
        ExprKind::If(cond, then, other) => {
            expr(cond, changed);
            block(then, changed);
            if let Some(other) = other {
                block(other, changed);
            }
        }
        ExprKind::Block(of) => block(of, changed),
    }
}
