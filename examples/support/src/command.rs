//! The command line of an example and how it ends. It parses nothing that a single example needs.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::{Result, about};

/// How much an example computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// Well under a second, also on slow devices.
    Smoke,
    /// A few seconds.
    Dev,
    /// The size of the publication the example is from; may take minutes.
    Paper,
}

impl Size {
    /// One of three values.
    pub fn pick<T>(self, smoke: T, dev: T, paper: T) -> T {
        match self {
            Self::Smoke => smoke,
            Self::Dev => dev,
            Self::Paper => paper,
        }
    }
}

/// An example of FLASH. It computes something, does the same in a plain loop, and compares.
#[derive(Clone, Debug, Parser)]
pub struct Options {
    /// How much to compute.
    #[arg(long, value_enum, default_value = "dev")]
    pub size: Size,
    /// Folder for the files it writes.
    #[arg(long, default_value = "out", value_name = "FOLDER")]
    pub out: PathBuf,
}

impl Options {
    /// Makes the output folder and gives the path of a file in it.
    ///
    /// # Errors
    ///
    /// The folder cannot be made.
    pub fn output(&self, name: &str) -> Result<PathBuf> {
        let path = self.out.join(name);
        let folder = path.parent().unwrap_or(&self.out);
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
        Ok(path)
    }
}

/// Runs an example with the options of the command line; an error goes to stderr with its causes,
/// and the exit code is 1. `--help` begins with what the calling file says that it shows.
#[track_caller]
#[expect(clippy::print_stderr, reason = "this is the end of a command, not a library path")]
pub fn run(example: impl FnOnce(&Options) -> Result) -> ExitCode {
    let mut command = Options::command();
    if let Some(about) = about::of(std::panic::Location::caller().file()) {
        command = command.about(about);
    }
    let options = Options::from_arg_matches(&command.get_matches());
    match example(&options.unwrap_or_else(|error| error.exit())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", with_causes(&*error));
            ExitCode::FAILURE
        }
    }
}

/// An error and what caused it, one line each.
pub fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = format!("error: {error}");
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(&format!("\n  because: {cause}"));
        source = cause.source();
    }
    text
}
