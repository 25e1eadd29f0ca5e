//! The words of OpenCL C 1.2. Its options are the backend's: correctly rounded division must be asked
//! for, and nothing that relaxes floats.

use std::fmt::Write as _;

use super::dialect::{Dialect, Lanes, Needs};
use crate::ir::AtomicOp;
use crate::ty::ScalarTy;

/// OpenCL C 1.2.
pub(super) struct OpenCl;

impl Dialect for OpenCl {
    fn preamble(&self, needs: Needs) -> String {
        let mut text = String::from("#pragma OPENCL FP_CONTRACT OFF\n");
        let mut enable = |is_needed: bool, extension: &str| {
            if is_needed {
                let _ = writeln!(
                    text,
                    "#ifdef {extension}\n#pragma OPENCL EXTENSION {extension} : enable\n#endif"
                );
            }
        };
        enable(needs.f64, "cl_khr_fp64");
        enable(needs.atomics64, "cl_khr_int64_base_atomics");
        enable(needs.atomics64_wide, "cl_khr_int64_extended_atomics");
        text
    }

    fn scalar(&self, ty: ScalarTy) -> &'static str {
        match ty {
            ScalarTy::Bool | ScalarTy::U8 => "uchar",
            ScalarTy::I8 => "char",
            ScalarTy::I16 => "short",
            ScalarTy::I32 => "int",
            ScalarTy::I64 | ScalarTy::Isize => "long",
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
            ScalarTy::I64 | ScalarTy::Isize => "l",
            ScalarTy::U64 | ScalarTy::Usize => "ul",
            _ => "",
        }
    }

    fn zeros(&self) -> &'static str {
        "{ 0 }"
    }

    fn float_of(&self, ty: ScalarTy, bits: &str) -> String {
        format!("as_{}({bits})", self.scalar(ty))
    }

    fn bits_of(&self, ty: ScalarTy, float: &str) -> String {
        format!("as_{}({float})", if ty == ScalarTy::F64 { "ulong" } else { "uint" })
    }

    fn fused(&self, [x, y, z]: [&str; 3]) -> String {
        format!("fma({x}, {y}, {z})")
    }

    fn math(&self) -> &'static str {
        super::math::OPENCL
    }

    fn math_words(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn function(&self) -> &'static str {
        "static "
    }

    fn entry(&self, lanes: Option<usize>) -> String {
        match lanes {
            Some(lanes) => {
                format!("__kernel __attribute__((reqd_work_group_size({lanes}, 1, 1))) void ")
            }
            None => "__kernel void ".to_owned(),
        }
    }

    fn global(&self) -> &'static str {
        "__global "
    }

    fn restrict(&self) -> &'static str {
        "restrict "
    }

    fn constant(&self) -> &'static str {
        "__constant "
    }

    fn lanes(&self) -> Lanes {
        Lanes::Memory { local: "__local ", barrier: "barrier(CLK_LOCAL_MEM_FENCE);" }
    }

    fn item(&self, dim: usize) -> String {
        format!("get_global_id({dim})")
    }

    fn group(&self) -> &'static str {
        "get_group_id(0)"
    }

    fn lane(&self) -> &'static str {
        "get_local_id(0)"
    }

    fn atomic(
        &self,
        op: AtomicOp,
        ty: ScalarTy,
        _: bool,
        pointer: &str,
        args: &[&str],
    ) -> Option<String> {
        let name = match op {
            AtomicOp::FetchAdd => "add",
            AtomicOp::FetchSub => "sub",
            AtomicOp::FetchMin => "min",
            AtomicOp::FetchMax => "max",
            AtomicOp::FetchAnd => "and",
            AtomicOp::FetchOr => "or",
            AtomicOp::FetchXor => "xor",
            AtomicOp::Swap => "xchg",
            AtomicOp::CompareExchange => "cmpxchg",
            AtomicOp::Load | AtomicOp::Store => return None,
        };
        let family = match ty {
            ScalarTy::I32 | ScalarTy::U32 => "atomic",
            ScalarTy::F32 if op == AtomicOp::Swap => "atomic",
            ScalarTy::I64 | ScalarTy::U64 | ScalarTy::Isize | ScalarTy::Usize => "atom",
            _ => return None,
        };
        let args: String = args.iter().map(|arg| format!(", {arg}")).collect();
        Some(format!("{family}_{name}({pointer}{args})"))
    }

    fn fence(&self) -> &'static str {
        "mem_fence(CLK_GLOBAL_MEM_FENCE);"
    }
}
