//! `flash doctor`: what was searched on this machine, what was found, what is missing, and the command
//! that puts it right. It changes nothing.

mod cache;
mod compiler;
mod cpu;
mod cuda;
mod environment;
mod fpga;
mod opencl;
mod packages;
mod summary;

use flash_rt::env_options;
use serde_json::{Map, Value, json};

use crate::{Failure, Outcome, text};

/// Says what was searched, what was found and what is missing, and the commands that put it right.
///
/// The exit code is 0 if a runtime finds a device, and 1 otherwise.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON in place of a table.
    #[arg(long)]
    json: bool,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There, and as it should be.
    Ok,
    /// Not there, which is no fault.
    Absent,
    /// There, and not as it should be.
    Wrong,
}

impl State {
    fn mark(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Absent => "--",
            Self::Wrong => "!!",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Absent => "absent",
            Self::Wrong => "wrong",
        }
    }
}

/// Something that was looked at.
#[derive(Debug)]
struct Section {
    /// What it is in JSON.
    key: &'static str,
    title: &'static str,
    state: State,
    summary: String,
    /// Labels and what stands beside them.
    rows: Vec<(String, String)>,
    /// The command that puts it right, or adds what is not there.
    fix: Option<String>,
    /// The same for programs.
    facts: Map<String, Value>,
}

impl Section {
    fn new(key: &'static str, title: &'static str, facts: Value) -> Self {
        let facts = match facts {
            Value::Object(facts) => facts,
            _ => Map::new(),
        };
        let summary = String::new();
        Self { key, title, state: State::Ok, summary, rows: Vec::new(), fix: None, facts }
    }

    fn row(&mut self, label: impl Into<String>, text: impl Into<String>) {
        self.rows.push((label.into(), text.into()));
    }

    fn print(&self, page: &mut String) {
        text::row(page, self.state.mark(), self.title, &self.summary);
        for (label, text) in &self.rows {
            text::row(page, "", label, text);
        }
        if let Some(fix) = &self.fix {
            text::command(
                page,
                if self.state == State::Wrong { "to fix it" } else { "to have it" },
                fix,
            );
        }
    }

    fn json(self) -> (String, Value) {
        let mut all = Map::new();
        all.insert("state".to_owned(), json!(self.state.name()));
        all.insert("summary".to_owned(), json!(self.summary));
        all.insert("fix".to_owned(), json!(self.fix));
        all.extend(self.facts);
        (self.key.to_owned(), Value::Object(all))
    }
}

pub(crate) fn run(args: Args) -> Result<Outcome, Failure> {
    let (options, variables) = env_options::survey();
    let found = flash_ocl::report::report();
    let cuda = flash_cuda::report::report();
    let nvrtc = flash_cuda::report::compiler(&options);
    let (devices, is_well) = summary::section(&options);
    let sections = [
        cpu::section(&options),
        environment::section(&variables),
        opencl::section(&found),
        fpga::section(&found),
        cuda::section(&cuda, &nvrtc),
        cache::section(&options, &variables),
        compiler::section(),
        devices,
    ];
    let text = if args.json {
        let mut all = Map::new();
        all.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
        all.insert("ok".to_owned(), json!(is_well));
        all.extend(sections.into_iter().map(Section::json));
        format!("{:#}", Value::Object(all))
    } else {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let mut page = format!("flash {} on {os}, {arch}\n\n", env!("CARGO_PKG_VERSION"));
        sections.iter().for_each(|section| section.print(&mut page));
        page
    };
    Ok(Outcome { text, is_well })
}
