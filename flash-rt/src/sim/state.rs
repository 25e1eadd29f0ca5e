//! The devices between calls: what is queued, what runs, what is complete. It is the same for both
//! clocks; who makes time pass is elsewhere.

use std::collections::VecDeque;
use std::time::Duration;

use smallvec::SmallVec;

use super::config::Config;
use super::fault::{Faults, Kind, Verdict, driver_error, injected, lost};
use super::log::{Call, Span, What};
use super::work::Work;
use crate::backend::clock::nanos;
use crate::backend::{Queue, Ticket, Timing};
use crate::error::{DriverError, DriverErrorKind};

/// An operation in a queue.
#[derive(Debug)]
pub(super) struct Op {
    /// Its number among all of the simulator.
    seq: u64,
    after: SmallVec<[Ticket; FEW]>,
    time: u64,
    /// `None` once it has taken effect.
    pub(super) work: Option<Work>,
    /// Whether it takes effect at its beginning.
    early: bool,
    /// Why it will fail.
    fails: Option<DriverError>,
    /// When it could have begun.
    ready: Option<u64>,
    /// When it began.
    begin: Option<u64>,
    /// Its place in the log.
    row: Option<usize>,
}

impl Op {
    /// When it ends, if it has begun.
    fn end(&self) -> Option<u64> {
        // What breaks does so half way.
        let time = if self.fails.is_some() { self.time / 2 } else { self.time };
        self.begin.map(|begin| begin.saturating_add(time))
    }
}

/// A queue.
#[derive(Debug, Default)]
struct Line {
    waiting: VecDeque<Op>,
    submitted: u64,
    completed: u64,
    /// What somebody has been told of.
    heard: u64,
    /// The unit that it runs on.
    unit: usize,
    /// When the last operations ran, the last one being the last that is complete.
    spans: VecDeque<(u64, u64)>,
}

/// How many operations of a queue it is remembered of when they ran.
const REMEMBERED: usize = 1 << 12;

/// So many operations may come before one without an allocation.
const FEW: usize = 8;

/// A device.
#[derive(Debug)]
struct Device {
    lines: Vec<Line>,
    /// For each unit the queue it works for.
    units: Vec<Option<usize>>,
    failed: Option<DriverError>,
    lost: bool,
    /// What it is set up with.
    setup: Option<u64>,
}

/// What is submitted.
#[derive(Debug)]
pub(super) struct Submission<'a> {
    pub(super) device: usize,
    pub(super) queue: Queue,
    pub(super) kind: Kind,
    pub(super) what: What,
    pub(super) time: Duration,
    /// How the device has to be set up, and how long changing that takes.
    pub(super) setup: Option<(u64, Duration)>,
    pub(super) work: Work,
    pub(super) fails: Option<DriverError>,
    pub(super) after: &'a [Ticket],
}

/// All devices.
#[derive(Debug)]
pub(super) struct State {
    devices: Vec<Device>,
    pub(super) now: u64,
    next_seq: u64,
    pub(super) next_memory: u64,
    pub(super) faults: Faults,
    /// Calls of each kind, failed ones too.
    pub(super) tally: [u64; Kind::ALL.len()],
    /// `None` where nothing is written down.
    log: Option<Vec<Call>>,
    seed: Option<u64>,
    virtually: bool,
    /// Everything takes this many times as long, for each device.
    pub(super) factors: Vec<f64>,
}

impl State {
    pub(super) fn new(config: &Config, virtually: bool) -> Self {
        let devices = (0..config.devices).map(|k| {
            let speed = config.speed_of(k);
            let down = usize::from(!speed.shared_copies);
            let n = usize::from(speed.queues.max(1));
            let line = |unit| Line { unit, ..Line::default() };
            let compute = (0..n).map(|k| line(2 + k));
            let lines = [line(0), line(down)].into_iter().chain(compute).collect();
            Device { lines, units: vec![None; 2 + n], failed: None, lost: false, setup: None }
        });
        Self {
            devices: devices.collect(),
            now: 0,
            next_seq: 0,
            next_memory: 0,
            faults: Faults::new(&config.faults),
            tally: [0; Kind::ALL.len()],
            log: config.log.then(Vec::new),
            seed: config.seed,
            virtually,
            factors: (0..config.devices).map(|k| config.speed_of(k).factor).collect(),
        }
    }

    fn device(&mut self, device: usize) -> Result<&mut Device, DriverError> {
        self.devices.get_mut(device).ok_or_else(|| no_device(device))
    }

