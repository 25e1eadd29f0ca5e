//! Launches of native kernels: what their arguments are set to, and which work-groups they have.
//! Fenced: it reads values of the launch, and lets native code run with its memory.
#![allow(unsafe_code, reason = "launches native kernels with validated arguments")]

use std::sync::{Arc, PoisonError};

use flash_ir::ScalarTy;
use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::entry::ArraySlot;
use flash_rt::error::DriverErrorKind;
use flash_rt::{Block, DriverError};
use opencl_sys as sys;

use super::signature::{self, Argument};
use super::{NativeKernel, entry};
use crate::cl::{Items, Kernel, Mem};
use crate::device::OclDevice;
use crate::kept::KeptLaunch;
use crate::lines::{Extras, Held};
use crate::memory::OclMemory;

fn refused(text: String) -> DriverError {
    DriverError { api: "launch", code: -1, text: text.into(), kind: DriverErrorKind::Failed }
}

/// The bytes of a value of one type as one of a wider type of its kind, in front of zeros.
fn widened(bytes: &[u8], from: ScalarTy, to: ScalarTy) -> [u8; 8] {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    if (from, to) == (ScalarTy::F32, ScalarTy::F64) {
        let [a, b, c, d, ..] = wide;
        return f64::from(f32::from_ne_bytes([a, b, c, d])).to_ne_bytes();
    }
    let is_negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    if !from.is_float() && from.is_signed() && is_negative {
        wide[bytes.len()..].fill(0xff);
    }
    wide
}

/// The element of index zero of an array that is whole in its memory, as a plain pointer has it; in
/// elements from the start of the memory.
fn start(name: &str, array: &ArraySlot, bytes: usize) -> Result<u64, DriverError> {
    let rank = usize::from(array.rank);
    let mut expected = 1_isize;
    for dim in (0..rank).rev() {
        if array.shape[dim] > 1 && array.stride[dim] != expected {
            return Err(refused(format!(
                "`{name}` is a part with a distance of {} elements in dimension {dim}, and a native \
                 kernel gets a plain pointer, by which that is {expected}; pass the whole array and \
                 what is to be left out",
                array.stride[dim]
            )));
        }
        expected = expected.saturating_mul(array.shape[dim].max(1).cast_signed());
    }
    let before: i128 =
        (0..rank).map(|dim| array.origin[dim] as i128 * array.stride[dim] as i128).sum::<i128>()
            * bytes as i128;
    u64::try_from(array.base.addr() as i128 - before).map_err(|_| {
        refused(format!("`{name}` begins before its memory, which a plain pointer cannot say"))
    })
}

impl NativeKernel {
    /// Keeps a launch ready; nothing where it is more than one command, needs memory of its own, or has
    /// to be noted.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(crate) unsafe fn prepare(
        &self,
        device: &Arc<OclDevice>,
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Result<Option<KeptLaunch>, DriverError> {
        let grids = self.grids(launch)?;
        let [items] = grids[..] else { return Ok(None) };
        let kernel = self.spares.take(|| self.program.kernel(self.entry));
        let mut kernel = kernel.map_err(|failure| failure.on(&device.facts.name))?;
        let mut held = Vec::new();
        // SAFETY: as the caller vouches.
        unsafe { self.set(&mut kernel, device, launch, &mut held)? };
        let is_plain = held.is_empty() && self.bitstream.is_none();
        let kernel = (kernel, &self.spares);
        Ok(is_plain.then(|| KeptLaunch::new(device, kernel, (items, None), launch)))
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
        let grids = self.grids(launch)?;
        let mut held = Vec::with_capacity(launch.memories.len());
        held.extend(
            launch.memories.iter().flatten().map(|memory| Held::Memory(Arc::clone(&memory.0))),
        );
        // Until the commands are submitted, which is when the driver takes the arguments.
        let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as the caller vouches.
        unsafe { self.set(&mut kernel, device, launch, &mut held)? };
        let extras = Extras { held, noting: None };
        device.lines.submit(queue, after, extras, |commands| {
            for grid in &grids {
                // SAFETY: the arguments are those that the declaration says, and the memory is that
                // of a validated launch.
                commands.add(|queue, waits| unsafe { queue.launch(&kernel, grid, waits) })?;
            }
            if let Some(bitstream) = &self.bitstream {
                device.bitstreams.submitted(&device.facts.name, bitstream);
            }
            Ok(())
        })
    }

