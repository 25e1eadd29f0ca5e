//! Native nodes on OpenCL devices, whose code calls OpenCL itself.
#![allow(unsafe_code, reason = "calls OpenCL as the code of a user does")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, OnceLock};

use flash::opencl::{NodeContext, OnOpenCl};
use flash::prelude::*;
use flash::{Error, Native, out};
use flash_rt::task::BoxError;
use flash_tests::opencl;
use libloading::Library;
use opencl_sys::cl_function_types::{clEnqueueCopyBuffer_fn, clEnqueueFillBuffer_fn};

/// The library that a user would link.
pub(crate) fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    // SAFETY: it is the system's OpenCL library.
    LIBRARY.get_or_init(|| unsafe { Library::new("libOpenCL.so.1") }.unwrap())
}

fn done(status: i32) -> Result<(), BoxError> {
    if status == 0 { Ok(()) } else { Err(format!("status {status}").into()) }
}

/// All elements of an array that is an interval become `value`.
pub(crate) fn fill(cx: &NodeContext, argument: usize, value: u32) -> Result<(), BoxError> {
    let array = cx.array(argument).ok_or("no array")?;
    assert_eq!((array.strides(), array.is_written()), (&[1][..], true));
    // SAFETY: the function of this name has this type.
    let fill = unsafe { library().get::<clEnqueueFillBuffer_fn>(b"clEnqueueFillBuffer") }?;
    let fill = (*fill).ok_or("no such function")?;
    let (offset, len) = (array.offset(), 4 * array.shape()[0]);
    let pattern = (&raw const value).cast::<c_void>();
    let (queue, memory) = (cx.queue(), array.memory());
    // SAFETY: the node writes these bytes of the memory; the pattern is copied in the call.
    done(unsafe { fill(queue, memory, pattern, 4, offset, len, 0, null(), null_mut()) })
}

/// The second array becomes the first one.
fn copy(cx: &NodeContext) -> Result<(), BoxError> {
    let (from, to) = (cx.array(0).ok_or("no array")?, cx.array(1).ok_or("no array")?);
    assert!(!from.is_written() && to.is_written());
    // SAFETY: the function of this name has this type.
    let copy = unsafe { library().get::<clEnqueueCopyBuffer_fn>(b"clEnqueueCopyBuffer") }?;
    let copy = (*copy).ok_or("no such function")?;
    let (a, b) = (from.memory(), to.memory());
    let (queue, len) = (cx.queue(), 4 * from.shape()[0]);
    let (from, to) = (from.offset(), to.offset());
    // SAFETY: the node reads the one and writes the other.
    done(unsafe { copy(queue, a, b, from, to, len, 0, null(), null_mut()) })
}

#[test]
fn commands_of_code_are_in_order_with_everything_else() {
    let Some(rt) = opencl() else { return };
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 64]), Buffer::from(vec![2_u32; 64]));
    let (on, seen) = (Var::new(true), Arc::new(Mutex::new(Vec::new())));
    let (mut value, note) = (0, Arc::clone(&seen));
    let mut p = rt.pipeline();
    p.begin_for(0..3_u32);
    p.push(rt.native("fill", (out(&mut x), &on)).on_opencl(move |cx| {
        assert_eq!((cx.flag(1), cx.flag(0), cx.array(1).is_none()), (Some(true), None, true));
        assert!(!cx.device().is_null() && !cx.context().is_null());
        value += 10;
        fill(cx, 0, value)
    }));
    p.push(Task::new("add", (&mut x,), |(mut x,)| (0..64).for_each(|k| x[[k]] += k as u32)));
    let parts = (&x.view(16..32), y.view_mut(32..48));
    p.push(Native::new("copy", parts).on_opencl(|cx| copy(cx)));
    p.push(Task::new("look", (&y,), move |(y,)| note.lock().unwrap().push((y[[31]], y[[32]]))));
    p.end_for();
    for run in 0..2_u32 {
        let report = p.exec().unwrap();
        assert_eq!(report.kernel("copy").unwrap().count, 3);
        let last = 30 * (run + 1);
        let expected: Vec<u32> =
            (0..64).map(|k| if (32..48).contains(&k) { last + k - 16 } else { 2 }).collect();
        assert_eq!(y.to_vec().unwrap(), expected);
    }
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen, (1..=6).map(|k| (2, 10 * k + 16)).collect::<Vec<_>>());
}

#[test]
fn code_that_fails_leaves_what_it_had_submitted() {
    let Some(rt) = opencl() else { return };
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 64]), Buffer::from(vec![2_u32; 64]));
    for panics in [false, true] {
        let mut p = rt.pipeline();
        p.push(Native::new("bad", (&mut x, out(&mut y))).on_opencl(move |cx| {
            fill(cx, 0, 5)?;
            assert!(!panics, "no such size");
            Err("no such plan".into())
        }));
        let error = p.exec().unwrap_err();
        match panics {
            false => assert!(matches!(&error, Error::Native { node: "bad", .. }), "{error:?}"),
            true => assert!(matches!(&error, Error::NativePanic { node: "bad", .. }), "{error:?}"),
        }
        assert!(error.to_string().contains(rt.devices()[0].name()), "{error}");
        assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![5; 64], vec![2; 64]));
    }
    let mut p = rt.pipeline();
    p.push(Native::new("good", (&mut x,)).on_opencl(|cx| fill(cx, 0, 6)));
    p.push(Native::new("nothing", (&mut x,)).on_opencl(|_| ()));
    p.exec().unwrap();
    assert_eq!(x.to_vec().unwrap(), [6; 64]);
    let mut p = rt.pipeline();
    p.push(Native::new("elsewhere", (&mut x,)).on_fpga(|_| ()));
    assert!(p.exec().unwrap_err().to_string().contains("has code for `INTEL_FPGA`;"));
}
