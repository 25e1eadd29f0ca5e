//! The lane of host tasks: one thread of the run that takes them in program order, while the
//! driving thread goes on with what does not touch their arrays.
//!
//! The driver asks the lane before each node; a node waits for the last task whose boxes conflict
//! with its own. The lane's thread starts with the first task and is joined with the scope. It
//! never waits for the driver but for the next task.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

use crate::access::{Access, Mode};
use crate::arg::ArrayArg;
use crate::entry::Slot;
use crate::env::Env;
use crate::error::{Error, Result};
use crate::ledger::in_task;
use crate::task::Task;

/// How many host tasks may wait for their turn before the driver waits for them.
const WINDOW: usize = 32;

/// One run of a task.
struct Job<'a> {
    name: &'static str,
    task: Arc<Mutex<Task<'a>>>,
    slots: Vec<Slot>,
    env: Env,
    stat: usize,
}

/// What the lane's thread tells the driver.
#[derive(Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    done: u64,
    /// The first error; what follows it is skipped.
    failed: Option<Error>,
    times: Vec<(usize, u64, Duration)>,
}

impl Progress {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The driver's side of the lane.
pub(super) struct Lane<'scope, 'env, 'a> {
    scope: &'scope Scope<'scope, 'env>,
    jobs: Option<Sender<Job<'a>>>,
    progress: Arc<Progress>,
    /// Number of each task that may not be done, and what it touches.
    in_flight: VecDeque<(u64, Vec<Access>)>,
    submitted: u64,
    ids: Arc<[u64]>,
    window: usize,
    /// Tasks kept back until all kernels have run.
    #[cfg(feature = "sabotage")]
    late: Vec<(Job<'a>, Vec<Access>)>,
}

impl<'scope, 'a: 'scope> Lane<'scope, '_, 'a> {
    /// A lane of a run that uses the allocations `ids`.
    pub(super) fn new<'env>(
        scope: &'scope Scope<'scope, 'env>,
        ids: Arc<[u64]>,
        sync: bool,
    ) -> Lane<'scope, 'env, 'a> {
        Lane {
            scope,
            jobs: None,
            progress: Arc::default(),
            in_flight: VecDeque::new(),
            submitted: 0,
            ids,
            window: if sync { 0 } else { WINDOW },
            #[cfg(feature = "sabotage")]
            late: Vec::new(),
        }
    }

    /// Waits for the tasks that conflict with a use of an array.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] if a task has failed; the run ends with that task's own error.
    pub(super) fn clear(&mut self, array: &ArrayArg, writes: bool) -> Result<()> {
        let conflicts = |access: &Access| {
            (writes || access.mode == Mode::Write)
                && Arc::ptr_eq(&access.allocation, &array.allocation)
                && access.section.overlaps(&array.section)
        };
        let last = self.in_flight.iter().rev().find(|(_, list)| list.iter().any(conflicts));
        match last {
            Some(&(number, _)) => self.wait(number),
            None => Ok(()),
        }
    }

    /// Waits for the task of this number, counted from 1.
    fn wait(&mut self, number: u64) -> Result<()> {
        let mut state = self.progress.lock();
        while state.done < number {
            state = self.progress.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let (done, failed) = (state.done, state.failed.is_some());
        drop(state);
        while self.in_flight.front().is_some_and(|(first, _)| *first <= done) {
            self.in_flight.pop_front();
        }
        if failed { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Hands a task to the lane, after every task before it.
    ///
    /// # Errors
    ///
    /// As [`Lane::clear`], and if the lane's thread cannot be started.
    pub(super) fn submit(
        &mut self,
        (name, task): (&'static str, &Arc<Mutex<Task<'a>>>),
        slots: Vec<Slot>,
        accesses: Vec<Access>,
        env: Env,
        stat: usize,
    ) -> Result<()> {
        let job = Job { name, task: Arc::clone(task), slots, env, stat };
        #[cfg(feature = "sabotage")]
        if crate::sabotage::has_no_edges() {
            self.late.push((job, accesses));
            return Ok(());
        }
        self.send(job, accesses)
    }

    fn send(&mut self, job: Job<'a>, accesses: Vec<Access>) -> Result<()> {
        let jobs = match &self.jobs {
            Some(jobs) => jobs,
            None => {
                let (jobs, queue) = channel();
                let (progress, ids) = (Arc::clone(&self.progress), Arc::clone(&self.ids));
                Builder::new()
                    .name("flash-host".to_owned())
                    .spawn_scoped(self.scope, move || work(&queue, &progress, &ids))
                    .map_err(|error| crate::launch::no_thread(&error))?;
                self.jobs.insert(jobs)
            }
        };
        if jobs.send(job).is_err() {
            return Err(Error::Cancelled);
        }
        self.submitted += 1;
        self.in_flight.push_back((self.submitted, accesses));
        match self.submitted.checked_sub(self.window as u64) {
            Some(number) if number > 0 => self.wait(number),
            _ => Ok(()),
        }
    }

    /// Whether every task so far is done.
    pub(super) fn is_idle(&self) -> bool {
        #[cfg(feature = "sabotage")]
        if crate::sabotage::has_no_edges() {
            return false;
        }
        self.in_flight.is_empty() || self.progress.lock().done == self.submitted
    }

    /// Whether a task has failed, so that nothing more may start.
    pub(super) fn has_failed(&self) -> bool {
        self.submitted > 0 && self.progress.lock().failed.is_some()
    }

    /// Waits for all tasks; the first error, and for each run its row and time.
    pub(super) fn finish(mut self) -> (Option<Error>, Vec<(usize, u64, Duration)>) {
        #[cfg(feature = "sabotage")]
        for (job, accesses) in std::mem::take(&mut self.late) {
            // An error is what the tasks themselves say, below.
            let _ = self.send(job, accesses);
        }
        // An error is taken out of the state next.
        let _ = self.wait(self.submitted);
        let mut state = self.progress.lock();
        (state.failed.take(), std::mem::take(&mut state.times))
    }
}

/// The lane's thread.
fn work(queue: &Receiver<Job<'_>>, progress: &Progress, ids: &Arc<[u64]>) {
    for job in queue {
        // Only this thread sets it, so it cannot change in between.
        let skip = progress.lock().failed.is_some();
        let start = Instant::now();
        let result =
            if skip { Ok(()) } else { run(job.name, &job.task, &job.slots, &job.env, ids) };
        let mut state = progress.lock();
        state.done += 1;
        if !skip {
            let time = start.elapsed();
            match state.times.iter_mut().find(|(stat, ..)| *stat == job.stat) {
                Some((_, count, sum)) => {
                    *count += 1;
                    *sum += time;
                }
                None => state.times.push((job.stat, 1, time)),
            }
        }
        if let Err(error) = result {
            state.failed = Some(error);
        }
        drop(state);
        progress.changed.notify_all();
    }
}

/// Runs a task on this thread.
pub(super) fn run(
    name: &'static str,
    task: &Mutex<Task<'_>>,
    slots: &[Slot],
    env: &Env,
    ids: &Arc<[u64]>,
) -> Result<()> {
    let _span = tracing::trace_span!("host_task", name).entered();
    let mut task = task.lock().unwrap_or_else(PoisonError::into_inner);
    in_task(name, ids, || task.run(slots, env))
}
