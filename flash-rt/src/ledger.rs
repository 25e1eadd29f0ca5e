//! Who reads or writes which boxes of an allocation. It orders users; it does not move data.

use std::sync::atomic::AtomicU64;

/// The ledger of one allocation.
#[derive(Debug, Default)]
pub struct Ledger {
    /// See `enter`.
    #[expect(dead_code, reason = "entered by the holds that follow")]
    state: AtomicU64,
}
