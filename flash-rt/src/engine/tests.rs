//! Runs of hand-written kernels on the simulator.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::backend::conformance::kernels;
use crate::lazy::Lazy;
use crate::sim::{Config, Run, Sim};
use crate::{Arg, Bound, Buffer, Call, Env, Error, NoBackends, Runtime, Task, Var, View, ViewMut};

fn sim(options: Config) -> (Sim, Runtime) {
    let sim = Sim::new(Config { run: Run::Entry, ..options });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

fn saxpy<'a>(a: f32, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Call<'a, 1> {
    let y = Arg::<&'a mut [f32]>::bind(y);
    Call::new(&kernels::SAXPY, [Arg::<f32>::bind(a), Arg::<&'a [f32]>::bind(x), y])
}

#[test]
fn one_kernel_end_to_end() {
    let (sim, rt) = sim(Config { devices: 1, ..Config::default() });
    let n = 1000;
    let x = Buffer::from((0..n).map(|i| i as f32).collect::<Vec<_>>());
    let mut y = Buffer::from(vec![1.0_f32; n]);
    let report = rt.submit(saxpy(2.0, &x, &mut y)).exec([n]).unwrap();
    assert_eq!(report.kernel("saxpy").unwrap().count, 1);
    assert_eq!(y.to_vec().unwrap(), (0..n).map(|i| 2.0 * i as f32 + 1.0).collect::<Vec<_>>());
    assert_eq!(sim.counts().launches, 1);
    assert_eq!(sim.counts().uploads, 2);
    assert_eq!(sim.counts().downloads, 1);
}

fn affine<'a>(a: u32, b: u32, x: impl Arg<'a, &'a mut [u32]>) -> Call<'a, 1> {
    let args = [Arg::<u32>::bind(a), Arg::<u32>::bind(b), x.bind()];
    Call::new(&kernels::AFFINE, args)
}

fn sum<'a>(x: &Buffer<f64>, s: &mut Var<f64>) -> Call<'a, 1> {
    Call::new(&kernels::SUM, [Arg::<&'a [f64]>::bind(x), Arg::<&'a mut f64>::bind(s)])
}

fn transpose<'a>(x: &Buffer<u32, 2>, out: &mut Buffer<u32, 2>) -> Call<'a, 2> {
    let out = Arg::<ViewMut<'a, u32, 2>>::bind(out);
    Call::new(&kernels::TRANSPOSE, [Arg::<View<'a, u32, 2>>::bind(x), out])
}

fn divide<'a>(x: &Buffer<u32>, y: &mut Buffer<u32>) -> Call<'a, 1> {
    Call::new(&kernels::DIVIDE, [Arg::<&'a [u32]>::bind(x), Arg::<&'a mut [u32]>::bind(y)])
}

#[test]
fn stages_run_in_order_over_all_devices() {
    let (sim, rt) = sim(Config { devices: 3, ..Config::default() });
    let mut x = Buffer::from(vec![1_u32; 10]);
    let mut p = rt.pipeline();
    p.push(affine(3, 1, &mut x).over([10]));
    p.push(affine(5, 2, &mut x).over([10]));
    p.push(affine(7, 3, x.view_mut(0..5)).over([5]));
    let first = |v: u32| ((v * 3 + 1) * 5 + 2) * 7 + 3;
    let rest = |v: u32| (v * 3 + 1) * 5 + 2;
    for (a, b) in [(first(1), rest(1)), (first(first(1)), rest(rest(1)))] {
        let report = p.exec().unwrap();
        assert_eq!(report.kernel("affine").unwrap().count, 3);
        let x = x.to_vec().unwrap();
        assert_eq!(x, [[a; 5], [b; 5]].concat());
    }
    // The counters of the runs and of the device are two views of the same calls.
    sim.clear_calls();
    let report = p.exec().unwrap();
    let (seen, counted) = (report.transfers(), sim.counts());
    assert_eq!((seen.uploads, seen.uploaded), (counted.uploads, counted.uploaded));
    assert_eq!((seen.downloads, seen.downloaded), (counted.downloads, counted.downloaded));
    assert!(counted.uploads >= 1 && counted.downloads >= 2, "{counted:?}");
}

#[test]
fn loops_swaps_and_host_tasks_keep_program_order() {
    let (_, rt) = sim(Config::default());
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 4]), Buffer::from(vec![100_u32; 4]));
    let mut p = rt.pipeline();
    let step = p.begin_for(0..5_u32);
    let b = Lazy(move |env: &Env| step.get(env));
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(b), Arg::<&mut [u32]>::bind(&mut x)];
    p.push(Call::<1>::new(&kernels::AFFINE, args).over([4]));
    p.push(Task::new("double", (&mut y,), |(mut y,)| {
        for k in 0..4 {
            y[[k]] *= 2;
        }
    }));
    p.swap(&x, &y);
    p.end_for();
    p.exec().unwrap();
    let (mut a, mut b) = (1_u32, 100_u32);
    for step in 0..5 {
        a = a * 3 + step;
        b *= 2;
        std::mem::swap(&mut a, &mut b);
    }
    assert_eq!(x.to_vec().unwrap(), [a; 4]);
    assert_eq!(y.to_vec().unwrap(), [b; 4]);
}

#[test]
fn full_outputs_are_not_uploaded() {
    let (sim, rt) = sim(Config { devices: 1, ..Config::default() });
    let x = Buffer::from_shape([2, 3], (0..6).collect::<Vec<u32>>()).unwrap();
    let mut out = Buffer::zeros([3, 2]);
    rt.submit(transpose(&x, &mut out)).exec([2, 3]).unwrap();
    assert_eq!(sim.counts().uploads, 1, "{:?}", sim.calls());
    assert_eq!(out.to_vec().unwrap(), [0, 3, 1, 4, 2, 5]);
    let mut wide = Buffer::from_shape([4, 2], vec![9; 8]).unwrap();
    rt.submit(transpose(&x, &mut wide)).exec([2, 3]).unwrap();
    assert_eq!(sim.counts().uploads, 2, "the rest of a partial output has to be there");
    assert_eq!(wide.to_vec().unwrap(), [0, 3, 1, 4, 2, 5, 9, 9]);
}

#[test]
fn reductions_scratch_and_nothing_at_all() {
    let (_, rt) = sim(Config::default());
    let x = Buffer::from((0..10_000).map(f64::from).collect::<Vec<_>>());
    let mut s = Var::new(-1.0);
    let report = rt.submit(sum(&x, &mut s)).exec([10_000]).unwrap();
    assert_eq!(report.value(&s).unwrap(), 49_995_000.0);
    rt.submit(sum(&x, &mut s)).exec([0]).unwrap();
    assert_eq!(s.get().unwrap(), 0.0, "no items leave the identity");
    let into = [Arg::<&[f64]>::bind(&x), Arg::<&mut f64>::bind(&mut s)];
    rt.submit(Call::<1>::new(&kernels::SUM_INTO, into)).exec([10]).unwrap();
    let into = [Arg::<&[f64]>::bind(&x), Arg::<&mut f64>::bind(&mut s)];
    rt.submit(Call::<1>::new(&kernels::SUM_INTO, into)).exec([10]).unwrap();
    assert_eq!(s.get().unwrap(), 90.0);
    let mut out = Buffer::from(vec![7_u32; 5]);
    let mut p = rt.pipeline();
    p.push(Call::<1>::new(&kernels::SCRATCH, [Arg::<&mut [u32]>::bind(&mut out)]).over([5]));
    for _ in 0..3 {
        p.exec().unwrap();
        assert_eq!(out.to_vec().unwrap(), [1; 5], "scratch starts from zero each time");
    }
}

#[test]
fn what_may_not_run_does_not() {
    let (sim, rt) = sim(Config::default());
    let mut x = Buffer::from(vec![1_u32; 8]);
    let mut y = x.clone();
    let error = rt.submit(divide(&x, &mut y)).exec([8]).unwrap_err();
    assert!(matches!(error, Error::Aliased { written: "y", other: "x", .. }), "{error}");
    let error = rt.submit(affine(1, 1, &mut x)).exec([9]).unwrap_err();
    assert!(
        matches!(&error, Error::OutOfBounds { kernel: "affine", param: "x", item, index, .. }
            if item[..] == [8] && index[..] == [8]),
        "{error}"
    );
    let zeros = Buffer::from(vec![5_u32, 0, 5]);
    let error = rt.submit(divide(&zeros, &mut y)).exec([3]).unwrap_err();
    assert!(matches!(error, Error::KernelPanic { kernel: "divide", .. }), "{error}");
    let error = rt.submit(affine(1, 1, &mut x)).exec([usize::MAX]).unwrap_err();
    assert!(matches!(error, Error::TooLarge { what: "index space", .. }), "{error}");
    sim.clear_calls();
    rt.submit(affine(1, 1, &mut x)).exec([0]).unwrap();
    assert_eq!(sim.counts().launches, 0);
    rt.submit(affine(2, 0, &mut x)).exec([8]).unwrap();
    // What the failed launches did before they failed is there: all but the ninth item, the first.
    assert_eq!(x.to_vec().unwrap()[..3], [40, 4, 4], "the buffer is usable afterwards");
}

#[test]
fn a_failed_task_cancels_what_follows() {
    let (_, rt) = sim(Config::default());
    let mut x = Buffer::from(vec![1_u32; 4]);
    let mut p = rt.pipeline();
    p.push(affine(2, 0, &mut x).over([4]));
    p.push(Task::new("fail", (&x,), |(_,)| Err("on purpose".into())));
    p.push(affine(100, 0, &mut x).over([4]));
    p.push(Task::new("never", (&x,), |(_,)| -> () { unreachable!("it was cancelled") }));
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::HostTask { task: "fail", .. }), "{error}");
    // The kernel does not touch the memory that the task reads, so it may have begun before.
    let x = x.to_vec().unwrap();
    assert!(x == [2; 4] || x == [200; 4], "{x:?}");
    // What needs something of the task has not.
    let mut y = Buffer::from(vec![1_u32; 4]);
    let mut p = rt.pipeline();
    p.push(Task::new("fail", (&mut y,), |(_,)| Err("on purpose".into())));
    p.push(affine(100, 0, &mut y).over([4]));
    p.exec().unwrap_err();
    assert_eq!(y.to_vec().unwrap(), [1; 4]);
}

