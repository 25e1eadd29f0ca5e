//! The scopes of tokens. `macro_rules!` can write an item from tokens of several, and what an expansion
//! names at them would not meet.

use std::fmt::Write;

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// The names of an expansion of these tokens, which begin with `__`: all in the scope of the expansion,
/// unless one scope is all there is. Then they keep that of the user's tokens at which they stand, for
/// rustc says more about an error where a scope of ours takes part.
pub(crate) fn joined(input: [&TokenStream; 2], expansion: TokenStream) -> TokenStream {
    if is_one(input) { expansion } else { ours(expansion) }
}

fn ours(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), ours(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            TokenTree::Ident(mut name) if name.to_string().starts_with("__") => {
                name.set_span(Span::call_site().located_at(name.span()));
                TokenTree::Ident(name)
            }
            other => other,
        })
        .collect()
}

/// Whether all tokens come from one scope, and the attribute with them as far as lines tell. Only
/// messages depend on it where it errs: names that do not meet do not compile.
fn is_one([args, item]: [&TokenStream; 2]) -> bool {
    let mut seen = Seen { scope: None, one: true, next: None, text: String::new() };
    seen.all(args.clone());
    seen.next = None;
    seen.all(item.clone());
    seen.one && seen.next.is_some_and(|line| line <= Span::call_site().end().line + 1)
}

struct Seen {
    /// The scope of the first token.
    scope: Option<String>,
    one: bool,
    /// The line of the first token behind the attribute.
    next: Option<usize>,
    text: String,
}

impl Seen {
    fn all(&mut self, tokens: TokenStream) {
        for tree in tokens {
            if !self.one {
                return;
            }
            self.token(tree.span());
            if let TokenTree::Group(group) = tree {
                self.all(group.stream());
            }
        }
    }

    fn token(&mut self, span: Span) {
        let (end, line) = (Span::call_site().end(), span.start());
        if self.next.is_none() && line >= end {
            self.next = Some(line.line);
        }
        self.text.clear();
        // `#3 bytes(10..12)`: the number is that of the scope.
        let shown = write!(self.text, "{span:?}").is_ok();
        let scope = self.text.split(' ').next().filter(|scope| shown && scope.starts_with('#'));
        match (&self.scope, scope) {
            (Some(first), Some(scope)) => self.one &= first == scope,
            (None, Some(scope)) => self.scope = Some(scope.to_owned()),
            (_, None) => {}
        }
    }
}
