//! Rows for pictures: each unit has as many as it takes for no two intervals of a row to overlap.

use super::{Interval, Trace, Unit};

/// A row of a picture.
pub(super) struct Row<'t> {
    pub(super) unit: &'t Unit,
    /// Whether it is the first one of its unit.
    pub(super) is_first: bool,
    pub(super) intervals: Vec<&'t Interval>,
}

/// The rows of a trace, units in order.
pub(super) fn of(trace: &Trace) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for interval in &trace.intervals {
        let ends = |row: &Row<'_>| row.intervals.last().is_none_or(|i| i.end <= interval.begin);
        match rows.iter_mut().find(|row| *row.unit == interval.unit && ends(row)) {
            Some(row) => row.intervals.push(interval),
            None => {
                let is_first = rows.iter().all(|row| *row.unit != interval.unit);
                rows.push(Row { unit: &interval.unit, is_first, intervals: vec![interval] });
            }
        }
    }
    // Stable, so that the first row of a unit stays first.
    rows.sort_by(|a, b| a.unit.cmp(b.unit));
    rows
}
