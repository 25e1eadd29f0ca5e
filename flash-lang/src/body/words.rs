//! The words of the body language: functions of `flash::math`, methods of `Atomic`, reserved names.

use proc_macro2::Span;

/// Functions of `flash::math` and their number of arguments, the receiver counted.
pub(crate) const MATH: &[(&str, usize)] = &[
    ("abs", 1),
    ("abs_diff", 2),
    ("atan", 1),
    ("atan2", 2),
    ("ceil", 1),
    ("clamp", 3),
    ("copysign", 2),
    ("cos", 1),
    ("count_ones", 1),
    ("div_euclid", 2),
    ("erf", 1),
    ("exp", 1),
    ("exp2", 1),
    ("floor", 1),
    ("fract", 1),
    ("from_bits", 1),
    ("hypot", 2),
    ("is_finite", 1),
    ("is_nan", 1),
    ("leading_zeros", 1),
    ("ln", 1),
    ("log10", 1),
    ("log2", 1),
    ("max", 2),
    ("min", 2),
    ("mul_add", 3),
    ("pow", 2),
    ("powi", 2),
    ("recip", 1),
    ("rem_euclid", 2),
    ("rotate_left", 2),
    ("rotate_right", 2),
    ("round", 1),
    ("round_ties_even", 1),
    ("rsqrt", 1),
    ("saturating_add", 2),
    ("saturating_sub", 2),
    ("signum", 1),
    ("sin", 1),
    ("sqrt", 1),
    ("tan", 1),
    ("tanh", 1),
    ("to_bits", 1),
    ("trailing_zeros", 1),
    ("trunc", 1),
    ("wrapping_add", 2),
    ("wrapping_mul", 2),
    ("wrapping_neg", 1),
    ("wrapping_sub", 2),
];

/// Functions of complex numbers and their number of arguments, the number counted. `new` stands behind the
/// type.
pub(crate) const COMPLEX: &[(&str, usize)] =
    &[("conj", 1), ("inv", 1), ("l1_norm", 1), ("norm_sqr", 1), ("scale", 2), ("unscale", 2)];

/// The number of arguments of a function of complex numbers.
pub(crate) fn complex_arity(name: &str) -> Option<usize> {
    COMPLEX.iter().find(|(known, _)| *known == name).map(|(_, arity)| *arity)
}

/// The number of arguments of a math function; `powf` is another name of `pow`.
pub(crate) fn math_arity(name: &str) -> Option<usize> {
    let name = if name == "powf" { "pow" } else { name };
    MATH.iter().find(|(known, _)| *known == name).map(|(_, arity)| *arity)
}

/// Methods of iterators, which get an answer of their own.
pub(crate) const ITERATOR: &[&str] = &[
    "all",
    "any",
    "chunks",
    "cloned",
    "collect",
    "copied",
    "enumerate",
    "filter",
    "fold",
    "for_each",
    "into_iter",
    "iter",
    "iter_mut",
    "map",
    "product",
    "sum",
    "windows",
    "zip",
];

/// Methods of `Atomic` and their number of arguments, the receiver not counted.
pub(crate) const ATOMIC: &[(&str, usize)] = &[
    ("load", 0),
    ("store", 1),
    ("fetch_add", 1),
    ("fetch_sub", 1),
    ("fetch_min", 1),
    ("fetch_max", 1),
    ("fetch_and", 1),
    ("fetch_or", 1),
    ("fetch_xor", 1),
    ("swap", 1),
    ("compare_exchange", 2),
];

/// Names that later versions give a meaning in bodies.
pub(crate) const RESERVED: &[&str] = &["barrier", "shared", "local_id", "local_size", "group_id"];

/// The scalar types.
pub(crate) const SCALARS: &[&str] =
    &["bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f32", "f64"];

