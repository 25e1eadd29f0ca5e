//! The shape of an annotated function and of attribute options, before any rule is checked.
//!
//! Reading recovers: a parameter or option that cannot be read is reported and left out, the rest
//! is kept. It knows no option by name.

use proc_macro2::{Delimiter, Group, Ident, LineColumn, Punct, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};

use crate::diag::Diagnostics;
use crate::rules;

/// An annotated function, with or without a body.
#[derive(Debug)]
pub(crate) struct FnAst {
    /// Its attributes, ours already taken off by rustc.
    pub attrs: Vec<syn::Attribute>,
    /// Its visibility.
    pub vis: syn::Visibility,
    /// `const`, `async`, `unsafe`, `extern`, each at its token.
    pub qualifiers: Vec<Ident>,
    /// Its name.
    pub name: Ident,
    /// Its generic parameters.
    pub generics: syn::Generics,
    /// The parameters that could be read.
    pub params: Vec<ParamAst>,
    /// Number of parameters written, readable or not.
    pub arity: usize,
    /// A `self` parameter.
    pub receiver: Option<Span>,
    /// The result type.
    pub ret: Option<syn::Type>,
    /// `{ .. }` or `;`
    pub body: BodyAst,
}

/// One parameter.
#[derive(Debug)]
pub(crate) struct ParamAst {
    /// Its attributes.
    pub attrs: Vec<syn::Attribute>,
    /// Its pattern.
    pub pat: syn::Pat,
    /// Its type.
    pub ty: syn::Type,
}

/// What follows a signature.
#[derive(Debug)]
pub(crate) enum BodyAst {
    /// `;`
    None,
    /// `{ .. }`, read.
    Block(syn::Block),
    /// `{ .. }`, which could not be read; the error is reported.
    Broken,
}

/// One option: `key`, `key = value` or `key(list)`.
#[derive(Debug)]
pub(crate) struct OptionAst {
    /// The key; keywords are keys too.
    pub key: Ident,
    /// What follows.
    pub value: ValueAst,
}

/// What follows the key of an option.
#[derive(Debug)]
pub(crate) enum ValueAst {
    /// Nothing.
    Flag,
    /// `= value`
    Eq(TokenStream),
    /// `(list)`
    List(TokenStream),
}

/// The most tokens from one separator to the next, groups around them counted: what bounds the
/// depth of every recursion over the item.
const LONGEST: usize = 1024;

/// The longest chain of tokens and groups is short enough to be read by recursion.
pub(crate) fn size(tokens: &TokenStream, diag: &mut Diagnostics) -> bool {
    let found = too_long(tokens.clone(), 0, 0);
    if let Some(span) = found {
        diag.error(
            rules::EXPRESSION_SIZE,
            span,
            format!("more than {LONGEST} tokens in one expression, split it with `let`"),
        );
    }
    found.is_none()
}

fn too_long(tokens: TokenStream, base: usize, depth: usize) -> Option<Span> {
    let mut length = base;
    let mut ended = false;
    for token in tokens {
        if ended && !matches!(&token, TokenTree::Ident(word) if word == "else") {
            length = base;
        }
        ended = false;
        length += 1;
        // A group costs more stack than a token: through statement, block and expression.
        if length > LONGEST || depth > 48 {
            return Some(token.span());
        }
        match token {
            TokenTree::Group(group) => {
                ended = group.delimiter() == Delimiter::Brace;
                if let Some(span) = too_long(group.stream(), length, depth + 1) {
                    return Some(span);
                }
            }
            TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | ',') => length = base,
            _ => {}
        }
    }
    None
}

