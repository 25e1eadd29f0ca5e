//! Opening runtimes: keys, the registry, options, threads; and what a runtime may be used for.

use std::cell::Cell;
use std::sync::Arc;

use flash::prelude::*;
use flash::{Error, Pipeline, Report};
use flash_cpu::CpuBackend;
use flash_rt::backend::DynBackend;
use flash_rt::sim::{Config, Run, Sim};
use flash_rt::{Isa, Options, Registration, Registry};

#[flash::kernel]
fn affine(a: u32, b: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(b);
}

#[flash::kernel]
fn histogram(x: &[u8], bins: &[Atomic<u32>]) {
    bins[x[global_id(0)] as usize].fetch_add(1);
}

#[flash::kernel]
fn total(x: &[f32], sum: &[Atomic<f32>]) {
    sum[0].fetch_add(x[global_id(0)]);
}

#[test]
fn keys_name_devices() {
    let keys = |rt: &Runtime| rt.devices().iter().map(|d| d.key()).collect::<Vec<_>>();
    assert_eq!(keys(&Runtime::open("ALL_CPU").unwrap()), ["ALL_CPU"]);
    assert_eq!(keys(&Runtime::open("SIM").unwrap()), ["SIM", "SIM"]);
    assert!(!keys(&Runtime::open("ALL").unwrap()).contains(&"SIM"), "SIM is never meant by ALL");
}

#[test]
fn absent_and_unknown_keys_list_what_exists() {
    for key in ["NVIDIA_GPU", "all", "CPU"] {
        let error = Runtime::open(key).unwrap_err();
        let Error::NoDevice { asked, existing } = &error else { panic!("{error}") };
        assert_eq!(asked, key);
        assert!(existing.contains("ALL_CPU (") && existing.contains("SIM (sim:0)"), "{existing}");
        assert_eq!(existing.contains("known keys"), key != "NVIDIA_GPU", "{existing}");
    }
}

#[test]
fn third_parties_register_backends() {
    thread_local! {
        /// Of other tests, which ask for all devices, its backend has none.
        static HERE: Cell<bool> = const { Cell::new(false) };
    }
    fn open(_: &flash_rt::Options) -> flash::Result<Arc<dyn DynBackend>> {
        let devices = usize::from(HERE.get());
        Ok(Arc::new(Sim::new(Config { devices, run: Run::Ir, ..Config::default() })))
    }
    assert!(Runtime::open("MINE").is_err());
    Registry::register(Registration { key: "MINE", counts: || true, open });
    assert!(Runtime::open("MINE").is_err(), "it has no devices yet");
    HERE.set(true);
    let rt = Runtime::open("MINE").unwrap();
    let mut x = Buffer::from(vec![1_u32; 5]);
    rt.submit(affine(3, 1, &mut x)).exec([5]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [4; 5]);
}

#[test]
fn handles_go_where_threads_need_them() {
    fn both<T: Send + Sync>() {}
    fn send<T: Send>() {}
    both::<Runtime>();
    both::<Error>();
    both::<Report>();
    send::<Pipeline<'static>>();
    send::<flash::Handle>();
}

#[test]
fn one_runtime_serves_many_threads() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(4).build().unwrap();
    let shared = Buffer::from(vec![1_u32; 1000]);
    std::thread::scope(|scope| {
        for t in 0..8_u32 {
            let (rt, shared) = (&rt, &shared);
            scope.spawn(move || {
                let mut own = Buffer::from(vec![t; 3000]);
                let mut expected = t;
                for k in 0..50 {
                    rt.submit(affine(2 * k + 1, t, &mut own)).exec([3000]).unwrap();
                    expected = expected.wrapping_mul(2 * k + 1).wrapping_add(t);
                    // The same for all threads, so that their order does not matter.
                    rt.submit(affine(1, 1, &mut shared.clone())).exec([1000]).unwrap();
                }
                assert_eq!(own.to_vec().unwrap(), vec![expected; 3000]);
            });
        }
    });
    assert_eq!(shared.to_vec().unwrap(), [401; 1000], "no launch was lost or torn");
}

