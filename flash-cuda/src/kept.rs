//! Launches that are kept ready: a function with its shape and arguments, one command each. Fenced: it lets
//! kernels run with the memory of a validated launch.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use flash_rt::DriverError;
use flash_rt::backend::{LaunchInfo, Prepared, Queue, Ticket};
use flash_rt::entry::{Outcome, Slot};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::resources::Place;

use crate::cu::{Context, Failure, Function, Launch, Link, Stream};
use crate::device::{CudaDevice, Table};
use crate::lines::Commands;
use crate::memory::{CudaMemory, Storage};
use crate::operation::{Extras, Held};
use crate::record::{Noting, Told};
use crate::staging::Landing;

/// The bytes of an argument.
pub(crate) type Argument = Box<[u64]>;

/// A launch of one command.
#[derive(Debug)]
pub(crate) struct KeptLaunch {
    device: Arc<CudaDevice>,
    name: &'static str,
    function: Arc<Function>,
    shape: Launch,
    arguments: Box<[Argument]>,
    memories: Box<[Weak<Storage>]>,
    /// The number of the argument that is the address of a record, if there is one.
    record: Option<usize>,
    /// Its ids, where they are no box.
    table: Option<Table>,
    /// Of each reduction the number of its argument and its partial results.
    partials: Mutex<Vec<(usize, Place, Table)>>,
    reduces: bool,
}

/// The number of an argument that is an address, and that.
type Given = (usize, u64);

/// Where partial results go on the host, and the memory that they are in on the device.
pub(crate) type Placed = (Place, *mut u8, Arc<Storage>);

/// What a launch runs, and with which arguments.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    function: Arc<Function>,
    shape: Launch,
    arguments: Box<[Argument]>,
    record: Option<usize>,
}

impl Form {
    /// Whether another launch differs in arguments only.
    pub(crate) fn is_like(&self, other: &KeptLaunch) -> bool {
        Arc::ptr_eq(&self.function, &other.function)
            && self.shape == other.shape
            && self.record == other.record
    }

    /// Whether another launch has these arguments too.
    pub(crate) fn has_arguments_of(&self, other: &KeptLaunch) -> bool {
        self.arguments == other.arguments
    }
}

/// Bytes as words, with zeros behind.
pub(crate) fn words(bytes: &[u8]) -> Argument {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

impl KeptLaunch {
    /// A launch with all of its arguments but the record.
    pub(crate) fn new(
        device: &Arc<CudaDevice>,
        (function, shape): (Arc<Function>, Launch),
        (arguments, record, table): (Vec<Argument>, Option<usize>, Option<Table>),
        launch: &LaunchInfo<'_, CudaMemory>,
    ) -> Self {
        let memories = launch.memories.iter().flatten();
        Self {
            device: Arc::clone(device),
            name: launch.kernel.name,
            function,
            shape,
            arguments: arguments.into_boxed_slice(),
            memories: memories.map(|memory| Arc::downgrade(&memory.0)).collect(),
            record,
            table,
            partials: Mutex::default(),
            reduces: false,
        }
    }

    /// As a launch that reduces, where it has partial results, each with the number of its argument.
    pub(crate) fn with_partials(self, partials: Vec<(usize, Place, Table)>) -> Self {
        let reduces = !partials.is_empty();
        Self { partials: Mutex::new(partials), reduces, ..self }
    }

    /// Whether it leaves partial results, so that it goes to the driver by itself.
    pub(crate) fn reduces(&self) -> bool {
        self.reduces
    }

    /// Where the partial results of a submission go. Memory that an operation before still holds is left to that
    /// one: no two have the same, whichever streams they are in.
    fn place(&self, slots: &[Slot], given: &mut Vec<Given>) -> Result<Vec<Placed>, DriverError> {
        let mut partials = self.partials.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Vec::with_capacity(partials.len());
        for (index, place, kept) in &mut *partials {
            let to = place.find(slots).ok_or_else(is_gone)?;
            if Arc::strong_count(&kept.memory) > 1 {
                kept.memory = Arc::new(self.device.allocate(place.bytes as u64)?);
            }
            given.push((*index, kept.memory.address));
            // Under the lock, so that the next one sees that it is in use.
            all.push((*place, to, Arc::clone(&kept.memory)));
        }
        Ok(all)
    }

    /// The name of its kernel.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Its memories, as long as whoever has them needs them; nothing where one is gone.
    pub(crate) fn hold(&self, held: &mut Vec<Held>) -> Option<()> {
        for memory in &self.memories {
            held.push(Held::Memory(memory.upgrade()?));
        }
        held.extend(self.table.iter().map(|table| Held::Memory(Arc::clone(&table.memory))));
        Some(())
    }

    /// The context that its function is in.
    pub(crate) fn context(&self) -> &Arc<Context> {
        self.function.context()
    }

    /// Whether it cannot come again, as memory of it is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.memories.iter().any(|memory| memory.strong_count() == 0)
    }

    /// What it runs, and with which arguments but a record.
    pub(crate) fn form(&self) -> Form {
        Form {
            function: Arc::clone(&self.function),
            shape: self.shape,
            arguments: self.arguments.clone(),
            record: self.record,
        }
    }

    /// The device that it is for.
    pub(crate) fn device(&self) -> &Arc<CudaDevice> {
        &self.device
    }

    /// The addresses of the arguments, that of the address of a record among them. The driver reads them,
    /// and does not write.
    fn addresses(&self, record: &u64) -> Vec<*mut c_void> {
        let place = |argument: &Argument| argument.as_ptr().cast_mut().cast();
        let mut all: Vec<*mut c_void> = self.arguments.iter().map(place).collect();
        if let Some(index) = self.record {
            all[index] = std::ptr::from_ref(record).cast_mut().cast();
        }
        all
    }

    /// As a part of a chain, with the address of a record.
    pub(crate) fn link<'a>(&'a self, record: &'a u64) -> Link<'a> {
        Link { function: &self.function, shape: &self.shape, arguments: self.addresses(record) }
    }

    /// Submits its command, with the address of a record and those of partial results. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// As `Prepared::submit`.
    pub(crate) unsafe fn enqueue(
        &self,
        stream: &Stream,
        record: u64,
        partials: &[Given],
    ) -> Result<(), Failure> {
        if !Arc::ptr_eq(self.function.context(), stream.context()) {
            return Err(Failure::gone("cuLaunchKernel"));
        }
        let mut all = self.addresses(&record);
        for (index, address) in partials {
            all[*index] = std::ptr::from_ref(address).cast_mut().cast();
        }
        // SAFETY: the arguments are those of the launch, as the caller vouches; the function is of the
        // context of the stream.
        unsafe { stream.launch(&self.function, &self.shape, &mut all) }
    }
}

