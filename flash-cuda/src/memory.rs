//! Memory of a device, which counts for as long as anything uses it. It does not know arrays.

use std::sync::Arc;

use crate::cu::{Context, DeviceMemory};

/// Memory of a CUDA device.
#[derive(Clone, Debug)]
pub struct CudaMemory(pub(crate) Arc<Storage>);

/// The bytes of a memory, kept while an operation that uses them is under way.
#[derive(Debug)]
pub(crate) struct Storage {
    /// Where it starts.
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    /// The context that it is in.
    pub(crate) context: Arc<Context>,
    #[expect(dead_code, reason = "given back when this goes")]
    memory: Option<DeviceMemory>,
}

impl Storage {
    /// Memory of the driver.
    pub(crate) fn new(context: &Arc<Context>, memory: DeviceMemory, bytes: u64) -> Self {
        let (address, context) = (memory.address(), Arc::clone(context));
        Self { address, bytes, context, memory: Some(memory) }
    }

    /// Memory that somebody else has made and gives back.
    pub(crate) fn of_another(context: &Arc<Context>, address: u64, bytes: u64) -> Self {
        Self { address, bytes, context: Arc::clone(context), memory: None }
    }

    /// Memory without bytes.
    pub(crate) fn empty(context: &Arc<Context>) -> Self {
        Self { address: 0, bytes: 0, context: Arc::clone(context), memory: None }
    }
}
