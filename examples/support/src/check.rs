//! Comparison of a result with the one computed sequentially. A difference is an error that says
//! where and how much; nothing is printed here.

use std::fmt::Display;

/// A result that is not what the sequential program computes.
#[derive(Debug, thiserror::Error)]
#[error("{what}{place}: expected {expected}, found {found}")]
pub struct Mismatch {
    what: String,
    place: String,
    expected: String,
    found: String,
}

impl Mismatch {
    /// A difference in `what`, which is not a sequence.
    pub fn new(what: &str, expected: impl Display, found: impl Display) -> Self {
        Self::at(what, String::new(), expected, found)
    }

    fn at(what: &str, place: String, expected: impl Display, found: impl Display) -> Self {
        Self {
            what: what.to_owned(),
            place,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

/// Both sequences are equal, element by element.
///
/// # Errors
///
/// [`Mismatch`] with the number of differences and the first one.
pub fn equal<T: PartialEq + Display>(
    what: &str,
    found: &[T],
    expected: &[T],
) -> Result<(), Mismatch> {
    differences(what, found, expected, |found, expected| found == expected)
}

/// Both numbers are within `tolerance`, relative to the expected one or to 1e-30.
///
/// # Errors
///
/// [`Mismatch`] with both numbers.
pub fn close(what: &str, found: f64, expected: f64, tolerance: f64) -> Result<(), Mismatch> {
    if is_close(found, expected, tolerance) {
        Ok(())
    } else {
        Err(Mismatch::new(what, expected, found))
    }
}

/// Every number is within `tolerance`, relative to the expected one.
///
/// # Errors
///
/// [`Mismatch`] with the number of differences and the first one.
pub fn all_close(
    what: &str,
    found: &[f32],
    expected: &[f32],
    tolerance: f64,
) -> Result<(), Mismatch> {
    differences(what, found, expected, |&found, &expected| {
        is_close(f64::from(found), f64::from(expected), tolerance)
    })
}

/// Every number is off by `most` or less.
///
/// # Errors
///
/// [`Mismatch`] with the number of differences and the first one.
pub fn all_within(what: &str, found: &[f32], expected: &[f64], most: f64) -> Result<(), Mismatch> {
    differences(what, found, expected, |&found, &expected| {
        (f64::from(found) - expected).abs() <= most
    })
}

fn is_close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1e-30)
}

fn differences<F: Display, E: Display>(
    what: &str,
    found: &[F],
    expected: &[E],
    same: impl Fn(&F, &E) -> bool,
) -> Result<(), Mismatch> {
    if found.len() != expected.len() {
        return Err(Mismatch::at(what, ", number of elements".into(), expected.len(), found.len()));
    }
    let pairs = || found.iter().zip(expected);
    let Some(first) = pairs().position(|(found, expected)| !same(found, expected)) else {
        return Ok(());
    };
    let n = pairs().filter(|(found, expected)| !same(found, expected)).count();
    let place = format!(", element {first} (first of {n} differences in {})", found.len());
    Err(Mismatch::at(what, place, &expected[first], &found[first]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let error = equal("y", &[1, 5, 3, 7], &[1, 2, 3, 4]).expect_err("they differ");
        assert_eq!(
            error.to_string(),
            "y, element 1 (first of 2 differences in 4): expected 2, found 5"
        );
    }

    #[test]
    fn a_missing_element_and_a_nan_are_differences() {
        assert!(equal("y", &[1], &[1, 2]).is_err());
        assert!(close("y", f64::NAN, 1.0, 0.1).is_err());
        assert!(all_close("y", &[1.0], &[f32::NAN], 0.1).is_err());
        assert!(all_within("y", &[f32::NAN], &[1.0], 0.1).is_err());
        assert!(all_within("y", &[0.0, 1.05], &[0.05, 1.0], 0.1).is_ok());
        assert!(all_close("y", &[1.0, 1.05], &[1.0, 1.0], 0.1).is_ok());
    }
}
