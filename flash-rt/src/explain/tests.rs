//! The copies that a pipeline says it would make, against the trace of the run.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::backend::Queue;
use crate::backend::conformance::kernels::AFFINE;
use crate::descriptor::{KernelDescriptor, Need};
use crate::env::{Env, LoopVar};
use crate::lazy::Lazy;
use crate::loops::trip;
use crate::sim::{Config, Run, Sim};
use crate::task::TaskArg;
use crate::trace::{Kind, Trace, Unit};
use crate::{Arg, Buffer, Call, NoBackends, Pipeline, Runtime, Stage, Task, Var, View, ViewMut};

fn affine<'a>(x: impl Arg<'a, &'a mut [u32]>) -> Call<'a, 1> {
    Call::new(&AFFINE, [Arg::<u32>::bind(3), Arg::<u32>::bind(1), x.bind()])
}

fn open(devices: usize) -> Runtime {
    opened(Config { devices, run: Run::Entry, ..Config::default() })
}

fn opened(config: Config) -> Runtime {
    let sim = Sim::new(config);
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim));
    builder.trace(true).round_robin(true).build().unwrap()
}

fn look<'a>(x: &Buffer<u32>) -> Task<'a> {
    let args = [TaskArg::read("frame", Arg::<'_, View<'_, u32, 1>>::bind(x))];
    Task::from_parts("look", args, |_, _| Ok(()))
}

fn fill<'a>(x: &mut Buffer<u32>) -> Task<'a> {
    let args = [TaskArg::write("next", Arg::<'_, ViewMut<'_, u32, 1>>::bind(x))];
    Task::from_parts("fill", args, |_, _| Ok(()))
}

/// Over as many items as a function of the loop variable says.
fn by_loop<'a>(
    x: &mut Buffer<u32>,
    k: LoopVar<usize>,
    n: impl Fn(usize) -> usize + Send + 'a,
) -> Stage<'a> {
    affine(x).over(Lazy(move |env: &Env| [n(k.get(env))]))
}

/// Names and depths of the stages.
fn shape(p: &mut Pipeline<'_>) -> Vec<(String, usize)> {
    p.explain().unwrap().stages().iter().map(|stage| (stage.name.clone(), stage.depth)).collect()
}

/// What each launch is over.
fn overs(p: &mut Pipeline<'_>) -> Vec<String> {
    let how = p.explain().unwrap();
    let launches = how.stages().iter().filter(|stage| stage.device.is_some());
    launches.map(|stage| stage.over.replace("over ", "")).collect()
}

/// Bytes by name and way.
type Sums = BTreeMap<(String, String), u64>;

fn planned(p: &mut Pipeline<'_>) -> Sums {
    let mut sums = Sums::new();
    for copy in p.explain().unwrap().copies() {
        *sums.entry((copy.name.clone(), copy.way.clone())).or_default() += copy.bytes;
    }
    sums
}

fn made(trace: &Trace) -> Sums {
    let mut sums = Sums::new();
    let is_copy = |kind| matches!(kind, Kind::Upload | Kind::Download | Kind::Peer);
    for copy in trace.intervals().iter().filter(|interval| is_copy(interval.kind)) {
        let way = match &copy.unit {
            Unit::Device(name, Queue::Up) => format!("to {name}"),
            Unit::Device(name, _) if copy.kind == Kind::Peer => {
                // Of two devices it is to the other one.
                let other = if **name == *"sim:0" { "sim:1" } else { "sim:0" };
                format!("from {name} to {other}")
            }
            Unit::Device(name, _) => format!("from {name}"),
            Unit::Host => panic!("{copy:?}"),
        };
        *sums.entry((copy.name.to_string(), way)).or_default() += copy.bytes;
    }
    sums
}

#[test]
fn the_copies_of_a_plan_are_those_of_the_trace() {
    the_plan_is_the_trace(false);
}

