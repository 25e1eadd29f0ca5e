//! Tuples of arrays as arguments of closures. What a handle becomes inside the closure is decided
//! here, by type alone.

use crate::arg::Arg;
use crate::bound::{Bound, BoundPart, BoundRead};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::part::{Part, PartMut};
use crate::pod::Pod;
use crate::task::{HostViews, TaskArg};
use crate::var::Var;
use crate::view::{View, ViewMut};

/// One array of a closure: a handle, and the view it becomes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an array of a host task or native node",
    label = "expected `&Buffer<T>` or `&mut Buffer<T>`, a view of one, `Bound` or a `Var`",
    note = "the arrays stand in a tuple: `(&image, &mut sums)`, and `(&image,)` for one",
    note = "what is to be filled is written: `out(&mut image)`"
)]
pub trait TaskArray<'a> {
    /// What the closure gets.
    type View<'s>;
    /// Adds what was passed.
    #[doc(hidden)]
    fn bind(self, args: &mut Vec<TaskArg<'a>>);
    /// The view for one run.
    ///
    /// # Errors
    ///
    /// What is wrong with the slot.
    #[doc(hidden)]
    fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>>;
}

/// An array that is filled; made by [`out`].
#[derive(Debug)]
pub struct Out<H>(H);

/// An array of a closure that it fills: it writes every element, and what was there is not brought for
/// it. The closure gets the view that it would get of the handle. It is `#[out]` of a host task.
///
/// ```
/// use flash_rt::task::out;
/// use flash_rt::{Buffer, NoBackends, Runtime, Task};
///
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut x = Buffer::zeros(3);
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("ones", (out(&mut x),), |(mut x,)| x.fill(1)));
/// pipeline.exec()?;
/// assert_eq!(x.to_vec()?, [1; 3]);
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub fn out<H>(handle: H) -> Out<H> {
    Out(handle)
}

/// The names of arguments of closures, which have none of their own.
const NAMES: [&str; 16] = [
    "argument 1",
    "argument 2",
    "argument 3",
    "argument 4",
    "argument 5",
    "argument 6",
    "argument 7",
    "argument 8",
    "argument 9",
    "argument 10",
    "argument 11",
    "argument 12",
    "argument 13",
    "argument 14",
    "argument 15",
    "argument 16",
];

fn name(args: &[TaskArg<'_>]) -> &'static str {
    NAMES.get(args.len()).copied().unwrap_or("a later argument")
}

macro_rules! reads {
    ($([$($generics:tt)*] $handle:ty, $rank:tt;)*) => {$(
        impl<'a, $($generics)*> TaskArray<'a> for $handle {
            type View<'s> = View<'s, T, $rank>;

            fn bind(self, args: &mut Vec<TaskArg<'a>>) {
                let bound = Arg::<'a, View<'a, T, $rank>>::bind(self);
                args.push(TaskArg::read(name(args), bound));
            }

            fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
                views.view::<T, $rank>()
            }
        }
    )*};
}

macro_rules! writes {
    ($([$($generics:tt)*] $handle:ty, $rank:tt;)*) => {$(
        impl<'a, $($generics)*> TaskArray<'a> for $handle {
            type View<'s> = ViewMut<'s, T, $rank>;

            fn bind(self, args: &mut Vec<TaskArg<'a>>) {
                let bound = Arg::<'a, ViewMut<'a, T, $rank>>::bind(self);
                args.push(TaskArg::write(name(args), bound));
            }

            fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
                views.view_mut::<T, $rank>()
            }
        }

        impl<'a, $($generics)*> TaskArray<'a> for Out<$handle> {
            type View<'s> = ViewMut<'s, T, $rank>;

            fn bind(self, args: &mut Vec<TaskArg<'a>>) {
                let bound = Arg::<'a, ViewMut<'a, T, $rank>>::bind(self.0);
                args.push(TaskArg::fill(name(args), bound));
            }

            fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
                views.view_mut::<T, $rank>()
            }
        }
    )*};
}

reads! {
    [T: Pod, const D: usize] &Buffer<T, D>, D;
    [T: Pod, const D: usize] &Part<T, D>, D;
    [T: Pod, const D: usize] Part<T, D>, D;
    [T: Pod, const D: usize] &PartMut<T, D>, D;
    [T: Pod] &Bound<'a, T>, 1;
    [T: Pod] &BoundRead<'a, T>, 1;
    [T: Pod, const D: usize] &BoundPart<'a, T, D>, D;
}

