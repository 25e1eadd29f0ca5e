// Rule: an option is written in its form.
#[flash::kernel(fast_math = true)]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
