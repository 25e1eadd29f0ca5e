//! The procedural macros of FLASH: the shell around `flash-lang`, without logic. `flash` documents them, with
//! examples that need it.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "documented where they are exported from")]

use proc_macro::TokenStream;

#[proc_macro]
pub fn flash_pipeline(tokens: TokenStream) -> TokenStream {
    flash_lang::pipeline::entry(tokens.into()).tokens.into()
}

#[proc_macro_attribute]
pub fn kernel(args: TokenStream, item: TokenStream) -> TokenStream {
    flash_lang::kernel::entry(args.into(), item.into()).tokens.into()
}

#[proc_macro_attribute]
pub fn device(args: TokenStream, item: TokenStream) -> TokenStream {
    flash_lang::device::entry(args.into(), item.into()).tokens.into()
}

#[proc_macro_attribute]
pub fn host_task(args: TokenStream, item: TokenStream) -> TokenStream {
    flash_lang::host_task::entry(args.into(), item.into()).tokens.into()
}

#[proc_macro_derive(Pod, attributes(flash))]
pub fn pod(item: TokenStream) -> TokenStream {
    flash_lang::pod::entry(item.into()).tokens.into()
}
