//! What is known of a launch, and the interval of values that an integer expression takes over a box
//! of items.
//!
//! An interval holds the value, where its type holds all of the interval; else nothing is known, as
//! what does not fit wraps. `u64` and `usize` alone may go below zero in it: a number there stands for
//! the one that is 2^64 more, beyond every array, and sums with it come back. What is not the same for
//! both (orders, quotients, remainders, shifts, masks, other types) asks for the value itself
//! ([`Bounds::exact`]).

use std::cell::Cell;

use crate::ir::{
    BinOp, Block, ConstValue, Expr, ExprKind, KernelIr, LocalId, MathFn, Place, Stmt, UnOp,
};
use crate::resolve::{Types, cast_hint};
use crate::ty::{ScalarTy, Ty};

use super::walk::{Node, walk};

/// The uniform facts of a launch, as far as they are known.
pub trait Facts {
    /// The integer bound to a value parameter.
    fn value(&self, param: usize) -> Option<i128>;
    /// An extent of an array parameter.
    fn extent(&self, param: usize, dim: usize) -> Option<usize>;
    /// An extent of the index space.
    fn size(&self, dim: usize) -> Option<usize>;
    /// The number of the phase.
    fn phase(&self) -> Option<usize> {
        None
    }
    /// The number of the part.
    fn partition(&self) -> Option<usize> {
        None
    }
}

/// Nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct NoFacts;

impl Facts for NoFacts {
    fn value(&self, _: usize) -> Option<i128> {
        None
    }
    fn extent(&self, _: usize, _: usize) -> Option<usize> {
        None
    }
    fn size(&self, _: usize) -> Option<usize> {
        None
    }
}

/// Where the value of a local comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition {
    /// One expression, never assigned again.
    Is(&'static Expr),
    /// A loop variable: bounds, and whether the end is taken.
    Counts(&'static Expr, &'static Expr, bool),
    /// Several.
    Many,
}

/// The definitions of the locals of a kernel.
#[derive(Debug)]
pub(super) struct Definitions(Vec<Option<Definition>>);

impl Definitions {
    pub(super) fn of(body: &'static Block, n_locals: usize) -> Self {
        let mut all = vec![None; n_locals];
        let mut define = |id: LocalId, definition| {
            if let Some(slot) = all.get_mut(usize::from(id)) {
                *slot = Some(if slot.is_none() { definition } else { Definition::Many });
            }
        };
        walk(body, &mut |node| match node {
            Node::Stmt(Stmt::Let(id, Some(init), _)) => define(*id, Definition::Is(init)),
            Node::Stmt(Stmt::For { local, lo, hi, inclusive, .. }) => {
                define(*local, Definition::Counts(lo, hi, *inclusive));
            }
            Node::Stmt(
                Stmt::Assign(Place::Local(id, _), ..) | Stmt::Update(Place::Local(id, _), ..),
            ) => {
                define(*id, Definition::Many);
                define(*id, Definition::Many);
            }
            _ => {}
        });
        Self(all)
    }

    pub(super) fn get(&self, id: LocalId) -> Definition {
        self.0.get(usize::from(id)).copied().flatten().unwrap_or(Definition::Many)
    }
}

/// What differs between items, or trips of a loop.
#[derive(PartialEq)]
enum Variable {
    Id(u8),
    Loop(LocalId),
}

/// First and last value.
pub(super) type Interval = (i128, i128);

/// Evaluates intervals for the items of a box.
pub(super) struct Bounds<'f> {
    kernel: &'static KernelIr,
    types: Vec<Ty>,
    definitions: &'f Definitions,
    pub(super) facts: &'f dyn Facts,
    /// First index and end of the items; `None` for all of the space.
    pub(super) items: Option<(&'f [usize], &'f [usize])>,
    /// How many more expressions are looked at for the one that is asked for.
    left: Steps,
}

/// How deep definitions are followed.
pub(super) const DEPTH: usize = 64;

