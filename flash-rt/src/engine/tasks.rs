//! Host tasks before they run: their arrays current in host memory, and their slots.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::evaluate::evaluate;
use super::{dispatch, moved_away};
use crate::access::{Access, Mode};
use crate::allocation::{Allocation, Copies, Filled, Reader};
use crate::arg::{ArrayArg, BoundArg, Moves};
use crate::device::{Errand, Pin};
use crate::entry::{ArraySlot, Slot, Tag};
use crate::env::Env;
use crate::error::{At, Error, Result, Site};
use crate::mutex::lock;
use crate::pipeline::TaskNode;
use crate::section::Section;

/// A task that is ready to run.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) slots: Vec<Slot>,
    /// Bytes of its arrays.
    pub(super) bytes: u64,
    /// Keeps what it uses in host memory from being brought there again.
    pins: Vec<Pin>,
    accesses: Vec<Access>,
    /// What the arrays that it fills were elsewhere.
    filled: Vec<(Arc<Allocation>, Filled)>,
}

/// What a task needs to be bound, kept from run to run.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    slots: Vec<Slot>,
    accesses: Vec<Access>,
    pins: Vec<Pin>,
    filled: Vec<(Arc<Allocation>, Filled)>,
}

impl Bound {
    /// After a failure: elements that nobody brought, as they were to be overwritten, are again what
    /// they are elsewhere.
    #[cold]
    pub(super) fn fail(&mut self) {
        self.filled.drain(..).for_each(|(array, filled)| array.unfill(filled));
    }

    /// Its memory, once the task has ended.
    pub(super) fn keep(self) -> Kept {
        let Self { mut slots, mut accesses, mut pins, mut filled, .. } = self;
        slots.clear();
        accesses.clear();
        pins.clear();
        filled.clear();
        Kept { slots, accesses, pins, filled }
    }
}

/// Makes the arrays of a task current on the host and binds them. `ids` are the allocations that
/// the run holds.
/// Where devices have memories of their `own`, what overwrites its arrays there may be submitted
/// before it has ended, so it is noted what it uses here.
pub(super) fn bind(
    node: &mut TaskNode<'_>,
    env: &Env,
    (ids, own): (&Arc<[u64]>, bool),
) -> Result<Bound> {
    let Kept { mut slots, mut accesses, mut pins, mut filled } = std::mem::take(&mut node.kept);
    slots.reserve_exact(node.args.len());
    accesses.reserve_exact(node.args.len());
    let mut bytes = 0;
    for arg in &node.args {
        let array = task_array((node.name, node.site), arg.bound(), env, ids)?;
        if ids.binary_search(&array.allocation.id()).is_err() {
            return Err(moved_away(node.name));
        }
        pins.extend(Pin::on_host(&array.allocation));
        let errand = Errand::argument(arg.name());
        match arg.reads() {
            true => {
                let reader = Reader::Task(node.name, arg.name());
                array.allocation.note_reader(&array.section, reader);
                array.allocation.to_host(&array.section)?;
            }
            false => array.allocation.await_made(&array.section)?,
        }
        drop(errand);
        if arg.writes() {
            array.allocation.await_host(&array.section)?;
        }
        bytes += (array.section.len() * array.allocation.elem().size) as u64;
        let mode = if arg.writes() { Mode::Write } else { Mode::Read };
        accesses.push(Access { allocation: array.allocation, section: array.section, mode });
    }
    // Bringing one array may take the image of another to other memory of the host.
    for access in &accesses {
        slots.push(host_slot((&access.allocation, &access.section), tag(access.mode))?);
    }
    aliased((node.name, node.site, &|k| node.args[k].name()), &accesses)?;
    if own {
        for access in &accesses {
            pins.push(Pin::of_task(access, false)?);
        }
    }
    for (access, arg) in accesses.iter().zip(&node.args) {
        write(access, arg.reads(), &mut filled);
    }
    Ok(Bound { slots, bytes, pins, accesses, filled })
}