#[test]
fn a_handle_is_woken_once() {
    #[derive(Default)]
    struct Counter(AtomicUsize);
    impl std::task::Wake for Counter {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let (_, rt) = sim(Config::default());
    let x = Buffer::from(vec![1_u32; 4]);
    let (release, held) = std::sync::mpsc::channel::<()>();
    let mut p = rt.pipeline();
    p.push(Task::new("held", (&x,), move |(_,)| {
        held.recv()?;
        Ok(())
    }));
    let mut handle = p.launch();
    let counter = Arc::new(Counter::default());
    let waker = std::task::Waker::from(Arc::clone(&counter));
    let mut cx = std::task::Context::from_waker(&waker);
    for _ in 0..3 {
        assert!(std::pin::Pin::new(&mut handle).poll(&mut cx).is_pending());
    }
    assert_eq!(counter.0.load(Ordering::SeqCst), 0);
    release.send(()).unwrap();
    while !handle.is_finished() {
        std::thread::yield_now();
    }
    let woken = std::time::Instant::now();
    while counter.0.load(Ordering::SeqCst) == 0 && woken.elapsed().as_secs() < 120 {
        std::thread::yield_now();
    }
    assert!(std::pin::Pin::new(&mut handle).poll(&mut cx).is_ready());
    assert_eq!(counter.0.load(Ordering::SeqCst), 1);
}

#[test]
fn launches_run_in_the_order_of_their_calls() {
    let (_, rt) = sim(Config::default());
    let mut x = Buffer::from(vec![1_u32; 4]);
    let mut expected = 1_u32;
    let handles: Vec<_> = (2..40)
        .map(|k| {
            expected = expected.wrapping_mul(k).wrapping_add(1);
            let mut p = rt.pipeline();
            p.push(affine(k, 1, &mut x).over([4]));
            p.launch()
        })
        .collect();
    assert_eq!(x.to_vec().unwrap(), [expected; 4], "a read waits for what was launched before");
    for handle in handles {
        handle.wait().unwrap();
    }
}

#[test]
fn scopes_join_and_report() {
    let (_, rt) = sim(Config::default());
    let mut values = vec![1_u32; 100];
    let mut bound = Bound::new(&mut values);
    let mut good = rt.pipeline();
    good.push(affine(3, 1, &mut bound).over([100]));
    let mut bad = rt.pipeline();
    bad.push(affine(1, 0, &mut bound).over([101]));
    let result = rt.scope(|scope| {
        scope.launch(&mut good);
        scope.launch(&mut bad);
        7
    });
    assert!(matches!(result, Err(Error::OutOfBounds { .. })), "{result:?}");
    let result = rt.scope(|scope| {
        scope.launch(&mut good);
        7
    });
    assert_eq!(result.unwrap(), 7);
    drop((good, bad, bound));
    assert_eq!(values, [13; 100]);
}

#[test]
fn explain_says_where_how_and_what_moves() {
    let (sim, rt) = sim(Config { devices: 1, ..Config::default() });
    let x = Buffer::from_shape([2, 3], (0..6).collect::<Vec<u32>>()).unwrap();
    let mut out = Buffer::zeros([3, 2]);
    let mut p = rt.pipeline();
    p.begin_for(0..3_usize);
    p.push(transpose(&x, &mut out).over([2, 3]));
    p.end_for();
    let text = p.explain().unwrap().to_string();
    for part in [
        "for 3 trips",
        "transpose over [2, 3] on sim:0",
        "baseline CPU entry",
        "x: read, [2, 3] (24 B), uploaded",
        "out: written, full, [3, 2] (24 B), own place [id 1, id 0], no upload",
        file!(),
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(sim.counts().launches, 0);
}

#[test]
fn a_full_device_gives_images_back() {
    let options = Config { devices: 1, memory: 1000, ..Config::default() };
    let (sim, rt) = sim(options);
    let mut all: Vec<Buffer<u32>> = (0..10).map(|k| Buffer::from(vec![k; 100])).collect();
    // One by one, and all in one run: never more than two of them fit.
    for (k, x) in all.iter_mut().enumerate() {
        rt.submit(affine(3, k as u32, x)).exec([100]).unwrap();
    }
    let mut p = rt.pipeline();
    for x in &mut all {
        p.push(affine(5, 1, x).over([100]));
    }
    p.exec().unwrap();
    for (k, x) in all.iter().enumerate() {
        assert_eq!(x.to_vec().unwrap(), [(3 * k as u32 + k as u32) * 5 + 1; 100]);
    }
    let mut large = Buffer::from(vec![1_u32; 251]);
    let error = rt.submit(affine(3, 1, &mut large)).exec([251]).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { bytes: 1004, .. }), "{error}");
    assert_eq!(large.to_vec().unwrap(), [1; 251], "the data are still there");
    drop(all);
    assert!(sim.counts().allocations >= 20);
}

