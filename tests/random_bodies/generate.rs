//! Draws kernels from a seed and writes them as Rust: the source of `kernels.rs`. Every kernel is in
//! the language, reads in range, divides by what is not zero, and overflows only where that wraps,
//! so that debug builds, release builds and the interpreter must agree to the bit.

mod expressions;
mod kernel;
mod parts;
mod products;
mod statements;

use std::fmt::Write;

/// Number of kernels.
const KERNELS: usize = 48;
/// Number of those that sum along rows and columns.
const PRODUCTS: usize = 8;
/// Number of those that go over their own parts.
const OF_PARTS: usize = 8;
/// Seed of the first kernel.
const SEED: u64 = 0x0f1a_5b0d_1e5e_ed01;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    Bool,
    Int(&'static str, bool),
    Float(&'static str),
    Cell,
    /// A structure of structures and arrays.
    Cloud,
    Floats,
    Words,
}

const INTS: [Ty; 10] = [
    Ty::Int("i8", true),
    Ty::Int("i16", true),
    Ty::Int("i32", true),
    Ty::Int("i64", true),
    Ty::Int("isize", true),
    Ty::Int("u8", false),
    Ty::Int("u16", false),
    Ty::Int("u32", false),
    Ty::Int("u64", false),
    Ty::Int("usize", false),
];
const F32: Ty = Ty::Float("f32");
const F64: Ty = Ty::Float("f64");
const U32: Ty = Ty::Int("u32", false);
const USIZE: Ty = Ty::Int("usize", false);

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int(name, _) | Self::Float(name) => name,
            Self::Cell => "Cell",
            Self::Cloud => "Cloud",
            Self::Floats => "[f32; N]",
            Self::Words => "[u32; 3]",
        }
    }

    /// Its name outside of the kernel, where `@T` stands for the type of an instance.
    fn made(self) -> &'static str {
        if self.name() == "T" { "@T" } else { self.name() }
    }
}

struct Var {
    name: String,
    ty: Ty,
    mutable: bool,
}

/// An array parameter.
struct Array {
    name: String,
    ty: Ty,
    /// The components of the item's own place.
    ids: Vec<String>,
    kind: Kind,
}

/// How an array may be indexed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Anywhere.
    Read,
    /// At the own place.
    Written,
    /// At the own place, in any row.
    Rows,
    /// At the own place, and nobody sees it afterwards.
    Scratch,
}

/// One kernel while it is drawn.
struct Draw {
    state: u64,
    out: String,
    indent: usize,
    scopes: Vec<Vec<Var>>,
    inputs: Vec<Array>,
    written: Vec<Array>,
    reduce: Option<(Ty, &'static str)>,
    /// What `T` is, if the kernel is generic.
    generic: Option<Ty>,
    rank: usize,
    /// Indices of one dimension more, each of which is a phase.
    phases: usize,
    names: usize,
    /// Statements left to draw.
    budget: usize,
    loops: usize,
}

/// The file of kernels, which are others for each batch; that of number 0 is kept.
pub(crate) fn file(batch: u64) -> String {
    let seed = SEED.wrapping_add(batch * (KERNELS + PRODUCTS + OF_PARTS) as u64);
    let mut out = String::from(
        "//! Kernels drawn by `tests/random_bodies/generate.rs`; `FLASH_BLESS=1 cargo test -p flash-tests --test\n\
         //! random_bodies` writes this file again.\n\
         #![allow(warnings, clippy::all, clippy::pedantic, reason = \"drawn\")]\n\
         #![cfg_attr(rustfmt, rustfmt_skip)]\n\n",
    );
    out.push_str("use flash_test_bodies::harness::{Case, Inputs, Outputs};\n");
    out.push_str("use flash::__private::rt::descriptor::Kernel;\n");
    out.push_str("use flash::prelude::*;\nuse flash_test_devices as far;\n");
    out.push_str("use flash_test_devices::{Cell, Cloud, N, Real, Word};\n\n");
    let mut cases = String::new();
    for k in 0..KERNELS {
        let name = format!("k{k:03}");
        let mut draw = Draw::new(seed.wrapping_add(k as u64), k);
        for case in draw.kernel(&name, k) {
            let _ = writeln!(cases, "{case}");
        }
        out.push_str(&draw.out);
    }
    for k in 0..PRODUCTS {
        let mut draw = Draw::new(seed.wrapping_add((KERNELS + k) as u64), k);
        let case = draw.product(&format!("p{k:03}"));
        let _ = writeln!(cases, "{case}");
        out.push_str(&draw.out);
    }
    for k in 0..OF_PARTS {
        let mut draw = Draw::new(seed.wrapping_add((KERNELS + PRODUCTS + k) as u64), k);
        let case = draw.of_parts(&format!("q{k:03}"));
        let _ = writeln!(cases, "{case}");
        out.push_str(&draw.out);
    }
    let _ =
        write!(out, "/// All kernels of this file.\npub const CASES: &[Case] = &[\n{cases}];\n");
    out
}

impl Draw {
    fn new(seed: u64, k: usize) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            out: String::new(),
            indent: 0,
            scopes: vec![Vec::new()],
            inputs: Vec::new(),
            written: Vec::new(),
            reduce: None,
            generic: None,
            rank: match k % 20 {
                3 | 7 | 11 | 19 => 2,
                6 | 15 => 3,
                8 => 4,
                _ => 1,
            },
            // Results of reductions come at the end.
            phases: if k % 7 == 5 && k % 3 != 1 { 3 } else { 1 },
            names: 0,
            budget: 0,
            loops: 0,
        }
    }

    fn next(&mut self) -> u64 {
        // splitmix64
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn scalar(&mut self) -> Ty {
        if let Some(ty) = self.generic
            && self.chance(40)
        {
            return ty;
        }
        match self.below(10) {
            0..6 => self.pick(&INTS),
            6 | 7 => F32,
            8 => F64,
            _ => Ty::Bool,
        }
    }

    fn number(&mut self) -> Ty {
        loop {
            let ty = self.scalar();
            if ty != Ty::Bool {
                return ty;
            }
        }
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn declare(&mut self, name: &str, ty: Ty, mutable: bool) {
        let var = Var { name: name.to_owned(), ty, mutable };
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(var);
        }
    }

    fn vars(&self, want: impl Fn(&Var) -> bool) -> Vec<String> {
        let all = self.scopes.iter().flatten();
        all.filter(|var| want(var)).map(|var| var.name.clone()).collect()
    }

    /// A type, sometimes by an alias.
    fn spelled(&mut self, ty: Ty) -> &'static str {
        match ty {
            F64 if self.chance(40) => self.pick(&["Real", "far::Real"]),
            U32 if self.chance(40) => self.pick(&["Word", "far::Word"]),
            Ty::Cell if self.chance(40) => "far::Body",
            Ty::Floats if self.chance(40) => "far::Quad",
            _ => ty.name(),
        }
    }
}
