//! The host's half of a copy through a piece. Fenced: it copies bytes that were lent.
#![allow(unsafe_code, reason = "copies bytes that were lent")]

use crate::backend::Region;

/// Copies the runs of a region from `src` to a piece, one after the other.
///
/// # Safety
///
/// The region can be read from `src` on, and as many bytes as it has can be written to the piece, which is
/// no part of it. Nobody writes the one or uses the other meanwhile.
pub unsafe fn gather(piece: *mut u8, src: *const u8, region: &Region) {
    let len = region.row_bytes as usize;
    for (k, at) in region.runs().enumerate() {
        let (from, to) = (src.wrapping_add(at as usize), piece.wrapping_add(k * len));
        // SAFETY: the run is in both, which are apart, as the caller says.
        unsafe { std::ptr::copy_nonoverlapping(from, to, len) };
    }
}

/// Copies what [`gather`] brings to a piece from there to the runs of a region of `dst`.
///
/// # Safety
///
/// As many bytes as the region has can be read from the piece, and it can be written from `dst` on, of
/// which the piece is no part. Nobody writes the one or uses the other meanwhile.
pub unsafe fn scatter(piece: *const u8, dst: *mut u8, region: &Region) {
    let len = region.row_bytes as usize;
    for (k, at) in region.runs().enumerate() {
        let (from, to) = (piece.wrapping_add(k * len), dst.wrapping_add(at as usize));
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(from, to, len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_come_together_and_go_back() {
        let region = Region::plane(1, 2, 2, 3).times(2, 8);
        let from: Vec<u8> = (0..16).collect();
        let (mut piece, mut to) = ([0; 8], [99; 16]);
        // SAFETY: the region ends before both arrays do, and has as many bytes as the piece.
        unsafe { gather(piece.as_mut_ptr(), from.as_ptr(), &region) };
        assert_eq!(piece, [1, 2, 4, 5, 9, 10, 12, 13]);
        // SAFETY: as above.
        unsafe { scatter(piece.as_ptr(), to.as_mut_ptr(), &region) };
        assert_eq!(to, [99, 1, 2, 99, 4, 5, 99, 99, 99, 9, 10, 99, 12, 13, 99, 99]);
    }
}
