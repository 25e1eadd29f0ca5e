//! Short loops over the parts of an item, written out, so that each of its places is a row along the line.
//! Only the interior has them so; what the user wrote is compiled as it stands for the rim.

use std::collections::HashMap;
use std::rc::Rc;

use proc_macro2::{Literal, Span};

use crate::body::walk::{self, Touch};
use crate::kernel::model::{
    Access, AccessClass, Block, Body, Expr, ExprKind, For, Local, Place, Proj, Stmt,
};

/// The most trips of a loop that is written out.
const MOST_TRIPS: usize = 8;

/// The most accesses that one loop may become.
const MOST_SITES: usize = 24;

/// The body with such loops written out; nothing where there are none.
pub(super) fn body(body: &Body) -> Option<Body> {
    let mut copy = Copy {
        locals: body.locals.clone(),
        n_sites: 0,
        renamed: HashMap::new(),
        values: HashMap::new(),
        n_unrolled: 0,
    };
    let block = copy.block(&body.block);
    let Copy { locals, n_sites, n_unrolled, .. } = copy;
    (n_unrolled > 0).then_some(Body { locals, n_sites, block })
}

/// A copy that shares nothing with the original, as accesses and conditions are told apart by number and
/// by address.
struct Copy {
    locals: Vec<Local>,
    n_sites: usize,
    /// Locals of the trip that is written, by those of the loop.
    renamed: HashMap<usize, usize>,
    /// The counters of the loops that are written out around, with their values.
    values: HashMap<usize, usize>,
    n_unrolled: usize,
}

