//! Nodes that the program does not have: what asks before each trip of a `while`, and what brings data of
//! host tasks before their turn. When they run is for the graph to say.

use super::super::control::{self, cancelled};
use super::{Crew, Error, Ordering, Scope, Tally, lock};

impl Crew<'_, '_, '_> {
    /// Looks at the condition of a `while` before a trip.
    pub(super) fn ask(
        &self,
        (asker, owner): (u32, u32),
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        let env = self.env(asker);
        let turns = self.graph.trip[asker as usize].load(Ordering::Relaxed);
        let goes_on = loop {
            let generation = self.ground.flights.generation();
            let world = self.ground.flights.enter();
            let work = lock(&self.nodes[owner as usize].work);
            if self.ground.is_cancelled() {
                let error = cancelled(owner as usize, &work);
                return self.fail(asker, error);
            }
            let goes_on = self.ground.goes_on(&work, &env, turns);
            let goes_on = goes_on.map_err(|error| error.within(control::at(owner as usize, &work)));
            drop((work, world));
            mine.moved += crate::device::take_moved();
            match goes_on {
                Ok(goes_on) => break goes_on,
                Err(error @ Error::Endless { .. }) => {
                    // The trips before it end first; who ends the last one sees that something failed.
                    lock(&self.failures).push((self.place(asker), error));
                    break false;
                }
                Err(error) => {
                    let since = (generation, false);
                    if let Err(error) = self.ground.recover(self.nodes, since, error) {
                        return self.fail(asker, error);
                    }
                }
            }
        };
        if self.graph.answer(asker, goes_on, |node| ready.push(node)) {
            self.leave(self.graph.region_of[asker as usize], ready);
        }
    }

    /// Brings the data of a host task before its turn, as far as nothing is in the way.
    pub(super) fn bring<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        bringer: u32,
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        let Some((task, early)) = self.graph.brings(bringer) else { return };
        let env = self.env(bringer);
        let mut is_told = false;
        loop {
            let generation = self.ground.flights.generation();
            let world = self.ground.flights.enter();
            let stands = |array| self.graph.brought(bringer, *task, array);
            let brought = early.bring(&env, stands).and_then(|brought| {
                let Some((bound, copies)) = brought else { return Ok(()) };
                if self.graph.is_awaited(*task) {
                    // Whoever overwrites them elsewhere need not wait any longer.
                    is_told = true;
                    let mut ready = Vec::new();
                    self.graph.begin(*task, bringer, |node| ready.push(node));
                    self.offer(scope, &ready);
                }
                copies.iter().try_for_each(|(memory, sent)| memory.wait(sent))?;
                early.keep(Some(bound));
                Ok(())
            });
            let brought = brought.map_err(|error| error.within(early.at(*task)));
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