/// What is looked at for one expression: definitions that each stand twice in the next one are as many
/// as two to the power of their number.
pub(super) struct Steps(Cell<u32>);

impl Default for Steps {
    fn default() -> Self {
        Self(Cell::new(Self::MOST))
    }
}

impl Steps {
    const MOST: u32 = 10_000;

    /// Begins with another expression.
    fn begin(&self) {
        self.0.set(Self::MOST);
    }

    /// One more, within one that may be so deep: how deep those within it may be. `None` where that is
    /// too many or too deep, so that nothing is known.
    pub(super) fn deeper(&self, depth: usize) -> Option<usize> {
        self.0.set(self.0.get().checked_sub(1)?);
        depth.checked_sub(1)
    }
}

impl<'f> Bounds<'f> {
    pub(super) fn new(
        kernel: &'static KernelIr,
        definitions: &'f Definitions,
        facts: &'f dyn Facts,
        items: Option<(&'f [usize], &'f [usize])>,
    ) -> Self {
        let types = (kernel.locals.types)();
        Self { kernel, types, definitions, facts, items, left: Steps::default() }
    }
}

impl Bounds<'_> {
    /// The values of an index, or of a part of one.
    pub(super) fn interval(&self, expr: &Expr) -> Option<Interval> {
        self.left.begin();
        self.at(expr, ScalarTy::Usize, DEPTH)
    }

    /// The values of an expression. Literals without a type have that of the context, which is an integer.
    fn at(&self, expr: &Expr, context: ScalarTy, depth: usize) -> Option<Interval> {
        let depth = self.left.deeper(depth)?;
        let ty = self.integer(expr, context)?;
        fits(self.found(expr, ty, depth)?, ty)
    }

    /// The values of an expression none of which stands for another number.
    fn exact(&self, expr: &Expr, context: ScalarTy, depth: usize) -> Option<Interval> {
        let is_signed = self.integer(expr, context)?.is_signed();
        self.at(expr, context, depth).filter(|interval| is_signed || interval.0 >= 0)
    }

    /// The type of an expression, if it is an integer.
    fn integer(&self, expr: &Expr, context: ScalarTy) -> Option<ScalarTy> {
        match self.types().known(expr) {
            None => Some(context),
            Some(Ty::Scalar(ty)) if !ty.is_float() && ty != ScalarTy::Bool => Some(ty),
            Some(_) => None,
        }
    }

    fn types(&self) -> Types<'_> {
        Types { params: self.kernel.params, locals: &self.types }
    }

    /// The values of an expression of an integer type as they are before they wrap.
    fn found(&self, expr: &Expr, ty: ScalarTy, depth: usize) -> Option<Interval> {
        let point = |value: i128| Some((value, value));
        match &expr.kind {
            ExprKind::Int(value, _) => point(i128::try_from(*value).ok()?),
            ExprKind::Const(ConstValue::Int(value, _)) => point(*value),
            ExprKind::Local(id) => match self.definitions.get(*id) {
                Definition::Is(init) => self.at(init, ty, depth),
                Definition::Counts(lo, hi, inclusive) => {
                    let (lo, hi) = (self.at(lo, ty, depth)?, self.exact(hi, ty, depth)?);
                    let last = hi.1 - i128::from(!inclusive);
                    let first = match lo.0 < 0 && !ty.is_signed() {
                        false => lo.0,
                        // Such a start is beyond the end.
                        true if hi.1 <= i128::from(i64::MAX) => 0,
                        true => return None,
                    };
                    // A range without a trip has no value; its first one bounds it all the same.
                    Some((first, last.max(first)))
                }
                Definition::Many => None,
            },
            ExprKind::Param(id) => point(self.facts.value(usize::from(*id))?),
            ExprKind::GlobalId(dim) => {
                let dim = usize::from(*dim);
                match self.items {
                    Some((lo, hi)) => Some((lo[dim] as i128, hi[dim] as i128 - 1)),
                    None => Some((0, self.facts.size(dim)? as i128 - 1)),
                }
            }
            ExprKind::GlobalSize(dim) => point(self.facts.size(usize::from(*dim))? as i128),
            ExprKind::Phase => point(self.facts.phase()? as i128),
            ExprKind::Partition => point(self.facts.partition()? as i128),
            ExprKind::Len(param) => {
                let param = usize::from(*param);
                let rank = usize::from(self.kernel.params.get(param)?.rank);
                let mut len = 1_i128;
                for dim in 0..rank {
                    len = len.checked_mul(self.facts.extent(param, dim)? as i128)?;
                }
                point(len)
            }
            ExprKind::Extent(param, dim) => {
                point(self.facts.extent(usize::from(*param), usize::from(*dim))? as i128)
            }
            ExprKind::Unary(UnOp::Neg, a, _) => match a.kind {
                // The least number of a type has no positive counterpart.
                ExprKind::Int(value, _) => point(-i128::try_from(value).ok()?),
                _ => self.at(a, ty, depth).map(|(lo, hi)| (-hi, -lo)),
            },
            ExprKind::Binary(op, a, b, _) => self.binary(*op, (a, b), ty, depth),
            ExprKind::Cast(a, to) => {
                let context = match cast_hint(a, *to) {
                    Some(Ty::Scalar(hint)) => hint,
                    _ => ScalarTy::I32,
                };
                // What stands for a number keeps its low bits, so it is as good for what it fits.
                self.at(a, context, depth)
            }
            ExprKind::Math(MathFn::Min, [a, b], _) => {
                let (a, b) = (self.exact(a, ty, depth)?, self.exact(b, ty, depth)?);
                Some((a.0.min(b.0), a.1.min(b.1)))
            }
            ExprKind::Math(MathFn::Max, [a, b], _) => {
                let (a, b) = (self.exact(a, ty, depth)?, self.exact(b, ty, depth)?);
                Some((a.0.max(b.0), a.1.max(b.1)))
            }
            ExprKind::Math(MathFn::Clamp, [_, lo, hi], _) => {
                // The end is taken where it is below the start.
                let (lo, hi) = (self.exact(lo, ty, depth)?, self.exact(hi, ty, depth)?);
                Some((lo.0.min(hi.0), hi.1))
            }
            ExprKind::If(_, then, Some(other))
                if then.stmts.is_empty() && other.stmts.is_empty() =>
            {
                let (a, b) = (self.at(then.tail?, ty, depth)?, self.at(other.tail?, ty, depth)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprKind::Block(block) if block.stmts.is_empty() => self.at(block.tail?, ty, depth),
            _ => None,
        }
    }

    /// Whether a loop between these bounds is known to have a trip, and which is the last one.
    pub(super) fn has_trips(&self, of: LocalId, lo: &Expr, hi: &Expr, inclusive: bool) -> bool {
        self.left.begin();
        self.makes_trips(of, (lo, hi), inclusive)
    }

    fn makes_trips(&self, of: LocalId, (lo, hi): (&Expr, &Expr), inclusive: bool) -> bool {
        let Ty::Scalar(ty) = self.types().local(of) else { return false };
        match (self.exact(lo, ty, DEPTH), self.exact(hi, ty, DEPTH)) {
            (Some(lo), Some(hi)) => {
                lo.0 == lo.1 && hi.0 == hi.1 && lo.0 < hi.0 + i128::from(inclusive)
            }
            _ => false,
        }
    }

    /// Whether an index takes either end of its interval: each id and loop variable stands in it at
    /// most once, and it goes up or down with each of them.
    pub(super) fn is_attained(&self, expr: &Expr) -> bool {
        self.interval(expr).is_some() && self.attained(expr, &mut Vec::new(), DEPTH)
    }

    fn attained(&self, expr: &Expr, used: &mut Vec<Variable>, depth: usize) -> bool {
        let Some(depth) = self.left.deeper(depth) else { return false };
        let mut is_new = |variable| {
            let is_new = !used.contains(&variable);
            used.push(variable);
            is_new
        };
        match &expr.kind {
            ExprKind::Int(..)
            | ExprKind::Const(_)
            | ExprKind::Param(_)
            | ExprKind::GlobalSize(_)
            | ExprKind::Phase
            | ExprKind::Partition
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => true,
            ExprKind::GlobalId(dim) => is_new(Variable::Id(*dim)),
            ExprKind::Local(id) => match self.definitions.get(*id) {
                Definition::Is(init) => self.attained(init, used, depth),
                Definition::Counts(lo, hi, inclusive) => {
                    is_new(Variable::Loop(*id)) && self.makes_trips(*id, (lo, hi), inclusive)
                }
                Definition::Many => false,
            },
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b, _) => {
                self.attained(a, used, depth) && self.attained(b, used, depth)
            }
            ExprKind::Math(MathFn::Min | MathFn::Max, both, _) => {
                both.iter().all(|expr| self.attained(expr, used, depth))
            }
            ExprKind::Binary(BinOp::Mul, a, b, _) => {
                let is_point =
                    |e: &Expr| self.at(e, ScalarTy::Usize, DEPTH).is_some_and(|(lo, hi)| lo == hi);
                (is_point(a) || is_point(b))
                    && self.attained(a, used, depth)
                    && self.attained(b, used, depth)
            }
            ExprKind::Unary(UnOp::Neg, a, _) | ExprKind::Cast(a, _) => {
                self.attained(a, used, depth)
            }
            ExprKind::Block(block) if block.stmts.is_empty() => {
                block.tail.is_some_and(|tail| self.attained(tail, used, depth))
            }
            _ => false,
        }
    }

    /// Whether a condition holds for all items, or for none.
    pub(super) fn holds(&self, cond: &Expr) -> Option<bool> {
        self.left.begin();
        self.holds_at(cond, DEPTH)
    }

    fn holds_at(&self, cond: &Expr, depth: usize) -> Option<bool> {
        let depth = self.left.deeper(depth)?;
        match &cond.kind {
            ExprKind::Bool(value) | ExprKind::Const(ConstValue::Bool(value)) => Some(*value),
            ExprKind::Local(id) => match self.definitions.get(*id) {
                Definition::Is(init) => self.holds_at(init, depth),
                Definition::Counts(..) | Definition::Many => None,
            },
            ExprKind::Unary(UnOp::Not, a, _) => self.holds_at(a, depth).map(|holds| !holds),
            ExprKind::Binary(op @ (BinOp::LazyAnd | BinOp::LazyOr), a, b, _) => {
                let decides = *op == BinOp::LazyOr;
                match (self.holds_at(a, depth), self.holds_at(b, depth)) {
                    (Some(a), _) | (_, Some(a)) if a == decides => Some(decides),
                    (Some(_), Some(_)) => Some(!decides),
                    _ => None,
                }
            }
            ExprKind::Binary(op, a, b, _) => {
                let context = match self.types().known(a).or_else(|| self.types().known(b)) {
                    None => ScalarTy::I32,
                    Some(Ty::Scalar(ty)) => ty,
                    Some(_) => return None,
                };
                let (a, b) = (self.exact(a, context, depth)?, self.exact(b, context, depth)?);
                let less = |a: Interval, b: Interval| match () {
                    () if a.1 < b.0 => Some(true),
                    () if a.0 >= b.1 => Some(false),
                    () => None,
                };
                let equal = || match () {
                    () if a.1 < b.0 || b.1 < a.0 => Some(false),
                    () if a.0 == a.1 && a == b => Some(true),
                    () => None,
                };
                match op {
                    BinOp::Lt => less(a, b),
                    BinOp::Gt => less(b, a),
                    BinOp::Ge => less(a, b).map(|less| !less),
                    BinOp::Le => less(b, a).map(|less| !less),
                    BinOp::Eq => equal(),
                    BinOp::Ne => equal().map(|equal| !equal),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn binary(
        &self,
        op: BinOp,
        (a, b): (&Expr, &Expr),
        ty: ScalarTy,
        depth: usize,
    ) -> Option<Interval> {
        match op {
            BinOp::Rem => self.rest((a, b), ty, depth),
            BinOp::Add => {
                let (a, b) = (self.at(a, ty, depth)?, self.at(b, ty, depth)?);
                Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
            }
            BinOp::Sub => {
                let (a, b) = (self.at(a, ty, depth)?, self.at(b, ty, depth)?);
                Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?))
            }
            BinOp::Mul => {
                let (a, b) = (self.at(a, ty, depth)?, self.at(b, ty, depth)?);
                let all = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                let all = all.map(|(x, y)| x.checked_mul(y));
                let [first, second, third, fourth] = all;
                let all = [first?, second?, third?, fourth?];
                Some((all.into_iter().min()?, all.into_iter().max()?))
            }
            BinOp::Div => {
                let (a, b) = (self.exact(a, ty, depth)?, self.exact(b, ty, depth)?);
                (a.0 >= 0 && b.0 > 0).then(|| (a.0 / b.1, a.1 / b.0))
            }
            BinOp::Shl | BinOp::Shr => {
                // The amount has a type of its own; of one that is as much as the type is wide, or
                // negative, some bits count.
                let (a, by) = (self.exact(a, ty, depth)?, self.exact(b, ScalarTy::I32, depth)?);
                let width = 8 * ty.size() as i128;
                if a.0 < 0 || by.0 != by.1 || !(0..width).contains(&by.0) {
                    return None;
                }
                let by = by.0 as u32;
                match op {
                    BinOp::Shl => Some((a.0.checked_mul(1 << by)?, a.1.checked_mul(1 << by)?)),
                    _ => Some((a.0 >> by, a.1 >> by)),
                }
            }
            BinOp::And => {
                let (a, b) = (self.exact(a, ty, depth)?, self.exact(b, ty, depth)?);
                match a.0 == a.1 && b.0 == b.1 {
                    _ if a.0 < 0 || b.0 < 0 => None,
                    true => Some((a.0 & b.0, a.0 & b.0)),
                    false => Some((0, a.1.min(b.1))),
                }
            }
            _ => None,
        }
    }

    /// A remainder, which is bounded by its divisor alone, if what is divided is not negative.
    fn rest(&self, (a, b): (&Expr, &Expr), ty: ScalarTy, depth: usize) -> Option<Interval> {
        let (lo, hi) = self.exact(b, ty, depth)?;
        match self.exact(a, ty, depth) {
            _ if lo < 1 => None,
            // Between two multiples of one divisor it goes up with what is divided.
            Some((first, last)) if first >= 0 && lo == hi && first / lo == last / lo => {
                Some((first % lo, last % lo))
            }
            Some((first, last)) if first >= 0 => Some((0, last.min(hi - 1))),
            // What wrapped is some number all the same.
            _ if !ty.is_signed() => Some((0, hi - 1)),
            _ => None,
        }
    }
}

/// The interval, if every value of it is one of the type; of the widest unsigned ones it may go below
/// zero.
fn fits(interval: Interval, ty: ScalarTy) -> Option<Interval> {
    let (lo, hi) = match ty {
        ScalarTy::I8 => (i128::from(i8::MIN), i128::from(i8::MAX)),
        ScalarTy::I16 => (i128::from(i16::MIN), i128::from(i16::MAX)),
        ScalarTy::I32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
        ScalarTy::I64 | ScalarTy::Isize => (i128::from(i64::MIN), i128::from(i64::MAX)),
        ScalarTy::U8 => (0, i128::from(u8::MAX)),
        ScalarTy::U16 => (0, i128::from(u16::MAX)),
        ScalarTy::U32 => (0, i128::from(u32::MAX)),
        ScalarTy::U64 | ScalarTy::Usize => (i128::from(i64::MIN), i128::from(u64::MAX)),
        ScalarTy::Bool | ScalarTy::F32 | ScalarTy::F64 => return None,
    };
    (lo <= interval.0 && interval.1 <= hi).then_some(interval)
}

#[cfg(test)]
mod tests;
