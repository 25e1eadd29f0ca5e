//! The life of a helper: it looks for a launch, takes part while there is a processor for it, and
//! sleeps. Launches are led elsewhere.

use std::time::{Duration, Instant};

use flash_rt::backend::at_work;

use super::bell::NOWHERE;
use super::patience::Patience;
use super::sync::{self, Ordering, fence};
use super::{ASLEEP, AWAKE, GAVE_UP, LOOKS, Shared, place, turn};

/// A look that takes longer than this was one slice of another thread or more: somebody else has
/// work for the processor. Interrupts of the system and of a virtual machine's host are shorter.
const INTERRUPTION: Duration = Duration::from_micros(400);

impl Shared {
    /// The life of a helper.
    pub(super) fn help(&self, seat: usize) {
        if let Some(&cpu) = self.layout.processors.get(seat) {
            place::bind(cpu);
        }
        let mut seen = 0;
        let mut sits_out = false;
        let mut patience = Patience::new(&self.layout);
        loop {
            let slept;
            (seen, slept) = self.await_launch(seat, seen, sits_out, &mut patience);
            if self.bell.stop.load(Ordering::Relaxed) {
                return;
            }
            // The caller works on this processor: the helper would only take turns with it.
            sits_out = self.is_bound() && self.bell.leader.load(Ordering::Relaxed) == seat as u32;
            if sits_out {
                continue;
            }
            if slept {
                self.arrive();
            }
            sits_out = if turn::is_one(seen) {
                self.take_turn(seat, seen);
                false
            } else {
                !self.work(seat, || self.has_room(seat))
            };
        }
    }

    /// What a helper does when it was woken: it wakes two more, so that many wake in few steps, and
    /// moves off the caller's processor if the system woke it there.
    fn arrive(&self) {
        if self.seats.iter().any(|seat| seat.share.has_more()) {
            self.wake_two();
            let processor = self.bell.processor.load(Ordering::Relaxed);
            if !cfg!(loom) && !self.is_bound() && !self.layout.crowded && processor != NOWHERE {
                place::leave(processor as usize);
            }
        }
    }

    /// Whether there is a processor for the helper of a seat, beside those of threads that are at work
    /// elsewhere. The first of them from the leader on are to stay.
    #[inline]
    pub(super) fn has_room(&self, seat: usize) -> bool {
        let leader = self.bell.leader.load(Ordering::Relaxed) as usize;
        let (n, others) = (self.seats.len(), at_work::count().max(1));
        // Where there are more workers than processors, the system lets them take turns in any case.
        self.layout.crowded || (seat + n - leader) % n + others <= self.layout.parallelism
    }

    /// Waits for a launch other than `seen`; its number, and whether the helper slept.
    fn await_launch(
        &self,
        seat: usize,
        seen: u64,
        sits_out: bool,
        patience: &mut Patience,
    ) -> (u64, bool) {
        if !sits_out {
            patience.has_worked(Instant::now());
            loop {
                for _ in 0..LOOKS {
                    // Acquire pairs with the release in `launch` and in `Team::drop`.
                    let launch = self.bell.launch.load(Ordering::Acquire);
                    if launch != seen {
                        return (launch, false);
                    }
                    sync::pause(self.layout.crowded);
                }
                if cfg!(loom) || patience.is_over(Instant::now()) || !self.has_room(seat) {
                    break;
                }
            }
            if !cfg!(loom)
                && let Some(launch) = self.stay_up(seat, seen, patience)
            {
                return (launch, false);
            }
        }
        let woken = self.sleep(seat, seen);
        patience.clock = Instant::now();
        woken
    }

    /// Waits on for the next launch of a slow series, if there is one, without being in the way.
    fn stay_up(&self, seat: usize, seen: u64, patience: &mut Patience) -> Option<u64> {
        let linger = &self.bell.linger;
        let up = patience.clock;
        loop {
            let micros = linger.load(Ordering::Relaxed);
            if micros == 0 || micros == GAVE_UP || !self.has_room(seat) {
                return None;
            }
            let limit = Duration::from_micros(u64::from(micros));
            sync::pause(true);
            // Acquire as in `await_launch`.
            let launch = self.bell.launch.load(Ordering::Acquire);
            if launch != seen {
                return Some(launch);
            }
            let before = std::mem::replace(&mut patience.clock, Instant::now());
            if patience.clock.saturating_duration_since(before) > INTERRUPTION {
                linger.store(GAVE_UP, Ordering::Relaxed);
            }
            if patience.clock.saturating_duration_since(up) > limit {
                return None;
            }
        }
    }

    fn sleep(&self, seat: usize, seen: u64) -> (u64, bool) {
        let bed = &self.seats[seat].bed;
        // Swaps, as in `rouse`: what was read last is never older than what another swap wrote.
        bed.word.swap(ASLEEP, Ordering::AcqRel);
        self.lead.sleepers.fetch_add(1, Ordering::Relaxed);
        // Pairs with the fence in `launch` and in `Team::drop`.
        fence(Ordering::SeqCst);
        let mut launch = self.bell.launch.load(Ordering::Acquire);
        let mut slept = false;
        if launch == seen {
            // Until somebody takes the helper out of its bed: a launch that wakes nobody does not
            // count, so an early return of `wait` is not a wake-up.
            while bed.word.load(Ordering::Acquire) == ASLEEP {
                bed.wait(ASLEEP);
            }
            slept = true;
            launch = self.bell.launch.load(Ordering::Acquire);
        }
        bed.word.swap(AWAKE, Ordering::AcqRel);
        self.lead.sleepers.fetch_sub(1, Ordering::Relaxed);
        (launch, slept)
    }
}
