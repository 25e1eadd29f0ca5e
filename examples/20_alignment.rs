//! Shows:  wave-fronts: one launch whose phases are the diagonals of a matrix, and without `unsafe`
//!         one launch for each of them over three arrays that change places.
//! Run:    cargo run --release --example 20_alignment
//! Prints: cells per second in both forms, after comparing with a plain loop, and the texts one
//!         above the other where they are most alike; leaves out/alignment.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::time::Instant;

use flash::prelude::*;
use flash_examples::canvas::{Canvas, INK, PAPER, heat as colour, text_width};
use flash_examples::picture::write_png;
use flash_examples::{Options, Result, SplitMix64, check};

/// What two equal letters are worth, ..
const EQUAL: i32 = 3;
/// .. two different ones, ..
const DIFFERENT: i32 = -3;
/// .. and a letter that the other text does not have.
const GAP: i32 = -2;
/// Those of proteins.
const LETTERS: &[u8] = b"ACDEFGHIKLMNPQRSTVWY";

/// The score of the best alignment of parts that end at these letters, or 0, as a new one may begin
/// here: from the scores without the last letter of either, of the first and of the second text.
#[flash::device]
fn score_of(a: u8, b: u8, neither: i32, without_a: i32, without_b: i32) -> i32 {
    let mut best = 0;
    best = best.max(neither + if a == b { EQUAL } else { DIFFERENT });
    best = best.max(without_a + GAP);
    best.max(without_b + GAP)
}

/// All scores in one launch over `[a.len(), a.len() + b.len() - 1]`, a phase for each diagonal. That
/// of the first `i` and `j` letters is at `[i + j, i]`: so a diagonal is a row, and the place of an
/// item its own. Where `i` or `j` is 0 it stays as it is. `back` is the second text backwards: its
/// letters come along a diagonal as those of `a` do.
#[flash::kernel(sort_by(y))]
pub(crate) fn align(a: &[u8], back: &[u8], score: ViewMut<'_, i32, 2>) {
    let (i, d) = (global_id(0), global_id(1));
    if i <= d && d < i + back.len() {
        let (x, y) = (a[i], back[i + back.len() - 1 - d]);
        // SAFETY: the items of this phase write the row `d + 2` only.
        let here =
            unsafe { score_of(x, y, score[[d, i]], score[[d + 1, i]], score[[d + 1, i + 1]]) };
        score[[d + 2, i + 1]] = here;
    }
}

/// One diagonal from the two before it; `best` is the highest score that ends at each letter of `a`.
#[flash::kernel]
pub(crate) fn diagonal(
    d: usize,
    a: &[u8],
    back: &[u8],
    before: &[i32],
    last: &[i32],
    #[out(partial)] new: &mut [i32],
    best: &mut [i32],
) {
    let i = global_id(0);
    let mut score = 0;
    if i <= d && d < i + back.len() {
        score = score_of(a[i], back[i + back.len() - 1 - d], before[i], last[i], last[i + 1]);
    }
    new[i + 1] = score;
    best[i] = best[i].max(score);
}

/// All scores, diagonal by diagonal.
pub(crate) fn scores(rt: &Runtime, a: &[u8], b: &[u8]) -> flash::Result<Vec<i32>> {
    let (n, m) = (a.len(), b.len());
    let mut score = Buffer::zeros([n + m + 1, n + 1]);
    let (a, back) = (Buffer::from(a.to_vec()), backwards(b));
    rt.submit(align(&a, &back, &mut score)).exec([n, n + m - 1])?;
    score.to_vec()
}

/// The best score that ends at each letter of `a`, in memory for three diagonals.
pub(crate) fn best_scores(rt: &Runtime, a: &[u8], b: &[u8]) -> flash::Result<Vec<i32>> {
    let (n, diagonals) = (a.len(), a.len() + b.len() - 1);
    let (a, back) = (Buffer::from(a.to_vec()), backwards(b));
    let (before, last) = (Buffer::zeros(n + 1), Buffer::zeros(n + 1));
    let (mut new, mut best) = (Buffer::zeros(n + 1), Buffer::zeros(n));
    flash_pipeline! { in rt;
        for d in 0..diagonals {
            diagonal(d, &a, &back, &before, &last, &mut new, &mut best)[n];
            swap(before, last);
            swap(last, new);
        }
    }
    .exec()?;
    best.to_vec()
}

