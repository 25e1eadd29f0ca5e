//! Bar 9: whole programs against hand-written twins: data in, the computation, results out. The
//! twins are C with OpenMP, the same arithmetic in the same order.

use std::time::Instant;

use flash::Result;
use flash::prelude::*;

use super::Context;
use super::hosted::HOSTED;
use super::workloads::WORKLOADS;
use crate::examples::black_scholes::{self, Contract};
use crate::kernels::nodes::nothing;
use crate::kernels::programs::{self, rod};
use crate::kernels::stencils::stencil5;
use crate::openmp::{OpenMp, Peers};
use crate::row::Row;
use crate::stats::{self, quantile};

/// A program: its results as numbers, for the comparison of both versions.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// A size of the publication, or a usual one, and what a hundredth of it is.
    pub(super) sizes: [usize; 2],
    pub(super) ours: fn(&Runtime, usize) -> Result<Vec<f32>>,
    pub(super) twin: fn(&OpenMp, usize) -> Vec<f32>,
    /// What the paper reports as its own overhead.
    pub(super) paper: &'static str,
    /// Whether there is a bar, or only a report.
    pub(super) barred: bool,
    /// Launches of kernels at a size, and the items of one of them.
    pub(super) launches: fn(usize) -> [usize; 2],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "heat of a rod, 100 steps",
        sizes: [1_000, 10],
        ours: |rt, n| {
            let u = Buffer::from(hot_end(n));
            let mut next = Buffer::from(hot_end(n));
            flash_pipeline! { in rt;
                for _step in 0..STEPS {
                    rod(&u, &mut next)[n];
                    swap(u, next);
                }
            }
            .exec()?;
            u.into_vec()
        },
        twin: |peer, n| {
            let (mut u, mut next) = (hot_end(n), hot_end(n));
            peer.rod_of(&mut u, &mut next, n, STEPS as usize);
            u
        },
        paper: "9 %",
        barred: true,
        launches: |n| [STEPS as usize, n],
    },
    Program {
        name: "relaxation of a plate, 100 sweeps",
        sizes: [1_000, 100],
        ours: |rt, n| {
            let old = Buffer::from_shape([n, n], hot_end(n * n))?;
            let mut new = Buffer::from_shape([n, n], hot_end(n * n))?;
            flash_pipeline! { in rt;
                for _sweep in 0..STEPS {
                    stencil5(&old, &mut new)[n, n];
                    swap(old, new);
                }
            }
            .exec()?;
            old.into_vec()
        },
        twin: |peer, n| {
            let (mut old, mut new) = (hot_end(n * n), hot_end(n * n));
            peer.heat_of(&mut old, &mut new, n, n, STEPS as usize);
            old
        },
        paper: "",
        barred: true,
        launches: |n| [STEPS as usize, n * n],
    },
    Program {
        name: "Black-Scholes",
        sizes: [50_000_000, 500_000],
        ours: |rt, n| {
            let [spot, strike, time] = options(n).map(Buffer::from);
            let mut call = Buffer::zeros(n);
            rt.submit(programs::black_scholes(0.05, 0.3, &spot, &strike, &time, &mut call))
                .exec([n])?;
            call.into_vec()
        },
        twin: |peer, n| {
            let [spot, strike, time] = options(n);
            let mut call = vec![0.0; n];
            peer.black_scholes_of(&spot, &strike, &time, 0.05, 0.3, &mut call, n);
            call
        },
        paper: "5.2 %",
        barred: true,
        launches: |n| [1, n],
    },
    Program {
        name: "Black-Scholes, contracts as structures",
        sizes: [50_000_000, 500_000],
        ours: |rt, n| black_scholes::price_all(rt, &contracts(n)),
        twin: |peer, n| {
            let mut prices = vec![0.0; n];
            peer.contracts_of(&contracts(n), &mut prices);
            prices
        },
        paper: "5.2 %",
        barred: true,
        launches: |n| [1, n],
    },
];

const STEPS: u32 = 100;

/// Seconds for a launch of so many items that do nothing, in a pipeline of many: the paper calls that part
/// of the time of a kernel its overhead.
fn blank(context: &Context, items: usize) -> Result<f64> {
    const LAUNCHES: u32 = 100;
    let y = Buffer::zeros(1);
    let mut times = Vec::new();
    for _ in 0..25 {
        let start = Instant::now();
        flash_pipeline! { in context.rt;
            for _launch in 0..LAUNCHES { nothing(&y)[items]; }
        }
        .exec()?;
        times.push(start.elapsed().as_secs_f64() / f64::from(LAUNCHES));
    }
    Ok(quantile(&mut times, 0.5))
}

