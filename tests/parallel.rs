//! Really parallel: a kernel records thread and processor of each block it runs. And quiet after
//! work: the threads of an idle process sleep.

use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use flash::__private::ir::{ScalarTy, Ty};
use flash::__private::rt::descriptor::{
    Component, DESCRIPTOR_VERSION, Elem, Entries, Flags, Order, ParamDescriptor, Parts,
};
use flash::__private::rt::entry::{Args, Bad};
use flash::__private::rt::{Block, KernelDescriptor, Role};
use flash::{Arg, Buffer, Call, Runtime, Task};

/// Both tests need the processors for themselves.
static ALONE: Mutex<()> = Mutex::new(());

/// Who ran a block, where, how long, and how many items it had.
#[derive(Clone, Copy, Debug)]
struct Ran {
    thread: ThreadId,
    processor: Option<usize>,
    time: Duration,
    items: usize,
}

static RECORD: Mutex<Vec<Ran>> = Mutex::new(Vec::new());

const OWN: Component = Component::Id { dim: 0, offset: |_| Some(0) };

/// `y[i] += 1`, with some work for each item; written by hand, as bodies record nothing.
static WORK: KernelDescriptor = KernelDescriptor {
    version: DESCRIPTOR_VERSION,
    name: "work",
    path: module_path!(),
    signature: 0,
    rank: 1,
    params: &[ParamDescriptor {
        name: "y",
        role: Role::InOut,
        ty: Ty::Scalar(ScalarTy::U32),
        elem: Elem::of::<u32>(),
        rank: 1,
        own: &[OWN],
        raw: false,
        always_written: true,
    }],
    inputs: None,
    flags: Flags { idempotent: false, fast_math: false, deterministic: false },
    order: Order::NATURAL,
    parts: Parts::Whole,
    search: None,
    table: None,
    needs: &[],
    entries: Some(Entries::portable(work)),
    ir: None,
    slow: &[],
    implementations: &[],
    file: file!(),
    line: line!(),
    column: 1,
    unoptimised: false,
};

fn work(args: &mut Args<'_>, block: &Block) {
    let start = Instant::now();
    let mut y = args.own::<u32, 1>(0);
    let mut bad = Bad::new();
    for (k, i) in (block.lo(0)..block.hi(0)).enumerate() {
        let noise = (0..300_u32).fold(i as u32, |x, _| std::hint::black_box(x.rotate_left(5) ^ x));
        let value = y.get([i], [i], k, &mut bad).wrapping_add(1 + u32::from(noise == u32::MAX));
        y.set([i], [i], k, &mut bad, value);
    }
    args.report(0, &bad, &[block.lo(0)]);
    let ran = Ran {
        thread: std::thread::current().id(),
        processor: processor(),
        time: start.elapsed(),
        items: block.n_items(),
    };
    RECORD.lock().expect("no block panics").push(ran);
}

/// The processor the caller runs on, where `/proc` tells.
fn processor() -> Option<usize> {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    // Field 39, counted behind the name, which may hold anything but a last `)`.
    stat.rsplit_once(')')?.1.split_whitespace().nth(36)?.parse().ok()
}

fn launch(rt: &Runtime, y: &mut Buffer<u32>, n: usize) -> (Duration, Vec<Ran>) {
    RECORD.lock().expect("no block panics").clear();
    let start = Instant::now();
    let call = Call::<1>::new(&WORK, [Arg::<&mut [u32]>::bind(y)]);
    rt.submit(call).exec([n]).expect("it runs");
    (start.elapsed(), std::mem::take(&mut *RECORD.lock().expect("no block panics")))
}

#[test]
fn both_workers_take_a_quarter_or_more_of_a_long_launch() {
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().expect("the processor");
    // As many items as take 100 ms on two workers.
    let mut n = 4_096;
    let mut y = Buffer::zeros(n);
    let (time, _) = launch(&rt, &mut y, n);
    n = (n as f64 * 0.1 / time.as_secs_f64()) as usize;
    // Other programs may hold a processor for a while, so one launch of three is enough.
    let mut report = String::new();
    for _ in 0..3 {
        let mut y = Buffer::zeros(n);
        let (time, ran) = launch(&rt, &mut y, n);
        assert!(y.to_vec().expect("in host memory").iter().all(|&y| y == 1), "each item once");
        assert_eq!(ran.iter().map(|ran| ran.items).sum::<usize>(), n);
        let mut shares: Vec<(ThreadId, usize)> = vec![];
        for ran in &ran {
            match shares.iter_mut().find(|share| share.0 == ran.thread) {
                Some(share) => share.1 += ran.items,
                None => shares.push((ran.thread, ran.items)),
            }
        }
        let mut processors: Vec<_> = ran.iter().filter_map(|ran| ran.processor).collect();
        processors.sort_unstable();
        processors.dedup();
        let busy: Duration = ran.iter().map(|ran| ran.time).sum();
        report = format!("{time:?}, busy {busy:?}: items {shares:?}, processors {processors:?}");
        let fair = shares.len() == 2 && shares.iter().all(|share| share.1 * 4 >= n);
        // On one core the two workers take turns; there it is enough that both are there.
        if fair && (cores < 2 || processors.len() >= 2 || processors.is_empty()) {
            return;
        }
    }
    panic!("not shared by two workers in three launches, the last one {report}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_threads_of_an_idle_process_sleep() {
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let rt = Runtime::open("ALL_CPU").expect("the processor");
    let mut y = Buffer::zeros(10_000);
    for _ in 0..3 {
        launch(&rt, &mut y, 10_000);
    }
    // Host tasks have a thread too, where a kernel can run beside them.
    let x = Buffer::<u32>::zeros(4);
    let mut p = rt.pipeline();
    p.push(Task::new("look", (&x,), |(_x,)| {}));
    p.push(Call::<1>::new(&WORK, [Arg::<&mut [u32]>::bind(&mut y)]).over([10_000]));
    p.exec().expect("runs");
    // Whoever spins is not asleep, and whoever looks again and again is seen to do so in each window.
    let mut seen = vec![];
    for _ in 0..20 {
        let before = others();
        std::thread::sleep(Duration::from_millis(400));
        let after = others();
        if before == after && after.iter().all(|thread| thread.state == 'S') {
            return;
        }
        seen = vec![before, after];
    }
    panic!("some thread did something in each of 20 windows, in the last one {seen:#?}");
}

/// What a thread does.
#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq)]
struct Thread {
    name: String,
    /// `S` for asleep, `R` for running.
    state: char,
    /// How often it gave its processor up, or lost it.
    switches: Vec<String>,
}

/// All threads of this process but the caller.
#[cfg(target_os = "linux")]
fn others() -> Vec<Thread> {
    let me = std::fs::read_link("/proc/thread-self").expect("/proc is there");
    let tasks = std::fs::read_dir("/proc/self/task").expect("/proc is there").flatten();
    tasks
        .filter(|task| Some(task.file_name().as_os_str()) != me.file_name())
        .filter_map(|task| {
            let status = std::fs::read_to_string(task.path().join("status")).ok()?;
            let field = |name| status.lines().find_map(|line| line.strip_prefix(name));
            Some(Thread {
                name: field("Name:")?.trim().to_owned(),
                state: field("State:")?.trim().chars().next()?,
                switches: [
                    field("voluntary_ctxt_switches:")?,
                    field("nonvoluntary_ctxt_switches:")?,
                ]
                .map(|n| n.trim().to_owned())
                .to_vec(),
            })
        })
        .collect()
}
