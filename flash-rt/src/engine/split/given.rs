//! What the function of `part_by` says of the blocks of a launch: that it can be, and that it is
//! enough for what the body is sure to reach. What the body may reach beyond is checked while it runs.

use std::ops::Range;

use flash_ir::analysis::Hull;

use super::{Boxes, Needs, Piece, is_nothing};
use crate::arg::ArrayArg;
use crate::arg_range::{ArgBox, ArgRange};
use crate::backend::Subspace;
use crate::descriptor::{ParamDescriptor, PartFn, Parts, Role};
use crate::engine::bind::{BoundLaunch, BoundParam, Use};
use crate::error::{Error, Result};
use crate::footprint::{self, Numbers};
use crate::space::Block;
use crate::stage::LaunchStage;

/// What the function says of a block of items.
pub(super) fn by_function(
    stage: &LaunchStage<'_>,
    function: PartFn,
    ids: &Block,
) -> Result<Vec<ArgRange>> {
    let given = function(&of_ids(ids));
    let is_array = |param: &ParamDescriptor| {
        matches!(param.role, Role::In | Role::InOut | Role::Out | Role::OutPartial | Role::Atomic)
    };
    let params = stage.kernel.params.iter().enumerate();
    let arrays: Vec<usize> = params.filter(|(_, param)| is_array(param)).map(|(k, _)| k).collect();
    if given.len() == arrays.len() {
        return Ok(given);
    }
    // The first one that is left without, or the last one of fewer.
    let of = arrays.get(given.len()).or(arrays.last()).copied().unwrap_or(usize::MAX);
    let (found, wanted) = (given.len(), arrays.len());
    let why = format!(
        "the function gives ranges for {found} array arguments of {wanted}: give one `ArgRange` for \
         each, in the order of the parameters"
    );
    Err(refused(stage, of, why))
}

/// A block of items as the function gets it.
fn of_ids(ids: &Block) -> Vec<Range<u64>> {
    (0..ids.rank()).map(|dim| ids.lo(dim) as u64..ids.hi(dim) as u64).collect()
}

/// What the function says of all items of the first phase, for a person: a text for each parameter,
/// empty where it is no array and where nothing is said. That a function is refused is said where a
/// launch is split.
pub(crate) fn texts(stage: &LaunchStage<'_>, bound: &BoundLaunch) -> Vec<String> {
    let mut texts = vec![String::new(); bound.params.len()];
    let Parts::By(function) = stage.kernel.parts else { return texts };
    if bound.space.n_items() == 0 {
        return texts;
    }
    let (natural, mut boxes) = ([bound.space.block()], Vec::new());
    let of_phase = super::items(bound, &natural, (0, &mut boxes));
    let [positions] = of_phase.boxes() else { return texts };
    let given = by_function(stage, function, &of_phase.bounding(positions));
    let mut given = given.unwrap_or_default().into_iter();
    let of = if bound.n_phases() == 1 { "" } else { " in its first phase" };
    for (k, (param, text)) in bound.params.iter().zip(&mut texts).enumerate() {
        let BoundParam::Array { array, use_ } = param else { continue };
        let (desc, Some(given)) = (&stage.kernel.params[k], given.next()) else { continue };
        let found = from_function(stage, (k, desc), (array, *use_), &given);
        let Ok((read, written)) = found else { continue };
        let read = read.map(|read| format!("reads {read:?}"));
        let written = (!is_nothing(&written)).then(|| format!("writes {written:?}"));
        let said: Vec<String> = read.into_iter().chain(written).collect();
        let said = if said.is_empty() { "reaches nothing".to_owned() } else { said.join(", ") };
        *text = format!(", by `part_by` {said}{of}");
    }
    texts
}

/// What it says of one array.
pub(super) fn from_function(
    stage: &LaunchStage<'_>,
    (k, desc): (usize, &ParamDescriptor),
    (array, use_): (&ArrayArg, Use),
    given: &ArgRange,
) -> Result<Boxes> {
    let shape: Vec<u64> = array.section.shape().iter().map(|&extent| extent as u64).collect();
    let inside = |what: &str, given: &ArgBox| {
        let found = given.within(&shape).ok_or_else(|| {
            let (box_, why) = (given.ranges(), why_not(given, &shape));
            refused(stage, k, format!("the box {box_:?} that it {what} is not in {shape:?}: {why}"))
        })?;
        Ok(found.iter().map(|range| range.start as usize..range.end as usize).collect::<Vec<_>>())
    };
    let (read, written) = (inside("reads", &given.read)?, inside("writes", &given.write)?);
    if !use_.writes && !is_nothing(&written) {
        return Err(refused(stage, k, "it is only read, so that no block can write it".to_owned()));
    }
    if matches!(desc.role, Role::InOut) && !is_nothing(&written) && is_nothing(&read) {
        // It may be read where it is written.
        return Ok((Some(written.clone()), written));
    }
    Ok(((!is_nothing(&read)).then_some(read), written))
}

/// Why a box is not one of an array, and what to do.
fn why_not(given: &ArgBox, shape: &[u64]) -> String {
    let (ranges, rank) = (given.ranges(), shape.len());
    if ranges.len() > rank {
        return format!("give a range for each of its {rank} dimensions, slowest first");
    }
    match ranges.iter().find(|range| range.start > range.end) {
        Some(Range { start, end }) => {
            format!("`{start}..{end}` runs backwards; give the first index and the end")
        }
        None => "end it where the array ends, or call `clipped()` on it".to_owned(),
    }
}

