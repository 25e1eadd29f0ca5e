//! `Part`: a handle to a box of an array, with strides, and `PartMut`: one to be written. Accepted wherever
//! a buffer is. They are made by `view`, `view_mut`, `row`, `at` and the like, and borrow nothing.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::{Arc, Mutex};

use crate::allocation::Allocation;
use crate::arg::Moves;
use crate::buffer::IntoShape;
use crate::env::{Env, LoopVar, MAX_LOOPS};
use crate::error::{Error, Result, Site};
use crate::guard::{self, ReadGuard, WriteGuard};
use crate::index::{IntoBox, IntoIndex};
use crate::launch::Handle;
use crate::lazy::Lazy;
use crate::pod::Pod;
use crate::runtime::Runtime;
use crate::section::Section;

/// A handle to a box of a [`Buffer`](crate::Buffer), of rank `D`.
///
/// One that was cut outside its array reports so at its first use.
///
/// ```
/// use flash_rt::Buffer;
///
/// let mut image = Buffer::<u32, 2>::from_shape([2, 3], vec![0, 1, 2, 3, 4, 5])?;
/// let right = image.view((.., 1..)); // the last two columns
/// assert_eq!((right.shape(), right.to_vec()?), ([2, 2], vec![1, 2, 4, 5]));
/// assert_eq!(image.reshape(6)?.get(4)?, 4);
///
/// let (top, bottom) = image.split_at_mut(1)?;
/// top.copy_from(&bottom)?;
/// assert_eq!(image.row(0).to_vec()?, [3, 4, 5]);
/// assert!(image.view((0..5, ..)).to_vec().is_err(), "outside");
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct Part<T, const D: usize = 1> {
    pub(crate) allocation: Arc<Allocation>,
    pub(crate) section: Section,
    pub(crate) fault: Option<Arc<Error>>,
    pub(crate) _elem: PhantomData<fn() -> T>,
}

impl<T, const D: usize> Clone for Part<T, D> {
    fn clone(&self) -> Self {
        Self {
            allocation: Arc::clone(&self.allocation),
            section: self.section,
            fault: self.fault.clone(),
            _elem: PhantomData,
        }
    }
}

/// A [`Part`] that is to be written, as `view_mut` and `split_at_mut` give it: an argument of stages that
/// write, as it is or as `&mut`, and of those that read, as `&`. All else it does as a [`Part`].
///
/// ```
/// use flash_rt::Buffer;
///
/// let mut x = Buffer::from(vec![1, 2, 3, 4]);
/// let mut middle = x.view_mut(1..3);
/// middle.fill(0)?;
/// middle.view_mut(1..).set(0, 7)?;
/// assert_eq!((middle.len(), x.to_vec()?), (2, vec![1, 0, 7, 4]));
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct PartMut<T, const D: usize = 1>(pub(crate) Part<T, D>);

impl<T, const D: usize> Deref for PartMut<T, D> {
    type Target = Part<T, D>;

    #[inline]
    fn deref(&self) -> &Part<T, D> {
        &self.0
    }
}

impl<T, const D: usize> DerefMut for PartMut<T, D> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Part<T, D> {
        &mut self.0
    }
}

impl<T, const D: usize> Clone for PartMut<T, D> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, const D: usize> fmt::Debug for PartMut<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartMut").field(&self.0).finish()
    }
}

/// What a part is made from.
pub(crate) type Cut = Result<Section, Arc<Error>>;

impl<T, const D: usize> Part<T, D> {
    #[inline]
    pub(crate) fn new(allocation: &Arc<Allocation>, cut: Cut) -> Self {
        let (section, fault) = match cut {
            Ok(section) => (section, None),
            Err(fault) => (Section::whole(&[0; D]), Some(fault)),
        };
        Self { allocation: Arc::clone(allocation), section, fault, _elem: PhantomData }
    }

    /// The box, or what was wrong when it was cut.
    pub(crate) fn section(&self) -> Result<&Section> {
        match &self.fault {
            None => Ok(&self.section),
            Some(fault) => Err((**fault).clone()),
        }
    }

