//! What cannot be, and what is said of it. After each error the device goes on.

use flash::Error;
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
    below: (file = "opencl/kernels/below.cl", entry = "saxpy");
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
    short_length: (file = "opencl/kernels/wrong.cl", args(a, x, y, n = y.len()));
    array_for_length: (file = "opencl/kernels/wrong.cl", args(a, x, y, n = y.len()));
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

/// The error of a launch of so many items.
#[track_caller]
fn failed<const R: usize>(rt: &Runtime, call: flash_rt::Call<'_, R>, items: [usize; R]) -> Error {
    let error = rt.submit(call).exec(items).unwrap_err();
    // The device goes on.
    let x = Buffer::from(vec![2.0_f32; 10]);
    let mut y = Buffer::from(vec![1.0_f32; 10]);
    rt.submit(saxpy(3.0, &x, &mut y)).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0; 10]);
    error
}

/// It is one of this kind, of this kernel, and says this.
macro_rules! assert_says {
    ($error:expr, $kind:ident of $name:ident, $($words:expr),*) => {
        let error = $error;
        let said = format!("{error:?}");
        let is_of_kind =
            matches!(&error, Error::$kind { kernel, .. } if *kernel == stringify!($name));
        assert!(is_of_kind, "{}: no `{}`:\n{said}", stringify!($name), stringify!($kind));
        for words in [$($words),*] {
            assert!(said.contains(words), "{}: no {words:?} in\n{said}", stringify!($name));
        }
    };
}

