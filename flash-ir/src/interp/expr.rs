//! Expressions as closures: scalars to words, structures and small arrays to bytes.

use super::compile::{Compiler, sequence};
use super::exec::{Eval, Exec, Fill, Flow, Item, Slot};
use super::functions::{self, Function};
use super::place::index;
use super::race::Touch;
use super::word::{self, Word};
use super::{FaultKind, ops, scalar};
use crate::ir::{AtomicOp, BinOp, ConstValue, FloatMode, MathFn, Span, UnOp};
use crate::resolve::typed::{Access, Block, Expr, ExprKind};
use crate::ty::{ScalarTy, Ty};

/// Multiplies and adds words of one type, and rounds once.
#[derive(Clone, Copy)]
pub(super) struct Fused {
    mul_add: fn(u64, u64, u64) -> u64,
    neg: ops::Fn1,
}

impl Fused {
    /// `x * y + c`
    pub(super) fn plus(self, x: u64, y: u64, c: u64) -> u64 {
        (self.mul_add)(x, y, c)
    }

    /// `x * y - c`
    fn minus(self, x: u64, y: u64, c: u64) -> u64 {
        (self.mul_add)(x, y, (self.neg)(c))
    }

    /// `c - x * y`
    pub(super) fn less(self, x: u64, y: u64, c: u64) -> u64 {
        (self.mul_add)((self.neg)(x), y, c)
    }
}

/// The factors, if it is a product.
pub(super) fn product(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Binary(BinOp::Mul, x, y, _) => Some((x, y)),
        _ => None,
    }
}

