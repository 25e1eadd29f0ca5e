//! Conditions as data: what `if` and `while` of a pipeline look at. Each leaf is a value, a cell, or
//! a closure over loop variables; it is evaluated when the pipeline comes to it, and what it reads
//! is ordered like the reads of a kernel. It decides nothing about when that is.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use flash_ir::{ScalarTy, Ty};

use crate::arg::ArrayArg;
use crate::backend::{Cell, Term, Test};
use crate::env::{Env, LoopInt, LoopRange, LoopVar, Trips};
use crate::error::Result;
use crate::lazy::{Bounds, IntoBounds, Lazy};
pub use crate::operand::{Number, Operand, Scalar, Source};
use crate::var::Var;

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

impl Comparison {
    fn holds(self, a: Number, b: Number) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let order = match (a, b) {
            (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
            (Number::Bool(a), Number::Bool(b)) => Some(a.cmp(&b)),
            // Operands of one comparison have one type.
            _ => None,
        };
        match self {
            Self::Lt => order == Some(Less),
            Self::Le => matches!(order, Some(Less | Equal)),
            Self::Gt => order == Some(Greater),
            Self::Ge => matches!(order, Some(Greater | Equal)),
            Self::Eq => order == Some(Equal),
            Self::Ne => order != Some(Equal),
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Eq => "==",
            Self::Ne => "!=",
        }
    }
}

/// A condition of a pipeline: cells, comparisons, and `!`, `&`, `|`, `^` of conditions.
///
/// ```
/// use flash_rt::Var;
///
/// let (done, steps) = (Var::new(false), Var::new(1_u32));
/// let cond = !&done & steps.lt(20);
/// assert_eq!(format!("{cond:?}"), "(!cell & cell < 20)");
/// ```
#[derive(Clone)]
pub struct Cond<'a>(Expr<'a>);

