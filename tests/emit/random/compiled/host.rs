//! An entry of the CPU backend that runs a compiled body: it hands each item to the body, and the body's
//! accesses to the arguments of the launch. What a body means is not its business.
#![allow(unsafe_code, reason = "calls bodies that rustc compiled apart, and is called by them")]

use std::ffi::c_void;
use std::path::Path;
use std::sync::RwLock;

use flash_ir::ir::{AtomicOp, MathFn, ParamKind, ReduceOp};
use flash_ir::reduction::Reduce;
use flash_ir::{ScalarTy, Ty, math};
use flash_rt::entry::reduction::{self, Lanes, Step};
use flash_rt::entry::{Args, AtomicArray, Bad, Entries, Input, Own};
use flash_rt::space::Block;
use flash_rt::{AtomicElem, Pod};
use flash_test_bodies::elements::Elem;
use libloading::Library;

use super::super::kernel::Drawn;
use super::text::{ATOMICS, HOSTED, Number};
use crate::random::runtime::of_type;

/// As in `prelude.rs`.
#[repr(C)]
struct Host {
    context: *mut c_void,
    read: unsafe extern "C" fn(*mut c_void, u16, *const usize, *mut u8),
    write: unsafe extern "C" fn(*mut c_void, u16, *const usize, *const u8),
    atomic: unsafe extern "C" fn(*mut c_void, u16, *const usize, u8, *const u8, *const u8, *mut u8),
    reduce: unsafe extern "C" fn(*mut c_void, u16, *const u8),
    number: unsafe extern "C" fn(*mut c_void, u8, u16) -> usize,
    panic: unsafe extern "C" fn(*mut c_void, *const u8, usize),
}

type Run = unsafe extern "C" fn(usize, &Host, &[usize; 4]);

/// The bodies of a library.
pub(super) struct Bodies {
    run: Run,
    _library: Library,
}

impl Bodies {
    /// Those of a library that `prelude.rs` is the beginning of.
    pub(super) fn open(path: &Path) -> Self {
        // SAFETY: what a library of ours does when it is loaded is nothing.
        let library = unsafe { Library::new(path) }.expect("rustc wrote it");
        type Start = extern "C" fn(extern "C" fn(u16, bool, u64, u64, u64) -> u64);
        // SAFETY: `prelude.rs` has a function of this name and type.
        let start = unsafe { library.get::<Start>(b"drawn_start") }.expect("it is there");
        start(function);
        // SAFETY: likewise.
        let run = *unsafe { library.get::<Run>(b"drawn_run") }.expect("it is there");
        Self { run, _library: library }
    }
}

/// A function of `flash::math` by its number, on the bits of up to three numbers.
extern "C" fn function(number: u16, is_double: bool, a: u64, b: u64, c: u64) -> u64 {
    macro_rules! of {
        ($T:ty, $Bits:ty) => {{
            let power = b as u32 as i32;
            let [a, b, c] = [a, b, c].map(|bits| <$T>::from_bits(bits as $Bits));
            let value = match HOSTED[usize::from(number)] {
                MathFn::Signum => math::signum(a),
                MathFn::Min => math::min(a, b),
                MathFn::Max => math::max(a, b),
                MathFn::Clamp => math::clamp(a, b, c),
                MathFn::Powi => math::powi(a, power),
                MathFn::Rsqrt => math::rsqrt(a),
                MathFn::Fract => math::fract(a),
                MathFn::Recip => math::recip(a),
                MathFn::Exp => math::exp(a),
                MathFn::Exp2 => math::exp2(a),
                MathFn::Ln => math::ln(a),
                MathFn::Log2 => math::log2(a),
                MathFn::Log10 => math::log10(a),
                MathFn::Sin => math::sin(a),
                MathFn::Cos => math::cos(a),
                MathFn::Tan => math::tan(a),
                MathFn::Tanh => math::tanh(a),
                MathFn::Atan => math::atan(a),
                MathFn::Erf => math::erf(a),
                MathFn::Atan2 => math::atan2(a, b),
                MathFn::Pow => math::pow(a, b),
                MathFn::Hypot => math::hypot(a, b),
                MathFn::Copysign => math::copysign(a, b),
                // No number is of another.
                _ => <$T>::NAN,
            };
            u64::from(value.to_bits())
        }};
    }
    if is_double { of!(f64, u64) } else { of!(f32, u32) }
}

/// An access of an item.
struct At<'a> {
    index: &'a [usize],
    id: [usize; 4],
}

