//! What backends keep for memory of the host that holds arrays, until that memory goes. It keeps nothing
//! itself.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

type Kept = Vec<Box<dyn Any + Send>>;

/// By the address of the memory.
static ALL: LazyLock<Mutex<HashMap<usize, Kept>>> = LazyLock::new(Mutex::default);
/// How many there are, so that nobody takes a lock for nothing.
static N: AtomicUsize = AtomicUsize::new(0);

/// Keeps something for memory of the host that [`Backend::stays`](super::Backend::stays) was told of, and
/// drops it before that memory goes. To be called in that call.
///
/// ```
/// use flash_rt::backend::staying;
///
/// let memory = vec![0_u8; 1 << 16];
/// // A backend would keep what says that its driver knows the memory.
/// staying::keep(memory.as_ptr(), Box::new("known to the driver"));
/// ```
pub fn keep(memory: *const u8, what: Box<dyn Any + Send>) {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry(memory.addr()).or_default().push(what);
    // Under the lock, so that who sees the number finds what it stands for.
    N.store(all.len(), Ordering::Release);
}

/// Memory of the host is about to go. Whoever lets it go has it for himself, so that nobody keeps
/// something for it meanwhile.
#[inline]
pub(crate) fn goes(memory: *const u8) {
    if N.load(Ordering::Acquire) > 0 {
        drop_kept(memory);
    }
}

#[cold]
fn drop_kept(memory: *const u8) {
    let kept = {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = all.remove(&memory.addr());
        N.store(all.len(), Ordering::Release);
        kept
    };
    // What goes may ask a driver.
    drop(kept);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_is_kept_goes_with_its_memory_and_with_no_other() {
        let (memory, other) = ([0_u8; 8], [0_u8; 8]);
        let witness = Arc::new(());
        keep(memory.as_ptr(), Box::new(Arc::clone(&witness)));
        keep(memory.as_ptr(), Box::new(Arc::clone(&witness)));
        goes(other.as_ptr());
        assert_eq!(Arc::strong_count(&witness), 3);
        goes(memory.as_ptr());
        goes(memory.as_ptr());
        assert_eq!(Arc::strong_count(&witness), 1);
    }
}
