//! How a launch is split over devices: as its call says, or so that all parts end at once, where
//! that pays. Which elements the parts need is not decided here.

use std::sync::Arc;

use super::{Needed, Placer, Reason, Term, needed};
use crate::descriptor::Parts;
use crate::device::Device;
use crate::engine::split::{self, Share, Shares};
use crate::engine::survey::needed_of;
use crate::pipeline::LaunchNode;
use crate::stage::Partitions;

/// A launch that takes less is not split, in nanoseconds.
const LASTS: u64 = 1_000_000;

/// So much longer the best device has to take than the parts of a split launch.
const PAYS: f64 = 1.1;

/// So often shares are worked out anew from what is brought for them.
const ROUNDS: usize = 8;

/// Borders stay where they are unless the parts end earlier by more than this.
const GAIN: f64 = 0.02;

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
        let told = launch.stage.special.as_ref().is_some_and(|s| s.partitions.is_some());
        if told || matches!(kernel.parts, Parts::Whole) || terms.len() < 2 {
            return None;
        }
        let trips = self.loops.iter().map(|around| around.trips).fold(1, u64::saturating_mul);
        // For each device when it is free, and what a launch and each item take there.
        let mut alone: Option<Term> = None;
        let mut lines: Vec<Line> = Vec::with_capacity(terms.len());
        for term in terms {
            let device = &self.devices[usize::from(term.device)];
            let pace = if device.declares() { None } else { device.pace(kernel, items) };
            let slope = match pace {
                Some(pace) => pace * trips as f64,
                None => {
                    let half = device.launch_time(kernel, items / 2);
                    let half = half.map_or(term.run / 2, |(run, _)| run.saturating_mul(trips));
                    term.run.saturating_sub(half) as f64 / (items - items / 2) as f64
                }
            };
            let of_items = slope * items as f64;
            let fixed = if pace.is_some() { 0.0 } else { (term.run as f64 - of_items).max(0.0) };
            let ready = term.free.max(term.there.saturating_sub(term.brings));
            lines.push((term.device, ready as f64 + fixed, slope.max(f64::MIN_POSITIVE), fixed));
            let run = (fixed + of_items) as u64;
            let term = Term { run, end: (term.end - term.run).saturating_add(run), ..*term };
            alone = alone.filter(|best| best.end <= term.end).or(Some(term));
        }
        let alone = alone?;
        if alone.run / trips.max(1) < LASTS {
            return None;
        }
        lines.sort_unstable_by_key(|line| line.0);
        // What each part needs, with borders as they were or by speed.
        let before = launch.stage.special.as_ref().and_then(|special| special.split.clone());
        let all = before.as_ref().filter(|before| {
            before.of.len() == lines.len()
                && before.of.iter().zip(&lines).all(|(a, b)| a.device == b.0)
        });
        let mut guess: Box<[Share]> = match all {
            Some(before) => before.of.clone(),
            None => lines.iter().map(|line| Share::new(line.0, 1.0 / line.2)).collect(),
        };
        let needed = needed(launch);
        let free: Vec<f64> = lines.iter().map(|line| line.1).collect();
        let share = |end: f64, &(_, begin, each, _): &Line| ((end - begin) / each).max(0.0);
        let mut late = alone.end as f64;
        // What is brought depends on the shares, and they on that.
        for _ in 0..ROUNDS {
            let slices = slices(launch, &needed, &guess);
            for ((line, slice), free) in lines.iter_mut().zip(&slices).zip(&free) {
                line.1 = free + self.arrival(usize::from(line.0), slice).2 as f64;
            }
            let done = |end: f64| lines.iter().map(|line| share(end, line)).sum::<f64>();
            let (mut early, mut end) = (0.0, alone.end as f64);
            for _ in 0..64 {
                let middle = (early + end) / 2.0;
                if done(middle) < items as f64 { early = middle } else { end = middle }
            }
            late = end;
            let total: f64 = guess.iter().map(|share| share.items).sum();
            let mut change: f64 = 0.0;
            for (guess, line) in guess.iter_mut().zip(&lines) {
                let (was, is) = (guess.items * items as f64 / total, share(late, line));
                change = change.max((was - is).abs());
                guess.items = (was + is) / 2.0;
            }
            if change < items as f64 / 1_000.0 {
                break;
            }
        }
        if late * PAYS > alone.end as f64 {
            return None;
        }
        let begins = |share: &Share| lines.iter().find(|line| line.0 == share.device);
        let lasts = |share: &Share| {
            let of = |line: &Line| (line.3 + share.items * line.2) / trips.max(1) as f64;
            begins(share).map(|line| of(line) as u64)
        };
        let mut parts: Box<[Share]> = lines
            .iter()
            .map(|line| Share::new(line.0, share(late, line)))
            .filter(|part| part.items >= 1.0)
            .collect();
        if parts.len() < 2 {
            return None;
        }
        // Borders stay where they are unless that would cost something.
        if let Some(mut before) = before {
            let total: f64 = before.of.iter().map(|share| share.items).sum();
            before.of.iter_mut().for_each(|share| share.items *= items as f64 / total);
            let end = |share: &Share| begins(share).map(|line| line.1 + share.items * line.2);
            let end =
                before.of.iter().map(end).try_fold(0.0, |most: f64, end| Some(most.max(end?)));
            if end.is_some_and(|end| end <= late * (1.0 + GAIN)) {
                (parts, late) = (before.of, end.unwrap_or(late));
            }
        }
        parts.iter_mut().for_each(|share| share.lasts = lasts(share));
        let shown = parts.iter().map(|part| (part.device, part.items.round() as u64)).collect();
        let slices = self::slices(launch, &needed, &parts);
        for (part, slice) in parts.iter().zip(&slices) {
            self.note_part(usize::from(part.device), slice, late as u64);
        }
        Some((Shares { of: parts, chunk: None }, Reason::Split(shown, late as u64, alone)))
    }

    /// Notes what a part of a launch does to where arrays are current.
    fn note_part(&mut self, device: usize, needed: &[Needed], end: u64) {
        self.occupy(device, 0, end);
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
            let of = of.map(|(device, share)| Share::new(device as u16, *share)).collect();
            Some(Shares { of, chunk: None })
        }
        Some(&Partitions::Dynamic(chunk)) => {
            Some(Shares { chunk: Some(chunk), ..Shares::equal(&allowed, allowed.len()) })
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

/// What parts with these shares use.
fn slices(launch: &LaunchNode<'_>, needed: &[Needed], shares: &[Share]) -> Vec<Vec<Needed>> {
    exactly(launch, needed, shares).unwrap_or_else(|| about(launch, needed, shares))
}

/// The boxes that they touch in the first phase, where the launch is known so far.
fn exactly(
    launch: &LaunchNode<'_>,
    needed: &[Needed],
    shares: &[Share],
) -> Option<Vec<Vec<Needed>>> {
    let bound = launch.bound.as_deref().filter(|bound| !launch.lazy && !bound.cells)?;
    let cut = Shares { of: shares.into(), chunk: None };
    let parts = split::parts(&launch.stage, bound, (0, &mut Vec::new()), &cut).ok()??;
    let on_host = || needed.iter().filter(|needed| needed.on_host).cloned();
    let of = |share: &Share| {
        let part = parts.iter().find(|part| part.device == usize::from(share.device));
        part.map_or_else(Vec::new, |part| {
            on_host().chain(needed_of(&part.bound, launch.stage.kernel)).collect()
        })
    };
    Some(shares.iter().map(of).collect())
}

/// Of an array as long as what is cut a slice, else all.
fn about(launch: &LaunchNode<'_>, needed: &[Needed], shares: &[Share]) -> Vec<Vec<Needed>> {
    let space = launch.stage.space.known().ok();
    let slowest = space.and_then(|space| space.extents().iter().rev().find(|&&n| n > 1).copied());
    let extent = slowest.unwrap_or(1);
    let total: f64 = shares.iter().map(|share| share.items).sum();
    let mut from = 0.0;
    let slice = |share: &Share| {
        let to = from + share.items / total;
        let part = needed.iter().cloned().map(|mut needed| {
            let (rows, section) = (needed.array.section.shape()[0], needed.array.section);
            if !needed.on_host && rows == extent {
                let at = |share: f64| ((rows as f64 * share).round() as usize).min(rows);
                let cut = section.cut(std::slice::from_ref(&(at(from)..at(to))), launch.stage.site);
                needed.array.section = cut.unwrap_or(section);
            }
            needed
        });
        let part = part.collect();
        from = to;
        part
    };
    shares.iter().map(slice).collect()
}
