//! Programs: made from source, intermediate code or binaries, built, looked into. Fenced: it passes
//! texts, binaries and places for answers to the driver.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;

use opencl_sys as sys;
use opencl_sys::cl_function_types::clCreateProgramWithIL_t;

use super::info::{answer, text};
use super::{Context, DeviceId, Failure, Kernel, PlatformId, Program};

/// Memory that an argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressSpace {
    /// That of the device.
    Global,
    /// That of the device, read only.
    Constant,
    /// That of a work-group.
    Local,
    /// None: a value.
    Private,
}

/// What a compiler says of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgInfo {
    pub(crate) space: AddressSpace,
    /// As written, with the star of a pointer.
    pub(crate) ty: String,
    pub(crate) name: String,
    /// Whether what it points to is `const`.
    pub(crate) is_const: bool,
}

impl Context {
    /// A program of a source text.
    pub(crate) fn source(&self, text: &[u8]) -> Result<Program, Failure> {
        const API: &str = "clCreateProgramWithSource";
        let create = self.cl.clCreateProgramWithSource.ok_or(Failure::missing(API))?;
        let (mut start, len, mut code) = (text.as_ptr().cast(), text.len(), 0);
        // SAFETY: one text is passed, with its length; it is copied in the call.
        let raw = unsafe { create(self.raw, 1, &raw mut start, &raw const len, &raw mut code) };
        Failure::check(API, code)?;
        Ok(Program { cl: self.cl, raw })
    }

    /// A program of a binary of a device.
    pub(crate) fn binary(&self, device: DeviceId, bytes: &[u8]) -> Result<Program, Failure> {
        const API: &str = "clCreateProgramWithBinary";
        let create = self.cl.clCreateProgramWithBinary.ok_or(Failure::missing(API))?;
        let (mut start, len) = (bytes.as_ptr(), bytes.len());
        let (mut status, mut code) = (0, 0);
        // SAFETY: one binary is passed, with its length, for one device.
        let raw = unsafe {
            create(
                self.raw,
                1,
                &raw const device.0,
                &raw const len,
                &raw mut start,
                &raw mut status,
                &raw mut code,
            )
        };
        Failure::check(API, code)?;
        let program = Program { cl: self.cl, raw };
        Failure::check(API, status)?;
        Ok(program)
    }

    /// A program of SPIR-V, by OpenCL 2.1 or the extension.
    pub(crate) fn spirv(&self, platform: PlatformId, bytes: &[u8]) -> Result<Program, Failure> {
        const API: &str = "clCreateProgramWithIL";
        // The system's library has the function whether or not the driver behind it does.
        let ways = [self.cl.clCreateProgramWithIL, self.extension(platform)];
        let mut failed = Failure::missing(API);
        for create in ways.into_iter().flatten() {
            let mut code = 0;
            let (start, len) = (bytes.as_ptr().cast(), bytes.len());
            // SAFETY: so many bytes are there, and are copied in the call.
            let raw = unsafe { create(self.raw, start, len, &raw mut code) };
            match Failure::check(API, code) {
                Ok(()) => return Ok(Program { cl: self.cl, raw }),
                Err(failure) => failed = failure,
            }
        }
        Err(failed)
    }

    fn extension(&self, platform: PlatformId) -> clCreateProgramWithIL_t {
        let address = self.cl.clGetExtensionFunctionAddressForPlatform?;
        // SAFETY: the name is a text that ends with zero.
        let address = unsafe { address(platform.0, c"clCreateProgramWithILKHR".as_ptr()) };
        // SAFETY: the function of this name has this type, as the extension defines it; the pointer
        // is null where there is none.
        unsafe { std::mem::transmute::<*mut c_void, clCreateProgramWithIL_t>(address) }
    }
}

