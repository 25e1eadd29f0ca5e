//! Which copies a pipeline would make, as far as that can be said before it runs: its nodes are gone
//! through in program order with a model of where elements are current. It moves nothing, and knows
//! nothing of what makes room.

use std::sync::Arc;

use super::ids::IdMap;
use super::placement::{Needed, array_of, current, needed};
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::cond::Cond;
use crate::device::Device;
use crate::lazy::Bounds;
use crate::pipeline::{Kind, MoveNode, Node, Place, Work};
use crate::ranges::Ranges;
use crate::section::Section;

/// A copy that a node is to have before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copied {
    /// The node it is for, and the one that wrote the array last, if any did.
    pub(crate) node: usize,
    pub(crate) writer: Option<usize>,
    /// What traces call it.
    pub(crate) name: String,
    /// The device that it is to, else from.
    pub(crate) device: usize,
    pub(crate) is_up: bool,
    pub(crate) bytes: u64,
    /// Whether it is made in later trips of a loop only.
    pub(crate) is_later: bool,
}

/// Where the elements of an array are current.
#[derive(Clone)]
struct Known {
    host: Ranges,
    there: Vec<Ranges>,
    writer: Option<usize>,
    /// The same before the pipeline runs.
    first: Arc<(Ranges, Vec<Ranges>)>,
}

/// The copies of prepared nodes, in program order.
pub(crate) fn copies(nodes: &mut [Node<'_>], devices: &[Arc<Device>]) -> Vec<Copied> {
    if devices.iter().all(|device| device.space().is_none()) {
        return Vec::new();
    }
    let mut model = Model { devices, arrays: IdMap::default(), found: Vec::new(), trip: None };
    let n = nodes.len();
    model.region(nodes, 0, n);
    model.found.sort_by_key(|copied| copied.node);
    model.found
}

struct Model<'d> {
    devices: &'d [Arc<Device>],
    arrays: IdMap<Known>,
    found: Vec<Copied>,
    /// Whether this is the first trip of the outermost loop around what is looked at.
    trip: Option<bool>,
}

