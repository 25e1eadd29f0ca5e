//! Captures of streams into graphs.
#![allow(unsafe_code, reason = "functions are exported by name")]

use std::cell::RefCell;

use super::{In, Out, entries};
use crate::capture::{self, Info, Mode};
use crate::codes::{Code, Outcome};
use crate::context::stream;
use crate::driver::driver;

thread_local! {
    /// What the thread was last told a stream comes after; callers read it until their next call.
    static AFTER: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

fn status(info: &Option<Info>) -> u32 {
    match info {
        None => 0,
        Some(info) if info.is_broken => 2,
        Some(_) => 1,
    }
}

/// The handles of what a stream comes after.
fn after(info: &Info) -> (*const usize, usize) {
    let graph = &info.capture.graph;
    AFTER.with_borrow_mut(|after| {
        *after = info.tails.iter().map(|&node| graph.node_handle(node)).collect();
        (after.as_ptr(), after.len())
    })
}

fn numbers(handle: usize, nodes: In<usize>, count: usize) -> Outcome<Vec<usize>> {
    let info = capture::info(&*stream(handle)?).ok_or(Code::ILLEGAL_STATE)?;
    nodes.list(count)?.into_iter().map(|node| info.capture.graph.node_of(node)).collect()
}

entries! {
    fn cuStreamBeginCapture_v2(handle: usize, mode: u32) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        capture::begin(&stream, None, Vec::new(), Mode::from_number(mode)?)
    }

    fn cuStreamBeginCaptureToGraph(
        handle: usize,
        graph: usize,
        after: In<usize>,
        _edges: In<u64>,
        count: usize,
        mode: u32,
    ) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        let graph = driver().graphs.get(graph)?;
        let after: Outcome<Vec<usize>> =
            after.list(count)?.into_iter().map(|node| graph.node_of(node)).collect();
        capture::begin(&stream, Some(graph), after?, Mode::from_number(mode)?)
    }

    fn cuStreamEndCapture(handle: usize, out: Out<usize>) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        out.offer(0);
        out.put(capture::end(&stream)?.handle)
    }

    fn cuStreamIsCapturing(handle: usize, out: Out<u32>) |_record| {
        out.put(status(&capture::info(&*stream(handle)?)))
    }

    fn cuStreamGetCaptureInfo_v2(
        handle: usize,
        state: Out<u32>,
        id: Out<u64>,
        graph: Out<usize>,
        nodes: Out<*const usize>,
        count: Out<usize>,
    ) |_record| {
        let info = capture::info(&*stream(handle)?);
        state.put(status(&info))?;
        if let Some(info) = info {
            id.offer(info.capture.id);
            graph.offer(info.capture.graph.handle);
            let (list, len) = after(&info);
            nodes.offer(list);
            count.offer(len);
        }
        Ok(())
    }

    fn cuStreamGetCaptureInfo_v3(
        handle: usize,
        state: Out<u32>,
        id: Out<u64>,
        graph: Out<usize>,
        nodes: Out<*const usize>,
        edges: Out<*const u64>,
        count: Out<usize>,
    ) |_record| {
        let info = capture::info(&*stream(handle)?);
        state.put(status(&info))?;
        if let Some(info) = info {
            id.offer(info.capture.id);
            graph.offer(info.capture.graph.handle);
            let (list, len) = after(&info);
            nodes.offer(list);
            // There are only plain edges.
            edges.offer(std::ptr::null());
            count.offer(len);
        }
        Ok(())
    }

    fn cuStreamUpdateCaptureDependencies(
        handle: usize,
        nodes: In<usize>,
        count: usize,
        flags: u32,
    ) |_record| {
        capture::follow(&*stream(handle)?, numbers(handle, nodes, count)?, flags == 1)
    }

    fn cuStreamUpdateCaptureDependencies_v2(
        handle: usize,
        nodes: In<usize>,
        _edges: In<u64>,
        count: usize,
        flags: u32,
    ) |_record| {
        capture::follow(&*stream(handle)?, numbers(handle, nodes, count)?, flags == 1)
    }

    fn cuThreadExchangeStreamCaptureMode(mode: Out<u32>) |_record| {
        let new = Mode::from_number(mode.get()?)?;
        mode.put(capture::exchange_mode(new) as u32)
    }
}
