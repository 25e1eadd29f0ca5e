//! What a run does when a call of a device fails: every call of a program in turn, once. It ends
//! with a typed error or with the right result, its inputs are what they were, and the runtime and
//! what memory it has are as good as before.

use std::sync::{Arc, Barrier};
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::sim::{Call as Logged, Config, Fault, Kind, Link, Run, Sim, Speed, Time, What};
use crate::{Arg, Buffer, Call, Error, NoBackends, Pipeline, Result, Runtime, Task, Var};

fn affine<'a>(a: u32, b: u32, x: &mut Buffer<u32>) -> Call<'a, 1> {
    let args = [Arg::<u32>::bind(a), Arg::<u32>::bind(b), Arg::<&'a mut [u32]>::bind(x)];
    Call::new(&kernels::AFFINE, args)
}

fn divide<'a>(x: &Buffer<u32>, y: &mut Buffer<u32>) -> Call<'a, 1> {
    Call::new(&kernels::DIVIDE, [Arg::<&'a [u32]>::bind(x), Arg::<&'a mut [u32]>::bind(y)])
}

/// The data of the program.
struct Data {
    input: Buffer<u32>,
    x: Buffer<u32>,
    y: Buffer<u32>,
    z: Buffer<u32>,
}

impl Data {
    fn new() -> Self {
        let filled = |value| Buffer::from(vec![value; 64]);
        Self { input: filled(3), x: filled(1000), y: filled(2), z: filled(7) }
    }
}

/// Two chains that meet, a loop, a decision, a host task.
fn program(rt: &Runtime, data: &mut Data) -> Pipeline<'static> {
    let Data { input, x, y, z } = data;
    let on = Var::new(true);
    let mut p = rt.pipeline();
    p.begin_for(0..3_u32);
    p.push(affine(3, 1, x).over([64]));
    p.push(affine(5, 2, y).over([64]));
    p.begin_if(&on).push(divide(input, x).over([64]));
    p.end_if();
    p.end_for();
    p.push(Task::new("mix", (&*x, &mut *z), |(x, mut z)| {
        for k in 0..64 {
            z[[k]] += x[[k]];
        }
    }));
    p.push(divide(y, z).over([64]));
    p
}

/// The same, with an array that goes from one device to another and back at its end.
fn to_and_fro(rt: &Runtime, data: &mut Data) -> Pipeline<'static> {
    let mut p = program(rt, data);
    for device in [0, 1, 0] {
        p.push(affine(7, 3, &mut data.y).pin(device).over([64]));
    }
    p
}

fn results(data: &Data) -> Result<[Vec<u32>; 3]> {
    Ok([data.x.to_vec()?, data.y.to_vec()?, data.z.to_vec()?])
}

fn open(devices: usize, time: Time) -> (Sim, Runtime) {
    opened(Config { devices, run: Run::Entry, time, ..Config::default() })
}

