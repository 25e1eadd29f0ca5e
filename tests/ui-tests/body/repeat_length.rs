// Rule: small arrays have a constant length.
#[flash::kernel]
fn k(n: usize, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let near = [x[i]; n];
    y[i] = near[0];
}

fn main() {}
