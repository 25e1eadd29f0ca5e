//! Compiled code: modules, their functions and launches of those. Fenced: it hands images and arguments
//! to the driver.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

pub(crate) use cudarc::driver::sys::CUfunction_attribute as FunctionAttribute;
use cudarc::driver::sys::{CUfunction, CUjit_option, CUmodule, CUresult};

use super::functions;
use super::{Context, Failure, Stream};

/// Code that is loaded in a context.
#[derive(Debug)]
pub(crate) struct Module {
    context: Arc<Context>,
    raw: CUmodule,
}

// SAFETY: the driver lets any thread use a module, several at once.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

/// What a module is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Image<'a> {
    /// Text of PTX, which ends with 0.
    Ptx(&'a CStr),
    /// A cubin or a fatbin, which says itself how long it is.
    Binary(&'a [u8]),
}

/// Bytes for what the driver says while it compiles.
const LOG_BYTES: usize = 16 << 10;

impl Module {
    /// Loads code. What the driver's compiler says comes with the failure, or with the module where it
    /// says something without failing.
    ///
    /// # Safety
    ///
    /// A binary is whole: no shorter than its own headers say.
    pub(crate) unsafe fn load(
        context: &Arc<Context>,
        image: Image<'_>,
    ) -> Result<(Arc<Self>, String), (Failure, String)> {
        let _current = context.enter().map_err(|failure| (failure, String::new()))?;
        let mut errors = vec![0_u8; LOG_BYTES];
        let mut infos = vec![0_u8; LOG_BYTES];
        let mut options = [
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            CUjit_option::CU_JIT_INFO_LOG_BUFFER,
            CUjit_option::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
        ];
        // A number is passed in place of an address.
        let size = || std::ptr::without_provenance_mut::<c_void>(LOG_BYTES);
        let mut values: [*mut c_void; 4] =
            [errors.as_mut_ptr().cast(), size(), infos.as_mut_ptr().cast(), size()];
        let start: *const c_void = match image {
            Image::Ptx(text) => text.as_ptr().cast(),
            Image::Binary(bytes) => bytes.as_ptr().cast(),
        };
        let mut raw = null_mut();
        // SAFETY: a context is current; the image ends with 0 or knows its length, as the caller says;
        // there are as many options as values, and the logs are as long as is said.
        let code = unsafe {
            functions::cuModuleLoadDataEx(
                &raw mut raw,
                start,
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let said = |log: &[u8]| {
            let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
            String::from_utf8_lossy(&log[..end]).trim().to_owned()
        };
        match Failure::check("cuModuleLoadDataEx", code) {
            Ok(()) => Ok((Arc::new(Self { context: Arc::clone(context), raw }), said(&infos))),
            Err(failure) => Err((failure, said(&errors))),
        }
    }

    /// The context that it is in.
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// A function by its name; `None` where there is none.
    pub(crate) fn function(self: &Arc<Self>, name: &CStr) -> Result<Option<Function>, Failure> {
        let _current = self.context.enter()?;
        let mut raw = null_mut();
        // SAFETY: the module is alive, the name ends with 0, and the driver writes a handle.
        let code = unsafe { functions::cuModuleGetFunction(&raw mut raw, self.raw, name.as_ptr()) };
        if code.is(CUresult::CUDA_ERROR_NOT_FOUND) {
            return Ok(None);
        }
        Failure::check("cuModuleGetFunction", code)?;
        Ok(Some(Function { module: Arc::clone(self), raw }))
    }

    /// Where a variable is, and its bytes; `None` where there is none of the name.
    pub(crate) fn variable(&self, name: &CStr) -> Result<Option<(u64, usize)>, Failure> {
        let _current = self.context.enter()?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the module is alive, the name ends with 0, and the driver writes two numbers.
        let code = unsafe {
            functions::cuModuleGetGlobal_v2(
                &raw mut address,
                &raw mut bytes,
                self.raw,
                name.as_ptr(),
            )
        };
        if code.is(CUresult::CUDA_ERROR_NOT_FOUND) {
            return Ok(None);
        }
        Failure::check("cuModuleGetGlobal_v2", code)?;
        Ok(Some((address, bytes)))
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        self.context.if_alive(|| {
            // SAFETY: the module is ours, and no launch of it is left.
            unsafe { functions::cuModuleUnload(self.raw) };
        });
    }
}

/// A function of a module, which stays loaded.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    module: Arc<Module>,
    raw: CUfunction,
}

// SAFETY: the driver lets any thread use a function, several at once.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParamInfo {
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
}

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    /// Blocks in each dimension.
    pub(crate) grid: [u32; 3],
    /// Threads of a block in each dimension.
    pub(crate) block: [u32; 3],
    /// Bytes of dynamic shared memory of a block.
    pub(crate) shared: u32,
    /// Whether all blocks run at once.
    pub(crate) cooperative: bool,
}

