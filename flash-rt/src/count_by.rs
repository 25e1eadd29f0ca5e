//! What a dimension of an index space runs over: a count, or a sequence of ids made by a rule. It
//! knows one dimension and nothing of the others.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, Result};

/// The ids of one dimension of an index space, in their order.
///
/// | made by | ids |
/// |---|---|
/// | [`CountBy::count`], or a `usize` | `0, 1, .., n - 1` |
/// | [`CountBy::list`] | as given; values may repeat |
/// | [`CountBy::powers`] | `1, b, b^2, ..` below `n` |
/// | [`CountBy::strided_reduce`] | `h, h / 2, .., 1`, where `2 h` is the power of two from `n` on |
///
/// An index space is the product of its dimensions, dimension 0 fastest: `(n, 2, steps)` is one, and
/// `(n, CountBy::strided_reduce(n))`, and arrays of one kind. Ids may exceed the extent of an array,
/// as they may in any launch: an access is checked all the same. That one value comes after the
/// other does not put a barrier between them; `group_by` and `sort_by` do.
///
/// The names are those of FLASH's `Count_by` and `count_type`; what they mean is our reading of them.
///
/// ```
/// use flash_rt::CountBy;
///
/// let ids = |count: CountBy| count.ids().unwrap();
/// assert_eq!(ids(CountBy::count(3).inclusive().descending()), [3, 2, 1, 0]);
/// assert_eq!(ids(CountBy::list([7, 1, 7])), [7, 1, 7]);
/// assert_eq!(ids(CountBy::powers(2, 64)), [1, 2, 4, 8, 16, 32]);
/// assert_eq!(ids(CountBy::strided_reduce(100)), [64, 32, 16, 8, 4, 2, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct CountBy {
    rule: Rule,
    descending: Option<bool>,
    inclusive: bool,
}

#[derive(Clone, Debug)]
enum Rule {
    Count(usize),
    List(Arc<Vec<usize>>),
    Powers { base: usize, end: usize },
    StridedReduce(usize),
}

impl CountBy {
    /// `0..n`.
    pub fn count(n: usize) -> Self {
        Self::new(Rule::Count(n))
    }

    /// These ids in this order.
    pub fn list(ids: impl Into<Vec<usize>>) -> Self {
        Self::new(Rule::List(Arc::new(ids.into())))
    }

    /// The powers of `base`, which is at least 2, from 1 on while they are below `end`.
    pub fn powers(base: usize, end: usize) -> Self {
        Self::new(Rule::Powers { base, end })
    }

    /// The strides of a reduction in a tree over `n` elements, the largest first: in the step with
    /// stride `s` element `i` takes in element `i + s`, for each `i` below `s`.
    pub fn strided_reduce(n: usize) -> Self {
        Self::new(Rule::StridedReduce(n))
    }

    fn new(rule: Rule) -> Self {
        Self { rule, descending: None, inclusive: false }
    }

    /// The other way round, from the last to the first; strides already are.
    #[must_use]
    pub fn descending(mut self) -> Self {
        self.descending = Some(true);
        self
    }

    /// From the smallest stride to the largest; everything else already is as given.
    #[must_use]
    pub fn ascending(mut self) -> Self {
        self.descending = Some(false);
        self
    }

    /// The end belongs to it: `0..=n`, and powers up to `end`. Says nothing of lists and strides.
    #[must_use]
    pub fn inclusive(mut self) -> Self {
        self.inclusive = true;
        self
    }

    /// All ids in their order.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] for a number of ids, or an id, beyond `i64::MAX`, and [`Error::Shape`] for
    /// powers of 0 or 1.
    pub fn ids(&self) -> Result<Vec<usize>> {
        let ids = self.sequence()?;
        if !is_fit(ids.len()) {
            return Err(too_large(ids.len()));
        }
        Ok((0..ids.len()).map(|at| ids.id(at)).collect())
    }

    /// The ids as they are kept. A count may be too large for an index space, which decides that: beside
    /// a dimension without ids it is not.
    pub(crate) fn sequence(&self) -> Result<Sequence> {
        let down = self.descending;
        let mut ids = match &self.rule {
            Rule::Count(n) => {
                let n = n.checked_add(usize::from(self.inclusive));
                let n = n.ok_or_else(|| too_large(usize::MAX))?;
                return Ok(if down == Some(true) { Sequence::Down(n) } else { Sequence::Up(n) });
            }
            Rule::List(ids) if down != Some(true) => return Sequence::list(Arc::clone(ids)),
            Rule::List(ids) => ids.to_vec(),
            Rule::Powers { base, end } => powers(*base, *end, self.inclusive)?,
            Rule::StridedReduce(n) => {
                let n = n.checked_next_power_of_two().ok_or_else(|| too_large(*n))?;
                let strides = std::iter::successors(Some(n / 2), |stride| Some(stride / 2));
                let mut strides: Vec<usize> = strides.take_while(|&stride| stride > 0).collect();
                if down == Some(false) {
                    strides.reverse();
                }
                return Sequence::list(strides.into());
            }
        };
        if down == Some(true) {
            ids.reverse();
        }
        Sequence::list(ids.into())
    }
}