impl At<'_> {
    fn index<const D: usize>(&self) -> [usize; D] {
        std::array::from_fn(|d| self.index[d])
    }
}

/// An argument as its bytes. Bodies use each only as its kind allows.
trait Held {
    fn size(&self) -> usize;
    fn rank(&self) -> usize;
    fn extent(&self, dim: usize) -> usize;
    fn read(&mut self, _: At<'_>) -> Vec<u8> {
        unreachable!("it has cells")
    }
    fn write(&mut self, _: At<'_>, _: &[u8]) {
        unreachable!("nothing writes it")
    }
    fn atomic(&mut self, _: At<'_>, _: AtomicOp, _: &[u8], _: &[u8]) -> Vec<u8> {
        unreachable!("it has no cells")
    }
    /// Passes on what was noted of an item.
    fn report(&mut self, _: &Args<'_>, _: u16, _: &[usize]) {}
}

struct Value<T>(T);

impl<T: Elem> Held for Value<T> {
    fn size(&self) -> usize {
        size_of::<T>()
    }
    fn rank(&self) -> usize {
        0
    }
    fn extent(&self, _: usize) -> usize {
        unreachable!("it is no array")
    }
    fn read(&mut self, _: At<'_>) -> Vec<u8> {
        self.0.to_bytes()
    }
}

struct Read<'s, T, const D: usize>(Input<'s, T, D>, Bad<D>);

impl<T: Elem + Pod, const D: usize> Held for Read<'_, T, D> {
    fn size(&self) -> usize {
        size_of::<T>()
    }
    fn rank(&self) -> usize {
        D
    }
    fn extent(&self, dim: usize) -> usize {
        self.0.extent(dim)
    }
    fn read(&mut self, at: At<'_>) -> Vec<u8> {
        self.0.get(at.index(), 0, &mut self.1).to_bytes()
    }
    fn report(&mut self, args: &Args<'_>, param: u16, id: &[usize]) {
        args.flush(param, &mut self.1, id);
    }
}

/// With the dimension that each index of an item's own place is of.
struct Written<'s, T, const D: usize>(Own<'s, T, D>, Bad<D>, &'s [u8]);

impl<T, const D: usize> Written<'_, T, D> {
    fn ids(&self, at: &At<'_>) -> [usize; D] {
        std::array::from_fn(|d| at.id[usize::from(self.2[d])])
    }
}

impl<T: Elem + Pod, const D: usize> Held for Written<'_, T, D> {
    fn size(&self) -> usize {
        size_of::<T>()
    }
    fn rank(&self) -> usize {
        D
    }
    fn extent(&self, dim: usize) -> usize {
        self.0.extent(dim)
    }
    fn read(&mut self, at: At<'_>) -> Vec<u8> {
        let ids = self.ids(&at);
        self.0.get(at.index(), ids, 0, &mut self.1).to_bytes()
    }
    fn write(&mut self, at: At<'_>, bytes: &[u8]) {
        let ids = self.ids(&at);
        self.0.set(at.index(), ids, 0, &mut self.1, T::from_bytes(bytes));
    }
    fn report(&mut self, args: &Args<'_>, param: u16, id: &[usize]) {
        args.flush(param, &mut self.1, id);
    }
}

struct Cells<'s, T: AtomicElem, const D: usize>(AtomicArray<'s, T, D>, Bad<D>);

/// The operations that are of integers only.
trait Bits: AtomicElem + Elem {
    fn bits(cell: &flash_rt::Atomic<Self>, op: AtomicOp, value: Self) -> Self;
}

macro_rules! bits {
    ($($int:ty)*) => { $(impl Bits for $int {
        fn bits(cell: &flash_rt::Atomic<Self>, op: AtomicOp, value: Self) -> Self {
            match op {
                AtomicOp::FetchAnd => cell.fetch_and(value),
                AtomicOp::FetchOr => cell.fetch_or(value),
                _ => cell.fetch_xor(value),
            }
        }
    })* };
}
bits!(i32 u32 i64 u64 usize);

macro_rules! no_bits {
    ($($float:ty)*) => { $(impl Bits for $float {
        fn bits(_: &flash_rt::Atomic<Self>, op: AtomicOp, _: Self) -> Self {
            unreachable!("{op:?} of a float")
        }
    })* };
}
no_bits!(f32 f64);

