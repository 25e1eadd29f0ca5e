//! Statements, and the device functions that are made of them.

use flash_ir::ir::{AtomicOp, BinOp, Block, Expr, ExprKind, FnIr, LocalId, Place, Proj, Stmt};
use flash_ir::{ScalarTy, Ty};

use super::draw::{BOOL, Draw, INTS, U32, Use, Var, all, binary, keep, literal, scalar};
use super::pool;

impl Draw {
    /// A local that nothing has used yet; `None` where all of a type are used.
    pub(super) fn fresh(&mut self, ty: Ty) -> Option<LocalId> {
        let at = pool::TYPES.iter().position(|of| *of == ty)?;
        let taken = self.taken[at];
        (taken < pool::EACH).then(|| {
            self.taken[at] += 1;
            (self.first + at * pool::EACH + taken) as LocalId
        })
    }

    pub(super) fn declare(&mut self, id: LocalId, ty: Ty, mutable: bool) {
        self.scopes.last_mut().expect("a scope is open").push(Var { id, ty, mutable });
    }

    pub(super) fn stmt(&mut self, stmts: &mut Vec<Stmt>, top: bool) {
        if self.budget == 0 {
            return self.assign(stmts);
        }
        self.budget -= 1;
        match self.random.below(13) {
            0..4 => self.let_stmt(stmts),
            4 | 5 => self.assign(stmts),
            6 | 7 => self.if_stmt(stmts),
            8 => self.for_stmt(stmts),
            9 => self.while_stmt(stmts),
            10 if self.random.chance(40) => {
                let body = self.nested(3);
                let block = self.expr_of(ExprKind::Block(body));
                stmts.push(Stmt::Expr(block));
            }
            11 if !self.reductions.is_empty() && !self.in_function => {
                let at = self.random.below(self.reductions.len());
                self.reduce(stmts, at);
            }
            12 if top && self.random.chance(40) => {
                let cond = self.expr(BOOL, 2);
                let value = match self.ret {
                    Ty::Unit => None,
                    ty => Some(self.expr(ty, 2)),
                };
                let leave = vec![Stmt::Return(value, self.at())];
                let then = Block { stmts: all(leave), tail: None };
                let leaves = self.expr_of(ExprKind::If(keep(cond), then, None));
                stmts.push(Stmt::Expr(leaves));
            }
            _ if self.in_function => self.assign(stmts),
            _ => {
                let at = self.random.below(self.arrays.len());
                self.write(stmts, at);
            }
        }
    }

    /// An expression that is now and then a large one.
    fn deep(&mut self, ty: Ty) -> Expr {
        let depth = self.random.pick(&[1, 2, 2, 3]);
        self.expr(ty, depth)
    }

    fn nested(&mut self, most: usize) -> Block {
        self.scopes.push(Vec::new());
        let mut stmts = Vec::new();
        for at in 0..1 + self.random.below(most) {
            if at == 0 || self.budget > 0 {
                self.stmt(&mut stmts, false);
            }
        }
        self.scopes.pop();
        Block { stmts: all(stmts), tail: None }
    }

    fn let_stmt(&mut self, stmts: &mut Vec<Stmt>) {
        let ty = match self.random.below(12) {
            0 => pool::CELL,
            1 => pool::FLOATS,
            2 => pool::WORDS,
            3 => pool::CLOUD,
            4 => BOOL,
            _ => scalar(self.number()),
        };
        let Some(id) = self.fresh(ty) else { return self.assign(stmts) };
        let mutable = self.random.chance(60);
        if self.random.chance(15) {
            // Assigned on both sides of a decision.
            stmts.push(Stmt::Let(id, None, self.at()));
            let cond = self.expr(BOOL, 2);
            let mut side = || {
                let value = self.expr(ty, 2);
                let assign = Stmt::Assign(Place::Local(id, &[]), value, self.at());
                Block { stmts: all(vec![assign]), tail: None }
            };
            let (then, other) = (side(), side());
            let decides = self.expr_of(ExprKind::If(keep(cond), then, Some(other)));
            stmts.push(Stmt::Expr(decides));
        } else {
            let value = self.deep(ty);
            stmts.push(Stmt::Let(id, Some(value), self.at()));
        }
        self.declare(id, ty, mutable);
    }