#[test]
fn what_cannot_be_loaded() {
    let Some(rt) = opencl() else { return };
    let (x, mut y) = (Buffer::<f32>::zeros(100), Buffer::<f32>::zeros(100));
    macro_rules! check {
        ($($name:ident: $kind:ident, $($words:expr),*;)*) => {$(
            assert_says!(failed(&rt, $name(1.0, &x, &mut y), [100]), $kind of $name, $($words),*);
        )*};
    }
    check! {
        syntax: Library, "kernel `syntax` (node 0, called at tests/opencl/bad.rs:", "`: opencl/kernels/bad.cl: ", "CL_BUILD_PROGRAM_FAILURE", "bad.cl:2:",
            "'b'";
        below: Library, "`: opencl/kernels/below.cl: ", "CL_BUILD_PROGRAM_FAILURE", "opencl/kernels/below.cl:9:", "'below'";
        options: Library, "saxpy.cl: ", "(clBuildProgram, CL_";
        absent: Library, "no kernel `no_such_kernel`", "saxpy_guarded", "CL_INVALID_KERNEL_NAME";
        missing: Library, "opencl/kernels/not_there.cl: it cannot be read", "working directory";
        extension: Library, "opencl/main.rs: its extension is none of";
        garbage: Library, "garbage.bin: it is no program for", "CL_INVALID_BINARY";
        not_spirv: Library, "garbage.spv: it is not SPIR-V";
        spirv: Library, "short.spv: ";
        too_few: Library, "takes 2 arguments, and the declaration gives 3: `a`, `x`, `y`";
        too_many: Library, "takes 4 arguments, and the declaration gives 3";
        other_value: Library, "argument 0 (`a`) is for `a`, a value of type `float`, and the kernel takes `int`";
        other_element: Library, "is for `x`, an array of `float`, and the kernel takes a pointer to `double`";
        pointer_for_value: Library, "is for `a`, a value, and the kernel takes a pointer";
        value_for_pointer: Library, "is for `x`, an array, and the kernel takes a value of type `float`";
        only_reads: Library, "is for `y`, written, and the kernel takes a pointer to `const float`";
        local_array: Library, "is for `x`, an array in `__global` memory, and the kernel takes a pointer to `__local`";
        constant_output: Library, "is for `y`, written, and the kernel takes a pointer to `__constant`";
        shares: NoImplementation, "takes memory that a work-group shares as its last argument";
        short_length: Library, "argument 3 is the length of `y`, and the kernel takes `short`";
        array_for_length: Library, "argument 3 is the length of `y`, and the kernel takes a pointer";
        blocks: NoImplementation, "dimension 0 has 100 items, and groups of 64 make 128", "`guarded`";
        unlike: NoImplementation, "no body and no implementation for", "opencl for `no such device`";
    }
    let (three, mut one) = (Buffer::<[f32; 3]>::zeros(10), Buffer::<f32>::zeros(10));
    let of_three = failed(&rt, triples(&three, &mut one), [10]);
    assert_says!(of_three, Library of triples, "`float3` takes the room of four");
    let mut sum = Var::new(0.0_f32);
    let of_sum = failed(&rt, reduces(1.0, &x, &mut sum), [100]);
    assert_says!(of_sum, Library of reduces, "`y` is a reduction");
    let of_four = failed(&rt, four(1.0, &x, &mut y), [10, 1, 1, 1]);
    assert_says!(of_four, Library of four, "4 dimensions");
    let of_nine = failed(&rt, nine(1.0, &x, &mut y), [10, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_says!(of_nine, Library of nine, "9 dimensions, and `flash_block`");
}

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
struct Line {
    slope: f32,
    offset: i32,
    scale: f64,
}

/// Kernels of `wrong.cl`, of these parameters.
macro_rules! declare_more {
    ($($(#[$option:ident $($args:tt)*])? fn $name:ident $params:tt;)*) => {
        $(#[flash::kernel($($option $($args)*,)? unsafe(opencl(file = "opencl/kernels/wrong.cl")))]
        fn $name $params;)*
    };
}

declare_more! {
    fn cells_that_are_read(cells: &[Atomic<u32>]);
    fn cells_of_another_type(cells: &[Atomic<u32>]);
    fn truth_of_four_bytes(is_so: bool, y: &mut [f32]);
    fn narrow_value(n: u64, y: &mut [f32]);
    #[index_table] fn rows_of_two_bytes(y: &mut [f32]);
    #[index_table] fn local_table(y: &mut [f32]);
    fn of_another_line(by: Line, y: &mut [f32]);
    fn scalar_for_line(by: Line, y: &mut [f32]);
    fn pointer_to_line(by: Line, y: &mut [f32]);
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/wrong.cl", args(y, n = y.len(), m = y.len()))))]
fn narrow_lengths(y: &mut [f32]);

/// Each kind of parameter is compared, and named.
#[test]
fn parameters_of_every_kind_are_compared() {
    let Some(rt) = opencl() else { return };
    let (mut y, mut cells) = (Buffer::<f32>::zeros(10), Buffer::<u32>::zeros(10));
    let by = Line { slope: 1.0, offset: 2, scale: 3.0 };
    macro_rules! check {
        ($($name:ident($($arg:expr),*): $words:expr;)*) => {$(
            assert_says!(failed(&rt, $name($($arg),*), [10]), Library of $name, $words);
        )*};
    }
    check! {
        cells_that_are_read(&mut cells): "is for `cells`, written, and the kernel takes a pointer to `const uint`";
        cells_of_another_type(&mut cells): "is for `cells`, an array of `uint`, and the kernel takes a pointer to `float`";
        truth_of_four_bytes(true, &mut y): "is for `is_so`, a value of type `uchar`, and the kernel takes `int`";
        narrow_value(7, &mut y): "is for `n`, a value of type `ulong`, and the kernel takes `int`";
        narrow_lengths(&mut y): "argument 2 is the length of `y`, and the kernel takes `char`";
        rows_of_two_bytes(&mut y): "argument 2 is the number of its rows, and the kernel takes `ushort`";
        local_table(&mut y): "is for the table of indices, an array in `__global` memory, and the kernel takes a pointer to `__local`";
        of_another_line(by, &mut y): "is for `by`, whose `line` is another structure: ";
        scalar_for_line(by, &mut y): "is for `by`, a value of type a structure like `Line`, and the kernel takes `float`";
        pointer_to_line(by, &mut y): "is for `by`, a value, and the kernel takes a pointer";
    }
}

#[test]
fn parts_that_are_no_pointers() {
    let Some(rt) = copying() else { return };
    let x = Buffer::<f32>::zeros(100);
    let mut y = Buffer::<f32>::zeros(100);
    let uneven = failed(&rt, saxpy(1.0, x.view(1..51), y.view_mut(0..50)), [50]);
    assert_says!(uneven, NoImplementation of saxpy, "`x` begins 4 bytes into its buffer");
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
    let error = failed(&rt, saxpy(1.0, &x, &mut y), [10]);
    let is_of_memory = matches!(&error, Error::OutOfMemory { param: Some("y"), .. });
    assert!(is_of_memory && error.to_string().contains("has no room for"), "{error:?}");
}
