// Rule: an option is given once.
#[flash::kernel(fast_math, inputs = 1, fast_math)]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
