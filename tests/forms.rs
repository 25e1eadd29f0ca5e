//! Every form of parameter and every part of the body language, against plain loops.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use flash::prelude::*;

const N: usize = 300;

/// The processor, the simulator, which interprets the IR, and OpenCL devices.
fn runtimes() -> Vec<Runtime> {
    let mut all = ["ALL_CPU", "SIM"].map(|key| Runtime::open(key).unwrap()).to_vec();
    all.extend(flash_tests::opencl());
    all
}

#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
struct Particle {
    x: f32,
    v: [f32; 3],
    id: u32,
}

const ZERO: f32 = 0.0;

#[flash::device]
fn advance(x: f32, dt: f32) -> f32 {
    if dt < ZERO {
        return x;
    }
    x + dt
}

#[flash::kernel(inputs = 3)]
fn particles(dt: f32, back: bool, one: Particle, p: &mut [Particle]) {
    let i = global_id(0);
    let mut sum = [0.0; 3];
    for d in 0..=2 {
        sum[d] = p[i].v[d] + one.v[2 - d];
    }
    p[i].x = advance(p[i].x, if back { -dt } else { dt }) + sum[0];
    p[i] = Particle { x: p[i].x, v: [sum[2], sum[1], sum[0]], id: p[i].id ^ one.id };
}

#[test]
fn structures_and_bool() {
    for rt in runtimes() {
        let start: Vec<Particle> = (0..N)
            .map(|k| Particle { x: k as f32, v: [1.0, k as f32, 3.0], id: k as u32 })
            .collect();
        let one = Particle { x: 9.0, v: [0.5, 0.25, 0.125], id: 5 };
        for back in [false, true] {
            let mut p = Buffer::from(start.clone());
            rt.submit(particles(0.5, back, one, &mut p)).exec([N]).unwrap();
            let wanted: Vec<Particle> = start
                .iter()
                .map(|p| {
                    let s = [p.v[0] + one.v[2], p.v[1] + one.v[1], p.v[2] + one.v[0]];
                    let x = if back { p.x } else { p.x + 0.5 } + s[0];
                    Particle { x, v: [s[2], s[1], s[0]], id: p.id ^ one.id }
                })
                .collect();
            assert_eq!(p.to_vec().unwrap(), wanted);
        }
    }
}

#[flash::kernel]
fn loops(n: u64, #[out] y: &mut [u64], #[scratch(2 * y.len())] t: &mut [u64]) {
    let i = global_id(0);
    let (mut a, mut b) = (i as u64, n);
    let (c, d) = (b, a);
    let mut k = 0;
    while k < 10 {
        k += 1;
        if k == 3 {
            continue;
        }
        a = a.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(k);
    }
    for j in (0..20).rev().step_by(3) {
        b ^= j << 3;
    }
    loop {
        b += 1;
        if b % 5 == 0 {
            break;
        }
    }
    t[i] = { a ^ c };
    let e = if d > 100 {
        t[i]
    } else if d > 50 {
        b
    } else {
        7
    };
    let a = a & 0xff;
    y[i] = (e >> 3) + a * 2 + global_size(0) as u64;
}

#[test]
fn control_flow_and_scratch() {
    for rt in runtimes() {
        let mut y = Buffer::<u64>::zeros(N);
        rt.submit(loops(11, &mut y)).exec([N]).unwrap();
        let wanted: Vec<u64> = (0..N as u64)
            .map(|i| {
                let (mut a, mut b) = (i, 11_u64);
                let (c, d) = (b, a);
                for k in [1, 2, 4, 5, 6, 7, 8, 9, 10] {
                    a = a.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(k);
                }
                for j in [19_u64, 16, 13, 10, 7, 4, 1] {
                    b ^= j << 3;
                }
                b = (b / 5 + 1) * 5;
                let t = a ^ c;
                let e = if d > 100 {
                    t
                } else if d > 50 {
                    b
                } else {
                    7
                };
                (e >> 3) + (a & 0xff) * 2 + N as u64
            })
            .collect();
        assert_eq!(y.to_vec().unwrap(), wanted);
    }
}

#[flash::kernel]
fn views(a: View<'_, i32, 4>, b: ViewMut<'_, i32, 3>, #[out] c: ViewMut<'_, i32, 1>) {
    let (k, j, i) = (global_id(2), global_id(1), global_id(0));
    let mut sum = 0;
    for l in 0..a.extent(0) {
        sum += a[[l, k, j, i]] - a[[l, k, j, a.extent(3) - 1 - i]];
    }
    b[[k, j, i]] += sum + b.len() as i32;
    unsafe { c[[0]] = 1 };
}

