//! Copies of regions as commands of CUDA: a few planes, each of which is one command where the driver
//! takes its pitches. Fenced: it works out addresses of the host, of bytes that the caller has lent.
#![allow(unsafe_code, reason = "submits copies of memory that was lent")]

use flash_rt::DriverError;
use flash_rt::backend::Region;
use flash_rt::error::DriverErrorKind;

use crate::cu::{Failure, Plane};
use crate::lines::Commands;
use crate::memory::Storage;

/// A part of a copy: where it begins on the device and on the host, or on another device, and what it
/// consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// From the start of the memory.
    pub(crate) there: u64,
    /// From the start of the bytes of the host.
    pub(crate) here: u64,
    pub(crate) plane: Plane,
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

/// The parts of a copy between regions of the same runs, each a plane that a driver takes whose pitches
/// are at most so large.
pub(crate) fn pieces(there: &Region, here: &Region, most_pitch: u64) -> Vec<Piece> {
    if there.is_empty() {
        return Vec::new();
    }
    let bytes = there.row_bytes;
    // Runs of one plane each are the runs of one plane, as are planes that follow one another as runs do.
    let (mut rows, mut planes) = (there.rows, there.slices);
    let (mut pitches, slices) = ((there.pitch, here.pitch), (there.slice_pitch, here.slice_pitch));
    if rows == 1 {
        (rows, planes, pitches) = (planes, 1, slices);
    } else if planes > 1
        && pitches.0.checked_mul(rows) == Some(slices.0)
        && pitches.1.checked_mul(rows) == Some(slices.1)
    {
        (rows, planes) = (rows * planes, 1);
    }
    let is_row = rows == 1 || pitches == (bytes, bytes);
    let fits = |pitch: u64| (bytes..=most_pitch).contains(&pitch);
    let mut all = Vec::new();
    for k in 0..planes {
        let (from, to) = (there.offset + k * slices.0, here.offset + k * slices.1);
        let plane = |bytes: u64, rows: u64, there: u64, here: u64| Plane {
            row_bytes: bytes as usize,
            rows: rows as usize,
            there: there as usize,
            here: here as usize,
        };
        if is_row {
            let bytes = bytes * rows;
            all.push(Piece { there: from, here: to, plane: plane(bytes, 1, bytes, bytes) });
        } else if fits(pitches.0) && fits(pitches.1) {
            let plane = plane(bytes, rows, pitches.0, pitches.1);
            all.push(Piece { there: from, here: to, plane });
        } else {
            let plane = plane(bytes, 1, bytes, bytes);
            all.extend((0..rows).map(|row| Piece {
                there: from + row * pitches.0,
                here: to + row * pitches.1,
                plane,
            }));
        }
    }
    all
}

/// Whether memory is still there, whatever became of its device.
fn is_there(commands: &Commands<'_>, memory: &Storage) -> Result<(), Failure> {
    if commands.has(&memory.context) { Ok(()) } else { Err(Failure::gone("memory")) }
}

/// Copies from the host.
///
/// # Safety
///
/// The regions were checked. Until the commands are over, those of `src` can be read and nobody writes
/// them, and nothing else under way uses those of the memory.
pub(crate) unsafe fn upload(
    commands: &mut Commands<'_>,
    memory: &Storage,
    src: *const u8,
    pieces: &[Piece],
) -> Result<(), Failure> {
    is_there(commands, memory)?;
    for piece in pieces {
        let (to, from) = (memory.address + piece.there, src.wrapping_add(piece.here as usize));
        commands.add(|stream| match piece.plane {
            // SAFETY: the runs lie inside, as was checked; as the caller promises.
            Plane { row_bytes, rows: 1, .. } => unsafe { stream.upload(to, from, row_bytes) },
            // SAFETY: as above.
            plane => unsafe { stream.upload_plane(to, from, &plane) },
        })?;
    }
    Ok(())
}

