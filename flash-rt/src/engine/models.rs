//! Every interleaving of two threads that run a graph: each node runs as often as it is to, after all
//! that it waits for, and sees what that wrote. The counters are the graph's own; data are relaxed
//! atomics, of which a thread may see old values where nothing orders it. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::collections::HashMap;
use std::sync::Arc;

use loom::sync::Mutex;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

use super::graph::{Graph, Inside, NONE};
use super::order::{self, Workspace};
use super::world::World;
use crate::pipeline::{Kind, Pipeline, Work};
use crate::sync::model;
use crate::{NoBackends, Runtime, Task, Var};

/// What a node does: with the values of these cells it changes one.
type Step = (&'static [usize], usize, fn(u64, u64) -> u64);

/// A pipeline, and what its nodes do, by number; nothing for a loop.
struct Program {
    pipeline: Pipeline<'static>,
    steps: Vec<Option<Step>>,
    /// The cell that each `while` looks at, and the value from which on it ends.
    limits: HashMap<u32, (usize, u64)>,
    cells: Vec<Var<u64>>,
}

impl Program {
    fn new(n_cells: usize) -> Self {
        let rt = Runtime::<NoBackends>::open("SIM").expect("there is a simulator");
        let cells = (0..n_cells).map(|_| Var::new(0)).collect();
        Self { pipeline: rt.pipeline(), steps: Vec::new(), limits: HashMap::new(), cells }
    }

    fn step(&mut self, reads: &'static [usize], writes: usize, f: fn(u64, u64) -> u64) {
        let mut target = self.cells[writes].clone();
        match *reads {
            [] => drop(self.pipeline.push(Task::new("step", (&mut target,), |_| ()))),
            [x] => {
                let x = &self.cells[x];
                self.pipeline.push(Task::new("step", (x, &mut target), |_| ()));
            }
            [x, y, ..] => {
                let (x, y) = (&self.cells[x], &self.cells[y]);
                self.pipeline.push(Task::new("step", (x, y, &mut target), |_| ()));
            }
        }
        self.steps.push(Some((reads, writes, f)));
    }

    fn repeat(&mut self, trips: u64, body: impl FnOnce(&mut Self)) {
        self.pipeline.begin_for(0..trips);
        self.steps.push(None);
        body(self);
        self.pipeline.end_for();
    }

    /// As long as a cell is less than a limit.
    fn repeat_while(&mut self, cell: usize, limit: u64, body: impl FnOnce(&mut Self)) {
        self.limits.insert(self.steps.len() as u32, (cell, limit));
        self.pipeline.begin_while(self.cells[cell].lt(limit), 100);
        self.steps.push(None);
        body(self);
        self.pipeline.end_while();
    }

    /// One node after the other.
    fn expected(&self, cells: &mut [u64], from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let end = self.pipeline.nodes[at].end();
            match self.steps[at] {
                Some((reads, writes, f)) => {
                    let sum = reads.iter().map(|&x| cells[x]).sum();
                    cells[writes] = f(cells[writes], sum);
                }
                None => match self.limits.get(&(at as u32)) {
                    Some(&(cell, limit)) => {
                        while cells[cell] < limit {
                            self.expected(cells, at + 1, end);
                        }
                    }
                    None => (0..self.trips(at)).for_each(|_| self.expected(cells, at + 1, end)),
                },
            }
            at = end;
        }
    }

    fn trips(&self, node: usize) -> u64 {
        let work = self.pipeline.nodes[node].work.lock().expect("nobody panics");
        match &*work {
            Work::For { bounds: crate::lazy::Bounds::Fixed(trips), .. } => trips.count,
            // Whoever asks says when there are no more.
            Work::While { .. } => u64::MAX,
            _ => 0,
        }
    }
}

/// What two threads share.
struct Run {
    program: Program,
    graph: Graph,
    cells: Vec<AtomicU64>,
    queue: Mutex<Vec<u32>>,
    done: AtomicU64,
}

impl Run {
    /// Takes nodes until there are none; one who `stays` comes back until the last one has ended.
    fn take_part(&self, stays: bool) {
        loop {
            let next = self.queue.lock().expect("nobody panics").pop();
            let Some(first) = next else {
                if !stays || self.done.load(Ordering::Acquire) != 0 {
                    return;
                }
                thread::yield_now();
                continue;
            };
            // As the crew does it: one goes on with what becomes ready and leaves the rest to others.
            let mut ready = vec![first];
            while let Some(node) = ready.pop() {
                self.queue.lock().expect("nobody panics").append(&mut ready);
                self.node(node, &mut ready);
            }
        }
    }

    fn node(&self, node: u32, ready: &mut Vec<u32>) {
        let nodes = &self.program.pipeline.nodes;
        if let Some(owner) = self.graph.asks(node) {
            let (cell, limit) = self.program.limits[&owner];
            let goes_on = self.cells[cell].load(Ordering::Relaxed) < limit;
            if self.graph.answer(node, goes_on, |node| ready.push(node)) {
                self.leave(node, ready);
            }
            return;
        }
        if let Some((reads, writes, f)) = self.program.steps[node as usize] {
            let value = |cell: usize| self.cells[cell].load(Ordering::Relaxed);
            let sum = reads.iter().map(|&x| value(x)).sum();
            self.cells[writes].store(f(value(writes), sum), Ordering::Relaxed);
        } else if let Kind::For { .. } | Kind::While { .. } = nodes[node as usize].kind {
            let (region, trips) =
                (self.graph.inside[node as usize][0], self.program.trips(node as usize));
            let inside = Inside { region, trips, start: 0 };
            return self.graph.enter(nodes, inside, |node| ready.push(node));
        }
        if self.graph.end(node, |node| ready.push(node)) {
            self.leave(node, ready);
        }
    }

