//! A survey of a pipeline: its nodes in program order, with what each of them uses where, for whoever
//! keeps a model of where the elements of arrays are current. It moves nothing.

use std::sync::Arc;

use super::bind::{BoundLaunch, BoundParam};
use super::ids::IdMap;
use crate::allocation::Allocation;
use crate::arg::{ArrayArg, BoundArg};
use crate::descriptor::{KernelDescriptor, Role};
use crate::device::Device;
use crate::lazy::Bounds;
use crate::pipeline::{Kind, LaunchNode, MoveNode, Node, Place, Work};
use crate::ranges::Ranges;
use crate::section::Section;

/// Who goes through a pipeline with a model.
pub(super) trait Survey {
    /// What is known of an array.
    type Known;

    /// All that is known.
    fn arrays(&mut self) -> &mut IdMap<Self::Known>;

    /// What is known of an array; from its images the first time.
    fn known(&mut self, allocation: &Arc<Allocation>) -> &mut Self::Known;

    /// A launch, host task, swap or move comes next.
    fn step(&mut self) {}

    /// A launch.
    fn launch(&mut self, at: usize, launch: &mut LaunchNode<'_>);

    /// A host task, move, bound or condition uses an array in the host's memory.
    fn on_host(&mut self, at: usize, used: &Needed);

    /// An array is brought to a device.
    fn bring(&mut self, at: usize, array: &ArrayArg, device: usize);

    /// An array leaves the memory of a device.
    fn evict(&mut self, at: usize, array: &ArrayArg, device: usize);

    /// The body of a loop, and how many trips it makes, where that is known.
    fn repeat(&mut self, nodes: &mut [Node<'_>], body: (usize, usize), trips: Option<u64>);

    /// What is done if a condition holds, and, from `other` on, if it does not.
    fn decide(&mut self, nodes: &mut [Node<'_>], from: usize, other: usize, to: usize);

    /// Goes through the nodes `from..to`.
    fn region(&mut self, nodes: &mut [Node<'_>], from: usize, to: usize)
    where
        Self: Sized,
    {
        let mut at = from;
        while at < to {
            let end = nodes[at].end();
            match nodes[at].kind {
                Kind::Leaf => {
                    self.step();
                    leaf(self, at, nodes[at].work());
                }
                Kind::For { .. } | Kind::While { .. } => {
                    let trips = look(self, at, nodes[at].work());
                    self.repeat(nodes, (at + 1, end), trips);
                }
                Kind::If { other } => {
                    look(self, at, nodes[at].work());
                    self.decide(nodes, at + 1, end.min(other as usize), end);
                }
            }
            at = end;
        }
    }
}

/// What a node without an inside uses.
fn leaf(survey: &mut impl Survey, at: usize, work: &mut Work<'_>) {
    match work {
        Work::Launch(launch) => survey.launch(at, launch),
        Work::Task(task) => {
            for arg in &task.args {
                if let Some(array) = array_of(arg.bound()) {
                    let (name, reads, writes) = (arg.name(), arg.reads(), arg.writes());
                    survey.on_host(at, &Needed { array, name, reads, writes, on_host: true });
                }
            }
        }
        Work::Swap { a, b, .. } => {
            let (a, b) = (&a.allocation, &b.allocation);
            survey.known(a);
            survey.known(b);
            if a.id() != b.id()
                && let [Some(a), Some(b)] = survey.arrays().get_disjoint_mut([&a.id(), &b.id()])
            {
                std::mem::swap(a, b);
            }
        }
        Work::Move(MoveNode { array, to, .. }) => match *to {
            Place::Host => survey.on_host(at, &Needed::cell(array, false)),
            Place::Device(device) => survey.bring(at, array, device),
            Place::AwayFrom(device) => survey.evict(at, array, device),
        },
        Work::For { .. } | Work::If { .. } | Work::While { .. } => {}
    }
}

/// What a loop or decision looks at; the trips of a loop, where they are known.
fn look(survey: &mut impl Survey, at: usize, work: &Work<'_>) -> Option<u64> {
    work.each_cell(&mut |cell| survey.on_host(at, &Needed::cell(cell, false)));
    match work {
        Work::For { bounds: Bounds::Fixed(trips), .. } => Some(trips.count),
        _ => None,
    }
}

/// Where the elements of an array are current.
#[derive(Clone)]
pub(super) struct Current {
    pub(super) host: Ranges,
    pub(super) there: Vec<Ranges>,
}

impl Current {
    /// As its images have it.
    pub(super) fn of(allocation: &Arc<Allocation>, devices: &[Arc<Device>]) -> Self {
        let images = allocation.images();
        let whole = Section::whole(&[allocation.len()]);
        let there = |device: &Arc<Device>| {
            let image = device.space().and_then(|space| images.find(space));
            let mut valid = image.map_or_else(Ranges::default, |image| image.valid.clone());
            // What nobody has written is nowhere copied to.
            valid.extend(&images.unwritten(&whole));
            valid
        };
        let mut host = Ranges::all(allocation.len());
        let missing = images.missing_on_host(&whole);
        missing.iter().for_each(|range| host.remove(&Section::of_range(&range)));
        Self { host, there: devices.iter().map(there).collect() }
    }

    /// A box is current on a device, or the host for none, alone.
    pub(super) fn wrote(&mut self, section: &Section, device: Option<usize>) {
        self.host.remove(section);
        self.there.iter_mut().for_each(|there| there.remove(section));
        match device {
            None => self.host.add(section),
            Some(device) => self.there[device].add(section),
        }
    }
}

/// What somebody needs of an array.
#[derive(Clone)]
pub(super) struct Needed {
    pub(super) array: ArrayArg,
    /// What copies for it are named after; empty for cells.
    pub(super) name: &'static str,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Whether it is used in the host's memory, on whatever device the kernel runs.
    pub(super) on_host: bool,
}

impl Needed {
    /// Of one without a name, in the host's memory.
    fn cell(array: &ArrayArg, writes: bool) -> Self {
        Self { array: array.clone(), name: "", reads: !writes, writes, on_host: true }
    }
}

fn array_of(arg: &BoundArg<'_>) -> Option<ArrayArg> {
    match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => Some(array.array()),
        BoundArg::LazyArray(array) => Some(array.within().clone()),
        BoundArg::Value(_)
        | BoundArg::LazyValue(_)
        | BoundArg::Variable(..)
        | BoundArg::Invalid(_) => None,
    }
}

/// What a launch uses. Boxes that move with a loop count as all they lie in.
pub(super) fn needed(launch: &LaunchNode<'_>) -> Vec<Needed> {
    let stage = &launch.stage;
    let mut needed = Vec::new();
    needed.extend(stage.space.cells().map(|array| Needed::cell(array, false)));
    needed.extend(stage.chosen().map(|array| Needed::cell(array, true)));
    let passed = stage.kernel.params.iter().enumerate();
    let passed = passed.filter(|(_, param)| !matches!(param.role, Role::Scratch(_)));
    let bound = launch.bound.as_deref().filter(|_| !launch.lazy);
    for ((k, param), arg) in passed.zip(stage.args.iter()) {
        let Some(array) = array_of(arg) else { continue };
        let used = bound.and_then(|bound| bound.params.get(k)?.array()).map(|(_, used)| used);
        let reads = used.map_or(param.role.reads(), |used| used.reads);
        let writes = param.role.writes();
        let on_host = matches!(arg, BoundArg::Cell(_)) || matches!(param.role, Role::Reduce { .. });
        let name = if on_host { "" } else { param.name };
        needed.push(Needed { array, name, reads: reads || !writes, writes, on_host });
    }
    needed
}

/// What a part of a launch reads and writes of arrays that may be on its device.
pub(super) fn needed_of(part: &BoundLaunch, kernel: &'static KernelDescriptor) -> Vec<Needed> {
    let mut needed = Vec::new();
    for (k, (param, desc)) in part.params.iter().zip(kernel.params).enumerate() {
        let BoundParam::Array { array, use_ } = param else { continue };
        let of = |section, reads: bool| Needed {
            array: ArrayArg { allocation: Arc::clone(&array.allocation), section },
            name: desc.name,
            reads,
            writes: !reads,
            on_host: false,
        };
        if use_.reads {
            needed.push(of(array.section, true));
        }
        if use_.writes {
            needed.push(of(part.written(k, array), false));
        }
    }
    needed
}
