//! Launches that go to the driver together: those that come again in the same order are a graph, which is one
//! call. It does not say which launches are held back. Fenced: it lets kernels run with the memory of
//! validated launches.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::sync::{Arc, Weak};

use crate::cu::{Chain, Failure, Stream};
use crate::kept::KeptLaunch;

/// So few launches are not worth a graph.
const FEW: usize = 3;
/// So often launches come before they are made a graph, which takes as long as some hundred of them.
const BEFORE: u32 = 3;
/// So many lists of launches are known.
const KNOWN: usize = 16;

/// A list of launches that came.
#[derive(Debug)]
struct Known {
    launches: Box<[Weak<KeptLaunch>]>,
    /// How often it came.
    n: u32,
    chain: Option<Chain>,
}

/// Lists of launches that came, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Batches(Vec<Known>);

impl Known {
    fn is(&self, launches: &[(u64, Arc<KeptLaunch>)]) -> bool {
        self.launches.len() == launches.len()
            && self.launches.iter().zip(launches).all(|(known, (_, launch))| {
                // A launch that is known is not freed, so no other one has its address.
                std::ptr::eq(known.as_ptr(), Arc::as_ptr(launch))
            })
    }

    fn is_there(&self) -> bool {
        self.launches.iter().all(|launch| launch.strong_count() > 0)
    }
}

impl Batches {
    /// Forgets all: their context is gone.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    /// Submits launches in their order; where that fails, how many of them were. The context of the stream
    /// is current.
    ///
    /// # Safety
    ///
    /// As `Prepared::submit` for each; none has a record.
    pub(crate) unsafe fn submit(
        &mut self,
        stream: &Stream,
        launches: &[(u64, Arc<KeptLaunch>)],
    ) -> Result<(), (usize, Failure)> {
        // SAFETY: as the caller vouches.
        if launches.len() > FEW && unsafe { self.as_one(stream, launches) } {
            return Ok(());
        }
        for (k, (_, launch)) in launches.iter().enumerate() {
            // SAFETY: as the caller vouches.
            unsafe { launch.enqueue(stream) }.map_err(|failure| (k, failure))?;
        }
        Ok(())
    }

    /// Submits launches as a graph, where they are one; whether they were.
    ///
    /// # Safety
    ///
    /// As [`Batches::submit`].
    unsafe fn as_one(&mut self, stream: &Stream, launches: &[(u64, Arc<KeptLaunch>)]) -> bool {
        let mut known = match self.0.iter().position(|known| known.is(launches)) {
            Some(at) => self.0.remove(at),
            None => {
                self.0.retain(Known::is_there);
                if self.0.len() == KNOWN {
                    self.0.remove(0);
                }
                let launches = launches.iter().map(|(_, launch)| Arc::downgrade(launch));
                Known { launches: launches.collect(), n: 0, chain: None }
            }
        };
        known.n = known.n.saturating_add(1);
        if known.n == BEFORE {
            let links = launches.iter().map(|(_, launch)| launch.link()).collect();
            // SAFETY: the arguments are those of the launches, which are given when the chain runs.
            known.chain = match unsafe { Chain::new(stream.context(), links) } {
                Ok(chain) => Some(chain),
                Err(failure) => {
                    let status = failure.words();
                    tracing::debug!(api = failure.api, status, "launches are not made a graph");
                    None
                }
            };
        }
        // SAFETY: as the caller vouches. Where nothing was submitted, launches go one by one.
        let is_submitted =
            known.chain.as_ref().is_some_and(|chain| unsafe { chain.launch(stream) }.is_ok());
        if !is_submitted {
            known.chain = None;
        }
        self.0.push(known);
        is_submitted
    }
}