#[test]
fn a_memory_limit_is_kept() {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder();
    let rt = builder.backend(Arc::new(sim)).memory_limit(500).build().unwrap();
    let mut x = Buffer::from(vec![1_u32; 100]);
    let mut y = Buffer::from(vec![1_u32; 100]);
    rt.submit(affine(3, 1, &mut x)).exec([100]).unwrap();
    rt.submit(affine(3, 1, &mut y)).exec([100]).unwrap();
    assert!(rt.devices()[0].bytes_used() <= 500);
    let error = rt.submit(divide(&x, &mut y)).exec([100]).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { .. }), "both do not fit: {error}");
    let text = error.to_string();
    for said in [
        "`sim:0` has no room for 400 bytes for `x` (node 0, `divide`, called at ",
        "where 400 of 500 are taken",
        "`memory_limit`",
    ] {
        assert!(text.contains(said), "{said:?} is not in {text:?}");
    }
    assert_eq!((x.get(7).unwrap(), y.get(7).unwrap()), (4, 4));
}

#[test]
fn a_guard_of_this_thread_is_an_error_and_not_a_wait() {
    let (_, rt) = sim(Config::default());
    let mut x = Buffer::from(vec![1_u32; 10]);
    let guard = x.read(..).unwrap();
    let error = rt.submit(affine(3, 1, &mut x.clone())).exec([10]).unwrap_err();
    assert!(matches!(error, Error::HostBorrowed { kernel: "affine", param: "x", .. }), "{error}");
    drop(guard);
    rt.submit(affine(3, 1, &mut x)).exec([10]).unwrap();
}