/// The error for parts that write the same elements of an array.
#[cold]
pub(super) fn overlapping(
    stage: &LaunchStage<'_>,
    of_phase: &Subspace<'_>,
    pieces: &[Piece],
    param: usize,
) -> Error {
    let mut why = "two parts would write the same elements; ".to_owned();
    let ids = |piece: &Piece| of_phase.bounding(&piece.positions);
    let spans = |(a, b): (Block, Block)| {
        (0..a.rank()).all(|dim| a.lo(dim) < b.hi(dim) && b.lo(dim) < a.hi(dim))
    };
    let mut next = pieces.iter().zip(&pieces[1..]);
    if let Some((a, b)) = next.find(|(a, b)| spans((ids(a), ids(b)))) {
        let (a, b) = (&a.positions, &b.positions);
        let dim = (0..a.rank()).find(|&dim| a.lo(dim) != b.lo(dim)).unwrap_or(0);
        why += &format!(
            "the ids of dimension {dim} are in an order of their own, so the ranges of one block \
             have ids of others among them: list them in ascending order"
        );
    } else {
        why += "give each block of items its own";
    }
    refused(stage, param, why)
}

/// An error where a box is too small for what the body is sure to reach from the items of a piece.
/// Where the body may reach more, as its indices depend on data or stand under conditions, the piece
/// is one of which every access is checked: nobody but the function has said that it does not.
pub(super) fn check(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    of_phase: &Subspace<'_>,
    pieces: &mut [Piece],
) -> Result<()> {
    for (number, piece) in pieces.iter_mut().enumerate() {
        let ids = of_phase.bounding(&piece.positions);
        let numbers = Numbers { phase: Some(of_phase.phase()), partition: Some(number) };
        for (k, param) in bound.params.iter().enumerate() {
            let Some((_, use_)) = param.array().filter(|_| !piece.needs[k].held.is_empty()) else {
                continue;
            };
            // Native code says in its declaration, in `unsafe`, that it keeps to what is said.
            if stage.kernel.ir.is_none() {
                continue;
            }
            let reached = footprint::of_items(stage.kernel, bound, k, (&ids, numbers));
            let (desc, needs) = (&stage.kernel.params[k], &mut piece.needs[k]);
            let sure = reached.as_ref().map(|(read, written)| {
                // On every path of the body some access writes it, though none does on all of them.
                let written = if desc.always_written { &written.ranges } else { &written.sure };
                [("write", &*needs.written, written), ("read", &needs.held, &read.sure)]
            });
            for (what, given, sure) in sure.into_iter().flatten() {
                if let Some(sure) = sure.as_ref().filter(|sure| !is_inside(sure, given)) {
                    let why = format!(
                        "the items {:?} {what} {sure:?}, which is not all in {given:?}, the box that \
                         it gives for them; give at least what they reach",
                        of_ids(&ids)
                    );
                    return Err(refused(stage, k, why));
                }
            }
            let is_known = |reached: &Hull, given: &[Range<usize>]| {
                reached.ranges.as_ref().is_none_or(|reached| is_inside(reached, given))
            };
            let (reads_more, writes_more) = match &reached {
                Some((read, written)) => {
                    (!is_known(read, &needs.held), !is_known(written, &needs.written))
                }
                None => (true, use_.writes),
            };
            if writes_more && needs.held != needs.written {
                let Needs { held, written: given, .. } = &*needs;
                let why = format!(
                    "it cannot be told from its indices that the items {:?} write {given:?} only, \
                     while they hold {held:?} to read; read and write the same box, or read from \
                     another array",
                    of_ids(&ids)
                );
                return Err(refused(stage, k, why));
            }
            piece.is_checked |= reads_more || writes_more;
            // What counts as written and is not has to be there.
            let is_written =
                reached.is_some_and(|(_, all)| all.ranges.as_ref() == Some(&needs.written));
            needs.reads |= use_.writes && !is_written && !is_nothing(&needs.written);
        }
    }
    Ok(())
}

/// Whether a box lies in another one.
fn is_inside(inner: &[Range<usize>], outer: &[Range<usize>]) -> bool {
    let within = |(inner, outer): (&Range<usize>, &Range<usize>)| {
        outer.start <= inner.start && inner.end <= outer.end
    };
    is_nothing(inner) || inner.iter().zip(outer).all(within)
}

/// The error of a part whose items asked for an element of an array that it does not hold, if it was
/// that.
#[cold]
pub(in crate::engine) fn not_held(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    error: Error,
) -> Error {
    let Error::OutOfBounds { param, item, index, shape, .. } = &error else { return error };
    let k = stage.kernel.params.iter().position(|desc| desc.name == *param);
    let is_in_array = index.iter().zip(shape).all(|(index, extent)| index < extent);
    let (Some(k), true) = (k, is_in_array) else { return error };
    let slot = bound.slots[k].array_slot();
    let held: Vec<Range<usize>> =
        (0..shape.len()).map(|d| slot.origin[d]..slot.origin[d] + slot.held[d]).collect();
    let why = format!(
        "item {item:?} used index {index:?}, which is not in {held:?}, the box that it gives for its \
         block; give at least what the items reach"
    );
    refused(stage, k, why)
}

#[cold]
fn refused(stage: &LaunchStage<'_>, param: usize, why: String) -> Error {
    Error::Parts {
        kernel: stage.kernel.name,
        site: stage.site,
        param: stage.kernel.params.get(param).map_or("?", |param| param.name),
        why,
    }
}
