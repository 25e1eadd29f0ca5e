//! Memory of the host that devices reach.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::{In, Out, entries};
use crate::capture;
use crate::codes::{Code, Outcome};
use crate::context::usable;
use crate::driver::driver;

fn allocate(out: Out<usize>, bytes: usize) -> Outcome {
    let context = usable()?;
    capture::forbid_unsafe()?;
    let limit = driver().setting(|settings| settings.pinned);
    out.put(driver().host.allocate(context.handle, bytes, limit)?)
}

entries! {
    fn cuMemHostAlloc(out: Out<usize>, bytes: usize, flags: u32) |record| {
        record.bytes = bytes as u64;
        // Portable, mapped, write-combined.
        if flags & !7 != 0 {
            return Err(Code::INVALID_VALUE);
        }
        allocate(out, bytes)
    }

    fn cuMemAllocHost_v2(out: Out<usize>, bytes: usize) |record| {
        record.bytes = bytes as u64;
        allocate(out, bytes)
    }

    // It waits for whatever runs, as the real one does.
    fn cuMemFreeHost(start: In<u8>) |_record| {
        let context = usable()?;
        capture::forbid_unsafe()?;
        if start.is_null() {
            return Ok(());
        }
        context.drain();
        driver().host.free(start.address())
    }

    fn cuMemHostRegister_v2(start: In<u8>, bytes: usize, flags: u32) |record| {
        record.bytes = bytes as u64;
        let context = usable()?;
        capture::forbid_unsafe()?;
        // Portable, mapped, of a device, read only.
        if flags & !15 != 0 {
            return Err(Code::INVALID_VALUE);
        }
        driver().host.register(context.handle, start.expose(), bytes)
    }

    fn cuMemHostUnregister(start: In<u8>) |_record| {
        let context = usable()?;
        capture::forbid_unsafe()?;
        context.drain();
        driver().host.unregister(start.address())
    }

    fn cuMemHostGetDevicePointer_v2(out: Out<u64>, start: In<u8>, flags: u32) |_record| {
        usable()?;
        let pinned = driver().host.find(start.address());
        if flags != 0 || pinned.is_none() {
            return Err(Code::INVALID_VALUE);
        }
        out.put(start.address() as u64)
    }

    fn cuMemHostGetFlags(out: Out<u32>, start: In<u8>) |_record| {
        usable()?;
        driver().host.find(start.address()).ok_or(Code::INVALID_VALUE)?;
        out.put(3)
    }
}
