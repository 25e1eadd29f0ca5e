//! Launches of emitted kernels: what a text may rely on, one command for each box of items, what comes
//! back to the host. Fenced: it reads values of the launch, and lets the device write its partial
//! results and notes.
#![allow(unsafe_code, reason = "launches emitted kernels with validated arguments")]

use std::sync::{Arc, PoisonError};

use flash_ir::reduction::{self, LANES};
use flash_rt::backend::{LaunchInfo, Queue, Subspace, Ticket};
use flash_rt::descriptor::Role;
use flash_rt::entry::Tag;
use flash_rt::{Block, DriverError};

use super::words::{self, Piece};
use super::{EmittedKernel, Variant, facts};
use crate::cl::{Failure, Items, Kernel};
use crate::device::OclDevice;
use crate::kept::KeptLaunch;
use crate::lines::{Extras, Held};
use crate::memory::{OclMemory, Storage};
use crate::record::{Noting, Record};

/// So many boxes of ids are launched one by one; more are rows of a table.
const MOST_BOXES: usize = 8;

/// Items of a work-group where nobody says.
const GROUP: usize = 256;

/// What a launch uses of the device beside its arrays.
#[derive(Debug)]
struct Resources {
    /// For each reduction its parameter, its partial results and their number of bytes.
    partials: Vec<(usize, Arc<Storage>, usize)>,
    record: Option<(Arc<Record>, bool)>,
    /// The table of ids, and its rows.
    table: Option<(Arc<Storage>, Box<[u8]>, usize)>,
}

impl EmittedKernel {
    /// Keeps a launch ready; nothing where it is more than one command.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(crate) unsafe fn prepare(
        &self,
        device: &Arc<OclDevice>,
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Result<Option<KeptLaunch>, DriverError> {
        let form = Form::of(launch);
        let Some([ids]) = form.boxes.as_deref() else { return Ok(None) };
        // SAFETY: slots of values point to values, as the caller vouches.
        let variant = unsafe { self.variant_for(device, launch, &form)? };
        let on = |failure: Failure| failure.on(&device.facts.name);
        let make = || variant.program.kernel(&variant.emitted.entry);
        let mut kernel = variant.spares.take(make).map_err(on)?;
        let mut index = set(&mut kernel, launch, std::iter::empty()).map_err(on)?;
        let record = variant.emitted.may_fail.then_some(index);
        index += u32::from(record.is_some());
        let piece = Piece { ids, rows: None, first_block: 0 };
        let mut bytes = Vec::new();
        // SAFETY: as above.
        unsafe { words::fill(&variant.emitted.words, launch, &piece, &mut bytes) };
        kernel.set_bytes(index, &bytes).map_err(on)?;
        let items = items(&variant, device, launch, &piece, None);
        let kernel = (kernel, &variant.spares);
        Ok(Some(KeptLaunch::new(device, kernel, (items, record), launch)))
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
        let rows = launch.part.filter(|_| form.is_table).map(Subspace::n_items);
        let exact = !form.reduces
            && match &form.boxes {
                Some(boxes) => boxes.iter().all(|ids| is_exact(device, launch, ids, None)),
                None => is_exact(device, launch, &form.whole, rows),
            };
        let how = (form.is_table, exact);
        // SAFETY: as the caller says.
        let known = unsafe { facts::of(launch, how) };
        if let Some(variant) = known.as_deref().and_then(|known| self.known(known)) {
            return Ok(variant);
        }
        let variant = self.variant(device, facts::options(launch, how))?;
        if let Some(known) = known {
            self.remember(known, &variant);
        }
        Ok(variant)
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
        let Form { boxes, reduces, is_table, whole } = form;
        let blocks = match launch.part {
            _ if !reduces => 0..0,
            None => 0..reduction::n_blocks(launch.space.extents()),
            Some(part) => part.partials(),
        };
        if reduces && blocks.is_empty() {
            return Ok(Ticket::DONE);
        }
        let table =
            is_table.then(|| if reduces { block_table(launch) } else { item_table(launch) });
        let resources = resources(device, &variant, launch, (blocks.len(), table))?;
        let rows = resources.table.as_ref().map(|(_, _, rows)| *rows);
        let pieces: Vec<Piece<'_>> = match &boxes {
            Some(boxes) => {
                boxes.iter().map(|ids| Piece { ids, rows: None, first_block: 0 }).collect()
            }
            None => vec![Piece { ids: &whole, rows, first_block: blocks.start }],
        };
        let groups = reduces.then_some(blocks.len());
        // SAFETY: as the caller vouches.
        unsafe { submit(&variant, device, queue, (launch, after), resources, (&pieces, groups)) }
    }
}

/// What the commands of a launch are for.
struct Form {
    /// Its boxes of ids, if there is a command for each.
    boxes: Option<Vec<Block>>,
    reduces: bool,
    /// Whether its ids are in a table.
    is_table: bool,
    /// The whole index space.
    whole: Block,
}

