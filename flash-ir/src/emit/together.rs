//! Items that one work item does together, so that what they use of an array is one access of up to 16
//! bytes. Whether an array starts where that can be is for who launches to see; what an item does is the
//! body's.

use std::collections::BTreeMap;

use super::body::Body;
use super::code::Code;
use super::items;
use super::layout::Word;
use crate::analysis::{Mode, Node, straight, walk};
use crate::ir::{
    Access, AddressSpace, Affine, Block, Expr, ExprKind, KernelIr, ParamKind, Place, Stmt,
};
use crate::ty::{ScalarTy, Ty};

/// The bytes of the longest access.
const LONGEST: usize = 16;

/// The most that work items do: a longer body has no use for fewer accesses, and needs its registers.
const MOST: usize = 512;

/// How items may be done together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// So many neighbours along dimension 0 at a time.
    pub width: usize,
    /// The arrays that items use: the parameter, and for each dimension of the array that of the launch. The
    /// last one is dimension 0.
    pub arrays: Vec<(u16, Vec<u8>)>,
}

/// How items of a kernel may be done together, if they may, and it is of use: a body without loops, in which
/// each item uses its own element of arrays and elements that are the same for all. Where one reads
/// neighbours, work items are better neighbours themselves.
pub fn together(ir: &'static KernelIr) -> Option<Together> {
    let steps = straight(ir)?;
    let mut arrays: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
    let mut may_be = !ir.params.iter().any(|param| matches!(param.kind, ParamKind::Reduce(_)));
    let mut shared = Vec::new();
    walk(&ir.body, &mut |node| match node {
        Node::Stmt(Stmt::Return(..)) => may_be = false,
        Node::Access(access, Mode::Read) if is_uniform(access) => shared.push(access.param),
        Node::Access(access, mode) => match own(ir, access, mode) {
            Some(dims) => {
                may_be &= *arrays.entry(access.param).or_insert_with(|| dims.clone()) == dims
            }
            None => may_be = false,
        },
        _ => {}
    });
    // What was read for several items has no others.
    may_be &= !shared.iter().any(|param| arrays.contains_key(param));
    // What an item leaves as it is would have to be read for that.
    may_be &= arrays.keys().all(|param| {
        let is_read =
            matches!(ir.params[usize::from(*param)].kind, ParamKind::In | ParamKind::InOut);
        is_read || is_filled(ir, *param)
    });
    let sizes = arrays.keys().map(|param| ir.params[usize::from(*param)].ty.size());
    let width = LONGEST / sizes.max()?;
    let is_short = steps.saturating_mul(width) <= MOST;
    (may_be && width > 1 && is_short)
        .then(|| Together { width, arrays: arrays.into_iter().collect() })
}

/// Whether an access is to the same element for all items.
fn is_uniform(access: &Access) -> bool {
    access.affine.iter().all(|at| at.as_ref().is_some_and(|affine| affine.dim.is_none()))
}

/// The dimensions of the item's own element, where an access is to that and nothing else.
fn own(ir: &KernelIr, access: &Access, mode: Mode) -> Option<Vec<u8>> {
    let param = ir.params.get(usize::from(access.param))?;
    let is_plain = !matches!(param.kind, ParamKind::Atomic | ParamKind::Scratch)
        && matches!(param.ty, Ty::Scalar(_))
        && access.space == AddressSpace::Global
        && mode != Mode::Atomic;
    let id = |at: &Option<Affine>| match at {
        Some(affine) if affine.offset.is_none() => affine.dim,
        _ => None,
    };
    let dims: Vec<u8> = access.affine.iter().map(id).collect::<Option<_>>()?;
    let is_once = |dim: &u8| dims.iter().filter(|other| *other == dim).count() == 1;
    (is_plain && dims.last() == Some(&0) && dims.iter().all(is_once)).then_some(dims)
}

/// Whether every item writes its element of an array that is only written, before anything else is done
/// with it.
fn is_filled(ir: &'static KernelIr, param: u16) -> bool {
    let kind = ir.params.get(usize::from(param)).map(|param| param.kind);
    matches!(kind, Some(ParamKind::Out | ParamKind::OutPartial)) && fills(&ir.body, param)
}

