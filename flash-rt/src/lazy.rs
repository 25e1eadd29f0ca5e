//! What depends on a loop variable: a closure that the driver of a pipeline calls at each dispatch.
//! It computes scalars, index spaces, bounds and offsets of views; it touches no array.
//!
//! `flash_pipeline!` turns `advance(step as f32 * dt, ..)` into
//! `advance(Lazy(move |env: &Env| { let step = v.get(env); step as f32 * dt }), ..)`. What such a
//! closure captures is moved into the pipeline: numbers and references are copied, anything else is
//! gone from the surrounding scope, so refer to tables (`let table = &table;`) before the loop.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use crate::arg::{Arg, ArrayArg, BoundArg};
use crate::cond::{Number, Source};
use crate::env::{Env, LoopInt, LoopRange, Trips};
use crate::error::Result;
use crate::pod::Pod;
use crate::space_source::{Extents, IntoSpace, SpaceSource};
use crate::value::Value;

/// A value that depends on loop variables, evaluated at each dispatch.
// Not `Clone`: a state of a host task that is `Clone` is a value, and this is none.
pub struct Lazy<F>(pub F);

impl<F> fmt::Debug for Lazy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lazy")
    }
}

impl<'a, T: Pod, F: Fn(&Env) -> T + Send + 'a> Arg<'a, T> for Lazy<F> {
    fn bind(self) -> BoundArg<'a> {
        let Self(value) = self;
        BoundArg::LazyValue(Box::new(move |env| Value::new(value(env))))
    }
}

impl<'a, F: Fn(&Env) -> bool + Send + 'a> Arg<'a, bool> for Lazy<F> {
    fn bind(self) -> BoundArg<'a> {
        let Self(value) = self;
        BoundArg::LazyValue(Box::new(move |env| Value::from_bool(value(env))))
    }
}

impl<'a, F, S, const R: usize> IntoSpace<'a, R> for Lazy<F>
where
    F: Fn(&Env) -> S + Send + 'a,
    S: Extents<R>,
{
    fn into_space(self) -> SpaceSource<'a> {
        let Self(space) = self;
        S::evaluated(space)
    }
}

/// The signature of bounds that depend on outer loop variables.
pub type BoundsFn<'a> = dyn Fn(&Env) -> Trips + Send + 'a;

/// The bounds of a loop.
pub enum Bounds<'a> {
    /// Evaluated when the pipeline was built.
    Fixed(Trips),
    /// Evaluated each time the loop is entered.
    Lazy(Box<BoundsFn<'a>>),
    /// From cells, read each time the loop is entered.
    Cells(Box<[Source<'a>; 2]>, fn(Number, Number) -> Trips),
}

impl<'a> Bounds<'a> {
    /// The values in these iterations of the outer loops. The caller's run holds the cells.
    #[inline]
    pub(crate) fn resolve(&self, env: &Env) -> Result<Trips> {
        match self {
            Self::Fixed(trips) => Ok(*trips),
            Self::Lazy(trips) => Ok(trips(env)),
            Self::Cells(ends, trips) => Ok(trips(ends[0].get(env)?, ends[1].get(env)?)),
        }
    }

    /// Where bounds that are read come from, to be changed.
    pub(crate) fn sources_mut(&mut self) -> &mut [Source<'a>] {
        match self {
            Self::Cells(ends, _) => &mut ends[..],
            Self::Fixed(_) | Self::Lazy(_) => &mut [],
        }
    }

    /// The cells that are read.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &ArrayArg> {
        let ends = match self {
            Self::Cells(ends, _) => &ends[..],
            Self::Fixed(_) | Self::Lazy(_) => &[],
        };
        ends.iter().filter_map(Source::cell)
    }
}

impl fmt::Debug for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(trips) => trips.fmt(f),
            Self::Lazy(_) => f.write_str("Lazy"),
            Self::Cells(ends, _) => write!(f, "{:?}..{:?}", ends[0], ends[1]),
        }
    }
}

/// What the loop of a pipeline runs over: `a..b`, `a..=b`, or such a range that depends on outer
/// loop variables.
#[diagnostic::on_unimplemented(
    message = "a loop of a pipeline cannot run over `{Self}`",
    label = "expected `a..b` or `a..=b` with integers of at most 64 bits",
    note = "for other iterators write a Rust loop and `push` the stages"
)]
pub trait IntoBounds<'a> {
    /// The type of the loop variable.
    type Int: LoopInt;
    /// The bounds.
    fn into_bounds(self) -> Bounds<'a>;
}

impl<'a, T: LoopInt> IntoBounds<'a> for Range<T> {
    type Int = T;

    fn into_bounds(self) -> Bounds<'a> {
        Bounds::Fixed(self.trips())
    }
}

impl<'a, T: LoopInt> IntoBounds<'a> for RangeInclusive<T> {
    type Int = T;

    fn into_bounds(self) -> Bounds<'a> {
        Bounds::Fixed(self.trips())
    }
}

impl<'a, F, R> IntoBounds<'a> for Lazy<F>
where
    F: Fn(&Env) -> R + Send + 'a,
    R: LoopRange,
{
    type Int = R::Int;

    fn into_bounds(self) -> Bounds<'a> {
        let Self(range) = self;
        Bounds::Lazy(Box::new(move |env| range(env).trips()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::LoopVar;

    #[test]
    fn bounds_follow_the_outer_variable() {
        let (outer, var) = (LoopVar::<u32>::new(0), LoopVar::<u32>::new(1));
        let inner = Lazy(move |env: &Env| {
            let i = outer.get(env);
            i..=2 * i
        });
        let bounds = inner.into_bounds();
        let mut seen = Vec::new();
        for i in 0..4_u32 {
            let mut env = Env::new();
            env.set(0, i.to_bits());
            let trips = bounds.resolve(&env).unwrap();
            for k in 0..trips.count {
                env.set(1, trips.value(k));
                seen.push((i, var.get(&env)));
            }
        }
        let expected: Vec<_> = (0..4_u32).flat_map(|i| (i..=2 * i).map(move |j| (i, j))).collect();
        assert_eq!(seen, expected);
    }
}
