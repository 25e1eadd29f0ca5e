//! Random pipelines of which a host task returns an error, panics or cancels the run, at any of those
//! that it comes by: the error is that of this task, what is there is what the program has at some
//! time, as far as the task has waited for it and no further than it lets go on, and the pipeline and
//! its runtime go on from there.

use std::sync::Arc;

use flash::Error;
use flash::prelude::*;

use super::build::{Lent, build};
use super::check::{Ground, again, draw, each_case, expected};
use super::generate::{Random, Shape};
use super::history::{Ends, History, Order};
use super::notes::{Mishap, Notes, Trap};
use super::run::{Handles, How};
use super::steps::State;

/// A trap that a pipeline steps into which writes that down; none if no task does.
fn trap(ground: &Ground, how: How, random: &mut Random, log: &[u64]) -> Option<Trap> {
    // Where tasks have no order, what was seen has to say which one it was.
    let is_known = |seen: &&u64| {
        ground.order != Order::Data || log.iter().filter(|other| other == seen).count() == 1
    };
    let all: Vec<u64> = log.iter().filter(is_known).copied().collect();
    if all.is_empty() {
        return None;
    }
    let has_handle = !matches!(how, How::Exec) && ground.order != Order::Program;
    let mishap = match random.below(if has_handle { 3 } else { 2 }) {
        0 => Mishap::Error,
        1 => Mishap::Panic,
        _ => Mishap::Cancel,
    };
    let n = if mishap == Mishap::Cancel { 1 } else { 1 + random.below(2) };
    let seen = (0..n).map(|_| all[random.below(all.len())]).collect();
    let late = mishap != Mishap::Cancel && random.below(2) == 0;
    Some(Trap { seen, mishap, late })
}

/// The number of the note of the task that went wrong, by what its run says.
fn number(
    result: &flash::Result<()>,
    trap: &Trap,
    log: &[u64],
    order: Order,
) -> Result<usize, String> {
    let first = log.iter().position(|seen| trap.seen.contains(seen));
    let told: Option<u64> = match (result, trap.mishap) {
        (Err(Error::HostTask { source, .. }), Mishap::Error) => source.to_string().parse().ok(),
        (Err(Error::HostTaskPanic { message, .. }), Mishap::Panic) => message.parse().ok(),
        (Ok(()) | Err(Error::Cancelled { .. }), Mishap::Cancel) => trap.seen.first().copied(),
        _ => None,
    };
    let number = told.and_then(|told| log.iter().position(|&seen| seen == told));
    let is_one = |number: &usize| order == Order::Data && trap.seen.contains(&log[*number]);
    number
        .filter(|number| Some(*number) == first || is_one(number))
        .ok_or_else(|| format!("{result:?} is not of {trap:?}"))
}

/// What is wrong with the pipeline of a seed, if anything is; whether it has a task at all.
fn wrong(ground: &Ground, seed: u64) -> Result<bool, String> {
    let Ground { rt, clock, order, .. } = ground;
    let (state, steps) = draw(seed, Shape::ALL);
    let good = expected(1, &steps, &state);
    let how = How::of(seed);
    let Some(trap) = trap(ground, how, &mut Random::new(!seed), &good.log) else {
        return Ok(false);
    };

    let notes = Arc::new(Notes::with(trap.clone()));
    let handles = Handles::new(&state);
    let lent: Vec<Buffer<u32>> = state.lent.iter().map(|v| Buffer::from(v.clone())).collect();
    let make = || {
        let lent = lent.iter().cloned().map(Lent::Owned).collect();
        let mut on = handles.arrays(lent, rt.devices().len(), clock.as_ref());
        on.notes = Arc::clone(&notes);
        let mut p = rt.pipeline();
        build(&steps, &mut p, &mut on);
        // Who launches it does not wait for a task that needs the handle.
        p.sync(false);
        p
    };
    let read = || {
        let lent = lent.iter().map(Buffer::to_vec).collect::<flash::Result<_>>();
        let state = lent.and_then(|lent| handles.state(lent, std::slice::from_ref(&notes)));
        state.map_err(|error| format!("nothing can be read: {error:?}"))
    };
    // One that is not launched is kept.
    let mut kept = None;
    let mut run = || {
        let mut p = kept.take().unwrap_or_else(make);
        let result = match how {
            How::Launch => {
                let handle = Arc::new(p.launch());
                let _ = notes.handle.set(Arc::clone(&handle));
                return handle.wait().map(drop);
            }
            How::Scope => rt.scope(|scope| {
                let _ = notes.handle.set(Arc::new(scope.launch(&mut p)));
            }),
            How::Exec => p.exec().map(drop),
        };
        kept = Some(p);
        result
    };
    let result = run();
    let number = number(&result, &trap, &good.log, *order)?;
    let found = read()?;
    let said = |what: &str| format!("{what} after note {number}, {trap:?}: {result:?}");

    let mut rest = good.log.clone();
    let is_sure = found.log.iter().all(|seen| {
        let at = rest.iter().position(|other| other == seen);
        at.map(|at| rest.remove(at)).is_some()
    });
    if !is_sure || (*order != Order::Data && found.log != good.log[..=number]) {
        return Err(said("other tasks have run"));
    }
    let ends = match (trap.mishap, trap.late) {
        (Mishap::Cancel, _) => Ends::Well,
        (_, true) => Ends::Late,
        (_, false) => Ends::Early,
    };
    if result.is_ok() && !(rest.is_empty() && found == State { log: found.log.clone(), ..good }) {
        return Err(said("not complete"));
    }
    if let Some(what) = History::new(&steps, &state, (number, ends, *order)).differs(&found) {
        return Err(said(&what));
    }

    notes.clear();
    let start = State { log: Vec::new(), ..found };
    let mut wanted = expected(1, &steps, &start);
    if let Err(error) = run() {
        return Err(said(&format!("again: {error:?}")));
    }
    let mut found = read()?;
    if *order == Order::Data {
        wanted.log.sort_unstable();
        found.log.sort_unstable();
    }
    if found != wanted {
        return Err(said("what runs again differs"));
    }
    Ok(true)
}

/// Goes through a family's share of all cases, in the test of that name.
pub(crate) fn family(test: &str, cases: u64, ground: impl Fn(&mut Random) -> Ground) {
    let mut sprung = 0;
    let n = each_case(test, cases, ground, |ground, seed| {
        match wrong(ground, seed) {
            Ok(is_sprung) => sprung += u64::from(is_sprung),
            Err(what) => {
                panic!("{test}: seed {seed} by {:?}: {what}\n{}", How::of(seed), again(test, seed))
            }
        }
        for (number, device) in ground.rt.devices().iter().enumerate() {
            let of_sim = ground.sim.as_ref().filter(|_| device.space().is_some());
            let left = (device.bytes_used(), of_sim.map_or(0, |sim| sim.bytes_used(number)));
            assert_eq!(left, (0, 0), "{test}: seed {seed} leaves something on device {number}");
        }
    });
    assert!(sprung > n / 3, "{sprung} of {n} have a task that goes wrong");
}
