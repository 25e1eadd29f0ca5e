//! The copies that a pipeline says it would make, against the trace of the run.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::backend::Queue;
use crate::backend::conformance::kernels::AFFINE;
use crate::descriptor::{KernelDescriptor, Need};
use crate::sim::{Config, Run, Sim};
use crate::task::TaskArg;
use crate::trace::{Kind, Trace, Unit};
use crate::{Arg, Buffer, Call, NoBackends, Pipeline, Runtime, Task, View, ViewMut};

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
