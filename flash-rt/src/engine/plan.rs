//! What is worked out once per pipeline: bound launches, what the ledger has to hold, the rows of
//! the report. It runs nothing.

use std::ops::Range;
use std::sync::Arc;

use flash_ir::analysis::straight;

use super::bind::{self, BoundLaunch};
use super::division::Division;
use super::fine::{self, Signature};
use super::flights::Flights;
use super::graph::Graph;
use super::kept::Kept;
use super::levels::{Around, resolve, sources};
use super::placement::{self, Placer, Reason};
use super::plain::{self, Scratch, Whole};
use super::rows::Rows;
use super::survey::Survey;
use super::touched::Touched;
use super::{check, native, spare};
use crate::access::{Access, Mode};
use crate::arg::{ArrayArg, BoundArg};
use crate::capabilities::Capabilities;
use crate::descriptor::{KernelDescriptor, Role};
use crate::device::Device;
use crate::env::{Env, MAX_LOOPS};
use crate::error::{Error, Result, Site};
use crate::lazy::Bounds;
use crate::pipeline::{Kind, LaunchNode, MoveNode, Node, Place, TaskNode, Work};
use crate::report::{DeviceReport, Fallback, StageReport};
use crate::runtime::Shared;
use crate::search;
use crate::stage::LaunchStage;

/// What a pipeline keeps from run to run.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Whether it is up to date with the nodes.
    pub(crate) ready: bool,
    /// Everything the pipeline touches.
    pub(super) accesses: Vec<Access>,
    /// Which accesses no node after a top-level node touches, by number of the node and then of the
    /// access, ascending. Those of the last node, and of host tasks, end with the run.
    pub(super) releases: Vec<(usize, usize)>,
    /// The allocations of `accesses`, ascending; empty where nothing asks for them.
    pub(super) ids: Arc<[u64]>,
    pub(super) rows: Rows,
    /// The order of the nodes, once a run has asked for it.
    pub(super) graph: Option<Box<Graph>>,
    /// Which accesses each top-level node touches, by number of the node, where others may get
    /// them before the end of the run.
    pub(super) users: Vec<(u32, u32)>,
    /// Memory of the threads that run it, once there are several.
    pub(super) kept: Option<Box<Kept>>,
    /// Slots of launches, where the caller alone runs it.
    pub(super) scratch: Option<Box<Scratch>>,
    /// What a run has submitted to devices, once there are some with a memory of their own.
    pub(super) flights: Option<Box<Flights>>,
    /// Which launches of the last run ran elsewhere.
    pub(super) fell: Vec<Fallback>,
    /// What devices had of those that were split in the last run.
    pub(super) had: Vec<DeviceReport>,
    /// Why each launch is on its device, by number of the node, where there was a choice.
    pub(super) reasons: Vec<(u32, Reason)>,
    /// How much had been measured when launches were placed whose times nobody knew.
    pub(super) placed_at: Option<u64>,
    /// Whether nodes were, or are sure to be, so short that sharing them would cost more than it
    /// gives.
    pub(super) is_fine: bool,
    /// Whether it has code that may wait for another node, which no body can: however short that was once,
    /// it is not to hold up what could run beside it.
    pub(super) may_wait: bool,
    /// What tells it from other pipelines of the runtime.
    pub(super) signature: u64,
}

impl Drop for Plan {
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take() {
            spare::keep_run(kept);
        }
        if self.accesses.capacity() > 0 {
            spare::keep_plan(std::mem::take(&mut self.accesses), self.scratch.take());
        }
        let Rows { kernels, tasks } = std::mem::take(&mut self.rows);
        if kernels.capacity() > 0 {
            spare::keep_report(kernels, tasks);
        }
    }
}

impl Plan {
    /// Whether launches that were placed in turn may be placed by what was measured since.
    #[inline]
    pub(super) fn can_place_better(&self, rt: &Shared) -> bool {
        self.placed_at.is_some_and(|at| at != learned(rt))
    }

    /// What is known of a launch that ran elsewhere in the last run.
    pub(crate) fn fallbacks(&self, node: usize) -> impl Iterator<Item = &Fallback> {
        self.fell.iter().filter(move |fallback| fallback.node == node)
    }

    /// What devices had of a launch that was split in the last run.
    pub(crate) fn devices(&self, node: usize) -> impl Iterator<Item = &DeviceReport> {
        self.had.iter().filter(move |had| had.node == node)
    }

