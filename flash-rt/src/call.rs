//! A kernel with its arguments, and the index space it is launched over. Nothing runs here.

use crate::arg::BoundArg;
use crate::arg_store::{ArgRoom, Args};
use crate::cond::{Cond, IntoCond};
use crate::descriptor::{Group, KernelDescriptor};
use crate::error::Site;
use crate::geometry::Geometry;
use crate::movable::Whole;
use crate::phases::Ordering;
use crate::space_source::IntoSpace;
use crate::stage::{Partitions, Special, Stage};
use crate::var::Var;

/// A kernel with its arguments, made by the kernel's constructor: `saxpy(2.0, &x, &mut y)`.
///
/// `R` is the rank of its index space. It becomes a stage with [`Call::over`], or runs at once with
/// `rt.submit(call).exec(space)`.
#[derive(Debug)]
#[must_use = "a call does nothing until it is submitted or pushed"]
pub struct Call<'a, const R: usize> {
    pub(crate) kernel: &'static KernelDescriptor,
    pub(crate) site: Site,
    pub(crate) args: Args<'a>,
    /// When it runs, if not always.
    pub(crate) when: Option<Box<Cond<'a>>>,
    pub(crate) special: Option<Box<Special<'a>>>,
}

impl<'a, const R: usize> Call<'a, R> {
    /// Used by expansions: one bound argument for each parameter that is passed, in order.
    #[doc(hidden)]
    #[track_caller]
    pub fn new(kernel: &'static KernelDescriptor, args: impl Into<Box<[BoundArg<'a>]>>) -> Self {
        let site = std::panic::Location::caller();
        Self { kernel, site, args: args.into().into(), when: None, special: None }
    }

    /// Used by expansions: the same, of arguments that are where they stay.
    #[doc(hidden)]
    #[track_caller]
    #[inline(always)]
    pub fn with<const N: usize>(kernel: &'static KernelDescriptor, args: ArgRoom<'a, N>) -> Self {
        let site = std::panic::Location::caller();
        Self { kernel, site, args: args.args(), when: None, special: None }
    }

    /// The stage that runs this call over an index space, dimension 0 first.
    #[inline]
    pub fn over(self, space: impl IntoSpace<'a, R>) -> Stage<'a> {
        Stage::launch(self, space.into_space())
    }

    /// Runs only if the condition holds when it is dispatched; see [`Stage::when`].
    pub fn when(mut self, cond: impl IntoCond<'a>) -> Self {
        self.when = Cond::both(self.when, cond.into_cond());
        self
    }

    /// Sets a cell to the number of the device that has run the kernel, by its place in
    /// [`Runtime::devices`](crate::Runtime::devices), each time it has. What follows can use it like
    /// any cell: as an argument, a bound or in a condition. A launch that is skipped leaves it as it
    /// was.
    pub fn chosen(mut self, device: &mut Var<u32>) -> Self {
        self.special.get_or_insert_default().chosen = Some(device.whole());
        self
    }

    /// Orders the items of this call by their ids in these dimensions, the most significant first,
    /// with a barrier wherever the id in the first of them changes, in place of what the kernel
    /// declares: its `sort_by` and its `group_by`. Dimensions count from 0, as in `global_id(0)`; one
    /// that the index space does not have, or that was named before, orders nothing.
    pub fn sort_by(mut self, dims: impl IntoIterator<Item = usize>) -> Self {
        let order = self.order();
        for dim in dims.into_iter().filter_map(|dim| u8::try_from(dim).ok()) {
            if !order.sort_by.contains(&dim) {
                order.sort_by.push(dim);
            }
        }
        self
    }

    /// Puts a barrier in this call before each step of dimension `dim` and those above it: a phase is
    /// the items that differ in the dimensions below only. After [`Call::sort_by`] a barrier stands
    /// wherever the id in `dim` changes in that order, and nowhere else. It takes the place of what
    /// the kernel declares, a `sort_by` too, and adds to an earlier `group_by` of the call.
    pub fn group_by(mut self, dim: usize) -> Self {
        self.group(dim, Group::From);
        self
    }

    /// Puts barriers in this call around the items whose id in `dim` is `value`: where items follow
    /// each other in their order of which one has it and the other has not. As [`Call::group_by`], it
    /// takes the place of what the kernel declares, and adds to what the call said before.
    pub fn group_by_value(mut self, dim: usize, value: u64) -> Self {
        self.group(dim, |dim| Group::Value(dim, value));
        self
    }

    /// Runs this call on one device, by its number in
    /// [`Runtime::devices`](crate::Runtime::devices). Where that one is lost or cannot run it, the
    /// launch is an error.
    pub fn pin(mut self, device: usize) -> Self {
        self.special.get_or_insert_default().pin = Some(device);
        self
    }

    /// Runs this call on other devices than this one.
    pub fn exclude(mut self, device: usize) -> Self {
        self.special.get_or_insert_default().exclude.push(device);
        self
    }

    /// Splits the launch into `n` equal parts that the devices take in turn, on one device one after
    /// the other; 1 keeps it whole. With a number for each dimension, dimension 0 first, it is cut into
    /// the blocks of a grid: a product of matrices in `[3, 2]` brings a third of the columns and half of
    /// the rows for each part. What each part reads and writes is known from the body or from the
    /// function of `part_by`; where that is not known, or parts would write the same elements, the
    /// launch runs as a whole.
    pub fn partitions(mut self, n: impl IntoPartitions<R>) -> Self {
        self.special.get_or_insert_default().partitions = Some(n.into_partitions().0);
        self
    }

    /// Cuts the launch across this dimension where it is split, in place of the slowest one that is
    /// long enough. Dimensions count from 0; one that the kernel does not have is `Error::Range`.
    pub fn cut_across(mut self, dim: usize) -> Self {
        self.special.get_or_insert_default().across = Some(dim);
        self
    }

    /// Splits the launch as [`Call::partitions`] does, one part for each device, by their numbers, in
    /// proportion to these shares. One without a share, or with 0, has no part.
    pub fn shares(mut self, shares: impl Into<Vec<f64>>) -> Self {
        self.special.get_or_insert_default().partitions = Some(Partitions::Shares(shares.into()));
        self
    }

    /// Splits the launch into blocks that the devices claim one after the other, in order, each as it
    /// becomes free: for items that take unlike times, where nobody knows shares. A block has `chunk`
    /// indices of the dimension that is cut: items of a line, rows of an image; some more
    /// where borders have to be at multiples. Each block runs once, and what it costs beside its items
    /// is that of a launch.
    pub fn dynamic(mut self, chunk: usize) -> Self {
        self.special.get_or_insert_default().partitions = Some(Partitions::Dynamic(chunk));
        self
    }

    /// Asks for work-groups of this many items in each dimension, dimension 0 first, in place of what
    /// the implementation declares or the device chooses. On a device without work-groups, as the CPU
    /// is one, it has no effect; results are the same everywhere.
    pub fn block<const D: usize>(mut self, extents: [usize; D]) -> Self {
        self.geometry().set_block(&extents);
        self
    }

    /// Asks for this many work-groups in each dimension. With [`Call::block`] they have to cover the
    /// items of a phase, which are all where there is one; more is allowed, where the last ones have no
    /// items. Each phase, and each part of it, is asked for the same.
    pub fn grid<const D: usize>(mut self, extents: [usize; D]) -> Self {
        self.geometry().set_grid(&extents);
        self
    }

    /// Asks for this many bytes that the items of a work-group share.
    pub fn shared(mut self, bytes: usize) -> Self {
        self.geometry().set_shared(bytes);
        self
    }

    fn geometry(&mut self) -> &mut Geometry {
        self.special.get_or_insert_default().geometry.get_or_insert_default()
    }

    /// All items in one phase, in place of what the kernel declares.
    pub fn in_one_phase(mut self) -> Self {
        *self.order() = Ordering::default();
        self
    }

    fn group(&mut self, dim: usize, group: impl FnOnce(u8) -> Group) {
        if let Ok(dim) = u8::try_from(dim) {
            self.order().group_by.push(group(dim));
        }
    }

    fn order(&mut self) -> &mut Ordering {
        self.special.get_or_insert_default().order.get_or_insert_default()
    }

    /// The facts of the kernel.
    pub fn kernel(&self) -> &'static KernelDescriptor {
        self.kernel
    }
}

/// How many parts [`Call::partitions`] makes of a launch of rank `R`: `n` in all, or `[across, down]`
/// along each dimension, dimension 0 first.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number of parts of a launch of rank {R}",
    label = "expected `usize` or `[usize; {R}]`"
)]
pub trait IntoPartitions<const R: usize> {
    /// The number, or the numbers.
    fn into_partitions(self) -> Partitioning;
}

/// What [`Call::partitions`] is told.
#[derive(Debug)]
pub struct Partitioning(Partitions);

impl<const R: usize> IntoPartitions<R> for usize {
    fn into_partitions(self) -> Partitioning {
        Partitioning(Partitions::Equal(self))
    }
}

impl<const R: usize> IntoPartitions<R> for [usize; R] {
    fn into_partitions(self) -> Partitioning {
        Partitioning(Partitions::Grid(Box::new(self)))
    }
}