#[test]
fn a_kernel_runs_beside_a_host_task_it_does_not_touch() {
    let (_, rt) = sim(Config::default());
    let x = Buffer::from(vec![1_u32; 10]);
    let mut y = Buffer::from(vec![1_u32; 10]);
    let (reached, is_reached) = std::sync::mpsc::channel();
    let mut p = rt.pipeline();
    p.begin_for(0..1_u32);
    p.push(Task::new("waits", (&x,), move |(_,)| {
        // Sent when the kernel is dispatched; a task that were alone would wait in vain.
        is_reached.recv_timeout(std::time::Duration::from_secs(120))?;
        Ok(())
    }));
    let b = Lazy(move |_: &Env| {
        let _ = reached.send(());
        7_u32
    });
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(b), Arg::<&mut [u32]>::bind(&mut y)];
    p.push(Call::<1>::new(&kernels::AFFINE, args).over([10]));
    p.end_for();
    p.exec().unwrap();
    assert_eq!(y.to_vec().unwrap(), [10; 10]);
}

#[test]
fn all_runs_share_the_threads_of_the_runtime() {
    let (_, rt) = sim(Config::default());
    let seen = Arc::new(std::sync::Mutex::new(std::collections::HashSet::new()));
    let (x, mut y) = (Buffer::from(vec![1_u32; 4]), Buffer::from(vec![1_u32; 4]));
    let mut p = rt.pipeline();
    let of_task = Arc::clone(&seen);
    p.push(Task::new("look", (&x,), move |(_x,)| {
        of_task.lock().unwrap().insert(std::thread::current().id());
    }));
    // Touches something else, so the task runs beside it.
    p.push(affine(3, 1, &mut y).over([4]));
    for _ in 0..20 {
        p.exec().unwrap();
    }
    let seen = seen.lock().unwrap();
    // The caller, and helpers for host tasks and two devices.
    assert!(seen.len() <= 5, "{seen:?}");
}

