//! What a safe program may try, on the CPU and on a device with its own memory: each ends with the
//! right result or a typed error, and the runtime goes on after it.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test says where it is and fails by unwrapping"
)]

use std::sync::mpsc;
use std::time::Duration;

use flash::Error;
use flash::prelude::*;

/// Enough items for several blocks.
const MANY: u32 = if cfg!(miri) { 1_000 } else { 100_000 };

#[flash::kernel(inputs = 1)]
fn copy(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i];
}

#[flash::kernel(inputs = 2)]
fn add(k: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = y[i] + x[i] + k;
}

#[flash::kernel]
fn double(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 2 * y[i];
}

#[flash::kernel]
fn copy_matrix(x: View<'_, u32, 2>, y: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = x[[j, i]];
}

/// Of rank 2, though dimension 0 stands nowhere.
#[flash::kernel]
fn first_of_rows(x: View<'_, u32, 2>, y: &mut [u32]) {
    let j = global_id(1);
    y[j] = y[j] + x[[j, 0]];
}

#[flash::kernel(inputs = 1)]
fn divide(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 1000 / x[i];
}

#[flash::kernel(inputs = 2)]
fn scatter(to: &[u32], x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: the callers pass a permutation of the index space.
    unsafe {
        y[to[i] as usize] = x[i];
    }
}

#[flash::kernel(inputs = 2)]
fn gather(from: &[u32], x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[from[i] as usize];
}

#[flash::kernel(inputs = 1)]
fn even_only(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    if x[i] % 2 == 0 {
        y[i] = x[i];
    }
}

#[flash::kernel]
fn total(x: &[u32], #[reduce(+)] sum: &mut u32) {
    *sum += x[global_id(0)];
}

/// Runs a program on both devices.
fn on_both(program: impl Fn(&Runtime)) {
    for key in ["ALL_CPU", "SIM"] {
        println!("on {key}");
        program(&Runtime::open(key).unwrap());
    }
}

fn numbers(n: u32) -> Vec<u32> {
    (1..=n).collect()
}

/// The runtime still computes, after whatever went wrong.
#[track_caller]
fn assert_works(rt: &Runtime) {
    let x = Buffer::from(numbers(1000));
    let mut y = Buffer::zeros(1000);
    rt.submit(copy(&x, &mut y)).exec([1000]).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers(1000));
}

#[test]
fn a_clone_is_the_same_array() {
    on_both(|rt| {
        let x = Buffer::from(numbers(100));
        let mut clone = x.clone();
        let error = rt.submit(add(0, &x, &mut clone)).exec([100]).unwrap_err();
        assert!(
            matches!(error, Error::Aliased { kernel: "add", written: "y", other: "x", .. }),
            "{error:?}"
        );
        assert_eq!(x.to_vec().unwrap(), numbers(100), "nothing ran");
        assert_works(rt);
    });
}

#[test]
fn a_reduction_into_what_it_reads() {
    on_both(|rt| {
        let x = Buffer::from(numbers(1));
        let mut sum = x.clone();
        let error = rt.submit(total(&x, &mut sum)).exec([1]).unwrap_err();
        assert!(matches!(error, Error::Aliased { written: "sum", .. }), "{error:?}");
    });
}

#[test]
fn views_that_overlap_and_views_that_do_not() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(100));
        let left = x.view(0..50);
        let mut over = x.view_mut(49..99);
        let error = rt.submit(copy(&left, &mut over)).exec([50]).unwrap_err();
        assert!(matches!(error, Error::Aliased { .. }), "{error:?}");

        let mut right = x.view_mut(50..100);
        rt.submit(copy(&left, &mut right)).exec([50]).unwrap();
        let expected: Vec<u32> = numbers(50).into_iter().chain(numbers(50)).collect();
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}