#[test]
fn the_copies_of_a_plan_for_peers_are_those_of_the_trace() {
    the_plan_is_the_trace(true);
}

fn the_plan_is_the_trace(peers: bool) {
    let rt = opened(Config { devices: 2, peers, run: Run::Entry, ..Config::default() });
    let mut x = Buffer::from(vec![1_u32; 100]);
    let (mut low, mut high) = (x.view(0..40), x.view(60..100));
    let mut p = rt.pipeline();
    p.push(affine(&mut low).over([40])).push(affine(&mut high).over([40]));
    // From both devices and the host to the first one, and away from there.
    p.push(affine(&mut x).over([100])).push(look(&x)).push(fill(&mut x));
    p.move_to(&x, 1).push(affine(&mut x).over([100])).evict(&x, 1).move_from(&x);
    let sums = planned(&mut p);
    let names: Vec<&str> = sums.keys().map(|(name, _)| &**name).collect();
    for name in ["upload x", "move x", "download frame", "upload", "evict"] {
        assert!(names.contains(&name), "{name}: {sums:?}");
    }
    let between = sums.keys().any(|(_, way)| way.starts_with("from") && way.contains(" to "));
    assert_eq!(between, peers, "{sums:?}");
    let report = p.exec().unwrap();
    assert_eq!(made(report.trace().unwrap()), sums);
    // Where everything is by now, it has less to do.
    let sums = planned(&mut p);
    assert_eq!(made(p.exec().unwrap().trace().unwrap()), sums);
}

#[test]
fn the_graph_names_copies_and_says_which_are_of_later_trips() {
    let rt = open(1);
    let mut x = Buffer::from(vec![1_u32; 100]);
    rt.pipeline().move_to(&x, 0).exec().unwrap();
    let mut p = rt.pipeline();
    p.begin_for(0..3_u32);
    p.push(affine(&mut x).over([100])).push(look(&x)).push(fill(&mut x));
    p.end_for();
    let how = p.explain().unwrap();
    let copies: Vec<_> = how
        .copies()
        .iter()
        .map(|c| (c.stage, c.writer, &*c.name, &*c.way, c.bytes, c.later_trips))
        .collect();
    let expected = [
        (1, Some(3), "upload x", "to sim:0", 400, true),
        (2, Some(1), "download frame", "from sim:0", 400, false),
    ];
    assert_eq!(copies, expected);
    let dot = how.dot();
    for line in [
        "c0 [label=\"upload x\\n400 B to sim:0\" shape=ellipse style=dashed];",
        "c0 -> n1;",
        "n3 -> c0 [style=dashed constraint=false];",
        "c1 [label=\"download frame\\n400 B from sim:0\" shape=ellipse];",
        "n1 -> c1;",
        "c1 -> n2;",
    ] {
        assert!(dot.contains(line), "{line}: {dot}");
    }
    // Of the way that is taken and the one that is not, only what both have left is there.
    let on = crate::Var::new(true);
    let mut p = rt.pipeline();
    p.begin_if(&on).push(look(&x)).end_if().push(look(&x));
    let count = p.explain().unwrap().copies().len();
    rt.submit(affine(&mut x)).exec([100]).unwrap();
    assert_eq!((count, p.explain().unwrap().copies().len()), (0, 2));
}

