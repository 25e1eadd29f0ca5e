//! Runs the entries of a kernel by hand: every instruction set of this machine, whole or cut into
//! blocks. The only place of these tests that makes slots.

use std::any::TypeId;

use flash::__private::rt::descriptor::{Component, IsaEntry, KernelDescriptor, Role};
use flash::__private::rt::entry::{
    ArraySlot, Outcome, OwnMap, Slot, Tag, Uniforms, Violation, reduction,
};
use flash::__private::rt::{Block, Isa, Space, backend::LaunchInfo};
use flash::Pod;

/// An argument of a launch; memory lives here.
pub(crate) enum Arg {
    /// A value, as its maker.
    Value(Box<dyn Fn() -> Slot>),
    /// Base, element type, size of an element, shape.
    Array(Vec<u64>, TypeId, usize, Vec<usize>),
    /// Partial results, made for each launch.
    Reduce(TypeId, usize, Vec<u64>),
}

pub(crate) fn value<T: Copy + 'static>(value: T) -> Arg {
    let value: &'static T = Box::leak(Box::new(value));
    // SAFETY: the value is leaked and never changed.
    Arg::Value(Box::new(move || unsafe { Slot::value(value) }))
}

pub(crate) fn array<T: Pod>(elems: &[T], shape: &[usize]) -> Arg {
    assert_eq!(elems.len(), shape.iter().product::<usize>());
    let mut memory = vec![0_u64; size_of_val(elems).div_ceil(8)];
    // SAFETY: both are initialised memory of at least this many bytes, and `T` has no padding.
    unsafe {
        std::ptr::copy_nonoverlapping(
            elems.as_ptr().cast::<u8>(),
            memory.as_mut_ptr().cast(),
            size_of_val(elems),
        );
    }
    Arg::Array(memory, TypeId::of::<T>(), size_of::<T>(), shape.to_vec())
}

pub(crate) fn vector<T: Pod>(elems: &[T]) -> Arg {
    array(elems, &[elems.len()])
}

/// A reduction cell of `T`.
pub(crate) fn cell<T: Pod>() -> Arg {
    Arg::Reduce(TypeId::of::<T>(), size_of::<T>(), Vec::new())
}

impl Arg {
    pub(crate) fn elems<T: Pod>(&self) -> Vec<T> {
        let (Self::Array(memory, ..) | Self::Reduce(_, _, memory)) = self else {
            return Vec::new();
        };
        let n = match self {
            Self::Array(.., shape) => shape.iter().product(),
            _ => memory.len() * 8 / size_of::<T>(),
        };
        let first = memory.as_ptr().cast::<T>();
        // SAFETY: `array` and `run` put elements of `T` there; every bit pattern is one.
        (0..n).map(|k| unsafe { first.wrapping_add(k).read() }).collect()
    }

    fn words(&self) -> &[u64] {
        match self {
            Self::Value(_) => &[],
            Self::Array(memory, ..) | Self::Reduce(.., memory) => memory,
        }
    }

    fn again(&self) -> Self {
        match self {
            Self::Value(make) => {
                let slot = make();
                Self::Value(Box::new(move || slot))
            }
            Self::Array(memory, elem, size, shape) => {
                Self::Array(memory.clone(), *elem, *size, shape.clone())
            }
            Self::Reduce(elem, size, memory) => Self::Reduce(*elem, *size, memory.clone()),
        }
    }

    fn slot(&mut self, tag: Tag) -> Slot {
        let (base, elem, shape) = match self {
            Self::Value(make) => return make(),
            Self::Array(memory, elem, _, shape) => (memory.as_mut_ptr(), *elem, shape.clone()),
            Self::Reduce(elem, size, memory) => {
                (memory.as_mut_ptr(), *elem, vec![memory.len() * 8 / *size])
            }
        };
        let mut array = ArraySlot::empty();
        array.base = base.cast();
        array.rank = shape.len() as u8;
        let mut stride = 1;
        for d in (0..shape.len()).rev() {
            (array.held[d], array.shape[d], array.stride[d]) = (shape[d], shape[d], stride);
            stride *= shape[d] as isize;
        }
        // SAFETY: the memory lives in `self` and is reached through this slot only.
        unsafe { Slot::array(tag, elem, array) }
    }
}

/// Every instruction set this machine has, by name.
pub(crate) fn entries(kernel: &KernelDescriptor) -> Vec<(&'static str, IsaEntry)> {
    let entries = kernel.entries.expect("a body");
    let mut there = vec![Isa::Baseline];
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            there.push(Isa::Avx2);
        }
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
        {
            there.push(Isa::Avx512);
        }
    }
    let each = there.into_iter().map(|isa| (isa, entries.highest(isa)));
    each.filter(|(isa, best)| *isa == best.1).map(|(isa, best)| (isa.name(), best.0)).collect()
}

/// What a launch left behind.
pub(crate) struct Done {
    pub(crate) args: Vec<Arg>,
    pub(crate) violation: Option<Violation>,
    pub(crate) panic: Option<(u64, String)>,
}

impl Done {
    pub(crate) fn array<T: Pod>(&self, param: usize) -> Vec<T> {
        self.args[param].elems()
    }
}