/// Notes that a task is about to write an array, if it is, and what that was elsewhere where it fills
/// it.
fn write(access: &Access, reads: bool, filled: &mut Vec<(Arc<Allocation>, Filled)>) {
    let Access { allocation, section, mode } = access;
    match mode {
        Mode::Read => {}
        Mode::Write if reads => allocation.host_wrote(section),
        Mode::Write => {
            let old = allocation.fill(section);
            filled.extend(old.map(|old| (Arc::clone(allocation), old)));
        }
    }
}

/// The array a task gets in these loop iterations.
fn task_array(
    (task, site): (&'static str, Site),
    arg: &BoundArg<'_>,
    env: &Env,
    ids: &Arc<[u64]>,
) -> Result<ArrayArg> {
    match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => Ok(array.array()),
        BoundArg::LazyArray(array) => evaluate(ids, (task, site), || array.resolve(env)),
        BoundArg::Invalid(error) => Err((**error).clone()),
        BoundArg::Value(_) | BoundArg::LazyValue(_) | BoundArg::Variable(..) => Err(Error::Shape {
            what: format!("an array argument of host task `{task}`"),
            expected: vec![1],
            found: Vec::new(),
        }),
    }
}

fn tag(mode: Mode) -> Tag {
    if mode == Mode::Write { Tag::Own } else { Tag::Input }
}

/// A box in host memory.
fn host_slot((allocation, section): (&Allocation, &Section), tag: Tag) -> Result<Slot> {
    let mut slot = Slot { tag, elem: allocation.elem().id, array: ArraySlot::empty() };
    slot.array.rank = section.rank() as u8;
    for d in 0..section.rank() {
        slot.array.held[d] = section.shape()[d];
        slot.array.shape[d] = section.shape()[d];
        // A stride is at most the length of an allocation, which fits an `isize`.
        slot.array.stride[d] = section.stride()[d] as isize;
    }
    slot.array.base = dispatch::host_address(allocation, section)?;
    Ok(slot)
}

/// A task whose data may be brought before its turn comes.
#[derive(Debug)]
pub(super) struct Early {
    name: &'static str,
    site: Site,
    args: Vec<EarlyArg>,
    /// How many turns data are brought for: of a task that writes, which may be what it reads in its next
    /// turn, one.
    turns: usize,
    kept: Mutex<Vec<Kept>>,
    claims: Mutex<Claims>,
}

/// How many turns of a task that has not begun data are brought for: with one alone, the copies for the
/// next turn would be submitted only when those for this one are complete, and whoever copies would wait
/// for two threads to wake up.
pub(super) const TURNS: usize = 2;

/// The data of the next turns of a task, from when the copies are submitted until it has begun.
#[derive(Debug, Default)]
struct Claims {
    turns: VecDeque<Claim>,
    /// How many turns came before the first of them.
    begun: u64,
    /// Whether what brings data waits until the task has begun.
    is_parked: bool,
}

/// The data for one turn of a task.
#[derive(Debug)]
struct Claim {
    /// None where they have to be brought in its turn.
    data: Option<Bound>,
    /// Whether they are there.
    is_done: bool,
}

/// What is to be done as a task has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    /// The data for its next turn are there already.
    pub(super) next_is_there: bool,
    /// What brings its data has waited for this.
    pub(super) was_parked: bool,
}

/// An array of such a task.
#[derive(Debug)]
struct EarlyArg {
    name: &'static str,
    array: ArrayArg,
    /// Which row of it is meant, where that follows a loop variable.
    moves: Option<Moves>,
    mode: Mode,
    /// Whether what was there is needed.
    reads: bool,
}

impl EarlyArg {
    /// The array in these iterations of the loops, where `stands` says which one stands for it.
    fn resolve<'g>(
        &'g self,
        (env, site): (&Env, Site),
        stands: impl Fn(&'g Arc<Allocation>) -> &'g Arc<Allocation>,
    ) -> Result<ArrayArg> {
        let ArrayArg { allocation, section } = &self.array;
        let section = match self.moves {
            Some(moves) => section.fix_first(moves.index(env), site)?,
            None => *section,
        };
        Ok(ArrayArg { allocation: Arc::clone(stands(allocation)), section })
    }
}

