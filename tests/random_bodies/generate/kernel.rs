//! Kernels with their parameters, and the functions that run them.

use super::{Array, Draw, F32, F64, Kind, Ty, U32, USIZE};

/// The components of an item, dimension 0 first.
const IDS: [&str; 4] = ["i", "j", "p", "q"];

/// What is collected for the function that runs a kernel.
#[derive(Default)]
pub(super) struct Runner {
    pub(super) params: Vec<String>,
    /// The shape of each parameter, slowest dimension first.
    shapes: Vec<String>,
    setup: Vec<String>,
    args: Vec<String>,
}

/// The instances of a generic kernel: types in place of `T`, and lengths in place of `M`.
type Instances = (&'static [&'static str], &'static [usize]);

impl Draw {
    /// The kernel, the functions that run it, and the lines of its cases.
    pub(super) fn kernel(&mut self, name: &str, k: usize) -> Vec<String> {
        let instances = self.instances(k);
        let mut runner = Runner::default();
        for _ in 0..1 + self.below(3) {
            let ty = match self.below(12) {
                0 => Ty::Cell,
                1 => Ty::Cloud,
                _ => self.scalar(),
            };
            let value = self.fresh("a");
            self.value(&mut runner, &value, ty);
            self.declare(&value, ty, false);
        }
        if let Some(ty) = self.generic {
            let value = self.fresh("a");
            self.value(&mut runner, &value, ty);
            self.declare(&value, ty, false);
        }
        for _ in 0..1 + self.below(3) {
            self.input(&mut runner);
        }
        for _ in 0..1 + self.below(3) {
            self.output(&mut runner);
        }
        if self.rank == 1 && self.chance(35) {
            self.scratch(&mut runner);
        }
        if k % 3 == 1 {
            self.cell_to_reduce(&mut runner);
        }
        let mut atomic = None;
        if k % 5 == 2 {
            let ty = self.pick(&[U32, Ty::Int("i64", true)]);
            let op = self.pick(&["fetch_add", "fetch_max", "fetch_xor"]);
            let shape = format!("[n.extent({}, 0)]", self.rank);
            runner.array("c", ty, &shape, "&mut c", format!("c: &[Atomic<{}>]", ty.name()), true);
            atomic = Some((ty, op));
        }
        // Every kind of device is to run it.
        let mut options = vec!["portable".to_owned()];
        if let Some((types, lengths)) = instances {
            options.push(format!("T = [{}], M = {lengths:?}", types.join(", ")));
        }
        if k % 8 == 5 {
            options.push("fast_math".to_owned());
        }
        if self.phases > 1 {
            options.push(format!("group_by({})", self.rank + 1));
        }
        let options = options.join(", ");
        let generics = if instances.is_some() { "<T, const M: usize>" } else { "" };
        self.line(&format!("#[flash::kernel({options})]"));
        self.line(&format!("fn {name}{generics}({}) {{", runner.params.join(", ")));
        self.indent += 1;
        self.body(atomic);
        self.indent -= 1;
        self.line("}\n");
        let Some((types, lengths)) = instances else {
            return vec![self.runner(name, "", name, &format!("{name}::DESCRIPTOR"), "", &runner)];
        };
        let all = types.iter().flat_map(|ty| lengths.iter().map(move |m| (*ty, m)));
        all.enumerate()
            .map(|(at, (ty, m))| {
                let descriptor = format!("<{name} as Kernel>::DESCRIPTORS[{at}]");
                let shown = format!("{name}<{ty}, {m}>");
                self.runner(name, &format!("::<{ty}, {m}>"), &shown, &descriptor, ty, &runner)
            })
            .collect()
    }

    /// Whether the kernel is generic, and over what.
    fn instances(&mut self, k: usize) -> Option<Instances> {
        if k % 6 != 4 {
            return None;
        }
        let (ty, instances): (Ty, Instances) = match k % 4 {
            0 if k % 24 == 16 => (Ty::Int("T", true), (&["i16", "i64"], &[3])),
            0 => (Ty::Float("T"), (&["f32", "f64"], &[3])),
            _ if k % 8 == 2 => (Ty::Int("T", false), (&["u8", "u32"], &[4])),
            _ => (Ty::Float("T"), (&["f32"], &[2, 5])),
        };
        self.generic = Some(ty);
        Some(instances)
    }

