//! A kernel that is declared while the program runs, and its launches.

use std::time::Duration;

use flash::trace::Kind as Ran;
use flash::{Call, Runtime, Stage};
use flash_rt::descriptor::{Code, Implementation, KernelDescriptor, ParamDescriptor};

use super::array::Given;
use super::{Args, Kind};
use crate::{Failure, text};

/// A kernel with what it is given.
#[derive(Debug)]
pub(super) struct Launch<'a> {
    pub(super) args: &'a Args,
    pub(super) kind: Kind,
    /// Key and number.
    pub(super) device: (&'a str, usize),
    pub(super) names: &'a [&'a str],
    pub(super) given: &'a [Given],
    pub(super) space: Vec<usize>,
    pub(super) block: Option<Vec<usize>>,
}

/// What came of it, beside what the arrays hold.
#[derive(Debug)]
pub(super) struct Times {
    /// The name of the device.
    pub(super) device: String,
    /// Of the kernel alone, the shortest first.
    pub(super) launches: Vec<Duration>,
}

/// A text that stays until the process ends, as descriptors are made for good.
fn leak(text: &str) -> &'static str {
    text.to_owned().leak()
}

impl Launch<'_> {
    /// Launches the kernel as often as was asked for.
    pub(super) fn run(&self) -> Result<Times, Failure> {
        let (key, number) = self.device;
        let runtime = Runtime::builder().devices(key).trace(true).build()?;
        let kernel = self.descriptor();
        let mut pipeline = runtime.pipeline();
        pipeline.push(self.stage(kernel, number)?);
        let mut launches = Vec::new();
        for _ in 0..self.args.repeat {
            for array in self.arrays() {
                array.reset()?;
            }
            let report = pipeline.exec().map_err(wrong)?;
            let ran = report.trace().map_or(&[][..], |trace| trace.intervals());
            launches
                .push(ran.iter().filter(|ran| ran.kind == Ran::Kernel).map(|ran| ran.time()).sum());
        }
        launches.sort_unstable();
        let device = runtime.devices().get(number).map_or("?", |device| device.name());
        Ok(Times { device: device.to_owned(), launches })
    }

    pub(super) fn arrays(&self) -> impl Iterator<Item = &super::array::Array> {
        self.given.iter().filter_map(|given| match given {
            Given::Array(array) => Some(array),
            Given::Value(..) => None,
        })
    }

    fn stage(
        &self,
        kernel: &'static KernelDescriptor,
        number: usize,
    ) -> Result<Stage<'static>, Failure> {
        Ok(match self.space[..] {
            [x, y] => self.call(kernel, number)?.over([x, y]),
            [x, y, z] => self.call(kernel, number)?.over([x, y, z]),
            _ => self.call(kernel, number)?.over([self.space[0]]),
        })
    }

    fn call<const R: usize>(
        &self,
        kernel: &'static KernelDescriptor,
        number: usize,
    ) -> Result<Call<'static, R>, Failure> {
        let bound: flash::Result<Vec<_>> = self.given.iter().map(Given::bind).collect();
        let mut call = Call::new(kernel, bound?).pin(number);
        call = match self.block.as_deref() {
            Some(&[x]) => call.block([x]),
            Some(&[x, y]) => call.block([x, y]),
            Some(&[x, y, z]) => call.block([x, y, z]),
            _ => call,
        };
        Ok(match self.args.shared {
            Some(bytes) => call.shared(bytes as usize),
            None => call,
        })
    }

    /// The kernel as an attribute would declare it.
    fn descriptor(&self) -> &'static KernelDescriptor {
        let args = self.args;
        let named = self.given.iter().zip(self.names);
        let params: Vec<ParamDescriptor> =
            named.map(|(given, name)| given.parameter(leak(name))).collect();
        let code = Code::Path(leak(&args.file.to_string_lossy()));
        let implementations = vec![Implementation {
            guarded: args.guarded,
            options: leak(args.options.as_deref().unwrap_or_default()),
            ..Implementation::bare(self.kind.backend, code, leak(&args.kernel))
        }];
        Box::leak(Box::new(KernelDescriptor {
            implementations: implementations.leak(),
            file: "the command line",
            ..KernelDescriptor::bare(leak(&args.kernel), self.space.len() as u8, params.leak())
        }))
    }
}

/// What the library says, with what its advice is here.
fn wrong(error: flash::Error) -> Failure {
    let said = text::with_causes(&error);
    let advice = [
        ("declare it `guarded`", "here that is `--guarded`"),
        ("`.shared(..)`", "here that is `--shared BYTES`"),
        ("declare it as an input", "here that is an argument without `io:` or `out:`"),
        ("the declaration gives", "here an argument is an `--arg`"),
    ];
    let here = advice.iter().filter(|(words, _)| said.contains(words));
    let here: String = here.map(|(_, here)| format!("\n  {here}")).collect();
    Failure::Failed(said + &here)
}
