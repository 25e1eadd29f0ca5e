// Numbers of two types.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f64]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
