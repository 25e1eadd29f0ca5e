//! From what a launch noted to the error a user sees. It decides nothing.

use crate::descriptor::KernelDescriptor;
use crate::entry::{Outcome, Slot};
use crate::error::{Error, Result, Site};
use crate::space::Space;

/// The error of a launch, if it noted one; of a panic and a violation the one of the lower item.
#[cold]
pub(super) fn check(
    (kernel, site): (&'static KernelDescriptor, Site),
    space: &Space,
    slots: &[Slot],
    outcome: &Outcome,
) -> Result<()> {
    let (violation, panic) = outcome.take();
    let panicked_first = match (&violation, &panic) {
        (Some(violation), Some((item, _))) => *item < violation.item,
        (None, Some(_)) => true,
        _ => false,
    };
    if let (true, Some((item, message))) = (panicked_first, panic) {
        return Err(Error::KernelPanic {
            kernel: kernel.name,
            site,
            item: coordinates(space, item),
            message: message.into(),
        });
    }
    let Some(violation) = violation else { return Ok(()) };
    let k = usize::from(violation.param);
    let param = kernel.params.get(k).map_or("?", |param| param.name);
    let array = slots.get(k).map(|slot| slot.array_slot());
    let rank = array.map_or(0, |array| usize::from(array.rank));
    Err(Error::OutOfBounds {
        kernel: kernel.name,
        site,
        item: coordinates(space, violation.item),
        param,
        index: violation.index[..rank].to_vec(),
        shape: array.map_or_else(Vec::new, |array| array.shape[..rank].to_vec()),
    })
}

/// The ids of an item by its linear number, dimension 0 first.
fn coordinates(space: &Space, item: u64) -> Vec<usize> {
    let mut rest = item;
    let mut ids = Vec::with_capacity(space.rank());
    for &extent in space.extents() {
        let extent = (extent as u64).max(1);
        ids.push((rest % extent) as usize);
        rest /= extent;
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_dimension_comes_first() {
        let space = Space::new(&[4, 3, 2]).unwrap();
        assert_eq!(coordinates(&space, 0), [0, 0, 0]);
        assert_eq!(coordinates(&space, 3), [3, 0, 0]);
        assert_eq!(coordinates(&space, 4 * 3 + 4 + 2), [2, 1, 1]);
    }
}