    fn value(&mut self, runner: &mut Runner, name: &str, ty: Ty) {
        let at = runner.params.len();
        runner.setup.push(format!("let {name} = n.value::<{}>({at});", ty.made()));
        runner.params.push(format!("{name}: {}", self.spelled(ty)));
        runner.shapes.push("[]".to_owned());
        runner.args.push(name.to_owned());
    }

    /// The type of the elements of an array.
    fn element(&mut self) -> Ty {
        match self.below(16) {
            0 | 1 => Ty::Cell,
            2 => Ty::Cloud,
            _ => self.number(),
        }
    }

    fn input(&mut self, runner: &mut Runner) {
        let ty = self.element();
        let mut rank = self.rank;
        if rank == 1 && self.chance(15) {
            rank = 2;
        } else if self.chance(40) {
            rank = 1 + self.below(rank);
        }
        let mut ids: Vec<&str> = IDS[..rank].iter().rev().copied().collect();
        let mut shape: Vec<String> =
            (0..rank).rev().map(|d| format!("n.extent({}, {d})", self.rank)).collect();
        if rank > self.rank {
            // Not of the index space: any index does.
            (ids[0], shape[0]) = ("1", "2".to_owned());
        }
        let name = self.fresh("x");
        let spelled = self.spelled(ty);
        let form = match rank {
            1 => format!("{name}: &[{spelled}]"),
            _ => format!("{name}: View<'_, {spelled}, {rank}>"),
        };
        let arg = format!("&{name}");
        runner.array(&name, ty, &format!("[{}]", shape.join(", ")), &arg, form, false);
        let ids = ids.into_iter().map(str::to_owned).collect();
        self.inputs.push(Array { name, ty, ids, kind: Kind::Read });
    }

    fn output(&mut self, runner: &mut Runner) {
        let ty = self.element();
        let name = self.fresh("y");
        let mut ids: Vec<String> = IDS[..self.rank].iter().rev().map(|&id| id.to_owned()).collect();
        let mut shape: Vec<String> =
            (0..self.rank).rev().map(|d| format!("n.extent({}, {d})", self.rank)).collect();
        let mut kind = Kind::Written;
        if self.rank > 1 {
            // Any order of the components is an own place, as long as it is the same everywhere.
            let by = if self.chance(70) { 0 } else { self.below(self.rank) };
            ids.rotate_left(by);
            shape.rotate_left(by);
        } else if self.chance(20) {
            kind = Kind::Rows;
            ids.insert(0, "0".to_owned());
            shape.insert(0, "3".to_owned());
        } else if self.chance(25) {
            // All items as far away from their number.
            let by = self.pick(&["N", "far::N", "2"]);
            ids[0] = format!("i + {by}");
            shape[0] = format!("n.extent(1, 0) + {by}");
        }
        let attr = self.pick(&["", "", "#[out] ", "#[out(partial)] "]);
        let spelled = self.spelled(ty);
        let form = match ids.len() {
            1 => format!("{attr}{name}: &mut [{spelled}]"),
            rank => format!("{attr}{name}: ViewMut<'_, {spelled}, {rank}>"),
        };
        let arg = format!("&mut {name}");
        runner.array(&name, ty, &format!("[{}]", shape.join(", ")), &arg, form, true);
        self.written.push(Array { name, ty, ids, kind });
    }

    /// A temporary as long as a slice that the kernel takes, if it takes one.
    fn scratch(&mut self, runner: &mut Runner) {
        let of = self.inputs.iter().find(|array| array.ids == ["i"]);
        let Some(of) = of.map(|array| array.name.clone()) else { return };
        let ty = self.number();
        let name = self.fresh("t");
        let spelled = self.spelled(ty);
        let (length, shape) = match self.below(2) {
            0 => (format!("{of}.len()"), "[n.extent(1, 0)]"),
            _ => (format!("2 * {of}.len() + N"), "[2 * n.extent(1, 0) + N]"),
        };
        runner.params.push(format!("#[scratch({length})] {name}: &mut [{spelled}]"));
        runner.shapes.push(shape.to_owned());
        self.written.push(Array { name, ty, ids: vec!["i".to_owned()], kind: Kind::Scratch });
    }

