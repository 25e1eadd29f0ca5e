//! Calls and returns, and jumps to one of many places.
//!
//! A function has registers of its own; only where it may call itself are the caller's put aside.

use super::block::Own;
use super::warp::{Fail, Warp};
use crate::fault::{Access, FaultKind, Space};
use crate::lanes::{LANES, Mask, Reg, lanes};
use crate::lower::function_at;
use crate::program::{Call, Kind, Target};

/// A call that a lane is in.
#[derive(Debug)]
pub(super) struct Frame {
    /// The operation that called.
    at: u32,
    /// Where the caller's frame begins.
    caller: u64,
    registers: Vec<u64>,
    predicates: Vec<bool>,
}

/// The most local memory that a thread may have.
const STACK: usize = 1 << 19;

impl Warp {
    pub(super) fn jump_table(&mut self, to: &[u32], index: Reg, active: Mask) {
        self.scatter(active, |warp, lane| {
            let index = warp.get(index, lane) as u32 as usize;
            to.get(index).copied().unwrap_or(warp.pc + 1)
        });
    }

    /// Lanes go on where each of them is sent.
    fn scatter(&mut self, active: Mask, to: impl Fn(&Warp, usize) -> u32) {
        let mut groups: Vec<(u32, Mask)> = Vec::new();
        for lane in lanes(active) {
            let to = to(self, lane);
            match groups.iter_mut().find(|(pc, _)| *pc == to) {
                Some((_, mask)) => *mask |= 1 << lane,
                None => groups.push((to, 1 << lane)),
            }
        }
        self.leave(active, &groups);
    }

    /// Lanes go on in groups; those that run and are not among them, at the next instruction.
    fn leave(&mut self, active: Mask, groups: &[(u32, Mask)]) {
        let back = groups.iter().any(|&(pc, _)| pc <= self.pc);
        match groups {
            [(to, mask)] if *mask == self.mask => self.pc = *to,
            _ => {
                let (pc, stay) = (self.pc + 1, self.mask & !active);
                self.mask = 0;
                self.put(pc, stay);
                for &(pc, mask) in groups {
                    self.put(pc, mask);
                }
            }
        }
        if back && self.mask != 0 {
            self.jumped_back();
        }
    }

    pub(super) fn call(
        &mut self,
        own: &mut Own<'_>,
        call: &Call,
        active: Mask,
    ) -> Result<(), Fail> {
        let program = own.grid.program;
        let target = |number: Option<usize>| {
            number.and_then(|number| program.functions.get(number).copied().flatten())
        };
        let mut groups: Vec<(u32, Mask)> = Vec::new();
        for lane in lanes(active) {
            let (number, address) = match call.to {
                Ok(number) => (Some(number), 0),
                Err(register) => {
                    let address = self.get(register, lane);
                    (function_at(address), address)
                }
            };
            let Some(target) = target(number) else {
                let kind = FaultKind::IllegalAddress {
                    address,
                    bytes: 1,
                    space: Space::Generic,
                    access: Access::Load,
                };
                return Err((kind, lane));
            };
            self.enter(call, target, lane)?;
            match groups.iter_mut().find(|(pc, _)| *pc == target.pc) {
                Some((_, mask)) => *mask |= 1 << lane,
                None => groups.push((target.pc, 1 << lane)),
            }
        }
        self.leave(active, &groups);
        Ok(())
    }

    fn enter(&mut self, call: &Call, target: Target, lane: usize) -> Result<(), Fail> {
        let caller = self.get(0, lane);
        let callee = caller + u64::from(call.frame);
        let end = callee as usize + target.frame as usize;
        if end > STACK {
            let kind = FaultKind::IllegalAddress {
                address: callee,
                bytes: target.frame,
                space: Space::Local,
                access: Access::Store,
            };
            return Err((kind, lane));
        }
        let local = &mut self.local[lane];
        if local.len() < end {
            local.resize(end, 0);
        }
        for passed in &call.arguments {
            let from = caller as usize + passed.caller as usize;
            let to = callee as usize + passed.callee as usize;
            local.copy_within(from..from + passed.bytes as usize, to);
        }
        let mut frame =
            Frame { at: self.pc, caller, registers: Vec::new(), predicates: Vec::new() };
        if let Some(saved) = call.saved {
            let (from, to) = saved.registers;
            frame.registers = (from..to).map(|register| self.get(register, lane)).collect();
            let (from, to) = saved.predicates;
            let pred = |pred: u32| self.preds[pred as usize] >> lane & 1 == 1;
            frame.predicates = (from..to).map(pred).collect();
        }
        self.calls[lane].push(frame);
        self.file[0][lane] = callee;
        Ok(())
    }

    /// A function that the module only declares.
    pub(super) fn external(
        &mut self,
        own: &Own<'_>,
        name: &str,
        params: &[(u32, u32)],
        result: Option<(u32, u32)>,
        active: Mask,
    ) -> Result<(), Fail> {
        for lane in lanes(active) {
            let frame = self.get(0, lane) as usize;
            let local = &mut self.local[lane];
            let word = |&(offset, bytes): &(u32, u32)| {
                let from = frame + offset as usize;
                let mut word = [0; 8];
                if let Some(bytes) = local.get(from..from + bytes as usize) {
                    word[..bytes.len()].copy_from_slice(bytes);
                }
                u64::from_le_bytes(word)
            };
            let arguments: Vec<u64> = params.iter().map(word).collect();
            let Some(found) = own.grid.memory.external(name, &arguments) else {
                let what = format!("a call of `{name}`, which the module does not define");
                return Err((FaultKind::Unsupported { what }, lane));
            };
            if let Some((offset, bytes)) = result {
                let from = frame + offset as usize;
                if let Some(to) = local.get_mut(from..from + bytes as usize) {
                    to.copy_from_slice(&found.to_le_bytes()[..bytes as usize]);
                }
            }
        }
        Ok(())
    }

    pub(super) fn return_from(&mut self, own: &Own<'_>, active: Mask) {
        let mut to = [0; LANES];
        for lane in lanes(active) {
            to[lane] = self.leave_function(own, lane);
        }
        self.scatter(active, |_, lane| to[lane]);
    }

    /// Where a lane goes on behind the call that it is in.
    fn leave_function(&mut self, own: &Own<'_>, lane: usize) -> u32 {
        let Some(frame) = self.calls[lane].pop() else { return self.pc + 1 };
        let op = own.grid.program.ops.get(frame.at as usize);
        if let Some(Kind::Call(call)) = op.map(|op| &op.kind) {
            let callee = self.get(0, lane) as usize;
            for passed in &call.results {
                let from = callee + passed.callee as usize;
                let to = frame.caller as usize + passed.caller as usize;
                self.local[lane].copy_within(from..from + passed.bytes as usize, to);
            }
            if let Some(saved) = call.saved {
                for (register, value) in (saved.registers.0..).zip(&frame.registers) {
                    self.file[register as usize][lane] = *value;
                }
                for (pred, &value) in (saved.predicates.0..).zip(&frame.predicates) {
                    self.set(pred, 1 << lane, if value { Mask::MAX } else { 0 });
                }
            }
        }
        self.file[0][lane] = frame.caller;
        frame.at + 1
    }
}