impl Form {
    fn of(launch: &LaunchInfo<'_, OclMemory>) -> Self {
        let reduces = launch.kernel.params.iter().any(|p| matches!(p.role, Role::Reduce { .. }));
        let boxes = if reduces { None } else { boxes(launch) };
        let is_table = match reduces {
            true => !are_plain_blocks(launch),
            false => boxes.is_none(),
        };
        Self { boxes, reduces, is_table, whole: launch.space.block() }
    }
}

/// Whether the boxes of partial results are the reduction blocks of the index space, of their numbers.
fn are_plain_blocks(launch: &LaunchInfo<'_, OclMemory>) -> bool {
    let Some(part) = launch.part else { return true };
    let extents = launch.space.extents();
    part.partials().all(|number| {
        let (lo, hi) = reduction::bounds(extents, number);
        part.partial(number).is_some_and(|ids| {
            (0..ids.rank()).all(|dim| (ids.lo(dim), ids.hi(dim)) == (lo[dim], hi[dim]))
        })
    })
}

/// The boxes of ids of a launch; `None` where there are too many.
fn boxes(launch: &LaunchInfo<'_, OclMemory>) -> Option<Vec<Block>> {
    let Some(part) = launch.part else { return Some(vec![launch.space.block()]) };
    let mut all = Vec::with_capacity(1);
    let mut too_many = false;
    for positions in part.boxes() {
        part.each(positions, |ids| {
            too_many |= all.len() >= MOST_BOXES;
            if !too_many {
                all.push(*ids);
            }
        });
        if too_many {
            return None;
        }
    }
    Some(all)
}

/// The ids of all items, dimension after dimension, and their number.
fn item_table(launch: &LaunchInfo<'_, OclMemory>) -> (Vec<u64>, usize) {
    let Some(part) = launch.part else { return (Vec::new(), 0) };
    let (rank, rows) = (launch.space.rank(), part.n_items());
    let mut table = vec![0; rows * rank];
    let mut row = 0;
    for positions in part.boxes() {
        part.each(positions, |ids| {
            let mut at: [usize; flash_rt::MAX_RANK] =
                std::array::from_fn(|dim| if dim < rank { ids.lo(dim) } else { 0 });
            for _ in 0..ids.n_items() {
                for dim in 0..rank {
                    table[dim * rows + row] = at[dim] as u64;
                }
                row += 1;
                for (dim, at) in at.iter_mut().enumerate().take(rank) {
                    *at += 1;
                    if *at < ids.hi(dim) {
                        break;
                    }
                    *at = ids.lo(dim);
                }
            }
        });
    }
    (table, rows)
}

/// First ids and ends of the reduction blocks, block after block, and their number.
fn block_table(launch: &LaunchInfo<'_, OclMemory>) -> (Vec<u64>, usize) {
    let Some(part) = launch.part else { return (Vec::new(), 0) };
    let rank = launch.space.rank();
    let mut table = Vec::with_capacity(2 * rank * part.partials().len());
    for number in part.partials() {
        if let Some(ids) = part.partial(number) {
            table.extend((0..rank).map(|dim| ids.lo(dim) as u64));
            table.extend((0..rank).map(|dim| ids.hi(dim) as u64));
        }
    }
    (table, part.partials().len())
}