/// Also where it is kept, and was prepared before the other runtime had the array.
#[test]
fn a_launch_alone_takes_what_another_runtime_has_on_a_device() {
    let (cpu, sim) = (Runtime::open("ALL_CPU").unwrap(), Runtime::open("SIM").unwrap());
    let mut x = Buffer::from(vec![1_u32; 100]);
    sim.submit(affine(2, 1, &mut x)).exec([100]).unwrap();
    cpu.submit(affine(2, 1, &mut x)).exec([100]).unwrap();
    let mut kept = cpu.pipeline();
    kept.push(affine(3, 0, &mut x).over([100]));
    kept.exec().unwrap();
    sim.submit(affine(1, 1, &mut x)).exec([100]).unwrap();
    kept.exec().unwrap();
    assert_eq!(x.to_vec().unwrap(), vec![(7 * 3 + 1) * 3; 100]);
}

#[test]
fn chains_repeat_as_a_whole() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let mut x = Buffer::from(vec![1_u32; 7]);
    let mut y = x.clone();
    let report = rt
        .submit(affine(3, 1, &mut x))
        .defer([7])
        .submit(affine(5, 2, &mut y))
        .defer([7])
        .repeat(4)
        .exec()
        .unwrap();
    let expected = (0..4).fold(1_u32, |v, _| (v * 3 + 1) * 5 + 2);
    assert_eq!(x.to_vec().unwrap(), [expected; 7]);
    let row = report.kernel("affine").unwrap();
    assert_eq!((row.count, row.bytes), (8, 8 * 2 * 28));
    assert!(report.to_string().contains("affine"), "{report}");
    assert!(row.share > 0.0 && row.share <= 1.0, "{row:?}");
}

#[test]
fn deterministic_runtimes_refuse_float_atomics() {
    let rt = Runtime::builder().devices("ALL_CPU").deterministic(true).build().unwrap();
    let x = Buffer::from(vec![1.0_f32; 100]);
    let mut sum = Buffer::<f32>::zeros(1);
    let error = rt.submit(total(&x, &mut sum)).exec([100]).unwrap_err();
    assert!(error.to_string().contains("`sum` depend on the order"), "{error}");
    let bytes = Buffer::from(vec![3_u8; 100]);
    let mut bins = Buffer::<u32>::zeros(256);
    rt.submit(histogram(&bytes, &mut bins)).exec([100]).unwrap();
    assert_eq!(bins.get(3).unwrap(), 100);
    let rt = Runtime::open("ALL_CPU").unwrap();
    rt.submit(total(&x, &mut sum)).exec([100]).unwrap();
    assert_eq!(sum.get(0).unwrap(), 100.0);
}

#[test]
fn explain_names_the_instruction_set_and_the_path() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let mut x = Buffer::from(vec![1_u32; 7]);
    let mut p = rt.pipeline();
    p.push(affine(3, 1, &mut x).over([7]));
    let text = p.explain().unwrap().to_string();
    let isas = ["AVX-512", "AVX2", "baseline"];
    assert!(isas.iter().any(|isa| text.contains(isa)), "{text}");
    assert!(text.contains("x: read and written, [7] (28 B), own place [id 0]"), "{text}");
}

#[flash::kernel]
fn blur(x: &[f32], #[out(partial)] y: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() {
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
    }
}

#[test]
fn kernels_that_read_neighbours_use_narrow_vectors_unless_asked_or_on_zen_5() {
    let x = Buffer::from(vec![1.0_f32; 100]);
    let mut y = Buffer::zeros(100);
    let mut wide = |isa| {
        let mut options = Options::default();
        options.isa = isa;
        let cpu = CpuBackend::new(&options).unwrap();
        let rt = Runtime::builder().backend(Arc::new(cpu)).build().unwrap();
        let mut p = rt.pipeline();
        p.push(blur(&x, &mut y).over([100]));
        p.explain().unwrap().to_string().contains("AVX-512, fast path")
    };
    let best = flash_cpu::isa::detected();
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    // As the kernel of Linux reads it: 26 is Zen 5.
    let family = cpus.lines().find_map(|line| line.strip_prefix("cpu family")?.split_once(':'));
    let family: u32 = family.and_then(|(_, n)| n.trim().parse().ok()).unwrap_or_default();
    let zen_5 = cpus.contains("AuthenticAMD") && family >= 26;
    // A debug build has no code for AVX-512.
    let is_there = best == Isa::Avx512 && !cfg!(debug_assertions);
    assert_eq!(wide(None), is_there && zen_5);
    assert_eq!(wide(Some(best)), is_there);
}

#[test]
fn a_vector_that_was_swapped_comes_back_from_where_its_elements_are() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let n = 1 << 19;
    let values: Vec<u32> = (0..n).collect();
    let place = values.as_ptr();
    let (a, b) = (Buffer::from(values), Buffer::<u32>::zeros(n as usize));
    flash_pipeline! { in rt; for _ in 0..3 { swap(a, b); } }.exec().unwrap();
    assert!(a.into_vec().unwrap().iter().all(|&x| x == 0));
    let back = b.into_vec().unwrap();
    assert_eq!(back.as_ptr(), place);
    assert!(back.into_iter().eq(0..n));
}

