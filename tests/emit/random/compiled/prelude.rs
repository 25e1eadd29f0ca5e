//! What the text of drawn bodies begins with: their structures, and what they ask of who runs them. It is
//! compiled together with them, by rustc alone, so it has no dependencies.
#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals, reason = "drawn")]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Cell {
    rho: f64,
    mass: f32,
    id: u32,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Cloud {
    cells: [Cell; 2],
    at: [i32; 4],
    mid: Cell,
}

/// Who runs an item, as in `host.rs`.
#[repr(C)]
pub struct Host {
    context: *mut c_void,
    read: unsafe extern "C" fn(*mut c_void, u16, *const usize, *mut u8),
    write: unsafe extern "C" fn(*mut c_void, u16, *const usize, *const u8),
    atomic: unsafe extern "C" fn(*mut c_void, u16, *const usize, u8, *const u8, *const u8, *mut u8),
    reduce: unsafe extern "C" fn(*mut c_void, u16, *const u8),
    number: unsafe extern "C" fn(*mut c_void, u8, u16) -> usize,
    panic: unsafe extern "C" fn(*mut c_void, *const u8, usize),
}

impl Host {
    /// A value, or an element of an array.
    fn read<T: Copy>(&self, param: u16, index: &[usize]) -> T {
        let mut value = MaybeUninit::<T>::uninit();
        unsafe { (self.read)(self.context, param, index.as_ptr(), value.as_mut_ptr().cast()) };
        unsafe { value.assume_init() }
    }

    fn write<T: Copy>(&self, param: u16, index: &[usize], value: T) {
        unsafe { (self.write)(self.context, param, index.as_ptr(), (&raw const value).cast()) }
    }

    /// An operation by its number, on two values of which some need one or none; the value before.
    fn atomic<T: Copy>(&self, param: u16, index: &[usize], op: u8, a: T, b: T) -> T {
        let mut old = MaybeUninit::<T>::uninit();
        let (a, b) = ((&raw const a).cast(), (&raw const b).cast());
        let to = old.as_mut_ptr().cast();
        unsafe { (self.atomic)(self.context, param, index.as_ptr(), op, a, b, to) };
        unsafe { old.assume_init() }
    }

    fn reduce<T: Copy>(&self, param: u16, value: T) {
        unsafe { (self.reduce)(self.context, param, (&raw const value).cast()) }
    }

    fn number(&self, what: u8, of: u16) -> usize {
        unsafe { (self.number)(self.context, what, of) }
    }
}

type Math = extern "C" fn(u16, bool, u64, u64, u64) -> u64;

/// The functions of `flash::math` that are none of Rust's.
static MATH: OnceLock<Math> = OnceLock::new();

/// Of nothing that is not said here.
pub trait Scalar: Copy {
    fn m_abs(self) -> Self;
    fn m_signum(self) -> Self;
    fn m_min(self, other: Self) -> Self;
    fn m_max(self, other: Self) -> Self;
    fn m_clamp(self, lo: Self, hi: Self) -> Self;
    fn m_rem_euclid(self, by: Self) -> Self;
    fn m_div_euclid(self, by: Self) -> Self;
}

pub trait Int: Copy {
    fn m_wrapping_add(self, other: Self) -> Self;
    fn m_wrapping_sub(self, other: Self) -> Self;
    fn m_wrapping_mul(self, other: Self) -> Self;
    fn m_wrapping_neg(self) -> Self;
    fn m_saturating_add(self, other: Self) -> Self;
    fn m_saturating_sub(self, other: Self) -> Self;
    type Apart;
    fn m_abs_diff(self, other: Self) -> Self::Apart;
    fn m_rotate_left(self, by: u32) -> Self;
    fn m_rotate_right(self, by: u32) -> Self;
    fn m_count_ones(self) -> u32;
    fn m_leading_zeros(self) -> u32;
    fn m_trailing_zeros(self) -> u32;
}

