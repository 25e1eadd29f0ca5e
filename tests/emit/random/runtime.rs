//! Drawn bodies as kernels of a run time: a descriptor is made from the IR, and the launch goes through
//! arrays, transfers and a backend, on the simulator and on devices of OpenCL and CUDA. What they should come to says the
//! interpreter. What rustc makes of them is in `compiled`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flash::prelude::*;
use flash::{Error, Result};
use flash_ir::interp::{Notes, Order, Program};
use flash_ir::ir::{FloatMode, KernelIr, Param, ParamKind};
use flash_ir::{ScalarTy, Ty};
use flash_ocl::OpenCl;
use flash_rt::descriptor::{Component, Elem, Flags, Role};
use flash_rt::{Arg, BoundArg, Call, KernelDescriptor, Options, ParamDescriptor, Pod, Value};
use flash_tests::cuda::{OnCuda, assert_orderly, devices};

use super::draw::{all, keep};
use super::kernel::{self, Drawn};
use super::launch::Launch;
use super::overstated::overstated;
use super::{THREADS, number};
use flash_test_bodies::elements;

/// Kernels where nobody says how many.
const CASES: u64 = 2_000;
/// One of so many runs on OpenCL devices too, where each has a compiler to itself: of those whose indices may
/// wrap, as what the analysis says of them counts there, and of the others.
const COMPILED: [u64; 2] = [6, 44];
/// And on CUDA devices.
const ON_CUDA: u64 = 10;

/// An array of the program's.
trait Held {
    fn bind(&self) -> Result<BoundArg<'static>>;
    /// All elements, also those before the first one of the array.
    fn bytes(&self) -> Result<Vec<u8>>;
}

struct Array<T> {
    all: Buffer<T>,
    /// The elements before the first one.
    first: usize,
    shape: Vec<usize>,
}

impl<T: elements::Elem + Pod> Held for Array<T> {
    fn bind(&self) -> Result<BoundArg<'static>> {
        let part = self.all.view(self.first..self.all.len());
        // Roles are those of the parameters.
        Ok(match self.shape[..] {
            [a, b] => Arg::<View<'_, T, 2>>::bind(&part.reshape([a, b])?),
            [a, b, c] => Arg::<View<'_, T, 3>>::bind(&part.reshape([a, b, c])?),
            [a, b, c, d] => Arg::<View<'_, T, 4>>::bind(&part.reshape([a, b, c, d])?),
            _ => Arg::<&[T]>::bind(&part),
        })
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        Ok(self.all.to_vec()?.into_iter().flat_map(elements::Elem::to_bytes).collect())
    }
}

/// Does something with the Rust type of a drawn type.
macro_rules! of_type {
    ($ty:expr, $rust:ident => $do:expr) => {
        of_type!(@ $ty, $rust => $do; I8 i8, I16 i16, I32 i32, I64 i64, Isize isize, U8 u8,
            U16 u16, U32 u32, U64 u64, Usize usize, F32 f32, F64 f64)
    };
    (@ $ty:expr, $rust:ident => $do:expr; $($scalar:ident $of:ty),*) => {
        match $ty {
            $(Ty::Scalar(ScalarTy::$scalar) => {
                type $rust = $of;
                $do
            })*
            ty if ty == crate::random::pool::CELL => {
                type $rust = flash_test_devices::Cell;
                $do
            }
            ty if ty == crate::random::pool::CLOUD => {
                type $rust = flash_test_devices::Cloud;
                $do
            }
            ty => panic!("no {ty:?} is drawn"),
        }
    };
}
pub(super) use of_type;

/// The same kernel as one that a run time may get: scratch arrays have one dimension.
pub(super) fn declared(mut drawn: Drawn) -> Drawn {
    let flat = |param: &Param| match param.kind {
        ParamKind::Scratch if param.rank > 1 => ParamKind::InOut,
        kind => kind,
    };
    let ir = drawn.ir;
    let params = ir.params.iter().map(|param| Param { kind: flat(param), ..*param });
    drawn.spacing.fill(1);
    drawn.ir = keep(KernelIr { params: all(params.collect()), ..*ir });
    drawn
}

