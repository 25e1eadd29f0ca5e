//! The IR as Rust-like text, for people and snapshots. Not for compilers: types of literals are only
//! shown where they were written.

use std::fmt::{self, Display, Formatter, Write};

use crate::ir::{
    Access, AccessClass, AtomicOp, BinOp, Block, ConstValue, Expr, ExprKind, FnIr, KernelIr,
    MathFn, Param, ParamKind, Place, Proj, ReduceOp, Stmt, UnOp,
};
use crate::ty::Ty;

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("()"),
            Self::Scalar(scalar) => f.write_str(scalar.name()),
            Self::Struct(layout) => f.write_str(layout.name),
            Self::Array(elem, len) => write!(f, "[{elem}; {len}]"),
        }
    }
}

impl Display for KernelIr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}<{}>(", self.name, self.rank)?;
        for (k, param) in self.params.iter().enumerate() {
            f.write_str(if k > 0 { ", " } else { "" })?;
            write_param(f, param)?;
        }
        f.write_str(") ")?;
        let mut text = Text { out: f, params: self.params, names: self.locals.names, indent: 0 };
        text.block(&self.body)
    }
}

impl Display for FnIr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "fn {}(", self.name)?;
        for (k, (name, ty)) in self.params.iter().enumerate() {
            write!(f, "{}{name}: {ty}", if k > 0 { ", " } else { "" })?;
        }
        write!(f, ") -> {} ", self.ret)?;
        let mut text = Text { out: f, params: &[], names: self.locals.names, indent: 0 };
        text.block(&self.body)
    }
}

fn write_param(f: &mut Formatter<'_>, param: &Param) -> fmt::Result {
    let role = match param.kind {
        ParamKind::Value => return write!(f, "{}: {}", param.name, param.ty),
        ParamKind::In => "in",
        ParamKind::InOut => "inout",
        ParamKind::Out => "out",
        ParamKind::OutPartial => "out(partial)",
        ParamKind::Scratch => "scratch",
        ParamKind::Atomic => "atomic",
        ParamKind::Reduce(op) => {
            let op = match op {
                ReduceOp::Add => "+",
                ReduceOp::Mul => "*",
                ReduceOp::Min => "min",
                ReduceOp::Max => "max",
                ReduceOp::And => "&",
                ReduceOp::Or => "|",
                ReduceOp::Xor => "^",
            };
            return write!(f, "{}: reduce({op}) {}", param.name, param.ty);
        }
    };
    write!(f, "{}: {role} [{}; {}]", param.name, param.ty, param.rank)
}

/// Writes one body.
struct Text<'t, 'f> {
    out: &'t mut Formatter<'f>,
    params: &'static [Param],
    names: &'static [&'static str],
    indent: usize,
}

impl Text<'_, '_> {
    fn line(&mut self) -> fmt::Result {
        self.out.write_char('\n')?;
        (0..self.indent).try_for_each(|_| self.out.write_str("    "))
    }

    fn block(&mut self, block: &Block) -> fmt::Result {
        self.out.write_char('{')?;
        self.indent += 1;
        for stmt in block.stmts {
            self.line()?;
            self.stmt(stmt)?;
        }
        if let Some(tail) = block.tail {
            self.line()?;
            self.expr(tail)?;
        }
        self.indent -= 1;
        if !block.stmts.is_empty() || block.tail.is_some() {
            self.line()?;
        }
        self.out.write_char('}')
    }

    /// A local by its name, with its number where the name is not unique.
    fn local(&mut self, id: u16) -> fmt::Result {
        let name = self.names.get(usize::from(id)).copied().unwrap_or("?");
        let first = self.names.iter().position(|other| *other == name);
        if first.is_some_and(|first| first != usize::from(id)) {
            return write!(self.out, "{name}.{id}");
        }
        self.out.write_str(name)
    }

