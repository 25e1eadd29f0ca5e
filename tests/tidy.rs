//! The files keep the rules of ARCHITECTURE.md. Reads sources and runs nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The only files that may hold unsafe code. Each says at its top why it does.
const UNSAFE_FILES: &[&str] = &[
    "flash-bench/src/examples.rs",
    "flash-bench/src/openmp.rs",
    "flash-bench/src/raw_cuda/kernels.rs",
    "flash-bench/src/raw_cuda/launch.rs",
    "flash-bench/src/raw_cuda/memory.rs",
    "flash-bench/src/raw_cuda/mod.rs",
    "flash-bench/src/raw_opencl.rs",
    "flash-cpu/src/backend.rs",
    "flash-cpu/src/launch.rs",
    "flash-cpu/src/library.rs",
    "flash-cpu/src/team/job.rs",
    "flash-cpu/src/team/mod.rs",
    "flash-cpu/src/team/place.rs",
    "flash-cpu/src/team/slip.rs",
    "flash-cpu/src/team/sync.rs",
    "flash-cpu/src/team/turn.rs",
    "flash-cuda/src/adopted.rs",
    "flash-cuda/src/backend.rs",
    "flash-cuda/src/batches.rs",
    "flash-cuda/src/code.rs",
    "flash-cuda/src/copies.rs",
    "flash-cuda/src/cu/adopted.rs",
    "flash-cuda/src/cu/context.rs",
    "flash-cuda/src/cu/copy.rs",
    "flash-cuda/src/cu/cycle.rs",
    "flash-cuda/src/cu/functions.rs",
    "flash-cuda/src/cu/graph.rs",
    "flash-cuda/src/cu/info.rs",
    "flash-cuda/src/cu/memory.rs",
    "flash-cuda/src/cu/module.rs",
    "flash-cuda/src/cu/peers.rs",
    "flash-cuda/src/cu/probe.rs",
    "flash-cuda/src/cu/status.rs",
    "flash-cuda/src/cu/stream.rs",
    "flash-cuda/src/cycles.rs",
    "flash-cuda/src/emitted/launch.rs",
    "flash-cuda/src/fill.rs",
    "flash-cuda/src/instance.rs",
    "flash-cuda/src/kept.rs",
    "flash-cuda/src/lines.rs",
    "flash-cuda/src/module.rs",
    "flash-cuda/src/native/globals.rs",
    "flash-cuda/src/native/launch.rs",
    "flash-cuda/src/nodes.rs",
    "flash-cuda/src/nvrtc/library.rs",
    "flash-cuda/src/nvrtc/program.rs",
    "flash-cuda/src/nvtx.rs",
    "flash-cuda/src/pinned.rs",
    "flash-cuda/src/record.rs",
    "flash-cuda/src/registered.rs",
    "flash-cuda/src/staging/job.rs",
    "flash-cuda/src/staging/slots.rs",
    "flash-cuda/src/transfer.rs",
    "flash-ocl/src/adopted.rs",
    "flash-ocl/src/backend.rs",
    "flash-ocl/src/cl/adopted.rs",
    "flash-ocl/src/cl/calls.rs",
    "flash-ocl/src/cl/calls/late.rs",
    "flash-ocl/src/cl/calls/said.rs",
    "flash-ocl/src/cl/enqueue.rs",
    "flash-ocl/src/cl/info.rs",
    "flash-ocl/src/cl/object.rs",
    "flash-ocl/src/cl/pinned.rs",
    "flash-ocl/src/cl/program.rs",
    "flash-ocl/src/cl/table.rs",
    "flash-ocl/src/copies.rs",
    "flash-ocl/src/device.rs",
    "flash-ocl/src/emitted/launch.rs",
    "flash-ocl/src/fill.rs",
    "flash-ocl/src/in_place.rs",
    "flash-ocl/src/kept.rs",
    "flash-ocl/src/lines.rs",
    "flash-ocl/src/module.rs",
    "flash-ocl/src/native/launch.rs",
    "flash-ocl/src/nodes.rs",
    "flash-ocl/src/record.rs",
    "flash-ocl/src/registered.rs",
    "flash-ocl/src/staging/job.rs",
    "flash-ocl/src/transfer.rs",
    "flash-rt/src/allocation.rs",
    "flash-rt/src/allocation/adopted.rs",
    "flash-rt/src/allocation/elsewhere.rs",
    "flash-rt/src/allocation/transfer.rs",
    "flash-rt/src/arg_store.rs",
    "flash-rt/src/backend/conformance/copies.rs",
    "flash-rt/src/backend/conformance/kept.rs",
    "flash-rt/src/backend/conformance/queues.rs",
    "flash-rt/src/backend/erased.rs",
    "flash-rt/src/backend/mod.rs",
    "flash-rt/src/backend/prepared.rs",
    "flash-rt/src/bound.rs",
    "flash-rt/src/cpu_time.rs",
    "flash-rt/src/device.rs",
    "flash-rt/src/device/memory.rs",
    "flash-rt/src/engine/chain.rs",
    "flash-rt/src/engine/dispatch.rs",
    "flash-rt/src/engine/native.rs",
    "flash-rt/src/engine/reduce.rs",
    "flash-rt/src/engine/repeat.rs",
    "flash-rt/src/entry/abreast.rs",
    "flash-rt/src/entry/args.rs",
    "flash-rt/src/entry/array.rs",
    "flash-rt/src/entry/body.rs",
    "flash-rt/src/entry/cast.rs",
    "flash-rt/src/entry/raw.rs",
    "flash-rt/src/entry/window.rs",
    "flash-rt/src/guard.rs",
    "flash-rt/src/host.rs",
    "flash-rt/src/offload/arguments.rs",
    "flash-rt/src/offload/facts.rs",
    "flash-rt/src/offload/registered.rs",
    "flash-rt/src/offload/staging/runs.rs",
    "flash-rt/src/offload/texts.rs",
    "flash-rt/src/offload/words.rs",
    "flash-rt/src/pod.rs",
    "flash-rt/src/search.rs",
    "flash-rt/src/sim/core.rs",
    "flash-rt/src/sim/entries.rs",
    "flash-rt/src/sim/interpret.rs",
    "flash-rt/src/sim/kept.rs",
    "flash-rt/src/sim/memory.rs",
    "flash-rt/src/sim/mod.rs",
    "flash-rt/src/sim/native.rs",
    "flash-rt/src/sim/state.rs",
    "flash-rt/src/sim/work.rs",
    "flash-rt/src/task/views.rs",
    "flash-rt/src/threads.rs",
    "flash-rt/src/trace/ticks.rs",
    "flash-rt/src/value.rs",
    "flash-rt/src/view/nd.rs",
    "flash-rt/src/view/shared.rs",
    "flash-rt/src/view/unique.rs",
];