/// Takes what a launch needs of the device.
fn resources(
    device: &OclDevice,
    variant: &Variant,
    launch: &LaunchInfo<'_, OclMemory>,
    (n_blocks, table): (usize, Option<(Vec<u64>, usize)>),
) -> Result<Resources, DriverError> {
    let mut partials = Vec::new();
    for (at, param) in launch.kernel.params.iter().enumerate() {
        if matches!(param.role, Role::Reduce { .. }) {
            let bytes = n_blocks * param.elem.size();
            partials.push((at, device.temporary(bytes as u64)?, bytes));
        }
    }
    let table = match table {
        None => None,
        Some((ids, rows)) => {
            let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_ne_bytes()).collect();
            Some((device.temporary(bytes.len() as u64)?, bytes.into_boxed_slice(), rows))
        }
    };
    let record = variant.emitted.may_fail.then(|| device.record()).transpose()?;
    Ok(Resources { partials, record, table })
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
    let mut held: Vec<Held> = Vec::with_capacity(launch.memories.len() + partials.len() + 2);
    held.extend(launch.memories.iter().flatten().map(|m| Held::Memory(Arc::clone(&m.0))));
    held.extend(partials.iter().map(|(_, memory, _)| Held::Memory(Arc::clone(memory))));
    let table = table.map(|(memory, bytes, _)| {
        let place = (bytes.as_ptr(), bytes.len());
        held.extend([Held::Memory(Arc::clone(&memory)), Held::Bytes(bytes)]);
        (memory, place)
    });
    let noting = record.as_ref().map(|(record, _)| Noting::new(record, launch.outcome));
    let on = |failure: Failure| failure.on(&device.facts.name);
    let mut kernel = variant.kernel.lock().unwrap_or_else(PoisonError::into_inner);
    let extra = partials.iter().map(|(_, memory, _)| &**memory);
    let extra = extra.chain(record.iter().map(|(record, _)| &record.memory));
    let extra = extra.chain(table.iter().map(|(memory, _)| &**memory));
    let index = set(&mut kernel, launch, extra).map_err(on)?;
    let mut bytes = Vec::new();
    device.lines.submit(queue, after, Extras { held, noting }, |commands| {
        if let Some((record, is_new)) = &record {
            record.begin(commands, *is_new)?;
        }
        if let Some((memory, (start, len))) = &table {
            commands.add(|queue, waits| {
                // SAFETY: the bytes are held until the launch is over, and stay where they are.
                unsafe { queue.write(&memory.mem, 0, *start, *len, waits) }
            })?;
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
        for (at, memory, len) in &partials {
            let slot = launch.slots[*at].array_slot();
            let first = pieces[0].first_block * launch.kernel.params[*at].elem.size();
            let place = slot.base.wrapping_add(first);
            commands.add(|queue, waits| {
                // SAFETY: the slot of a reduction points to one partial result a block, which this
                // launch may write until it is over.
                unsafe { queue.read(&memory.mem, 0, place, *len, waits) }
            })?;
        }
        record.iter().try_for_each(|(record, _)| record.end(commands))
    })
}

/// Sets all arguments but the words; gives the number of these.
fn set<'m>(
    kernel: &mut Kernel,
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
    let most = variant.most_items.min(device.facts.groups.items as usize);
    let asked = launch.geometry.and_then(|geometry| geometry.block());
    let (rank, counts) = counts(launch.space.rank(), piece);
    let local = group(rank, counts, most, asked);
    let up = |dim: usize| counts[dim].div_ceil(local[dim]) * local[dim];
    Items { rank, offset: [0; 3], global: std::array::from_fn(up), local: Some(local) }
}

/// Whether work-groups of the size that the device chooses cover a piece with no work item too many. A
/// kernel that takes smaller ones has a power of two less, which do too.
fn is_exact(
    device: &OclDevice,
    launch: &LaunchInfo<'_, OclMemory>,
    ids: &Block,
    rows: Option<usize>,
) -> bool {
    let is_asked = launch.geometry.is_some_and(|geometry| geometry.block().is_some());
    let piece = Piece { ids, rows, first_block: 0 };
    let (rank, counts) = counts(launch.space.rank(), &piece);
    let local = group(rank, counts, device.facts.groups.items as usize, None);
    !is_asked && counts.iter().zip(local).all(|(count, items)| count.is_multiple_of(items))
}

/// Work items of a piece along the three dimensions of a device.
fn counts(rank: usize, piece: &Piece<'_>) -> (usize, [usize; 3]) {
    if let Some(rows) = piece.rows {
        return (1, [rows, 1, 1]);
    }
    let count = |dim: usize| if dim < rank { piece.ids.hi(dim) - piece.ids.lo(dim) } else { 1 };
    (rank.min(3), [count(0), count(1), (2..rank).map(count).product()])
}

/// The work-group of a launch: as asked for, else as long as a power of two along dimension 0.
fn group(rank: usize, counts: [usize; 3], most: usize, asked: Option<&[usize]>) -> [usize; 3] {
    let asked = asked.filter(|block| block.iter().product::<usize>() <= most);
    if let Some(block) = asked {
        return std::array::from_fn(|dim| block.get(dim).copied().unwrap_or(1).max(1));
    }
    let power_below = |n: usize| if n == 0 { 1 } else { 1 << n.ilog2() };
    let mut room = power_below(most.min(GROUP));
    let mut local = [1; 3];
    for dim in 0..rank {
        local[dim] = counts[dim].max(1).next_power_of_two().min(room);
        room /= local[dim];
    }
    local
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_fill_from_dimension_0() {
        assert_eq!(group(1, [1000, 1, 1], 4096, None), [256, 1, 1]);
        assert_eq!(group(1, [1000, 1, 1], 100, None), [64, 1, 1]);
        assert_eq!(group(1, [3, 1, 1], 4096, None), [4, 1, 1]);
        assert_eq!(group(2, [5, 1000, 1], 4096, None), [8, 32, 1]);
        assert_eq!(group(3, [2, 2, 2], 4096, None), [2, 2, 2]);
        assert_eq!(group(2, [64, 64, 1], 4096, Some(&[16, 4])), [16, 4, 1]);
        assert_eq!(group(2, [64, 64, 1], 32, Some(&[16, 4])), [32, 1, 1]);
    }
}
