//! Loops and decisions whose bounds and conditions the pipeline itself writes, on a clock of events: what
//! one of these does not depend on goes on beside it, and it is known when its turn comes. Figures are
//! exact.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::cond::Span;
use crate::loops::loop_var;
use crate::sim::{Config, Fault, Kind, Link, Run, Sim, Speed};
use crate::{
    Arg, Buffer, Builder, Call, Error, NoBackends, Pick, Pipeline, Result, Runtime, Task, Var,
};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// How long each step takes, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Steps {
    /// What works out a bound.
    count: u64,
    load: u64,
    up: u64,
    kernel: u64,
    down: u64,
    store: u64,
}

impl Steps {
    /// The longest of what each frame goes through.
    fn longest(self) -> u64 {
        [self.load, self.up, self.kernel, self.down, self.store].into_iter().max().unwrap()
    }

    /// The way of a frame.
    fn once(self) -> u64 {
        self.load + self.up + self.kernel + self.down + self.store
    }

    /// The first bound, from when it is begun.
    fn first(self, by: By) -> u64 {
        if by == By::Task { self.count } else { self.up + self.count + self.down }
    }

    /// A stream of so many frames.
    fn stream(self, frames: u64) -> u64 {
        if frames == 0 { 0 } else { self.once() + (frames - 1) * self.longest() }
    }
}

const STEPS: [Steps; 5] = [
    Steps { count: 7, load: 2, up: 2, kernel: 10, down: 2, store: 2 },
    Steps { count: 7, load: 2, up: 10, kernel: 9, down: 3, store: 9 },
    Steps { count: 7, load: 10, up: 2, kernel: 2, down: 3, store: 2 },
    Steps { count: 7, load: 2, up: 2, kernel: 2, down: 10, store: 2 },
    Steps { count: 7, load: 3, up: 2, kernel: 2, down: 2, store: 10 },
];

/// Who works out a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Task,
    Kernel,
}

/// Two devices, of which the second one only counts.
fn devices(steps: Steps) -> (Sim, Builder<NoBackends>) {
    let link = |ms| Link { latency: MS(ms), bytes_per_second: 0 };
    let kernels = [("divide", steps.kernel), ("affine", steps.count)];
    let kernels = kernels.map(|(name, ms)| (name.to_owned(), MS(ms))).to_vec();
    let (up, down) = (link(steps.up), link(steps.down));
    let speed = Speed { kernels, up, down, ..Speed::default() };
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, speed, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
    (sim, builder.dataflow(true))
}

/// What has nothing to do with a bound takes so long.
const LONG: u64 = 33;

/// The data of a program.
struct Data {
    n: Var<u32>,
    x: [Buffer<u32>; 2],
    y: [Buffer<u32>; 2],
    /// What was stored.
    sum: Var<u64>,
}

impl Data {
    fn new(n: u32) -> Self {
        let fresh = || Buffer::from(vec![1_u32; 8]);
        let (x, y) = ([fresh(), fresh()], [fresh(), fresh()]);
        Self { n: Var::new(n), x, y, sum: Var::new(0) }
    }

    /// Adds one to the bound.
    fn count(&mut self, by: By, (sim, steps): (&Sim, Steps), p: &mut Pipeline<'_>) {
        let clock = sim.clock();
        match by {
            By::Task => p.push(Task::new("count", (&mut self.n,), move |(n,)| {
                clock.sleep(MS(steps.count));
                *n = n.wrapping_add(1);
            })),
            By::Kernel => {
                let n = Arg::<&mut [u32]>::bind(&mut self.n);
                let args = [Arg::<u32>::bind(1), Arg::<u32>::bind(1), n];
                p.push(Call::<1>::new(&kernels::AFFINE, args).pin(1).over([1]))
            }
        };
    }

    /// A loop over frames that are loaded, computed and stored.
    fn frames(&mut self, on: (&Sim, Steps), p: &mut Pipeline<'_>) {
        p.begin_for(Span { from: 0, to: &self.n, inclusive: false });
        self.frame(on, p);
        p.end_for();
    }

