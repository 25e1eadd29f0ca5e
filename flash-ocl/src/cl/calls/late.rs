//! Commands that fail after they were submitted, as tests ask for them: in the place of one the driver gets a
//! marker, so that nothing of it is done, and its event says for a while that it runs and then that it failed.
//! Commands behind it run all the same, as some drivers let them. It counts no calls. Fenced: it makes such
//! markers and writes what an event is asked for.
#![allow(unsafe_code, reason = "passes calls of the OpenCL library on, and answers in their place")]

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::Ordering;

use opencl_sys as sys;

use super::{Failing, Names, state};

/// So often an event is under way when it is asked, before it says that it failed.
const ASKED: u32 = 2;

/// An event whose command fails.
#[derive(Debug)]
pub(super) struct Late {
    code: i32,
    /// How often it is still under way.
    asked: u32,
    /// Who holds it; its number may be that of another one afterwards.
    holders: u32,
}

/// Events whose commands fail, by their address.
pub(super) type Events = BTreeMap<usize, Late>;

/// Lets a command fail after it was submitted: that of the next call of an `clEnqueue..` function for 0, of
/// the one after that for 1. Its event then says this status, which is below zero.
pub fn fail_late(function: &str, nth: u64, code: i32) {
    state().late.push(Failing { function: function.to_owned(), left: nth, code });
}

fn argument<T: Copy + 'static>(arg: Option<&&dyn Any>) -> Option<T> {
    arg?.downcast_ref::<T>().copied()
}

/// Submits a marker in place of a command that is to fail; the status of that call. The last arguments of
/// such functions are what the command waits for, and the place for its event.
pub(super) fn submitted<N: Names>(function: &'static str, args: &[&dyn Any]) -> Option<i32> {
    if !function.starts_with("clEnqueue") {
        return None;
    }
    let code = super::due(&mut state().late, function)?;
    let from_end = |k: usize| args.len().checked_sub(k).and_then(|at| args.get(at));
    let queue = argument::<sys::cl_command_queue>(args.first())?;
    let waits = argument::<u32>(from_end(3))?;
    let list = argument::<*const sys::cl_event>(from_end(2))?;
    let place = argument::<*mut sys::cl_event>(from_end(1)).filter(|place| !place.is_null())?;
    let marker = N::real(N::number("clEnqueueMarkerWithWaitList")?).load(Ordering::Acquire);
    type Marker = unsafe extern "C" fn(
        sys::cl_command_queue,
        u32,
        *const sys::cl_event,
        *mut sys::cl_event,
    ) -> i32;
    if marker.is_null() {
        return None;
    }
    // SAFETY: what is kept at this place is the driver's function of this type.
    let marker = unsafe { std::mem::transmute::<*mut c_void, Marker>(marker) };
    // SAFETY: queue, events and the place are what the caller vouches for.
    let status = unsafe { marker(queue, waits, list, place) };
    if status == sys::CL_SUCCESS {
        // SAFETY: the driver has just written it.
        let event = unsafe { *place };
        state().events.insert(event.addr(), Late { code, asked: ASKED, holders: 1 });
    }
    Some(status)
}

/// What a call comes to that has given this status, where it is about an event whose command fails.
pub(super) fn answered(function: &'static str, args: &[&dyn Any], status: i32) -> i32 {
    let event = |arg: Option<&&dyn Any>| argument::<sys::cl_event>(arg).map(|event| event.addr());
    match function {
        "clGetEventInfo" => {
            let Some(event) = event(args.first()) else { return status };
            let mut state = state();
            let (Some(late), Some(what)) =
                (state.events.get_mut(&event), argument::<u32>(args.get(1)))
            else {
                return status;
            };
            let place = argument::<*mut c_void>(args.get(3)).filter(|place| !place.is_null());
            let (sys::CL_EVENT_COMMAND_EXECUTION_STATUS, Some(place)) = (what, place) else {
                return status;
            };
            let said = if late.asked > 0 { sys::CL_RUNNING } else { late.code };
            late.asked = late.asked.saturating_sub(1);
            // SAFETY: the caller has passed a place for a status, which the driver has written too.
            unsafe { place.cast::<i32>().write(said) };
        }
        "clWaitForEvents" => {
            let n = argument::<u32>(args.first()).unwrap_or(0) as usize;
            let Some(list) = argument::<*const sys::cl_event>(args.get(1)) else { return status };
            let mut state = state();
            for at in 0..n {
                // SAFETY: so many events are there.
                let event = unsafe { *list.wrapping_add(at) };
                if let Some(late) = state.events.get_mut(&event.addr()) {
                    late.asked = 0;
                    return sys::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
                }
            }
        }
        "clRetainEvent" => {
            let Some(event) = event(args.first()) else { return status };
            if let Some(late) = state().events.get_mut(&event) {
                late.holders += 1;
            }
        }
        "clReleaseEvent" => {
            let Some(event) = event(args.first()) else { return status };
            let mut state = state();
            if let Some(late) = state.events.get_mut(&event) {
                late.holders -= 1;
                if late.holders == 0 {
                    state.events.remove(&event);
                }
            }
        }
        _ => {}
    }
    status
}
