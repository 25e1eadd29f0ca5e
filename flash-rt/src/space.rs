//! Index spaces: how many work items a launch has, and boxes of them. Dimension 0 is the fastest.

use flash_ir::NEAR;

use crate::error::{Error, Result};

/// The largest rank of an index space: dimensions are counted by a byte.
pub const MAX_RANK: usize = 254;

/// The index space of a launch: the product of its extents. A zero extent means no items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// As wide as what is moved with it: a byte that is read back in a word waits for the store.
    rank: usize,
    /// The extents of the first dimensions, 1 beyond the rank.
    near: [usize; NEAR],
    /// Those of all dimensions, where they are more.
    all: Option<Box<[usize]>>,
}

impl Space {
    /// The space of these extents, dimension 0 first.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the product exceeds `i64::MAX`.
    ///
    /// # Panics
    ///
    /// Never for a rank of 1 to [`MAX_RANK`], which the types of calls guarantee.
    pub fn new(extents: &[usize]) -> Result<Self> {
        // A zero extent makes the product zero, however large the others are.
        let items = extents.iter().try_fold(1_u64, |product, &extent| {
            product.checked_mul(extent as u64).filter(|&product| product <= i64::MAX as u64)
        });
        if items.is_none() && !extents.contains(&0) {
            return Err(Error::TooLarge { what: "index space", extents: extents.to_vec() });
        }
        Ok(Self::of(extents))
    }

    /// The space of extents whose product is known to be none that is too large.
    pub(crate) fn of(extents: &[usize]) -> Self {
        assert!((1..=MAX_RANK).contains(&extents.len()), "rank of an index space");
        let mut near = [1; NEAR];
        near.iter_mut().zip(extents).for_each(|(near, &extent)| *near = extent);
        let all = (extents.len() > NEAR).then(|| extents.into());
        Self { rank: extents.len(), near, all }
    }

    /// The space of extents that were a space before, few enough to be in place.
    #[inline]
    pub(crate) fn again<const R: usize>(extents: [usize; R]) -> Self {
        const { assert!(1 <= R && R <= NEAR) };
        let mut near = [1; NEAR];
        near[..R].copy_from_slice(&extents);
        Self { rank: R, near, all: None }
    }

    /// Becomes the space of extents that were a space before, few enough to be in place; whether it is
    /// another one now.
    #[inline]
    pub(crate) fn become_again<const R: usize>(&mut self, extents: [usize; R]) -> bool {
        const { assert!(1 <= R && R <= NEAR) };
        let differs = self.rank != R || self.near[..R] != extents;
        if differs {
            self.rank = R;
            self.near = [1; NEAR];
            self.near[..R].copy_from_slice(&extents);
            self.all = None;
        }
        differs
    }

    /// The number of dimensions.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The extent of a dimension; 1 beyond the rank.
    #[inline]
    pub fn extent(&self, dim: usize) -> usize {
        match self.near.get(dim) {
            Some(&extent) => extent,
            None => self.extents().get(dim).copied().unwrap_or(1),
        }
    }

    /// The extents, dimension 0 first.
    #[inline]
    pub fn extents(&self) -> &[usize] {
        match &self.all {
            None => &self.near[..self.rank],
            Some(all) => all,
        }
    }

    /// The number of work items.
    #[inline]
    pub fn n_items(&self) -> usize {
        match self.rank {
            1 => self.near[0],
            _ if self.extents().contains(&0) => 0,
            _ => self.extents().iter().product(),
        }
    }

    /// The whole space as one block.
    #[inline]
    pub fn block(&self) -> Block {
        let far = self.all.as_ref().map(|all| all[NEAR..].iter().map(|&end| (0, end)).collect());
        Block { rank: self.rank, lo: [0; NEAR], hi: self.near, far }
    }
}

/// A box of work items, half open in each dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// As wide as that of a space.
    rank: usize,
    lo: [usize; NEAR],
    hi: [usize; NEAR],
    /// First index and end in each of the dimensions that are not in place.
    far: Option<Box<[(usize, usize)]>>,
}