#[test]
fn halves_of_a_matrix_side_by_side() {
    on_both(|rt| {
        // Their addresses interleave, and yet no element is in both.
        let mut m = Buffer::from_shape([6, 8], numbers(48)).unwrap();
        let left = m.view((0..6, 0..4));
        let mut right = m.view_mut((0..6, 4..8));
        rt.submit(copy_matrix(&left, &mut right)).exec([4, 6]).unwrap();
        for (k, value) in m.to_vec().unwrap().into_iter().enumerate() {
            assert_eq!(value as usize, k / 8 * 8 + k % 4 + 1);
        }
        let mut over = m.view_mut((0..6, 3..7));
        let error = rt.submit(copy_matrix(&left, &mut over)).exec([4, 6]).unwrap_err();
        assert!(matches!(error, Error::Aliased { .. }), "{error:?}");
    });
}

#[test]
fn halves_of_one_split() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let (low, mut high) = x.split_at_mut(5).unwrap();
        rt.submit(add(100, &low, &mut high)).exec([5]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4, 5, 107, 109, 111, 113, 115]);
    });
}

#[test]
fn a_guard_that_is_forgotten_stays() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let other = Buffer::from(numbers(10));
        std::mem::forget(x.write(3..5).unwrap());
        let error = rt.submit(double(&mut x)).exec([10]).unwrap_err();
        assert!(
            matches!(error, Error::HostBorrowed { kernel: "double", param: "y", .. }),
            "{error:?}"
        );
        let mut y = Buffer::zeros(10);
        rt.submit(copy(&other, &mut y)).exec([10]).unwrap();
        assert_eq!(y.to_vec().unwrap(), numbers(10));
        assert_works(rt);
    });
}

#[test]
fn a_reading_guard_allows_readers_only() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let mut y = Buffer::zeros(10);
        let guard = x.read(..).unwrap();
        rt.submit(copy(&x, &mut y)).exec([10]).unwrap();
        let error = rt.submit(double(&mut x)).exec([10]).unwrap_err();
        assert!(matches!(error, Error::HostBorrowed { .. }), "{error:?}");
        assert_eq!(*guard, numbers(10));
        drop(guard);
        rt.submit(double(&mut x)).exec([10]).unwrap();
        assert_eq!(x.get(9).unwrap(), 20);
        assert_eq!(y.to_vec().unwrap(), numbers(10));
    });
}

#[test]
fn a_guard_of_another_thread_is_waited_for() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let (held, is_held) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let buffer = x.clone();
            scope.spawn(move || {
                let mut guard = buffer.write(..).unwrap();
                held.send(()).unwrap();
                released.recv().unwrap();
                guard.fill(7);
            });
            is_held.recv().unwrap();
            let (done, is_done) = mpsc::channel();
            let (rt, mut y) = (rt.clone(), x.clone());
            scope.spawn(move || {
                done.send(rt.submit(double(&mut y)).exec([10]).map(drop)).unwrap();
            });
            let early = is_done.recv_timeout(Duration::from_millis(30));
            assert!(early.is_err(), "it ran beside the guard");
            release.send(()).unwrap();
            is_done.recv().unwrap().unwrap();
        });
        rt.submit(double(&mut x)).exec([10]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [28; 10]);
    });
}

#[test]
fn reading_waits_for_the_last_writer_and_not_for_the_run() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let mut x = Buffer::from(numbers(10));
    let y = Buffer::from(numbers(10));
    let (release, released) = mpsc::channel::<()>();
    let mut pipeline = rt.pipeline();
    pipeline.push(double(&mut x).over([10]));
    pipeline.push(double(&mut x).over([10]));
    pipeline.push(Task::new("wait", (&y,), move |(_y,)| {
        released.recv()?;
        Ok(())
    }));
    let handle = pipeline.launch();
    let (seen, is_seen) = mpsc::channel();
    let reader = std::thread::spawn(move || seen.send(x.read(2..4).unwrap().to_vec()));
    assert_eq!(is_seen.recv_timeout(Duration::from_secs(60)).unwrap(), [12, 16]);
    release.send(()).unwrap();
    handle.wait().unwrap();
    reader.join().unwrap().unwrap();
}

