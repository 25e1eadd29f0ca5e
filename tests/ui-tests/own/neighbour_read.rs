// Rule: a written array is not read at another item's place.
#[flash::kernel]
fn k(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = 0.5 * (y[i] + y[i + 1]);
}

fn main() {}
