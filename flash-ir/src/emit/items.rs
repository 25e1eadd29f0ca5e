//! Which item a work item runs: its ids, from a box or a table, and its number. What the item does is
//! the body's.

use std::collections::BTreeSet;

use super::dialect::Dialect;
use super::layout::Word;
use super::module::Module;
use super::words;
use crate::ty::ScalarTy;

/// A word of the structure.
pub(super) fn word(to: &mut Module<'_>, word: Word) -> String {
    to.words.insert(word);
    format!("flash_w.{}", words::member(word, &[]))
}

/// Lines that make the ids of the work item of one item, or of the first one of so many, and leave where there
/// is none.
pub(super) fn of_work_item(
    to: &mut Module<'_>,
    (rank, together): (usize, usize),
    ids: &BTreeSet<u8>,
) -> Vec<String> {
    let dialect = to.dialect;
    let u64 = dialect.scalar(ScalarTy::U64);
    let mut lines = Vec::new();
    if to.options.table.is_some() {
        let rows = word(to, Word::Count(0));
        lines.push(format!("const {u64} flash_row = {};", dialect.item(0)));
        if !to.options.exact {
            lines.extend(unless(&format!("flash_row >= {rows}")));
        }
        for id in ids {
            let at = match id {
                0 => "flash_row".to_owned(),
                1 => format!("{rows} + flash_row"),
                _ => format!("{id} * {rows} + flash_row"),
            };
            lines.push(format!("const {u64} flash_id{id} = flash_table[{at}];"));
        }
        return lines;
    }
    for dim in 0..rank.min(3) {
        let item = match dim {
            0 if together > 1 => format!("({}) * {together}", dialect.item(0)),
            _ => dialect.item(dim),
        };
        lines.push(format!("const {u64} flash_at{dim} = {item};"));
    }
    let counts: Vec<String> = (0..rank).map(|dim| word(to, Word::Count(dim as u8))).collect();
    let mut beyond: Vec<String> =
        (0..rank.min(2)).map(|dim| format!("flash_at{dim} >= {}", counts[dim])).collect();
    if rank > 2 {
        beyond.push(format!("flash_at2 >= {}", counts[2..].join(" * ")));
    }
    if !to.options.exact || together > 1 {
        lines.extend(unless(&beyond.join(" || ")));
    }
    let last = ids.last().copied().map_or(0, usize::from);
    for (dim, count) in counts.iter().enumerate().take(last + 1) {
        let at = if dim >= 2 && dim + 1 < rank {
            let rest = format!("flash_at{dim}");
            let next = dim + 1;
            lines.push(format!("const {u64} flash_at{next} = {rest} / {count};"));
            format!("{rest} % {count}")
        } else {
            format!("flash_at{dim}")
        };
        if ids.contains(&(dim as u8)) {
            let lo = word(to, Word::Lo(dim as u8));
            let id = if dim == 0 && together > 1 { "flash_first" } else { "flash_id" };
            lines.push(format!("const {u64} {id}{dim} = {lo} + {at};"));
        }
    }
    lines
}

/// Leaves where a condition holds.
fn unless(condition: &str) -> [String; 3] {
    [format!("if ({condition}) {{"), "    return;".to_owned(), "}".to_owned()]
}

/// The line that makes the number of an item from all its ids.
pub(super) fn number(to: &mut Module<'_>, rank: usize) -> String {
    let u64 = to.dialect.scalar(ScalarTy::U64);
    let mut text = format!("flash_id{}", rank.saturating_sub(1));
    for dim in (0..rank.saturating_sub(1)).rev() {
        let extent = word(to, Word::Numbering(dim as u8));
        let inner = if text.contains(' ') { format!("({text})") } else { text };
        text = format!("{inner} * {extent} + flash_id{dim}");
    }
    format!("const {u64} flash_item = {text};")
}

/// Lines that make the bounds of the reduction block of the work-group and the number of its items.
pub(super) fn of_block(to: &mut Module<'_>, rank: usize) -> Vec<String> {
    let dialect = to.dialect;
    let (u64, u32) = (dialect.scalar(ScalarTy::U64), dialect.scalar(ScalarTy::U32));
    let mut lines = Vec::new();
    let group = dialect.group();
    if to.options.table.is_some() {
        for dim in 0..rank {
            let at = format!("{group} * {} + {dim}", 2 * rank);
            lines.push(format!("const {u64} flash_lo{dim} = flash_table[{at}];"));
            lines.push(format!(
                "const {u32} flash_n{dim} = ({u32})(flash_table[{at} + {rank}] - flash_lo{dim});"
            ));
        }
    } else {
        let first = word(to, Word::FirstBlock);
        lines.push(format!("const {u64} flash_block0 = {first} + {group};"));
        for dim in 0..rank {
            let size = word(to, Word::Size(dim as u8));
            let chunk = word(to, Word::Chunk(dim as u8));
            let (block, next) = (format!("flash_block{dim}"), dim + 1);
            let mine = if next < rank {
                let pieces = format!("flash_pieces{dim}");
                lines.push(format!("const {u64} {pieces} = ({size} + {chunk} - 1) / {chunk};"));
                lines.push(format!("const {u64} flash_block{next} = {block} / {pieces};"));
                format!("{block} % {pieces}")
            } else {
                block
            };
            lines.push(format!("const {u64} flash_lo{dim} = {mine} * {chunk};"));
            let left = format!("{size} - flash_lo{dim}");
            lines.push(format!(
                "const {u32} flash_n{dim} = ({u32})({left} < {chunk} ? {left} : {chunk});"
            ));
        }
    }
    let all: Vec<String> = (0..rank).map(|dim| format!("flash_n{dim}")).collect();
    lines.push(format!("const {u32} flash_n = {};", all.join(" * ")));
    lines
}

/// Lines that make ids of a position in a reduction block, dimension 0 fastest.
pub(super) fn of_position(dialect: &dyn Dialect, rank: usize, ids: &BTreeSet<u8>) -> Vec<String> {
    let (u64, u32) = (dialect.scalar(ScalarTy::U64), dialect.scalar(ScalarTy::U32));
    let last = ids.last().copied().map_or(0, usize::from);
    let mut lines = Vec::new();
    for dim in 0..rank.min(last + 1) {
        let mut at = format!("flash_p{dim}");
        if dim + 1 < rank {
            if dim < last {
                let next = dim + 1;
                lines.push(format!("const {u32} flash_p{next} = {at} / flash_n{dim};"));
            }
            at = format!("{at} % flash_n{dim}");
        }
        if ids.contains(&(dim as u8)) {
            lines.push(format!("const {u64} flash_id{dim} = flash_lo{dim} + {at};"));
        }
    }
    lines
}
