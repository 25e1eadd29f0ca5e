//! Launches of native kernels: what their arguments are, and which blocks they have. Fenced: it reads
//! values of the launch, and lets native code run with its memory.
#![allow(unsafe_code, reason = "launches native kernels with validated arguments")]

use std::ffi::c_void;
use std::sync::Arc;

use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::offload::form::Most;
use flash_rt::offload::plain::{Items, length, refused, start, widened};
use flash_rt::offload::table::Rows;
use flash_rt::offload::{allowance, block};
use flash_rt::{Block, DriverError};

use super::arguments::{Said, has_block};
use super::{NativeKernel, entry};
use crate::cu::{Function, FunctionAttribute, Launch};
use crate::device::CudaDevice;
use crate::emitted::within_grids;
use crate::fill::Fill;
use crate::kept::{self, Argument, KeptLaunch};
use crate::lines::Commands;
use crate::memory::CudaMemory;
use crate::operation::{Extras, Held};

/// The most threads of a block that nobody asks for.
const BLOCK: usize = 256;
/// A block that is smaller than this, where there are more items, would leave most of a device idle.
const SMALL: usize = 32;

/// Where the bytes of an argument are.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In the launch.
    There(*const u8),
    /// In a word of ours.
    Word(usize),
    /// The box of items of the command.
    Block,
}

/// A command of a launch: its shape, and the box of its items as code is given it.
#[derive(Clone, Copy, Debug)]
struct Command {
    shape: Launch,
    block: [u64; block::WORDS],
}

