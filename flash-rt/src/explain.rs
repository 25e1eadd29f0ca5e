//! `explain()`: how a pipeline would run, for a person: devices, code paths, transfers, coverage.
//! It runs nothing and moves nothing.

mod brought;
mod dot;
mod launch;
#[cfg(test)]
mod tests;
mod trips;

use std::collections::HashSet;
use std::fmt;

use crate::Result;
use crate::engine;
use crate::lazy::Bounds;
use crate::pipeline::{Kind, MoveNode, Pipeline, Place, TaskNode, Work};
use crate::report::bytes;
use brought::{Brought, way};
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
    /// One line for each parameter: role, shape, own place, coverage, and its copies as
    /// [`Explanation::copies`] has them.
    pub params: Vec<String>,
    /// One line for each other copy that it is to have: of a cell, or that it is.
    pub copies: Vec<String>,
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
            for line in lines.chain(&stage.path).chain(&stage.params).chain(&stage.copies) {
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
    let devices = &rt.devices;
    let copied = engine::copies_of(nodes, devices);
    // The number of each node among what is shown, where `else` is a line of its own.
    let mut shown = Vec::with_capacity(nodes.len());
    let mut stages = Vec::new();
    // Where each open node ends, and where its `else` begins, if it has one.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut trips = FirstTrips::default();
    for (at, node) in nodes.iter_mut().enumerate() {
        while open.last().is_some_and(|&(end, _)| end <= at) {
            open.pop();
        }
        if open.last().is_some_and(|&(_, other)| other == at) {
            stages.push(plain("else", open.len() - 1, String::new(), String::new()));
        }
        shown.push(stages.len());
        let depth = open.len();
        if node.end() > at + 1 {
            let other = match node.kind {
                Kind::If { other } => other as usize,
                _ => node.end(),
            };
            open.push((node.end(), other));
        }
        trips.leave(at);
        trips.enter(node);
        let mut brought = Brought::new(&copied, at, (devices, trips.never()));
        let mut stage = match node.work() {
            Work::Launch(launch) => {
                let how = (&devices[..], plan.reason(at));
                let mut stage = launch::explain(launch, (depth, &trips), &mut brought, how);
                stage.fallbacks = plan.fallbacks(at).map(ToString::to_string).collect();
                stage.devices = plan.devices(at).map(ToString::to_string).collect();
                stage
            }
            Work::Task(task) => explain_task(task, depth, &mut brought),
            Work::Swap { a, site, .. } => {
                let size = bytes(a.allocation.bytes() as u64);
                plain("swap", depth, site.to_string(), format!("of {size}, not copied"))
            }
            Work::Move(MoveNode { array, to, site, .. }) => {
                let size = bytes((array.section.len() * array.allocation.elem().size) as u64);
                let name = |device: usize| devices.get(device).map_or("?", |d| d.name());
                let (what, over) = match *to {
                    Place::Host => ("move from devices", format!("of {size}, where not current")),
                    Place::Device(to) => ("move", format!("of {size} to {}", name(to))),
                    Place::AwayFrom(from) => ("evict", format!("of {size} from {}", name(from))),
                };
                plain(what, depth, site.to_string(), over)
            }
            Work::For { bounds, site, .. } => {
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
        };
        stage.copies = brought.rest();
        stages.push(stage);
    }
    let number = |at: usize| shown.get(at).copied().unwrap_or(at);
    let copies = copied.iter().map(|copied| PlannedCopy {
        stage: number(copied.node),
        writer: copied.writer.map(number),
        name: copied.name(),
        way: way(copied.route, devices),
        bytes: copied.bytes,
        later_trips: copied.is_later,
    });
    let copies = copies.collect();
    // A task may wait for another one for its turn and for its data.
    let mut seen = HashSet::with_capacity(edges.len());
    let edges = edges.into_iter().filter(|edge| seen.insert(*edge));
    let order =
        edges.map(|(first, then, trips)| Order { first: number(first), then: number(then), trips });
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
        copies: Vec::new(),
    }
}

fn explain_task(task: &TaskNode<'_>, depth: usize, brought: &mut Brought<'_>) -> Explained {
    let mut stage = plain(task.name, depth, task.site.to_string(), "host task".to_owned());
    let names = task.args.iter().map(|arg| {
        let role = match (arg.reads(), arg.writes()) {
            (false, _) => "written",
            (true, false) => "read",
            (true, true) => "read and written",
        };
        format!("{}: {role} in host memory{}", arg.name(), brought.of(arg.name(), None))
    });
    stage.params = names.collect();
    stage
}
