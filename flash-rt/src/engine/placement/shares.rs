//! How a launch is split over devices: as its call says, or so that all parts end at once, where
//! that pays. Which elements the parts need is not decided here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Needed, Placer, Reason, Term, needed};
use crate::descriptor::{KernelDescriptor, Parts};
use crate::device::{Class, Device, class};
use crate::engine::split::{self, Share, Shares, Way};
use crate::engine::survey::needed_of;
use crate::engine::whole::Whole;
use crate::engine::windows::Need;
use crate::pipeline::LaunchNode;
use crate::stage::Partitions;

/// A launch that takes less is not split, in nanoseconds.
pub(super) const LASTS: u64 = 1_000_000;

/// So much longer the best device has to take than the parts of a split launch.
const PAYS: f64 = 1.1;

/// So often shares are worked out anew from what is brought for them.
const ROUNDS: usize = 8;

/// Borders stay where they are unless the parts end earlier by more than this.
const GAIN: f64 = 0.02;

/// So much of a device may be full of what a part needs.
const NEARLY: f64 = 0.95;

/// Where kernels were cut last, each over about as many items: for pipelines that are built anew.
#[derive(Debug, Default)]
pub(crate) struct Borders(Mutex<HashMap<Class, Box<[Share]>>>);

impl Borders {
    fn all(&self) -> MutexGuard<'_, HashMap<Class, Box<[Share]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, kernel: &'static KernelDescriptor, items: usize) -> Option<Box<[Share]>> {
        self.all().get(&class(kernel, items as u64)).cloned()
    }

    fn keep(&self, kernel: &'static KernelDescriptor, items: usize, shares: &[Share]) {
        self.all().insert(class(kernel, items as u64), shares.into());
    }
}

/// Whether borders move, where parts end so late before that and after it.
fn is_worth_it(before: f64, after: f64) -> bool {
    before > after * (1.0 + GAIN)
}

/// A device that could have a part of a launch; times are in nanoseconds.
struct Line {
    device: u16,
    /// When it could begin if nothing had to be brought, what it takes beside its items included.
    free: f64,
    /// What each item takes there.
    each: f64,
    /// What a launch takes beside its items.
    fixed: f64,
    /// So many items at most have room for what they need.
    most: f64,
    /// How long a part is brought for: so much, and so much for each item.
    brings: (f64, f64),
    /// How long one of so many items was found to be brought for.
    found: Option<(f64, f64)>,
}

impl Line {
    /// When a part of so many items ends.
    fn end(&self, items: f64) -> f64 {
        self.free + self.brings.0 + items * (self.each + self.brings.1)
    }

    /// How many items it can do until then.
    fn items(&self, end: f64) -> f64 {
        let (fixed, each) = self.brings;
        ((end - self.free - fixed) / (self.each + each)).clamp(0.0, self.most)
    }

    /// Learns how long a part of so many items is brought for: what else it would be is on the line
    /// through this and what was found before, or else in proportion.
    fn learn(&mut self, items: f64, time: f64) {
        let each = match self.found.filter(|(before, _)| (before - items).abs() >= 1.0) {
            Some((before, was)) => (time - was) / (items - before),
            None => time / items.max(1.0),
        };
        let each = each.clamp(0.0, time / items.max(1.0));
        self.brings = (time - each * items, each);
        self.found = Some((items, time));
    }
}

