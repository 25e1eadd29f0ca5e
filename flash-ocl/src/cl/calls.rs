//! Calls of the driver as tests see them: each is counted, and one of them can be made to fail in the
//! driver's place, or a command some time after it was submitted, or devices say what a test wants them to,
//! or threads take turns.
//! It is there with the feature `calls` only, and wraps nothing until it is asked to, which has to be before
//! the library is looked for. Fenced: it stands between the functions of the library and who calls them.
#![allow(unsafe_code, reason = "passes calls of the OpenCL library on")]

mod late;
mod said;

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use late::fail_late;
use opencl_sys as sys;
pub use said::say;

/// How often each function was called. A copy that the caller waits for is counted as the function with
/// ` (blocking)` after it, a queue that notes when its commands run with ` (timed)`.
pub type Counts = BTreeMap<&'static str, u64>;

#[derive(Debug)]
struct Failing {
    function: String,
    /// How many calls of it still succeed.
    left: u64,
    code: i32,
}

#[derive(Debug)]
struct State {
    counts: Counts,
    failing: Vec<Failing>,
    /// Commands that are to fail once they are submitted.
    late: Vec<Failing>,
    events: late::Events,
    /// What devices say, by what they are asked for.
    said: BTreeMap<u32, Vec<u8>>,
}

static STATE: Mutex<State> = Mutex::new(State {
    counts: BTreeMap::new(),
    failing: Vec::new(),
    late: Vec::new(),
    events: BTreeMap::new(),
    said: BTreeMap::new(),
});
static IS_ON: AtomicBool = AtomicBool::new(false);
static TAKES_TURNS: AtomicBool = AtomicBool::new(false);
static TURN: Mutex<()> = Mutex::new(());

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stands between this process and its OpenCL library from now on. It comes too late, and does nothing,
/// once a runtime or anything else has asked for an OpenCL device.
pub fn wrap() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// As [`wrap`], and lets one thread at a time into the driver, for one that is not made for several. What it
/// is asked to wait for it has to get on with by itself.
pub fn one_at_a_time() {
    TAKES_TURNS.store(true, Ordering::Relaxed);
    wrap();
}

/// Held while the driver is called.
fn turn() -> Option<MutexGuard<'static, ()>> {
    let takes_turns = TAKES_TURNS.load(Ordering::Relaxed);
    takes_turns.then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(super) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// What was called since the last time that this was asked.
pub fn take() -> Counts {
    std::mem::take(&mut state().counts)
}

/// Has a call of a function fail with this status: the next one for 0, the one after that for 1. The
/// driver does not get to see it. A function whose result is no status gives null and the status.
pub fn fail(function: &str, nth: u64, code: i32) {
    state().failing.push(Failing { function: function.to_owned(), left: nth, code });
}

/// Lets everything that was to fail succeed; how many calls and commands still were to.
pub fn forget() -> usize {
    let mut state = state();
    std::mem::take(&mut state.failing).len() + std::mem::take(&mut state.late).len()
}

/// Counts a call; the status that it fails with, if it does.
fn called(function: &'static str, kind: Option<&'static str>) -> Option<i32> {
    let mut state = state();
    *state.counts.entry(kind.unwrap_or(function)).or_default() += 1;
    due(&mut state.failing, function)
}

/// The status of what fails now, of a function that is called.
fn due(all: &mut Vec<Failing>, function: &str) -> Option<i32> {
    let at = all.iter_mut().position(|failing| {
        let is_it = failing.function == function && failing.left == 0;
        if failing.function == function {
            failing.left = failing.left.saturating_sub(1);
        }
        is_it
    })?;
    Some(all.remove(at).code)
}

