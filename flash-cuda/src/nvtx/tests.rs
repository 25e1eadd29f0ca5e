//! Ranges as a library sees them that stands for NVTX.

use std::ffi::CStr;
use std::process::Command;

use super::*;

/// What stands for NVTX: how deep ranges are, and the name of the last one.
const SOURCE: &str = "#include <stdio.h>\n\
    int depth; char last[256];\n\
    int nvtxRangePushA(const char *name) { snprintf(last, sizeof last, \"%s\", name); return depth++; }\n\
    int nvtxRangePop(void) { return --depth; }\n";

#[test]
fn a_range_has_the_name_and_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, path) = (folder.path().join("nvtx.c"), folder.path().join("libnvtx.so"));
    std::fs::write(&source, SOURCE).expect("a file");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&path, &source]).status();
    if !built.is_ok_and(|status| status.success()) {
        let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|it| it == "cc"), "there is no C compiler");
        println!("left out: there is no C compiler");
        return;
    }
    let nvtx = Nvtx::open(&path).expect("a library");
    // SAFETY: the library was built from the source above.
    let library = unsafe { Library::new(&path) }.expect("the same library");
    // SAFETY: the source has an `int` of this name.
    let depth = *unsafe { library.get::<*const c_int>(b"depth") }.expect("a variable");
    // SAFETY: the source has a text of this name.
    let last = *unsafe { library.get::<*const c_char>(b"last") }.expect("a variable");
    // SAFETY: nobody else calls the library.
    let depth = || unsafe { *depth };
    // SAFETY: the text ends with a zero.
    let last = || unsafe { CStr::from_ptr(last) }.to_string_lossy().into_owned();
    let outer = nvtx.range("saxpy");
    assert_eq!((depth(), &*last()), (1, "saxpy"));
    let long = nvtx.range(&"x".repeat(300));
    assert_eq!((depth(), last().len()), (2, LONGEST - 1));
    drop(long);
    drop(outer);
    assert_eq!(depth(), 0);
}

#[test]
fn what_is_no_nvtx_has_no_ranges() {
    assert!(Nvtx::open(Path::new("/nowhere/libnvtx3interop.so.1")).is_none());
    assert!(Nvtx::open(Path::new("libc.so.6")).is_none());
}
