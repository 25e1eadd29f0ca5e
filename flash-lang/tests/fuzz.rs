//! The front end takes any tokens: it never panics, keeps the item beside its errors, and what it
//! expands to is Rust.

use std::panic::{AssertUnwindSafe, catch_unwind};

use flash_lang::diag::Errors;
use flash_lang::{device, host_task, kernel, pipeline, pod, rules};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

mod seeds;

/// Inputs in all; a third is random, the rest mutates what is valid.
const INPUTS: u64 = 100_000;
const THREADS: u64 = 2;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

/// Which macro reads an input.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Macro {
    Kernel,
    Device,
    HostTask,
    Pod,
    Pipeline,
}

/// How far an input came.
#[derive(Clone, Copy, PartialEq)]
enum Reached {
    Read,
    Checked,
    Expanded,
}

#[derive(Default, Debug)]
struct Count {
    inputs: u64,
    /// Mutations of valid items.
    mutated: u64,
    /// Those of them that mutate a kernel.
    kernels: u64,
    unread: u64,
    /// Read, then refused by a rule.
    refused: u64,
    /// Checked without an error, and expanded.
    expanded: u64,
}

/// A valid input: which macro, its arguments, its item.
struct Seed {
    which: Macro,
    args: Vec<TokenTree>,
    item: Vec<TokenTree>,
}

fn seeds() -> Vec<Seed> {
    let tokens = |text: &str| -> Vec<TokenTree> {
        text.parse::<TokenStream>().expect("a seed is made of tokens").into_iter().collect()
    };
    let seed = |which| {
        move |(args, item): &(&str, &str)| Seed { which, args: tokens(args), item: tokens(item) }
    };
    let plain = |which| move |item: &&str| Seed { which, args: Vec::new(), item: tokens(item) };
    // Kernels are what people write most: they come up three times as often.
    let mut out: Vec<Seed> = Vec::new();
    for _ in 0..3 {
        out.extend(seeds::KERNELS.iter().map(seed(Macro::Kernel)));
    }
    out.extend(seeds::DEVICES.iter().map(plain(Macro::Device)));
    out.extend(seeds::HOST_TASKS.iter().map(plain(Macro::HostTask)));
    out.extend(seeds::PODS.iter().map(plain(Macro::Pod)));
    out.extend(seeds::PIPELINES.iter().map(plain(Macro::Pipeline)));
    out
}

/// Words and marks that mean something to us, and some that mean nothing.
fn random_token(random: &mut Random, depth: usize) -> TokenTree {
    const WORDS: &[&str] = &[
        "fn",
        "let",
        "mut",
        "if",
        "else",
        "for",
        "in",
        "while",
        "loop",
        "break",
        "continue",
        "return",
        "unsafe",
        "async",
        "const",
        "self",
        "struct",
        "match",
        "as",
        "pub",
        "where",
        "x",
        "y",
        "i",
        "a",
        "T",
        "N",
        "f32",
        "usize",
        "bool",
        "View",
        "ViewMut",
        "Atomic",
        "math",
        "global_id",
        "global_size",
        "phase",
        "partition",
        "group_by",
        "sort_by",
        "part_by",
        "rank",
        "barrier",
        "inputs",
        "out",
        "reduce",
        "scratch",
        "partial",
        "into",
        "crate",
        "cuda",
        "rt",
        "swap",
        "min",
        "len",
        "extent",
        "rev",
        "step_by",
        "__x",
    ];
    const MARKS: &[char] = &[
        '+', '-', '*', '/', '%', '&', '|', '^', '!', '<', '>', '=', '.', ',', ';', ':', '#', '?',
        '@', '$', '~', '\'',
    ];
    match random.below(10) {
        0..=3 => TokenTree::Ident(Ident::new(WORDS[random.below(WORDS.len())], Span::call_site())),
        4..=6 => {
            let spacing = if random.below(2) == 0 { Spacing::Alone } else { Spacing::Joint };
            // A lone quote is no token of Rust.
            let mark = *random.pick(&MARKS[..MARKS.len() - 1]);
            TokenTree::Punct(Punct::new(mark, spacing))
        }
        7 => TokenTree::Literal(match random.below(5) {
            0 => Literal::u64_unsuffixed(random.next() >> random.below(64)),
            1 => Literal::f32_suffixed(0.5),
            2 => Literal::string("k.cu"),
            3 => Literal::character('c'),
            _ => Literal::usize_suffixed(1),
        }),
        _ => {
            let delimiter = *random.pick(&[
                Delimiter::Parenthesis,
                Delimiter::Brace,
                Delimiter::Bracket,
                Delimiter::None,
            ]);
            let length = if depth > 3 { 0 } else { random.below(8) };
            let inner = (0..length).map(|_| random_token(random, depth + 1)).collect();
            TokenTree::Group(Group::new(delimiter, inner))
        }
    }
}

