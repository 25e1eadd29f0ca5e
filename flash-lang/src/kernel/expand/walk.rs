//! What a block mentions: loops, accesses, locals, those of blocks inside it too. It judges nothing.

use crate::kernel::model::{Access, Block, Expr, ExprKind, For, Place, Proj, Stmt};

/// The loops, reads and locals of a block, those of blocks inside it too.
#[derive(Default)]
pub(super) struct Walk<'k> {
    pub(super) on_for: Vec<&'k For>,
    pub(super) on_read: Vec<&'k Access>,
    pub(super) on_write: Vec<&'k Access>,
    /// Parameters of atomic cells of which more is asked than to add to them.
    pub(super) on_cell: Vec<usize>,
    pub(super) n_loops: usize,
    /// Locals that are declared, mentioned, changed.
    pub(super) lets: Vec<usize>,
    pub(super) locals: Vec<usize>,
    pub(super) changed: Vec<usize>,
    /// Elements that are changed by `op=`.
    pub(super) n_updates: usize,
    /// Reductions and atomic cells.
    pub(super) n_shared: usize,
    /// Ways out, `unsafe`, locals without a value.
    pub(super) n_jumps: usize,
    /// Functions that are called.
    pub(super) n_calls: usize,
    /// Structures and small arrays.
    pub(super) n_wholes: usize,
}

impl<'k> Walk<'k> {
    pub(super) fn block(&mut self, block: &'k Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
    }

    pub(super) fn stmt(&mut self, stmt: &'k Stmt) {
        match stmt {
            Stmt::Let(local, init) => {
                self.lets.push(*local);
                match init {
                    Some(init) => self.expr(init),
                    None => self.n_jumps += 1,
                }
            }
            Stmt::Assign(place, value, _) | Stmt::Update(place, _, value, _) => {
                self.expr(value);
                let projs = match place {
                    Place::Local(local, _, projs) => {
                        self.locals.push(*local);
                        self.changed.push(*local);
                        projs
                    }
                    Place::Elem(access, projs) => {
                        self.on_write.push(access);
                        self.n_updates += usize::from(matches!(stmt, Stmt::Update(..)));
                        self.all(&access.index);
                        projs
                    }
                };
                self.n_wholes += projs.len();
                for proj in projs {
                    if let Proj::Index(index) = proj {
                        self.expr(index);
                    }
                }
            }
            Stmt::Reduce(_, value, _) => {
                self.n_shared += 1;
                self.expr(value);
            }
            Stmt::Expr(value) => match &value.kind {
                ExprKind::Atomic(access, method, args)
                    if method == "fetch_add" || method == "fetch_sub" =>
                {
                    self.n_shared += 1;
                    self.all(&access.index);
                    self.all(args);
                }
                _ => self.expr(value),
            },
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
                self.n_jumps += 1;
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            Stmt::Unsafe(_, block) => {
                self.n_jumps += 1;
                self.block(block);
            }
            Stmt::Break(_) | Stmt::Continue(_) => self.n_jumps += 1,
        }
    }

    fn all(&mut self, exprs: &'k [Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    pub(super) fn expr(&mut self, expr: &'k Expr) {
        match &expr.kind {
            ExprKind::Load(access) => {
                self.on_read.push(access);
                self.all(&access.index);
            }
            ExprKind::Atomic(access, _, args) => {
                self.n_shared += 1;
                self.on_cell.push(access.param);
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
            ExprKind::Block(block) => self.block(block),
            ExprKind::Unsafe(_, block) => {
                self.n_jumps += 1;
                self.block(block);
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(a, _) | ExprKind::Paren(a) => self.expr(a),
            ExprKind::Field(a, _) => {
                // Of a value that all items are given it is one number.
                self.n_wholes += usize::from(!is_given(a));
                self.expr(a);
            }
            ExprKind::Binary(a, _, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => {
                self.n_wholes += 1;
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Complex(_, _, args) => self.all(args),
            ExprKind::Math(_, _, args) | ExprKind::Assoc(_, _, args) | ExprKind::Call(_, args) => {
                self.n_calls += 1;
                self.all(args);
            }
            ExprKind::Array(args) => {
                self.n_wholes += 1;
                self.all(args);
            }
            ExprKind::Struct(_, fields) => {
                self.n_wholes += 1;
                for (_, value) in fields {
                    self.expr(value);
                }
            }
            ExprKind::Local(local) => self.locals.push(*local),
            ExprKind::Lit(_)
            | ExprKind::Const(_)
            | ExprKind::Param(_)
            | ExprKind::GlobalId(_)
            | ExprKind::Launch(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => {}
        }
    }
}

/// Whether an expression mentions a parameter by value.
pub(super) fn mentions(expr: &Expr, param: usize) -> bool {
    match &expr.kind {
        ExprKind::Param(index) => *index == param,
        ExprKind::Unary(_, a)
        | ExprKind::Cast(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Paren(a) => mentions(a, param),
        ExprKind::Binary(a, _, b) | ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => {
            mentions(a, param) || mentions(b, param)
        }
        ExprKind::Math(_, _, args)
        | ExprKind::Assoc(_, _, args)
        | ExprKind::Complex(_, _, args)
        | ExprKind::Call(_, args)
        | ExprKind::Array(args) => args.iter().any(|arg| mentions(arg, param)),
        ExprKind::Struct(_, fields) => fields.iter().any(|(_, value)| mentions(value, param)),
        _ => false,
    }
}

/// Whether this is a parameter, or a field of one.
fn is_given(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Param(_) => true,
        ExprKind::Field(a, _) | ExprKind::Paren(a) => is_given(a),
        _ => false,
    }
}
