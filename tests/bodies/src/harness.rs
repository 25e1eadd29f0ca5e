//! Runs a drawn kernel on a runtime and in the interpreter, from the same bytes. It judges nothing.

use flash::{Call, CountBy, Runtime};
use flash_ir::Dims;
use flash_ir::interp::{MAX_ARRAY_RANK, Memory, Notes, Part, Program, Run};
use flash_ir::ir::ParamKind;
use flash_ir::ty::Ty;
use flash_rt::IntoSpace;
use flash_rt::KernelDescriptor;
use flash_rt::descriptor::Role;

use crate::elements::{self, Elem};

/// A drawn kernel.
pub struct Case {
    pub name: &'static str,
    /// The number of ids of its items.
    pub rank: usize,
    /// The extent of one dimension more, which has no id and a phase for each index; 1 where there is
    /// none.
    pub phases: usize,
    /// The shape of each parameter; none of a value.
    pub shapes: fn(&Inputs) -> Vec<Vec<usize>>,
    pub descriptor: &'static KernelDescriptor,
    pub run: fn(&Runtime, &Inputs) -> flash::Result<Outputs>,
}

/// What a kernel is given: everything follows from a seed and the extents.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    pub seed: u64,
    pub width: usize,
    pub height: usize,
    /// Whether items come in any order, in phases and in parts of unlike sizes.
    pub arranged: bool,
}

/// So many phases are drawn at most: on a device each is a launch.
const MOST_PHASES: usize = 40;

/// What a kernel wrote, in bytes; a NaN is one and the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs(Vec<Vec<u8>>);

impl Outputs {
    pub fn array<T: Elem>(&mut self, items: &[T]) {
        self.0.push(items.iter().flat_map(|item| item.to_bytes()).collect());
    }

    /// The first place where two differ.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.0.len() != other.0.len() {
            return Some(format!("{} and {} outputs", self.0.len(), other.0.len()));
        }
        self.0.iter().zip(&other.0).enumerate().find_map(|(k, (a, b))| {
            let at = a.iter().zip(b).position(|(a, b)| a != b);
            let at = at.or((a.len() != b.len()).then(|| a.len().min(b.len())))?;
            let part = |x: &[u8]| format!("{:02x?}", &x[at & !7..x.len().min((at & !7) + 8)]);
            Some(format!("output {k} at byte {at}: {} and {}", part(a), part(b)))
        })
    }
}

/// Numbers from a seed.
fn splitmix(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Leaves to a drawn rule which devices run what part of a call, unless it computes with the number of
/// its part.
fn on_devices<'a, const R: usize>(
    rt: &Runtime,
    call: Call<'a, R>,
    below: &mut impl FnMut(usize) -> usize,
) -> Call<'a, R> {
    if call.kernel().ir.is_some_and(|ir| ir.to_string().contains("partition")) {
        return call;
    }
    let n_devices = rt.devices().len();
    // All of a launch has room there, whatever it uses.
    let has_room = |k: &usize| rt.devices()[*k].info().memory.is_none_or(|room| room >= 1 << 28);
    let roomy: Vec<usize> = (0..n_devices).filter(has_room).collect();
    match below(9) {
        0 | 1 => {
            let shares: Vec<f64> = rt.devices().iter().map(|_| below(4) as f64).collect();
            // Somebody has to do it.
            if shares.iter().any(|&share| share > 0.0) { call.shares(shares) } else { call }
        }
        2 => call.partitions(1 + below(4)),
        3 => call.partitions(2).cut_across(below(R)),
        4 => call.dynamic(1 + below(64)),
        5 => call.pin(roomy[below(roomy.len())]),
        6 => match below(n_devices) {
            device if roomy.iter().any(|&other| other != device) => call.exclude(device),
            _ => call,
        },
        7 => {
            let grid: [usize; R] = std::array::from_fn(|_| 1 + below(3));
            call.partitions(grid)
        }
        _ => call,
    }
}

