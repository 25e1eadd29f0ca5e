//! Devices that are not there, that have no room or that fail in the middle of a pipeline: what is said,
//! and who runs it instead.

use flash::Error;
use flash::prelude::*;
use flash_ocl::calls;
use flash_tests::opencl;
use half::f16;
use opencl_sys as sys;

use crate::{COPYING, again, alone, in_turn, is_again, wrap};

/// As many groups of 32 items as its text asks for.
#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl", entry = "sizes_of_groups")))]
fn sizes(#[out] out: &mut [u32]) {
    out[global_id(0)] = 32;
}

/// More than any work-group has.
#[flash::kernel(unsafe(opencl(
    file = "opencl/kernels/saxpy.cl",
    entry = "group_sums",
    block(64),
    shared = 2_000_000_000
)))]
fn sums(x: &[u32], #[out] sums: &mut [u32]) {
    let i = global_id(0);
    sums[i] = x[i] + 1;
}

#[flash::kernel(unsafe(opencl(
    file = "opencl/kernels/saxpy.cl",
    entry = "group_sums",
    block(64),
    shared = 256
)))]
fn few(x: &[u32], #[out(partial)] sums: &mut [u32]);

const OUT_OF_RESOURCES: i32 = -5;

#[flash::kernel]
fn add(a: u32, x: &mut [u32]) {
    x[global_id(0)] += a;
}

#[flash::kernel]
fn same(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i];
}

/// Native code that cannot be used, and what it should have been.
macro_rules! with_a_body {
    ($($name:ident: $options:tt;)*) => {
        $(#[flash::kernel(unsafe(opencl $options))]
        fn $name(a: f32, x: &[f32], y: &mut [f32]) {
            let i = global_id(0);
            y[i] = a * x[i] + y[i];
        })*
    };
}

with_a_body! {
    mistaken: (file = "opencl/kernels/bad.cl", entry = "saxpy");
    absent: (file = "opencl/kernels/saxpy.cl", entry = "no_such_kernel");
    too_few: (file = "opencl/kernels/wrong.cl");
    other_element: (file = "opencl/kernels/wrong.cl");
    options: (file = "opencl/kernels/saxpy.cl", entry = "saxpy", options = "-no-such-option");
    missing: (path = "opencl/kernels/not_there.cl", entry = "saxpy");
    garbage: (file = "opencl/kernels/garbage.bin", entry = "saxpy");
}

/// Its text asks for groups of 32. What it does not take is no code for the device: where there is a body,
/// the CPU runs that.
#[test]
fn groups_that_a_kernel_does_not_take() {
    let Some(rt) = opencl() else { return };
    let mut out = Buffer::from(vec![5_u32; 96]);
    let error = rt.submit(sizes(&mut out).block([16])).exec([96]).unwrap_err();
    assert!(matches!(error, Error::NoImplementation { node: Some(0), .. }), "{error:?}");
    let said = error.to_string();
    let words = "`sizes_of_groups` takes work-groups of [32] items, and [16] are asked for";
    assert!(said.contains("`sizes`") && said.contains(words), "{said}");
    assert!(said.contains(rt.devices()[0].name()), "{said}");
    assert_eq!(out.to_vec().unwrap(), [5; 96]);
    rt.submit(sizes(&mut out)).exec([96]).unwrap();
    assert_eq!(out.to_vec().unwrap(), [32; 96]);

    out.fill(5).unwrap();
    let rt = in_turn();
    let mut p = rt.pipeline();
    for _ in 0..rt.devices().len() {
        p.push(sizes(&mut out).block([16]).over([96]));
    }
    let report = p.exec().unwrap();
    drop(p);
    let [fallback, ..] = report.fallbacks() else { panic!("{report}") };
    assert!(fallback.error.to_string().contains(words), "{}", fallback.error);
    assert_eq!(out.to_vec().unwrap(), [32; 96]);
}