#[derive(Clone)]
enum Expr<'a> {
    /// A `bool`.
    Is(Source<'a>),
    Compare(Comparison, Source<'a>, Source<'a>),
    Not(Box<Expr<'a>>),
    And(Box<[Expr<'a>; 2]>),
    Or(Box<[Expr<'a>; 2]>),
    Xor(Box<[Expr<'a>; 2]>),
}

impl fmt::Debug for Cond<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Expr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(source) => source.fmt(f),
            Self::Compare(how, a, b) => write!(f, "{a:?} {} {b:?}", how.sign()),
            Self::Not(inner) => match **inner {
                Self::Compare(..) => write!(f, "!({inner:?})"),
                _ => write!(f, "!{inner:?}"),
            },
            Self::And(two) => write!(f, "({:?} & {:?})", two[0], two[1]),
            Self::Or(two) => write!(f, "({:?} | {:?})", two[0], two[1]),
            Self::Xor(two) => write!(f, "({:?} ^ {:?})", two[0], two[1]),
        }
    }
}

impl<'a> Expr<'a> {
    fn holds(&self, env: &Env) -> Result<bool> {
        Ok(match self {
            Self::Is(source) => source.get(env)? == Number::Bool(true),
            Self::Compare(how, a, b) => how.holds(a.get(env)?, b.get(env)?),
            Self::Not(inner) => !inner.holds(env)?,
            Self::And(two) => two[0].holds(env)? && two[1].holds(env)?,
            Self::Or(two) => two[0].holds(env)? || two[1].holds(env)?,
            Self::Xor(two) => two[0].holds(env)? ^ two[1].holds(env)?,
        })
    }

    /// As [`Cond::for_device`].
    fn for_device(&self, seen: &mut Seen<'_>) -> Option<Test> {
        let mut two = |two: &[Self; 2]| {
            let (a, b) = (two[0].for_device(seen)?, two[1].for_device(seen)?);
            Some(Box::new([a, b]))
        };
        Some(match self {
            Self::Is(source) => match seen.cell(source) {
                Some(cell) => Test::Is(cell),
                None => {
                    let term = |value| Term::Value(ScalarTy::Bool, value);
                    let both = [seen.value(source)?, Number::Bool(true)].map(term);
                    let [is, wanted] = both;
                    Test::Compare(Comparison::Eq, is, wanted)
                }
            },
            Self::And(both) => Test::And(two(both)?),
            Self::Or(both) => Test::Or(two(both)?),
            Self::Xor(both) => Test::Xor(two(both)?),
            Self::Not(inner) => Test::Not(Box::new(inner.for_device(seen)?)),
            Self::Compare(how, a, b) => {
                let ty = [a, b].into_iter().find_map(cell_ty)?;
                let [a, b] = [a, b].map(|source| match seen.cell(source) {
                    Some(cell) => Some(Term::Cell(cell)),
                    None => Some(Term::Value(ty, seen.value(source)?)),
                });
                Test::Compare(*how, a?, b?)
            }
        })
    }

    fn each_cell(&self, found: &mut dyn FnMut(&ArrayArg)) {
        match self {
            Self::Is(source) => source.cell().into_iter().for_each(found),
            Self::Compare(_, a, b) => a.cell().into_iter().chain(b.cell()).for_each(found),
            Self::Not(inner) => inner.each_cell(found),
            Self::And(two) | Self::Or(two) | Self::Xor(two) => {
                two.iter().for_each(|one| one.each_cell(found));
            }
        }
    }

    fn sources_mut<'s>(&'s mut self, out: &mut Vec<&'s mut Source<'a>>) {
        match self {
            Self::Is(source) => out.push(source),
            Self::Compare(_, a, b) => out.extend([a, b]),
            Self::Not(inner) => inner.sources_mut(out),
            Self::And(two) | Self::Or(two) | Self::Xor(two) => {
                two.iter_mut().for_each(|one| one.sources_mut(out));
            }
        }
    }
}

/// What is known where a condition is made one for a device.
struct Seen<'s> {
    /// The loop variables; nothing before the loop runs, when any value stands for each of them.
    env: Option<&'s Env>,
    /// The level of the loop that asks.
    level: usize,
    /// Whether a cell is the host's, and stays as it is.
    is_kept: &'s dyn Fn(&ArrayArg) -> bool,
    cells: &'s mut Vec<ArrayArg>,
}

/// The type of a cell; nothing for what is none.
fn cell_ty(source: &Source<'_>) -> Option<ScalarTy> {
    let Source::Cell(cell, is_bool) = source else { return None };
    match cell.allocation.elem().ty {
        _ if *is_bool => Some(ScalarTy::Bool),
        Ty::Scalar(ty) => Some(ty),
        _ => None,
    }
}

impl Seen<'_> {
    /// A cell, which is noted; nothing for what is none that a device has.
    fn cell(&mut self, source: &Source<'_>) -> Option<Cell> {
        let ty = cell_ty(source)?;
        let Source::Cell(cell, _) = source else { return None };
        if (self.is_kept)(cell) {
            return None;
        }
        let size = cell.allocation.elem().size;
        let (memory, offset) = (self.cells.len(), (cell.section.offset() * size) as u64);
        self.cells.push(cell.clone());
        Some(Cell { memory, offset, ty })
    }

    /// A value that is the same in all trips.
    fn value(&self, source: &Source<'_>) -> Option<Number> {
        match source {
            Source::Value(value) => Some(*value),
            Source::Cell(cell, _) if (self.is_kept)(cell) => source.get(self.env?).ok(),
            // What it does not have is for the host to say.
            Source::Variable(variable) if variable.which.level != self.level => match self.env {
                Some(env) => variable.get(env).ok(),
                None => Some(Number::Int(0)),
            },
            _ => None,
        }
    }
}

impl<'a> Cond<'a> {
    /// `a < b` and the like, of one type.
    pub fn compare<A, B>(how: Comparison, a: A, b: B) -> Self
    where
        A: Operand<'a>,
        B: Operand<'a, Scalar = A::Scalar>,
    {
        Self(Expr::Compare(how, a.into_source(), b.into_source()))
    }

    /// Both, or the one there is.
    pub(crate) fn both(first: Option<Box<Self>>, second: Self) -> Option<Box<Self>> {
        Some(Box::new(match first {
            Some(first) => *first & second,
            None => second,
        }))
    }

    /// Whether it holds now. The caller's run holds its cells for reading.
    pub(crate) fn holds(&self, env: &Env) -> Result<bool> {
        self.0.holds(env)
    }

    /// The same for a device to look at, if it is one of cells, which are listed, and of what stays as it is
    /// in the loop of a level: cells that the host keeps among them. The caller's run holds all of them.
    pub(crate) fn for_device(
        &self,
        (env, level): (Option<&Env>, usize),
        is_kept: &dyn Fn(&ArrayArg) -> bool,
        cells: &mut Vec<ArrayArg>,
    ) -> Option<Test> {
        self.0.for_device(&mut Seen { env, level, is_kept, cells })
    }

    /// Its cells.
    pub(crate) fn each_cell(&self, found: &mut dyn FnMut(&ArrayArg)) {
        self.0.each_cell(found);
    }

    /// Where its values come from, to be changed.
    pub(crate) fn sources_mut(&mut self) -> Vec<&mut Source<'a>> {
        let mut out = Vec::new();
        self.0.sources_mut(&mut out);
        out
    }
}

