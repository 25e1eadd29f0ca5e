//! What cannot be, and what is said of it. After each error the device goes on.

use flash::prelude::*;
use flash_tests::cuda::cuda;

use crate::native::Line;

declare! {
    saxpy: (file = "cuda/kernels/native.cu");
    syntax: (file = "cuda/kernels/bad.cu", entry = "saxpy");
    options: (file = "cuda/kernels/native.cu", entry = "saxpy", options = "--no-such-option");
    absent: (file = "cuda/kernels/native.cu", entry = "no_such_kernel");
    absent_in_ptx: (file = "cuda/kernels/saxpy.ptx", entry = "sax");
    missing: (path = "cuda/kernels/not_there.cu", entry = "saxpy");
    extension: (path = "cuda/main.rs", entry = "saxpy");
    garbage: (file = "cuda/kernels/garbage.ptx", entry = "saxpy");
    cut_text: (file = "cuda/kernels/cut.ptx", entry = "saxpy");
    cut_code: (file = "cuda/kernels/cut.cubin", entry = "saxpy");
    too_new: (file = "cuda/kernels/too_new.ptx", entry = "saxpy");
    unread: (file = "cuda/kernels/unread.ptx", entry = "saxpy");
    other_ptx: (file = "cuda/kernels/other.ptx", entry = "saxpy");
    other_code: (file = "cuda/kernels/saxpy_sm100.cubin", entry = "saxpy");
    other_fatbin: (file = "cuda/kernels/other.fatbin", entry = "saxpy");
    too_few: (file = "cuda/kernels/wrong.cu");
    too_many: (file = "cuda/kernels/wrong.cu");
    other_value: (file = "cuda/kernels/wrong.cu");
    other_value_14: (file = "cuda/kernels/wrong.cu", entry = "other_value", options = "-std=c++14 -DN=3");
    too_few_03: (file = "cuda/kernels/wrong.cu", entry = "too_few", options = "-std=c++03");
    other_element: (file = "cuda/kernels/wrong.cu");
    pointer_for_value: (file = "cuda/kernels/wrong.cu");
    value_for_pointer: (file = "cuda/kernels/wrong.cu");
    only_reads: (file = "cuda/kernels/wrong.cu");
    vectors: (file = "cuda/kernels/wrong.cu");
    template: (file = "cuda/kernels/wrong.cu", entry = "of_any");
    short_length: (file = "cuda/kernels/wrong.cu", args(a, x, y, n = y.len()));
    fewer_in_ptx: (file = "cuda/kernels/saxpy.ptx", entry = "saxpy", args(a, x));
    sizes_in_ptx: (file = "cuda/kernels/saxpy.ptx", entry = "saxpy", args(x, a, y));
    blocks: (file = "cuda/kernels/native.cu", entry = "saxpy", block(64));
    shares: (file = "cuda/kernels/native.cu", entry = "saxpy", shared = 400_000);
    unlike: (file = "cuda/kernels/native.cu", entry = "saxpy", family = "sm_100");
}

#[flash::kernel(unsafe(cuda(file = "cuda/kernels/wrong.cu")))]
fn on_line(line: Line, x: &[f32], y: &mut [f32]);

#[flash::kernel(unsafe(cuda(file = "cuda/kernels/native.cu", entry = "saxpy")))]
fn reduces(a: f32, x: &[f32], #[reduce(+)] y: &mut f32);

#[flash::kernel(rank = 4, unsafe(cuda(file = "cuda/kernels/native.cu", entry = "saxpy")))]
fn four(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(rank = 2, unsafe(cuda(file = "cuda/kernels/native.cu", entry = "saxpy")))]
fn tall(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(rank = 3, unsafe(cuda(file = "cuda/kernels/native.cu", entry = "saxpy")))]
fn deep(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(rank = 9, unsafe(cuda(file = "cuda/kernels/wrong.cu")))]
fn nine(a: f32, x: &[f32], y: &mut [f32]);

/// The error of a launch of so many items, in all its words.
#[track_caller]
fn said<const R: usize>(rt: &Runtime, call: flash_rt::Call<'_, R>, items: [usize; R]) -> String {
    let error = rt.submit(call).exec(items).unwrap_err();
    // The device goes on.
    let x = Buffer::from(vec![2.0_f32; 10]);
    let mut y = Buffer::from(vec![1.0_f32; 10]);
    rt.submit(saxpy(3.0, &x, &mut y)).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0; 10]);
    format!("{error:?}\n{error}")
}

