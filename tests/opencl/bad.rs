//! What cannot be, and what is said of it. After each error the device goes on.

use flash::prelude::*;
use flash_tests::opencl;

use crate::copying;

macro_rules! declare {
    ($($name:ident: $options:tt;)*) => {
        $(#[flash::kernel(unsafe(opencl $options))]
        fn $name(a: f32, x: &[f32], y: &mut [f32]);)*
    };
}

declare! {
    syntax: (file = "opencl/kernels/bad.cl", entry = "saxpy");
    options: (file = "opencl/kernels/saxpy.cl", entry = "saxpy", options = "-no-such-option");
    absent: (file = "opencl/kernels/saxpy.cl", entry = "no_such_kernel");
    missing: (path = "opencl/kernels/not_there.cl", entry = "saxpy");
    extension: (path = "opencl/main.rs", entry = "saxpy");
    garbage: (file = "opencl/kernels/garbage.bin", entry = "saxpy");
    not_spirv: (file = "opencl/kernels/garbage.spv", entry = "saxpy");
    spirv: (file = "opencl/kernels/short.spv", entry = "saxpy");
    too_few: (file = "opencl/kernels/wrong.cl");
    too_many: (file = "opencl/kernels/wrong.cl");
    other_value: (file = "opencl/kernels/wrong.cl");
    other_element: (file = "opencl/kernels/wrong.cl");
    pointer_for_value: (file = "opencl/kernels/wrong.cl");
    value_for_pointer: (file = "opencl/kernels/wrong.cl");
    only_reads: (file = "opencl/kernels/wrong.cl");
    local_array: (file = "opencl/kernels/wrong.cl");
    constant_output: (file = "opencl/kernels/wrong.cl");
    shares: (file = "opencl/kernels/wrong.cl");
    blocks: (file = "opencl/kernels/saxpy.cl", entry = "saxpy", block(64));
    saxpy: (file = "opencl/kernels/saxpy.cl");
    unlike: (file = "opencl/kernels/saxpy.cl", entry = "saxpy", family = "no such device");
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn triples(x: &[[f32; 3]], #[out] y: &mut [f32]);

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl", entry = "saxpy")))]
fn reduces(a: f32, x: &[f32], #[reduce(+)] y: &mut f32);

#[flash::kernel(rank = 4, unsafe(opencl(file = "opencl/kernels/saxpy.cl", entry = "saxpy")))]
fn four(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(rank = 9, unsafe(opencl(file = "opencl/kernels/wrong.cl")))]
fn nine(a: f32, x: &[f32], y: &mut [f32]);

/// The error of a launch of so many items, in all its words.
fn said<const R: usize>(rt: &Runtime, call: flash_rt::Call<'_, R>, items: [usize; R]) -> String {
    let error = rt.submit(call).exec(items).unwrap_err();
    // The device goes on.
    let x = Buffer::from(vec![2.0_f32; 10]);
    let mut y = Buffer::from(vec![1.0_f32; 10]);
    rt.submit(saxpy(3.0, &x, &mut y)).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0; 10]);
    format!("{error:?}")
}

#[test]
fn what_cannot_be_loaded() {
    let Some(rt) = opencl() else { return };
    let (x, mut y) = (Buffer::<f32>::zeros(100), Buffer::<f32>::zeros(100));
    macro_rules! check {
        ($($name:ident: $($words:expr),*;)*) => {$(
            let words_said = said(&rt, $name(1.0, &x, &mut y), [100]);
            for words in [$($words),*] {
                assert!(words_said.contains(words), "{}: no {words:?} in\n{words_said}", stringify!($name));
            }
        )*};
    }
    check! {
        syntax: "kernel `syntax` (node 0, called at tests/opencl/bad.rs:", "`: opencl/kernels/bad.cl: ", "CL_BUILD_PROGRAM_FAILURE", "bad.cl:2:",
            "'b'";
        options: "saxpy.cl: ", "(clBuildProgram, CL_";
        absent: "no kernel `no_such_kernel`", "saxpy_guarded", "CL_INVALID_KERNEL_NAME";
        missing: "opencl/kernels/not_there.cl: it cannot be read", "working directory";
        extension: "opencl/main.rs: its extension is none of";
        garbage: "garbage.bin: it is no program for", "CL_INVALID_BINARY";
        not_spirv: "garbage.spv: it is not SPIR-V";
        spirv: "short.spv: ";
        too_few: "takes 2 arguments, and the declaration gives 3: `a`, `x`, `y`";
        too_many: "takes 4 arguments, and the declaration gives 3";
        other_value: "argument 0 (`a`) is for `a`, a value of type `float`, and the kernel takes `int`";
        other_element: "is for `x`, an array of `float`, and the kernel takes a pointer to `double`";
        pointer_for_value: "is for `a`, a value, and the kernel takes a pointer";
        value_for_pointer: "is for `x`, an array, and the kernel takes a value of type `float`";
        only_reads: "is for `y`, written, and the kernel takes a pointer to `const float`";
        local_array: "is for `x`, an array in `__global` memory, and the kernel takes a pointer to `__local`";
        constant_output: "is for `y`, written, and the kernel takes a pointer to `__constant`";
        shares: "takes memory that a work-group shares as its last argument";
        blocks: "dimension 0 has 100 items, and groups of 64 make 128", "`guarded`";
        unlike: "no body and no implementation for", "opencl for `no such device`";
    }
    let (three, mut one) = (Buffer::<[f32; 3]>::zeros(10), Buffer::<f32>::zeros(10));
    let of_three = said(&rt, triples(&three, &mut one), [10]);
    assert!(of_three.contains("`float3` takes the room of four"), "{of_three}");
    let mut sum = Var::new(0.0_f32);
    let of_sum = said(&rt, reduces(1.0, &x, &mut sum), [100]);
    assert!(of_sum.contains("`y` is a reduction"), "{of_sum}");
    let of_four = said(&rt, four(1.0, &x, &mut y), [10, 1, 1, 1]);
    assert!(of_four.contains("4 dimensions"), "{of_four}");
    let of_nine = said(&rt, nine(1.0, &x, &mut y), [10, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert!(of_nine.contains("9 dimensions, and `flash_block`"), "{of_nine}");
}

#[test]
fn parts_that_are_no_pointers() {
    let Some(rt) = copying() else { return };
    let x = Buffer::<f32>::zeros(100);
    let mut y = Buffer::<f32>::zeros(100);
    let uneven = said(&rt, saxpy(1.0, &x.view(1..51), &mut y.view_mut(0..50)), [50]);
    assert!(uneven.contains("`x` begins 4 bytes into its buffer"), "{uneven}");
}

#[test]
fn memory_that_is_not_there() {
    let Some(rt) = copying() else { return };
    let device = &rt.devices()[0];
    let limit = device.info().memory.unwrap();
    let elements = usize::try_from(limit / 4 + 1).unwrap();
    // No page of it is touched on the host.
    let mut y = Buffer::<f32>::unwritten(elements);
    let x = Buffer::<f32>::zeros(10);
    let said = said(&rt, saxpy(1.0, &x, &mut y), [10]);
    assert!(said.contains("has no room for"), "{said}");
}