    fn assign(&mut self, stmts: &mut Vec<Stmt>) {
        let vars = self.scopes.iter().flatten().filter(|var| var.mutable).copied();
        let vars: Vec<Var> = vars.collect();
        if vars.is_empty() {
            // The pool may be empty too.
            let ty = scalar(self.number());
            let Some(id) = self.fresh(ty) else { return };
            let value = self.expr(ty, 2);
            stmts.push(Stmt::Let(id, Some(value), self.at()));
            return self.declare(id, ty, true);
        }
        let var = self.random.pick(&vars);
        self.change(stmts, var.ty, |projs| Place::Local(var.id, projs));
    }

    /// Steps into a part of a type, and the type of that.
    fn part(&mut self, mut ty: Ty) -> (Vec<Proj>, Ty) {
        let mut projs = Vec::new();
        while self.random.chance(75) {
            match ty {
                Ty::Struct(layout) => {
                    let field = &layout.fields[self.random.below(layout.fields.len())];
                    projs.push(Proj::Field(field.name));
                    ty = field.ty;
                }
                Ty::Array(elem, n) => {
                    projs.push(Proj::Index(self.small_index(n)));
                    ty = *elem;
                }
                _ => break,
            }
        }
        if let Ty::Array(elem, n) = ty
            && ty != pool::FLOATS
            && ty != pool::WORDS
        {
            projs.push(Proj::Index(self.small_index(n)));
            ty = *elem;
        }
        (projs, ty)
    }

