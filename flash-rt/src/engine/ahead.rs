//! Phases of a launch in parts that are submitted while those before them are under way: a part waits
//! for the elements that it reads, and for nothing else. It meets no ends, and runs nothing again.

use super::bind::BoundParam;
use super::several::{Attempt, Run, read_by};
use super::split::Part;
use crate::error::Result;
use crate::section::Section;

/// What a part waits for, in nanoseconds from the start of the launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Wait {
    /// When the last device has ended that it gets elements from.
    from: u64,
    /// How long these take on their way.
    lasts: u64,
}

impl Run<'_, '_> {
    /// Submits the parts of a phase behind those of the phases before. The host waits for those that
    /// make what goes to another device, and parts that can have it earlier come first.
    pub(super) fn ahead(&mut self, phase: usize, parts: Vec<Part>) -> Result<()> {
        let n = parts.len();
        if self.under_way.len() + n > self.ground.rt.options.n_ahead() * n {
            let rest = self.under_way.split_off(n.min(self.under_way.len()));
            for attempt in std::mem::replace(&mut self.under_way, rest) {
                self.finish(attempt);
            }
        }
        let all = parts.into_iter().enumerate().map(Attempt::new);
        let mut left: Vec<(bool, Wait, Attempt)> = all
            .map(|mut attempt| {
                attempt.number.0 = phase;
                // Whoever runs in the call comes last.
                let is_in_call = self.ground.rt.devices[attempt.part.device].space().is_none();
                (is_in_call, self.wait_of(&attempt.part), attempt)
            })
            .collect();
        left.sort_by_key(|(is_in_call, wait, _)| (*is_in_call, *wait));
        let is_one = overwrites_what_others_read(&left);
        while self.failed.is_empty()
            && let Some(&(_, first, _)) = left.first()
        {
            // Who would wait less than the copies of the first one take goes with it.
            let until = first.from + first.lasts;
            let goes = |(_, wait, _): &&(bool, Wait, Attempt)| is_one || wait.from <= until;
            let n = left.iter().take_while(goes).count().max(1);
            let there = left[..n].iter().map(|(_, wait, _)| wait.from + wait.lasts).max();
            let group: Vec<Attempt> = left.drain(..n).map(|(.., attempt)| attempt).collect();
            self.bring_all(&group);
            for attempt in group {
                let (number, items) = (attempt.part.device, attempt.part.bound.n_items());
                let time = self.ground.rt.devices[number].launch_time(self.stage.kernel, items);
                let end = &mut self.ends[number];
                *end = (*end).max(there.unwrap_or(0)) + time.map_or(0, |(nanos, _)| nanos);
                let started = self.start(attempt);
                self.under_way.extend(started.filter(|attempt| attempt.flight.is_some()));
            }
        }
        if self.failed.is_empty() {
            return Ok(());
        }
        self.land()?;
        self.until_done(left.into_iter().map(|(.., attempt)| attempt).collect(), Vec::new())
    }

    /// What a part waits for, as far as it is known how long kernels take.
    fn wait_of(&self, part: &Part) -> Wait {
        let devices = &self.ground.rt.devices;
        let here = &devices[part.device];
        let mut wait = Wait::default();
        for (array, _) in read_by(&part.bound, self.stage.kernel) {
            let images = array.allocation.images();
            let missing = images.only_elsewhere(here.space(), &array.section);
            if missing.is_empty() {
                continue;
            }
            let size = array.allocation.elem().size;
            for (number, device) in devices.iter().enumerate() {
                let image = device.space().and_then(|space| images.find(space));
                let has = image.map_or(0, |image| image.valid.common(&missing).n_elems());
                if has > 0 {
                    let bytes = (has * size) as u64;
                    wait.from = wait.from.max(self.ends[number]);
                    wait.lasts += device.move_time(here, bytes);
                }
            }
        }
        wait
    }
}

/// Whether a part overwrites what another one of its phase may read, so that all of them have to have
/// theirs before.
fn overwrites_what_others_read(parts: &[(bool, Wait, Attempt)]) -> bool {
    let written = |part: &Part| {
        let of = |(k, param): (usize, &BoundParam)| {
            let (array, use_) = param.array()?;
            use_.writes.then(|| (array.allocation.id(), part.bound.written(k, array)))
        };
        part.bound.params.iter().enumerate().filter_map(of).collect::<Vec<_>>()
    };
    let is_read = |by: &Part, (id, section): &(u64, Section)| {
        let arrays = by.bound.params.iter().filter_map(BoundParam::array);
        arrays.into_iter().any(|(array, use_)| {
            use_.reads && array.allocation.id() == *id && array.section.overlaps(section)
        })
    };
    parts.iter().enumerate().any(|(k, (.., Attempt { part, .. }))| {
        let others = parts.iter().enumerate().filter(|(other, _)| *other != k);
        let mut others = others.map(|(_, (.., other))| &other.part);
        let written = written(part);
        others.any(|other| written.iter().any(|written| is_read(other, written)))
    })
}
