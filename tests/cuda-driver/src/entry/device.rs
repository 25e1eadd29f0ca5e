//! Devices, and what they can do.
#![allow(unsafe_code, reason = "functions are exported by name")]

use cudarc::driver::sys::CUdevice_attribute as Attribute;

use super::pointers::put_text;
use super::{Out, entries};
use crate::codes::{Code, Outcome};
use crate::driver::driver;
use crate::memory::Memory;
use crate::module::{SHARED, SHARED_MOST};

/// 16 bytes that name a device.
type Uuid = [u8; 16];

fn uuid(device: usize) -> Uuid {
    let mut uuid = *b"flash-test-cuda0";
    uuid[15] = b'0' + device as u8;
    uuid
}

entries! {
    fn cuDeviceGetCount(count: Out<i32>) |_record| {
        count.put(driver().setting(|settings| settings.devices) as i32)
    }

    fn cuDeviceGet(out: Out<i32>, ordinal: i32) |_record| {
        out.put(driver().device(ordinal)? as i32)
    }

    fn cuDeviceGetName(out: Out<u8>, room: i32, device: i32) |_record| {
        let name = format!("FLASH test device {}", driver().device(device)?);
        put_text(out, usize::try_from(room).map_err(|_| Code::INVALID_VALUE)?, &name)?;
        Ok(())
    }

    fn cuDeviceGetUuid(out: Out<Uuid>, device: i32) |_record| {
        out.put(uuid(driver().device(device)?))
    }

    fn cuDeviceGetUuid_v2(out: Out<Uuid>, device: i32) |_record| {
        out.put(uuid(driver().device(device)?))
    }

    fn cuDeviceGetPCIBusId(out: Out<u8>, room: i32, device: i32) |_record| {
        let name = format!("0000:{:02x}:00.0", driver().device(device)? + 1);
        put_text(out, usize::try_from(room).map_err(|_| Code::INVALID_VALUE)?, &name)?;
        Ok(())
    }

    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: i32) |_record| {
        driver().device(device)?;
        bytes.put(driver().setting(|settings| settings.memory) as usize)
    }

    fn cuDeviceGetAttribute(out: Out<i32>, attribute: u32, device: i32) |_record| {
        out.put(attribute_of(driver().device(device)?, attribute)?)
    }

    fn cuDeviceCanAccessPeer(out: Out<i32>, device: i32, peer: i32) |_record| {
        let (device, peer) = (driver().device(device)?, driver().device(peer)?);
        out.put(i32::from(device != peer && driver().setting(|settings| settings.peers)))
    }

    fn cuDeviceGetP2PAttribute(out: Out<i32>, attribute: u32, device: i32, peer: i32) |_record| {
        let (device, peer) = (driver().device(device)?, driver().device(peer)?);
        if device == peer {
            return Err(Code::INVALID_DEVICE);
        }
        // 2 asks for access, 3 for atomics; the others are ranks.
        let is_peer = driver().setting(|settings| settings.peers);
        out.put(i32::from(is_peer && matches!(attribute, 2 | 3)))
    }
}

fn attribute_of(device: usize, attribute: u32) -> Outcome<i32> {
    let settings = driver().settings();
    let (major, minor) = settings.capability(device);
    // Numbers beyond the newest attribute that is known here are none.
    if attribute == 0 || attribute > 160 {
        return Err(Code::INVALID_VALUE);
    }
    let known = |wanted: Attribute| attribute == wanted as u32;
    let table = [
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, i32::MAX),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, SHARED as i32),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, SHARED_MOST as i32),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233_472),
        (Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024),
        (Attribute::CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536),
        (Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_PITCH, i32::MAX),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536),
        (Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1_000_000),
        (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1_000_000),
        (Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 256),
        (Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 4 << 20),
        (Attribute::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 512),
        (Attribute::CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 32),
        (Attribute::CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, settings.multiprocessors as i32),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32),
        (Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 2),
        (Attribute::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, device as i32 + 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, i32::from(major >= 6)),
        (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, i32::from(settings.pools)),
        (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, major as i32),
        (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, minor as i32),
        (Attribute::CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2),
    ];
    // What else there is, this device has not.
    Ok(table.iter().find(|(name, _)| known(*name)).map_or(0, |&(_, value)| value))
}

/// Bytes that are free on a device, and all of them.
pub(crate) fn room(device: usize) -> (usize, usize) {
    let total = driver().setting(|settings| settings.memory);
    let (used, _) = Memory::used(&driver().memories[device]);
    (total.saturating_sub(used) as usize, total as usize)
}
