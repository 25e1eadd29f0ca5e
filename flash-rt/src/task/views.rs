//! The arrays of one run of a host task, as views. Fenced: slots become references here. It moves
//! no data; whoever makes the slots has made the host image current.
#![allow(unsafe_code, reason = "decodes slots; each accessor checks tag, type and shape first")]

use std::any::TypeId;
use std::ptr::NonNull;

use crate::entry::{ArraySlot, Slot, Tag};
use crate::error::{Error, Result, Site};
use crate::view::{View, ViewMut};

/// The arrays of one run, taken one after the other in the order of the task's arguments, so that
/// none is taken twice.
#[derive(Debug)]
pub struct HostViews<'s> {
    task: &'static str,
    site: Site,
    rest: std::slice::Iter<'s, Slot>,
    taken: usize,
}

impl<'s> HostViews<'s> {
    pub(crate) fn new(task: &'static str, site: Site, slots: &'s [Slot]) -> Self {
        Self { task, site, rest: slots.iter(), taken: 0 }
    }

    /// The next array, which the task only reads.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if the array is of another rank, or only part of it is at hand.
    pub fn view<T: 'static, const D: usize>(&mut self) -> Result<View<'s, T, D>> {
        let (base, shape, stride) = self.next::<T, D>(Tag::Input)?;
        // SAFETY: the slot is `Tag::Input` of `T`, so its maker promised that all elements of the
        // box are initialised and unwritten while the slot is in use, which is `'s`.
        Ok(unsafe { View::new(base, shape, stride) })
    }

    /// The next array, which the task reads and writes.
    ///
    /// # Errors
    ///
    /// As for [`HostViews::view`].
    pub fn view_mut<T: 'static, const D: usize>(&mut self) -> Result<ViewMut<'s, T, D>> {
        let (base, shape, stride) = self.next::<T, D>(Tag::Own)?;
        // SAFETY: the slot is `Tag::Own` of `T`, so its maker promised that all elements of the box
        // are initialised and reached through this slot only, for `'s`; `next` yields it once.
        Ok(unsafe { ViewMut::new(base, shape, stride) })
    }

    /// The next array as a slice, which the task only reads.
    ///
    /// # Errors
    ///
    /// As for [`HostViews::view`], and [`Error::Shape`] if the elements are not neighbours.
    pub fn slice<T: 'static>(&mut self) -> Result<&'s [T]> {
        let (base, [len], stride) = self.next::<T, 1>(Tag::Input)?;
        self.neighbours(len, stride)?;
        // SAFETY: as in `view`; the elements are neighbours, as was just checked.
        Ok(unsafe { std::slice::from_raw_parts(base.as_ptr(), len) })
    }

    /// The next array as a slice, which the task reads and writes.
    ///
    /// # Errors
    ///
    /// As for [`HostViews::slice`].
    pub fn slice_mut<T: 'static>(&mut self) -> Result<&'s mut [T]> {
        let (base, [len], stride) = self.next::<T, 1>(Tag::Own)?;
        self.neighbours(len, stride)?;
        // SAFETY: as in `view_mut`; the elements are neighbours, as was just checked.
        Ok(unsafe { std::slice::from_raw_parts_mut(base.as_ptr(), len) })
    }

