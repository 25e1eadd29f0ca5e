// Rule: `group_id` is reserved.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    group_id(0);
    y[i] = x[i];
}

fn main() {}
