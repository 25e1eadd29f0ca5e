//! `Buffer`: a cheap handle to a whole array. Clones are the same array; parts are [`Part`]s. It
//! has no `Index`: a reference into it comes from a guard only.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::Location;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::env::Env;
use crate::error::{Error, Result, Site};
use crate::guard::{self, ReadGuard, WriteGuard};
use crate::index::{IntoBox, IntoIndex};
use crate::launch::Handle;
use crate::lazy::Lazy;
use crate::part::{Chunks, LazyPart, Part, PartMut};
use crate::pod::Pod;
use crate::runtime::Runtime;
use crate::section::Section;

/// An array of rank `D` that every device can use. A handle: clones are the same array.
///
/// ```
/// use flash_rt::Buffer;
///
/// let image = Buffer::<f32, 2>::zeros([3, 4]); // three rows of four elements
/// assert_eq!((image.shape(), image.len(), image.space()), ([3, 4], 12, [4, 3]));
/// image.set([2, 1], 5.0)?;
/// image.row(0).fill(1.0)?;
/// assert_eq!(image.get([2, 1])?, 5.0);
/// assert_eq!(image.read(..)?[..5], [1.0, 1.0, 1.0, 1.0, 0.0]);
///
/// let line = Buffer::from(vec![1, 2, 3]);
/// line.write(1..)?[0] = 7;
/// assert_eq!(line.to_vec()?, [1, 7, 3]);
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct Buffer<T, const D: usize = 1> {
    pub(crate) allocation: Arc<Allocation>,
    pub(crate) shape: [usize; D],
    pub(crate) _elem: PhantomData<fn() -> T>,
}

/// What can be the shape of an array of rank `D`: `n` or `[h, w]`.
///
/// ```
/// use flash_rt::Buffer;
///
/// assert_eq!(Buffer::<u8>::zeros(6).shape(), [6]);
/// assert_eq!(Buffer::<u8, 3>::zeros([2, 3, 4]).len(), 24);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape of rank {D}",
    label = "expected `[usize; {D}]`, or `usize` for rank 1"
)]
pub trait IntoShape<const D: usize> {
    /// The extents, slowest dimension first.
    fn into_shape(self) -> [usize; D];
}

impl IntoShape<1> for usize {
    #[inline]
    fn into_shape(self) -> [usize; 1] {
        [self]
    }
}

impl<const D: usize> IntoShape<D> for [usize; D] {
    #[inline]
    fn into_shape(self) -> [usize; D] {
        self
    }
}

impl<T, const D: usize> Clone for Buffer<T, D> {
    #[inline]
    fn clone(&self) -> Self {
        Self { allocation: Arc::clone(&self.allocation), shape: self.shape, _elem: PhantomData }
    }
}

