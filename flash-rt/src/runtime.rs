//! The runtime: the devices it may use and what pipelines of one program share. It runs nothing
//! before a pipeline is executed.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::Result;
use crate::backend::clock::Clock;
use crate::builder::Builder;
use crate::call::Call;
use crate::chain::Submission;
use crate::configured::Configured;
use crate::device::{Device, remembered};
use crate::engine::{Borders, Fine};
use crate::env_options::Options;
use crate::launch::Scope;
use crate::native::Native;
use crate::pipeline::Pipeline;
use crate::registry::{Backends, NoBackends};
use crate::task::TaskArrays;
use crate::threads::Threads;
use crate::trace::{self, Recorder, Trace};

/// The devices a program uses. Cheap to clone; any number of threads may use one.
///
/// `B` names the backends that are built in; users meet it as `flash::Runtime`.
///
/// ```
/// use flash_rt::{NoBackends, Runtime};
///
/// // `flash::Runtime::new()` opens all there is.
/// let rt = Runtime::<NoBackends>::builder().devices("SIM").threads(2).build()?;
/// for device in rt.devices() {
///     println!("{} of {}: {} bytes in use", device.name(), device.key(), device.bytes_used());
/// }
/// let error = Runtime::<NoBackends>::open("TOASTER").unwrap_err();
/// assert!(error.to_string().contains("there are: SIM"), "it lists what there is: {error}");
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct Runtime<B = NoBackends> {
    shared: Arc<Shared>,
    _backends: PhantomData<fn() -> B>,
}

/// What the clones of a runtime and its pipelines share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) devices: Vec<Arc<Device>>,
    pub(crate) options: Options,
    /// Where what runs is written down, if it is.
    pub(crate) recorder: Option<Arc<Recorder>>,
    /// Where host tasks run beside kernels.
    pub(crate) threads: Threads,
    /// Which pipelines were short.
    pub(crate) fine: Fine,
    /// Where launches were cut.
    pub(crate) borders: Borders,
    /// The clock of the devices, where their time is not real.
    pub(crate) clock: Option<Arc<dyn Clock>>,
}

impl Shared {
    pub(crate) fn of(devices: Vec<Arc<Device>>, options: Options) -> Self {
        let clock = devices.iter().find_map(|device| device.backend.clock());
        let most = options.trace_limit.unwrap_or(trace::MOST);
        let recorder = options.trace.then(|| Arc::new(Recorder::new(clock, most)));
        Self::recorded(devices, options, recorder)
    }

    fn recorded(
        devices: Vec<Arc<Device>>,
        options: Options,
        recorder: Option<Arc<Recorder>>,
    ) -> Self {
        let clock = devices.iter().find_map(|device| device.backend.clock());
        for (device, recorder) in devices.iter().zip(std::iter::repeat(&recorder)) {
            if let Some(recorder) = recorder {
                // A device belongs to one runtime, or to those that have followed it.
                device.recorder.get_or_init(|| Arc::clone(recorder));
                device.note_moments();
            }
        }
        // On a simulated clock nobody can say how long the host takes, and most devices declare all they
        // do.
        if devices.len() > 1 && !options.round_robin {
            let is_known = |device: &&Arc<Device>| match (&clock, device.backend.clock()) {
                (None, _) => true,
                (Some(_), own) => own.is_some() && !device.declares(),
            };
            devices.iter().filter(is_known).for_each(|device| device.measure());
        }
        let threads = Threads::default();
        Self {
            devices,
            options,
            recorder,
            threads,
            fine: Fine::default(),
            borders: Borders::default(),
            clock,
        }
    }

    fn trace(&self) -> Trace {
        let all = self.recorder.as_ref().map(|recorder| recorder.those(0..recorder.len()));
        all.unwrap_or_default()
    }

    fn remember(&self) -> Result<()> {
        let Some(path) = &self.options.remember else { return Ok(()) };
        let mut rates = remembered::load(path)?;
        self.devices.iter().for_each(|device| device.rates(&mut rates));
        remembered::store(path, &rates)
    }

