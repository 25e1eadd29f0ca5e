// Rule: a single `&mut T` is a reduction; what it was meant to be is not asked twice.
#[flash::kernel]
fn k(x: &[f32], y: &mut f32) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