impl NativeKernel {
    /// Keeps a launch ready; nothing where it is more than one command.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(crate) unsafe fn prepare(
        &self,
        device: &Arc<CudaDevice>,
        launch: &LaunchInfo<'_, CudaMemory>,
    ) -> Result<Option<KeptLaunch>, DriverError> {
        // What comes before such a launch, or what it may ask for, is not kept.
        if self.implementation.cooperative || !self.globals.is_empty() {
            return Ok(None);
        }
        let Some(function) = self.code.function(device, &self.name)? else { return Ok(None) };
        let shared = self.shared(device, &function, launch)?;
        let table = match launch.kernel.table {
            None => None,
            Some(_) if !allowance::may_have(launch) => return Ok(None),
            Some(table) => {
                let Some(rows) = Rows::of(launch, table)? else { return Ok(None) };
                let Some(table) = device.table(&rows.bytes)? else { return Ok(None) };
                Some((table, rows))
            }
        };
        let rows = table.as_ref().map(|(_, rows)| rows);
        let [Command { shape, block }] = self.commands(device, launch, (shared, rows))?[..] else {
            return Ok(None);
        };
        let given = table.as_ref().map_or((0, 0), |(table, rows)| (table.memory.address, rows.n));
        let mut words = Vec::with_capacity(self.given.len());
        // SAFETY: as the caller vouches.
        let places = unsafe { self.places(launch, given, &mut words)? };
        let mut arguments: Vec<Argument> = Vec::with_capacity(places.len());
        for (place, given) in places.iter().zip(&self.given) {
            arguments.push(match *place {
                Place::There(start) => {
                    let size = launch.kernel.params[given.param].elem.size();
                    // SAFETY: the slot of a value points to one of the parameter's type.
                    kept::words(unsafe { std::slice::from_raw_parts(start, size) })
                }
                Place::Word(at) => Argument::from([words[at]]),
                Place::Block => Argument::from(block),
            });
        }
        let arguments = (arguments, None, table.map(|(table, _)| table));
        Ok(Some(KeptLaunch::new(device, (function, shape), arguments, launch)))
    }

    /// Submits a launch.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`; whoever declared the kernel vouched for what it does.
    pub(crate) unsafe fn launch(
        &self,
        device: &CudaDevice,
        queue: Queue,
        launch: &LaunchInfo<'_, CudaMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let Some(function) = self.code.function(device, &self.name)? else {
            return Err(refused(format!("the code of `{}` is gone", launch.kernel.name)));
        };
        let shared = self.shared(device, &function, launch)?;
        let table = match launch.kernel.table {
            Some(table) => match Rows::of(launch, table)? {
                None => return Ok(Ticket::DONE),
                Some(rows) => Some((device.temporary(rows.bytes.len() as u64)?, rows)),
            },
            None => None,
        };
        let rows = table.as_ref().map(|(_, rows)| rows);
        let mut all = self.commands(device, launch, (shared, rows))?;
        if self.implementation.cooperative {
            self.at_once(device, &function, launch, &mut all)?;
        }
        let given = table.as_ref().map_or((0, 0), |(memory, rows)| (memory.address, rows.n));
        let mut words = Vec::with_capacity(self.given.len());
        // SAFETY: as the caller vouches.
        let places = unsafe { self.places(launch, given, &mut words)? };
        let mut block = [0; block::WORDS];
        let its_block = &raw mut block;
        let mut arguments: Vec<*mut c_void> = places
            .iter()
            .map(|place| match *place {
                Place::There(start) => start.cast_mut().cast(),
                Place::Word(at) => (&raw mut words[at]).cast(),
                Place::Block => its_block.cast(),
            })
            .collect();
        let held = launch.memories.iter().flatten();
        let mut held: Vec<Held> = held.map(|memory| Held::Memory(Arc::clone(&memory.0))).collect();
        // SAFETY: as the caller vouches.
        let mut fills = unsafe { self.globals.fills(device, launch, &self.code, &mut held)? };
        if let Some((memory, rows)) = table {
            let to = (memory.address, &memory.context);
            let made = Fill::from_host(&device.slots, to, rows.bytes, &mut held);
            fills.extend(made.map_err(|failure| device.error(failure))?);
            held.push(Held::Memory(memory));
        }
        let extras = Extras { kernel: Some(launch.kernel.name), held, ..Extras::default() };
        let submit = |commands: &mut Commands<'_>| {
            for fill in &fills {
                // SAFETY: the launch holds what is copied, the table is its own, and it comes after the last
                // one that has filled the variables.
                unsafe { fill.submit(commands)? };
            }
            for command in &all {
                // SAFETY: it is ours, and nobody else looks at it now.
                unsafe { its_block.write(command.block) };
                // SAFETY: there is an argument for each parameter, of as many bytes, as was seen when the
                // kernel was loaded; the memory is that of a validated launch.
                unsafe { commands.launch(&function, &command.shape, &mut arguments)? };
            }
            Ok(())
        };
        if self.globals.is_empty() {
            return device.lines.submit(queue, after, extras, submit);
        }
        let mut last = self.globals.last();
        let after = [after, &[*last]].concat();
        *last = device.lines.submit(queue, &after, extras, submit)?;
        Ok(*last)
    }

    /// Lets all blocks of a launch run at once, if the device has room for them.
    fn at_once(
        &self,
        device: &CudaDevice,
        function: &Function,
        launch: &LaunchInfo<'_, CudaMemory>,
        all: &mut [Command],
    ) -> Result<(), DriverError> {
        let name = entry(launch.kernel, self.implementation);
        let [Command { shape, .. }] = all else {
            return Err(refused(format!(
                "a launch of `{name}` would be {} grids, and the blocks of a `cooperative` kernel are one",
                all.len()
            )));
        };
        shape.cooperative = true;
        let fit = function.blocks_at_once(shape).map_err(|failure| device.error(failure))?;
        let room = u64::from(fit) * u64::from(device.facts.units);
        let blocks: u64 = shape.grid.iter().map(|n| u64::from(*n)).product();
        if blocks > room {
            let threads: u32 = shape.block.iter().product();
            return Err(refused(format!(
                "`{name}` is `cooperative` and has {blocks} blocks of {threads} threads, and `{}` runs {room} \
                 of them at once; let each thread do several items, or say a larger `block(..)`",
                device.facts.name
            )));
        }
        Ok(())
    }

    /// Where the bytes of each argument are, with the address of a table and the number of its rows.
    ///
    /// # Safety
    ///
    /// Slots of values point to values of the parameters' types.
    unsafe fn places(
        &self,
        launch: &LaunchInfo<'_, CudaMemory>,
        (table, n_rows): (u64, usize),
        words: &mut Vec<u64>,
    ) -> Result<Vec<Place>, DriverError> {
        let params = launch.kernel.params;
        let mut word = |bits: u64| {
            words.push(bits);
            Place::Word(words.len() - 1)
        };
        let mut places = Vec::with_capacity(self.given.len());
        for given in &self.given {
            let at = given.param;
            let slot = || launch.slots[at].array_slot();
            places.push(match (given.said, given.widened) {
                (Said::Value(_), None) => Place::There(slot().base.cast_const()),
                (Said::Value(_), Some((from, to))) => {
                    let start = slot().base.cast_const();
                    // SAFETY: the slot of a value points to one of the parameter's type, as it was found.
                    let bytes = unsafe { std::slice::from_raw_parts(start, from.size()) };
                    word(u64::from_ne_bytes(widened(bytes, from, to)))
                }
                (Said::Array(_), _) => word(address(launch, at)?),
                (Said::Len(bytes), _) => word(length(params[at].name, slot().n_elems(), bytes)?),
                (Said::Indices(_), _) => word(table),
                (Said::Rows(bytes), _) => word(length("the table of indices", n_rows, bytes)?),
                (Said::Block, _) => Place::Block,
            });
        }
        Ok(places)
    }

    /// Bytes of dynamic shared memory of a block, which the function is told where they are many.
    fn shared(
        &self,
        device: &CudaDevice,
        function: &Function,
        launch: &LaunchInfo<'_, CudaMemory>,
    ) -> Result<u32, DriverError> {
        let asked = launch.geometry.map_or(0, flash_rt::Geometry::shared);
        let bytes = u32::try_from(asked).unwrap_or(u32::MAX).max(self.implementation.shared);
        let (own, facts) = (self.limits.shared, &device.facts);
        let all = own.saturating_add(bytes);
        if all > facts.groups.shared {
            return Err(refused(format!(
                "a block of `{}` would share {all} bytes, and on `{}` it has {}",
                entry(launch.kernel, self.implementation),
                facts.name,
                facts.groups.shared
            )));
        }
        if all > facts.shared_at_hand {
            let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // As much as there may be, as a launch that is kept ready does not say again what it needs.
            let most = facts.groups.shared.saturating_sub(own);
            let set = function.set(attribute, most.cast_signed());
            set.map_err(|failure| device.error(failure))?;
        }
        Ok(bytes)
    }

    /// The commands of a launch, one for each box of its items, or for all rows of its table.
    fn commands(
        &self,
        device: &CudaDevice,
        launch: &LaunchInfo<'_, CudaMemory>,
        (shared, rows): (u32, Option<&Rows>),
    ) -> Result<Vec<Command>, DriverError> {
        let most = Most::of(device.facts.groups, self.limits.threads as usize);
        let groups = (self.limits.required, most);
        if let Some(rows) = rows {
            let ids = (&rows.around, Some(rows.n));
            let items = Items::covering(launch, self.implementation, ids, groups);
            let shape = self.shape(device, launch, &items, shared)?;
            return Ok(vec![Command { shape, block: block::words_of_rows(launch, rows) }]);
        }
        if !has_block(&self.given) {
            let all = Items::of(launch, self.implementation, self.limits.required)?;
            let command = |items: &Items| {
                let shape = self.shape(device, launch, items, shared)?;
                Ok(Command { shape, block: [0; block::WORDS] })
            };
            return all.iter().map(command).collect();
        }
        let command = |ids: &Block| {
            let items = Items::covering(launch, self.implementation, (ids, None), groups);
            let shape = self.shape(device, launch, &items, shared)?;
            Ok(Command { shape, block: block::words(launch, ids) })
        };
        within_grids(&block::filled(launch)).iter().map(command).collect()
    }

    fn shape(
        &self,
        device: &CudaDevice,
        launch: &LaunchInfo<'_, CudaMemory>,
        items: &Items,
        shared: u32,
    ) -> Result<Launch, DriverError> {
        let (kernel, facts) = (launch.kernel.name, &device.facts);
        if items.offset != [0; 3] {
            return Err(refused(format!(
                "a part of the items of `{kernel}` begins at {:?}, and threads of CUDA are numbered from 0; \
                 take `FLASH_BLOCK` of `flash.h` as the last parameter, which says where they begin",
                &items.offset[..items.rank]
            )));
        }
        let block = match items.local {
            Some(block) => block,
            None => block_for(items, self.limits.threads as usize).map_err(|dim| {
                refused(format!(
                    "no block of {SMALL} threads or more divides the {} items of `{kernel}` in dimension \
                     {dim}; say `block(..)`, and `guarded` if it leaves out the items beyond, or take \
                     `FLASH_BLOCK`",
                    items.global[dim]
                ))
            })?,
        };
        let threads: usize = block.iter().product();
        if threads > self.limits.threads as usize {
            return Err(refused(format!(
                "a block of {threads} threads is asked for, and `{}` is compiled for {} at most on `{}` \
                 (registers, or its launch bounds)",
                entry(launch.kernel, self.implementation),
                self.limits.threads,
                facts.name
            )));
        }
        let mut shape = Launch { grid: [1; 3], block: [1; 3], shared, cooperative: false };
        for (dim, threads) in block.into_iter().enumerate() {
            let blocks = items.global[dim] / threads.max(1);
            let (most_threads, most_blocks) = (facts.groups.along[dim], facts.most_blocks[dim]);
            if threads > most_threads as usize {
                return Err(refused(format!(
                    "a block has {threads} threads in dimension {dim}, and `{}` takes {most_threads} there",
                    facts.name
                )));
            }
            if blocks > most_blocks as usize {
                return Err(refused(format!(
                    "there are {blocks} blocks in dimension {dim}, and `{}` takes {most_blocks} there; \
                     say a larger `block(..)`",
                    facts.name
                )));
            }
            shape.block[dim] = threads as u32;
            shape.grid[dim] = blocks as u32;
        }
        Ok(shape)
    }
}

