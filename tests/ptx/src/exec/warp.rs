//! A warp: the registers of its lanes, and the loop that runs them.
//!
//! Which lanes run is decided in `groups`, memory is in `access`, what lanes do together in `together`
//! and calls are in `calls`.

use super::Grid;
use super::block::{Own, arrive};
use super::calls::Frame;
use super::groups::Group;
use super::together::Parked;
use crate::fault::FaultKind;
use crate::lanes::{LANES, Lanes, Mask, Reg, lanes};
use crate::program::{Condition, Fixed, Kind, NONE, Op, Pred, Special, Survey};

/// How many instructions a warp runs in its turn.
const TURN: u32 = 20_000;

/// How many of them one counts for that looks whether memory has changed.
const POLL: u32 = 500;

/// Why a warp does not go on, and the lane.
pub(super) type Fail = (FaultKind, usize);

/// A warp on its way.
pub(super) struct Warp {
    number: u32,
    /// Registers; the first of them are fixed.
    pub(super) file: Vec<Lanes>,
    pub(super) preds: Vec<Mask>,
    /// Lanes that have not ended.
    pub(super) alive: Mask,
    /// The lanes that run, and where.
    pub(super) pc: u32,
    pub(super) mask: Mask,
    /// Lanes that can go on elsewhere, the one furthest back last.
    pub(super) others: Vec<Group>,
    /// Where the lanes that run meet others.
    pub(super) limit: u32,
    /// How often lanes have jumped back while others waited.
    pub(super) trips: u32,
    /// Nothing but where it is the turn of lanes that are ahead.
    pub(super) turn_of_others: u32,
    pub(super) rotation: usize,
    /// Instructions that are left of this turn.
    pub(super) left: u32,
    /// Lanes that wait for others of the warp, each at its instruction.
    pub(super) parked: Vec<Parked>,
    /// Lanes at barriers.
    held: Vec<Held>,
    /// Local memory of each lane.
    pub(super) local: Vec<Vec<u8>>,
    pub(super) calls: Vec<Vec<Frame>>,
    polled: bool,
}

/// Lanes that wait at a barrier, and where they go on.
struct Held {
    at: Group,
    id: u32,
    survey: Option<Survey>,
    d: Reg,
    p: Pred,
}

/// How a turn ended.
pub(super) enum Turn {
    /// It is over.
    Stops,
    /// It was spent on looking whether memory has changed.
    Polls,
}

impl Warp {
    pub(super) fn new(grid: &Grid<'_>, number: u32) -> Self {
        let program = grid.program;
        let mut file = vec![[0; LANES]; program.registers];
        for (register, bits) in file.iter_mut().zip(&grid.fixed) {
            *register = [*bits; LANES];
        }
        let mut warp = Warp {
            number,
            file,
            preds: vec![0; program.predicates],
            alive: 0,
            pc: 0,
            mask: 0,
            others: Vec::new(),
            limit: u32::MAX,
            trips: 0,
            turn_of_others: 0,
            rotation: 0,
            left: 0,
            parked: Vec::new(),
            held: Vec::new(),
            local: vec![vec![0; program.frame as usize]; LANES],
            calls: (0..LANES).map(|_| Vec::new()).collect(),
            polled: false,
        };
        for (at, fixed) in program.fixed.iter().enumerate() {
            if let Fixed::Special(special) = fixed {
                for lane in 0..LANES {
                    if let Some(bits) = warp.of_lane(grid, *special, lane) {
                        warp.file[at][lane] = bits;
                    }
                }
            }
        }
        warp
    }

    /// What a special register holds, if it is not the same in all warps.
    fn of_lane(&self, grid: &Grid<'_>, special: Special, lane: usize) -> Option<u64> {
        let bit = 1_u32 << lane;
        Some(match special {
            Special::Tid(axis) => self.thread(grid, lane)[axis].into(),
            Special::LaneId => lane as u64,
            Special::WarpId => self.number.into(),
            Special::LanesEq => bit.into(),
            Special::LanesLt => (bit - 1).into(),
            Special::LanesLe => (bit | (bit - 1)).into(),
            Special::LanesGt => (!(bit | (bit - 1))).into(),
            Special::LanesGe => (!(bit - 1)).into(),
            _ => return None,
        })
    }

    /// `%tid` of a lane.
    pub(super) fn thread(&self, grid: &Grid<'_>, lane: usize) -> [u32; 3] {
        let [x, y, _] = grid.launch.block;
        let thread = self.number * LANES as u32 + lane as u32;
        [thread % x, thread / x % y, thread / (x * y)]
    }

