//! Binaries of a device: each is built once, and shared by all kernels that name it. An FPGA holds one
//! at a time, so it is counted how often another one takes its place. It knows no kernels.

use std::collections::BTreeMap;
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
    /// Of its bytes and of the options it is built with.
    key: Key,
    /// Of its bytes alone, which are what a device is programmed with.
    bytes: Key,
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
    /// What the bytes of files are told from others by.
    numbers: Mutex<BTreeMap<String, u64>>,
    state: Mutex<State>,
}

/// What an FPGA is programmed with, in the order in which launches were submitted.
#[derive(Debug, Default)]
struct State {
    /// Its bytes, and the file they were first named by.
    held: Option<(Key, String)>,
    switches: u64,
    /// How long the driver took for a binary, at most.
    takes: Duration,
}

impl State {
    /// A launch of what is in these bytes was submitted.
    fn submitted(&mut self, device: &str, (bytes, file): (Key, &str)) {
        let from = match &self.held {
            Some((held, _)) if *held == bytes => return,
            held => held.as_ref().map(|(_, from)| from),
        };
        if let Some(from) = from {
            self.switches += 1;
            let switches = self.switches;
            tracing::debug!(device, from, to = file, switches, "an FPGA is programmed anew");
        }
        self.held = Some((bytes, file.to_owned()));
    }
}

impl Bitstreams {
    pub(crate) fn new(is_alone: bool) -> Self {
        let (known, numbers) = (Mutex::default(), Mutex::default());
        Self { is_alone, known, numbers, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the bytes of a file are told from others by, under whatever name: they are read where nobody has
    /// yet.
    pub(crate) fn number<B: AsRef<[u8]>>(
        &self,
        file: &str,
        read: impl FnOnce() -> Result<B, String>,
    ) -> u64 {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(file) {
            return *number;
        }
        match read() {
            Ok(bytes) => {
                let number = Key::of(&[bytes.as_ref()]).low();
                numbers.insert(file.to_owned(), number);
                number
            }
            // It is said when the kernel is loaded.
            Err(_) => Key::of(&[file.as_bytes()]).low(),
        }
    }

    /// The binary with these bytes, built now if it was not before.
    pub(crate) fn get(
        &self,
        device: &OclDevice,
        file: &str,
        bytes: &[u8],
        options: &str,
    ) -> Result<Arc<Bitstream>, DriverError> {
        let (key, number) = (Key::of(&[options.as_bytes(), bytes]), Key::of(&[bytes]));
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.insert(file.to_owned(), number.low());
        drop(numbers);
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
        let bitstream = Bitstream { key, bytes: number, file: file.to_owned(), program };
        let bitstream = Arc::new(bitstream);
        known.push(Arc::clone(&bitstream));
        Ok(bitstream)
    }

    /// Notes that a device without one holds this one from now on, before anything is launched.
    pub(crate) fn hold(&self, bitstream: &Arc<Bitstream>) {
        if self.is_alone {
            self.state().held.get_or_insert_with(|| (bitstream.bytes, bitstream.file.clone()));
        }
    }

    /// Notes that a launch of this one was submitted, for which the driver programs the device anew if
    /// it holds another one.
    pub(crate) fn submitted(&self, device: &str, bitstream: &Arc<Bitstream>) {
        if self.is_alone {
            self.state().submitted(device, (bitstream.bytes, &bitstream.file));
        }
    }

    /// How long it takes to program the device anew, as far as that is known: no less than the driver
    /// took for a binary. Nothing where it may hold many.
    pub(crate) fn takes(&self) -> Option<Duration> {
        let takes = self.state().takes;
        (self.is_alone && !takes.is_zero()).then_some(takes)
    }

    /// The [`number`](Self::number) of what the device holds.
    pub(crate) fn held(&self) -> Option<u64> {
        self.state().held.as_ref().map(|(bytes, _)| bytes.low())
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
            (Some((_, file)), 0) => format!("; the device holds {file}"),
            (Some((_, file)), 1) => format!("; the device holds {file}, programmed anew once"),
            (Some((_, file)), n) => format!("; the device holds {file}, programmed anew {n} times"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_bytes_are() {
        let device = Bitstreams::new(true);
        let read = |bytes: &'static [u8]| move || Ok::<_, String>(bytes);
        let pair = device.number("pair.aocx", read(b"pair"));
        assert_eq!(device.number("./pair.aocx", read(b"pair")), pair);
        assert_ne!(device.number("other.aocx", read(b"other")), pair);
        let again = || -> Result<Vec<u8>, String> { panic!("it is read once") };
        assert_eq!(device.number("pair.aocx", again), pair);
        // What cannot be read is nothing else, until it can.
        let absent =
            device.number("absent.aocx", || Err::<Vec<u8>, _>("it is not there".to_owned()));
        assert_ne!(absent, pair);
        assert_eq!(device.number("absent.aocx", read(b"pair")), pair);
    }

    #[test]
    fn a_device_is_programmed_with_bytes_whatever_they_are_called() {
        let device = Bitstreams::new(true);
        let of = |bytes: &[u8]| Key::of(&[bytes]);
        for (bytes, file, switches) in [
            (b"pair".as_slice(), "pair.aocx", 0),
            (b"pair", "./pair.aocx", 0),
            (b"other", "other.aocx", 1),
            (b"pair", "./pair.aocx", 2),
        ] {
            device.state().submitted("an FPGA", (of(bytes), file));
            let number = device.number(file, || Ok::<_, String>(bytes));
            assert_eq!((device.held(), device.switches()), (Some(number), switches), "{file}");
        }
        assert!(
            device.said().ends_with("./pair.aocx, programmed anew 2 times"),
            "{}",
            device.said()
        );
    }
}
