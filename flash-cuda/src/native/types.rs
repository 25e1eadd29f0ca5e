//! Types of Rust as a kernel in CUDA C may take them, as conditions for its compiler. It compiles nothing.

use flash_ir::elements::{BF16, COMPLEX32, COMPLEX64, F16};
use flash_ir::{ScalarTy, StructTy, Ty};

/// What a type of a kernel has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// A constant expression that says whether `flash_T` is it.
    pub(super) condition: String,
    /// What is expected, for a person.
    pub(super) said: String,
}

/// The names of a scalar in CUDA C, the usual one first.
fn names(scalar: ScalarTy) -> &'static [&'static str] {
    match scalar {
        ScalarTy::Bool => &["bool", "unsigned char"],
        ScalarTy::I8 => &["signed char", "char"],
        ScalarTy::U8 => &["unsigned char"],
        ScalarTy::I16 => &["short"],
        ScalarTy::U16 => &["unsigned short"],
        ScalarTy::I32 => &["int"],
        ScalarTy::U32 => &["unsigned int"],
        ScalarTy::I64 | ScalarTy::Isize => &["long long", "long"],
        ScalarTy::U64 | ScalarTy::Usize => &["unsigned long long", "unsigned long"],
        ScalarTy::F32 => &["float"],
        ScalarTy::F64 => &["double"],
    }
}

/// The name of the vectors of a scalar, up to which number of them CUDA C has such a type of the same size.
fn vector(scalar: ScalarTy) -> Option<(&'static str, usize)> {
    Some(match scalar {
        ScalarTy::I8 => ("char", 4),
        ScalarTy::U8 => ("uchar", 4),
        ScalarTy::I16 => ("short", 4),
        ScalarTy::U16 => ("ushort", 4),
        ScalarTy::I32 => ("int", 4),
        ScalarTy::U32 => ("uint", 4),
        ScalarTy::F32 => ("float", 4),
        // Those of four have two alignments, and names for each.
        ScalarTy::I64 | ScalarTy::Isize => ("longlong", 3),
        ScalarTy::U64 | ScalarTy::Usize => ("ulonglong", 3),
        ScalarTy::F64 => ("double", 3),
        ScalarTy::Bool => return None,
    })
}

/// What addresses of elements are multiples of where a kernel has vectors of CUDA for them.
pub(crate) fn alignment(ty: &Ty) -> usize {
    let of_vector = |size: usize| size.min(16);
    match ty {
        Ty::Unit => 1,
        Ty::Scalar(scalar) => scalar.size(),
        Ty::Array(elem, 2 | 4) if matches!(**elem, Ty::Scalar(_)) => of_vector(ty.size()),
        Ty::Array(elem, _) => alignment(elem),
        Ty::Struct(layout) if **layout == COMPLEX32 || **layout == COMPLEX64 => {
            of_vector(layout.size)
        }
        Ty::Struct(layout) => layout.align,
    }
}

fn is_one_of(names: &[&str]) -> String {
    format!("flash_is_one_of<flash_T, {}>::flash_value", names.join(", "))
}

/// Whether it is a structure of this size, and no vector of CUDA's.
fn is_structure(size: usize) -> String {
    format!("flash_is_structure<flash_T, {size}>::flash_value")
}

/// What a value is, or what a pointer to elements points to, which may also be their scalars.
pub(super) fn wanted(ty: &Ty, is_value: bool) -> Wanted {
    let wanted = |condition: String, said: &str| Wanted { condition, said: said.to_owned() };
    match ty {
        Ty::Unit => wanted("true".to_owned(), "anything"),
        Ty::Scalar(scalar) => {
            let names = names(*scalar);
            let size = format!("sizeof(flash_T) == {}", scalar.size());
            let said = format!("`{}`", names[0]);
            wanted(format!("{} && {size}", is_one_of(names)), &said)
        }
        Ty::Array(elem, n) => array(elem, *n, is_value),
        Ty::Struct(structure) if **structure == F16 => wanted(
            format!("{} || {}", is_one_of(&["unsigned short"]), is_structure(2)),
            "`__half`, or `unsigned short`, its bits",
        ),
        Ty::Struct(structure) if **structure == BF16 => wanted(
            format!("{} || {}", is_one_of(&["unsigned short"]), is_structure(2)),
            "`__nv_bfloat16`, or `unsigned short`, its bits",
        ),
        Ty::Struct(structure) if **structure == COMPLEX32 => {
            wanted(format!("{} || {}", is_one_of(&["float2"]), is_structure(8)), "`float2`")
        }
        Ty::Struct(structure) if **structure == COMPLEX64 => {
            wanted(format!("{} || {}", is_one_of(&["double2"]), is_structure(16)), "`double2`")
        }
        Ty::Struct(structure) => wanted(
            is_structure(structure.size),
            &format!("a structure like `{}`, of {} bytes", structure.name, structure.size),
        ),
    }
}

