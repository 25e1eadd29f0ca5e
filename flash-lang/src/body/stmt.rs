//! Statements: bindings, assignments, control flow.

use std::collections::HashMap;

use proc_macro2::{Ident, Span};

use super::words::{anchor, first, op_anchor, pat_anchor, peel};
use super::{Host, Lower, made};
use crate::kernel::model::{Block, Expr, ExprKind, For, ReduceOp, Role, Stmt};
use crate::rules;

impl Lower<'_> {
    /// A block in a scope of its own. Without `value` its last expression may not have one.
    pub(super) fn block(&mut self, block: &syn::Block, value: bool) -> Block {
        self.scopes.push(HashMap::new());
        let mut out = Block::default();
        let last = block.stmts.len().wrapping_sub(1);
        for (at, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Local(local) => self.let_stmt(local, &mut out.stmts),
                syn::Stmt::Expr(expr, semi) => {
                    let tail = at == last && semi.is_none();
                    if tail && value {
                        out.tail = self.tail(expr, &mut out.stmts).map(Box::new);
                    } else {
                        self.expr_stmt(expr, tail, &mut out.stmts);
                    }
                }
                syn::Stmt::Item(item) => self.refuse_item(item),
                syn::Stmt::Macro(mac) => {
                    self.refuse_macro(&mac.mac);
                }
            }
        }
        self.scopes.pop();
        out
    }

    /// The last expression of a block that has a value; `None` where control leaves instead.
    fn tail(&mut self, expr: &syn::Expr, stmts: &mut Vec<Stmt>) -> Option<Expr> {
        let leaves = matches!(
            peel(expr),
            syn::Expr::Return(_)
                | syn::Expr::Break(_)
                | syn::Expr::Continue(_)
                | syn::Expr::Assign(_)
                | syn::Expr::ForLoop(_)
                | syn::Expr::While(_)
                | syn::Expr::Loop(_)
        ) || matches!(peel(expr), syn::Expr::Binary(binary) if is_update(&binary.op));
        if leaves {
            self.expr_stmt(expr, false, stmts);
            return None;
        }
        Some(self.expr(expr))
    }

    fn refuse_item(&mut self, item: &syn::Item) {
        self.diag.error(
            rules::ITEM_IN_BODY,
            first(item),
            "items are declared outside of kernels, move it in front of this one",
        );
    }

    pub(super) fn no_attributes(&mut self, attrs: &[syn::Attribute]) {
        if let Some(attr) = attrs.first() {
            self.diag.error(
                rules::ATTRIBUTE_IN_BODY,
                attr.pound_token.span,
                "attributes stand on the kernel, not in its body",
            );
        }
    }

    fn let_stmt(&mut self, local: &syn::Local, stmts: &mut Vec<Stmt>) {
        self.no_attributes(&local.attrs);
        if let Some((token, _)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            self.diag.error(
                rules::NO_PATTERNS,
                token.span,
                "`let .. else` needs a pattern, use `if` to test a value",
            );
        }
        let init = local.init.as_ref().map(|init| &*init.expr);
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some((*typed.ty).clone())),
            pat => (pat, None),
        };
        if let Some(ty) = &ty {
            self.no_reference_type(ty);
        }
        match (pat, init.map(peel)) {
            (syn::Pat::Tuple(names), Some(syn::Expr::Tuple(values)))
                if ty.is_none() && names.elems.len() == values.elems.len() =>
            {
                self.let_each(names.elems.iter(), values.elems.iter(), stmts);
            }
            (syn::Pat::Wild(_), Some(value)) => {
                let value = self.expr(value);
                stmts.push(Stmt::Expr(value));
            }
            (pat, value) => {
                let value = value.map(|value| self.expr(value));
                if let Some((name, mutable)) = self.plain_name(pat) {
                    self.let_one(name, ty, mutable, value, stmts);
                    if let (Some(syn::Expr::Closure(_)), Some(Stmt::Let(id, _))) =
                        (init.map(peel), stmts.last())
                    {
                        self.closures.insert(*id);
                    }
                }
            }
        }
    }

    fn no_reference_type(&mut self, ty: &syn::Type) {
        if let syn::Type::Reference(reference) = ty {
            self.diag.error(
                rules::NO_REFERENCES,
                reference.and_token.span,
                "a local holds a value, references to locals are not in the kernel language",
            );
        }
    }

    fn let_one(
        &mut self,
        name: &Ident,
        ty: Option<syn::Type>,
        mutable: bool,
        value: Option<Expr>,
        stmts: &mut Vec<Stmt>,
    ) {
        let id = self.local(name.clone(), ty, mutable);
        if !mutable && value.is_some() {
            self.fixed.insert(id, format!("declare it `let mut {name}`"));
        }
        if !mutable {
            self.locals[id].id_of =
                value.as_ref().and_then(|value| super::uniform::id_of(value, &self.locals));
        }
        self.bind(name, id);
        stmts.push(Stmt::Let(id, value));
    }

    /// `let (a, b) = (x, y);`, all values before all names.
    fn let_each<'p>(
        &mut self,
        names: impl Iterator<Item = &'p syn::Pat>,
        values: impl Iterator<Item = &'p syn::Expr>,
        stmts: &mut Vec<Stmt>,
    ) {
        let values: Vec<Expr> = values.map(|value| self.expr(value)).collect();
        let names: Vec<_> = names.map(|pat| self.plain_name(pat)).collect();
        // A value that names what the pattern binds before it must be taken first.
        let clash = names.iter().flatten().any(|(name, _)| self.find(&name.to_string()).is_some());
        let values: Vec<Expr> = if clash {
            values
                .into_iter()
                .enumerate()
                .map(|(at, value)| {
                    if let ExprKind::GlobalId(_) = &value.kind {
                        return value;
                    }
                    let span = value.span;
                    let name = Ident::new(&format!("__tuple{at}"), Span::call_site());
                    let id = self.local(name, None, false);
                    stmts.push(Stmt::Let(id, Some(value)));
                    made(ExprKind::Local(id), span)
                })
                .collect()
        } else {
            values
        };
        for (name, value) in names.into_iter().zip(values) {
            if let Some((name, mutable)) = name {
                self.let_one(name, None, mutable, Some(value), stmts);
            }
        }
    }

    fn plain_name<'p>(&mut self, pat: &'p syn::Pat) -> Option<(&'p Ident, bool)> {
        match pat {
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                Some((&name.ident, name.mutability.is_some()))
            }
            other => {
                self.diag.error(
                    rules::NO_PATTERNS,
                    pat_anchor(other),
                    "a `let` of the kernel language binds one name, or a tuple of names to a \
                     tuple of as many values",
                );
                None
            }
        }
    }

    /// An expression where a statement is due. `tail` says that nothing follows, not even `;`.
    fn expr_stmt(&mut self, expr: &syn::Expr, tail: bool, stmts: &mut Vec<Stmt>) {
        let stmt = match peel(expr) {
            syn::Expr::Assign(assign) => {
                self.no_attributes(&assign.attrs);
                self.assign(&assign.left, &assign.right, assign.eq_token.span)
            }
            syn::Expr::Binary(binary) if is_update(&binary.op) => {
                self.no_attributes(&binary.attrs);
                self.update(&binary.left, &binary.op, &binary.right)
            }
            syn::Expr::If(branch) => Some(Stmt::Expr(self.if_expr(branch, false))),
            syn::Expr::ForLoop(looping) => self.for_stmt(looping),
            syn::Expr::While(looping) => {
                self.no_attributes(&looping.attrs);
                self.no_label(looping.label.as_ref());
                let cond = self.expr(&looping.cond);
                let body = self.loop_body(&looping.body);
                Some(Stmt::While(Some(cond), body, looping.while_token.span))
            }
            syn::Expr::Loop(looping) => {
                self.no_attributes(&looping.attrs);
                self.no_label(looping.label.as_ref());
                let body = self.loop_body(&looping.body);
                Some(Stmt::While(None, body, looping.loop_token.span))
            }
            syn::Expr::Block(inner) => {
                self.no_attributes(&inner.attrs);
                self.no_label(inner.label.as_ref());
                let block = self.block(&inner.block, false);
                let span = inner.block.brace_token.span.open();
                Some(Stmt::Expr(made(ExprKind::Block(block.into()), span)))
            }
            syn::Expr::Unsafe(inner) => {
                self.no_attributes(&inner.attrs);
                self.unsafes += 1;
                let block = self.block(&inner.block, false);
                self.unsafes -= 1;
                Some(Stmt::Unsafe(inner.unsafe_token, block))
            }
            syn::Expr::Return(leave) => self.return_stmt(leave),
            syn::Expr::Break(leave) => {
                self.plain_jump(leave.label.as_ref(), leave.expr.as_deref(), "break");
                self.in_loop(leave.break_token.span, "break");
                Some(Stmt::Break(leave.break_token.span))
            }
            syn::Expr::Continue(leave) => {
                self.plain_jump(leave.label.as_ref(), None, "continue");
                self.in_loop(leave.continue_token.span, "continue");
                Some(Stmt::Continue(leave.continue_token.span))
            }
            other => {
                if tail {
                    self.diag.error(
                        rules::VALUE_AT_THE_END,
                        anchor(other),
                        "this block has no value, end the expression with `;` or write its value \
                         to a parameter",
                    );
                }
                Some(Stmt::Expr(self.expr(other)))
            }
        };
        stmts.extend(stmt);
    }

    fn no_label(&mut self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.refuse_label(&label.name);
        }
    }

    fn refuse_label(&mut self, label: &syn::Lifetime) {
        self.diag.error(
            rules::NO_LABELS,
            label.ident.span(),
            "labels are not in the kernel language, leave the outer loop by a condition",
        );
    }

    fn plain_jump(&mut self, label: Option<&syn::Lifetime>, value: Option<&syn::Expr>, word: &str) {
        if let Some(label) = label {
            self.refuse_label(label);
        }
        if let Some(value) = value {
            self.diag.error(
                rules::BREAK_WITHOUT_VALUE,
                anchor(value),
                format!("`{word}` carries no value, assign it to a `let mut` before"),
            );
        }
    }

    fn in_loop(&mut self, span: Span, word: &str) {
        if self.loops == 0 {
            self.diag.error(
                rules::JUMP_IN_LOOP,
                span,
                format!("`{word}` outside of a loop, `return` ends the work item"),
            );
        }
    }

    fn loop_body(&mut self, block: &syn::Block) -> Block {
        self.loops += 1;
        let block = self.block(block, false);
        self.loops -= 1;
        block
    }

    fn return_stmt(&mut self, leave: &syn::ExprReturn) -> Option<Stmt> {
        self.no_attributes(&leave.attrs);
        let span = leave.return_token.span;
        if let Some(value) = &leave.expr
            && !matches!(self.host, Host::Device(true))
        {
            self.diag.error(
                rules::RETURN_WITHOUT_VALUE,
                anchor(value),
                "a kernel returns nothing, write the value to a parameter",
            );
            return None;
        }
        let value = leave.expr.as_deref().map(|value| self.expr(value));
        Some(Stmt::Return(value, span))
    }

    fn for_stmt(&mut self, looping: &syn::ExprForLoop) -> Option<Stmt> {
        self.no_attributes(&looping.attrs);
        self.no_label(looping.label.as_ref());
        let range = self.counted(&looping.expr);
        self.scopes.push(HashMap::new());
        let local = match &*looping.pat {
            syn::Pat::Wild(_) => self.local(Ident::new("__trip", Span::call_site()), None, false),
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let id = self.local(name.ident.clone(), None, name.mutability.is_some());
                if name.mutability.is_none() {
                    let text = format!("declare it `for mut {} in ..`", name.ident);
                    self.fixed.insert(id, text);
                }
                self.bind(&name.ident, id);
                id
            }
            other => {
                self.diag.error(
                    rules::COUNTER_NAME,
                    pat_anchor(other),
                    "a `for` loop counts with one name: `for k in lo..hi`",
                );
                self.local(Ident::new("__trip", Span::call_site()), None, false)
            }
        };
        let body = self.loop_body(&looping.body);
        self.scopes.pop();
        let (lo, hi, inclusive, rev, step) = range?;
        let span = looping.for_token.span;
        Some(Stmt::For(For { span, local, lo, hi, inclusive, rev, step, body }))
    }

    fn counted(&mut self, expr: &syn::Expr) -> Option<(Expr, Expr, bool, bool, Option<Expr>)> {
        let mut rev = false;
        let mut step = None;
        let mut at = peel(expr);
        loop {
            match at {
                syn::Expr::Paren(inner) => at = peel(&inner.expr),
                syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                    if rev {
                        return self.refuse_range(call.method.span());
                    }
                    rev = true;
                    at = peel(&call.receiver);
                }
                syn::Expr::MethodCall(call)
                    if call.method == "step_by" && call.args.len() == 1 && step.is_none() =>
                {
                    if rev {
                        self.diag.error(
                            rules::LOOP_ORDER,
                            call.method.span(),
                            "`.step_by(k).rev()` is not in the kernel language, write \
                             `.rev().step_by(k)`, which starts at the end",
                        );
                        return None;
                    }
                    step = call.args.first().map(|step| self.expr(step));
                    at = peel(&call.receiver);
                }
                syn::Expr::Range(range) => {
                    let (Some(lo), Some(hi)) = (&range.start, &range.end) else {
                        return self.refuse_range(first(&range.limits));
                    };
                    let (lo, hi) = (self.expr(lo), self.expr(hi));
                    let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                    return Some((lo, hi, inclusive, rev, step));
                }
                other => return self.refuse_range(anchor(other)),
            }
        }
    }

    fn refuse_range<T>(&mut self, span: Span) -> Option<T> {
        self.diag.error(
            rules::LOOP_RANGE,
            span,
            "a `for` loop runs over `lo..hi` or `lo..=hi`, with `.rev()` and `.step_by(k)`; take \
             elements by index in its body",
        );
        None
    }

    fn assign(&mut self, left: &syn::Expr, right: &syn::Expr, span: Span) -> Option<Stmt> {
        if let Some(cell) = self.cell(left) {
            return self.reduce_assign(cell, right, span);
        }
        let place = self.place(left);
        let value = self.expr(right);
        Some(Stmt::Assign(place?, value, span))
    }

    fn update(&mut self, left: &syn::Expr, op: &syn::BinOp, right: &syn::Expr) -> Option<Stmt> {
        let span = op_anchor(op);
        if let Some(cell) = self.cell(left) {
            return self.reduce_update(cell, op, right, span);
        }
        let place = self.place(left);
        let value = self.expr(right);
        Some(Stmt::Update(place?, *op, value, span))
    }

    /// The reduction cell that `*s` names.
    pub(super) fn cell(&self, expr: &syn::Expr) -> Option<usize> {
        let mut expr = peel(expr);
        while let syn::Expr::Paren(inner) = expr {
            expr = peel(&inner.expr);
        }
        let syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) = expr
        else {
            return None;
        };
        self.cell_name(inner)
    }

    /// The reduction cell that `s` names.
    pub(super) fn cell_name(&self, expr: &syn::Expr) -> Option<usize> {
        let mut expr = peel(expr);
        while let syn::Expr::Paren(inner) = expr {
            expr = peel(&inner.expr);
        }
        let syn::Expr::Path(path) = expr else { return None };
        match self.find(&path.path.get_ident()?.to_string())? {
            super::Named::Param(id) if matches!(self.params[id].role, Role::Reduce { .. }) => {
                Some(id)
            }
            _ => None,
        }
    }

    fn reduce_op(&self, cell: usize) -> ReduceOp {
        match self.params[cell].role {
            Role::Reduce { op, .. } => op,
            _ => ReduceOp::Add,
        }
    }

    fn reduce_update(
        &mut self,
        cell: usize,
        op: &syn::BinOp,
        right: &syn::Expr,
        span: Span,
    ) -> Option<Stmt> {
        let value = self.expr(right);
        let fits = matches!(
            (self.reduce_op(cell), op),
            (ReduceOp::Add, syn::BinOp::AddAssign(_))
                | (ReduceOp::Mul, syn::BinOp::MulAssign(_))
                | (ReduceOp::And, syn::BinOp::BitAndAssign(_))
                | (ReduceOp::Or, syn::BinOp::BitOrAssign(_))
                | (ReduceOp::Xor, syn::BinOp::BitXorAssign(_))
        );
        if !fits {
            self.wrong_update(cell, span);
            return None;
        }
        Some(Stmt::Reduce(cell, value, span))
    }

    fn wrong_update(&mut self, cell: usize, span: Span) {
        if self.is_unclear(cell) {
            return;
        }
        let name = &self.params[cell].name;
        let (word, form) = update_form(self.reduce_op(cell), name);
        self.diag.error(
            rules::REDUCE_UPDATE,
            span,
            format!("`{name}` is a reduction by `{word}`, update it by `{form}`"),
        );
    }

    /// `*s = s.min(e)`, `*s = *s + e` and the like.
    fn reduce_assign(&mut self, cell: usize, right: &syn::Expr, span: Span) -> Option<Stmt> {
        let op = self.reduce_op(cell);
        let mut at = peel(right);
        while let syn::Expr::Paren(inner) = at {
            at = peel(&inner.expr);
        }
        let is_cell = |this: &Self, expr: &syn::Expr| {
            this.cell(expr) == Some(cell) || this.cell_name(expr) == Some(cell)
        };
        let value = match at {
            syn::Expr::MethodCall(call)
                if call.args.len() == 1
                    && call.turbofish.is_none()
                    && is_cell(self, &call.receiver)
                    && (op == ReduceOp::Min && call.method == "min"
                        || op == ReduceOp::Max && call.method == "max") =>
            {
                call.args.first()
            }
            syn::Expr::Binary(binary) if is_reduce_op(op, &binary.op) => {
                if self.cell(&binary.left) == Some(cell) {
                    Some(&*binary.right)
                } else if self.cell(&binary.right) == Some(cell) {
                    Some(&*binary.left)
                } else {
                    None
                }
            }
            _ => None,
        };
        let Some(value) = value else {
            self.wrong_update(cell, span);
            return None;
        };
        let value = self.expr(value);
        Some(Stmt::Reduce(cell, value, span))
    }
}

