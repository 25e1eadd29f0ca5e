//! Launches of which everything is known before the run, on devices that use the host's memory:
//! values, and boxes of arrays that do not move. Nothing of their binding is kept, as making it anew
//! takes less than finding it in memory: only addresses and extents differ between two launches of a kernel.
//! It launches nothing, and says no where there is more to do.

use std::sync::Arc;

use super::layout::Layout;
use super::memory::HostBlock;
use super::{bind, check};
use crate::arg::BoundArg;
use crate::descriptor::Role;
use crate::device::Device;
use crate::entry::reduction::n_blocks;
use crate::error::{Error, Result};
use crate::space::{Block, Space};
use crate::space_source::SpaceSource;
use crate::stage::LaunchStage;
use crate::trace::Series;

/// So many kernels are kept in mind: a loop mostly launches as few in turn.
const KERNELS: usize = 8;

/// Memory for one launch after the other.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Of the kernel that was launched last, and of some before it.
    layout: Box<Layout>,
    #[expect(clippy::vec_box, reason = "each takes the place of the one above")]
    others: Vec<Box<Layout>>,
    /// Which of those goes next where a kernel is not among them.
    oldest: usize,
    /// What writes launches down, where that is done.
    series: Option<Series>,
    /// Memory for the partial results of so many reductions.
    partials: Vec<HostBlock>,
    whole: Whole,
}

/// A launch that is made ready.
pub(super) struct Launch<'s> {
    pub(super) layout: &'s mut Layout,
    pub(super) series: &'s mut Option<Series>,
    pub(super) whole: &'s Whole,
    partials: &'s mut Vec<HostBlock>,
}

/// The index space of a launch, and all of it as one block. Most launches have that of the launch before,
/// which takes less to see than to make it.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) space: Space,
    pub(super) block: Block,
    pub(super) items: usize,
}

impl Default for Whole {
    fn default() -> Self {
        Self::of(Space::again([1]))
    }
}

impl Whole {
    #[inline]
    fn of(space: Space) -> Self {
        Self { block: space.block(), items: space.n_items(), space }
    }

    /// Becomes that of a launch, if it is known before.
    #[inline(always)]
    pub(super) fn take(&mut self, source: &SpaceSource<'_>) -> Result<bool, Box<Error>> {
        match source {
            SpaceSource::Line(n) => self.span([*n]),
            SpaceSource::Plane(extents) => self.span(extents.map(|extent| extent as usize)),
            other => return self.take_any(other),
        }
        Ok(true)
    }

    #[inline(never)]
    fn take_any(&mut self, source: &SpaceSource<'_>) -> Result<bool, Box<Error>> {
        let Some(space) = source.fixed() else { return Ok(false) };
        *self = Self::of(space?);
        Ok(true)
    }

    #[inline]
    fn span<const R: usize>(&mut self, extents: [usize; R]) {
        if self.space.become_again(extents) {
            self.block.span(&self.space);
            self.items = self.space.n_items();
        }
    }
}

/// Whether a launch is plain, and legal as far as [`bind`](super::bind::bind) checks it too. `whole` is what
/// was asked for with the launch before.
pub(super) fn check(stage: &LaunchStage<'_>, whole: &mut Whole) -> Result<bool> {
    let params = stage.kernel.params;
    if bind::has_phases(stage, stage.space.ids())
        || stage.special.is_some()
        || stage.kernel.table.is_some()
        || params.len() != stage.args.len()
    {
        return Ok(false);
    }
    if !whole.take(&stage.space).map_err(|error| *error)? {
        return Ok(false);
    }
    let space = &whole.space;
    check::arity(stage, space)?;
    for (param, arg) in params.iter().zip(stage.args.iter()) {
        match (arg, param.role) {
            (BoundArg::Value(value), Role::Value) => check::elem(stage, param, value.elem())?,
            (_, Role::Value | Role::Scratch(_)) => return Ok(false),
            (BoundArg::Array(array), role) => {
                array.allocation.check()?;
                check::elem(stage, param, array.elem())?;
                check::rank(stage, param, array.rank())?;
                if matches!(role, Role::Reduce { .. }) {
                    check::cell(stage, param, (&array.allocation, &array.section()))?;
                }
            }
            _ => return Ok(false),
        }
    }
    if whole.items != 1 {
        check::racy(stage, space)?;
    }
    let arrays = stage.args.iter().zip(params).map(|(arg, param)| match arg {
        BoundArg::Array(array) => Some((array, param.role.writes())),
        _ => None,
    });
    check::aliased(stage, arrays)?;
    Ok(true)
}

