// Rule: a `group_by` is given once.
#[flash::kernel(group_by(2, 1), group_by(2, 3), group_by(y, 1))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
