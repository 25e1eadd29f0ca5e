//! What two items may see differently, what can be computed before the items of a line, and which
//! indices are affine in the ids. It reports nothing.

use std::rc::Rc;

use super::walk;
use crate::kernel::model::{
    Access, AccessClass, Affine, Block, Body, Expr, ExprKind, Local, Param, Place, Proj, Role, Stmt,
};

/// Fills `varying`, `hoistable` and the affine forms of a body.
pub(crate) fn uniformity(body: &mut Body, params: &[Param]) {
    loop {
        let mut pass =
            Pass { locals: &mut body.locals, params, changed: false, control: false, left: false };
        pass.block(&mut body.block);
        if !pass.changed {
            break;
        }
    }
    hoist(body);
    let locals = &body.locals;
    walk::accesses_mut(&mut body.block, &mut |access| {
        access.affine = access.index.iter().map(|index| affine(index, locals)).collect();
        let forms = access.affine.iter().all(Option::is_some);
        if access.class == AccessClass::Checked && forms && params[access.param].role == Role::In {
            access.class = AccessClass::Affine;
        }
    });
}

/// One pass over the body; a fixed point is reached when nothing changed.
struct Pass<'a> {
    locals: &'a mut Vec<Local>,
    params: &'a [Param],
    changed: bool,
    /// Whether items may disagree about being here.
    control: bool,
    /// Whether some items may have left the loop by now.
    left: bool,
}

impl Pass<'_> {
    fn mark(&mut self, local: usize, varying: bool) {
        if varying && !self.locals[local].varying {
            self.locals[local].varying = true;
            self.changed = true;
        }
    }

    fn block(&mut self, block: &mut Block) -> bool {
        for stmt in &mut block.stmts {
            self.stmt(stmt);
        }
        block.tail.as_mut().is_some_and(|tail| self.expr(tail))
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Let(local, init) => {
                if let Some(init) = init {
                    let varying = self.expr(init);
                    self.mark(*local, varying);
                }
            }
            Stmt::Assign(place, value, _) | Stmt::Update(place, _, value, _) => {
                let varying = self.expr(value) | self.control;
                self.place(place, varying);
            }
            Stmt::Reduce(_, value, _) | Stmt::Expr(value) => {
                self.expr(value);
            }
            Stmt::For(looping) => {
                let mut varying = self.expr(&mut looping.lo) | self.expr(&mut looping.hi);
                varying |= looping.step.as_mut().is_some_and(|step| self.expr(step));
                self.mark(looping.local, varying);
                self.looped(&mut looping.body, varying);
            }
            Stmt::While(cond, body, _) => {
                let varying = cond.as_mut().is_some_and(|cond| self.expr(cond));
                self.looped(body, varying);
            }
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(None, _) => {
                self.left |= self.control;
            }
            Stmt::Return(Some(value), _) => {
                self.expr(value);
                self.left |= self.control;
            }
            Stmt::Unsafe(_, body) => {
                self.block(body);
            }
        }
    }

    /// A loop body; once some items have left, the others go on without them.
    fn looped(&mut self, body: &mut Block, varying: bool) {
        let (control, left) = (self.control, self.left);
        self.control |= varying;
        self.left = false;
        self.block(body);
        if self.left && !self.control {
            self.control = true;
            self.block(body);
        }
        self.control = control;
        self.left |= left;
    }

    fn place(&mut self, place: &mut Place, mut varying: bool) {
        let (local, projections) = match place {
            Place::Local(local, _, projections) => (Some(*local), projections),
            Place::Elem(access, projections) => {
                access.index.iter_mut().for_each(|index| {
                    self.expr(index);
                });
                (None, projections)
            }
        };
        for projection in projections {
            if let Proj::Index(index) = projection {
                varying |= self.expr(index);
            }
        }
        if let Some(local) = local {
            self.mark(local, varying);
        }
    }

    fn access(&mut self, access: &mut Rc<Access>) -> bool {
        let role = self.params[access.param].role;
        let mut varying = role != Role::In;
        if let Some(access) = Rc::get_mut(access) {
            for index in &mut access.index {
                varying |= self.expr(index);
            }
        }
        varying
    }

    fn all(&mut self, parts: &mut [Expr]) -> bool {
        parts.iter_mut().fold(false, |varying, part| self.expr(part) | varying)
    }

    fn shared(&mut self, block: &mut Rc<Block>) -> bool {
        Rc::get_mut(block).is_none_or(|block| self.block(block))
    }

    fn expr(&mut self, expr: &mut Expr) -> bool {
        use ExprKind as K;
        let varying = match &mut expr.kind {
            K::Lit(_) | K::Const(_) | K::Param(_) | K::Launch(_) | K::Len(_) | K::Extent(..) => {
                false
            }
            K::GlobalId(_) => true,
            K::Local(local) => self.locals[*local].varying,
            K::Load(access) => self.access(access),
            K::Atomic(access, _, args) => {
                self.access(access);
                self.all(args);
                true
            }
            K::Unary(_, inner) | K::Cast(inner, _) | K::Field(inner, _) | K::Paren(inner) => {
                self.expr(inner)
            }
            K::Binary(left, op, right) => {
                let left = self.expr(left);
                let control = self.control;
                self.control |= left && matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_));
                let right = self.expr(right);
                self.control = control;
                left | right
            }
            K::Index(left, right) | K::Repeat(left, right) => self.expr(left) | self.expr(right),
            K::Math(_, _, args)
            | K::Assoc(_, _, args)
            | K::Complex(_, _, args)
            | K::Call(_, args)
            | K::Array(args) => self.all(args),
            K::If(cond, yes, no) => {
                let cond = self.expr(cond);
                let control = self.control;
                self.control |= cond;
                let yes = self.shared(yes);
                let no = no.as_mut().is_some_and(|no| self.shared(no));
                self.control = control;
                cond | yes | no
            }
            K::Block(block) | K::Unsafe(_, block) => self.shared(block),
            K::Struct(_, fields) => {
                fields.iter_mut().fold(false, |varying, (_, value)| self.expr(value) | varying)
            }
        };
        expr.varying = varying;
        varying
    }
}

