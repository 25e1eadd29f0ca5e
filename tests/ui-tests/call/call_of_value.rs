// Rule: values are not called.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let f = x[i];
    y[i] = f(2.0);
}

fn main() {}