impl Inputs {
    /// Runs a call over these extents, in the order that was drawn.
    pub fn exec<'a, const R: usize>(
        &self,
        rt: &Runtime,
        call: Call<'a, R>,
        extents: [usize; R],
    ) -> flash::Result<()>
    where
        [usize; R]: IntoSpace<'a, R>,
        [CountBy; R]: IntoSpace<'a, R>,
    {
        // Each kernel has a rule of its own, so that all rules are met in a run.
        let mut next = splitmix(self.seed_of(usize::MAX - 1) ^ call.kernel().signature);
        let mut below = |n: usize| (next() % n.max(1) as u64) as usize;
        if !self.arranged {
            // Drivers compile anew for groups of other sizes, so parts on one device are for arrangements.
            let is_one = rt.devices().len() == 1;
            let call = if is_one { call } else { on_devices(rt, call, &mut below) };
            return rt.submit(call).exec(extents).map(drop);
        }
        let ids = extents.map(|n| match below(3) {
            0 => CountBy::count(n),
            1 => CountBy::count(n).descending(),
            _ => {
                let mut ids: Vec<usize> = (0..n).collect();
                (1..n).rev().for_each(|k| ids.swap(k, below(k + 1)));
                CountBy::list(ids)
            }
        });
        let mut call = call;
        let mut n_phases = 1;
        for (dim, extent) in extents.into_iter().enumerate() {
            match below(5) {
                // Each index is a phase, with those of the dimensions above.
                0 if n_phases * extents[dim..].iter().product::<usize>() <= MOST_PHASES => {
                    n_phases *= extents[dim..].iter().product::<usize>();
                    call = call.group_by(dim);
                }
                1 if n_phases * extent <= MOST_PHASES => {
                    n_phases *= extent;
                    call = call.sort_by([dim]);
                }
                2 if dim + 1 == R => call = call.group_by_value(dim, below(extent) as u64),
                _ => {}
            }
        }
        rt.submit(on_devices(rt, call, &mut below)).exec(ids).map(drop)
    }

    /// The extent of dimension `d` of the index space of a kernel of this rank.
    pub fn extent(&self, rank: usize, d: usize) -> usize {
        match (rank, d) {
            (1, _) => self.width * self.height,
            (_, 0) => self.width,
            (2, _) => self.height,
            (_, 1) => self.height / 4 + 1,
            (_, 2) => 1 + self.seed as usize % 3,
            _ => 1 + (self.seed >> 8) as usize % 2,
        }
    }

    fn seed_of(&self, param: usize) -> u64 {
        self.seed.wrapping_add((param as u64 + 1).wrapping_mul(0x1000_0000_01b3))
    }

    fn elements<T: Elem + flash_ir::DevTy>(&self, param: usize, n: usize) -> Vec<T> {
        let bytes = elements::draw(&T::TY, n, false, splitmix(self.seed_of(param)));
        bytes.chunks_exact(T::TY.size()).map(T::from_bytes).collect()
    }

    pub fn value<T: Elem + flash_ir::DevTy>(&self, param: usize) -> T {
        self.elements(param, 1)[0]
    }

    pub fn array<T, const D: usize>(&self, param: usize, shape: [usize; D]) -> flash::Buffer<T, D>
    where
        T: Elem + flash::Pod + flash_ir::DevTy,
        [usize; D]: flash_rt::buffer::IntoShape<D>,
    {
        let all = self.elements(param, shape.iter().product());
        flash::Buffer::from_shape(shape, all).unwrap()
    }
}

/// The arrays of a kernel as bytes.
pub struct Bytes {
    params: Vec<(Ty, ParamKind, [usize; MAX_ARRAY_RANK], Vec<u8>)>,
    partials: Vec<Vec<u8>>,
    /// Whether a reduction adds to what its cell holds.
    into: Vec<bool>,
}

