//! Arrays that nobody has written: the state of the table in which neither host nor device has anything.

use std::sync::Arc;

use tracing::Level;

use crate::backend::conformance::kernels;
use crate::movable::Whole;
use crate::said::Said;
use crate::sim::{Config, Run, Sim};
use crate::task::TaskArg;
use crate::{Arg, Buffer, Call, NoBackends, Runtime, Section, Task, View, ViewMut};

const SHAPE: [usize; 2] = [4, 6];

struct Bench {
    rt: Runtime,
    x: Buffer<u32, 2>,
    /// Of ones, on the device.
    other: Buffer<u32, 2>,
}

impl Bench {
    fn state(&self) -> State {
        let array = self.x.whole();
        let images = array.allocation.images();
        let space = self.rt.devices()[0].space().unwrap();
        let is_written = |k: &usize| images.unwritten(&Section::of_range(&(*k..k + 1))).is_empty();
        let count = |is_current: &dyn Fn(&Section) -> bool| {
            let is_current = |k: &usize| is_current(&Section::of_range(&(*k..k + 1)));
            (0..24).filter(is_written).filter(is_current).count()
        };
        (count(&|part| images.host_is_valid(part)), count(&|part| images.is_valid(space, part)))
    }
}

fn transpose<'a>(x: &Buffer<u32, 2>, out: &mut Buffer<u32, 2>) -> Call<'a, 2> {
    let out = Arg::<ViewMut<'a, u32, 2>>::bind(out);
    Call::new(&kernels::TRANSPOSE, [Arg::<View<'a, u32, 2>>::bind(x), out])
}

fn affine<'a>(a: u32, b: u32, x: impl Arg<'a, &'a mut [u32]>) -> Call<'a, 1> {
    Call::new(&kernels::AFFINE, [Arg::<u32>::bind(a), Arg::<u32>::bind(b), x.bind()])
}

type Operation = fn(&mut Bench);

/// How many elements are current that somebody has written: on the host, on the device.
type State = (usize, usize);

/// Each operation, who is warned of as its reader, and after it the sum of the elements and where they
/// are.
const COLUMN: &[(&str, Operation, Option<&str>, u32, State)] = &[
    (
        "a kernel reads",
        |b| drop(b.rt.submit(transpose(&b.x, &mut b.other)).exec(SHAPE).unwrap()),
        Some(", kernel \"transpose\", argument \"x\", elements 24"),
        0,
        (0, 0),
    ),
    (
        "a kernel overwrites all",
        |b| drop(b.rt.submit(transpose(&b.other, &mut b.x)).exec([6, 4]).unwrap()),
        None,
        24,
        (0, 24),
    ),
    (
        "a kernel overwrites a part",
        |b| drop(b.rt.submit(transpose(&b.other, &mut b.x)).exec([2, 3]).unwrap()),
        None,
        6,
        // What it leaves is zero there, too.
        (0, 24),
    ),
    (
        "a kernel reads and writes",
        |b| {
            let mut half = b.x.reshape([24]).unwrap().view(0..12);
            b.rt.submit(affine(3, 2, &mut half)).exec([12]).unwrap();
        },
        Some(", kernel \"affine\", argument \"x\", elements 12"),
        24,
        (0, 12),
    ),
    (
        "a host task reads",
        |b| {
            let mut p = b.rt.pipeline();
            p.push(Task::new("look", (&b.x,), |(x,)| assert_eq!(x[[3, 5]], 0)));
            p.exec().unwrap();
        },
        Some(", task \"look\", argument \"argument 1\", elements 24"),
        0,
        (0, 0),
    ),
    (
        "a host task reads and writes",
        |b| {
            let mut p = b.rt.pipeline();
            p.push(Task::new("count", (&mut b.x,), |(mut x,)| x[[1, 1]] += 7));
            p.exec().unwrap();
        },
        Some(", task \"count\", argument \"argument 1\", elements 24"),
        7,
        (24, 0),
    ),
    (
        "a host task fills",
        |b| {
            let mut x = b.x.reshape([24]).unwrap();
            let x = TaskArg::fill("x", Arg::<&mut [u32]>::bind(&mut x));
            let mut p = b.rt.pipeline();
            p.push(Task::from_parts("fill", [x], |views, _| {
                views.slice_mut::<u32>()?.fill(2);
                Ok(())
            }));
            p.exec().unwrap();
        },
        None,
        48,
        (24, 0),
    ),
    (
        "a move to the device",
        |b| drop(b.rt.pipeline().move_to(&b.x, 0).exec().unwrap()),
        None,
        0,
        (0, 0),
    ),
    (
        "a move to the host",
        |b| drop(b.rt.pipeline().move_from(&b.x).exec().unwrap()),
        None,
        0,
        (0, 0),
    ),
    ("an eviction", |b| drop(b.rt.pipeline().evict(&b.x, 0).exec().unwrap()), None, 0, (0, 0)),
    (
        "a guard that reads",
        |b| drop(b.x.read((.., ..)).unwrap()),
        Some(", call \"read\", elements 24"),
        0,
        (0, 0),
    ),
    ("a guard that writes", |b| b.x.write((.., ..)).unwrap()[0] = 3, None, 3, (24, 0)),
    (
        "one element is read",
        |b| assert_eq!(b.x.get([1, 2]).unwrap(), 0),
        Some(", call \"get\", elements 1"),
        0,
        (0, 0),
    ),
    ("one element is set", |b| b.x.set([1, 2], 5).unwrap(), None, 5, (1, 0)),
];

/// What else reads it later is not said again.
#[test]
fn nothing_is_copied_and_the_first_reader_is_warned_of() {
    for (name, operation, reader, sum, state) in COLUMN {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
        let other = Buffer::filled([6, 4], 1);
        rt.submit(affine(1, 0, &mut other.reshape([24]).unwrap())).exec([24]).unwrap();
        let mut bench = Bench { rt, x: Buffer::unwritten(SHAPE), other };
        sim.clear_calls();
        let said = Said::default();
        said.hear(|| operation(&mut bench));
        let counts = sim.counts();
        assert_eq!((counts.uploads, counts.downloads), (0, 0), "{name}");
        assert_eq!(bench.state(), *state, "{name}");
        let warnings = said.take();
        match reader {
            None => assert!(warnings.is_empty(), "{name}: {warnings:?}"),
            Some(reader) => {
                assert_eq!(warnings.len(), 1, "{name}: {warnings:?}");
                assert!(warnings[0].contains("nobody has written"), "{name}: {warnings:?}");
                assert!(warnings[0].ends_with(reader), "{name}: {warnings:?}");
                said.hear(|| operation(&mut bench));
                assert!(said.take().is_empty(), "{name}: once");
            }
        }
        if reader.is_none() || *sum == 0 {
            let found = said.hear(|| bench.x.to_vec().unwrap());
            assert_eq!(found.iter().sum::<u32>(), *sum, "{name}");
        }
    }
}

#[test]
fn a_move_of_what_nobody_has_written_says_so_and_declares_nothing() {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    let x = Buffer::<u32>::unwritten(8);
    let said = Said::down_to(Level::DEBUG);
    let moves = |said: &Said| {
        let all = said.take();
        let of_moves = all.into_iter().filter(|line| line.contains("what is moved"));
        of_moves.collect::<Vec<_>>()
    };
    said.hear(|| drop(rt.pipeline().move_to(&x, 0).exec().unwrap()));
    let name = rt.devices()[0].name();
    let [line] = &moves(&said)[..] else { panic!("one move") };
    assert!(line.starts_with("DEBUG: nobody has written what is moved"), "{line}");
    assert!(line.contains(name) && line.contains("unwritten_tests.rs"), "{line}");
    assert!(line.contains("elements 8"), "{line}");
    // There is room for it, and nothing in it.
    assert_eq!((sim.bytes_used(0), sim.counts().uploads), (32, 0));
    said.hear(|| drop(rt.pipeline().move_from(&x).exec().unwrap()));
    let [line] = &moves(&said)[..] else { panic!("one move") };
    assert!(line.contains("to \"host\""), "{line}");
    said.hear(|| drop(rt.pipeline().evict(&x, 0).exec().unwrap()));
    assert!(moves(&said).is_empty(), "an eviction moves nothing anyway");
    // Who reads it is warned of still.
    said.hear(|| assert_eq!(x.get(0).unwrap(), 0));
    assert!(
        said.take().iter().any(|line| line.starts_with("WARN: reads elements")),
        "not declared"
    );
    // One element is enough.
    x.set(3, 1).unwrap();
    said.hear(|| drop(rt.pipeline().move_to(&x, 0).move_from(&x).exec().unwrap()));
    assert!(moves(&said).is_empty());
}

#[test]
fn what_was_written_is_read_without_a_word_wherever_it_is() {
    for devices in 1..3 {
        let sim = Sim::new(Config { devices, run: Run::Entry, ..Config::default() });
        let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim));
        let rt = builder.round_robin(true).build().unwrap();
        let said = Said::default();
        let mut x = Buffer::<u32>::unwritten(100);
        said.hear(|| {
            // Its first half is written on the host, and of the other one a part on a device.
            x.view_mut(0..50).write(..).unwrap().fill(1);
            let ones = Buffer::filled([1, 25], 1);
            let out = x.reshape([4, 25]).unwrap().view((2..3, ..));
            let mut out = out.reshape([25, 1]).unwrap();
            let out = Arg::<ViewMut<'_, u32, 2>>::bind(&mut out);
            let call = Call::new(&kernels::TRANSPOSE, [Arg::<View<'_, u32, 2>>::bind(&ones), out]);
            rt.submit(call).exec([1, 25]).unwrap();
            rt.submit(affine(1, 1, &mut x.view(0..75))).exec([75]).unwrap();
        });
        assert!(said.take().is_empty(), "{devices} devices");
        assert!(x.whole().allocation.has_images(), "some of it is still to be written");
        said.hear(|| assert_eq!(x.to_vec().unwrap(), [[2; 75].as_slice(), &[0; 25]].concat()));
        assert_eq!(said.take().len(), 1, "{devices} devices");
        x.set(99, 1).unwrap();
        rt.submit(affine(1, 1, &mut x.view(75..100))).exec([25]).unwrap();
        assert_eq!(x.to_vec().unwrap()[75..], [[1; 24].as_slice(), &[2]].concat());
    }
}

#[test]
fn no_copy_of_it_is_planned() {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim)).build().unwrap();
    let (written, unwritten) = (Buffer::zeros(SHAPE), Buffer::unwritten(SHAPE));
    for (x, n_copies) in [(written, 1), (unwritten, 0)] {
        let mut p = rt.pipeline();
        p.push(transpose(&x, &mut Buffer::unwritten([6, 4])).over(SHAPE));
        assert_eq!(p.explain().unwrap().copies().len(), n_copies);
    }
}
