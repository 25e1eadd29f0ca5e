//! Errors of the front end: gathered by every pass, looked at once by the driver.
//!
//! An error is always one [`Rule`] broken at one user token. Nothing here decides what to emit
//! beside the errors.

use proc_macro2::{Span, TokenStream};

use crate::rules::Rule;

/// The errors found so far. Whoever makes one must ask it in the end: [`Diagnostics::finish`].
#[derive(Debug)]
#[must_use = "errors that nobody looks at are lost"]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
    asked: bool,
}

/// One error.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The rule that is broken.
    pub rule: Rule,
    /// One token of the user's.
    pub span: Span,
    /// What was found, what is accepted, what to do.
    pub message: String,
}

/// Errors that have been looked at; there is at least one.
#[derive(Debug, Clone)]
pub struct Errors(Vec<Diagnostic>);

impl Default for Diagnostics {
    fn default() -> Self {
        Self::new()
    }
}

impl Diagnostics {
    /// Nothing found yet.
    pub fn new() -> Self {
        Self { errors: Vec::new(), asked: false }
    }

    /// Notes that `rule` is broken at `span`. A token carries at most one message: the first.
    pub fn error(&mut self, rule: Rule, span: Span, message: impl Into<String>) {
        let message = message.into();
        let same =
            |other: &Diagnostic| other.message == message && place(other.span) == place(span);
        if !self.errors.iter().any(same) {
            self.errors.push(Diagnostic { rule, span, message });
        }
    }

    /// Notes what `syn` found, under `rule`.
    pub fn syntax(&mut self, rule: Rule, error: &syn::Error) {
        for part in error.clone() {
            self.error(rule, part.span(), part.to_string());
        }
    }

    /// Whether the rule was found broken.
    pub fn has(&self, rule: Rule) -> bool {
        self.errors.iter().any(|error| error.rule == rule)
    }

    /// Whether nothing was found so far.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The number of errors so far.
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// The end of all passes.
    pub fn finish(mut self) -> Result<(), Errors> {
        self.asked = true;
        let mut errors = std::mem::take(&mut self.errors);
        // As a reader meets them, whichever pass found them.
        errors.sort_by_key(|error| place(error.span));
        if errors.is_empty() { Ok(()) } else { Err(Errors(errors)) }
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        debug_assert!(
            self.asked || self.errors.is_empty() || std::thread::panicking(),
            "errors were dropped: {:?}",
            self.errors
        );
    }
}

/// Where a span starts; spans have no equality of their own.
fn place(span: Span) -> (usize, usize, usize) {
    let start = span.start();
    // Inside rustc `start` is relative to the file; the byte range tells two files apart.
    (start.line, start.column, span.byte_range().start)
}

impl Errors {
    /// For an item that gave neither a result nor an error, which is a fault of the front end.
    pub(crate) fn unreadable() -> Self {
        let message = "this item cannot be read, expected a function: `fn name(..)`".to_owned();
        Self(vec![Diagnostic { rule: crate::rules::SYNTAX, span: Span::call_site(), message }])
    }

    /// One `compile_error!` for each, in source order.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        let error =
            |found: &Diagnostic| syn::Error::new(found.span, &found.message).into_compile_error();
        self.0.iter().map(error).collect()
    }

    /// The errors in source order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }
}
