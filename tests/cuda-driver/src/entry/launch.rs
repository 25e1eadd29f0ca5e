//! Launches of kernels.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::layouts::{KernelParams, LaunchConfig};
use super::pointers::pointed_at;
use super::{In, entries};
use crate::codes::{Code, Outcome};
use crate::context::{stream, usable};
use crate::driver::driver;
use crate::launch::Launch;
use crate::log::Record;
use crate::module::Function;
use crate::task::{Task, submit};

/// Pointers to the arguments, or a list of keys and values with all arguments in one piece.
#[derive(Clone, Copy)]
struct Arguments {
    each: In<*const u8>,
    extra: In<usize>,
}

impl Arguments {
    /// The arguments as the kernel lays them out.
    fn gather(self, function: &Function) -> Outcome<Vec<u8>> {
        // What machine code wants is not known, and it cannot be run.
        let Some(entry) = &function.entry else { return Ok(Vec::new()) };
        let mut params = vec![0; entry.params_size()];
        if entry.params.is_empty() {
            return Ok(params);
        }
        if !self.extra.is_null() {
            let packed = self.packed()?;
            return packed.get(..params.len()).map(<[u8]>::to_vec).ok_or(Code::INVALID_VALUE);
        }
        let pointers = self.each.list(entry.params.len())?;
        for (param, pointer) in entry.params.iter().zip(pointers) {
            let bytes = pointed_at(pointer).bytes(param.size)?;
            params[param.offset..param.offset + param.size].copy_from_slice(&bytes);
        }
        Ok(params)
    }

    fn packed(self) -> Outcome<Vec<u8>> {
        let (mut buffer, mut size) = (None, None);
        for pair in 0.. {
            let key = self.extra.nth(2 * pair)?;
            match key {
                0 => break,
                1 => buffer = Some(self.extra.nth(2 * pair + 1)?),
                2 => size = Some(self.extra.nth(2 * pair + 1)?),
                _ => return Err(Code::INVALID_VALUE),
            }
        }
        let (buffer, size) = buffer.zip(size).ok_or(Code::INVALID_VALUE)?;
        let size = pointed_at(std::ptr::with_exposed_provenance::<usize>(size)).get()?;
        pointed_at(std::ptr::with_exposed_provenance::<u8>(buffer)).bytes(size)
    }
}

fn launch(
    record: &mut Record,
    function: usize,
    shape: ([u32; 3], [u32; 3], u32),
    handle: usize,
    arguments: Arguments,
    cooperative: bool,
) -> Outcome {
    let stream = stream(handle)?;
    record.stream = Some(stream.number);
    let function = driver().functions.get(function)?;
    let ([x, y, z], [width, height, depth], _) = shape;
    record.detail =
        format!("{}, {x} x {y} x {z} blocks of {width} x {height} x {depth}", function.name);
    // Kernels start only where their stream and their module are at home.
    let home = usable()?.handle;
    if function.module.health.context != home || stream.health.context != home {
        return Err(Code::INVALID_HANDLE);
    }
    let params = arguments.gather(&function)?;
    let (grid, block, shared) = shape;
    let launch = Launch { function, grid, block, shared, params, cooperative };
    launch.check()?;
    submit(&stream, Task::Launch(launch))
}

/// The launch of a node of a graph.
pub(super) fn of_node(params: &KernelParams) -> Outcome<Launch> {
    let function = driver().functions.get(params.function)?;
    let arguments = Arguments { each: pointed_at(params.params), extra: pointed_at(params.extra) };
    let launch = Launch {
        grid: params.grid,
        block: params.block,
        shared: params.shared,
        params: arguments.gather(&function)?,
        cooperative: false,
        function,
    };
    launch.check()?;
    Ok(launch)
}

entries! {
    fn cuLaunchKernel(
        function: usize,
        grid_x: u32,
        grid_y: u32,
        grid_z: u32,
        block_x: u32,
        block_y: u32,
        block_z: u32,
        shared: u32,
        stream: usize,
        each: In<*const u8>,
        extra: In<usize>,
    ) |record| {
        let shape = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z], shared);
        launch(record, function, shape, stream, Arguments { each, extra }, false)
    }

    fn cuLaunchCooperativeKernel(
        function: usize,
        grid_x: u32,
        grid_y: u32,
        grid_z: u32,
        block_x: u32,
        block_y: u32,
        block_z: u32,
        shared: u32,
        stream: usize,
        each: In<*const u8>,
    ) |record| {
        let shape = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z], shared);
        let arguments = Arguments { each, extra: pointed_at(std::ptr::null()) };
        launch(record, function, shape, stream, arguments, true)
    }

    fn cuLaunchKernelEx(
        config: In<LaunchConfig>,
        function: usize,
        each: In<*const u8>,
        extra: In<usize>,
    ) |record| {
        let config = config.get()?;
        let attributes = pointed_at(config.attributes).list(config.count as usize)?;
        let mut is_cooperative = false;
        for attribute in attributes {
            match attribute.id {
                2 => is_cooperative = attribute.value[0] as u32 != 0,
                // Clusters are blocks that reach one another's shared memory.
                4 if attribute.value[0] != 1 << 32 | 1 || attribute.value[1] as u32 != 1 => {
                    return Err(Code::NOT_SUPPORTED);
                }
                _ => {}
            }
        }
        let shape = (config.grid, config.block, config.shared);
        launch(record, function, shape, config.stream, Arguments { each, extra }, is_cooperative)
    }
}