#[test]
fn what_a_run_may_not_come_to_is_not_evaluated() {
    let rt = open(1);
    let mut x = Buffer::from(vec![1_u32; 100]);
    let (on, off) = (Var::new(true), Var::new(false));
    let mut p = rt.pipeline();
    let k = p.begin_for(0..4_usize);
    // Each would divide by zero.
    p.begin_if(k.gt(0)).push(by_loop(&mut x, k, |k| 12 / k));
    p.otherwise().push(by_loop(&mut x, k, |k| k + 8)).end_if();
    p.push(by_loop(&mut x, k, |k| 13 / k).when(k.gt(0)));
    p.begin_if(&off).push(by_loop(&mut x, k, |k| 14 / k)).end_if();
    p.begin_if(!&on).push(by_loop(&mut x, k, |k| 15 / k));
    p.otherwise().push(by_loop(&mut x, k, |k| k + 9)).end_if();
    p.begin_if(k.eq(0));
    p.begin_if(k.ne(0)).push(by_loop(&mut x, k, |k| 16 / k)).end_if();
    p.push(by_loop(&mut x, k, |k| k + 10));
    p.end_if();
    let unknown = "a space by loop";
    let expected =
        [unknown, "[8] at first", unknown, unknown, unknown, unknown, unknown, "[10] at first"];
    for _ in 0..2 {
        assert_eq!(overs(&mut p), expected);
        let params = p.explain().unwrap().stages()[2].params.clone();
        assert_eq!(params[..2], ["a: value", "b: value"]);
        assert!(params[2].starts_with("x: read and written, [100] (400 B)"), "{params:?}");
        p.exec().unwrap();
    }
}

#[test]
fn what_a_closure_panics_with_is_left_to_the_run() {
    let rt = open(1);
    let mut x = Buffer::from(vec![1_u32; 100]);
    let first = AtomicUsize::new(0);
    let (set, first) = (&first, &first);
    let mut p = rt.pipeline();
    p.push(Task::new("set", (&x,), |_| set.store(3, Ordering::Relaxed)));
    let k = p.begin_for(0..2_usize);
    p.push(by_loop(&mut x, k, |_| 12 / first.load(Ordering::Relaxed)));
    let b = Lazy(move |env: &Env| (12 / first.load(Ordering::Relaxed) + k.get(env)) as u32);
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(b), Arg::<&mut [u32]>::bind(&mut x)];
    p.push(Call::<1>::new(&AFFINE, args).over([7]));
    p.end_for();
    assert_eq!(overs(&mut p), ["a space by loop", "[7]"]);
    let params = p.explain().unwrap().stages()[3].params.clone();
    assert_eq!(params[..2], ["a: value", "b: value by loop"]);
    p.exec().unwrap();
    assert_eq!(overs(&mut p), ["[4] at first", "[7] at first"]);
}

#[test]
fn variables_have_the_level_of_their_loop_also_in_a_while() {
    let rt = open(1);
    let mut x = Buffer::from(vec![1_u32; 100]);
    let (on, limit) = (Var::new(false), Var::new(5_u32));
    let mut p = rt.pipeline();
    let t = trip::<usize>;
    let mut nest = |p: &mut Pipeline<'static>| {
        let k = p.begin_for(3..5_usize);
        // Of no `k` that a run never has.
        p.push(by_loop(&mut x, k, |k| 10 * k + 30 / k));
        p.end_for().end_while();
    };
    nest(p.begin_while(t().lt(3), 9_u32));
    nest(p.begin_while(t().lt(0), 9_u32));
    nest(p.begin_while(&on, 9_u32));
    nest(p.begin_while(t().lt(3), &limit));
    nest(p.begin_while(t().lt(1), 0_u32));
    let unknown = "a space by loop";
    assert_eq!(overs(&mut p), ["[40] at first", unknown, unknown, unknown, unknown]);
}

#[test]
fn each_decision_has_its_own_else() {
    let rt = open(1);
    let (x, y) = (Buffer::from(vec![1_u32; 4]), Buffer::from(vec![1_u32; 4]));
    let (a, b) = (Var::new(true), Var::new(true));
    let mut p = rt.pipeline();
    p.begin_if(&a);
    p.begin_if(&b).push(look(&x)).otherwise().push(look(&x)).end_if();
    p.otherwise().begin_if(&b).otherwise().push(look(&y)).end_if().end_if();
    p.push(look(&y));
    let names = [
        ("if", 0),
        ("if", 1),
        ("look", 2),
        ("else", 1),
        ("look", 2),
        ("else", 0),
        ("if", 1),
        ("else", 1),
        ("look", 2),
        ("look", 0),
    ];
    assert_eq!(shape(&mut p), names.map(|(name, depth)| (name.to_owned(), depth)));
    let dot = p.explain().unwrap().dot();
    for edge in ["n3 -> n4", "n5 -> n6", "n7 -> n8"] {
        assert!(dot.contains(&format!("{edge} [style=dotted arrowhead=none];")), "{dot}");
    }
}