/// Folders that hold no sources of ours.
const NOT_OURS: &[&str] = &["target", "out", ".git"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Every file below the root, as a path from it.
fn files() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !NOT_OURS.contains(&name.as_str()) {
                    walk(&path, found);
                }
            } else {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(root(), &mut found);
    found.sort();
    found.iter().map(|path| path.strip_prefix(root()).expect("below").to_owned()).collect()
}

fn with_extension(extension: &str) -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| (path.to_string_lossy().into_owned(), read(&path)))
        .collect()
}

/// Sources of libraries and programs: no tests, no fixtures.
fn sources() -> Vec<(String, String)> {
    let all = with_extension("rs");
    // `#[cfg(test)] mod x;` makes a file of tests.
    let mut tests = BTreeSet::new();
    for (path, text) in &all {
        let folder = path.trim_end_matches("mod.rs").trim_end_matches("lib.rs");
        let folder = folder.trim_end_matches(".rs").trim_end_matches('/');
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
            if let Some(name) = pair[1].strip_prefix("mod ").and_then(|m| m.strip_suffix(';')) {
                tests.insert(format!("{folder}/{name}.rs"));
                tests.insert(format!("{folder}/{name}/"));
            }
        }
    }
    all.into_iter()
        .filter(|(path, _)| path.starts_with("src/") || path.contains("/src/"))
        .filter(|(path, _)| !path.starts_with("tests/"))
        .filter(|(path, _)| !tests.iter().any(|test| path.starts_with(test.as_str())))
        .collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(root().join(path))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read_str(path: &str) -> String {
    read(Path::new(path))
}

/// The code of a file without its comments, line by line.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code))
}

#[track_caller]
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

