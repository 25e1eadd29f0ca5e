//! Literals. Integers are written in decimal, floats with the fewest digits that give back their bits.

use super::code::{Code, Level};
use super::dialect::Dialect;
use crate::ty::{ScalarTy, Ty};

/// A scalar by its bits, zero-extended.
pub(super) fn literal(bits: u64, ty: ScalarTy, dialect: &dyn Dialect) -> Code {
    let of = |text: String| {
        let level = if text.starts_with('-') { Level::Prefix } else { Level::Atom };
        Code::stable(text, level, Ty::Scalar(ty))
    };
    match ty {
        ScalarTy::F32 => of(float(bits, f64::from(f32::from_bits(bits as u32)), ty, dialect)),
        ScalarTy::F64 => of(float(bits, f64::from_bits(bits), ty, dialect)),
        _ if ty.is_signed() => {
            let mut code = of(signed(extended(bits, ty), ty, dialect));
            if ty.size() >= 4 {
                let unsigned = unsigned(ty);
                code.unsigned = Some((format!("{bits}{}", dialect.suffix(unsigned)), Level::Atom));
            }
            code
        }
        _ => of(format!("{bits}{}", dialect.suffix(ty))),
    }
}

/// The value of a signed integer by its bits.
fn extended(bits: u64, ty: ScalarTy) -> i64 {
    match ty.size() {
        1 => i64::from(bits as i8),
        2 => i64::from(bits as i16),
        4 => i64::from(bits as i32),
        _ => bits as i64,
    }
}

/// A signed integer; the smallest one has no literal of its type.
fn signed(value: i64, ty: ScalarTy, dialect: &dyn Dialect) -> String {
    let suffix = dialect.suffix(ty);
    let is_least =
        ty.size() == 8 && value == i64::MIN || ty.size() == 4 && value == i64::from(i32::MIN);
    if is_least { format!("({}{suffix} - 1)", value + 1) } else { format!("{value}{suffix}") }
}

/// The smallest value of a signed integer type.
pub(super) fn least(ty: ScalarTy, dialect: &dyn Dialect) -> String {
    signed(i64::MIN >> (64 - 8 * ty.size()), ty, dialect)
}

/// The value of an integer literal, if the text is one.
pub(super) fn value(text: &str) -> Option<i64> {
    text.trim_end_matches(['u', 'l']).parse().ok()
}

fn float(bits: u64, value: f64, ty: ScalarTy, dialect: &dyn Dialect) -> String {
    if !value.is_finite() {
        let int = if ty == ScalarTy::F64 { ScalarTy::U64 } else { ScalarTy::U32 };
        return dialect.float_of(ty, &format!("{bits:#x}{}", dialect.suffix(int)));
    }
    if ty == ScalarTy::F64 { format!("{value:?}") } else { format!("{:?}f", value as f32) }
}

/// The unsigned integer of the same width.
pub(super) fn unsigned(ty: ScalarTy) -> ScalarTy {
    match ty {
        ScalarTy::I8 => ScalarTy::U8,
        ScalarTy::I16 => ScalarTy::U16,
        ScalarTy::I32 => ScalarTy::U32,
        ScalarTy::I64 | ScalarTy::Isize => ScalarTy::U64,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::opencl::OpenCl;

    #[test]
    fn literals_have_the_bits_of_their_type() {
        let text = |bits, ty| literal(bits, ty, &OpenCl).text;
        assert_eq!(text(0xff, ScalarTy::I8), "-1");
        assert_eq!(text(200, ScalarTy::U8), "200");
        assert_eq!(text(0x8000_0000, ScalarTy::I32), "(-2147483647 - 1)");
        assert_eq!(text(1 << 63, ScalarTy::Isize), "(-9223372036854775807l - 1)");
        assert_eq!(text(7, ScalarTy::Usize), "7ul");
        assert_eq!(text(0.1_f32.to_bits().into(), ScalarTy::F32), "0.1f");
        assert_eq!(text(1e300_f64.to_bits(), ScalarTy::F64), "1e300");
        assert_eq!(text((-0.0_f64).to_bits(), ScalarTy::F64), "-0.0");
        assert_eq!(text(0x7f80_0000, ScalarTy::F32), "as_float(0x7f800000u)");
        assert_eq!(least(ScalarTy::I16, &OpenCl), "-32768");
    }
}
