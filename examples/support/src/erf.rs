//! The error function in double precision, by its series and continued fraction. It is slow and
//! shares nothing with `flash::math`, so that one can be checked against the other.

use std::f64::consts::PI;

/// `1 - erf(x)`, to about 1e-15 relative for `x` where it is not tiny.
pub fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        2.0 - erfc(-x)
    } else if x < 2.0 {
        1.0 - series(x)
    } else {
        fraction(x)
    }
}

/// Distribution function of the normal distribution.
pub fn normal(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// erf(x) = 2/sqrt(pi) e^(-x^2) * sum of 2^n x^(2n+1) / (1 * 3 * .. * (2n+1)): no cancellation.
fn series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut n = 0.0;
    while term > sum * 1e-17 {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// erfc(x) = e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / ..))), from the far end.
fn fraction(x: f64) -> f64 {
    let tail = (1..=120).rev().fold(x, |tail, n| x + 0.5 * f64::from(n) / tail);
    (-x * x).exp() / PI.sqrt() / tail
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of tables with more digits than a double.
    #[test]
    fn known_values() {
        for (x, expected) in [
            (0.0, 1.0),
            (0.5, 0.479_500_122_186_953_5),
            (1.0, 0.157_299_207_050_285_13),
            (2.0, 0.004_677_734_981_047_266),
            (3.0, 2.209_049_699_858_544e-5),
            (-1.0, 1.842_700_792_949_715),
        ] {
            let found = erfc(x);
            assert!((found - expected).abs() <= 4e-15 * expected, "erfc({x}) = {found}");
        }
    }

    #[test]
    fn both_formulas_meet() {
        for k in 0..20 {
            let x = 1.9 + 0.01 * f64::from(k);
            assert!((1.0 - series(x) - fraction(x)).abs() < 2e-15, "at {x}");
        }
    }
}
