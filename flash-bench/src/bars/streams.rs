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
use crate::stats::{self, Contender, Sample, Timing};

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

fn one(rt: &Runtime, peer: &OpenMp, what: &str, n: usize, time: Timing<'_>) -> Result<()> {
    let mut plan = rt.pipeline();
    let b: Vec<f64> = (0..n).map(|i| i as f64 * 1e-3).collect();
    let (pb, pc) = (b.clone(), vec![0.5_f64; n]);
    let (fb, fc) = (Buffer::from(b), Buffer::from(vec![0.5_f64; n]));
    let x = vec![1.0_f32; n];
    let fx = Buffer::from(x.clone());
    let mut pa = vec![0.0_f64; n];
    let mut fa = Buffer::<f64>::zeros(n);
    let mut py = vec![0.0_f32; n];
    let mut fy = Buffer::<f32>::zeros(n);
    let mut sum = Var::new(0.0_f64);
    let theirs: Contender<'_> = match what {
        "triad" => {
            plan.push(triad(0.4, &fb, &fc, &mut fa).over([n]));
            Box::new(|| peer.triad_of(&mut pa, &pb, &pc, 0.4, n))
        }
        "dot" => {
            plan.push(dot(&fb, &fc, &mut sum).over([n]));
            Box::new(|| {
                std::hint::black_box(peer.dot(&pb, &pc));
            })
        }
        _ => {
            plan.push(saxpy(0.5, &fx, &mut fy).over([n]));
            Box::new(|| peer.saxpy(0.5, &x, &mut py))
        }
    };
    plan.exec()?;
    let ours = || {
        let done = plan.exec();
        assert!(done.is_ok(), "{done:?}");
    };
    time(Box::new(ours), theirs);
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
