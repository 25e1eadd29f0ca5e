//! The constant IR that kernels carry: its text, its types, its meaning at the edges, and what the
//! analyses say of it. That it means what the CPU runs is in `random_bodies.rs`.
#![allow(clippy::single_range_in_vec_init, reason = "a region has a range for each dimension")]
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use flash::{Atomic, View, ViewMut};
use flash_ir::Dims;
use flash_ir::analysis::{self, Facts, Footprint, Mode, Reach};
use flash_ir::interp::{
    Fault, FaultKind, MAX_ARRAY_RANK, Memory, Notes, Order, Part, Program, Race, Recorder, Run,
    Touch, Violation,
};
use flash_ir::ir::{
    Access, AccessClass, AddressSpace, Block, Expr, ExprKind, FloatMode, KernelIr, Locals, Param,
    ParamKind, Place, Span, Stmt,
};
use flash_ir::ty::{ScalarTy, Ty};
use flash_test_devices as far;

/// An element of a test array.
trait Elem: Copy {
    fn put(self) -> Vec<u8>;
    fn get(bytes: &[u8]) -> Self;
}
macro_rules! elems {
    ($($t:ty)*) => { $(impl Elem for $t {
        fn put(self) -> Vec<u8> { self.to_le_bytes().to_vec() }
        fn get(bytes: &[u8]) -> Self { Self::from_le_bytes(bytes.try_into().unwrap()) }
    })* };
}
elems!(u8 u32 i32 i64 u64 f32 f64);

/// Arrays by parameter; a value is an array of one element.
#[derive(Default)]
struct Arrays(Vec<(usize, [usize; MAX_ARRAY_RANK], Vec<u8>)>);

impl Arrays {
    fn with<T: Elem>(mut self, items: &[T]) -> Self {
        let bytes = items.iter().flat_map(|item| item.put()).collect();
        self.0.push((size_of::<T>(), [items.len(), 1, 1, 1], bytes));
        self
    }

    fn items<T: Elem>(&self, param: usize) -> Vec<T> {
        self.0[param].2.chunks_exact(size_of::<T>()).map(T::get).collect()
    }

    fn at(&self, param: usize, index: &[usize], offset: usize) -> usize {
        let (size, shape, _) = &self.0[param];
        index.iter().zip(shape).fold(0, |sum, (index, extent)| sum * extent + index) * size + offset
    }

    fn run(&mut self, ir: &'static KernelIr, extents: &[usize]) -> Notes {
        Program::new(ir).unwrap().run(self, extents, Run::default())
    }

    fn race(&mut self, ir: &'static KernelIr, extents: &[usize], order: Order) -> Option<Race> {
        let mut recorder = Recorder::new();
        let run = Run { order, recorder: Some(&mut recorder), ..Run::default() };
        Program::new(ir).unwrap().run(self, extents, run);
        recorder.race()
    }
}

