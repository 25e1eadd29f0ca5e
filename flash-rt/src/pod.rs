//! What may be an element of an array on every device. Layouts are recorded by [`DevTy`].
#![allow(unsafe_code, reason = "`Pod` is an unsafe trait; its impls for scalars stand here")]

use std::any::TypeId;

use flash_ir::{DevTy, Ty};

/// A type whose every bit pattern is a value, without padding, the same on every device.
///
/// Scalars other than `bool`, arrays of them, and `#[repr(C)]` structs with `#[derive(flash::Pod)]`; with the
/// feature `half` also `half::f16` and `half::bf16`, with `complex` also `num_complex::Complex` of `f32` and
/// `f64`.
///
/// # Safety
///
/// The type has no padding, no bit pattern that is not a value, no interior mutability, a size
/// above zero, and the layout that [`DevTy::TY`] records.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array on a device",
    label = "not `flash::Pod`",
    note = "scalars other than `bool`, arrays of them and `#[repr(C)]` structs with \
            `#[derive(Clone, Copy, flash::Pod)]` can"
)]
pub unsafe trait Pod: DevTy + Copy + Send + Sync + 'static {}

macro_rules! scalars {
    ($($scalar:ty),* $(,)?) => {
        $(
            // SAFETY: a primitive number: no padding, every bit pattern is a value.
            unsafe impl Pod for $scalar {}
        )*
    };
}
scalars!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

// SAFETY: elements follow each other without padding, and each is `Pod`; the size is checked where
// a value of the type is made (`ElemType::of`), as an empty array is no element.
unsafe impl<T: Pod, const N: usize> Pod for [T; N] {}

#[cfg(feature = "half")]
// SAFETY: transparent over `u16`, of which every bit pattern is a number or a NaN.
unsafe impl Pod for half::f16 {}

#[cfg(feature = "half")]
// SAFETY: likewise.
unsafe impl Pod for half::bf16 {}

#[cfg(feature = "complex")]
// SAFETY: `repr(C)`, of two parts of one type, so without padding; every bit pattern is a value.
unsafe impl Pod for num_complex::Complex<f32> {}

#[cfg(feature = "complex")]
// SAFETY: likewise.
unsafe impl Pod for num_complex::Complex<f64> {}

/// The element type of an allocation.
#[derive(Clone, Copy, Debug)]
pub struct ElemType {
    /// As rustc knows it.
    pub id: TypeId,
    /// As devices know it.
    pub ty: Ty,
    /// `size_of`
    pub size: usize,
    /// `align_of`
    pub align: usize,
}

impl ElemType {
    /// What a cell of a `bool` holds.
    pub(crate) const FLAG: Self =
        Self { id: TypeId::of::<bool>(), ty: <bool as DevTy>::TY, size: 1, align: 1 };

    /// The type `T`; one of size zero does not compile.
    #[inline]
    pub fn of<T: Pod>() -> Self {
        const { assert!(size_of::<T>() > 0, "an element of an array must have a size") };
        Self { id: TypeId::of::<T>(), ty: T::TY, size: size_of::<T>(), align: align_of::<T>() }
    }
}

/// Used by `derive(Pod)`: fails the compilation at the caller where the layout does not hold.
#[doc(hidden)]
#[track_caller]
pub const fn require(holds: bool, message: &'static str) {
    assert!(holds, "{}", message);
}