    /// Sets the arguments of a launch.
    ///
    /// # Safety
    ///
    /// Values of the launch can be read.
    unsafe fn set(
        &self,
        kernel: &mut Kernel,
        device: &OclDevice,
        launch: &LaunchInfo<'_, OclMemory>,
        held: &mut Vec<Held>,
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
                Argument::Len(at, bytes) => {
                    let slot = launch.slots[at].array_slot();
                    let len: usize = slot.shape[..usize::from(slot.rank)].iter().product();
                    let len = len as u64;
                    let is_long = len > i32::MAX as u64;
                    if bytes < 8 && is_long {
                        return Err(refused(format!(
                            "`{name}` has {len} elements, and the kernel takes its length in {bytes} \
                             bytes"
                        )));
                    }
                    let all = len.to_le_bytes();
                    match kernel.set_bytes(index, &all[..bytes]) {
                        // A binary may not say that it takes four.
                        Err(failure) if failure.code == sys::CL_INVALID_ARG_SIZE && !is_long => {
                            kernel.set_bytes(index, &all[..4])
                        }
                        done => done,
                    }
                }
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

    /// The commands of a launch: one for each box of its items.
    fn grids(&self, launch: &LaunchInfo<'_, OclMemory>) -> Result<Vec<Items>, DriverError> {
        let Some(part) = launch.part else {
            return Ok(vec![self.grid(launch, &launch.space.block(), true)?]);
        };
        let mut grids = Vec::with_capacity(1);
        let mut first = Ok(());
        for positions in part.boxes() {
            part.each(positions, |ids| match self.grid(launch, ids, false) {
                Ok(grid) => grids.push(grid),
                Err(error) if first.is_ok() => first = Err(error),
                Err(_) => {}
            });
        }
        first.map(|()| grids)
    }

    /// Items and work-groups of a box.
    fn grid(
        &self,
        launch: &LaunchInfo<'_, OclMemory>,
        ids: &Block,
        is_whole: bool,
    ) -> Result<Items, DriverError> {
        let rank = launch.space.rank();
        let asked = launch.geometry;
        let declared = |list: &'static [u32]| -> Option<Vec<usize>> {
            (!list.is_empty()).then(|| list.iter().map(|&n| n as usize).collect())
        };
        let block = asked.and_then(|asked| asked.block().map(<[usize]>::to_vec));
        let block = block.or_else(|| declared(self.implementation.block));
        let block = block.or_else(|| self.required.map(Vec::from));
        let grid = asked.and_then(|asked| asked.grid().map(<[usize]>::to_vec));
        let grid = grid.or_else(|| declared(self.implementation.grid)).filter(|_| is_whole);
        let extents = |dim: usize| (ids.hi(dim) - ids.lo(dim), launch.space.extent(dim));
        let kernel = launch.kernel.name;
        let lo = |dim: usize| if dim < rank { ids.lo(dim) } else { 0 };
        let offset = std::array::from_fn(lo);
        let Some(block) = block else {
            let extent = |dim: usize| if dim < rank { extents(dim).0 } else { 1 };
            let global = std::array::from_fn(extent);
            if let Some(grid) = grid {
                // Groups of a size that the driver chooses are no grid.
                return Err(refused(format!(
                    "`{kernel}` has a grid of {grid:?} and no block; say how many items a group has"
                )));
            }
            return Ok(Items { rank, offset, global, local: None });
        };
        let (mut local, mut global) = ([1; 3], [1; 3]);
        for dim in 0..rank {
            let items = block.get(dim).copied().unwrap_or(1).max(1);
            let (extent, of_space) = extents(dim);
            let groups = match &grid {
                Some(grid) => grid.get(dim).copied().unwrap_or(1),
                None => extent.div_ceil(items),
            };
            let all = groups.checked_mul(items).filter(|&all| all >= extent).ok_or_else(|| {
                refused(format!("{groups} groups of {items} items are not {extent} of them"))
            })?;
            if all > extent && !self.implementation.guarded {
                return Err(refused(format!(
                    "dimension {dim} has {extent} items, and groups of {items} make {all}; call it \
                     with a multiple, or declare it `guarded` if it leaves out the items beyond"
                )));
            }
            if all > extent && ids.hi(dim) < of_space {
                return Err(refused(format!(
                    "a part of {extent} items in dimension {dim} is no multiple of a group of {items}, \
                     so that items of another part would run twice"
                )));
            }
            (local[dim], global[dim]) = (items, all);
        }
        Ok(Items { rank, offset, global, local: Some(local) })
    }
}

impl Argument {
    /// The parameter that it is for.
    fn name(self, launch: &LaunchInfo<'_, OclMemory>) -> &'static str {
        match self {
            Self::Value(at) | Self::Widened(at, ..) | Self::Array(at) | Self::Len(at, _) => {
                launch.kernel.params[at].name
            }
            Self::Shared(_) => "memory that a work-group shares",
        }
    }
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