/// Runs a kernel on every instruction set, whole and in blocks, and checks that all agree in
/// everything. The result is that of the first.
pub(crate) fn run(kernel: &'static KernelDescriptor, args: &[Arg], extents: &[usize]) -> Done {
    run_in(kernel, args, extents, (0, 0))
}

/// As [`run`], in a phase and part of these numbers.
pub(crate) fn run_in(
    kernel: &'static KernelDescriptor,
    args: &[Arg],
    extents: &[usize],
    numbers: (usize, usize),
) -> Done {
    let space = Space::new(extents).expect("a small space");
    let mut first: Option<Done> = None;
    for (isa, entry) in entries(kernel) {
        for cut in [usize::MAX, 1, 7, 64] {
            let done = launch_in(kernel, entry, args, &space, cut, false, numbers);
            let Some(first) = &first else {
                first = Some(done);
                continue;
            };
            let what = format!("{} with {isa}, cut {cut}", kernel.name);
            assert_eq!(done.violation, first.violation, "{what}");
            assert_eq!(done.panic.is_some(), first.panic.is_some(), "{what}");
            for (k, (a, b)) in done.args.iter().zip(&first.args).enumerate() {
                assert!(a.words() == b.words(), "{what}: parameter {k} differs");
            }
        }
    }
    first.expect("at least one entry")
}

/// Runs one entry over blocks of `cut` indices in each dimension.
pub(crate) fn launch(
    kernel: &'static KernelDescriptor,
    entry: IsaEntry,
    args: &[Arg],
    space: &Space,
    cut: usize,
    check_all: bool,
) -> Done {
    launch_in(kernel, entry, args, space, cut, check_all, (0, 0))
}

fn launch_in(
    kernel: &'static KernelDescriptor,
    entry: IsaEntry,
    args: &[Arg],
    space: &Space,
    cut: usize,
    check_all: bool,
    numbers: (usize, usize),
) -> Done {
    let mut args: Vec<Arg> = args.iter().map(Arg::again).collect();
    let reduces = kernel.params.iter().any(|param| matches!(param.role, Role::Reduce { .. }));
    let mut slots = Vec::new();
    for (param, arg) in kernel.params.iter().zip(&mut args) {
        let tag = match param.role {
            Role::Value => Tag::Value,
            Role::In => Tag::Input,
            Role::Atomic => Tag::Atomic,
            Role::Reduce { .. } => Tag::Partials,
            _ if param.raw => Tag::Raw,
            _ => Tag::Own,
        };
        if let Arg::Reduce(_, size, memory) = arg {
            *memory = vec![0; (reduction::n_blocks(space) * *size).div_ceil(8)];
        }
        slots.push(arg.slot(tag));
    }
    let owns: Vec<OwnMap> = {
        // SAFETY: the slots were just made of what `args` holds.
        let uniforms = unsafe { Uniforms::new(&slots, space) };
        kernel.params.iter().map(|param| own_map(param.own, &uniforms)).collect()
    };
    for (slot, own) in slots.iter_mut().zip(owns) {
        let mut array = *slot.array_slot();
        array.own = own;
        if slot.tag() != Tag::Value {
            // SAFETY: the same slot with its own place filled in.
            *slot = unsafe { Slot::array(slot.tag(), slot.elem(), array) };
        }
    }
    let outcome = Outcome::new();
    let info = LaunchInfo::<()> {
        kernel,
        space,
        part: None,
        slots: &slots,
        geometry: None,
        memories: &[],
        outcome: &outcome,
        check_all,
    };
    let mut shared = info.shared();
    (shared.phase, shared.partition) = numbers;
    let blocks: Vec<Block> = if reduces {
        (0..reduction::n_blocks(space)).map(|k| reduction::block(space, k)).collect()
    } else {
        blocks(space, cut)
    };
    // Last block first: the order must not matter.
    for (number, block) in blocks.iter().enumerate().rev() {
        // SAFETY: this machine has the instruction set, the memory lives in `args`, the blocks are
        // disjoint, and own places cover the dimensions they differ in.
        unsafe { flash::__private::rt::entry::run_block(entry, &shared, block, number) };
    }
    let (violation, panic) = outcome.take();
    Done { args, violation, panic }
}

fn own_map(own: &[Component], uniforms: &Uniforms<'_>) -> OwnMap {
    let mut map = OwnMap::NONE;
    for (c, component) in own.iter().enumerate() {
        if let Component::Id { dim, offset } = component {
            (map.dim[c], map.offset[c]) = (*dim, offset(uniforms).expect("no overflow"));
        }
    }
    map
}

/// The space in boxes of at most `cut` in each dimension.
fn blocks(space: &Space, cut: usize) -> Vec<Block> {
    let mut all = vec![space.block()];
    for dim in 0..space.rank() {
        let extent = space.extent(dim);
        let step = cut.min(extent.max(1));
        all = all
            .iter()
            .flat_map(|block| {
                (0..extent).step_by(step).map(|lo| block.cut(dim, lo, (lo + step).min(extent)))
            })
            .collect();
    }
    all
}

/// The value of a reduction after its blocks are combined.
pub(crate) fn reduced<T: Pod>(done: &Done, param: usize, apply: impl Fn(T, T) -> T, n: usize) -> T {
    let mut partials = done.array::<T>(param);
    partials.truncate(n);
    reduction::combine_blocks(&mut partials, apply).expect("at least one block")
}