fn opened(config: Config) -> (Sim, Runtime) {
    let sim = Sim::new(config);
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

#[test]
fn a_fault_at_each_call_in_turn() {
    fault_at_each_call(false);
}

#[test]
fn a_fault_at_each_call_of_peers_in_turn() {
    fault_at_each_call(true);
}

fn fault_at_each_call(peers: bool) {
    let config = Config { devices: 2, peers, run: Run::Entry, ..Config::default() };
    let (sim, rt) = opened(config.clone());
    let mut data = Data::new();
    to_and_fro(&rt, &mut data).exec().unwrap();
    let expected = results(&data).unwrap();
    let counts = Kind::ALL.map(|kind| sim.tally(kind));
    assert_eq!(sim.tally(Kind::Peer) > 0, peers);
    drop(data);
    let (mut injected, mut errors) = (0, 0);
    for (kind, count) in Kind::ALL.into_iter().zip(counts) {
        for nth in 0..count {
            let (sim, rt) = opened(config.clone());
            let mut data = Data::new();
            sim.inject(Fault::Fail { call: kind, nth, device: None });
            let ran = to_and_fro(&rt, &mut data).exec();
            if let Err(
                Error::Driver { at, .. }
                | Error::OutOfMemory { at, .. }
                | Error::DeviceLost { at, .. },
            ) = &ran
            {
                let node = at.as_ref().and_then(|at| at.node);
                assert!(node.is_some_and(|node| node < 10), "{kind:?} {nth}: {ran:?}");
            }
            if let Err(Error::NoImplementation { node, .. }) = &ran {
                assert!(node.is_some_and(|node| node < 10), "{kind:?} {nth}: {ran:?}");
            }
            let result = ran.and_then(|_| results(&data));
            injected += 1;
            match result {
                Ok(found) => assert_eq!(found, expected, "{kind:?} {nth}"),
                Err(error) => {
                    errors += 1;
                    let named = matches!(
                        error,
                        Error::Driver { .. }
                            | Error::OutOfMemory { .. }
                            | Error::NoImplementation { .. }
                    );
                    assert!(named, "{kind:?} {nth}: {error:?}");
                }
            }
            sim.clear_faults();
            assert_eq!(data.input.to_vec().unwrap(), [3; 64], "{kind:?} {nth}");
            // Whatever happened, what is there can be read, and the same runtime goes on.
            results(&data).unwrap();
            let mut again = Data::new();
            to_and_fro(&rt, &mut again).exec().unwrap();
            assert_eq!(results(&again).unwrap(), expected, "after {kind:?} {nth}");
            drop((data, again));
            for (k, device) in rt.devices().iter().enumerate() {
                assert_eq!((device.bytes_used(), sim.bytes_used(k)), (0, 0), "{kind:?} {nth}");
            }
        }
    }
    assert!(injected > 20 && errors > 10, "{errors} errors of {injected} faults");
}

#[test]
fn a_lost_device_hands_over_to_another_one() {
    let (counting, rt) = open(2, Time::Virtual);
    let mut data = Data::new();
    program(&rt, &mut data).exec().unwrap();
    let expected = results(&data).unwrap();
    let calls = Kind::ALL.into_iter().map(|kind| counting.tally(kind)).sum::<u64>();
    let mut completed = 0;
    for nth in 0..calls {
        let (sim, rt) = open(2, Time::Virtual);
        let mut data = Data::new();
        sim.inject(Fault::Lose { device: 0, after: nth });
        match program(&rt, &mut data).exec().and_then(|_| results(&data)) {
            Ok(found) => {
                completed += 1;
                assert_eq!(found, expected, "{nth}");
            }
            // What only the lost device had.
            Err(error) => assert!(matches!(error, Error::DeviceLost { .. }), "{nth}: {error:?}"),
        }
        assert_eq!(data.input.to_vec().unwrap(), [3; 64]);
        // A late loss comes in the second run; the third has the other device only.
        let again = (0..2).find_map(|_| {
            let mut again = Data::new();
            program(&rt, &mut again).exec().ok()?;
            Some(results(&again).unwrap())
        });
        assert_eq!(again.as_ref(), Some(&expected), "the other device does it all");
    }
    assert!(completed >= 2, "{completed} of {calls} were completed");
}

#[test]
fn a_loss_at_each_call_of_peers_takes_nothing_else_along() {
    let config = Config { devices: 2, peers: true, run: Run::Entry, ..Config::default() };
    let (counting, rt) = opened(config.clone());
    let mut data = Data::new();
    to_and_fro(&rt, &mut data).exec().unwrap();
    let expected = results(&data).unwrap();
    let calls = Kind::ALL.into_iter().map(|kind| counting.tally(kind)).sum::<u64>();
    let losses = (0..2).flat_map(|device| (0..calls).map(move |after| (device, after)));
    let mut lost = 0;
    for (device, after) in losses {
        let (sim, rt) = opened(config.clone());
        let mut data = Data::new();
        sim.inject(Fault::Lose { device, after });
        match to_and_fro(&rt, &mut data).exec().and_then(|_| results(&data)) {
            Ok(found) => assert_eq!(found, expected, "{device} {after}"),
            Err(error) => {
                lost += 1;
                let is_lost = matches!(error, Error::DeviceLost { .. });
                assert!(is_lost, "{device} {after}: {error:?}");
            }
        }
        assert_eq!(data.input.to_vec().unwrap(), [3; 64]);
        let is_left = !rt.devices()[1 - device].is_lost();
        assert!(is_left, "{device} {after} took the other one along");
    }
    assert!(lost > 5, "{lost} of {} losses", 2 * calls);
}

#[test]
fn a_runtime_without_a_device_left_says_so() {
    let (sim, rt) = open(1, Time::Virtual);
    let mut data = Data::new();
    sim.inject(Fault::Lose { device: 0, after: 4 });
    let error = program(&rt, &mut data).exec().unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error:?}");
    let error = rt.submit(affine(1, 1, &mut data.y)).exec([64]).unwrap_err();
    assert!(error.to_string().contains("affine"), "{error:?}");
    assert_eq!(data.y.to_vec().unwrap(), [2; 64], "the host has it");
}

