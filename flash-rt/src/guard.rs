//! Guards: the only references to the host image that a user gets. Each holds its range in the
//! ledger. Fenced: a guard turns the image into a slice, and single elements are copied here.
//!
//! Guards stay on their thread, so that a launch that would wait for one is an error, not a wait
//! without end. A guard that is forgotten keeps its range held for ever, and nothing else.
#![allow(unsafe_code, reason = "turns held ranges of the host image into slices")]

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

use crate::access::{Access, Mode};
use crate::allocation::{Allocation, Reader};
use crate::error::{At, Error, Result, Site};
use crate::ledger::{Brief, GuardHold, Refusal};
use crate::pod::Pod;
use crate::section::Section;
use crate::view::{View, ViewMut};

/// Elements of a buffer to read, kept from being written while it lives.
///
/// It stays on its thread:
///
/// ```compile_fail,E0277
/// use flash_rt::Buffer;
///
/// let x = Buffer::from(vec![1, 2, 3]);
/// let guard = x.read(..).unwrap();
/// std::thread::scope(|scope| { scope.spawn(move || guard[0]); });
/// ```
pub struct ReadGuard<T, const D: usize = 1> {
    held: Held<T>,
}

/// Elements of a buffer to read and write, kept from everybody else while it lives.
///
/// ```
/// use flash_rt::{Buffer, Error};
///
/// let x = Buffer::from(vec![3, 1, 2]);
/// let mut elements = x.write(..)?;
/// elements.sort();
/// assert!(matches!(x.set(0, 9), Err(Error::GuardHeld { .. })), "this thread would wait for itself");
/// drop(elements);
/// assert_eq!(x.to_vec()?, [1, 2, 3]);
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct WriteGuard<T, const D: usize = 1> {
    held: Held<T>,
}

struct Held<T> {
    base: NonNull<T>,
    access: Access,
    _hold: GuardHold,
    /// Not `Send`: the ledger knows guards by their thread.
    _thread: PhantomData<*const ()>,
}

impl<T: Pod> Held<T> {
    fn new(
        allocation: &Arc<Allocation>,
        section: &Section,
        mode: Mode,
        site: Site,
    ) -> Result<Self> {
        if !section.is_contiguous() {
            return Err(Error::Shape {
                what: format!(
                    "a guard at {site} needs elements without gaps (use `to_vec`, or a row); rows"
                ),
                expected: vec![section.len()],
                found: section.shape().to_vec(),
            });
        }
        let access = Access { allocation: Arc::clone(allocation), section: *section, mode };
        let what = if mode == Mode::Read { "read" } else { "write" };
        let hold = GuardHold::enter(&access).map_err(|refusal| refused(refusal, what, site))?;
        if mode == Mode::Read {
            allocation.note_reader(section, Reader::Host(what));
        }
        allocation.to_host(section).map_err(needed_by(what, site))?;
        // Not before: until the range is held, a pipeline may swap the storage, and until it is here,
        // bringing it may.
        let base = allocation.host()?;
        if mode == Mode::Write {
            allocation.host_wrote(section);
        }
        // SAFETY: the section lies in the array that starts at `base`; `offset` is at most its end.
        let base = unsafe { base.cast::<T>().add(section.offset()) };
        Ok(Self { base, access, _hold: hold, _thread: PhantomData })
    }

    fn shape<const D: usize>(&self) -> [usize; D] {
        std::array::from_fn(|d| self.access.section.shape[d])
    }

    fn stride<const D: usize>(&self) -> [usize; D] {
        std::array::from_fn(|d| self.access.section.stride[d])
    }
}

/// Waits for all that is under way on an array.
pub(crate) fn wait(allocation: &Arc<Allocation>, site: Site) -> Result<()> {
    let whole = Section::whole(&[allocation.len()]);
    Brief::enter(allocation, &whole, Mode::Write)
        .map(drop)
        .map_err(|refusal| refused(refusal, "wait", site))
}

