//! Host tasks before they run: their arrays current in host memory, their slots, and whether what
//! follows can run beside them. When they run is the driver's decision.

use std::sync::Arc;

use super::lane::Lane;
use super::{dispatch, moved_away};
use crate::access::{Access, Mode};
use crate::arg::{ArrayArg, BoundArg};
use crate::descriptor::Role;
use crate::entry::{ArraySlot, Slot, Tag};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::pipeline::{LaunchNode, Node, TaskNode};

/// A task that is ready to run.
pub(super) struct Bound {
    pub(super) slots: Vec<Slot>,
    pub(super) accesses: Vec<Access>,
    /// Bytes of its arrays.
    pub(super) bytes: u64,
}

/// Makes the arrays of a task current on the host and binds them. `ids` are the allocations that
/// the run holds.
pub(super) fn bind<'scope, 'a: 'scope>(
    node: &TaskNode<'a>,
    env: &Env,
    ids: &[u64],
    lane: &mut Lane<'scope, '_, 'a>,
) -> Result<Bound> {
    let mut slots = Vec::with_capacity(node.args.len());
    let mut accesses = Vec::with_capacity(node.args.len());
    let mut bytes = 0;
    for arg in &node.args {
        let array = task_array(node.name, arg.bound(), env)?;
        if ids.binary_search(&array.allocation.id()).is_err() {
            return Err(moved_away(node.name));
        }
        let writes = arg.writes();
        // Tasks before this one on the lane are done when it starts; only what the driver itself
        // does here has to wait for them.
        if array.allocation.has_images() {
            lane.clear(&array, writes)?;
            array.allocation.to_host(&array.section)?;
            if writes {
                array.allocation.host_wrote(&array.section);
            }
        }
        slots.push(host_slot(&array, if writes { Tag::Own } else { Tag::Input })?);
        bytes += (array.section.len() * array.allocation.elem().size) as u64;
        let mode = if writes { Mode::Write } else { Mode::Read };
        accesses.push(Access { allocation: array.allocation, section: array.section, mode });
    }
    aliased(node, &accesses)?;
    Ok(Bound { slots, accesses, bytes })
}

/// Whether a node has to wait for a task that touches `accesses`. What depends on loop variables
/// counts as the whole it lies in.
pub(super) fn conflict(accesses: &[Access], node: &Node<'_>) -> bool {
    let touches = |array: &ArrayArg, writes: bool| {
        accesses.iter().any(|access| {
            (writes || access.mode == Mode::Write)
                && Arc::ptr_eq(&access.allocation, &array.allocation)
                && access.section.overlaps(&array.section)
        })
    };
    let uses = |arg: &BoundArg<'_>, writes: bool| match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => touches(array, writes),
        BoundArg::LazyArray(array) => touches(array.within(), writes),
        BoundArg::Value(_) | BoundArg::LazyValue(_) | BoundArg::Invalid(_) => false,
    };
    match node {
        Node::Launch(LaunchNode { stage, .. }) => {
            let passed = stage.kernel.params.iter().filter(|p| !matches!(p.role, Role::Scratch(_)));
            passed.zip(&stage.args).any(|(param, arg)| uses(arg, param.role.writes()))
        }
        // It would only queue behind the task.
        Node::Task(_) => true,
        Node::For { body, .. } => body.first().is_some_and(|first| conflict(accesses, first)),
        Node::Swap { a, b, .. } => touches(a, true) || touches(b, true),
    }
}

/// The array a task gets in these loop iterations.
fn task_array(task: &'static str, arg: &BoundArg<'_>, env: &Env) -> Result<ArrayArg> {
    match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => Ok(array.clone()),
        BoundArg::LazyArray(array) => array.resolve(env),
        BoundArg::Invalid(error) => Err((**error).clone()),
        BoundArg::Value(_) | BoundArg::LazyValue(_) => Err(Error::Shape {
            what: format!("an array argument of host task `{task}`"),
            expected: vec![1],
            found: Vec::new(),
        }),
    }
}

/// A box in host memory.
fn host_slot(array: &ArrayArg, tag: Tag) -> Result<Slot> {
    let section = &array.section;
    let mut slot = Slot { tag, elem: array.elem(), array: ArraySlot::empty() };
    slot.array.rank = section.rank() as u8;
    for d in 0..section.rank() {
        slot.array.held[d] = section.shape()[d];
        slot.array.shape[d] = section.shape()[d];
        // A stride is at most the length of an allocation, which fits an `isize`.
        slot.array.stride[d] = section.stride()[d] as isize;
    }
    slot.array.base = dispatch::host_address(array)?;
    Ok(slot)
}

/// What a task writes overlaps nothing else it touches.
fn aliased(node: &TaskNode<'_>, accesses: &[Access]) -> Result<()> {
    for (k, access) in accesses.iter().enumerate() {
        for (l, other) in accesses.iter().enumerate().skip(k + 1) {
            if access.conflicts(other) {
                let (written, other) = if access.mode == Mode::Write { (k, l) } else { (l, k) };
                return Err(Error::Aliased {
                    kernel: node.name,
                    site: node.site,
                    written: node.args[written].name(),
                    other: node.args[other].name(),
                });
            }
        }
    }
    Ok(())
}
