//! The threads that make long copies of a device. They are started by the first one, and sleep while there
//! is none. They do not know what a copy is.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::backend::at_work;

/// So many there are at most: one alone copies less than a bus takes.
const THREADS: usize = 4;

/// A copy that several threads make together.
pub trait Work: fmt::Debug + Send + Sync + 'static {
    /// What it is made with, of which a team has one.
    type Tools: fmt::Debug + Default + Send + Sync + 'static;

    /// Whether there is a part that nobody has begun.
    fn has_more(&self) -> bool;

    /// Makes parts of it until none is left to be begun.
    fn help(&self, tools: &Self::Tools);
}

/// The threads of a device. They begin copies in the order in which they get them.
#[derive(Debug)]
pub struct Team<W: Work> {
    shared: Arc<Shared<W>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared<W: Work> {
    /// Copies that have parts which nobody has begun, and whether the threads go.
    jobs: Mutex<(VecDeque<Arc<W>>, bool)>,
    more: Condvar,
    tools: W::Tools,
}

impl<W: Work> Default for Team<W> {
    fn default() -> Self {
        let (jobs, more) = (Mutex::new((VecDeque::new(), false)), Condvar::new());
        let shared = Arc::new(Shared { jobs, more, tools: W::Tools::default() });
        Self { shared, threads: Mutex::default() }
    }
}

impl<W: Work> Team<W> {
    /// Gives them a copy. Where no thread can be started, the caller makes it.
    pub fn make(&self, job: &Arc<W>) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.is_empty() {
            let n = at_work::processors().min(THREADS);
            for _ in 0..n {
                let shared = Arc::clone(&self.shared);
                let name = thread::Builder::new().name("flash-copy".to_owned());
                threads.extend(name.spawn(move || shared.run()));
            }
        }
        if threads.is_empty() {
            drop(threads);
            return job.help(&self.shared.tools);
        }
        drop(threads);
        let mut jobs = self.shared.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.0.push_back(Arc::clone(job));
        drop(jobs);
        self.shared.more.notify_all();
    }
}

impl<W: Work> Shared<W> {
    fn run(&self) {
        loop {
            let job = {
                let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
                loop {
                    jobs.0.retain(|job| job.has_more());
                    if let Some(job) = jobs.0.front() {
                        break Arc::clone(job);
                    }
                    if jobs.1 {
                        return;
                    }
                    jobs = self.more.wait(jobs).unwrap_or_else(PoisonError::into_inner);
                }
            };
            job.help(&self.tools);
        }
    }
}

impl<W: Work> Drop for Team<W> {
    fn drop(&mut self) {
        self.shared.jobs.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.shared.more.notify_all();
        let threads = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            if thread.join().is_err() {
                tracing::debug!("a thread that copies has panicked");
            }
        }
    }
}
