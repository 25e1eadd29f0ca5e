//! The driver itself: its version, its errors in words, and its functions by name.
#![allow(unsafe_code, reason = "functions are exported by name")]

use std::ffi::c_char;

use super::{Out, Text, entries};
use crate::codes::Code;
use crate::driver::driver;

entries! {
    fn cuInit(flags: u32) |_record| {
        if flags != 0 {
            return Err(Code::INVALID_VALUE);
        }
        driver().start(std::env::var("FLASH_TEST_CUDA").ok())
    }

    fn cuDriverGetVersion(version: Out<i32>) |_record| {
        // It may be asked before anything else, so the environment must have been read.
        if !driver().is_started() {
            let _ = driver().start(std::env::var("FLASH_TEST_CUDA").ok());
        }
        version.put(driver().setting(|settings| settings.version))
    }

    fn cuGetProcAddress_v2(
        symbol: Text,
        function: Out<usize>,
        version: i32,
        flags: u64,
        status: Out<u32>,
    ) |record| {
        let name = symbol.get()?;
        record.detail = format!("{name} of {version}, {flags}");
        match super::library::find(&name) {
            Some(address) => {
                status.offer(0);
                function.put(address)
            }
            None => {
                status.offer(1);
                function.offer(0);
                Err(Code::NOT_FOUND)
            }
        }
    }
}

/// The name of a code. It is not counted, as every failure asks for it.
#[unsafe(no_mangle)]
extern "C" fn cuGetErrorName(code: u32, text: Out<*const c_char>) -> u32 {
    let name = Code(code).name();
    text.offer(name.map_or(std::ptr::null(), |name| name.as_ptr()));
    if name.is_some() { 0 } else { Code::INVALID_VALUE.0 }
}

/// The description of a code. It is not counted, as every failure asks for it.
#[unsafe(no_mangle)]
extern "C" fn cuGetErrorString(code: u32, text: Out<*const c_char>) -> u32 {
    let found = Code(code).text();
    text.offer(found.map_or(std::ptr::null(), |text| text.as_ptr()));
    if found.is_some() { 0 } else { Code::INVALID_VALUE.0 }
}

/// Tables of functions that have no names, for NVIDIA's own libraries. NVRTC asks for one to keep what it has
/// compiled, and reads how long it is without looking whether it is there: it gets an empty one, and keeps
/// nothing. It is not counted, as no program calls it.
#[unsafe(no_mangle)]
extern "C" fn cuGetExportTable(table: Out<*const usize>, _id: *const [u8; 16]) -> u32 {
    static EMPTY: usize = size_of::<usize>();
    table.offer(&raw const EMPTY);
    0
}
