//! Expansions as snapshots, and what is reported where. Whether rustc accepts an expansion is the
//! business of the facade's tests.

use proc_macro2::TokenStream;

use super::{entry, front};

/// The expansion of a pipeline, formatted.
fn expansion(source: &str) -> String {
    let tokens: TokenStream = source.parse().unwrap();
    let expression = entry(tokens).tokens;
    let file: syn::File = syn::parse2(quote::quote!(fn pipeline() { #expression })).unwrap();
    prettyplease::unparse(&file)
}

/// The rules a pipeline breaks, each with the token it is reported at.
fn broken(source: &str) -> Vec<(&'static str, String)> {
    let tokens: TokenStream = source.parse().unwrap();
    let (_, errors) = front(tokens);
    let at = |span: proc_macro2::Span| span.source_text().unwrap_or_default();
    errors
        .iter()
        .flat_map(|errors| errors.iter())
        .map(|error| (error.rule.name, at(error.span)))
        .collect()
}

macro_rules! snapshots {
    ($($name:ident: $source:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(broken($source), []);
            insta::with_settings!({ description => $source, omit_expression => true }, {
                insta::assert_snapshot!(expansion($source));
            });
        }
    )*};
}

snapshots! {
    one_launch: "in rt; saxpy(2.0, &x, &mut y)[n];";
    launch_and_task: "in rt; blur(&image, &mut out)[image.space()]; store(&out, &writer);";
    loop_that_names_no_variable: "in rt;
        for _ in 0..steps { flux(&state, &mut residual)[n]; advance(&residual, &mut state)[n]; }";
    variable_in_arguments: "in rt;
        for step in 0..steps { advance(step, step as f32 * dt, &residual, &mut state)[n]; }";
    variable_in_space_and_inner_bound: "in rt;
        for i in 0..n { for j in i..=n { update(&column, &mut rest)[n - j, i + 1]; } }";
    view_offset: "in rt;
        for frame in 0..frames { sobel(&film.at(frame), &mut edges.at(frame))[film.row_space()]; }";
    let_outside_and_inside: "in rt;
        let half = dt / 2.0;
        for step in 0..n {
            let t = step as f32 * dt;
            let (s, c) = (t + half).sin_cos();
            let fixed = half * 3.0;
            rotate(s, c, fixed, &mut x)[n];
        }";
    shadowed: "in rt;
        for i in 0..n {
            let k = i * 2;
            let i = 7;
            k1(k, i, &mut x)[n];
            for i in 0..i { k2(k, i, &mut x)[n]; }
        }";
    offsets_that_follow_a_variable: "in rt;
        for f in 1..n {
            let g = (f + 1) as usize;
            let h = g % 3;
            blend(&x.at(f - 1), &x.at(2 * g), &x.at(h), &x.at(n + f), &mut y.at(table[f]))[m];
            for g in 0..f { blend(&x.at(f), &x.at(3 + (g + f) - f), &x.at(g * f), &x.at(g + f), &mut y.at(g))[m]; }
        }";
    calls_on_a_launch: "in rt;
        for v in 0..n { m::step::<f32>(v, &x.at(v), &mut y).sort_by([1, 0]).when(v % 2 == 0)[n]; }
        gpu.kernels().blur(&x, &mut y).partitions(2)[n];";
    swap_in_a_loop: "in rt; for _ in 0..n { relax(&a, &mut b)[m]; swap(a, b); }";
    other_facade: "crate = crate::gpu; in &self.rt; m::fill::<f32>(0.0, &mut x)[n];";
    closure_task_with_view: "in rt;
        for f in 0..frames {
            Task::new(\"sum\", (&film.at(f), &mut sums), |(film, mut sums)| sums[[0]] += film[[0]]);
        }";
    decisions: "in rt;
        for step in 0..n {
            if step % 10 == 9 && !(&done ^ verbose) { store(&state, &writer); }
            else if &norm > 1e-6 || step << 1 >= f::<u32>(x) { a(&x)[n]; }
            else { b(&x)[n]; }
        }";
    loop_on_a_condition: "in rt; while &norm > 1e-6, max 1_000 { relax(&a, &mut b, &mut norm)[n]; swap(a, b); }";
    bounds_and_spaces_from_cells: "in rt; for _ in 0..&trips { for k in &from..=7 { a(k, &x)[&n]; } }";
    state_of_a_host_task: "in rt;
        for f in 0..frames { store(&image, format!(\"frame-{f}.png\"), &options); }";
}

#[test]
fn what_could_be_read_stands_beside_the_errors() {
    let source = "in rt;
        good(&x)[n];
        bad bad;
        for v in xs.iter() { inside(v, &x)[n]; }
        after(&x)[n]
    ";
    let rules: Vec<_> = broken(source).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, ["unknown_statement", "other_iterator", "missing_semicolon"]);
    insta::with_settings!({ description => source, omit_expression => true }, {
        insta::assert_snapshot!(expansion(source));
    });
}

#[test]
fn three_mistakes_three_errors() {
    let found = broken(
        "in rt;
         a(&x)[n]
         b(&x)[];
         for v in 0..3 { c(&x[v])[n]; }
         d(&x)[n];",
    );
    let expected = [("missing_semicolon", "]"), ("empty_space", "["), ("array_of_loop", "v")];
    assert_eq!(found, expected.map(|(rule, at)| (rule, at.to_owned())));
}

#[test]
fn each_rule_at_its_token() {
    let cases = [
        ("saxpy(&x)[n];", "missing_rt", "saxpy"),
        ("in;", "missing_rt", "in"),
        ("crat = x; in rt;", "unknown_option", "crat"),
        ("in rt; x = 3;", "unknown_statement", "x"),
        ("in rt; break;", "unknown_statement", "break"),
        ("in rt; loop { a(&x)[n]; }", "unknown_statement", "loop"),
        ("in rt; a(&x)[n]", "missing_semicolon", "]"),
        ("in rt; if &p { a(&x)[n]; } else b(&x)[n];", "missing_block", "else"),
        ("in rt; if &p;", "missing_block", "if"),
        ("in rt; if { a(&x)[n]; }", "condition", "if"),
        ("in rt; if &p && { a(&x)[n]; }", "condition", "&"),
        ("in rt; if a < { b(&x)[n]; }", "condition", "<"),
        ("in rt; if a < b < c { b(&x)[n]; }", "condition", "<"),
        ("in rt; while &norm > 1e-6 { a(&x)[n]; }", "while_without_max", "while"),
        ("in rt; while &norm > 1e-6, max { a(&x)[n]; }", "while_without_max", "while"),
        ("in rt; while &norm > 1e-6, 10 { a(&x)[n]; }", "while_without_max", "while"),
        ("in rt; for v in (0..3).rev() { a(v)[n]; }", "other_iterator", "("),
        ("in rt; for v in 0.. { a(v)[n]; }", "open_range", "."),
        ("in rt; for (a, b) in 0..3 { }", "loop_pattern", "("),
        ("in rt; for self in 0..3 { k(self)[n]; }", "loop_pattern", "self"),
        ("in rt; for v in 0..3;", "loop_without_body", "for"),
        ("in rt; for v in 0..3 { k(&films[v])[n]; }", "array_of_loop", "v"),
        ("in rt; for v in 0..3 { k(&film.view(v..v + 1))[n]; }", "array_of_loop", "v"),
        ("in rt; for v in 0..3 { let x = &f[v]; k(&x)[n]; }", "array_of_loop", "x"),
        (
            "in rt; for v in 0..3 { Task::new(\"t\", (&x,), |(x,)| x[[v]]); }",
            "closure_of_loop",
            "v",
        ),
        ("in rt; for v in 0..3 { kernels[v](&x)[n]; }", "unknown_statement", "kernels"),
        ("in rt; for v in 0..3 { v.run(&x)[n]; }", "callee_of_loop", "v"),
        ("in rt; for v in 0..3 { k(v, &x).pin(0).v::<v>(1)[n]; }", "callee_of_loop", "v"),
        ("in rt; swap(a, b, c);", "swap_arity", "swap"),
        ("in rt; for v in 0..3 { swap(a, x.at(v)); }", "swap_of_loop", "v"),
        ("in rt; k(&x)[];", "empty_space", "["),
        ("in rt; let x 3;", "let_syntax", "3"),
        ("in rt; let x = 3", "let_syntax", "let"),
        ("in rt; let x;", "let_without_value", "let"),
    ];
    for (source, rule, at) in cases {
        assert_eq!(broken(source), [(rule, at.to_owned())], "{source}");
    }
}

#[test]
fn loops_nest_eight_deep() {
    let nest = |depth: usize| {
        let open: String = (0..depth).map(|k| format!("for v{k} in 0..2 {{")).collect();
        format!("in rt; {open} k(v0, &mut x)[n]; {}", "}".repeat(depth))
    };
    assert_eq!(broken(&nest(8)), []);
    assert_eq!(broken(&nest(9)), [("loops_too_deep", "for".to_owned())]);
}

#[test]
fn only_names_of_locals_depend_on_a_loop() {
    // In none of these does `v` stand for the variable.
    for other in [
        "x.v",
        "x.v()",
        "v::new()",
        "S { v: 1 }",
        "v!(1)",
        "f::<'v>()",
        "\"{v}\"",
        "xs.map(|v| v + 1)",
        "a | b, |a, (v, _)| { f(v) }",
    ] {
        let text = expansion(&format!("in rt; for v in 0..3 {{ k({other}, &mut y)[n]; }}"));
        assert!(!text.contains("lazy("), "{other}: {text}");
    }
    let text = expansion("in rt; for _ in 0..3 { k(|_| 1, f(_), &mut y)[n]; }");
    assert!(!text.contains("lazy("), "{text}");
    for use_of in ["v", "x[v]", "a..v", "S { v }", "f(v)", "-v", "v != 3", "format!(\"{v:3}\")"] {
        let text = expansion(&format!("in rt; for v in 0..3 {{ k({use_of}, &mut y)[n]; }}"));
        assert!(text.contains("lazy("), "{use_of}: {text}");
    }
}
