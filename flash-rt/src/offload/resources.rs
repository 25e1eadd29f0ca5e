//! What a launch of a text uses of a device beside its arrays: partial results, a record of what went wrong,
//! a table of ids. It knows no driver, and gives nothing back.

use super::form::Form;
use crate::backend::LaunchInfo;
use crate::descriptor::{ParamDescriptor, Role};
use crate::entry::{Slot, Tag};
use crate::error::DriverError;

/// All of it, in memories of the device.
#[derive(Debug)]
pub struct Resources<S, R> {
    /// For each reduction where its partial results are on the host and on the device.
    pub partials: Vec<(Place, S)>,
    /// Where the text notes what went wrong.
    pub record: Option<R>,
    /// The table of ids, and its rows.
    pub table: Option<(S, Box<[u8]>, usize)>,
}

/// Where partial results of one reduction of a launch are in those of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    param: usize,
    begin: usize,
    /// How many bytes they have.
    pub bytes: usize,
}

impl Place {
    /// Those of a launch, in the order of its parameters.
    pub fn all<M>(launch: &LaunchInfo<'_, M>, form: &Form) -> Vec<Self> {
        let Some(blocks) = &form.blocks else { return Vec::new() };
        let of = |(param, desc): (usize, &ParamDescriptor)| {
            let size = desc.elem.size();
            let (begin, bytes) = (blocks.start * size, blocks.len() * size);
            matches!(desc.role, Role::Reduce { .. }).then_some(Self { param, begin, bytes })
        };
        launch.kernel.params.iter().enumerate().filter_map(of).collect()
    }

    /// Where they go as the slots of a launch say, which are of partial results there; else nothing.
    pub fn find(&self, slots: &[Slot]) -> Option<*mut u8> {
        let slot = slots.get(self.param).filter(|slot| slot.tag() == Tag::Partials)?;
        Some(slot.array_slot().base.wrapping_add(self.begin))
    }
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
        let mut partials = Vec::new();
        for place in Place::all(launch, form) {
            partials.push((place, memory(place.bytes as u64)?));
        }
        let table = match form.rows(launch) {
            None => None,
            Some((bytes, rows)) => Some((memory(bytes.len() as u64)?, bytes, rows)),
        };
        Ok(Self { partials, record, table })
    }
}
