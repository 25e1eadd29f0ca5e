//! Nodes that the program does not have: what asks before each trip of a `while`, what looks at a `for` or
//! `if` before its turn, and what brings data of host tasks before theirs. When they run is for the graph
//! to say.

use super::super::before::{Before, Known};
use super::super::control::{self, cancelled};
use super::super::tasks::Early;
use super::{Crew, Error, Ordering, Result, Scope, Tally, Work, lock};

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
        self.graph.end_bringing(bringer, |node| ready.push(node));
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
        let env = self.env(bringer);
        let mut is_told = false;
        loop {
            let generation = self.ground.flights.generation();
            let world = self.ground.flights.enter();
            let stands = |array| self.graph.brought(bringer, task, array);
            let brought = early.bring(&env, stands).and_then(|brought| {
                let Some((bound, copies)) = brought else { return Ok(()) };
                if self.graph.is_awaited(task) {
                    // Whoever overwrites them elsewhere need not wait any longer.
                    is_told = true;
                    let mut ready = Vec::new();
                    self.graph.begin(task, bringer, |node| ready.push(node));
                    self.offer(scope, &ready);
                }
                copies.iter().try_for_each(|(memory, sent)| memory.wait(sent))?;
                early.keep(Some(bound));
                Ok(())
            });
            let brought = brought.map_err(|error| error.within(early.at(task)));
            mine.moved += crate::device::take_moved();
            drop(world);
            match brought {
                Ok(()) => break,
                // They may be overwritten already.
                Err(error) if is_told => return self.fail(bringer, error),
                Err(error) => {
                    if let Err(error) = self.ground.recover(self.nodes, (generation, false), error)
                    {
                        return self.fail(bringer, error);
                    }
                }
            }
        }
        self.graph.end_bringing(bringer, |node| ready.push(node));
        let mut queue = lock(&self.queue);
        queue.bringing = queue.bringing.saturating_sub(1);
        if let Some(next) = queue.bringers.pop_front() {
            // Somebody else may have time for it.
            drop(queue);
            self.offer(scope, &[next]);
        }
    }
}