    fn cut(&self, cut: impl FnOnce(&Section) -> Result<Section>) -> Cut {
        self.fault
            .as_ref()
            .map_or_else(|| cut(&self.section).map_err(Arc::new), |fault| Err(Arc::clone(fault)))
    }

    /// The extents, slowest dimension first.
    pub fn shape(&self) -> [usize; D] {
        std::array::from_fn(|d| self.section.shape[d])
    }

    /// The extent of a dimension.
    pub fn extent(&self, dim: usize) -> usize {
        self.section.shape().get(dim).copied().unwrap_or(1)
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.section.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.section.is_empty()
    }

    /// The index space with one item for each element: the extents, fastest dimension first.
    pub fn space(&self) -> [usize; D] {
        let mut space = self.shape();
        space.reverse();
        space
    }

    /// Starts to bring the box to a device, as [`Buffer::prefetch`](crate::Buffer::prefetch) does an array.
    ///
    /// # Errors
    ///
    /// The handle has them: as there, and where the box was cut outside of its array.
    #[track_caller]
    pub fn prefetch<B>(&self, rt: &Runtime<B>, device: usize) -> Handle {
        let mut pipeline = rt.pipeline();
        pipeline.move_to(self, device);
        pipeline.launch()
    }

    /// A handle to a box of this box.
    #[track_caller]
    pub fn view(&self, ranges: impl IntoBox<D>) -> Self {
        let (ranges, site) = (ranges.into_box(self.shape()), Location::caller());
        Self::new(&self.allocation, self.cut(|section| section.cut(&ranges, site)))
    }

    /// A handle to a box of this box, to be written.
    #[track_caller]
    pub fn view_mut(&mut self, ranges: impl IntoBox<D>) -> PartMut<T, D> {
        PartMut(self.view(ranges))
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if there are gaps between the elements or they are not as many.
    #[track_caller]
    pub fn reshape<const E: usize>(&self, shape: impl IntoShape<E>) -> Result<Part<T, E>> {
        let section = self.section()?.reshape(&shape.into_shape(), Location::caller())?;
        Ok(Part::new(&self.allocation, Ok(section)))
    }

    /// Two handles: the first `k` of the first dimension, and the rest.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] if there are fewer than `k`.
    #[track_caller]
    pub fn split_at_mut(&mut self, k: usize) -> Result<(PartMut<T, D>, PartMut<T, D>)> {
        let (site, n) = (Location::caller(), self.section()?.shape[0]);
        let cut = |range| self.section.cut(&[range], site);
        let part = |section| PartMut(Self::new(&self.allocation, Ok(section)));
        let (head, tail) = (cut(0..k)?, cut(k..n.max(k))?);
        Ok((part(head), part(tail)))
    }

    /// Handles to `k` at a time of the first dimension; the last one may be shorter.
    #[track_caller]
    pub fn chunks(&self, k: usize) -> Chunks<T, D> {
        Chunks { whole: self.clone(), k, next: 0, site: Location::caller() }
    }
}

impl<T: Pod, const D: usize> Part<T, D> {
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
        guard::get(&self.allocation, self.section()?, &index, Location::caller())
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
        guard::set(&self.allocation, self.section()?, &index, value, Location::caller())
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
        let section = self.section()?.cut(&ranges.into_box(self.shape()), site)?;
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
        let section = self.section()?.cut(&ranges.into_box(self.shape()), site)?;
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
        guard::to_vec(&self.allocation, self.section()?, Location::caller())
    }

    /// Sets all elements to one value.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`] under a guard of this thread.
    #[track_caller]
    pub fn fill(&self, value: T) -> Result<()> {
        let section = self.section()?;
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
        let section = self.section()?;
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
}

/// The parts that [`Part::chunks`] gives.
///
/// ```
/// use flash_rt::Buffer;
///
/// let x = Buffer::from(vec![1, 2, 3, 4, 5]);
/// let lengths: Vec<usize> = x.chunks(2).map(|chunk| chunk.len()).collect();
/// assert_eq!(lengths, [2, 2, 1]);
/// ```
#[derive(Debug)]
pub struct Chunks<T, const D: usize> {
    whole: Part<T, D>,
    k: usize,
    next: usize,
    site: Site,
}

impl<T, const D: usize> Iterator for Chunks<T, D> {
    type Item = Part<T, D>;

