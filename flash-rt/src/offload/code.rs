//! The code of a native implementation: what it is called, and its bytes.

use std::borrow::Cow;
use std::path::Path;

use crate::descriptor::{Code, Implementation, KernelDescriptor};
use crate::search::base_name;

/// The implementations that a kernel declares, for messages.
pub fn there(kernel: &KernelDescriptor) -> String {
    let one = |i: &Implementation| match i.family {
        "" => i.backend.to_owned(),
        family => format!("{} for `{family}`", i.backend),
    };
    let all: Vec<String> = kernel.implementations.iter().map(one).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// The file of an implementation.
pub fn file(implementation: &Implementation) -> &'static str {
    match implementation.code {
        Code::Embedded(name, _) => name,
        Code::Path(path) => path,
    }
}

/// The function of an implementation.
pub fn entry(kernel: &KernelDescriptor, implementation: &Implementation) -> &'static str {
    if implementation.entry.is_empty() { base_name(kernel.name) } else { implementation.entry }
}

/// Its bytes.
///
/// # Errors
///
/// A file that cannot be read.
pub fn bytes(implementation: &Implementation) -> Result<Cow<'static, [u8]>, String> {
    match implementation.code {
        Code::Embedded(_, bytes) => Ok(Cow::Borrowed(bytes)),
        Code::Path(path) => read(Path::new(path)).map(Cow::Owned),
    }
}

/// The bytes of a file.
///
/// # Errors
///
/// Why it cannot be read, and from which folder it was looked for.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| {
        let here = std::env::current_dir()
            .map_or_else(|_| String::new(), |folder| folder.display().to_string());
        format!("it cannot be read (working directory `{here}`): {error}")
    })
}
