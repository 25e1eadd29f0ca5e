//! What drivers say of their devices, asked once in a process. It holds no memory and no queue.

use std::sync::{Arc, OnceLock};

use flash_ir::reduction::LANES;
use flash_rt::descriptor::{Need, Role};
use flash_rt::{Capabilities, Groups, KernelDescriptor};
use opencl_sys as sys;

use crate::cl::{self, DeviceId, DeviceKind, Failure, PlatformId, Table};

/// What there is.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) platforms: Vec<PlatformFacts>,
    /// Why there are no platforms.
    pub(crate) said: Option<String>,
}

/// A platform.
#[derive(Debug)]
pub(crate) struct PlatformFacts {
    pub(crate) id: PlatformId,
    pub(crate) name: String,
    pub(crate) vendor: String,
    pub(crate) version: String,
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
    pub(crate) platform: PlatformId,
    pub(crate) kind: DeviceKind,
    /// A name a person knows it by, the only one of its name.
    pub(crate) name: String,
    pub(crate) vendor: String,
    /// The version of OpenCL, in the driver's words.
    pub(crate) version: String,
    /// The version of the driver.
    pub(crate) driver: String,
    /// Platform, name, and the versions of device and driver: what a binary depends on.
    pub(crate) build: String,
    pub(crate) extensions: String,
    /// Whether it belongs to a platform for FPGAs, or takes binaries only and is no processor of another kind.
    pub(crate) is_fpga: bool,
    pub(crate) has_compiler: bool,
    pub(crate) lanes: usize,
    pub(crate) memory: u64,
    /// Whether its memory is the host's.
    pub(crate) shares_memory: bool,
    /// The most bytes of one memory.
    pub(crate) largest: u64,
    /// What the beginning of a part of a memory is a multiple of.
    pub(crate) part_align: u64,
    pub(crate) groups: Groups,
    /// The most bytes of all arguments of a kernel.
    pub(crate) arguments: u64,
    pub(crate) capabilities: Capabilities,
    /// Whether `f32` division and roots can be rounded correctly.
    pub(crate) divides_exactly: bool,
    /// Whether `f32` keeps numbers that are not normal.
    pub(crate) keeps_subnormals: bool,
}

impl DeviceFacts {
    /// Why a kernel has no arguments of so many bytes here, if it has none; the largest value is named.
    pub(crate) fn too_large(&self, kernel: &KernelDescriptor, bytes: u64) -> Option<String> {
        if bytes <= self.arguments {
            return None;
        }
        let values = kernel.params.iter().filter(|param| matches!(param.role, Role::Value));
        let largest = values.max_by_key(|param| param.elem.size());
        let of = largest.map_or_else(String::new, |param| {
            format!(", {} of them of `{}`", param.elem.size(), param.name)
        });
        let (name, most) = (&self.name, self.arguments);
        Some(format!(
            "its arguments are {bytes} bytes{of}, and `{name}` takes {most} \
             (CL_DEVICE_MAX_PARAMETER_SIZE); pass a large value as an array"
        ))
    }
}

impl DeviceFacts {
    /// Why a body that reduces does not run here, if it does not: each block of a reduction is a work-group, with
    /// an element of local memory for each item and reduction.
    pub(crate) fn too_narrow(&self, kernel: &KernelDescriptor) -> Option<String> {
        let reductions = kernel.params.iter().filter(|p| matches!(p.role, Role::Reduce { .. }));
        let bytes: usize = reductions.map(|param| LANES * param.elem.size()).sum();
        let (name, groups) = (&self.name, &self.groups);
        let items = groups.items.min(groups.along[0]);
        if bytes == 0 {
            None
        } else if (items as usize) < LANES {
            Some(format!(
                "a reduction takes work-groups of {LANES} items, and `{name}` takes {items}"
            ))
        } else if bytes as u64 > u64::from(groups.shared) {
            let most = groups.shared;
            Some(format!(
                "its reductions take {bytes} bytes of local memory, and `{name}` has {most}; use fewer in a kernel"
            ))
        } else {
            None
        }
    }
}

/// The platforms of this machine.
pub(crate) fn platforms() -> &'static [PlatformFacts] {
    &facts().platforms
}

/// What this machine has, and why it has no more.
pub(crate) fn facts() -> &'static Facts {
    static ALL: OnceLock<Facts> = OnceLock::new();
    ALL.get_or_init(|| {
        let table = match cl::table() {
            Ok(table) => table,
            Err(said) => {
                tracing::debug!(said, "there is no OpenCL library");
                return Facts { platforms: Vec::new(), said: Some(said.to_owned()) };
            }
        };
        let (ids, said) = match PlatformId::all(table) {
            Ok(ids) => (ids, None),
            Err(failure) => {
                let status = cl::name(failure.code);
                tracing::debug!(api = failure.api, status, "there is no OpenCL driver");
                (Vec::new(), Some(said(failure)))
            }
        };
        let mut platforms: Vec<PlatformFacts> =
            ids.into_iter().map(|id| platform(table, id)).collect();
        name_apart(&mut platforms);
        Facts { platforms, said }
    })
}