impl Block {
    /// The number of dimensions.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// First index of a dimension; 0 beyond the rank.
    #[inline]
    pub fn lo(&self, dim: usize) -> usize {
        self.lo.get(dim).copied().unwrap_or_else(|| self.far(dim).0)
    }

    /// End of a dimension; 1 beyond the rank.
    #[inline]
    pub fn hi(&self, dim: usize) -> usize {
        self.hi.get(dim).copied().unwrap_or_else(|| self.far(dim).1)
    }

    #[cold]
    fn far(&self, dim: usize) -> (usize, usize) {
        self.far.as_ref().and_then(|far| far.get(dim - NEAR)).copied().unwrap_or((0, 1))
    }

    /// Becomes a whole space that is in place.
    #[inline]
    pub(crate) fn span(&mut self, space: &Space) {
        (self.rank, self.lo, self.hi, self.far) = (space.rank, [0; NEAR], space.near, None);
    }

    /// The same box with dimension `dim` cut to `lo..hi`, which must lie inside it.
    #[inline]
    #[must_use]
    pub fn cut(&self, dim: usize, lo: usize, hi: usize) -> Self {
        debug_assert!(self.lo(dim) <= lo && lo <= hi && hi <= self.hi(dim));
        self.with(dim, lo, hi)
    }

    /// The same box with dimension `dim` at `lo..hi`, inside of it or not.
    #[inline]
    pub(crate) fn with(&self, dim: usize, lo: usize, hi: usize) -> Self {
        let mut other = self.clone();
        other.set(dim, lo, hi);
        other
    }

    /// Sets dimension `dim`, one of the rank, to `lo..hi`, inside of what it was or not.
    #[inline]
    pub fn set(&mut self, dim: usize, lo: usize, hi: usize) {
        if dim < NEAR {
            (self.lo[dim], self.hi[dim]) = (lo, hi);
        } else if let Some(far) = self.far.as_mut().and_then(|far| far.get_mut(dim - NEAR)) {
            *far = (lo, hi);
        }
    }

    /// The same box as far from the start of another box as it is from that of its space.
    #[must_use]
    pub fn moved(&self, to: &Self) -> Self {
        let mut other = self.clone();
        for dim in 0..self.rank() {
            other.set(dim, self.lo(dim) + to.lo(dim), self.hi(dim) + to.lo(dim));
        }
        other
    }

    /// How large it is in each dimension.
    pub fn extents(&self) -> Space {
        let extent = |dim| self.hi(dim) - self.lo(dim);
        match &self.far {
            None => Space {
                rank: self.rank,
                near: std::array::from_fn(|dim| if dim < self.rank { extent(dim) } else { 1 }),
                all: None,
            },
            Some(_) => Space::of(&(0..self.rank).map(extent).collect::<Vec<_>>()),
        }
    }

    /// The number of work items.
    #[inline]
    pub fn n_items(&self) -> usize {
        (0..self.rank()).map(|dim| self.hi(dim) - self.lo(dim)).product()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A space and its block that become others are what they are when they are made.
        #[test]
        fn spaces_become_others(
            all in prop::collection::vec((prop::collection::vec(0_usize..4, 1..=2), 0..3_usize), 1..20),
        ) {
            let mut space = Space::of(&[1; NEAR + 1]);
            let mut block = space.block();
            for (extents, far) in all {
                if far == 0 {
                    space = Space::of(&[2; NEAR + 2]);
                    block = space.block();
                }
                let wanted = Space::of(&extents);
                let differs = match extents[..] {
                    [n] => space.become_again([n]),
                    [w, h] => space.become_again([w, h]),
                    _ => unreachable!("one or two are drawn"),
                };
                if differs {
                    block.span(&space);
                }
                prop_assert_eq!(&space, &wanted);
                prop_assert_eq!(&block, &wanted.block());
            }
        }
    }
}