impl<T: Bits, const D: usize> Held for Cells<'_, T, D> {
    fn size(&self) -> usize {
        size_of::<T>()
    }
    fn rank(&self) -> usize {
        D
    }
    fn extent(&self, dim: usize) -> usize {
        self.0.extent(dim)
    }
    fn atomic(&mut self, at: At<'_>, op: AtomicOp, a: &[u8], b: &[u8]) -> Vec<u8> {
        let (a, b) = (T::from_bytes(a), T::from_bytes(b));
        let cell = self.0.at(at.index(), 0, &mut self.1);
        let old = match op {
            AtomicOp::Load => cell.load(),
            AtomicOp::Store => cell.swap(a),
            AtomicOp::Swap => cell.swap(a),
            AtomicOp::FetchAdd => cell.fetch_add(a),
            AtomicOp::FetchSub => cell.fetch_sub(a),
            AtomicOp::FetchMin => cell.fetch_min(a),
            AtomicOp::FetchMax => cell.fetch_max(a),
            AtomicOp::CompareExchange => cell.compare_exchange(a, b).unwrap_or_else(|old| old),
            _ => T::bits(cell, op, a),
        };
        old.to_bytes()
    }
    fn report(&mut self, args: &Args<'_>, param: u16, id: &[usize]) {
        args.flush(param, &mut self.1, id);
    }
}

/// A reduction as the bytes of what is put into it.
trait Sum {
    fn put(&mut self, position: usize, bytes: &[u8]);
    fn finish(&self, args: &mut Args<'_>, param: usize);
}

impl<T: Elem + Reduce, S: Step<T>> Sum for Lanes<T, S> {
    fn put(&mut self, position: usize, bytes: &[u8]) {
        Lanes::put(self, position, T::from_bytes(bytes));
    }
    fn finish(&self, args: &mut Args<'_>, param: usize) {
        args.finish(param, self);
    }
}

fn sum(op: ReduceOp, ty: Ty) -> Box<dyn Sum> {
    macro_rules! float {
        ($T:ty) => {
            match op {
                ReduceOp::Add => Box::new(Lanes::<$T, reduction::Add>::new()),
                ReduceOp::Mul => Box::new(Lanes::<$T, reduction::Mul>::new()),
                ReduceOp::Min => Box::new(Lanes::<$T, reduction::Min>::new()),
                _ => Box::new(Lanes::<$T, reduction::Max>::new()),
            }
        };
    }
    macro_rules! int {
        ($T:ty) => {
            match op {
                ReduceOp::And => Box::new(Lanes::<$T, reduction::And>::new()),
                ReduceOp::Or => Box::new(Lanes::<$T, reduction::Or>::new()),
                ReduceOp::Xor => Box::new(Lanes::<$T, reduction::Xor>::new()),
                _ => float!($T),
            }
        };
    }
    match ty {
        Ty::Scalar(ScalarTy::I8) => int!(i8),
        Ty::Scalar(ScalarTy::I16) => int!(i16),
        Ty::Scalar(ScalarTy::I32) => int!(i32),
        Ty::Scalar(ScalarTy::I64) => int!(i64),
        Ty::Scalar(ScalarTy::Isize) => int!(isize),
        Ty::Scalar(ScalarTy::U8) => int!(u8),
        Ty::Scalar(ScalarTy::U16) => int!(u16),
        Ty::Scalar(ScalarTy::U32) => int!(u32),
        Ty::Scalar(ScalarTy::U64) => int!(u64),
        Ty::Scalar(ScalarTy::Usize) => int!(usize),
        Ty::Scalar(ScalarTy::F32) => float!(f32),
        Ty::Scalar(ScalarTy::F64) => float!(f64),
        ty => unreachable!("no sum of {ty:?} is drawn"),
    }
}

/// One block while it runs.
struct Running<'s> {
    /// By parameter; none of a sum.
    held: Vec<Option<Box<dyn Held + 's>>>,
    /// By parameter.
    sums: Vec<Option<(usize, Box<dyn Sum>)>>,
    sizes: [usize; 4],
    phase: usize,
    partition: usize,
    id: [usize; 4],
    /// The number of the item in its block.
    position: usize,
    panic: Option<String>,
}

