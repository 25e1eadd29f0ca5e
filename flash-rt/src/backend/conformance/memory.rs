//! Device memory through the contract alone: regions, pitches, planes, zeros, several memories at
//! once. Devices in host memory have none, and pass.

use super::copies::{Copies, bytes};
use crate::backend::Region;
use crate::device::Device;
use crate::runtime::Runtime;

/// Regions with pitches arrive where they should, and nothing beside them changes.
pub fn regions(device: &Device) {
    let Some(copies) = Copies::of(device) else { return };
    let size = 1000_u64;
    let memory = copies.allocate(size);
    let base: Vec<u8> = (0..size).map(|k| (k % 251) as u8).collect();
    copies.upload(&memory, Region::row(0, size), &base, Region::row(0, size));
    let plane = Region::plane;
    // In the memory, and on the host.
    let cases = [
        (Region::row(0, 1), Region::row(5, 1)),
        (plane(7, 3, 5, 11), plane(5, 3, 5, 3)),
        (plane(1, 64, 4, 200), plane(5, 64, 4, 100)),
        (Region::row(999, 1), Region::row(14, 1)),
        (plane(500, 10, 50, 10), plane(5, 10, 50, 10)),
        (plane(3, 0, 4, 8), plane(5, 0, 4, 8)),
        (plane(3, 8, 0, 8), plane(5, 8, 0, 8)),
        (plane(0, 1, 1000, 1), plane(5, 1, 1000, 1)),
        (plane(2, 5, 3, 9).times(4, 101), plane(1, 5, 3, 6).times(4, 40)),
        (plane(11, 4, 2, 64).times(2, 300), plane(0, 4, 2, 4).times(2, 8)),
        (plane(0, 2, 2, 2).times(0, 4), plane(0, 2, 2, 2).times(0, 4)),
    ];
    for (there, here) in cases {
        let src: Vec<u8> = (0..1100).map(|k| (k * 7 + 3) as u8).collect();
        copies.upload(&memory, there, &src, here);
        let mut expected = base.clone();
        for (to, from) in bytes(there).zip(bytes(here)) {
            expected[to] = src[from];
        }
        assert_eq!(copies.contents(&memory, size), expected, "{there:?} from {here:?}");
        let mut part = vec![0xEE; src.len()];
        copies.download(&memory, there, &mut part, here);
        let mut untouched = vec![0xEE; src.len()];
        for (to, from) in bytes(here).zip(bytes(there)) {
            untouched[to] = expected[from];
        }
        assert_eq!(part, untouched, "{there:?} to {here:?}");
        copies.zero(&memory, there);
        for at in bytes(there) {
            expected[at] = 0;
        }
        assert_eq!(copies.contents(&memory, size), expected, "zeros in {there:?}");
        copies.upload(&memory, Region::row(0, size), &base, Region::row(0, size));
    }
}

/// Memories do not share bytes, and what one gives back another may take.
pub fn two_memories(device: &Device) {
    let Some(copies) = Copies::of(device) else { return };
    let all = Region::row(0, 100);
    for round in 0..20_u8 {
        let memories = [(copies.allocate(100), round), (copies.allocate(100), round + 100)];
        for (memory, value) in &memories {
            copies.upload(memory, all, &[*value; 100], all);
        }
        for (memory, value) in &memories {
            assert_eq!(copies.contents(memory, 100), [*value; 100]);
        }
    }
}

/// What goes from one device to a peer arrives where it should, and nothing beside it changes.
pub fn peers<B>(rt: &Runtime<B>) {
    let pairs = rt.devices().iter().flat_map(|a| rt.devices().iter().map(move |b| (a, b)));
    for (a, b) in pairs {
        let (Some(from), Some(to)) = (Copies::of(a), Copies::of(b)) else { continue };
        let (all, plane) = (Region::row(0, 300), Region::plane);
        let (src, dst) = (from.allocate(300), to.allocate(300));
        let base: Vec<u8> = (0..300).map(|k| (k % 251) as u8).collect();
        from.upload(&src, all, &base, all);
        if !a.is_peer(b) {
            continue;
        }
        let cases = [
            (Region::row(3, 100), Region::row(50, 100)),
            (plane(7, 3, 5, 11), plane(5, 3, 5, 3)),
            (plane(0, 1, 300, 1), plane(0, 1, 300, 1)),
            (plane(3, 0, 4, 8), plane(5, 0, 4, 8)),
            (plane(2, 5, 3, 9).times(4, 60), plane(1, 5, 3, 6).times(4, 40)),
            (plane(11, 4, 2, 64).times(2, 130), plane(0, 4, 2, 4).times(2, 8)),
        ];
        for (here, there) in cases {
            to.upload(&dst, all, &[0xEE; 300], all);
            from.peer_copy((&src, here), (&to, &dst, there));
            let mut expected = vec![0xEE; 300];
            for (to, from) in bytes(there).zip(bytes(here)) {
                expected[to] = base[from];
            }
            assert_eq!(to.contents(&dst, 300), expected, "{here:?} to {there:?}");
            assert_eq!(from.contents(&src, 300), base, "{here:?} to {there:?}");
        }
    }
}

/// What the driver reports: what is held is not free, and what is given back is free again.
pub fn memory_info(device: &Device) {
    let Some(copies) = Copies::of(device) else { return };
    let Some(before) = copies.info() else { return };
    assert!(before.free <= before.total);
    let memory = copies.allocate(1 << 20);
    let held = copies.info().unwrap();
    assert!(held.free <= before.free && held.total == before.total, "{held:?}, {before:?}");
    drop(memory);
    let after = copies.info().unwrap();
    assert!(after.free >= held.free, "{after:?}, {held:?}");
}
