//! A crate that renames its dependency on us builds with `crate = path`.
#![forbid(unsafe_code)]

use lightning::prelude::*;

#[lightning::device(crate = ::lightning)]
fn twice(x: f32) -> f32 {
    2.0 * x
}

#[lightning::kernel(crate = ::lightning, T = [f32, f64])]
fn scale<T>(a: T, x: &[T], #[out] y: &mut [T]) {
    let i = global_id(0);
    y[i] = a * x[i];
}

#[lightning::kernel(crate = lightning)]
fn double(x: View<'_, f32, 2>, y: ViewMut<'_, f32, 2>, #[reduce(+)] s: &mut f32) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = twice(x[[j, i]]) + math::exp(x[[j, i]]);
    *s += x[[j, i]];
}

#[derive(Clone, Copy, lightning::Pod)]
#[flash(crate = ::lightning)]
#[repr(C)]
struct Cell {
    rho: f32,
}

#[lightning::host_task(crate = ::lightning)]
fn look(cells: &[Cell], n: &std::sync::atomic::AtomicUsize, step: usize) {
    n.fetch_add(cells.len() + step, std::sync::atomic::Ordering::Relaxed);
}

#[test]
fn a_crate_that_renames_us_builds_and_runs() -> lightning::Result<()> {
    let rt = Runtime::new()?;
    let x = Buffer::from(vec![1.0_f32; 64]);
    let mut y = Buffer::from(vec![0.0_f32; 64]);
    let cells = Buffer::from(vec![Cell { rho: 1.0 }]);
    let m = Buffer::<f32, 2>::filled([8, 8], 1.0);
    let mut w = Buffer::<f32, 2>::zeros([8, 8]);
    let mut s = Var::new(0.0_f32);
    let n = std::sync::atomic::AtomicUsize::new(0);
    flash_pipeline! { crate = lightning; in rt;
        for step in 0..3 {
            scale(step as f32, &x, &mut y)[64];
            look(&cells, &n, step);
        }
        double(&m, &mut w, &mut s)[8, 8];
    }
    .exec()?;
    assert_eq!((y.get(0)?, s.get()?), (2.0, 64.0));
    assert_eq!(n.into_inner(), 3 + 3);
    Ok(())
}
