//! Names of a text: those of the kernel where the language leaves them free, else as near as can be.
//! It knows no scopes: a name is given out once for a whole function.

use std::collections::BTreeSet;

/// Words that a C of devices takes for itself: keywords, types and constants.
const WORDS: &[&str] = &[
    "NAN",
    "INFINITY",
    "HUGE_VAL",
    "HUGE_VALF",
    "MAXFLOAT",
    "NULL",
    "TRUE",
    "FALSE",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "complex",
    "const",
    "constant",
    "continue",
    "default",
    "defined",
    "delete",
    "do",
    "double",
    "dim3",
    "else",
    "enum",
    "event_t",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "generic",
    "global",
    "goto",
    "half",
    "if",
    "imaginary",
    "image1d_t",
    "image2d_t",
    "image3d_t",
    "inline",
    "int",
    "kernel",
    "local",
    "long",
    "mutable",
    "namespace",
    "new",
    "nullptr",
    "operator",
    "pipe",
    "private",
    "protected",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "public",
    "quad",
    "read_only",
    "read_write",
    "register",
    "restrict",
    "return",
    "sampler_t",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "uchar",
    "uint",
    "ulong",
    "uniform",
    "union",
    "unsigned",
    "unroll",
    "ushort",
    "using",
    "virtual",
    "void",
    "volatile",
    "warpSize",
    "while",
    "write_only",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "wchar_t",
    "vec_step",
    "unix",
    "linux",
    "printf",
    "main",
];

/// Words that C++ takes beyond those.
const CPP_WORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "compl",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "dynamic_cast",
    "noexcept",
    "not",
    "not_eq",
    "or",
    "or_eq",
    "reinterpret_cast",
    "requires",
    "static_assert",
    "static_cast",
    "std",
    "thread_local",
    "xor",
    "xor_eq",
];

/// Functions that a C of devices has; a function or kernel cannot have such a name.
const FUNCTIONS: &[&str] = &[
    "abs",
    "abs_diff",
    "acos",
    "acosh",
    "acospi",
    "add_sat",
    "all",
    "any",
    "asin",
    "asinh",
    "asinpi",
    "assert",
    "atan",
    "atan2",
    "atan2pi",
    "atanh",
    "atanpi",
    "barrier",
    "bitselect",
    "cbrt",
    "ceil",
    "clamp",
    "clock",
    "clz",
    "copysign",
    "cos",
    "cosh",
    "cospi",
    "cross",
    "ctz",
    "degrees",
    "distance",
    "dot",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fast_distance",
    "fast_length",
    "fast_normalize",
    "fdim",
    "fdivide",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "fract",
    "free",
    "frexp",
    "hadd",
    "hypot",
    "ilogb",
    "isequal",
    "isfinite",
    "isgreater",
    "isinf",
    "isless",
    "isnan",
    "isnormal",
    "isordered",
    "j0",
    "j1",
    "jn",
    "labs",
    "ldexp",
    "length",
    "lgamma",
    "llabs",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "mad",
    "mad24",
    "mad_hi",
    "mad_sat",
    "malloc",
    "max",
    "maxmag",
    "mem_fence",
    "memcpy",
    "memset",
    "min",
    "minmag",
    "mix",
    "modf",
    "mul24",
    "mul_hi",
    "nan",
    "nearbyint",
    "nextafter",
    "norm",
    "normalize",
    "normcdf",
    "popcount",
    "pow",
    "pown",
    "powr",
    "prefetch",
    "radians",
    "rcbrt",
    "remainder",
    "remquo",
    "rhadd",
    "rhypot",
    "rint",
    "rnorm",
    "rootn",
    "rotate",
    "round",
    "rsqrt",
    "scalbln",
    "scalbn",
    "select",
    "shuffle",
    "shuffle2",
    "sign",
    "signbit",
    "sin",
    "sincos",
    "sincospi",
    "sinh",
    "sinpi",
    "smoothstep",
    "sqrt",
    "step",
    "sub_sat",
    "tan",
    "tanh",
    "tanpi",
    "tgamma",
    "trunc",
    "umax",
    "umin",
    "upsample",
    "y0",
    "y1",
    "yn",
];

