// Rule: there are no macros.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    assert!(i < 8);
    y[i] = x[i];
}

fn main() {}
