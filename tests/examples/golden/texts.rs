//! The matrix of scores that Smith and Waterman's method is explained with in many places, by the
//! same worth of letters and gaps; and texts that are drawn.

use flash_examples::SplitMix64;

use super::super::*;

const A: &[u8] = b"TGTTACGG";
const B: &[u8] = b"GGTTGACTA";

/// A row for each letter of `B`, a column for each of `A`.
const SCORES: [[i32; 8]; 9] = [
    [0, 3, 1, 0, 0, 0, 3, 3],
    [0, 3, 1, 0, 0, 0, 3, 6],
    [3, 1, 6, 4, 2, 0, 1, 4],
    [3, 1, 4, 9, 7, 5, 3, 2],
    [1, 6, 4, 7, 6, 4, 8, 6],
    [0, 4, 3, 5, 10, 8, 6, 5],
    [0, 2, 1, 3, 8, 13, 11, 9],
    [3, 1, 5, 4, 6, 11, 10, 8],
    [1, 0, 3, 2, 7, 9, 8, 7],
];

fn alignment_values(rt: &Runtime) {
    let score = succeed(alignment::scores(rt, A, B));
    for (j, row) in SCORES.iter().enumerate() {
        let found: Vec<i32> = (1..=8).map(|i| alignment::at(A, &score, [i, j + 1])).collect();
        assert_eq!(found, row, "after {} letters of the second text", j + 1);
    }
    let path = alignment::best_path(A, B, &score);
    let lines = alignment::one_above_the_other(A, B, &path);
    assert_eq!(lines, ["GTT-AC", "||| ||", "GTTGAC"]);

    let best = succeed(alignment::best_scores(rt, A, B));
    let highest: Vec<i32> =
        (0..8).map(|i| SCORES.map(|row| row[i]).into_iter().max().unwrap_or(0)).collect();
    assert_eq!(best, highest);
}

#[test]
fn alignment_cpu() {
    policies(CPU).iter().for_each(alignment_values);
}

#[test]
fn alignment_opencl() {
    on_opencl().iter().for_each(alignment_values);
}

#[test]
fn alignment_sim() {
    policies(SIM).iter().for_each(alignment_values);
    by_entries().iter().for_each(alignment_values);
}

#[test]
fn alignment_cuda() {
    on_cuda(alignment_values);
}

/// Also texts of one letter, and two that have none in common.
#[test]
fn alignment_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let check = |a: &[u8], b: &[u8]| {
            let score = succeed(alignment::scores(rt, a, b));
            let best = succeed(alignment::best_scores(rt, a, b));
            succeed(alignment::compare(a, b, &score, &best));
        };
        let (n, m, of) = (12 + random.below(40), 12 + random.below(40), 2 + random.below(6));
        let a = alignment::letters(n, of, &mut random);
        check(&a, &alignment::letters(m, of, &mut random));
        check(&a, &a[..1]);
        check(&a[..1], &a);
        check(&a, &vec![b'-'; m]);
    });
}
