//! Numbers of a known type that stand where an index or a size is due. Types are known from what is
//! written, never guessed: what is not seen here is rustc's to say.

use syn::BinOp;

use super::walk::{Child, children};
use super::words::SCALARS;
use crate::diag::Diagnostics;
use crate::kernel::model::{Block, Body, Expr, ExprKind, Form, Local, Param, Place, Proj, Stmt};
use crate::rules;

/// Asks that indices are `usize`, and that what is compared with an index is; notes the types of locals.
pub(crate) fn widths(body: &mut Body, params: &[Param], arguments: usize, diag: &mut Diagnostics) {
    for (id, local) in body.locals.iter_mut().enumerate() {
        local.scalar = local.ty.as_ref().filter(|_| id < arguments).and_then(scalar);
    }
    Widths { locals: &mut body.locals, params, diag }.block(&body.block);
}

struct Widths<'a> {
    /// Those met so far have their types.
    locals: &'a mut [Local],
    params: &'a [Param],
    diag: &'a mut Diagnostics,
}

impl Widths<'_> {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        block.tail.iter().for_each(|tail| self.expr(tail));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(id, init) => {
                init.iter().for_each(|init| self.expr(init));
                self.locals[*id].scalar = match &self.locals[*id].ty {
                    Some(ty) => scalar(ty),
                    None => init.as_ref().and_then(|init| self.known(init)),
                };
            }
            Stmt::Return(value, _) => value.iter().for_each(|value| self.expr(value)),
            Stmt::Assign(place, value, _) | Stmt::Update(place, _, value, _) => {
                self.place(place);
                self.expr(value);
            }
            Stmt::Reduce(_, value, _) | Stmt::Expr(value) => self.expr(value),
            Stmt::For(repeat) => {
                let ends = [&repeat.lo, &repeat.hi];
                ends.into_iter().chain(&repeat.step).for_each(|part| self.expr(part));
                self.alike(&repeat.lo, &repeat.hi);
                self.locals[repeat.local].scalar = self.of_both(&repeat.lo, &repeat.hi);
                self.block(&repeat.body);
            }
            Stmt::While(condition, body, _) => {
                condition.iter().for_each(|condition| self.expr(condition));
                self.block(body);
            }
            Stmt::Unsafe(_, body) => self.block(body),
            Stmt::Break(_) | Stmt::Continue(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        let projs = match place {
            Place::Local(_, _, projs) => projs,
            Place::Elem(access, projs) => {
                self.indices(&access.index);
                projs
            }
        };
        for proj in projs {
            if let Proj::Index(index) = proj {
                self.expr(index);
                self.index(index);
            }
        }
    }

    fn indices(&mut self, indices: &[Expr]) {
        indices.iter().for_each(|index| self.index(index));
    }

    fn expr(&mut self, expr: &Expr) {
        children(expr, &mut |child| match child {
            Child::Expr(child) => self.expr(child),
            Child::Block(block) => self.block(block),
        });
        match &expr.kind {
            ExprKind::Load(access) | ExprKind::Atomic(access, ..) => self.indices(&access.index),
            ExprKind::Index(_, index) => self.index(index),
            ExprKind::Binary(a, op, b) if compares(op) => self.alike(a, b),
            _ => {}
        }
    }

    /// Two numbers of one type, where one is an index.
    fn alike(&mut self, a: &Expr, b: &Expr) {
        let whole = |ty: &str| !matches!(ty, "f32" | "f64" | "bool");
        match (self.known(a), self.known(b)) {
            (Some("usize"), Some(other)) if whole(other) => self.index(b),
            (Some(other), Some("usize")) if whole(other) => self.index(a),
            _ => {}
        }
    }

    /// A `usize`.
    fn index(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Paren(inner) => return self.index(inner),
            ExprKind::Binary(a, BinOp::Shl(_) | BinOp::Shr(_), _) => return self.index(a),
            ExprKind::Binary(a, op, b) if keeps(op) => {
                self.index(a);
                return self.index(b);
            }
            _ => {}
        }
        let Some(ty) = self.known(expr).filter(|ty| *ty != "usize") else { return };
        let name = match &expr.kind {
            ExprKind::Local(id) => self.locals[*id].name.to_string(),
            ExprKind::Param(id) => self.params[*id].name.to_string(),
            ExprKind::Load(access) => format!("{}[..]", self.params[access.param].name),
            _ => "..".to_owned(),
        };
        self.diag.error(
            rules::INDEX_TYPE,
            expr.span,
            format!(
                "`{name}` has type `{ty}`, indices and sizes have type `usize`: write `{name} as \
                 usize`"
            ),
        );
    }

    /// The type, where what is written says it.
    fn known(&self, expr: &Expr) -> Option<&'static str> {
        known(expr, self.locals, self.params)
    }

    /// The type of two numbers of one type; literals without one take that of the other.
    fn of_both(&self, a: &Expr, b: &Expr) -> Option<&'static str> {
        of_both((a, b), self.locals, self.params)
    }
}

