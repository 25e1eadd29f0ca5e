//! Every call that a workload makes to its devices fails once, and so does each load because what it is
//! given is corrupt: it ends with a typed error that names the device, or it finds what it always finds.
//! What its runs only read is as it was then, all else can be read, the same runtime runs it to its end,
//! or other kernels where what it has loaded is corrupt, and nothing is left on any device.
//!
//! And one of two devices is lost at each of its calls: the other one takes over, or what only the lost
//! one held is missed by a typed error. One that is slow only makes the other one wait.
//!
//! The calls are counted in a run without faults, and so many fail. Workloads are those of `small`;
//! with `FLASH_SWEEP=full` the examples themselves come after them, with all that they draw and write.

use std::sync::Arc;

use flash::Error;
use flash_examples::{Options, Result, Size};
use flash_rt::error::DriverErrorKind;
use flash_rt::sim::{Config, Fault, Kind, Run, Sim};
use flash_rt::witness::{Given, watch};

use super::*;

/// How often a fault is tried that has not happened, and how often a run without faults is asked
/// whether it makes the call at all: side by side the number of calls differs by a few from run to run.
const TRIES: usize = 20;

/// Whose runs write all that is theirs, or borrow it.
const WITHOUT_INPUTS: &[&str] =
    &["sobel_video", "mandelbrot", "black_scholes", "histogram", "relaxation", "heat", "tree_sum"];

/// Two devices with memories of their own.
fn devices(sync: bool) -> (Sim, Runtime) {
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, log: false, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).sync(sync);
    (sim, builder.build().expect("it is always there"))
}

/// The error of a runtime in what an example returned.
pub(crate) fn typed<'e>(
    error: &'e (dyn std::error::Error + Send + Sync + 'static),
) -> Option<&'e Error> {
    let mut cause: Option<&'e (dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref::<Error>() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}

/// Whether an error is one that this fault may end with, and says which device it was.
fn fits(error: &Error, fault: Fault) -> bool {
    let injected = |source: &flash_rt::DriverError| {
        let word = if matches!(fault, Fault::Corrupt { .. }) { "corrupt" } else { "injected" };
        source.kind == DriverErrorKind::Failed
            && (source.text.contains(word) || source.text.contains("given up"))
    };
    let by_call = |kind: Kind| match fault {
        Fault::Fail { call, .. } | Fault::Break { call, .. } => call == kind,
        _ => false,
    };
    let kind = match error {
        Error::OutOfMemory { .. } => by_call(Kind::Allocate),
        Error::NoImplementation { .. } => by_call(Kind::Load),
        Error::Driver { source, .. } => injected(source),
        Error::DeviceLost { .. } => matches!(fault, Fault::Lose { .. }),
        _ => false,
    };
    // Whatever failed: which device, which stage or call of the host, and where that was called.
    let text = error.to_string();
    let by_host =
        ["bytes", "get", "into_vec", "read", "to_vec"].map(|call| format!("(`{call}`, called at "));
    let is_placed = (text.contains("(node ") && text.contains("called at "))
        || by_host.iter().any(|place| text.contains(place));
    kind && text.contains("sim:") && is_placed
}

/// Runs a workload that may fail by a fault; whether it came to its end, and how it left what it was
/// given.
fn with(program: &dyn Fn(&Runtime) -> Result, rt: &Runtime, fault: Fault) -> (bool, Vec<Given>) {
    let (result, watched) = watch(|| program(rt));
    if let Err(error) = &result {
        let fits = typed(&**error).is_some_and(|found| fits(found, fault));
        assert!(fits, "{fault:?}: {}", flash_examples::with_causes(&**error));
    }
    (result.is_ok(), watched.given)
}

/// Looks at all that runs were given: of what they may write, some is lost with a device.
fn look_at(given: Vec<Given>, fault: Fault) {
    for array in given {
        match array.is_intact() {
            Ok(is_intact) => assert!(is_intact, "{fault:?}: an input has changed"),
            Err(error) => {
                let is_lost = matches!(fault, Fault::Lose { .. }) && fits(&error, fault);
                assert!(is_lost && !array.is_input(), "{fault:?}: {error}");
            }
        }
    }
}

