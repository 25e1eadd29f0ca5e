//! Running a grid: its blocks, their warps, and what they reach.
//!
//! A launch is checked here before anything runs.

mod access;
mod block;
mod calls;
mod groups;
mod together;
mod warp;

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::fault::{Fault, FaultKind};
use crate::module::{Entry, Module};
use crate::program::{Fixed, GRID_WINDOW, Program, Special};
use crate::{Arena, Launch, Memory};
use block::{Block, Round};

/// A fault and where it happened.
struct Failed {
    kind: FaultKind,
    pc: Option<u32>,
    block: [u32; 3],
    thread: [u32; 3],
}

/// A launch that runs.
struct Grid<'r> {
    program: &'r Program,
    launch: &'r Launch<'r>,
    memory: &'r dyn Memory,
    /// What cooperative blocks share to wait for each other.
    together: Arena,
    /// What the fixed registers hold, where that is the same in all blocks.
    fixed: Vec<u64>,
    next: AtomicU64,
    blocks: u64,
    steps: AtomicU64,
    stop: AtomicBool,
}

/// Runs all of a grid.
pub(crate) fn run(
    module: &Module,
    entry: &Entry,
    program: &Program,
    launch: &Launch<'_>,
    globals: &[u64],
    memory: &dyn Memory,
) -> Result<(), Box<Fault>> {
    let refused = |what: String| fault(module, entry, program, launch_fault(what));
    check(module, entry, launch, globals).map_err(refused)?;
    let together = Arena::new();
    let shared_by_grid = together.place(&[0; 256]);
    let mut grid = Grid {
        program,
        launch,
        memory,
        together,
        fixed: Vec::new(),
        next: AtomicU64::new(0),
        blocks: launch.grid.iter().map(|&extent| u64::from(extent)).product(),
        steps: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let known = |fixed: &Fixed| known(fixed, &grid, globals, GRID_WINDOW + shared_by_grid);
    grid.fixed = program.fixed.iter().map(known).collect();
    let first = Mutex::new(None);
    let work = || {
        if let Err(failed) = work(&grid) {
            grid.stop.store(true, Relaxed);
            first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failed);
        }
    };
    let threads = launch.host_threads.clamp(1, grid.blocks.clamp(1, 64) as usize);
    if threads == 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    }
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failed) => Err(fault(module, entry, program, failed)),
        None => Ok(()),
    }
}

fn launch_fault(what: String) -> Failed {
    Failed { kind: FaultKind::Launch { what }, pc: None, block: [0; 3], thread: [0; 3] }
}

fn fault(module: &Module, entry: &Entry, program: &Program, failed: Failed) -> Box<Fault> {
    let place = failed.pc.and_then(|pc| program.places.get(pc as usize)).copied();
    let place = place.unwrap_or_default();
    let text = module.text.get(place.span.0 as usize..place.span.1 as usize);
    let words = text.unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    Box::new(Fault {
        kind: failed.kind,
        entry: entry.name.clone(),
        line: place.line,
        instruction: words.join(" "),
        block: failed.block,
        thread: failed.thread,
    })
}

/// Whether the entry admits the launch.
fn check(
    module: &Module,
    entry: &Entry,
    launch: &Launch<'_>,
    globals: &[u64],
) -> Result<(), String> {
    let threads = launch.block.iter().map(|&extent| u64::from(extent)).product::<u64>();
    if threads == 0 || launch.grid.contains(&0) {
        return Err(format!("{:?} blocks of {:?} threads", launch.grid, launch.block));
    }
    let admitted = |shape: &[u32; 3]| shape.iter().map(|&extent| u64::from(extent)).product();
    let most: u64 = entry.max_threads.as_ref().map_or(1024, admitted);
    if threads > most {
        return Err(format!("a block of {threads} threads, at most {most} are admitted"));
    }
    if let Some(required) = entry.required_threads
        && required != launch.block
    {
        return Err(format!("a block of {:?} threads, {required:?} is required", launch.block));
    }
    if launch.params.len() < entry.params_size() {
        let (given, needed) = (launch.params.len(), entry.params_size());
        return Err(format!("{given} bytes of parameters, the entry has {needed}"));
    }
    if globals.len() != module.globals.len() {
        let (given, needed) = (globals.len(), module.globals.len());
        return Err(format!("addresses of {given} variables, the module has {needed}"));
    }
    Ok(())
}

/// What a fixed register holds in all blocks; 0 where it depends on the block or the lane.
fn known(fixed: &Fixed, grid: &Grid<'_>, globals: &[u64], together: u64) -> u64 {
    let launch = grid.launch;
    match *fixed {
        Fixed::Value(bits) => bits,
        Fixed::Global(number, add) => globals.get(number).map_or(0, |at| at.wrapping_add(add)),
        Fixed::Param { offset, bytes, signed } => {
            let mut word = [0; 8];
            let bytes = bytes as usize;
            if let Some(from) = launch.params.get(offset..offset.saturating_add(bytes)) {
                word[..bytes].copy_from_slice(from);
            }
            let bits = u64::from_le_bytes(word);
            let cut = 64 - 8 * bytes as u32;
            if signed { ((bits << cut) as i64 >> cut) as u64 } else { bits }
        }
        Fixed::Frame => 0,
        Fixed::Dynamic(add) => u64::from(grid.program.dynamic).wrapping_add(add),
        Fixed::Special(special) => match special {
            Special::Ntid(axis) => launch.block[axis].into(),
            Special::Nctaid(axis) => launch.grid[axis].into(),
            Special::WarpCount => u64::from(launch.block.iter().product::<u32>().div_ceil(32)),
            Special::DynamicShared => launch.dynamic_shared.into(),
            Special::TotalShared => {
                u64::from(grid.program.dynamic) + u64::from(launch.dynamic_shared)
            }
            Special::GridLow if launch.cooperative => together & 0xffff_ffff,
            Special::GridHigh if launch.cooperative => together >> 32,
            _ => 0,
        },
    }
}

/// Runs blocks until there are no more.
fn work(grid: &Grid<'_>) -> Result<(), Failed> {
    // Blocks that wait for others run in turn with those.
    let mut running: Vec<Block<'_>> = Vec::new();
    let mut spare: Option<Block<'_>> = None;
    loop {
        if running.is_empty() || running.iter().all(|block| block.waits >= PATIENCE) {
            let number = grid.next.fetch_add(1, Relaxed);
            if number < grid.blocks {
                let mut block = spare.take().unwrap_or_else(|| Block::new(grid));
                block.begin(number);
                running.push(block);
            } else if running.is_empty() {
                return Ok(());
            }
        }
        let mut at = 0;
        while let Some(block) = running.get_mut(at) {
            if grid.stop.load(Relaxed) {
                return Ok(());
            }
            match block.round()? {
                Round::Over => spare = Some(running.swap_remove(at)),
                Round::Goes => at += 1,
            }
        }
    }
}

/// How often all warps of a block may be found waiting for memory to change before another block
/// begins.
const PATIENCE: u32 = 3;
