//! Memory of devices: allocations, and what is known of an address.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::layouts::MemAccess;
use super::pointers::result_at;
use super::{In, Out, entries};
use crate::capture;
use crate::codes::{Code, Outcome};
use crate::context::{current, stream, usable};
use crate::driver::driver;
use crate::hazards::{self, Touch};
use crate::memory::Memory;
use crate::task::{Task, submit};

fn memory(address: u64) -> Outcome<&'static Memory> {
    let device = Memory::device_of(address).ok_or(Code::INVALID_VALUE)?;
    Ok(&driver().memories[device])
}

fn allocate(bytes: usize) -> Outcome<u64> {
    let context = usable()?;
    let limit = driver().setting(|settings| settings.memory);
    driver().memories[context.device()].allocate(context.handle, bytes as u64, limit)
}

entries! {
    fn cuMemAlloc_v2(out: Out<u64>, bytes: usize) |record| {
        record.bytes = bytes as u64;
        usable()?;
        capture::forbid_unsafe()?;
        out.put(allocate(bytes)?)
    }

    fn cuMemAllocPitch_v2(
        out: Out<u64>,
        pitch: Out<usize>,
        width: usize,
        height: usize,
        _element: u32,
    ) |record| {
        usable()?;
        capture::forbid_unsafe()?;
        let row = width.next_multiple_of(512);
        record.bytes = (row * height) as u64;
        out.put(allocate(row * height)?)?;
        pitch.put(row)
    }

    // It waits for whatever runs, as the real one does.
    fn cuMemFree_v2(address: u64) |_record| {
        let context = usable()?;
        capture::forbid_unsafe()?;
        if address == 0 {
            return Ok(());
        }
        let memory = memory(address)?;
        if memory.find(address).is_none_or(|it| it.start != address || it.variable) {
            return Err(driver().trouble(
                Code::INVALID_VALUE,
                format!("{address:#x} is freed, and no allocation begins there now"),
            ));
        }
        context.drain();
        memory.free(address)?;
        context.health.check()
    }

    fn cuMemAllocAsync(out: Out<u64>, bytes: usize, handle: usize) |record| {
        record.bytes = bytes as u64;
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        if !driver().setting(|settings| settings.pools) {
            return Err(Code::NOT_SUPPORTED);
        }
        if capture::info(&stream).is_some() {
            capture::forbid_stream(&stream)?;
        }
        let address = allocate(bytes)?;
        let moment = hazards::submit(&stream, || "an allocation".to_owned());
        if let Some(allocation) = memory(address)?.find(address) {
            hazards::during(moment, || hazards::touch(&allocation, 0, bytes, Touch::Write));
        }
        out.put(address)
    }

    fn cuMemFreeAsync(address: u64, handle: usize) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        if memory(address)?.find(address).is_none_or(|it| it.start != address || it.variable) {
            return Err(Code::INVALID_VALUE);
        }
        submit(&stream, Task::Free(address))
    }

    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) |_record| {
        let (left, all) = super::device::room(usable()?.device());
        free.put(left)?;
        total.put(all)
    }

    fn cuMemGetAddressRange_v2(start: Out<u64>, bytes: Out<usize>, address: u64) |_record| {
        usable()?;
        let allocation = memory(address)?.find(address).ok_or(Code::NOT_FOUND)?;
        start.offer(allocation.start);
        bytes.offer(allocation.bytes.len());
        Ok(())
    }

    fn cuPointerGetAttribute(out: Out<u8>, attribute: u32, address: u64) |_record| {
        current()?;
        let facts = facts(address).ok_or(Code::INVALID_VALUE)?;
        out.put_all(&facts.attribute(attribute)?, 8)
    }

    fn cuPointerGetAttributes(
        count: u32,
        attributes: In<u32>,
        data: In<*mut u8>,
        address: u64,
    ) |_record| {
        current()?;
        let facts = facts(address);
        let results = data.list(count as usize)?;
        for (attribute, result) in attributes.list(count as usize)?.into_iter().zip(results) {
            let bytes = match &facts {
                Some(facts) => facts.attribute(attribute)?,
                None => vec![0; width(attribute)?],
            };
            result_at(result).put_all(&bytes, 8)?;
        }
        Ok(())
    }

    fn cuDeviceGetDefaultMemPool(out: Out<usize>, device: i32) |_record| {
        pool(out, device)
    }

    fn cuDeviceGetMemPool(out: Out<usize>, device: i32) |_record| {
        pool(out, device)
    }

    // Addresses are never used again, so there is nothing that a pool would keep.
    fn cuMemPoolSetAttribute(_pool: usize, _attribute: u32, _value: In<u64>) |_record| {
        Ok(())
    }

    fn cuMemPoolSetAccess(pool: usize, all: In<MemAccess>, count: usize) |_record| {
        for MemAccess { kind, device, .. } in all.list(count)? {
            let is_peer = driver().setting(|settings| settings.peers);
            let own = pool_of(driver().device(device)?) == pool;
            // A location of 1 is a device.
            if kind != 1 || !(own || is_peer) {
                return Err(Code::INVALID_DEVICE);
            }
        }
        Ok(())
    }

    fn cuMemPoolTrimTo(_pool: usize, _bytes: usize) |_record| {
        Ok(())
    }
}

fn pool(out: Out<usize>, device: i32) -> Outcome {
    let device = driver().device(device)?;
    if !driver().setting(|settings| settings.pools) {
        return Err(Code::NOT_SUPPORTED);
    }
    out.put(pool_of(device))
}

/// The handle of the pool of a device.
fn pool_of(device: usize) -> usize {
    (0x7e20 << 40) + 16 * (device + 1)
}

/// What is known of an address.
struct Facts {
    context: usize,
    /// 1 for the host, 2 for a device.
    kind: u32,
    device: usize,
    address: u64,
    start: u64,
    bytes: usize,
    is_host: bool,
}

fn facts(address: u64) -> Option<Facts> {
    if let Some(device) = Memory::device_of(address) {
        let it = driver().memories[device].find(address)?;
        let (context, start, bytes) = (it.context, it.start, it.bytes.len());
        return Some(Facts { context, kind: 2, device, address, start, bytes, is_host: false });
    }
    let pinned = driver().host.find(address as usize)?;
    let context = driver().contexts.get(pinned.context).ok()?;
    let (device, context) = (context.device(), context.handle);
    let (start, bytes) = (pinned.start as u64, pinned.len);
    Some(Facts { context, kind: 1, device, address, start, bytes, is_host: true })
}

/// Bytes of the value of an attribute.
fn width(attribute: u32) -> Outcome<usize> {
    match attribute {
        1 | 3 | 4 | 7 | 11 | 12 => Ok(8),
        2 | 9 => Ok(4),
        8 | 13 => Ok(1),
        _ => Err(Code::INVALID_VALUE),
    }
}

impl Facts {
    fn attribute(&self, attribute: u32) -> Outcome<Vec<u8>> {
        let value = match attribute {
            1 => self.context as u64,
            2 => u64::from(self.kind),
            3 => self.address,
            4 if self.is_host => self.address,
            4 => return Err(Code::INVALID_VALUE),
            7 | 11 => self.start,
            8 => 0,
            9 => self.device as u64,
            12 => self.bytes as u64,
            13 => 1,
            _ => return Err(Code::INVALID_VALUE),
        };
        Ok(value.to_le_bytes()[..width(attribute)?].to_vec())
    }
}
