//! Which device runs each launch of a pipeline: the one that is predicted to end it first, by when
//! the device is free, what has to be brought there, and how long the kernel takes. It is worked out
//! when the pipeline is prepared, in program order, from where data are then and from what devices
//! declare or what was measured on them, so equal histories give equal placements. It moves nothing.

mod shares;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::bind::{BoundLaunch, BoundParam};
use super::ids::IdMap;
use super::split::{Share, Shares};
use crate::arg::{ArrayArg, BoundArg};
use crate::backend::Operation;
use crate::cond::Cond;
use crate::descriptor::{KernelDescriptor, Role};
use crate::device::Device;
use crate::lazy::Bounds;
use crate::pipeline::{Kind, LaunchNode, MoveNode, Node, Place, Work};
use crate::ranges::Ranges;
use crate::report::bytes;

pub(super) use shares::as_told;

/// What is predicted of a launch on one device, in nanoseconds from the start of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    device: u16,
    /// When a queue of the device has ended what was placed on it before.
    free: u64,
    /// The bytes that are not current there, and when they are.
    bytes: u64,
    there: u64,
    /// How long bringing them takes.
    brings: u64,
    /// How long the launch takes, in all trips of the loops around it.
    run: u64,
    end: u64,
}

/// Why a launch is on its device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reason {
    /// Launches take the devices in turn, as the runtime was told to.
    InTurn,
    /// It is the turn of the device, as nobody knows how long the kernel takes on this one.
    Unknown(u16),
    /// The predictions, that of the device first.
    Least(Box<[Term]>),
    /// Shares that end at once: how many items each device gets, when all of them end, and what the
    /// best device would do alone.
    Split(Box<[(u16, u64)]>, u64, Term),
    /// It is split as its call or the runtime was told to.
    Told(Shares),
}

impl Reason {
    /// For a person.
    pub(crate) fn text(&self, devices: &[Arc<Device>]) -> String {
        let name = |number: u16| devices.get(usize::from(number)).map_or("?", |d| d.name());
        match self {
            Self::InTurn => "placed in turn".to_owned(),
            Self::Unknown(device) => {
                format!("placed in turn: how long it takes on {} is not known yet", name(*device))
            }
            Self::Told(shares) => {
                let total = shares.total();
                let shown = |share: &Share| {
                    let percent = 100.0 * share.items.max(0.0) / total;
                    format!("{percent:.1} % on {}", name(share.device))
                };
                if let Some(chunk) = shares.chunk {
                    let all: Vec<&str> = shares.of.iter().map(|share| name(share.device)).collect();
                    return format!(
                        "split as told: chunks of {chunk}, claimed by {}",
                        all.join(", ")
                    );
                }
                let all: Vec<String> = shares.of.iter().map(shown).collect();
                format!("split as told: {}", all.join(", "))
            }
            Self::Split(shares, end, alone) => {
                let all: Vec<String> = shares
                    .iter()
                    .map(|(device, items)| format!("{items} items on {}", name(*device)))
                    .collect();
                let end = Duration::from_nanos(*end);
                let best = format!("{} alone {}", name(alone.device), Shown(alone));
                format!("split to end at {end:?}: {}; {best}", all.join(", "))
            }
            Self::Least(terms) => {
                let all: Vec<String> = terms
                    .iter()
                    .map(|term| format!("{} {}", name(term.device), Shown(term)))
                    .collect();
                format!("placed to end first: {}", all.join("; "))
            }
        }
    }
}

/// `at 30 µs (free at 10 µs, 64 B there at 5 µs, runs 20 µs)`
struct Shown<'t>(&'t Term);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Term { free, bytes: missing, there, run, end, .. } = *self.0;
        let [free, there, run, end] = [free, there, run, end].map(Duration::from_nanos);
        write!(f, "at {end:?} (free at {free:?}, ")?;
        match missing {
            0 => write!(f, "data there at {there:?}")?,
            missing => write!(f, "{} there at {there:?}", bytes(missing))?,
        }
        write!(f, ", runs {run:?})")
    }
}

/// Where the elements of an array are current, as far as the plan has come.
#[derive(Clone)]
struct Known {
    host: Ranges,
    there: Vec<Ranges>,
    /// When whoever wrote it last has ended.
    ready: u64,
    /// Which step of the plan that was, 0 for none.
    step: u64,
}

/// A loop around what is placed.
struct Around {
    trips: u64,
    /// The first step of the plan inside of it.
    first: u64,
}

/// What the placement of one launch needs to know of its arrays.
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