/// In a process of its own, as what stands before the driver's functions is for all of it.
#[test]
fn a_device_fails_in_the_middle() {
    if !is_again() {
        if opencl().is_some() {
            again("elsewhere::a_device_fails_in_the_middle", &[COPYING], None);
        }
        return;
    }
    wrap();
    for nth in 0..9 {
        let rt = opencl().unwrap();
        let (mut x, mut y) = (Buffer::from(vec![1_u32; 640]), Buffer::from(vec![7_u32; 640]));
        let mut p = rt.pipeline();
        p.begin_for(0..3_u32);
        p.push(add(1, &mut x).over([640]));
        p.push(sizes(&mut y).over([640]));
        p.push(add(10, &mut x).over([640]));
        p.end_for();
        calls::fail("clEnqueueNDRangeKernel", nth, OUT_OF_RESOURCES);
        let error = p.exec().unwrap_err();
        drop(p);
        assert_eq!(calls::forget(), 0);
        // What is refused at once is a launch that has not begun, for whose demands there is no room.
        let is_typed = matches!(error, Error::Driver { .. } | Error::OutOfMemory { bytes: 0, .. });
        assert!(is_typed, "{error:?}");
        let said = format!("{error:?}");
        let is_named = said.contains("`add`") || said.contains("`sizes`");
        assert!(is_named && said.contains("CL_OUT_OF_RESOURCES"), "{nth}: {said}");
        let x = x.to_vec().unwrap();
        // After a few of its launches, as nothing of them waits for what fails.
        let some = [1, 2, 12, 13, 23, 24, 34];
        assert!(x.iter().all(|v| *v == x[0]) && some.contains(&x[0]), "{nth}: {x:?}");
        let y = y.to_vec().unwrap();
        assert!(y == [7; 640] || y == [32; 640], "{nth}: {y:?}");
        let mut again = Buffer::from(x.clone());
        rt.submit(add(5, &mut again)).exec([640]).unwrap();
        assert_eq!(again.to_vec().unwrap(), vec![x[0] + 5; 640]);
    }
}

/// The first launch of a kept pipeline, where its driver refuses it, has not begun, so that the CPU runs it; those
/// behind it may be held back, and count as submitted then.
#[test]
fn launches_that_come_again_are_refused() {
    if !alone("elsewhere::launches_that_come_again_are_refused", &[&[COPYING]]) {
        return;
    }
    for nth in 0..5 {
        let rt = in_turn();
        let device = rt.devices()[0].name().to_owned();
        let (mut x, mut y) = (Buffer::from(vec![0_u32; 640]), Buffer::zeros(640));
        let mut p = rt.pipeline();
        p.begin_for(0..6_u32);
        p.push(add(1, &mut x).over([640]));
        p.end_for();
        // The other devices' turns, so that those of the loop are always the first one's.
        for _ in 1..rt.devices().len() {
            p.push(same(&x, &mut y).over([640]));
        }
        for _ in 0..3 {
            let report = p.exec().unwrap();
            assert!(report.fallbacks().is_empty(), "{report}");
        }
        calls::fail("clEnqueueNDRangeKernel", nth, OUT_OF_RESOURCES);
        let refused = match p.exec() {
            Ok(report) => {
                let [fallback] = report.fallbacks() else { panic!("{nth}: {report}") };
                assert!(matches!(fallback.error, Error::OutOfMemory { bytes: 0, .. }));
                let said = format!("{:?}", fallback.error);
                let words = "its driver does not say how much that is; use smaller work-groups";
                assert!(said.contains(words) && !said.contains("smaller arrays"), "{said}");
                said
            }
            Err(error) if nth > 0 => format!("{error:?}"),
            Err(error) => panic!("{error:?}"),
        };
        assert_eq!(calls::forget(), 0);
        for words in ["`add`", &device, "CL_OUT_OF_RESOURCES"] {
            assert!(refused.contains(words), "{nth}: no {words} in {refused}");
        }
        // All goes on, from what was there before the run where that ended.
        p.exec().unwrap();
        drop(p);
        let x = x.to_vec().unwrap();
        assert!(x.iter().all(|v| *v == x[0] && (24..=30).contains(v)), "{nth}: {x:?}");
        assert_eq!(y.to_vec().unwrap(), x);
    }
}

/// What a device has not got is no code for it, so with the CPU beside it all is done.
#[test]
fn groups_that_share_more_than_there_is() {
    let Some(rt) = opencl() else { return };
    let (x, mut y) = (Buffer::from(vec![24_u32; 640]), Buffer::from(vec![7_u32; 640]));
    let error = rt.submit(sums(&x, &mut y)).exec([640]).unwrap_err();
    assert!(matches!(&error, Error::Library { kernel, .. } if kernel == "sums"), "{error:?}");
    let words = "`group_sums` would share 2000000000 bytes";
    assert!(error.to_string().contains(words), "{error}");
    let error = rt.submit(few(&x, &mut y).shared(1 << 31)).exec([640]).unwrap_err();
    assert!(error.to_string().contains("2147483648"), "{error}");
    assert_eq!(y.to_vec().unwrap(), [7; 640]);
    rt.submit(few(&x, &mut y)).exec([640]).unwrap();

    let rt = in_turn();
    let mut p = rt.pipeline();
    for _ in 0..rt.devices().len() {
        p.push(sums(&x, &mut y).over([640]));
    }
    let report = p.exec().unwrap();
    drop(p);
    assert!(!report.fallbacks().is_empty(), "{report}");
    assert!(report.fallbacks().iter().all(|fallback| fallback.kernel == "sums"), "{report}");
    assert_eq!(y.to_vec().unwrap(), [25; 640]);
}