impl From<usize> for CountBy {
    fn from(n: usize) -> Self {
        Self::count(n)
    }
}

fn powers(base: usize, end: usize, inclusive: bool) -> Result<Vec<usize>> {
    if base < 2 {
        let what = "base of the powers of an index space, at least".to_owned();
        return Err(Error::Shape { what, expected: vec![2], found: vec![base] });
    }
    let all = std::iter::successors(Some(1_usize), |power| power.checked_mul(base));
    Ok(all.take_while(|&power| power < end || (inclusive && power == end)).collect())
}

/// Extents and ids are at most this.
fn is_fit(n: usize) -> bool {
    n as u64 <= i64::MAX as u64
}

#[cold]
fn too_large(n: usize) -> Error {
    Error::TooLarge { what: "dimension of an index space", extents: vec![n] }
}

/// The ids of a dimension by their position.
#[derive(Clone)]
pub(crate) enum Sequence {
    /// `0..n`.
    Up(usize),
    /// `n - 1` down to 0.
    Down(usize),
    /// Anything.
    List(Arc<List>),
}

impl PartialEq for Sequence {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Up(a), Self::Up(b)) | (Self::Down(a), Self::Down(b)) => a == b,
            (Self::List(a), Self::List(b)) => Arc::ptr_eq(a, b) || a.ids == b.ids,
            _ => false,
        }
    }
}

/// Ids that are neither.
pub(crate) struct List {
    /// Shared with the rule.
    ids: Arc<Vec<usize>>,
    /// One more than the largest.
    end: usize,
    /// Whether each id is at least the one before.
    is_sorted: bool,
    /// Where runs of ids begin that rise by one, ascending; the first is at 0.
    runs: OnceLock<Box<[usize]>>,
    repeats: OnceLock<bool>,
}

impl List {
    fn runs(&self) -> &[usize] {
        self.runs.get_or_init(|| {
            let ids = &self.ids;
            (0..ids.len()).filter(|&at| at == 0 || ids[at] != ids[at - 1] + 1).collect()
        })
    }

    fn repeats(&self) -> bool {
        let adjacent = |ids: &[usize]| ids.windows(2).any(|pair| pair[0] == pair[1]);
        *self.repeats.get_or_init(|| {
            if self.is_sorted {
                return adjacent(&self.ids);
            }
            match Marks::of(&self.ids, self.end) {
                Some(marks) => marks.repeats,
                None => adjacent(&sorted(&self.ids)),
            }
        })
    }

    /// The same ids, ascending.
    fn sorted(&self) -> Sequence {
        let ids = match Marks::of(&self.ids, self.end) {
            Some(marks) if !marks.repeats => {
                self.repeats.get_or_init(|| false);
                if self.ids.len() == self.end {
                    return Sequence::Up(self.end);
                }
                marks.ids(self.ids.len())
            }
            Some(_) if self.end <= self.ids.len() => counted(&self.ids, self.end),
            _ => sorted(&self.ids),
        };
        Sequence::of(ids.into(), self.end)
    }
}

/// Which ids are there, a bit each.
struct Marks {
    words: Vec<u64>,
    /// Whether an id came again.
    repeats: bool,
}

impl Marks {
    /// The marks of ids below `end`, where they take less memory than the ids.
    fn of(ids: &[usize], end: usize) -> Option<Self> {
        let n = end.div_ceil(64);
        if n >= ids.len() {
            return None;
        }
        let (mut words, mut repeats) = (vec![0_u64; n], false);
        for id in ids {
            let (word, bit) = (&mut words[id / 64], 1 << (id % 64));
            repeats |= *word & bit != 0;
            *word |= bit;
        }
        Some(Self { words, repeats })
    }

    /// The `n` ids that are marked, ascending.
    fn ids(&self, n: usize) -> Vec<usize> {
        let mut ids = Vec::with_capacity(n);
        for (at, &word) in self.words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                ids.push(64 * at + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
        ids
    }
}

/// The ids, which are below `end`, in order: there are more of them than values that they take.
fn counted(ids: &[usize], end: usize) -> Vec<usize> {
    let mut counts = vec![0_usize; end];
    ids.iter().for_each(|&id| counts[id] += 1);
    let mut sorted = Vec::with_capacity(ids.len());
    for (id, count) in counts.into_iter().enumerate() {
        sorted.extend(std::iter::repeat_n(id, count));
    }
    sorted
}

fn sorted(ids: &[usize]) -> Vec<usize> {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted
}

impl Sequence {
    fn list(ids: Arc<Vec<usize>>) -> Result<Self> {
        let end = ids.iter().max().map_or(0, |&last| last.saturating_add(1));
        if !is_fit(end.saturating_sub(1)) {
            return Err(too_large(end - 1));
        }
        Ok(Self::of(ids, end))
    }

