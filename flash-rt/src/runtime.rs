//! The runtime: the devices it may use and what pipelines of one program share. It runs nothing
//! before a pipeline is executed.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::Result;
use crate::builder::Builder;
use crate::call::Call;
use crate::chain::Submission;
use crate::device::Device;
use crate::env_options::Options;
use crate::launch::Scope;
use crate::pipeline::Pipeline;
use crate::registry::{Backends, NoBackends};

/// The devices a program uses. Cheap to clone; any number of threads may use one.
///
/// `B` names the backends that are built in; users meet it as `flash::Runtime`.
pub struct Runtime<B = NoBackends> {
    shared: Arc<Shared>,
    _backends: PhantomData<fn() -> B>,
}

/// What the clones of a runtime and its pipelines share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) devices: Vec<Arc<Device>>,
    pub(crate) options: Options,
}

impl<B> Clone for Runtime<B> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), _backends: PhantomData }
    }
}

impl<B> fmt::Debug for Runtime<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.shared.devices.iter().map(|device| device.name()).collect();
        f.debug_struct("Runtime").field("devices", &names).finish_non_exhaustive()
    }
}

impl<B: Backends> Runtime<B> {
    /// Everything this machine has, or what `FLASH_DEVICES` names. Starts no thread.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`](crate::Error::NoDevice) where there is none,
    /// [`Error::Option`](crate::Error::Option) for a variable that makes no sense.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// The devices of a key: `ALL`, `ALL_ACCEL`, `ALL_CPU`, `SIM`, `NVIDIA_GPU`, ..
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`](crate::Error::NoDevice), which lists what exists.
    pub fn open(key: &str) -> Result<Self> {
        Self::builder().devices(key).build()
    }

    /// A runtime with options.
    pub fn builder() -> Builder<B> {
        Builder::new()
    }
}

impl<B> Runtime<B> {
    pub(crate) fn from_parts(devices: Vec<Arc<Device>>, options: Options) -> Self {
        let shared = Arc::new(Shared { devices, options });
        Self { shared, _backends: PhantomData }
    }

    /// The devices, in order of preference.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.shared.devices
    }

    /// An empty pipeline.
    pub fn pipeline<'a>(&self) -> Pipeline<'a> {
        Pipeline::new(self.shared.clone())
    }

    /// One kernel, to be run over an index space with `.exec(space)`, or the first of a chain with
    /// `.defer(space)`.
    #[inline]
    pub fn submit<'a, const R: usize>(&self, call: Call<'a, R>) -> Submission<'a, R> {
        Submission::new(self.pipeline(), call)
    }

    /// Runs `body` with a scope in which pipelines with borrowed data can be launched. It joins
    /// what was launched before it returns or unwinds.
    ///
    /// # Errors
    ///
    /// The error of the pipeline that was launched first of those that failed.
    pub fn scope<'env, T>(
        &self,
        body: impl for<'scope> FnOnce(&Scope<'scope, 'env>) -> T,
    ) -> Result<T> {
        crate::launch::scope(body)
    }
}
