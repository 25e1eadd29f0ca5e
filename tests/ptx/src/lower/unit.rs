//! A function on its way to operations: its scopes, registers and frame.
//!
//! Statements are gone through here, instructions in `instruction`.

use std::collections::HashMap;

use super::{Build, Trouble, frame_of};
use crate::ParseError;
use crate::program::{Condition, Kind, NONE, Op, Place, Pred};
use crate::syntax::{Function, Instruction, Signature, Statement, Variable, Where};
use crate::types::Type;

/// A function's operations. Jumps are to labels.
pub(crate) struct Unit {
    /// The number of the function in the module.
    pub(crate) number: usize,
    pub(crate) ops: Vec<Op>,
    pub(crate) places: Vec<Place>,
    /// Which operation each label stands before.
    pub(crate) labels: Vec<usize>,
    pub(crate) registers: u32,
    pub(crate) predicates: u32,
    /// Bytes of its frame.
    pub(crate) frame: u32,
}

/// What a name of a function stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Register(u32),
    Predicate(u32),
    /// A variable in the frame.
    Local {
        offset: u32,
        size: u32,
    },
    /// A parameter of an entry.
    Param(u32),
    /// A variable in static shared memory.
    Shared(u32),
    Dynamic,
    Label(usize),
}

/// Registers that share a prefix: the number of the first one, and how many there are.
#[derive(Clone, Copy)]
struct Family {
    predicate: bool,
    first: u32,
    count: u32,
}

#[derive(Default)]
struct Names<'a> {
    parent: Option<usize>,
    symbols: HashMap<&'a str, Symbol>,
    families: HashMap<&'a str, Family>,
}

/// A function that is being lowered.
pub(super) struct Body<'b, 's, 't, 'a> {
    pub(super) build: &'b mut Build<'s, 't, 'a>,
    pub(super) function: &'t Function<'a>,
    scopes: Vec<Names<'a>>,
    scope: usize,
    pub(super) targets: HashMap<&'a str, Vec<&'a str>>,
    pub(super) prototypes: HashMap<&'a str, Signature>,
    pub(super) unit: Unit,
    pub(super) guard: (Pred, bool),
    place: Place,
    /// The register of carries, if there is one.
    pub(super) carry: Option<u32>,
}

/// The operations of a function.
pub(super) fn unit<'a>(
    build: &mut Build<'_, '_, 'a>,
    number: usize,
) -> std::result::Result<Unit, ParseError> {
    let function = &build.scope.tree.functions[number];
    let unit = Unit {
        number,
        ops: Vec::new(),
        places: Vec::new(),
        labels: Vec::new(),
        registers: 0,
        predicates: 0,
        frame: 0,
    };
    let mut body = Body {
        build,
        function,
        scopes: vec![Names::default()],
        scope: 0,
        targets: HashMap::new(),
        prototypes: HashMap::new(),
        unit,
        guard: (NONE, false),
        place: Place::default(),
        carry: None,
    };
    body.parameters();
    body.lower()?;
    body.unit.frame = body.unit.frame.next_multiple_of(16);
    Ok(body.unit)
}

