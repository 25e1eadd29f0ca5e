//! The functions of `flash::math` as C, for the languages of devices that resemble it: the same steps
//! as in [`crate::math`], so the same bits. It says nothing about operators and conversions.
//!
//! A text stands on what its dialect defines before it: `FLASH_FN`, the bits of floats, and the
//! functions that every device has exactly (`sqrt`, `fma`, the roundings of what has digits behind the point,
//! `clz`, `popcount`).
//! [`OPENCL`] is that of OpenCL C, [`CUDA`] that of CUDA C++. Contraction must be off, also in kernels with `fast_math`: what may
//! be fused there is written as fused.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::ir::{FloatMode, MathFn};
use crate::ty::ScalarTy;

/// What the functions stand on, in OpenCL C 1.2.
pub(super) const OPENCL: &str = include_str!("math/opencl.c");

/// What they stand on, in CUDA C++.
pub(super) const CUDA: &str = include_str!("math/cuda.c");

/// Types of integers and what the names of their functions end in.
const INTEGERS: [(&str, &str); 8] = [
    ("char", "i8"),
    ("short", "i16"),
    ("int", "i32"),
    ("long", "i64"),
    ("uchar", "u8"),
    ("ushort", "u16"),
    ("uint", "u32"),
    ("ulong", "u64"),
];

/// A function as text.
struct Piece {
    text: String,
    /// Numbers of the functions it calls, all of them before it.
    calls: Vec<usize>,
}

/// All functions, each after those that it calls.
struct Pieces {
    all: Vec<Piece>,
    by_name: BTreeMap<String, usize>,
}

static PIECES: LazyLock<Pieces> = LazyLock::new(Pieces::new);

impl Pieces {
    fn new() -> Self {
        let mut pieces = Self { all: Vec::new(), by_name: BTreeMap::new() };
        for (ty, name, unsigned, bits, width, mantissa) in [
            ("double", "f64", "ulong", "u64", "64", "52"),
            ("float", "f32", "uint", "u32", "32", "23"),
        ] {
            pieces.add(
                include_str!("math/float.c"),
                &[
                    ("@T", ty),
                    ("@S", name),
                    ("@U", unsigned),
                    ("@V", bits),
                    ("@W", width),
                    ("@M", mantissa),
                ],
            );
        }
        pieces.add(include_str!("math/double.c"), &[]);
        pieces.add(include_str!("math/double_fast.c"), &[]);
        pieces.add(include_str!("math/single.c"), &[]);
        pieces.add(include_str!("math/single_fast.c"), &[]);
        for (ty, name) in INTEGERS {
            let width = &name[1..];
            let unsigned = format!("u{}", ty.trim_start_matches('u'));
            let (wrapping, wide) = if width == "64" { ("ulong", "u64") } else { ("uint", "u32") };
            let letters = [
                ("@T", ty),
                ("@S", name),
                ("@U", &unsigned),
                ("@P", wrapping),
                ("@V", wide),
                ("@W", width),
            ];
            let signed = name.starts_with('i');
            pieces.add(include_str!("math/integer.c"), &letters);
            let others = if signed {
                include_str!("math/signed.c")
            } else {
                include_str!("math/unsigned.c")
            };
            pieces.add(others, &letters);
        }
        pieces
    }

    /// Takes the functions of a file, which are separated by empty lines and begin with `FLASH_FN`.
    fn add(&mut self, file: &str, letters: &[(&str, &str)]) {
        let text = letters.iter().fold(file.to_owned(), |text, (from, to)| text.replace(from, to));
        for part in text.split("\n\n") {
            let Some((_, head)) = part.split_once("FLASH_FN ") else { continue };
            let name = head.split('(').next().and_then(|head| head.split(' ').next_back());
            let name = name.unwrap_or_default().to_owned();
            let calls: BTreeSet<usize> =
                words(part).filter_map(|word| self.by_name.get(word).copied()).collect();
            self.by_name.insert(name, self.all.len());
            let text = format!("{}\n\n", part.trim_end());
            self.all.push(Piece { text, calls: calls.into_iter().collect() });
        }
    }

    /// The functions of these names and all that they call, in their order.
    fn closure(&self, names: impl IntoIterator<Item = String>) -> BTreeSet<usize> {
        let mut needed = BTreeSet::new();
        let mut open: Vec<usize> =
            names.into_iter().filter_map(|name| self.by_name.get(&name).copied()).collect();
        while let Some(piece) = open.pop() {
            if needed.insert(piece) {
                open.extend(&self.all[piece].calls);
            }
        }
        needed
    }

    fn text(&self, names: impl IntoIterator<Item = String>) -> String {
        self.closure(names).into_iter().map(|piece| self.all[piece].text.as_str()).collect()
    }
}

