//! Names: near misses, the path to the facade, words the language knows. It resolves nothing.

use proc_macro2::{Ident, Span};

/// `::flash`, the path to the facade where no `crate = path` says otherwise.
pub fn default_krate() -> syn::Path {
    let mut segments = syn::punctuated::Punctuated::new();
    segments.push(syn::PathSegment::from(Ident::new("flash", Span::call_site())));
    syn::Path { leading_colon: Some(syn::Token![::](Span::call_site())), segments }
}

/// The word of `known` that `word` was probably meant to be.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let limit = 1 + word.chars().count() / 3;
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Number of single-letter edits, swaps of neighbours included.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let width = b.len() + 1;
    let mut rows = vec![0_usize; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[(i - 1) * width + j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let edit = 1 + rows[(i - 1) * width + j].min(rows[i * width + j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { 1 + rows[(i - 2) * width + j - 2] } else { usize::MAX };
                change.min(edit).min(swap)
            }
        }
    }
    rows[a.len() * width + b.len()]
}

/// `` `a`, `b` or `c` ``
pub fn list<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// Whether a name is written like a type.
pub(crate) fn is_upper(name: &str) -> bool {
    name.trim_start_matches("r#").chars().next().is_some_and(char::is_uppercase)
}

/// FNV-1a-64 of a text.
pub fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{fnv1a, list, nearest};

    #[test]
    fn near_misses() {
        assert_eq!(nearest("prat_by", ["inputs", "part_by"]), Some("part_by"));
        assert_eq!(nearest("input", ["inputs", "part_by"]), Some("inputs"));
        assert_eq!(nearest("colour", ["inputs", "part_by"]), None);
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` or `c`");
    }

    #[test]
    fn hash_is_fnv() {
        // The published test vectors of FNV-1a-64.
        assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