    /// Begins with a block.
    pub(super) fn begin(&mut self, grid: &Grid<'_>, block: [u32; 3]) {
        for (at, fixed) in grid.program.fixed.iter().enumerate() {
            match fixed {
                Fixed::Special(Special::Ctaid(axis)) => {
                    self.file[at] = [block[*axis].into(); LANES]
                }
                Fixed::Frame => self.file[at] = [0; LANES],
                _ => {}
            }
        }
        let threads: u32 = grid.launch.block.iter().product();
        let rest = threads - self.number * LANES as u32;
        self.alive = if rest >= 32 { Mask::MAX } else { (1 << rest) - 1 };
        self.preds.fill(0);
        (self.pc, self.mask, self.limit) = (grid.program.start, self.alive, u32::MAX);
        (self.trips, self.turn_of_others) = (0, 0);
        self.others.clear();
        self.parked.clear();
        self.held.clear();
        self.calls.iter_mut().for_each(Vec::clear);
    }

    /// Whether nothing can run before a barrier opens.
    pub(super) fn is_blocked(&self) -> bool {
        self.mask == 0 && self.others.is_empty()
    }

    /// Where it is stuck, a lane there, and what for.
    pub(super) fn waits_for(&self) -> (u32, usize, &'static str) {
        if let Some(Parked { at, .. }) = self.parked.first() {
            let lane = at.mask.trailing_zeros() as usize;
            return (at.pc, lane, "lanes of their warp that do not come");
        }
        match self.held.first() {
            // Lanes at a barrier go on behind it.
            Some(held) => {
                let lane = held.at.mask.trailing_zeros() as usize;
                (held.at.pc - 1, lane, "a barrier that not all come to")
            }
            None => (self.pc, 0, "nothing"),
        }
    }

    /// Lets lanes go that wait at a barrier.
    pub(super) fn release(&mut self, id: u32, result: &dyn Fn(Survey) -> u32) {
        let mut at = 0;
        while let Some(held) = self.held.get(at) {
            if held.id != id {
                at += 1;
                continue;
            }
            let Held { at: group, survey, d, p, .. } = self.held.swap_remove(at);
            let found = survey.map_or(0, result);
            if d != NONE {
                lanes(group.mask).for_each(|lane| self.file[d as usize][lane] = found.into());
            }
            self.set(p, group.mask, if found != 0 { Mask::MAX } else { 0 });
            self.put(group.pc, group.mask);
        }
    }

    /// Writes a predicate in some lanes; nothing where it is `NONE`.
    #[inline]
    pub(super) fn set(&mut self, pred: Pred, mask: Mask, value: Mask) {
        if pred != NONE {
            let pred = &mut self.preds[pred as usize];
            *pred = *pred & !mask | value & mask;
        }
    }

    /// The lanes where a condition holds.
    #[inline]
    pub(super) fn holds(&self, condition: Condition) -> Mask {
        let found = self.preds[condition.pred as usize];
        if condition.negated { !found } else { found }
    }

    /// A register in a lane.
    #[inline]
    pub(super) fn get(&self, register: Reg, lane: usize) -> u64 {
        self.file[register as usize][lane]
    }

    /// Runs until nothing can go on, or for a while.
    pub(super) fn turn(&mut self, own: &mut Own<'_>) -> Result<Turn, Fail> {
        self.left = TURN;
        self.polled = false;
        let program = own.grid.program;
        let ops = &program.ops[..];
        loop {
            if self.mask == 0 || self.pc >= self.limit {
                if !self.pick() {
                    return Ok(Turn::Stops);
                }
                continue;
            }
            if self.left == 0 {
                if self.turn_of_others == 0 {
                    return Ok(if self.polled { Turn::Polls } else { Turn::Stops });
                }
                self.left = TURN;
                self.pick();
            }
            self.left -= 1;
            own.clock += 1;
            let Some(op) = ops.get(self.pc as usize) else {
                return Err((FaultKind::Trap, self.first_lane()));
            };
            let mut active = self.mask;
            if op.guard != NONE {
                let found = self.preds[op.guard as usize];
                active &= if op.negated { !found } else { found };
                if active == 0 {
                    self.pc += 1;
                    continue;
                }
            }
            self.step(op, active, own)?;
        }
    }

    fn first_lane(&self) -> usize {
        self.mask.trailing_zeros() as usize % LANES
    }

