//! Mutated and random pipelines: the front end never panics, and what it finds no fault with is an
//! expression wherever the fragments are.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use super::{expand, front};

const SOURCES: [&str; 6] = [
    "in rt; saxpy(2.0, &x, &mut y)[n]; store(&y, &writer);",
    "crate = ::gpu; in &self.rt; m::fill::<f32>(0.0, &mut x)[x.space()];",
    "in rt; for step in 0..steps { let t = step as f32 * dt; let (s, c) = t.sin_cos();
     rotate(s, c, &mut x)[n]; for j in step..=n { k(&film.at(j), &mut out.at(step))[n - j, 2]; } }",
    "in rt; for i in 0..n { let k = i * 2; let i = 7; a(k, i, |v| v + i)[n]; swap(x, y); }",
    "in rt; for f in 0..9 { Task::new(\"t\", (&film.at(f), &mut s), |(a, mut b)| b[[0]] += a[[0]]); }",
    "in rt; if &norm > 3 { a(&x)[n]; } else { b(&x)[n]; } while a < b, max 3 { c(&x)[n]; }",
];

/// Xorshift; the seed is fixed so that a failure can be seen again.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n.max(1)
    }
}

fn leaf(random: &mut Random) -> TokenTree {
    const WORDS: [&str; 14] = [
        "in", "for", "let", "swap", "if", "while", "else", "crate", "self", "_", "step", "x", "at",
        "mut",
    ];
    const MARKS: [char; 12] = [';', ',', '.', ':', '=', '&', '|', '<', '>', '!', '\'', '-'];
    match random.below(8) {
        0..3 => Ident::new(WORDS[random.below(WORDS.len())], Span::call_site()).into(),
        3..6 => {
            let mark = MARKS[random.below(MARKS.len())];
            let joint = mark == '\'' || random.below(2) == 0;
            Punct::new(mark, if joint { Spacing::Joint } else { Spacing::Alone }).into()
        }
        6 => {
            const AROUND: [Delimiter; 4] =
                [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace, Delimiter::None];
            let inner = (0..random.below(4)).map(|_| leaf(random)).collect();
            Group::new(AROUND[random.below(4)], inner).into()
        }
        _ => proc_macro2::Literal::u8_unsuffixed(3).into(),
    }
}

/// Deletes, doubles, replaces or exchanges a tree, here or in a group.
fn mutate(tokens: TokenStream, random: &mut Random) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let at = random.below(trees.len());
    match trees.get(at).cloned() {
        None => trees.push(leaf(random)),
        Some(TokenTree::Group(group)) if random.below(4) > 0 => {
            trees[at] = Group::new(group.delimiter(), mutate(group.stream(), random)).into();
        }
        Some(tree) => match random.below(5) {
            0 => drop(trees.remove(at)),
            1 => trees.insert(at, tree),
            2 => trees[at] = leaf(random),
            3 => trees.insert(at, leaf(random)),
            _ => {
                let other = random.below(trees.len());
                trees.swap(at, other);
            }
        },
    }
    trees.into_iter().collect()
}

#[test]
fn the_front_end_never_panics() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut valid, mut faulty) = (0, 0);
    for round in 0..20_000 {
        let mut tokens: TokenStream = if round % 3 == 0 {
            (0..random.below(12)).map(|_| leaf(&mut random)).collect()
        } else {
            SOURCES[random.below(SOURCES.len())].parse().unwrap()
        };
        for _ in 0..=random.below(3) {
            tokens = mutate(tokens, &mut random);
        }
        let (model, errors) = front(tokens);
        if errors.is_some() {
            faulty += 1
        } else {
            valid += 1
        }
        // Infallible, with or without errors.
        let _ = expand::pipeline(&model, errors.as_ref().map(crate::diag::Errors::to_tokens));
    }
    assert!(valid > 2_000 && faulty > 10_000, "{valid} {faulty}");
}
