//! What comes before what: a clock for each stream, for events and for the host. It looks at no
//! memory.

use std::collections::BTreeMap;
use std::sync::Arc;

/// How far each stream is known to have come, by the number of its line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(BTreeMap<u64, u64>);

/// An operation in the order of all.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    line: u64,
    tick: u64,
    /// What came before it, itself included.
    before: Arc<Clock>,
    /// For people.
    pub(crate) what: String,
}

impl Clock {
    /// Whatever the other one knows of, this one does too.
    pub(crate) fn join(&mut self, other: &Self) {
        for (&line, &tick) in &other.0 {
            let own = self.0.entry(line).or_default();
            *own = tick.max(*own);
        }
    }

    /// The next operation of a stream.
    pub(crate) fn tick(&mut self, line: u64, what: String) -> Moment {
        let own = self.0.entry(line).or_default();
        *own += 1;
        Moment { line, tick: *own, before: Arc::new(self.clone()), what }
    }

    /// Whether an operation comes before whatever has this clock.
    pub(crate) fn knows(&self, moment: &Moment) -> bool {
        self.0.get(&moment.line).is_some_and(|&tick| tick >= moment.tick)
    }
}

impl Moment {
    /// What came before it, itself included.
    pub(crate) fn before(&self) -> &Clock {
        &self.before
    }

    /// Whether it comes behind the other one.
    pub(crate) fn is_behind(&self, other: &Self) -> bool {
        self.before.knows(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_goes_through_what_was_joined() {
        let (mut one, mut two) = (Clock::default(), Clock::default());
        let first = one.tick(1, String::new());
        let apart = two.tick(2, String::new());
        assert!(!apart.is_behind(&first) && !first.is_behind(&apart));
        two.join(&one);
        let late = one.tick(1, String::new());
        let behind = two.tick(2, String::new());
        assert!(behind.is_behind(&first) && behind.is_behind(&apart) && late.is_behind(&first));
        assert!(!behind.is_behind(&late) && !late.is_behind(&behind));
    }
}
