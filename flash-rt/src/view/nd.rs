//! `ndarray` arrays as views and arguments, and views as `ndarray` views. Strides are kept; a
//! negative one is an error when the stage runs.
#![allow(unsafe_code, reason = "exchanges pointers with `ndarray`, with shape and strides")]

use std::ptr::NonNull;

use ndarray::{
    ArrayBase, ArrayView, ArrayViewMut, Data, DataMut, Dimension, Ix1, Ix2, Ix3, Ix4, ShapeBuilder,
};

use super::{View, ViewMut};
use crate::arg::{Arg, BoundArg};
use crate::bound;
use crate::error::Error;
use crate::pod::Pod;

/// Shape and strides, if no stride is negative.
fn layout<const D: usize>(
    shape: &[usize],
    strides: &[isize],
) -> Result<([usize; D], [usize; D]), Error> {
    let mut out = ([0; D], [0; D]);
    out.0.copy_from_slice(shape);
    for (stride, (&given, &extent)) in out.1.iter_mut().zip(strides.iter().zip(shape)) {
        // Where there is one element at most, the stride means nothing and may be anything.
        *stride = match usize::try_from(given) {
            Ok(given) => given,
            Err(_) if extent <= 1 => 1,
            Err(_) => {
                return Err(Error::Shape {
                    what: "an `ndarray` view with a negative stride (copy it with `.to_owned()`)"
                        .to_owned(),
                    expected: shape.to_vec(),
                    found: strides.iter().map(|stride| stride.unsigned_abs()).collect(),
                });
            }
        };
    }
    Ok(out)
}

fn shared<'a, T: Pod, Ix: Dimension, const D: usize>(view: ArrayView<'a, T, Ix>) -> BoundArg<'a> {
    match layout::<D>(view.shape(), view.strides()) {
        Ok((shape, stride)) => {
            // A pointer of `ndarray` is never null.
            let base = NonNull::new(view.as_ptr().cast_mut()).unwrap_or(NonNull::dangling());
            // SAFETY: an `ArrayView` shares the elements that its shape and strides reach for `'a`.
            unsafe { bound::foreign(base, &shape, &stride) }
        }
        Err(fault) => BoundArg::Invalid(Box::new(fault)),
    }
}

fn unique<'a, T: Pod, Ix: Dimension, const D: usize>(
    mut view: ArrayViewMut<'a, T, Ix>,
) -> BoundArg<'a> {
    match layout::<D>(view.shape(), view.strides()) {
        Ok((shape, stride)) => {
            let base = NonNull::new(view.as_mut_ptr()).unwrap_or(NonNull::dangling());
            // SAFETY: an `ArrayViewMut` has the elements that its shape and strides reach alone
            // for `'a`, and reaches each once; it ends here.
            unsafe { bound::foreign_mut(base, &shape, &stride) }
        }
        Err(fault) => BoundArg::Invalid(Box::new(fault)),
    }
}

macro_rules! ranks {
    ($($ix:ty, $rank:literal, $read:ty, $write:ty;)*) => {$(
        impl<'a, T: Pod> Arg<'a, $read> for ArrayView<'a, T, $ix> {
            fn bind(self) -> BoundArg<'a> {
                shared::<T, $ix, $rank>(self)
            }
        }

        impl<'a, T: Pod> Arg<'a, $write> for ArrayViewMut<'a, T, $ix> {
            fn bind(self) -> BoundArg<'a> {
                unique::<T, $ix, $rank>(self)
            }
        }

        impl<'a, T: Pod, S: Data<Elem = T>> Arg<'a, $read> for &'a ArrayBase<S, $ix> {
            fn bind(self) -> BoundArg<'a> {
                shared::<T, $ix, $rank>(self.view())
            }
        }

        impl<'a, T: Pod, S: DataMut<Elem = T>> Arg<'a, $write> for &'a mut ArrayBase<S, $ix> {
            fn bind(self) -> BoundArg<'a> {
                unique::<T, $ix, $rank>(self.view_mut())
            }
        }
    )*};
}
ranks! {
    Ix1, 1, &'a [T], &'a mut [T];
    Ix1, 1, View<'a, T, 1>, ViewMut<'a, T, 1>;
    Ix2, 2, View<'a, T, 2>, ViewMut<'a, T, 2>;
    Ix3, 3, View<'a, T, 3>, ViewMut<'a, T, 3>;
    Ix4, 4, View<'a, T, 4>, ViewMut<'a, T, 4>;
}

macro_rules! conversions {
    ($($ix:ty, $rank:literal;)*) => {$(
        impl<'a, T> From<View<'a, T, $rank>> for ArrayView<'a, T, $ix> {
            fn from(view: View<'a, T, $rank>) -> Self {
                let shape = ndarray::Dim(view.shape()).strides(ndarray::Dim(view.strides()));
                // SAFETY: the elements of a `View` are valid and unwritten for `'a`, and its
                // extents and strides were made from memory, so they do not overflow.
                unsafe { ArrayView::from_shape_ptr(shape, view.base.as_ptr()) }
            }
        }

        impl<'a, T> From<ViewMut<'a, T, $rank>> for ArrayViewMut<'a, T, $ix> {
            fn from(view: ViewMut<'a, T, $rank>) -> Self {
                let shape = ndarray::Dim(view.shape()).strides(ndarray::Dim(view.strides()));
                // SAFETY: as for `View`; the elements are borrowed alone, and `view` ends here.
                unsafe { ArrayViewMut::from_shape_ptr(shape, view.base.as_ptr()) }
            }
        }
    )*};
}
conversions! {
    Ix1, 1;
    Ix2, 2;
    Ix3, 3;
    Ix4, 4;
}
