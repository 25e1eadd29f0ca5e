// Rule: ranges stand in `for` loops.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let r = 0..4;
    y[i] = x[i];
}

fn main() {}