#[test]
fn every_member_inherits_what_is_set_once() {
    let manifest = read_str("Cargo.toml");
    let members = manifest
        .lines()
        .find_map(|line| line.strip_prefix("members = ["))
        .expect("the workspace lists its members");
    let members: Vec<&str> = members.split('"').skip(1).step_by(2).collect();
    assert!(members.len() >= 6);
    let mut bad = Vec::new();
    for folder in members.into_iter().chain(["."]) {
        let text = read(&Path::new(folder).join("Cargo.toml"));
        for line in [
            "version.workspace = true",
            "edition.workspace = true",
            "rust-version.workspace = true",
            "license.workspace = true",
            "[lints]\nworkspace = true",
            "description = \"",
        ] {
            if !text.contains(line) {
                bad.push(format!("{folder}/Cargo.toml has no {line:?}"));
            }
        }
    }
    assert_none("inherit it", &bad);
}

#[test]
fn every_manifest_is_a_member() {
    let manifest = read_str("Cargo.toml");
    let bad: Vec<String> = files()
        .iter()
        .filter(|path| path.ends_with("Cargo.toml"))
        .filter_map(|path| path.parent())
        .map(|folder| folder.to_string_lossy().into_owned())
        .filter(|folder| {
            !folder.is_empty()
                && !folder.starts_with("tests/")
                && !manifest.contains(&format!("\"{folder}\""))
        })
        .collect();
    assert_none("not in `members`", &bad);
}

#[test]
fn every_test_runs() {
    // Cargo finds tests in a folder `tests` of a package, and this folder is the package.
    let manifest = read_str("tests/Cargo.toml");
    let folder = std::fs::read_dir(root().join("tests")).expect("it is there");
    let bad: Vec<String> = folder
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists())
        .map(|path| if path.is_dir() { path.join("main.rs") } else { path })
        .map(|path| path.strip_prefix(root().join("tests")).expect("below").to_owned())
        .map(|path| path.to_string_lossy().into_owned())
        .filter(|path| !manifest.contains(&format!("path = \"{path}\"\n")))
        .collect();
    assert_none("no `[[test]]` in tests/Cargo.toml", &bad);
}

#[test]
fn gpu_check_takes_along_what_has_tests_on_a_gpu() {
    let manifest = read_str("tests/Cargo.toml");
    // Tests that steer the driver for tests and nothing else have no use for a GPU.
    let asks = |text: &str| text.contains("flash_tests::cuda") || text.contains("with_devices(");
    let has = |(path, text): &(String, String), of: &str| path.starts_with(of) && asks(text);
    let sources = with_extension("rs");
    let programs = manifest.split("[[test]]").skip(1).filter_map(|program| {
        let mut values = program.split('"').skip(1).step_by(2);
        let (name, path) = (values.next()?, format!("tests/{}", values.next()?));
        let folder = format!("tests/{name}/");
        (name != "tidy" && sources.iter().any(|it| has(it, &path) || has(it, &folder)))
            .then_some(name)
    });
    let script = read_str("scripts/gpu-check");
    let taken = script.lines().find_map(|line| line.strip_prefix("TESTS=(")?.strip_suffix(')'));
    let taken: Vec<&str> = taken.expect("a list").split(' ').collect();
    assert_eq!(taken, programs.collect::<Vec<_>>());
}

#[test]
fn the_oldest_compiler_promised_is_the_one_that_tests() {
    let promised = read_str("Cargo.toml");
    let promised = promised.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let promised = promised.expect("a promise").trim_matches('"').to_owned();
    let pinned = read_str("rust-toolchain.toml");
    assert!(pinned.contains(&format!("channel = \"{promised}")), "{promised} against {pinned}");
}

#[test]
fn unsafe_code_is_where_the_list_says() {
    // Every crate denies it, so a file cannot hold any without such a line.
    let found: BTreeSet<String> = sources()
        .into_iter()
        .filter(|(_, text)| {
            code_lines(text).any(|line| {
                line.contains("allow(unsafe_code") || line.contains("expect(unsafe_code")
            })
        })
        .map(|(path, _)| path)
        .collect();
    let listed: BTreeSet<String> = UNSAFE_FILES.iter().map(|&path| path.to_owned()).collect();
    let unlisted: Vec<String> = found.difference(&listed).cloned().collect();
    let stale: Vec<String> = listed.difference(&found).cloned().collect();
    assert_none("unsafe code outside of the list", &unlisted);
    assert_none("on the list without unsafe code", &stale);
}

