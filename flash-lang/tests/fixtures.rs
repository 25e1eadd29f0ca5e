//! The fixtures of the repository's `tests/ui-tests/`, read by the front end alone: each breaks the rule
//! it is named after and no other, and no two rules say the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use flash_lang::diag::Diagnostic;
use flash_lang::rules::RULES;
use flash_lang::{device, host_task, kernel, pipeline, pod};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui-tests")
}

/// The errors of every use of ours in a file, in source order.
fn errors(tokens: TokenStream, out: &mut Vec<Diagnostic>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let text = group.stream().to_string().replace(' ', "");
        let hash = at.checked_sub(1).map(|before| tokens[before].to_string()).unwrap_or_default();
        let found = if group.delimiter() == Delimiter::Bracket && hash == "#" {
            let args = arguments(group.stream());
            let item = || item(&tokens[at + 1..]);
            match text.split(['(', ',']).next().unwrap_or_default() {
                "flash::kernel" => kernel::entry(args, item()).errors,
                "flash::device" => device::entry(args, item()).errors,
                "flash::host_task" => host_task::entry(args, item()).errors,
                "derive" if text.contains("flash::Pod") => pod::entry(item()).errors,
                _ => None,
            }
        } else if hash == "!" && at > 1 && tokens[at - 2].to_string() == "flash_pipeline" {
            pipeline::entry(group.stream()).errors
        } else {
            errors(group.stream(), out);
            None
        };
        out.extend(found.iter().flat_map(|errors| errors.iter().cloned()));
    }
}

/// What stands in the parentheses of an attribute.
fn arguments(attribute: TokenStream) -> TokenStream {
    match attribute.into_iter().last() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    }
}

/// The item at the head of some tokens.
fn item(tokens: &[TokenTree]) -> TokenStream {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    };
    let end = tokens.iter().position(ends).map_or(tokens.len(), |at| at + 1);
    tokens[..end].iter().cloned().collect()
}

fn read(topic: &str, name: &str) -> Vec<Diagnostic> {
    let file = root().join(topic).join(name).with_extension("rs");
    let text = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("rule `{name}` has no fixture {}: {error}", file.display()));
    let mut out = Vec::new();
    errors(text.parse().expect("a fixture is made of tokens"), &mut out);
    out
}

#[test]
fn each_rule_has_a_fixture_that_breaks_it_alone() {
    let mut faults = Vec::new();
    for rule in RULES {
        let found = read(rule.topic, rule.name);
        let names: Vec<_> = found.iter().map(|error| error.rule.name).collect();
        if found.is_empty() || found.iter().any(|error| error.rule != *rule) {
            faults.push(format!("{}/{}: breaks {names:?}", rule.topic, rule.name));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(RULES.len() >= 60, "only {} rules", RULES.len());
}

#[test]
fn messages_differ_and_are_worded_alike() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for rule in RULES {
        for error in read(rule.topic, rule.name) {
            let message = &error.message;
            if let Some(other) = seen.insert(message.clone(), rule.name) {
                assert_eq!(other, rule.name, "two rules say `{message}`");
            }
            let first = message.chars().next().unwrap_or(' ');
            assert!(!first.is_uppercase() && !message.ends_with('.'), "worded: {message}");
            assert!(message.len() > 15, "says what to do: {message}");
        }
    }
}

#[test]
fn rules_are_named_once() {
    for (at, rule) in RULES.iter().enumerate() {
        let twice =
            RULES[..at].iter().any(|other| (other.topic, other.name) == (rule.topic, rule.name));
        assert!(!twice, "{}/{}", rule.topic, rule.name);
    }
}
