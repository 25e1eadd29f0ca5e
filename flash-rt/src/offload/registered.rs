//! Native code that is registered while a program runs, for kernels that are declared `searchable`.
//! Which of it a kernel takes is decided by its signature (`search`). Fenced: whoever registers code
//! vouches for its signature.
#![allow(unsafe_code, reason = "registering native code is a promise")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::descriptor::{Code, Implementation, KernelDescriptor};
use crate::error::{Error, Result};
use crate::search::{self, Conversion};

/// What was registered.
#[derive(Clone, Copy, Debug)]
struct Text {
    file: &'static str,
    bytes: &'static [u8],
}

/// What a kernel takes of it.
#[derive(Debug)]
struct Taken {
    kernel: &'static KernelDescriptor,
    implementation: Implementation,
    conversions: Vec<Conversion>,
}

#[derive(Debug)]
struct Known {
    texts: Vec<Text>,
    taken: Vec<&'static Taken>,
}

/// The code that is registered for the devices of a key.
#[derive(Debug)]
pub struct Registered {
    key: &'static str,
    /// What implementations of it are for.
    backend: &'static str,
    known: Mutex<Known>,
}

/// The error for code that cannot be registered.
#[cold]
pub fn refused(file: &str, entry: &str, why: String) -> Error {
    let (kernel, path) = (entry.to_owned(), file.to_owned());
    Error::Library { kernel, device: None, at: None, path, why }
}

impl Registered {
    /// Nothing, for the devices of a key, whose implementations are declared by the name `backend`.
    pub const fn new(key: &'static str, backend: &'static str) -> Self {
        let known = Mutex::new(Known { texts: Vec::new(), taken: Vec::new() });
        Self { key, backend, known }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a kernel of a file by its name and its signature.
    ///
    /// # Safety
    ///
    /// The kernel has these parameters, and does with their memory what the signature says.
    ///
    /// # Errors
    ///
    /// [`Error::Library`] for a file whose name goes with other contents already.
    pub unsafe fn add(
        &self,
        file: &str,
        bytes: Vec<u8>,
        entry: &str,
        signature: &str,
    ) -> Result<()> {
        let mut known = self.known();
        match known.texts.iter().find(|text| text.file == file) {
            Some(text) if text.bytes == bytes => {}
            Some(_) => {
                let why = "other code was registered by this name; give it another one".to_owned();
                return Err(refused(file, entry, why));
            }
            None => {
                // Kernels are as many as a program has.
                let text = Text { file: String::leak(file.to_owned()), bytes: Vec::leak(bytes) };
                known.texts.push(text);
            }
        }
        drop(known);
        // SAFETY: whoever registers it vouches for its signature.
        unsafe { search::register_native((self.key, false), file, entry, signature) };
        Ok(())
    }

    /// What a `searchable` kernel finds, if it is code for these devices.
    pub fn find(&self, kernel: &'static KernelDescriptor) -> Option<&'static Implementation> {
        let found = search::native(kernel, self.key)?;
        let search::Code::Native { path, .. } = found.code.code() else { return None };
        let mut known = self.known();
        let entry = found.code.name();
        let is_it = |taken: &&&Taken| {
            let Code::Embedded(file, _) = taken.implementation.code else { return false };
            std::ptr::eq(taken.kernel, kernel)
                && file == path
                && taken.implementation.entry == entry
        };
        if let Some(taken) = known.taken.iter().find(is_it) {
            return Some(&taken.implementation);
        }
        let text = *known.texts.iter().find(|text| text.file == path)?;
        tracing::debug!(kernel = kernel.name, found = %found.code, "implementation found");
        let code = Code::Embedded(text.file, text.bytes);
        let implementation =
            Implementation::bare(self.backend, code, String::leak(entry.to_owned()));
        // One for each pair.
        let taken = Box::new(Taken { kernel, implementation, conversions: found.conversions });
        let taken: &'static Taken = Box::leak(taken);
        known.taken.push(taken);
        Some(&taken.implementation)
    }

    /// What is done to the arguments for an implementation; nothing for one that is declared.
    pub fn conversions(&self, implementation: &'static Implementation) -> &'static [Conversion] {
        let known = self.known();
        let is_it = |taken: &&&Taken| std::ptr::eq(&raw const taken.implementation, implementation);
        known.taken.iter().find(is_it).map_or(&[], |taken| &taken.conversions)
    }
}