/// Where the element of index zero of an array is on the device.
pub(super) fn address(launch: &LaunchInfo<'_, CudaMemory>, at: usize) -> Result<u64, DriverError> {
    let (param, slot) = (&launch.kernel.params[at], launch.slots[at].array_slot());
    let Some(memory) = launch.memories.get(at).copied().flatten() else {
        return Err(refused(format!("`{}` is not in the device's memory", param.name)));
    };
    Ok(memory.0.address + start(param.name, slot, param.elem.size())?)
}

/// A block that divides the items, of at most so many threads; else the dimension that has none.
fn block_for(items: &Items, most: usize) -> Result<[usize; 3], usize> {
    let (mut room, mut block) = (most.min(BLOCK), [1; 3]);
    for (dim, block) in block.iter_mut().enumerate().take(items.rank) {
        let extent = items.global[dim];
        // All of a short row, of which a block has several.
        let fits = |threads: &usize| extent.is_multiple_of(*threads);
        *block = (1..=room.min(extent)).rev().find(fits).unwrap_or(1);
        if dim == 0 && *block < SMALL && extent > room {
            return Err(dim);
        }
        room /= *block;
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items<const N: usize>(extents: [usize; N]) -> Items {
        let global = std::array::from_fn(|dim| extents.get(dim).copied().unwrap_or(1));
        Items { rank: N, offset: [0; 3], global, local: None }
    }

    #[test]
    fn blocks_divide_their_items_or_are_refused() {
        assert_eq!(block_for(&items([1024]), 1024), Ok([256, 1, 1]));
        assert_eq!(block_for(&items([1000]), 1024), Ok([250, 1, 1]));
        assert_eq!(block_for(&items([7]), 1024), Ok([7, 1, 1]));
        assert_eq!(block_for(&items([1024]), 64), Ok([64, 1, 1]));
        assert_eq!(block_for(&items([100_003]), 1024), Err(0), "a prime number");
        assert_eq!(block_for(&items([8, 1000]), 1024), Ok([8, 25, 1]));
        assert_eq!(block_for(&items([64, 7, 3]), 1024), Ok([64, 1, 3]));
    }
}
