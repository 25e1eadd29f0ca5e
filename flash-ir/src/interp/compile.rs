//! Statements as closures. Device functions are compiled where they are called: the language has no
//! recursion. Expressions are in `expr.rs`, places in `place.rs`.

use super::exec::{Exec, Flow, Slot};
use super::expr::product;
use super::word::{self, Word, by_int};
use super::{FaultKind, Program, ops, run, scalar};
use crate::ir::{BinOp, FloatMode, Param, ParamKind, Span};
use crate::resolve::Unsaid;
use crate::resolve::typed::{Base, Block, Expr, Function, Kernel, Place, Stmt};
use crate::ty::{ScalarTy, Ty};

/// Where the value of a `return` goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ret {
    /// A register.
    Slot(Slot),
    /// Nowhere: the kernel itself.
    None,
}

/// A kernel while it is compiled.
pub(super) struct Compiler<'k> {
    pub(super) params: &'static [Param],
    functions: &'k [Function],
    /// Whether `fast_math` is left out.
    pub(super) strict: bool,
    /// Slots of the parameters.
    values: Vec<Slot>,
    /// For each parameter its place among the reductions.
    reductions: Vec<usize>,
    /// Slots of the locals of the body at hand.
    locals: Vec<Slot>,
    ret: Ret,
    n_regs: usize,
    n_bytes: usize,
    pub(super) unsaid: Vec<Unsaid>,
}

/// Compiles a kernel; `strict` overrides `fast_math`.
pub(super) fn program(kernel: &Kernel, strict: bool) -> Result<Program, Vec<Unsaid>> {
    let mut compiler = Compiler {
        params: kernel.ir.params,
        functions: &kernel.functions,
        strict,
        values: Vec::new(),
        reductions: Vec::new(),
        locals: Vec::new(),
        ret: Ret::None,
        n_regs: 0,
        n_bytes: 0,
        unsaid: Vec::new(),
    };
    let mut n_reductions = 0;
    for param in kernel.ir.params {
        let slot =
            if param.kind == ParamKind::Value { compiler.slot(&param.ty) } else { Slot::Unit };
        compiler.values.push(slot);
        compiler.reductions.push(n_reductions);
        n_reductions += usize::from(matches!(param.kind, ParamKind::Reduce(_)));
    }
    compiler.locals = kernel.locals.iter().map(|ty| compiler.slot(ty)).collect();
    let body = compiler.block(&kernel.body);
    if !compiler.unsaid.is_empty() {
        return Err(compiler.unsaid);
    }
    Ok(Program {
        ir: kernel.ir,
        body,
        n_regs: compiler.n_regs,
        n_bytes: compiler.n_bytes,
        values: compiler.values,
    })
}

