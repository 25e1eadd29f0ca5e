//! The ranges that a profiler is told of, by a library that stands for NVTX: every call that launches something is in
//! one, of the name of its kernel or of how many launches it is.

use std::path::Path;
use std::process::Command;

use flash::prelude::*;
use flash_tests::cuda::{TestCuda, cuda};

use crate::loops::{calls, counted, grown};

/// Writes what begins and ends, a line each, and nothing where nobody says where to.
const SOURCE: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    static int depth;\n\
    static void note(const char *what) {\n\
        const char *path = getenv(\"RANGES_TEST_FILE\");\n\
        FILE *file = path ? fopen(path, \"a\") : 0;\n\
        if (file) { fprintf(file, \"%s\\n\", what); fclose(file); }\n\
    }\n\
    int nvtxRangePushA(const char *name) { note(name); return depth++; }\n\
    int nvtxRangePop(void) { note(\"<\"); return --depth; }\n";

const FILE: &str = "RANGES_TEST_FILE";
const N: usize = 100;

/// Lists, graphs, loops of the device and launches for themselves; how often the driver was called for some.
fn work() -> u64 {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return 0 };
    let (mut x, mut count) = (Buffer::from(vec![1_u32; N]), Var::new(0_u32));
    driver.clear();
    rt.submit(grown(3, &mut x)).exec([N]).unwrap();
    let mut p = flash_pipeline! { in rt;
        for _i in 0..40 {
            grown(3, &mut x)[N];
        }
    };
    (0..6).for_each(|_| drop(p.exec().unwrap()));
    drop(p);
    let mut p = flash_pipeline! { in rt;
        while &count < 2000, max 3000 {
            counted(&mut count)[1];
            grown(5, &mut x)[N];
        }
    };
    drop(p.exec().unwrap());
    assert!(calls(&driver, "cuGraphLaunch") > 1);
    ["cuLaunchKernel", "cuGraphLaunch"].map(|name| calls(&driver, name)).iter().sum()
}

#[test]
fn every_call_that_launches_is_in_a_range() {
    if let Some(file) = std::env::var_os(FILE) {
        let ranges = work();
        // So that whoever counts sees which number is meant.
        let text = std::fs::read_to_string(&file).unwrap_or_default() + &format!("={ranges}\n");
        return std::fs::write(Path::new(&file), text).unwrap();
    }
    if cuda("devices=1").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, library, file] =
        ["nvtx.c", "libnvtx3interop.so.1", "ranges"].map(|name| folder.path().join(name));
    std::fs::write(&source, SOURCE).unwrap();
    let built =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    if !built.is_ok_and(|status| status.success()) {
        let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|it| it == "cc"), "there is no C compiler");
        return;
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "ranges::every_call_that_launches_is_in_a_range", "--nocapture"]);
    let before = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    again.env("LD_LIBRARY_PATH", format!("{}:{before}", folder.path().display()));
    // By what a profiler says that it is there.
    again.env("NVTX_INJECTION64_PATH", "a profiler").env(FILE, &file);
    let output = again.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = std::fs::read_to_string(&file).unwrap();
    let (ends, names): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| *line == "<");
    let (last, names) = names.split_last().unwrap();
    let is_known = |name: &&str| {
        let graph = name.strip_prefix("graph of ").and_then(|rest| rest.split_once(", first "));
        ["grown", "counted", "loop of 2, first `counted`"].contains(name)
            || graph.is_some_and(|(n, first)| n.parse::<u32>().is_ok() && first == "`grown`")
    };
    assert!(names.iter().all(is_known), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("graph of")), "{names:?}");
    assert!(names.contains(&"loop of 2, first `counted`"), "{names:?}");
    assert_eq!((format!("={}", names.len()), ends.len()), ((*last).to_owned(), names.len()));
}
