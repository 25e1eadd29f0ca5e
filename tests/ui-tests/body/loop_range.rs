// Rule: `for` runs over a range.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for v in TABLE {
        s += v;
    }
    y[global_id(0)] = s * x[0];
}

fn main() {}
