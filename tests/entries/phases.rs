//! The numbers of phases and parts in bodies: as values, in loops, guards, indices and own places.

use flash::{View, ViewMut};

use crate::harness::{Done, array, run_in, value, vector};

/// Numbers that are not in order.
fn noise(n: usize) -> Vec<f32> {
    (0..n).map(|k| ((k * 7919 + 13) % 1009) as f32 / 8.0 - 50.0).collect()
}

/// `phase` as a name of its own is what it is bound to.
#[flash::kernel(group_by(y))]
fn rows(x: &[f32], #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let i = global_id(0);
    let row = phase();
    let mut sum = 0.0;
    for k in 0..phase() + 1 {
        sum += x[(i + k) % x.len()];
    }
    if i >= row && i + partition() < x.len() {
        sum += x[i - row] * x[i + partition()];
    }
    y[[row % 3, i]] = sum * (10 * phase() + partition()) as f32;
}

#[test]
fn a_body_sees_the_numbers_of_its_phase_and_part() {
    let n = 90;
    let x = noise(n);
    for (phase, partition) in [(0, 0), (1, 0), (2, 5), (7, 1), (1_000, 2)] {
        let old = noise(3 * n);
        let args = [vector(&x), array(&old, &[3, n])];
        let done = run_in(rows::DESCRIPTOR, &args, &[n, 1], (phase, partition));
        let mut want = old.clone();
        for i in 0..n {
            let mut sum = 0.0;
            for k in 0..=phase {
                sum += x[(i + k) % n];
            }
            if i >= phase && i + partition < n {
                sum += x[i - phase] * x[i + partition];
            }
            want[phase % 3 * n + i] = sum * (10 * phase + partition) as f32;
        }
        assert_eq!((done.array::<f32>(1), done.violation), (want, None), "{phase}, {partition}");
    }
}

/// Straight code, so that there is an entry for a few items too.
#[flash::kernel(group_by(z), sort_by(x), rank = 4)]
fn shifted(x: View<'_, u32, 2>, y: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if i >= phase() {
        y[[j, i]] = x[[j, i - phase()]] + partition() as u32;
    }
}

#[test]
fn guards_and_rows_follow_the_phase() {
    let (h, w) = (5, 70);
    let x: Vec<u32> = (0..h * w).map(|k| (k * k % 1_013) as u32).collect();
    for (phase, partition) in [(0, 0), (1, 3), (40, 1), (71, 2)] {
        let args = [array(&x, &[h, w]), array(&vec![7_u32; h * w], &[h, w])];
        let done = run_in(shifted::DESCRIPTOR, &args, &[w, h, 1, 1], (phase, partition));
        let at = |j: usize, i: usize| match i.checked_sub(phase) {
            Some(from) => x[j * w + from] + partition as u32,
            None => 7,
        };
        let want: Vec<u32> = (0..h * w).map(|k| at(k / w, k % w)).collect();
        assert_eq!((done.array::<u32>(1), done.violation), (want, None), "{phase}, {partition}");
    }
    assert_eq!((shifted::DESCRIPTOR.rank, rows::DESCRIPTOR.rank), (4, 2));
    assert!(shifted::DESCRIPTOR.entries.is_some_and(|entries| entries.brief().is_some()));
}

/// Heat in a rod: an item writes its place of the new row and reads its neighbours of the old one,
/// which other items wrote in the phase before.
#[flash::kernel(group_by(y))]
fn heat(r: f32, u: ViewMut<'_, f32, 2>) {
    let i = global_id(0);
    let (old, new) = (phase() % 2, 1 - phase() % 2);
    let mut t = u[[old, i]];
    if i > 0 && i + 1 < u.extent(1) {
        // SAFETY: the items of a phase write the row `new`.
        t += r * unsafe { u[[old, i - 1]] - 2.0 * u[[old, i]] + u[[old, i + 1]] };
    }
    u[[new, i]] = t;
}

#[test]
fn phases_take_turns_in_two_rows() {
    let n = 50;
    let start = [noise(n), vec![0.0; n]].concat();
    let (mut now, mut args) = (noise(n), vec![value(0.25_f32), array(&start, &[2, n])]);
    for phase in 0..6 {
        let Done { args: after, violation, panic } =
            run_in(heat::DESCRIPTOR, &args, &[n, 1], (phase, 0));
        assert_eq!((violation, panic), (None, None));
        args = after;
        let old = now.clone();
        for i in 1..n - 1 {
            now[i] += 0.25 * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
        }
        let rows: Vec<f32> = args[1].elems();
        let (first, second) = rows.split_at(n);
        assert_eq!(if phase % 2 == 0 { second } else { first }, now, "phase {phase}");
    }
}
