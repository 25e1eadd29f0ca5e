//! Arguments whose types have names of the kernel's own.

use flash::Result;
use flash::prelude::*;
use flash_tests::opencl;

/// Declares kernels of the file.
macro_rules! native {
    ($($(args($($args:tt)*))? fn $name:ident($($params:tt)*) = $entry:literal;)*) => {
        $(#[flash::kernel(unsafe(opencl(
            file = "opencl/kernels/typedefs.cl", entry = $entry $(, args($($args)*))?
        )))]
        fn $name($($params)*);)*
    };
}

#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
struct Body {
    mass: f32,
    id: i32,
}

native! {
    fn scaled(a: f32, x: &mut [f32]) = "scaled";
    args(by, x, n = x.len()) fn stretched(by: [f32; 4], x: &mut [[f32; 4]]) = "stretched";
    fn in_mode(how: i32, x: &mut [f32]) = "in_mode";
    fn of_rows(x: &mut [[f32; 4]]) = "of_rows";
    fn displaced(by: Point, x: &mut [Point]) = "displaced";
    fn swapped(x: &mut [Point]) = "swapped";
    fn swapped_arrays(x: &mut [[f32; 2]]) = "swapped";
    fn swapped_squares(x: &mut [[[f32; 2]; 2]]) = "swapped";
}

#[test]
fn names_of_scalars_and_vectors_are_what_they_stand_for() {
    let Some(rt) = opencl() else { return };
    let mut x = Buffer::from(vec![2.0_f32; 10]);
    rt.submit(scaled(1.5, &mut x)).exec([10]).unwrap();
    rt.submit(in_mode(1, &mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [6.0; 10]);
    let mut x = Buffer::from(vec![[1.0_f32, 2.0, 3.0, 4.0]; 10]);
    rt.submit(stretched([1.0, 0.5, 2.0, 0.0], &mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [[11.0, 11.0, 16.0, 10.0]; 10]);
    rt.submit(of_rows(&mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [[11.0, 7.0, 16.0, 10.0]; 10]);
}

#[test]
fn a_structure_under_a_condition_is_what_the_compiler_takes() {
    let Some(rt) = opencl() else { return };
    let mut x = Buffer::from(vec![Point { x: 1.0, y: 2.0 }; 10]);
    rt.submit(displaced(Point { x: 0.5, y: 4.0 }, &mut x)).exec([10]).unwrap();
    rt.submit(swapped(&mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [Point { x: 6.0, y: 1.5 }; 10]);
    let mut x = Buffer::from(vec![[1.0_f32, 2.0]; 10]);
    rt.submit(swapped_arrays(&mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [[2.0, 1.0]; 10]);
    // Two structures in each element.
    let mut x = Buffer::from(vec![[[1.0_f32, 2.0]; 2]; 5]);
    rt.submit(swapped_squares(&mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [[[2.0, 1.0]; 2]; 5]);
}

native! {
    fn whole_for_real(a: i32, x: &mut [f32]) = "scaled";
    fn doubles_for_reals(a: f32, x: &mut [f64]) = "scaled";
    args(by, x, n = x.len()) fn scalar_for_vector(by: f32, x: &mut [[f32; 4]]) = "stretched";
    args(by, x, n = x.len()) fn pairs_for_vectors(by: [f32; 4], x: &mut [[f32; 2]]) = "stretched";
    fn vector_for_scalar(a: [f32; 4], x: &mut [f32]) = "scaled";
    fn squares_for_numbers(x: &mut [[[f32; 2]; 2]]) = "of_whole_numbers";
    fn bodies_for_numbers(x: &mut [[Body; 2]]) = "of_whole_numbers";
    fn bodies_for_pairs(x: &mut [[Body; 2]]) = "swapped";
    fn numbers_for_pairs(x: &mut [f32]) = "swapped";
    args(x, y = x.len()) fn length_for_array(x: &[[f32; 4]]) = "of_four";
}

#[test]
fn other_types_are_refused_by_both_names() {
    let Some(rt) = opencl() else { return };
    #[track_caller]
    fn refused(result: Result<flash::Report>, words: &str) {
        let said = result.unwrap_err().to_string();
        assert!(said.contains(words), "no {words:?} in {said}");
    }
    let mut x = Buffer::from(vec![1.0_f32; 8]);
    refused(
        rt.submit(whole_for_real(1, &mut x)).exec([8]),
        "is for `a`, a value of type `int`, and the kernel takes `scalar`, which is `float`",
    );
    refused(
        rt.submit(doubles_for_reals(1.0, &mut Buffer::zeros(8))).exec([8]),
        "an array of `double`, and the kernel takes a pointer to `real`, which is `float`",
    );
    let mut fours = Buffer::from(vec![[1.0_f32; 4]; 8]);
    refused(
        rt.submit(scalar_for_vector(1.0, &mut fours)).exec([8]),
        "a value of type `float`, and the kernel takes `vec4`, which is `float4`",
    );
    refused(
        rt.submit(pairs_for_vectors([1.0; 4], &mut Buffer::from(vec![[1.0; 2]; 8]))).exec([8]),
        "an array of `float2`, and the kernel takes a pointer to `vec4`, which is `float4`",
    );
    refused(
        rt.submit(vector_for_scalar([1.0; 4], &mut x)).exec([8]),
        "a value of type `float4`, and the kernel takes `scalar`, which is `float`",
    );
    let mut squares = Buffer::from(vec![[[1.0_f32; 2]; 2]; 8]);
    refused(
        rt.submit(squares_for_numbers(&mut squares)).exec([8]),
        "an array of `float4`, and the kernel takes a pointer to `int`",
    );
    let mut bodies = Buffer::from(vec![[Body { mass: 1.0, id: 2 }; 2]; 8]);
    refused(
        rt.submit(bodies_for_numbers(&mut bodies)).exec([8]),
        "an array of a structure like `[Body; 2]`, and the kernel takes a pointer to `int`",
    );
    refused(
        rt.submit(bodies_for_pairs(&mut bodies)).exec([8]),
        "whose `pair` is another structure: ",
    );
    refused(
        rt.submit(numbers_for_pairs(&mut x)).exec([8]),
        "an array of `float`, and the kernel takes a pointer to `pair`",
    );
    refused(
        rt.submit(length_for_array(&fours)).exec([8]),
        "argument 1 is the length of `x`, and the kernel takes a pointer, `real*`",
    );
    rt.submit(scaled(2.0, &mut x)).exec([8]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [2.0; 8]);
}
