//! What is said of a launch: its index space, its device and why, how that runs it, and each of its
//! parameters.

use std::sync::Arc;

use flash_ir::ir::ReduceOp;

use super::Explained;
use super::brought::Brought;
use super::trips::{FirstTrips, asked};
use crate::arg::{ArrayArg, BoundArg};
use crate::descriptor::{Component, KernelDescriptor, ParamDescriptor, Role};
use crate::device::Device;
use crate::engine::{self, BoundLaunch, BoundParam, Reason};
use crate::env::Env;
use crate::footprint;
use crate::pipeline::LaunchNode;
use crate::report::bytes;
use crate::search;
use crate::space_source::SpaceSource;
use crate::stage::LaunchStage;

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

pub(super) fn explain(
    launch: &LaunchNode<'_>,
    (depth, trips): (usize, &FirstTrips),
    brought: &mut Brought<'_>,
    (devices, reason): (&[Arc<Device>], Option<&Reason>),
) -> Explained {
    let kernel = launch.stage.kernel;
    let device = &devices[usize::from(launch.device)];
    // One that depends on loop variables was bound for the trip that ran last.
    let kept = launch.bound.as_deref().filter(|_| !launch.lazy);
    let env = if launch.lazy { trips.env() } else { Some(Env::new()) };
    // Cells may be written at this moment.
    let reads_cells = launch.stage.space.cells().next().is_some();
    let env = env.filter(|_| kept.is_none() && !reads_cells);
    let fresh = env.and_then(|env| asked(|| engine::bind_for(&launch.stage, &env)));
    let bound = kept.or(fresh.as_ref());
    let over = match bound {
        Some(bound) if launch.lazy => format!("over {:?} at first", bound.space.extents()),
        Some(bound) => over(bound, &launch.stage.space),
        None => match launch.stage.space.fixed() {
            Some(Ok(space)) => format!("over {:?}", space.extents()),
            _ if reads_cells => "over a space known at dispatch".to_owned(),
            _ => "over a space by loop".to_owned(),
        },
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
            let given = asked(|| Ok(engine::given_texts(&launch.stage, bound))).unwrap_or_default();
            let params = kernel.params.iter().enumerate();
            let about = |(k, param): (usize, &ParamDescriptor)| {
                let given = given.get(k).map_or("", String::as_str);
                // Copies for what depends on loop variables are planned by its role.
                let reads = launch.lazy.then(|| param.role.reads());
                explain_param((k, param, given), (kernel, bound), reads, device, brought)
            };
            params.map(about).collect()
        }
        None => unbound_params(&launch.stage, device, brought),
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
        copies: Vec::new(),
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
    let whole = split.zip(known);
    let whole = whole.and_then(|(split, b)| asked(|| Ok(engine::whole(&launch.stage, b, split)))?);
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

/// What is said of a parameter, and the copies for it; `reads` is whether those count it as read,
/// where that is not as it is bound.
fn explain_param(
    (k, param, given): (usize, &ParamDescriptor, &str),
    (kernel, bound): (&'static KernelDescriptor, &BoundLaunch),
    reads: Option<bool>,
    device: &Device,
    brought: &mut Brought<'_>,
) -> String {
    let name = param.name;
    match &bound.params[k] {
        BoundParam::Held | BoundParam::Value(_) => format!("{name}: value"),
        BoundParam::Cell(_) => format!("{name}: value of a cell, read at dispatch"),
        BoundParam::Scratch { len, .. } => {
            format!("{name}: scratch of {}, zeroed", bytes((len * param.elem.size()) as u64))
        }
        BoundParam::Reduce { op, into, .. } => {
            let n = bound.n_partials();
            let results = if n == 1 { "result" } else { "results" };
            format!("{name}: {}, {n} partial {results}", reduction(*op, *into))
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
            let size = array.section.len() * array.allocation.elem().size;
            text.push_str(&copies(name, size, reads.unwrap_or(use_.reads), device, brought));
            if let Some(space) = device.space() {
                let taken = array.allocation.images().memories(space);
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

/// What is copied for an array that is shown with its bytes.
fn copies(
    name: &str,
    size: usize,
    reads: bool,
    device: &Device,
    brought: &mut Brought<'_>,
) -> String {
    let text = brought.of(name, Some(size as u64));
    if !text.is_empty() || device.space().is_none() || brought.never {
        return text;
    }
    if reads { ", already on the device" } else { ", no upload" }.to_owned()
}

fn reduction(op: ReduceOp, into: bool) -> String {
    let from = if into { "into what is there" } else { "from its identity" };
    let op = match op {
        ReduceOp::Add => "+",
        ReduceOp::Mul => "*",
        ReduceOp::Min => "min",
        ReduceOp::Max => "max",
        ReduceOp::And => "&",
        ReduceOp::Or => "|",
        ReduceOp::Xor => "^",
    };
    format!("reduction by {op} {from}")
}

/// What can be said of the parameters of a launch that is not bound.
fn unbound_params(
    stage: &LaunchStage<'_>,
    device: &Device,
    brought: &mut Brought<'_>,
) -> Vec<String> {
    let mut args = stage.args.iter();
    let about = |param: &ParamDescriptor| {
        let name = param.name;
        if matches!(param.role, Role::Scratch(_)) {
            return format!("{name}: scratch, zeroed");
        }
        let role = match (param.role, args.next()) {
            (Role::Value, Some(BoundArg::LazyValue(_) | BoundArg::Variable(..))) => {
                return format!("{name}: value by loop");
            }
            (Role::Value, Some(BoundArg::Cell(_))) => {
                return format!("{name}: value of a cell, read at dispatch");
            }
            (Role::Value, _) => return format!("{name}: value"),
            (Role::Reduce { op, into }, _) => return format!("{name}: {}", reduction(op, into)),
            (role, Some(BoundArg::Array(array))) => (role, array.array(), ""),
            (role, Some(BoundArg::LazyArray(array))) => {
                (role, array.within().clone(), "a box by loop of ")
            }
            (_, _) => return name.to_owned(),
        };
        let (role, ArrayArg { allocation, section }, which) = role;
        let how = match role {
            Role::In => "read",
            Role::Atomic => "shared, atomic",
            Role::Out => "written",
            Role::OutPartial => "written in part",
            _ => "read and written",
        };
        let size = section.len() * allocation.elem().size;
        let copies = copies(name, size, role.reads(), device, brought);
        format!("{name}: {how}, {which}{:?} ({}){copies}", section.shape(), bytes(size as u64))
    };
    stage.kernel.params.iter().map(about).collect()
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