    fn param(&mut self, id: u16) -> fmt::Result {
        let name = self.params.get(usize::from(id)).map_or("?", |param| param.name);
        self.out.write_str(name)
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        match stmt {
            Stmt::Let(id, init, _) => {
                self.out.write_str("let ")?;
                self.local(*id)?;
                if let Some(init) = init {
                    self.out.write_str(" = ")?;
                    self.expr(init)?;
                }
            }
            Stmt::Assign(place, value, _) => {
                self.place(place)?;
                self.out.write_str(" = ")?;
                self.expr(value)?;
            }
            Stmt::Update(place, op, value, _, _) => {
                self.place(place)?;
                write!(self.out, " {}= ", op.symbol())?;
                self.expr(value)?;
            }
            Stmt::Reduce(param, value, _) => {
                self.out.write_str("reduce ")?;
                self.param(*param)?;
                self.out.write_str(" by ")?;
                self.expr(value)?;
            }
            Stmt::Expr(expr) => self.expr(expr)?,
            Stmt::For { local, lo, hi, inclusive, rev, step, body, .. } => {
                self.out.write_str("for ")?;
                self.local(*local)?;
                self.out.write_str(" in ")?;
                self.expr(lo)?;
                self.out.write_str(if *inclusive { "..=" } else { ".." })?;
                self.expr(hi)?;
                self.out.write_str(if *rev { " rev " } else { " " })?;
                if let Some(step) = step {
                    self.out.write_str("by ")?;
                    self.expr(step)?;
                    self.out.write_char(' ')?;
                }
                return self.block(body);
            }
            Stmt::While { cond, body, .. } => {
                self.out.write_str("while ")?;
                self.expr(cond)?;
                self.out.write_char(' ')?;
                return self.block(body);
            }
            Stmt::Break(_) => self.out.write_str("break")?,
            Stmt::Continue(_) => self.out.write_str("continue")?,
            Stmt::Return(None, _) => self.out.write_str("return")?,
            Stmt::Return(Some(value), _) => {
                self.out.write_str("return ")?;
                self.expr(value)?;
            }
            Stmt::Barrier(_) => self.out.write_str("barrier")?,
        }
        self.out.write_char(';')
    }

    fn place(&mut self, place: &Place) -> fmt::Result {
        let projs = match place {
            Place::Local(id, projs) => {
                self.local(*id)?;
                *projs
            }
            Place::Elem(access, projs) => {
                self.access(access)?;
                *projs
            }
        };
        for proj in projs {
            match proj {
                Proj::Field(name) => write!(self.out, ".{name}")?,
                Proj::Index(index) => {
                    self.out.write_char('[')?;
                    self.expr(index)?;
                    self.out.write_char(']')?;
                }
            }
        }
        Ok(())
    }

    /// `x[own i]`, `x[affine i - 1]`, `x[j, i]`, `x[unchecked k]`
    fn access(&mut self, access: &Access) -> fmt::Result {
        self.param(access.param)?;
        self.out.write_str(match access.class {
            AccessClass::Own => "[own ",
            AccessClass::Affine => "[affine ",
            AccessClass::Checked => "[",
            AccessClass::Unchecked => "[unchecked ",
        })?;
        self.list(access.index)?;
        self.out.write_char(']')
    }

