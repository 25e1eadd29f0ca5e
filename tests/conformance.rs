//! The conformance suite with kernels that `#[flash::kernel]` made: on the CPU with every team size
//! and instruction set there is, on the simulator by interpretation and by entries, and on every OpenCL
//! device.

use std::process::Command;
use std::sync::Arc;

use flash::prelude::*;
use flash_rt::backend::conformance::{Kernels, all, reductions_under_way};
use flash_rt::sim::{Config, Run, Sim};
use flash_tests::oclgrind;

#[flash::kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

#[flash::kernel]
fn affine(a: u32, b: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(b);
}

#[flash::kernel]
fn transpose(x: View<'_, u32, 2>, #[out] out: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    out[[j, i]] = x[[i, j]];
}

#[flash::kernel]
fn sum(x: &[f64], #[reduce(+)] s: &mut f64) {
    *s += x[global_id(0)];
}

#[flash::kernel]
fn sum_into(x: &[f64], #[reduce(+, into)] s: &mut f64) {
    *s += x[global_id(0)];
}

#[flash::kernel]
fn scratch(#[scratch(out.len())] t: &mut [u32], #[out] out: &mut [u32]) {
    let i = global_id(0);
    t[i] = t[i] + 1;
    out[i] = t[i];
}

#[flash::kernel]
fn divide(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 100 / x[i];
}

/// Counts each item, by one of its own and by one that all share.
#[flash::kernel]
fn count(items: &mut [u32], all: &[Atomic<u64>]) {
    let i = global_id(0);
    items[i] += 1;
    all[0].fetch_add(1);
}

/// The same of a kernel whose items may run again.
#[flash::kernel(idempotent)]
fn count_again(items: &[Atomic<u32>]) {
    items[global_id(0)].fetch_add(1);
}

fn made() -> Kernels {
    let (x, mut y) = (Buffer::<f32>::zeros(1), Buffer::<f32>::zeros(1));
    let (u, mut v) = (Buffer::<u32>::zeros(1), Buffer::<u32>::zeros(1));
    let (m, mut n) = (Buffer::<u32, 2>::zeros([1, 1]), Buffer::<u32, 2>::zeros([1, 1]));
    let (d, mut s) = (Buffer::<f64>::zeros(1), Var::new(0.0));
    Kernels {
        saxpy: saxpy(1.0, &x, &mut y).kernel(),
        affine: affine(1, 1, &mut v).kernel(),
        transpose: transpose(&m, &mut n).kernel(),
        sum: sum(&d, &mut s).kernel(),
        sum_into: sum_into(&d, &mut s).kernel(),
        scratch: scratch(&mut v).kernel(),
        divide: divide(&u, &mut v).kernel(),
    }
}

#[test]
fn cpu() {
    for threads in [1, 2, 5] {
        let rt = Runtime::builder().devices("ALL_CPU").threads(threads).build().unwrap();
        all(&rt, &made());
        all(&rt, &Kernels::by_hand());
    }
}

#[test]
fn each_of_a_million_items_runs_once_on_any_number_of_threads() {
    const N: usize = 1_000_000;
    for threads in [1, 2, 3, 8, 17, 64] {
        let rt = Runtime::builder().devices("ALL_CPU").threads(threads).build().unwrap();
        let (mut items, mut all) = (Buffer::<u32>::zeros(N), Buffer::<u64>::zeros(1));
        rt.submit(count(&mut items, &mut all)).exec([N]).unwrap();
        assert!(items.to_vec().unwrap().iter().all(|n| *n == 1), "{threads} threads");
        assert_eq!(all.get(0).unwrap(), N as u64, "{threads} threads");
        let mut again = Buffer::<u32>::zeros(N);
        rt.submit(count_again(&mut again)).exec([N]).unwrap();
        assert!(again.to_vec().unwrap().iter().all(|n| *n >= 1), "{threads} threads");
    }
}

#[test]
fn simulator_by_interpretation() {
    let sim = Sim::new(Config { devices: 2, run: Run::Ir, ..Config::default() });
    all(&Runtime::builder().backend(Arc::new(sim)).build().unwrap(), &made());
}

#[test]
fn simulator_by_entries() {
    let config = Config { devices: 2, peers: true, run: Run::Entry, ..Config::default() };
    let sim = Sim::new(config);
    all(&Runtime::builder().backend(Arc::new(sim)).build().unwrap(), &made());
}

#[test]
fn opencl_devices() {
    let Some(rt) = flash_tests::opencl() else { return };
    all(&rt, &made());
    // For whoever counts them.
    println!("devices: {}", rt.devices().len());
}

#[test]
fn opencl_kernels_touch_what_is_theirs() {
    if oclgrind::is_here_or_clean("opencl_kernels_touch_what_is_theirs") {
        all(&flash_tests::opencl().expect("it is the only driver"), &made());
    }
}

#[test]
fn cuda_devices() {
    for settings in ["devices=1", "devices=2,peers=0", "devices=3,pools=0"] {
        let settings = format!("{settings},hazards=1");
        let Some(test) = flash_tests::cuda::devices(&settings) else { return };
        all(&test.rt, &made());
        flash_tests::cuda::assert_orderly(test.driver.as_ref());
    }
}

/// Launches that are kept ready and run at once have nothing of each other, which a driver looks for.
#[test]
fn cuda_reductions_under_way() {
    let Some(test) = flash_tests::cuda::cuda("devices=1,hazards=1") else { return };
    test.rt.devices().iter().for_each(|device| reductions_under_way(device, &made()));
    assert_eq!(test.driver.hazards(), Vec::<String>::new());
}

/// Each copy through pinned memory, and only those of some bytes.
#[test]
fn opencl_devices_with_staged_copies() {
    if flash_tests::opencl().is_none() {
        return;
    }
    for from in [1, 256] {
        let mut options = flash_rt::Options::from_env().unwrap();
        options.staging = Some(from);
        let backend = Arc::new(flash_ocl::OpenCl::new(&options));
        all(&Runtime::builder().backend(backend).build().unwrap(), &made());
    }
}

/// Devices that use arrays where they are.
#[test]
fn opencl_devices_in_place() {
    if flash_tests::opencl().is_none() {
        return;
    }
    let rt = Runtime::builder().devices("OPENCL").zero_copy(true).build().unwrap();
    let is_in_place = |device: &std::sync::Arc<flash::Device>| device.info().host_memory;
    assert!(rt.devices().iter().any(is_in_place), "PoCL shares its memory");
    all(&rt, &made());
}

/// The drivers are read once in a process, so two devices of PoCL are those of another one.
#[test]
fn two_opencl_devices() {
    if flash_tests::opencl().is_none() {
        return;
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "opencl_devices", "--nocapture"]);
    let run = again.env("POCL_DEVICES", "pthread pthread").output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    let has_run = run.status.success() && said.contains("1 passed");
    assert!(has_run, "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert!(!said.contains("devices: 1\n") && said.contains("devices: "), "{said}");
}

#[test]
fn emulated_fpga() {
    let Some(rt) = flash_tests::fpga() else { return };
    all(&rt, &made());
}
