//! Exports of traces, checked by a parser that shares nothing with them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::{Interval, Kind, Trace, Unit};
use crate::backend::Queue;
use crate::backend::conformance::kernels::AFFINE;
use crate::sim::{Config, Link, Run, Sim, Speed, Time};
use crate::task::TaskArg;
use crate::{Arg, Buffer, Call, NoBackends, Runtime, Task, View};

fn us(time: u64) -> Duration {
    Duration::from_micros(time)
}

fn interval(kind: Kind, name: &'static str, unit: Unit, begin: u64, end: u64) -> Interval {
    Interval { kind, name: name.into(), unit, bytes: 64, begin: us(begin), end: us(end) }
}

/// Three frames through a device, each with its task, and two tasks at once in the end.
fn frames() -> Trace {
    let on = |queue| Unit::Device("gpu <0> & \"co\"".into(), queue);
    let mut all = Vec::new();
    for k in 0..3 {
        let at = 10 * k;
        all.push(interval(Kind::Task, "store", Unit::Host, at + 21, at + 29));
        all.push(interval(Kind::Upload, "upload", on(Queue::Up), at, at + 4));
        all.push(interval(Kind::Kernel, "sobel", on(Queue::Compute(0)), at + 4, at + 14));
        all.push(interval(Kind::Download, "download", on(Queue::Down), at + 14, at + 19));
    }
    all.push(interval(Kind::Task, "close \"all\"", Unit::Host, 45, 55));
    all.push(interval(Kind::Peer, "move", on(Queue::Down), 40, 42));
    all.push(interval(Kind::Wait, "buffers", Unit::Host, 58, 60));
    Trace::new(all)
}

#[test]
fn sums_and_overlaps() {
    let trace = frames();
    assert_eq!(trace.makespan(), us(60));
    assert_eq!(trace.busy(&Unit::Host), us(8 + 8 + 4 + 10), "the last two tasks overlap by 4");
    let units = trace.units();
    assert_eq!(units.len(), 4);
    assert_eq!(trace.busy(&units[3]), us(30), "{:?}", units[3]);
    assert!(trace.has_overlap(Kind::Kernel, Kind::Upload));
    assert!(trace.has_overlap(Kind::Task, Kind::Task));
    assert!(!trace.has_overlap(Kind::Upload, Kind::Download));
    let empty = Trace::default();
    assert_eq!((empty.makespan(), empty.units().len()), (Duration::ZERO, 0));
    assert!(empty.to_svg().ends_with("</svg>\n"));
    serde_json::from_str::<Value>(&empty.to_chrome_json()).unwrap();
}

#[test]
fn chrome_events_are_the_intervals_and_those_of_a_row_do_not_overlap() {
    let trace = frames();
    let json: Value = serde_json::from_str(&trace.to_chrome_json()).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let spans: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    assert_eq!(spans.len(), trace.intervals().len());
    for interval in trace.intervals() {
        let found = spans.iter().filter(|event| {
            event["name"] == *interval.name
                && event["cat"] == interval.kind.name()
                && event["ts"].as_f64() == Some(interval.begin.as_secs_f64() * 1e6)
                && event["args"]["bytes"] == interval.bytes
        });
        assert_eq!(found.count(), 1, "{interval:?}");
    }
    let names = |event: &&Value| event["name"] == "thread_name";
    assert_eq!(events.iter().filter(names).count(), 5, "two rows for the host's two at once");
    assert!(events.iter().any(|event| event["args"]["name"] == "gpu <0> & \"co\" kernels"));
    for tid in 0..5 {
        let mut of: Vec<(f64, f64)> = spans
            .iter()
            .filter(|event| event["tid"] == tid)
            .map(|event| (event["ts"].as_f64().unwrap(), event["dur"].as_f64().unwrap()))
            .collect();
        of.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(of.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "{of:?}");
    }
}

