//! Contexts: primary ones, others, and which is current.
#![allow(unsafe_code, reason = "functions are exported by name")]

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::{In, Out, entries};
use crate::capture;
use crate::codes::{Code, Outcome};
use crate::context::{
    Context, Primary, current, current_handle, flags, pop_current, push_current, set_current,
    usable,
};
use crate::driver::driver;
use crate::locks::lock;

/// The context of a handle, 0 being the current one.
fn context(handle: usize) -> Outcome<Arc<Context>> {
    if handle == 0 {
        return usable();
    }
    driver().contexts.get(handle).map_err(|_| Code::INVALID_CONTEXT)
}

entries! {
    fn cuDevicePrimaryCtxRetain(out: Out<usize>, device: i32) |record| {
        let device = driver().device(device)?;
        record.device = Some(device);
        out.put(Primary::retain(device)?.handle)
    }

    fn cuDevicePrimaryCtxRelease_v2(device: i32) |record| {
        let device = driver().device(device)?;
        record.device = Some(device);
        Primary::release(device)
    }

    fn cuDevicePrimaryCtxReset_v2(device: i32) |record| {
        let device = driver().device(device)?;
        record.device = Some(device);
        Primary::reset(device);
        Ok(())
    }

    fn cuDevicePrimaryCtxGetState(device: i32, out: Out<u32>, active: Out<i32>) |_record| {
        let primary = lock(&driver().primaries[driver().device(device)?]);
        out.offer(primary.flags);
        active.offer(i32::from(primary.context.is_some()));
        Ok(())
    }

    fn cuDevicePrimaryCtxSetFlags_v2(device: i32, flags: u32) |_record| {
        let mut primary = lock(&driver().primaries[driver().device(device)?]);
        primary.flags = flags;
        if let Some(context) = &primary.context {
            context.flags.store(flags, Relaxed);
        }
        Ok(())
    }

    fn cuCtxCreate_v4(out: Out<usize>, _params: In<u8>, flags: u32, device: i32) |_record| {
        let context = Context::create(driver().device(device)?, flags)?;
        push_current(context.handle)?;
        out.put(context.handle)
    }

    fn cuCtxDestroy_v2(handle: usize) |_record| {
        let context = driver().contexts.get(handle).map_err(|_| Code::INVALID_CONTEXT)?;
        if current_handle() == Some(handle) {
            pop_current()?;
        }
        context.destroy();
        Ok(())
    }

    fn cuCtxSetCurrent(handle: usize) |_record| {
        set_current(handle)
    }

    fn cuCtxGetCurrent(out: Out<usize>) |_record| {
        out.put(current_handle().unwrap_or(0))
    }

    fn cuCtxPushCurrent_v2(handle: usize) |_record| {
        push_current(handle)
    }

    fn cuCtxPopCurrent_v2(out: Out<usize>) |_record| {
        out.offer(pop_current()?);
        Ok(())
    }

    fn cuCtxGetDevice(out: Out<i32>) |_record| {
        out.put(current()?.device() as i32)
    }

    fn cuCtxGetFlags(out: Out<u32>) |_record| {
        out.put(flags(&*current()?))
    }

    fn cuCtxSetFlags(flags: u32) |_record| {
        usable()?.flags.store(flags, Relaxed);
        Ok(())
    }

    fn cuCtxGetId(handle: usize, out: Out<u64>) |_record| {
        out.put(context(handle)?.handle as u64)
    }

    fn cuCtxGetApiVersion(handle: usize, out: Out<u32>) |_record| {
        context(handle)?;
        out.put(3020)
    }

    fn cuCtxSynchronize() |_record| {
        let context = usable()?;
        capture::forbid_context(context.handle)?;
        context.drain();
        context.health.check()
    }

    fn cuCtxGetLimit(out: Out<usize>, limit: u32) |_record| {
        usable()?;
        // The stack of a thread, the buffer of `printf`, the heap of kernels.
        out.put(match limit {
            0 => 1024,
            1 => 1 << 20,
            2 => 8 << 20,
            _ => 0,
        })
    }

    fn cuCtxSetLimit(_limit: u32, _value: usize) |_record| {
        usable().map(drop)
    }

    fn cuCtxGetCacheConfig(out: Out<u32>) |_record| {
        usable()?;
        out.put(0)
    }

    fn cuCtxSetCacheConfig(_config: u32) |_record| {
        usable().map(drop)
    }

    fn cuCtxGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) |_record| {
        usable()?;
        least.offer(0);
        greatest.offer(-5);
        Ok(())
    }

    fn cuCtxEnablePeerAccess(handle: usize, flags: u32) |_record| {
        let own = usable()?;
        let peer = context(handle)?.device();
        if flags != 0 || peer == own.device() {
            return Err(Code::INVALID_VALUE);
        }
        if !driver().setting(|settings| settings.peers) {
            return Err(Code::PEER_ACCESS_UNSUPPORTED);
        }
        let is_new = lock(&own.peers).insert(peer);
        if is_new { Ok(()) } else { Err(Code::PEER_ACCESS_ALREADY_ENABLED) }
    }

    fn cuCtxDisablePeerAccess(handle: usize) |_record| {
        let own = usable()?;
        let was_there = lock(&own.peers).remove(&context(handle)?.device());
        if was_there { Ok(()) } else { Err(Code::PEER_ACCESS_NOT_ENABLED) }
    }
}
