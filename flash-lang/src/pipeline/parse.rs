//! Tokens to statements: shape only, and it goes on after a mistake at the next `;` or block.
//! Rust inside the statements is cut out, not parsed.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::cells::{
    anchor, angle_end, bare, is_group, is_joint, is_punct, is_word, split_commas, stream,
};
use crate::diag::Diagnostics;
use crate::rules;

/// A pipeline as written.
#[derive(Debug)]
pub(super) struct Ast {
    pub(super) krate: Option<syn::Path>,
    pub(super) rt: Option<TokenStream>,
    pub(super) stmts: Vec<AstStmt>,
}

/// A statement as written.
#[derive(Debug)]
pub(super) enum AstStmt {
    Stage {
        /// `path::to.call` and `(..)`, `.sort_by` and `(..)`; one at least.
        calls: Vec<(Vec<TokenTree>, Group)>,
        space: Option<Group>,
    },
    For {
        span: Span,
        var: Ident,
        header: Vec<TokenTree>,
        body: Vec<AstStmt>,
    },
    Let {
        whole: Vec<TokenTree>,
    },
    Swap {
        name: Ident,
        args: Group,
    },
    If {
        span: Span,
        cond: Vec<TokenTree>,
        then: Vec<AstStmt>,
        /// Of `else`; an `else if` is the only statement in it.
        other: Vec<AstStmt>,
    },
    While {
        span: Span,
        cond: Vec<TokenTree>,
        /// What follows `, max`.
        max: Vec<TokenTree>,
        body: Vec<AstStmt>,
    },
    /// The body of something refused.
    Block(Vec<AstStmt>),
}

/// What starts a statement, for messages.
const STATEMENTS: &str = "expected `kernel(..)[space];`, `task(..);`, `for v in a..b { .. }`, \
                          `if cond { .. }`, `while cond, max n { .. }`, `let x = e;` or `swap(a, b);`";

pub(super) fn pipeline(tokens: TokenStream, diag: &mut Diagnostics) -> Ast {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut cursor = Cursor { trees: &trees, at: 0, end: Span::call_site() };
    let krate = option(&mut cursor, diag);
    let rt = runtime(&mut cursor, diag);
    let stmts = statements(&mut cursor, diag);
    Ast { krate, rt, stmts }
}

/// A place in a list of token trees.
struct Cursor<'t> {
    trees: &'t [TokenTree],
    at: usize,
    /// What to point at where the list ends.
    end: Span,
}

impl<'t> Cursor<'t> {
    fn peek(&self, ahead: usize) -> Option<&'t TokenTree> {
        self.trees.get(self.at + ahead)
    }

    fn is_done(&self) -> bool {
        self.at >= self.trees.len()
    }

    /// One token here, or the end.
    fn span(&self) -> Span {
        self.peek(0).map_or(self.end, anchor)
    }

    /// One token before here.
    fn last_span(&self) -> Span {
        match self.at.checked_sub(1).and_then(|last| self.trees.get(last)) {
            Some(TokenTree::Group(group)) => group.span_close(),
            Some(other) => other.span(),
            None => self.end,
        }
    }

    /// Everything up to a top-level `;`, which is passed; `None` where there is none.
    fn until_semicolon(&mut self) -> Option<&'t [TokenTree]> {
        let rest = self.trees.get(self.at..)?;
        let length = rest.iter().position(|tree| is_punct(Some(tree), ';'))?;
        self.at += length + 1;
        rest.get(..length)
    }

    /// Passes what cannot be read: up to a `;` or a block, inclusive.
    fn skip(&mut self) {
        while let Some(tree) = self.peek(0) {
            self.at += 1;
            if is_punct(Some(tree), ';') || is_group(Some(tree), Delimiter::Brace) {
                return;
            }
        }
    }
}