    #[inline]
    fn step(&mut self, op: &Op, active: Mask, own: &mut Own<'_>) -> Result<(), Fail> {
        match &op.kind {
            Kind::Compute { f, d, s } => f(&mut self.file, *d, *s, active),
            Kind::Compare { f, d, e, s, with } => {
                let found = f(&self.file, *s);
                let (mut yes, mut no) = (found, !found);
                if let Some((logic, with)) = with {
                    let with = self.holds(*with);
                    (yes, no) = (logic.of(yes, with), logic.of(no, with));
                }
                self.set(*d, active, yes);
                self.set(*e, active, no);
            }
            Kind::Choose { d, a, b, p } => {
                let p = self.holds(*p);
                let (a, b) = (&self.file[*a as usize], &self.file[*b as usize]);
                let chosen: Lanes =
                    std::array::from_fn(|lane| if p >> lane & 1 == 1 { a[lane] } else { b[lane] });
                let d = &mut self.file[*d as usize];
                if active == Mask::MAX {
                    *d = chosen;
                } else {
                    lanes(active).for_each(|lane| d[lane] = chosen[lane]);
                }
            }
            Kind::Logic { f, d, a, b } => {
                let found = f.of(self.holds(*a), self.holds(*b));
                self.set(*d, active, found);
            }
            Kind::Load { at, bytes, signed, d, polls } => {
                if *polls {
                    self.poll();
                }
                self.load(own, at, *bytes, *signed, d, active)?;
            }
            Kind::Store { at, bytes, s } => self.store(own, at, *bytes, s, active)?,
            Kind::Atomic { at, bytes, f, d, b, c } => {
                self.poll();
                self.atomic(own, at, *bytes, f, [*d, *b, *c], active)?;
            }
            Kind::Copy { to, from, bytes, present } => {
                self.copy(own, to, from, *bytes, *present, active)?;
            }
            Kind::Jump { to } => {
                self.jump(*to, active);
                return Ok(());
            }
            Kind::JumpTable { to, index } => {
                self.jump_table(to, *index, active);
                return Ok(());
            }
            Kind::Call(call) => return self.call(own, call, active),
            Kind::Return => {
                self.return_from(own, active);
                return Ok(());
            }
            Kind::Exit => {
                self.exit(active);
                return Ok(());
            }
            Kind::Trap => return Err((FaultKind::Trap, active.trailing_zeros() as usize)),
            Kind::Barrier { id, count, wait, survey, d, p } => {
                let lane = active.trailing_zeros() as usize;
                let id = self.get(*id, lane) as u32 % super::block::BARRIERS as u32;
                let expected = (*count != NONE).then(|| self.get(*count, lane) as u32);
                let found = survey.map_or(0, |(_, of)| self.holds(of));
                arrive(&mut own.barriers[id as usize], active, found, expected);
                if *wait {
                    let at = Group { pc: self.pc + 1, mask: active };
                    let survey = survey.map(|(survey, _)| survey);
                    self.held.push(Held { at, id, survey, d: *d, p: *p });
                    self.mask &= !active;
                }
            }
            Kind::Clock { d } => {
                let now = own.clock;
                lanes(active).for_each(|lane| self.file[*d as usize][lane] = now);
            }
            Kind::Pause => {
                self.polled = true;
                self.left = 0;
            }
            Kind::Nothing => {}
            Kind::Assert { params } => return Err(self.assertion(own, *params, active)),
            Kind::External { name, params, result } => {
                self.external(own, name, params, *result, active)?;
            }
            Kind::Refused { what } => {
                let what = what.to_string();
                return Err((FaultKind::Unsupported { what }, active.trailing_zeros() as usize));
            }
            together => {
                if !self.together(together, active) {
                    return Ok(());
                }
            }
        }
        self.pc += 1;
        Ok(())
    }

    /// An instruction looks at memory that others may change.
    fn poll(&mut self) {
        self.polled = true;
        self.left = self.left.saturating_sub(POLL);
        // Others of the warp may be those that change it.
        self.trips += if self.others.is_empty() { 0 } else { POLL / 10 };
    }

    /// Lanes end.
    fn exit(&mut self, mask: Mask) {
        self.alive &= !mask;
        self.mask &= !mask;
        self.pc += 1;
        // Whoever waited for these looks again.
        for Parked { at, .. } in std::mem::take(&mut self.parked) {
            self.put(at.pc, at.mask);
        }
    }
}
