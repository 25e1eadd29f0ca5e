//! Launches of emitted kernels: what a text may rely on, one command for each box of items, what comes
//! back to the host. Fenced: it reads values of the launch, and lets the device write its partial
//! results and notes.
#![allow(unsafe_code, reason = "launches emitted kernels with validated arguments")]

use std::ops::Range;
use std::sync::{Arc, PoisonError};

use flash_ir::reduction::LANES;
use flash_rt::DriverError;
use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::entry::Tag;
use flash_rt::offload::form::{self, Form, Most, Piece};
use flash_rt::offload::plain::{self, Items};
use flash_rt::offload::resources::{self, Place};
use flash_rt::offload::words;

use super::{EmittedKernel, Variant};
use crate::cl::{Failure, SetArguments};
use crate::device::OclDevice;
use crate::fill::Fill;
use crate::kept::KeptLaunch;
use crate::memory::{OclMemory, Storage};
use crate::operation::{AllHeld, Extras, Held};
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
        device: &Arc<OclDevice>,
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Result<Option<Arc<KeptLaunch>>, DriverError> {
        let Some(form) = Form::of(launch).as_one(launch) else { return Ok(None) };
        let table = match form.rows(launch) {
            None => None,
            Some((bytes, rows)) => match device.table(&bytes)? {
                None => return Ok(None),
                Some(table) => Some((table, rows)),
            },
        };
        let mut partials = Vec::new();
        for place in Place::all(launch, &form) {
            let Some(memory) = device.kept_memory(place.bytes as u64)? else { return Ok(None) };
            partials.push((place, memory));
        }
        // SAFETY: slots of values point to values, as the caller vouches.
        let variant = unsafe { self.variant_for(device, launch, &form)? };
        let on = |failure: Failure| failure.on(&device.facts.name);
        let make = || variant.program.kernel(&variant.emitted.entry);
        let mut kernel = variant.pool.take(make).map_err(on)?;
        let extra = partials.iter().map(|(_, kept)| &*kept.memory);
        let mut index = set(&mut kernel, launch, extra).map_err(on)?;
        let first = index - partials.len() as u32;
        let record = variant.emitted.may_fail.then_some(index);
        index += u32::from(record.is_some());
        if let Some((table, _)) = &table {
            kernel.set_memory(index, &table.memory.mem).map_err(on)?;
            index += 1;
        }
        let [piece] = form.pieces(table.as_ref().map(|(_, rows)| *rows))[..] else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        // SAFETY: as above.
        unsafe { words::fill(&variant.emitted.words, launch, &piece, &mut bytes) };
        kernel.set_bytes(index, &bytes).map_err(on)?;
        let groups = form.blocks.as_ref().map(Range::len);
        let items = items(&variant, device, launch, &piece, groups);
        let (kernel, table) = ((kernel, &variant.pool), table.map(|(table, _)| table));
        let how = (items, record, table);
        Ok(Some(KeptLaunch::keep(device, kernel, how, (first, partials), launch)))
    }

    /// The text that a launch takes, compiled.
    ///
    /// # Safety
    ///
    /// Slots of values point to values of the parameters' types.
    unsafe fn variant_for(
        &self,
        device: &OclDevice,
        launch: &LaunchInfo<'_, OclMemory>,
        form: &Form,
    ) -> Result<Arc<Variant>, DriverError> {
        let most = Most::of(device.facts.groups, usize::MAX);
        // SAFETY: as the caller says.
        let variant = unsafe {
            self.texts.of(launch, (form, most, false), |options| self.compile(device, options))?
        };
        match &variant.too_narrow {
            Some(why) => Err(plain::refused(why.clone())),
            None => Ok(variant),
        }
    }

    /// Submits a launch.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`.
    pub(crate) unsafe fn launch(
        &self,
        device: &OclDevice,
        queue: Queue,
        launch: &LaunchInfo<'_, OclMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let form = Form::of(launch);
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

/// Submits the commands of a launch.
///
/// # Safety
///
/// As `Backend::launch`.
unsafe fn submit(
    variant: &Variant,
    device: &OclDevice,
    queue: Queue,
    (launch, after): (&LaunchInfo<'_, OclMemory>, &[Ticket]),
    resources: Resources,
    (pieces, groups): (&[Piece<'_>], Option<usize>),
) -> Result<Ticket, DriverError> {
    let Resources { partials, record, table } = resources;
    let mut held = AllHeld::with_capacity(launch.memories.len() + partials.len() + 2);
    held.extend(launch.memories.iter().flatten().map(|m| Held::Memory(Arc::clone(&m.0))));
    held.extend(partials.iter().map(|(_, memory)| Held::Memory(Arc::clone(memory))));
    let table = table.map(|(memory, bytes, _)| Fill::new(memory, bytes, &mut held));
    let noting = record.as_ref().map(|(record, _)| Noting::new(record, launch.outcome));
    let on = |failure: Failure| failure.on(&device.facts.name);
    let mut kernel = variant.kernel.lock().unwrap_or_else(PoisonError::into_inner);
    let extra = partials.iter().map(|(_, memory)| &**memory);
    let extra = extra.chain(record.iter().map(|(record, _)| &record.memory));
    let extra = extra.chain(table.iter().map(Fill::memory));
    let index = set(&mut *kernel, launch, extra).map_err(on)?;
    let mut bytes = Vec::new();
    device.lines.submit(queue, after, Extras { held, noting }, |commands| {
        if let Some((record, is_new)) = &record {
            record.begin(commands, *is_new)?;
        }
        if let Some(table) = &table {
            // SAFETY: the launch holds both, and the memory is its own.
            unsafe { table.submit(commands)? };
        }
        for piece in pieces {
            // SAFETY: slots of values point to values, as the caller vouches.
            unsafe { words::fill(&variant.emitted.words, launch, piece, &mut bytes) };
            kernel.set_bytes(index, &bytes)?;
            let items = items(variant, device, launch, piece, groups);
            // SAFETY: the arguments are those of the contract of emitted kernels; as the caller
            // vouches.
            commands.add(|queue, waits| unsafe { queue.launch(&kernel, &items, waits) })?;
        }
        for (place, memory) in &partials {
            // The slot of a reduction is one of partial results.
            let Some(to) = place.find(launch.slots) else { continue };
            commands.add(|queue, waits| {
                // SAFETY: the slot of a reduction points to one partial result a block, which this
                // launch may write until it is over.
                unsafe { queue.read(&memory.mem, 0, to, place.bytes, waits) }
            })?;
        }
        record.iter().try_for_each(|(record, _)| record.end(commands))
    })
}

/// Sets all arguments but the words; gives the number of these.
fn set<'m>(
    kernel: &mut impl SetArguments,
    launch: &LaunchInfo<'_, OclMemory>,
    extra: impl Iterator<Item = &'m Storage>,
) -> Result<u32, Failure> {
    let mut index = 0;
    for (at, slot) in launch.slots.iter().enumerate() {
        if matches!(slot.tag(), Tag::Value | Tag::Partials) {
            continue;
        }
        if let Some(memory) = launch.memories.get(at).copied().flatten() {
            kernel.set_memory(index, &memory.0.mem)?;
        }
        index += 1;
    }
    for memory in extra {
        kernel.set_memory(index, &memory.mem)?;
        index += 1;
    }
    Ok(index)
}

/// The items of the command of a box of ids, of a table or of reduction blocks.
fn items(
    variant: &Variant,
    device: &OclDevice,
    launch: &LaunchInfo<'_, OclMemory>,
    piece: &Piece<'_>,
    groups: Option<usize>,
) -> Items {
    if let Some(groups) = groups {
        let (global, local) = ([groups * LANES, 1, 1], Some([LANES, 1, 1]));
        return Items { rank: 1, offset: [0; 3], global, local };
    }
    let most = Most::of(device.facts.groups, variant.most_items);
    let asked = launch.geometry.and_then(|geometry| geometry.block());
    let (rank, counts) = form::counts(launch.space.rank(), piece);
    let local = form::group(rank, counts, most, asked);
    let up = |dim: usize| counts[dim].div_ceil(local[dim]) * local[dim];
    Items { rank, offset: [0; 3], global: std::array::from_fn(up), local: Some(local) }
}