/// Places the launches of a pipeline.
pub(super) struct Placer<'d> {
    devices: &'d [Arc<Device>],
    /// Into how many parts launches are split, if that was said.
    partitions: Option<usize>,
    arrays: IdMap<Known>,
    /// When what was placed on each compute queue of each device has ended, and what was copied to it.
    free: Vec<Vec<u64>>,
    brought: Vec<u64>,
    loops: Vec<Around>,
    step: u64,
    /// How many launches there were before.
    launches: usize,
    /// Whether they may be placed, or split, better once more was measured.
    pub(super) can_learn: bool,
    pub(super) reasons: Vec<(u32, Reason)>,
}

impl<'d> Placer<'d> {
    pub(super) fn new(devices: &'d [Arc<Device>], partitions: Option<usize>) -> Self {
        Self {
            devices,
            partitions,
            arrays: IdMap::default(),
            free: devices.iter().map(|device| vec![0; device.n_queues()]).collect(),
            brought: vec![0; devices.len()],
            loops: Vec::new(),
            step: 0,
            launches: 0,
            can_learn: false,
            reasons: Vec::new(),
        }
    }

    /// Places the launches among the nodes `from..to`.
    pub(super) fn region(&mut self, nodes: &mut [Node<'_>], from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let end = nodes[at].end();
            match nodes[at].kind {
                Kind::Leaf => self.leaf(at, nodes[at].work()),
                Kind::For { .. } | Kind::While { .. } => {
                    let trips = self.looked_at(nodes[at].work());
                    self.repeated(nodes, (at + 1, end), trips);
                }
                Kind::If { .. } => {
                    self.looked_at(nodes[at].work());
                    self.region(nodes, at + 1, end);
                }
            }
            at = end;
        }
    }

    /// Places the body of a loop. Of an outermost one it does so twice, as the second trip begins
    /// where the first one has left the data.
    fn repeated(&mut self, nodes: &mut [Node<'_>], (from, to): (usize, usize), trips: u64) {
        let is_outermost = self.loops.is_empty();
        self.loops.push(Around { trips, first: self.step + 1 });
        if is_outermost && trips > 1 {
            let (free, brought) = (self.free.clone(), self.brought.clone());
            let ready: Vec<(u64, u64)> = self.arrays.iter().map(|(id, k)| (*id, k.ready)).collect();
            let (launches, n_reasons) = (self.launches, self.reasons.len());
            self.region(nodes, from, to);
            (self.free, self.brought, self.launches) = (free, brought, launches);
            self.reasons.truncate(n_reasons);
            self.arrays.values_mut().for_each(|known| known.ready = 0);
            for (id, ready) in ready {
                if let Some(known) = self.arrays.get_mut(&id) {
                    known.ready = ready;
                }
            }
        }
        self.region(nodes, from, to);
        self.loops.pop();
    }

    /// Notes that the host reads what a loop or decision looks at; the trips of a loop, 1 where they
    /// are not known.
    fn looked_at(&mut self, work: &Work<'_>) -> u64 {
        let cond = |placer: &mut Self, cond: &Cond<'_>| {
            cond.each_cell(&mut |cell| placer.on_host(cell, false));
        };
        match work {
            Work::For { bounds: Bounds::Fixed(trips), .. } => return trips.count.max(1),
            Work::For { bounds, .. } => bounds.cells().for_each(|cell| self.on_host(cell, false)),
            Work::If { cond: test, .. } => cond(self, test),
            Work::While { cond: test, .. } => cond(self, test),
            _ => {}
        }
        1
    }

    fn leaf(&mut self, at: usize, work: &mut Work<'_>) {
        self.step += 1;
        match work {
            Work::Launch(launch) => {
                let (device, reason, split) = self.launch(launch);
                launch.device = device;
                let told = as_told(launch, self.devices, self.partitions);
                if let (Some(split), false) = (split, told) {
                    launch.stage.special.get_or_insert_default().split = Some(split);
                }
                let split = launch.stage.special.as_ref().and_then(|s| s.split.as_ref());
                let reason = match split.filter(|_| told) {
                    Some(split) => Reason::Told(split.clone()),
                    None => reason,
                };
                self.reasons.push((at as u32, reason));
            }
            Work::Task(task) => {
                for arg in &task.args {
                    if let Some(array) = array_of(arg.bound()) {
                        self.on_host(&array, arg.writes());
                    }
                }
            }
            Work::Swap { a, b, .. } => {
                let (a, b) = (&a.allocation, &b.allocation);
                self.known(a);
                self.known(b);
                if let (Some(first), Some(second)) =
                    (self.arrays.remove(&a.id()), self.arrays.remove(&b.id()))
                {
                    self.arrays.insert(a.id(), second);
                    self.arrays.insert(b.id(), first);
                }
            }
            Work::Move(MoveNode { array, to, .. }) => match *to {
                Place::Host => self.on_host(array, false),
                Place::Device(device) => {
                    let array = (**array).clone();
                    let name = "";
                    let needed =
                        [Needed { array, name, reads: true, writes: false, on_host: false }];
                    let (_, there, _) = self.arrival(device, &needed);
                    self.brought[device] = self.brought[device].max(there);
                    self.note(device, &needed, there);
                }
                Place::AwayFrom(device) => {
                    self.on_host(array, false);
                    if let Some(known) = self.arrays.get_mut(&array.allocation.id()) {
                        known.there[device] = Ranges::default();
                    }
                }
            },
            Work::For { .. } | Work::If { .. } | Work::While { .. } => {}
        }
    }