#[test]
fn the_picture_has_a_bar_for_each_interval_where_it_belongs() {
    let trace = frames();
    let svg = trace.to_svg();
    assert_eq!(svg.matches("<title>").count(), trace.intervals().len());
    assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
    // 1000 pixels for 60 microseconds from pixel 170 on: the second kernel from 14 to 24.
    assert!(svg.contains("<rect x=\"403.33\" y=\"132\" width=\"166.67\""), "{svg}");
    assert!(svg.contains("gpu &lt;0&gt; &amp; &quot;co&quot; up"));
    assert!(svg.contains(">10 µs</text>") && svg.contains(">60 µs</text>"));
    for kind in Kind::ALL {
        assert!(svg.contains(&format!(">{}</text>", kind.name())));
    }
}

#[test]
fn a_run_is_written_down_on_the_clock_of_its_devices() {
    let link = |us| Link { latency: Duration::from_micros(us), bytes_per_second: 0 };
    let speed = Speed { up: link(5), down: link(3), launch: us(7), ..Speed::default() };
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, ..Config::default() });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).trace(true);
    let rt = rt.build().unwrap();
    let mut x = Buffer::from(vec![1_u32; 100]);
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(1), Arg::<&mut [u32]>::bind(&mut x)];
    let mut p = rt.pipeline();
    p.push(Call::<1>::new(&AFFINE, args).over([100]));
    let report = p.exec().unwrap();
    drop(p);
    let trace = report.trace().unwrap();
    let seen: Vec<_> =
        trace.intervals().iter().map(|i| (i.kind, &*i.name, i.bytes, i.begin, i.end)).collect();
    let expected = [
        (Kind::Upload, "upload x", 400, us(0), us(5)),
        (Kind::Kernel, "affine", 800, us(5), us(12)),
    ];
    assert_eq!(seen, expected);
    assert_eq!(x.to_vec().unwrap(), vec![4; 100]);
    let all = rt.trace();
    assert_eq!(all.makespan(), us(15));
    assert_eq!(all.intervals().len(), 3);
    let exact = sim.trace();
    let times = |trace: &Trace| {
        trace.intervals().iter().map(|i| (i.kind, i.begin, i.end)).collect::<Vec<_>>()
    };
    assert_eq!(times(&exact), times(&all));
    // Nothing is kept where nobody asked.
    let quiet = Runtime::<NoBackends>::builder().backend(Arc::new(sim)).build().unwrap();
    let mut p = quiet.pipeline();
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(1), Arg::<&mut [u32]>::bind(&mut x)];
    p.push(Call::<1>::new(&AFFINE, args).over([100]));
    assert!(p.exec().unwrap().trace().is_none());
    assert_eq!(quiet.trace(), Trace::default());
}

fn affine<'a>(x: impl Arg<'a, &'a mut [u32]>) -> Call<'a, 1> {
    Call::new(&AFFINE, [Arg::<u32>::bind(3), Arg::<u32>::bind(1), x.bind()])
}

/// A runtime that writes down, and its devices, on which copies and kernels take a while.
fn open(devices: usize, memory: u64) -> Runtime {
    let link = Link { latency: us(5), bytes_per_second: 0 };
    let speed = Speed { up: link, down: link, launch: us(7), ..Speed::default() };
    let config = Config { devices, memory, run: Run::Entry, speed, ..Config::default() };
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(Sim::new(config)));
    builder.trace(true).build().unwrap()
}

