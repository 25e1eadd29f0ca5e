// Rule: there are no tuples.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let pair = (x[i], 1.0);
    y[i] = x[i];
}

fn main() {}
