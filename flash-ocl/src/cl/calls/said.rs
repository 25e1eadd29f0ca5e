//! What devices say of themselves, as tests ask for it: a driver whose devices have less than those that are
//! there. Fenced: it writes what a device is asked for.
#![allow(unsafe_code, reason = "answers in the place of the OpenCL library")]

use std::any::Any;
use std::ffi::c_void;

use opencl_sys as sys;

use super::state;

/// Lets all devices say this from now on where they are asked for a fact, by its number
/// (`CL_DEVICE_EXTENSIONS`), or for one of a kernel (`CL_KERNEL_WORK_GROUP_SIZE`). They also refuse
/// work-groups that are longer than they say; what they are otherwise stays as it is.
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
    let numbers = |what: u32| -> Option<Vec<usize>> {
        let number = |chunk: &[u8]| chunk.try_into().map_or(0, usize::from_ne_bytes);
        Some(state.said.get(&what)?.chunks(size_of::<usize>()).map(number).collect())
    };
    let rank: u32 = argument(args, 2)?;
    let local = argument(args, 5).filter(|local: &*const usize| !local.is_null())?;
    // SAFETY: the caller has passed a number for each dimension.
    let local = unsafe { std::slice::from_raw_parts(local, rank as usize) };
    let along = numbers(sys::CL_DEVICE_MAX_WORK_ITEM_SIZES);
    if along.is_some_and(|most| local.iter().zip(most).any(|(n, most)| *n > most)) {
        return Some(sys::CL_INVALID_WORK_ITEM_SIZE);
    }
    let items = numbers(sys::CL_KERNEL_WORK_GROUP_SIZE);
    let is_larger = items.is_some_and(|most| local.iter().product::<usize>() > most[0]);
    is_larger.then_some(sys::CL_INVALID_WORK_GROUP_SIZE)
}

/// What a call comes to that has given this status, where it asks for such a fact.
pub(super) fn answered(function: &'static str, args: &[&dyn Any], status: i32) -> i32 {
    let first = match function {
        "clGetDeviceInfo" => 1,
        "clGetKernelWorkGroupInfo" => 2,
        _ => return status,
    };
    let what: Option<u32> = argument(args, first);
    let state = state();
    let Some(bytes) = what.and_then(|what| state.said.get(&what)) else { return status };
    let (room, n) = (argument(args, first + 1).unwrap_or(0), bytes.len());
    let place = argument(args, first + 2).filter(|place: &*mut c_void| !place.is_null());
    if let Some(place) = place {
        if room < n {
            return sys::CL_INVALID_VALUE;
        }
        // SAFETY: the caller has passed a place of so many bytes.
        unsafe { place.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), n) };
    }
    if let Some(len) = argument(args, first + 3).filter(|len: &*mut usize| !len.is_null()) {
        // SAFETY: the caller has passed a place for the length.
        unsafe { len.write(n) };
    }
    sys::CL_SUCCESS
}