    /// Where an array is current, from its images the first time.
    fn known(&mut self, allocation: &Arc<crate::Allocation>) -> &mut Known {
        self.arrays.entry(allocation.id()).or_insert_with(|| {
            let (host, there) = current(allocation, self.devices);
            Known { host, there, ready: 0, step: 0 }
        })
    }

    /// Notes that the host uses an array.
    fn on_host(&mut self, array: &ArrayArg, writes: bool) {
        let step = self.step;
        let known = self.known(&array.allocation);
        known.host.add(&array.section);
        if writes {
            known.there.iter_mut().for_each(|there| there.remove(&array.section));
            known.step = step;
        }
    }

    /// How often a copy of an array that was last written in this step is made: in each trip of those
    /// loops around it that write it too.
    fn times(&self, step: u64) -> u64 {
        let inside = self.loops.iter().filter(|around| around.first <= step);
        inside.map(|around| around.trips).fold(1, u64::saturating_mul)
    }

    /// The bytes that are missing for a launch on a device, when they will be there, and how long
    /// they take.
    fn arrival(&mut self, device: usize, needed: &[Needed]) -> (u64, u64, u64) {
        let (mut bytes, mut time, mut ready) = (0, 0_u64, 0);
        for Needed { array, reads, on_host, .. } in needed {
            let size = array.allocation.elem().size as u64;
            let section = array.section;
            let is_here = !on_host && self.devices[device].space().is_some();
            let known = self.known(&array.allocation);
            ready = ready.max(known.ready);
            if !reads {
                continue;
            }
            let (step, off_host) = (known.step, known.host.missing(&section));
            let missing = match is_here {
                true => known.there[device].missing(&section),
                false => off_host.clone(),
            };
            let down = off_host.common(&missing).n_elems() as u64 * size;
            let mut once = 0_u64;
            if down > 0 {
                let has = |there: &Ranges| !there.common(&off_host).is_empty();
                let from = self.known(&array.allocation).there.iter().position(has);
                let from = &self.devices[from.unwrap_or(device)];
                once += from.copy_time(Operation::Download(down));
            }
            let up = missing.n_elems() as u64 * size;
            if up > 0 && is_here {
                once += self.devices[device].copy_time(Operation::Upload(up));
            }
            bytes += up;
            time = time.saturating_add(once.saturating_mul(self.times(step)));
        }
        let begin = if bytes > 0 { self.brought[device].max(ready) } else { ready };
        (bytes, begin.saturating_add(time), time)
    }

    /// Notes what a launch that ends then on a device does to where its arrays are current.
    fn note(&mut self, device: usize, needed: &[Needed], end: u64) {
        let step = self.step;
        let has_memory = self.devices[device].space().is_some();
        for Needed { array, reads, writes, on_host, .. } in needed {
            let there = has_memory && !on_host;
            let section = &array.section;
            let known = self.known(&array.allocation);
            if *reads {
                if there {
                    // What was in a third memory goes by way of the host.
                    let missing = known.there[device].missing(section);
                    known.host.extend(&missing);
                    known.there[device].add(section);
                } else {
                    known.host.add(section);
                }
            }
            if *writes {
                known.host.remove(section);
                known.there.iter_mut().for_each(|other| other.remove(section));
                if there {
                    known.there[device].add(section)
                } else {
                    known.host.add(section)
                }
                (known.ready, known.step) = (end, step);
            }
        }
    }

    /// When the first queue of a device is free.
    fn first_free(&self, device: usize) -> u64 {
        self.free[device].iter().min().copied().unwrap_or(0)
    }

    /// Notes until when a launch takes a queue of a device: the last one to be free of those that are
    /// by when it may begin, so that a chain stays on its queue, or else the first.
    fn occupy(&mut self, device: usize, from: u64, to: u64) {
        let key = |free: u64| if free <= from { (0, u64::MAX - free) } else { (1, free) };
        if let Some(queue) = self.free[device].iter_mut().min_by_key(|free| key(**free)) {
            *queue = to;
        }
    }

