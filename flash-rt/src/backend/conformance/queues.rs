//! Queues and tickets through the contract alone: numbers, order within a queue and between queues,
//! giving up. Devices in host memory have no copies to queue, and pass.
#![allow(unsafe_code, reason = "submits copies of memory that the suite owns")]

use super::copies::Copies;
use crate::backend::{Queue, Region, Ticket};
use crate::device::Device;

const LEN: u64 = 4096;
const ALL: Region = Region::row(0, LEN);

/// Numbers of a queue ascend, and `completed` never goes back.
pub fn tickets(device: &Device) {
    let Some(on) = Copies::of(device) else { return };
    let memory = on.allocate(LEN);
    let src = vec![1; LEN as usize];
    let (mut last, mut seen) = (None, 0);
    for _ in 0..50 {
        // SAFETY: `src` lives and is not written until the last ticket is complete, below; uploads
        // of one queue do not run at the same time.
        let sent =
            unsafe { on.backend.upload(on.ordinal, &memory, ALL, &raw const src[..], ALL, &[]) };
        let sent = sent.unwrap();
        if !sent.is_done() {
            assert_eq!(sent.queue, Queue::Up);
            assert!(last.is_none_or(|last: Ticket| last.number < sent.number), "{sent:?} {last:?}");
            last = Some(sent);
        }
        let done = on.backend.completed(on.ordinal, Queue::Up).unwrap();
        assert!(done >= seen && last.is_none_or(|last| done <= last.number), "{done}");
        seen = done;
    }
    if let Some(last) = last {
        on.wait(last);
        assert_eq!(on.backend.completed(on.ordinal, Queue::Up).unwrap(), last.number);
    }
}

/// Operations of one queue take effect one after the other without being told, those of different
/// queues where a ticket says so.
pub fn order_of_queues(device: &Device) {
    let Some(on) = Copies::of(device) else { return };
    let memory = on.allocate(LEN);
    let rounds = 20_u8;
    let sources: Vec<Vec<u8>> = (0..rounds).map(|k| vec![k + 1; LEN as usize]).collect();
    let mut ends = vec![vec![0_u8; LEN as usize]; usize::from(rounds)];
    let mut before = None;
    for (src, end) in sources.iter().zip(&mut ends) {
        // Over the last download: what is above is overwritten only when it has been read.
        // SAFETY: `src` and `end` live until the last ticket is complete, and tickets order all that
        // touches the memory.
        let up = unsafe {
            let after = before.as_slice();
            on.backend.upload(on.ordinal, &memory, ALL, &raw const src[..], ALL, after)
        };
        let up = up.unwrap();
        let half = Region::row(LEN / 2, LEN / 4);
        // SAFETY: as above.
        let zeroed = unsafe { on.backend.zero(on.ordinal, 0, &memory, half, &[up]) }.unwrap();
        // SAFETY: as above.
        let down = unsafe {
            on.backend.download(on.ordinal, &memory, ALL, &raw mut end[..], ALL, &[up, zeroed])
        };
        before = Some(down.unwrap());
    }
    if let Some(last) = before {
        on.wait(last);
    }
    for (src, end) in sources.iter().zip(&ends) {
        let mut expected = src.clone();
        expected[LEN as usize / 2..][..LEN as usize / 4].fill(0);
        assert_eq!(*end, expected);
    }
}

/// Every compute queue works, and waits for the others where a ticket says so.
pub fn compute_queues(device: &Device) {
    let Some(on) = Copies::of(device) else { return };
    let memory = on.allocate(LEN);
    on.upload(&memory, ALL, &vec![7; LEN as usize], ALL);
    let n = u64::from(on.queues);
    let mut after: Option<Ticket> = None;
    for queue in 0..on.queues {
        let part = Region::row(u64::from(queue) * LEN / n, LEN / n);
        // SAFETY: nothing else uses the memory before the last ticket is complete.
        let sent = unsafe { on.backend.zero(on.ordinal, queue, &memory, part, after.as_slice()) };
        after = Some(sent.unwrap());
    }
    if let Some(last) = after {
        on.wait(last);
    }
    let contents = on.contents(&memory, LEN);
    assert!(contents[..(LEN / n * n) as usize].iter().all(|&byte| byte == 0));
}

/// After giving up nothing is under way, all tickets are complete, and the device goes on with what
/// its memories hold.
pub fn giving_up(device: &Device) {
    let Some(on) = Copies::of(device) else { return };
    let kept = on.allocate(LEN);
    on.upload(&kept, ALL, &vec![9; LEN as usize], ALL);
    let memory = on.allocate(LEN);
    let mut tickets = Vec::new();
    for k in 0..10 {
        let mut given_up = vec![k; LEN as usize];
        // SAFETY: the copies are given up before their memory goes, and no two touch the same bytes
        // at once: the second waits for the first.
        let up = unsafe {
            on.backend.upload(on.ordinal, &memory, ALL, &raw const given_up[..], ALL, &[])
        };
        tickets.push(up.unwrap());
        let dst = &raw mut given_up[..];
        // SAFETY: as above; nobody looks at `given_up` before the end of the copies.
        let down = unsafe { on.backend.download(on.ordinal, &memory, ALL, dst, ALL, &tickets[..]) };
        on.backend.reset(on.ordinal).unwrap();
        tickets.push(down.unwrap());
        for &ticket in &tickets {
            on.wait(ticket);
        }
        tickets.clear();
    }
    assert_eq!(on.contents(&kept, LEN), vec![9; LEN as usize]);
    on.upload(&memory, ALL, &vec![3; LEN as usize], ALL);
    assert_eq!(on.contents(&memory, LEN), vec![3; LEN as usize]);
}
