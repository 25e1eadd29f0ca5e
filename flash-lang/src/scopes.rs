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
    let mut seen = Seen::default();
    seen.all(args.clone());
    seen.next = None;
    seen.all(item.clone());
    !seen.several && seen.next.is_some_and(|line| line <= Span::call_site().end().line + 1)
}

/// Whether tokens come from several scopes, or may for all that is known.
pub(crate) fn are_several(tokens: &TokenStream) -> bool {
    let mut seen = Seen::default();
    seen.all(tokens.clone());
    seen.several
}

#[derive(Default)]
struct Seen {
    /// The scope of the first token.
    scope: Option<String>,
    several: bool,
    /// The line of the first token behind the attribute.
    next: Option<usize>,
    text: String,
}

impl Seen {
    fn all(&mut self, tokens: TokenStream) {
        for tree in tokens {
            if self.several {
                return;
            }
            self.token(tree.span());
            if let TokenTree::Group(group) = tree {
                self.all(group.stream());
            }
        }
    }

    fn token(&mut self, span: Span) {
        if self.next.is_none() && span.start() >= Span::call_site().end() {
            self.next = Some(span.start().line);
        }
        self.text.clear();
        // `#3 bytes(10..12)`: the number is that of the scope. Of other words, all have to agree.
        self.several |= write!(self.text, "{span:?}").is_err();
        let scope = self.text.split("bytes").next().unwrap_or_default();
        match &self.scope {
            Some(first) => self.several |= first != scope,
            None => self.scope = Some(scope.to_owned()),
        }
    }
}
