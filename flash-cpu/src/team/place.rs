//! Which processors this process may use, and on which one a thread runs. It starts no threads.
#![allow(unsafe_code, reason = "calls of the scheduler interface of Linux")]

use std::num::NonZero;

/// Where a thread stands that is about to launch.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    pub(super) seat: usize,
    pub(super) processor: Option<usize>,
}

/// The processors this process may use, ascending; empty where the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn allowed() -> Vec<usize> {
    let Some(set) = affinity() else { return Vec::new() };
    (0..libc::CPU_SETSIZE as usize)
        .filter(|&cpu| {
            // SAFETY: `cpu` is below `CPU_SETSIZE`, and the set is initialised.
            unsafe { libc::CPU_ISSET(cpu, &set) }
        })
        .collect()
}

/// How many threads can run at once: the processor set and the quotas of control groups count.
pub(super) fn parallelism() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// The processor the caller runs on.
#[cfg(target_os = "linux")]
#[inline]
pub(super) fn current() -> Option<usize> {
    if cfg!(miri) {
        return None;
    }
    // SAFETY: the call has no arguments and no effect.
    let cpu = unsafe { libc::sched_getcpu() };
    usize::try_from(cpu).ok()
}

/// Binds the calling thread to one processor; a refusal leaves it where it is.
#[cfg(target_os = "linux")]
pub(super) fn bind(cpu: usize) {
    if cpu < libc::CPU_SETSIZE as usize {
        let mut set = empty();
        // SAFETY: `cpu` is below `CPU_SETSIZE`, and the set is initialised.
        unsafe { libc::CPU_SET(cpu, &mut set) };
        apply(&set);
    }
}

/// Moves the calling thread off the processor `cpu` if it runs there and may run elsewhere.
#[cfg(target_os = "linux")]
pub(super) fn leave(cpu: usize) {
    if current() != Some(cpu) || cpu >= libc::CPU_SETSIZE as usize {
        return;
    }
    let Some(all) = affinity() else { return };
    let mut others = all;
    // SAFETY: `cpu` is below `CPU_SETSIZE`, and the set is initialised.
    unsafe { libc::CPU_CLR(cpu, &mut others) };
    // SAFETY: the set is initialised.
    if unsafe { libc::CPU_COUNT(&others) } > 0 {
        apply(&others);
        apply(&all);
    }
}

#[cfg(target_os = "linux")]
fn empty() -> libc::cpu_set_t {
    // SAFETY: a processor set is an array of integers, for which zero bytes are valid.
    unsafe { std::mem::zeroed() }
}

#[cfg(target_os = "linux")]
fn affinity() -> Option<libc::cpu_set_t> {
    let mut set = empty();
    // SAFETY: `set` is writable for the size passed; 0 is the calling thread.
    let status = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) };
    (status == 0).then_some(set)
}

#[cfg(target_os = "linux")]
fn apply(set: &libc::cpu_set_t) {
    // SAFETY: `set` is readable for the size passed; 0 is the calling thread. A refusal (the set of
    // the process changed meanwhile) only costs locality.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set) };
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    pub(in super::super) fn allowed() -> Vec<usize> {
        Vec::new()
    }
    pub(in super::super) fn current() -> Option<usize> {
        None
    }
    pub(in super::super) fn bind(_cpu: usize) {}
    pub(in super::super) fn leave(_cpu: usize) {}
}
#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{allowed, bind, current, leave};