fn held<'s>(drawn: &'static Drawn, args: &mut Args<'s>, at: usize) -> Option<Box<dyn Held + 's>> {
    macro_rules! of_rank {
        ($rank:expr, $D:ident => $do:expr) => {
            match $rank {
                1 => {
                    const $D: usize = 1;
                    $do
                }
                2 => {
                    const $D: usize = 2;
                    $do
                }
                3 => {
                    const $D: usize = 3;
                    $do
                }
                _ => {
                    const $D: usize = 4;
                    $do
                }
            }
        };
    }
    macro_rules! cells {
        ($T:ty, $rank:expr) => {
            of_rank!($rank, D => Box::new(Cells(args.atomic::<$T, D>(at), Bad::new())))
        };
    }
    let param = &drawn.ir.params[at];
    Some(match (param.kind, param.ty) {
        (ParamKind::Reduce(_), _) => return None,
        (ParamKind::Value, Ty::Scalar(ScalarTy::Bool)) => Box::new(Value(args.value::<bool>(at))),
        (ParamKind::Value, ty) => of_type!(ty, T => Box::new(Value(args.value::<T>(at)))),
        (ParamKind::In, ty) => of_type!(ty, T => of_rank!(param.rank, D => {
            Box::new(Read(args.input::<T, D>(at), Bad::new()))
        })),
        (ParamKind::Atomic, Ty::Scalar(ScalarTy::I32)) => cells!(i32, param.rank),
        (ParamKind::Atomic, Ty::Scalar(ScalarTy::U32)) => cells!(u32, param.rank),
        (ParamKind::Atomic, Ty::Scalar(ScalarTy::I64)) => cells!(i64, param.rank),
        (ParamKind::Atomic, Ty::Scalar(ScalarTy::U64)) => cells!(u64, param.rank),
        (ParamKind::Atomic, Ty::Scalar(ScalarTy::Usize)) => cells!(usize, param.rank),
        (ParamKind::Atomic, Ty::Scalar(ScalarTy::F32)) => cells!(f32, param.rank),
        (ParamKind::Atomic, _) => cells!(f64, param.rank),
        (_, ty) => of_type!(ty, T => of_rank!(param.rank, D => {
            Box::new(Written(args.own::<T, D>(at), Bad::new(), &drawn.own[at]))
        })),
    })
}

impl Running<'_> {
    fn held(&mut self, param: u16) -> &mut dyn Held {
        &mut **self.held[usize::from(param)].as_mut().expect("it is no sum")
    }

    fn number(&self, what: u8, of: u16) -> usize {
        let held = |param: u16| self.held[usize::from(param)].as_ref().expect("it is no sum");
        match what {
            what if what == Number::Len as u8 => {
                let held = held(of);
                (0..held.rank()).map(|dim| held.extent(dim)).product()
            }
            what if what == Number::Extent as u8 => held(of >> 8).extent(usize::from(of & 0xff)),
            what if what == Number::Size as u8 => self.sizes[usize::from(of)],
            what if what == Number::Phase as u8 => self.phase,
            _ => self.partition,
        }
    }
}

/// What a body asks about the block that it runs in.
///
/// # Safety
///
/// `context` is what `entry` gave to the body, and the body calls back before it returns.
unsafe fn running<'r>(context: *mut c_void) -> &'r mut Running<'r> {
    // SAFETY: the caller's promise; nothing else reaches it in the meantime.
    unsafe { &mut *context.cast() }
}

/// # Safety
///
/// As [`running`]; there are as many indices as the parameter has dimensions.
unsafe fn accessed<'r>(
    context: *mut c_void,
    param: u16,
    index: *const usize,
) -> (&'r mut dyn Held, At<'r>) {
    // SAFETY: the caller's promise.
    let running = unsafe { running(context) };
    let id = running.id;
    let held = running.held(param);
    // SAFETY: the caller's promise.
    let index = unsafe { std::slice::from_raw_parts(index, held.rank()) };
    (held, At { index, id })
}

/// # Safety
///
/// As [`accessed`], with room for an element.
unsafe extern "C" fn read(context: *mut c_void, param: u16, index: *const usize, out: *mut u8) {
    // SAFETY: the caller's promise.
    let (held, at) = unsafe { accessed(context, param, index) };
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(out, held.size()) }.copy_from_slice(&held.read(at));
}

/// # Safety
///
/// As [`accessed`], with an element.
unsafe extern "C" fn write(context: *mut c_void, param: u16, index: *const usize, from: *const u8) {
    // SAFETY: the caller's promise.
    let (held, at) = unsafe { accessed(context, param, index) };
    // SAFETY: the caller's promise.
    held.write(at, unsafe { std::slice::from_raw_parts(from, held.size()) });
}

