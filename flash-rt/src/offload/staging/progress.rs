//! How far a long copy is whose parts several threads make. It makes none of them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::backend::Region;

/// What is copied at once: on the device, and on the host.
pub type Part = (Region, Region);

/// How far the parts of a copy are. `F` is what goes wrong with one.
#[derive(Debug)]
pub struct Progress<F> {
    parts: Vec<Part>,
    /// Whether they are brought to the host when the device is done with them.
    lands: bool,
    state: Mutex<State<F>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<F> {
    /// The parts that somebody has begun, has submitted, and has brought to the host.
    begun: usize,
    submitted: usize,
    landed: usize,
    /// Threads that are at it.
    at_it: usize,
    failed: Option<F>,
    is_given_up: bool,
}

impl<F> State<F> {
    fn goes_on(&self) -> bool {
        self.failed.is_none() && !self.is_given_up
    }
}

/// How far a copy is, beyond what events of its device say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage<F> {
    /// Not all of it is submitted.
    Open,
    /// All of it is submitted; what is in pieces may have to be brought to the host.
    Submitted,
    /// Nothing is left to be done by threads.
    Over,
    /// It is given up, or this went wrong.
    Failed(Option<F>),
}

impl<F: Copy + PartialEq> Progress<F> {
    /// Of parts that nobody has begun.
    pub fn new(parts: Vec<Part>, lands: bool) -> Self {
        let (failed, is_given_up) = (None, false);
        let state = State { begun: 0, submitted: 0, landed: 0, at_it: 0, failed, is_given_up };
        Self { parts, lands, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn until<'s>(
        &self,
        mut state: MutexGuard<'s, State<F>>,
        is_so: impl Fn(&State<F>) -> bool,
    ) -> MutexGuard<'s, State<F>> {
        while !is_so(&state) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    fn stage_of(&self, state: &State<F>) -> Stage<F> {
        let n = self.parts.len();
        match state {
            State { is_given_up: false, failed: None, .. } => match self.lands {
                _ if state.submitted < n => Stage::Open,
                true if state.landed < n => Stage::Submitted,
                false if state.at_it > 0 => Stage::Submitted,
                _ => Stage::Over,
            },
            State { at_it: 1.., .. } => Stage::Open,
            State { failed, .. } => Stage::Failed(*failed),
        }
    }

    /// How many parts it has.
    pub fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// How far it is.
    pub fn stage(&self) -> Stage<F> {
        self.stage_of(&self.state())
    }

    /// Returns when it is no longer at a stage.
    pub fn leave(&self, stage: Stage<F>) {
        drop(self.until(self.state(), |state| self.stage_of(state) != stage));
    }

    /// Lets nobody begin or submit a part any more. What is submitted goes on.
    pub fn stop(&self) {
        self.state().is_given_up = true;
        self.changed.notify_all();
    }

    /// As [`Progress::stop`]; returns when nobody is at a part.
    pub fn give_up(&self) {
        self.stop();
        drop(self.until(self.state(), |state| state.at_it == 0));
    }

    /// Whether there is a part that nobody has begun.
    pub fn has_more(&self) -> bool {
        let state = self.state();
        state.goes_on() && state.begun < self.parts.len()
    }

    /// Begins the next part, if there is one; whoever does so [ends](Progress::end) it.
    pub fn begin(&self) -> Option<(usize, &Part)> {
        let mut state = self.state();
        let k = state.begun;
        let part = self.parts.get(k).filter(|_| state.goes_on())?;
        state.begun += 1;
        state.at_it += 1;
        Some((k, part))
    }

    /// Ends a part, which has become this.
    pub fn end(&self, made: Result<(), F>) {
        let mut state = self.state();
        state.at_it -= 1;
        if let Err(failure) = made {
            state.failed.get_or_insert(failure);
        }
        self.changed.notify_all();
    }

    /// Returns when all parts before the `k`-th are submitted; `false` where none follows them.
    pub fn turn(&self, k: usize) -> bool {
        self.until(self.state(), |state| state.submitted >= k || !state.goes_on()).goes_on()
    }

    /// Notes that a part is submitted. Whoever sees that all of them are finds done what `then` does, which
    /// is told whether this is the last one.
    ///
    /// # Errors
    ///
    /// What `then` gives.
    pub fn submitted(&self, then: impl FnOnce(bool) -> Result<(), F>) -> Result<(), F> {
        let mut state = self.state();
        state.submitted += 1;
        then(state.submitted == self.parts.len())?;
        self.changed.notify_all();
        Ok(())
    }

    /// Notes that a part is at the host.
    pub fn landed(&self) {
        self.state().landed += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(n: u64, lands: bool) -> Progress<u8> {
        let part = |k| (Region::row(k, 1), Region::row(k, 1));
        Progress::new((0..n).map(part).collect(), lands)
    }

    #[test]
    fn it_is_over_when_all_parts_are_where_they_go() {
        for lands in [true, false] {
            let progress = of(2, lands);
            let parts = [progress.begin().unwrap().0, progress.begin().unwrap().0];
            assert_eq!((parts, progress.has_more()), ([0, 1], false));
            for is_last in [false, true] {
                assert_eq!(progress.stage(), Stage::Open);
                progress.submitted(|last| if last == is_last { Ok(()) } else { Err(1) }).unwrap();
            }
            for _ in 0..2 {
                assert_eq!(progress.stage(), Stage::Submitted, "somebody is at it");
                progress.landed();
                progress.end(Ok(()));
            }
            assert_eq!(progress.stage(), Stage::Over);
        }
    }

    #[test]
    fn after_a_failure_nothing_is_begun_or_submitted() {
        let progress = of(4, false);
        let parts = [0; 3].map(|_| progress.begin().unwrap().0);
        assert!(progress.turn(parts[0]));
        progress.submitted(|_| Ok(())).unwrap();
        assert!(progress.turn(parts[1]));
        std::thread::scope(|scope| {
            let third = scope.spawn(|| progress.turn(parts[2]));
            progress.end(Err(7));
            assert!(!third.join().unwrap(), "the second one is not submitted");
        });
        assert_eq!(progress.stage(), Stage::Open, "two threads are at it");
        (0..2).for_each(|_| progress.end(Ok(())));
        assert_eq!(progress.stage(), Stage::Failed(Some(7)));
        assert!(progress.begin().is_none() && !progress.has_more());
    }

    #[test]
    fn giving_up_waits_for_who_is_at_it() {
        let progress = of(3, true);
        assert!(progress.begin().is_some() && progress.begin().is_some());
        std::thread::scope(|scope| {
            let others = [scope.spawn(|| progress.turn(1)), scope.spawn(|| progress.turn(2))];
            progress.stop();
            assert_eq!(others.map(|other| other.join().unwrap()), [false; 2]);
            let gives_up = scope.spawn(|| progress.give_up());
            progress.end(Ok(()));
            assert!(!gives_up.is_finished());
            progress.end(Ok(()));
            gives_up.join().unwrap();
        });
        assert_eq!(progress.stage(), Stage::Failed(None));
    }
}
