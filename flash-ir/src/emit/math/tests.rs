//! The texts, compiled by the C compiler of the system, against what the interpreter computes: the
//! same bits, but for those of a NaN. A machine without one leaves that out.

mod values;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{library, library_of, name, needs_f64, remainder, suffix, words};
use crate::interp::{Function, function};
use crate::ir::{FloatMode, MathFn};
use crate::ty::ScalarTy;

const ALL: [MathFn; MathFn::IsFinite as usize + 1] = {
    use MathFn::*;
    [
        Abs,
        Min,
        Max,
        Clamp,
        Sqrt,
        Rsqrt,
        Floor,
        Ceil,
        Round,
        RoundTiesEven,
        Trunc,
        Fract,
        MulAdd,
        Exp,
        Exp2,
        Ln,
        Log2,
        Log10,
        Sin,
        Cos,
        Tan,
        Tanh,
        Atan,
        Atan2,
        Pow,
        Powi,
        Erf,
        Hypot,
        Recip,
        Signum,
        Copysign,
        ToBits,
        FromBits,
        WrappingAdd,
        WrappingSub,
        WrappingMul,
        WrappingNeg,
        SaturatingAdd,
        SaturatingSub,
        AbsDiff,
        RotateLeft,
        RotateRight,
        CountOnes,
        LeadingZeros,
        TrailingZeros,
        RemEuclid,
        DivEuclid,
        IsNan,
        IsFinite,
    ]
};

const MODES: [FloatMode; 2] = [FloatMode::Strict, FloatMode::Fast];

const TYPES: [ScalarTy; 13] = {
    use ScalarTy::*;
    [Bool, I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize, F32, F64]
};

/// A call to compare: on words, as text and as a function.
struct Case {
    name: String,
    expression: String,
    function: Function,
    result: ScalarTy,
}

/// Bits of a scalar.
fn width(ty: ScalarTy) -> u32 {
    match ty {
        ScalarTy::Bool => 1,
        ScalarTy::I8 | ScalarTy::U8 => 8,
        ScalarTy::I16 | ScalarTy::U16 => 16,
        ScalarTy::I32 | ScalarTy::U32 | ScalarTy::F32 => 32,
        _ => 64,
    }
}

/// An integer type in C.
fn integer(signed: bool, width: u32) -> String {
    let name = match width {
        8 => "char",
        16 => "short",
        32 => "int",
        _ => "long",
    };
    if signed { name.to_owned() } else { format!("u{name}") }
}

/// The scalar of a word.
fn get(ty: ScalarTy, word: &str) -> String {
    match suffix(ty) {
        Some(name) if ty.is_float() => {
            format!("flash_from_bits_{name}(({}){word})", integer(false, width(ty)))
        }
        Some(name) => format!("({}){word}", integer(name.starts_with('i'), width(ty))),
        None => word.to_owned(),
    }
}

/// The word of a scalar.
fn put(ty: ScalarTy, value: &str) -> String {
    match suffix(ty) {
        Some(name) if ty.is_float() => format!("(ulong)flash_bits_{name}({value})"),
        Some(_) => format!("(ulong)({}){value}", integer(false, width(ty))),
        None => format!("(ulong){value}"),
    }
}

fn result(function: MathFn, ty: ScalarTy) -> ScalarTy {
    match (function, width(ty)) {
        (MathFn::CountOnes | MathFn::LeadingZeros | MathFn::TrailingZeros, _) => ScalarTy::U32,
        (MathFn::IsNan | MathFn::IsFinite, _) => ScalarTy::Bool,
        (MathFn::ToBits, 32) => ScalarTy::U32,
        (MathFn::ToBits, _) => ScalarTy::U64,
        (MathFn::FromBits, 32) => ScalarTy::F32,
        (MathFn::FromBits, _) => ScalarTy::F64,
        // Its word does not depend on the sign that its type has.
        (MathFn::AbsDiff, _) => ty,
        _ => ty,
    }
}

