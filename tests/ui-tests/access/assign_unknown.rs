// Rule: what is assigned is known.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    total = x[i];
    y[i] = x[i];
}

fn main() {}
