//! What was called: counts of all calls, and their list where it was asked for. It judges nothing.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::codes::Code;
use crate::locks::lock;

/// One call of an entry point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) name: &'static str,
    /// The device of the current context.
    pub(crate) device: Option<usize>,
    /// The number of the stream; 0 is the null stream.
    pub(crate) stream: Option<u64>,
    pub(crate) bytes: u64,
    /// Whether the calling thread had to wait for work of a device.
    pub(crate) waited: bool,
    /// The kernel, or what else there is to say.
    pub(crate) detail: String,
    pub(crate) code: u32,
}

impl Record {
    fn line(&self, into: &mut String) {
        let number = |number: Option<u64>| number.map_or("-".to_owned(), |it| it.to_string());
        let device = number(self.device.map(|device| device as u64));
        let stream = number(self.stream);
        let waited = if self.waited { "waited" } else { "-" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            into,
            "{}\t{device}\t{stream}\t{}\t{waited}\t{}\t{}",
            self.name, self.bytes, self.code, self.detail
        );
    }
}

/// All calls since they were last asked for.
#[derive(Debug, Default)]
pub(crate) struct Log {
    on: AtomicBool,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    records: Mutex<Vec<Record>>,
}

impl Log {
    pub(crate) fn add(&self, record: Record) {
        *lock(&self.counts).entry(record.name).or_default() += 1;
        if self.on.load(Relaxed) {
            lock(&self.records).push(record);
        }
    }

    /// Whether calls are to be listed.
    pub(crate) fn switch(&self, on: bool) {
        self.on.store(on, Relaxed);
    }

    /// The list, a call on each line, which then begins anew.
    pub(crate) fn drain(&self) -> String {
        let mut text = String::new();
        for record in std::mem::take(&mut *lock(&self.records)) {
            record.line(&mut text);
        }
        text
    }

    /// How often each entry point was called since it was last cleared.
    pub(crate) fn counts(&self) -> String {
        let mut text = String::new();
        for (name, count) in lock(&self.counts).iter() {
            let _ = writeln!(text, "{name}\t{count}");
        }
        text
    }

    pub(crate) fn clear(&self) {
        lock(&self.counts).clear();
        lock(&self.records).clear();
    }
}

/// The name of a code for the log.
pub(crate) fn code_of(outcome: Result<(), Code>) -> u32 {
    outcome.err().map_or(0, |code| code.0)
}
