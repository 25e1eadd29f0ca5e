//! Walks over a lowered body. It changes nothing by itself.

use std::rc::Rc;

use crate::kernel::model::{Access, Block, Expr, ExprKind, Place, Proj, Stmt};

/// How a body reaches an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// `x[i]`
    Read,
    /// `x[i] = e`
    Write,
    /// `x[i] += e`, `x[i].field = e`
    Update,
    /// `x[i].fetch_add(e)`
    Atomic,
}

/// Calls `on` for every access of a block, in source order.
pub(crate) fn accesses(block: &Block, on: &mut dyn FnMut(&Access, Touch)) {
    for stmt in &block.stmts {
        in_stmt(stmt, on);
    }
    if let Some(tail) = &block.tail {
        in_expr(tail, on);
    }
}

fn in_stmt(stmt: &Stmt, on: &mut dyn FnMut(&Access, Touch)) {
    match stmt {
        Stmt::Let(_, init) | Stmt::Return(init, _) => {
            if let Some(init) = init {
                in_expr(init, on);
            }
        }
        Stmt::Assign(place, value, _) => {
            in_place(place, false, on);
            in_expr(value, on);
        }
        Stmt::Update(place, _, value, _) => {
            in_place(place, true, on);
            in_expr(value, on);
        }
        Stmt::Reduce(_, value, _) | Stmt::Expr(value) => in_expr(value, on),
        Stmt::For(looping) => {
            in_expr(&looping.lo, on);
            in_expr(&looping.hi, on);
            if let Some(step) = &looping.step {
                in_expr(step, on);
            }
            accesses(&looping.body, on);
        }
        Stmt::While(cond, body, _) => {
            if let Some(cond) = cond {
                in_expr(cond, on);
            }
            accesses(body, on);
        }
        Stmt::Break(_) | Stmt::Continue(_) => {}
        Stmt::Unsafe(_, body) => accesses(body, on),
    }
}

fn in_place(place: &Place, update: bool, on: &mut dyn FnMut(&Access, Touch)) {
    let projections = match place {
        Place::Local(_, _, projections) => projections,
        Place::Elem(access, projections) => {
            let touch =
                if update || !projections.is_empty() { Touch::Update } else { Touch::Write };
            on(access, touch);
            access.index.iter().for_each(|index| in_expr(index, on));
            projections
        }
    };
    for projection in projections {
        if let Proj::Index(index) = projection {
            in_expr(index, on);
        }
    }
}

/// Calls `on` for every access of an expression, in source order.
pub(crate) fn in_expr(expr: &Expr, on: &mut dyn FnMut(&Access, Touch)) {
    match &expr.kind {
        ExprKind::Load(access) => on(access, Touch::Read),
        ExprKind::Atomic(access, ..) => on(access, Touch::Atomic),
        _ => {}
    }
    children(expr, &mut |child| match child {
        Child::Expr(expr) => in_expr(expr, on),
        Child::Block(block) => accesses(block, on),
    });
}

