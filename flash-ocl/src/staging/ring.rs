//! Pieces of pinned memory that long copies go through, one after the other. It does not know the copies.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flash_rt::DriverError;

use crate::cl::{Context, Event, Failure, Pinned, Progress, Queue};

/// Bytes of a piece.
pub(crate) const PIECE: u64 = 2 << 20;
/// So many there are at most. There are always more than threads that take one.
const PIECES: usize = 8;

/// A piece, and the last copy from it or to it.
#[derive(Debug)]
pub(crate) struct Piece {
    memory: Pinned,
    pub(crate) last: Option<Event>,
}

impl Piece {
    /// Where it starts.
    pub(crate) fn start(&self) -> *mut u8 {
        self.memory.start()
    }

    fn is_free(&self) -> bool {
        self.last.as_ref().is_none_or(|event| event.progress() != Progress::UnderWay)
    }
}

#[derive(Debug)]
struct State {
    /// Those that nobody fills or empties, the one used longest ago first.
    pieces: VecDeque<Piece>,
    /// How many there are, and may be.
    n: usize,
    most: usize,
    /// The queue that maps them.
    queue: Option<Queue>,
}

/// Makes a queue of a device, which notes when its commands run if it is to.
pub(crate) type MakeQueue = Arc<dyn Fn(bool) -> Result<Queue, DriverError> + Send + Sync>;

/// The pieces of a direction of a device.
pub(crate) struct Ring {
    context: Context,
    name: String,
    make: MakeQueue,
    state: Mutex<State>,
}

impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ring").field("device", &self.name).finish_non_exhaustive()
    }
}

impl Ring {
    /// Without pieces, which are made when they are needed.
    pub(crate) fn new(context: &Context, name: &str, make: &MakeQueue) -> Self {
        let state = State { pieces: VecDeque::new(), n: 0, most: PIECES, queue: None };
        Self {
            context: context.clone(),
            name: name.to_owned(),
            make: Arc::clone(make),
            state: Mutex::new(state),
        }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the driver has given no piece when it was asked for the first one.
    pub(crate) fn is_refused(&self) -> bool {
        self.state().most == 0
    }

    /// A piece that no copy uses any more; `None` where there is none to wait for.
    pub(crate) fn take(&self) -> Result<Option<Piece>, Failure> {
        let mut state = self.state();
        let is_free = state.pieces.front().is_some_and(Piece::is_free);
        if !is_free && state.n < state.most {
            match self.piece(&mut state) {
                Ok(piece) => {
                    state.n += 1;
                    return Ok(Some(piece));
                }
                Err(why) => {
                    // It is not asked again.
                    state.most = state.n;
                    let (device, pieces) = (&self.name, state.n);
                    tracing::warn!(
                        device,
                        pieces,
                        why,
                        "there is no more pinned memory, so copies are slower"
                    );
                }
            }
        }
        let Some(mut piece) = state.pieces.pop_front() else { return Ok(None) };
        drop(state);
        let waited = piece.last.as_ref().map_or(Ok(()), Event::wait);
        if let Err(failure) = waited
            && !piece.is_free()
        {
            self.give(piece);
            return Err(failure);
        }
        // How that copy went is told by whoever made it.
        piece.last = None;
        Ok(Some(piece))
    }

    /// A new piece; else why there is none.
    fn piece(&self, state: &mut State) -> Result<Piece, String> {
        let queue = match &mut state.queue {
            Some(queue) => queue,
            none => none.insert((self.make)(false).map_err(|error| error.to_string())?),
        };
        let memory = Pinned::new(&self.context, queue, PIECE as usize);
        let memory = memory.map_err(|failure| failure.on(&self.name).to_string())?;
        Ok(Piece { memory, last: None })
    }

    /// Gives a piece back.
    pub(crate) fn give(&self, piece: Piece) {
        self.state().pieces.push_back(piece);
    }
}
