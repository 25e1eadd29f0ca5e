// Rule: `group_by` is reserved.
#[flash::kernel(group_by(1))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
