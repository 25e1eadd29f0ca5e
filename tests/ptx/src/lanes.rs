//! Registers of a warp, and computations on all of its lanes.
//!
//! What a computation is, for which instruction, is in `lower`.

use std::sync::Arc;

/// Lanes of a warp.
pub(crate) const LANES: usize = 32;

/// A register of a warp: a slot for each lane. What is above the type that reads it is left alone,
/// so a reader cuts off what it does not want.
pub(crate) type Lanes = [u64; LANES];

/// The number of a register in the file of a warp.
pub(crate) type Reg = u32;

/// Lanes, a bit for each.
pub(crate) type Mask = u32;

/// Writes a register from others, in the lanes of a mask.
pub(crate) type Compute = Arc<dyn Fn(&mut [Lanes], Reg, [Reg; 3], Mask) + Send + Sync>;

/// Compares registers in all lanes.
pub(crate) type Comparison = Arc<dyn Fn(&[Lanes], [Reg; 2]) -> Mask + Send + Sync>;

/// The lanes of a mask.
#[inline]
pub(crate) fn lanes(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}

/// A function of one register.
pub(crate) fn one(f: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Compute {
    Arc::new(move |file, d, [a, ..], mask| {
        if mask == Mask::MAX {
            let a = &file[a as usize];
            let result = std::array::from_fn(|lane| f(a[lane]));
            file[d as usize] = result;
        } else {
            for lane in lanes(mask) {
                file[d as usize][lane] = f(file[a as usize][lane]);
            }
        }
    })
}

/// A function of two registers.
pub(crate) fn two(f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Compute {
    Arc::new(move |file, d, [a, b, _], mask| {
        if mask == Mask::MAX {
            let (a, b) = (&file[a as usize], &file[b as usize]);
            let result = std::array::from_fn(|lane| f(a[lane], b[lane]));
            file[d as usize] = result;
        } else {
            for lane in lanes(mask) {
                file[d as usize][lane] = f(file[a as usize][lane], file[b as usize][lane]);
            }
        }
    })
}

/// A function of three registers.
pub(crate) fn three(f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Compute {
    Arc::new(move |file, d, [a, b, c], mask| {
        if mask == Mask::MAX {
            let (a, b, c) = (&file[a as usize], &file[b as usize], &file[c as usize]);
            let result = std::array::from_fn(|lane| f(a[lane], b[lane], c[lane]));
            file[d as usize] = result;
        } else {
            for lane in lanes(mask) {
                let of = |register: Reg| file[register as usize][lane];
                file[d as usize][lane] = f(of(a), of(b), of(c));
            }
        }
    })
}

/// A condition of two registers.
pub(crate) fn whether(f: impl Fn(u64, u64) -> bool + Send + Sync + 'static) -> Comparison {
    Arc::new(move |file, [a, b]| {
        let (a, b) = (&file[a as usize], &file[b as usize]);
        let mut mask = 0;
        for lane in 0..LANES {
            mask |= Mask::from(f(a[lane], b[lane])) << lane;
        }
        mask
    })
}
