//! Whether a kernel in CUDA C takes what its declaration gives, asked of its compiler: a text behind the
//! kernel's own that does not compile where it does not, and what is read of the complaint.

use std::fmt::Write as _;

use flash_rt::KernelDescriptor;
use flash_rt::descriptor::Role;

use super::arguments::{Given, Said};
use super::types::{fields, wanted};

/// What the conditions are made of; where a field is, a front end of this kin says by `__INTADDR__`. `flash_nth`
/// and `flash_list` pick the types of arguments out of that of a function. Macros of a kernel's text are there too,
/// so all names have a prefix that is ours, and it is C++ of 2014, as options may ask for no more.
const BASE: &str = "namespace flash_declared {
template <class flash_A, class flash_B> struct flash_is_same { static constexpr bool flash_value = false; };
template <class flash_A> struct flash_is_same<flash_A, flash_A> { static constexpr bool flash_value = true; };
template <class flash_T> struct flash_plain { using flash_type = flash_T; };
template <class flash_T> struct flash_plain<const flash_T> { using flash_type = flash_T; };
template <class flash_T> struct flash_plain<volatile flash_T> { using flash_type = flash_T; };
template <class flash_T> struct flash_plain<const volatile flash_T> { using flash_type = flash_T; };
template <class flash_T, class... flash_More> struct flash_is_one_of { static constexpr bool flash_value = false; };
template <class flash_T, class flash_A, class... flash_More> struct flash_is_one_of<flash_T, flash_A, flash_More...>
{ static constexpr bool flash_value = flash_is_same<flash_T, flash_A>::flash_value
    || flash_is_one_of<flash_T, flash_More...>::flash_value; };
template <class flash_T> struct flash_is_vector { static constexpr bool flash_value = flash_is_one_of<flash_T, char2,
    char3, char4, uchar2, uchar3, uchar4, short2, short3, short4, ushort2, ushort3, ushort4, int2, int3, int4, uint2,
    uint3, uint4, longlong2, longlong3, ulonglong2, ulonglong3, float2, float3, float4, double2, double3>::flash_value; };
template <class flash_T, unsigned long long flash_bytes, bool = __is_class(flash_T) || __is_union(flash_T)>
struct flash_is_structure { static constexpr bool flash_value = false; };
template <class flash_T, unsigned long long flash_bytes> struct flash_is_structure<flash_T, flash_bytes, true>
{ static constexpr bool flash_value = sizeof(flash_T) == flash_bytes && !flash_is_vector<flash_T>::flash_value; };
template <class flash_T> struct flash_pointer
{ static constexpr bool flash_is = false, flash_is_const = false; using flash_type = flash_T; };
template <class flash_T> struct flash_pointer<flash_T *>
{ static constexpr bool flash_is = true, flash_is_const = false; using flash_type = typename flash_plain<flash_T>::flash_type; };
template <class flash_T> struct flash_pointer<const flash_T *>
{ static constexpr bool flash_is = true, flash_is_const = true; using flash_type = flash_T; };
template <class flash_T> struct flash_pointer<const volatile flash_T *>
{ static constexpr bool flash_is = true, flash_is_const = true; using flash_type = flash_T; };
template <class... flash_A> struct flash_list {};
template <int flash_k, class flash_L> struct flash_nth { using flash_type = void; };
template <int flash_k, class flash_H, class... flash_A> struct flash_nth<flash_k, flash_list<flash_H, flash_A...>>
{ using flash_type = typename flash_nth<flash_k - 1, flash_list<flash_A...>>::flash_type; };
template <class flash_H, class... flash_A> struct flash_nth<0, flash_list<flash_H, flash_A...>> { using flash_type = flash_H; };
template <class flash_F> struct flash_arguments
{ using flash_type = flash_list<>; static constexpr int flash_n = -1; };
template <class... flash_A> struct flash_arguments<void (*)(flash_A...)>
{ using flash_type = flash_list<flash_A...>; static constexpr int flash_n = sizeof...(flash_A); };
#ifdef __cpp_noexcept_function_type
template <class... flash_A> struct flash_arguments<void (*)(flash_A...) noexcept>
{ using flash_type = flash_list<flash_A...>; static constexpr int flash_n = sizeof...(flash_A); };
#endif
template <class...> struct flash_nothing { using flash_type = void; };
template <class flash_L, int flash_k, bool> struct flash_block_at { static constexpr bool flash_value = false; };
#ifdef FLASH_H
template <class flash_L, int flash_k> struct flash_block_at<flash_L, flash_k, true>
{ static constexpr bool flash_value =
    flash_is_same<typename flash_plain<typename flash_nth<flash_k, flash_L>::flash_type>::flash_type, flash_block>::flash_value; };