/// A part of an expression.
pub(crate) enum Child<'e> {
    Expr(&'e Expr),
    Block(&'e Block),
}

/// Calls `on` for the direct parts of an expression, in source order.
pub(crate) fn children(expr: &Expr, on: &mut dyn FnMut(Child<'_>)) {
    use ExprKind as K;
    match &expr.kind {
        K::Lit(_)
        | K::Const(_)
        | K::Local(_)
        | K::Param(_)
        | K::GlobalId(_)
        | K::Launch(_)
        | K::Len(_)
        | K::Extent(..) => {}
        K::Load(access) => access.index.iter().for_each(|index| on(Child::Expr(index))),
        K::Atomic(access, _, args) => {
            access.index.iter().chain(args).for_each(|part| on(Child::Expr(part)));
        }
        K::Unary(_, inner) | K::Cast(inner, _) | K::Field(inner, _) | K::Paren(inner) => {
            on(Child::Expr(inner));
        }
        K::Binary(left, _, right) | K::Index(left, right) | K::Repeat(left, right) => {
            on(Child::Expr(left));
            on(Child::Expr(right));
        }
        K::Math(_, _, args)
        | K::Assoc(_, _, args)
        | K::Complex(_, _, args)
        | K::Call(_, args)
        | K::Array(args) => {
            args.iter().for_each(|arg| on(Child::Expr(arg)));
        }
        K::If(cond, yes, no) => {
            on(Child::Expr(cond));
            on(Child::Block(yes));
            if let Some(no) = no {
                on(Child::Block(no));
            }
        }
        K::Block(block) | K::Unsafe(_, block) => on(Child::Block(block)),
        K::Struct(_, fields) => fields.iter().for_each(|(_, value)| on(Child::Expr(value))),
    }
}

/// Whether a test holds for an expression or one in it; blocks are not entered.
pub(crate) fn any(expr: &Expr, test: &dyn Fn(&Expr) -> bool) -> bool {
    if test(expr) {
        return true;
    }
    let mut found = false;
    children(expr, &mut |child| {
        if let Child::Expr(child) = child {
            found |= any(child, test);
        }
    });
    found
}

/// Calls `on` for every access of a block, to change it. Nothing may share the accesses yet.
pub(crate) fn accesses_mut(block: &mut Block, on: &mut dyn FnMut(&mut Access)) {
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::Let(_, init) | Stmt::Return(init, _) => {
                if let Some(init) = init {
                    in_expr_mut(init, on);
                }
            }
            Stmt::Assign(place, value, _) | Stmt::Update(place, _, value, _) => {
                in_place_mut(place, on);
                in_expr_mut(value, on);
            }
            Stmt::Reduce(_, value, _) | Stmt::Expr(value) => in_expr_mut(value, on),
            Stmt::For(looping) => {
                in_expr_mut(&mut looping.lo, on);
                in_expr_mut(&mut looping.hi, on);
                if let Some(step) = &mut looping.step {
                    in_expr_mut(step, on);
                }
                accesses_mut(&mut looping.body, on);
            }
            Stmt::While(cond, body, _) => {
                if let Some(cond) = cond {
                    in_expr_mut(cond, on);
                }
                accesses_mut(body, on);
            }
            Stmt::Break(_) | Stmt::Continue(_) => {}
            Stmt::Unsafe(_, body) => accesses_mut(body, on),
        }
    }
    if let Some(tail) = &mut block.tail {
        in_expr_mut(tail, on);
    }
}

fn in_place_mut(place: &mut Place, on: &mut dyn FnMut(&mut Access)) {
    let projections = match place {
        Place::Local(_, _, projections) => projections,
        Place::Elem(access, projections) => {
            access.index.iter_mut().for_each(|index| in_expr_mut(index, on));
            on(access);
            projections
        }
    };
    for projection in projections {
        if let Proj::Index(index) = projection {
            in_expr_mut(index, on);
        }
    }
}

fn in_expr_mut(expr: &mut Expr, on: &mut dyn FnMut(&mut Access)) {
    use ExprKind as K;
    match &mut expr.kind {
        K::Lit(_)
        | K::Const(_)
        | K::Local(_)
        | K::Param(_)
        | K::GlobalId(_)
        | K::Launch(_)
        | K::Len(_)
        | K::Extent(..) => {}
        K::Load(access) => {
            if let Some(access) = Rc::get_mut(access) {
                access.index.iter_mut().for_each(|index| in_expr_mut(index, on));
                on(access);
            }
        }
        K::Atomic(access, _, args) => {
            if let Some(access) = Rc::get_mut(access) {
                access.index.iter_mut().for_each(|index| in_expr_mut(index, on));
                on(access);
            }
            args.iter_mut().for_each(|arg| in_expr_mut(arg, on));
        }
        K::Unary(_, inner) | K::Cast(inner, _) | K::Field(inner, _) | K::Paren(inner) => {
            in_expr_mut(inner, on);
        }
        K::Binary(left, _, right) | K::Index(left, right) | K::Repeat(left, right) => {
            in_expr_mut(left, on);
            in_expr_mut(right, on);
        }
        K::Math(_, _, args)
        | K::Assoc(_, _, args)
        | K::Complex(_, _, args)
        | K::Call(_, args)
        | K::Array(args) => {
            args.iter_mut().for_each(|arg| in_expr_mut(arg, on));
        }
        K::If(cond, yes, no) => {
            in_expr_mut(cond, on);
            for block in [Some(yes), no.as_mut()].into_iter().flatten() {
                if let Some(block) = Rc::get_mut(block) {
                    accesses_mut(block, on);
                }
            }
        }
        K::Block(block) | K::Unsafe(_, block) => {
            if let Some(block) = Rc::get_mut(block) {
                accesses_mut(block, on);
            }
        }
        K::Struct(_, fields) => fields.iter_mut().for_each(|(_, value)| in_expr_mut(value, on)),
    }
}
