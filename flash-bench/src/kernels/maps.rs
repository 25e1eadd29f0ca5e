//! One elementary function for each element, with and without `fast_math`.

use flash::math;

macro_rules! maps {
    ($($strict:ident $fast:ident $function:ident;)*) => {
        $(
            #[flash::kernel(inputs = 1)]
            pub(crate) fn $strict(x: &[f32], #[out] y: &mut [f32]) {
                let i = global_id(0);
                y[i] = math::$function(x[i]);
            }

            #[flash::kernel(inputs = 1, fast_math)]
            pub(crate) fn $fast(x: &[f32], #[out] y: &mut [f32]) {
                let i = global_id(0);
                y[i] = math::$function(x[i]);
            }
        )*
    };
}
maps! {
    exp exp_fast exp;
    ln ln_fast ln;
    sin sin_fast sin;
    erf erf_fast erf;
}
