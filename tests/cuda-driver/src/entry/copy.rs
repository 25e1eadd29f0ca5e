//! Copies: between devices and the host, in lines, planes and boxes.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::layouts::{Memcpy2d, Memcpy3d};
use super::{In, entries};
use crate::capture;
use crate::codes::{Code, Outcome};
use crate::context::{stream, usable};
use crate::copies::{Copy, Rows, Side};
use crate::driver::driver;
use crate::log::Record;
use crate::task::{Task, submit, synchronize};

/// A copy in a stream. One to pageable memory is over when the call returns.
fn ordered(record: &mut Record, handle: usize, from: Side, to: Side, rows: Rows) -> Outcome {
    let stream = stream(handle)?;
    record.stream = Some(stream.number);
    record.bytes = rows.bytes() as u64;
    if from.is_pageable() || to.is_pageable() {
        record.detail = "pageable".to_owned();
    }
    let copy = Copy::new(from, to, rows)?;
    let blocks = copy.is_blocking();
    submit(&stream, Task::Copy(copy))?;
    if blocks { synchronize(&stream) } else { Ok(()) }
}

/// A copy that is over when the call returns.
fn waited(record: &mut Record, from: Side, to: Side, rows: Rows) -> Outcome {
    usable()?;
    capture::forbid_unsafe()?;
    ordered(record, 0, from, to, rows)?;
    synchronize(&*stream(0)?)
}

entries! {
    fn cuMemcpyHtoD_v2(to: u64, from: In<u8>, bytes: usize) |record| {
        waited(record, Side::host(from.expose()), Side::device(to)?, Rows::line(bytes))
    }

    fn cuMemcpyDtoH_v2(to: In<u8>, from: u64, bytes: usize) |record| {
        waited(record, Side::device(from)?, Side::host(to.expose()), Rows::line(bytes))
    }

    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) |record| {
        waited(record, Side::device(from)?, Side::device(to)?, Rows::line(bytes))
    }

    fn cuMemcpy(to: u64, from: u64, bytes: usize) |record| {
        waited(record, Side::of(from), Side::of(to), Rows::line(bytes))
    }

    fn cuMemcpyHtoDAsync_v2(to: u64, from: In<u8>, bytes: usize, stream: usize) |record| {
        let (from, to) = (Side::host(from.expose()), Side::device(to)?);
        ordered(record, stream, from, to, Rows::line(bytes))
    }

    fn cuMemcpyDtoHAsync_v2(to: In<u8>, from: u64, bytes: usize, stream: usize) |record| {
        let (from, to) = (Side::device(from)?, Side::host(to.expose()));
        ordered(record, stream, from, to, Rows::line(bytes))
    }

    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: usize) |record| {
        ordered(record, stream, Side::device(from)?, Side::device(to)?, Rows::line(bytes))
    }

    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: usize) |record| {
        ordered(record, stream, Side::of(from), Side::of(to), Rows::line(bytes))
    }

    fn cuMemcpyPeer(
        to: u64,
        to_context: usize,
        from: u64,
        from_context: usize,
        bytes: usize,
    ) |record| {
        known(to_context)?;
        known(from_context)?;
        waited(record, Side::device(from)?, Side::device(to)?, Rows::line(bytes))
    }

    fn cuMemcpyPeerAsync(
        to: u64,
        to_context: usize,
        from: u64,
        from_context: usize,
        bytes: usize,
        stream: usize,
    ) |record| {
        known(to_context)?;
        known(from_context)?;
        ordered(record, stream, Side::device(from)?, Side::device(to)?, Rows::line(bytes))
    }

    fn cuMemcpy3DPeerAsync(params: In<Memcpy3d>, stream: usize) |record| {
        let params = params.get()?;
        known(params.src_context)?;
        known(params.dst_context)?;
        let (from, to, rows) = block(&params)?;
        ordered(record, stream, from, to, rows)
    }

    fn cuMemcpy2D_v2(params: In<Memcpy2d>) |record| {
        let (from, to, rows) = plane(&params.get()?)?;
        waited(record, from, to, rows)
    }

    fn cuMemcpy2DUnaligned_v2(params: In<Memcpy2d>) |record| {
        let (from, to, rows) = plane(&params.get()?)?;
        waited(record, from, to, rows)
    }

    fn cuMemcpy2DAsync_v2(params: In<Memcpy2d>, stream: usize) |record| {
        let (from, to, rows) = plane(&params.get()?)?;
        ordered(record, stream, from, to, rows)
    }

    fn cuMemcpy3D_v2(params: In<Memcpy3d>) |record| {
        let (from, to, rows) = block(&params.get()?)?;
        waited(record, from, to, rows)
    }

    fn cuMemcpy3DAsync_v2(params: In<Memcpy3d>, stream: usize) |record| {
        let (from, to, rows) = block(&params.get()?)?;
        ordered(record, stream, from, to, rows)
    }
}