#[test]
fn what_cannot_be_loaded() {
    let Some(test) = cuda("devices=1,capability=9.0") else { return };
    let (x, mut y) = (Buffer::<f32>::zeros(100), Buffer::<f32>::zeros(100));
    macro_rules! check {
        ($($name:ident: $($words:expr),*;)*) => {$(
            let words_said = said(&test.rt, $name(1.0, &x, &mut y), [100]);
            for words in [$($words),*] {
                assert!(words_said.contains(words), "{}: no {words:?} in\n{words_said}", stringify!($name));
            }
        )*};
    }
    check! {
        syntax: "kernel `syntax` (node 0, called at tests/cuda/bad.rs:", "`: cuda/kernels/bad.cu: it does not compile",
            "bad.cu(2): error",
            "identifier \"b\" is undefined";
        options: "native.cu: ", "no-such-option";
        absent: "no kernel `no_such_kernel`", "`saxpy_guarded`", "the global scope has no";
        absent_in_ptx: "saxpy.ptx: it has no kernel `sax`; it has `saxpy`";
        missing: "cuda/kernels/not_there.cu: it cannot be read", "working directory";
        extension: "cuda/main.rs: its extension is none of";
        garbage: "garbage.ptx: it is neither PTX nor a cubin nor a fatbin";
        cut_text: "cut.ptx: it ends before its functions does";
        cut_code: "cut.cubin: it ends before its table of sections does";
        too_new: "too_new.ptx: it is PTX 9.9, and this driver, for CUDA 13.0, takes 9.0 at most";
        // What the driver says of it is shown.
        unread: "kernel `unread` (node 0, called at tests/cuda/bad.rs:", "CUDA_ERROR_INVALID_PTX", "line 40";
        other_ptx: "other.ptx: it is PTX for sm_121, and", "is sm_90";
        other_code: "saxpy_sm100.cubin: it is code for sm_100, and", "does not run that";
        other_fatbin: "other.fatbin: it has code for sm_100, and", "runs none of them";
        too_few: "`void (*)(float, float *)`, and the declaration gives 3: `a`, `x`, `y`";
        too_many: "the kernel takes other arguments", "the declaration gives 3";
        other_value: "argument 0 is for `a`, a value of type `float`, and the kernel takes `int`";
        other_value_14: "argument 0 is for `a`, a value of type `float`, and the kernel takes `int`";
        too_few_03: "the kernel takes 2 arguments, and the declaration gives 3: `a`, `x`, `y`";
        other_element: "argument 1 is for `x`, an array of `float`, and the kernel takes `const double *`";
        pointer_for_value: "is for `a`, a value, and the kernel takes a pointer, `const float *`";
        value_for_pointer: "is for `x`, an array, and the kernel takes a value, `float`";
        only_reads: "is for `y`, which is written, and the kernel takes `const float *`";
        vectors: "is for `x`, an array of `float`, and the kernel takes `const float2 *`";
        template: "no kernel `of_any`", "named with their arguments";
        short_length: "argument 3 is for the length of `y`, and the kernel takes `short`";
        fewer_in_ptx: "takes 3 arguments, and the declaration gives 2: `a`, `x`";
        sizes_in_ptx: "argument 0 is for `x`, of 8 bytes, and the kernel takes 4 bytes there";
        blocks: "dimension 0 has 100 items, and groups of 64 make 128", "`guarded`";
        shares: "a block of `saxpy` would share 400000 bytes";
        unlike: "no body and no implementation for", "cuda for `sm_100`";
    }
    let line = Line { slope: 1.0, offset: 0, scale: 1.0 };
    let of_line = said(&test.rt, on_line(line, &x, &mut y), [100]);
    assert!(of_line.contains("`line`, whose `slope` is at another place"), "{of_line}");
    let mut sum = Var::new(0.0_f32);
    let of_sum = said(&test.rt, reduces(1.0, &x, &mut sum), [100]);
    assert!(of_sum.contains("`y` is a reduction"), "{of_sum}");
    let of_four = said(&test.rt, four(1.0, &x, &mut y), [10, 1, 1, 1]);
    assert!(of_four.contains("4 dimensions"), "{of_four}");
    let of_nine = said(&test.rt, nine(1.0, &x, &mut y), [10, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert!(of_nine.contains("9 dimensions, and `flash_block`"), "{of_nine}");
}

#[test]
fn blocks_that_cannot_be() {
    let Some(test) = cuda("devices=1") else { return };
    let (x, mut y) = (Buffer::<f32>::zeros(100_003), Buffer::<f32>::zeros(100_003));
    let of_prime = said(&test.rt, saxpy(1.0, &x, &mut y), [100_003]);
    assert!(of_prime.contains("divides the 100003 items of `saxpy`"), "{of_prime}");
    let of_large = said(&test.rt, saxpy(1.0, &x, &mut y).block([2000]), [100_000]);
    assert!(of_large.contains("2000"), "{of_large}");
    let call = deep(1.0, &x, &mut y).block([1, 1, 128]);
    let of_deep = said(&test.rt, call, [1, 1, 128]);
    assert!(
        of_deep.contains("128 items of a work-group are asked for in dimension 2, and it takes 64"),
        "{of_deep}"
    );
    // Grids that no driver takes.
    let call = tall(1.0, &x, &mut y).block([4, 1]);
    let of_tall = said(&test.rt, call, [4, 70_000]);
    assert!(of_tall.contains("there are 70000 blocks in dimension 1, and"), "{of_tall}");
    let call = saxpy(1.0, &x, &mut y).block([1]);
    let of_long = said(&test.rt, call, [3 << 30]);
    assert!(of_long.contains("there are 3221225472 blocks in dimension 0, and"), "{of_long}");
    for (bytes, words) in
        [(300_000, "300000 bytes of shared memory"), (1 << 32, "at most 4294967295")]
    {
        let of_shared = said(&test.rt, saxpy(1.0, &x, &mut y).shared(bytes), [100]);
        assert!(of_shared.contains(words), "{of_shared}");
    }
}

/// What a machine cannot compile stands in the way of nothing.
#[flash::kernel(
    unsafe(cuda(source = "none", entry = "saxpy", family = "test device")),
    unsafe(cuda(file = "cuda/kernels/native.cu", entry = "saxpy", family = "sm_90")),
    unsafe(cuda(file = "cuda/kernels/saxpy.ptx", entry = "saxpy"))
)]
fn some_compiled(a: f32, x: &[f32], y: &mut [f32]);

