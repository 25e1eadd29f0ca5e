//! What must hold before a launch may reach a backend: types, ranks, no races, no aliases. One
//! function for each rule; none touches an array.

use std::any::TypeId;
use std::sync::Arc;

use flash_ir::Ty;

use crate::allocation::{Allocation, HOST_ALIGN};
use crate::arg::ArrayArg;
use crate::capabilities::Capabilities;
use crate::descriptor::{Component, ParamDescriptor, Role, Table};
use crate::device::Device;
use crate::env::Unfit;
use crate::error::{Error, Result};
use crate::loops;
use crate::packed::Packed;
use crate::phases::Phases;
use crate::section::Section;
use crate::space::Space;
use crate::stage::{LaunchStage, Partitions, Special};

/// The devices that a call names are there, and leave one.
pub(super) fn devices(stage: &LaunchStage<'_>, special: &Special<'_>, n: usize) -> Result<()> {
    let mut named = special.pin.iter().chain(&special.exclude);
    if let Some(&index) = named.find(|&&device| device >= n) {
        let what = format!("device of a call of kernel `{}` at {}", stage.kernel.name, stage.site);
        return Err(Error::Range { what, index, len: n });
    }
    let rank = usize::from(stage.kernel.rank);
    if let Some(index) = special.across.filter(|&dim| dim >= rank) {
        let what = format!(
            "dimension that a call of kernel `{}` at {} is cut across",
            stage.kernel.name, stage.site
        );
        return Err(Error::Range { what, index, len: rank });
    }
    let shares = match &special.partitions {
        Some(Partitions::Shares(shares)) => &shares[..],
        _ => &[],
    };
    let wrong = shares.iter().any(|share| !share.is_finite() || *share < 0.0);
    let none = |shares: &[f64]| !shares.is_empty() && shares.iter().all(|share| *share == 0.0);
    let why = if matches!(special.partitions, Some(Partitions::Dynamic(0))) {
        "a chunk has one index at least"
    } else if !(0..n).any(|device| special.names(device)) {
        "the call leaves no device: none is left by `pin` and `exclude`"
    } else if shares.len() > n {
        "it has more shares than there are devices"
    } else if wrong || none(shares) {
        "shares are numbers from 0 on, of which one is not 0"
    } else {
        return Ok(());
    };
    Err(Error::NoImplementation {
        kernel: stage.kernel.name,
        node: None,
        site: stage.site,
        device: "the devices of the call".to_owned(),
        why: why.to_owned(),
    })
}

/// Leaves out the devices that cannot do what the kernel requires, of which one has to remain, and
/// those that have no code of it, if one has: where nobody has, loading it says what there is.
#[cold]
pub(super) fn eligible(
    stage: &mut LaunchStage<'_>,
    devices: &[Arc<Device>],
    required: Capabilities,
) -> Result<()> {
    let kernel = stage.kernel;
    let lacks = |device: &Arc<Device>| device.info.capabilities.missing(required);
    let is_named = |k: &usize| stage.special.as_ref().is_none_or(|special| special.names(*k));
    let named: Vec<usize> = (0..devices.len()).filter(is_named).collect();
    let left: Vec<usize> =
        named.iter().copied().filter(|&k| lacks(&devices[k]).is_empty()).collect();
    if left.is_empty() {
        let each = |k: usize| (devices[k].name().to_owned(), lacks(&devices[k]));
        let devices = named.into_iter().map(each).collect();
        return Err(Error::Lacking { kernel: kernel.name, site: stage.site, devices });
    }
    let with_code: Vec<usize> =
        left.iter().copied().filter(|&k| devices[k].has_code(kernel)).collect();
    let left = if with_code.is_empty() { left } else { with_code };
    if left.len() < devices.len() || stage.special.is_some() {
        let unfit = (0..devices.len()).filter(|k| named.contains(k) && !left.contains(k)).collect();
        stage.special.get_or_insert_default().unfit = unfit;
    }
    Ok(())
}

/// The index space has the rank of the kernel.
#[inline(always)]
pub(super) fn arity(stage: &LaunchStage<'_>, space: &Space) -> Result<()> {
    let fits = space.rank() == usize::from(stage.kernel.rank);
    if fits { Ok(()) } else { Err(wrong_rank(stage, space)) }
}

