//! The end of a reduction: partial results into the cell, in the fixed tree. Fenced, as it writes
//! the cell. How launches are cut into blocks is not decided here.
#![allow(unsafe_code, reason = "writes the cell in the host image")]

use flash_ir::ir::ReduceOp;
use flash_ir::reduction::{Reduce, combine_blocks};
use flash_ir::{ScalarTy, Ty};

use super::bind::{BoundLaunch, BoundParam};
use super::memory::HostBlock;
use crate::Result;
use crate::allocation::Allocation;
use crate::section::Section;
use crate::stage::LaunchStage;

/// Puts what blocks have left together, which needs no copy: they leave it in memory of the host.
pub(super) fn finish_all(stage: &LaunchStage<'_>, bound: &mut BoundLaunch) -> Result<()> {
    if !bound.reduces {
        return Ok(());
    }
    let n = bound.n_partials();
    for (param, desc) in bound.params.iter_mut().zip(stage.kernel.params) {
        let BoundParam::Reduce { array, op, into, partials } = param else { continue };
        #[cfg(feature = "sabotage")]
        if crate::sabotage::keeps_stale_host(stage.kernel, desc) {
            continue;
        }
        let cell = (&*array.allocation, &array.section);
        finish((*op, *into), cell, partials, n).map_err(|error| error.of_parameter(desc.name))?;
    }
    Ok(())
}

/// Combines `n` partial results of the cell's type and writes the cell, whose box the caller's run
/// holds in the ledger for writing.
pub(super) fn finish(
    (op, into): (ReduceOp, bool),
    (allocation, section): (&Allocation, &Section),
    partials: &mut HostBlock,
    n: usize,
) -> Result<()> {
    let ty = allocation.elem().ty;
    let Ty::Scalar(scalar) = ty else { return Ok(()) };
    if into {
        allocation.to_host(section)?;
    }
    allocation.await_host(section)?;
    let at = allocation.host()?.as_ptr().wrapping_add(section.offset() * ty.size());
    macro_rules! by_type {
        ($($variant:ident => $t:ty),* $(,)?) => {
            match scalar {
                $(ScalarTy::$variant => {
                    let (start, bytes) = partials.parts();
                    let n = n.min(bytes / size_of::<$t>());
                    // SAFETY: `start` is aligned to a cache line and has `bytes` initialised bytes
                    // behind it, borrowed for as long as the slice is used.
                    let values = unsafe { std::slice::from_raw_parts_mut(start.cast::<$t>(), n) };
                    let apply = |a: $t, b: $t| <$t>::apply(op, a, b).unwrap_or(a);
                    let sum = combine_blocks(values, apply);
                    let sum = sum.unwrap_or_else(|| <$t>::identity(op));
                    let cell = at.cast::<$t>();
                    // SAFETY: binding checked that the cell is one element, and its type is `$t`; `at` is
                    // that element of its host image, and the run holds it for writing.
                    let old = unsafe { cell.read() };
                    let new = if into { apply(old, sum) } else { sum };
                    // SAFETY: as above.
                    unsafe { cell.write(new) };
                })*
                ScalarTy::Bool => {
                    let (start, bytes) = partials.parts();
                    let n = n.min(bytes);
                    // SAFETY: as above, of bytes.
                    let values = unsafe { std::slice::from_raw_parts_mut(start, n) };
                    // Of numbers, as nothing has to be known of the bytes then.
                    let apply = |a: u8, b: u8| {
                        u8::from(bool::apply(op, a != 0, b != 0).unwrap_or(a != 0))
                    };
                    let all = combine_blocks(values, apply);
                    let all = all.unwrap_or_else(|| u8::from(bool::identity(op)));
                    // SAFETY: as above; a `bool` is a byte, of 0 or 1.
                    let old = unsafe { at.read() };
                    let new = if into { apply(old, all) } else { u8::from(all != 0) };
                    // SAFETY: as above.
                    unsafe { at.write(new) };
                }
            }
        };
    }
    by_type!(I8 => i8, I16 => i16, I32 => i32, I64 => i64, Isize => isize, U8 => u8, U16 => u16,
        U32 => u32, U64 => u64, Usize => usize, F32 => f32, F64 => f64);
    allocation.host_wrote(section);
    Ok(())
}
