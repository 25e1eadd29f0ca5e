// Rule: inputs are not written.
#[flash::kernel]
fn k(x: &[f32]) {
    let i = global_id(0);
    x[i] = 2.0 * x[i];
}

fn main() {}
