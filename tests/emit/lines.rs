//! `#line` leads a compiler's words back to the Rust source: what an emitted line names stands in the line of
//! the file that a compiler takes it for. What compilers then say is asked in `tests/opencl/lines.rs`.

use std::collections::BTreeSet;
use std::path::Path;

use flash_ir::emit::{self, Options};
use flash_ir::ir::KernelIr;
use flash_ir::resolve::typed::Kernel;
use flash_rt::KernelDescriptor;

use crate::{all_known, kernels, nothing_known};

/// The variable that a line declares or assigns, as Rust calls it.
fn named<'t>(line: &'t str, names: &BTreeSet<&str>) -> Option<&'t str> {
    let (left, _) = line.split_once(" = ").or_else(|| line.split_once(" += "))?;
    let name = left.split(['[', '.']).next()?.split([' ', '(']).next_back()?;
    names.contains(name).then_some(name)
}

/// Names of variables and parameters of a kernel and its functions, but for those that are words of C.
fn names(ir: &KernelIr, typed: &Kernel) -> BTreeSet<&'static str> {
    let functions = typed.functions.iter().flat_map(|function| function.ir.locals.names);
    let params = ir.params.iter().map(|param| param.name);
    functions.chain(ir.locals.names).copied().chain(params).collect()
}

/// How many lines of a text name what stands in the line of the source that they are taken for; fails at
/// one that does not.
fn led_back(kernel: &KernelDescriptor, options: &Options) -> usize {
    let ir = kernel.ir.unwrap();
    let typed = flash_ir::resolve::kernel(ir).unwrap();
    let text = emit::opencl(&typed, options).unwrap().text;
    let names = names(ir, &typed);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut at, mut n): (Option<(Vec<String>, usize)>, usize) = (None, 0);
    for line in text.lines() {
        if let Some(directive) = line.strip_prefix("#line ") {
            let (number, file) = directive.split_once(' ').unwrap();
            let source = std::fs::read_to_string(root.join(file.trim_matches('"'))).unwrap();
            let lines = source.lines().map(str::to_owned).collect();
            at = Some((lines, number.parse().unwrap()));
            continue;
        }
        // Functions begin with what is of no line.
        if line.is_empty() {
            at = None;
        }
        let Some((source, number)) = &mut at else { continue };
        if let Some(name) = named(line.trim(), &names) {
            let written = &source[*number - 1];
            assert!(written.contains(name), "{}: {line:?} is of {written:?}", kernel.name);
            n += 1;
        }
        *number += 1;
    }
    n
}

#[test]
fn lines_lead_back_to_the_source() {
    let n: usize = kernels::ALL
        .iter()
        .map(|kernel| led_back(kernel, &nothing_known()) + led_back(kernel, &all_known()))
        .sum();
    assert!(n > 100, "{n}");
}
