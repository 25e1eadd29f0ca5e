//! A whole text: what comes before the kernel, and the kernel around its body. What the parts are is in
//! the other files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use super::body::{Body, Scope};
use super::dialect::{Dialect, Needs};
use super::expr::scalar;
use super::layout::Word;
use super::module::Module;
use super::together::together;
use super::{
    Emitted, Options, atomic, changed, convert, function, items, math, record, reduce, words,
};
use crate::ir::{FloatMode, Param, ParamKind, Span};
use crate::resolve::{Unsaid, typed};
use crate::ty::{ScalarTy, Ty};

/// What a kernel is around its body.
pub(super) struct Frame {
    /// The name of the function.
    pub(super) entry: String,
    pub(super) rank: usize,
    /// How many items a work item does.
    pub(super) together: usize,
    /// The names of the parameters.
    pub(super) params: Vec<String>,
    /// Declarations of the array parameters, by their names.
    pub(super) arrays: Vec<(String, String)>,
    /// Constants for words and the like, at the top of the body.
    pub(super) prologue: String,
    /// The body.
    pub(super) body: String,
    /// Ids that the body needs.
    pub(super) ids: BTreeSet<u8>,
    /// Whether the body notes what goes wrong.
    pub(super) notes: bool,
}

/// A kernel in a dialect.
pub(super) fn text(
    kernel: &typed::Kernel,
    options: &Options,
    dialect: &'static dyn Dialect,
) -> Result<Emitted, Vec<Unsaid>> {
    let emitted = written(kernel, options, dialect)?;
    if emitted.together > 1 && emitted.may_fail {
        // Whoever notes something is one item.
        return written(kernel, &Options { together: false, ..options.clone() }, dialect);
    }
    Ok(emitted)
}

fn written(
    kernel: &typed::Kernel,
    options: &Options,
    dialect: &'static dyn Dialect,
) -> Result<Emitted, Vec<Unsaid>> {
    let mut to = Module::new(kernel, options, dialect);
    let entry = to.names.function(kernel.ir.name);
    let bodies = kernel.functions.iter().map(|of| (&of.locals, of.ret));
    let types: Vec<Ty> =
        bodies.flat_map(|(locals, ret)| locals.iter().copied().chain([ret])).collect();
    let params = kernel.ir.params.iter().map(|param| param.ty);
    for ty in params.chain(kernel.locals.iter().copied()).chain(types) {
        // So that no value takes the name of a type.
        to.ty(&ty, Span::default());
    }
    let functions: Vec<String> =
        kernel.functions.iter().map(|of| function::write(&mut to, of)).collect();
    let frame = framed(&mut to, kernel, entry);
    let main = if has_reductions(kernel.ir.params) {
        reduce::text(&mut to, &frame)
    } else {
        items_text(&mut to, &frame)
    };
    if !to.unsaid.is_empty() {
        to.unsaid.sort_by_key(|unsaid| (unsaid.span.line, unsaid.span.column));
        return Err(to.unsaid);
    }

    let library = math::library(&to.math, &to.rests);
    // Some functions of `f32` compute in `f64`.
    let has_f64 = kernel.has_f64
        || to.math.iter().any(|&(function, ty, fast)| math::needs_f64(function, ty, fast));
    let divides_f32 = to.divides || math::may_divide_f32(&to.math, &library);
    let needs = Needs { f64: has_f64, atomics64: to.atomics64, atomics64_wide: to.atomics64_wide };
    let file: String = kernel.ir.file.chars().filter(|c| !c.is_control() && *c != '\\').collect();
    let mut text = format!("// Kernel `{}` of `{file}`.\n", kernel.ir.name);
    text += &dialect.preamble(needs);
    let mut section = |part: &str| {
        if !part.is_empty() {
            text.push('\n');
            text += part;
        }
    };
    section(to.types.text());
    section(&std::mem::take(&mut to.packs_text));
    section(&structure(&mut to, &frame.params));
    section(&to.tables_text);
    if to.may_fail() {
        section(&record::text(dialect, to.misses, to.faults));
    }
    section(&convert::functions(to.casts.iter(), dialect));
    if !(to.math.is_empty() && to.rests.is_empty()) {
        section(dialect.math());
        if !library.is_empty() {
            let library = math::with_words(library.trim_end(), dialect.math_words());
            section(&format!("{library}\n"));
        }
    }
    section(&atomic::loops(to.loops.iter(), dialect));
    functions.iter().for_each(|function| section(function));
    section(&main);
    Ok(Emitted {
        text: Arc::from(text),
        entry: frame.entry,
        words: to.words.iter().copied().collect(),
        may_fail: to.may_fail(),
        together: frame.together,
        has_f64,
        divides_f32,
        has_atomics64: to.atomics64,
        is_fast: kernel.ir.float == FloatMode::Fast,
    })
}

