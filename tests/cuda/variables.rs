//! Variables of native code that a declaration fills, and launches whose blocks wait for each other, each
//! against plain Rust; and what is said of those that cannot be.

use flash::prelude::*;
use flash_tests::cuda::{TestCuda, cuda};

use crate::native::Line;

/// Declares kernels of the file.
macro_rules! native {
    ($(fn $name:ident($($params:tt)*) = ($($options:tt)*);)*) => {
        $(#[flash::kernel(unsafe(cuda(file = "cuda/kernels/variables.cu", $($options)*)))]
        fn $name($($params)*);)*
    };
}

native! {
    fn weighted(w: &[f32], x: &[f32], #[out] y: &mut [f32]) =
        (globals(weights = w, count = x.len()));
    fn weighted_by_value(w: [f32; 5], n: u64, x: &[f32], #[out] y: &mut [f32]) =
        (entry = "weighted", globals(weights = w, count = n), args(x, y));
    fn on_line(given: Line, by: i32, x: &[f32], #[out] y: &mut [f32]) =
        (globals(line = given, factor = by));
    fn turned(arrived: &mut [u32], x: &[u32], #[out] middle: &mut [u32], #[out] y: &mut [u32]) =
        (cooperative, block(32));
    fn absent(w: &[f32], x: &[f32], #[out] y: &mut [f32]) =
        (entry = "weighted", globals(heights = w));
    fn other_size(w: [f32; 4], x: &[f32], #[out] y: &mut [f32]) =
        (entry = "weighted", globals(weights = w));
    fn no_length(w: &[f32], x: &[f32], #[out] y: &mut [f32]) =
        (entry = "weighted", globals(line = w.len()), args(x, y));
}

const N: usize = 200;

fn floats() -> Vec<f32> {
    (0..N).map(|i| i as f32 * 0.5 - 5.0).collect()
}

/// What `weighted` makes of the floats.
fn expected(w: [f32; 5]) -> Vec<f32> {
    let x = floats();
    (0..N).map(|i| (0..5).fold(0.0, |sum, k| w[k].mul_add(x[(i + k) % N], sum))).collect()
}

const WEIGHTS: [[f32; 5]; 2] = [[1.0, -2.0, 0.5, 4.0, 0.25], [0.5, 0.25, -8.0, 1.0, 2.0]];

#[test]
fn variables_are_filled_before_each_launch() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    let x = Buffer::from(floats());
    driver.log(true);
    for w in WEIGHTS {
        let mut y = Buffer::zeros(N);
        rt.submit(weighted(&Buffer::from(w.to_vec()), &x, &mut y)).exec([N]).unwrap();
        assert_eq!(y.to_vec().unwrap(), expected(w));
        let mut y = Buffer::zeros(N);
        rt.submit(weighted_by_value(w, N as u64, &x, &mut y)).exec([N]).unwrap();
        assert_eq!(y.to_vec().unwrap(), expected(w));
    }
    let mut y = Buffer::zeros(N);
    let line = Line { slope: 2.0, offset: -3, scale: 0.5 };
    rt.submit(on_line(line, -3, &x, &mut y)).exec([N]).unwrap();
    let on_line = |x: &f32| (0.5 * f64::from(2.0 * x - 3.0)) as f32 * -3.0;
    assert_eq!(y.to_vec().unwrap(), floats().iter().map(on_line).collect::<Vec<_>>());
    let copies = driver.calls().into_iter().filter(|call| call.name.starts_with("cuMemcpy"));
    let pageable = copies.filter(|call| call.detail == "pageable");
    assert_eq!(pageable.collect::<Vec<_>>(), [], "a driver may wait for the stream to make these");
    assert_eq!(driver.hazards(), Vec::<String>::new());
    assert_eq!(driver.counts()["cuModuleGetGlobal_v2"], 2 + 2 + 2, "looked up once");
}

#[test]
fn launches_at_once_have_their_own_contents() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1,delay=kernel:300") else {
        return;
    };
    let x = Buffer::from(floats());
    let weights = WEIGHTS.map(|w| Buffer::from(w.to_vec()));
    let mut out = [(); 6].map(|()| Buffer::<f32>::zeros(N));
    let mut p = rt.pipeline();
    for (k, y) in out.iter_mut().enumerate() {
        p.push(weighted(&weights[k % 2], &x, y).over([N]));
    }
    p.exec().unwrap();
    drop(p);
    for (k, y) in out.iter().enumerate() {
        assert_eq!(y.to_vec().unwrap(), expected(WEIGHTS[k % 2]), "{k}");
    }
    assert_eq!(driver.hazards(), Vec::<String>::new());
}

#[test]
fn blocks_of_a_cooperative_launch_wait_for_each_other() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let n = 320;
    let start: Vec<u32> = (0..n as u32).map(|k| k * k).collect();
    let x = Buffer::from(start.clone());
    for _ in 0..2 {
        let (mut arrived, mut middle, mut y) =
            (Buffer::zeros(1), Buffer::zeros(n), Buffer::zeros(n));
        rt.submit(turned(&mut arrived, &x, &mut middle, &mut y)).exec([n]).unwrap();
        let wanted: Vec<u32> = start.iter().rev().map(|x| 3 * x + 1).collect();
        assert_eq!((arrived.get(0).unwrap(), y.to_vec().unwrap()), (10, wanted));
    }
    let counts = driver.counts();
    assert_eq!((counts["cuLaunchCooperativeKernel"], counts.get("cuLaunchKernel")), (2, None));
}

#[test]
fn a_cooperative_launch_is_refused_where_it_cannot_be() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,multiprocessors=2") else { return };
    let said = |rt: &Runtime, n: usize| {
        let x = Buffer::<u32>::zeros(n);
        let (mut arrived, mut middle, mut y) =
            (Buffer::zeros(1), Buffer::zeros(n), Buffer::zeros(n));
        let error = rt.submit(turned(&mut arrived, &x, &mut middle, &mut y)).exec([n]);
        format!("{:?}", error.unwrap_err())
    };
    // So many blocks of 32 threads are on two multiprocessors at once, and one more.
    let words = said(&rt, 32 * (2 * 32 + 1));
    for word in ["`turned` is `cooperative` and has 65 blocks of 32 threads", "runs 64 of them"] {
        assert!(words.contains(word), "{words}");
    }
    assert!(!driver.counts().contains_key("cuLaunchCooperativeKernel"));
    drop((rt, driver));
    let Some(test) = cuda("devices=1,capability=5.2") else { return };
    let words = said(&test.rt, 64);
    assert!(words.contains("compute capability 6.0 and later"), "{words}");
}

#[test]
fn variables_that_are_not_there_or_of_another_size_are_named() {
    let Some(TestCuda { driver: _driver, rt }) = cuda("devices=1") else { return };
    let (x, mut y, w) = (Buffer::from(floats()), Buffer::zeros(N), Buffer::<f32>::zeros(5));
    let six = Buffer::<f32>::zeros(6);
    macro_rules! check {
        ($($call:expr => $words:expr;)*) => {$(
            let said = format!("{:?}", rt.submit($call).exec([N]).unwrap_err());
            assert!(said.contains($words), "{said}");
        )*};
    }
    check! {
        absent(&w, &x, &mut y) => "it has no variable `heights` for `globals` of `weighted`";
        other_size([0.0; 4], &x, &mut y) =>
            "its variable `weights` has 20 bytes, and `w`, which fills it, has 16";
        no_length(&w, &x, &mut y) =>
            "its variable `line` has 16 bytes, and the length of `w` takes 4 or 8";
        weighted(&six, &x, &mut y) =>
            "the variable `weights` has 20 bytes, and `w`, which fills it, has 6 elements of 4";
    }
    rt.submit(weighted(&w, &x, &mut y)).exec([N]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0.0; N]);
}
