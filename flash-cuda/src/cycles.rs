//! Loops that a device runs by itself: launches that are kept, and a kernel that asks behind them, as a graph
//! that repeats. It does not say which loops are worth it. Fenced: it lets kernels run with the memory of
//! validated launches, and reads what they noted.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::any::Any;
use std::ffi::CStr;
use std::iter::Peekable;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use flash_ir::emit::status::{BYTES, WORDS};
use flash_rt::DriverError;
use flash_rt::backend::{Prepared, Queue, Repeat, Ticket};
use flash_rt::error::DriverErrorKind;

use crate::ask::{self, Decides, Question};
use crate::code::Code;
use crate::cu::{self, Cycle, Failure, Function, Link, Open, Pinned, Step, Stream, alone};
use crate::device::CudaDevice;
use crate::kept::KeptLaunch;
use crate::memory::{CudaMemory, Storage};
use crate::nvtx;
use crate::operation::{Extras, Held};
use crate::record::Told;

/// So many loops, and so many texts of conditions, are known of a device.
const KNOWN: usize = 16;

/// A loop, with the words in which its device counts and notes.
#[derive(Debug)]
pub(crate) struct Looped {
    cycle: Cycle,
    begin: Arc<Function>,
    #[expect(dead_code, reason = "the graph runs them")]
    asking: Vec<Arc<Function>>,
    memory: Storage,
    copy: Pinned,
    /// How many of its launches have a record, and how many decisions, which have theirs behind those.
    n: usize,
    n_decisions: usize,
    /// How many trips it makes at most as it is now.
    most: AtomicU64,
}

/// One that came, and what tells it from others.
#[derive(Debug)]
struct Known {
    launches: Box<[Weak<KeptLaunch>]>,
    question: Question,
    /// Nothing where there can be none.
    looped: Option<Arc<Looped>>,
}

#[derive(Debug, Default)]
struct State {
    known: Vec<Known>,
    /// Texts of conditions; nothing where the driver does not take them.
    texts: Vec<(String, Option<Arc<Code>>)>,
}

/// The loops of a device, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Cycles(Mutex<State>);

/// What a loop tells when it is over.
#[derive(Debug)]
pub(crate) struct LoopEnd {
    looped: Arc<Looped>,
    told: Box<[Told]>,
    trips: Arc<AtomicU64>,
    /// For each decision, told how often each branch was taken.
    taken: Box<[[Arc<AtomicU64>; 2]]>,
}

/// The launches `from..` up to an end as steps, with the decisions from a number on that are inside of them.
fn steps<'a>(
    (links, range): (&mut std::vec::IntoIter<Option<Link<'a>>>, Range<usize>),
    decisions: &mut Peekable<impl Iterator<Item = (&'a Function, Vec<u64>, &'a Decides)>>,
) -> Vec<Step<'a>> {
    let Range { start: mut at, end } = range;
    let mut all = Vec::new();
    while at < end {
        let begins = |of: &(_, _, &Decides)| of.2.branches[0].start == at;
        match decisions.next_if(begins) {
            Some((function, arguments, decides)) => {
                let branches = decides.branches.clone();
                at = branches[1].end;
                let branches = branches.map(|branch| steps((links, branch), decisions));
                all.push(Step::Decide { function, arguments, branches });
            }
            None => {
                all.extend(links.next().flatten().map(Step::Run));
                at += 1;
            }
        }
    }
    all
}

impl Looped {
    /// A loop of launches that ends by a question.
    fn new(
        device: &CudaDevice,
        launches: &[Arc<KeptLaunch>],
        (question, code): (&Question, &Code),
        most: u32,
    ) -> Result<Self, Failure> {
        let gone = Failure::gone("cuModuleGetFunction");
        let function = |name: &CStr| code.function(device, name).ok().flatten().ok_or(gone);
        let (begin, ask) = (function(ask::BEGIN)?, function(ask::ASK)?);
        let n_decisions = question.decisions.len();
        let deciding = (0..n_decisions).map(|k| function(&ask::decide(k)));
        let deciding = deciding.collect::<Result<Vec<_>, _>>()?;
        let n = launches.iter().filter(|launch| launch.notes()).count();
        let (memory, copy) = device.with_copy((1 + n + n_decisions) * BYTES)?;
        let mut next = memory.address;
        let addresses: Vec<u64> = launches
            .iter()
            .map(|launch| {
                next += if launch.notes() { BYTES as u64 } else { 0 };
                next
            })
            .collect();
        let each = launches.iter().zip(&addresses);
        let links: Vec<_> = each.map(|(launch, record)| Some(launch.link(record))).collect();
        let decisions = deciding.iter().zip(&question.decisions).enumerate();
        let decisions = decisions.map(|(k, (function, decides))| {
            let record = memory.address + ((1 + n + k) * BYTES) as u64;
            let mut arguments = vec![memory.address, 0, 0, n as u64, record];
            arguments.extend(&decides.arguments);
            (&**function, arguments, decides)
        });
        let all = 0..links.len();
        let mut steps = steps((&mut links.into_iter(), all), &mut decisions.peekable());
        let open = Open::new(begin.context())?;
        let mut arguments = vec![memory.address, open.handle(), n as u64];
        arguments.extend(&question.arguments);
        steps.push(Step::Run(alone(&ask, &arguments)));
        let first = Self::arguments_of_begin(&memory, n + n_decisions, most.into());
        // SAFETY: the arguments of the launches are theirs, which are given when the loop runs, those of the
        // others are as their text says, and records and words stay as long as the loop.
        let cycle = unsafe { open.close(alone(&begin, &first), steps)? };
        let asking = std::iter::once(ask).chain(deciding).collect();
        let most = AtomicU64::new(most.into());
        Ok(Self { cycle, begin, asking, memory, copy, n, n_decisions, most })
    }