#endif
";

/// What this text is called in complaints, and what is behind it. Nothing of a kernel is wrong in the first one,
/// whatever its templates are given.
const CHECK: &str = "the check of declarations";
const CHECKED: &str = "what a declaration gives";

/// The file that complaints name where this text names the kernel.
fn file(entry: &str) -> String {
    format!("the declaration of `{}`", entry.replace(['"', '\\'], "'"))
}

/// The text that goes behind that of a kernel.
pub(super) fn text(kernel: &KernelDescriptor, entry: &str, given: &[Given]) -> String {
    // Not what has the same name here.
    let its = format!("decltype(&::{})", entry.trim_start_matches("::"));
    let mut text = format!(
        "\n#line 1 \"{}\"\nnamespace flash_declared {{ using flash_its = {its}; }}\n#line 1 \"{CHECK}\"\n{BASE}",
        file(entry)
    );
    let n = given.len();
    let _ = write!(
        text,
        "#line 1 \"{CHECKED}\"\ntemplate <class flash_Theirs> struct flash_count {{ \
         static_assert(flash_arguments<flash_Theirs>::flash_n == {n} || \
         flash_block_at<typename flash_arguments<flash_Theirs>::flash_type, {n}, \
         flash_arguments<flash_Theirs>::flash_n == {n} + 1>::flash_value, \
         \"flash count\"); }};\ntemplate struct flash_count<{its}>;\n"
    );
    for (k, given) in given.iter().enumerate() {
        argument(&mut text, kernel, k, given);
        let _ = writeln!(
            text,
            "template struct flash_argument_{k}<flash_nth<{k}, \
             flash_arguments<flash_its>::flash_type>::flash_type>;"
        );
    }
    text + "}\n"
}

