//! Errors in ulp: `f32` against `f64` of std over dense samples, `f64` against values computed to
//! 60 digits and, densely, against std.

use super::reference;
use crate::math::{self, fast};

/// The distance of `got` from `want` in units in the last place of an `f32`.
fn ulp32(got: f32, want: f64) -> f64 {
    if want.is_nan() || got.is_nan() {
        return if want.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let rounded = want as f32;
    if rounded.is_infinite() || got.is_infinite() {
        return if rounded == got { 0.0 } else { f64::INFINITY };
    }
    let above = f32::from_bits(rounded.abs().to_bits() + 1);
    let unit = f64::from(above) - f64::from(rounded.abs());
    (f64::from(got) - want).abs() / if unit.is_finite() { unit } else { 2.0_f64.powi(104) }
}

/// The distance of `got` from `want + rest` in units in the last place of an `f64`.
fn ulp64(got: f64, want: f64, rest: f64) -> f64 {
    if want.is_nan() || got.is_nan() {
        return if want.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if want.is_infinite() || got.is_infinite() {
        return if want == got { 0.0 } else { f64::INFINITY };
    }
    let unit = f64::from_bits(want.abs().to_bits() + 1) - want.abs();
    ((got - want) - rest).abs() / unit
}

/// Asserts a bound over both signs of every `step`-th `f32` between two magnitudes.
fn bound32(
    name: &str,
    bound: f64,
    (from, to): (f32, f32),
    f: impl Fn(f32) -> f32,
    want: impl Fn(f64) -> f64,
) {
    let mut worst = (0.0, 0.0);
    let mut bits = from.to_bits();
    while bits <= to.to_bits() {
        for x in [f32::from_bits(bits), -f32::from_bits(bits)] {
            let error = ulp32(f(x), want(f64::from(x)));
            if error > worst.0 {
                worst = (error, x);
            }
        }
        bits += 4_999;
    }
    assert!(worst.0 <= bound, "{name}: {} ulp at {}, stated {bound}", worst.0, worst.1);
}

#[test]
fn single_precision_keeps_its_bounds() {
    let all = (0.0, f32::INFINITY);
    let reduced = (0.0, 4e8);
    bound32("exp", 1.0, all, math::exp, f64::exp);
    bound32("exp2", 1.5, all, math::exp2, f64::exp2);
    bound32("ln", 1.0, all, math::ln, f64::ln);
    bound32("log2", 2.0, all, math::log2, f64::log2);
    bound32("log10", 2.0, all, math::log10, f64::log10);
    bound32("sin", 1.5, reduced, math::sin, f64::sin);
    bound32("cos", 1.5, reduced, math::cos, f64::cos);
    bound32("tan", 1.0, reduced, math::tan, f64::tan);
    bound32("tanh", 1.5, all, math::tanh, f64::tanh);
    bound32("atan", 3.0, all, math::atan, f64::atan);
    bound32("rsqrt", 1.5, all, math::rsqrt, |x| 1.0 / x.sqrt());
    // The `f64` one is held by the reference values below.
    bound32("erf", 1.5, all, math::erf, math::erf);
    for y in [-3.0, -0.5, 0.3, 1.0, 2.5, 17.0] {
        bound32("pow", 1.0, all, |x| math::pow(x, y), |x| x.powf(f64::from(y)));
        bound32("hypot", 1.0, all, |x| math::hypot(x, y), |x| x.hypot(f64::from(y)));
        bound32("atan2", 1.0, all, |x| math::atan2(x, y), |x| x.atan2(f64::from(y)));
        bound32("atan2", 1.0, all, |x| math::atan2(y, x), |x| f64::from(y).atan2(x));
    }
    for n in [-2, 0, 1, 2, 3, 7] {
        // A power that overflows on the way to its reciprocal gives 0.
        let range = if n < 0 { (1e-15, 1e15) } else { all };
        bound32("powi", f64::from(n).abs().max(1.0), range, |x| math::powi(x, n), |x| x.powi(n));
    }
}

#[test]
fn double_precision_keeps_its_bounds() {
    fn check(name: &str, bound: f64, table: &[[u64; 3]], f: impl Fn(f64) -> f64) {
        for &[x, want, rest] in table {
            let x = f64::from_bits(x);
            let error = ulp64(f(x), f64::from_bits(want), f64::from_bits(rest));
            assert!(error <= bound, "{name}({x}): {error} ulp, stated {bound}");
        }
    }
    check("exp", 1.0, reference::EXP, math::exp);
    check("exp2", 1.5, reference::EXP2, math::exp2);
    check("ln", 1.0, reference::LN, math::ln);
    check("log2", 1.0, reference::LOG2, math::log2);
    check("log10", 1.5, reference::LOG10, math::log10);
    check("sin", 1.0, reference::SIN, math::sin);
    check("cos", 1.0, reference::COS, math::cos);
    check("tan", 2.5, reference::TAN, math::tan);
    check("tanh", 1.5, reference::TANH, math::tanh);
    check("atan", 1.0, reference::ATAN, math::atan);
    check("erf", 1.5, reference::ERF, math::erf);
    for &[x, y, want, rest] in reference::POW {
        let (x, y) = (f64::from_bits(x), f64::from_bits(y));
        let error = ulp64(math::pow(x, y), f64::from_bits(want), f64::from_bits(rest));
        assert!(error <= 1.0, "pow({x}, {y}): {error} ulp");
    }
}

/// Asserts that `f` is within `bound` ulp of std, itself within one of the truth.
fn near_std(
    name: &str,
    bound: f64,
    (from, to): (f64, f64),
    f: impl Fn(f64) -> f64,
    want: impl Fn(f64) -> f64,
) {
    let step = (to.to_bits() - from.to_bits()) / 100_003;
    let mut worst = (0.0, 0.0);
    for k in 0..=100_003 {
        let a = f64::from_bits(from.to_bits() + k * step);
        for x in [a, -a] {
            let error = ulp64(f(x), want(x), 0.0);
            if error > worst.0 {
                worst = (error, x);
            }
        }
    }
    assert!(worst.0 <= bound + 1.0, "{name}: {} ulp at {}", worst.0, worst.1);
}

#[test]
fn double_precision_is_near_std() {
    let all = (0.0, f64::INFINITY);
    near_std("exp", 1.0, all, math::exp, f64::exp);
    near_std("exp", 1.0, (1e-3, 750.0), math::exp, f64::exp);
    near_std("exp2", 1.5, (1e-3, 1100.0), math::exp2, f64::exp2);
    near_std("ln", 1.0, all, math::ln, f64::ln);
    near_std("ln", 1.0, (0.5, 2.0), math::ln, f64::ln);
    near_std("log2", 1.0, all, math::log2, f64::log2);
    near_std("log2", 1.0, (0.5, 2.0), math::log2, f64::log2);
    near_std("log10", 1.5, all, math::log10, f64::log10);
    near_std("log10", 1.5, (0.5, 2.0), math::log10, f64::log10);
    near_std("sin", 1.0, (0.0, 1.6e6), math::sin, f64::sin);
    near_std("cos", 1.0, (0.0, 1.6e6), math::cos, f64::cos);
    near_std("tan", 2.5, (0.0, 1.6e6), math::tan, f64::tan);
    near_std("tanh", 1.5, all, math::tanh, f64::tanh);
    near_std("tanh", 1.5, (0.1, 20.0), math::tanh, f64::tanh);
    near_std("atan", 1.0, all, math::atan, f64::atan);
    near_std("atan", 1.0, (0.1, 10.0), math::atan, f64::atan);
    for y in [-3.0, -0.5, 0.3, 1.0, 2.5, 17.0] {
        near_std("pow", 1.0, all, |x| math::pow(x, y), |x| x.powf(y));
        near_std("hypot", 1.5, all, |x| math::hypot(x, y), |x| x.hypot(y));
        near_std("atan2", 2.0, all, |x| math::atan2(x, y), |x| x.atan2(y));
        near_std("atan2", 2.0, all, |x| math::atan2(y, x), |x| y.atan2(x));
    }
}

fn same(got: f64, want: f64, what: &str) {
    let equal = if want.is_nan() { got.is_nan() } else { got.to_bits() == want.to_bits() };
    assert!(equal, "{what}: {got}, want {want}");
}

fn same32(got: f32, want: f32, what: &str) {
    same(f64::from(got), f64::from(want), what);
}

#[test]
fn special_arguments_follow_std() {
    let edges =
        [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 1e300, -1e300, 1e-310, -1e-310];
    let edges = edges.into_iter().chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    let edges: Vec<f64> = edges.collect();
    for &x in &edges {
        if x == 0.0 || !x.is_finite() {
            let y = x as f32;
            same(math::exp(x), x.exp(), "exp");
            same(math::ln(x), x.ln(), "ln");
            same(math::log2(x), x.log2(), "log2");
            same(math::log10(x), x.log10(), "log10");
            same(math::sin(x), x.sin(), "sin");
            same(math::cos(x), x.cos(), "cos");
            same(math::tan(x), x.tan(), "tan");
            same(math::tanh(x), x.tanh(), "tanh");
            same(math::atan(x), x.atan(), "atan");
            same32(math::exp(y), y.exp(), "exp");
            same32(math::ln(y), y.ln(), "ln");
            same32(math::sin(y), y.sin(), "sin");
            same32(math::cos(y), y.cos(), "cos");
            same32(math::tan(y), y.tan(), "tan");
            same32(math::tanh(y), y.tanh(), "tanh");
            same32(math::atan(y), y.atan(), "atan");
            let erf = if x == 0.0 || x.is_nan() { x } else { x.signum() };
            same(math::erf(x), erf, "erf");
            same32(math::erf(y), erf as f32, "erf");
        }
        for &y in &edges {
            let (got, want) = (math::atan2(x, y), x.atan2(y));
            if x == 0.0 || y == 0.0 || !x.is_finite() || !y.is_finite() {
                same(got, want, &format!("atan2({x}, {y})"));
            } else {
                assert!(ulp64(got, want, 0.0) <= 3.0, "atan2({x}, {y}) = {got}");
            }
            let (a, b) = (x as f32, y as f32);
            let close = ulp32(math::pow(a, b), f64::from(a).powf(f64::from(b)));
            assert!(close <= 1.0, "pow({a}, {b}) = {}", math::pow(a, b));
            let (got, want) = (math::pow(x, y), x.powf(y));
            assert!(
                ulp64(got, want, 0.0) <= 2.0
                    && (got.is_nan() || got.is_sign_negative() == want.is_sign_negative()),
                "pow({x}, {y}) = {got}, want {want}"
            );
            let (got, want) = (math::hypot(x, y), x.hypot(y));
            assert!(ulp64(got, want, 0.0) <= 2.5, "hypot({x}, {y}) = {got}, want {want}");
        }
    }
}

#[test]
fn huge_angles_stay_in_range() {
    for exponent in 0..127 {
        for mantissa in 0..64_u32 {
            let x = f32::from_bits(((exponent + 127) << 23) | (mantissa * 131_071));
            for v in [math::sin(x), math::cos(x)] {
                assert!((-1.0..=1.0).contains(&v), "{x}: {v}");
            }
        }
    }
    for exponent in 0..1023 {
        for mantissa in 0..16_u64 {
            let bits = ((exponent + 1023) << 52) | (mantissa * 281_474_976_710_655);
            let x = f64::from_bits(bits);
            for v in [math::sin(x), math::cos(x)] {
                assert!((-1.0..=1.0).contains(&v), "{x}: {v}");
            }
        }
    }
}

#[test]
fn fast_functions_keep_their_errors() {
    fn sweep(from: f32, to: f32, mut check: impl FnMut(f32)) {
        let mut bits = from.to_bits();
        while bits <= to.to_bits() {
            check(f32::from_bits(bits));
            check(-f32::from_bits(bits));
            bits += 9_973;
        }
    }
    sweep(1e-30, 87.0, |x| {
        assert!(ulp32(fast::exp(x), f64::from(x).exp()) <= 3.0, "exp({x})");
        assert!(ulp32(fast::exp2(x), f64::from(x).exp2()) <= 3.0, "exp2({x})");
        let d = f64::from(x) * 8.0;
        assert!(ulp64(fast::exp(d), d.exp(), 0.0) <= 3.0, "exp({d})");
    });
    sweep(1.2e-38, 3e38, |x| {
        let (x, d) = (x.abs(), f64::from(x.abs()));
        let near = |got: f32, want: f64| {
            (f64::from(got) - want).abs() <= 2.0_f64.powi(-24) || ulp32(got, want) <= 3.0
        };
        assert!(near(fast::ln(x), d.ln()), "ln({x})");
        assert!(near(fast::log2(x), d.log2()), "log2({x})");
        assert!(near(fast::log10(x), d.log10()), "log10({x})");
        assert!((fast::ln(d) - d.ln()).abs() <= 1e-15 * d.ln().abs().max(0.2), "ln({d})");
    });
    sweep(1e-20, 1e5, |x| {
        let d = f64::from(x);
        for (got, want) in [(fast::sin(x), d.sin()), (fast::cos(x), d.cos())] {
            assert!((f64::from(got) - want).abs() <= 2.0_f64.powi(-22), "sin or cos of {x}: {got}");
        }
        let d = d * 1e4;
        for (got, want) in [(fast::sin(d), d.sin()), (fast::cos(d), d.cos())] {
            assert!((got - want).abs() <= 2.0_f64.powi(-50), "sin or cos of {d}: {got}");
        }
        let d = f64::from(x);
        assert!((f64::from(fast::tanh(x)) - d.tanh()).abs() <= 2.0_f64.powi(-22), "tanh({x})");
        assert!((f64::from(fast::erf(x)) - math::erf(d)).abs() <= 2.0_f64.powi(-22), "erf({x})");
        let power = fast::pow(x.abs(), 1.5);
        assert!((f64::from(power) / d.abs().powf(1.5) - 1.0).abs() <= 2.0_f64.powi(-16), "{x}");
    });
}

#[test]
fn min_and_max_ignore_a_nan_and_keep_the_first_zero() {
    assert_eq!(math::min(f32::NAN, 2.0), 2.0);
    assert_eq!(math::max(2.0, f32::NAN), 2.0);
    assert!(math::min(0.0_f64, -0.0).is_sign_positive());
    assert!(math::max(-0.0_f64, 0.0).is_sign_negative());
    assert_eq!((math::min(3_u8, 7), math::max(-3_i64, -7), math::clamp(9, 0, 5)), (3, -3, 5));
    assert!(math::clamp(f32::NAN, 0.0, 1.0).is_nan());
}
