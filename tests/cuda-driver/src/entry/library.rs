//! The loaded library, asked for functions by name. It loads nothing.
#![allow(unsafe_code, reason = "functions are looked up by name")]

use libloading::os::unix::{Library, RTLD_NOW};

/// `RTLD_NOLOAD` of glibc: only what is loaded already.
const ONLY_LOADED: i32 = 4;

/// The address of a function of the driver, in its newest version.
pub(crate) fn find(name: &str) -> Option<usize> {
    // SAFETY: the library is loaded already, as this is its code, so nothing of it is initialised.
    let library = unsafe { Library::open(Some("libcuda.so.1"), RTLD_NOW | ONLY_LOADED) }.ok()?;
    let found = ["_v2", ""].iter().find_map(|version| {
        let name = format!("{name}{version}");
        // SAFETY: the address is only handed on; whoever calls it knows its type.
        let symbol = unsafe { library.get::<*const ()>(name.as_bytes()) };
        symbol.ok().map(|symbol| symbol.into_raw().addr())
    });
    found.filter(|&address| address != 0)
}