    fn line(&mut self, device: usize, queue: Queue) -> Result<&mut Line, DriverError> {
        let device = self.device(device)?;
        device.lines.get_mut(queue.index()).ok_or_else(|| {
            let text = format!("there is no queue {queue:?}");
            driver_error("sim", DriverErrorKind::Failed, text)
        })
    }

    /// Counts a call to a device, and fails it if that is its fate.
    pub(super) fn call(&mut self, kind: Kind, device: usize) -> Result<Verdict, DriverError> {
        if self.device(device)?.lost {
            return Err(lost(kind));
        }
        if let Some(position) = Kind::ALL.iter().position(|known| *known == kind) {
            self.tally[position] += 1;
        }
        let verdict = self.faults.call(kind, device);
        if verdict.lost {
            self.lose(device, kind);
            return Err(lost(kind));
        }
        let submits = !matches!(kind, Kind::Allocate | Kind::Load | Kind::Wait);
        if verdict.fails || (verdict.breaks && !submits) {
            let error = injected(kind);
            if kind == Kind::Wait {
                self.fail(device, error.clone());
            }
            return Err(error);
        }
        Ok(verdict)
    }

    /// A device is gone.
    fn lose(&mut self, device: usize, kind: Kind) {
        if let Some(gone) = self.devices.get_mut(device) {
            gone.lost = true;
        }
        self.fail(device, lost(kind));
    }

    /// A lost device, on which nothing is under way, is there again.
    pub(super) fn find(&mut self, device: usize) -> Result<(), DriverError> {
        let device = self.device(device)?;
        (device.lost, device.failed) = (false, None);
        Ok(())
    }

    /// A device fails: nothing more begins on it.
    fn fail(&mut self, device: usize, error: DriverError) {
        let Some(device) = self.devices.get_mut(device) else { return };
        device.failed.get_or_insert(error);
        // On a real clock what has begun is still at work; on the virtual one nothing is.
        let at_work = |op: &Op| !self.virtually && op.begin.is_some();
        for line in &mut device.lines {
            line.waiting.retain(at_work);
        }
        if self.virtually {
            device.units.fill(None);
        }
    }

    /// Writes down a call that submitted nothing.
    pub(super) fn note(&mut self, device: usize, what: What) {
        self.record(device, None, what);
    }

    fn record(&mut self, device: usize, queue: Option<Queue>, what: What) -> (u64, Option<usize>) {
        let seq = self.next_seq;
        self.next_seq += 1;
        let at = Duration::from_nanos(self.now);
        let row = self.log.as_mut().map(|log| {
            log.push(Call { seq, device, queue, at, span: None, what });
            log.len() - 1
        });
        (seq, row)
    }

    /// What a device is set up with.
    pub(super) fn set_up(&self, device: usize) -> Option<u64> {
        self.devices.get(device)?.setup
    }

    /// Sets a device up; whether it was set up otherwise, or not at all.
    fn change(&mut self, device: usize, setup: u64) -> bool {
        let device = self.devices.get_mut(device);
        device.is_some_and(|device| device.setup.replace(setup) != Some(setup))
    }

    /// How long what takes `time` by the speed of a device takes on it now.
    pub(super) fn scaled(&self, device: usize, time: Duration) -> Duration {
        let factor = self.factors.get(device).copied().unwrap_or(1.0);
        // Exact where there is nothing to round.
        if factor == 1.0 {
            return time;
        }
        Duration::from_nanos((nanos(time) as f64 * factor).round() as u64)
    }

    /// Queues an operation.
    pub(super) fn submit(&mut self, new: Submission<'_>) -> Result<Ticket, DriverError> {
        let Submission { device, queue, kind, what, time, setup, work, fails, after } = new;
        for ticket in after {
            if ticket.number > self.line(device, ticket.queue)?.submitted {
                let text = format!("{ticket:?} was never given out");
                return Err(driver_error(kind.api(), DriverErrorKind::Failed, text));
            }
        }
        self.line(device, queue)?;
        if let Some(error) = &self.device(device)?.failed {
            return Err(error.clone());
        }
        let verdict = self.call(kind, device)?;
        let fails = if verdict.breaks { Some(injected(kind)) } else { fails };
        let work = if verdict.forgets { Work::Nothing } else { work };
        let (seq, row) = self.record(device, Some(queue), what);
        // Whoever is refused has changed nothing.
        let change = setup.filter(|(setup, _)| self.change(device, *setup));
        let time = self.scaled(device, time + change.map_or(Duration::ZERO, |(_, time)| time));
        let early = self.seed.is_some_and(|seed| mix(seed ^ seq) & 1 == 1);
        let op = Op {
            seq,
            after: after.iter().copied().filter(|ticket| !ticket.is_done()).collect(),
            time: nanos(time),
            work: Some(work),
            early,
            fails,
            ready: None,
            begin: None,
            row,
        };
        let line = self.line(device, queue)?;
        line.waiting.push_back(op);
        line.submitted += 1;
        let number = line.submitted;
        if self.virtually {
            self.begin_ready(device);
        }
        Ok(Ticket { queue, number })
    }

