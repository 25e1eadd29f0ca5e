//! Graphs of tasks, and their executable form. Who builds them, a capture or calls, is elsewhere.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use crate::clock::Clock;
use crate::codes::{Code, Outcome};
use crate::driver::driver;
use crate::health::Health;
use crate::locks::lock;
use crate::stream::{Failure, Kind, Line, Stream};
use crate::task::Task;

/// What a node does.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Task(Task),
    Child(Arc<Graph>),
    Conditional { condition: Arc<Condition>, repeats: bool, bodies: Vec<Arc<Graph>> },
}

/// A node, and the numbers of the nodes that it comes after.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) what: What,
    pub(crate) after: Vec<usize>,
}

/// A graph. Nodes are numbered in the order in which they were added.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) handle: usize,
    pub(crate) nodes: Mutex<Vec<Node>>,
}

/// The value that a conditional node asks.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) handle: usize,
    initial: Option<u32>,
    value: AtomicU32,
}

/// Handles of nodes hold the number of the graph and that of the node.
const NODES: usize = 0x7d00 << 40;
const GRAPH_BITS: usize = 20;

impl Graph {
    pub(crate) fn create() -> Arc<Self> {
        driver().graphs.insert(|handle| Self { handle, nodes: Mutex::default() })
    }

    /// A copy of its own, without a handle.
    pub(crate) fn copied(&self) -> Self {
        Self { handle: 0, nodes: Mutex::new(lock(&self.nodes).clone()) }
    }

    /// Ends the graph, and the bodies of its conditional nodes.
    pub(crate) fn destroy(&self) -> Outcome {
        driver().graphs.remove(self.handle)?;
        for node in lock(&self.nodes).iter() {
            if let What::Conditional { bodies, .. } = &node.what {
                for body in bodies {
                    // Somebody may have destroyed it by mistake, which its own call has reported.
                    let _ = body.destroy();
                }
            }
        }
        Ok(())
    }

    /// Adds a node behind others.
    pub(crate) fn add(&self, what: What, mut after: Vec<usize>) -> Outcome<usize> {
        let mut nodes = lock(&self.nodes);
        if after.iter().any(|&other| other >= nodes.len()) {
            return Err(Code::INVALID_VALUE);
        }
        after.sort_unstable();
        after.dedup();
        nodes.push(Node { what, after });
        Ok(nodes.len() - 1)
    }

    fn number(&self) -> usize {
        (self.handle & ((1 << 40) - 1)) / 16
    }

    /// The handle of a node.
    pub(crate) fn node_handle(&self, node: usize) -> usize {
        NODES + (self.number() << GRAPH_BITS) + 16 * (node + 1)
    }

    /// The number of a node of this graph.
    pub(crate) fn node_of(&self, handle: usize) -> Outcome<usize> {
        let offset = handle.wrapping_sub(NODES + (self.number() << GRAPH_BITS));
        let node = (offset / 16).wrapping_sub(1);
        let is_one = offset.is_multiple_of(16) && node < lock(&self.nodes).len();
        if is_one { Ok(node) } else { Err(Code::INVALID_VALUE) }
    }

    /// The graph that a node is in, and its number there.
    pub(crate) fn of_node(handle: usize) -> Outcome<(Arc<Self>, usize)> {
        let graphs = driver().graphs.all();
        let found = graphs.into_iter().find_map(|graph| {
            let node = graph.node_of(handle).ok()?;
            Some((graph, node))
        });
        found.ok_or(Code::INVALID_VALUE)
    }

    /// Makes one node come after another.
    pub(crate) fn order(&self, first: usize, second: usize) {
        let mut nodes = lock(&self.nodes);
        let node = nodes.get_mut(second).filter(|node| !node.after.contains(&first));
        if let Some(node) = node {
            node.after.push(first);
        }
    }

    /// The nodes in an order that follows from what they come after.
    fn sorted(&self) -> Outcome<Vec<(usize, Node)>> {
        let mut left: BTreeMap<usize, Node> =
            lock(&self.nodes).iter().cloned().enumerate().collect();
        let mut sorted = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let is_free = |node: &Node| node.after.iter().all(|it| !left.contains_key(it));
            let free = left.iter().find(|(_, node)| is_free(node)).map(|(&number, _)| number);
            // What is left goes round in a circle.
            let number = free.ok_or(Code::INVALID_VALUE)?;
            sorted.extend(left.remove(&number).map(|node| (number, node)));
        }
        Ok(sorted)
    }

    /// The tasks in the order in which they run.
    pub(crate) fn steps(&self) -> Outcome<Steps> {
        let mut steps = Steps::default();
        for (number, node) in self.sorted()? {
            let task = match node.what {
                What::Task(task) => task,
                What::Child(graph) => Task::Graph(Arc::new(graph.steps()?)),
                What::Conditional { condition, repeats, bodies } => {
                    steps.conditions.push(condition.clone());
                    let bodies = bodies.iter().map(|body| body.steps().map(Arc::new));
                    let bodies = bodies.collect::<Outcome<_>>()?;
                    Task::Conditional { condition, repeats, bodies }
                }
            };
            steps.tasks.push((self.node_handle(number), task));
        }
        Ok(steps)
    }
}

