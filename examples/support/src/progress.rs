//! Progress of a long run on stderr, where that is a terminal. Elsewhere it shows nothing.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar with a rate. It may be shared with host tasks.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// A bar of `total` things called `unit`: `frames`, `steps`.
    pub fn new(total: u64, unit: &str) -> Self {
        let template = format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left");
        Self::styled(Some(total), &template)
    }

    /// One that is never shown.
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), started: Instant::now() }
    }

    /// A count of things whose number nobody knows beforehand.
    pub fn spinner(unit: &str) -> Self {
        Self::styled(None, &format!("{{spinner}} {{pos}} {unit}, {{per_sec}}"))
    }

    fn styled(total: Option<u64>, template: &str) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(total, target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, started: Instant::now() }
    }

    /// One more is done.
    pub fn tick(&self) {
        self.bar.inc(1);
    }

    /// Takes the bar away and gives the time since it was made.
    pub fn finish(&self) -> Duration {
        self.bar.finish_and_clear();
        self.started.elapsed()
    }
}