impl Function {
    /// What the driver knows it by.
    pub(crate) fn raw(&self) -> CUfunction {
        self.raw
    }

    /// The context that it is in.
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.module.context
    }

    /// A number that the driver knows of it.
    pub(crate) fn get(&self, attribute: FunctionAttribute) -> Result<i32, Failure> {
        let _current = self.module.context.enter()?;
        let mut value: c_int = 0;
        // SAFETY: the function is alive, and the driver writes a number.
        let code = unsafe { functions::cuFuncGetAttribute(&raw mut value, attribute, self.raw) };
        Failure::check("cuFuncGetAttribute", code).map(|()| value)
    }

    /// Sets one, such as the most dynamic shared memory.
    pub(crate) fn set(&self, attribute: FunctionAttribute, value: i32) -> Result<(), Failure> {
        let _current = self.module.context.enter()?;
        // SAFETY: the function is alive; the driver checks the number.
        let code = unsafe { functions::cuFuncSetAttribute(self.raw, attribute, value) };
        Failure::check("cuFuncSetAttribute", code)
    }

    /// Its parameters, in order.
    pub(crate) fn params(&self) -> Result<Vec<ParamInfo>, Failure> {
        let _current = self.module.context.enter()?;
        let mut all = Vec::new();
        loop {
            let (mut offset, mut bytes) = (0, 0);
            // SAFETY: the function is alive, and the driver writes two numbers.
            let code = unsafe {
                functions::cuFuncGetParamInfo(self.raw, all.len(), &raw mut offset, &raw mut bytes)
            };
            // That is how the driver says that there is no parameter of this number.
            if code.is(CUresult::CUDA_ERROR_INVALID_VALUE) {
                return Ok(all);
            }
            Failure::check("cuFuncGetParamInfo", code)?;
            all.push(ParamInfo { offset, bytes });
        }
    }

    /// How many blocks of a launch a multiprocessor runs at once.
    pub(crate) fn blocks_at_once(&self, launch: &Launch) -> Result<u32, Failure> {
        let _current = self.module.context.enter()?;
        let threads: u32 = launch.block.iter().product();
        let (mut blocks, shared): (c_int, usize) = (0, launch.shared as usize);
        // SAFETY: the function is alive, and the driver writes a number.
        let code = unsafe {
            functions::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &raw mut blocks,
                self.raw,
                threads.cast_signed(),
                shared,
            )
        };
        Failure::check("cuOccupancyMaxActiveBlocksPerMultiprocessor", code)?;
        Ok(blocks.max(0).cast_unsigned())
    }

    /// How many threads a block has best where it needs so much dynamic shared memory, and how many blocks
    /// fill the device then.
    pub(crate) fn best_block(&self, shared: usize) -> Result<(u32, u32), Failure> {
        let _current = self.module.context.enter()?;
        let (mut blocks, mut threads): (c_int, c_int) = (0, 0);
        // SAFETY: the function is alive, nothing is called back, and the driver writes two numbers.
        let code = unsafe {
            functions::cuOccupancyMaxPotentialBlockSize(
                &raw mut blocks,
                &raw mut threads,
                self.raw,
                None,
                shared,
                0,
            )
        };
        Failure::check("cuOccupancyMaxPotentialBlockSize", code)?;
        Ok((threads.max(1).cast_unsigned(), blocks.max(1).cast_unsigned()))
    }
}

impl Stream {
    /// Submits a function with the addresses of its arguments, which are read in the call. The context of
    /// the stream is current.
    ///
    /// # Safety
    ///
    /// There is an address for each parameter, of as many bytes as that has. Until the launch is over, the
    /// function may use what it does with these arguments.
    pub(crate) unsafe fn launch(
        &self,
        function: &Function,
        launch: &Launch,
        arguments: &mut [*mut c_void],
    ) -> Result<(), Failure> {
        let Launch { grid: [gx, gy, gz], block: [bx, by, bz], shared, cooperative } = *launch;
        let (raw, stream, arguments) = (function.raw, self.raw(), arguments.as_mut_ptr());
        if cooperative {
            // SAFETY: function and stream are alive and of one context; the rest is as the caller says.
            let code = unsafe {
                functions::cuLaunchCooperativeKernel(
                    raw, gx, gy, gz, bx, by, bz, shared, stream, arguments,
                )
            };
            return Failure::check("cuLaunchCooperativeKernel", code);
        }
        // SAFETY: function and stream are alive and of one context; the rest is as the caller says.
        let code = unsafe {
            functions::cuLaunchKernel(
                raw,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                shared,
                stream,
                arguments,
                null_mut(),
            )
        };
        Failure::check("cuLaunchKernel", code)
    }
}