#[test]
fn a_launch_in_a_scope_is_joined() {
    on_both(|rt| {
        let mut values = numbers(1000);
        let mut bound = Bound::new(&mut values);
        let mut pipeline = rt.pipeline();
        for _ in 0..10 {
            pipeline.push(double(&mut bound).over([1000]));
        }
        rt.scope(|scope| {
            scope.launch(&mut pipeline);
        })
        .unwrap();
        drop(pipeline);
        drop(bound);
        assert!(values.iter().zip(1..).all(|(&value, k)| value == 1024 * k));
    });
}

#[test]
fn a_scope_joins_when_it_unwinds() {
    on_both(|rt| {
        let mut values = numbers(1000);
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut bound = Bound::new(&mut values);
            let mut pipeline = rt.pipeline();
            for _ in 0..10 {
                pipeline.push(double(&mut bound).over([1000]));
            }
            let _ = rt.scope(|scope| {
                scope.launch(&mut pipeline);
                panic!("on purpose");
            });
        }));
        assert!(unwound.is_err());
        // Nobody touches the values any more: either none or all of the stages have run by now.
        let now = values.clone();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(values, now);
        assert_works(rt);
    });
}

#[test]
fn a_handle_that_is_forgotten_runs_on() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(1000));
        let mut pipeline = rt.pipeline();
        for _ in 0..5 {
            pipeline.push(double(&mut x).over([1000]));
        }
        std::mem::forget(pipeline.launch());
        let mut other = rt.pipeline();
        other.push(double(&mut x).over([1000]));
        drop(other.launch());
        // Reading waits for whatever was launched before, or runs first; nothing is torn.
        let seen = x.to_vec().unwrap();
        let factor = seen[0];
        assert!(factor.is_power_of_two() && factor <= 64, "{factor}");
        assert!(seen.iter().zip(1..).all(|(&value, k)| value == factor * k));
    });
}

#[test]
fn a_dimension_that_repeats_an_index() {
    on_both(|rt| {
        let x = Buffer::from_shape([3, 4], numbers(12)).unwrap();
        let mut y = Buffer::zeros(3);
        let error = rt.submit(first_of_rows(&x, &mut y)).exec([4, 3]).unwrap_err();
        assert!(
            matches!(
                error,
                Error::Racy { kernel: "first_of_rows", param: "y", dim: 0, extent: 4, .. }
            ),
            "{error:?}"
        );
        assert_eq!(y.to_vec().unwrap(), [0; 3], "nothing ran");
        rt.submit(first_of_rows(&x, &mut y)).exec([1, 3]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [1, 5, 9]);
    });
}

#[test]
fn an_item_that_panics_beside_others() {
    on_both(|rt| {
        let mut values = numbers(MANY);
        values[MANY as usize * 7 / 9] = 0;
        let x = Buffer::from(values);
        let mut y = Buffer::zeros(MANY as usize);
        let error = rt.submit(divide(&x, &mut y)).exec([MANY as usize]).unwrap_err();
        let Error::KernelPanic { kernel: "divide", message, .. } = &error else {
            panic!("{error:?}")
        };
        assert!(message.contains("divide by zero"), "{message}");
        for value in y.to_vec().unwrap() {
            assert!(value <= 1000);
        }
        assert_works(rt);
    });
}

#[test]
fn an_unsafe_scatter_by_a_permutation() {
    on_both(|rt| {
        let n = MANY / 10;
        let to = Buffer::from((0..n).map(|i| i * 7919 % n).collect::<Vec<_>>());
        let x = Buffer::from(numbers(n));
        let mut y = Buffer::zeros(n as usize);
        rt.submit(scatter(&to, &x, &mut y)).exec([n as usize]).unwrap();
        let y = y.to_vec().unwrap();
        assert!((0..n).all(|i| y[(i * 7919 % n) as usize] == i + 1));
    });
}

