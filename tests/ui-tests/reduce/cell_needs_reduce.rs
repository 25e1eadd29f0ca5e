// Rule: a single `&mut T` is a reduction.
#[flash::kernel]
fn k(x: &[f32], sum: &mut f32) {
    *sum += x[global_id(0)];
}

fn main() {}
