//! How much an item does at most, of kernels that do no more than is written: without loops, and
//! without functions, which may have some. It says nothing of others.

use super::walk::{Node, walk};
use crate::ir::{ExprKind, KernelIr, Stmt};

/// A function of `flash::math` in arithmetic operations, at most.
const MATH: usize = 64;

/// Statements and expressions of an item; `None` where something may repeat.
///
/// ```
/// use flash_ir::ir::{Block, FloatMode, KernelIr, Locals};
///
/// static NOTHING: KernelIr = KernelIr {
///     name: "nothing",
///     file: "",
///     rank: 1,
///     params: &[],
///     locals: Locals { names: &[], types: Vec::new },
///     body: Block { stmts: &[], tail: None },
///     float: FloatMode::Strict,
/// };
/// assert_eq!(flash_ir::analysis::straight(&NOTHING), Some(0));
/// ```
pub fn straight(kernel: &'static KernelIr) -> Option<usize> {
    let repeats =
        |stmt: &Stmt| matches!(stmt, Stmt::For { .. } | Stmt::While { .. } | Stmt::Barrier(_));
    // Most of those that repeat something say so here, and the rest need not be looked at.
    if kernel.body.stmts.iter().any(repeats) {
        return None;
    }
    let mut steps = Some(0_usize);
    walk(&kernel.body, &mut |node| {
        let more = match node {
            Node::Stmt(stmt) if repeats(stmt) => None,
            Node::Branch(..) | Node::Joined | Node::Maybe(_) | Node::Sure => Some(0),
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Call(..) => None,
                ExprKind::Math(..) => Some(MATH),
                ExprKind::Repeat(_, n) => Some(*n),
                _ => Some(1),
            },
            _ => Some(1),
        };
        steps = steps.zip(more).map(|(steps, more)| steps.saturating_add(more));
    });
    steps
}