    fn of(ids: Arc<Vec<usize>>, end: usize) -> Self {
        let n = ids.len();
        if end == n && ids.iter().enumerate().all(|(at, &id)| id == at) {
            return Self::Up(n);
        }
        if end == n && ids.iter().rev().enumerate().all(|(at, &id)| id == at) {
            return Self::Down(n);
        }
        let is_sorted = ids.is_sorted();
        let (runs, repeats) = Default::default();
        Self::List(Arc::new(List { ids, end, is_sorted, runs, repeats }))
    }

    /// The number of ids.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Up(n) | Self::Down(n) => *n,
            Self::List(list) => list.ids.len(),
        }
    }

    /// The id at a position, which is below the length.
    pub(crate) fn id(&self, at: usize) -> usize {
        match self {
            Self::Up(_) => at,
            Self::Down(n) => n - 1 - at,
            Self::List(list) => list.ids[at],
        }
    }

    /// One more than the largest id.
    pub(crate) fn end(&self) -> usize {
        match self {
            Self::Up(n) | Self::Down(n) => *n,
            Self::List(list) => list.end,
        }
    }

    /// Whether an id comes more than once.
    pub(crate) fn repeats(&self) -> bool {
        matches!(self, Self::List(list) if list.repeats())
    }

    /// Whether the ids are `0..n`, ascending or descending.
    pub(crate) fn is_whole(&self) -> bool {
        !matches!(self, Self::List(_))
    }

    /// Whether each id is above the one before, or each below it.
    pub(crate) fn is_strict(&self) -> bool {
        match self {
            Self::Up(_) | Self::Down(_) => true,
            Self::List(list) => list.is_sorted && !list.repeats(),
        }
    }

    /// The same ids, ascending.
    pub(crate) fn sorted(&self) -> Self {
        match self {
            Self::Up(n) | Self::Down(n) => Self::Up(*n),
            Self::List(list) if list.is_sorted => self.clone(),
            Self::List(list) => list.sorted(),
        }
    }

    /// The smallest range around the ids at some positions.
    pub(crate) fn bounding(&self, from: usize, to: usize) -> Range<usize> {
        match self {
            Self::Up(_) => from..to,
            Self::Down(n) => n - to..n - from,
            Self::List(list) => {
                let ids = &list.ids[from..to];
                let last = ids.iter().max().map_or(0, |last| last + 1);
                ids.iter().min().map_or(0..0, |&first| first..last)
            }
        }
    }

    /// The run of ids that begins at a position: the first id, and at which position before `end` it
    /// ends. All ids of it are reached in some order.
    pub(crate) fn run(&self, at: usize, end: usize) -> Run {
        match self {
            Self::Up(_) => Run { lo: at, n: end - at },
            Self::Down(n) => Run { lo: n - end, n: end - at },
            Self::List(list) => {
                let runs = list.runs();
                let next = runs.partition_point(|&start| start <= at);
                let stop = runs.get(next).map_or(end, |&start| start.min(end));
                Run { lo: list.ids[at], n: stop - at }
            }
        }
    }
}

