//! Graphs of tiny tasks, and the programs that run them under other run times: compiled from
//! `peers/` when they are first asked for, one process for each round. It times nothing of ours.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use flash::prelude::*;

use crate::kernels::nodes::{step, step_alone, step_of_four};

/// Tasks in program order, each of which adds one to a cell.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) name: &'static str,
    pub(crate) cells: usize,
    pub(crate) nodes: Vec<Node>,
}

/// One task.
#[derive(Debug)]
pub(crate) struct Node {
    /// None, one or four ranges of cells, which do not contain its own.
    reads: Vec<Range<usize>>,
    cell: usize,
}

impl Graph {
    /// Task Bench's `stencil_1d`: each task waits for three of the row before.
    fn stencil(name: &'static str, width: usize, rows: usize) -> Self {
        let node = |k: usize| {
            let (row, i) = (k / width, k % width);
            let (from, to) = (row % 2 * width, (row + 1) % 2 * width);
            let near = from + i.saturating_sub(1)..from + (i + 2).min(width);
            Node { reads: vec![near], cell: to + i }
        };
        Self { name, cells: 2 * width, nodes: (0..width * rows).map(node).collect() }
    }

    /// All graphs that are measured.
    pub(crate) fn all(quick: bool) -> Vec<Self> {
        let n = if quick { 1_024 } else { 8_192 };
        let range = |range: Range<usize>| std::iter::once(range).collect();
        let one = |from: usize| range(from..from + 1);
        let none = Vec::new;
        let chain = |k: usize| Node { reads: if k == 0 { none() } else { one(k - 1) }, cell: k };
        // One task that eight wait for, and one that waits for these eight.
        let fan = |k: usize| match k % 9 {
            0 => Node { reads: range(0..8), cell: 8 },
            i => Node { reads: one(8), cell: i - 1 },
        };
        let tree =
            |k: usize| Node { reads: if k == 0 { none() } else { one((k - 1) / 2) }, cell: k };
        let mut state = 1_u64;
        let mut draw = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut random = |k: usize| Node {
            reads: if k == 0 { none() } else { (0..4).flat_map(|_| one(draw(k))).collect() },
            cell: k,
        };
        vec![
            Self::stencil("stencil of width 64", 64, n / 64),
            Self::stencil("stencil of width 1,024", 1_024, (n / 1_024).max(2)),
            Self { name: "chain", cells: n, nodes: (0..n).map(chain).collect() },
            Self { name: "fan-out and fan-in of 8", cells: 9, nodes: (0..n).map(fan).collect() },
            Self { name: "tree", cells: n, nodes: (0..n).map(tree).collect() },
            Self { name: "random of degree 4", cells: n, nodes: (0..n).map(&mut random).collect() },
        ]
    }

    /// Adds the tasks to a pipeline.
    pub(crate) fn push(&self, pipeline: &mut Pipeline<'_>, cells: &mut Buffer<u32>) {
        for Node { reads, cell } in &self.nodes {
            let own = cells.view_mut(*cell..cell + 1);
            let part = |k: usize| cells.view(reads[k].clone());
            match reads.len() {
                0 => pipeline.push(step_alone(own).over([1])),
                1 => pipeline.push(step(part(0), own).over([1])),
                _ => pipeline.push(step_of_four(part(0), part(1), part(2), part(3), own).over([1])),
            };
        }
    }

    /// What the cells are after so many runs.
    pub(crate) fn expected(&self, runs: u32) -> Vec<u32> {
        let mut cells = vec![0; self.cells];
        self.nodes.iter().for_each(|node| cells[node.cell] += runs);
        cells
    }

    /// As `peers/starpu.c` reads it.
    fn with_data(&self) -> String {
        let mut text = format!("{} {}\n", self.cells, self.nodes.len());
        for Node { reads, cell } in &self.nodes {
            let mut read: Vec<_> = reads.iter().cloned().flatten().collect();
            read.sort_unstable();
            read.dedup();
            let words: Vec<_> = read.iter().map(ToString::to_string).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{cell} {} {}", read.len(), words.join(" "));
        }
        text
    }

    /// As `peers/tbb.cpp` reads it: which tasks each one waits for.
    fn with_edges(&self) -> String {
        let mut text = format!("{}\n", self.nodes.len());
        let mut writer = HashMap::new();
        let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
        for (k, Node { reads, cell }) in self.nodes.iter().enumerate() {
            let mut before = readers.remove(cell).unwrap_or_default();
            before.extend(writer.get(cell));
            for read in reads.iter().cloned().flatten() {
                before.extend(writer.get(&read));
                readers.entry(read).or_default().push(k);
            }
            writer.insert(*cell, k);
            before.sort_unstable();
            before.dedup();
            let words: Vec<_> = before.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "{} {}", words.len(), words.join(" "));
        }
        text
    }
}

/// A run time that also runs graphs of tasks.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    program: PathBuf,
    /// Where it may keep files.
    folder: tempfile::TempDir,
    as_text: fn(&Graph) -> String,
}

impl Peer {
    /// StarPU, which finds the order by itself as we do, and has no replay.
    pub(crate) fn starpu() -> Result<Self, String> {
        let source = ("starpu.c", include_str!("../peers/starpu.c"));
        Self::compile("StarPU", source, "cc", "starpu-1.3", Graph::with_data)
    }

    /// oneTBB's flow graph, which is given the edges.
    pub(crate) fn tbb() -> Result<Self, String> {
        let source = ("tbb.cpp", include_str!("../peers/tbb.cpp"));
        Self::compile("oneTBB's flow graph, no data", source, "c++", "tbb", Graph::with_edges)
    }

    fn compile(
        name: &'static str,
        (file, source): (&str, &str),
        compiler: &str,
        package: &str,
        as_text: fn(&Graph) -> String,
    ) -> Result<Self, String> {
        let flags = Command::new("pkg-config").args(["--cflags", "--libs", package]).output();
        let flags = match flags {
            Ok(flags) if flags.status.success() => flags.stdout,
            _ => return Err(format!("pkg-config knows no `{package}`")),
        };
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (source_path, program) = (folder.path().join(file), folder.path().join("peer"));
        std::fs::write(&source_path, source).map_err(|error| error.to_string())?;
        let output = Command::new(compiler)
            .args(["-O3", "-march=native", "-o"])
            .args([&program, &source_path])
            .args(String::from_utf8_lossy(&flags).split_whitespace())
            .output()
            .map_err(|error| format!("no compiler `{compiler}`: {error}"))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{compiler}` failed: {}", words.lines().next().unwrap_or("")));
        }
        Ok(Self { name, program, folder, as_text })
    }

    /// The two numbers of one round, in seconds for a node.
    pub(crate) fn round(
        &self,
        graph: &Graph,
        workers: usize,
        time: Duration,
    ) -> Result<[f64; 2], String> {
        let mut child = Command::new(&self.program)
            .args([workers.to_string(), time.as_secs_f64().to_string()])
            .env("STARPU_HOME", self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all((self.as_text)(graph).as_bytes()).map_err(|error| error.to_string())?;
        }
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        let words = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<f64> = words.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        match (output.status.success(), &numbers[..]) {
            (true, &[a, b]) => Ok([a * 1e-9, b * 1e-9]),
            _ => Err(format!("{} ended with {}", self.name, output.status)),
        }
    }
}
