//! What a launch is over, as it is written: extents, ids, cells, and closures over loop variables. It orders
//! no items and runs nothing.

use flash_ir::Dims;

use crate::arg::ArrayArg;
use crate::cond::{Operand, Source};
use crate::count_by::{CountBy, Sequence};
use crate::env::{Env, LoopVar};
use crate::error::Result;
use crate::space::Space;
use crate::var::Var;

/// What can be the index space of a call of rank `R`: `[n]`, `[w, h]`, `image.space()`, a tuple whose
/// dimensions are numbers, sequences of ids and cells, and inside a loop of `flash_pipeline!` an
/// expression that names the loop variable.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index space of rank {R}",
    label = "expected `[usize; {R}]`",
    note = "the rank is one more than the highest `global_id(..)` of the kernel, or what its attribute names"
)]
pub trait IntoSpace<'a, const R: usize> {
    /// The extents, fixed or evaluated at each dispatch.
    fn into_space(self) -> SpaceSource<'a>;
}

impl<'a, const R: usize> IntoSpace<'a, R> for [usize; R] {
    #[inline]
    fn into_space(self) -> SpaceSource<'a> {
        match self[..] {
            // As `Space::new` accepts them.
            [n] if n as u64 <= i64::MAX as u64 => SpaceSource::Line(n),
            [w, h] if w.max(h) as u64 <= i32::MAX as u64 => {
                SpaceSource::Plane([w as u32, h as u32])
            }
            _ => SpaceSource::Fixed(Box::new(Space::new(&self))),
        }
    }
}

impl<'a, const R: usize> IntoSpace<'a, R> for [CountBy; R] {
    fn into_space(self) -> SpaceSource<'a> {
        SpaceSource::of(self.map(IntoDimension::into_dimension))
    }
}

/// A dimension of an index space: a number of ids, or a sequence of them.
pub trait IntoCount {
    /// Its ids.
    fn into_count(self) -> CountBy;
}

impl IntoCount for usize {
    fn into_count(self) -> CountBy {
        CountBy::count(self)
    }
}

impl IntoCount for CountBy {
    fn into_count(self) -> CountBy {
        self
    }
}

/// A dimension of the index space of a call: [`IntoCount`], or a number that is read at each dispatch,
/// of a cell or of a loop variable.
pub trait IntoDimension<'a> {
    /// Its ids, or where their number is found.
    fn into_dimension(self) -> Dimension<'a>;
}

impl<'a> IntoDimension<'a> for usize {
    fn into_dimension(self) -> Dimension<'a> {
        Dimension(Count::Ids(CountBy::count(self).sequence()))
    }
}

impl<'a> IntoDimension<'a> for CountBy {
    fn into_dimension(self) -> Dimension<'a> {
        Dimension(Count::Ids(self.sequence()))
    }
}

impl<'a> IntoDimension<'a> for &Var<usize> {
    fn into_dimension(self) -> Dimension<'a> {
        Dimension(Count::Read(self.into_source()))
    }
}

impl<'a> IntoDimension<'a> for LoopVar<usize> {
    fn into_dimension(self) -> Dimension<'a> {
        Dimension(Count::Read(self.into_source()))
    }
}

/// What [`IntoDimension`] makes of a dimension.
#[derive(Debug)]
pub struct Dimension<'a>(Count<'a>);

#[derive(Debug)]
enum Count<'a> {
    /// These ids.
    Ids(Result<Sequence>),
    /// As many as are read at each dispatch.
    Read(Source<'a>),
}

