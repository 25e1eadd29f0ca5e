//! The descriptor of an instance as constant data, and the functions it points to.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::constructor::{text, trait_name, uniforms};
use super::names::Names;
use super::plan::Plan;
use super::{Instance, cpu, unroll};
use crate::kernel::model::{
    Body, Expr, Kernel, Native, NativeArg, OwnComponent, Param, Parts, ReduceOp, Role, Table,
};

/// Items of one instance: its types, entries and descriptor.
pub(super) fn instance(kernel: &Kernel, instance: &Instance, again: bool) -> TokenStream {
    let names = Names::new(kernel);
    let (core, rt) = (names.core(), names.rt());
    let name = &kernel.name;
    let aliases = kernel.generics.iter().zip(&instance.args).map(|(generic, arg)| {
        let name = &generic.name;
        match &generic.const_ty {
            Some(ty) => quote! {
                #[allow(non_upper_case_globals, dead_code)]
                const #name: #ty = #arg;
            },
            None => {
                // A type that is none for a kernel is reported at the list, and nowhere else: the
                // constant in its projection is then an error, and rustc is silent about the rest.
                let ok = format_ident!("__OK_{name}", span = Span::call_site());
                quote! {
                    #[allow(non_upper_case_globals, dead_code)]
                    const #ok: #core::primitive::usize = #rt::descriptor::instance::<#arg>();
                    #[allow(non_camel_case_types, dead_code)]
                    type #name = <#arg as #rt::descriptor::Instance<#ok>>::Type;
                }
            }
        }
    });
    let unrolled = kernel.body.as_ref().and_then(unroll::body);
    let plan =
        kernel.body.as_ref().map(|body| Plan::new(kernel, unrolled.as_ref().unwrap_or(body)));
    let (entries, entries_value) = match &plan {
        Some(plan) => {
            let (items, value) = cpu::entries(plan, instance.number);
            (items, quote!(#core::option::Option::Some(#value)))
        }
        None => (TokenStream::new(), quote!(#core::option::Option::None)),
    };
    let (functions, value) = descriptor(kernel, instance, plan.as_ref(), &entries_value);
    let statics = number(instance.number);
    let quiet = again.then(|| quote!(#[allow(warnings)]));
    let owner = if kernel.generics.is_empty() {
        quote! {
            impl #name {
                /// The facts of the kernel.
                pub const DESCRIPTOR: &'static #rt::KernelDescriptor = &#statics;
            }
        }
    } else {
        let (of, args) = (trait_name(kernel), &instance.args);
        let args = kernel.generics.iter().zip(args).map(|(generic, arg)| {
            if generic.const_ty.is_some() { quote!({ #arg }) } else { quote!(#arg) }
        });
        quote! {
            impl #of<#(#args),*> for #name {
                const DESCRIPTOR: &'static #rt::KernelDescriptor = &#statics;
            }
        }
    };
    quote! {
        #quiet
        static #statics: #rt::KernelDescriptor = {
            #(#aliases)*
            #entries
            #functions
            #value
        };
        #owner
    }
}

/// All instances of a kernel, by its type.
pub(super) fn all(kernel: &Kernel, n_instances: usize) -> TokenStream {
    let rt = Names::new(kernel).rt();
    let name = &kernel.name;
    let statics = (0..n_instances).map(number);
    quote! {
        impl #rt::descriptor::Kernel for #name {
            const DESCRIPTORS: &'static [&'static #rt::KernelDescriptor] = &[#(&#statics),*];
        }
    }
}

/// The static of an instance.
fn number(number: usize) -> Ident {
    format_ident!("__DESCRIPTOR_{number}", span = Span::call_site())
}

fn descriptor(
    kernel: &Kernel,
    instance: &Instance,
    plan: Option<&Plan<'_>>,
    entries: &TokenStream,
) -> (TokenStream, TokenStream) {
    let names = Names::new(kernel);
    let (core, rt) = (names.core(), names.rt());
    let mut functions = TokenStream::new();
    let params: Vec<TokenStream> = kernel
        .params
        .iter()
        .enumerate()
        .map(|(index, param)| parameter(kernel, plan, index, param, &mut functions))
        .collect();
    let plain = kernel.name.to_string();
    let plain = plain.trim_start_matches("r#");
    let shown: Vec<String> = instance.args.iter().map(text).collect();
    let name =
        if shown.is_empty() { plain.to_owned() } else { format!("{plain}<{}>", shown.join(", ")) };
    let signature =
        shown.iter().flat_map(|arg| arg.bytes().chain([0])).fold(kernel.signature, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
    let rank = kernel.rank as u8;
    let option = quote!(#core::option::Option);
    let inputs = match kernel.options.inputs {
        Some(inputs) => quote!(#option::Some(#inputs)),
        None => quote!(#option::None),
    };
    let (idempotent, fast_math, deterministic) =
        (kernel.options.idempotent, kernel.options.fast_math, kernel.options.deterministic);
    let needs = &kernel.options.needs;
    let (values, order) = order(kernel, &names);
    functions.extend(values);
    let parts = match &kernel.options.parts {
        Parts::Whole => quote!(#rt::descriptor::Parts::Whole),
        Parts::Inferred(_) => quote!(#rt::descriptor::Parts::Inferred),
        Parts::By(function) => {
            // Of its type alone, so that rustc speaks of nothing but the function.
            let name = Ident::new("__PARTS", Span::call_site());
            functions.extend(quote!(const #name: #rt::descriptor::PartFn = #function;));
            quote!(#rt::descriptor::Parts::By(#name))
        }
    };
    let search = match &kernel.options.search {
        Some(search) => quote!(#option::Some(#rt::descriptor::Search::#search)),
        None => quote!(#option::None),
    };
    let table = match &kernel.options.table {
        Some(Table { by_item, bytes, .. }) => {
            let bytes = match bytes {
                Some(bytes) => quote!(#option::Some(#bytes)),
                None => quote!(#option::None),
            };
            quote!(#option::Some(#rt::descriptor::Table { by_item: #by_item, bytes: #bytes }))
        }
        None => quote!(#option::None),
    };
    let slow = plan.map(|plan| slow(plan, &rt)).unwrap_or_default();
    let natives = kernel.options.natives.iter().map(|native| implementation(kernel, native));
    let at = kernel.name.span().start();
    let (line, column) = (at.line as u32, at.column as u32 + 1);
    let ir = match &kernel.body {
        Some(body) => {
            let (items, ir) = super::ir::kernel_ir(kernel, body);
            functions.extend(items);
            quote!(#option::Some(#ir))
        }
        None => quote!(#option::None),
    };
    // `debug_assertions` stays on where a user asks a debug build for optimised code.
    let unoptimised = if is_optimised(std::env::args()) {
        quote!(false)
    } else {
        quote!(#core::cfg!(debug_assertions))
    };
    let value = quote! {
        #rt::KernelDescriptor {
            version: #rt::descriptor::DESCRIPTOR_VERSION,
            name: #name,
            path: #core::module_path!(),
            signature: #signature,
            rank: #rank,
            params: &[#(#params),*],
            inputs: #inputs,
            flags: #rt::descriptor::Flags {
                idempotent: #idempotent,
                fast_math: #fast_math,
                deterministic: #deterministic,
            },
            order: #order,
            parts: #parts,
            search: #search,
            table: #table,
            needs: &[#(#rt::descriptor::Need::#needs),*],
            entries: #entries,
            ir: #ir,
            slow: &[#slow],
            implementations: &[#(#natives),*],
            file: #core::file!(),
            line: #line,
            column: #column,
            unoptimised: #unoptimised,
        }
    };
    (functions, value)
}

/// Whether the arguments of a compiler ask for optimised code: the last `opt-level` holds.
fn is_optimised(args: impl IntoIterator<Item = String>) -> bool {
    let (mut optimised, mut codegen) = (false, false);
    for arg in args {
        let option = match arg.strip_prefix("-C").or(arg.strip_prefix("--codegen=")) {
            Some(rest) => rest,
            None if codegen => &arg,
            None => "",
        };
        if let Some(level) = option.strip_prefix("opt-level=") {
            optimised = level != "0";
        }
        optimised |= arg == "-O";
        codegen = matches!(arg.as_str(), "-C" | "--codegen");
    }
    optimised
}

#[cfg(test)]
#[test]
fn the_level_is_that_of_the_crate() {
    let asks = |line: &str| is_optimised(line.split(' ').map(str::to_owned));
    assert!(asks("rustc --crate-name a -C opt-level=1 -C embed-bitcode=no"));
    assert!(asks("rustc -Copt-level=s") && asks("rustc --codegen=opt-level=3") && asks("rustc -O"));
    assert!(!asks("rustc -C embed-bitcode=no a.rs"));
    assert!(!asks("rustc -C opt-level=0") && !asks("rustc -C opt-level=2 -C opt-level=0"));
    assert!(!asks("rustc opt-level=3"), "not an option");
}

/// The phases, and the constants that they name: each of the type of an index, so that rustc says
/// where a value is none.
fn order(kernel: &Kernel, names: &Names<'_>) -> (TokenStream, TokenStream) {
    let (core, rt) = (names.core(), names.rt());
    let order = &kernel.options.order;
    if order.dimensions().next().is_none() {
        return (TokenStream::new(), quote!(#rt::descriptor::Order::NATURAL));
    }
    let sort_by = order.sort_by.iter().map(|dim| dim.number);
    let mut values = TokenStream::new();
    let group_by: Vec<TokenStream> = order
        .group_by
        .iter()
        .enumerate()
        .map(|(number, group)| {
            let dim = group.dim.number;
            let Some(value) = &group.value else {
                return quote!(#rt::descriptor::Group::From(#dim));
            };
            let name = format_ident!("__GROUP_{number}", span = Span::call_site());
            values.extend(quote!(const #name: #core::primitive::usize = #value;));
            quote!(#rt::descriptor::Group::Value(#dim, #name as #core::primitive::u64))
        })
        .collect();
    let order = quote! {
        #rt::descriptor::Order { sort_by: &[#(#sort_by),*], group_by: &[#(#group_by),*] }
    };
    (values, order)
}

fn slow(plan: &Plan<'_>, rt: &TokenStream) -> TokenStream {
    let mut sites = Vec::new();
    for slow in &plan.slow {
        let site = (slow.param, slow.line, slow.why);
        // Trips that are written out are one line.
        if !sites.contains(&site) {
            sites.push(site);
        }
    }
    let sites = sites.into_iter().map(|(param, line, why)| {
        let (param, line) = (plan.kernel.params[param].name.to_string(), line as u32);
        quote!(#rt::descriptor::SlowSite { param: #param, line: #line, why: #why })
    });
    quote!(#(#sites),*)
}

fn parameter(
    kernel: &Kernel,
    plan: Option<&Plan<'_>>,
    index: usize,
    param: &Param,
    functions: &mut TokenStream,
) -> TokenStream {
    let names = Names::new(kernel);
    let (rt, ir) = (names.rt(), names.ir());
    let (name, elem) = (param.name.to_string(), &param.elem);
    let roles = quote!(#rt::descriptor::Role);
    let role = match param.role {
        Role::Value => quote!(#roles::Value),
        Role::In => quote!(#roles::In),
        Role::InOut => quote!(#roles::InOut),
        Role::Out => quote!(#roles::Out),
        Role::OutPartial => quote!(#roles::OutPartial),
        Role::Scratch => {
            let len = format_ident!("__scratch_{index}", span = Span::call_site());
            functions.extend(uniform_fn(kernel, plan, &len, param.scratch_len.as_ref()));
            quote!(#roles::Scratch(#len))
        }
        Role::Reduce { op, into } => {
            let op = reduce_op(op);
            quote!(#roles::Reduce { op: #ir::ir::ReduceOp::#op, into: #into })
        }
        Role::Atomic => quote!(#roles::Atomic),
    };
    let own = param.own.iter().enumerate().map(|(component, own)| match own {
        OwnComponent::Free => quote!(#rt::descriptor::Component::Free),
        OwnComponent::Id(dim, None) => quote!(#rt::descriptor::Component::Id {
            dim: #dim,
            offset: #rt::descriptor::no_offset,
        }),
        OwnComponent::Id(dim, offset) => {
            let function = format_ident!("__own_{index}_{component}", span = Span::call_site());
            functions.extend(uniform_fn(kernel, plan, &function, offset.as_ref()));
            quote!(#rt::descriptor::Component::Id { dim: #dim, offset: #function })
        }
    });
    let (raw, always_written, rank) = (param.raw, param.always_written, param.rank as u8);
    quote! {
        #rt::ParamDescriptor {
            name: #name,
            role: #role,
            ty: <#elem as #ir::DevTy>::TY,
            elem: #rt::descriptor::Elem::of::<#elem>(),
            rank: #rank,
            own: &[#(#own),*],
            raw: #raw,
            always_written: #always_written,
        }
    }
}

/// A function of the launch's uniform facts; 0 where nothing is written.
fn uniform_fn(
    kernel: &Kernel,
    plan: Option<&Plan<'_>>,
    name: &Ident,
    value: Option<&Expr>,
) -> TokenStream {
    let names = Names::new(kernel);
    let (core, rt) = (names.core(), names.rt());
    let uniforms = uniforms();
    let value = match (value, plan) {
        (None, _) => quote!(#core::option::Option::Some(0)),
        (Some(value), Some(plan)) => plan.syms.checked(value),
        (Some(value), None) => {
            let empty = Body { locals: Vec::new(), n_sites: 0, block: Default::default() };
            super::sym::Syms::new(kernel, &empty).checked(value)
        }
    };
    quote! {
        #[allow(warnings, clippy::all, clippy::pedantic)]
        fn #name(#uniforms: &#rt::entry::Uniforms<'_>) -> #core::option::Option<#core::primitive::usize> {
            #value
        }
    }
}

fn reduce_op(op: ReduceOp) -> Ident {
    format_ident!("{}", format!("{op:?}"))
}

fn implementation(kernel: &Kernel, native: &Native) -> TokenStream {
    let names = Names::new(kernel);
    let (core, rt) = (names.core(), names.rt());
    let backend = native.backend.to_string();
    let code = quote!(#rt::descriptor::Code);
    let plain = kernel.name.to_string();
    let plain = plain.trim_start_matches("r#");
    let code = match (&native.file, &native.source, &native.path) {
        (Some(file), ..) => {
            // All of the call is at the name, where rustc then says that there is no such file.
            let core = names.core_at(file.span());
            let bytes = quote_spanned! {Span::call_site().located_at(file.span())=>
                #core::include_bytes!(#core::concat!(#core::env!("CARGO_MANIFEST_DIR"), "/", #file))
            };
            quote!(#code::Embedded(#file, #bytes))
        }
        (_, Some(source), _) => {
            // As a file of its language.
            let name = format!("{plain}.{}", if backend == "cuda" { "cu" } else { "cl" });
            quote! {
                #code::Embedded(#name, {
                    const __FLASH_SOURCE: &#core::primitive::str = #source;
                    __FLASH_SOURCE.as_bytes()
                })
            }
        }
        (_, _, Some(path)) => quote!(#code::Path(#path)),
        (None, None, None) => quote!(#code::Path("")),
    };
    let entry = native.entry.as_ref().map_or_else(|| quote!(#plain), |entry| quote!(#entry));
    let text =
        |text: &Option<syn::LitStr>| text.as_ref().map_or_else(|| quote!(""), |text| quote!(#text));
    let (family, options) = (text(&native.family), text(&native.build_options));
    let (block, grid, shared) = (&native.block, &native.grid, native.shared);
    let arg = |arg: &NativeArg| match *arg {
        NativeArg::Param(param) => {
            let param = param as u16;
            quote!(#rt::descriptor::NativeArg::Param(#param))
        }
        NativeArg::Len(param) => {
            let param = param as u16;
            quote!(#rt::descriptor::NativeArg::Len(#param))
        }
    };
    let args = native.args.iter().map(arg);
    let globals = native.globals.iter().map(|(name, by)| {
        let (name, value) = (name.to_string(), arg(by));
        quote!(#rt::descriptor::Global { name: #name, value: #value })
    });
    let (guarded, cooperative) = (native.guarded, native.cooperative);
    quote! {
        #rt::descriptor::Implementation {
            backend: #backend,
            code: #code,
            entry: #entry,
            family: #family,
            block: &[#(#block),*],
            grid: &[#(#grid),*],
            shared: #shared,
            args: &[#(#args),*],
            guarded: #guarded,
            options: #options,
            cooperative: #cooperative,
            globals: &[#(#globals),*],
        }
    }
}
