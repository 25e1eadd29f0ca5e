//! `#[flash::device]`: functions that kernels call. The function stays as it is for the host.

mod check;
mod expand;

use proc_macro2::TokenStream;

use crate::ast;
use crate::diag::{Diagnostics, Errors};
use crate::kernel::model::DeviceFn;

/// The whole macro: the function and what makes it callable in kernels, or the errors beside the
/// function.
pub fn entry(args: TokenStream, item: TokenStream) -> TokenStream {
    match check(args, item.clone()) {
        Ok(function) => expand::device(&function),
        Err(errors) => {
            // The function is Rust, so rustc and editors may read it as it is.
            let mut out = errors.into_tokens();
            out.extend(item);
            out
        }
    }
}

/// Reads and checks a device function.
pub fn check(args: TokenStream, item: TokenStream) -> Result<DeviceFn, Errors> {
    let mut diag = Diagnostics::new();
    let small = ast::size(&args, &mut diag) & ast::size(&item, &mut diag);
    let function = if small { read(args, item, &mut diag) } else { None };
    diag.finish()?;
    function.ok_or_else(Errors::unreadable)
}

fn read(args: TokenStream, item: TokenStream, diag: &mut Diagnostics) -> Option<DeviceFn> {
    let options = ast::options(args, diag);
    let ast = ast::function(item.clone(), diag)?;
    check::function(ast, &options, item, diag)
}
