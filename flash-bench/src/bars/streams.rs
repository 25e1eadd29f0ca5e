//! Bar 3: kernels limited by memory, and the bits of a dot product.

use std::sync::Arc;

use flash::Result;
use flash::prelude::*;
use flash_cpu::CpuBackend;
use flash_rt::{Isa, Options};

use super::Context;
use crate::kernels::streams::{dot, saxpy, triad};
use crate::openmp::OpenMp;
use crate::row::{Row, Unit};
use crate::stats::{self, Sample, Timing, Who};

const SIZES: [usize; 4] = [1 << 12, 1 << 16, 1 << 20, 1 << 25];

/// The bar for a size.
fn least(n: usize) -> f64 {
    if n >= 1 << 20 { 0.97 } else { 0.90 }
}

/// Triad, dot and saxpy against OpenMP.
pub(crate) fn streams(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for n in SIZES {
        if context.quick && n > 1 << 20 {
            continue;
        }
        let size = format!("2^{}", n.ilog2());
        for what in ["triad", "dot", "saxpy"] {
            let name = format!("{what} {size}");
            if !context.wants(&name) {
                continue;
            }
            let asked = format!(">= {:.0} %", least(n) * 100.0);
            match context.peers(3, &name, &asked) {
                Err(row) => emit(*row),
                Ok(peers) => {
                    let place = |time: Timing<'_>| one(&context.rt, &peers.plain, what, n, time);
                    let pair = stats::pair_placed(context.effort, least(n), place)?;
                    emit(Row::against(3, &name, pair, &peers.plain.name, least(n)));
                }
            }
        }
    }
    Ok(())
}

/// Both on the same arrays, which they have in turn.
fn one(rt: &Runtime, peer: &OpenMp, what: &str, n: usize, time: Timing<'_>) -> Result<()> {
    let mut b: Vec<f64> = (0..n).map(|i| i as f64 * 1e-3).collect();
    let (mut a, mut c) = (vec![0.0_f64; n], vec![0.5_f64; n]);
    let (mut x, mut y) = (vec![1.0_f32; n], vec![0.0_f32; n]);
    let mut sum = Var::new(0.0_f64);
    {
        let [mut a, b, c] = [&mut a, &mut b, &mut c].map(|array| Bound::new(array));
        let (x, mut y) = (Bound::new(&mut x), Bound::new(&mut y));
        let mut plan = rt.pipeline();
        match what {
            "triad" => plan.push(triad(0.4, &b, &c, &mut a).over([n])),
            "dot" => plan.push(dot(&b, &c, &mut sum).over([n])),
            _ => plan.push(saxpy(0.5, &x, &mut y).over([n])),
        };
        plan.exec()?;
        time(Who::Ours, &mut || {
            let done = plan.exec();
            assert!(done.is_ok(), "{done:?}");
        });
    }
    match what {
        "triad" => time(Who::Peer, &mut || peer.triad_of(&mut a, &b, &c, 0.4, n)),
        "dot" => time(Who::Peer, &mut || {
            std::hint::black_box(peer.dot(&b, &c));
        }),
        _ => time(Who::Peer, &mut || peer.saxpy(0.5, &x, &mut y)),
    }
    Ok(())
}

/// A dot product has the same bits for 1 to 8 threads and every instruction set.
pub(crate) fn bits(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let name = "dot: bits for 1-8 threads, every instruction set";
    if !context.wants(name) {
        return Ok(());
    }
    let n = 1_000_003;
    let x = Buffer::from((0..n).map(|i| 1.0 / (1.0 + i as f64)).collect::<Vec<_>>());
    let y = Buffer::from((0..n).map(|i| (i as f64).sin()).collect::<Vec<_>>());
    let mut all = vec![];
    let mut sets = vec![];
    for isa in [Isa::Baseline, Isa::Avx2, Isa::Avx512] {
        if isa > flash_cpu::isa::detected() {
            continue;
        }
        sets.push(isa.name());
        for threads in 1..=8 {
            let mut options = Options::default();
            options.isa = Some(isa);
            options.threads = Some(threads);
            let cpu = Arc::new(CpuBackend::new(&options)?);
            let rt: Runtime = Runtime::builder().backend(cpu).build()?;
            let mut sum = Var::new(0.0_f64);
            rt.submit(dot(&x, &y, &mut sum)).exec([n])?;
            all.push(sum.get()?.to_bits());
        }
    }
    all.sort_unstable();
    all.dedup();
    let different = all.len() as f64;
    let sample = Sample::one(different);
    let row = Row::limit(3, name, sample, 1.0, Unit::Count);
    emit(row.note(format!("different results over {}", sets.join(", "))));
    Ok(())
}