/// Names, directions and bytes of the copies so far as an export has them; the picture says it too.
fn copies(rt: &Runtime) -> Vec<(String, String, u64)> {
    let trace = rt.trace();
    let json: Value = serde_json::from_str(&trace.to_chrome_json()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let events = json["traceEvents"].as_array().unwrap().iter();
    let mut all: Vec<_> = events
        .filter(|event| event["cat"] == "upload" || event["cat"] == "download")
        .map(|e| (e["ts"].as_f64(), text(&e["name"]), text(&e["cat"]), e["args"]["bytes"].as_u64()))
        .collect();
    let svg = trace.to_svg();
    for (_, name, kind, bytes) in &all {
        let tip = format!("<title>{name}: {kind}, 5µs, {} bytes</title>", bytes.unwrap());
        assert!(svg.contains(&tip), "{tip}: {svg}");
    }
    all.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
    all.into_iter().map(|(_, name, kind, bytes)| (name, kind, bytes.unwrap())).collect()
}

fn copy(name: &str, kind: &str, bytes: u64) -> (String, String, u64) {
    (name.to_owned(), kind.to_owned(), bytes)
}

#[test]
fn exports_say_for_what_argument_copies_are_and_what_makes_room() {
    // One array of 400 bytes fits.
    let rt = open(1, 700);
    let [mut first, mut second] = [1_u32, 2].map(|value| Buffer::from(vec![value; 100]));
    rt.submit(affine(&mut first)).exec([100]).unwrap();
    rt.submit(affine(&mut second)).exec([100]).unwrap();
    let args = [TaskArg::read("frame", Arg::<'_, View<'_, u32, 1>>::bind(&second))];
    let mut p = rt.pipeline();
    p.push(Task::from_parts("look", args, |_, _| Ok(())));
    p.exec().unwrap();
    rt.submit(affine(&mut second)).exec([100]).unwrap();
    rt.pipeline().evict(&second, 0).exec().unwrap();
    rt.pipeline().move_to(&first, 0).exec().unwrap();
    rt.submit(affine(&mut first)).exec([100]).unwrap();
    rt.pipeline().move_from(&first).exec().unwrap();
    let expected = [
        copy("upload x", "upload", 400),
        copy("spill", "download", 400),
        copy("upload x", "upload", 400),
        copy("download frame", "download", 400),
        copy("evict", "download", 400),
        copy("upload", "upload", 400),
        copy("download", "download", 400),
    ];
    assert_eq!(copies(&rt), expected);
}

#[test]
fn exports_say_what_goes_from_one_device_to_another() {
    let rt = open(2, 4000);
    let mut x = Buffer::from(vec![1_u32; 100]);
    let (mut low, mut high) = (x.view(0..40), x.view(60..100));
    let mut p = rt.pipeline();
    p.push(affine(&mut low).over([40])).push(affine(&mut high).over([40]));
    p.exec().unwrap();
    // The first device lacks what only the other one has, and what the host has.
    rt.submit(affine(&mut x)).exec([100]).unwrap();
    rt.pipeline().move_to(&x, 1).exec().unwrap();
    let expected = [
        copy("upload x", "upload", 160),
        copy("upload x", "upload", 160),
        copy("move x", "download", 160),
        // With what the host has, which lies beside it.
        copy("move x", "upload", 240),
        copy("move", "download", 400),
        copy("move", "upload", 400),
    ];
    assert_eq!(copies(&rt), expected);
}

#[test]
fn threads_that_wait_are_written_down() {
    let link = Link { latency: us(100), bytes_per_second: 0 };
    let speed = Speed { up: link, down: link, launch: us(700), ..Speed::default() };
    let sim = Sim::new(Config { run: Run::Entry, speed, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).trace(true);
    let rt = builder.build().unwrap();
    let mut x = Buffer::from(vec![1_u32; 100]);
    let waits = |trace: &Trace| -> Vec<(String, Unit, Duration, Duration)> {
        let all = trace.intervals().iter().filter(|i| i.kind == Kind::Wait);
        all.map(|i| (i.name.to_string(), i.unit.clone(), i.begin, i.end)).collect()
    };
    let report = rt.submit(affine(&mut x)).exec([100]).unwrap();
    let of_run = vec![("sim:0".to_owned(), Unit::Host, us(0), us(800))];
    assert_eq!(waits(report.trace().unwrap()), of_run);
    // A guard waits for the copy that it needs.
    assert_eq!(x.get(0).unwrap(), 4);
    assert_eq!(waits(&rt.trace())[1..], [("sim:0".to_owned(), Unit::Host, us(800), us(900))]);
    let picture = rt.trace().to_svg();
    assert!(picture.contains("<title>sim:0: wait, 800µs"), "{picture}");
}

#[test]
fn a_run_that_waits_for_the_buffers_of_another_is_written_down() {
    // A thread that gets no processor for so long comes too late to wait; then the task lasts longer.
    let is_wait = |i: &&Interval| i.kind == Kind::Wait && i.name == "buffers";
    let mut traces = [5_000, 50_000, 500_000, 5_000_000].into_iter().map(|micros| held(us(micros)));
    let trace = traces.find(|trace| trace.intervals().iter().any(|i| is_wait(&i)));
    let trace = trace.expect("a run waits");
    let task = trace.intervals().iter().find(|i| i.kind == Kind::Task).unwrap();
    let waits = trace.intervals().iter().filter(is_wait);
    let [wait] = waits.collect::<Vec<_>>()[..] else { panic!("{trace:?}") };
    assert_eq!(wait.unit, Unit::Host);
    assert!(wait.overlaps(task) && wait.end >= task.end, "{trace:?}");
}

/// A launch that writes what a task of another run reads for so long.
fn held(lasts: Duration) -> Trace {
    let sim = Sim::new(Config { run: Run::Entry, time: Time::Real, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim)).trace(true);
    let rt = builder.build().unwrap();
    let mut x = Buffer::from(vec![1_u32; 100]);
    let mut p = rt.pipeline();
    let begun = Arc::new(std::sync::Barrier::new(2));
    let there = Arc::clone(&begun);
    p.push(Task::new("hold", (&x,), move |_| {
        there.wait();
        std::thread::sleep(lasts);
    }));
    let handle = p.launch();
    begun.wait();
    rt.submit(affine(&mut x)).exec([100]).unwrap();
    handle.wait().unwrap();
    rt.trace()
}

#[test]
fn a_full_trace_drops_the_oldest_and_counts_them() {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim)).trace(true);
    let rt = builder.trace_limit(5).build().unwrap();
    let mut x = Buffer::from(vec![1_u32; 100]);
    let first = rt.submit(affine(&mut x)).exec([100]).unwrap();
    // Looked at in time, and kept from then on.
    assert_eq!(
        (first.trace().unwrap().intervals().len(), first.trace().unwrap().dropped()),
        (2, 0)
    );
    let mut p = rt.pipeline();
    p.begin_for(0..3_u32);
    p.push(affine(&mut x).over([100]));
    p.end_for();
    let (second, third) = (p.exec().unwrap(), p.exec().unwrap());
    drop(p);
    let kept = |trace: &Trace| (trace.intervals().len(), trace.dropped());
    assert_eq!(kept(first.trace().unwrap()), (2, 0));
    assert_eq!(kept(second.trace().unwrap()), (2, 1), "the last two of three");
    assert_eq!(kept(third.trace().unwrap()), (3, 0));
    let all = rt.trace();
    assert_eq!(kept(&all), (5, 3));
    let json: Value = serde_json::from_str(&all.to_chrome_json()).unwrap();
    assert_eq!(json["otherData"]["dropped"], 3);
    let spans = json["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X");
    assert_eq!(spans.count(), 5);
    assert!(all.to_svg().contains(">3 earlier ones were dropped</text>"), "{}", all.to_svg());
    let json: Value = serde_json::from_str(&frames().to_chrome_json()).unwrap();
    assert!(json.get("otherData").is_none() && !frames().to_svg().contains("dropped"));
    // None at all is no limit.
    let builder = || Runtime::<NoBackends>::builder().devices("SIM").trace(true);
    assert!(matches!(builder().trace_limit(0).build(), Err(crate::Error::Option { .. })));
}
