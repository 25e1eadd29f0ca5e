//! Limits of a device, as its driver says them: what is chosen keeps to them, and what is asked for beyond
//! them is no code for the device.

use flash::Error;
use flash::prelude::*;
use flash_ocl::calls;
use flash_tests::{oclgrind, opencl};
use opencl_sys as sys;

use crate::{AS_IT_IS, again, alone, in_turn, is_again, wrap};

#[path = "../shared/items.rs"]
mod items;

use items::{all_items_run_once, numbered};

#[flash::kernel(unsafe(opencl(
    file = "opencl/kernels/limits.cl",
    entry = "along",
    block(1, 1, 8)
)))]
fn declared(#[out] x: ViewMut<'_, u32, 3>) {
    let (i, j, k) = (global_id(0), global_id(1), global_id(2));
    x[[k, j, i]] = 1;
}

#[flash::kernel(rank = 3, unsafe(opencl(file = "opencl/kernels/limits.cl")))]
fn along(#[out] x: ViewMut<'_, u32, 3>);

#[flash::kernel(rank = 3, unsafe(opencl(file = "opencl/kernels/limits.cl")))]
fn along_filled(#[out] x: ViewMut<'_, u32, 3>);

#[flash::kernel]
fn raised(x: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    x[[j, i]] += 1;
}

/// Along each dimension a work-group has no more items than these.
fn with_short_groups() -> Runtime {
    wrap();
    let most = [64_usize, 128, 4].map(usize::to_ne_bytes).concat();
    calls::say(sys::CL_DEVICE_MAX_WORK_ITEM_SIZES, &most);
    opencl().unwrap()
}

#[test]
fn groups_are_no_longer_than_a_device_takes() {
    if !is_again() {
        if opencl().is_some() {
            again("limits::groups_are_no_longer_than_a_device_takes", &[], None);
        }
        return;
    }
    let rt = with_short_groups();
    let device = rt.devices()[0].name();
    let mut x = Buffer::<u32, 3>::zeros([8, 3, 2]);
    let words =
        "work-groups of [1, 1, 8] have 8 items in dimension 2, and this device takes 4 there";
    let error = rt.submit(declared(&mut x)).exec([2, 3, 8]).unwrap_err();
    let is_it = |error: &Error, name: &str| {
        matches!(error, Error::NoImplementation { kernel, device: on, .. }
            if *kernel == name && on == device)
    };
    assert!(is_it(&error, "declared") && error.to_string().contains(words), "{error:?}");
    let error = rt.submit(along(&mut x).block([1, 1, 8])).exec([2, 3, 8]).unwrap_err();
    let words_of_call = "8 items of a work-group are asked for in dimension 2, and it takes 4";
    assert!(is_it(&error, "along") && error.to_string().contains(words_of_call), "{error:?}");
    let error = rt.submit(numbered(&mut x).block([1, 1, 8])).exec([2, 3, 8]).unwrap_err();
    assert!(is_it(&error, "numbered") && error.to_string().contains(words_of_call), "{error:?}");
    rt.submit(along(&mut x).block([1, 3, 4])).exec([2, 3, 8]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [4; 48]);

    // With the CPU beside it all is done.
    let both = in_turn();
    let mut p = both.pipeline();
    for _ in 0..both.devices().len() {
        p.push(declared(&mut x).over([2, 3, 8]));
    }
    let report = p.exec().unwrap();
    drop(p);
    let [fallback, ..] = report.fallbacks() else { panic!("{report}") };
    assert!(fallback.error.to_string().contains(words), "{}", fallback.error);
    assert_eq!(x.to_vec().unwrap(), [1; 48]);
}

#[test]
fn groups_that_are_chosen_are_no_longer_than_a_device_takes() {
    if !is_again() {
        if opencl().is_some() {
            again("limits::groups_that_are_chosen_are_no_longer_than_a_device_takes", &[], None);
        }
        return;
    }
    let rt = with_short_groups();
    let mut x = Buffer::<u32, 3>::zeros([64, 1, 1]);
    rt.submit(along_filled(&mut x)).exec([1, 1, 64]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [4; 64]);
    let rows = if oclgrind::is_under() { 3 } else { 300 };
    for space in [[1, 1, 1000], [3, 5, 70], [500, rows, 2]] {
        all_items_run_once(&rt, space);
    }
    // In groups of [64, 4] there are two rows of items too many, which do nothing to what is there.
    let mut x = Buffer::<u32, 2>::zeros([8, 256]);
    rt.submit(raised(&mut x)).exec([256, 8]).unwrap();
    rt.submit(raised(x.view_mut((0..6, 0..256)))).exec([256, 6]).unwrap();
    let found = x.to_vec().unwrap();
    assert!(found[..1536].iter().all(|x| *x == 2) && found[1536..].iter().all(|x| *x == 1));
}

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
struct Weights {
    of: [f32; 400],
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/limits.cl")))]
fn weighed(by: Weights, x: &mut [f32]) {
    let i = global_id(0);
    x[i] *= by.of[i];
}

#[flash::kernel]
fn weighed_as_a_body(by: Weights, x: &mut [f32]) {
    let i = global_id(0);
    x[i] *= by.of[i];
}

#[flash::kernel]
fn total(x: &[u32], #[reduce(+)] sum: &mut u32) {
    *sum += x[global_id(0)];
}

/// Each block of a reduction is a work-group.
#[test]
fn reductions_take_work_groups_that_a_device_has() {
    if !alone("limits::reductions_take_work_groups_that_a_device_has", AS_IT_IS) {
        return;
    }
    calls::say(sys::CL_DEVICE_MAX_WORK_GROUP_SIZE, &16_usize.to_ne_bytes());
    let rt = opencl().unwrap();
    let device = rt.devices()[0].name().to_owned();
    let x = Buffer::from((0..10_000).collect::<Vec<u32>>());
    let mut sum = Var::new(0_u32);
    let error = rt.submit(total(&x, &mut sum)).exec([10_000]).unwrap_err();
    let words = format!("a reduction takes work-groups of 32 items, and `{device}` takes 16");
    let is_it = matches!(&error, Error::NoImplementation { kernel, .. } if *kernel == "total");
    assert!(is_it && error.to_string().contains(&words), "{error:?}");
    // What does not reduce runs there, and with the CPU beside it all does.
    let mut y = Buffer::<u32, 2>::zeros([8, 8]);
    rt.submit(raised(&mut y)).exec([8, 8]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1; 64]);
    let report = in_turn().submit(total(&x, &mut sum)).exec([10_000]).unwrap();
    assert_eq!(report.value(&sum).unwrap(), 49_995_000);
}

#[flash::kernel(unsafe(opencl(
    file = "opencl/kernels/limits.cl",
    entry = "along",
    block(4, 2, 1)
)))]
fn eight(#[out] x: ViewMut<'_, u32, 3>) {
    let (i, j, k) = (global_id(0), global_id(1), global_id(2));
    x[[k, j, i]] = 1;
}

