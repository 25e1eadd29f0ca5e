// Rule: an id stands alone in the index of a written array.
#[flash::kernel]
fn k(w: usize, x: &[f32], y: &mut [f32]) {
    let (j, i) = (global_id(1), global_id(0));
    y[j * w + i] = x[j * w + i];
}

fn main() {}
