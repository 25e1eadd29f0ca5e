//! Kernels whose items sum along rows and columns, as products of matrices do: several items and
//! lines of them take each trip together. What is drawn is where they read and what they sum.

use super::kernel::Runner;
use super::{Array, Draw, F32, F64, Kind, Ty, U32};

impl Draw {
    /// The kernel, the function that runs it, and the line of its case.
    pub(super) fn product(&mut self, name: &str) -> String {
        (self.rank, self.phases) = (2 + usize::from(self.chance(30)), 1);
        let ty = self.pick(&[F32, F32, F64, U32, Ty::Int("i64", true), Ty::Int("u8", false)]);
        let (ty_name, is_float) = (ty.name(), matches!(ty, Ty::Float(_)));
        let mut runner = Runner::default();
        let extent = |d: usize| format!("n.extent({}, {d})", self.rank);
        let (outer, inner) = match self.rank {
            2 => (String::new(), String::new()),
            _ => (format!("{}, ", extent(2)), "p, ".to_owned()),
        };
        let (rows, columns) = (extent(1), extent(0));
        let (depth, skip) = (self.pick(&["5", "n.extent(1, 0) % 40", "16"]), self.below(3));
        let rank = self.rank;
        let view = |name: &str, rank| format!("{name}: View<'_, {ty_name}, {rank}>");
        // Along rows of the lines, or down columns of theirs.
        let (left, left_shape, at) = match self.chance(70) {
            true => ("k", format!("[{outer}{rows}, {depth}]"), rank - 1),
            false => ("j", format!("[{outer}{depth}, {rows}]"), rank - 2),
        };
        runner.array("x", ty, &left_shape, "&x", view("x", rank), false);
        let wide = format!("[{depth} + {skip}, {columns}]");
        runner.array("w", ty, &wide, "&w", view("w", 2), false);
        runner.array("v", ty, &format!("[{depth}]"), "&v", format!("v: &[{ty_name}]"), false);
        runner.array("s", ty, &format!("[{columns}]"), "&s", format!("s: &[{ty_name}]"), false);
        let attr = self.pick(&["", "#[out(partial)] "]);
        let written = format!("{attr}y: ViewMut<'_, {ty_name}, {rank}>");
        runner.array("y", ty, &format!("[{outer}{rows}, {columns}]"), "&mut y", written, true);
        let ids = ["p", "j", "i"][3 - rank..].iter().map(|id| (*id).to_owned()).collect();
        self.written.push(Array { name: "y".to_owned(), ty, ids, kind: Kind::Written });
        // Products and sums are one operation.
        let fast = is_float && self.chance(50);
        self.line(if fast {
            "#[flash::kernel(portable, fast_math)]"
        } else {
            "#[flash::kernel(portable)]"
        });
        self.line(&format!("fn {name}({}) {{", runner.params.join(", ")));
        self.indent += 1;
        for (d, id) in ["i", "j", "p"][..rank].iter().enumerate().rev() {
            self.line(&format!("let {id} = global_id({d});"));
        }
        let guarded = self.chance(40);
        if guarded {
            self.line(&format!("if i > 0 && j + 1 < y.extent({}) {{", rank - 2));
            self.indent += 1;
        }
        self.line(&format!("let half = j as {ty_name};"));
        let first = self.pick(&["half", "s[i]"]);
        self.line(&format!("let mut sum = {first};"));
        let extreme = self.chance(40);
        if extreme {
            self.line("let mut most = s[i];");
        }
        self.line(&format!("for k in 0..x.extent({at}) {{"));
        let (a, b) = match left {
            "k" => (format!("x[[{inner}j, k]]"), format!("w[[k + {skip}, i]]")),
            _ => (format!("x[[{inner}k, j]]"), format!("w[[k + {skip}, i]]")),
        };
        let product = match (is_float, self.below(3)) {
            (true, 0) => format!("sum += {a} * {b};"),
            (true, 1) => format!("sum -= {a} * {b} - v[k];"),
            (true, _) if self.chance(50) => format!("sum = {a} * {b} - (sum - v[k] * {b});"),
            (true, _) => format!("sum = (sum + {a}) * {b};"),
            (false, 0) => format!("sum ^= {a} & {b};"),
            (false, 1) => format!("sum |= {a} & ({b} ^ v[k]);"),
            (false, _) => format!("sum = (sum & {a}) ^ {b};"),
        };
        self.line(&format!("    {product}"));
        if extreme {
            self.line(&format!("    if {b} > most {{"));
            self.line(&format!("        most = {b};"));
            self.line("    }");
        }
        self.line("}");
        let op = match (is_float, self.below(2)) {
            (_, 0) => "=",
            (true, _) => "+=",
            (false, _) => "^=",
        };
        let more = match (extreme, is_float) {
            (false, _) => "",
            (true, true) => " + most % (half + 1.0)",
            (true, false) => " ^ most",
        };
        self.line(&format!("y[[{inner}j, i]] {op} sum{more};"));
        if guarded {
            self.indent -= 1;
            self.line("} else {");
            self.line(&format!("    y[[{inner}j, i]] = s[i];"));
            self.line("}");
        }
        self.indent -= 1;
        self.line("}\n");
        self.runner(name, "", name, &format!("{name}::DESCRIPTOR"), "", &runner)
    }
}