#[flash::kernel]
fn gather(at: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[at[i] as usize];
}

#[test]
fn explain_says_what_is_reached_and_what_moves() {
    let rt = Runtime::open("SIM").unwrap();
    let x = Buffer::from(vec![1.0_f32; 100]);
    let at = Buffer::from(vec![3_u32; 100]);
    let mut y = Buffer::zeros(100);
    let mut p = rt.pipeline();
    p.push(blur(&x, &mut y).over([40]));
    p.push(gather(&at, &x, &mut y).over([100]));
    let text = p.explain().unwrap().to_string();
    for part in [
        "0: blur over [40] on sim:0",
        "x: read, [100] (400 B), reads [0..41]",
        "y: written in part, [100] (400 B), own place [id 0], writes [0..40], uploaded",
        "1: gather over [100] on sim:1",
        "x: read, [100] (400 B), reads [0..100] anywhere: the index depends on data",
        "IR interpreter",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn explain_shows_the_first_trips_and_asks_nothing_that_has_none() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let x = Buffer::from(vec![1.0_f32; 101]);
    let mut y = Buffer::zeros(100);
    let n = Var::new(2_usize);
    let asked = &std::sync::Mutex::new(Vec::new());
    let ask = |what: usize| {
        asked.lock().unwrap().push(what);
        what
    };
    let mut p = flash_pipeline! { in rt;
        for i in 3..5_usize {
            blur(&x, &mut y)[ask(10 * i)];
            for j in 2 * i..2 * i + 2 {
                blur(&x, &mut y)[ask(i + 10 * j)];
            }
            for j in i..3 {
                blur(&x, &mut y)[ask(1_000 * j)];
            }
        }
        for j in 0..&n {
            blur(&x, &mut y)[ask(j + 2_000)];
        }
    };
    let expected = ["[30] at first", "[63] at first", "a space by loop"];
    let over = |p: &mut flash::Pipeline<'_>| -> Vec<String> {
        let stages = p.explain().unwrap().stages().to_vec();
        let launches = stages.into_iter().filter(|stage| stage.name == "blur");
        launches.map(|stage| stage.over.replace("over ", "")).collect()
    };
    assert_eq!(over(&mut p)[..3], expected);
    assert_eq!(over(&mut p)[3], "a space by loop");
    assert_eq!(std::mem::take(&mut *asked.lock().unwrap()), [30, 63, 30, 63]);
    n.set(0).unwrap();
    p.exec().unwrap();
    let run = std::mem::take(&mut *asked.lock().unwrap());
    assert_eq!(run.len(), 6, "each of them when it is dispatched: {run:?}");
    // Nor is it what ran last.
    assert_eq!(over(&mut p)[..3], expected);
}

/// As a pipeline of the macro, whose decisions and loops name variables.
#[test]
fn explain_asks_nothing_that_a_run_may_not() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let x = Buffer::from(vec![1.0_f32; 101]);
    let mut y = Buffer::zeros(100);
    let (mut z, table) = (Buffer::from(vec![1_u32; 100]), [2, 3, 5]);
    let (table, go) = (&table, Var::new(false));
    let mut p = flash_pipeline! { in rt;
        for k in 0..4_usize {
            if k > 0 {
                blur(&x, &mut y)[12 / k];
                affine(table[k - 1], 1, &mut z)[40];
            } else {
                blur(&x, &mut y)[12 / (k + 1)];
            }
        }
        while &go, max 3 {
            for k in 3..5_usize { blur(&x, &mut y)[30 / (k - 3)]; }
        }
        while trip() < 2_u32, max 3 {
            for k in 3..5_usize { blur(&x, &mut y)[30 / k]; }
        }
    };
    let how = p.explain().unwrap();
    let launches = how.stages().iter().filter(|stage| stage.device.is_some());
    let overs: Vec<_> = launches.map(|stage| stage.over.replace("over ", "")).collect();
    let by_loop = "a space by loop";
    assert_eq!(overs, [by_loop, "[40]", "[12] at first", by_loop, "[10] at first"]);
    let params = &how.stages()[3].params;
    assert_eq!(params[..2], ["a: value by loop", "b: value"]);
    assert!(params[2].starts_with("x: read and written, [100] (400 B)"), "{params:?}");
    p.exec().unwrap();
}

