//! What a macro makes of an item: tokens, and the errors that stand in them. It decides neither.

use proc_macro2::TokenStream;

use crate::diag::Errors;

/// What a macro makes of an item.
#[derive(Debug)]
pub struct Expansion {
    /// What takes its place, with an error where there is one, and what editors and rustc still find.
    pub tokens: TokenStream,
    /// What is wrong, for tests that look at the rules broken.
    pub errors: Option<Errors>,
}

impl Expansion {
    /// Of an item with which nothing is wrong.
    pub(crate) fn right(tokens: TokenStream) -> Self {
        Self { tokens, errors: None }
    }

    /// Errors, and what stands beside them.
    pub(crate) fn wrong(errors: Errors, beside: impl IntoIterator<Item = TokenStream>) -> Self {
        let mut tokens = errors.to_tokens();
        tokens.extend(beside);
        Self { tokens, errors: Some(errors) }
    }
}
