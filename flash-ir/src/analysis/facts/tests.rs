//! Intervals hold what the interpreter computes, whatever wraps on the way.

use super::*;
use crate::interp::{MAX_ARRAY_RANK, Memory, Program, Run};
use crate::ir::{
    Access, AccessClass, AddressSpace, FloatMode, Locals, Param, ParamKind, Proj, Span,
};

const INTS: [ScalarTy; 10] = [
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

/// Locals of each type: those that are defined, a loop variable and a value.
const EACH: usize = 5;
const LOOP: usize = 3;
const VALUE: usize = 4;
/// The id, a counter of trips and a condition.
const ID: LocalId = (INTS.len() * EACH) as LocalId;
const TRIP: LocalId = ID + 1;
const HOLDS: LocalId = ID + 2;
const N_LOCALS: usize = INTS.len() * EACH + 3;
/// Trips of a loop that are looked at.
const TRIPS: usize = 6;

fn types() -> Vec<Ty> {
    let of_ints = INTS.iter().flat_map(|&ty| [Ty::Scalar(ty); EACH]);
    let own = [ScalarTy::Usize, ScalarTy::Usize, ScalarTy::Bool].map(Ty::Scalar);
    of_ints.chain(own).collect()
}

/// The place of a type among them.
fn number(ty: ScalarTy) -> usize {
    INTS.iter().position(|of| *of == ty).unwrap()
}

fn local(ty: ScalarTy, which: usize) -> LocalId {
    (number(ty) * EACH + which) as LocalId
}

/// A value of each type, then the two arrays.
fn params() -> &'static [Param] {
    let value = |ty| Param { name: "p", kind: ParamKind::Value, ty: Ty::Scalar(ty), rank: 0 };
    let mut all: Vec<Param> = INTS.into_iter().map(value).collect();
    let out = ParamKind::OutPartial;
    all.extend(["y", "z"].map(|name| Param {
        name,
        kind: out,
        ty: Ty::Scalar(ScalarTy::U64),
        rank: 2,
    }));
    all.leak()
}

fn expr(kind: ExprKind) -> Expr {
    Expr::at(1, 1, true, kind)
}

fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn int(value: u128, ty: ScalarTy) -> Expr {
    expr(ExprKind::Int(value, Some(ty)))
}

/// A literal that has the type of its context.
fn bare(value: u128) -> Expr {
    expr(ExprKind::Int(value, None))
}

fn var(id: LocalId) -> Expr {
    expr(ExprKind::Local(id))
}

fn param(ty: ScalarTy) -> Expr {
    expr(ExprKind::Param(number(ty) as u16))
}

fn id() -> Expr {
    expr(ExprKind::GlobalId(0))
}

fn two(op: BinOp, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Binary(op, keep(a), keep(b), FloatMode::Strict))
}

fn neg(a: Expr) -> Expr {
    expr(ExprKind::Unary(UnOp::Neg, keep(a), FloatMode::Strict))
}

fn math(function: MathFn, args: Vec<Expr>) -> Expr {
    expr(ExprKind::Math(function, args.leak(), FloatMode::Strict))
}

fn cast(a: Expr, ty: ScalarTy) -> Expr {
    expr(ExprKind::Cast(keep(a), Ty::Scalar(ty)))
}

fn choice(cond: Expr, a: Expr, b: Expr) -> Expr {
    let side = |tail| Block { stmts: &[], tail: Some(keep(tail)) };
    expr(ExprKind::If(keep(cond), side(a), Some(side(b))))
}

/// `array[[id, trip]] = value`
fn store(array: usize, value: Expr) -> Stmt {
    let access = Access {
        param: (INTS.len() + array) as u16,
        site: array as u16,
        space: AddressSpace::Global,
        index: vec![var(ID), var(TRIP)].leak(),
        affine: &[None, None],
        class: AccessClass::Checked,
        span: Span::default(),
    };
    Stmt::Assign(Place::Elem(access, &[] as &[Proj]), value, Span::default())
}

/// A kernel of some definitions and a loop, which stores a value and a condition in each of its first trips.
struct Body {
    lets: Vec<Stmt>,
    range: (ScalarTy, Expr, Expr, bool),
    rev: bool,
    step: Option<usize>,
    value: (ScalarTy, Expr),
    cond: Expr,
}

