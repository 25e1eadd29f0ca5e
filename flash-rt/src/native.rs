//! Native nodes: code of the user's that submits work of its own, a call of a library or of a driver,
//! to the queue that a device is given, with arrays in roles and an order like those of a kernel. It
//! knows no backend: what the code is given is the backend's own.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use crate::arg::BoundArg;
use crate::cond::{Cond, IntoCond};
use crate::descriptor::{Elem, KernelDescriptor, ParamDescriptor, Role};
use crate::device::Device;
use crate::error::{Error, Result, Site};
use crate::ledger::in_native;
use crate::pod::ElemType;
use crate::space_source::IntoSpace;
use crate::stage::{IntoStage, LaunchStage, Special, Stage, StageKind};
use crate::task::{BoxError, ClosureOutcome, Failure, HostViews, TaskArg, TaskArrays, words};

/// A native node: arrays in their roles, and for each backend that may run it a closure. It is a stage,
/// as a kernel call with its index space is one: what it reads is brought to the device, it waits for
/// whoever wrote that, and whoever uses what it writes waits for it.
///
/// The closure runs when the node is submitted, on the thread that does so, and submits work to the
/// queue that it is given. It returns as soon as that is submitted: it waits for nothing, the less as
/// nobody else submits anything to the device meanwhile. What takes long, as plans and
/// handles of libraries do, is made before, or the first time and kept by the closure. It may use no
/// buffer through a guard and run no pipeline: both are [`Error::NativeWaits`].
///
/// An error or panic of the closure ends the pipeline with [`Error::Native`] or [`Error::NativePanic`].
/// What it had submitted by then still runs, and is what the arrays that it updates hold; those that
/// it was to [fill](crate::task::out) are what they were where that still is somewhere. Where a device
/// is lost, the node runs again on another one that it has a closure for.
///
/// ```
/// use std::time::Duration;
/// use flash_rt::native::Native;
/// use flash_rt::task::out;
/// use flash_rt::{Buffer, NoBackends, Runtime};
///
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let (x, mut y) = (Buffer::from(vec![1.0_f32, 2.0]), Buffer::zeros(2));
/// let node = Native::new("double", (&x, out(&mut y)))
///     // What runs on the simulator, and takes two milliseconds of its time.
///     .on_sim(|cx| {
///         cx.enqueue(Duration::from_millis(2), |arrays| {
///             let x: Vec<f32> = arrays.read(0)?;
///             Ok(arrays.write(1, &[2.0 * x[0], 2.0 * x[1]])?)
///         });
///     })
///     // And on any device that uses the memory of the host.
///     .on_host(|(x, mut y)| {
///         for k in 0..2 {
///             y[[k]] = 2.0 * x[[k]];
///         }
///     });
/// let mut pipeline = rt.pipeline();
/// pipeline.push(node);
/// let report = pipeline.exec()?;
/// assert_eq!((y.to_vec()?, report.kernels()[0].name), (vec![2.0, 4.0], "double"));
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[must_use = "a native node does nothing until it is pushed"]
pub struct Native<'a, A> {
    kernel: &'static KernelDescriptor,
    site: Site,
    args: Box<[BoundArg<'a>]>,
    /// Elements of its longest array.
    items: usize,
    when: Option<Box<Cond<'a>>>,
    special: Special<'a>,
    arrays: PhantomData<fn(A)>,
}

impl<A> fmt::Debug for Native<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native")
            .field("name", &self.kernel.name)
            .field("args", &self.args)
            .field("code", &self.special.native)
            .finish_non_exhaustive()
    }
}

