//! What the system says of the time that a thread has used a processor for. It is no clock: it stands
//! still while the thread waits.
#![allow(unsafe_code, reason = "asks the system for a clock")]

use std::time::Duration;

/// What this thread has used, where the system says so.
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) fn cpu_time() -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place for the time is a local.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).ok().filter(|_| status == 0)?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// What this thread has used, where the system says so.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) fn cpu_time() -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn it_goes_on_while_the_thread_works() {
        let (start, used) = (Instant::now(), cpu_time().unwrap());
        std::thread::sleep(Duration::from_millis(30));
        let slept = cpu_time().unwrap() - used;
        assert!(slept < start.elapsed() / 2, "{slept:?}");
        let used = cpu_time().unwrap();
        while cpu_time().unwrap() == used {}
    }
}
