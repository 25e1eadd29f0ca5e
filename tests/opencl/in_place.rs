//! Devices that use arrays where they are, in the memory of the host.

use std::sync::Arc;

use flash::opencl::OnOpenCl;
use flash::prelude::*;
use flash::{Error, Native};
use flash_ocl::OpenCl;
use flash_rt::Options;
use flash_tests::opencl;

#[flash::kernel(inputs = 2, unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel]
fn add(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i].wrapping_add(y[i].wrapping_mul(3));
}

#[flash::kernel]
fn lookup(at: &[u32], x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[at[i] as usize];
}

#[flash::kernel]
fn total(x: &[u32], #[reduce(+)] s: &mut u32) {
    *s += x[global_id(0)];
}

fn in_place() -> Option<Runtime> {
    opencl()?;
    let rt = Runtime::builder().devices("OPENCL").zero_copy(true).build().unwrap();
    let is_in_place = rt.devices().iter().all(|device| device.info().host_memory);
    is_in_place.then_some(rt)
}

#[test]
fn nothing_moves_and_all_is_seen() {
    let Some(rt) = in_place() else { return };
    let (x, mut y) = (Buffer::from(vec![1_u32; 1000]), Buffer::from(vec![0_u32; 1000]));
    let mut s = Var::new(0_u32);
    let mut p = rt.pipeline();
    p.begin_for(0..3_u32);
    p.push(add(&x, &mut y).over([1000]));
    p.push(Task::new("host", (&mut y,), |(mut y,)| y[[7]] += 1));
    p.push(add(x.view(100..200), y.view_mut(300..400)).over([100]));
    // Both are in one memory of the device, as they overlap.
    p.push(lookup(&Buffer::from(vec![999_u32, 0]), &y, &mut Buffer::zeros(2)).over([2]));
    p.push(total(&y, &mut s).over([1000]));
    p.end_for();
    let report = p.exec().unwrap();
    drop(p);
    assert_eq!((report.transfers().uploaded, report.transfers().downloaded), (0, 0));
    let mut expected = vec![0_u32; 1000];
    for _ in 0..3 {
        expected.iter_mut().for_each(|y| *y = 1 + 3 * *y);
        expected[7] += 1;
        expected[300..400].iter_mut().for_each(|y| *y = 1 + 3 * *y);
    }
    assert_eq!(y.to_vec().unwrap(), expected);
    assert_eq!(s.get().unwrap(), expected.iter().sum::<u32>());

    let at = Buffer::from(vec![5_u32, 1000, 2000]);
    let error = rt.submit(lookup(&at, &x, &mut Buffer::zeros(3))).exec([3]).unwrap_err();
    assert!(matches!(error, Error::OutOfBounds { kernel: "lookup", param: "x", .. }), "{error}");
}