/// Copies of partial results: where to, from where, and how many bytes.
pub(crate) type Landings = Vec<(*mut u8, u64, usize)>;

/// The copies of these partial results. They go to pinned memory, as the driver
/// waits for one to any other, and what the operation is given brings them from there to their places; where
/// there is too little of that, they go to their places.
pub(crate) fn land(
    device: &CudaDevice,
    partials: &[Placed],
    extras: &mut Extras,
) -> Result<Landings, DriverError> {
    let mut all = Vec::with_capacity(partials.len());
    for (place, to, memory) in partials {
        let by = ([&device.short_slots, &device.slots], &memory.context);
        let pieces = Landing::of_row(by, *to, place.bytes);
        match pieces.map_err(|failure| device.error(failure))? {
            Some(pieces) => all.extend(pieces.into_iter().map(|(of, landing)| {
                let copy = (landing.start(), memory.address + of.start as u64, of.len());
                extras.landings.push(landing);
                copy
            })),
            None => all.push((*to, memory.address, place.bytes)),
        }
    }
    Ok(all)
}

/// Submits the copies of [`land`] behind the launch that leaves what they bring.
///
/// # Safety
///
/// The operation of these commands has what [`land`] put into its extras, and the places are its own until it is
/// over.
pub(crate) unsafe fn bring(commands: &mut Commands<'_>, copies: &Landings) -> Result<(), Failure> {
    for (to, address, bytes) in copies {
        // SAFETY: the slot, or the place of partial results, has room for the piece, and the memory has as many
        // bytes. All is of this operation alone, as the caller says.
        commands.add(|stream| unsafe { stream.download(*to, *address, *bytes) })?;
    }
    Ok(())
}

#[cold]
fn is_gone() -> DriverError {
    DriverError {
        api: "flash-cuda",
        code: -1,
        text: "what a launch was kept with is gone; this is a defect of the run time".into(),
        kind: DriverErrorKind::Failed,
    }
}

impl Prepared for KeptLaunch {
    fn notes(&self) -> bool {
        self.record.is_some()
    }

    unsafe fn submit(
        self: Arc<Self>,
        queue: u8,
        slots: &[Slot],
        outcome: &Outcome,
        after: &[Ticket],
        more: bool,
    ) -> Result<Ticket, DriverError> {
        let device = &*self.device;
        let mut held = Vec::with_capacity(self.memories.len());
        self.hold(&mut held).ok_or_else(is_gone)?;
        let (queue, kernel) = (Queue::Compute(queue), Some(self.name));
        let mut extras = Extras { kernel, held, ..Extras::default() };
        if after.is_empty() && device.holds_back() && !self.reduces {
            let outcome = self.record.map(|_| Told::new(outcome));
            match device.lines.hold_back(queue, (&self, outcome), extras, more)? {
                Ok(ticket) => return Ok(ticket),
                Err(back) => extras = back,
            }
        }
        let mut given = Vec::new();
        let places = self.place(slots, &mut given)?;
        extras.held.extend(places.iter().map(|(_, _, memory)| Held::Memory(Arc::clone(memory))));
        let copies = land(device, &places, &mut extras)?;
        let record = self.record.map(|_| device.record()).transpose()?;
        extras.noting = record.as_ref().map(|(record, _)| Noting::new(record, outcome));
        device.lines.submit(queue, after, extras, |commands| {
            if let Some((record, is_new)) = &record {
                record.begin(commands, *is_new)?;
            }
            let address = record.as_ref().map_or(0, |(record, _)| record.memory.address);
            // SAFETY: the arguments are those of the launch, as the caller vouches, and a record and partial
            // results that the operation holds.
            commands.add(|stream| unsafe { self.enqueue(stream, address, &given) })?;
            // SAFETY: the operation has the extras, and `place` gives each submission places of its own.
            unsafe { bring(commands, &copies)? };
            record.iter().try_for_each(|(record, _)| record.end(commands))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_words_with_zeros_behind() {
        let bytes: Vec<u8> = (1..=11).collect();
        let words = words(&bytes);
        assert_eq!(words.len(), 2);
        let back: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!(back[..11], bytes);
        assert_eq!(back[11..], [0; 5]);
    }
}