impl Body {
    fn kernel(self) -> &'static KernelIr {
        let at = Span::default();
        let mut stmts =
            vec![Stmt::Let(ID, Some(id()), at), Stmt::Let(TRIP, Some(int(0, ScalarTy::Usize)), at)];
        stmts.extend(self.lets);
        let enough = two(BinOp::Ge, var(TRIP), bare(TRIPS as u128));
        let leave = Block { stmts: keep([Stmt::Break(at)]), tail: None };
        let leaves = expr(ExprKind::If(keep(enough), leave, None));
        let (ty, value) = self.value;
        let one = int(1, ScalarTy::Usize);
        let holds = choice(var(HOLDS), int(2, ScalarTy::U64), int(1, ScalarTy::U64));
        let trip = vec![
            Stmt::Expr(leaves),
            Stmt::Let(local(ty, VALUE), Some(value), at),
            Stmt::Let(HOLDS, Some(self.cond), at),
            store(0, cast(var(local(ty, VALUE)), ScalarTy::U64)),
            store(1, holds),
            Stmt::Update(Place::Local(TRIP, &[]), BinOp::Add, one, FloatMode::Strict, at),
        ];
        let (of, lo, hi, inclusive) = self.range;
        stmts.push(Stmt::For {
            local: local(of, LOOP),
            lo,
            hi,
            inclusive,
            rev: self.rev,
            step: self.step.map(|step| int(step as u128, ScalarTy::Usize)),
            body: Block { stmts: trip.leak(), tail: None },
            span: at,
        });
        keep(KernelIr {
            name: "drawn",
            file: "",
            rank: 1,
            params: params(),
            locals: Locals { names: &["v"; N_LOCALS], types },
            body: Block { stmts: stmts.leak(), tail: None },
            float: FloatMode::Strict,
        })
    }
}

/// A launch: values, and what items have stored.
struct Launch {
    n: usize,
    values: [i128; INTS.len()],
    stored: [Vec<u64>; 2],
}

impl Launch {
    fn new(n: usize, values: [i128; INTS.len()]) -> Self {
        Self { n, values, stored: [(); 2].map(|()| vec![0; n * TRIPS]) }
    }
}

impl Facts for Launch {
    fn value(&self, param: usize) -> Option<i128> {
        self.values.get(param).copied()
    }
    fn extent(&self, _: usize, dim: usize) -> Option<usize> {
        Some([self.n, TRIPS][dim])
    }
    fn size(&self, _: usize) -> Option<usize> {
        Some(self.n)
    }
}

impl Memory for Launch {
    fn value(&mut self, param: usize, out: &mut [u8]) {
        out.copy_from_slice(&self.values[param].to_le_bytes()[..out.len()]);
    }
    fn shape(&mut self, _: usize) -> [usize; MAX_ARRAY_RANK] {
        [self.n, TRIPS, 1, 1]
    }
    fn read(&mut self, _: usize, _: &[usize], _: usize, _: &mut [u8]) -> bool {
        false
    }
    fn write(&mut self, param: usize, index: &[usize], _: usize, bytes: &[u8]) -> bool {
        let word = u64::from_le_bytes(bytes.try_into().unwrap());
        self.stored[param - INTS.len()][index[0] * TRIPS + index[1]] = word;
        true
    }
    fn partial(&mut self, _: usize, _: usize, _: &[u8]) {}
}

/// What is found of a value and of a condition of the body of a kernel, of all items.
fn found(
    kernel: &'static KernelIr,
    ty: ScalarTy,
    launch: &Launch,
) -> (Option<Interval>, Option<bool>) {
    let definitions = Definitions::of(&kernel.body, N_LOCALS);
    let items: (&[usize], &[usize]) = (&[0], &[launch.n]);
    let bounds = Bounds::new(kernel, &definitions, launch, Some(items));
    (bounds.interval(&var(local(ty, VALUE))), bounds.holds(&var(HOLDS)))
}

/// Values and conditions that items come to.
fn computed(
    kernel: &'static KernelIr,
    ty: ScalarTy,
    mut launch: Launch,
) -> Option<Vec<(i128, bool)>> {
    let n = launch.n;
    Program::new(kernel).ok()?.run(&mut launch, &[n], Run::default());
    let [values, holds] = launch.stored;
    let is_stored = values.into_iter().zip(holds).filter(|(_, holds)| *holds > 0);
    let value = |word: u64| match ty.is_signed() {
        true => i128::from(word as i64),
        false => i128::from(word),
    };
    Some(is_stored.map(|(word, holds)| (value(word), holds == 2)).collect())
}

