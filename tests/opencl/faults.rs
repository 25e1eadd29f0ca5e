//! What items do wrong is the same error on a device as on the CPU, and both go on.

use flash::Error;
use flash::prelude::*;
use flash_tests::opencl;

use crate::{again, in_turn, is_again};

#[flash::kernel]
fn lookup(at: &[u32], table: View<'_, f32, 2>, #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = table[[at[i] as usize, 1]];
}

#[flash::kernel]
fn before(at: &[usize], x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = x[at[i].wrapping_sub(3)];
}

#[flash::kernel]
fn quotient(x: &[i32], z: &[i32], #[out] y: &mut [i32]) {
    let i = global_id(0);
    y[i] = x[i] / z[i];
}

#[flash::kernel]
fn remainder(x: &[u64], z: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = x[i] % z[i];
}

#[flash::kernel]
fn signed_remainder(x: &[i64], z: &[i64], #[out] y: &mut [i64]) {
    let i = global_id(0);
    y[i] = x[i];
    y[i] %= z[i];
}

#[flash::kernel]
fn of_a_row(x: View<'_, u32, 2>, #[out] y: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = 1000 / x[[j, i]];
}

#[flash::kernel]
fn scatter(at: &[u32], x: &[f32], #[out(partial)] y: &mut [f32]) {
    let i = global_id(0);
    unsafe { y[at[i] as usize] = x[i] };
}

/// The end of the first loop wraps.
#[flash::kernel]
fn sum_before(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    let mut s = 0;
    for k in 0..i - 1 {
        if k > 100 {
            break;
        }
        s += x[k];
    }
    y[i] = s;
}

#[flash::kernel]
fn mark_before(y: ViewMut<'_, u32, 2>) {
    let i = global_id(0);
    for k in 0..i - 1 {
        if k > 100 {
            break;
        }
        y[[k, i]] = 1;
    }
}

/// By as much as a number is wide, which is not at all.
#[flash::kernel]
fn pick_shifted(s: u32, x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    let k = i as u32;
    y[i] = x[(k >> s) as usize];
}

/// Of `i32`, where the sign comes back.
#[flash::kernel]
fn pick_literal(s: u32, x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[((3 << s) >> s) as usize];
}

/// The errors of a launch on the CPU and on OpenCL devices, which are the same; after each, the runtime
/// goes on.
#[track_caller]
fn same(launch: impl Fn(&Runtime) -> Error) -> Option<Error> {
    same_as("ALL_CPU", launch)
}

/// Likewise, in place of the CPU on other devices.
#[track_caller]
fn same_as(devices: &str, launch: impl Fn(&Runtime) -> Error) -> Option<Error> {
    let all = [Runtime::open(devices).unwrap(), opencl()?];
    let errors = all.each_ref().map(|rt| {
        let error = launch(rt);
        let (x, z) = (Buffer::from(vec![840; 500]), Buffer::from(vec![-2; 500]));
        let mut y = Buffer::zeros(500);
        rt.submit(quotient(&x, &z, &mut y)).exec([500]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [-420; 500]);
        error
    });
    let [other, opencl] = errors;
    assert_eq!(other.to_string(), opencl.to_string());
    Some(other)
}

#[test]
fn an_index_outside_is_the_first_one() {
    for (n, wrong) in [(4, vec![2]), (1000, vec![999, 17, 500]), (70_000, vec![69_999, 65_536])] {
        let mut at = vec![2_u32; n];
        wrong.iter().for_each(|&item| at[item] = 3 + item as u32);
        let first = *wrong.iter().min().unwrap();
        let error = same(|rt| {
            let table = Buffer::from_shape([3, 2], vec![0.5_f32; 6]).unwrap();
            let mut y = Buffer::zeros(n);
            rt.submit(lookup(&Buffer::from(at.clone()), &table, &mut y)).exec([n]).unwrap_err()
        });
        let Some(error) = error else { return };
        let Error::OutOfBounds { kernel: "lookup", item, param: "table", index, shape, .. } =
            &error
        else {
            panic!("{error:?}")
        };
        assert_eq!((&item[..], &index[..]), (&[first][..], &[3 + first, 1][..]));
        assert_eq!(shape[..], [3, 2]);
    }
}

#[test]
fn an_index_below_zero_is_one_outside() {
    let error = same(|rt| {
        let (at, x) = (Buffer::from(vec![3_usize, 4, 1, 5, 0]), Buffer::<u64>::zeros(5));
        let mut y = Buffer::zeros(5);
        rt.submit(before(&at, &x, &mut y)).exec([5]).unwrap_err()
    });
    let Some(error) = error else { return };
    assert!(error.to_string().contains("item [2] "), "{error}");
}

