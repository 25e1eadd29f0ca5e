// Rule: `sort_by` names a dimension once.
#[flash::kernel(sort_by(y, 2))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
