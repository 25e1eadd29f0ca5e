// Rule: structures have named fields.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let p = Pair { 0: x[i], 1: 2.0 };
    y[i] = x[i];
}

fn main() {}