impl Bytes {
    pub fn new(case: &Case, inputs: &Inputs) -> Self {
        let ir = case.descriptor.ir.unwrap();
        let params = ir.params.iter().zip((case.shapes)(inputs)).enumerate();
        let params = params.map(|(k, (param, given))| {
            let mut shape = [1; MAX_ARRAY_RANK];
            shape[..given.len()].copy_from_slice(&given);
            let n = given.iter().product();
            let bytes = match param.kind {
                ParamKind::Scratch => vec![0; n * param.ty.size()],
                _ => elements::draw(&param.ty, n, false, splitmix(inputs.seed_of(k))),
            };
            (param.ty, param.kind, shape, bytes)
        });
        let into = |role| matches!(role, Role::Reduce { into: true, .. });
        Self {
            params: params.collect(),
            partials: vec![Vec::new(); ir.params.len()],
            into: case.descriptor.params.iter().map(|param| into(param.role)).collect(),
        }
    }

    fn at(&self, param: usize, index: &[usize], offset: usize) -> usize {
        let (ty, _, shape, _) = &self.params[param];
        let linear = index.iter().zip(shape).fold(0, |sum, (index, extent)| sum * extent + index);
        linear * ty.size() + offset
    }

    /// Runs a phase in the interpreter, with the functions of processors that fuse multiply-adds or
    /// not.
    pub fn run(
        &mut self,
        case: &Case,
        inputs: &Inputs,
        fused: bool,
        phase: usize,
        run: Run<'_>,
    ) -> Notes {
        let ir = case.descriptor.ir.unwrap();
        let program = if fused { Program::new(ir) } else { Program::strict(ir) };
        let program = program.unwrap_or_else(|unsaid| panic!("{}: {unsaid:?}", case.name));
        let mut extents: Vec<usize> = (0..case.rank).map(|d| inputs.extent(case.rank, d)).collect();
        if case.phases == 1 {
            return program.run(self, &extents, run);
        }
        extents.push(case.phases);
        let mut lo = Dims::from_elem(0, extents.len());
        let mut hi = Dims::from_slice(&extents);
        (lo[case.rank], hi[case.rank]) = (phase, phase + 1);
        program.run(self, &extents, Run { part: Part::Items(lo, hi), phase, ..run })
    }

    /// What the kernel wrote, in the order of [`Case::run`].
    pub fn outputs(mut self) -> Outputs {
        let mut outputs = Outputs::default();
        for (ty, kind, _, bytes) in &mut self.params {
            if matches!(kind, ParamKind::InOut | ParamKind::Out | ParamKind::OutPartial) {
                elements::canonical(ty, bytes);
                outputs.0.push(bytes.clone());
            }
        }
        for (param, (ty, kind, _, bytes)) in self.params.iter().enumerate() {
            if let ParamKind::Reduce(op) = kind {
                let into = self.into[param].then_some(&bytes[..ty.size()]);
                let mut value = elements::combine(*op, ty, &self.partials[param], into);
                elements::canonical(ty, &mut value);
                outputs.0.push(value);
            }
        }
        for (_, kind, _, bytes) in &self.params {
            if *kind == ParamKind::Atomic {
                outputs.0.push(bytes.clone());
            }
        }
        outputs
    }
}

impl Memory for Bytes {
    fn value(&mut self, param: usize, out: &mut [u8]) {
        out.copy_from_slice(&self.params[param].3[..out.len()]);
    }

    fn shape(&mut self, param: usize) -> [usize; MAX_ARRAY_RANK] {
        self.params[param].2
    }

    fn read(&mut self, param: usize, index: &[usize], offset: usize, out: &mut [u8]) -> bool {
        let at = self.at(param, index, offset);
        out.copy_from_slice(&self.params[param].3[at..at + out.len()]);
        true
    }

    fn write(&mut self, param: usize, index: &[usize], offset: usize, bytes: &[u8]) -> bool {
        let at = self.at(param, index, offset);
        self.params[param].3[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }

    fn partial(&mut self, param: usize, block: usize, bytes: &[u8]) {
        let all = &mut self.partials[param];
        all.resize(all.len().max((block + 1) * bytes.len()), 0);
        all[block * bytes.len()..][..bytes.len()].copy_from_slice(bytes);
    }
}
