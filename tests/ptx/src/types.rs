//! The types of PTX, as instructions and declarations name them.
//!
//! Vectors and arrays are made of them elsewhere.

use crate::number::{BF16, F16, F32, F64, Format};

/// A type without a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Pred,
    /// Bits.
    B(u32),
    /// An integer without a sign.
    U(u32),
    /// An integer with a sign.
    S(u32),
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
}

/// Kinds of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Bits,
    Unsigned,
    Signed,
    Float,
}

impl Type {
    /// The type of this name, without its dot.
    pub(crate) fn parse(name: &str) -> Option<Type> {
        Some(match name {
            "pred" => Type::Pred,
            "f16" => Type::F16,
            "f16x2" => Type::F16x2,
            "bf16" => Type::Bf16,
            "bf16x2" => Type::Bf16x2,
            "f32" | "tf32" => Type::F32,
            "f64" => Type::F64,
            _ => {
                let bits = name.get(1..)?.parse().ok()?;
                if !matches!(bits, 8 | 16 | 32 | 64 | 128) {
                    return None;
                }
                match name.as_bytes()[0] {
                    b'b' => Type::B(bits),
                    b'u' => Type::U(bits),
                    b's' => Type::S(bits),
                    _ => return None,
                }
            }
        })
    }

    /// Its bits.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Type::Pred => 1,
            Type::B(bits) | Type::U(bits) | Type::S(bits) => bits,
            Type::F16 | Type::Bf16 => 16,
            Type::F16x2 | Type::Bf16x2 | Type::F32 => 32,
            Type::F64 => 64,
        }
    }

    /// Its bytes in memory.
    pub(crate) fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    pub(crate) fn class(self) -> Class {
        match self {
            Type::Pred | Type::B(_) => Class::Bits,
            Type::U(_) => Class::Unsigned,
            Type::S(_) => Class::Signed,
            _ => Class::Float,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        self.class() == Class::Signed
    }

    /// The format of a floating point number, or of each of two.
    pub(crate) fn format(self) -> Option<Format> {
        Some(match self {
            Type::F16 | Type::F16x2 => F16,
            Type::Bf16 | Type::Bf16x2 => BF16,
            Type::F32 => F32,
            Type::F64 => F64,
            _ => return None,
        })
    }

    /// Whether a register holds two of them.
    pub(crate) fn is_pair(self) -> bool {
        matches!(self, Type::F16x2 | Type::Bf16x2)
    }
}
