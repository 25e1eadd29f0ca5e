//! What a task does with the slots it gets, without an engine.
#![allow(unsafe_code, reason = "slots are made by hand")]

use std::any::TypeId;

use super::*;
use crate::arg::Arg;
use crate::buffer::Buffer;
use crate::entry::{ArraySlot, Tag};
use crate::env::LoopInt;
use crate::var::Var;

/// A slot over values, row-major.
fn slot<T: 'static>(tag: Tag, shape: &[usize], values: &mut [T]) -> Slot {
    let mut array = ArraySlot::empty();
    array.base = values.as_mut_ptr().cast();
    array.rank = shape.len() as u8;
    array.shape[..shape.len()].copy_from_slice(shape);
    array.held = array.shape;
    let mut stride = 1;
    for (d, extent) in shape.iter().enumerate().rev() {
        array.stride[d] = stride;
        stride *= *extent as isize;
    }
    // SAFETY: the values outlive the slot in each test, and are reached through this slot only.
    unsafe { Slot::array(tag, TypeId::of::<T>(), array) }
}

#[test]
fn views_come_in_the_order_of_the_arrays() {
    let (image, mut sums) = (Buffer::<u32, 2>::zeros([2, 3]), Buffer::<u32>::zeros(2));
    let mut total = Var::new(0_u32);
    let scale = Var::new(0_u32);
    let mut task = Task::new(
        "sums",
        ((&image, &scale), &mut sums, &mut total),
        |((image, scale), mut sums, total)| {
            for j in 0..2 {
                sums[[j]] = scale * image.row(j).iter().sum::<u32>();
                *total += sums[[j]];
            }
        },
    );
    let names: Vec<_> = task.args().iter().map(|arg| (arg.name(), arg.writes())).collect();
    let expected =
        [("argument 1", false), ("argument 2", false), ("argument 3", true), ("argument 4", true)];
    assert_eq!(names, expected);

    let (mut image, mut scale) = ([1_u32, 2, 3, 4, 5, 6], [10_u32]);
    let (mut sums, mut total) = ([0_u32; 2], [1_u32]);
    let slots = [
        slot(Tag::Input, &[2, 3], &mut image),
        slot(Tag::Input, &[1], &mut scale),
        slot(Tag::Own, &[2], &mut sums),
        slot(Tag::Own, &[1], &mut total),
    ];
    task.run(&slots, &Env::new()).unwrap();
    assert_eq!((sums, total), ([60, 150], [211]));
}

#[test]
fn slots_that_do_not_fit_are_errors() {
    let x = Buffer::<f32>::zeros(2);
    let mut task = Task::new("look", (&x,), |(x,)| assert_eq!(x[[0]], 1.0));
    let (mut floats, mut ints) = ([1.0_f32, 2.0], [1_u32, 2]);
    let good = slot(Tag::Input, &[2], &mut floats);
    task.run(&[good], &Env::new()).unwrap();

    let mut moved = *good.array_slot();
    moved.origin[0] = 1;
    // SAFETY: never reached through: it is refused.
    let moved = unsafe { Slot::array(Tag::Input, TypeId::of::<f32>(), moved) };
    let mut backward = *good.array_slot();
    backward.stride[0] = -1;
    // SAFETY: as above.
    let backward = unsafe { Slot::array(Tag::Input, TypeId::of::<f32>(), backward) };
    for (bad, why) in [
        (vec![], "no slot"),
        (vec![slot(Tag::Own, &[2], &mut floats)], "another tag"),
        (vec![slot(Tag::Input, &[2], &mut ints)], "another type"),
        (vec![slot(Tag::Input, &[1, 2], &mut floats)], "another rank"),
        (vec![moved], "a part"),
        (vec![backward], "a negative stride"),
    ] {
        let result = task.run(&bad, &Env::new());
        assert!(matches!(result, Err(Error::Shape { .. })), "{why}: {result:?}");
    }
}

#[test]
fn slices_are_neighbours() {
    let x = Buffer::<u8>::zeros(2);
    let bound = Arg::<&[u8]>::bind(&x);
    let mut task = Task::from_parts("sum", [TaskArg::read("x", bound)], |views, _| {
        assert_eq!(views.slice::<u8>()?.len(), 2);
        Ok(())
    });
    let mut values = [1_u8, 2, 3];
    let mut array = *slot(Tag::Input, &[2], &mut values).array_slot();
    array.stride[0] = 2;
    // SAFETY: two elements, two apart, inside `values`.
    let strided = unsafe { Slot::array(Tag::Input, TypeId::of::<u8>(), array) };
    let message = task.run(&[strided], &Env::new()).unwrap_err().to_string();
    assert!(message.contains("use `View`"), "{message}");
}

#[test]
fn failures_and_panics_are_errors_of_the_task() {
    let mut round = 0;
    let mut task = Task::new("rounds", (), |()| {
        round += 1;
        match round {
            1 => Err("first".into()),
            2 => panic!("second"),
            _ => Ok(()),
        }
    });
    match task.run(&[], &Env::new()) {
        Err(Error::HostTask { task: "rounds", source, .. }) => {
            assert_eq!(source.to_string(), "first")
        }
        other => panic!("{other:?}"),
    }
    match task.run(&[], &Env::new()) {
        Err(Error::HostTaskPanic { task: "rounds", message, .. }) => {
            assert_eq!(&*message, "second")
        }
        other => panic!("{other:?}"),
    }
    task.run(&[], &Env::new()).unwrap();
}

#[test]
fn state_is_cloned_or_evaluated_for_each_run() {
    let mut env = Env::new();
    env.set(0, 3_i32.to_bits());
    let value = IntoState::<String>::into_state("a".to_owned());
    assert_eq!((value.get(&env), value.get(&env)), ("a".to_owned(), "a".to_owned()));
    let var = crate::env::LoopVar::<i32>::new(0);
    let lazy = IntoState::<String>::into_state(Lazy(move |env: &Env| format!("a{}", var.get(env))));
    assert_eq!(lazy.get(&env), "a3");
    env.set(0, (-1_i32).to_bits());
    assert_eq!(lazy.get(&env), "a-1");
}

#[test]
fn functions_return_any_error() {
    assert!(outcome(()).is_ok());
    assert!(outcome(Ok::<(), std::io::Error>(())).is_ok());
    match outcome(Err("text")) {
        Err(Failure::Returned(error)) => assert_eq!(error.to_string(), "text"),
        other => panic!("{other:?}"),
    }
}