    /// The value of the next array, a cell, which the task only reads.
    ///
    /// # Errors
    ///
    /// As for [`HostViews::cell_mut`].
    pub fn cell<T: Copy + 'static>(&mut self) -> Result<T> {
        match self.slice::<T>()? {
            [cell] => Ok(*cell),
            other => {
                Err(Error::Shape { what: self.what(), expected: vec![1], found: vec![other.len()] })
            }
        }
    }

    /// The next array, a cell, which the task reads and writes.
    ///
    /// # Errors
    ///
    /// As for [`HostViews::view`], and [`Error::Shape`] if it is not one element.
    pub fn cell_mut<T: 'static>(&mut self) -> Result<&'s mut T> {
        match self.slice_mut::<T>()? {
            [cell] => Ok(cell),
            other => {
                Err(Error::Shape { what: self.what(), expected: vec![1], found: vec![other.len()] })
            }
        }
    }

    /// The value of the next array, a cell of a `bool`, which the task only reads.
    ///
    /// # Errors
    ///
    /// As for [`HostViews::cell_mut`].
    pub fn flag(&mut self) -> Result<bool> {
        let (base, shape, _) = self.next::<bool, 1>(Tag::Input)?;
        if shape != [1] {
            return Err(Error::Shape { what: self.what(), expected: vec![1], found: shape.into() });
        }
        // SAFETY: the slot is `Tag::Input` of one `bool`, a byte, so its maker promised that it is
        // initialised and unwritten while the slot is in use.
        Ok(unsafe { base.cast::<u8>().read() } != 0)
    }

    fn next<T: 'static, const D: usize>(
        &mut self,
        tag: Tag,
    ) -> Result<(NonNull<T>, [usize; D], [usize; D])> {
        self.taken += 1;
        let Some(slot) = self.rest.next() else {
            return Err(Error::Shape {
                what: self.what(),
                expected: vec![self.taken],
                found: vec![self.taken - 1],
            });
        };
        let array = slot.array_slot();
        let rank = usize::from(array.rank);
        let typed = slot.tag() == tag && slot.elem() == TypeId::of::<T>();
        if !typed || rank != D || array.origin[..D] != [0; D] || array.held != array.shape {
            let whole = array.shape.get(..rank).unwrap_or_default().to_vec();
            return Err(Error::Shape { what: self.what(), expected: vec![D], found: whole });
        }
        let (shape, Some(stride)) = extents::<D>(array) else {
            return Err(Error::Shape { what: self.what(), expected: vec![D], found: Vec::new() });
        };
        let base = NonNull::new(array.base.cast::<T>()).filter(|base| base.is_aligned());
        match base {
            Some(base) if tag == Tag::Own && slot.elem() == TypeId::of::<bool>() => {
                if shape.contains(&0) || shape.iter().any(|&extent| extent > 1) {
                    return Err(Error::Shape {
                        what: self.what(),
                        expected: vec![1],
                        found: shape.to_vec(),
                    });
                }
                let mut byte = base.cast::<u8>();
                // SAFETY: the slot is `Tag::Own` of one `bool`, a byte, so its maker promised that it
                // is initialised and reached through this slot only; `next` yields it once.
                let byte = unsafe { byte.as_mut() };
                // Whatever a broken device has left there.
                *byte = u8::from(*byte != 0);
                Ok((base, shape, stride))
            }
            Some(base) => Ok((base, shape, stride)),
            // No elements, no memory: any aligned address will do.
            None if shape.contains(&0) => Ok((NonNull::dangling(), shape, stride)),
            None => {
                Err(Error::Shape { what: self.what(), expected: shape.to_vec(), found: Vec::new() })
            }
        }
    }

    fn neighbours(&self, len: usize, [stride]: [usize; 1]) -> Result<()> {
        if len <= 1 || stride == 1 {
            return Ok(());
        }
        Err(Error::Shape {
            what: format!(
                "argument {} of host task `{}` (called at {}), whose elements are {stride} apart: \
                 a slice takes neighbours, use `View`",
                self.taken, self.task, self.site
            ),
            expected: vec![len],
            found: vec![len, stride],
        })
    }

    /// The array taken last.
    fn what(&self) -> String {
        format!("argument {} of host task `{}` (called at {})", self.taken, self.task, self.site)
    }
}

/// Shape and strides of an array of rank `D`; no strides where one is negative, which those of
/// host images never are.
fn extents<const D: usize>(array: &ArraySlot) -> ([usize; D], Option<[usize; D]>) {
    let shape = std::array::from_fn(|d| array.shape.get(d).copied().unwrap_or(1));
    let mut stride = [0; D];
    for (to, from) in stride.iter_mut().zip(&array.stride) {
        match usize::try_from(*from) {
            Ok(from) => *to = from,
            Err(_) => return (shape, None),
        }
    }
    (shape, Some(stride))
}
