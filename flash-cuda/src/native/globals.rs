//! Variables of native code that a declaration fills: whether the code has them, of as many bytes, and what
//! each launch fills them with. What the code does with them is its own business. Fenced: it reads
//! values of the launch.
#![allow(unsafe_code, reason = "copies values of validated launches")]

use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, PoisonError};

use flash_rt::backend::{LaunchInfo, Ticket};
use flash_rt::descriptor::{Implementation, NativeArg};
use flash_rt::offload::plain::refused;
use flash_rt::{DriverError, KernelDescriptor};

use super::entry;
use super::launch::address;
use crate::code::Code;
use crate::device::CudaDevice;
use crate::fill::Fill;
use crate::memory::CudaMemory;
use crate::module::unusable;
use crate::operation::Held;

/// The variables that launches of a kernel fill.
#[derive(Debug)]
pub(super) struct Globals {
    all: Vec<Global>,
    /// The last launch, as they are there once for all launches.
    last: Mutex<Ticket>,
}

/// A variable, and what it is filled with.
#[derive(Debug)]
struct Global {
    name: CString,
    said: &'static str,
    value: NativeArg,
}

impl Globals {
    /// Those of an implementation, of a kernel whose code is this.
    pub(super) fn new(
        device: &CudaDevice,
        kernel: &KernelDescriptor,
        implementation: &'static Implementation,
        code: &Code,
    ) -> Result<Self, DriverError> {
        let one = |global: &'static flash_rt::descriptor::Global| {
            let absent = || {
                let entry = entry(kernel, implementation);
                unusable(format!(
                    "it has no variable `{}` for `globals` of `{entry}`; one that is `static`, or in a \
                     namespace, has another name",
                    global.name
                ))
            };
            let name = CString::new(global.name).map_err(|_| absent())?;
            let found = code.variable(device, &name)?.ok_or_else(absent)?;
            let value = global.value;
            fits(kernel, value, found.bytes, None).map_err(|why| {
                unusable(format!(
                    "its variable `{}` has {} bytes, and {why}",
                    global.name, found.bytes
                ))
            })?;
            Ok(Global { name, said: global.name, value })
        };
        let all = implementation.globals.iter().map(one).collect::<Result<_, DriverError>>()?;
        Ok(Self { all, last: Mutex::new(Ticket::DONE) })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The last launch that has filled them, held until the next one is submitted.
    pub(super) fn last(&self) -> MutexGuard<'_, Ticket> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a launch fills them with. Bytes that are copied are `held` by it.
    ///
    /// # Safety
    ///
    /// Slots of values point to values of the parameters' types.
    pub(super) unsafe fn fills(
        &self,
        device: &CudaDevice,
        launch: &LaunchInfo<'_, CudaMemory>,
        code: &Code,
        held: &mut Vec<Held>,
    ) -> Result<Vec<Fill>, DriverError> {
        let (params, mut all) = (launch.kernel.params, Vec::new());
        let one = |global: &Global| {
            let (NativeArg::Param(at) | NativeArg::Len(at)) = global.value;
            let (at, gone) =
                (usize::from(at), || format!("the variable `{}` is gone", global.said));
            let variable = code.variable(device, &global.name)?.ok_or_else(|| refused(gone()))?;
            let slot = launch.slots[at].array_slot();
            let (to, len) = (variable.address, slot.n_elems());
            fits(launch.kernel, global.value, variable.bytes, Some(len)).map_err(|why| {
                let Global { said, .. } = global;
                refused(format!("the variable `{said}` has {} bytes, and {why}", variable.bytes))
            })?;
            let bytes: Box<[u8]> = match global.value {
                NativeArg::Len(_) => (len as u64).to_le_bytes()[..variable.bytes].into(),
                NativeArg::Param(_) if params[at].rank == 0 => {
                    let (start, size) = (slot.base.cast_const(), params[at].elem.size());
                    // SAFETY: the slot of a value points to one of the parameter's type.
                    unsafe { std::slice::from_raw_parts(start, size) }.into()
                }
                NativeArg::Param(_) => {
                    all.push(Fill::from_device(to, address(launch, at)?, variable.bytes));
                    return Ok(());
                }
            };
            let made = Fill::from_host(&device.short_slots, (to, &device.context()?), bytes, held);
            all.extend(made.map_err(|failure| device.error(failure))?);
            Ok(())
        };
        self.all.iter().try_for_each(one)?;
        Ok(all)
    }
}

/// Whether a variable of so many bytes takes what fills it, of an array with so many elements where that
/// is known; else what that has.
fn fits(
    kernel: &KernelDescriptor,
    value: NativeArg,
    bytes: usize,
    len: Option<usize>,
) -> Result<(), String> {
    let (NativeArg::Param(at) | NativeArg::Len(at)) = value;
    let Some(param) = kernel.params.get(usize::from(at)) else {
        return Err(format!("parameter {at} is to fill it, and there is none"));
    };
    let (name, size) = (param.name, param.elem.size());
    match (value, len) {
        (NativeArg::Len(_), Some(len)) if bytes == 4 && i32::try_from(len).is_err() => {
            Err(format!("`{name}`, whose length fills it, has {len} elements"))
        }
        (NativeArg::Len(_), _) if matches!(bytes, 4 | 8) => Ok(()),
        (NativeArg::Len(_), _) => Err(format!("the length of `{name}` takes 4 or 8")),
        (NativeArg::Param(_), _) if param.rank == 0 && size == bytes => Ok(()),
        (NativeArg::Param(_), _) if param.rank == 0 => {
            Err(format!("`{name}`, which fills it, has {size}"))
        }
        (NativeArg::Param(_), None) => Ok(()),
        (NativeArg::Param(_), Some(len)) if len.checked_mul(size) == Some(bytes) => Ok(()),
        (NativeArg::Param(_), Some(len)) => {
            Err(format!("`{name}`, which fills it, has {len} elements of {size}"))
        }
    }
}
