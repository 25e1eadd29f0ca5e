//! Scalars as words of 64 bits: integers zero-extended from their own width, floats by their bits.
//! No operation is defined here.

use crate::ty::ScalarTy;

/// A scalar that fits a word.
pub(super) trait Word: Copy {
    /// The scalar of a word.
    fn get(word: u64) -> Self;
    /// The word of a scalar.
    fn put(self) -> u64;
}

macro_rules! words {
    ($($t:ty as $raw:ty),*) => { $(impl Word for $t {
        #[inline(always)]
        fn get(word: u64) -> Self { word as Self }
        #[inline(always)]
        fn put(self) -> u64 { self as $raw as u64 }
    })* };
}
words!(
    i8 as u8,
    i16 as u16,
    i32 as u32,
    i64 as u64,
    isize as usize,
    u8 as u8,
    u16 as u16,
    u32 as u32,
    u64 as u64,
    usize as usize
);

impl Word for bool {
    #[inline(always)]
    fn get(word: u64) -> Self {
        word != 0
    }
    #[inline(always)]
    fn put(self) -> u64 {
        u64::from(self)
    }
}

impl Word for f32 {
    #[inline(always)]
    fn get(word: u64) -> Self {
        Self::from_bits(word as u32)
    }
    #[inline(always)]
    fn put(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Word for f64 {
    #[inline(always)]
    fn get(word: u64) -> Self {
        Self::from_bits(word)
    }
    #[inline(always)]
    fn put(self) -> u64 {
        self.to_bits()
    }
}

/// Evaluates an expression with `$T` as the Rust type of an integer scalar.
macro_rules! by_int {
    ($ty:expr, $T:ident => $e:expr, else $else:expr) => {
        match $ty {
            ScalarTy::I8 => { type $T = i8; $e }
            ScalarTy::I16 => { type $T = i16; $e }
            ScalarTy::I32 => { type $T = i32; $e }
            ScalarTy::I64 => { type $T = i64; $e }
            ScalarTy::Isize => { type $T = isize; $e }
            ScalarTy::U8 => { type $T = u8; $e }
            ScalarTy::U16 => { type $T = u16; $e }
            ScalarTy::U32 => { type $T = u32; $e }
            ScalarTy::U64 => { type $T = u64; $e }
            ScalarTy::Usize => { type $T = usize; $e }
            _ => $else,
        }
    };
}

/// Evaluates an expression with `$T` as the Rust type of a float scalar.
macro_rules! by_float {
    ($ty:expr, $T:ident => $e:expr, else $else:expr) => {
        match $ty {
            ScalarTy::F32 => {
                type $T = f32;
                $e
            }
            ScalarTy::F64 => {
                type $T = f64;
                $e
            }
            _ => $else,
        }
    };
}

pub(super) use {by_float, by_int};

/// Reads a scalar of `size` bytes.
#[inline(always)]
pub(super) fn load(bytes: &[u8], at: usize, size: usize) -> u64 {
    let mut word = [0; 8];
    if let Some(from) = bytes.get(at..at + size) {
        word[..size].copy_from_slice(from);
    }
    u64::from_le_bytes(word)
}

/// Writes a scalar of `size` bytes.
#[inline(always)]
pub(super) fn store(bytes: &mut [u8], at: usize, size: usize, word: u64) {
    if let Some(to) = bytes.get_mut(at..at + size) {
        to.copy_from_slice(&word.to_le_bytes()[..size]);
    }
}

/// Whether the scalar is a signed integer; a word of it is not sign-extended.
pub(super) fn extend(ty: ScalarTy, word: u64) -> i128 {
    by_int!(ty, T => i128::from_scalar(T::get(word)), else i128::from(word))
}

/// Integers widened by value.
trait FromScalar<T> {
    fn from_scalar(value: T) -> Self;
}
macro_rules! from_scalar {
    ($($t:ty)*) => { $(impl FromScalar<$t> for i128 {
        fn from_scalar(value: $t) -> Self { value as Self }
    })* };
}
from_scalar!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