macro_rules! products {
    ($(($n:literal $($d:ident)*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, $($d: IntoDimension<'a>),*> IntoSpace<'a, $n> for ($($d,)*) {
            #[allow(non_snake_case, reason = "named after their types")]
            fn into_space(self) -> SpaceSource<'a> {
                let ($($d,)*) = self;
                SpaceSource::of([$($d.into_dimension()),*])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a, $($d: IntoDimension<'a>),*> IntoSpace<'a, $n> for [($($d,)*); 1] {
            fn into_space(self) -> SpaceSource<'a> {
                let [product] = self;
                product.into_space()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($d: IntoCount),*> Extents<$n> for ($($d,)*) {
            #[allow(non_snake_case, reason = "named after their types")]
            fn evaluated<'a>(space: impl Fn(&Env) -> Self + Send + 'a) -> SpaceSource<'a> {
                SpaceSource::LazyIds(Box::new(move |env| {
                    let ($($d,)*) = space(env);
                    Product::new([$($d.into_count().sequence()),*])
                }))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($d: IntoCount),*> Extents<$n> for [($($d,)*); 1] {
            fn evaluated<'a>(space: impl Fn(&Env) -> Self + Send + 'a) -> SpaceSource<'a> {
                Extents::evaluated(move |env: &Env| {
                    let [product] = space(env);
                    product
                })
            }
        }
    )*};
}

products! { (1 A) (2 A B) (3 A B C) (4 A B C D) (5 A B C D E) (6 A B C D E F) (7 A B C D E F G)
(8 A B C D E F G H) }

impl<'a, const R: usize> IntoSpace<'a, R> for [[usize; R]; 1] {
    /// `[image.space()]`: the brackets of `flash_pipeline!` around what already is a space.
    #[inline]
    fn into_space(self) -> SpaceSource<'a> {
        let [extents] = self;
        extents.into_space()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, const R: usize> IntoSpace<'a, R> for [LoopVar<usize>; R] {
    fn into_space(self) -> SpaceSource<'a> {
        SpaceSource::of(self.map(IntoDimension::into_dimension))
    }
}

#[diagnostic::do_not_recommend]
impl<'a, const R: usize> IntoSpace<'a, R> for [&Var<usize>; R] {
    fn into_space(self) -> SpaceSource<'a> {
        SpaceSource::of(self.map(IntoDimension::into_dimension))
    }
}

/// What an index space of rank `R` is when loop variables have values: extents, dimension 0 first, or ids.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index space of rank {R}",
    label = "expected `[usize; {R}]`",
    note = "the rank is one more than the highest `global_id(..)` of the kernel, or what its attribute names"
)]
pub trait Extents<const R: usize>: Sized {
    /// The space that is this one at each dispatch.
    fn evaluated<'a>(space: impl Fn(&Env) -> Self + Send + 'a) -> SpaceSource<'a>;
}

impl<const R: usize> Extents<R> for [usize; R] {
    fn evaluated<'a>(space: impl Fn(&Env) -> Self + Send + 'a) -> SpaceSource<'a> {
        SpaceSource::Lazy(Box::new(move |env| Dims::from_slice(&space(env))))
    }
}

impl<const R: usize> Extents<R> for [[usize; R]; 1] {
    fn evaluated<'a>(space: impl Fn(&Env) -> Self + Send + 'a) -> SpaceSource<'a> {
        SpaceSource::Lazy(Box::new(move |env| Dims::from_slice(&space(env)[0])))
    }
}

impl<const R: usize> Extents<R> for [CountBy; R] {
    fn evaluated<'a>(space: impl Fn(&Env) -> Self + Send + 'a) -> SpaceSource<'a> {
        SpaceSource::LazyIds(Box::new(move |env| {
            Product::new(space(env).map(|count| count.sequence()))
        }))
    }
}

/// The signature of extents that depend on loop variables.
pub type SpaceFn<'a> = dyn Fn(&Env) -> Dims + Send + 'a;

/// The signature of ids that do.
pub type IdsFn<'a> = dyn Fn(&Env) -> Result<Product> + Send + 'a;

