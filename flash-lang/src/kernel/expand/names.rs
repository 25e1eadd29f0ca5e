//! The names of generated code: variables, and paths through the facade. They start with
//! `__`, so that no lint speaks of them.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::kernel::model::{Kernel, LaunchWord};

/// Whether multiply-adds are fused, in a body.
pub(super) const FUSED: &str = "__FUSED";
/// The parameter that says whether there are many wide vectors.
pub(super) const DEEP: &str = "__DEEP";

/// The functions that `fast_math` has others for.
const FAST: &[&str] =
    &["exp", "exp2", "ln", "log2", "log10", "sin", "cos", "tan", "tanh", "erf", "pow"];

/// Paths that an expansion names.
#[derive(Debug)]
pub(super) struct Names<'k> {
    kernel: &'k Kernel,
    /// Whether the aliases of the hidden scope are visible.
    inside: bool,
}

impl<'k> Names<'k> {
    /// In the hidden scope beside the item.
    pub(super) fn new(kernel: &'k Kernel) -> Self {
        Self { kernel, inside: true }
    }

    /// Where users' own items are.
    pub(super) fn outside(kernel: &'k Kernel) -> Self {
        Self { kernel, inside: false }
    }

    /// The aliases of the hidden scope.
    pub(super) fn aliases(&self) -> TokenStream {
        let krate = &self.kernel.krate;
        quote! {
            #[allow(unused_imports)]
            use #krate::__private::{core as __core, ir as __ir, rt as __rt, rt::entry as __entry};
        }
    }

    fn part(&self, alias: &str, name: &str) -> TokenStream {
        if self.inside {
            let alias = Ident::new(alias, Span::call_site());
            return quote!(#alias);
        }
        let (krate, name) = (&self.kernel.krate, Ident::new(name, Span::call_site()));
        quote!(#krate::__private::#name)
    }

    /// `core`, whatever the user's scope calls so.
    pub(super) fn core(&self) -> TokenStream {
        self.part("__core", "core")
    }

    /// `flash-rt`
    pub(super) fn rt(&self) -> TokenStream {
        self.part("__rt", "rt")
    }

    /// `flash-rt`, at the place of a token of the user's, where rustc's notes then point.
    pub(super) fn rt_at(&self, at: Span) -> TokenStream {
        moved(self.rt(), at)
    }

    /// `core`, at the place of a token of the user's.
    pub(super) fn core_at(&self, at: Span) -> TokenStream {
        moved(self.core(), at)
    }

    /// `flash_rt::entry`
    pub(super) fn entry(&self) -> TokenStream {
        if self.inside {
            return quote!(__entry);
        }
        let rt = self.rt();
        quote!(#rt::entry)
    }

    /// `flash-ir`
    pub(super) fn ir(&self) -> TokenStream {
        self.part("__ir", "ir")
    }

    /// Where a body of this kernel finds a function of `flash::math`.
    pub(super) fn math(&self, name: &Ident) -> TokenStream {
        let ir = self.ir();
        if self.kernel.options.fast_math && FAST.iter().any(|fast| name == fast) {
            let fused = plain(FUSED);
            quote!(#ir::math::Fast::<#fused>)
        } else {
            quote!(#ir::math)
        }
    }

    /// The parameter that functions with such a body need, and its argument.
    pub(super) fn fused(&self) -> (Option<TokenStream>, Option<TokenStream>) {
        let fused = plain(FUSED);
        let needed = self.kernel.options.fast_math;
        (needed.then(|| quote!(<const #fused: bool>)), needed.then(|| quote!(::<#fused>)))
    }

    /// An item of this kernel's expansion.
    pub(super) fn item(&self, what: &str) -> Ident {
        let name = self.kernel.name.to_string();
        format_ident!("__flash_{}_{what}", name.trim_start_matches("r#"))
    }
}

/// A path, at the place of a token of the user's.
fn moved(path: TokenStream, at: Span) -> TokenStream {
    let move_to = |mut tree: TokenTree| {
        tree.set_span(tree.span().located_at(at));
        tree
    };
    path.into_iter().map(move_to).collect()
}

/// A variable of generated code, blamed on a token of the user's.
pub(super) fn var(name: &str, at: Span) -> Ident {
    Ident::new(name, hidden(at))
}

/// The place of a token of the user's. Generated code stands there as if it were the user's, so that
/// rustc's messages point at the token; its names begin with `__`, which users may not write.
pub(super) fn hidden(at: Span) -> Span {
    at
}

/// The value or array bound to a parameter.
pub(super) fn param(index: usize, at: Span) -> Ident {
    var(&format!("__p{index}"), at)
}

/// `global_id(dim)`
pub(super) fn id(dim: u8, at: Span) -> Ident {
    var(&format!("__id{dim}"), at)
}

/// A number that belongs to the launch.
pub(super) fn launch(word: LaunchWord, at: Span) -> Ident {
    match word {
        LaunchWord::Size(dim) => var(&format!("__size{dim}"), at),
        LaunchWord::Phase => var("__phase", at),
        LaunchWord::Partition => var("__partition", at),
    }
}

/// Its value, as the arguments of a block or the uniform facts of a launch have it.
pub(super) fn launch_value(of: &Ident, word: LaunchWord) -> TokenStream {
    match word {
        LaunchWord::Size(dim) => {
            let dim = usize::from(dim);
            quote!(#of.global_size(#dim))
        }
        LaunchWord::Phase => quote!(#of.phase()),
        LaunchWord::Partition => quote!(#of.partition()),
    }
}

/// The length of an array parameter.
pub(super) fn len(param: usize, at: Span) -> Ident {
    var(&format!("__len{param}"), at)
}

/// An extent of an array parameter.
pub(super) fn extent(param: usize, dim: u8, at: Span) -> Ident {
    var(&format!("__extent{param}_{dim}"), at)
}

/// The violations of a parameter.
pub(super) fn bad(param: usize) -> Ident {
    var(&format!("__bad{param}"), Span::call_site())
}

/// A row of the fast loop.
pub(super) fn row(number: usize) -> Ident {
    var(&format!("__row{number}"), Span::call_site())
}

/// The same row of all lines of a plane, as wide as it is or as the interior.
pub(super) fn cut(number: usize) -> Ident {
    plain(&format!("__cut{number}"))
}

/// Where the elements of a row are, for all lines of a plane.
pub(super) fn edge(number: usize) -> Ident {
    plain(&format!("__edge{number}"))
}

/// The elements along a loop that an access reads.
pub(super) fn stretch(site: usize) -> Ident {
    var(&format!("__stretch{site}"), Span::call_site())
}

/// An empty row of a parameter, for code that the interior never reaches.
pub(super) fn dead(param: usize) -> Ident {
    var(&format!("__dead{param}"), Span::call_site())
}

/// Any other variable.
pub(super) fn plain(name: &str) -> Ident {
    var(name, Span::call_site())
}

/// A name of the user's, where it is used.
pub(super) fn respan(name: &Ident, span: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(span);
    name
}