#[test]
fn every_crate_forbids_or_denies_unsafe_code() {
    let bad: Vec<String> = files()
        .iter()
        .filter(|path| path.ends_with("src/lib.rs") || path.ends_with("src/main.rs"))
        .filter(|path| !path.starts_with("tests"))
        .map(|path| (path.to_string_lossy().into_owned(), read(path)))
        .filter(|(_, text)| {
            !text.contains("#![forbid(unsafe_code)]") && !text.contains("#![deny(unsafe_code)]")
        })
        .map(|(path, _)| path)
        .collect();
    assert_none("neither forbidden nor denied", &bad);
}

#[test]
fn every_example_is_in_the_readme() {
    let readme = read_str("README.md");
    let examples: Vec<String> = std::fs::read_dir(root().join("examples"))
        .expect("there are examples")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists())
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    assert!(examples.len() >= 10, "{examples:?}");
    let bad: Vec<String> =
        examples.into_iter().filter(|name| !readme.contains(&format!("| `{name}` |"))).collect();
    assert_none("not in the README", &bad);
}

#[test]
fn every_example_opens_with_what_it_shows_runs_and_prints() {
    let bad: Vec<String> = with_extension("rs")
        .into_iter()
        .filter(|(path, _)| path.starts_with("examples/") && !path.contains("/support/"))
        // Modules of an example in a folder say what they are for, as all do.
        .filter(|(path, _)| path.matches('/').count() == 1 || path.ends_with("/main.rs"))
        .filter(|(path, text)| {
            let stem = path.trim_start_matches("examples/").trim_end_matches(".rs");
            let name = stem.trim_end_matches("/main");
            let run = format!("//! Run:    cargo run --release --example {name}\n");
            !(text.starts_with("//! Shows:  ")
                && text.contains(&run)
                && text.contains("\n//! Prints: "))
        })
        .map(|(path, _)| path)
        .collect();
    assert_none("an example opens with `Shows:`, `Run:` and `Prints:`", &bad);
}

#[test]
fn every_module_says_what_it_is_for() {
    let bad: Vec<String> = sources()
        .into_iter()
        .filter(|(_, text)| !text.trim_start().starts_with("//!"))
        .map(|(path, _)| path)
        .collect();
    assert_none("no `//!` at the top", &bad);
}

#[test]
fn what_can_fail_says_how() {
    let mut bad = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| path.starts_with("flash-rt/")) {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate() {
            let is_public =
                ["pub fn", "pub unsafe fn", "pub const fn"].iter().any(|f| line.starts_with(f));
            if !is_public {
                continue;
            }
            let head: Vec<&str> =
                lines[number..].iter().map(|line| line.split('{').next().unwrap_or(line)).collect();
            let end = lines[number..].iter().position(|line| line.contains('{')).unwrap_or(0);
            let head = head[..=end].join(" ");
            let result = head.rsplit_once("->").map_or("", |(_, result)| result);
            let result = result.split(" where ").next().unwrap_or(result);
            // The result of a closure ends before the list of parameters does.
            let fails =
                result.contains("Result<") && !result.contains(')') || result.contains("Result<()");
            let docs = lines[..number].iter().rev();
            let says = docs
                .take_while(|line| line.starts_with("///") || line.starts_with("#["))
                .any(|line| *line == "/// # Errors");
            if fails && !says {
                bad.push(format!("{path}:{}", number + 1));
            }
        }
    }
    assert_none("no `# Errors`", &bad);
}

#[test]
fn no_file_is_longer_than_a_noun_needs() {
    let bad: Vec<String> = sources()
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        // Written by `generate.rs`, read by nobody.
        .filter(|(path, _)| !path.ends_with("tests/drawn/src/lib.rs"))
        .filter(|(_, lines)| *lines > 600)
        .map(|(path, lines)| format!("{path}: {lines} lines, at most 600"))
        .collect();
    assert_none("split them", &bad);
}

#[test]
fn nothing_is_left_for_later() {
    // Written in two parts, so that this file does not find itself.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
        concat!("#[ig", "nore"),
    ];
    let bad: Vec<String> = with_extension("rs")
        .into_iter()
        .flat_map(|(path, text)| {
            let found = words.into_iter().filter(move |word| text.contains(word));
            found.map(move |word| format!("{path}: {word}")).collect::<Vec<_>>()
        })
        .collect();
    assert_none("finish it", &bad);
}

