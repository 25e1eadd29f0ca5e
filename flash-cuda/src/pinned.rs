//! Arrays of the host that the driver keeps where they are, so that devices copy them themselves: those of
//! the whole process, up to a limit. Fenced: it tells the driver of memory that stays.
#![allow(unsafe_code, reason = "registers memory of the host")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flash_rt::backend::staying;

use crate::cu::{Context, Registered};

/// Memory that was told of, by its start.
static ALL: Mutex<Table> = Mutex::new(Table { ranges: BTreeMap::new(), bytes: 0, told: 0 });
/// Whether it was said that the limit is reached.
static HAS_SAID: AtomicBool = AtomicBool::new(false);

#[derive(Debug)]
struct Table {
    ranges: BTreeMap<usize, Range>,
    /// Bytes of those that are known to the driver, or are about to be.
    bytes: u64,
    /// How often memory was told of.
    told: u64,
}

#[derive(Debug)]
struct Range {
    /// How often memory was told of until then.
    number: u64,
    bytes: usize,
    /// Whether it counts for the limit.
    counts: bool,
    /// Where it is registered; `None` where the driver did not take it, or does not have it yet.
    context: Option<Arc<Context>>,
}

impl Table {
    fn remove(&mut self, start: usize) {
        if let Some(range) = self.ranges.remove(&start)
            && range.counts
        {
            self.bytes -= range.bytes as u64;
        }
    }
}

fn table() -> MutexGuard<'static, Table> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is kept until the memory goes.
struct Kept {
    start: usize,
    number: u64,
    registered: Option<Registered>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Nobody finds it any more when the driver lets it go.
        let mut table = table();
        // After a context has gone, the same memory may be pinned in another one.
        let is_it = |range: &Range| range.number == self.number;
        if table.ranges.get(&self.start).is_some_and(is_it) {
            table.remove(self.start);
        }
        drop(table);
        self.registered = None;
    }
}

/// Makes an array known to the driver, if there is room below the limit.
///
/// # Safety
///
/// The memory stays where it is until what [`staying::keep`] was given for it is dropped.
pub(crate) unsafe fn pin(context: &Arc<Context>, memory: *const [u8], limit: u64) {
    let (start, bytes) = (memory.cast::<u8>(), memory.len());
    let number = {
        let mut table = table();
        let is_of_use = |range: &Range| range.context.as_ref().is_none_or(|own| own.is_alive());
        match table.ranges.get(&start.addr()).map(is_of_use) {
            Some(true) => return,
            Some(false) => table.remove(start.addr()),
            None => {}
        }
        let (used, more) = (table.bytes, bytes as u64);
        if used.saturating_add(more) > limit {
            drop(table);
            if !HAS_SAID.swap(true, Ordering::Relaxed) {
                tracing::warn!(
                    used,
                    limit,
                    "an array of {more} bytes is not pinned, as the limit is reached, so its copies are \
                     slower; FLASH_PINNED_LIMIT sets it"
                );
            }
            return;
        }
        table.bytes += more;
        table.told += 1;
        let number = table.told;
        table.ranges.insert(start.addr(), Range { number, bytes, counts: true, context: None });
        number
    };
    // SAFETY: the bytes stay until what is kept for them goes, which is what this is put into.
    let registered = unsafe { Registered::new(context, start.cast_mut(), bytes) };
    let mut table = table();
    let registered = match registered {
        Ok(registered) => {
            if let Some(range) = table.ranges.get_mut(&start.addr()) {
                range.context = Some(Arc::clone(context));
            }
            Some(registered)
        }
        Err(failure) => {
            if let Some(range) = table.ranges.get_mut(&start.addr()) {
                range.counts = false;
            }
            table.bytes -= bytes as u64;
            let status = failure.words();
            tracing::debug!(bytes, status, "an array is not pinned, so its copies are slower");
            None
        }
    };
    drop(table);
    staying::keep(start, Box::new(Kept { start: start.addr(), number, registered }));
}

/// Whether devices can copy these bytes themselves.
pub(crate) fn has(start: *const u8, bytes: usize) -> bool {
    let table = table();
    let Some((at, range)) = table.ranges.range(..=start.addr()).next_back() else { return false };
    let is_inside = start.addr() - at + bytes <= range.bytes;
    is_inside && range.context.as_ref().is_some_and(|context| context.is_alive())
}

/// So many bytes may be pinned where nothing is said: half of the memory of the machine.
pub(crate) fn default_limit() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.map_or(4 << 30, |kib| kib * 1024 / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_pinned_that_nobody_told_of() {
        let bytes = [0_u8; 64];
        assert!(!has(bytes.as_ptr(), bytes.len()));
        assert!(default_limit() > 1 << 20);
    }
}
