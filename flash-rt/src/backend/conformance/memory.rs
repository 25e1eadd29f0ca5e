//! Device memory through the contract alone: regions, pitches, several memories at once. Devices in
//! host memory have none, and pass.

use crate::backend::Region;
use crate::device::Device;

/// One row.
fn row(offset: u64, len: u64) -> Region {
    Region { offset, row_bytes: len, rows: 1, pitch: len }
}

/// Regions with pitches arrive where they should, and nothing beside them changes.
pub fn regions(device: &Device) {
    if device.space().is_none() {
        return;
    }
    let (backend, ordinal) = (&device.backend, device.ordinal);
    let size = 1000_u64;
    let memory = backend.allocate(ordinal, size).unwrap();
    let base: Vec<u8> = (0..size).map(|k| (k % 251) as u8).collect();
    let sent = backend.upload(ordinal, &memory, row(0, size), &base, row(0, size)).unwrap();
    backend.wait(&sent).unwrap();
    // (offset, bytes of a row, rows, pitch in the memory, pitch on the host)
    let cases = [
        (0, 1, 1, 1, 1),
        (7, 3, 5, 11, 3),
        (1, 64, 4, 200, 100),
        (999, 1, 1, 1, 9),
        (500, 10, 50, 10, 10),
        (3, 0, 4, 8, 8),
        (3, 8, 0, 8, 8),
        (0, 1, 1000, 1, 1),
    ];
    for (offset, row_bytes, rows, pitch, host_pitch) in cases {
        let there = Region { offset, row_bytes, rows, pitch };
        let here = Region { offset: 5, row_bytes, rows, pitch: host_pitch };
        let src: Vec<u8> = (0..rows * host_pitch + 16).map(|k| (k * 7 + 3) as u8).collect();
        let sent = backend.upload(ordinal, &memory, there, &src, here).unwrap();
        backend.wait(&sent).unwrap();
        assert!(backend.poll(&sent).unwrap(), "an event that was waited for has happened");
        let mut expected = base.clone();
        for r in 0..rows {
            let (to, from) = ((offset + r * pitch) as usize, (5 + r * host_pitch) as usize);
            let n = row_bytes as usize;
            expected[to..to + n].copy_from_slice(&src[from..from + n]);
        }
        let mut all = vec![0; size as usize];
        backend.download(ordinal, &memory, row(0, size), &mut all, row(0, size)).unwrap();
        assert_eq!(all, expected, "{there:?} from {here:?}");
        let mut part = vec![0xEE; src.len()];
        backend.download(ordinal, &memory, there, &mut part, here).unwrap();
        let mut untouched = vec![0xEE; src.len()];
        for r in 0..rows {
            let (to, from) = ((5 + r * host_pitch) as usize, (offset + r * pitch) as usize);
            let n = row_bytes as usize;
            untouched[to..to + n].copy_from_slice(&expected[from..from + n]);
        }
        assert_eq!(part, untouched, "{there:?} to {here:?}");
        let sent = backend.upload(ordinal, &memory, row(0, size), &base, row(0, size)).unwrap();
        backend.wait(&sent).unwrap();
    }
}

/// Memories do not share bytes, and what one gives back another may take.
pub fn two_memories(device: &Device) {
    if device.space().is_none() {
        return;
    }
    let (backend, ordinal) = (&device.backend, device.ordinal);
    for round in 0..20_u8 {
        let first = backend.allocate(ordinal, 100).unwrap();
        let second = backend.allocate(ordinal, 100).unwrap();
        for (memory, value) in [(&first, round), (&second, round + 100)] {
            backend.upload(ordinal, memory, row(0, 100), &[value; 100], row(0, 100)).unwrap();
        }
        for (memory, value) in [(&first, round), (&second, round + 100)] {
            let mut back = [0; 100];
            backend.download(ordinal, memory, row(0, 100), &mut back, row(0, 100)).unwrap();
            assert_eq!(back, [value; 100]);
        }
    }
}
