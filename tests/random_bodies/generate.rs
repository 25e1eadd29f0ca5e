//! Draws kernels from a seed and writes them as Rust: the source of `kernels.rs`. Every kernel is in
//! the language, reads in range, divides by what is not zero, and overflows only where that wraps,
//! so that debug builds, release builds and the interpreter must agree to the bit.

use std::fmt::Write;

/// Number of kernels.
const KERNELS: usize = 60;
/// Seed of the first kernel.
const SEED: u64 = 0x0f1a_5b0d_1e5e_ed01;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    Bool,
    Int(&'static str, bool),
    Float(&'static str),
    Cell,
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
            Self::Floats => "[f32; N]",
            Self::Words => "[u32; 3]",
        }
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
    rank: usize,
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
    rank: usize,
    names: usize,
    /// Statements left to draw.
    budget: usize,
    loops: usize,
}

/// The file of kernels.
pub(crate) fn file() -> String {
    let mut out = String::from(
        "//! Kernels drawn by `generate.rs`; `FLASH_BLESS=1 cargo test --test random_bodies` writes\n\
         //! this file again.\n\n",
    );
    out.push_str("use super::harness::{Case, Inputs, Outputs};\n");
    out.push_str("use flash::prelude::*;\nuse flash_test_devices as far;\n");
    out.push_str("use flash_test_devices::{Cell, N, Real, Word};\n\n");
    let mut cases = String::new();
    for k in 0..KERNELS {
        let name = format!("k{k:03}");
        let mut draw = Draw::new(SEED.wrapping_add(k as u64), k);
        draw.kernel(&name, k);
        out.push_str(&draw.out);
        let rank = draw.rank;
        let _ = writeln!(
            cases,
            "    Case {{ name: \"{name}\", rank: {rank}, descriptor: {name}::DESCRIPTOR, \
             run: run_{name} }},"
        );
    }
    let _ = write!(
        out,
        "/// All kernels of this file.\npub(crate) const CASES: &[Case] = &[\n{cases}];\n"
    );
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
            rank: if k % 4 == 3 { 2 } else { 1 },
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

    /// The kernel, and the function that runs it.
    fn kernel(&mut self, name: &str, k: usize) {
        let mut params = Vec::new();
        let mut setup = Vec::new();
        let mut args = Vec::new();
        for _ in 0..1 + self.below(3) {
            let ty = if self.chance(15) { Ty::Cell } else { self.scalar() };
            let value = self.fresh("a");
            setup.push(format!("let {value} = inputs.value::<{}>({});", ty.name(), params.len()));
            params.push(format!("{value}: {}", self.spelled(ty)));
            args.push(value.clone());
            self.declare(&value, ty, false);
        }
        for written in [false, true] {
            for number in 0..1 + self.below(3) {
                let cell = self.chance(12);
                let ty = if cell { Ty::Cell } else { self.number() };
                let rank = if self.rank == 2 && (written || self.chance(60)) { 2 } else { 1 };
                let array = self.fresh(if written { "y" } else { "x" });
                let at = params.len();
                let (spelled, new) = if rank == 2 {
                    let view = if written { "ViewMut" } else { "View" };
                    let attr = if written && number > 0 { "#[out(partial)] " } else { "" };
                    (
                        format!("{attr}{array}: {view}<'_, {}, 2>", self.spelled(ty)),
                        format!("inputs.matrix::<{}>({at})", ty.name()),
                    )
                } else {
                    let form = if written { "&mut " } else { "&" };
                    (
                        format!("{array}: {form}[{}]", self.spelled(ty)),
                        format!("inputs.array::<{}>({at})", ty.name()),
                    )
                };
                let mutable = if written { "mut " } else { "" };
                setup.push(format!("let {mutable}{array} = {new};"));
                args.push(format!("&{mutable}{array}"));
                params.push(spelled);
                let list = if written { &mut self.written } else { &mut self.inputs };
                list.push(Array { name: array, ty, rank });
            }
        }
        if k % 3 == 1 {
            let ty = self.pick(&[U32, Ty::Int("i64", true), F32, F64]);
            let op = self.pick(if ty == F32 || ty == F64 {
                &["+", "min", "max"]
            } else {
                &["+", "min", "max", "^", "|", "*"]
            });
            self.reduce = Some((ty, op));
            setup.push(format!(
                "let mut s = Var::new(inputs.cell::<{}>({}));",
                ty.name(),
                params.len()
            ));
            params.push(format!("#[reduce({op})] s: &mut {}", ty.name()));
            args.push("&mut s".to_owned());
        }
        let mut atomic = None;
        if k % 5 == 2 {
            let ty = self.pick(&[U32, Ty::Int("i64", true)]);
            let op = self.pick(&["fetch_add", "fetch_max", "fetch_xor"]);
            setup.push(format!("let mut c = inputs.array::<{}>({});", ty.name(), params.len()));
            params.push(format!("c: &[Atomic<{}>]", ty.name()));
            args.push("&mut c".to_owned());
            atomic = Some((ty, op));
        }
        let options = if k % 8 == 5 { "(fast_math)" } else { "" };
        self.line(&format!("#[flash::kernel{options}]"));
        self.line(&format!("fn {name}({}) {{", params.join(", ")));
        self.indent += 1;
        if self.rank == 2 {
            self.line("let (j, i) = (global_id(1), global_id(0));");
            self.declare("j", USIZE, false);
        } else {
            self.line("let i = global_id(0);");
        }
        self.declare("i", USIZE, false);
        self.budget = 10 + self.below(8);
        while self.budget > 0 {
            self.stmt(true);
        }
        for at in 0..self.written.len() {
            self.write(at);
        }
        if let Some((ty, op)) = atomic {
            let (cell, value) = (self.expr(USIZE, 2), self.expr(ty, 2));
            self.line(&format!("c[({cell}) % c.len()].{op}({value});"));
        }
        self.reduction();
        self.indent -= 1;
        self.line("}\n");
        self.runner(name, &setup, &args, atomic.is_some());
    }

    /// The function that runs a kernel on a runtime.
    fn runner(&mut self, name: &str, setup: &[String], args: &[String], atomic: bool) {
        self.line(&format!(
            "fn run_{name}(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {{"
        ));
        self.indent += 1;
        for line in setup {
            self.line(line);
        }
        let space =
            if self.rank == 2 { "[inputs.width, inputs.height]" } else { "[inputs.items()]" };
        self.line(&format!("rt.submit({name}({})).exec({space})?;", args.join(", ")));
        self.line("let mut outputs = Outputs::default();");
        let written: Vec<String> = self.written.iter().map(|array| array.name.clone()).collect();
        for array in written {
            self.line(&format!("outputs.array(&{array}.to_vec()?);"));
        }
        if self.reduce.is_some() {
            self.line("outputs.array(&[s.get()?]);");
        }
        if atomic {
            self.line("outputs.array(&c.to_vec()?);");
        }
        self.line("Ok(outputs)");
        self.indent -= 1;
        self.line("}\n");
    }

    /// A type, sometimes by an alias.
    fn spelled(&mut self, ty: Ty) -> &'static str {
        match ty {
            F64 if self.chance(40) => "Real",
            U32 if self.chance(40) => "Word",
            _ => ty.name(),
        }
    }

    fn stmt(&mut self, top: bool) {
        if self.budget == 0 {
            return self.assign();
        }
        self.budget -= 1;
        match self.below(if top { 13 } else { 12 }) {
            0..4 => self.let_stmt(),
            4 | 5 => self.assign(),
            6 | 7 => self.if_stmt(),
            8 => self.for_stmt(),
            9 => self.while_stmt(),
            10 => self.block_stmt(),
            11 if self.chance(25) => self.reduction(),
            11 => {
                let at = self.below(self.written.len());
                self.write(at);
            }
            _ => {
                if self.chance(30) {
                    let cond = self.expr(Ty::Bool, 2);
                    self.line(&format!("if {cond} {{"));
                    self.line("    return;");
                    self.line("}");
                } else {
                    self.reduction();
                }
            }
        }
    }

    fn let_stmt(&mut self) {
        let ty = match self.below(12) {
            0 => Ty::Cell,
            1 => Ty::Floats,
            2 => Ty::Words,
            _ => self.scalar(),
        };
        let mutable = self.chance(60);
        let keyword = if mutable { "let mut" } else { "let" };
        // A name may hide an earlier one.
        let hidden = self.vars(|var| var.name.starts_with('v'));
        let name = match hidden.len() {
            n if n > 0 && self.chance(15) => hidden[self.below(n)].clone(),
            _ => self.fresh("v"),
        };
        let value = self.expr(ty, 3);
        if self.chance(40) {
            let spelled = self.spelled(ty);
            self.line(&format!("{keyword} {name}: {spelled} = {value};"));
        } else {
            self.line(&format!("{keyword} {name} = {value};"));
        }
        self.declare(&name, ty, mutable);
    }

    /// The variables that a name still stands for.
    fn assignable(&mut self) -> Option<(String, Ty)> {
        let mut seen: Vec<(String, Ty, bool)> = Vec::new();
        for var in self.scopes.iter().flatten() {
            seen.retain(|(name, ..)| *name != var.name);
            seen.push((var.name.clone(), var.ty, var.mutable));
        }
        seen.retain(|(_, _, mutable)| *mutable);
        if seen.is_empty() {
            return None;
        }
        let at = self.below(seen.len());
        let (name, ty, _) = seen.swap_remove(at);
        Some((name, ty))
    }

    fn assign(&mut self) {
        let Some((name, ty)) = self.assignable() else { return self.let_stmt() };
        let text = match ty {
            Ty::Cell => match self.below(3) {
                0 => format!("{name}.rho = {};", self.expr(F64, 3)),
                1 => format!("{name}.mass += {};", self.expr(F32, 3)),
                _ => format!("{name}.id ^= {};", self.expr(U32, 3)),
            },
            Ty::Floats => {
                let (at, value) = (self.expr(USIZE, 2), self.expr(F32, 3));
                format!("{name}[({at}) % N] = {value};")
            }
            Ty::Words => {
                let (at, value) = (self.expr(USIZE, 2), self.expr(U32, 3));
                format!("{name}[({at}) % 3] |= {value};")
            }
            Ty::Float(_) => {
                let op = self.pick(&["=", "+=", "-=", "*=", "/="]);
                format!("{name} {op} {};", self.expr(ty, 3))
            }
            Ty::Int(..) => match self.below(4) {
                0 => format!("{name} = {};", self.expr(ty, 3)),
                1 => format!("{name} >>= {};", self.below(7)),
                2 => format!("{name} %= ({} & 7) + 1;", self.expr(ty, 2)),
                _ => {
                    let op = self.pick(&["^=", "&=", "|="]);
                    format!("{name} {op} {};", self.expr(ty, 3))
                }
            },
            Ty::Bool => {
                let op = self.pick(&["=", "^=", "&=", "|="]);
                format!("{name} {op} {};", self.expr(ty, 2))
            }
        };
        self.line(&text);
    }

    fn nested(&mut self, most: usize) {
        self.scopes.push(Vec::new());
        self.indent += 1;
        for at in 0..1 + self.below(most) {
            if at == 0 || self.budget > 0 {
                self.stmt(false);
            }
        }
        self.indent -= 1;
        self.scopes.pop();
    }

    fn if_stmt(&mut self) {
        let cond = self.expr(Ty::Bool, 3);
        self.line(&format!("if {cond} {{"));
        self.nested(3);
        if self.chance(50) {
            self.line("} else {");
            self.nested(2);
        }
        self.line("}");
    }

    fn leave(&mut self) {
        if self.chance(40) {
            let cond = self.expr(Ty::Bool, 2);
            let word = self.pick(&["break", "continue"]);
            self.line(&format!("    if {cond} {{"));
            self.line(&format!("        {word};"));
            self.line("    }");
        }
    }

    fn for_stmt(&mut self) {
        if self.loops >= 2 {
            return self.assign();
        }
        self.loops += 1;
        let ty = self.pick(&INTS);
        let name = self.fresh("n");
        let ty_name = ty.name();
        let (lo, hi) = (self.below(3), 3 + self.below(4));
        let range = match self.below(5) {
            0 => format!("{lo}..{hi}_{ty_name}"),
            1 => format!("{lo}_{ty_name}..={hi}"),
            2 => format!("({lo}_{ty_name}..{hi}).rev()"),
            3 => format!("({lo}..{hi}_{ty_name}).step_by({})", 1 + self.below(3)),
            _ => format!("({lo}..={hi}_{ty_name}).rev().step_by(2)"),
        };
        self.line(&format!("for {name} in {range} {{"));
        self.scopes.push(Vec::new());
        self.declare(&name, ty, false);
        self.leave();
        self.nested(3);
        self.scopes.pop();
        self.line("}");
        self.loops -= 1;
    }

    fn while_stmt(&mut self) {
        if self.loops >= 2 {
            return self.assign();
        }
        self.loops += 1;
        let name = self.fresh("n");
        let trips = 2 + self.below(4);
        self.line(&format!("let mut {name} = {trips}_u32;"));
        let endless = self.chance(30);
        if endless {
            self.line("loop {");
            self.line(&format!("    if {name} == 0 {{"));
            self.line("        break;");
            self.line("    }");
        } else {
            self.line(&format!("while {name} > 0 {{"));
        }
        self.line(&format!("    {name} -= 1;"));
        self.leave();
        self.nested(2);
        self.line("}");
        self.loops -= 1;
    }

    fn block_stmt(&mut self) {
        self.line("{");
        self.nested(3);
        self.line("}");
    }

    /// A write to the own place of a parameter.
    fn write(&mut self, at: usize) {
        let (name, ty, rank) =
            (self.written[at].name.clone(), self.written[at].ty, self.written[at].rank);
        let place = if rank == 2 { format!("{name}[[j, i]]") } else { format!("{name}[i]") };
        let text = match ty {
            Ty::Cell => match self.below(3) {
                0 => format!("{place} = {};", self.expr(Ty::Cell, 3)),
                1 => format!("{place}.rho += {};", self.expr(F64, 3)),
                _ => format!("{place}.id = {};", self.expr(U32, 3)),
            },
            Ty::Float(_) => {
                let op = self.pick(&["=", "=", "+=", "*="]);
                format!("{place} {op} {};", self.expr(ty, 4))
            }
            _ => match self.below(3) {
                0 => format!("{place} = {};", self.expr(ty, 4)),
                1 => format!("{place} ^= {};", self.expr(ty, 4)),
                _ => format!("{place} = {place}.wrapping_add({});", self.expr(ty, 3)),
            },
        };
        self.line(&text);
    }

    fn reduction(&mut self) {
        let Some((ty, op)) = self.reduce else { return self.assign() };
        let value = self.expr(ty, 3);
        let text = match op {
            "min" | "max" => format!("*s = s.{op}({value});"),
            _ => format!("*s {op}= {value};"),
        };
        self.line(&text);
    }
}

mod expressions;