impl Copy {
    fn block(&mut self, block: &Block) -> Block {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        Block { stmts, tail: block.tail.as_ref().map(|tail| Box::new(self.expr(tail, false))) }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::Let(local, init) => {
                let init = self.maybe(init.as_ref());
                Stmt::Let(self.declared(*local), init)
            }
            Stmt::Assign(place, value, at) => {
                Stmt::Assign(self.place(place), self.value(value), *at)
            }
            Stmt::Update(place, op, value, at) => {
                Stmt::Update(self.place(place), *op, self.value(value), *at)
            }
            Stmt::Reduce(param, value, at) => Stmt::Reduce(*param, self.value(value), *at),
            Stmt::Expr(value) => Stmt::Expr(self.value(value)),
            Stmt::For(repeat) => match trips(repeat, &self.locals) {
                Some(trips) => self.unrolled(repeat, &trips),
                None => {
                    let (lo, hi) = (self.value(&repeat.lo), self.value(&repeat.hi));
                    let step = self.maybe(repeat.step.as_ref());
                    let local = self.declared(repeat.local);
                    let body = self.block(&repeat.body);
                    let For { span, inclusive, rev, .. } = *repeat;
                    Stmt::For(For { span, local, lo, hi, inclusive, rev, step, body })
                }
            },
            Stmt::While(condition, body, at) => {
                Stmt::While(self.maybe(condition.as_ref()), self.block(body), *at)
            }
            Stmt::Break(at) => Stmt::Break(*at),
            Stmt::Continue(at) => Stmt::Continue(*at),
            Stmt::Return(value, at) => Stmt::Return(self.maybe(value.as_ref()), *at),
            Stmt::Unsafe(token, block) => Stmt::Unsafe(*token, self.block(block)),
        }
    }

    /// The trips of a loop one after the other, each a block with the counter as a local.
    fn unrolled(&mut self, repeat: &For, trips: &[usize]) -> Stmt {
        self.n_unrolled += 1;
        let trip = |trip: &usize| {
            let counter = self.declared(repeat.local);
            self.values.insert(repeat.local, *trip);
            let mut block = self.block(&repeat.body);
            block.stmts.insert(0, Stmt::Let(counter, Some(number(*trip, repeat.span))));
            Stmt::Expr(of_block(block, repeat.span))
        };
        let stmts = trips.iter().map(trip).collect();
        self.values.remove(&repeat.local);
        Stmt::Expr(of_block(Block { stmts, tail: None }, repeat.span))
    }

    /// A local that is declared here: another one in each trip of a loop.
    fn declared(&mut self, local: usize) -> usize {
        let is_first = self.renamed.insert(local, local).is_none();
        if is_first {
            return local;
        }
        self.locals.push(self.locals[local].clone());
        self.renamed.insert(local, self.locals.len() - 1);
        self.locals.len() - 1
    }

    fn local(&self, local: usize) -> usize {
        self.renamed.get(&local).copied().unwrap_or(local)
    }

    fn place(&mut self, place: &Place) -> Place {
        match place {
            Place::Local(local, at, projs) => {
                Place::Local(self.local(*local), *at, self.projs(projs))
            }
            Place::Elem(access, projs) => {
                let access = self.access(access);
                Place::Elem(access, self.projs(projs))
            }
        }
    }

    fn projs(&mut self, projs: &[Proj]) -> Vec<Proj> {
        let projs = projs.iter().map(|proj| match proj {
            Proj::Field(member) => Proj::Field(member.clone()),
            Proj::Index(index) => Proj::Index(self.value(index)),
        });
        projs.collect()
    }

    fn access(&mut self, access: &Access) -> Access {
        let index = access.index.iter().map(|index| self.expr(index, true)).collect();
        let (param, span, class, site) = (access.param, access.span, access.class, self.n_sites);
        self.n_sites += 1;
        Access { param, site, span, index, affine: access.affine.clone(), class }
    }

    fn maybe(&mut self, expr: Option<&Expr>) -> Option<Expr> {
        expr.map(|expr| self.value(expr))
    }

    fn value(&mut self, expr: &Expr) -> Expr {
        self.expr(expr, false)
    }

    fn all(&mut self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    /// An expression; one of an index counts in `usize`, so that counters become numbers.
    fn expr(&mut self, expr: &Expr, counts: bool) -> Expr {
        use ExprKind as K;
        let one = |this: &mut Self, part: &Expr| Box::new(this.value(part));
        let kind = match &expr.kind {
            K::Local(local) => match self.values.get(local) {
                Some(value) if counts => return number(*value, expr.span),
                _ => K::Local(self.local(*local)),
            },
            K::Paren(inner) => K::Paren(Box::new(self.expr(inner, counts))),
            K::Binary(left, op, right) => {
                let counts = counts && keeps_type(op);
                let left = Box::new(self.expr(left, counts));
                K::Binary(left, *op, Box::new(self.expr(right, counts)))
            }
            K::Load(access) => K::Load(Rc::new(self.access(access))),
            K::Atomic(access, method, args) => {
                let access = Rc::new(self.access(access));
                K::Atomic(access, method.clone(), self.all(args))
            }
            K::Unary(op, inner) => K::Unary(*op, one(self, inner)),
            K::Cast(inner, ty) => K::Cast(one(self, inner), ty.clone()),
            K::Field(inner, member) => K::Field(one(self, inner), member.clone()),
            K::Index(array, index) => {
                let array = one(self, array);
                K::Index(array, one(self, index))
            }
            K::Repeat(value, n) => {
                let value = one(self, value);
                K::Repeat(value, one(self, n))
            }
            K::Math(path, name, args) => K::Math(path.clone(), name.clone(), self.all(args)),
            K::Assoc(path, name, args) => K::Assoc(path.clone(), name.clone(), self.all(args)),
            K::Complex(path, name, args) => K::Complex(path.clone(), name.clone(), self.all(args)),
            K::Call(path, args) => K::Call(path.clone(), self.all(args)),
            K::Array(args) => K::Array(self.all(args)),
            K::If(condition, yes, no) => {
                let condition = one(self, condition);
                let yes = Rc::new(self.block(yes));
                K::If(condition, yes, no.as_ref().map(|no| Rc::new(self.block(no))))
            }
            K::Block(block) => K::Block(Rc::new(self.block(block))),
            K::Unsafe(token, block) => K::Unsafe(*token, Rc::new(self.block(block))),
            K::Struct(path, fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), self.value(value)));
                K::Struct(path.clone(), fields.collect())
            }
            kind @ (K::Lit(_)
            | K::Const(_)
            | K::Param(_)
            | K::GlobalId(_)
            | K::Launch(_)
            | K::Len(_)
            | K::Extent(..)) => kind.clone(),
        };
        Expr { kind, span: expr.span, varying: expr.varying }
    }
}

