//! The functions of OpenCL. Fenced: it opens a library and takes its symbols for what their names
//! say. A library that is not there is no error; one that is stays open, as its drivers may have
//! threads.
#![allow(unsafe_code, reason = "dlopen and dlsym of the OpenCL library")]

#[cfg(feature = "calls")]
use std::ffi::c_void;
use std::mem::ManuallyDrop;
#[cfg(feature = "calls")]
use std::ptr::null_mut;
use std::sync::OnceLock;
#[cfg(feature = "calls")]
use std::sync::atomic::AtomicPtr;

use libloading::Library;
use opencl_sys::cl_function_types as fns;

/// Where the library is looked for, in this order. Which drivers it then finds is its own business
/// (`OCL_ICD_VENDORS` and the like).
const NAMES: &[&str] = if cfg!(windows) {
    &["OpenCL.dll"]
} else if cfg!(target_os = "macos") {
    &["/System/Library/Frameworks/OpenCL.framework/OpenCL", "libOpenCL.dylib"]
} else {
    &["libOpenCL.so.1", "libOpenCL.so"]
};

macro_rules! functions {
    ($($name:ident: $ty:ident,)*) => {
        /// The functions of a library; `None` where it has none of a name.
        #[allow(non_snake_case, reason = "the names are those of OpenCL")]
        pub(crate) struct Table {
            $(pub(super) $name: fns::$ty,)*
        }

        impl Table {
            fn of(library: &Library) -> Self {
                Self {
                    // SAFETY: the function of this name has this type, as OpenCL defines it; it stays
                    // there, as the library is never closed.
                    $($name: unsafe { library.get::<fns::$ty>(stringify!($name)) }
                        .ok()
                        .and_then(|symbol| *symbol),)*
                }
            }

            /// With what tests have asked for before each function.
            #[cfg(feature = "calls")]
            fn wrapped(self) -> Self {
                use super::calls::Wrap;
                Self {
                    $($name: Wrap::<Functions>::wrapped::<{ Number::$name as usize }>(self.$name),)*
                }
            }
        }

        #[cfg(feature = "calls")]
        #[allow(non_camel_case_types, reason = "the names are those of OpenCL")]
        enum Number {
            $($name,)*
        }

        /// The functions as tests name them.
        #[cfg(feature = "calls")]
        struct Functions;

        #[cfg(feature = "calls")]
        impl super::calls::Names for Functions {
            fn name(id: usize) -> &'static str {
                [$(stringify!($name)),*][id]
            }

            fn number(name: &str) -> Option<usize> {
                [$(stringify!($name)),*].iter().position(|known| *known == name)
            }

            fn real(id: usize) -> &'static AtomicPtr<c_void> {
                static REAL: [AtomicPtr<c_void>; [$(stringify!($name)),*].len()] =
                    [const { AtomicPtr::new(null_mut()) }; [$(stringify!($name)),*].len()];
                &REAL[id]
            }
        }
    };
}

