// Rule: the left side of an assignment is a place.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    f(i) = x[i];
    y[i] = x[i];
}

fn main() {}
