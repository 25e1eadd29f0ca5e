//! From a tree to programs: names become places, instructions become operations.
//!
//! An instruction that is not known, or not in this form, becomes one that fails where it is reached.

mod bits;
mod compare;
mod control;
mod convert;
mod float;
mod instruction;
mod integer;
mod memory;
mod names;
mod operand;
mod unit;
mod warp;

use std::collections::HashMap;

use crate::ParseError;
use crate::flow::linked;
use crate::lanes::Reg;
use crate::module::{AddressOf, Entry, Global, Param};
use crate::program::{FUNCTION_WINDOW, Fixed, Program};
use crate::syntax::{Function, Initial, Tree, Variable, Where};
pub(crate) use control::function_at;
pub(crate) use unit::Unit;
use unit::unit;

/// Registers from here on are fixed ones.
pub(crate) const FIXED: u32 = 1 << 31;

/// Why an instruction is not lowered.
pub(crate) enum Trouble {
    /// It is no PTX.
    Wrong(String),
    /// It is, and there is no operation for it.
    Refused(String),
}

pub(crate) type Answer<T> = std::result::Result<T, Trouble>;

/// A module's names.
pub(crate) struct Scope<'t, 'a> {
    tree: &'t Tree<'a>,
    globals: HashMap<&'a str, usize>,
    functions: HashMap<&'a str, usize>,
}

impl<'t, 'a> Scope<'t, 'a> {
    pub(crate) fn new(tree: &'t Tree<'a>) -> Self {
        let mut functions = HashMap::new();
        for (number, function) in tree.functions.iter().enumerate() {
            // A definition comes after its declarations.
            functions.insert(function.name, number);
        }
        for (name, of) in &tree.aliases {
            if let Some(&number) = functions.get(of) {
                functions.insert(name, number);
            }
        }
        let is_global = |it: &&Variable<'_>| matches!(it.space, Where::Global | Where::Const);
        let globals = tree.variables.iter().filter(is_global).enumerate();
        let globals = globals.map(|(number, it)| (it.name, number)).collect();
        Scope { tree, globals, functions }
    }

    /// The variables that a caller places.
    pub(crate) fn globals(&self) -> Result<Vec<Global>, ParseError> {
        let variables = self.tree.variables.iter();
        variables
            .filter(|it| matches!(it.space, Where::Global | Where::Const))
            .map(|variable| self.global(variable))
            .collect()
    }

    fn global(&self, variable: &Variable<'a>) -> Result<Global, ParseError> {
        let mut initial = vec![0; variable.size];
        let mut addresses = Vec::new();
        let bytes = variable.ty.bytes();
        for (element, value) in variable.initial.iter().enumerate() {
            let offset = element * bytes;
            let bits = match *value {
                Initial::Bits(bits) => bits,
                Initial::Address(name, add) => match self.globals.get(name) {
                    Some(&global) => {
                        addresses.push(AddressOf { offset, global, add });
                        0
                    }
                    None => {
                        let number = self.functions.get(name).ok_or_else(|| ParseError {
                            line: variable.line,
                            what: format!("there is no variable or function `{name}`"),
                        })?;
                        FUNCTION_WINDOW + *number as u64
                    }
                },
            };
            let place = initial.get_mut(offset..offset + bytes).ok_or_else(|| ParseError {
                line: variable.line,
                what: format!("`{}` is shorter than what it holds", variable.name),
            })?;
            place.copy_from_slice(&bits.to_le_bytes()[..bytes]);
        }
        Ok(Global {
            name: variable.name.to_owned(),
            size: variable.size,
            align: variable.align,
            constant: variable.space == Where::Const,
            initial,
            addresses,
        })
    }

    /// How many functions there are.
    pub(crate) fn function_count(&self) -> usize {
        self.tree.functions.len()
    }

    /// The entries, each with its program.
    pub(crate) fn entries(&self) -> Result<Vec<(Entry, Program)>, ParseError> {
        let functions = self.tree.functions.iter().enumerate();
        functions
            .filter(|(_, function)| function.entry && function.body.is_some())
            .map(|(number, function)| self.entry(number, function))
            .collect()
    }

