//! What a subscriber of `tracing` sees of runs. One test in a process of its own: the warning about
//! kernels without optimisation comes once in a process.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use flash::prelude::*;
use flash::{Arg, Call};
use flash_rt::descriptor::{Kernel, KernelDescriptor};
use flash_rt::sim::{Config, Fault, Sim};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[flash::kernel]
fn double(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(2);
}

/// What a build without optimisation makes of `double`.
static UNOPTIMISED: KernelDescriptor =
    KernelDescriptor { name: "unoptimised", unoptimised: true, ..*double::DESCRIPTORS[0] };

#[flash::kernel]
fn add(k: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_add(k);
}

/// Its code is found.
#[flash::kernel(searchable(exact))]
fn found(x: &mut [u32]);

mod elsewhere {
    #[flash::kernel]
    pub(super) fn found(x: &mut [u32]) {
        let i = global_id(0);
        x[i] += 1;
    }
}

/// How often each span was opened and entered, and each event seen, by name and fields.
#[derive(Clone, Default)]
struct Counter {
    seen: Arc<Mutex<BTreeMap<String, usize>>>,
    next: Arc<AtomicU64>,
    open: Arc<Mutex<BTreeMap<u64, String>>>,
}

impl Counter {
    fn count(&self, what: String) {
        *self.seen.lock().unwrap().entry(what).or_default() += 1;
    }

    /// What was seen since the last call.
    fn take(&self) -> BTreeMap<String, usize> {
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

/// The fields that are words; numbers of bytes and the like are left out.
#[derive(Default)]
struct Words(String);

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if matches!(field.name(), "message" | "kernel" | "argument" | "name" | "device" | "found") {
            self.0 += &format!(" {value:?}");
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}

impl Subscriber for Counter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("flash")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut words = Words::default();
        span.record(&mut words);
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("{}{}", span.metadata().name(), words.0);
        self.open.lock().unwrap().insert(id, name);
        Id::from_u64(id)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut words = Words::default();
        event.record(&mut words);
        self.count(format!("{}{}", event.metadata().level(), words.0));
    }

    fn enter(&self, span: &Id) {
        let name = self.open.lock().unwrap()[&span.into_u64()].clone();
        self.count(name);
    }

    fn exit(&self, _: &Id) {}
}

fn run(rt: &Runtime) -> flash::Report {
    let mut x = Buffer::from(vec![1_u32; 1000]);
    let report = flash_pipeline! { in rt;
        double(&mut x)[1000];
        for k in 0..3 { add(k, &mut x)[1000]; }
        Task::new("look", (&x,), |(x,)| assert_eq!(x[[7]], 5));
        double(&mut x)[1000];
    }
    .exec()
    .unwrap();
    assert_eq!(x.get(0).unwrap(), 10);
    report
}

/// So many launches.
fn run_many(rt: &Runtime, n: u32) -> flash::Report {
    let mut x = Buffer::from(vec![1_u32; 1000]);
    let mut pipeline = flash_pipeline! { in rt; for k in 0..n { add(k, &mut x)[1000]; } };
    pipeline.exec().unwrap()
}

fn counts<const N: usize>(all: [(&str, usize); N]) -> BTreeMap<String, usize> {
    let all = all.into_iter().filter(|(_, n)| *n > 0);
    all.map(|(name, n)| (name.to_owned(), n)).collect()
}

