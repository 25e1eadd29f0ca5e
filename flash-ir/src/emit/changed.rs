//! Which locals of a body are assigned after they are made. It writes nothing.

use crate::analysis::{Node, walk};
use crate::ir::{Block, Place, Stmt};

/// By local, whether it is assigned.
pub(super) fn locals(body: &'static Block, n_locals: usize) -> Vec<bool> {
    let mut changed = vec![false; n_locals];
    walk(body, &mut |node| {
        let Node::Stmt(stmt) = node else { return };
        let (Stmt::Let(id, None, _)
        | Stmt::Assign(Place::Local(id, _), ..)
        | Stmt::Update(Place::Local(id, _), ..)) = stmt
        else {
            return;
        };
        if let Some(changed) = changed.get_mut(usize::from(*id)) {
            *changed = true;
        }
    });
    changed
}
