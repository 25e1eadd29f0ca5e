// Rule: an option names one of eight dimensions.
#[flash::kernel(group_by(9))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
