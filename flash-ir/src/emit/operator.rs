//! Operators on scalars as C: what wraps in Rust is computed without sign, and what is narrower than
//! `int` is cut back. Division of integers here is the plain one; who writes it has looked at the divisor.

use super::code::{Code, Level, bracketed};
use super::dialect::Dialect;
use super::{math, number};
use crate::ir::{BinOp, UnOp};
use crate::ty::{ScalarTy, Ty};

/// The operator in C, and how its sides are bracketed.
fn symbol(op: BinOp) -> (&'static str, Level, Level, Level) {
    use Level::{Both, Comparison, Loose, Prefix, Product, Sum};
    match op {
        BinOp::Add => ("+", Sum, Sum, Product),
        BinOp::Sub => ("-", Sum, Sum, Product),
        BinOp::Mul => ("*", Product, Product, Prefix),
        BinOp::Div => ("/", Product, Product, Prefix),
        BinOp::Rem => ("%", Product, Product, Prefix),
        BinOp::And => ("&", Loose, Prefix, Prefix),
        BinOp::Or => ("|", Loose, Prefix, Prefix),
        BinOp::Xor => ("^", Loose, Prefix, Prefix),
        BinOp::Shl => ("<<", Loose, Prefix, Prefix),
        BinOp::Shr => (">>", Loose, Prefix, Prefix),
        BinOp::LazyAnd => ("&&", Both, Both, Comparison),
        BinOp::LazyOr => ("||", Loose, Comparison, Comparison),
        BinOp::Eq => ("==", Comparison, Sum, Sum),
        BinOp::Ne => ("!=", Comparison, Sum, Sum),
        BinOp::Lt => ("<", Comparison, Sum, Sum),
        BinOp::Le => ("<=", Comparison, Sum, Sum),
        BinOp::Gt => (">", Comparison, Sum, Sum),
        BinOp::Ge => (">=", Comparison, Sum, Sum),
    }
}

/// Two texts with an operator between them.
fn between(op: BinOp, a: (&str, Level), b: (&str, Level)) -> (String, Level) {
    let (symbol, level, left, right) = symbol(op);
    (format!("{} {symbol} {}", bracketed(a.0, a.1, left), bracketed(b.0, b.1, right)), level)
}

/// Whether the result is a `bool`.
pub(super) fn compares(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
}

/// What is said of an operator that a type does not have.
pub(super) fn absent(op: &str, ty: &Ty) -> String {
    match ty {
        Ty::Struct(structure) => {
            format!("`{op}` of `{}`; write what it computes with the fields", structure.name)
        }
        _ => format!("`{op}` of what does not have it"),
    }
}

/// Whether there is such an operator on operands of a type; a shift has any integer on its right.
pub(super) fn exists(op: BinOp, ty: ScalarTy) -> bool {
    let is_bit = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor);
    let is_lazy = matches!(op, BinOp::LazyAnd | BinOp::LazyOr);
    let is_shift = matches!(op, BinOp::Shl | BinOp::Shr);
    match ty {
        ScalarTy::Bool => is_bit || is_lazy || compares(op),
        _ if ty.is_float() => !is_bit && !is_lazy && !is_shift,
        _ => !is_lazy,
    }
}

/// Whether `a op= b` says it in C: whether nothing is computed in another type and cut back by hand.
pub(super) fn assigns(op: BinOp, ty: ScalarTy) -> bool {
    let is_shift = matches!(op, BinOp::Shl | BinOp::Shr);
    let is_small = ty.size() < 4 && op == BinOp::Mul;
    if ty.is_float() { op != BinOp::Rem } else { !ty.is_signed() && !is_shift && !is_small }
}

/// The symbol of an operator.
pub(super) fn text(op: BinOp) -> &'static str {
    symbol(op).0
}

/// The operands and the operator, of type `ty` (of a shift: of its left side).
pub(super) fn binary(op: BinOp, a: &Code, b: &Code, ty: ScalarTy, dialect: &dyn Dialect) -> Code {
    let (x, y) = ((a.text.as_str(), a.level), (b.text.as_str(), b.level));
    let result = if compares(op) { ScalarTy::Bool } else { ty };
    let of =
        |(text, level): (String, Level)| Code::stable(text, level, Ty::Scalar(result)).of(&[a, b]);
    if ty == ScalarTy::Bool || compares(op) {
        return of(between(op, x, y));
    }
    if ty.is_float() {
        return if op == BinOp::Rem {
            let name = math::remainder(ty).unwrap_or_default();
            of((format!("{name}({}, {})", a.text, b.text), Level::Atom))
        } else {
            of(between(op, x, y))
        };
    }
    let by;
    let y = if matches!(op, BinOp::Shl | BinOp::Shr) {
        by = masked(b, ty);
        (by.0.as_str(), by.1)
    } else {
        y
    };
    let wraps = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
    if !wraps {
        return of(between(op, x, y));
    }
    if ty.size() < 4 {
        // The product of two `ushort` may not fit the `int` that they become.
        let wide = ty == ScalarTy::U16 && op == BinOp::Mul || op == BinOp::Shl;
        let (text, level) = if wide {
            let left = format!("({}){}", dialect.scalar(ScalarTy::U32), a.under(Level::Prefix));
            between(op, (&left, Level::Prefix), y)
        } else {
            between(op, x, y)
        };
        let cut = format!("({}){}", dialect.scalar(ty), bracketed(&text, level, Level::Prefix));
        return of((cut, Level::Prefix));
    }
    if !ty.is_signed() {
        return of(between(op, x, y));
    }
    let left = without_sign(a, ty, dialect);
    let right = if op == BinOp::Shl { (y.0.to_owned(), y.1) } else { without_sign(b, ty, dialect) };
    signed_again(between(op, (&left.0, left.1), (&right.0, right.1)), ty, dialect).of(&[a, b])
}

