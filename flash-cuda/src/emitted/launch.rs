//! Launches of emitted kernels: what a text may rely on, one command for each box of items, what comes
//! back to the host. Fenced: it reads values of the launch, and lets the device write its partial
//! results and notes.
#![allow(unsafe_code, reason = "launches emitted kernels with validated arguments")]

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use flash_rt::DriverError;
use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::entry::Tag;
use flash_rt::offload::form::{Form, Most, Piece};
use flash_rt::offload::resources::{self, Place};
use flash_rt::offload::words;

use super::{EmittedKernel, Variant, shape, together};
use crate::cu::Function;
use crate::device::CudaDevice;
use crate::fill::Fill;
use crate::kept::{self, Argument, KeptLaunch, Placed, bring, land};
use crate::memory::{CudaMemory, Storage};
use crate::module::refused;
use crate::operation::{Extras, Held};
use crate::record::{Noting, Record};

/// What a launch uses of the device beside its arrays.
type Resources = resources::Resources<Arc<Storage>, (Arc<Record>, bool)>;

impl EmittedKernel {
    /// Keeps a launch ready; nothing where it is more than one command, or its table or partial results are too
    /// large.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(crate) unsafe fn prepare(
        &self,
        device: &Arc<CudaDevice>,
        launch: &LaunchInfo<'_, CudaMemory>,
    ) -> Result<Option<KeptLaunch>, DriverError> {
        let mut form = Form::of(launch);
        form.boxes = form.boxes.as_deref().map(shape::within_grids);
        let Some(form) = form.as_one(launch) else { return Ok(None) };
        let table = match form.rows(launch) {
            None => None,
            Some((bytes, rows)) => match device.table(&bytes)? {
                None => return Ok(None),
                Some(table) => Some((table, rows)),
            },
        };
        let [piece] = form.pieces(table.as_ref().map(|(_, rows)| *rows))[..] else {
            return Ok(None);
        };
        // SAFETY: slots of values point to values, as the caller vouches.
        let variant = unsafe { self.variant_for(device, launch, &form)? };
        let nothing = Resources { partials: Vec::new(), record: None, table: None };
        let addresses = addresses(launch, &nothing)?;
        let mut arguments: Vec<Argument> =
            addresses.into_iter().map(|address| Box::from([address])).collect();
        let mut partials = Vec::new();
        for place in Place::all(launch, &form) {
            let Some(memory) = device.kept_memory(place.bytes as u64)? else { return Ok(None) };
            partials.push((arguments.len(), place, memory));
            // As that of a record it is known when the launch is submitted.
            arguments.push(Argument::from([0]));
        }
        let record = variant.emitted.may_fail.then_some(arguments.len());
        arguments.extend(record.map(|_| Argument::from([0])));
        arguments.extend(table.iter().map(|(table, _)| Argument::from([table.memory.address])));
        let mut bytes = Vec::new();
        // SAFETY: as above.
        unsafe { words::fill(&variant.emitted.words, launch, &piece, &mut bytes) };
        arguments.push(kept::words(&bytes));
        let asked = launch.geometry.and_then(|geometry| geometry.block());
        let units = device.facts.units as usize;
        let together = variant.emitted.together;
        let threads = shape::threads(launch.n_items() / together, variant.threads, units);
        let threads = Most::of(device.facts.groups, threads);
        let shape = match form.blocks.as_ref().map(Range::len) {
            Some(groups) => shape::of_blocks(groups),
            None => shape::shape((launch.space.rank(), &piece), (threads, together), asked),
        };
        let function = function(device, &variant)?;
        let arguments = (arguments, record, table.map(|(table, _)| table));
        let kept = KeptLaunch::new(device, (function, shape), arguments, launch);
        Ok(Some(kept.with_partials(partials)))
    }

    /// The text that a launch takes, compiled.
    ///
    /// # Safety
    ///
    /// Slots of values point to values of the parameters' types.
    unsafe fn variant_for(
        &self,
        device: &CudaDevice,
        launch: &LaunchInfo<'_, CudaMemory>,
        form: &Form,
    ) -> Result<Arc<Variant>, DriverError> {
        let most = Most::of(device.facts.groups, flash_ir::emit::cuda::MAX_THREADS);
        let together = self.together.as_ref();
        let together = together.is_some_and(|of| together::may_be(of, device, launch, form));
        let how = (form, most, together);
        // SAFETY: as the caller says.
        unsafe { self.texts.of(launch, how, |options| self.compile(device, options)) }
    }

    /// Submits a launch.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`.
    pub(crate) unsafe fn launch(
        &self,
        device: &CudaDevice,
        queue: Queue,
        launch: &LaunchInfo<'_, CudaMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let mut form = Form::of(launch);
        form.boxes = form.boxes.as_deref().map(shape::within_grids);
        // SAFETY: slots of values point to values, as the caller vouches.
        let variant = unsafe { self.variant_for(device, launch, &form)? };
        if form.blocks.as_ref().is_some_and(Range::is_empty) {
            return Ok(Ticket::DONE);
        }
        let groups = form.blocks.as_ref().map(Range::len);
        let record = variant.emitted.may_fail.then(|| device.record()).transpose()?;
        let memory = |bytes| device.temporary(bytes);
        let resources = Resources::take(launch, &form, record, memory)?;
        let rows = resources.table.as_ref().map(|(_, _, rows)| *rows);
        let pieces = form.pieces(rows);
        // SAFETY: as the caller vouches.
        unsafe { submit(&variant, device, queue, (launch, after), resources, (&pieces, groups)) }
    }
}

