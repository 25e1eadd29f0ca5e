//! Expressions of a wanted type.

use super::{Array, Draw, F32, F64, INTS, Kind, Ty, U32, USIZE};

const I32: Ty = Ty::Int("i32", true);

impl Draw {
    /// An expression of a type; in parentheses wherever something may follow it.
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        if self.chance(8) {
            let cond = self.expr(Ty::Bool, depth - 1);
            let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
            return format!("(if {cond} {{ {a} }} else {{ {b} }})");
        }
        if self.chance(4) {
            let inner = self.number();
            let (name, value) = (self.fresh("t"), self.expr(inner, depth - 1));
            self.scopes.push(Vec::new());
            self.declare(&name, inner, false);
            let result = self.expr(ty, depth - 1);
            self.scopes.pop();
            return format!("({{ let {name} = {value}; {result} }})");
        }
        match ty {
            Ty::Bool => self.boolean(depth),
            Ty::Int(name, signed) => self.int(ty, name, signed, depth),
            Ty::Float(name) => self.float(ty, name, depth),
            Ty::Cell => self.cell(depth),
            Ty::Cloud => self.cloud(depth),
            Ty::Floats => {
                if self.chance(25) {
                    return format!("[{}; N]", self.expr(F32, depth - 1));
                }
                let items: Vec<String> = (0..4).map(|_| self.expr(F32, depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
            Ty::Words => {
                let items: Vec<String> = (0..3).map(|_| self.expr(U32, depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    fn literal(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Bool => self.pick(&["true", "false"]).to_owned(),
            Ty::Int("T", _) => format!("({} as T)", self.below(128)),
            Ty::Float("T") => format!("({}.{} as T)", self.below(50), self.below(1000)),
            Ty::Int(name, _) => format!("{}_{name}", self.below(128)),
            Ty::Float(name) => {
                let (whole, part) = (self.below(50), self.below(1000));
                format!("{whole}.{part}_{name}")
            }
            Ty::Cell => {
                let (rho, mass, id) = (self.literal(F64), self.literal(F32), self.literal(U32));
                format!("Cell {{ rho: {rho}, mass: {mass}, id: {id} }}")
            }
            Ty::Cloud => {
                let (a, mid) = (self.literal(Ty::Cell), self.literal(Ty::Cell));
                let at = self.literal(I32);
                format!("Cloud {{ cells: [{a}; 2], at: [{at}; N], mid: {mid} }}")
            }
            Ty::Floats => format!("[{}; N]", self.literal(F32)),
            Ty::Words => format!("[{}; 3]", self.literal(U32)),
        }
    }

    fn leaf(&mut self, ty: Ty) -> String {
        // A name that a later one of another type hides does not stand for it any more.
        let mut known: Vec<(String, Ty)> = Vec::new();
        for var in self.scopes.iter().flatten() {
            known.retain(|(name, _)| *name != var.name);
            known.push((var.name.clone(), var.ty));
        }
        let numbers: Vec<(String, Ty)> =
            known.iter().filter(|(_, ty)| matches!(ty, Ty::Int(..))).cloned().collect();
        known.retain(|(_, known)| *known == ty);
        if self.chance(70)
            && let Some(load) = self.load(ty)
        {
            return load;
        }
        if !known.is_empty() && self.chance(70) {
            let at = self.below(known.len());
            return known.swap_remove(at).0;
        }
        if let Ty::Int(name, _) | Ty::Float(name) = ty
            && self.chance(70)
        {
            let (from, _) = &numbers[self.below(numbers.len())];
            return format!("({from} as {name})");
        }
        match ty {
            F64 if self.chance(20) => "far::SCALE".to_owned(),
            U32 if self.chance(20) => self.pick(&["far::MASK", "far::TABLE[i % 8]"]).to_owned(),
            F32 if self.chance(20) => "far::WEIGHTS[i % N]".to_owned(),
            Ty::Floats if self.chance(20) => "far::WEIGHTS".to_owned(),
            I32 if self.chance(20) => "far::deep::STEPS[i % 3]".to_owned(),
            USIZE if self.generic.is_some() && self.chance(30) => "M".to_owned(),
            USIZE if self.chance(20) => {
                self.pick(&["N", "global_size(0)", "phase()", "partition()"]).to_owned()
            }
            _ => self.literal(ty),
        }
    }

    /// An element of a parameter of this type.
    fn load(&mut self, ty: Ty) -> Option<String> {
        let all = self.inputs.iter().chain(&self.written).enumerate();
        let fit: Vec<usize> = all.filter(|(_, array)| array.ty == ty).map(|(at, _)| at).collect();
        if fit.is_empty() {
            return None;
        }
        let at = fit[self.below(fit.len())];
        if at >= self.inputs.len() {
            let at = at - self.inputs.len();
            return Some(self.own_place(at));
        }
        let (name, mut ids) = (self.inputs[at].name.clone(), self.inputs[at].ids.clone());
        let zero = match ty {
            Ty::Int("T", _) => Some("(0 as T)".to_owned()),
            Ty::Float("T") => Some("(0.0 as T)".to_owned()),
            Ty::Int(name, _) => Some(format!("0_{name}")),
            Ty::Float(name) => Some(format!("0.0_{name}")),
            _ => None,
        };
        let at = self.below(ids.len());
        let id = ids[at].clone();
        let extent =
            if ids.len() == 1 { format!("{name}.len()") } else { format!("{name}.extent({at})") };
        let (guard, moved) = match self.below(4) {
            0 => (Some(format!("{id} > 0")), format!("{id} - 1")),
            1 => {
                let by = 1 + self.below(2);
                (Some(format!("{id} + {by} < {extent}")), format!("{id} + {by}"))
            }
            2 => (None, format!("({}) % {extent}", self.expr(USIZE, 1))),
            _ => (None, id),
        };
        let own = place(&name, &ids);
        ids[at] = moved;
        let there = place(&name, &ids);
        Some(match (guard, zero) {
            (Some(guard), Some(zero)) => format!("(if {guard} {{ {there} }} else {{ {zero} }})"),
            (Some(guard), None) => format!("(if {guard} {{ {there} }} else {{ {own} }})"),
            (None, _) => there,
        })
    }

    /// The own place of a written array.
    pub(super) fn own_place(&mut self, at: usize) -> String {
        let Array { name, ids, kind, .. } = &self.written[at];
        let (name, mut ids, kind) = (name.clone(), ids.clone(), *kind);
        if kind == Kind::Rows {
            ids[0] = match self.below(3) {
                0 => self.below(3).to_string(),
                _ => format!("(i + {}) % 3", self.below(3)),
            };
        }
        place(&name, &ids)
    }

    fn boolean(&mut self, depth: usize) -> String {
        let d = depth - 1;
        match self.below(7) {
            0..3 => {
                let ty = self.number();
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
            3 => {
                let op = self.pick(&["&&", "||", "^", "&", "|", "==", "!="]);
                format!("({} {op} {})", self.expr(Ty::Bool, d), self.expr(Ty::Bool, d))
            }
            4 => format!("(!{})", self.expr(Ty::Bool, d)),
            5 => {
                let (ty, method) = (self.pick(&[F32, F64]), self.pick(&["is_nan", "is_finite"]));
                format!("{}.{method}()", self.receiver(ty, d))
            }
            _ => self.leaf(Ty::Bool),
        }
    }

    /// Something that a method can be called on.
    fn receiver(&mut self, ty: Ty, depth: usize) -> String {
        let inner = self.expr(ty, depth);
        if inner.starts_with('(') && inner.ends_with(')') { inner } else { format!("({inner})") }
    }

    fn int(&mut self, ty: Ty, name: &str, signed: bool, depth: usize) -> String {
        let d = depth - 1;
        match self.below(16) {
            0..3 => {
                let method = self.pick(&["wrapping_add", "wrapping_sub", "wrapping_mul"]);
                let arg =
                    if self.chance(30) { self.below(100).to_string() } else { self.expr(ty, d) };
                format!("{}.{method}({arg})", self.receiver(ty, d))
            }
            3 | 4 => {
                let op = self.pick(&["&", "|", "^"]);
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
            5 => {
                let by = self.below(7);
                let op = self.pick(&["<<", ">>"]);
                format!("({} {op} {by})", self.expr(ty, d))
            }
            6 => {
                let amount = self.expr(U32, d);
                format!("({} >> ({amount} & 7))", self.expr(ty, d))
            }
            7 => {
                let op = self.pick(&["/", "%"]);
                format!("({} {op} (({} & 7) + 1))", self.expr(ty, d), self.expr(ty, d))
            }
            8 => {
                let method = self.pick(&["min", "max", "saturating_add", "saturating_sub"]);
                format!("{}.{method}({})", self.receiver(ty, d), self.expr(ty, d))
            }
            9 => {
                let method = self.pick(&["rotate_left", "rotate_right"]);
                format!("{}.{method}({})", self.receiver(ty, d), self.below(8))
            }
            10 => {
                let other = self.scalar();
                format!("({} as {name})", self.receiver(other, d))
            }
            11 => match (name, signed) {
                (_, true) => {
                    let method = self.pick(&["wrapping_neg", "signum"]);
                    format!("{}.{method}()", self.receiver(ty, d))
                }
                ("u32", _) => {
                    let other = self.pick(&INTS);
                    let method = self.pick(&["count_ones", "leading_zeros", "trailing_zeros"]);
                    format!("{}.{method}()", self.receiver(other, d))
                }
                _ => format!("{}.abs_diff({})", self.receiver(ty, d), self.expr(ty, d)),
            },
            12 => match name {
                "u32" => match self.below(4) {
                    0 => format!("far::mix({}, {})", self.expr(U32, d), self.expr(U32, d)),
                    1 => format!("{}.id", self.receiver(Ty::Cell, d)),
                    2 => {
                        let (words, at) = (self.receiver(Ty::Words, d), self.expr(USIZE, d));
                        format!("{words}[({at}) % 3]")
                    }
                    _ => {
                        let bits = self.leaf(F32);
                        format!("(if ({bits}).is_nan() {{ 7 }} else {{ ({bits}).to_bits() }})")
                    }
                },
                "i32" if self.chance(50) => {
                    let (cloud, at) = (self.receiver(Ty::Cloud, d), self.expr(USIZE, d));
                    format!("{cloud}.at[({at}) % N]")
                }
                _ => {
                    let method = self.pick(&["rem_euclid", "div_euclid"]);
                    format!("{}.{method}(({} & 7) + 1)", self.receiver(ty, d), self.expr(ty, d))
                }
            },
            13 if signed => format!("(!{})", self.expr(ty, d)),
            14 => {
                let (lo, hi) = (self.below(50), 50 + self.below(50));
                format!("{}.clamp({lo}, {hi})", self.receiver(ty, d))
            }
            _ => self.leaf(ty),
        }
    }

    fn float(&mut self, ty: Ty, name: &str, depth: usize) -> String {
        let d = depth - 1;
        match self.below(17) {
            0..5 => {
                let op = self.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
            5 => format!("({} % ({} + 0.5))", self.expr(ty, d), self.expr(ty, d)),
            6 => format!("(-{})", self.expr(ty, d)),
            7 | 8 => {
                let method = self.pick(&[
                    "sqrt",
                    "abs",
                    "floor",
                    "ceil",
                    "round",
                    "round_ties_even",
                    "trunc",
                    "fract",
                    "recip",
                    "signum",
                ]);
                format!("{}.{method}()", self.receiver(ty, d))
            }
            9 | 10 => {
                let function = self.pick(&[
                    "exp", "exp2", "ln", "log2", "log10", "sin", "cos", "tan", "tanh", "atan",
                    "erf", "rsqrt",
                ]);
                format!("math::{function}({})", self.expr(ty, d))
            }
            11 => {
                let function = self.pick(&["min", "max", "hypot", "atan2", "powf"]);
                format!("{}.{function}({})", self.receiver(ty, d), self.expr(ty, d))
            }
            12 => {
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                format!("{}.mul_add({a}, {b})", self.receiver(ty, d))
            }
            13 => {
                let other = self.scalar();
                // No cast from `bool` to a float in Rust.
                let other = if other == Ty::Bool { U32 } else { other };
                format!("({} as {name})", self.receiver(other, d))
            }
            14 => format!("{}.powi({})", self.receiver(ty, d), self.pick(&["2", "3", "-1", "0"])),
            15 => match name {
                "T" => self.leaf(ty),
                "f32" => match self.below(5) {
                    0 => format!("far::wave({}, {})", self.expr(F32, d), self.expr(F32, d)),
                    1 => format!("far::total({})", self.expr(Ty::Floats, d)),
                    2 => format!("{}.mass", self.receiver(Ty::Cell, d)),
                    3 => {
                        let (cloud, at) = (self.receiver(Ty::Cloud, d), self.expr(USIZE, d));
                        format!("{cloud}.cells[({at}) % 2].mass")
                    }
                    _ => {
                        let (items, at) = (self.receiver(Ty::Floats, d), self.expr(USIZE, d));
                        format!("{items}[({at}) % N]")
                    }
                },
                _ => match self.below(4) {
                    3 => format!("{}.mid.rho", self.receiver(Ty::Cloud, d)),
                    0 => format!("far::scaled({})", self.expr(F64, d)),
                    1 => format!("far::series({}, {})", self.expr(F64, d), self.expr(U32, d)),
                    _ => format!("{}.rho", self.receiver(Ty::Cell, d)),
                },
            },
            _ => self.leaf(ty),
        }
    }

    fn cell(&mut self, depth: usize) -> String {
        let d = depth - 1;
        match self.below(6) {
            0 => format!("far::moved({}, {})", self.expr(Ty::Cell, d), self.expr(F32, d)),
            1 => {
                let (rho, mass, id) = (self.expr(F64, d), self.expr(F32, d), self.expr(U32, d));
                format!("Cell {{ rho: {rho}, mass: {mass}, id: {id} }}")
            }
            2 => format!("{}.mid", self.receiver(Ty::Cloud, d)),
            3 => {
                let (cloud, at) = (self.receiver(Ty::Cloud, d), self.expr(USIZE, d));
                format!("{cloud}.cells[({at}) % 2]")
            }
            _ => self.leaf(Ty::Cell),
        }
    }

    fn cloud(&mut self, depth: usize) -> String {
        let d = depth - 1;
        if self.chance(50) {
            return self.leaf(Ty::Cloud);
        }
        let (a, b, mid) = (self.leaf(Ty::Cell), self.expr(Ty::Cell, d), self.leaf(Ty::Cell));
        let at: Vec<String> = (0..4).map(|_| self.leaf(I32)).collect();
        let at = at.join(", ");
        format!("far::Cloud {{ cells: [{a}, {b}], at: [{at}], mid: {mid} }}")
    }
}

/// An element of an array.
fn place(name: &str, ids: &[String]) -> String {
    match ids {
        [id] => format!("{name}[{id}]"),
        _ => format!("{name}[[{}]]", ids.join(", ")),
    }
}
