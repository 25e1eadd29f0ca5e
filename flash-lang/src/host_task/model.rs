//! What a valid host task is.

use proc_macro2::Ident;

/// A checked host task.
#[derive(Debug)]
pub(super) struct HostTask {
    pub(super) attrs: Vec<syn::Attribute>,
    pub(super) vis: syn::Visibility,
    pub(super) name: Ident,
    pub(super) krate: syn::Path,
    /// Type and const parameters, which only state can mention.
    pub(super) generics: syn::Generics,
    pub(super) params: Vec<Param>,
    pub(super) ret: Option<syn::Type>,
    pub(super) block: syn::Block,
}

/// A parameter.
#[derive(Debug)]
pub(super) struct Param {
    pub(super) name: Ident,
    /// As written, for the function that runs.
    pub(super) pat: syn::Pat,
    pub(super) ty: syn::Type,
    pub(super) form: Form,
    /// Whether the body writes every element, so that nothing has to be there before.
    pub(super) fills: bool,
}

/// What a parameter is, by the shape of its type.
#[derive(Debug)]
pub(super) enum Form {
    /// `&[T]`, `&mut [T]`
    Slice(syn::Type, bool),
    /// `View<'_, T, D>`, `ViewMut<'_, T, D>`
    View(syn::Type, usize, bool),
    /// `&mut T`: the cell of a `Var`.
    Cell(syn::Type),
    /// `&T`
    Shared(syn::TypeReference),
    /// Anything else.
    Value,
}
