//! Types of elements and values: `f32`, `u8`, `f32x4`. It knows no arrays.

use std::fmt;

use flash_ir::ScalarTy;
use flash_rt::Pod;

/// A scalar, or a few of them in one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) scalar: ScalarTy,
    pub(super) lanes: usize,
}

/// All scalars that an element can be of.
pub(super) const SCALARS: [ScalarTy; 12] = [
    ScalarTy::I8,
    ScalarTy::I16,
    ScalarTy::I32,
    ScalarTy::I64,
    ScalarTy::Isize,
    ScalarTy::U8,
    ScalarTy::U16,
    ScalarTy::U32,
    ScalarTy::U64,
    ScalarTy::Usize,
    ScalarTy::F32,
    ScalarTy::F64,
];

/// Those that may stand in vectors, and how many.
const IN_VECTORS: [ScalarTy; 4] = [ScalarTy::F32, ScalarTy::F64, ScalarTy::I32, ScalarTy::U32];
const LANES: [usize; 4] = [2, 4, 8, 16];

impl Element {
    /// By its name; else what names there are.
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        let scalar = |name: &str| SCALARS.into_iter().find(|scalar| scalar.name() == name);
        if let Some(scalar) = scalar(name) {
            return Ok(Self { scalar, lanes: 1 });
        }
        let vector = name.split_once('x').and_then(|(of, lanes)| {
            let scalar = scalar(of).filter(|scalar| IN_VECTORS.contains(scalar))?;
            let lanes = lanes.parse().ok().filter(|n| LANES.contains(n))?;
            Some(Self { scalar, lanes })
        });
        vector.ok_or_else(|| {
            let names: Vec<&str> = SCALARS.iter().map(|scalar| scalar.name()).collect();
            format!(
                "`{name}` is no type; there are {}, and vectors as `f32x4`: f32, f64, i32 or u32 by 2, \
                 4, 8 or 16",
                names.join(", ")
            )
        })
    }

    /// Its bytes.
    pub(super) fn size(self) -> usize {
        self.scalar.size() * self.lanes
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scalar.name())?;
        if self.lanes > 1 { write!(f, "x{}", self.lanes) } else { Ok(()) }
    }
}

/// A number, to be made one of a type or to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    /// The bytes of a number of a type; else why there is none.
    pub(super) fn parse(text: &str, scalar: ScalarTy) -> Result<Vec<u8>, String> {
        let plain = text.replace('_', "");
        macro_rules! parsed {
            ($($name:ident: $ty:ty),*) => {
                match scalar {
                    $(ScalarTy::$name => plain.parse::<$ty>().ok().map(|n| n.to_le_bytes().to_vec()),)*
                    ScalarTy::Bool => None,
                }
            };
        }
        let bytes = parsed! {
            I8: i8, I16: i16, I32: i32, I64: i64, Isize: isize, U8: u8, U16: u16, U32: u32, U64: u64,
            Usize: usize, F32: f32, F64: f64
        };
        bytes.ok_or_else(|| format!("`{text}` is no number of type {}", scalar.name()))
    }

    /// The number with these bytes.
    pub(super) fn read(bytes: &[u8], scalar: ScalarTy) -> Self {
        let mut wide = [0; 8];
        let n = bytes.len().min(8);
        wide[..n].copy_from_slice(&bytes[..n]);
        let bits = u64::from_le_bytes(wide);
        match scalar {
            ScalarTy::F32 => Self::Float(f64::from(f32::from_bits(bits as u32))),
            ScalarTy::F64 => Self::Float(f64::from_bits(bits)),
            ScalarTy::I8 => Self::Int((bits as i8).into()),
            ScalarTy::I16 => Self::Int((bits as i16).into()),
            ScalarTy::I32 => Self::Int((bits as i32).into()),
            ScalarTy::I64 | ScalarTy::Isize => Self::Int((bits as i64).into()),
            _ => Self::Int(bits.into()),
        }
    }

    /// The bytes of this number as one of a type.
    pub(super) fn write(self, scalar: ScalarTy) -> Vec<u8> {
        match (scalar, self) {
            (ScalarTy::F32, Self::Float(x)) => (x as f32).to_le_bytes().to_vec(),
            (ScalarTy::F32, Self::Int(n)) => (n as f32).to_le_bytes().to_vec(),
            (ScalarTy::F64, Self::Float(x)) => x.to_le_bytes().to_vec(),
            (ScalarTy::F64, Self::Int(n)) => (n as f64).to_le_bytes().to_vec(),
            (_, number) => {
                let whole = match number {
                    Self::Int(n) => n,
                    Self::Float(x) => x as i128,
                };
                whole.to_le_bytes()[..scalar.size()].to_vec()
            }
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(n) => n.fmt(f),
            Self::Float(x) if *x != 0.0 && x.is_finite() && !(1e-4..1e9).contains(&x.abs()) => {
                write!(f, "{x:.6e}")
            }
            // Seven digits are those of `f32`.
            Self::Float(x) => match format!("{x:.6}") {
                text if text.contains('.') => {
                    f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
                }
                text => f.write_str(&text),
            },
        }
    }
}