/// Whether a value is one of an interval of its type.
fn is_in(value: i128, (first, last): Interval, ty: ScalarTy) -> bool {
    let is_widest = matches!(ty, ScalarTy::U64 | ScalarTy::Usize);
    (first..=last).contains(&value) || is_widest && (first..=last).contains(&(value - (1 << 64)))
}

/// What is known of a value in a launch of `n` items with these values of parameters, the loop variable
/// going through a range; fails where that is not so.
#[track_caller]
fn known(
    n: usize,
    values: &[(ScalarTy, i128)],
    range: (ScalarTy, Expr, Expr, bool),
    (ty, value): (ScalarTy, Expr),
) -> Option<Interval> {
    let mut all = [0; INTS.len()];
    values.iter().for_each(|&(ty, value)| all[number(ty)] = value);
    let cond = expr(ExprKind::Bool(true));
    let body = Body { lets: vec![], range, rev: false, step: None, value: (ty, value), cond };
    let kernel = body.kernel();
    let (interval, _) = found(kernel, ty, &Launch::new(n, all));
    for (value, _) in computed(kernel, ty, Launch::new(n, all)).unwrap() {
        assert!(interval.is_none_or(|found| is_in(value, found, ty)), "{value} in {interval:?}");
    }
    interval
}

/// The interval of an index, for eight items and one trip.
#[track_caller]
fn index(values: &[(ScalarTy, i128)], value: Expr) -> Option<Interval> {
    known(8, values, (ScalarTy::U8, bare(0), bare(1), false), (ScalarTy::Usize, value))
}

use ScalarTy::{I8, I32, I64, U8, U32, U64, Usize};

#[test]
fn loops_between_numbers_that_wrapped_are_not_known() {
    let upto = |hi, inclusive| (Usize, bare(0), hi, inclusive);
    let of_loop = |ty| (ty, var(local(ty, LOOP)));
    let size = || expr(ExprKind::GlobalSize(0));
    assert_eq!(known(8, &[], upto(two(BinOp::Sub, id(), bare(1)), false), of_loop(Usize)), None);
    assert_eq!(known(8, &[], upto(two(BinOp::Sub, id(), bare(1)), true), of_loop(Usize)), None);
    let before = two(BinOp::Sub, size(), bare(1));
    assert_eq!(known(8, &[], upto(before, false), of_loop(Usize)), Some((0, 6)));
    let of_param = || two(BinOp::Sub, param(U64), bare(2));
    let range = || (U64, bare(0), of_param(), false);
    assert_eq!(known(1, &[(U64, 1)], range(), of_loop(U64)), None);
    assert_eq!(known(1, &[(U64, 7)], range(), of_loop(U64)), Some((0, 4)));
    // A start that wrapped is beyond an end that did not.
    let around = || (two(BinOp::Sub, id(), bare(2)), two(BinOp::Add, id(), bare(3)));
    let (lo, hi) = around();
    assert_eq!(known(8, &[], (Usize, lo, hi, false), of_loop(Usize)), Some((0, 9)));
    let far = two(BinOp::Sub, int(u128::from(u64::MAX), Usize), id());
    assert_eq!(known(8, &[], (Usize, around().0, far, false), of_loop(Usize)), None);
    // Signed ones are what they are.
    let (lo, hi) = (neg(bare(3)), two(BinOp::Sub, cast(id(), I32), bare(1)));
    assert_eq!(known(8, &[], (I32, lo, hi, true), of_loop(I32)), Some((-3, 6)));
    let narrow = (U8, bare(0), two(BinOp::Sub, cast(id(), U8), bare(1)), false);
    assert_eq!(known(8, &[], narrow, of_loop(U8)), None);
}

