//! Copies of regions as commands of OpenCL: one where the driver takes the pitches, else one for each
//! plane. Fenced: it works out addresses of the host, of bytes that the caller has lent.
#![allow(unsafe_code, reason = "submits copies of memory that was lent")]

use std::sync::Arc;

use flash_rt::DriverError;
use flash_rt::backend::Region;
use flash_rt::error::DriverErrorKind;

use crate::cl::{Failure, Rect};
use crate::memory::Storage;
use crate::operation::Commands;

/// So many runs are zeroed one by one.
const FEW_RUNS: u64 = 16;

/// The bytes of a region that are one run, if they are.
fn whole(region: &Region) -> Option<u64> {
    let Region { row_bytes, rows, pitch, slices, slice_pitch, .. } = *region;
    let is_row = rows == 1 || pitch == row_bytes;
    let is_whole = is_row && (slices == 1 || slice_pitch == rows.checked_mul(row_bytes)?);
    is_whole.then(|| region.bytes())
}

/// Pitches of a region as OpenCL takes them: a plane holds its runs, and is whole runs apart from the
/// next one.
fn pitches(region: &Region) -> Option<[usize; 2]> {
    let Region { row_bytes, rows, pitch, slices, slice_pitch, .. } = *region;
    let pitch = if rows == 1 { row_bytes } else { pitch };
    let plane = rows.checked_mul(pitch)?;
    if slices == 1 {
        return Some([pitch as usize, plane as usize]);
    }
    // With one run in a plane, planes are what is apart.
    if rows == 1 && slice_pitch >= row_bytes {
        return Some([slice_pitch as usize, slice_pitch as usize]);
    }
    let fits = slice_pitch >= plane && slice_pitch.is_multiple_of(pitch);
    fits.then_some([pitch as usize, slice_pitch as usize])
}

/// A plane of a region.
fn plane(region: &Region, slice: u64) -> Region {
    let offset = region.offset + slice * region.slice_pitch;
    Region { offset, slices: 1, slice_pitch: 0, ..*region }
}

fn rect(there: &Region, here: &Region) -> Option<Rect> {
    Some(Rect {
        offset: there.offset as usize,
        region: [there.row_bytes as usize, there.rows as usize, there.slices as usize],
        there: pitches(there)?,
        here: pitches(here)?,
    })
}

/// Whether a copy makes sense.
pub(crate) fn check(
    api: &'static str,
    memory: &Storage,
    there: Region,
    host: Option<(usize, Region)>,
) -> Result<(), DriverError> {
    let bad = |text: String| {
        Err(DriverError { api, code: -1, text: text.into(), kind: DriverErrorKind::Failed })
    };
    if there.end().is_none_or(|end| end > memory.bytes) {
        return bad(format!("{there:?} of a memory of {} bytes", memory.bytes));
    }
    let Some((len, here)) = host else { return Ok(()) };
    if !there.same_runs(&here) || here.end().is_none_or(|end| end > len as u64) {
        return bad(format!("{there:?} with {here:?} of {len} bytes"));
    }
    Ok(())
}

/// Copies from the host.
///
/// # Safety
///
/// The regions were checked. Until the commands are over, those of `src` can be read and nobody writes
/// them.
pub(crate) unsafe fn upload(
    commands: &mut Commands<'_>,
    memory: &Storage,
    to: Region,
    src: *const u8,
    from: Region,
) -> Result<(), Failure> {
    let start = |region: &Region| src.wrapping_add(region.offset as usize);
    if to.is_empty() {
        return Ok(());
    }
    if let (Some(len), Some(_)) = (whole(&to), whole(&from)) {
        let (offset, start) = (to.offset as usize, start(&from));
        return commands.add(|queue, waits| {
            // SAFETY: the runs are one, which lies inside as was checked; as the caller promises.
            unsafe { queue.write(&memory.mem, offset, start, len as usize, waits) }
        });
    }
    if let Some(rect) = rect(&to, &from) {
        let start = start(&from);
        return commands.add(|queue, waits| {
            // SAFETY: the runs lie inside, as was checked; as the caller promises.
            unsafe { queue.write_rect(&memory.mem, &rect, start, waits) }
        });
    }
    for slice in 0..to.slices {
        // SAFETY: a part of the same copy.
        unsafe { upload(commands, memory, plane(&to, slice), src, plane(&from, slice))? };
    }
    Ok(())
}

