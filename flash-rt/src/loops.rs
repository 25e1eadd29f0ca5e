//! Loops over the stages of a chain, given as ranges of stages: `cascade`, `seq`, `custom_loop`. It
//! makes them into the nodes that `begin_for` makes; nothing runs here.

use std::panic::Location;

use crate::cond::{Number, Operand, Source};
use crate::env::{INNERMOST, LoopInt, LoopVar, Trips, Unfit};
use crate::error::{Error, Result, Site};
use crate::lazy::Bounds;
use crate::pipeline::{Kind, Node, Work};

/// Loops over stages, outer ones first where two have the same stages. See [`cascade`], [`seq`] and
/// [`custom_loop`].
#[derive(Debug)]
#[must_use = "loops do nothing until they are given to `repeat`"]
pub struct Loops<'a> {
    shape: Shape,
    counts: Vec<Source<'a>>,
}

#[derive(Debug)]
enum Shape {
    Cascade {
        step: usize,
    },
    Seq,
    /// First stage and number of stages of each.
    Custom(Vec<(usize, usize)>),
}

/// Nested loops: number `i` starts at stage `i` and reaches to the end, so `cascade([iters, rk])`
/// over stages `a b c` runs `a (b c)^rk`, `iters` times.
///
/// ```
/// use flash_rt::loops::{Loops, cascade};
///
/// let nest: Loops<'_> = cascade([8, 3]);
/// let steps: Loops<'_> = cascade([8, 3]).step(2); // the second one starts at stage 2
/// # drop((nest, steps));
/// ```
pub fn cascade<'a, O>(counts: impl IntoIterator<Item = O>) -> Loops<'a>
where
    O: Operand<'a, Scalar: LoopInt>,
{
    let counts = counts.into_iter().map(Operand::into_source).collect();
    Loops { shape: Shape::Cascade { step: 1 }, counts }
}

/// One loop after the other: stage `i` runs `counts[i]` times, then the next.
///
/// ```
/// # use flash_rt::{Buffer, NoBackends, Runtime, Task, loops::seq};
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut x = Buffer::from(vec![1_u32]);
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("add", (&mut x,), |(mut x,)| x[[0]] += 1));
/// pipeline.push(Task::new("double", (&mut x,), |(mut x,)| x[[0]] *= 2));
/// pipeline.repeat(seq([3, 2]));
/// pipeline.exec()?;
/// assert_eq!(x.get(0)?, 16); // (1 + 3) * 2 * 2
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub fn seq<'a, O>(counts: impl IntoIterator<Item = O>) -> Loops<'a>
where
    O: Operand<'a, Scalar: LoopInt>,
{
    Loops { shape: Shape::Seq, counts: counts.into_iter().map(Operand::into_source).collect() }
}

/// `count` trips over `stride` stages from stage `offset` on. Several are given as an array: ranges
/// are nested or apart, and crossing ones are [`Error::Loops`].
///
/// ```
/// # use flash_rt::{Buffer, NoBackends, Runtime, Task, loops::custom_loop};
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut x = Buffer::from(vec![1_u32]);
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("add", (&mut x,), |(mut x,)| x[[0]] += 1));
/// pipeline.push(Task::new("double", (&mut x,), |(mut x,)| x[[0]] *= 2));
/// pipeline.repeat([custom_loop(0, 2, 2), custom_loop(1, 1, 3)]); // add (double)^3, twice
/// pipeline.exec()?;
/// assert_eq!(x.get(0)?, 136); // (((1 + 1) * 8) + 1) * 8
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub fn custom_loop<'a, O>(offset: usize, stride: usize, count: O) -> Loops<'a>
where
    O: Operand<'a, Scalar: LoopInt>,
{
    Loops { shape: Shape::Custom(vec![(offset, stride)]), counts: vec![count.into_source()] }
}

/// The variable of a loop around the stage it is passed to: 0, 1, .. by trip. Level 0 is the
/// outermost loop; a level without a loop is [`Error::Loops`] when the pipeline runs, and so is a value
/// that `T` does not have when the loop comes to it.
pub fn loop_var<T: LoopInt>(level: usize) -> LoopVar<T> {
    LoopVar::new(level)
}

/// The variable of the innermost loop around the place where it stands: of a `for` its value, of a
/// `while` how many trips there were before. In the condition of a `while` that is the loop itself.
/// Where there is no loop it is [`Error::Loops`] when the pipeline runs.
///
/// ```
/// # use flash_rt::{Buffer, NoBackends, Runtime, Var, trip};
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut pipeline = rt.pipeline();
/// pipeline.begin_while(trip().lt(3_u32), 100_u32).end_while();
/// pipeline.exec()?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub fn trip<T: LoopInt>() -> LoopVar<T> {
    LoopVar::new(INNERMOST)
}

/// The error where a loop has come to a value that is not one of the type it is asked for as.
#[cold]
pub(crate) fn unfit(of: &str, level: usize, why: Unfit, site: Site) -> Error {
    let what = match (why, level) {
        (Unfit::Value { value, int }, _) => {
            let wide = if value < 0 { "i64" } else { "u64" };
            let place = match level {
                INNERMOST => "innermost loop".to_owned(),
                level => format!("loop at level {level}, counted from 0 for the outermost,"),
            };
            format!(
                "{of} is the variable of the {place} as `{int}`, which does not have its value {value}; \
                 take it as `{wide}`, or let the loop run over values of `{int}` only"
            )
        }
        (Unfit::NotAround, INNERMOST) => {
            format!("{of} is the trip of a loop, and there is none around it")
        }
        (Unfit::NotAround, level) => format!(
            "{of} is the variable of a loop at level {level}, counted from 0 for the outermost, and \
             that loop is not around it"
        ),
    };
    Error::Loops { what, site }
}