impl Model<'_> {
    fn region(&mut self, nodes: &mut [Node<'_>], from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let end = nodes[at].end();
            match nodes[at].kind {
                Kind::Leaf => self.leaf(at, nodes[at].work()),
                Kind::For { .. } | Kind::While { .. } => {
                    self.looked_at(at, nodes[at].work());
                    if self.trip.is_none() {
                        // The second trip begins where the first one has left the data.
                        self.trip = Some(true);
                        self.region(nodes, at + 1, end);
                        self.trip = Some(false);
                        self.region(nodes, at + 1, end);
                        self.trip = None;
                    } else {
                        self.region(nodes, at + 1, end);
                    }
                }
                Kind::If { other } => {
                    self.looked_at(at, nodes[at].work());
                    let other = other as usize;
                    let before = self.arrays.clone();
                    self.region(nodes, at + 1, other.min(end));
                    let holds = std::mem::replace(&mut self.arrays, before);
                    self.region(nodes, other.min(end), end);
                    self.join(&holds);
                }
            }
            at = end;
        }
    }

    /// What is current whichever way was taken.
    fn join(&mut self, other_way: &IdMap<Known>) {
        let untouched = |known: &Known| {
            let (first, (host, there)) = (Arc::clone(&known.first), &*known.first);
            Known { host: host.clone(), there: there.clone(), writer: None, first }
        };
        for (id, known) in other_way {
            self.arrays.entry(*id).or_insert_with(|| untouched(known));
        }
        for (id, here) in &mut self.arrays {
            let known = other_way.get(id).cloned().unwrap_or_else(|| untouched(here));
            here.host = here.host.common(&known.host);
            for (here, there) in here.there.iter_mut().zip(&known.there) {
                *here = here.common(there);
            }
            here.writer = here.writer.max(known.writer);
        }
    }

    fn looked_at(&mut self, at: usize, work: &Work<'_>) {
        let cond = |model: &mut Self, cond: &Cond<'_>| {
            cond.each_cell(&mut |cell| model.at_host(at, cell, ""));
        };
        match work {
            Work::For { bounds: Bounds::Fixed(_), .. } => {}
            Work::For { bounds, .. } => bounds.cells().for_each(|cell| self.at_host(at, cell, "")),
            Work::If { cond: test, .. } | Work::While { cond: test, .. } => cond(self, test),
            _ => {}
        }
    }

    fn leaf(&mut self, at: usize, work: &mut Work<'_>) {
        match work {
            Work::Launch(launch) => {
                let device = usize::from(launch.device);
                let has_memory = self.devices[device].space().is_some();
                let needed = needed(launch);
                for Needed { array, name, reads, on_host, .. } in &needed {
                    match (*reads, has_memory && !on_host) {
                        (false, _) => {}
                        (true, true) => self.at_device(at, array, (name, device)),
                        (true, false) => self.at_host(at, array, name),
                    }
                }
                for Needed { array, on_host, .. } in needed.iter().filter(|needed| needed.writes) {
                    self.wrote(at, array, (has_memory && !on_host).then_some(device));
                }
            }
            Work::Task(task) => {
                for arg in &task.args {
                    if let Some(array) = array_of(arg.bound()) {
                        if arg.reads() {
                            self.at_host(at, &array, arg.name());
                        }
                        if arg.writes() {
                            self.wrote(at, &array, None);
                        }
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
                Place::Host => self.at_host(at, array, ""),
                Place::Device(device) if self.devices[device].space().is_none() => {
                    self.at_host(at, array, "");
                }
                Place::Device(device) => self.at_device(at, array, ("", device)),
                Place::AwayFrom(device) => self.evict(at, array, device),
            },
            Work::For { .. } | Work::If { .. } | Work::While { .. } => {}
        }
    }

    /// Where an array is current, from its images the first time.
    fn known(&mut self, allocation: &Arc<Allocation>) -> &mut Known {
        self.arrays.entry(allocation.id()).or_insert_with(|| {
            let (host, there) = current(allocation, self.devices);
            let first = Arc::new((host.clone(), there.clone()));
            Known { host, there, writer: None, first }
        })
    }

    /// Notes a copy, once, whatever trip it is made in.
    fn note(
        &mut self,
        node: usize,
        (array, elems): (&ArrayArg, usize),
        (what, argument): (&str, &str),
        (device, is_up): (usize, bool),
    ) {
        let bytes = (elems * array.allocation.elem().size) as u64;
        let writer = self.known(&array.allocation).writer;
        let name = if argument.is_empty() { what.to_owned() } else { format!("{what} {argument}") };
        let is_later = self.trip == Some(false);
        let new = Copied { node, writer, name, device, is_up, bytes, is_later };
        let is_same = |known: &Copied| {
            (known.node, &known.name, known.device, known.is_up)
                == (new.node, &new.name, new.device, new.is_up)
        };
        if bytes > 0 && !self.found.iter().any(is_same) {
            self.found.push(new);
        }
    }

    /// Brings what the host lacks of a box to it.
    fn bring(&mut self, at: usize, array: &ArrayArg, missing: &Ranges, names: (&str, &str)) {
        let mut left = missing.clone();
        for device in 0..self.devices.len() {
            let has = self.known(&array.allocation).there[device].common(&left);
            if !has.is_empty() {
                self.note(at, (array, has.n_elems()), names, (device, false));
                has.iter().for_each(|r| left.remove(&Section::of_range(&r)));
            }
        }
        self.known(&array.allocation).host.extend(missing);
    }

    fn at_host(&mut self, at: usize, array: &ArrayArg, argument: &str) {
        let missing = self.known(&array.allocation).host.missing(&array.section);
        self.bring(at, array, &missing, ("download", argument));
    }

    fn at_device(&mut self, at: usize, array: &ArrayArg, (argument, device): (&str, usize)) {
        let known = self.known(&array.allocation);
        let missing = known.there[device].missing(&array.section);
        let elsewhere = known.host.missing(&array.section).common(&missing);
        let what = if elsewhere.is_empty() { "upload" } else { "move" };
        self.bring(at, array, &elsewhere, (what, argument));
        self.note(at, (array, missing.n_elems()), (what, argument), (device, true));
        self.known(&array.allocation).there[device].extend(&missing);
    }

    fn evict(&mut self, at: usize, array: &ArrayArg, device: usize) {
        let known = self.known(&array.allocation);
        let mut only = std::mem::take(&mut known.there[device]);
        for elsewhere in std::iter::once(&known.host).chain(&known.there) {
            elsewhere.iter().for_each(|r| only.remove(&Section::of_range(&r)));
        }
        known.host.extend(&only);
        self.note(at, (array, only.n_elems()), ("evict", ""), (device, false));
    }

    /// An array is current on a device, or the host for none, alone.
    fn wrote(&mut self, at: usize, array: &ArrayArg, device: Option<usize>) {
        let known = self.known(&array.allocation);
        known.host.remove(&array.section);
        known.there.iter_mut().for_each(|there| there.remove(&array.section));
        match device {
            None => known.host.add(&array.section),
            Some(device) => known.there[device].add(&array.section),
        }
        known.writer = Some(at);
    }
}