/// The values of a counter, where the loop is to be written out: the numbers are there to be read, and
/// own places depend on them.
fn trips(repeat: &For, locals: &[Local]) -> Option<Vec<usize>> {
    let (lo, hi) = (literal(&repeat.lo)?, literal(&repeat.hi)?);
    let hi = if repeat.inclusive { hi.checked_add(1)? } else { hi };
    let step = repeat.step.as_ref().map_or(Some(1), literal)?;
    if locals[repeat.local].mutable || step == 0 || hi.saturating_sub(lo) > MOST_TRIPS {
        return None;
    }
    let trips: Vec<usize> = if repeat.rev {
        (lo..hi).rev().step_by(step).collect()
    } else {
        (lo..hi).step_by(step).collect()
    };
    let (mut n_sites, mut is_of_parts) = (0, false);
    walk::accesses(&repeat.body, &mut |access, touch| {
        n_sites += 1;
        let is_own = access.class == AccessClass::Own && touch != Touch::Atomic;
        is_of_parts |= is_own && access.index.iter().any(|index| has(index, repeat.local));
    });
    let fits = !trips.is_empty() && n_sites * trips.len() <= MOST_SITES;
    (fits && is_of_parts && !leaves(&repeat.body)).then_some(trips)
}

/// Whether an index counts with a local in `usize`.
fn has(index: &Expr, local: usize) -> bool {
    match &index.kind {
        ExprKind::Local(found) => *found == local,
        ExprKind::Paren(inner) => has(inner, local),
        ExprKind::Binary(left, op, right) => {
            keeps_type(op) && (has(left, local) || has(right, local))
        }
        _ => false,
    }
}

/// Operations whose operands have the type of the result.
fn keeps_type(op: &syn::BinOp) -> bool {
    use syn::BinOp::{Add, Div, Mul, Rem, Sub};
    matches!(op, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_))
}

/// Whether `break` or `continue` of the loop itself is in its body.
fn leaves(block: &Block) -> bool {
    let in_stmt = |stmt: &Stmt| match stmt {
        Stmt::Break(_) | Stmt::Continue(_) => true,
        Stmt::Unsafe(_, block) => leaves(block),
        Stmt::Let(_, Some(value))
        | Stmt::Expr(value)
        | Stmt::Assign(_, value, _)
        | Stmt::Update(_, _, value, _)
        | Stmt::Reduce(_, value, _) => leaves_in(value),
        _ => false,
    };
    block.stmts.iter().any(in_stmt) || block.tail.as_deref().is_some_and(leaves_in)
}

fn leaves_in(expr: &Expr) -> bool {
    let mut found = false;
    walk::children(expr, &mut |child| {
        found |= match child {
            walk::Child::Expr(expr) => leaves_in(expr),
            walk::Child::Block(block) => leaves(block),
        };
    });
    found
}

fn literal(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        ExprKind::Paren(inner) => literal(inner),
        ExprKind::Lit(syn::Lit::Int(lit)) if matches!(lit.suffix(), "" | "usize") => {
            lit.base10_parse().ok()
        }
        _ => None,
    }
}

fn number(value: usize, span: Span) -> Expr {
    let mut lit = Literal::usize_suffixed(value);
    lit.set_span(span);
    Expr { kind: ExprKind::Lit(syn::Lit::new(lit)), span, varying: false }
}

fn of_block(block: Block, span: Span) -> Expr {
    Expr { kind: ExprKind::Block(Rc::new(block)), span, varying: false }
}