/// Each is tried on its device first, and is an error there.
#[test]
fn code_that_cannot_be_used_runs_as_a_body() {
    if opencl().is_none() {
        return;
    }
    let rt = in_turn();
    macro_rules! check {
        ($($name:ident: $words:expr;)*) => {$(
            let (x, mut y) = (Buffer::from(vec![2.0_f32; 10]), Buffer::from(vec![1.0_f32; 10]));
            let mut p = rt.pipeline();
            for _ in 0..rt.devices().len() {
                p.push($name(3.0, &x, &mut y).over([10]));
            }
            let report = p.exec().unwrap();
            drop(p);
            let [fallback, ..] = report.fallbacks() else { panic!("{report}") };
            let (error, name) = (&fallback.error, stringify!($name));
            let is_it = matches!(error, Error::Library { kernel, .. } if kernel == name);
            assert!(is_it && fallback.kernel == name, "{error:?}");
            assert!(error.to_string().contains($words), "{name}: no {:?} in {error}", $words);
            let all = 1.0 + 6.0 * rt.devices().len() as f32;
            assert_eq!(y.to_vec().unwrap(), [all; 10], "{name}");
        )*};
    }
    check! {
        mistaken: "bad.cl:2:";
        absent: "no kernel `no_such_kernel`";
        too_few: "takes 2 arguments, and the declaration gives 3";
        other_element: "is for `x`, an array of `float`";
        options: "(clBuildProgram, CL_";
        missing: "not_there.cl: it cannot be read";
        garbage: "garbage.bin: it is no program for";
    }
}

#[flash::kernel]
fn halved(x: &[f64], #[out] y: &mut [f64]) {
    let i = global_id(0);
    y[i] = 0.5 * x[i];
}

#[flash::kernel]
fn counted(x: &[u64], y: &[Atomic<u64>]) {
    y[x[global_id(0)] as usize].fetch_add(1);
}

#[flash::kernel]
fn thirds(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] / 3.0;
}

#[flash::kernel]
fn more(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] + 3.0;
}

#[flash::kernel]
fn of_halves(x: &[f16], #[out] y: &mut [f16]) {
    let i = global_id(0);
    y[i] = x[i] + x[i];
}

/// The CPU does what OpenCL devices cannot; the text says which part of `explain()` has their reason.
macro_rules! runs_on_the_cpu {
    ($kernel:ident($x:expr) = $wanted:expr, $($words:expr),*) => {
        let (rt, x, mut y) = (in_turn(), Buffer::from($x), Buffer::zeros(10));
        let mut p = rt.pipeline();
        for _ in 0..rt.devices().len() {
            p.push($kernel(&x, &mut y).over([10]));
        }
        let planned = p.explain().unwrap().to_string();
        let report = p.exec().unwrap();
        let ran = p.explain().unwrap().to_string();
        drop(p);
        assert_eq!(y.to_vec().unwrap(), $wanted);
        // Nothing has to be handed over, as it is known before who cannot run it.
        assert!(report.fallbacks().is_empty(), "{report}");
        assert!(!ran.contains("`, ran on"), "{ran}");
        for words in [$($words),*] {
            assert!(planned.contains(words) && ran.contains(words), "no {words} in {planned}{ran}");
        }
    };
}

#[test]
fn a_body_that_is_no_opencl_c_runs_on_the_cpu() {
    if opencl().is_none() {
        return;
    }
    let two = [f16::from_f32(2.0); 10];
    runs_on_the_cpu!(
        of_halves(vec![f16::ONE; 10]) = two,
        "it has no code of the kernel: no OpenCL C of the body: ",
        "`+` of `f16`"
    );
}