impl Program {
    /// Builds it for a device.
    pub(crate) fn build(&self, device: DeviceId, options: &str) -> Result<(), Failure> {
        const API: &str = "clBuildProgram";
        let build = self.cl.clBuildProgram.ok_or(Failure::missing(API))?;
        let invalid = Failure { api: API, code: sys::CL_INVALID_BUILD_OPTIONS };
        let options = CString::new(options).map_err(|_| invalid)?;
        // SAFETY: one device, options that end with zero; nothing is called back.
        let code =
            unsafe { build(self.raw, 1, &raw const device.0, options.as_ptr(), None, null_mut()) };
        Failure::check(API, code)
    }

    /// What the compiler said; empty where it said nothing.
    pub(crate) fn log(&self, device: DeviceId) -> String {
        let Some(get) = self.cl.clGetProgramBuildInfo else { return String::new() };
        let log = answer("clGetProgramBuildInfo", |size, value, len| {
            // SAFETY: `answer` passes a place of so many bytes.
            unsafe { get(self.raw, device.0, sys::CL_PROGRAM_BUILD_LOG, size, value, len) }
        });
        log.map_or_else(|_| String::new(), |bytes| text(&bytes))
    }

    fn info(&self, what: u32) -> Result<Vec<u8>, Failure> {
        const API: &str = "clGetProgramInfo";
        let get = self.cl.clGetProgramInfo.ok_or(Failure::missing(API))?;
        // SAFETY: `answer` passes a place of so many bytes.
        answer(API, |size, value, len| unsafe { get(self.raw, what, size, value, len) })
    }

    /// The names of its functions, with semicolons between them.
    pub(crate) fn kernel_names(&self) -> String {
        self.info(sys::CL_PROGRAM_KERNEL_NAMES).map_or_else(|_| String::new(), |b| text(&b))
    }

    /// Its binary for a device it was built for; `None` where the driver has none.
    pub(crate) fn binary(&self, device: DeviceId) -> Result<Option<Vec<u8>>, Failure> {
        const API: &str = "clGetProgramInfo";
        let word = |chunk: &[u8]| chunk.try_into().map_or(0, usize::from_ne_bytes);
        let words = |bytes: Vec<u8>| bytes.chunks(size_of::<usize>()).map(word).collect::<Vec<_>>();
        let devices = words(self.info(sys::CL_PROGRAM_DEVICES)?);
        let sizes = words(self.info(sys::CL_PROGRAM_BINARY_SIZES)?);
        let at = devices.iter().position(|known| *known == device.0.addr());
        let Some(at) = at.filter(|&at| sizes.get(at).is_some_and(|&size| size > 0)) else {
            return Ok(None);
        };
        let mut binaries: Vec<Vec<u8>> = sizes.iter().map(|&size| vec![0; size]).collect();
        // A device whose binary is not wanted has no place.
        let places = binaries
            .iter_mut()
            .enumerate()
            .map(|(k, binary)| if k == at { binary.as_mut_ptr() } else { null_mut() });
        let mut places: Vec<*mut u8> = places.collect();
        let get = self.cl.clGetProgramInfo.ok_or(Failure::missing(API))?;
        let size = size_of_val(places.as_slice());
        // SAFETY: there is a place for each device, null or as large as the driver says.
        let code = unsafe {
            let places = places.as_mut_ptr().cast();
            get(self.raw, sys::CL_PROGRAM_BINARIES, size, places, null_mut())
        };
        Failure::check(API, code)?;
        Ok(Some(binaries.swap_remove(at)))
    }

    /// A function of it.
    pub(crate) fn kernel(&self, name: &str) -> Result<Kernel, Failure> {
        const API: &str = "clCreateKernel";
        let create = self.cl.clCreateKernel.ok_or(Failure::missing(API))?;
        let unknown = Failure { api: API, code: sys::CL_INVALID_KERNEL_NAME };
        let name = CString::new(name).map_err(|_| unknown)?;
        let mut code = 0;
        // SAFETY: the name ends with zero.
        let raw = unsafe { create(self.raw, CStr::as_ptr(&name), &raw mut code) };
        Failure::check(API, code)?;
        Ok(Kernel { cl: self.cl, raw })
    }
}

