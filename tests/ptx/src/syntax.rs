//! A module as it is written: declarations and statements, names not yet looked up.
//!
//! Nothing here is checked against anything.

use crate::types::Type;

/// All of a text.
#[derive(Debug, Default)]
pub(crate) struct Tree<'a> {
    pub(crate) version: (u32, u32),
    pub(crate) target: &'a str,
    pub(crate) variables: Vec<Variable<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
    /// `.alias a, b;`: `a` is another name of `b`.
    pub(crate) aliases: Vec<(&'a str, &'a str)>,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Global,
    Const,
    Shared,
    Local,
    Param,
}

/// A variable or a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'a> {
    pub(crate) line: u32,
    pub(crate) space: Where,
    pub(crate) name: &'a str,
    pub(crate) align: usize,
    pub(crate) ty: Type,
    /// Its bytes; 0 where an array has no length.
    pub(crate) size: usize,
    /// Declared elsewhere, or dynamic shared memory.
    pub(crate) external: bool,
    /// What it holds at first, in elements of its type.
    pub(crate) initial: Vec<Initial<'a>>,
}

/// An element of what a variable holds at first.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Initial<'a> {
    /// Bits.
    Bits(u64),
    /// The address of a variable or a function, and what is added.
    Address(&'a str, u64),
}

/// A function or an entry.
#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) entry: bool,
    pub(crate) results: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
    pub(crate) max_threads: Option<[u32; 3]>,
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) min_blocks: Option<u32>,
    /// Nothing where it is only declared.
    pub(crate) body: Option<Vec<Statement<'a>>>,
}

/// What stands in a body.
#[derive(Debug)]
pub(crate) enum Statement<'a> {
    Label(&'a str),
    /// `.reg`: the names, or one prefix and how many it has.
    Registers {
        ty: Type,
        names: Vec<(&'a str, Option<u32>)>,
    },
    Variable(Variable<'a>),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `name: .branchtargets ..;`
    Targets(&'a str, Vec<&'a str>),
    /// `name: .callprototype ..;`
    Prototype(&'a str, Signature),
    Instruction(Instruction<'a>),
}

/// Sizes and alignments of results and parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    pub(crate) results: Vec<(usize, usize)>,
    pub(crate) params: Vec<(usize, usize)>,
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    pub(crate) line: u32,
    /// The bytes of the text that it is.
    pub(crate) span: (usize, usize),
    /// The predicate that it waits for, and whether that is to be false.
    pub(crate) guard: Option<(&'a str, bool)>,
    /// Its name with suffixes.
    pub(crate) name: &'a str,
    pub(crate) operands: Vec<Operand<'a>>,
}

/// An operand.
#[derive(Clone, Debug)]
pub(crate) enum Operand<'a> {
    /// A register, a variable, a label, `_`.
    Word(&'a str),
    /// A variable and what is added to its address.
    Offset(&'a str, i64),
    Int(u64),
    Single(u32),
    Double(u64),
    /// `!p`
    Not(&'a str),
    /// `[base + offset]`; no base where it is a number.
    Memory(Option<&'a str>, i64),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`
    List(Vec<Operand<'a>>),
    /// `a|b`
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
}
