// Rule: an array is used by its elements and extents.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let z = x;
    y[i] = z[i];
}

fn main() {}