/// A call that failed, in words.
fn said(failure: Failure) -> String {
    format!("{} returned {}: {}", failure.api, failure.code, cl::name(failure.code))
}

fn platform(table: &'static Table, id: PlatformId) -> PlatformFacts {
    let [name, vendor, version] =
        [sys::CL_PLATFORM_NAME, sys::CL_PLATFORM_VENDOR, sys::CL_PLATFORM_VERSION]
            .map(|what| id.text(table, what));
    let (ids, said) = match id.devices(table) {
        Ok(ids) => (ids, None),
        Err(failure) => {
            let status = cl::name(failure.code);
            tracing::debug!(
                platform = name,
                api = failure.api,
                status,
                "a platform has no devices"
            );
            (Vec::new(), Some(said(failure)))
        }
    };
    let (mut devices, mut left_out) = (Vec::new(), Vec::new());
    for device in ids {
        match of_device(table, id, &name, device) {
            Ok(facts) => devices.push(Arc::new(facts)),
            Err((name, why)) => {
                tracing::debug!(device = name, why, "a device is left out");
                left_out.push((name, why));
            }
        }
    }
    PlatformFacts { id, name, vendor, version, devices, left_out, said }
}

/// `1.2` of `OpenCL 1.2 and what the vendor adds`.
fn version(text: &str) -> (u32, u32) {
    let words = text.split_whitespace().find_map(|word| word.split_once('.'));
    let number = |text: &str| text.parse().unwrap_or(0);
    words.map_or((0, 0), |(major, minor)| (number(major), number(minor)))
}

/// What a binary depends on: platform, name, version and driver of a device, and its vendor.
pub(crate) fn build(facts: [&str; 5]) -> String {
    facts.join("\n")
}