fn argument(text: &mut String, kernel: &KernelDescriptor, k: usize, given: &Given) {
    let assert = |condition: &str, what: &str| {
        format!("static_assert({condition}, \"flash argument {k} {what}\"); ")
    };
    let mut body = String::new();
    let (pointee, ty, is_value) = match given.said {
        Said::Len(_) | Said::Rows(_) => {
            let lengths = "flash_is_one_of<flash_T, unsigned long long, unsigned long, long long, long, \
                           unsigned int, int>::flash_value";
            body += "using flash_T = flash_Theirs; ";
            body += &assert(lengths, "type");
            let _ = writeln!(
                text,
                "template <class flash_Theirs> struct flash_argument_{k} {{ {body}}};"
            );
            return;
        }
        // It is not the declaration that gives it.
        Said::Block => return,
        Said::Value(ty) => ("flash_Theirs", ty, true),
        Said::Array(ty) | Said::Indices(ty) => {
            ("typename flash_pointer<flash_Theirs>::flash_type", ty, false)
        }
    };
    let role = kernel.params.get(given.param).map_or(Role::Value, |param| param.role);
    let _ = write!(body, "using flash_T = {pointee}; ");
    if is_value {
        body += &assert("!flash_pointer<flash_Theirs>::flash_is", "value");
    } else {
        body += &assert("flash_pointer<flash_Theirs>::flash_is", "pointer");
        if given.is_written && !matches!(role, Role::Scratch(_)) {
            body += &assert("!flash_pointer<flash_Theirs>::flash_is_const", "const");
        }
    }
    let is_right_kind = if is_value {
        "flash_pointer<flash_Theirs>::flash_is"
    } else {
        "!flash_pointer<flash_Theirs>::flash_is"
    };
    let condition = wanted(&ty, is_value).condition;
    body += &assert(&format!("{is_right_kind} || ({condition})"), "type");
    for (at, (name, offset, size)) in fields(&ty).into_iter().enumerate() {
        let _ = writeln!(
            text,
            "template <class flash_T, class = void> struct flash_at_{k}_{at} {{ static constexpr bool flash_fits = \
             true; }};\n\
             template <class flash_T> struct flash_at_{k}_{at}<flash_T, typename \
             flash_nothing<decltype(flash_T::{name})>::flash_type> {{ static constexpr bool flash_fits = \
             __INTADDR__(&((flash_T *)0)->{name}) == {offset} && sizeof(flash_T::{name}) == {size}; }};"
        );
        body +=
            &assert(&format!("flash_at_{k}_{at}<flash_T>::flash_fits"), &format!("field {name}"));
    }
    let _ = writeln!(text, "template <class flash_Theirs> struct flash_argument_{k} {{ {body}}};");
}

/// What a complaint of the compiler says of the declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Complaint {
    /// What differs.
    Differs(String),
    /// The kernel could not be found by its name.
    NoEntry,
    /// Nothing: this text itself is what the compiler does not take.
    OfCheck,
    /// The kernel's own text is wrong.
    OfText,
}

/// Reads a complaint.
pub(super) fn complaint(
    kernel: &KernelDescriptor,
    entry: &str,
    given: &[Given],
    (own, log): (&str, &str),
) -> Complaint {
    let own = format!("{own}(");
    let is_own = |line: &str| line.starts_with(&own) && line.contains("error");
    if log.lines().any(is_own) {
        return Complaint::OfText;
    }
    if log.contains("__nv_name_map") {
        return Complaint::NoEntry;
    }
    let of_check = format!("{CHECK}(");
    if log.lines().any(|line| line.starts_with(&of_check) && line.contains("error")) {
        return Complaint::OfCheck;
    }
    if log.contains("\"flash count\"") {
        let n = theirs(log, "\"flash count\"")
            .map_or_else(String::new, |theirs| format!(", `{theirs}`"));
        let ours: Vec<String> = given.iter().map(|given| given.words(kernel)).collect();
        return Complaint::Differs(format!(
            "the kernel takes other arguments{n}, and the declaration gives {}: {}",
            ours.len(),
            ours.join(", ")
        ));
    }
    let mut all = Vec::new();
    for (k, given) in given.iter().enumerate() {
        let tag = format!("\"flash argument {k} ");
        let Some(at) = log.find(&tag) else { continue };
        let what = log[at + tag.len()..].split('"').next().unwrap_or("");
        let theirs = theirs(&log[at..], "").unwrap_or_else(|| "something else".to_owned());
        all.push(format!("argument {k} is for {}", differs(kernel, given, what, &theirs)));
    }
    if !all.is_empty() {
        return Complaint::Differs(all.join("; "));
    }
    if log.contains(&format!("{}(", file(entry))) {
        return Complaint::NoEntry;
    }
    if log.contains(&format!("{CHECKED}(")) {
        return Complaint::OfCheck;
    }
    Complaint::OfText
}

/// The type that a template was compiled with, behind a place of a log.
fn theirs(log: &str, behind: &str) -> Option<String> {
    let log = &log[log.find(behind)? + behind.len()..];
    let start = log.find("[with flash_Theirs=")? + "[with flash_Theirs=".len();
    // A complaint has its own instantiation before the next one begins.
    let rest = &log[start..];
    let end = rest.find("]\"").or_else(|| rest.find(']'))?;
    Some(rest[..end].trim().to_owned())
}

