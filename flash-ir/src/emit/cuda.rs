//! The words of CUDA C++, and the options that its compiler has to be given: there is no pragma there that
//! keeps products and sums apart. It calls no compiler.

use super::dialect::{Dialect, Lanes, Needs};
use crate::ir::AtomicOp;
use crate::reduction::LANES;
use crate::ty::ScalarTy;

/// Threads that a block of an emitted kernel without a reduction has at most: with more of them a compiler
/// would have fewer registers for each.
pub const MAX_THREADS: usize = 256;

/// Blocks that a grid has at most in its dimensions 1 and 2; a box of more items is launched in parts.
pub const MAX_BLOCKS: usize = 65_535;

/// What NVRTC has to be told, whatever the device: no products and sums are fused, subnormal numbers stay
/// what they are, and quotients and roots are correctly rounded, unless the kernel was written with
/// `fast_math` ([`Emitted::is_fast`](super::Emitted::is_fast)). What is fused there is written so.
pub fn options(fast_math: bool) -> Vec<String> {
    let exact = !fast_math;
    vec![
        "--std=c++17".to_owned(),
        "--fmad=false".to_owned(),
        "--ftz=false".to_owned(),
        format!("--prec-div={exact}"),
        format!("--prec-sqrt={exact}"),
    ]
}

/// CUDA C++.
pub(super) struct Cuda;

impl Dialect for Cuda {
    fn preamble(&self, _: Needs) -> String {
        "typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ulong;
"
        .to_owned()
    }