functions! {
    clBuildProgram: clBuildProgram_t,
    clCreateBuffer: clCreateBuffer_t,
    clCreateCommandQueue: clCreateCommandQueue_t,
    clCreateContext: clCreateContext_t,
    clCreateKernel: clCreateKernel_t,
    clCreateProgramWithBinary: clCreateProgramWithBinary_t,
    clCreateProgramWithIL: clCreateProgramWithIL_t,
    clCreateProgramWithSource: clCreateProgramWithSource_t,
    clCreateSubBuffer: clCreateSubBuffer_t,
    clCreateSubDevices: clCreateSubDevices_t,
    clCreateUserEvent: clCreateUserEvent_t,
    clEnqueueBarrierWithWaitList: clEnqueueBarrierWithWaitList_t,
    clEnqueueFillBuffer: clEnqueueFillBuffer_t,
    clEnqueueMarkerWithWaitList: clEnqueueMarkerWithWaitList_t,
    clEnqueueMapBuffer: clEnqueueMapBuffer_t,
    clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_t,
    clEnqueueReadBuffer: clEnqueueReadBuffer_t,
    clEnqueueReadBufferRect: clEnqueueReadBufferRect_t,
    clEnqueueUnmapMemObject: clEnqueueUnmapMemObject_t,
    clEnqueueWriteBuffer: clEnqueueWriteBuffer_t,
    clEnqueueWriteBufferRect: clEnqueueWriteBufferRect_t,
    clFinish: clFinish_t,
    clFlush: clFlush_t,
    clGetCommandQueueInfo: clGetCommandQueueInfo_t,
    clGetContextInfo: clGetContextInfo_t,
    clGetDeviceIDs: clGetDeviceIDs_t,
    clGetDeviceInfo: clGetDeviceInfo_t,
    clGetEventInfo: clGetEventInfo_t,
    clGetEventProfilingInfo: clGetEventProfilingInfo_t,
    clGetExtensionFunctionAddressForPlatform: clGetExtensionFunctionAddressForPlatform_t,
    clGetKernelArgInfo: clGetKernelArgInfo_t,
    clGetKernelInfo: clGetKernelInfo_t,
    clGetKernelWorkGroupInfo: clGetKernelWorkGroupInfo_t,
    clGetMemObjectInfo: clGetMemObjectInfo_t,
    clGetPlatformIDs: clGetPlatformIDs_t,
    clGetPlatformInfo: clGetPlatformInfo_t,
    clGetProgramBuildInfo: clGetProgramBuildInfo_t,
    clGetProgramInfo: clGetProgramInfo_t,
    clReleaseCommandQueue: clReleaseCommandQueue_t,
    clReleaseContext: clReleaseContext_t,
    clReleaseDevice: clReleaseDevice_t,
    clReleaseEvent: clReleaseEvent_t,
    clReleaseKernel: clReleaseKernel_t,
    clReleaseMemObject: clReleaseMemObject_t,
    clReleaseProgram: clReleaseProgram_t,
    clRetainCommandQueue: clRetainCommandQueue_t,
    clRetainContext: clRetainContext_t,
    clRetainEvent: clRetainEvent_t,
    clRetainMemObject: clRetainMemObject_t,
    clRetainProgram: clRetainProgram_t,
    clSetKernelArg: clSetKernelArg_t,
    clSetUserEventStatus: clSetUserEventStatus_t,
    clWaitForEvents: clWaitForEvents_t,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

/// A name of the library.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The name or path.
    pub name: &'static str,
    /// What the system said where it is not there.
    pub error: Option<String>,
}

/// What was tried to get the library, and the functions of the one that was there.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) tried: Vec<Tried>,
    table: Option<Table>,
}

/// What this machine has, looked for when first asked.
pub(crate) fn search() -> &'static Search {
    static SEARCH: OnceLock<Search> = OnceLock::new();
    SEARCH.get_or_init(|| {
        let mut tried = Vec::new();
        for &name in NAMES {
            match open(name) {
                Ok(library) => {
                    tried.push(Tried { name, error: None });
                    let table = Table::of(&library);
                    #[cfg(feature = "calls")]
                    let table = if super::calls::is_on() { table.wrapped() } else { table };
                    return Search { tried, table: Some(table) };
                }
                Err(said) => tried.push(Tried { name, error: Some(said) }),
            }
        }
        Search { tried, table: None }
    })
}

/// The functions of this machine's library; else what the system says.
pub(crate) fn table() -> Result<&'static Table, &'static str> {
    let search = search();
    let said = || search.tried.iter().find_map(|tried| tried.error.as_deref());
    search.table.as_ref().ok_or_else(|| said().unwrap_or("no library is looked for"))
}

/// A library of OpenCL or of a driver of it, by path or by a name that the system looks for.
pub(crate) fn open(name: &str) -> Result<ManuallyDrop<Library>, String> {
    // SAFETY: opening it runs the initialisers of the system's OpenCL library or of a driver that it
    // opens itself, which the user has installed for this.
    match unsafe { Library::new(name) } {
        Ok(library) => Ok(ManuallyDrop::new(library)),
        // The system's own words are in the source.
        Err(error) => Err(std::error::Error::source(&error)
            .map_or_else(|| error.to_string(), ToString::to_string)),
    }
}