/// What is a condition: a [`Cond`], `&Var<bool>`, `bool`, and in a loop of `flash_pipeline!` an
/// expression that names the loop variable.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition of a pipeline",
    label = "expected a `bool`, `&Var<bool>` or a comparison",
    note = "a cell with a number is compared: `&count > 0` in `flash_pipeline!`, `count.gt(0)` \
            elsewhere"
)]
pub trait IntoCond<'a> {
    /// The condition.
    fn into_cond(self) -> Cond<'a>;
}

impl<'a> IntoCond<'a> for Cond<'a> {
    fn into_cond(self) -> Self {
        self
    }
}

impl<'a> IntoCond<'a> for bool {
    fn into_cond(self) -> Cond<'a> {
        Cond(Expr::Is(Source::Value(Number::Bool(self))))
    }
}

impl<'a> IntoCond<'a> for &Var<bool> {
    fn into_cond(self) -> Cond<'a> {
        Cond(Expr::Is(self.into_source()))
    }
}

impl<'a, F: Fn(&Env) -> bool + Send + 'a> IntoCond<'a> for Lazy<F> {
    fn into_cond(self) -> Cond<'a> {
        Cond(Expr::Is(self.into_source()))
    }
}

impl Not for Cond<'_> {
    type Output = Self;

    fn not(self) -> Self {
        Self(Expr::Not(Box::new(self.0)))
    }
}

impl Not for &Var<bool> {
    type Output = Cond<'static>;

    fn not(self) -> Cond<'static> {
        !self.into_cond()
    }
}

macro_rules! both {
    ($($op:ident $method:ident $variant:ident;)*) => {$(
        impl<'a, C: IntoCond<'a>> $op<C> for Cond<'a> {
            type Output = Self;

            fn $method(self, other: C) -> Self {
                Self(Expr::$variant(Box::new([self.0, other.into_cond().0])))
            }
        }

        impl<'a> $op<Cond<'a>> for &Var<bool> {
            type Output = Cond<'a>;

            fn $method(self, other: Cond<'a>) -> Cond<'a> {
                IntoCond::<'a>::into_cond(self).$method(other)
            }
        }

        impl $op for &Var<bool> {
            type Output = Cond<'static>;

            fn $method(self, other: Self) -> Cond<'static> {
                IntoCond::<'static>::into_cond(self).$method(other)
            }
        }
    )*};
}
both! {
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
}

macro_rules! comparisons {
    ($([$($generics:tt)*] $on:ty, $self:ty => $scalar:ty;)*) => {$(
        impl<$($generics)*> $on {
            comparisons! { @each $self, $scalar; lt Lt "<"; le Le "<="; gt Gt ">"; ge Ge ">="; eq Eq "=="; ne Ne "!="; }
        }
    )*};
    (@each $self:ty, $scalar:ty; $($name:ident $how:ident $sign:literal;)*) => {$(
        #[doc = concat!("`self ", $sign, " other`, as a condition.")]
        pub fn $name<'a>(self: $self, other: impl Operand<'a, Scalar = $scalar>) -> Cond<'a> {
            Cond::compare(Comparison::$how, self, other)
        }
    )*};
}
comparisons! {
    [T: Scalar] Var<T>, &Self => T;
    [T: LoopInt + Scalar] LoopVar<T>, Self => T;
}

/// How many trips a `while` may make.
#[derive(Debug)]
pub struct Limit<'a>(Source<'a>);

impl<'a> Limit<'a> {
    pub(crate) fn get(&self, env: &Env) -> Result<u64> {
        self.0.count(env)
    }

    /// The limit, where it is known whatever the pipeline does.
    pub(crate) fn fixed(&self) -> Option<u64> {
        match &self.0 {
            value @ Source::Value(_) => value.count(&Env::new()).ok(),
            _ => None,
        }
    }

