//! `#[flash::kernel]`: parse, check, expand.

pub mod model;