impl Kernel {
    /// How many arguments it takes.
    pub(crate) fn n_args(&self) -> Result<u32, Failure> {
        const API: &str = "clGetKernelInfo";
        let get = self.cl.clGetKernelInfo.ok_or(Failure::missing(API))?;
        let mut n = 0_u32;
        // SAFETY: the number has the size that is passed.
        let code = unsafe {
            let place = (&raw mut n).cast();
            get(self.raw, sys::CL_KERNEL_NUM_ARGS, size_of::<u32>(), place, null_mut())
        };
        Failure::check(API, code)?;
        Ok(n)
    }

    fn arg_bytes(&self, index: u32, what: u32) -> Option<Vec<u8>> {
        const API: &str = "clGetKernelArgInfo";
        let get = self.cl.clGetKernelArgInfo?;
        // SAFETY: `answer` passes a place of so many bytes.
        answer(API, |size, value, len| unsafe { get(self.raw, index, what, size, value, len) }).ok()
    }

    /// What is known of an argument; `None` where the driver has kept nothing.
    pub(crate) fn arg(&self, index: u32) -> Option<ArgInfo> {
        let number = |what| -> Option<u64> {
            let bytes = self.arg_bytes(index, what)?;
            Some(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
        };
        let space = match number(sys::CL_KERNEL_ARG_ADDRESS_QUALIFIER)? as u32 {
            sys::CL_KERNEL_ARG_ADDRESS_GLOBAL => AddressSpace::Global,
            sys::CL_KERNEL_ARG_ADDRESS_CONSTANT => AddressSpace::Constant,
            sys::CL_KERNEL_ARG_ADDRESS_LOCAL => AddressSpace::Local,
            _ => AddressSpace::Private,
        };
        let words = |what| self.arg_bytes(index, what).map(|bytes| text(&bytes));
        let qualifiers = number(sys::CL_KERNEL_ARG_TYPE_QUALIFIER).unwrap_or(0);
        Some(ArgInfo {
            space,
            ty: words(sys::CL_KERNEL_ARG_TYPE_NAME)?,
            name: words(sys::CL_KERNEL_ARG_NAME).unwrap_or_default(),
            is_const: qualifiers as sys::cl_kernel_arg_type_qualifier
                & sys::CL_KERNEL_ARG_TYPE_CONST
                != 0,
        })
    }

    fn group_info(&self, device: DeviceId, what: u32) -> Option<Vec<u8>> {
        let get = self.cl.clGetKernelWorkGroupInfo?;
        let ask = |size, value, len| {
            // SAFETY: `answer` passes a place of so many bytes.
            unsafe { get(self.raw, device.0, what, size, value, len) }
        };
        answer("clGetKernelWorkGroupInfo", ask).ok()
    }

    /// The most items of a work-group of it.
    pub(crate) fn most_items(&self, device: DeviceId) -> Option<usize> {
        let bytes = self.group_info(device, sys::CL_KERNEL_WORK_GROUP_SIZE)?;
        bytes.try_into().ok().map(usize::from_ne_bytes)
    }

    /// The bytes that a work-group of it shares, without those of its arguments if none is set.
    pub(crate) fn shared_bytes(&self, device: DeviceId) -> u64 {
        let bytes = self.group_info(device, sys::CL_KERNEL_LOCAL_MEM_SIZE);
        bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_ne_bytes)
    }

    /// The work-groups that its text asks for, where it does.
    pub(crate) fn required_block(&self, device: DeviceId) -> Option<[usize; 3]> {
        let bytes = self.group_info(device, sys::CL_KERNEL_COMPILE_WORK_GROUP_SIZE)?;
        let word = |chunk: &[u8]| chunk.try_into().map_or(0, usize::from_ne_bytes);
        let all: Vec<usize> = bytes.chunks(size_of::<usize>()).map(word).collect();
        <[usize; 3]>::try_from(all).ok().filter(|block| block.iter().all(|&n| n > 0))
    }
}
