//! What a device function becomes.

use proc_macro2::TokenStream;

use crate::kernel::model::DeviceFn;

/// The function as written.
pub(super) fn device(function: &DeviceFn) -> TokenStream {
    function.item.clone()
}
