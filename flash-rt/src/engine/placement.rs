//! Which device runs each launch of a pipeline: the one that is predicted to end it first, by when
//! the device is free, what has to be brought there, and how long the kernel takes. It is worked out
//! when the pipeline is prepared, in program order, from where data are then and from what devices
//! declare or what was measured on them, so equal histories give equal placements. It moves nothing.

mod setups;
mod shares;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::ids::IdMap;
use super::split::{Share, Shares, Way};
use super::survey::{Current, Needed, Survey, needed};
use super::whole::Whole;
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::backend::Operation;
use crate::descriptor::KernelDescriptor;
use crate::device::Device;
use crate::pipeline::{LaunchNode, Node};
use crate::ranges::Ranges;
use crate::report::bytes;
use crate::runtime::Shared;

pub(crate) use shares::Borders;
pub(super) use shares::as_told;

/// A run that took so many times as long as elsewhere may have been disturbed.
const DOUBTFUL: u64 = 4;

/// What is predicted of a launch on one device, in nanoseconds from the start of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    device: u16,
    /// When a queue of the device has ended what was placed on it before, and it is set up.
    free: u64,
    /// How long setting it up takes.
    setup: u64,
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
    /// It is tried once more on the device, as its only run there took so much longer than elsewhere.
    Doubtful,
    /// The predictions, that of the device first, and why it is not split, if it could be.
    Least(Box<[Term]>, Option<Whole>),
    /// Shares that end at once: how many items each device gets, when all of them end, and what the
    /// best device would do alone.
    Split(Box<[(u16, u64)]>, u64, Term),
    /// It is split as its call or the runtime was told to.
    Told(Shares),
}

impl Reason {
    /// For a person.
    pub(crate) fn text(&self, kernel: &KernelDescriptor, devices: &[Arc<Device>]) -> String {
        let name = |number: u16| devices.get(usize::from(number)).map_or("?", |d| d.name());
        match self {
            Self::InTurn => "placed in turn".to_owned(),
            Self::Unknown(device) => {
                format!("placed in turn: how long it takes on {} is not known yet", name(*device))
            }
            Self::Doubtful => {
                "tried once more, as its only run there took much longer than elsewhere".to_owned()
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
                if let Way::Grid(grid) = &shares.way {
                    let grid: Vec<String> = grid.iter().map(ToString::to_string).collect();
                    let all: Vec<&str> = shares.of.iter().map(|share| name(share.device)).collect();
                    return format!(
                        "split as told: {} blocks, in turn on {}",
                        grid.join(" x "),
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
            Self::Least(terms, whole) => {
                let all: Vec<String> = terms
                    .iter()
                    .map(|term| format!("{} {}", name(term.device), Shown(term)))
                    .collect();
                let whole =
                    whole.as_ref().map(|whole| format!("; {}", whole.text(kernel, devices)));
                format!("placed to end first: {}{}", all.join("; "), whole.unwrap_or_default())
            }
        }
    }
}

/// `at 30 µs (free at 10 µs, 64 B there at 5 µs, runs 20 µs)`
struct Shown<'t>(&'t Term);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Term { free, setup, bytes: missing, there, run, end, .. } = *self.0;
        let [free, setup, there, run, end] =
            [free, setup, there, run, end].map(Duration::from_nanos);
        write!(f, "at {end:?} (free at {free:?}, ")?;
        if !setup.is_zero() {
            write!(f, "set up in {setup:?}, ")?;
        }
        match missing {
            0 => write!(f, "data there at {there:?}")?,
            missing => write!(f, "{} there at {there:?}", bytes(missing))?,
        }
        write!(f, ", runs {run:?})")
    }
}