impl Scratch {
    /// Something else happens before the next launch.
    #[inline]
    pub(super) fn pause(&mut self) {
        if let Some(series) = &mut self.series {
            series.pause();
        }
    }

    /// Forgets what belongs to one runtime, or may be large.
    pub(super) fn forget(&mut self) {
        self.layout.forget();
        self.others.iter_mut().for_each(|layout| layout.forget());
        self.series = None;
        self.partials.clear();
    }

    /// How many parameters of a kernel it has memory for.
    pub(super) fn size(&self) -> usize {
        let others = self.others.iter().map(|layout| layout.slots.capacity()).max();
        self.layout.slots.capacity().max(others.unwrap_or(0))
    }

    /// Has the space, the slots and the module of a launch. There is no error where its space is not known
    /// yet, so that it is not plain.
    #[inline(always)]
    pub(super) fn prepare(
        &mut self,
        stage: &LaunchStage<'_>,
        device: &Arc<Device>,
    ) -> Result<Launch<'_>, Option<Box<Error>>> {
        if !self.whole.take(&stage.space)? {
            return Err(None);
        }
        if !self.layout.is_of(stage.kernel, device) {
            self.turn_to(stage, device)?;
        }
        let Self { layout, series, partials, whole, .. } = self;
        Ok(Launch { layout, series, whole, partials })
    }

    /// Goes on to another kernel than the one launched last.
    #[inline(never)]
    fn turn_to(&mut self, stage: &LaunchStage<'_>, device: &Arc<Device>) -> Result<(), Box<Error>> {
        let mut others = self.others.iter_mut();
        if let Some(known) = others.find(|layout| layout.is_of(stage.kernel, device)) {
            std::mem::swap(&mut self.layout, known);
            return Ok(());
        }
        self.make(stage, device)
    }

    #[cold]
    fn make(&mut self, stage: &LaunchStage<'_>, device: &Arc<Device>) -> Result<(), Box<Error>> {
        let Self { layout, others, oldest, .. } = self;
        if !layout.waits_for(stage.kernel) {
            let place = match others.iter().position(|layout| layout.waits_for(stage.kernel)) {
                Some(at) => at,
                None if others.len() + 1 < KERNELS && !layout.is_empty() => {
                    others.push(Box::default());
                    others.len() - 1
                }
                None => {
                    *oldest = (*oldest + 1) % others.len().max(1);
                    *oldest
                }
            };
            if let Some(other) = others.get_mut(place) {
                std::mem::swap(layout, other);
            }
        }
        layout.make(stage, device)?;
        if self.series.is_none() {
            self.series = device.recorder.get().map(Series::new);
        }
        Ok(())
    }
}

impl Launch<'_> {
    /// Fills in the slots; the bytes of the arrays. There is no error where one of them is in another memory
    /// too, so that it is not plain.
    #[inline(always)]
    pub(super) fn fill(&mut self, stage: &LaunchStage<'_>) -> Result<u64, Option<Box<Error>>> {
        let bytes = self.layout.fill(stage, self.whole)?;
        if self.layout.reduces() {
            let n = self.n_partials();
            self.layout.place_partials(self.partials, n);
        }
        Ok(bytes)
    }

    /// The number of partial results of each reduction.
    fn n_partials(&self) -> usize {
        if self.whole.items == 0 { 0 } else { n_blocks(&self.whole.space) }
    }

    /// Puts what it has left together in its cells, if it has any; their bytes.
    #[inline]
    pub(super) fn reduce(&mut self, stage: &LaunchStage<'_>) -> Result<u64, Box<Error>> {
        if !self.layout.reduces() {
            return Ok(0);
        }
        let n = self.n_partials();
        self.layout.reduce(stage, self.partials, n)
    }
}
