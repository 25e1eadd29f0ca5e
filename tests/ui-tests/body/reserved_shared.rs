// Rule: `shared!` is reserved.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    shared!(tile: [f32; 64]);
    y[i] = x[i];
}

fn main() {}