impl<'a, A: TaskArrays<'a>> Native<'a, A> {
    /// A node without code. `arrays` is a tuple of what it touches, as in
    /// [`Task::new`](crate::Task::new): `&x` is read, `&mut x` read and written, and
    /// [`out(&mut x)`](crate::task::out) written as a whole, so that what was there is not brought. A
    /// `&Var<T>` is an array of one element, and a `&Var<bool>` a value. Boxes and borrowed memory are
    /// what they are to a kernel. What else the code needs it captures.
    #[track_caller]
    pub fn new(name: &'static str, arrays: A) -> Self {
        let site = Location::caller();
        let mut args = Vec::new();
        arrays.bind(&mut args);
        let lengths = args.iter().map(|arg| match arg.bound() {
            BoundArg::Array(array) => array.section().len(),
            _ => 1,
        });
        let items = lengths.max().unwrap_or(1).max(1);
        let kernel = descriptor(name, site, &args);
        let special = Special { native: Some(Codes::default()), ..Special::default() };
        let args = args.into_iter().map(TaskArg::into_bound).collect();
        Self { kernel, site, args, items, when: None, special, arrays: PhantomData }
    }

    /// What runs on devices that use the memory of the host, where there is no code for their backend:
    /// a closure as [`Task::new`](crate::Task::new) takes it, with a view of each array. It runs to its
    /// end in its turn, and in no order to host tasks but that of the arrays.
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime};
    /// # use flash_rt::native::Native;
    /// # let rt = Runtime::<NoBackends>::open("SIM")?;
    /// # let (x, mut sum) = (Buffer::from(vec![1, 2]), Buffer::from(vec![0]));
    /// let node = Native::new("sum", (&x, &mut sum)).on_host(|(x, mut sum)| sum[[0]] = x.iter().sum());
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(node);
    /// // The simulator has a memory of its own.
    /// assert!(pipeline.exec().unwrap_err().to_string().contains("has code for the memory of the host"));
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn on_host<R: ClosureOutcome>(
        mut self,
        mut body: impl for<'s> FnMut(A::Views<'s>) -> R + Send + 'a,
    ) -> Self {
        let run = move |views: &mut HostViews<'_>| {
            body(A::views(views)?).into_result().map_err(Failure::Returned)
        };
        self.codes().on_host = Some(Box::new(Closure::new(run)));
        self
    }
}

impl<'a, A> Native<'a, A> {
    /// For crates of backends, whose own method names the key and the type: what runs on the devices of
    /// the backend `key`, with the context `C` that its
    /// [`native`](crate::backend::Backend::native) makes. It takes the place of earlier code for them.
    ///
    /// ```
    /// use flash_rt::native::Native;
    /// use flash_rt::task::ClosureOutcome;
    ///
    /// /// What code of the backend is given.
    /// pub struct Context {
    ///     pub queue: *mut (),
    /// }
    ///
    /// pub trait OnToaster<'a> {
    ///     fn on_toaster<R: ClosureOutcome>(
    ///         self,
    ///         code: impl FnMut(&mut Context) -> R + Send + 'a,
    ///     ) -> Self;
    /// }
    ///
    /// impl<'a, A> OnToaster<'a> for Native<'a, A> {
    ///     fn on_toaster<R: ClosureOutcome>(
    ///         self,
    ///         code: impl FnMut(&mut Context) -> R + Send + 'a,
    ///     ) -> Self {
    ///         self.on("TOASTER", code)
    ///     }
    /// }
    /// ```
    pub fn on<C: Any, R: ClosureOutcome>(
        mut self,
        key: &'static str,
        mut code: impl FnMut(&mut C) -> R + Send + 'a,
    ) -> Self {
        let run = move |cx: &mut dyn Any| {
            match cx.downcast_mut::<C>() {
            Some(cx) => code(cx).into_result(),
            None => Err(format!(
                "`{key}` gives its code another context than the method that took the code says; this \
                 is a defect of the crate of that method"
            )
            .into()),
        }
        };
        let codes = &mut self.codes().by_key;
        codes.retain(|(known, _)| *known != key);
        codes.push((key, Box::new(Closure::new(run))));
        self
    }

    /// Runs only if the condition holds when the pipeline comes to it; see [`Stage::when`].
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime, Var};
    /// # let rt = Runtime::<NoBackends>::open("SIM")?;
    /// # let mut x = Buffer::from(vec![1, 2]);
    /// let on = Var::new(false);
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(rt.native("never", (&mut x,)).on_sim(|_| ()).when(&on));
    /// assert!(pipeline.exec()?.kernel("never").is_none_or(|never| never.count == 0));
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn when(mut self, cond: impl IntoCond<'a>) -> Self {
        self.when = Cond::both(self.when, cond.into_cond());
        self
    }

    /// Runs this node on one device, by its number in
    /// [`Runtime::devices`](crate::Runtime::devices), as [`Call::pin`](crate::Call::pin) does.
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime};
    /// # let rt = Runtime::<NoBackends>::open("SIM")?;
    /// # let mut x = Buffer::from(vec![1, 2]);
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(rt.native("there", (&mut x,)).on_sim(|cx| assert_eq!(cx.device(), 1)).pin(1));
    /// pipeline.exec()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn pin(mut self, device: usize) -> Self {
        self.special.pin = Some(device);
        self
    }

    /// Runs this node on other devices than this one.
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime};
    /// # let rt = Runtime::<NoBackends>::open("SIM")?;
    /// # let mut x = Buffer::from(vec![1, 2]);
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(rt.native("there", (&mut x,)).on_sim(|cx| assert_eq!(cx.device(), 1)).exclude(0));
    /// pipeline.exec()?;
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn exclude(mut self, device: usize) -> Self {
        self.special.exclude.push(device);
        self
    }

    fn codes(&mut self) -> &mut Codes<'a> {
        self.special.native.get_or_insert_default()
    }
}

