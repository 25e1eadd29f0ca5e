//! Host tasks that were over at once whenever they ran, so that nobody is woken for what waits beside
//! them, and then are not: nothing waits for ever, and nothing is lost.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use flash::Error;
use flash::prelude::*;
use flash_rt::backend::at_work;

use crate::overlap::LONG;
use crate::{accumulate, counted, mix, mixed};

/// Trips in which all is quick, before the last one.
const QUICK: u64 = 60;

/// What so many launches of `mix(3, 1, ..)` make of values.
fn after(mut values: Vec<u64>, launches: u64) -> Vec<u64> {
    for _ in 0..launches {
        values.iter_mut().for_each(|x| *x = mixed(*x, 3, 1));
    }
    values
}

#[test]
fn a_quick_task_that_waits_for_another_one_at_last_gets_it() {
    let rt = Runtime::builder().devices("ALL_CPU").dataflow(true).build().unwrap();
    // Whichever of the two runs first, the other one is ready with it.
    for waits_first in [true, false] {
        let mut x = Buffer::from(counted(64));
        let (told, hear) = channel::<u64>();
        let (mut sent, mut received) = (0, 0);
        let mut send = move || {
            sent += 1;
            if sent > QUICK { told.send(sent) } else { Ok(()) }
        };
        let heard = AtomicU64::new(0);
        let said = &heard;
        let mut receive = move || {
            received += 1;
            if received > QUICK {
                said.store(hear.recv_timeout(LONG)?, Ordering::Relaxed);
            }
            Ok::<_, std::sync::mpsc::RecvTimeoutError>(())
        };
        let mut p = rt.pipeline();
        p.begin_for(0..QUICK + 1);
        p.push(mix(3, 1, &mut x).over([64]));
        if waits_first {
            p.push(Task::new("receive", (&x,), |_| Ok(receive()?)));
            p.push(Task::new("send", (&x,), |_| Ok(send()?)));
        } else {
            p.push(Task::new("send", (&x,), |_| Ok(send()?)));
            p.push(Task::new("receive", (&x,), |_| Ok(receive()?)));
        }
        p.end_for();
        let report = p.exec().unwrap();
        drop(p);
        assert_eq!(heard.into_inner(), QUICK + 1, "waits first: {waits_first}");
        assert!(report.tasks().iter().all(|task| task.count == QUICK + 1));
        assert_eq!(x.to_vec().unwrap(), after(counted(64), QUICK + 1));
    }
}

#[test]
fn a_quick_task_that_fails_ends_the_run_with_what_was_set_back() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let (x, y) = (Buffer::from(counted(64)), Mutex::new(Vec::new()));
    let mut z = Buffer::from(counted(64));
    let mut turns = 0;
    let mut p = rt.pipeline();
    p.begin_for(0..2 * QUICK);
    p.push(mix(3, 1, &mut z).over([64]));
    p.push(Task::new("fails", (&z,), |_| {
        turns += 1;
        Ok((turns <= QUICK).then_some(()).ok_or("no more of it")?)
    }));
    p.push(Task::new("keeps", (&z, &x), |(z, _)| y.lock().unwrap().push(z[[0]])));
    p.end_for();
    let error = p.exec().unwrap_err();
    drop(p);
    assert!(matches!(&error, Error::HostTask { .. }), "{error:?}");
    let why = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(why.as_deref(), Some("no more of it"));
    let kept = y.into_inner().unwrap();
    // Host tasks keep their order.
    let mut expected = counted(64);
    for &found in &kept {
        expected = after(expected, 1);
        assert_eq!(found, expected[0]);
    }
    assert_eq!(kept.len() as u64, QUICK);
    // The runtime goes on.
    rt.submit(mix(3, 1, &mut z)).exec([64]).unwrap();
}