fn case(which: MathFn, ty: ScalarTy, mode: FloatMode) -> Option<Case> {
    let function = function(which, ty, mode)?;
    let name = name(which, ty, mode)?;
    let second = match which {
        MathFn::Powi => get(ScalarTy::I32, "n[i]"),
        MathFn::RotateLeft | MathFn::RotateRight => get(ScalarTy::U32, "n[i]"),
        _ => get(ty, "b[i]"),
    };
    let first = get(ty, "a[i]");
    let args = match function {
        Function::One(_) => first,
        Function::Two(_) | Function::Partial(_) => format!("{first}, {second}"),
        Function::Three(_) => format!("{first}, {second}, {}", get(ty, "c[i]")),
    };
    let result = result(which, ty);
    let mut expression = put(result, &format!("{name}({args})"));
    if let Function::Partial(_) = function {
        // What the caller of a division checks.
        let ones = u64::MAX >> (64 - width(ty));
        let fails = format!("b[i] == 0 || (b[i] == {ones}u && a[i] == {}u)", ones / 2 + 1);
        let signed = suffix(ty).is_some_and(|name| name.starts_with('i'));
        let fails = if signed { fails } else { "b[i] == 0".to_owned() };
        expression = format!("({fails}) ? 0 : {expression}");
    }
    Some(Case { name, expression, function, result })
}

/// `%` of floats, which is no function of `flash::math`.
fn remainder_case(ty: ScalarTy) -> Option<Case> {
    let name = remainder(ty)?;
    let call = format!("{name}({}, {})", get(ty, "a[i]"), get(ty, "b[i]"));
    let function: fn(u64, u64) -> u64 = match ty {
        ScalarTy::F32 => {
            |a, b| u64::from((f32::from_bits(a as u32) % f32::from_bits(b as u32)).to_bits())
        }
        _ => |a, b| (f64::from_bits(a) % f64::from_bits(b)).to_bits(),
    };
    let expression = put(ty, &call);
    Some(Case { name, expression, function: Function::Two(function), result: ty })
}

/// All calls on a type, each once.
fn cases(ty: ScalarTy) -> Vec<Case> {
    let mut cases: Vec<Case> = remainder_case(ty).into_iter().collect();
    for mode in MODES {
        for which in ALL {
            let new =
                case(which, ty, mode).filter(|new| cases.iter().all(|case| case.name != new.name));
            cases.extend(new);
        }
    }
    cases
}

/// A program that reads the words `a`, `b`, `c`, `n` and writes the results of one call after another.
fn program(cases: &[Case], count: usize) -> String {
    let mut text = include_str!("c99.c").to_owned();
    text.push('\n');
    text.push_str(&library_of(cases.iter().map(|case| case.name.clone())));
    let _ = write!(
        text,
        "static ulong a[{count}], b[{count}], c[{count}], n[{count}], out[{count}];\n\n\
         int main(void)\n{{\n    ulong *all[4] = {{a, b, c, n}};\n    \
         for (int k = 0; k < 4; k++) {{\n        \
         if (fread(all[k], 8, {count}, stdin) != {count}) {{\n            return 1;\n        }}\n    \
         }}\n"
    );
    for case in cases {
        let _ = write!(
            text,
            "    for (int i = 0; i < {count}; i++) {{\n        out[i] = {};\n    }}\n    \
             fwrite(out, 8, {count}, stdout);\n",
            case.expression
        );
    }
    text.push_str("    return fflush(stdout);\n}\n");
    text
}

/// A folder that goes away with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("flash-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the compiled calls give, one call after another; `None` without a compiler.
fn compiled(ty: ScalarTy, cases: &[Case], inputs: &[Vec<u64>; 4]) -> Option<Vec<u64>> {
    let folder = Folder::new(&format!("math-{ty:?}"));
    let (source, binary) = (folder.0.join("math.c"), folder.0.join("math"));
    let words = folder.0.join("words");
    let text = program(cases, inputs[0].len());
    fs::write(&source, text).expect("a temporary file");
    let bytes: Vec<u8> = inputs.iter().flatten().flat_map(|word| word.to_ne_bytes()).collect();
    fs::write(&words, bytes).expect("a temporary file");
    let options = ["-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-o"];
    let compiler = Command::new("cc").args(options).args([&binary, &source]).arg("-lm").output();
    let Ok(compiler) = compiler else {
        println!("left out: there is no `cc`");
        let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|what| what == "cc"), "`cc` is not installed");
        return None;
    };
    let said = String::from_utf8_lossy(&compiler.stderr);
    assert!(compiler.status.success() && said.is_empty(), "{said}");
    let input = Stdio::from(File::open(&words).expect("it was written"));
    let output = Command::new(&binary).stdin(input).output().expect("it was compiled");
    assert!(output.status.success());
    let words = output.stdout.chunks_exact(8);
    Some(words.map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes"))).collect())
}

fn is_nan(ty: ScalarTy, word: u64) -> bool {
    match ty {
        ScalarTy::F32 => f32::from_bits(word as u32).is_nan(),
        ScalarTy::F64 => f64::from_bits(word).is_nan(),
        _ => false,
    }
}

