//! What may stand at a parameter of a kernel call or host task, and what it becomes. Mismatches are
//! rustc's errors at the user's argument. Nothing is read or locked here.

use std::any::TypeId;
use std::fmt;
use std::mem::MaybeUninit;
use std::sync::{Arc, PoisonError};

use crate::allocation::Allocation;
use crate::atomic::{Atomic, AtomicElem};
use crate::bound::{Bound, BoundPart, BoundRead};
use crate::buffer::Buffer;
use crate::env::{Env, LoopInt, LoopVar, Unfit, Which};
use crate::error::Error;
use crate::movable::Whole;
use crate::packed::Packed;
use crate::part::{LazyPart, Part, PartMut};
use crate::pod::Pod;
use crate::section::Section;
use crate::value::Value;
use crate::var::Var;
use crate::view::{View, ViewMut};

/// What binds to a parameter of the form `P`: `T`, `&'a [T]`, `&'a mut [T]`, `View<'a, T, D>`,
/// `ViewMut<'a, T, D>`, `&'a mut T` for a reduction, `&'a [Atomic<T>]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a kernel parameter of type `{P}`",
    label = "expected something that binds to `{P}`",
    note = "scalars bind by value and have the type of the parameter: `2.0_f32`, `n as f32`",
    note = "arrays bind as `&Buffer<T>` (read) or `&mut Buffer<T>` (write), \
            and so do views of buffers, `Bound` and, in a single stage, slices",
    note = "a reduction, and the `&mut T` of a host task, binds as `&mut Var<T>` or, in a single \
            stage, as `&mut` a number of the host's; a `Var<bool>` is written as \
            `#[reduce(|)] go: &mut bool`, or by `&` or `^`, and read as `go: bool`"
)]
pub trait Arg<'a, P> {
    /// The bound argument. It never fails: what is wrong is reported when the stage runs.
    #[doc(hidden)]
    fn bind(self) -> BoundArg<'a>;
}

/// A bound argument. The variants with arrays are made here only: borrowed memory is valid for
/// `'a`, and only together with it may its handle be passed on.
///
/// Which one it is stands in a byte of its own: each launch of a kept pipeline asks.
#[repr(u8)]
pub enum BoundArg<'a> {
    /// A value.
    Value(Value),
    /// The value that a cell has at dispatch.
    #[non_exhaustive]
    Cell(Packed),
    /// A box of an array.
    #[non_exhaustive]
    Array(Packed),
    /// A value that depends on loop variables.
    LazyValue(Box<LazyValueFn<'a>>),
    /// The variable of the loop of this level.
    Variable(Which, fn(&Env, Which) -> Result<Value, Unfit>),
    /// A box of an array that depends on loop variables.
    #[non_exhaustive]
    LazyArray(LazyArray<'a>),
    /// What was wrong with the argument.
    Invalid(Box<Error>),
}

/// Evaluates a value at dispatch.
pub type LazyValueFn<'a> = dyn Fn(&Env) -> Value + Send + 'a;
/// Evaluates a box at dispatch.
pub type LazyArrayFn<'a> = dyn Fn(&Env) -> Result<Section, Error> + Send + 'a;

/// A box of an array that depends on loop variables.
pub struct LazyArray<'a> {
    within: Box<Within>,
    section: Box<LazyArrayFn<'a>>,
}

/// What all boxes lie in, and how they move there.
struct Within {
    array: ArrayArg,
    moves: Option<Moves>,
}

/// A first index that is so many times the variable of a loop, and so much more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moves {
    /// Of which loop.
    pub(crate) which: Which,
    pub(crate) times: u32,
    pub(crate) plus: i64,
}

impl Moves {
    /// The index; far outside of every array where it is negative.
    pub(crate) fn index(self, env: &Env) -> usize {
        let moved = env.get(self.which.level).wrapping_mul(self.times.into());
        moved.wrapping_add_signed(self.plus) as usize
    }
}

impl fmt::Debug for LazyArray<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazyArray").field(&self.within.array).finish()
    }
}

impl LazyArray<'_> {
    /// What all boxes lie in.
    pub fn within(&self) -> &ArrayArg {
        &self.within.array
    }

    /// What all boxes lie in, to be changed to something of the same shape.
    pub(crate) fn within_mut(&mut self) -> &mut ArrayArg {
        &mut self.within.array
    }

    /// Which index of the first dimension the box has, where that follows a loop variable.
    pub(crate) fn moves(&self) -> Option<Moves> {
        self.within.moves
    }

    /// The box in these iterations of the loops.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] where it is outside.
    pub fn section(&self, env: &Env) -> Result<Section, Error> {
        (self.section)(env)
    }

    /// The same with its allocation.
    ///
    /// # Errors
    ///
    /// As [`LazyArray::section`].
    pub fn resolve(&self, env: &Env) -> Result<ArrayArg, Error> {
        let allocation = Arc::clone(&self.within.array.allocation);
        Ok(ArrayArg { allocation, section: self.section(env)? })
    }
}

