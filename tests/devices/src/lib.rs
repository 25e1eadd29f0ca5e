//! Device functions, constants, type aliases and a structure of another crate, which the kernels of
//! `tests/drawn` use by path. Nothing here is part of FLASH.

use flash::math;

/// An alias of a scalar.
pub type Real = f64;
/// An alias of an alias's neighbour.
pub type Word = u32;
/// A length.
pub const N: usize = 4;
/// A constant of an aliased type.
pub const SCALE: Real = 0.75;
/// An integer constant.
pub const MASK: Word = 0x00ff_a5a5;
/// A table.
pub const TABLE: [u32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];
/// A table of floats.
pub const WEIGHTS: [f32; 4] = [0.25, -1.5, 2.0, 0.125];

/// A structure with fields of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
pub struct Cell {
    /// Eight bytes.
    pub rho: Real,
    /// Four bytes.
    pub mass: f32,
    /// Four bytes.
    pub id: Word,
}

/// An alias of a structure.
pub type Body = Cell;
/// An alias of an array.
pub type Quad = [f32; N];

/// A module inside.
pub mod deep {
    /// A table of signed integers.
    pub const STEPS: [i32; 3] = [-7, 0, 19];
}

/// A structure of structures and arrays.
#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
pub struct Cloud {
    /// Structures in an array.
    pub cells: [Cell; 2],
    /// Numbers in an array.
    pub at: [i32; N],
    /// A structure.
    pub mid: Body,
}

/// A function of an alias, with a constant.
#[flash::device(portable)]
pub fn scaled(x: Real) -> Real {
    x * SCALE + 1.0
}

/// Calls another device function, and loops.
#[flash::device(portable)]
pub fn series(x: f64, n: u32) -> f64 {
    let mut sum = 0.0;
    let mut term = 1.0;
    for k in 0..n % 6 {
        sum += scaled(term);
        term *= x / (k as f64 + 1.0);
    }
    sum
}

/// Functions of std, which become those of `flash::math`.
#[flash::device(portable)]
pub fn wave(x: f32, phase: f32) -> f32 {
    let turned = math::sin(x * 0.01 + phase);
    if turned > 0.5 {
        return turned.sqrt();
    }
    f32::max(turned, -0.25).abs()
}

/// An integer hash with an early return.
#[flash::device(portable)]
pub fn mix(a: Word, b: u32) -> Word {
    if a == b {
        return MASK;
    }
    let x = a.wrapping_mul(0x9e37_79b1) ^ b.rotate_left(7);
    x ^ (x >> 15)
}

/// Takes and gives a structure.
#[flash::device(portable)]
pub fn moved(cell: Cell, by: f32) -> Cell {
    let mut out = cell;
    out.mass += by;
    out.rho = scaled(cell.rho) + by as Real;
    out.id = mix(cell.id, N as u32);
    out
}

/// Takes a small array.
#[flash::device(portable)]
pub fn total(items: [f32; N]) -> f32 {
    let mut sum = 0.0;
    for k in 0..N {
        sum += items[k] * WEIGHTS[k];
    }
    sum
}