    /// The device of a launch, why, and how it is split.
    fn launch(&mut self, launch: &LaunchNode<'_>) -> (u16, Reason, Option<Shares>) {
        let needed = needed(launch);
        let n = self.devices.len();
        let turn = self.launches % n;
        self.launches += 1;
        let trips = self.loops.iter().map(|around| around.trips).fold(1, u64::saturating_mul);
        let items = launch.stage.space.items();
        let (mut terms, mut unknown, mut is_measured) = (Vec::new(), None, false);
        // From the one whose turn it is.
        for device in (0..n).map(|k| (turn + k) % n) {
            if self.devices[device].is_lost() || !launch.stage.allows(device) {
                continue;
            }
            let time = items.and_then(|n| self.devices[device].launch_time(launch.stage.kernel, n));
            let Some((run, is_declared)) = time else {
                // One that has not been tried is, where that tells.
                if unknown.is_none_or(|known: usize| !self.devices[known].measures()) {
                    unknown = Some(device);
                }
                continue;
            };
            is_measured |= !is_declared;
            let (bytes, there, brings) = self.arrival(device, &needed);
            let run = run.saturating_mul(trips);
            let free = self.first_free(device);
            let end = free.max(there).saturating_add(run);
            terms.push(Term { device: device as u16, free, bytes, there, brings, run, end });
        }
        self.can_learn |= unknown.is_some();
        if let Some(unknown) = unknown {
            let tries = items.is_some() && self.devices[unknown].measures();
            let device = if tries || !launch.stage.allows(turn) { unknown } else { turn };
            let (_, there, _) = self.arrival(device, &needed);
            self.brought[device] = self.brought[device].max(there);
            let end = self.first_free(device).max(there);
            self.note(device, &needed, end);
            return (device as u16, Reason::Unknown(unknown as u16), None);
        }
        let Some(least) = terms.iter().min_by_key(|term| term.end).copied() else {
            let allowed = (0..n).map(|k| (turn + k) % n).find(|&k| launch.stage.allows(k));
            return (allowed.unwrap_or(turn) as u16, Reason::InTurn, None);
        };
        // No two runs take the same time, so what was measured is equal within a twentieth.
        let equal = least.end.saturating_add(if is_measured { least.run / 20 } else { 0 });
        let at = terms.iter().position(|term| term.end <= equal).unwrap_or(0);
        terms.swap(0, at);
        if let Some((shares, reason)) = self.split(launch, &terms) {
            self.can_learn |= is_measured;
            return (terms[0].device, reason, Some(shares));
        }
        let Term { device, bytes, there, end, .. } = terms[0];
        let number = usize::from(device);
        self.occupy(number, there, end);
        if bytes > 0 {
            self.brought[number] = there;
        }
        self.note(number, &needed, end);
        (device, Reason::Least(terms.into()), None)
    }
}

pub(super) fn array_of(arg: &BoundArg<'_>) -> Option<ArrayArg> {
    match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => Some(array.array()),
        BoundArg::LazyArray(array) => Some(array.within().clone()),
        BoundArg::Value(_)
        | BoundArg::LazyValue(_)
        | BoundArg::Variable(..)
        | BoundArg::Invalid(_) => None,
    }
}

/// Which elements of an array are current on the host, and on each device.
pub(super) fn current(
    allocation: &Arc<crate::Allocation>,
    devices: &[Arc<Device>],
) -> (Ranges, Vec<Ranges>) {
    let images = allocation.images();
    let there = |device: &Arc<Device>| {
        let image = device.space().and_then(|space| images.find(space));
        image.map_or_else(Ranges::default, |image| image.valid.clone())
    };
    (images.valid_on_host(allocation.len()), devices.iter().map(there).collect())
}

/// What a launch uses. Boxes that move with a loop count as all they lie in.
pub(super) fn needed(launch: &LaunchNode<'_>) -> Vec<Needed> {
    let stage = &launch.stage;
    let mut needed = Vec::new();
    let cell = |array: &ArrayArg, writes: bool| Needed {
        array: array.clone(),
        name: "",
        reads: !writes,
        writes,
        on_host: true,
    };
    needed.extend(stage.space.cells().map(|array| cell(array, false)));
    needed.extend(stage.chosen().map(|array| cell(array, true)));
    let passed = stage.kernel.params.iter().enumerate();
    let passed = passed.filter(|(_, param)| !matches!(param.role, Role::Scratch(_)));
    let bound = launch.bound.as_deref().filter(|_| !launch.lazy);
    for ((k, param), arg) in passed.zip(&stage.args) {
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
