// Rule: bindings are names.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let [a, b] = [x[i], 1.0];
    y[i] = a * b;
}

fn main() {}
