// Rule: an `if` with a value has an `else`.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = if x[i] > 0.0 { 1.0 };
}

fn main() {}
