//! What names of types mean in a text of OpenCL C: compilers keep the names that arguments' types are written
//! with, not what is behind them. It reads what people write by hand; of a name that is defined in other
//! ways, several times, under a condition or with the help of macros, it says nothing. It knows no types
//! of Rust.

use super::signature::{spelling, vector};

/// What a type of C is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// A scalar or vector, in one spelling.
    Plain(String),
    /// A structure.
    Structure(Layout),
}

/// Where the scalars of a type are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Layout {
    pub(super) size: usize,
    pub(super) align: usize,
    /// Where each scalar is, what it is, and the name of the field.
    pub(super) parts: Vec<(usize, String, String)>,
}

/// How deep names are followed.
const DEPTH: usize = 8;

/// Size and alignment of a scalar.
pub(super) fn scalar(name: &str) -> Option<usize> {
    match name {
        "char" | "uchar" => Some(1),
        "short" | "ushort" | "half" => Some(2),
        "int" | "uint" | "float" => Some(4),
        "long" | "ulong" | "double" => Some(8),
        _ => None,
    }
}

/// The layout of a scalar or vector.
pub(super) fn plain(name: &str) -> Option<Layout> {
    if let Some(size) = scalar(name) {
        let parts = vec![(0, name.to_owned(), String::new())];
        return Some(Layout { size, align: size, parts });
    }
    let (elem, n) = vector(name)?;
    let (one, n) = (scalar(elem)?, n.parse::<usize>().ok()?);
    let size = one * if n == 3 { 4 } else { n };
    let parts = (0..n).map(|k| (k * one, elem.to_owned(), String::new())).collect();
    Some(Layout { size, align: size, parts })
}

/// A text as its words.
#[derive(Debug)]
pub(super) struct Text<'t> {
    words: Vec<&'t str>,
    /// For each word whether it may not be there, or mean something else: under a condition, and behind
    /// another packing of structures.
    unsure: Vec<bool>,
    /// The names of macros.
    macros: Vec<&'t str>,
}