    /// Threads that may run kernels.
    pub(crate) fn threads(&self) -> usize {
        self.options.threads.unwrap_or_else(crate::backend::at_work::processors)
    }
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
    pub(crate) fn from_shared(shared: Shared) -> Self {
        Self { shared: Arc::new(shared), _backends: PhantomData }
    }

    /// The devices, in order of preference.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.shared.devices
    }

    /// All that ran so far, also outside of pipelines, as copies for guards, up to
    /// [`Builder::trace_limit`]; empty unless the runtime was built with [`Builder::trace`]. Where a device keeps simulated time, all times
    /// are on its clock.
    pub fn trace(&self) -> Trace {
        self.shared.trace()
    }

    /// The runtime with options for what is submitted through them: a predicate, or one stage after
    /// the other.
    ///
    /// ```
    /// # use flash_rt::{NoBackends, Runtime, Task, Var};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let (on, mut n) = (Var::new(false), Var::new(0_u32));
    /// let mut pipeline = rt.options().when(&on).sync(true).pipeline();
    /// pipeline.push(Task::new("count", (&mut n,), |(n,)| *n += 1));
    /// pipeline.exec()?;
    /// assert_eq!(n.get()?, 0);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn options<'a>(&self) -> Configured<'a> {
        Configured::new(self.shared.clone())
    }

    /// Writes what was measured so far to the file of [`Builder::remember`], beside what is known there
    /// of other kernels and devices. Without such a file there is nothing to do.
    ///
    /// # Errors
    ///
    /// [`Error::Remembered`](crate::Error::Remembered): the file cannot be written, or is none of
    /// ours. Nothing else is different then.
    pub fn remember(&self) -> Result<()> {
        self.shared.remember()
    }

    /// The runtime with its lost devices brought back ([`Error::DeviceLost`](crate::Error::DeviceLost) says
    /// when one is). The others are the same ones, with all they hold; what was current in a lost memory
    /// alone has to be written again before it is read. This runtime goes on without the lost devices.
    ///
    /// The device is reset for the whole process: no other runtime and no other library may be using it.
    ///
    /// ```
    /// # use flash_rt::{NoBackends, Runtime};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// // After a run said that a device is lost:
    /// let again = rt.recover()?;
    /// assert_eq!(again.devices().len(), rt.devices().len());
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::DeviceLost`](crate::Error::DeviceLost) for one that cannot be brought back. What came before
    /// it is back, for the next call.
    pub fn recover(&self) -> Result<Self> {
        let again = |device: &Arc<Device>| match device.is_lost() {
            true => device.recover().map(Arc::new),
            false => Ok(Arc::clone(device)),
        };
        let devices = self.shared.devices.iter().map(again).collect::<Result<_>>()?;
        let (options, recorder) = (self.shared.options.clone(), self.shared.recorder.clone());
        Ok(Self::from_shared(Shared::recorded(devices, options, recorder)))
    }

    /// An empty pipeline.
    pub fn pipeline<'a>(&self) -> Pipeline<'a> {
        Pipeline::new(self.shared.clone())
    }

    /// A native node, whose code for each backend is still to be given; see [`Native`].
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime};
    /// # let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let mut x = Buffer::from(vec![1, 2]);
    /// let node = rt.native("negate", (&mut x,)).on_sim(|cx| {
    ///     cx.enqueue(Default::default(), |arrays| {
    ///         let x: Vec<i32> = arrays.read(0)?;
    ///         Ok(arrays.write(0, &[-x[0], -x[1]])?)
    ///     });
    /// });
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(node).exec()?;
    /// assert_eq!(x.to_vec()?, [-1, -2]);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn native<'a, A: TaskArrays<'a>>(&self, name: &'static str, arrays: A) -> Native<'a, A> {
        Native::new(name, arrays)
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
    /// The error of the pipeline that was launched first of those that failed, but for those whose
    /// handle has told it.
    pub fn scope<'env, T>(
        &self,
        body: impl for<'scope> FnOnce(&Scope<'scope, 'env>) -> T,
    ) -> Result<T> {
        crate::launch::scope(body)
    }
}
