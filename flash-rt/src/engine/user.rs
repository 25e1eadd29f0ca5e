//! Which stage of a pipeline uses an array, for errors and for who asks whether one does. It changes nothing.

use crate::access::Access;
use crate::arg::BoundArg;
use crate::descriptor::Role;
use crate::error::{Error, Site};
use crate::ledger::Refusal;
use crate::pipeline::{LaunchNode, MoveNode, Node, Work};

/// The error for a refused run, with the stage that the refusal is about.
#[cold]
pub(super) fn refused(nodes: &mut [Node<'_>], accesses: &[Access], refusal: Refusal) -> Error {
    match refusal {
        Refusal::Reentrant(_, task) => Error::reentrant(task),
        Refusal::HostBorrowed(index) => {
            let id = accesses.get(index).map_or(0, |access| access.allocation.id());
            let (kernel, site, param) = user(nodes, id).unwrap_or((
                "a stage",
                std::panic::Location::caller(),
                "an argument",
            ));
            Error::HostBorrowed { kernel, site, param }
        }
    }
}

/// The first stage that touches an allocation, and as what.
pub(super) fn user(nodes: &mut [Node<'_>], id: u64) -> Option<(&'static str, Site, &'static str)> {
    let uses = |arg: &BoundArg<'_>| match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => array.allocation.id() == id,
        BoundArg::LazyArray(array) => array.within().allocation.id() == id,
        _ => false,
    };
    nodes.iter_mut().find_map(|node| match node.work() {
        Work::Launch(LaunchNode { stage, .. }) => {
            let passed = stage.kernel.params.iter().filter(|p| !matches!(p.role, Role::Scratch(_)));
            let mut used = passed.zip(stage.args.iter()).filter(|(_, arg)| uses(arg));
            let param = used.next().map(|(param, _)| param.name);
            let mut extents = stage.space.cells();
            let param = param.or_else(|| {
                extents.any(|cell| cell.allocation.id() == id).then_some("an extent of its space")
            });
            let tells = stage.chosen().is_some_and(|cell| cell.allocation.id() == id);
            let param = param.or_else(|| tells.then_some("the cell of its device"));
            param.map(|param| (stage.kernel.name, stage.site, param))
        }
        Work::Task(task) => {
            let mut used = task.args.iter().filter(|arg| uses(arg.bound()));
            used.next().map(|arg| (task.name, task.site, arg.name()))
        }
        Work::Move(MoveNode { array, site, .. }) => {
            (array.allocation.id() == id).then_some(("a move", *site, "an array"))
        }
        Work::Swap { a, b, site } => [a, b]
            .into_iter()
            .any(|array| array.allocation.id() == id)
            .then_some(("swap", *site, "an argument")),
        work => {
            let (what, site, cell) = match work {
                Work::For { site, .. } => ("for", *site, "a bound"),
                Work::If { site, .. } => ("a condition", *site, "a cell"),
                Work::While { site, .. } => ("while", *site, "a cell of its condition or limit"),
                _ => return None,
            };
            let mut found = false;
            work.each_cell(&mut |cell| found |= cell.allocation.id() == id);
            found.then_some((what, site, cell))
        }
    })
}
