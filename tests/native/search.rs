//! `searchable`: a kernel without a body finds what was registered with its signature, the same one
//! each time, and says what it has found, or why nothing fits.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, OnceLock};

use flash::prelude::*;
use flash::{Call, Error, Need};
use flash_rt::sim::{Config, Run, Sim};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::library;

const SOURCE: &str = r#"
FLASH_KERNEL(scaled, "value f32, in f32[1], io f32[1]") {
    const float *x = FLASH_POINTER(1, const float);
    float *y = FLASH_POINTER(2, float);
    FLASH_ITEMS { y[global_id(0)] = FLASH_VALUE(0, float) * x[global_id(0)] + 1000; }
}
// In double precision, its factor in memory.
FLASH_KERNEL(widened, "value f64, in u64[1], in f32[1], in f32[1], out f32[1]") {
    double k = FLASH_VALUE(0, double);
    const uint64_t *at = FLASH_POINTER(1, const uint64_t);
    const float *c = FLASH_POINTER(2, const float), *x = FLASH_POINTER(3, const float);
    float *y = FLASH_POINTER(4, float);
    FLASH_ITEMS {
        uint64_t i = global_id(0);
        y[i] = (float)(k * x[at[i]] + c[0] + (double)FLASH_LENGTH(2));
    }
}
FLASH_KERNEL(counted, "value i64, value u32, io u64[1]") {
    uint64_t *y = FLASH_POINTER(2, uint64_t);
    FLASH_ITEMS { y[global_id(0)] += (uint64_t)(FLASH_VALUE(0, int64_t) + FLASH_VALUE(1, uint32_t)); }
}
FLASH_KERNEL(narrow, "value f32, io f64[1]") { (void)block; (void)args; }
FLASH_KERNEL(process_particles, "io f32[1]") { (void)block; (void)args; }
FLASH_KERNEL(twice, "io f32[1]") { FLASH_ITEMS { FLASH_POINTER(0, float)[global_id(0)] += 2; } }
"#;

/// The same names with other widths: what fits better is taken, whenever it came.
const OTHER: &str = r#"
FLASH_KERNEL(counted, "value i64, value u64, io u64[1]") {
    uint64_t *y = FLASH_POINTER(2, uint64_t);
    FLASH_ITEMS { y[global_id(0)] = 7; }
}
FLASH_KERNEL(twice, "io f32[1]") { FLASH_ITEMS { FLASH_POINTER(0, float)[global_id(0)] += 200; } }
"#;

#[flash::kernel(searchable(exact))]
fn scaled(k: f32, x: &[f32], y: &mut [f32]);