/// The token of an expression that stands for it in messages.
pub(crate) fn anchor(expr: &syn::Expr) -> Span {
    use syn::Expr as E;
    match expr {
        E::Array(e) => e.bracket_token.span.open(),
        E::Assign(e) => e.eq_token.span,
        E::Async(e) => e.async_token.span,
        E::Await(e) => e.await_token.span,
        E::Binary(e) => anchor(&e.left),
        E::Block(e) => e.block.brace_token.span.open(),
        E::Break(e) => e.break_token.span,
        E::Call(e) => anchor(&e.func),
        E::Cast(e) => anchor(&e.expr),
        E::Closure(e) => e.inputs_begin.span,
        E::Const(e) => e.const_token.span,
        E::Continue(e) => e.continue_token.span,
        E::Field(e) => match &e.member {
            syn::Member::Named(name) => name.span(),
            syn::Member::Unnamed(index) => index.span,
        },
        E::ForLoop(e) => e.for_token.span,
        E::Group(e) => anchor(&e.expr),
        E::If(e) => e.if_token.span,
        E::Index(e) => anchor(&e.expr),
        E::Infer(e) => e.underscore_token.span,
        E::Let(e) => e.let_token.span,
        E::Lit(e) => e.lit.span(),
        E::Loop(e) => e.loop_token.span,
        E::Macro(e) => path_anchor(&e.mac.path),
        E::Match(e) => e.match_token.span,
        E::MethodCall(e) => e.method.span(),
        E::Paren(e) => e.paren_token.span.open(),
        E::Path(e) => path_anchor(&e.path),
        E::Range(e) => e.start.as_deref().map_or_else(|| first(expr), anchor),
        E::RawAddr(e) => e.and_token.span,
        E::Reference(e) => e.and_token.span,
        E::Repeat(e) => e.bracket_token.span.open(),
        E::Return(e) => e.return_token.span,
        E::Struct(e) => path_anchor(&e.path),
        E::Try(e) => e.question_token.span,
        E::TryBlock(e) => e.try_token.span,
        E::Tuple(e) => e.paren_token.span.open(),
        E::Unsafe(e) => e.unsafe_token.span,
        E::While(e) => e.while_token.span,
        E::Yield(e) => e.yield_token.span,
        _ => first(expr),
    }
}

/// The last name of a path.
pub(crate) fn path_anchor(path: &syn::Path) -> Span {
    path.segments.last().map_or_else(Span::call_site, |segment| segment.ident.span())
}

/// The first token of a node.
pub(crate) fn first(node: &impl quote::ToTokens) -> Span {
    let first = node.to_token_stream().into_iter().next();
    first.map_or_else(Span::call_site, |token| match token {
        proc_macro2::TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    })
}

/// The operator's token.
pub(crate) fn op_anchor(op: &syn::BinOp) -> Span {
    first(op)
}

/// The token of a pattern that stands for it in messages.
pub(crate) fn pat_anchor(pat: &syn::Pat) -> Span {
    match pat {
        syn::Pat::Ident(pat) => pat.ident.span(),
        syn::Pat::Type(pat) => pat_anchor(&pat.pat),
        other => first(other),
    }
}

/// The first token of a type, for messages about its shape.
pub(crate) fn type_anchor(ty: &syn::Type) -> Span {
    match ty {
        syn::Type::Path(path) => path_anchor(&path.path),
        syn::Type::Group(group) => type_anchor(&group.elem),
        syn::Type::Reference(reference) => reference.and_token.span,
        other => first(other),
    }
}

/// Takes off the invisible groups that `macro_rules!` leaves around fragments.
pub(crate) fn peel(mut expr: &syn::Expr) -> &syn::Expr {
    while let syn::Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

/// As [`peel`], for types.
pub(crate) fn peel_type(mut ty: &syn::Type) -> &syn::Type {
    loop {
        match ty {
            syn::Type::Group(group) => ty = &group.elem,
            syn::Type::Paren(paren) => ty = &paren.elem,
            _ => return ty,
        }
    }
}
