//! Fills.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::entries;
use crate::capture;
use crate::codes::Outcome;
use crate::context::{stream, usable};
use crate::copies::Fill;
use crate::log::Record;
use crate::task::{Task, submit, synchronize};

/// Elements of a row, rows, and bytes from one row to the next.
type Shape = (usize, usize, usize);

fn ordered(record: &mut Record, handle: usize, to: u64, pattern: &[u8], shape: Shape) -> Outcome {
    let stream = stream(handle)?;
    let (elements, height, pitch) = shape;
    let width = elements * pattern.len();
    record.stream = Some(stream.number);
    record.bytes = (width * height) as u64;
    if width * height == 0 {
        return Ok(());
    }
    let fill = Fill { to, pattern: pattern.to_vec(), width, height, pitch };
    fill.check()?;
    submit(&stream, Task::Fill(fill))
}

/// A fill without a stream is ordered in the null stream.
fn plain(record: &mut Record, to: u64, pattern: &[u8], shape: Shape) -> Outcome {
    usable()?;
    capture::forbid_unsafe()?;
    ordered(record, 0, to, pattern, shape)?;
    synchronize(&*stream(0)?)
}

entries! {
    fn cuMemsetD8_v2(to: u64, value: u8, count: usize) |record| {
        plain(record, to, &[value], (count, 1, 0))
    }

    fn cuMemsetD16_v2(to: u64, value: u16, count: usize) |record| {
        plain(record, to, &value.to_ne_bytes(), (count, 1, 0))
    }

    fn cuMemsetD32_v2(to: u64, value: u32, count: usize) |record| {
        plain(record, to, &value.to_ne_bytes(), (count, 1, 0))
    }

    fn cuMemsetD2D8_v2(to: u64, pitch: usize, value: u8, width: usize, height: usize) |record| {
        plain(record, to, &[value], (width, height, pitch))
    }

    fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: usize) |record| {
        ordered(record, stream, to, &[value], (count, 1, 0))
    }

    fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: usize) |record| {
        ordered(record, stream, to, &value.to_ne_bytes(), (count, 1, 0))
    }

    fn cuMemsetD32Async(to: u64, value: u32, count: usize, stream: usize) |record| {
        ordered(record, stream, to, &value.to_ne_bytes(), (count, 1, 0))
    }

    fn cuMemsetD2D8Async(
        to: u64,
        pitch: usize,
        value: u8,
        width: usize,
        height: usize,
        stream: usize,
    ) |record| {
        ordered(record, stream, to, &[value], (width, height, pitch))
    }

    fn cuMemsetD2D16Async(
        to: u64,
        pitch: usize,
        value: u16,
        width: usize,
        height: usize,
        stream: usize,
    ) |record| {
        ordered(record, stream, to, &value.to_ne_bytes(), (width, height, pitch))
    }

    fn cuMemsetD2D32Async(
        to: u64,
        pitch: usize,
        value: u32,
        width: usize,
        height: usize,
        stream: usize,
    ) |record| {
        ordered(record, stream, to, &value.to_ne_bytes(), (width, height, pitch))
    }
}
