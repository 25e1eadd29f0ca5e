//! Elements and values of a declaration, compared scalar by scalar with what a text in OpenCL C has in their
//! place. It reads no text.

use flash_ir::elements::{BF16, COMPLEX32, COMPLEX64, F16};
use flash_ir::{ScalarTy, Ty};

use super::signature::c_name;
use super::text::{Layout, scalar};

/// How a type of a text differs from that of a parameter, if it does.
pub(super) fn difference(ty: &Ty, theirs: &Layout) -> Option<String> {
    let mut ours = Vec::new();
    parts(ty, 0, "", &mut ours);
    let whole = name(ty);
    for (at, scalar, field) in &theirs.parts {
        let Some((_, mine, path)) = ours.iter().find(|(mine, ..)| mine == at) else {
            return Some(format!(
                "`{whole}` has nothing at byte {at}, where `{field}` is a `{scalar}`"
            ));
        };
        if mine != scalar {
            return Some(format!(
                "`{path}` of `{whole}` at byte {at} is a `{mine}`, and `{field}` a `{scalar}`"
            ));
        }
    }
    // What the compiler leaves free may have any name here.
    let bytes = |name: &str| scalar(name).unwrap_or(0);
    let missing = ours.iter().find(|(at, mine, _)| {
        let overlaps = |(from, scalar, _): &(usize, String, String)| {
            *at < from + bytes(scalar) && *from < at + bytes(mine)
        };
        at + bytes(mine) > theirs.size
            || theirs.parts.iter().any(|part| part.0 != *at && overlaps(part))
    });
    if let Some((at, mine, path)) = missing {
        return Some(format!("it has nothing like `{path}` of `{whole}`, a `{mine}` at byte {at}"));
    }
    (ty.size() != theirs.size)
        .then(|| format!("`{whole}` has {} bytes, and it has {}", ty.size(), theirs.size))
}

/// The alignment of the largest vector that an array in a type may be.
pub(super) fn widest(ty: &Ty) -> usize {
    match ty {
        Ty::Unit => 1,
        Ty::Scalar(scalar) => scalar.size(),
        Ty::Struct(structure) if [&COMPLEX32, &COMPLEX64].contains(structure) => structure.size,
        Ty::Struct(structure) => structure.fields.iter().map(|f| widest(&f.ty)).max().unwrap_or(1),
        Ty::Array(Ty::Scalar(scalar), n @ (2 | 4 | 8 | 16)) => n * scalar.size(),
        Ty::Array(elem, _) => widest(elem),
    }
}

/// The name of a type as Rust has it.
pub(super) fn name(ty: &Ty) -> String {
    match ty {
        Ty::Unit => "()".to_owned(),
        Ty::Scalar(scalar) => scalar.name().to_owned(),
        Ty::Struct(structure) => structure.name.to_owned(),
        Ty::Array(elem, n) => format!("[{}; {n}]", name(elem)),
    }
}

/// The scalars of a type: where they are, what they are in C, and the path to them.
pub(super) fn parts(ty: &Ty, at: usize, path: &str, out: &mut Vec<(usize, String, String)>) {
    let scalar = |name: &str| (at, name.to_owned(), path.to_owned());
    match ty {
        Ty::Unit => {}
        Ty::Scalar(of) => out.push(scalar(c_name(*of))),
        Ty::Struct(structure) if **structure == F16 => out.push(scalar("half")),
        Ty::Struct(structure) if **structure == BF16 => out.push(scalar(c_name(ScalarTy::U16))),
        Ty::Struct(structure) => {
            for field in structure.fields {
                let dot = if path.is_empty() { "" } else { "." };
                parts(&field.ty, at + field.offset, &format!("{path}{dot}{}", field.name), out);
            }
        }
        Ty::Array(elem, n) => {
            for k in 0..*n {
                parts(elem, at + k * elem.size(), &format!("{path}[{k}]"), out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use flash_ir::{FieldTy, StructTy};

    use super::super::text::{Meaning, Text};
    use super::*;

    const F32: Ty = Ty::Scalar(ScalarTy::F32);
    const LINE: StructTy = StructTy {
        name: "Line",
        size: 16,
        align: 8,
        fields: &[
            FieldTy { name: "slope", offset: 0, ty: F32 },
            FieldTy { name: "offset", offset: 4, ty: Ty::Scalar(ScalarTy::I32) },
            FieldTy { name: "scale", offset: 8, ty: Ty::Scalar(ScalarTy::F64) },
        ],
    };

    fn of_line(text: &str, name: &str) -> Option<String> {
        match Text::new(text, "").meaning(name)? {
            Meaning::Structure(layout) => difference(&Ty::Struct(&LINE), &layout),
            Meaning::Plain(_) => None,
        }
    }

    #[test]
    fn fields_are_compared_one_by_one() {
        let like = "// a line\ntypedef struct { float m; /* b */ int c; double s; } line;";
        assert_eq!(of_line(like, "line"), None);
        assert_eq!(
            of_line("struct line { float m; signed int c; double s[1]; };", "struct line*"),
            None
        );
        // What the compiler leaves free.
        assert_eq!(of_line("struct l { float m; double s; };", "struct l"), None);
        for (text, name, wanted) in [
            (
                "typedef struct { int m, c; double s; } l;",
                "l",
                "`slope` of `Line` at byte 0 is a `float`",
            ),
            (
                "typedef struct l { float m; int c; float s; } k;",
                "k",
                "`scale` of `Line` at byte 8 is a `double`, and `s`",
            ),
            ("struct l { float m; int c; double s, t; };", "struct l", "has nothing at byte 16"),
            ("struct l { float m; int c; };", "struct l", "nothing like `scale` of `Line`"),
            (
                "struct p { float2 at; }; typedef struct p q; typedef struct { q a; double s; } l;",
                "l",
                "at byte 4 is a `int`",
            ),
        ] {
            let said = of_line(text, name);
            assert!(said.as_ref().is_some_and(|said| said.contains(wanted)), "{text}: {said:?}");
        }
    }

    #[test]
    fn arrays_may_be_vectors() {
        const PAIR: Ty = Ty::Array(&F32, 2);
        for (ty, wanted) in [
            (F32, 4),
            (Ty::Array(&F32, 3), 4),
            (Ty::Array(&F32, 8), 32),
            (Ty::Array(&PAIR, 5), 8),
            (Ty::Struct(&COMPLEX64), 16),
            (Ty::Struct(&F16), 2),
            (Ty::Struct(&LINE), 8),
        ] {
            assert_eq!(widest(&ty), wanted, "{ty:?}");
        }
    }

    #[test]
    fn of_what_is_not_understood_nothing_is_said() {
        for text in [
            "",
            "struct l { __global float *p; };",
            "struct l { REAL m; };",
            "struct l { int a : 3; };",
            "struct l { char m; } __attribute__((packed));",
            "struct l { float m",
            "struct l { struct l l; };",
        ] {
            assert_eq!(of_line(text, "struct l"), None, "{text}");
        }
    }
}
