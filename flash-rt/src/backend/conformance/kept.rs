//! Launches that a backend keeps ready, submitted while they are under way. Who keeps none passes. It measures
//! nothing.
#![allow(unsafe_code, reason = "submits launches of memory that the suite owns")]

use std::sync::Arc;

use super::Kernels;
use super::copies::Copies;
use crate::backend::{LaunchInfo, Region};
use crate::device::Device;
use crate::entry::{ArraySlot, Outcome, Slot, Tag};
use crate::space::Space;

const N: usize = 100_000;

/// One that reduces, in several queues at once: each submission has partial results of its own, where its slots say.
pub fn reductions_under_way(device: &Device, k: &Kernels) {
    let Some(on) = Copies::of(device) else { return };
    let all = Region::row(0, (N * size_of::<f64>()) as u64);
    let values: Vec<u8> = (0..N).flat_map(|i| (i as f64).to_ne_bytes()).collect();
    let memory = on.allocate(all.bytes());
    on.upload(&memory, all, &values, all);
    let (space, outcome) = (Space::new(&[N]).unwrap(), Outcome::new());
    let n_blocks = flash_ir::reduction::n_blocks(space.extents());
    let line = |base: *mut u8, n: usize| {
        let mut array = ArraySlot { base, rank: 1, ..ArraySlot::empty() };
        (array.held[0], array.shape[0], array.stride[0]) = (n, n, 1);
        array
    };
    let [x, sum] = [0, 1].map(|param| k.sum.params[param].elem.id());
    let slots = |partials: &mut Vec<f64>| {
        let to = line(partials.as_mut_ptr().cast(), n_blocks);
        // SAFETY: it is the array in the device's memory, which nobody writes.
        let from = unsafe { Slot::array(Tag::Input, x, line(std::ptr::null_mut(), N)) };
        // SAFETY: there is one element a block, which live and are not touched until the launches are over,
        // below.
        let to = unsafe { Slot::array(Tag::Partials, sum, to) };
        [from, to]
    };
    let mut found = vec![vec![f64::NAN; n_blocks]; 1 + 2 * usize::from(on.queues)];
    let all_slots: Vec<_> = found.iter_mut().map(slots).collect();
    let module = on.backend.load(on.ordinal, k.sum).unwrap();
    let launch = LaunchInfo {
        kernel: k.sum,
        space: &space,
        part: None,
        slots: &all_slots[0],
        geometry: None,
        memories: &[Some(&memory), None],
        outcome: &outcome,
        check_all: false,
    };
    // SAFETY: the slots are those of the kernel, as said above; it is waited for, below.
    let first = unsafe { on.backend.launch(on.ordinal, 0, &module, &launch, &[]) };
    let mut tickets = vec![first.unwrap()];
    // SAFETY: as above.
    let kept = unsafe { on.backend.prepare(on.ordinal, &module, &launch) }.unwrap();
    let n_kept = kept.map_or(0, |kept| {
        for (slots, queue) in all_slots[1..].iter().zip((0..on.queues).cycle()) {
            // SAFETY: as above; it was made of this launch, and the memory is there.
            let sent = unsafe { Arc::clone(&kept).submit(queue, slots, &outcome, &[], false) };
            tickets.push(sent.unwrap());
        }
        all_slots.len() - 1
    });
    tickets.into_iter().for_each(|ticket| on.wait(ticket));
    assert!(outcome.is_ok());
    let wanted = found[0].clone();
    assert!(wanted.iter().sum::<f64>() == (N * (N - 1) / 2) as f64, "the sum is exact");
    assert!(found[1..=n_kept].iter().all(|found| *found == wanted), "partial results of others");
}
