//! From functions to one program: blocks in the order in which lanes wait for each other, registers
//! in as few slots as there can be, and jumps to operations.
//!
//! Of the lanes of a warp those furthest back run first. So a block stands behind all that lead to it
//! but by a jump back, and what a loop leads to stands behind all of the loop: then lanes that part
//! meet again where their ways do.

mod order;
mod slots;

use crate::lower::{Build, FIXED, Unit};
use crate::program::{Kind, NONE, Op, Place, Program, Saved, Target, Use};

/// The program of an entry, the first of `units`, and the functions that it may call.
pub(crate) fn linked(units: Vec<Unit>, build: Build<'_, '_, '_>) -> Program {
    let count = build.scope.function_count();
    let mut program = Program {
        ops: Vec::new(),
        places: Vec::new(),
        start: 0,
        registers: build.fixed.len(),
        predicates: 0,
        frame: 0,
        functions: vec![None; count],
        shared: build.shared_size,
        dynamic: build.shared_size.next_multiple_of(build.dynamic_align.max(1)),
        fixed: build.fixed,
        pressure: 0,
    };
    let recursive = recursive(&units, count);
    let entry = units.first().map_or(0, |unit| unit.number);
    // Functions come first, so that lanes in a function run before those that wait for them.
    for unit in units.into_iter().rev() {
        let (number, frame) = (unit.number, unit.frame);
        let pc = program.ops.len() as u32;
        add(&mut program, unit, recursive[number]);
        if number == entry {
            program.start = pc;
            program.frame = frame;
        } else {
            program.functions[number] = Some(Target { pc, frame });
        }
    }
    program
}

/// Which functions may be called while they run.
fn recursive(units: &[Unit], count: usize) -> Vec<bool> {
    let mut reaches = vec![vec![false; count]; count];
    let by_address: Vec<usize> = units.iter().skip(1).map(|unit| unit.number).collect();
    for unit in units {
        for op in &unit.ops {
            if let Kind::Call(call) = &op.kind {
                match call.to {
                    Ok(number) => reaches[unit.number][number] = true,
                    Err(_) => by_address.iter().for_each(|&to| reaches[unit.number][to] = true),
                }
            }
        }
    }
    for through in 0..count {
        for from in 0..count {
            if reaches[from][through] {
                let through = reaches[through].clone();
                reaches[from].iter_mut().zip(through).for_each(|(to, also)| *to |= also);
            }
        }
    }
    (0..count).map(|number| reaches[number][number]).collect()
}

fn add(program: &mut Program, unit: Unit, recursive: bool) {
    let frame = unit.frame;
    let (mut ops, places) = order::ordered(unit);
    let used = slots::assign(&mut ops);
    program.pressure = program.pressure.max(used.pressure);
    let (start, registers, predicates) =
        (program.ops.len() as u32, program.registers as u32, program.predicates as u32);
    let saved = Saved {
        registers: (registers, registers + used.registers),
        predicates: (predicates, predicates + used.predicates),
    };
    for op in &mut ops {
        op.visit(&mut |slot, how| match how {
            Use::Reads | Use::Writes if *slot & FIXED != 0 => *slot &= !FIXED,
            Use::Reads | Use::Writes => *slot += registers,
            Use::ReadsPred | Use::WritesPred => *slot += predicates,
        });
        match &mut op.kind {
            Kind::Jump { to } => *to += start,
            Kind::JumpTable { to, .. } => to.iter_mut().for_each(|to| *to += start),
            Kind::Call(call) => {
                call.frame = frame;
                call.saved = recursive.then_some(saved);
            }
            // Operands that are not there are read like others, and not looked at.
            Kind::Compute { s, .. } => {
                s.iter_mut().filter(|s| **s == NONE).for_each(|s| *s = 0);
            }
            _ => {}
        }
    }
    program.registers += used.registers as usize;
    program.predicates += used.predicates as usize;
    program.ops.extend(ops);
    program.places.extend(places);
}

/// A function as it is handed from step to step.
type Placed = (Vec<Op>, Vec<Place>);
