//! Texts of PTX: their heads, their functions with parameters, their globals. Instructions are not
//! looked at; the driver compiles them.

use super::{Arch, Damage, Entry, Global, Metadata, Param};

/// Whether a file begins as a text of PTX does: its version comes first, behind comments.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let text = String::from_utf8_lossy(start);
    matches!(Tokens::new(&text).next(), Some(".version"))
}

/// Words and signs of a text, without comments.
struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text }
    }

    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = comment.find('\n').map_or("", |end| &comment[end..]);
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
            } else {
                return;
            }
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        self.skip();
        let first = self.rest.chars().next()?;
        let len = match first {
            '"' => self.rest[1..].find('"').map_or(self.rest.len(), |end| end + 2),
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '=' => 1,
            _ => {
                let ends = |c: char| c.is_whitespace() || "()[]{},;=\"".contains(c);
                self.rest.find(ends).unwrap_or(self.rest.len())
            }
        };
        let (token, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some(token)
    }
}

/// The bytes of a type.
fn size(ty: &str) -> Option<usize> {
    let digits = ty.trim_start_matches(|c: char| c == '.' || c.is_ascii_lowercase());
    let kind = &ty[..ty.len() - digits.len()];
    let is_known = matches!(kind, ".b" | ".u" | ".s" | ".f" | ".bf");
    let bits: usize = digits.parse().ok()?;
    (is_known && matches!(bits, 8 | 16 | 32 | 64 | 128)).then_some(bits / 8)
}

/// A variable: what it is called, its bytes, and what its address is a multiple of.
struct Variable<'t> {
    name: &'t str,
    bytes: usize,
    align: usize,
}

impl<'t> Variable<'t> {
    /// What these tokens declare.
    fn read(tokens: &[&'t str]) -> Option<Self> {
        let (mut align, mut element, mut name, mut count) = (None, None, None, 1_usize);
        let (mut tokens, mut is_pointer) = (tokens.iter(), false);
        while let Some(&token) = tokens.next() {
            match token {
                // Its own words are in parentheses, and may have some.
                ".attribute" => {
                    let mut depth = 0;
                    let _ = tokens.find(|token| {
                        depth += i32::from(**token == "(") - i32::from(**token == ")");
                        depth == 0
                    });
                }
                // What a pointer points to has an alignment of its own.
                ".ptr" => is_pointer = true,
                ".align" => {
                    let said = tokens.next()?.parse().ok()?;
                    if !is_pointer {
                        align = Some(said);
                    }
                }
                "[" => {
                    let n = *tokens.next()?;
                    let n: usize = if n == "]" { 0 } else { n.parse().ok()? };
                    count = count.checked_mul(n)?;
                }
                "]" => {}
                ".v2" => count = count.checked_mul(2)?,
                ".v4" => count = count.checked_mul(4)?,
                "=" => break,
                _ if token.starts_with('.') => element = element.or_else(|| size(token)),
                _ => name = name.or(Some(token)),
            }
        }
        let element = element?;
        let align = align.unwrap_or(element);
        let (name, bytes) = (name?, element.checked_mul(count)?);
        usize::is_power_of_two(align).then_some(Self { name, bytes, align })
    }
}

/// What a text has.
pub(super) fn read(text: &str) -> Result<Metadata, Damage> {
    if !begins(text.as_bytes()) {
        return Err(Damage::NotThat("text of PTX"));
    }
    let text = text.trim_end_matches('\0');
    let mut tokens = Tokens::new(text);
    let (mut ptx, mut arch) = (None, None);
    let (mut entries, mut globals) = (Vec::new(), Vec::new());
    // What was read since the last declaration ended.
    let mut words: Vec<&str> = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            ".version" => ptx = tokens.next().and_then(version),
            ".target" => {
                arch = tokens.next().and_then(|text| Arch::parse(text.strip_prefix("sm_")?))
            }
            ".entry" => {
                entries.push(entry(&mut tokens)?);
                words.clear();
            }
            "{" => {
                // A list of values belongs to what it initialises.
                if !body(&mut tokens) {
                    return Err(Damage::Short("functions"));
                }
                if !words.contains(&"=") {
                    words.clear();
                }
            }
            ";" => {
                globals.extend(global(&words));
                words.clear();
            }
            ".address_size" => _ = tokens.next(),
            _ => words.push(token),
        }
    }
    let ptx = ptx.ok_or(Damage::Odd("version"))?;
    let arch = arch.ok_or(Damage::Odd("target"))?;
    Ok(Metadata { arch, ptx: Some(ptx), entries, globals })
}

fn version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Skips what is in braces; whether they end.
fn body(tokens: &mut Tokens<'_>) -> bool {
    let mut depth = 1;
    for token in tokens {
        match token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return true;
        }
    }
    false
}

/// A function behind its `.entry`.
fn entry(tokens: &mut Tokens<'_>) -> Result<Entry, Damage> {
    let short = Damage::Short("functions");
    let name = tokens.next().ok_or(short.clone())?.to_owned();
    let mut entry = Entry { name, ..Entry::default() };
    let (mut end, mut param) = (0, Vec::new());
    let mut head = tokens.next().ok_or(short.clone())?;
    if head == "(" {
        loop {
            let token = tokens.next().ok_or(short.clone())?;
            if !matches!(token, "," | ")") {
                param.push(token);
                continue;
            }
            if !param.is_empty() {
                let read = Variable::read(&param).ok_or(Damage::Odd("list of parameters"))?;
                let offset = usize::next_multiple_of(end, read.align);
                end = offset.checked_add(read.bytes).ok_or(Damage::Odd("list of parameters"))?;
                entry.params.push(Param { bytes: read.bytes, offset });
                param.clear();
            }
            if token == ")" {
                break;
            }
        }
        head = tokens.next().ok_or(short.clone())?;
    }
    loop {
        match head {
            "{" if body(tokens) => return Ok(entry),
            "{" => return Err(short),
            // Only declared.
            ";" => return Ok(entry),
            ".maxntid" | ".reqntid" => {
                let (threads, next) = three(tokens);
                let said =
                    if head == ".maxntid" { &mut entry.max_threads } else { &mut entry.required };
                *said = Some(threads);
                head = next.ok_or(short.clone())?;
            }
            _ => head = tokens.next().ok_or(short.clone())?,
        }
    }
}

/// One to three numbers with commas, and what comes behind.
fn three<'t>(tokens: &mut Tokens<'t>) -> ([u32; 3], Option<&'t str>) {
    let mut all = [1; 3];
    for extent in &mut all {
        let Some(token) = tokens.next() else { return (all, None) };
        let Ok(n) = token.parse() else { return (all, Some(token)) };
        *extent = n;
        match tokens.next() {
            Some(",") => {}
            other => return (all, other),
        }
    }
    (all, tokens.next())
}

/// A variable of the module that these words declare, if they declare one.
fn global(words: &[&str]) -> Option<Global> {
    let at = words.iter().position(|word| matches!(*word, ".const" | ".global"))?;
    let is_here = !words[..at].contains(&".extern");
    let read = Variable::read(&words[at + 1..]).filter(|_| is_here)?;
    Some(Global { name: read.name.to_owned(), bytes: read.bytes as u64 })
}
