// Rule: small arrays are used by elements.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let near = [x[i], 1.0];
    let part = near[0..1];
    y[i] = x[i];
}

fn main() {}