impl Memory for Arrays {
    fn value(&mut self, param: usize, out: &mut [u8]) {
        out.copy_from_slice(&self.0[param].2);
    }
    fn shape(&mut self, param: usize) -> [usize; MAX_ARRAY_RANK] {
        self.0[param].1
    }
    fn read(&mut self, param: usize, index: &[usize], offset: usize, out: &mut [u8]) -> bool {
        let at = self.at(param, index, offset);
        out.copy_from_slice(&self.0[param].2[at..at + out.len()]);
        true
    }
    fn write(&mut self, param: usize, index: &[usize], offset: usize, bytes: &[u8]) -> bool {
        let at = self.at(param, index, offset);
        self.0[param].2[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }
    fn partial(&mut self, param: usize, _: usize, bytes: &[u8]) {
        self.0[param].2.extend_from_slice(bytes);
    }
}

macro_rules! ir {
    ($kernel:ident) => {
        $kernel::DESCRIPTOR.ir.unwrap()
    };
}

#[flash::kernel(inputs = 2)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

#[flash::kernel]
fn mixture(n: u32, x: &[f32], im: View<'_, u8, 2>, cells: &mut [u32], #[reduce(max)] s: &mut i64) {
    let i = global_id(0);
    let mut sum = 0.0;
    for k in (0..n).rev().step_by(2) {
        sum += x[(i + k as usize) % x.len()].sqrt();
        if sum > 1e3 {
            break;
        }
    }
    let table = [1_u32, 2, 3];
    let id = far::mix(sum as u32, table[i % 3]);
    if i + 1 < im.extent(1) && i >= 2 {
        cells[i] += im[[0, i - 2]] as u32 + far::MASK;
    } else {
        cells[i] = !id;
    }
    *s = s.max(id as i64);
}

#[test]
fn text_is_readable() {
    assert_eq!(
        ir!(saxpy).to_string(),
        "kernel saxpy<1>(a: f32, x: in [f32; 1], y: inout [f32; 1]) {\n    \
             let i = id0;\n    \
             y[own i] = ((a * x[affine i]) + y[own i]);\n\
         }"
    );
    assert_eq!(
        ir!(mixture).to_string(),
        "kernel mixture<1>(n: u32, x: in [f32; 1], im: in [u8; 2], cells: inout [u32; 1], \
         s: reduce(max) i64) {\n    \
             let i = id0;\n    \
             let sum = 0.0;\n    \
             for k in 0..n rev by 2 {\n        \
                 sum += sqrt(x[((i + (k as usize)) % x.len)]);\n        \
                 if (sum > 1e3) {\n            \
                     break;\n        \
                 };\n    \
             }\n    \
             let table = [1u32, 2, 3];\n    \
             let id = mix((sum as u32), table[(i % 3)]);\n    \
             if (((i + 1) < im.extent1) && (i >= 2)) {\n        \
                 cells[own i] += ((im[affine 0, (i - 2)] as u32) + 16754085u32);\n    \
             } else {\n        \
                 cells[own i] = !id;\n    \
             };\n    \
             reduce s by (id as i64);\n\
         }"
    );
}

#[test]
fn types_of_locals_are_those_of_rustc() {
    let types = (ir!(mixture).locals.types)();
    let scalar = Ty::Scalar;
    assert_eq!(
        types,
        [
            scalar(ScalarTy::Usize),
            scalar(ScalarTy::F32),
            scalar(ScalarTy::U32),
            Ty::Array(&Ty::Scalar(ScalarTy::U32), 3),
            scalar(ScalarTy::U32),
        ]
    );
}

#[flash::kernel(inputs = 1)]
fn literals(x: &[i64], #[out] y: &mut [i64]) {
    let i = global_id(0);
    let far = 1 << 40;
    let wide = x[i] + (1 << 33);
    let narrow = 200 as u8;
    let chosen = if x[i] > 0 { 3_000_000_000 } else { -3_000_000_000 };
    let shifted = 1_u64 << x[i];
    let float = 16_777_217 as f32 + 1e0;
    let least = -9_223_372_036_854_775_808;
    y[i] = far + wide + narrow as i64 + chosen + shifted as i64 + float as i64;
    y[i] =
        y[i].max(least) + (-1_i8) as u8 as i64 + (2.9e9 as u32) as i64 + (0.1 + 0.2 == 0.3) as i64;
}

#[test]
fn literals_take_the_type_of_their_context() {
    let x = [5_i64, -2, 40];
    let mut arrays = Arrays::default().with(&x).with(&[0_i64; 3]);
    assert_eq!(arrays.run(ir!(literals), &[3]), Notes::default());
    let want = x.map(|x| {
        let chosen: i64 = if x > 0 { 3_000_000_000 } else { -3_000_000_000 };
        let first = (1_i64 << 40) + x + (1 << 33) + 200 + chosen;
        first
            + 1_u64.wrapping_shl(x as u32) as i64
            + (16_777_217_f32 + 1.0) as i64
            + 255
            + 2_900_000_000
    });
    assert_eq!(arrays.items::<i64>(1), want);
}

#[flash::kernel(inputs = 1)]
fn edges(x: &[f64], #[out] a: &mut [i32], #[out] b: &mut [u8], #[out] c: &mut [u32]) {
    let i = global_id(0);
    a[i] = x[i] as i32;
    b[i] = x[i] as u8;
    c[i] = (x[i] as i32 as u32).wrapping_mul(3) >> 1;
}

#[test]
fn casts_saturate_and_integers_wrap() {
    let x = [f64::NAN, 1e300, -1e300, -1.9, 255.9, 256.0, 3e9, f64::NEG_INFINITY];
    let zeros = [0; 8];
    let mut arrays = Arrays::default().with(&x).with(&zeros).with(&[0_u8; 8]).with(&[0_u32; 8]);
    assert_eq!(arrays.run(ir!(edges), &[8]), Notes::default());
    assert_eq!(arrays.items::<i32>(1), x.map(|x| x as i32));
    assert_eq!(arrays.items::<u8>(2), x.map(|x| x as u8));
    assert_eq!(arrays.items::<u32>(3), x.map(|x| (x as i32 as u32).wrapping_mul(3) >> 1));
}

#[flash::kernel(inputs = 2)]
fn gather(from: &[u32], x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    let table = [1, 2, 3];
    y[i] = x[from[i] as usize] + (table[from[i] as usize % 5] / (from[i] as i32 % 7)) as f32;
}

#[test]
fn what_goes_wrong_is_noted_at_the_lowest_item() {
    // Items 3 and 1 read outside of `x`, item 2 outside of `table`, item 4 divides by zero.
    let from = [1_u32, 11, 3, 16, 7];
    for order in [Order::Ascending, Order::Shuffled(3), Order::Shuffled(4)] {
        let mut arrays = Arrays::default().with(&from).with(&[1.5_f32; 10]).with(&[-1.0_f32; 5]);
        let program = Program::new(ir!(gather)).unwrap();
        let notes = program.run(&mut arrays, &[5], Run { order, ..Run::default() });
        let first = Violation { item: 1, param: 1, index: [11, 0, 0, 0] };
        assert_eq!(notes.violation, Some(first));
        let Some(Fault { item, span, what }) = notes.fault else { panic!("no fault") };
        assert_eq!((item, what), (2, FaultKind::Index));
        assert_ne!(span, Span::default());
        // Zero was read, the faulty items wrote nothing.
        assert_eq!(arrays.items::<f32>(2), [3.5, 0.0, -1.0, 1.0, -1.0]);
    }
}

#[flash::kernel(inputs = 2)]
fn scatter(to: &[u32], x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: the tests pass a permutation, or run it where a race is only recorded.
    unsafe {
        y[to[i] as usize] = x[i];
    }
}

#[test]
fn a_race_is_found_where_the_rule_is_switched_off() {
    let x: Vec<u32> = (0..6).collect();
    let arrays = |to: &[u32]| Arrays::default().with(to).with(&x).with(&[0_u32; 6]);
    for order in [Order::Ascending, Order::Shuffled(1), Order::Shuffled(2)] {
        assert_eq!(arrays(&[5, 3, 1, 0, 2, 4]).race(ir!(scatter), &[6], order), None);
        let race = arrays(&[5, 3, 1, 0, 3, 4]).race(ir!(scatter), &[6], order);
        let Some(Race { param, element, first, second }) = race else { panic!("no race") };
        assert_eq!((param, element), (2, 3));
        assert_eq!((first.1, second.1), (Touch::Write, Touch::Write));
        assert_eq!(first.0 + second.0, 1 + 4);
    }
}

/// `y[i] = y[i + 1]`, which the front end refuses.
static SHIFT: KernelIr = KernelIr {
    name: "shift",
    file: "",
    rank: 1,
    params: &[Param { name: "y", kind: ParamKind::InOut, ty: Ty::Scalar(ScalarTy::U32), rank: 1 }],
    locals: Locals { names: &[], types: Vec::new },
    body: Block {
        stmts: &[Stmt::Assign(
            Place::Elem(
                Access {
                    param: 0,
                    site: 0,
                    space: AddressSpace::Global,
                    index: &[Expr::at(1, 1, true, ExprKind::GlobalId(0))],
                    affine: &[None],
                    class: AccessClass::Own,
                    span: Span::at(1, 1),
                },
                &[],
            ),
            Expr::at(
                1,
                2,
                true,
                ExprKind::Load(Access {
                    param: 0,
                    site: 1,
                    space: AddressSpace::Global,
                    index: &[Expr::at(
                        1,
                        3,
                        true,
                        ExprKind::Binary(
                            flash_ir::ir::BinOp::Add,
                            &Expr::at(1, 3, true, ExprKind::GlobalId(0)),
                            &Expr::at(1, 4, false, ExprKind::Int(1, None)),
                            FloatMode::Strict,
                        ),
                    )],
                    affine: &[None],
                    class: AccessClass::Checked,
                    span: Span::at(1, 2),
                }),
            ),
            Span::at(1, 1),
        )],
        tail: None,
    },
    float: FloatMode::Strict,
};

#[test]
fn a_read_beside_a_write_is_a_race() {
    let race = Arrays::default().with(&[1_u32, 2, 3]).race(&SHIFT, &[2], Order::Ascending);
    let want = Race { param: 0, element: 1, first: (0, Touch::Read), second: (1, Touch::Write) };
    assert_eq!(race, Some(want));
    // One item alone races with nobody.
    assert_eq!(Arrays::default().with(&[1_u32, 2]).race(&SHIFT, &[1], Order::Ascending), None);
}

/// A float literal as an index, and a field of a number.
static NONSENSE: KernelIr = KernelIr {
    name: "nonsense",
    file: "",
    rank: 1,
    params: &[],
    locals: Locals { names: &["a"], types: || vec![Ty::Scalar(ScalarTy::U32)] },
    body: Block {
        stmts: &[
            Stmt::Let(
                0,
                Some(Expr::at(4, 9, false, ExprKind::Float("1.5", Some(ScalarTy::U8)))),
                Span::at(4, 5),
            ),
            Stmt::Expr(Expr::at(
                5,
                5,
                false,
                ExprKind::Field(&Expr::at(5, 5, false, ExprKind::Local(0)), "rho"),
            )),
        ],
        tail: None,
    },
    float: FloatMode::Strict,
};

#[test]
fn what_cannot_be_said_is_listed() {
    let unsaid = Program::new(&NONSENSE).unwrap_err();
    let text: Vec<String> = unsaid.iter().map(ToString::to_string).collect();
    assert_eq!(
        text,
        [
            "line 4: the literal 1.5 where no float belongs",
            "line 5: field `rho` of what is no structure"
        ]
    );
}

#[flash::kernel]
fn sums(x: &[f32], #[reduce(+)] s: &mut f32) {
    let i = global_id(0);
    *s += x[i] * x[i];
    if i % 3 == 0 {
        *s += 0.1;
    }
}

#[test]
fn parts_and_orders_reduce_to_the_same_bits() {
    let x: Vec<f32> = (0..10_000).map(|k| (k as f32 * 0.37).sin()).collect();
    let partials = |order: Order, parts: Vec<Part>| {
        let mut arrays = Arrays::default().with(&x).with::<f32>(&[]);
        for part in parts {
            let run = Run { order, part, ..Run::default() };
            let notes = Program::new(ir!(sums)).unwrap().run(&mut arrays, &[x.len()], run);
            assert_eq!(notes, Notes::default());
        }
        arrays.items::<f32>(1)
    };
    let whole = partials(Order::Ascending, vec![Part::Whole]);
    assert_eq!(whole.len(), 3);
    assert_eq!(partials(Order::Shuffled(9), vec![Part::Whole]), whole);
    let parts = vec![Part::Blocks(0..1), Part::Blocks(1..3)];
    assert_eq!(partials(Order::Ascending, parts.clone()), whole);
    assert_eq!(partials(Order::Shuffled(2), parts), whole);
}

#[test]
fn a_box_of_items_writes_its_own_places_only() {
    let x: Vec<f32> = (0..8).map(|k| k as f32).collect();
    let mut arrays = Arrays::default().with(&[2.0_f32]).with(&x).with(&[0.5_f32; 8]);
    let run =
        Run { part: Part::Items(Dims::from_elem(2, 1), Dims::from_elem(5, 1)), ..Run::default() };
    Program::new(ir!(saxpy)).unwrap().run(&mut arrays, &[8], run);
    assert_eq!(arrays.items::<f32>(2), [0.5, 0.5, 4.5, 6.5, 8.5, 0.5, 0.5, 0.5]);
}

#[flash::kernel]
fn stencil(
    n: u32,
    at: &[u32],
    x: &[f32],
    im: View<'_, f32, 2>,
    out: ViewMut<'_, f32, 2>,
    bins: &[Atomic<u32>],
) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = im[[j, i + 1]] + x[3];
    for k in 0..n as usize {
        sum += im[[j + k, i / 2]];
    }
    sum += x[at[i] as usize];
    sum += x[at[i] as usize % 8];
    bins[i % bins.len()].fetch_add(1);
    out[[j, i]] += sum;
}