#[test]
fn the_text_says_the_copies_of_the_plan() {
    for peers in [false, true] {
        let rt = opened(Config { devices: 2, peers, run: Run::Entry, ..Config::default() });
        let mut x = Buffer::from(vec![1_u32; 100]);
        let mut p = rt.pipeline();
        p.push(affine(&mut x).pin(0).over([100])).push(affine(&mut x).pin(0).over([100]));
        p.push(look(&x)).push(affine(&mut x).pin(1).over([50]));
        p.push(affine(&mut x).pin(0).over([100])).push(fill(&mut x));
        p.move_to(&x, 1).evict(&x, 1);
        let how = p.explain().unwrap();
        let of = |stage: usize| how.stages()[stage].params.last().unwrap();
        assert!(of(0).ends_with("(400 B), own place [id 0], uploaded"), "{how}");
        assert!(of(1).ends_with(", already on the device"), "{how}");
        assert_eq!(of(2), "frame: read in host memory, 400 B downloaded from sim:0");
        let ways = match peers {
            true => "moved from sim:1 to sim:0",
            false => "moved from sim:1, moved to sim:0",
        };
        assert!(of(4).ends_with(&format!(", {ways}")), "{how}");
        assert_eq!(how.stages()[6].copies, ["upload: 400 B to sim:1"]);
        let text = how.to_string();
        let said = ["uploaded", "downloaded", "moved ", "upload: ", "evict: "];
        let said: usize = said.iter().map(|word| text.matches(word).count()).sum();
        assert_eq!(said, how.copies().len(), "{how}\n{:?}", how.copies());
    }
}

/// Arguments without names of their own are told apart by their arrays.
#[test]
fn arrays_of_one_name_are_all_copied() {
    let rt = open(1);
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 100]), Buffer::from(vec![1_u32; 50]));
    let mut p = rt.pipeline();
    p.push(affine(&mut x).over([100])).push(affine(&mut y).over([50]));
    let args = [&x, &y].map(|x| TaskArg::read("frame", Arg::<'_, View<'_, u32, 1>>::bind(x)));
    p.push(Task::from_parts("look", args, |_, _| Ok(())));
    let sums = planned(&mut p);
    assert_eq!(sums[&("download frame".to_owned(), "from sim:0".to_owned())], 600);
    assert_eq!(made(p.exec().unwrap().trace().unwrap()), sums);
}

#[test]
fn names_of_any_text_are_labels() {
    let rt = open(1);
    let mut x = Buffer::from(vec![1_u32; 4]);
    let mut p = rt.pipeline();
    p.push(affine(&mut x).over([4]));
    p.push(Task::new("close \"all\"\nin C:\\", (&x,), |_| ()));
    let name = "say \"it\"";
    let args = [TaskArg::read(name, Arg::<'_, View<'_, u32, 1>>::bind(&x))];
    p.push(affine(&mut x).over([4]));
    p.push(Task::from_parts("look", args, |_, _| Ok(())));
    let dot = p.explain().unwrap().dot();
    for label in [
        r#"[label="1: close \"all\"\nin C:\\ host task"];"#,
        r#"[label="download say \"it\"\n16 B from sim:0" shape=ellipse];"#,
    ] {
        assert!(dot.contains(label), "{label}: {dot}");
    }
}

