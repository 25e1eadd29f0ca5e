//! What is known of a launch, and the interval of values that an integer expression takes over a box
//! of items. Intervals are of the mathematical value; where that does not fit the type, nothing is
//! known.

use crate::ir::{
    BinOp, Block, ConstValue, Expr, ExprKind, KernelIr, LocalId, MathFn, Place, Stmt, UnOp,
};
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
    pub(super) kernel: &'static KernelIr,
    pub(super) types: Vec<Ty>,
    pub(super) definitions: &'f Definitions,
    pub(super) facts: &'f dyn Facts,
    /// First index and end of the items; `None` for all of the space.
    pub(super) items: Option<(&'f [usize], &'f [usize])>,
}

/// How deep definitions are followed.
const DEPTH: usize = 64;

impl Bounds<'_> {
    /// The values of an integer expression.
    pub(super) fn interval(&self, expr: &Expr) -> Option<Interval> {
        self.at(expr, DEPTH)
    }

    fn at(&self, expr: &Expr, depth: usize) -> Option<Interval> {
        let depth = depth.checked_sub(1)?;
        let point = |value: i128| Some((value, value));
        match &expr.kind {
            ExprKind::Int(value, _) => point(i128::try_from(*value).ok()?),
            ExprKind::Const(ConstValue::Int(value, _)) => point(*value),
            ExprKind::Local(id) => match self.definitions.get(*id) {
                Definition::Is(init) => {
                    fits(self.at(init, depth)?, self.types.get(usize::from(*id))?)
                }
                Definition::Counts(lo, hi, inclusive) => {
                    let (lo, hi) = (self.at(lo, depth)?, self.at(hi, depth)?);
                    let last = hi.1 - i128::from(!inclusive);
                    // A range without a trip has no value; its first one bounds it all the same.
                    Some((lo.0, last.max(lo.0)))
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
            ExprKind::Unary(UnOp::Neg, a, _) => {
                let (lo, hi) = self.at(a, depth)?;
                self.held(expr, (-hi, -lo))
            }
            ExprKind::Binary(op, a, b, _) => self.held(expr, self.binary(*op, a, b, depth)?),
            ExprKind::Cast(a, ty) => match &a.kind {
                ExprKind::Float(..) => None,
                // A negative `usize` here is a large one, which a narrower type cuts.
                _ => fits(self.at(a, depth)?, ty)
                    .filter(|interval| interval.0 >= 0 || !self.unsigned(a)),
            },
            ExprKind::Math(MathFn::Min, [a, b], _) => {
                let (a, b) = (self.plain(a, depth)?, self.plain(b, depth)?);
                Some((a.0.min(b.0), a.1.min(b.1)))
            }
            ExprKind::Math(MathFn::Max, [a, b], _) => {
                let (a, b) = (self.plain(a, depth)?, self.plain(b, depth)?);
                Some((a.0.max(b.0), a.1.max(b.1)))
            }
            ExprKind::Math(MathFn::Clamp, [_, lo, hi], _) => {
                let (lo, hi) = (self.plain(lo, depth)?, self.plain(hi, depth)?);
                Some((lo.0.min(hi.0), hi.1))
            }
            ExprKind::If(_, then, Some(other))
                if then.stmts.is_empty() && other.stmts.is_empty() =>
            {
                let (a, b) = (self.at(then.tail?, depth)?, self.at(other.tail?, depth)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprKind::Block(block) if block.stmts.is_empty() => self.at(block.tail?, depth),
            _ => None,
        }
    }

    /// Whether a loop between these bounds is known to have a trip, and which is the last one.
    pub(super) fn has_trips(&self, lo: &Expr, hi: &Expr, inclusive: bool) -> bool {
        match (self.interval(lo), self.interval(hi)) {
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
        let Some(depth) = depth.checked_sub(1) else { return false };
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
                    is_new(Variable::Loop(*id)) && self.has_trips(lo, hi, inclusive)
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
                let is_point = |e: &Expr| self.interval(e).is_some_and(|(lo, hi)| lo == hi);
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
        self.holds_at(cond, DEPTH)
    }

    fn holds_at(&self, cond: &Expr, depth: usize) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
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
                let (a, b) = (self.compared(a, depth)?, self.compared(b, depth)?);
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

    /// An interval that may be compared: a negative `usize` is a large one.
    fn compared(&self, expr: &Expr, depth: usize) -> Option<Interval> {
        let signed = matches!(self.ty(expr), Some(Ty::Scalar(scalar)) if scalar.is_signed());
        self.at(expr, depth).filter(|interval| signed || interval.0 >= 0)
    }

    /// An interval without negative numbers, which may stand for large ones.
    fn plain(&self, expr: &Expr, depth: usize) -> Option<Interval> {
        self.at(expr, depth).filter(|interval| interval.0 >= 0)
    }

    fn binary(&self, op: BinOp, a: &Expr, b: &Expr, depth: usize) -> Option<Interval> {
        // A remainder is bounded by its divisor alone, if what is divided is not negative.
        if op == BinOp::Rem {
            let (lo, hi) = self.at(b, depth)?;
            return match self.at(a, depth) {
                _ if lo < 1 => None,
                // Between two multiples of one divisor it goes up with what is divided.
                Some((first, last)) if first >= 0 && lo == hi && first / lo == last / lo => {
                    Some((first % lo, last % lo))
                }
                Some((first, last)) if first >= 0 => Some((0, last.min(hi - 1))),
                // What wrapped is some number all the same.
                _ if self.unsigned(a) => Some((0, hi - 1)),
                _ => None,
            };
        }
        let (a, b) = (self.at(a, depth)?, self.at(b, depth)?);
        match op {
            BinOp::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
            BinOp::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
            BinOp::Mul => {
                let mut all = [0; 4];
                for (k, (x, y)) in
                    [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].iter().enumerate()
                {
                    all[k] = x.checked_mul(*y)?;
                }
                Some((all.iter().copied().min()?, all.iter().copied().max()?))
            }
            BinOp::Div if a.0 >= 0 && b.0 > 0 => Some((a.0 / b.1, a.1 / b.0)),
            BinOp::Shl if a.0 >= 0 && b.0 == b.1 && (0..64).contains(&b.0) => {
                Some((a.0.checked_mul(1 << b.0)?, a.1.checked_mul(1 << b.0)?))
            }
            BinOp::Shr if a.0 >= 0 && b.0 == b.1 && (0..64).contains(&b.0) => {
                Some((a.0 >> b.0, a.1 >> b.0))
            }
            BinOp::And if a.0 >= 0 && a.0 == a.1 && b.0 >= 0 && b.0 == b.1 => {
                Some((a.0 & b.0, a.0 & b.0))
            }
            BinOp::And if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
            _ => None,
        }
    }

    /// The type of an integer expression, literals of no type of their own apart.
    fn ty(&self, expr: &Expr) -> Option<Ty> {
        match &expr.kind {
            ExprKind::Int(_, suffix) => suffix.map(Ty::Scalar),
            ExprKind::Const(ConstValue::Int(_, ty)) => Some(Ty::Scalar(*ty)),
            ExprKind::Local(id) => self.types.get(usize::from(*id)).copied(),
            ExprKind::Param(id) => self.kernel.params.get(usize::from(*id)).map(|param| param.ty),
            ExprKind::Load(access) => {
                self.kernel.params.get(usize::from(access.param)).map(|param| param.ty)
            }
            ExprKind::GlobalId(_)
            | ExprKind::GlobalSize(_)
            | ExprKind::Phase
            | ExprKind::Partition
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => Some(Ty::Scalar(ScalarTy::Usize)),
            ExprKind::Cast(_, ty) => Some(*ty),
            ExprKind::Unary(_, a, _) | ExprKind::Binary(BinOp::Shl | BinOp::Shr, a, ..) => {
                self.ty(a)
            }
            ExprKind::Binary(_, a, b, _) => self.ty(a).or_else(|| self.ty(b)),
            ExprKind::Math(_, args, _) => args.iter().find_map(|arg| self.ty(arg)),
            ExprKind::If(_, then, Some(other)) => {
                self.ty(then.tail?).or_else(|| self.ty(other.tail?))
            }
            ExprKind::Block(block) => self.ty(block.tail?),
            _ => None,
        }
    }

    /// The interval, if the type of the expression holds it without wrapping.
    fn held(&self, expr: &Expr, interval: Interval) -> Option<Interval> {
        match self.ty(expr) {
            Some(ty) => fits(interval, &ty),
            // Literals only: of some type that they fit.
            None => Some(interval),
        }
    }

    /// Whether an expression has an unsigned type for sure.
    fn unsigned(&self, expr: &Expr) -> bool {
        matches!(self.ty(expr), Some(Ty::Scalar(scalar)) if !scalar.is_signed()
            && !scalar.is_float() && scalar != ScalarTy::Bool)
    }
}

/// The interval, if every value of it is one of the type. `usize` takes negative ones too: they
/// stand for indices beyond every array, and sums with them come back.
fn fits(interval: Interval, ty: &Ty) -> Option<Interval> {
    let Ty::Scalar(scalar) = ty else { return None };
    let (lo, hi) = match scalar {
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