#[test]
fn shifts_by_more_than_a_type_has_are_not_known() {
    for (ty, width) in [(U8, 8), (I8, 8), (U32, 32), (I32, 32), (U64, 64), (I64, 64)] {
        for op in [BinOp::Shl, BinOp::Shr] {
            let shifted = || cast(two(op, cast(id(), ty), param(U32)), Usize);
            for by in [width, width + 1, 2 * width, 200] {
                assert_eq!(index(&[(U32, by)], shifted()), None, "{ty:?} {op:?} {by}");
            }
            assert!(index(&[(U32, 2)], shifted()).is_some(), "{ty:?} {op:?}");
            let by_signed = cast(two(op, cast(id(), ty), param(I32)), Usize);
            assert_eq!(index(&[(I32, -1)], by_signed), None);
        }
    }
    assert_eq!(index(&[(U32, 1)], two(BinOp::Shr, id(), param(U32))), Some((0, 3)));
    assert_eq!(index(&[(U32, 63)], two(BinOp::Shl, id(), param(U32))), None);
    assert_eq!(index(&[(U32, 60)], two(BinOp::Shl, id(), param(U32))), Some((0, 7 << 60)));
    assert_eq!(
        index(&[(I8, 100), (U8, 1)], cast(two(BinOp::Shl, param(I8), param(U8)), Usize)),
        None
    );
}

#[test]
fn literals_have_the_type_of_their_context() {
    let shifted = |a: u128| {
        let left = two(BinOp::Shl, bare(a), param(U32));
        cast(two(BinOp::Shr, left, param(U32)), Usize)
    };
    // Of `i32`, as no context says another one.
    assert_eq!(index(&[(U32, 31)], shifted(3)), None);
    assert_eq!(index(&[(U32, 20)], shifted(3)), Some((3, 3)));
    let of_index = two(BinOp::Shl, bare(3), param(U32));
    assert_eq!(index(&[(U32, 31)], of_index), Some((3 << 31, 3 << 31)));
    let sum = |op| cast(two(op, bare(u128::from(i32::MAX as u32)), bare(2)), Usize);
    assert_eq!(index(&[], sum(BinOp::Add)), None);
    assert_eq!(index(&[], sum(BinOp::Div)), Some((0x3fff_ffff, 0x3fff_ffff)));
    // What its type does not hold is another number.
    assert_eq!(index(&[], cast(int(300, U8), Usize)), None);
    assert_eq!(index(&[], cast(two(BinOp::Div, param(U8), bare(300)), Usize)), None);
    assert_eq!(
        index(&[], two(BinOp::Add, cast(neg(int(128, I8)), Usize), bare(128))),
        Some((0, 0))
    );
    let huge = expr(ExprKind::Const(ConstValue::Int(i128::from(u64::MAX), Usize)));
    assert_eq!(index(&[], huge), Some((i128::from(u64::MAX), i128::from(u64::MAX))));
}

/// Whether a condition is known to hold, for eight items.
fn holds(values: &[(ScalarTy, i128)], cond: Expr) -> Option<bool> {
    let mut all = [0; INTS.len()];
    values.iter().for_each(|&(ty, value)| all[number(ty)] = value);
    let range = (U8, bare(0), bare(1), false);
    let body = Body { lets: vec![], range, rev: false, step: None, value: (Usize, bare(0)), cond };
    found(body.kernel(), Usize, &Launch::new(8, all)).1
}

#[test]
fn conditions_compare_the_numbers_themselves() {
    // Of `i32`, as neither side says another type.
    let shifted = || two(BinOp::Shl, bare(3), param(U32));
    assert_eq!(holds(&[(U32, 31)], two(BinOp::Gt, shifted(), bare(0))), None);
    assert_eq!(holds(&[(U32, 3)], two(BinOp::Gt, shifted(), bare(0))), Some(true));
    assert_eq!(holds(&[(U32, 31)], two(BinOp::Gt, shifted(), param(Usize))), Some(true));
    let before = || two(BinOp::Sub, id(), bare(1));
    assert_eq!(holds(&[], two(BinOp::Lt, before(), bare(9))), None);
    assert_eq!(holds(&[], two(BinOp::Lt, cast(before(), I32), bare(9))), Some(true));
}

