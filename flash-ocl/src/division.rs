//! Parts of an OpenCL device as devices of their own (`clCreateSubDevices`). It does not decide what
//! runs on which.

use std::sync::Arc;

use flash_rt::backend::DynBackend;
use flash_rt::{Device, DriverError, Error, Result};
use opencl_sys as sys;

use crate::backend::OpenCl;
use crate::cl::{self, DeviceId, PartDevice};
use crate::device::{OclDevice, Shared};
use crate::facts::{self, DeviceFacts};

/// What the parts of a device are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Division {
    /// So many parts with the same number of compute units; what is left over belongs to none.
    Parts(usize),
    /// A part with so many compute units for each number.
    Units(Vec<usize>),
    /// Parts whose compute units share something.
    Sharing(Shares),
}

/// What the compute units of a part share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shares {
    /// A node of memory.
    Numa,
    /// A cache of the fourth level.
    L4,
    /// A cache of the third level.
    L3,
    /// A cache of the second level.
    L2,
    /// A cache of the first level.
    L1,
    /// The first of these that there are several of.
    Next,
}

impl Shares {
    fn domain(self) -> u64 {
        match self {
            Self::Numa => sys::CL_DEVICE_AFFINITY_DOMAIN_NUMA,
            Self::L4 => sys::CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
            Self::L3 => sys::CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
            Self::L2 => sys::CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
            Self::L1 => sys::CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
            Self::Next => sys::CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
        }
    }
}

/// The kind of a division and the list that the driver takes; else why it makes no sense.
fn properties(division: &Division, units: usize) -> Result<(isize, Vec<isize>), String> {
    let sum = |counts: &[usize]| counts.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n));
    match division {
        Division::Parts(n) if *n == 0 || *n > units => {
            Err(format!("it has {units} compute units, so there are 1 to {units} parts"))
        }
        Division::Parts(n) => {
            let kind = sys::CL_DEVICE_PARTITION_EQUALLY;
            Ok((kind, vec![kind, (units / n).cast_signed(), 0]))
        }
        Division::Units(counts)
            if counts.is_empty()
                || counts.contains(&0)
                || sum(counts).is_none_or(|n| n > units) =>
        {
            Err(format!("it has {units} compute units, and each part has one or more of them"))
        }
        Division::Units(counts) => {
            let kind = sys::CL_DEVICE_PARTITION_BY_COUNTS;
            let counts = counts.iter().map(|n| n.cast_signed());
            let end = [sys::CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0];
            Ok((kind, [kind].into_iter().chain(counts).chain(end).collect()))
        }
        Division::Sharing(what) => {
            let kind = sys::CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
            Ok((kind, vec![kind, what.domain() as isize, 0]))
        }
    }
}

/// The parts of a device of a runtime, for [`Builder::backend`](flash_rt::Builder::backend) of another
/// runtime. They use the memory of the host in place if the device does.
///
/// ```
/// use flash_ocl::{Division, OpenCl, divided};
/// use flash_rt::{NoBackends, Options, Runtime};
///
/// let opencl = std::sync::Arc::new(OpenCl::new(&Options::from_env()?));
/// let rt = Runtime::<NoBackends>::builder().backend(opencl).build()?;
/// // Two halves, where there is a device that has them.
/// if let Some(halves) = rt.devices().first().and_then(|d| divided(d, &Division::Parts(2)).ok()) {
///     let rt = Runtime::<NoBackends>::builder().backend(halves).build()?;
///     assert_eq!(rt.devices().len(), 2);
/// }
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Option`] where the device is none of OpenCL, cannot be divided like this, or has not so many
/// compute units; [`Error::Driver`].
pub fn divided(device: &Device, division: &Division) -> Result<Arc<dyn DynBackend>> {
    let refused = |why: String| Error::Option {
        option: "division",
        value: format!("{division:?}"),
        why: format!("`{}` cannot be divided like this: {why}", device.name()),
    };
    let Some((backend, number)) = device.of_backend::<OpenCl>() else {
        return Err(refused("it is no device of OpenCL".to_owned()));
    };
    let failed = |source: DriverError| Error::Driver {
        device: device.name().to_owned(),
        what: format!("division into {division:?}"),
        at: None,
        given_up: None,
        source,
    };
    let whole = backend.device(number).map_err(failed)?;
    let table = cl::table().map_err(|why| refused(why.to_owned()))?;
    let id = whole.facts.id;
    let units = id.number(table, sys::CL_DEVICE_MAX_COMPUTE_UNITS) as usize;
    let (kind, list) = properties(division, units).map_err(refused)?;
    let kinds = id.partitions(table);
    if !kinds.contains(&kind) {
        let known = [
            (sys::CL_DEVICE_PARTITION_EQUALLY, "`Parts`"),
            (sys::CL_DEVICE_PARTITION_BY_COUNTS, "`Units`"),
            (sys::CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, "`Sharing`"),
        ];
        let known = known.into_iter().filter(|(kind, _)| kinds.contains(kind));
        let known: Vec<&str> = known.map(|(_, name)| name).collect();
        let takes = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(refused(format!("of these its driver takes: {takes}")));
    }
    let parts = PartDevice::of(table, id, &list).map_err(|failure| match failure.code {
        sys::CL_DEVICE_PARTITION_FAILED | sys::CL_INVALID_VALUE => {
            refused(format!("{} returned {}", failure.api, cl::name(failure.code)))
        }
        _ => failed(failure.on(device.name())),
    })?;
    let ids: Vec<DeviceId> = parts.iter().map(PartDevice::id).collect();
    let facts: Result<Vec<Arc<DeviceFacts>>, String> = ids
        .iter()
        .enumerate()
        .map(|(k, id)| facts::part(table, *id, (&whole.facts, k + 1, ids.len())))
        .collect();
    let shared = Arc::new(Shared::of_parts(whole.facts.platform, ids, parts));
    let part = |facts: &Arc<DeviceFacts>| {
        let part = OclDevice::new(facts, &shared, whole.cache.clone());
        let part = part.staged_as(whole);
        if whole.in_place.is_some() { part.in_place() } else { part }
    };
    let devices = facts.map_err(refused)?.iter().map(part).collect();
    Ok(Arc::new(OpenCl::with(devices)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_division_is_a_list_of_the_driver() {
        let list = |division| properties(&division, 8).map(|(_, list)| list);
        assert_eq!(list(Division::Parts(3)), Ok(vec![sys::CL_DEVICE_PARTITION_EQUALLY, 2, 0]));
        let counts = vec![sys::CL_DEVICE_PARTITION_BY_COUNTS, 1, 7, 0, 0];
        assert_eq!(list(Division::Units(vec![1, 7])), Ok(counts));
        for wrong in [vec![], vec![0, 1], vec![1, 8], vec![usize::MAX, 1]] {
            assert!(list(Division::Units(wrong)).is_err());
        }
        assert!(list(Division::Parts(0)).is_err() && list(Division::Parts(9)).is_err());
        assert!(list(Division::Sharing(Shares::L3)).is_ok());
    }
}