/// Three launches on what only one device has, which fails under the first of them.
fn in_flight(fault: Fault, devices: usize) -> (Error, Buffer<u32>, Buffer<u32>) {
    let (sim, rt) = open(devices, Time::Virtual);
    let (mut x, mut y) = (Buffer::from(vec![1; 64]), Buffer::from(vec![2; 64]));
    let mut half = x.view_mut(16..48);
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(1), Arg::<&mut [u32]>::bind(&mut half)];
    rt.submit(Call::<1>::new(&kernels::AFFINE, args).pin(0)).exec([32]).unwrap();
    sim.inject(fault);
    let mut p = rt.pipeline();
    p.push(affine(5, 2, &mut x).pin(0).over([64]));
    p.push(affine(7, 3, &mut y).pin(0).over([64]));
    p.push(affine(9, 4, &mut x).pin(0).over([64]));
    let error = p.exec().unwrap_err();
    drop(p);
    (error, x, y)
}

#[test]
fn an_error_lists_what_was_in_flight_and_what_is_lost() {
    // Two copies, a launch, memory, a copy and two launches go well.
    for devices in [1, 2] {
        let (error, x, y) = in_flight(Fault::Lose { device: 0, after: 7 }, devices);
        let Error::DeviceLost { given_up: Some(all), .. } = &error else { panic!("{error:?}") };
        let named: Vec<_> = all.launches.iter().map(|at| (at.node, at.stage)).collect();
        assert_eq!(named, [(Some(1), "affine"), (Some(2), "affine")], "{error:?}");
        let [lost] = &all.lost[..] else { panic!("{error:?}") };
        assert_eq!((lost.kernel, lost.param, lost.elements.len()), ("affine", "x", 1));
        assert_eq!(lost.elements[0], 16..48);
        let said = "; given up with it: `affine` (node 1), `affine` (node 2); current nowhere: elements \
                    16..48 of `x` of `affine`";
        assert!(error.to_string().contains(said), "{error:?}");
        assert_eq!(y.to_vec().unwrap(), [2; 64], "as it was");
        assert_eq!(x.view(..16).to_vec().unwrap(), [1; 16], "as it was");
        assert!(x.view(16..48).to_vec().is_err());
    }
    // A device that goes on has it still.
    let (error, ..) = in_flight(Fault::Break { call: Kind::Launch, nth: 0, device: Some(0) }, 2);
    let Error::Driver { given_up: Some(all), .. } = &error else { panic!("{error:?}") };
    let nodes: Vec<_> = all.launches.iter().map(|at| at.node).collect();
    assert_eq!((nodes, &all.lost[..]), (vec![Some(1), Some(2)], &[][..]), "{error:?}");
}

