//! Runs a launch: how many pieces, whether helpers are worth it, and the calls of the entry.
//!
//! Fenced: the only place that calls entries for an instruction set, after `isa` detected it.
#![allow(unsafe_code, reason = "calls entries of the detected instruction set")]

use flash_rt::Block;
use flash_rt::backend::{LaunchInfo, Subspace};
use flash_rt::entry::reduction::n_blocks;
use flash_rt::entry::{FEW, Shared, run_block};

use crate::backend::{CpuBackend, CpuModule, KernelCode, NoMemory};
use crate::blocks::{Cut, Lean, Pieces};
use crate::cost::Beat;
use crate::tables;
use crate::team::Stand;

/// Work below this runs on the caller: a helper would take about as long to notice it.
const INLINE_NANOS: u64 = 2_500;
/// The same where launches come steadily, so that helpers are looking for the next one.
const STEADY_NANOS: u64 = 900;
/// Work below this is shared by helpers that are looking only if that was seen to pay.
const SHORT_NANOS: u64 = 6_000;
/// Work below this wakes nobody, unless launches come steadily: helpers that are still awake join,
/// sleepers would come too late.
const WAKE_NANOS: u64 = 40_000;
/// Pieces are made no shorter than this, so that claims cost nothing.
const PIECE_NANOS: u64 = 10_000;
/// The most pieces for each worker: enough to even out workers of different speed.
const PIECES: u64 = 16;

/// Runs a launch to its end.
///
/// # Safety
///
/// As [`Backend::launch`](flash_rt::backend::Backend::launch).
#[inline]
pub(crate) unsafe fn run(cpu: &CpuBackend, module: &CpuModule, launch: &LaunchInfo<'_, NoMemory>) {
    let items = launch.n_items();
    if let (Some(entry), true, None) = (module.brief, items <= FEW, launch.part) {
        // SAFETY: the entry is for every processor; the slots are those of a validated launch, and
        // there is one block.
        unsafe { run_block(entry, &launch.shared(), &launch.space.block(), 0) };
        return;
    }
    if let (KernelCode::Library(kernel), Some(table)) = (&module.code, launch.kernel.table) {
        return tables::run(cpu, module, (*kernel, table), launch);
    }
    let workers = cpu.workers();
    let nanos = module.cost.nanos(items);
    let shared = launch.shared();
    if workers == 1 || nanos < STEADY_NANOS || items < 2 {
        return alone(module, launch, &shared, items);
    }
    let (at, up) = cpu.stand().unzip();
    let Beat { steady, stay_up } = cpu.rhythm.beat(nanos, up.unwrap_or_default());
    if let Some(stay_up) = stay_up {
        cpu.stay_up(stay_up);
    }
    if steady && nanos < SHORT_NANOS {
        let workers = workers as u64;
        let cost = &module.cost;
        if !cpu.handover.pays(nanos, workers, cost.shared_nanos(items), &cost.pays) {
            return alone(module, launch, &shared, items);
        }
        let start = cost.begin_shared();
        together((cpu, at), module, launch, &shared, nanos, steady);
        if let Some(nanos) = cpu.handover.end(start, nanos / workers) {
            cost.record_shared(nanos, items);
        }
    } else if nanos < INLINE_NANOS || (!is_woken_for(nanos, steady) && cpu.sleeps()) {
        alone(module, launch, &shared, items);
    } else {
        together((cpu, at), module, launch, &shared, nanos, steady);
    }
}

/// Whether helpers that sleep are woken for a launch.
#[inline]
pub(crate) fn is_woken_for(nanos: u64, steady: bool) -> bool {
    steady || nanos >= WAKE_NANOS
}

/// The whole launch on the caller.
#[inline]
fn alone(module: &CpuModule, launch: &LaunchInfo<'_, NoMemory>, shared: &Shared<'_>, items: usize) {
    let start = module.cost.begin(items);
    let space = launch.space;
    let boxes = launch.part.map_or(&[][..], Subspace::boxes);
    match (launch.part, boxes) {
        (None, _) if Cut::is_one_box(space) && (!module.reduces || n_blocks(space) == 1) => {
            call(module, shared, &space.block(), 0);
        }
        (Some(part), [block]) if !module.reduces && Cut::is_one_line(block) => {
            part.each(block, |block| call(module, shared, block, 0));
        }
        _ => {
            let pieces = Pieces::of(module, launch, 1, 1);
            for piece in 0..pieces.n() {
                pieces.each(piece, |block, number| call(module, shared, block, number));
            }
        }
    }
    module.cost.end(start, items);
}

/// The launch on the team, the caller included.
fn together(
    (cpu, at): (&CpuBackend, Option<Stand>),
    module: &CpuModule,
    launch: &LaunchInfo<'_, NoMemory>,
    shared: &Shared<'_>,
    nanos: u64,
    steady: bool,
) {
    let workers = cpu.workers() as u64;
    let each = (nanos / workers / PIECE_NANOS).clamp(1, PIECES);
    let wanted = usize::try_from(workers * each).unwrap_or(usize::MAX);
    let team = cpu.team();
    let at = at.unwrap_or_else(|| team.stand());
    // What a part of a short launch costs an item says nothing about the whole on one core.
    let short = steady && nanos < SHORT_NANOS;
    let by = if short { module.cost.lean() } else { 0 };
    let pieces = Pieces::of(module, launch, wanted, cpu.workers());
    let own = team.first_piece(at, pieces.n());
    let pieces = pieces.leaning(Lean { piece: own, by });
    let wake = is_woken_for(nanos, steady);
    // One sample a launch is enough, and the caller's own costs the helpers nothing.
    let timed = (!short).then_some(own);
    let (n, back) = (pieces.n(), !short && cpu.turns_back());
    let waited = team.run_at(at, n, wake, &|piece| {
        let start = if Some(piece) == timed { module.cost.begin(usize::MAX) } else { None };
        let mut items = 0;
        let piece = if back { team.opposite_piece(piece, n) } else { piece };
        pieces.each(piece, |block, number| {
            call(module, shared, block, number);
            items += block.n_items();
        });
        module.cost.end(start, items);
    });
    if let (true, Some(waited)) = (short, waited) {
        module.cost.weigh(waited, cpu.workers());
    }
}

/// Runs one block.
#[inline]
fn call(module: &CpuModule, shared: &Shared<'_>, block: &Block, number: usize) {
    match &module.code {
        KernelCode::Entry(entry) => {
            // SAFETY: `load` took the entry of an instruction set no higher than the detected one.
            // The slots are those of a validated launch, alive until `run` returns. The blocks of
            // a cut are disjoint boxes with numbers of their own, each run once, and a validated
            // launch has every dimension of several values in each own place.
            unsafe { run_block(*entry, shared, block, number) }
        }
        KernelCode::Library(kernel) => kernel.run(shared, block, number),
    }
}