/// A kernel may take smaller work-groups than its device, as it needs so many registers: then it gets
/// them, and what needs larger ones is no code for the device.
#[test]
fn work_groups_are_no_larger_than_a_kernel_takes() {
    if !alone("limits::work_groups_are_no_larger_than_a_kernel_takes", AS_IT_IS) {
        return;
    }
    for most in [1_usize, 7, 8, 24, 31, 32] {
        calls::say(sys::CL_KERNEL_WORK_GROUP_SIZE, &most.to_ne_bytes());
        let rt = opencl().unwrap();
        let device = rt.devices()[0].name().to_owned();
        let both = in_turn();
        let n = both.devices().len();
        let is_it = |error: &Error, name: &str| {
            matches!(error, Error::NoImplementation { kernel, device: on, .. }
                if *kernel == name && *on == device)
        };

        for space in [[1000, 1, 1], [3, 50, 7], [30, 30, 2]] {
            all_items_run_once(&rt, space);
        }

        // Native code has no more either, where nobody says how many.
        let mut x = Buffer::<u32, 3>::zeros([64, 1, 1]);
        rt.submit(along_filled(&mut x)).exec([1, 1, 64]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [1 << most.ilog2(); 64], "{most} at most");
        rt.submit(along(&mut x)).exec([1, 1, 64]).unwrap();

        let mut x = Buffer::<u32, 3>::zeros([2, 2, 8]);
        let words = format!(
            "work-groups of [4, 2, 1] are 8 items, and `along` takes {most} on this device"
        );
        match rt.submit(eight(&mut x)).exec([8, 2, 2]) {
            Ok(_) => assert!(most >= 8),
            Err(error) => {
                let says = error.to_string().contains(&words);
                assert!(most < 8 && is_it(&error, "eight") && says, "{error:?}");
            }
        }
        let mut p = both.pipeline();
        for _ in 0..n {
            p.push(eight(&mut x).over([8, 2, 2]));
        }
        let report = p.exec().unwrap();
        drop(p);
        let said: String = report.fallbacks().iter().map(|f| f.error.to_string()).collect();
        assert_eq!(said.contains(&words), most < 8, "{said}");
        assert_eq!(x.to_vec().unwrap(), [1; 32]);

        let x = Buffer::from((0..10_000).collect::<Vec<u32>>());
        let mut sum = Var::new(0_u32);
        let words = format!(
            "a reduction takes work-groups of 32 items, and its text takes {most} on `{device}`"
        );
        match rt.submit(total(&x, &mut sum)).exec([10_000]) {
            Ok(report) => assert!(most >= 32 && report.value(&sum).unwrap() == 49_995_000),
            Err(error) => {
                let says = error.to_string().contains(&words);
                assert!(most < 32 && is_it(&error, "total") && says, "{error:?}");
            }
        }
        let mut p = both.pipeline();
        for _ in 0..n {
            p.push(total(&x, &mut sum).over([10_000]));
        }
        for _ in 0..2 {
            calls::take();
            let report = p.exec().unwrap();
            let said: String = report.fallbacks().iter().map(|f| f.error.to_string()).collect();
            assert_eq!(said.contains(&words), most < 32, "{said}");
            assert_eq!(report.value(&sum).unwrap(), 49_995_000);
        }
        // What was compiled in vain is not compiled again.
        assert_eq!(calls::take().get("clBuildProgram"), None);
    }
}