#[test]
fn native_code_gets_the_bytes_themselves() {
    let Some(rt) = in_place() else { return };
    let (x, mut y) = (Buffer::from(vec![2.0_f32; 100]), Buffer::from(vec![1.0_f32; 100]));
    // Parts that no copy of the whole array could begin at.
    rt.submit(saxpy(3.0, x.view(1..51), y.view_mut(3..53))).exec([50]).unwrap();
    let expected = |k: usize| if (3..53).contains(&k) { 7.0 } else { 1.0 };
    assert_eq!(y.to_vec().unwrap(), (0..100).map(expected).collect::<Vec<f32>>());
    let mut z = Buffer::from(vec![4_u32; 64]);
    let mut p = rt.pipeline();
    p.push(Native::new("fill", (z.view_mut(16..32),)).on_opencl(|cx| crate::nodes::fill(cx, 0, 9)));
    p.exec().unwrap();
    drop(p);
    let expected = |k: usize| if (16..32).contains(&k) { 9 } else { 4 };
    assert_eq!(z.to_vec().unwrap(), (0..64).map(expected).collect::<Vec<u32>>());
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/elements.cl", entry = "halved")))]
fn halved(x: &[[f32; 8]], y: &mut [[f32; 8]]);

/// The first element at an address for vectors of 32 bytes.
fn first(at: &[f32]) -> usize {
    (0..8).find(|k| at[*k..].as_ptr().addr().is_multiple_of(32)).unwrap()
}

/// Whoever compiles code with vectors has them loaded as wholes.
#[test]
fn vectors_are_not_taken_from_where_they_cannot_be() {
    let Some(rt) = in_place() else { return };
    let (all, mut to) = (vec![3.0_f32; 8 * 20], vec![0.0_f32; 8 * 20]);
    let (from, into) = (first(&all), first(&to));
    for away in [0, 1, 4] {
        let (x, _) = all[from..].as_chunks::<8>();
        let (y, _) = to[(into + away) % 8..].as_chunks_mut::<8>();
        let (x, y, is_apart) = (&x[..10], &mut y[..10], away != 0);
        let done = rt.submit(halved(x, &mut *y)).exec([10]);
        match done {
            Ok(_) if !is_apart => assert_eq!(y, [[1.5; 8]; 10]),
            Err(error) if is_apart => {
                let said = format!("{error:?}");
                let words = "`y` is at an address of the host that is no multiple of 32";
                assert!(said.contains(words), "{away} elements away: {said}");
            }
            done => panic!("{away} elements away: {done:?}"),
        }
        y.fill([0.0; 8]);
    }
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/elements.cl", entry = "halved")))]
fn halved_anywhere(x: &[[f32; 8]], y: &mut [[f32; 8]]) {
    let i = global_id(0);
    let mut v = x[i];
    for k in 0..8 {
        v[k] *= 0.5;
    }
    y[i] = v;
}

/// What one device refuses where it is, another one runs, and that is said.
#[test]
fn what_is_refused_in_place_runs_elsewhere() {
    if in_place().is_none() {
        return;
    }
    let mut options = Options::from_env().unwrap();
    options.zero_copy = true;
    let builder = Runtime::builder().backend(Arc::new(OpenCl::new(&options))).devices("ALL_CPU");
    let rt = builder.round_robin(true).build().unwrap();
    let (all, mut to) = (vec![3.0_f32; 8 * 20], vec![0.0_f32; 8 * 20]);
    let into = (first(&to) + 1) % 8;
    let y = &mut to[into..].as_chunks_mut::<8>().0[..10];
    let mut p = rt.pipeline();
    for y in y.chunks_mut(5) {
        p.push(halved_anywhere(&all.as_chunks::<8>().0[..5], y).over([5]));
    }
    let report = p.exec().unwrap();
    let [fallback] = report.fallbacks() else { panic!("{report}") };
    assert_eq!((&*fallback.from, &*fallback.to), (rt.devices()[0].name(), rt.devices()[1].name()));
    assert!(fallback.error.to_string().contains("no multiple of 32"), "{}", fallback.error);
    drop(p);
    assert_eq!(y, [[1.5; 8]; 10]);
}

/// Beside a device that copies and the CPU: one pipeline, in turn and in parts.
#[test]
fn arrays_are_shared_with_devices_that_copy() {
    let Some(shared) = in_place() else { return };
    let options = Options::from_env().unwrap();
    let copies = Arc::new(OpenCl::new(&options));
    for devices in [1, 2] {
        let builder = Runtime::builder().backend(copies.clone()).devices("OPENCL").zero_copy(true);
        let rt = builder.round_robin(true).partitions(devices).build().unwrap();
        assert_eq!(rt.devices().len(), 2 * shared.devices().len());
        let (mut x, mut y) = (Buffer::from(vec![1_u32; 4096]), Buffer::from(vec![2_u32; 4096]));
        let mut p = rt.pipeline();
        p.begin_for(0..7_u32);
        p.push(add(&x, &mut y).over([4096]));
        p.push(add(&y, &mut x).over([4096]));
        p.push(add(&x, &mut y).over([4096]));
        p.end_for();
        p.exec().unwrap();
        drop(p);
        let (mut a, mut b) = (1_u32, 2_u32);
        let add = |x: u32, y: u32| x.wrapping_add(y.wrapping_mul(3));
        for _ in 0..7 {
            b = add(a, b);
            a = add(b, a);
            b = add(a, b);
        }
        assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![a; 4096], vec![b; 4096]));
    }
}
