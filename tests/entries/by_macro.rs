//! Kernels that `macro_rules!` writes: names, indices, types and statements come from the macro or
//! from who calls it, and what the expansion names meets itself in all of them.

use flash::{Buffer, Runtime, View, ViewMut, flash_pipeline};

use crate::harness::{array, cell, run, value, vector};

#[flash::device]
fn tripled(x: f32) -> f32 {
    3.0 * x
}

macro_rules! device {
    ($name:ident, $x:ident: $ty:ty, $value:expr) => {
        #[flash::device]
        fn $name($x: $ty) -> $ty {
            let one: $ty = 1.0;
            one + $value
        }
    };
}
device!(raised, x: f32, if x > 0.0 { 2.0 * x } else { x });

/// Indices as expressions.
macro_rules! copies {
    ($($name:ident($x:ident) $i:ident: $to:expr, $from:expr;)*) => {$(
        #[flash::kernel]
        fn $name($x: &[f32], #[out(partial)] y: &mut [f32]) {
            let $i = global_id(0);
            y[$to] = $x[$from];
        }
    )*};
}
copies! {
    same(x) i: i, i;
    by_id(x) i: global_id(0), i;
    turned(x) i: i, x.len() - 1 - i;
    shifted(x) i: i + 2, i % 7;
}

/// An expression with parameters, locals and calls of both sides.
macro_rules! maps {
    ($($name:ident($a:ident, $x:ident, $y:ident) $i:ident $t:ident $op:tt $value:expr;)*) => {$(
        #[flash::kernel]
        fn $name($a: f32, $x: &[f32], $y: &mut [f32]) {
            let $i = global_id(0);
            let mut $t = 0.0_f32;
            for k in 0..3_usize {
                $t += $x[($i + k) % $x.len()];
            }
            if $t > $a {
                $t *= 0.5;
            }
            let beyond = tripled($t) + flash::math::sqrt($t * $t);
            $y[$i] $op beyond + $value;
        }
    )*};
}
maps! {
    plus(a, x, y) i t += a * x[i] + t;
    minus(a, x, y) i t -= { let u = tripled(a); u + raised(t) + x[i].max(a) + flash::math::abs(u) };
    set(a, x, y) i t = y[i] + f32::from_bits(x[i].to_bits()) + (global_id(0) + global_size(0)) as f32;
}

/// Statements, types and lengths.
macro_rules! planes {
    ($name:ident, $ty:ty, $n:literal, |$c:ident, $sum:ident| $($body:tt)*) => {
        #[flash::kernel]
        fn $name(
            a: View<'_, $ty, 2>,
            b: View<'_, $ty, 2>,
            #[out] $c: ViewMut<'_, $ty, 2>,
            #[reduce(+)] $sum: &mut $ty,
        ) {
            let (j, i) = (global_id(1), global_id(0));
            let mut t: $ty = 0.0;
            for k in 0..a.extent(1) {
                t += a[[j, k]] * b[[k, i]];
            }
            $c[[j, i]] = $n * t;
            $($body)*
        }
    };
}
planes!(product, f64, 4.0, |c, sum| *sum += 2.0;);

/// Operators of the macro beside expressions of its caller.
macro_rules! scaled {
    ($($kernel:ident, $device:ident, $task:ident: $a:expr, $b:expr;)*) => {$(
        #[flash::device]
        fn $device(x: f32) -> f32 {
            let y = -$b as f32;
            $a * x + y
        }
        #[flash::kernel]
        fn $kernel(x: &[f32], y: &mut [f32]) {
            let i = global_id(0);
            let t = { $a * x[i] };
            y[i] = t - $b.max(1.0) + $device(x[i]);
        }
        #[flash::host_task]
        fn $task(y: &mut [f32]) -> flash::Result<()> {
            for t in y {
                *t = $a * *t + [1.0 / $b][0];
            }
            Ok(())
        }
    )*};
}
scaled! {
    sums, sums_device, sums_task: 1.0 + 2.0, 3.0 - 4.5;
    choice, choice_device, choice_task: if ONE > 0.0 { ONE + ONE } else { 5.0 }, -8.0;
}
const ONE: f32 = 1.0;

macro_rules! structure {
    ($name:ident $n:expr) => {
        #[derive(Clone, Copy, Debug, flash::Pod)]
        #[repr(C)]
        struct $name {
            v: [f32; 2 * $n],
        }
    };
}
structure!(Four 1 + 1);

#[flash::kernel]
fn fourth(four: Four, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] + four.v[3];
}

/// The macro adds the attribute.
macro_rules! item {
    ($item:item) => {
        #[flash::kernel]
        $item
    };
}
item! {
    fn clipped(low: f32, x: &[f32], y: &mut [f32]) {
        let i = global_id(0);
        let t = x[i];
        if t < low {
            y[i] = low;
        } else {
            y[i] = t;
        }
    }
}

/// Locals of one name where only one is visible, or the last one is meant.
macro_rules! apart {
    ($name:ident($x:ident, $i:ident) $t:ident $value:expr) => {
        #[flash::kernel]
        fn $name($x: &[f32], y: &mut [f32]) {
            let $i = global_id(0);
            let mut u = 0.0;
            for t in 0..3_usize {
                let t = t as f32 + 1.0;
                u += t;
            }
            let $t = $x[$i] + u;
            let $t = 2.0 * $t;
            y[$i] = $value;
        }
    };
}
apart!(doubled(x, i) t t + { let t = t * t; t });