    fn list(&mut self, exprs: &[Expr]) -> fmt::Result {
        for (k, expr) in exprs.iter().enumerate() {
            self.out.write_str(if k > 0 { ", " } else { "" })?;
            self.expr(expr)?;
        }
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) -> fmt::Result {
        match &expr.kind {
            ExprKind::Int(value, suffix) => {
                write!(self.out, "{value}{}", suffix.map_or("", |ty| ty.name()))
            }
            ExprKind::Float(digits, suffix) => {
                write!(self.out, "{digits}{}", suffix.map_or("", |ty| ty.name()))
            }
            ExprKind::Bool(value) => write!(self.out, "{value}"),
            ExprKind::Const(value) => self.constant(*value),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Param(id) => self.param(*id),
            ExprKind::GlobalId(dim) => write!(self.out, "id{dim}"),
            ExprKind::GlobalSize(dim) => write!(self.out, "size{dim}"),
            ExprKind::Phase => self.out.write_str("phase"),
            ExprKind::Partition => self.out.write_str("partition"),
            ExprKind::Len(param) => {
                self.param(*param)?;
                self.out.write_str(".len")
            }
            ExprKind::Extent(param, dim) => {
                self.param(*param)?;
                write!(self.out, ".extent{dim}")
            }
            ExprKind::Load(access) => self.access(access),
            ExprKind::Atomic(access, op, args) => {
                self.access(access)?;
                write!(self.out, ".{}(", atomic(*op))?;
                self.list(args)?;
                self.out.write_char(')')
            }
            ExprKind::Unary(op, a, _) => {
                self.out.write_char(if *op == UnOp::Neg { '-' } else { '!' })?;
                self.expr(a)
            }
            ExprKind::Binary(op, a, b, _) => {
                self.out.write_char('(')?;
                self.expr(a)?;
                write!(self.out, " {} ", op.symbol())?;
                self.expr(b)?;
                self.out.write_char(')')
            }
            ExprKind::Cast(a, ty) => {
                self.out.write_char('(')?;
                self.expr(a)?;
                write!(self.out, " as {ty})")
            }
            ExprKind::Call(function, args) => {
                write!(self.out, "{}(", function.name)?;
                self.list(args)?;
                self.out.write_char(')')
            }
            ExprKind::Math(function, args, _) => {
                write!(self.out, "{}(", function.name())?;
                self.list(args)?;
                self.out.write_char(')')
            }
            ExprKind::Complex(function, args) => {
                write!(self.out, "{}(", snake(&format!("complex_{function:?}")))?;
                self.list(args)?;
                self.out.write_char(')')
            }
            ExprKind::If(cond, then, other) => {
                self.out.write_str("if ")?;
                self.expr(cond)?;
                self.out.write_char(' ')?;
                self.block(then)?;
                if let Some(other) = other {
                    self.out.write_str(" else ")?;
                    self.block(other)?;
                }
                Ok(())
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Field(a, name) => {
                self.expr(a)?;
                write!(self.out, ".{name}")
            }
            ExprKind::Index(a, index) => {
                self.expr(a)?;
                self.out.write_char('[')?;
                self.expr(index)?;
                self.out.write_char(']')
            }
            ExprKind::Struct(ty, fields) => {
                write!(self.out, "{ty} {{ ")?;
                for (k, (name, value)) in fields.iter().enumerate() {
                    write!(self.out, "{}{name}: ", if k > 0 { ", " } else { "" })?;
                    self.expr(value)?;
                }
                self.out.write_str(" }")
            }
            ExprKind::Array(items) => {
                self.out.write_char('[')?;
                self.list(items)?;
                self.out.write_char(']')
            }
            ExprKind::Repeat(item, n) => {
                self.out.write_char('[')?;
                self.expr(item)?;
                write!(self.out, "; {n}]")
            }
        }
    }

    fn constant(&mut self, value: ConstValue) -> fmt::Result {
        match value {
            ConstValue::Bool(value) => write!(self.out, "{value}"),
            ConstValue::Int(value, ty) => write!(self.out, "{value}{}", ty.name()),
            ConstValue::F32(value) => write!(self.out, "{value:?}f32"),
            ConstValue::F64(value) => write!(self.out, "{value:?}f64"),
            ConstValue::ArrayF32(items) => write!(self.out, "{items:?}"),
            ConstValue::ArrayF64(items) => write!(self.out, "{items:?}"),
            ConstValue::ArrayI32(items) => write!(self.out, "{items:?}"),
            ConstValue::ArrayU32(items) => write!(self.out, "{items:?}"),
            ConstValue::ArrayUsize(items) => write!(self.out, "{items:?}"),
            ConstValue::ArrayU8(items) => write!(self.out, "{items:?}"),
        }
    }
}

impl BinOp {
    /// The operator as Rust writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::LazyAnd => "&&",
            Self::LazyOr => "||",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}

impl MathFn {
    /// The name of the function: `round_ties_even`.
    pub fn name(self) -> String {
        snake(&format!("{self:?}"))
    }
}

/// `RoundTiesEven` as `round_ties_even`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (k, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && k > 0 {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

fn atomic(op: AtomicOp) -> String {
    snake(&format!("{op:?}"))
}
