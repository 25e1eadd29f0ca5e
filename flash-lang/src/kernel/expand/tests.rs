//! What `#[flash::kernel]` writes, kernel by kernel, for reading. What is the same for every kernel
//! (wrappers, descriptor) is shown once.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// Expands the one kernel of a source text.
fn expand(source: &str) -> syn::File {
    let (mut attrs, item) = match syn::parse_str::<syn::ItemFn>(source) {
        Ok(mut item) => (std::mem::take(&mut item.attrs), item.into_token_stream()),
        Err(_) => {
            let mut item: syn::ForeignItemFn = syn::parse_str(source).expect("a function");
            (std::mem::take(&mut item.attrs), item.into_token_stream())
        }
    };
    let at = attrs.iter().position(|attr| {
        attr.path().segments.last().is_some_and(|segment| segment.ident == "kernel")
    });
    let attr = attrs.remove(at.expect("the attribute"));
    let args = match attr.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let out = crate::kernel::entry(args, quote::quote!(#(#attrs)* #item)).tokens;
    let text = out.to_string();
    assert!(!text.contains("compile_error"), "{text}");
    syn::parse2(out).expect("items")
}

fn whole(source: &str) -> String {
    format!("{source}\n// ----\n{}", prettyplease::unparse(&expand(source)))
}

/// Of each descriptor, what is said of phases, parts and search, and the constants for it.
fn parts(source: &str) -> String {
    let file = prettyplease::unparse(&expand(source));
    let wanted = ["rank: ", "order: ", "parts: ", "search: ", "__GROUP", "__PARTS"];
    let lines = file.lines().map(str::trim);
    let shown = lines.filter(|line| wanted.iter().any(|word| line.contains(word)));
    format!("{source}\n// ----\n{}", shown.collect::<Vec<_>>().join("\n"))
}

/// The constructor, and of the hidden scope the functions that differ from kernel to kernel.
fn entry(source: &str) -> String {
    let mut shown = Vec::new();
    for item in expand(source).items {
        match item {
            syn::Item::Const(hidden) => collect(&hidden.expr, &mut shown),
            syn::Item::Fn(function) => shown.push(syn::Item::Fn(function)),
            _ => {}
        }
    }
    let file = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: shown };
    format!("{source}\n// ----\n{}", prettyplease::unparse(&file))
}

fn collect(expr: &syn::Expr, shown: &mut Vec<syn::Item>) {
    let syn::Expr::Block(block) = expr else { return };
    for stmt in &block.block.stmts {
        match stmt {
            syn::Stmt::Item(syn::Item::Static(instance)) => collect(&instance.expr, shown),
            syn::Stmt::Item(syn::Item::Fn(function)) => {
                let name = function.sig.ident.to_string();
                let differs = ["_rim", "_fast", "_other"].iter().any(|end| name.ends_with(end))
                    || name.starts_with("__own")
                    || name.starts_with("__scratch");
                if differs {
                    let mut function = function.clone();
                    function.attrs.clear();
                    shown.push(syn::Item::Fn(function));
                }
            }
            syn::Stmt::Item(syn::Item::Impl(body)) if body.unsafety.is_none() => {
                for item in &body.items {
                    if let syn::ImplItem::Fn(run) = item {
                        let (sig, block) = (&run.sig, &run.block);
                        shown.push(syn::parse_quote!(#sig #block));
                    }
                }
            }
            _ => {}
        }
    }
}

macro_rules! kernels {
    ($($how:ident $name:ident: $source:literal;)*) => {
        $(#[test]
        fn $name() {
            let text = $how($source);
            insta::with_settings!({ omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), text);
            });
        })*
    };
}

kernels! {
    whole saxpy: "/// y <- a x + y
#[flash::kernel(inputs = 2)]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}";
    whole declaration: "#[flash::kernel(inputs = 1, \
unsafe(cuda(file = \"kernels/blur.cu\", entry = \"blur_k\", block(16, 16))), \
unsafe(opencl(path = \"blur.cl\", args(out, image, n = image.len()))))]
pub(crate) fn blur(image: View<'_, f32, 2>, #[out] out: ViewMut<'_, f32, 2>);";
    whole ordered: "#[flash::kernel(sort_by(z, x), group_by(y), group_by(1, LAST), \
part_by = blocks, searchable(exact), unsafe(cpu(path = \"wave.so\")))]
fn wave(#[out] y: ViewMut<'_, u32, 2>);";
    parts inferred: "#[flash::kernel(group_by(2, M), part_by, M = [1, 2])]
fn inferred<const M: usize>(y: &mut [usize]) {
    y[global_id(0)] = M;
}";
    entry phases: "#[flash::kernel(group_by(2), rank = 3)]
fn phases(x: &[f32], #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let i = global_id(0);
    let row = phase();
    let mut sum = 0.0;
    if i >= row {
        for k in 0..phase() {
            sum += x[i - row] * k as f32;
        }
    }
    y[[partition() % 2, i]] = sum;
}";
    entry stencil: "#[flash::kernel]
fn stencil(x: &[f32], #[out(partial)] y: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() {
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
    }
}";
    entry five_points: "#[flash::kernel]
fn five_points(x: View<'_, f64, 2>, #[out] y: ViewMut<'_, f64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (h, w) = (x.extent(0), x.extent(1));
    if i == 0 || i + 1 == w || j == 0 || j + 1 == h {
        y[[j, i]] = x[[j, i]];
    } else {
        y[[j, i]] = 0.25 * (x[[j, i - 1]] + x[[j, i + 1]] + x[[j - 1, i]] + x[[j + 1, i]]);
    }
}";
    entry dot: "#[flash::kernel]
fn dot(x: &[f64], y: &[f64], #[reduce(+)] s: &mut f64) {
    let i = global_id(0);
    *s += x[i] * y[i];
}";
    entry range_of_rows: "#[flash::kernel]
fn range_of_rows(x: View<'_, i32, 2>, #[reduce(min)] lo: &mut i32, #[reduce(max, into)] hi: &mut i32) {
    let v = x[[global_id(1), global_id(0)]];
    *lo = lo.min(v);
    *hi = hi.max(v);
}";
    entry histogram: "#[flash::kernel]
fn histogram(x: &[u8], bins: &[Atomic<u32>]) {
    bins[x[global_id(0)] as usize].fetch_add(1);
}";
    entry scatter: "#[flash::kernel]
fn scatter(ix: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = 0.0;
    unsafe { y[ix[i] as usize] = x[i]; }
}";
    entry gather: "#[flash::kernel]
fn gather(ix: &[u32], x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[ix[i] as usize];
}";
    entry generic: "#[flash::kernel(T = [f32, f64])]
fn axpy<T>(a: T, x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] += a * x[i];
}";
    entry taps: "#[flash::kernel(N = [3])]
fn taps<const N: usize>(w: &[f32], x: &[f32], #[out(partial)] y: &mut [f32]) {
    let i = global_id(0);
    let mut sum = 0.0;
    for k in 0..N {
        sum += w[k] * x[i + k];
    }
    y[i] = sum;
}";
    entry side_by_side: "#[flash::kernel]
fn side_by_side(a: View<'_, f32, 2>, b: View<'_, f32, 2>, most: f32, #[out] c: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = 0.0;
    for k in 0..a.extent(1) {
        sum += a[[j, k]] * b[[k, i]];
    }
    while sum > most && sum > 1.0 {
        sum *= 0.5;
    }
    c[[j, i]] = sum;
}";
    entry structures: "#[flash::kernel]
fn structures(dt: f32, cells: &mut [Cell]) {
    let i = global_id(0);
    cells[i].rho += dt * cells[i].v[0];
}";
    entry free_components: "#[flash::kernel]
fn free_components(k: usize, vars: ViewMut<'_, f64, 2>) {
    let i = global_id(0);
    vars[[0, i]] += vars[[1, i]];
    vars[[k, i]] = 0.0;
}";
    entry places_in_a_loop: "#[flash::kernel]
fn places_in_a_loop(vars: ViewMut<'_, f64, 2>) {
    let i = global_id(0);
    for k in (0..4).rev() {
        vars[[k, i]] *= 2.0;
    }
}";
    entry transpose: "#[flash::kernel]
fn transpose(x: View<'_, u8, 2>, #[out] y: ViewMut<'_, u8, 2>) {
    let (r, c) = (global_id(1), global_id(0));
    y[[c, r]] = x[[r, c]];
}";
    entry offset: "#[flash::kernel]
fn offset(first: usize, x: &[i64], #[out(partial)] y: &mut [i64]) {
    let i = global_id(0);
    let at = first * 2;
    y[i + at] = x[i + at] + 1;
}";
    entry scratch: "#[flash::kernel]
fn scratch(n: usize, x: &[f32], #[scratch(2 * n)] t: &mut [f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    t[i] = x[i] * 0.5;
    y[i] = t[i] * t[i];
}";
    entry volume: "#[flash::kernel]
fn volume(x: View<'_, f32, 3>, #[out] y: ViewMut<'_, f32, 3>) {
    let (k, j, i) = (global_id(2), global_id(1), global_id(0));
    y[[k, j, i]] = if k > 0 && k + 1 < x.extent(0) { x[[k + 1, j, i]] - x[[k - 1, j, i]] } else { 0.0 };
}";
    entry fast_math: "#[flash::kernel(fast_math, idempotent)]
fn decay(rate: f32, #[out] y: &mut [f32]) {
    let i = global_id(0);
    let mut sum = math::exp(-rate * i as f32).min(1.0);
    sum -= rate * sum;
    y[i] = sum + 2.0 * (1.0 - rate * sum);
}";
    entry halves: "#[flash::kernel]
fn halves(n: usize, x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    if i < n / 2 {
        y[i] = x[i];
    } else {
        y[i] = -x[i - 1];
    }
}";
    entry tile: "#[flash::kernel]
fn tile(a: View<'_, f32, 2>, b: View<'_, f32, 2>, scale: &[f32], #[out] c: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = 0.0;
    for k in 0..a.extent(1) {
        sum += a[[j, k]] * b[[k, i]];
    }
    c[[j, i]] = scale[i] * sum;
}";
    entry early_return: "#[flash::kernel]
fn early_return(n: usize, x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    if i >= n {
        return;
    }
    let mut v = x[i];
    while v % 2 == 0 && v > 0 {
        v /= 2;
    }
    y[i] = v;
}";
}

/// The tokens, those of groups too.
fn flat(tokens: TokenStream, into: &mut Vec<TokenTree>) {
    for token in tokens {
        let inner = if let TokenTree::Group(group) = &token { Some(group.stream()) } else { None };
        into.push(token);
        flat(inner.unwrap_or_default(), into);
    }
}

#[test]
fn a_file_that_is_missing_is_an_error_at_its_name() {
    let source = "#[flash::kernel(unsafe(opencl(file = \"k.cl\", entry = \"k\")))]
fn k(x: &[f32], #[out] y: &mut [f32]);";
    let mut tokens = Vec::new();
    flat(expand(source).into_token_stream(), &mut tokens);
    let name = tokens.iter().position(|token| token.to_string() == "include_bytes");
    let name = name.expect("the file is embedded");
    // From `__core ::` to the parenthesis: rustc takes the whole call as the place of its error.
    let places = tokens[name - 3..name + 3].iter().map(|token| {
        let span = token.span();
        (span.start().line, span.start().column..span.end().column)
    });
    let literal = source.find("\"k.cl\"").expect("its literal");
    let literal = (1, literal..literal + "\"k.cl\"".len());
    assert_eq!(places.collect::<Vec<_>>(), vec![literal; 6]);
}