fn check(ty: ScalarTy) {
    let cases = cases(ty);
    assert!(cases.len() >= 17, "{ty:?}");
    let inputs = values::inputs(ty);
    let count = inputs[0].len();
    assert!(count >= 100_000);
    let Some(outputs) = compiled(ty, &cases, &inputs) else { return };
    assert_eq!(outputs.len(), count * cases.len());
    let [a, b, c, n] = &inputs;
    for (case, outputs) in cases.iter().zip(outputs.chunks_exact(count)) {
        let of_n = case.expression.contains("n[i]");
        for i in 0..count {
            let second = if of_n { n[i] } else { b[i] };
            let want = match case.function {
                Function::One(f) => f(a[i]),
                Function::Two(f) => f(a[i], second),
                Function::Partial(f) => f(a[i], second).unwrap_or(0),
                Function::Three(f) => f(a[i], second, c[i]),
            };
            let got = outputs[i];
            let same = got == want || is_nan(case.result, got) && is_nan(case.result, want);
            let args = (a[i], second, c[i]);
            assert!(same, "{}{args:x?}: {got:#x} in C, {want:#x} in Rust", case.name);
        }
    }
}

#[test]
fn single_precision_has_the_same_bits_in_c() {
    check(ScalarTy::F32);
}

#[test]
fn double_precision_has_the_same_bits_in_c() {
    check(ScalarTy::F64);
}

#[test]
fn integers_have_the_same_bits_in_c() {
    for ty in TYPES.into_iter().filter(|ty| !ty.is_float() && *ty != ScalarTy::Bool) {
        check(ty);
    }
}

#[test]
fn there_is_a_text_where_there_is_a_meaning() {
    for (which, ty) in ALL.into_iter().flat_map(|which| TYPES.map(|ty| (which, ty))) {
        for mode in MODES {
            let both = (name(which, ty, mode).is_some(), function(which, ty, mode).is_some());
            assert_eq!(both.0, both.1, "{which:?} of {ty:?}");
        }
    }
}

#[test]
fn a_library_has_what_is_used_after_what_that_calls() {
    let uses = [(MathFn::Tan, ScalarTy::F32, false), (MathFn::RemEuclid, ScalarTy::Isize, true)];
    let text = library(&BTreeSet::from(uses), &BTreeSet::new());
    let heads = text.lines().filter_map(|line| line.strip_prefix("FLASH_FN "));
    let names: Vec<&str> =
        heads.filter_map(|head| head.split('(').next()?.split(' ').next_back()).collect();
    let want =
        ["flash_sin_cos_poly_f64", "flash_reduce_f32", "flash_tan_f32", "flash_rem_euclid_i64"];
    assert_eq!(names, want);
    assert_eq!(
        library(&BTreeSet::from([(MathFn::Sqrt, ScalarTy::F64, false)]), &BTreeSet::new()),
        ""
    );
    // No letter of a pattern is left, and nothing of a library that it is made for.
    for ty in TYPES {
        let text = library_of(cases(ty).into_iter().map(|case| case.name));
        assert!(!text.contains('@'));
        let mut defined = BTreeSet::new();
        for part in text.split_inclusive("\n\n") {
            let own = part.split("FLASH_FN ").nth(1).and_then(|head| head.split('(').next());
            let own = own.and_then(|head| head.split(' ').next_back()).expect("a function");
            let mut called = words(part).filter(|word| word.starts_with("flash_") && *word != own);
            let of_text = |word: &str| super::PIECES.by_name.contains_key(word);
            assert!(called.all(|word| !of_text(word) || defined.contains(word)), "{own}");
            assert!(defined.insert(own), "{own} twice");
        }
    }
}

#[test]
fn some_functions_of_f32_work_in_f64() {
    use MathFn::{Atan2, Cos, Hypot, Pow, Sin, Tan};
    let of = |fast| {
        let needs = move |which: &MathFn| needs_f64(*which, ScalarTy::F32, fast);
        ALL.into_iter().filter(needs).collect::<Vec<_>>()
    };
    assert_eq!(of(false), [Sin, Cos, Tan, Atan2, Pow, Hypot]);
    assert_eq!(of(true), [Atan2, Hypot]);
    assert!(needs_f64(MathFn::FromBits, ScalarTy::U64, false));
    assert!(!needs_f64(MathFn::Abs, ScalarTy::I64, false));
}
