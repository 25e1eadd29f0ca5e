//! What backends of devices with a compiler and a memory of their own have in common: compiled
//! programs on disk, the texts of a body and what each may rely on, the words it is given, how items are
//! cut into commands, what a launch or a native node uses beside its arrays, what a plain pointer can say,
//! and threads for long copies. It names no driver, and calls none.

pub mod allowance;
pub mod arguments;
pub mod block;
pub mod cache;
pub mod code;
pub mod facts;
pub mod form;
pub mod includes;
pub mod plain;
pub mod registered;
pub mod resources;
pub mod staging;
pub mod table;
pub mod texts;
pub mod words;

/// Whether bodies run on devices that do not round their quotients and roots of `f32` correctly, for tests
/// that ask what they touch.
pub fn runs_inexact() -> bool {
    #[cfg(feature = "sabotage")]
    let is_so = crate::sabotage::is_inexact();
    #[cfg(not(feature = "sabotage"))]
    let is_so = false;
    is_so
}
