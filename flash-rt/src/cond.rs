//! Conditions as data: what `if` and `while` of a pipeline look at. Each leaf is a value, a cell, or
//! a closure over loop variables; it is evaluated when the pipeline comes to it, and what it reads
//! is ordered like the reads of a kernel. It decides nothing about when that is.

use std::any::TypeId;
use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use flash_ir::{ScalarTy, Ty};

use crate::arg::ArrayArg;
use crate::env::{Env, LoopInt, LoopRange, LoopVar, Trips};
use crate::error::{Error, Result};
use crate::lazy::{Bounds, IntoBounds, Lazy};
use crate::pipeline::Whole;
use crate::var::Var;

/// A value of any scalar type, exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer of at most 64 bits.
    Int(i128),
    /// A float; `f32` fits into `f64`.
    Float(f64),
    /// A `bool`.
    Bool(bool),
}

mod sealed {
    pub trait Sealed {}
}

/// The types of operands: integers of at most 64 bits, floats, `bool`.
#[diagnostic::on_unimplemented(
    message = "a condition cannot compare values of type `{Self}`",
    label = "expected a number, `bool`, or `&Var` of one",
    note = "compute a number or `bool` from it first"
)]
pub trait Scalar: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The value.
    fn number(self) -> Number;
}

macro_rules! scalars {
    ($($scalar:ty => $variant:ident as $wide:ty),* $(,)?) => {$(
        impl sealed::Sealed for $scalar {}
        impl Scalar for $scalar {
            #[inline]
            fn number(self) -> Number {
                Number::$variant(self as $wide)
            }
        }
    )*};
}
scalars!(i8 => Int as i128, i16 => Int as i128, i32 => Int as i128, i64 => Int as i128,
    isize => Int as i128, u8 => Int as i128, u16 => Int as i128, u32 => Int as i128,
    u64 => Int as i128, usize => Int as i128, f32 => Float as f64, f64 => Float as f64,
    bool => Bool as bool);

/// Where a value comes from.
pub enum Source<'a> {
    /// Known when the pipeline was built.
    Value(Number),
    /// A cell, read when the pipeline comes to it, and whether it is a `bool`.
    #[non_exhaustive]
    Cell(ArrayArg, bool),
    /// Depends on loop variables.
    Lazy(Box<dyn Fn(&Env) -> Number + Send + 'a>),
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(Number::Int(value)) => value.fmt(f),
            Self::Value(Number::Float(value)) => value.fmt(f),
            Self::Value(Number::Bool(value)) => value.fmt(f),
            Self::Cell(..) => f.write_str("cell"),
            Self::Lazy(_) => f.write_str("(by loop)"),
        }
    }
}

impl Source<'_> {
    /// The value now. The caller's run holds the cell for reading.
    pub(crate) fn get(&self, env: &Env) -> Result<Number> {
        match self {
            Self::Value(value) => Ok(*value),
            Self::Lazy(value) => Ok(value(env)),
            Self::Cell(cell, is_bool) => match cell_value(cell)? {
                Number::Int(value) if *is_bool => Ok(Number::Bool(value != 0)),
                value => Ok(value),
            },
        }
    }

    /// The value as a count or extent.
    pub(crate) fn count(&self, env: &Env) -> Result<u64> {
        match self.get(env)? {
            Number::Int(value) => Ok(u64::try_from(value).unwrap_or(0)),
            Number::Float(_) | Number::Bool(_) => Ok(0),
        }
    }

    pub(crate) fn cell(&self) -> Option<&ArrayArg> {
        match self {
            Self::Cell(cell, _) => Some(cell),
            Self::Value(_) | Self::Lazy(_) => None,
        }
    }

    pub(crate) fn cell_mut(&mut self) -> Option<&mut ArrayArg> {
        match self {
            Self::Cell(cell, _) => Some(cell),
            Self::Value(_) | Self::Lazy(_) => None,
        }
    }
}

/// The value of a cell that the caller's run holds for reading.
fn cell_value(cell: &ArrayArg) -> Result<Number> {
    cell.allocation.to_host(&cell.section)?;
    let bytes = cell.allocation.element(cell.section.offset())?;
    macro_rules! read {
        ($t:ty) => {{
            let (head, _) = bytes.split_at(size_of::<$t>());
            head.try_into().map_or(<$t>::default(), <$t>::from_ne_bytes)
        }};
    }
    let Ty::Scalar(scalar) = cell.allocation.elem().ty else {
        return Err(Error::Shape {
            what: "cell of a condition that is no scalar".to_owned(),
            expected: vec![1],
            found: Vec::new(),
        });
    };
    Ok(match scalar {
        ScalarTy::Bool => Number::Bool(read!(u8) != 0),
        ScalarTy::I8 => read!(i8).number(),
        ScalarTy::I16 => read!(i16).number(),
        ScalarTy::I32 => read!(i32).number(),
        ScalarTy::I64 => read!(i64).number(),
        ScalarTy::Isize => read!(isize).number(),
        ScalarTy::U8 => read!(u8).number(),
        ScalarTy::U16 => read!(u16).number(),
        ScalarTy::U32 => read!(u32).number(),
        ScalarTy::U64 => read!(u64).number(),
        ScalarTy::Usize => read!(usize).number(),
        ScalarTy::F32 => read!(f32).number(),
        ScalarTy::F64 => read!(f64).number(),
    })
}