    fn next(&mut self) -> Option<Part<T, D>> {
        if self.whole.fault.is_some() {
            // One chunk that reports it.
            self.next += 1;
            return (self.next == 1).then(|| self.whole.clone());
        }
        let n = self.whole.section.shape[0];
        if self.next >= n {
            return None;
        }
        let end = self.next.saturating_add(self.k).min(n);
        // Chunks of nothing would never end: one that reports it, as a box that ends outside.
        let range = if self.k == 0 { n..n + 1 } else { self.next..end };
        self.next = if self.k == 0 { n } else { end };
        let cut = self.whole.cut(|section| section.cut(&[range], self.site));
        Some(Part::new(&self.whole.allocation, cut))
    }
}

/// What fixes the first index of an array of rank `$from`.
macro_rules! lower_rank {
    ($($from:literal => $to:literal),*) => {$(
        impl<T> Part<T, $from> {
            /// A handle to the elements whose first index is `index`.
            #[track_caller]
            pub fn at(&self, index: usize) -> Part<T, $to> {
                let site = Location::caller();
                Part::new(&self.allocation, self.cut(|section| section.fix_first(index, site)))
            }

            /// The same with an index that depends on loop variables; `flash_pipeline!` makes it of
            /// `&x.at(v)`.
            #[track_caller]
            pub fn at_lazy<F: Fn(&Env) -> usize>(&self, index: Lazy<F>) -> LazyPart<F, T, $to> {
                LazyPart::new(&self.allocation, self.cut(|section| Ok(*section)), index)
            }
        }
    )*};
}
lower_rank!(2 => 1, 3 => 2, 4 => 3);

impl<T> Part<T, 2> {
    /// A handle to a row.
    #[track_caller]
    pub fn row(&self, index: usize) -> Part<T, 1> {
        self.at(index)
    }
}

/// A handle to a box whose place depends on loop variables: see [`Part::at`]. It is an argument of
/// stages in a loop of `flash_pipeline!`, and nothing else.
pub struct LazyPart<F, T, const D: usize = 1> {
    pub(crate) allocation: Arc<Allocation>,
    /// What the first index is fixed of.
    pub(crate) whole: Cut,
    /// Shared by the arguments made from it; in a lock, as a closure may not be `Sync`.
    pub(crate) index: Arc<Mutex<F>>,
    /// What the index is, where it follows a loop variable.
    pub(crate) moves: Option<Moves>,
    pub(crate) site: Site,
    _elem: PhantomData<fn() -> T>,
}

impl<F, T, const D: usize> LazyPart<F, T, D> {
    #[track_caller]
    pub(crate) fn new(allocation: &Arc<Allocation>, whole: Cut, index: Lazy<F>) -> Self {
        let allocation = Arc::clone(allocation);
        let (index, site) = (Arc::new(Mutex::new(index.0)), Location::caller());
        Self { allocation, whole, index, moves: None, site, _elem: PhantomData }
    }

    /// The same with an index that is `times` times the variable of a loop `plus` something, whatever
    /// else was given: then it is known which trips touch different elements, and stages of them need
    /// not wait for each other. `flash_pipeline!` writes it for `x.at(v)`, `x.at(v + 1)`,
    /// `x.at(2 * v)` and the like.
    pub fn moving<V>(mut self, var: LoopVar<V>, times: usize, plus: isize) -> Self {
        let (which, plus) = (var.which(), i64::try_from(plus));
        if let (Ok(times @ 1..=MOST_TIMES), Ok(plus)) = (u32::try_from(times), plus)
            && which.level < MAX_LOOPS
        {
            self.moves = Some(Moves { which, times, plus });
        }
        self
    }
}

/// Strides of loops that are not looked into any more.
const MOST_TIMES: u32 = 1 << 10;

impl<F, T, const D: usize> fmt::Debug for LazyPart<F, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyPart").field("of", &self.whole).finish_non_exhaustive()
    }
}

impl<T, const D: usize> fmt::Debug for Part<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("elem", &std::any::type_name::<T>())
            .field("shape", &self.section.shape())
            .field("stride", &self.section.stride())
            .field("offset", &self.section.offset())
            .finish_non_exhaustive()
    }
}
