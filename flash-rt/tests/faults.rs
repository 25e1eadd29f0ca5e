//! Every call of a run on the simulator fails once: the error is typed and says where, inputs and
//! memory are what they were, and the runtime goes on.
#![allow(clippy::unwrap_used, reason = "a result that is not there fails the test")]

use std::sync::Arc;

use flash_rt::backend::conformance::kernels::{AFFINE, SCRATCH, SUM, TRANSPOSE};
use flash_rt::error::DriverErrorKind;
use flash_rt::sim::{Config, Fault, Kind, Run, Sim};
use flash_rt::{Arg, Buffer, Call, Error, NoBackends, Runtime, Var, View, ViewMut};

fn open(faults: &[Fault]) -> (Sim, Runtime<NoBackends>) {
    let faults = faults.to_vec();
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, faults, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

/// What a run gives.
#[derive(Debug, PartialEq)]
struct Results {
    turned: Vec<u32>,
    ones: Vec<u32>,
    sum: u64,
}

struct Data {
    x: Buffer<u32, 2>,
    floats: Buffer<f64>,
}

impl Data {
    fn new() -> Self {
        let x = Buffer::from_shape([3, 5], (0..15).collect::<Vec<u32>>()).unwrap();
        Self { x, floats: Buffer::from((0..100).map(f64::from).collect::<Vec<_>>()) }
    }

    /// A pipeline of four kernels with a temporary, a reduction and reads of its results.
    fn run(&self, rt: &Runtime<NoBackends>) -> Result<Results, Error> {
        let mut turned = Buffer::<u32, 2>::zeros([5, 3]);
        let mut ones = Buffer::<u32>::zeros(40);
        let mut sum = Var::new(0.0_f64);
        let mut p = rt.pipeline();
        let args =
            [Arg::<View<'_, u32, 2>>::bind(&self.x), Arg::<ViewMut<'_, u32, 2>>::bind(&mut turned)];
        p.push(Call::<2>::new(&TRANSPOSE, args).over([3, 5]));
        let args = [Arg::<&mut [u32]>::bind(&mut ones)];
        p.push(Call::<1>::new(&SCRATCH, args).over([40]));
        let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(1), Arg::<&mut [u32]>::bind(&mut ones)];
        p.push(Call::<1>::new(&AFFINE, args).over([40]));
        let args = [Arg::<&[f64]>::bind(&self.floats), Arg::<&mut f64>::bind(&mut sum)];
        p.push(Call::<1>::new(&SUM, args).over([100]));
        p.exec()?;
        drop(p);
        let sum = sum.get()?.to_bits();
        Ok(Results { turned: turned.to_vec()?, ones: ones.to_vec()?, sum })
    }

    fn is_intact(&self) -> bool {
        let floats = self.floats.to_vec().unwrap();
        self.x.to_vec().unwrap() == (0..15).collect::<Vec<u32>>()
            && floats == (0..100).map(f64::from).collect::<Vec<_>>()
    }
}

fn good() -> Results {
    let data = Data::new();
    let (_, rt) = open(&[]);
    let results = data.run(&rt).unwrap();
    let turned: Vec<u32> = (0..15).map(|at| at % 3 * 5 + at / 3).collect();
    let expected = Results { turned, ones: vec![4; 40], sum: 4950.0_f64.to_bits() };
    assert_eq!(results, expected);
    results
}

/// Whether an error says which stage it was, unless it came from reading a result.
fn says_where(error: &Error, call: Kind) -> bool {
    let text = error.to_string();
    let named = ["`affine`", "`transpose`", "`scratch`", "`sum`"];
    text.contains("sim:0")
        && (call == Kind::Download
            || call == Kind::Wait
            || named.iter().any(|name| text.contains(name)) && text.contains("faults.rs"))
}

#[test]
fn each_call_in_turn() {
    let good = good();
    let (counted, rt) = open(&[]);
    Data::new().run(&rt).unwrap();
    let mut injected = 0;
    for call in Kind::ALL {
        let calls = counted.tally(call);
        // There is one device.
        assert_eq!(calls > 0, call != Kind::Peer, "{calls} of `{}`", call.name());
        for nth in 0..calls {
            for fault in
                [Fault::Fail { call, nth, device: None }, Fault::Break { call, nth, device: None }]
            {
                let (sim, rt) = open(&[fault]);
                let data = Data::new();
                match data.run(&rt) {
                    Ok(results) => {
                        assert_eq!(results, good, "{fault:?}");
                        // Nobody waits for what has ended by itself before they look.
                        if call == Kind::Wait && !sim.armed().is_empty() {
                            injected += 1;
                            continue;
                        }
                    }
                    Err(error) => {
                        let typed = match &error {
                            Error::OutOfMemory { .. } => call == Kind::Allocate,
                            Error::NoImplementation { .. } => call == Kind::Load,
                            Error::Driver { source, .. } => {
                                source.kind == DriverErrorKind::Failed
                                    && source.text.contains("injected")
                            }
                            _ => false,
                        };
                        assert!(typed && says_where(&error, call), "{fault:?}: {error:?}");
                    }
                }
                assert!(sim.armed().is_empty(), "{fault:?} has happened");
                assert!(data.is_intact(), "{fault:?}");
                assert_eq!(data.run(&rt).unwrap(), good, "after {fault:?}");
                drop(data);
                assert_eq!(sim.bytes_used(0), 0, "after {fault:?}");
                injected += 1;
            }
        }
    }
    let all: u64 = Kind::ALL.iter().map(|&call| counted.tally(call)).sum();
    assert_eq!(injected, 2 * all);
}

#[test]
fn a_corrupt_binary_of_each_kernel() {
    let good = good();
    let (counted, rt) = open(&[]);
    Data::new().run(&rt).unwrap();
    for nth in 0..counted.tally(Kind::Load) {
        let (sim, rt) = open(&[Fault::Corrupt { nth }]);
        let data = Data::new();
        let error = data.run(&rt).unwrap_err();
        assert!(matches!(error, Error::Driver { .. }), "{error:?}");
        assert!(says_where(&error, Kind::Launch), "{error:?}");
        assert!(format!("{error:?}").contains("corrupt"), "{error:?}");
        assert!(data.is_intact());
        // Another runtime loads it anew.
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
        assert_eq!(data.run(&rt).unwrap(), good);
    }
}

#[test]
fn a_device_is_lost_at_each_call() {
    let good = good();
    let (counted, rt) = open(&[]);
    Data::new().run(&rt).unwrap();
    let all: u64 = Kind::ALL.iter().map(|&call| counted.tally(call)).sum();
    for after in 0..all {
        let (sim, rt) = open(&[Fault::Lose { device: 0, after }]);
        let data = Data::new();
        let error = match data.run(&rt) {
            // One wait less, as in `each_call_in_turn`.
            Ok(results) if !sim.armed().is_empty() && after + counted.tally(Kind::Wait) >= all => {
                assert_eq!(results, good, "{after}");
                continue;
            }
            results => results.unwrap_err(),
        };
        assert!(matches!(error, Error::DeviceLost { .. }), "{after}: {error:?}");
        // What the host holds can still be read, and everything after says the same.
        assert!(data.is_intact(), "{after}");
        let again = data.run(&rt).unwrap_err();
        assert!(matches!(again, Error::DeviceLost { .. }), "{again:?}");
        drop(data);
        assert_eq!(sim.bytes_used(0), 0, "{after}");
    }
}