/// The letters of a text, the last one first.
fn backwards(text: &[u8]) -> Buffer<u8> {
    Buffer::from(text.iter().rev().copied().collect::<Vec<_>>())
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let n = options.size.pick(36, 1_200, 6_000);
    let (a, b) = relatives(n, 20);
    let rate = |start: Instant| (a.len() * b.len()) as f64 / start.elapsed().as_secs_f64() * 1e-6;
    let start = Instant::now();
    let score = scores(rt, &a, &b)?;
    println!("{} x {} cells, all kept, one launch: {:.0} million/s", a.len(), b.len(), rate(start));
    let start = Instant::now();
    let best = best_scores(rt, &a, &b)?;
    println!("three diagonals kept, a launch for each one: {:.0} million/s", rate(start));
    compare(&a, &b, &score, &best)?;

    let path = best_path(&a, &b, &score);
    let lines = one_above_the_other(&a, &b, &path);
    for line in &lines {
        println!("  {}", line.chars().take(72).collect::<String>());
    }
    let file = options.output("alignment.png")?;
    write_png(&file, &draw([a.len(), b.len()], &score, &path))?;
    let highest = best.iter().max().unwrap_or(&0);
    println!("score {highest}; both forms equal to a plain loop; see {}", file.display());
    Ok(())
}

/// A text of `n` letters, and one that descends from it: letters were replaced, lost and inserted,
/// one passage of others came in, and an early passage once more.
fn relatives(n: usize, seed: u64) -> (Vec<u8>, Vec<u8>) {
    let mut random = SplitMix64::new(seed);
    let a = letters(n, LETTERS.len(), &mut random);
    let mut b = Vec::new();
    for (i, &letter) in a.iter().enumerate() {
        if i == n / 3 {
            b.extend(letters(n / 9, LETTERS.len(), &mut random));
        }
        if i == n * 2 / 3 {
            b.extend_from_slice(&a[n / 9..n / 3]);
        }
        match random.below(20) {
            0..4 => b.extend(letters(1, LETTERS.len(), &mut random)),
            4 => {}
            5 => b.extend([letter, letter]),
            _ => b.push(letter),
        }
    }
    (a, b)
}

/// A text of `n` of the first so many [`LETTERS`].
pub(crate) fn letters(n: usize, of: usize, random: &mut SplitMix64) -> Vec<u8> {
    (0..n).map(|_| LETTERS[random.below(of)]).collect()
}

/// The score of the first `i` and `j` letters.
pub(crate) fn at(a: &[u8], score: &[i32], [i, j]: [usize; 2]) -> i32 {
    score[(i + j) * (a.len() + 1) + i]
}

/// Scores again, sequentially and line by line.
pub(crate) fn compare(a: &[u8], b: &[u8], score: &[i32], best: &[i32]) -> Result {
    let mut expected = vec![0; score.len()];
    let mut expected_best = vec![0; a.len()];
    let mut above = vec![0; a.len() + 1];
    for (j, letter) in b.iter().enumerate() {
        let mut corner = 0;
        for i in 0..a.len() {
            let side = above[i];
            let pair = corner + if a[i] == *letter { EQUAL } else { DIFFERENT };
            corner = above[i + 1];
            above[i + 1] = 0.max(pair).max(side + GAP).max(corner + GAP);
            expected[(i + j + 2) * (a.len() + 1) + i + 1] = above[i + 1];
            expected_best[i] = expected_best[i].max(above[i + 1]);
        }
    }
    check::equal("score", score, &expected)?;
    Ok(check::equal("best score", best, &expected_best)?)
}

/// The cells from the first score above 0 to the highest one, each a step of the best alignment.
pub(crate) fn best_path(a: &[u8], b: &[u8], score: &[i32]) -> Vec<[usize; 2]> {
    let at = |cell| at(a, score, cell);
    let cells = (1..=b.len()).flat_map(|j| (1..=a.len()).map(move |i| [i, j]));
    let mut path = Vec::new();
    let mut next = cells.max_by_key(|&cell| at(cell));
    while let Some(cell @ [i, j]) = next.filter(|&cell| at(cell) > 0) {
        path.push(cell);
        let pair = if a[i - 1] == b[j - 1] { EQUAL } else { DIFFERENT };
        next = Some(if at(cell) == at([i - 1, j - 1]) + pair {
            [i - 1, j - 1]
        } else if at(cell) == at([i - 1, j]) + GAP {
            [i - 1, j]
        } else {
            [i, j - 1]
        });
    }
    path.reverse();
    path
}

