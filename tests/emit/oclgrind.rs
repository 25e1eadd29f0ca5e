//! The kernels as Oclgrind runs them: no access outside of an array, no race, and the values of the CPU.

use std::sync::Arc;

use flash::Result;
use flash::prelude::*;
use flash_ocl::OpenCl;
use flash_rt::Options;
use flash_test_devices::{Cell, Cloud};
use flash_tests::oclgrind::{is_under, said};
use num_complex::Complex;

use crate::kernels::*;

/// Its device, and nothing on disk.
fn simulated() -> Runtime {
    let backend = OpenCl::new(&Options::default());
    let rt = Runtime::builder().backend(Arc::new(backend)).build().unwrap();
    assert!(rt.devices()[0].name().contains("Oclgrind"), "{:?}", rt.devices());
    rt
}

/// Runs kernels there and on the CPU.
struct Both {
    cpu: Runtime,
    simulated: Runtime,
    /// Those with the same bits, and those that are close.
    same: Vec<&'static str>,
    close: Vec<&'static str>,
}

/// Whether two texts have the same words, and numbers that are close.
fn is_close(found: &str, wanted: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let is_apart = |c: char| c.is_whitespace() || "[](){},:".contains(c);
        text.split(is_apart).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (found, wanted) = (words(found), words(wanted));
    found.len() == wanted.len()
        && found.iter().zip(&wanted).all(|(a, b)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a == b || (a - b).abs() <= 1e-5 * a.abs().max(b.abs()),
            _ => a == b,
        })
}

impl Both {
    /// The results, in words, are the same, or close, as it rounds quotients and roots of `f32` in its own
    /// way.
    #[track_caller]
    fn same(&mut self, kernel: &'static str, run: impl Fn(&Runtime) -> Result<String>) {
        let wanted = run(&self.cpu).unwrap();
        let found = run(&self.simulated).unwrap_or_else(|error| panic!("{kernel}: {error:?}"));
        if found == wanted {
            return self.same.push(kernel);
        }
        assert!(is_close(&found, &wanted), "{kernel}: {found}\nwanted {wanted}");
        self.close.push(kernel);
    }
}

fn floats(n: usize) -> Vec<f32> {
    (0..n).map(|k| (k % 13) as f32 * 0.25).collect()
}

fn ints(n: usize) -> Vec<i32> {
    (0..n).map(|k| 1 + (k * 7 % 23) as i32).collect()
}

const N: usize = 70;

