//! A checked kernel as tokens: constructor, type, descriptor, CPU entries, constant IR. It cannot
//! fail, and what it writes holds no `unsafe` but the user's own.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Kernel;

mod abreast;
mod body;
mod cast;
mod compound;
mod constructor;
mod contract;
mod cpu;
mod descriptor;
mod early;
mod edges;
mod fast;
mod gain;
mod group;
pub(crate) mod ir;
mod ir_expr;
mod lines;
mod math;
mod names;
mod plan;
mod planes;
pub(crate) mod probe;
pub(crate) mod shadows;
mod sides;
mod stretch;
mod sweep;
mod sym;
#[cfg(test)]
mod tests;
mod tile;
mod total;
mod unroll;
mod walk;

/// Everything that `#[flash::kernel]` writes for a kernel.
pub fn kernel(kernel: &Kernel) -> TokenStream {
    let constructor = constructor::constructor(kernel);
    let ty = constructor::ty(kernel);
    let instances = instances(kernel);
    let items = instances
        .iter()
        .enumerate()
        .map(|(number, instance)| descriptor::instance(kernel, instance, number > 0));
    let all = descriptor::all(kernel, instances.len());
    let aliases = names::Names::new(kernel).aliases();
    let scope = constructor::scope_attrs(kernel);
    let shadows = kernel
        .body
        .as_ref()
        .and_then(|body| shadows::guard(&kernel.krate, &kernel.params, body, 0));
    let unit = kernel.body.is_some().then(|| unit(kernel));
    quote! {
        #constructor
        #ty
        #unit
        #(#scope)*
        #[doc(hidden)]
        const _: () = {
            #aliases
            #(#items)*
            #all
            #shadows
        };
    }
}

/// The type whose methods the CPU entries are. rustc compiles a module at a time, and methods with
/// the module of their type: so an edit of a kernel recompiles that kernel alone, and kernels compile
/// in parallel.
/// Nothing else is inside, for the names that a body uses mean what they mean outside.
fn unit(kernel: &Kernel) -> TokenStream {
    let (scope, unit) = (constructor::scope_attrs(kernel), names::Names::new(kernel).item("unit"));
    quote! {
        #(#scope)*
        #[doc(hidden)]
        #[allow(warnings)]
        mod #unit {
            pub(super) struct Unit<const INSTANCE: usize>;
        }
    }
}

/// One choice of the type and const parameters.
struct Instance {
    /// Its number in declaration order.
    number: usize,
    /// One argument for each generic parameter.
    args: Vec<TokenStream>,
}

/// Every combination of the instance lists, the last list fastest; one without arguments for a
/// kernel that is not generic.
fn instances(kernel: &Kernel) -> Vec<Instance> {
    let mut all = vec![Vec::new()];
    for generic in &kernel.generics {
        all = all
            .iter()
            .flat_map(|args: &Vec<TokenStream>| {
                generic.instances.iter().map(|instance| {
                    let mut args = args.clone();
                    args.push(instance.clone());
                    args
                })
            })
            .collect();
    }
    all.into_iter().enumerate().map(|(number, args)| Instance { number, args }).collect()
}
