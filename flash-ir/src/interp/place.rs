//! Places: parts of locals and of array elements, reached by fields and indices. A place is compiled
//! to closures that read and write it; values are not its business.

use super::compile::Compiler;
use super::exec::{Eval, Exec, Fill, Item, Slot};
use super::word;
use super::{FaultKind, MAX_ARRAY_RANK};
use crate::ir::Span;
use crate::resolve::typed::{Base, Expr, ExprKind, Place, Proj};
use crate::ty::{ScalarTy, Ty};

/// Where a place starts, compiled.
pub(super) enum Start {
    /// A scalar local.
    Reg(usize),
    /// The item's bytes from an offset on.
    Bytes(usize),
    /// Constant bytes.
    Const(Vec<u8>),
    /// An element of a parameter.
    Elem(usize, Vec<Eval>),
}

/// A place, compiled.
pub(super) struct Compiled {
    pub(super) start: Start,
    /// Bytes from the start, indices apart.
    offset: usize,
    /// Index, size of an element, number of elements.
    indices: Vec<(Eval, usize, usize)>,
    span: Span,
}

impl Compiled {
    /// A place without steps.
    pub(super) fn new(start: Start, span: Span) -> Self {
        Self { start, offset: 0, indices: Vec::new(), span }
    }

    /// Bytes from the start; `None` after a fault.
    #[inline]
    fn at(&self, item: &mut Item<'_>) -> Option<usize> {
        let mut at = self.offset;
        for (index, size, n) in &self.indices {
            let index = index(item) as usize;
            if index >= *n {
                item.fault(self.span, FaultKind::Index);
                return None;
            }
            at += index * size;
        }
        Some(at)
    }
}

/// Evaluates the index of an element.
#[inline]
pub(super) fn index(evals: &[Eval], item: &mut Item<'_>) -> [usize; MAX_ARRAY_RANK] {
    let mut index = [0; MAX_ARRAY_RANK];
    for (index, eval) in index.iter_mut().zip(evals) {
        *index = eval(item) as usize;
    }
    index
}

