//! Programs that use OpenCL themselves: their queues, contexts and memory as devices and arrays.
#![allow(unsafe_code, reason = "calls OpenCL as the program of a user does")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Arc;

use flash::opencl::{OnOpenCl, adopt_context, adopt_memory, adopt_queue};
use flash::prelude::*;
use flash::{Device, Error, Native};
use flash_rt::backend::DynBackend;
use flash_tests::opencl;
use libloading::Symbol;
use opencl_sys as cl;
use opencl_sys::cl_function_types as fns;

use crate::nodes::library;

#[flash::kernel]
fn scale(k: f32, x: &mut [f32]) {
    let i = global_id(0);
    x[i] = k * x[i];
}

#[flash::kernel]
fn add(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] + 1.0;
}

macro_rules! call {
    ($name:ident: $ty:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: the function of this name has this type.
        let f: Symbol<'_, fns::$ty> = unsafe { library().get(stringify!($name).as_bytes()) }.unwrap();
        // SAFETY: as each call says.
        unsafe { (f.unwrap())($($arg),*) }
    }};
}

// SAFETY: any thread may use objects of OpenCL.
unsafe impl Sync for Program {}

/// What a program that uses OpenCL has.
struct Program {
    device: cl::cl_device_id,
    context: cl::cl_context,
    queue: cl::cl_command_queue,
}

impl Program {
    fn new(properties: u64) -> Self {
        let (mut platform, mut device, mut code) = (null_mut(), null_mut(), 0);
        // One place for a platform, and for a device.
        assert_eq!(
            call!(clGetPlatformIDs: clGetPlatformIDs_t(1, &raw mut platform, null_mut())),
            0
        );
        let all = cl::CL_DEVICE_TYPE_ALL;
        let ids = &raw mut device;
        assert_eq!(call!(clGetDeviceIDs: clGetDeviceIDs_t(platform, all, 1, ids, null_mut())), 0);
        let (id, status) = (&raw const device, &raw mut code);
        // One device, nothing is called back.
        let context =
            call!(clCreateContext: clCreateContext_t(null(), 1, id, None, null_mut(), status));
        assert_eq!(code, 0);
        let queue = call!(clCreateCommandQueue: clCreateCommandQueue_t(
            context, device, properties, &raw mut code,
        ));
        assert_eq!(code, 0);
        Self { device, context, queue }
    }

    fn memory(&self, flags: u64, bytes: usize) -> cl::cl_mem {
        let mut code = 0;
        // No memory of the host.
        let memory = call!(clCreateBuffer: clCreateBuffer_t(
            self.context, flags, bytes, null_mut(), &raw mut code,
        ));
        assert_eq!(code, 0);
        memory
    }

    /// Submits that elements become `value`, and does not wait.
    fn fill(&self, memory: cl::cl_mem, value: f32, len: usize) {
        let value = (&raw const value).cast::<c_void>();
        // The pattern is copied in the call.
        let code = call!(clEnqueueFillBuffer: clEnqueueFillBuffer_t(
            self.queue, memory, value, 4, 0, 4 * len, 0, null(), null_mut(),
        ));
        assert_eq!(code, 0);
    }

    /// Elements, once all is done.
    fn read(&self, memory: cl::cl_mem, len: usize) -> Vec<f32> {
        let mut values = vec![0_f32; len];
        let to = values.as_mut_ptr().cast();
        // So many bytes are there.
        let code = call!(clEnqueueReadBuffer: clEnqueueReadBuffer_t(
            self.queue, memory, cl::CL_TRUE, 0, 4 * len, to, 0, null(), null_mut(),
        ));
        assert_eq!(code, 0);
        values
    }
}

fn runtime(device: Arc<dyn DynBackend>) -> Runtime {
    Runtime::builder().backend(device).build().unwrap()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: flash::Result<T>, why: &str) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Adopt { .. }) && error.to_string().contains(why), "{error}");
}

fn floats(device: &Arc<Device>, memory: cl::cl_mem, len: usize) -> flash::Result<Buffer<f32>> {
    // SAFETY: it is valid or null, and used here by one thread, in turn.
    unsafe { adopt_memory(device, memory, len) }
}

