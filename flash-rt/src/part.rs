//! `Part`: a handle to a box of an array, with strides. Accepted wherever a buffer is. It is made
//! by `view`, `row`, `at` and the like; it borrows nothing and holds nothing.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::error::Error;
use crate::section::Section;

/// A handle to a box of a [`Buffer`](crate::Buffer), of rank `D`.
///
/// One that was cut outside its array reports so at its first use.
pub struct Part<T, const D: usize = 1> {
    pub(crate) allocation: Arc<Allocation>,
    pub(crate) section: Section,
    pub(crate) fault: Option<Arc<Error>>,
    pub(crate) _elem: PhantomData<fn() -> T>,
}

impl<T, const D: usize> Clone for Part<T, D> {
    fn clone(&self) -> Self {
        Self {
            allocation: Arc::clone(&self.allocation),
            section: self.section,
            fault: self.fault.clone(),
            _elem: PhantomData,
        }
    }
}

impl<T, const D: usize> fmt::Debug for Part<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("elem", &std::any::type_name::<T>())
            .field("shape", &self.section.shape())
            .field("stride", &self.section.stride())
            .field("offset", &self.section.offset())
            .finish_non_exhaustive()
    }
}