    /// The queue whose first operation a unit takes next: the one that has been ready for longest.
    fn choose(&mut self, device: usize, unit: usize) -> Option<usize> {
        let now = self.now;
        let device = &mut self.devices[device];
        if device.failed.is_some() || device.units[unit].is_some() {
            return None;
        }
        let mut best: Option<(u64, u64, usize)> = None;
        let lines = &mut device.lines;
        for k in 0..lines.len() {
            if lines[k].unit != unit {
                continue;
            }
            let Some(op) = lines[k].waiting.front() else { continue };
            if op.after.iter().any(|t| lines[t.queue.index()].completed < t.number) {
                continue;
            }
            let Some(op) = lines[k].waiting.front_mut() else { continue };
            let ready = *op.ready.get_or_insert(now);
            if best.is_none_or(|(at, seq, _)| (ready, op.seq) < (at, seq)) {
                best = Some((ready, op.seq, k));
            }
        }
        best.map(|(.., line)| line)
    }

    /// Begins what can begin on a device, on the virtual clock.
    fn begin_ready(&mut self, device: usize) {
        for unit in 0..self.devices[device].units.len() {
            if let Some(line) = self.choose(device, unit) {
                let now = self.now;
                let device = &mut self.devices[device];
                device.units[unit] = Some(line);
                let Some(op) = device.lines[line].waiting.front_mut() else { continue };
                op.begin = Some(now);
                if op.early && op.fails.is_none() {
                    let (work, row) = (op.work.take(), op.row);
                    self.take_effect(work, row);
                }
            }
        }
    }

    #[allow(unsafe_code, reason = "an operation that was submitted and is not complete")]
    fn take_effect(&mut self, work: Option<Work>, row: Option<usize>) {
        let Some(work) = work else { return };
        // SAFETY: the operation is in its queue, neither complete nor given up.
        let poison = unsafe { work.run() };
        self.note_poison(row, poison);
    }

    fn note_poison(&mut self, row: Option<usize>, found: u64) {
        if let (Some(log), Some(row)) = (&mut self.log, row)
            && let Some(Call { what: What::Download { poison, .. }, .. }) = log.get_mut(row)
        {
            *poison = found;
        }
    }

    /// For a unit of its own thread: takes the next operation, with how long it lasts, where its
    /// line is, and what it does.
    pub(super) fn begin_next(&mut self, device: usize, unit: usize) -> Option<Begun> {
        let line = self.choose(device, unit)?;
        let now = self.now;
        let on = &mut self.devices[device];
        let op = on.lines[line].waiting.front_mut()?;
        op.begin = Some(now);
        let end = op.end()?;
        let work = op.work.take().filter(|_| op.fails.is_none());
        on.units[unit] = Some(line);
        Some(Begun { line, work, row: op.row, end })
    }

    /// The end of what a unit's own thread did.
    pub(super) fn end_begun(&mut self, device: usize, begun: &Begun, poison: u64) {
        self.note_poison(begun.row, poison);
        self.end(device, begun.line);
    }

    /// The first operation of a queue ends.
    fn end(&mut self, device: usize, line: usize) {
        let now = self.now;
        let on = &mut self.devices[device];
        let unit = on.lines[line].unit;
        on.units[unit] = None;
        let Some(op) = on.lines[line].waiting.pop_front() else { return };
        if on.failed.is_some() {
            return;
        }
        if let Some(error) = op.fails {
            return self.fail(device, error);
        }
        on.lines[line].completed += 1;
        if let Some(begin) = op.begin {
            let spans = &mut on.lines[line].spans;
            if spans.len() == REMEMBERED {
                spans.pop_front();
            }
            spans.push_back((begin, now));
        }
        if let (Some(log), Some(row), Some(begin)) = (&mut self.log, op.row, op.begin) {
            let (begin, end) = (Duration::from_nanos(begin), Duration::from_nanos(now));
            if let Some(call) = log.get_mut(row) {
                call.span = Some(Span { begin, end });
            }
        }
        self.take_effect(op.work, op.row);
    }

