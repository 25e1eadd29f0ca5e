// Rule: the value of a `group_by` is a constant.
#[flash::kernel(group_by(2, let))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
