//! The checked model of kernels, against what a reader of the source says.

use proc_macro2::TokenStream;

use crate::kernel::model::{AccessClass, Kernel, OwnComponent, Role};

fn check(args: &str, item: &str) -> Kernel {
    let parse = |text: &str| -> TokenStream { text.parse().expect("tokens") };
    match crate::kernel::check(parse(args), parse(item)) {
        Ok(kernel) => kernel,
        Err(errors) => panic!("{:#?}", errors.iter().collect::<Vec<_>>()),
    }
}

fn rules(args: &str, item: &str) -> Vec<&'static str> {
    let parse = |text: &str| -> TokenStream { text.parse().expect("tokens") };
    match crate::kernel::check(parse(args), parse(item)) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|error| error.rule.name).collect(),
    }
}

fn classes(kernel: &Kernel, param: usize) -> Vec<AccessClass> {
    let mut out = Vec::new();
    let body = kernel.body.as_ref().expect("a body");
    crate::body::walk::accesses(&body.block, &mut |access, _| {
        if access.param == param {
            out.push(access.class);
        }
    });
    out
}

fn own(kernel: &Kernel, param: usize) -> Vec<Option<u8>> {
    kernel.params[param]
        .own
        .iter()
        .map(|part| match part {
            OwnComponent::Id(dim, None) => Some(*dim),
            OwnComponent::Id(dim, Some(_)) => Some(*dim + 10),
            OwnComponent::Free => None,
        })
        .collect()
}

#[test]
fn saxpy() {
    let kernel = check(
        "inputs = 2",
        "fn saxpy(a: f32, x: &[f32], y: &mut [f32]) { let i = global_id(0); y[i] = a * x[i] + y[i]; }",
    );
    assert_eq!(kernel.rank, 1);
    assert_eq!(own(&kernel, 2), [Some(0)]);
    assert_eq!(classes(&kernel, 1), [AccessClass::Affine]);
    assert_eq!(classes(&kernel, 2), [AccessClass::Own, AccessClass::Own]);
    // It is read before it is written.
    assert!(!kernel.params[2].always_written);
}

#[test]
fn sobel() {
    let kernel = check(
        "",
        "fn sobel(im: View<'_, u8, 2>, #[out(partial)] out: ViewMut<'_, u8, 2>) {
            let (j, i) = (global_id(1), global_id(0));
            let (h, w) = (im.extent(0), im.extent(1));
            if j > 0 && j + 1 < h && i > 0 && i + 1 < w {
                let m = im[[j - 1, i + 1]] as f32;
                out[[j, i]] = m as u8;
            }
        }",
    );
    assert_eq!(kernel.rank, 2);
    assert_eq!(kernel.params[1].role, Role::OutPartial);
    assert_eq!(own(&kernel, 1), [Some(1), Some(0)]);
    assert_eq!(classes(&kernel, 0), [AccessClass::Affine]);
    assert!(!kernel.params[1].always_written);
    let locals = &kernel.body.as_ref().expect("a body").locals;
    let by_name = |name: &str| locals.iter().find(|local| local.name == name).expect("a local");
    assert_eq!((by_name("i").id_of, by_name("j").id_of), (Some(0), Some(1)));
    assert!(by_name("h").hoistable && !by_name("h").varying);
    assert!(by_name("m").varying && !by_name("m").hoistable);
}

#[test]
fn written_on_every_path() {
    let kernel = check(
        "",
        "fn f(x: &[f32], #[out] y: &mut [f32]) {
            let i = global_id(0);
            if x[i] > 0.0 { y[i] = 1.0; return; } else if x[i] < 0.0 { y[i] = 2.0; } else { y[i] = 3.0; }
        }",
    );
    assert!(kernel.params[1].always_written);
    let kernel = check(
        "",
        "fn f(x: &[f32], #[out] y: &mut [f32]) {
            let i = global_id(0);
            if x[i] > 0.0 { return; }
            y[i] = 1.0;
        }",
    );
    assert!(!kernel.params[1].always_written);
}

