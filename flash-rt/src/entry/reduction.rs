//! Reductions on the CPU: the lanes of one reduction block, and the blocks of a space. The shape of
//! the trees is `flash_ir::reduction`, which every executor shares.

use std::marker::PhantomData;

use flash_ir::reduction::{LANES, combine_lanes, each_bound};

pub use flash_ir::reduction::step::{Add, And, Max, Min, Mul, Or, Step, Xor};
pub use flash_ir::reduction::{Reduce, combine_blocks};

use crate::space::{Block, Space};

/// Number of reduction blocks of a space.
pub fn n_blocks(space: &Space) -> usize {
    flash_ir::reduction::n_blocks(space.extents())
}

/// A reduction block. An entry with reductions runs once for each, with its number as `partial`.
pub fn block(space: &Space, number: usize) -> Block {
    let mut block = space.block();
    each_bound(space.extents(), number, |dim, lo, hi| block.set(dim, lo, hi));
    block
}

/// The lanes of a reduction block: item `p` of the block goes to lane `p % 32`.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<T, S> {
    values: [T; LANES],
    step: PhantomData<S>,
}

impl<T: Copy, S: Step<T>> Default for Lanes<T, S> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy, S: Step<T>> Lanes<T, S> {
    /// All lanes at the identity.
    #[inline(always)]
    pub fn new() -> Self {
        Self { values: [S::IDENTITY; LANES], step: PhantomData }
    }

    /// Takes a value into a lane.
    #[inline(always)]
    pub fn put(&mut self, position: usize, value: T) {
        let lane = position % LANES;
        self.values[lane] = S::apply(self.values[lane], value);
    }

    /// The lanes renumbered so that the lane of `position` becomes lane 0.
    #[inline(always)]
    #[must_use]
    pub fn from_position(&self, position: usize) -> Self {
        let mut lanes = *self;
        if !position.is_multiple_of(LANES) {
            lanes.values.rotate_left(position % LANES);
        }
        lanes
    }

    /// Undoes [`Lanes::from_position`].
    #[inline(always)]
    #[must_use]
    pub fn to_position(&self, position: usize) -> Self {
        let mut lanes = *self;
        if !position.is_multiple_of(LANES) {
            lanes.values.rotate_right(position % LANES);
        }
        lanes
    }

    /// One value of all lanes.
    #[inline]
    pub fn combine(&self) -> T {
        combine_lanes(self.values, S::apply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_moves_lanes_and_comes_back() {
        for start in [0, 1, 31, 32, 70] {
            let mut direct = Lanes::<u64, Add>::new();
            let mut rotated = direct;
            for position in start..start + 100 {
                direct.put(position, position as u64);
            }
            rotated = rotated.from_position(start);
            for position in 0..100 {
                rotated.put(position, (start + position) as u64);
            }
            assert_eq!(direct.values, rotated.to_position(start).values, "start {start}");
        }
    }

    #[test]
    fn blocks_of_a_space_are_boxes_of_it() {
        let space = Space::new(&[100, 90, 2]).expect("small");
        assert_eq!(n_blocks(&space), 3 * 2);
        let last = block(&space, 5);
        assert_eq!((last.lo(0), last.hi(0)), (0, 100));
        assert_eq!((last.lo(1), last.hi(1)), (80, 90));
        assert_eq!((last.lo(2), last.hi(2)), (1, 2));
    }
}