impl Loops<'_> {
    /// How many stages later each loop of a cascade starts than the one around it; 1 unless given.
    pub fn step(mut self, stages: usize) -> Self {
        if let Shape::Cascade { step } = &mut self.shape {
            *step = stages;
        }
        self
    }
}

/// What `repeat` takes: a number of trips over everything, or [`Loops`].
pub trait IntoLoops<'a> {
    /// The loops over `n` stages.
    #[doc(hidden)]
    fn into_loops(self, n: usize) -> Vec<Loop<'a>>;
}

/// A loop over a range of stages.
#[derive(Debug)]
pub struct Loop<'a> {
    first: usize,
    end: usize,
    count: Source<'a>,
}

impl<'a> IntoLoops<'a> for u64 {
    fn into_loops(self, n: usize) -> Vec<Loop<'a>> {
        vec![Loop { first: 0, end: n, count: Source::Value(Number::Int(self.into())) }]
    }
}

impl<'a> IntoLoops<'a> for Loops<'a> {
    fn into_loops(self, n: usize) -> Vec<Loop<'a>> {
        let ranges: Vec<(usize, usize)> = match self.shape {
            Shape::Cascade { step } => {
                let first = |k: usize| k.saturating_mul(step);
                (0..self.counts.len()).map(|k| (first(k), n.max(first(k)))).collect()
            }
            Shape::Seq => (0..self.counts.len()).map(|k| (k, k + 1)).collect(),
            Shape::Custom(list) => {
                list.into_iter().map(|(first, len)| (first, first.saturating_add(len))).collect()
            }
        };
        let both = ranges.into_iter().zip(self.counts);
        both.map(|((first, end), count)| Loop { first, end, count }).collect()
    }
}

impl<'a, const K: usize> IntoLoops<'a> for [Loops<'a>; K] {
    fn into_loops(self, n: usize) -> Vec<Loop<'a>> {
        self.into_iter().flat_map(|loops| loops.into_loops(n)).collect()
    }
}

impl<'a> IntoLoops<'a> for Vec<Loops<'a>> {
    fn into_loops(self, n: usize) -> Vec<Loop<'a>> {
        self.into_iter().flat_map(|loops| loops.into_loops(n)).collect()
    }
}

/// Puts loops around stages, which are nodes without loops inside.
#[track_caller]
pub(crate) fn arrange<'a>(
    nodes: Vec<Node<'a>>,
    loops: impl IntoLoops<'a>,
) -> Result<Vec<Node<'a>>> {
    let site = Location::caller();
    let wrong = |what: String| Error::Loops { what, site };
    if nodes.iter().any(|node| matches!(node.kind, Kind::For { .. })) {
        let what = "`repeat` with ranges of stages counts stages, and there is a loop among them";
        return Err(wrong(what.to_owned()));
    }
    // Each stage with what is inside of it, and the number it had.
    let mut stages: Vec<(usize, Vec<Node<'a>>)> = Vec::new();
    let mut end = 0;
    for (at, node) in nodes.into_iter().enumerate() {
        if at == end {
            end = node.end();
            stages.push((at, Vec::new()));
        }
        if let Some((_, stage)) = stages.last_mut() {
            stage.push(node);
        }
    }
    let n = stages.len();
    let mut loops = loops.into_loops(n);
    for one in &loops {
        if one.first >= one.end || one.end > n {
            let Loop { first, end, .. } = one;
            return Err(wrong(format!(
                "a loop over stages {first}..{end}, of which there are {n}"
            )));
        }
    }
    for (k, a) in loops.iter().enumerate() {
        for b in &loops[..k] {
            let (inner, outer) =
                (a.first >= b.first && a.end <= b.end, a.first <= b.first && b.end <= a.end);
            let apart = a.end <= b.first || b.end <= a.first;
            if !(inner || outer || apart) {
                return Err(wrong(format!(
                    "loops over stages {}..{} and {}..{} cross",
                    b.first, b.end, a.first, a.end
                )));
            }
        }
    }
    // Outer loops first; of equal ones the order given.
    loops.sort_by_key(|one| (one.first, std::cmp::Reverse(one.end)));
    let mut out = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut loops = loops.into_iter().peekable();
    for (k, (start, stage)) in stages.into_iter().enumerate() {
        while let Some(one) = loops.next_if(|one| one.first == k) {
            let bounds = match one.count {
                Source::Value(Number::Int(count)) => {
                    Bounds::Fixed(Trips { first: 0, count: u64::try_from(count).unwrap_or(0) })
                }
                count => {
                    Bounds::Cells(Box::new([Source::Value(Number::Int(0)), count]), |_, to| Trips {
                        first: 0,
                        count: match to {
                            Number::Int(count) => u64::try_from(count).unwrap_or(0),
                            Number::Float(_) | Number::Bool(_) => 0,
                        },
                    })
                }
            };
            let level = open.len();
            open.push((out.len(), one.end));
            out.push(Node::new(
                out.len(),
                Kind::For { level: level as u32 },
                Work::For { bounds, name: 0, site },
            ));
        }
        let by = out.len();
        for mut node in stage {
            node.renumber(|number| number - start + by);
            if let Kind::While { level } = &mut node.kind {
                *level += open.len() as u32;
            }
            out.push(node);
        }
        while open.last().is_some_and(|&(_, end)| end == k + 1) {
            let Some((at, _)) = open.pop() else { break };
            let end = out.len();
            if let Some(node) = out.get_mut(at) {
                node.set_end(end);
            }
        }
    }
    Ok(out)
}