/// The addresses of the memories of a launch, in the order of its function.
fn addresses(
    launch: &LaunchInfo<'_, CudaMemory>,
    resources: &Resources,
) -> Result<Vec<u64>, DriverError> {
    let mut all = Vec::with_capacity(launch.slots.len() + 3);
    for (at, slot) in launch.slots.iter().enumerate() {
        if matches!(slot.tag(), Tag::Value | Tag::Partials) {
            continue;
        }
        let memory = launch.memories.get(at).copied().flatten().ok_or_else(|| {
            let name = launch.kernel.params.get(at).map_or("?", |param| param.name);
            refused(format!("`{name}` is not in the device's memory"))
        })?;
        all.push(memory.0.address);
    }
    all.extend(resources.partials.iter().map(|(_, memory)| memory.address));
    all.extend(resources.record.iter().map(|(record, _)| record.memory.address));
    all.extend(resources.table.iter().map(|(memory, ..)| memory.address));
    Ok(all)
}

/// The function of a text in the context that the device has.
fn function(device: &CudaDevice, variant: &Variant) -> Result<Arc<Function>, DriverError> {
    let found = variant.code.function(device, &variant.name)?;
    found.ok_or_else(|| refused(format!("its code has no function `{}`", variant.emitted.entry)))
}

/// Submits the commands of a launch.
///
/// # Safety
///
/// As `Backend::launch`.
unsafe fn submit(
    variant: &Variant,
    device: &CudaDevice,
    queue: Queue,
    (launch, after): (&LaunchInfo<'_, CudaMemory>, &[Ticket]),
    resources: Resources,
    (pieces, groups): (&[Piece<'_>], Option<usize>),
) -> Result<Ticket, DriverError> {
    let function = function(device, variant)?;
    let mut addresses = addresses(launch, &resources)?;
    let Resources { partials, record, table } = resources;
    let mut held: Vec<Held> = Vec::with_capacity(launch.memories.len() + partials.len() + 2);
    held.extend(launch.memories.iter().flatten().map(|m| Held::Memory(Arc::clone(&m.0))));
    held.extend(partials.iter().map(|(_, memory)| Held::Memory(Arc::clone(memory))));
    let mut fills = Vec::new();
    if let Some((memory, bytes, _)) = table {
        let to = (memory.address, &memory.context);
        let made = Fill::from_host(&device.slots, to, bytes, &mut held);
        fills = made.map_err(|failure| device.error(failure))?;
        held.push(Held::Memory(memory));
    }
    let noting = record.as_ref().map(|(record, _)| Noting::new(record, launch.outcome));
    let mut extras = Extras { kernel: Some(launch.kernel.name), held, noting, ..Extras::default() };
    // The slot of a reduction is one of partial results.
    let placed =
        |(place, memory): (Place, Arc<Storage>)| Some((place, place.find(launch.slots)?, memory));
    let partials: Vec<Placed> = partials.into_iter().filter_map(placed).collect();
    let copies = land(device, &partials, &mut extras)?;
    let mut bytes = Vec::new();
    let asked = launch.geometry.and_then(|geometry| geometry.block());
    let units = device.facts.units as usize;
    let together = variant.emitted.together;
    let threads = shape::threads(launch.n_items() / together, variant.threads, units);
    let threads = Most::of(device.facts.groups, threads);
    device.lines.submit(queue, after, extras, |commands| {
        if let Some((record, is_new)) = &record {
            record.begin(commands, *is_new)?;
        }
        for fill in fills {
            // SAFETY: the launch holds both, and the memory is its own.
            unsafe { fill.submit(commands)? };
        }
        for piece in pieces {
            // SAFETY: slots of values point to values, as the caller vouches.
            unsafe { words::fill(&variant.emitted.words, launch, piece, &mut bytes) };
            let shape = match groups {
                Some(groups) => shape::of_blocks(groups),
                None => shape::shape((launch.space.rank(), piece), (threads, together), asked),
            };
            let mut arguments: Vec<*mut c_void> =
                addresses.iter_mut().map(|address| std::ptr::from_mut(address).cast()).collect();
            arguments.push(bytes.as_mut_ptr().cast());
            // SAFETY: the arguments are those of the contract of emitted kernels; as the caller vouches.
            unsafe { commands.launch(&function, &shape, &mut arguments)? };
        }
        // SAFETY: the operation has the extras, and the places are those of this launch.
        unsafe { bring(commands, &copies)? };
        record.iter().try_for_each(|(record, _)| record.end(commands))
    })
}
