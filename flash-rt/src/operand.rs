//! Operands of conditions, bounds and spaces: numbers, cells, loop variables, and closures over
//! these. It reads cells that the caller holds, and compares nothing.

use std::any::TypeId;
use std::fmt;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use flash_ir::{ScalarTy, Ty};

use crate::arg::ArrayArg;
use crate::env::{Env, LoopInt, LoopVar, Unfit, Which};
use crate::error::{Error, Result, Site};
use crate::lazy::Lazy;
use crate::loops::unfit;
use crate::movable::Whole;
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

/// Evaluates a value at dispatch; shared by copies of a condition.
type LazyNumber<'a> = dyn Fn(&Env) -> Number + Send + Sync + 'a;

/// Where a value comes from.
#[derive(Clone)]
pub enum Source<'a> {
    /// Known when the pipeline was built.
    Value(Number),
    /// A cell, read when the pipeline comes to it, and whether it is a `bool`.
    #[non_exhaustive]
    Cell(ArrayArg, bool),
    /// Depends on loop variables.
    Lazy(Arc<LazyNumber<'a>>),
    /// The variable of a loop.
    #[non_exhaustive]
    Variable(Follows),
}

/// An operand that is the variable of a loop.
#[derive(Clone)]
pub struct Follows {
    /// Of which loop.
    pub(crate) which: Which,
    number: fn(&Env, Which) -> Result<Number, Unfit>,
    /// What it is, for an error, and where that was written, once the pipeline is known.
    pub(crate) of: Option<Box<(String, Site)>>,
}

impl fmt::Debug for Follows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(loop {})", self.which.level)
    }
}

impl Follows {
    /// The value now.
    pub(crate) fn get(&self, env: &Env) -> Result<Number> {
        (self.number)(env, self.which).map_err(|why| self.unfit(why))
    }

    #[cold]
    fn unfit(&self, why: Unfit) -> Error {
        let (of, site) = match self.of.as_deref() {
            Some((of, site)) => (of.as_str(), *site),
            None => ("an operand", Location::caller()),
        };
        unfit(of, self.which.level, why, site)
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(Number::Int(value)) => value.fmt(f),
            Self::Value(Number::Float(value)) => value.fmt(f),
            Self::Value(Number::Bool(value)) => value.fmt(f),
            Self::Cell(..) => f.write_str("cell"),
            Self::Lazy(_) => f.write_str("(by loop)"),
            Self::Variable(variable) => variable.fmt(f),
        }
    }
}

impl Source<'_> {
    /// The value now. The caller's run holds the cell for reading.
    pub(crate) fn get(&self, env: &Env) -> Result<Number> {
        match self {
            Self::Value(value) => Ok(*value),
            Self::Lazy(value) => Ok(value(env)),
            Self::Variable(variable) => variable.get(env),
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
            Self::Value(_) | Self::Lazy(_) | Self::Variable(..) => None,
        }
    }

    pub(crate) fn cell_mut(&mut self) -> Option<&mut ArrayArg> {
        match self {
            Self::Cell(cell, _) => Some(cell),
            Self::Value(_) | Self::Lazy(_) | Self::Variable(..) => None,
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

/// What can be compared: a scalar, `&Var` of one, a loop variable, and in a loop of `flash_pipeline!` an expression
/// that names the loop variable.
///
/// See [`Cond`](crate::Cond) for an example.
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
        // Copies of a condition share it, whatever it has captured.
        let value = Mutex::new(value);
        Source::Lazy(Arc::new(move |env| {
            // Poisoned by a panic of the closure, which may well run again.
            value.lock().unwrap_or_else(PoisonError::into_inner)(env).number()
        }))
    }
}

impl<T: LoopInt + Scalar> Operand<'_> for LoopVar<T> {
    type Scalar = T;

    fn into_source(self) -> Source<'static> {
        let number = |env: &Env, which| env.fit::<T>(which).map(T::number);
        Source::Variable(Follows { which: self.which(), number, of: None })
    }
}