/// `crate = path;`
fn option(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<syn::Path> {
    let Some(TokenTree::Ident(name)) = cursor.peek(0) else { return None };
    if !is_punct(cursor.peek(1), '=') || is_joint(cursor.peek(1), '=') {
        return None;
    }
    if name != "crate" {
        let message = format!("unknown pipeline option `{name}`, expected `crate = path;`");
        diag.error(rules::PIPELINE_OPTION, name.span(), message);
        cursor.skip();
        return None;
    }
    cursor.at += 2;
    let from = cursor.span();
    let path = cursor.until_semicolon().map(stream).unwrap_or_default();
    match syn::parse2::<syn::Path>(path) {
        Ok(path) => Some(path),
        Err(_) => {
            diag.error(rules::PIPELINE_OPTION, from, "expected a path: `crate = ::my_flash;`");
            None
        }
    }
}

/// `in rt;`
fn runtime(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<TokenStream> {
    if !is_word(cursor.peek(0), "in") {
        let message = "a pipeline starts with the runtime it runs on: `in rt;`";
        diag.error(rules::PIPELINE_RT, cursor.span(), message);
        return None;
    }
    let word = cursor.span();
    cursor.at += 1;
    match cursor.until_semicolon() {
        Some(rt) if !rt.is_empty() => Some(stream(rt)),
        _ => {
            diag.error(rules::PIPELINE_RT, word, "expected the runtime and a semicolon: `in rt;`");
            None
        }
    }
}

fn statements(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Vec<AstStmt> {
    let mut stmts = Vec::new();
    while !cursor.is_done() {
        if is_punct(cursor.peek(0), ';') {
            cursor.at += 1;
            continue;
        }
        let start = cursor.at;
        stmts.extend(statement(cursor, diag));
        // Each statement passes a token at least.
        cursor.at = cursor.at.max(start + 1);
    }
    stmts
}

fn statement(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<AstStmt> {
    match cursor.peek(0) {
        Some(TokenTree::Ident(word)) if word == "for" => for_loop(cursor, diag),
        Some(TokenTree::Ident(word)) if word == "let" => let_stmt(cursor, diag),
        Some(TokenTree::Ident(word)) if word == "if" => if_stmt(cursor, diag),
        Some(TokenTree::Ident(word)) if word == "while" => while_stmt(cursor, diag),
        _ => stage(cursor, diag),
    }
}

fn for_loop(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<AstStmt> {
    let span = cursor.span();
    cursor.at += 1;
    let var = match (cursor.peek(0), is_word(cursor.peek(1), "in")) {
        (Some(TokenTree::Ident(var)), true) if is_variable(var) => {
            cursor.at += 2;
            Some(var.clone())
        }
        _ => {
            let message = "a loop of a pipeline has one plain variable: `for v in a..b { .. }`";
            diag.error(rules::LOOP_VARIABLE, cursor.span(), message);
            None
        }
    };
    let from = cursor.at;
    while !cursor.is_done()
        && !is_group(cursor.peek(0), Delimiter::Brace)
        && !is_punct(cursor.peek(0), ';')
    {
        cursor.at += 1;
    }
    let header = bare(cursor.trees.get(from..cursor.at).unwrap_or_default());
    let Some(TokenTree::Group(block)) = cursor.peek(0).filter(
        |tree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
    ) else {
        diag.error(rules::LOOP_BODY, span, "this loop has no body: `for v in a..b { .. }`");
        return None;
    };
    cursor.at += 1;
    let body = block_of(block, diag);
    Some(match var {
        Some(var) => AstStmt::For { span, var, header, body },
        None => AstStmt::Block(body),
    })
}

/// Whether a word can name a variable: no keyword, or `_`.
fn is_variable(word: &Ident) -> bool {
    let text = word.to_string();
    text == "_" || syn::parse_str::<Ident>(&text).is_ok()
}

fn block_of(block: &Group, diag: &mut Diagnostics) -> Vec<AstStmt> {
    let trees: Vec<TokenTree> = block.stream().into_iter().collect();
    statements(&mut Cursor { trees: &trees, at: 0, end: block.span_close() }, diag)
}

/// What stands before the block of a loop or decision, and the block.
fn head_and_block<'t>(
    cursor: &mut Cursor<'t>,
    span: Span,
    form: &str,
    diag: &mut Diagnostics,
) -> Option<(&'t [TokenTree], &'t Group)> {
    let from = cursor.at;
    while !cursor.is_done()
        && !is_group(cursor.peek(0), Delimiter::Brace)
        && !is_punct(cursor.peek(0), ';')
    {
        cursor.at += 1;
    }
    let head = cursor.trees.get(from..cursor.at).unwrap_or_default();
    match cursor.peek(0) {
        Some(TokenTree::Group(block)) => {
            cursor.at += 1;
            Some((head, block))
        }
        _ => {
            diag.error(rules::BLOCK, span, format!("this has no block: `{form}`"));
            None
        }
    }
}

/// `if cond { .. } else if cond { .. } else { .. }`
fn if_stmt(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<AstStmt> {
    let span = cursor.span();
    cursor.at += 1;
    let (cond, block) = head_and_block(cursor, span, "if cond { .. }", diag)?;
    let then = block_of(block, diag);
    let mut other = Vec::new();
    if is_word(cursor.peek(0), "else") {
        let word = cursor.span();
        cursor.at += 1;
        match cursor.peek(0) {
            Some(TokenTree::Ident(next)) if next == "if" => other.extend(if_stmt(cursor, diag)),
            Some(TokenTree::Group(block)) if block.delimiter() == Delimiter::Brace => {
                cursor.at += 1;
                other = block_of(block, diag);
            }
            _ => {
                let message = "expected a block or `if` after `else`: `else { .. }`";
                diag.error(rules::BLOCK, word, message);
            }
        }
    }
    Some(AstStmt::If { span, cond: cond.to_vec(), then, other })
}

/// `while cond, max n { .. }`
fn while_stmt(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<AstStmt> {
    let span = cursor.span();
    cursor.at += 1;
    let (head, block) = head_and_block(cursor, span, "while cond, max n { .. }", diag)?;
    let body = block_of(block, diag);
    let comma = split_commas(head).first().map_or(0, |cond| cond.len());
    let (cond, rest) = head.split_at(comma);
    match rest {
        [_, TokenTree::Ident(max), limit @ ..] if max == "max" && !limit.is_empty() => {
            Some(AstStmt::While { span, cond: cond.to_vec(), max: limit.to_vec(), body })
        }
        _ => {
            let message = "a `while` of a pipeline needs a limit, after which its condition still \
                           being true is an error: `while cond, max 1_000 { .. }`";
            diag.error(rules::WHILE_MAX, span, message);
            Some(AstStmt::Block(body))
        }
    }
}

fn let_stmt(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<AstStmt> {
    let span = cursor.span();
    match cursor.until_semicolon() {
        Some(tokens) => Some(AstStmt::Let { whole: tokens.to_vec() }),
        None => {
            let message = "this `let` does not end: `let x = e;` needs its semicolon";
            diag.error(rules::LET_SYNTAX, span, message);
            cursor.at = cursor.trees.len();
            None
        }
    }
}

/// `k(..)[space];`, `task(..);` or `swap(a, b);`
fn stage(cursor: &mut Cursor<'_>, diag: &mut Diagnostics) -> Option<AstStmt> {
    let start = cursor.at;
    let Some(calls) = calls(cursor) else {
        cursor.at = start;
        let found = cursor.peek(0).map(ToString::to_string).filter(|text| text.len() <= 20);
        let message = match found {
            Some(found) => format!("`{found}` starts no statement of a pipeline; {STATEMENTS}"),
            None => format!("this starts no statement of a pipeline; {STATEMENTS}"),
        };
        diag.error(rules::STATEMENT, cursor.span(), message);
        cursor.skip();
        return None;
    };
    let space = match cursor.peek(0) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            cursor.at += 1;
            Some(group.clone())
        }
        _ => None,
    };
    if is_punct(cursor.peek(0), ';') {
        cursor.at += 1;
    } else {
        // Pointing at what was written last: there the semicolon belongs.
        diag.error(rules::SEMICOLON, cursor.last_span(), "expected `;` after this statement");
        if !starts_statement(cursor) {
            cursor.skip();
        }
    }
    if let ([(callee, args)], None) = (calls.as_slice(), &space)
        && let [TokenTree::Ident(name)] = callee.as_slice()
        && name == "swap"
    {
        return Some(AstStmt::Swap { name: name.clone(), args: args.clone() });
    }
    Some(AstStmt::Stage { calls, space })
}

/// Whether what follows a missing semicolon looks like a statement of its own.
fn starts_statement(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.peek(0), Some(TokenTree::Ident(_)))
        || is_group(cursor.peek(0), Delimiter::None)
        || is_joint(cursor.peek(0), ':')
}

/// Passes `path::<..>::to.call(..)`, cut behind each of its parentheses, with which it ends.
fn calls(cursor: &mut Cursor<'_>) -> Option<Vec<(Vec<TokenTree>, Group)>> {
    let (mut calls, mut from) = (Vec::new(), cursor.at);
    if is_joint(cursor.peek(0), ':') && is_punct(cursor.peek(1), ':') {
        cursor.at += 2;
    }
    loop {
        match cursor.peek(0) {
            Some(TokenTree::Ident(_)) => cursor.at += 1,
            tree if is_group(tree, Delimiter::None) => cursor.at += 1,
            _ => return None,
        }
        if is_joint(cursor.peek(0), ':') && is_punct(cursor.peek(1), ':') {
            cursor.at += 2;
            if is_punct(cursor.peek(0), '<') {
                cursor.at = angle_end(cursor.trees, cursor.at) + 1;
            } else {
                continue;
            }
            if is_joint(cursor.peek(0), ':') && is_punct(cursor.peek(1), ':') {
                cursor.at += 2;
                continue;
            }
        }
        if let Some(TokenTree::Group(args)) = cursor.peek(0)
            && args.delimiter() == Delimiter::Parenthesis
        {
            let callee = cursor.trees.get(from..cursor.at).unwrap_or_default();
            calls.push((callee.to_vec(), args.clone()));
            cursor.at += 1;
            from = cursor.at;
        }
        if is_punct(cursor.peek(0), '.') && !is_joint(cursor.peek(0), '.') {
            cursor.at += 1;
            continue;
        }
        // The parentheses must be what was passed last.
        return (!calls.is_empty() && from == cursor.at).then_some(calls);
    }
}
