//! What native code is given: values and plain pointers, which cannot say all that a part of an array
//! is, and work items in groups.

use flash_ir::ScalarTy;

use super::block::boxes;
use super::form::{self, Most, Piece};
use crate::backend::LaunchInfo;
use crate::descriptor::Implementation;
use crate::entry::ArraySlot;
use crate::error::{DriverError, DriverErrorKind};
use crate::space::Block;

/// The error for a launch that native code cannot take, before any of it is submitted: other code, or
/// another device, may run it.
#[cold]
pub fn refused(text: String) -> DriverError {
    DriverError { api: "launch", code: -1, text: text.into(), kind: DriverErrorKind::Library }
}

/// The bytes of a value of one type as one of a wider type of its kind, in front of zeros.
pub fn widened(bytes: &[u8], from: ScalarTy, to: ScalarTy) -> [u8; 8] {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    if (from, to) == (ScalarTy::F32, ScalarTy::F64) {
        let [a, b, c, d, ..] = wide;
        return f64::from(f32::from_ne_bytes([a, b, c, d])).to_ne_bytes();
    }
    let is_negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    if !from.is_float() && from.is_signed() && is_negative {
        wide[bytes.len()..].fill(0xff);
    }
    wide
}

/// A number of elements for code that takes it in so many bytes, which may have a sign.
///
/// # Errors
///
/// There are too many for these.
pub fn length(name: &str, len: usize, bytes: usize) -> Result<u64, DriverError> {
    length_up_to(name, len, bytes, i32::MAX as u64)
}

/// Likewise, for code that takes it without a sign.
///
/// # Errors
///
/// There are too many for these bytes.
pub fn length_unsigned(name: &str, len: usize, bytes: usize) -> Result<u64, DriverError> {
    length_up_to(name, len, bytes, u64::from(u32::MAX))
}

fn length_up_to(name: &str, len: usize, bytes: usize, most: u64) -> Result<u64, DriverError> {
    if bytes < 8 && len as u64 > most {
        return Err(refused(format!(
            "`{name}` has {len} elements, and the kernel takes its length in {bytes} bytes"
        )));
    }
    Ok(len as u64)
}

/// The element of index zero of an array that is whole in its memory, as a plain pointer has it; in
/// bytes from the start of the memory, where an element has so many.
///
/// # Errors
///
/// The array is a part that a plain pointer cannot say.
pub fn start(name: &str, array: &ArraySlot, bytes: usize) -> Result<u64, DriverError> {
    let rank = usize::from(array.rank);
    let mut expected = 1_isize;
    for dim in (0..rank).rev() {
        if array.shape[dim] > 1 && array.stride[dim] != expected {
            return Err(refused(format!(
                "`{name}` is a part with a distance of {} elements in dimension {dim}, and a native \
                 kernel gets a plain pointer, by which that is {expected}; pass the whole array and \
                 what is to be left out",
                array.stride[dim]
            )));
        }
        expected = expected.saturating_mul(array.shape[dim].max(1).cast_signed());
    }
    let before: i128 =
        (0..rank).map(|dim| array.origin[dim] as i128 * array.stride[dim] as i128).sum::<i128>()
            * bytes as i128;
    u64::try_from(array.base.addr() as i128 - before).map_err(|_| {
        refused(format!("`{name}` begins before its memory, which a plain pointer cannot say"))
    })
}

/// The items of a command, and the work-groups that they are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Items {
    /// 3 at most.
    pub rank: usize,
    /// The ids of the first item.
    pub offset: [usize; 3],
    /// Their number along each dimension, 1 beyond the rank.
    pub global: [usize; 3],
    /// The same of a work-group; `None` where the driver chooses.
    pub local: Option<[usize; 3]>,
}

impl Items {
    /// That code with these demands takes its work-groups: of exactly so many items along each dimension,
    /// and no more than it takes.
    ///
    /// # Errors
    ///
    /// It does not.
    pub fn check(
        &self,
        entry: &str,
        (required, most): (Option<[usize; 3]>, Most),
    ) -> Result<(), DriverError> {
        let Some(local) = self.local else { return Ok(()) };
        let said = |block: &[usize; 3]| format!("{:?}", &block[..self.rank]);
        if let Some(required) = required.filter(|required| *required != local) {
            return Err(refused(format!(
                "`{entry}` takes work-groups of {} items, and {} are asked for; leave out `block`",
                said(&required),
                said(&local)
            )));
        }
        let items = local.iter().fold(1, |all: usize, n| all.saturating_mul(*n));
        if items > most.items {
            return Err(refused(format!(
                "work-groups of {} are {items} items, and `{entry}` takes {} on this device; ask for \
                 a smaller `block`",
                said(&local),
                most.items
            )));
        }
        let mut along = local.iter().zip(most.along).enumerate();
        if let Some((dim, (items, most))) = along.find(|(_, (items, most))| *items > most) {
            return Err(refused(format!(
                "work-groups of {} have {items} items in dimension {dim}, and this device takes {most} \
                 there; ask for a smaller `block`",
                said(&local)
            )));
        }
        Ok(())
    }