    /// Why a launch is on its device.
    pub(crate) fn reason(&self, node: usize) -> Option<&Reason> {
        let at = self.reasons.binary_search_by_key(&(node as u32), |(node, _)| *node).ok()?;
        Some(&self.reasons[at].1)
    }

    /// The allocations that are noted.
    pub(crate) fn ids(&self) -> Arc<[u64]> {
        Arc::clone(&self.ids)
    }

    /// Notes the allocations of the accesses.
    pub(super) fn note_ids(&mut self) {
        let mut ids: Vec<u64> = self.accesses.iter().map(|a| a.allocation.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        self.ids = ids.into();
    }
}

/// How much was measured on the devices of a runtime.
fn learned(rt: &Shared) -> u64 {
    rt.devices.iter().map(|device| device.learned()).sum()
}

/// Places launches on devices, where it makes a difference; else they take them in turn.
fn place(nodes: &mut [Node<'_>], plan: &mut Plan, rt: &Shared, is_told: bool) {
    (plan.reasons, plan.placed_at) = (Vec::new(), None);
    let is_apart = rt.devices.iter().any(|device| device.space().is_some());
    if rt.devices.len() < 2 || rt.options.round_robin || !is_apart {
        for node in nodes.iter_mut().filter(|_| is_told) {
            if let Work::Launch(launch) = node.work() {
                placement::as_told(launch, &rt.devices, rt.options.partitions);
            }
        }
        return;
    }
    let at = learned(rt);
    let mut placer = Placer::new(rt);
    placer.region(nodes, 0, nodes.len());
    plan.placed_at = placer.can_learn.then_some(at);
    plan.reasons = placer.reasons;
}

/// Binds what does not depend on loop variables, collects what the pipeline touches, and places
/// launches.
pub(crate) fn prepare(nodes: &mut [Node<'_>], plan: &mut Plan, rt: &Shared) -> Result<()> {
    plan.graph = None;
    let several = nodes.len() > 1;
    let in_place = rt.devices.iter().all(|device| device.space().is_none());
    let list = spare::of_plan(plan);
    let mut collect = Collect {
        touched: Touched::new(list, several),
        plan,
        deterministic: rt.options.deterministic,
        needs_ids: several,
        launches: 0,
        loops: Vec::new(),
        devices: &rt.devices,
        is_told: rt.options.partitions.is_some(),
        backends: if rt.options.round_robin { backends(rt) } else { Vec::new() },
        kernels: Vec::new(),
        is_fine: several && in_place,
        may_wait: false,
        signature: Signature::default(),
        in_place,
        lacking: rt
            .devices
            .iter()
            .any(|device| !device.info.capabilities.missing(Capabilities::OF_BODIES).is_empty()),
        whole: Whole::default(),
    };
    let (mut at, mut last_node) = (0, 0);
    while at < nodes.len() {
        collect.touched.node = at;
        last_node = at;
        let end = nodes[at].end();
        for (at, node) in nodes[at..end].iter_mut().enumerate().map(|(k, node)| (at + k, node)) {
            while collect.loops.pop_if(|around| around.end <= at).is_some() {}
            collect.node(node)?;
        }
        at = end;
    }
    let (needs_ids, is_told) = (collect.needs_ids, collect.is_told);
    let (touched, plan) = (&mut collect.touched, &mut *collect.plan);
    plan.signature = collect.signature.number();
    plan.may_wait = collect.may_wait;
    let was_fine = || several && in_place && !plan.may_wait && rt.fine.has(plan.signature);
    plan.is_fine = collect.is_fine || was_fine();
    let uses = touched.uses.iter().enumerate();
    plan.releases = uses
        .filter(|(_, used)| used.last < last_node)
        .map(|(access, used)| (used.last, access))
        .collect();
    plan.releases.sort_unstable();
    plan.users = std::mem::take(&mut touched.users);
    plan.accesses = std::mem::take(&mut touched.list);
    if needs_ids {
        plan.note_ids();
    }
    place(nodes, plan, rt, is_told);
    if is_told || !plan.reasons.is_empty() {
        for node in nodes {
            if let Work::Launch(launch) = node.work() {
                Division::check_early(launch)?;
            }
        }
    }
    plan.ready = true;
    Ok(())
}

/// The devices of each backend, which follow each other.
fn backends(rt: &Shared) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for (number, device) in rt.devices.iter().enumerate() {
        match all.last_mut() {
            Some(last) if rt.devices[last.start].key() == device.key() => last.end = number + 1,
            _ => all.push(number..number + 1),
        }
    }
    all
}

/// The device whose turn it is: backends take turns, and in each of them its devices.
fn in_turn(backends: &[Range<usize>], launch: usize) -> usize {
    let of = &backends[launch % backends.len()];
    of.start + launch / backends.len() % of.len()
}

struct Collect<'p> {
    touched: Touched,
    plan: &'p mut Plan,
    /// Whether the runtime refuses what depends on the order of work items.
    deterministic: bool,
    /// Whether the allocations are asked for: where there are host tasks, arrays that depend on loop
    /// variables, or more than one node.
    needs_ids: bool,
    /// The number of launches so far.
    launches: usize,
    devices: &'p [Arc<Device>],
    /// Whether calls, or the runtime, say where launches run or how they are split.
    is_told: bool,
    /// Where launches take turns, and there are several: the devices of each backend.
    backends: Vec<Range<usize>>,
    /// The loops around a node.
    loops: Vec<Around>,
    /// The kernels so far, as far as there are few.
    kernels: Vec<Known>,
    /// Whether all nodes so far are sure to be short.
    is_fine: bool,
    may_wait: bool,
    signature: Signature,
    /// Whether all devices use the host's memory.
    in_place: bool,
    /// Whether a device lacks something that a body may use.
    lacking: bool,
    whole: Whole,
}

/// What is the same for all launches of a kernel.
struct Known {
    kernel: &'static KernelDescriptor,
    row: usize,
    /// What an item does at most, where that is known, once it was asked.
    steps: Option<Option<usize>>,
    /// Whether all devices may run it, once that was asked.
    is_for_all: Option<bool>,
}

/// As many kernels are remembered while a pipeline is prepared.
const KNOWN: usize = 16;

impl Collect<'_> {
    #[inline]
    fn node(&mut self, node: &mut Node<'_>) -> Result<()> {
        let (kind, end) = (node.kind, node.end());
        node.is_task = matches!(node.work(), Work::Task(_));
        let mut is_fixed = false;
        match node.work() {
            Work::Launch(launch) => {
                self.launch(launch)?;
                is_fixed = !launch.lazy;
            }
            Work::Task(task) => {
                (self.is_fine, self.may_wait) = (false, true);
                self.task(task)?;
            }
            Work::Move(MoveNode { array, to, site, fault }) => {
                array.allocation.check()?;
                if let Some(fault) = fault {
                    return Err((**fault).clone());
                }
                if let Place::Device(device) | Place::AwayFrom(device) = to
                    && *device >= self.devices.len()
                {
                    return Err(Error::Range {
                        what: format!("device of the move at {site}"),
                        index: *device,
                        len: self.devices.len(),
                    });
                }
                // Whoever moves an array has it to himself among runs, so that it may leave.
                let away = matches!(to, Place::AwayFrom(_));
                self.touched.add(array, if away { Mode::Write } else { Mode::Read })?;
                is_fixed = true;
            }
            Work::For { bounds, name, site } => {
                if matches!(kind, Kind::For { level } if level as usize >= MAX_LOOPS) {
                    return Err(too_deep(site));
                }
                self.needs_ids |= matches!(bounds, Bounds::Lazy(_));
                sources(bounds.sources_mut(), &self.loops, site, || "a bound".to_owned())?;
                self.loops.push(Around { end, name: *name });
            }
            Work::If { cond, site } => {
                let operand = || "an operand of a condition".to_owned();
                sources(cond.sources_mut(), &self.loops, site, operand)?;
            }
            Work::While { cond, limit, site } => {
                let operand = || "an operand of a condition".to_owned();
                let max = || "the limit of a `while`".to_owned();
                sources([limit.source_mut()], &self.loops, site, max)?;
                // Its condition is one of its own places.
                self.loops.push(Around { end, name: 0 });
                sources(cond.sources_mut(), &self.loops, site, operand)?;
            }
            Work::Swap { a, b, site } => {
                same_shape(a, b, site)?;
                self.touched.add(a, Mode::Write)?;
                self.touched.add(b, Mode::Write)?;
                is_fixed = true;
            }
        }
        node.is_fixed = is_fixed;
        if kind == Kind::Leaf { Ok(()) } else { self.look(node) }
    }

