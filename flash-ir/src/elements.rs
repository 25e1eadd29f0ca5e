//! Types of elements that are other crates': structures with the layout that those crates promise. A body
//! moves them and computes with complex numbers ([`crate::complex`]), but with no number of 16 bits.

use crate::ty::{FieldTy, ScalarTy, StructTy, Ty};

const fn bits(name: &'static str) -> StructTy {
    const FIELDS: &[FieldTy] =
        &[FieldTy { name: "bits", offset: 0, ty: Ty::Scalar(ScalarTy::U16) }];
    StructTy { name, size: 2, align: 2, fields: FIELDS }
}

/// `half::f16`
pub const F16: StructTy = bits("f16");
/// `half::bf16`
pub const BF16: StructTy = bits("bf16");

macro_rules! complex {
    ($name:ident, $called:literal, $scalar:ident, $size:literal) => {
        #[doc = concat!("`num_complex::Complex` of two parts of ", $size, " bytes.")]
        pub static $name: StructTy = StructTy {
            name: $called,
            size: 2 * $size,
            align: $size,
            fields: &[
                FieldTy { name: "re", offset: 0, ty: Ty::Scalar(ScalarTy::$scalar) },
                FieldTy { name: "im", offset: $size, ty: Ty::Scalar(ScalarTy::$scalar) },
            ],
        };
    };
}
complex!(COMPLEX32, "Complex32", F32, 4);
complex!(COMPLEX64, "Complex64", F64, 8);

#[cfg(feature = "half")]
mod halves {
    use crate::ty::{DevTy, Ty};

    impl DevTy for half::f16 {
        const TY: Ty = Ty::Struct(&super::F16);
    }

    impl DevTy for half::bf16 {
        const TY: Ty = Ty::Struct(&super::BF16);
    }
}

#[cfg(feature = "complex")]
mod pairs {
    use num_complex::Complex;

    use crate::probe::Computes;
    use crate::ty::{DevTy, Ty};

    impl DevTy for Complex<f32> {
        const TY: Ty = Ty::Struct(&super::COMPLEX32);
    }

    impl DevTy for Complex<f64> {
        const TY: Ty = Ty::Struct(&super::COMPLEX64);
    }

    impl Computes for Complex<f32> {}

    impl Computes for Complex<f64> {}
}
