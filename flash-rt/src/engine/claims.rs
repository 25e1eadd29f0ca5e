//! Blocks of a split launch that devices claim one after the other, each as it becomes free: a thread
//! for each device, and a counter. It cuts no blocks, and what fails, or is late when all others have
//! ended, is run again elsewhere by others.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::leaf::{Ground, cannot_begin};
use super::several::{Attempt, LATE, PATIENCE, Run};
use super::split::{Part, Shares};
use crate::arg_store::Args;
use crate::backend::clock::Hold;
use crate::descriptor::KernelDescriptor;
use crate::device::{MovedFor, add_moved, take_moved};
use crate::error::{Error, Result, Site};
use crate::mutex::lock;
use crate::report::Transfers;
use crate::space_source::SpaceSource;
use crate::stage::LaunchStage;
use crate::threads::{Help, Scope};

/// The blocks of a phase, and who takes them.
struct Claims<'c, 'g> {
    ground: &'c Ground<'g>,
    kernel: &'static KernelDescriptor,
    site: Site,
    node: usize,
    number: u64,
    devices: Vec<usize>,
    blocks: Vec<Mutex<Option<Part>>>,
    /// The first block that is nobody's. Each device has one to begin with, so that runs are alike.
    next: AtomicUsize,
    /// The next device to be looked after.
    next_device: AtomicUsize,
    /// Whether what failed cannot run elsewhere.
    is_over: AtomicBool,
    /// Whether a block may run again before it has ended.
    may_be_late: bool,
    /// What the longest block has taken, in nanoseconds; 0 before any has ended.
    longest: AtomicU64,
    /// How many devices are still to end their blocks in time, and how many have.
    busy: AtomicUsize,
    idle: AtomicUsize,
    /// For threads on their way.
    holds: Mutex<Vec<Hold>>,
    ended: Mutex<Ended>,
}

/// What has come to its end, or failed.
#[derive(Default)]
struct Ended {
    done: Vec<Attempt>,
    failed: Vec<(Attempt, Error)>,
    moved: Transfers,
}

impl Help for Claims<'_, '_> {
    fn help<'scope>(&'scope self, _scope: &'scope Scope<'scope, '_>) {
        let _active = lock(&self.holds).pop().map(Hold::enter);
        let _ = take_moved();
        let moved = MovedFor::begin();
        self.serve();
        let of = (self.node, self.kernel.name);
        self.ground.divided.moved(of, &self.ground.rt.devices, moved);
        lock(&self.ended).moved += take_moved();
    }
}

impl Claims<'_, '_> {
    /// Looks after one device after the other, until none is left.
    fn serve(&self) {
        loop {
            // Relaxed, as all of this: what is claimed is behind locks, a number is taken once whatever the order,
            // and who finds an old count of devices looks again after a step, or leaves a block that may run twice.
            let at = self.next_device.fetch_add(1, Ordering::Relaxed);
            let Some(&device) = self.devices.get(at) else { return };
            self.look_after(at, device);
        }
    }

    /// A block for a device.
    fn claim(&self, (device, number): (usize, usize)) -> Option<Attempt> {
        let mut part = lock(self.blocks.get(number)?).take()?;
        part.device = device;
        Some(Attempt::new((number, part)))
    }

    fn look_after(&self, at: usize, device: usize) {
        // Of a call only this much is asked for where its parts are bound.
        let (kernel, site, args) = (self.kernel, self.site, Args::from(Box::default()));
        let stage = LaunchStage { kernel, site, args, space: SpaceSource::Line(0), special: None };
        let mut run = Run::new(self.ground, &stage, (self.node, false));
        // Who has started all of them deals with what was given up.
        run.number = self.number;
        run.may_be_late = self.may_be_late;
        let (mut done, mut before, mut number) = (Vec::new(), None::<Attempt>, at);
        while let Some(mut attempt) = self.claim((device, number)) {
            // One is brought while another one runs, if there is something to bring.
            let brought = run.bring(&attempt.part);
            attempt.since = run.now();
            let mut started = run.start(attempt);
            if let Some(before) = before.take() {
                done.extend(self.finish(&mut run, before));
                // From then on it has the device.
                started.iter_mut().for_each(|attempt| attempt.since = run.now());
            }
            before = started;
            if brought == 0 {
                done.extend(before.take().and_then(|last| self.finish(&mut run, last)));
            }
            if !run.failed.is_empty() || self.is_over.load(Ordering::Relaxed) {
                break;
            }
            number = self.next.fetch_add(1, Ordering::Relaxed);
        }
        done.extend(before.and_then(|before| self.finish(&mut run, before)));
        self.idle.fetch_add(usize::from(run.failed.is_empty()), Ordering::Relaxed);
        self.busy.fetch_sub(1, Ordering::Relaxed);
        let is_lost = self.ground.rt.devices[device].is_lost();
        let goes_on = |error: &Error| {
            is_lost
                || cannot_begin(error)
                || matches!(error, Error::Late { .. })
                || (kernel.flags.idempotent && error.is_of_device())
        };
        if !run.failed.iter().all(|(_, error)| goes_on(error)) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        let mut ended = lock(&self.ended);
        ended.done.append(&mut done);
        ended.failed.append(&mut run.failed);
    }
}

