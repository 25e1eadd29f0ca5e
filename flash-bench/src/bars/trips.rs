//! Bar 7: what a trip of a loop costs beyond its nodes, and whether its memory depends on how many
//! there are.

use std::time::Instant;

use flash::Result;
use flash::prelude::*;

use super::Context;
use crate::kernels::nodes::step;
use crate::quiet;
use crate::row::{Row, Unit};
use crate::stats::Sample;

/// Bar 7.
pub(crate) fn trips(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let names =
        ["trip of a loop beyond its two nodes", "loop of many trips: memory", "10,000 runs"];
    let n: u64 = if context.quick { 100_000 } else { 1_000_000 };
    let rt = Runtime::builder().devices("ALL_CPU").threads(1).build()?;
    if context.wants(names[0]) {
        let (mut a, mut b) = (Buffer::<u32>::zeros(1), Buffer::<u32>::zeros(1));
        const ROW: u64 = 1_000;
        let mut row = rt.pipeline();
        for _ in 0..ROW {
            row.push(step(&b, &mut a).over([1]));
            row.push(step(&a, &mut b).over([1]));
        }
        let mut looped = flash_pipeline! { in rt;
            for _ in 0..n {
                step(&b, &mut a)[1];
                step(&a, &mut b)[1];
            }
        };
        let (mut beyond, mut pair, mut runs) = (vec![], vec![], 0);
        for round in 0..=context.effort.rounds {
            quiet::wait();
            let start = Instant::now();
            for _ in 0..n / ROW {
                row.exec()?;
            }
            let nodes = start.elapsed().as_secs_f64() / n as f64;
            let start = Instant::now();
            looped.exec()?;
            let trip = start.elapsed().as_secs_f64() / n as f64;
            runs += 2 * n as u32;
            if round > 0 {
                beyond.push(trip - nodes);
                pair.push(nodes);
            }
        }
        assert_eq!([a.get(0)?, b.get(0)?], [runs; 2], "not every trip was made");
        let row = Row::limit(7, names[0], Sample::of(beyond), 50e-9, Unit::Seconds);
        emit(row.beside(Sample::of(pair), "the two nodes, one after the other in a row"));
    }
    if context.wants(names[1]) {
        let (mut a, mut b) = (Buffer::<u32>::zeros(1), Buffer::<u32>::zeros(1));
        let bound = Var::new(1_000_u64);
        let mut looped = flash_pipeline! { in rt;
            for _ in 0..&bound {
                step(&b, &mut a)[1];
                step(&a, &mut b)[1];
            }
        };
        looped.exec()?;
        let before = super::growth::resident();
        bound.set(10 * n)?;
        looped.exec()?;
        let after = super::growth::resident();
        assert_eq!(u64::from(b.get(0)?), 1_000 + 10 * n, "not every trip was made");
        emit(match (before, after) {
            (Some(before), Some(after)) => {
                let more = after.saturating_sub(before) as f64;
                let row = Row::limit(7, names[1], Sample::of(vec![more]), 65_536.0, Unit::Bytes);
                row.note(format!("{} trips after 1,000, the bound in a `Var`", 10 * n))
            }
            _ => Row::skipped(7, names[1], "constant", "this system does not tell (no /proc)"),
        });
    }
    if context.wants(names[2]) {
        let (mut a, mut b) = (Buffer::<u32>::zeros(1), Buffer::<u32>::zeros(1));
        let (mut first, mut last) = (vec![], vec![]);
        for _ in 0..context.effort.rounds {
            // Another one each time: what grows with the runs of one would be in the first of the next round.
            let mut kept = flash_pipeline! { in rt; step(&b, &mut a)[1]; step(&a, &mut b)[1]; };
            let mut thousand = || -> Result<f64> {
                let start = Instant::now();
                for _ in 0..1_000 {
                    kept.exec()?;
                }
                Ok(start.elapsed().as_secs_f64() / 1_000.0)
            };
            quiet::wait();
            first.push(thousand()?);
            for _ in 0..8 {
                thousand()?;
            }
            last.push(thousand()?);
        }
        let pair = (Sample::of(last), Sample::of(first));
        let name = format!("{} of a kept pipeline: the last", names[2]);
        emit(Row::within(7, &name, pair, "the first", 1.1));
    }
    Ok(())
}
