//! Generics, high ranks, offsets, scratch, raw parameters, atomics, gathers, control flow, panics.

use flash::__private::rt::Space;
use flash::__private::rt::descriptor::Kernel;
use flash::{Atomic, View, ViewMut, math};

use crate::harness::{array, entries, launch, run, value, vector};

#[flash::kernel(T = [f32, f64, i32], N = [1, 3])]
fn taps<T, const N: usize>(a: T, x: &[T], #[out(partial)] y: &mut [T]) {
    let i = global_id(0);
    let mut sum = a;
    for k in 0..N {
        sum += x[i + k];
    }
    y[i] = sum;
}

#[test]
fn instances_of_types_and_constants() {
    let kernels = <taps as Kernel>::DESCRIPTORS;
    let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name).collect();
    let want = [
        "taps<f32, 1>",
        "taps<f32, 3>",
        "taps<f64, 1>",
        "taps<f64, 3>",
        "taps<i32, 1>",
        "taps<i32, 3>",
    ];
    assert_eq!(names, want);
    let signatures: std::collections::HashSet<u64> = kernels.iter().map(|k| k.signature).collect();
    assert_eq!(signatures.len(), 6);
    let x: Vec<f64> = (0..42).map(f64::from).collect();
    let done = run(kernels[3], &[value(0.5_f64), vector(&x), vector(&[0.0_f64; 40])], &[40]);
    let want: Vec<f64> = (0..40).map(|k| 0.5 + f64::from(3 * k + 3)).collect();
    assert_eq!((done.array::<f64>(2), done.violation), (want, None));
    let done = run(kernels[4], &[value(2_i32), vector(&[5_i32; 9]), vector(&[0_i32; 9])], &[9]);
    assert_eq!(done.array::<i32>(2), [7; 9]);
}

#[flash::kernel]
fn five(#[out] y: ViewMut<'_, u64, 4>, x: View<'_, u64, 4>, n: u64) {
    let (d, c, b, a) = (global_id(3), global_id(2), global_id(1), global_id(0));
    y[[d, c, b, a]] = x[[d, c, b, a]] * n + (a + 10 * b + 100 * c + 1000 * d) as u64;
}

#[flash::kernel]
fn eight(#[reduce(+)] s: &mut u64, w: View<'_, u64, 2>) {
    let high = global_id(7) + global_id(6) * 2 + global_id(5) * 4 + global_id(4) * 8;
    *s +=
        (high * (global_id(3) + 1)) as u64 * w[[global_id(2), global_id(0)]] + global_id(1) as u64;
}

#[test]
fn spaces_of_many_dimensions() {
    let shape = [2, 3, 4, 5];
    let x: Vec<u64> = (0..120).map(|k| k * k).collect();
    let args = [array(&[0_u64; 120], &shape), array(&x, &shape), value(3_u64)];
    let done = run(five::DESCRIPTOR, &args, &[5, 4, 3, 2]);
    let want: Vec<u64> = (0..120)
        .map(|k| {
            x[k as usize] * 3 + (k % 5 + 10 * (k / 5 % 4) + 100 * (k / 20 % 3) + 1000 * (k / 60))
        })
        .collect();
    assert_eq!((done.array::<u64>(0), done.violation), (want, None));

    let w: Vec<u64> = (0..12).collect();
    let extents = [4, 2, 3, 2, 2, 2, 2, 2];
    let done =
        run(eight::DESCRIPTOR, &[crate::harness::cell::<u64>(), array(&w, &[3, 4])], &extents);
    let mut want = 0;
    for item in 0..extents.iter().product::<usize>() {
        let mut rest = item;
        let id: Vec<usize> = extents
            .iter()
            .map(|e| {
                let at = rest % e;
                rest /= e;
                at
            })
            .collect();
        let high = id[7] + id[6] * 2 + id[5] * 4 + id[4] * 8;
        want += (high * (id[3] + 1)) as u64 * w[id[2] * 4 + id[0]] + id[1] as u64;
    }
    assert_eq!(done.array::<u64>(0)[0], want);
    assert_eq!(done.violation, None);
}

#[flash::kernel]
fn window(first: usize, half: usize, x: &[i64], #[out(partial)] y: &mut [i64]) {
    let i = global_id(0);
    let at = first + 2 * half;
    y[i + at] = x[i + at - 1] + x.len() as i64;
}