#[cold]
#[inline(never)]
fn wrong_rank(stage: &LaunchStage<'_>, space: &Space) -> Error {
    let kernel = stage.kernel;
    Error::Shape {
        what: format!("rank of the index space of kernel `{}`", kernel.name),
        expected: vec![usize::from(kernel.rank)],
        found: vec![space.rank()],
    }
}

#[cold]
pub(super) fn wrong_arity(stage: &LaunchStage<'_>) -> Error {
    let passed = |param: &&ParamDescriptor| !matches!(param.role, Role::Scratch(_));
    Error::Shape {
        what: format!("arguments of kernel `{}`", stage.kernel.name),
        expected: vec![stage.kernel.params.iter().filter(passed).count()],
        found: vec![stage.args.len()],
    }
}

/// The constructors of kernels exclude this by types; an entry trusts it with its memory.
#[cold]
pub(super) fn wrong_kind(stage: &LaunchStage<'_>, param: &ParamDescriptor) -> Error {
    Error::NoImplementation {
        kernel: stage.kernel.name,
        node: None,
        site: stage.site,
        device: "any device".to_owned(),
        why: format!("the argument bound to `{}` is of another kind or type", param.name),
    }
}

/// The argument has the type of the parameter.
#[inline]
pub(super) fn elem(stage: &LaunchStage<'_>, param: &ParamDescriptor, elem: TypeId) -> Result<()> {
    if param.elem.id() == elem { Ok(()) } else { Err(wrong_kind(stage, param)) }
}

/// The array has the rank of the parameter.
#[inline]
pub(super) fn rank(stage: &LaunchStage<'_>, param: &ParamDescriptor, rank: usize) -> Result<()> {
    let fits = match param.role {
        Role::Reduce { .. } => true,
        _ => usize::from(param.rank) == rank,
    };
    if fits { Ok(()) } else { Err(wrong_kind(stage, param)) }
}

/// A reduction or a value from a cell takes one element.
#[inline]
pub(super) fn one_element(
    stage: &LaunchStage<'_>,
    param: &ParamDescriptor,
    section: &Section,
) -> Result<()> {
    if section.len() == 1 {
        return Ok(());
    }
    Err(Error::Shape {
        what: format!("cell bound to `{}` of kernel `{}`", param.name, stage.kernel.name),
        expected: vec![1],
        found: section.shape().to_vec(),
    })
}

/// The cell of a reduction is a scalar: partial results are combined by its type.
#[inline]
pub(super) fn cell(
    stage: &LaunchStage<'_>,
    param: &ParamDescriptor,
    (allocation, section): (&Allocation, &Section),
) -> Result<()> {
    one_element(stage, param, section)?;
    let fits = matches!(allocation.elem().ty, Ty::Scalar(_));
    if fits { Ok(()) } else { Err(wrong_kind(stage, param)) }
}

/// The error of an argument that is the variable of a loop, whose value its parameter cannot have.
#[cold]
pub(super) fn unfit(
    stage: &LaunchStage<'_>,
    param: &ParamDescriptor,
    level: usize,
    why: Unfit,
) -> Error {
    let of = format!("`{}` of kernel `{}`", param.name, stage.kernel.name);
    loops::unfit(&of, level, why, stage.site)
}

/// The memory of temporaries is aligned enough.
#[inline]
pub(super) fn alignment(stage: &LaunchStage<'_>, param: &ParamDescriptor) -> Result<()> {
    if param.elem.align() <= HOST_ALIGN { Ok(()) } else { Err(wrong_kind(stage, param)) }
}

/// Every dimension with more than one value stands in the own place of each written array.
pub(super) fn racy(stage: &LaunchStage<'_>, space: &Space) -> Result<()> {
    if space.extents().iter().all(|&extent| extent <= 1) {
        return Ok(());
    }
    for param in stage.kernel.params {
        // `raw` is the user's word; without an own place nothing of the array is reached.
        if param.raw || param.own.is_empty() || !param.role.writes() {
            continue;
        }
        for dim in (0..space.rank()).filter(|&dim| space.extent(dim) > 1) {
            let covered = param
                .own
                .iter()
                .any(|c| matches!(c, Component::Id { dim: d, .. } if usize::from(*d) == dim));
            if !covered {
                return Err(Error::Racy {
                    kernel: stage.kernel.name,
                    site: stage.site,
                    param: param.name,
                    dim,
                    extent: space.extent(dim),
                });
            }
        }
    }
    Ok(())
}

