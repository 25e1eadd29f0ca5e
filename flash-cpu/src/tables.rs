//! Tables of indices, for kernels in C that ask for one: the ids of the items of a call as the rows of
//! a table, where other kernels get a box. It makes no cut of its own.

use std::cell::RefCell;

use flash_rt::Block;
use flash_rt::backend::indices::fill;
use flash_rt::backend::{LaunchInfo, Subspace};
use flash_rt::descriptor::Table;
use flash_rt::entry::Shared;

use crate::backend::{CpuBackend, CpuModule, NoMemory};
use crate::blocks::Pieces;
use crate::launch::is_woken_for;
use crate::library::{Indices, LibraryKernel, Rows};

/// The most rows of a table, where a call may be of any items: they stay in a cache.
const ROWS: usize = 1 << 14;

/// A launch that takes less is the caller's.
const ALONE_NANOS: u64 = 10_000;

thread_local! {
    /// Memory for tables, of each width.
    static ROOM: RefCell<(Vec<u32>, Vec<u64>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// Runs a launch to its end, each call with a table of its items.
pub(crate) fn run(
    cpu: &CpuBackend,
    module: &CpuModule,
    (kernel, table): (LibraryKernel, Table),
    launch: &LaunchInfo<'_, NoMemory>,
) {
    let items = launch.n_items();
    let (workers, nanos) = (cpu.workers(), module.cost.nanos(items));
    let shared = launch.shared();
    let is_alone = workers == 1 || nanos < ALONE_NANOS || items < 2;
    let wanted = items.div_ceil(ROWS).max(if is_alone { 1 } else { 4 * workers });
    let pieces = Pieces::of(module, launch, wanted, workers);
    // Checked when it was bound.
    let is_narrow = table.bytes_for(shared.numbering.extents()) == Some(4);
    let one = |piece: usize| {
        pieces.positions(piece, |positions, number, part| {
            let rows = Region { positions, part, by_item: table.by_item };
            rows.call(kernel, &shared, number, is_narrow);
        });
    };
    let start = module.cost.begin(if is_alone { items } else { usize::MAX });
    if is_alone {
        (0..pieces.n()).for_each(one);
        return module.cost.end(start, items);
    }
    cpu.team().run(pieces.n(), is_woken_for(nanos, false), &one);
    // Of the time of all threads this is about what one of them had.
    module.cost.end(start, items / workers);
}

/// A box of positions whose items a table is of.
struct Region<'r> {
    positions: &'r Block,
    part: Option<&'r Subspace<'r>>,
    by_item: bool,
}

impl Region<'_> {
    fn call(&self, kernel: LibraryKernel, shared: &Shared<'_>, number: usize, is_narrow: bool) {
        let (n_items, by_item) = (self.positions.n_items(), self.by_item);
        let around =
            self.part.map_or_else(|| self.positions.clone(), |part| part.bounding(self.positions));
        // Taken out for the call: what it calls may launch on this thread too.
        let (mut narrow, mut wide) = ROOM.take();
        let items = (std::slice::from_ref(self.positions), self.part);
        let indices = if is_narrow {
            narrow.clear();
            fill(items, by_item, |id| id as u32, &mut narrow);
            Indices::Narrow(&narrow)
        } else {
            wide.clear();
            fill(items, by_item, |id| id as u64, &mut wide);
            Indices::Wide(&wide)
        };
        kernel.run_table(shared, &around, number, &Rows { n_items, by_item, indices });
        ROOM.set((narrow, wide));
    }
}
