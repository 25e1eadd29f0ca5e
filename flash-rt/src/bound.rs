//! `Bound`: one long borrow of the caller's memory as a handle for several stages. It is used in
//! place where the device shares the host's memory, and current again when `exec` returns.
#![allow(unsafe_code, reason = "hands the run time a pointer made from a borrow it keeps alive")]

use std::marker::PhantomData;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::pod::Pod;

/// Borrowed memory that several stages share: `&u` reads, `&mut u` writes.
#[derive(Debug)]
pub struct Bound<'a, T> {
    pub(crate) allocation: Arc<Allocation>,
    _borrow: PhantomData<&'a mut [T]>,
}

/// Borrowed memory that several stages read.
#[derive(Debug)]
pub struct BoundRead<'a, T> {
    pub(crate) allocation: Arc<Allocation>,
    _borrow: PhantomData<&'a [T]>,
}

impl<'a, T: Pod> Bound<'a, T> {
    /// Borrows elements to read and write.
    #[allow(clippy::new_ret_no_self, reason = "it is Self")]
    pub fn new(values: &'a mut [T]) -> Self {
        // SAFETY: the elements are borrowed alone for `'a`; arguments made from the handle carry
        // `'a`, and so does all that runs with them.
        let allocation = unsafe { Allocation::foreign_mut::<T>(values) };
        Self { allocation: Arc::new(allocation), _borrow: PhantomData }
    }

    /// Borrows elements to read only.
    pub fn read(values: &'a [T]) -> BoundRead<'a, T> {
        // SAFETY: the elements are shared for `'a`; arguments made from the handle carry `'a`, and
        // are read only.
        let allocation = unsafe { Allocation::foreign::<T>(values) };
        BoundRead { allocation: Arc::new(allocation), _borrow: PhantomData }
    }
}