impl Early {
    /// Of a task whose arrays are known without asking anybody.
    pub(super) fn new(node: &TaskNode<'_>) -> Option<Self> {
        let mut args = Vec::with_capacity(node.args.len());
        for arg in &node.args {
            let (array, moves) = match arg.bound() {
                BoundArg::Array(array) | BoundArg::Cell(array) => (array.array(), None),
                BoundArg::LazyArray(array) => (array.within().clone(), Some(array.moves()?)),
                _ => return None,
            };
            let mode = if arg.writes() { Mode::Write } else { Mode::Read };
            args.push(EarlyArg { name: arg.name(), array, moves, mode, reads: arg.reads() });
        }
        let (name, site) = (node.name, node.site);
        let reads = args.iter().any(|arg| arg.mode == Mode::Read);
        let turns = if args.iter().any(|arg| arg.mode == Mode::Write) { 1 } else { TURNS };
        let (kept, claims) = Default::default();
        reads.then_some(Self { name, site, args, turns, kept, claims })
    }

    /// Where it is, for errors; `node` is its number.
    pub(super) fn at(&self, node: u32) -> At {
        At { node: Some(node as usize), stage: self.name, site: self.site }
    }

    /// Another array in the place of one.
    pub(super) fn each_array(&mut self, found: &mut dyn FnMut(&mut Arc<Allocation>)) {
        self.args.iter_mut().for_each(|arg| found(&mut arg.array.allocation));
    }

    /// Submits what brings the data that it only reads; nothing where memory of the host is in use
    /// that they need. Until the copies are complete the data are not to be looked at.
    /// `stands` says which array stands for one in this trip.
    pub(super) fn bring<'g>(
        &'g self,
        env: &Env,
        stands: impl Fn(&'g Arc<Allocation>) -> &'g Arc<Allocation>,
    ) -> Result<Option<(Bound, Copies)>> {
        let kept = lock(&self.kept).pop().unwrap_or_default();
        let Kept { mut slots, mut accesses, mut pins, filled } = kept;
        let (mut bytes, mut copies) = (0, Copies::new());
        for arg in &self.args {
            // The task says itself where an index is outside.
            let Ok(array) = arg.resolve((env, self.site), &stands) else { return Ok(None) };
            let (ArrayArg { allocation, section }, mode) = (array, arg.mode);
            if mode == Mode::Read {
                if allocation.is_foreign() {
                    return Ok(None);
                }
                pins.extend(Pin::on_host(&allocation));
                allocation.note_reader(&section, Reader::Task(self.name, arg.name));
                let _errand = Errand::argument(arg.name);
                if !allocation.begin_to_host(&section, &mut copies)? {
                    return Ok(None);
                }
            }
            bytes += (section.len() * allocation.elem().size) as u64;
            accesses.push(Access { allocation, section, mode });
        }
        aliased((self.name, self.site, &|k| self.args[k].name), &accesses)?;
        // Bringing one array may take the image of another to other memory of the host.
        for access in &accesses {
            if access.mode == Mode::Read {
                pins.push(Pin::of_task(access, true)?);
            }
            slots.push(host_slot((&access.allocation, &access.section), tag(access.mode))?);
        }
        Ok(Some((Bound { slots, bytes, pins, accesses, filled }, copies)))
    }

    /// Brings what it writes too, as its turn has come; on an error that can be tried again.
    pub(super) fn complete(&self, bound: &mut Bound) -> Result<()> {
        let Bound { slots, pins, accesses, filled, .. } = bound;
        // What is read may be in other memory by now.
        let mut starts = pins.iter().filter_map(Pin::begin);
        for (slot, Access { allocation, section, mode }) in slots.iter_mut().zip(&*accesses) {
            if *mode == Mode::Read
                && let Some(start) = starts.next()
            {
                slot.array.base = dispatch::address_in(start, allocation, section);
            }
        }
        drop(starts);
        let writes = |access: &&Access| access.mode == Mode::Write;
        let named = accesses.iter().zip(&self.args).filter(|(access, _)| writes(access));
        for (Access { allocation, section, .. }, arg) in named {
            pins.extend(Pin::on_host(allocation));
            let errand = Errand::argument(arg.name);
            match arg.reads {
                true => {
                    allocation.note_reader(section, Reader::Task(self.name, arg.name));
                    allocation.to_host(section)?;
                }
                false => allocation.await_made(section)?,
            }
            drop(errand);
            allocation.await_host(section)?;
        }
        for (slot, access) in slots.iter_mut().zip(&*accesses) {
            if access.mode == Mode::Write {
                *slot = host_slot((&access.allocation, &access.section), Tag::Own)?;
                pins.push(Pin::of_task(access, false)?);
            }
        }
        for (access, arg) in accesses.iter().zip(&self.args) {
            write(access, arg.reads, filled);
        }
        Ok(())
    }