    /// Notes the end of the region that a node is in, and of what ends with it.
    fn leave(&self, node: u32, ready: &mut Vec<u32>) {
        let region = self.graph.region_of[node as usize];
        let owner = self.graph.regions[region as usize].owner;
        if owner == NONE {
            self.done.store(1, Ordering::Release);
        } else if self.graph.end(owner, |node| ready.push(node)) {
            self.leave(owner, ready);
        }
    }
}

/// Runs a program on two threads in every way.
fn every_way(make: fn() -> Program) {
    model(move || {
        let mut program = make();
        super::prepare(&mut program.pipeline).expect("it is right");
        let graph =
            order::build(&mut program.pipeline.nodes, false, None, &[], &mut Workspace::default());
        let n_cells = program.cells.len();
        let cells = (0..n_cells).map(|_| AtomicU64::new(0)).collect();
        let (queue, done) = (Mutex::new(Vec::new()), AtomicU64::new(0));
        let run = Arc::new(Run { program, graph, cells, queue, done });
        let mut ready = Vec::new();
        run.graph.enter(&run.program.pipeline.nodes, Inside::once(0), |node| ready.push(node));
        run.queue.lock().expect("nobody panics").append(&mut ready);
        let other = {
            let run = Arc::clone(&run);
            thread::spawn(move || run.take_part(false))
        };
        run.take_part(true);
        other.join().expect("the other thread");
        let mut expected = vec![0; n_cells];
        run.program.expected(&mut expected, 0, run.program.pipeline.nodes.len());
        let found: Vec<u64> = run.cells.iter().map(|cell| cell.load(Ordering::Relaxed)).collect();
        assert_eq!(found, expected);
    });
}

#[test]
fn who_waits_for_two_sees_what_both_wrote() {
    every_way(|| {
        let mut program = Program::new(3);
        program.step(&[], 0, |_, _| 5);
        program.step(&[0], 1, |_, x| x + 10);
        program.step(&[0], 2, |_, x| 3 * x);
        program.step(&[1, 2], 0, |x, sum| x + sum);
        program
    });
}

#[test]
fn trips_that_overlap_set_the_counters_of_the_next() {
    every_way(|| {
        let mut program = Program::new(2);
        program.repeat(3, |program| {
            program.step(&[], 0, |x, _| 2 * x + 1);
            program.step(&[0], 1, |y, x| 3 * y + x);
        });
        program
    });
}

#[test]
fn a_loop_inside_of_a_loop_begins_anew_each_time() {
    every_way(|| {
        let mut program = Program::new(2);
        program.repeat(2, |program| {
            program.step(&[1], 0, |x, y| 2 * x + y + 1);
            program.repeat(2, |program| program.step(&[0], 1, |y, x| 3 * y + x));
        });
        program
    });
}

#[test]
fn trips_of_a_while_go_as_far_as_its_condition() {
    every_way(|| {
        let mut program = Program::new(3);
        program.repeat_while(0, 2, |program| {
            program.step(&[], 0, |x, _| x + 1);
            program.step(&[], 1, |y, _| 3 * y + 1);
        });
        program.step(&[0, 1], 2, |_, sum| sum);
        program
    });
}

#[test]
fn a_while_ends_when_all_that_it_let_begin_has_ended() {
    every_way(|| {
        let mut program = Program::new(3);
        program.repeat(2, |program| {
            program.step(&[], 0, |_, _| 0);
            program.repeat_while(0, 2, |program| {
                program.step(&[], 0, |x, _| x + 1);
                program.step(&[0], 1, |y, x| 2 * y + x);
            });
            program.step(&[1], 2, |z, y| 3 * z + y);
        });
        program
    });
}

#[test]
fn a_while_that_makes_no_trip_has_ended() {
    every_way(|| {
        let mut program = Program::new(2);
        program.step(&[], 0, |_, _| 7);
        program.repeat_while(0, 7, |program| program.step(&[], 0, |x, _| x + 1));
        program.step(&[0], 1, |_, x| x);
        program
    });
}

/// What was given up runs again once, whoever finds out, and nobody gives up what another one has
/// dealt with.
#[test]
fn what_was_given_up_runs_again_once() {
    /// Launches of a run, each of which two threads wait for.
    struct Launches {
        world: World,
        /// Given up, and not run again yet.
        gone: Mutex<Vec<usize>>,
        is_there: [AtomicU64; 2],
    }
    fn wait_for(launches: &Launches, k: usize) {
        loop {
            let generation = launches.world.generation();
            let inside = launches.world.enter();
            let found = launches.is_there[k].load(Ordering::Relaxed);
            drop(inside);
            if found > 0 {
                return;
            }
            let Some(alone) = launches.world.alone(generation) else { continue };
            let gone = std::mem::take(&mut *launches.gone.lock().expect("nobody panics"));
            assert!(!gone.is_empty(), "an error, where another try would have found it done");
            for k in gone {
                let times = launches.is_there[k].load(Ordering::Relaxed);
                launches.is_there[k].store(times + 1, Ordering::Relaxed);
            }
            alone.note();
        }
    }
    model(|| {
        let launches = Arc::new(Launches {
            world: World::default(),
            gone: Mutex::new(vec![0, 1]),
            is_there: [AtomicU64::new(0), AtomicU64::new(0)],
        });
        let other = {
            let launches = Arc::clone(&launches);
            thread::spawn(move || wait_for(&launches, 1))
        };
        wait_for(&launches, 0);
        other.join().expect("the other thread");
        assert!([0, 1].iter().all(|&k: &usize| launches.is_there[k].load(Ordering::Relaxed) == 1));
    });
}