impl Claims<'_, '_> {
    /// Meets the end of a block; nothing where that is a failure, or where it is left to its device, as it
    /// takes much longer than any has and all other devices have ended theirs.
    fn finish(&self, run: &mut Run<'_, '_>, mut attempt: Attempt) -> Option<Attempt> {
        let device = &self.ground.rt.devices[attempt.part.device];
        let (since, mut is_late) = (attempt.since, false);
        while let Some(flight) = attempt.flight.as_ref().filter(|_| run.may_be_late) {
            let longest = Duration::from_nanos(self.longest.load(Ordering::Relaxed));
            let (took, limit) = (run.now().saturating_sub(since), longest * LATE + PATIENCE);
            let step = match longest.is_zero() {
                true => took.max(PATIENCE),
                false if took < limit => limit - took,
                false => {
                    if !std::mem::replace(&mut is_late, true) {
                        self.busy.fetch_sub(1, Ordering::Relaxed);
                    }
                    let is_last = self.busy.load(Ordering::Relaxed) == 0;
                    if is_last && self.idle.load(Ordering::Relaxed) > 0 {
                        attempt.predicted = Some(longest);
                        break;
                    }
                    longest.max(PATIENCE)
                }
            };
            // What went wrong is seen by who finishes it.
            if !device.wait_for(&flight.sent, step).is_ok_and(|is| !is) {
                break;
            }
        }
        if is_late {
            self.busy.fetch_add(1, Ordering::Relaxed);
        }
        if attempt.predicted.is_some() {
            return run.finish_or_leave(attempt);
        }
        let done = run.finish(attempt)?;
        let took = run.now().saturating_sub(since).as_nanos() as u64;
        self.longest.fetch_max(took.max(1), Ordering::Relaxed);
        Some(done)
    }
}

impl Run<'_, '_> {
    /// Lets devices claim the parts of a phase.
    pub(super) fn claimed(&mut self, parts: Vec<Part>, shares: &Shares) -> Result<()> {
        let Ground { rt, .. } = *self.ground;
        let all = shares.of.iter().map(|share| usize::from(share.device));
        let there: Vec<usize> = all.filter(|&device| !rt.devices[device].is_lost()).collect();
        // Nothing is given to those that are still at what others have done for them.
        let is_free =
            |device: &usize| !self.may_be_late || rt.devices[*device].is_behind().is_none();
        let free: Vec<usize> = there.iter().copied().filter(is_free).collect();
        let devices = if free.is_empty() { there } else { free };
        let n = devices.len();
        let claims = Claims {
            ground: self.ground,
            kernel: self.stage.kernel,
            site: self.stage.site,
            node: self.node,
            number: self.number,
            blocks: parts.into_iter().map(|part| Mutex::new(Some(part))).collect(),
            next: AtomicUsize::new(n),
            next_device: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            may_be_late: self.may_be_late,
            longest: AtomicU64::new(0),
            busy: AtomicUsize::new(n),
            idle: AtomicUsize::new(0),
            holds: Mutex::default(),
            ended: Mutex::default(),
            devices,
        };
        rt.threads.scope(|scope| {
            for _ in 1..n {
                if let Some(clock) = &rt.clock {
                    lock(&claims.holds).push(Hold::new(clock));
                }
                // Without a thread whoever is there looks after the device when he has time.
                if scope.lend(&claims).is_err() {
                    lock(&claims.holds).pop();
                }
            }
            claims.serve();
        });
        let Claims { blocks, ended, is_over, .. } = claims;
        let Ended { done, failed, moved } =
            ended.into_inner().unwrap_or_else(PoisonError::into_inner);
        add_moved(moved);
        self.failed = failed;
        // Nobody was there any more to claim them.
        let left = blocks.into_iter().enumerate().filter_map(|(number, block)| {
            let part = block.into_inner().unwrap_or_else(PoisonError::into_inner)?;
            Some(Attempt::new((number, part)))
        });
        let left = if is_over.into_inner() { Vec::new() } else { left.collect() };
        self.until_done(left, done)
    }
}
