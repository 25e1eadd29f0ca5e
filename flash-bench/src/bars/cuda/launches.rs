//! Bar 14: launches of a kernel that does next to nothing, one by one, captured, and alone.

use flash::prelude::*;
use flash::{Pipeline, Result};

use super::{Cuda, Head};
use crate::kernels::nodes::step_alone;
use crate::raw_cuda::{Array, Pinned, Queue};
use crate::row::{Row, Unit};
use crate::stats::Sample;
use crate::watch::{self, Watch};

/// Items of a launch, and launches of a chain.
const ITEMS: usize = 64;
const CHAIN: u32 = 1_000;

const STREAMED: Head = (14, "CUDA launch in a chain of 1000, beyond raw calls", "<= 500 ns");
const CAPTURED: Head = (14, "CUDA chain of 1000 launches, captured", "<= 1.10x its time");
const BLANK: Head = (14, "CUDA pipeline of one launch, beyond raw calls", "<= 1.000 us");

pub(super) const HEADS: &[Head] = &[STREAMED, CAPTURED, BLANK];

/// What cells hold before a run.
const SPOILT: u32 = 0xa5a5_0000;

/// What the peer adds to.
struct Cells {
    theirs: Array,
    seen: Pinned<u32>,
}

impl Cells {
    fn new(cuda: &Cuda<'_>) -> Self {
        Self { theirs: cuda.raw.array::<u32>(ITEMS), seen: cuda.raw.pinned(ITEMS) }
    }

    /// What [`run`] is for ours; it waits at the end as a pipeline does.
    fn raw(&mut self, watch: &mut Watch, cuda: &Cuda<'_>, more: u32, run: impl FnOnce()) {
        cuda.raw.enter();
        self.seen.write().fill(SPOILT);
        cuda.raw.upload(Queue::Kernels, &self.seen, &self.theirs);
        cuda.raw.wait(Queue::Kernels);
        watch.time(|| {
            run();
            cuda.raw.wait(Queue::Kernels);
        });
        cuda.raw.download(Queue::Kernels, &self.theirs, &mut self.seen);
        assert_eq!(self.seen.read(), [SPOILT + more; ITEMS], "launches of the peer are missing");
    }
}

/// So many launches as a pipeline.
fn chain<'a>(y: &Buffer<u32>, cuda: &'a Cuda<'_>, launches: u32) -> Pipeline<'a> {
    let (mut pipeline, mut y) = (cuda.rt.pipeline(), y.clone());
    for _ in 0..launches {
        pipeline.push(step_alone(&mut y).over([ITEMS]));
    }
    pipeline
}

/// Runs a pipeline that adds `more` to each cell.
fn run(
    y: &Buffer<u32>,
    watch: &mut Watch,
    cuda: &Cuda<'_>,
    pipeline: &mut Pipeline<'_>,
    more: u32,
) {
    let spoilt = y.fill(SPOILT).and_then(|()| y.prefetch(&cuda.rt, 0).wait().map(drop));
    assert!(spoilt.is_ok(), "{spoilt:?}");
    let prepared = pipeline.prepare().map(drop);
    assert!(prepared.is_ok(), "{prepared:?}");
    let done = watch.time(|| pipeline.exec());
    assert!(done.is_ok(), "{done:?}");
    let seen = y.to_vec();
    assert!(seen.is_ok_and(|cells| cells == [SPOILT + more; ITEMS]), "launches are missing");
}

/// All rows.
pub(super) fn launches(cuda: &Cuda<'_>, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for ((bar, name, _), launches, limit) in [(STREAMED, CHAIN, 0.5e-6), (BLANK, 1, 1e-6)] {
        if cuda.context.wants(name) {
            emit(Row::limit(bar, name, beyond(cuda, launches), limit, Unit::Seconds));
        }
    }
    let (bar, name, asked) = CAPTURED;
    if cuda.context.wants(name) {
        let mut cells = Cells::new(cuda);
        let step = cuda.raw.step(&cells.theirs, ITEMS);
        let all = || (0..CHAIN).for_each(|_| cuda.raw.launch(Queue::Kernels, &step));
        let graph = match cuda.raw.captured(all) {
            Ok(graph) => graph,
            Err(why) => {
                emit(Row::skipped(bar, name, asked, why));
                return Ok(());
            }
        };
        let ours = Buffer::zeros(ITEMS);
        let mut kept = chain(&ours, cuda, CHAIN);
        let pair = watch::pair(
            cuda.context.effort,
            1.0 / 1.1,
            |watch| run(&ours, watch, cuda, &mut kept, CHAIN),
            |watch| cells.raw(watch, cuda, CHAIN, || cuda.raw.replay(&graph)),
        );
        emit(Row::within(bar, name, pair, "a hand-made graph", 1.1));
    }
    Ok(())
}

/// What a launch takes beyond the same of the driver, in seconds. A chain is a new pipeline for each
/// run, as one that is kept is captured; what its plan takes is not part of it. A launch alone is in one
/// that is kept, as the peer's arguments are.
fn beyond(cuda: &Cuda<'_>, launches: u32) -> Sample {
    let mut cells = Cells::new(cuda);
    let step = cuda.raw.step(&cells.theirs, ITEMS);
    let ours = Buffer::zeros(ITEMS);
    let mut kept = chain(&ours, cuda, launches);
    let all = watch::differences(
        cuda.context.effort,
        |watch| match launches {
            1 => run(&ours, watch, cuda, &mut kept, 1),
            n => run(&ours, watch, cuda, &mut chain(&ours, cuda, n), n),
        },
        |watch| {
            cells.raw(watch, cuda, launches, || {
                (0..launches).for_each(|_| cuda.raw.launch(Queue::Kernels, &step));
            });
        },
    );
    Sample::of(all.into_iter().map(|seconds| seconds / f64::from(launches)).collect())
}
