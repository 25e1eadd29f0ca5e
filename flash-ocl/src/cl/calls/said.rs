//! What devices say of themselves, as tests ask for it: a driver whose devices have less than those that are
//! there. Fenced: it writes what a device is asked for.
#![allow(unsafe_code, reason = "answers in the place of the OpenCL library")]

use std::any::Any;
use std::ffi::c_void;

use opencl_sys as sys;

use super::state;

/// Lets all devices say this from now on where they are asked for a fact, by its number
/// (`CL_DEVICE_EXTENSIONS`). They also refuse work-groups that are longer than they say; what they are
/// otherwise stays as it is.
pub fn say(what: u32, bytes: &[u8]) {
    state().said.insert(what, bytes.to_vec());
}

fn argument<T: Copy + 'static>(args: &[&dyn Any], at: usize) -> Option<T> {
    args.get(at)?.downcast_ref::<T>().copied()
}

/// The status of a launch whose work-groups are longer than devices say that they take.
pub(super) fn refused(function: &'static str, args: &[&dyn Any]) -> Option<i32> {
    if function != "clEnqueueNDRangeKernel" {
        return None;
    }
    let state = state();
    let most = state.said.get(&sys::CL_DEVICE_MAX_WORK_ITEM_SIZES)?.chunks(size_of::<usize>());
    let most = most.map(|chunk| chunk.try_into().map_or(0, usize::from_ne_bytes));
    let rank: u32 = argument(args, 2)?;
    let local = argument(args, 5).filter(|local: &*const usize| !local.is_null())?;
    let is_longer = most.take(rank as usize).enumerate().any(|(dim, most)| {
        // SAFETY: the caller has passed a number for each dimension.
        unsafe { *local.wrapping_add(dim) > most }
    });
    is_longer.then_some(sys::CL_INVALID_WORK_ITEM_SIZE)
}

/// What a call comes to that has given this status, where it asks for such a fact.
pub(super) fn answered(function: &'static str, args: &[&dyn Any], status: i32) -> i32 {
    if function != "clGetDeviceInfo" {
        return status;
    }
    let what: Option<u32> = argument(args, 1);
    let state = state();
    let Some(bytes) = what.and_then(|what| state.said.get(&what)) else { return status };
    let (room, n) = (argument(args, 2).unwrap_or(0), bytes.len());
    let place = argument(args, 3).filter(|place: &*mut c_void| !place.is_null());
    if let Some(place) = place {
        if room < n {
            return sys::CL_INVALID_VALUE;
        }
        // SAFETY: the caller has passed a place of so many bytes.
        unsafe { place.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), n) };
    }
    if let Some(len) = argument(args, 4).filter(|len: &*mut usize| !len.is_null()) {
        // SAFETY: the caller has passed a place for the length.
        unsafe { len.write(n) };
    }
    sys::CL_SUCCESS
}