/// Those of them that our text calls, which no value may hide.
const CALLED: &[&str] = &[
    "atomicAdd",
    "atomicAnd",
    "atomicCAS",
    "atomicExch",
    "atomicMax",
    "atomicMin",
    "atomicOr",
    "atomicSub",
    "atomicXor",
    "barrier",
    "fma",
    "mem_fence",
    "sqrt",
    "sqrtf",
];

/// Beginnings of names of built-in functions.
const FAMILIES: &[&str] = &[
    "__",
    "as_",
    "async_work_",
    "atom_",
    "atomic",
    "cl_",
    "cluda",
    "convert_",
    "cuda",
    "enqueue_",
    "flash_",
    "get_",
    "half_",
    "intel_",
    "make_",
    "native_",
    "nv_",
    "read_image",
    "sub_group_",
    "surf",
    "tex",
    "vload",
    "vstore",
    "work_group_",
    "write_image",
];

/// Names given out.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name for a value or type, like the wanted one.
    pub(super) fn value(&mut self, wanted: &str) -> String {
        self.free(wanted, is_word)
    }

    /// A name for a function, like the wanted one.
    pub(super) fn function(&mut self, wanted: &str) -> String {
        self.free(wanted, |name| {
            is_word(name)
                || FUNCTIONS.contains(&name)
                // As C++ has it of `float`.
                || name.strip_suffix('f').is_some_and(|name| FUNCTIONS.contains(&name))
                || FAMILIES.iter().any(|family| name.starts_with(family))
        })
    }

    fn free(&mut self, wanted: &str, is_reserved: impl Fn(&str) -> bool) -> String {
        let plain = ascii(wanted);
        let mut name = if is_reserved(&plain) { format!("{plain}_") } else { plain.clone() };
        let mut number = 1;
        while self.taken.contains(&name) || is_reserved(&name) {
            name = format!("{plain}_{number}");
            if is_reserved(&name) {
                name = format!("k_{name}");
            }
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }
}

/// Whether a name is one of the language, or of ours.
fn is_word(name: &str) -> bool {
    // `float4` and the like are types, `M_PI` and the like constants, `CLK_..` and `FLT_..` flags.
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_vector = stem.len() < name.len()
        && ["char", "short", "int", "long", "longlong", "float", "double", "half", "quad", "bool"]
            .iter()
            .any(|scalar| stem == *scalar || stem.strip_prefix('u') == Some(scalar));
    let shouts = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_vector
        || shouts && name.contains('_')
        || WORDS.contains(&name)
        || CPP_WORDS.contains(&name)
        || CALLED.contains(&name)
        || ["flash_", "__", "as_", "atom_", "atomic_", "get_"].iter().any(|f| name.starts_with(f))
}

/// The name in letters that every C has.
fn ascii(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            text.push(c);
        } else {
            text.push_str(&format!("u{:x}", u32::from(c)));
        }
    }
    if text.chars().next().is_none_or(|c| c.is_ascii_digit()) {
        text.insert(0, 'k');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_where_they_are_free() {
        let mut names = Names::default();
        let wanted = ["i", "i", "r#loop", "kernel", "float4", "f32x4", "flash_id0", "größe", "max"];
        let want = [
            "i",
            "i_1",
            "loop",
            "kernel_",
            "float4_",
            "f32x4",
            "k_flash_id0_1",
            "gruf6udfe",
            "max",
        ];
        assert_eq!(wanted.map(|name| names.value(name)), want);
    }

    #[test]
    fn functions_do_not_take_names_of_functions() {
        let mut names = Names::default();
        let got = ["mix", "mix", "get_id", "wave"].map(|name| names.function(name));
        assert_eq!(got, ["mix_", "mix_1", "k_get_id_1", "wave"]);
        assert_eq!(names.value("wave"), "wave_1");
        assert_eq!(
            ["sinf", "atomicAdd"].map(|name| names.function(name)),
            ["sinf_", "k_atomicAdd_1"]
        );
    }

    #[test]
    fn values_do_not_hide_what_texts_call() {
        let mut names = Names::default();
        let got = ["sqrt", "fma", "atomicAdd", "floor"].map(|name| names.value(name));
        assert_eq!(got, ["sqrt_", "fma_", "atomicAdd_", "floor"]);
    }
}
