//! Pieces of pinned memory that long copies go through, one after the other. It does not know the copies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cu::{Context, Event, Failure, Pinned};

/// Bytes of a piece.
pub(crate) const PIECE: u64 = 1 << 20;
/// So many there are.
const PIECES: usize = 16;

/// A piece, and when the last copy of it is over.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) memory: Pinned,
    pub(crate) free: Event,
}

/// The pieces of a device, the one used longest ago first.
#[derive(Debug, Default)]
pub(crate) struct Ring(Mutex<(VecDeque<Piece>, usize)>);

impl Ring {
    /// A piece that no copy uses any more. There are always more than threads that take one.
    pub(crate) fn take(&self, context: &Arc<Context>) -> Result<Piece, Failure> {
        let mut ring = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (pieces, n) = &mut *ring;
        // Those of a context that is gone went with it.
        let before = pieces.len();
        pieces.retain(|piece| Arc::ptr_eq(piece.memory.context(), context));
        *n -= before - pieces.len();
        if *n >= PIECES
            && let Some(piece) = pieces.pop_front()
        {
            drop(ring);
            return piece.free.finish().map(|()| piece).inspect_err(|_| self.lose());
        }
        *n += 1;
        drop(ring);
        let new = Pinned::new(context, PIECE as usize);
        let new = new.and_then(|memory| Ok(Piece { memory, free: Event::new(context, false)? }));
        if new.is_err() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).1 -= 1;
        }
        new
    }

    /// Gives a piece back.
    pub(crate) fn give(&self, piece: Piece) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.push_back(piece);
    }

    /// Notes that a piece is gone, as its device has failed.
    pub(crate) fn lose(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 -= 1;
    }
}