#[test]
fn quick_tasks_and_slow_ones_give_what_a_loop_gives() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let mut x = Buffer::from(counted(256));
    let (mut quick, slow) = (Buffer::from(counted(256)), Mutex::new(Vec::new()));
    let mut turn = 0;
    let mut p = rt.pipeline();
    p.begin_for(0..QUICK);
    p.push(mix(3, 1, &mut x).over([256]));
    p.push(Task::new("quick", (&x, &mut quick), |(x, mut quick)| {
        for i in 0..256 {
            quick[[i]] = (quick[[i]] + x[[i]]) % 65521;
        }
    }));
    p.push(Task::new("slow", (&x,), |(x,)| {
        turn += 1;
        if turn % 7 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        slow.lock().unwrap().push(x[[255]]);
    }));
    p.end_for();
    for _ in 0..2 {
        p.exec().unwrap();
    }
    drop(p);
    let (mut of_x, mut of_quick, mut of_slow) = (counted(256), counted(256), Vec::new());
    for _ in 0..2 * QUICK {
        of_x = after(of_x, 1);
        of_quick.iter_mut().zip(&of_x).for_each(|(sum, x)| *sum = (*sum + x) % 65521);
        of_slow.push(of_x[255]);
    }
    assert_eq!(x.to_vec().unwrap(), of_x);
    assert_eq!(quick.to_vec().unwrap(), of_quick);
    assert_eq!(slow.into_inner().unwrap(), of_slow);
}

/// Notes which thread runs it.
#[flash::host_task]
fn seen(_x: &[u64], threads: &Mutex<HashSet<ThreadId>>) {
    threads.lock().unwrap().insert(std::thread::current().id());
}

#[test]
fn decisions_beside_quick_nodes_wake_nobody() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    let (mut x, mut y) = (Buffer::from(counted(100)), Buffer::from(counted(100)));
    let threads = Mutex::new(HashSet::new());
    let mut p = flash_pipeline! { in rt;
        for trip in 0..QUICK {
            accumulate(1, &x, &mut y)[100];
            for _ in 0..3 {
                mix(3, 1, &mut x)[100];
            }
            if (trip + 1) % 2 == 0 {
                seen(&x, &threads);
            }
        }
    };
    let mut least = usize::MAX;
    for run in 0..9 {
        p.exec().unwrap();
        let found = std::mem::take(&mut *threads.lock().unwrap());
        // The first run does not know yet that all of it is quick, and others may be held up.
        if run > 0 {
            least = least.min(found.len());
        }
    }
    drop(p);
    assert_eq!(least, 1, "the thread that runs all of it");
    assert_eq!(x.to_vec().unwrap(), after(counted(100), 9 * 3 * QUICK));
}

#[test]
fn more_tasks_than_processors_meet() {
    let rt = Runtime::builder().devices("ALL_CPU").dataflow(true).build().unwrap();
    let n = at_work::processors() + 3;
    let x = Buffer::from(counted(64));
    for sleeps in [true, false] {
        let (start, there) = (Instant::now(), AtomicU64::new(0));
        let mut p = rt.pipeline();
        for _ in 0..n {
            p.push(Task::new("meets", (&x,), |_| {
                there.fetch_add(1, Ordering::Relaxed);
                while there.load(Ordering::Relaxed) < n as u64 {
                    if start.elapsed() > LONG {
                        return Err("the others do not come".into());
                    }
                    std::thread::sleep(Duration::from_micros(if sleeps { 100 } else { 0 }));
                }
                Ok(())
            }));
        }
        p.exec().unwrap();
    }
}

#[test]
fn a_task_that_mostly_waits_leaves_its_processor_to_others() {
    const MS: Duration = Duration::from_millis(6);
    let rt = Runtime::open("ALL_CPU").unwrap();
    // How each run of the task passes its time, and whether its thread counted as at work.
    let sleeps = [true, true, false, false, true, true];
    let (mut run, mut counted_so) = (0, Vec::new());
    let (mut x, mut beside) = (Buffer::from(counted(64)), Buffer::from(counted(64)));
    let mut p = rt.pipeline();
    p.begin_for(0..sleeps.len() as u64);
    p.push(mix(3, 1, &mut beside).over([64]));
    p.push(mix(3, 1, &mut x).over([64]));
    p.push(Task::new("waits or works", (&x,), |_| {
        counted_so.push(at_work::is_counted());
        let start = Instant::now();
        if sleeps[run] {
            std::thread::sleep(MS);
        }
        // Others may have the processor: until the thread itself has used it for so long.
        let mut used = Duration::ZERO;
        while !sleeps[run] && used < 2 * MS {
            let look = Instant::now();
            std::hint::spin_loop();
            used += look.elapsed().min(Duration::from_micros(50));
        }
        assert!(start.elapsed() >= MS);
        run += 1;
    }));
    p.end_for();
    p.exec().unwrap();
    drop(p);
    // A run is as the one before it was; what has worked may have been kept from it.
    assert_eq!(counted_so[..3], [true, false, false]);
    assert!(!counted_so[5]);
    assert!(!at_work::is_counted(), "the run is over");
}
