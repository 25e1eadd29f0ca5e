//! A long copy through pinned pieces: what there is of it, and how far it is. Fenced: it copies bytes that
//! were lent.
#![allow(unsafe_code, reason = "copies bytes that were lent")]

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use flash_rt::backend::Region;

use super::ring::{PIECE, Piece, Ring};
use super::slots::packed;
use crate::copies;
use crate::cu::{Event, Failure, Plane, Stream};
use crate::memory::Storage;

/// Where the bytes of the host are, and which way they go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// From there to the device.
    Up(*const u8),
    /// From the device to there.
    Down(*mut u8),
}

/// A long copy.
#[derive(Debug)]
pub(crate) struct Job {
    way: Way,
    stream: Arc<Stream>,
    memory: Arc<Storage>,
    /// What is copied at once: on the device, and on the host.
    parts: Vec<(Region, Region)>,
    most_pitch: u64,
    /// Recorded when all of it is submitted.
    end: Arc<Event>,
    state: Mutex<State>,
    changed: Condvar,
}

// SAFETY: the bytes of the host are lent to the copy until it is over, whichever threads make it.
unsafe impl Send for Job {}
// SAFETY: each part is one thread's.
unsafe impl Sync for Job {}

#[derive(Debug, Default)]
struct State {
    /// The parts that somebody has begun, has submitted, and has brought to the host.
    begun: usize,
    submitted: usize,
    landed: usize,
    /// Threads that are at it.
    at_it: usize,
    failed: Option<Failure>,
    is_given_up: bool,
}

/// How far a job is, beyond what its event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Not all of it is submitted.
    Open,
    /// All of it is submitted; what is in pieces may have to be brought to the host.
    Submitted,
    /// Nothing is left to be done by threads.
    Over,
    /// It is given up, or this went wrong.
    Failed(Option<Failure>),
}

/// Regions of the same runs cut into parts of a piece at most.
fn parts(there: &Region, here: &Region) -> Vec<(Region, Region)> {
    let mut all = Vec::new();
    let row = |region: &Region, slice: u64, row: u64| {
        region.offset + slice * region.slice_pitch + row * region.pitch
    };
    let is_whole = |region: &Region| {
        let Region { row_bytes, rows, pitch, slices, slice_pitch, .. } = *region;
        (rows == 1 || pitch == row_bytes) && (slices == 1 || slice_pitch == rows * row_bytes)
    };
    if is_whole(there) && is_whole(here) {
        let mut at = 0;
        while at < there.bytes() {
            let len = PIECE.min(there.bytes() - at);
            all.push((Region::row(there.offset + at, len), Region::row(here.offset + at, len)));
            at += len;
        }
        return all;
    }
    let at_once = (PIECE / there.row_bytes.max(1)).clamp(1, there.rows.max(1));
    for slice in 0..there.slices {
        let mut first = 0;
        while first < there.rows {
            let n = at_once.min(there.rows - first);
            let mut at = 0;
            // Several runs at once, or one of them in several parts.
            while at < there.row_bytes {
                let len = PIECE.min(there.row_bytes - at);
                let part = |region: &Region| {
                    Region::plane(row(region, slice, first) + at, len, n, region.pitch)
                };
                all.push((part(there), part(here)));
                at += len;
            }
            first += n;
        }
    }
    all
}

