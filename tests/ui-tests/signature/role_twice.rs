// Rule: a parameter has one role.
#[flash::kernel]
fn k(x: &[f32], #[out] #[scratch(8)] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
