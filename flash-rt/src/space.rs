//! Index spaces: how many work items a launch has, and boxes of them. Dimension 0 is the fastest.

use crate::error::{Error, Result};

/// The largest rank of an index space.
pub const MAX_RANK: usize = 8;

/// The index space of a launch: the product of its extents. A zero extent means no items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// As wide as what is moved with it: a byte that is read back in a word waits for the store.
    rank: usize,
    extents: [usize; MAX_RANK],
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
        assert!((1..=MAX_RANK).contains(&extents.len()), "rank of an index space");
        let mut all = [1; MAX_RANK];
        all[..extents.len()].copy_from_slice(extents);
        // A zero extent makes the product zero, however large the others are.
        let items = extents.iter().try_fold(1_u64, |product, &extent| {
            product.checked_mul(extent as u64).filter(|&product| product <= i64::MAX as u64)
        });
        if items.is_none() && !extents.contains(&0) {
            return Err(Error::TooLarge { what: "index space", extents: extents.to_vec() });
        }
        Ok(Self { rank: extents.len(), extents: all })
    }

    /// The space of extents that were a space before.
    #[inline]
    pub(crate) fn again<const R: usize>(extents: [usize; R]) -> Self {
        const { assert!(1 <= R && R <= MAX_RANK) };
        let mut all = [1; MAX_RANK];
        all[..R].copy_from_slice(&extents);
        Self { rank: R, extents: all }
    }

    /// The number of dimensions.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The extent of a dimension; 1 beyond the rank.
    #[inline]
    pub fn extent(&self, dim: usize) -> usize {
        self.extents.get(dim).copied().unwrap_or(1)
    }

    /// The extents, dimension 0 first.
    #[inline]
    pub fn extents(&self) -> &[usize] {
        &self.extents[..self.rank()]
    }

    /// The number of work items.
    #[inline]
    pub fn n_items(&self) -> usize {
        match self.rank {
            1 => self.extents[0],
            _ if self.extents().contains(&0) => 0,
            _ => self.extents().iter().product(),
        }
    }

    /// The whole space as one block.
    #[inline]
    pub fn block(&self) -> Block {
        Block { rank: self.rank, lo: [0; MAX_RANK], hi: self.extents }
    }
}

/// A box of work items, half open in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// As wide as that of a space.
    rank: usize,
    lo: [usize; MAX_RANK],
    hi: [usize; MAX_RANK],
}

impl Block {
    /// The number of dimensions.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// First index of a dimension.
    #[inline]
    pub fn lo(&self, dim: usize) -> usize {
        self.lo[dim]
    }

    /// End of a dimension.
    #[inline]
    pub fn hi(&self, dim: usize) -> usize {
        self.hi[dim]
    }

    /// The same box with dimension `dim` cut to `lo..hi`, which must lie inside it.
    #[inline]
    #[must_use]
    pub fn cut(mut self, dim: usize, lo: usize, hi: usize) -> Self {
        debug_assert!(self.lo[dim] <= lo && lo <= hi && hi <= self.hi[dim]);
        self.lo[dim] = lo;
        self.hi[dim] = hi;
        self
    }

    /// The same box with dimension `dim` at `lo..hi`, inside of it or not.
    pub(crate) fn with(mut self, dim: usize, lo: usize, hi: usize) -> Self {
        self.set(dim, lo, hi);
        self
    }

    /// Sets dimension `dim` to `lo..hi`, inside of what it was or not.
    #[inline]
    pub fn set(&mut self, dim: usize, lo: usize, hi: usize) {
        (self.lo[dim], self.hi[dim]) = (lo, hi);
    }

    /// The same box as far from the start of another box as it is from that of its space.
    #[must_use]
    pub fn moved(mut self, to: &Self) -> Self {
        for dim in 0..self.rank() {
            self.lo[dim] += to.lo[dim];
            self.hi[dim] += to.lo[dim];
        }
        self
    }

    /// How large it is in each dimension.
    pub fn extents(&self) -> Space {
        let mut extents = [1; MAX_RANK];
        for (dim, extent) in extents.iter_mut().enumerate().take(self.rank()) {
            *extent = self.hi[dim] - self.lo[dim];
        }
        Space { rank: self.rank, extents }
    }

    /// The number of work items.
    #[inline]
    pub fn n_items(&self) -> usize {
        (0..self.rank()).map(|dim| self.hi[dim] - self.lo[dim]).product()
    }
}
