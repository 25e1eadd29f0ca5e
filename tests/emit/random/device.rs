//! An OpenCL device without FLASH: programs of many kernels, as the compiler of a program takes longer than
//! that of a kernel.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

use libloading::Library;
use opencl_sys as sys;
use opencl_sys::cl_function_types as fns;

use super::launch::Grid;

macro_rules! calls {
    ($($name:ident: $ty:ident,)*) => {
        #[allow(non_snake_case, reason = "the names are those of OpenCL")]
        struct Calls {
            $($name: fns::$ty,)*
            _library: Library,
        }

        impl Calls {
            fn of(library: Library) -> Self {
                Self {
                    // SAFETY: the function of this name has this type, as OpenCL defines it, and the library
                    // stays as long as it.
                    $($name: *unsafe { library.get::<fns::$ty>(stringify!($name).as_bytes()) }.unwrap(),)*
                    _library: library,
                }
            }
        }
    };
}

calls! {
    clBuildProgram: clBuildProgram_fn,
    clCreateBuffer: clCreateBuffer_fn,
    clCreateCommandQueue: clCreateCommandQueue_fn,
    clCreateContext: clCreateContext_fn,
    clCreateKernel: clCreateKernel_fn,
    clCreateProgramWithSource: clCreateProgramWithSource_fn,
    clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_fn,
    clEnqueueReadBuffer: clEnqueueReadBuffer_fn,
    clFinish: clFinish_fn,
    clGetDeviceIDs: clGetDeviceIDs_fn,
    clGetDeviceInfo: clGetDeviceInfo_fn,
    clGetPlatformIDs: clGetPlatformIDs_fn,
    clGetProgramBuildInfo: clGetProgramBuildInfo_fn,
    clReleaseCommandQueue: clReleaseCommandQueue_fn,
    clReleaseContext: clReleaseContext_fn,
    clReleaseKernel: clReleaseKernel_fn,
    clReleaseMemObject: clReleaseMemObject_fn,
    clReleaseProgram: clReleaseProgram_fn,
    clSetKernelArg: clSetKernelArg_fn,
}

/// A device with a compiler.
pub(super) struct Device {
    calls: Calls,
    id: sys::cl_device_id,
    context: sys::cl_context,
    queue: sys::cl_command_queue,
}

/// A program of that device.
pub(super) struct Program<'d> {
    device: &'d Device,
    program: sys::cl_program,
}

impl Device {
    /// The first one that compiles and has `double`.
    pub(super) fn first() -> Option<Self> {
        // SAFETY: it is the system's OpenCL library.
        let calls = Calls::of(unsafe { Library::new("libOpenCL.so.1") }.ok()?);
        let (mut platforms, mut n) = ([null_mut(); 16], 0);
        // SAFETY: there is room for so many.
        unsafe { calls.clGetPlatformIDs.unwrap()(16, platforms.as_mut_ptr(), &raw mut n) };
        let id = platforms[..n as usize].iter().find_map(|platform| {
            let (mut ids, mut n) = ([null_mut(); 16], 0);
            let devices = calls.clGetDeviceIDs.unwrap();
            // An FPGA takes minutes.
            let kind = sys::CL_DEVICE_TYPE_CPU | sys::CL_DEVICE_TYPE_GPU;
            // SAFETY: there is room for so many.
            unsafe { devices(*platform, kind, 16, ids.as_mut_ptr(), &raw mut n) };
            ids[..n as usize].iter().copied().find(|id| {
                let asked = [sys::CL_DEVICE_COMPILER_AVAILABLE, sys::CL_DEVICE_DOUBLE_FP_CONFIG];
                asked.into_iter().all(|what| {
                    let mut said = 0_u64;
                    let place = (&raw mut said).cast::<c_void>();
                    let info = calls.clGetDeviceInfo.unwrap();
                    // SAFETY: the answers have at most so many bytes.
                    let status = unsafe { info(*id, what, 8, place, null_mut()) };
                    status == 0 && said != 0
                })
            })
        })?;
        let mut status = 0;
        let create = calls.clCreateContext.unwrap();
        // SAFETY: there is one device.
        let context =
            unsafe { create(null(), 1, &raw const id, None, null_mut(), &raw mut status) };
        assert_eq!(status, 0);
        let create = calls.clCreateCommandQueue.unwrap();
        // SAFETY: the device is that of the context.
        let queue = unsafe { create(context, id, 0, &raw mut status) };
        assert_eq!(status, 0);
        Some(Self { calls, id, context, queue })
    }

