// Rule: an index is not a range.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let near = x[i..i + 3];
    y[i] = near[0];
}

fn main() {}
