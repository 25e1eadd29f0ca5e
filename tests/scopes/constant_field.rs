//! Fields of a constant structure are constants.

#[repr(C)]
#[derive(Clone, Copy, flash::Pod)]
struct Lens {
    scale: f32,
    shift: [f32; 2],
}

const LENS: Lens = Lens { scale: 2.0, shift: [1.0, 10.0] };

#[flash::kernel]
fn look(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = LENS.scale * x[i] + LENS.shift[1];
}

pub(crate) fn run() {
    let rt = flash::Runtime::new().expect("a runtime");
    let (x, mut y) = ([1.0_f32, 2.0], [0.0_f32; 2]);
    rt.submit(look(&x[..], &mut y[..])).exec([2]).expect("it runs");
    assert_eq!(y, [12.0, 14.0]);
}
