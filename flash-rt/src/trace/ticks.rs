//! The counter of a processor, where the clock of the system is made of it: to read it takes less than half
//! as long. It is no clock: what was read becomes a time by two looks at both.
#![cfg_attr(
    all(target_os = "linux", target_arch = "x86_64", not(miri)),
    allow(unsafe_code, reason = "reads a counter of the processor")
)]

use std::time::Instant;

/// The counter, and what it was at the start of a clock.
#[derive(Debug)]
pub(super) struct Ticks {
    start: Instant,
    first: Mark,
}

/// A moment by both: the counter was read after the clock.
#[derive(Clone, Copy, Debug)]
struct Mark {
    nanos: u64,
    ticks: u64,
}

/// What the counter says in nanoseconds, as of the last of two moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    last: Mark,
    /// Nanoseconds.
    tick: f64,
}

impl Ticks {
    /// The counter beside a clock that was started then; none where the system does not trust it.
    pub(super) fn new(start: Instant) -> Option<Self> {
        is_trusted().then(|| Self { start, first: Mark::now(start) })
    }

    /// What it says now.
    #[inline]
    pub(super) fn now(&self) -> u64 {
        read()
    }

    /// What it said becomes a time, which is no later than that of the clock, and earlier by no more than it
    /// takes to read that.
    pub(super) fn scale(&self) -> Scale {
        let last = Mark::now(self.start);
        let ticks = last.ticks.saturating_sub(self.first.ticks).max(1);
        let nanos = last.nanos.saturating_sub(self.first.nanos);
        Scale { last, tick: nanos as f64 / ticks as f64 }
    }
}

impl Mark {
    /// This moment. Of some looks the shortest one is taken: a thread may lose its processor in one.
    fn now(start: Instant) -> Self {
        let look = |()| {
            let before = read();
            let nanos = start.elapsed().as_nanos() as u64;
            let ticks = read();
            (ticks.wrapping_sub(before), Self { nanos, ticks })
        };
        let mut looks = [(); 3].map(look);
        looks.sort_unstable_by_key(|(width, _)| *width);
        looks[0].1
    }
}

impl Scale {
    /// Nanoseconds from the start of the clock to when the counter said this.
    #[inline]
    pub(super) fn nanos(&self, ticks: u64) -> u64 {
        let ago = self.last.ticks.saturating_sub(ticks) as f64 * self.tick;
        self.last.nanos.saturating_sub(ago as u64)
    }
}

/// Whether the clock of the system is the counter, which it is only where that goes on at one speed and says
/// the same on all processors.
fn is_trusted() -> bool {
    const CLOCK: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    cfg!(all(target_os = "linux", target_arch = "x86_64", not(miri)))
        && std::fs::read_to_string(CLOCK).is_ok_and(|clock| clock.trim() == "tsc")
}

#[inline]
fn read() -> u64 {
    #[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
    // SAFETY: every processor of the target has the counter.
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64", not(miri))))]
    0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_counter_says_what_the_clock_says() {
        let start = Instant::now();
        let Some(ticks) = Ticks::new(start) else { return };
        // Looks at both, from the first moment on; of each the clock is read before and after.
        let mut looks = vec![];
        while start.elapsed() < Duration::from_millis(20) {
            let before = start.elapsed().as_nanos() as u64;
            let at = ticks.now();
            looks.push((before, at, start.elapsed().as_nanos() as u64));
            if looks.len().is_multiple_of(100) {
                let scale = ticks.scale();
                for (before, at, after) in looks.drain(..) {
                    let said = scale.nanos(at);
                    // A look at the clock takes 0.1 us at most, but where a thread loses its processor.
                    assert!(said <= after, "{before} <= {said} <= {after}");
                    assert!(said + 2_000 >= before, "{before} <= {said} <= {after}");
                }
            }
        }
    }
}
