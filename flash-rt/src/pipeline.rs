//! Pipelines: launches, host tasks, loops, decisions and swaps in program order. It is built here
//! and run by the engine; building it runs nothing.
//!
//! The nodes lie flat, each before what is inside of it, and each says where its inside ends.

mod list;
mod node;

use std::sync::Arc;

use crate::Result;
use crate::access::Access;
use crate::arg_store::{ArgStore, Size};
use crate::cond::{Cond, IntoCond, IntoLimit};
use crate::engine::{Plan, TaskKept};
use crate::env::{self, LoopInt, LoopVar, Which};
use crate::error::{Error, Site};
use crate::explain::Explanation;
use crate::launch::Handle;
use crate::lazy::IntoBounds;
use crate::ledger::Hold;
use crate::loops::IntoLoops;
use crate::movable::{Movable, Moved, Whole};
use crate::report::Report;
use crate::runtime::Shared;
use crate::stage::{IntoStage, LaunchStage, Stage, StageKind};
use crate::task::Task;

use list::{MANY, NodeList, SOME};
pub(crate) use node::{Kind, LaunchNode, MoveNode, Node, Place, TaskNode, Work};

/// A list of stages that runs as if one by one, in program order.
///
/// It can be stored, built in a Rust loop, returned, and run again and again: the plan is kept.
///
/// ```
/// use flash_rt::{Buffer, NoBackends, Runtime, Task, Var};
///
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let (mut old, mut new) = (Buffer::from(vec![1_u32, 2]), Buffer::<u32>::zeros(2));
/// let more = Var::new(true);
/// let mut pipeline = rt.pipeline();
/// let trip = pipeline.begin_for(0..3_u32);
/// pipeline.push(Task::new("double", (&old, &mut new), |(old, mut new)| {
///     for i in 0..old.len() {
///         new[[i]] = 2 * old[[i]];
///     }
/// }));
/// pipeline.swap(&mut old, &mut new);
/// pipeline.end_for();
/// pipeline.begin_if(&more);
/// pipeline.push(Task::new("add", (&mut old,), |(mut old,)| old[[0]] += 1));
/// pipeline.end_if();
/// assert_eq!(pipeline.exec()?.tasks()[0].count, 3);
/// assert_eq!(old.to_vec()?, [9, 16]);
/// pipeline.exec()?; // the plan is kept, and so is what was swapped
/// assert_eq!(old.to_vec()?, [73, 128]);
/// # drop(trip);
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a pipeline does nothing until `exec` or `launch`"]
pub struct Pipeline<'a> {
    pub(crate) rt: Arc<Shared>,
    pub(crate) nodes: NodeList<'a>,
    /// Where arguments are kept, once there are many.
    args: ArgStore,
    /// Loops and decisions that are not closed yet, outermost first, by number of their node.
    open: Vec<usize>,
    /// How many of them are loops.
    n_loops: usize,
    /// Whether stages that are added now wait for everything before them.
    pub(crate) in_sync: bool,
    /// When stages that are added now run, if not always.
    when: Option<Box<Cond<'a>>>,
    pub(crate) plan: Plan,
    /// What was wrong when it was built.
    pub(crate) fault: Option<Box<Error>>,
}

impl<'a> Pipeline<'a> {
    pub(crate) fn new(rt: Arc<Shared>) -> Self {
        Self {
            rt,
            nodes: NodeList::default(),
            args: ArgStore::default(),
            open: Vec::new(),
            n_loops: 0,
            in_sync: false,
            when: None,
            plan: Plan::default(),
            fault: None,
        }
    }

    /// Adds a stage after everything before it.
    #[track_caller]
    #[inline(always)]
    pub fn push(&mut self, stage: impl IntoStage<'a>) -> &mut Self {
        let Stage { kind, when } = stage.into_stage();
        match kind {
            StageKind::Launch(stage) => self.launch_node(when, stage),
            StageKind::Task(task) => self.task_node(when, task),
        }
        self
    }

    #[inline(never)]
    fn task_node(&mut self, own: Option<Box<Cond<'a>>>, mut task: Task<'a>) {
        let (name, site, args) = (task.name(), task.site(), task.take_args());
        let node = TaskNode { name, site, args, task, kept: TaskKept::default(), stat: 0 };
        self.leaf(own, site, Work::Task(Box::new(node)));
    }

    /// Adds a launch, which goes from where it was made to where it stays: what was written just now is
    /// waited for by who copies it.
    #[inline(never)]
    fn launch_node(&mut self, own: Option<Box<Cond<'a>>>, stage: LaunchStage<'a>) {
        if own.is_none() && self.when.is_none() {
            return self.add(|at| Node::new(at, Kind::Leaf, Work::Launch(LaunchNode::new(stage))));
        }
        self.leaf(own, stage.site, Work::Launch(LaunchNode::new(stage)));
    }

