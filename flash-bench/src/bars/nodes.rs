//! Bar 6: what a node of a graph costs, the first time and again, for graphs as Task Bench has
//! them. Each node changes a cell that is looked at in the end. Both peers stand beside both: StarPU
//! has no replay, so what it takes to submit and run a graph is its time for either.

use std::time::Instant;

use flash::prelude::*;
use flash::{Pipeline, Result};

use super::Context;
use crate::graphs::{Graph, Peer};
use crate::quiet;
use crate::row::{Row, Unit, show};
use crate::stats::{Sample, quantile};

/// Seconds for a node.
const FIRST: f64 = 250e-9;
const REPLAY: f64 = 60e-9;
const TRACE: f64 = 60e-9;

/// One round of ours, seconds for a node.
#[derive(Clone, Copy, Default)]
struct Round {
    build: f64,
    lower: f64,
    run: f64,
    replay: f64,
}

/// Bar 6.
pub(crate) fn nodes(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let name = |graph: &Graph, workers: usize, what: &str| {
        format!("node of a {}, {workers} worker{}: {what}", graph.name, &"s"[..workers - 1])
    };
    let graphs = Graph::all(context.quick);
    let wanted = |graph: &Graph| {
        let whats = ["first run", "replay", "trace"];
        [1, 2].iter().any(|&w| whats.iter().any(|what| context.wants(&name(graph, w, what))))
    };
    let graphs: Vec<_> = graphs.into_iter().filter(wanted).collect();
    if graphs.is_empty() {
        return Ok(());
    }
    let peers = [Peer::starpu(), Peer::tbb()];
    for graph in &graphs {
        for workers in [1, 2] {
            let open =
                |trace| Runtime::builder().devices("ALL_CPU").threads(workers).trace(trace).build();
            let (plain, traced) = (open(false)?, open(true)?);
            let (mut rounds, mut with_trace) = (vec![], vec![]);
            let mut theirs = [vec![], vec![]];
            let mut left_out = [None, None];
            for _ in 0..context.effort.rounds {
                quiet::wait();
                rounds.push(round(context, &plain, graph)?);
                with_trace.push(round(context, &traced, graph)?);
                for (k, peer) in peers.iter().enumerate() {
                    match peer
                        .as_ref()
                        .map_err(Clone::clone)
                        .and_then(|peer| peer.round(graph, workers, context.effort.slice))
                    {
                        Ok(times) => theirs[k].push(times),
                        Err(why) => left_out[k] = Some(why),
                    }
                }
            }
            let of = |rounds: &[Round], part: fn(&Round) -> f64| {
                Sample::of(rounds.iter().map(part).collect())
            };
            // One peer in the row's own column, the other one in its note.
            let beside = |mut row: Row, first: usize, parts: [usize; 2]| {
                for k in [first, 1 - first] {
                    let peer = ["StarPU", "oneTBB's flow graph"][k];
                    row = match (&left_out[k], &peers[k]) {
                        (None, Ok(peer)) => {
                            let times = theirs[k].iter().map(|times| times[parts[k]]).collect();
                            let times = Sample::of(times);
                            if k == first {
                                row.beside(times, peer.name)
                            } else {
                                let time = show(times.median, Unit::Seconds);
                                row.note(format!("{}: {time}", peer.name))
                            }
                        }
                        (why, _) => {
                            row.note(format!("{peer}: {}", why.as_deref().unwrap_or("left out")))
                        }
                    };
                }
                row
            };
            let parts = |part: fn(&Round) -> f64| show(of(&rounds, part).median, Unit::Seconds);
            let first = of(&rounds, |round| round.build + round.lower + round.run);
            let row =
                Row::limit(6, &name(graph, workers, "first run"), first, FIRST, Unit::Seconds);
            let row = row.note(format!(
                "build {}, lower {}, run {}",
                parts(|round| round.build),
                parts(|round| round.lower),
                parts(|round| round.run)
            ));
            emit(beside(row, 0, [1, 0]));
            let again = of(&rounds, |round| round.replay);
            let row = Row::limit(6, &name(graph, workers, "replay"), again, REPLAY, Unit::Seconds);
            emit(beside(row, 1, [1, 1]));
            let pairs = rounds.iter().zip(&with_trace);
            let more = pairs.map(|(off, on)| on.replay - off.replay).collect();
            let name = name(graph, workers, "trace");
            emit(Row::limit(6, &name, Sample::of(more), TRACE, Unit::Seconds));
        }
    }
    Ok(())
}

/// Builds, prepares and runs a graph again and again, and each pipeline some times more.
fn round(context: &Context, rt: &Runtime, graph: &Graph) -> Result<Round> {
    const REPLAYS: usize = 4;
    let n = graph.nodes.len() as f64;
    let mut cells = Buffer::<u32>::zeros(graph.cells);
    let mut rounds: Vec<Round> = vec![];
    let mut runs = 0;
    let begun = Instant::now();
    while rounds.len() < 3 || (begun.elapsed() < context.effort.slice && rounds.len() < 10_000) {
        let mut times = [0.0; 4];
        let mut pipeline: Pipeline<'_> = rt.pipeline();
        let start = Instant::now();
        graph.push(&mut pipeline, &mut cells);
        times[0] = start.elapsed().as_secs_f64();
        let start = Instant::now();
        pipeline.prepare()?;
        times[1] = start.elapsed().as_secs_f64();
        let start = Instant::now();
        pipeline.exec()?;
        times[2] = start.elapsed().as_secs_f64();
        let mut again = vec![];
        for _ in 0..REPLAYS {
            let start = Instant::now();
            pipeline.exec()?;
            again.push(start.elapsed().as_secs_f64());
        }
        times[3] = quantile(&mut again, 0.5);
        runs += 1 + REPLAYS as u32;
        let [build, lower, run, replay] = times.map(|time| time / n);
        rounds.push(Round { build, lower, run, replay });
    }
    assert_eq!(cells.to_vec()?, graph.expected(runs), "{}: not every node ran", graph.name);
    let median =
        |part: fn(&Round) -> f64| quantile(&mut rounds.iter().map(part).collect::<Vec<_>>(), 0.5);
    Ok(Round {
        build: median(|round| round.build),
        lower: median(|round| round.lower),
        run: median(|round| round.run),
        replay: median(|round| round.replay),
    })
}