    /// When an operation ran.
    pub(super) fn timing(&self, device: usize, ticket: Ticket) -> Option<Timing> {
        let line = self.devices.get(device)?.lines.get(ticket.queue.index())?;
        let back = line.completed.checked_sub(ticket.number)? as usize;
        let (begin, end) = *line.spans.get(line.spans.len().checked_sub(back + 1)?)?;
        let [begin, end, now] = [begin, end, self.now].map(Duration::from_nanos);
        Some(Timing { begin, end, now })
    }

    /// When the next operation ends, on the virtual clock.
    pub(super) fn next_end(&self) -> Option<u64> {
        self.running().map(|(end, ..)| end).min()
    }

    /// End, number, device and queue of what runs.
    fn running(&self) -> impl Iterator<Item = (u64, u64, usize, usize)> + '_ {
        self.devices.iter().enumerate().flat_map(|(d, device)| {
            device.units.iter().flatten().filter_map(move |&line| {
                let op = device.lines[line].waiting.front()?;
                Some((op.end()?, op.seq, d, line))
            })
        })
    }

    /// Lets the virtual clock go on to `time`: what ends by then ends, in order, and what can begin
    /// begins.
    pub(super) fn go_on(&mut self, time: u64) {
        while let Some((end, _, device, line)) = self.running().min()
            && end <= time
        {
            self.now = self.now.max(end);
            self.end(device, line);
            self.begin_ready(device);
        }
        self.now = self.now.max(time);
    }

    /// Whether a ticket's operation is complete, or will never be.
    pub(super) fn is_over(&self, device: usize, ticket: Ticket) -> bool {
        self.devices.get(device).is_none_or(|device| {
            device.failed.is_some()
                || device.lines.get(ticket.queue.index()).is_none_or(|line| {
                    line.completed >= ticket.number || line.submitted < ticket.number
                })
        })
    }

    /// Tells how far a queue has come.
    pub(super) fn tell(&mut self, device: usize, queue: Queue) -> Result<u64, DriverError> {
        if let Some(error) = &self.device(device)?.failed {
            return Err(error.clone());
        }
        let line = self.line(device, queue)?;
        let completed = line.completed;
        if completed > line.heard {
            line.heard = completed;
            self.call(Kind::Wait, device)?;
        }
        Ok(completed)
    }

    /// Whether anything of a device is at work.
    pub(super) fn is_busy(&self, device: usize) -> bool {
        self.devices.get(device).is_some_and(|d| d.units.iter().any(Option::is_some))
    }

    /// Stops a device, so that it can be made ready again when nothing is at work any more.
    pub(super) fn stop(&mut self, device: usize) -> Result<(), DriverError> {
        self.device(device)?;
        self.fail(device, driver_error("sim", DriverErrorKind::Failed, "it was given up"));
        Ok(())
    }

    /// Makes a stopped device ready again.
    pub(super) fn restart(&mut self, device: usize) -> Result<(), DriverError> {
        let device = self.device(device)?;
        for line in &mut device.lines {
            line.waiting.clear();
            line.completed = line.submitted;
            // The numbers of what never ran have no times.
            line.spans.clear();
            line.heard = line.submitted;
        }
        if device.lost {
            return Err(lost(Kind::Wait));
        }
        device.failed = None;
        Ok(())
    }

    pub(super) fn calls(&self) -> &[Call] {
        self.log.as_deref().unwrap_or_default()
    }

    pub(super) fn clear_calls(&mut self) {
        self.tally = [0; Kind::ALL.len()];
        if let Some(log) = &mut self.log {
            log.clear();
        }
        // Rows of what is under way are gone with the rest.
        for line in self.devices.iter_mut().flat_map(|device| &mut device.lines) {
            for op in &mut line.waiting {
                op.row = None;
            }
        }
    }
}

/// An operation that a unit's thread carries out.
#[derive(Debug)]
pub(super) struct Begun {
    line: usize,
    pub(super) work: Option<Work>,
    row: Option<usize>,
    /// When it ends.
    pub(super) end: u64,
}

pub(super) fn no_device(device: usize) -> DriverError {
    driver_error("sim", DriverErrorKind::Failed, format!("there is no device {device}"))
}

/// A number of bits as if drawn at random.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