fn arithmetic(both: &mut Both) {
    both.same("saxpy", |rt| {
        let (x, mut y) = (Buffer::from(floats(N)), Buffer::from(vec![1.0; N]));
        rt.submit(saxpy(2.0, &x, &mut y)).exec([N])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("stencil", |rt| {
        let (u, mut next) = (Buffer::from_shape([9, 7], floats(63))?, Buffer::zeros([9, 7]));
        rt.submit(stencil(0.125, &u, &mut next)).exec([7, 9])?;
        Ok(format!("{:?}", next.to_vec()?))
    });
    both.same("product", |rt| {
        let a = Buffer::from_shape([5, 6], floats(30))?;
        let (b, mut c) = (Buffer::from_shape([6, 4], floats(24))?, Buffer::zeros([5, 4]));
        rt.submit(product(&a, &b, &mut c)).exec([4, 5])?;
        Ok(format!("{:?}", c.to_vec()?))
    });
    both.same("turned", |rt| {
        let x: Vec<_> = floats(N).into_iter().map(|x| Complex::new(x, 1.0 - x)).collect();
        let (by, mut y) = (Complex::new(0.5, -0.25), Buffer::from(x.clone()));
        rt.submit(turned(by, &Buffer::from(x), &mut y)).exec([N])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("casts", |rt| {
        let x = Buffer::from((0..12).map(|k| f64::from(k) * 0.75).collect::<Vec<_>>());
        let (n, mut y) = (Buffer::from((0..12_i16).collect::<Vec<_>>()), Buffer::zeros(12));
        rt.submit(casts(&x, &n, &mut y)).exec([12])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("windows", |rt| {
        let (x, mut y) = (Buffer::from(floats(24)), Buffer::zeros(24));
        rt.submit(windows(&x, &mut y)).exec([24])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("ratio", |rt| {
        let mut x = Buffer::from(floats(N));
        rt.submit(ratio(0.75, &mut x)).exec([N])?;
        Ok(format!("{:?}", x.to_vec()?))
    });
    both.same("tangent", |rt| {
        let mut x = Buffer::from(floats(N));
        rt.submit(tangent(&mut x)).exec([N])?;
        Ok(format!("{:?}", x.to_vec()?))
    });
    both.same("fused", |rt| {
        let x = Buffer::from(floats(N).iter().map(|x| x + 1.0).collect::<Vec<_>>());
        let mut y = Buffer::zeros(N);
        rt.submit(fused(0.5, &x, &mut y)).exec([N])?;
        // Roots are as exact as `fast_math` asks for.
        Ok(format!("{:.3?}", y.to_vec()?))
    });
}

fn control(both: &mut Both) {
    both.same("called", |rt| {
        let small: Vec<i32> = ints(N).iter().map(|k| k % 7).collect();
        let (x, mut y) = (Buffer::from(ints(N)), Buffer::from(small));
        rt.submit(called(&x, &mut y)).exec([N])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("faults", |rt| {
        let (x, step) = (Buffer::from(ints(N + 1)), Buffer::from(vec![3_usize; N]));
        let mut y = Buffer::from(ints(N));
        rt.submit(faults(4, &x, &step, &mut y)).exec([N])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("counted", |rt| {
        let mut y = Buffer::zeros(N);
        rt.submit(counted(9, 11, &mut y)).exec([N])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("length", |rt| {
        let (x, mut y) = (Buffer::from((0..N as u32).collect::<Vec<_>>()), Buffer::zeros(N));
        rt.submit(length(5, &x, &mut y)).exec([N])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("turns", |rt| {
        let mut x = Buffer::zeros(N);
        rt.submit(turns(&mut x)).exec([N])?;
        Ok(format!("{:?}", x.to_vec()?))
    });
}

fn arrays(both: &mut Both) {
    both.same("dot", |rt| {
        let values: Vec<f64> = ints(42).iter().map(|&k| f64::from(k - 3)).collect();
        let (x, y) = (Buffer::from_shape([6, 7], values)?, Buffer::filled([6, 7], 2.0));
        let (mut sum, mut most) = (Var::new(0.0), Var::new(0));
        rt.submit(dot(&x, &y, &mut sum, &mut most)).exec([7, 6])?;
        Ok(format!("{} {}", sum.get()?, most.get()?))
    });
    both.same("histogram", |rt| {
        let x = Buffer::from(floats(N));
        let (mut counts, mut sums) = (Buffer::filled(13, 1_u32), Buffer::zeros(13));
        let (mut last, mut before) = (Buffer::zeros(13), Buffer::zeros(N));
        rt.submit(histogram(&x, &mut counts, &mut sums, &mut last, &mut before)).exec([N])?;
        Ok(format!("{:?} {:?} {:?}", counts.to_vec()?, sums.to_vec()?, &last.to_vec()?[1..]))
    });
    both.same("drift", |rt| {
        let by = Cell { rho: 0.5, mass: 2.0, id: 3 };
        let mut cells = Buffer::from(vec![Cell { rho: 1.5, mass: 0.25, id: 9 }; N]);
        let mut clouds = Buffer::from(vec![Cloud { cells: [by; 2], at: [4, 3, 2, 1], mid: by }; N]);
        rt.submit(drift(by, &mut cells, &mut clouds)).exec([N])?;
        Ok(format!("{:?} {:?}", cells.to_vec()?, clouds.to_vec()?))
    });
    both.same("scatter", |rt| {
        let at = Buffer::from((0..N as u32).rev().collect::<Vec<_>>());
        let (x, mut y) = (Buffer::from(floats(N + 1)), Buffer::zeros(N));
        rt.submit(scatter(&at, &x, &mut y)).exec([N])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
    both.same("deep", |rt| {
        let x = Buffer::from_shape([2, 3, 4, 5], (0..120).map(|k| k as i8).collect::<Vec<_>>())?;
        let mut y = Buffer::zeros([2, 3, 4, 5]);
        rt.submit(deep(&x, &mut y)).exec([5, 4, 3, 2])?;
        Ok(format!("{:?}", y.to_vec()?))
    });
}

#[test]
fn kernels_touch_what_is_theirs() {
    if !is_under() {
        let Some(said) = said("oclgrind::kernels_touch_what_is_theirs") else { return };
        assert!(said.trim().is_empty(), "{said}");
        return;
    }
    let cpu = Runtime::open("ALL_CPU").unwrap();
    let (same, close) = Default::default();
    let mut both = Both { cpu, simulated: simulated(), same, close };
    arithmetic(&mut both);
    control(&mut both);
    arrays(&mut both);
    println!("{:?}, close: {:?}", both.same, both.close);
    assert!(both.same.len() >= 16 && both.close.len() <= 6, "{:?}, {:?}", both.same, both.close);
}

/// The line of the access of [`anywhere`].
const WRONG: u32 = line!() + 6;

/// Writes wherever it is told to.
#[flash::kernel]
fn anywhere(at: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    unsafe { y[at[i] as usize] = i as u32 };
}

#[test]
fn what_is_wrong_is_noticed() {
    if !is_under() {
        let Some(said) = said("oclgrind::what_is_wrong_is_noticed") else { return };
        assert!(said.contains("Invalid write"), "{said}");
        assert!(said.contains("race"), "{said}");
        // `#line` leads back to the access.
        assert!(said.contains(&format!("At line {WRONG} (")), "{said}");
        assert!(said.contains(" of tests/emit/oclgrind.rs"), "{said}");
        return;
    }
    let rt = simulated();
    let (at, mut y) = (Buffer::from(vec![1_u32, 2, 2, 5_000_000]), Buffer::zeros(4));
    rt.submit(anywhere(&at, &mut y)).exec([4]).unwrap();
}
