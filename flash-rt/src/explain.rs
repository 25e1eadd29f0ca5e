//! `explain()`: how a pipeline would run, for a person: devices, code paths, transfers, coverage.
//! It runs nothing and moves nothing.

use std::fmt;

use flash_ir::ir::ReduceOp;

use crate::Result;
use crate::descriptor::{Component, KernelDescriptor, ParamDescriptor, Role};
use crate::device::Device;
use crate::engine::{self, BoundLaunch, BoundParam};
use crate::env::Env;
use crate::footprint;
use crate::pipeline::{LaunchNode, Node, Pipeline, TaskNode};
use crate::report::bytes;

/// How a pipeline would run. Its `Display` is for a person.
#[derive(Clone, Debug)]
pub struct Explanation {
    stages: Vec<Explained>,
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
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, stage) in self.stages.iter().enumerate() {
            let margin = "    ".repeat(stage.depth);
            write!(f, "{margin}{k}: {} {}", stage.name, stage.over)?;
            if let Some(device) = &stage.device {
                write!(f, " on {device}")?;
            }
            writeln!(f, "  ({})", stage.site)?;
            for line in stage.path.iter().chain(&stage.params) {
                writeln!(f, "{margin}      {line}")?;
            }
        }
        Ok(())
    }
}

/// Explains a pipeline.
pub(crate) fn explain(pipeline: &mut Pipeline<'_>) -> Result<Explanation> {
    engine::prepare(pipeline)?;
    let mut stages = Vec::new();
    let mut cursor = 0;
    for node in &pipeline.nodes {
        visit(node, 0, pipeline, &mut cursor, &mut stages);
    }
    Ok(Explanation { stages })
}

fn visit(
    node: &Node<'_>,
    depth: usize,
    pipeline: &Pipeline<'_>,
    cursor: &mut usize,
    stages: &mut Vec<Explained>,
) {
    match node {
        Node::Launch(launch) => {
            let devices = &pipeline.rt.devices;
            stages.push(explain_launch(launch, depth, &devices[*cursor % devices.len()]));
            *cursor += 1;
        }
        Node::Task(task) => stages.push(explain_task(task, depth)),
        Node::For { bounds, site, body } => {
            let bounds = match bounds {
                crate::lazy::Bounds::Fixed(trips) => format!("{} trips", trips.count),
                crate::lazy::Bounds::Lazy(_) => "bounds known when it is entered".to_owned(),
            };
            stages.push(plain("for", depth, site.to_string(), bounds));
            for node in body {
                visit(node, depth + 1, pipeline, cursor, stages);
            }
        }
        Node::Swap { a, site, .. } => {
            let size = bytes(a.allocation.bytes() as u64);
            stages.push(plain("swap", depth, site.to_string(), format!("of {size}, not copied")));
        }
    }
}

fn plain(name: &str, depth: usize, site: String, over: String) -> Explained {
    let (device, path, params) = (None, Vec::new(), Vec::new());
    Explained { depth, name: name.to_owned(), site, device, path, over, params }
}

fn explain_task(task: &TaskNode<'_>, depth: usize) -> Explained {
    let names = task.args.iter().map(|arg| {
        let role = if arg.writes() { "read and written" } else { "read" };
        format!("{}: {role} in host memory", arg.name())
    });
    let mut stage = plain(task.name, depth, task.site.to_string(), "host task".to_owned());
    stage.params = names.collect();
    stage
}

fn explain_launch(launch: &LaunchNode<'_>, depth: usize, device: &Device) -> Explained {
    let kernel = launch.stage.kernel;
    // A launch that depends on loop variables is shown as it is in the first iteration.
    let fresh = match &launch.bound {
        Some(_) => None,
        None => engine::bind_for(&launch.stage, &Env::new()).ok(),
    };
    let bound = launch.bound.as_ref().or(fresh.as_ref());
    let over = match bound {
        Some(bound) if launch.lazy => format!("over {:?} at first", bound.space.extents()),
        Some(bound) => format!("over {:?}", bound.space.extents()),
        None => "over a space known at dispatch".to_owned(),
    };
    let mut path = vec![device.backend.path(device.ordinal, kernel)];
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
        Some(bound) => kernel
            .params
            .iter()
            .enumerate()
            .map(|(k, param)| explain_param((k, param), kernel, bound, device))
            .collect(),
        None => Vec::new(),
    };
    Explained {
        depth,
        name: kernel.name.to_owned(),
        site: launch.stage.site.to_string(),
        device: Some(device.name().to_owned()),
        path,
        over,
        params,
    }
}

fn explain_param(
    (k, param): (usize, &ParamDescriptor),
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
            let n = crate::entry::reduction::n_blocks(&bound.space);
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
            if let Some(space) = device.space() {
                let images = array.allocation.images();
                let there = images.is_valid(space, &array.section);
                drop(images);
                text.push_str(match (use_.reads, there) {
                    (false, _) => ", no upload",
                    (true, true) => ", already on the device",
                    (true, false) => ", uploaded",
                });
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
