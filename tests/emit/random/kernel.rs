//! A kernel drawn from a seed, as IR: its parameters, its space and what its text may rely on. What its
//! body is made of is in the other files.

use flash_ir::emit::{Options, TableIds};
use flash_ir::ir::{AtomicOp, Block, ExprKind, KernelIr, Param, ParamKind, ReduceOp, Stmt};
use flash_ir::{ScalarTy, Ty};

use super::draw::{Array, BOOL, Draw, USIZE, Use, all, keep, scalar};
use super::pool;

/// A drawn kernel and a launch of it.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) ir: &'static KernelIr,
    /// Dimension 0 first.
    pub(super) extents: Vec<usize>,
    /// The shape of each parameter; none of a value or a reduction.
    pub(super) shapes: Vec<Vec<usize>>,
    /// The dimension of the space that each index of an item's own place is of; none of what has no such
    /// place.
    pub(super) own: Vec<Vec<u8>>,
    /// Elements from one index to the next along the last dimension of each array.
    pub(super) spacing: Vec<usize>,
    /// What parameters hold that is not drawn; of an array, from its first element on.
    pub(super) given: Vec<(usize, Vec<u8>)>,
    pub(super) options: Options,
    /// Whether indices and ends of loops are made of what may wrap.
    pub(super) wraps: bool,
    pub(super) seed: u64,
}

impl Draw {
    fn param(&mut self, kind: ParamKind, ty: Ty, rank: usize) -> u16 {
        let number = self.params.len();
        let letter = match kind {
            ParamKind::Value => "a",
            ParamKind::In => "x",
            ParamKind::Scratch => "t",
            ParamKind::Reduce(_) => "s",
            ParamKind::Atomic => "c",
            _ => "y",
        };
        let name = String::leak(format!("{letter}{number}"));
        self.params.push(Param { name, kind, ty, rank: rank as u8 });
        number as u16
    }

    /// The type of the elements of an array.
    fn element(&mut self) -> Ty {
        match self.random.below(12) {
            0 => pool::CELL,
            1 => pool::CLOUD,
            _ => scalar(self.number()),
        }
    }

    fn array(&mut self, kind: ParamKind, ty: Ty, used: Use, dims: Vec<u8>) {
        let param = self.param(kind, ty, dims.len());
        self.arrays.push(Array { param, ty, dims, used });
    }

