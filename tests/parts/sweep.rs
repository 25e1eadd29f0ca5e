//! Every call of a split launch in phases goes wrong once: it finishes with what it would have
//! computed, or with a typed error.

use flash::prelude::*;
use flash_rt::sim::{Fault, Sim};

use super::stencils::{blur, fall};
use super::{assert_empty, faults, open};

const N: usize = 300;

fn start() -> Vec<u64> {
    (0..N as u64).map(|i| i * 7919 % 1_000).collect()
}

/// What so many phases leave, one after the other.
fn phased(phases: usize, of: impl Fn(&[u64], &[u64], usize) -> u64) -> Both {
    let mut arrays = (start(), start());
    for phase in 0..phases {
        let (from, to) = match phase % 2 {
            0 => (&arrays.0, &mut arrays.1),
            _ => (&arrays.1, &mut arrays.0),
        };
        let old = to.clone();
        *to = (0..N).map(|i| of(from, &old, i)).collect();
    }
    arrays
}

type Both = (Vec<u64>, Vec<u64>);
type Program = dyn Fn(&mut Buffer<u64>, &mut Buffer<u64>) -> flash::Call<'static, 2>;

/// What goes wrong in a run.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Nothing,
    Call(Fault),
    /// A device takes so many times what is known of it.
    Slow(usize, f64),
}

/// Runs a program with a fault, if there is one: what it says and leaves, and whether the fault was
/// met.
fn run(program: &Program, phases: usize, wrong: Wrong) -> (flash::Result<Both>, bool, Sim) {
    let (rt, sim) = open(&[3, 1, 2]);
    let (found, met) = {
        let (mut a, mut b) = (Buffer::from(start()), Buffer::from(start()));
        let mut p = rt.pipeline();
        p.push(program(&mut a, &mut b).partitions(3).over([N, phases]));
        let fault = match wrong {
            Wrong::Nothing => None,
            Wrong::Call(fault) => Some(fault),
            Wrong::Slow(device, factor) => {
                p.prepare().unwrap();
                sim.slow(device, factor);
                None
            }
        };
        let (result, met) = faults::exec(&mut p, &sim, fault);
        let left = a.to_vec().and_then(|a| Ok((a, b.to_vec()?)));
        // Nothing of it is left in the way of what comes next.
        let (mut c, mut d) = (Buffer::from(start()), Buffer::from(start()));
        rt.submit(program(&mut c, &mut d).partitions(3)).exec([N, 1]).unwrap();
        (result.and(left), met)
    };
    assert_empty(&rt, &sim);
    (found, met, sim)
}

fn sweep(program: &Program, phases: usize, wanted: &Both) {
    let (found, _, sim) = run(program, phases, Wrong::Nothing);
    assert!(found.unwrap() == *wanted);
    let (mut finished, mut failed) = (0, 0);
    for fault in faults::all(&sim, 3) {
        match run(program, phases, Wrong::Call(fault)) {
            (Ok(_), false, _) => {}
            (Ok(left), true, _) => {
                assert!(left == *wanted, "{fault:?}: {:?}", wrong(&left, wanted));
                finished += 1;
            }
            (Err(error), ..) => {
                faults::assert_typed(&error, fault);
                failed += 1;
            }
        }
    }
    assert!(finished > 10 && failed > 30, "{finished} runs finished, {failed} failed");
}

/// Whatever is late, everybody gets what he reads.
fn late(program: &Program, phases: usize, wanted: &Both) {
    for device in 0..3 {
        for factor in [0.1, 3.0, 20.0] {
            let (found, ..) = run(program, phases, Wrong::Slow(device, factor));
            assert!(found.unwrap() == *wanted, "{device} by {factor}");
        }
    }
}

/// The numbers of the elements that are wrong.
fn wrong(left: &Both, wanted: &Both) -> (Vec<usize>, Vec<usize>) {
    let of = |a: &[u64], b: &[u64]| (0..N).filter(|&i| a[i] != b[i]).collect();
    (of(&left.0, &wanted.0), of(&left.1, &wanted.1))
}

#[test]
fn phases_that_read_neighbours() {
    let of = |from: &[u64], old: &[u64], i: usize| match i {
        0 => old[0],
        _ if i + 1 == N => old[i],
        _ => (from[i - 1] + 2 * from[i] + from[i + 1]) % 65521,
    };
    for phases in [2, 3, 7] {
        sweep(&|a, b| blur(a, b), phases, &phased(phases, of));
        late(&|a, b| blur(a, b), phases, &phased(phases, of));
    }
}

#[test]
fn phases_that_read_what_is_above() {
    let of = |from: &[u64], old: &[u64], i: usize| match i {
        0 => old[0],
        _ => (3 * from[i - 1] + from[i]) % 65521,
    };
    for phases in [2, 3, 7] {
        sweep(&|a, b| fall(a, b), phases, &phased(phases, of));
        late(&|a, b| fall(a, b), phases, &phased(phases, of));
    }
}
