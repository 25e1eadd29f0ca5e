//! Copies in parts, each of which has room in a piece. It moves no bytes.

use super::Part;
use crate::backend::Region;

/// Regions of the same runs cut into parts of so many bytes at most.
///
/// ```
/// use flash_rt::backend::Region;
/// use flash_rt::offload::staging::cut;
///
/// let parts = cut(&Region::plane(0, 4, 5, 16), &Region::plane(0, 4, 5, 4), 8);
/// assert_eq!(parts[1], (Region::plane(32, 4, 2, 16), Region::plane(8, 4, 2, 4)));
/// assert_eq!(parts.len(), 3);
/// ```
pub fn cut(there: &Region, here: &Region, most: u64) -> Vec<Part> {
    let mut all = Vec::new();
    let row = |region: &Region, slice: u64, row: u64| {
        region.offset + slice * region.slice_pitch + row * region.pitch
    };
    let is_whole = |region: &Region| {
        let Region { row_bytes, rows, pitch, slices, slice_pitch, .. } = *region;
        (rows == 1 || pitch == row_bytes) && (slices == 1 || slice_pitch == rows * row_bytes)
    };
    if is_whole(there) && is_whole(here) {
        let mut at = 0;
        while at < there.bytes() {
            let len = most.min(there.bytes() - at);
            all.push((Region::row(there.offset + at, len), Region::row(here.offset + at, len)));
            at += len;
        }
        return all;
    }
    // Planes of one run each are the runs of one plane.
    let is_plane = |region: &Region| region.rows == 1 && region.slice_pitch >= region.row_bytes;
    if there.slices > 1 && is_plane(there) && is_plane(here) {
        let plane = |region: &Region| {
            Region::plane(region.offset, region.row_bytes, region.slices, region.slice_pitch)
        };
        return cut(&plane(there), &plane(here), most);
    }
    let plane_bytes = there.row_bytes.saturating_mul(there.rows);
    let (slices, rows) = match most / plane_bytes.max(1) {
        0 => (1, (most / there.row_bytes.max(1)).clamp(1, there.rows.max(1))),
        n => (n, there.rows.max(1)),
    };
    let mut slice = 0;
    while slice < there.slices {
        let n_slices = slices.min(there.slices - slice);
        let mut first = 0;
        while first < there.rows {
            let n = rows.min(there.rows - first);
            let mut at = 0;
            // Several runs at once, or one of them in several parts.
            while at < there.row_bytes {
                let len = most.min(there.row_bytes - at);
                let part = |region: &Region| {
                    let plane = Region::plane(row(region, slice, first) + at, len, n, region.pitch);
                    if n_slices == 1 { plane } else { plane.times(n_slices, region.slice_pitch) }
                };
                all.push((part(there), part(here)));
                at += len;
            }
            first += n;
        }
        slice += n_slices;
    }
    all
}

/// A region whose runs are one after the other, as they are in a piece.
pub fn packed(region: &Region) -> Region {
    let Region { row_bytes, rows, slices, .. } = *region;
    Region::plane(0, row_bytes, rows, row_bytes).times(slices, row_bytes * rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a piece.
    const PIECE: u64 = 1 << 20;

    #[test]
    fn parts_are_the_bytes_of_both_regions_in_order() {
        let bytes = |region: Region| region.runs().map(move |at| (at, region.row_bytes));
        let merged = |runs: Vec<(u64, u64)>| {
            let mut all: Vec<(u64, u64)> = Vec::new();
            for (at, len) in runs {
                match all.last_mut() {
                    Some((start, n)) if *start + *n == at => *n += len,
                    _ => all.push((at, len)),
                }
            }
            all
        };
        let plane = Region::plane;
        for (there, here, n) in [
            (Region::row(5, 3 * PIECE + 7), Region::row(1, 3 * PIECE + 7), 4),
            (plane(3, 1000, 5000, 1100), plane(0, 1000, 5000, 1000), 5),
            (plane(3, PIECE + 9, 3, 2 * PIECE), plane(0, PIECE + 9, 3, PIECE + 10), 6),
            (
                plane(2, 700, 1000, 900).times(3, 1_000_000),
                plane(1, 700, 1000, 700).times(3, 700_000),
                3,
            ),
            (plane(2, 70, 100, 90).times(300, 10_000), plane(1, 70, 100, 70).times(300, 7_001), 3),
            (Region::row(2, 512).times(4096, 600), Region::row(0, 512).times(4096, 512), 2),
            (plane(2, 700, 3000, 900).times(2, 9), plane(1, 700, 3000, 700).times(2, 0), 6),
            (Region::row(0, 512).times(0, 600), Region::row(0, 512).times(0, 512), 0),
        ] {
            let parts = cut(&there, &here, PIECE);
            assert_eq!(parts.len(), n, "{there:?}");
            assert!(parts.iter().all(|(a, b)| a.bytes() <= PIECE && a.same_runs(b)));
            for (whole, part) in [(there, 0), (here, 1)] {
                let of = |pair: &(Region, Region)| if part == 0 { pair.0 } else { pair.1 };
                let found = parts.iter().flat_map(|pair| bytes(of(pair))).collect();
                assert_eq!(merged(found), merged(bytes(whole).collect()), "{whole:?}");
            }
        }
    }
}