    fn arguments_of_begin(memory: &Storage, n: usize, most: u64) -> [u64; 3] {
        [memory.address, ask::words(n), most]
    }

    /// Submits it, and the copy of what it notes. Where it fails nothing was submitted, or what was is its own.
    ///
    /// # Safety
    ///
    /// As `Backend::repeat`; nobody else submits it meanwhile.
    unsafe fn submit(&self, stream: &Stream, most: u32) -> Result<(), Failure> {
        let most = u64::from(most);
        if self.most.load(Ordering::Relaxed) != most {
            // Of one that could not be changed nothing is known.
            self.most.store(0, Ordering::Relaxed);
            let n = self.n + self.n_decisions;
            let first = Self::arguments_of_begin(&self.memory, n, most);
            // SAFETY: the function is the one that it was made with, with the same words.
            unsafe { self.cycle.change(alone(&self.begin, &first))? };
            self.most.store(most, Ordering::Relaxed);
        }
        // SAFETY: as the caller says.
        unsafe { self.cycle.launch(stream) }
    }

    /// Copies what it has noted to the host, behind it.
    fn end(&self, stream: &Stream) -> Result<(), Failure> {
        let bytes = (1 + self.n + self.n_decisions) * BYTES;
        // SAFETY: the copy has so many bytes, and is used by one loop at a time, which keeps it until it is over.
        unsafe { stream.download(self.copy.start(), self.memory.address, bytes) }
    }
}

impl Known {
    fn is(&self, launches: &[Arc<KeptLaunch>], question: &Question) -> bool {
        self.launches.len() == launches.len()
            && self.question == *question
            // A launch that is known is not freed, so no other one has its address.
            && self.launches.iter().zip(launches).all(|(known, launch)| {
                std::ptr::eq(known.as_ptr(), Arc::as_ptr(launch))
            })
    }

    /// Whether it may come again.
    fn is_there(&self) -> bool {
        self.launches.iter().all(|launch| launch.upgrade().is_some_and(|launch| !launch.is_gone()))
    }

    /// Whether nothing of it is under way.
    fn is_free(&self) -> bool {
        self.looped.as_ref().is_none_or(|looped| Arc::strong_count(looped) == 1)
    }
}

impl State {
    /// The loop of these, made if it is new; nothing where there is none that is free.
    fn looped(
        &mut self,
        device: &CudaDevice,
        launches: &[Arc<KeptLaunch>],
        (question, most): (Question, u32),
    ) -> Option<Arc<Looped>> {
        if let Some(at) = self.known.iter().position(|known| known.is(launches, &question)) {
            let known = self.known.remove(at);
            let looped = if known.is_free() { known.looped.clone() } else { None };
            self.known.push(known);
            return looped;
        }
        self.known.retain(|known| !known.is_free() || known.is_there());
        if self.known.len() >= KNOWN {
            let oldest = self.known.iter().position(Known::is_free)?;
            self.known.remove(oldest);
        }
        let code = self.code(device, &question.text);
        let made = code.and_then(|code| {
            let made = Looped::new(device, launches, (&question, &code), most);
            made.map_err(|failure| {
                let status = failure.words();
                tracing::debug!(api = failure.api, status, "a loop is not made a graph");
            })
            .ok()
        });
        let (looped, launches) =
            (made.map(Arc::new), launches.iter().map(Arc::downgrade).collect());
        self.known.push(Known { launches, question, looped: looped.clone() });
        looped
    }

    /// The code of a text, if the driver takes it.
    fn code(&mut self, device: &CudaDevice, text: &str) -> Option<Arc<Code>> {
        if let Some((_, code)) = self.texts.iter().find(|(known, _)| known == text) {
            return code.clone();
        }
        if self.texts.len() >= KNOWN {
            self.texts.remove(0);
        }
        let code = Code::new(device, text.as_bytes()).map_err(|error| {
            tracing::debug!(%error, "the driver does not take what asks a condition");
        });
        let code = code.ok().map(Arc::new);
        self.texts.push((text.to_owned(), code.clone()));
        code
    }
}