/// How long a program takes on a clock of events.
fn makespan(devices: usize, sync: bool, build: impl Fn(&mut Pipeline<'static>)) -> Duration {
    let up = Link { latency: Duration::from_millis(4), bytes_per_second: 0 };
    let kernels = vec![("affine".to_owned(), Duration::from_millis(10))];
    let speed = Speed { kernels, up, down: up, ..Speed::default() };
    let config = Config { devices, run: Run::Entry, speed, ..Config::default() };
    let sim = Sim::new(config);
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
    let rt = builder.sync(sync).build().unwrap();
    let mut p = rt.pipeline();
    build(&mut p);
    let before = sim.clock().now();
    p.exec().unwrap();
    sim.clock().now() - before
}

#[test]
fn time_is_that_of_what_has_to_follow_each_other() {
    let ms = Duration::from_millis;
    let two = |p: &mut Pipeline<'static>| {
        for _ in 0..2 {
            p.push(affine(3, 1, &mut Buffer::from(vec![1; 64])).over([64]));
        }
    };
    assert_eq!(makespan(2, true, two), ms(28));
    // Copies up and kernels of two devices at once.
    assert_eq!(makespan(2, false, two), ms(14));
    // On one, the second copy runs beside the first kernel.
    assert_eq!(makespan(1, false, two), ms(24));
    let chain = |p: &mut Pipeline<'static>| {
        let mut x = Buffer::from(vec![1; 64]);
        p.push(affine(3, 1, &mut x).over([64]));
        p.push(affine(3, 1, &mut x).over([64]));
    };
    assert_eq!(makespan(1, false, chain), ms(24));
    let in_part = |p: &mut Pipeline<'static>| {
        p.sync(true);
        two(p);
        p.sync(false);
        two(p);
    };
    // The first two one after the other; the others beside those.
    assert!(makespan(4, false, in_part) <= ms(28));
    assert_eq!(makespan(4, true, in_part), ms(56));
}

#[test]
fn an_error_says_which_elements_were_lost() {
    let (sim, rt) = open(2, Time::Virtual);
    let x = Buffer::from(vec![1_u32; 64]);
    let mut part = x.view(8..24);
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(1), Arg::<&mut [u32]>::bind(&mut part)];
    rt.submit(Call::<1>::new(&kernels::AFFINE, args)).exec([16]).unwrap();
    sim.inject(Fault::Lose { device: 0, after: 0 });
    let error = x.to_vec().unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("elements 8..24") && text.contains("sim:0"), "{text}");
    assert_eq!(x.get(7).unwrap(), 1, "the others are there");
}

/// A launch that could not begin on its device, for want of memory or of code, runs on another one;
/// one that failed under way does not, as nobody knows what it left.
#[test]
fn a_launch_that_cannot_begin_goes_to_another_device() {
    for (call, falls_back) in
        [(Kind::Allocate, true), (Kind::Load, true), (Kind::Launch, false), (Kind::Upload, false)]
    {
        let (sim, rt) = open(2, Time::Virtual);
        sim.inject(Fault::Break { call, nth: 0, device: Some(0) });
        if call == Kind::Allocate {
            // It is tried again when others have made room.
            sim.inject(Fault::Fail { call, nth: 0, device: Some(0) });
            sim.inject(Fault::Fail { call, nth: 1, device: Some(0) });
        }
        let (mut x, mut on) = (Buffer::from(vec![5_u32; 64]), Var::new(9_u32));
        let result = rt.submit(affine(3, 1, &mut x).chosen(&mut on)).exec([64]);
        let case = format!("{call:?}: {:?}", result.as_ref().err());
        assert_eq!(result.is_ok(), falls_back, "{case}");
        let expected = if falls_back { (1, 16) } else { (9, 5) };
        assert_eq!((on.get().unwrap(), x.get(63).unwrap()), expected, "{case}");
    }
    // With nobody to go to, the first error says why.
    let (sim, rt) = open(1, Time::Virtual);
    sim.inject(Fault::Break { call: Kind::Load, nth: 0, device: Some(0) });
    let mut x = Buffer::from(vec![5_u32; 64]);
    let error = rt.submit(affine(3, 1, &mut x)).exec([64]).unwrap_err();
    assert!(matches!(error, Error::NoImplementation { node: Some(0), .. }), "{error}");
    let text = error.to_string();
    let site = format!("kernel `affine` (node 0, called at {}:", file!());
    assert!(text.starts_with(&site) && text.contains("cannot run on `sim:0`"), "{error}");
    sim.clear_faults();
    rt.submit(affine(3, 1, &mut x)).exec([64]).unwrap();
    assert_eq!(x.get(0).unwrap(), 16);
}