impl<'a, A> IntoStage<'a> for Native<'a, A> {
    fn into_stage(self) -> Stage<'a> {
        let Self { kernel, site, args, items, when, special, .. } = self;
        let space = IntoSpace::<1>::into_space([items]);
        let special = Some(Box::new(special));
        let args = args.into();
        Stage { kind: StageKind::Launch(LaunchStage { kernel, site, args, space, special }), when }
    }
}

/// The code of a native node. Behind traits, so that a stage still fits where a shorter-lived one is
/// asked for.
#[derive(Default)]
pub(crate) struct Codes<'a> {
    by_key: Vec<(&'static str, Box<dyn RunsOn + Send + 'a>)>,
    on_host: Option<Box<dyn RunsHere + Send + 'a>>,
}

impl fmt::Debug for Codes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.list())
    }
}

impl<'a> Codes<'a> {
    /// Whether there is code for a device.
    pub(crate) fn has(&self, device: &Device) -> bool {
        self.of(device.key()).is_some() || (device.space().is_none() && self.on_host.is_some())
    }

    /// The code for devices of a backend.
    pub(crate) fn of(&self, key: &str) -> Option<&(dyn RunsOn + 'a)> {
        let found = self.by_key.iter().find(|(known, _)| *known == key);
        found.map(|(_, code)| &**code as &dyn RunsOn)
    }

    /// What there is, for a person.
    pub(crate) fn list(&self) -> String {
        let of_keys = self.by_key.iter().map(|(key, _)| format!("`{key}`"));
        let of_host = self.on_host.iter().map(|_| "the memory of the host".to_owned());
        let all: Vec<String> = of_keys.chain(of_host).collect();
        if all.is_empty() { "no device".to_owned() } else { all.join(" and ") }
    }

    /// Runs the code for the memory of the host.
    pub(crate) fn run_on_host(&self, views: &mut HostViews<'_>) -> Result<(), NativeFailure> {
        match &self.on_host {
            Some(code) => code.run(views),
            None => Err(NativeFailure::Returned("there is no such code".into())),
        }
    }
}

/// Code that is given the context of a backend.
pub(crate) trait RunsOn {
    fn run(&self, cx: &mut dyn Any) -> Result<(), NativeFailure>;
}

/// Code that is given views of memory of the host.
pub(crate) trait RunsHere {
    fn run(&self, views: &mut HostViews<'_>) -> Result<(), NativeFailure>;
}

/// A closure that changes what it has captured, and runs once at a time.
struct Closure<F>(RefCell<F>);

impl<F> Closure<F> {
    fn new(closure: F) -> Self {
        Self(RefCell::new(closure))
    }