    /// Notes what a loop or decision reads.
    #[cold]
    fn look(&mut self, node: &mut Node<'_>) -> Result<()> {
        let mut read = Ok(());
        node.work().each_cell(&mut |cell| {
            if read.is_ok() {
                read = self.touched.add(cell, Mode::Read);
            }
        });
        read
    }

    /// The row of a kernel.
    #[inline]
    fn row(&mut self, kernel: &'static KernelDescriptor) -> usize {
        if let Some(known) = self.kernels.iter().find(|known| std::ptr::eq(known.kernel, kernel)) {
            return known.row;
        }
        let row = row(&mut self.plan.rows.kernels, kernel.name);
        if self.touched.tracks && self.kernels.len() < KNOWN {
            self.kernels.push(Known { kernel, row, steps: None, is_for_all: None });
        }
        row
    }

    /// Whether a launch of so many items is sure to be short.
    #[inline]
    fn is_short(&mut self, kernel: &'static KernelDescriptor, items: usize) -> bool {
        // An item that does nothing counts as a step here.
        if !fine::is_sure(items) {
            return false;
        }
        let ask = || kernel.ir.filter(|_| kernel.implementations.is_empty()).and_then(straight);
        let steps = match self.kernels.iter_mut().find(|known| std::ptr::eq(known.kernel, kernel)) {
            Some(known) => *known.steps.get_or_insert_with(ask),
            None => ask(),
        };
        steps.is_some_and(|steps| fine::is_sure(steps.saturating_mul(items)))
    }