#[test]
fn an_unsafe_access_is_checked_on_request() {
    for key in ["ALL_CPU", "SIM"] {
        let rt = Runtime::builder().devices(key).check_all(true).build().unwrap();
        let to = Buffer::from(vec![0, 1, 99, 3]);
        let x = Buffer::from(numbers(4));
        let mut y = Buffer::zeros(4);
        let error = rt.submit(scatter(&to, &x, &mut y)).exec([4]).unwrap_err();
        let Error::OutOfBounds { param: "y", item, index, shape, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!((&item[..], &index[..], &shape[..]), (&[2][..], &[99][..], &[4][..]));
        assert_eq!(y.to_vec().unwrap(), [1, 2, 0, 4]);
    }
}

#[test]
fn an_index_outside_reads_zero_and_is_named() {
    on_both(|rt| {
        let from = Buffer::from(vec![3, 4_000_000_000, 0, 17]);
        let x = Buffer::from(numbers(4));
        let mut y = Buffer::from(vec![9; 4]);
        let error = rt.submit(gather(&from, &x, &mut y)).exec([4]).unwrap_err();
        let Error::OutOfBounds { kernel: "gather", param: "x", item, index, shape, .. } = &error
        else {
            panic!("{error:?}")
        };
        assert_eq!((&item[..], &index[..], &shape[..]), (&[1][..], &[4_000_000_000][..], &[4][..]));
        assert_eq!(y.to_vec().unwrap(), [4, 0, 1, 0]);
        assert_works(rt);
    });
}

#[test]
fn more_items_than_elements_write_nothing_outside() {
    on_both(|rt| {
        let x = Buffer::from(numbers(10));
        let mut y = Buffer::from(vec![0; 20]);
        let mut part = y.view_mut(5..13);
        let error = rt.submit(copy(&x, &mut part)).exec([10]).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { param: "y", .. }), "{error:?}");
        let found = y.to_vec().unwrap();
        assert_eq!(found[5..13], numbers(8));
        assert!(found[..5].iter().chain(&found[13..]).all(|&value| value == 0));
    });
}

#[test]
fn an_out_parameter_that_is_not_covered_keeps_what_was_there() {
    on_both(|rt| {
        let x = Buffer::from(numbers(10));
        let mut y = Buffer::from(vec![77; 10]);
        rt.submit(copy(&x, &mut y)).exec([6]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [1, 2, 3, 4, 5, 6, 77, 77, 77, 77]);

        let mut y = Buffer::from(vec![77; 10]);
        rt.submit(even_only(&x, &mut y)).exec([10]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [77, 2, 77, 4, 77, 6, 77, 8, 77, 10]);

        let mut fresh = Buffer::zeros(10);
        rt.submit(copy(&x, &mut fresh)).exec([3]).unwrap();
        assert_eq!(fresh.to_vec().unwrap(), [1, 2, 3, 0, 0, 0, 0, 0, 0, 0]);
    });
}

#[test]
fn no_items_touch_nothing() {
    on_both(|rt| {
        let x = Buffer::from(numbers(10));
        let mut y = Buffer::from(vec![77; 10]);
        rt.submit(copy(&x, &mut y)).exec([0]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [77; 10]);
        let mut sum = Var::new(5);
        rt.submit(total(&x, &mut sum)).exec([0]).unwrap();
        assert_eq!(sum.get().unwrap(), 0, "a reduction of nothing is its identity");
    });
}

#[test]
fn an_index_space_that_does_not_fit() {
    on_both(|rt| {
        let x = Buffer::from_shape([2, 2], numbers(4)).unwrap();
        let mut y = Buffer::zeros([2, 2]);
        let error = rt.submit(copy_matrix(&x, &mut y)).exec([usize::MAX, 2]).unwrap_err();
        assert!(matches!(error, Error::TooLarge { what: "index space", .. }), "{error:?}");
    });
}

#[test]
fn an_odd_number_of_swaps() {
    on_both(|rt| {
        for n in [0_u32, 1, 2, 7] {
            let a = Buffer::from(numbers(10));
            let b = Buffer::from(vec![0; 10]);
            let (other_a, other_b) = (a.clone(), b.clone());
            flash_pipeline! { in rt;
                for _k in 0..n {
                    swap(a, b);
                }
            }
            .exec()
            .unwrap();
            let (ones, zeros) = if n % 2 == 0 { (&a, &b) } else { (&b, &a) };
            assert_eq!(ones.to_vec().unwrap(), numbers(10), "{n} swaps");
            assert_eq!(zeros.to_vec().unwrap(), [0; 10], "{n} swaps");
            // Every handle sees it.
            assert_eq!(other_a.to_vec().unwrap(), a.to_vec().unwrap());
            assert_eq!(other_b.to_vec().unwrap(), b.to_vec().unwrap());
        }
    });
}