fn known(context: usize) -> Outcome {
    driver().contexts.get(context).map(drop).map_err(|_| Code::INVALID_CONTEXT)
}

/// One side of a copy of rows, by its type of memory.
fn side(kind: u32, host: usize, device: u64, offset: usize) -> Outcome<Side> {
    match kind {
        1 => {
            // The pointer stood in a struct, where only its number was read.
            let host = std::ptr::with_exposed_provenance::<u8>(host + offset);
            Ok(Side::host(super::pointers::pointed_at(host).expose()))
        }
        2 => Side::device(device + offset as u64),
        4 => Ok(Side::of(device + offset as u64)),
        // Arrays for textures are not there.
        _ => Err(Code::INVALID_VALUE),
    }
}

/// A copy of rows as its parts.
fn plane(params: &Memcpy2d) -> Outcome<(Side, Side, Rows)> {
    block(&Memcpy3d {
        src_x: params.src_x,
        src_y: params.src_y,
        src_z: 0,
        src_lod: 0,
        src_type: params.src_type,
        src_host: params.src_host,
        src_device: params.src_device,
        src_array: 0,
        src_context: 0,
        src_pitch: params.src_pitch,
        src_height: 0,
        dst_x: params.dst_x,
        dst_y: params.dst_y,
        dst_z: 0,
        dst_lod: 0,
        dst_type: params.dst_type,
        dst_host: params.dst_host,
        dst_device: params.dst_device,
        dst_array: 0,
        dst_context: 0,
        dst_pitch: params.dst_pitch,
        dst_height: 0,
        width: params.width,
        height: params.height,
        depth: 1,
    })
}

/// A copy of planes as its parts.
pub(super) fn block(params: &Memcpy3d) -> Outcome<(Side, Side, Rows)> {
    let pitches = |pitch: usize, height: usize, x: usize| {
        // Zero stands for rows that follow one another.
        let pitch = if pitch == 0 { params.width } else { pitch };
        let height = if height == 0 { params.height } else { height };
        let is_wide = pitch >= params.width + x || params.height * params.depth <= 1;
        if is_wide { Ok([pitch, pitch * height]) } else { Err(Code::INVALID_VALUE) }
    };
    let from = pitches(params.src_pitch, params.src_height, params.src_x)?;
    let to = pitches(params.dst_pitch, params.dst_height, params.dst_x)?;
    let offset =
        |pitches: [usize; 2], z: usize, y: usize, x: usize| z * pitches[1] + y * pitches[0] + x;
    let read = offset(from, params.src_z, params.src_y, params.src_x);
    let written = offset(to, params.dst_z, params.dst_y, params.dst_x);
    let rows = Rows { width: params.width, height: params.height, depth: params.depth, from, to };
    Ok((
        side(params.src_type, params.src_host, params.src_device, read)?,
        side(params.dst_type, params.dst_host, params.dst_device, written)?,
        rows,
    ))
}
