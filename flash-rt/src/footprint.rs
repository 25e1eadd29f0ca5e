//! Which elements of its arrays a bound launch reaches, or a part of it: the analyses of the IR with
//! the facts of the launch. It cuts and moves nothing.

use std::ops::Range;

use flash_ir::Dims;
use flash_ir::analysis::{self, Facts, Held, Hull, Reach, hulls};

use crate::backend::{LaunchInfo, Subspace};
use crate::descriptor::KernelDescriptor;
use crate::engine::BoundLaunch;
use crate::entry::{OwnMap, Tag, Uniforms};
use crate::space::Block;

/// What is known of a launch.
struct Known<'b> {
    kernel: &'static KernelDescriptor,
    uniforms: Uniforms<'b>,
    part: Numbers,
}

/// The numbers of a phase and of a part of it, where they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) phase: Option<usize>,
    pub(crate) partition: Option<usize>,
}

impl Facts for Known<'_> {
    fn value(&self, param: usize) -> Option<i128> {
        let u = &self.uniforms;
        macro_rules! first_of {
            ($($t:ty)*) => { None$(.or_else(|| u.value::<$t>(param).map(|v| v as i128)))* };
        }
        first_of!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize)
    }

    fn extent(&self, param: usize, dim: usize) -> Option<usize> {
        let rank = usize::from(self.kernel.params.get(param)?.rank);
        (dim < rank).then(|| self.uniforms.extent(param, dim))
    }

    fn size(&self, dim: usize) -> Option<usize> {
        Some(self.uniforms.global_size(dim))
    }

    fn phase(&self) -> Option<usize> {
        self.part.phase
    }

    fn partition(&self) -> Option<usize> {
        self.part.partition
    }
}

/// The integers that value parameters are bound to, on which depends what items reach.
pub(crate) fn integers(
    kernel: &'static KernelDescriptor,
    bound: &BoundLaunch,
) -> impl Iterator<Item = Option<i128>> {
    let uniforms = Uniforms { slots: &bound.slots, space: &bound.space };
    let known = Known { kernel, uniforms, part: Numbers::default() };
    (0..kernel.params.len()).map(move |param| known.value(param))
}

/// Reads and writes of an array parameter, as boxes of its indices; no box where there are none.
pub(crate) type Ranges = (Option<Vec<Range<usize>>>, Option<Vec<Range<usize>>>);

/// What items with these ids reach of an array parameter at most; `None` where there is no body to
/// look at.
pub(crate) fn ranges(
    kernel: &'static KernelDescriptor,
    bound: &BoundLaunch,
    k: usize,
    part: (&Block, Numbers),
) -> Option<Ranges> {
    let (read, written) = of_items(kernel, bound, k, part)?;
    Some((read.ranges, written.ranges))
}

/// What the launch reaches of an array parameter: `reads [0..4, 1..3]`. Empty where there is no body
/// to look at.
pub(crate) fn reached(kernel: &'static KernelDescriptor, bound: &BoundLaunch, k: usize) -> String {
    if bound.space.n_items() == 0 || bound.cells {
        return String::new();
    }
    // All of its phases together, and all of its parts.
    let phase = (bound.n_phases() == 1).then_some(0);
    let all = (&bound.ids_around(), Numbers { phase, partition: None });
    let Some((read, written)) = of_items(kernel, bound, k, all) else { return String::new() };
    let has_gaps = bound.phases.as_ref().is_some_and(|phases| phases.has_gaps());
    [text(&read, "reads", has_gaps), text(&written, "writes", has_gaps)].concat()
}

/// What items with these ids read and write of an array parameter; `None` where that is not known of
/// all accesses, or there is no body to look at.
pub(crate) fn of_items(
    kernel: &'static KernelDescriptor,
    bound: &BoundLaunch,
    k: usize,
    (ids, part): (&Block, Numbers),
) -> Option<(Hull, Hull)> {
    let uniforms = Uniforms { slots: &bound.slots, space: &bound.space };
    let all = || 0..ids.rank();
    let lo: Dims = all().map(|dim| ids.lo(dim)).collect();
    let hi: Dims = all().map(|dim| ids.hi(dim)).collect();
    hulls(kernel.ir?, k, &Known { kernel, uniforms, part }, (&lo, &hi))
}

/// For each access of the body, by its number, whether it is known to be in range for all items that
/// the launch runs.
pub(crate) fn inside<M>(launch: &LaunchInfo<'_, M>) -> Vec<bool> {
    let Some(ir) = launch.kernel.ir else { return Vec::new() };
    let uniforms = Uniforms { slots: launch.slots, space: launch.space };
    let part = Numbers {
        phase: Some(launch.part.map_or(0, Subspace::phase)),
        partition: Some(launch.part.map_or(0, Subspace::partition)),
    };
    let held = |param: usize| {
        let slot = launch.slots.get(param)?;
        let array = &slot.array;
        let rank = usize::from(array.rank);
        let ranges = (0..rank).map(|d| array.origin[d]..array.origin[d] + array.held[d]).collect();
        let is_own = matches!(slot.tag, Tag::Own | Tag::Raw);
        let component = |c: usize| {
            let (dim, offset) = (array.own.dim[c], array.own.offset[c]);
            (is_own && dim != OwnMap::FREE).then(|| (usize::from(dim), offset))
        };
        Some(Held { ranges, own: (0..rank).map(component).collect() })
    };
    let (lo, hi) = around(launch);
    let known = Known { kernel: launch.kernel, uniforms, part };
    analysis::inside(ir, &held, &known, (&lo, &hi))
}

/// The smallest box around all ids of a launch.
fn around<M>(launch: &LaunchInfo<'_, M>) -> (Dims, Dims) {
    let rank = launch.space.rank();
    let (mut lo, mut hi) = (Dims::from_elem(0, rank), Dims::from_elem(1, rank));
    let mut is_first = true;
    let mut add = |ids: &Block| {
        for dim in 0..ids.rank() {
            let (first, end) = (ids.lo(dim), ids.hi(dim));
            lo[dim] = if is_first { first } else { first.min(lo[dim]) };
            hi[dim] = if is_first { end } else { end.max(hi[dim]) };
        }
        is_first = false;
    };
    match launch.part {
        None => add(&launch.space.block()),
        Some(part) => {
            part.boxes().iter().for_each(|positions| add(&part.bounding(positions)));
            part.partials().filter_map(|n| part.partial(n)).for_each(add);
        }
    }
    (lo, hi)
}

fn text(hull: &Hull, verb: &str, has_gaps: bool) -> String {
    let (Some(ranges), Some(reach)) = (&hull.ranges, hull.reach) else { return String::new() };
    let how = match reach {
        Reach::Own | Reach::Affine if !has_gaps => "",
        Reach::Own | Reach::Affine | Reach::Interval => " at most",
        Reach::Whole => " anywhere: the index depends on data",
    };
    format!(", {verb} {ranges:?}{how}")
}
