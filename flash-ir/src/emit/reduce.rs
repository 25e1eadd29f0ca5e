//! Kernels with reductions: a work-group for each block, a work item for each lane, and the tree in which
//! lanes are combined, as [`crate::reduction`] has them. The item is a function, so that it may leave
//! where it likes and no barrier is missed.

use super::code::Code;
use super::dialect::Lanes;
use super::items;
use super::kernel::{Frame, indented, signature};
use super::module::Module;
use super::stmt::reduced;
use super::{number, record};
use crate::ir::{ParamKind, ReduceOp, Span};
use crate::reduction::{LANES, Reduce};
use crate::ty::{ScalarTy, Ty};

/// A reduction parameter.
struct Reduction {
    name: String,
    op: ReduceOp,
    ty: ScalarTy,
}

impl Reduction {
    /// Combines a value with another one, where there is such a reduction.
    fn step(&self, to: &mut Module<'_>, mine: &str, far: String) -> Option<String> {
        let far = Code::atom(far, Ty::Scalar(self.ty));
        let statement = reduced(self.op, mine, &far, self.ty, to.dialect);
        if statement.is_none() {
            let what = format!("no reduction by `{:?}` of `{}`", self.op, self.ty.name());
            to.complain(Span::default(), what);
        }
        statement
    }
}

/// Where a reduction starts, by its bits.
fn identity(op: ReduceOp, ty: ScalarTy) -> u64 {
    macro_rules! bits {
        ($t:ty as $raw:ty) => {
            <$t as Reduce>::identity(op) as $raw as u64
        };
    }
    match ty {
        ScalarTy::Bool => bits!(bool as u8),
        ScalarTy::I8 => bits!(i8 as u8),
        ScalarTy::I16 => bits!(i16 as u16),
        ScalarTy::I32 => bits!(i32 as u32),
        ScalarTy::I64 | ScalarTy::Isize => bits!(i64 as u64),
        ScalarTy::U8 => bits!(u8 as u8),
        ScalarTy::U16 => bits!(u16 as u16),
        ScalarTy::U32 => bits!(u32 as u32),
        ScalarTy::U64 | ScalarTy::Usize => bits!(u64 as u64),
        ScalarTy::F32 => u64::from(<f32 as Reduce>::identity(op).to_bits()),
        ScalarTy::F64 => <f64 as Reduce>::identity(op).to_bits(),
    }
}