impl Compiler<'_> {
    /// An expression for its effect.
    pub(super) fn effect(&mut self, expr: &Expr) -> Exec {
        match &expr.kind {
            ExprKind::If(cond, then, other) => {
                let cond = self.eval(cond);
                let then = self.block(then);
                let other = other.as_ref().map(|other| self.block(other));
                Box::new(move |item| {
                    let taken = cond(item) != 0;
                    if item.flow != Flow::Next {
                        return;
                    }
                    if taken {
                        then(item);
                    } else if let Some(other) = &other {
                        other(item);
                    }
                })
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Call(at, args) => self.inlined(*at, args).0,
            ExprKind::Atomic(access, op, args) => {
                let eval = self.atomic(access, *op, args);
                Box::new(move |item| {
                    eval(item);
                })
            }
            _ if scalar(&expr.ty).is_some() => {
                let eval = self.eval(expr);
                Box::new(move |item| {
                    eval(item);
                })
            }
            _ if expr.ty.size() > 0 => {
                let at = self.temporary(expr.ty.size());
                let fill = self.fill(expr);
                Box::new(move |item| fill(item, at))
            }
            _ => Box::new(|_| {}),
        }
    }

    /// A scalar expression.
    pub(super) fn eval(&mut self, expr: &Expr) -> Eval {
        let Some(ty) = scalar(&expr.ty) else {
            self.complain(expr.span, "a value that is no scalar where one belongs");
            return Box::new(|_| 0);
        };
        match &expr.kind {
            ExprKind::Scalar(word) => {
                let word = *word;
                Box::new(move |_| word)
            }
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Load(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..) => match self.read_place(expr) {
                Some(place) => self.load(place, ty),
                None => {
                    self.complain(expr.span, "a part of what has none");
                    Box::new(|_| 0)
                }
            },
            ExprKind::GlobalId(dim) => {
                let dim = usize::from(*dim);
                Box::new(move |item| item.ids.get(dim).map_or(0, |&id| id as u64))
            }
            ExprKind::GlobalSize(dim) => {
                let dim = usize::from(*dim);
                Box::new(move |item| item.sizes.get(dim).map_or(1, |&size| size as u64))
            }
            ExprKind::Phase => Box::new(|item| item.phase as u64),
            ExprKind::Partition => Box::new(|item| item.partition as u64),
            ExprKind::Len(param) => {
                let param = usize::from(*param);
                Box::new(move |item| item.shapes[param].iter().product::<usize>() as u64)
            }
            ExprKind::Extent(param, dim) => {
                let (param, dim) = (usize::from(*param), usize::from(*dim));
                Box::new(move |item| item.shapes[param][dim] as u64)
            }
            ExprKind::Atomic(access, op, args) => self.atomic(access, *op, args),
            ExprKind::Unary(op, inner, _) => {
                let value = self.eval(inner);
                match ops::unary(*op, ty) {
                    Some(f) => Box::new(move |item| f(value(item))),
                    None => self.no(expr.span, &format!("{op:?}"), ty),
                }
            }
            ExprKind::Binary(op, a, b, mode) => match self.contracted(*op, (a, b), *mode, ty) {
                Some(fused) => fused,
                None => self.binary(*op, a, b, expr.span),
            },
            ExprKind::Cast(inner) => {
                let from = scalar(&inner.ty).unwrap_or(ty);
                let value = self.eval(inner);
                match ops::cast(from, ty) {
                    Some(_) if from == ty => value,
                    Some(f) => Box::new(move |item| f(value(item))),
                    None => self.no(expr.span, &format!("cast from `{}`", from.name()), ty),
                }
            }
            ExprKind::Call(at, args) => {
                let (run, result) = self.inlined(*at, args);
                let Slot::Reg(reg, _) = result else { return Box::new(|_| 0) };
                Box::new(move |item| {
                    run(item);
                    item.regs[reg]
                })
            }
            ExprKind::Math(name, args, mode) => {
                let arg = args.first().and_then(|arg| scalar(&arg.ty)).unwrap_or(ty);
                let mode = if self.strict { FloatMode::Strict } else { *mode };
                match functions::function(*name, arg, mode) {
                    Some(function) => {
                        self.apply(function, args, (expr.span, *name == MathFn::RemEuclid))
                    }
                    None => self.no(expr.span, &format!("{name:?}"), arg),
                }
            }
            ExprKind::If(cond, then, Some(other)) => {
                let cond = self.eval(cond);
                let (then, other) = (self.value_block(then), self.value_block(other));
                Box::new(move |item| {
                    let taken = cond(item) != 0;
                    if item.flow != Flow::Next {
                        0
                    } else if taken {
                        then(item)
                    } else {
                        other(item)
                    }
                })
            }
            ExprKind::Block(block) => self.value_block(block),
            ExprKind::If(_, _, None)
            | ExprKind::Struct(..)
            | ExprKind::Array(_)
            | ExprKind::Repeat(..) => self.no(expr.span, "value", ty),
        }
    }

    fn no(&mut self, span: Span, what: &str, ty: ScalarTy) -> Eval {
        self.complain(span, format!("no `{what}` of `{}`", ty.name()));
        Box::new(|_| 0)
    }

    /// The scalar value of a block.
    fn value_block(&mut self, block: &Block) -> Eval {
        let stmts = self.stmts(&block.stmts);
        let tail = block.tail.as_ref().map(|tail| match scalar(&tail.ty) {
            Some(_) => self.eval(tail),
            None => {
                let effect = self.effect(tail);
                Box::new(move |item: &mut Item<'_>| {
                    effect(item);
                    0_u64
                }) as Eval
            }
        });
        match (stmts.is_empty(), tail) {
            (true, Some(tail)) => tail,
            (_, tail) => {
                let stmts = sequence(stmts);
                Box::new(move |item| {
                    stmts(item);
                    match &tail {
                        Some(tail) if item.flow == Flow::Next => tail(item),
                        _ => 0,
                    }
                })
            }
        }
    }

    /// A sum of which one side is a product, where both are one operation; of two products the right one.
    fn contracted(
        &mut self,
        op: BinOp,
        (a, b): (&Expr, &Expr),
        mode: FloatMode,
        ty: ScalarTy,
    ) -> Option<Eval> {
        let fused = self.fused(op, mode, ty)?;
        let is_sum = op == BinOp::Add;
        if let Some((x, y)) = product(b) {
            let (c, x, y) = (self.eval(a), self.eval(x), self.eval(y));
            return Some(Box::new(move |item| {
                let c = c(item);
                let (x, y) = (x(item), y(item));
                if is_sum { fused.plus(x, y, c) } else { fused.less(x, y, c) }
            }));
        }
        let (x, y) = product(a)?;
        let (x, y, c) = (self.eval(x), self.eval(y), self.eval(b));
        Some(Box::new(move |item| {
            let (x, y) = (x(item), y(item));
            let c = c(item);
            if is_sum { fused.plus(x, y, c) } else { fused.minus(x, y, c) }
        }))
    }

    /// What a product and a sum or difference of a type are in one operation, where they may be one.
    pub(super) fn fused(&self, op: BinOp, mode: FloatMode, ty: ScalarTy) -> Option<Fused> {
        let may = !self.strict && mode == FloatMode::Fast && ty.is_float();
        if !may || !matches!(op, BinOp::Add | BinOp::Sub) {
            return None;
        }
        let Function::Three(mul_add) = functions::function(MathFn::MulAdd, ty, FloatMode::Strict)?
        else {
            return None;
        };
        Some(Fused { mul_add, neg: ops::unary(UnOp::Neg, ty)? })
    }

    fn binary(&mut self, op: BinOp, a: &Expr, b: &Expr, span: Span) -> Eval {
        let ty = scalar(&a.ty).unwrap_or(ScalarTy::Bool);
        let (left, right) = (self.eval(a), self.eval(b));
        match op {
            BinOp::LazyAnd => {
                return Box::new(move |item| if left(item) != 0 { right(item) } else { 0 });
            }
            BinOp::LazyOr => {
                return Box::new(move |item| if left(item) != 0 { 1 } else { right(item) });
            }
            _ => {}
        }
        match ops::binary(op, ty) {
            Some(ops::Op2::Total(f)) => Box::new(move |item| {
                let a = left(item);
                f(a, right(item))
            }),
            Some(ops::Op2::Partial(f)) => Box::new(move |item| {
                let a = left(item);
                let b = right(item);
                f(a, b).unwrap_or_else(|| {
                    item.fault(span, FaultKind::of_division(op == BinOp::Rem, b == 0));
                    0
                })
            }),
            None => self.no(span, &format!("{op:?}"), ty),
        }
    }

    fn apply(&mut self, function: Function, args: &[Expr], (span, is_rest): (Span, bool)) -> Eval {
        let mut args: Vec<Eval> = args.iter().map(|arg| self.eval(arg)).collect();
        let (third, second, first) = match args.len() {
            1 => (None, None, args.pop()),
            2 => (None, args.pop(), args.pop()),
            _ => (args.pop(), args.pop(), args.pop()),
        };
        match (function, first, second, third) {
            (Function::One(f), Some(a), None, None) => Box::new(move |item| f(a(item))),
            (Function::Two(f), Some(a), Some(b), None) => Box::new(move |item| {
                let a = a(item);
                f(a, b(item))
            }),
            (Function::Partial(f), Some(a), Some(b), None) => Box::new(move |item| {
                let a = a(item);
                let b = b(item);
                f(a, b).unwrap_or_else(|| {
                    item.fault(span, FaultKind::of_division(is_rest, b == 0));
                    0
                })
            }),
            (Function::Three(f), Some(a), Some(b), Some(c)) => Box::new(move |item| {
                let a = a(item);
                let b = b(item);
                f(a, b, c(item))
            }),
            _ => {
                self.complain(span, "a function with a wrong number of arguments");
                Box::new(|_| 0)
            }
        }
    }

    /// An operation on an atomic element; items run one at a time, so reading and writing do.
    fn atomic(&mut self, access: &Access, op: AtomicOp, args: &[Expr]) -> Eval {
        let param = usize::from(access.param);
        let evals: Vec<Eval> = access.index.iter().map(|index| self.eval(index)).collect();
        let ty = args.first().map(|arg| arg.ty).or(self.atomic_ty(access.param));
        let Some(ty) = ty.as_ref().and_then(scalar) else {
            self.complain(access.span, "an atomic element that is no scalar");
            return Box::new(|_| 0);
        };
        let args: Vec<Eval> = args.iter().map(|arg| self.eval(arg)).collect();
        let Some(change) = change(op, ty) else {
            return self.no(access.span, &format!("{op:?}"), ty);
        };
        let size = ty.size();
        Box::new(move |item| {
            let index = index(&evals, item);
            let index = &index[..evals.len()];
            let mut words = [0; 2];
            for (word, arg) in words.iter_mut().zip(&args) {
                *word = arg(item);
            }
            if item.flow != Flow::Next || !item.inside(param, index) {
                return 0;
            }
            item.touch(param, index, Touch::Atomic);
            let mut bytes = [0; 8];
            if !item.memory.read(param, index, 0, &mut bytes[..size]) {
                item.outside(param, index);
                return 0;
            }
            let old = u64::from_le_bytes(bytes);
            let new = change(old, words);
            if op != AtomicOp::Load {
                item.memory.write(param, index, 0, &new.to_le_bytes()[..size]);
            }
            old
        })
    }

    /// A structure or small array, written to an offset.
    pub(super) fn fill(&mut self, expr: &Expr) -> Fill {
        let size = expr.ty.size();
        match &expr.kind {
            ExprKind::Call(at, args) => {
                let (run, result) = self.inlined(*at, args);
                let Slot::Bytes(from, _) = result else { return Box::new(|_, _| {}) };
                Box::new(move |item, to| {
                    run(item);
                    item.bytes.copy_within(from..from + size, to);
                })
            }
            ExprKind::If(cond, then, Some(other)) => {
                let cond = self.eval(cond);
                let (then, other) = (self.fill_block(then, size), self.fill_block(other, size));
                Box::new(move |item, to| {
                    let taken = cond(item) != 0;
                    if item.flow != Flow::Next {
                        return;
                    }
                    if taken {
                        then(item, to);
                    } else {
                        other(item, to);
                    }
                })
            }
            ExprKind::Block(block) => self.fill_block(block, size),
            ExprKind::Struct(_, fields) => {
                let parts: Vec<_> =
                    fields.iter().map(|(field, value)| (field.offset, self.part(value))).collect();
                Box::new(move |item, to| {
                    // Padding reads as zero on the host.
                    item.bytes[to..to + size].fill(0);
                    for (offset, part) in &parts {
                        part(item, to + offset);
                    }
                })
            }
            ExprKind::Array(items) => {
                let stride = items.first().map_or(0, |item| item.ty.size());
                let parts: Vec<_> = items.iter().map(|item| self.part(item)).collect();
                Box::new(move |item, to| {
                    for (k, part) in parts.iter().enumerate() {
                        part(item, to + k * stride);
                    }
                })
            }
            ExprKind::Repeat(value, n) => {
                let (stride, n) = (value.ty.size(), *n);
                let part = self.part(value);
                Box::new(move |item, to| {
                    if n > 0 {
                        part(item, to);
                    }
                    for k in 1..n {
                        item.bytes.copy_within(to..to + stride, to + k * stride);
                    }
                })
            }
            _ => match self.read_place(expr) {
                Some(place) => self.copy(place, size),
                None => {
                    self.complain(expr.span, "a value that is neither a structure nor an array");
                    Box::new(|_, _| {})
                }
            },
        }
    }

    /// A value of any type, written to an offset.
    fn part(&mut self, expr: &Expr) -> Fill {
        match scalar(&expr.ty) {
            Some(ty) => {
                let value = self.eval(expr);
                let size = ty.size();
                Box::new(move |item, to| {
                    let word = value(item);
                    word::store(&mut item.bytes, to, size, word);
                })
            }
            None => {
                // A value made from what it replaces must be whole before it is put there.
                let fill = self.fill(expr);
                let size = expr.ty.size();
                let temporary = self.temporary(size);
                Box::new(move |item, to| {
                    fill(item, temporary);
                    item.bytes.copy_within(temporary..temporary + size, to);
                })
            }
        }
    }

    fn fill_block(&mut self, block: &Block, size: usize) -> Fill {
        let stmts = sequence(self.stmts(&block.stmts));
        let tail = block.tail.as_ref().map(|tail| {
            if tail.ty.size() == size && scalar(&tail.ty).is_none() {
                self.fill(tail)
            } else {
                let effect = self.effect(tail);
                Box::new(move |item: &mut Item<'_>, _: usize| effect(item)) as Fill
            }
        });
        Box::new(move |item, to| {
            stmts(item);
            if let Some(tail) = &tail
                && item.flow == Flow::Next
            {
                tail(item, to);
            }
        })
    }

    fn atomic_ty(&self, param: u16) -> Option<Ty> {
        self.params.get(usize::from(param)).map(|param| param.ty)
    }
}