impl<T, const D: usize> fmt::Debug for Buffer<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer")
            .field("elem", &std::any::type_name::<T>())
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl<T: Pod, const D: usize> Buffer<T, D> {
    pub(crate) fn over(allocation: Allocation, shape: [usize; D]) -> Self {
        const { assert!(D >= 1 && D <= 4, "an array has a rank of 1 to 4") };
        Self { allocation: Arc::new(allocation), shape, _elem: PhantomData }
    }

    /// An array of zeros. Memory is taken at its first use.
    pub fn zeros(shape: impl IntoShape<D>) -> Self {
        let shape = shape.into_shape();
        Self::over(Allocation::zeros::<T>(&shape), shape)
    }

    /// An array that is still to be written, by a kernel, a host task or the host. What nobody has
    /// written is zero, as in [`Buffer::zeros`], but it is no value that anybody has given: nothing of
    /// it is copied to a device, and the first kernel, task or call that reads it is warned of through
    /// `tracing`, with its name and the argument's.
    ///
    /// ```
    /// # use flash_rt::Buffer;
    /// let mut scratch = Buffer::<f32>::unwritten(1024);
    /// scratch.set(3, 1.0)?;
    /// assert_eq!(scratch.get(3)?, 1.0);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn unwritten(shape: impl IntoShape<D>) -> Self {
        let shape = shape.into_shape();
        Self::over(Allocation::unwritten::<T>(&shape), shape)
    }

    /// An array of one value. A shape that is too large is reported by the first use.
    pub fn filled(shape: impl IntoShape<D>, value: T) -> Self {
        let shape = shape.into_shape();
        Self::over(Allocation::filled(&shape, value), shape)
    }

    /// An array with these elements, the last dimension fastest. A vector is used where it is, if
    /// it is large; a slice is copied.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if there are not as many as the shape says.
    #[track_caller]
    pub fn from_shape<'a>(
        shape: impl IntoShape<D>,
        values: impl Into<Cow<'a, [T]>>,
    ) -> Result<Self> {
        let shape = shape.into_shape();
        let values = values.into();
        if Section::count(&shape, size_of::<T>())? != values.len() {
            return Err(Error::Shape {
                what: format!("elements given to `from_shape` at {}", Location::caller()),
                expected: shape.to_vec(),
                found: vec![values.len()],
            });
        }
        let allocation = match values {
            Cow::Borrowed(values) => Allocation::from_slice(values),
            Cow::Owned(values) => Allocation::from_vec(values),
        };
        Ok(Self::over(allocation, shape))
    }

    /// The extents, slowest dimension first.
    #[inline]
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// The extent of a dimension.
    #[inline]
    pub fn extent(&self, dim: usize) -> usize {
        self.shape.get(dim).copied().unwrap_or(1)
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.allocation.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.allocation.is_empty()
    }

    /// The index space with one item for each element: the extents, fastest dimension first.
    #[inline]
    pub fn space(&self) -> [usize; D] {
        let mut space = self.shape;
        space.reverse();
        space
    }

    /// A copy of one element.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] outside; [`Error::GuardHeld`] under a `write` guard of this thread; what
    /// bringing it from a device says.
    #[inline]
    #[track_caller]
    pub fn get(&self, index: impl IntoIndex<D>) -> Result<T> {
        let index = index.into_index();
        guard::get(&self.allocation, &self.section(), &index, Location::caller())
    }

    /// Sets one element.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] outside; [`Error::GuardHeld`] under a guard of this thread.
    #[inline]
    #[track_caller]
    pub fn set(&self, index: impl IntoIndex<D>, value: T) -> Result<()> {
        let index = index.into_index();
        guard::set(&self.allocation, &self.section(), &index, value, Location::caller())
    }

    /// A guard to read elements as a slice, which must follow each other without gaps.
    ///
    /// It waits for those who write them. While it lives, a launch from this thread that writes
    /// them is [`Error::HostBorrowed`], and one from another thread waits.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] outside, [`Error::Shape`] for elements with gaps; [`Error::GuardHeld`]
    /// under a `write` guard of this thread; what bringing them from a device says.
    #[track_caller]
    pub fn read(&self, ranges: impl IntoBox<D>) -> Result<ReadGuard<T, D>> {
        let site = Location::caller();
        let section = self.part().section()?.cut(&ranges.into_box(self.shape), site)?;
        ReadGuard::new(&self.allocation, &section, site)
    }

    /// A guard to read and write elements as a slice, which must follow each other without gaps.
    ///
    /// It waits for those who use them. While it lives, a launch from this thread that uses them is
    /// [`Error::HostBorrowed`], and one from another thread waits.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    #[track_caller]
    pub fn write(&self, ranges: impl IntoBox<D>) -> Result<WriteGuard<T, D>> {
        let site = Location::caller();
        let section = self.part().section()?.cut(&ranges.into_box(self.shape), site)?;
        WriteGuard::new(&self.allocation, &section, site)
    }

    /// A copy of all elements, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`] under a `write` guard of this thread; what bringing them from a device
    /// says.
    #[track_caller]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.allocation.check()?;
        guard::to_vec(&self.allocation, &self.section(), Location::caller())
    }

    /// The elements, the last dimension fastest; without a copy where they are in the memory of a
    /// vector that an array was made from, and this is the last handle.
    ///
    /// # Errors
    ///
    /// As [`Buffer::to_vec`]. This handle is gone then; clone it first to try again.
    #[track_caller]
    pub fn into_vec(mut self) -> Result<Vec<T>> {
        self.allocation.check()?;
        let section = self.section();
        if let Some(allocation) = Arc::get_mut(&mut self.allocation) {
            let site = Location::caller();
            allocation.to_host(&section).map_err(guard::needed_by("into_vec", site))?;
            if let Some(values) = allocation.take_vec() {
                return Ok(values);
            }
        }
        guard::to_vec(&self.allocation, &section, Location::caller())
    }

    /// Sets all elements to one value.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`] under a guard of this thread.
    #[track_caller]
    pub fn fill(&self, value: T) -> Result<()> {
        self.allocation.check()?;
        let section = &self.section();
        let site = Location::caller();
        guard::overwrite(&self.allocation, section, "fill", site, |run| run.fill(value))
    }

    /// Sets all elements, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if there are not as many; [`Error::GuardHeld`] under a guard of this
    /// thread.
    #[track_caller]
    pub fn copy_from_slice(&self, values: &[T]) -> Result<()> {
        self.allocation.check()?;
        let section = &self.section();
        if values.len() != section.len() {
            return Err(Error::Shape {
                what: format!("elements given to `copy_from_slice` at {}", Location::caller()),
                expected: vec![section.len()],
                found: vec![values.len()],
            });
        }
        let (site, mut rest) = (Location::caller(), values);
        guard::overwrite(&self.allocation, section, "copy_from_slice", site, |run| {
            let (head, tail) = rest.split_at(run.len());
            run.copy_from_slice(head);
            rest = tail;
        })
    }

    /// Starts to bring the array to a device, by number in
    /// [`Runtime::devices`](crate::Runtime::devices), as far as it is not current there, and returns
    /// at once. It takes its place among those that want the array; the handle need not be kept.
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let x = Buffer::from(vec![1.0_f32; 1 << 10]);
    /// let handle = x.prefetch(&rt, 0);
    /// x.wait()?;
    /// assert_eq!(handle.wait()?.transfers().uploaded, 4 << 10);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The handle has them: as for [`Pipeline::move_to`](crate::Pipeline::move_to).
    #[track_caller]
    pub fn prefetch<B>(&self, rt: &Runtime<B>, device: usize) -> Handle {
        let mut pipeline = rt.pipeline();
        pipeline.move_to(self, device);
        pipeline.launch()
    }

    /// Starts to give the memory of the array on a device back, by number in
    /// [`Runtime::devices`](crate::Runtime::devices), after bringing what only it holds to the host, and
    /// returns at once. It takes its place among those that want the array; the handle need not be kept.
    /// A device that uses the memory of the host keeps what it has.
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let x = Buffer::from(vec![1.0_f32; 1 << 10]);
    /// x.prefetch(&rt, 0).wait()?;
    /// let handle = x.evict(&rt, 0);
    /// // The host has the elements, so nothing has to be brought.
    /// assert_eq!(handle.wait()?.transfers().downloaded, 0);
    /// assert_eq!(x.get(5)?, 1.0);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The handle has them: [`Error::Range`] where there is no such device, and what bringing the elements
    /// says; they stay where they were then.
    #[track_caller]
    pub fn evict<B>(&self, rt: &Runtime<B>, device: usize) -> Handle {
        let mut pipeline = rt.pipeline();
        pipeline.evict(self, device);
        pipeline.launch()
    }

    /// Returns when all that is under way on the array has ended: pipelines, copies and tasks that
    /// took their place before. What they failed with is theirs to say.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`] under a guard of this thread; [`Error::Reentrant`] in a host task of a
    /// pipeline that uses the array.
    #[track_caller]
    pub fn wait(&self) -> Result<()> {
        self.allocation.check()?;
        guard::wait(&self.allocation, Location::caller())
    }

    /// A handle to a box of the array: `x.view(a..b)`, `m.view((a..b, ..))`.
    ///
    /// A box that is outside is reported where the handle is used.
    #[track_caller]
    #[inline(always)]
    pub fn view(&self, ranges: impl IntoBox<D>) -> Part<T, D> {
        let ranges = ranges.into_box(self.shape);
        if let [range] = &ranges[..]
            && range.start < range.end
            && range.end <= self.shape[0]
            && self.allocation.check().is_ok()
        {
            // Most of them; made in their place, as a copy takes longer than all the rest.
            return Part {
                allocation: Arc::clone(&self.allocation),
                section: Section::of_range(range),
                fault: None,
                _elem: PhantomData,
            };
        }
        self.cut(&ranges, Location::caller())
    }

    #[inline(never)]
    fn cut(&self, ranges: &[Range<usize>], site: Site) -> Part<T, D> {
        let cut = self.allocation.check().and_then(|()| self.section().cut(ranges, site));
        Part::new(&self.allocation, cut.map_err(Arc::new))
    }

    /// A handle to a box of the array, to be written.
    #[track_caller]
    #[inline(always)]
    pub fn view_mut(&mut self, ranges: impl IntoBox<D>) -> PartMut<T, D> {
        PartMut(self.view(ranges))
    }

    /// The same array in another shape.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if the elements are not as many.
    #[track_caller]
    pub fn reshape<const E: usize>(&self, shape: impl IntoShape<E>) -> Result<Buffer<T, E>> {
        const { assert!(E >= 1 && E <= 4, "an array has a rank of 1 to 4") };
        let shape = shape.into_shape();
        self.allocation.check()?;
        self.section().reshape(&shape, Location::caller())?;
        Ok(Buffer { allocation: Arc::clone(&self.allocation), shape, _elem: PhantomData })
    }

    /// Two handles: the first `k` of the first dimension, and the rest.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] if there are fewer than `k`.
    #[track_caller]
    pub fn split_at_mut(&mut self, k: usize) -> Result<(PartMut<T, D>, PartMut<T, D>)> {
        self.part().split_at_mut(k)
    }

    /// Handles to `k` at a time of the first dimension; the last one may be shorter.
    #[track_caller]
    pub fn chunks(&self, k: usize) -> Chunks<T, D> {
        self.part().chunks(k)
    }

    #[inline]
    pub(crate) fn section(&self) -> Section {
        Section::whole(&self.shape)
    }

    /// The whole array as a part.
    pub(crate) fn part(&self) -> Part<T, D> {
        let cut = self.allocation.check().map(|()| self.section());
        Part::new(&self.allocation, cut.map_err(Arc::new))
    }
}