/// Where the elements of an array are current, as far as the plan has come.
#[derive(Clone)]
pub(super) struct Known {
    now: Current,
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

/// Places the launches of a pipeline.
pub(super) struct Placer<'d> {
    devices: &'d [Arc<Device>],
    /// Into how many parts launches are split, if that was said.
    partitions: Option<usize>,
    /// Where launches were cut before.
    borders: &'d Borders,
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
    /// What devices are set up with by launches that were placed.
    setups: Vec<(usize, u64)>,
    /// Whether it is the second time that the body of a loop is placed.
    is_again: bool,
    pub(super) reasons: Vec<(u32, Reason)>,
}

impl Survey for Placer<'_> {
    type Known = Known;

    fn arrays(&mut self) -> &mut IdMap<Known> {
        &mut self.arrays
    }

    fn known(&mut self, allocation: &Arc<Allocation>) -> &mut Known {
        self.arrays.entry(allocation.id()).or_insert_with(|| {
            let now = Current::of(allocation, self.devices);
            Known { now, ready: 0, step: 0 }
        })
    }

    fn step(&mut self) {
        self.step += 1;
    }

    /// Puts a launch where it ends first.
    fn launch(&mut self, at: usize, launch: &mut LaunchNode<'_>) {
        let (device, reason, split) = self.choose(launch);
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

    fn on_host(&mut self, _at: usize, Needed { array, writes, .. }: &Needed) {
        let step = self.step;
        let known = self.known(&array.allocation);
        known.now.host.add(&array.section);
        if *writes {
            known.now.there.iter_mut().for_each(|there| there.remove(&array.section));
            known.step = step;
        }
    }

    fn bring(&mut self, _at: usize, array: &ArrayArg, device: usize) {
        let (array, name) = (array.clone(), "");
        let needed = [Needed { array, name, reads: true, writes: false, on_host: false }];
        let (_, there, _) = self.arrival(device, &needed);
        self.brought[device] = self.brought[device].max(there);
        self.note(device, &needed, there);
    }

    fn evict(&mut self, _at: usize, array: &ArrayArg, device: usize) {
        let now = &mut self.known(&array.allocation).now;
        now.host.add(&array.section);
        now.there[device] = Ranges::default();
    }

    /// Of an outermost loop the body is placed twice, as the second trip begins where the first one has
    /// left the data.
    fn repeat(&mut self, nodes: &mut [Node<'_>], (from, to): (usize, usize), trips: Option<u64>) {
        // What never runs has a device too.
        let trips = trips.unwrap_or(1).max(1);
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
            self.is_again = true;
        }
        self.region(nodes, from, to);
        self.is_again &= !is_outermost;
        self.loops.pop();
    }

    /// Either may be what is done.
    fn decide(&mut self, nodes: &mut [Node<'_>], from: usize, _other: usize, to: usize) {
        self.region(nodes, from, to);
    }
}

impl<'d> Placer<'d> {
    pub(super) fn new(rt: &'d Shared) -> Self {
        let devices = &rt.devices;
        Self {
            devices,
            partitions: rt.options.partitions,
            borders: &rt.borders,
            arrays: IdMap::default(),
            free: devices.iter().map(|device| vec![0; device.n_queues()]).collect(),
            brought: vec![0; devices.len()],
            loops: Vec::new(),
            step: 0,
            launches: 0,
            can_learn: false,
            setups: Vec::new(),
            is_again: false,
            reasons: Vec::new(),
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
            let (step, off_host) = (known.step, known.now.host.missing(&section));
            let missing = match is_here {
                true => known.now.there[device].missing(&section),
                false => off_host.clone(),
            };
            let elsewhere = off_host.common(&missing).n_elems() as u64 * size;
            let all = missing.n_elems() as u64 * size;
            let mut once = 0_u64;
            if elsewhere > 0 {
                let has = |there: &Ranges| !there.common(&off_host).is_empty();
                let from = self.known(&array.allocation).now.there.iter().position(has);
                let from = &self.devices[from.unwrap_or(device)];
                once += match is_here {
                    true => from.move_time(&self.devices[device], elsewhere),
                    false => from.copy_time(Operation::Download(elsewhere)),
                };
            }
            if all > elsewhere && is_here {
                once += self.devices[device].copy_time(Operation::Upload(all - elsewhere));
            }
            bytes += all;
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
            let Known { now, ready, step: last } = self.known(&array.allocation);
            if *reads && there {
                // What was in a third memory goes by way of the host.
                let missing = now.there[device].missing(section);
                now.host.extend(&missing);
                now.there[device].add(section);
            } else if *reads {
                now.host.add(section);
            }
            if *writes {
                now.wrote(section, there.then_some(device));
                (*ready, *last) = (end, step);
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

    /// A device whose only run lasted, and took so much longer than that of another one that it would hardly
    /// be given a second one.
    fn doubtful(&self, launch: &LaunchNode<'_>, terms: &[Term]) -> Option<usize> {
        let items = launch.stage.space.items()?;
        let least = terms.iter().map(|term| term.run).min()?;
        let takes_longer = |term: &&Term| term.run >= shares::LASTS && term.run / DOUBTFUL > least;
        let is_measured = |device: &Device| device.measures() && !device.declares();
        let ran_once = |device: &Device| device.ran_once(launch.stage.kernel, items);
        let mut slow = terms.iter().filter(takes_longer).map(|term| usize::from(term.device));
        slow.find(|&k| is_measured(&self.devices[k]) && ran_once(&self.devices[k]))
    }

    /// The device of a launch, why, and how it is split.
    fn choose(&mut self, launch: &LaunchNode<'_>) -> (u16, Reason, Option<Shares>) {
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
            let setup = self.setup_time(device, launch.stage.kernel, trips);
            let free = self.first_free(device).saturating_add(setup);
            let end = free.max(there).saturating_add(run);
            let device = device as u16;
            terms.push(Term { device, free, setup, bytes, there, brings, run, end });
        }
        let tried = match unknown {
            Some(unknown) => {
                let tries = items.is_some() && self.devices[unknown].measures();
                let device = if tries || !launch.stage.allows(turn) { unknown } else { turn };
                Some((device, Reason::Unknown(unknown as u16)))
            }
            None if trips == 1 => self.doubtful(launch, &terms).map(|it| (it, Reason::Doubtful)),
            None => None,
        };
        if let Some((device, reason)) = tried {
            self.can_learn = true;
            let (_, there, _) = self.arrival(device, &needed);
            self.brought[device] = self.brought[device].max(there);
            let end = self.first_free(device).max(there);
            self.set_up(device, launch.stage.kernel);
            self.note(device, &needed, end);
            return (device as u16, reason, None);
        }
        let Some(least) = terms.iter().min_by_key(|term| term.end).copied() else {
            let allowed = (0..n).map(|k| (turn + k) % n).find(|&k| launch.stage.allows(k));
            return (allowed.unwrap_or(turn) as u16, Reason::InTurn, None);
        };
        // No two runs take the same time, so what was measured is equal within a twentieth.
        let equal = least.end.saturating_add(if is_measured { least.run / 20 } else { 0 });
        let changes = |term: &Term| self.changes(usize::from(term.device), launch.stage.kernel);
        let at =
            setups::least(terms.iter().map(|term| term.end <= equal), |at| changes(&terms[at]));
        terms.swap(0, at);
        let whole = match self.split(launch, &terms) {
            Ok((shares, reason)) => {
                self.can_learn |= is_measured;
                return (terms[0].device, reason, Some(shares));
            }
            Err(whole) => whole,
        };
        self.can_learn |= is_measured && matches!(whole, Some(Whole::Gains { .. }));
        let Term { device, bytes, there, end, .. } = terms[0];
        let number = usize::from(device);
        self.occupy(number, there, end);
        if bytes > 0 {
            self.brought[number] = there;
        }
        self.set_up(number, launch.stage.kernel);
        self.note(number, &needed, end);
        (device, Reason::Least(terms.into(), whole), None)
    }
}
