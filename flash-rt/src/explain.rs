//! `explain()`: how a pipeline would run, for a person: devices, code paths, transfers, coverage.
//! It runs nothing and moves nothing.

#[cfg(test)]
mod tests;
mod trips;

use std::fmt;
use std::sync::Arc;

use flash_ir::ir::ReduceOp;

use crate::Result;
use crate::descriptor::{Component, KernelDescriptor, ParamDescriptor, Role};
use crate::device::Device;
use crate::engine::{self, BoundLaunch, BoundParam, Reason, Route};
use crate::env::Env;
use crate::footprint;
use crate::lazy::Bounds;
use crate::pipeline::{Kind, LaunchNode, MoveNode, Pipeline, Place, TaskNode, Work};
use crate::report::bytes;
use crate::search;
use crate::space_source::SpaceSource;
use crate::stage::LaunchStage;
use trips::FirstTrips;

/// How a pipeline would run. Its `Display` is for a person.
///
/// ```
/// # use flash_rt::{Buffer, NoBackends, Runtime, Task};
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut x = Buffer::from(vec![1_u32, 2]);
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("set", (&mut x,), |(mut x,)| x[[1]] = 5));
/// pipeline.push(Task::new("look", (&x,), |(x,)| assert_eq!(x[[1]], 5)));
/// let how = pipeline.explain()?;
/// assert_eq!((how.stages()[1].name.as_str(), how.order()[0].first, how.order()[0].then), ("look", 0, 1));
/// assert!(how.dot().starts_with("digraph") && how.copies().is_empty());
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    stages: Vec<Explained>,
    order: Vec<Order>,
    copies: Vec<PlannedCopy>,
}

/// A copy that a stage is to have before it begins, as far as that can be said before: what is
/// copied to make room is not among them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedCopy {
    /// The number of the stage it is for.
    pub stage: usize,
    /// The number of the stage that wrote the array last, if one of this pipeline did.
    pub writer: Option<usize>,
    /// What traces call it: `upload x`, `download x`, or `move x` for both halves of the way from one
    /// device to another.
    pub name: String,
    /// `to` a device or `from` one, with its name.
    pub way: String,
    /// How many bytes.
    pub bytes: u64,
    /// Whether it is made in later trips of the loop around it only.
    pub later_trips: bool,
}

/// Why two stages do not run at once: the second one waits for the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Order {
    /// The number of the stage that comes first.
    pub first: usize,
    /// The number of the stage that waits.
    pub then: usize,
    /// How many trips later it waits, of the loop around both.
    pub trips: u32,
}

/// One node of a pipeline.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explained {
    /// Number of enclosing loops.
    pub depth: usize,
    /// The kernel, the task, `for` or `swap`.
    pub name: String,
    /// Where it was written.
    pub site: String,
    /// The device, for a kernel.
    pub device: Option<String>,
    /// Why it is that one, in numbers, where there are several: for each device when the launch
    /// would end, from when the device is free, when the data are there and how long it runs.
    pub placed: Option<String>,
    /// The devices that may not run it, and why: the call, a capability, no code.
    pub left_out: Vec<String>,
    /// On which other devices it ran in the last run, and why.
    pub fallbacks: Vec<String>,
    /// What each device had of it in the last run, where it was split.
    pub devices: Vec<String>,
    /// How the device runs it: instruction set, path, and why not the fast one.
    pub path: Vec<String>,
    /// The index space, bounds or arguments.
    pub over: String,
    /// One line for each parameter: role, shape, own place, coverage, transfers.
    pub params: Vec<String>,
}

impl Explanation {
    /// The nodes in program order, loops before their bodies.
    pub fn stages(&self) -> &[Explained] {
        &self.stages
    }

    /// Which stages wait for which, of those that stand in the same loop or branch. A loop waits
    /// for what anything inside of it needs.
    pub fn order(&self) -> &[Order] {
        &self.order
    }

    /// The copies that stages are to have before they begin, in program order, from where data are
    /// now.
    pub fn copies(&self) -> &[PlannedCopy] {
        &self.copies
    }