/// An array is brought to a device, a kernel writes it, and it comes back: whatever fails, the error
/// says which array was to be moved, what it was about and what to do, or which argument. Of moves and a
/// launch that are under way at once, who hears of a failure first is not known.
#[test]
fn a_move_that_fails_says_of_what_and_what_to_do() {
    let run = |(moves, launches): (bool, bool), fault: Option<Fault>| {
        let (sim, rt) = open(1, Time::Virtual);
        let (mut x, y) = (Buffer::from(vec![1; 64]), Buffer::from(vec![1_u32; 64]));
        if !launches {
            rt.submit(affine(3, 1, &mut x)).exec([64]).unwrap();
        }
        fault.into_iter().for_each(|fault| sim.inject(fault));
        let mut p = rt.pipeline();
        if moves {
            p.move_to(&y, 0);
        }
        if launches {
            p.push(affine(3, 1, &mut x).over([64]));
        }
        if moves {
            p.move_from(&x).evict(&y, 0);
        }
        (sim, p.exec())
    };
    for program @ (moves, launches) in [(true, false), (false, true), (true, true)] {
        let (counting, done) = run(program, None);
        done.unwrap();
        let calls =
            [Kind::Upload, Kind::Download, Kind::Wait].map(|kind| (kind, counting.tally(kind)));
        let calls = calls.into_iter().flat_map(|(call, n)| (0..n).map(move |nth| (call, nth)));
        let faults = calls.flat_map(|(call, nth)| {
            [Fault::Fail { call, nth, device: None }, Fault::Break { call, nth, device: None }]
        });
        let (mut of_moves, mut of_launches) = (0, 0);
        for fault in faults {
            let (_, Err(error)) = run(program, Some(fault)) else { continue };
            let (text, all) = (error.to_string(), format!("{error:?}"));
            assert!(text.contains("sim:0") && text.contains("(node "), "{fault:?}: {all}");
            assert!(all.contains("an injected fault"), "{fault:?}: {all}");
            if text.contains("`a move`") {
                of_moves += 1;
                assert!(text.starts_with("move of 64 elements of `u32`: "), "{fault:?}: {all}");
                assert!(all.contains("run the pipeline again"), "{fault:?}: {all}");
            } else {
                of_launches += 1;
                let of_argument = ["256 bytes of `x`", "launch of kernel `affine`"];
                assert!(of_argument.iter().any(|of| text.contains(of)), "{fault:?}: {all}");
            }
        }
        println!("{of_moves} of moves, {of_launches} of launches");
        match (moves, launches) {
            (true, false) => assert!(of_moves > 6 && of_launches == 0, "{of_moves}, {of_launches}"),
            (false, true) => assert!(of_launches > 2 && of_moves == 0, "{of_moves}, {of_launches}"),
            _ => assert!(of_moves + of_launches > 9, "{of_moves}, {of_launches}"),
        }
        let calls = Kind::ALL.into_iter().map(|kind| counting.tally(kind)).sum();
        let mut lost = 0;
        for after in 0..calls {
            let (_, Err(error)) = run(program, Some(Fault::Lose { device: 0, after })) else {
                continue;
            };
            lost += 1;
            let (text, all) = (error.to_string(), format!("{error:?}"));
            assert!(text.contains("`sim:0` is lost (node "), "{after}: {all}");
            if text.contains("`a move`") {
                assert!(
                    text.starts_with("move of 64 elements of `u32`: reading elements"),
                    "{all}"
                );
                assert!(all.contains("write these elements again"), "{after}: {all}");
            }
        }
        println!("{lost} of {calls} losses");
        assert!(lost > 3, "{lost}");
    }
}

