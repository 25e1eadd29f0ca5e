//! What an item costs, as a first guess for placement: operations and bytes. Branches count half,
//! loops by their trips where those are known.

use super::facts::{Bounds, Definitions, Facts};
use crate::ir::{Access, AtomicOp, Block, Expr, ExprKind, KernelIr, MathFn, Place, Proj, Stmt};

/// Operations and bytes of an average item.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Arithmetic operations; a call of `flash::math` counts several.
    pub operations: f64,
    /// Bytes read.
    pub read: f64,
    /// Bytes written.
    pub written: f64,
    /// Atomic operations.
    pub atomics: f64,
}

impl Cost {
    fn add(&mut self, other: Self, times: f64) {
        self.operations += other.operations * times;
        self.read += other.read * times;
        self.written += other.written * times;
        self.atomics += other.atomics * times;
    }

    fn operations(n: f64) -> Self {
        Self { operations: n, ..Self::default() }
    }
}

/// Trips of a loop of which nothing is known.
const TRIPS: f64 = 16.0;

/// Operations of a function of complex numbers, about.
const COMPLEX: f64 = 3.0;

/// The cost of an item of a kernel.
pub fn cost(kernel: &'static KernelIr, facts: &dyn Facts) -> Cost {
    let definitions = Definitions::of(&kernel.body, kernel.locals.names.len());
    let bounds = Bounds::new(kernel, &definitions, facts, None);
    Counter { bounds: Some(bounds), kernel }.block(&kernel.body)
}

struct Counter<'f> {
    /// `None` inside a device function, whose locals are its own.
    bounds: Option<Bounds<'f>>,
    kernel: &'static KernelIr,
}

impl Counter<'_> {
    fn block(&self, block: &Block) -> Cost {
        let mut sum = Cost::default();
        for stmt in block.stmts {
            sum.add(self.stmt(stmt), 1.0);
        }
        if let Some(tail) = block.tail {
            sum.add(self.expr(tail), 1.0);
        }
        sum
    }

    fn stmt(&self, stmt: &Stmt) -> Cost {
        let mut sum = Cost::default();
        match stmt {
            Stmt::Let(_, Some(value), _) | Stmt::Return(Some(value), _) | Stmt::Expr(value) => {
                sum.add(self.expr(value), 1.0);
            }
            Stmt::Assign(place, value, _) => {
                sum.add(self.expr(value), 1.0);
                sum.add(self.place(place, false), 1.0);
            }
            Stmt::Update(place, _, value, _, _) => {
                sum.add(self.expr(value), 1.0);
                sum.add(self.place(place, true), 1.0);
                sum.operations += 1.0;
            }
            Stmt::Reduce(_, value, _) => {
                sum.add(self.expr(value), 1.0);
                sum.operations += 1.0;
            }
            Stmt::For { lo, hi, step, body, .. } => {
                sum.add(self.expr(lo), 1.0);
                sum.add(self.expr(hi), 1.0);
                let point = |expr: &Expr| {
                    let (first, last) = self.bounds.as_ref()?.interval(expr)?;
                    Some((first + last) as f64 / 2.0)
                };
                let by = step.as_ref().map_or(Some(1.0), point).filter(|by| *by > 0.0);
                let trips = match (point(lo), point(hi), by) {
                    (Some(lo), Some(hi), Some(by)) => ((hi - lo) / by).max(0.0),
                    _ => TRIPS,
                };
                sum.add(self.block(body), trips);
                sum.operations += trips;
            }
            Stmt::While { cond, body, .. } => {
                sum.add(self.expr(cond), TRIPS);
                sum.add(self.block(body), TRIPS);
            }
            Stmt::Let(_, None, _)
            | Stmt::Return(None, _)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Barrier(_) => {}
        }
        sum
    }

    fn bytes(&self, access: &Access) -> f64 {
        let param = self.kernel.params.get(usize::from(access.param));
        param.map_or(0.0, |param| param.ty.size() as f64)
    }

    fn index(&self, access: &Access) -> Cost {
        let mut sum = Cost::default();
        access.index.iter().for_each(|index| sum.add(self.expr(index), 1.0));
        sum
    }

    fn place(&self, place: &Place, read: bool) -> Cost {
        let (mut sum, projs) = match place {
            Place::Local(_, projs) => (Cost::default(), *projs),
            Place::Elem(access, projs) => {
                let mut sum = self.index(access);
                sum.written += self.bytes(access);
                sum.read += if read { self.bytes(access) } else { 0.0 };
                (sum, *projs)
            }
        };
        for proj in projs {
            if let Proj::Index(index) = proj {
                sum.add(self.expr(index), 1.0);
            }
        }
        sum
    }

    fn expr(&self, expr: &Expr) -> Cost {
        let all = |exprs: &[Expr]| {
            let mut sum = Cost::default();
            exprs.iter().for_each(|expr| sum.add(self.expr(expr), 1.0));
            sum
        };
        match &expr.kind {
            ExprKind::Load(access) => {
                let mut sum = self.index(access);
                sum.read += self.bytes(access);
                sum
            }
            ExprKind::Atomic(access, op, args) => {
                let mut sum = self.index(access);
                sum.add(all(args), 1.0);
                sum.read += self.bytes(access);
                if *op != AtomicOp::Load {
                    sum.written += self.bytes(access);
                }
                sum.atomics += 1.0;
                sum
            }
            ExprKind::Unary(_, a, _) | ExprKind::Cast(a, _) => {
                let mut sum = self.expr(a);
                sum.operations += 1.0;
                sum
            }
            ExprKind::Binary(_, a, b, _) => {
                let mut sum = self.expr(a);
                sum.add(self.expr(b), 1.0);
                sum.operations += 1.0;
                sum
            }
            ExprKind::Math(function, args, _) => {
                let mut sum = all(args);
                sum.operations += weight(*function);
                sum
            }
            ExprKind::Complex(_, args) => {
                let mut sum = all(args);
                sum.operations += COMPLEX;
                sum
            }
            ExprKind::Call(function, args) => {
                let mut sum = all(args);
                let inner = Counter { bounds: None, kernel: self.kernel };
                sum.add(inner.block(&function.body), 1.0);
                sum
            }
            ExprKind::If(cond, then, other) => {
                let mut sum = self.expr(cond);
                sum.add(self.block(then), 0.5);
                if let Some(other) = other {
                    sum.add(self.block(other), 0.5);
                }
                sum.add(Cost::operations(1.0), 1.0);
                sum
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Field(a, _) | ExprKind::Repeat(a, _) => self.expr(a),
            ExprKind::Index(a, b) => {
                let mut sum = self.expr(a);
                sum.add(self.expr(b), 1.0);
                sum
            }
            ExprKind::Array(items) => all(items),
            ExprKind::Struct(_, fields) => {
                let mut sum = Cost::default();
                fields.iter().for_each(|(_, value)| sum.add(self.expr(value), 1.0));
                sum
            }
            _ => Cost::default(),
        }
    }
}

/// Operations of a function, about.
fn weight(function: MathFn) -> f64 {
    use MathFn as M;
    match function {
        M::Exp | M::Exp2 | M::Ln | M::Log2 | M::Log10 => 16.0,
        M::Sin | M::Cos | M::Atan | M::Hypot => 20.0,
        M::Tan | M::Tanh | M::Atan2 | M::Erf => 32.0,
        M::Pow => 60.0,
        M::Powi | M::Sqrt | M::Rsqrt | M::Recip | M::RemEuclid | M::DivEuclid => 4.0,
        M::ToBits | M::FromBits => 0.0,
        M::MulAdd => 2.0,
        _ => 1.0,
    }
}