impl Compiler<'_> {
    pub(super) fn complain(&mut self, span: Span, what: impl Into<String>) {
        self.unsaid.push(Unsaid { span, what: what.into() });
    }

    /// A new place for a value of a type.
    pub(super) fn slot(&mut self, ty: &Ty) -> Slot {
        match ty {
            Ty::Unit => Slot::Unit,
            Ty::Scalar(scalar) => {
                self.n_regs += 1;
                Slot::Reg(self.n_regs - 1, *scalar)
            }
            Ty::Struct(_) | Ty::Array(..) => Slot::Bytes(self.temporary(ty.size()), ty.size()),
        }
    }

    /// New bytes.
    pub(super) fn temporary(&mut self, size: usize) -> usize {
        let at = self.n_bytes;
        self.n_bytes += size.next_multiple_of(8);
        at
    }

    pub(super) fn local(&self, id: u16) -> Slot {
        self.locals.get(usize::from(id)).copied().unwrap_or(Slot::Unit)
    }

    pub(super) fn param(&self, id: u16) -> Slot {
        self.values.get(usize::from(id)).copied().unwrap_or(Slot::Unit)
    }

    /// Compiles a call: the arguments, and the body with locals of its own.
    pub(super) fn inlined(&mut self, at: usize, args: &[Expr]) -> (Exec, Slot) {
        let functions = self.functions;
        let Some(function) = functions.get(at) else { return (Box::new(|_| {}), Slot::Unit) };
        let locals: Vec<Slot> = function.locals.iter().map(|ty| self.slot(ty)).collect();
        // Arguments may call the same function, so each goes to its own place first.
        let mut parts: Vec<Exec> = Vec::new();
        for (arg, slot) in args.iter().zip(&locals) {
            parts.push(self.assign_slot(*slot, arg));
        }
        let result = self.slot(&function.ret);
        let outer = (std::mem::replace(&mut self.locals, locals), self.ret);
        self.ret = Ret::Slot(result);
        let body = self.body(&function.body, result);
        (self.locals, self.ret) = outer;
        let run: Exec = Box::new(move |item| {
            for part in &parts {
                part(item);
            }
            if item.flow != Flow::Next {
                return;
            }
            body(item);
            if item.flow == Flow::Return {
                item.flow = Flow::Next;
            }
        });
        (run, result)
    }

    /// A block whose value goes to a slot.
    pub(super) fn body(&mut self, block: &Block, to: Slot) -> Exec {
        let mut parts = self.stmts(&block.stmts);
        if let Some(tail) = &block.tail {
            parts.push(self.assign_slot(to, tail));
        }
        sequence(parts)
    }

    /// A block for its effect.
    pub(super) fn block(&mut self, block: &Block) -> Exec {
        let mut parts = self.stmts(&block.stmts);
        if let Some(tail) = &block.tail {
            parts.push(self.effect(tail));
        }
        sequence(parts)
    }

    pub(super) fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Exec> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    /// Sets a slot to the value of an expression.
    pub(super) fn assign_slot(&mut self, slot: Slot, value: &Expr) -> Exec {
        match slot {
            Slot::Reg(reg, _) => {
                let value = self.eval(value);
                Box::new(move |item| {
                    let word = value(item);
                    item.regs[reg] = word;
                })
            }
            Slot::Bytes(at, size) => {
                let value = self.fill(value);
                // The value may be made from what is there.
                let temporary = self.temporary(size);
                Box::new(move |item| {
                    value(item, temporary);
                    item.bytes.copy_within(temporary..temporary + size, at);
                })
            }
            Slot::Unit => self.effect(value),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Exec {
        match stmt {
            Stmt::Let(id, Some(init), _) => {
                let slot = self.local(*id);
                self.assign_slot(slot, init)
            }
            Stmt::Let(_, None, _) | Stmt::Barrier(_) => Box::new(|_| {}),
            Stmt::Assign(place, value, span) => self.assign(place, value, *span),
            Stmt::Update(place, op, value, mode, span) => {
                match self.contracted_update(place, *op, value, *mode) {
                    Some(fused) => fused,
                    None => self.update_stmt(place, *op, value, *span),
                }
            }
            Stmt::Reduce(param, _, value, _) => {
                let lanes = self.reductions.get(usize::from(*param)).copied().unwrap_or(0);
                let value = self.eval(value);
                Box::new(move |item| {
                    let word = value(item);
                    run::reduce(item, lanes, word);
                })
            }
            Stmt::Expr(expr) => self.effect(expr),
            Stmt::For { local, lo, hi, inclusive, rev, step, body, span } => {
                self.counted(*local, [lo, hi], *inclusive, *rev, step.as_ref(), body, *span)
            }
            Stmt::While { cond, body, .. } => {
                let cond = self.eval(cond);
                let body = self.block(body);
                Box::new(move |item| {
                    while cond(item) != 0 && item.flow == Flow::Next {
                        body(item);
                        if leaves(item) {
                            break;
                        }
                    }
                })
            }
            Stmt::Break(_) => Box::new(|item| item.flow = Flow::Break),
            Stmt::Continue(_) => Box::new(|item| item.flow = Flow::Continue),
            Stmt::Return(value, _) => {
                let store: Exec = match (value, self.ret) {
                    (Some(value), Ret::Slot(slot)) => self.assign_slot(slot, value),
                    (Some(value), Ret::None) => self.effect(value),
                    (None, _) => Box::new(|_| {}),
                };
                Box::new(move |item| {
                    store(item);
                    if item.flow == Flow::Next {
                        item.flow = Flow::Return;
                    }
                })
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr, span: Span) -> Exec {
        if let Some(ty) = scalar(&place.ty) {
            let value = self.eval(value);
            let place = self.place(place, span);
            return self.store(place, ty, value);
        }
        let value = self.fill(value);
        let compiled = self.place(place, span);
        self.store_bytes(compiled, place.ty.size(), value)
    }

    /// A product that is added to a local, or taken from it, where both are one operation.
    fn contracted_update(
        &mut self,
        place: &Place,
        op: BinOp,
        value: &Expr,
        mode: FloatMode,
    ) -> Option<Exec> {
        let (Base::Local(local), []) = (&place.base, &place.projs[..]) else { return None };
        let fused = self.fused(op, mode, scalar(&place.ty)?)?;
        let (x, y) = product(value)?;
        let Slot::Reg(reg, _) = self.local(*local) else { return None };
        let (x, y) = (self.eval(x), self.eval(y));
        Some(Box::new(move |item| {
            let (x, y) = (x(item), y(item));
            if item.flow == Flow::Next {
                let old = item.regs[reg];
                item.regs[reg] =
                    if op == BinOp::Add { fused.plus(x, y, old) } else { fused.less(x, y, old) };
            }
        }))
    }

    fn update_stmt(&mut self, place: &Place, op: BinOp, value: &Expr, span: Span) -> Exec {
        let Some(ty) = scalar(&place.ty) else {
            self.complain(span, "an operator on what is no scalar");
            return Box::new(|_| {});
        };
        let value = self.eval(value);
        let compiled = self.place(place, span);
        match ops::binary(op, ty) {
            Some(ops::Op2::Total(f)) => self.update(compiled, ty, value, move |_, a, b| f(a, b)),
            Some(ops::Op2::Partial(f)) => self.update(compiled, ty, value, move |item, a, b| {
                f(a, b).unwrap_or_else(|| {
                    item.fault(span, FaultKind::of_division(op == BinOp::Rem, b == 0));
                    0
                })
            }),
            None => {
                self.complain(span, format!("no `{op:?}` of `{}`", ty.name()));
                Box::new(|_| {})
            }
        }
    }

    /// `for local in lo..hi`. `rev` comes before `step`, as in `(lo..hi).rev().step_by(k)`.
    #[expect(clippy::too_many_arguments, reason = "the parts of the statement")]
    fn counted(
        &mut self,
        local: u16,
        [lo, hi]: [&Expr; 2],
        inclusive: bool,
        rev: bool,
        step: Option<&Expr>,
        body: &Block,
        span: Span,
    ) -> Exec {
        let Slot::Reg(reg, ty) = self.local(local) else {
            self.complain(span, "a loop variable that is no integer");
            return Box::new(|_| {});
        };
        let (lo, hi) = (self.eval(lo), self.eval(hi));
        let step = step.map(|step| self.eval(step));
        let body = self.block(body);
        Box::new(move |item| {
            let lo = word::extend(ty, lo(item));
            let mut hi = word::extend(ty, hi(item)) + i128::from(inclusive);
            let step = match &step {
                Some(step) => i128::from(step(item)),
                None => 1,
            };
            if item.flow != Flow::Next {
                return;
            }
            if step == 0 {
                item.fault(span, FaultKind::Step);
                return;
            }
            let mut at = lo;
            while at < hi {
                item.regs[reg] = narrow(ty, if rev { hi - 1 } else { at });
                body(item);
                if leaves(item) {
                    break;
                }
                if rev {
                    hi -= step;
                } else {
                    at += step;
                }
            }
        })
    }
}

/// The word of an integer that fits its type.
fn narrow(ty: ScalarTy, value: i128) -> u64 {
    by_int!(ty, T => (value as T).put(), else 0)
}

/// Whether a loop ends after a trip; takes its own `break` and `continue`.
#[inline(always)]
fn leaves(item: &mut super::exec::Item<'_>) -> bool {
    match item.flow {
        Flow::Next => false,
        Flow::Continue => {
            item.flow = Flow::Next;
            false
        }
        Flow::Break => {
            item.flow = Flow::Next;
            true
        }
        Flow::Return | Flow::Fault => true,
    }
}

/// Statements one after the other, until one leaves.
pub(super) fn sequence(mut parts: Vec<Exec>) -> Exec {
    match parts.len() {
        0 => Box::new(|_| {}),
        1 => parts.swap_remove(0),
        _ => Box::new(move |item| {
            for part in &parts {
                part(item);
                if item.flow != Flow::Next {
                    return;
                }
            }
        }),
    }
}
