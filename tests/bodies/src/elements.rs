//! Elements of any type for random kernels: which scalars they consist of, what is drawn for them, what
//! reductions of them come to. It runs no kernel.

use flash_ir::ir::ReduceOp;
use flash_ir::reduction::{self, Reduce};
use flash_ir::{ScalarTy, Ty};
use flash_test_devices::{Cell, Cloud};

/// The scalars of a type with their offsets.
fn scalars(ty: &Ty, at: usize, out: &mut Vec<(usize, ScalarTy)>) {
    match ty {
        Ty::Unit => {}
        Ty::Scalar(scalar) => out.push((at, *scalar)),
        Ty::Struct(layout) => {
            layout.fields.iter().for_each(|field| scalars(&field.ty, at + field.offset, out));
        }
        Ty::Array(elem, n) => (0..*n).for_each(|k| scalars(elem, at + k * elem.size(), out)),
    }
}

/// One kind of NaN in elements of a type.
pub fn canonical(ty: &Ty, bytes: &mut [u8]) {
    let mut parts = Vec::new();
    scalars(ty, 0, &mut parts);
    for element in bytes.chunks_exact_mut(ty.size()) {
        for &(at, scalar) in &parts {
            let part = &mut element[at..at + scalar.size()];
            match scalar {
                ScalarTy::F32 if f32::from_le_bytes(part.try_into().unwrap()).is_nan() => {
                    part.copy_from_slice(&f32::NAN.to_le_bytes());
                }
                ScalarTy::F64 if f64::from_le_bytes(part.try_into().unwrap()).is_nan() => {
                    part.copy_from_slice(&f64::NAN.to_le_bytes());
                }
                _ => {}
            }
        }
    }
}

/// Bytes of `n` elements of a type; floats are mostly of moderate size, and sometimes special, or where
/// that is asked for small and `whole` numbers.
pub fn draw(ty: &Ty, n: usize, whole: bool, mut next: impl FnMut() -> u64) -> Vec<u8> {
    let mut parts = Vec::new();
    scalars(ty, 0, &mut parts);
    let mut bytes = vec![0; ty.size() * n];
    for element in bytes.chunks_exact_mut(ty.size()) {
        for &(at, scalar) in &parts {
            let bits = next();
            let float = match bits % 64 {
                _ if whole => (bits >> 60) as f64,
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => -0.0,
                3 => 1e-310,
                _ => (bits >> 11) as f64 * 2.0_f64.powi(-53) * 200.0 - 100.0,
            };
            let word = match scalar {
                ScalarTy::F32 => u64::from((float as f32).to_bits()),
                ScalarTy::F64 => float.to_bits(),
                ScalarTy::Bool => bits >> 63,
                // Small numbers meet their neighbours more often.
                _ if bits.is_multiple_of(3) => bits >> 60,
                _ => bits,
            };
            element[at..at + scalar.size()].copy_from_slice(&word.to_le_bytes()[..scalar.size()]);
        }
    }
    bytes
}

/// An element that can be drawn and compared.
pub trait Elem: Copy {
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(self) -> Vec<u8>;
}

macro_rules! elems {
    ($($t:ty)*) => { $(impl Elem for $t {
        fn from_bytes(bytes: &[u8]) -> Self {
            Self::from_le_bytes(bytes.try_into().unwrap())
        }
        fn to_bytes(self) -> Vec<u8> {
            self.to_le_bytes().to_vec()
        }
    })* };
}
elems!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! floats {
    ($($t:ty)*) => { $(impl Elem for $t {
        fn from_bytes(bytes: &[u8]) -> Self {
            Self::from_le_bytes(bytes.try_into().unwrap())
        }
        fn to_bytes(self) -> Vec<u8> {
            let value = if self.is_nan() { Self::NAN } else { self };
            value.to_le_bytes().to_vec()
        }
    })* };
}
floats!(f32 f64);

impl Elem for bool {
    fn from_bytes(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
    fn to_bytes(self) -> Vec<u8> {
        vec![u8::from(self)]
    }
}

impl Elem for Cell {
    fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            rho: f64::from_bytes(&bytes[..8]),
            mass: f32::from_bytes(&bytes[8..12]),
            id: u32::from_bytes(&bytes[12..]),
        }
    }
    fn to_bytes(self) -> Vec<u8> {
        [self.rho.to_bytes(), self.mass.to_bytes(), self.id.to_bytes()].concat()
    }
}

impl Elem for Cloud {
    fn from_bytes(bytes: &[u8]) -> Self {
        let cell = |k: usize| Cell::from_bytes(&bytes[k..k + 16]);
        let at = |k: usize| i32::from_bytes(&bytes[32 + 4 * k..36 + 4 * k]);
        Self { cells: [cell(0), cell(16)], at: std::array::from_fn(at), mid: cell(48) }
    }
    fn to_bytes(self) -> Vec<u8> {
        let at = self.at.iter().flat_map(|k| k.to_le_bytes());
        let cells = self.cells.into_iter().flat_map(Elem::to_bytes);
        cells.chain(at).chain(self.mid.to_bytes()).collect()
    }
}

/// The value of a reduction from those of its blocks, and from what its cell held.
pub fn combine(op: ReduceOp, ty: &Ty, partials: &[u8], into: Option<&[u8]>) -> Vec<u8> {
    fn all<T: Elem + Reduce>(op: ReduceOp, partials: &[u8], into: Option<&[u8]>) -> Vec<u8> {
        let size = std::mem::size_of::<T>();
        let mut values: Vec<T> = partials.chunks_exact(size).map(T::from_bytes).collect();
        let value = reduction::combine_blocks(&mut values, |a, b| T::apply(op, a, b).unwrap());
        let value = value.unwrap_or_else(|| T::identity(op));
        let old = into.map(T::from_bytes);
        old.map_or(value, |old| T::apply(op, old, value).unwrap()).to_bytes()
    }
    macro_rules! scalars {
        ($($scalar:ident => $rust:ty),*) => {
            match ty {
                $(Ty::Scalar(ScalarTy::$scalar) => all::<$rust>(op, partials, into),)*
                _ => panic!("no reduction of {ty:?} is drawn"),
            }
        };
    }
    scalars!(I8 => i8, I16 => i16, I32 => i32, I64 => i64, Isize => isize, U8 => u8, U16 => u16,
        U32 => u32, U64 => u64, Usize => usize, F32 => f32, F64 => f64)
}