#[flash::kernel]
fn copy_box(x: View<'_, f64, 3>, #[out] y: ViewMut<'_, f64, 3>) {
    let (d, j, i) = (global_id(2), global_id(1), global_id(0));
    y[[d, j, i]] = x[[d, j, i]];
}

#[flash::kernel]
fn corner(x: View<'_, f64, 3>, #[out] y: &mut [f64]) {
    let i = global_id(0);
    y[i] = x[[i, 0, 0]] + 1.0;
}

/// Nothing, but its extents are too large to multiply, and its bytes even more so.
#[test]
fn nothing_of_a_huge_shape() {
    const HUGE: usize = 1 << 31;
    for key in ["ALL_CPU", "SIM"] {
        let rt = Runtime::open(key).unwrap();
        for shape in [[0, HUGE, HUGE], [HUGE, 0, HUGE], [HUGE, HUGE, 0]] {
            let [d, h, w] = shape;
            let values = ndarray::ArrayView3::from_shape(shape, &[]).unwrap();
            let mut out = ndarray::Array3::<f64>::zeros(shape);
            rt.submit(copy_box(values, &mut out)).exec([w, h, d]).unwrap();
            rt.submit(copy_box(&out, &mut Buffer::zeros(shape))).exec([w, h, d]).unwrap();
            let x = Buffer::<f64, 3>::zeros(shape);
            assert_eq!((x.len(), x.to_vec().unwrap()), (0, Vec::new()));
            let mut y = Buffer::from(vec![7.0; 4]);
            let error = rt.submit(corner(values, &mut y)).exec([4]).unwrap_err();
            let Error::OutOfBounds { param: "x", shape: found, .. } = &error else {
                panic!("{error:?}")
            };
            assert_eq!(found[..], shape);
            assert_eq!(y.to_vec().unwrap(), [1.0; 4], "what is not there reads as zero");
        }
    }
}

/// All threads of a pool run pipelines, more of them than it has threads, and wait for each other's
/// arrays.
#[test]
fn a_busy_pool_of_another_library() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let rt = Runtime::builder().devices("ALL_CPU").threads(3).build().unwrap();
    let shared = Buffer::from(vec![0_u32; 2000]);
    let all: Vec<u32> = pool.install(|| {
        use rayon::prelude::*;
        (0..60_u32)
            .into_par_iter()
            .map(|t| {
                let (rt, mut sum) = (&rt, shared.clone());
                let mut own = Buffer::from(vec![t; 2000]);
                rayon::join(
                    || {
                        for k in 0..10 {
                            rt.submit(affine(3, k, &mut own)).exec([2000]).unwrap();
                        }
                    },
                    || {
                        let mut p = rt.pipeline();
                        p.push(affine(1, t, &mut sum).over([2000]));
                        p.push(Task::new("look", (&sum,), |(sum,)| {
                            assert_eq!(sum[[0]], sum[[1999]]);
                        }));
                        p.exec().unwrap();
                    },
                );
                let own = own.to_vec().unwrap();
                assert!(own.iter().all(|&value| value == own[0]));
                own[0]
            })
            .collect()
    });
    let program = |t: u32| (0..10).fold(t, |v, k| v.wrapping_mul(3).wrapping_add(k));
    assert_eq!(all, (0..60).map(program).collect::<Vec<_>>());
    assert_eq!(shared.to_vec().unwrap(), [(0..60).sum(); 2000], "no launch was lost");
}

/// What a thread keeps for its next pipeline holds nothing of the runtime of the last one.
#[test]
fn a_runtime_that_is_gone_leaves_no_device() {
    let cpu = Arc::new(CpuBackend::new(&Options::default()).unwrap());
    let gone = Arc::downgrade(&cpu);
    let rt = Runtime::builder().backend(cpu).threads(3).build().unwrap();
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 64]), Buffer::from(vec![2_u32; 64]));
    rt.submit(affine(3, 1, &mut x)).exec([64]).unwrap();
    for _ in 0..2 {
        let mut p = flash_pipeline! { in rt;
            for _k in 0..3_u32 {
                affine(3, 1, &mut x)[64];
                affine(5, 1, &mut y)[64];
                Task::new("look", (&x,), |(x,)| { std::hint::black_box(x[[0]]); });
            }
        };
        p.exec().unwrap();
    }
    assert!(gone.upgrade().is_some());
    drop(rt);
    assert!(gone.upgrade().is_none(), "the device is kept");
}
