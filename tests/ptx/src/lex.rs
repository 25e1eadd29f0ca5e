//! Words, numbers and signs of a text, each with its line.
//!
//! What they mean is for the parser.

use crate::ParseError;

/// One word, number or sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A name, a register, a directive or an instruction with its suffixes.
    Word(&'a str),
    /// An integer.
    Int(u64),
    /// `0f`: the bits of a single.
    Single(u32),
    /// `0d` or decimal: the bits of a double.
    Double(u64),
    /// Text in quotes.
    Text(&'a str),
    /// Anything else.
    Sign(char),
}

/// A token and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub(crate) token: Token<'a>,
    /// Its line, counted from 1.
    pub(crate) line: u32,
    /// Its first byte.
    pub(crate) start: usize,
}

/// All tokens of a text.
pub(crate) fn tokens(text: &str) -> Result<Vec<Placed<'_>>, ParseError> {
    let bytes = text.as_bytes();
    let (mut at, mut line) = (0, 1);
    let mut found = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let start = at;
        let token = match byte {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0 => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let len = rest.windows(2).position(|pair| pair == b"*/");
                let len = len.ok_or_else(|| error(line, "a comment without an end"))? + 2;
                line += rest[..len].iter().filter(|&&b| b == b'\n').count() as u32;
                at += len;
                continue;
            }
            b'"' => {
                let len = rest[1..].iter().position(|&b| b == b'"');
                let len = len.ok_or_else(|| error(line, "a text without an end"))?;
                at += len + 2;
                Token::Text(&text[start + 1..start + 1 + len])
            }
            b'0'..=b'9' => {
                let (token, len) = number(&text[at..], line)?;
                at += len;
                token
            }
            _ if starts_word(byte) => {
                at += word(rest);
                Token::Word(&text[start..at])
            }
            _ => {
                let sign = text[at..].chars().next().unwrap_or('\0');
                at += sign.len_utf8();
                Token::Sign(sign)
            }
        };
        found.push(Placed { token, line, start });
    }
    Ok(found)
}

fn error(line: u32, what: &str) -> ParseError {
    ParseError { line, what: what.to_owned() }
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

/// The length of a word; `::` belongs to it, as in `.shared::cta`. A directive ends before the next
/// one, also in `.reg.b32`.
fn word(bytes: &[u8]) -> usize {
    let mut len = 1;
    while let Some(&byte) = bytes.get(len) {
        if byte == b'.' && bytes[0] == b'.' {
            break;
        }
        if starts_word(byte) && byte != b'%' || byte.is_ascii_digit() {
            len += 1;
        } else if bytes[len..].starts_with(b"::") {
            len += 2;
        } else {
            break;
        }
    }
    len
}

fn number(text: &str, line: u32) -> Result<(Token<'_>, usize), ParseError> {
    let len = text.bytes().take_while(|b| b.is_ascii_alphanumeric()).count();
    let digits = &text[..len];
    let wrong = || error(line, &format!("`{digits}` is no number"));
    let hex = |digits: &str| u64::from_str_radix(digits, 16).map_err(|_| wrong());
    let prefix = digits.get(..2).unwrap_or_default();
    let token = match prefix {
        "0f" | "0F" => Token::Single(hex(&digits[2..])? as u32),
        "0d" | "0D" => Token::Double(hex(&digits[2..])?),
        _ => {
            let decimal = text[len..].starts_with('.')
                && text.as_bytes().get(len + 1).is_some_and(u8::is_ascii_digit);
            let exponent = !prefix.eq_ignore_ascii_case("0x") && digits.contains(['e', 'E']);
            if decimal || exponent {
                return decimal_number(text, line);
            }
            let plain = digits.trim_end_matches('U');
            let (radix, from) = match prefix {
                "0x" | "0X" => (16, 2),
                "0b" | "0B" => (2, 2),
                _ if plain.len() > 1 && plain.starts_with('0') => (8, 1),
                _ => (10, 0),
            };
            Token::Int(u64::from_str_radix(&plain[from..], radix).map_err(|_| wrong())?)
        }
    };
    Ok((token, len))
}

fn decimal_number(text: &str, line: u32) -> Result<(Token<'_>, usize), ParseError> {
    let bytes = text.as_bytes();
    let mut len = 0;
    while let Some(&byte) = bytes.get(len) {
        let sign = matches!(byte, b'+' | b'-') && matches!(bytes[len - 1], b'e' | b'E');
        if !(byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E') || sign) {
            break;
        }
        len += 1;
    }
    let value: f64 = text[..len]
        .parse()
        .map_err(|_| error(line, &format!("`{}` is no number", &text[..len])))?;
    Ok((Token::Double(value.to_bits()), len))
}