#[test]
fn what_orders_and_divides_asks_for_the_number_itself() {
    let wrapped = || two(BinOp::Sub, id(), bare(3));
    assert_eq!(index(&[], wrapped()), Some((-3, 4)));
    assert_eq!(index(&[], two(BinOp::Add, wrapped(), bare(3))), Some((0, 7)));
    for function in [MathFn::Min, MathFn::Max] {
        assert_eq!(index(&[], math(function, vec![wrapped(), bare(2)])), None);
    }
    assert_eq!(index(&[], math(MathFn::Clamp, vec![id(), bare(0), wrapped()])), None);
    assert_eq!(index(&[], math(MathFn::Clamp, vec![wrapped(), bare(6), bare(2)])), Some((2, 2)));
    assert_eq!(index(&[], two(BinOp::Div, wrapped(), bare(2))), None);
    assert_eq!(index(&[], two(BinOp::Div, bare(20), wrapped())), None);
    assert_eq!(index(&[], two(BinOp::Rem, bare(20), wrapped())), None);
    assert_eq!(index(&[], two(BinOp::Rem, bare(20), id())), None);
    assert_eq!(index(&[], two(BinOp::Rem, wrapped(), bare(5))), Some((0, 4)));
    assert_eq!(index(&[], two(BinOp::And, wrapped(), bare(5))), None);
    assert_eq!(index(&[], two(BinOp::Shr, wrapped(), bare(1))), None);
    assert_eq!(index(&[], cast(cast(wrapped(), U32), Usize)), None);
    assert_eq!(index(&[], cast(cast(wrapped(), I32), Usize)), Some((-3, 4)));
    // Signed numbers are below zero without standing for others.
    let signed = || two(BinOp::Sub, cast(id(), I32), bare(3));
    let not_below = math(MathFn::Max, vec![signed(), bare(0)]);
    assert_eq!(index(&[], cast(not_below, Usize)), Some((0, 4)));
    assert_eq!(index(&[], cast(two(BinOp::Rem, signed(), bare(5)), Usize)), None);
    assert_eq!(index(&[], cast(two(BinOp::Div, signed(), bare(2)), Usize)), None);
    assert_eq!(index(&[], cast(signed(), Usize)), Some((-3, 4)));
    assert_eq!(index(&[], cast(signed(), U8)), None);
    assert_eq!(index(&[(I8, -128)], cast(neg(param(I8)), Usize)), None);
    assert_eq!(index(&[(I8, -127)], cast(neg(param(I8)), Usize)), Some((127, 127)));
    // Of one sign only in their own type.
    let bits = math(MathFn::LeadingZeros, vec![cast(id(), I32)]);
    assert_eq!(index(&[], cast(two(BinOp::Rem, bits, bare(4)), Usize)), Some((0, 3)));
    let turned = math(MathFn::RotateLeft, vec![bare(7), param(U32)]);
    assert_eq!(index(&[(U32, 29)], cast(two(BinOp::Rem, turned, bare(5)), Usize)), None);
    let any = math(MathFn::Abs, vec![signed()]);
    assert_eq!(index(&[], cast(any, Usize)), None);
}

/// A generator of numbers (splitmix64).
struct Draw {
    state: u64,
    /// The variables in scope.
    vars: Vec<(LocalId, ScalarTy)>,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A type, mostly that of indices.
    fn ty(&mut self) -> ScalarTy {
        if self.below(3) == 0 { Usize } else { self.pick(&INTS) }
    }

    /// A number that a type holds, mostly a small one, else one at an end of some type.
    fn value(&mut self, ty: ScalarTy) -> i128 {
        let width = 8 * ty.size() as u32;
        let (least, most) = match ty.is_signed() {
            true => (-(1_i128 << (width - 1)), (1 << (width - 1)) - 1),
            false => (0, (1 << width) - 1),
        };
        let few = self.below(9) as i128;
        let value = match self.below(10) {
            0..5 => few,
            5 => self.pick(&[31, 32, 33, 63, 64, 65, 7, 8, 9, 15, 16]),
            6 => most - few,
            7 => least + few,
            8 => (1 << self.below(width as usize)) - few,
            _ => -few,
        };
        value.clamp(least, most)
    }

    fn leaf(&mut self, ty: ScalarTy) -> Expr {
        let vars: Vec<LocalId> =
            self.vars.iter().filter(|(_, of)| *of == ty).map(|(id, _)| *id).collect();
        match self.below(10) {
            0..4 if !vars.is_empty() => var(self.pick(&vars)),
            0..2 => cast(id(), ty),
            2..4 => param(ty),
            4 | 5 if ty == Usize => {
                let array = INTS.len() as u16;
                let dim = self.below(2) as u8;
                expr(match self.below(4) {
                    0 | 1 => ExprKind::GlobalId(0),
                    2 => ExprKind::GlobalSize(0),
                    _ => ExprKind::Extent(array, dim),
                })
            }
            4 => {
                let value = self.value(ty);
                expr(ExprKind::Const(ConstValue::Int(value, ty)))
            }
            // Also one that is too large.
            5 => bare(self.pick(&[0, 1, 2, 3, 31, 64, 127, 128, 255, 300, 1 << 31])),
            6..8 => bare(self.below(9) as u128),
            _ => int(self.below(70) as u128, ty),
        }
    }