#[test]
fn bytes_are_what_is_read_once_and_written_once() {
    let (_, rt) = sim(Config::default());
    let (x, mut y) = (Buffer::from(vec![1.0_f32; 8]), Buffer::from(vec![1.0_f32; 8]));
    // A launch without items touches nothing.
    for (n, expected) in [(8, 3 * 8 * 4), (0, 0)] {
        let report = rt.submit(saxpy(2.0, &x, &mut y)).exec([n]).unwrap();
        assert_eq!((report.kernels()[0].count, report.kernels()[0].bytes), (1, expected));
    }
    // An output that is overwritten entirely is not read.
    let x = Buffer::from_shape([2, 3], vec![1_u32; 6]).unwrap();
    let mut out = Buffer::zeros([3, 2]);
    let report = rt.submit(transpose(&x, &mut out)).exec([2, 3]).unwrap();
    assert_eq!(report.kernels()[0].bytes, 2 * 6 * 4);
}

#[test]
fn nodes_stay_as_they_are_while_their_list_grows() {
    const NODES: u32 = 40_000;
    let (_, rt) = sim(Config::default());
    let mut n = crate::Var::new(0_u32);
    let mut p = rt.pipeline();
    for k in 0..NODES {
        // Each finds the one before it done.
        p.push(Task::new("next", (&mut n,), move |(n,)| {
            assert_eq!(*n, k);
            *n += 1;
        }));
    }
    p.exec().unwrap();
    assert_eq!(n.get().unwrap(), NODES);
}
