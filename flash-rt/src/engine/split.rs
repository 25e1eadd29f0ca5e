//! One launch as several parts, each on a device: which items each part has, and which elements it
//! needs for them. It launches nothing and moves nothing.

mod cut;
mod given;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::bind::{BoundLaunch, BoundParam, Use};
use super::memory::HostBlock;
use super::place::Held;
use super::ready::{Home, Ready};
use super::whole::Whole;
use crate::arg::ArrayArg;
use crate::backend::{OwnedSubspace, Subspace};
use crate::descriptor::{ParamDescriptor, Parts, Role};
use crate::entry::MAX_ARRAY_RANK;
use crate::error::Result;
use crate::footprint::{self, Numbers};
use crate::space::Block;
use crate::stage::LaunchStage;
use cut::Cut;

pub(crate) use cut::Way;

pub(super) use given::not_held;
pub(crate) use given::texts as given_texts;

/// A part of a launch.
#[derive(Debug)]
pub(super) struct Part {
    /// The number of its device.
    pub(super) device: usize,
    pub(super) bound: BoundLaunch,
    /// How long it takes there, if that is known.
    pub(super) lasts: Option<Duration>,
    /// Whether it may ask for elements that it does not hold, so that accesses in `unsafe` are
    /// checked too.
    pub(super) is_checked: bool,
    /// What backends keep of it, where its piece is kept.
    pub(super) home: Option<Home>,
}

/// How the items of a launch are divided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shares {
    pub(crate) of: Box<[Share]>,
    /// Where the devices claim blocks one by one: of so many indices of the dimension that is cut.
    pub(crate) chunk: Option<usize>,
    pub(crate) way: Way,
}

/// What a device has of the items; it may have several shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    pub(crate) device: u16,
    /// In proportion to the others.
    pub(crate) items: f64,
    /// How long all of it takes, in nanoseconds, as far as is known when it is divided.
    pub(crate) lasts: Option<u64>,
}

impl Share {
    /// A share of which no more is known.
    pub(crate) fn new(device: u16, items: f64) -> Self {
        Self { device, items, lasts: None }
    }
}

/// A part of a phase before it is bound: which items it has, and what they reach.
#[derive(Debug)]
pub(super) struct Piece {
    device: u16,
    lasts: Option<Duration>,
    positions: Block,
    /// By parameter.
    needs: Box<[Needs]>,
    /// As [`Part::is_checked`].
    is_checked: bool,
    /// As [`Part::home`].
    pub(super) home: Option<Home>,
}

/// What a part needs of an array, as ranges of its indices; nothing of what is no array.
#[derive(Debug, Default)]
struct Needs {
    /// The box that it may touch.
    held: Vec<Range<usize>>,
    written: Vec<Range<usize>>,
    reads: bool,
}

/// The parts of one phase, or why it cannot be split.
pub(super) fn try_parts(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    (phase, boxes): (usize, &mut Vec<Block>),
    shares: &Shares,
) -> Result<Result<Vec<Part>, Whole>> {
    let natural = [bound.space.block()];
    let of_phase = items(bound, &natural, (phase, boxes));
    Ok(match try_divide(stage, bound, &of_phase, shares)? {
        Ok(pieces) => Ok(bind(stage, bound, &of_phase, &pieces)?),
        Err(whole) => Err(whole),
    })
}

/// A phase as it is, as one part.
pub(super) fn whole(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    of_phase: &Subspace<'_>,
    device: u16,
) -> Result<Part> {
    let needs = |param: &BoundParam| {
        let Some((array, use_)) = param.array() else { return Needs::default() };
        let all: Vec<Range<usize>> = array.section.shape().iter().map(|&n| 0..n).collect();
        Needs { held: all.clone(), written: all, reads: use_.reads }
    };
    let needs: Vec<Needs> = bound.params.iter().map(needs).collect();
    let bound = part_of(stage, bound, &needs, of_phase.to_owned())?;
    let device = usize::from(device);
    Ok(Part { device, bound, lasts: None, is_checked: false, home: None })
}

/// The items of a phase.
pub(super) fn items<'b>(
    bound: &'b BoundLaunch,
    natural: &'b [Block; 1],
    (phase, boxes): (usize, &'b mut Vec<Block>),
) -> Subspace<'b> {
    match &bound.phases {
        None => Subspace::new(phase, natural, (&bound.space, &bound.space)),
        Some(phases) => phases.subspace(phase, boxes),
    }
}

/// Divides the items of a phase; `None` where it cannot be split.
pub(super) fn divide(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    of_phase: &Subspace<'_>,
    shares: &Shares,
) -> Result<Option<Box<[Piece]>>> {
    Ok(try_divide(stage, bound, of_phase, shares)?.ok())
}