#[test]
fn swaps_between_kernels_and_views_of_both() {
    on_both(|rt| {
        let mut a = Buffer::from(numbers(8));
        let mut b = Buffer::from(vec![100; 8]);
        let mut front = a.view_mut(0..4);
        let n = 3_u32;
        flash_pipeline! { in rt;
            for _k in 0..n {
                double(&mut a)[8];
                double(&mut front)[4];
                swap(a, b);
            }
            add(1, &a, &mut b)[8];
        }
        .exec()
        .unwrap();
        let (mut x, mut y): (Vec<u32>, Vec<u32>) = (numbers(8), vec![100; 8]);
        for _ in 0..n {
            x.iter_mut().for_each(|value| *value *= 2);
            x[..4].iter_mut().for_each(|value| *value *= 2);
            std::mem::swap(&mut x, &mut y);
        }
        y.iter_mut().zip(&x).for_each(|(y, x)| *y += x + 1);
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (x, y));
    });
}

#[test]
fn a_buffer_of_the_running_pipeline_inside_a_host_task() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let inside = x.clone();
        let mut pipeline = rt.pipeline();
        pipeline.push(double(&mut x).over([10]));
        pipeline.push(Task::new("peek", (&x,), move |(view,)| {
            assert_eq!(view[[9]], 20);
            inside.to_vec()?;
            Ok(())
        }));
        let error = pipeline.exec().unwrap_err();
        let Error::HostTask { task: "peek", source, .. } = &error else { panic!("{error:?}") };
        assert!(
            matches!(source.downcast_ref(), Some(Error::Reentrant { .. })),
            "{error:?}: {source:?}"
        );
        assert_works(rt);
    });
}

#[test]
fn a_host_task_that_panics() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let mut pipeline = rt.pipeline();
        pipeline.push(double(&mut x).over([10]));
        pipeline.push(Task::new("bad", (&x,), |(_x,)| -> () { panic!("no luck") }));
        pipeline.push(double(&mut x).over([10]));
        let error = pipeline.exec().unwrap_err();
        let Error::HostTaskPanic { task: "bad", message, .. } = &error else { panic!("{error:?}") };
        assert_eq!(&**message, "no luck");
        assert_eq!(x.get(0).unwrap(), 2, "what came after was cancelled");
        assert_works(rt);
    });
}

#[test]
fn an_unknown_device_lists_those_that_exist() {
    let error = Runtime::open("NVIDIA_GPU").unwrap_err();
    let Error::NoDevice { asked, existing } = &error else { panic!("{error:?}") };
    assert_eq!(asked, "NVIDIA_GPU");
    assert!(existing.contains("ALL_CPU") && existing.contains("SIM"), "{existing}");
}

#[test]
fn many_threads_use_one_runtime() {
    on_both(|rt| {
        std::thread::scope(|scope| {
            for seed in 0..8 {
                scope.spawn(move || {
                    let x = Buffer::from(vec![seed; 1000]);
                    let mut y = Buffer::zeros(1000);
                    for k in 0..20 {
                        rt.submit(add(k, &x, &mut y)).exec([1000]).unwrap();
                    }
                    assert_eq!(y.to_vec().unwrap(), vec![20 * seed + 190; 1000]);
                });
            }
        });
    });
}

#[test]
fn many_threads_write_one_buffer() {
    on_both(|rt| {
        let x = Buffer::from(vec![1; 100]);
        let y = Buffer::zeros(100);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let (x, mut y) = (x.clone(), y.clone());
                scope.spawn(move || {
                    for _ in 0..25 {
                        rt.submit(add(0, &x, &mut y)).exec([100]).unwrap();
                    }
                });
            }
        });
        assert_eq!(y.to_vec().unwrap(), [200; 100], "no increment was lost");
    });
}
