//! The words of the structure in C: their names as members and as constants of a function. Which words
//! there are is said by [`Word`].

use super::layout::Word;

/// The name of a word, as a member of the structure; parameters by their names in C.
pub(super) fn member(word: Word, params: &[String]) -> String {
    let of = |param: u16| params.get(usize::from(param)).map_or("", String::as_str);
    match word {
        Word::Value(param, 0) => format!("value_{}", of(param)),
        Word::Value(param, part) => format!("value_{}_{part}", of(param)),
        Word::Shift(param) => format!("shift_{}", of(param)),
        Word::Origin(param, dim) => format!("origin{dim}_{}", of(param)),
        Word::Held(param, dim) => format!("held{dim}_{}", of(param)),
        Word::Extent(param, dim) => format!("extent{dim}_{}", of(param)),
        Word::Stride(param, dim) => format!("stride{dim}_{}", of(param)),
        Word::Size(dim) => format!("size{dim}"),
        Word::Lo(dim) => format!("lo{dim}"),
        Word::Count(dim) => format!("count{dim}"),
        Word::Numbering(dim) => format!("numbering{dim}"),
        Word::Chunk(dim) => format!("chunk{dim}"),
        Word::FirstBlock => "first_block".to_owned(),
        Word::Phase => "phase".to_owned(),
        Word::Partition => "partition".to_owned(),
    }
}

/// The name of the constant that a function has for a word, before it is made unlike others.
pub(super) fn constant(word: Word, params: &[String]) -> String {
    let of = |param: u16| params.get(usize::from(param)).map_or("", String::as_str);
    match word {
        Word::Value(param, _) => of(param).to_owned(),
        Word::Shift(param) => format!("{}_shift", of(param)),
        Word::Origin(param, dim) => format!("{}_origin{dim}", of(param)),
        Word::Held(param, dim) => format!("{}_held{dim}", of(param)),
        Word::Extent(param, dim) => format!("{}_extent{dim}", of(param)),
        Word::Stride(param, dim) => format!("{}_stride{dim}", of(param)),
        Word::Size(_) | Word::Phase | Word::Partition => format!("launch_{}", member(word, params)),
        _ => format!("launch_{}", member(word, params)),
    }
}