    /// The same for so many frames, if the bound is no more than `most`.
    fn decision(&mut self, frames: u64, most: u32, on: (&Sim, Steps), p: &mut Pipeline<'_>) {
        p.begin_if(self.n.le(most));
        p.begin_for(0..frames);
        self.frame(on, p);
        p.end_for();
        p.end_if();
    }

    fn frame(&mut self, (sim, steps): (&Sim, Steps), p: &mut Pipeline<'_>) {
        let [x, x2] = &mut self.x;
        let [y, y2] = &mut self.y;
        let (load, store) = (sim.clock(), sim.clock());
        let mut frame = 0;
        p.push(Task::new("load", (&mut *x,), move |(mut x,)| {
            frame = frame % 100 + 1;
            x[[0]] = frame;
            load.sleep(MS(steps.load));
        }));
        let args = [Arg::<&[u32]>::bind(&*x), Arg::<&mut [u32]>::bind(&mut *y)];
        p.push(Call::<1>::new(&kernels::DIVIDE, args).pin(0).over([8]));
        p.push(Task::new("store", (&*y, &mut self.sum), move |(y, sum)| {
            *sum = sum.wrapping_mul(31).wrapping_add(u64::from(y[[0]]));
            store.sleep(MS(steps.store));
        }));
        p.swap(&*x, &*x2).swap(&*y, &*y2);
    }
}

/// The sum of so many frames.
fn stored(frames: u64) -> u64 {
    (0..frames).fold(0, |sum: u64, k| sum.wrapping_mul(31).wrapping_add(100 / (k % 100 + 1)))
}

#[test]
fn what_a_bound_does_not_depend_on_goes_on_beside_it() {
    for (steps, trips) in STEPS.into_iter().flat_map(|steps| [0_u32, 1, 4].map(|n| (steps, n))) {
        for by in [By::Task, By::Kernel] {
            let (sim, builder) = devices(steps);
            let rt = builder.build().unwrap();
            let mut data = Data::new(trips.wrapping_sub(1));
            let (mut before, clock) = (Var::new(0_u32), sim.clock());
            let mut p = rt.pipeline();
            p.push(Task::new("before", (&mut before,), move |(before,)| {
                clock.sleep(MS(LONG));
                *before += 1;
            }));
            data.count(by, (&sim, steps), &mut p);
            data.frames((&sim, steps), &mut p);
            p.exec().unwrap();
            let least = LONG.max(steps.first(by) + steps.stream(trips.into()));
            assert_eq!(sim.clock().now(), MS(least), "{trips} {by:?} {steps:?}");
            assert_eq!(data.sum.get().unwrap(), stored(trips.into()));
        }
    }
}

/// Nothing is there to be overlapped with the first bound; each of the others is known when the loop
/// before has ended.
#[test]
fn the_bound_of_the_next_loop_is_worked_out_beside_this_one() {
    const ROUNDS: u64 = 6;
    for steps in STEPS {
        for by in [By::Task, By::Kernel] {
            let (sim, builder) = devices(steps);
            let rt = builder.build().unwrap();
            let mut data = Data::new(0);
            let mut p = rt.pipeline();
            p.begin_for(0..ROUNDS);
            data.count(by, (&sim, steps), &mut p);
            data.frames((&sim, steps), &mut p);
            p.end_for();
            p.exec().unwrap();
            let least = steps.first(by) + (1..=ROUNDS).map(|n| steps.stream(n)).sum::<u64>();
            assert_eq!(sim.clock().now(), MS(least), "{by:?} {steps:?}");
            assert_eq!(data.sum.get().unwrap(), stored((1..=ROUNDS).sum()));
        }
    }
}

/// As many frames are decided on at once.
const FRAMES: u64 = 4;

#[test]
fn the_condition_of_the_next_decision_is_worked_out_beside_this_one() {
    for (steps, by) in STEPS.into_iter().flat_map(|steps| [(steps, By::Task), (steps, By::Kernel)])
    {
        let (sim, builder) = devices(steps);
        let rt = builder.build().unwrap();
        let mut data = Data::new(0);
        let mut p = rt.pipeline();
        for _ in 0..2 {
            data.count(by, (&sim, steps), &mut p);
            data.decision(FRAMES, 2, (&sim, steps), &mut p);
        }
        p.exec().unwrap();
        let least = steps.first(by) + 2 * steps.stream(FRAMES);
        assert_eq!(sim.clock().now(), MS(least), "{by:?} {steps:?}");
    }
}

