//! Elements of any type for random kernels: which scalars they consist of, what is drawn for them. It runs
//! no kernel.

use flash_ir::{ScalarTy, Ty};
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
pub(crate) fn canonical(ty: &Ty, bytes: &mut [u8]) {
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
pub(crate) fn draw(ty: &Ty, n: usize, whole: bool, mut next: impl FnMut() -> u64) -> Vec<u8> {
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