/// Copies to the host.
///
/// # Safety
///
/// The regions were checked. Until the commands are over, those of `dst` can be written and nobody else
/// touches them.
pub(crate) unsafe fn download(
    commands: &mut Commands<'_>,
    memory: &Storage,
    from: Region,
    dst: *mut u8,
    to: Region,
) -> Result<(), Failure> {
    let start = |region: &Region| dst.wrapping_add(region.offset as usize);
    if from.is_empty() {
        return Ok(());
    }
    if let (Some(len), Some(_)) = (whole(&from), whole(&to)) {
        let (offset, start) = (from.offset as usize, start(&to));
        return commands.add(|queue, waits| {
            // SAFETY: the runs are one, which lies inside as was checked; as the caller promises.
            unsafe { queue.read(&memory.mem, offset, start, len as usize, waits) }
        });
    }
    if let Some(rect) = rect(&from, &to) {
        let start = start(&to);
        return commands.add(|queue, waits| {
            // SAFETY: the runs lie inside, as was checked; as the caller promises.
            unsafe { queue.read_rect(&memory.mem, &rect, start, waits) }
        });
    }
    for slice in 0..from.slices {
        // SAFETY: a part of the same copy.
        unsafe { download(commands, memory, plane(&from, slice), dst, plane(&to, slice))? };
    }
    Ok(())
}

/// Zeros of the host that a fill of a region reads, if it does; they are held until it is over.
pub(crate) fn zeros(to: &Region) -> Option<Arc<[u8]>> {
    let is_filled = to.is_empty() || whole(to).is_some() || to.rows * to.slices <= FEW_RUNS;
    (!is_filled).then(|| vec![0; (to.row_bytes * to.rows) as usize].into())
}

/// Writes zeros; `zeros` is what [`zeros`] says for the region.
pub(crate) fn zero(
    commands: &mut Commands<'_>,
    memory: &Storage,
    to: Region,
    zeros: Option<&Arc<[u8]>>,
) -> Result<(), Failure> {
    if to.is_empty() {
        return Ok(());
    }
    if let Some(zeros) = zeros {
        for slice in 0..to.slices {
            let from = Region::plane(0, to.row_bytes, to.rows, to.row_bytes);
            // SAFETY: the zeros of a plane are there until the fill is over.
            unsafe { upload(commands, memory, plane(&to, slice), zeros.as_ptr(), from)? };
        }
        return Ok(());
    }
    if let Some(len) = whole(&to) {
        let offset = to.offset as usize;
        return commands.add(|queue, waits| queue.zero(&memory.mem, offset, len as usize, waits));
    }
    for start in to.runs() {
        let len = to.row_bytes as usize;
        commands.add(|queue, waits| queue.zero(&memory.mem, start as usize, len, waits))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_touch_are_one() {
        assert_eq!(whole(&Region::row(3, 10)), Some(10));
        assert_eq!(whole(&Region::plane(3, 10, 4, 10)), Some(40));
        assert_eq!(whole(&Region::plane(3, 10, 4, 11)), None);
        assert_eq!(whole(&Region::plane(3, 10, 4, 10).times(2, 40)), Some(80));
        assert_eq!(whole(&Region::plane(3, 10, 4, 10).times(2, 41)), None);
        const HUGE: u64 = 5 << 32;
        assert_eq!(whole(&Region::row(HUGE, HUGE + 1)), Some(HUGE + 1));
        assert_eq!(whole(&Region::plane(0, HUGE, 3, HUGE)), Some(3 * HUGE));
        assert_eq!(whole(&Region::plane(0, HUGE, 3, HUGE + 1)), None);
    }

    #[test]
    fn sizes_beyond_four_gibibytes_are_whole() {
        const HUGE: u64 = 5 << 32;
        let huge = HUGE as usize;
        assert_eq!(pitches(&Region::plane(0, HUGE, 3, HUGE + 8)), Some([huge + 8, 3 * (huge + 8)]));
        let there = Region::plane(HUGE, 7, 3, HUGE + 8);
        let found = rect(&there, &Region::plane(2 * HUGE, 7, 3, 2 * HUGE)).unwrap();
        assert_eq!((found.offset, found.region), (huge, [7, 3, 1]));
        assert_eq!((found.there[0], found.here[0]), (huge + 8, 2 * huge));
    }

    #[test]
    fn pitches_are_those_that_a_driver_takes() {
        assert_eq!(pitches(&Region::plane(0, 5, 3, 9)), Some([9, 27]));
        assert_eq!(pitches(&Region::plane(0, 5, 3, 9).times(2, 45)), Some([9, 45]));
        assert_eq!(pitches(&Region::plane(0, 5, 3, 9).times(2, 46)), None, "no multiple");
        assert_eq!(pitches(&Region::plane(0, 5, 3, 9).times(2, 18)), None, "planes overlap");
        assert_eq!(pitches(&Region::row(0, 5).times(2, 46)), Some([46, 46]));
    }
}
