//! What is read of real images, and of damaged ones.

use super::fatbin::Member;
use super::*;

const PTX: &str = include_str!("../../fixtures/saxpy.ptx");
const FATBIN: &[u8] = include_bytes!("../../fixtures/saxpy.fatbin");

fn cubin() -> &'static [u8] {
    Fatbin::read(FATBIN).unwrap().members[0].bytes.unwrap()
}

fn param(bytes: usize, offset: usize) -> Param {
    Param { bytes, offset }
}

/// The functions that the source of both images has.
fn assert_entries(of: &Metadata) {
    let saxpy = of.entry("saxpy").unwrap();
    let [a, x, y, n] = [param(4, 0), param(8, 8), param(8, 16), param(4, 24)];
    assert_eq!(saxpy.params, [a, x, y, n, param(24, 32), param(16, 64)]);
    assert_eq!((saxpy.max_threads, saxpy.required), (Some([128, 1, 1]), None));
    let shift = of.entry("_Z5shiftIfLi3EEvPT_csb").unwrap();
    assert_eq!(shift.params, [param(8, 0), param(1, 8), param(2, 10), param(1, 12)]);
    assert_eq!((of.entries.len(), of.entry("sax")), (2, None));
    let mut globals = of.globals.clone();
    globals.sort_by(|a, b| a.name.cmp(&b.name));
    let global = |name: &str, bytes| Global { name: name.to_owned(), bytes };
    assert_eq!(globals, [global("coeffs", 64), global("counter", 4)]);
}

#[test]
fn a_text_and_machine_code_say_the_same() {
    let text = Metadata::of_ptx(PTX).unwrap();
    assert_eq!((text.arch, text.ptx), (Arch::of(7, 5), Some((9, 0))));
    assert_entries(&text);
    let code = Metadata::of_cubin(cubin()).unwrap();
    assert_eq!((code.arch, code.ptx), (Arch::of(9, 0), None));
    assert_entries(&code);
    assert!(code.entries.iter().all(|entry| entry.registers.is_some_and(|n| n > 0)));
    assert!(code.names().contains("`saxpy`, ") || code.names().ends_with("`saxpy`"));
}

#[test]
fn a_device_takes_its_own_image() {
    let fatbin = Fatbin::read(FATBIN).unwrap();
    assert_eq!(fatbin.list(), "code for sm_90, PTX for sm_75");
    let best = |major, minor| fatbin.for_device(Arch::of(major, minor)).first().copied();
    assert!(best(9, 0).is_some_and(|member| !member.is_ptx && member.bytes.is_some()));
    let text = best(10, 0).unwrap();
    assert!(text.is_ptx && text.bytes.is_none(), "it is compressed: {text:?}");
    assert_eq!(best(7, 5), Some(text));
    assert_eq!(best(7, 0), None);
    let of = |number: u32, is_ptx| Member {
        arch: Arch::of(number / 10, number % 10),
        is_ptx,
        bytes: None,
    };
    let members = vec![of(80, false), of(90, true), of(86, false), of(80, true)];
    let fatbin = Fatbin { members };
    let best = |major, minor| fatbin.for_device(Arch::of(major, minor)).first().map(|m| **m);
    assert_eq!(best(8, 0), Some(of(80, false)));
    assert_eq!(best(8, 9), Some(of(86, false)));
    assert_eq!(best(12, 0), Some(of(90, true)));
    let all: Vec<_> = fatbin.for_device(Arch::of(9, 0)).into_iter().copied().collect();
    assert_eq!(all, [of(90, true), of(80, true)], "if the first one is not taken");
}

#[test]
fn files_are_told_apart_by_how_they_begin() {
    assert_eq!(Kind::of(PTX.as_bytes()), Some(Kind::Ptx));
    assert_eq!(Kind::of(b"/* by hand */ .version 8.0"), Some(Kind::Ptx));
    assert_eq!(Kind::of(cubin()), Some(Kind::Cubin));
    assert_eq!(Kind::of(FATBIN), Some(Kind::Fatbin));
    assert_eq!(Kind::of(b"__global__ void f() {}"), None);
    assert_eq!(Kind::of(b""), None);
}

#[test]
fn what_is_cut_off_is_damaged_wherever_it_is_cut() {
    let code = cubin();
    for len in 0..code.len() {
        let read = Metadata::of_cubin(&code[..len]);
        assert!(read.is_err(), "{len} bytes of {}", code.len());
    }
    for len in 0..FATBIN.len() {
        assert!(Fatbin::read(&FATBIN[..len]).is_err(), "{len} bytes of {}", FATBIN.len());
    }
    let end = PTX.rfind('}').unwrap();
    assert_eq!(Metadata::of_ptx(&PTX[..end]), Err(Damage::Short("functions")));
    for len in 0..end {
        // Cut between functions it is a text of fewer.
        if let Ok(read) = Metadata::of_ptx(&PTX[..len]) {
            assert!(read.entries.len() < 2, "{len} bytes");
        }
    }
}

#[test]
fn no_byte_that_is_wrong_ends_in_a_panic() {
    let code = cubin();
    for at in 0..code.len() {
        for by in [1, 0x80, 0xff] {
            let mut bytes = code.to_vec();
            bytes[at] ^= by;
            let _ = Metadata::of_cubin(&bytes);
        }
    }
    for at in 0..200 {
        let mut bytes = FATBIN.to_vec();
        bytes[at] ^= 0xff;
        let _ = Fatbin::read(&bytes);
    }
}

#[test]
fn damage_is_said_in_words() {
    let said = |read: Result<Metadata, Damage>| read.unwrap_err().to_string();
    assert_eq!(
        said(Metadata::of_cubin(b"\x7fELF")),
        "it ends before its table of sections does, so it \
                                                      is damaged"
    );
    assert_eq!(said(Metadata::of_cubin(b"garbage")), "it is no cubin");
    assert_eq!(said(Metadata::of_ptx("garbage")), "it is no text of PTX");
    let odd = ".version 9.0\n.target sm_x\n";
    assert_eq!(said(Metadata::of_ptx(odd)), "its target makes no sense, so it is damaged");
}

#[test]
fn all_forms_of_parameters_and_globals_are_read() {
    let text = ".version 7.8 .target sm_80, debug\n.address_size 64
        .extern .func (.param .b32 r) printf (.param .b64 a, .param .b64 b);
        .visible .const .align 8 .v2 .f32 pair[2];
        .extern .global .f32 elsewhere;
        .global .align 4 .b8 list[8] = {1, 2, 3, 4};
        .global .attribute(.managed, .unified(1, 2)) .align 8 .b8 shared[24];
        .weak .entry f(.param .u64 .ptr .global .align 16 f_0, .param .align 16 .b8 f_1[20],
            .param .pred_is_no_type f_2) { ret; }";
    assert_eq!(Metadata::of_ptx(text), Err(Damage::Odd("list of parameters")));
    let text = text.replace(",\n            .param .pred_is_no_type f_2", "");
    let text = format!("{text} .entry none .reqntid 8, 4 {{ {{ ret; }} }} // .entry not");
    let read = Metadata::of_ptx(&text).unwrap();
    assert_eq!(read.entry("f").unwrap().params, [param(8, 0), param(20, 16)]);
    let none = read.entry("none").unwrap();
    assert_eq!((none.params.len(), none.required), (0, Some([8, 4, 1])));
    let names: Vec<&str> = read.globals.iter().map(|global| &*global.name).collect();
    assert_eq!(names, ["pair", "list", "shared"]);
    assert_eq!(read.globals.iter().map(|global| global.bytes).collect::<Vec<_>>(), [16, 8, 24]);
}