/// Says in the error of a device which call needed its elements.
pub(crate) fn needed_by(what: &'static str, site: Site) -> impl FnOnce(Error) -> Error {
    move |error| error.within(At { node: None, stage: what, site })
}

/// A refusal as the error of a guard or single access.
fn refused(refusal: Refusal, what: &'static str, site: Site) -> Error {
    match refusal {
        Refusal::HostBorrowed(_) => Error::GuardHeld { what, site },
        Refusal::Reentrant(_, task) => Error::reentrant(task),
    }
}

impl<T: Pod, const D: usize> ReadGuard<T, D> {
    pub(crate) fn new(allocation: &Arc<Allocation>, section: &Section, site: Site) -> Result<Self> {
        Ok(Self { held: Held::new(allocation, section, Mode::Read, site)? })
    }

    /// The elements with their shape.
    pub fn as_view(&self) -> View<'_, T, D> {
        let (shape, stride) = (self.held.shape(), self.held.stride());
        // SAFETY: the section is held for reading while `self` lives.
        unsafe { View::new(self.held.base, shape, stride) }
    }
}

impl<T: Pod, const D: usize> WriteGuard<T, D> {
    pub(crate) fn new(allocation: &Arc<Allocation>, section: &Section, site: Site) -> Result<Self> {
        Ok(Self { held: Held::new(allocation, section, Mode::Write, site)? })
    }

    /// The elements with their shape.
    pub fn as_view(&self) -> View<'_, T, D> {
        let (shape, stride) = (self.held.shape(), self.held.stride());
        // SAFETY: the section is held for writing while `self` lives, and shared for now.
        unsafe { View::new(self.held.base, shape, stride) }
    }

    /// The elements with their shape, to be written.
    pub fn as_view_mut(&mut self) -> ViewMut<'_, T, D> {
        let (shape, stride) = (self.held.shape(), self.held.stride());
        // SAFETY: the section is held for writing while `self` lives, which is borrowed alone.
        unsafe { ViewMut::new(self.held.base, shape, stride) }
    }
}

impl<T: Pod, const D: usize> Deref for ReadGuard<T, D> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let n = self.held.access.section.len();
        // SAFETY: the `n` elements from `base` are initialised, and held for reading while `self`
        // lives.
        unsafe { std::slice::from_raw_parts(self.held.base.as_ptr(), n) }
    }
}

impl<T: Pod, const D: usize> Deref for WriteGuard<T, D> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let n = self.held.access.section.len();
        // SAFETY: the `n` elements from `base` are initialised, and held for writing while `self`
        // lives.
        unsafe { std::slice::from_raw_parts(self.held.base.as_ptr(), n) }
    }
}

impl<T: Pod, const D: usize> DerefMut for WriteGuard<T, D> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let n = self.held.access.section.len();
        // SAFETY: as for `deref`, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.held.base.as_ptr(), n) }
    }
}

impl<T: Pod + fmt::Debug, const D: usize> fmt::Debug for ReadGuard<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Pod + fmt::Debug, const D: usize> fmt::Debug for WriteGuard<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The range error of an index.
#[cold]
fn outside(index: &[usize], section: &Section, what: &'static str, site: Site) -> Error {
    let d = (0..index.len()).find(|&d| index[d] >= section.shape[d]).unwrap_or(0);
    Error::Range {
        what: format!("`{what}` of {index:?} at {site}, dimension {d}"),
        index: index[d],
        len: section.shape[d],
    }
}