fn nothing_is_left((sim, rt): (&Sim, &Runtime), fault: Fault) {
    for device in 0..2 {
        assert_eq!(sim.bytes_used(device), 0, "after {fault:?}");
        assert_eq!(rt.devices()[device].bytes_used(), 0, "after {fault:?}");
    }
}

/// A kernel of no workload.
#[flash::kernel]
fn count_on(x: &mut [u32]) {
    let i = global_id(0);
    x[i] += 1;
}

fn others_run(rt: &Runtime) {
    let mut x = flash::Buffer::from(vec![1, 2, 3]);
    for device in 0..2 {
        rt.submit(count_on(&mut x).pin(device)).exec([3]).expect("each device goes on");
    }
    assert_eq!(x.to_vec().expect("it can be read"), [3, 4, 5]);
}

/// One fault; whether it happened, and whether it was an error.
fn fail(program: &dyn Fn(&Runtime) -> Result, sync: bool, fault: Fault) -> [bool; 2] {
    let (sim, rt) = devices(sync);
    sim.inject(fault);
    let (ended, given) = with(program, &rt, fault);
    let happened = sim.armed().is_empty();
    sim.clear_faults();
    look_at(given, fault);
    if let Fault::Corrupt { .. } = fault {
        // What was loaded stays as it is, so only other kernels are sure to run.
        let (_, given) = with(program, &rt, fault);
        look_at(given, fault);
        others_run(&rt);
    } else {
        succeed(program(&rt));
    }
    nothing_is_left((&sim, &rt), fault);
    [happened, !ended]
}

/// One loss; whether it happened.
fn lose(program: &dyn Fn(&Runtime) -> Result, sync: bool, fault: Fault) -> bool {
    let (sim, rt) = devices(sync);
    sim.inject(fault);
    let (_, given) = with(program, &rt, fault);
    let happened = sim.armed().is_empty();
    look_at(given, fault);
    // A late loss comes in the next run; the one after that has the other device only.
    if program(&rt).is_err() {
        succeed(program(&rt));
    }
    nothing_is_left((&sim, &rt), fault);
    happened
}

/// One device takes seven times as long: all is found, and nothing is lost.
fn slow(program: &dyn Fn(&Runtime) -> Result, sync: bool, device: usize) {
    let (sim, rt) = devices(sync);
    sim.slow(device, 7.0);
    let (result, watched) = watch(|| program(&rt));
    succeed(result);
    let is_intact = |array: Given| array.is_intact().expect("no device is lost");
    assert!(watched.given.into_iter().all(is_intact), "an input has changed");
    assert!((0..2).all(|device| sim.bytes_used(device) == 0), "a device keeps memory");
}

/// The calls of a run without faults: so many of each kind, so many of each device.
struct Calls {
    by_kind: [(Kind, u64); Kind::ALL.len()],
    of_device: [u64; 2],
    given: Vec<Given>,
}

impl Calls {
    fn of(program: &dyn Fn(&Runtime) -> Result, sync: bool) -> Self {
        let (sim, rt) = devices(sync);
        // Losses that are far away count the calls of a device.
        let far = u64::MAX;
        (0..2).for_each(|device| sim.inject(Fault::Lose { device, after: far }));
        let (result, watched) = watch(|| program(&rt));
        succeed(result);
        let mut of_device = [0; 2];
        for fault in sim.armed() {
            match fault {
                Fault::Lose { device, after } => of_device[device] = far - after,
                other => panic!("{other:?} was not injected"),
            }
        }
        let calls = Self {
            by_kind: Kind::ALL.map(|call| (call, sim.tally(call))),
            of_device,
            given: watched.given,
        };
        assert_eq!(of_device.iter().sum::<u64>(), calls.count());
        calls
    }

    fn count(&self) -> u64 {
        self.by_kind.iter().map(|(_, calls)| calls).sum()
    }

    fn of_kind(&self, call: Kind) -> u64 {
        self.by_kind.iter().filter(|(kind, _)| *kind == call).map(|(_, calls)| calls).sum()
    }