/// The letters along a path, a bar between equal ones, and `-` for those that a text does not have.
pub(crate) fn one_above_the_other(a: &[u8], b: &[u8], path: &[[usize; 2]]) -> [String; 3] {
    let mut lines = [const { String::new() }; 3];
    let mut from = path.first().map_or([0, 0], |&[i, j]| [i - 1, j - 1]);
    for &[i, j] in path {
        let upper = if i > from[0] { char::from(a[i - 1]) } else { '-' };
        let lower = if j > from[1] { char::from(b[j - 1]) } else { '-' };
        lines[0].push(upper);
        lines[1].push(if upper == lower { '|' } else { ' ' });
        lines[2].push(lower);
        from = [i, j];
    }
    lines
}

/// Scores as colours, the first text to the right and the second one down, and the best path.
fn draw([n, m]: [usize; 2], score: &[i32], path: &[[usize; 2]]) -> Canvas {
    const LEFT: usize = 64;
    const TOP: usize = 52;
    const PATH: [u8; 3] = [70, 225, 255];
    // Letters for each pixel, or pixels for each letter.
    let (step, scale) = (n.max(m).div_ceil(720), (480 / n.max(m)).max(1));
    let (width, height) = (n.div_ceil(step) * scale, m.div_ceil(step) * scale);
    let score = |i: usize, j: usize| score[(i + j) * (n + 1) + i];
    let highest = path.last().map_or(1, |&[i, j]| score(i, j)) as f32;
    // The root, as most scores are low.
    let hue = |score: i32| colour((score as f32 / highest).sqrt());
    let mut field = Canvas::from_fn(width, height, |x, y| {
        let block = |k: usize, len: usize| k / scale * step..(k / scale * step + step).min(len);
        let of_row = |j: usize| block(x, n).map(move |i| score(i + 1, j + 1)).max();
        hue(block(y, m).filter_map(of_row).max().unwrap_or(0))
    });
    let mark = (scale / 3).max(2);
    let middle = (scale - mark.min(scale)) / 2;
    let pixel = |k: usize| (k - 1) / step * scale;
    for (here, next) in path.iter().zip(path.iter().skip(1).chain(path.last())) {
        // As a line also where a letter is many pixels.
        for t in 0..scale {
            let [x, y] = [0, 1].map(|k| pixel(here[k]) + (next[k] - here[k]) * t + middle);
            field.fill(x, y, mark, mark, PATH);
        }
    }

    let mut canvas = Canvas::new(LEFT + width + 90, TOP + height + 48, PAPER);
    canvas.text(LEFT, 10, 2, INK, "Where two texts are alike");
    canvas.put(LEFT, TOP, &field);
    let every = [5, 10, 20, 50, 100, 200, 500].into_iter().find(|e| n.max(m) / e < 9);
    let every = every.unwrap_or(1000);
    let pixel = |k: usize| pixel(k) + scale / 2;
    for k in (every..=n.max(m)).step_by(every) {
        let label = k.to_string();
        if k <= n {
            canvas.fill(LEFT + pixel(k), TOP + height, 1, 4, INK);
            let x = LEFT + pixel(k) - text_width(&label, 1) / 2;
            canvas.text(x, TOP + height + 8, 1, INK, &label);
        }
        if k <= m {
            canvas.fill(LEFT - 4, TOP + pixel(k), 4, 1, INK);
            let x = LEFT - 6 - text_width(&label, 1);
            canvas.text(x, TOP + pixel(k) - 3, 1, INK, &label);
        }
    }
    let label = "letter of the first text";
    let x = LEFT + (width - text_width(label, 1).min(width)) / 2;
    canvas.text(x, TOP + height + 24, 1, INK, label);
    // Written from the bottom to the top.
    let label = "letter of the second text";
    let mut line = Canvas::new(text_width(label, 1), 8, PAPER);
    line.text(0, 0, 1, INK, label);
    let line = Canvas::from_fn(line.height, line.width, |x, y| {
        line.pixels[x * line.width + line.width - 1 - y]
    });
    canvas.put(14, TOP + (height - line.height.min(height)) / 2, &line);

    let bar = |y: usize| highest * (1.0 - y as f32 / (height - 1).max(1) as f32);
    canvas.put(LEFT + width + 18, TOP, &Canvas::from_fn(14, height, |_, y| hue(bar(y) as i32)));
    canvas.text(LEFT + width + 18, TOP - 14, 1, INK, "score");
    for k in 0..=4 {
        let y = (height - 1) * k / 4;
        canvas.fill(LEFT + width + 32, TOP + y, 4, 1, INK);
        let label = format!("{:.0}", bar(y));
        canvas.text(LEFT + width + 40, TOP + y - 3, 1, INK, &label);
    }
    canvas.fill(LEFT, 38, 14, 3, PATH);
    canvas.text(LEFT + 20, 36, 1, INK, "the best alignment of a passage of both");
    canvas
}
