//! What the forms of arguments become: values, boxes, what is wrong with them.

use flash_rt::env::{LoopInt, LoopVar};
use flash_rt::lazy::Lazy;
use flash_rt::{
    Allocation, Arg, Atomic, Bound, BoundArg, Buffer, Env, Error, Packed, Part, Pod, Var, View,
    ViewMut,
};

fn assert_send<T: Send>() {}
fn assert_sync<T: Sync>() {}

#[test]
fn handles_and_arguments_go_to_other_threads() {
    assert_send::<Buffer<f32, 2>>();
    assert_sync::<Buffer<f32, 2>>();
    assert_send::<Part<f32>>();
    assert_sync::<Var<u8>>();
    assert_send::<BoundArg<'_>>();
    assert_sync::<Allocation>();
    assert_send::<View<'_, f32, 2>>();
    assert_send::<ViewMut<'_, f32, 2>>();
    assert_sync::<Bound<'_, u32>>();
}

#[track_caller]
fn value<T: Pod + PartialEq + std::fmt::Debug>(bound: &BoundArg<'_>, expected: T) {
    match bound {
        BoundArg::Value(value) => assert_eq!(value.get::<T>(), Some(expected)),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn array<'b>(bound: &'b BoundArg<'_>, shape: &[usize], stride: &[usize]) -> &'b Packed {
    match bound {
        BoundArg::Array { 0: array, .. } => {
            assert_eq!((array.section().shape(), array.section().stride()), (shape, stride));
            array
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_keep_their_type() {
    value(&Arg::<f32>::bind(1.5_f32), 1.5_f32);
    value(&Arg::<usize>::bind(3), 3_usize);
    value(&Arg::<[u64; 2]>::bind([1, 2]), [1_u64, 2]);
    // Too large to be held inline.
    value(&Arg::<[u64; 4]>::bind([1, 2, 3, 4]), [1_u64, 2, 3, 4]);
    value(&Arg::<[f64; 9]>::bind([0.5; 9]), [0.5_f64; 9]);
    let BoundArg::Value(truth) = Arg::<bool>::bind(true) else { panic!("a value") };
    assert_eq!((truth.get::<bool>(), truth.get::<u8>()), (Some(true), None));
}

#[allow(clippy::needless_borrows_for_generic_args, reason = "both forms are tested")]
#[test]
fn arrays_are_boxes_of_their_allocation() {
    let mut x = Buffer::<f32, 2>::zeros([4, 6]);
    let whole = Arg::<View<'_, f32, 2>>::bind(&x);
    array(&whole, &[4, 6], &[6, 1]);
    let written = Arg::<ViewMut<'_, f32, 2>>::bind(&mut x);
    assert_eq!(
        array(&written, &[4, 6], &[6, 1]).allocation().id(),
        array(&whole, &[4, 6], &[6, 1]).allocation().id()
    );
    let part = Arg::<View<'_, f32, 2>>::bind(&x.view((1..3, 2..5)));
    assert_eq!(array(&part, &[2, 3], &[6, 1]).section().offset(), 8);
    // By value where it is only read.
    let part = Arg::<View<'_, f32, 2>>::bind(x.view((1..3, 2..5)));
    assert_eq!(array(&part, &[2, 3], &[6, 1]).section().offset(), 8);
    let row = Arg::<&[f32]>::bind(x.row(1));
    assert_eq!(array(&row, &[6], &[1]).section().offset(), 6);
    let row = Arg::<&[f32]>::bind(&x.row(2));
    assert_eq!(array(&row, &[6], &[1]).section().offset(), 12);
    let flat = Arg::<&[f32]>::bind(&x.reshape(24).expect("as many"));
    array(&flat, &[24], &[1]);
    let mut cells = Buffer::<u32>::zeros(16);
    array(&Arg::<&[Atomic<u32>]>::bind(&mut cells), &[16], &[1]);
    let mut sum = Var::new(0.5_f64);
    array(&Arg::<&mut f64>::bind(&mut sum), &[1], &[1]);
    assert!(matches!(Arg::<f64>::bind(&sum), BoundArg::Cell { .. }));
}

#[test]
fn borrowed_memory_is_used_in_place() {
    let mut values = vec![1_u32, 2, 3];
    let address = values.as_ptr();
    {
        let mut bound = Bound::new(&mut values);
        let read = Arg::<&[u32]>::bind(&bound);
        let write = Arg::<&mut [u32]>::bind(&mut bound);
        let (read, write) = (array(&read, &[3], &[1]), array(&write, &[3], &[1]));
        assert_eq!(read.allocation().id(), write.allocation().id());
        assert!(read.allocation().is_foreign());
        assert_eq!(read.allocation().host().expect("there").as_ptr().cast_const(), address.cast());
    }
    let once = Arg::<&mut [u32]>::bind(&mut values);
    assert!(array(&once, &[3], &[1]).allocation().is_foreign());
    drop(once);
    let slice = Arg::<&[u32]>::bind(&values[1..]);
    array(&slice, &[2], &[1]);
    let fixed = Arg::<&[u32]>::bind(&[4_u32, 5, 6, 7]);
    array(&fixed, &[4], &[1]);
    let columns = View::from_shape([3, 1], &values).expect("as many");
    array(&Arg::<View<'_, u32, 2>>::bind(columns.view((1..3, ..))), &[2, 1], &[1, 1]);
    assert_eq!(values, [1, 2, 3]);
}

#[allow(clippy::needless_borrows_for_generic_args, reason = "both forms are tested")]
#[test]
fn what_is_wrong_is_kept_for_the_stage() {
    let x = Buffer::from(vec![1_u8; 4]);
    for outside in [Arg::<&[u8]>::bind(&x.view(2..6)), Arg::<&[u8]>::bind(x.view(2..6))] {
        let BoundArg::Invalid(error) = &outside else { panic!("{outside:?}") };
        assert!(matches!(**error, Error::Range { index: 6, len: 4, .. }), "{error}");
    }
    let huge = Buffer::<f32, 2>::zeros([usize::MAX, 2]);
    let huge = Arg::<View<'_, f32, 2>>::bind(&huge);
    let BoundArg::Invalid(error) = &huge else { panic!("{huge:?}") };
    assert!(matches!(**error, Error::TooLarge { what: "array", .. }), "{error}");
}

#[test]
fn a_box_may_follow_a_loop_variable() {
    let film = Buffer::<u8, 3>::zeros([10, 4, 6]);
    let frame = LoopVar::<usize>::new(0);
    let table = [3_usize, 1, 9, 12];
    let at = film.at_lazy(Lazy(move |env: &Env| table[frame.get(env)]));
    let (first, second) = (Arg::<View<'_, u8, 2>>::bind(&at), Arg::<View<'_, u8, 2>>::bind(&at));
    for bound in [first, second] {
        let BoundArg::LazyArray { 0: lazy, .. } = bound else { panic!("{bound:?}") };
        assert_eq!(lazy.within().section().shape(), [10, 4, 6]);
        let mut env = Env::new();
        for (k, expected) in [3, 1, 9].into_iter().enumerate() {
            env.set(0, k.to_bits());
            let array = lazy.resolve(&env).expect("inside");
            assert_eq!(array.section().offset(), expected * 24);
            assert_eq!(array.section().shape(), [4, 6]);
        }
        env.set(0, 3_usize.to_bits());
        assert!(matches!(lazy.section(&env), Err(Error::Range { index: 12, len: 10, .. })));
    }
}

#[cfg(feature = "ndarray")]
mod nd {
    use flash_rt::guard::ReadGuard;
    use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

    use super::*;

    #[test]
    fn arrays_of_ndarray_keep_their_strides() {
        let mut a = Array2::from_shape_fn((4, 6), |(j, i)| (10 * j + i) as f32);
        array(&Arg::<View<'_, f32, 2>>::bind(&a), &[4, 6], &[6, 1]);
        array(&Arg::<View<'_, f32, 2>>::bind(a.slice(s![1..3, ..;2])), &[2, 3], &[6, 2]);
        array(&Arg::<View<'_, f32, 2>>::bind(a.t()), &[6, 4], &[1, 6]);
        array(&Arg::<&[f32]>::bind(a.index_axis(Axis(1), 2)), &[4], &[6]);
        array(&Arg::<ViewMut<'_, f32, 2>>::bind(&mut a), &[4, 6], &[6, 1]);
        let backwards = Arg::<View<'_, f32, 2>>::bind(a.slice(s![..;-1, ..]));
        let BoundArg::Invalid(error) = &backwards else { panic!("{backwards:?}") };
        assert!(error.to_string().contains("negative stride"), "{error}");
    }

    #[test]
    fn views_become_ndarray_views() {
        let x = Buffer::from_shape([4, 6], (0..24).collect::<Vec<i32>>()).expect("as many");
        let guard: ReadGuard<i32, 2> = x.read((1..3, ..)).expect("free");
        let view = ArrayView2::from(guard.as_view());
        assert_eq!(view[[1, 5]], 17);
        assert_eq!(view.sum(), (6..18).sum::<i32>());
        drop(guard);
        let mut guard = x.write(..).expect("free");
        let mut view = guard.as_view_mut();
        let mut columns = ArrayViewMut2::from(view.view_mut((.., 2..4)));
        columns += 100;
        drop(guard);
        assert_eq!(x.row(1).to_vec().expect("free"), [6, 7, 108, 109, 10, 11]);
    }
}
