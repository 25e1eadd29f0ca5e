//! Which elements of its arrays a bound launch reaches, for a person: the analyses of the IR with
//! the facts of the launch. Nothing relies on it.

use std::ops::Range;

use flash_ir::analysis::{Facts, Mode, Reach, footprints, region};

use crate::descriptor::KernelDescriptor;
use crate::engine::BoundLaunch;
use crate::entry::Uniforms;
use crate::space::{Block, MAX_RANK};

/// What is known of a launch.
struct Known<'b> {
    kernel: &'static KernelDescriptor,
    uniforms: Uniforms<'b>,
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
}

/// Reads and writes of an array parameter, as boxes of its indices; no box where there are none.
pub(crate) type Ranges = (Option<Vec<Range<usize>>>, Option<Vec<Range<usize>>>);

/// What items with these ids reach of an array parameter at most; `None` where there is no body to
/// look at.
pub(crate) fn ranges(
    kernel: &'static KernelDescriptor,
    bound: &BoundLaunch,
    k: usize,
    ids: &Block,
) -> Option<Ranges> {
    let (read, written, is_known) = sums(kernel, bound, k, ids)?;
    is_known.then_some((read.ranges, written.ranges))
}

/// What the launch reaches of an array parameter: `reads [0..4, 1..3]`. Empty where there is no body
/// to look at.
pub(crate) fn reached(kernel: &'static KernelDescriptor, bound: &BoundLaunch, k: usize) -> String {
    if bound.space.n_items() == 0 || bound.cells {
        return String::new();
    }
    let all = bound.space.block();
    let Some((read, written, _)) = sums(kernel, bound, k, &all) else { return String::new() };
    [read.text("reads"), written.text("writes")].concat()
}

/// What items with these ids read and write of an array parameter, and whether that is known of all
/// accesses; `None` where there is no body to look at.
fn sums(
    kernel: &'static KernelDescriptor,
    bound: &BoundLaunch,
    k: usize,
    ids: &Block,
) -> Option<(Sum, Sum, bool)> {
    let ir = kernel.ir?;
    let facts = Known { kernel, uniforms: Uniforms { slots: &bound.slots, space: &bound.space } };
    let (mut lo, mut hi) = ([0; MAX_RANK], [1; MAX_RANK]);
    for dim in 0..ids.rank() {
        (lo[dim], hi[dim]) = (ids.lo(dim), ids.hi(dim));
    }
    let (mut read, mut written, mut is_known) = (Sum::default(), Sum::default(), true);
    for footprint in footprints(ir).iter().filter(|footprint| footprint.param == k) {
        let Some(ranges) = region(ir, footprint, &facts, lo, hi) else {
            is_known = false;
            continue;
        };
        if footprint.mode != Mode::Write {
            read.add(&ranges, footprint.reach);
        }
        if footprint.mode.writes() {
            written.add(&ranges, footprint.reach);
        }
    }
    Some((read, written, is_known))
}

/// The smallest box around what several accesses reach.
#[derive(Default)]
struct Sum {
    ranges: Option<Vec<Range<usize>>>,
    reach: Option<Reach>,
}

impl Sum {
    fn add(&mut self, ranges: &[Range<usize>], reach: Reach) {
        self.reach = self.reach.max(Some(reach));
        match &mut self.ranges {
            None => self.ranges = Some(ranges.to_vec()),
            Some(sum) => {
                for (sum, range) in sum.iter_mut().zip(ranges) {
                    *sum = sum.start.min(range.start)..sum.end.max(range.end);
                }
            }
        }
    }

    fn text(&self, verb: &str) -> String {
        let (Some(ranges), Some(reach)) = (&self.ranges, self.reach) else { return String::new() };
        let how = match reach {
            Reach::Own | Reach::Affine => "",
            Reach::Interval => " at most",
            Reach::Whole => " anywhere: the index depends on data",
        };
        format!(", {verb} {ranges:?}{how}")
    }
}
