// A name that is nothing.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = factor * x[i];
}

fn main() {}