/// A box of an array as an argument.
#[derive(Clone, Debug)]
pub struct ArrayArg {
    /// Whose elements.
    pub(crate) allocation: Arc<Allocation>,
    /// Which of them. Inside the allocation: that is what makes slots of it true.
    pub(crate) section: Section,
}

impl ArrayArg {
    /// Whose elements.
    pub fn allocation(&self) -> &Arc<Allocation> {
        &self.allocation
    }

    /// Which of them.
    pub fn section(&self) -> &Section {
        &self.section
    }

    /// The element type as rustc knows it.
    #[inline]
    pub fn elem(&self) -> TypeId {
        self.allocation.elem().id
    }

    /// The same in few bytes.
    fn packed(self) -> Packed {
        Packed::new(self.allocation, &self.section)
    }
}

impl<'a> BoundArg<'a> {
    /// Puts it where it stays.
    #[inline(always)]
    pub(crate) fn write_to(self, place: &mut MaybeUninit<BoundArg<'a>>) {
        match self {
            Self::Array(packed) => packed.write_to(place),
            other => _ = place.write(other),
        }
    }
}

impl fmt::Debug for BoundArg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => value.fmt(f),
            Self::Cell(array) => f.debug_tuple("Cell").field(array).finish(),
            Self::Array(array) => f.debug_tuple("Array").field(array).finish(),
            Self::LazyValue(_) => f.write_str("LazyValue"),
            Self::Variable(which, _) => f.debug_tuple("Variable").field(&which.level).finish(),
            Self::LazyArray(array) => array.fmt(f),
            Self::Invalid(error) => f.debug_tuple("Invalid").field(error).finish(),
        }
    }
}

