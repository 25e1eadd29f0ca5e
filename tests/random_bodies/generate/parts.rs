//! Kernels whose items go over their own parts in short loops, each part in a row of its own. What is drawn
//! is the order of the parts, and what is done with them.

use super::kernel::Runner;
use super::{Array, Draw, F32, F64, Kind, Ty, U32};

impl Draw {
    /// The kernel, the function that runs it, and the line of its case.
    pub(super) fn of_parts(&mut self, name: &str) -> String {
        (self.rank, self.phases) = (1 + usize::from(self.chance(30)), 1);
        let ty = self.pick(&[F32, F32, F64, U32, Ty::Int("i64", true), Ty::Int("u8", false)]);
        let (ty_name, is_float) = (ty.name(), matches!(ty, Ty::Float(_)));
        let mut runner = Runner::default();
        let (ids, shape) = match self.rank {
            1 => ("i", "n.extent(1, 0)"),
            _ => ("j, i", "n.extent(2, 1), n.extent(2, 0)"),
        };
        let rank = self.rank + 1;
        let (parts, shape_of_parts) = (4, format!("[4, {shape}]"));
        let input = format!("x: View<'_, {ty_name}, {rank}>");
        runner.array("x", ty, &shape_of_parts, "&x", input, false);
        for name in ["y", "z"] {
            let attr = self.pick(&["", "", "#[out(partial)] "]);
            let form = format!("{attr}{name}: ViewMut<'_, {ty_name}, {rank}>");
            runner.array(name, ty, &shape_of_parts, &format!("&mut {name}"), form, true);
            let ids = vec!["0".to_owned(), ids.to_owned()];
            self.written.push(Array { name: name.to_owned(), ty, ids, kind: Kind::Rows });
        }
        // Sums of bytes are not among what the harness reduces itself.
        let has_sum = ty_name != "u8" && self.chance(60);
        if has_sum {
            self.reduce_to(&mut runner, ty, if is_float { "+" } else { "^" }, "");
        }
        // Products and sums are one operation.
        let fast = is_float && self.chance(50);
        self.line(if fast {
            "#[flash::kernel(portable, fast_math)]"
        } else {
            "#[flash::kernel(portable)]"
        });
        self.line(&format!("fn {name}({}) {{", runner.params.join(", ")));
        self.indent += 1;
        for (d, id) in ["i", "j"][..self.rank].iter().enumerate().rev() {
            self.line(&format!("let {id} = global_id({d});"));
        }
        self.line(&format!("let mut sum = i as {ty_name};"));
        let guarded = self.chance(40);
        if guarded {
            self.line(&format!("if i > 0 && i + 2 < x.extent({}) {{", rank - 1));
            self.indent += 1;
        }
        for _ in 0..1 + self.below(2) {
            self.loop_over_parts(parts, ids, ty_name, is_float);
        }
        if guarded {
            self.indent -= 1;
            self.line("} else {");
            self.line(&format!("    y[[2, {ids}]] = x[[1, {ids}]];"));
            self.line("}");
        }
        if has_sum {
            self.line(&format!("*s {} sum;", if is_float { "+=" } else { "^=" }));
        }
        self.indent -= 1;
        self.line("}\n");
        self.runner(name, "", name, &format!("{name}::DESCRIPTOR"), "", &runner)
    }

    fn loop_over_parts(&mut self, parts: usize, ids: &str, ty: &str, is_float: bool) {
        let (most, lo) = (parts - 1, self.below(3));
        let range = match self.below(6) {
            0 => format!("{lo}..{parts}"),
            1 => format!("({lo}..{parts}).rev()"),
            2 => format!("{lo}..={most}"),
            3 => format!("({lo}_usize..={most}).rev().step_by(2)"),
            4 => format!("({lo}..{parts}).step_by(3)"),
            _ => format!("0..{}", lo + 1),
        };
        let op = |draw: &mut Self| match is_float {
            true => draw.pick(&["+", "-", "*"]),
            false => draw.pick(&["^", "&", "|"]),
        };
        self.line(&format!("for c in {range} {{"));
        self.indent += 1;
        let other = self.pick(&["c", "3 - c", "(c + 1) % 4"]);
        let first = op(self);
        self.line(&format!("let mut v = y[[{other}, {ids}]] {first} x[[c, {ids}]];"));
        match self.below(4) {
            0 => self.line(&format!("if c % 2 == 0 {{ v = v {first} z[[c, {ids}]]; }}")),
            1 => self.line(&format!("if v > sum {{ v = x[[3 - c, {ids}]]; }}")),
            2 => {
                let op = op(self);
                self.line("for d in 0..2 {");
                self.line(&format!("    z[[c - c + 2 * d, {ids}]] {op}= v;"));
                self.line("}");
            }
            _ => self.line(&format!("if sum == 3 as {ty} {{ continue; }}")),
        }
        let (second, third) = (op(self), op(self));
        self.line(&format!("y[[c, {ids}]] = v;"));
        self.line(&format!("z[[{most} - c, {ids}]] {second}= sum;"));
        self.line(&format!("sum = sum {third} (v {second} c as {ty});"));
        self.indent -= 1;
        self.line("}");
    }
}
