//! What one node of a run does when its turn has come: a launch, a host task, a swap, or a look at
//! a bound or condition. Whose turn it is is decided elsewhere.

use std::sync::Arc;

use tracing::level_filters::LevelFilter;

use super::bind::{self, BoundLaunch};
use super::control::Control;
use super::plain::Scratch;
use super::room::Room;
use super::{dispatch, moved_away, plan, tasks};
use crate::access::Access;
use crate::arg::ArrayArg;
use crate::cond::Cond;
use crate::device::Device;
use crate::env::{Env, Trips};
use crate::error::{At, DriverError, DriverErrorKind, Error, Result};
use crate::lazy::Bounds;
use crate::ledger::{in_fragment, in_task};
use crate::pipeline::{LaunchNode, MoveNode, Place, TaskNode, Work};
use crate::runtime::Shared;
use crate::stage::LaunchStage;
use crate::trace::{Kind, Unit};

/// What the nodes of a run share.
#[derive(Clone, Copy)]
pub(super) struct Ground<'r> {
    pub(super) rt: &'r Shared,
    /// What the run holds in the ledger.
    pub(super) accesses: &'r [Access],
    /// Their allocations, ascending, where they are asked for.
    pub(super) ids: &'r Arc<[u64]>,
    /// Who may cancel the run and asks how far it is.
    pub(super) control: Option<&'r Control>,
}

/// What a node did, for the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// A launch, by its row, and the bytes of its arrays.
    Launch(usize, u64),
    /// A host task, by its row, and the bytes of its arrays.
    Task(usize, u64),
    /// Nothing that is counted.
    Other,
}