    fn scalar(&self, ty: ScalarTy) -> &'static str {
        match ty {
            ScalarTy::Bool | ScalarTy::U8 => "uchar",
            ScalarTy::I8 => "signed char",
            ScalarTy::I16 => "short",
            ScalarTy::I32 => "int",
            ScalarTy::I64 | ScalarTy::Isize => "long long",
            ScalarTy::U16 => "ushort",
            ScalarTy::U32 => "uint",
            ScalarTy::U64 | ScalarTy::Usize => "ulong",
            ScalarTy::F32 => "float",
            ScalarTy::F64 => "double",
        }
    }

    fn suffix(&self, ty: ScalarTy) -> &'static str {
        match ty {
            ScalarTy::U32 => "u",
            ScalarTy::I64 | ScalarTy::Isize => "ll",
            ScalarTy::U64 | ScalarTy::Usize => "ull",
            _ => "",
        }
    }

    fn zeros(&self) -> &'static str {
        "{}"
    }

    fn float_of(&self, ty: ScalarTy, bits: &str) -> String {
        match ty {
            ScalarTy::F64 => format!("__longlong_as_double((long long)({bits}))"),
            _ => format!("__uint_as_float({bits})"),
        }
    }

    fn bits_of(&self, ty: ScalarTy, float: &str) -> String {
        match ty {
            ScalarTy::F64 => format!("(ulong)__double_as_longlong({float})"),
            _ => format!("__float_as_uint({float})"),
        }
    }

    fn fused(&self, [x, y, z]: [&str; 3]) -> String {
        format!("fma({x}, {y}, {z})")
    }

    fn math(&self) -> &'static str {
        super::math::CUDA
    }

    fn math_words(&self) -> &'static [(&'static str, &'static str)] {
        // `char` has no sign on some hosts, and `long` not 64 bits.
        &[("char", "signed char"), ("long", "long long")]
    }

    fn function(&self) -> &'static str {
        "static __device__ "
    }

    fn entry(&self, lanes: Option<usize>) -> String {
        let threads = lanes.unwrap_or(MAX_THREADS);
        format!("extern \"C\" __global__ void __launch_bounds__({threads}) ")
    }

    fn global(&self) -> &'static str {
        ""
    }

    fn restrict(&self) -> &'static str {
        "__restrict__ "
    }

    fn is_packed(&self) -> bool {
        true
    }

    fn constant(&self) -> &'static str {
        "static __constant__ const "
    }

    fn lanes(&self) -> Lanes {
        // A block of lanes is a warp.
        const { assert!(LANES == 32) };
        Lanes::Values(|ty, value, by| {
            let text = format!("__shfl_down_sync(0xffffffffu, {value}, {by})");
            if ty.size() < 4 { format!("({}){text}", Cuda.scalar(ty)) } else { text }
        })
    }

    fn item(&self, dim: usize) -> String {
        let dim = ["x", "y", "z"].get(dim).copied().unwrap_or("x");
        format!("(ulong)blockIdx.{dim} * blockDim.{dim} + threadIdx.{dim}")
    }

    fn group(&self) -> &'static str {
        "(ulong)blockIdx.x"
    }

    fn lane(&self) -> &'static str {
        "threadIdx.x"
    }

    fn atomic(
        &self,
        op: AtomicOp,
        ty: ScalarTy,
        is_fast: bool,
        pointer: &str,
        args: &[&str],
    ) -> Option<String> {
        let float = match (op, ty) {
            (AtomicOp::Swap, ScalarTy::F32) => Some("atomicExch"),
            // That of `float` takes subnormal numbers for zeros.
            (AtomicOp::FetchAdd, ScalarTy::F32) if is_fast => Some("atomicAdd"),
            (AtomicOp::FetchAdd, ScalarTy::F64) => Some("atomicAdd"),
            _ if ty.is_float() => return None,
            _ => None,
        };
        let own = self.scalar(ty);
        if let Some(name) = float {
            return Some(format!("{name}(({own} *){pointer}, {})", args.join(", ")));
        }
        let name = match op {
            AtomicOp::FetchAdd => "atomicAdd",
            // There is none of 64 bits.
            AtomicOp::FetchSub if ty.size() == 8 => "atomicAdd",
            AtomicOp::FetchSub => "atomicSub",
            AtomicOp::FetchMin => "atomicMin",
            AtomicOp::FetchMax => "atomicMax",
            AtomicOp::FetchAnd => "atomicAnd",
            AtomicOp::FetchOr => "atomicOr",
            AtomicOp::FetchXor => "atomicXor",
            AtomicOp::Swap => "atomicExch",
            AtomicOp::CompareExchange => "atomicCAS",
            AtomicOp::Load | AtomicOp::Store => return None,
        };
        let has_sign = matches!(op, AtomicOp::FetchMin | AtomicOp::FetchMax);
        if op == AtomicOp::FetchSub && ty.size() == 8
            || ty.is_signed() && ty.size() == 8 && !has_sign
        {
            let minus = if op == AtomicOp::FetchSub { "0ull - " } else { "" };
            let args: String = args.iter().map(|arg| format!(", {minus}(ulong)({arg})")).collect();
            let cast = if ty.is_signed() { "(long long)" } else { "" };
            return Some(format!("{cast}{name}((ulong *){pointer}{args})"));
        }
        let args: String = args.iter().map(|arg| format!(", {arg}")).collect();
        Some(format!("{name}(({own} *){pointer}{args})"))
    }

    fn fence(&self) -> &'static str {
        "__threadfence();"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::number;

    #[test]
    fn atomics_are_those_that_mean_the_same() {
        let atomic = |op, ty, is_fast| Cuda.atomic(op, ty, is_fast, "&c[i]", &["x"]);
        let (add, sub) = (AtomicOp::FetchAdd, AtomicOp::FetchSub);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(atomic(add, ScalarTy::U32, false), some("atomicAdd((uint *)&c[i], x)"));
        assert_eq!(atomic(sub, ScalarTy::I32, false), some("atomicSub((int *)&c[i], x)"));
        let text = some("(long long)atomicAdd((ulong *)&c[i], (ulong)(x))");
        assert_eq!(atomic(add, ScalarTy::I64, false), text);
        let text = some("atomicAdd((ulong *)&c[i], 0ull - (ulong)(x))");
        assert_eq!(atomic(sub, ScalarTy::Usize, false), text);
        let text = some("atomicMin((long long *)&c[i], x)");
        assert_eq!(atomic(AtomicOp::FetchMin, ScalarTy::Isize, false), text);
        assert_eq!(atomic(add, ScalarTy::F64, false), some("atomicAdd((double *)&c[i], x)"));
        assert_eq!(atomic(add, ScalarTy::F32, false), None);
        assert_eq!(atomic(add, ScalarTy::F32, true), some("atomicAdd((float *)&c[i], x)"));
        assert_eq!(atomic(AtomicOp::FetchMax, ScalarTy::F64, true), None);
    }

    #[test]
    fn numbers_have_the_widths_of_every_host() {
        let text = |bits, ty| number::literal(bits, ty, &Cuda).text;
        assert_eq!(text(1 << 63, ScalarTy::I64), "(-9223372036854775807ll - 1)");
        assert_eq!(text(7, ScalarTy::Usize), "7ull");
        let text = text(f64::INFINITY.to_bits(), ScalarTy::F64);
        assert_eq!(text, "__longlong_as_double((long long)(0x7ff0000000000000ull))");
        let text = "FLASH_FN long longer(char c, ulong x)";
        let want = "FLASH_FN long long longer(signed char c, ulong x)";
        assert_eq!(super::super::math::with_words(text, Cuda.math_words()), want);
    }
}
