// Rule: attributes of parameters are roles.
#[flash::kernel]
fn k(x: &[f32], #[output] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