/// A kernel with reductions.
pub(super) fn text(to: &mut Module<'_>, frame: &Frame) -> String {
    let dialect = to.dialect;
    let mut all = Vec::new();
    for (param, name) in to.kernel.ir.params.iter().zip(&frame.params) {
        match (param.kind, param.ty) {
            (ParamKind::Reduce(op), Ty::Scalar(ty)) => {
                all.push(Reduction { name: name.clone(), op, ty });
            }
            (ParamKind::Reduce(_), _) => {
                to.complain(Span::default(), format!("a reduction `{name}` of what is no scalar"));
            }
            _ => {}
        }
    }
    let (u64, u32) = (dialect.scalar(ScalarTy::U64), dialect.scalar(ScalarTy::U32));

    // The item.
    let mut params: Vec<String> = frame.arrays.iter().map(|(_, text)| text.clone()).collect();
    let mut args: Vec<String> = frame.arrays.iter().map(|(name, _)| name.clone()).collect();
    params.extend(all.iter().map(|of| format!("{} *{}", dialect.scalar(of.ty), of.name)));
    args.extend(all.iter().map(|of| format!("&flash_lane_{}", of.name)));
    if frame.notes {
        params.push(format!("{}flash_record", record::pointer(dialect)));
        args.push("flash_record".to_owned());
    }
    for id in &frame.ids {
        params.push(format!("const {u64} flash_id{id}"));
        args.push(format!("flash_id{id}"));
    }
    params.push("const flash_words flash_w".to_owned());
    args.push("flash_w".to_owned());
    let (function, prologue, body) = (dialect.function(), &frame.prologue, &frame.body);
    let params = params.join(",\n    ");
    let item = format!("{function}void flash_run(\n    {params})\n{{\n{prologue}{body}}}\n");

    // The kernel around it.
    let (global, restrict) = (dialect.global(), dialect.restrict());
    let mut lines = Vec::new();
    if let Lanes::Memory { local, .. } = dialect.lanes() {
        for Reduction { name, ty, .. } in &all {
            lines.push(format!("{local}{} flash_lanes_{name}[{LANES}];", dialect.scalar(*ty)));
        }
    }
    lines.push(format!("const {u32} flash_lane = {};", dialect.lane()));
    lines.extend(items::of_block(to, frame.rank));
    for Reduction { name, op, ty } in &all {
        let identity = number::literal(identity(*op, *ty), *ty, dialect).text;
        lines.push(format!("{} flash_lane_{name} = {identity};", dialect.scalar(*ty)));
    }
    lines.push(format!(
        "for ({u32} flash_p0 = flash_lane; flash_p0 < flash_n; flash_p0 += {LANES}) {{"
    ));
    let ids = items::of_position(dialect, frame.rank, &frame.ids);
    lines.extend(ids.into_iter().map(|line| format!("    {line}")));
    lines.push(format!("    flash_run({});", args.join(", ")));
    lines.push("}".to_owned());
    lines.extend(tree(to, &all));
    lines.push("if (flash_lane == 0) {".to_owned());
    for Reduction { name, .. } in &all {
        let value = match dialect.lanes() {
            Lanes::Memory { .. } => format!("flash_lanes_{name}[0]"),
            Lanes::Values(_) => format!("flash_lane_{name}"),
        };
        lines.push(format!("    {name}[{}] = {value};", dialect.group()));
    }
    lines.push("}".to_owned());

    let partials: Vec<String> = all
        .iter()
        .map(|of| format!("{global}{} *{restrict}{}", dialect.scalar(of.ty), of.name))
        .collect();
    let (entry, signature) = (dialect.entry(Some(LANES)), signature(to, frame, &partials));
    let lines = indented(&lines, 1);
    format!("{item}\n{entry}{}{signature}\n{{\n{lines}}}\n", frame.entry)
}

/// The tree in which lanes are combined. Where they see each other's values those beyond the half compute
/// something too, which is not used again.
fn tree(to: &mut Module<'_>, all: &[Reduction]) -> Vec<String> {
    let dialect = to.dialect;
    let u32 = dialect.scalar(ScalarTy::U32);
    let half =
        format!("for ({u32} flash_half = {}; flash_half > 0; flash_half /= 2) {{", LANES / 2);
    let mut lines = Vec::new();
    match dialect.lanes() {
        Lanes::Memory { barrier, .. } => {
            for Reduction { name, .. } in all {
                lines.push(format!("flash_lanes_{name}[flash_lane] = flash_lane_{name};"));
            }
            lines.push(half);
            lines.push(format!("    {barrier}"));
            lines.push("    if (flash_lane < flash_half) {".to_owned());
            for of in all {
                let mine = format!("flash_lanes_{}[flash_lane]", of.name);
                let far = format!("flash_lanes_{}[flash_lane + flash_half]", of.name);
                lines.extend(of.step(to, &mine, far).map(|step| format!("        {step}")));
            }
            lines.push("    }".to_owned());
        }
        Lanes::Values(from_lane) => {
            lines.push(half);
            for of in all {
                let (mine, far) =
                    (format!("flash_lane_{}", of.name), format!("flash_far_{}", of.name));
                let value = from_lane(of.ty, &mine, "flash_half");
                lines.push(format!("    const {} {far} = {value};", dialect.scalar(of.ty)));
                lines.extend(of.step(to, &mine, far).map(|step| format!("    {step}")));
            }
        }
    }
    lines.push("}".to_owned());
    lines
}