/// What can be compared: a scalar, `&Var` of one, and in a loop of `flash_pipeline!` an expression
/// that names the loop variable.
/// See [`Cond`] for an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared in a condition",
    label = "expected a number, `bool`, or `&Var` of one"
)]
pub trait Operand<'a> {
    /// Its type.
    type Scalar: Scalar;
    /// Where its value comes from.
    fn into_source(self) -> Source<'a>;
}

impl<T: Scalar> Operand<'_> for T {
    type Scalar = T;

    fn into_source(self) -> Source<'static> {
        Source::Value(self.number())
    }
}

impl<T: Scalar> Operand<'_> for &Var<T> {
    type Scalar = T;

    fn into_source(self) -> Source<'static> {
        Source::Cell(self.whole(), TypeId::of::<T>() == TypeId::of::<bool>())
    }
}

impl<'a, T: Scalar, F: Fn(&Env) -> T + Send + 'a> Operand<'a> for Lazy<F> {
    type Scalar = T;

    fn into_source(self) -> Source<'a> {
        let Self(value) = self;
        Source::Lazy(Box::new(move |env| value(env).number()))
    }
}

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
pub struct Cond<'a>(Expr<'a>);

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

    fn each_cell_mut(&mut self, found: &mut dyn FnMut(&mut ArrayArg)) {
        match self {
            Self::Is(source) => source.cell_mut().into_iter().for_each(found),
            Self::Compare(_, a, b) => a.cell_mut().into_iter().chain(b.cell_mut()).for_each(found),
            Self::Not(inner) => inner.each_cell_mut(found),
            Self::And(two) | Self::Or(two) | Self::Xor(two) => {
                two.iter_mut().for_each(|one| one.each_cell_mut(found));
            }
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
    pub(crate) fn both(first: Option<Self>, second: Self) -> Option<Self> {
        Some(match first {
            Some(first) => first & second,
            None => second,
        })
    }

    /// Whether it holds now. The caller's run holds its cells for reading.
    pub(crate) fn holds(&self, env: &Env) -> Result<bool> {
        self.0.holds(env)
    }

    /// Its cells.
    pub(crate) fn each_cell(&self, found: &mut dyn FnMut(&ArrayArg)) {
        self.0.each_cell(found);
    }

    /// Its cells, to be changed.
    pub(crate) fn each_cell_mut(&mut self, found: &mut dyn FnMut(&mut ArrayArg)) {
        self.0.each_cell_mut(found);
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

impl<T: Scalar> Var<T> {
    /// `self < other`, as a condition.
    pub fn lt<'a>(&self, other: impl Operand<'a, Scalar = T>) -> Cond<'a> {
        Cond::compare(Comparison::Lt, self, other)
    }

    /// `self <= other`, as a condition.
    pub fn le<'a>(&self, other: impl Operand<'a, Scalar = T>) -> Cond<'a> {
        Cond::compare(Comparison::Le, self, other)
    }

    /// `self > other`, as a condition.
    pub fn gt<'a>(&self, other: impl Operand<'a, Scalar = T>) -> Cond<'a> {
        Cond::compare(Comparison::Gt, self, other)
    }

    /// `self >= other`, as a condition.
    pub fn ge<'a>(&self, other: impl Operand<'a, Scalar = T>) -> Cond<'a> {
        Cond::compare(Comparison::Ge, self, other)
    }

    /// `self == other`, as a condition.
    pub fn eq<'a>(&self, other: impl Operand<'a, Scalar = T>) -> Cond<'a> {
        Cond::compare(Comparison::Eq, self, other)
    }

    /// `self != other`, as a condition.
    pub fn ne<'a>(&self, other: impl Operand<'a, Scalar = T>) -> Cond<'a> {
        Cond::compare(Comparison::Ne, self, other)
    }
}

/// How many trips a `while` may make.
#[derive(Debug)]
pub struct Limit<'a>(Source<'a>);

impl Limit<'_> {
    pub(crate) fn get(&self, env: &Env) -> Result<u64> {
        self.0.count(env)
    }

    pub(crate) fn cell(&self) -> Option<&ArrayArg> {
        self.0.cell()
    }

    pub(crate) fn cell_mut(&mut self) -> Option<&mut ArrayArg> {
        self.0.cell_mut()
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

    fn variable(&self, level: usize) -> LoopVar<T> {
        LoopVar::new(level)
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
