//! Runs a random pipeline on a runtime, in several ways, and sums up what its reports count. Some say
//! before what they would do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use flash::prelude::*;
use flash_rt::backend::clock::Clock;
use flash_rt::movable::Whole;
use flash_rt::report::Transfers;
use flash_rt::var::CellValue;
use flash_rt::{Error, Explanation, Handle, Report, Result, witness};

use super::build::{Arrays, Lent, build};
use super::dot;
use super::notes::Notes;
use super::steps::{COLS, Outside, ROWS, State, Step};

/// How a pipeline is run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    /// Each time with the same plan.
    Exec,
    /// Each time before the last has ended.
    Launch,
    Scope,
}

impl How {
    /// One for each seed.
    pub(crate) fn of(seed: u64) -> Self {
        [Self::Exec, Self::Launch, Self::Scope][(seed % 3) as usize]
    }
}

/// What the engine counted: of runs, and of what this thread reads beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    pub(crate) moved: Transfers,
    /// Launches, each once if it is split.
    pub(crate) launches: u64,
    /// Whether some were.
    pub(crate) split: bool,
    /// What is wrong with an explanation, if anything is.
    pub(crate) unclear: Option<String>,
}

impl Counted {
    fn add(&mut self, report: &Report) {
        self.moved += report.transfers();
        self.launches += report.kernels().iter().map(|kernel| kernel.count).sum::<u64>();
        self.split |= !report.devices().is_empty();
    }

    /// Has a pipeline explained, which moves nothing.
    fn explain(&mut self, p: &mut Pipeline<'_>) -> Result<()> {
        let how = match catch_unwind(AssertUnwindSafe(|| p.explain())) {
            Ok(how) => how?,
            Err(_) => {
                self.unclear = Some("`explain` panics".to_owned());
                return Ok(());
            }
        };
        if let Err(what) = is_sound(&how) {
            self.unclear = Some(format!("{what} in\n{how}"));
        }
        Ok(())
    }

    /// Does what moves data on this thread, without a run.
    fn reading<R>(&mut self, read: impl FnOnce() -> R) -> R {
        let (result, moved) = witness::moved_by(read);
        self.moved += moved;
        result
    }
}

/// What is wrong with an explanation: its graph can be read, and its text says the copies that it has.
fn is_sound(how: &Explanation) -> std::result::Result<(), String> {
    let (stages, copies) = (how.stages(), how.copies());
    let [nodes, edges] = dot::read(&how.dot())?;
    if nodes != stages.len() + copies.len() || edges < how.order().len() + copies.len() {
        return Err(format!("{nodes} nodes and {edges} edges"));
    }
    for (k, stage) in stages.iter().enumerate() {
        let words = stage.params.iter().flat_map(|line| line.split(' '));
        let said = words.filter(|word| {
            ["uploaded", "downloaded", "moved"].contains(&word.trim_end_matches(','))
        });
        let said = said.count() + stage.copies.len();
        let planned = copies.iter().filter(|copy| copy.stage == k).count();
        if said != planned {
            return Err(format!("{said} copies of {planned} for stage {k}"));
        }
    }
    Ok(())
}

/// The buffers and cells of a pipeline, outside of it.
pub(crate) struct Handles {
    buffers: Vec<Buffer<u32, 2>>,
    sums: Vec<Var<u64>>,
    counts: Vec<Var<usize>>,
    turns: Vec<Var<usize>>,
    flags: Vec<Var<bool>>,
}

impl Handles {
    pub(crate) fn new(state: &State) -> Self {
        let buffer = |values: &Vec<u32>| Buffer::from_shape([ROWS, COLS], values).unwrap();
        Self {
            buffers: state.buffers.iter().map(buffer).collect(),
            sums: state.sums.iter().map(|&value| Var::new(value)).collect(),
            counts: state.counts.iter().map(|&value| Var::new(value)).collect(),
            turns: state.turns.iter().map(|&value| Var::new(value)).collect(),
            flags: state.flags.iter().map(|&value| Var::new(value)).collect(),
        }
    }

