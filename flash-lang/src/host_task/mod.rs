//! `#[flash::host_task]`: plain Rust as a stage. Its body is never looked at.

mod check;
mod expand;
mod model;

use proc_macro2::TokenStream;

use crate::diag::{Diagnostics, Errors};
use crate::kernel::item_for_editors;
use crate::{Expansion, ast, groups};

/// The whole macro: the constructor of the task, or the errors beside the item.
pub fn entry(args: TokenStream, item: TokenStream) -> Expansion {
    match check(args, item.clone()) {
        Ok(task) => Expansion::right(expand::task(&task)),
        Err(errors) => Expansion::wrong(errors, [item_for_editors(&item), expand::stand_in(item)]),
    }
}

/// Reads and checks a host task.
fn check(args: TokenStream, item: TokenStream) -> Result<model::HostTask, Errors> {
    let mut diag = Diagnostics::new();
    let small = ast::size(&args, &mut diag) & ast::size(&item, &mut diag);
    let task = if small { read(args, item, &mut diag) } else { None };
    diag.finish()?;
    task.ok_or_else(Errors::unreadable)
}

fn read(args: TokenStream, item: TokenStream, diag: &mut Diagnostics) -> Option<model::HostTask> {
    let options = ast::options(args, diag);
    let ast = ast::function(groups::visible(item), diag)?;
    check::task(ast, &options, diag)
}
