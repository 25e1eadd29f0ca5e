//! Contexts, and which one is current on a thread. They hold their streams, memory and modules only
//! by name.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crate::codes::{Code, Outcome};
use crate::driver::{driver, waits};
use crate::hazards;
use crate::health::Health;
use crate::locks::lock;
use crate::stream::Stream;

/// A context.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) handle: usize,
    pub(crate) flags: AtomicU32,
    pub(crate) health: Arc<Health>,
    pub(crate) null: Arc<Stream>,
    /// The devices whose memory its kernels may reach.
    pub(crate) peers: Mutex<BTreeSet<usize>>,
}

/// The primary context of a device.
#[derive(Debug, Default)]
pub(crate) struct Primary {
    pub(crate) users: u32,
    pub(crate) flags: u32,
    pub(crate) context: Option<Arc<Context>>,
}

thread_local! {
    static CURRENT: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl Context {
    /// A new context on a device.
    pub(crate) fn create(device: usize, flags: u32) -> Outcome<Arc<Self>> {
        driver().present(device)?;
        Ok(driver().contexts.insert(|handle| {
            let health = Arc::new(Health::new(device, handle));
            let null = Arc::new(Stream::new(0, 0, 0, 0, health.clone()));
            Self { handle, flags: AtomicU32::new(flags), health, null, peers: Mutex::default() }
        }))
    }

    pub(crate) fn device(&self) -> usize {
        self.health.device
    }

    /// Waits for all streams.
    pub(crate) fn drain(&self) {
        waits();
        for stream in driver().streams_of(self) {
            stream.drain();
            hazards::host_knows(&stream.clock);
        }
    }

    /// Ends the context and frees what belongs to it. What has not begun to run does not run.
    pub(crate) fn destroy(&self) {
        if driver().contexts.remove(self.handle).is_err() {
            return;
        }
        self.health.die();
        self.drain();
        let driver = driver();
        let others = |health: &Health| health.context != self.handle;
        let streams = driver.streams.take(|stream| others(&stream.health));
        for stream in streams.iter().chain([&self.null]) {
            stream.close();
        }
        drop(driver.events.take(|event| others(&event.health)));
        drop(driver.functions.take(|function| others(&function.module.health)));
        drop(driver.modules.take(|module| others(&module.health)));
        drop(driver.execs.take(|exec| others(&exec.health)));
        driver.memories[self.device()].leave(self.handle);
        driver.host.leave(self.handle);
    }
}

impl Primary {
    /// Another user of the primary context, which is made for the first one.
    pub(crate) fn retain(device: usize) -> Outcome<Arc<Context>> {
        let mut primary = lock(&driver().primaries[device]);
        let context = match &primary.context {
            Some(context) => context.clone(),
            None => Context::create(device, primary.flags)?,
        };
        primary.context = Some(context.clone());
        primary.users += 1;
        Ok(context)
    }

    /// One user less; the last one ends the context.
    pub(crate) fn release(device: usize) -> Outcome {
        let mut primary = lock(&driver().primaries[device]);
        primary.users = primary.users.checked_sub(1).ok_or(Code::INVALID_CONTEXT)?;
        let context = if primary.users == 0 { primary.context.take() } else { None };
        drop(primary);
        if let Some(context) = context {
            context.destroy();
        }
        Ok(())
    }

    /// Ends the context whoever uses it. The next user gets a new one.
    pub(crate) fn reset(device: usize) {
        let context = lock(&driver().primaries[device]).context.take();
        if let Some(context) = context {
            context.destroy();
        }
    }
}

/// The context that is current on this thread, which may be ill.
pub(crate) fn current() -> Outcome<Arc<Context>> {
    let handle = current_handle().ok_or(Code::INVALID_CONTEXT)?;
    driver().contexts.get(handle).map_err(|_| Code::CONTEXT_IS_DESTROYED)
}

/// The context that is current on this thread, unless an error has stayed in it.
pub(crate) fn usable() -> Outcome<Arc<Context>> {
    let context = current()?;
    context.health.check()?;
    Ok(context)
}

/// Whatever handle is current.
pub(crate) fn current_handle() -> Option<usize> {
    CURRENT.with_borrow(|stack| stack.last().copied())
}

/// Replaces what is current; 0 takes it away.
pub(crate) fn set_current(handle: usize) -> Outcome {
    if handle != 0 {
        driver().contexts.get(handle).map_err(|_| Code::INVALID_CONTEXT)?;
    }
    CURRENT.with_borrow_mut(|stack| {
        stack.pop();
        if handle != 0 {
            stack.push(handle);
        }
    });
    Ok(())
}

pub(crate) fn push_current(handle: usize) -> Outcome {
    driver().contexts.get(handle).map_err(|_| Code::INVALID_CONTEXT)?;
    CURRENT.with_borrow_mut(|stack| stack.push(handle));
    Ok(())
}

pub(crate) fn pop_current() -> Outcome<usize> {
    CURRENT.with_borrow_mut(Vec::pop).ok_or(Code::INVALID_CONTEXT)
}

/// The stream of a handle, where 0 to 2 stand for the null stream of the current context. Streams of
/// other contexts can be waited for, and copied in.
pub(crate) fn stream(handle: usize) -> Outcome<Arc<Stream>> {
    if handle <= 2 {
        return Ok(usable()?.null.clone());
    }
    current()?;
    let stream = driver().streams.get(handle)?;
    stream.health.check()?;
    Ok(stream)
}

/// The device of the current context, for the log.
pub(crate) fn current_device() -> Option<usize> {
    let handle = current_handle()?;
    driver().contexts.get(handle).ok().map(|context| context.device())
}

/// The flags of a context.
pub(crate) fn flags(context: &Context) -> u32 {
    context.flags.load(Relaxed)
}
