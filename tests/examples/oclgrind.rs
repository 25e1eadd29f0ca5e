//! The kernels of the examples as Oclgrind runs them, on the data of `small`: they touch what is theirs, and
//! their results are right there too.

use flash::Error;
use flash_examples::Result;
use flash_tests::oclgrind;

use super::*;

/// Whether an example ran; it is left out where the device does not round as it has to.
fn ran(name: &str, result: Result) -> bool {
    match result {
        Ok(()) => true,
        Err(error) => {
            let typed = error.downcast_ref::<Error>();
            let is_rounding = typed.is_some_and(
                |error| matches!(error, Error::NoImplementation { why, .. } if why.contains("does not round")),
            );
            assert!(is_rounding, "{name}: {}", flash_examples::with_causes(&*error));
            false
        }
    }
}

#[test]
fn kernels_of_examples_touch_what_is_theirs() {
    if !oclgrind::is_under() {
        let said = oclgrind::said("oclgrind::kernels_of_examples_touch_what_is_theirs");
        let said = said.unwrap_or_default();
        assert!(said.is_empty(), "{said}");
        return;
    }
    let rt = runtime(OPENCL);
    let mut names = Vec::new();
    macro_rules! all {
        ($($name:ident,)*) => {
            $(if ran(stringify!($name), small::$name(&rt)) {
                names.push(stringify!($name));
            })*
        };
    }
    portable_examples!(all);
    println!("{names:?}");
    assert!(names.len() >= 10, "{names:?}");
}
