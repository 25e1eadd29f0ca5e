//! The bars, one file for each topic. Each function measures and returns rows.

pub(crate) mod bottlenecks;
pub(crate) mod build;
pub(crate) mod cuda;
pub(crate) mod growth;
pub(crate) mod hosted;
pub(crate) mod idle;
pub(crate) mod launches;
pub(crate) mod maps;
pub(crate) mod nbody;
pub(crate) mod nodes;
pub(crate) mod opencl;
pub(crate) mod programs;
pub(crate) mod splits;
pub(crate) mod starts;
pub(crate) mod stencils;
pub(crate) mod streams;
pub(crate) mod trips;
pub(crate) mod workloads;

use std::ops::RangeInclusive;

use flash::Runtime;

use crate::openmp::Peers;
use crate::raw_cuda::Ptx;
use crate::row::Row;
use crate::stats::Effort;

/// What every bar gets.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) rt: Runtime,
    /// The OpenMP peers, or why there are none.
    pub(crate) peers: Result<Peers, String>,
    /// Where the kernels of the raw peer on a GPU come from.
    pub(crate) ptx: Ptx,
    pub(crate) effort: Effort,
    pub(crate) quick: bool,
    /// The parts of row names that were asked for; all rows where there are none.
    pub(crate) only: Vec<String>,
}

impl Context {
    /// Whether a row is wanted.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.contains(only.as_str()))
    }

    /// The peers, or the row that says why there is no ratio.
    pub(crate) fn peers(&self, bar: u32, name: &str, asked: &str) -> Result<&Peers, Box<Row>> {
        let row = |why: &str| Box::new(Row::skipped(bar, name, asked, why));
        let peers = self.peers.as_ref().map_err(|why| row(why))?;
        match peers.unfit() {
            Some(why) => Err(row(&why)),
            None => Ok(peers),
        }
    }
}

/// A topic: what `--list` shows, and how it is measured.
pub(crate) struct Topic {
    pub(crate) bar: u32,
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Context, &mut dyn FnMut(Row)) -> flash::Result<()>,
}

impl Topic {
    /// Whether its bar is of these numbers, or nobody says which.
    pub(crate) fn is_one_of(&self, bars: &[RangeInclusive<u32>]) -> bool {
        bars.is_empty() || bars.iter().any(|bars| bars.contains(&self.bar))
    }
}

/// Numbers of bars as text: `3`, `1-9`.
pub(crate) fn numbers(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is no number"));
    Ok(number(first)?..=number(last)?)
}

/// All topics, in the order of the bars.
pub(crate) const TOPICS: &[Topic] = &[
    Topic { bar: 1, name: "small launches", run: launches::small },
    Topic { bar: 2, name: "parallel launches", run: launches::parallel },
    Topic { bar: 3, name: "streams", run: streams::streams },
    Topic { bar: 3, name: "dot bits", run: streams::bits },
    Topic { bar: 4, name: "stencils", run: stencils::stencils },
    Topic { bar: 5, name: "maps", run: maps::maps },
    Topic { bar: 6, name: "nodes", run: nodes::nodes },
    Topic { bar: 7, name: "trips", run: trips::trips },
    Topic { bar: 8, name: "growth", run: growth::growth },
    Topic { bar: 9, name: "programs", run: programs::programs },
    Topic { bar: 10, name: "bottlenecks", run: bottlenecks::bottlenecks },
    Topic { bar: 11, name: "splits", run: splits::splits },
    Topic { bar: 12, name: "n-body", run: nbody::nbody },
    Topic { bar: 13, name: "OpenCL", run: opencl::opencl },
    Topic { bar: 14, name: "CUDA", run: cuda::cuda },
    Topic { bar: 15, name: "idle", run: idle::idle },
    Topic { bar: 16, name: "build", run: build::build },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_chosen_by_number() {
        let chosen = |texts: &[&str]| {
            let bars: Vec<_> = texts.iter().map(|text| numbers(text).expect("numbers")).collect();
            let topics = TOPICS.iter().filter(|topic| topic.is_one_of(&bars));
            topics.map(|topic| topic.bar).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&["2-3", "15"]), [2, 3, 3, 15]);
        assert_eq!(chosen(&[]).len(), TOPICS.len());
        assert_eq!(chosen(&["17-99"]), [0; 0]);
        for text in ["", "a", "1-", "-3", "1-b"] {
            assert!(numbers(text).is_err(), "{text}");
        }
    }

    /// The bars of the processor, whole and by number: what rows are called has nothing to do with it.
    #[test]
    fn the_other_machine_measures_all_bars_of_the_processor() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/gpu-check-run");
        let script = std::fs::read_to_string(path).expect("the script");
        let list = script.lines().find_map(|line| line.trim().strip_prefix("for bars in "));
        let list = list.and_then(|line| line.strip_suffix("; do")).expect("a loop over bars");
        let bars: Vec<_> = list.split(' ').map(|text| numbers(text).expect("numbers")).collect();
        let measured = TOPICS.iter().filter(|topic| topic.is_one_of(&bars)).map(|topic| topic.bar);
        let expected = TOPICS.iter().map(|topic| topic.bar).filter(|bar| (1..=9).contains(bar));
        assert_eq!(measured.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        let run = script.lines().find(|line| line.contains("--bars")).expect("they are run");
        assert!(!run.contains("--quick") && !run.contains("--only"), "{run}");
    }
}
