//! Kernels of FPGAs: binaries, of which a device holds one at a time. The emulation device of Intel
//! makes them first, in a folder that is the working directory of another process, where they run.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use flash::prelude::*;
use flash_ocl::OpenCl;
use flash_rt::Options;
use flash_tests::fpga;

use crate::binaries::compiled;

#[flash::kernel(unsafe(fpga(path = "pair.aocx")))]
fn twice(x: &[i32], #[out] y: &mut [i32]);

#[flash::kernel(unsafe(fpga(path = "pair.aocx", args(x, y, n = y.len()))))]
fn running_sum(x: &[i32], #[out] y: &mut [i32]);

#[flash::kernel(unsafe(fpga(path = "other.aocx")))]
fn square(x: &[i32], #[out] y: &mut [i32]);

/// Runs a test where the binaries are.
fn there(test: &str, body: fn()) {
    if fpga().is_none() {
        return;
    }
    if Path::new("pair.aocx").exists() {
        // Kernels that wait for each other may wait for ever.
        std::thread::spawn(|| {
            std::thread::sleep(Duration::from_secs(120));
            std::process::exit(3);
        });
        return body();
    }
    let dir = tempfile::tempdir().unwrap();
    let pair = compiled(include_str!("kernels/pair.cl"));
    std::fs::write(dir.path().join("pair.xclbin"), &pair).unwrap();
    std::fs::write(dir.path().join("pair.aocx"), pair).unwrap();
    let other = compiled(include_str!("kernels/other.cl"));
    std::fs::write(dir.path().join("other.aocx"), other).unwrap();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", &format!("fpga::{test}"), "--nocapture"]).current_dir(dir.path());
    let two = [("CL_CONFIG_CPU_EMULATE_DEVICES", "2"), ("POCL_DEVICES", "pthread pthread")];
    let run = again.envs(two).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert!(said.contains("1 passed"), "{said}");
}

/// A runtime with the FPGAs, and the backend that it has them of.
fn opened() -> (Runtime, Arc<OpenCl>) {
    let backend = Arc::new(OpenCl::fpga(&Options::default()));
    let rt = Runtime::builder().backend(Arc::clone(&backend) as _).build().unwrap();
    (rt, backend)
}

fn numbers(n: usize) -> Vec<i32> {
    (0..n as i32).map(|k| 3 * k - 50).collect()
}

/// By the name that another maker of FPGAs gives binaries.
#[flash::kernel(unsafe(fpga(path = "pair.xclbin", entry = "twice")))]
fn twice_of_another(x: &[i32], #[out] y: &mut [i32]);

#[flash::kernel(unsafe(fpga(path = "not there.xclbin", entry = "twice")))]
fn twice_of_nothing(x: &[i32], #[out] y: &mut [i32]);

#[test]
fn a_binary_may_be_named_as_others_name_theirs() {
    there("a_binary_may_be_named_as_others_name_theirs", || {
        let rt = fpga().unwrap();
        let (x, mut y) = (Buffer::from(numbers(100)), Buffer::zeros(100));
        rt.submit(twice_of_another(&x, &mut y)).exec([100]).unwrap();
        let expected: Vec<i32> = numbers(100).into_iter().map(|v| 2 * v).collect();
        assert_eq!(y.to_vec().unwrap(), expected);
        let error = rt.submit(twice_of_nothing(&x, &mut y)).exec([100]).unwrap_err();
        let said = format!("{error:?}");
        assert!(said.contains("not there.xclbin: it cannot be read"), "{said}");
    });
}

#[test]
fn kernels_of_one_binary() {
    there("kernels_of_one_binary", || {
        let (rt, backend) = opened();
        let x = Buffer::from(numbers(1000));
        let (mut y, mut sums) = (Buffer::zeros(1000), Buffer::zeros(1000));
        let mut pipeline = rt.pipeline();
        pipeline.push(twice(&x, &mut y).pin(1).over([1000]));
        pipeline.push(running_sum(&y, &mut sums).pin(1).over([1]));
        pipeline.exec().unwrap();
        assert_eq!((backend.binaries(0), backend.binaries(1)), (0, 1), "it is built once");
        let doubled: Vec<i32> = numbers(1000).iter().map(|x| 2 * x).collect();
        assert_eq!(y.to_vec().unwrap(), doubled);
        let mut sum = 0;
        let expected: Vec<i32> = doubled
            .iter()
            .map(|x| {
                sum += x;
                sum
            })
            .collect();
        assert_eq!(sums.to_vec().unwrap(), expected);
    });
}

#[flash::kernel(unsafe(fpga(file = "opencl/kernels/other.cl", entry = "square")))]
fn of_source(x: &[i32], #[out] y: &mut [i32]);

#[flash::kernel(unsafe(fpga(file = "opencl/kernels/garbage.bin", entry = "square")))]
fn of_garbage(x: &[i32], #[out] y: &mut [i32]);

#[flash::kernel(unsafe(fpga(path = "not there.aocx", entry = "square")))]
fn of_nothing(x: &[i32], #[out] y: &mut [i32]);

#[flash::kernel(unsafe(fpga(path = "pair.aocx", entry = "thrice")))]
fn of_no_name(x: &[i32], #[out] y: &mut [i32]);

#[flash::kernel(unsafe(fpga(path = "other.aocx", entry = "square")))]
fn of_more(x: &[i32], k: i32, #[out] y: &mut [i32]);

#[test]
fn what_is_no_binary_is_refused() {
    there("what_is_no_binary_is_refused", || {
        let rt = fpga().unwrap();
        let (x, mut y) = (Buffer::from(numbers(10)), Buffer::zeros(10));
        for (call, words) in [
            (of_source(&x, &mut y), "opencl/kernels/other.cl: `fpga(..)` takes binaries"),
            (of_garbage(&x, &mut y), "garbage.bin: it is no program for"),
            (of_nothing(&x, &mut y), "not there.aocx: it cannot be read"),
            (of_no_name(&x, &mut y), "pair.aocx: it has no kernel `thrice`"),
            (of_more(&x, 1, &mut y), "takes 2 arguments, and the declaration gives 3"),
        ] {
            let said = format!("{:?}", rt.submit(call).exec([10]).unwrap_err());
            assert!(said.contains(words), "no {words:?} in\n{said}");
        }
        rt.submit(twice(&x, &mut y)).exec([10]).unwrap();
        assert_eq!(y.get(0).unwrap(), -100);
    });
}

#[flash::kernel(inputs = 1, unsafe(fpga(file = "opencl/kernels/other.cl", entry = "square")))]
fn with_a_body(x: &[i32], #[out] y: &mut [i32]) {
    let i = global_id(0);
    y[i] = x[i] * x[i];
}

#[flash::kernel]
fn negative(x: &[i32], #[out] y: &mut [i32]) {
    let i = global_id(0);
    y[i] = -x[i];
}

#[test]
fn what_runs_is_said() {
    there("what_runs_is_said", || {
        let (rt, backend) = opened();
        let (x, mut y) = (Buffer::from(numbers(10)), Buffer::zeros(10));
        let said = |call: flash::Call<'_, 1>| {
            let mut pipeline = rt.pipeline();
            pipeline.push(call.over([10]));
            pipeline.explain().unwrap().to_string()
        };
        let of_source = said(with_a_body(&x, &mut y));
        assert!(of_source.contains("takes binaries that the device's tools"), "{of_source}");
        let of_body = said(negative(&x, &mut y));
        assert!(of_body.contains("as this device has a compiler"), "{of_body}");
        rt.submit(twice(&x, &mut y).pin(0)).exec([10]).unwrap();
        rt.submit(square(&x, &mut y).pin(0)).exec([10]).unwrap();
        assert_eq!(backend.switches(0), 1);
        let of_binary = said(twice(&x, &mut y).pin(0));
        let words = "`twice` of pair.aocx; the device holds other.aocx, programmed anew once";
        assert!(of_binary.contains(words), "{of_binary}");
        // A kernel for a runtime that has a processor too runs there.
        let both = Runtime::builder().devices("ALL_CPU").backend(backend).build().unwrap();
        both.submit(with_a_body(&x, &mut y)).exec([10]).unwrap();
        assert_eq!(y.get(0).unwrap(), 2500);
    });
}

#[test]
fn binaries_are_there_before_their_kernels() {
    there("binaries_are_there_before_their_kernels", || {
        let rt = Runtime::builder().devices("INTEL_FPGA").preload("pair.aocx").build().unwrap();
        let (x, mut y) = (Buffer::from(numbers(10)), Buffer::zeros(10));
        let mut pipeline = rt.pipeline();
        pipeline.push(twice(&x, &mut y).over([10]));
        let said = pipeline.explain().unwrap().to_string();
        assert!(said.contains("the device holds pair.aocx"), "{said}");
        pipeline.exec().unwrap();
        drop(pipeline);
        assert_eq!(y.get(0).unwrap(), -100);
        // The kernels of it find it, and the other one takes its place.
        let backend = Arc::new(OpenCl::fpga(&Options::default()));
        backend.preload(&["pair.aocx".into(), "./other.aocx".into()]).unwrap();
        assert_eq!((backend.binaries(0), backend.switches(0)), (2, 0));
        let rt = Runtime::builder().backend(Arc::clone(&backend) as _).build().unwrap();
        rt.submit(twice(&x, &mut y).pin(0)).exec([10]).unwrap();
        assert_eq!((backend.binaries(0), backend.switches(0)), (2, 0));
        rt.submit(square(&x, &mut y).pin(0)).exec([10]).unwrap();
        assert_eq!((backend.binaries(0), backend.switches(0)), (2, 1));
        for (file, words) in [
            ("not there.aocx", "preload=not there.aocx: it cannot be read"),
            ("text.cl", "text.cl: it is no binary of a device"),
            ("garbage.aocx", "garbage.aocx: "),
        ] {
            if !file.starts_with("not") {
                std::fs::write(file, "no program").unwrap();
            }
            let builder = Runtime::builder().devices("INTEL_FPGA").preload(file);
            let said = builder.build().unwrap_err().to_string();
            assert!(said.contains(words), "no {words:?} in\n{said}");
        }
        // Without an FPGA nothing is loaded.
        Runtime::builder().devices("ALL_CPU").preload("not there.aocx").build().unwrap();
    });
}

#[flash::kernel(unsafe(fpga(path = "pair.aocx", args(x, n = x.len()))))]
fn produce(x: &[i32]);

#[flash::kernel(unsafe(fpga(path = "pair.aocx", args(y, n = y.len()))))]
fn consume(#[out] y: &mut [i32]);

#[test]
fn kernels_talk_through_a_channel() {
    there("kernels_talk_through_a_channel", || {
        let rt = fpga().unwrap();
        // Far more numbers than the channel holds, so that both have to run at once.
        let x = Buffer::from(numbers(500));
        let expected: Vec<i32> = numbers(500).iter().map(|x| x + 1).collect();
        for device in [0, 1] {
            for consumer_first in [false, true] {
                let mut others = [(); 4].map(|()| Buffer::zeros(500));
                let mut pipeline = rt.pipeline();
                for other in &mut others {
                    pipeline.push(twice(&x, other).pin(device).over([500]));
                }
                // After it every queue is known to be idle.
                pipeline.exec().unwrap();
                drop(pipeline);
                let mut y = Buffer::zeros(500);
                let mut pipeline = rt.pipeline();
                if consumer_first {
                    pipeline.push(consume(&mut y).pin(device).over([1]));
                    pipeline.push(produce(&x).pin(device).over([1]));
                } else {
                    pipeline.push(produce(&x).pin(device).over([1]));
                    pipeline.push(consume(&mut y).pin(device).over([1]));
                }
                for _ in 0..3 {
                    pipeline.exec().unwrap();
                }
                drop(pipeline);
                assert_eq!(y.to_vec().unwrap(), expected, "{device}, {consumer_first}");
            }
        }
    });
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/other.cl", entry = "square")))]
fn square_of_text(x: &[i32], #[out] y: &mut [i32]);

#[test]
fn two_fpgas_beside_others() {
    there("two_fpgas_beside_others", || {
        let others = Arc::new(OpenCl::new(&Options::default()));
        let fpgas = Arc::new(OpenCl::fpga(&Options::default()));
        let builder = Runtime::builder().devices("ALL_CPU").backend(others);
        let rt = builder.backend(Arc::clone(&fpgas) as _).build().unwrap();
        let of = |key: &str| -> Vec<usize> {
            let all = rt.devices().iter().enumerate();
            all.filter(|(_, device)| device.key() == key).map(|(k, _)| k).collect()
        };
        let [first, second] = of("INTEL_FPGA")[..] else { panic!("{:?}", rt.devices()) };
        let [cpu] = of("ALL_CPU")[..] else { panic!("{:?}", rt.devices()) };
        let processors = of("OPENCL").len();
        assert!(processors == 2 || !flash_tests::required("opencl"), "{processors} of two");
        // Without a driver for processors the body runs on the processor itself.
        let opencl = of("OPENCL").first().copied().unwrap_or(cpu);
        let x = Buffer::from(numbers(300));
        let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| Buffer::zeros(300));
        let mut pipeline = rt.pipeline();
        pipeline.push(negative(&x, &mut a).pin(cpu).over([300]));
        // Only FPGAs have code of it.
        pipeline.push(twice(&a, &mut b).over([300]));
        pipeline.push(square(&b, &mut c).pin(second).over([300]));
        pipeline.push(negative(&c, &mut d).pin(opencl).over([300]));
        pipeline.push(running_sum(&d, &mut e).pin(first).over([1]));
        let said = pipeline.explain().unwrap().to_string();
        for run in 0..3 {
            pipeline.exec().unwrap();
            assert!(run > 0 || fpgas.binaries(0) > 0);
        }
        drop(pipeline);
        assert!(said.contains(rt.devices()[second].name()), "{said}");
        let mut sum = 0;
        let expected = numbers(300).into_iter().map(|x| {
            sum -= 4 * x * x;
            sum
        });
        assert_eq!(e.to_vec().unwrap(), expected.collect::<Vec<_>>());
        // The same on each device that has code.
        let squares: Vec<i32> = numbers(300).iter().map(|x| x * x).collect();
        for device in [opencl, first, second] {
            if rt.devices()[device].key() == "ALL_CPU" {
                continue;
            }
            let mut y = Buffer::zeros(300);
            rt.submit(square_of_text(&x, &mut y).pin(device)).exec([300]).unwrap();
            assert_eq!(y.to_vec().unwrap(), squares, "{}", rt.devices()[device].name());
        }
    });
}

/// The processor, two OpenCL devices that are it, and two FPGAs take launches in turn: bodies on those that
/// run them, code on those that have it.
#[test]
fn five_devices_take_turns() {
    there("five_devices_take_turns", || {
        let others = Arc::new(OpenCl::new(&Options::default()));
        let fpgas = Arc::new(OpenCl::fpga(&Options::default()));
        let builder = Runtime::builder().devices("ALL_CPU").backend(others).backend(fpgas);
        let rt = builder.round_robin(true).build().unwrap();
        let n_processors = rt.devices().iter().filter(|device| device.key() == "OPENCL").count();
        assert!(n_processors == 2 || !flash_tests::required("opencl"), "{n_processors} of two");
        assert_eq!(rt.devices().len(), 3 + n_processors);
        let mut arrays: Vec<Buffer<i32>> = (0..12).map(|_| Buffer::from(numbers(300))).collect();
        let mut on = [(); 24].map(|()| Var::new(u32::MAX));
        let mut p = rt.pipeline();
        for (x, on) in arrays.iter_mut().zip(on.chunks_mut(2)) {
            let [on_first, on_second] = on else { panic!("two each") };
            let mut y = Buffer::zeros(300);
            p.push(square_of_text(&*x, &mut y).chosen(on_first).over([300]));
            p.push(negative(&y, x).chosen(on_second).over([300]));
        }
        p.exec().unwrap();
        drop(p);
        let expected: Vec<i32> = numbers(300).iter().map(|x| -x * x).collect();
        for x in &arrays {
            assert_eq!(x.to_vec().unwrap(), expected);
        }
        let of = |first: usize| -> std::collections::BTreeSet<usize> {
            on[first..].iter().step_by(2).map(|on| on.get().unwrap() as usize).collect()
        };
        let all: Vec<usize> = of(0).union(&of(1)).copied().collect();
        assert_eq!(all, (0..rt.devices().len()).collect::<Vec<_>>());
        let key = |device: &usize| rt.devices()[*device].key();
        assert!(of(0).iter().all(|device| key(device) != "ALL_CPU"), "it has no body");
        assert!(of(1).iter().any(|device| key(device) == "ALL_CPU"), "it runs bodies");
    });
}

#[test]
fn of_two_devices_the_one_that_holds_the_binary() {
    there("of_two_devices_the_one_that_holds_the_binary", || {
        let x = Buffer::from(numbers(4000));
        let (few, mut y) = (Buffer::from(numbers(10)), Buffer::zeros(10));
        // By what an earlier run has measured the one that holds the binary is a little slower, and setting the
        // other one up takes longer than that.
        let names: Vec<String> = {
            let (rt, _) = opened();
            rt.devices().iter().map(|device| device.name().to_owned()).collect()
        };
        for of_twice in [0, 1] {
            let kernels = [twice(&few, &mut y).kernel(), square(&few, &mut y).kernel()];
            let mut text = "flash items per second 1\n".to_owned();
            for (kernel, holds) in kernels.into_iter().zip([of_twice, 1 - of_twice]) {
                for (k, device) in names.iter().enumerate() {
                    let (name, signature) = (kernel.name, kernel.signature);
                    let rate = if k == holds { "1e6" } else { "1.2e6" };
                    text += &format!("{device}\t{name}\t{signature:016x}\t{rate}\n");
                }
            }
            std::fs::write("times", text).unwrap();
            let backend = Arc::new(OpenCl::fpga(&Options::default()));
            let rt = Runtime::builder().backend(Arc::clone(&backend) as _).remember("times");
            let rt = rt.build().unwrap();
            rt.submit(twice(&few, &mut y).pin(of_twice)).exec([10]).unwrap();
            rt.submit(square(&few, &mut y).pin(1 - of_twice)).exec([10]).unwrap();
            for (holds, first) in [(of_twice, true), (1 - of_twice, false)] {
                let mut out = Buffer::zeros(4000);
                let mut pipeline = rt.pipeline();
                if first {
                    pipeline.push(twice(&x, &mut out).over([4000]));
                } else {
                    pipeline.push(square(&x, &mut out).over([4000]));
                }
                let said = pipeline.explain().unwrap();
                let device = said.stages()[0].device.as_deref();
                assert_eq!(device, Some(names[holds].as_str()), "{of_twice}: {said}");
            }
            assert_eq!((backend.switches(0), backend.switches(1)), (0, 0));
        }
    });
}

mod searched {
    #[flash::kernel(searchable(exact))]
    pub(super) fn square(x: &[i32], #[out] y: &mut [i32]);
}

#[test]
fn a_kernel_of_a_registered_binary_is_found() {
    there("a_kernel_of_a_registered_binary_is_found", || {
        let signature = "in i32[1], out i32[1]";
        // SAFETY: the kernel of the file writes `y[i]` of each item `i`.
        unsafe { flash::opencl::register("other.aocx", "square", signature) }.unwrap();
        let rt = fpga().unwrap();
        let (x, mut y) = (Buffer::from(numbers(100)), Buffer::zeros(100));
        rt.submit(searched::square(&x, &mut y)).exec([100]).unwrap();
        let expected: Vec<i32> = numbers(100).into_iter().map(|v| v * v).collect();
        assert_eq!(y.to_vec().unwrap(), expected);
    });
}
