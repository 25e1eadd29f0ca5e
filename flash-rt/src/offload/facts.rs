//! The facts of a launch on which it depends what a text of it may rely on, and what that is. Fenced: it
//! reads the values of the launch.
#![allow(unsafe_code, reason = "reads values that slots point to")]

use flash_ir::Ty;
use flash_ir::emit::{Options, TableIds};

use super::words;
use crate::backend::LaunchInfo;
use crate::entry::{ArraySlot, Slot, Tag};
use crate::space::Block;

/// Boxes of a launch whose facts are remembered.
const FEW_BOXES: usize = 4;

/// What the caller knows of a launch.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// The numbers of the table that its ids are in, if there is one.
    pub table: Option<TableIds>,
    /// Whether there are no work items beyond them.
    pub exact: bool,
    /// Whether arrays start where work items may do several items.
    pub together: bool,
}

/// All of them; `None` for a launch that has too many.
///
/// # Safety
///
/// Slots of values point to values of the parameters' types.
pub unsafe fn of<M>(launch: &LaunchInfo<'_, M>, how: How) -> Option<Vec<u64>> {
    let mut all = Vec::with_capacity(64);
    let bits = [
        launch.check_all,
        how.table.is_some(),
        how.table == Some(TableIds::U64),
        how.exact,
        how.together,
    ];
    all.push(bits.into_iter().rev().fold(0, |all, bit| all << 1 | u64::from(bit)));
    all.extend(launch.space.extents().iter().map(|&n| n as u64));
    if let Some(part) = launch.part {
        if part.boxes().len() > FEW_BOXES || !part.partials().is_empty() {
            return None;
        }
        all.extend([part.phase() as u64, part.partition() as u64]);
        for positions in part.boxes() {
            add_box(&mut all, &part.bounding(positions));
        }
    }
    for (slot, param) in launch.slots.iter().zip(launch.kernel.params) {
        match slot.tag() {
            Tag::Value => {
                // SAFETY: the slot points to a value of this type, as the caller says.
                all.push(unsafe { integer(slot, &param.ty) });
            }
            Tag::Partials => {}
            _ => add_array(&mut all, slot.array_slot()),
        }
    }
    Some(all)
}

fn add_box(all: &mut Vec<u64>, ids: &Block) {
    (0..ids.rank()).for_each(|dim| all.extend([ids.lo(dim) as u64, ids.hi(dim) as u64]));
}

fn add_array(all: &mut Vec<u64>, array: &ArraySlot) {
    all.push(array.base.addr() as u64);
    for d in 0..usize::from(array.rank) {
        all.extend([
            array.origin[d] as u64,
            array.held[d] as u64,
            array.shape[d] as u64,
            array.stride[d] as u64,
            u64::from(array.own.dim[d]),
            array.own.offset[d] as u64,
        ]);
    }
}

/// The bits of a value that indices may depend on; 0 for others.
///
/// # Safety
///
/// The slot points to a value of this type.
unsafe fn integer(slot: &Slot, ty: &Ty) -> u64 {
    let Ty::Scalar(scalar) = ty else { return 0 };
    if scalar.is_float() {
        return 0;
    }
    let mut bytes = [0; 8];
    let from = slot.array_slot().base.cast_const();
    // SAFETY: the value has so many bytes, 8 at most, as the caller says.
    unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), scalar.size()) };
    u64::from_ne_bytes(bytes)
}

/// What a text of a launch may rely on.
pub fn options<M>(launch: &LaunchInfo<'_, M>, how: How) -> Options {
    let arrays = || launch.slots.iter().map(Slot::array_slot);
    let unit_stride = arrays().map(|array| match usize::from(array.rank) {
        0 => true,
        rank => array.stride[rank - 1] == 1 || array.shape[rank - 1] <= 1,
    });
    let addressed = arrays().enumerate().filter(|(_, array)| array.rank > 0).map(|(at, array)| {
        let rank = usize::from(array.rank);
        (words::shift(launch, at), &array.shape[..rank], &array.stride[..rank])
    });
    let wide = !is_narrow(launch.space.n_items(), addressed);
    Options {
        inside: launch.inside(),
        unit_stride: unit_stride.collect(),
        wide,
        check_all: launch.check_all,
        table: how.table,
        exact: how.exact,
        together: how.together,
    }
}

/// Whether 31 bits are enough for the addresses of all elements, by where each array starts, its shape and its
/// strides, and for the items.
fn is_narrow<'a>(
    items: usize,
    mut arrays: impl Iterator<Item = (i64, &'a [usize], &'a [isize])>,
) -> bool {
    let fits = |n: i128| i32::try_from(n).is_ok();
    let narrow = |(start, shape, stride): (i64, &[usize], &[isize])| {
        // Of all dimensions together, whatever their signs.
        let of_all = shape.iter().zip(stride);
        let reach: i128 = of_all.map(|(&n, &by)| n as i128 * (by as i128).abs()).sum();
        fits(i128::from(start).abs() + reach) && shape.iter().all(|&n| fits(n as i128))
    };
    fits(items as i128) && arrays.all(narrow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_as_wide_as_extents_need() {
        const MOST: usize = i32::MAX as usize;
        let one = |items, start, shape: &[usize], stride: &[isize]| {
            is_narrow(items, [(start, shape, stride)].into_iter())
        };
        assert!(is_narrow(MOST, std::iter::empty()));
        assert!(!is_narrow(MOST + 1, std::iter::empty()));
        assert!(one(8, 0, &[MOST], &[1]));
        assert!(!one(8, 0, &[MOST + 1], &[1]));
        assert!(!one(8, 1, &[MOST], &[1]));
        assert!(!one(8, -1, &[MOST], &[1]));
        assert!(one(8, 0, &[1 << 15, 1 << 15], &[1 << 15, 1]));
        assert!(!one(8, 0, &[1 << 16, 1 << 15], &[1 << 15, 1]));
        assert!(!one(8, 0, &[1 << 30], &[-3]));
        assert!(!one(8, 0, &[usize::MAX, usize::MAX], &[isize::MAX, 1]));
    }
}
