//! The invisible groups around what a `macro_rules!` macro was called with: `$x * 2` with `1 + y` for
//! `$x` is `(1 + y) * 2`. rustc forgets them where tokens come out of a procedural macro.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

/// An expression where a statement could stand: one that goes on behind a block is in parentheses, as
/// rustc would take the block for a statement of its own. They draw no lint either.
pub(crate) fn standing(expr: TokenStream) -> TokenStream {
    let mut trees = expr.clone().into_iter();
    let is_block = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let goes_on = trees.next().as_ref().is_some_and(is_block) && trees.next().is_some();
    if goes_on { TokenTree::from(Group::new(Delimiter::Parenthesis, expr)).into() } else { expr }
}

/// Puts parentheses in place of invisible groups that hold an expression where what stands beside
/// them could take a part of it. Parentheses of ours draw no lint.
pub(crate) fn visible(tokens: TokenStream) -> TokenStream {
    changed(&tokens).unwrap_or(tokens)
}

/// None where all stays: a group that is made anew no longer knows where its delimiters stand.
fn changed(tokens: &TokenStream) -> Option<TokenStream> {
    let mut trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut any = false;
    for at in 0..trees.len() {
        let TokenTree::Group(group) = &trees[at] else { continue };
        let inner = changed(&group.stream());
        let hidden = group.delimiter() == Delimiter::None;
        let open = hidden && !stands_alone(&trees[..at], trees.get(at + 1)) && can_part(group);
        if !open && inner.is_none() {
            continue;
        }
        let (delimiter, span) = if open {
            (Delimiter::Parenthesis, Span::call_site().located_at(group.span()))
        } else {
            (group.delimiter(), group.span())
        };
        let mut group = Group::new(delimiter, inner.unwrap_or_else(|| group.stream()));
        group.set_span(span);
        trees[at] = TokenTree::Group(group);
        any = true;
    }
    any.then(|| trees.into_iter().collect())
}

/// Whether nothing beside a group binds to what is in it. Where in doubt something does.
fn stands_alone(before: &[TokenTree], after: Option<&TokenTree>) -> bool {
    let begins = match before {
        [] => true,
        [.., TokenTree::Punct(first), TokenTree::Punct(last)]
            if first.spacing() == Spacing::Joint =>
        {
            matches!((first.as_char(), last.as_char()), ('=' | '-', '>'))
        }
        [.., TokenTree::Punct(mark)] => is_one_of(mark, ",;=:"),
        // After a block comes a statement.
        [.., TokenTree::Group(group)] => group.delimiter() == Delimiter::Brace,
        // `return`, `in`, `if`; not the second word of `&mut`.
        [.., TokenTree::Ident(word)] => word != "mut" && word != "const",
        [.., TokenTree::Literal(_)] => false,
    };
    begins
        && match after {
            None => true,
            Some(TokenTree::Punct(mark)) => is_one_of(mark, ",;"),
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
            Some(_) => false,
        }
}

fn is_one_of(mark: &Punct, marks: &str) -> bool {
    marks.contains(mark.as_char())
}

/// Whether a group is an expression of several parts, which an operator beside it could split.
fn can_part(group: &Group) -> bool {
    use syn::Expr as E;
    let whole = |expr: &E| {
        matches!(
            expr,
            E::Array(_)
                | E::Assign(_)
                | E::Await(_)
                | E::Call(_)
                | E::Field(_)
                | E::Group(_)
                | E::Index(_)
                | E::Infer(_)
                | E::Lit(_)
                | E::Macro(_)
                | E::MethodCall(_)
                | E::Paren(_)
                | E::Path(_)
                | E::Repeat(_)
                | E::Try(_)
                | E::Tuple(_)
                | E::Verbatim(_)
        )
    };
    group.stream().into_iter().nth(1).is_some()
        && syn::parse2::<E>(group.stream()).is_ok_and(|expr| !whole(&expr))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    /// `@` stands for an invisible group of what is given.
    fn with(source: &str, hole: &str) -> String {
        let hole: TokenStream = hole.parse().expect("tokens");
        fn fill(tokens: TokenStream, hole: &TokenStream) -> TokenStream {
            tokens
                .into_iter()
                .map(|tree| match tree {
                    TokenTree::Punct(mark) if mark.as_char() == '@' => {
                        Group::new(Delimiter::None, hole.clone()).into()
                    }
                    TokenTree::Group(group) => {
                        Group::new(group.delimiter(), fill(group.stream(), hole)).into()
                    }
                    other => other,
                })
                .collect()
        }
        visible(fill(source.parse().expect("tokens"), &hole)).to_string().replace(' ', "")
    }

    #[test]
    fn what_an_operator_could_split_is_in_parentheses() {
        let cases = [
            ("@ * t", "a + b", "(a + b) * t"),
            ("y[i] = t - @;", "a + b", "y[i] = t - (a + b);"),
            ("-@", "a + b", "-(a + b)"),
            ("@ as f32", "a + b", "(a + b) as f32"),
            ("@.abs()", "-1.0", "(-1.0).abs()"),
            ("0..@", "a + b", "0..(a + b)"),
            ("f(&mut @)", "a + b", "f(&mut (a + b))"),
            ("@ + one", "if a { b } else { c }", "(if a { b } else { c }) + one"),
            ("t == @", "a && b", "t == (a && b)"),
            ("print!(\"{}\", @ * 2)", "a + b", "print!(\"{}\", (a + b) * 2)"),
        ];
        for (source, hole, wanted) in cases {
            assert_eq!(with(source, hole), wanted.replace(' ', ""), "{source} with {hole}");
        }
    }

    #[test]
    fn what_nothing_can_split_stays() {
        for (source, hole) in [
            ("let x = @;", "a + b"),
            ("f(@, @)", "a + b"),
            ("S { a: @, b: @ }", "a + b"),
            ("for k in @ { }", "0..n"),
            ("match x { 0 => @, _ => @ }", "a + b"),
            ("fn f() -> @ { }", "&T"),
            ("if c { } @; @", "if c { f(x); }"),
            ("@ * 2", "f(x)"),
            ("@ * 2", "x"),
            ("&@", "Vec<T>"),
            ("@::new()", "T"),
        ] {
            let wanted = source.replace('@', hole).replace(' ', "");
            assert_eq!(with(source, hole), wanted, "{source} with {hole}");
        }
    }

    #[test]
    fn groups_in_groups() {
        let inner = TokenTree::from(Group::new(Delimiter::None, quote!(a + b)));
        let outer = TokenTree::from(Group::new(Delimiter::None, quote!(#inner * c)));
        let shown = visible(quote!(#outer.abs())).to_string();
        assert_eq!(shown, quote!(((a + b) * c).abs()).to_string());
    }
}
