//! All values that the elements of a random pipeline take, one after the other, and which of them may
//! be there where a host task ended the run. It knows nothing of FLASH.

use super::interpret::interpret;
use super::steps::{BUFFERS, LENT, SUMS, State, Step, fills};

/// How a task ends that ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// With an error, before it writes anything.
    Early,
    /// With an error, when it has written all.
    Late,
    /// As others do.
    Well,
}

/// Which tasks and launches have ended when a task ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Those that come before it in the program, and no others.
    Program,
    /// All tasks before it, no task after it, and what it waited for itself.
    Tasks,
    /// What it waited for itself.
    Data,
}

/// An element: its array, and where it is there.
type At = (usize, usize);

/// Arrays are numbered: matrices, borrowed slices, sums, counts, turns and flags.
pub(crate) struct History {
    /// The values that each element of each array takes, and the first and the last of them that may
    /// be found.
    values: Vec<Vec<Vec<u64>>>,
    from: Vec<Vec<usize>>,
    to: Vec<Vec<usize>>,
    /// Which array each name stands for, and each that it may stand for in the end.
    names: Vec<usize>,
    ever: Vec<Vec<usize>>,
}

fn arrays(state: &State) -> Vec<Vec<u64>> {
    let lines = state.buffers.iter().chain(&state.lent);
    let lines = lines.map(|line| line.iter().map(|&v| v.into()).collect());
    let sums = state.sums.iter().copied();
    let counts = state.counts.iter().chain(&state.turns).map(|&count| count as u64);
    let flags = state.flags.iter().map(|&flag| flag.into());
    lines.chain(sums.chain(counts).chain(flags).map(|value| vec![value])).collect()
}

/// The first of the sums, and of the counts.
const SUM: usize = BUFFERS + LENT;
const COUNT: usize = SUM + SUMS;

impl History {
    /// That of a run in which the task that writes down the note of this number goes wrong.
    pub(crate) fn new(
        steps: &[Step],
        start: &State,
        (note, ends, order): (usize, Ends, Order),
    ) -> Self {
        let first = arrays(start);
        let every = |number| first.iter().map(|array| vec![number; array.len()]).collect();
        let mut all = Self {
            values: first
                .iter()
                .map(|all| all.iter().map(|&value| vec![value]).collect())
                .collect(),
            from: every(0),
            to: every(usize::MAX),
            names: (0..first.len()).collect(),
            ever: (0..first.len()).map(|name| vec![name]).collect(),
        };
        let mut has_ended = false;
        let mut after = |step: &Step, state: &State, loops: &[u32]| {
            let cell = |number| (number, vec![0]);
            let (read, written) = match step {
                _ if has_ended => return,
                Step::Task { x, y, .. } => (Some(x.elements(loops)), Some(y.elements(loops))),
                Step::Note { x, .. } => (Some(x.elements(loops)), None),
                Step::Decide { x, count, .. } => {
                    (Some(x.elements(loops)), Some(cell(COUNT + count)))
                }
                _ => return all.follow(step, state),
            };
            let [read, written] = [read, written].map(|part| all.of(part));
            let old: Vec<usize> = written.iter().map(|&at| all.last(at)).collect();
            all.follow(step, state);
            let number = state.log.len() - 1;
            if number > note || (number < note && order == Order::Data) {
                return;
            }
            if number == note && order == Order::Program {
                all.end_here();
                has_ended = true;
            }
            // It has seen these, and what it has written is there.
            for &at in read.iter().chain(&written) {
                all.from[at.0][at.1] = all.last(at);
            }
            for (at, old) in written.into_iter().zip(old).filter(|_| number == note) {
                let new = all.last(at);
                // Of one that fails to fill an array, what only a device had is as it was.
                let fills = matches!(step, Step::Task { a, .. } if fills(*a));
                let may_be_old = ends == Ends::Early || (ends == Ends::Late && fills);
                all.from[at.0][at.1] = if may_be_old { old } else { new };
                all.to[at.0][at.1] = if ends == Ends::Early { old } else { new };
            }
        };
        let mut state = start.clone();
        interpret(steps, &mut state, (&mut Vec::new(), &mut Vec::new()), &mut after);
        all
    }

    fn of(&self, part: Option<(usize, Vec<usize>)>) -> Vec<At> {
        let part = part.into_iter();
        part.flat_map(|(name, all)| all.into_iter().map(move |at| (self.names[name], at))).collect()
    }

    fn last(&self, (array, at): At) -> usize {
        self.values[array][at].len() - 1
    }

    /// Notes what a step has changed.
    fn follow(&mut self, step: &Step, state: &State) {
        let swapped = match step {
            Step::Swap(a, b) => Some((*a, *b)),
            Step::SwapSums(a, b) => Some((SUM + a, SUM + b)),
            Step::SwapCounts(a, b) => Some((COUNT + a, COUNT + b)),
            _ => None,
        };
        if let Some((a, b)) = swapped {
            self.names.swap(a, b);
            [a, b].into_iter().for_each(|name| self.ever[name].push(self.names[name]));
        }
        for (name, now) in arrays(state).into_iter().enumerate() {
            for (values, now) in self.values[self.names[name]].iter_mut().zip(now) {
                if values.last() != Some(&now) {
                    values.push(now);
                }
            }
        }
    }

    /// What comes later in the program does not happen.
    fn end_here(&mut self) {
        for (array, values) in self.values.iter().enumerate() {
            let last: Vec<usize> = values.iter().map(|values| values.len() - 1).collect();
            (self.from[array], self.to[array]) = (last.clone(), last);
        }
        self.ever = self.names.iter().map(|&array| vec![array]).collect();
    }

    /// What of a state cannot be there in the end, if anything.
    pub(crate) fn differs(&self, found: &State) -> Option<String> {
        let found = arrays(found);
        if self.stand_for(&found, &mut Vec::new()) {
            return None;
        }
        let wrong = |name: &usize| {
            let known = &self.ever[*name];
            let at = known.iter().map(|&array| self.wrong(array, &found[*name]));
            let (array, at) = known.iter().zip(at.collect::<Option<Vec<_>>>()?).next()?;
            let (values, value) = (&self.values[*array][at], found[*name][at]);
            let (from, to) = (self.from[*array][at], self.to[*array][at].min(values.len() - 1));
            Some(format!("array {name} at {at}: {value}, of {values:?} from {from} to {to}"))
        };
        let wrong: Vec<String> = (0..found.len()).filter_map(|name| wrong(&name)).collect();
        Some(format!("values of another time: {}", wrong.join("; ")))
    }

    /// Whether what is found are these arrays, each under one of its names; `taken` are those of the
    /// first names.
    fn stand_for(&self, found: &[Vec<u64>], taken: &mut Vec<usize>) -> bool {
        let name = taken.len();
        name == found.len()
            || self.ever[name].iter().any(|&array| {
                if taken.contains(&array) || self.wrong(array, &found[name]).is_some() {
                    return false;
                }
                taken.push(array);
                let all = self.stand_for(found, taken);
                taken.pop();
                all
            })
    }

    /// The first element of which an array may not have the value in the end that is found.
    fn wrong(&self, array: usize, found: &[u64]) -> Option<usize> {
        (0..found.len()).find(|&at| {
            let values = &self.values[array][at];
            let (from, to) = (self.from[array][at], self.to[array][at].min(values.len() - 1));
            !values[from..=to].contains(&found[at])
        })
    }
}
