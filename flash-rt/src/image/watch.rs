//! Whom to ask about operations on images. Who waits with it keeps no memory, so that an image can
//! leave as soon as they are complete.

use std::fmt;

use crate::error::{Error, Result};
use crate::progress::Sent;

/// The device of a memory.
pub trait Watch: fmt::Debug + Send + Sync + 'static {
    /// Returns when an operation is complete.
    ///
    /// # Errors
    ///
    /// Why it was given up.
    fn wait(&self, sent: &Sent) -> Result<()> {
        let _ = sent;
        Ok(())
    }

    /// Why nothing can be read from its memory any more, if so: it is lost.
    fn lost(&self) -> Option<Error> {
        None
    }
}

/// That of a memory on which everything is complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct Complete;

impl Watch for Complete {}