impl Cycles {
    /// Forgets all: their context is gone.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }
}

impl LoopEnd {
    /// Tells how often it went round, and what its launches noted.
    ///
    /// # Safety
    ///
    /// The loop and the copy behind it are over, and whoever submitted it has not been told so: the outcomes are
    /// there until then.
    pub(crate) unsafe fn read(self) {
        let start = self.looped.copy.start().cast::<[u32; WORDS]>();
        // SAFETY: the device has written it, nobody else uses it, and pinned memory starts at a page.
        let [trips, ..] = unsafe { start.read() };
        self.trips.store(trips.into(), Ordering::Relaxed);
        for (k, told) in self.told.iter().enumerate() {
            // SAFETY: as above; there is a record for each that is told.
            let words = unsafe { start.wrapping_add(1 + k).read() };
            // SAFETY: as the caller says.
            unsafe { told.tell(&words) };
        }
        for (k, taken) in self.taken.iter().enumerate() {
            // SAFETY: as above; behind the records of launches there is one for each decision.
            let words = unsafe { start.wrapping_add(1 + self.looped.n + k).read() };
            let told = taken.iter().zip(words);
            told.for_each(|(taken, word)| taken.store(word.into(), Ordering::Relaxed));
        }
    }
}

/// A launch as this backend keeps it.
fn own(launch: &Arc<dyn Prepared>) -> Option<Arc<KeptLaunch>> {
    let any: Arc<dyn Any + Send + Sync> = Arc::<dyn Prepared>::clone(launch);
    any.downcast().ok()
}

/// Whether a device can run loops by itself: the driver has what that takes, and nobody else submits to its
/// streams.
pub(crate) fn may(device: &CudaDevice) -> bool {
    device.holds_back() && cu::has_conditions()
}

/// Submits a loop; nothing where it has to be made trip by trip.
///
/// # Safety
///
/// As `Backend::repeat`.
pub(crate) unsafe fn submit(
    device: &Arc<CudaDevice>,
    queue: Queue,
    repeat: &Repeat<'_, CudaMemory>,
    after: &[Ticket],
) -> Result<Option<Ticket>, DriverError> {
    if !may(device) {
        return Ok(None);
    }
    let launches =
        repeat.launches.iter().map(|(launch, _)| own(launch)).collect::<Option<Vec<_>>>();
    let addresses: Vec<u64> = repeat.cells.iter().map(|cell| cell.0.address).collect();
    let found = launches.zip(ask::question(repeat.test, repeat.decisions, &addresses));
    let Some((launches, question)) = found else { return Ok(None) };
    let context = device.context()?;
    let mut held: Vec<Held> =
        repeat.cells.iter().map(|cell| Held::Memory(Arc::clone(&cell.0))).collect();
    let is_here = |launch: &Arc<KeptLaunch>| {
        let is_here = Arc::ptr_eq(launch.device(), device);
        is_here && Arc::ptr_eq(launch.context(), &context) && !launch.reduces()
    };
    let all_held = launches.iter().try_for_each(|launch| launch.hold(&mut held));
    if all_held.is_none() || !launches.iter().all(is_here) {
        return Ok(None);
    }
    let mut state = device.cycles.0.lock().unwrap_or_else(PoisonError::into_inner);
    let most = repeat.most.max(1);
    let Some(looped) = state.looped(device, &launches, (question, most)) else { return Ok(None) };
    held.push(Held::Cycle(Arc::clone(&looped)));
    let each = launches.iter().zip(repeat.launches);
    let told =
        each.filter(|(launch, _)| launch.notes()).map(|(_, (_, outcome))| Told::new(outcome));
    let (told, trips) = (told.collect(), Arc::clone(repeat.trips));
    let taken = repeat.decisions.iter().map(|decision| decision.taken.clone()).collect();
    let kernel = launches.first().map(|launch| launch.name());
    let extras = Extras {
        kernel,
        held,
        looped: Some(LoopEnd { looped: Arc::clone(&looped), told, trips, taken }),
        ..Extras::default()
    };
    let mut is_refused = false;
    let sent = device.lines.submit(queue, after, extras, |commands| {
        let range = nvtx::range_of(launches.len(), kernel.unwrap_or(""), "loop");
        // SAFETY: as the caller vouches; the lock is held, and nothing of the loop was under way.
        let submitted = commands.add(|stream| unsafe { looped.submit(stream, most) });
        drop(range);
        is_refused = submitted.is_err();
        submitted?;
        commands.add(|stream| looped.end(stream))
    });
    match sent {
        // The host can still make the trips.
        Err(error) if is_refused && error.kind != DriverErrorKind::DeviceLost => {
            drop(looped);
            state.known.pop();
            Ok(None)
        }
        sent => sent.map(Some),
    }
}
