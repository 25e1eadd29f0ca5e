//! Binaries for FPGAs, made as the tools of a vendor make them, but by the emulation device, which
//! has a compiler: FLASH is not asked.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::c_void;
use std::ptr::null_mut;

use libloading::{Library, Symbol};
use opencl_sys as sys;
use opencl_sys::cl_function_types::{
    clBuildProgram_fn, clCreateContext_fn, clCreateProgramWithSource_fn, clGetDeviceIDs_fn,
    clGetPlatformIDs_fn, clGetPlatformInfo_fn, clGetProgramInfo_fn,
};

/// A function of the library, by the type of an entry of its table.
fn function<T: Copy>(library: &Library, name: &str) -> T {
    // SAFETY: callers name the type of the function of this name, as OpenCL defines it.
    let symbol: Symbol<'_, T> = unsafe { library.get(name.as_bytes()) }.unwrap();
    *symbol
}

/// Whether it is the platform of the emulation.
fn is_fpga(library: &Library, platform: sys::cl_platform_id) -> bool {
    let info: clGetPlatformInfo_fn = function(library, "clGetPlatformInfo");
    let mut name = [0_u8; 256];
    let (place, size) = (name.as_mut_ptr().cast::<c_void>(), name.len());
    // SAFETY: so many bytes are there.
    let status = unsafe { info.unwrap()(platform, sys::CL_PLATFORM_NAME, size, place, null_mut()) };
    assert_eq!(status, 0);
    String::from_utf8_lossy(&name).contains("FPGA")
}

/// The binary of a text for the first emulation device.
pub(crate) fn compiled(text: &str) -> Vec<u8> {
    // SAFETY: it is the system's OpenCL library.
    let library = unsafe { Library::new("libOpenCL.so.1") }.unwrap();
    let platforms: clGetPlatformIDs_fn = function(&library, "clGetPlatformIDs");
    let (mut ids, mut n) = ([null_mut(); 16], 0);
    // SAFETY: there is room for so many.
    assert_eq!(unsafe { platforms.unwrap()(16, ids.as_mut_ptr(), &raw mut n) }, 0);
    let platform = ids[..n as usize].iter().copied().find(|id| is_fpga(&library, *id)).unwrap();
    let devices: clGetDeviceIDs_fn = function(&library, "clGetDeviceIDs");
    let mut device = null_mut();
    let kind = sys::CL_DEVICE_TYPE_ACCELERATOR;
    // SAFETY: there is room for one.
    let status = unsafe { devices.unwrap()(platform, kind, 1, &raw mut device, null_mut()) };
    assert_eq!(status, 0);
    let create: clCreateContext_fn = function(&library, "clCreateContext");
    let properties = [sys::CL_CONTEXT_PLATFORM, platform.addr().cast_signed(), 0];
    let mut status = 0;
    // SAFETY: the properties end with 0, and there is one device.
    let context = unsafe {
        let properties = properties.as_ptr();
        create.unwrap()(properties, 1, &raw const device, None, null_mut(), &raw mut status)
    };
    assert_eq!(status, 0);
    let create: clCreateProgramWithSource_fn = function(&library, "clCreateProgramWithSource");
    let (mut start, len) = (text.as_ptr().cast(), text.len());
    // SAFETY: one text of this length.
    let program =
        unsafe { create.unwrap()(context, 1, &raw mut start, &raw const len, &raw mut status) };
    assert_eq!(status, 0);
    let build: clBuildProgram_fn = function(&library, "clBuildProgram");
    // SAFETY: the options end with zero.
    let status =
        unsafe { build.unwrap()(program, 1, &raw const device, c"".as_ptr(), None, null_mut()) };
    assert_eq!(status, 0, "{text}");
    let info: clGetProgramInfo_fn = function(&library, "clGetProgramInfo");
    let ask = |what, place: *mut c_void, size| {
        // SAFETY: the place has so many bytes.
        assert_eq!(unsafe { info.unwrap()(program, what, size, place, null_mut()) }, 0);
    };
    let mut size = 0_usize;
    ask(sys::CL_PROGRAM_BINARY_SIZES, (&raw mut size).cast(), size_of::<usize>());
    let mut binary = vec![0_u8; size];
    let mut place = binary.as_mut_ptr();
    ask(sys::CL_PROGRAM_BINARIES, (&raw mut place).cast(), size_of::<*mut u8>());
    binary
}