    /// Changes a place of a type, or a part of it.
    fn change(&mut self, stmts: &mut Vec<Stmt>, ty: Ty, place: impl Fn(&'static [Proj]) -> Place) {
        let (projs, ty) = self.part(ty);
        let place = place(all(projs));
        let op = match ty {
            Ty::Scalar(ScalarTy::Bool) => {
                Some(self.random.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]))
            }
            Ty::Scalar(of) if of.is_float() => {
                Some(self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div]))
            }
            Ty::Scalar(_) => Some(self.random.pick(&[
                BinOp::Add,
                BinOp::Sub,
                BinOp::Mul,
                BinOp::Xor,
                BinOp::And,
                BinOp::Or,
                BinOp::Shl,
                BinOp::Shr,
                BinOp::Div,
                BinOp::Rem,
            ])),
            _ => None,
        };
        match (op.filter(|_| self.random.chance(60)), ty) {
            (Some(op), Ty::Scalar(of)) => {
                let value = match op {
                    BinOp::Shl | BinOp::Shr => {
                        let amount = scalar(self.random.pick(&INTS));
                        self.expr(amount, 2)
                    }
                    BinOp::Div | BinOp::Rem if !of.is_float() => self.divisor(of, 2),
                    _ => self.deep(ty),
                };
                stmts.push(Stmt::Update(place, op, value, self.mode, self.at()));
            }
            _ => {
                let value = self.deep(ty);
                stmts.push(Stmt::Assign(place, value, self.at()));
            }
        }
    }

    fn if_stmt(&mut self, stmts: &mut Vec<Stmt>) {
        let cond = self.deep(BOOL);
        let then = self.nested(3);
        let other = self.random.chance(50).then(|| self.nested(2));
        let decides = self.expr_of(ExprKind::If(keep(cond), then, other));
        stmts.push(Stmt::Expr(decides));
    }

    /// The body of a loop, which may leave.
    fn trip(&mut self, mut before: Vec<Stmt>) -> Block {
        if self.random.chance(40) {
            let cond = self.expr(BOOL, 2);
            let word = match self.random.chance(50) {
                true => Stmt::Break(self.at()),
                false => Stmt::Continue(self.at()),
            };
            let then = Block { stmts: all(vec![word]), tail: None };
            let leaves = self.expr_of(ExprKind::If(keep(cond), then, None));
            before.push(Stmt::Expr(leaves));
        }
        let body = self.nested(3);
        let body = self.expr_of(ExprKind::Block(body));
        before.push(Stmt::Expr(body));
        Block { stmts: all(before), tail: None }
    }

    fn for_stmt(&mut self, stmts: &mut Vec<Stmt>) {
        let may_wrap = self.wraps && !self.in_function && self.loops == 0;
        if may_wrap && self.random.chance(80) && self.far_loop(stmts).is_some() {
            return;
        }
        let of = self.random.pick(&INTS);
        let (ty, is_deep) = (scalar(of), self.loops >= 2);
        let Some(local) = self.fresh(ty).filter(|_| !is_deep) else { return self.assign(stmts) };
        self.loops += 1;
        let (lo, hi) = if self.random.chance(30) {
            // Bounds of the item.
            let (seven, value) = (self.expr_of(literal(7, of)), self.expr(ty, 2));
            (self.constant_of(of, 3), binary(self, BinOp::And, value, seven))
        } else {
            (self.constant_of(of, 3), self.constant_of(of, 7))
        };
        let step = self.random.chance(35).then(|| {
            let least = usize::from(!(self.may_fail && self.random.chance(20)));
            let step = least + self.random.below(3);
            self.expr_of(literal(step as u64, ScalarTy::Usize))
        });
        self.scopes.push(Vec::new());
        self.declare(local, ty, false);
        let body = self.trip(Vec::new());
        self.scopes.pop();
        let (inclusive, rev) = (self.random.chance(30), self.random.chance(30));
        let span = self.at();
        stmts.push(Stmt::For { local, lo, hi, inclusive, rev, step, body, span });
        self.loops -= 1;
    }

    fn constant_of(&mut self, of: ScalarTy, most: usize) -> Expr {
        let value = self.random.below(most) as u64;
        self.expr_of(literal(value, of))
    }

    fn while_stmt(&mut self, stmts: &mut Vec<Stmt>) {
        let is_deep = self.loops >= 2;
        let Some(left) = self.fresh(U32).filter(|_| !is_deep) else { return self.assign(stmts) };
        self.loops += 1;
        let trips = self.random.below(5) as u64;
        let trips = self.expr_of(literal(trips, ScalarTy::U32));
        stmts.push(Stmt::Let(left, Some(trips), self.at()));
        let (counter, zero) =
            (self.expr_of(ExprKind::Local(left)), self.expr_of(literal(0, ScalarTy::U32)));
        let goes_on = binary(self, BinOp::Gt, counter, zero);
        let one = self.expr_of(literal(1, ScalarTy::U32));
        let less = Stmt::Update(Place::Local(left, &[]), BinOp::Sub, one, self.mode, self.at());
        let cond = match self.random.chance(40) {
            true => {
                let more = self.expr(BOOL, 2);
                binary(self, BinOp::LazyAnd, goes_on, more)
            }
            false => goes_on,
        };
        let body = self.trip(vec![less]);
        stmts.push(Stmt::While { cond, body, span: self.at() });
        self.loops -= 1;
    }

    /// A write to an array, or an operation on its cells; nothing for one that is read.
    pub(super) fn write(&mut self, stmts: &mut Vec<Stmt>, at: usize) {
        let array = self.arrays[at].clone();
        match array.used {
            Use::Read => {}
            Use::Own => {
                let index = self.own_index(at);
                let access = self.access(array.param, index, true);
                let access = std::cell::RefCell::new(Some(access));
                self.change(stmts, array.ty, |projs| {
                    Place::Elem(access.borrow_mut().take().expect("one place"), projs)
                });
            }
            Use::Shared(op) => {
                let (index, known) = self.any_index(at);
                let access = self.access(array.param, index, known);
                let value = self.commuting(array.ty);
                let change = self.expr_of(ExprKind::Atomic(access, op, all(vec![value])));
                stmts.push(Stmt::Expr(change));
            }
            Use::OwnCells => self.cell(stmts, at),
        }
    }

    /// A value that may be added to a cell in any order: floats are small whole numbers.
    fn commuting(&mut self, ty: Ty) -> Expr {
        match ty {
            Ty::Scalar(of) if of.is_float() => {
                let (value, mask) = (self.expr(U32, 2), self.expr_of(literal(15, ScalarTy::U32)));
                let small = binary(self, BinOp::And, value, mask);
                self.expr_of(ExprKind::Cast(keep(small), ty))
            }
            _ => self.deep(ty),
        }
    }

    /// Any operation on the item's own cell, whose old value goes on.
    fn cell(&mut self, stmts: &mut Vec<Stmt>, at: usize) {
        let array = self.arrays[at].clone();
        let Ty::Scalar(of) = array.ty else { return };
        let ops = [
            AtomicOp::FetchAdd,
            AtomicOp::FetchSub,
            AtomicOp::FetchMin,
            AtomicOp::FetchMax,
            AtomicOp::Swap,
            AtomicOp::Store,
            AtomicOp::CompareExchange,
            AtomicOp::FetchAnd,
            AtomicOp::FetchOr,
            AtomicOp::FetchXor,
        ];
        let op = self.random.pick(&ops[..if of.is_float() { 7 } else { 10 }]);
        let index = self.own_index(at);
        let access = self.access(array.param, index, true);
        let mut args = vec![self.expr(array.ty, 2)];
        if op == AtomicOp::CompareExchange {
            // Bits are compared, and those of a NaN are anybody's.
            args.insert(0, self.commuting(array.ty));
        }
        let change = self.expr_of(ExprKind::Atomic(access, op, all(args)));
        let is_value = !matches!(op, AtomicOp::Store | AtomicOp::CompareExchange);
        match self.fresh(array.ty).filter(|_| is_value) {
            Some(id) => {
                stmts.push(Stmt::Let(id, Some(change), self.at()));
                self.declare(id, array.ty, true);
            }
            None => stmts.push(Stmt::Expr(change)),
        }
    }

    pub(super) fn reduce(&mut self, stmts: &mut Vec<Stmt>, at: usize) {
        let (param, of) = self.reductions[at];
        let value = self.deep(scalar(of));
        stmts.push(Stmt::Reduce(param, value, self.at()));
    }

    /// A device function, which later ones and the body may call.
    pub(super) fn function(&mut self, number: usize) {
        let signature = self.random.below(pool::SIGNATURES.len());
        let types = pool::SIGNATURES[signature];
        let ret = match self.random.below(6) {
            0 => pool::CELL,
            1 => BOOL,
            _ => scalar(self.number()),
        };
        let outer = std::mem::replace(&mut self.scopes, vec![Vec::new()]);
        (self.in_function, self.ret, self.first) = (true, ret, types.len());
        for (at, ty) in types.iter().enumerate() {
            // The arguments of a function are its own.
            self.declare(at as LocalId, *ty, false);
        }
        self.budget = 1 + self.random.below(4);
        let mut stmts = Vec::new();
        while self.budget > 0 {
            self.stmt(&mut stmts, true);
        }
        let tail = self.deep(ret);
        let body = Block { stmts: all(stmts), tail: Some(keep(tail)) };
        let params = pool::ARGUMENTS.into_iter().zip(types.iter().copied()).collect();
        self.functions.push(keep(FnIr {
            name: String::leak(format!("drawn{number}")),
            path: "drawn",
            file: "drawn.rs",
            params: all(params),
            ret,
            locals: pool::FUNCTION_LOCALS[signature],
            body,
            float: self.mode,
        }));
        self.scopes = outer;
        self.taken = [0; pool::TYPES.len()];
        (self.in_function, self.ret, self.first) = (false, Ty::Unit, 0);
    }
}
