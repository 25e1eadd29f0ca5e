//! What the driver says of its devices. It holds no memory and no stream.

use std::sync::Arc;

use flash_rt::descriptor::Need;
use flash_rt::{Capabilities, Groups};

use crate::cu::{self, Attribute, DeviceId, Driver, Failure};

/// What there is.
#[derive(Debug)]
pub(crate) struct Facts {
    /// The driver, as people write its version.
    pub(crate) driver: Option<String>,
    pub(crate) devices: Vec<Arc<DeviceFacts>>,
    /// Devices that cannot be used, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// Why there are no devices.
    pub(crate) said: Option<String>,
}

/// A device.
#[derive(Debug)]
pub(crate) struct DeviceFacts {
    pub(crate) id: DeviceId,
    /// A name a person knows it by, the only one of its name.
    pub(crate) name: String,
    /// The version of CUDA that the driver is for, as CUDA counts them.
    pub(crate) driver: i32,
    /// Where it is on the bus.
    pub(crate) bus_id: String,
    /// Its architecture: `(9, 0)`.
    pub(crate) capability: (u32, u32),
    pub(crate) memory: u64,
    /// Its multiprocessors.
    pub(crate) units: u32,
    /// Threads that a multiprocessor runs at once.
    pub(crate) unit_threads: u32,
    pub(crate) groups: Groups,
    /// Bytes of shared memory that a block has without its function asking for more.
    pub(crate) shared_at_hand: u32,
    /// The most blocks of a launch in each dimension.
    pub(crate) most_blocks: [u32; 3],
    /// Whether memory can be taken and given back in the order of a stream.
    pub(crate) has_pools: bool,
    /// The most bytes from one run of a copy to the next.
    pub(crate) most_pitch: u64,
    /// Whether all blocks of a launch can run at once on request.
    pub(crate) cooperates: bool,
    /// The devices whose memory it reaches.
    pub(crate) peers: Vec<DeviceId>,
    pub(crate) capabilities: Capabilities,
}

impl DeviceFacts {
    /// Its architecture as compilers name it: `sm_90`.
    pub(crate) fn architecture(&self) -> String {
        format!("sm_{}{}", self.capability.0, self.capability.1)
    }
}

/// What this machine has, and why it has no more.
pub(crate) fn facts() -> Facts {
    let none = |driver, said: String| {
        tracing::debug!(said, "there are no CUDA devices");
        Facts { driver, devices: Vec::new(), left_out: Vec::new(), said: Some(said) }
    };
    let driver = match cu::driver() {
        Ok(driver) => driver,
        Err(missing) => return none(None, missing.to_string()),
    };
    let version = Some(driver.version());
    let ids = match DeviceId::all(driver) {
        Ok(ids) if ids.is_empty() => {
            return none(version, "the CUDA driver shows no device".to_owned());
        }
        Ok(ids) => ids,
        Err(failure) => {
            return none(version, format!("the CUDA driver says {}", failure.words()));
        }
    };
    let (mut devices, mut left_out) = (Vec::new(), Vec::new());
    for (number, &id) in ids.iter().enumerate() {
        match of_device(driver, id, &ids) {
            Ok(facts) => devices.push(facts),
            Err(failure) => {
                let name = id.name().unwrap_or_else(|_| format!("device {number}"));
                let why = format!("{} says {}", failure.api, failure.words());
                tracing::debug!(device = name, why, "a device is left out");
                left_out.push((name, why));
            }
        }
    }
    name_apart(&mut devices);
    let devices = devices.into_iter().map(Arc::new).collect();
    Facts { driver: version, devices, left_out, said: None }
}

fn of_device(driver: Driver, id: DeviceId, all: &[DeviceId]) -> Result<DeviceFacts, Failure> {
    use Attribute as A;
    let get = |attribute| id.get(attribute).map(|value| value.max(0).cast_unsigned());
    let capability = (
        get(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        get(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    );
    Ok(DeviceFacts {
        id,
        name: id.name()?,
        driver: driver.version,
        bus_id: id.bus_id().unwrap_or_default(),
        capability,
        memory: id.memory()?,
        units: get(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.max(1),
        unit_threads: get(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?.max(1),
        groups: Groups {
            items: get(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?.max(1),
            along: [
                get(A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                get(A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                get(A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            shared: get(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?
                .max(get(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?),
        },
        shared_at_hand: get(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
        most_blocks: [
            get(A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
            get(A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
            get(A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
        ],
        has_pools: get(A::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? != 0,
        most_pitch: get(A::CU_DEVICE_ATTRIBUTE_MAX_PITCH)?.into(),
        cooperates: get(A::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)? != 0,
        peers: all.iter().copied().filter(|&other| other != id && id.reaches(other)).collect(),
        capabilities: capabilities(capability),
    })
}

/// What devices of an architecture can do of what a kernel may require.
fn capabilities(capability: (u32, u32)) -> Capabilities {
    let all = [
        Need::F64,
        Need::Atomics,
        Need::Atomics64,
        Need::ByteStores,
        Need::Barrier,
        Need::SubGroups,
    ];
    let all = Capabilities::of(&all);
    if capability >= (5, 3) { all.with(Need::F16) } else { all }
}

/// Gives devices of one name a number each from the second one on.
fn name_apart(all: &mut [DeviceFacts]) {
    let mut seen: Vec<(String, usize)> = Vec::new();
    for device in all {
        match seen.iter_mut().find(|(name, _)| *name == device.name) {
            Some((name, n)) => {
                *n += 1;
                device.name = format!("{name} #{n}");
            }
            None => seen.push((device.name.clone(), 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_came_with_an_architecture() {
        assert!(capabilities((9, 0)).has(Need::F16) && !capabilities((5, 2)).has(Need::F16));
        assert!(capabilities((5, 0)).has(Need::Atomics64));
    }
}
