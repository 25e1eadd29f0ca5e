//! Bar 16: what a user waits for the compiler, and what a program costs in lines.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use flash::Result;

use super::Context;
use crate::row::{Row, Unit};
use crate::stats::Sample;

const KERNELS: usize = 20;

/// The examples that the paper has too, and its host lines.
const WORKLOADS: &[(&str, u32, &[&str])] = &[
    ("04_nbody.rs", 10, &["simulate", "simulate_in_stages"]),
    ("05_black_scholes.rs", 4, &[]),
    ("11_heat.rs", 3, &["spread", "spread_in_stages"]),
    ("13_wave.rs", 7, &[]),
    ("14_convolution.rs", 9, &[]),
    ("15_dct.rs", 7, &[]),
    ("16_attention.rs", 6, &[]),
    ("18_diffusion.rs", 10, &["diffuse", "diffuse_in_phases"]),
    ("19_euler/main.rs", 13, &[]),
];

/// How host lines are counted, for those who read the table.
const RULE: &str = "lines that call FLASH or hold its objects, one for a call that is broken over \
                    several, each line of a chain that calls FLASH, each stage and \
                    each `swap`; without kernels, without loops and conditions, which the paper's \
                    programs write in C++, and without what these lack: copies of results to the \
                    host, tasks that draw or show progress";

/// The workspace, where the benchmark still lies in it.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Clean build, builds after an edit, host lines.
pub(crate) fn build(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    lines(context, emit);
    let rows = [
        ("clean build of a crate of 20 kernels", 60.0),
        ("build after an edit of one kernel of 20, dev", 2.0),
        ("build after an edit of one kernel of 20, release", 4.0),
    ];
    if !rows.iter().any(|(name, _)| context.wants(name)) {
        return Ok(());
    }
    let result =
        if context.quick { Err("builds are left out of --quick".to_owned()) } else { builds() };
    match result {
        Ok(samples) => {
            for ((name, limit), sample) in rows.iter().zip(samples) {
                emit(Row::limit(16, name, sample, *limit, Unit::Seconds));
            }
        }
        Err(why) => {
            for (name, limit) in rows {
                emit(Row::skipped(16, name, &format!("<= {limit:.0} s"), why.clone()));
            }
        }
    }
    Ok(())
}

/// Builds a crate of many kernels: from nothing, and after edits in both profiles.
fn builds() -> Result<[Sample; 3], String> {
    let root = workspace().canonicalize().map_err(|error| format!("no workspace: {error}"))?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let write = |path: &str, text: &str| {
        std::fs::write(folder.path().join(path), text).map_err(|error| format!("{path}: {error}"))
    };
    std::fs::create_dir(folder.path().join("src")).map_err(|error| error.to_string())?;
    // The profile is the one that README asks for.
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"twenty\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [dependencies]\nflash-hpc = {{ path = {:?} }}\n[workspace]\n\
             [profile.dev]\nopt-level = 1\n\
             [profile.dev.package.\"*\"]\ndebug = \"line-tables-only\"\n",
            root.display()
        ),
    )?;
    // The versions that the workspace was tested with.
    let _ = std::fs::copy(root.join("Cargo.lock"), folder.path().join("Cargo.lock"));
    write("src/main.rs", &program(0))?;
    let mut edits = 0;
    let mut cargo = |release: bool| {
        edits += 1;
        write("src/main.rs", &program(edits))?;
        let start = Instant::now();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(folder.path()).arg("build").arg("--quiet");
        command.env("CARGO_TARGET_DIR", folder.path().join("target"));
        if release {
            command.arg("--release");
        }
        let output = command.output().map_err(|error| format!("no cargo: {error}"))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            let line = words.lines().find(|line| line.starts_with("error")).unwrap_or("");
            return Err(format!("cargo failed: {line}"));
        }
        Ok(start.elapsed().as_secs_f64())
    };
    let clean = cargo(false)?;
    let dev = [cargo(false)?, cargo(false)?, cargo(false)?];
    cargo(true)?;
    let release = [cargo(true)?, cargo(true)?, cargo(true)?];
    Ok([Sample::of(vec![clean]), Sample::of(dev.to_vec()), Sample::of(release.to_vec())])
}

/// A program of many kernels, of which one differs with `edit`.
fn program(edit: usize) -> String {
    let mut text = String::from("use flash::prelude::*;\n\n");
    for k in 0..KERNELS {
        let factor = if k == KERNELS / 2 { k + 100 * edit } else { k };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "#[flash::kernel(inputs = 2)]\nfn kernel_{k}(a: f32, x: &[f32], y: &mut [f32]) {{\n    \
             let i = global_id(0);\n    if i > 0 && i + 1 < x.len() {{\n        \
             y[i] = a * x[i - 1] + {factor}.0 * x[i + 1] + math::exp(y[i]);\n    }}\n}}\n\n"
        );
    }
    text.push_str(
        "fn main() -> flash::Result<()> {\n    let rt = Runtime::new()?;\n    \
         let x = Buffer::from(vec![1.0_f32; 64]);\n    let mut y = Buffer::<f32>::zeros(64);\n",
    );
    for k in 0..KERNELS {
        let _ = writeln!(text, "    rt.submit(kernel_{k}(0.5, &x, &mut y)).exec([64])?;");
    }
    text.push_str("    Ok(())\n}\n");
    text
}

