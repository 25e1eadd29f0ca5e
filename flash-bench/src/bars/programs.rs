//! Bar 9: whole programs against hand-written twins: data in, the computation, results out. The
//! twins are C with OpenMP, the same arithmetic in the same order.

use std::time::Instant;

use flash::Result;
use flash::prelude::*;

use super::Context;
use super::workloads::WORKLOADS;
use crate::kernels::nodes::step_alone;
use crate::kernels::programs::{accelerate, black_scholes, mandelbrot, matrix, rod};
use crate::kernels::stencils::{sobel, stencil5};
use crate::openmp::OpenMp;
use crate::row::Row;
use crate::stats::{self, quantile};

/// A program: its results as numbers, for the comparison of both versions.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// The size of the paper, or a usual one, and what a hundredth of it is.
    pub(super) sizes: [usize; 2],
    pub(super) ours: fn(&Runtime, usize) -> Result<Vec<f32>>,
    pub(super) twin: fn(&OpenMp, usize) -> Vec<f32>,
    /// What the paper reports as its own overhead.
    pub(super) paper: &'static str,
    /// Whether there is a bar, or only a report.
    pub(super) barred: bool,
    /// Launches of kernels at a size.
    pub(super) launches: fn(usize) -> usize,
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
        launches: |_| STEPS as usize,
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
        launches: |_| STEPS as usize,
    },
    Program {
        name: "Black-Scholes",
        sizes: [5_000_000, 50_000],
        ours: |rt, n| {
            let [spot, strike, time] = options(n).map(Buffer::from);
            let mut call = Buffer::zeros(n);
            rt.submit(black_scholes(0.05, 0.3, &spot, &strike, &time, &mut call)).exec([n])?;
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
        launches: |_| 1,
    },
    Program {
        name: "n-body, one step",
        sizes: [16_000, 160],
        ours: |rt, n| {
            let super::nbody::Bodies { mass, x, y, z } = super::nbody::Bodies::new(n);
            let [mass, x, y, z] = [mass, x, y, z].map(Buffer::from);
            let [mut ax, mut ay, mut az] = [(); 3].map(|()| Buffer::zeros(n));
            rt.submit(accelerate(&mass, &x, &y, &z, &mut ax, &mut ay, &mut az)).exec([n])?;
            ax.into_vec()
        },
        twin: |peer, n| {
            let super::nbody::Bodies { mass, x, y, z } = super::nbody::Bodies::new(n);
            let [mut ax, mut ay, mut az] = [(); 3].map(|()| vec![0.0; n]);
            peer.nbody_of(&mass, &x, &y, &z, &mut ax, &mut ay, &mut az, n);
            ax
        },
        paper: "0.98 % on a CPU",
        barred: true,
        launches: |_| 1,
    },
    Program {
        name: "Mandelbrot set, width",
        sizes: [1_920, 192],
        ours: |rt, w| {
            let h = w * 9 / 16;
            let mut out = Buffer::<u32, 2>::zeros([h, w]);
            let step = 3.0 / w as f32;
            rt.submit(mandelbrot(-2.2, -0.85, step, 256, &mut out)).exec([w, h])?;
            Ok(out.into_vec()?.into_iter().map(|k| k as f32).collect())
        },
        twin: |peer, w| {
            let h = w * 9 / 16;
            let mut out = vec![0; w * h];
            peer.mandelbrot_of(&mut out, w, h, -2.2, -0.85, 3.0 / w as f32, 256);
            out.into_iter().map(|k| k as f32).collect()
        },
        paper: "",
        barred: true,
        launches: |_| 1,
    },
    Program {
        name: "Sobel of a picture, width",
        sizes: [1_920, 192],
        ours: |rt, w| {
            let h = w * 9 / 16;
            let im = Buffer::from_shape([h, w], picture(w * h))?;
            let mut out = Buffer::zeros([h, w]);
            rt.submit(sobel(&im, &mut out)).exec([w, h])?;
            Ok(out.into_vec()?.into_iter().map(f32::from).collect())
        },
        twin: |peer, w| {
            let h = w * 9 / 16;
            let (im, mut out) = (picture(w * h), vec![0; w * h]);
            peer.sobel_of(&im, &mut out, w, h);
            out.into_iter().map(f32::from).collect()
        },
        paper: "",
        barred: true,
        launches: |_| 1,
    },
    Program {
        name: "product of square matrices",
        sizes: [512, 51],
        ours: |rt, n| {
            let a = Buffer::from_shape([n, n], hot_end(n * n))?;
            let b = Buffer::from_shape([n, n], hot_end(n * n))?;
            let mut c = Buffer::zeros([n, n]);
            rt.submit(matrix(&a, &b, &mut c)).exec([n, n])?;
            c.into_vec()
        },
        twin: |peer, n| {
            let (a, b, mut c) = (hot_end(n * n), hot_end(n * n), vec![0.0; n * n]);
            peer.matrix_of(&a, &b, &mut c, n);
            c
        },
        paper: "",
        barred: true,
        launches: |_| 1,
    },
];

const STEPS: u32 = 100;

/// Seconds for a launch of a kernel that does next to nothing, in a pipeline of many: the paper
/// calls that part of the time of a kernel its overhead.
fn blank(context: &Context) -> Result<f64> {
    const LAUNCHES: u32 = 100;
    let mut y = Buffer::zeros(1);
    let mut times = Vec::new();
    for _ in 0..25 {
        let start = Instant::now();
        flash_pipeline! { in context.rt;
            for _launch in 0..LAUNCHES { step_alone(&mut y)[1]; }
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

fn picture(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 7 % 251) as u8).collect()
}

/// Every program in both sizes.
pub(crate) fn programs(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for program in PROGRAMS.iter().chain(WORKLOADS) {
        for (size, most) in program.sizes.into_iter().zip([1.02, 1.10]) {
            let name = format!("{} {size}", program.name);
            if !context.wants(&name) || (context.quick && most < 1.05) {
                continue;
            }
            let peers = match context.peers(9, &name, &format!("<= {most:.2}x its time")) {
                Ok(peers) => peers,
                Err(row) => {
                    emit(*row);
                    continue;
                }
            };
            let (ours, twin) =
                ((program.ours)(&context.rt, size)?, (program.twin)(&peers.plain, size));
            // The compiler contracts products and sums in the twin: a few points of a fractal
            // come out otherwise.
            let far = |(a, b): &(&f32, &f32)| (*a - *b).abs() > 1e-3 * b.abs().max(1.0);
            let n_far = ours.iter().zip(&twin).filter(far).count();
            assert!(
                n_far * 50 <= ours.len() && ours.len() == twin.len(),
                "{name}: the twin computes something else"
            );
            let run = || {
                let done = (program.ours)(&context.rt, size);
                assert!(std::hint::black_box(&done).is_ok(), "{done:?}");
            };
            let pair = stats::pair(context.effort, 1.0 / most, run, || {
                std::hint::black_box((program.twin)(&peers.plain, size));
            });
            let row = Row::within(9, &name, pair, &peers.plain.name, most);
            let row = if program.barred { row } else { row.reported() };
            emit(row.note(match program.paper {
                "" => String::new(),
                paper => {
                    let launches = (program.launches)(size) as f64;
                    let part = blank(context)? * launches / pair.ours.median * 100.0;
                    format!(
                        "overhead as the paper counts it: {part:.3} %, the paper's own: {paper}"
                    )
                }
            }));
        }
    }
    Ok(())
}