/// A copy of one element.
#[inline]
pub(crate) fn get<T: Pod>(
    allocation: &Arc<Allocation>,
    section: &Section,
    index: &[usize],
    site: Site,
) -> Result<T> {
    // An array that does not exist has no place.
    allocation.check()?;
    let Some(at) = section.place(index) else {
        return Err(outside(index, section, "get", site));
    };
    let one = Section::of_range(&(at..at + 1));
    let hold = Brief::enter(allocation, &one, Mode::Read).map_err(|r| refused(r, "get", site))?;
    if allocation.has_images() {
        allocation.note_reader(&one, Reader::Host("get"));
        allocation.window_to_host(at, hold.is_whole()).map_err(needed_by("get", site))?;
    }
    let host = allocation.host()?;
    // SAFETY: `at` was found inside the array.
    let place = unsafe { host.cast::<T>().add(at) };
    // SAFETY: the element is initialised and held for reading.
    Ok(unsafe { place.read() })
}

/// Sets one element.
#[inline]
pub(crate) fn set<T: Pod>(
    allocation: &Arc<Allocation>,
    section: &Section,
    index: &[usize],
    value: T,
    site: Site,
) -> Result<()> {
    // An array that does not exist has no place.
    allocation.check()?;
    let Some(at) = section.place(index) else {
        return Err(outside(index, section, "set", site));
    };
    let one = Section::of_range(&(at..at + 1));
    let _hold = Brief::enter(allocation, &one, Mode::Write).map_err(|r| refused(r, "set", site))?;
    let host = allocation.host()?;
    // SAFETY: `at` was found inside the array.
    let place = unsafe { host.cast::<T>().add(at) };
    // SAFETY: the element is held for writing.
    unsafe { place.write(value) };
    allocation.host_wrote(&one);
    Ok(())
}

/// A copy of all elements of a box, the last dimension fastest.
pub(crate) fn to_vec<T: Pod>(
    allocation: &Arc<Allocation>,
    section: &Section,
    site: Site,
) -> Result<Vec<T>> {
    let _hold =
        Brief::enter(allocation, section, Mode::Read).map_err(|r| refused(r, "to_vec", site))?;
    allocation.note_reader(section, Reader::Host("to_vec"));
    allocation.to_host(section).map_err(needed_by("to_vec", site))?;
    let host = allocation.host()?.cast::<T>();
    let mut values = Vec::with_capacity(section.len());
    for run in section.runs() {
        // SAFETY: runs of a section lie in the array.
        let start = unsafe { host.add(run.start) };
        // SAFETY: the elements are initialised, and held for reading.
        values.extend_from_slice(unsafe { std::slice::from_raw_parts(start.as_ptr(), run.len()) });
    }
    Ok(values)
}

/// A copy of all bytes of an array.
#[cfg(feature = "sabotage")]
pub(crate) fn bytes(allocation: &Arc<Allocation>, site: Site) -> Result<Vec<u8>> {
    let whole = Section::whole(&[allocation.len()]);
    let _hold =
        Brief::enter(allocation, &whole, Mode::Read).map_err(|r| refused(r, "bytes", site))?;
    allocation.to_host(&whole).map_err(needed_by("bytes", site))?;
    let host = allocation.host()?;
    // SAFETY: the elements are initialised, without padding, and held for reading.
    let bytes = unsafe { std::slice::from_raw_parts(host.as_ptr(), allocation.bytes()) };
    Ok(bytes.to_vec())
}

/// Hands each run of a box to `write`, as elements that are to be overwritten entirely.
pub(crate) fn overwrite<T: Pod>(
    allocation: &Arc<Allocation>,
    section: &Section,
    what: &'static str,
    site: Site,
    mut write: impl FnMut(&mut [T]),
) -> Result<()> {
    let _hold =
        Brief::enter(allocation, section, Mode::Write).map_err(|r| refused(r, what, site))?;
    let host = allocation.host()?.cast::<T>();
    for run in section.runs() {
        // SAFETY: runs of a section lie in the array.
        let start = unsafe { host.add(run.start) };
        // SAFETY: the elements are initialised, if perhaps not current, and held for writing.
        write(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), run.len()) });
    }
    allocation.host_wrote(section);
    Ok(())
}
