//! Failures on demand: the n-th call of an entry point, at once or when its operation runs. It does
//! not carry them out.

use std::sync::Mutex;

use crate::codes::Code;
use crate::locks::lock;

/// How a call fails.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum How {
    /// The call returns the code and does nothing.
    Now,
    /// The call succeeds, and its operation fails.
    Later,
    /// The call returns the code, and the context keeps it.
    Sticky,
}

#[derive(Debug)]
struct Rule {
    /// The entry point, or `*` for any.
    call: String,
    left: u64,
    code: Code,
    how: How,
}

/// The failures that are still to come.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<Rule>>);

/// Names are meant without the version that a header gives them.
fn base(name: &str) -> &str {
    name.trim_end_matches("_v2").trim_end_matches("_v3").trim_end_matches("_v4")
}

impl Faults {
    /// `cuMemAlloc:3:2`: the third call from now on fails with code 2.
    pub(crate) fn add(&self, how: How, text: &str) -> Option<()> {
        let mut parts = text.trim().split(':');
        let call = base(parts.next()?).to_owned();
        let left = parts.next()?.parse().ok().filter(|&nth| nth > 0)?;
        let code = Code(parts.next()?.parse().ok().filter(|&code| code > 0)?);
        if parts.next().is_some() {
            return None;
        }
        lock(&self.0).push(Rule { call, left, code, how });
        Some(())
    }

    /// Counts a call, and says if and how it is to fail.
    pub(crate) fn count(&self, call: &str) -> Option<(How, Code)> {
        let mut rules = lock(&self.0);
        if rules.is_empty() {
            return None;
        }
        let mut found = None;
        rules.retain_mut(|rule| {
            if rule.call != "*" && rule.call != base(call) {
                return true;
            }
            rule.left -= 1;
            if rule.left == 0 && found.is_none() {
                found = Some((rule.how, rule.code));
            }
            rule.left > 0
        });
        found
    }

    /// How many failures are still to come.
    pub(crate) fn left(&self) -> usize {
        lock(&self.0).len()
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_that_was_meant_fails_and_no_other() {
        let faults = Faults::default();
        faults.add(How::Now, "cuMemAlloc_v2:2:2").expect("a rule");
        assert_eq!(faults.count("cuMemAlloc_v2"), None);
        assert_eq!(faults.count("cuMemFree_v2"), None);
        assert_eq!(faults.count("cuMemAlloc_v2"), Some((How::Now, Code::OUT_OF_MEMORY)));
        assert_eq!(faults.count("cuMemAlloc_v2"), None);
    }

    #[test]
    fn any_call_can_be_meant() {
        let faults = Faults::default();
        faults.add(How::Later, "*:3:719").expect("a rule");
        assert_eq!(faults.count("cuInit"), None);
        assert_eq!(faults.count("cuCtxGetCurrent"), None);
        assert_eq!(faults.count("cuLaunchKernel"), Some((How::Later, Code::LAUNCH_FAILED)));
        assert_eq!(faults.left(), 0);
    }

    #[test]
    fn nonsense_is_no_rule() {
        for text in ["cuInit", "cuInit:0:1", "cuInit:1:0", "cuInit:1:x", "cuInit:1:1:1"] {
            assert_eq!(Faults::default().add(How::Now, text), None, "{text}");
        }
    }
}
