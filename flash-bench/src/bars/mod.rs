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