fn parameter(drawn: &Drawn, at: usize) -> ParamDescriptor {
    let param = &drawn.ir.params[at];
    let role = match param.kind {
        ParamKind::Value => Role::Value,
        ParamKind::In => Role::In,
        ParamKind::InOut => Role::InOut,
        ParamKind::Out => Role::Out,
        ParamKind::OutPartial => Role::OutPartial,
        ParamKind::Scratch => Role::Scratch(|launch| Some(launch.global_size(0))),
        ParamKind::Reduce(op) => Role::Reduce { op, into: false },
        ParamKind::Atomic => Role::Atomic,
    };
    let elem = match param.ty {
        Ty::Scalar(ScalarTy::Bool) => Elem::of::<bool>(),
        ty => of_type!(ty, T => Elem::of::<T>()),
    };
    let own = drawn.own[at].iter().map(|&dim| Component::Id { dim, offset: |_| Some(0) });
    ParamDescriptor {
        name: param.name,
        role,
        ty: param.ty,
        elem,
        rank: param.rank,
        own: all(own.collect()),
        raw: false,
        // A body may leave before.
        always_written: false,
    }
}

pub(super) fn descriptor(drawn: &Drawn) -> &'static KernelDescriptor {
    let ir = drawn.ir;
    let params = (0..ir.params.len()).map(|at| parameter(drawn, at)).collect();
    let flags = Flags { fast_math: ir.float == FloatMode::Fast, ..Flags::default() };
    keep(KernelDescriptor {
        path: "drawn",
        signature: drawn.seed,
        flags,
        ir: Some(ir),
        file: ir.file,
        ..KernelDescriptor::bare(ir.name, ir.rank, all(params))
    })
}

/// The arrays and values of a launch; of what no call gives there is none.
enum Given {
    Value(BoundArg<'static>),
    Array(usize, Box<dyn Held>),
}

fn given(drawn: &Drawn, launch: &Launch<'_>) -> Vec<Given> {
    let mut given = Vec::new();
    for (at, param) in drawn.ir.params.iter().enumerate() {
        let bytes = &launch.bytes[at][..];
        let (first, shape) = match param.kind {
            ParamKind::Scratch => continue,
            ParamKind::Reduce(_) => (0, vec![1]),
            _ => (launch.shift[at], drawn.shapes[at].clone()),
        };
        let one = param.ty.size();
        let bytes = if matches!(param.kind, ParamKind::Reduce(_)) { &bytes[..one] } else { bytes };
        given.push(match (param.kind, param.ty) {
            (ParamKind::Value, Ty::Scalar(ScalarTy::Bool)) => {
                Given::Value(Arg::<bool>::bind(bytes[0] != 0))
            }
            (ParamKind::Value, ty) => of_type!(ty, T => {
                Given::Value(BoundArg::Value(Value::new(<T as elements::Elem>::from_bytes(bytes))))
            }),
            (_, ty) => of_type!(ty, T => {
                let elements = bytes.chunks_exact(one).map(<T as elements::Elem>::from_bytes);
                let all = Buffer::from(elements.collect::<Vec<T>>());
                Given::Array(at, Box::new(Array { all, first, shape }))
            }),
        });
    }
    given
}

/// Runs a launch, which holds afterwards what it made of its memory.
fn run(
    rt: &Runtime,
    kernel: &'static KernelDescriptor,
    drawn: &Drawn,
    launch: &mut Launch<'_>,
) -> Result<()> {
    let (mut args, mut arrays) = (Vec::new(), Vec::new());
    for given in given(drawn, launch) {
        match given {
            Given::Value(value) => args.push(value),
            Given::Array(at, array) => {
                args.push(array.bind()?);
                arrays.push((at, array));
            }
        }
    }
    match drawn.extents[..] {
        [a, b] => rt.submit(Call::<2>::new(kernel, args)).exec([a, b])?,
        [a, b, c] => rt.submit(Call::<3>::new(kernel, args)).exec([a, b, c])?,
        [a, b, c, d] => rt.submit(Call::<4>::new(kernel, args)).exec([a, b, c, d])?,
        _ => rt.submit(Call::<1>::new(kernel, args)).exec([drawn.extents[0]])?,
    };
    for (at, array) in arrays {
        launch.bytes[at] = array.bytes()?;
    }
    Ok(())
}

/// Whether an error says what the interpreter has noted first.
fn says(error: &Error, notes: &Notes, drawn: &Drawn) -> bool {
    match error {
        Error::OutOfBounds { param, index, .. } => notes.violation.is_some_and(|violation| {
            let at = usize::from(violation.param);
            *param == drawn.ir.params[at].name && **index == violation.index[..index.len()]
        }),
        Error::KernelPanic { .. } => notes.fault.is_some(),
        _ => false,
    }
}

/// Whether an error is of an access of this item.
fn is_of(error: &Error, number: u64, drawn: &Drawn) -> bool {
    let Error::OutOfBounds { item, .. } = error else { return false };
    let dims = drawn.extents.iter().zip(item).rev();
    dims.fold(0, |number, (extent, id)| number * *extent as u64 + *id as u64) == number
}

/// A launch, and what the interpreter makes of it.
pub(super) struct Wanted<'d> {
    start: Launch<'d>,
    after: Launch<'d>,
    pub(super) notes: Notes,
    /// An item that may say of an access that it is outside, though nothing of it is noted.
    pub(super) excused: Option<u64>,
}