fn array(elem: &Ty, n: usize, is_value: bool) -> Wanted {
    let size = elem.size() * n;
    let Ty::Scalar(scalar) = elem else {
        let said = format!("a structure of {size} bytes");
        return Wanted { condition: is_structure(size), said };
    };
    let mut conditions = vec![is_structure(size)];
    let mut said = format!("a structure of {size} bytes");
    if !is_value {
        conditions.push(is_one_of(names(*scalar)));
        said = format!("`{}`", names(*scalar)[0]);
    }
    if let Some((name, most)) = vector(*scalar)
        && (2..=most).contains(&n)
    {
        let name = format!("{name}{n}");
        conditions.push(is_one_of(&[&name]));
        said = format!("`{name}`");
    }
    Wanted { condition: conditions.join(" || "), said }
}

/// Fields of a structure that are somewhere else where the kernel's structure has one of that name: for
/// each its name, where it is and its bytes.
pub(super) fn fields(ty: &Ty) -> Vec<(&'static str, usize, usize)> {
    let Ty::Struct(structure) = ty else { return Vec::new() };
    let is_others = [&F16, &BF16, &COMPLEX32, &COMPLEX64]
        .iter()
        .any(|other: &&StructTy| **other == **structure);
    if is_others {
        return Vec::new();
    }
    let plain = structure.fields.iter().filter(|field| is_plain(field.name));
    plain.map(|field| (field.name, field.offset, field.ty.size())).collect()
}

/// Whether a name of Rust is one of C++.
fn is_plain(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "and",
        "asm",
        "auto",
        "bool",
        "case",
        "catch",
        "char",
        "class",
        "default",
        "delete",
        "double",
        "explicit",
        "export",
        "float",
        "friend",
        "goto",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "not",
        "operator",
        "or",
        "private",
        "protected",
        "public",
        "register",
        "short",
        "signed",
        "sizeof",
        "switch",
        "template",
        "this",
        "throw",
        "typedef",
        "typeid",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "xor",
    ];
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let rest = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    starts && rest && !WORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const F32: Ty = Ty::Scalar(ScalarTy::F32);

    #[test]
    fn vectors_are_of_the_size_that_arrays_have() {
        let said = |ty: &Ty, is_value| wanted(ty, is_value).said;
        assert_eq!(said(&F32, true), "`float`");
        assert_eq!(said(&Ty::Array(&F32, 4), true), "`float4`");
        assert_eq!(said(&Ty::Array(&F32, 3), false), "`float3`");
        assert_eq!(said(&Ty::Array(&F32, 5), false), "`float`");
        assert_eq!(said(&Ty::Array(&F32, 5), true), "a structure of 20 bytes");
        let four = Ty::Array(&Ty::Scalar(ScalarTy::F64), 4);
        assert_eq!(said(&four, false), "`double`");
        assert!(wanted(&Ty::Array(&F32, 4), false).condition.contains("flash_T, float>"));
        assert!(!wanted(&Ty::Array(&F32, 4), true).condition.contains("flash_T, float>"));
    }

    #[test]
    fn words_of_cpp_are_no_names_of_fields() {
        assert!(is_plain("left") && is_plain("_x1"));
        assert!(!is_plain("class") && !is_plain("0") && !is_plain("r#in"));
    }
}
