//! Which pieces of a launch belong to which seat. It does not say who runs them.

/// The pieces of seat `k` of `n`: contiguous, the same for the same number of pieces.
#[inline]
pub(super) fn share(pieces: usize, n: usize, k: usize) -> (usize, usize) {
    let cut = |k: usize| (pieces as u64 * k as u64 / n as u64) as usize;
    (cut(k), cut(k + 1))
}

/// The piece as far from the end of its seat's pieces as this one is from their beginning.
#[inline]
pub(super) fn opposite(piece: usize, pieces: usize, n: usize) -> usize {
    // The last seat whose pieces begin no later.
    let seat = ((piece as u64 + 1) * n as u64 - 1) / pieces as u64;
    let (lo, hi) = share(pieces, n, seat as usize);
    lo + hi - 1 - piece
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_pieces_are_of_one_seat() {
        for n in 1..=5 {
            for pieces in 1..=40 {
                for seat in 0..n {
                    let (lo, hi) = share(pieces, n, seat);
                    let there: Vec<_> = (lo..hi).map(|k| opposite(k, pieces, n)).collect();
                    assert_eq!(there, (lo..hi).rev().collect::<Vec<_>>());
                }
            }
        }
    }
}