/// Two moves are under way on a device when it fails: one of them hears of it first, the other one has
/// been given up by then.
#[test]
fn each_of_two_moves_that_fail_at_once_says_why() {
    let (sim, rt) = open(1, Time::Virtual);
    let met = Arc::new(Barrier::new(2));
    sim.inject(Fault::Break { call: Kind::Upload, nth: 0, device: None });
    let moves = [(); 2].map(|()| {
        let (mut x, met, mut p) = (Buffer::from(vec![1_u32; 64]), Arc::clone(&met), rt.pipeline());
        // Time goes on when both wait for their copies.
        p.push(Task::new("meet", (&mut x,), move |(_,)| {
            met.wait();
        }));
        p.move_to(&x, 0);
        p.launch()
    });
    for run in moves {
        let error = run.wait().unwrap_err();
        let (text, all) = (error.to_string(), format!("{error:?}"));
        assert!(
            text.starts_with("move of 64 elements of `u32`: upload failed on `sim:0`"),
            "{all}"
        );
        assert!(all.contains("because: sim::upload returned 1: an injected fault"), "{all}");
        assert!(all.contains("run the pipeline again"), "{all}");
    }
}

/// A task has what it reads and waits for what it changes, while a launch elsewhere waits for it, to bring
/// newer elements to where it reads. The copy that the task waits for fails, and nobody may be at anything
/// while that is dealt with.
#[test]
fn nobody_waits_for_a_task_that_is_to_be_tried_again() {
    let down = Link { latency: Duration::ZERO, bytes_per_second: 256_000 };
    let speed = Speed { launch: Duration::from_millis(10), down, ..Speed::default() };
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, speed, ..Config::default() });
    // Or it would be brought to other memory.
    let builder = Runtime::<NoBackends>::builder().copies(1);
    let rt = builder.backend(Arc::new(sim.clone())).build().unwrap();
    sim.inject(Fault::Break { call: Kind::Download, nth: 1, device: None });
    let (said, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // Copies take 1 ms and 64 ms.
        let (mut x, mut y) = (Buffer::from(vec![1_u32; 64]), Buffer::from(vec![1_u32; 4096]));
        let mut p = rt.pipeline();
        p.push(affine(3, 1, &mut x).pin(0).over([64]));
        p.push(affine(5, 2, &mut y).pin(0).over([4096]));
        p.push(Task::new("adds", (&x, &mut y), |(x, mut y)| y[[0]] += x[[0]]));
        p.push(affine(7, 3, &mut x).pin(0).over([64]));
        p.push(affine(9, 4, &mut x).pin(1).over([64]));
        said.send(p.exec().map(drop)).unwrap_or_default();
    });
    let error = heard.recv_timeout(Duration::from_secs(30)).expect("it ends").unwrap_err();
    let text = format!("{error:?}");
    assert!(text.contains("sim::download returned 1: an injected fault"), "{text}");
    let is_download = |call: &&Logged| matches!(call.what, What::Download { .. });
    let calls = sim.calls();
    let last = calls.iter().rfind(is_download).map(|call| call.at);
    // Half of it after 20 ms of kernels.
    assert_eq!(last, Some(Duration::from_millis(52)), "the launch elsewhere had waited until then");
}