/// A handle, as an argument of the forms that follow it.
macro_rules! handles {
    ($([$($generics:tt)*] $arg:ty => $($param:ty),+;)*) => {
        $(handles!(@each [$($generics)*] [$arg] $([$param])+);)*
    };
    (@each $generics:tt $arg:tt $([$param:ty])+) => {
        $(handles!(@one $generics $arg [$param]);)+
    };
    (@one [$($generics:tt)*] [$arg:ty] [$param:ty]) => {
        impl<'a, $($generics)*> Arg<'a, $param> for $arg {
            #[inline]
            fn bind(self) -> BoundArg<'a> {
                self.to_arg()
            }
        }
    };
}
handles! {
    [T: Pod] &Buffer<T> => &'a [T];
    [T: Pod] &Part<T> => &'a [T];
    [T: Pod] Part<T> => &'a [T];
    [T: Pod] &PartMut<T> => &'a [T];
    [T: Pod] &Bound<'a, T> => &'a [T], View<'a, T, 1>;
    [T: Pod] &BoundRead<'a, T> => &'a [T], View<'a, T, 1>;
    [T: Pod] &BoundPart<'a, T> => &'a [T];
    [T: Pod, const D: usize] &BoundPart<'a, T, D> => View<'a, T, D>;
    [T: Pod, const D: usize] &Buffer<T, D> => View<'a, T, D>;
    [T: Pod, const D: usize] &Part<T, D> => View<'a, T, D>;
    [T: Pod, const D: usize] Part<T, D> => View<'a, T, D>;
    [T: Pod, const D: usize] &PartMut<T, D> => View<'a, T, D>;

    [T: Pod] &mut Buffer<T> => &'a mut [T], &'a mut T;
    [T: Pod] &mut Part<T> => &'a mut [T], &'a mut T;
    [T: Pod] &mut PartMut<T> => &'a mut [T], &'a mut T;
    [T: Pod] PartMut<T> => &'a mut [T], &'a mut T;
    [T: Pod] &mut Bound<'a, T> => &'a mut [T], ViewMut<'a, T, 1>, &'a mut T;
    [T: Pod] &mut BoundPart<'a, T> => &'a mut [T], &'a mut T;
    [T: Pod, const D: usize] &mut BoundPart<'a, T, D> => ViewMut<'a, T, D>;
    [T: Pod, const D: usize] &mut Buffer<T, D> => ViewMut<'a, T, D>;
    [T: Pod, const D: usize] &mut Part<T, D> => ViewMut<'a, T, D>;
    [T: Pod, const D: usize] &mut PartMut<T, D> => ViewMut<'a, T, D>;
    [T: Pod, const D: usize] PartMut<T, D> => ViewMut<'a, T, D>;
    [T: Pod] &Var<T> => &'a [T];
    [T: Pod] &mut Var<T> => &'a mut [T], &'a mut T;
    [T: Pod, F: Fn(&Env) -> usize + Send + 'a] &LazyPart<F, T> => &'a [T];
    [T: Pod, F: Fn(&Env) -> usize + Send + 'a] &mut LazyPart<F, T> => &'a mut [T], &'a mut T;
    [T: Pod, F: Fn(&Env) -> usize + Send + 'a, const D: usize] &LazyPart<F, T, D>
        => View<'a, T, D>;
    [T: Pod, F: Fn(&Env) -> usize + Send + 'a, const D: usize] &mut LazyPart<F, T, D>
        => ViewMut<'a, T, D>;
    [T: AtomicElem, F: Fn(&Env) -> usize + Send + 'a] &mut LazyPart<F, T> => &'a [Atomic<T>];

    [T: AtomicElem] &mut Buffer<T> => &'a [Atomic<T>];
    [T: AtomicElem] &mut Part<T> => &'a [Atomic<T>];
    [T: AtomicElem] &mut PartMut<T> => &'a [Atomic<T>];
    [T: AtomicElem] PartMut<T> => &'a [Atomic<T>];
    [T: AtomicElem] &mut Bound<'a, T> => &'a [Atomic<T>];
    [T: AtomicElem] &mut BoundPart<'a, T> => &'a [Atomic<T>];
    [T: AtomicElem] &mut Var<T> => &'a [Atomic<T>];

    [T: Pod] &'a [T] => &'a [T], View<'a, T, 1>;
    [T: Pod] &'a Vec<T> => &'a [T], View<'a, T, 1>;
    [T: Pod, const N: usize] &'a [T; N] => &'a [T];
    [T: Pod] &'a mut [T] => &'a mut [T], ViewMut<'a, T, 1>;
    [T: Pod] &'a mut Vec<T> => &'a mut [T], ViewMut<'a, T, 1>;
    [T: AtomicElem] &'a mut [T] => &'a [Atomic<T>];
    [T: AtomicElem] &'a mut Vec<T> => &'a [Atomic<T>];
}

/// What was wrong with a handle.
#[cold]
fn invalid<'a>(fault: &Error) -> BoundArg<'a> {
    BoundArg::Invalid(Box::new(fault.clone()))
}

/// What a handle or borrow becomes.
trait ToArg<'a> {
    fn to_arg(self) -> BoundArg<'a>;
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &Buffer<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        match self.allocation.check() {
            Ok(()) => {
                let allocation = Arc::clone(&self.allocation);
                BoundArg::Array(Packed::new(allocation, &Section::whole(&self.shape)))
            }
            Err(fault) => BoundArg::Invalid(Box::new(fault)),
        }
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &mut Buffer<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        (&*self).to_arg()
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &Part<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        match &self.fault {
            None => BoundArg::Array(Packed::new(Arc::clone(&self.allocation), &self.section)),
            Some(fault) => invalid(fault),
        }
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for Part<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        match &self.fault {
            None => BoundArg::Array(Packed::new(self.allocation, &self.section)),
            Some(fault) => invalid(fault),
        }
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &mut Part<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        (&*self).to_arg()
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &PartMut<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        (&self.0).to_arg()
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &mut PartMut<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        (&self.0).to_arg()
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for PartMut<T, D> {
    #[inline]
    fn to_arg(self) -> BoundArg<'a> {
        self.0.to_arg()
    }
}

impl<'a, T, F, const D: usize> ToArg<'a> for &LazyPart<F, T, D>
where
    T: Pod,
    F: Fn(&Env) -> usize + Send + 'a,
{
    fn to_arg(self) -> BoundArg<'a> {
        let within = match &self.whole {
            Ok(section) => *section,
            Err(fault) => return BoundArg::Invalid(Box::new((**fault).clone())),
        };
        let (index, moves, site) = (Arc::clone(&self.index), self.moves, self.site);
        BoundArg::LazyArray(LazyArray {
            within: Box::new(Within {
                array: ArrayArg { allocation: Arc::clone(&self.allocation), section: within },
                moves,
            }),
            section: Box::new(move |env| {
                let index = match moves {
                    // What the order of stages was worked out with.
                    Some(moves) => moves.index(env),
                    // Poisoned by a panic of the closure, which may well run again.
                    None => index.lock().unwrap_or_else(PoisonError::into_inner)(env),
                };
                within.fix_first(index, site)
            }),
        })
    }
}

impl<'a, T, F, const D: usize> ToArg<'a> for &mut LazyPart<F, T, D>
where
    T: Pod,
    F: Fn(&Env) -> usize + Send + 'a,
{
    fn to_arg(self) -> BoundArg<'a> {
        (&*self).to_arg()
    }
}

impl<'a, T: Pod> ToArg<'a> for &Var<T> {
    fn to_arg(self) -> BoundArg<'a> {
        (&self.cell).to_arg()
    }
}

impl<'a, T: Pod> ToArg<'a> for &mut Var<T> {
    fn to_arg(self) -> BoundArg<'a> {
        (&self.cell).to_arg()
    }
}

