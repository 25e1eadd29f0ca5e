//! Where a copy reads or writes: boxes of bytes with pitches, in the form that drivers take. It
//! knows no arrays and no types.

/// A box of bytes of a memory: `slices` planes, `slice_pitch` apart, of `rows` runs each, `pitch`
/// apart, of `row_bytes`. A row is a copy of one dimension, a plane one of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// First byte.
    pub offset: u64,
    /// Bytes of one run.
    pub row_bytes: u64,
    /// Runs of a plane.
    pub rows: u64,
    /// Bytes from one run to the next; at least `row_bytes` where there are several.
    pub pitch: u64,
    /// Number of planes.
    pub slices: u64,
    /// Bytes from one plane to the next; any, also no multiple of `pitch`.
    pub slice_pitch: u64,
}

impl Region {
    /// `len` bytes in a row.
    ///
    /// ```
    /// use flash_rt::backend::Region;
    ///
    /// let cut = Region::plane(8, 4, 3, 16);
    /// assert_eq!((cut.bytes(), cut.end()), (12, Some(44)));
    /// assert_eq!(cut.runs().collect::<Vec<_>>(), [8, 24, 40]);
    /// assert_eq!(Region::row(8, 4).runs().collect::<Vec<_>>(), [8]);
    /// ```
    pub const fn row(offset: u64, len: u64) -> Self {
        Self { offset, row_bytes: len, rows: 1, pitch: len, slices: 1, slice_pitch: len }
    }

    /// A plane of `rows` runs of `row_bytes`, `pitch` apart.
    pub const fn plane(offset: u64, row_bytes: u64, rows: u64, pitch: u64) -> Self {
        let slice_pitch = rows.saturating_mul(pitch);
        Self { offset, row_bytes, rows, pitch, slices: 1, slice_pitch }
    }

    /// This plane `slices` times, `slice_pitch` apart.
    pub const fn times(self, slices: u64, slice_pitch: u64) -> Self {
        Self { slices, slice_pitch, ..self }
    }

    /// The number of bytes that a copy of it moves.
    pub const fn bytes(&self) -> u64 {
        self.row_bytes.saturating_mul(self.rows).saturating_mul(self.slices)
    }

    /// Whether there is nothing to copy.
    pub const fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// The end of the last run, `offset` where there is none; `None` beyond 2^64.
    pub fn end(&self) -> Option<u64> {
        if self.is_empty() {
            return Some(self.offset);
        }
        let last_row = (self.rows - 1).checked_mul(self.pitch)?;
        let last_slice = (self.slices - 1).checked_mul(self.slice_pitch)?;
        self.offset.checked_add(last_row)?.checked_add(last_slice)?.checked_add(self.row_bytes)
    }

    /// Whether it has the runs of another one, so that each can be copied to the other.
    pub fn same_runs(&self, other: &Self) -> bool {
        let runs = |region: &Self| (region.row_bytes, region.rows, region.slices);
        runs(self) == runs(other)
    }

    /// The first byte of each run, in order. Of a region that ends within 2^64.
    pub fn runs(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { offset, rows, pitch, slices, slice_pitch, .. } = *self;
        let slices = if self.is_empty() { 0 } else { slices };
        (0..slices).flat_map(move |s| (0..rows).map(move |r| offset + s * slice_pitch + r * pitch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_repeat() {
        let region = Region::plane(5, 2, 2, 10).times(3, 33);
        assert_eq!(region.runs().collect::<Vec<_>>(), [5, 15, 38, 48, 71, 81]);
        assert_eq!((region.bytes(), region.end()), (12, Some(83)));
        assert!(region.same_runs(&Region::plane(0, 2, 2, 2).times(3, 4)));
        assert!(!region.same_runs(&Region::row(0, 12)));
    }

    #[test]
    fn nothing_is_nowhere_and_too_much_is_seen() {
        for empty in [Region::row(7, 0), Region::plane(7, 3, 0, 9), Region::row(7, 1).times(0, 9)] {
            assert_eq!((empty.bytes(), empty.end(), empty.runs().count()), (0, Some(7), 0));
        }
        assert_eq!(Region::row(u64::MAX, 1).end(), None);
        assert_eq!(Region::plane(0, 8, u64::MAX, 1 << 32).end(), None);
    }
}
