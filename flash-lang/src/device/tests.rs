//! What `#[flash::device]` writes, for reading, and that none of it is `unsafe`.

use proc_macro2::TokenStream;

/// Expands a device function and shows it as a file.
fn expand(args: &str, item: &str) -> String {
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let out = super::entry(tokens(args), tokens(item)).tokens;
    let text = out.to_string();
    assert!(!text.contains("compile_error"), "{text}");
    assert!(!text.contains("unsafe"), "{text}");
    prettyplease::unparse(&syn::parse2(out).expect("items"))
}

#[test]
fn a_function_and_the_type_that_carries_its_body() {
    insta::assert_snapshot!(expand(
        "",
        "/// Weight.\npub fn weight(m: Real, t: [f32; 2]) -> Real { let w = m * G; w + t[1] as Real }"
    ));
}

#[test]
fn std_is_replaced_and_fast_is_fast() {
    let text = expand("", "fn f(x: f32) -> f32 { math::exp(x.sqrt()) + f32::max(x, 1.0) }");
    assert!(text.contains("math::exp(::flash::__private::ir::math::sqrt(x))"), "{text}");
    assert!(text.contains("__value: f32 = ::flash::__private::ir::math::max(x, 1.0)"), "{text}");
    let text = expand("fast_math", "fn f(x: f32) -> f32 { x.powf(2.0) + math::sin(x) }");
    assert!(text.contains("::flash::__private::ir::math::fast::pow(x, 2.0)"), "{text}");
    assert!(text.contains("::flash::__private::ir::math::fast::sin(x)"), "{text}");
    assert!(text.contains("FloatMode::Fast"), "{text}");
}

#[test]
fn the_facade_may_have_another_name() {
    let text = expand("crate = other::facade", "pub(crate) fn f(x: u32) -> u32 { x >> 1 }");
    assert!(!text.contains("::flash"), "{text}");
    assert!(text.contains("impl other::facade::__private::ir::DeviceFn for f"), "{text}");
}