#[test]
fn offsets_and_free_components() {
    let kernel = check(
        "",
        "fn f(first: usize, y: &mut [f32], v: ViewMut<'_, f32, 2>) {
            let i = global_id(0);
            y[i + first] += 1.0;
            for k in 0..v.extent(0) { v[[k, i]] = y[first + i]; }
        }",
    );
    assert_eq!(own(&kernel, 1), [Some(10)]);
    assert_eq!(own(&kernel, 2), [None, Some(0)]);
}

#[test]
fn unsafe_makes_raw() {
    let kernel = check(
        "",
        "fn f(ix: &[u32], x: &[f32], y: &mut [f32]) {
            let i = global_id(0);
            unsafe { y[ix[i] as usize] = x[i]; }
        }",
    );
    assert!(kernel.params[2].raw && !kernel.params[0].raw);
    assert_eq!(classes(&kernel, 2), [AccessClass::Unchecked]);
}

#[test]
fn race_rule() {
    let case = |body: &str| {
        rules(
            "",
            &format!(
                "fn f(w: usize, ix: &[u32], y: &mut [f32], m: ViewMut<'_, f32, 2>) {{ {body} }}"
            ),
        )
    };
    assert_eq!(case("let i = global_id(0); y[i / 2] = 0.0;"), ["own_arithmetic"]);
    assert_eq!(
        case("let (j, i) = (global_id(1), global_id(0)); y[j * w + i] = 0.0;"),
        ["own_arithmetic"]
    );
    assert_eq!(case("y[ix[global_id(0)] as usize] = 0.0;"), ["own_scatter"]);
    assert_eq!(case("let i = global_id(0); y[i] = y[i + 1];"), ["neighbour_read"]);
    assert_eq!(case("let i = global_id(0); y[i] = 1.0; y[i + w] = 1.0;"), ["own_offset"]);
    assert_eq!(
        case("let (j, i) = (global_id(1), global_id(0)); m[[j, i]] = 1.0; m[[i, j]] = 1.0;"),
        ["own_transposed"]
    );
    assert_eq!(
        case("let (j, i) = (global_id(1), global_id(0)); m[[j, i]] = 0.0; y[i] = 1.0;"),
        ["own_misses"]
    );
    assert_eq!(case("let i = global_id(0); let mut i = i; i += 1; y[i] = 0.0;"), ["own_scatter"]);
}

#[test]
fn uniformity() {
    let kernel = check(
        "",
        "fn f(n: usize, x: &[f32], y: &mut [f32]) {
            let i = global_id(0);
            let mut s = 0.0;
            let mut t = 0;
            let mut u = 0;
            for k in 0..n { s += x[k]; t += 1; if x[i] > 0.0 { break; } }
            for k in 0..n { u += k; }
            y[i] = s + t as f32 + u as f32;
        }",
    );
    let locals = &kernel.body.as_ref().expect("a body").locals;
    let by_name = |name: &str| locals.iter().find(|local| local.name == name).expect("a local");
    assert!(by_name("s").varying && by_name("t").varying && !by_name("u").varying);
}

#[test]
fn attributes_raise_the_rank() {
    let body = "fn f(y: &mut [f32]) { y[global_id(0)] = 1.0; }";
    let rank = |args| check(args, body).rank;
    assert_eq!((rank(""), rank("group_by(2)"), rank("sort_by(x, z)")), (1, 2, 3));
    assert_eq!((rank("group_by(y), rank = 3"), rank("rank = 2")), (3, 2));
    let bodiless = "fn f(y: ViewMut<'_, f32, 2>);";
    let rank = |args| check(args, bodiless).rank;
    assert_eq!((rank(""), rank("group_by(3, 7)"), rank("group_by(1), rank = 1")), (2, 3, 1));
    assert_eq!(rules("group_by(2), rank = 1", bodiless), ["dimension_within_rank"]);
    // Its own place still has the ids that the body uses.
    assert_eq!(own(&check("group_by(2)", body), 0), [Some(0)]);
}