/// The name of a copy that is waited for, and of a queue that is timed.
fn kind(function: &'static str, third: Option<&dyn Any>) -> Option<&'static str> {
    let third = third?;
    let blocks = third.downcast_ref::<sys::cl_bool>().map(|is| *is != sys::CL_FALSE);
    let is_timed = third
        .downcast_ref::<sys::cl_command_queue_properties>()
        .map(|all| all & sys::CL_QUEUE_PROFILING_ENABLE != 0);
    let is_so = blocks.or(is_timed)?;
    let name = match function {
        "clCreateCommandQueue" => "clCreateCommandQueue (timed)",
        "clEnqueueMapBuffer" => "clEnqueueMapBuffer (blocking)",
        "clEnqueueReadBuffer" => "clEnqueueReadBuffer (blocking)",
        "clEnqueueWriteBuffer" => "clEnqueueWriteBuffer (blocking)",
        "clEnqueueReadBufferRect" => "clEnqueueReadBufferRect (blocking)",
        "clEnqueueWriteBufferRect" => "clEnqueueWriteBufferRect (blocking)",
        _ => return None,
    };
    is_so.then_some(name)
}

/// What a function gives where it fails.
trait Answer {
    /// `last` is its last argument, where functions whose result is no status say what that is.
    fn failed(code: i32, last: Option<&dyn Any>) -> Self;
    /// What it gives in the end, where it is about a command that fails once it is submitted.
    fn in_the_end(self, function: &'static str, args: &[&dyn Any]) -> Self;
}

impl Answer for i32 {
    fn failed(code: i32, _last: Option<&dyn Any>) -> Self {
        code
    }

    fn in_the_end(self, function: &'static str, args: &[&dyn Any]) -> Self {
        late::answered(function, args, said::answered(function, args, self))
    }
}

impl Answer for *mut c_void {
    fn failed(code: i32, last: Option<&dyn Any>) -> Self {
        if let Some(place) = last.and_then(|last| last.downcast_ref::<*mut i32>())
            && !place.is_null()
        {
            // SAFETY: the caller has passed a place for the status.
            unsafe { **place = code };
        }
        std::ptr::null_mut()
    }

    fn in_the_end(self, _: &'static str, _: &[&dyn Any]) -> Self {
        self
    }
}

/// A function that something can stand before: the `ID`-th of the table, whose names `N` knows.
pub(super) trait Wrap<N: Names> {
    /// What is called in its place.
    fn wrapped<const ID: usize>(self) -> Self;
}

/// The names of the functions of the table, and where those of the driver are kept.
pub(super) trait Names: 'static {
    /// The name of the `id`-th.
    fn name(id: usize) -> &'static str;
    /// The number of the one of a name.
    fn number(name: &str) -> Option<usize>;
    /// The place of the `id`-th.
    fn real(id: usize) -> &'static AtomicPtr<c_void>;
}

macro_rules! wrap {
    ($($arg:ident)*) => {
        impl<N: Names, R: Answer + 'static, $($arg: Copy + 'static),*> Wrap<N>
            for Option<unsafe extern "C" fn($($arg),*) -> R>
        {
            fn wrapped<const ID: usize>(self) -> Self {
                #[allow(non_snake_case, reason = "an argument is called as its type is")]
                unsafe extern "C" fn shim<N: Names, R: Answer, $($arg: Copy + 'static,)* const ID: usize>(
                    $($arg: $arg),*
                ) -> R {
                    let all: &[&dyn Any] = &[$(&$arg),*];
                    let name = N::name(ID);
                    let kind = kind(name, all.get(2).copied());
                    if let Some(code) = called(name, kind) {
                        return R::failed(code, all.last().copied());
                    }
                    if let Some(code) = said::refused(name, all) {
                        return R::failed(code, None);
                    }
                    if let Some(code) = late::submitted::<N>(name, all) {
                        return R::failed(code, None);
                    }
                    let _turn = turn();
                    let real = N::real(ID).load(Ordering::Acquire);
                    type Real<R, $($arg),*> = unsafe extern "C" fn($($arg),*) -> R;
                    // SAFETY: what is kept at this place is the driver's function of this type.
                    let real = unsafe { std::mem::transmute::<*mut c_void, Real<R, $($arg),*>>(real) };
                    // SAFETY: as the caller vouches.
                    let answer = unsafe { real($($arg),*) };
                    answer.in_the_end(name, all)
                }
                let real = self?;
                N::real(ID).store(real as *mut c_void, Ordering::Release);
                Some(shim::<N, R, $($arg,)* ID>)
            }
        }
    };
}

wrap!(A);
wrap!(A B);
wrap!(A B C);
wrap!(A B C D);
wrap!(A B C D E);
wrap!(A B C D E F);
wrap!(A B C D E F G);
wrap!(A B C D E F G H);
wrap!(A B C D E F G H I);
wrap!(A B C D E F G H I J);
wrap!(A B C D E F G H I J K);
wrap!(A B C D E F G H I J K L);
wrap!(A B C D E F G H I J K L M);
wrap!(A B C D E F G H I J K L M O);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_that_is_named_fails_and_no_other() {
        let next = || called("a function", None);
        fail("a function", 1, -5);
        assert_eq!(called("another one", None), None);
        assert_eq!([next(), next(), next()], [None, Some(-5), None]);
        let counts = take();
        assert_eq!((counts["a function"], counts["another one"]), (3, 1));
    }
}