/// The kernel's `k` is wider there, its indices have another name, `c` is in memory, and `x` is only
/// read.
#[flash::kernel(searchable(fuzzy))]
fn widened(k: f32, at: &[usize], c: f32, x: &mut [f32], #[out] y: &mut [f32]);

#[flash::kernel(searchable(fuzzy))]
fn counted(a: i8, b: &[u32], y: &mut [u64]);

#[flash::kernel(searchable(exact))]
fn twice(y: &mut [f32]);

#[flash::kernel(searchable(fuzzy))]
fn narrow(k: f64, y: &mut [f32]);

#[flash::kernel(searchable(exact))]
fn process_particle(y: &mut [f32]);

mod exactly {
    #[flash::kernel(searchable(exact))]
    pub(super) fn widened(k: f32, at: &[usize], c: f32, x: &mut [f32], #[out] y: &mut [f32]);
}

/// Bodies for declarations of the same name.
mod bodies {
    use flash::prelude::*;

    #[flash::kernel]
    pub(super) fn lifted(k: f32, x: &[f32], #[out] y: &mut [f32]) {
        let i = global_id(0);
        y[i] = x[i] + k;
    }

    #[flash::kernel(rank = 2)]
    pub(super) fn folded(x: &mut [u64]) {
        let i = global_id(0);
        x[i] = 3 * x[i] + 1 + phase() as u64;
    }

    #[flash::kernel]
    pub(super) fn square(x: ViewMut<'_, f32, 2>) {
        let (i, j) = (global_id(0), global_id(1));
        x[[j, i]] = 2.0 * x[[j, i]];
    }

    #[flash::kernel(requires(f64))]
    pub(super) fn choosy(x: &mut [u32]) {
        let i = global_id(0);
        x[i] = x[i] + 7;
    }

    #[flash::kernel(T = [f32, f64])]
    pub(super) fn doubled<T>(x: &mut [T]) {
        let i = global_id(0);
        x[i] = x[i] + x[i];
    }
}

/// Requires what the body that it finds does not, and the other way round.
#[flash::kernel(searchable(exact), requires(atomics64))]
fn choosy(x: &mut [u32]);

#[flash::kernel(searchable(exact))]
fn lifted(k: f32, x: &[f32], #[out] y: &mut [f32]);

/// The phases are those of the declaration.
#[flash::kernel(searchable(exact), group_by(y))]
fn folded(x: &mut [u64]);

#[flash::kernel(searchable(fuzzy), rank = 1)]
fn square(x: ViewMut<'_, f32, 2>);

#[flash::kernel(searchable(exact), T = [f32, f64])]
fn doubled<T>(x: &mut [T]);

fn ready() -> bool {
    static READY: OnceLock<bool> = OnceLock::new();
    *READY.get_or_init(|| {
        let Some(path) = library("searched", SOURCE) else { return false };
        let other = library("searched_too", OTHER).unwrap();
        // SAFETY: the kernels of the libraries do what their signatures say, and write what the items
        // of their block own.
        let names = unsafe { flash::cpu::register_library(&path) }.unwrap();
        let all = ["counted", "narrow", "process_particles", "scaled", "twice", "widened"];
        assert_eq!(names, all);
        // Twice is once.
        // SAFETY: as above.
        unsafe { flash::cpu::register_library(&path) }.unwrap();
        // SAFETY: as above.
        unsafe { flash::cpu::register_library(&other) }.unwrap();
        true
    })
}

fn cpu() -> Runtime {
    Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap()
}

/// What is said of a call before it runs.
fn explained<const R: usize>(rt: &Runtime, call: Call<'_, R>, space: [usize; R]) -> String {
    let mut pipeline = rt.pipeline();
    pipeline.push(call.over(space));
    pipeline.explain().unwrap().to_string()
}

#[test]
fn what_is_exact_has_name_and_signature() {
    if !ready() {
        return;
    }
    let rt = cpu();
    let (x, mut y) = (Buffer::from(vec![2.0_f32; 8]), Buffer::from(vec![1.0_f32; 8]));
    rt.submit(scaled(3.0, &x, &mut y)).exec([8]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1006.0; 8]);
    let text = explained(&rt, scaled(3.0, &x, &mut y), [8]);
    assert!(text.contains("searchable(exact) found `scaled` of"), "{text}");
    assert!(text.contains("searched.so, as declared"), "{text}");
    // Of two that fit equally the first.
    rt.submit(twice(&mut y)).exec([8]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1008.0; 8]);
}

/// Keeps the fields of events, each event a line.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<String>>);

impl Subscriber for Said {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("flash")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        *self.0.lock().unwrap() += &(line.0 + "\n");
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

#[test]
fn what_is_found_in_a_library_is_said_once() {
    if !ready() {
        return;
    }
    let said = Said::default();
    // Of one listener alone `tracing` asks the thread that says something first, and if that has none,
    // nobody ever hears it; of two it asks both.
    let _second = tracing::Dispatch::new(said.clone());
    tracing::subscriber::with_default(said.clone(), || {
        let rt = cpu();
        let mut y = Buffer::from(vec![1.0_f32; 8]);
        for _ in 0..2 {
            rt.submit(twice(&mut y)).exec([8]).unwrap();
        }
    });
    let all = said.0.lock().unwrap().clone();
    let lines: Vec<&str> =
        all.lines().filter(|line| line.contains("implementation found")).collect();
    let [line] = lines[..] else { panic!("{all}") };
    assert!(line.starts_with("DEBUG") && line.contains("kernel=\"twice\""), "{line}");
    assert!(line.contains("`twice` of") && line.contains("searched.so"), "{line}");
}

#[test]
fn what_is_fuzzy_has_the_fewest_conversions() {
    if !ready() {
        return;
    }
    let rt = cpu();
    let at = Buffer::from(vec![3_usize, 2, 1, 0]);
    let (mut x, mut y) = (Buffer::from(vec![1.0_f32, 2.0, 3.0, 4.0]), Buffer::zeros(4));
    rt.submit(widened(0.5, &at, 10.0, &mut x, &mut y)).exec([4]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [13.0, 12.5, 12.0, 11.5]);
    let text = explained(&rt, widened(0.5, &at, 10.0, &mut x, &mut y), [4]);
    assert!(text.contains("searchable(fuzzy) found `widened`"), "{text}");
    assert!(text.contains("4 arguments converted"), "{text}");
    // Signs are kept, and `b` is of the type that needs no more than that.
    let (b, mut n) = (Buffer::from(vec![40_u32]), Buffer::from(vec![100_u64; 3]));
    rt.submit(counted(-7, &b, &mut n)).exec([3]).unwrap();
    assert_eq!(n.to_vec().unwrap(), [133; 3]);
    // A value is one element.
    let b = Buffer::from(vec![40_u32; 2]);
    let error = rt.submit(counted(-7, &b, &mut n)).exec([3]).unwrap_err();
    let mut text = error.to_string();
    if let Some(source) = std::error::Error::source(&error) {
        text += &source.to_string();
    }
    assert!(text.contains("`b`") && text.contains("one element"), "{text}");
    assert_eq!(n.to_vec().unwrap(), [133; 3]);
}

#[test]
fn near_misses_say_why() {
    if !ready() {
        return;
    }
    let rt = cpu();
    let at = Buffer::from(vec![0_usize; 4]);
    let (mut x, mut y) = (Buffer::from(vec![1.0_f32; 4]), Buffer::<f32>::zeros(4));
    let call = exactly::widened(0.5, &at, 10.0, &mut x, &mut y);
    let error = rt.submit(call).exec([4]).unwrap_err();
    let Error::NotFound { kernel: "widened", near, .. } = &error else { panic!("{error}") };
    assert_eq!(near[0].name, "widened");
    assert_eq!(
        near[0].why,
        "its parameter `k` is `value f64`, and the declaration says `value f32`"
    );
    assert!(error.to_string().contains("searchable(exact)"), "{error}");

    let error = rt.submit(narrow(0.5, &mut y)).exec([4]).unwrap_err();
    let Error::NotFound { near, .. } = &error else { panic!("{error}") };
    assert!(near[0].why.contains("a wider type"), "{error}");

    // A name is not guessed.
    let error = rt.submit(process_particle(&mut y)).exec([4]).unwrap_err();
    let Error::NotFound { near, .. } = &error else { panic!("{error}") };
    assert_eq!((&*near[0].name, &*near[0].why), ("process_particles", "it has another name"));
    assert_eq!(y.to_vec().unwrap(), [0.0; 4]);

    // What is for another device is named too.
    let sim = Sim::new(Config { run: Run::Ir, ..Config::default() });
    let rt: Runtime = Runtime::builder().backend(std::sync::Arc::new(sim)).build().unwrap();
    let error = rt.submit(twice(&mut y)).exec([4]).unwrap_err();
    let Error::NotFound { near, .. } = &error else { panic!("{error}") };
    assert!(near.iter().any(|miss| miss.why == "it is for ALL_CPU"), "{error}");
}

#[test]
fn bodies_are_found_on_every_device() {
    let sim = |run| std::sync::Arc::new(Sim::new(Config { run, ..Config::default() }));
    let runtimes: [Runtime; 3] = [
        cpu(),
        Runtime::builder().backend(sim(Run::Ir)).build().unwrap(),
        Runtime::builder().backend(sim(Run::Entry)).build().unwrap(),
    ];
    let x = Buffer::from(vec![1.0_f32, 2.0, 3.0]);
    let mut y = Buffer::<f32>::zeros(3);
    let error = runtimes[0].submit(lifted(0.5, &x, &mut y)).exec([3]).unwrap_err();
    assert!(matches!(&error, Error::NotFound { near, .. } if near.is_empty()), "{error}");
    flash::register::<bodies::lifted>();
    flash::register::<bodies::folded>();
    flash::register::<bodies::square>();
    flash::register::<bodies::doubled>();
    for rt in &runtimes {
        rt.submit(lifted(0.5, &x, &mut y)).exec([3]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [1.5, 2.5, 3.5]);
        let text = explained(rt, lifted(0.5, &x, &mut y), [3]);
        assert!(
            text.contains("searchable(exact) found body of `native::search::bodies::lifted`"),
            "{text}"
        );

        let mut n = Buffer::from(vec![1_u64, 5]);
        let report = rt.submit(folded(&mut n)).exec([2, 3]).unwrap();
        assert_eq!(report.kernel("folded").map(|kernel| kernel.count), Some(1));
        assert_eq!(n.to_vec().unwrap(), [45, 153]);

        let mut z = Buffer::from(vec![1.0_f64, 4.0]);
        rt.submit(doubled(&mut z)).exec([2]).unwrap();
        assert_eq!(z.to_vec().unwrap(), [2.0, 8.0]);

        // Its index space is another one.
        let mut image = Buffer::<f32, 2>::zeros([2, 2]);
        let error = rt.submit(square(&mut image)).exec([2]).unwrap_err();
        let Error::NotFound { near, .. } = &error else { panic!("{error}") };
        assert!(near[0].why.contains("rank 2"), "{error}");
    }
}

#[test]
fn what_is_found_requires_what_is_declared_too() {
    flash::register::<bodies::choosy>();
    for lacked in [None, Some(Need::Atomics64), Some(Need::F64)] {
        let lacks = lacked.map(|need| (0, need)).into_iter().collect();
        let sim = Sim::new(Config { run: Run::Ir, devices: 1, lacks, ..Config::default() });
        let rt = Runtime::builder().backend(Arc::new(sim)).build().unwrap();
        let mut x = Buffer::from(vec![1_u32, 2, 3]);
        let done = rt.submit(choosy(&mut x)).exec([3]);
        match lacked {
            None => assert_eq!((done.is_ok(), x.to_vec().unwrap()), (true, vec![8, 9, 10])),
            Some(need) => {
                let text = done.unwrap_err().to_string();
                let said = format!("`sim:0` has no {}", need.name());
                assert!(text.contains(&said), "{said}: {text}");
                assert_eq!(x.to_vec().unwrap(), [1, 2, 3]);
            }
        }
    }
}