/// The same round by round, of which those up to `most` do something.
#[test]
fn each_condition_is_worked_out_beside_the_round_before() {
    const ROUNDS: u64 = 6;
    let cases = STEPS.into_iter().flat_map(|steps| [0_u32, 1, 3, 6].map(|most| (steps, most)));
    for (steps, most) in cases {
        for by in [By::Task, By::Kernel] {
            let (sim, builder) = devices(steps);
            let rt = builder.build().unwrap();
            let mut data = Data::new(0);
            let mut p = rt.pipeline();
            p.begin_for(0..ROUNDS);
            data.count(by, (&sim, steps), &mut p);
            data.decision(FRAMES, most, (&sim, steps), &mut p);
            p.end_for();
            p.exec().unwrap();
            let down = if by == By::Task { 0 } else { steps.down };
            let (mut known, mut end) = (steps.first(by), 0);
            for round in 1..=ROUNDS {
                let begin = known.max(end);
                end = begin + if round <= most.into() { steps.stream(FRAMES) } else { 0 };
                // One condition may be known before its turn, and the value for the next one be there.
                known = (known + steps.count).max(begin) + down;
            }
            assert_eq!(sim.clock().now(), MS(end), "{most} {by:?} {steps:?}");
            assert_eq!(data.sum.get().unwrap(), stored(FRAMES * u64::from(most)));
        }
    }
}

/// What the body needs takes longer than the condition, which has come from its device by then.
#[test]
fn a_condition_is_there_when_what_it_decides_on_may_begin() {
    for (steps, by) in STEPS.into_iter().flat_map(|steps| [(steps, By::Task), (steps, By::Kernel)])
    {
        let (sim, builder) = devices(steps);
        let rt = builder.build().unwrap();
        let (mut data, clock) = (Data::new(0), sim.clock());
        let mut p = rt.pipeline();
        p.push(Task::new("before", (&mut data.sum,), move |(_,)| clock.sleep(MS(LONG))));
        data.count(by, (&sim, steps), &mut p);
        p.begin_if(data.n.le(1_u32));
        let clock = sim.clock();
        p.push(Task::new("after", (&mut data.sum,), move |(sum,)| {
            clock.sleep(MS(LONG));
            *sum += 1;
        }));
        p.end_if();
        p.exec().unwrap();
        assert_eq!(sim.clock().now(), MS(2 * LONG), "{by:?} {steps:?}");
        assert_eq!(data.sum.get().unwrap(), 1);
    }
}

/// What a bound or condition is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    For,
    If,
}

impl Form {
    fn open(self, n: &Var<i64>, p: &mut Pipeline<'_>) {
        match self {
            Self::For => drop(p.begin_for(Span { from: 0, to: n, inclusive: false })),
            Self::If => drop(p.begin_if(n.gt(0_i64))),
        }
    }

    fn close(self, p: &mut Pipeline<'_>) {
        match self {
            Self::For => p.end_for(),
            Self::If => p.end_if(),
        };
    }

    fn trips(self, n: i64) -> i64 {
        if self == Self::For { n } else { i64::from(n > 0) }
    }
}

/// What a program does to a bound, and what it does in the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Twist {
    Nothing,
    /// The body reads the bound.
    Reads,
    /// The body changes the bound for the next time.
    Writes,
    /// Two cells are exchanged after each loop.
    Swaps,
    /// Twice the same bound.
    Twice,
    /// It is changed in a decision.
    Decides,
    /// Nobody but the body changes it.
    Grows,
}

const TWISTS: [Twist; 7] = [
    Twist::Nothing,
    Twist::Reads,
    Twist::Writes,
    Twist::Swaps,
    Twist::Twice,
    Twist::Decides,
    Twist::Grows,
];

/// Bounds in the order in which they are worked out.
const BOUNDS: [i64; 7] = [2, 0, -3, 4, i64::MIN, 1, 3];

