//! Which parameters every path of a body writes. It reports nothing.

use super::walk::{Child, children};
use crate::kernel::model::{AccessClass, Block, Expr, ExprKind, Place, Stmt};

/// For each of `n` parameters: whether every path writes its own place before it reads it.
pub(crate) fn always_written(block: &Block, n: usize) -> Vec<bool> {
    let mut flow = Flow { exits: vec![true; n], read_first: vec![false; n] };
    let end = flow.block(block, Some(vec![false; n]));
    flow.exit(end.as_ref());
    flow.exits.iter().zip(&flow.read_first).map(|(written, read)| *written && !*read).collect()
}

/// Parameters written so far; `None` where control does not come.
type Written = Option<Vec<bool>>;

struct Flow {
    /// Written at every end of the body met so far.
    exits: Vec<bool>,
    read_first: Vec<bool>,
}

impl Flow {
    fn exit(&mut self, at: Option<&Vec<bool>>) {
        if let Some(at) = at {
            self.exits.iter_mut().zip(at).for_each(|(all, here)| *all &= *here);
        }
    }

    fn block(&mut self, block: &Block, mut at: Written) -> Written {
        for stmt in &block.stmts {
            at = self.stmt(stmt, at);
        }
        match &block.tail {
            Some(tail) => self.expr(tail, at),
            None => at,
        }
    }

    fn stmt(&mut self, stmt: &Stmt, at: Written) -> Written {
        match stmt {
            Stmt::Let(_, init) => match init {
                Some(init) => self.expr(init, at),
                None => at,
            },
            Stmt::Assign(place, value, _) => {
                let at = self.place_index(place, at);
                let mut at = self.expr(value, at);
                if let (Place::Elem(access, projections), Some(at)) = (place, &mut at) {
                    if access.class == AccessClass::Own && projections.is_empty() {
                        at[access.param] = true;
                    } else if !projections.is_empty() && !at[access.param] {
                        self.read_first[access.param] = true;
                    }
                }
                at
            }
            Stmt::Update(place, _, value, _) => {
                let at = self.place_index(place, at);
                let at = self.expr(value, at);
                if let (Place::Elem(access, _), Some(at)) = (place, &at) {
                    self.read_first[access.param] |= !at[access.param];
                }
                at
            }
            Stmt::Reduce(_, value, _) | Stmt::Expr(value) => self.expr(value, at),
            Stmt::For(looping) => {
                let at = self.expr(&looping.lo, at);
                let at = self.expr(&looping.hi, at);
                // The body may run no time at all: only its exits and reads count.
                self.block(&looping.body, at.clone());
                at
            }
            Stmt::While(cond, body, _) => {
                let at = match cond {
                    Some(cond) => self.expr(cond, at),
                    None => at,
                };
                self.block(body, at.clone());
                at
            }
            Stmt::Return(value, _) => {
                let at = match value {
                    Some(value) => self.expr(value, at),
                    None => at,
                };
                self.exit(at.as_ref());
                None
            }
            Stmt::Break(_) | Stmt::Continue(_) => None,
            Stmt::Unsafe(_, body) => self.block(body, at),
        }
    }

    fn place_index(&mut self, place: &Place, mut at: Written) -> Written {
        if let Place::Elem(access, _) = place {
            for index in &access.index {
                at = self.expr(index, at);
            }
        }
        at
    }

    fn expr(&mut self, expr: &Expr, at: Written) -> Written {
        match &expr.kind {
            ExprKind::If(cond, yes, no) => {
                let at = self.expr(cond, at);
                let yes = self.block(yes, at.clone());
                let no = match no {
                    Some(no) => self.block(no, at),
                    None => at,
                };
                join(yes, no)
            }
            ExprKind::Block(block) | ExprKind::Unsafe(_, block) => self.block(block, at),
            ExprKind::Binary(left, syn::BinOp::And(_) | syn::BinOp::Or(_), right) => {
                let at = self.expr(left, at);
                self.expr(right, at.clone());
                at
            }
            kind => {
                if let (ExprKind::Load(access), Some(at)) = (kind, &at) {
                    self.read_first[access.param] |= !at[access.param];
                }
                let mut at = at;
                children(expr, &mut |child| {
                    at = match child {
                        Child::Expr(part) => self.expr(part, at.take()),
                        Child::Block(block) => self.block(block, at.take()),
                    };
                });
                at
            }
        }
    }
}

fn join(left: Written, right: Written) -> Written {
    match (left, right) {
        (Some(left), Some(right)) => {
            Some(left.iter().zip(right).map(|(left, right)| *left && right).collect())
        }
        (Some(only), None) | (None, Some(only)) => Some(only),
        (None, None) => None,
    }
}
