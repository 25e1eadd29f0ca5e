//! What is drawn of a kernel so far: what is in scope, what it may do, and a generator of numbers.

use flash_ir::ir::{
    Access, AccessClass, AddressSpace, AtomicOp, BinOp, Expr, ExprKind, FloatMode, FnIr, LocalId,
    Param, Span,
};
use flash_ir::{DevTy, ScalarTy, Ty};

use super::pool;

/// A generator of numbers (splitmix64).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Kernels are constant data, so they stay until the process ends.
pub(super) fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Likewise.
pub(super) fn all<T>(values: Vec<T>) -> &'static [T] {
    values.leak()
}

/// A variable in scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Var {
    pub(super) id: LocalId,
    pub(super) ty: Ty,
    pub(super) mutable: bool,
}

/// How an array may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Read anywhere.
    Read,
    /// Read and written at the own place.
    Own,
    /// Changed anywhere by one operation that commutes, whose value nobody wants.
    Shared(AtomicOp),
    /// Changed by any operation at the own place.
    OwnCells,
}

/// An array parameter.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) param: u16,
    pub(super) ty: Ty,
    /// The dimension of the space that each index is of, slowest first.
    pub(super) dims: Vec<u8>,
    pub(super) used: Use,
}

/// What is drawn.
pub(super) struct Draw {
    pub(super) random: Random,
    pub(super) rank: usize,
    pub(super) params: Vec<Param>,
    pub(super) arrays: Vec<Array>,
    pub(super) reductions: Vec<(u16, ScalarTy)>,
    pub(super) scopes: Vec<Vec<Var>>,
    /// The locals of each type that are taken.
    pub(super) taken: [usize; pool::TYPES.len()],
    /// The first local of the pool.
    pub(super) first: usize,
    /// Whether this is a device function, which has no items and no arrays.
    pub(super) in_function: bool,
    /// What a `return` gives.
    pub(super) ret: Ty,
    pub(super) functions: Vec<&'static FnIr>,
    pub(super) mode: FloatMode,
    /// Whether indices may be out of range and divisors zero.
    pub(super) may_fail: bool,
    /// Whether indices and ends of loops are made of what may wrap.
    pub(super) wraps: bool,
    /// Whether functions of `flash::math` that are long may be called.
    pub(super) has_math: bool,
    /// By access, whether it is in range whatever the launch.
    pub(super) inside: Vec<bool>,
    pub(super) budget: usize,
    pub(super) loops: usize,
    /// Indices around what is drawn.
    pub(super) indices: usize,
    pub(super) line: u32,
}

/// A scalar as a type.
pub(super) fn scalar(ty: ScalarTy) -> Ty {
    Ty::Scalar(ty)
}

pub(super) const USIZE: Ty = Ty::Scalar(ScalarTy::Usize);
pub(super) const U32: Ty = Ty::Scalar(ScalarTy::U32);
pub(super) const BOOL: Ty = Ty::Scalar(ScalarTy::Bool);

pub(super) const INTS: [ScalarTy; 10] = [
    ScalarTy::I8,
    ScalarTy::I16,
    ScalarTy::I32,
    ScalarTy::I64,
    ScalarTy::Isize,
    ScalarTy::U8,
    ScalarTy::U16,
    ScalarTy::U32,
    ScalarTy::U64,
    ScalarTy::Usize,
];

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let rank = random.pick(&[1, 1, 1, 2, 2, 3, 4]);
        let mode = if random.chance(12) { FloatMode::Fast } else { FloatMode::Strict };
        let (may_fail, has_math) = (random.chance(15), random.chance(12));
        let wraps = random.chance(12);
        Self {
            random,
            rank,
            params: Vec::new(),
            arrays: Vec::new(),
            reductions: Vec::new(),
            scopes: vec![Vec::new()],
            taken: [0; pool::TYPES.len()],
            first: 0,
            in_function: false,
            ret: Ty::Unit,
            functions: Vec::new(),
            mode,
            may_fail,
            wraps,
            has_math,
            inside: Vec::new(),
            budget: 0,
            loops: 0,
            indices: 0,
            line: 0,
        }
    }

    pub(super) fn number(&mut self) -> ScalarTy {
        match self.random.below(10) {
            0..6 => self.random.pick(&INTS),
            6..8 => ScalarTy::F32,
            8 => ScalarTy::F64,
            _ => ScalarTy::I32,
        }
    }

    pub(super) fn at(&mut self) -> Span {
        self.line += 1;
        Span::at(self.line, 1)
    }

    pub(super) fn expr_of(&mut self, kind: ExprKind) -> Expr {
        let Span { line, column } = self.at();
        Expr::at(line, column, true, kind)
    }

    /// An access, and whether the launch is known to keep it in range.
    pub(super) fn access(&mut self, param: u16, index: Vec<Expr>, known: bool) -> Access {
        let site = self.inside.len() as u16;
        let inside = known && self.random.chance(60);
        self.inside.push(inside);
        let class = if known && self.random.chance(10) {
            AccessClass::Unchecked
        } else {
            AccessClass::Checked
        };
        let affine = all(index.iter().map(|_| None).collect());
        let (index, span) = (all(index), self.at());
        Access { param, site, space: AddressSpace::Global, index, affine, class, span }
    }
}

/// The number `bits` of a type as a literal's value.
pub(super) fn literal(bits: u64, ty: ScalarTy) -> ExprKind {
    ExprKind::Int(u128::from(bits), Some(ty))
}

/// `a op b`.
pub(super) fn binary(draw: &mut Draw, op: BinOp, a: Expr, b: Expr) -> Expr {
    let mode = draw.mode;
    draw.expr_of(ExprKind::Binary(op, keep(a), keep(b), mode))
}

/// The type of a Rust type.
pub(super) const fn of<T: DevTy>() -> Ty {
    T::TY
}
