//! Launches of native kernels: what their arguments are set to, and which work-groups they have.
//! Fenced: it reads values of the launch, and lets native code run with its memory.
#![allow(unsafe_code, reason = "launches native kernels with validated arguments")]

use std::sync::{Arc, PoisonError};

use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::offload::plain::{Items, length, length_unsigned, refused, start, widened};
use flash_rt::offload::table::Rows;
use flash_rt::offload::{allowance, block};
use flash_rt::{Block, DriverError};
use opencl_sys as sys;

use super::signature::{self, Argument, Number, has_block};
use super::{NativeKernel, entry};
use crate::cl::{Failure, Mem, SetArguments};
use crate::device::OclDevice;
use crate::fill::Fill;
use crate::kept::KeptLaunch;
use crate::memory::{OclMemory, Storage};
use crate::operation::{AllHeld, Extras, Held};

/// A command of a launch: its work items, and the box of its ids as code is given it.
#[derive(Clone, Copy, Debug)]
struct Command {
    items: Items,
    block: [u64; block::WORDS],
}

impl NativeKernel {
    /// Keeps a launch ready; nothing where it is more than one command, its table is too large, or it has to
    /// be noted.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(crate) unsafe fn prepare(
        &self,
        device: &Arc<OclDevice>,
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Result<Option<Arc<KeptLaunch>>, DriverError> {
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
        let [Command { items, block }] = self.commands(launch, rows)?[..] else { return Ok(None) };
        let kernel = self.pool.take(|| self.program.kernel(self.entry));
        let mut kernel = kernel.map_err(|failure| failure.on(&device.facts.name))?;
        let (mut held, given) =
            (AllHeld::new(), table.as_ref().map(|(t, rows)| (&*t.memory, rows.n)));
        // SAFETY: as the caller vouches.
        unsafe { self.set(&mut kernel, device, (launch, given), &mut held)? };
        self.set_block(&mut kernel, &block).map_err(|failure| failure.on(&device.facts.name))?;
        let is_plain = held.is_empty() && self.bitstream.is_none();
        let (kernel, table) = ((kernel, &self.pool), table.map(|(table, _)| table));
        let how = (items, None, table);
        Ok(is_plain.then(|| KeptLaunch::keep(device, kernel, how, (0, Vec::new()), launch)))
    }

