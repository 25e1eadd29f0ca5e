//! Runs pipelines.

use crate::Result;
use crate::pipeline::Pipeline;
use crate::report::Report;

pub(crate) fn exec(pipeline: &mut Pipeline<'_>) -> Result<Report> {
    let _ = (&pipeline.rt, &pipeline.nodes);
    Ok(Report::default())
}