    /// Leaves out the devices that may not run a launch, where there are such.
    #[cold]
    fn eligible(&mut self, stage: &mut LaunchStage<'_>) -> Result<()> {
        if stage.special.is_some() || !self.is_for_all(stage.kernel) {
            check::eligible(stage, self.devices, stage.kernel.required())?;
            self.is_told |= stage.special.is_some();
        }
        Ok(())
    }

    /// Whether each device has what a kernel requires, and code of it; where there is one device, loading the
    /// kernel tells the latter.
    fn is_for_all(&mut self, kernel: &'static KernelDescriptor) -> bool {
        let (devices, lacking) = (self.devices, self.lacking || !kernel.needs.is_empty());
        let ask = || {
            let required = if lacking { kernel.required() } else { Capabilities::NONE };
            let lacks = |device: &Device| !device.info.capabilities.missing(required).is_empty();
            let has_code = |device: &Device| devices.len() == 1 || device.has_code(kernel);
            devices.iter().all(|device| !lacks(device) && has_code(device))
        };
        let mut known = self.kernels.iter_mut();
        match known.find(|known| std::ptr::eq(known.kernel, kernel)) {
            Some(known) => *known.is_for_all.get_or_insert_with(ask),
            None => ask(),
        }
    }

    fn launch(&mut self, node: &mut LaunchNode<'_>) -> Result<()> {
        let LaunchNode { stage, bound, lazy, is_plain, device, stat } = node;
        search::settle(stage);
        *stat = self.row(stage.kernel) as u32;
        self.may_wait |= stage.kernel.ir.is_none() || !stage.kernel.implementations.is_empty();
        let items = stage.space.items();
        self.signature.add(stage.kernel, items.unwrap_or(0));
        self.is_fine =
            self.is_fine && items.is_some_and(|items| self.is_short(stage.kernel, items));
        *device = if self.backends.len() > 1 {
            in_turn(&self.backends, self.launches) as u16
        } else if self.devices.len() > 1 {
            (self.launches % self.devices.len().min(usize::from(u16::MAX))) as u16
        } else {
            0
        };
        self.launches += 1;
        if let Some(special) = &stage.special {
            check::devices(stage, special, self.devices.len())?;
            self.is_told = true;
        }
        if stage.native().is_some() {
            native::eligible(stage, self.devices)?;
            // Its code is told what it may not wait for.
            (self.needs_ids, self.may_wait) = (true, true);
        } else if self.devices.len() > 1 || self.lacking || !stage.kernel.needs.is_empty() {
            self.eligible(stage)?;
        }
        if self.deterministic || stage.kernel.flags.deterministic {
            check::deterministic(stage)?;
        }
        *is_plain = self.in_place && bound.is_none() && plain::check(stage, &mut self.whole)?;
        if *is_plain {
            for (arg, param) in stage.args.iter().zip(stage.kernel.params) {
                if let BoundArg::Array(array) = arg {
                    let mode = if param.role.writes() { Mode::Write } else { Mode::Read };
                    self.touched.arg(array, mode)?;
                }
            }
            return Ok(());
        }
        *lazy = bind::is_lazy(stage);
        // How long the user's closures take nobody knows.
        if stage.args.iter().any(|arg| matches!(arg, BoundArg::LazyValue(_))) {
            (self.is_fine, self.may_wait) = (false, true);
        }
        let (kernel, site) = (stage.kernel.name, stage.site);
        let argument = || format!("an argument of kernel `{kernel}`");
        for arg in stage.args.iter_mut() {
            if let BoundArg::Variable(which, _) = arg {
                resolve(which, &self.loops, site, argument)?;
            }
            self.moves(arg, site, argument)?;
        }
        let extent = || format!("an extent of the space of kernel `{kernel}`");
        sources(stage.space.sources_mut(), &self.loops, site, extent)?;
        if let Some(cell) = stage.chosen() {
            self.touched.add(cell, Mode::Write)?;
        }
        if *lazy {
            self.needs_ids = true;
            return self.lazy_launch(stage);
        }
        if let Some(bound) = bound {
            return self.touched.launch(bound);
        }
        let fresh = Box::new(bind::bind(stage, &Env::new(), None)?);
        self.touched.launch(&fresh)?;
        *bound = Some(fresh);
        Ok(())
    }