    /// Whether data may be brought for one turn more; else whoever would is told once the task has begun.
    pub(super) fn has_room(&self) -> bool {
        let mut claims = lock(&self.claims);
        claims.is_parked = claims.turns.len() >= self.turns;
        !claims.is_parked
    }

    /// Whether the task has not begun yet with what was brought last.
    pub(super) fn is_ahead(&self) -> bool {
        !lock(&self.claims).turns.is_empty()
    }

    /// Where nothing can be brought now: whether to wait until the task has begun, which is no use where
    /// it has.
    pub(super) fn parks(&self) -> bool {
        let mut claims = lock(&self.claims);
        claims.is_parked = !claims.turns.is_empty();
        claims.is_parked
    }

    /// Keeps the data of one turn more; the number of that turn.
    pub(super) fn claim(&self, data: Option<Bound>) -> u64 {
        let mut claims = lock(&self.claims);
        claims.turns.push_back(Claim { data, is_done: false });
        claims.begun + claims.turns.len() as u64 - 1
    }

    /// Notes that the data of a turn are there; whether that turn is the next one.
    pub(super) fn is_next(&self, turn: u64) -> bool {
        let mut claims = lock(&self.claims);
        let at = turn.wrapping_sub(claims.begun) as usize;
        if let Some(claim) = claims.turns.get_mut(at) {
            claim.is_done = true;
        }
        at == 0
    }

    /// The data of a turn that are brought once more, as what was submitted has failed.
    pub(super) fn renew(&self, turn: u64, data: Option<Bound>) {
        let mut claims = lock(&self.claims);
        let at = turn.wrapping_sub(claims.begun) as usize;
        if let Some(claim) = claims.turns.get_mut(at) {
            claim.data = data;
        }
    }

    /// Keeps the data for another try of this turn. Whoever deals with what has failed waits until nobody
    /// is at anything, so nobody may wait for this task meanwhile.
    pub(super) fn keep(&self, mut bound: Bound) {
        bound.pins.retain(Pin::postpone);
        if let Some(claim) = lock(&self.claims).turns.front_mut() {
            claim.data = Some(bound);
        }
    }

    /// The data for this turn, if they were brought.
    pub(super) fn take(&self) -> Option<Bound> {
        lock(&self.claims).turns.front_mut().and_then(|claim| claim.data.take())
    }

    /// Notes that the task has begun.
    pub(super) fn begin(&self) -> Begun {
        let mut claims = lock(&self.claims);
        claims.begun += u64::from(claims.turns.pop_front().is_some());
        Begun {
            next_is_there: claims.turns.front().is_some_and(|claim| claim.is_done),
            was_parked: std::mem::take(&mut claims.is_parked),
        }
    }

    /// Forgets what was brought for turns that do not come.
    pub(super) fn clear(&self) {
        let mut claims = lock(&self.claims);
        claims.turns.clear();
        claims.is_parked = false;
    }

    /// Keeps the memory of a task that has ended, for a turn to come.
    pub(super) fn give_back(&self, kept: Kept) {
        let mut all = lock(&self.kept);
        if all.len() < TURNS {
            all.push(kept);
        }
    }
}

/// What a task writes overlaps nothing else it touches.
fn aliased(
    (kernel, site, name): (&'static str, Site, &dyn Fn(usize) -> &'static str),
    accesses: &[Access],
) -> Result<()> {
    for (k, access) in accesses.iter().enumerate() {
        for (l, other) in accesses.iter().enumerate().skip(k + 1) {
            if access.conflicts(other) {
                let (written, other) = if access.mode == Mode::Write { (k, l) } else { (l, k) };
                let (written, other) = (name(written), name(other));
                return Err(Error::Aliased { kernel, site, written, other });
            }
        }
    }
    Ok(())
}