fn sizes(variables: &[Variable<'_>]) -> Vec<(usize, usize)> {
    variables.iter().map(|it| (it.size, it.align)).collect()
}

/// The signature of a function of the module.
pub(super) fn signature(function: &Function<'_>) -> Signature {
    Signature { results: sizes(&function.results), params: sizes(&function.params) }
}

impl<'a> Body<'_, '_, '_, 'a> {
    fn parameters(&mut self) {
        let function = self.function;
        if function.entry {
            for (param, variable) in super::params(function).iter().zip(&function.params) {
                let symbol = Symbol::Param(param.offset as u32);
                self.scopes[0].symbols.insert(variable.name, symbol);
            }
            return;
        }
        let (results, params, end) = frame_of(&sizes(&function.results), &sizes(&function.params));
        self.unit.frame = end;
        let variables = function.results.iter().chain(&function.params);
        for (variable, offset) in variables.zip(results.into_iter().chain(params)) {
            let symbol = Symbol::Local { offset, size: variable.size as u32 };
            self.scopes[0].symbols.insert(variable.name, symbol);
        }
    }

    fn lower(&mut self) -> std::result::Result<(), ParseError> {
        let Some(statements) = &self.function.body else { return Ok(()) };
        self.find_labels(statements);
        let mut opened = 0;
        for statement in statements {
            match statement {
                Statement::Open => {
                    opened += 1;
                    self.scope = opened;
                }
                Statement::Close => self.scope = self.scopes[self.scope].parent.unwrap_or(0),
                Statement::Label(label) => {
                    if let Some(Symbol::Label(number)) = self.scopes[self.scope].symbols.get(label)
                    {
                        self.unit.labels[*number] = self.unit.ops.len();
                    }
                }
                Statement::Registers { ty, names } => self.declare(*ty, names),
                Statement::Variable(variable) => self.variable(variable)?,
                Statement::Targets(name, labels) => {
                    self.targets.insert(name, labels.clone());
                }
                Statement::Prototype(name, signature) => {
                    self.prototypes.insert(name, signature.clone());
                }
                Statement::Instruction(instruction) => self.statement(instruction)?,
            }
        }
        // Whoever runs over the end returns.
        self.guard = (NONE, false);
        self.emit(if self.function.entry { Kind::Exit } else { Kind::Return });
        Ok(())
    }

    /// Labels may be named before they stand, so they are found first, with their scopes.
    fn find_labels(&mut self, statements: &[Statement<'a>]) {
        let mut scope = 0;
        for statement in statements {
            match statement {
                Statement::Open => {
                    self.scopes.push(Names { parent: Some(scope), ..Names::default() });
                    scope = self.scopes.len() - 1;
                }
                Statement::Close => scope = self.scopes[scope].parent.unwrap_or(0),
                Statement::Label(label) => {
                    let number = self.unit.labels.len();
                    self.unit.labels.push(0);
                    self.scopes[scope].symbols.insert(label, Symbol::Label(number));
                }
                _ => {}
            }
        }
    }

    fn declare(&mut self, ty: Type, names: &[(&'a str, Option<u32>)]) {
        let predicate = ty == Type::Pred;
        for &(name, count) in names {
            let next = if predicate { &mut self.unit.predicates } else { &mut self.unit.registers };
            let first = *next;
            *next += count.unwrap_or(1);
            let scope = &mut self.scopes[self.scope];
            match count {
                Some(count) => {
                    scope.families.insert(name, Family { predicate, first, count });
                }
                None => {
                    let symbol =
                        if predicate { Symbol::Predicate(first) } else { Symbol::Register(first) };
                    scope.symbols.insert(name, symbol);
                }
            }
        }
    }

    fn variable(&mut self, variable: &Variable<'a>) -> std::result::Result<(), ParseError> {
        let symbol = match variable.space {
            Where::Shared if variable.size == 0 || variable.external => {
                let align = &mut self.build.dynamic_align;
                *align = (*align).max(variable.align as u32);
                Symbol::Dynamic
            }
            Where::Shared => Symbol::Shared(self.build.place_shared(variable.size, variable.align)),
            Where::Local | Where::Param => {
                let offset = self.unit.frame.next_multiple_of(variable.align.max(1) as u32);
                self.unit.frame = offset + variable.size as u32;
                Symbol::Local { offset, size: variable.size as u32 }
            }
            Where::Global | Where::Const => {
                return Err(ParseError {
                    line: variable.line,
                    what: format!("`{}` must be declared outside of functions", variable.name),
                });
            }
        };
        self.scopes[self.scope].symbols.insert(variable.name, symbol);
        Ok(())
    }

    fn statement(&mut self, it: &Instruction<'a>) -> std::result::Result<(), ParseError> {
        self.place = Place { line: it.line, span: (it.span.0 as u32, it.span.1 as u32) };
        let done = self.guarded(it).and_then(|()| self.instruction(it));
        match done {
            Ok(()) => Ok(()),
            Err(Trouble::Refused(what)) => {
                self.emit(Kind::Refused { what: what.into() });
                Ok(())
            }
            Err(Trouble::Wrong(what)) => {
                Err(ParseError { line: it.line, what: format!("`{}`: {what}", it.name) })
            }
        }
    }

    fn guarded(&mut self, it: &Instruction<'a>) -> super::Answer<()> {
        self.guard = match it.guard {
            Some((name, negated)) => (self.predicate(name)?, negated),
            None => (NONE, false),
        };
        Ok(())
    }

    /// An operation under the guard of the instruction.
    pub(super) fn emit(&mut self, kind: Kind) {
        let (guard, negated) = self.guard;
        self.unit.ops.push(Op { guard, negated, kind });
        self.unit.places.push(self.place);
    }

    /// What a name stands for.
    pub(super) fn symbol(&self, name: &str) -> Option<Symbol> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, number) = name.split_at(name.len() - digits);
        let number: Option<u32> = number.parse().ok();
        let mut scope = Some(self.scope);
        while let Some(at) = scope {
            let names = &self.scopes[at];
            if let Some(symbol) = names.symbols.get(name) {
                return Some(*symbol);
            }
            if let (Some(family), Some(number)) = (names.families.get(prefix), number)
                && number < family.count
            {
                let register = family.first + number;
                return Some(if family.predicate {
                    Symbol::Predicate(register)
                } else {
                    Symbol::Register(register)
                });
            }
            scope = names.parent;
        }
        None
    }

    /// The predicate of this name.
    pub(super) fn predicate(&self, name: &str) -> super::Answer<Pred> {
        match self.symbol(name) {
            Some(Symbol::Predicate(number)) => Ok(number),
            _ => Err(Trouble::Wrong(format!("there is no predicate `{name}`"))),
        }
    }

    /// A register that the text does not have.
    pub(super) fn scratch(&mut self) -> u32 {
        self.unit.registers += 1;
        self.unit.registers - 1
    }

    /// Likewise a predicate.
    pub(super) fn scratch_predicate(&mut self) -> Pred {
        self.unit.predicates += 1;
        self.unit.predicates - 1
    }

    /// The predicate, as it is read where it is true.
    pub(super) fn is(pred: Pred) -> Condition {
        Condition { pred, negated: false }
    }
}
