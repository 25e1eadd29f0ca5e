//! Which launches of a run ran on another device than the one of the plan, and why. It places
//! nothing.

use std::sync::{Mutex, PoisonError};

use crate::device::Device;
use crate::error::Error;
use crate::report::Fallback;

/// Those of one run.
#[derive(Debug, Default)]
pub(super) struct Falls(Mutex<Vec<Fallback>>);

impl Falls {
    /// Notes that a launch ran on `to` as it could not on `from`; said once for each node and pair of
    /// devices.
    #[cold]
    pub(super) fn note(
        &self,
        (node, kernel): (usize, &'static str),
        (from, to): (&Device, &Device),
        error: Error,
    ) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = all
            .iter_mut()
            .find(|known| known.node == node && known.from == from.name() && known.to == to.name());
        if let Some(known) = same {
            known.count += 1;
            return;
        }
        let (from, to) = (from.name().to_owned(), to.name().to_owned());
        tracing::warn!(kernel, node, device = from, to, %error, "runs elsewhere");
        all.push(Fallback { node, kernel, from, to, count: 1, error });
    }

    /// Puts all of them, by node, in place of those of another run.
    #[inline]
    pub(super) fn replace(self, before: &mut Vec<Fallback>) {
        let mut all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if all.is_empty() {
            return before.clear();
        }
        all.sort_by_key(|fallback| fallback.node);
        *before = all;
    }
}
