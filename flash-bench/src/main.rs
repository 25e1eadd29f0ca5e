//! Every performance bar of FLASH as a row of one table: `cargo run --release -p flash-bench`.
//!
//! It measures on the machine at hand, peers and ours in turn, and writes what it found as JSON if
//! asked. It decides nothing about a release; a bar that is short is a row that says so.
#![allow(clippy::print_stdout, reason = "a command that prints a table")]
#![deny(unsafe_code)]

mod bars;
mod examples;
mod gpu_check;
mod graphs;
mod kernels;
mod openmp;
mod quiet;
mod raw_cuda;
mod raw_opencl;
mod row;
mod stats;
mod watch;

use std::io::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use flash::Runtime;

use bars::{Context, TOPICS, numbers};
use row::{Row, Verdict};
use stats::Effort;

/// Measures every bar of FLASH against its peer.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Also write the rows as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Only rows whose name contains this, or one of these
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// Only bars of this number, or of these: `3`, `1-9`
    #[arg(long, value_name = "NUMBERS", value_parser = numbers)]
    bars: Vec<RangeInclusive<u32>>,
    /// Fewer rounds, no large sizes, no builds
    #[arg(long)]
    quick: bool,
    /// List the topics and stop
    #[arg(long)]
    list: bool,
    /// The PTX of the CUDA peer's kernels, as `--write-ptx` leaves it; else NVRTC compiles them
    #[arg(long, value_name = "FOLDER")]
    ptx: Option<PathBuf>,
    /// Only compile the CUDA peer's kernels to PTX, for a machine without NVRTC
    #[arg(long, value_name = "FOLDER")]
    write_ptx: Option<PathBuf>,
    /// Only build and run so many nodes, and print what each took
    #[arg(long, value_name = "N", hide = true)]
    nodes: Option<usize>,
    /// Only launch a few kernels on an OpenCL device
    #[arg(long, hide = true)]
    launches: bool,
}

/// What `scripts/gpu-check` asks for.
#[derive(Debug, Subcommand)]
enum Command {
    /// Sum up what ran on a machine with a GPU, and write its results.json
    #[command(hide = true)]
    Gather {
        /// What `run` has left
        folder: PathBuf,
    },
    /// Write docs/gpu-results.md, or whatever it is called
    #[command(hide = true)]
    Page {
        page: PathBuf,
        /// The results.json; without one the page says that figures are owed
        results: Option<PathBuf>,
    },
}

/// Runs a command of `scripts/gpu-check`; whether all was well.
fn check(command: Command) -> Result<bool, String> {
    match command {
        Command::Gather { folder } => {
            let results = gpu_check::gather(&folder)?;
            let path = folder.join(gpu_check::KEPT);
            let text = serde_json::to_vec_pretty(&results).map_err(|error| error.to_string())?;
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            print!("{}", results.summary());
            Ok(results.is_fine())
        }
        Command::Page { page, results } => {
            gpu_check::write_page(results.as_deref(), &page).map(|()| true)
        }
    }
}

fn main() -> ExitCode {
    let mut cli = Cli::parse();
    if let Some(command) = cli.command.take() {
        return match check(command) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => fail(&error),
        };
    }
    if cli.list {
        for topic in TOPICS {
            println!("{:>2}  {}", topic.bar, topic.name);
        }
        return ExitCode::SUCCESS;
    }
    let done = match (&cli.write_ptx, cli.nodes) {
        (Some(folder), _) => raw_cuda::write(folder).map_err(Into::into),
        (None, Some(nodes)) => bars::growth::measure(nodes).map_err(Into::into),
        (None, None) if cli.launches => bars::starts::launch().map_err(Into::into),
        (None, None) => run(cli),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &dyn std::fmt::Display) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "flash-bench: {error}");
    ExitCode::FAILURE
}

fn run(cli: Cli) -> Result<(), Box<dyn std::error::Error>> {
    let context = Context {
        rt: Runtime::open("ALL_CPU")?,
        peers: openmp::Peers::new(),
        ptx: cli.ptx.map_or(raw_cuda::Ptx::Compiled, raw_cuda::Ptx::Folder),
        effort: Effort::new(cli.quick),
        quick: cli.quick,
        only: cli.only,
    };
    println!("{}", about(&context));
    println!("{}", Row::head());
    let mut rows = Vec::new();
    let topics: Vec<_> = TOPICS.iter().filter(|topic| topic.is_one_of(&cli.bars)).collect();
    if topics.is_empty() {
        return Err("there is no bar of these numbers; `--list` shows them".into());
    }
    for topic in topics {
        (topic.run)(&context, &mut |row| {
            let row = match quiet::note() {
                Some(note) if row.verdict != Verdict::Ok => row.note(note),
                _ => row,
            };
            println!("{}", row.line());
            rows.push(row);
        })?;
        // What is known is there, whatever becomes of the rest.
        if let Some(path) = &cli.json {
            let report = serde_json::json!({ "machine": about(&context), "rows": rows });
            std::fs::write(path, serde_json::to_vec_pretty(&report)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    let count = |wanted: fn(&Verdict) -> bool| rows.iter().filter(|r| wanted(&r.verdict)).count();
    println!(
        "{} rows: {} ok, {} short, {} skipped",
        rows.len(),
        count(|v| *v == Verdict::Ok),
        count(|v| *v == Verdict::Short),
        count(|v| matches!(v, Verdict::Skipped(_))),
    );
    Ok(())
}

/// What was measured on.
fn about(context: &Context) -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let scaling = match &context.peers {
        Ok(peers) => format!("OpenMP on two threads: {:.2}x", peers.scaling()),
        Err(why) => format!("no OpenMP peers: {why}"),
    };
    let isa = flash_cpu::isa::detected().name();
    format!("{model}, {} threads, {isa}; {scaling}", openmp::threads())
}