/// Host lines of the examples that the paper has too.
fn lines(context: &Context, emit: &mut dyn FnMut(Row)) {
    for &(file, paper, forms) in WORKLOADS {
        let name = format!("host lines of {file}");
        if !context.wants(&name) {
            continue;
        }
        let asked = format!("<= {paper} lines");
        let path = workspace().join("examples").join(file);
        let row = match std::fs::read_to_string(path) {
            Err(error) => Row::skipped(16, &name, &asked, format!("no example: {error}")),
            Ok(source) => {
                let n = forms_of(&source, forms).into_iter().max().unwrap_or_default() as f64;
                let sample = Sample::one(n);
                Row::limit(16, &name, sample, f64::from(paper), Unit::Lines).note(RULE)
            }
        };
        emit(row);
    }
}

/// The host lines of each form of a program, without the functions that are the others.
fn forms_of(source: &str, forms: &[&str]) -> Vec<usize> {
    if forms.is_empty() {
        return vec![host_lines(source)];
    }
    let without = |source: &str, name: &str| {
        let head = format!("pub(crate) fn {name}(");
        let mut inside = false;
        let kept = source.lines().filter(|line| {
            inside |= line.starts_with(&head);
            let keep = !inside;
            inside &= *line != "}";
            keep
        });
        kept.collect::<Vec<_>>().join("\n")
    };
    forms
        .iter()
        .map(|form| {
            let others = forms.iter().filter(|other| *other != form);
            host_lines(&others.fold(source.to_owned(), |source, other| without(&source, other)))
        })
        .collect()
}

/// Lines that call FLASH or hold its objects, kernels excluded, as the paper counts. A loop or a
/// condition is not counted in a pipeline either: the paper's programs write theirs in C++, and such
/// lines call nothing. Copies of results to the host are left out, and host tasks that draw or show
/// progress: the paper's programs have neither.
fn host_lines(source: &str) -> usize {
    const CALLS: &[&str] = &[
        "Runtime::",
        "Buffer::",
        "Var::",
        "Bound::",
        "flash_pipeline!",
        ".submit(",
        ".defer(",
        ".repeat(",
        ".exec(",
        "pipeline.push(",
    ];
    let mut n = 0;
    let mut block = false;
    for line in source.lines().map(str::trim) {
        if line.starts_with("//") || line.starts_with("use ") || line.starts_with("#[") {
            continue;
        }
        let launch = block && (line.contains(")[") || line.starts_with("swap("));
        if launch || CALLS.iter().any(|call| line.contains(call)) {
            n += 1;
        }
        block = line.contains("flash_pipeline!") || (block && !line.contains(".exec("));
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_lines_are_those_of_the_framework() {
        let source = "use flash::prelude::*;\n#[flash::kernel]\nfn k(x: &[f32]) {}\nfn main() {\n\
                      let rt = Runtime::new()?;\nlet n = 3;\nlet x = Buffer::zeros(n);\n\
                      flash_pipeline! { in rt;\nfor s in 0..3 {\nk(&x)[n];\nswap(x, y);\n}\n}\n\
                      .exec()?;\nx.to_vec()?;\n}\n";
        assert_eq!(host_lines(source), 6);
        let chain = "rt.submit(a(&x))\n.defer([n])\n.submit(b(&x))\n.defer([n])\n.repeat(9)\n\
                     .exec()?;\n";
        assert_eq!(host_lines(chain), 6);
        let looped = "flash_pipeline! { in rt;\nfor k in 0..n {\nif k % 2 == 0 {\na(&x)[n];\n}\n}\n\
                      }\n.exec()?;\n";
        assert_eq!(host_lines(looped), 3);
    }

    #[test]
    fn each_form_of_a_program_is_counted_without_the_others() {
        let source = "pub(crate) fn one() {\nrt.submit(k(&x)).exec([n])?;\n}\n\
                      pub(crate) fn two() {\nlet x = Buffer::zeros(n);\n\
                      rt.submit(k(&x))\n.exec([n])?;\n}\n\
                      fn main() {\nlet rt = Runtime::new()?;\n}\n";
        assert_eq!(forms_of(source, &["one", "two"]), [2, 4]);
        assert_eq!(forms_of(source, &[]), [5]);
    }

    #[test]
    fn no_workload_needs_more_lines_than_the_paper() {
        for &(file, paper, forms) in WORKLOADS {
            let source = std::fs::read_to_string(workspace().join("examples").join(file))
                .unwrap_or_else(|error| panic!("{file}: {error}"));
            for form in forms {
                assert!(source.contains(&format!("pub(crate) fn {form}(")), "{file}: no {form}");
            }
            for lines in forms_of(&source, forms) {
                assert!((1..=paper as usize).contains(&lines), "{file}: {lines}, not {paper}");
            }
        }
    }

    #[test]
    fn programs_differ_by_their_edit_only() {
        assert_eq!(program(1), program(1));
        let (a, b) = (program(1), program(2));
        assert_eq!(a.lines().zip(b.lines()).filter(|(a, b)| a != b).count(), 1);
    }
}