    /// Adds a node without an inside, under its own condition and that of the pipeline.
    #[inline(never)]
    fn leaf(&mut self, own: Option<Box<Cond<'a>>>, site: Site, work: Work<'a>) {
        let cond = match (own, &self.when) {
            (None, None) => return self.add(|at| Node::new(at, Kind::Leaf, work)),
            (Some(own), None) => own,
            (None, Some(when)) => when.clone(),
            (Some(own), Some(when)) => Box::new((**when).clone() & *own),
        };
        self.open(Kind::If { other: 0 }, Work::If { cond, site });
        self.add(|at| Node::new(at, Kind::Leaf, work));
        self.close();
    }

    /// Opens a loop and gives its variable; what is pushed until [`Pipeline::end_for`] is its body.
    ///
    /// `flash_pipeline!` writes it. More than [`MAX_LOOPS`](crate::env::MAX_LOOPS) in each other are an
    /// error when the pipeline runs.
    #[track_caller]
    pub fn begin_for<B: IntoBounds<'a>>(&mut self, bounds: B) -> LoopVar<B::Int> {
        let (level, site) = (self.n_loops, std::panic::Location::caller());
        let (name, bounds) = (env::name_of_a_loop(), bounds.into_bounds());
        let variable = LoopVar::of(Which { level, name });
        self.open(Kind::For { level: level as u32 }, Work::For { bounds, name, site });
        if let Some(node) = self.nodes.last_mut() {
            node.is_signed = B::Int::SIGNED;
        }
        self.n_loops += 1;
        variable
    }

    /// Closes the innermost loop. A loop that is left open ends with the pipeline; one that is not the
    /// innermost of what is open is [`Error::Loops`] when the pipeline runs.
    #[track_caller]
    pub fn end_for(&mut self) -> &mut Self {
        self.end("end_for", |kind| matches!(kind, Kind::For { .. }))
    }

    /// Opens a decision: what is pushed until [`Pipeline::otherwise`] or [`Pipeline::end_if`] runs
    /// if the condition holds when the pipeline comes to it.
    #[track_caller]
    pub fn begin_if(&mut self, cond: impl IntoCond<'a>) -> &mut Self {
        let site = std::panic::Location::caller();
        self.open(Kind::If { other: 0 }, Work::If { cond: Box::new(cond.into_cond()), site });
        self
    }

    /// What follows runs if the condition of the innermost decision does not hold. Twice for one decision,
    /// or where a loop is open inside of it, it is [`Error::Loops`] when the pipeline runs.
    #[track_caller]
    pub fn otherwise(&mut self) -> &mut Self {
        let here = self.nodes.len() as u32;
        let open = self.open.last().and_then(|&at| self.nodes.get_mut(at));
        match open.map(|node| &mut node.kind) {
            Some(Kind::If { other }) if *other == 0 => *other = here,
            _ => self.misplaced("otherwise"),
        }
        self
    }

    /// Closes the innermost decision, as [`Pipeline::end_for`] does a loop.
    #[track_caller]
    pub fn end_if(&mut self) -> &mut Self {
        self.end("end_if", |kind| matches!(kind, Kind::If { .. }))
    }

    /// Opens a loop that runs while a condition holds, which is looked at before each trip. After
    /// `max` trips with the condition still true the run ends with
    /// [`Error::Endless`].
    #[track_caller]
    pub fn begin_while(&mut self, cond: impl IntoCond<'a>, max: impl IntoLimit<'a>) -> &mut Self {
        let (mut cond, limit) = (cond.into_cond(), Box::new(max.into_limit()));
        if let Some(when) = &self.when {
            // Without what its body does, its own condition could hold for ever.
            cond = (**when).clone() & cond;
        }
        let (cond, site) = (Box::new(cond), std::panic::Location::caller());
        self.open(Kind::While { level: self.n_loops as u32 }, Work::While { cond, limit, site });
        self.n_loops += 1;
        self
    }

    /// Closes the innermost loop, as [`Pipeline::end_for`] does.
    #[track_caller]
    pub fn end_while(&mut self) -> &mut Self {
        self.end("end_while", |kind| matches!(kind, Kind::While { .. }))
    }

    /// From here on each stage waits for all before it, or again only for those whose data it uses.
    /// Where this is so to the end, [`Pipeline::launch`] waits for the end of the pipeline too. What
    /// stages compute is the same; this is for finding out where time goes.
    pub fn sync(&mut self, on: bool) -> &mut Self {
        self.in_sync = on;
        self
    }

    /// From here on whatever is added runs only if the condition holds when the pipeline comes to
    /// it, and those given before, and its own. It is looked at for each stage, each time; what is
    /// skipped counts as done.
    ///
    /// ```
    /// # use flash_rt::{NoBackends, Runtime, Task, Var};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let (on, mut n) = (Var::new(true), Var::new(0_u32));
    /// let mut pipeline = rt.pipeline();
    /// pipeline.when(&on).push(Task::new("count", (&mut n,), |(n,)| *n += 1));
    /// pipeline.exec()?;
    /// on.set(false)?;
    /// pipeline.exec()?;
    /// assert_eq!(n.get()?, 1);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn when(&mut self, cond: impl IntoCond<'a>) -> &mut Self {
        self.when = Cond::both(self.when.take(), cond.into_cond());
        self
    }

    /// Exchanges the contents of two arrays of the same shape, without copying, when the pipeline
    /// comes to it. It holds after the pipeline.
    #[track_caller]
    pub fn swap<W: Whole>(&mut self, a: &W, b: &W) -> &mut Self {
        let site = std::panic::Location::caller();
        let (a, b) = (Box::new(a.whole()), Box::new(b.whole()));
        self.leaf(None, site, Work::Swap { a, b, site });
        self
    }

    /// Brings an array, or a box of one, to a device, by number in
    /// [`Runtime::devices`](crate::Runtime::devices), as far as it is not current there. Nothing has to be
    /// moved by hand; this is for bringing it before it is needed, beside something else. Where there is no
    /// room, it waits for whoever uses the device; [`Error::OutOfMemory`] where nobody does.
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let x = Buffer::<f32, 2>::from_shape([4, 100], vec![1.0; 400])?;
    /// let mut pipeline = rt.pipeline();
    /// pipeline.move_to(&x.view((1..3, ..)), 0);
    /// assert_eq!(pipeline.exec()?.transfers().uploaded, 2 * 100 * 4);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn move_to<M: Movable>(&mut self, array: &M, device: usize) -> &mut Self {
        self.add_move(array.place(), Place::Device(device), std::panic::Location::caller())
    }

    /// Brings an array, or a box of one, to the host, as far as it is not current there.
    #[track_caller]
    pub fn move_from<M: Movable>(&mut self, array: &M) -> &mut Self {
        self.add_move(array.place(), Place::Host, std::panic::Location::caller())
    }

    /// Gives the memory of an array on a device back, after bringing what only it holds to the
    /// host.
    #[track_caller]
    pub fn evict<W: Whole>(&mut self, array: &W, device: usize) -> &mut Self {
        let array = (array.whole(), None);
        self.add_move(array, Place::AwayFrom(device), std::panic::Location::caller())
    }

    fn add_move(&mut self, (array, fault): Moved, to: Place, site: Site) -> &mut Self {
        let array = Box::new(array);
        self.leaf(None, site, Work::Move(MoveNode { array, to, site, fault }));
        self
    }

    /// Uses `new` wherever the pipeline uses `old`, in whole or in parts, from the next run on. Both
    /// have the same shape, so that the plan is kept; where the pipeline uses `new` already, the
    /// order of stages is worked out again. Scalars need no rebinding: pass a [`Var`](crate::Var) and set it.
    ///
    /// ```
    /// # use flash_rt::{Buffer, NoBackends, Runtime, Task};
    /// # use std::sync::{Arc, Mutex};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let (x, y) = (Buffer::from(vec![1_u32; 4]), Buffer::from(vec![2_u32; 4]));
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let note = Arc::clone(&seen);
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(Task::new("note", (&x,), move |(x,)| note.lock().unwrap().push(x[[0]])));
    /// pipeline.exec()?;
    /// pipeline.rebind(&x, &y)?.exec()?;
    /// assert_eq!(*seen.lock().unwrap(), [1, 2]);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotBound`] if the pipeline does not use `old`; [`Error::Shape`], with the first
    /// stage that uses it and both shapes, if they differ, or if the pipeline would write memory that is only
    /// to be read; [`Error::Aliased`] if a stage would write elements that it touches through another
    /// argument. The pipeline is as it was then.
    #[track_caller]
    pub fn rebind<W: Whole>(&mut self, old: &W, new: &W) -> Result<&mut Self> {
        let site = std::panic::Location::caller();
        self.finish();
        crate::engine::rebind(self, &old.whole(), &new.whole(), site)?;
        Ok(self)
    }

    /// Runs the pipeline and returns when it is complete.
    ///
    /// # Errors
    ///
    /// The first error in program order. What had not started by then is cancelled; data stay
    /// readable.
    #[inline]
    pub fn exec(&mut self) -> Result<Report> {
        self.finish();
        crate::engine::exec(self, false)
    }

    /// Does what the first run would do before its first stage: binds and checks all stages and
    /// works out their order. Without it that happens in `exec`; this is for doing it earlier, or
    /// for knowing how long it takes.
    ///
    /// # Errors
    ///
    /// What `exec` would report before anything runs.
    pub fn prepare(&mut self) -> Result<&mut Self> {
        self.finish();
        crate::engine::prepare_order(self)?;
        Ok(self)
    }

    /// As [`Pipeline::exec`], of a pipeline that nobody keeps.
    #[inline]
    pub(crate) fn exec_once(&mut self) -> Result<Report> {
        self.finish();
        crate::engine::exec(self, true)
    }

    /// How the pipeline would run, for a person.
    ///
    /// # Errors
    ///
    /// What `exec` would report before anything runs.
    pub fn explain(&mut self) -> Result<Explanation> {
        self.finish();
        crate::explain::explain(self)
    }

    /// Takes its place among those that want the same data.
    pub(crate) fn enqueue(&mut self) -> Result<Hold<Arc<[Access]>>> {
        self.finish();
        crate::engine::enqueue(self)
    }

    /// Closes what was left open.
    #[inline]
    fn finish(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
    }

    /// Puts loops around the stages so far, which count from 0: [`cascade`](crate::loops::cascade),
    /// [`seq`](crate::loops::seq), [`custom_loop`](crate::loops::custom_loop), or a number of trips
    /// over all of them. What cannot be is reported when the pipeline runs.
    #[track_caller]
    pub fn repeat(&mut self, loops: impl IntoLoops<'a>) -> &mut Self {
        self.finish();
        self.plan.ready = false;
        match crate::loops::arrange(std::mem::take(&mut *self.nodes), loops) {
            Ok(nodes) => *self.nodes = nodes,
            Err(error) => self.fault = Some(Box::new(error)),
        }
        self
    }

    #[inline(always)]
    fn add(&mut self, node: impl FnOnce(usize) -> Node<'a>) {
        self.plan.ready = false;
        let at = self.nodes.add(node);
        if at >= SOME || self.in_sync {
            self.settle(at);
        }
    }

    /// What becomes of a node where there are some, whose arguments lie together, or where stages wait for
    /// each other.
    #[inline(never)]
    fn settle(&mut self, at: usize) {
        let Some(node) = self.nodes.get_mut(at) else { return };
        node.in_sync = self.in_sync;
        if at >= SOME
            && let Work::Launch(launch) = node.work()
        {
            let size = if at >= MANY { Size::Large } else { Size::Small };
            self.args.keep(&mut launch.stage.args, size);
        }
    }

    fn open(&mut self, kind: Kind, work: Work<'a>) {
        self.open.push(self.nodes.len());
        self.add(|at| Node::new(at, kind, work));
    }

    /// Closes the innermost node that is open, which is to be of one kind.
    #[track_caller]
    fn end(&mut self, what: &str, is_kind: impl Fn(Kind) -> bool) -> &mut Self {
        let open = self.open.last().and_then(|&at| self.nodes.get(at));
        match open.is_some_and(|node| is_kind(node.kind)) {
            true => self.close(),
            false => self.misplaced(what),
        }
        self
    }

    /// Notes, for when the pipeline runs, that a call does not fit what is open.
    #[cold]
    #[track_caller]
    fn misplaced(&mut self, call: &str) {
        let open = self.open.last().and_then(|&at| self.nodes.get_mut(at));
        let inside = match open.map(|node| (node.kind, node.work())) {
            Some((Kind::If { other: 1.. }, Work::If { site, .. })) => {
                format!("after the `otherwise` of the decision opened at {site}")
            }
            Some((_, Work::If { site, .. })) => format!("in the decision opened at {site}"),
            Some((_, Work::For { site, .. })) => format!("in the `for` opened at {site}"),
            Some((_, Work::While { site, .. })) => format!("in the `while` opened at {site}"),
            _ => "where nothing is open".to_owned(),
        };
        let what = format!("`{call}` {inside}, which it does not fit; close what is open first");
        let error = Error::Loops { what, site: std::panic::Location::caller() };
        self.fault.get_or_insert_with(|| Box::new(error));
        self.plan.ready = false;
    }

    /// Closes the innermost node that is open.
    fn close(&mut self) {
        let end = self.nodes.len();
        let Some(node) = self.open.pop().and_then(|at| self.nodes.get_mut(at)) else { return };
        node.set_end(end);
        match &mut node.kind {
            Kind::For { .. } | Kind::While { .. } => self.n_loops -= 1,
            Kind::If { other } if *other == 0 => *other = end as u32,
            _ => {}
        }
    }
}

impl Pipeline<'static> {
    /// Starts the pipeline and returns at once; the handle waits for it, is a `Future` of it, says
    /// how far it is and cancels it. Dropping the handle lets the pipeline run to its end. Under
    /// [`sync`](crate::Builder::sync) it returns when the pipeline is complete: one that waits for
    /// something that its caller does afterwards never is.
    #[must_use = "`wait` for the handle, `await` it, or drop it with `drop(handle)` to detach"]
    pub fn launch(self) -> Handle {
        crate::launch::launch(self)
    }
}
