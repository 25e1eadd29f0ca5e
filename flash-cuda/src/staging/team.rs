//! The threads that make long copies of a device. They are started by the first one, and sleep while there
//! is none.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::Job;
use super::ring::Ring;

/// So many there are at most: one alone copies less than a bus takes.
const THREADS: usize = 4;

/// The threads of a device.
#[derive(Debug, Default)]
pub(crate) struct Team {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Copies that have parts which nobody has begun, and whether the threads go.
    jobs: Mutex<(VecDeque<Arc<Job>>, bool)>,
    more: Condvar,
    ring: Ring,
}

impl Team {
    /// Gives them a copy. Where no thread can be started, the caller makes it.
    pub(crate) fn make(&self, job: &Arc<Job>) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.is_empty() {
            let n = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
            for _ in 0..n {
                let shared = Arc::clone(&self.shared);
                let name = thread::Builder::new().name("flash-copy".to_owned());
                threads.extend(name.spawn(move || shared.run()));
            }
        }
        if threads.is_empty() {
            drop(threads);
            return job.help(&self.shared.ring);
        }
        drop(threads);
        let mut jobs = self.shared.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.0.push_back(Arc::clone(job));
        drop(jobs);
        self.shared.more.notify_all();
    }
}

impl Shared {
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
            job.help(&self.ring);
        }
    }
}

impl Drop for Team {
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
