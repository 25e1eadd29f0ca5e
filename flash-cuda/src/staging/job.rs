//! A long copy through pinned pieces: what there is of it, and how its parts are made. Fenced: it copies
//! bytes that were lent.
#![allow(unsafe_code, reason = "copies bytes that were lent")]

use std::sync::Arc;

use flash_rt::backend::Region;
use flash_rt::offload::staging::{self, Part, Progress, Way, Work, cut, gather, packed, scatter};

use super::ring::{PIECE, Piece, Ring};
use crate::copies;
use crate::cu::{Event, Failure, Plane, Stream};
use crate::memory::Storage;

/// A long copy.
#[derive(Debug)]
pub(crate) struct Job {
    way: Way,
    stream: Arc<Stream>,
    memory: Arc<Storage>,
    most_pitch: u64,
    /// Recorded when all of it is submitted.
    end: Arc<Event>,
    pub(crate) progress: Progress<Failure>,
}

// SAFETY: the bytes of the host are lent to the copy until it is over, whichever threads make it.
unsafe impl Send for Job {}
// SAFETY: each part is one thread's.
unsafe impl Sync for Job {}

/// How far a job is, beyond what its event says.
pub(crate) type Stage = staging::Stage<Failure>;

impl Work for Job {
    type Tools = Ring;

    fn has_more(&self) -> bool {
        self.progress.has_more()
    }

    fn help(&self, ring: &Ring) {
        while let Some((_, part)) = self.progress.begin() {
            self.progress.end(self.make(ring, part));
        }
    }
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
            most_pitch,
            end: Arc::clone(end),
            progress: Progress::new(cut(there, here, PIECE), matches!(way, Way::Down(_))),
        }
    }

    /// Makes one part.
    fn make(&self, ring: &Ring, (there, here): &Part) -> Result<(), Failure> {
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
        if let Way::Up(src) = self.way {
            // SAFETY: the runs are lent, and the piece has room for all of a part and is not in use.
            unsafe { gather(start, src, here) };
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
        let end = |is_last| if is_last { self.stream.record(&self.end) } else { Ok(()) };
        self.progress.submitted(end)?;
        let Way::Down(dst) = self.way else { return Ok(()) };
        piece.free.finish()?;
        // SAFETY: the runs are lent, and the copy to the piece is over.
        unsafe { scatter(start, dst, here) };
        self.progress.landed();
        Ok(())
    }
}
