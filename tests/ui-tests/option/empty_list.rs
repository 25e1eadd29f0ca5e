// Rule: an option that lists something lists at least one.
#[flash::kernel(requires())]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
