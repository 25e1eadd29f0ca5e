//! Whether threads of a launch may do several items each: arrays start where accesses of 16 bytes can be, and
//! there are enough items. What a thread then does is said by the text.

use flash_ir::emit::Together;
use flash_rt::backend::LaunchInfo;
use flash_rt::offload::form::Form;
use flash_rt::offload::words;

use crate::device::CudaDevice;
use crate::memory::CudaMemory;

/// So many threads of each multiprocessor have something to do all the same.
const BUSY: usize = 1024;

/// Whether they may.
pub(super) fn may_be(
    of: &Together,
    device: &CudaDevice,
    launch: &LaunchInfo<'_, CudaMemory>,
    form: &Form,
) -> bool {
    let Some(boxes) = form.boxes.as_deref() else { return false };
    let units = device.facts.units as usize;
    let is_asked = launch.geometry.is_some_and(|geometry| geometry.block().is_some());
    if is_asked || launch.check_all || launch.n_items() < of.width * units * BUSY {
        return false;
    }
    of.arrays.iter().all(|(param, dims)| {
        let at = usize::from(*param);
        let (Some(memory), Some(slot)) =
            (launch.memories.get(at).copied().flatten(), launch.slots.get(at))
        else {
            return false;
        };
        let array = slot.array_slot();
        let rank = usize::from(array.rank);
        let size = launch.kernel.params[at].elem.size();
        let start =
            i128::from(memory.0.address) + i128::from(words::shift(launch, at)) * size as i128;
        let length = (of.width * size) as i128;
        let mut lines = array.stride[..rank.saturating_sub(1)].iter();
        rank == dims.len()
            && array.stride[rank - 1] == 1
            && lines.all(|stride| (*stride as i128 * size as i128) % length == 0)
            && start.rem_euclid(length) == 0
            // Those of further dimensions are whole lines further.
            && boxes.iter().all(|ids| (ids.lo(0) * size) as i128 % length == 0)
    })
}