fn has_reductions(params: &[Param]) -> bool {
    params.iter().any(|param| matches!(param.kind, ParamKind::Reduce(_)))
}

/// Writes the body and what stands at its top.
fn framed<'k>(to: &mut Module<'k>, kernel: &'k typed::Kernel, entry: String) -> Frame {
    let rank = usize::from(kernel.ir.rank).max(1);
    let dialect = to.dialect;
    let mut body = Body::new(to, Scope::Item, &kernel.locals);
    body.params = kernel.ir.params.iter().map(|param| body.names.value(param.name)).collect();
    body.name_locals(kernel.ir.locals.names, kernel.locals.len());
    body.changed = changed::locals(&kernel.ir.body, kernel.locals.len());
    body.writer.indent(1);
    let may_be = body.to.options.together && body.to.options.table.is_none() && dialect.is_packed();
    let of = if may_be { together(kernel.ir) } else { None };
    match &of {
        Some(of) => body.together(of, |body| body.block(&kernel.body)),
        None => body.block(&kernel.body),
    }
    let together = of.map_or(1, |of| of.width);
    let lines = std::mem::take(&mut body.writer).done();
    let (notes, calls_end) = (body.notes, body.calls_end);
    let (params, words) = (std::mem::take(&mut body.params), std::mem::take(&mut body.words));
    let mut ids = std::mem::take(&mut body.ids);
    for id in &ids {
        if usize::from(*id) >= rank {
            to.complain(Span::default(), format!("`global_id({id})` of a space of rank {rank}"));
        }
    }
    let mut prologue = String::new();
    for (word, name) in &words {
        let _ = writeln!(prologue, "    {}", constant(to, *word, name, &params));
    }
    if notes {
        ids.extend(0..rank as u8);
        let _ = writeln!(prologue, "    {}", items::number(to, rank));
    }
    if calls_end {
        prologue += "    int flash_ended = 0;\n";
    }
    let arrays = arrays(to, &params);
    let body = lines.text(kernel.ir.file);
    Frame { entry, rank, together, params, arrays, prologue, body, ids, notes }
}

/// The declaration of a constant for a word.
fn constant(to: &mut Module<'_>, word: Word, name: &str, params: &[String]) -> String {
    let dialect = to.dialect;
    let member = format!("flash_w.{}", words::member(word, params));
    match word {
        Word::Value(param, _) => {
            let ty = to.kernel.ir.params.get(usize::from(param)).map_or(Ty::Unit, |param| param.ty);
            let of = to.ty(&ty, Span::default());
            let value = match ty {
                Ty::Scalar(ScalarTy::F32) => {
                    let u32 = dialect.scalar(ScalarTy::U32);
                    dialect.float_of(ScalarTy::F32, &format!("({u32}){member}"))
                }
                Ty::Scalar(ScalarTy::F64) => dialect.float_of(ScalarTy::F64, &member),
                Ty::Scalar(ScalarTy::U64 | ScalarTy::Usize) => member,
                Ty::Scalar(_) => format!("({of}){member}"),
                _ => member,
            };
            format!("const {of} {name} = {value};")
        }
        Word::Shift(_) | Word::Stride(..) if !to.options.wide => {
            format!("const int {name} = (int){member};")
        }
        _ => format!("const {} {name} = {member};", dialect.scalar(ScalarTy::U64)),
    }
}

/// Names and declarations of the array parameters.
fn arrays(to: &mut Module<'_>, params: &[String]) -> Vec<(String, String)> {
    let dialect = to.dialect;
    let (global, restrict) = (dialect.global(), dialect.restrict());
    let mut all = Vec::new();
    for (param, name) in to.kernel.ir.params.iter().zip(params) {
        let (before, after) = match param.kind {
            ParamKind::Value | ParamKind::Reduce(_) => continue,
            ParamKind::In => ("const ", restrict),
            ParamKind::InOut | ParamKind::Out | ParamKind::OutPartial | ParamKind::Scratch => {
                ("", restrict)
            }
            // Changed by others meanwhile.
            ParamKind::Atomic => ("volatile ", ""),
        };
        let ty = to.ty(&param.ty, Span::default());
        all.push((name.clone(), format!("{before}{global}{ty} *{after}{name}")));
    }
    all
}

