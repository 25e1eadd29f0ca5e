//! The names a first program needs. It re-exports and defines nothing.

pub use crate::flash_pipeline;
pub use crate::math;
pub use crate::{ArgRange, Atomic, Bound, Buffer, Part, Pod, Var, View, ViewMut};
pub use crate::{IntoStage, Pipeline, Report, Runtime, Task};
pub use crate::{cascade, custom_loop, loop_var, seq, trip};
