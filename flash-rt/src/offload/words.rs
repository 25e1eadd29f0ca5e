//! The structure that an emitted kernel takes by value, filled for one command of a launch. Fenced: it
//! reads the values of the launch.
#![allow(unsafe_code, reason = "reads values that slots point to")]

use flash_ir::emit::Word;
use flash_ir::reduction;

use super::form::Piece;
use crate::backend::LaunchInfo;
use crate::space::Space;

/// The words of a command, as bytes.
///
/// # Safety
///
/// Slots of values point to values of the parameters' types.
pub unsafe fn fill<M>(
    words: &[Word],
    launch: &LaunchInfo<'_, M>,
    piece: &Piece<'_>,
    out: &mut Vec<u8>,
) {
    out.clear();
    for word in words {
        // SAFETY: as the caller says.
        let value = unsafe { word_of(*word, launch, piece) };
        out.extend_from_slice(&value.to_ne_bytes());
    }
}

/// # Safety
///
/// As for [`fill`].
unsafe fn word_of<M>(word: Word, launch: &LaunchInfo<'_, M>, piece: &Piece<'_>) -> u64 {
    let array = |param: u16| launch.slots[usize::from(param)].array_slot();
    let dim = usize::from;
    let extent = |space: &Space, d: u8| space.extent(dim(d)) as u64;
    let inside = |d: u8| dim(d) < piece.ids.rank();
    match word {
        Word::Value(param, part) => {
            let size = launch.kernel.params[usize::from(param)].elem.size();
            let at = (8 * usize::from(part)).min(size);
            let n = (size - at).min(8);
            let mut bytes = [0; 8];
            let from = array(param).base.cast_const().wrapping_add(at);
            // SAFETY: the value has `n` bytes more from there on, as the caller says.
            unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), n) };
            u64::from_ne_bytes(bytes)
        }
        Word::Shift(param) => shift(launch, usize::from(param)).cast_unsigned(),
        Word::Origin(param, d) => array(param).origin[dim(d)] as u64,
        Word::Held(param, d) => array(param).held[dim(d)] as u64,
        Word::Extent(param, d) => array(param).shape[dim(d)] as u64,
        Word::Stride(param, d) => array(param).stride[dim(d)] as i64 as u64,
        Word::Size(d) => extent(launch.space, d),
        Word::Lo(d) => {
            if inside(d) {
                piece.ids.lo(dim(d)) as u64
            } else {
                0
            }
        }
        Word::Count(0) if piece.rows.is_some() => piece.rows.unwrap_or(0) as u64,
        Word::Count(d) if inside(d) => (piece.ids.hi(dim(d)) - piece.ids.lo(dim(d))) as u64,
        Word::Count(_) => 1,
        Word::Numbering(d) => extent(launch.part.map_or(launch.space, |part| part.numbering()), d),
        Word::Chunk(d) => reduction::chunk(launch.space.extents())[dim(d)] as u64,
        Word::FirstBlock => piece.first_block as u64,
        Word::Phase => launch.part.map_or(0, |part| part.phase()) as u64,
        Word::Partition => launch.part.map_or(0, |part| part.partition()) as u64,
    }
}

/// Elements from the start of an array's memory to where the element of index zero would be.
pub fn shift<M>(launch: &LaunchInfo<'_, M>, param: usize) -> i64 {
    let array = launch.slots[param].array_slot();
    let size = launch.kernel.params[param].elem.size().max(1);
    let before: isize = (0..usize::from(array.rank))
        .map(|d| array.stride[d].wrapping_mul(array.origin[d].cast_signed()))
        .sum();
    (array.base.addr() / size) as i64 - before as i64
}
