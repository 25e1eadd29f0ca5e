//! What one node of a run does when its turn has come: a launch, a host task, a swap, or a look at
//! a bound or condition. Whose turn it is is decided elsewhere.

use std::sync::Arc;

use tracing::level_filters::LevelFilter;

use super::bind::{self, BoundLaunch};
use super::control::{Control, at};
use super::divided::Divided;
use super::evaluate::{evaluate, known};
use super::falls::Falls;
use super::flight::Place;
use super::flights::Flights;
use super::graph::Graph;
use super::plain::Scratch;
use super::room::{Patience, Room};
use super::split::Shares;
use super::tasks::Early;
use super::windows::{self, Need};
use super::{dispatch, moved_away, native, plan, reduce, tasks};
use crate::access::Access;
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::cond::Cond;
use crate::device::{Device, Errand, Pin};
use crate::env::{Env, Trips};
use crate::error::{At, Error, Result, Site};
use crate::geometry::Geometry;
use crate::image::{DeviceMemory, MemorySpace};
use crate::lazy::Bounds;
use crate::ledger::in_task;
use crate::pipeline::{self, LaunchNode, MoveNode, TaskNode, Work};
use crate::ranges::Ranges;
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
    /// What it has submitted.
    pub(super) flights: &'r Flights,
    /// What ran elsewhere.
    pub(super) falls: &'r Falls,
    /// What devices had of launches that were split.
    pub(super) divided: &'r Divided,
    /// The order of the nodes, where several run at once.
    pub(super) graph: Option<&'r Graph>,
}

/// Which node is done, and how.
pub(super) struct Turn<'t> {
    pub(super) node: u32,
    /// Where it is in the program, asked for if something may still fail when it has been done.
    pub(super) place: &'t dyn Fn() -> Place,
    /// Whether what it submits may still be under way when it has been done.
    pub(super) ahead: bool,
    /// Whether a launch follows that goes ahead on the same device.
    pub(super) more: bool,
    /// The arrangement that its arrays are in.
    pub(super) arrangement: u32,
    /// What has brought the data of a host task before its turn, if it has.
    pub(super) early: Option<&'t Early>,
    /// Told when a host task begins, its data in place, and whether they were brought before.
    pub(super) begins: &'t dyn Fn(bool),
    /// Whether it has begun to do what cannot be tried again.
    pub(super) has_begun: bool,
    /// Whether it failed but may be tried again: nothing was submitted, or the device is lost and
    /// another one is there.
    pub(super) again: bool,
}

