//! Atomic operations: those that the device has, and loops of `compare_exchange` for floats. Each stands
//! in a statement of its own, as it must run once and in its place.

use super::body::Body;
use super::code::Code;
use super::dialect::Dialect;
use super::expr::scalar;
use super::{number, operator};
use crate::ir::{AtomicOp, BinOp, FloatMode};
use crate::resolve::typed::{Access, Expr};
use crate::ty::{ScalarTy, Ty};

/// Whether a type has an operation.
fn exists(op: AtomicOp, ty: ScalarTy) -> bool {
    let is_bit = matches!(op, AtomicOp::FetchAnd | AtomicOp::FetchOr | AtomicOp::FetchXor);
    ty.size() >= 4 && ty != ScalarTy::Bool && !(ty.is_float() && is_bit)
}

/// The name of a loop.
fn name(op: AtomicOp, ty: ScalarTy) -> String {
    let op = match op {
        AtomicOp::Load => "load",
        AtomicOp::Store => "store",
        AtomicOp::FetchAdd => "add",
        AtomicOp::FetchSub => "sub",
        AtomicOp::FetchMin => "min",
        AtomicOp::FetchMax => "max",
        AtomicOp::FetchAnd => "and",
        AtomicOp::FetchOr => "or",
        AtomicOp::FetchXor => "xor",
        AtomicOp::Swap => "swap",
        AtomicOp::CompareExchange => "compare_exchange",
    };
    format!("flash_atomic_{op}_{}", ty.name())
}

impl Body<'_, '_> {
    /// An operation on an element; its value where it is wanted.
    pub(super) fn atomic(
        &mut self,
        access: &Access,
        op: AtomicOp,
        args: &[Expr],
        wanted: bool,
    ) -> Code {
        let Some(ty) = scalar(&self.element_ty(access)).filter(|ty| exists(op, *ty)) else {
            return self.no(access.span, "an atomic operation of a type that does not have it");
        };
        let (mut args, reached) = self.cell(access, args);
        if reached.check.is_some() {
            // Evaluated even where there is no element.
            for arg in &mut args {
                *arg = if arg.has_effect { self.keep(arg) } else { arg.clone() };
            }
        }
        self.to.atomics64 |= ty.size() == 8;
        let texts: Vec<&str> = args.iter().map(Code::plain).collect();
        // What is stored is swapped: the old value is left.
        let does = if op == AtomicOp::Store { AtomicOp::Swap } else { op };
        let pointer = format!("&{}", reached.text);
        let is_fast = self.to.kernel.ir.float == FloatMode::Fast;
        let text = if op == AtomicOp::Load {
            reached.text.clone()
        } else if let Some(text) = self.to.dialect.atomic(does, ty, is_fast, &pointer, &texts) {
            self.to.atomics64_wide |= ty.size() == 8
                && matches!(
                    op,
                    AtomicOp::FetchMin
                        | AtomicOp::FetchMax
                        | AtomicOp::FetchAnd
                        | AtomicOp::FetchOr
                        | AtomicOp::FetchXor
                );
            text
        } else {
            self.to.loops.insert((does, ty));
            format!("{}({pointer}, {})", name(does, ty), texts.join(", "))
        };
        if !wanted {
            self.guarded(&reached.check, &format!("(void){text};"));
            return Code::unit();
        }
        let mut code = Code::atom(text, Ty::Scalar(ty));
        if let Some((inside, missed)) = &reached.check {
            let zero = number::literal(0, ty, self.to.dialect).text;
            code.text = super::place::chosen(inside, &code.text, missed, &zero);
        }
        code.has_effect = true;
        self.keep(&code)
    }
}

/// The loops.
pub(super) fn loops<'a>(
    of: impl Iterator<Item = &'a (AtomicOp, ScalarTy)>,
    dialect: &dyn Dialect,
) -> String {
    of.map(|(op, ty)| one(*op, *ty, dialect)).collect::<Vec<_>>().join("\n")
}

/// An operation on a float. Bits are exchanged, so that NaNs and zeros of both signs are told apart.
fn one(op: AtomicOp, ty: ScalarTy, dialect: &dyn Dialect) -> String {
    let bits = if ty == ScalarTy::F64 { ScalarTy::U64 } else { ScalarTy::U32 };
    let (float, int) = (dialect.scalar(ty), dialect.scalar(bits));
    let (function, global, name) = (dialect.function(), dialect.global(), name(op, ty));
    let to_bits = |text: &str| dialect.bits_of(ty, text);
    let exchange = |args: &[&str]| {
        dialect.atomic(AtomicOp::CompareExchange, bits, false, "at", args).unwrap_or_default()
    };
    let cast = format!("volatile {global}{int} *at = (volatile {global}{int} *)cell;");
    match op {
        AtomicOp::CompareExchange => {
            let exchange = exchange(&[&to_bits("current"), &to_bits("wanted")]);
            return format!(
                "{function}void {name}(volatile {global}{float} *cell, {float} current, {float} wanted)
{{
    {cast}
    (void){exchange};
}}
"
            );
        }
        AtomicOp::Swap => {
            let swap = dialect
                .atomic(AtomicOp::Swap, bits, false, "at", &[&to_bits("by")])
                .unwrap_or_default();
            let old = dialect.float_of(ty, &swap);
            return format!(
                "{function}{float} {name}(volatile {global}{float} *cell, {float} by)
{{
    {cast}
    return {old};
}}
"
            );
        }
        _ => {}
    }
    let (old, by) = (Code::atom("value", Ty::Scalar(ty)), Code::atom("by", Ty::Scalar(ty)));
    let new = match op {
        AtomicOp::FetchMin => "by < value ? by : value".to_owned(),
        AtomicOp::FetchMax => "by > value ? by : value".to_owned(),
        AtomicOp::FetchSub => operator::binary(BinOp::Sub, &old, &by, ty, dialect).text,
        _ => operator::binary(BinOp::Add, &old, &by, ty, dialect).text,
    };
    let exchange = exchange(&["old", &to_bits("changed")]);
    let value = dialect.float_of(ty, "old");
    format!(
        "{function}{float} {name}(volatile {global}{float} *cell, {float} by)
{{
    {cast}
    {int} old = *at;
    for (;;) {{
        const {float} value = {value};
        const {float} changed = {new};
        const {int} seen = {exchange};
        if (seen == old) {{
            return value;
        }}
        old = seen;
    }}
}}
"
    )
}