/// The structure of the words.
fn structure(to: &mut Module<'_>, params: &[String]) -> String {
    let number = to.dialect.scalar(ScalarTy::U64);
    let mut members = String::new();
    for word in to.words.clone() {
        let name = words::member(word, params);
        let Word::Value(param, part) = word else {
            let _ = writeln!(members, "    {number} {name};");
            continue;
        };
        let ty = to.kernel.ir.params.get(usize::from(param)).map_or(Ty::Unit, |param| param.ty);
        if scalar(&ty).is_some() {
            let _ = writeln!(members, "    {number} {name};");
        } else if part == 0 {
            // As itself: nothing in a structure is aligned to more than a word.
            let of = to.ty(&ty, Span::default());
            let _ = writeln!(members, "    {of} {name};");
            let rest = ty.size().next_multiple_of(8) - ty.size();
            if rest > 0 {
                let byte = to.dialect.scalar(ScalarTy::U8);
                let _ = writeln!(members, "    {byte} gap_{name}[{rest}];");
            }
        }
    }
    format!("typedef struct {{\n{members}}} flash_words;\n")
}

/// The parameters of a kernel.
pub(super) fn signature(to: &Module<'_>, frame: &Frame, partials: &[String]) -> String {
    let dialect = to.dialect;
    let mut all: Vec<String> = frame.arrays.iter().map(|(_, text)| text.clone()).collect();
    all.extend(partials.iter().cloned());
    if to.may_fail() {
        all.push(format!("{}flash_record", record::pointer(dialect)));
    }
    if let Some(ids) = to.options.table {
        let (global, number) = (dialect.global(), dialect.scalar(ids.scalar()));
        all.push(format!("const {global}{number} *{}flash_table", dialect.restrict()));
    }
    all.push("const flash_words flash_w".to_owned());
    format!("(\n    {})", all.join(",\n    "))
}

/// Lines one block deep.
pub(super) fn indented(lines: &[String], depth: usize) -> String {
    lines.iter().map(|line| format!("{:1$}{line}\n", "", 4 * depth)).collect()
}

/// A kernel without reductions.
fn items_text(to: &mut Module<'_>, frame: &Frame) -> String {
    let ids = indented(&items::of_work_item(to, (frame.rank, frame.together), &frame.ids), 1);
    let entry = to.dialect.entry(None);
    let (params, name) = (signature(to, frame, &[]), &frame.entry);
    let (prologue, body) = (&frame.prologue, &frame.body);
    format!("{entry}{name}{params}\n{{\n{ids}{prologue}{body}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::opencl;
    use crate::ir::{Block, Expr, ExprKind, KernelIr, Locals, Stmt};
    use crate::ty::{FieldTy, StructTy};

    const FLOAT: Ty = Ty::Scalar(ScalarTy::F64);
    const ODD: StructTy = StructTy {
        name: "Odd",
        size: 12,
        align: 4,
        fields: &[FieldTy { name: "x", offset: 4, ty: FLOAT }],
    };
    const NOWHERE: Locals = Locals { names: &[], types: Vec::new };

    const fn kernel(params: &'static [Param], stmts: &'static [Stmt]) -> KernelIr {
        let body = Block { stmts, tail: None };
        let float = FloatMode::Strict;
        KernelIr { name: "k", file: "k.rs", rank: 1, params, locals: NOWHERE, body, float }
    }

    #[test]
    fn what_cannot_be_said_is_said_all_at_once() {
        static ODD_ARRAY: KernelIr = kernel(
            &[Param { name: "x", kind: ParamKind::In, ty: Ty::Struct(&ODD), rank: 1 }],
            &[
                Stmt::Barrier(Span::at(3, 5)),
                Stmt::Expr(Expr::at(2, 1, false, ExprKind::GlobalId(1))),
            ],
        );
        let typed =
            crate::resolve::kernel(&ODD_ARRAY).unwrap_or_else(|unsaid| panic!("{unsaid:?}"));
        let unsaid = opencl(&typed, &Options::default()).unwrap_err();
        let said: Vec<_> = unsaid.iter().map(|unsaid| (unsaid.span.line, &*unsaid.what)).collect();
        let want = [
            (0, "structure `Odd`, whose layout C does not have"),
            (0, "`global_id(1)` of a space of rank 1"),
            (3, "a barrier"),
        ];
        assert_eq!(said, want);
    }

    #[test]
    fn a_kernel_that_does_nothing_still_leaves_items_out() {
        static NOTHING: KernelIr = kernel(&[], &[]);
        let typed = crate::resolve::kernel(&NOTHING).unwrap_or_else(|unsaid| panic!("{unsaid:?}"));
        let emitted =
            opencl(&typed, &Options::default()).unwrap_or_else(|unsaid| panic!("{unsaid:?}"));
        assert_eq!(emitted.words, [Word::Count(0)]);
        assert!(emitted.text.contains("if (flash_at0 >= flash_w.count0) {"));
        let exact = Options { exact: true, ..Options::default() };
        let emitted = opencl(&typed, &exact).unwrap_or_else(|unsaid| panic!("{unsaid:?}"));
        assert_eq!(emitted.words, [Word::Count(0)]);
        assert!(!emitted.text.contains(">="));
    }
}
