// A constant structure as a value.
#[repr(C)]
#[derive(Clone, Copy, flash::Pod)]
struct Lens {
    scale: f32,
    shift: f32,
}

const LENS: Lens = Lens { scale: 2.0, shift: 1.0 };

#[flash::kernel]
fn look(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let lens = LENS;
    y[i] = lens.scale * x[i] + lens.shift;
}

fn main() {}