fn fills(block: &'static Block, param: u16) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Assign(Place::Elem(access, []), ..) => access.param == param,
        Stmt::Expr(expr) => is_filling(expr, param),
        _ => false,
    }) || block.tail.is_some_and(|tail| is_filling(tail, param))
}

fn is_filling(expr: &'static Expr, param: u16) -> bool {
    match &expr.kind {
        ExprKind::If(_, then, Some(other)) => fills(then, param) && fills(other, param),
        ExprKind::Block(block) => fills(block, param),
        _ => false,
    }
}

impl Body<'_, '_> {
    /// Writes a body around which the elements of several items are read and written at once.
    pub(super) fn together(&mut self, of: &Together, write: impl FnOnce(&mut Self)) {
        let width = of.width;
        let (ulong, suffix) = (self.scalar(ScalarTy::U64), self.to.dialect.suffix(ScalarTy::U64));
        let count = items::word(self.to, Word::Count(0));
        self.ids.insert(0);
        let left = format!("{count} - flash_at0");
        self.writer.line(format!(
            "const int flash_n = {left} < {width}{suffix} ? (int)({left}) : {width};"
        ));
        let mut all = Vec::new();
        for (param, dims) in &of.arrays {
            let kernel = &self.to.kernel.ir.params[usize::from(*param)];
            let (kind, Ty::Scalar(ty)) = (kernel.kind, kernel.ty) else { continue };
            let array = self.params[usize::from(*param)].clone();
            let codes: Vec<Code> = dims
                .iter()
                .map(|dim| {
                    self.ids.insert(*dim);
                    let id = if *dim == 0 {
                        "flash_first0".to_owned()
                    } else {
                        format!("flash_id{dim}")
                    };
                    Code::atom(id, Ty::Scalar(ScalarTy::Usize))
                })
                .collect();
            let codes: Vec<_> = codes.iter().map(|code| (code, false)).collect();
            let at = self.element_at(*param, &codes);
            let pack = self.to.pack(ty, width);
            let name = self.names.value(&format!("{array}_items"));
            self.writer.line(format!("{pack} {name} = {{}};"));
            self.packs.insert(*param, name.clone());
            all.push((kind, is_filled(self.to.kernel.ir, *param), pack, array, at, name));
        }
        let read = all.iter().filter(|(_, is_filled, ..)| !is_filled);
        let read: Vec<(String, String)> = read
            .map(|(_, _, pack, array, at, name)| {
                let whole = format!("{name} = *(const {pack} *)&{array}[{at}];");
                (whole, format!("{name}.v[flash_k] = {array}[{at} + flash_k];"))
            })
            .collect();
        self.whole_or_each(&read, width);
        self.writer.line("#pragma unroll");
        self.writer.open(format!("for (int flash_k = 0; flash_k < {width}; ++flash_k) {{"));
        self.writer.line(format!("const {ulong} flash_id0 = flash_first0 + flash_k;"));
        write(self);
        self.writer.close("}");
        let written = all.iter().filter(|(kind, ..)| *kind != ParamKind::In);
        let written: Vec<(String, String)> = written
            .map(|(_, _, pack, array, at, name)| {
                let whole = format!("*({pack} *)&{array}[{at}] = {name};");
                (whole, format!("{array}[{at} + flash_k] = {name}.v[flash_k];"))
            })
            .collect();
        self.whole_or_each(&written, width);
    }

    /// Accesses of all items at once, or one by one where there are fewer.
    fn whole_or_each(&mut self, accesses: &[(String, String)], width: usize) {
        if accesses.is_empty() {
            return;
        }
        // These lines are nobody's.
        self.writer.from(0);
        self.writer.open(format!("if (flash_n == {width}) {{"));
        accesses.iter().for_each(|(whole, _)| self.writer.line(whole));
        self.writer.turn("} else {");
        self.writer.open("for (int flash_k = 0; flash_k < flash_n; ++flash_k) {");
        accesses.iter().for_each(|(_, each)| self.writer.line(each));
        self.writer.close("}");
        self.writer.close("}");
    }
}
