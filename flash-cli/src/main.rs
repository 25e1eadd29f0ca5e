//! The command `flash`: what this machine has for FLASH, and one native kernel from the shell. It holds
//! no logic of devices: what it says is what the libraries found, and their errors are its own.
#![deny(unsafe_code)]

mod devices;
mod doctor;
mod run;
mod text;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Says what this machine has for FLASH, and runs one native kernel.
#[derive(Debug, Parser)]
#[command(name = "flash", version, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Doctor(doctor::Args),
    Devices(devices::Args),
    RunKernel(run::Args),
}

/// Why a command has no result.
#[derive(Debug)]
enum Failure {
    /// It was called in a way that makes no sense.
    Usage(String),
    /// Something went wrong while it did what it was told.
    Failed(String),
}

impl From<flash::Error> for Failure {
    fn from(error: flash::Error) -> Self {
        Self::Failed(text::with_causes(&error))
    }
}

/// What a command prints, and whether all is well.
struct Outcome {
    text: String,
    is_well: bool,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Doctor(args) => doctor::run(args),
        Command::Devices(args) => devices::run(&args),
        Command::RunKernel(args) => run::run(&args),
    };
    // Whoever has closed the other end wants no more.
    match outcome {
        Ok(Outcome { text, is_well }) => {
            let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
            if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(failure) => {
            let (text, code) = match failure {
                Failure::Usage(text) => (text, 2),
                Failure::Failed(text) => (text, 1),
            };
            let _ = writeln!(std::io::stderr(), "error: {text}");
            ExitCode::from(code)
        }
    }
}
