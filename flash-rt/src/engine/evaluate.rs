//! Evaluates what depends on loop variables: closures of the user's, which cannot say that a variable they
//! ask for has no value there. It decides nothing by what they give.

use std::sync::Arc;

use crate::env::watch;
use crate::error::{Result, Site};
use crate::ledger::in_fragment;
use crate::loops::unfit;

/// Evaluates a fragment of a pipeline that uses the allocations `ids`: what it belongs to, and where that
/// was written.
pub(super) fn evaluate<R>(
    ids: &Arc<[u64]>,
    of: (&str, Site),
    fragment: impl FnOnce() -> Result<R>,
) -> Result<R> {
    known(of, || in_fragment(ids, fragment))
}

/// The same for whoever may wait for what is evaluated. What was wrong with a variable comes before what
/// was made of it.
pub(super) fn known<R>(
    (of, site): (&str, Site),
    fragment: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let (value, wrong) = watch(fragment);
    match wrong {
        None => value,
        Some((level, why)) => Err(unfit(&format!("what `{of}` asks for"), level, why, site)),
    }
}
