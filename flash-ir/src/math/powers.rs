//! Integral powers by squaring. Not [`super::pow`]: each product rounds, so the error grows with
//! the power, by at most one ulp for each product, and a negative power whose positive one overflows
//! gives 0.

macro_rules! powi {
    ($name:ident, $t:ty) => {
        #[inline(always)]
        pub(super) fn $name(x: $t, n: i32) -> $t {
            let mut rest = n.unsigned_abs();
            let mut square = x;
            let mut product = 1.0;
            while rest != 0 {
                if rest & 1 == 1 {
                    product *= square;
                }
                rest >>= 1;
                square *= square;
            }
            if n < 0 { 1.0 / product } else { product }
        }
    };
}
powi!(single, f32);
powi!(double, f64);