impl Placer<'_> {
    /// How a launch is split, if it may be, and that pays: it lasts, and its parts would end a tenth
    /// before the best device alone would. Else why not, where it is a kernel that is split at all.
    pub(super) fn split(
        &mut self,
        launch: &LaunchNode<'_>,
        terms: &[Term],
    ) -> Result<(Shares, Reason), Option<Whole>> {
        let kernel = launch.stage.kernel;
        let said = launch.stage.special.as_ref().is_some_and(|s| s.partitions.is_some());
        if said || self.partitions.is_some() {
            return Err(Some(Whole::Told));
        }
        if matches!(kernel.parts, Parts::Whole) {
            return Err(None);
        }
        let items = launch.stage.space.items().ok_or(Whole::Later)?;
        let needed = needed(launch);
        let bytes = bytes(&needed);
        let can_run = |term: &&Term| self.devices[usize::from(term.device)].has_code(kernel);
        let terms: Vec<&Term> = terms.iter().filter(can_run).collect();
        if let [only] = terms[..] {
            return Err(Some(Whole::Alone(only.device)));
        }
        let trips = self.loops.iter().map(|around| around.trips).fold(1, u64::saturating_mul);
        let fits = |device: u16| self.devices[usize::from(device)].could_hold(bytes);
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
            lines.push(Line {
                device: term.device,
                free: ready as f64 + fixed,
                each: slope.max(f64::MIN_POSITIVE),
                fixed,
                most: f64::INFINITY,
                brings: (0.0, 0.0),
                found: None,
            });
            let run = (fixed + of_items) as u64;
            let term = Term { run, end: (term.end - term.run).saturating_add(run), ..*term };
            // A device that has no room for all it needs is the best one only where none has.
            let is_better =
                |best: &Term| (!fits(best.device), best.end) <= (!fits(term.device), term.end);
            alone = alone.filter(is_better).or(Some(term));
        }
        let alone = alone.ok_or(None)?;
        let is_possible = fits(alone.device);
        let latest = match is_possible {
            true => alone.end as f64,
            false => lines.iter().map(|line| line.end(items as f64)).fold(0.0, f64::max),
        };
        let takes = alone.run / trips.max(1);
        if is_possible && takes < LASTS {
            return Err(Some(Whole::Short { takes, least: LASTS }));
        }
        lines.sort_unstable_by_key(|line| line.device);
        // What each part needs, with borders as they were or by speed.
        let before = launch.stage.special.as_ref().and_then(|special| special.split.as_ref());
        let before = before.map(|split| split.of.clone());
        let before = before.or_else(|| self.borders.of(kernel, items));
        let all = before.as_ref().filter(|before| {
            before.len() == lines.len()
                && before.iter().zip(&lines).all(|(a, b)| a.device == b.device)
        });
        let mut guess: Box<[Share]> = match all {
            Some(before) => before.clone(),
            None => lines.iter().map(|line| Share::new(line.device, 1.0 / line.each)).collect(),
        };
        scale(&mut guess, items);
        // What is brought depends on the shares, and they on that.
        for _ in 0..ROUNDS {
            self.learn(launch, &needed, (&mut lines, &guess))?;
            let end = last(&lines, latest, items);
            let mut change: f64 = 0.0;
            for (guess, line) in guess.iter_mut().zip(&lines) {
                change = change.max((guess.items - line.items(end)).abs());
                guess.items = line.items(end);
            }
            if change < items as f64 / 1_000.0 {
                break;
            }
        }
        guess
            .iter_mut()
            .for_each(|part| part.items = if part.items < 1.0 { 0.0 } else { part.items });
        scale(&mut guess, items);
        // With what is brought for these and no others.
        self.learn(launch, &needed, (&mut lines, &guess))?;
        let ends = |parts: &[Share]| {
            let end = |part: &Share| Some(line(&lines, part.device)?.end(part.items));
            let has_items = |part: &&Share| part.items > 0.0;
            parts
                .iter()
                .filter(has_items)
                .map(end)
                .try_fold(0.0, |most: f64, end| Some(most.max(end?)))
        };
        let mut late = ends(&guess).unwrap_or(f64::INFINITY);
        let gains = Whole::Gains { parts: late as u64, alone: alone.end };
        let mut parts: Box<[Share]> =
            guess.iter().filter(|part| part.items > 0.0).copied().collect();
        if is_possible && late * PAYS > alone.end as f64 || parts.len() < 2 {
            return Err(Some(gains));
        }
        // Borders stay where they are unless that would cost something.
        if let Some(mut before) = before {
            scale(&mut before, items);
            let end = ends(&before);
            if end.is_some_and(|end| !is_worth_it(end, late)) {
                (parts, late) = (before, end.unwrap_or(late));
            }
        }
        let lasts = |share: &Share| {
            let of = |line: &Line| (line.fixed + share.items * line.each) / trips.max(1) as f64;
            line(&lines, share.device).map(|line| of(line) as u64)
        };
        parts.iter_mut().for_each(|share| share.lasts = lasts(share));
        let shown = parts.iter().map(|part| (part.device, part.items.round() as u64)).collect();
        let slices = self::slices(launch, &needed, &parts)?;
        let mut all = parts.iter().zip(&slices);
        if !all.all(|(part, slice)| self.holds(part.device, slice)) {
            return Err(Some(gains));
        }
        for (part, slice) in parts.iter().zip(&slices) {
            self.note_part(usize::from(part.device), slice, late as u64);
        }
        self.borders.keep(kernel, items, &parts);
        let shares = Shares { of: parts, chunk: None, way: way(launch) };
        Ok((shares, Reason::Split(shown, late as u64, alone)))
    }

    /// Whether a device has room for what a part needs.
    fn holds(&self, device: u16, slice: &[Needed]) -> bool {
        self.devices[usize::from(device)].could_hold(bytes(slice))
    }

    /// Looks what would be brought for parts of these sizes.
    fn learn(
        &mut self,
        launch: &LaunchNode<'_>,
        needed: &[Needed],
        (lines, parts): (&mut [Line], &[Share]),
    ) -> Result<(), Whole> {
        let slices = slices(launch, needed, parts)?;
        for ((line, slice), part) in lines.iter_mut().zip(&slices).zip(parts) {
            if part.items > 0.0 {
                let device = usize::from(line.device);
                line.learn(part.items, self.arrival(device, slice).2 as f64);
                if !self.holds(line.device, slice) {
                    let most = self.devices[device].capacity().unwrap_or(u64::MAX) as f64;
                    line.most = line.most.min(part.items * most * NEARLY / bytes(slice) as f64);
                }
            }
        }
        Ok(())
    }

    /// Notes what a part of a launch does to where arrays are current.
    fn note_part(&mut self, device: usize, needed: &[Needed], end: u64) {
        self.occupy(device, 0, end);
        self.note(device, needed, end);
    }
}

