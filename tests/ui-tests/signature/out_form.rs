// Rule: an output is a written array.
#[flash::kernel]
fn k(#[out] x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