/// What fixes the first index of an array of rank `$from`.
macro_rules! lower_rank {
    ($($from:literal => $to:literal),*) => {$(
        impl<T: Pod> Buffer<T, $from> {
            /// A handle to the elements whose first index is `index`.
            #[track_caller]
            pub fn at(&self, index: usize) -> Part<T, $to> {
                self.part().at(index)
            }

            /// The same with an index that depends on loop variables; `flash_pipeline!` makes it of
            /// `&x.at(v)`.
            #[track_caller]
            pub fn at_lazy<F: Fn(&Env) -> usize>(&self, index: Lazy<F>) -> LazyPart<F, T, $to> {
                self.part().at_lazy(index)
            }
        }
    )*};
}
lower_rank!(2 => 1, 3 => 2, 4 => 3);

impl<T: Pod> Buffer<T, 2> {
    /// A handle to a row.
    #[track_caller]
    pub fn row(&self, index: usize) -> Part<T, 1> {
        self.part().at(index)
    }
}

impl<T: Pod> From<Vec<T>> for Buffer<T, 1> {
    fn from(values: Vec<T>) -> Self {
        let shape = [values.len()];
        Self::over(Allocation::from_vec(values), shape)
    }
}

impl<T: Pod, const N: usize> From<[T; N]> for Buffer<T, 1> {
    fn from(values: [T; N]) -> Self {
        Self::over(Allocation::from_slice(&values), [N])
    }
}

impl<T: Pod> FromIterator<T> for Buffer<T, 1> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::from(values.into_iter().collect::<Vec<_>>())
    }
}

impl<T: Pod> From<&[T]> for Buffer<T, 1> {
    fn from(values: &[T]) -> Self {
        Self::over(Allocation::from_slice(values), [values.len()])
    }
}
