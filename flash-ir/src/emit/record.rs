//! The functions by which a kernel notes in its [`status`] record what went wrong. What an
//! item does after that is up to the kernel.

use super::dialect::Dialect;
use super::status;
use crate::ir::AtomicOp;
use crate::ty::ScalarTy;

/// Notes an access outside of an array: record, item, parameter, four index components.
pub(super) const MISSED: &str = "flash_missed";
/// Notes the end of an item: record, item, kind, line, column.
pub(super) const FAULT: &str = "flash_fault";

/// The type of a pointer to a record.
pub(super) fn pointer(dialect: &dyn Dialect) -> String {
    format!("volatile {}{} *", dialect.global(), dialect.scalar(ScalarTy::U32))
}

/// The functions that are called.
pub(super) fn text(dialect: &dyn Dialect, missed: bool, fault: bool) -> String {
    let (u32, u64) = (dialect.scalar(ScalarTy::U32), dialect.scalar(ScalarTy::U64));
    let (function, record) = (dialect.function(), pointer(dialect));
    let atomic = |op, at: String, args: &[&str]| {
        dialect
            .atomic(op, ScalarTy::U32, false, &format!("&record[{at}]"), args)
            .unwrap_or_default()
    };
    let read = |at: &str| atomic(AtomicOp::FetchOr, at.to_owned(), &["0u"]);
    let swap = |at: &str, value: &str| atomic(AtomicOp::Swap, at.to_owned(), &[value]);
    let take = atomic(AtomicOp::CompareExchange, status::LOCK.to_string(), &["0u", "1u"]);
    let leave = swap(&status::LOCK.to_string(), "0u");
    let fence = dialect.fence();
    let (low, high) = (read("at"), read("at + 1"));
    let (put_low, put_high) =
        (swap("at", &format!("({u32})value")), swap("at + 1", &format!("({u32})(value >> 32)")));

    // Of two words the low one is written first and read last, and the one that says that there is an
    // item is written after both and read before: an item that is read is never below the lowest, as
    // items only fall. Who takes the lock in a loop must let it go in the same turn, as work items of
    // one group may take turns together.
    let mut text = format!(
        "{function}{u64} flash_wide({record}record, {u32} at)
{{
    return {low} | ({u64}){high} << 32;
}}

{function}void flash_set_wide({record}record, {u32} at, {u64} value)
{{
    (void){put_low};
    {fence}
    (void){put_high};
}}

{function}int flash_later({record}record, {u32} is_there, {u32} at, {u64} item)
{{
    if (record[is_there] == 0u) {{
        return 0;
    }}
    {fence}
    const {u64} high = record[at + 1];
    {fence}
    return (high << 32 | record[at]) < item;
}}
"
    );
    let (violated, item, param) = (status::VIOLATED, status::ITEM, status::PARAM);
    // Item, parameter and index stand in the record two words each, in the order that they are
    // compared in.
    debug_assert!(param == item + 2 && status::INDEX == param + 2);
    if missed {
        let is_there = read(&violated.to_string());
        let set = swap(&violated.to_string(), "1u");
        text += &format!(
            "
{function}void {MISSED}({record}record, {u64} item, {u64} param, {u64} i0, {u64} i1, {u64} i2, {u64} i3)
{{
    if (flash_later(record, {violated}, {item}, item)) {{
        return;
    }}
    const {u64} mine[6] = {{ item, param, i0, i1, i2, i3 }};
    for (int done = 0; !done;) {{
        if ({take} == 0u) {{
            {fence}
            int first = {is_there} == 0u;
            int same = 1;
            for (int k = 0; k < 6; k++) {{
                const {u64} known = flash_wide(record, {item} + 2 * k);
                first |= same & (mine[k] < known);
                same &= mine[k] == known;
            }}
            if (first) {{
                for (int k = 0; k < 6; k++) {{
                    flash_set_wide(record, {item} + 2 * k, mine[k]);
                }}
                {fence}
                (void){set};
            }}
            {fence}
            (void){leave};
            done = 1;
        }}
    }}
}}
"
        );
    }
    if fault {
        let (kind, item, line, column) =
            (status::FAULT, status::FAULT_ITEM, status::LINE, status::COLUMN);
        let is_there = read(&kind.to_string());
        let set = swap(&kind.to_string(), "kind");
        let set_line = swap(&line.to_string(), "line");
        let set_column = swap(&column.to_string(), "column");
        text += &format!(
            "
{function}void {FAULT}({record}record, {u64} item, {u32} kind, {u32} line, {u32} column)
{{
    if (flash_later(record, {kind}, {item}, item)) {{
        return;
    }}
    for (int done = 0; !done;) {{
        if ({take} == 0u) {{
            {fence}
            if ({is_there} == 0u || item < flash_wide(record, {item})) {{
                (void){set_line};
                (void){set_column};
                flash_set_wide(record, {item}, item);
                {fence}
                (void){set};
            }}
            {fence}
            (void){leave};
            done = 1;
        }}
    }}
}}
"
        );
    }
    text
}