/// The processor of a build that is not optimised panics where a number wraps; interpreted, it goes on.
#[test]
fn indices_of_what_wraps_are_compared() {
    let outside = |error: Option<Error>, first: &[usize], of: &[usize]| {
        let Some(error) = error else { return };
        let Error::OutOfBounds { item, index, .. } = &error else { panic!("{error:?}") };
        assert_eq!((&item[..], &index[..]), (first, of));
    };
    let error = same_as("SIM", |rt| {
        let (x, mut y) = (Buffer::from(vec![1_u32; 8]), Buffer::zeros(8));
        rt.submit(sum_before(&x, &mut y)).exec([8]).unwrap_err()
    });
    outside(error, &[0], &[8]);
    let error = same_as("SIM", |rt| {
        let mut y = Buffer::<u32, 2>::zeros([8, 8]);
        rt.submit(mark_before(&mut y)).exec([8]).unwrap_err()
    });
    outside(error, &[0], &[8, 0]);
    let error = same_as("SIM", |rt| {
        let (x, mut y) = (Buffer::from(vec![1.0_f32]), Buffer::zeros(1000));
        rt.submit(pick_shifted(32, &x, &mut y)).exec([1000]).unwrap_err()
    });
    outside(error, &[1], &[1]);
    let error = same(|rt| {
        let (x, mut y) = (Buffer::from(vec![1.0_f32; 9]), Buffer::zeros(9));
        rt.submit(pick_literal(31, &x, &mut y)).exec([9]).unwrap_err()
    });
    outside(error, &[0], &[usize::MAX]);
}

#[test]
fn a_division_by_zero_names_its_item() {
    let error = same(|rt| {
        let mut z = vec![1_i32; 300];
        (z[299], z[123]) = (0, 0);
        let x = Buffer::from(vec![7_i32; 300]);
        let mut y = Buffer::zeros(300);
        rt.submit(quotient(&x, &Buffer::from(z), &mut y)).exec([300]).unwrap_err()
    });
    let Some(error) = error else { return };
    let Error::KernelPanic { kernel: "quotient", item, message, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((&item[..], &**message), (&[123][..], "attempt to divide by zero"));

    let least = same(|rt| {
        let (x, z) = (Buffer::from(vec![1, i32::MIN, 3]), Buffer::from(vec![-1_i32; 3]));
        let mut y = Buffer::zeros(3);
        rt.submit(quotient(&x, &z, &mut y)).exec([3]).unwrap_err()
    });
    let text = least.unwrap().to_string();
    assert!(text.ends_with("panicked at item [1]: attempt to divide with overflow"), "{text}");

    let rest = same(|rt| {
        let (x, z) = (Buffer::from(vec![5_i64, i64::MIN]), Buffer::from(vec![2_i64, -1]));
        let mut y = Buffer::zeros(2);
        rt.submit(signed_remainder(&x, &z, &mut y)).exec([2]).unwrap_err()
    });
    let text = rest.unwrap().to_string();
    assert!(text.ends_with("attempt to calculate the remainder with overflow"), "{text}");

    let rest = same(|rt| {
        let (x, z) = (Buffer::from(vec![1_u64, 2, 3]), Buffer::from(vec![5_u64, 6, 0]));
        let mut y = Buffer::zeros(3);
        rt.submit(remainder(&x, &z, &mut y)).exec([3]).unwrap_err()
    });
    let text = rest.unwrap().to_string();
    assert!(text.contains("item [2]: attempt to calculate the remainder"), "{text}");

    let plane = same(|rt| {
        let x = Buffer::<u32, 2>::filled([40, 50], 7);
        x.set([31, 20], 0).unwrap();
        x.set([12, 49], 0).unwrap();
        let mut y = Buffer::zeros([40, 50]);
        rt.submit(of_a_row(&x, &mut y)).exec([50, 40]).unwrap_err()
    });
    let text = plane.unwrap().to_string();
    assert!(text.contains("panicked at item [49, 12]: "), "{text}");
}

/// What items do wrong is no fault of the device, so nobody else tries it.
#[test]
fn a_wrong_item_is_an_error_and_no_reason_to_run_elsewhere() {
    if opencl().is_none() {
        return;
    }
    let rt = in_turn();
    let n = rt.devices().len();
    for device in 0..n {
        let (at, table) = (Buffer::from(vec![0_u32, 9]), Buffer::<f32, 2>::zeros([3, 2]));
        let (mut y, mut z) = (Buffer::from(vec![5.0_f32; 2]), Buffer::from(vec![5.0_f32; 2]));
        let mut p = rt.pipeline();
        p.push(lookup(&at, &table, &mut y).pin(device).over([1]));
        p.push(lookup(&at, &table, &mut z).pin(device).over([2]));
        p.push(lookup(&at, &table, &mut y).pin(device).over([2]));
        let error = p.exec().unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { kernel: "lookup", .. }), "{error}");
        drop(p);
        let good = Buffer::from(vec![0_u32, 2]);
        rt.submit(lookup(&good, &table, &mut y).pin(device)).exec([2]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [0.0; 2]);
    }
}

#[test]
fn accesses_in_unsafe_are_checked_on_demand() {
    if opencl().is_none() {
        return;
    }
    if !is_again() {
        return again(
            "faults::accesses_in_unsafe_are_checked_on_demand",
            &[("FLASH_CHECK", "all")],
            None,
        );
    }
    let error = same(|rt| {
        let mut at: Vec<u32> = (0..200).rev().collect();
        (at[30], at[150]) = (200, 1 << 31);
        let (at, x) = (Buffer::from(at), Buffer::from(vec![1.0_f32; 200]));
        let mut y = Buffer::zeros(200);
        rt.submit(scatter(&at, &x, &mut y)).exec([200]).unwrap_err()
    });
    let error = error.unwrap();
    let Error::OutOfBounds { kernel: "scatter", item, param: "y", index, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((&item[..], &index[..]), (&[30][..], &[200][..]));
}