/// A signed integer of 32 or 64 bits as the unsigned one of the same bits.
fn without_sign(code: &Code, ty: ScalarTy, dialect: &dyn Dialect) -> (String, Level) {
    code.unsigned.clone().unwrap_or_else(|| {
        let name = dialect.scalar(number::unsigned(ty));
        (format!("({name}){}", code.under(Level::Prefix)), Level::Prefix)
    })
}

/// An unsigned computation as the signed integer of the same bits.
fn signed_again(inner: (String, Level), ty: ScalarTy, dialect: &dyn Dialect) -> Code {
    let text = format!("({}){}", dialect.scalar(ty), bracketed(&inner.0, inner.1, Level::Prefix));
    let mut code = Code::stable(text, Level::Prefix, Ty::Scalar(ty));
    code.unsigned = Some(inner);
    code
}

/// By how much a shift shifts: as many low bits of its right side as the type has places for.
fn masked(by: &Code, ty: ScalarTy) -> (String, Level) {
    let mask = 8 * ty.size() - 1;
    let digits = by.text.trim_end_matches(['u', 'l', 'L', 'U']);
    match digits.parse::<u64>() {
        Ok(by) => (format!("{}", by & mask as u64), Level::Atom),
        Err(_) => (format!("{} & {mask}", by.under(Level::Prefix)), Level::Loose),
    }
}

/// A prefix operator.
pub(super) fn unary(op: UnOp, a: &Code, ty: ScalarTy, dialect: &dyn Dialect) -> Option<Code> {
    let of = |text: String| Code::stable(text, Level::Prefix, Ty::Scalar(ty)).of(&[a]);
    let inner = a.under(Level::Atom);
    Some(match op {
        UnOp::Not if ty == ScalarTy::Bool => of(format!("!{inner}")),
        UnOp::Not if ty.is_float() => return None,
        UnOp::Not if ty.size() < 4 => of(format!("({})~{inner}", dialect.scalar(ty))),
        UnOp::Not => of(format!("~{inner}")),
        UnOp::Neg if ty == ScalarTy::Bool => return None,
        UnOp::Neg if ty.is_float() => of(format!("-{inner}")),
        UnOp::Neg => {
            let zero = number::literal(0, ty, dialect);
            binary(BinOp::Sub, &zero, a, ty, dialect)
        }
    })
}

/// `from as to`, other than from a float to an integer.
pub(super) fn cast(a: &Code, from: ScalarTy, to: ScalarTy, dialect: &dyn Dialect) -> Code {
    let (name, same) = (dialect.scalar(to), dialect.scalar(from) == dialect.scalar(to));
    if same && from != ScalarTy::Bool {
        return Code { ty: Ty::Scalar(to), ..a.clone() };
    }
    let mut code =
        Code::stable(format!("({name}){}", a.under(Level::Prefix)), Level::Prefix, Ty::Scalar(to))
            .of(&[a]);
    let same_size = from.size() == to.size() && to.size() >= 4;
    if same_size && from.is_signed() && !to.is_float() && a.unsigned.is_some() {
        // Computed without sign, it is what is wanted.
        if let Some((text, level)) = &a.unsigned {
            (code.text, code.level) = (text.clone(), *level);
        }
    } else if same_size && to.is_signed() && !from.is_float() {
        code.unsigned = Some((a.text.clone(), a.level));
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::opencl::OpenCl;

    fn name(text: &str, ty: ScalarTy) -> Code {
        Code::atom(text, Ty::Scalar(ty))
    }

    fn two(op: BinOp, ty: ScalarTy) -> String {
        binary(op, &name("a", ty), &name("b", ty), ty, &OpenCl).text
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(two(BinOp::Add, ScalarTy::I32), "(int)((uint)a + (uint)b)");
        assert_eq!(two(BinOp::Mul, ScalarTy::Usize), "a * b");
        assert_eq!(two(BinOp::Mul, ScalarTy::U16), "(ushort)((uint)a * b)");
        assert_eq!(two(BinOp::Sub, ScalarTy::I8), "(char)(a - b)");
        assert_eq!(two(BinOp::Shl, ScalarTy::I64), "(long)((ulong)a << (b & 63))");
        assert_eq!(two(BinOp::Shr, ScalarTy::U8), "a >> (b & 7)");
        assert_eq!(two(BinOp::Rem, ScalarTy::F64), "flash_rem_f64(a, b)");
        let ty = ScalarTy::I32;
        let sum = binary(BinOp::Add, &name("a", ty), &number::literal(5, ty, &OpenCl), ty, &OpenCl);
        let product = binary(BinOp::Mul, &sum, &name("c", ty), ty, &OpenCl);
        assert_eq!(product.text, "(int)(((uint)a + 5u) * (uint)c)");
        assert_eq!(cast(&product, ty, ScalarTy::U32, &OpenCl).text, "((uint)a + 5u) * (uint)c");
        let neg = unary(UnOp::Neg, &product, ty, &OpenCl).map(|code| code.text);
        assert_eq!(neg.as_deref(), Some("(int)(0u - ((uint)a + 5u) * (uint)c)"));
    }
}
