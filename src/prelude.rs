//! The names a first program needs. It re-exports and defines nothing.

pub use crate::math;
pub use crate::{IntoStage, Pipeline, Report, Runtime};
