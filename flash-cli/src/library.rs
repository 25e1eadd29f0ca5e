//! Whether the system has a library. Fenced: it opens it, and uses nothing of it.
#![allow(unsafe_code, reason = "dlopen of libraries of drivers")]

use libloading::Library;

/// Whether a library can be opened; else what the system says.
pub(crate) fn opens(name: &str) -> Result<(), String> {
    // SAFETY: opening it runs the initialisers of a driver that the user has installed for programs to
    // open.
    let opened = unsafe { Library::new(name) };
    // It stays open, as a driver may have threads.
    opened.map(std::mem::forget).map_err(|error| {
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
    })
}

#[cfg(test)]
#[test]
fn what_is_not_there_has_a_reason() {
    let said = opens("libflash-no-such-library.so").unwrap_err();
    assert!(said.contains("libflash-no-such-library.so"), "{said}");
}