struct Known;

impl Facts for Known {
    fn value(&self, param: usize) -> Option<i128> {
        (param == 0).then_some(4)
    }
    fn extent(&self, param: usize, dim: usize) -> Option<usize> {
        Some(match (param, dim) {
            (3 | 4, 0) => 20,
            (3 | 4, _) => 30,
            (5, _) => 16,
            _ => 100,
        })
    }
    fn size(&self, dim: usize) -> Option<usize> {
        Some([30, 20][dim])
    }
}

#[test]
fn footprints_and_their_boxes() {
    let ir = ir!(stencil);
    let all = analysis::footprints(ir);
    let seen: Vec<_> = all.iter().map(|f| (f.param, f.mode, f.reach)).collect();
    assert_eq!(
        seen,
        [
            (3, Mode::Read, Reach::Affine),
            (2, Mode::Read, Reach::Affine),
            (3, Mode::Read, Reach::Interval),
            (1, Mode::Read, Reach::Affine),
            (2, Mode::Read, Reach::Whole),
            (1, Mode::Read, Reach::Affine),
            (2, Mode::Read, Reach::Interval),
            (5, Mode::Atomic, Reach::Interval),
            (4, Mode::Update, Reach::Own),
        ]
    );
    let (lo, hi) = (&[10, 5], &[30, 18]);
    let region = |f: &Footprint| analysis::region(ir, f, &Known, lo, hi).unwrap();
    assert_eq!(region(&all[0]), [5..18, 11..30]);
    assert_eq!(region(&all[1]), [3..4]);
    assert_eq!(region(&all[2]), [5..20, 5..15]);
    assert_eq!(region(&all[4]), [0..100]);
    assert_eq!(region(&all[6]), [0..8]);
    assert_eq!(region(&all[7]), [0..16]);
    assert_eq!(region(&all[8]), [5..18, 10..30]);
    assert_eq!(analysis::region(ir, &all[0], &analysis::NoFacts, lo, hi), None);
}

