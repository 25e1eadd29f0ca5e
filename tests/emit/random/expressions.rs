//! Expressions of a wanted type, but for what is computed with numbers.

use flash_ir::ir::{AtomicOp, BinOp, Block, ConstValue, DeviceFn, Expr, ExprKind, MathFn, UnOp};
use flash_ir::{ScalarTy, Ty};
use flash_test_devices as far;

use super::draw::{BOOL, Draw, U32, USIZE, Use, all, binary, keep, literal, scalar};
use super::pool;

impl Draw {
    /// An expression of a type.
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        if self.random.chance(7) {
            let (cond, a, b) = (self.expr(BOOL, d), self.expr(ty, d), self.expr(ty, d));
            let side = |tail| Block { stmts: &[], tail: Some(keep(tail)) };
            return self.expr_of(ExprKind::If(keep(cond), side(a), Some(side(b))));
        }
        if self.random.chance(4) {
            return self.block_value(ty, d);
        }
        if self.random.chance(6)
            && let Some(call) = self.call(ty, d)
        {
            return call;
        }
        match ty {
            Ty::Scalar(ScalarTy::Bool) => self.boolean(d),
            Ty::Scalar(of) if of.is_float() => self.float(of, d),
            Ty::Scalar(of) => self.int(of, d),
            pool::FLOATS => self.items(scalar(ScalarTy::F32), 4, d),
            pool::WORDS => self.items(U32, 3, d),
            Ty::Struct(_) => self.structure(ty, d),
            _ => self.leaf(ty),
        }
    }

    fn items(&mut self, elem: Ty, n: usize, d: usize) -> Expr {
        if self.random.chance(30) {
            let item = self.expr(elem, d);
            return self.expr_of(ExprKind::Repeat(keep(item), n));
        }
        let items = (0..n).map(|_| self.expr(elem, d)).collect();
        self.expr_of(ExprKind::Array(all(items)))
    }

    fn structure(&mut self, ty: Ty, d: usize) -> Expr {
        let Ty::Struct(layout) = ty else { return self.leaf(ty) };
        if ty == pool::CELL && self.random.chance(30) {
            let cloud = self.leaf(pool::CLOUD);
            return self.field(cloud, "mid");
        }
        if self.random.chance(40) {
            return self.leaf(ty);
        }
        let mut fields: Vec<_> = layout.fields.iter().collect();
        fields.rotate_left(self.random.below(layout.fields.len()));
        let values = fields.into_iter().map(|field| {
            let value = match field.ty {
                Ty::Array(elem, n) => {
                    let item = self.expr(*elem, d.min(1));
                    self.expr_of(ExprKind::Repeat(keep(item), n))
                }
                ty => self.expr(ty, d),
            };
            (field.name, value)
        });
        let values = values.collect();
        self.expr_of(ExprKind::Struct(ty, all(values)))
    }

    pub(super) fn field(&mut self, of: Expr, name: &'static str) -> Expr {
        self.expr_of(ExprKind::Field(keep(of), name))
    }

    fn block_value(&mut self, ty: Ty, d: usize) -> Expr {
        let of = scalar(self.number());
        let Some(id) = self.fresh(of) else { return self.leaf(ty) };
        let value = self.expr(of, d);
        let stmt = flash_ir::ir::Stmt::Let(id, Some(value), self.at());
        self.scopes.push(Vec::new());
        self.declare(id, of, false);
        let tail = self.expr(ty, d);
        self.scopes.pop();
        self.expr_of(ExprKind::Block(Block { stmts: all(vec![stmt]), tail: Some(keep(tail)) }))
    }

    /// A call of a device function that gives this type.
    fn call(&mut self, ty: Ty, d: usize) -> Option<Expr> {
        let mut fit: Vec<_> = self.functions.clone();
        fit.extend([
            <far::scaled as DeviceFn>::IR,
            <far::series as DeviceFn>::IR,
            <far::mix as DeviceFn>::IR,
            <far::moved as DeviceFn>::IR,
            <far::total as DeviceFn>::IR,
        ]);
        if self.has_math {
            fit.push(<far::wave as DeviceFn>::IR);
        }
        fit.retain(|function| function.ret == ty);
        if fit.is_empty() {
            return None;
        }
        let function = self.random.pick(&fit);
        let args = function.params.iter().map(|(_, ty)| self.expr(*ty, d.min(2))).collect();
        Some(self.expr_of(ExprKind::Call(function, all(args))))
    }

    fn constant(&mut self, ty: Ty) -> Expr {
        let bits = self.random.next();
        let small = bits >> 32 & 127;
        let float = (bits >> 11) as f64 * 2.0_f64.powi(-53) * 100.0 - 50.0;
        let special = [f64::NAN, f64::INFINITY, -0.0, 1e-310, f64::MAX, f64::MIN_POSITIVE];
        let float = if bits.is_multiple_of(16) { special[self.random.below(6)] } else { float };
        let kind = match ty {
            Ty::Scalar(ScalarTy::Bool) => ExprKind::Bool(bits.is_multiple_of(2)),
            Ty::Scalar(ScalarTy::F32) if bits % 4 == 1 => {
                ExprKind::Float(String::leak(format!("{small}.25")), Some(ScalarTy::F32))
            }
            Ty::Scalar(ScalarTy::F32) => ExprKind::Const(ConstValue::F32(float as f32)),
            Ty::Scalar(ScalarTy::F64) => ExprKind::Const(ConstValue::F64(float)),
            // The ends of the type, and numbers that fill it.
            Ty::Scalar(of) if bits.is_multiple_of(8) => {
                let value = match of.size() {
                    1 => i128::from(bits as i8),
                    2 => i128::from(bits as i16),
                    4 => i128::from(bits as i32),
                    _ => i128::from(bits as i64),
                };
                let least = -(1_i128 << (8 * of.size() - 1));
                let end = if of.is_signed() { least } else { 0 };
                let value = if bits.is_multiple_of(16) { end } else { value };
                let value = if of.is_signed() { value } else { value.abs() };
                ExprKind::Const(ConstValue::Int(value, of))
            }
            Ty::Scalar(of) => literal(small, of),
            Ty::Array(elem, n) => {
                let item = self.constant(*elem);
                ExprKind::Repeat(keep(item), n)
            }
            Ty::Struct(layout) => {
                let fields = layout.fields.iter();
                let fields = fields.map(|field| (field.name, self.constant(field.ty))).collect();
                ExprKind::Struct(ty, all(fields))
            }
            Ty::Unit => ExprKind::Bool(false),
        };
        self.expr_of(kind)
    }

    /// The variables of a type.
    fn known(&self, fits: impl Fn(Ty) -> bool) -> Vec<ExprKind> {
        let vars = self.scopes.iter().flatten().filter(|var| fits(var.ty));
        let mut known: Vec<ExprKind> = vars.map(|var| ExprKind::Local(var.id)).collect();
        if !self.in_function {
            let params = self.params.iter().enumerate();
            let values = params.filter(|(_, param)| {
                param.kind == flash_ir::ir::ParamKind::Value && fits(param.ty)
            });
            known.extend(values.map(|(at, _)| ExprKind::Param(at as u16)));
        }
        known
    }

    fn one_of(&mut self, mut known: Vec<ExprKind>) -> Option<Expr> {
        if known.is_empty() {
            return None;
        }
        let at = self.random.below(known.len());
        let kind = known.swap_remove(at);
        Some(self.expr_of(kind))
    }

    pub(super) fn leaf(&mut self, ty: Ty) -> Expr {
        if self.random.chance(60)
            && let Some(load) = self.load(ty)
        {
            return load;
        }
        if self.random.chance(75) {
            let known = self.known(|known| known == ty);
            if let Some(known) = self.one_of(known) {
                return known;
            }
        }
        match ty {
            Ty::Scalar(of) if of != ScalarTy::Bool && self.random.chance(70) => {
                let is_number = |known| matches!(known, Ty::Scalar(of) if of != ScalarTy::Bool);
                let known = self.known(is_number);
                match self.one_of(known) {
                    Some(from) => self.expr_of(ExprKind::Cast(keep(from), ty)),
                    None => self.constant(ty),
                }
            }
            USIZE if !self.in_function && self.random.chance(40) => {
                let kind = match self.random.below(4) {
                    0 => ExprKind::GlobalSize(self.random.below(self.rank) as u8),
                    1 => ExprKind::Phase,
                    2 => ExprKind::Partition,
                    _ => ExprKind::Len(self.arrays[self.random.below(self.arrays.len())].param),
                };
                self.expr_of(kind)
            }
            pool::FLOATS if self.random.chance(30) => {
                self.expr_of(ExprKind::Const(ConstValue::ArrayF32(&far::WEIGHTS)))
            }
            U32 if self.random.chance(20) => {
                let table = self.expr_of(ExprKind::Const(ConstValue::ArrayU32(&far::TABLE)));
                self.element_of(table, 8)
            }
            _ => self.constant(ty),
        }
    }

    /// An index into a small array of `n`.
    pub(super) fn small_index(&mut self, n: usize) -> Expr {
        self.indices += 1;
        let index = self.expr(USIZE, usize::from(self.indices == 1));
        self.indices -= 1;
        if self.may_fail && self.random.chance(15) {
            return index;
        }
        let n = self.expr_of(literal(n as u64, ScalarTy::Usize));
        binary(self, BinOp::Rem, index, n)
    }

    pub(super) fn element_of(&mut self, array: Expr, n: usize) -> Expr {
        let index = self.small_index(n);
        self.expr_of(ExprKind::Index(keep(array), keep(index)))
    }

    /// The own place of an array, as an index.
    pub(super) fn own_index(&mut self, at: usize) -> Vec<Expr> {
        let dims = self.arrays[at].dims.clone();
        dims.into_iter().map(|dim| self.expr_of(ExprKind::GlobalId(dim))).collect()
    }

    /// An index of an array, and whether it is in range.
    pub(super) fn any_index(&mut self, at: usize) -> (Vec<Expr>, bool) {
        let mut index = self.own_index(at);
        let param = self.arrays[at].param;
        let n = index.len();
        let mut known = true;
        for (dim, component) in index.iter_mut().enumerate() {
            if self.indices > 0 || self.random.chance(50) {
                continue;
            }
            if self.wraps && self.random.chance(60) {
                (*component, known) = (self.wrapping(ScalarTy::Usize, 3), false);
                continue;
            }
            self.indices += 1;
            let moved = self.expr(USIZE, 1);
            self.indices -= 1;
            if self.may_fail && self.random.chance(25) {
                (*component, known) = (moved, false);
                continue;
            }
            let kind =
                if n == 1 { ExprKind::Len(param) } else { ExprKind::Extent(param, dim as u8) };
            let extent = self.expr_of(kind);
            *component = binary(self, BinOp::Rem, moved, extent);
        }
        (index, known)
    }

    /// An element, or a part of one, of this type.
    fn load(&mut self, ty: Ty) -> Option<Expr> {
        if self.in_function {
            return None;
        }
        let fits = |of: Ty| of == ty || of == pool::CELL || of == pool::CLOUD;
        let arrays = self.arrays.iter().enumerate();
        let fit: Vec<usize> =
            arrays.filter(|(_, array)| fits(array.ty)).map(|(at, _)| at).collect();
        if fit.is_empty() {
            return None;
        }
        let at = self.random.pick(&fit);
        let array = self.arrays[at].clone();
        let (index, known) = match array.used {
            Use::Read => self.any_index(at),
            Use::Own => (self.own_index(at), true),
            Use::OwnCells if self.random.chance(30) => {
                let index = self.own_index(at);
                let access = self.access(array.param, index, true);
                return Some(self.expr_of(ExprKind::Atomic(access, AtomicOp::Load, &[])));
            }
            Use::OwnCells | Use::Shared(_) => return None,
        };
        if array.ty == ty {
            let access = self.access(array.param, index, known);
            return Some(self.expr_of(ExprKind::Load(access)));
        }
        let Ty::Struct(layout) = array.ty else { return None };
        let field = layout.fields.iter().find(|field| field.ty == ty)?;
        let access = self.access(array.param, index, known);
        let whole = self.expr_of(ExprKind::Load(access));
        Some(self.field(whole, field.name))
    }

    fn boolean(&mut self, d: usize) -> Expr {
        match self.random.below(7) {
            0..3 => {
                let ty = scalar(self.number());
                let op = self.random.pick(&[
                    BinOp::Lt,
                    BinOp::Le,
                    BinOp::Gt,
                    BinOp::Ge,
                    BinOp::Eq,
                    BinOp::Ne,
                ]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                binary(self, op, a, b)
            }
            3 => {
                let op = self.random.pick(&[
                    BinOp::LazyAnd,
                    BinOp::LazyOr,
                    BinOp::And,
                    BinOp::Or,
                    BinOp::Xor,
                    BinOp::Eq,
                    BinOp::Lt,
                ]);
                let (a, b) = (self.expr(BOOL, d), self.expr(BOOL, d));
                binary(self, op, a, b)
            }
            4 => {
                let inner = self.expr(BOOL, d);
                self.unary(UnOp::Not, inner)
            }
            5 => {
                let ty = self.random.pick(&[ScalarTy::F32, ScalarTy::F64]);
                let function = self.random.pick(&[MathFn::IsNan, MathFn::IsFinite]);
                let arg = self.expr(scalar(ty), d);
                self.math(function, vec![arg])
            }
            _ => self.leaf(BOOL),
        }
    }

    pub(super) fn unary(&mut self, op: UnOp, inner: Expr) -> Expr {
        let mode = self.mode;
        self.expr_of(ExprKind::Unary(op, keep(inner), mode))
    }

    pub(super) fn math(&mut self, function: MathFn, args: Vec<Expr>) -> Expr {
        let mode = self.mode;
        self.expr_of(ExprKind::Math(function, all(args), mode))
    }
}