    /// Boxes that move with a loop are held as the whole of their array.
    fn lazy_launch(&mut self, stage: &LaunchStage<'_>) -> Result<()> {
        let passed = stage.kernel.params.iter().filter(|p| !matches!(p.role, Role::Scratch(_)));
        for (param, arg) in passed.zip(stage.args.iter()) {
            let mode = if param.role.writes() { Mode::Write } else { Mode::Read };
            self.arg(arg, mode)?;
        }
        for cell in stage.space.cells() {
            self.touched.add(cell, Mode::Read)?;
        }
        Ok(())
    }

    fn task(&mut self, node: &mut TaskNode<'_>) -> Result<()> {
        node.stat = row(&mut self.plan.rows.tasks, node.name);
        self.needs_ids = true;
        for arg in &node.args {
            self.moves(arg.bound(), node.site, || format!("an argument of `{}`", node.name))?;
            self.arg(arg.bound(), if arg.writes() { Mode::Write } else { Mode::Read })?;
        }
        Ok(())
    }

    /// Refuses a box that moves with a loop which is not around its stage.
    fn moves(&self, arg: &BoundArg<'_>, site: Site, of: impl Fn() -> String) -> Result<()> {
        let BoundArg::LazyArray(array) = arg else { return Ok(()) };
        array.moves().map_or(Ok(()), |moves| resolve(&mut { moves.which }, &self.loops, site, of))
    }

    fn arg(&mut self, arg: &BoundArg<'_>, mode: Mode) -> Result<()> {
        match arg {
            BoundArg::Array(array) | BoundArg::Cell(array) => {
                array.allocation.check()?;
                self.touched.arg(array, mode)?;
            }
            BoundArg::LazyArray(array) => {
                array.within().allocation.check()?;
                self.touched.add(array.within(), mode)?;
            }
            BoundArg::Invalid(error) => return Err((**error).clone()),
            BoundArg::Value(_) | BoundArg::LazyValue(_) | BoundArg::Variable(..) => {}
        }
        Ok(())
    }
}

/// The row of a name, added if there is none.
fn row(rows: &mut Vec<StageReport>, name: &'static str) -> usize {
    if let Some(at) = rows.iter().position(|row| row.name == name) {
        return at;
    }
    if rows.is_empty() {
        // Most pipelines that are written out have one kernel.
        rows.reserve_exact(1);
    }
    rows.push(StageReport::of(name));
    rows.len() - 1
}

fn too_deep(site: &Site) -> Error {
    let what = format!(
        "a `for` inside of {MAX_LOOPS} other loops, and no more than {MAX_LOOPS} variables can be known; merge \
         two of the loops, or count in a cell"
    );
    Error::Loops { what, site }
}

fn same_shape(a: &ArrayArg, b: &ArrayArg, site: &Site) -> Result<()> {
    a.allocation.check()?;
    b.allocation.check()?;
    if a.section.shape() == b.section.shape() {
        return Ok(());
    }
    Err(Error::Shape {
        what: format!("swap at {site}"),
        expected: a.section.shape().to_vec(),
        found: b.section.shape().to_vec(),
    })
}

/// Whether every array of a lazily bound launch is one the run holds.
pub(crate) fn holds(ids: &[u64], bound: &BoundLaunch) -> bool {
    let arrays = bound.params.iter().filter_map(|param| param.array());
    arrays.into_iter().all(|(array, _)| ids.binary_search(&array.allocation.id()).is_ok())
}
