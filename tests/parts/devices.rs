//! What a report says that devices had of a split launch: against closed forms and the simulator's own
//! count.

use flash::prelude::*;
use flash::{DeviceReport, Report};

use super::stencils::{blur, smooth};
use super::{faults, open};

#[flash::kernel(part_by)]
fn scale(x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = 3 * x[i];
}

/// Parts, items, and bytes to a device and from it.
type Had = (u64, u64, u64, u64);

fn had(report: &DeviceReport) -> Had {
    (report.parts, report.items, report.uploaded, report.downloaded)
}

/// Of each launch and device.
fn all(report: &Report) -> Vec<(usize, &str, Had)> {
    report.devices().iter().map(|d| (d.node, &d.device[..], had(d))).collect()
}

const N: usize = 4_096;

#[test]
fn shares_are_items_and_their_bytes() {
    let (rt, _) = open(&[1, 1]);
    let (x, mut y) = (Buffer::from(vec![1_u64; N]), Buffer::<u64>::zeros(N));
    let mut p = rt.pipeline();
    p.push(scale(&x, &mut y).shares([1.0, 3.0]).over([N]));
    assert!(!p.explain().unwrap().to_string().contains("1024 items"));
    let report = p.exec().unwrap();
    let (first, second) = ((1, 1_024, 8 * 1_024, 0), (1, 3_072, 8 * 3_072, 0));
    assert_eq!(all(&report), [(0, "sim:0", first), (0, "sim:1", second)]);
    assert!(report.devices().iter().all(|had| had.kernel == "scale"));
    let line = "node 0, `scale`: 3072 items in 1 part on sim:1, 24.0 KiB up, 0 B down";
    assert!(report.to_string().contains(line), "{report}");
    let how = p.explain().unwrap();
    assert_eq!(how.stages()[0].devices[1], line);
    assert!(how.to_string().contains(line), "{how}");
    // It is all there in the next run, and what is whole is not in parts.
    let report = p.exec().unwrap();
    assert_eq!(all(&report), [(0, "sim:0", (1, 1_024, 0, 0)), (0, "sim:1", (1, 3_072, 0, 0))]);
    assert!(rt.submit(scale(&x, &mut y).pin(1)).exec([N]).unwrap().devices().is_empty());
}

#[test]
fn halos_are_counted_where_they_come_from_and_where_they_go() {
    let (rt, sim) = open(&[1, 1]);
    let (mut a, mut b) = (Buffer::from(vec![1_u64; N]), Buffer::<u64>::zeros(N));
    let trips = 7;
    let mut p = rt.pipeline();
    p.begin_for(0..trips as u32);
    p.push(smooth(&a, &mut b).partitions(2).over([N]));
    p.push(smooth(&b, &mut a).partitions(2).over([N]));
    p.end_for();
    p.exec().unwrap();
    let before = sim.counts();
    let report = p.exec().unwrap();
    // For each launch an element over the border, each way.
    let half = (trips, trips * N as u64 / 2, 8 * trips, 8 * trips);
    let wanted = [(1, "sim:0", half), (1, "sim:1", half), (2, "sim:0", half), (2, "sim:1", half)];
    assert_eq!(all(&report), wanted);
    let (after, moved) = (sim.counts(), report.transfers());
    assert_eq!(moved.uploaded, 4 * 8 * trips);
    assert_eq!(after.uploaded - before.uploaded, moved.uploaded);
    assert_eq!(after.downloaded - before.downloaded, moved.downloaded);
}

#[test]
fn phases_and_claimed_blocks_are_counted_too() {
    let (rt, sim) = open(&[1, 1]);
    let (mut x, mut y) = (Buffer::from(vec![1_u64; N]), Buffer::from(vec![1_u64; N]));
    let phases = 6;
    let report = rt.submit(blur(&mut x, &mut y).partitions(2)).exec([N, phases as usize]).unwrap();
    let bytes = |of: fn(&DeviceReport) -> u64| report.devices().iter().map(of).sum::<u64>();
    assert_eq!(report.devices().len(), 2);
    assert!(report.devices().iter().all(|d| (d.parts, d.items) == (phases, phases * N as u64 / 2)));
    assert_eq!(bytes(|had| had.uploaded), report.transfers().uploaded);
    assert_eq!(bytes(|had| had.downloaded), report.transfers().downloaded);
    assert!(report.transfers().downloaded > 0);
    // Who claims how many blocks is theirs to find out; all of them are there.
    let (x, mut y) = (Buffer::from(vec![1_u64; N]), Buffer::<u64>::zeros(N));
    let before = sim.counts().uploaded;
    let report = rt.submit(scale(&x, &mut y).dynamic(64)).exec([N]).unwrap();
    let sum = |of: fn(&DeviceReport) -> u64| report.devices().iter().map(of).sum::<u64>();
    assert_eq!((sum(|had| had.parts), sum(|had| had.items)), (N as u64 / 64, N as u64));
    assert_eq!(sum(|had| had.uploaded), 8 * N as u64);
    assert_eq!(sim.counts().uploaded - before, 8 * N as u64);
    assert!(report.devices().iter().all(|had| had.uploaded == 8 * had.items));
}

#[test]
fn a_part_counts_where_it_ended() {
    let run = |fault| {
        let (rt, sim) = open(&[1, 1, 1]);
        let (x, mut y) = (Buffer::from(vec![1_u64; N]), Buffer::<u64>::zeros(N));
        let mut p = rt.pipeline();
        p.push(scale(&x, &mut y).partitions(2).exclude(0).over([N]));
        p.prepare().unwrap();
        (faults::exec(&mut p, &sim, fault), sim)
    };
    let lost = flash_rt::sim::Fault::Lose { device: 2, after: 0 };
    let ((report, _), _) = run(Some(lost));
    let report = report.unwrap();
    assert_eq!(all(&report), [(0, "sim:1", (2, N as u64, 8 * N as u64, 0))]);
    assert_eq!(report.fallbacks().len(), 1);
}