    /// The stages, their order and the copies between them, by the names that traces have for them,
    /// as a graph for Graphviz: `dot -Tsvg`. What is dashed is of later trips.
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph pipeline {\n    node [shape=box];\n");
        for (k, stage) in self.stages.iter().enumerate() {
            let shape = match &stage.device {
                Some(device) => format!("\\n{device}\" color=blue"),
                None => "\"".to_owned(),
            };
            let over = stage.over.replace('"', "'");
            text.push_str(&format!("    n{k} [label=\"{k}: {} {over}{shape}];\n", stage.name));
        }
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (k, stage) in self.stages.iter().enumerate() {
            while open.last().is_some_and(|&(_, depth)| depth >= stage.depth) {
                open.pop();
            }
            if let Some((around, _)) = open.last() {
                text.push_str(&format!("    n{around} -> n{k} [style=dotted arrowhead=none];\n"));
            }
            open.push((k, stage.depth));
        }
        for Order { first, then, trips } in &self.order {
            let style = if *trips > 0 { " [style=dashed constraint=false]" } else { "" };
            text.push_str(&format!("    n{first} -> n{then}{style};\n"));
        }
        for (k, copy) in self.copies.iter().enumerate() {
            let PlannedCopy { stage, name, way, bytes: size, .. } = copy;
            let (style, size) = (if copy.later_trips { " style=dashed" } else { "" }, bytes(*size));
            let way = way.replace('"', "'");
            text.push_str(&format!(
                "    c{k} [label=\"{name}\\n{size} {way}\" shape=ellipse{style}];\n    c{k} -> n{stage};\n"
            ));
            // One that comes later in the program wrote it in the trip before.
            if let Some(writer) = copy.writer {
                let style = if writer < *stage { "" } else { " [style=dashed constraint=false]" };
                text.push_str(&format!("    n{writer} -> c{k}{style};\n"));
            }
        }
        text.push_str("}\n");
        text
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, stage) in self.stages.iter().enumerate() {
            let margin = "    ".repeat(stage.depth);
            write!(f, "{margin}{k}: {} {}", stage.name, stage.over)?;
            if let Some(device) = &stage.device {
                write!(f, " on {device}")?;
            }
            if stage.site.is_empty() {
                writeln!(f)?;
            } else {
                writeln!(f, "  ({})", stage.site)?;
            }
            let lines = stage.placed.iter().chain(&stage.left_out).chain(&stage.fallbacks);
            let lines = lines.chain(&stage.devices);
            for line in lines.chain(&stage.path).chain(&stage.params) {
                writeln!(f, "{margin}      {line}")?;
            }
            let waits = self.order.iter().filter(|order| order.then == k).map(|order| {
                let trip = match order.trips {
                    0 => String::new(),
                    1 => " (of the trip before)".to_owned(),
                    trips => format!(" (of {trips} trips before)"),
                };
                format!("{}{trip}", order.first)
            });
            let waits: Vec<String> = waits.collect();
            if !waits.is_empty() {
                writeln!(f, "{margin}      after {}", waits.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Explains a pipeline.
pub(crate) fn explain(pipeline: &mut Pipeline<'_>) -> Result<Explanation> {
    let edges = engine::edges(pipeline)?;
    let Pipeline { rt, nodes, plan, .. } = pipeline;
    // The number of each node among what is shown, where `else` is a line of its own.
    let mut shown = Vec::with_capacity(nodes.len());
    let mut stages = Vec::new();
    // Where each open node ends.
    let mut open: Vec<usize> = Vec::new();
    let mut other = usize::MAX;
    let mut trips = FirstTrips::default();
    for (at, node) in nodes.iter_mut().enumerate() {
        trips.leave(at);
        while open.last().is_some_and(|&end| end <= at) {
            open.pop();
        }
        if at == other {
            let depth = open.len().saturating_sub(1);
            stages.push(plain("else", depth, String::new(), String::new()));
        }
        shown.push(stages.len());
        let depth = open.len();
        if node.end() > at + 1 {
            open.push(node.end());
        }
        let (end, is_signed) = (node.end(), node.is_signed);
        if let Kind::If { other: next } = node.kind {
            let next = next as usize;
            other = if next < node.end() { next } else { other };
        }
        stages.push(match node.work() {
            Work::Launch(launch) => {
                let mut stage =
                    explain_launch(launch, depth, &trips, (&rt.devices, plan.reason(at)));
                stage.fallbacks = plan.fallbacks(at).map(ToString::to_string).collect();
                stage.devices = plan.devices(at).map(ToString::to_string).collect();
                stage
            }
            Work::Task(task) => explain_task(task, depth),
            Work::Swap { a, site, .. } => {
                let size = bytes(a.allocation.bytes() as u64);
                plain("swap", depth, site.to_string(), format!("of {size}, not copied"))
            }
            Work::Move(MoveNode { array, to, site, .. }) => {
                let size = bytes((array.section.len() * array.allocation.elem().size) as u64);
                let name = |device: usize| rt.devices.get(device).map_or("?", |d| d.name());
                let (what, over) = match *to {
                    Place::Host => ("move from devices", format!("of {size}, where not current")),
                    Place::Device(to) => ("move", format!("of {size} to {}", name(to))),
                    Place::AwayFrom(from) => ("evict", format!("of {size} from {}", name(from))),
                };
                plain(what, depth, site.to_string(), over)
            }
            Work::For { bounds, name, site } => {
                trips.enter((bounds, *name, is_signed), end);
                let bounds = match bounds {
                    Bounds::Fixed(trips) => format!("{} trips", trips.count),
                    Bounds::Lazy(_) | Bounds::Cells(..) => {
                        "bounds known when it is entered".to_owned()
                    }
                };
                plain("for", depth, site.to_string(), bounds)
            }
            Work::If { cond, site } => plain("if", depth, site.to_string(), format!("{cond:?}")),
            Work::While { cond, limit, site } => {
                let over = format!("{cond:?}, max {limit:?}");
                plain("while", depth, site.to_string(), over)
            }
        });
    }
    let number = |at: usize| shown.get(at).copied().unwrap_or(at);
    let copies = engine::copies_of(nodes, &rt.devices).into_iter().map(|copied| {
        let name = |device: usize| rt.devices.get(device).map_or("?", |device| device.name());
        PlannedCopy {
            stage: number(copied.node),
            writer: copied.writer.map(number),
            name: copied.name,
            way: match copied.route {
                Route::To(device) => format!("to {}", name(device)),
                Route::From(device) => format!("from {}", name(device)),
                Route::Between(from, to) => format!("from {} to {}", name(from), name(to)),
            },
            bytes: copied.bytes,
            later_trips: copied.is_later,
        }
    });
    let copies = copies.collect();
    let order = edges.into_iter().map(|(first, then, trips)| Order {
        first: number(first),
        then: number(then),
        trips,
    });
    Ok(Explanation { stages, order: order.collect(), copies })
}

fn plain(name: &str, depth: usize, site: String, over: String) -> Explained {
    let (device, path, params) = (None, Vec::new(), Vec::new());
    Explained {
        depth,
        name: name.to_owned(),
        site,
        device,
        placed: None,
        left_out: Vec::new(),
        fallbacks: Vec::new(),
        devices: Vec::new(),
        path,
        over,
        params,
    }
}

fn explain_task(task: &TaskNode<'_>, depth: usize) -> Explained {
    let names = task.args.iter().map(|arg| {
        let role = match (arg.reads(), arg.writes()) {
            (false, _) => "written",
            (true, false) => "read",
            (true, true) => "read and written",
        };
        format!("{}: {role} in host memory", arg.name())
    });
    let mut stage = plain(task.name, depth, task.site.to_string(), "host task".to_owned());
    stage.params = names.collect();
    stage
}

/// The index space, with its ids where those are not positions, and its phases.
fn over(bound: &BoundLaunch, space: &SpaceSource<'_>) -> String {
    match &bound.phases {
        None => format!("over {:?}", bound.space.extents()),
        Some(phases) => {
            let n = phases.len();
            let s = if n == 1 { "" } else { "s" };
            format!("over {space:?} in {n} phase{s} of at most {:?}", phases.spread().extents())
        }
    }
}

fn explain_launch(
    launch: &LaunchNode<'_>,
    depth: usize,
    trips: &FirstTrips,
    (devices, reason): (&[Arc<Device>], Option<&Reason>),
) -> Explained {
    let kernel = launch.stage.kernel;
    let device = &devices[usize::from(launch.device)];
    // One that depends on loop variables was bound for the trip that ran last.
    let kept = launch.bound.as_deref().filter(|_| !launch.lazy);
    let env = if launch.lazy { trips.env() } else { Some(Env::new()) };
    // Cells may be written at this moment.
    let is_open = kept.is_none() && launch.stage.space.cells().next().is_none();
    let fresh = env.filter(|_| is_open).and_then(|env| engine::bind_for(&launch.stage, &env).ok());
    let bound = kept.or(fresh.as_ref());
    let over = match bound {
        Some(bound) if launch.lazy => format!("over {:?} at first", bound.space.extents()),
        Some(bound) => over(bound, &launch.stage.space),
        None => "over a space known at dispatch".to_owned(),
    };
    let mut path = vec![match launch.stage.native() {
        Some(codes) => format!("native node, with code for {}", codes.list()),
        None => device.backend.path(device.ordinal, kernel),
    }];
    if let (Some(geometry), Some(bound)) = (launch.stage.geometry(), bound) {
        path.push(geometry.text(bound.spread(), &device.info));
    }
    path.extend(search::explained(kernel, device.key()));
    path.extend(kernel.slow.iter().map(|site| {
        format!(
            "`{}` at {}:{} takes the checked path: {}",
            site.param, kernel.file, site.line, site.why
        )
    }));
    // What interprets or translates a kernel does not run what rustc made of it.
    if kernel.unoptimised && device.space().is_none() {
        path.push("compiled without optimisation; see `[profile.dev] opt-level`".to_owned());
    }
    let params = match bound {
        Some(bound) => {
            let given = engine::given_texts(&launch.stage, bound);
            let params = kernel.params.iter().zip(&given).enumerate();
            params.map(|(k, param)| explain_param((k, param), kernel, bound, device)).collect()
        }
        None => Vec::new(),
    };
    Explained {
        depth,
        name: kernel.name.to_owned(),
        site: launch.stage.site.to_string(),
        device: Some(device.name().to_owned()),
        placed: placed(launch, bound, (devices, reason)),
        left_out: left_out(&launch.stage, devices),
        fallbacks: Vec::new(),
        devices: Vec::new(),
        path,
        over,
        params,
    }
}

/// Why it is on its device, or on several; `None` where there is one and nothing was said.
fn placed(
    launch: &LaunchNode<'_>,
    bound: Option<&BoundLaunch>,
    (devices, reason): (&[Arc<Device>], Option<&Reason>),
) -> Option<String> {
    let kernel = launch.stage.kernel;
    let split = launch.stage.special.as_ref().and_then(|special| special.split.as_ref());
    let known = bound.filter(|bound| !bound.cells);
    let whole = split.zip(known).and_then(|(split, b)| engine::whole(&launch.stage, b, split));
    if let Some(whole) = whole {
        return Some(whole.text(kernel, devices));
    }
    let told = || split.map(|split| Reason::Told(split.clone()));
    let reason = reason.cloned().or_else(told);
    let reason = reason.or((devices.len() > 1).then_some(Reason::InTurn))?;
    Some(reason.text(kernel, devices))
}

/// The devices that may not run a launch, and why.
fn left_out(stage: &LaunchStage<'_>, devices: &[Arc<Device>]) -> Vec<String> {
    let (kernel, Some(special)) = (stage.kernel, &stage.special) else { return Vec::new() };
    let required = kernel.required();
    let pinned = |to: usize| devices.get(to).map_or("?", |device| device.name());
    let out = devices.iter().enumerate().filter(|(k, _)| !special.allows(*k));
    let said = out.map(|(k, device)| {
        let lacks = device.info.capabilities.missing(required);
        let why = match special.pin {
            Some(to) if to != k => format!("the call is pinned to {}", pinned(to)),
            _ if special.exclude.contains(&k) => "the call excludes it".to_owned(),
            _ if special.native.is_some() => "the native node has no code for it".to_owned(),
            _ if lacks.is_empty() => {
                let path = device.backend.path(device.ordinal, kernel);
                format!("it has no code of the kernel: {path}")
            }
            _ => format!("it has no {lacks}"),
        };
        format!("not on {}: {why}", device.name())
    });
    said.collect()
}

fn explain_param(
    (k, (param, given)): (usize, (&ParamDescriptor, &String)),
    kernel: &'static KernelDescriptor,
    bound: &BoundLaunch,
    device: &Device,
) -> String {
    let name = param.name;
    match &bound.params[k] {
        BoundParam::Held | BoundParam::Value(_) => format!("{name}: value"),
        BoundParam::Cell(_) => format!("{name}: value of a cell, read at dispatch"),
        BoundParam::Scratch { len, .. } => {
            format!("{name}: scratch of {}, zeroed", bytes((len * param.elem.size()) as u64))
        }
        BoundParam::Reduce { op, into, .. } => {
            let from = if *into { "into what is there" } else { "from its identity" };
            let n = bound.n_partials();
            let op = match op {
                ReduceOp::Add => "+",
                ReduceOp::Mul => "*",
                ReduceOp::Min => "min",
                ReduceOp::Max => "max",
                ReduceOp::And => "&",
                ReduceOp::Or => "|",
                ReduceOp::Xor => "^",
            };
            let results = if n == 1 { "result" } else { "results" };
            format!("{name}: reduction by {op} {from}, {n} partial {results}")
        }
        BoundParam::Array { array, use_ } => {
            let size = bytes((array.section.len() * array.allocation.elem().size) as u64);
            let role = match (param.role, use_.full) {
                (Role::In, _) => "read",
                (Role::Atomic, _) => "shared, atomic",
                (Role::Out, true) => "written, full",
                (Role::Out, false) => "written, partial",
                (Role::OutPartial, _) => "written in part",
                _ => "read and written",
            };
            let mut text = format!("{name}: {role}, {:?} ({size})", array.section.shape());
            if param.raw {
                text.push_str(", reached by `unsafe` code");
            } else if !param.own.is_empty() {
                text.push_str(&format!(", own place {}", place(param.own)));
            }
            text.push_str(&footprint::reached(kernel, bound, k));
            text.push_str(given);
            if let Some(space) = device.space() {
                let images = array.allocation.images();
                let there = images.is_valid(space, &array.section);
                let taken = images.memories(space);
                drop(images);
                text.push_str(match (use_.reads, there) {
                    (false, _) => ", no upload",
                    (true, true) => ", already on the device",
                    (true, false) => ", uploaded",
                });
                // What overwrites all of it may take other memory, and may have.
                let whole = array.section.len() == array.allocation.len();
                if taken > 1 {
                    text.push_str(&format!(", in {taken} of up to {} memories", device.copies()));
                } else if device.copies() > 1 && !use_.reads && whole {
                    text.push_str(&format!(", in up to {} memories", device.copies()));
                }
            }
            text
        }
    }
}

/// `[id 1, id 0, any]`
fn place(own: &[Component]) -> String {
    let parts: Vec<String> = own
        .iter()
        .map(|component| match component {
            Component::Id { dim, .. } => format!("id {dim}"),
            Component::Free => "any".to_owned(),
        })
        .collect();
    format!("[{}]", parts.join(", "))
}