/// Of two devices of one name the second one.
#[flash::kernel(unsafe(opencl(
    family = "#2",
    source = "kernel void on_second(global uint *x) { x[get_global_id(0)] += 100; }",
    entry = "on_second"
)))]
fn on_second(x: &mut [u32]);

/// Each kernel of a pipeline lands where there is code of it, whoever's turn it is, and nothing has to be
/// handed over.
#[test]
fn kernels_land_where_they_have_code() {
    if !is_again() {
        if opencl().is_some() {
            let two = [("POCL_DEVICES", "pthread pthread")];
            again("elsewhere::kernels_land_where_they_have_code", &two, None);
        }
        return;
    }
    let rt = in_turn();
    let names: Vec<_> = rt.devices().iter().map(|device| device.name().to_owned()).collect();
    let [first, second, cpu] = &names[..] else { panic!("{names:?}") };
    assert!(second.ends_with("#2"), "{second}");
    let mut x = Buffer::from(vec![1_u32; 64]);
    let (mut halves, mut more) = (Buffer::from(vec![f16::ONE; 64]), Buffer::zeros(64));
    let mut on = [(); 12].map(|()| Var::new(u32::MAX));
    let mut p = rt.pipeline();
    for on in on.chunks_mut(3) {
        let [second, cpu, any] = on else { panic!("three each") };
        p.push(on_second(&mut x).chosen(second).over([64]));
        p.push(of_halves(&halves, &mut more).chosen(cpu).over([64]));
        p.push(add(1, &mut x).chosen(any).over([64]));
        std::mem::swap(&mut halves, &mut more);
    }
    let how = p.explain().unwrap();
    for stages in how.stages().chunks(3) {
        let reasons = |at: usize| stages[at].left_out.join("\n");
        let none = "it has no code of the kernel: no implementation for";
        let of_second = reasons(0);
        assert!(of_second.contains(&format!("not on {first}: {none} `{first}`")), "{of_second}");
        assert!(of_second.contains("opencl for `#2`"), "{of_second}");
        assert!(of_second.contains(&format!("not on {cpu}: {none} the CPU")), "{of_second}");
        for device in [first, second] {
            let words =
                format!("not on {device}: it has no code of the kernel: no OpenCL C of the body: ");
            assert!(reasons(1).contains(&words), "{}", reasons(1));
        }
        assert_eq!((reasons(1).lines().count(), &*reasons(2)), (2, ""));
    }
    let report = p.exec().unwrap();
    drop(p);
    assert!(report.fallbacks().is_empty(), "{report}");
    let ran_on: Vec<usize> = on.iter().map(|on| on.get().unwrap() as usize).collect();
    let of = |at: usize| ran_on.iter().copied().skip(at).step_by(3).collect::<Vec<_>>();
    assert_eq!((of(0), of(1)), (vec![1; 4], vec![2; 4]), "{ran_on:?}");
    assert!(of(2).iter().any(|device| *device != of(2)[0]), "{ran_on:?}");
    assert_eq!(x.to_vec().unwrap(), [405; 64]);
    assert_eq!(halves.to_vec().unwrap(), [f16::from_f32(16.0); 64]);
}

/// Says what the devices of a process have of `f32`, as a number.
const SINGLE: &str = "OPENCL_TEST_SINGLE";

#[test]
fn bodies_that_a_device_cannot_run_are_for_the_cpu() {
    let test = "elsewhere::bodies_that_a_device_cannot_run_are_for_the_cpu";
    let has = [sys::CL_FP_DENORM, sys::CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT];
    if !is_again() {
        if opencl().is_some() {
            has.iter().for_each(|has| again(test, &[(SINGLE, &has.to_string())], None));
        }
        return;
    }
    let single: u64 = std::env::var(SINGLE).unwrap().parse().unwrap();
    wrap();
    calls::say(sys::CL_DEVICE_EXTENSIONS, b"\0");
    calls::say(sys::CL_DEVICE_DOUBLE_FP_CONFIG, &0_u64.to_ne_bytes());
    calls::say(sys::CL_DEVICE_SINGLE_FP_CONFIG, &single.to_ne_bytes());
    let device = opencl().unwrap().devices()[0].name().to_owned();
    let left_out = |what: &str| format!("not on {device}: it has no {what}\n");
    runs_on_the_cpu!(halved(vec![3.0; 10]) = [1.5; 10], &left_out("f64"));
    let n = in_turn().devices().len() as u64;
    let mut sums = vec![0; 10];
    sums[7] = 10 * n;
    runs_on_the_cpu!(counted(vec![7; 10]) = sums, &left_out("atomics64"));
    let reason = |why: &str| format!("no OpenCL C of the body: `{device}` {why}");
    if single == sys::CL_FP_DENORM {
        let inexact = reason("does not round divisions and roots of `f32` correctly");
        runs_on_the_cpu!(thirds(vec![6.0; 10]) = [2.0; 10], &inexact);
    } else {
        let flushes = reason("takes subnormal numbers of `f32` for zero");
        runs_on_the_cpu!(more(vec![6.0; 10]) = [9.0; 10], &flushes);
    }
}