#[test]
fn own_places_may_be_offset() {
    let x: Vec<i64> = (0..30).map(|k| 3 * k).collect();
    let args = [value(4_usize), value(3_usize), vector(&x), vector(&[-1_i64; 30])];
    let done = run(window::DESCRIPTOR, &args, &[15]);
    let mut want = vec![-1; 30];
    for i in 10..25 {
        want[i] = x[i - 1] + 30;
    }
    assert_eq!((done.array::<i64>(3), done.violation), (want, None));
    // The last items own nothing: the first of them is named.
    let done = run(window::DESCRIPTOR, &args, &[25]);
    let violation = done.violation.expect("30 is outside");
    assert_eq!((violation.item, violation.param, violation.index[0]), (20, 3, 30));
}

#[flash::kernel]
fn smooth(n: usize, x: &[f32], #[scratch(n)] t: &mut [f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    t[i] = x[i] * 0.5;
    t[i] += 1.0;
    y[i] = t[i] * t[i];
}

#[test]
fn scratch_is_an_array_of_the_item() {
    let x: Vec<f32> = (0..77).map(|k| k as f32).collect();
    let args = [value(77_usize), vector(&x), vector(&[0.0_f32; 77]), vector(&[0.0_f32; 77])];
    let done = run(smooth::DESCRIPTOR, &args, &[77]);
    let want: Vec<f32> = x.iter().map(|x| (x * 0.5 + 1.0) * (x * 0.5 + 1.0)).collect();
    assert_eq!((done.array::<f32>(3), done.violation), (want, None));
}

#[flash::kernel]
fn scatter(ix: &[u32], x: &[f32], y: &mut [f32], #[out(partial)] z: &mut [f32]) {
    let i = global_id(0);
    unsafe {
        y[ix[i] as usize] += x[i];
    }
    z[i] = x[i] * 2.0;
    unsafe { z[i + x.len()] = z[i] + 1.0 }
}

#[test]
fn unsafe_accesses_are_made_as_written() {
    let n = 50_u32;
    let ix: Vec<u32> = (0..n).map(|k| k * 7 % n).collect();
    let x: Vec<f32> = (0..n).map(|k| k as f32 + 0.25).collect();
    let args = [vector(&ix), vector(&x), vector(&[1.0_f32; 50]), vector(&[0.0_f32; 100])];
    let done = run(scatter::DESCRIPTOR, &args, &[50]);
    let mut want = vec![1.0; 50];
    for (k, &to) in ix.iter().enumerate() {
        want[to as usize] += x[k];
    }
    assert_eq!((done.array::<f32>(2), done.violation), (want, None));
    let z = done.array::<f32>(3);
    assert!((0..50).all(|k| z[k] == x[k] * 2.0 && z[k + 50] == x[k] * 2.0 + 1.0));
}

#[test]
fn unsafe_accesses_are_checked_on_request() {
    let mut ix: Vec<u32> = (0..50).collect();
    (ix[13], ix[31]) = (1000, 77);
    let args =
        [vector(&ix), vector(&[1.0_f32; 50]), vector(&[1.0_f32; 50]), vector(&[0.0_f32; 100])];
    let space = Space::new(&[50]).expect("small");
    for (isa, entry) in entries(scatter::DESCRIPTOR) {
        let done = launch(scatter::DESCRIPTOR, entry, &args, &space, 9, true);
        let violation = done.violation.expect("1000 is outside");
        assert_eq!((violation.item, violation.param, violation.index[0]), (13, 2, 1000), "{isa}");
        let ones = done.array::<f32>(2).iter().filter(|&&v| v == 1.0).count();
        assert_eq!(ones, 2, "{isa}");
    }
}

#[flash::kernel]
fn histogram(x: &[u8], bins: &[Atomic<u32>], sums: &[Atomic<f64>]) {
    let v = x[global_id(0)];
    bins[v as usize].fetch_add(1);
    if v < 4 {
        sums[v as usize].fetch_max(v as f64 * 0.5);
    }
}

#[test]
fn atomics() {
    let x: Vec<u8> = (0..1000).map(|k| (k * k % 251) as u8).collect();
    let args = [vector(&x), vector(&[0_u32; 256]), vector(&[-1.0_f64; 4])];
    let done = run(histogram::DESCRIPTOR, &args, &[1000]);
    let mut want = vec![0; 256];
    for &v in &x {
        want[usize::from(v)] += 1;
    }
    let sums: Vec<f64> =
        (0..4).map(|v| if x.contains(&v) { f64::from(v) * 0.5 } else { -1.0 }).collect();
    assert_eq!((done.array::<u32>(1), done.array::<f64>(2)), (want, sums));
    // Bins that do not exist: named, and nothing else is touched.
    let done = run(
        histogram::DESCRIPTOR,
        &[vector(&x), vector(&[0_u32; 100]), vector(&[0.0_f64; 4])],
        &[1000],
    );
    let first = x.iter().position(|&v| v >= 100).expect("there is one");
    let violation = done.violation.expect("bins past 100");
    assert_eq!((violation.item, violation.param), (first as u64, 1));
}

