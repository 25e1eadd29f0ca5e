//! Borrowed arrays with strides: what kernel signatures name and host tasks get. They own nothing,
//! check every index, and are no handles: a part of a buffer is a [`Part`](crate::Part).

mod layout;
#[cfg(feature = "ndarray")]
mod nd;
mod shared;
mod unique;

pub use shared::{Iter, Rows, View};
pub use unique::{IterMut, RowsMut, ViewMut};