/// Whether a cast of an expression may be one of a floating point number to an integer.
pub(crate) fn may_round(from: &Expr, to: &syn::Type, body: &Body, params: &[Param]) -> bool {
    let is_whole = matches!(&from.kind, ExprKind::Lit(lit) if !matches!(lit, syn::Lit::Float(_)));
    !is_whole && rounds(known(from, &body.locals, params), to)
}

/// Whether a cast from a type, where that is known, may be one of a floating point number to an integer.
pub(crate) fn rounds(from: Option<&str>, to: &syn::Type) -> bool {
    let is_float = |ty: &str| matches!(ty, "f32" | "f64");
    from.is_none_or(is_float) && !scalar(to).is_some_and(is_float)
}

/// The type of an expression, where what is written says it.
pub(crate) fn known(expr: &Expr, locals: &[Local], params: &[Param]) -> Option<&'static str> {
    match &expr.kind {
        ExprKind::Lit(lit) => {
            let suffix = match lit {
                syn::Lit::Int(lit) => lit.suffix(),
                syn::Lit::Float(lit) => lit.suffix(),
                _ => return None,
            };
            named(suffix)
        }
        ExprKind::Local(id) => locals[*id].scalar,
        ExprKind::Param(id) if params[*id].form == Form::Value => scalar(&params[*id].elem),
        ExprKind::Load(access) => scalar(&params[access.param].elem),
        ExprKind::GlobalId(_) | ExprKind::Launch(_) | ExprKind::Len(_) | ExprKind::Extent(..) => {
            Some("usize")
        }
        ExprKind::Cast(_, ty) => scalar(ty),
        ExprKind::Paren(a) | ExprKind::Unary(_, a) => known(a, locals, params),
        ExprKind::Binary(a, BinOp::Shl(_) | BinOp::Shr(_), _) => known(a, locals, params),
        ExprKind::Binary(a, op, b) if keeps(op) => of_both((a, b), locals, params),
        _ => None,
    }
}

fn of_both((a, b): (&Expr, &Expr), locals: &[Local], params: &[Param]) -> Option<&'static str> {
    match (known(a, locals, params), known(b, locals, params)) {
        (Some(a), Some(b)) => (a == b).then_some(a),
        (Some(a), None) => is_literal(b).then_some(a),
        (None, Some(b)) => is_literal(a).then_some(b),
        (None, None) => None,
    }
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Paren(a) | ExprKind::Unary(_, a) => is_literal(a),
        _ => false,
    }
}

/// The scalar type of this name.
pub(crate) fn scalar(ty: &syn::Type) -> Option<&'static str> {
    match super::words::peel_type(ty) {
        syn::Type::Path(path) => named(&path.path.get_ident()?.to_string()),
        _ => None,
    }
}

fn named(word: &str) -> Option<&'static str> {
    SCALARS.iter().copied().find(|known| *known == word)
}

/// Operators whose result has the type of both operands.
fn keeps(op: &BinOp) -> bool {
    use BinOp as B;
    matches!(
        op,
        B::Add(_)
            | B::Sub(_)
            | B::Mul(_)
            | B::Div(_)
            | B::Rem(_)
            | B::BitAnd(_)
            | B::BitOr(_)
            | B::BitXor(_)
    )
}

fn compares(op: &BinOp) -> bool {
    use BinOp as B;
    matches!(op, B::Lt(_) | B::Le(_) | B::Gt(_) | B::Ge(_) | B::Eq(_) | B::Ne(_))
}
