//! Whether a kernel in CUDA C takes what its declaration gives, asked of its compiler: a text behind the
//! kernel's own that does not compile where it does not, and what is read of the complaint.

use std::fmt::Write as _;

use flash_rt::KernelDescriptor;
use flash_rt::descriptor::Role;

use super::arguments::{Given, Said};
use super::types::{fields, wanted};

/// What the conditions are made of; where a field is, a front end of this kin says by `__INTADDR__`. `nth` and `list` pick the types of arguments out of that of a function.
const BASE: &str = "namespace flash_declared {
template <class A, class B> struct is_same { static constexpr bool value = false; };
template <class A> struct is_same<A, A> { static constexpr bool value = true; };
template <class T> struct plain { using type = T; };
template <class T> struct plain<const T> { using type = T; };
template <class T> struct plain<volatile T> { using type = T; };
template <class T> struct plain<const volatile T> { using type = T; };
template <class A, class... B> struct is_one_of { static constexpr bool value = (is_same<A, B>::value || ...); };
template <class T> struct is_vector { static constexpr bool value = is_one_of<T, char2, char3, char4, uchar2,
    uchar3, uchar4, short2, short3, short4, ushort2, ushort3, ushort4, int2, int3, int4, uint2, uint3, uint4,
    longlong2, longlong3, ulonglong2, ulonglong3, float2, float3, float4, double2, double3>::value; };
template <class T, unsigned long long N, bool = __is_class(T) || __is_union(T)>
struct is_structure { static constexpr bool value = false; };
template <class T, unsigned long long N>
struct is_structure<T, N, true> { static constexpr bool value = sizeof(T) == N && !is_vector<T>::value; };
template <class T> struct pointer { static constexpr bool is = false, is_const = false; using type = T; };
template <class T> struct pointer<T *>
{ static constexpr bool is = true, is_const = false; using type = typename plain<T>::type; };
template <class T> struct pointer<const T *>
{ static constexpr bool is = true, is_const = true; using type = typename plain<T>::type; };
template <class T> struct pointer<const volatile T *>
{ static constexpr bool is = true, is_const = true; using type = T; };
template <class... A> struct list {};
template <int K, class L> struct nth;
template <int K, class H, class... A> struct nth<K, list<H, A...>> { using type = typename nth<K - 1, list<A...>>::type; };
template <class H, class... A> struct nth<0, list<H, A...>> { using type = H; };
template <class F> struct arguments;
template <class... A> struct arguments<void (*)(A...)> { using type = list<A...>; static constexpr int n = sizeof...(A); };
template <class...> using nothing = void;
template <class L, int K, bool> struct block_at { static constexpr bool value = false; };
#ifdef FLASH_H
template <class L, int K> struct block_at<L, K, true>
{ static constexpr bool value = is_same<typename plain<typename nth<K, L>::type>::type, flash_block>::value; };
#endif
";

/// The file that complaints of this text name.
fn file(entry: &str) -> String {
    format!("the declaration of `{entry}`")
}

/// The text that goes behind that of a kernel.
pub(super) fn text(kernel: &KernelDescriptor, entry: &str, given: &[Given]) -> String {
    let mut text = format!("\n#line 1 \"{}\"\n{BASE}", file(&entry.replace(['"', '\\'], "'")));
    let n = given.len();
    // Not what has the same name here.
    let its = format!("decltype(&::{})", entry.trim_start_matches("::"));
    let _ = write!(
        text,
        "template <class Theirs> struct count {{ static_assert(arguments<Theirs>::n == {n} || \
         block_at<typename arguments<Theirs>::type, {n}, arguments<Theirs>::n == {n} + 1>::value, \
         \"flash count\"); }};\ntemplate struct count<{its}>;\n"
    );
    for (k, given) in given.iter().enumerate() {
        argument(&mut text, kernel, k, given);
        let _ =
            writeln!(text, "template struct argument_{k}<nth<{k}, arguments<{its}>::type>::type>;");
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
            let lengths = "is_one_of<T, unsigned long long, unsigned long, long long, long, unsigned int, \
                           int>::value";
            body += "using T = Theirs; ";
            body += &assert(lengths, "type");
            let _ = writeln!(text, "template <class Theirs> struct argument_{k} {{ {body}}};");
            return;
        }
        // It is not the declaration that gives it.
        Said::Block => return,
        Said::Value(ty) => ("Theirs", ty, true),
        Said::Array(ty) | Said::Indices(ty) => ("typename pointer<Theirs>::type", ty, false),
    };
    let role = kernel.params.get(given.param).map_or(Role::Value, |param| param.role);
    let _ = write!(body, "using T = {pointee}; ");
    if is_value {
        body += &assert("!pointer<Theirs>::is", "value");
    } else {
        body += &assert("pointer<Theirs>::is", "pointer");
        if given.is_written && !matches!(role, Role::Scratch(_)) {
            body += &assert("!pointer<Theirs>::is_const", "const");
        }
    }
    let is_right_kind = if is_value { "pointer<Theirs>::is" } else { "!pointer<Theirs>::is" };
    let condition = wanted(&ty, is_value).condition;
    body += &assert(&format!("{is_right_kind} || ({condition})"), "type");
    for (name, offset, size) in fields(&ty) {
        let _ = writeln!(
            text,
            "template <class T, class = void> struct at_{k}_{name} {{ static constexpr bool fits = true; }};\n\
             template <class T> struct at_{k}_{name}<T, nothing<decltype(T::{name})>> {{ static constexpr \
             bool fits = __INTADDR__(&((T *)0)->{name}) == {offset} && sizeof(T::{name}) == {size}; }};"
        );
        body += &assert(&format!("at_{k}_{name}<T>::fits"), &format!("field {name}"));
    }
    let _ = writeln!(text, "template <class Theirs> struct argument_{k} {{ {body}}};");
}

/// What a complaint of the compiler says of the declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Complaint {
    /// What differs.
    Differs(String),
    /// The kernel could not be found by its name.
    NoEntry,
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
    let of_names = format!("{}(", file(entry));
    if log.contains(&of_names) {
        return Complaint::NoEntry;
    }
    Complaint::OfText
}

/// The type that a template was compiled with, behind a place of a log.
fn theirs(log: &str, behind: &str) -> Option<String> {
    let log = &log[log.find(behind)? + behind.len()..];
    let start = log.find("[with Theirs=")? + "[with Theirs=".len();
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
