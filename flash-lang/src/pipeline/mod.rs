//! `flash_pipeline!`: parse, check, expand. Rust inside it stays tokens, so that rustc and editors
//! see what the user wrote.

mod again;
mod cells;
mod check;
mod cond;
mod expand;
#[cfg(test)]
mod fuzz;
mod model;
mod moves;
mod parse;
mod scope;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::diag::{Diagnostics, Errors};
use crate::{Expansion, groups, scopes};

/// The expansion of `flash_pipeline! { tokens }`: an expression.
///
/// With errors it holds them beside the stages that could be read, so that completion goes on.
pub fn entry(tokens: TokenStream) -> Expansion {
    let (model, errors) = front(tokens);
    let tokens = expand::pipeline(&model, errors.as_ref().map(Errors::to_tokens));
    Expansion { tokens, errors }
}

/// The passes that can report.
fn front(tokens: TokenStream) -> (model::Pipeline, Option<Errors>) {
    let mut diag = Diagnostics::new();
    let several = scopes::are_several(&tokens);
    let ast = parse::pipeline(groups::visible(tokens), &mut diag);
    let model = check::pipeline(ast, several, &mut diag);
    (model, diag.finish().err())
}