impl<'d> Wanted<'d> {
    pub(super) fn new(drawn: &'d Drawn, program: &Program) -> Self {
        let mut start = Launch::new(drawn);
        start.numbers = (0, 0);
        let mut after = start.clone();
        let notes = after.interpret(program, Order::Ascending);
        for (bytes, param) in after.bytes.iter_mut().zip(drawn.ir.params) {
            if let ParamKind::Reduce(op) = param.kind {
                *bytes = elements::combine(op, &param.ty, bytes, None);
            }
        }
        Self { start, after, notes, excused: None }
    }

    /// Where a run time differs, if it does.
    pub(super) fn difference(
        &self,
        (name, rt): (&str, &Runtime),
        kernel: &'static KernelDescriptor,
    ) -> Option<String> {
        let Self { start, after, notes, excused } = self;
        let mut found = start.clone();
        let drawn = start.drawn;
        let wrong = match run(rt, kernel, drawn, &mut found) {
            Ok(()) if *notes == Notes::default() => after.difference(&found),
            Ok(()) => Some(format!("nothing was noted, and not {notes:?}")),
            Err(error) => {
                let is_said = says(&error, notes, drawn)
                    || excused.is_some_and(|item| is_of(&error, item, drawn));
                (!is_said).then(|| format!("{error}, and not {notes:?}"))
            }
        }?;
        let (seed, ir) = (drawn.seed, drawn.ir);
        Some(format!("FLASH_SEED={seed} FLASH_CASES=1 on {name}: {wrong}\n{ir}"))
    }
}

/// Where a run time and the interpreter differ about the kernel of a seed, if they do. `of` says on how
/// many of the runtimes it runs.
fn difference(rts: &[(&str, Runtime)], of: impl Fn(&Drawn) -> usize, seed: u64) -> Option<String> {
    let drawn = declared(kernel::kernel(seed));
    let rts = &rts[..of(&drawn)];
    let kernel = descriptor(&drawn);
    let wanted = Wanted::new(&drawn, &Program::new(drawn.ir).expect("it has types"));
    if let Some(what) = overstated(&wanted.start, &wanted.notes) {
        return Some(format!("FLASH_SEED={seed} FLASH_CASES=1: {what}\n{}", drawn.ir));
    }
    rts.iter().find_map(|(name, rt)| wanted.difference((name, rt), kernel))
}

#[test]
fn random_bodies_go_through_a_runtime() {
    let mut rts = vec![("the simulator", Runtime::open("SIM").unwrap())];
    if flash_tests::opencl().is_some() {
        // Nothing is kept on disk.
        let backend = Arc::new(OpenCl::new(&Options::default()));
        let rt = Runtime::builder().backend(backend).build().unwrap();
        rts.push(("OpenCL", rt));
    }
    let wrong = differences(&rts, number("FLASH_CASES", CASES), |drawn| {
        let [wrapping, others] = COMPILED;
        let one_of = if drawn.wraps { wrapping } else { others };
        if drawn.seed.is_multiple_of(one_of) { rts.len() } else { 1 }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_bodies_go_through_cuda_devices() {
    let Some(OnCuda { rt, driver }) = devices("devices=1,hazards=1") else { return };
    let rts = [("CUDA", rt)];
    let wrong = differences(&rts, number("FLASH_CASES", CASES / ON_CUDA), |_| 1);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_orderly(driver.as_ref());
}

/// Where any of so many kernels differs on one of the first runtimes, as many as its seed says.
fn differences(
    rts: &[(&str, Runtime)],
    cases: u64,
    of: impl Fn(&Drawn) -> usize + Sync,
) -> Vec<String> {
    let first = number("FLASH_SEED", 0);
    let next = AtomicU64::new(first);
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= first + cases {
                    return None;
                }
                let of = |drawn: &Drawn| if cases == 1 { rts.len() } else { of(drawn) };
                let wrong = difference(rts, of, seed);
                if wrong.is_some() {
                    return wrong;
                }
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().expect("no panic")).collect()
    })
}
