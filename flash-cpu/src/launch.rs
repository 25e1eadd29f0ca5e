//! Runs a launch: how many pieces, whether helpers are worth it, and the calls of the entry.
//!
//! Fenced: the only place that calls entries for an instruction set, after `isa` detected it.
#![allow(unsafe_code, reason = "calls entries of the detected instruction set")]

use std::ptr::{from_ref, with_exposed_provenance};

use flash_rt::backend::{LaunchInfo, Subspace};
use flash_rt::descriptor::IsaEntry;
use flash_rt::entry::reduction::n_blocks;
use flash_rt::entry::{FEW, Outcome, Shared, Slot, run_block};
use flash_rt::{Block, Space};

use crate::backend::{CpuBackend, CpuModule, KernelCode, NoMemory};
use crate::blocks::{Cut, Lean, Pieces};
use crate::cost::Beat;
use crate::tables;
use crate::team::{Slip, Stand, WORDS, Word};

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
    let short = steady && nanos < SHORT_NANOS;
    let is_one = || module.reduces && launch.part.is_none() && n_blocks(launch.space) < 2;
    let is_alone = if short {
        is_one() || !module.trials.of(nanos).shares(nanos, workers)
    } else {
        nanos < INLINE_NANOS || (!is_woken_for(nanos, steady) && cpu.sleeps())
    };
    if is_alone {
        alone(module, launch, &shared, items);
    } else {
        together((cpu, at), module, launch, &shared, nanos, (steady, short));
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
    (steady, short): (bool, bool),
) {
    let workers = cpu.workers() as u64;
    let each = (nanos / workers / PIECE_NANOS).clamp(1, PIECES);
    let team = cpu.team();
    let at = at.unwrap_or_else(|| team.stand());
    if let (1, None, KernelCode::Entry(entry)) = (each, launch.part, &module.code)
        && in_turns((cpu, at), (module, *entry), shared, short)
    {
        return;
    }
    let wanted = usize::try_from(workers * each).unwrap_or(usize::MAX);
    let pieces = Pieces::of(module, launch, wanted, cpu.workers());
    let wake = is_woken_for(nanos, steady);
    let n = pieces.n();
    // One sample a launch is enough, and the caller's own costs the helpers nothing. What a part of a
    // short launch costs an item says nothing about the whole on one core.
    let timed = (!short).then(|| team.first_piece(at, n));
    let back = !short && cpu.turns_back();
    team.run_at(at, n, wake, &|piece| {
        let start = if Some(piece) == timed { module.cost.begin(usize::MAX) } else { None };
        let mut items = 0;
        let piece = if back { team.opposite_piece(piece, n) } else { piece };
        pieces.each(piece, |block, number| {
            call(module, shared, block, number);
            items += block.n_items();
        });
        module.cost.end(start, items);
    });
}

/// The launch of a whole space with one piece for each worker, if it is so cut, and the team is free and
/// awake; whether it ran.
#[inline]
fn in_turns(
    (cpu, at): (&CpuBackend, Stand),
    (module, entry): (&CpuModule, IsaEntry),
    shared: &Shared<'_>,
    short: bool,
) -> bool {
    let (cost, workers) = (&module.cost, cpu.workers());
    let own = cpu.team().first_piece(at, workers);
    let by = if short { cost.lean() } else { 0 };
    let cut = match module.reduces {
        true => Cut::reduction(shared.space, workers),
        false => Cut::boxes(shared.space, workers, workers).leaning(Lean { piece: own, by }),
    };
    if cut.pieces() != workers {
        return false;
    }
    let turn = Turn { entry, shared, cut };
    let Some(slip) = turn.slip() else { return false };
    let first = || {
        // As in `together`.
        let start = if short { None } else { cost.begin(usize::MAX) };
        let items = turn.run(own);
        cost.end(start, items);
    };
    // SAFETY: what the slip has addresses of is borrowed until this function returns; its pieces may run
    // on any thread, as those of the closure in `together`. The module was loaded by this backend, which
    // has one team, so the desk is used with no other.
    let waited = unsafe { cpu.team().take_turns(at, (&module.desk, &slip), first) };
    if let (true, Some(waited)) = (short, waited) {
        cost.weigh(waited, workers);
    }
    waited.is_some()
}

/// What each worker does in a launch with one piece for each.
struct Turn<'l> {
    entry: IsaEntry,
    shared: &'l Shared<'l>,
    cut: Cut,
}

impl Turn<'_> {
    /// Runs a piece; how many items it has.
    #[inline]
    fn run(&self, piece: usize) -> usize {
        let mut items = 0;
        self.cut.each(self.shared.space, piece, |block, number| {
            // SAFETY: as in `call`.
            unsafe { run_block(self.entry, self.shared, block, number) };
            items += block.n_items();
        });
        items
    }

    /// The same in words, which are those of the launch before where the kernel, its arguments and its
    /// space are.
    #[inline]
    fn slip(&self) -> Option<Slip> {
        let Shared { slots, space, outcome, check_all, .. } = *self.shared;
        debug_assert!(std::ptr::eq(self.shared.numbering, space), "of the whole space");
        let [dim, of, at, by] = self.cut.words()?;
        let words = [
            self.entry as *const () as Word,
            slots.as_ptr().expose_provenance(),
            slots.len(),
            from_ref(space).expose_provenance(),
            from_ref(outcome).expose_provenance(),
            usize::from(check_all),
            dim,
            of,
            at,
            by,
        ];
        // SAFETY: `take` may be called with what this function writes while it is borrowed.
        Some(unsafe { Slip::new(take, words) })
    }
}

/// Runs a piece of a [`Turn`] that is written out.
///
/// # Safety
///
/// The words are those of [`Turn::slip`], and what they were made of is still borrowed.
unsafe fn take(words: &[Word; WORDS], piece: usize) {
    let [entry, slots, n_slots, space, outcome, check_all, cut @ ..] = *words;
    let entry = with_exposed_provenance::<()>(entry);
    // SAFETY: the word was made of an `IsaEntry`.
    let entry = unsafe { std::mem::transmute::<*const (), IsaEntry>(entry) };
    // SAFETY: the words were made of a slice that is still borrowed.
    let slots =
        unsafe { std::slice::from_raw_parts(with_exposed_provenance::<Slot>(slots), n_slots) };
    // SAFETY: the word was made of a reference to a space that is still borrowed.
    let space = unsafe { &*with_exposed_provenance::<Space>(space) };
    // SAFETY: the same for an outcome.
    let outcome = unsafe { &*with_exposed_provenance::<Outcome>(outcome) };
    let shared = Shared::new(slots, space, outcome, check_all != 0);
    Turn { entry, shared: &shared, cut: Cut::from_words(cut) }.run(piece);
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