/// The text with other names for some words.
pub(super) fn with_words(text: &str, names: &[(&str, &str)]) -> String {
    if names.is_empty() {
        return text.to_owned();
    }
    let mut all = String::with_capacity(text.len());
    let mut rest = text;
    for word in words(text) {
        let (between, after) = rest.split_at(word.as_ptr() as usize - rest.as_ptr() as usize);
        all += between;
        all += names.iter().find(|(known, _)| *known == word).map_or(word, |(_, name)| name);
        rest = &after[word.len()..];
    }
    all + rest
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// The name in C of the function for arguments of a type, the first argument if they differ; `None`
/// where the type has none. It may be a macro of the dialect, which evaluates each argument once.
pub(super) fn name(function: MathFn, ty: ScalarTy, mode: FloatMode) -> Option<String> {
    let scalar = suffix(ty)?;
    let plain = stem(function);
    if mode == FloatMode::Fast && ty.is_float() {
        let fast = format!("flash_{plain}_fast_{scalar}");
        if PIECES.by_name.contains_key(&fast) {
            return Some(fast);
        }
    }
    let name = format!("flash_{plain}_{scalar}");
    let of_dialect = matches!(
        function,
        MathFn::Sqrt
            | MathFn::MulAdd
            | MathFn::Floor
            | MathFn::Ceil
            | MathFn::Trunc
            | MathFn::RoundTiesEven
    );
    let exists = PIECES.by_name.contains_key(&name) || of_dialect && ty.is_float();
    // There is one text for `u64` and `usize`, but only the former has the bits of a float.
    (exists && !(function == MathFn::FromBits && ty == ScalarTy::Usize)).then_some(name)
}

/// The name in C of the remainder `%` of two floats.
pub(super) fn remainder(ty: ScalarTy) -> Option<String> {
    ty.is_float().then(|| suffix(ty)).flatten().map(|scalar| format!("flash_rem_{scalar}"))
}

/// Functions that are called, by argument type; `true` is for [`FloatMode::Fast`].
pub(super) type Uses = BTreeSet<(MathFn, ScalarTy, bool)>;

/// The text of the functions used, of remainders of these types, and of all that they call.
pub(super) fn library(uses: &Uses, rests: &BTreeSet<ScalarTy>) -> String {
    let functions = uses.iter().filter_map(|&(function, ty, fast)| name(function, ty, mode(fast)));
    library_of(functions.chain(rests.iter().filter_map(|ty| remainder(*ty))))
}

/// The text of the functions of these names and of all that they call, each after those it calls.
pub(super) fn library_of(names: impl IntoIterator<Item = String>) -> String {
    PIECES.text(names)
}

/// Whether the function works in `double` on a type: some of `f32` do.
pub(super) fn needs_f64(function: MathFn, ty: ScalarTy, fast: bool) -> bool {
    match ty {
        ScalarTy::F64 => true,
        ScalarTy::U64 => function == MathFn::FromBits,
        _ => words(&library_of(name(function, ty, mode(fast)))).any(|word| word == "double"),
    }
}

/// Whether these functions, of this text, may divide `f32` or take a root of one.
pub(super) fn may_divide_f32(uses: &Uses, library: &str) -> bool {
    uses.iter().any(|&(function, ty, _)| function == MathFn::Sqrt && ty == ScalarTy::F32)
        || library.contains("flash_sqrt_f32")
        // A quotient of two other numbers there is not told apart.
        || library.contains(" / ") && words(library).any(|word| word == "float")
}

fn mode(fast: bool) -> FloatMode {
    if fast { FloatMode::Fast } else { FloatMode::Strict }
}

/// What the names of functions end in.
fn suffix(ty: ScalarTy) -> Option<&'static str> {
    Some(match ty {
        ScalarTy::Bool => return None,
        ScalarTy::I8 => "i8",
        ScalarTy::I16 => "i16",
        ScalarTy::I32 => "i32",
        ScalarTy::I64 | ScalarTy::Isize => "i64",
        ScalarTy::U8 => "u8",
        ScalarTy::U16 => "u16",
        ScalarTy::U32 => "u32",
        ScalarTy::U64 | ScalarTy::Usize => "u64",
        ScalarTy::F32 => "f32",
        ScalarTy::F64 => "f64",
    })
}

/// The name of a function as it is written in Rust.
fn stem(function: MathFn) -> &'static str {
    match function {
        MathFn::Abs => "abs",
        MathFn::Min => "min",
        MathFn::Max => "max",
        MathFn::Clamp => "clamp",
        MathFn::Sqrt => "sqrt",
        MathFn::Rsqrt => "rsqrt",
        MathFn::Floor => "floor",
        MathFn::Ceil => "ceil",
        MathFn::Round => "round",
        MathFn::RoundTiesEven => "round_ties_even",
        MathFn::Trunc => "trunc",
        MathFn::Fract => "fract",
        MathFn::MulAdd => "mul_add",
        MathFn::Exp => "exp",
        MathFn::Exp2 => "exp2",
        MathFn::Ln => "ln",
        MathFn::Log2 => "log2",
        MathFn::Log10 => "log10",
        MathFn::Sin => "sin",
        MathFn::Cos => "cos",
        MathFn::Tan => "tan",
        MathFn::Tanh => "tanh",
        MathFn::Atan => "atan",
        MathFn::Atan2 => "atan2",
        MathFn::Pow => "pow",
        MathFn::Powi => "powi",
        MathFn::Erf => "erf",
        MathFn::Hypot => "hypot",
        MathFn::Recip => "recip",
        MathFn::Signum => "signum",
        MathFn::Copysign => "copysign",
        MathFn::ToBits => "to_bits",
        MathFn::FromBits => "from_bits",
        MathFn::WrappingAdd => "wrapping_add",
        MathFn::WrappingSub => "wrapping_sub",
        MathFn::WrappingMul => "wrapping_mul",
        MathFn::WrappingNeg => "wrapping_neg",
        MathFn::SaturatingAdd => "saturating_add",
        MathFn::SaturatingSub => "saturating_sub",
        MathFn::AbsDiff => "abs_diff",
        MathFn::RotateLeft => "rotate_left",
        MathFn::RotateRight => "rotate_right",
        MathFn::CountOnes => "count_ones",
        MathFn::LeadingZeros => "leading_zeros",
        MathFn::TrailingZeros => "trailing_zeros",
        MathFn::RemEuclid => "rem_euclid",
        MathFn::DivEuclid => "div_euclid",
        MathFn::IsNan => "is_nan",
        MathFn::IsFinite => "is_finite",
    }
}