/// # Safety
///
/// As [`accessed`], with two elements, and room for one.
unsafe extern "C" fn atomic(
    context: *mut c_void,
    param: u16,
    index: *const usize,
    op: u8,
    a: *const u8,
    b: *const u8,
    out: *mut u8,
) {
    // SAFETY: the caller's promise.
    let (held, at) = unsafe { accessed(context, param, index) };
    let size = held.size();
    // SAFETY: the caller's promise.
    let [a, b] = [a, b].map(|from| unsafe { std::slice::from_raw_parts(from, size) });
    let old = held.atomic(at, ATOMICS[usize::from(op)], a, b);
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(out, size) }.copy_from_slice(&old);
}

/// # Safety
///
/// As [`running`]; there is a value of the type of the sum.
unsafe extern "C" fn reduce(context: *mut c_void, param: u16, value: *const u8) {
    // SAFETY: the caller's promise.
    let running = unsafe { running(context) };
    let position = running.position;
    let (size, sum) = running.sums[usize::from(param)].as_mut().expect("it is a sum");
    // SAFETY: the caller's promise.
    sum.put(position, unsafe { std::slice::from_raw_parts(value, *size) });
}

/// # Safety
///
/// As [`running`].
unsafe extern "C" fn number(context: *mut c_void, what: u8, of: u16) -> usize {
    // SAFETY: the caller's promise.
    unsafe { running(context) }.number(what, of)
}

/// # Safety
///
/// As [`running`]; there is so much text.
unsafe extern "C" fn panic(context: *mut c_void, text: *const u8, len: usize) {
    // SAFETY: the caller's promise.
    let text = unsafe { std::slice::from_raw_parts(text, len) };
    // SAFETY: the caller's promise.
    unsafe { running(context) }.panic = Some(String::from_utf8_lossy(text).into_owned());
}

/// A body that entries run.
#[derive(Clone, Copy)]
pub(super) struct Body<'b> {
    pub(super) drawn: &'static Drawn,
    pub(super) bodies: &'b Bodies,
    /// Its number in the library.
    pub(super) number: usize,
}

/// What an entry runs: the kernel, the function, and its number.
type Set = Option<(&'static Drawn, Run, usize)>;

/// One for each thread that launches, as an entry is a function, which knows nothing but its arguments.
static SET: [RwLock<Set>; 2] = [const { RwLock::new(None) }; 2];

/// The entries of a kernel whose body is the one that is [`set`].
pub(super) fn entries(thread: usize) -> Entries {
    Entries::portable(if thread == 0 { entry::<0> } else { entry::<1> })
}

/// Makes a body the one that the entries of a thread run while `run` does.
pub(super) fn set<R>(thread: usize, body: Body<'_>, run: impl FnOnce() -> R) -> R {
    let of = &SET[thread];
    *of.write().expect("entries only read") = Some((body.drawn, body.bodies.run, body.number));
    let result = run();
    // The library may go.
    *of.write().expect("entries only read") = None;
    result
}

fn entry<const THREAD: usize>(args: &mut Args<'_>, block: &Block) {
    let set = *SET[THREAD].read().expect("nothing panics with it");
    let Some((drawn, run, number)) = set else { unreachable!("nothing runs without a body") };
    let (params, rank) = (drawn.ir.params, drawn.extents.len());
    let mut running = Running {
        held: (0..params.len()).map(|at| held(drawn, args, at)).collect(),
        sums: params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Reduce(op) => Some((param.ty.size(), sum(op, param.ty))),
                _ => None,
            })
            .collect(),
        sizes: std::array::from_fn(|dim| args.global_size(dim)),
        phase: args.phase(),
        partition: args.partition(),
        id: std::array::from_fn(|dim| block.lo(dim)),
        position: 0,
        panic: None,
    };
    for position in 0..block.n_items() {
        running.position = position;
        let id = running.id;
        let host = Host {
            context: (&raw mut running).cast(),
            read,
            write,
            atomic,
            reduce,
            number: self::number,
            panic,
        };
        // SAFETY: the library is there while the body is set, and its body asks for the parameters of
        // `drawn`, whose text it is; `running` is borrowed by nothing else.
        unsafe { run(number, &host, &id) };
        for (param, held) in running.held.iter_mut().enumerate() {
            if let Some(held) = held {
                held.report(args, param as u16, &id[..rank]);
            }
        }
        if let Some(message) = running.panic {
            std::panic::resume_unwind(Box::new(message));
        }
        for dim in 0..rank {
            running.id[dim] += 1;
            if running.id[dim] < block.hi(dim) {
                break;
            }
            running.id[dim] = block.lo(dim);
        }
    }
    for (param, sum) in running.sums.iter().enumerate() {
        if let Some((_, sum)) = sum {
            sum.finish(args, param);
        }
    }
}
