//! Drawn bodies as Rust: what a person would have written, and a call of `Host` where a body reaches memory.
//! It says nothing of types but where Rust asks for one, so rustc infers what the resolver does.

use std::fmt::Write;

use flash_ir::Ty;
use flash_ir::ir::{
    Access, AtomicOp, Block, ConstValue, Expr, ExprKind, FnIr, KernelIr, LocalId, Locals, MathFn,
    Param, Place, Proj, Stmt, UnOp,
};

/// Functions that are those of `flash::math`, by their numbers.
pub(super) const HOSTED: [MathFn; 23] = [
    MathFn::Signum,
    MathFn::Min,
    MathFn::Max,
    MathFn::Clamp,
    MathFn::Powi,
    MathFn::Rsqrt,
    MathFn::Fract,
    MathFn::Recip,
    MathFn::Exp,
    MathFn::Exp2,
    MathFn::Ln,
    MathFn::Log2,
    MathFn::Log10,
    MathFn::Sin,
    MathFn::Cos,
    MathFn::Tan,
    MathFn::Tanh,
    MathFn::Atan,
    MathFn::Erf,
    MathFn::Atan2,
    MathFn::Pow,
    MathFn::Hypot,
    MathFn::Copysign,
];

/// Functions of [`HOSTED`] that integers have too, or that take another type: those have traits of their own.
const NAMED: usize = 5;

/// Operations on cells, by their numbers.
pub(super) const ATOMICS: [AtomicOp; 11] = [
    AtomicOp::Load,
    AtomicOp::Store,
    AtomicOp::FetchAdd,
    AtomicOp::FetchSub,
    AtomicOp::FetchMin,
    AtomicOp::FetchMax,
    AtomicOp::FetchAnd,
    AtomicOp::FetchOr,
    AtomicOp::FetchXor,
    AtomicOp::Swap,
    AtomicOp::CompareExchange,
];

/// Numbers that a body asks its host for.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Len,
    Extent,
    Size,
    Phase,
    Partition,
}

/// What texts begin with.
const PRELUDE: &str = include_str!("prelude.rs");

/// The text of several bodies.
pub(super) struct Texts {
    out: String,
    /// The functions that are written, each with the number of its name.
    functions: Vec<&'static FnIr>,
    bodies: usize,
}

impl Texts {
    pub(super) fn new() -> Self {
        let mut out = String::from(PRELUDE);
        out.push_str("\nmod number {\n");
        for (number, function) in HOSTED[..NAMED].iter().enumerate() {
            let name = format!("{function:?}").to_uppercase();
            let _ = writeln!(out, "    pub const {name}: u16 = {number};");
        }
        out.push_str("}\n\n");
        Self { out, functions: Vec::new(), bodies: 0 }
    }

    /// Adds a body, whose number is how many there were.
    pub(super) fn push(&mut self, ir: &'static KernelIr) {
        let head = format!("fn body{}(h: &Host, id: [usize; 4])", self.bodies);
        self.bodies += 1;
        self.function(head, ir.params, ir.locals, &ir.body);
    }

    pub(super) fn finish(mut self) -> String {
        let _ = write!(self.out, "static BODIES: [Body; {}] = [", self.bodies);
        for body in 0..self.bodies {
            let _ = write!(self.out, "body{body}, ");
        }
        self.out.push_str("];\n");
        self.out
    }

    fn function(&mut self, head: String, params: &'static [Param], locals: Locals, body: &Block) {
        let mut text = Text { texts: self, out: head, params, types: (locals.types)() };
        text.out.push(' ');
        text.block(body);
        let out = text.out + "\n\n";
        self.out.push_str(&out);
    }

    /// The number of a device function, which is written when it is first asked for.
    fn number(&mut self, function: &'static FnIr) -> usize {
        let there = self.functions.iter().position(|other| std::ptr::eq(*other, function));
        there.unwrap_or_else(|| {
            let number = self.functions.len();
            self.functions.push(function);
            let args = function.params.iter().enumerate();
            let args: Vec<_> = args.map(|(at, (_, ty))| format!("mut v{at}: {ty}")).collect();
            let head = format!("fn f{number}({}) -> {}", args.join(", "), function.ret);
            self.function(head, &[], function.locals, &function.body);
            number
        })
    }
}

/// One body while it is written.
struct Text<'t> {
    texts: &'t mut Texts,
    out: String,
    params: &'static [Param],
    types: Vec<Ty>,
}