/// A type of Rust that an element is held as.
pub(super) trait Plain: Pod {
    /// One from its bytes, which are as many as it has.
    fn from_bytes(bytes: &[u8]) -> Self;
    /// Adds its bytes.
    fn add_to(self, bytes: &mut Vec<u8>);
}

macro_rules! plain {
    ($($ty:ty)*) => {$(
        impl Plain for $ty {
            fn from_bytes(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<Self>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }

            fn add_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
plain! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }

impl<T: Plain, const N: usize> Plain for [T; N] {
    fn from_bytes(bytes: &[u8]) -> Self {
        let size = size_of::<T>();
        std::array::from_fn(|k| T::from_bytes(&bytes[k * size..][..size]))
    }

    fn add_to(self, bytes: &mut Vec<u8>) {
        self.into_iter().for_each(|one| one.add_to(bytes));
    }
}

/// What is done for the type of Rust that an element is.
pub(super) trait ForType {
    /// What comes of it.
    type Result;
    /// Does it.
    fn of<T: Plain>(self) -> Self::Result;
}

impl Element {
    /// Does something for its type.
    pub(super) fn visit<V: ForType>(self, visitor: V) -> V::Result {
        macro_rules! each {
            ($($scalar:ident: $ty:ty),*; $($vector:ident: $of:ty),*) => {
                match (self.scalar, self.lanes) {
                    $(
                        (ScalarTy::$vector, 2) => visitor.of::<[$of; 2]>(),
                        (ScalarTy::$vector, 4) => visitor.of::<[$of; 4]>(),
                        (ScalarTy::$vector, 8) => visitor.of::<[$of; 8]>(),
                        (ScalarTy::$vector, 16) => visitor.of::<[$of; 16]>(),
                    )*
                    $((ScalarTy::$scalar, _) => visitor.of::<$ty>(),)*
                    (ScalarTy::Bool, _) => visitor.of::<u8>(),
                }
            };
        }
        each! {
            I8: i8, I16: i16, I32: i32, I64: i64, Isize: isize, U8: u8, U16: u16, U32: u32, U64: u64,
            Usize: usize, F32: f32, F64: f64;
            F32: f32, F64: f64, I32: i32, U32: u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_name() {
        for name in ["f32", "u8", "usize", "f32x4", "u32x16"] {
            let element = Element::parse(name).unwrap();
            assert_eq!(element.to_string(), name);
        }
        assert_eq!(Element::parse("f64x2").unwrap().size(), 16);
        for name in ["float", "f32x3", "u8x4", "bool", ""] {
            let said = Element::parse(name).unwrap_err();
            assert!(said.contains("f32x4"), "{said}");
        }
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (text, scalar, shown) in [
            ("-3", ScalarTy::I8, "-3"),
            ("1_000", ScalarTy::U16, "1000"),
            ("2.5", ScalarTy::F32, "2.5"),
            ("1e20", ScalarTy::F64, "1.000000e20"),
            ("0.1", ScalarTy::F32, "0.1"),
            ("18446744073709551615", ScalarTy::U64, "18446744073709551615"),
        ] {
            let bytes = Number::parse(text, scalar).unwrap();
            assert_eq!(bytes.len(), scalar.size());
            let number = Number::read(&bytes, scalar);
            assert_eq!(number.to_string(), shown);
            assert_eq!(number.write(scalar), bytes);
        }
        for (text, scalar) in [("300", ScalarTy::U8), ("-1", ScalarTy::U32), ("x", ScalarTy::F32)] {
            assert!(Number::parse(text, scalar).unwrap_err().contains(scalar.name()));
        }
    }
}