    fn parameters(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            let ty = match self.random.below(8) {
                0 => pool::CELL,
                1 => BOOL,
                _ => scalar(self.number()),
            };
            self.param(ParamKind::Value, ty, 0);
        }
        let own: Vec<u8> = (0..self.rank as u8).rev().collect();
        for _ in 0..1 + self.random.below(2) {
            let mut dims = own.clone();
            while dims.len() > 1 && self.random.chance(30) {
                dims.remove(0);
            }
            let ty = self.element();
            self.array(ParamKind::In, ty, Use::Read, dims);
        }
        for _ in 0..1 + self.random.below(2) {
            let ty = self.element();
            let kind = self.random.pick(&[
                ParamKind::InOut,
                ParamKind::Out,
                ParamKind::OutPartial,
                ParamKind::Scratch,
            ]);
            let mut dims = own.clone();
            dims.rotate_left(self.random.below(self.rank));
            self.array(kind, ty, Use::Own, dims);
        }
        let reductions = self.random.pick(&[0, 0, 0, 0, 0, 0, 1, 2]);
        for _ in 0..reductions {
            let ty = self.number();
            let ops: &[ReduceOp] = if ty.is_float() {
                &[ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max]
            } else {
                &[
                    ReduceOp::Add,
                    ReduceOp::Mul,
                    ReduceOp::Min,
                    ReduceOp::Max,
                    ReduceOp::And,
                    ReduceOp::Or,
                    ReduceOp::Xor,
                ]
            };
            let op = self.random.pick(ops);
            let param = self.param(ParamKind::Reduce(op), scalar(ty), 0);
            self.reductions.push((param, ty));
        }
        let cells = self.random.pick(&[0, 0, 1, 2]);
        for _ in 0..cells {
            let ty = self.random.pick(&[
                ScalarTy::I32,
                ScalarTy::U32,
                ScalarTy::I64,
                ScalarTy::U64,
                ScalarTy::Isize,
                ScalarTy::Usize,
                ScalarTy::F32,
                ScalarTy::F64,
            ]);
            let shared = [
                AtomicOp::FetchAdd,
                AtomicOp::FetchSub,
                AtomicOp::FetchMin,
                AtomicOp::FetchMax,
                AtomicOp::FetchAnd,
                AtomicOp::FetchOr,
                AtomicOp::FetchXor,
            ];
            let n = if ty.is_float() { 4 } else { shared.len() };
            let used = if self.random.chance(50) {
                Use::Shared(self.random.pick(&shared[..n]))
            } else {
                Use::OwnCells
            };
            self.array(ParamKind::Atomic, scalar(ty), used, own.clone());
        }
    }

    fn body(&mut self) -> Block {
        let mut stmts = Vec::new();
        for dim in 0..self.rank {
            let id = self.fresh(USIZE).expect("the pool is full");
            let value = self.expr_of(ExprKind::GlobalId(dim as u8));
            stmts.push(Stmt::Let(id, Some(value), self.at()));
            self.declare(id, USIZE, false);
        }
        self.budget = 2 + self.random.below(7);
        while self.budget > 0 {
            self.stmt(&mut stmts, true);
        }
        for at in 0..self.arrays.len() {
            self.write(&mut stmts, at);
        }
        for at in 0..self.reductions.len() {
            self.reduce(&mut stmts, at);
        }
        Block { stmts: all(stmts), tail: None }
    }

    fn extents(&mut self) -> Vec<usize> {
        // Several reduction blocks take many items.
        if !self.reductions.is_empty() && self.random.chance(4) {
            let more = self.random.below(900);
            return match self.rank {
                1 => vec![4090 + more],
                2 => vec![70, 60 + more / 20],
                3 => vec![17, 16, 16 + more / 90],
                _ => vec![5, 9, 10, 10 + more / 90],
            };
        }
        let most = [60, 9, 5, 4][self.rank - 1];
        (0..self.rank).map(|_| 1 + self.random.below(most)).collect()
    }
}

/// The kernel of a seed.
pub(super) fn kernel(seed: u64) -> Drawn {
    let mut draw = Draw::new(seed);
    draw.parameters();
    for number in 0..draw.random.pick(&[0, 0, 1, 2]) {
        draw.function(number);
    }
    let body = draw.body();
    let extents = draw.extents();
    let shape = |dims: &[u8]| dims.iter().map(|&d| extents[usize::from(d)]).collect();
    let mut shapes = vec![Vec::new(); draw.params.len()];
    let mut own = vec![Vec::new(); draw.params.len()];
    for array in &draw.arrays {
        let param = usize::from(array.param);
        shapes[param] = shape(&array.dims);
        if array.used == Use::Own {
            own[param] = array.dims.clone();
        }
    }
    let spacing: Vec<usize> =
        draw.params.iter().map(|_| if draw.random.chance(25) { 2 } else { 1 }).collect();
    let unit_stride = spacing.iter().map(|&by| by == 1 && draw.random.chance(70)).collect();
    let numbers = if seed.is_multiple_of(2) { TableIds::U32 } else { TableIds::U64 };
    let options = Options {
        inside: std::mem::take(&mut draw.inside),
        unit_stride,
        wide: draw.random.chance(40),
        check_all: draw.random.chance(20),
        table: draw.random.chance(25).then_some(numbers),
        exact: false,
        together: false,
    };
    let wraps = draw.wraps;
    let ir = keep(KernelIr {
        name: String::leak(format!("k{seed}")),
        file: "drawn.rs",
        rank: draw.rank as u8,
        params: all(std::mem::take(&mut draw.params)),
        locals: pool::LOCALS,
        body,
        float: draw.mode,
    });
    Drawn { ir, extents, shapes, own, spacing, given: Vec::new(), options, wraps, seed }
}