impl Text<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn block(&mut self, block: &Block) {
        self.put("{\n");
        for stmt in block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = block.tail {
            self.expr(tail);
        }
        self.put("}\n");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(id, init, _) => {
                let ty = self.types[usize::from(*id)];
                let _ = write!(self.out, "let mut v{id}: {ty}");
                if let Some(init) = init {
                    self.put(" = ");
                    self.expr(init);
                }
            }
            Stmt::Assign(place, value, _) => self.assign(place, "=", value),
            Stmt::Update(place, op, value, ..) => {
                self.assign(place, &format!("{}=", op.symbol()), value);
            }
            Stmt::Reduce(param, value, _) => {
                let ty = self.params[usize::from(*param)].ty;
                let _ = write!(self.out, "h.reduce::<{ty}>({param}, ");
                self.expr(value);
                self.put(")");
            }
            Stmt::Expr(expr) => {
                self.put("let _ = ");
                self.expr(expr);
            }
            Stmt::For { local, lo, hi, inclusive, rev, step, body, .. } => {
                let ty = self.types[usize::from(*local)];
                let _ = write!(self.out, "let range: std::ops::");
                self.put(if *inclusive { "RangeInclusive" } else { "Range" });
                let _ = write!(self.out, "<{ty}> = (");
                self.expr(lo);
                self.put(if *inclusive { "..=" } else { ".." });
                self.expr(hi);
                let _ = write!(self.out, ");\nfor v{local} in range");
                self.put(if *rev { ".rev()" } else { "" });
                if let Some(step) = step {
                    self.put(".step_by(");
                    self.expr(step);
                    self.put(")");
                }
                self.put(" ");
                self.block(body);
            }
            Stmt::While { cond, body, .. } => {
                self.put("while ");
                self.expr(cond);
                self.put(" ");
                self.block(body);
            }
            Stmt::Break(_) => self.put("break"),
            Stmt::Continue(_) => self.put("continue"),
            Stmt::Return(value, _) => {
                self.put("return ");
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            Stmt::Barrier(_) => unreachable!("none is drawn"),
        }
        self.put(";\n");
    }

    /// The value comes before the place.
    fn assign(&mut self, place: &Place, op: &str, value: &Expr) {
        match place {
            Place::Local(id, projs) => {
                self.place(*id, projs);
                let _ = write!(self.out, " {op} ");
                self.expr(value);
            }
            Place::Elem(access, projs) => {
                self.put("{ let value = ");
                self.expr(value);
                let ty = self.params[usize::from(access.param)].ty;
                let _ = write!(self.out, "; let at = ");
                self.index(access);
                let param = access.param;
                if op == "=" && projs.is_empty() {
                    let _ = write!(self.out, "; h.write::<{ty}>({param}, &at, value) }}");
                    return;
                }
                let _ =
                    write!(self.out, "; let mut element = h.read::<{ty}>({param}, &at); element");
                self.projs(projs);
                let _ = write!(self.out, " {op} value; h.write::<{ty}>({param}, &at, element) }}");
            }
        }
    }

    fn place(&mut self, id: LocalId, projs: &[Proj]) {
        let _ = write!(self.out, "v{id}");
        self.projs(projs);
    }

    fn projs(&mut self, projs: &[Proj]) {
        for proj in projs {
            match proj {
                Proj::Field(name) => {
                    let _ = write!(self.out, ".{name}");
                }
                Proj::Index(index) => {
                    self.put("[");
                    self.expr(index);
                    self.put("]");
                }
            }
        }
    }

    fn index(&mut self, access: &Access) {
        self.put("[");
        self.list(access.index);
        self.put("]");
    }

    fn list(&mut self, exprs: &[Expr]) {
        for expr in exprs {
            self.expr(expr);
            self.put(", ");
        }
    }

    /// Two arguments more, of which some are nobody's.
    fn two(&mut self, args: &[Expr]) {
        for at in 0..2 {
            self.put(", ");
            match args.get(at) {
                Some(arg) => self.expr(arg),
                None => self.put("Default::default()"),
            }
        }
    }

    fn number(&mut self, number: Number, of: u16) {
        let _ = write!(self.out, "h.number({}, {of})", number as u8);
    }

    fn side(&mut self, sides: (&str, &str), expr: &Expr) {
        self.put(sides.0);
        self.expr(expr);
        self.put(sides.1);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(value, suffix) => {
                let _ = write!(self.out, "{value}{}", suffix.map_or("", |ty| ty.name()));
            }
            ExprKind::Float(digits, suffix) => {
                let _ = write!(self.out, "{digits}{}", suffix.map_or("", |ty| ty.name()));
            }
            ExprKind::Bool(value) => {
                let _ = write!(self.out, "{value}");
            }
            ExprKind::Const(value) => self.constant(*value),
            ExprKind::Local(id) => {
                let _ = write!(self.out, "v{id}");
            }
            ExprKind::Param(id) => {
                let ty = self.params[usize::from(*id)].ty;
                let _ = write!(self.out, "h.read::<{ty}>({id}, &[])");
            }
            ExprKind::GlobalId(dim) => {
                let _ = write!(self.out, "id[{dim}]");
            }
            ExprKind::GlobalSize(dim) => self.number(Number::Size, u16::from(*dim)),
            ExprKind::Phase => self.number(Number::Phase, 0),
            ExprKind::Partition => self.number(Number::Partition, 0),
            ExprKind::Len(param) => self.number(Number::Len, *param),
            ExprKind::Extent(param, dim) => {
                self.number(Number::Extent, param << 8 | u16::from(*dim));
            }
            ExprKind::Load(access) => {
                let ty = self.params[usize::from(access.param)].ty;
                let _ = write!(self.out, "h.read::<{ty}>({}, &", access.param);
                self.index(access);
                self.put(")");
            }
            ExprKind::Atomic(access, op, args) => {
                let ty = self.params[usize::from(access.param)].ty;
                let _ = write!(self.out, "h.atomic::<{ty}>({}, &", access.param);
                self.index(access);
                let number = ATOMICS.iter().position(|other| other == op).expect("all are listed");
                let _ = write!(self.out, ", {number}");
                self.two(args);
                self.put(")");
            }
            ExprKind::Unary(op, a, _) => {
                self.put(if *op == UnOp::Neg { "(-" } else { "(!" });
                self.side(("", ")"), a);
            }
            ExprKind::Binary(op, a, b, _) => {
                self.side(("(", ""), a);
                let _ = write!(self.out, " {} ", op.symbol());
                self.side(("", ")"), b);
            }
            ExprKind::Cast(a, ty) => {
                // Rust has what is converted in the type that it is converted to, where it may.
                let sides = if is_untyped(a) { ("({ let x: i32 = ", "; x }") } else { ("(", "") };
                self.side(sides, a);
                let _ = write!(self.out, " as {ty})");
            }
            ExprKind::Call(function, args) => {
                let number = self.texts.number(function);
                let _ = write!(self.out, "f{number}(");
                self.list(args);
                self.put(")");
            }
            ExprKind::Math(function, args, _) => self.math(*function, args),
            ExprKind::Complex(..) => unreachable!("none is drawn"),
            ExprKind::If(cond, then, other) => {
                self.side(("(if ", " "), cond);
                self.block(then);
                if let Some(other) = other {
                    self.put("else ");
                    self.block(other);
                }
                self.put(")");
            }
            ExprKind::Block(block) => {
                self.put("(");
                self.block(block);
                self.put(")");
            }
            ExprKind::Field(a, name) => {
                self.expr(a);
                let _ = write!(self.out, ".{name}");
            }
            ExprKind::Index(a, index) => {
                self.expr(a);
                self.side(("[", "]"), index);
            }
            ExprKind::Struct(ty, fields) => {
                let _ = write!(self.out, "({ty} {{ ");
                for (name, value) in *fields {
                    let _ = write!(self.out, "{name}: ");
                    self.side(("", ", "), value);
                }
                self.put("})");
            }
            ExprKind::Array(items) => {
                self.put("[");
                self.list(items);
                self.put("]");
            }
            ExprKind::Repeat(item, n) => {
                self.side(("[", ""), item);
                let _ = write!(self.out, "; {n}]");
            }
        }
    }

    fn math(&mut self, function: MathFn, args: &[Expr]) {
        let name = function.name();
        match HOSTED.iter().position(|other| *other == function) {
            Some(number) if number >= NAMED => {
                self.side(("Float::math(", ""), &args[0]);
                let _ = write!(self.out, ", {number}");
                self.two(&args[1..]);
            }
            _ => {
                let home = match function {
                    MathFn::Abs | MathFn::Signum | MathFn::Min | MathFn::Max | MathFn::Clamp => {
                        "Scalar"
                    }
                    MathFn::RemEuclid | MathFn::DivEuclid => "Scalar",
                    MathFn::WrappingAdd
                    | MathFn::WrappingSub
                    | MathFn::WrappingMul
                    | MathFn::WrappingNeg
                    | MathFn::SaturatingAdd
                    | MathFn::SaturatingSub
                    | MathFn::AbsDiff
                    | MathFn::RotateLeft
                    | MathFn::RotateRight
                    | MathFn::CountOnes
                    | MathFn::LeadingZeros
                    | MathFn::TrailingZeros => "Int",
                    _ => "Float",
                };
                let _ = write!(self.out, "{home}::m_{name}(");
                self.list(args);
            }
        }
        self.put(")");
    }

    fn constant(&mut self, value: ConstValue) {
        fn array<T: std::fmt::Debug>(ty: &str, items: &[T]) -> String {
            format!("({{ const C: [{ty}; {}] = {items:?}; C }})", items.len())
        }
        let text = match value {
            ConstValue::Bool(value) => value.to_string(),
            ConstValue::Int(value, ty) => format!("({value}{})", ty.name()),
            ConstValue::F32(value) => format!("f32::from_bits({:#x})", value.to_bits()),
            ConstValue::F64(value) => format!("f64::from_bits({:#x})", value.to_bits()),
            ConstValue::ArrayF32(items) => array("f32", items),
            ConstValue::ArrayF64(items) => array("f64", items),
            ConstValue::ArrayI32(items) => array("i32", items),
            ConstValue::ArrayU32(items) => array("u32", items),
            ConstValue::ArrayUsize(items) => array("usize", items),
            ConstValue::ArrayU8(items) => array("u8", items),
        };
        self.put(&text);
    }
}

/// Whether it is a literal of no type, or the opposite of one.
fn is_untyped(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_, suffix) => suffix.is_none(),
        ExprKind::Unary(_, a, _) => is_untyped(a),
        _ => false,
    }
}