impl Turn<'_> {
    /// For whoever waits for the end of what he does.
    pub(super) fn blocking() -> Self {
        Self {
            node: 0,
            place: &Place::default,
            ahead: false,
            more: false,
            arrangement: 0,
            early: None,
            begins: &|_| (),
            has_begun: false,
            again: false,
        }
    }
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
    pub(super) fn perform(
        &self,
        work: &mut Work<'_>,
        env: &Env,
        (turn, scratch): (&mut Turn<'_>, &mut Scratch),
    ) -> Result<Did> {
        let done = match work {
            // Its errors say where it is.
            Work::Launch(node) => return self.launch(node, env, (turn, scratch)),
            Work::Task(node) => self.task(node, env, turn),
            Work::Swap { .. } => self.swap(work).map(|()| Did::Other),
            Work::Move(node) => self.move_data(node).map(|()| Did::Other),
            Work::For { .. } | Work::If { .. } | Work::While { .. } => Ok(Did::Other),
        };
        done.map_err(|error| error.within(at(turn.node as usize, work)))
    }

    /// Exchanges two arrays.
    pub(super) fn swap(&self, work: &Work<'_>) -> Result<()> {
        let Work::Swap { a, b, .. } = work else { return Ok(()) };
        self.flights.note_swap();
        a.allocation.swap(&b.allocation)
    }

    pub(super) fn launch(
        &self,
        node: &mut LaunchNode<'_>,
        env: &Env,
        (turn, scratch): (&mut Turn<'_>, &mut Scratch),
    ) -> Result<Did> {
        if node.is_plain {
            match self.plain(node, scratch) {
                Ok(bytes) => return Ok(Did::Launch(node.stat as usize, bytes)),
                Err(None) => {}
                Err(Some(error)) => {
                    let device = usize::from(node.device);
                    return Err(self.failed(&node.stage, device, *error, turn));
                }
            }
        }
        let LaunchNode { stage, bound, lazy, device, stat, .. } = node;
        let (first, stat) = (usize::from(*device), *stat as usize);
        if *lazy || bound.is_none() {
            self.bind_again(stage, (bound, *lazy), env)?;
        }
        let Some(bound) = bound else { return Ok(Did::Other) };
        if let Some(shares) = stage.special.as_ref().and_then(|special| special.split.as_ref())
            && self.fits_each(stage, shares)
        {
            let here = here(stage, turn);
            let did = self.launch_in_parts((stage, bound, stat), shares, turn);
            if let Some(did) = did.map_err(|error| error.within(here))? {
                stage.chosen().map_or(Ok(()), |cell| Self::tell(cell, first))?;
                return Ok(did);
            }
        }
        let devices = &self.rt.devices;
        let mut number = match devices[first].is_lost() {
            false => first,
            true => self.after(first, stage).map_err(|error| error.within(here(stage, turn)))?,
        };
        let mut refused: Option<Error> = None;
        let done = loop {
            let device = &devices[number];
            let span =
                tracing::trace_span!("launch", kernel = stage.kernel.name, device = device.name());
            let _entered = span.enter();
            let fits = match stage.geometry() {
                Some(geometry) => geometry.fits(stage, &device.info),
                None => Ok(()),
            };
            let done = match device.space() {
                _ if fits.is_err() => fits.map(|()| Did::Other),
                None => {
                    let free = if number == first { Ok(()) } else { Self::await_readers(bound) };
                    free.and_then(|()| match stage.native() {
                        None => dispatch::on_host(stage, bound, device, self.rt.options.check_all),
                        Some(codes) => native::on_host((stage, codes), bound, device, self.ids),
                    })
                    .map(|()| Did::Launch(stat, bound.bytes))
                }
                Some(space) => {
                    let at = (number, device, space);
                    self.launch_there(at, (stage, bound, stat), env, turn)
                }
            };
            match done {
                Err(error) if cannot_begin(&error) => {
                    let next = self.another(first, number, stage);
                    let Some(next) = next else { break Err(refused.take().unwrap_or(error)) };
                    refused.get_or_insert_with(|| error.within(here(stage, turn)));
                    number = next;
                }
                other => break other,
            }
        };
        if done.is_ok() && number != first {
            let at = (turn.node as usize, stage.kernel.name);
            let error = refused.unwrap_or_else(|| devices[first].loss(stage.kernel.name));
            self.falls.note(at, (&devices[first], &devices[number]), error);
        }
        if let (Ok(_), Some(cell)) = (&done, stage.chosen()) {
            Self::tell(cell, number)?;
        }
        done.map_err(|error| self.failed(stage, number, error, turn))
    }

    /// Whether each device of a split has the work-groups that are asked for.
    fn fits_each(&self, stage: &LaunchStage<'_>, shares: &Shares) -> bool {
        let fits = |geometry: &Geometry| {
            let info = |device: u16| &self.rt.devices[usize::from(device)].info;
            shares.of.iter().all(|share| geometry.fits(stage, info(share.device)).is_ok())
        };
        stage.geometry().is_none_or(fits)
    }

    /// Sees that no host task uses what a launch is about to overwrite in the host's memory: on the
    /// device of the plan it would not have had to.
    #[cold]
    fn await_readers(bound: &BoundLaunch) -> Result<()> {
        let mut arrays = bound.params.iter().filter_map(|param| param.array());
        arrays.try_for_each(|(array, use_)| match use_.writes {
            true => array.allocation.await_host(&array.section),
            false => Ok(()),
        })
    }

    /// The error of a launch, with where it was; whether it may go elsewhere.
    #[cold]
    pub(super) fn failed(
        &self,
        stage: &LaunchStage<'_>,
        number: usize,
        error: Error,
        turn: &mut Turn<'_>,
    ) -> Error {
        let devices = &self.rt.devices;
        if matches!(error, Error::DeviceLost { .. }) && devices[number].is_lost() {
            // What it read is still valid elsewhere, or bringing it says that it is not.
            turn.again = devices.iter().any(|device| !device.is_lost());
        }
        error.within(here(stage, turn))
    }

    /// Runs a plain launch; its bytes. There is no error where it has become one that is bound, as an array
    /// is in several memories now; one is for [`failed`](Self::failed).
    #[inline(never)]
    pub(super) fn plain(
        &self,
        node: &mut LaunchNode<'_>,
        scratch: &mut Scratch,
    ) -> Result<u64, Option<Box<Error>>> {
        let device = &self.rt.devices[usize::from(node.device)];
        if device.is_lost() {
            return self.not_plain(node, None);
        }
        if self.rt.recorder.is_some() || LevelFilter::current() >= LevelFilter::TRACE {
            return self.plain_traced(node, scratch);
        }
        let check_all = self.rt.options.check_all;
        match dispatch::dispatch_plain::<false>(&node.stage, scratch, device, check_all) {
            Ok(bytes) => Ok(bytes),
            Err(error) => self.not_plain(node, error),
        }
    }

    /// The same where somebody sees it.
    #[inline(never)]
    fn plain_traced(
        &self,
        node: &mut LaunchNode<'_>,
        scratch: &mut Scratch,
    ) -> Result<u64, Option<Box<Error>>> {
        let device = &self.rt.devices[usize::from(node.device)];
        // A span that nobody sees is not free.
        let _span = (LevelFilter::current() >= LevelFilter::TRACE).then(|| {
            let (kernel, device) = (node.stage.kernel.name, device.name());
            tracing::trace_span!("launch", kernel, device).entered()
        });
        let check_all = self.rt.options.check_all;
        match dispatch::dispatch_plain::<true>(&node.stage, scratch, device, check_all) {
            Ok(bytes) => Ok(bytes),
            Err(error) => self.not_plain(node, error),
        }
    }

    /// What becomes of a launch that has not run as a plain one.
    #[cold]
    #[inline(never)]
    fn not_plain(
        &self,
        node: &mut LaunchNode<'_>,
        error: Option<Box<Error>>,
    ) -> Result<u64, Option<Box<Error>>> {
        // Another device may have code for it.
        let stays = error.filter(|error| !cannot_begin(error) || self.rt.devices.len() == 1);
        node.is_plain = stays.is_some();
        Err(stays)
    }

    /// Binds a launch that depends on loop variables, or on cells, for this dispatch; or one that was
    /// plain, for good.
    fn bind_again(
        &self,
        stage: &LaunchStage<'_>,
        (bound, lazy): (&mut Option<Box<BoundLaunch>>, bool),
        env: &Env,
    ) -> Result<()> {
        let mut place = bound.take();
        let old = place.as_deref_mut().map(BoundLaunch::take);
        let of = (stage.kernel.name, stage.site);
        let fresh = evaluate(self.ids, of, || bind::bind(stage, env, old))?;
        // Others have the arrays that the plan has found.
        if lazy && !plan::holds(self.ids, &fresh) {
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

    /// The device to try after one that could not begin; none once all have been asked that come
    /// after the one of the plan.
    #[cold]
    fn another(&self, first: usize, number: usize, stage: &LaunchStage<'_>) -> Option<usize> {
        let n = self.rt.devices.len();
        let asked = (number + n - first) % n + 1;
        let mut left = (asked..n).map(|k| (first + k) % n);
        left.find(|&number| !self.rt.devices[number].is_lost() && stage.allows(number))
    }

    /// The device that takes the place of one that is lost.
    #[cold]
    fn after(&self, lost: usize, stage: &LaunchStage<'_>) -> Result<usize> {
        let devices = &self.rt.devices;
        let mut left = (1..devices.len()).map(|k| (lost + k) % devices.len());
        match left.find(|&number| !devices[number].is_lost() && stage.allows(number)) {
            // What comes before went with the device, and has to run again first.
            Some(number) if !self.flights.has_gone(lost, &devices[lost]) => Ok(number),
            _ => Err(devices[lost].loss(stage.kernel.name)),
        }
    }

    /// Tells a cell which device has run a launch.
    #[cold]
    fn tell(cell: &ArrayArg, device: usize) -> Result<()> {
        let number = u32::try_from(device).unwrap_or(u32::MAX);
        cell.allocation.await_host(&cell.section)?;
        cell.allocation.set_element(cell.section.offset(), &number.to_ne_bytes())?;
        cell.allocation.host_wrote(&cell.section);
        Ok(())
    }

    /// Submits a launch to a device with a memory of its own.
    fn launch_there(
        &self,
        (number, device, space): (usize, &Arc<Device>, MemorySpace),
        (stage, bound, stat): (&LaunchStage<'_>, &mut BoundLaunch, usize),
        env: &Env,
        turn: &mut Turn<'_>,
    ) -> Result<Did> {
        let did = Did::Launch(stat, bound.bytes);
        let n_ahead = self.rt.options.n_ahead();
        if turn.ahead {
            self.flights.make_room((number, device), self.accesses, n_ahead)?;
        }
        let mut flight = self.flights.spare(number, stage.site);
        flight.more = turn.more;
        let how = (self.accesses, n_ahead, self.rt.options.check_all);
        match dispatch::submit(stage, bound, (device, space), how, &mut flight) {
            Ok(true) if turn.ahead && !bound.reduces && stage.chosen().is_none() => {
                (flight.node, flight.env, flight.place) = (turn.node, *env, (turn.place)());
                flight.arrangement = turn.arrangement;
                flight.did = did;
                self.flights.add(number, flight);
                return Ok(Did::Other);
            }
            Ok(true) => {
                let on = (device, self.accesses);
                let finished = dispatch::finish(stage, bound, on, &mut flight);
                self.flights.give_back(number, flight);
                finished?;
            }
            Ok(false) => {
                self.flights.give_back(number, flight);
                reduce::finish_all(stage, bound)?;
            }
            Err(error) => {
                self.flights.give_back(number, flight);
                turn.again = error.is_given_up();
                return Err(error);
            }
        }
        Ok(did)
    }

    /// Moves an array. Nobody else waits for that, so its error names the array.
    fn move_data(&self, node: &MoveNode) -> Result<()> {
        let ArrayArg { allocation, section } = &*node.array;
        self.bring_or_evict(node)
            .map_err(|error| error.of_move(section.len(), allocation.elem().ty))
    }

    fn bring_or_evict(&self, node: &MoveNode) -> Result<()> {
        let MoveNode { array, to, site, .. } = node;
        let ArrayArg { allocation, section } = &**array;
        let number = match to {
            pipeline::Place::Host => {
                allocation.note_move(section, ("host", *site));
                return allocation.to_host(section).map(drop);
            }
            pipeline::Place::Device(number) | pipeline::Place::AwayFrom(number) => *number,
        };
        let device = &self.rt.devices[number];
        if matches!(to, pipeline::Place::Device(_)) {
            allocation.note_move(section, (device.name(), *site));
        }
        // A device that uses the host's memory has the array when the host has it.
        let Some(space) = device.space() else { return allocation.to_host(section).map(drop) };
        if matches!(to, pipeline::Place::AwayFrom(_)) {
            // One that another run uses at this moment stays.
            let _errand = Errand::room("evict");
            return allocation.evict(space, true, &Ranges::all(allocation.len())).map(drop);
        }
        let needed = [Need::of(array)];
        let room = Room { device, space, accesses: self.accesses, needed: &needed };
        let mut pins = Vec::new();
        let found = Self::find_image(allocation, &room, &mut pins);
        let moved = found.and_then(|_| {
            allocation.to_memory(space, section)?;
            let copy = allocation.images().in_the_making(space, section);
            copy.map_or(Ok(()), |sent| {
                device.wait(&sent).map_err(|error| {
                    // As of a launch: each of those that were given up at once says why.
                    let why = device.failure(&sent).unwrap_or(error);
                    device.driver_error("upload".to_owned(), why)
                })
            })
        });
        match moved {
            // Launches that wanted them there run elsewhere too.
            Err(error @ Error::DeviceLost { .. }) if device.is_lost() => {
                tracing::warn!(device = device.name(), %error, "data stay on the host");
                allocation.to_host(section).map(drop)
            }
            other => other,
        }
    }

    /// The image of an array on a device, made if there is none. Where there is no room because others
    /// use the device, it waits for them.
    fn find_image(
        allocation: &Arc<Allocation>,
        room: &Room<'_>,
        pins: &mut Vec<Pin>,
    ) -> Result<Arc<dyn DeviceMemory>> {
        let mut patience = Patience::new(room.device, room.space, room.accesses);
        loop {
            match windows::image(allocation, room, pins) {
                Err(Error::OutOfMemory { bytes, .. }) if patience.wait(pins, bytes) => {}
                other => return other,
            }
        }
    }

    fn task(&self, node: &mut TaskNode<'_>, env: &Env, turn: &mut Turn<'_>) -> Result<Did> {
        let brought = turn.early.and_then(|early| early.take().map(|bound| (early, bound)));
        let was_brought = brought.is_some();
        let mut bound = match brought {
            Some((early, mut bound)) => match early.complete(&mut bound) {
                Ok(()) => bound,
                Err(error) => {
                    early.keep(bound);
                    return Err(error);
                }
            },
            None => tasks::bind(node, env, (self.ids, self.flights.is_used()))?,
        };
        let bytes = bound.bytes;
        let _span = tracing::trace_span!("host_task", name = node.name).entered();
        let TaskNode { name, site, task, stat, kept, .. } = node;
        let recorder = self.rt.recorder.as_ref().map(|recorder| (recorder, recorder.now()));
        turn.has_begun = true;
        (turn.begins)(was_brought);
        let run = || in_task(name, self.ids, || task.run(&bound.slots, env));
        let done = known((name, site), run);
        if done.is_err() {
            bound.fail();
        }
        done?;
        if let Some((recorder, begin)) = recorder {
            recorder.note(Kind::Task, *name, Unit::Host, bytes, begin);
        }
        match turn.early {
            Some(early) if was_brought => early.give_back(bound.keep()),
            _ => *kept = bound.keep(),
        }
        Ok(Did::Task(*stat, bytes))
    }

    /// The trips of a loop.
    #[inline]
    pub(super) fn trips(&self, (bounds, site): (&Bounds<'_>, Site), env: &Env) -> Result<Trips> {
        match bounds {
            Bounds::Fixed(trips) => Ok(*trips),
            Bounds::Lazy(_) | Bounds::Cells(..) => {
                evaluate(self.ids, ("a bound", site), || bounds.resolve(env))
            }
        }
    }

    /// Whether a condition holds.
    pub(super) fn holds(&self, (cond, site): (&Cond<'_>, Site), env: &Env) -> Result<bool> {
        evaluate(self.ids, ("a condition", site), || cond.holds(env))
    }

    /// Whether a `while` makes another trip after `turns` of them.
    pub(super) fn goes_on(&self, work: &Work<'_>, env: &Env, turns: u64) -> Result<bool> {
        let Work::While { cond, limit, site } = work else { return Ok(false) };
        if !self.holds((cond, site), env)? {
            return Ok(false);
        }
        let max = evaluate(self.ids, ("the limit of a `while`", site), || limit.get(env))?;
        if turns < max { Ok(true) } else { Err(Error::Endless { site, max }) }
    }
}

/// Whether a launch failed before it began, so that it has changed nothing and another device may
/// run it. One that failed under way may have spoiled what it was to read and write.
pub(super) fn cannot_begin(error: &Error) -> bool {
    matches!(
        error,
        Error::OutOfMemory { .. }
            | Error::NoImplementation { .. }
            | Error::NotFound { .. }
            | Error::Library { .. }
    )
}

/// Where a launch is, for an error.
#[cold]
fn here(stage: &LaunchStage<'_>, turn: &Turn<'_>) -> At {
    At { node: Some(turn.node as usize), stage: stage.kernel.name, site: stage.site }
}
