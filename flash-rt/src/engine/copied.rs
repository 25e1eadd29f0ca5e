//! Which copies a pipeline would make, as far as that can be said before it runs: its nodes are gone
//! through in program order with a model of where elements are current. It moves nothing, and knows
//! nothing of what makes room.

use std::sync::Arc;

use super::ids::IdMap;
use super::survey::{Current, Needed, Survey, needed};
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::device::Device;
use crate::pipeline::{LaunchNode, Node};
use crate::ranges::Ranges;
use crate::section::Section;

/// A copy that a node is to have before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copied {
    /// The node it is for, and the one that wrote the array last, if any did.
    pub(crate) node: usize,
    pub(crate) writer: Option<usize>,
    /// What it does, and for which argument; empty where that has no name.
    pub(crate) what: &'static str,
    pub(crate) argument: &'static str,
    /// The allocation.
    array: u64,
    pub(crate) route: Route,
    pub(crate) bytes: u64,
    /// Whether it is made in later trips of a loop only.
    pub(crate) is_later: bool,
}

impl Copied {
    /// What traces call it.
    pub(crate) fn name(&self) -> String {
        match self.argument {
            "" => self.what.to_owned(),
            argument => format!("{} {argument}", self.what),
        }
    }
}

/// From where to where a copy goes, by the numbers of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// From the host to a device.
    To(usize),
    /// From a device to the host.
    From(usize),
    /// From one device to another, without the host.
    Between(usize, usize),
}

/// Where the elements of an array are current.
#[derive(Clone)]
struct Known {
    now: Current,
    writer: Option<usize>,
    /// The same before the pipeline runs.
    first: Arc<Current>,
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

impl Survey for Model<'_> {
    type Known = Known;

    fn arrays(&mut self) -> &mut IdMap<Known> {
        &mut self.arrays
    }

    fn known(&mut self, allocation: &Arc<Allocation>) -> &mut Known {
        self.arrays.entry(allocation.id()).or_insert_with(|| {
            let now = Current::of(allocation, self.devices);
            Known { first: Arc::new(now.clone()), now, writer: None }
        })
    }

    fn launch(&mut self, at: usize, launch: &mut LaunchNode<'_>) {
        let device = usize::from(launch.device);
        let has_memory = self.devices[device].space().is_some();
        let needed = needed(launch);
        for Needed { array, name, on_host, .. } in needed.iter().filter(|needed| needed.reads) {
            match has_memory && !on_host {
                true => self.at_device(at, array, (name, device)),
                false => self.at_host(at, array, name),
            }
        }
        for Needed { array, on_host, .. } in needed.iter().filter(|needed| needed.writes) {
            self.wrote(at, array, (has_memory && !on_host).then_some(device));
        }
    }

    fn on_host(&mut self, at: usize, used: &Needed) {
        if used.reads {
            self.at_host(at, &used.array, used.name);
        }
        if used.writes {
            self.wrote(at, &used.array, None);
        }
    }

    fn bring(&mut self, at: usize, array: &ArrayArg, device: usize) {
        match self.devices[device].space() {
            Some(_) => self.at_device(at, array, ("", device)),
            None => self.at_host(at, array, ""),
        }
    }

    fn evict(&mut self, at: usize, array: &ArrayArg, device: usize) {
        let Current { host, there } = &mut self.known(&array.allocation).now;
        let mut only = std::mem::take(&mut there[device]);
        for elsewhere in std::iter::once(&*host).chain(&*there) {
            elsewhere.iter().for_each(|r| only.remove(&Section::of_range(&r)));
        }
        host.extend(&only);
        self.note(at, (array, only.n_elems()), ("evict", ""), Route::From(device));
    }

