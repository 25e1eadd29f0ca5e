//! What runs a launch: the module of a kernel, or the code of a native node, which has no module and
//! may fail as a host task does. Where it runs and in which order is decided elsewhere.
#![allow(unsafe_code, reason = "starts what binding has validated")]

use std::sync::Arc;
use std::time::Instant;

use super::bind::BoundLaunch;
use super::dispatch;
use super::flight::Flight;
use crate::access::Access;
use crate::backend::{DynMemory, DynModule, LaunchInfo, NativeCode, Prepared, Ticket};
use crate::descriptor::Role;
use crate::device::Device;
use crate::entry::{Outcome, Slot, Tag};
use crate::error::{DriverError, DriverErrorKind, Error, Result};
use crate::ledger::in_task;
use crate::native::{Codes, NativeFailure};
use crate::progress::Sent;
use crate::stage::LaunchStage;
use crate::task::HostViews;
use crate::trace::Kind;

/// What is submitted for a launch.
pub(super) enum Code<'s> {
    /// A kernel.
    Module(&'s DynModule),
    /// The code of a native node.
    Native(NativeCode<'s>),
}

impl<'s> Code<'s> {
    /// What a device runs for a stage.
    #[inline]
    pub(super) fn of(stage: &'s LaunchStage<'_>, device: &'s Device) -> Result<Self> {
        match stage.native() {
            None => device.module(stage.kernel, stage.site).map(Self::Module),
            Some(codes) => match codes.of(device.key()) {
                Some(code) => Ok(Self::Native(NativeCode::new(stage.kernel.name, code))),
                None => Err(no_code(stage, codes, device.name().to_owned())),
            },
        }
    }

    /// Submits it.
    ///
    /// # Safety
    ///
    /// As for [`Backend::launch`](crate::backend::Backend::launch), or
    /// [`Backend::native`](crate::backend::Backend::native).
    #[inline]
    pub(super) unsafe fn submit(
        &mut self,
        device: &Device,
        queue: u8,
        launch: &LaunchInfo<'_, DynMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let (backend, ordinal) = (&device.backend, device.ordinal);
        match self {
            // SAFETY: as the caller vouches.
            Self::Module(module) => unsafe {
                backend.launch(ordinal, queue, module, launch, after)
            },
            // SAFETY: as the caller vouches.
            Self::Native(code) => unsafe { backend.native(ordinal, queue, launch, code, after) },
        }
    }

    /// Whether it is a kernel.
    #[inline]
    pub(super) fn is_module(&self) -> bool {
        matches!(self, Self::Module(_))
    }

    /// Has the backend keep it ready.
    ///
    /// # Safety
    ///
    /// As for [`Backend::prepare`](crate::backend::Backend::prepare).
    pub(super) unsafe fn prepare(
        &self,
        device: &Device,
        launch: &LaunchInfo<'_, DynMemory>,
    ) -> Result<Option<Arc<dyn Prepared>>, DriverError> {
        match self {
            // SAFETY: as the caller vouches.
            Self::Module(module) => unsafe {
                device.backend.prepare(device.ordinal, module, launch)
            },
            Self::Native(_) => Ok(None),
        }
    }

    /// Why the code failed, if it did and was any of the user's.
    #[inline]
    pub(super) fn failure(self, submitted: bool) -> Option<NativeFailure> {
        match self {
            Self::Module(_) => None,
            Self::Native(code) => code.failure(submitted),
        }
    }
}

/// Ends a native node whose code failed when part of its work may have been submitted: waits for that,
/// and counts what was to be filled as spoiled.
#[cold]
pub(super) fn failed(
    stage: &LaunchStage<'_>,
    (device, accesses): (&Arc<Device>, &[Access]),
    flight: &Flight,
    failure: NativeFailure,
) -> Error {
    // Images that it was to fill look at it.
    flight.outcome.panic(0, String::new());
    if let NativeFailure::Returned(source) = &failure
        && let Some(error) = source.downcast_ref::<DriverError>()
        && error.kind == DriverErrorKind::DeviceLost
    {
        device.give_up(&flight.sent, error);
        flight.outcome.take();
        return device.driver_error(format!("native node `{}`", stage.kernel.name), error.clone());
    }
    // If that fails too, the images find out.
    drop(device.wait(&flight.sent));
    device.sweep();
    dispatch::settle(accesses);
    flight.outcome.take();
    error(stage, device, failure)
}

/// The error of code that failed.
#[cold]
pub(super) fn error(stage: &LaunchStage<'_>, device: &Device, failure: NativeFailure) -> Error {
    let (node, site, device) = (stage.kernel.name, stage.site, device.name().to_owned());
    match failure {
        NativeFailure::Argument(error) => error,
        NativeFailure::Panicked(message) => Error::NativePanic { node, site, device, message },
        NativeFailure::Returned(source) => {
            Error::Native { node, site, device, source: Arc::from(source) }
        }
    }
}

/// The error where a native node may run nowhere.
#[cold]
fn no_code(stage: &LaunchStage<'_>, codes: &Codes<'_>, device: String) -> Error {
    Error::NoImplementation {
        kernel: stage.kernel.name,
        node: None,
        site: stage.site,
        device,
        why: format!(
            "the native node has code for {}; give it code for this device too, or open a runtime \
             with another one",
            codes.list()
        ),
    }
}

/// Leaves out the devices that a native node has no code for, of which one has to remain.
#[cold]
pub(super) fn eligible(stage: &mut LaunchStage<'_>, devices: &[Arc<Device>]) -> Result<()> {
    let Some(codes) = stage.native() else { return Ok(()) };
    let is_named = |k: &usize| stage.special.as_ref().is_none_or(|special| special.names(*k));
    let named: Vec<usize> = (0..devices.len()).filter(is_named).collect();
    let unfit: Vec<usize> = named.iter().copied().filter(|&k| !codes.has(&devices[k])).collect();
    if unfit.len() == named.len() {
        let names: Vec<&str> = named.into_iter().map(|k| devices[k].name()).collect();
        return Err(no_code(stage, codes, names.join("`, `")));
    }
    stage.special.get_or_insert_default().unfit = unfit;
    Ok(())
}

/// Runs a native node on a device that uses the memory of the host, to its end: by the code for its
/// backend, or else by that for the memory of the host.
pub(super) fn on_host(
    (stage, codes): (&LaunchStage<'_>, &Codes<'_>),
    bound: &mut BoundLaunch,
    device: &Arc<Device>,
    ids: &Arc<[u64]>,
) -> Result<()> {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::skips(stage.kernel)? {
        return Ok(());
    }
    let mut pins = Vec::new();
    dispatch::place_on_host(stage, bound, &mut pins)?;
    let begun = device.begin();
    let since = device.measures().then(Instant::now);
    let done = match codes.of(device.key()) {
        None => {
            let slots = cells_as_arrays(stage, &bound.slots);
            let mut views = HostViews::new(stage.kernel.name, stage.site, &slots);
            let ran = in_task(stage.kernel.name, ids, || codes.run_on_host(&mut views));
            ran.map_err(|failure| error(stage, device, failure))
        }
        Some(code) => {
            let outcome = Outcome::new();
            let mut code = Code::Native(NativeCode::new(stage.kernel.name, code));
            let launch = LaunchInfo {
                kernel: stage.kernel,
                space: &bound.space,
                part: None,
                geometry: None,
                slots: &bound.slots,
                memories: &[],
                outcome: &outcome,
                check_all: false,
            };
            // SAFETY: binding checked kinds, types and ranks, and that nothing written is touched by
            // another argument; the slots were filled in above from what `bound` keeps and the
            // caller's run holds. Without queues it is complete on return.
            let ran = unsafe { code.submit(device, 0, &launch, &[]) };
            match (code.failure(ran.is_ok()), ran) {
                (Some(failure), _) => Err(error(stage, device, failure)),
                (None, Err(error)) => {
                    Err(device.driver_error(format!("native node `{}`", stage.kernel.name), error))
                }
                (None, Ok(_)) => Ok(()),
            }
        }
    };
    if let Some(since) = since {
        device.note_time(stage.kernel, bound.n_items(), since.elapsed());
    }
    device.note_sent(begun, (Kind::Kernel, stage.kernel.name.into()), &Sent::DONE, bound.bytes);
    dispatch::mark_written(bound, done.is_ok());
    drop(pins);
    done
}

/// The slots with values of cells as arrays of one element, as views take them.
fn cells_as_arrays(stage: &LaunchStage<'_>, slots: &[Slot]) -> Vec<Slot> {
    let mut slots = slots.to_vec();
    for (slot, param) in slots.iter_mut().zip(stage.kernel.params) {
        if matches!(param.role, Role::Value) {
            (slot.tag, slot.array.rank, slot.array.stride[0]) = (Tag::Input, 1, 1);
            (slot.array.held[0], slot.array.shape[0]) = (1, 1);
        }
    }
    slots
}