#[test]
fn a_pair_of_tasks_is_in_order_once() {
    let rt = open(1);
    let mut x = Buffer::from(vec![1_u32; 4]);
    let mut p = rt.pipeline();
    // By its turn, and for what the first one writes.
    p.push(fill(&mut x)).push(look(&x));
    let how = p.explain().unwrap();
    assert_eq!(how.order().len(), 1, "{how}");
    assert!(how.to_string().contains("after 0\n"), "{how}");
    assert_eq!(how.dot().matches("n0 -> n1").count(), 1);
}

#[test]
fn loops_of_no_trips_and_of_one_trip_have_the_copies_of_those() {
    let rt = open(1);
    let mut x = Buffer::from(vec![1_u32; 100]);
    let mut p = rt.pipeline();
    p.begin_for(0..0_u32);
    p.push(affine(&mut x).over([100]));
    p.begin_for(0..9_u32);
    p.push(affine(&mut x).over([100])).end_for().end_for();
    p.push(look(&x));
    assert_eq!(planned(&mut p), Sums::new());
    let text = p.explain().unwrap().to_string();
    assert!(!text.contains("uploaded") && !text.contains("on the device"), "{text}");
    assert_eq!(made(p.exec().unwrap().trace().unwrap()), Sums::new());
    rt.pipeline().move_to(&x, 0).exec().unwrap();
    for (trips, uploads) in [(1_u32, 0), (2, 1)] {
        let mut p = rt.pipeline();
        p.begin_for(0..1_u8);
        p.begin_for(0..trips);
        p.push(affine(&mut x).over([100])).push(fill(&mut x)).end_for().end_for();
        let sums = planned(&mut p);
        // What the task reads, and in later trips what it wrote.
        assert_eq!(sums.len(), 1 + uploads, "{sums:?}");
        let made = made(p.exec().unwrap().trace().unwrap());
        assert!(made.keys().eq(sums.keys()), "{made:?} of {sums:?}");
        rt.pipeline().move_to(&x, 0).exec().unwrap();
    }
}

static WIDE: KernelDescriptor =
    KernelDescriptor { name: "wide", needs: &[Need::F64], ir: None, ..AFFINE };

#[test]
fn devices_that_may_not_run_a_launch_are_named_with_the_reason() {
    let config = Config { devices: 3, lacks: vec![(1, Need::F64)], ..Config::default() };
    let entries = Sim::new(Config { run: Run::Entry, ..config });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(entries));
    let rt = builder
        .backend(Arc::new(Sim::new(Config { devices: 1, ..Config::default() })))
        .build()
        .unwrap();
    let mut x = Buffer::from(vec![1_u32; 8]);
    let wide = |x| Call::<1>::new(&WIDE, [Arg::<u32>::bind(3), Arg::<u32>::bind(1), x]);
    let names: Vec<_> = rt.devices().iter().map(|device| device.name().to_owned()).collect();
    let [_, second, third, other] = &names[..] else { panic!("{names:?}") };
    let mut p = rt.pipeline();
    p.push(wide(Arg::<'_, &mut [u32]>::bind(&mut x)).exclude(2).over([8]));
    p.push(wide(Arg::<'_, &mut [u32]>::bind(&mut x)).pin(2).over([8]));
    p.push(affine(&mut x).over([8]));
    let how = p.explain().unwrap();
    let [first, pinned, any] = how.stages() else { panic!("{how}") };
    assert_eq!(
        first.left_out,
        [
            format!("not on {second}: it has no f64"),
            format!("not on {third}: the call excludes it"),
            format!("not on {other}: it has no code of the kernel: no body to interpret"),
        ]
    );
    assert_eq!(pinned.left_out.len(), 3);
    assert_eq!(pinned.left_out[2], format!("not on {other}: the call is pinned to {third}"));
    assert_eq!(any.left_out, first.left_out[2..]);
    assert!(how.to_string().contains(&first.left_out[0]));
    let report = p.exec().unwrap();
    assert!(report.fallbacks().is_empty(), "{:?}", report.fallbacks());
}
