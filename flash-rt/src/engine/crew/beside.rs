//! Nodes that the program does not have: what asks before each trip of a `while`, what looks at a `for` or
//! `if` before its turn, and what brings data of host tasks before theirs. When they run is for the graph
//! to say.

use super::super::before::{Before, Known};
use super::super::control::{self, cancelled};
use super::super::tasks::Early;
use super::{Crew, Error, NowReady, Ordering, Result, Scope, Tally, Work, lock};

impl Crew<'_, '_, '_> {
    /// Looks at the condition of a `while` before a trip.
    pub(super) fn ask(
        &self,
        (asker, owner): (u32, u32),
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        let env = self.env(asker);
        let turns = self.graph.trip[asker as usize].load(Ordering::Relaxed);
        let look = |work: &Work<'_>| match self.ground.goes_on(work, &env, turns) {
            Err(error @ Error::Endless { .. }) => Ok(Err(error)),
            goes_on => goes_on.map(Ok),
        };
        let Some(goes_on) = self.look((asker, owner), mine, look) else { return };
        let goes_on = goes_on.unwrap_or_else(|error| {
            // The trips before it end first; who ends the last one sees that something failed.
            lock(&self.failures).push((self.place(asker), error));
            false
        });
        if self.graph.answer(asker, goes_on, |node| ready.push(node)) {
            self.leave(self.graph.region_of[asker as usize], ready);
        }
    }

    /// Does what is done for a node before its turn.
    pub(super) fn bring<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        bringer: u32,
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        match self.graph.brings(bringer) {
            Some((task, Before::Data(early))) => {
                self.bring_data(scope, (bringer, *task, early), (mine, ready));
            }
            Some((owner, Before::Look(known))) => {
                self.look_ahead((bringer, *owner, known), (mine, ready));
            }
            None => {}
        }
    }

    /// Looks at a loop or decision; whoever writes next what is read need not wait for its end.
    fn look_ahead(
        &self,
        (bringer, owner, known): (u32, u32, &Known),
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        let env = self.env(bringer);
        let look = |work: &Work<'_>| self.look_at(owner, work, &env);
        let Some(inside) = self.look((bringer, owner), mine, look) else { return };
        known.keep(inside);
        self.graph.begin(owner, bringer, |node| ready.push(node));
        self.graph.end_looking(bringer, |node| ready.push(node));
    }

    /// Looks at a bound or condition, again where what it reads was lost and made anew; nothing where
    /// the run has failed.
    fn look<T>(
        &self,
        (node, owner): (u32, u32),
        mine: &mut Tally,
        look: impl Fn(&Work<'_>) -> Result<T>,
    ) -> Option<T> {
        loop {
            let generation = self.ground.flights.generation();
            let world = self.ground.flights.enter();
            let work = lock(&self.nodes[owner as usize].work);
            if self.ground.is_cancelled() {
                let error = cancelled(owner as usize, &work);
                self.fail(node, error);
                return None;
            }
            let seen = look(&work);
            let seen = seen.map_err(|error| error.within(control::at(owner as usize, &work)));
            drop((work, world));
            mine.moved += crate::device::take_moved();
            match seen {
                Ok(seen) => return Some(seen),
                Err(error) => {
                    let since = (generation, false);
                    if let Err(error) = self.ground.recover(self.nodes, since, error) {
                        self.fail(node, error);
                        return None;
                    }
                }
            }
        }
    }

    /// Brings the data of a host task before its turn, as far as nothing is in the way.
    fn bring_data<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        (bringer, task, early): (u32, u32, &Early),
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        // One for a turn after the next may wait long for its kernel; some threads are left for the others.
        let is_ahead = early.is_ahead();
        let ahead = if is_ahead { self.ahead.fetch_add(1, Ordering::Relaxed) + 1 } else { 0 };
        let waits = ahead > self.most_bring / 2 && early.parks();
        if !waits && early.has_room() {
            self.bring_turn(scope, (bringer, task, early), (mine, ready));
        }
        if is_ahead {
            self.ahead.fetch_sub(1, Ordering::Relaxed);
        }
        if let Some(next) = self.work.has_brought() {
            // Somebody else may have time for it.
            self.offer(scope, &[next]);
        }
    }

    /// Brings the data for one turn of a host task, and lets those for the next one be brought as soon
    /// as the copies are submitted.
    fn bring_turn<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        (bringer, task, early): (u32, u32, &Early),
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        let (env, trip) = (self.env(bringer), self.trip(bringer));
        let stands = |array| self.graph.brought((task, trip), array);
        let mut is_told = false;
        let mut turn = None;
        loop {
            let generation = self.ground.flights.generation();
            let world = self.ground.flights.enter();
            let brought = early.bring(&env, stands).and_then(|brought| {
                if brought.is_none() && turn.is_none() && early.parks() {
                    return Ok(false);
                }
                let (data, copies) = brought.unzip();
                match turn {
                    Some(turn) => early.renew(turn, data),
                    None => {
                        let mut ready = NowReady::new();
                        if data.is_some() && self.graph.is_awaited(task) {
                            // Whoever overwrites them elsewhere need not wait any longer.
                            is_told = true;
                            self.graph.begin(task, bringer, |node| ready.push(node));
                        }
                        turn = Some(early.claim(data));
                        self.graph.note_submitted(bringer, |node| ready.push(node));
                        self.offer(scope, &ready);
                    }
                }
                let copies = copies.unwrap_or_default();
                copies.iter().try_for_each(|(memory, sent)| memory.wait(sent))?;
                Ok(true)
            });
            let brought = brought.map_err(|error| error.within(early.at(task)));
            mine.moved += crate::device::take_moved();
            drop(world);
            match brought {
                Ok(true) => break,
                Ok(false) => return,
                // They may be overwritten already.
                Err(error) if is_told => return self.fail_at(self.place_in(bringer, trip), error),
                Err(error) => {
                    if let Err(error) = self.ground.recover(self.nodes, (generation, false), error)
                    {
                        return self.fail_at(self.place_in(bringer, trip), error);
                    }
                }
            }
        }
        if turn.is_some_and(|turn| early.is_next(turn)) {
            self.graph.end_bringing(bringer, trip, |node| ready.push(node));
        }
    }
}
