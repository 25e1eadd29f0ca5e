//! A type of the name of each function of `flash::math`, by which a body that calls the function
//! without `math::` is understood. It computes nothing.

use crate::called::{Called, Callee, Portable};
use crate::ir::MathFn;

macro_rules! names {
    ($($name:ident = $function:ident),* $(,)?) => {
        $(
            #[doc(hidden)]
            #[expect(non_camel_case_types, reason = "the name of the function")]
            #[derive(Debug)]
            pub enum $name {}

            impl Callee for $name {
                const CALLED: Called = Called::Math(MathFn::$function);
            }

            impl Portable for $name {}
        )*
    };
}

names! {
    abs = Abs, atan = Atan, atan2 = Atan2, ceil = Ceil, clamp = Clamp, copysign = Copysign,
    cos = Cos, erf = Erf, exp = Exp, exp2 = Exp2, floor = Floor, fract = Fract, hypot = Hypot,
    ln = Ln, log10 = Log10, log2 = Log2, max = Max, min = Min, mul_add = MulAdd, pow = Pow,
    powi = Powi, recip = Recip, round = Round, round_ties_even = RoundTiesEven, rsqrt = Rsqrt,
    signum = Signum, sin = Sin, sqrt = Sqrt, tan = Tan, tanh = Tanh, trunc = Trunc,
}