#[test]
fn indices_are_expressions() {
    let n = 70;
    let x: Vec<f32> = (0..n).map(|k| k as f32 + 0.5).collect();
    let done = |kernel, len| {
        let done = run(kernel, &[vector(&x), vector(&vec![0.0_f32; len])], &[n]);
        assert_eq!(done.violation, None);
        done.array::<f32>(1)
    };
    assert_eq!(done(same::DESCRIPTOR, n), x);
    assert_eq!(done(by_id::DESCRIPTOR, n), x);
    assert_eq!(done(turned::DESCRIPTOR, n), x.iter().rev().copied().collect::<Vec<_>>());
    let wanted: Vec<f32> = (0..n + 2).map(|k| if k < 2 { 0.0 } else { x[(k - 2) % 7] }).collect();
    assert_eq!(done(shifted::DESCRIPTOR, n + 2), wanted);
}

#[test]
fn values_are_expressions() {
    let (n, a) = (70, 20.0_f32);
    let x: Vec<f32> = (0..n).map(|k| k as f32 - 8.5).collect();
    let wanted = |value: &dyn Fn(usize, f32, f32) -> f32| -> Vec<f32> {
        let of = |i: usize| {
            let t: f32 = (0..3).map(|k| x[(i + k) % n]).fold(0.0, |sum, x| sum + x);
            let t = if t > a { 0.5 * t } else { t };
            value(i, t, 3.0 * t + (t * t).sqrt())
        };
        (0..n).map(of).collect()
    };
    let done = |kernel| {
        let done = run(kernel, &[value(a), vector(&x), vector(&vec![1.0_f32; n])], &[n]);
        assert_eq!(done.violation, None);
        done.array::<f32>(2)
    };
    assert_eq!(done(plus::DESCRIPTOR), wanted(&|i, t, more| 1.0 + (more + (a * x[i] + t))));
    let raised = |x: f32| if x > 0.0 { 2.0 * x + 1.0 } else { x + 1.0 };
    let less = |i: usize, t, more| {
        let u = 3.0 * a;
        1.0 - (more + (u + raised(t) + x[i].max(a) + u.abs()))
    };
    assert_eq!(done(minus::DESCRIPTOR), wanted(&less));
    let set_to = |i: usize, _, more| more + (1.0 + x[i] + (i + n) as f32);
    assert_eq!(done(set::DESCRIPTOR), wanted(&set_to));
}

#[test]
fn statements_come_from_both_sides() {
    let (rows, inner, columns) = (20, 9, 40);
    let of = |n: usize, m: usize| (0..n).map(|k| ((k * m) % 11) as f64).collect::<Vec<_>>();
    let (a, b) = (of(rows * inner, 7), of(inner * columns, 5));
    let args = [
        array(&a, &[rows, inner]),
        array(&b, &[inner, columns]),
        array(&vec![0.0_f64; rows * columns], &[rows, columns]),
        cell::<f64>(),
    ];
    let done = run(product::DESCRIPTOR, &args, &[columns, rows]);
    let of = |at: usize| {
        let (j, i) = (at / columns, at % columns);
        4.0 * (0..inner).map(|k| a[j * inner + k] * b[k * columns + i]).sum::<f64>()
    };
    let wanted: Vec<f64> = (0..rows * columns).map(of).collect();
    assert_eq!((done.array::<f64>(2), done.violation), (wanted, None));
    assert_eq!(done.array::<f64>(3).iter().sum::<f64>(), 2.0 * (rows * columns) as f64);
}

/// What is left of `y` on the processor and on the simulator, which interprets the IR.
fn on_each(run: impl Fn(&Runtime, &Buffer<f32>, &mut Buffer<f32>)) -> [Vec<f32>; 2] {
    ["ALL_CPU", "SIM"].map(|key| {
        let rt = Runtime::open(key).expect("a runtime");
        let x = Buffer::from((0..40).map(|k| k as f32).collect::<Vec<_>>());
        let mut y = Buffer::from(x.to_vec().expect("elements"));
        run(&rt, &x, &mut y);
        y.to_vec().expect("elements")
    })
}

macro_rules! on_each {
    ($kernel:ident($($value:expr)?)) => {
        on_each(|rt, x, y| {
            rt.submit($kernel($($value,)? x, y)).exec([40]).expect("a launch");
        })
    };
}

fn of_each(value: impl Fn(f32) -> f32) -> [Vec<f32>; 2] {
    let wanted: Vec<f32> = (0..40).map(|k| value(k as f32)).collect();
    [wanted.clone(), wanted]
}

#[test]
fn expressions_keep_together() {
    assert_eq!(on_each!(sums()), of_each(|x| 3.0 * x - 1.0 + (3.0 * x + 1.5)));
    assert_eq!(on_each!(choice()), of_each(|x| 2.0 * x - 1.0 + (2.0 * x + 8.0)));
    assert_eq!(on_each!(fourth(Four { v: [1.0, 2.0, 3.0, 4.0] })), of_each(|x| x + 4.0));
    let tasks = on_each(|rt, _, y| {
        flash_pipeline! { in rt; sums_task(&mut *y); choice_task(y); }.exec().expect("a run");
    });
    assert_eq!(tasks, of_each(|x| 2.0 * (3.0 * x + 1.0 / -1.5) + 1.0 / -8.0));
}

#[test]
fn attributes_come_from_macros() {
    assert_eq!(on_each!(clipped(7.0)), of_each(|x| x.max(7.0)));
}

#[test]
fn locals_of_one_name() {
    let twice = |x: f32| 2.0 * (x + 6.0);
    assert_eq!(on_each!(doubled()), of_each(|x| twice(x) + twice(x) * twice(x)));
}
