// Rule: every option is known.
#[flash::kernel(inputs = 2, idempotend)]
fn k(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i];
}

fn main() {}
