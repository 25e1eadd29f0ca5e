//! Whether a context can still be used: errors that stay until it is reset. It waits for nothing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};

use crate::codes::{Code, Outcome};
use crate::locks::lock;

/// The state of one context, shared with what belongs to it.
#[derive(Debug)]
pub(crate) struct Health {
    pub(crate) device: usize,
    pub(crate) context: usize,
    sick: AtomicU32,
    dead: AtomicBool,
    why: Mutex<String>,
}

impl Health {
    pub(crate) fn new(device: usize, context: usize) -> Self {
        let (sick, dead) = Default::default();
        Self { device, context, sick, dead, why: Mutex::default() }
    }

    /// The first error stays.
    pub(crate) fn fall_ill(&self, code: Code, why: String) {
        if self.sick.compare_exchange(0, code.0, SeqCst, SeqCst).is_ok() {
            *lock(&self.why) = why;
        }
    }

    /// Nothing that belongs to the context may be used again.
    pub(crate) fn die(&self) {
        self.dead.store(true, SeqCst);
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.dead.load(SeqCst)
    }

    /// The error that stays, if there is one.
    pub(crate) fn check(&self) -> Outcome {
        if self.is_dead() {
            return Err(Code::CONTEXT_IS_DESTROYED);
        }
        match self.sick.load(SeqCst) {
            0 => Ok(()),
            code => Err(Code(code)),
        }
    }

    /// What made it ill, in words.
    pub(crate) fn why(&self) -> String {
        lock(&self.why).clone()
    }
}
