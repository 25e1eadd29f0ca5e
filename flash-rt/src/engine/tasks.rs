//! Host tasks before they run: their arrays current in host memory, and their slots.

use std::sync::Arc;

use super::{dispatch, moved_away};
use crate::access::{Access, Mode};
use crate::arg::{ArrayArg, BoundArg};
use crate::device::Pin;
use crate::entry::{ArraySlot, Slot, Tag};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::ledger::in_fragment;
use crate::pipeline::TaskNode;

/// A task that is ready to run.
pub(super) struct Bound {
    pub(super) slots: Vec<Slot>,
    /// Bytes of its arrays.
    pub(super) bytes: u64,
    /// Keeps what it uses in host memory from being brought there again.
    #[expect(dead_code, reason = "held until the task has ended")]
    pins: Vec<Pin>,
    accesses: Vec<Access>,
}

/// What a task needs to be bound, kept from run to run.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    slots: Vec<Slot>,
    accesses: Vec<Access>,
}

impl Bound {
    /// Its memory, once the task has ended.
    pub(super) fn keep(mut self) -> Kept {
        self.slots.clear();
        self.accesses.clear();
        Kept { slots: self.slots, accesses: self.accesses }
    }
}

/// Makes the arrays of a task current on the host and binds them. `ids` are the allocations that
/// the run holds.
/// Where devices have memories of their `own`, what overwrites its arrays there may be submitted
/// before it has ended, so it is noted what it uses here.
pub(super) fn bind(
    node: &mut TaskNode<'_>,
    env: &Env,
    (ids, own): (&Arc<[u64]>, bool),
) -> Result<Bound> {
    let Kept { mut slots, mut accesses } = std::mem::take(&mut node.kept);
    slots.reserve_exact(node.args.len());
    accesses.reserve_exact(node.args.len());
    let mut bytes = 0;
    let mut pins = Vec::new();
    for arg in &node.args {
        let array = task_array(node.name, arg.bound(), env, ids)?;
        if ids.binary_search(&array.allocation.id()).is_err() {
            return Err(moved_away(node.name));
        }
        let writes = arg.writes();
        pins.extend(Pin::on_host(&array.allocation));
        array.allocation.to_host(&array.section)?;
        if writes {
            array.allocation.await_host(&array.section)?;
        }
        slots.push(host_slot(&array, if writes { Tag::Own } else { Tag::Input })?);
        bytes += (array.section.len() * array.allocation.elem().size) as u64;
        let mode = if writes { Mode::Write } else { Mode::Read };
        accesses.push(Access { allocation: array.allocation, section: array.section, mode });
    }
    aliased(node, &accesses)?;
    for Access { allocation, section, mode } in &accesses {
        if *mode == Mode::Write {
            allocation.host_wrote(section);
        }
        if own {
            pins.push(Pin::of_reader(allocation, section));
        }
    }
    Ok(Bound { slots, bytes, pins, accesses })
}

/// The array a task gets in these loop iterations.
fn task_array(
    task: &'static str,
    arg: &BoundArg<'_>,
    env: &Env,
    ids: &Arc<[u64]>,
) -> Result<ArrayArg> {
    match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => Ok(array.array()),
        BoundArg::LazyArray(array) => in_fragment(ids, || array.resolve(env)),
        BoundArg::Invalid(error) => Err((**error).clone()),
        BoundArg::Value(_) | BoundArg::LazyValue(_) | BoundArg::Variable(..) => Err(Error::Shape {
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