/// A number for each trip, in the order of the program.
type Seen = Arc<Mutex<Vec<i64>>>;

/// Rounds of a loop or decision whose bound is worked out in each of them, from the `first` one of the
/// list on, in a loop that `asks` before each trip or not.
fn rounds<'a>(
    rt: &Runtime,
    first: &Var<u64>,
    (form, twist, asks): (Form, Twist, bool),
    seen: &Seen,
) -> Pipeline<'a> {
    let (mut n, mut other, mut round) = (Var::new(0_i64), Var::new(2_i64), Var::new(0_u64));
    let note = |by: i64| {
        let seen = Arc::clone(seen);
        Task::new("note", (), move |()| seen.lock().unwrap().push(by))
    };
    let mut p = rt.pipeline();
    p.push(Task::new("begin", (&mut n, &mut other, &mut round), |(n, other, round)| {
        (*n, *other, *round) = (1, 2, 0);
    }));
    if asks {
        p.begin_while(round.lt(BOUNDS.len() as u64), 100_u32);
    } else {
        p.begin_for(0..BOUNDS.len() as u64);
    }
    p.push(Task::new("next", (&mut round,), |(round,)| *round += 1));
    let choose = |n: &mut Var<i64>| {
        Task::new("choose", (first, &round, n), |(first, round, n)| {
            *n = BOUNDS[(first + round) as usize % BOUNDS.len()];
        })
    };
    if twist == Twist::Decides {
        p.begin_if(loop_var::<u64>(0).lt(3_u64)).push(choose(&mut n));
        p.end_if();
    } else if twist != Twist::Grows {
        p.push(choose(&mut n));
    }
    for times in 0..if twist == Twist::Twice { 2 } else { 1 } {
        form.open(&n, &mut p);
        p.push(note(times));
        let see = Arc::clone(seen);
        if twist == Twist::Reads {
            p.push(Task::new("read", (&n,), move |(n,)| see.lock().unwrap().push(n)));
        }
        if [Twist::Writes, Twist::Grows].contains(&twist) {
            p.push(Task::new("write", (&mut n,), |(n,)| *n += 1));
        }
        form.close(&mut p);
    }
    if twist == Twist::Swaps {
        let seen = Arc::clone(seen);
        p.push(Task::new("read", (&mut other,), move |(other,)| {
            seen.lock().unwrap().push(100 + *other);
            *other += 1;
        }));
        p.swap(&n, &other);
        form.open(&n, &mut p);
        p.push(note(7));
        form.close(&mut p);
    }
    if asks {
        p.end_while()
    } else {
        p.end_for()
    };
    p
}

/// The same, as Rust has it.
fn expected(first: u64, form: Form, twist: Twist) -> Vec<i64> {
    let (mut seen, mut n, mut other) = (vec![], 1_i64, 2_i64);
    for round in 1..=BOUNDS.len() as u64 {
        if twist != Twist::Grows && (twist != Twist::Decides || round <= 3) {
            n = BOUNDS[(first + round) as usize % BOUNDS.len()];
        }
        for times in 0..if twist == Twist::Twice { 2 } else { 1 } {
            let trips = form.trips(n);
            for _ in 0..trips {
                seen.push(times);
                match twist {
                    Twist::Reads => seen.push(n),
                    Twist::Writes | Twist::Grows => n += 1,
                    _ => {}
                }
            }
        }
        if twist == Twist::Swaps {
            seen.push(100 + other);
            other += 1;
            std::mem::swap(&mut n, &mut other);
            (0..form.trips(n)).for_each(|_| seen.push(7));
        }
    }
    seen
}