    /// Whether the call at which a fault happens was made.
    fn has(&self, fault: Fault) -> bool {
        match fault {
            Fault::Lose { device, after } => after < self.of_device[device],
            Fault::Fail { call, nth, .. } | Fault::Break { call, nth, .. } => {
                nth < self.of_kind(call)
            }
            Fault::Corrupt { nth } => nth < self.of_kind(Kind::Load),
            other => panic!("{other:?} is not at a call"),
        }
    }
}

/// Each call of a workload fails, in two ways, what each load is given is corrupt, each device is lost
/// at each call, and each is slow.
fn sweep(name: &str, program: impl Fn(&Runtime) -> Result) {
    for sync in [true, false] {
        let calls = Calls::of(&program, sync);
        let has_inputs = calls.given.iter().any(Given::is_input);
        assert_eq!(has_inputs, !WITHOUT_INPUTS.contains(&name), "{name}");

        let tries = if sync { 1 } else { TRIES };
        // A call that some runs do without need not be met.
        let is_rare = |fault| !sync && (0..TRIES).any(|_| !Calls::of(&program, sync).has(fault));
        let (mut injected, mut errors, mut losses, mut rare) = (0, 0, 0, 0);
        for (call, nth) in calls.by_kind.into_iter().flat_map(|(c, n)| (0..n).map(move |k| (c, k)))
        {
            let fails =
                [Fault::Fail { call, nth, device: None }, Fault::Break { call, nth, device: None }];
            // What is loaded may be no code, too.
            let corrupt = (call == Kind::Load).then_some(Fault::Corrupt { nth });
            for fault in fails.into_iter().chain(corrupt) {
                let mut attempts = (0..tries).map(|_| fail(&program, sync, fault));
                if let Some([_, is_error]) = attempts.find(|[happened, _]| *happened) {
                    injected += 1;
                    errors += u64::from(is_error);
                } else {
                    assert!(is_rare(fault), "{fault:?} does not happen");
                    rare += 1;
                }
            }
        }
        for (device, after) in
            calls.of_device.into_iter().enumerate().flat_map(|(d, n)| (0..n).map(move |k| (d, k)))
        {
            let fault = Fault::Lose { device, after };
            if (0..tries).any(|_| lose(&program, sync, fault)) {
                losses += 1;
            } else {
                assert!(is_rare(fault), "{fault:?} does not happen");
                rare += 1;
            }
        }
        (0..2).for_each(|device| slow(&program, sync, device));
        let count = calls.count();
        println!(
            "{name}, sync {sync}: {count} calls, {injected} faults, {errors} of them errors, \
             {losses} losses, {rare} at calls that not every run makes"
        );
        let each = 3 * count + calls.of_kind(Kind::Load);
        assert_eq!(injected + losses + rare, each, "each call in turn");
        assert!(rare <= 1 + count / 10, "{rare} of {count} calls");
        assert!(errors > 4, "only {errors} of {injected} faults were an error");
    }
}

/// The example itself.
fn sweep_all(name: &str, example: fn(&Runtime, &Options) -> Result) {
    match std::env::var("FLASH_SWEEP").ok().as_deref() {
        Some("full") => {}
        Some(other) => panic!("FLASH_SWEEP={other}, expected full"),
        None => return,
    }
    let folder = tempfile::tempdir().expect("a folder for the test");
    let options = Options { size: Size::Smoke, out: folder.path().to_owned() };
    sweep(name, |rt| example(rt, &options));
}

macro_rules! sweeps {
    ($($example:ident),* $(,)?) => {
        $(#[test]
        fn $example() {
            sweep(stringify!($example), small::$example);
            sweep_all(stringify!($example), crate::$example::run);
        })*
    };
}

portable_examples!(sweeps);

/// Launches that tell which device ran them are waited for, so several of a device fail at once: the
/// error is not that of one that was given up because of another one.
#[test]
fn every_call_of_a_matrix_product_again() {
    (0..4).for_each(|_| sweep("matrix_product", small::matrix_product));
}