/// A line that is hot at its beginning.
fn hot_end(n: usize) -> Vec<f32> {
    (0..n).map(|i| if i < 3 { 100.0 } else { (i % 5) as f32 }).collect()
}

/// Spot, strike and time of options.
fn options(n: usize) -> [Vec<f32>; 3] {
    let along = |from: f32, step: f32| (0..n).map(|i| from + step * (i % 1_000) as f32).collect();
    [along(80.0, 0.04), along(90.0, 0.02), along(0.1, 0.002)]
}

/// Calls and puts in turn.
fn contracts(n: usize) -> Vec<Contract> {
    let contract = |i: usize| Contract {
        put: (i % 2) as i32,
        strike: 90.0 + 0.02 * (i % 1_000) as f32,
        spot: 80.0 + 0.04 * (i % 999) as f32,
        dividend: 0.01 * (i % 5) as f32,
        rate: 0.05,
        years: 0.1 + 0.002 * (i % 997) as f32,
        volatility: 0.3,
        value: 0.0,
        tolerance: 0.0,
    };
    (0..n).map(contract).collect()
}

/// All programs, and where the loops of their twins are.
fn all() -> impl Iterator<Item = (&'static Program, fn(&Peers) -> &OpenMp)> {
    let plain: fn(&Peers) -> &OpenMp = |peers| &peers.plain;
    let hosted: fn(&Peers) -> &OpenMp = |peers| &peers.hosted;
    let without = PROGRAMS.iter().chain(WORKLOADS).map(move |program| (program, plain));
    without.chain(HOSTED.iter().map(move |program| (program, hosted)))
}

/// Whether two programs found the same. The compiler contracts products and sums in the twin: a few
/// points of a fractal come out otherwise.
pub(super) fn is_near(ours: &[f32], twin: &[f32]) -> bool {
    // What is not a number is near nothing.
    let near = |(a, b): &(&f32, &f32)| (*a - *b).abs() <= 1e-3 * b.abs().max(1.0);
    let n_near = ours.iter().zip(twin).filter(near).count();
    ours.len() == twin.len() && (ours.len() - n_near) * 50 <= ours.len()
}

/// Every program in both sizes.
pub(crate) fn programs(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for (program, twin) in all() {
        for (size, most) in program.sizes.into_iter().zip([1.02, 1.10]) {
            let name = format!("{} {size}", program.name);
            if !context.wants(&name) || (context.quick && most < 1.05) {
                continue;
            }
            let peer = match context.peers(9, &name, &format!("<= {most:.2}x its time")) {
                Ok(peers) => twin(peers),
                Err(row) => {
                    emit(*row);
                    continue;
                }
            };
            let ours = (program.ours)(&context.rt, size)?;
            assert!(
                is_near(&ours, &(program.twin)(peer, size)),
                "{name}: the twin computes something else"
            );
            let run = || {
                let done = (program.ours)(&context.rt, size);
                assert!(std::hint::black_box(&done).is_ok(), "{done:?}");
            };
            let pair = stats::pair(context.effort, 1.0 / most, run, || {
                std::hint::black_box((program.twin)(peer, size));
            });
            let row = Row::within(9, &name, pair, &peer.name, most);
            let row = if program.barred { row } else { row.reported() };
            emit(row.note(match program.paper {
                "" => String::new(),
                paper => {
                    let [launches, items] = (program.launches)(size);
                    let blank = blank(context, items)? * launches as f64;
                    let part = blank / pair.ours.median * 100.0;
                    format!(
                        "as many empty launches take {part:.3} % of its time; the paper, of the time \
                         in kernels: {paper}"
                    )
                }
            }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_their_twins_find_the_same() {
        let rt = Runtime::open("ALL_CPU").expect("a processor");
        let Ok(peers) = Peers::new() else { return };
        for (program, twin) in all() {
            let size = program.sizes[1];
            let ours = (program.ours)(&rt, size).expect(program.name);
            let theirs = (program.twin)(twin(&peers), size);
            assert!(!ours.is_empty(), "{}: nothing is compared", program.name);
            assert!(is_near(&ours, &theirs), "{}: {ours:?} against {theirs:?}", program.name);
        }
    }

    #[test]
    fn a_few_far_points_are_near_and_no_more() {
        let mut twin = vec![1.0; 100];
        assert!(is_near(&[1.0; 100], &twin) && !is_near(&[1.0; 99], &twin));
        twin[..2].fill(2.0);
        assert!(is_near(&[1.0; 100], &twin));
        twin[2] = f32::NAN;
        assert!(!is_near(&[1.0; 100], &twin) && !is_near(&[f32::NAN; 9], &[1.0; 9]));
        twin[2] = 0.998;
        assert!(!is_near(&[1.0; 100], &twin));
    }
}
