//! What is chosen and kept without NVRTC, and what NVRTC makes of texts where it is there.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use super::*;

const ARCHS: &[u32] = &[75, 80, 90, 100];

/// NVRTC, if this machine has it.
fn here() -> Option<&'static Nvrtc> {
    match nvrtc(None) {
        Ok(nvrtc) => Some(nvrtc),
        Err(why) => {
            let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
            assert!(!required.split(',').any(|it| it == "nvrtc"), "{why}");
            eprintln!("left out: {why}");
            None
        }
    }
}

#[test]
fn a_device_takes_code_of_its_own_or_ptx_for_one_before() {
    let choose = |major, minor, said| Target::choose(ARCHS, (13, 0), Arch::of(major, minor), said);
    let cubin = |arch| Ok(Target { form: Form::Cubin, arch });
    let ptx = |arch| Ok(Target { form: Form::Ptx, arch });
    assert_eq!(choose(9, 0, None), cubin(90));
    assert_eq!(choose(8, 9, None), ptx(80));
    assert_eq!(choose(12, 0, None), ptx(100));
    assert_eq!(choose(9, 0, Some(Form::Ptx)), ptx(90));
    let why = choose(8, 9, Some(Form::Cubin)).unwrap_err();
    assert!(why.contains("makes none for sm_89"), "{why}");
    let why = choose(6, 1, None).unwrap_err();
    assert!(why.contains("sm_75 and later") && why.contains("sm_61"), "{why}");
}

#[test]
fn what_is_kept_is_what_was_compiled() {
    let compiled = Compiled {
        form: Form::Ptx,
        image: b".version".to_vec(),
        lowered: vec!["_Z1fv".to_owned(), String::new()],
    };
    let bytes = packed(&compiled);
    assert_eq!(unpacked(&bytes, Form::Ptx, 2), Some(compiled));
    assert_eq!(unpacked(&bytes[..7], Form::Ptx, 2), None);
    assert_eq!(unpacked(&bytes, Form::Ptx, 3), None);
    assert_eq!(unpacked(b"", Form::Ptx, 0), None);
}

const TEXT: &str = "namespace ns {
template <class T, int N> __global__ void add(T *x) { x[threadIdx.x] += N; }
}
extern \"C\" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }
";

fn source<'s>(text: &'s str, names: &'s [String]) -> Source<'s> {
    Source { file: "kernels/add.cu", text, options: &[], names }
}

#[test]
fn names_of_cpp_are_found_in_what_is_compiled() {
    let Some(nvrtc) = here() else { return };
    let names = ["ns::add<float, 3>".to_owned(), "twice".to_owned()];
    for form in [Form::Ptx, Form::Cubin] {
        let target = Target { form, arch: 90 };
        let compiled = compile(nvrtc, &source(TEXT, &names), target, None).unwrap();
        let read = match form {
            Form::Ptx => Metadata::of_ptx(std::str::from_utf8(&compiled.image).unwrap()),
            Form::Cubin => Metadata::of_cubin(&compiled.image),
        };
        let read = read.unwrap();
        assert_eq!(read.arch, Arch::of(9, 0));
        for name in &compiled.lowered {
            assert!(read.entry(name).is_some(), "{name} of {}", read.names());
        }
        assert_eq!(compiled.lowered[1], "twice");
    }
}

#[test]
fn a_mistake_is_at_its_line_of_its_file() {
    let Some(nvrtc) = here() else { return };
    let text = TEXT.replace("*= 2", "*= two");
    let target = Target { form: Form::Ptx, arch: 80 };
    let Err(Refused::Text(log)) = compile(nvrtc, &source(&text, &[]), target, None) else {
        panic!("it compiles");
    };
    assert!(log.contains("kernels/add.cu(4): error: identifier \"two\" is undefined"), "{log}");
}

#[test]
fn a_text_is_compiled_once() {
    let Some(nvrtc) = here() else { return };
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::below(dir.path(), "cuda");
    let names = ["twice".to_owned()];
    let target = Target { form: Form::Ptx, arch: 80 };
    let first = compile(nvrtc, &source(TEXT, &names), target, Some(&cache)).unwrap();
    assert_eq!(cache.kept().programs, 1);
    let again = compile(nvrtc, &source(TEXT, &names), target, Some(&cache)).unwrap();
    assert_eq!((first, cache.kept().programs), (again, 1));
    let other = Target { arch: 90, ..target };
    compile(nvrtc, &source(TEXT, &names), other, Some(&cache)).unwrap();
    assert_eq!(cache.kept().programs, 2, "for another device");
    // What it takes in may be another file next time, however it does so.
    std::fs::write(dir.path().join("part.h"), "#define PART 1\n").unwrap();
    let folder = dir.path().display();
    let ways = [
        ("#include \"part.h\"", format!("-I{folder}")),
        ("# include \"part.h\"", format!("--include-path={folder}")),
        ("%:\tinclude \"part.h\"", format!("-I{folder}")),
        ("", format!("--pre-include={folder}/part.h")),
    ];
    for (line, option) in ways {
        let text = format!("{line}\n{TEXT}");
        let options = [option];
        let with = Source { options: &options, ..source(&text, &names) };
        compile(nvrtc, &with, target, Some(&cache)).unwrap();
        assert_eq!(cache.kept().programs, 2, "{line} {options:?}");
    }
    // That of ours is the same one.
    let text = format!("#include \"flash.h\"\n{TEXT}");
    compile(nvrtc, &source(&text, &names), target, Some(&cache)).unwrap();
    assert_eq!(cache.kept().programs, 3);
}

#[test]
fn what_is_kept_is_not_compiled_again() {
    let Some(nvrtc) = here() else { return };
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::below(dir.path(), "cuda");
    let names = ["twice".to_owned()];
    let target = Target { form: Form::Ptx, arch: 80 };
    let text = source(TEXT, &names);
    let mut kept = compile(nvrtc, &text, target, Some(&cache)).unwrap();
    kept.image = b".version 7.0\n.target sm_80\n// kept\0".to_vec();
    cache.put(key(nvrtc, &text, &all_options(&text, target)), &packed(&kept));
    assert_eq!(compile(nvrtc, &text, target, Some(&cache)).unwrap(), kept);
}
