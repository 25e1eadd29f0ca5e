//! Structures as a text in OpenCL C defines them, compared with those of a declaration: compilers keep the
//! names of arguments' types, not their fields. It reads what people write by hand; where a definition is not
//! there, or has anything else in it (macros, pointers, bit fields, attributes), nothing is said of it.

use flash_ir::elements::{BF16, F16};
use flash_ir::{ScalarTy, Ty};

use super::signature::{c_name, spelling, vector};

/// A type of C.
#[derive(Clone, Debug, Default)]
struct Layout {
    size: usize,
    align: usize,
    /// Where each scalar is, what it is, and the name of the field.
    parts: Vec<(usize, String, String)>,
}

/// How a structure of a text differs from that of a parameter, if both are known and they do.
pub(super) fn difference(ty: &Ty, text: &str, name: &str) -> Option<String> {
    let theirs = Text::new(text).named(name, 0)?;
    let mut ours = Vec::new();
    parts(ty, 0, "", &mut ours);
    let whole = match ty {
        Ty::Struct(structure) => structure.name,
        _ => return None,
    };
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
    let bytes = |scalar: &str| Text::scalar(scalar).map_or(0, |(size, _)| size);
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

/// The scalars of a type: where they are, what they are in C, and the path to them.
fn parts(ty: &Ty, at: usize, path: &str, out: &mut Vec<(usize, String, String)>) {
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

/// A text as its words.
struct Text<'t> {
    words: Vec<&'t str>,
}

impl<'t> Text<'t> {
    fn new(text: &'t str) -> Self {
        let (mut words, mut rest) = (Vec::new(), text);
        while let Some(first) = rest.chars().next() {
            let skipped = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else if first.is_whitespace() {
                first.len_utf8()
            } else {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let end = match is_part(first) {
                    true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
                    false => first.len_utf8(),
                };
                words.push(&rest[..end]);
                end
            };
            rest = &rest[skipped..];
        }
        Self { words }
    }

    /// Size and alignment of a scalar.
    fn scalar(name: &str) -> Option<(usize, usize)> {
        let size = match name {
            "char" | "uchar" => 1,
            "short" | "ushort" | "half" => 2,
            "int" | "uint" | "float" => 4,
            "long" | "ulong" | "double" => 8,
            _ => return None,
        };
        Some((size, size))
    }

    /// A type by its name, as the fields or arguments of others have it.
    fn named(&self, name: &str, depth: usize) -> Option<Layout> {
        if depth > 8 {
            return None;
        }
        let name = spelling(name);
        if let Some((size, align)) = Self::scalar(&name) {
            return Some(Layout { size, align, parts: vec![(0, name, String::new())] });
        }
        if let Some((elem, n)) = vector(&name) {
            let (one, _) = Self::scalar(elem)?;
            let n: usize = n.parse().ok()?;
            let size = one * if n == 3 { 4 } else { n };
            let parts = (0..n).map(|k| (k * one, elem.to_owned(), String::new())).collect();
            return Some(Layout { size, align: size, parts });
        }
        let words = &self.words;
        match name.strip_prefix("struct ") {
            Some(tag) => {
                let at = words.windows(3).position(|w| w == ["struct", tag, "{"])?;
                self.body(at + 3, depth).map(|(layout, _)| layout)
            }
            None => (0..words.len()).filter(|&at| words[at] == "typedef").find_map(|at| {
                let at = at + 1;
                if *words.get(at)? != "struct" {
                    return None;
                }
                let open = at + 1 + usize::from(*words.get(at + 1)? != "{");
                if *words.get(open)? != "{" {
                    let is_it = *words.get(open)? == name && *words.get(open + 1)? == ";";
                    return is_it
                        .then(|| self.named(&format!("struct {}", words[at + 1]), depth + 1))?;
                }
                let close = open + words[open..].iter().position(|word| *word == "}")?;
                let is_it = *words.get(close + 1)? == name && *words.get(close + 2)? == ";";
                is_it.then(|| self.body(open + 1, depth))?.map(|(layout, _)| layout)
            }),
        }
    }

    /// The fields from a word on, up to the closing brace behind which there is a name or the end.
    fn body(&self, mut at: usize, depth: usize) -> Option<(Layout, usize)> {
        let mut all = Layout { align: 1, ..Layout::default() };
        while *self.words.get(at)? != "}" {
            let end = at + self.words[at..].iter().position(|word| *word == ";")?;
            self.field(&self.words[at..end], &mut all, depth)?;
            at = end + 1;
        }
        if !matches!(*self.words.get(at + 1)?, ";") && self.words.get(at + 2) != Some(&";") {
            return None;
        }
        all.size = all.size.next_multiple_of(all.align);
        Some((all, at))
    }

    /// Adds what one declaration declares.
    fn field(&self, words: &[&str], all: &mut Layout, depth: usize) -> Option<()> {
        let names = words.split(|word| *word == ",");
        let mut ty = None;
        for (k, declarator) in names.enumerate() {
            let brackets = declarator.iter().position(|word| *word == "[");
            let (before, dims) = declarator.split_at(brackets.unwrap_or(declarator.len()));
            if before.contains(&"*") {
                return None;
            }
            let (name, of) = before.split_last()?;
            if k == 0 {
                ty = Some(self.named(&of.join(" "), depth + 1)?);
            } else if !of.is_empty() {
                return None;
            }
            let one = ty.as_ref()?;
            let mut n = 1;
            for dim in dims.chunks(3) {
                let ["[", length, "]"] = dim else { return None };
                n *= length.parse::<usize>().ok()?;
            }
            let from = all.size.next_multiple_of(one.align);
            for k in 0..n {
                let parts = one.parts.iter();
                all.parts.extend(parts.map(|(at, scalar, _)| {
                    (from + k * one.size + at, scalar.clone(), (*name).to_owned())
                }));
            }
            all.size = from + n * one.size;
            all.align = all.align.max(one.align);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use flash_ir::{FieldTy, StructTy};

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
        difference(&Ty::Struct(&LINE), text, name)
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