fn line(lines: &[Line], device: u16) -> Option<&Line> {
    lines.iter().find(|line| line.device == device)
}

/// When the last of so many items ends, where all devices end at once, if that is before `latest`.
fn last(lines: &[Line], latest: f64, items: usize) -> f64 {
    let (mut early, mut end) = (0.0, latest);
    for _ in 0..64 {
        let middle = (early + end) / 2.0;
        let done: f64 = lines.iter().map(|line| line.items(middle)).sum();
        if done < items as f64 { early = middle } else { end = middle }
    }
    end
}

/// The bytes of all arrays, at least, of which a device has room for what a part needs.
fn bytes(needed: &[Needed]) -> u64 {
    let arrays = needed.iter().filter(|needed| !needed.on_host).map(|needed| &needed.array);
    Need::all(arrays).iter().map(Need::n_bytes).sum()
}

/// Makes shares those of so many items.
fn scale(shares: &mut [Share], items: usize) {
    let total: f64 = shares.iter().map(|share| share.items).sum();
    shares.iter_mut().for_each(|share| share.items *= items as f64 / total);
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
    let kernel = launch.stage.kernel;
    let usable = |device: usize| {
        let is_there = special.allows(device) && !devices[device].is_lost();
        is_there && (special.native.is_some() || devices[device].has_code(kernel))
    };
    let allowed: Vec<usize> = (0..devices.len()).filter(|&device| usable(device)).collect();
    if !allowed.contains(&usize::from(launch.device))
        && let Some(&first) = allowed.first()
    {
        launch.device = first as u16;
    }
    if special.native.is_some() {
        // Its code is for all of it.
        return false;
    }
    let of_all = of_all.map(Partitions::Equal);
    let split = match special.partitions.as_ref().or(of_all.as_ref()) {
        None => return false,
        Some(Partitions::Equal(0 | 1)) => None,
        Some(Partitions::Equal(n)) => Some(Shares::equal(&allowed, *n)),
        Some(Partitions::Grid(grid)) if grid.iter().all(|&n| n <= 1) => None,
        Some(Partitions::Grid(grid)) => {
            let blocks = grid.iter().fold(1, |all: usize, &n| all.saturating_mul(n.max(1)));
            let of = Shares::equal(&allowed, allowed.len().min(blocks));
            Some(Shares { way: Way::Grid(grid.clone()), ..of })
        }
        Some(Partitions::Shares(shares)) => {
            let of = shares.iter().enumerate().filter(|(device, _)| allowed.contains(device));
            let of = of.map(|(device, share)| Share::new(device as u16, *share)).collect();
            Some(Shares { of, chunk: None, way: Way::Slowest })
        }
        Some(&Partitions::Dynamic(chunk)) => {
            Some(Shares { chunk: Some(chunk), ..Shares::equal(&allowed, allowed.len()) })
        }
    };
    let mut split = split.filter(|shares| !shares.of.is_empty());
    if let (Some(shares), Some(dim)) = (&mut split, special.across)
        && shares.way == Way::Slowest
    {
        shares.way = Way::Across(dim);
    }
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

/// Which dimension is cut, if nothing else was said.
fn way(launch: &LaunchNode<'_>) -> Way {
    let across = launch.stage.special.as_ref().and_then(|special| special.across);
    across.map_or(Way::Slowest, Way::Across)
}

/// What parts with these shares use; an error where it is known that there can be none.
fn slices(
    launch: &LaunchNode<'_>,
    needed: &[Needed],
    shares: &[Share],
) -> Result<Vec<Vec<Needed>>, Whole> {
    Ok(exactly(launch, needed, shares)?.unwrap_or_else(|| about(launch, needed, shares)))
}

/// The boxes that they touch in the first phase, where the launch is known so far.
fn exactly(
    launch: &LaunchNode<'_>,
    needed: &[Needed],
    shares: &[Share],
) -> Result<Option<Vec<Vec<Needed>>>, Whole> {
    let bound = launch.bound.as_deref().filter(|bound| !launch.lazy && !bound.cells);
    let Some(bound) = bound else { return Ok(None) };
    let cut = Shares { of: shares.into(), chunk: None, way: way(launch) };
    let parts = match split::try_parts(&launch.stage, bound, (0, &mut Vec::new()), &cut) {
        Ok(Ok(parts)) => parts,
        Ok(Err(whole)) if bound.n_phases() == 1 => return Err(whole),
        // Another phase may be split, and what is wrong is seen when the launch is divided.
        _ => return Ok(None),
    };
    let on_host = || needed.iter().filter(|needed| needed.on_host).cloned();
    let of = |share: &Share| {
        let part = parts.iter().find(|part| part.device == usize::from(share.device));
        part.map_or_else(Vec::new, |part| {
            on_host().chain(needed_of(&part.bound, launch.stage.kernel)).collect()
        })
    };
    Ok(Some(shares.iter().map(of).collect()))
}

/// Of an array as long as what is cut a slice, else all.
fn about(launch: &LaunchNode<'_>, needed: &[Needed], shares: &[Share]) -> Vec<Vec<Needed>> {
    let space = launch.stage.space.fixed().and_then(Result::ok);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_move_for_more_than_two_hundredths() {
        for after in [1.0, 1e3, 7.5e9] {
            assert!(!is_worth_it(0.5 * after, after) && !is_worth_it(1.019 * after, after));
            assert!(is_worth_it(1.021 * after, after) && is_worth_it(2.0 * after, after));
        }
    }
}
