//! The table of indices that native code of a device takes where its kernel is declared `index_table`: a
//! pointer to it, and the number of its rows. It takes no memory of the device.

use super::plain::refused;
use crate::backend::{LaunchInfo, indices};
use crate::descriptor::Table;
use crate::error::DriverError;
use crate::space::Block;

/// The bytes of an index in code for a device, which has one type: 4 where the declaration says nothing.
pub fn width(table: Table) -> usize {
    usize::from(table.bytes.unwrap_or(4))
}

/// A table of the items of a launch.
#[derive(Clone, Debug)]
pub struct Rows {
    /// What the device gets.
    pub bytes: Box<[u8]>,
    /// How many items it is of.
    pub n: usize,
    /// The smallest box of ids around them.
    pub around: Block,
}

impl Rows {
    /// Those of a launch; `None` where it has no items.
    ///
    /// # Errors
    ///
    /// Ids that do not fit.
    pub fn of<M>(launch: &LaunchInfo<'_, M>, table: Table) -> Result<Option<Self>, DriverError> {
        let whole = [launch.space.block()];
        let boxes = launch.part.map_or(&whole[..], |part| part.boxes());
        let mut filled = boxes.iter().filter(|positions| positions.n_items() > 0);
        let ids = |positions: &Block| match launch.part {
            Some(part) => part.bounding(positions),
            None => positions.clone(),
        };
        let Some(first) = filled.next() else { return Ok(None) };
        let around = filled.fold(ids(first), |around, positions| {
            let ids = ids(positions);
            (0..around.rank()).fold(around, |around, dim| {
                let (lo, hi) = (around.lo(dim).min(ids.lo(dim)), around.hi(dim).max(ids.hi(dim)));
                around.with(dim, lo, hi)
            })
        });
        let items = (boxes, launch.part);
        let bytes: Vec<u8> = match width(table) {
            4 => {
                let ends = (0..around.rank()).map(|dim| around.hi(dim));
                if ends.max().is_some_and(|end| end as u64 > 1 << 32) {
                    return Err(refused(format!(
                        "the table of indices of `{}` is of `u32`, and ids go up to {around:?}; declare \
                         `index_table(u64)`",
                        launch.kernel.name
                    )));
                }
                let mut ids = Vec::new();
                indices::fill(items, table.by_item, |id| id as u32, &mut ids);
                ids.into_iter().flat_map(u32::to_ne_bytes).collect()
            }
            _ => {
                let mut ids = Vec::new();
                indices::fill(items, table.by_item, |id| id as u64, &mut ids);
                ids.into_iter().flat_map(u64::to_ne_bytes).collect()
            }
        };
        let n = boxes.iter().map(Block::n_items).sum();
        Ok(Some(Self { bytes: bytes.into(), n, around }))
    }
}