#[test]
fn views_of_every_rank() {
    for rt in runtimes() {
        let (n, w) = (4, 5);
        let a = Buffer::from_shape([2, 3, n, w], (0..(2 * 3 * n * w) as i32).collect::<Vec<_>>())
            .unwrap();
        let mut b = Buffer::from_shape([3, n, w], vec![1_i32; 3 * n * w]).unwrap();
        let mut c = Buffer::<i32>::zeros(1);
        rt.submit(views(&a, &mut b, &mut c)).exec([w, n, 3]).unwrap();
        let at = |l: usize, k: usize, j: usize, i: usize| (((l * 3 + k) * n + j) * w + i) as i32;
        for (k, j, i) in
            (0..3).flat_map(|k| (0..n).flat_map(move |j| (0..w).map(move |i| (k, j, i))))
        {
            let sum: i32 = (0..2).map(|l| at(l, k, j, i) - at(l, k, j, w - 1 - i)).sum();
            assert_eq!(b.get([k, j, i]).unwrap(), 1 + sum + (3 * n * w) as i32);
        }
        assert_eq!(c.get(0).unwrap(), 1);
    }
}

#[flash::kernel]
fn reductions(
    x: &[i64],
    #[reduce(+)] add: &mut i64,
    #[reduce(*, into)] mul: &mut i64,
    #[reduce(min)] low: &mut i64,
    #[reduce(max)] high: &mut i64,
    #[reduce(&)] both: &mut i64,
    #[reduce(|)] any: &mut i64,
    #[reduce(^)] odd: &mut i64,
) {
    let v = x[global_id(0)];
    *add += v;
    *mul = *mul * (2 * (v & 1) - 1);
    *low = low.min(v);
    *high = (*high).max(v);
    *both &= v | 1024;
    *any |= v;
    *odd = v ^ *odd;
}

#[test]
fn reductions_of_every_operation() {
    for rt in runtimes() {
        let data: Vec<i64> = (0..10_000).map(|k: i64| k.wrapping_mul(7919) % 1013 - 500).collect();
        let x = Buffer::from(data.clone());
        let mut cells: Vec<Var<i64>> = (0..7).map(|_| Var::new(3)).collect();
        let [add, mul, low, high, both, any, odd] = cells.as_mut_slice() else { unreachable!() };
        rt.submit(reductions(&x, add, mul, low, high, both, any, odd)).exec([data.len()]).unwrap();
        let wanted = [
            data.iter().sum::<i64>(),
            data.iter().fold(3, |all, v| all * (2 * (v & 1) - 1)),
            *data.iter().min().unwrap(),
            *data.iter().max().unwrap(),
            data.iter().fold(-1, |all, v| all & (v | 1024)),
            data.iter().fold(0, |all, v| all | v),
            data.iter().fold(0, |all, v| all ^ v),
        ];
        for (cell, wanted) in cells.iter().zip(wanted) {
            assert_eq!(cell.get().unwrap(), wanted);
        }
    }
}

#[flash::kernel]
fn cells(x: &[u32], bins: &[Atomic<u32>], high: &[Atomic<i64>]) {
    let i = global_id(0);
    let at = (x[i] % 16) as usize;
    let _ = bins[at].fetch_add(1);
    high[0].fetch_max(x[i] as i64);
}

#[test]
fn atomic_cells() {
    for rt in runtimes() {
        let data: Vec<u32> = (0..5_000_u32).map(|k| k.wrapping_mul(2_654_435_761) >> 7).collect();
        let x = Buffer::from(data.clone());
        let (mut bins, mut high) = (Buffer::<u32>::zeros(16), Buffer::<i64>::zeros(1));
        rt.submit(cells(&x, &mut bins, &mut high)).exec([data.len()]).unwrap();
        let mut wanted = vec![0; 16];
        data.iter().for_each(|v| wanted[(v % 16) as usize] += 1);
        assert_eq!(bins.to_vec().unwrap(), wanted);
        assert_eq!(high.get(0).unwrap(), i64::from(*data.iter().max().unwrap()));
    }
}

#[flash::kernel(T = [f32, f64, u16], M = [2, 5])]
fn blocks<T, const M: usize>(a: T, x: &[T], #[out(partial)] y: &mut [T]) {
    let i = global_id(0);
    if i % M == 0 {
        y[i] = a * x[i];
    }
}

#[test]
fn instances() {
    for rt in runtimes() {
        let x = Buffer::from(vec![3_u16; 20]);
        let mut y = Buffer::from(vec![1_u16; 20]);
        rt.submit(blocks::<_, 5>(2, &x, &mut y)).exec([20]).unwrap();
        let wanted: Vec<u16> = (0..20).map(|i| if i % 5 == 0 { 6 } else { 1 }).collect();
        assert_eq!(y.to_vec().unwrap(), wanted);
    }
}