/// The length of a line that a backslash at its end continues.
fn line(text: &str) -> usize {
    let mut end = 0;
    while let Some(more) = text[end..].find('\n') {
        end += more;
        if !text[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        end += 1;
    }
    text.len()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'t> Text<'t> {
    /// A text, and the options that it is compiled with.
    pub(super) fn new(text: &'t str, options: &'t str) -> Self {
        let mut all = Self { words: Vec::new(), unsure: Vec::new(), macros: Vec::new() };
        let mut options = options.split_whitespace();
        while let Some(option) = options.next() {
            let Some(name) = option.strip_prefix("-D") else { continue };
            let name = if name.is_empty() { options.next().unwrap_or("") } else { name };
            all.macros.push(name.split(|c| !is_part(c)).next().unwrap_or(""));
        }
        let (mut rest, mut conditions, mut is_packed) = (text, 0_usize, false);
        while let Some(first) = rest.chars().next() {
            let skipped = if rest.starts_with('#') {
                let end = line(rest);
                let mut words = rest[1..end].split(|c| !is_part(c)).filter(|w| !w.is_empty());
                match words.next() {
                    Some("if" | "ifdef" | "ifndef") => conditions += 1,
                    Some("endif") => conditions = conditions.saturating_sub(1),
                    Some("define") => all.macros.extend(words.next()),
                    Some("pragma") => is_packed |= words.next() == Some("pack"),
                    _ => {}
                }
                end
            } else if rest.starts_with("//") {
                line(rest)
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else if first.is_whitespace() {
                first.len_utf8()
            } else {
                let end = match is_part(first) {
                    true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
                    false => first.len_utf8(),
                };
                all.words.push(&rest[..end]);
                all.unsure.push(conditions > 0 || is_packed);
                end
            };
            rest = &rest[skipped..];
        }
        all
    }

    /// What a type is, by its name as arguments have it.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.named(name, 0)
    }

    fn named(&self, name: &str, depth: usize) -> Option<Meaning> {
        let name = spelling(name);
        if depth > DEPTH || name.split(' ').any(|word| self.macros.contains(&word)) {
            return None;
        }
        if plain(&name).is_some() {
            return Some(Meaning::Plain(name));
        }
        if let Some(tag) = name.strip_prefix("struct ") {
            let opens = self.words.windows(3).enumerate();
            let at = only(opens.filter(|(_, w)| *w == ["struct", tag, "{"]).map(|(at, _)| at))?;
            return self.body(at + 2, depth).map(|(layout, _)| Meaning::Structure(layout));
        }
        let (from, to) = self.typedef(&name)?;
        let of = &self.words[from..to];
        match of {
            ["struct", tag] => self.named(&format!("struct {tag}"), depth + 1),
            ["struct", "{", ..] | ["struct", _, "{", ..] => {
                let open = from + if of[1] == "{" { 1 } else { 2 };
                let (layout, close) = self.body(open, depth)?;
                (close + 1 == to).then_some(Meaning::Structure(layout))
            }
            _ if of.iter().all(|word| word.chars().all(is_part)) => {
                self.named(&of.join(" "), depth + 1)
            }
            _ => None,
        }
    }

    /// What is written between `typedef` and a name that it defines: the words from one to the other.
    fn typedef(&self, name: &str) -> Option<(usize, usize)> {
        let words = &self.words;
        let all = (0..words.len()).filter(|&at| words[at] == "typedef");
        let (from, end) = only(all.filter_map(|at| {
            let (mut depth, mut is_defined) = (0_usize, false);
            let mut end = at + 1;
            while let Some(word) = words.get(end) {
                match *word {
                    "{" => depth += 1,
                    "}" => depth = depth.saturating_sub(1),
                    ";" if depth == 0 => break,
                    // The first word is a type.
                    word if word == name && depth == 0 && end > at + 1 => {
                        let next = words.get(end + 1).copied().unwrap_or("");
                        is_defined |=
                            !next.chars().all(is_part) && next != "*" || next == "__attribute__";
                    }
                    _ => {}
                }
                end += 1;
            }
            is_defined.then_some((at + 1, end))
        }))?;
        let is_sure = !self.unsure[from - 1..end].contains(&true);
        (is_sure && end > from && words[end - 1] == name).then_some((from, end - 1))
    }

    /// The fields from an opening brace to the closing one, behind which there is a name or the end.
    fn body(&self, open: usize, depth: usize) -> Option<(Layout, usize)> {
        let mut all = Layout { align: 1, ..Layout::default() };
        let mut at = open + 1;
        while *self.words.get(at)? != "}" {
            let end = at + self.words[at..].iter().position(|word| *word == ";")?;
            self.field(&self.words[at..end], &mut all, depth)?;
            at = end + 1;
        }
        if self.unsure[open..=at].contains(&true)
            || *self.words.get(at + 1)? != ";" && self.words.get(at + 2) != Some(&";")
        {
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
                ty = Some(match self.named(&of.join(" "), depth + 1)? {
                    Meaning::Plain(name) => plain(&name)?,
                    Meaning::Structure(layout) => layout,
                });
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

/// The one thing that there is.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_of(text: &str, name: &str) -> Option<String> {
        match Text::new(text, "").meaning(name)? {
            Meaning::Plain(plain) => Some(plain),
            Meaning::Structure(_) => None,
        }
    }

    fn size_of(text: &str, name: &str) -> Option<usize> {
        match Text::new(text, "").meaning(name)? {
            Meaning::Plain(_) => None,
            Meaning::Structure(layout) => Some(layout.size),
        }
    }

    #[test]
    fn names_are_followed_to_scalars_and_vectors() {
        for (text, name, wanted) in [
            ("", "const unsigned int", "uint"),
            ("typedef float real;", "real", "float"),
            ("typedef float real; typedef real scalar;", "scalar*", "float"),
            ("typedef unsigned int index;\ntypedef const double real;", "index", "uint"),
            ("typedef float4 vec4; // typedef int4 vec4;", "vec4", "float4"),
            // A condition that is over, and a line that goes on.
            (
                "#ifdef FP64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n\
                 #define TWO \\\n typedef int real;\ntypedef float real;",
                "real",
                "float",
            ),
        ] {
            assert_eq!(plain_of(text, name).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn structures_have_a_layout() {
        for (text, name) in [
            ("struct p { float x, y; };", "struct p*"),
            ("typedef struct p { float x, y; } q;", "q"),
            ("typedef struct { float x, y; } q;", "const q"),
            ("typedef struct p q; struct p { float x[2]; };", "q"),
            ("typedef float real; struct p { real x; real y; };", "struct p"),
            ("typedef struct { float2 x; } a; typedef a b;", "b"),
        ] {
            assert_eq!(size_of(text, name), Some(8), "{text}");
        }
    }

    #[test]
    fn of_what_is_not_sure_nothing_is_said() {
        for (text, name) in [
            ("", "real"),
            ("#define real float", "real"),
            ("#ifdef D\ntypedef double real;\n#else\ntypedef float real;\n#endif", "real"),
            ("#ifdef D\ntypedef double real;\n#endif", "real"),
            ("typedef float real; typedef float real;", "real"),
            ("typedef float real, other;", "real"),
            ("typedef float real __attribute__((aligned(16)));", "real"),
            ("typedef float real[4];", "real"),
            ("typedef float *real;", "real"),
            ("typedef enum { A, B } real;", "real"),
            ("typedef union { float x; int y; } real;", "real"),
            ("typedef real real2; typedef real2 real;", "real"),
            ("#define float double\nstruct p { float x; };", "struct p"),
            ("#pragma pack(1)\nstruct p { char c; float x; };", "struct p"),
            ("#if A\nstruct p { float x; };\n#endif", "struct p"),
            ("struct p { float x;\n#if A\n float y;\n#endif\n};", "struct p"),
            ("struct p { float x; }; struct p { float y; };", "struct p"),
            ("struct p { float x; } __attribute__((packed));", "struct p"),
            ("struct p { float x", "struct p"),
            ("typedef", "p"),
        ] {
            assert_eq!(Text::new(text, "").meaning(name), None, "{text}");
        }
        for options in ["-Dreal=double", "-D real", "-w -Dreal"] {
            assert_eq!(Text::new("typedef float real;", options).meaning("real"), None);
        }
    }
}