fn differs(kernel: &KernelDescriptor, given: &Given, what: &str, theirs: &str) -> String {
    let name = given.words(kernel);
    let (ty, is_value) = match given.said {
        Said::Len(_) | Said::Rows(_) => {
            return format!(
                "{name}, and the kernel takes `{theirs}`; it is `unsigned long long`, or `unsigned` or `int`"
            );
        }
        Said::Block => return name,
        Said::Value(ty) => (ty, true),
        Said::Array(ty) | Said::Indices(ty) => (ty, false),
    };
    let said = wanted(&ty, is_value).said;
    match what.split(' ').next() {
        Some("const") => format!(
            "{name}, which is written, and the kernel takes `{theirs}`; declare it as an input"
        ),
        Some("field") => {
            let field = what.split(' ').nth(1).unwrap_or("?");
            format!(
                "{name}, whose `{field}` is at another place, or larger or smaller, in `{theirs}`"
            )
        }
        Some("value") => format!("{name}, a value, and the kernel takes a pointer, `{theirs}`"),
        Some("pointer") => format!("{name}, an array, and the kernel takes a value, `{theirs}`"),
        _ if is_value => {
            format!("{name}, a value of type {said}, and the kernel takes `{theirs}`")
        }
        _ => format!("{name}, an array of {said}, and the kernel takes `{theirs}`"),
    }
}

#[cfg(test)]
mod tests {
    use flash_ir::elements::BF16;
    use flash_ir::{FieldTy, ScalarTy, StructTy, Ty};

    use super::*;

    /// Words of the language, and types that it has.
    const WORDS: &[&str] = &[
        "bool",
        "char",
        "class",
        "const",
        "constexpr",
        "decltype",
        "double",
        "false",
        "float",
        "int",
        "long",
        "namespace",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "struct",
        "template",
        "true",
        "typename",
        "unsigned",
        "using",
        "void",
        "volatile",
        "__INTADDR__",
        "__is_class",
        "__is_union",
        "line",
        "__cpp_noexcept_function_type",
        "noexcept",
        "ifdef",
        "endif",
        "FLASH_H",
    ];

    /// What macros of a program could be called by is not in the text.
    #[test]
    fn names_of_the_text_are_its_own() {
        const F32: Ty = Ty::Scalar(ScalarTy::F32);
        static PAIR: StructTy = StructTy {
            name: "Pair",
            size: 8,
            align: 4,
            fields: &[FieldTy { name: "theirs", ty: F32, offset: 0 }],
        };
        let kernel = KernelDescriptor::bare("entry", 1, &[]);
        let all = [
            Said::Value(F32),
            Said::Value(Ty::Struct(&PAIR)),
            Said::Array(Ty::Array(&F32, 4)),
            Said::Array(Ty::Struct(&BF16)),
            Said::Indices(Ty::Scalar(ScalarTy::U64)),
            Said::Len(8),
            Said::Rows(8),
        ];
        let given = all.map(|said| Given { param: 0, said, is_written: true, widened: None });
        let text = text(&kernel, "entry", &given);
        // Texts within quotes are none of it.
        let outside: String = text.split('"').step_by(2).collect();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let names = outside
            .split(|c| !is_name(c))
            .filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()));
        let is_vector = |name: &str| {
            name.trim_start_matches('u')
                .trim_end_matches(['2', '3', '4'])
                .trim_start_matches("long")
                .len()
                < name.len()
        };
        let other = names.filter(|name| {
            let is_own = name.starts_with("flash_") || WORDS.contains(name);
            !name.is_empty() && !is_own && !is_vector(name) && !["entry", "theirs"].contains(name)
        });
        assert_eq!(other.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
