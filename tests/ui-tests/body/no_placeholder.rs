// Rule: `_` is not a value.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = _;
}

fn main() {}