#[test]
fn spans_and_events_are_counted() {
    let counter = Counter::default();
    tracing::subscriber::set_global_default(counter.clone()).unwrap();

    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    let device = rt.devices()[0].name().to_owned();
    counter.take();
    run(&rt);
    let warned = |seen: &mut BTreeMap<String, usize>| -> usize {
        let warnings: Vec<String> =
            seen.keys().filter(|key| key.starts_with("WARN")).cloned().collect();
        assert!(warnings.iter().all(|text| text.contains("without optimisation")), "{warnings:?}");
        warnings.iter().filter_map(|text| seen.remove(text)).sum()
    };
    let quiet = |seen: BTreeMap<String, usize>| -> BTreeMap<String, usize> {
        seen.into_iter().filter(|(key, _)| !key.starts_with("DEBUG")).collect()
    };
    let mut seen = counter.take();
    // The kernels of this file are loaded for the first time, both of them.
    let before = warned(&mut seen);
    assert_eq!(before, usize::from(double::DESCRIPTORS[0].unoptimised), "{seen:?}");
    let double = format!("launch double {device}");
    let add = format!("launch add {device}");
    let expected = counts([("exec", 1), (&double, 2), (&add, 3), ("host_task look", 1)]);
    assert_eq!(quiet(seen), expected);

    // One that was not optimised is the reason to say so, if none was before.
    let mut x = Buffer::from(vec![1_u32; 1000]);
    let call = Call::<1>::new(&UNOPTIMISED, [Arg::<&mut [u32]>::bind(&mut x)]);
    rt.submit(call).exec([1000]).unwrap();
    assert_eq!(x.get(0).unwrap(), 2);
    let mut seen = counter.take();
    let named = |key: &String| key.starts_with("WARN") && key.contains(" unoptimised");
    assert!(before == 1 || seen.keys().any(named), "{seen:?}");
    assert_eq!(before + warned(&mut seen), 1, "{seen:?}");

    // Never again, whatever runs on whichever runtime.
    run(&rt);
    run(&Runtime::open("ALL_CPU").unwrap());
    let mut seen = counter.take();
    assert_eq!(warned(&mut seen), 0);
    assert_eq!(seen["exec"], 2);

    // On a device with its own memory each transfer is an event.
    let rt = Runtime::open("SIM").unwrap();
    let transfers = run(&rt).transfers();
    let seen = counter.take();
    let of = |what: &str| -> u64 {
        let all = seen.iter().filter(|(key, _)| key.starts_with("TRACE") && key.contains(what));
        all.map(|(_, n)| *n as u64).sum()
    };
    assert!(transfers.uploads > 0 && transfers.downloads > 0);
    // `get` of the result is one more after the run.
    assert_eq!((of("upload"), of("download")), (transfers.uploads, transfers.downloads + 1));

    // A trace that is full is a warning, once; kernels of the host are written down many at a time.
    let builder = Runtime::builder().devices("ALL_CPU").threads(2);
    let rt = builder.trace(true).trace_limit(10).build().unwrap();
    for _ in 0..2 {
        let report = run_many(&rt, 700);
        let trace = report.trace().unwrap();
        assert_eq!((trace.intervals().len(), trace.dropped()), (10, 690));
    }
    let seen = counter.take();
    let full = seen.iter().filter(|(key, _)| key.starts_with("WARN") && key.contains("is full"));
    assert_eq!(full.map(|(_, n)| n).sum::<usize>(), 1, "{seen:?}");

    // What runs elsewhere is a warning, with the kernel and the device of the plan.
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    sim.inject(Fault::Fail { call: flash_rt::sim::Kind::Load, nth: 0, device: Some(0) });
    let rt = Runtime::builder().backend(Arc::new(sim)).build().unwrap();
    assert_eq!(run(&rt).fallbacks().len(), 1);
    let seen = counter.take();
    let warnings: Vec<_> = seen.iter().filter(|(key, _)| key.starts_with("WARN")).collect();
    let [(warning, 1)] = &warnings[..] else { panic!("{warnings:?}") };
    for said in ["runs elsewhere", "double", "sim:0"] {
        assert!(warning.contains(said), "{warning}");
    }

    // A dimension that a space does not have orders nothing, and that is said.
    let mut x = Buffer::from(vec![1_u32; 8]);
    rt.submit(self::add(1, &mut x).sort_by([0])).exec([8]).unwrap();
    let no_such = |seen: BTreeMap<String, usize>| -> Vec<(String, usize)> {
        seen.into_iter().filter(|(key, _)| key.contains("no such dimension")).collect()
    };
    assert_eq!(no_such(counter.take()), []);
    rt.submit(self::add(1, &mut x).sort_by([3])).exec([8]).unwrap();
    let said = no_such(counter.take());
    let [(said, 1)] = &said[..] else { panic!("{said:?}") };
    assert!(said.starts_with("DEBUG") && said.contains("add"), "{said}");
    assert_eq!(x.to_vec().unwrap(), [3; 8]);

    // What is found for a kernel is said once, whatever runs it.
    flash::register::<elsewhere::found>();
    let mut x = Buffer::from(vec![1_u32; 8]);
    for _ in 0..2 {
        rt.submit(found(&mut x)).exec([8]).unwrap();
    }
    let seen = counter.take();
    let found: Vec<_> =
        seen.iter().filter(|(key, _)| key.contains("implementation found")).collect();
    let [(said, 1)] = &found[..] else { panic!("{found:?}") };
    assert!(said.starts_with("DEBUG") && said.contains("tracing::elsewhere::found"), "{said}");

    // The first kernel that reads what nobody has written is a warning with its argument, on the host too.
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    for n in [1, 1_000] {
        let mut x = Buffer::<u32>::unwritten(n);
        for _ in 0..3 {
            rt.submit(self::add(2, &mut x)).exec([n]).unwrap();
        }
        let seen = counter.take();
        let warnings: Vec<_> = seen.iter().filter(|(key, _)| key.starts_with("WARN")).collect();
        let [(warning, 1)] = &warnings[..] else { panic!("{warnings:?}") };
        for said in ["nobody has written", " add", " x"] {
            assert!(warning.contains(said), "{warning}");
        }
        assert_eq!(x.get(0).unwrap(), 6);
    }
}
