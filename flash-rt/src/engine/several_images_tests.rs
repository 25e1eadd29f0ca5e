//! Where the elements of an array are current on the host and several devices, and what is copied
//! for it: every operation in every state that there is, against the rules as a model of a few lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::coherence_tests::{affine, fill, transpose};
use crate::movable::Whole;
use crate::sim::{Config, Run, Sim};
use crate::{Buffer, NoBackends, Runtime, Task};

const SHAPE: [usize; 2] = [4, 6];
const N: usize = 24;
const BYTES: u64 = 4 * 24;

/// What is done with the whole array, on a device where it is done on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    KernelIn(usize),
    KernelOut(usize),
    /// A launch that overwrites a part.
    KernelPart(usize),
    KernelIo(usize),
    MoveTo(usize),
    Evict(usize),
    MoveFrom,
    TaskIn,
    TaskIo,
    TaskFill,
    GuardIn,
    GuardIo,
}

use Op::{
    Evict, GuardIn, GuardIo, KernelIn, KernelIo, KernelOut, KernelPart, MoveFrom, MoveTo, TaskFill,
    TaskIn, TaskIo,
};

fn operations(devices: usize) -> Vec<Op> {
    let on: [fn(usize) -> Op; 6] = [KernelIn, KernelOut, KernelPart, KernelIo, MoveTo, Evict];
    let on_devices = (0..devices).flat_map(|device| on.map(|op| op(device)));
    on_devices.chain([MoveFrom, TaskIn, TaskIo, TaskFill, GuardIn, GuardIo]).collect()
}

/// The host's place among the memories; that of device `d` is `d + 1`.
const HOST: usize = 0;

/// The rules: who reads takes the elements from where they are, from the host before others, and by way
/// of the host where devices are no peers, and all that they pass through has them too; who overwrites all of them takes nothing; who writes is the only
/// one to have them.
#[derive(Clone, Debug)]
struct Model {
    peers: bool,
    current: Vec<bool>,
    ups: u64,
    downs: u64,
    between: u64,
    x: Vec<u32>,
}

impl Model {
    fn bring(&mut self, memory: usize) {
        if !std::mem::replace(&mut self.current[memory], true) {
            if memory == HOST {
                self.downs += 1;
            } else if self.peers && !self.current[HOST] {
                self.between += 1;
            } else {
                self.bring(HOST);
                self.ups += 1;
            }
        }
    }

    fn own(&mut self, memory: usize) {
        self.current.fill(false);
        self.current[memory] = true;
    }

    fn apply(&mut self, op: Op) {
        match op {
            KernelIn(d) | MoveTo(d) => self.bring(d + 1),
            KernelOut(d) => self.own(d + 1),
            KernelPart(d) | KernelIo(d) => {
                self.bring(d + 1);
                self.own(d + 1);
            }
            MoveFrom | TaskIn | GuardIn => self.bring(HOST),
            TaskIo | GuardIo => {
                self.bring(HOST);
                self.own(HOST);
            }
            TaskFill => self.own(HOST),
            Evict(d) => {
                if self.current.iter().enumerate().all(|(m, current)| *current == (m == d + 1)) {
                    self.bring(HOST);
                }
                self.current[d + 1] = false;
            }
        }
        let rows = SHAPE[1];
        let source = |k: usize| source()[k % rows * SHAPE[0] + k / rows];
        match op {
            KernelOut(_) => self.x = (0..N).map(source).collect(),
            KernelPart(_) => {
                let part = (0..N).filter(|k| k % rows < 2 && k / rows < 3);
                part.for_each(|k| self.x[k] = source(k));
            }
            KernelIo(_) => self.x.iter_mut().for_each(|v| *v = v.wrapping_mul(3).wrapping_add(1)),
            TaskIo => self.x[7] = 70,
            TaskFill => self.x.fill(7),
            GuardIo => self.x[23] = 230,
            _ => {}
        }
    }
}

/// What kernels that overwrite write, transposed.
fn source() -> Vec<u32> {
    (0..N as u32).map(|i| 7 * i + 3).collect()
}

struct Bench {
    sim: Sim,
    rt: Runtime,
    x: Buffer<u32, 2>,
    from: Buffer<u32, 2>,
    sink: Buffer<u32, 2>,
}

impl Bench {
    fn new(devices: usize, peers: bool) -> Self {
        let sim = Sim::new(Config { devices, peers, run: Run::Entry, ..Config::default() });
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
        let rt = rt.copies(1).build().unwrap();
        let x = Buffer::from_shape(SHAPE, (0..N as u32).collect::<Vec<_>>()).unwrap();
        let from = Buffer::from_shape([SHAPE[1], SHAPE[0]], source()).unwrap();
        // Only the array that is asked about is ever copied from here on.
        for device in 0..devices {
            rt.pipeline().move_to(&from, device).exec().unwrap();
        }
        Self { sim, rt, x, from, sink: Buffer::zeros([SHAPE[1], SHAPE[0]]) }
    }