    fn entry(
        &self,
        number: usize,
        function: &Function<'a>,
    ) -> Result<(Entry, Program), ParseError> {
        let params = params(function);
        let mut build = Build::new(self);
        let entry = unit(&mut build, number)?;
        let mut units = vec![entry];
        // Functions that are called or whose address is taken, until there are no more.
        let mut next = 0;
        while let Some(&number) = build.wanted.get(next) {
            next += 1;
            if self.tree.functions[number].body.is_some() {
                units.push(unit(&mut build, number)?);
            }
        }
        let program = linked(units, build);
        let entry = Entry {
            name: function.name.to_owned(),
            params,
            registers: program.pressure,
            static_shared: program.shared,
            local: program.frame,
            max_threads: function.max_threads,
            required_threads: function.required_threads,
            min_blocks: function.min_blocks,
        };
        Ok((entry, program))
    }
}

/// The parameters of an entry, each where its alignment lets it begin.
fn params(function: &Function<'_>) -> Vec<Param> {
    let mut end = 0_usize;
    let place = |it: &Variable<'_>| {
        let offset = end.next_multiple_of(it.align.max(1));
        end = offset + it.size;
        Param { name: it.name.to_owned(), offset, size: it.size, align: it.align }
    };
    function.params.iter().map(place).collect()
}

/// Where results and parameters of a function are in its frame, and where they end. Whoever calls it
/// knows nothing but their sizes and alignments.
pub(crate) fn frame_of(
    results: &[(usize, usize)],
    params: &[(usize, usize)],
) -> (Vec<u32>, Vec<u32>, u32) {
    let mut end = 0_u32;
    let mut place = |&(size, align): &(usize, usize)| {
        let offset = end.next_multiple_of(align.max(1) as u32);
        end = offset + size as u32;
        offset
    };
    let results = results.iter().map(&mut place).collect();
    let params = params.iter().map(&mut place).collect();
    (results, params, end)
}

/// A program that is being made.
pub(crate) struct Build<'s, 't, 'a> {
    pub(crate) scope: &'s Scope<'t, 'a>,
    pub(crate) fixed: Vec<Fixed>,
    numbers: HashMap<Fixed, Reg>,
    /// Offsets of the module's shared variables that were named.
    shared: HashMap<&'a str, u32>,
    /// Bytes of static shared memory so far.
    pub(crate) shared_size: u32,
    /// What dynamic shared memory is aligned to.
    pub(crate) dynamic_align: u32,
    /// Functions that the program needs.
    wanted: Vec<usize>,
}

impl<'s, 't, 'a> Build<'s, 't, 'a> {
    fn new(scope: &'s Scope<'t, 'a>) -> Self {
        let mut build = Build {
            scope,
            fixed: Vec::new(),
            numbers: HashMap::new(),
            shared: HashMap::new(),
            shared_size: 0,
            dynamic_align: 16,
            wanted: Vec::new(),
        };
        // Exec finds it at 0.
        build.fixed(Fixed::Frame);
        build
    }

    /// The register that holds this.
    fn fixed(&mut self, what: Fixed) -> Reg {
        let next = FIXED | self.fixed.len() as u32;
        let number = *self.numbers.entry(what).or_insert(next);
        if number == next {
            self.fixed.push(what);
        }
        number
    }

    /// Asks for a function to be part of the program.
    fn want(&mut self, number: usize) {
        if !self.wanted.contains(&number) {
            self.wanted.push(number);
        }
    }

    /// Every function whose address stands in a variable, as any call by address may reach it.
    fn want_addressed(&mut self) {
        for variable in &self.scope.tree.variables {
            for initial in &variable.initial {
                if let Initial::Address(name, _) = initial
                    && let Some(&number) = self.scope.functions.get(name)
                {
                    self.want(number);
                }
            }
        }
    }

    /// Room in static shared memory.
    fn place_shared(&mut self, size: usize, align: usize) -> u32 {
        let offset = self.shared_size.next_multiple_of(align.max(1) as u32);
        self.shared_size = offset + size as u32;
        offset
    }
}