/// The same, with the reason where it cannot be split.
fn try_divide(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    of_phase: &Subspace<'_>,
    shares: &Shares,
) -> Result<Result<Box<[Piece]>, Whole>> {
    let [positions] = of_phase.boxes() else { return Ok(Err(Whole::Scattered)) };
    if stage.kernel.ir.is_none() && !matches!(stage.kernel.parts, Parts::By(_)) {
        return Ok(Err(Whole::Unknown));
    }
    let cuts = match cut::blocks(stage, bound, positions, shares) {
        Ok(cuts) => cuts,
        Err(whole) => return Ok(Err(whole)),
    };
    // Times are those of all phases.
    let of_launch = positions.n_items() as f64 / bound.space.n_items() as f64;
    let mut pieces: Vec<Piece> = Vec::with_capacity(cuts.len());
    for Cut { share: Share { device, lasts, .. }, of_share, positions } in cuts {
        let numbers = Numbers { phase: Some(of_phase.phase()), partition: Some(pieces.len()) };
        let ids = of_phase.bounding(&positions);
        if let Some(group) = cut::cut_group(stage, &bound.space, &ids) {
            return Ok(Err(Whole::Groups(group)));
        }
        let needs = match needs(stage, bound, (&ids, numbers))? {
            Ok(needs) => needs,
            Err(whole) => return Ok(Err(whole)),
        };
        let nanos = |lasts: u64| (lasts as f64 * of_share * of_launch) as u64;
        let lasts = lasts.map(|lasts| Duration::from_nanos(nanos(lasts)));
        pieces.push(Piece { device, lasts, positions, needs, is_checked: false, home: None });
    }
    let by_function = matches!(stage.kernel.parts, Parts::By(_));
    match overlap(&pieces) {
        Some(param) if by_function => Err(given::overlapping(stage, of_phase, &pieces, param)),
        Some(param) => Ok(Err(Whole::Meet(param))),
        None if by_function => {
            given::check(stage, bound, of_phase, &mut pieces)?;
            Ok(Ok(pieces.into()))
        }
        None => Ok(Ok(pieces.into())),
    }
}

/// The parts that pieces of a phase are.
pub(super) fn bind(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    of_phase: &Subspace<'_>,
    pieces: &[Piece],
) -> Result<Vec<Part>> {
    let blocks = bound.reduces.then(|| Subspace::blocks(&bound.space));
    let part = |(number, piece): (usize, &Piece)| {
        let list = std::slice::from_ref(&piece.positions);
        let mut subspace = of_phase.clone().of_partition(number, list);
        if let Some(blocks) = &blocks {
            subspace = subspace.with_blocks(blocks, &piece.positions);
        }
        let bound = part_of(stage, bound, &piece.needs, subspace.to_owned())?;
        let (device, lasts) = (usize::from(piece.device), piece.lasts);
        let (is_checked, home) = (piece.is_checked, piece.home.clone());
        Ok(Part { device, bound, lasts, is_checked, home })
    };
    pieces.iter().enumerate().map(part).collect()
}

/// What the items with these ids need of each array parameter, those without an array left out as
/// empty, or why that cannot be said.
fn needs(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    part: (&Block, Numbers),
) -> Result<Result<Box<[Needs]>, Whole>> {
    let mut given = match stage.kernel.parts {
        Parts::By(function) => Some(given::by_function(stage, function, part.0)?.into_iter()),
        Parts::Whole | Parts::Inferred => None,
    };
    let mut all = Vec::with_capacity(bound.params.len());
    for (k, (param, desc)) in bound.params.iter().zip(stage.kernel.params).enumerate() {
        let BoundParam::Array { array, use_ } = param else {
            let is_array = matches!(desc.role, Role::Scratch(_)) && desc.raw;
            if is_array {
                // What one part leaves there another one would look for.
                return Ok(Err(Whole::Shared(k)));
            }
            all.push(Needs::default());
            continue;
        };
        let found = match &mut given {
            Some(given) => {
                let given = given.next().unwrap_or_default();
                Some(given::from_function(stage, (k, desc), (array, *use_), &given)?)
            }
            None => inferred(stage, bound, (k, desc), part),
        };
        let Some((mut read, written)) = found else { return Ok(Err(Whole::Shared(k))) };
        if use_.writes && !use_.full && !is_nothing(&written) {
            // What of these elements is not written has to be there.
            read = Some(hull(read, &written));
        }
        let reads = read.is_some();
        let held = match read {
            Some(read) if is_nothing(&written) => read,
            Some(read) => hull(Some(read), &written),
            None => written.clone(),
        };
        all.push(Needs { held, written, reads });
    }
    Ok(Ok(all.into()))
}

