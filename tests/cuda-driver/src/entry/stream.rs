//! Streams: made, waited for, asked, ended.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::pointers::HostCall;
use super::{Out, entries};
use crate::capture;
use crate::codes::{Code, Outcome};
use crate::context::{current, stream, usable};
use crate::driver::driver;
use crate::stream::Stream;
use crate::task::{self, Task, submit, synchronize};

fn create(out: Out<usize>, flags: u32, priority: i32) -> Outcome<u64> {
    let context = usable()?;
    if flags & !1 != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let driver = driver();
    let number = driver.serial();
    let health = context.health.clone();
    let stream = driver
        .streams
        .insert(|handle| Stream::new(handle, number, flags, priority.clamp(-5, 0), health));
    out.put(stream.handle)?;
    Ok(number)
}

entries! {
    fn cuStreamCreate(out: Out<usize>, flags: u32) |record| {
        record.stream = Some(create(out, flags, 0)?);
        Ok(())
    }

    fn cuStreamCreateWithPriority(out: Out<usize>, flags: u32, priority: i32) |record| {
        record.stream = Some(create(out, flags, priority)?);
        Ok(())
    }

    // What was submitted still runs.
    fn cuStreamDestroy_v2(handle: usize) |record| {
        current()?;
        let stream = driver().streams.get(handle)?;
        record.stream = Some(stream.number);
        driver().streams.remove(handle)?;
        stream.close();
        stream.health.check()
    }

    fn cuStreamSynchronize(handle: usize) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        capture::forbid_stream(&stream)?;
        synchronize(&stream)
    }

    fn cuStreamQuery(handle: usize) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        capture::forbid_stream(&stream)?;
        if stream.line.pending().is_some() {
            return Err(Code::NOT_READY);
        }
        crate::hazards::host_knows(&stream.clock);
        Ok(())
    }

    fn cuStreamWaitEvent(handle: usize, event: usize, flags: u32) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        if flags & !1 != 0 {
            return Err(Code::INVALID_VALUE);
        }
        task::wait(&stream, &driver().events.get(event)?)
    }

    fn cuStreamGetCtx(handle: usize, out: Out<usize>) |_record| {
        out.put(stream(handle)?.health.context)
    }

    fn cuStreamGetDevice(handle: usize, out: Out<i32>) |_record| {
        out.put(stream(handle)?.health.device as i32)
    }

    fn cuStreamGetFlags(handle: usize, out: Out<u32>) |_record| {
        out.put(stream(handle)?.flags)
    }

    fn cuStreamGetPriority(handle: usize, out: Out<i32>) |_record| {
        out.put(stream(handle)?.priority)
    }

    fn cuStreamGetId(handle: usize, out: Out<u64>) |_record| {
        out.put(stream(handle)?.number)
    }

    fn cuLaunchHostFunc(handle: usize, function: HostCall, user: super::In<u8>) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        submit(&stream, Task::Host(function.with(user.expose())?))
    }
}
