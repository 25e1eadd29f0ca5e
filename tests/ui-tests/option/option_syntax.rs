// Rule: options are `key`, `key = value` or `key(list)`, with commas between.
#[flash::kernel(fast_math idempotent)]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
