//! Events: made, recorded, waited for, asked, ended.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::{Out, entries};
use crate::capture;
use crate::codes::{Code, Outcome};
use crate::context::{current, stream, usable};
use crate::driver::{driver, waits};
use crate::event::Event;
use crate::hazards;
use crate::log::Record;
use crate::task;

fn record(record: &mut Record, event: usize, handle: usize) -> Outcome {
    let stream = stream(handle)?;
    record.stream = Some(stream.number);
    task::record(&stream, &driver().events.get(event)?)
}

fn elapsed(out: Out<f32>, start: usize, end: usize) -> Outcome {
    current()?;
    let events = &driver().events;
    let (start, end) = (events.get(start)?, events.get(end)?);
    start.health.check()?;
    out.put(start.elapsed(&end)?)
}

entries! {
    fn cuEventCreate(out: Out<usize>, flags: u32) |record| {
        let context = usable()?;
        // Blocking waits, no timing, between processes.
        if flags & !7 != 0 {
            return Err(Code::INVALID_VALUE);
        }
        if flags & 2 == 0 {
            record.detail = "timed".to_owned();
        }
        let health = context.health.clone();
        out.put(driver().events.insert(|handle| Event::new(handle, flags, health)).handle)
    }

    fn cuEventDestroy_v2(handle: usize) |_record| {
        current()?;
        driver().events.remove(handle)?.health.check()
    }

    fn cuEventRecord(event: usize, stream: usize) |entry| {
        record(entry, event, stream)
    }

    fn cuEventRecordWithFlags(event: usize, stream: usize, flags: u32) |entry| {
        if flags & !1 != 0 {
            return Err(Code::INVALID_VALUE);
        }
        record(entry, event, stream)
    }

    // It alone needs no context.
    fn cuEventQuery(handle: usize) |_record| {
        let event = driver().events.get(handle)?;
        event.health.check()?;
        capture::forbid_event(&event)?;
        if !event.is_reached() {
            return Err(Code::NOT_READY);
        }
        hazards::host_knows(&event.clock);
        Ok(())
    }

    fn cuEventSynchronize(handle: usize) |_record| {
        current()?;
        let event = driver().events.get(handle)?;
        event.health.check()?;
        capture::forbid_event(&event)?;
        waits();
        event.wait(event.newest());
        hazards::host_knows(&event.clock);
        event.health.check()
    }

    fn cuEventElapsedTime(out: Out<f32>, start: usize, end: usize) |_record| {
        elapsed(out, start, end)
    }

    fn cuEventElapsedTime_v2(out: Out<f32>, start: usize, end: usize) |_record| {
        elapsed(out, start, end)
    }
}
