//! A module: what a driver asks of it. The text is read in `parse`, and run by `exec`.

use crate::lower::Scope;
use crate::parse::parse;
use crate::program::{Kind, Program};
use crate::{Fault, FaultKind, Launch, Memory, ParseError, exec};

/// The entries and variables of a text, ready to run.
#[derive(Debug)]
pub struct Module {
    pub(crate) version: (u32, u32),
    pub(crate) target: String,
    pub(crate) entries: Vec<Entry>,
    pub(crate) globals: Vec<Global>,
    /// What each entry is to run.
    programs: Vec<Program>,
    /// The text, for what faults say.
    pub(crate) text: String,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name in the text.
    pub name: String,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// An estimate of the 32-bit registers that a thread needs.
    pub registers: u32,
    /// Bytes of shared memory that a block has without asking.
    pub static_shared: u32,
    /// Bytes of local memory of a thread.
    pub local: u32,
    /// `.maxntid`: the most threads of a block that it was compiled for.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqntid`: the one shape of a block that it was compiled for.
    pub required_threads: Option<[u32; 3]>,
    /// `.minnctapersm`: how many blocks should fit on a multiprocessor.
    pub min_blocks: Option<u32>,
}

impl Entry {
    /// Bytes of all parameters, without padding behind the last one.
    pub fn params_size(&self) -> usize {
        self.params.last().map_or(0, |last| last.offset + last.size)
    }
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in the text.
    pub name: String,
    /// Where it begins in [`Launch::params`](crate::Launch::params).
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
    /// What its offset is a multiple of.
    pub align: usize,
}

/// A variable of the module in global or constant memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name in the text.
    pub name: String,
    /// Its bytes.
    pub size: usize,
    /// What its address must be a multiple of.
    pub align: usize,
    /// Whether it is in constant memory.
    pub constant: bool,
    /// What it holds at first, in whole; addresses of variables are zeros here.
    pub initial: Vec<u8>,
    /// The addresses that it holds at first.
    pub addresses: Vec<AddressOf>,
}

/// An address of a variable within what another one holds at first: eight bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressOf {
    /// Where it is to be written.
    pub offset: usize,
    /// Which of [`Module::globals`] it is the address of.
    pub global: usize,
    /// What is added to it.
    pub add: u64,
}

impl Global {
    /// What it holds at first, when the variables of the module have these addresses.
    pub fn image(&self, globals: &[u64]) -> Vec<u8> {
        let mut image = self.initial.clone();
        for address in &self.addresses {
            let value = globals.get(address.global).map_or(0, |at| at.wrapping_add(address.add));
            if let Some(bytes) = image.get_mut(address.offset..address.offset + 8) {
                bytes.copy_from_slice(&value.to_le_bytes());
            }
        }
        image
    }
}

impl Module {
    /// `.version`: the PTX ISA that the text asks for, such as `(9, 0)`.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// `.target`, such as `sm_75`.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The kernels, in the order of the text.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The kernel of this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The variables that the caller is to place, in the order of the text.
    pub fn globals(&self) -> &[Global] {
        &self.globals
    }
}

impl Module {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// The first line that is no PTX. What is PTX and cannot be run is a fault where it is reached.
    pub fn parse(text: &str) -> Result<Module, ParseError> {
        let tree = parse(text)?;
        let scope = Scope::new(&tree);
        let globals = scope.globals()?;
        let (entries, programs) = scope.entries()?.into_iter().unzip();
        Ok(Module {
            version: tree.version,
            target: tree.target.to_owned(),
            entries,
            globals,
            programs,
            text: text.to_owned(),
        })
    }

    /// Lines with instructions that are a fault where they are reached, and what about them.
    pub fn unsupported(&self) -> Vec<(u32, String)> {
        let mut found: Vec<(u32, String)> = Vec::new();
        for program in &self.programs {
            for (op, place) in program.ops.iter().zip(&program.places) {
                if let Kind::Refused { what } = &op.kind {
                    found.push((place.line, what.to_string()));
                }
            }
        }
        found
    }

    /// Runs a grid of the entry to its end. `globals` are the addresses of [`Module::globals`].
    ///
    /// # Errors
    ///
    /// The first fault of any thread, where the grid ends; what it has stored until then stays.
    pub fn run(
        &self,
        entry: &str,
        launch: &Launch<'_>,
        globals: &[u64],
        memory: &dyn Memory,
    ) -> Result<(), Box<Fault>> {
        let mut named = self.entries.iter().zip(&self.programs);
        match named.find(|(it, _)| it.name == entry) {
            Some((entry, program)) => exec::run(self, entry, program, launch, globals, memory),
            None => Err(Box::new(Fault {
                kind: FaultKind::Launch { what: "the module has no such entry".to_owned() },
                entry: entry.to_owned(),
                line: 0,
                instruction: String::new(),
                block: [0; 3],
                thread: [0; 3],
            })),
        }
    }
}
