//! Conversions between scalars. Those from floats to integers saturate, which C does not; the others are
//! its own.

use super::body::Body;
use super::code::Code;
use super::dialect::Dialect;
use super::{number, operator};
use crate::ir::Span;
use crate::ty::{ScalarTy, Ty};

/// The name of a conversion from a float to an integer.
fn name(from: ScalarTy, to: ScalarTy) -> String {
    format!("flash_{}_to_{}", from.name(), to.name())
}

impl Body<'_, '_> {
    /// `code as to`
    pub(super) fn cast(&mut self, code: &Code, from: ScalarTy, to: ScalarTy, span: Span) -> Code {
        if from == to {
            return code.clone();
        }
        if to == ScalarTy::Bool || from == ScalarTy::Bool && to.is_float() {
            return self.no(span, "a cast that Rust does not have");
        }
        if let (Some(value), false) = (number::value(&code.text), to.is_float()) {
            let bits = value as u64 & (u64::MAX >> (64 - 8 * to.size()));
            return number::literal(bits, to, self.to.dialect);
        }
        if !from.is_float() || to.is_float() {
            return operator::cast(code, from, to, self.to.dialect);
        }
        self.to.casts.insert((from, to));
        Code::atom(format!("{}({})", name(from, to), code.text), Ty::Scalar(to)).of(&[code])
    }
}

/// The conversions from floats to integers.
pub(super) fn functions<'a>(
    of: impl Iterator<Item = &'a (ScalarTy, ScalarTy)>,
    dialect: &dyn Dialect,
) -> String {
    of.map(|(from, to)| one(*from, *to, dialect)).collect::<Vec<_>>().join("\n")
}

fn one(from: ScalarTy, to: ScalarTy, dialect: &dyn Dialect) -> String {
    let bits = 8 * to.size() as u32;
    let literal = |value: f64| {
        let bits = match from {
            ScalarTy::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        number::literal(bits, from, dialect).text
    };
    let most = u64::MAX >> (64 - bits);
    let (float, int, name) = (dialect.scalar(from), dialect.scalar(to), name(from, to));
    let function = dialect.function();
    // Powers of two are exact in either float. A NaN is not above anything.
    let (end, most, rest) = if to.is_signed() {
        let least = number::least(to, dialect);
        let low = literal(-(2.0_f64.powi(bits as i32 - 1)));
        let rest = format!("x > {low} ? ({int})x : x == x ? {least} : 0");
        (2.0_f64.powi(bits as i32 - 1), most >> 1, rest)
    } else {
        (2.0_f64.powi(bits as i32), most, format!("x > {} ? ({int})x : 0", literal(0.0)))
    };
    let (end, most) = (literal(end), number::literal(most, to, dialect).text);
    format!("{function}{int} {name}({float} x)\n{{\n    return x >= {end} ? {most} : {rest};\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::opencl::OpenCl;

    #[test]
    fn conversions_saturate() {
        let text = one(ScalarTy::F32, ScalarTy::I8, &OpenCl);
        assert!(text.contains("x >= 128.0f ? 127 : x > -128.0f ? (char)x : x == x ? -128 : 0;"));
        let text = one(ScalarTy::F64, ScalarTy::Usize, &OpenCl);
        let most = "x >= 1.8446744073709552e19 ? 18446744073709551615ul : x > 0.0 ? (ulong)x : 0;";
        assert!(text.contains(most), "{text}");
    }
}
