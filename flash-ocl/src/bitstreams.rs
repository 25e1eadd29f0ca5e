//! Binaries of a device: each is built once, and shared by all kernels that name it. An FPGA holds one
//! at a time, so it is counted how often another one takes its place. It knows no kernels.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flash_rt::DriverError;
use flash_rt::offload::cache::Key;

use crate::cl::Program;
use crate::device::OclDevice;
use crate::programs::{self, Code};

/// A binary that is built for a device.
#[derive(Debug)]
pub(crate) struct Bitstream {
    key: Key,
    /// The file it was first named by.
    pub(crate) file: String,
    pub(crate) program: Program,
}

/// Those of a device.
#[derive(Debug)]
pub(crate) struct Bitstreams {
    /// Whether the device holds one at a time.
    is_alone: bool,
    known: Mutex<Vec<Arc<Bitstream>>>,
    state: Mutex<State>,
}

/// What an FPGA is programmed with, in the order in which launches were submitted.
#[derive(Debug, Default)]
struct State {
    held: Option<Arc<Bitstream>>,
    switches: u64,
    /// How long the driver took for a binary, at most.
    takes: Duration,
}

/// What a binary is told from others by before it is read: its file.
pub(crate) fn number(file: &str) -> u64 {
    Key::of(&[file.as_bytes()]).low()
}

impl Bitstreams {
    pub(crate) fn new(is_alone: bool) -> Self {
        Self { is_alone, known: Mutex::default(), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The binary with these bytes, built now if it was not before.
    pub(crate) fn get(
        &self,
        device: &OclDevice,
        file: &str,
        bytes: &[u8],
        options: &str,
    ) -> Result<Arc<Bitstream>, DriverError> {
        let key = Key::of(&[options.as_bytes(), bytes]);
        // Who asks for the same one meanwhile waits for it.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bitstream) = known.iter().find(|known| known.key == key) {
            return Ok(Arc::clone(bitstream));
        }
        let start = Instant::now();
        let program = programs::build(device, Code::Binary(bytes), options)?;
        let takes = start.elapsed();
        let mut state = self.state();
        state.takes = takes.max(state.takes);
        drop(state);
        tracing::debug!(device = device.facts.name, file, "a binary is ready");
        let bitstream = Arc::new(Bitstream { key, file: file.to_owned(), program });
        known.push(Arc::clone(&bitstream));
        Ok(bitstream)
    }

    /// Notes that a device without one holds this one from now on, before anything is launched.
    pub(crate) fn hold(&self, bitstream: &Arc<Bitstream>) {
        if self.is_alone {
            self.state().held.get_or_insert_with(|| Arc::clone(bitstream));
        }
    }

    /// Notes that a launch of this one was submitted, for which the driver programs the device anew if
    /// it holds another one.
    pub(crate) fn submitted(&self, device: &str, bitstream: &Arc<Bitstream>) {
        if !self.is_alone {
            return;
        }
        let mut state = self.state();
        let State { held, switches, .. } = &mut *state;
        match held {
            Some(held) if held.key == bitstream.key => {}
            None => *held = Some(Arc::clone(bitstream)),
            Some(held) => {
                *switches += 1;
                let (from, to) = (&held.file, &bitstream.file);
                tracing::debug!(device, from, to, switches, "an FPGA is programmed anew");
                *held = Arc::clone(bitstream);
            }
        }
    }

    /// How long it takes to program the device anew, as far as that is known: no less than the driver
    /// took for a binary. Nothing where it may hold many.
    pub(crate) fn takes(&self) -> Option<Duration> {
        let takes = self.state().takes;
        (self.is_alone && !takes.is_zero()).then_some(takes)
    }

    /// The [`number`] of what the device holds.
    pub(crate) fn held(&self) -> Option<u64> {
        self.state().held.as_ref().map(|held| number(&held.file))
    }

    /// How many are built.
    pub(crate) fn n_built(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// How often another one took the place of one.
    pub(crate) fn switches(&self) -> u64 {
        self.state().switches
    }

    /// What the device holds, for a person; empty where it may hold many.
    pub(crate) fn said(&self) -> String {
        let state = self.state();
        match (&state.held, state.switches) {
            (None, _) => String::new(),
            (Some(held), 0) => format!("; the device holds {}", held.file),
            (Some(held), 1) => format!("; the device holds {}, programmed anew once", held.file),
            (Some(held), n) => {
                format!("; the device holds {}, programmed anew {n} times", held.file)
            }
        }
    }
}
