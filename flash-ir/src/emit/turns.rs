//! Which values follow the variable of a loop, mostly by as much in each turn. Addresses that follow them
//! are computed in 64 bits, as a compiler then adds to a pointer, which it may not where each is cut to 32. It
//! decides nothing where addresses may need more than 31 bits anyway.

use std::collections::BTreeSet;

use crate::ir::BinOp;
use crate::resolve::typed::{Expr, ExprKind};

/// Locals that follow a counted loop.
#[derive(Debug, Default)]
pub(super) struct Turns(BTreeSet<u16>);

impl Turns {
    /// A loop counts with a local, which nothing else changes.
    pub(super) fn count(&mut self, local: u16) {
        self.0.insert(local);
    }

    /// A local that nothing changes is made of a value.
    pub(super) fn bind(&mut self, local: u16, init: &Expr) {
        if self.follows(init) {
            self.0.insert(local);
        }
    }

    /// Whether a value follows a loop: a local that does, or a sum or product of such a value.
    pub(super) fn follows(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Local(id) => self.0.contains(id),
            ExprKind::Cast(of) => self.follows(of),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b, _) => {
                self.follows(a) || self.follows(b)
            }
            _ => false,
        }
    }
}
