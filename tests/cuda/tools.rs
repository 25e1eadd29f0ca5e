//! PTX that other tools than NVIDIA's have made: clang of CUDA C++, and rustc. It is loaded, checked and run as any
//! other.

use flash::prelude::*;
use flash_tests::cuda::devices;

declare! {
    of_clang: (
        file = "cuda/kernels/saxpy_clang.ptx", entry = "saxpy",
        args(a, x, y, n = y.len()), block(64), guarded
    );
    of_rustc: (file = "cuda/kernels/saxpy_rustc.ptx", entry = "saxpy");
    fewer_of_clang: (file = "cuda/kernels/saxpy_clang.ptx", entry = "saxpy");
    fewer_of_rustc: (file = "cuda/kernels/saxpy_rustc.ptx", entry = "saxpy", args(a, x));
    sizes_of_rustc: (file = "cuda/kernels/saxpy_rustc.ptx", entry = "saxpy", args(x, a, y));
}

const N: usize = 160;

#[test]
fn ptx_of_clang_and_of_rustc_runs() {
    let Some(test) = devices("devices=1") else { return };
    let rt = &test.rt;
    let x = Buffer::from((0..N).map(|i| i as f32 - 7.5).collect::<Vec<_>>());
    let ones = || Buffer::from(vec![1.0_f32; N]);
    let expected: Vec<f32> = (0..N).map(|i| 3.0 * (i as f32 - 7.5) + 1.0).collect();
    let mut y = ones();
    rt.submit(of_clang(3.0, &x, &mut y)).exec([N]).unwrap();
    assert_eq!(y.to_vec().unwrap(), expected, "the last block has threads too many");
    let mut y = ones();
    rt.submit(of_rustc(3.0, &x, &mut y)).exec([N]).unwrap();
    assert_eq!(y.to_vec().unwrap(), expected);
    let mut y = ones();
    macro_rules! refused {
        ($name:ident, $words:literal) => {
            let error = rt.submit($name(3.0, &x, &mut y)).exec([N]).unwrap_err();
            let said = format!("{error:?}");
            assert!(said.contains($words) && said.contains(stringify!($name)), "{said}");
        };
    }
    refused!(fewer_of_clang, "takes 4");
    refused!(fewer_of_rustc, "takes 3");
    refused!(sizes_of_rustc, "bytes");
    assert_eq!(y.to_vec().unwrap(), [1.0; N]);
}