    pub(crate) fn arrays<'a>(
        &self,
        lent: Vec<Lent<'a>>,
        devices: usize,
        clock: Option<&Arc<dyn Clock>>,
    ) -> Arrays<'a> {
        Arrays {
            buffers: self.buffers.clone(),
            lent,
            sums: self.sums.clone(),
            counts: self.counts.clone(),
            turns: self.turns.clone(),
            flags: self.flags.clone(),
            limit: Var::new(100),
            devices,
            clock: clock.cloned(),
            notes: Arc::default(),
        }
    }

    pub(crate) fn state(&self, lent: Vec<Vec<u32>>, notes: &[Arc<Notes>]) -> Result<State> {
        Ok(State {
            buffers: self.buffers.iter().map(Buffer::to_vec).collect::<Result<_>>()?,
            lent,
            sums: self.sums.iter().map(Var::get).collect::<Result<_>>()?,
            counts: self.counts.iter().map(Var::get).collect::<Result<_>>()?,
            turns: self.turns.iter().map(Var::get).collect::<Result<_>>()?,
            flags: self.flags.iter().map(Var::get).collect::<Result<_>>()?,
            log: notes.iter().flat_map(|notes| notes.all()).collect(),
            launches: [0; 2],
        })
    }

    /// The values of a buffer.
    pub(crate) fn buffer(&self, number: usize) -> Result<Vec<u32>> {
        self.buffers[number].to_vec()
    }

    /// Does what the host does beside runs; what was started.
    fn beside(
        &self,
        rt: &Runtime,
        outside: &[Outside],
        counted: &mut Counted,
    ) -> Result<Vec<Handle>> {
        let mut started = Vec::new();
        let n = rt.devices().len();
        for &step in outside {
            match step {
                Outside::Prefetch(buffer, device) => {
                    started.push(self.buffers[buffer].prefetch(rt, device % n));
                }
                Outside::Evict(buffer, device) => {
                    let mut p = rt.pipeline();
                    p.evict(&self.buffers[buffer], device % n);
                    started.push(p.launch());
                }
                Outside::Get(buffer, at) => {
                    counted.reading(|| self.buffers[buffer].get([at / COLS, at % COLS]))?;
                }
                Outside::Wait(buffer) => self.buffers[buffer].wait()?,
                Outside::Rebind(_) => {}
            }
        }
        Ok(started)
    }

    /// Lets a pipeline use other arrays and cells with the same elements, and knows those from then on.
    fn rebind(
        &mut self,
        p: &mut Pipeline<'_>,
        outside: &[Outside],
        counted: &mut Counted,
    ) -> Result<()> {
        for step in outside {
            let &Outside::Rebind(mut number) = step else { continue };
            if let Some(buffer) = self.buffers.get_mut(number) {
                let values = counted.reading(|| buffer.to_vec())?;
                replace(p, buffer, Buffer::from_shape([ROWS, COLS], values)?)?;
                continue;
            }
            number -= self.buffers.len();
            let n = self.sums.len();
            if number < n {
                cell(p, &mut self.sums[number], counted)?;
                continue;
            }
            number -= n;
            let n = self.flags.len();
            if number < n {
                cell(p, &mut self.flags[number], counted)?;
                continue;
            }
            number -= n;
            let sizes = self.counts.iter_mut().chain(&mut self.turns).nth(number);
            sizes.map_or(Ok(()), |size| cell(p, size, counted))?;
        }
        Ok(())
    }

    /// Runs steps so many times, and what is `outside` before each time; what is written down in each
    /// run, and what is counted. The borrowed arrays are `lent`.
    pub(crate) fn run(
        &mut self,
        (rt, clock): (&Runtime, Option<&Arc<dyn Clock>>),
        how: How,
        times: usize,
        (steps, outside): (&[Step], &[Outside]),
        lent: &mut [Vec<u32>],
    ) -> Result<(Vec<Arc<Notes>>, Counted)> {
        let mut counted = Counted::default();
        let devices = rt.devices().len();
        let mut notes = Vec::new();
        let mut started = Vec::new();
        // Every other one of those that are compared.
        let explains = times > 1 && steps.len().is_multiple_of(2);
        match how {
            How::Exec | How::Scope => {
                let borrowed = lent.iter_mut().map(|values| Lent::Borrowed(Bound::new(values)));
                let mut on = self.arrays(borrowed.collect(), devices, clock);
                if let How::Exec = how {
                    notes.push(Arc::clone(&on.notes));
                    let mut p = rt.pipeline();
                    build(steps, &mut p, &mut on);
                    for turn in 0..times {
                        if explains {
                            counted.explain(&mut p)?;
                        }
                        started.extend(self.beside(rt, outside, &mut counted)?);
                        if turn > 0 {
                            self.rebind(&mut p, outside, &mut counted)?;
                        }
                        counted.add(&p.exec()?);
                    }
                } else {
                    let mut all: Vec<_> = (0..times).map(|_| rt.pipeline()).collect();
                    for p in &mut all {
                        on.notes = Arc::default();
                        notes.push(Arc::clone(&on.notes));
                        build(steps, p, &mut on);
                        if explains {
                            counted.explain(p)?;
                        }
                    }
                    let beside = rt.scope(|scope| {
                        let launch = |p| {
                            let beside = self.beside(rt, outside, &mut counted);
                            let handle = scope.launch(p);
                            beside.map(|mut all| {
                                all.push(handle);
                                all
                            })
                        };
                        all.iter_mut().map(launch).collect::<Result<Vec<_>>>()
                    })?;
                    started.extend(beside?.into_iter().flatten());
                }
            }
            How::Launch => {
                let all: Vec<Buffer<u32>> =
                    lent.iter().map(|values| Buffer::from(values.clone())).collect();
                let owned = all.iter().cloned().map(Lent::Owned).collect();
                let mut on = self.arrays(owned, devices, clock);
                let mut launched = Vec::new();
                let mut beside = Ok(());
                for _ in 0..times {
                    let more = self.beside(rt, outside, &mut counted);
                    beside = beside.and(more.map(|more| started.extend(more)));
                    on.notes = Arc::default();
                    notes.push(Arc::clone(&on.notes));
                    let mut p = rt.pipeline();
                    build(steps, &mut p, &mut on);
                    if explains {
                        counted.explain(&mut p)?;
                    }
                    launched.push(p.launch());
                }
                // All of them, so that none is under way afterwards.
                let ended: Vec<_> = launched.iter().map(Handle::wait).collect();
                let reports = ended.into_iter().collect::<Result<Vec<_>>>()?;
                reports.iter().for_each(|report| counted.add(report));
                beside?;
                for (values, buffer) in lent.iter_mut().zip(&all) {
                    *values = counted.reading(|| buffer.to_vec())?;
                }
            }
        }
        started.iter().try_for_each(|handle| handle.wait().map(|report| counted.add(&report)))?;
        Ok((notes, counted))
    }
}

/// Lets a pipeline use a cell with the same value in place of another one.
fn cell<T: CellValue>(p: &mut Pipeline<'_>, old: &mut Var<T>, counted: &mut Counted) -> Result<()> {
    let value = counted.reading(|| old.get())?;
    replace(p, old, Var::new(value))
}

/// Lets a pipeline use `new` where it uses `old`, if it does.
fn replace<W: Whole>(p: &mut Pipeline<'_>, old: &mut W, new: W) -> Result<()> {
    match p.rebind(old, &new) {
        Ok(_) => *old = new,
        Err(Error::NotBound { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// What a runtime makes of steps that are run so many times, and of what is outside; and what is
/// counted meanwhile.
pub(crate) fn run(
    (rt, clock): (&Runtime, Option<&Arc<dyn Clock>>),
    how: How,
    times: usize,
    steps: (&[Step], &[Outside]),
    state: &State,
) -> Result<(State, Counted)> {
    let mut handles = Handles::new(state);
    let mut lent = state.lent.clone();
    let (notes, mut counted) = handles.run((rt, clock), how, times, steps, &mut lent)?;
    let state = counted.reading(|| handles.state(lent, &notes))?;
    Ok((state, counted))
}