impl<'a, T: Pod> ToArg<'a> for &Bound<'a, T> {
    fn to_arg(self) -> BoundArg<'a> {
        whole(&self.allocation)
    }
}

impl<'a, T: Pod> ToArg<'a> for &mut Bound<'a, T> {
    fn to_arg(self) -> BoundArg<'a> {
        whole(&self.allocation)
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &BoundPart<'a, T, D> {
    fn to_arg(self) -> BoundArg<'a> {
        (&self.part).to_arg()
    }
}

impl<'a, T: Pod, const D: usize> ToArg<'a> for &mut BoundPart<'a, T, D> {
    fn to_arg(self) -> BoundArg<'a> {
        (&self.part).to_arg()
    }
}

impl<'a, T: Pod> ToArg<'a> for &BoundRead<'a, T> {
    fn to_arg(self) -> BoundArg<'a> {
        whole(&self.allocation)
    }
}

impl<'a, T: Pod> ToArg<'a> for &'a [T] {
    fn to_arg(self) -> BoundArg<'a> {
        (&Bound::read(self)).to_arg()
    }
}

impl<'a, T: Pod> ToArg<'a> for &'a Vec<T> {
    fn to_arg(self) -> BoundArg<'a> {
        self.as_slice().to_arg()
    }
}

impl<'a, T: Pod, const N: usize> ToArg<'a> for &'a [T; N] {
    fn to_arg(self) -> BoundArg<'a> {
        self.as_slice().to_arg()
    }
}

impl<'a, T: Pod> ToArg<'a> for &'a mut [T] {
    fn to_arg(self) -> BoundArg<'a> {
        (&Bound::new(self)).to_arg()
    }
}

impl<'a, T: Pod> ToArg<'a> for &'a mut Vec<T> {
    fn to_arg(self) -> BoundArg<'a> {
        self.as_mut_slice().to_arg()
    }
}

/// No parameter has this form. Where several impls are not to be recommended, rustc shows none of
/// them; a lone one it shows.
#[derive(Debug)]
enum NoParameter {}

/// A number of the host's, that a reduction goes to.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a> Arg<'a, &'a mut $number> for &'a mut $number {
            #[inline]
            fn bind(self) -> BoundArg<'a> {
                std::slice::from_mut(self).to_arg()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a> Arg<'a, NoParameter> for &'a $number {
            fn bind(self) -> BoundArg<'a> {
                std::slice::from_ref(self).to_arg()
            }
        }
    )*};
}
numbers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

/// All of a one-dimensional allocation.
fn whole<'a>(allocation: &Arc<Allocation>) -> BoundArg<'a> {
    let section = Section::whole(&[allocation.len()]);
    BoundArg::Array(Packed::new(Arc::clone(allocation), &section))
}

impl<'a, T: Pod> Arg<'a, T> for T {
    #[inline]
    fn bind(self) -> BoundArg<'a> {
        BoundArg::Value(Value::new(self))
    }
}

impl<'a> Arg<'a, bool> for bool {
    #[inline]
    fn bind(self) -> BoundArg<'a> {
        BoundArg::Value(Value::from_bool(self))
    }
}

impl<'a, T: Pod + LoopInt> Arg<'a, T> for LoopVar<T> {
    fn bind(self) -> BoundArg<'a> {
        BoundArg::Variable(self.which(), |env, which| env.fit::<T>(which).map(Value::new))
    }
}

impl<'a, T: Pod> Arg<'a, T> for &Var<T> {
    fn bind(self) -> BoundArg<'a> {
        match (&self.cell).to_arg() {
            BoundArg::Array(array) => BoundArg::Cell(array),
            other => other,
        }
    }
}

impl<'a> Arg<'a, bool> for &Var<bool> {
    fn bind(self) -> BoundArg<'a> {
        BoundArg::Cell(self.whole().packed())
    }
}

impl<'a> Arg<'a, &'a mut bool> for &mut Var<bool> {
    fn bind(self) -> BoundArg<'a> {
        BoundArg::Array(self.whole().packed())
    }
}

impl<'a, T: Pod, const N: usize> Arg<'a, &'a mut [T]> for &'a mut [T; N] {
    fn bind(self) -> BoundArg<'a> {
        self.as_mut_slice().to_arg()
    }
}