/// Changes one place of a tree of tokens; `other` lends tokens.
fn mutate(tokens: &mut Vec<TokenTree>, other: &[TokenTree], random: &mut Random) {
    let groups: Vec<usize> = (0..tokens.len())
        .filter(|at| matches!(&tokens[*at], TokenTree::Group(group) if !group.stream().is_empty()))
        .collect();
    if !groups.is_empty() && random.below(4) != 0 {
        let at = *random.pick(&groups);
        if let TokenTree::Group(group) = &tokens[at] {
            let mut inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let lent = other.iter().find_map(|token| match token {
                TokenTree::Group(lent) if lent.delimiter() == group.delimiter() => Some(lent),
                _ => None,
            });
            let lent: Vec<TokenTree> =
                lent.map_or_else(Vec::new, |lent| lent.stream().into_iter().collect());
            mutate(&mut inner, &lent, random);
            let delimiter =
                if random.below(64) == 0 { Delimiter::Bracket } else { group.delimiter() };
            tokens[at] = TokenTree::Group(Group::new(delimiter, inner.into_iter().collect()));
        }
        return;
    }
    let at = random.below(tokens.len() + 1);
    let inside = at < tokens.len();
    match random.below(16) {
        0 if inside => drop(tokens.remove(at)),
        1 if inside => tokens.insert(at, tokens[at].clone()),
        2 if inside => {
            let with = random.below(tokens.len());
            tokens.swap(at, with);
        }
        3 if inside => tokens[at] = random_token(random, 2),
        4 if !other.is_empty() => tokens.insert(at, random.pick(other).clone()),
        5 if inside && !other.is_empty() => {
            let from = random.below(other.len());
            let to = from + random.below(other.len() - from + 1);
            let end = at + random.below(tokens.len() - at + 1);
            tokens.splice(at..end, other[from..to].iter().cloned());
        }
        6 => tokens.insert(at, random_token(random, 2)),
        // A token of the same kind: what can still be read.
        _ if inside => {
            let like = |one: &TokenTree| {
                std::mem::discriminant(one) == std::mem::discriminant(&tokens[at])
            };
            let alike: Vec<TokenTree> =
                other.iter().chain(tokens.iter()).filter(|one| like(one)).cloned().collect();
            if !alike.is_empty() {
                tokens[at] = random.pick(&alike).clone();
            }
        }
        _ => {}
    }
}

fn stage(errors: &Option<Errors>) -> Reached {
    let reading = [
        rules::SYNTAX,
        rules::OPTION_SYNTAX,
        rules::EXPRESSION_SIZE,
        rules::STATEMENT,
        rules::LET_SYNTAX,
        rules::SEMICOLON,
    ];
    match errors {
        None => Reached::Expanded,
        Some(errors) if errors.iter().all(|error| reading.contains(&error.rule)) => Reached::Read,
        Some(_) => Reached::Checked,
    }
}

fn front(which: Macro, args: TokenStream, item: TokenStream) -> (Reached, TokenStream) {
    let expansion = match which {
        Macro::Kernel => kernel::entry(args, item),
        Macro::Device => device::entry(args, item),
        Macro::HostTask => host_task::entry(args, item),
        Macro::Pod => pod::entry(item),
        Macro::Pipeline => pipeline::entry(item),
    };
    (stage(&expansion.errors), expansion.tokens)
}

/// Whether all words of the body stand in the output: what editors complete in.
fn keeps(output: &TokenStream, item: &TokenStream) -> bool {
    let mut found = std::collections::HashSet::new();
    words(output.clone(), &mut |word| {
        found.insert(word);
    });
    let mut kept = true;
    words(item.clone(), &mut |word| kept &= found.contains(&word));
    kept
}

fn words(tokens: TokenStream, on: &mut dyn FnMut(String)) {
    for token in tokens {
        match token {
            // Roles are taken off the item, which rustc would not know.
            TokenTree::Group(group) if is_role(&group) => {}
            TokenTree::Group(group) => words(group.stream(), on),
            TokenTree::Ident(word) => on(word.to_string()),
            _ => {}
        }
    }
}

fn is_role(group: &Group) -> bool {
    let first = group.stream().into_iter().next().map(|token| token.to_string());
    group.delimiter() == Delimiter::Bracket
        && first.is_some_and(|first| ["out", "scratch", "reduce"].contains(&first.as_str()))
}

fn has_word(tokens: TokenStream, wanted: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_word(group.stream(), wanted),
        TokenTree::Ident(word) => word == wanted,
        _ => false,
    })
}