    /// Runs it in some way that tells why it failed. A panic leaves what it captured as it was then; the
    /// next run sees that, as a caller of the closure would.
    fn run(
        &self,
        run: impl FnOnce(&mut F) -> Result<(), NativeFailure>,
    ) -> Result<(), NativeFailure> {
        let Ok(mut closure) = self.0.try_borrow_mut() else {
            return Err(NativeFailure::Returned("it is at work already".into()));
        };
        let ran = catch_unwind(AssertUnwindSafe(|| run(&mut closure)));
        ran.unwrap_or_else(|payload| {
            let message = words(payload.as_ref()).into();
            // Dropped, it could panic again, and what was submitted would have no ticket.
            std::mem::forget(payload);
            Err(NativeFailure::Panicked(message))
        })
    }
}

impl<F: FnMut(&mut dyn Any) -> Result<(), BoxError>> RunsOn for Closure<F> {
    fn run(&self, cx: &mut dyn Any) -> Result<(), NativeFailure> {
        Closure::run(self, |closure| closure(cx).map_err(NativeFailure::Returned))
    }
}

impl<F: FnMut(&mut HostViews<'_>) -> Result<(), Failure>> RunsHere for Closure<F> {
    fn run(&self, views: &mut HostViews<'_>) -> Result<(), NativeFailure> {
        Closure::run(self, |closure| {
            closure(views).map_err(|failure| match failure {
                Failure::Argument(error) => NativeFailure::Argument(error),
                Failure::Returned(source) => NativeFailure::Returned(source),
            })
        })
    }
}

/// Why a run of native code failed.
#[derive(Debug)]
pub(crate) enum NativeFailure {
    /// What it returned.
    Returned(BoxError),
    /// The words of its panic.
    Panicked(Arc<str>),
    /// What was wrong with an argument.
    Argument(Error),
}

/// The code of a native node, for one run of it on a device: what
/// [`Backend::native`](crate::backend::Backend::native) is given.
pub struct NativeCode<'c> {
    name: &'static str,
    code: &'c (dyn RunsOn + 'c),
    done: Option<Result<(), NativeFailure>>,
}

impl fmt::Debug for NativeCode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("NativeCode");
        all.field("name", &self.name).field("done", &self.done).finish_non_exhaustive()
    }
}

impl<'c> NativeCode<'c> {
    pub(crate) fn new(name: &'static str, code: &'c (dyn RunsOn + 'c)) -> Self {
        Self { name, code, done: None }
    }

    /// Runs it. Whether it succeeds is noted here, also a panic: the backend submits what tells that
    /// all is complete either way, as the code may have submitted something before it failed.
    pub fn run<C: Any>(&mut self, cx: &mut C) {
        self.done = Some(in_native(self.name, || self.code.run(cx)));
    }

    /// The name of the node.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Why it failed, if it did: `submitted` is whether the backend said that it had run it.
    pub(crate) fn failure(self, submitted: bool) -> Option<NativeFailure> {
        let not_run = || NativeFailure::Returned("the backend has not run it".into());
        match self.done {
            Some(done) => done.err(),
            None => submitted.then(not_run),
        }
    }
}

/// What the run time knows a node by. There is one for each name with the same parameters, kept for
/// good: nodes are as many as a program has.
fn descriptor(name: &'static str, site: Site, args: &[TaskArg<'_>]) -> &'static KernelDescriptor {
    static KNOWN: Mutex<Vec<&'static KernelDescriptor>> = Mutex::new(Vec::new());
    let params: Vec<ParamDescriptor> = args.iter().map(param).collect();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |kernel: &&&'static KernelDescriptor| {
        kernel.name == name
            && kernel.params.len() == params.len()
            && kernel.params.iter().zip(&params).all(|(a, b)| {
                std::mem::discriminant(&a.role) == std::mem::discriminant(&b.role)
                    && (a.name, a.rank, a.elem.id()) == (b.name, b.rank, b.elem.id())
            })
    };
    if let Some(there) = known.iter().find(is_same) {
        return there;
    }
    let new: &'static KernelDescriptor = Box::leak(Box::new(KernelDescriptor {
        file: site.file(),
        line: site.line(),
        column: site.column(),
        ..KernelDescriptor::bare(name, 1, Vec::leak(params))
    }));
    known.push(new);
    new
}

/// The parameter that an argument is bound to.
fn param(arg: &TaskArg<'_>) -> ParamDescriptor {
    let (elem, rank, is_value) = match arg.bound() {
        BoundArg::Array(array) => (*array.allocation().elem(), array.rank(), false),
        BoundArg::LazyArray(array) => {
            let within = array.within();
            (*within.allocation.elem(), within.section.rank(), false)
        }
        BoundArg::Cell(_) => (ElemType::FLAG, 0, true),
        // What is wrong with it is said when the stage is prepared.
        _ => (ElemType::of::<u8>(), 1, false),
    };
    let role = match (is_value, arg.reads(), arg.writes()) {
        (true, ..) => Role::Value,
        (_, _, false) => Role::In,
        (_, true, true) => Role::InOut,
        (_, false, true) => Role::Out,
    };
    ParamDescriptor {
        name: arg.name(),
        role,
        ty: elem.ty,
        elem: Elem::of_array(&elem),
        rank: rank as u8,
        own: &[],
        raw: false,
        always_written: true,
    }
}
