// Rule: names do not start with `__`.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let __i = global_id(0);
    y[__i] = x[__i];
}

fn main() {}