    fn cell_to_reduce(&mut self, runner: &mut Runner) {
        let ty = self.pick(&[U32, Ty::Int("i64", true), F32, F64]);
        let op = self.pick(if ty == F32 || ty == F64 {
            &["+", "min", "max"]
        } else {
            &["+", "min", "max", "^", "|", "&", "*"]
        });
        let into = if self.chance(40) { ", into" } else { "" };
        self.reduce_to(runner, ty, op, into);
    }

    pub(super) fn reduce_to(&mut self, runner: &mut Runner, ty: Ty, op: &'static str, into: &str) {
        self.reduce = Some((ty, op));
        let at = runner.params.len();
        runner.setup.push(format!("let mut s = Var::new(n.value::<{}>({at}));", ty.name()));
        runner.params.push(format!("#[reduce({op}{into})] s: &mut {}", ty.name()));
        runner.shapes.push("[]".to_owned());
        runner.args.push("&mut s".to_owned());
    }

    fn body(&mut self, atomic: Option<(Ty, &'static str)>) {
        for d in (0..self.rank).rev() {
            self.line(&format!("let {} = global_id({d});", IDS[d]));
            self.declare(IDS[d], USIZE, false);
        }
        for (name, word) in [("f", "phase()"), ("g", "partition()")] {
            if self.phases > 1 || self.chance(30) {
                self.line(&format!("let {name} = {word};"));
                self.declare(name, USIZE, false);
            }
        }
        self.budget = 7 + self.below(8);
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
    }

    /// The function that runs a kernel, or an instance of one, on a runtime; gives its case.
    pub(super) fn runner(
        &mut self,
        name: &str,
        generics: &str,
        shown: &str,
        descriptor: &str,
        ty: &str,
        runner: &Runner,
    ) -> String {
        let run = format!("run_{}", shown.replace(['<', ',', ' '], "_").replace('>', ""));
        self.line(&format!("fn {run}(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {{"));
        self.indent += 1;
        for line in &runner.setup {
            self.line(&line.replace("@T", ty));
        }
        let (rank, phases) = (self.rank, self.phases);
        let mut extents: Vec<String> =
            (0..rank).map(|d| format!("n.extent({rank}, {d})")).collect();
        if phases > 1 {
            extents.push(phases.to_string());
        }
        let (args, space) = (runner.args.join(", "), extents.join(", "));
        self.line(&format!("n.exec(rt, {name}{generics}({args}), [{space}])?;"));
        self.line("let mut outputs = Outputs::default();");
        let kept = self.written.iter().filter(|array| !matches!(array.kind, Kind::Scratch));
        let mut kept: Vec<String> =
            kept.map(|array| format!("outputs.array(&{}.to_vec()?);", array.name)).collect();
        if self.reduce.is_some() {
            kept.push("outputs.array(&[s.get()?]);".to_owned());
        }
        if runner.args.iter().any(|arg| arg == "&mut c") {
            kept.push("outputs.array(&c.to_vec()?);".to_owned());
        }
        for line in kept {
            self.line(&line);
        }
        self.line("Ok(outputs)");
        self.indent -= 1;
        self.line("}\n");
        let shapes: Vec<String> = runner.shapes.iter().map(|s| format!("vec!{s}")).collect();
        format!(
            "    Case {{ name: \"{shown}\", rank: {rank}, phases: {phases}, \
             descriptor: {descriptor}, shapes: |n| vec![{}], run: {run} }},",
            shapes.join(", ")
        )
    }
}

impl Runner {
    pub(super) fn array(
        &mut self,
        name: &str,
        ty: Ty,
        shape: &str,
        arg: &str,
        form: String,
        written: bool,
    ) {
        let at = self.params.len();
        let mutable = if written { "mut " } else { "" };
        let new = format!("n.array::<{}, _>({at}, {shape})", ty.made());
        self.setup.push(format!("let {mutable}{name} = {new};"));
        self.params.push(form);
        self.shapes.push(shape.to_owned());
        self.args.push(arg.to_owned());
    }
}
