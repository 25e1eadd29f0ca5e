//! `--arg`: what is passed to a kernel, as it is written in the shell. It makes no arrays.

use std::path::PathBuf;

use super::element::{Element, Number};

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) element: Element,
    pub(super) what: What,
}

/// What is passed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// The bytes of a value.
    Value(Vec<u8>),
    /// An array of a shape, the last dimension fastest.
    Array(Use, Vec<usize>, Fill),
}

/// What the kernel does with an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    In,
    InOut,
    Out,
}

/// What an array holds before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    Zeros,
    Ones,
    /// 0, 1, 2 and so on.
    Iota,
    Random,
    File(PathBuf),
}

/// How an argument is written.
pub(super) const FORMS: &str = "`a=f32:2.0` for a value, `x=f32[1024]:random` for an array that is read \
     (or `zeros`, `ones`, `iota`, `@file.bin`), `io:y=f32[1024]:ones` for one that is read and written, \
     `out:y=f32[1024]` for one that is written";

/// The most dimensions of an array.
const MOST_RANK: usize = 4;

impl Argument {
    /// An argument as it is written; else what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let of = |why: String| format!("--arg {text}: {why}");
        Self::read(text).map_err(of)
    }

    fn read(text: &str) -> Result<Self, String> {
        let (head, rest) =
            text.split_once('=').ok_or_else(|| format!("there is no `=`; write {FORMS}"))?;
        let (role, name) = match head.split_once(':') {
            None => (Use::In, head),
            Some(("in", name)) => (Use::In, name),
            Some(("io", name)) => (Use::InOut, name),
            Some(("out", name)) => (Use::Out, name),
            Some((role, _)) => {
                return Err(format!("`{role}:` is none of `in:`, `io:` and `out:`"));
            }
        };
        if name.is_empty() {
            return Err("it has no name before the `=`".to_owned());
        }
        let (ty, content) = match rest.split_once(':') {
            Some((ty, content)) => (ty, Some(content)),
            None => (rest, None),
        };
        let (element, shape) = match ty.split_once('[') {
            None => (Element::parse(ty)?, None),
            Some((element, shape)) => {
                let shape = shape.strip_suffix(']').ok_or("there is no `]` after the shape")?;
                (Element::parse(element)?, Some(self::shape(shape)?))
            }
        };
        let what = match (shape, content) {
            (None, _) if head.contains(':') => {
                return Err(format!(
                    "`{ty}` is a value, which is only read; an array has a shape, as `{ty}[1024]`"
                ));
            }
            (None, None) => return Err(format!("it has no value; write `{name}={ty}:1`")),
            (None, Some(value)) => What::Value(values(value, element)?),
            (Some(shape), content) => What::Array(role, shape, fill(role, content)?),
        };
        Ok(Self { name: name.to_owned(), element, what })
    }
}

/// `1024` or `16,64`.
fn shape(text: &str) -> Result<Vec<usize>, String> {
    let extents = extents(text).ok_or_else(|| {
        format!(
            "`[{text}]` is no shape; write `[1024]`, or `[16,64]` with the last dimension fastest"
        )
    })?;
    if extents.len() > MOST_RANK {
        return Err(format!("`[{text}]` has more than {MOST_RANK} dimensions"));
    }
    Ok(extents)
}

/// Numbers above zero, with commas between them.
pub(super) fn extents(text: &str) -> Option<Vec<usize>> {
    let one = |part: &str| part.trim().replace('_', "").parse().ok().filter(|n| *n > 0);
    text.split(',').map(one).collect()
}

/// A number, or one for each lane.
fn values(text: &str, element: Element) -> Result<Vec<u8>, String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != element.lanes && parts.len() != 1 {
        return Err(format!(
            "`{text}` has {} numbers, and {element} has {}",
            parts.len(),
            element.lanes
        ));
    }
    let mut bytes = Vec::with_capacity(element.size());
    for lane in 0..element.lanes {
        bytes.extend(Number::parse(parts[lane.min(parts.len() - 1)], element.scalar)?);
    }
    Ok(bytes)
}

fn fill(role: Use, content: Option<&str>) -> Result<Fill, String> {
    let fill = match content {
        None if role == Use::Out => return Ok(Fill::Zeros),
        None => {
            return Err(
                "nothing says what it holds; add `:random`, `:zeros`, `:ones`, `:iota` or \
                        `:@file.bin`"
                    .to_owned(),
            );
        }
        Some("zeros") => Fill::Zeros,
        Some("ones") => Fill::Ones,
        Some("iota") => Fill::Iota,
        Some("random") => Fill::Random,
        Some(file) if file.len() > 1 && file.starts_with('@') => Fill::File(file[1..].into()),
        Some(other) => {
            return Err(format!(
                "`{other}` is none of `random`, `zeros`, `ones`, `iota` and `@file.bin`"
            ));
        }
    };
    match role {
        Use::Out => {
            Err("what is only written holds nothing before; write `io:` if the kernel reads \
                         it, or leave out what stands behind the shape"
                .to_owned())
        }
        _ => Ok(fill),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let array = |text: &str| match Argument::parse(text).unwrap().what {
            What::Array(role, shape, fill) => (role, shape, fill),
            What::Value(_) => panic!("{text} is a value"),
        };
        assert_eq!(array("x=f32[1024]:random"), (Use::In, vec![1024], Fill::Random));
        assert_eq!(array("in:x=u8[4,2]:ones"), (Use::In, vec![4, 2], Fill::Ones));
        assert_eq!(array("io:y=f64[1_000]:iota"), (Use::InOut, vec![1000], Fill::Iota));
        assert_eq!(array("out:y=i32[8]"), (Use::Out, vec![8], Fill::Zeros));
        let file = Fill::File("a:b=c.bin".into());
        assert_eq!(array("x=f32x4[8]:@a:b=c.bin"), (Use::In, vec![8], file));
        let value = |text: &str| Argument::parse(text).unwrap().what;
        assert_eq!(value("a=f32:2.0"), What::Value(2.0_f32.to_le_bytes().to_vec()));
        assert_eq!(value("n=i32:-1"), What::Value(vec![255; 4]));
        assert_eq!(value("v=u32x2:1,2"), What::Value(vec![1, 0, 0, 0, 2, 0, 0, 0]));
    }

    #[test]
    fn what_is_wrong_says_what_is_right() {
        for (text, hint) in [
            ("x", "write `a=f32:2.0`"),
            ("=f32:1", "no name"),
            ("x=f32", "write `x=f32:1`"),
            ("x=float:1", "`float` is no type"),
            ("x=u8:256", "no number of type u8"),
            ("x=f32[1024]", "add `:random`"),
            ("x=f32[1024:ones", "no `]`"),
            ("x=f32[0]:ones", "no shape"),
            ("x=f32[a]:ones", "no shape"),
            ("x=f32[1,1,1,1,1]:ones", "more than 4"),
            ("x=f32[8]:twos", "none of `random`"),
            ("x=f32[8]:@", "none of `random`"),
            ("out:y=f32[8]:ones", "write `io:`"),
            ("inout:y=f32[8]:ones", "none of `in:`"),
            ("out:y=f32:1", "an array has a shape"),
            ("v=f32x4:1,2", "2 numbers"),
        ] {
            let said = Argument::parse(text).unwrap_err();
            assert!(said.contains(hint) && said.starts_with("--arg"), "{said}");
        }
    }
}
