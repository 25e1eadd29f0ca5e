//! `crate = path`: the facade under another name, and no `flash` in scope.
pub(crate) mod deep {
    pub mod down {
        pub use flash as lightning;
    }
}
mod flash {}

use deep::down::lightning;

#[lightning::kernel(crate = crate::facade_elsewhere::deep::down::lightning)]
fn scale(a: f32, x: &mut [f32]) {
    let i = global_id(0);
    x[i] = twice(a) * x[i];
}

#[lightning::device(crate = crate::facade_elsewhere::deep::down::lightning)]
fn twice(a: f32) -> f32 {
    2.0 * a
}

#[derive(Clone, Copy, lightning::Pod)]
#[flash(crate = crate::facade_elsewhere::deep::down::lightning)]
#[repr(C)]
struct Cell {
    rho: f32,
}

#[lightning::host_task(crate = crate::facade_elsewhere::deep::down::lightning)]
fn look(cells: &[Cell]) {
    assert_eq!(cells[0].rho, 1.0);
}

pub(crate) fn run() {
    let rt = lightning::Runtime::new().unwrap();
    let mut x = lightning::Buffer::from(vec![1.0_f32; 8]);
    let cells = lightning::Buffer::from(vec![Cell { rho: 1.0 }]);
    lightning::flash_pipeline! { crate = crate::facade_elsewhere::deep::down::lightning; in rt;
        scale(1.5, &mut x)[8];
        look(&cells);
    }
    .exec()
    .unwrap();
    assert_eq!(x.get(0).unwrap(), 3.0);
}