    fn expr(&mut self, ty: ScalarTy, depth: usize) -> Expr {
        let Some(d) = depth.checked_sub(1) else { return self.leaf(ty) };
        match self.below(16) {
            0..6 => {
                let op = self.pick(&[BinOp::Add, BinOp::Sub, BinOp::Sub, BinOp::Mul, BinOp::And]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                two(op, a, b)
            }
            6 | 7 => {
                let (op, by) = (self.pick(&[BinOp::Shl, BinOp::Shr, BinOp::Shr]), self.ty());
                let (a, b) = (self.expr(ty, d), self.leaf(by));
                two(op, a, b)
            }
            8 => {
                let op = self.pick(&[BinOp::Div, BinOp::Rem, BinOp::Rem, BinOp::Or]);
                let most = int(1 + self.below(9) as u128, ty);
                let a = self.expr(ty, d);
                let b = if self.below(3) == 0 { self.leaf(ty) } else { most };
                two(op, a, b)
            }
            9 | 10 => {
                let function = self.pick(&[
                    MathFn::Min,
                    MathFn::Max,
                    MathFn::Clamp,
                    MathFn::SaturatingSub,
                    MathFn::WrappingSub,
                ]);
                let n = if function == MathFn::Clamp { 3 } else { 2 };
                math(function, (0..n).map(|_| self.expr(ty, d)).collect())
            }
            11 | 12 => {
                let from = self.ty();
                cast(self.expr(from, d), ty)
            }
            13 if ty.is_signed() => neg(self.expr(ty, d)),
            13 => expr(ExprKind::Unary(UnOp::Not, keep(self.expr(ty, d)), FloatMode::Strict)),
            14 => {
                let (cond, a, b) = (self.cond(d), self.expr(ty, d), self.expr(ty, d));
                choice(cond, a, b)
            }
            _ => self.leaf(ty),
        }
    }

    fn cond(&mut self, depth: usize) -> Expr {
        let ty = self.ty();
        let ops = [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Eq, BinOp::Ne];
        let op = self.pick(&ops);
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        two(op, a, b)
    }

    fn body(&mut self) -> Body {
        let mut lets = Vec::new();
        for which in 0..self.below(LOOP + 1) {
            let ty = self.ty();
            let value = self.expr(ty, 2);
            lets.push(Stmt::Let(local(ty, which), Some(value), Span::default()));
            self.vars.push((local(ty, which), ty));
        }
        self.vars.push((ID, Usize));
        let of = self.ty();
        let (lo, hi) = (self.expr(of, 1), self.expr(of, 1));
        let lo = if self.below(2) == 0 { bare(self.below(3) as u128) } else { lo };
        self.vars.push((local(of, LOOP), of));
        let step = (self.below(4) == 0).then(|| 1 + self.below(3));
        let ty = self.ty();
        Body {
            lets,
            range: (of, lo, hi, self.below(3) == 0),
            rev: self.below(3) == 0,
            step,
            value: (ty, self.expr(ty, 3)),
            cond: self.cond(2),
        }
    }
}

#[test]
fn drawn_values_are_in_their_intervals() {
    let (mut known, mut held) = (0, 0);
    for seed in 0..6_000 {
        let mut draw = Draw { state: seed << 32, vars: Vec::new() };
        let values = INTS.map(|ty| draw.value(ty));
        let n = 1 + draw.below(9);
        let body = draw.body();
        let ty = body.value.0;
        let kernel = body.kernel();
        let (interval, holds) = found(kernel, ty, &Launch::new(n, values));
        let computed = computed(kernel, ty, Launch::new(n, values));
        let computed = computed.unwrap_or_else(|| panic!("{seed}: no types\n{kernel}"));
        for &(value, does) in &computed {
            assert!(
                interval.is_none_or(|interval| is_in(value, interval, ty)),
                "seed {seed}, {n} items, {values:?}: {value} is not in {interval:?}\n{kernel}"
            );
            assert!(
                holds.is_none_or(|holds| holds == does),
                "seed {seed}, {n} items, {values:?}: it is said to be {holds:?}\n{kernel}"
            );
        }
        known += usize::from(interval.is_some() && !computed.is_empty());
        held += usize::from(holds.is_some() && !computed.is_empty());
    }
    assert!(known > 500 && held > 500, "{known} and {held}");
}
