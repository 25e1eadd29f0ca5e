//! What a text gathers while its functions are written: types, tables, helpers that are called, words
//! that are read, complaints. It writes no statement.

use std::collections::BTreeSet;

use super::dialect::Dialect;
use super::layout::Word;
use super::names::Names;
use super::types::Types;
use super::{Options, math};
use crate::ir::{AtomicOp, ConstValue, Span};
use crate::resolve::Unsaid;
use crate::resolve::typed::Kernel;
use crate::ty::{ScalarTy, Ty};

/// A device function that is written.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Its name in C.
    pub(super) name: String,
    /// Whether it can end the item.
    pub(super) ends: bool,
}

/// A text on the way.
pub(super) struct Module<'k> {
    pub(super) dialect: &'static dyn Dialect,
    pub(super) kernel: &'k Kernel,
    pub(super) options: &'k Options,
    /// Names of functions and types, which no function gives to a value.
    pub(super) names: Names,
    pub(super) types: Types,
    /// Constant arrays and their names.
    tables: Vec<(ConstValue, String)>,
    /// Their declarations.
    pub(super) tables_text: String,
    /// Declarations of several elements at once.
    pub(super) packs_text: String,
    pub(super) functions: Vec<Known>,
    /// Words of the structure.
    pub(super) words: BTreeSet<Word>,
    pub(super) math: math::Uses,
    /// Types of float remainders.
    pub(super) rests: BTreeSet<ScalarTy>,
    /// Conversions from floats to integers.
    pub(super) casts: BTreeSet<(ScalarTy, ScalarTy)>,
    /// Atomic operations that are loops.
    pub(super) loops: BTreeSet<(AtomicOp, ScalarTy)>,
    /// Whether an access outside of an array can be noted.
    pub(super) misses: bool,
    /// Whether an item can be ended.
    pub(super) faults: bool,
    pub(super) atomics64: bool,
    pub(super) atomics64_wide: bool,
    /// Whether `f32` is divided by an operator.
    pub(super) divides: bool,
    pub(super) unsaid: Vec<Unsaid>,
}

impl<'k> Module<'k> {
    pub(super) fn new(
        kernel: &'k Kernel,
        options: &'k Options,
        dialect: &'static dyn Dialect,
    ) -> Self {
        Self {
            dialect,
            kernel,
            options,
            names: Names::default(),
            types: Types::default(),
            tables: Vec::new(),
            tables_text: String::new(),
            packs_text: String::new(),
            functions: Vec::new(),
            words: BTreeSet::new(),
            math: math::Uses::default(),
            rests: BTreeSet::new(),
            casts: BTreeSet::new(),
            loops: BTreeSet::new(),
            misses: false,
            faults: false,
            atomics64: false,
            atomics64_wide: false,
            divides: false,
            unsaid: Vec::new(),
        }
    }

    pub(super) fn complain(&mut self, span: Span, what: impl Into<String>) {
        let unsaid = Unsaid { span, what: what.into() };
        if !self.unsaid.contains(&unsaid) {
            self.unsaid.push(unsaid);
        }
    }

    /// The C type of a type.
    pub(super) fn ty(&mut self, ty: &Ty, span: Span) -> String {
        match self.types.name(ty, self.dialect, &mut self.names) {
            Ok(name) => name,
            Err(why) => {
                self.complain(span, why);
                "int".to_owned()
            }
        }
    }

    /// The C type of so many neighbours of a type, as they are in memory.
    pub(super) fn pack(&mut self, ty: ScalarTy, width: usize) -> String {
        let name = format!("flash_pack_{}x{width}", ty.name());
        let (of, bytes) = (self.dialect.scalar(ty), width * ty.size());
        let line = format!("typedef struct __align__({bytes}) {{ {of} v[{width}]; }} {name};\n");
        if !self.packs_text.contains(&line) {
            self.packs_text += &line;
        }
        name
    }

    /// Whether anything that it does can go wrong.
    pub(super) fn may_fail(&self) -> bool {
        self.misses || self.faults
    }

    /// The name of a constant array, which is a structure as other small arrays are.
    pub(super) fn table(&mut self, value: ConstValue, ty: &Ty, span: Span) -> String {
        if let Some((_, name)) = self.tables.iter().find(|(known, _)| same(known, &value)) {
            return name.clone();
        }
        let name = format!("flash_table{}", self.tables.len());
        let items = items(value, self.dialect);
        let ty = self.ty(ty, span);
        let constant = self.dialect.constant();
        self.tables_text += &format!("{constant}{ty} {name} = {{ {{ {} }} }};\n", items.join(", "));
        self.tables.push((value, name.clone()));
        name
    }
}

/// Whether two constant arrays have the same bits and types; `==` of floats is another thing.
fn same(a: &ConstValue, b: &ConstValue) -> bool {
    match (a, b) {
        (ConstValue::ArrayF32(a), ConstValue::ArrayF32(b)) => {
            a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()))
        }
        (ConstValue::ArrayF64(a), ConstValue::ArrayF64(b)) => {
            a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()))
        }
        _ => a == b,
    }
}

/// The elements of a constant array.
fn items(value: ConstValue, dialect: &dyn Dialect) -> Vec<String> {
    let number = |bits: u64, ty| super::number::literal(bits, ty, dialect).text;
    match value {
        ConstValue::ArrayF32(items) => {
            items.iter().map(|x| number(x.to_bits().into(), ScalarTy::F32)).collect()
        }
        ConstValue::ArrayF64(items) => {
            items.iter().map(|x| number(x.to_bits(), ScalarTy::F64)).collect()
        }
        ConstValue::ArrayI32(items) => {
            items.iter().map(|x| number(*x as u32 as u64, ScalarTy::I32)).collect()
        }
        ConstValue::ArrayU32(items) => {
            items.iter().map(|x| number((*x).into(), ScalarTy::U32)).collect()
        }
        ConstValue::ArrayUsize(items) => {
            items.iter().map(|x| number(*x as u64, ScalarTy::Usize)).collect()
        }
        ConstValue::ArrayU8(items) => {
            items.iter().map(|x| number((*x).into(), ScalarTy::U8)).collect()
        }
        ConstValue::Bool(_) | ConstValue::Int(..) | ConstValue::F32(_) | ConstValue::F64(_) => {
            Vec::new()
        }
    }
}