#[test]
fn without_a_compiler_images_still_run() {
    let Some(driver) = flash_tests::cuda::driver("devices=1") else { return };
    let mut options = flash_tests::cuda::options();
    options.nvrtc = Some("/nowhere/libnvrtc.so".into());
    let backend = std::sync::Arc::new(flash_cuda::Cuda::new(&options));
    let rt = Runtime::builder().backend(backend).build().unwrap();
    let (x, mut y) = (Buffer::<f32>::zeros(10), Buffer::<f32>::zeros(10));
    let error = rt.submit(saxpy(1.0, &x, &mut y)).exec([10]).unwrap_err().to_string();
    assert!(error.contains("FLASH_NVRTC says `/nowhere/libnvrtc.so`"), "{error}");
    let (x, mut y) = (Buffer::from(vec![2.0_f32; 10]), Buffer::from(vec![1.0_f32; 10]));
    rt.submit(some_compiled(3.0, &x, &mut y)).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0; 10]);
    let mut p = rt.pipeline();
    p.push(some_compiled(3.0, &x, &mut y).over([10]));
    let said = p.explain().unwrap().to_string();
    assert!(said.contains("saxpy.ptx"), "{said}");
    drop(p);
    // What is in the memory of a driver goes before it does.
    drop((x, y, rt));
    drop(driver);
}