/// Signature only.
#[flash::kernel(inputs = 1, unsafe(cpu(path = "no-such-library.so", entry = "blur")))]
fn blur(image: View<'_, f32, 2>, #[out] out: ViewMut<'_, f32, 2>);

#[test]
fn declarations_without_code_say_so() {
    let image = Buffer::<f32, 2>::zeros([4, 4]);
    let mut out = Buffer::<f32, 2>::zeros([4, 4]);
    let rt = Runtime::new().unwrap();
    let error = rt.submit(blur(&image, &mut out)).exec([4, 4]).unwrap_err();
    assert!(error.to_string().contains("blur"), "{error}");
}

#[flash::device]
fn halved(x: f32) -> f32 {
    x * 0.5
}

#[flash::device]
fn halves(x: f32, y: f32) -> f32 {
    halved(x) + halved(y)
}

#[flash::device]
fn one_above(x: f32, y: f32) -> f32 {
    f32::max(x, y) + 1.0
}

#[flash::device]
fn wide_half(x: f32) -> f64 {
    halved(x) as f64
}

#[flash::device]
fn root(x: f32) -> f32 {
    f32::max(x, 0.0).sqrt()
}

#[flash::kernel]
fn calls_first(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let q = if x[i] > 1.0 { f32::max(x[i], 1.5) + halved(y[i]) } else { halved(x[i]) * 2.0 };
    y[i] = halves(q, y[i]) + one_above(x[i], 0.5) + wide_half(x[i]) as f32 + root(x[i]);
}

#[test]
fn a_value_may_begin_with_a_call() {
    for rt in runtimes() {
        let x = Buffer::from((0..N).map(|i| i as f32 * 0.01).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![4.0_f32; N]);
        rt.submit(calls_first(&x, &mut y)).exec([N]).unwrap();
        let expected = x.to_vec().unwrap().into_iter().map(|x| {
            let q = if x > 1.0 { x.max(1.5) + 2.0 } else { x * 0.5 * 2.0 };
            (q * 0.5 + 2.0) + (x.max(0.5) + 1.0) + x * 0.5 + x.sqrt()
        });
        assert_eq!(y.to_vec().unwrap(), expected.collect::<Vec<_>>());
    }
}

/// Of lines that follow one another in memory: arithmetic that asks for no id, ids as values, a line
/// that is left out, and lines that are cut.
#[flash::kernel]
fn product(a: View<'_, f32, 2>, b: View<'_, f32, 2>, c: ViewMut<'_, f32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    c[[j, i]] = a[[j, i]] * b[[j, i]] + c[[j, i]];
}

#[flash::kernel]
fn slope(a: View<'_, f32, 2>, c: ViewMut<'_, f32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    c[[j, i]] = a[[j, i]] * i as f32 + j as f32;
}

#[flash::kernel]
fn but_one(left_out: usize, a: View<'_, f32, 2>, c: ViewMut<'_, f32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    if j != left_out {
        c[[j, i]] = a[[j, i]] - 1.0;
    }
}

#[flash::kernel]
fn up_to(first: usize, end: usize, a: View<'_, f32, 2>, c: ViewMut<'_, f32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    if i + first + phase() < end * (partition() + 1) {
        c[[j, i]] = a[[j, i + first]] + 3.0 * c[[j, i]];
    }
}

#[flash::kernel]
fn both_sides(end: usize, a: View<'_, f32, 2>, c: ViewMut<'_, f32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    if i < end {
        c[[j, i]] = a[[j, i]] * 2.0;
    } else {
        c[[j, i]] = c[[j, i]] - a[[j, i]];
    }
}

/// What is read and written in the middle of an array, and the first of it.
#[flash::kernel]
fn doubled(x: &[u32], #[out] y: &mut [u32]) {
    y[global_id(0)] = 2 * x[global_id(0)];
}

#[flash::kernel]
fn counted(x: &[u32], #[reduce(+)] sum: &mut u32) {
    *sum += x[global_id(0)];
}

#[flash::kernel]
fn raised(a: View<'_, u32, 2>, b: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(1), global_id(0));
    b[[i, j]] = b[[i, j]] + a[[i, j]];
}

#[flash::kernel]
fn marked(x: &[u32], bins: &[Atomic<u32>]) {
    bins[x[global_id(0)] as usize].fetch_add(1);
}