    pub(crate) fn cell(&self) -> Option<&ArrayArg> {
        self.0.cell()
    }

    pub(crate) fn source_mut(&mut self) -> &mut Source<'a> {
        &mut self.0
    }
}

/// What limits a `while`: an integer, or `&Var` of one.
pub trait IntoLimit<'a> {
    /// The limit.
    fn into_limit(self) -> Limit<'a>;
}

impl<'a, O: Operand<'a, Scalar: LoopInt>> IntoLimit<'a> for O {
    fn into_limit(self) -> Limit<'a> {
        Limit(self.into_source())
    }
}

/// `a..b` or `a..=b` with a bound that is a cell, read when the loop is entered.
#[derive(Debug)]
pub struct Span<A, B> {
    /// The first value.
    pub from: A,
    /// The end.
    pub to: B,
    /// Whether the end is a value too.
    pub inclusive: bool,
}

impl<'a, T, A, B> IntoBounds<'a> for Span<A, B>
where
    T: Scalar + LoopInt,
    A: Operand<'a, Scalar = T>,
    B: Operand<'a, Scalar = T>,
{
    type Int = T;

    fn into_bounds(self) -> Bounds<'a> {
        let trips = if self.inclusive { inclusive::<T> } else { exclusive::<T> };
        Bounds::Cells(Box::new([self.from.into_source(), self.to.into_source()]), trips)
    }
}

fn int<T: LoopInt>(number: Number) -> T {
    match number {
        // Sign-extended or not, the low bits are those of the type.
        Number::Int(value) => T::from_bits(value as u64),
        Number::Float(_) | Number::Bool(_) => T::from_bits(0),
    }
}

fn exclusive<T: LoopInt>(from: Number, to: Number) -> Trips {
    (int::<T>(from)..int::<T>(to)).trips()
}

fn inclusive<T: LoopInt>(from: Number, to: Number) -> Trips {
    (int::<T>(from)..=int::<T>(to)).trips()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_those_of_the_type() {
        let env = Env::new();
        let holds = |how, a: f32, b: f32| Cond::compare(how, a, b).holds(&env).unwrap();
        let all = [
            Comparison::Lt,
            Comparison::Le,
            Comparison::Gt,
            Comparison::Ge,
            Comparison::Eq,
            Comparison::Ne,
        ];
        for (a, b) in [(1.0, 2.0), (2.0, 1.0), (1.5, 1.5), (f32::NAN, 1.0), (0.1, 0.1)] {
            let rust = [a < b, a <= b, a > b, a >= b, a == b, a != b];
            assert_eq!(all.map(|how| holds(how, a, b)), rust, "{a} {b}");
        }
        let whole = |a: i64, b: i64| Cond::compare(Comparison::Lt, a, b).holds(&env).unwrap();
        assert!(whole(i64::MIN, i64::MAX) && !whole(i64::MAX - 1, i64::MAX - 1));
        assert!(Cond::compare(Comparison::Gt, u64::MAX, 1).holds(&env).unwrap());
    }

    #[test]
    fn operators_follow_their_truth_tables() {
        let env = Env::new();
        for p in [false, true] {
            for q in [false, true] {
                let c = |b: bool| b.into_cond();
                assert_eq!((!c(p) & q).holds(&env).unwrap(), !p & q);
                assert_eq!((c(p) | !c(q)).holds(&env).unwrap(), p | !q);
                assert_eq!((c(p) ^ q).holds(&env).unwrap(), p ^ q);
                let (a, b) = (Var::new(p), Var::new(q));
                assert_eq!((!&a & &b).holds(&env).unwrap(), !p & q);
                assert_eq!((&a ^ !&b).holds(&env).unwrap(), p ^ !q);
                let mut cells = 0;
                (!&a & (&b | a.eq(true))).each_cell(&mut |_| cells += 1);
                assert_eq!(cells, 3);
            }
        }
    }

    #[test]
    fn bounds_from_cells_are_those_of_the_range() {
        let n = Var::new(7_i32);
        let bounds = Span { from: -2, to: &n, inclusive: false }.into_bounds();
        let trips = bounds.resolve(&Env::new()).unwrap();
        assert_eq!((trips.first as i64, trips.count), (-2, 9));
        n.set(-3).unwrap();
        assert_eq!(bounds.resolve(&Env::new()).unwrap().count, 0);
    }
}