/// What is said where no device is, and that everything else is there.
fn nothing_is_there() {
    let error = Runtime::open("OPENCL").unwrap_err();
    let Error::NoDevice { asked, existing } = &error else { panic!("{error:?}") };
    assert_eq!(asked, "OPENCL");
    assert!(existing.contains("ALL_CPU (") && existing.contains("SIM ("), "{error}");
    let rt = Runtime::new().unwrap();
    let mut x = Buffer::from(vec![1_u32; 10]);
    rt.submit(add(1, &mut x)).exec([10]).unwrap();
    let (from, mut y) = (Buffer::from(vec![2.0_f32; 10]), Buffer::from(vec![1.0_f32; 10]));
    rt.submit(mistaken(3.0, &from, &mut y)).exec([10]).unwrap();
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![2; 10], vec![7.0; 10]));
}

#[test]
fn there_is_no_driver() {
    if is_again() {
        return nothing_is_there();
    }
    if opencl().is_none() {
        return;
    }
    let test = "elsewhere::there_is_no_driver";
    let (empty, bad) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(bad.path().join("gone.icd"), "/no/such/driver.so\n").unwrap();
    for folder in [&empty, &bad] {
        again(test, &[("OCL_ICD_VENDORS", folder.path().to_str().unwrap())], None);
    }
    // A platform without devices.
    again(test, &[("POCL_DEVICES", "")], None);
}

/// A file of that name that is no library is found first.
#[cfg(target_os = "linux")]
#[test]
fn there_is_no_library() {
    if is_again() {
        return nothing_is_there();
    }
    if opencl().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["libOpenCL.so.1", "libOpenCL.so"] {
        std::fs::write(folder.path().join(name), [7; 4096]).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    again("elsewhere::there_is_no_library", &[("LD_LIBRARY_PATH", path)], None);
}

/// With the driver's own switch for how much memory its device has: 1 GiB.
#[test]
fn the_device_has_no_room() {
    if opencl().is_none() {
        return;
    }
    if !is_again() {
        return again(
            "elsewhere::the_device_has_no_room",
            &[("POCL_MEMORY_LIMIT", "1"), COPYING],
            None,
        );
    }
    let rt = opencl().unwrap();
    let limit = rt.devices()[0].info().memory.unwrap();
    // Where the driver is another one it has no such switch.
    if limit != 1 << 30 {
        let name = rt.devices()[0].name();
        assert!(!name.starts_with("pthread"), "`{name}` is PoCL, and has {limit} bytes");
        return;
    }
    let huge = (limit / 4 + 1) as usize;
    let mut y = Buffer::<u32>::unwritten(huge);
    let error = rt.submit(add(1, &mut y)).exec([10]).unwrap_err();
    let Error::OutOfMemory { param: Some("x"), bytes, .. } = &error else { panic!("{error:?}") };
    assert_eq!(*bytes, 4 * huge as u64);

    // Arrays that are there one after the other, as together they are more.
    let n = (limit / 4 / 5) as usize;
    let mut all: Vec<_> = (0..7_u32).map(|k| Buffer::from(vec![k; n])).collect();
    for round in 0..2 {
        for x in &mut all {
            rt.submit(add(10 + round, x)).exec([n]).unwrap();
        }
    }
    for (k, x) in (0..).zip(&all) {
        assert!(x.to_vec().unwrap().iter().all(|v| *v == k + 21), "array {k}");
    }
    assert!(rt.devices()[0].bytes_used() <= limit);

    // The CPU has room.
    let rt = in_turn();
    let mut y = Buffer::<u32>::zeros(huge);
    let mut p = rt.pipeline();
    p.push(add(1, &mut y).over([10]));
    p.push(add(1, &mut y).over([10]));
    p.exec().unwrap();
    drop(p);
    assert_eq!((y.get(9).unwrap(), y.get(10).unwrap()), (2, 0));
}