/// From the old value and the arguments to the new value.
type Change = Box<dyn Fn(u64, [u64; 2]) -> u64 + Send + Sync>;

/// The new value of an atomic element.
fn change(op: AtomicOp, ty: ScalarTy) -> Option<Change> {
    let by = |op: BinOp| match ops::binary(op, ty) {
        Some(ops::Op2::Total(f)) => Some(f),
        _ => None,
    };
    Some(match op {
        AtomicOp::Load => Box::new(|old, _| old),
        AtomicOp::Store | AtomicOp::Swap => Box::new(|_, [new, _]| new),
        AtomicOp::CompareExchange => {
            Box::new(|old, [current, new]| if old == current { new } else { old })
        }
        AtomicOp::FetchMin | AtomicOp::FetchMax => {
            let first = by(if op == AtomicOp::FetchMin { BinOp::Lt } else { BinOp::Gt })?;
            Box::new(move |old, [new, _]| if first(new, old) != 0 { new } else { old })
        }
        AtomicOp::FetchAdd
        | AtomicOp::FetchSub
        | AtomicOp::FetchAnd
        | AtomicOp::FetchOr
        | AtomicOp::FetchXor => {
            let f = by(match op {
                AtomicOp::FetchAdd => BinOp::Add,
                AtomicOp::FetchSub => BinOp::Sub,
                AtomicOp::FetchAnd => BinOp::And,
                AtomicOp::FetchOr => BinOp::Or,
                _ => BinOp::Xor,
            })?;
            Box::new(move |old, [by, _]| f(old, by))
        }
    })
}

/// The bytes of a constant array.
pub(super) fn const_bytes(value: ConstValue) -> Vec<u8> {
    fn all<T: Word>(items: &[T], size: usize) -> Vec<u8> {
        items.iter().flat_map(|item| item.put().to_le_bytes()[..size].to_vec()).collect()
    }
    match value {
        ConstValue::Bool(value) => vec![u8::from(value)],
        ConstValue::Int(value, ty) => value.to_le_bytes()[..ty.size()].to_vec(),
        ConstValue::F32(value) => value.to_le_bytes().to_vec(),
        ConstValue::F64(value) => value.to_le_bytes().to_vec(),
        ConstValue::ArrayF32(items) => all(items, 4),
        ConstValue::ArrayF64(items) => all(items, 8),
        ConstValue::ArrayI32(items) => all(items, 4),
        ConstValue::ArrayU32(items) => all(items, 4),
        ConstValue::ArrayUsize(items) => all(items, 8),
        ConstValue::ArrayU8(items) => all(items, 1),
    }
}