/// Tasks in the order in which they run, by the handles of their nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    pub(crate) tasks: Vec<(usize, Task)>,
    /// What gets its first value when the graph is launched.
    conditions: Vec<Arc<Condition>>,
}

impl Steps {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        for condition in &self.conditions {
            condition.begin();
        }
        self.tasks.iter().try_for_each(|(_, task)| task.run())
    }

    /// Replaces the task of a node, here or in the body of a conditional node.
    fn replace(&mut self, node: usize, new: &mut impl FnMut(&Task) -> Outcome<Task>) -> Outcome {
        for (handle, task) in &mut self.tasks {
            if *handle == node {
                *task = new(task)?;
                return Ok(());
            }
            let bodies = match task {
                Task::Conditional { bodies, .. } => &mut bodies[..],
                Task::Graph(body) => std::slice::from_mut(body),
                _ => continue,
            };
            for body in bodies {
                match Arc::make_mut(body).replace(node, new) {
                    Err(Code::INVALID_VALUE) => {}
                    done => return done,
                }
            }
        }
        Err(Code::INVALID_VALUE)
    }

    /// Whether another graph has the same shape, so that its parameters can take the place of these.
    fn is_like(&self, other: &Self) -> bool {
        let same = |(a, b): (&Task, &Task)| match (a, b) {
            (Task::Graph(a), Task::Graph(b)) => a.is_like(b),
            (Task::Conditional { bodies: a, .. }, Task::Conditional { bodies: b, .. }) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_like(b))
            }
            (Task::Launch(a), Task::Launch(b)) => a.cooperative == b.cooperative,
            _ => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        let pairs = self.tasks.iter().map(|(_, task)| task);
        let others = other.tasks.iter().map(|(_, task)| task);
        self.tasks.len() == other.tasks.len() && pairs.zip(others).all(same)
    }
}

impl Condition {
    /// A condition that begins with a value at each launch, or keeps the one that it has.
    pub(crate) fn create(initial: Option<u32>) -> Arc<Self> {
        driver().conditions.insert(|handle| Self { handle, initial, value: AtomicU32::new(0) })
    }

    fn begin(&self) {
        if let Some(value) = self.initial {
            self.set(value);
        }
    }

    pub(crate) fn set(&self, value: u32) {
        self.value.store(value, SeqCst);
    }

    pub(crate) fn get(&self) -> u32 {
        self.value.load(SeqCst)
    }
}

/// A graph that can be launched.
#[derive(Debug)]
pub(crate) struct Exec {
    pub(crate) handle: usize,
    pub(crate) health: Arc<Health>,
    pub(crate) flags: u64,
    steps: Mutex<Arc<Steps>>,
    /// The launch before, which the next one comes after.
    last: Mutex<Option<(Arc<Line>, u64)>>,
    /// What comes before the next launch, where hazards are looked for.
    clock: Mutex<Clock>,
}

impl Exec {
    pub(crate) fn create(graph: &Graph, flags: u64, health: Arc<Health>) -> Outcome<Arc<Self>> {
        let steps = Mutex::new(Arc::new(graph.steps()?));
        let (last, clock) = Default::default();
        Ok(driver().execs.insert(|handle| Self { handle, health, flags, steps, last, clock }))
    }

    /// Gives a node a new task from the next launch on.
    pub(crate) fn replace(
        &self,
        node: usize,
        mut new: impl FnMut(&Task) -> Outcome<Task>,
    ) -> Outcome {
        let mut steps = lock(&self.steps);
        Arc::make_mut(&mut steps).replace(node, &mut new)
    }

    /// Takes the parameters of a graph of the same shape.
    pub(crate) fn update(&self, graph: &Graph) -> Outcome {
        let new = graph.steps()?;
        let mut steps = lock(&self.steps);
        if !steps.is_like(&new) {
            return Err(Code::GRAPH_EXEC_UPDATE_FAILURE);
        }
        // Nodes keep the handles that they were instantiated with.
        let old = std::mem::replace(&mut *steps, Arc::new(new));
        for ((handle, _), (before, _)) in Arc::make_mut(&mut steps).tasks.iter_mut().zip(&old.tasks)
        {
            *handle = *before;
        }
        Ok(())
    }

    /// What the next launch runs.
    pub(crate) fn steps(&self) -> Arc<Steps> {
        lock(&self.steps).clone()
    }

    /// Submits a launch, behind the one before in whichever stream.
    pub(crate) fn launch(&self, stream: &Arc<Stream>) -> Outcome {
        let mut last = lock(&self.last);
        if let Some((line, count)) =
            last.take().filter(|(line, _)| !Arc::ptr_eq(line, &stream.line))
        {
            let wait = move || {
                line.wait(count);
                Ok(())
            };
            stream.push(Kind::Wait, Box::new(wait));
        }
        // Whoever launches it knows that the launch before is over by then.
        let mut clock = lock(&self.clock);
        lock(&stream.clock).join(&clock);
        crate::task::submit(stream, Task::Graph(self.steps()))?;
        *clock = lock(&stream.clock).clone();
        *last = stream.line.pending().map(|count| (stream.line.clone(), count));
        Ok(())
    }
}