fn hoist(body: &mut Body) {
    for stmt in &body.block.stmts {
        let Stmt::Let(local, Some(init)) = stmt else { continue };
        if !body.locals[*local].mutable && is_hoistable(init, &body.locals) {
            body.locals[*local].hoistable = true;
        }
    }
}

/// Whether an expression may be computed before the items of a line.
pub(crate) fn is_hoistable(expr: &Expr, locals: &[Local]) -> bool {
    use ExprKind as K;
    match &expr.kind {
        K::Lit(_) | K::Const(_) | K::Param(_) | K::Launch(_) | K::Len(_) | K::Extent(..) => true,
        K::GlobalId(dim) => *dim > 0,
        K::Local(local) => locals[*local].hoistable,
        K::Paren(inner) => is_hoistable(inner, locals),
        K::Binary(left, op, right) => {
            matches!(op, syn::BinOp::Add(_) | syn::BinOp::Sub(_) | syn::BinOp::Mul(_))
                && is_hoistable(left, locals)
                && is_hoistable(right, locals)
        }
        _ => false,
    }
}

/// The dimension, where the expression is an id by itself.
pub(crate) fn id_of(expr: &Expr, locals: &[Local]) -> Option<u8> {
    match &expr.kind {
        ExprKind::GlobalId(dim) => Some(*dim),
        ExprKind::Local(local) => locals[*local].id_of,
        ExprKind::Paren(inner) => id_of(inner, locals),
        _ => None,
    }
}

/// The terms of a sum, each with whether it is subtracted.
fn terms<'e>(expr: &'e Expr, minus: bool, out: &mut Vec<(&'e Expr, bool)>) {
    match &expr.kind {
        ExprKind::Paren(inner) => terms(inner, minus, out),
        ExprKind::Binary(left, syn::BinOp::Add(_), right) => {
            terms(left, minus, out);
            terms(right, minus, out);
        }
        ExprKind::Binary(left, syn::BinOp::Sub(_), right) => {
            terms(left, minus, out);
            terms(right, !minus, out);
        }
        _ => out.push((expr, minus)),
    }
}

fn affine(index: &Expr, locals: &[Local]) -> Option<Affine> {
    let mut sum = Vec::new();
    terms(index, false, &mut sum);
    let mut ids = Vec::new();
    let mut line = false;
    for (term, minus) in sum {
        match id_of(term, locals) {
            Some(dim) => ids.push((dim, minus)),
            None if is_hoistable(term, locals) => line |= term.varying,
            None => return None,
        }
    }
    let fastest: Vec<bool> =
        ids.iter().filter(|(dim, _)| *dim == 0).map(|(_, minus)| *minus).collect();
    let others: Vec<(u8, bool)> = ids.iter().filter(|(dim, _)| *dim > 0).copied().collect();
    let (dim, line) = match (fastest.as_slice(), others.as_slice()) {
        ([], []) => (None, line),
        ([false], _) => (Some(0), line || !others.is_empty()),
        ([], [(dim, false)]) if !line => (Some(*dim), false),
        ([], _) => (None, true),
        _ => return None,
    };
    Some(Affine { dim, whole: index.clone(), line })
}