writes! {
    [T: Pod, const D: usize] &mut Buffer<T, D>, D;
    [T: Pod, const D: usize] &mut Part<T, D>, D;
    [T: Pod, const D: usize] &mut PartMut<T, D>, D;
    [T: Pod, const D: usize] PartMut<T, D>, D;
    [T: Pod] &mut Bound<'a, T>, 1;
    [T: Pod, const D: usize] &mut BoundPart<'a, T, D>, D;
}

impl<'a, T: Pod> TaskArray<'a> for &Var<T> {
    type View<'s> = T;

    fn bind(self, args: &mut Vec<TaskArg<'a>>) {
        let bound = Arg::<'a, &'a [T]>::bind(self);
        args.push(TaskArg::read(name(args), bound));
    }

    fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
        views.cell::<T>()
    }
}

impl<'a, T: Pod> TaskArray<'a> for &mut Var<T> {
    type View<'s> = &'s mut T;

    fn bind(self, args: &mut Vec<TaskArg<'a>>) {
        let bound = Arg::<'a, &'a mut T>::bind(self);
        args.push(TaskArg::write(name(args), bound));
    }

    fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
        views.cell_mut::<T>()
    }
}

impl<'a, T: Pod> TaskArray<'a> for Out<&mut Var<T>> {
    type View<'s> = &'s mut T;

    fn bind(self, args: &mut Vec<TaskArg<'a>>) {
        let bound = Arg::<'a, &'a mut T>::bind(self.0);
        args.push(TaskArg::fill(name(args), bound));
    }

    fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
        views.cell_mut::<T>()
    }
}

impl<'a> TaskArray<'a> for &Var<bool> {
    type View<'s> = bool;

    fn bind(self, args: &mut Vec<TaskArg<'a>>) {
        let bound = Arg::<'a, bool>::bind(self);
        args.push(TaskArg::read(name(args), bound));
    }

    fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
        views.flag()
    }
}

impl<'a> TaskArray<'a> for &mut Var<bool> {
    type View<'s> = &'s mut bool;

    fn bind(self, args: &mut Vec<TaskArg<'a>>) {
        let bound = Arg::<'a, &'a mut bool>::bind(self);
        args.push(TaskArg::write(name(args), bound));
    }

    fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
        views.cell_mut::<bool>()
    }
}

/// The arrays of a closure: a tuple of up to eight, which may be tuples again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the arrays of a host task",
    label = "expected a tuple: `(&image, &mut sums)`, and `(&image,)` for one",
    note = "nest tuples for more than eight arrays"
)]
pub trait TaskArrays<'a> {
    /// What the closure gets.
    type Views<'s>;
    /// Adds what was passed.
    #[doc(hidden)]
    fn bind(self, args: &mut Vec<TaskArg<'a>>);
    /// The views for one run.
    ///
    /// # Errors
    ///
    /// What is wrong with a slot.
    #[doc(hidden)]
    fn views<'s>(views: &mut HostViews<'s>) -> Result<Self::Views<'s>>;
}

macro_rules! tuples {
    ($(($($array:ident $place:tt),*);)*) => {$(
        impl<'a, $($array: TaskArray<'a>),*> TaskArrays<'a> for ($($array,)*) {
            type Views<'s> = ($($array::View<'s>,)*);

            #[allow(unused_variables, reason = "the empty tuple has nothing to bind")]
            fn bind(self, args: &mut Vec<TaskArg<'a>>) {
                $(self.$place.bind(args);)*
            }

            #[allow(unused_variables, reason = "the empty tuple has nothing to view")]
            fn views<'s>(views: &mut HostViews<'s>) -> Result<Self::Views<'s>> {
                // The fields of a tuple are evaluated in order.
                Ok(($($array::view(views)?,)*))
            }
        }

        impl<'a, $($array: TaskArray<'a>),*> TaskArray<'a> for ($($array,)*) {
            type View<'s> = ($($array::View<'s>,)*);

            fn bind(self, args: &mut Vec<TaskArg<'a>>) {
                TaskArrays::bind(self, args);
            }

            fn view<'s>(views: &mut HostViews<'s>) -> Result<Self::View<'s>> {
                <Self as TaskArrays<'a>>::views(views)
            }
        }
    )*};
}

tuples! {
    ();
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
}