impl Job {
    /// A copy of regions that were checked, to be submitted to a stream that waits for what the copy comes
    /// after.
    ///
    /// # Safety
    ///
    /// Until it is over or given up, the bytes of the host are lent to it, and nothing else under way uses
    /// those of the device.
    pub(crate) unsafe fn new(
        (way, stream, end): (Way, &Arc<Stream>, &Arc<Event>),
        memory: &Arc<Storage>,
        (there, here): (&Region, &Region),
        most_pitch: u64,
    ) -> Self {
        Self {
            way,
            stream: Arc::clone(stream),
            memory: Arc::clone(memory),
            parts: parts(there, here),
            most_pitch,
            end: Arc::clone(end),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stage_of(&self, state: &State) -> Stage {
        let n = self.parts.len();
        match state {
            State { is_given_up: false, failed: None, .. } => match self.way {
                _ if state.submitted < n => Stage::Open,
                Way::Down(_) if state.landed < n => Stage::Submitted,
                Way::Up(_) if state.at_it > 0 => Stage::Submitted,
                _ => Stage::Over,
            },
            State { at_it: 1.., .. } => Stage::Open,
            State { failed, .. } => Stage::Failed(*failed),
        }
    }

    /// How far it is.
    pub(crate) fn stage(&self) -> Stage {
        self.stage_of(&self.state())
    }

    /// Returns when it is no longer at a stage.
    pub(crate) fn leave(&self, stage: Stage) {
        let mut state = self.state();
        while self.stage_of(&state) == stage {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Begins no part any more, and returns when nobody is at one. What is submitted goes on.
    pub(crate) fn give_up(&self) {
        let mut state = self.state();
        state.is_given_up = true;
        while state.at_it > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether there is a part that nobody has begun.
    pub(crate) fn has_more(&self) -> bool {
        let state = self.state();
        state.failed.is_none() && !state.is_given_up && state.begun < self.parts.len()
    }

    /// Makes parts of it until none is left to be begun.
    pub(crate) fn help(&self, ring: &Ring) {
        loop {
            let part = {
                let mut state = self.state();
                let is_left = state.failed.is_none() && !state.is_given_up;
                let Some(part) = self.parts.get(state.begun).filter(|_| is_left) else { return };
                state.begun += 1;
                state.at_it += 1;
                part
            };
            let made = self.make(ring, part);
            let mut state = self.state();
            state.at_it -= 1;
            if let Err(failure) = made {
                state.failed.get_or_insert(failure);
            }
            self.changed.notify_all();
        }
    }

    /// Makes one part.
    fn make(&self, ring: &Ring, (there, here): &(Region, Region)) -> Result<(), Failure> {
        let context = self.stream.context();
        if !Arc::ptr_eq(context, &self.memory.context) {
            return Err(Failure::gone("memory"));
        }
        let _current = context.enter()?;
        let piece = ring.take(context)?;
        // A piece of a device that has failed is not used again.
        match self.copy(&piece, there, here) {
            Ok(()) => ring.give(piece),
            Err(failure) => {
                ring.lose();
                return Err(failure);
            }
        }
        Ok(())
    }

    fn copy(&self, piece: &Piece, there: &Region, here: &Region) -> Result<(), Failure> {
        let start = piece.memory.start();
        let pieces = copies::pieces(there, &packed(here), self.most_pitch);
        let len = here.row_bytes as usize;
        if let Way::Up(src) = self.way {
            for (k, at) in here.runs().enumerate() {
                let (from, to) = (src.wrapping_add(at as usize), start.wrapping_add(k * len));
                // SAFETY: the run is lent, and the piece has room for all of a part and is not in use.
                unsafe { std::ptr::copy_nonoverlapping(from, to, len) };
            }
        }
        for part in &pieces {
            let there = self.memory.address + part.there;
            let here = start.wrapping_add(part.here as usize);
            match (self.way, part.plane) {
                // SAFETY: the region was checked, and the piece is not used before its event is over.
                (Way::Up(_), Plane { row_bytes, rows: 1, .. }) => unsafe {
                    self.stream.upload(there, here, row_bytes)
                },
                // SAFETY: as above.
                (Way::Up(_), plane) => unsafe { self.stream.upload_plane(there, here, &plane) },
                // SAFETY: as above.
                (Way::Down(_), Plane { row_bytes, rows: 1, .. }) => unsafe {
                    self.stream.download(here, there, row_bytes)
                },
                // SAFETY: as above.
                (Way::Down(_), plane) => unsafe { self.stream.download_plane(here, there, &plane) },
            }?;
        }
        self.stream.record(&piece.free)?;
        {
            let mut state = self.state();
            state.submitted += 1;
            // Under the lock, so that whoever sees that all is submitted finds the end recorded.
            if state.submitted == self.parts.len() {
                self.stream.record(&self.end)?;
            }
            self.changed.notify_all();
        }
        let Way::Down(dst) = self.way else { return Ok(()) };
        piece.free.finish()?;
        for (k, at) in here.runs().enumerate() {
            let (from, to) = (start.wrapping_add(k * len), dst.wrapping_add(at as usize));
            // SAFETY: the run is lent, and the copy to the piece is over.
            unsafe { std::ptr::copy_nonoverlapping(from.cast_const(), to, len) };
        }
        self.state().landed += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_bytes_of_both_regions_in_order() {
        let bytes = |region: Region| region.runs().map(move |at| (at, region.row_bytes));
        let merged = |runs: Vec<(u64, u64)>| {
            let mut all: Vec<(u64, u64)> = Vec::new();
            for (at, len) in runs {
                match all.last_mut() {
                    Some((start, n)) if *start + *n == at => *n += len,
                    _ => all.push((at, len)),
                }
            }
            all
        };
        let plane = Region::plane;
        for (there, here) in [
            (Region::row(5, 3 * PIECE + 7), Region::row(1, 3 * PIECE + 7)),
            (plane(3, 1000, 5000, 1100), plane(0, 1000, 5000, 1000)),
            (plane(3, PIECE + 9, 3, 2 * PIECE), plane(0, PIECE + 9, 3, PIECE + 10)),
            (
                plane(2, 700, 1000, 900).times(3, 1_000_000),
                plane(1, 700, 1000, 700).times(3, 700_000),
            ),
        ] {
            let parts = parts(&there, &here);
            assert!(parts.iter().all(|(a, b)| a.bytes() <= PIECE && a.same_runs(b)));
            for (whole, part) in [(there, 0), (here, 1)] {
                let of = |pair: &(Region, Region)| if part == 0 { pair.0 } else { pair.1 };
                let found = parts.iter().flat_map(|pair| bytes(of(pair))).collect();
                assert_eq!(merged(found), merged(bytes(whole).collect()), "{whole:?}");
            }
        }
    }
}