/// Ids that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The smallest.
    pub(crate) lo: usize,
    /// How many.
    pub(crate) n: usize,
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// So many ids are enough for a person.
        const SHOWN: usize = 8;
        match self {
            Self::Up(n) => n.fmt(f),
            Self::Down(n) => write!(f, "{n} descending"),
            Self::List(list) if list.ids.len() <= SHOWN => list.ids.fmt(f),
            Self::List(list) => {
                write!(f, "{} ids from {:?} on", list.ids.len(), &list.ids[..SHOWN])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(count: CountBy) -> Vec<usize> {
        count.ids().unwrap()
    }

    #[test]
    fn rules_give_the_ids_of_the_specification() {
        assert_eq!(ids(4.into()), [0, 1, 2, 3]);
        assert_eq!(ids(CountBy::count(0)), [0; 0]);
        assert_eq!(ids(CountBy::count(3).inclusive()), [0, 1, 2, 3]);
        assert_eq!(ids(CountBy::count(3).descending()), [2, 1, 0]);
        assert_eq!(ids(CountBy::list([4, 4, 1]).descending()), [1, 4, 4]);
        assert_eq!(ids(CountBy::powers(3, 27)), [1, 3, 9]);
        assert_eq!(ids(CountBy::powers(3, 27).inclusive()), [1, 3, 9, 27]);
        assert_eq!(ids(CountBy::powers(3, 27).inclusive().descending()), [27, 9, 3, 1]);
        assert_eq!(ids(CountBy::powers(3, 28).inclusive().descending()), [27, 9, 3, 1]);
        assert_eq!(ids(CountBy::powers(2, 1)), [0; 0]);
        assert_eq!(ids(CountBy::strided_reduce(8)), [4, 2, 1]);
        assert_eq!(ids(CountBy::strided_reduce(9)), [8, 4, 2, 1]);
        assert_eq!(ids(CountBy::strided_reduce(9).ascending()), [1, 2, 4, 8]);
        assert_eq!(ids(CountBy::strided_reduce(1)), [0; 0]);
        assert_eq!(ids(CountBy::strided_reduce(0)), [0; 0]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let error = CountBy::powers(1, 9).ids().unwrap_err();
        assert!(error.to_string().contains("powers"), "{error}");
        for count in [
            CountBy::count(usize::MAX),
            CountBy::count(usize::MAX).descending(),
            CountBy::count(usize::MAX).inclusive(),
            CountBy::list([usize::MAX]),
            CountBy::strided_reduce(usize::MAX),
            CountBy::strided_reduce((1 << 63) + 1).ascending(),
            CountBy::powers(2, usize::MAX),
            CountBy::powers(2, 1 << 63).inclusive(),
            CountBy::powers(1 << 63, usize::MAX).descending(),
        ] {
            assert!(matches!(count.ids(), Err(Error::TooLarge { .. })), "{count:?}");
        }
    }

    #[test]
    fn the_largest_ids_are_right() {
        let all: Vec<usize> = (0..63).map(|exponent| 1 << exponent).collect();
        assert_eq!(ids(CountBy::powers(2, 1 << 63)), all);
        assert_eq!(ids(CountBy::strided_reduce(1 << 63).ascending()), all);
        assert_eq!(ids(CountBy::strided_reduce((1 << 62) + 1).ascending()), all);
        let down: Vec<usize> = all.iter().rev().copied().collect();
        assert_eq!(ids(CountBy::strided_reduce(1 << 63)), down);
        assert_eq!(ids(CountBy::powers(1 << 62, usize::MAX)), [1, 1 << 62]);
        assert_eq!(ids(CountBy::powers(usize::MAX, usize::MAX)), [1]);
        let largest = i64::MAX as usize;
        assert_eq!(ids(CountBy::list([largest])), [largest]);
    }

    #[test]
    fn sorted_ids_are_those_of_a_sort() {
        let far = 1 << 20;
        for ids in [
            vec![],
            vec![2, 0, 1],
            vec![0, 1, 2],
            vec![2, 1, 0],
            vec![5, 1, 3],
            vec![5, 1, 5, 1, 1, 0, 2],
            vec![5, 1, 5],
            vec![far, 3, 200, 70, 64],
            vec![far, 3, far],
            (0..300).rev().map(|id| id / 2 * 3).collect(),
        ] {
            let made = CountBy::list(ids.clone()).sequence().unwrap();
            let of = |ids: &Sequence| (0..ids.len()).map(|at| ids.id(at)).collect::<Vec<_>>();
            assert_eq!(of(&made), ids);
            let mut wanted = ids.clone();
            wanted.sort_unstable();
            let sorted = made.sorted();
            assert_eq!(of(&sorted), wanted);
            wanted.dedup();
            let repeats = wanted.len() < ids.len();
            assert_eq!((made.repeats(), sorted.repeats()), (repeats, repeats), "{ids:?}");
            assert_eq!(sorted.is_strict(), !repeats, "{ids:?}");
            let is_whole = wanted.iter().enumerate().all(|(at, &id)| id == at) && !repeats;
            assert_eq!(sorted.is_whole(), is_whole, "{ids:?}");
        }
    }

    #[test]
    fn runs_are_all_ids_once() {
        for count in [
            CountBy::count(5),
            CountBy::count(5).descending(),
            CountBy::list([5, 6, 7, 2, 3, 9]),
            CountBy::list([3, 2, 1]),
        ] {
            let ids = count.sequence().unwrap();
            for (from, to) in [(0, ids.len()), (1, ids.len() - 1)] {
                let (mut at, mut found) = (from, Vec::new());
                while at < to {
                    let Run { lo, n } = ids.run(at, to);
                    found.extend(lo..lo + n);
                    at += n;
                }
                let mut wanted: Vec<usize> = (from..to).map(|at| ids.id(at)).collect();
                found.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(found, wanted, "{count:?}");
            }
        }
    }
}