fn one(input: u64, seeds: &[Seed], random: &mut Random, count: &mut Count) {
    let seed = random.pick(seeds);
    let other = random.pick(seeds);
    let (mut args, mut item) = (seed.args.clone(), seed.item.clone());
    let mutated = random.below(8) != 0;
    if mutated {
        for _ in 0..=random.below(3) {
            if random.below(5) == 0 {
                mutate(&mut args, &other.args, random);
            } else {
                mutate(&mut item, &other.item, random);
            }
        }
    } else if random.below(2) == 0 {
        // A body of random tokens in a valid head.
        let body = (0..random.below(40)).map(|_| random_token(random, 0)).collect();
        item.pop();
        item.push(TokenTree::Group(Group::new(Delimiter::Brace, body)));
    } else {
        args = (0..random.below(8)).map(|_| random_token(random, 0)).collect();
        item = (0..random.below(40)).map(|_| random_token(random, 0)).collect();
    }
    let args: TokenStream = args.into_iter().collect();
    let item: TokenStream = item.into_iter().collect();
    let run = || front(seed.which, args.clone(), item.clone());
    let Ok((reached, output)) = catch_unwind(AssertUnwindSafe(run)) else {
        panic!("input {input}: {:?} panics on ({args}) {item}", seed.which);
    };
    count.inputs += 1;
    count.mutated += u64::from(mutated);
    count.kernels += u64::from(mutated && seed.which == Macro::Kernel);
    match reached {
        Reached::Read => count.unread += 1,
        Reached::Checked => count.refused += 1,
        Reached::Expanded => count.expanded += 1,
    }
    let place = || format!("input {input}: {:?} ({args}) {item}\n-> {output}", seed.which);
    if reached == Reached::Expanded {
        let is_right = !has_word(output.clone(), "compile_error");
        assert!(is_right, "an error without a rule: {}", place());
    } else {
        assert!(has_word(output.clone(), "compile_error"), "an error is lost: {}", place());
        // `self` makes the item a method, beside which no other item can stand.
        let attribute = matches!(seed.which, Macro::Kernel | Macro::Device | Macro::HostTask);
        if attribute && !has_word(item.clone(), "self") {
            assert!(keeps(&output, &item), "the item is not kept: {}", place());
        }
    }
    if input.is_multiple_of(8) && reached == Reached::Expanded && seed.which != Macro::Pipeline {
        assert!(syn::parse2::<syn::File>(output.clone()).is_ok(), "not Rust: {}", place());
    }
}

#[test]
fn any_tokens() {
    // As much stack as the main thread of a compiler has.
    let run = |thread: u64| {
        let work = move || {
            let seeds = seeds();
            let mut random = Random(0x5eed_0000 + thread);
            let mut count = Count::default();
            for input in (thread..INPUTS).step_by(THREADS as usize) {
                one(input, &seeds, &mut random, &mut count);
            }
            count
        };
        std::thread::Builder::new().stack_size(8 << 20).spawn(work).expect("a thread")
    };
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    let threads: Vec<_> = (0..THREADS).map(run).collect();
    let mut all = Count::default();
    for thread in threads {
        let count = thread.join().expect("no input panics");
        all.inputs += count.inputs;
        all.mutated += count.mutated;
        all.kernels += count.kernels;
        all.unread += count.unread;
        all.refused += count.refused;
        all.expanded += count.expanded;
    }
    println!("{all:?}");
    assert_eq!(all.inputs, INPUTS);
    assert!(all.kernels * 3 >= INPUTS, "too few mutations of valid kernels: {all:?}");
    assert!(all.unread * 5 >= INPUTS, "too few that cannot be read: {all:?}");
    assert!(all.refused * 8 >= INPUTS, "too few that a rule refuses: {all:?}");
    assert!(all.expanded * 8 >= INPUTS, "too few that are expanded: {all:?}");
}

#[test]
fn seeds_are_valid() {
    for seed in seeds() {
        let args = seed.args.iter().cloned().collect();
        let item: TokenStream = seed.item.iter().cloned().collect();
        let (reached, output) = front(seed.which, args, item.clone());
        assert!(reached == Reached::Expanded, "{item}\n-> {output}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let nested = |open: &str, close: &str, depth: usize| {
        format!(
            "fn k(y: &mut [f32]) {{ y[global_id(0)] = {}1.0{}; }}",
            open.repeat(depth),
            close.repeat(depth)
        )
    };
    let sum = format!("fn k(y: &mut [f32]) {{ y[global_id(0)] = 1.0{}; }}", " + 1.0".repeat(5_000));
    let chain = format!(
        "fn k(a: u32, y: &mut [f32]) {{ if a == 1 {{ return; }} {} }}",
        "else if a == 2 { return; } ".repeat(2_000)
    );
    let cases = [
        nested("(", ")", 400),
        nested("-", "", 5_000),
        nested("!", "", 5_000),
        nested("{", "}", 400),
        sum,
        chain,
    ];
    for text in cases {
        let item: TokenStream = text.parse().expect("tokens");
        let errors = kernel::entry(TokenStream::new(), item).errors.expect("too deep");
        let names: Vec<_> = errors.iter().map(|error| error.rule.name).collect();
        assert_eq!(names, ["expression_size"]);
    }
}