    fn apply(&mut self, op: Op) {
        let Self { rt, x, from, sink, .. } = self;
        let mut p = rt.pipeline();
        match op {
            KernelIn(d) => drop(p.push(transpose(x, sink).pin(d).over(SHAPE))),
            KernelOut(d) => drop(p.push(transpose(from, x).pin(d).over([SHAPE[1], SHAPE[0]]))),
            KernelPart(d) => drop(p.push(transpose(from, x).pin(d).over([2, 3]))),
            KernelIo(d) => {
                let mut flat = x.reshape([N]).unwrap();
                p.push(affine(3, 1, &mut flat).pin(d).over([N]));
            }
            MoveTo(d) => drop(p.move_to(x, d)),
            Evict(d) => drop(p.evict(x, d)),
            MoveFrom => drop(p.move_from(x)),
            TaskIn => drop(p.push(Task::new("read", (&*x,), |(x,)| assert!(x[[3, 5]] > 0)))),
            TaskIo => drop(p.push(Task::new("write", (&mut *x,), |(mut x,)| x[[1, 1]] = 70))),
            TaskFill => drop(p.push(fill(x, None))),
            GuardIn => drop(x.read((.., ..)).unwrap()),
            GuardIo => x.write((.., ..)).unwrap()[23] = 230,
        }
        p.exec().unwrap();
    }

    /// In which memories all elements are current.
    fn current(&self) -> Vec<bool> {
        let array = self.x.whole();
        let images = array.allocation.images();
        let on = self.rt.devices().iter().map(|device| {
            let space = device.space().unwrap();
            images.is_valid(space, &array.section)
        });
        std::iter::once(images.host_is_valid(&array.section)).chain(on).collect()
    }
}

/// Every operation in every state that operations lead to.
fn every_state(devices: usize, peers: bool) -> Vec<Vec<bool>> {
    let mut start = vec![false; devices + 1];
    start[HOST] = true;
    let mut ways = BTreeMap::from([(start.clone(), Vec::new())]);
    let mut open = vec![start.clone()];
    while let Some(state) = open.pop() {
        let way: Vec<Op> = ways[&state].clone();
        for op in operations(devices) {
            let mut bench = Bench::new(devices, peers);
            let (x, current) = (bench.x.to_vec().unwrap(), start.clone());
            let mut model = Model { peers, current, ups: 0, downs: 0, between: 0, x };
            for &op in &way {
                bench.apply(op);
                model.apply(op);
            }
            assert_eq!((bench.current(), &model.current), (state.clone(), &state), "{way:?}");
            bench.sim.clear_calls();
            (model.ups, model.downs, model.between) = (0, 0, 0);
            bench.apply(op);
            model.apply(op);

            let (counts, what) = (bench.sim.counts(), format!("{op:?} after {way:?}"));
            let copies = [counts.uploads, counts.downloads, counts.peer_copies];
            let moved = [model.ups, model.downs, model.between];
            assert_eq!(copies, moved, "{what}");
            let bytes = [counts.uploaded, counts.downloaded, counts.peer_copied];
            assert_eq!(bytes, moved.map(|n| n * BYTES), "{what}");
            assert_eq!(bench.current(), model.current, "{what}");
            assert_eq!(bench.x.to_vec().unwrap(), model.x, "{what}");
            assert_eq!(bench.sim.counts().poison, 0, "{what}");
            if !ways.contains_key(&model.current) {
                let way = [&way[..], &[op]].concat();
                ways.insert(model.current.clone(), way);
                open.push(model.current);
            }
        }
    }
    ways.into_keys().collect()
}

/// The host beside any devices, or one device alone: what goes from one to another passes through
/// the host, so two devices never have what it lacks, unless they are peers.
fn states(devices: usize, peers: bool) -> Vec<Vec<bool>> {
    let bits = |set: usize| (0..=devices).map(move |m| set >> m & 1 == 1).collect::<Vec<_>>();
    let can_be = |set: &usize| peers || set & 1 == 1 || set.is_power_of_two();
    let all = (1_usize..2 << devices).filter(can_be);
    let mut all: Vec<_> = all.map(bits).collect();
    all.sort();
    all
}

#[test]
fn every_operation_in_every_state_of_two_devices() {
    assert_eq!(every_state(2, false), states(2, false));
    assert_eq!(states(2, false).len(), 6);
}

#[test]
fn every_operation_in_every_state_of_three_devices() {
    assert_eq!(every_state(3, false), states(3, false));
    assert_eq!(states(3, false).len(), 11);
}

#[test]
fn every_operation_in_every_state_of_peers() {
    for (devices, n) in [(2, 7), (3, 15)] {
        assert_eq!(every_state(devices, true), states(devices, true));
        assert_eq!(states(devices, true).len(), n);
    }
}