/// Views are made in the call, and passed as they are: to kernels in each form, and to host tasks.
#[test]
fn views_are_passed_as_they_are() {
    for rt in runtimes() {
        let x = Buffer::from((0..16_u32).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![0_u32; 16]);
        let mut m = Buffer::<u32, 2>::from_shape([4, 4], (0..16).collect::<Vec<_>>()).unwrap();
        let mut seen = Vec::new();
        let mut p = rt.pipeline();
        p.push(doubled(x.view(3..6), y.view_mut(1..4)).over([3]));
        p.push(counted(x.view(8..12), y.view_mut(5..6)).over([4]));
        p.push(marked(x.view(0..2), y.view_mut(8..10)).over([2]));
        p.push(raised(m.view((0..2, 2..4)), m.view_mut((2..4, 0..2))).over([2, 2]));
        p.push(Task::new("swap", (x.view(14..16), y.view_mut(14..16)), |(x, mut y)| {
            y[[0]] = x[[1]];
            y[[1]] = x[[0]];
        }));
        p.push(Task::new("fill", (flash::out(y.view_mut(12..13)),), |(mut y,)| y[[0]] = 99));
        let (mut low, mut high) = y.split_at_mut(8).unwrap();
        // One that is kept is read or written by whoever borrows it.
        let (from, mut to) = (low.view(1..4), high.view_mut(2..4));
        p.push(doubled(&from, &mut to).over([2]));
        p.push(doubled(&low, &mut m.row(3)).over([2]));
        low.view_mut(7..8).copy_from(x.view(13..14)).unwrap();
        p.push(Task::new("look", (&high,), |(high,)| seen.push(high[[2]])));
        p.exec().unwrap();
        drop(p);
        let wanted = [0, 6, 8, 10, 0, 38, 0, 13, 1, 1, 12, 16, 99, 0, 15, 14];
        assert_eq!(y.to_vec().unwrap(), wanted);
        let wanted = [0, 1, 2, 3, 4, 5, 6, 7, 10, 12, 10, 11, 0, 12, 14, 15];
        assert_eq!(m.to_vec().unwrap(), wanted);
        assert_eq!(seen, [12]);
        p = rt.pipeline();
        p.move_to(&high, 0).push(doubled(x.view(..), y.view_mut(8..20)).over([16]));
        let error = p.exec().unwrap_err().to_string();
        assert!(error.contains("8..20"), "{error}");
        low = high.clone();
        assert_eq!(format!("{low:?}"), format!("{high:?}"));
    }
}

#[test]
fn lines_that_follow_one_another() {
    for rt in runtimes() {
        for [h, w] in [[1, 1], [3, 7], [8, 64], [5, 130], [2, 2_500]] {
            let at = |k: usize| ((k * 31 + 7) % 23) as f32 * 0.25;
            // Whole arrays, and every line but its end.
            for cut in [0, 1] {
                let wide = w + cut;
                let a: Vec<f32> = (0..h * wide).map(at).collect();
                let x = Buffer::from_shape([h, wide], a.clone()).unwrap();
                let view = x.view((.., ..w));
                let cell = |j: usize, i: usize| a[j * wide + i];
                let run = |kernel: &dyn Fn(&mut Buffer<f32, 2>),
                           expected: &dyn Fn(usize, usize, f32) -> f32| {
                    let mut c = Buffer::from_shape([h, w], vec![0.5_f32; h * w]).unwrap();
                    kernel(&mut c);
                    let items = (0..h * w).map(|k| expected(k / w, k % w, 0.5));
                    assert_eq!(
                        c.to_vec().unwrap(),
                        items.collect::<Vec<_>>(),
                        "{h} x {w}, cut {cut}"
                    );
                };
                run(
                    &|c| drop(rt.submit(product(&view, &view, c)).exec([w, h]).unwrap()),
                    &|j, i, c| cell(j, i) * cell(j, i) + c,
                );
                run(&|c| drop(rt.submit(slope(&view, c)).exec([w, h]).unwrap()), &|j, i, _| {
                    cell(j, i) * i as f32 + j as f32
                });
                for j in [0, h / 2, h] {
                    run(
                        &|c| drop(rt.submit(but_one(j, &view, c)).exec([w, h]).unwrap()),
                        &|at, i, c| if at == j { c } else { cell(at, i) - 1.0 },
                    );
                }
                for end in [0, 1, w / 2, w] {
                    run(
                        &|c| drop(rt.submit(up_to(0, end, &view, c)).exec([w, h]).unwrap()),
                        &|j, i, c| if i < end { cell(j, i) + 3.0 * c } else { c },
                    );
                    run(
                        &|c| drop(rt.submit(both_sides(end, &view, c)).exec([w, h]).unwrap()),
                        &|j, i, c| if i < end { cell(j, i) * 2.0 } else { c - cell(j, i) },
                    );
                }
            }
        }
    }
}

#[test]
fn kernels_touch_what_is_theirs() {
    flash_tests::oclgrind::clean(&[
        "structures_and_bool",
        "control_flow_and_scratch",
        "views_of_every_rank",
        "reductions_of_every_operation",
        "atomic_cells",
        "instances",
        "a_value_may_begin_with_a_call",
        "views_are_passed_as_they_are",
        "lines_that_follow_one_another",
    ]);
}
