//! Types of C for those of a kernel: structures with the layout that rustc recorded, and small arrays in
//! structures of their own, so that they are values. It writes no function.

use std::fmt::Write as _;

use super::dialect::Dialect;
use super::names::Names;
use crate::ty::{FieldTy, ScalarTy, StructTy, Ty};

/// The types of a text.
#[derive(Debug, Default)]
pub(super) struct Types {
    known: Vec<(Ty, String)>,
    text: String,
}

impl Types {
    /// Their declarations.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The name of a type, which is declared where it has to be; of what has no type in C, why not.
    pub(super) fn name(
        &mut self,
        ty: &Ty,
        dialect: &dyn Dialect,
        names: &mut Names,
    ) -> Result<String, String> {
        if let Some((_, name)) = self.known.iter().find(|(known, _)| known == ty) {
            return Ok(name.clone());
        }
        let name = match ty {
            Ty::Unit => return Ok("void".to_owned()),
            Ty::Scalar(scalar) => return Ok(dialect.scalar(*scalar).to_owned()),
            Ty::Struct(layout) => {
                let members = self.members(layout, dialect, names)?;
                let name = names.value(layout.name);
                let _ = write!(self.text, "typedef struct {{\n{members}}} {name};\n");
                name
            }
            Ty::Array(elem, len) => {
                if ty.size() == 0 {
                    return Err("an array of no bytes".to_owned());
                }
                let inner = self.name(elem, dialect, names)?;
                let mut name = format!("flash_{}x{len}", stem(elem));
                // Structures of one name in different modules.
                while self.known.iter().any(|(_, known)| *known == name) {
                    name.push('_');
                }
                let _ = writeln!(self.text, "typedef struct {{ {inner} v[{len}]; }} {name};");
                name
            }
        };
        self.known.push((*ty, name.clone()));
        Ok(name)
    }

    /// The members of a structure, with the bytes between them where C would not leave them.
    fn members(
        &mut self,
        layout: &StructTy,
        dialect: &dyn Dialect,
        names: &mut Names,
    ) -> Result<String, String> {
        let refused = |why: &str| Err(format!("structure `{}`, {why}", layout.name));
        if layout.size == 0 {
            return refused("which has no bytes");
        }
        let (mut text, mut end, mut widest, mut gaps) = (String::new(), 0, 1, 0);
        let mut gap = |text: &mut String, bytes: usize| {
            let byte = dialect.scalar(ScalarTy::U8);
            let _ = writeln!(text, "    {byte} flash_gap{gaps}[{bytes}];");
            gaps += 1;
        };
        for field in layout.fields {
            let align = align(&field.ty);
            widest = widest.max(align);
            let natural = usize::next_multiple_of(end, align);
            if field.offset < natural || !field.offset.is_multiple_of(align) {
                return refused("whose layout C does not have");
            }
            if field.offset > natural {
                gap(&mut text, field.offset - end);
            }
            let ty = self.name(&field.ty, dialect, names)?;
            let _ = writeln!(text, "    {ty} {};", member(layout, field));
            end = field.offset + field.ty.size();
        }
        let natural = usize::next_multiple_of(end, widest);
        // What Rust aligns to more than C does has the same members at the same places.
        if layout.align < widest || layout.size < natural || !layout.size.is_multiple_of(widest) {
            return refused("whose layout C does not have");
        }
        if layout.size > natural {
            gap(&mut text, layout.size - end);
        }
        Ok(text)
    }
}

/// The name of a field in C.
pub(super) fn member(layout: &StructTy, field: &FieldTy) -> String {
    let mut names = Names::default();
    let mut found = String::new();
    for known in layout.fields {
        let name = names.value(known.name);
        if known.name == field.name {
            found = name;
        }
    }
    found
}

/// Alignment in C.
fn align(ty: &Ty) -> usize {
    match ty {
        Ty::Unit => 1,
        Ty::Scalar(scalar) => scalar.size(),
        Ty::Struct(layout) => layout.fields.iter().map(|field| align(&field.ty)).max().unwrap_or(1),
        Ty::Array(elem, _) => align(elem),
    }
}

/// A type as part of a name.
fn stem(ty: &Ty) -> String {
    match ty {
        Ty::Unit => "unit".to_owned(),
        Ty::Scalar(scalar) => scalar.name().to_owned(),
        Ty::Struct(layout) => layout.name.chars().filter(char::is_ascii_alphanumeric).collect(),
        Ty::Array(elem, len) => format!("{}x{len}", stem(elem)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::opencl::OpenCl;

    #[test]
    fn bytes_that_c_would_not_leave_are_members() {
        const BYTE: Ty = Ty::Scalar(ScalarTy::U8);
        const PADDED: StructTy = StructTy {
            name: "Padded",
            size: 8,
            align: 1,
            fields: &[
                FieldTy { name: "local", offset: 0, ty: BYTE },
                FieldTy { name: "b", offset: 4, ty: Ty::Array(&BYTE, 2) },
            ],
        };
        let mut types = Types::default();
        let mut names = Names::default();
        let name = types.name(&Ty::Struct(&PADDED), &OpenCl, &mut names);
        assert_eq!(name.as_deref(), Ok("Padded"));
        let want = "typedef struct { uchar v[2]; } flash_u8x2;
typedef struct {
    uchar local_;
    uchar flash_gap0[3];
    flash_u8x2 b;
    uchar flash_gap1[2];
} Padded;
";
        assert_eq!(types.text(), want);
        assert!(types.name(&Ty::Array(&BYTE, 0), &OpenCl, &mut names).is_err());
    }

    #[test]
    fn more_alignment_than_c_has_changes_no_place() {
        const WORD: Ty = Ty::Scalar(ScalarTy::U32);
        const QUAD: StructTy = StructTy {
            name: "Quad",
            size: 16,
            align: 16,
            fields: &[FieldTy { name: "v", offset: 0, ty: Ty::Array(&WORD, 4) }],
        };
        const BOTH: StructTy = StructTy {
            name: "Both",
            size: 32,
            align: 16,
            fields: &[
                FieldTy { name: "a", offset: 0, ty: WORD },
                FieldTy { name: "four", offset: 16, ty: Ty::Struct(&QUAD) },
            ],
        };
        let mut types = Types::default();
        let name = types.name(&Ty::Struct(&BOTH), &OpenCl, &mut Names::default());
        assert_eq!(name.as_deref(), Ok("Both"));
        let want = "typedef struct { uint v[4]; } flash_u32x4;
typedef struct {
    flash_u32x4 v;
} Quad;
typedef struct {
    uint a;
    uchar flash_gap0[12];
    Quad four;
} Both;
";
        assert_eq!(types.text(), want);
    }
}