    /// Compiles a text.
    pub(super) fn program(&self, text: &str, optimised: bool) -> Program<'_> {
        let (mut start, len, mut status) = (text.as_ptr().cast(), text.len(), 0);
        let create = self.calls.clCreateProgramWithSource.unwrap();
        // SAFETY: one text of this length.
        let program =
            unsafe { create(self.context, 1, &raw mut start, &raw const len, &raw mut status) };
        assert_eq!(status, 0);
        let build = self.calls.clBuildProgram.unwrap();
        let options = match optimised {
            true => c"-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt",
            false => c"-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -cl-opt-disable",
        };
        // SAFETY: the options end with zero.
        let status =
            unsafe { build(program, 1, &raw const self.id, options.as_ptr(), None, null_mut()) };
        assert_eq!(status, 0, "{}\n{text}", self.log(program));
        Program { device: self, program }
    }

    fn log(&self, program: sys::cl_program) -> String {
        let mut log = vec![0_u8; 1 << 16];
        let (what, place) = (sys::CL_PROGRAM_BUILD_LOG, log.as_mut_ptr().cast::<c_void>());
        let info = self.calls.clGetProgramBuildInfo.unwrap();
        let mut size = 0;
        // SAFETY: so many bytes are there.
        unsafe { info(program, self.id, what, log.len(), place, &raw mut size) };
        String::from_utf8_lossy(&log[..size.min(log.len())]).into_owned()
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: it is its own.
        unsafe { self.calls.clReleaseCommandQueue.unwrap()(self.queue) };
        // SAFETY: likewise.
        unsafe { self.calls.clReleaseContext.unwrap()(self.context) };
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: it is its own.
        unsafe { self.device.calls.clReleaseProgram.unwrap()(self.program) };
    }
}

impl Program<'_> {
    /// Runs a kernel on memories, which hold afterwards what it made of them, and on words.
    pub(super) fn run(&self, entry: &str, memories: &mut [&mut Vec<u8>], words: &[u8], grid: Grid) {
        let Device { calls, context, queue, .. } = self.device;
        let mut status = 0;
        let name = CString::new(entry).unwrap();
        let create = calls.clCreateKernel.unwrap();
        // SAFETY: the name ends with zero.
        let kernel = unsafe { create(self.program, name.as_ptr(), &raw mut status) };
        assert_eq!(status, 0, "{entry}");
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_COPY_HOST_PTR;
        let mut handles = Vec::new();
        let set = calls.clSetKernelArg.unwrap();
        for (at, bytes) in memories.iter_mut().enumerate() {
            // One byte more than a kernel may reach, as there are no memories of none.
            bytes.push(0);
            let (place, len) = (bytes.as_mut_ptr().cast(), bytes.len());
            let create = calls.clCreateBuffer.unwrap();
            // SAFETY: so many bytes are there.
            let handle = unsafe { create(*context, flags, len, place, &raw mut status) };
            assert_eq!(status, 0);
            let value = (&raw const handle).cast();
            // SAFETY: it is a handle.
            let status = unsafe { set(kernel, at as u32, size_of_val(&handle), value) };
            assert_eq!(status, 0, "{entry}");
            handles.push(handle);
        }
        let at = handles.len() as u32;
        // SAFETY: so many bytes are there.
        assert_eq!(unsafe { set(kernel, at, words.len(), words.as_ptr().cast()) }, 0, "{entry}");
        let launch = calls.clEnqueueNDRangeKernel.unwrap();
        let (rank, zero) = (grid.rank as u32, null());
        let (global, local) = (grid.global.as_ptr(), grid.local.as_ptr());
        // SAFETY: all arguments are set, memories are as large as the interpreter's, which fails where
        // anything outside of them is reached; sizes have at least as many dimensions.
        let status =
            unsafe { launch(*queue, kernel, rank, zero, global, local, 0, null(), null_mut()) };
        assert_eq!(status, 0, "{entry}");
        let read = calls.clEnqueueReadBuffer.unwrap();
        for (handle, bytes) in handles.into_iter().zip(memories) {
            let (len, place) = (bytes.len(), bytes.as_mut_ptr().cast());
            // SAFETY: so many bytes are there; the copy is waited for.
            let status = unsafe { read(*queue, handle, 1, 0, len, place, 0, null(), null_mut()) };
            assert_eq!(status, 0, "{entry}");
            // SAFETY: nothing uses it any more.
            unsafe { calls.clReleaseMemObject.unwrap()(handle) };
            bytes.pop();
        }
        // SAFETY: it is the queue of the context.
        unsafe { calls.clFinish.unwrap()(*queue) };
        // SAFETY: nothing uses it any more.
        unsafe { calls.clReleaseKernel.unwrap()(kernel) };
    }
}