impl Ground<'_> {
    /// Does what a node without an inside does.
    #[inline]
    pub(super) fn perform(
        &self,
        work: &mut Work<'_>,
        env: &Env,
        scratch: &mut Scratch,
    ) -> Result<Did> {
        match work {
            Work::Launch(node) => self.launch(node, env, scratch),
            Work::Task(node) => self.task(node, env),
            Work::Swap { a, b, .. } => a.allocation.swap(&b.allocation).map(|()| Did::Other),
            Work::Move(node) => self.move_data(node).map(|()| Did::Other),
            Work::For { .. } | Work::If { .. } | Work::While { .. } => Ok(Did::Other),
        }
    }

    #[inline]
    fn launch(&self, node: &mut LaunchNode<'_>, env: &Env, scratch: &mut Scratch) -> Result<Did> {
        let LaunchNode { stage, bound, lazy, is_plain, device, stat } = node;
        let (device, stat) = (usize::from(*device), *stat as usize);
        if *is_plain {
            match self.launch_plain(stage, scratch, device) {
                Ok(Some(bytes)) => return Ok(Did::Launch(stat, bytes)),
                // An array has become one of several devices.
                Ok(None) => *is_plain = false,
                Err(error) => {
                    let mut bound = bind::bind(stage, env, None)?;
                    self.launch_elsewhere(stage, &mut bound, device, Some(error))?;
                    return Ok(Did::Launch(stat, bound.bytes));
                }
            }
        }
        if *lazy || bound.is_none() {
            self.bind_again(stage, bound, env)?;
        }
        let Some(bound) = bound else { return Ok(Did::Other) };
        let ran = self.launch_bound(stage, bound, device)?;
        if let Some(cell) = &stage.chosen {
            Self::tell(cell, ran)?;
        }
        Ok(Did::Launch(stat, bound.bytes))
    }

    #[inline]
    fn launch_plain(
        &self,
        stage: &LaunchStage<'_>,
        scratch: &mut Scratch,
        device: usize,
    ) -> Result<Option<u64>> {
        let device = &self.rt.devices[device];
        if device.is_lost() {
            return Ok(None);
        }
        // A span that nobody sees is not free.
        let _span = (LevelFilter::current() >= LevelFilter::TRACE).then(|| {
            tracing::trace_span!("launch", kernel = stage.kernel.name, device = device.name())
                .entered()
        });
        dispatch::dispatch_plain(stage, scratch, device, self.rt.options.check_all)
    }

    /// Binds a launch that depends on loop variables, or on cells, for this dispatch.
    fn bind_again(
        &self,
        stage: &LaunchStage<'_>,
        bound: &mut Option<Box<BoundLaunch>>,
        env: &Env,
    ) -> Result<()> {
        let mut place = bound.take();
        let old = place.as_deref_mut().map(BoundLaunch::take);
        let fresh = in_fragment(self.ids, || bind::bind(stage, env, old))?;
        if !plan::holds(self.ids, &fresh) {
            return Err(moved_away(stage.kernel.name));
        }
        *bound = Some(match place {
            Some(mut place) => {
                *place = fresh;
                place
            }
            None => Box::new(fresh),
        });
        Ok(())
    }

    /// The number of the device that has run it.
    #[inline]
    fn launch_bound(
        &self,
        stage: &LaunchStage<'_>,
        bound: &mut BoundLaunch,
        device: usize,
    ) -> Result<usize> {
        let planned = &self.rt.devices[device];
        if planned.is_lost() {
            return self.launch_elsewhere(stage, bound, device, None);
        }
        match self.launch_on(stage, bound, planned) {
            Ok(()) => Ok(device),
            Err(error) => self.launch_elsewhere(stage, bound, device, Some(error)),
        }
    }

    #[inline]
    fn launch_on(
        &self,
        stage: &LaunchStage<'_>,
        bound: &mut BoundLaunch,
        device: &Arc<Device>,
    ) -> Result<()> {
        let _span =
            tracing::trace_span!("launch", kernel = stage.kernel.name, device = device.name())
                .entered();
        dispatch::dispatch(stage, bound, device, self.accesses, self.rt.options.check_all)
    }

    /// Goes on with the devices after the `planned` one, which is lost or has `failed`; the number of
    /// the one that did it.
    #[cold]
    fn launch_elsewhere(
        &self,
        stage: &LaunchStage<'_>,
        bound: &mut BoundLaunch,
        planned: usize,
        failed: Option<Error>,
    ) -> Result<usize> {
        let devices = &self.rt.devices;
        let mut left = (0..devices.len()).map(|k| (planned + k) % devices.len());
        let mut failed = failed.map(|error| (&devices[planned], error));
        loop {
            let error = match failed {
                // What it read is still valid elsewhere, or bringing it says that it is not.
                Some((device, error @ Error::DeviceLost { .. })) if device.is_lost() => Some(error),
                Some((_, error)) => {
                    let (stage, site) = (stage.kernel.name, stage.site);
                    return Err(error.within(At { node: None, stage, site }));
                }
                None => None,
            };
            let Some(number) = left.find(|&number| !devices[number].is_lost()) else {
                return Err(error.unwrap_or_else(|| no_device(&devices[planned], stage)));
            };
            let device = &devices[number];
            if let Some(error) = &error {
                let kernel = stage.kernel.name;
                tracing::warn!(kernel, device = device.name(), %error, "runs elsewhere");
            }
            match self.launch_on(stage, bound, device) {
                Ok(()) => return Ok(number),
                Err(error) => failed = Some((device, error)),
            }
        }
    }

    /// Tells a cell which device has run a launch.
    #[cold]
    fn tell(cell: &ArrayArg, device: usize) -> Result<()> {
        let number = u32::try_from(device).unwrap_or(u32::MAX);
        cell.allocation.set_element(cell.section.offset(), &number.to_ne_bytes())?;
        cell.allocation.host_wrote(&cell.section);
        Ok(())
    }

    fn move_data(&self, node: &MoveNode) -> Result<()> {
        let MoveNode { array, to, .. } = node;
        let ArrayArg { allocation, section } = &**array;
        let device = match to {
            Place::Host => return allocation.to_host(section).map(drop),
            Place::Device(device) | Place::AwayFrom(device) => &self.rt.devices[*device],
        };
        // A device that uses the host's memory has the array when the host has it.
        let Some(space) = device.space() else { return allocation.to_host(section).map(drop) };
        if matches!(to, Place::AwayFrom(_)) {
            // One that another run uses at this moment stays.
            return allocation.evict(space).map(drop);
        }
        let needed = [allocation.id()];
        let room = Room { device, space, accesses: self.accesses, needed: &needed };
        let mut pins = Vec::new();
        let moved = dispatch::image(allocation, &room, &mut pins)
            .and_then(|_memory| allocation.to_memory(space, section));
        match moved {
            // Launches that wanted them there run elsewhere too.
            Err(error @ Error::DeviceLost { .. }) if device.is_lost() => {
                tracing::warn!(device = device.name(), %error, "data stay on the host");
                allocation.to_host(section).map(drop)
            }
            other => other.map(drop),
        }
    }

    fn task(&self, node: &mut TaskNode<'_>, env: &Env) -> Result<Did> {
        let bound = tasks::bind(node, env, self.ids)?;
        let bytes = bound.bytes;
        let _span = tracing::trace_span!("host_task", name = node.name).entered();
        let TaskNode { name, task, stat, kept, .. } = node;
        let recorder = self.rt.recorder.as_ref().map(|recorder| (recorder, recorder.now()));
        in_task(name, self.ids, || task.run(&bound.slots, env))?;
        if let Some((recorder, begin)) = recorder {
            recorder.note(Kind::Task, *name, Unit::Host, bytes, begin);
        }
        *kept = bound.keep();
        Ok(Did::Task(*stat, bytes))
    }

    /// The trips of a loop.
    #[inline]
    pub(super) fn trips(&self, bounds: &Bounds<'_>, env: &Env) -> Result<Trips> {
        match bounds {
            Bounds::Fixed(trips) => Ok(*trips),
            Bounds::Lazy(_) | Bounds::Cells(..) => in_fragment(self.ids, || bounds.resolve(env)),
        }
    }

    /// Whether a condition holds.
    pub(super) fn holds(&self, cond: &Cond<'_>, env: &Env) -> Result<bool> {
        in_fragment(self.ids, || cond.holds(env))
    }

    /// Whether a `while` makes another trip after `turns` of them.
    pub(super) fn goes_on(&self, work: &Work<'_>, env: &Env, turns: u64) -> Result<bool> {
        let Work::While { cond, limit, site } = work else { return Ok(false) };
        if !self.holds(cond, env)? {
            return Ok(false);
        }
        let max = in_fragment(self.ids, || limit.get(env))?;
        if turns < max { Ok(true) } else { Err(Error::Endless { site, max }) }
    }
}

/// The error where every device is lost.
#[cold]
fn no_device(first: &Device, stage: &LaunchStage<'_>) -> Error {
    let source = DriverError {
        api: "flash-rt",
        code: -1,
        text: "an earlier call said so, and there is no other device".into(),
        kind: DriverErrorKind::DeviceLost,
    };
    first.driver_error(format!("launch of kernel `{}`", stage.kernel.name), source)
}