#[flash::kernel(group_by(2))]
fn phases(x: &[f32], #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let i = global_id(0);
    y[[phase() % 2, i]] = x[i + phase()] * partition() as f32;
}

/// A launch in phase 3, or in one that is not known.
struct Phase(Option<usize>);

impl Facts for Phase {
    fn value(&self, _: usize) -> Option<i128> {
        None
    }
    fn extent(&self, param: usize, dim: usize) -> Option<usize> {
        Some([[9, 1], [2, 8]][param][dim])
    }
    fn size(&self, dim: usize) -> Option<usize> {
        Some([6, 1][dim])
    }
    fn phase(&self) -> Option<usize> {
        self.0
    }
}

#[test]
fn phase_and_partition_are_numbers_of_the_run() {
    let ir = ir!(phases);
    assert!(
        ir.to_string()
            .contains("y[own (phase % 2), i] = (x[affine (i + phase)] * (partition as f32))"),
        "{ir}"
    );
    assert_eq!((ir.rank, analysis::uniformity(ir).wrong), (2, vec![]));

    let x: Vec<f32> = (0..9).map(|k| k as f32).collect();
    let mut arrays = Arrays::default().with(&x).with(&[0.0_f32; 16]);
    arrays.0[1].1 = [2, 8, 1, 1];
    let run = Run { phase: 3, partition: 10, ..Run::default() };
    assert_eq!(Program::new(ir).unwrap().run(&mut arrays, &[6, 1], run), Notes::default());
    let row: Vec<f32> = (0..8).map(|k| if k < 6 { 10.0 * (3 + k) as f32 } else { 0.0 }).collect();
    assert_eq!(arrays.items::<f32>(1), [vec![0.0; 8], row].concat());

    let (lo, hi) = (&[1], &[4]);
    let all = analysis::footprints(ir);
    let region = |f: &Footprint, facts: &Phase| analysis::region(ir, f, facts, lo, hi).unwrap();
    assert_eq!(region(&all[0], &Phase(Some(3))), [4..7]);
    assert_eq!(region(&all[0], &Phase(None)), [0..9]);
    assert_eq!(region(&all[1], &Phase(None)), [0..2, 1..4]);
}