/// Reads and writes, as ranges of the indices of an array.
type Boxes = (Option<Vec<Range<usize>>>, Vec<Range<usize>>);

fn is_nothing(ranges: &[Range<usize>]) -> bool {
    ranges.iter().any(Range::is_empty)
}

/// The smallest box around two.
fn hull(a: Option<Vec<Range<usize>>>, b: &[Range<usize>]) -> Vec<Range<usize>> {
    let Some(a) = a.filter(|a| !is_nothing(a)) else { return b.to_vec() };
    if is_nothing(b) {
        return a;
    }
    a.iter().zip(b).map(|(a, b)| a.start.min(b.start)..a.end.max(b.end)).collect()
}

/// What the body reaches from these items.
fn inferred(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    (k, desc): (usize, &ParamDescriptor),
    part: (&Block, Numbers),
) -> Option<Boxes> {
    if matches!(desc.role, Role::Atomic) {
        return None;
    }
    let rank = usize::from(desc.rank);
    let (read, written) = footprint::ranges(stage.kernel, bound, k, part)?;
    Some((read, written.unwrap_or_else(|| vec![0..0; rank])))
}

/// A parameter of which two parts write the same element.
fn overlap(pieces: &[Piece]) -> Option<usize> {
    let n = pieces.first().map_or(0, |piece| piece.needs.len());
    let meet = |a: &[Range<usize>], b: &[Range<usize>]| {
        a.iter().zip(b).all(|(a, b)| a.start < b.end && b.start < a.end)
    };
    (0..n).find(|&k| {
        let all = pieces.iter().map(|piece| &piece.needs[k].written[..]);
        let writes = |written: &&[Range<usize>]| !written.is_empty() && !is_nothing(written);
        let mut all: Vec<&[Range<usize>]> = all.filter(writes).collect();
        all.sort_unstable_by_key(|written| written.first().map(|range| range.start));
        all.iter().enumerate().any(|(at, written)| {
            let end = written.first().map_or(usize::MAX, |range| range.end);
            let is_near = |other: &&&[Range<usize>]| other.first().is_none_or(|r| r.start < end);
            all[at + 1..].iter().take_while(is_near).any(|other| meet(written, other))
        })
    })
}

/// The launch of a part: of each array the box that it needs, its indices those of the whole.
fn part_of(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    needs: &[Needs],
    subspace: OwnedSubspace,
) -> Result<BoundLaunch> {
    let mut slots = bound.slots.clone();
    let mut params = Vec::with_capacity(bound.params.len());
    let mut written = vec![None; bound.params.len()];
    let mut bytes = 0;
    for (k, (param, needs)) in bound.params.iter().zip(needs).enumerate() {
        params.push(match param {
            BoundParam::Array { array, use_ } => {
                let whole = &array.section;
                let section = whole.cut(&needs.held, stage.site)?;
                let written_box = whole.cut(&needs.written, stage.site)?;
                let array = ArrayArg { allocation: Arc::clone(&array.allocation), section };
                let writes = use_.writes && !written_box.is_empty();
                let slot = &mut slots[k].array;
                for (d, range) in needs.held.iter().enumerate().take(MAX_ARRAY_RANK) {
                    (slot.origin[d], slot.held[d]) = (range.start, range.len());
                }
                written[k] = (writes && written_box != section).then_some(written_box);
                let size = array.allocation.elem().size;
                let moved = if needs.reads { section.len() } else { 0 };
                bytes += ((moved + if writes { written_box.len() } else { 0 }) * size) as u64;
                BoundParam::Array { array, use_: Use { reads: needs.reads, writes, ..*use_ } }
            }
            BoundParam::Scratch { len, .. } => {
                BoundParam::Scratch { len: *len, block: HostBlock::default() }
            }
            BoundParam::Value(value) => BoundParam::Value(Arc::clone(value)),
            // Their slots are complete.
            BoundParam::Held | BoundParam::Cell(_) | BoundParam::Reduce { .. } => BoundParam::Held,
        });
    }
    Ok(BoundLaunch {
        space: bound.space.clone(),
        ids: None,
        phases: bound.phases.clone(),
        part: Some(Box::new(subspace)),
        written,
        boxes: Vec::new(),
        slots,
        params,
        bytes,
        cells: false,
        values: bound.values.clone(),
        reduces: false,
        division: None,
        ready: Ready::default(),
        held: Held::default(),
    })
}