    fn repeat(&mut self, nodes: &mut [Node<'_>], (from, to): (usize, usize), trips: Option<u64>) {
        if trips == Some(0) {
            return;
        }
        if trips == Some(1) || self.trip.is_some() {
            return self.region(nodes, from, to);
        }
        // The second trip begins where the first one has left the data.
        for is_first in [true, false] {
            self.trip = Some(is_first);
            self.region(nodes, from, to);
        }
        self.trip = None;
    }

    fn decide(&mut self, nodes: &mut [Node<'_>], from: usize, other: usize, to: usize) {
        let before = self.arrays.clone();
        self.region(nodes, from, other);
        let holds = std::mem::replace(&mut self.arrays, before);
        self.region(nodes, other, to);
        self.join(&holds);
    }
}

impl Model<'_> {
    /// What is current whichever way was taken.
    fn join(&mut self, other_way: &IdMap<Known>) {
        let untouched = |known: &Known| {
            let first = Arc::clone(&known.first);
            Known { now: (*first).clone(), writer: None, first }
        };
        for (id, known) in other_way {
            self.arrays.entry(*id).or_insert_with(|| untouched(known));
        }
        for (id, here) in &mut self.arrays {
            let known = other_way.get(id).cloned().unwrap_or_else(|| untouched(here));
            here.now.host = here.now.host.common(&known.now.host);
            for (here, there) in here.now.there.iter_mut().zip(&known.now.there) {
                *here = here.common(there);
            }
            here.writer = here.writer.max(known.writer);
        }
    }

    /// Notes a copy, once, whatever trip it is made in.
    fn note(
        &mut self,
        node: usize,
        (array, elems): (&ArrayArg, usize),
        (what, argument): (&'static str, &'static str),
        route: Route,
    ) {
        let bytes = (elems * array.allocation.elem().size) as u64;
        let writer = self.known(&array.allocation).writer;
        let is_later = self.trip == Some(false);
        let id = array.allocation.id();
        let new = Copied { node, writer, what, argument, array: id, route, bytes, is_later };
        let key = |c: &Copied| (c.node, c.what, c.argument, c.array, c.route);
        let is_same = |known: &Copied| key(known) == key(&new);
        if bytes > 0 && !self.found.iter().any(is_same) {
            self.found.push(new);
        }
    }

    /// Brings what the host lacks of a box to it.
    fn download(
        &mut self,
        at: usize,
        array: &ArrayArg,
        missing: &Ranges,
        names: (&'static str, &'static str),
    ) {
        let mut left = missing.clone();
        for device in 0..self.devices.len() {
            let has = self.known(&array.allocation).now.there[device].common(&left);
            if !has.is_empty() {
                self.note(at, (array, has.n_elems()), names, Route::From(device));
                has.iter().for_each(|r| left.remove(&Section::of_range(&r)));
            }
        }
        self.known(&array.allocation).now.host.extend(missing);
    }

    fn at_host(&mut self, at: usize, array: &ArrayArg, argument: &'static str) {
        let missing = self.known(&array.allocation).now.host.missing(&array.section);
        self.download(at, array, &missing, ("download", argument));
    }

    fn at_device(
        &mut self,
        at: usize,
        array: &ArrayArg,
        (argument, device): (&'static str, usize),
    ) {
        let devices = self.devices;
        let now = &self.known(&array.allocation).now;
        let mut missing = now.there[device].missing(&array.section);
        let mut elsewhere = now.host.missing(&array.section).common(&missing);
        for from in (0..devices.len()).filter(|&from| devices[from].is_peer(&devices[device])) {
            let has = self.known(&array.allocation).now.there[from].common(&elsewhere);
            if !has.is_empty() {
                let route = Route::Between(from, device);
                self.note(at, (array, has.n_elems()), ("move", argument), route);
                for range in has.iter() {
                    elsewhere.remove(&Section::of_range(&range));
                    missing.remove(&Section::of_range(&range));
                }
                self.known(&array.allocation).now.there[device].extend(&has);
            }
        }
        let what = if elsewhere.is_empty() { "upload" } else { "move" };
        self.download(at, array, &elsewhere, (what, argument));
        self.note(at, (array, missing.n_elems()), (what, argument), Route::To(device));
        self.known(&array.allocation).now.there[device].extend(&missing);
    }

    /// An array is current on a device, or the host for none, alone.
    fn wrote(&mut self, at: usize, array: &ArrayArg, device: Option<usize>) {
        let known = self.known(&array.allocation);
        known.now.wrote(&array.section, device);
        known.writer = Some(at);
    }
}