#[test]
fn trips_are_those_of_the_bound_when_a_loop_or_decision_is_entered() {
    for pick in [Pick::First, Pick::Last, Pick::Random(1), Pick::Random(2)] {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim));
        let rt = builder.pick(pick).build().unwrap();
        let cases = TWISTS.into_iter().flat_map(|twist| [(twist, false), (twist, true)]);
        let cases = cases.flat_map(|(twist, asks)| [Form::For, Form::If].map(|f| (f, twist, asks)));
        for (form, twist, asks) in cases {
            let (first, seen) = (Var::new(0_u64), Seen::default());
            let mut p = rounds(&rt, &first, (form, twist, asks), &seen);
            // The same plan with other bounds.
            for from in [0, 1, 5, 2] {
                first.set(from).unwrap();
                p.exec().unwrap();
                let seen = std::mem::take(&mut *seen.lock().unwrap());
                let case = format!("{pick:?}, {form:?}, {twist:?}, {asks}, from {from}");
                assert_eq!(seen, expected(from, form, twist), "{case}");
            }
        }
    }
}

#[test]
fn a_huge_bound_is_no_error_and_what_fails_in_a_trip_is() {
    for bound in [u64::MAX, 1 << 40] {
        for inclusive in [false, true] {
            let (_, rt) = open();
            let mut n = Var::new(0_u64);
            let mut p = rt.pipeline();
            p.push(Task::new("count", (&mut n,), move |(n,)| *n = bound));
            p.begin_for(Span { from: 0, to: &n, inclusive });
            let mut trips = 0;
            let stop = move |()| {
                trips += 1;
                if trips > 5 { Err("enough".into()) } else { Ok(()) }
            };
            p.push(Task::new("stop", (), stop));
            p.end_for();
            let error = p.exec().unwrap_err();
            assert!(matches!(error, Error::HostTask { task: "stop", .. }), "{error}");
        }
    }
}

fn open() -> (Sim, Runtime) {
    let none = Steps { count: 0, load: 0, up: 0, kernel: 0, down: 0, store: 0 };
    let (sim, builder) = devices(none);
    let rt = builder.build().unwrap();
    (sim, rt)
}

/// Rounds whose bounds a kernel works out: what was stored.
fn program((sim, rt): (&Sim, &Runtime), form: Form) -> Result<u64> {
    let none = Steps { count: 0, load: 0, up: 0, kernel: 0, down: 0, store: 0 };
    let mut data = Data::new(0);
    let mut p = rt.pipeline();
    p.begin_for(0..3_u32);
    data.count(By::Kernel, (sim, none), &mut p);
    match form {
        Form::For => data.frames((sim, none), &mut p),
        Form::If => data.decision(2, 2, (sim, none), &mut p),
    }
    p.end_for();
    p.exec()?;
    data.sum.get()
}

#[test]
fn a_fault_at_each_call_ends_with_what_is_right_or_an_error() {
    for (form, frames) in [(Form::For, 6), (Form::If, 4)] {
        each_fault(form, stored(frames));
    }
}

fn each_fault(form: Form, wanted: u64) {
    let (sim, rt) = open();
    assert_eq!(program((&sim, &rt), form).unwrap(), wanted);
    let counts = Kind::ALL.map(|kind| sim.tally(kind));
    let calls =
        Kind::ALL.into_iter().zip(counts).flat_map(|(call, n)| (0..n).map(move |nth| (call, nth)));
    let faults = calls.flat_map(|(call, nth)| {
        [Fault::Fail { call, nth, device: None }, Fault::Break { call, nth, device: None }]
    });
    let lost = (0..counts.iter().sum())
        .flat_map(|after| [0, 1].map(|device| Fault::Lose { device, after }));
    let (mut injected, mut errors) = (0, 0);
    for fault in faults.chain(lost) {
        let (sim, rt) = open();
        sim.inject(fault);
        injected += 1;
        match program((&sim, &rt), form) {
            Ok(found) => assert_eq!(found, wanted, "{fault:?}"),
            Err(error) => {
                errors += 1;
                let named = matches!(
                    error,
                    Error::Driver { .. }
                        | Error::OutOfMemory { .. }
                        | Error::NoImplementation { .. }
                        | Error::DeviceLost { .. }
                );
                assert!(named, "{fault:?}: {error:?}");
            }
        }
        if !matches!(fault, Fault::Lose { .. }) {
            sim.clear_faults();
            assert_eq!(program((&sim, &rt), form).unwrap(), wanted, "after {fault:?}");
        }
    }
    assert!(injected > 50 && errors > 20, "{errors} errors of {injected} faults");
}
