//! `#[flash::kernel]`: parse, check, expand.

mod check;
pub mod expand;
mod kept;
pub mod model;

use proc_macro2::TokenStream;

use crate::diag::{Diagnostics, Errors};
use crate::{Expansion, ast, groups, scopes};

pub(crate) use check::{crate_path, flag, plain_name, qualifiers, where_clause};
pub(crate) use kept::item_for_editors;

/// The whole macro: what it adds to the item, or the errors with the item kept beside them.
pub fn entry(args: TokenStream, item: TokenStream) -> Expansion {
    match check(args.clone(), item.clone()) {
        Ok(kernel) => Expansion::right(scopes::joined([&args, &item], expand::kernel(&kernel))),
        Err(errors) => Expansion::wrong(errors, [kept::kernel(item)]),
    }
}

/// Reads and checks a kernel.
pub(crate) fn check(args: TokenStream, item: TokenStream) -> Result<model::Kernel, Errors> {
    let mut diag = Diagnostics::new();
    let small = ast::size(&args, &mut diag) & ast::size(&item, &mut diag);
    let kernel = if small { read(args, item, &mut diag) } else { None };
    diag.finish()?;
    kernel.ok_or_else(Errors::unreadable)
}

fn read(args: TokenStream, item: TokenStream, diag: &mut Diagnostics) -> Option<model::Kernel> {
    let options = ast::options(groups::visible(args), diag);
    let ast = ast::function(groups::visible(item), diag)?;
    Some(check::kernel(ast, &options, diag))
}