/// Where the extents of a launch come from. Nodes are many, so it is small where ranks are.
pub enum SpaceSource<'a> {
    /// One dimension, evaluated when the pipeline was built.
    #[non_exhaustive]
    Line(usize),
    /// Two of them that are not large.
    #[non_exhaustive]
    Plane([u32; 2]),
    /// Evaluated when the pipeline was built; an error is reported when it runs.
    Fixed(Box<Result<Space>>),
    /// Evaluated at each dispatch.
    Lazy(Box<SpaceFn<'a>>),
    /// The same with ids.
    LazyIds(Box<IdsFn<'a>>),
    /// Dimensions of which some are read at each dispatch.
    #[non_exhaustive]
    Read(Box<[Dimension<'a>]>),
    /// Of these ids.
    #[non_exhaustive]
    Product(Box<Product>),
}

/// An index space whose ids may be others than their positions.
#[derive(Debug)]
pub struct Product {
    pub(crate) space: Space,
    pub(crate) ids: Box<[Sequence]>,
}

impl Product {
    fn new(ids: impl IntoIterator<Item = Result<Sequence>>) -> Result<Self> {
        let ids: Box<[Sequence]> = ids.into_iter().collect::<Result<_>>()?;
        let lens: Dims = ids.iter().map(Sequence::len).collect();
        Ok(Self { space: Space::new(&lens)?, ids })
    }

    /// Whether all ids are their positions.
    fn counts_up(&self) -> bool {
        self.ids.iter().all(|ids| matches!(ids, Sequence::Up(_)))
    }
}

impl<'a> SpaceSource<'a> {
    fn of<const R: usize>(dims: [Dimension<'a>; R]) -> Self {
        if dims.iter().any(|dim| matches!(dim, Dimension(Count::Read(_)))) {
            return Self::Read(dims.into());
        }
        let ids = dims.into_iter().filter_map(|dim| match dim {
            Dimension(Count::Ids(ids)) => Some(ids),
            Dimension(Count::Read(_)) => None,
        });
        match Product::new(ids) {
            Ok(product) if !product.counts_up() => Self::Product(Box::new(product)),
            product => Self::Fixed(Box::new(product.map(|product| product.space))),
        }
    }

    /// The space, where [`SpaceSource::is_fixed`].
    #[inline]
    pub(crate) fn fixed(&self) -> Option<Result<Space>> {
        match self {
            Self::Line(n) => Some(Ok(Space::again([*n]))),
            Self::Plane(extents) => Some(Ok(Space::again(extents.map(|extent| extent as usize)))),
            other if other.is_fixed() => Some(other.resolve(&Env::new()).map(|(space, _)| space)),
            _ => None,
        }
    }

    /// The ids that are known before the run, where they are not all their positions.
    #[inline]
    pub(crate) fn ids(&self) -> Option<&[Sequence]> {
        match self {
            Self::Product(product) => Some(&product.ids),
            _ => None,
        }
    }

    /// Whether it is known before the run.
    pub(crate) fn is_fixed(&self) -> bool {
        !matches!(self, Self::Lazy(_) | Self::LazyIds(_) | Self::Read(_))
    }

    /// The number of items, where it is known before the run.
    pub(crate) fn items(&self) -> Option<usize> {
        match self {
            Self::Line(n) => Some(*n),
            Self::Plane([w, h]) => Some(*w as usize * *h as usize),
            Self::Fixed(space) => space.as_ref().as_ref().ok().map(Space::n_items),
            Self::Product(product) => Some(product.space.n_items()),
            Self::Lazy(_) | Self::LazyIds(_) | Self::Read(_) => None,
        }
    }

    /// Where extents that are read come from, to be changed.
    pub(crate) fn sources_mut(&mut self) -> impl Iterator<Item = &mut Source<'a>> {
        let dims = match self {
            Self::Read(dims) => &mut dims[..],
            _ => &mut [],
        };
        dims.iter_mut().filter_map(|dim| match dim {
            Dimension(Count::Read(source)) => Some(source),
            Dimension(Count::Ids(_)) => None,
        })
    }

    /// The cells that are read.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &ArrayArg> {
        let dims = match self {
            Self::Read(dims) => &dims[..],
            _ => &[],
        };
        dims.iter().filter_map(|dim| match dim {
            Dimension(Count::Read(source)) => source.cell(),
            Dimension(Count::Ids(_)) => None,
        })
    }

    /// The space in these loop iterations, and ids that are found with it, where some are not their
    /// positions. The caller's run holds the cells.
    pub(crate) fn resolve(&self, env: &Env) -> Result<(Space, Option<Box<[Sequence]>>)> {
        let product = match self {
            Self::Line(n) => return Ok((Space::again([*n]), None)),
            Self::Plane(extents) => {
                return Ok((Space::again(extents.map(|extent| extent as usize)), None));
            }
            Self::Fixed(space) => return (**space).clone().map(|space| (space, None)),
            Self::Product(product) => return Ok((product.space.clone(), None)),
            Self::Lazy(extents) => return Ok((Space::new(&extents(env))?, None)),
            Self::LazyIds(product) => product(env)?,
            Self::Read(dims) => {
                let count = |extent: &Source<'_>| {
                    Ok(usize::try_from(extent.count(env)?).unwrap_or(usize::MAX))
                };
                Product::new(dims.iter().map(|dim| match dim {
                    Dimension(Count::Ids(ids)) => ids.clone(),
                    Dimension(Count::Read(source)) => Ok(Sequence::Up(count(source)?)),
                }))?
            }
        };
        let listed = !product.counts_up();
        Ok((product.space, listed.then_some(product.ids)))
    }
}

impl std::fmt::Debug for SpaceSource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(n) => [*n].fmt(f),
            Self::Plane(extents) => extents.fmt(f),
            Self::Fixed(space) => space.fmt(f),
            Self::Lazy(_) | Self::LazyIds(_) => f.write_str("Lazy"),
            Self::Read(dims) => dims.fmt(f),
            Self::Product(product) => product.ids.fmt(f),
        }
    }
}