    /// The commands of a launch of an implementation: one for each box of its items. The code itself may
    /// require the size of its groups.
    ///
    /// # Errors
    ///
    /// Groups that do not cover the items as the implementation says.
    pub fn of<M>(
        launch: &LaunchInfo<'_, M>,
        implementation: &Implementation,
        required: Option<[usize; 3]>,
    ) -> Result<Vec<Self>, DriverError> {
        let is_whole = launch.part.is_none();
        let grid = |ids| Self::grid(launch, (implementation, required), ids, is_whole);
        boxes(launch).iter().map(grid).collect()
    }

    /// Work items for a box of ids, or the rows of a table, of which the code leaves out those beyond, in
    /// groups as they are asked for, else of so many at most. Those of dimensions 2 and above are in the last
    /// one, and all of a table in the first.
    pub fn covering<M>(
        launch: &LaunchInfo<'_, M>,
        implementation: &Implementation,
        (ids, rows): (&Block, Option<usize>),
        (required, most): (Option<[usize; 3]>, Most),
    ) -> Self {
        let piece = Piece { ids, rows, first_block: 0 };
        let (rank, counts) = form::counts(launch.space.rank(), &piece);
        let in_line = |items: &[usize]| match rows {
            Some(_) => vec![items.iter().product()],
            None => items.to_vec(),
        };
        let declared: Vec<usize> = match required {
            Some(items) => items.to_vec(),
            None => implementation.block.iter().map(|&n| n as usize).collect(),
        };
        let asked = launch.geometry.and_then(|geometry| geometry.block());
        let asked = asked.or(Some(&declared[..]).filter(|block| !block.is_empty()));
        // One that is too large is refused by its number, and not made smaller.
        let local = match asked {
            Some(asked) => form::group(rank, counts, Most::ANY, Some(&in_line(asked))),
            None => form::group(rank, counts, most, None),
        };
        let grid = launch.geometry.and_then(|geometry| geometry.grid());
        let grid = grid.filter(|_| launch.part.is_none()).map(in_line);
        let up = |dim: usize| {
            let least = counts[dim].div_ceil(local[dim]);
            let asked = grid.as_ref().and_then(|grid| grid.get(dim).copied());
            asked.unwrap_or(least).max(least).saturating_mul(local[dim])
        };
        Self { rank, offset: [0; 3], global: std::array::from_fn(up), local: Some(local) }
    }

