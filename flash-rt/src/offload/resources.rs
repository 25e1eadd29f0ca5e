//! What a launch of a text uses of a device beside its arrays: partial results, a record of what went wrong,
//! a table of ids. It knows no driver, and gives nothing back.

use super::form::Form;
use crate::backend::LaunchInfo;
use crate::descriptor::Role;
use crate::error::DriverError;

/// All of it, in memories of the device.
#[derive(Debug)]
pub struct Resources<S, R> {
    /// For each reduction its parameter, its partial results and their number of bytes.
    pub partials: Vec<(usize, S, usize)>,
    /// Where the text notes what went wrong.
    pub record: Option<R>,
    /// The table of ids, and its rows.
    pub table: Option<(S, Box<[u8]>, usize)>,
}

/// A table as the device gets it.
pub fn bytes(ids: &[u64]) -> Box<[u8]> {
    ids.iter().flat_map(|id| id.to_ne_bytes()).collect()
}

impl<S, R> Resources<S, R> {
    /// Takes what a launch needs, memories by their bytes.
    ///
    /// # Errors
    ///
    /// Those of taking a memory.
    pub fn take<M>(
        launch: &LaunchInfo<'_, M>,
        form: &Form,
        record: Option<R>,
        memory: impl Fn(u64) -> Result<S, DriverError>,
    ) -> Result<Self, DriverError> {
        let n_blocks = form.blocks.as_ref().map_or(0, ExactSizeIterator::len);
        let mut partials = Vec::new();
        for (at, param) in launch.kernel.params.iter().enumerate() {
            if matches!(param.role, Role::Reduce { .. }) {
                let bytes = n_blocks * param.elem.size();
                partials.push((at, memory(bytes as u64)?, bytes));
            }
        }
        let table = match form.table(launch) {
            None => None,
            Some((ids, rows)) => {
                let bytes = bytes(&ids);
                Some((memory(bytes.len() as u64)?, bytes, rows))
            }
        };
        Ok(Self { partials, record, table })
    }
}
