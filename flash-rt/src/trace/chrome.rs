//! The trace event format, which Perfetto and `chrome://tracing` open. Written by hand: it is a flat
//! list of numbers and names, and a run time should bring no library for it.

use std::fmt::Write;
use std::time::Duration;

use super::{Trace, rows};

impl Trace {
    /// The trace as JSON of the trace event format: open it in <https://ui.perfetto.dev> or
    /// `chrome://tracing`. Each unit is a thread (several where it ran things at once); times are in
    /// microseconds, to the nanosecond. Where intervals were dropped, `otherData` says how many.
    pub fn to_chrome_json(&self) -> String {
        let mut out = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        out.push_str(
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"flash\"}}",
        );
        for (tid, row) in rows::of(self).iter().enumerate() {
            let name = string(&row.unit.to_string());
            // Writing to a string cannot fail.
            let _ = write!(
                out,
                ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":{tid},\
                 \"args\":{{\"name\":{name}}}}},\n{{\"ph\":\"M\",\"name\":\"thread_sort_index\",\
                 \"pid\":1,\"tid\":{tid},\"args\":{{\"sort_index\":{tid}}}}}"
            );
            for interval in &row.intervals {
                let _ = write!(
                    out,
                    ",\n{{\"ph\":\"X\",\"name\":{},\"cat\":\"{}\",\"pid\":1,\"tid\":{tid},\
                     \"ts\":{},\"dur\":{},\"args\":{{\"bytes\":{}}}}}",
                    string(&interval.name),
                    interval.kind.name(),
                    micros(interval.begin),
                    micros(interval.time()),
                    interval.bytes
                );
            }
        }
        out.push_str("\n]");
        if self.dropped > 0 {
            let _ = write!(out, ",\n\"otherData\":{{\"dropped\":{}}}", self.dropped);
        }
        out.push_str("}\n");
        out
    }
}

/// Microseconds with their nanoseconds.
fn micros(time: Duration) -> String {
    let nanos = time.as_nanos();
    format!("{}.{:03}", nanos / 1000, nanos % 1000)
}

/// A JSON string.
fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