/// Copies to the host.
///
/// # Safety
///
/// The regions were checked. Until the commands are over, those of `dst` can be written and nobody else
/// touches them, and nothing else under way writes those of the memory.
pub(crate) unsafe fn download(
    commands: &mut Commands<'_>,
    memory: &Storage,
    dst: *mut u8,
    pieces: &[Piece],
) -> Result<(), Failure> {
    is_there(commands, memory)?;
    for piece in pieces {
        let (from, to) = (memory.address + piece.there, dst.wrapping_add(piece.here as usize));
        commands.add(|stream| match piece.plane {
            // SAFETY: the runs lie inside, as was checked; as the caller promises.
            Plane { row_bytes, rows: 1, .. } => unsafe { stream.download(to, from, row_bytes) },
            // SAFETY: as above.
            plane => unsafe { stream.download_plane(to, from, &plane) },
        })?;
    }
    Ok(())
}

/// Copies to memory of another device.
///
/// # Safety
///
/// The regions were checked. Until the commands are over, nothing else under way writes those of `src` or
/// uses those of `dst`.
pub(crate) unsafe fn peer_copy(
    commands: &mut Commands<'_>,
    src: &Storage,
    dst: &Storage,
    pieces: &[Piece],
) -> Result<(), Failure> {
    is_there(commands, src)?;
    // What became of the other device is no failure of this one.
    let Some(_in_use) = dst.context.keep() else {
        return Err(Failure::invalid("cuMemcpyPeerAsync"));
    };
    for piece in pieces {
        let (from, to) = (src.address + piece.there, (&*dst.context, dst.address + piece.here));
        commands.add(|stream| match piece.plane {
            // SAFETY: the runs lie inside, as was checked; as the caller promises.
            Plane { row_bytes, rows: 1, .. } => unsafe { stream.peer_copy(to, from, row_bytes) },
            // SAFETY: as above.
            plane => unsafe { stream.peer_plane(to, from, &plane) },
        })?;
    }
    Ok(())
}

/// Writes zeros.
///
/// # Safety
///
/// The region was checked. Until the commands are over, nothing else under way uses it.
pub(crate) unsafe fn zero(
    commands: &mut Commands<'_>,
    memory: &Storage,
    pieces: &[Piece],
) -> Result<(), Failure> {
    is_there(commands, memory)?;
    for piece in pieces {
        let to = memory.address + piece.there;
        commands.add(|stream| match piece.plane {
            // SAFETY: the runs lie inside, as was checked; as the caller promises.
            Plane { row_bytes, rows: 1, .. } => unsafe { stream.zero(to, row_bytes) },
            // SAFETY: as above.
            plane => unsafe { stream.zero_plane(to, &plane) },
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte of a copy: where on the device and where on the host.
    fn bytes(pieces: &[Piece]) -> Vec<(u64, u64)> {
        let of = |piece: &Piece| {
            let Piece { there, here, plane } = *piece;
            let run = move |row: usize| {
                let start = (there + (row * plane.there) as u64, here + (row * plane.here) as u64);
                (0..plane.row_bytes as u64).map(move |k| (start.0 + k, start.1 + k))
            };
            (0..plane.rows).flat_map(run).collect::<Vec<_>>()
        };
        pieces.iter().flat_map(of).collect()
    }

    #[test]
    fn pieces_are_the_bytes_of_both_regions_in_few_commands() {
        let plane = Region::plane;
        let cases = [
            (Region::row(3, 10), Region::row(0, 10), 1),
            (plane(3, 10, 4, 10), plane(1, 10, 4, 10), 1),
            (plane(3, 10, 4, 11), plane(1, 10, 4, 10), 1),
            (plane(2, 5, 3, 9).times(4, 101), plane(1, 5, 3, 6).times(4, 40), 4),
            (plane(2, 5, 3, 9).times(4, 27), plane(1, 5, 3, 6).times(4, 18), 1),
            (Region::row(0, 5).times(4, 46), Region::row(2, 5).times(4, 5), 1),
            (plane(0, 5, 3, 4_000), plane(1, 5, 3, 6), 3),
            (Region::row(0, 5).times(3, 2), Region::row(2, 5).times(3, 5), 3),
            (plane(0, 2, 2, 2).times(0, 4), plane(0, 2, 2, 2).times(0, 4), 0),
        ];
        for (there, here, n) in cases {
            let found = pieces(&there, &here, 1_000);
            assert_eq!(found.len(), n, "{there:?} {here:?}");
            let all = |region: Region| {
                region.runs().flat_map(move |start| start..start + region.row_bytes)
            };
            let expected: Vec<(u64, u64)> = all(there).zip(all(here)).collect();
            assert_eq!(bytes(&found), expected, "{there:?} {here:?}");
        }
    }
}
