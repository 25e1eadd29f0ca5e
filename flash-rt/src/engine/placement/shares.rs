//! How a launch is split over devices: as its call says, or so that all parts end at once, where
//! that pays. Which elements the parts need is not decided here.

use std::sync::Arc;

use super::{Needed, Placer, Reason, Term, needed};
use crate::descriptor::Parts;
use crate::device::Device;
use crate::engine::{Share, Shares};
use crate::pipeline::LaunchNode;
use crate::stage::Partitions;

/// A launch that takes less is not split, in nanoseconds.
const LASTS: u64 = 1_000_000;

/// So much longer the best device has to take than the parts of a split launch.
const PAYS: f64 = 1.1;

/// Borders that would move by less than this share of all items stay where they are.
const MOVES: f64 = 0.02;

/// A device, when it can begin with the first item, what each item takes there, and what a launch
/// takes beside its items, in nanoseconds.
type Line = (u16, f64, f64, f64);

impl Placer<'_> {
    /// How a launch is split, if it may be, and that pays: it lasts, and its parts would end a tenth
    /// before the best device alone would.
    pub(super) fn split(
        &mut self,
        launch: &LaunchNode<'_>,
        terms: &[Term],
    ) -> Option<(Shares, Reason)> {
        let kernel = launch.stage.kernel;
        let items = launch.stage.space.items()?;
        let alone = *terms.first()?;
        let told = launch.stage.special.as_ref().is_some_and(|s| s.partitions.is_some());
        if told || matches!(kernel.parts, Parts::Whole) || terms.len() < 2 {
            return None;
        }
        let trips = self.loops.iter().map(|around| around.trips).fold(1, u64::saturating_mul);
        if alone.run / trips.max(1) < LASTS {
            return None;
        }
        // For each device when it is free, and what a launch and each item take there.
        let mut lines: Vec<Line> = terms
            .iter()
            .map(|term| {
                let half = self.devices[usize::from(term.device)].launch_time(kernel, items / 2);
                let half = half.map_or(term.run / 2, |(run, _)| run.saturating_mul(trips));
                let slope = term.run.saturating_sub(half) as f64 / (items - items / 2) as f64;
                let fixed = (term.run as f64 - slope * items as f64).max(0.0);
                let ready = term.free.max(term.there.saturating_sub(term.brings));
                (term.device, ready as f64 + fixed, slope.max(f64::MIN_POSITIVE), fixed)
            })
            .collect();
        lines.sort_unstable_by_key(|line| line.0);
        // What each part needs, with borders as they were or by speed.
        let before = launch.stage.special.as_ref().and_then(|special| special.split.clone());
        let before = before.filter(|before| {
            before.of.len() == lines.len()
                && before.of.iter().zip(&lines).all(|(a, b)| a.device == b.0)
        });
        let speeds: Vec<f64> = match &before {
            Some(before) => before.of.iter().map(|share| share.items).collect(),
            None => lines.iter().map(|(_, _, each, _)| 1.0 / each).collect(),
        };
        let needed = needed(launch);
        let slices = slices(&needed, slowest(launch), &speeds);
        for ((device, begin, ..), slice) in lines.iter_mut().zip(&slices) {
            *begin += self.arrival(usize::from(*device), slice).2 as f64;
        }
        let share = |end: f64, &(_, begin, each, _): &Line| ((end - begin) / each).max(0.0);
        let done = |end: f64| lines.iter().map(|line| share(end, line)).sum::<f64>();
        let (mut early, mut late) = (0.0, alone.end as f64);
        for _ in 0..64 {
            let middle = (early + late) / 2.0;
            if done(middle) < items as f64 { early = middle } else { late = middle }
        }
        if late * PAYS > alone.end as f64 {
            return None;
        }
        let parts = lines.iter().map(|line| {
            let (items, fixed) = (share(late, line), line.3);
            // Of one trip, as a launch is one.
            let lasts = (fixed + items * line.2) / trips.max(1) as f64;
            Share { device: line.0, items, lasts: Some(lasts as u64) }
        });
        let mut parts: Vec<Share> = parts.filter(|part| part.items >= 1.0).collect();
        parts.sort_unstable_by_key(|part| part.device);
        if parts.len() < 2 {
            return None;
        }
        // Borders stay where they are unless that would cost something.
        let kept = before.filter(|before| {
            let near = |(a, b): (&Share, &Share)| {
                a.device == b.device && (a.items - b.items).abs() <= MOVES * items as f64
            };
            before.of.len() == parts.len() && before.of.iter().zip(&parts).all(near)
        });
        let parts = kept.map_or_else(|| parts.into(), |kept| kept.of);
        let shown = parts.iter().map(|part| (part.device, part.items.round() as u64)).collect();
        let speeds: Vec<f64> = parts.iter().map(|part| part.items).collect();
        let slices = self::slices(&needed, slowest(launch), &speeds);
        for (part, slice) in parts.iter().zip(&slices) {
            self.note_part(usize::from(part.device), slice, late as u64);
        }
        Some((Shares { of: parts }, Reason::Split(shown, late as u64, alone)))
    }

    /// Notes what a part of a launch does to where arrays are current.
    fn note_part(&mut self, device: usize, needed: &[Needed], end: u64) {
        self.free[device] = end;
        self.note(device, needed, end);
    }
}

