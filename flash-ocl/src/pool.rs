//! What is kept of a function: kernels whose arguments nobody sets any more, and the launches that are kept
//! ready, of which those that are the same are one. It submits nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use flash_rt::offload::plain::Items;

use crate::cl::{Failure, Kernel, Mem, SetArguments};
use crate::kept::KeptLaunch;
use crate::memory::Storage;

/// Kernels and launches of one function.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    idle: Mutex<Vec<Kernel>>,
    launches: Mutex<Launches>,
}

/// So many kernels are kept that nobody uses.
const MOST_IDLE: usize = 16;

/// So many launches there may be before it is asked which of them are gone.
const FEW: usize = 32;

#[derive(Debug, Default)]
struct Launches {
    known: HashMap<Identity, Weak<KeptLaunch>>,
    /// How many there are when it is asked next which of them are gone.
    most: usize,
}

/// What launches of a function have in common that are the same. A launch knows its memories for as long as it
/// is there, so that nothing else has their addresses.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    arguments: Box<[u8]>,
    items: Items,
    memories: Box<[usize]>,
}

impl Identity {
    pub(crate) fn new(arguments: Vec<u8>, items: Items, memories: &[Weak<Storage>]) -> Self {
        let memories = memories.iter().map(|memory| memory.as_ptr().addr()).collect();
        Self { arguments: arguments.into(), items, memories }
    }
}

impl Pool {
    /// A kernel whose arguments nobody else sets: an idle one, or a new one.
    pub(crate) fn take(
        &self,
        make: impl FnOnce() -> Result<Kernel, Failure>,
    ) -> Result<Noted, Failure> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let kernel = idle.map_or_else(make, Ok)?;
        Ok(Noted { kernel, arguments: Vec::new() })
    }

    pub(crate) fn give_back(&self, kernel: Kernel) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(kernel);
        }
    }

    /// A launch that is the same as this one, which is kept from now on if there is none.
    pub(crate) fn share(&self, identity: Identity, launch: KeptLaunch) -> Arc<KeptLaunch> {
        let mut launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        let Launches { known, most } = &mut *launches;
        if let Some(known) = known.get(&identity).and_then(Weak::upgrade) {
            return known;
        }
        if known.len() >= *most {
            known.retain(|_, launch| launch.strong_count() > 0);
            *most = FEW.max(2 * known.len());
        }
        let launch = Arc::new(launch);
        known.insert(identity, Arc::downgrade(&launch));
        launch
    }
}

/// A kernel, and what its arguments were set to.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) kernel: Kernel,
    pub(crate) arguments: Vec<u8>,
}

impl Noted {
    fn note(&mut self, (kind, index): (u8, u32), bytes: &[u8]) {
        self.arguments.push(kind);
        self.arguments.extend(index.to_ne_bytes());
        self.arguments.extend(bytes.len().to_ne_bytes());
        self.arguments.extend(bytes);
    }
}

impl SetArguments for Noted {
    fn set_bytes(&mut self, index: u32, bytes: &[u8]) -> Result<(), Failure> {
        self.kernel.set_bytes(index, bytes)?;
        self.note((0, index), bytes);
        Ok(())
    }

    fn set_memory(&mut self, index: u32, memory: &Mem) -> Result<(), Failure> {
        self.kernel.set_memory(index, memory)?;
        self.note((1, index), &memory.handle().addr().to_ne_bytes());
        Ok(())
    }

    fn set_local(&mut self, index: u32, bytes: usize) -> Result<(), Failure> {
        self.kernel.set_local(index, bytes)?;
        self.note((2, index), &bytes.to_ne_bytes());
        Ok(())
    }
}
