//! The primitives of the team, in one place so that loom can stand in for them. No protocol here.
#![allow(unsafe_code, reason = "one futex call and one cell; every use names the launch protocol")]

#[cfg(loom)]
pub(super) use loom::{
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence},
    thread::JoinHandle,
};
#[cfg(not(loom))]
pub(super) use std::{
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence},
    thread::JoinHandle,
};

/// Starts a named thread.
#[cfg(not(loom))]
pub(super) fn spawn(
    name: String,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name).spawn(run)
}

/// Starts a thread of the model.
#[cfg(loom)]
pub(super) fn spawn(
    _name: String,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    Ok(loom::thread::spawn(run))
}

/// One step of waiting for another thread; `tired` lets others run.
#[cfg(not(loom))]
#[inline]
pub(super) fn pause(tired: bool) {
    if tired {
        std::thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

/// In the model every wait is a point where others run.
#[cfg(loom)]
pub(super) fn pause(_tired: bool) {
    loom::thread::yield_now();
}

/// Stores a word that other threads may be adding to.
#[cfg(not(loom))]
#[inline]
pub(super) fn put(word: &AtomicU64, value: u64, order: Ordering) {
    word.store(value, order);
}

/// The model lets a thread read an addition to an older value after its own plain store, which the
/// language forbids (one modification order for each word); a swap takes its place there.
#[cfg(loom)]
pub(super) fn put(word: &AtomicU64, value: u64, _order: Ordering) {
    word.swap(value, Ordering::AcqRel);
}

/// A value that one thread at a time may write, as the protocol around it says.
#[derive(Debug)]
pub(super) struct Shelf<T> {
    #[cfg(not(loom))]
    cell: std::cell::UnsafeCell<T>,
    #[cfg(loom)]
    cell: loom::cell::UnsafeCell<T>,
}

// SAFETY: who reads or writes promises that no write runs at the same time.
unsafe impl<T: Send + Sync> Sync for Shelf<T> {}

impl<T: Copy> Shelf<T> {
    pub(super) fn new(value: T) -> Self {
        Self {
            #[cfg(not(loom))]
            cell: std::cell::UnsafeCell::new(value),
            #[cfg(loom)]
            cell: loom::cell::UnsafeCell::new(value),
        }
    }

    /// Reads the value.
    ///
    /// # Safety
    ///
    /// No write runs at the same time, and the last one happened before.
    pub(super) unsafe fn read(&self) -> T {
        #[cfg(not(loom))]
        // SAFETY: the caller excludes a write at the same time.
        return unsafe { *self.cell.get() };
        #[cfg(loom)]
        // SAFETY: the caller excludes a write at the same time; the model checks it.
        return self.cell.with(|value| unsafe { *value });
    }

    /// Writes the value.
    ///
    /// # Safety
    ///
    /// Nothing reads or writes at the same time, and what did so happened before.
    pub(super) unsafe fn write(&self, value: T) {
        #[cfg(not(loom))]
        // SAFETY: the caller has the cell to itself.
        unsafe {
            *self.cell.get() = value;
        }
        #[cfg(loom)]
        // SAFETY: the caller has the cell to itself; the model checks it.
        self.cell.with_mut(|place| unsafe { *place = value });
    }
}

/// A word that threads can sleep on: `wait` returns at once where the word differs from
/// `expected`, and may return early; a `wake` after a change of the word is not lost.
#[derive(Debug)]
pub(super) struct Futex {
    pub(super) word: AtomicU32,
    #[cfg(not(all(target_os = "linux", not(loom))))]
    sleep: condvar::Sleep,
}

impl Futex {
    pub(super) fn new(value: u32) -> Self {
        Self {
            word: AtomicU32::new(value),
            #[cfg(not(all(target_os = "linux", not(loom))))]
            sleep: condvar::Sleep::new(),
        }
    }
}

#[cfg(all(target_os = "linux", not(loom)))]
impl Futex {
    pub(super) fn wait(&self, expected: u32) {
        // SAFETY: the word is live and aligned, no timeout is passed, and every result (woken,
        // changed, interrupted) means "look again" to the caller.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                self.word.as_ptr(),
                libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                expected,
                std::ptr::null::<libc::timespec>(),
            );
        }
    }

    pub(super) fn wake(&self) {
        // SAFETY: the kernel only compares the address; one sleeper at most is woken.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                self.word.as_ptr(),
                libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
                1,
            );
        }
    }
}

#[cfg(not(all(target_os = "linux", not(loom))))]
impl Futex {
    pub(super) fn wait(&self, expected: u32) {
        self.sleep.wait(|| self.word.load(Ordering::SeqCst) == expected);
    }

    pub(super) fn wake(&self) {
        self.sleep.wake();
    }
}

#[cfg(not(all(target_os = "linux", not(loom))))]
mod condvar {
    //! A futex from a lock and a condition variable, for other systems and for the model.
    #[cfg(loom)]
    use loom::sync::{Condvar, Mutex};
    #[cfg(not(loom))]
    use std::sync::{Condvar, Mutex};

    #[derive(Debug)]
    pub(super) struct Sleep {
        lock: Mutex<()>,
        change: Condvar,
    }

    impl Sleep {
        pub(super) fn new() -> Self {
            Self { lock: Mutex::new(()), change: Condvar::new() }
        }

        pub(super) fn wait(&self, same: impl Fn() -> bool) {
            let guard = self.lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            // The waker takes the lock after it changed the word: either the change is seen here,
            // or the notification comes after the sleep began.
            if same() {
                drop(self.change.wait(guard));
            }
        }

        pub(super) fn wake(&self) {
            let _guard = self.lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            self.change.notify_all();
        }
    }
}
