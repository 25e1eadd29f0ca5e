//! Indices and ends of loops that are made of ids, extents, values and literals, and may wrap on the way:
//! whether an access there is compared is up to what the analysis says of them.

use flash_ir::ScalarTy;
use flash_ir::ir::{BinOp, Block, Expr, ExprKind, MathFn, ParamKind, Place, Stmt, UnOp};

use super::draw::{Draw, INTS, U32, USIZE, Use, all, binary, keep, literal, scalar};

/// Trips of a loop, which may have any end.
const TRIPS: u64 = 12;

impl Draw {
    /// A type, mostly that of indices.
    fn of_index(&mut self) -> ScalarTy {
        if self.random.chance(40) { ScalarTy::Usize } else { self.random.pick(&INTS) }
    }

    /// A number of a type.
    pub(super) fn wrapping(&mut self, of: ScalarTy, depth: usize) -> Expr {
        let Some(d) = depth.checked_sub(1) else { return self.uniform_or_id(of) };
        match self.random.below(12) {
            0..5 => {
                let op = self.random.pick(&[BinOp::Sub, BinOp::Sub, BinOp::Add, BinOp::Mul]);
                let (a, b) = (self.wrapping(of, d), self.uniform_or_id(of));
                binary(self, op, a, b)
            }
            5 | 6 => {
                let (op, by) =
                    (self.random.pick(&[BinOp::Shl, BinOp::Shr, BinOp::Shr]), self.of_index());
                let (a, b) = (self.wrapping(of, d), self.uniform_or_id(by));
                binary(self, op, a, b)
            }
            7 => {
                let op = self.random.pick(&[BinOp::Rem, BinOp::Div, BinOp::And]);
                let (a, most) = (self.wrapping(of, d), 1 + self.random.below(9) as u64);
                let b = self.expr_of(literal(most, of));
                binary(self, op, a, b)
            }
            8 => {
                let function = self.random.pick(&[MathFn::Min, MathFn::Max]);
                let args = vec![self.wrapping(of, d), self.uniform_or_id(of)];
                self.math(function, args)
            }
            9 | 10 => {
                let from = self.of_index();
                let inner = self.wrapping(from, d);
                self.expr_of(ExprKind::Cast(keep(inner), scalar(of)))
            }
            _ if of.is_signed() => {
                let inner = self.wrapping(of, d);
                self.unary(UnOp::Neg, inner)
            }
            _ => self.uniform_or_id(of),
        }
    }

    /// An id, a loop variable, an extent, a value or a literal.
    fn uniform_or_id(&mut self, of: ScalarTy) -> Expr {
        let vars = self.scopes.iter().flatten().filter(|var| var.ty == scalar(of) && !var.mutable);
        let vars: Vec<_> = vars.map(|var| var.id).collect();
        let values = self.params.iter().enumerate().filter(|(_, param)| {
            param.kind == ParamKind::Value && INTS.iter().any(|&int| param.ty == scalar(int))
        });
        let values: Vec<_> = values.map(|(at, param)| (at as u16, param.ty)).collect();
        let kind = match self.random.below(10) {
            0..3 if !vars.is_empty() => ExprKind::Local(self.random.pick(&vars)),
            3 if !values.is_empty() => {
                let (at, ty) = self.random.pick(&values);
                let value = ExprKind::Param(at);
                if ty == scalar(of) {
                    return self.expr_of(value);
                }
                let value = self.expr_of(value);
                ExprKind::Cast(keep(value), scalar(of))
            }
            0..5 => {
                let dim = self.random.below(self.rank) as u8;
                let id = match self.random.chance(70) {
                    true => ExprKind::GlobalId(dim),
                    false => ExprKind::GlobalSize(dim),
                };
                if of == ScalarTy::Usize {
                    return self.expr_of(id);
                }
                let id = self.expr_of(id);
                ExprKind::Cast(keep(id), scalar(of))
            }
            5 => literal(self.random.pick(&[7, 8, 15, 16, 31, 32, 33, 63, 64, 65]), of),
            // Of the type that its context has.
            6 | 7 => ExprKind::Int(self.random.below(5) as u128, None),
            _ => literal(self.random.below(5) as u64, of),
        };
        self.expr_of(kind)
    }

    /// A loop between numbers that may have wrapped, which reads elements at what it counts. It leaves
    /// after a few trips.
    pub(super) fn far_loop(&mut self, stmts: &mut Vec<Stmt>) -> Option<()> {
        let of = self.of_index();
        let read = self.arrays.iter().find(|array| array.used == Use::Read)?.clone();
        let (left, local, element) =
            (self.fresh(U32)?, self.fresh(scalar(of))?, self.fresh(read.ty)?);
        let trips = self.expr_of(literal(TRIPS, ScalarTy::U32));
        stmts.push(Stmt::Let(left, Some(trips), self.at()));
        let few = self.random.below(3) as u128;
        let lo = match self.random.chance(60) {
            true => self.expr_of(ExprKind::Int(few, None)),
            false => self.wrapping(of, 1),
        };
        let hi = self.wrapping(of, 2);
        let (counter, zero) =
            (self.expr_of(ExprKind::Local(left)), self.expr_of(literal(0, ScalarTy::U32)));
        let is_over = binary(self, BinOp::Eq, counter, zero);
        let leave = Block { stmts: all(vec![Stmt::Break(self.at())]), tail: None };
        let leaves = self.expr_of(ExprKind::If(keep(is_over), leave, None));
        let one = self.expr_of(literal(1, ScalarTy::U32));
        let less = Stmt::Update(Place::Local(left, &[]), BinOp::Sub, one, self.mode, self.at());
        self.loops += 1;
        self.scopes.push(Vec::new());
        self.declare(local, scalar(of), false);
        let at = self.arrays.iter().position(|array| array.param == read.param)?;
        let mut index = self.own_index(at);
        let counted = self.expr_of(ExprKind::Local(local));
        let counted = match scalar(of) {
            USIZE => counted,
            _ => self.expr_of(ExprKind::Cast(keep(counted), USIZE)),
        };
        let component = self.random.below(index.len());
        index[component] = counted;
        let access = self.access(read.param, index, false);
        let load = self.expr_of(ExprKind::Load(access));
        let mut body = vec![Stmt::Expr(leaves), less, Stmt::Let(element, Some(load), self.at())];
        self.declare(element, read.ty, false);
        self.stmt(&mut body, false);
        self.scopes.pop();
        self.loops -= 1;
        let (inclusive, rev) = (self.random.chance(30), self.random.chance(20));
        let (body, span) = (Block { stmts: all(body), tail: None }, self.at());
        stmts.push(Stmt::For { local, lo, hi, inclusive, rev, step: None, body, span });
        Some(())
    }
}
