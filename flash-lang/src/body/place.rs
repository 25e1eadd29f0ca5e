//! What can be assigned, and how array parameters are indexed.

use proc_macro2::Span;

use super::words::{anchor, peel};
use super::{Lower, Named};
use crate::kernel::model::{Access, AccessClass, Expr, Form, Place, Proj, Role};
use crate::rules;

impl Lower<'_> {
    /// The left side of an assignment.
    pub(super) fn place(&mut self, expr: &syn::Expr) -> Option<Place> {
        let mut steps = Vec::new();
        let mut at = peel(expr);
        loop {
            match at {
                syn::Expr::Paren(inner) => at = peel(&inner.expr),
                syn::Expr::Field(field) => {
                    self.no_attributes(&field.attrs);
                    steps.push(Proj::Field(field.member.clone()));
                    at = peel(&field.base);
                }
                syn::Expr::Index(index) => {
                    self.no_attributes(&index.attrs);
                    if let Some((param, span)) = self.array_name(&index.expr) {
                        let access = self.access(param, span, &index.index);
                        self.may_write(param, span);
                        steps.reverse();
                        return Some(Place::Elem(access?, steps));
                    }
                    steps.push(Proj::Index(self.expr(&index.index)));
                    at = peel(&index.expr);
                }
                syn::Expr::Path(path) => {
                    steps.reverse();
                    return self.path_place(path, steps);
                }
                syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                    self.refuse_deref(unary);
                    return None;
                }
                other => {
                    self.diag.error(
                        rules::ASSIGNABLE,
                        anchor(other),
                        "cannot be assigned, the left side is a local, `y[i]`, or a field of them",
                    );
                    return None;
                }
            }
        }
    }

    fn path_place(&mut self, path: &syn::ExprPath, steps: Vec<Proj>) -> Option<Place> {
        let span = super::words::path_anchor(&path.path);
        let named = path.path.get_ident().and_then(|name| self.find(&name.to_string()));
        match named {
            Some(Named::Local(id)) => match self.fixed.get(&id) {
                Some(advice) => {
                    let name = &self.locals[id].name;
                    let message = format!("`{name}` is assigned and not `mut`, {advice}");
                    self.diag.error(rules::ASSIGN_FIXED, span, message);
                    None
                }
                None => Some(Place::Local(id, span, steps)),
            },
            // What it is was not understood, and that was said.
            Some(Named::Param(id)) if self.is_unclear(id) => None,
            Some(Named::Param(id)) => {
                let name = &self.params[id].name;
                let message = match self.params[id].role {
                    Role::Value => format!(
                        "`{name}` is passed by value and the same for all work items, assign to a \
                         copy: `let mut {name} = {name};`"
                    ),
                    Role::Reduce { .. } => {
                        format!("`{name}` is a reduction cell, write `*{name}` on the left side")
                    }
                    _ => format!("`{name}` is an array, assign to one element: `{name}[i] = ..`"),
                };
                self.diag.error(rules::ASSIGN_PARAMETER, span, message);
                None
            }
            None => {
                let text = path.path.segments.last().map(|segment| segment.ident.to_string());
                self.diag.error(
                    rules::ASSIGN_UNKNOWN,
                    span,
                    format!(
                        "`{}` is neither a local nor a parameter of this kernel",
                        text.unwrap_or_default()
                    ),
                );
                None
            }
        }
    }

    /// Whether a `&mut T` does not say how the items share it.
    pub(super) fn is_unclear(&self, param: usize) -> bool {
        self.params[param].form == Form::Cell && self.diag.has(rules::CELL_NEEDS_REDUCE)
    }

    /// The array parameter that an expression names, and the span of the name.
    pub(super) fn array_name(&self, expr: &syn::Expr) -> Option<(usize, Span)> {
        let mut expr = peel(expr);
        while let syn::Expr::Paren(inner) = expr {
            expr = peel(&inner.expr);
        }
        let syn::Expr::Path(path) = expr else { return None };
        let name = path.path.get_ident()?;
        match self.find(&name.to_string())? {
            Named::Param(id) if !matches!(self.params[id].form, Form::Value | Form::Cell) => {
                Some((id, name.span()))
            }
            _ => None,
        }
    }

    /// `x[index]`
    pub(super) fn access(&mut self, param: usize, span: Span, index: &syn::Expr) -> Option<Access> {
        let site = self.n_sites;
        self.n_sites += 1;
        let index = self.indices(param, span, index)?;
        let class = if self.unsafes > 0 { AccessClass::Unchecked } else { AccessClass::Checked };
        Some(Access { param, site, span, index, affine: Vec::new(), class })
    }

    fn indices(&mut self, param: usize, span: Span, index: &syn::Expr) -> Option<Vec<Expr>> {
        let index = peel(index);
        let (name, rank) = (&self.params[param].name, self.params[param].rank);
        let view = self.params[param].form == Form::View;
        let found = match index {
            syn::Expr::Array(list) if view => list.elems.iter().collect(),
            syn::Expr::Range(range) => {
                let message = format!(
                    "a body takes one element at a time, pass a view of `{name}` at the call \
                     instead of a range"
                );
                let at = range.start.as_deref().map_or_else(|| anchor(index), anchor);
                self.diag.error(rules::INDEX_RANGE, at, message);
                return None;
            }
            other => vec![other],
        };
        if found.len() != rank {
            let wanted = if rank == 1 {
                format!("`{name}[i]`")
            } else {
                format!("`{name}[[{}]]`", ["l", "k", "j", "i"][4 - rank..].join(", "))
            };
            let message = format!(
                "`{name}` has rank {rank} and is indexed by {}, write {wanted}",
                if found.len() == 1 {
                    "one number".to_owned()
                } else {
                    format!("{} numbers", found.len())
                },
            );
            self.diag.error(rules::INDEX_RANK, span, message);
            return None;
        }
        Some(found.into_iter().map(|part| self.expr(part)).collect())
    }

    fn may_write(&mut self, param: usize, span: Span) {
        let param = &self.params[param];
        let name = &param.name;
        match param.role {
            Role::In => {
                let wanted = match param.form {
                    Form::View => format!("ViewMut<'_, _, {}>", param.rank),
                    _ => "&mut [_]".to_owned(),
                };
                self.diag.error(
                    rules::WRITE_TO_INPUT,
                    span,
                    format!("`{name}` is an input, declare it `{name}: {wanted}` to write to it"),
                );
            }
            Role::Atomic => self.diag.error(
                rules::ATOMIC_ASSIGN,
                span,
                format!(
                    "`{name}` holds atomic cells, change them by a method: `{name}[i].store(e)`, \
                     `{name}[i].fetch_add(e)`"
                ),
            ),
            _ => {}
        }
    }
}