#[test]
fn kernels_are_in_order_with_the_commands_of_the_program() {
    if opencl().is_none() {
        return;
    }
    let program = Program::new(0);
    // SAFETY: the queue is valid.
    let rt = runtime(unsafe { adopt_queue(program.queue) }.unwrap());
    assert_eq!(rt.devices()[0].key(), "OPENCL");
    let memory = program.memory(cl::CL_MEM_READ_WRITE, 4000);
    for value in [1.0_f32, 5.0] {
        // Nobody waits between the commands of the program and ours.
        program.fill(memory, value, 1000);
        let (mut x, mut y) = (floats(&rt.devices()[0], memory, 1000).unwrap(), Buffer::zeros(1000));
        let mut p = rt.pipeline();
        p.push(scale(3.0, &mut x).over([1000]));
        p.push(add(&x, &mut y).over([1000]));
        let report = p.exec().unwrap();
        assert_eq!(report.transfers().uploads, 0, "it is where it has to be");
        drop(p);
        assert_eq!(program.read(memory, 1000), [3.0 * value; 1000]);
        assert_eq!(y.to_vec().unwrap(), [3.0 * value + 1.0; 1000]);
        assert_eq!(x.to_vec().unwrap(), [3.0 * value; 1000]);
    }
    // All of it is overwritten again and again, and it stays in this memory.
    let mut x = floats(&rt.devices()[0], memory, 1000).unwrap();
    let (source, mut spare) = (Buffer::from(vec![7.0; 1000]), Buffer::zeros(1000));
    let mut p = rt.pipeline();
    p.begin_for(0..50_u32);
    p.push(add(&source, &mut x).over([1000]));
    p.push(add(&x, &mut spare).over([1000]));
    p.end_for();
    p.exec().unwrap();
    drop(p);
    assert_eq!(program.read(memory, 1000), [8.0; 1000]);
    // The host writes, and the memory has it when it is brought there.
    x.fill(2.0).unwrap();
    x.prefetch(&rt, 0).wait().unwrap();
    assert_eq!(program.read(memory, 1000), [2.0; 1000]);
    // An exchange leaves the memory to this array.
    let mut p = rt.pipeline();
    p.swap(&x, &spare);
    p.move_to(&x, 0);
    p.exec().unwrap();
    drop(p);
    assert_eq!((program.read(memory, 1000), spare.get(3).unwrap()), (vec![9.0; 1000], 2.0));
    // Our memory goes the other way through a native node.
    let mut z = Buffer::from(vec![4.0_f32; 1000]);
    let mut p = rt.pipeline();
    p.push(Native::new("theirs", (&mut z,)).on_opencl(|cx| {
        assert_eq!((cx.queue(), cx.context()), (program.queue, program.context));
        program.fill(cx.array(0).unwrap().memory(), 6.0, 1000);
    }));
    p.exec().unwrap();
    drop(p);
    assert_eq!(z.to_vec().unwrap(), [6.0; 1000]);
}

#[test]
fn devices_of_a_context_share_its_memory() {
    if opencl().is_none() {
        return;
    }
    let program = Program::new(cl::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    // SAFETY: the queue is valid.
    refused(unsafe { adopt_queue(program.queue) }, "out of order");
    // SAFETY: null is no handle, and may be passed.
    refused(unsafe { adopt_queue(null_mut()) }, "null");
    // SAFETY: as above.
    refused(unsafe { adopt_context(program.context, null_mut()) }, "null");
    // SAFETY: both are valid.
    let rt = runtime(unsafe { adopt_context(program.context, program.device) }.unwrap());
    let device = &rt.devices()[0];
    let memory = program.memory(cl::CL_MEM_READ_WRITE, 400);
    program.fill(memory, 2.0, 100);
    program.read(memory, 1);
    let mut x = floats(device, memory, 100).unwrap();
    rt.submit(scale(4.0, &mut x)).exec([100]).unwrap();
    assert_eq!(program.read(memory, 100), [8.0; 100]);
    assert_eq!(device.bytes_used(), 0, "it is the program's");

    refused(floats(device, null_mut(), 100), "null");
    refused(floats(device, memory, 101), "it has 400 bytes, and 404 are needed");
    let written = program.memory(cl::CL_MEM_WRITE_ONLY, 400);
    refused(floats(device, written, 100), "CL_MEM_WRITE_ONLY");
    let other = opencl().unwrap();
    refused(floats(&other.devices()[0], memory, 100), "another context");
    refused(
        floats(&Runtime::open("ALL_CPU").unwrap().devices()[0], memory, 100),
        "no device of OpenCL",
    );

    let read = program.memory(cl::CL_MEM_READ_ONLY, 400);
    program.fill(read, 3.0, 100);
    program.read(read, 1);
    let (mut x, mut y) = (floats(device, read, 100).unwrap(), Buffer::zeros(100));
    rt.submit(add(&x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [4.0; 100]);
    let error = rt.submit(scale(2.0, &mut x)).exec([100]).unwrap_err();
    assert!(error.to_string().contains("only to be read"), "{error}");
    // Nor where it takes the place of an array that a kept pipeline writes.
    let mut own = Buffer::zeros(100);
    let mut p = rt.pipeline();
    p.push(scale(2.0, &mut own).over([100]));
    p.exec().unwrap();
    let error = p.rebind(&own, &x).unwrap_err();
    assert!(error.to_string().contains("only to be read"), "{error}");
    p.exec().unwrap();
    assert_eq!(program.read(read, 100), [3.0; 100]);
}
