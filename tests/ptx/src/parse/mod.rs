//! From tokens to a tree: the declarations of a module.
//!
//! Names are not looked up.

mod body;
mod data;

use crate::ParseError;
use crate::lex::{Placed, Token, tokens};
use crate::syntax::{Function, Tree, Where};

/// Reads a text.
pub(crate) fn parse(text: &str) -> Result<Tree<'_>> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let mut tree = Tree::default();
    while let Some(placed) = parser.tokens.get(parser.at).copied() {
        parser.top_level(placed, &mut tree)?;
    }
    Ok(tree)
}

/// Tokens, and how many of them are read.
struct Parser<'a> {
    tokens: Vec<Placed<'a>>,
    at: usize,
}

/// What may stand before a declaration.
#[derive(Clone, Copy, Default)]
struct Linkage {
    external: bool,
}

type Result<T> = std::result::Result<T, ParseError>;

impl<'a> Parser<'a> {
    fn top_level(&mut self, placed: Placed<'a>, tree: &mut Tree<'a>) -> Result<()> {
        let mut linkage = Linkage::default();
        loop {
            match self.peek() {
                Some(Token::Word(".visible" | ".weak" | ".common")) => self.at += 1,
                Some(Token::Word(".extern")) => {
                    linkage.external = true;
                    self.at += 1;
                }
                _ => break,
            }
        }
        let Some(Token::Word(directive)) = self.next() else {
            return Err(self.wrong("a directive", placed));
        };
        match directive {
            ".version" => {
                let (major, minor) = self.version()?;
                tree.version = (major, minor);
            }
            ".target" => {
                tree.target = self.word("a target")?;
                while self.take(',') {
                    self.word("an option of the target")?;
                }
            }
            ".address_size" => {
                if self.int("64")? != 64 {
                    return Err(ParseError {
                        line: placed.line,
                        what: "addresses have 64 bits here, no other size is taken".to_owned(),
                    });
                }
            }
            ".file" => {
                self.next();
                self.next();
                while self.take(',') {
                    self.next();
                }
            }
            ".section" => self.section()?,
            ".pragma" => self.skip_to(';'),
            ".alias" => {
                let name = self.word("a name")?;
                self.expect(',')?;
                let of = self.word("the name of a function")?;
                self.expect(';')?;
                tree.aliases.push((name, of));
            }
            ".entry" | ".func" => {
                let function = self.function(directive == ".entry")?;
                tree.functions.push(function);
            }
            ".global" => self.variables(Where::Global, linkage, &mut tree.variables)?,
            ".const" => self.variables(Where::Const, linkage, &mut tree.variables)?,
            ".shared" => self.variables(Where::Shared, linkage, &mut tree.variables)?,
            _ => return Err(self.wrong("a directive of a module", placed)),
        }
        Ok(())
    }

    /// `9.0`, which is read as a number.
    fn version(&mut self) -> Result<(u32, u32)> {
        let at = self.here();
        match self.next() {
            Some(Token::Double(bits)) => {
                let tenths = (f64::from_bits(bits) * 10.0).round() as u32;
                Ok((tenths / 10, tenths % 10))
            }
            Some(Token::Int(major)) => Ok((major as u32, 0)),
            _ => Err(self.wrong("a version", at)),
        }
    }

    fn function(&mut self, entry: bool) -> Result<Function<'a>> {
        let results = if !entry && self.is('(') { self.params()? } else { Vec::new() };
        let name = self.word("the name of a function")?;
        let params = if self.is('(') { self.params()? } else { Vec::new() };
        let mut function = Function {
            name,
            entry,
            results,
            params,
            max_threads: None,
            required_threads: None,
            min_blocks: None,
            body: None,
        };
        loop {
            let at = self.here();
            match self.next() {
                Some(Token::Sign(';')) => return Ok(function),
                Some(Token::Sign('{')) => {
                    function.body = Some(self.body()?);
                    return Ok(function);
                }
                Some(Token::Word(".maxntid")) => function.max_threads = Some(self.extents()?),
                Some(Token::Word(".reqntid")) => function.required_threads = Some(self.extents()?),
                Some(Token::Word(".minnctapersm")) => {
                    function.min_blocks = Some(self.int("a number of blocks")? as u32);
                }
                Some(Token::Word(".pragma")) => self.skip_to(';'),
                Some(Token::Word(word)) if word.starts_with('.') => {
                    // `.noreturn`, `.maxnreg 32`, `.reqnctapercluster 1, 1, 1` and others.
                    while let Some(Token::Int(_)) = self.peek() {
                        self.at += 1;
                        self.take(',');
                    }
                }
                _ => return Err(self.wrong("the body of a function, or `;`", at)),
            }
        }
    }

    fn extents(&mut self) -> Result<[u32; 3]> {
        let mut extents = [1; 3];
        for extent in &mut extents {
            *extent = self.int("a number of threads")? as u32;
            if !self.take(',') {
                break;
            }
        }
        Ok(extents)
    }

    /// What debuggers read.
    fn section(&mut self) -> Result<()> {
        self.next();
        self.expect('{')?;
        self.skip_to('}');
        Ok(())
    }

    // Tokens.

    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).map(|placed| placed.token)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// Where the next token is; at the end, where the last one is.
    fn here(&self) -> Placed<'a> {
        let end = Placed { token: Token::Sign(' '), line: 1, start: 0 };
        self.tokens.get(self.at).or(self.tokens.last()).copied().unwrap_or(end)
    }

    fn is(&self, sign: char) -> bool {
        self.peek() == Some(Token::Sign(sign))
    }

    fn take(&mut self, sign: char) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Result<()> {
        if self.take(sign) { Ok(()) } else { Err(self.wrong(&format!("`{sign}`"), self.here())) }
    }

    fn skip_to(&mut self, sign: char) {
        while let Some(token) = self.next() {
            if token == Token::Sign(sign) {
                break;
            }
        }
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        let at = self.here();
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            _ => Err(self.wrong(what, at)),
        }
    }

    fn int(&mut self, what: &str) -> Result<u64> {
        let at = self.here();
        match self.next() {
            Some(Token::Int(value)) => Ok(value),
            _ => Err(self.wrong(what, at)),
        }
    }

    fn wrong(&self, expected: &str, at: Placed<'a>) -> ParseError {
        let found = match at.token {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Single(_) | Token::Double(_) => "a floating point number".to_owned(),
            Token::Text(text) => format!("\"{text}\""),
            Token::Sign(' ') => "nothing".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
        };
        ParseError { line: at.line, what: format!("expected {expected}, found {found}") }
    }
}