/// No id of several positions stands in the own place of a written array.
pub(super) fn repeated(stage: &LaunchStage<'_>, phases: Option<&Phases>) -> Result<()> {
    let Some(phases) = phases else { return Ok(()) };
    let spread = phases.spread();
    // Repeated ids that are phases of their own meet nobody.
    let mut dims = (0..spread.rank()).filter(|&dim| spread.extent(dim) > 1);
    let Some(dim) = dims.find(|&dim| phases.ids()[dim].repeats()) else { return Ok(()) };
    let written =
        |param: &&ParamDescriptor| !param.raw && !param.own.is_empty() && param.role.writes();
    match stage.kernel.params.iter().find(written) {
        None => Ok(()),
        Some(param) => Err(Error::Repeated {
            kernel: stage.kernel.name,
            site: stage.site,
            param: param.name,
            dim,
        }),
    }
}

/// All ids fit into the table of indices that a kernel asks for.
pub(super) fn table(stage: &LaunchStage<'_>, numbering: &Space) -> Result<()> {
    let fits = |table: Table| table.bytes_for(numbering.extents()).is_some();
    if stage.kernel.table.is_none_or(fits) {
        return Ok(());
    }
    Err(Error::NoImplementation {
        kernel: stage.kernel.name,
        node: None,
        site: stage.site,
        device: "any device".to_owned(),
        why: format!(
            "the index table is declared as `u32`, and ids are below {:?}; declare \
             `index_table(u64)`",
            numbering.extents()
        ),
    })
}

/// No float is added to in the order in which items happen to run.
pub(super) fn deterministic(stage: &LaunchStage<'_>) -> Result<()> {
    for param in stage.kernel.params {
        let float = matches!(param.ty, Ty::Scalar(scalar) if scalar.is_float());
        if matches!(param.role, Role::Atomic) && float {
            return Err(Error::NoImplementation {
                kernel: stage.kernel.name,
                node: None,
                site: stage.site,
                device: "a deterministic runtime".to_owned(),
                why: format!(
                    "the sums in `{}` depend on the order of work items; use a reduction, or \
                     integers",
                    param.name
                ),
            });
        }
    }
    Ok(())
}

/// A box of an array.
pub(super) trait Boxed {
    /// Whether it has an element of another one.
    fn meets(&self, other: &Self) -> bool;
}

impl Boxed for ArrayArg {
    fn meets(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.allocation, &other.allocation) && self.section.overlaps(&other.section)
    }
}

impl Boxed for Packed {
    #[inline(always)]
    fn meets(&self, other: &Self) -> bool {
        self.overlaps(other)
    }
}

/// What one parameter writes overlaps nothing another one touches; `arrays` gives, by parameter, its array
/// and whether it is written.
#[inline(always)]
pub(super) fn aliased<'b, A: Boxed + 'b>(
    stage: &LaunchStage<'_>,
    arrays: impl Iterator<Item = Option<(&'b A, bool)>> + Clone,
) -> Result<()> {
    match first_alias(arrays) {
        None => Ok(()),
        Some((written, other)) => Err(alias(stage, written, other)),
    }
}

#[inline(always)]
fn first_alias<'b, A: Boxed + 'b>(
    arrays: impl Iterator<Item = Option<(&'b A, bool)>> + Clone,
) -> Option<(usize, usize)> {
    for (written, one) in arrays.clone().enumerate() {
        let Some((one, true)) = one else { continue };
        for (k, other) in arrays.clone().enumerate() {
            let Some((other, writes)) = other else { continue };
            // Of two that are written the first one has been asked about the other.
            if k != written && one.meets(other) && !(writes && k < written) {
                return Some((written, k));
            }
        }
    }
    None
}

/// The error of two parameters whose arrays meet.
#[cold]
#[inline(never)]
fn alias(stage: &LaunchStage<'_>, written: usize, other: usize) -> Error {
    Error::Aliased {
        kernel: stage.kernel.name,
        site: stage.site,
        written: stage.kernel.params[written].name,
        other: stage.kernel.params[other].name,
    }
}