fn is_reduce_op(op: ReduceOp, written: &syn::BinOp) -> bool {
    matches!(
        (op, written),
        (ReduceOp::Add, syn::BinOp::Add(_))
            | (ReduceOp::Mul, syn::BinOp::Mul(_))
            | (ReduceOp::And, syn::BinOp::BitAnd(_))
            | (ReduceOp::Or, syn::BinOp::BitOr(_))
            | (ReduceOp::Xor, syn::BinOp::BitXor(_))
    )
}

fn update_form(op: ReduceOp, name: &Ident) -> (&'static str, String) {
    match op {
        ReduceOp::Add => ("+", format!("*{name} += e")),
        ReduceOp::Mul => ("*", format!("*{name} *= e")),
        ReduceOp::And => ("&", format!("*{name} &= e")),
        ReduceOp::Or => ("|", format!("*{name} |= e")),
        ReduceOp::Xor => ("^", format!("*{name} ^= e")),
        ReduceOp::Min => ("min", format!("*{name} = {name}.min(e)")),
        ReduceOp::Max => ("max", format!("*{name} = {name}.max(e)")),
    }
}

/// Whether the operator assigns.
pub(super) fn is_update(op: &syn::BinOp) -> bool {
    use syn::BinOp as B;
    matches!(
        op,
        B::AddAssign(_)
            | B::SubAssign(_)
            | B::MulAssign(_)
            | B::DivAssign(_)
            | B::RemAssign(_)
            | B::BitXorAssign(_)
            | B::BitAndAssign(_)
            | B::BitOrAssign(_)
            | B::ShlAssign(_)
            | B::ShrAssign(_)
    )
}