/// The facts of a device; else its name, and why it cannot be used.
fn of_device(
    table: &'static Table,
    platform: PlatformId,
    platform_name: &str,
    id: DeviceId,
) -> Result<DeviceFacts, (String, String)> {
    let (text, number) = (|what| id.text(table, what), |what| id.number(table, what));
    let name = text(sys::CL_DEVICE_NAME);
    let version_text = text(sys::CL_DEVICE_VERSION);
    let version = version(&version_text);
    if version < (1, 2) {
        return Err((name, format!("it has `{version_text}`, and OpenCL 1.2 is needed")));
    }
    if number(sys::CL_DEVICE_AVAILABLE) == 0 {
        return Err((name, "its driver says that it is not available".to_owned()));
    }
    if number(sys::CL_DEVICE_ENDIAN_LITTLE) == 0 || cfg!(target_endian = "big") {
        return Err((name, "its bytes have another order than little-endian".to_owned()));
    }
    let kind = id.kind(table);
    let units = number(sys::CL_DEVICE_MAX_COMPUTE_UNITS).max(1) as usize;
    // Graphics processors say 1 of each of the lanes that run in step.
    let width = match kind {
        DeviceKind::Gpu => 32,
        _ => number(sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT).max(1) as usize,
    };
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let items = narrow(number(sys::CL_DEVICE_MAX_WORK_GROUP_SIZE).max(1));
    let single = number(sys::CL_DEVICE_SINGLE_FP_CONFIG);
    let has_compiler = number(sys::CL_DEVICE_COMPILER_AVAILABLE) != 0;
    let extensions = text(sys::CL_DEVICE_EXTENSIONS);
    let (driver, vendor) = (text(sys::CL_DRIVER_VERSION), text(sys::CL_DEVICE_VENDOR));
    let build = build([platform_name, &name, &version_text, &driver, &vendor]);
    Ok(DeviceFacts {
        id,
        platform,
        kind,
        vendor,
        version: version_text,
        driver,
        build,
        is_fpga: platform_name.contains("FPGA") || (kind == DeviceKind::Other && !has_compiler),
        has_compiler,
        lanes: units * width,
        memory: number(sys::CL_DEVICE_GLOBAL_MEM_SIZE),
        shares_memory: number(sys::CL_DEVICE_HOST_UNIFIED_MEMORY) != 0,
        largest: number(sys::CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        part_align: (number(sys::CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8).max(1),
        groups: Groups {
            items,
            along: along(items, &id.sizes(table, sys::CL_DEVICE_MAX_WORK_ITEM_SIZES)),
            shared: narrow(number(sys::CL_DEVICE_LOCAL_MEM_SIZE)),
        },
        arguments: match number(sys::CL_DEVICE_MAX_PARAMETER_SIZE) {
            0 => u64::MAX,
            most => most,
        },
        capabilities: capabilities(&extensions, number(sys::CL_DEVICE_DOUBLE_FP_CONFIG)),
        divides_exactly: single & sys::CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
        keeps_subnormals: single & sys::CL_FP_DENORM != 0,
        extensions,
        name,
    })
}

/// The most items of a work-group along each dimension, of those that a driver says: as many as in all where
/// it says nothing.
fn along(items: u32, said: &[usize]) -> [u32; 3] {
    let of = |dim: usize| said.get(dim).copied().filter(|most| *most > 0);
    std::array::from_fn(|dim| of(dim).map_or(items, |most| u32::try_from(most).unwrap_or(u32::MAX)))
}

fn capabilities(extensions: &str, double: u64) -> Capabilities {
    let has = |name: &str| extensions.split_whitespace().any(|word| word == name);
    // What every device of OpenCL 1.2 has.
    let all = [Need::Atomics, Need::ByteStores, Need::Barrier];
    let more = [
        (Need::F64, double != 0 || has("cl_khr_fp64")),
        (Need::F16, has("cl_khr_fp16")),
        (Need::Atomics64, has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics")),
        (Need::SubGroups, has("cl_khr_subgroups") || has("cl_intel_subgroups")),
    ];
    let more = more.into_iter().filter(|(_, has)| *has).map(|(need, _)| need);
    more.fold(Capabilities::of(&all), Capabilities::with)
}

/// The facts of a device that somebody else has got from a driver; else why it cannot be used.
pub(crate) fn of(table: &'static Table, id: DeviceId) -> Result<Arc<DeviceFacts>, String> {
    let mut known = platforms().iter().flat_map(|platform| &platform.devices);
    if let Some(known) = known.find(|known| known.id == id) {
        return Ok(Arc::clone(known));
    }
    let platform = id.platform(table).ok_or("it does not say which platform it is of")?;
    let name = platform.text(table, sys::CL_PLATFORM_NAME);
    let facts = of_device(table, platform, &name, id);
    facts.map(Arc::new).map_err(|(name, why)| format!("`{name}`: {why}"))
}

/// The facts of a part of a device, with its number and how many there are.
pub(crate) fn part(
    table: &'static Table,
    id: DeviceId,
    (whole, k, n): (&DeviceFacts, usize, usize),
) -> Result<Arc<DeviceFacts>, String> {
    let platform = whole.platform.text(table, sys::CL_PLATFORM_NAME);
    let facts = of_device(table, whole.platform, &platform, id).map_err(|(_, why)| why)?;
    Ok(Arc::new(DeviceFacts { name: format!("{} part {k} of {n}", whole.name), ..facts }))
}

/// Gives devices of the same name numbers.
fn name_apart(all: &mut [PlatformFacts]) {
    let mut seen: Vec<(String, usize)> = Vec::new();
    for device in all.iter_mut().flat_map(|platform| &mut platform.devices) {
        match seen.iter_mut().find(|(name, _)| *name == device.name) {
            Some((name, n)) => {
                *n += 1;
                // Nobody else has it yet.
                if let Some(device) = Arc::get_mut(device) {
                    device.name = format!("{name} #{n}");
                }
            }
            None => seen.push((device.name.clone(), 1)),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A device that has all that bodies may ask for.
    pub(crate) fn device() -> DeviceFacts {
        let (id, platform) = DeviceId::none();
        let extensions = "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics";
        DeviceFacts {
            id,
            platform,
            kind: DeviceKind::Gpu,
            name: "Arbor X2".to_owned(),
            vendor: "Hill Works".to_owned(),
            version: "OpenCL 1.2".to_owned(),
            driver: "1".to_owned(),
            build: String::new(),
            extensions: extensions.to_owned(),
            is_fpga: false,
            has_compiler: true,
            lanes: 64,
            memory: 1 << 30,
            shares_memory: false,
            largest: 1 << 28,
            part_align: 128,
            groups: Groups { items: 1024, along: [1024, 1024, 64], shared: 1 << 15 },
            arguments: 1024,
            capabilities: capabilities(extensions, 0),
            divides_exactly: true,
            keeps_subnormals: true,
        }
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(version("OpenCL 3.0 PoCL HSTR: pthread"), (3, 0));
        assert_eq!(version("OpenCL 1.2 (Build 4)"), (1, 2));
        assert_eq!(version("?"), (0, 0));
    }

    #[test]
    fn what_a_driver_does_not_say_is_no_limit() {
        assert_eq!(along(256, &[1024, 100, 64]), [1024, 100, 64]);
        assert_eq!(along(256, &[1024, 0]), [1024, 256, 256]);
        assert_eq!(along(256, &[usize::MAX; 5]), [u32::MAX; 3]);
    }

    #[test]
    fn extensions_are_capabilities() {
        let all = capabilities("cl_khr_fp64_not cl_khr_fp16 cl_khr_int64_base_atomics", 0);
        assert!(all.has(Need::F16) && all.has(Need::Atomics));
        assert!(!all.has(Need::F64) && !all.has(Need::Atomics64));
        assert!(capabilities("", 63).has(Need::F64));
    }
}
