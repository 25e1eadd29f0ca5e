//! Expressions without calls; what is not in the language is refused here.

use super::stmt::is_update;
use super::words::{anchor, first, op_anchor, path_anchor, peel};
use super::{Lower, Named, made};
use crate::kernel::model::{Block, Expr, ExprKind, Form, Role};
use crate::rules;

impl Lower<'_> {
    /// An expression whose value is used.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        use syn::Expr as E;
        let span = anchor(expr);
        match expr {
            E::Group(inner) => self.expr(&inner.expr),
            E::Lit(lit) => self.lit(&lit.lit),
            E::Path(path) => self.path(path),
            E::Paren(inner) => {
                self.no_attributes(&inner.attrs);
                let inner = self.expr(&inner.expr);
                made(ExprKind::Paren(Box::new(inner)), span)
            }
            E::Unary(unary) => self.unary(unary),
            E::Binary(binary) => self.binary(binary),
            E::Cast(cast) => self.cast(cast),
            E::Call(call) => self.call(call),
            E::MethodCall(call) => self.method(call),
            E::Index(index) => self.index(index),
            E::Field(field) => {
                self.no_attributes(&field.attrs);
                let base = self.expr(&field.base);
                made(ExprKind::Field(Box::new(base), field.member.clone()), span)
            }
            E::If(branch) => self.if_expr(branch, true),
            E::Block(inner) if inner.label.is_none() => {
                self.no_attributes(&inner.attrs);
                let block = self.block(&inner.block, true);
                made(ExprKind::Block(block.into()), span)
            }
            E::Unsafe(inner) => {
                self.no_attributes(&inner.attrs);
                self.unsafes += 1;
                let block = self.block(&inner.block, true);
                self.unsafes -= 1;
                made(ExprKind::Unsafe(inner.unsafe_token, block.into()), span)
            }
            E::Struct(literal) => self.struct_literal(literal),
            E::Array(list) => {
                self.no_attributes(&list.attrs);
                if list.elems.is_empty() {
                    return self.no_elements(list.bracket_token.span.open());
                }
                let parts = list.elems.iter().map(|part| self.expr(part)).collect();
                made(ExprKind::Array(parts), span)
            }
            E::Repeat(repeat) => {
                self.no_attributes(&repeat.attrs);
                let value = self.expr(&repeat.expr);
                let len = self.repeat_len(&repeat.len);
                made(ExprKind::Repeat(Box::new(value), Box::new(len)), span)
            }
            other => self.refused(other),
        }
    }

    fn repeat_len(&mut self, len: &syn::Expr) -> Expr {
        let lowered = self.expr(len);
        match lowered.kind {
            ExprKind::Lit(syn::Lit::Int(ref n)) if n.base10_digits() == "0" => {
                self.no_elements(anchor(len))
            }
            ExprKind::Lit(_) | ExprKind::Const(_) => lowered,
            _ => self.refuse(
                rules::REPEAT_LENGTH,
                anchor(len),
                "the length of a small array is a literal or a constant",
            ),
        }
    }

    fn no_elements(&mut self, at: proc_macro2::Span) -> Expr {
        self.refuse(
            rules::EMPTY_ARRAY,
            at,
            "an array without elements has no bytes, and devices have no such values",
        )
    }

    fn lit(&mut self, lit: &syn::Lit) -> Expr {
        let span = lit.span();
        let wide = |suffix: &str| matches!(suffix, "i128" | "u128" | "f16" | "f128");
        match lit {
            syn::Lit::Int(int) if !wide(int.suffix()) => made(ExprKind::Lit(lit.clone()), span),
            syn::Lit::Float(float) if !wide(float.suffix()) => {
                made(ExprKind::Lit(lit.clone()), span)
            }
            syn::Lit::Bool(_) => made(ExprKind::Lit(lit.clone()), span),
            syn::Lit::Int(_) | syn::Lit::Float(_) => self.refuse(
                rules::LITERAL_WIDTH,
                span,
                "no device has this type, scalars are of 8 to 64 bits",
            ),
            _ => self.refuse(
                rules::NO_TEXT,
                span,
                "characters and strings are not in the kernel language, which has numbers and \
                 `bool`",
            ),
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Expr {
        self.no_attributes(&path.attrs);
        let span = path_anchor(&path.path);
        if path.qself.is_some() {
            return self.refuse(
                rules::QUALIFIED_PATH,
                first(path),
                "`<T as Trait>` paths are not in the kernel language, bind the value to a `const`",
            );
        }
        let Some(name) = path.path.get_ident() else {
            return made(ExprKind::Const(path.path.clone()), span);
        };
        let text = name.to_string();
        match self.find(&text) {
            Some(Named::Local(id)) => made(ExprKind::Local(id), span),
            Some(Named::Param(id)) => self.param_value(id, span),
            None if text == "self" || text == "Self" => self.refuse(
                rules::NO_SELF,
                span,
                "kernels and device functions have no `self`, pass the values as parameters",
            ),
            None => made(ExprKind::Const(path.path.clone()), span),
        }
    }

    fn param_value(&mut self, id: usize, span: proc_macro2::Span) -> Expr {
        if self.is_unclear(id) {
            return super::nothing(span);
        }
        let param = &self.params[id];
        let name = &param.name;
        match (param.form, param.role) {
            (Form::Value, _) => made(ExprKind::Param(id), span),
            (_, Role::Reduce { .. }) => self.refuse(
                rules::REDUCE_READ,
                span,
                format!(
                    "`{name}` is a reduction: the items of a launch add to it and none sees its \
                     value, read it after the launch"
                ),
            ),
            _ => self.refuse(
                rules::ARRAY_AS_VALUE,
                span,
                format!(
                    "`{name}` is an array, use an element (`{name}[i]`), `{name}.len()` or \
                     `{name}.extent(d)`"
                ),
            ),
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Expr {
        self.no_attributes(&unary.attrs);
        match unary.op {
            syn::UnOp::Neg(_) | syn::UnOp::Not(_) => {
                let inner = self.expr(&unary.expr);
                made(ExprKind::Unary(unary.op, Box::new(inner)), first(&unary.op))
            }
            _ => self.refuse_deref(unary),
        }
    }

    pub(super) fn refuse_deref(&mut self, unary: &syn::ExprUnary) -> Expr {
        if let Some(cell) = self.cell_name(&unary.expr) {
            return self.param_value(cell, anchor(&unary.expr));
        }
        self.refuse(
            rules::NO_DEREF,
            first(&unary.op),
            "there are no references to look behind, `*` stands before a reduction cell only",
        )
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Expr {
        self.no_attributes(&binary.attrs);
        let span = op_anchor(&binary.op);
        if is_update(&binary.op) {
            return self.refuse_assignment(span);
        }
        let left = self.expr(&binary.left);
        let right = self.expr(&binary.right);
        let span = left.span;
        made(ExprKind::Binary(Box::new(left), binary.op, Box::new(right)), span)
    }

    fn refuse_assignment(&mut self, span: proc_macro2::Span) -> Expr {
        self.refuse(
            rules::ASSIGNMENT_AS_VALUE,
            span,
            "an assignment has no value, write it as a statement of its own",
        )
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Expr {
        self.no_attributes(&cast.attrs);
        let inner = self.expr(&cast.expr);
        match super::words::peel_type(&cast.ty) {
            ty @ syn::Type::Path(_) => {
                let span = inner.span;
                made(ExprKind::Cast(Box::new(inner), ty.clone()), span)
            }
            other => self.refuse(
                rules::CAST_TARGET,
                first(other),
                "`as` is followed by a scalar type: `bool`, `i8` to `i64`, `u8` to `u64`, \
                 `isize`, `usize`, `f32` or `f64`",
            ),
        }
    }

    fn index(&mut self, index: &syn::ExprIndex) -> Expr {
        self.no_attributes(&index.attrs);
        let span = anchor(&index.expr);
        if let Some((param, span)) = self.array_name(&index.expr) {
            let Some(access) = self.access(param, span, &index.index) else {
                return super::nothing(span);
            };
            if self.params[param].role == Role::Atomic {
                let name = &self.params[param].name;
                return self.refuse(
                    rules::ATOMIC_READ,
                    span,
                    format!("`{name}` holds atomic cells, read one by `{name}[i].load()`"),
                );
            }
            return made(ExprKind::Load(access.into()), span);
        }
        let base = self.expr(&index.expr);
        if let syn::Expr::Range(_) = peel(&index.index) {
            return self.refuse(
                rules::SUBARRAY,
                anchor(&index.index),
                "a part of a small array is not a value, take its elements one by one",
            );
        }
        let at = self.expr(&index.index);
        made(ExprKind::Index(Box::new(base), Box::new(at)), span)
    }

    /// `if`; with `value` its branches end in one.
    pub(super) fn if_expr(&mut self, branch: &syn::ExprIf, value: bool) -> Expr {
        self.no_attributes(&branch.attrs);
        let span = branch.if_token.span;
        let cond = self.expr(&branch.cond);
        let yes = self.block(&branch.then_branch, value);
        let no = branch.else_branch.as_ref().map(|(_, other)| match peel(other) {
            syn::Expr::Block(block) => self.block(&block.block, value),
            syn::Expr::If(next) => {
                let next = self.if_expr(next, value);
                if value {
                    Block { stmts: Vec::new(), tail: Some(Box::new(next)) }
                } else {
                    Block { stmts: vec![crate::kernel::model::Stmt::Expr(next)], tail: None }
                }
            }
            other => {
                let tail = self.refused(other);
                Block { stmts: Vec::new(), tail: Some(Box::new(tail)) }
            }
        });
        if value && no.is_none() {
            return self.refuse(
                rules::IF_NEEDS_ELSE,
                span,
                "this `if` is used as a value, give it an `else`",
            );
        }
        made(ExprKind::If(Box::new(cond), yes.into(), no.map(Into::into)), span)
    }

    fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Expr {
        self.no_attributes(&literal.attrs);
        let span = path_anchor(&literal.path);
        if let Some(rest) = &literal.dot2_token {
            return self.refuse(
                rules::STRUCT_REST,
                first(rest),
                "name every field, `..` is not in the kernel language",
            );
        }
        if literal.qself.is_some() {
            return self.refuse(
                rules::QUALIFIED_PATH,
                first(literal),
                "`<T as Trait>` paths are not in the kernel language, bind the value to a `const`",
            );
        }
        let mut fields = Vec::new();
        for field in &literal.fields {
            self.no_attributes(&field.attrs);
            let value = self.expr(&field.expr);
            match &field.member {
                syn::Member::Named(name) => fields.push((name.clone(), value)),
                syn::Member::Unnamed(index) => {
                    return self.refuse(
                        rules::STRUCT_FIELDS,
                        index.span,
                        "structures of the kernel language have named fields",
                    );
                }
            }
        }
        made(ExprKind::Struct(literal.path.clone(), fields), span)
    }

    /// What is Rust but not the kernel language.
    fn refused(&mut self, expr: &syn::Expr) -> Expr {
        use syn::Expr as E;
        let span = anchor(expr);
        let (rule, message) = match expr {
            E::Match(_) => (rules::NO_MATCH, "`match` is not in the kernel language, use `if`"),
            E::Closure(_) => (
                rules::NO_CLOSURES,
                "closures are not in the kernel language, use a `#[flash::device]` function",
            ),
            E::Try(_) => (
                rules::NO_TRY,
                "`?` has nowhere to return an error to, write a status to a parameter",
            ),
            E::Await(_) | E::Async(_) => {
                (rules::NO_AWAIT, "a kernel does not wait, pass the value as a parameter")
            }
            E::Reference(_) | E::RawAddr(_) => (
                rules::NO_REFERENCES,
                "references to values are not in the kernel language, use the value itself",
            ),
            E::Tuple(_) => (
                rules::NO_TUPLES,
                "tuples stand in `let (a, b) = (x, y);` only, use a struct that derives \
                 `flash::Pod`",
            ),
            E::Range(_) => {
                (rules::RANGE_AS_VALUE, "a range stands after `in` of a `for` loop only")
            }
            E::Let(_) => {
                (rules::NO_PATTERNS, "`if let` and `while let` need patterns, use a condition")
            }
            E::Macro(mac) => return self.refuse_macro(&mac.mac),
            E::Assign(_) => return self.refuse_assignment(span),
            E::Return(_)
            | E::Break(_)
            | E::Continue(_)
            | E::ForLoop(_)
            | E::While(_)
            | E::Loop(_)
            | E::Block(_) => (
                rules::STATEMENT_AS_VALUE,
                "a loop or jump is a statement of its own, assign to a `let mut` in it to keep a \
                 value",
            ),
            E::Infer(_) => (rules::NO_PLACEHOLDER, "`_` is not a value"),
            _ => (rules::OTHER_EXPRESSION, "this expression is not in the kernel language"),
        };
        self.refuse(rule, span, message)
    }

    pub(super) fn refuse_macro(&mut self, mac: &syn::Macro) -> Expr {
        let span = path_anchor(&mac.path);
        if mac.path.is_ident("shared") {
            return self.refuse_reserved("shared!", span);
        }
        let name = mac.path.segments.last().map(|last| last.ident.to_string());
        let message = match name.as_deref() {
            Some("print" | "println" | "eprint" | "eprintln" | "dbg") => {
                "a kernel cannot print: write to an array and print that in a host task"
            }
            _ => "macros are not expanded in kernels, write out what it stands for",
        };
        self.refuse(rules::NO_MACROS, span, message)
    }

    pub(super) fn refuse_reserved(&mut self, word: &str, span: proc_macro2::Span) -> Expr {
        let rule = match word.trim_end_matches('!') {
            "barrier" => rules::RESERVED_BARRIER,
            "shared" => rules::RESERVED_SHARED,
            "local_id" | "local_size" => rules::RESERVED_LOCAL_ID,
            _ => rules::RESERVED_GROUP_ID,
        };
        self.refuse(
            rule,
            span,
            format!(
                "`{word}` is reserved and not available in this version, items are independent"
            ),
        )
    }
}