impl Compiler<'_> {
    /// Compiles a place that is assigned.
    pub(super) fn place(&mut self, place: &Place, span: Span) -> Compiled {
        let start = match &place.base {
            Base::Local(id) => match self.local(*id) {
                Slot::Reg(reg, _) => Start::Reg(reg),
                Slot::Bytes(at, _) => Start::Bytes(at),
                Slot::Unit => Start::Bytes(0),
            },
            Base::Elem(access) => Start::Elem(
                usize::from(access.param),
                access.index.iter().map(|index| self.eval(index)).collect(),
            ),
        };
        let mut compiled = Compiled::new(start, span);
        for proj in &place.projs {
            match proj {
                Proj::Field(field) => compiled.offset += field.offset,
                Proj::Index(index, elem, n) => {
                    let index = self.eval(index);
                    compiled.indices.push((index, elem.size(), *n));
                }
            }
        }
        compiled
    }

    /// Compiles an expression that names a part of a local, constant or element, so that only that
    /// part is read.
    pub(super) fn read_place(&mut self, expr: &Expr) -> Option<Compiled> {
        match &expr.kind {
            ExprKind::Local(id) => match self.local(*id) {
                Slot::Reg(reg, _) => Some(Compiled::new(Start::Reg(reg), expr.span)),
                Slot::Bytes(at, _) => Some(Compiled::new(Start::Bytes(at), expr.span)),
                Slot::Unit => None,
            },
            ExprKind::Param(id) => match self.param(*id) {
                Slot::Reg(reg, _) => Some(Compiled::new(Start::Reg(reg), expr.span)),
                Slot::Bytes(at, _) => Some(Compiled::new(Start::Bytes(at), expr.span)),
                Slot::Unit => None,
            },
            ExprKind::Const(value) => {
                Some(Compiled::new(Start::Const(super::expr::const_bytes(*value)), expr.span))
            }
            ExprKind::Load(access) => {
                let index = access.index.iter().map(|index| self.eval(index)).collect();
                Some(Compiled::new(Start::Elem(usize::from(access.param), index), access.span))
            }
            ExprKind::Field(inner, field) => {
                let mut place = self.part_of(inner);
                place.offset += field.offset;
                Some(place)
            }
            ExprKind::Index(inner, index) => {
                let Ty::Array(elem, n) = inner.ty else { return None };
                let mut place = self.part_of(inner);
                place.span = expr.span;
                let index = self.eval(index);
                place.indices.push((index, elem.size(), n));
                Some(place)
            }
            _ => None,
        }
    }

    /// A place for an expression whose part is wanted: itself, or a temporary that is filled when
    /// the first index or the read asks for it.
    fn part_of(&mut self, inner: &Expr) -> Compiled {
        if let Some(place) = self.read_place(inner) {
            return place;
        }
        let at = self.temporary(inner.ty.size());
        let fill = self.fill(inner);
        // An index of a stride of nothing fills the temporary on the way.
        let prepare: Eval = Box::new(move |item| {
            fill(item, at);
            0
        });
        let mut place = Compiled::new(Start::Bytes(at), inner.span);
        place.indices.push((prepare, 0, 1));
        place
    }

    /// Reads a scalar.
    pub(super) fn load(&mut self, place: Compiled, ty: ScalarTy) -> Eval {
        let size = ty.size();
        let plain = place.indices.is_empty();
        match place.start {
            Start::Reg(reg) => Box::new(move |item| item.regs[reg]),
            Start::Bytes(at) if plain => {
                let at = at + place.offset;
                Box::new(move |item| word::load(&item.bytes, at, size))
            }
            Start::Bytes(start) => Box::new(move |item| match place.at(item) {
                Some(at) => word::load(&item.bytes, start + at, size),
                None => 0,
            }),
            Start::Const(_) => Box::new(move |item| match (place.at(item), &place.start) {
                (Some(at), Start::Const(bytes)) => word::load(bytes, at, size),
                _ => 0,
            }),
            Start::Elem(param, _) => Box::new(move |item| {
                let Start::Elem(_, evals) = &place.start else { return 0 };
                let index = index(evals, item);
                let Some(at) = place.at(item) else { return 0 };
                let mut bytes = [0; 8];
                item.read(param, &index[..evals.len()], at, &mut bytes[..size]);
                u64::from_le_bytes(bytes)
            }),
        }
    }

    /// Reads a structure or small array.
    pub(super) fn copy(&mut self, place: Compiled, size: usize) -> Fill {
        Box::new(move |item, to| match &place.start {
            Start::Reg(reg) => word::store(&mut item.bytes, to, size, item.regs[*reg]),
            Start::Bytes(start) => {
                if let Some(at) = place.at(item) {
                    item.bytes.copy_within(start + at..start + at + size, to);
                }
            }
            Start::Const(bytes) => {
                if let Some(at) = place.at(item) {
                    item.bytes[to..to + size].copy_from_slice(&bytes[at..at + size]);
                }
            }
            Start::Elem(param, evals) => {
                let index = index(evals, item);
                if let Some(at) = place.at(item) {
                    let mut bytes = vec![0; size];
                    item.read(*param, &index[..evals.len()], at, &mut bytes);
                    item.bytes[to..to + size].copy_from_slice(&bytes);
                }
            }
        })
    }

    /// Assigns a scalar, which is computed before the place.
    pub(super) fn store(&mut self, place: Compiled, ty: ScalarTy, value: Eval) -> Exec {
        let size = ty.size();
        match place.start {
            Start::Reg(reg) => Box::new(move |item| {
                let word = value(item);
                if item.flow == super::exec::Flow::Next {
                    item.regs[reg] = word;
                }
            }),
            _ => Box::new(move |item| {
                let word = value(item);
                put(&place, item, &word.to_le_bytes()[..size]);
            }),
        }
    }

    /// Assigns a structure or small array.
    pub(super) fn store_bytes(&mut self, place: Compiled, size: usize, value: Fill) -> Exec {
        let temporary = self.temporary(size);
        Box::new(move |item| {
            value(item, temporary);
            let bytes = item.bytes[temporary..temporary + size].to_vec();
            put(&place, item, &bytes);
        })
    }

    /// `place = f(place, value)`; the value is computed before the place.
    pub(super) fn update(
        &mut self,
        place: Compiled,
        ty: ScalarTy,
        value: Eval,
        f: impl Fn(&mut Item<'_>, u64, u64) -> u64 + Send + Sync + 'static,
    ) -> Exec {
        let size = ty.size();
        match place.start {
            Start::Reg(reg) => Box::new(move |item| {
                let word = value(item);
                let old = item.regs[reg];
                let new = f(item, old, word);
                if item.flow == super::exec::Flow::Next {
                    item.regs[reg] = new;
                }
            }),
            Start::Elem(param, _) => Box::new(move |item| {
                let word = value(item);
                let Start::Elem(_, evals) = &place.start else { return };
                let index = index(evals, item);
                let index = &index[..evals.len()];
                let Some(at) = place.at(item) else { return };
                let mut bytes = [0; 8];
                item.read(param, index, at, &mut bytes[..size]);
                let new = f(item, u64::from_le_bytes(bytes), word);
                item.write(param, index, at, &new.to_le_bytes()[..size]);
            }),
            Start::Bytes(start) => Box::new(move |item| {
                let word = value(item);
                let Some(at) = place.at(item) else { return };
                let old = word::load(&item.bytes, start + at, size);
                let new = f(item, old, word);
                if item.flow == super::exec::Flow::Next {
                    word::store(&mut item.bytes, start + at, size, new);
                }
            }),
            Start::Const(_) => Box::new(|_| {}),
        }
    }
}

/// Writes bytes to a place.
fn put(place: &Compiled, item: &mut Item<'_>, bytes: &[u8]) {
    match &place.start {
        Start::Elem(param, evals) => {
            let index = index(evals, item);
            if let Some(at) = place.at(item) {
                item.write(*param, &index[..evals.len()], at, bytes);
            }
        }
        Start::Bytes(start) => {
            if let Some(at) = place.at(item)
                && item.flow == super::exec::Flow::Next
            {
                item.bytes[start + at..start + at + bytes.len()].copy_from_slice(bytes);
            }
        }
        Start::Reg(_) | Start::Const(_) => {}
    }
}