#[test]
fn the_changelog_has_this_version() {
    let heading = format!("\n## {}", env!("CARGO_PKG_VERSION"));
    assert!(read_str("CHANGELOG.md").contains(&heading), "no {heading:?}");
}

#[test]
fn no_path_of_one_machine() {
    let roots = ["/home/", "/root/", "/work/", "/Users/", "C:\\\\Users"];
    let mut bad = Vec::new();
    for extension in ["rs", "md", "toml", "stderr", "snap", "json", "c", "h", "sh", "yml"] {
        for (path, text) in with_extension(extension) {
            if path == "tests/tidy.rs" {
                continue;
            }
            for (line, words) in text.lines().enumerate() {
                if roots.iter().any(|root| words.contains(root)) {
                    bad.push(format!("{path}:{}: {}", line + 1, words.trim()));
                }
            }
        }
    }
    assert_none("absolute paths", &bad);
}

/// The names of environment variables in a text.
fn variables(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    text.split(move |c| !is_name(c)).filter(|word| word.starts_with("FLASH_") && word.len() > 6)
}

#[test]
fn every_environment_variable_is_documented_in_one_place() {
    let options = read_str("flash-rt/src/env_options.rs");
    let documented: BTreeSet<&str> = options
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `"))
        .flat_map(variables)
        .collect();
    assert!(documented.len() >= 6, "{documented:?}");

    let mut bad = Vec::new();
    let architecture = read_str("ARCHITECTURE.md");
    for (path, text) in with_extension("rs") {
        for line in code_lines(&text).filter(|line| line.contains("env::var")) {
            let known = |name: &str| {
                let of_tests = path.starts_with("tests/")
                    || path.contains("/tests/")
                    || path.ends_with("/tests.rs")
                    || path.contains("flash-bench");
                documented.contains(name)
                    || (of_tests && architecture.contains(&format!("`{name}")))
            };
            for name in variables(line).filter(|name| !known(name)) {
                bad.push(format!("{path} reads {name}"));
            }
        }
    }
    let readme = read_str("README.md");
    for name in &documented {
        if !options.contains(&format!("\"{name}\"")) {
            bad.push(format!("{name} is documented and never read"));
        }
        if !readme.contains(&format!("| `{name}` |")) && *name != "FLASH_SABOTAGE" {
            bad.push(format!("{name} is not in the README"));
        }
    }
    assert_none("environment variables", &bad);
}

#[test]
fn libraries_read_no_environment_but_in_one_place() {
    let bad: Vec<String> = sources()
        .into_iter()
        .filter(|(path, _)| path != "flash-rt/src/env_options.rs" && !path.contains("flash-bench"))
        .filter(|(_, text)| {
            let library = text.split("#[cfg(test)]").next().unwrap_or_default();
            code_lines(library).any(|line| line.contains("env::var"))
        })
        .map(|(path, _)| path)
        .collect();
    assert_none("`flash_rt::env_options` reads the environment", &bad);
}

#[test]
fn libraries_print_nothing() {
    let bad: Vec<String> = sources()
        .into_iter()
        .filter(|(path, _)| {
            [
                "src/",
                "flash-rt/",
                "flash-ir/",
                "flash-cpu/",
                "flash-cuda/",
                "flash-ocl/",
                "flash-lang/",
                "flash-macros/",
            ]
            .iter()
            .any(|library| path.starts_with(library))
        })
        .filter(|(_, text)| {
            let library = text.split("#[cfg(test)]").next().unwrap_or_default();
            code_lines(library).any(|line| {
                ["println!(", "print!(", "dbg!("]
                    .iter()
                    .any(|form| line.trim_start().trim_start_matches('e').starts_with(form))
            })
        })
        .map(|(path, _)| path)
        .collect();
    assert_none("libraries print", &bad);
}

#[test]
fn what_the_readme_points_at_exists() {
    let mut bad = Vec::new();
    for page in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "assets/NOTICE.md"] {
        let text = read_str(page);
        let folder = Path::new(page).parent().unwrap_or(Path::new(""));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !link.starts_with("http") && !root().join(folder).join(link).exists() {
                bad.push(format!("{page} points at {link}"));
            }
        }
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(read_str(licence).len() > 1000, "{licence} is the full text");
    }
    assert_none("dead links", &bad);
}