/// Cuts at commas outside of every bracket, angle brackets included where `angles`. A comma with nothing
/// before it is reported; `None` where that leaves nothing of what was written.
pub(crate) fn at_commas(
    tokens: TokenStream,
    angles: bool,
    diag: &mut Diagnostics,
) -> Option<Vec<TokenStream>> {
    let is_empty = tokens.is_empty();
    let mut parts = vec![TokenStream::new()];
    let mut open = 0_usize;
    let mut before = ' ';
    for token in tokens {
        let mark = if let TokenTree::Punct(mark) = &token { mark.as_char() } else { ' ' };
        match mark {
            '<' if angles => open += 1,
            '>' if angles && !matches!(before, '-' | '=') => open = open.saturating_sub(1),
            ',' if open == 0 => {
                before = mark;
                if parts.last().is_some_and(TokenStream::is_empty) {
                    let message = "nothing stands before this comma, leave it out";
                    diag.error(rules::DOUBLED_COMMA, token.span(), message);
                } else {
                    parts.push(TokenStream::new());
                }
                continue;
            }
            _ => {}
        }
        before = mark;
        if let Some(last) = parts.last_mut() {
            last.extend([token]);
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    (is_empty || !parts.is_empty()).then_some(parts)
}

/// Reads the options of an attribute.
pub(crate) fn options(tokens: TokenStream, diag: &mut Diagnostics) -> Vec<OptionAst> {
    let parts = at_commas(tokens, false, diag).unwrap_or_default();
    parts
        .into_iter()
        .filter_map(|part| match option.parse2(part) {
            Ok(option) => Some(option),
            Err(error) => {
                diag.syntax(rules::OPTION_SYNTAX, &error);
                None
            }
        })
        .collect()
}

fn option(input: ParseStream<'_>) -> syn::Result<OptionAst> {
    if !input.peek(syn::Ident::peek_any) {
        return Err(input.error("expected an option: `key`, `key = value` or `key(list)`"));
    }
    let key = input.call(Ident::parse_any)?;
    let value = if input.is_empty() {
        ValueAst::Flag
    } else if input.peek(syn::Token![=]) {
        let eq: syn::Token![=] = input.parse()?;
        let value: TokenStream = input.parse()?;
        if value.is_empty() {
            return Err(syn::Error::new(eq.span, format!("expected a value after `{key} =`")));
        }
        ValueAst::Eq(value)
    } else if input.peek(syn::token::Paren) {
        let list: Group = input.parse()?;
        if !input.is_empty() {
            return Err(input.error("expected a comma between options"));
        }
        ValueAst::List(list.stream())
    } else {
        return Err(input.error(format!("expected a comma, `=` or a list after option `{key}`")));
    };
    Ok(OptionAst { key, value })
}

/// Reads a function with or without a body.
pub(crate) fn function(tokens: TokenStream, diag: &mut Diagnostics) -> Option<FnAst> {
    let read = |input: ParseStream<'_>| item(input, diag);
    match read.parse2(tokens) {
        Ok(ast) => Some(ast),
        Err(error) => {
            diag.syntax(rules::SYNTAX, &error);
            None
        }
    }
}

fn item(input: ParseStream<'_>, diag: &mut Diagnostics) -> syn::Result<FnAst> {
    let attrs = input.call(syn::Attribute::parse_outer)?;
    let vis: syn::Visibility = input.parse()?;
    let mut qualifiers = Vec::new();
    while !input.peek(syn::Token![fn]) {
        let word = input.call(Ident::parse_any).ok();
        match word {
            Some(word)
                if ["const", "async", "unsafe", "extern", "safe"].iter().any(|q| word == q) =>
            {
                if word == "extern" && input.peek(syn::LitStr) {
                    input.parse::<syn::LitStr>()?;
                }
                qualifiers.push(word);
            }
            Some(word) => {
                return Err(syn::Error::new(word.span(), "expected a function: `fn name(..)`"));
            }
            None => return Err(input.error("expected a function: `fn name(..)`")),
        }
    }
    input.parse::<syn::Token![fn]>()?;
    let name: Ident = input.parse()?;
    let mut generics: syn::Generics = input.parse()?;
    let content;
    syn::parenthesized!(content in input);
    let parts = at_commas(content.parse()?, true, diag).unwrap_or_default();
    let arity = parts.len();
    let (params, receiver) = parameters(parts, diag);
    let ret = match input.parse()? {
        syn::ReturnType::Default => None,
        syn::ReturnType::Type(_, ty) => Some(*ty),
    };
    generics.where_clause = input.parse()?;
    let body = if input.peek(syn::Token![;]) {
        input.parse::<syn::Token![;]>()?;
        BodyAst::None
    } else {
        match input.parse()? {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => block(group, diag),
            other => {
                let message = "expected a body `{ .. }`, or `;` for a declaration";
                return Err(syn::Error::new(other.span(), message));
            }
        }
    };
    Ok(FnAst { attrs, vis, qualifiers, name, generics, params, arity, receiver, ret, body })
}

fn block(group: Group, diag: &mut Diagnostics) -> BodyAst {
    match syn::parse2(TokenStream::from(TokenTree::Group(group))) {
        Ok(block) => BodyAst::Block(block),
        Err(error) => {
            diag.syntax(rules::SYNTAX, &error);
            BodyAst::Broken
        }
    }
}

fn parameters(parts: Vec<TokenStream>, diag: &mut Diagnostics) -> (Vec<ParamAst>, Option<Span>) {
    let mut params = Vec::with_capacity(parts.len());
    let mut receiver = None;
    for part in parts {
        if let Some(span) = self_token(&part) {
            receiver = Some(span);
            continue;
        }
        match parameter.parse2(part) {
            Ok(param) => params.push(param),
            Err(error) => diag.syntax(rules::SYNTAX, &error),
        }
    }
    (params, receiver)
}

fn self_token(part: &TokenStream) -> Option<Span> {
    part.clone()
        .into_iter()
        .take_while(|token| !matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':'))
        .find_map(|token| match token {
            TokenTree::Ident(word) if word == "self" => Some(word.span()),
            _ => None,
        })
}

fn parameter(input: ParseStream<'_>) -> syn::Result<ParamAst> {
    let attrs = input.call(syn::Attribute::parse_outer)?;
    let pat = syn::Pat::parse_single(input)?;
    input.parse::<syn::Token![:]>()?;
    let ty = input.parse()?;
    Ok(ParamAst { attrs, pat, ty })
}

/// The item without the attributes that only mean something to us.
pub(crate) fn without_roles(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let ours = matches!(rest.peek(), Some(TokenTree::Group(group)) if is_role(group));
                if ours {
                    rest.next();
                } else {
                    out.extend([TokenTree::Punct(mark)]);
                }
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let mut inner = Group::new(group.delimiter(), without_roles(group.stream()));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

fn is_role(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && matches!(
            group.stream().into_iter().next(),
            Some(TokenTree::Ident(word))
                if ["out", "scratch", "reduce"].iter().any(|role| word == role)
        )
}

/// Gives a bodiless declaration an empty body, so that rustc can read it as an item.
pub(crate) fn with_body(tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if matches!(tokens.last(), Some(TokenTree::Punct(mark)) if is_semicolon(mark)) {
        tokens.pop();
        tokens.push(TokenTree::Group(Group::new(Delimiter::Brace, TokenStream::new())));
    }
    tokens.into_iter().collect()
}

fn is_semicolon(mark: &Punct) -> bool {
    mark.as_char() == ';'
}

/// Moves generated tokens to one of the user's, where rustc shall speak; what they resolve to stays.
pub(crate) fn at(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(token.span().located_at(span));
            if let TokenTree::Group(group) = &token {
                let mut moved = Group::new(group.delimiter(), at(group.stream(), span));
                moved.set_span(group.span());
                return TokenTree::Group(moved);
            }
            token
        })
        .collect()
}

/// Moves those tokens that stand at the attribute, which are ours, to a token of the user's.
pub(crate) fn settle(tokens: TokenStream, span: Span) -> TokenStream {
    settled(tokens, Span::call_site().start(), span)
}

fn settled(tokens: TokenStream, ours: LineColumn, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| {
            let at = if token.span().start() == ours {
                token.span().located_at(span)
            } else {
                token.span()
            };
            match token {
                TokenTree::Group(group) => {
                    let inner = settled(group.stream(), ours, span);
                    let mut moved = Group::new(group.delimiter(), inner);
                    moved.set_span(at);
                    TokenTree::Group(moved)
                }
                mut other => {
                    other.set_span(at);
                    other
                }
            }
        })
        .collect()
}