#[flash::kernel]
fn branches(n: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut uniform = n;
    let mut varying = n;
    let mut late = 0;
    for k in 0..n {
        uniform += x[k as usize];
        if x[i] > k {
            break;
        }
        late += 1;
    }
    if i > 3 {
        varying += 1;
    }
    y[i] = uniform + varying + late;
}

#[test]
fn uniformity_follows_control_flow() {
    let ir = ir!(branches);
    let found = analysis::uniformity(ir);
    let varying: Vec<&str> = ir
        .locals
        .names
        .iter()
        .zip(&found.varying_locals)
        .filter_map(|(name, varying)| varying.then_some(*name))
        .collect();
    // The first trip sees all items, later ones only some.
    assert_eq!(varying, ["i", "uniform", "varying", "late"]);
    for ir in [ir, ir!(stencil), ir!(mixture), ir!(saxpy), ir!(gather)] {
        assert_eq!(analysis::uniformity(ir).wrong, [], "{}", ir.name);
    }
}

/// `if id0 > 1 { barrier }; barrier`
static BARRIERS: KernelIr = KernelIr {
    name: "barriers",
    file: "",
    rank: 1,
    params: &[],
    locals: Locals { names: &[], types: Vec::new },
    body: Block {
        stmts: &[
            Stmt::Expr(Expr::at(
                1,
                1,
                true,
                ExprKind::If(
                    &Expr::at(1, 2, true, ExprKind::GlobalId(0)),
                    Block { stmts: &[Stmt::Barrier(Span::at(2, 1))], tail: None },
                    None,
                ),
            )),
            Stmt::Barrier(Span::at(3, 1)),
        ],
        tail: None,
    },
    float: FloatMode::Strict,
};

#[test]
fn barriers_need_uniform_control() {
    assert_eq!(analysis::uniformity(&BARRIERS).divergent_barriers, [Span::at(2, 1)]);
}

#[test]
fn costs_count_operations_and_bytes() {
    let saxpy = analysis::cost(ir!(saxpy), &analysis::NoFacts);
    assert_eq!((saxpy.operations, saxpy.read, saxpy.written), (2.0, 8.0, 4.0));
    let known = analysis::cost(ir!(stencil), &Known);
    let unknown = analysis::cost(ir!(stencil), &analysis::NoFacts);
    // Four trips that are known against sixteen that are assumed, four bytes each.
    assert_eq!(unknown.read - known.read, 12.0 * 4.0);
    assert_eq!((known.atomics, known.written), (1.0, 8.0));
}
