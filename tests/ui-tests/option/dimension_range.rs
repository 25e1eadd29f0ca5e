// Rule: an option names a dimension that there can be.
#[flash::kernel(group_by(255))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