#[flash::kernel]
fn gather(ix: &[u32], x: &[f32], m: View<'_, f32, 2>, #[out] y: &mut [f32]) {
    let i = global_id(0);
    let at = ix[i] as usize;
    y[i] = x[at] + m[[at % 3, at / 3]];
}

#[test]
fn gathers_are_checked_without_branches() {
    let n = 200;
    let ix: Vec<u32> = (0..n).map(|k| k * 17 % 90).collect();
    let x: Vec<f32> = (0..90).map(|k| k as f32).collect();
    let args = [vector(&ix), vector(&x), array(&x, &[3, 30]), vector(&[0.0_f32; 200])];
    let done = run(gather::DESCRIPTOR, &args, &[200]);
    let want: Vec<f32> = ix.iter().map(|&k| k as f32 + ((k % 3) * 30 + k / 3) as f32).collect();
    assert_eq!((done.array::<f32>(3), done.violation), (want.clone(), None));

    let mut wrong = ix.clone();
    (wrong[150], wrong[170]) = (90, u32::MAX);
    let args = [vector(&wrong), vector(&x), array(&x, &[3, 30]), vector(&[0.0_f32; 200])];
    let done = run(gather::DESCRIPTOR, &args, &[200]);
    let violation = done.violation.expect("90 is outside");
    assert_eq!((violation.item, violation.param, violation.index[0]), (150, 1, 90));
    let y = done.array::<f32>(3);
    assert!((0..200).filter(|k| ![150, 170].contains(k)).all(|k| y[k] == want[k]));
    assert_eq!(y[150], 0.0, "both reads are out of range");
}

#[flash::device]
fn clip(x: f32, limit: f32) -> f32 {
    if x > limit { limit } else { x }
}

const LIMITS: [f32; 3] = [2.0, 4.0, 8.0];

#[flash::kernel]
fn control(x: &[f32], #[out(partial)] y: &mut [f32], limit: f32) {
    let i = global_id(0);
    let v = x[i];
    if v < -40.0 {
        return;
    }
    let mut best = [0.0_f32; 3];
    let mut k = 0;
    loop {
        best[k] = clip(v * LIMITS[k], limit);
        k += 1;
        if k == 3 {
            break;
        }
    }
    let mut sum = 0.0;
    for j in (0..=2).rev() {
        if j == 1 && v > 10.0 {
            continue;
        }
        sum = sum * 0.5 + best[j];
    }
    let mut bits = v.to_bits();
    while bits > 1000 {
        bits /= 2;
    }
    let x = if bits % 2 == 0 { sum } else { -sum };
    y[i] = x + math::sqrt(limit) + f32::from_bits(0x3F80_0000);
}

#[test]
fn control_flow_and_shadowing() {
    let x: Vec<f32> = (0..300).map(|k| (k * 37 % 101) as f32 - 50.0).collect();
    let done =
        run(control::DESCRIPTOR, &[vector(&x), vector(&[9.0_f32; 300]), value(25.0_f32)], &[300]);
    let item = |v: f32| {
        if v < -40.0 {
            return 9.0;
        }
        let best = LIMITS.map(|limit| (v * limit).min(25.0));
        let mut sum = best[2];
        if v <= 10.0 {
            sum = sum * 0.5 + best[1];
        }
        sum = sum * 0.5 + best[0];
        let mut bits = v.to_bits();
        while bits > 1000 {
            bits /= 2;
        }
        (if bits.is_multiple_of(2) { sum } else { -sum }) + 5.0 + 1.0
    };
    let want: Vec<f32> = x.iter().map(|&v| item(v)).collect();
    assert_eq!((done.array::<f32>(1), done.violation), (want, None));
}

#[flash::kernel]
fn divide(x: &[i32], #[out] y: &mut [i32]) {
    let i = global_id(0);
    y[i] = 100 / x[i];
}

#[test]
fn a_panic_ends_its_block_only() {
    let mut x = vec![5_i32; 60];
    x[22] = 0;
    let space = Space::new(&[60]).expect("small");
    for (isa, entry) in entries(divide::DESCRIPTOR) {
        let done = launch(
            divide::DESCRIPTOR,
            entry,
            &[vector(&x), vector(&[0_i32; 60])],
            &space,
            20,
            false,
        );
        let (item, message) = done.panic.clone().expect("division by zero");
        assert_eq!(item, 22, "{isa}");
        assert!(message.contains("divide by zero"), "{message}");
        let y = done.array::<i32>(1);
        assert!(y[..20].iter().chain(&y[40..]).all(|&v| v == 20), "{isa}");
    }
}
