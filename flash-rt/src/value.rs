//! A value of any kernel type, by value up to 16 bytes. It is read back only as the type it has.
#![allow(unsafe_code, reason = "erases plain values; reading checks the type")]

use std::any::{Any, TypeId};
use std::fmt;
use std::mem::MaybeUninit;

use crate::pod::Pod;

/// Bytes that are held without a box.
const INLINE: usize = 16;

/// A value and its type.
pub struct Value {
    elem: &'static TypeId,
    bytes: Bytes,
}

enum Bytes {
    Inline(Inline),
    Boxed(Box<dyn Any + Send + Sync>),
}

#[derive(Clone, Copy)]
#[repr(align(8))]
struct Inline([MaybeUninit<u8>; INLINE]);

impl Value {
    /// Holds a value.
    #[inline]
    pub fn new<T: Pod>(value: T) -> Self {
        Self::hold(value)
    }

    /// Holds a `bool`, which is a scalar but no [`Pod`].
    #[inline]
    pub fn from_bool(value: bool) -> Self {
        Self::hold(value)
    }

    #[inline]
    fn hold<T: Copy + Send + Sync + 'static>(value: T) -> Self {
        let bytes = if size_of::<T>() <= INLINE && align_of::<T>() <= align_of::<Inline>() {
            let mut inline = Inline([MaybeUninit::uninit(); INLINE]);
            // SAFETY: `inline` has at least the size and alignment of `T`, and is ours alone.
            unsafe { inline.0.as_mut_ptr().cast::<T>().write(value) };
            Bytes::Inline(inline)
        } else {
            Bytes::Boxed(Box::new(value))
        };
        Self { elem: const { &TypeId::of::<T>() }, bytes }
    }

    /// The type.
    #[inline]
    pub fn elem(&self) -> TypeId {
        *self.elem
    }

    /// Where the value is, for as long as `self` is neither moved nor dropped. Aligned for its type
    /// and initialised.
    #[inline]
    pub fn as_ptr(&self) -> *const u8 {
        match &self.bytes {
            Bytes::Inline(inline) => inline.0.as_ptr().cast(),
            Bytes::Boxed(value) => (&raw const **value).cast(),
        }
    }

    /// The value, if it is a `T`.
    #[inline]
    pub fn get<T: Copy + 'static>(&self) -> Option<T> {
        // SAFETY: the type was compared, and `as_ptr` points to an initialised, aligned value.
        (*self.elem == TypeId::of::<T>()).then(|| unsafe { self.as_ptr().cast::<T>().read() })
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Value").finish_non_exhaustive()
    }
}