    /// Submits a launch.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`; whoever declared the kernel vouched for what it does.
    pub(crate) unsafe fn launch(
        &self,
        device: &OclDevice,
        queue: Queue,
        launch: &LaunchInfo<'_, OclMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let table = match launch.kernel.table {
            Some(table) => match Rows::of(launch, table)? {
                None => return Ok(Ticket::DONE),
                Some(rows) => Some((device.temporary(rows.bytes.len() as u64)?, rows)),
            },
            None => None,
        };
        let all = self.commands(launch, table.as_ref().map(|(_, rows)| rows))?;
        let mut held = AllHeld::with_capacity(launch.memories.len());
        held.extend(
            launch.memories.iter().flatten().map(|memory| Held::Memory(Arc::clone(&memory.0))),
        );
        // Until the commands are submitted, which is when the driver takes the arguments.
        let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        let given = table.as_ref().map(|(memory, rows)| (&**memory, rows.n));
        // SAFETY: as the caller vouches.
        unsafe { self.set(&mut *kernel, device, (launch, given), &mut held)? };
        let table = table.map(|(memory, rows)| Fill::new(memory, rows.bytes, &mut held));
        let extras = Extras { held, noting: None };
        device.lines.submit(queue, after, extras, |commands| {
            if let Some(table) = &table {
                // SAFETY: the launch holds both, and the memory is its own.
                unsafe { table.submit(commands)? };
            }
            for Command { items, block } in &all {
                self.set_block(&mut *kernel, block)?;
                // SAFETY: the arguments are those that the declaration says, and the memory is that
                // of a validated launch.
                commands.add(|queue, waits| unsafe { queue.launch(&kernel, items, waits) })?;
            }
            if let Some(bitstream) = &self.bitstream {
                device.bitstreams.submitted(&device.facts.name, bitstream);
            }
            Ok(())
        })
    }

    /// The commands of a launch, one for each box of its items, or for all rows of its table.
    fn commands(
        &self,
        launch: &LaunchInfo<'_, OclMemory>,
        rows: Option<&Rows>,
    ) -> Result<Vec<Command>, DriverError> {
        let groups = (self.required, self.most);
        if let Some(rows) = rows {
            let ids = (&rows.around, Some(rows.n));
            let items = Items::covering(launch, self.implementation, ids, groups);
            items.check(entry(launch.kernel, self.implementation), groups)?;
            return Ok(vec![Command { items, block: block::words_of_rows(launch, rows) }]);
        }
        if !has_block(&self.arguments) {
            let all = Items::of(launch, self.implementation, self.required)?;
            let command = |items: Items| {
                items.check(entry(launch.kernel, self.implementation), groups)?;
                Ok(Command { items, block: [0; block::WORDS] })
            };
            return all.into_iter().map(command).collect();
        }
        let command = |ids: &Block| {
            let items = Items::covering(launch, self.implementation, (ids, None), groups);
            items.check(entry(launch.kernel, self.implementation), groups)?;
            Ok(Command { items, block: block::words(launch, ids) })
        };
        block::filled(launch).iter().map(command).collect()
    }

    /// Sets the box of the items of a command, where the kernel takes one.
    fn set_block(
        &self,
        kernel: &mut impl SetArguments,
        block: &[u64; block::WORDS],
    ) -> Result<(), Failure> {
        if !has_block(&self.arguments) {
            return Ok(());
        }
        let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_ne_bytes()).collect();
        kernel.set_bytes(self.arguments.len() as u32 - 1, &bytes)
    }

    /// Sets the arguments of a launch that all of its commands have.
    ///
    /// # Safety
    ///
    /// Values of the launch can be read.
    unsafe fn set(
        &self,
        kernel: &mut impl SetArguments,
        device: &OclDevice,
        (launch, table): (&LaunchInfo<'_, OclMemory>, Option<(&Storage, usize)>),
        held: &mut AllHeld,
    ) -> Result<(), DriverError> {
        let params = launch.kernel.params;
        for (index, argument) in self.arguments.iter().enumerate() {
            let (index, name) = (index as u32, argument.name(launch));
            let done = match *argument {
                Argument::Value(at) => {
                    let (base, size) = (launch.slots[at].array_slot().base, params[at].elem.size());
                    // SAFETY: the slot of a value points to one of the parameter's type.
                    let bytes = unsafe { std::slice::from_raw_parts(base.cast_const(), size) };
                    kernel.set_bytes(index, bytes)
                }
                Argument::Widened(at, from, to) => {
                    let base = launch.slots[at].array_slot().base;
                    // SAFETY: the slot of a value points to one of the parameter's type, as it was found.
                    let bytes =
                        unsafe { std::slice::from_raw_parts(base.cast_const(), from.size()) };
                    kernel.set_bytes(index, &widened(bytes, from, to)[..to.size()])
                }
                Argument::Array(at) => {
                    let memory = launch.memories.get(at).copied().flatten();
                    let Some(memory) = memory else {
                        return Err(refused(format!("`{name}` is not in the device's memory")));
                    };
                    let slot = launch.slots[at].array_slot();
                    let first = start(name, slot, params[at].elem.size())?;
                    match first {
                        0 => kernel.set_memory(index, &memory.0.mem),
                        first => {
                            let part = part(device, memory, name, first)?;
                            let done = kernel.set_memory(index, &part);
                            held.push(Held::Part(part));
                            done
                        }
                    }
                }
                Argument::Len(at, number) => {
                    let len = launch.slots[at].array_slot().n_elems();
                    set_number(kernel, (index, name), len, number)?
                }
                // Launches of a kernel that takes it have one.
                Argument::Indices => match table {
                    Some((memory, _)) => kernel.set_memory(index, &memory.mem),
                    None => continue,
                },
                Argument::Rows(number) => {
                    set_number(kernel, (index, name), table.map_or(0, |(_, n)| n), number)?
                }
                // Each command has its own.
                Argument::Block => continue,
                Argument::Shared(own) => {
                    let asked = launch.geometry.map_or(0, flash_rt::Geometry::shared);
                    let declared = self.implementation.shared as usize;
                    let bytes = asked.max(declared);
                    if bytes == 0 {
                        let entry = entry(launch.kernel, self.implementation);
                        return Err(refused(format!(
                            "`{entry}` takes memory that a work-group shares as its last argument; say \
                             how many bytes with `shared = ..` or `.shared(..)`"
                        )));
                    }
                    let entry = entry(launch.kernel, self.implementation);
                    signature::shared(entry, own, bytes, &device.facts).map_err(refused)?;
                    kernel.set_local(index, bytes)
                }
            };
            done.map_err(|failure| {
                let error = failure.on(&device.facts.name);
                let text = format!("{} (argument {index}, for `{name}`)", error.text);
                DriverError { text: text.into(), ..error }
            })?;
        }
        Ok(())
    }
}

impl Argument {
    /// The parameter that it is for.
    fn name(self, launch: &LaunchInfo<'_, OclMemory>) -> &'static str {
        match self {
            Self::Value(at) | Self::Widened(at, ..) | Self::Array(at) | Self::Len(at, _) => {
                launch.kernel.params[at].name
            }
            Self::Indices | Self::Rows(_) => "the table of indices",
            Self::Shared(_) => "memory that a work-group shares",
            Self::Block => "the box of items",
        }
    }
}

/// Sets a number of elements; the inner error is the driver's.
fn set_number(
    kernel: &mut impl SetArguments,
    (index, name): (u32, &str),
    len: usize,
    Number { bytes, is_signed }: Number,
) -> Result<Result<(), Failure>, DriverError> {
    let length_of = if is_signed { length } else { length_unsigned };
    let all = length_of(name, len, bytes)?.to_le_bytes();
    Ok(match kernel.set_bytes(index, &all[..bytes]) {
        // A binary may not say that it takes four.
        Err(failure)
            if failure.code == sys::CL_INVALID_ARG_SIZE && length(name, len, 4).is_ok() =>
        {
            kernel.set_bytes(index, &all[..4])
        }
        done => done,
    })
}

/// A memory from a byte on.
fn part(
    device: &OclDevice,
    memory: &OclMemory,
    name: &str,
    first: u64,
) -> Result<Mem, DriverError> {
    let (align, bytes) = (device.facts.part_align, memory.0.bytes);
    if !first.is_multiple_of(align) || first >= bytes {
        return Err(refused(format!(
            "`{name}` begins {first} bytes into its buffer, and a native kernel on `{}` gets parts that \
             begin at a multiple of {align} (CL_DEVICE_MEM_BASE_ADDR_ALIGN); pass the whole buffer and \
             the offset as a value",
            device.facts.name
        )));
    }
    let part = memory.0.mem.part(first as usize, (bytes - first) as usize);
    part.map_err(|failure| failure.on(&device.facts.name))
}