    /// Items and work-groups of a box.
    fn grid<M>(
        launch: &LaunchInfo<'_, M>,
        (implementation, required): (&Implementation, Option<[usize; 3]>),
        ids: &Block,
        is_whole: bool,
    ) -> Result<Self, DriverError> {
        let rank = launch.space.rank();
        let asked = launch.geometry;
        let declared = |list: &'static [u32]| -> Option<Vec<usize>> {
            (!list.is_empty()).then(|| list.iter().map(|&n| n as usize).collect())
        };
        let block = asked.and_then(|asked| asked.block().map(<[usize]>::to_vec));
        let block = block.or_else(|| declared(implementation.block));
        let hint = match block {
            None => "; declare its `block`, so that parts are whole groups",
            Some(_) => "",
        };
        let block = block.or_else(|| required.map(Vec::from));
        let grid = asked.and_then(|asked| asked.grid().map(<[usize]>::to_vec));
        let grid = grid.or_else(|| declared(implementation.grid)).filter(|_| is_whole);
        let extents = |dim: usize| (ids.hi(dim) - ids.lo(dim), launch.space.extent(dim));
        let kernel = launch.kernel.name;
        let lo = |dim: usize| if dim < rank { ids.lo(dim) } else { 0 };
        let offset = std::array::from_fn(lo);
        let Some(block) = block else {
            let extent = |dim: usize| if dim < rank { extents(dim).0 } else { 1 };
            let global = std::array::from_fn(extent);
            if let Some(grid) = grid {
                // Groups of a size that the driver chooses are no grid.
                return Err(refused(format!(
                    "`{kernel}` has a grid of {grid:?} and no block; say how many items a group has"
                )));
            }
            return Ok(Self { rank, offset, global, local: None });
        };
        let (mut local, mut global) = ([1; 3], [1; 3]);
        for dim in 0..rank {
            let items = block.get(dim).copied().unwrap_or(1).max(1);
            let (extent, of_space) = extents(dim);
            let groups = match &grid {
                Some(grid) => grid.get(dim).copied().unwrap_or(1),
                None => extent.div_ceil(items),
            };
            let all = groups.checked_mul(items).filter(|&all| all >= extent).ok_or_else(|| {
                refused(format!("{groups} groups of {items} items are not {extent} of them"))
            })?;
            if all > extent && !implementation.guarded {
                return Err(refused(format!(
                    "dimension {dim} has {extent} items, and groups of {items} make {all}; call it \
                     with a multiple, or declare it `guarded` if it leaves out the items beyond"
                )));
            }
            if all > extent && ids.hi(dim) < of_space {
                return Err(refused(format!(
                    "a part of {extent} items in dimension {dim} is no multiple of a group of {items}, \
                     so that items of another part would run twice{hint}"
                )));
            }
            (local[dim], global[dim]) = (items, all);
        }
        Ok(Self { rank, offset, global, local: Some(local) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_as_large_as_what_takes_it() {
        let (narrow, wide) = (i32::MAX as usize, u32::MAX as usize);
        for (len, bytes, fits_signed, fits_unsigned) in [
            (narrow, 4, true, true),
            (narrow + 1, 4, false, true),
            (wide, 4, false, true),
            (wide + 1, 4, false, false),
            (wide + 1, 8, true, true),
        ] {
            assert_eq!(length("x", len, bytes).is_ok(), fits_signed, "{len} in {bytes}");
            assert_eq!(length_unsigned("x", len, bytes).is_ok(), fits_unsigned, "{len} in {bytes}");
        }
        let said = length_unsigned("x", wide + 1, 4).unwrap_err().text;
        assert!(said.contains("`x` has 4294967296 elements"), "{said}");
    }

    #[test]
    fn values_keep_what_they_are_in_a_wider_type() {
        let wide = |bytes: &[u8], from, to| u64::from_ne_bytes(widened(bytes, from, to));
        let of = |value: i16, from| wide(&value.to_ne_bytes(), from, ScalarTy::I64);
        assert_eq!(of(-3, ScalarTy::I16), (-3_i64).cast_unsigned());
        assert_eq!(of(-3, ScalarTy::U16), 0xfffd);
        let half = wide(&0.5_f32.to_ne_bytes(), ScalarTy::F32, ScalarTy::F64);
        assert_eq!(f64::from_bits(half), 0.5);
    }

    #[test]
    fn a_plain_pointer_says_whole_rows_from_an_offset_on() {
        let mut array =
            ArraySlot { base: std::ptr::without_provenance_mut(96), ..ArraySlot::empty() };
        array.rank = 2;
        (array.shape[0], array.shape[1]) = (3, 4);
        (array.stride[0], array.stride[1]) = (4, 1);
        assert_eq!(start("x", &array, 4).unwrap(), 96);
        // What is held begins at the third row.
        array.origin[0] = 2;
        assert_eq!(start("x", &array, 4).unwrap(), 96 - 2 * 4 * 4);
        array.origin[0] = 7;
        assert!(start("x", &array, 4).unwrap_err().text.contains("begins before its memory"));
        (array.origin[0], array.stride[0]) = (0, 5);
        let said = start("x", &array, 4).unwrap_err().text;
        assert!(said.contains("a distance of 5 elements in dimension 0"), "{said}");
        // Of one row it does not matter where the next one would be.
        array.shape[0] = 1;
        assert_eq!(start("x", &array, 4).unwrap(), 96);
    }

    #[test]
    fn groups_are_those_that_code_takes() {
        let local = |local| Items { rank: 2, offset: [0; 3], global: [64, 8, 1], local };
        let most = Most { items: 32, along: [16, 8, 1] };
        let said = |items: Items, required| match items.check("k", (required, most)) {
            Ok(()) => String::new(),
            Err(error) => error.text.to_string(),
        };
        assert_eq!(said(local(None), Some([8, 4, 1])), "");
        assert_eq!(said(local(Some([8, 4, 1])), Some([8, 4, 1])), "");
        assert!(
            said(local(Some([8, 2, 1])), Some([8, 4, 1])).contains("takes work-groups of [8, 4]")
        );
        assert!(said(local(Some([16, 4, 1])), None).contains("are 64 items, and `k` takes 32"));
        assert!(said(local(Some([32, 1, 1])), None).contains("takes 16"));
    }
}