macro_rules! ints {
    ($($int:ty, $apart:ty, $abs:expr, $signum:expr;)*) => { $(
        impl Scalar for $int {
            fn m_abs(self) -> Self { $abs(self) }
            fn m_signum(self) -> Self { $signum(self) }
            fn m_min(self, other: Self) -> Self { Ord::min(self, other) }
            fn m_max(self, other: Self) -> Self { Ord::max(self, other) }
            fn m_clamp(self, lo: Self, hi: Self) -> Self { Ord::clamp(self, lo, hi) }
            fn m_rem_euclid(self, by: Self) -> Self { self.rem_euclid(by) }
            fn m_div_euclid(self, by: Self) -> Self { self.div_euclid(by) }
        }
        impl Int for $int {
            fn m_wrapping_add(self, other: Self) -> Self { self.wrapping_add(other) }
            fn m_wrapping_sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            fn m_wrapping_mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            fn m_wrapping_neg(self) -> Self { self.wrapping_neg() }
            fn m_saturating_add(self, other: Self) -> Self { self.saturating_add(other) }
            fn m_saturating_sub(self, other: Self) -> Self { self.saturating_sub(other) }
            type Apart = $apart;
            fn m_abs_diff(self, other: Self) -> $apart { self.abs_diff(other) }
            fn m_rotate_left(self, by: u32) -> Self { self.rotate_left(by) }
            fn m_rotate_right(self, by: u32) -> Self { self.rotate_right(by) }
            fn m_count_ones(self) -> u32 { self.count_ones() }
            fn m_leading_zeros(self) -> u32 { self.leading_zeros() }
            fn m_trailing_zeros(self) -> u32 { self.trailing_zeros() }
        }
    )* };
}
ints! {
    i8, u8, i8::wrapping_abs, i8::signum;
    i16, u16, i16::wrapping_abs, i16::signum;
    i32, u32, i32::wrapping_abs, i32::signum;
    i64, u64, i64::wrapping_abs, i64::signum;
    isize, usize, isize::wrapping_abs, isize::signum;
    u8, u8, |_| unreachable!(), |_| unreachable!();
    u16, u16, |_| unreachable!(), |_| unreachable!();
    u32, u32, |_| unreachable!(), |_| unreachable!();
    u64, u64, |_| unreachable!(), |_| unreachable!();
    usize, usize, |_| unreachable!(), |_| unreachable!();
}

pub trait Float: Copy {
    fn m_sqrt(self) -> Self;
    fn m_floor(self) -> Self;
    fn m_ceil(self) -> Self;
    fn m_round(self) -> Self;
    fn m_round_ties_even(self) -> Self;
    fn m_trunc(self) -> Self;
    fn m_mul_add(self, by: Self, plus: Self) -> Self;
    fn m_is_nan(self) -> bool;
    fn m_is_finite(self) -> bool;
    fn m_powi(self, n: i32) -> Self;
    /// A function of `flash::math` by its number, on up to three numbers.
    fn math(self, function: u16, b: Self, c: Self) -> Self;
}

macro_rules! floats {
    ($($float:ident, $bits:ident, $wide:expr;)*) => { $(
        impl Scalar for $float {
            fn m_abs(self) -> Self { self.abs() }
            fn m_signum(self) -> Self { self.math(number::SIGNUM, self, self) }
            fn m_min(self, other: Self) -> Self { self.math(number::MIN, other, other) }
            fn m_max(self, other: Self) -> Self { self.math(number::MAX, other, other) }
            fn m_clamp(self, lo: Self, hi: Self) -> Self { self.math(number::CLAMP, lo, hi) }
            fn m_rem_euclid(self, by: Self) -> Self { self.rem_euclid(by) }
            fn m_div_euclid(self, by: Self) -> Self { self.div_euclid(by) }
        }
        impl Float for $float {
            fn m_sqrt(self) -> Self { self.sqrt() }
            fn m_floor(self) -> Self { self.floor() }
            fn m_ceil(self) -> Self { self.ceil() }
            fn m_round(self) -> Self { self.round() }
            fn m_round_ties_even(self) -> Self { self.round_ties_even() }
            fn m_trunc(self) -> Self { self.trunc() }
            fn m_mul_add(self, by: Self, plus: Self) -> Self { self.mul_add(by, plus) }
            fn m_is_nan(self) -> bool { self.is_nan() }
            fn m_is_finite(self) -> bool { self.is_finite() }
            fn m_powi(self, n: i32) -> Self {
                let n = $float::from_bits(n as u32 as $bits);
                self.math(number::POWI, n, n)
            }
            fn math(self, function: u16, b: Self, c: Self) -> Self {
                let [a, b, c] = [self, b, c].map(|x| x.to_bits() as u64);
                $float::from_bits(MATH.get().unwrap()(function, $wide, a, b, c) as $bits)
            }
        }
    )* };
}
floats! {
    f32, u32, false;
    f64, u64, true;
}

type Body = fn(&Host, [usize; 4]);

/// Says where the functions of `flash::math` are.
#[unsafe(no_mangle)]
pub extern "C" fn drawn_start(math: Math) {
    let _ = MATH.set(math);
    // Who runs an item is told.
    std::panic::set_hook(Box::new(|_| {}));
}

/// Runs an item of a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drawn_run(body: usize, host: &Host, id: &[usize; 4]) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(|| BODIES[body](host, *id))) else { return };
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("?");
    unsafe { (host.panic)(host.context, message.as_ptr(), message.len()) };
}