#[test]
fn order_of_attributes() {
    let kernel = check(
        "group_by(2, 1), sort_by(3, y), group_by(x), group_by(2, 1 + 1), part_by = a::f",
        "fn f(y: &mut [f32]) { y[global_id(0)] = 1.0; }",
    );
    let order = &kernel.options.order;
    let sorted: Vec<u8> = order.sort_by.iter().map(|dim| dim.number).collect();
    let grouped: Vec<_> =
        order.group_by.iter().map(|group| (group.dim.number, group.value.is_some())).collect();
    assert_eq!((sorted, grouped), (vec![2, 1], vec![(1, true), (0, false), (1, true)]));
    assert!(matches!(kernel.options.parts, crate::kernel::model::Parts::By(_)));
}

#[test]
fn phases_are_uniform_and_late() {
    let case = |body: &str| {
        rules(
            "",
            &format!(
                "fn f(n: usize, x: &[f32], y: &mut [f32], v: ViewMut<'_, f32, 2>) {{ {body} }}"
            ),
        )
    };
    assert!(
        case("let i = global_id(0); v[[phase() % 2, i]] = v[[1 - phase() % 2, i]];").is_empty()
    );
    assert!(case("let p = phase(); v[[p, global_id(0)]] = x[global_id(0) + p];").is_empty());
    assert_eq!(case("y[global_id(0) + phase()] = 1.0;"), ["offset_of_phase"]);
    assert_eq!(
        case("let a = partition() + 1; let b = n * a; y[global_id(0) + b] = 1.0;"),
        ["offset_of_phase"]
    );
    assert_eq!(case("y[global_id(0) * phase()] = 1.0;"), ["own_arithmetic"]);
    // Names of the user's are what they are bound to.
    assert!(
        rules("", "fn f(phase: usize, y: &mut [usize]) { y[global_id(0)] = phase; }").is_empty()
    );
    assert!(rules("", "fn f(y: &mut [usize]) { y[global_id(0)] = self::phase(1); }").is_empty());
}

#[test]
fn three_mistakes() {
    let found = rules(
        "inputs = 1, prat_by = f",
        "async fn f(a: f32, x: &[f32], y: &mut [f32]) { x[global_id(0)] = 1.0; }",
    );
    // As they stand in the source; options and item are two texts here.
    assert_eq!(found, ["no_async", "inputs_count", "unknown_option", "write_to_input"]);
}

#[test]
fn reductions() {
    let ok = "fn f(x: &[f32], #[reduce(min)] s: &mut f32, #[reduce(+)] t: &mut f32) {
        let i = global_id(0); *s = s.min(x[i]); *s = (*s).min(2.0); *t += x[i]; *t = *t + x[i]; }";
    assert!(rules("", ok).is_empty());
    let wrong = "fn f(x: &[f32], #[reduce(min)] s: &mut f32) { *s += x[global_id(0)]; }";
    assert_eq!(rules("", wrong), ["reduce_update"]);
    let read = "fn f(y: &mut [f32], #[reduce(min)] s: &mut f32) { y[global_id(0)] = *s; }";
    assert_eq!(rules("", read), ["reduce_read"]);
}

#[test]
fn declarations() {
    let kernel = check(
        "inputs = 1, unsafe(cuda(file = \"k.cu\", block(16, 16), args(out, n = image.len()))), \
         unsafe(fpga(path = \"blur.aocx\"))",
        "fn blur(image: View<'_, f32, 2>, #[out] out: ViewMut<'_, f32, 2>);",
    );
    assert_eq!(kernel.rank, 2);
    assert!(kernel.body.is_none());
    assert_eq!(kernel.options.natives.len(), 2);
}
