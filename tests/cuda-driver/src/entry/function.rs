//! Kernels: what they need, and how many of their blocks fit on a device.
#![allow(unsafe_code, reason = "functions are exported by name")]

use std::ffi::{CString, c_char};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::{Out, entries};
use crate::codes::{Code, Outcome};
use crate::context::usable;
use crate::driver::driver;
use crate::module::{Function, SHARED, SHARED_MOST};

fn function(handle: usize) -> Outcome<Arc<Function>> {
    usable()?;
    driver().functions.get(handle)
}

fn attribute(function: &Function, attribute: u32) -> Outcome<i32> {
    let entry = function.entry.as_ref();
    let ptx = function.module.ptx.as_ref();
    let (major, minor) =
        driver().setting(|settings| settings.capability(function.module.health.device));
    Ok(match attribute {
        0 => function.max_threads() as i32,
        1 => function.static_shared() as i32,
        2 | 7 => 0,
        3 => entry.map_or(0, |entry| entry.local) as i32,
        4 => function.registers() as i32,
        5 => ptx.map_or(0, |ptx| ptx.version().0 * 10 + ptx.version().1) as i32,
        6 => (major * 10 + minor) as i32,
        8 => function.most_dynamic() as i32,
        9 => -1,
        _ => return Err(Code::INVALID_VALUE),
    })
}

/// The largest block, a multiple of a warp, with which most threads are resident.
fn best_block(function: &Function, shared: u32, limit: u32) -> (u32, u32) {
    let limit = if limit == 0 { 1024 } else { limit };
    let said = driver().setting(|settings| settings.block);
    let most = limit.min(said).min(function.max_threads());
    let shapes = (1..=most / 32).rev().map(|warps| warps * 32);
    let full = shapes.map(|threads| (threads * function.resident(threads, shared), threads));
    let best = full.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or((0, 0), |(threads, block)| (threads / block.max(1), block))
}

entries! {
    fn cuFuncGetAttribute(out: Out<i32>, number: u32, handle: usize) |_record| {
        out.put(attribute(&*function(handle)?, number)?)
    }

    fn cuFuncSetAttribute(handle: usize, number: u32, value: i32) |_record| {
        let function = function(handle)?;
        match number {
            8 => {
                let value = u32::try_from(value).map_err(|_| Code::INVALID_VALUE)?;
                if value + function.static_shared() > SHARED_MOST {
                    return Err(Code::INVALID_VALUE);
                }
                // Less than everybody has is no limit.
                let least = SHARED.saturating_sub(function.static_shared());
                function.dynamic_shared.store(value.max(least), Relaxed);
                Ok(())
            }
            9 => Ok(()),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    fn cuFuncSetCacheConfig(handle: usize, _config: u32) |_record| {
        function(handle).map(drop)
    }

    fn cuFuncGetModule(out: Out<usize>, handle: usize) |_record| {
        out.put(function(handle)?.module.handle)
    }

    fn cuFuncGetName(out: Out<*const c_char>, handle: usize) |_record| {
        let function = function(handle)?;
        let name = CString::new(function.name.as_str()).map_err(|_| Code::UNKNOWN)?;
        // Callers keep the name for as long as the module, so it is never freed.
        out.put(name.into_raw().cast_const())
    }

    fn cuFuncGetParamInfo(
        handle: usize,
        number: usize,
        offset: Out<usize>,
        size: Out<usize>,
    ) |_record| {
        let function = function(handle)?;
        let entry = function.entry.as_ref().ok_or(Code::NOT_SUPPORTED)?;
        let param = entry.params.get(number).ok_or(Code::INVALID_VALUE)?;
        offset.offer(param.offset);
        size.offer(param.size);
        Ok(())
    }

    fn cuFuncGetParamCount(handle: usize, out: Out<usize>) |_record| {
        let function = function(handle)?;
        out.put(function.entry.as_ref().ok_or(Code::NOT_SUPPORTED)?.params.len())
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        out: Out<i32>,
        handle: usize,
        threads: i32,
        shared: usize,
    ) |_record| {
        out.put(function(handle)?.resident(threads.max(0) as u32, shared as u32) as i32)
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        out: Out<i32>,
        handle: usize,
        threads: i32,
        shared: usize,
        _flags: u32,
    ) |_record| {
        out.put(function(handle)?.resident(threads.max(0) as u32, shared as u32) as i32)
    }

    fn cuOccupancyMaxPotentialBlockSize(
        grid: Out<i32>,
        block: Out<i32>,
        handle: usize,
        _shared_of: usize,
        shared: usize,
        limit: i32,
    ) |_record| {
        let (blocks, threads) = best_block(&*function(handle)?, shared as u32, limit.max(0) as u32);
        let units = driver().setting(|settings| settings.multiprocessors);
        grid.put((blocks * units) as i32)?;
        block.put(threads as i32)
    }

    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<i32>,
        block: Out<i32>,
        handle: usize,
        _shared_of: usize,
        shared: usize,
        limit: i32,
        _flags: u32,
    ) |_record| {
        let (blocks, threads) = best_block(&*function(handle)?, shared as u32, limit.max(0) as u32);
        let units = driver().setting(|settings| settings.multiprocessors);
        grid.put((blocks * units) as i32)?;
        block.put(threads as i32)
    }

    fn cuOccupancyAvailableDynamicSMemPerBlock(
        out: Out<usize>,
        handle: usize,
        blocks: i32,
        _threads: i32,
    ) |_record| {
        let function = function(handle)?;
        let each = 233_472 / u32::try_from(blocks).map_err(|_| Code::INVALID_VALUE)?.max(1);
        let left = each.saturating_sub(1024 + function.static_shared());
        out.put(left.min(function.most_dynamic()) as usize)
    }
}