/// Puts a launch where its call says, and splits it as that says; whether it says how.
pub(in crate::engine) fn as_told(
    launch: &mut LaunchNode<'_>,
    devices: &[Arc<Device>],
    of_all: Option<usize>,
) -> bool {
    if of_all.is_some() {
        launch.stage.special.get_or_insert_default();
    }
    let Some(special) = &mut launch.stage.special else { return false };
    special.split = None;
    let usable = |device: usize| special.allows(device) && !devices[device].is_lost();
    let allowed: Vec<usize> = (0..devices.len()).filter(|&device| usable(device)).collect();
    if !allowed.contains(&usize::from(launch.device))
        && let Some(&first) = allowed.first()
    {
        launch.device = first as u16;
    }
    let of_all = of_all.map(Partitions::Equal);
    let split = match special.partitions.as_ref().or(of_all.as_ref()) {
        None => return false,
        Some(Partitions::Equal(0 | 1)) => None,
        Some(Partitions::Equal(n)) => Some(Shares::equal(&allowed, *n)),
        Some(Partitions::Shares(shares)) => {
            let of = shares.iter().enumerate().filter(|(device, _)| allowed.contains(device));
            Some(Shares {
                of: of.map(|(device, share)| Share::new(device as u16, *share)).collect(),
            })
        }
    };
    let mut split = split.filter(|shares| !shares.of.is_empty());
    if let (Some(shares), Some(items)) = (&mut split, launch.stage.space.items())
        && launch.stage.kernel.flags.idempotent
    {
        let total: f64 = shares.of.iter().map(|share| share.items.max(0.0)).sum();
        for share in &mut shares.of {
            let n = (items as f64 * share.items.max(0.0) / total) as usize;
            let time = devices[usize::from(share.device)].launch_time(launch.stage.kernel, n);
            share.lasts = time.map(|(nanos, _)| nanos);
        }
    }
    special.split = split;
    true
}

/// The extent that a launch is cut along, as far as is known.
fn slowest(launch: &LaunchNode<'_>) -> usize {
    let space = launch.stage.space.known().ok();
    let found = space.and_then(|space| space.extents().iter().rev().find(|&&n| n > 1).copied());
    found.unwrap_or(1)
}

/// What parts with these shares use: of an array as long as what is cut a slice, else all.
fn slices(needed: &[Needed], extent: usize, shares: &[f64]) -> Vec<Vec<Needed>> {
    let total: f64 = shares.iter().sum();
    let mut from = 0.0;
    let slice = |share: &f64| {
        let to = from + share / total;
        let part = needed.iter().map(|needed| {
            let Needed { array, name, reads, writes, on_host } = needed;
            let (rows, mut array) = (array.section.shape()[0], array.clone());
            if !on_host && rows == extent {
                let at = |share: f64| ((rows as f64 * share).round() as usize).min(rows);
                let site = std::panic::Location::caller();
                let cut = array.section.cut(std::slice::from_ref(&(at(from)..at(to))), site);
                array.section = cut.unwrap_or(array.section);
            }
            Needed { array, name, reads: *reads, writes: *writes, on_host: *on_host }
        });
        let part = part.collect();
        from = to;
        part
    };
    shares.iter().map(slice).collect()
}