/// Says how many bytes of arguments devices take in a process of its own.
const MOST: &str = "OPENCL_TEST_MOST";

#[test]
fn arguments_are_no_larger_than_a_device_takes() {
    if !is_again() {
        if opencl().is_some() {
            for most in ["1024", "1607", "1608", "4096"] {
                let test = "limits::arguments_are_no_larger_than_a_device_takes";
                again(test, &[(MOST, most)], None);
            }
        }
        return;
    }
    wrap();
    let most: usize = std::env::var(MOST).unwrap().parse().unwrap();
    calls::say(sys::CL_DEVICE_MAX_PARAMETER_SIZE, &most.to_ne_bytes());
    let rt = opencl().unwrap();
    let device = rt.devices()[0].name().to_owned();
    let by = Weights { of: std::array::from_fn(|k| k as f32) };
    let wanted: Vec<f32> = (0..400).map(|k| 2.0 * k as f32).collect();
    let mut x = Buffer::from(vec![2.0_f32; 400]);
    let words = format!(
        "its arguments are 1608 bytes, 1600 of them of `by`, and `{device}` takes {most} \
         (CL_DEVICE_MAX_PARAMETER_SIZE)"
    );
    match rt.submit(weighed(by, &mut x)).exec([400]) {
        Ok(_) => assert!(most >= 1608 && x.to_vec().unwrap() == wanted),
        Err(error) => {
            let is_it = matches!(&error, Error::Library { kernel, .. } if kernel == "weighed");
            assert!(most < 1608 && is_it && error.to_string().contains(&words), "{error:?}");
        }
    }
    let in_turn = in_turn();
    macro_rules! with_the_cpu {
        ($kernel:ident) => {{
            let mut all: Vec<_> =
                in_turn.devices().iter().map(|_| Buffer::from(vec![2.0_f32; 400])).collect();
            let mut p = in_turn.pipeline();
            for x in &mut all {
                p.push($kernel(by, x).over([400]));
            }
            let planned = p.explain().unwrap().to_string();
            let report = p.exec().unwrap();
            drop(p);
            assert!(all.iter().all(|x| x.to_vec().unwrap() == wanted), "{}", stringify!($kernel));
            let said: String = report.fallbacks().iter().map(|f| f.error.to_string()).collect();
            (planned, said)
        }};
    }
    let (_, said) = with_the_cpu!(weighed);
    assert_eq!(said.contains(&words), most < 1608, "{said}");
    let (planned, said) = with_the_cpu!(weighed_as_a_body);
    // Its words and pointers come to a few bytes more. That is known before.
    let is_listed = planned.contains(&format!(
        "not on {device}: it has no code of the kernel: no OpenCL C of the body: its arguments are 16"
    ));
    assert_eq!((is_listed, &*said), (most < 4096, ""), "{planned}");
}
