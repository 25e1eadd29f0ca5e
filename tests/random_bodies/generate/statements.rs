//! Statements.

use super::{Draw, F32, F64, INTS, Ty, U32, USIZE};

impl Draw {
    pub(super) fn stmt(&mut self, top: bool) {
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
            3 => Ty::Cloud,
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
            Ty::Cloud => self.change_cloud(&name),
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
        let mut ty = self.pick(&INTS);
        let name = self.fresh("n");
        let ty_name = ty.name();
        let (lo, hi) = (self.below(3), 3 + self.below(4));
        let range = match self.below(if self.generic.is_some() { 7 } else { 5 }) {
            0 => format!("{lo}..{hi}_{ty_name}"),
            1 => format!("{lo}_{ty_name}..={hi}"),
            2 => format!("({lo}_{ty_name}..{hi}).rev()"),
            3 => format!("({lo}..{hi}_{ty_name}).step_by({})", 1 + self.below(3)),
            4 => format!("({lo}..={hi}_{ty_name}).rev().step_by(2)"),
            _ => {
                ty = USIZE;
                "0..M".to_owned()
            }
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

    /// An assignment into a structure of structures and arrays.
    fn change_cloud(&mut self, place: &str) -> String {
        match self.below(5) {
            0 => format!("{place}.mid = {};", self.expr(Ty::Cell, 2)),
            1 => format!("{place}.mid.rho -= {};", self.expr(F64, 3)),
            2 => {
                let (at, value) = (self.expr(USIZE, 1), self.expr(U32, 3));
                format!("{place}.cells[({at}) % 2].id &= {value};")
            }
            3 => {
                let (at, value) = (self.expr(USIZE, 1), self.expr(Ty::Cell, 2));
                format!("{place}.cells[({at}) % 2] = {value};")
            }
            _ => {
                let (at, value) = (self.expr(USIZE, 1), self.expr(Ty::Int("i32", true), 3));
                format!("{place}.at[({at}) % N] ^= {value};")
            }
        }
    }

    /// A write to the own place of a parameter.
    pub(super) fn write(&mut self, at: usize) {
        let (place, ty) = (self.own_place(at), self.written[at].ty);
        let text = match ty {
            Ty::Cloud if self.chance(80) => self.change_cloud(&place),
            Ty::Cell => match self.below(3) {
                0 => format!("{place} = {};", self.expr(Ty::Cell, 3)),
                1 => format!("{place}.rho += {};", self.expr(F64, 3)),
                _ => format!("{place}.id = {};", self.expr(U32, 3)),
            },
            Ty::Float(_) => {
                let op = self.pick(&["=", "=", "+=", "-=", "*=", "/="]);
                format!("{place} {op} {};", self.expr(ty, 4))
            }
            Ty::Int(..) => match self.below(6) {
                0 | 1 => {
                    let op = self.pick(&["^=", "&=", "|="]);
                    format!("{place} {op} {};", self.expr(ty, 4))
                }
                2 => {
                    let op = self.pick(&["<<=", ">>="]);
                    format!("{place} {op} {};", self.below(7))
                }
                3 => format!("{place} %= ({} & 7) + 1;", self.expr(ty, 3)),
                4 => format!("{place} = {place}.wrapping_add({});", self.expr(ty, 3)),
                _ => format!("{place} = {};", self.expr(ty, 4)),
            },
            _ => format!("{place} = {};", self.expr(ty, 3)),
        };
        self.line(&text);
    }

    pub(super) fn reduction(&mut self) {
        let Some((ty, op)) = self.reduce else { return self.assign() };
        let value = self.expr(ty, 3);
        let text = match op {
            "min" | "max" => format!("*s = s.{op}({value});"),
            _ => format!("*s {op}= {value};"),
        };
        self.line(&text);
    }
}
