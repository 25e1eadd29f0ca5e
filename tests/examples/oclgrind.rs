//! The kernels of the examples as Oclgrind runs them, on the data of `small`: they touch what is theirs, and
//! their results are right there too.

use flash::Error;
use flash_examples::Result;
use flash_tests::oclgrind;

use super::*;

/// Examples that divide or root `f32`, which it rounds in its own way: what they compute is not looked at.
const ROUNDED: &[&str] = &[];

/// An example has run, and found its results to be right.
fn has_run(name: &str, result: Result) {
    if let Err(error) = result {
        let is_of_flash = error.downcast_ref::<Error>().is_some();
        let may_differ = !is_of_flash && ROUNDED.contains(&name);
        assert!(may_differ, "{name}: {}", flash_examples::with_causes(&*error));
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
    macro_rules! all {
        ($($name:ident,)*) => {
            $(has_run(stringify!($name), small::$name(&rt));)*
        };
    }
    portable_examples!(all);
}
